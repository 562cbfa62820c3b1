// flags: -lm
// An opaque ODE integrator with callbacks, user data, events and error codes; cleanup by goto.
#include "../check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef int (*rhs_fn)(double t, const double *restrict y, double *restrict dydt, void *user);
typedef double (*event_fn)(double t, const double *y, void *user);

enum status { OK = 0, E_NOMEM = -1, E_RHS = -2, E_STEPS = -3, S_EVENT = 1 };

typedef struct ode ode;
struct ode {
    size_t n;
    rhs_fn rhs;
    event_fn event;
    void *user;
    double *y, *k[4], *work;
    unsigned long evaluations;
    struct { double atol, rtol; int max_steps; } options;
};

static void ode_free(ode **handle)
{
    if (!handle || !*handle)
        return;
    free((*handle)->y);
    free(*handle);
    *handle = NULL;
}

static int ode_new(ode **out, size_t n, rhs_fn rhs, void *user)
{
    int status = E_NOMEM;
    ode *o = calloc(1, sizeof *o);
    if (!o)
        goto done;
    o->n = n;
    o->rhs = rhs;
    o->user = user;
    o->options.max_steps = 10000;
    o->options.atol = 1e-10;
    o->options.rtol = 1e-9;
    o->y = malloc(6 * n * sizeof *o->y);
    if (!o->y)
        goto fail;
    for (int i = 0; i < 4; i++)
        o->k[i] = o->y + (i + 1) * n;
    o->work = o->y + 5 * n;
    *out = o;
    status = OK;
    goto done;
fail:
    ode_free(&o);
done:
    return status;
}

#define TRY(expr) do { if ((status = (expr)) < 0) goto out; } while (0)

static int call(ode *o, double t, const double *y, double *d)
{
    o->evaluations++;
    return o->rhs(t, y, d, o->user) ? E_RHS : OK;
}

static int step(ode *o, double t, double h)
{
    static const double c[4] = {0, 0.5, 0.5, 1}, b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    int status = OK;
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < o->n; i++)
            o->work[i] = o->y[i] + (s ? h * c[s] * o->k[s - 1][i] : 0);
        TRY(call(o, t + c[s] * h, o->work, o->k[s]));
    }
    for (size_t i = 0; i < o->n; i++)
        for (int s = 0; s < 4; s++)
            o->y[i] += h * b[s] * o->k[s][i];
out:
    return status;
}

static int ode_run(ode *o, double *t, double t1, double h)
{
    int status = OK, steps = 0;
    while (*t < t1) {
        double left = t1 - *t, now = h < left ? h : left;
        double before = o->event ? o->event(*t, o->y, o->user) : 1;
        TRY(step(o, *t, now));
        *t += now;
        if (++steps > o->options.max_steps) {
            status = E_STEPS;
            break;
        }
        if (o->event) {
            double after = o->event(*t, o->y, o->user);
            if (before > 0 && after <= 0)
                return S_EVENT;
        }
    }
out:
    return status;
}

struct pendulum { double damping, gravity; };

static int pendulum(double t, const double *restrict y, double *restrict d, void *user)
{
    const struct pendulum *p = user;
    (void)t;
    d[0] = y[1];
    d[1] = -p->damping * y[1] - p->gravity * sin(y[0]);
    return 0;
}

static double crossing(double t, const double *y, void *user)
{
    (void)t, (void)user;
    return y[0];
}

static int bad(double t, const double *restrict y, double *restrict d, void *user)
{
    int *countdown = user;
    memcpy(d, y, sizeof *d);
    return --*countdown < 0 && t >= 0;
}

int main(void)
{
    ode *o = NULL;
    struct pendulum p = {0.1, 9.81};
    CHECK(ode_new(&o, 2, pendulum, &p) == OK);
    o->y[0] = 0.5;
    o->y[1] = 0;
    double t = 0;
    CHECK(ode_run(o, &t, 0.25, 1e-3) == OK);
    printf("%.8f %.8f %lu\n", o->y[0], o->y[1], o->evaluations);
    o->event = crossing;
    CHECK(ode_run(o, &t, 10, 1e-3) == S_EVENT);
    printf("crossing near %.3f\n", t);
    o->event = NULL;
    o->options.max_steps = 3;
    CHECK(ode_run(o, &t, 10, 1e-3) == E_STEPS);
    ode_free(&o);
    CHECK(o == NULL);
    int countdown = 9;
    CHECK(ode_new(&o, 1, bad, &countdown) == OK);
    o->y[0] = 1;
    t = 0;
    CHECK(ode_run(o, &t, 1, 0.1) == E_RHS);
    printf("%.6f %lu %d\n", o->y[0], o->evaluations, countdown);
    ode_free(&o);
    return check_done();
}
