// Derivatives at many points and on many threads: layouts, what is shared, what cannot be done at the same time.
// adjoin: grad %s -f price --batch
// adjoin: grad %s -f price --batch --name greeks -o out.c
// adjoin: jvp %s -f price --batch
// adjoin: vjp %s -f price --mpi
// adjoin: hvp %s -f price --batch --shared rate
// adjoin: grad %s -f fit --mpi --shared w,bias --wrt w,bias --size w=n*m --size x=n --driver main.c
// adjoin: grad %s -f fit --mpi --shared w --wrt w,x --size w=n*m --size x=n
// adjoin: jvp %s -f fit --batch --shared w --size w=n*m --size x=n --each label
// adjoin: vjp %s -f move --batch --driver main.c
// adjoin: vjp %s -f move --mpi --shared by,at --driver main.c
// adjoin: grad %s -f motor --mpi --shared parts,whole --size parts=n --driver main.c
// adjoin: vjp %s -f linked --batch --shared out --size out=1 --of out
// fails: writes `out`: it cannot be the same for all points
// adjoin: grad %s -f sum_of --batch --shared list --size list=1
// fails: the adjoints of `list` cannot be summed
// adjoin: vjp %s -f phase --mpi --shared w --driver main.c
// adjoin: grad %s -f table --batch
// adjoin: grad %s -f looked_up --batch
// adjoin: grad %s -f by_workspace --batch
// fails: it may write the variable `workspace`
// adjoin: jacobian %s -f fill --parallel --size x=n --size y=n
// adjoin: jacobian %s -f fill --parallel --size x=n --size y=2*n
// adjoin: jacobian %s -f fill --parallel --mode reverse --size x=n --size y=n
// adjoin: hessian %s -f price --parallel
// adjoin: jacobian %s -f names --parallel --size points=part
// adjoin: grad %s -f names --mpi --size points=part
// adjoin: grad %s -f price --driver main.c
// fails: needs --batch or --mpi
// adjoin: vjp %s -f linked --batch --size out=1 --driver main.c
// fails: the driver cannot fill `out`
// adjoin: grad %s -f price --shared rate
// fails: without --batch there is one point
// adjoin: grad %s -f price --batch --shared rate --each rate
// fails: both in --shared and in --each
// adjoin: grad %s -f price --batch --shared rates
// fails: has no parameter `rates`
// adjoin: jvp %s -f price --batch --width 2
// fails: leave out --width
// adjoin: vjp %s -f fill --batch --shared y --size x=n --size y=n
// fails: writes `y`: it cannot be the same for all points
// adjoin: grad %s -f fit --batch --shared w --each n --size w=n*m --size x=n
// fails: depends on `n`, which each point has its own of
// adjoin: grad %s -f fit --batch --shared w --size w=n*m --size x=k
// fails: mentions `k`, which is no parameter
// adjoin: grad %s -f counted --batch
// fails: it may write the variable `calls`
// adjoin: jacobian %s -f counted --parallel
// fails: it may write the variable `calls`
// adjoin: grad %s -f noisy --batch
// fails: it calls `rand`, which keeps a state of its own
// adjoin: jacobian %s -f linked --parallel --wrt x --size out=1
// fails: threads need copies of it, which cannot be made
#include <complex.h>
#include <math.h>
#include <stdlib.h>
enum { SIZE = 3 };
typedef struct {
    double x, y;
} point;
struct list {
    double *values;
};
struct part {
    int teeth;
    float wear;
    struct {
        double ratio[2][2];
    } gear;
};
static int calls;
static const double weights[SIZE] = {1, 2, 3};

double price(double spot, double rate, double time)
{
    return spot * exp(-rate * time) + erf(rate / sqrt(time));
}
double fit(int n, int m, const double *w, double bias, const double *x, int label)
{
    double loss = 0;
    for (int j = 0; j < m; j++) {
        double s = bias - (j == label);
        for (int i = 0; i < n; i++)
            s += w[j * n + i] * x[i];
        loss += s * s;
    }
    return loss;
}
point move(point at, const point *by, double scale)
{
    return (point){at.x + scale * by->x, at.y * by->y};
}
double _Complex phase(double _Complex w, double _Complex z)
{
    return w * w * cexp(z);
}
double table(const double x[SIZE], float scale)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += weights[i] * sin(x[i] * scale);
    return sum;
}
void fill(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[n - 1 - i];
}
double names(int part, const double *points, double chunk, double comm)
{
    double begin = 0;
    for (int end = 0; end < part; end++)
        begin += points[end] * chunk * comm;
    return begin;
}
double counted(double x)
{
    calls++;
    return x * x * calls;
}
double noisy(double x)
{
    return x * x + rand();
}
void linked(double x, struct list *out)
{
    out->values[0] = x * x;
}
double motor(int n, const struct part *parts, struct part whole, double speed)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += parts[i].wear * sin(parts[i].gear.ratio[i % 2][1] * speed) * parts[i].teeth;
    return s * whole.gear.ratio[1][0];
}
double sum_of(const struct list *list, double x)
{
    return list->values[0] * x;
}
/* A table that a function is given, and a workspace that somebody else took. */
static double knots[4] = {0, 1, 4, 9};
static double between(const double *at, double x)
{
    int k = x < 1 ? 0 : x < 2 ? 1 : 2;
    return at[k] + (x - k) * (at[k + 1] - at[k]);
}
double looked_up(double x) { return between(knots, x * x); }
double *workspace;
void take(double *memory) { workspace = memory; }
double by_workspace(double x)
{
    workspace[0] = x * x;
    return workspace[0] * x;
}
