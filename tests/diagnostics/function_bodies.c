// run: ir %s
int f(int a, b)
{
    return a + b;
}

int g(int a) int b;
{
    return a;
}

int h(void)
    return 3;
}

int k() { return 1 }
