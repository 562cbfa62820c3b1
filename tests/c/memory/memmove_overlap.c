// memmove over overlapping ranges, against hand-written loops.
#include "../check.h"
#include <string.h>

static void my_move(unsigned char *to, const unsigned char *from, size_t n)
{
    if (to < from)
        while (n--)
            *to++ = *from++;
    else
        while (n--)
            to[n] = from[n];
}

int main(void)
{
    unsigned char a[32], b[32];
    for (int from = 0; from < 16; from += 3)
        for (int to = 0; to < 16; to += 2) {
            for (int i = 0; i < 32; i++)
                a[i] = b[i] = (unsigned char)(i * 7);
            memmove(a + to, a + from, 12);
            my_move(b + to, b + from, 12);
            CHECK(memcmp(a, b, 32) == 0);
        }
    double d[6] = {1, 2, 3, 4, 5, 6};
    memmove(d + 1, d, 5 * sizeof *d);
    CHECK(d[1] == 1 && d[5] == 5 && d[0] == 1);
    memmove(d, d + 2, 4 * sizeof *d);
    printf("%g %g %g %g %g %g\n", d[0], d[1], d[2], d[3], d[4], d[5]);
    int v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int i = 7; i > 2; i--) // insert in the middle by shifting
        v[i] = v[i - 1];
    v[2] = 99;
    for (int i = 0; i < 7; i++) // erase the first
        v[i] = v[i + 1];
    for (int i = 0; i < 8; i++)
        printf("%d ", v[i]);
    printf("\n");
    CHECK(v[1] == 99 && v[7] == 6);
    return check_done();
}
