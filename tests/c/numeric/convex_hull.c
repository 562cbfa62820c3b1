// Monotone chain convex hull, area, point in polygon.
#include "../check.h"
#include <stdlib.h>

typedef struct { int x, y; } point;
static long cross(point o, point a, point b) { return (long)(a.x - o.x) * (b.y - o.y) - (long)(a.y - o.y) * (b.x - o.x); }
static int order(const void *p, const void *q)
{
    const point *a = p, *b = q;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}
static int hull(point *p, int n, point *h)
{
    int k = 0;
    qsort(p, (size_t)n, sizeof *p, order);
    for (int i = 0; i < n; h[k++] = p[i++])
        while (k >= 2 && cross(h[k - 2], h[k - 1], p[i]) <= 0)
            k--;
    for (int i = n - 2, base = k + 1; i >= 0; h[k++] = p[i--])
        while (k >= base && cross(h[k - 2], h[k - 1], p[i]) <= 0)
            k--;
    return k - 1;
}
static int inside(const point *h, int n, point q)
{
    for (int i = 0; i < n; i++)
        if (cross(h[i], h[(i + 1) % n], q) < 0)
            return 0;
    return 1;
}

int main(void)
{
    enum { N = 50 };
    point p[N], h[2 * N];
    unsigned r = 1;
    for (int i = 0; i < N; i++) {
        r = r * 1103515245u + 12345u;
        p[i].x = (int)(r >> 16 & 127);
        r = r * 1103515245u + 12345u;
        p[i].y = (int)(r >> 16 & 127);
    }
    int n = hull(p, N, h);
    long area2 = 0;
    for (int i = 0; i < n; i++) {
        point a = h[i], b = h[(i + 1) % n];
        area2 += (long)a.x * b.y - (long)a.y * b.x;
        printf("(%d,%d) ", a.x, a.y);
    }
    printf("\n%d %ld\n", n, area2);
    CHECK(area2 > 0);
    for (int i = 0; i < N; i++)
        CHECK(inside(h, n, p[i]));
    CHECK(!inside(h, n, (point){-1, -1}));
    return check_done();
}
