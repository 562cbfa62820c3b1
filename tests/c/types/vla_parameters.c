// Variable-length array parameters, pointers to VLAs, typedefs of VLAs.
#include "../check.h"
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wvla-parameter"

static void fill(int n, int m, double a[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 10 + j;
}
static double column_sum(int n, int m, double (*a)[m], int j)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i][j];
    return s;
}
static void multiply(int n, int k, int m, double c[restrict n][m], double a[n][k], double b[k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int l = 0; l < k; l++)
                s += a[i][l] * b[l][j];
            c[i][j] = s;
        }
}
static size_t row_size(int n, int m, char a[][n + m]) { return sizeof a[0]; }
static int star(int n, int v[n]);
static int last(int n, int (*v)[*]);
static int last(int n, int (*v)[n]) { return (*v)[n - 1] + (int)sizeof *v; }
static int star(int n, int v[n]) { return v[n - 1]; }
static double volume(int x, int y, int z, double b[x][y][z])
{
    double s = 0;
    for (int i = 0; i < x; i++)
        for (int j = 0; j < y; j++)
            for (int k = 0; k < z; k++)
                s += b[i][j][k];
    return s + (double)sizeof b[0];
}

int main(void)
{
    int n = 3, m = 5;
    double a[n][m];
    fill(n, m, a);
    CHECK(a[2][4] == 24 && column_sum(n, m, a, 1) == 33);
    double (*h)[m] = malloc(sizeof(double[n][m]));
    if (!h)
        return 9;
    fill(n, m, h);
    CHECK(h[1][3] == 13 && sizeof *h == 40 && (char *)(h + 1) - (char *)h == 40);
    typedef double row[m];
    m = 2; // the typedef keeps the old length
    CHECK(sizeof(row) == 40);
    row r;
    r[4] = 1;
    double x[2][3] = {{1, 2, 3}, {4, 5, 6}}, y[3][2] = {{1, 0}, {0, 1}, {1, 1}}, z[2][2];
    multiply(2, 3, 2, z, x, y);
    CHECK(z[0][0] == 4 && z[1][1] == 11);
    char grid[4][7];
    CHECK(row_size(3, 4, grid) == 7);
    int v[] = {1, 2, 3};
    CHECK(star(2, v) == 2 && last(3, &v) == 15);
    double box[2][3][4];
    for (int i = 0; i < 24; i++)
        box[i / 12][i / 4 % 3][i % 4] = i;
    printf("%.17g %.17g\n", volume(2, 3, 4, box), r[4]);
    free(h);
    return check_done();
}
