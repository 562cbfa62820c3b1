// run: ir %s
struct s { int x; };

int f(struct s a, int *p, double d, void *v)
{
    int n = a + 1;
    n = p * 2;
    n = d % 2;
    n = d << 1;
    n = !a;
    n = -p;
    n = *n;
    n = p + p;
    n = &3;
    n = a == a;
    n++ ++;
    return n(3) + *v + a[0];
}
