/* A workspace in a static local, in a file of its own and in the old style; a buffer at file scope that another file allocates. */
#include <stdlib.h>
extern double *buffer;
void allocate_buffer(int n)
{
    buffer = malloc(n * sizeof *buffer);
}
double squares(x, n)
const double *x;
int n;
{
    static double *work;
    static int size;
    double sum = 0;
    int i;
    if (n > size) {
        work = realloc(work, n * sizeof *work);
        size = n;
    }
    for (i = 0; i < n; i++)
        work[i] = x[i] * x[i];
    for (i = 0; i < n; i++)
        sum += work[i] * work[(i + 1) % n];
    return sum;
}
