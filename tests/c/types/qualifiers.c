// const, volatile and restrict on objects, pointers, members, parameters.
#include "../check.h"

static const double weights[] = {0.5, 0.25, 0.25};
static volatile int device;
struct config { const int id; volatile int hits; const char *const name; };

static double dot(const double *restrict a, const double *restrict b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
static void scale(double *restrict out, const double *restrict in, const double f, const int n)
{
    for (int i = 0; i < n; i++)
        out[i] = f * in[i];
}
static int length(const char *const s)
{
    const char *p = s;
    while (*p)
        p++;
    return (int)(p - s);
}
static int array_parameter(const int v[static 3], int at[const]) { at[0] = v[2]; return v[0]; }

int main(void)
{
    double x[3] = {1, 2, 3}, y[3];
    CHECK(dot(weights, x, 3) == 1.75);
    scale(y, x, 2, 3);
    CHECK(y[2] == 6);
    device = 3;
    device += device;
    CHECK(device == 6);
    struct config c = {42, 0, "answer"};
    for (int i = 0; i < 5; i++)
        c.hits++;
    CHECK(c.hits == 5 && c.id == 42 && length(c.name) == 6);
    const int *p = &c.id;
    int const *const *pp = &p;
    CHECK(**pp == 42);
    volatile double v = 1;
    v = v * 3 - 1;
    int *const fixed = (int[]){7, 8};
    fixed[1]++;
    int out[1];
    CHECK(array_parameter((const int[]){4, 5, 6}, out) == 4 && out[0] == 6 && fixed[1] == 9);
    const volatile int cv = 5;
    printf("%.17g %d\n", v, cv);
    return check_done();
}
