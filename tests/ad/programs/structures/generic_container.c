// needs: inline
/* Generic containers on void*: a fixed-size element array with memcpy get and set, and a map over elements by callback. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { void *items; size_t count, size; } array;
typedef struct { double x, y; } point;
void __enzyme_autodiff(void *, ...);

static array array_new(size_t count, size_t size)
{
    array a = {calloc(count, size), count, size};
    return a;
}
static void array_set(array *a, size_t i, const void *from) { memcpy((char *)a->items + i * a->size, from, a->size); }
static void array_get(const array *a, size_t i, void *to) { memcpy(to, (const char *)a->items + i * a->size, a->size); }
static void array_each(array *a, void (*f)(void *item, void *state), void *state)
{
    for (size_t i = 0; i < a->count; i++)
        f((char *)a->items + i * a->size, state);
}

static void rotate(void *item, void *state)
{
    point *p = item;
    const double *angle = state;
    double c = cos(*angle), s = sin(*angle), x = p->x;
    p->x = c * x - s * p->y;
    p->y = s * x + c * p->y;
}

double path(const double *v, int n, double *angle)
{
    array a = array_new(n, sizeof(point));
    for (int i = 0; i < n; i++) {
        point p = {v[2 * i], v[2 * i + 1]};
        array_set(&a, i, &p);
    }
    array_each(&a, rotate, angle);
    double s = 0;
    for (int i = 0; i < n; i++) {
        point p;
        array_get(&a, i, &p);
        s += p.x * (i + 1) + p.y * p.y;
    }
    free(a.items);
    return s;
}

int main(void)
{
    double v[8] = {1, 2, -0.5, 0.3, 0.7, -1.1, 0.2, 0.9}, dv[8] = {0}, angle = 0.6, dangle = 0;
    __enzyme_autodiff((void *)path, v, dv, 4, &angle, &dangle);
    for (int i = 0; i < 9; i++) {
        double *w = i < 8 ? v + i : &angle, g = i < 8 ? dv[i] : dangle, k = *w;
        *w = k + 1e-6;
        double a = path(v, 4, &angle);
        *w = k - 1e-6;
        double b = path(v, 4, &angle);
        *w = k;
        if (!(fabs(g - (a - b) / 2e-6) < 1e-7)) {
            printf("variable %d: %g vs %g\n", i, g, (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
