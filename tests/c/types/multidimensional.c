// Multi-dimensional arrays as objects, parameters and through pointers.
#include "../check.h"

#define N 4
static double a[N][N], b[N][N], c[N][N];
static int cube[2][3][4];

static void multiply(double x[N][N], double y[][N], double (*z)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            z[i][j] = 0;
            for (int k = 0; k < N; k++)
                z[i][j] += x[i][k] * y[k][j];
        }
}
static double trace(double (*m)[N])
{
    double t = 0;
    for (int i = 0; i < N; i++)
        t += m[i][i];
    return t;
}
static int sum_plane(int plane[3][4])
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            s += plane[i][j];
    return s;
}
static void transpose(double m[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            double t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + 2 * j;
            b[i][j] = i == j ? 2 : 0.5;
        }
    multiply(a, b, c);
    CHECK(trace(c) == 63);
    transpose(a);
    CHECK(a[3][1] == 1 + 6 && a[1][3] == 3 + 2);
    int n = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = n++;
    CHECK(sum_plane(cube[1]) == 210 && *(*(*(cube + 1) + 2) + 3) == 23);
    int (*plane)[3][4] = &cube[1];
    int *row = (*plane)[1];
    CHECK(row[2] == 18 && sizeof *plane == 48 && sizeof cube[0][0] == 16);
    int jagged[3][3] = {{1}, {2, 3}, {4, 5, 6}};
    int total = 0;
    for (int *p = &jagged[0][0], i = 0; i < 9; i++)
        total += (p == *jagged) * jagged[i / 3][i % 3];
    CHECK(total == 21);
    for (int i = 0; i < N; i++)
        printf("%g %g\n", c[i][0], c[i][3]);
    return check_done();
}
