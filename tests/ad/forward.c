// Forward mode through its entry point: widths, results, structs by value, custom derivatives, recursion, globals, complex numbers.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
long double __enzyme_fwddiff_long(void *, ...);
double complex __enzyme_fwddiff_complex(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_width, enzyme_primal_return;

static int failures;
static void near(const char *name, double a, double b)
{
    if (!(fabs(a - b) <= 1e-6 * (1 + fabs(b)))) {
        printf("%s: %.12g, not %.12g\n", name, a, b);
        failures++;
    }
}

/* Numbers of all widths. */
static double cube(double x) { return x * x * x; }
static float wave(float x, float y) { return sinf(x) * y + fmaxf(x, y); }
static long double root(long double x) { return sqrtl(x) + fabsl(-x); }
static double complex curve(double complex z) { return cexp(z) * z + conj(z) / (z + 2.0); }
static double modulus(double complex z) { return cabs(z) + creal(z * z); }
struct pair { double value, dot; };
struct pair __enzyme_fwddiff_pair(void *, ...);
struct three { double d[3]; };
struct three __enzyme_fwddiff_three(void *, ...);

static void numbers(void)
{
    near("cube", __enzyme_fwddiff((void *)cube, 2.0, 1.0), 12);
    near("wave", __enzyme_fwddiff_float((void *)wave, 0.5f, 1.0f, 2.0f, -1.0f), cos(0.5) * 2 - sin(0.5) - 1);
    near("root", (double)__enzyme_fwddiff_long((void *)root, 4.0L, 1.0L), 0.25 + 1);
    double complex z = 0.3 + 0.7 * I, v = 0.2 - 0.5 * I, h = 1e-6 * v;
    double complex exact = (curve(z + h) - curve(z - h)) / 2e-6, got = __enzyme_fwddiff_complex((void *)curve, z, v);
    near("curve", cabs(got - exact), 0);
    near("modulus", __enzyme_fwddiff((void *)modulus, z, v), (modulus(z + h) - modulus(z - h)) / 2e-6);
    struct pair p = __enzyme_fwddiff_pair((void *)cube, enzyme_primal_return, enzyme_dup, 2.0, 0.5);
    near("primal", p.value, 8);
    near("tangent", p.dot, 6);
    struct three t = __enzyme_fwddiff_three((void *)cube, enzyme_width, 3, enzyme_dup, 2.0, 1.0, 2.0, -1.0);
    near("first", t.d[0], 12);
    near("second", t.d[1], 24);
    near("third", t.d[2], -12);
}

/* Singular points: no NaN where nothing changes. */
static double singular(double x, double y) { return log(x) * 0 + sqrt(y) + pow(x, 2.0) + hypot(x, 0.0) + fabs(y) + cbrt(x); }
static void singularities(void)
{
    near("singular", __enzyme_fwddiff((void *)singular, 0.0, 0.0, 4.0, 1.0), 0.25 + 1);
}

/* Structs by value, in and out. */
typedef struct { double x[2]; int k; float w; } point;
static double weigh(point p) { return p.x[0] * p.x[1] * p.k + p.w; }
static point turn(point p, double a)
{
    point q = p;
    q.x[0] = cos(a) * p.x[0] - sin(a) * p.x[1];
    q.x[1] = sin(a) * p.x[0] + cos(a) * p.x[1];
    return q;
}
static double turned(double a)
{
    point p = {{1, 2}, 3, 0.5f};
    return weigh(turn(turn(p, a), a * a));
}
point __enzyme_fwddiff_point(void *, ...);
static void structs(void)
{
    point p = {{2, 3}, 4, 1}, d = {{1, 0.5}, 0, 2};
    near("weigh", __enzyme_fwddiff((void *)weigh, enzyme_dup, p, d), 1 * 3 * 4 + 2 * 0.5 * 4 + 2);
    near("turned", __enzyme_fwddiff((void *)turned, 0.4, 1.0), (turned(0.4 + 1e-5) - turned(0.4 - 1e-5)) / 2e-5);
    point t = __enzyme_fwddiff_point((void *)turn, enzyme_dup, p, d, enzyme_const, 0.0);
    near("turn.0", t.x[0], 1);
    near("turn.1", t.x[1], 0.5);
    near("turn.w", t.w, 2);
}

/* Recursion, with memory that is returned, and with a struct. */
struct tree { double v; struct tree *left, *right; };
static struct tree *insert(struct tree *t, double v)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->v = v;
        t->left = t->right = NULL;
    } else if (v < t->v)
        t->left = insert(t->left, v);
    else
        t->right = insert(t->right, v);
    return t;
}
static double fold(struct tree *t, int depth)
{
    if (!t)
        return 1;
    double s = t->v * depth + fold(t->left, depth + 1) * fold(t->right, depth + 1);
    free(t);
    return s;
}
static double sorted(const double *x, int n)
{
    struct tree *t = NULL;
    for (int i = 0; i < n; i++)
        t = insert(t, x[i] * x[i]);
    return fold(t, 1);
}
static double simpson(double (*f)(double), double a, double b, int depth)
{
    double c = 0.5 * (a + b);
    double whole = (b - a) / 6 * (f(a) + 4 * f(c) + f(b));
    return depth ? simpson(f, a, c, depth - 1) + simpson(f, c, b, depth - 1) : whole;
}
static double bump(double x) { return exp(-x * x); }
static double area(double b) { return simpson(bump, 0, b, 4); }
static void recursion(void)
{
    double x[5] = {0.9, 0.3, 1.2, 0.7, 0.5}, d[5] = {1, -1, 0.5, 2, 0.3}, up[5], down[5];
    for (int i = 0; i < 5; i++) {
        up[i] = x[i] + 1e-6 * d[i];
        down[i] = x[i] - 1e-6 * d[i];
    }
    near("sorted", __enzyme_fwddiff((void *)sorted, x, d, 5), (sorted(up, 5) - sorted(down, 5)) / 2e-6);
    near("area", __enzyme_fwddiff((void *)area, 1.3, 1.0), bump(1.3));
}

/* Globals, and memory that lives on between calls. */
static double total, *workspace;
static int calls;
static double accumulate(const double *x, int n)
{
    if (!workspace)
        workspace = malloc(8 * sizeof *workspace);
    total = 0;
    for (int i = 0; i < n; i++) {
        workspace[i] = x[i] * x[i];
        total += workspace[i] * x[0];
    }
    calls++;
    return total * 2;
}
static void globals(void)
{
    double x[2] = {2, 3}, d[2] = {1, 0};
    for (int k = 0; k < 2; k++)
        near("accumulate", __enzyme_fwddiff((void *)accumulate, x, d, 2), 2 * (3 * 4 + 9));
    near("calls", calls, 2);
}

/* Several directions through memory. */
static void product(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
static void directions(void)
{
    double a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4], a1[4] = {1, 0, 0, 0}, a2[4] = {0, 1, 0, 0}, c1[4], c2[4];
    __enzyme_fwddiff_void((void *)product, enzyme_width, 2, enzyme_dup, a, a1, a2, enzyme_const, b, enzyme_dupnoneed, c, c1, c2,
                          enzyme_const, 2);
    near("c1[0]", c1[0], 5);
    near("c1[1]", c1[1], 6);
    near("c1[2]", c1[2], 0);
    near("c2[0]", c2[0], 7);
    near("c2[1]", c2[1], 8);
}

/* Custom derivatives, wrong on purpose so that they can be told apart. */
static double own(double x) { return x * x; }
static double own_derivative(double x, double d) { return 100 * x * d; }
void *__enzyme_register_derivative_own[] = {(void *)own, (void *)own_derivative};
static void write(const double *x, double *y) { *y = *x * *x; }
static void write_derivative(const double *x, const double *dx, double *y, double *dy)
{
    (void)y;
    *dy = 1000 * *x * *dx;
}
void *__enzyme_register_derivative_write[] = {(void *)write, (void *)write_derivative};
static double both(double x, int n) { return x * n; }
static struct pair both_derivative(double x, double d, int n) { return (struct pair){x * n, d * n * 10}; }
void *__enzyme_register_derivative_both[] = {(void *)both, (void *)both_derivative};
static double customs(double x)
{
    double y;
    write(&x, &y);
    return own(x) + y + both(x, 3);
}
static void custom(void)
{
    struct pair p = __enzyme_fwddiff_pair((void *)customs, enzyme_primal_return, 2.0, 1.0);
    near("custom value", p.value, 4 + 4 + 6);
    near("custom", p.dot, 200 + 2000 + 30);
}

/* Pointers that may or may not have a shadow. */
static double mixed(const double *x, const double *table, int n)
{
    const double *rows[4];
    double local[2] = {x[0] * 2, 5}, s = 0;
    for (int i = 0; i < 4; i++)
        rows[i] = i == 0 ? x : i == 1 ? table : i == 2 ? local : table + 1;
    for (int i = 0; i < n; i++)
        s += rows[i][0] * rows[(i + 1) % n][1];
    return s;
}
static void pointers(void)
{
    double x[2] = {2, 3}, d[2] = {1, 0.5}, table[3] = {7, 11, 13};
    double up[2] = {2 + 1e-6, 3 + 5e-7}, down[2] = {2 - 1e-6, 3 - 5e-7};
    near("mixed", __enzyme_fwddiff((void *)mixed, enzyme_dup, x, d, enzyme_const, table, enzyme_const, 4),
         (mixed(up, table, 4) - mixed(down, table, 4)) / 2e-6);
}

int main(void)
{
    numbers();
    singularities();
    structs();
    recursion();
    globals();
    directions();
    custom();
    pointers();
    free(workspace);
    return failures != 0;
}
