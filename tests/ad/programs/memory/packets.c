// Numbers that are packed into structs of bytes or integers and taken out again: variables, members of heap blocks, through helpers, in place. Compilers believe that bytes of a variable are no numbers unless told.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
    char bytes[64];
    long length;
} message;

typedef struct {
    long tag, used;
    unsigned char data[128];
} packet;

static double messages(double *x, int n)
{
    message all[16];
    double s = 0, y;
    for (int i = 0; i < n; i++)
        memcpy(all[i % 16].bytes, &x[i], sizeof(double));
    for (int i = 0; i < n; i++) {
        memcpy(&y, all[i % 16].bytes, sizeof y);
        s += y * y * (i + 1);
    }
    return s;
}

static void put(packet *p, const void *from, size_t n)
{
    memcpy(p->data + p->used, from, n);
    p->used += (long)n;
}

static void get(const packet *p, size_t *at, void *to, size_t n)
{
    memcpy(to, p->data + *at, n);
    *at += n;
}

static double exchanged(double *x, int n)
{
    packet p[4], *q = calloc(4, sizeof *q);
    double s = 0;
    int m = n / 4;
    for (int k = 0; k < 4; k++) {
        double product = x[k] * x[k + 1];
        p[k].tag = k;
        p[k].used = 0;
        for (int i = 0; i < m; i++)
            put(&p[k], &x[k * m + i], sizeof(double));
        put(&p[k], &product, sizeof product);
        q[3 - k] = p[k];
    }
    for (int k = 0; k < 4; k++) {
        size_t at = 0;
        double v[16], a;
        for (int i = 0; i < m; i++)
            get(&q[k], &at, &v[i], sizeof(double));
        get(&p[k], &at, &a, sizeof a);
        for (int i = 0; i < m; i++)
            s += v[i] * v[i] * a;
    }
    free(q);
    return s;
}

static double in_place(double *x, int n)
{
    packet p[4];
    double s = 0;
    int m = n / 4;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < m; i++)
            memcpy(p[k].data + 8 * i, &x[k * m + i], sizeof(double));
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 4; k++) {
            unsigned char *at = p[(k + t) % 4].data;
            for (int i = 0; i < m; i++, at += sizeof(double)) {
                double v;
                memcpy(&v, at, sizeof v);
                v = sin(v) * x[i];
                s += v * v;
                memcpy(at, &v, sizeof v);
            }
        }
    for (int k = 0; k < 4; k++) {
        double v[16];
        memcpy(v, p[k].data, (size_t)m * sizeof(double));
        for (int i = 0; i < m; i++)
            s += v[i] * (i + k);
    }
    return s;
}

typedef struct {
    uint64_t bits;
} word;

typedef struct {
    long numbers[4];
} words;

static double carried(double *x, int n)
{
    word one[16];
    words four[4];
    double s = 0, y, v[4];
    for (int i = 0; i < n; i++)
        memcpy(&one[i % 16], &x[i], sizeof(double));
    for (int i = 0; i + 4 <= n; i += 4)
        memcpy(&four[i / 4], &x[i], sizeof(words));
    for (int i = 0; i < n; i++) {
        memcpy(&y, &one[i % 16], sizeof y);
        s += y * y * 2;
    }
    for (int i = 0; i + 4 <= n; i += 4) {
        memcpy(v, &four[i / 4], sizeof v);
        for (int k = 0; k < 4; k++)
            s += v[k] * v[(k + 1) % 4];
    }
    return s;
}

enum { N = 16 };

static int compare(const char *name, double (*f)(double *, int), const double *bar, double forward, double *x, const double *dot)
{
    int bad = 0;
    for (int i = 0; i < N; i++) {
        double at = x[i], h = 1e-5;
        x[i] = at + h;
        double up = f(x, N);
        x[i] = at - h;
        double down = f(x, N), expected = (up - down) / (2 * h);
        x[i] = at;
        forward -= bar[i] * dot[i];
        if (!(fabs(bar[i] - expected) <= 1e-6 * (1 + fabs(expected)))) {
            printf("%s: d/dx[%d] is %.10g, not %.10g\n", name, i, bar[i], expected);
            bad = 1;
        }
    }
    if (!(fabs(forward) <= 1e-9)) {
        printf("%s: the tangent is wrong by %g\n", name, forward);
        bad = 1;
    }
    return bad;
}

int main(void)
{
    double x[N], dot[N], bar[4][N] = {{0}};
    int bad = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(i);
        dot[i] = cos(1.3 * i);
    }
    __enzyme_autodiff((void *)messages, x, bar[0], N);
    bad |= compare("messages", messages, bar[0], __enzyme_fwddiff((void *)messages, x, dot, N), x, dot);
    __enzyme_autodiff((void *)exchanged, x, bar[1], N);
    bad |= compare("exchanged", exchanged, bar[1], __enzyme_fwddiff((void *)exchanged, x, dot, N), x, dot);
    __enzyme_autodiff((void *)in_place, x, bar[2], N);
    bad |= compare("in place", in_place, bar[2], __enzyme_fwddiff((void *)in_place, x, dot, N), x, dot);
    __enzyme_autodiff((void *)carried, x, bar[3], N);
    bad |= compare("carried", carried, bar[3], __enzyme_fwddiff((void *)carried, x, dot, N), x, dot);
    return bad;
}
