#include "kernels_grad.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;
static void expect(const char *what, double is, double should)
{
    if (is != should) {
        printf("%s: %.17g instead of %.17g\n", what, is, should);
        failures++;
    }
}

/* Exactly as many bytes as are asked for: the address sanitizer sees every one more. */
static void *exactly(unsigned long bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        abort();
    return memory;
}

static void fill(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = 0.4 + 0.05 * (i % 7);
}

enum { MOST = 60 };

int main(int count, char **arguments)
{
    (void)arguments;
    for (int n = 1; n <= MOST; n += 19)
        for (int times = 0; times < 9; times += 4) {
            double x[MOST], y[MOST], a[MOST] = {0}, b[MOST] = {0};
            fill(x, n);
            fill(y, n);
            unsigned long bytes = steps_grad_workspace_size(n, times, x, a);
            void *memory = exactly(bytes);
            double value = steps_grad(n, times, x, a);
            expect("value", steps_grad_workspace(n, times, y, b, memory, bytes), value);
            for (int i = 0; i < n; i++)
                expect("steps", b[i], a[i]);
            if (times > 0 && bytes < (unsigned long)(n * times) * sizeof(double)) {
                printf("%lu bytes are too few to be true\n", bytes);
                failures++;
            }
            free(memory);

            struct shape shape = {times, n};
            double w[MOST], wa[MOST] = {0}, wb[MOST] = {0};
            fill(x, n);
            fill(w, n);
            bytes = layers_grad_workspace_size(&shape, x, a, w, wa);
            memory = exactly(bytes);
            layers_grad(&shape, x, a, w, wa);
            layers_grad_workspace(&shape, x, b, w, wb, memory, bytes);
            for (int i = 0; i < n; i++) {
                expect("layers", b[i], a[i]);
                expect("layers", wb[i], wa[i]);
            }
            free(memory);

            int which = times > 0;
            bytes = either_grad_workspace_size(n, which, x, a);
            memory = exactly(bytes);
            either_grad(n, which, x, a);
            either_grad_workspace(n, which, x, b, memory, bytes);
            for (int i = 0; i < n; i++)
                expect("either", b[i], a[i]);
            if (which ? bytes == 0 : bytes > 0)
                printf("%lu bytes\n", bytes), failures++;
            free(memory);

            expect("none", (double)none_grad_workspace_size(n, x, a), 0);
            none_grad(n, x, a);
            none_grad_workspace(n, x, b, NULL, 0);
            for (int i = 0; i < n; i++)
                expect("none", b[i], a[i]);
        }
    if (count > 1) {
        /* Too small: a message, and the end. */
        double x[MOST], a[MOST] = {0};
        fill(x, MOST);
        unsigned long bytes = steps_grad_workspace_size(MOST, 5, x, a);
        void *memory = exactly(bytes);
        steps_grad_workspace(MOST, 5, x, a, memory, bytes - 1);
        free(memory);
    }
    return failures != 0;
}
