// Kernels in the styles people write: pointer walking, tables, guards, outputs, structs, solvers.
#include "check.h"
static const double coef[4] = {1.0, 0.5, 0.25, 0.125};
static double walk(double *x, int n) {
    double s = 0;
    double *p = x, *e = x + n;
    while (p < e) {
        s = s * 0.9 + *p * *p;
        p++;
    }
    for (double *q = x + n - 1; q >= x; --q)
        s += *q * s * 0.01;
    return s;
}
GRADIENT(walk)
static double table(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int k = 3; k >= 0; k--)
            t = t * x[i] + coef[k];
        s += t;
    }
    return s;
}
GRADIENT(table)
static double guard(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double d = x[i] - x[0];
        s += d > 0 ? sqrt(d) : 0;
        s += i && x[i] > 1 ? log(x[i]) : 0.0;
    }
    return s;
}
GRADIENT(guard)
static void outs(const double *x, double *y, double *z, int n) {
    if (n < 2)
        return;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        if (i)
            y[i] += y[i - 1];
        *z += y[i] * x[0];
    }
}
static double through(double *x, int n) {
    double y[64], z = 0;
    outs(x, y, &z, n);
    return z * y[n - 1];
}
GRADIENT(through)
typedef struct {
    int n;
    double *w;
    double b;
    double (*pad)[2];
} layer;
static double fwd(const layer *l, const double *in) {
    double s = l->b;
    for (int i = 0; i < l->n; i++)
        s += l->w[i] * in[i];
    return tanh(s);
}
static double net(double *x, int n) {
    double h[4];
    layer l;
    l.n = n;
    l.w = x;
    l.pad = 0;
    double in[64];
    for (int i = 0; i < n; i++)
        in[i] = 0.1 * i - 0.2;
    for (int k = 0; k < 4; k++) {
        l.b = 0.1 * k + x[k];
        h[k] = fwd(&l, in);
    }
    return h[0] * h[1] + h[2] * h[3];
}
GRADIENT(net)
static double matmul(double *x, int n) {
    enum { M = 3 };
    double a[M][M], b[M][M], c[M][M];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = x[(i * M + j) % n];
            b[i][j] = x[(i + 2 * j) % n] * 0.5;
            c[i][j] = 0;
        }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < M; k++)
                c[i][j] += a[i][k] * b[k][j];
    double s = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            s += c[i][j] * c[j][i];
    return s;
}
GRADIENT(matmul)
static double norm(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}
static double normalise(double *x, int n) {
    double y[64];
    for (int i = 0; i < n; i++)
        y[i] = x[i] / norm(x, n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += y[i] * (i + 1);
    return s;
}
GRADIENT(normalise)
static double newton(double *x, int n) {
    double r = 1;
    for (int it = 0; it < 50; it++) {
        double f = r * r * r - x[0] * r - x[n - 1];
        double d = 3 * r * r - x[0];
        double step = f / d;
        r -= step;
        if (fabs(step) < 1e-13)
            break;
    }
    return r * x[1];
}
GRADIENT(newton)
static double rk4(double *x, int n) {
    double y[2] = {x[0], x[1]}, k[4][2], t[2];
    double h = 0.05;
    for (int s = 0; s < 20; s++) {
        for (int st = 0; st < 4; st++) {
            double c = st == 0 ? 0 : st == 3 ? 1 : 0.5;
            for (int i = 0; i < 2; i++)
                t[i] = st ? y[i] + c * h * k[st - 1][i] : y[i];
            k[st][0] = t[1];
            k[st][1] = -x[2] * sin(t[0]) - 0.1 * t[1];
        }
        for (int i = 0; i < 2; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    return y[0] * y[1] + n * 0;
}
GRADIENT(rk4)
static double minmax(double *x, int n) {
    double m = x[0];
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > m) {
            m = x[i];
            at = i;
        }
    double lo = 1e9;
    for (int i = 0; i < n; i++)
        lo = fmin(lo, x[i]);
    return m * m + lo * at;
}
GRADIENT(minmax)
int main(void) {
    int bad = 0;
    for (int n = 5; n < 9; n++)
        bad |= CHECK(walk, n) | CHECK(table, n) | CHECK(guard, n) | CHECK(through, n) | CHECK(net, n) |
               CHECK(matmul, n) | CHECK(normalise, n) | CHECK(newton, n) | CHECK(rk4, n) | CHECK(minmax, n);
    return bad;
}
