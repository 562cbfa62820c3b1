// run: ir %s
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FIELD(p) (p)->value
struct node { int key; };

int f(struct node *p, struct node q)
{
    return MAX(p->key, q) + FIELD(p) + MAX(undefined, 1);
}
