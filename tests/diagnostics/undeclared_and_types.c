// run: ir %s
#define TWICE(x) ((x) + missing)
struct point { double x, y; };

int f(int n)
{
    struct point p = {1, 2};
    double y = "abc" * 2;
    p.z = 3;
    return TWICE(n) + unknown;
}

int f(double);
int g(void) { return f(1, 2); }
