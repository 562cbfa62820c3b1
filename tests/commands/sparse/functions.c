// Functions whose matrices are sparse in different ways. `main.c` compares the sparse matrices with the dense ones.
#include <math.h>

void tridiagonal(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        if (i > 0)
            y[i] += sin(x[i - 1]);
        if (i + 1 < n)
            y[i] -= x[i] * x[i + 1];
    }
}

/* A dense row, a dense column and the diagonal. */
void arrow(int n, const double *x, double *y)
{
    y[0] = 0;
    for (int i = 0; i < n; i++)
        y[0] += x[i] * x[i];
    for (int i = 1; i < n; i++)
        y[i] = x[0] * x[i];
}

void blocks(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        int first = i / 4 * 4;
        y[i] = 0;
        for (int j = first; j < first + 4 && j < n; j++)
            y[i] += cos(x[j]) * (i + 1);
    }
}

/* A grid of `n` times 5 cells, with a loop of control that leaves early. */
void stencil(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0;; j++) {
            if (j == 5)
                break;
            double here = x[5 * i + j], sum = -4 * here;
            sum += i > 0 ? x[5 * (i - 1) + j] : 0;
            sum += i + 1 < n ? x[5 * (i + 1) + j] : 0;
            sum += j > 0 ? x[5 * i + j - 1] : 0;
            sum += j < 4 ? x[5 * i + j + 1] : 0;
            y[5 * i + j] = sum * exp(-here);
        }
}

/* Two numbers depend on everything, the result too. */
double dense_rows(int n, const double *x, double *y)
{
    double sum = 0, product = 1;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        product *= x[i];
        y[i] = 3 * x[i];
    }
    y[n / 2] = sum * product;
    y[n - 1] = log(2 + sum * sum);
    return product;
}

/* Every third input has no influence, every second output no derivative. */
void empty_lines(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = i;
        for (int j = i; j < i + 2 && j < n; j++)
            if (i % 2 == 0 && j % 3 != 0)
                sum += x[j] * x[j];
        y[i] = sum;
    }
}

/* What depends on what depends on the numbers. */
void branches(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        int left = i > 0 ? i - 1 : n - 1, right = i + 1 < n ? i + 1 : 0;
        y[i] = x[i] > 0.25 ? x[i] * x[left] : fmax(x[right], x[i]);
    }
}

/* A number, a vector of integers, float. */
void gather(int n, float scale, const float *x, const int *index, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = scale * x[index[i]] * x[index[i]] + x[i];
}

/* In place, with work space. */
void steps(int n, int count, double *x, double *work, double k)
{
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < n; i++)
            work[i] = x[i] + k * ((i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0));
        for (int i = 0; i < n; i++)
            x[i] = work[i] + 0.1 * work[i] * work[i];
    }
}

double chain(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += (1 - x[i]) * (1 - x[i]) + 100 * pow(x[i + 1] - x[i] * x[i], 2);
    return sum;
}

double grid(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++) {
            double here = x[5 * i + j], a = i > 0 ? here - x[5 * (i - 1) + j] : here, b = j > 0 ? here - x[5 * i + j - 1] : here;
            sum += sqrt(1 + a * a + b * b);
        }
    return sum;
}

/* The first number meets all others; the last one is linear. */
double hub(int n, const double *x)
{
    double sum = 0;
    for (int i = 1; i + 1 < n; i++)
        sum += sin(x[0] * x[i]) + x[i] * x[i] * x[i];
    return sum + x[n - 1];
}

void far(int n, const double *x, double *energy)
{
    *energy = 0;
    for (int i = 0; i < n; i++)
        *energy += x[i] * x[(i * 7 + 3) % n] * x[(i + n / 2) % n];
}
