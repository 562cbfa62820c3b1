// run: ir %s
struct node { int value; };
typedef unsigned long counter;

node *first(node *list);
conter total;

int f(uint32_t n, struct nod *p)
{
    size_t k = n;
    return k + p->value;
}
