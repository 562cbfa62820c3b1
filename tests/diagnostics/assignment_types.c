// run: ir %s
struct a { int x; };
struct b { int x; };

int f(struct a a, struct b b, int *p, double d)
{
    a = b;
    p = d;
    int n = a;
    const int k = 3;
    k = 4;
    3 = n;
    f = 0;
    return *d + p[a];
}
