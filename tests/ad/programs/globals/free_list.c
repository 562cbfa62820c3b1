/* A list and a free list that keep their nodes between calls. */
#include "check.h"

typedef struct Node {
    double val;
    struct Node *next;
} Node;
static Node *head, *freelist;
static int live;
static Node *node(double v)
{
    Node *p = freelist;
    if (p)
        freelist = p->next;
    else
        p = malloc(sizeof *p);
    p->val = v;
    p->next = NULL;
    live++;
    return p;
}
static void push(double v)
{
    Node *p = node(v);
    p->next = head;
    head = p;
}
static void clear(void)
{
    while (head) {
        Node *p = head;
        head = p->next;
        p->next = freelist;
        freelist = p;
        live--;
    }
}
double f(const double *x, int n)
{
    clear();
    for (int i = 0; i < n; i++)
        push(x[i] * x[i]);
    double s = 0;
    int k = 1;
    for (Node *p = head; p; p = p->next, k++) {
        p->val = p->val * k + (p->next ? p->next->val : 0);
        s += sin(p->val);
    }
    return s;
}
int main(void)
{
    int s[] = {3, 7, 2, 10};
    for (int k = 0; k < 4; k++)
        CHECK(f, s[k]);
    return failures != 0;
}
