# 0 "/tmp/forward/v2.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "/tmp/forward/v2.c"
double f(double *x, int n) {
# 1 "/tmp/forward/v2.c"
    int k = 2 * n;
# 1 "/tmp/forward/v2.c"
    double a[(unsigned long)k];
# 1 "/tmp/forward/v2.c"
    double b[(unsigned long)k];
# 1 "/tmp/forward/v2.c"
    for (int i = 0; i < k; i++) {
# 1 "/tmp/forward/v2.c"
        a[i] = x[i];
# 1 "/tmp/forward/v2.c"
        b[i] = a[i];
    }
# 1 "/tmp/forward/v2.c"
    return a[0] + b[1];
}
# 1 "/tmp/forward/v2.c"

double g(double *x, int n) {
# 2 "/tmp/forward/v2.c"
    unsigned long k;
# 2 "/tmp/forward/v2.c"
    double a[k];
# 2 "/tmp/forward/v2.c"
    double b[k];
# 2 "/tmp/forward/v2.c"
    for (int i = 0; i < n; i++) {
# 2 "/tmp/forward/v2.c"
        a[i] = x[i];
# 2 "/tmp/forward/v2.c"
        b[i] = a[i];
    }
# 2 "/tmp/forward/v2.c"
    return a[0] + b[1];
}
# 2 "/tmp/forward/v2.c"

