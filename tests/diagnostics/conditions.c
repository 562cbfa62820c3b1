// run: ir %s
struct s { int x; };

int f(struct s s, double d)
{
    if (s)
        return 1;
    while (s) {
    }
    for (; s;) {
    }
    switch (d) {
    case 1:
        return 2;
    }
    return s ? 1 : 2;
}
