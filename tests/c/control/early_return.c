// Returns from many depths, and values on all paths.
#include "../check.h"

static int first_negative(const int *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i] < 0)
            return i;
    return -1;
}

static int classify(int x)
{
    if (x == 0)
        return 0;
    while (x > 0) {
        if (x % 7 == 0)
            return 7;
        for (int k = 2; k < 5; k++) {
            if (x % k == 0) {
                if (x > 50)
                    return k * 10;
                break;
            }
            if (k == 4)
                return 1;
        }
        x -= 3;
    }
    return -1;
}

static void fill(int *out, int stop)
{
    for (int i = 0; i < 10; i++) {
        if (i == stop)
            return;
        out[i] = i + 1;
    }
    out[0] = 99;
}

static double newton(double a)
{
    double x = a;
    for (int it = 0; it < 100; it++) {
        double step = (x * x - a) / (2 * x);
        if (step == 0 || (step < 1e-14 && step > -1e-14))
            return x - step;
        x -= step;
    }
    return -1;
}

int main(void)
{
    int v[] = {3, 1, 4, -1, 5};
    CHECK(first_negative(v, 5) == 3 && first_negative(v, 3) == -1);
    for (int x = -2; x < 100; x += 9)
        printf("%d ", classify(x));
    printf("\n");
    int out[10] = {0};
    fill(out, 4);
    CHECK(out[3] == 4 && out[4] == 0 && out[0] == 1);
    fill(out, 100);
    CHECK(out[0] == 99 && out[9] == 10);
    printf("%.12g\n", newton(10));
    return check_done();
    printf("unreachable\n");
}
