/* Variables that are written by name and read through a pointer that was set before, and the other way round. */
#include "check.h"

static double buf[8];
static double *view = buf + 1;
static struct {
    double a[8];
    double *cursor;
} state;
static double total;
static double *slot = &total;

double by_name(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        buf[i + 1] = x[i] * x[i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += view[i] * (i + 1);
    return s;
}

double by_pointer(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        view[i] = x[i] * x[i] * (i + 1);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += buf[i + 1] * x[i];
    return s;
}

static void add(double *to, double v)
{
    *to += v;
}

double accumulated(const double *x, int n)
{
    total = 0;
    for (int i = 0; i < n; i++)
        add(&total, x[i] * x[i]);
    double r = *slot * 2;
    for (int i = 0; i < n; i++)
        state.a[i] = r * x[i];
    return state.cursor[0] + *slot;
}

int main(void)
{
    state.cursor = &state.a[1];
    CHECK(by_name, 3);
    CHECK(by_pointer, 5);
    CHECK(accumulated, 4);
    return failures != 0;
}
