// A ring buffer, a growing deque, and a queue used for breadth-first search.
#include "../check.h"
#include <stdlib.h>

#define CAPACITY 8
struct ring { int data[CAPACITY]; unsigned head, tail; };
static int put(struct ring *r, int v)
{
    if (r->tail - r->head == CAPACITY)
        return 0;
    r->data[r->tail++ % CAPACITY] = v;
    return 1;
}
static int get(struct ring *r, int *v)
{
    if (r->head == r->tail)
        return 0;
    *v = r->data[r->head++ & (CAPACITY - 1)];
    return 1;
}

struct deque { int *v; int start, count, capacity; };
static void push_back(struct deque *d, int x)
{
    if (d->count == d->capacity) {
        int capacity = d->capacity ? 2 * d->capacity : 2;
        int *n = malloc((size_t)capacity * sizeof *n);
        if (!n)
            exit(9);
        for (int i = 0; i < d->count; i++)
            n[i] = d->v[(d->start + i) % d->capacity];
        free(d->v);
        *d = (struct deque){n, 0, d->count, capacity};
    }
    d->v[(d->start + d->count++) % d->capacity] = x;
}
static int pop_front(struct deque *d)
{
    int x = d->v[d->start];
    d->start = (d->start + 1) % d->capacity;
    d->count--;
    return x;
}

int main(void)
{
    struct ring r = {.head = 4294967290u, .tail = 4294967290u}; // the counters wrap
    int v, sum = 0, refused = 0;
    for (int i = 0; i < 30; i++) {
        refused += !put(&r, i);
        if (i % 3 == 2)
            while (get(&r, &v))
                sum += v;
        if (i > 20 && i % 2)
            get(&r, &v);
    }
    printf("%d %d\n", sum, refused);
    const char *maze[] = {"S.#.....", "..#.##.#", ".##..#..", "....##.E"};
    int distance[4][8], found = -1;
    for (int i = 0; i < 32; i++)
        distance[i / 8][i % 8] = -1;
    struct deque d = {0};
    push_back(&d, 0);
    distance[0][0] = 0;
    while (d.count) {
        int at = pop_front(&d), y = at / 8, x = at % 8;
        if (maze[y][x] == 'E')
            found = distance[y][x];
        static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
        for (int k = 0; k < 4; k++) {
            int nx = x + dx[k], ny = y + dy[k];
            if (nx < 0 || nx >= 8 || ny < 0 || ny >= 4 || maze[ny][nx] == '#' || distance[ny][nx] >= 0)
                continue;
            distance[ny][nx] = distance[y][x] + 1;
            push_back(&d, ny * 8 + nx);
        }
    }
    free(d.v);
    printf("%d\n", found);
    CHECK(found == 16);
    return check_done();
}
