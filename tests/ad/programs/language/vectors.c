// Vectors (GNU `vector_size`): arithmetic lane by lane, elements, comparisons, shuffles, vectors in structs, arrays and arguments.
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef double v2 __attribute__((vector_size(16)));
typedef double v4 __attribute__((vector_size(32)));
typedef long l4 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));
typedef double v4u __attribute__((vector_size(32), aligned(8)));

enum { N = 8 };

static const v4 weights = {1.5, -0.5, 2, 0.25};

static double lanes(const double *x)
{
    v4 a = {x[0], x[1], x[2], x[3]}, b = a * a + 2.0;
    b[1] *= x[4];
    b -= weights / a;
    l4 large = a > 0.5;
    v4 c = -b * __builtin_convertvector(large, v4) + weights;
    double s = 0;
    for (int i = 0; i < 4; i++)
        s += b[i] * a[3 - i];
    return s + c[0] * c[2];
}

static double dot(const double *x)
{
    v2 sum = {0, 0};
    for (int i = 0; i + 1 < N; i += 2) {
        v2 a;
        memcpy(&a, x + i, sizeof a);
        sum += a * a * (double)(i + 1);
    }
    return sum[0] * sum[1];
}

/* Vectors by pointer, as arguments and results. */
static v4 fused(v4 a, v4 b, v4 c) { return a * b + c; }

__attribute__((noinline)) static v4 horner(v4 t, const double *p, int n)
{
    v4 r = {0};
    for (int i = n - 1; i >= 0; i--)
        r = fused(r, t, (v4){p[i], p[i], p[i], p[i]});
    return r;
}

static double polynomial(const double *x)
{
    const v4u *p = (const v4u *)x;
    v4 r = horner(p[0], x + 4, 4) + p[1];
    return r[0] * r[1] + r[2] * r[3];
}

struct particle {
    v4 position, velocity;
    double mass;
};

static double particles(const double *x)
{
    struct particle p[2] = {{.mass = x[6]}, {.mass = x[7]}};
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < 3; d++) {
            p[k].position[d] = x[3 * k + d];
            p[k].velocity[d] = 0.1 * x[d] * (k + 1);
        }
    for (int step = 0; step < 5; step++) {
        v4 d = p[1].position - p[0].position, square = d * d;
        double r2 = square[0] + square[1] + square[2] + 0.1;
        v4 force = d / (r2 * sqrt(r2));
        p[0].velocity += 0.05 * p[1].mass * force;
        p[1].velocity -= 0.05 * p[0].mass * force;
        for (int k = 0; k < 2; k++)
            p[k].position += 0.05 * p[k].velocity;
    }
    struct particle copy = p[1];
    v4 e = copy.velocity * copy.velocity + p[0].position * p[0].velocity;
    return e[0] + e[1] * e[2];
}

static double masks(const double *x)
{
    v4 a = {x[0], x[1], x[2], x[3]}, b = {x[4], x[5], x[6], x[7]};
    l4 less = a < b;
    v4 smaller = a, larger = b;
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (less[i]) {
            count++;
        } else {
            smaller[i] = b[i];
            larger[i] = a[i];
        }
    f4 narrow = __builtin_convertvector(smaller, f4);
    v4 wide = __builtin_convertvector(narrow, v4);
#ifdef __clang__
    v4 turned = __builtin_shufflevector(larger, smaller, 1, 4, 3, 6);
#else
    v4 turned = __builtin_shuffle(larger, smaller, (l4){1, 4, 3, 6});
#endif
    v4 r = turned * larger + wide;
    r = +r * __builtin_convertvector(-~less + 1, v4);
    return (r[0] + r[1] * r[2] + r[3]) * count + turned[0] * turned[3];
}

static int failures;

#define CHECK(f)                                                                                     \
    do {                                                                                             \
        double x[N] = {0.7, 0.4, 1.3, 0.9, 0.6, -0.8, 1.1, 0.5}, g[N] = {0};                         \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g);                                              \
        for (int i = 0; i < N; i++) {                                                                \
            double d[N] = {0}, h = 1e-4, keep = x[i];                                                \
            d[i] = 1;                                                                                \
            double t = __enzyme_fwddiff((void *)f, enzyme_dup, x, d);                                \
            x[i] = keep + h;                                                                         \
            double above = f(x);                                                                     \
            x[i] = keep - h;                                                                         \
            double difference = (above - f(x)) / (2 * h);                                            \
            x[i] = keep;                                                                             \
            if (!(fabs(g[i] - t) < 1e-12 * (1 + fabs(t))) || !(fabs(t - difference) < 2e-3 * (1 + fabs(t)))) { \
                printf("%s, %d: %.12g %.12g %.12g\n", #f, i, g[i], t, difference);                   \
                failures++;                                                                          \
            }                                                                                        \
        }                                                                                            \
    } while (0)

int main(void)
{
    CHECK(lanes);
    CHECK(dot);
    CHECK(polynomial);
    CHECK(particles);
    CHECK(masks);
    return failures != 0;
}
