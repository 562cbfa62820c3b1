// A binary heap with parent and child index arithmetic.
#include "../check.h"
#include <stdlib.h>

typedef struct { double priority; int id; } entry;
typedef struct { entry *items; int count, capacity; } heap;

static void push(heap *h, double priority, int id)
{
    if (h->count == h->capacity) {
        h->capacity = h->capacity * 3 / 2 + 4;
        entry *items = realloc(h->items, (size_t)h->capacity * sizeof *items);
        if (!items)
            exit(9);
        h->items = items;
    }
    int i = h->count++;
    while (i > 0 && h->items[(i - 1) / 2].priority > priority) {
        h->items[i] = h->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->items[i] = (entry){priority, id};
}
static entry pop(heap *h)
{
    entry top = h->items[0], last = h->items[--h->count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->items[child + 1].priority < h->items[child].priority)
            child++;
        if (last.priority <= h->items[child].priority)
            break;
        h->items[i] = h->items[child];
    }
    h->items[i] = last;
    return top;
}

int main(void)
{
    heap h = {0};
    unsigned x = 1;
    for (int i = 0; i < 100; i++) {
        x = x * 69069u + 1;
        push(&h, (x >> 8) / 16777216.0, i);
        if (i % 5 == 4)
            pop(&h);
    }
    CHECK(h.count == 80);
    double previous = -1;
    int order = 0;
    while (h.count) {
        entry e = pop(&h);
        CHECK(e.priority >= previous);
        previous = e.priority;
        order = (order * 31 + e.id) % 1000003;
    }
    printf("%d %.15g\n", order, previous);
    free(h.items);
    return check_done();
}
