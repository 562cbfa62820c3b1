/* Viterbi with back pointers: the score is a sum over the best path; traced back by a while loop. */
#include <math.h>
#include <stdio.h>

#define S 3
#define T 8
void __enzyme_autodiff(void *, ...);

double best_score(const double *trans, const double *emit)
{
    double score[T][S];
    int back[T][S], path[T];
    for (int s = 0; s < S; s++)
        score[0][s] = emit[s];
    for (int t = 1; t < T; t++)
        for (int s = 0; s < S; s++) {
            int best = 0;
            for (int p = 1; p < S; p++)
                if (score[t - 1][p] + trans[p * S + s] > score[t - 1][best] + trans[best * S + s])
                    best = p;
            back[t][s] = best;
            score[t][s] = score[t - 1][best] + trans[best * S + s] + emit[t * S + s];
        }
    int last = 0;
    for (int s = 1; s < S; s++)
        if (score[T - 1][s] > score[T - 1][last])
            last = s;
    path[T - 1] = last;
    int t = T - 1;
    while (t > 0) {
        path[t - 1] = back[t][path[t]];
        --t;
    }
    /* A smoothness penalty along the decoded path. */
    double penalty = 0;
    for (t = 1; t < T; t++)
        penalty += emit[t * S + path[t]] * emit[(t - 1) * S + path[t - 1]];
    return score[T - 1][last] - 0.1 * penalty;
}

int main(void)
{
    double tr[S * S], em[T * S], dt[S * S] = {0}, de[T * S] = {0};
    for (int i = 0; i < S * S; i++)
        tr[i] = 0.5 * sin(4.0 * i);
    for (int i = 0; i < T * S; i++)
        em[i] = cos(2.7 * i);
    __enzyme_autodiff((void *)best_score, tr, dt, em, de);
    double transitions = 0;
    for (int i = 0; i < S * S; i++)
        transitions += dt[i];
    if (transitions != T - 1) {
        printf("%g transitions were used\n", transitions);
        return 1;
    }
    for (int i = 0; i < T * S; i++) {
        double k = em[i];
        em[i] = k + 1e-5;
        double a = best_score(tr, em);
        em[i] = k - 1e-5;
        double b = best_score(tr, em);
        em[i] = k;
        if (!(fabs(de[i] - (a - b) / 2e-5) < 1e-8)) {
            printf("emission %d: %g vs %g\n", i, de[i], (a - b) / 2e-5);
            return 1;
        }
    }
    return 0;
}
