// Opaque pointers, self-referential and mutually referential structs, offsetof containers.
#include "../check.h"
#include <stddef.h>
#include <stdlib.h>

typedef struct stack stack;
static stack *stack_new(void);
static void stack_push(stack *, int);
static int stack_pop(stack *);
static void stack_free(stack *);

struct employee;
struct department { const char *name; struct employee *head; int size; };
struct employee { int id; struct department *home; struct employee *next; };

struct link { struct link *next; };
struct job { int cost; struct link link; double weight; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static void join(struct department *d, struct employee *e)
{
    e->home = d;
    e->next = d->head;
    d->head = e;
    d->size++;
}

int main(void)
{
    stack *s = stack_new();
    for (int i = 1; i <= 10; i++)
        stack_push(s, i * i);
    int total = 0;
    for (int v; (v = stack_pop(s)) >= 0;)
        total = total * 3 % 1009 + v;
    printf("%d\n", total);
    stack_free(s);
    struct department d = {"tools", 0, 0};
    struct employee e[3] = {{.id = 1}, {.id = 2}, {.id = 3}};
    for (int i = 0; i < 3; i++)
        join(&d, &e[i]);
    CHECK(d.size == 3 && d.head->id == 3 && d.head->next->next->id == 1 && e[1].home->head == &e[2]);
    struct job jobs[3] = {{5, {0}, 1.5}, {6, {0}, 2.5}, {7, {0}, 3.5}};
    struct link *list = 0;
    for (int i = 0; i < 3; i++) {
        jobs[i].link.next = list;
        list = &jobs[i].link;
    }
    double weighted = 0;
    for (struct link *l = list; l; l = l->next) {
        struct job *j = container_of(l, struct job, link);
        weighted = weighted * 2 + j->cost * j->weight;
    }
    printf("%.17g\n", weighted);
    CHECK(offsetof(struct job, link) == 8);
    return check_done();
}

struct stack { struct cell { int v; struct cell *below; } *top; };
static stack *stack_new(void) { stack *s = calloc(1, sizeof *s); if (!s) exit(9); return s; }
static void stack_push(stack *s, int v)
{
    struct cell *c = malloc(sizeof *c);
    if (!c)
        exit(9);
    *c = (struct cell){v, s->top};
    s->top = c;
}
static int stack_pop(stack *s)
{
    if (!s->top)
        return -1;
    struct cell *c = s->top;
    int v = c->v;
    s->top = c->below;
    free(c);
    return v;
}
static void stack_free(stack *s) { while (stack_pop(s) >= 0) ; free(s); }
