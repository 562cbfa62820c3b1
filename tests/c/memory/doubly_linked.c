// A circular doubly linked list with a sentinel; Josephus problem.
#include "../check.h"
#include <stdlib.h>

struct item { struct item *prev, *next; double weight; int id; };

static void insert_after(struct item *where, struct item *it)
{
    it->prev = where;
    it->next = where->next;
    where->next->prev = it;
    where->next = it;
}
static void unlink_item(struct item *it)
{
    it->prev->next = it->next;
    it->next->prev = it->prev;
}

static int josephus(int n, int k)
{
    struct item head = {&head, &head, 0, 0};
    for (int i = n; i >= 1; i--) {
        struct item *it = malloc(sizeof *it);
        if (!it)
            exit(9);
        it->id = i;
        it->weight = i * 0.5;
        insert_after(&head, it);
    }
    struct item *at = head.next;
    int last = 0;
    while (head.next != &head) {
        for (int s = 1; s < k; s++) {
            at = at->next;
            if (at == &head)
                at = at->next;
        }
        struct item *dead = at;
        at = at->next;
        if (at == &head)
            at = at->next;
        last = dead->id;
        unlink_item(dead);
        free(dead);
    }
    return last;
}

int main(void)
{
    CHECK(josephus(7, 3) == 4);
    CHECK(josephus(41, 3) == 31);
    for (int n = 1; n <= 12; n++)
        printf("%d ", josephus(n, 2));
    printf("\n");
    struct item pool[6], head = {&head, &head, 0, -1};
    for (int i = 0; i < 6; i++) {
        pool[i].id = i;
        pool[i].weight = (i * 7 % 5) + 0.25;
        struct item *where = &head; // insertion sort by weight
        while (where->next != &head && where->next->weight < pool[i].weight)
            where = where->next;
        insert_after(where, &pool[i]);
    }
    for (struct item *p = head.prev; p != &head; p = p->prev)
        printf("%d:%g ", p->id, p->weight);
    printf("\n");
    return check_done();
}
