/* fixed-form habits: everything declared at the top, private lists, goto inside the loop's body, labels */
#include "../../check.h"
static double f(double *x, int n)
{
	int i, j, flag;
	double t, q, sum, y[64];
	sum = 0.0;
#pragma omp parallel default(shared) private(i, j, flag, t, q)
	{
#pragma omp for
		for (i = 0; i < n; i++) {
			flag = 0;
			t = x[i];
			j = 0;
again:
			q = t * t;
			if (q > 2.0) {
				flag = 1;
				goto done;
			}
			t = t * 1.3 + 0.1 * x[0];
			if (++j < 6)
				goto again;
done:
			y[i] = flag ? q : t;
		}
#pragma omp for reduction(+:sum)
		for (i = 0; i < n; i++)
			sum = sum + y[i];
	}
	return sum;
}
GRADIENT(f)
int main(void) { return CHECK(f, 17); }
