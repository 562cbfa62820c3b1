// switch inside a loop: break leaves the switch, continue the iteration.
#include "../check.h"

static int count_tokens(const char *s, int *numbers, int *operators)
{
    int depth = 0, in_number = 0;
    *numbers = *operators = 0;
    for (; *s; s++) {
        switch (*s) {
        case '0': case '1': case '2': case '3': case '4':
        case '5': case '6': case '7': case '8': case '9':
            if (!in_number)
                ++*numbers;
            in_number = 1;
            continue;
        case ' ':
            break;
        case '(':
            depth++;
            break;
        case ')':
            if (--depth < 0)
                return -1;
            break;
        case '#':
            goto done;
        default:
            ++*operators;
        }
        in_number = 0;
    }
done:
    return depth;
}

int main(void)
{
    int n, o;
    int d = count_tokens("12 + (34 * 5) - ((6)) / 78 # 1 2 3", &n, &o);
    CHECK(d == 0 && n == 5 && o == 4);
    CHECK(count_tokens("1 + 2)", &n, &o) == -1);
    CHECK(count_tokens("((1", &n, &o) == 2);
    int state = 0, out = 0, guard = 0;
    while (guard++ < 100) {
        switch (state) {
        case 0:
            state = 2;
            continue;
        case 1:
            out += 5;
            state = 3;
            break;
        case 2:
            state = 1;
            break;
        case 3:
            if (out > 20)
                state = 4;
            else
                state = 0;
            continue;
        case 4:
            goto finished;
        }
        out++;
    }
finished:
    printf("%d %d\n", out, guard);
    CHECK(out == 21);
    return check_done();
}
