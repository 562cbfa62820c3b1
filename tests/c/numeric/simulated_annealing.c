// flags: -lm
// Travelling salesman by annealing with an own generator; 2-opt moves.
#include "../check.h"
#include <math.h>

#define N 16
static double x[N], y[N];
static int tour[N];
static unsigned seed = 31;
static unsigned next(void) { seed = seed * 1664525u + 1013904223u; return seed >> 8; }
static double distance(int a, int b) { return hypot(x[a] - x[b], y[a] - y[b]); }
static double length(void)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += distance(tour[i], tour[(i + 1) % N]);
    return s;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        double t = 2 * M_PI * (i * 7 % N) / N; // points on a circle, shuffled
        x[i] = cos(t);
        y[i] = sin(t);
        tour[i] = i;
    }
    double start = length(), temperature = 1;
    for (int it = 0; it < 20000; it++, temperature *= 0.9995) {
        int i = (int)(next() % (N - 1)), j = i + 1 + (int)(next() % (unsigned)(N - 1 - i));
        int before = tour[(i + N - 1) % N], after = tour[(j + 1) % N];
        if (before == tour[j])
            continue;
        double change = distance(before, tour[j]) + distance(tour[i], after) - distance(before, tour[i]) - distance(tour[j], after);
        double u = (next() + 0.5) / 16777216.0;
        if (change < 0 || u < exp(-change / temperature))
            for (int a = i, b = j; a < b; a++, b--) {
                int t = tour[a];
                tour[a] = tour[b];
                tour[b] = t;
            }
    }
    double best = 2 * N * sin(M_PI / N);
    CHECK(start > 2 * best);
    CHECK_NEAR(length(), best, 1e-9);
    printf("%.9f %.9f\n", start, length());
    return check_done();
}
