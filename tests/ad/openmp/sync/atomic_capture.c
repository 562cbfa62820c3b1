// capture: places given out by a counter, and old or new values of an active sum.
#include "../../check.h"
static double places(double *x, int n)
{
    double list[64], s = 0;
    int next = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > 0.85) {
            int at;
#pragma omp atomic capture
            at = next++;
            list[at] = sin(x[i]) * x[0];
        }
    for (int k = 0; k < next; k++)
        s += list[k] * list[k];
    return s;
}
static double old_and_new(double *x, int n)
{
    double sum = 0, s = 0;
    /* new^2 - old^2 telescopes, whatever the order */
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double before, step = x[i] * x[i];
#pragma omp atomic capture
        {
            before = sum;
            sum += step;
        }
        s += (before + step) * (before + step) - before * before;
    }
    return s;
}
static double after(double *x, int n)
{
    double sum = 1, s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double now;
#pragma omp atomic capture
        now = sum += x[i];
        s += now * now - (now - x[i]) * (now - x[i]);
    }
    return s;
}
static double exchanged(double *x, int n)
{
    double place = x[0], s = 0;
#pragma omp parallel num_threads(1)
    for (int i = 0; i < n; i++) {
        double before;
#pragma omp atomic capture
        {
            before = place;
            place = x[i] * x[i];
        }
        s += before * x[i] + place;
    }
    return s;
}
GRADIENT(exchanged)
GRADIENT(places)
GRADIENT(old_and_new)
GRADIENT(after)
int main(void) { return CHECK(exchanged, 9) | CHECK(places, 22) | CHECK(old_and_new, 13) | CHECK(after, 12); }
