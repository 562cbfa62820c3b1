// run: ir %s
int f(int a)
{
    int b = a + 1
    int c = b * 2;
    b += c
    return b;
}
