// Neighbours in a hashed grid with open addressing, against all pairs; callbacks with context and early stop.
#include "../check.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 256u
typedef struct { float x, y; } point;
typedef struct { int32_t cx, cy, first; bool used; } bucket;
typedef struct { float cell; bucket table[SLOTS]; int *next; const point *points; int n; } hash_grid;
typedef bool visit(void *context, int other, float distance2);

static int32_t cell_of(float v, float cell)
{
    float q = v / cell;
    int32_t i = (int32_t)q;
    return i - (q < (float)i);
}
static bucket *lookup(hash_grid *g, int32_t cx, int32_t cy, bool create)
{
    uint32_t h = ((uint32_t)cx * 73856093u ^ (uint32_t)cy * 19349663u) % SLOTS;
    for (unsigned tries = 0; tries < SLOTS; tries++, h = (h + 1) % SLOTS) {
        bucket *b = &g->table[h];
        if (!b->used) {
            if (!create)
                return NULL;
            *b = (bucket){cx, cy, -1, true};
            return b;
        }
        if (b->cx == cx && b->cy == cy)
            return b;
    }
    return NULL;
}
static bool build(hash_grid *g, const point *p, int n, float cell)
{
    memset(g, 0, sizeof *g);
    g->cell = cell, g->points = p, g->n = n;
    if (!(g->next = malloc(n * sizeof *g->next)))
        return false;
    for (int i = n; i-- > 0;) {
        bucket *b = lookup(g, cell_of(p[i].x, cell), cell_of(p[i].y, cell), true);
        if (!b)
            return false;
        g->next[i] = b->first;
        b->first = i;
    }
    return true;
}
static bool around(hash_grid *g, int i, float radius, visit *f, void *context)
{
    point p = g->points[i];
    int32_t cx = cell_of(p.x, g->cell), cy = cell_of(p.y, g->cell);
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            bucket *b = lookup(g, cx + dx, cy + dy, false);
            if (!b)
                continue;
            for (int j = b->first; j >= 0; j = g->next[j]) {
                float ex = g->points[j].x - p.x, ey = g->points[j].y - p.y, d = ex * ex + ey * ey;
                if (j != i && d <= radius * radius)
                    if (!f(context, j, d))
                        return false;
            }
        }
    return true;
}
struct count { int n, limit; long sum; };
static bool counting(void *context, int other, float d)
{
    struct count *c = context;
    (void)d;
    c->sum += other;
    return ++c->n < c->limit;
}
int main(void)
{
    enum { N = 150 };
    static point p[N];
    uint32_t s = 99;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        p[i].x = (float)(s >> 20) / 256 - 8;
        s = s * 1664525u + 1013904223u;
        p[i].y = (float)(s >> 20) / 256 - 8;
    }
    hash_grid *g = malloc(sizeof *g);
    CHECK(build(g, p, N, 1.5f));
    int total = 0, stopped = 0;
    for (int i = 0; i < N; i++) {
        struct count c = {0, N, 0}, few = {0, 2, 0};
        around(g, i, 1.5f, counting, &c);
        stopped += !around(g, i, 1.5f, counting, &few);
        int expected = 0;
        long sum = 0;
        for (int j = 0; j < N; j++) {
            float ex = p[j].x - p[i].x, ey = p[j].y - p[i].y;
            if (j != i && ex * ex + ey * ey <= 2.25f)
                expected++, sum += j;
        }
        CHECK(c.n == expected && c.sum == sum);
        CHECK(few.n <= 2);
        total += c.n;
    }
    printf("%d pairs, %d stopped\n", total / 2, stopped);
    free(g->next), free(g);
    return check_done();
}
