/* Every batch function against calls for single points. */
#include "model.h"
#include "chain_grad.h"
#include "chain_hvp.h"
#include "loss_grad.h"
#include "norm_grad.h"
#include "price_grad.h"
#include "price_jvp.h"
#include "rotate_jvp.h"
#include "rotate_vjp.h"
#include "step_jvp.h"
#include "step_vjp.h"
#include "check.h"

static void prices(size_t points)
{
    double *in[5], *bar[5], *one[5], *dot[5];
    double *value = zeros(points), *expected = zeros(points), *tangent = zeros(points), *tangent_one = zeros(points);
    for (int k = 0; k < 5; k++) {
        in[k] = numbers(points, 0.5, 1.5);
        dot[k] = numbers(points, -1, 1);
        bar[k] = zeros(points);
        one[k] = zeros(points);
    }
    price_grad_batch(points, in[0], in[1], in[2], in[3], in[4], bar[0], bar[1], bar[2], bar[3], bar[4], value);
    for (size_t p = 0; p < points; p++)
        expected[p] = price_grad(in[0][p], in[1][p], in[2][p], in[3][p], in[4][p], one[0] + p, one[1] + p, one[2] + p, one[3] + p, one[4] + p);
    compare("price", points, value, expected);
    for (int k = 0; k < 5; k++)
        compare("price_grad", points, bar[k], one[k]);
    price_jvp_batch(points, in[0], in[1], in[2], in[3], in[4], dot[0], dot[1], dot[2], dot[3], dot[4], tangent, value);
    for (size_t p = 0; p < points; p++)
        price_jvp(in[0][p], in[1][p], in[2][p], in[3][p], in[4][p], dot[0][p], dot[1][p], dot[2][p], dot[3][p], dot[4][p], tangent_one + p);
    compare("price_jvp", points, tangent, tangent_one);
    for (int k = 0; k < 5; k++) {
        free(in[k]);
        free(dot[k]);
        free(bar[k]);
        free(one[k]);
    }
    free(value);
    free(expected);
    free(tangent);
    free(tangent_one);
}

static void chains(size_t points)
{
    enum { N = 9 };
    double *x = numbers(points * N, -1, 2), *k = numbers(points, 0.2, 2), *x_dot = numbers(points * N, -1, 1);
    double *x_bar = zeros(points * N), *k_bar = zeros(points), *value = zeros(points), *k_dot = zeros(points);
    double *x_one = zeros(points * N), *k_one = zeros(points), *expected = zeros(points);
    double *x_two = zeros(points * N), *k_two = zeros(points), *x_second = zeros(points * N), *k_second = zeros(points);
    chain_grad_batch(points, N, x, k, x_bar, k_bar, value);
    for (size_t p = 0; p < points; p++)
        expected[p] = chain_grad(N, x + p * N, k[p], x_one + p * N, k_one + p);
    compare("chain", points, value, expected);
    compare("chain_grad x", points * N, x_bar, x_one);
    compare("chain_grad k", points, k_bar, k_one);
    memset(x_bar, 0, points * N * sizeof *x_bar);
    memset(x_one, 0, points * N * sizeof *x_one);
    chain_hvp_batch(points, N, x, k, x_dot, k_dot, x_bar, k_bar, x_two, k_two, value);
    for (size_t p = 0; p < points; p++)
        chain_hvp(N, x + p * N, k[p], x_dot + p * N, k_dot[p], x_one + p * N, k_one + p, x_second + p * N, k_second + p);
    compare("chain_hvp", points * N, x_two, x_second);
    compare("chain_hvp x_bar", points * N, x_bar, x_one);
    double *all[] = {x, k, x_dot, x_bar, k_bar, value, k_dot, x_one, k_one, expected, x_two, k_two, x_second, k_second};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Weights that all points share: the sum of the gradients, and the same bits each time. */
static void losses(size_t points)
{
    enum { N = 17 };
    double *w = numbers(N, -1, 1), *x = numbers(points * N, -1, 1), *value = zeros(points);
    double w_bar[N] = {0}, w_one[N] = {0}, w_again[N] = {0}, bias_bar = 0, bias_one = 0, bias_again = 0;
    int *label = malloc((points + 1) * sizeof *label);
    if (!label)
        abort();
    for (size_t p = 0; p < points; p++)
        label[p] = p % 3 == 0;
    loss_grad_batch(points, N, w, 0.5, x, label, w_bar, &bias_bar, value);
    loss_grad_batch(points, N, w, 0.5, x, label, w_again, &bias_again, value);
    for (size_t p = 0; p < points; p++)
        loss_grad(N, w, 0.5, x + p * N, label[p], w_one, &bias_one);
    compare("loss w", N, w_bar, w_one);
    compare("loss bias", 1, &bias_bar, &bias_one);
    if (memcmp(w_bar, w_again, sizeof w_bar) || bias_bar != bias_again) {
        puts("sums differ from call to call");
        failures++;
    }
    unsigned long bits = 0;
    for (int i = 0; i < N; i++) {
        unsigned long word;
        memcpy(&word, &w_bar[i], sizeof word);
        bits = bits * 31 + word;
    }
    printf("sums of %zu points: %016lx\n", points, bits);
    free(w);
    free(x);
    free(value);
    free(label);
}

static void rotations(size_t points)
{
    double *v = numbers(points * 3, -1, 1), *angle = numbers(points, 0, 3), *shift = numbers(points * 3, -1, 1), *seed = numbers(points * 3, -1, 1);
    double *v_bar = zeros(points * 3), *angle_bar = zeros(points), *shift_bar = zeros(points * 3), *value = zeros(points * 3);
    double *v_one = zeros(points * 3), *angle_one = zeros(points), *shift_one = zeros(points * 3), *expected = zeros(points * 3);
    double *tangent = zeros(points * 3), *tangent_one = zeros(points * 3);
    rotate_vjp_batch(points, (vec3 *)v, angle, (vec3 *)shift, (vec3 *)v_bar, angle_bar, (vec3 *)shift_bar, (vec3 *)seed, (vec3 *)value);
    for (size_t p = 0; p < points; p++)
        ((vec3 *)expected)[p] = rotate_vjp(((vec3 *)v)[p], angle[p], (vec3 *)shift + p, (vec3 *)v_one + p, angle_one + p, (vec3 *)shift_one + p, (vec3 *)seed + p);
    compare("rotate", points * 3, value, expected);
    compare("rotate_vjp v", points * 3, v_bar, v_one);
    compare("rotate_vjp angle", points, angle_bar, angle_one);
    compare("rotate_vjp shift", points * 3, shift_bar, shift_one);
    rotate_jvp_batch(points, (vec3 *)v, angle, (vec3 *)shift, (vec3 *)seed, angle, (vec3 *)seed, (vec3 *)tangent, (vec3 *)value);
    for (size_t p = 0; p < points; p++)
        rotate_jvp(((vec3 *)v)[p], angle[p], (vec3 *)shift + p, ((vec3 *)seed)[p], angle[p], (vec3 *)seed + p, (vec3 *)tangent_one + p);
    compare("rotate_jvp", points * 3, tangent, tangent_one);
    double *all[] = {v, angle, shift, seed, v_bar, angle_bar, shift_bar, value, v_one, angle_one, shift_one, expected, tangent, tangent_one};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void steps(size_t points)
{
    enum { N = 6 };
    double *u = numbers(points * N, 0, 2), *dt = numbers(points, 0.1, 0.5), *seed = numbers(points * N, -1, 1);
    double *u_one = zeros(points * N), *seed_one = zeros(points * N), *dt_bar = zeros(points), *dt_one = zeros(points), *start = zeros(points * N);
    int *flips = malloc((points + 1) * sizeof *flips);
    if (!flips)
        abort();
    memcpy(u_one, u, points * N * sizeof *u);
    memcpy(start, u, points * N * sizeof *u);
    memcpy(seed_one, seed, points * N * sizeof *u);
    step_vjp_batch(points, N, u, dt, seed, dt_bar, flips);
    for (size_t p = 0; p < points; p++)
        if (flips[p] != step_vjp(N, u_one + p * N, dt[p], seed_one + p * N, dt_one + p))
            failures++;
    compare("step", points * N, u, u_one);
    compare("step_vjp u", points * N, seed, seed_one);
    compare("step_vjp dt", points, dt_bar, dt_one);
    memcpy(u, start, points * N * sizeof *u);
    memcpy(u_one, start, points * N * sizeof *u);
    step_jvp_batch(points, N, u, dt, seed, dt_bar, flips);
    for (size_t p = 0; p < points; p++)
        step_jvp(N, u_one + p * N, dt[p], seed_one + p * N, dt_one[p]);
    compare("step_jvp", points * N, seed, seed_one);
    double *all[] = {u, dt, seed, u_one, seed_one, dt_bar, dt_one, start};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(flips);
}

static void norms(size_t points)
{
    float *x = malloc((points + 1) * 3 * sizeof *x), *x_bar = calloc((points + 1) * 3, sizeof *x), *value = malloc((points + 1) * sizeof *x);
    if (!x || !x_bar || !value)
        abort();
    for (size_t i = 0; i < points * 3; i++)
        x[i] = (float)(1 + i % 7);
    norm_grad_batch(points, x, x_bar, value);
    for (size_t p = 0; p < points; p++) {
        float one[3] = {0};
        norm_grad(x + p * 3, one);
        for (int i = 0; i < 3; i++)
            if (!(fabsf(one[i] - x_bar[p * 3 + (size_t)i]) <= 1e-5f) && failures++ < 10)
                printf("norm_grad of point %zu\n", p);
    }
    free(x);
    free(x_bar);
    free(value);
}

int main(void)
{
    const size_t sizes[] = {0, 1, 2, 7, 1000, 3001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        prices(sizes[i]);
        chains(sizes[i]);
        losses(sizes[i]);
        rotations(sizes[i]);
        steps(sizes[i]);
        norms(sizes[i]);
    }
    return failures != 0;
}
