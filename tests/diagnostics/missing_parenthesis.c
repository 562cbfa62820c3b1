// run: ir %s
int f(int n)
{
    if (n > 3
        return 1;
    while n > 0)
        n--;
    return (n + 1;
}
