/* A domain struct at file scope with many arrays, allocated in the function or before. */
#include "check.h"

typedef struct Domain {
    int numElem, numNode;
    double *x, *xd, *xdd, *fx, *mass, *e, *p, *q, *v;
    int (*nodelist)[2];
    double dt, time;
    int cycle;
} Domain;
static Domain dom;
static Domain *D = &dom;
static void Allocate(Domain *d, int ne)
{
    d->numElem = ne;
    d->numNode = ne + 1;
    double **all[] = {&d->x, &d->xd, &d->xdd, &d->fx, &d->mass};
    for (int k = 0; k < 5; k++)
        *all[k] = calloc(ne + 1, sizeof(double));
    d->e = calloc(ne, sizeof(double));
    d->p = calloc(ne, sizeof(double));
    d->q = calloc(ne, sizeof(double));
    d->v = calloc(ne, sizeof(double));
    d->nodelist = malloc(ne * sizeof *d->nodelist);
    for (int i = 0; i < ne; i++) {
        d->nodelist[i][0] = i;
        d->nodelist[i][1] = i + 1;
    }
}
static void Release(Domain *d)
{
    free(d->x);
    free(d->xd);
    free(d->xdd);
    free(d->fx);
    free(d->mass);
    free(d->e);
    free(d->p);
    free(d->q);
    free(d->v);
    free(d->nodelist);
}
static void CalcForce(Domain *d)
{
    for (int i = 0; i < d->numNode; i++)
        d->fx[i] = 0;
    for (int k = 0; k < d->numElem; k++) {
        int a = d->nodelist[k][0], b = d->nodelist[k][1];
        double s = -d->p[k] - d->q[k];
        d->fx[a] -= s;
        d->fx[b] += s;
    }
}
static void Lagrange(Domain *d)
{
    CalcForce(d);
    for (int i = 0; i < d->numNode; i++)
        d->xdd[i] = d->fx[i] / d->mass[i];
    d->xdd[0] = 0;
    for (int i = 0; i < d->numNode; i++) {
        d->xd[i] += d->xdd[i] * d->dt;
        d->x[i] += d->xd[i] * d->dt;
    }
    for (int k = 0; k < d->numElem; k++) {
        double vn = d->x[d->nodelist[k][1]] - d->x[d->nodelist[k][0]];
        double dv = vn - d->v[k];
        d->q[k] = dv < 0 ? 2 * dv * dv : 0;
        d->e[k] -= (d->p[k] + d->q[k]) * dv;
        d->v[k] = vn;
        d->p[k] = 0.4 * d->e[k] / vn;
    }
}
static double run(const double *x, int n)
{
    for (int i = 0; i < D->numNode; i++) {
        D->x[i] = i;
        D->xd[i] = 0;
        D->mass[i] = 1;
    }
    for (int k = 0; k < D->numElem; k++) {
        D->e[k] = 1 + x[k % n] * x[k % n];
        D->v[k] = 1;
        D->p[k] = 0.4 * D->e[k];
        D->q[k] = 0;
    }
    D->dt = 0.05;
    D->time = 0;
    D->cycle = 0;
    while (D->cycle < 8) {
        Lagrange(D);
        D->time += D->dt;
        D->cycle++;
    }
    double s = 0;
    for (int k = 0; k < D->numElem; k++)
        s += D->e[k] * (k + 1) + D->x[k] * D->xd[k + 1];
    return s;
}
double f(const double *x, int n)
{
    Allocate(D, n);
    double r = run(x, n);
    Release(D);
    return r;
}
double g(const double *x, int n)
{
    return run(x, n);
}
int main(void)
{
    for (int n = 2; n < 8; n += 2)
        CHECK(f, n);
    for (int n = 2; n < 8; n += 2) {
        Allocate(D, n);
        CHECK(g, n);
        Release(D);
    }
    return failures != 0;
}
