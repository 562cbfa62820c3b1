/* Batches across ranks against calls for single points; fewer points than ranks, and numbers that do not divide. */
#include <mpi.h>
#include "model.h"
#include "chain_grad.h"
#include "loss_grad.h"
#include "step_vjp.h"
#include "check.h"

static void chains(size_t points)
{
    enum { N = 5 };
    double *x = numbers(points * N, -1, 2), *k = numbers(points, 0.2, 2);
    double *x_bar = zeros(points * N), *k_bar = zeros(points), *value = zeros(points);
    double *x_one = zeros(points * N), *k_one = zeros(points), *expected = zeros(points);
    chain_grad_batch_mpi(points, N, x, k, x_bar, k_bar, value, MPI_COMM_WORLD);
    for (size_t p = 0; p < points; p++)
        expected[p] = chain_grad(N, x + p * N, k[p], x_one + p * N, k_one + p);
    compare("chain", points, value, expected);
    compare("chain_grad x", points * N, x_bar, x_one);
    compare("chain_grad k", points, k_bar, k_one);
    double *all[] = {x, k, x_bar, k_bar, value, x_one, k_one, expected};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void losses(size_t points)
{
    enum { N = 17 };
    double *w = numbers(N, -1, 1), *x = numbers(points * N, -1, 1), *value = zeros(points);
    double w_bar[N] = {0}, w_one[N] = {0}, bias_bar = 1, bias_one = 1;
    int *label = calloc(points + 1, sizeof *label);
    if (!label)
        abort();
    loss_grad_batch_mpi(points, N, w, 0.5, x, label, w_bar, &bias_bar, value, MPI_COMM_WORLD);
    for (size_t p = 0; p < points; p++)
        loss_grad(N, w, 0.5, x + p * N, label[p], w_one, &bias_one);
    compare("loss w", N, w_bar, w_one);
    compare("loss bias", 1, &bias_bar, &bias_one);
    free(w);
    free(x);
    free(value);
    free(label);
}

static void steps(size_t points)
{
    enum { N = 6 };
    double *u = numbers(points * N, 0, 2), *dt = numbers(points, 0.1, 0.5), *seed = numbers(points * N, -1, 1);
    double *u_one = zeros(points * N), *seed_one = zeros(points * N), *dt_bar = zeros(points), *dt_one = zeros(points);
    int *flips = calloc(points + 1, sizeof *flips);
    if (!flips)
        abort();
    memcpy(u_one, u, points * N * sizeof *u);
    memcpy(seed_one, seed, points * N * sizeof *u);
    step_vjp_batch_mpi(points, N, u, dt, seed, dt_bar, flips, MPI_COMM_WORLD);
    for (size_t p = 0; p < points; p++)
        if (flips[p] != step_vjp(N, u_one + p * N, dt[p], seed_one + p * N, dt_one + p))
            failures++;
    compare("step", points * N, u, u_one);
    compare("step_vjp u", points * N, seed, seed_one);
    compare("step_vjp dt", points, dt_bar, dt_one);
    double *all[] = {u, dt, seed, u_one, seed_one, dt_bar, dt_one};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(flips);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) {
        /* Ranks that disagree are told so. */
        double x[10] = {0}, bar[10] = {0}, value[2];
        size_t points = rank == 0 ? 2 : 1;
        chain_grad_batch_mpi(points, 5, x, x, bar, bar, value, MPI_COMM_WORLD);
    }
    const size_t sizes[] = {0, 1, 2, 7, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        chains(sizes[i]);
        losses(sizes[i]);
        steps(sizes[i]);
    }
    int all = failures;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
