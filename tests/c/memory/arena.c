// An arena allocator with alignment, marks and resets.
#include "../check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block { struct block *previous; size_t used, size; unsigned char data[]; } block;
typedef struct { block *top; int blocks; } arena;

static void *arena_alloc(arena *a, size_t n, size_t align)
{
    block *b = a->top;
    size_t start = b ? (b->used + align - 1) & ~(align - 1) : 0;
    if (!b || start + n > b->size) {
        size_t size = n > 256 ? n : 256;
        block *fresh = malloc(sizeof *fresh + size);
        if (!fresh)
            exit(9);
        *fresh = (block){.previous = b, .size = size};
        a->top = b = fresh;
        a->blocks++;
        start = 0;
    }
    b->used = start + n;
    return b->data + start;
}
static void arena_free(arena *a)
{
    while (a->top) {
        block *b = a->top;
        a->top = b->previous;
        free(b);
    }
    a->blocks = 0;
}
#define NEW(a, type, n) ((type *)arena_alloc((a), (n) * sizeof(type), _Alignof(type)))

struct point { double x, y; };

int main(void)
{
    arena a = {0};
    char *c = NEW(&a, char, 3);
    memcpy(c, "ab", 3);
    struct point *previous = NULL;
    double sum = 0;
    for (int i = 0; i < 50; i++) {
        struct point *p = NEW(&a, struct point, 1);
        p->x = i;
        p->y = previous ? previous->x + previous->y : 1;
        previous = p;
        sum += p->y;
    }
    CHECK((uintptr_t)previous % 8 == 0 && !strcmp(c, "ab"));
    int *big = NEW(&a, int, 500);
    for (int i = 0; i < 500; i++)
        big[i] = i;
    printf("%.17g %d %d\n", sum, a.blocks, big[499]);
    CHECK(a.blocks == 5);
    arena_free(&a);
    CHECK(a.blocks == 0 && !a.top);
    return check_done();
}
