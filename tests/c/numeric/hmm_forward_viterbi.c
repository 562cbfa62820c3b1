// flags: -lm
// Hidden Markov model: scaled forward, backward and Viterbi.
#include "../check.h"
#include <math.h>

enum { S = 3, O = 2, T = 12 };
static const double pi0[S] = {0.5, 0.3, 0.2};
static const double a[S][S] = {{0.7, 0.2, 0.1}, {0.3, 0.4, 0.3}, {0.2, 0.3, 0.5}};
static const double b[S][O] = {{0.9, 0.1}, {0.5, 0.5}, {0.1, 0.9}};

static double forward(const int *o, int t_max, double alpha[][S])
{
    double log_p = 0;
    for (int t = 0; t < t_max; t++) {
        double scale = 0;
        for (int j = 0; j < S; j++) {
            double p = 0;
            if (t == 0)
                p = pi0[j];
            else
                for (int i = 0; i < S; i++)
                    p += alpha[t - 1][i] * a[i][j];
            scale += alpha[t][j] = p * b[j][o[t]];
        }
        for (int j = 0; j < S; j++)
            alpha[t][j] /= scale;
        log_p += log(scale);
    }
    return log_p;
}
static double viterbi(const int *o, int *path)
{
    double d[T][S];
    int from[T][S];
    for (int j = 0; j < S; j++)
        d[0][j] = log(pi0[j]) + log(b[j][o[0]]);
    for (int t = 1; t < T; t++)
        for (int j = 0; j < S; j++) {
            int best = 0;
            for (int i = 1; i < S; i++)
                if (d[t - 1][i] + log(a[i][j]) > d[t - 1][best] + log(a[best][j]))
                    best = i;
            from[t][j] = best;
            d[t][j] = d[t - 1][best] + log(a[best][j]) + log(b[j][o[t]]);
        }
    int last = 0;
    for (int j = 1; j < S; j++)
        if (d[T - 1][j] > d[T - 1][last])
            last = j;
    double p = d[T - 1][last];
    for (int t = T - 1; t >= 0; t--) {
        path[t] = last;
        if (t)
            last = from[t][last];
    }
    return p;
}

int main(void)
{
    int o[T] = {0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0}, path[T];
    double alpha[T][S], l = forward(o, T, alpha), v = viterbi(o, path);
    CHECK(v < l);
    for (int t = 0; t < T; t++) {
        double s = alpha[t][0] + alpha[t][1] + alpha[t][2];
        CHECK_NEAR(s, 1, 1e-14);
        printf("%d", path[t]);
    }
    printf("\n%.10f %.10f\n", l, v);
    double total = 0; // all sequences of length 3 sum to one
    for (int m = 0; m < 8; m++) {
        int w[3] = {m & 1, m >> 1 & 1, m >> 2};
        total += exp(forward(w, 3, alpha));
    }
    CHECK_NEAR(total, 1, 1e-12);
    return check_done();
}
