// An LRU cache: hash table with chaining plus an intrusive recency list.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list { struct list *previous, *next; };

struct entry {
    struct list recency;   // most recent first
    struct entry *chain;   // next in the bucket
    char *key;
    double value;
    unsigned hash;
};

struct cache {
    struct list head;
    struct entry **buckets;
    size_t bucket_count, used, capacity;
    long hits, misses, evictions;
    void (*on_evict)(const char *key, double value, void *context);
    void *context;
};

#define ENTRY_OF(l) ((struct entry *)((char *)(l) - offsetof(struct entry, recency)))

static void list_remove(struct list *l)
{
    l->previous->next = l->next;
    l->next->previous = l->previous;
}

static void list_push(struct list *head, struct list *l)
{
    l->next = head->next;
    l->previous = head;
    head->next->previous = l;
    head->next = l;
}

static unsigned hash_text(const char *s)
{
    uint32_t h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static int cache_init(struct cache *c, size_t capacity)
{
    memset(c, 0, sizeof *c);
    c->head.previous = c->head.next = &c->head;
    c->capacity = capacity;
    c->bucket_count = capacity * 2 + 1;
    c->buckets = calloc(c->bucket_count, sizeof *c->buckets);
    return c->buckets ? 0 : -1;
}

static struct entry **cache_slot(struct cache *c, const char *key, unsigned hash)
{
    struct entry **slot = &c->buckets[hash % c->bucket_count];
    while (*slot && ((*slot)->hash != hash || strcmp((*slot)->key, key) != 0))
        slot = &(*slot)->chain;
    return slot;
}

static void cache_drop(struct cache *c, struct entry **slot)
{
    struct entry *e = *slot;
    *slot = e->chain;
    list_remove(&e->recency);
    free(e->key);
    free(e);
    c->used--;
}

static int cache_get(struct cache *c, const char *key, double *value)
{
    struct entry *e = *cache_slot(c, key, hash_text(key));
    if (e == NULL) {
        c->misses++;
        return 0;
    }
    c->hits++;
    list_remove(&e->recency);
    list_push(&c->head, &e->recency);
    *value = e->value;
    return 1;
}

static int cache_put(struct cache *c, const char *key, double value)
{
    unsigned hash = hash_text(key);
    struct entry *e = *cache_slot(c, key, hash);
    if (e != NULL) {
        e->value = value;
        list_remove(&e->recency);
        list_push(&c->head, &e->recency);
        return 0;
    }
    if (c->used == c->capacity) {
        struct entry *oldest = ENTRY_OF(c->head.previous);
        if (c->on_evict)
            c->on_evict(oldest->key, oldest->value, c->context);
        c->evictions++;
        cache_drop(c, cache_slot(c, oldest->key, oldest->hash));
    }
    e = malloc(sizeof *e);
    if (e == NULL)
        return -1;
    e->key = malloc(strlen(key) + 1);
    if (e->key == NULL) {
        free(e);
        return -1;
    }
    strcpy(e->key, key);
    e->value = value;
    e->hash = hash;
    struct entry **slot = &c->buckets[hash % c->bucket_count];
    e->chain = *slot;
    *slot = e;
    list_push(&c->head, &e->recency);
    c->used++;
    return 1;
}

static int cache_remove(struct cache *c, const char *key)
{
    struct entry **slot = cache_slot(c, key, hash_text(key));
    if (*slot == NULL)
        return 0;
    cache_drop(c, slot);
    return 1;
}

static void cache_free(struct cache *c)
{
    while (c->head.next != &c->head) {
        struct entry *e = ENTRY_OF(c->head.next);
        cache_drop(c, cache_slot(c, e->key, e->hash));
    }
    free(c->buckets);
}

static void print_order(const struct cache *c)
{
    for (const struct list *l = c->head.next; l != &c->head; l = l->next)
        printf("%s ", ENTRY_OF(l)->key);
    printf("\n");
}

static void count_evicted(const char *key, double value, void *context)
{
    double *sum = context;
    *sum += value + (double)strlen(key);
}

static double expensive(int n, struct cache *c, int *computed)
{
    char key[16];
    double v;
    snprintf(key, sizeof key, "f%d", n);
    if (cache_get(c, key, &v))
        return v;
    ++*computed;
    v = n < 2 ? n : expensive(n - 1, c, computed) + expensive(n - 2, c, computed);
    cache_put(c, key, v);
    return v;
}

int main(void)
{
    struct cache c;
    int bad = 0;
    double v = 0, evicted = 0;
    if (cache_init(&c, 4))
        return 2;
    c.on_evict = count_evicted;
    c.context = &evicted;
    const char *names[] = {"one", "two", "three", "four", "five"};
    for (int i = 0; i < 4; i++)
        cache_put(&c, names[i], i + 1);
    print_order(&c);
    bad += !cache_get(&c, "one", &v) || v != 1;
    cache_put(&c, "five", 5); // evicts "two"
    print_order(&c);
    bad += cache_get(&c, "two", &v) || evicted != 5;
    cache_put(&c, "three", 33);
    bad += !cache_get(&c, "three", &v) || v != 33 || c.used != 4;
    bad += !cache_remove(&c, "four") || cache_remove(&c, "four") || c.used != 3;
    print_order(&c);
    printf("%ld hits %ld misses %ld evictions\n", c.hits, c.misses, c.evictions);
    cache_free(&c);
    if (cache_init(&c, 50))
        return 2;
    int computed = 0;
    bad += expensive(40, &c, &computed) != 102334155 || computed != 41;
    cache_free(&c);
    if (cache_init(&c, 8))
        return 2;
    unsigned r = 1;
    for (int i = 0; i < 2000; i++) {
        char key[8];
        r = r * 1664525u + 1013904223u;
        snprintf(key, sizeof key, "k%u", (r >> 24) % (i % 3 ? 6 : 20));
        if (!cache_get(&c, key, &v))
            cache_put(&c, key, i);
        bad += c.used > 8;
    }
    printf("%ld %ld %ld\n", c.hits, c.misses, c.evictions);
    print_order(&c);
    cache_free(&c);
    printf("%d bad\n", bad);
    return bad != 0;
}
