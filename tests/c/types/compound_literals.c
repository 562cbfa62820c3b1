// Compound literals of every kind, their lifetime and address.
#include "../check.h"

struct point { int x, y; };
struct line { struct point a, b; const char *name; };
static int *global_literal = (int[]){10, 20, 30};
static struct point *global_point = &(struct point){.y = 4};

static int sum(const int *v, int n) { int s = 0; while (n--) s += *v++; return s; }
static int length2(struct line l)
{
    int dx = l.b.x - l.a.x, dy = l.b.y - l.a.y;
    return dx * dx + dy * dy;
}
static double poly(double x, int n, const double *c) { double r = 0; while (n--) r = r * x + c[n]; return r; }

int main(void)
{
    CHECK(sum((int[]){1, 2, 3, 4}, 4) == 10);
    CHECK(length2((struct line){{0, 0}, {3, 4}, "l"}) == 25);
    CHECK(global_literal[2] == 30 && global_point->y == 4 && global_point->x == 0);
    struct point *p = &(struct point){5, 6};
    p->x++;
    CHECK(p->x == 6 && p->y == 6);
    int total = 0;
    for (int i = 0; i < 5; i++) {
        int *fresh = (int[3]){i}; // a new object, zero-filled, each time round
        fresh[1] += i;
        total += fresh[0] + fresh[1] + fresh[2];
    }
    CHECK(total == 20);
    CHECK(poly(2, 3, (double[]){1, 1, 1}) == 7);
    CHECK((int){3} + (char){'a'} == 100);
    int scalar = (int){5}++;
    CHECK(scalar == 5);
    const char *s = (char[]){"text"};
    CHECK(s[3] == 't');
    struct line l = {.b = (struct point){1, 2}, .a = *p};
    l = (struct line){l.b, l.a, l.name}; // reads l before it writes
    CHECK(l.a.x == 1 && l.b.x == 6 && !l.name);
    printf("%d %d %d\n", total, l.a.y, ((struct point[]){{1, 2}, {3, 4}})[1].y);
    return check_done();
}
