/* Least squares by Householder reflections, matrix in a heap struct with "methods". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, cols;
    double *data;
} matrix;

static matrix *matrix_new(int r, int c)
{
    matrix *m = malloc(sizeof *m);
    m->rows = r;
    m->cols = c;
    m->data = calloc((size_t)r * c, sizeof *m->data);
    return m;
}

static void matrix_delete(matrix *m)
{
    free(m->data);
    free(m);
}

static double *elem(matrix *m, int i, int j) { return &m->data[i * m->cols + j]; }

static double residual(const double *a, const double *b, int rows, int cols)
{
    matrix *w = matrix_new(rows, cols + 1);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++)
            *elem(w, i, j) = a[i * cols + j];
        *elem(w, i, cols) = b[i];
    }
    for (int k = 0; k < cols; k++) {
        double norm = 0;
        for (int i = k; i < rows; i++)
            norm += *elem(w, i, k) * *elem(w, i, k);
        norm = sqrt(norm);
        double alpha = *elem(w, k, k) > 0 ? -norm : norm;
        double v[16];
        double vv = 0;
        for (int i = k; i < rows; i++) {
            v[i] = *elem(w, i, k) - (i == k ? alpha : 0.0);
            vv += v[i] * v[i];
        }
        for (int j = k; j <= cols; j++) {
            double dot = 0;
            for (int i = k; i < rows; i++)
                dot += v[i] * *elem(w, i, j);
            for (int i = k; i < rows; i++)
                *elem(w, i, j) -= 2 * dot / vv * v[i];
        }
    }
    double r = 0;
    for (int i = cols; i < rows; i++)
        r += *elem(w, i, cols) * *elem(w, i, cols);
    matrix_delete(w);
    return r;
}

void __enzyme_autodiff(void *, const double *, double *, const double *, double *, int, int);

int main(void)
{
    enum { R = 6, C = 2 };
    double a[R * C], b[R], da[R * C] = {0}, db[R] = {0};
    for (int i = 0; i < R; i++) {
        a[2 * i] = 1.0 + 0.1 * sin(i);
        a[2 * i + 1] = i;
        b[i] = 0.3 * i * i - 1;
    }
    __enzyme_autodiff((void *)residual, a, da, b, db, R, C);
    for (int i = 0; i < R * C + R; i++) {
        double *v = i < R * C ? a + i : b + i - R * C, g = i < R * C ? da[i] : db[i - R * C], k = *v;
        *v = k + 1e-6;
        double p = residual(a, b, R, C);
        *v = k - 1e-6;
        double m = residual(a, b, R, C);
        *v = k;
        double fd = (p - m) / 2e-6;
        if (!(fabs(fd - g) < 1e-6 * (1 + fabs(fd)))) {
            printf("variable %d: %.8g vs %.8g\n", i, g, fd);
            return 1;
        }
    }
    return 0;
}
