int printf(const char *, ...);
static double relax(double *a, double *b, int n, int steps);
int main(void);

static double relax(double *a, double *b, int n, int steps)
{
    for (int t = 0; t < steps; t++) { /* swap.c:2 */
        for (int i = 1; i < n; i++) /* swap.c:3 */
            b[i] = 0.5 * (a[i] + a[i - 1]);
        double *a_old = a;
        a = b;
        b = a_old;
    }
    return a[n - 1];
}

int main(void)
{
    double x[4];
    double y[4];
    for (int i = 0; i < 4; i++) {
        x[i] = i;
        y[i] = 0.0;
    }
    printf("%g\n", relax(x, y, 4, 3));
    return 0;
}
