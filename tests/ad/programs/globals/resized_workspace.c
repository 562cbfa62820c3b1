/* A workspace behind a struct that a static keeps, resized from call to call. */
#include "check.h"

typedef struct {
    int dim, cap;
    double *v;
} VEC;
static VEC *work;
static VEC *vec_get(int n)
{
    VEC *w = malloc(sizeof *w);
    w->dim = w->cap = n;
    w->v = calloc(n, sizeof(double));
    return w;
}
static VEC *vec_resize(VEC *w, int n)
{
    if (!w)
        return vec_get(n);
    if (n > w->cap) {
        w->v = realloc(w->v, n * sizeof(double));
        w->cap = n;
    }
    w->dim = n;
    return w;
}
double f(const double *x, int n)
{
    work = vec_resize(work, n);
    for (int i = 0; i < n; i++)
        work->v[i] = x[i] * x[i] + (i ? work->v[i - 1] : 0);
    double s = 0;
    for (int i = 0; i < work->dim; i++)
        s += sin(work->v[i]) * (i + 1);
    return s;
}
int main(void)
{
    int sizes[] = {3, 9, 4, 20, 1};
    for (int k = 0; k < 5; k++)
        CHECK(f, sizes[k]);
    return failures != 0;
}
