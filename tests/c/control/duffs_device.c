// Duff's device: a switch whose cases lie inside a loop.
#include "../check.h"

static void copy(short *to, const short *from, int count)
{
    int n = (count + 7) / 8;
    if (count <= 0)
        return;
    switch (count % 8) {
    case 0: do { *to++ = *from++; /* fall through */
    case 7:      *to++ = *from++; /* fall through */
    case 6:      *to++ = *from++; /* fall through */
    case 5:      *to++ = *from++; /* fall through */
    case 4:      *to++ = *from++; /* fall through */
    case 3:      *to++ = *from++; /* fall through */
    case 2:      *to++ = *from++; /* fall through */
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

static long sum4(const int *v, int n)
{
    long s = 0;
    int i = 0;
    switch (n & 3) {
        for (; i < n;) {
    case 0: s += v[i++]; /* fall through */
    case 3: s += v[i++]; /* fall through */
    case 2: s += v[i++]; /* fall through */
    case 1: s += v[i++];
        }
    }
    return s;
}

int main(void)
{
    short source[50], target[50];
    int v[20];
    for (int i = 0; i < 50; i++)
        source[i] = (short)(i * 3 + 1);
    for (int n = 0; n <= 40; n++) {
        for (int i = 0; i < 50; i++)
            target[i] = -1;
        copy(target, source, n);
        for (int i = 0; i < 50; i++)
            CHECK(target[i] == (i < n ? source[i] : -1));
    }
    for (int i = 0; i < 20; i++)
        v[i] = i + 1;
    for (int n = 1; n <= 20; n++)
        CHECK(sum4(v, n) == n * (n + 1) / 2);
    printf("%ld\n", sum4(v, 19));
    return check_done();
}
