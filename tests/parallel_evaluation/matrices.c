/* Matrices that are computed on many threads against those of one. The functions are differentiated, too. */
#include "check.h"

double residuals(int n, const double *x, double k, double *r)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        r[i] = k * x[i] * (i ? x[i - 1] : 1) + sin(x[i]);
        sum += r[i];
    }
    return sum;
}

void relax(int n, double *u, double dt)
{
    for (int i = 1; i < n; i++)
        u[i] += dt * u[i - 1] * u[i];
}

double energy(int n, const double *x)
{
    double e = 0;
    for (int i = 1; i < n; i++)
        e += x[i] * x[i - 1] * x[i - 1] + exp(x[i]);
    return e;
}

#ifndef ADJOIN
#include "columns_many.h"
#include "columns_one.h"
#include "either_many.h"
#include "either_one.h"
#include "hessian_many.h"
#include "hessian_one.h"
#include "relax_many.h"
#include "relax_one.h"
#include "rows_many.h"
#include "rows_one.h"

int main(void)
{
    for (size_t n = 1; n < 64; n += n < 6 ? 1 : 19) {
        const size_t columns = n + 1, most = (2 * n + 1) * columns;
        double *x = numbers(n, 0.3, 1.2), *r = zeros(2 * n), *s = zeros(2 * n), *one = zeros(most), *many = zeros(most);
        double *u = zeros(n), *v = zeros(n);
        const int m = (int)n;
        double expected = columns_one(m, x, 1.5, r, one), found = columns_many(m, x, 1.5, s, many);
        compare("value", 1, &found, &expected);
        compare("r", n, s, r);
        compare("columns", columns * columns, many, one);
        rows_one(m, x, 1.5, r, one);
        rows_many(m, x, 1.5, s, many);
        compare("rows", columns * columns, many, one);
        either_one(m, x, 1.5, r, one);
        either_many(m, x, 1.5, s, many);
        compare("either", most, many, one);
        memcpy(u, x, n * sizeof *u);
        memcpy(v, x, n * sizeof *v);
        relax_one(m, u, 0.1, one);
        relax_many(m, v, 0.1, many);
        compare("u", n, v, u);
        compare("relax", n * columns, many, one);
        expected = hessian_one(m, x, one);
        found = hessian_many(m, x, many);
        compare("energy", 1, &found, &expected);
        compare("hessian", n * n, many, one);
        double *all[] = {x, r, s, one, many, u, v};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            free(all[i]);
    }
    return failures != 0;
}
#endif
