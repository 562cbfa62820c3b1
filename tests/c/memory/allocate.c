// malloc, calloc, realloc and free.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

static int *range(int n)
{
    int *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; v && i < n; i++)
        v[i] = i;
    return v;
}

int main(void)
{
    int *v = range(10);
    double *z = calloc(16, sizeof *z);
    char *text = malloc(8);
    if (!v || !z || !text)
        return 9;
    for (int i = 0; i < 16; i++)
        CHECK(z[i] == 0.0);
    strcpy(text, "growing");
    text = realloc(text, 64);
    if (!text)
        return 9;
    strcat(text, " and growing");
    CHECK(strlen(text) == 19);
    int *w = realloc(v, 1000 * sizeof *w);
    if (!w)
        return 9;
    for (int i = 10; i < 1000; i++)
        w[i] = w[i - 10] + 1;
    long s = 0;
    for (int i = 0; i < 1000; i++)
        s += w[i];
    printf("%ld %s\n", s, text);
    w = realloc(w, 5 * sizeof *w);
    if (!w)
        return 9;
    CHECK(w[4] == 4);
    int *fresh = realloc(NULL, 4 * sizeof *fresh);
    if (!fresh)
        return 9;
    fresh[3] = 1;
    free(NULL);
    free(fresh);
    free(w);
    free(z);
    free(text);
    for (int round = 0; round < 100; round++) {
        unsigned char *p = malloc((size_t)round + 1);
        if (!p)
            return 9;
        memset(p, round, (size_t)round + 1);
        CHECK(p[round] == round);
        free(p);
    }
    return check_done();
}
