// flags: -fopenmp
// Recursive tasks with taskwait and a cut-off.
#include "../check.h"

static int fibonacci(int n)
{
    if (n < 2)
        return n;
    int a, b;
#pragma omp task shared(a) if (n > 8)
    a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 8)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static void quick(int *v, int n)
{
    if (n < 2)
        return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
#pragma omp task if (n > 50)
    quick(v, j + 1);
#pragma omp task if (n > 50)
    quick(v + i, n - i);
#pragma omp taskwait
}

int main(void)
{
    int f = 0, v[300];
    for (int i = 0; i < 300; i++)
        v[i] = i * 193 % 307;
#pragma omp parallel
#pragma omp single
    {
        f = fibonacci(16);
        quick(v, 300);
    }
    CHECK(f == 987);
    for (int i = 1; i < 300; i++)
        CHECK(v[i - 1] <= v[i]);
    printf("%d %d %d\n", f, v[0], v[299]);
    return check_done();
}
