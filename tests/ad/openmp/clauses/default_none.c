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
GRADIENT(f)
int main(void) { return CHECK(f, 16); }
