// Nested switches, on enums and characters, with negative cases.
#include "../check.h"

enum shape { CIRCLE, SQUARE, TRIANGLE };
enum mode { AREA = -1, PERIMETER = -2 };

static double measure(enum shape s, enum mode m, double x)
{
    switch (s) {
    case CIRCLE:
        switch (m) {
        case AREA: return 3 * x * x;
        case PERIMETER: return 6 * x;
        }
        break;
    case SQUARE:
        switch (m) {
        case PERIMETER: x *= 4; break;
        case AREA: x *= x; break;
        }
        return x;
    case TRIANGLE: {
        double h = x * 0.875;
        switch (m) {
        default: h = -1; break;
        case AREA: h = h * x / 2; break;
        case PERIMETER: return 3 * x;
        }
        return h;
    }
    }
    return -2;
}

static int command(const char *c)
{
    switch (c[0]) {
    case 'g':
        switch (c[1]) {
        case 'o': return 1;
        case 'e':
            switch (c[2]) {
            case 't': return 2;
            case 0: return 3;
            }
            return 4;
        }
        /* fall through */
    case 'x':
        return 5;
    case '\0':
        return 6;
    }
    return 7;
}

int main(void)
{
    for (int s = CIRCLE; s <= TRIANGLE; s++)
        for (int m = -2; m <= -1; m++)
            printf("%.17g ", measure((enum shape)s, (enum mode)m, 1.5));
    printf("\n");
    const char *inputs[] = {"go", "get", "ge", "gex", "gz", "x", "", "q"};
    for (int i = 0; i < 8; i++) {
        printf("%d ", command(inputs[i]));
    }
    printf("\n");
    CHECK(command("get") == 2 && command("gz") == 5);
    return check_done();
}
