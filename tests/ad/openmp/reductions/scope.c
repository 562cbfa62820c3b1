// What the threads of a scope sum up, by operators and as the program declares.
#include "../../check.h"
struct vector { double x, y; };
#pragma omp declare reduction(+ : struct vector : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {0, 0})
static double in_scope(double *x, int n)
{
    double sum = x[0], product = 1, most = -1e9;
    struct vector v = {0, 0};
#pragma omp parallel
    {
        double own = 0, best = -1e9;
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
            own += x[i] * x[i];
            best = fmax(best, x[i]);
        }
#pragma omp scope reduction(+ : sum, v) reduction(max : most) reduction(* : product)
        {
            sum += own;
            most = fmax(most, best);
            v.x += own;
            product *= x[1];
        }
#pragma omp for reduction(+ : v)
        for (int i = 0; i < n; i++)
            v.y += x[i] * sum * most;
    }
    return sum * v.x + v.y * product;
}
GRADIENT(in_scope)
int main(void) { return CHECK(in_scope, 21); }
