// size: 2000
// An epidemic in 12 regions (susceptible, exposed, infected, recovered), `size` steps of Heun's method, fitted to daily counts.
#include "gradient.h"

enum { REGIONS = 12, EVERY = 10 };

struct region {
    double s, e, i, r;
};

static void rates(const struct region *now, const double *contact, double incubation, double recovery, struct region *rate)
{
    for (int a = 0; a < REGIONS; a++) {
        double force = 0.0;
        for (int b = 0; b < REGIONS; b++)
            force += contact[a * REGIONS + b] * now[b].i;
        rate[a].s = -force * now[a].s;
        rate[a].e = force * now[a].s - incubation * now[a].e;
        rate[a].i = incubation * now[a].e - recovery * now[a].i;
        rate[a].r = recovery * now[a].i;
    }
}

static double misfit(const double *contact, const double *parameters, const double *counts, int steps)
{
    struct region now[REGIONS], probe[REGIONS], first[REGIONS], second[REGIONS];
    double h = 0.05, sum = 0.0;
    for (int a = 0; a < REGIONS; a++) {
        now[a].e = parameters[2 + a];
        now[a].s = 1.0 - now[a].e;
        now[a].i = now[a].r = 0.0;
    }
    for (int t = 0; t < steps; t++) {
        rates(now, contact, parameters[0], parameters[1], first);
        for (int a = 0; a < REGIONS; a++) {
            probe[a].s = now[a].s + h * first[a].s;
            probe[a].e = now[a].e + h * first[a].e;
            probe[a].i = now[a].i + h * first[a].i;
            probe[a].r = now[a].r + h * first[a].r;
        }
        rates(probe, contact, parameters[0], parameters[1], second);
        for (int a = 0; a < REGIONS; a++) {
            now[a].s += 0.5 * h * (first[a].s + second[a].s);
            now[a].e += 0.5 * h * (first[a].e + second[a].e);
            now[a].i += 0.5 * h * (first[a].i + second[a].i);
            now[a].r += 0.5 * h * (first[a].r + second[a].r);
        }
        if (t % EVERY == EVERY - 1)
            for (int a = 0; a < REGIONS; a++) {
                double error = now[a].i - counts[t / EVERY * REGIONS + a];
                sum += error * error;
            }
    }
    return sum;
}

static struct array contact, parameters;
static double *counts;
static int steps;
static void setup(int size)
{
    steps = size;
    contact = variables(REGIONS * REGIONS, 0.01, 0.06);
    parameters = variables(2 + REGIONS, 0.05, 0.2);
    counts = data((size_t)(size / EVERY + 1) * REGIONS, 0, 0.1);
}
static double objective(void) { return misfit(contact.x, parameters.x, counts, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)misfit, enzyme_dup, contact.x, contact.bar, enzyme_dup, parameters.x, parameters.bar, enzyme_const, counts, enzyme_const, steps);
}
