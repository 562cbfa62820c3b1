// A struct with numbers behind it, copied as one block: all that lies in the block is moved.
#include "../../check.h"

struct head {
    double scale;
    size_t count;
};

static double f(double *x, int n)
{
    size_t bytes = sizeof(struct head) + n * sizeof(double);
    struct head *made = malloc(bytes), *copy = malloc(bytes);
    double *behind = (double *)(made + 1), sum = 0.0;
    made->scale = x[0] * x[1];
    made->count = n;
    for (int i = 0; i < n; i++)
        behind[i] = x[i] * x[i];
    memcpy(copy, made, bytes);
    behind = (double *)(copy + 1);
    for (size_t i = 0; i < copy->count; i++)
        sum += behind[i] * (i + 1) * copy->scale;
    free(made);
    free(copy);
    return sum;
}
GRADIENT(f)
int main(void) { return CHECK(f, 7); }
