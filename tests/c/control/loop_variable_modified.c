// Loop variables and bounds changed inside the body.
#include "../check.h"

int main(void)
{
    int hits = 0;
    for (int i = 0; i < 20; i++) {
        hits++;
        if (i == 5)
            i = 10;
        if (i % 4 == 3)
            i++;
    }
    printf("%d\n", hits);
    int n = 10, rounds = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0 && n < 15)
            n++;
        rounds++;
    }
    CHECK(n == 15 && rounds == 15);
    int a[10] = {1, 2, 0, 3, 0, 0, 4, 5, 0, 6}, length = 10;
    for (int i = 0; i < length; i++)
        if (a[i] == 0) {
            for (int j = i; j + 1 < length; j++)
                a[j] = a[j + 1];
            length--;
            i--;
        }
    CHECK(length == 6 && a[5] == 6 && a[2] == 3);
    int k;
    int *p = &k; // the loop variable's address escapes
    int seen = 0;
    for (k = 0; k < 10; k++) {
        seen += k;
        if (k == 4)
            *p = 7;
    }
    CHECK(seen == 0 + 1 + 2 + 3 + 4 + 8 + 9 && k == 10);
    int last = -1;
    for (int i = 0; i < 5; i++) {
        int i_squared = i * i;
        int shadow = i;
        {
            int i = 100; // shadows the loop variable
            shadow += i;
        }
        last = shadow + i_squared;
    }
    CHECK(last == 120);
    printf("%d %d %d\n", hits, rounds, last);
    return check_done();
}
