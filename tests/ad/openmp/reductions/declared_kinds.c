// Declared reductions of all kinds: with functions, with expressions, by operators, of arrays in structs, on regions, loops and sections.
#include "../../check.h"
typedef struct { double m[3]; int count; } moments;
static void begin(moments *a) { memset(a, 0, sizeof *a); }
static void join(moments *to, const moments *from)
{
    for (int k = 0; k < 3; k++)
        to->m[k] += from->m[k];
    to->count += from->count;
}
#pragma omp declare reduction(join : moments : join(&omp_out, &omp_in)) initializer(begin(&omp_priv))
static double by_functions(double *x, int n)
{
    moments a;
    begin(&a);
#pragma omp parallel for reduction(join : a) schedule(static, 3)
    for (int i = 0; i < n; i++) {
        a.m[0] += x[i];
        a.m[1] += x[i] * x[i];
        a.m[2] += sin(x[i]);
        a.count++;
    }
    double mean = a.m[0] / a.count;
    return a.m[1] / a.count - mean * mean + a.m[2];
}

struct vector { double x, y; };
#pragma omp declare reduction(+ : struct vector : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {0, 0})
static double by_operator(double *x, int n)
{
    struct vector f = {0, 0}, g = {1, 2};
#pragma omp parallel
    {
#pragma omp for reduction(+ : f, g) nowait
        for (int i = 0; i < n; i++) {
            f.x += x[i] * x[(i + 1) % n];
            g.y -= cos(x[i]);
        }
#pragma omp barrier
#pragma omp sections reduction(+ : f)
        {
            f.y += x[0] * g.y;
#pragma omp section
            f.x += x[n - 1] * g.x;
        }
#pragma omp for reduction(+ : g)
        for (int i = 0; i < n; i++)
            g.x += f.x * x[i];
    }
    return f.x * f.y + g.x * g.y;
}

typedef struct { double value; int index; } place;
#pragma omp declare reduction(greatest : place : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) initializer(omp_priv = omp_orig)
static double greatest(double *x, int n)
{
    place best = {-1e300, -1};
#pragma omp parallel for reduction(greatest : best)
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[i] - 0.3 * x[(i + 3) % n];
        if (v > best.value)
            best = (place){v, i};
    }
    return best.value * x[best.index] + x[(best.index + 1) % n];
}

typedef struct { double most, sum; } scaled;
static scaled both(scaled a, scaled b)
{
    double most = fmax(a.most, b.most);
    return (scaled){most, a.sum * exp(a.most - most) + b.sum * exp(b.most - most)};
}
#pragma omp declare reduction(both : scaled : omp_out = both(omp_out, omp_in)) initializer(omp_priv = (scaled){-1e30, 0})
static double log_of_sum(double *x, int n)
{
    scaled a = {-1e30, 0};
#pragma omp parallel for reduction(both : a) num_threads(4)
    for (int i = 0; i < n; i++)
        a = both(a, (scaled){3 * x[i], 1});
    return a.most + log(a.sum);
}
/* Of each element of an array. */
static double of_arrays(double *x, int n)
{
    scaled a[2] = {{-1e30, 0}, {-1e30, 0}};
    double s = 0;
#pragma omp parallel for reduction(both : a)
    for (int i = 0; i < n; i++)
        a[i % 2] = both(a[i % 2], (scaled){3 * x[i], 1});
    for (int k = 0; k < 2; k++)
        s += (k + 1) * (a[k].most + log(a[k].sum));
    return s;
}
GRADIENT(by_functions)
GRADIENT(of_arrays)
GRADIENT(by_operator)
GRADIENT(greatest)
GRADIENT(log_of_sum)
int main(void)
{
    return CHECK(by_functions, 17) | CHECK(by_operator, 12) | CHECK(greatest, 20) | CHECK(log_of_sum, 19) | CHECK(of_arrays, 15);
}
