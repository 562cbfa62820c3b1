// run: ir %s
struct hidden;
struct hidden h;
struct list { struct list next; };

int f(struct hidden *p)
{
    struct hidden copy = *p;
    int open[];
    return p->x + sizeof(struct hidden);
}
