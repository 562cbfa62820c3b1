#include "../../check.h"
static double f(double *x, int n)
{
	double s = 0, scale = x[0], y[64];
	const double half = 0.5;
#pragma omp parallel default(none) shared(x, y, s, n, half) firstprivate(scale)
	{
		double mine = 0;
#pragma omp for
		for (int i = 0; i < n; i++) {
			y[i] = half * scale * x[i] * x[i];
			mine += y[i];
		}
#pragma omp atomic
		s += mine;
	}
#pragma omp parallel for default(shared) reduction(+:s)
	for (int i = 0; i < n; i++)
		s += y[i] * y[i];
#pragma omp parallel for shared(s) if(0)
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}
#ifndef __clang__
/* What no clause names is the thread's own. */
static double own(double *x, int n)
{
	double s = 0, r = 0, t = x[1], v[2] = {x[2], x[3]};
	int i;
#pragma omp parallel for default(firstprivate) reduction(+:s) shared(x)
	for (i = 0; i < n; i++) {
		v[1] = v[0] * t;
		s += x[i] * v[1];
	}
#pragma omp parallel default(private) shared(x, n, r)
	{
		t = 3;
		v[0] = x[0];
#pragma omp for reduction(+:r)
		for (i = 0; i < n; i++)
			r += t * x[i] * v[0];
	}
	return s * t + v[0] * v[1] + r;
}
GRADIENT(own)
#else
#define own f
#define own_gradient f_gradient
#define own_tangent f_tangent
#endif
GRADIENT(f)
int main(void) { return CHECK(f, 16) | CHECK(own, 11); }
