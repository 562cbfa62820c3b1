// The Thomas algorithm with pointers and restrict, and a cyclic variant.
#include "../check.h"

static void thomas(int n, const double *restrict a, const double *restrict b, const double *restrict c,
                   const double *restrict d, double *restrict x)
{
    double cp[n], dp[n];
    cp[0] = c[0] / b[0];
    dp[0] = d[0] / b[0];
    for (int i = 1; i < n; i++) {
        double m = 1 / (b[i] - a[i] * cp[i - 1]);
        cp[i] = c[i] * m;
        dp[i] = (d[i] - a[i] * dp[i - 1]) * m;
    }
    x[n - 1] = dp[n - 1];
    for (int i = n - 1; i-- > 0;)
        x[i] = dp[i] - cp[i] * x[i + 1];
}

static void cyclic(int n, double a, double b, double c, const double *d, double *x)
{
    double lo[n], di[n], up[n], u[n], z[n], gamma = -b;
    for (int i = 0; i < n; i++) {
        lo[i] = a;
        di[i] = b;
        up[i] = c;
        u[i] = 0;
    }
    di[0] = b - gamma;
    di[n - 1] = b - a * c / gamma;
    u[0] = gamma;
    u[n - 1] = c;
    thomas(n, lo, di, up, d, x);
    thomas(n, lo, di, up, u, z);
    double fact = (x[0] + a * x[n - 1] / gamma) / (1 + z[0] + a * z[n - 1] / gamma);
    for (int i = 0; i < n; i++)
        x[i] -= fact * z[i];
}

int main(void)
{
    enum { N = 20 };
    double a[N], b[N], c[N], d[N], x[N];
    for (int i = 0; i < N; i++) {
        a[i] = -1;
        b[i] = 2.5 + 0.1 * i;
        c[i] = -0.5;
        d[i] = i % 4;
    }
    thomas(N, a, b, c, d, x);
    for (int i = 0; i < N; i++) {
        double r = b[i] * x[i] + (i ? a[i] * x[i - 1] : 0) + (i < N - 1 ? c[i] * x[i + 1] : 0);
        CHECK_NEAR(r, d[i], 1e-13);
    }
    printf("%.14g %.14g\n", x[0], x[N / 2]);
    cyclic(N, -1, 4, -2, d, x);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(-x[(i + N - 1) % N] + 4 * x[i] - 2 * x[(i + 1) % N], d[i], 1e-12);
    printf("%.14g\n", x[7]);
    return check_done();
}
