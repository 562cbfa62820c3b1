// run: ir %s -- -ffreestanding
int sum(const int *x, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

/* A bound is computed once, in front of the loop. */
int half(const int *x, int n)
{
    int s = 0;
    for (int i = 0; i < n / 2; i++)
        s += x[i];
    return s;
}

/* Also one that can trap: the test comes first. */
int share(const int *x, int n, int parts)
{
    int s = 0;
    for (int i = 0; i < n / parts; i++)
        s += x[i];
    return s;
}
