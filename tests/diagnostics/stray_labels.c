// run: ir %s
int f(int n)
{
    case 3:
    break;
    continue;
    goto nowhere;
twice:
    n++;
twice:
    return n;
    else n = 3;
}
