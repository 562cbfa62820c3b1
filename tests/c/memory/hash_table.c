// A chained hash table that grows, and an open-addressing one.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

struct entry { char *key; int value; struct entry *next; };
struct table { struct entry **buckets; size_t size, used; };

static unsigned hash(const char *s)
{
    unsigned h = 0;
    for (; *s; s++)
        h = h * 131 + (unsigned char)*s;
    return h;
}
static void grow(struct table *t)
{
    size_t size = t->size ? t->size * 2 : 4;
    struct entry **b = calloc(size, sizeof *b);
    if (!b)
        exit(9);
    for (size_t i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            size_t k = hash(e->key) % size;
            e->next = b[k];
            b[k] = e;
        }
    free(t->buckets);
    t->buckets = b;
    t->size = size;
}
static int *lookup(struct table *t, const char *key)
{
    if (t->size)
        for (struct entry *e = t->buckets[hash(key) % t->size]; e; e = e->next)
            if (!strcmp(e->key, key))
                return &e->value;
    if (t->used >= t->size)
        grow(t);
    struct entry *e = malloc(sizeof *e);
    if (!e || !(e->key = malloc(strlen(key) + 1)))
        exit(9);
    strcpy(e->key, key);
    e->value = 0;
    size_t k = hash(key) % t->size;
    e->next = t->buckets[k];
    t->buckets[k] = e;
    t->used++;
    return &e->value;
}

static int open_slots[64];
static int insert_open(int key)
{
    unsigned at = (unsigned)key * 2654435761u >> 26;
    int probes = 1;
    while (open_slots[at] && open_slots[at] != key) {
        at = (at + 1) & 63;
        probes++;
    }
    open_slots[at] = key;
    return probes;
}

int main(void)
{
    struct table t = {0};
    const char *words = "the quick brown fox jumps over the lazy dog the fox and the dog are friends now";
    char word[16];
    int n = 0;
    for (const char *p = words;; p++) {
        if (*p && *p != ' ') {
            word[n++] = *p;
            continue;
        }
        word[n] = 0;
        ++*lookup(&t, word);
        n = 0;
        if (!*p)
            break;
    }
    CHECK(*lookup(&t, "the") == 4 && *lookup(&t, "fox") == 2 && *lookup(&t, "cat") == 0);
    printf("%zu %zu\n", t.used, t.size);
    int total = 0;
    for (size_t i = 0; i < t.size; i++)
        while (t.buckets[i]) {
            struct entry *e = t.buckets[i];
            t.buckets[i] = e->next;
            total += e->value;
            free(e->key);
            free(e);
        }
    free(t.buckets);
    CHECK(total == 17);
    int probes = 0;
    for (int i = 1; i <= 40; i++)
        probes += insert_open(i * i);
    for (int i = 1; i <= 40; i++)
        insert_open(i * i);
    int filled = 0;
    for (int i = 0; i < 64; i++)
        filled += open_slots[i] != 0;
    CHECK(filled == 40);
    printf("%d\n", probes);
    return check_done();
}
