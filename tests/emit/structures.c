// run: emit %s
typedef struct node {
    double value;
    struct node *next;
    unsigned flags : 3, mark : 1;
} node;

double total(const node *list, int *marked)
{
    double sum = 0.0;
    *marked = 0;
    for (; list; list = list->next) {
        sum += list->value;
        if (list->mark)
            ++*marked;
    }
    return sum;
}

node make(double value, node *next)
{
    return (node){.value = value, .next = next, .flags = 5};
}
