// run: ir %s
int f(int n)
{
    switch (n) {
    case 1:
        return 2;
    case 2 ... 5:
        return 3;
    case 4:
        return 4;
    default:
        return 5;
    default:
        return 6;
    case n:
        return 7;
    }
}
