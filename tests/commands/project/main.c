/* Links with everything that the commands made of loss.c and model.c, as C and as C++. */
#include "model.h"
#include "loss_grad.h"
#include "loss_hessian.h"
#include "loss_hvp.h"
#include "out_both.h"
#include "outputs_columns.h"
#include "outputs_jvp.h"
#include "outputs_rows.h"
#include "outputs_vjp.h"
#include <math.h>
#include <stdio.h>

#define N 4
static int failures;

static void same(const char *what, double a, double b, double tolerance)
{
    double size = fmax(1.0, fmax(fabs(a), fabs(b)));
    if (!(fabs(a - b) <= tolerance * size)) {
        printf("%s: %.15g against %.15g\n", what, a, b);
        failures++;
    }
}

static void gradients(void)
{
    double x[N] = {0.3, 0.9, 1.4, 0.7}, h = 1e-6;
    struct params p = {1.3, 0.4};
    double x_bar[N] = {10, 0, 0, 0};
    struct params p_bar = {0, 0};
    double scale_bar = 0;
    double value = loss_grad(N, x, &p, 1.5, x_bar, &p_bar, &scale_bar);
    same("value", value, loss(N, x, &p, 1.5), 1e-14);
    for (int i = 0; i < N; i++) {
        double old = x[i];
        x[i] = old + h;
        double up = loss(N, x, &p, 1.5);
        x[i] = old - h;
        double down = loss(N, x, &p, 1.5);
        x[i] = old;
        same("x_bar", x_bar[i] - (i == 0 ? 10 : 0), (up - down) / (2 * h), 1e-8);
    }
    struct params up = {1.3 + 1e-6, 0.4}, down = {1.3 - 1e-6, 0.4};
    same("p_bar.a", p_bar.a, (loss(N, x, &up, 1.5) - loss(N, x, &down, 1.5)) / 2e-6, 1e-8);
    same("scale_bar", scale_bar, 2 * value / 1.5, 1e-13);
}

static void second_derivatives(void)
{
    double x[N] = {0.3, 0.9, 1.4, 0.7}, h = 1e-5;
    struct params p = {1.3, 0.4};
    double hessian[N * N];
    same("value of the Hessian", loss_hessian(N, x, &p, 1.5, hessian), loss(N, x, &p, 1.5), 1e-14);
    for (int i = 0; i < N; i++) {
        double up[N] = {0}, down[N] = {0}, direction[N] = {0}, bar[N] = {0}, bar_dot[N] = {0};
        struct params unused = {0, 0};
        double unused_scale = 0, old = x[i];
        direction[i] = 1;
        loss_hvp(N, x, &p, 1.5, direction, bar, bar_dot);
        x[i] = old + h;
        loss_grad(N, x, &p, 1.5, up, &unused, &unused_scale);
        x[i] = old - h;
        loss_grad(N, x, &p, 1.5, down, &unused, &unused_scale);
        x[i] = old;
        for (int j = 0; j < N; j++) {
            same("hessian", hessian[i * N + j], (up[j] - down[j]) / (2 * h), 1e-8);
            same("symmetry", hessian[i * N + j], hessian[j * N + i], 1e-13);
            same("hvp", hessian[i * N + j], bar_dot[j], 1e-14);
        }
    }
}

static void jacobians(void)
{
    double x[N] = {0.3, 0.9, 1.4, 0.7}, a = 0.8, y[N + 1], z[N + 1];
    double rows[(N + 1) * (N + 1)], columns[(N + 1) * (N + 1)], either[(N + 1) * (N + 1)];
    outputs(N, x, a, y);
    outputs_columns(N, x, a, z, columns);
    for (int i = 0; i <= N; i++)
        same("outputs", y[i], z[i], 1e-15);
    outputs_rows(N, x, a, z, rows);
    out_both(N, x, a, z, either);
    for (int i = 0; i < (N + 1) * (N + 1); i++) {
        same("rows and columns", rows[i], columns[i], 1e-14);
        same("either", rows[i], either[i], 1e-14);
    }
    /* Two directions at once: x[1] and a. */
    double one[N] = {0, 1, 0, 0}, none[N] = {0}, first[N + 1], second[N + 1];
    const double *const x_dot[2] = {one, none};
    const double a_dot[2] = {0, 1};
    double *const y_dot[2] = {first, second};
    outputs_jvp(N, x, a, z, x_dot, a_dot, y_dot);
    for (int i = 0; i <= N; i++) {
        same("jvp of x[1]", first[i], rows[i * (N + 1) + 1], 1e-14);
        same("jvp of a", second[i], rows[i * (N + 1) + N], 1e-14);
    }
    double x_bar[N] = {0}, a_bar = 0, y_bar[N + 1] = {0, 0, 1, 0, 0};
    outputs_vjp(N, x, a, z, x_bar, &a_bar, y_bar);
    for (int j = 0; j < N; j++)
        same("vjp", x_bar[j], rows[2 * (N + 1) + j], 1e-14);
    same("vjp of a", a_bar, rows[2 * (N + 1) + N], 1e-14);
    same("seed", y_bar[2], 0, 0);
}

int main(void)
{
    gradients();
    second_derivatives();
    jacobians();
    if (failures)
        printf("%d differences\n", failures);
    return failures != 0;
}
