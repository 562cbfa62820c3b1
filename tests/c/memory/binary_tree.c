// A binary search tree: insert, delete, traverse, free.
#include "../check.h"
#include <stdlib.h>

typedef struct tree { int key, count; struct tree *child[2]; } tree;
static int live;

static tree *insert(tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            exit(9);
        live++;
        t->key = key;
        t->count = 1;
    } else if (key == t->key)
        t->count++;
    else
        t->child[key > t->key] = insert(t->child[key > t->key], key);
    return t;
}
static void erase(tree **link, int key)
{
    while (*link && (*link)->key != key)
        link = &(*link)->child[key > (*link)->key];
    tree *dead = *link;
    if (!dead)
        return;
    if (dead->child[0] && dead->child[1]) {
        tree **successor = &dead->child[1];
        while ((*successor)->child[0])
            successor = &(*successor)->child[0];
        tree *s = *successor;
        dead->key = s->key;
        dead->count = s->count;
        *successor = s->child[1];
        dead = s;
    } else
        *link = dead->child[dead->child[0] == NULL];
    free(dead);
    live--;
}
static int height(const tree *t)
{
    if (!t)
        return 0;
    int l = height(t->child[0]), r = height(t->child[1]);
    return 1 + (l > r ? l : r);
}
static int walk(const tree *t, int previous)
{
    if (!t)
        return previous;
    previous = walk(t->child[0], previous);
    CHECK(previous < t->key);
    printf("%d*%d ", t->key, t->count);
    return walk(t->child[1], t->key);
}
static void destroy(tree *t)
{
    if (!t)
        return;
    destroy(t->child[0]);
    destroy(t->child[1]);
    free(t);
    live--;
}

int main(void)
{
    tree *root = NULL;
    for (int i = 0; i < 60; i++)
        root = insert(root, i * 37 % 41);
    printf("%d %d\n", live, height(root));
    for (int i = 0; i < 41; i += 3)
        erase(&root, i);
    erase(&root, 1000);
    walk(root, -1);
    printf("\n");
    CHECK(live == 27);
    destroy(root);
    CHECK(live == 0);
    return check_done();
}
