// run: ir %s --after lower -- -ffreestanding
int sum(const int *x, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}
