// flags: -lm
// Barnes-Hut in a pool of nodes: recursion on a quadtree, indices as links, mixed precision, against the direct sum.
#include "../check.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { double x, y; float mass; } body;
typedef struct node { double cx, cy, half, mx, my; float mass; int32_t child[4]; int32_t body; } node;
typedef struct { node *at; int32_t used, size; } pool;

static int32_t fresh(pool *p, double cx, double cy, double half)
{
    if (p->used == p->size) {
        p->size = p->size ? p->size * 2 : 4;
        p->at = realloc(p->at, p->size * sizeof *p->at);
        if (!p->at)
            abort();
    }
    p->at[p->used] = (node){cx, cy, half, 0, 0, 0, {-1, -1, -1, -1}, -1};
    return p->used++;
}
static void insert(pool *p, int32_t at, const body *b, int32_t i)
{
    for (;;) {
        node *n = &p->at[at];
        int leaf = n->mass == 0;
        n->mx += b[i].mass * b[i].x;
        n->my += b[i].mass * b[i].y;
        n->mass += b[i].mass;
        if (leaf) {
            n->body = i;
            return;
        }
        int32_t moved = n->body;
        n->body = -1;
        for (int pass = 0; pass < 2; pass++) {
            int32_t who = pass ? i : moved;
            if (who < 0)
                continue;
            n = &p->at[at];
            int q = (b[who].x >= n->cx) | (b[who].y >= n->cy) << 1;
            if (n->child[q] < 0) {
                double h = n->half / 2;
                int32_t c = fresh(p, n->cx + (q & 1 ? h : -h), n->cy + (q & 2 ? h : -h), h);
                p->at[at].child[q] = c;
            }
            if (pass)
                at = p->at[at].child[q];
            else
                insert(p, p->at[at].child[q], b, who);
        }
    }
}
static void pull(const pool *p, int32_t at, const body *b, int32_t i, double theta, double a[2], long *visits)
{
    if (at < 0)
        return;
    const node *n = p->at + at;
    ++*visits;
    double dx = n->mx / n->mass - b[i].x, dy = n->my / n->mass - b[i].y, r2 = dx * dx + dy * dy;
    if (n->body == i)
        return;
    if (n->body >= 0 || 4 * n->half * n->half < theta * theta * r2) {
        double w = n->mass / ((r2 + 1e-4) * sqrt(r2 + 1e-4));
        a[0] += w * dx;
        a[1] += w * dy;
        return;
    }
    for (int q = 0; q < 4; q++)
        pull(p, n->child[q], b, i, theta, a, visits);
}
int main(void)
{
    enum { N = 120 };
    body b[N];
    uint32_t s = 5;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        b[i].x = (double)s / 0x1p32;
        s = s * 1664525u + 1013904223u;
        b[i].y = (double)s / 0x1p32;
        b[i].mass = 1.0f + (float)(i % 3);
    }
    pool p = {0};
    int32_t root = fresh(&p, 0.5, 0.5, 0.5);
    for (int i = 0; i < N; i++)
        insert(&p, root, b, i);
    long exact_visits = 0, visits = 0;
    double worst = 0;
    for (int i = 0; i < N; i++) {
        double a[2] = {0}, e[2] = {0}, d[2] = {0};
        pull(&p, root, b, i, 0.3, a, &visits);
        pull(&p, root, b, i, 0.0, e, &exact_visits);
        for (int j = 0; j < N; j++) {
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, r2 = dx * dx + dy * dy + 1e-4, w = b[j].mass / (r2 * sqrt(r2));
            d[0] += w * dx, d[1] += w * dy;
        }
        CHECK_NEAR(e[0], d[0], 1e-6 * fabs(d[0]) + 1e-6);
        worst = fmax(worst, hypot(a[0] - d[0], a[1] - d[1]) / hypot(d[0], d[1]));
    }
    CHECK(worst < 0.1 && visits < exact_visits);
    printf("%d nodes, total mass %.0f\n", (int)p.used, (double)p.at[root].mass);
    free(p.at);
    return check_done();
}
