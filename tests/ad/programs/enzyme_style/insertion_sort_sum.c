/* Insertion sort of floats with a while loop on two conditions, then the sum of the smallest ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);

static float *sorted_copy(const float *array, int n)
{
    float *out = (float *)malloc(sizeof(float) * n);
    memcpy(out, array, sizeof(float) * n);
    for (int i = 1; i < n; i++) {
        float key = out[i];
        int j = i - 1;
        while (j >= 0 && out[j] > key) {
            out[j + 1] = out[j];
            j--;
        }
        out[j + 1] = key;
    }
    return out;
}

static float smallest(const float *array, int n, int k)
{
    float *s = sorted_copy(array, n), r = 0;
    for (int i = 0; i < k; i++)
        r += s[i] * (k - i);
    free(s);
    return r;
}

int main(void)
{
    float x[6] = {4.f, 1.f, 6.f, 2.f, 5.f, 3.f}, g[6] = {0};
    __enzyme_autodiff((void *)smallest, x, g, 6, 3);
    float want[6] = {0, 3, 0, 2, 0, 1};
    for (int i = 0; i < 6; i++)
        if (g[i] != want[i]) {
            printf("x[%d]: %g vs %g\n", i, g[i], want[i]);
            return 1;
        }
    return 0;
}
