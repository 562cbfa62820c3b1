// run: emit %s
/* What a choice between a pointer to anything and one to a struct leads to is not that struct, until it is said again. */
struct tree { int stamp; struct tree *master; };

int stamp_of(struct tree *master, void *data)
{
    void *chosen = master ? master : data;
    return ((struct tree *)chosen)->stamp;
}

int stamp_behind(void *data, struct tree *t)
{
    return ((struct tree *)(t->master ? t->master : data))->stamp;
}
