/* An invariant O(n) call inside an O(n) loop: correct, and no slower than a small multiple of the primal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double magnitude(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * v[i];
    return sqrt(s);
}

static void normalise(double *restrict out, const double *restrict in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] / magnitude(in, n);
}

int main(void)
{
    enum { N = 400 };
    static double in[N], out[N], din[N], dout[N], seed[N];
    double dot = 0, norm;
    for (int i = 0; i < N; i++) {
        in[i] = sin(i) + 0.1;
        dout[i] = seed[i] = cos(3 * i);
    }
    norm = magnitude(in, N);
    for (int i = 0; i < N; i++)
        dot += seed[i] * in[i];
    clock_t begin = clock();
    __enzyme_autodiff((void *)normalise, enzyme_dup, out, dout, enzyme_dup, in, din, enzyme_const, N);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    for (int i = 0; i < N; i++) {
        double want = seed[i] / norm - in[i] * dot / (norm * norm * norm);
        if (!(fabs(din[i] - want) < 1e-11)) {
            printf("in[%d]: %g vs %g\n", i, din[i], want);
            return 1;
        }
    }
    if (seconds > 5) {
        printf("took %g seconds\n", seconds);
        return 1;
    }
    return 0;
}
