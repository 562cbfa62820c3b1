// Numbers that functions move or overwrite byte by byte, or put into places of another type.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;

// It does not know what it exchanges, and calls itself.
static void turn(void *base, size_t n, size_t size)
{
    char *a = base, *b = a + (n - 1) * size;
    if (n < 2)
        return;
    for (size_t k = 0; k < size; k++) {
        char t = a[k];
        a[k] = b[k];
        b[k] = t;
    }
    turn(a + size, n - 2, size);
}
double turned(const double *x)
{
    double v[4] = {x[0] * x[1], x[1], -x[0], x[0]};
    turn(v, 4, sizeof *v); // error: a call of 'turn': it writes memory with active numbers as integers or bytes
    return v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3];
}

// Halves of numbers, at distances that nobody knows.
double halves(const double *x, int n, int size)
{
    char *all = malloc(n * size);
    for (int i = 0; i < n; i++)
        *(double *)(all + i * size) = x[i] * x[i];
    int *p = (int *)all, *q = (int *)(all + size);
    for (int k = 0; k < size / 4; k++) {
        int t = p[k];
        p[k] = q[k]; // error: 'all': the bits of an active number are stored as an integer
        q[k] = t;
    }
    double s = *(double *)all + 2.0 * *(double *)(all + size);
    free(all);
    return s;
}

// Two floats in a double.
union two { double whole; float half[2]; };
double packed(double x)
{
    union two u, v;
    u.half[0] = (float)x, u.half[1] = (float)(x * x);
    double carried = u.whole; // error: 'u': active numbers of another type were stored there
    v.whole = carried;
    return v.half[0] + 2.0 * v.half[1];
}

// What a struct of bytes carries is not seen where it is copied.
struct message { unsigned char raw[24]; };
static void fill(struct message *m, const double *x, int n)
{
    if (n > 0) {
        fill(m, x, n - 1);
        memcpy(m->raw + 8 * (n - 1), &x[n - 1], 8);
    }
}
static double total(const struct message *m, int n)
{
    double v;
    if (n == 0)
        return 0;
    memcpy(&v, m->raw + 8 * (n - 1), 8);
    return v * v + total(m, n - 1);
}
double sent(const double *x)
{
    struct message m, copy;
    fill(&m, x, 2);
    copy = m; // error: active numbers may lie in its bytes
    return total(&copy, 2);
}

// Pointers leave their shadows behind.
double rows(const double *x, int n)
{
    double a[2] = {x[0], x[1]}, b[2] = {x[1], x[0] * x[0]}, *all[2] = {a, b};
    unsigned char *p = (unsigned char *)&all[0], *q = (unsigned char *)&all[n];
    for (size_t k = 0; k < sizeof all[0]; k++) {
        unsigned char t = p[k];
        p[k] = q[k]; // error: 'all': pointers to active memory are moved as integers or bytes here
        q[k] = t;
    }
    return all[0][0] * all[1][1];
}
double called(const double *x, int n)
{
    double a[2] = {x[0], x[1]}, b[2] = {x[1], x[0] * x[0]}, *all[2] = {a, b};
    turn(all, n, sizeof *all); // error: a call of 'turn': it writes memory with active numbers as integers or bytes
    return all[0][0] * all[1][1];
}

int main(void)
{
    double x[2] = {1, 2}, g[2] = {0};
    return __enzyme_autodiff((void *)turned, enzyme_dup, x, g) + __enzyme_autodiff((void *)packed, 1.0)
        + __enzyme_autodiff((void *)sent, enzyme_dup, x, g) + __enzyme_autodiff((void *)rows, enzyme_dup, x, g, 1)
        + __enzyme_autodiff((void *)called, enzyme_dup, x, g, 2) + __enzyme_autodiff((void *)halves, enzyme_dup, x, g, 2, 8) > 1;
}
