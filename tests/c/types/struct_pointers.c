// Structs through pointers, arrays of structs, nested members.
#include "../check.h"

struct point { int x, y; };
struct rect { struct point low, high; };
struct scene { struct rect rects[4]; int count; struct rect *current; };

static int area(const struct rect *r) { return (r->high.x - r->low.x) * (r->high.y - r->low.y); }
static void grow(struct rect *r, int by)
{
    r->low.x -= by;
    r->low.y -= by;
    (*r).high.x += by;
    (&r->high)->y += by;
}
static struct rect *add(struct scene *s, struct rect r)
{
    s->rects[s->count] = r;
    s->current = &s->rects[s->count++];
    return s->current;
}

int main(void)
{
    struct scene s = {.count = 0};
    for (int i = 1; i <= 4; i++)
        add(&s, (struct rect){{0, 0}, {i, i * 2}})->low.x = -i;
    CHECK(s.count == 4 && s.current == &s.rects[3]);
    int total = 0;
    for (struct rect *r = s.rects; r != s.rects + s.count; r++) {
        grow(r, 1);
        total += area(r);
    }
    printf("%d\n", total);
    struct point *p = &s.rects[1].high, *q = &s.current->low;
    p->x++;
    *q = *p;
    CHECK(s.rects[3].low.x == s.rects[1].high.x);
    s.rects[0] = s.rects[2];
    s.rects[2].low = (struct point){9, 9};
    CHECK(s.rects[0].low.x == -4 && s.rects[2].low.y == 9);
    int *y = &s.rects[2].high.y;
    *y += 100;
    CHECK(area(&s.rects[2]) == (4 - 9) * (107 - 9));
    struct scene copy = s; // copies the pointer, not what it points to
    copy.rects[3].low.x = 55;
    CHECK(copy.current == &s.rects[3] && s.rects[3].low.x != 55);
    printf("%d %d\n", area(s.current), area(&copy.rects[3]));
    return check_done();
}
