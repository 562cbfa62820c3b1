// run: ir %s -f dispatch
int dispatch(int which)
{
    void *targets[] = {&&first, &&second};
    goto *targets[which];
first:
    return 1;
second:
    return 2;
}
