// Loops over arrays of small structs and over every second element, in lanes; and sizes of 64 bits without a sign, whose products are larger than any number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { MOST = 300 };
typedef struct {
    double stiffness, damping, mass;
} Spring;
typedef struct {
    float weight;
    double place;
} Mixed;

// Places at even elements, speeds at odd ones.
static void change(const double *state, const Spring *spring, int n, double *rate)
{
    for (int i = 0; i < n; i++) {
        rate[2 * i] = state[2 * i + 1];
        rate[2 * i + 1] = (-spring[i].stiffness * state[2 * i] - spring[i].damping * state[2 * i + 1] - 0.1 * state[2 * i] * state[2 * i] * state[2 * i]) / spring[i].mass;
    }
}

static double springs(const double *start, const Spring *spring, int n, int steps)
{
    double state[2 * MOST], rate[2 * MOST], middle[2 * MOST];
    memcpy(state, start, 2 * (size_t)n * sizeof *state);
    for (int s = 0; s < steps; s++) {
        change(state, spring, n, rate);
        for (int i = 0; i < 2 * n; i++)
            middle[i] = state[i] + 0.05 * rate[i];
        change(middle, spring, n, rate);
        for (int i = 0; i < 2 * n; i++)
            state[i] += 0.1 * rate[i];
    }
    double sum = 0;
    for (int i = 0; i < 2 * n; i++)
        sum += state[i] * state[i];
    return sum;
}

// Every third element, and neighbours that overlap those of others.
static double comb(const double *x, const Mixed *mixed, int n)
{
    double sum = 0, out[3 * MOST + 4];
    for (int i = 0; i < 3 * n + 4; i++)
        out[i] = 0.5;
    for (int i = 0; i < n; i++)
        out[3 * i + 1] = x[3 * i] * x[3 * i + 4] + mixed[i].place * mixed[i].weight;
    for (int i = 0; i < n; i++)
        out[2 * i] = out[2 * i + 1] * x[i] + 0.25 * out[2 * i];
    for (int i = 0; i < 3 * n; i++)
        sum += out[i] * out[i + 1];
    return sum;
}

#define AT(a, i, j, k) a[((i) * (size_t)ny + (j)) * nz + (k)]
static double box(const double *x, int nx, int ny, size_t nz)
{
    double sum = 0, *y = malloc((size_t)nx * ny * nz * sizeof *y);
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (size_t k = 0; k < nz; k++)
                AT(y, i, j, k) = AT(x, i, j, k) * AT(x, nx - 1 - i, j, k);
    for (size_t i = 0; i < (size_t)nx * ny * nz; i++)
        sum += y[i] * y[i];
    free(y);
    return sum;
}

static int bad;
static void compare(const char *what, double is, double up, double down)
{
    double should = (up - down) / 2e-6;
    if (!(fabs(is - should) <= 1e-6 * (1 + fabs(should)))) {
        printf("%s: %.12g, should be %.12g\n", what, is, should);
        bad = 1;
    }
}

#define CHECK(what, place, bar, call)                                                                                                                                              \
    do {                                                                                                                                                                           \
        double old = (place);                                                                                                                                                      \
        (place) = old + 1e-6;                                                                                                                                                      \
        double up = call;                                                                                                                                                          \
        (place) = old - 1e-6;                                                                                                                                                      \
        double down = call;                                                                                                                                                        \
        (place) = old;                                                                                                                                                             \
        compare(what, bar, up, down);                                                                                                                                              \
    } while (0)

int main(void)
{
    static double x[3 * MOST + 8], x_bar[3 * MOST + 8];
    static Spring spring[MOST], spring_bar[MOST];
    static Mixed mixed[MOST], mixed_bar[MOST];
    for (int i = 0; i < 3 * MOST + 8; i++)
        x[i] = sin(0.7 * i) + 0.2;
    for (int i = 0; i < MOST; i++) {
        spring[i] = (Spring){0.5 + 0.001 * i, 0.2, 1 + 0.002 * i};
        mixed[i] = (Mixed){0.5f, 0.1 * i};
    }
    int sizes[] = {1, 7, 64, 261};
    for (int s = 0; s < 4; s++) {
        int n = sizes[s];
        memset(x_bar, 0, sizeof x_bar);
        memset(spring_bar, 0, sizeof spring_bar);
        __enzyme_autodiff((void *)springs, enzyme_dup, x, x_bar, enzyme_dup, spring, spring_bar, enzyme_const, n, enzyme_const, 5);
        for (int i = 0; i < n; i += 1 + n / 9) {
            CHECK("place", x[2 * i], x_bar[2 * i], springs(x, spring, n, 5));
            CHECK("speed", x[2 * i + 1], x_bar[2 * i + 1], springs(x, spring, n, 5));
            CHECK("stiffness", spring[i].stiffness, spring_bar[i].stiffness, springs(x, spring, n, 5));
            CHECK("mass", spring[i].mass, spring_bar[i].mass, springs(x, spring, n, 5));
        }
        memset(x_bar, 0, sizeof x_bar);
        memset(mixed_bar, 0, sizeof mixed_bar);
        __enzyme_autodiff((void *)comb, enzyme_dup, x, x_bar, enzyme_dup, mixed, mixed_bar, enzyme_const, n);
        for (int i = 0; i < n; i += 1 + n / 9) {
            CHECK("comb", x[i], x_bar[i], comb(x, mixed, n));
            CHECK("mixed", mixed[i].place, mixed_bar[i].place, comb(x, mixed, n));
        }
    }
    memset(x_bar, 0, sizeof x_bar);
    __enzyme_autodiff((void *)box, enzyme_dup, x, x_bar, enzyme_const, 5, enzyme_const, 6, enzyme_const, (size_t)9);
    for (int i = 0; i < 270; i += 13)
        CHECK("box", x[i], x_bar[i], box(x, 5, 6, 9));
    int nx = 5, ny = 6;
    size_t nz = 9;
    memset(x_bar, 0, sizeof x_bar);
    __enzyme_autodiff((void *)box, enzyme_dup, x, x_bar, enzyme_const, nx, enzyme_const, ny, enzyme_const, nz);
    for (int i = 0; i < 270; i += 13)
        CHECK("box", x[i], x_bar[i], box(x, 5, 6, 9));
    return bad;
}
