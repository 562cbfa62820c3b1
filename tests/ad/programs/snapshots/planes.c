/* Time loops over two- and three-dimensional arrays in all the forms that C has for them, also memory of the caller that is overwritten in place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

enum { M = 12 };

/* Linear indices, memory of the caller. */
static void diffuse(double *u, double *v, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double c = u[i * n + j];
                v[i * n + j] = c + 0.1 * (1 + 0.2 * c) * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - 4 * c);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
}

static double callers(const double *x, int n, int steps)
{
    double *u = malloc((size_t)(n * n + 1) * sizeof *u), *v = malloc((size_t)(n * n + 1) * sizeof *v), s = 0;
    for (int i = 0; i < n * n; i++)
        u[i] = v[i] = x[i];
    diffuse(u, v, n, steps);
    for (int i = 0; i < n * n; i++)
        s += u[i] * u[i] * (1 + i % 2);
    free(u);
    free(v);
    return s;
}

/* An array of arrays with a constant inner length, of which a part is used. */
static double rows(const double *x, int n, int steps)
{
    static double u[M][M], v[M][M];
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = v[i][j] = x[i * n + j];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = u[i][j] + 0.1 * u[i][j] * (u[i - 1][j] * u[i + 1][j] - u[i][j - 1] * u[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += u[i][j] * u[i][j];
    return s;
}

/* Arrays of variable length. */
static double variable(const double *x, int n, int steps)
{
    double u[n + 1][n + 1], v[n + 1][n + 1], s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = v[i][j] = x[i * n + j];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = u[i][j] + 0.1 * u[i][j] * (u[i - 1][j] * u[i + 1][j] - u[i][j - 1] * u[i][j + 1]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                u[i][j] = v[i][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += u[i][j] * u[i][j];
    return s;
}

/* Two layers of one array, chosen by the step. */
static double layers(const double *x, int n, int steps)
{
    static double u[2][M * M];
    double s = 0;
    for (int i = 0; i < n * n; i++)
        u[0][i] = u[1][i] = x[i];
    for (int t = 0; t < steps; t++) {
        int now = t % 2, next = 1 - now;
        for (int i = 1; i < n * n - 1; i++)
            u[next][i] = u[now][i] + 0.1 * u[now][i - 1] * u[now][i + 1];
    }
    for (int i = 0; i < n * n; i++)
        s += u[steps % 2][i] * u[steps % 2][i];
    return s;
}

/* Several fields in a struct that is exchanged, periodic in both directions. */
struct fields {
    int used;
    double h[M][M], q[M][M];
};

static double coupled(const double *x, int n, int steps)
{
    struct fields *now = malloc(sizeof *now), *next = malloc(sizeof *next);
    double s = 0;
    now->used = next->used = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            now->h[i][j] = x[i * n + j];
            now->q[i][j] = 0.1 * x[j * n + i];
        }
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < now->used; i++) {
            int up = (i + n - 1) % n, down = (i + 1) % n;
            for (int j = 0; j < now->used; j++) {
                int left = (j + n - 1) % n, right = (j + 1) % n;
                next->h[i][j] = 0.25 * (now->h[up][j] + now->h[down][j] + now->h[i][left] + now->h[i][right]) - 0.1 * (now->q[i][right] - now->q[i][left]);
                next->q[i][j] = now->q[i][j] - 0.1 * (now->q[i][right] * now->q[i][right] / now->h[i][right] - now->q[i][left] * now->h[down][j]);
            }
        }
        struct fields *other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += now->h[i][j] * now->h[i][j] + now->q[i][j];
    free(now);
    free(next);
    return s;
}

/* Structs in an array, borders by tests of both counters. */
struct cell {
    double u, v;
    int kind;
};

static double cells(const double *x, int n, int steps)
{
    struct cell *now = malloc((size_t)(n * n + 1) * sizeof *now), *next = malloc((size_t)(n * n + 1) * sizeof *next);
    double s = 0;
    for (int k = 0; k < n * n; k++) {
        now[k].u = x[k];
        now[k].v = 0.5 * x[k];
        now[k].kind = next[k].kind = k % 3;
    }
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int k = i * n + j;
                if (i == 0 || j == 0 || i == n - 1 || j == n - 1) {
                    next[k] = now[k];
                    continue;
                }
                double flow = now[k - 1].u + now[k + 1].u + now[k - n].u + now[k + n].u - 4 * now[k].u;
                double reaction = now[k].u * now[k].v * now[k].v;
                next[k].u = now[k].u + 0.1 * flow - 0.05 * reaction;
                next[k].v = now[k].v + 0.05 * (now[k].kind == 1 ? reaction : now[k].v);
            }
        memcpy(now, next, (size_t)(n * n) * sizeof *now);
    }
    for (int k = 0; k < n * n; k++)
        s += now[k].u * now[k].u + now[k].v;
    free(now);
    free(next);
    return s;
}

/* Three dimensions through a pointer to rows. */
static double volume(const double *x, int n, int steps)
{
    double(*u)[M / 2][M / 2] = malloc(sizeof(double[M / 2][M / 2][M / 2])), s = 0;
    double(*v)[M / 2][M / 2] = malloc(sizeof(double[M / 2][M / 2][M / 2]));
    int m = n < M / 2 ? n : M / 2;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                u[i][j][k] = v[i][j][k] = x[(i + j) % n * n + k];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    v[i][j][k] = u[i][j][k] + 0.1 * u[i - 1][j][k] * u[i + 1][j][k] - 0.1 * u[i][j - 1][k] * u[i][j][k + 1] * u[i][j][k];
        double(*other)[M / 2][M / 2] = u;
        u = v;
        v = other;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                s += u[i][j][k] * u[i][j][k];
    free(u);
    free(v);
    return s;
}

#define CHECK(f)                                                                                                                       \
    do {                                                                                                                               \
        double x[M * M], g[M * M] = {0};                                                                                               \
        for (int i = 0; i < M * M; i++)                                                                                                \
            x[i] = 0.8 + 0.4 * cos(3.0 * i + 1);                                                                                       \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n, enzyme_const, steps);                                          \
        for (int i = 0; i < n * n; i++) {                                                                                              \
            double keep = x[i], h = 1e-5;                                                                                              \
            x[i] = keep + h;                                                                                                           \
            double high = f(x, n, steps);                                                                                              \
            x[i] = keep - h;                                                                                                           \
            double low = f(x, n, steps);                                                                                               \
            x[i] = keep;                                                                                                               \
            double wanted = (high - low) / (2 * h);                                                                                    \
            if (!(fabs(g[i] - wanted) < 1e-6 * (1 + fabs(wanted)))) {                                                                  \
                printf(#f ", n %d, steps %d: %d is %.9g instead of %.9g\n", n, steps, i, g[i], wanted);                                \
                status = 1;                                                                                                            \
            }                                                                                                                          \
        }                                                                                                                              \
    } while (0)

int main(void)
{
    static const int lengths[] = {1, 2, 3, 4, 9, 12};
    int status = 0;
    for (int k = 0; k < 6; k++)
        for (int steps = 0; steps < 4; steps++) {
            int n = lengths[k];
            CHECK(callers);
            CHECK(rows);
            CHECK(variable);
            CHECK(layers);
            CHECK(coupled);
            CHECK(cells);
            CHECK(volume);
        }
    return status;
}
