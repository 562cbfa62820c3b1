// run: ir %s
int f(int n)
{
    if (n > 0) {
        n--;
    }}
    return n;
}

int g(void) { return f(3); }
