// A hydrodynamics time loop: a struct with buffers and requests, halo exchange, the time step from MPI_MAX.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    int nx;
    int rank, size;
    double *e, *p, *q, *v;
    double *sbuf[2], *rbuf[2];
    MPI_Request req[4];
    double dt;
} Domain;
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
static void exchange(Domain *d, double *f) {
    int n = 0;
    int L = d->rank - 1, R = d->rank + 1;
    if (L >= 0) {
        MPI_Irecv(&f[0], 1, MPI_DOUBLE, L, 1, MPI_COMM_WORLD, &d->req[n++]);
    }
    if (R < d->size) {
        MPI_Irecv(&f[d->nx + 1], 1, MPI_DOUBLE, R, 2, MPI_COMM_WORLD, &d->req[n++]);
    }
    if (L >= 0) {
        d->sbuf[0][0] = f[1];
        MPI_Isend(d->sbuf[0], 1, MPI_DOUBLE, L, 2, MPI_COMM_WORLD, &d->req[n++]);
    }
    if (R < d->size) {
        d->sbuf[1][0] = f[d->nx];
        MPI_Isend(d->sbuf[1], 1, MPI_DOUBLE, R, 1, MPI_COMM_WORLD, &d->req[n++]);
    }
    MPI_Waitall(n, d->req, MPI_STATUSES_IGNORE);
}
static double run(Domain *d, int steps) {
    for (int s = 0; s < steps; s++) {
        exchange(d, d->e);
        double c = 0;
        for (int i = 1; i <= d->nx; i++) {
            d->p[i] = 0.4 * d->e[i] * d->v[i];
            double ss = sqrt(1.4 * d->p[i] / d->v[i] + 1e-3);
            if (ss > c)
                c = ss;
        }
        double gc;
        MPI_Allreduce(&c, &gc, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        d->dt = 0.3 / gc;
        exchange(d, d->p);
        for (int i = 1; i <= d->nx; i++) {
            d->q[i] = d->e[i] + d->dt * 0.1 * (d->e[i - 1] - 2 * d->e[i] + d->e[i + 1]) - 0.05 * d->dt * d->p[i] * (d->p[i + 1] - d->p[i - 1]);
        }
        memcpy(d->e + 1, d->q + 1, d->nx * sizeof(double));
    }
    double l = 0, g;
    for (int i = 1; i <= d->nx; i++)
        l += d->e[i] * d->e[i];
    MPI_Reduce(&l, &g, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&g, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return g;
}
static Domain make(int nx) {
    Domain d;
    memset(&d, 0, sizeof d);
    d.nx = nx;
    MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d.size);
    d.e = calloc(nx + 2, 8);
    d.p = calloc(nx + 2, 8);
    d.q = calloc(nx + 2, 8);
    d.v = calloc(nx + 2, 8);
    for (int k = 0; k < 2; k++) {
        d.sbuf[k] = calloc(1, 8);
        d.rbuf[k] = calloc(1, 8);
    }
    return d;
}
static void init(Domain *d) {
    for (int i = 0; i < d->nx + 2; i++) {
        d->e[i] = 1 + 0.3 * sin(i + 7 * d->rank);
        d->v[i] = 1 + 0.1 * cos(3 * i + d->rank);
        d->p[i] = d->q[i] = 0;
    }
    if (d->rank == 0)
        d->e[0] = 0;
    if (d->rank == d->size - 1)
        d->e[d->nx + 1] = 0;
}
int main(int c, char **v) {
    MPI_Init(&c, &v);
    Domain d = make(8), b = make(8);
    init(&d);
    __enzyme_autodiff((void *)run, enzyme_dup, &d, &b, enzyme_const, 5);
    int bad = 0;
    for (int r = 0; r < d.size; r++)
        for (int i = 1; i <= 8; i += 3) {
            double h = 1e-6;
            init(&d);
            if (d.rank == r)
                d.e[i] += h;
            double p = run(&d, 5);
            init(&d);
            if (d.rank == r)
                d.e[i] -= h;
            double m = run(&d, 5);
            double fd = (p - m) / 2 / h;
            if (d.rank == r) {
                double g = b.e[i] / d.size;
                if (fabs(g - fd) > 1e-5 * (1 + fabs(fd))) {
                    bad = 1;
                    printf("rank %d i %d: %g %g\n", r, i, g, fd);
                }
            }
        }
    int all;
    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!d.rank)
        puts(all ? "BAD" : "ok");
    MPI_Finalize();
    return all;
}
