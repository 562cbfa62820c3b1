/* Linked structures that are built, changed, walked and freed. */
#include "check.h"

struct node {
    double value;
    struct node *next;
};

static struct node *cons(double value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

static double list(double *x, int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++)
        head = cons(x[i] * x[i], head);
    /* Reversed in place. */
    struct node *back = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = back;
        back = head;
        head = next;
    }
    double s = 0, w = 1;
    for (struct node *p = back; p; p = p->next) {
        s += w * p->value;
        w *= 1.5;
    }
    /* Every second node goes. */
    for (struct node *p = back; p && p->next; p = p->next) {
        struct node *gone = p->next;
        p->next = gone->next;
        p->value *= gone->value;
        free(gone);
    }
    while (back) {
        struct node *next = back->next;
        s += back->value * x[0];
        free(back);
        back = next;
    }
    return s;
}
GRADIENT(list)

/* Doubly linked, with a tail pointer to a pointer. */
struct link {
    struct link *before, *after;
    double v[2];
    int rank;
};

static double ring(double *x, int n)
{
    struct link sentinel = {&sentinel, &sentinel, {0, 0}, -1};
    for (int i = 0; i < n; i++) {
        struct link *l = calloc(1, sizeof *l);
        l->v[i % 2] = x[i];
        l->rank = i;
        l->before = sentinel.before;
        l->after = &sentinel;
        sentinel.before->after = l;
        sentinel.before = l;
    }
    double s = 0;
    for (struct link *l = sentinel.after; l != &sentinel; l = l->after)
        s += (l->v[0] + 2 * l->v[1]) * (l->before->v[0] + l->after->v[1] + l->rank);
    for (struct link *l = sentinel.after; l != &sentinel;) {
        struct link *after = l->after;
        free(l);
        l = after;
    }
    return s;
}
GRADIENT(ring)

/* A tree in an array of structs, and one on the heap by insertion through pointers to pointers. */
struct tree {
    double key, weight;
    struct tree *child[2];
};

static double trees(double *x, int n)
{
    struct tree *root = NULL;
    for (int i = 0; i < n; i++) {
        double key = sin(3.0 * i);
        struct tree **at = &root;
        while (*at)
            at = &(*at)->child[key > (*at)->key];
        *at = malloc(sizeof **at);
        **at = (struct tree){key, x[i] * x[(i + 1) % n], {NULL, NULL}};
    }
    double s = 0;
    struct tree *stack[32];
    int top = 0;
    if (root)
        stack[top++] = root;
    while (top) {
        struct tree *t = stack[--top];
        s = s * 0.7 + t->weight * t->key;
        for (int k = 0; k < 2; k++)
            if (t->child[k])
                stack[top++] = t->child[k];
        free(t);
    }
    return s;
}
GRADIENT(trees)

/* A graph: edges are pointers between nodes in one block; values are updated in place. */
struct vertex {
    double value, next;
    int degree;
    struct vertex *edge[3];
};

static double graph(double *x, int n)
{
    struct vertex *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++) {
        v[i].value = x[i];
        v[i].degree = 1 + i % 3;
        for (int k = 0; k < v[i].degree; k++)
            v[i].edge[k] = &v[(i * 2 + k + 1) % n];
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < v[i].degree; k++)
                sum += v[i].edge[k]->value;
            v[i].next = 0.5 * v[i].value + 0.25 * sum * sum / v[i].degree;
        }
        for (struct vertex *p = v; p < v + n; p++)
            p->value = p->next;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i].value * (i + 1);
    free(v);
    return s;
}
GRADIENT(graph)

/* Buffers that change roles, and a table of pointers into one array. */
static double roles(double *x, int n)
{
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *row[8];
    memcpy(a, x, n * sizeof *a);
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            row[i] = &a[(i * 3 + t) % n];
        for (int i = 0; i < n; i++)
            b[i] = *row[i] * x[i] + a[i];
        double *swap = a;
        a = b;
        b = swap;
    }
    double s = 0, *end = a + n;
    for (double *p = end; p != a;)
        {
        p--;
        s += *p * p[0];
    }
    s += (double)(end - a) * end[-1];
    free(a);
    free(b);
    return s;
}
GRADIENT(roles)

int main(void)
{
    return CHECK(list, 6) | CHECK(ring, 5) | CHECK(trees, 7) | CHECK(graph, 5) | CHECK(roles, 5);
}
