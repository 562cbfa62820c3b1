// Pointers that may alias: loads must not be moved across stores.
#include "../check.h"

static void add_to_all(int *v, int n, const int *by)
{
    for (int i = 0; i < n; i++)
        v[i] += *by; // by may point into v
}
static int write_read(int *a, int *b)
{
    *a = 1;
    *b = 2;
    return *a + *b;
}
static double normalise(double *v, double *norm, int n)
{
    *norm = 0;
    for (int i = 0; i < n; i++)
        *norm += v[i] * v[i];
    return *norm;
}
static void axpy(double *y, const double *x, double a, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = y[i] + a * x[i];
}
struct acc { int total; int *watch; };
static void accumulate(struct acc *s, int n)
{
    for (int i = 0; i < n; i++) {
        s->total += i;
        s->total += *s->watch; // watch may be &total
    }
}
static int global = 5;
static int through(int *p)
{
    int before = global;
    *p = 9;
    return before * 10 + global;
}

int main(void)
{
    int v[4] = {1, 2, 3, 4}, w = 10;
    add_to_all(v, 4, &w);
    CHECK(v[3] == 14);
    add_to_all(v, 4, &v[1]);
    printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);
    CHECK(v[1] == 24 && v[2] == 37);
    int x, y;
    CHECK(write_read(&x, &y) == 3 && write_read(&x, &x) == 4);
    double d[3] = {1, 2, 3}, n;
    CHECK(normalise(d, &n, 3) == 14);
    printf("%.17g\n", normalise(d, &d[0], 3));
    double z[6] = {1, 1, 1, 1, 1, 1};
    axpy(z + 1, z, 1, 5);
    CHECK(z[5] == 6);
    struct acc s = {0, &w}, t = {0, &t.total};
    accumulate(&s, 4);
    accumulate(&t, 4);
    CHECK(s.total == 46 && t.total == 22);
    CHECK(through(&x) == 55);
    CHECK(through(&global) == 59);
    unsigned char *bytes = (unsigned char *)&w;
    bytes[0] = 0xff;
    CHECK(w == 255);
    return check_done();
}
