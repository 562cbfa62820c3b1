// run: ir %s
int f(void)
{
    return 1 +