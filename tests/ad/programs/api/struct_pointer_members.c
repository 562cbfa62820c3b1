/* A struct with pointer members as a dup argument: the shadow struct holds the shadow pointers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; double scale; double *in, *out; } job;
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static void execute(job *j)
{
    for (int i = 0; i < j->n; i++)
        j->out[i] = j->scale * j->in[i] * j->in[(i + 1) % j->n];
    j->scale *= 0.5;
}

int main(void)
{
    enum { N = 4 };
    double in[N] = {1, 2, -1, 0.5}, out[N], din[N] = {0}, dout[N] = {1, 10, 100, 1000};
    job j = {N, 3.0, in, out}, d = {N, 0.0, din, dout};
    d.scale = 2.0; /* the seed of scale after the call */
    __enzyme_autodiff((void *)execute, enzyme_dup, &j, &d);
    double w[N] = {1, 10, 100, 1000}, scale = 1.0;
    for (int i = 0; i < N; i++) {
        int next = (i + 1) % N, last = (i + N - 1) % N;
        double want = 3 * (w[i] * in[next] + w[last] * in[last]);
        if (!(fabs(din[i] - want) < 1e-11) || dout[i] != 0) {
            printf("in[%d]: %g vs %g\n", i, din[i], want);
            return 1;
        }
        scale += w[i] * in[i] * in[next];
    }
    if (!(fabs(d.scale - scale) < 1e-11 && j.scale == 1.5)) {
        printf("scale: %g vs %g\n", d.scale, scale);
        return 1;
    }
    return 0;
}
