// Structs with members that are `const`, to which nothing can be assigned as a whole: views of arrays, kept over calls of a recursive function.
#include "../../check.h"

struct arrays {
    double *left, *right;
};
struct view {
    double *const restrict left;
    double *const restrict right;
    const int length;
};
struct state {
    struct arrays first, second;
    int n;
};

static struct view view_of(struct arrays a, int n)
{
    struct view view = {a.left, a.right, n};
    return view;
}

static double step(struct state *s, int depth)
{
    const struct view first = view_of(s->first, s->n), second = view_of(s->second, s->n);
    const struct view *chosen = depth % 2 ? &first : &second;
    double sum = depth > 0 ? step(s, depth - 1) : 0;
    for (int i = 0; i < chosen->length; i++) {
        first.left[i] = first.left[i] * second.right[i];
        sum += chosen->left[i] * second.left[i];
    }
    return sum;
}

static double f(double *x, int n)
{
    int m = n / 4;
    struct state s = {{x, x + m}, {x + 2 * m, x + 3 * m}, m};
    struct arrays copies[2] = {s.first, s.second};
    double before[3] = {x[0], x[1], x[2]}, sum = step(&s, 3) + copies[1].left[0];
    for (int i = 0; i < 3; i++)
        x[i] = before[i];
    return sum;
}
GRADIENT(f)
int main(void)
{
    return CHECK(f, 12);
}
