// Sparse matrix times vector in compressed row storage.
#include "kernel.h"

struct csr {
    int rows;
    int *start;
    int *column;
    double *value;
};

enum { ROWS = 50000, PER_ROW = 12 };

static void kernel(const struct csr *m, const double *x, double *y)
{
    for (int i = 0; i < m->rows; i++) {
        double sum = 0.0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            sum += m->value[k] * x[m->column[k]];
        y[i] = sum;
    }
}

int main(void)
{
    struct csr m = {ROWS, NULL, NULL, NULL};
    double seconds, sum = 0.0;
    double *x = malloc(ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
    m.start = malloc((ROWS + 1) * sizeof *m.start);
    m.column = malloc(ROWS * PER_ROW * sizeof *m.column);
    m.value = malloc(ROWS * PER_ROW * sizeof *m.value);
    if (!x || !y || !m.start || !m.column || !m.value)
        return 1;
    for (int i = 0, k = 0; i < ROWS; i++) {
        m.start[i] = k;
        x[i] = kernel_random();
        for (int j = 0; j < PER_ROW; j++, k++) {
            m.column[k] = (i + (int)(kernel_random() * 500.0)) % ROWS;
            m.value[k] = kernel_random();
        }
        m.start[i + 1] = k;
    }
    KERNEL_TIME(seconds, 60, kernel(&m, x, y));
    for (int i = 0; i < ROWS; i++)
        sum += y[i];
    kernel_report(sum, seconds);
    free(x);
    free(y);
    free(m.start);
    free(m.column);
    free(m.value);
    return 0;
}
