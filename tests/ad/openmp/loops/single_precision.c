#include <math.h>
#include <stdio.h>
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
float __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static float saxpy_norm(float a, const float *x, float *y, int n)
{
	float s = 0.0f;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		y[i] = a * x[i] + y[i];
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
		s += y[i] * y[i];
	return sqrtf(s);
}
static void run(float *a, const float *x, float *y, int n, float *out)
{
	*out = saxpy_norm(*a, x, y, n);
}
int main(void)
{
	enum { N = 40 };
	float a = 1.5f, ab = 0, x[N], xb[N] = {0}, y[N], yb[N] = {0}, out, seed = 1;
	double norm = 0, want_a = 0;
	int bad = 0;
	for (int i = 0; i < N; i++) {
		x[i] = (float)sin(i);
		y[i] = (float)cos(i) + 2;
	}
	for (int i = 0; i < N; i++) {
		double r = 1.5 * x[i] + y[i];
		norm += r * r;
		want_a += r * x[i];
	}
	norm = sqrt(norm);
	__enzyme_autodiff((void *)run, enzyme_dup, &a, &ab, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_const, N, enzyme_dup, &out, &seed);
	if (!(fabs(ab - want_a / norm) < 1e-4)) {
		printf("d/da is %g, not %g\n", ab, want_a / norm);
		bad = 1;
	}
	for (int i = 0; i < N; i++) {
		double r = y[i]; /* y holds a x + y now */
		if (!(fabs(yb[i] - r / norm) < 1e-5) || !(fabs(xb[i] - 1.5 * r / norm) < 1e-5)) {
			printf("at %d: %g %g, not %g %g\n", i, xb[i], yb[i], 1.5 * r / norm, r / norm);
			bad = 1;
		}
	}
	return bad;
}
