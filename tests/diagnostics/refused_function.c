// run: ir %s -f dispatch
int dispatch(int which)
{
    __asm__("nop");
    return which;
}
