// Pointers to pointers: output parameters, argument arrays, matrices of rows.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

static int allocate_rows(double ***out, int n, int m)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    if (!rows)
        return -1;
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((size_t)m * sizeof **rows);
        if (!rows[i])
            return -1;
        for (int j = 0; j < m; j++)
            rows[i][j] = i * m + j;
    }
    *out = rows;
    return 0;
}
static double **contiguous(int n, int m)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    double *data = calloc((size_t)n * (size_t)m, sizeof *data);
    if (!rows || !data)
        exit(9);
    for (int i = 0; i < n; i++)
        rows[i] = data + i * m;
    return rows;
}
static void skip_spaces(const char **p) { while (**p == ' ') ++*p; }
static int parse_int(const char **p)
{
    int v = 0;
    skip_spaces(p);
    while (**p >= '0' && **p <= '9')
        v = v * 10 + *(*p)++ - '0';
    return v;
}
static void pick_larger(int **where, int *candidate) { if (!*where || **where < *candidate) *where = candidate; }

int main(void)
{
    double **a;
    if (allocate_rows(&a, 3, 4))
        return 9;
    double *swap = a[0];
    a[0] = a[2];
    a[2] = swap;
    CHECK(a[0][1] == 9 && *a[2] == 0 && *(*(a + 1) + 3) == 7);
    double **t = contiguous(4, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            t[j][i] = a[i][j];
    CHECK(t[0][5] == t[1][2] && t[1][2] == 1); // rows lie behind one another
    const char *text = "  12 7  305";
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += parse_int(&text);
    CHECK(sum == 324 && *text == 0);
    int values[] = {4, 9, 2}, *best = NULL;
    for (int i = 0; i < 3; i++)
        pick_larger(&best, &values[i]);
    CHECK(best == &values[1]);
    *best = 0;
    CHECK(values[1] == 0);
    int x = 5, *p = &x, **pp = &p, ***ppp = &pp;
    ***ppp += 1;
    *pp = &values[2];
    CHECK(x == 6 && **pp == 2);
    printf("%g %d\n", t[3][2], sum);
    for (int i = 0; i < 3; i++)
        free(a[i]);
    free(a);
    free(t[0]);
    free(t);
    return check_done();
}
