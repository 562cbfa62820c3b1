/* A library that is only a header, installed where compilers do not warn. */
#pragma GCC system_header
static inline double library_dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double library_length(const double *a, int n)
{
    return __builtin_sqrt(library_dot(a, a, n));
}
