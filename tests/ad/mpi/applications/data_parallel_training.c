/* A network trained by gradient descent on data that is spread over ranks: derivatives of the trained loss by the first weights. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

enum { SAMPLES = 3 };
/* Loss of one layer with analytic gradient; weights are the same on all ranks. */
static double batch(const double *w, double *g)
{
    double loss = 0;
    for (int k = 0; k < N; k++)
        g[k] = 0;
    for (int j = 0; j < SAMPLES; j++) {
        double input = 0.3 * (j + 1) + 0.2 * rank, target = sin(2 * input);
        double hidden = tanh(w[0] * input + w[1]), out = w[2] * hidden + w[3], error = out - target;
        loss += error * error;
        double back = 2 * error * w[2] * (1 - hidden * hidden);
        g[0] += back * input;
        g[1] += back;
        g[2] += 2 * error * hidden;
        g[3] += 2 * error;
    }
    return loss;
}
static double objective(double *x)
{
    double w[N], g[N];
    for (int k = 0; k < N; k++)
        w[k] = x[k];
    MPI_Bcast(w, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int epoch = 0; epoch < 4; epoch++) {
        batch(w, g);
        MPI_Allreduce(MPI_IN_PLACE, g, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < N; k++)
            w[k] -= 0.05 / size * g[k];
    }
    return batch(w, g);
}

/* What is differentiated: the sum over the ranks. */
static double total(double *x)
{
    double mine = objective(x), all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double x[N], bar[N], dot[N], mine[2] = {0, 0}, all[2];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = 0;
    }
    __enzyme_autodiff((void *)objective, x, bar);
    mine[0] = __enzyme_fwddiff((void *)objective, x, dot);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++) {
            double h = 1e-6, at = x[i], up, down;
            x[i] = at + (r == rank ? h : 0);
            up = total(x);
            x[i] = at - (r == rank ? h : 0);
            down = total(x);
            x[i] = at;
            if (r == rank) {
                double numeric = (up - down) / (2 * h);
                mine[1] += bar[i] * dot[i];
                if (!(fabs(bar[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
                    printf("rank %d: d/dx[%d] is %.10g, not %.10g\n", rank, i, bar[i], numeric);
                    bad = 1;
                }
            }
        }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(fabs(all[0] - all[1]) <= 1e-10 * (1 + fabs(all[1])))) {
        printf("the tangent is %.10g, not %.10g\n", all[0], all[1]);
        bad = 1;
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
