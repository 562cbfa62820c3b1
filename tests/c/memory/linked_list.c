// Singly linked lists: build, reverse, sort, remove, free in a loop.
#include "../check.h"
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int v)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(9);
    n->value = v;
    n->next = head;
    return n;
}
static struct node *reverse(struct node *head)
{
    struct node *previous = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = previous;
        previous = head;
        head = next;
    }
    return previous;
}
static struct node *merge(struct node *a, struct node *b)
{
    struct node *head = NULL, **tail = &head;
    while (a && b) {
        struct node **smaller = a->value <= b->value ? &a : &b;
        *tail = *smaller;
        tail = &(*tail)->next;
        *smaller = (*smaller)->next;
    }
    *tail = a ? a : b;
    return head;
}
static struct node *sort(struct node *head)
{
    if (!head || !head->next)
        return head;
    struct node *slow = head, *fast = head->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *second = slow->next;
    slow->next = NULL;
    return merge(sort(head), sort(second));
}
static int remove_odd(struct node **head)
{
    int removed = 0;
    while (*head) {
        if ((*head)->value & 1) {
            struct node *dead = *head;
            *head = dead->next;
            free(dead);
            removed++;
        } else
            head = &(*head)->next;
    }
    return removed;
}
static void show(const struct node *n)
{
    for (; n; n = n->next)
        printf("%d ", n->value);
    printf("\n");
}

int main(void)
{
    struct node *list = NULL;
    unsigned x = 7;
    for (int i = 0; i < 20; i++) {
        x = x * 1103515245u + 12345u;
        list = push(list, (int)(x >> 16) % 100);
    }
    show(list);
    list = reverse(list);
    show(list);
    list = sort(list);
    show(list);
    for (struct node *n = list; n->next; n = n->next)
        CHECK(n->value <= n->next->value);
    printf("%d\n", remove_odd(&list));
    show(list);
    int freed = 0;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
        freed++;
    }
    printf("%d\n", freed);
    return check_done();
}
