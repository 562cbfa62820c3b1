// Escape-time fractal with complex iteration.
#include "../check.h"
#include <complex.h>

static int escape(double complex c, int limit)
{
    double complex z = 0;
    int n = 0;
    while (n < limit && creal(z) * creal(z) + cimag(z) * cimag(z) <= 4) {
        z = z * z + c;
        n++;
    }
    return n;
}

int main(void)
{
    const char shades[] = " .:-=+*#%@";
    int inside = 0;
    for (int y = -10; y <= 10; y += 2) {
        for (int x = -20; x <= 8; x++) {
            int n = escape(x * 0.1 + y * 0.1 * I, 60);
            inside += n == 60;
            putchar(shades[n % 10]);
        }
        putchar('\n');
    }
    CHECK(escape(0, 50) == 50 && escape(2 + 2 * I, 50) == 1 && escape(-1, 50) == 50);
    printf("%d\n", inside);
    return check_done();
}
