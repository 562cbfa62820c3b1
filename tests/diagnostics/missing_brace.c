// run: ir %s
int f(int n)
{
    for (int i = 0; i < n; i++) {
        if (i == 3)
            return i;
    return 0;
}

int g(void) { return f(3); }
