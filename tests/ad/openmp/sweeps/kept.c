// What a thread keeps: numbers, arrays, loops that run as often as data say, memory of its own that it passes around.
#include <omp.h>
#include <stdlib.h>
#include "../../check.h"
struct work {
    double *a, *b;
    double scale;
};
static void fill(struct work *w, const double *x, int i, int n)
{
    for (int k = 0; k < 4; k++) {
        w->a[k] = x[(i + k) % n] * w->scale;
        w->b[k] = w->a[k] * w->a[k];
    }
    w->scale = w->b[1] * 0.5 + 0.5;
}
static double pointers(double *x, int n)
{
    double total = 0;
#pragma omp parallel
    {
        struct work w = {malloc(4 * sizeof(double)), malloc(4 * sizeof(double)), 1.0};
        double mine = 0;
#pragma omp for
        for (int i = 0; i < n; i++) {
            w.scale = 1 + x[i];
            for (int r = 0; r < 3; r++) {
                fill(&w, x, i + r, n);
                mine += w.b[r] * w.scale;
                double *t = w.a;
                w.a = w.b;
                w.b = t;
            }
        }
#pragma omp atomic
        total += mine;
        free(w.a);
        free(w.b);
    }
    return total;
}
static double newton(double *x, int n)
{
    double s = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double y = 1;
        for (int k = 0; k < 50; k++) {
            double next = y - (y * y * y - x[i]) / (3 * y * y);
            if (fabs(next - y) < 1e-13)
                break;
            y = next;
        }
        double row[i % 3 + 2];
        for (int k = 0; k < i % 3 + 2; k++)
            row[k] = y * (k + 1) * x[(i + k) % n];
        for (int k = 0; k < i % 3 + 2; k++)
            s += row[k] * row[0];
    }
    return s;
}
static double lists(double *x, int n)
{
    double *rows[64];
    double s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            rows[i] = malloc((i + 1) * sizeof(double));
            for (int k = 0; k <= i; k++)
                rows[i][k] = x[i] * x[k];
        }
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++)
            for (int k = 0; k <= i; k++)
                rows[i][k] = sin(rows[i][k]) * (k < n - 1 ? 1 : x[0]);
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++) {
            s += rows[n - 1 - i][0] * rows[i][i / 2];
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            free(rows[i]);
    }
    return s;
}
GRADIENT(pointers)
GRADIENT(newton)
GRADIENT(lists)
int main(void) { return CHECK(pointers, 14) | CHECK(newton, 19) | CHECK(lists, 12); }
