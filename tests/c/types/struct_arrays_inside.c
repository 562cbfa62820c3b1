// Structs holding arrays: copying, comparing, passing, soa and aos.
#include "../check.h"
#include <string.h>

#define N 8
struct particles { double x[N], v[N]; int count; };
struct particle { double x, v; };
typedef struct { char name[12]; int scores[3]; } record;
typedef struct { struct { float m[3][3]; } inner[2]; } nested;

static struct particles step(struct particles p, double dt)
{
    for (int i = 0; i < p.count; i++)
        p.x[i] += dt * p.v[i];
    return p;
}
static record best(const record *r, int n)
{
    int b = 0;
    for (int i = 1; i < n; i++)
        if (r[i].scores[0] + r[i].scores[1] + r[i].scores[2] > r[b].scores[0] + r[b].scores[1] + r[b].scores[2])
            b = i;
    return r[b];
}
static float pick(nested n, int a, int b, int c) { return n.inner[a].m[b][c]; }

int main(void)
{
    struct particles p = {{0}, {0}, N}, q;
    struct particle aos[N];
    for (int i = 0; i < N; i++) {
        p.x[i] = aos[i].x = i;
        p.v[i] = aos[i].v = 0.5 * i - 1;
    }
    q = p;
    for (int t = 0; t < 4; t++) {
        q = step(q, 0.25);
        for (struct particle *a = aos; a < aos + N; a++)
            a->x += 0.25 * a->v;
    }
    for (int i = 0; i < N; i++)
        CHECK(q.x[i] == aos[i].x && p.x[i] == i);
    record r[3] = {{"ann", {1, 2, 3}}, {"bob", {9, 0, 1}}, {"cy", {4, 4, 1}}};
    record top = best(r, 3);
    printf("%s %d\n", top.name, top.scores[0]);
    CHECK(strcmp(best(r + 1, 1).name, "bob") == 0 && best(r, 1).scores[2] == 3);
    r[0] = r[1];
    r[0].name[0] = 'r';
    CHECK(r[1].name[0] == 'b' && r[0].scores[0] == 9);
    nested n;
    for (int i = 0; i < 18; i++)
        n.inner[i / 9].m[i / 3 % 3][i % 3] = (float)i / 2;
    CHECK(pick(n, 1, 2, 0) == 7.5f);
    n.inner[0] = n.inner[1];
    CHECK(pick(n, 0, 0, 0) == 4.5f);
    printf("%g\n", q.x[7]);
    return check_done();
}
