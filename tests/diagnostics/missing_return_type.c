// run: ir %s
square(x) int x;
{
    return x * x;
}

static count = 3;

int g(void) { return square(count); }
