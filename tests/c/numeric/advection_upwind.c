// Upwind, Lax-Wendroff and limited advection on a periodic grid.
#include "../check.h"
#include <string.h>

#define N 80
typedef double field[N];
static double minmod(double a, double b) { return a * b <= 0 ? 0 : (a > 0 ? a : -a) < (b > 0 ? b : -b) ? a : b; }

static void upwind(field u, double c)
{
    field old;
    memcpy(old, u, sizeof old);
    for (int i = 0; i < N; i++)
        u[i] = old[i] - c * (old[i] - old[(i + N - 1) % N]);
}
static void lax_wendroff(field u, double c)
{
    field old;
    memcpy(old, u, sizeof old);
    for (int i = 0; i < N; i++) {
        double l = old[(i + N - 1) % N], r = old[(i + 1) % N];
        u[i] = old[i] - c / 2 * (r - l) + c * c / 2 * (r - 2 * old[i] + l);
    }
}
static void limited(field u, double c)
{
    field flux;
    for (int i = 0; i < N; i++) {
        double a = u[i] - u[(i + N - 1) % N], b = u[(i + 1) % N] - u[i];
        flux[i] = u[i] + 0.5 * (1 - c) * minmod(a, b);
    }
    double first = flux[N - 1];
    for (int i = N - 1; i > 0; i--)
        u[i] -= c * (flux[i] - flux[i - 1]);
    u[0] -= c * (flux[0] - first);
}

int main(void)
{
    void (*schemes[])(field, double) = {upwind, lax_wendroff, limited};
    for (int s = 0; s < 3; s++) {
        field u;
        double mass = 0, high = -1e9, low = 1e9;
        for (int i = 0; i < N; i++)
            u[i] = i >= 20 && i < 40;
        for (int t = 0; t < 100; t++)
            schemes[s](u, 0.5);
        for (int i = 0; i < N; i++) {
            mass += u[i];
            high = u[i] > high ? u[i] : high;
            low = u[i] < low ? u[i] : low;
        }
        CHECK_NEAR(mass, 20, 1e-11);
        CHECK(s == 1 || (high <= 1 + 1e-12 && low >= -1e-12));
        printf("%.12g %.12g %.12g\n", u[70], high, low);
    }
    return check_done();
}
