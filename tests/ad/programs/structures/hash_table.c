/* An open-addressing hash table from string keys to values, filled and updated inside the differentiated function. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 16
typedef struct { const char *key; double value; } entry;
typedef struct { entry slots[CAPACITY]; int used; } map;

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static double *lookup(map *m, const char *key)
{
    uint32_t i = hash(key) % CAPACITY;
    while (m->slots[i].key && strcmp(m->slots[i].key, key))
        i = (i + 1) % CAPACITY;
    if (!m->slots[i].key) {
        m->slots[i].key = key;
        m->slots[i].value = 0;
        m->used++;
    }
    return &m->slots[i].value;
}

double tally(const double *amount)
{
    static const char *const names[] = {"iron", "gold", "tin", "gold", "iron", "lead", "tin", "gold"};
    map *m = calloc(1, sizeof *m);
    for (int i = 0; i < 8; i++)
        *lookup(m, names[i]) += amount[i] * (i + 1);
    double gold = *lookup(m, "gold"), iron = *lookup(m, "iron");
    *lookup(m, "tin") *= gold;
    double result = iron * gold + sin(*lookup(m, "tin")) + m->used * *lookup(m, "lead");
    free(m);
    return result;
}

int main(void)
{
    double a[8], g[8] = {0};
    for (int i = 0; i < 8; i++)
        a[i] = 0.1 * i + 0.05;
    __enzyme_autodiff((void *)tally, enzyme_dup, a, g);
    for (int i = 0; i < 8; i++) {
        double k = a[i];
        a[i] = k + 1e-6;
        double p = tally(a);
        a[i] = k - 1e-6;
        double m = tally(a);
        a[i] = k;
        if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-6 * (1 + fabs(g[i])))) {
            printf("amount %d: %g vs %g\n", i, g[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
