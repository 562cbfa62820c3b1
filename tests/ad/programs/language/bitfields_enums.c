/* Bit-fields steer the computation; packed flags beside active doubles in one struct. */
#include <math.h>
#include <stdio.h>

struct cell {
    unsigned kind : 3, frozen : 1, level : 4;
    double value;
    signed int offset : 5;
};
void __enzyme_autodiff(void *, ...);

double update(struct cell *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (c[i].frozen)
            continue;
        for (unsigned l = 0; l < c[i].level; l++)
            c[i].value = c[i].kind & 1 ? sin(c[i].value) : c[i].value * 1.1;
        int j = i + c[i].offset;
        if (j >= 0 && j < n)
            s += c[i].value * c[j].value;
        c[i].level = 0;
        c[i].frozen = 1;
    }
    return s;
}

static void fill(struct cell *c)
{
    for (int i = 0; i < 6; i++) {
        c[i].kind = i;
        c[i].frozen = i == 2;
        c[i].level = i + 1;
        c[i].offset = i % 2 ? -1 : 2;
        c[i].value = 0.3 * i + 0.5;
    }
}

int main(void)
{
    struct cell c[6] = {{0}}, d[6] = {{0}};
    fill(c);
    __enzyme_autodiff((void *)update, c, d, 6);
    for (int i = 0; i < 6; i++) {
        struct cell a[6] = {{0}}, b[6] = {{0}};
        fill(a);
        fill(b);
        a[i].value += 1e-6;
        b[i].value -= 1e-6;
        double fd = (update(a, 6) - update(b, 6)) / 2e-6;
        if (!(fabs(fd - d[i].value) < 1e-7)) {
            printf("cell %d: %g vs %g\n", i, d[i].value, fd);
            return 1;
        }
    }
    return 0;
}
