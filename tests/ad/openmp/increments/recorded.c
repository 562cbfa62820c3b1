// Reads whose places only the running program knows: threads that stay apart, that share a little, that share a large array, and memory that overlaps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { ROWS = 300, EACH = 5, ENTRIES = ROWS * EACH, WIDE = 1 << 20 };

/* A sparse matrix by rows. */
static double product(const int *starts, const int *columns, const double *values, const double *x, int rows)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < rows; i++) {
        double row = 0.0;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            row += values[k] * x[columns[k]];
        sum += row * row;
    }
    return sum;
}

/* The same by lists of entries, in any order. */
static double listed(const int *first, const int *next, const int *columns, const double *values, const double *x, int rows)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < rows; i++) {
        double row = 0.0;
        for (int k = first[i]; k >= 0; k = next[k])
            row += values[k] * x[columns[k]];
        sum += row * row;
    }
    return sum;
}

/* What is read was written in the same region, through the same pointer. */
static double in_place(double *work, const int *columns, int n)
{
    double sum = 0.0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            work[n + i] = work[i] * work[i];
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                sum += work[n + columns[3 * i + k]] * work[columns[(3 * i + 7 * k) % (3 * n)]];
    }
    return sum;
}

/* A triangle, packed by a running index; another pointer to the same numbers, perhaps. */
static double triangle(const float *packed, const float *other, const double *x, int d, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
    for (int p = 0; p < n; p++) {
        int at = 0;
        for (int i = 0; i < d; i++)
            for (int j = 0; j <= i; j++)
                sum += packed[at++] * x[p * d + i] * x[p * d + j];
        sum += other[p] * other[p];
    }
    return sum;
}

/* What is read, and what is added to atomically in the same region, perhaps in the same block. */
static void edges(const int *ends, const double *u, double *out, int count)
{
#pragma omp parallel for
    for (int k = 0; k < count; k++) {
        int a = ends[2 * k], b = ends[2 * k + 1];
        double flux = u[a] * u[b] * u[b];
#pragma omp atomic
        out[a] += flux;
#pragma omp atomic
        out[b] -= 2 * flux;
    }
}

static int failures;
static void compare(const char *what, double is, double should)
{
    if (!(fabs(is - should) <= 1e-9 * (1 + fabs(should))) && failures++ < 20)
        printf("%s: %.12g, not %.12g\n", what, is, should);
}

static double number(int k) { return sin(0.37 * k + 0.2); }

static void check_product(int spread, int rows)
{
    int *starts = malloc((ROWS + 1) * sizeof *starts), *columns = malloc(ENTRIES * sizeof *columns), wide = spread * ROWS + 8;
    double *values = malloc(ENTRIES * sizeof *values), *values_bar = calloc(ENTRIES, sizeof *values_bar);
    double *x = calloc((size_t)wide, sizeof *x), *x_bar = calloc((size_t)wide, sizeof *x_bar), *expected = calloc((size_t)wide, sizeof *expected);
    for (int i = 0; i <= ROWS; i++)
        starts[i] = EACH * i;
    for (int k = 0; k < ENTRIES; k++) {
        columns[k] = 3 + spread * ((k * 7919) % ROWS);
        values[k] = number(k);
        x[columns[k]] = number(3 * columns[k]);
    }
    __enzyme_autodiff((void *)product, enzyme_const, starts, enzyme_const, columns, enzyme_dup, values, values_bar, enzyme_dup, x, x_bar, enzyme_const, rows);
    for (int i = 0; i < rows; i++) {
        double row = 0.0;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            row += values[k] * x[columns[k]];
        for (int k = starts[i]; k < starts[i + 1]; k++) {
            compare("an entry", values_bar[k], 2 * row * x[columns[k]]);
            expected[columns[k]] += 2 * row * values[k];
        }
    }
    for (int i = 0; i < wide; i++)
        compare("x", x_bar[i], expected[i]);
    free(starts), free(columns), free(values), free(values_bar), free(x), free(x_bar), free(expected);
}

static void check_listed(void)
{
    int first[ROWS], next[ENTRIES], columns[ENTRIES];
    static double values[ENTRIES], values_bar[ENTRIES], x[ROWS], x_bar[ROWS], expected[ROWS];
    for (int i = 0; i < ROWS; i++) {
        first[i] = -1;
        x[i] = number(i);
    }
    for (int k = 0; k < ENTRIES; k++) {
        int row = (k * 31) % ROWS;
        next[k] = first[row];
        first[row] = k;
        columns[k] = (k * k) % ROWS;
        values[k] = number(2 * k);
    }
    __enzyme_autodiff((void *)listed, enzyme_const, first, enzyme_const, next, enzyme_const, columns, enzyme_dup, values, values_bar, enzyme_dup, x, x_bar,
                      enzyme_const, ROWS);
    for (int i = 0; i < ROWS; i++) {
        double row = 0.0;
        for (int k = first[i]; k >= 0; k = next[k])
            row += values[k] * x[columns[k]];
        for (int k = first[i]; k >= 0; k = next[k]) {
            compare("a listed entry", values_bar[k], 2 * row * x[columns[k]]);
            expected[columns[k]] += 2 * row * values[k];
        }
    }
    for (int i = 0; i < ROWS; i++)
        compare("x of lists", x_bar[i], expected[i]);
}

static void check_in_place(void)
{
    enum { N = 120 };
    int columns[3 * N];
    double work[2 * N], bar[2 * N], expected[2 * N];
    for (int k = 0; k < 3 * N; k++)
        columns[k] = (k * 11 + k / 5) % N;
    for (int i = 0; i < 2 * N; i++) {
        work[i] = number(i);
        bar[i] = expected[i] = 0.0;
    }
    __enzyme_autodiff((void *)in_place, enzyme_dup, work, bar, enzyme_const, columns, enzyme_const, N);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            int a = columns[3 * i + k], b = columns[(3 * i + 7 * k) % (3 * N)];
            expected[a] += 2 * work[a] * work[b];
            expected[b] += work[a] * work[a];
        }
    for (int i = 0; i < N; i++)
        compare("in place", bar[i], expected[i]);
}

static void check_triangle(int distance)
{
    enum { D = 9, N = 40, PACKED = D * (D + 1) / 2 };
    float packed[PACKED + N], bar[PACKED + N], *other = packed + distance, *other_bar = bar + distance;
    double x[N * D], x_bar[N * D], expected[PACKED + N] = {0}, expected_x[N * D] = {0};
    for (int i = 0; i < PACKED + N; i++) {
        packed[i] = (float)number(i);
        bar[i] = 0;
    }
    for (int i = 0; i < N * D; i++) {
        x[i] = number(5 * i);
        x_bar[i] = 0.0;
    }
    __enzyme_autodiff((void *)triangle, enzyme_dup, packed, bar, enzyme_dup, other, other_bar, enzyme_dup, x, x_bar, enzyme_const, D, enzyme_const, N);
    for (int p = 0; p < N; p++) {
        int at = 0;
        for (int i = 0; i < D; i++)
            for (int j = 0; j <= i; j++, at++) {
                expected[at] += x[p * D + i] * x[p * D + j];
                expected_x[p * D + i] += packed[at] * x[p * D + j];
                expected_x[p * D + j] += packed[at] * x[p * D + i];
            }
        expected[distance + p] += 2 * other[p];
    }
    for (int i = 0; i < PACKED + N; i++)
        compare("packed", (bar[i] - expected[i]) * 1e-5, 0.0);
    for (int i = 0; i < N * D; i++)
        compare("x of the triangle", x_bar[i], expected_x[i]);
}

static void check_edges(int distance, int spread, int count)
{
    enum { N = 200, MOST = 3 * N };
    int ends[2 * MOST], size = 4 * N * spread;
    double *u = calloc((size_t)size, sizeof *u), *bar = calloc((size_t)size, sizeof *bar), *expected = calloc((size_t)size, sizeof *expected);
    for (int i = 0; i < size; i++) {
        u[i] = number(i);
        bar[i] = expected[i] = number(3 * i);
    }
    for (int k = 0; k < MOST; k++) {
        ends[2 * k] = 2 * spread * (k / 3);
        ends[2 * k + 1] = 2 * spread * ((k / 3 + 1 + 7 * (k % 3)) % N);
    }
    for (int k = 0; k < count; k++) {
        int a = ends[2 * k], b = ends[2 * k + 1];
        double flux_bar = bar[distance + a] - 2 * bar[distance + b];
        expected[a] += flux_bar * u[b] * u[b];
        expected[b] += flux_bar * 2 * u[a] * u[b];
    }
    __enzyme_autodiff((void *)edges, enzyme_const, ends, enzyme_dup, u, bar, enzyme_dup, u + distance, bar + distance, enzyme_const, count);
    for (int i = 0; i < size; i++)
        compare("edges", bar[i], expected[i]);
    free(u), free(bar), free(expected);
}

int main(void)
{
    check_edges(400, 1, 600);
    check_edges(1, 1, 600);
    check_edges(501, 500, 60);
    check_edges(400, 1, 0);
    check_product(1, ROWS);
    check_product(WIDE / ROWS, ROWS);
    check_product(WIDE / ROWS, 2);
    check_product(1, 0);
    check_listed();
    check_in_place();
    check_triangle(45);
    check_triangle(0);
    check_triangle(20);
    return failures != 0;
}
