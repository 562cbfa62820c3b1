// A function that is said to be inactive does what cannot be differentiated: it reads bytes of a file to where it puts a struct and numbers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct simulation {
    double *x;
    int n, steps;
    char *buffer;
    const char *path;
};

void save(struct simulation *s, const char *path)
{
    FILE *file = fopen(path ? path : s->path, "r+b");
    if (!file)
        return;
    size_t size = sizeof(struct simulation) + (size_t)s->n * sizeof(double);
    s->buffer = realloc(s->buffer, size);
    if (fread(s->buffer, 1, size, file) == size && memcmp(s->buffer, s, sizeof *s) != 0) {
        memcpy(s->buffer, s, sizeof *s);
        memcpy(s->buffer + sizeof *s, s->x, (size_t)s->n * sizeof(double));
        fwrite(s->buffer, 1, size, file);
    }
    fclose(file);
}
void *__enzyme_inactivefn_save[] = {(void *)save};

static void step(struct simulation *s)
{
    for (int i = 0; i < s->n; i++)
        s->x[i] += 0.5 * s->x[(i + 1) % s->n];
    if (++s->steps % 2 == 0)
        save(s, NULL);
}

static double f(const double *x, int n)
{
    struct simulation s = {malloc((size_t)n * sizeof(double)), n, 0, NULL, "/there is no such file"};
    for (int i = 0; i < n; i++)
        s.x[i] = x[i];
    for (int k = 0; k < 3; k++)
        step(&s);
    double sum = s.x[0] * s.x[0];
    free(s.buffer);
    free(s.x);
    return sum;
}

int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0}, dot[2] = {1, 0}, h = 0.5, y[2] = {1 + h, 2}, z[2] = {1 - h, 2};
    double expected = (f(y, 2) - f(z, 2)) / (2 * h);
    __enzyme_autodiff((void *)f, x, bar, 2);
    double forward = __enzyme_fwddiff((void *)f, x, dot, 2);
    if (bar[0] != expected || forward != expected) {
        printf("%.15g and %.15g, not %.15g\n", bar[0], forward, expected);
        return 1;
    }
    return 0;
}
