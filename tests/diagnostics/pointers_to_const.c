// run: ir %s
struct config { const int limit; int used; };

int f(const struct config *c, const char *name, int *const fixed)
{
    c->used = 3;
    name[0] = 'x';
    fixed = 0;
    *fixed = 1;
    struct config d = {1, 2};
    d.limit = 4;
    c->limit++;
    return d.used;
}
