// Arrays of pointers to rows of variable length, and pointers to those.
#include <stdio.h>
#include <stdlib.h>

static double total(int n, double (*u[3])[n])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < n; j++)
                sum += u[k][i][j] * (k + 1) * (j + 1);
    return sum;
}

static double turns(int n)
{
    double (*u[3])[n];
    for (int k = 0; k < 3; k++)
        u[k] = calloc(2, sizeof *u[k]);
    u[1][1][2] = 1;
    for (int t = 0; t < 4; t++) {
        double (*old)[n] = u[t % 3], (*now)[n] = u[(t + 1) % 3], (*next)[n] = u[(t + 2) % 3];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < n; j++)
                next[i][j] = 2 * now[1 - i][(j + 1) % n] - old[i][j] / 2;
    }
    double sum = total(n, u);
    for (int k = 0; k < 3; k++)
        free(u[k]);
    return sum;
}

static double by_address(int n)
{
    double a[2][n], b[2][n];
    for (int j = 0; j < n; j++) {
        a[0][j] = a[1][j] = j;
        b[0][j] = b[1][j] = -j;
    }
    double (*rows[2][2])[n] = {{a, b}, {b, a}};
    double (**which)[n] = &rows[0][1], (*(*pair)[2])[n] = &rows[1];
    (*which)[1][2] = 7;
    which++;
    return (*which)[1][2] + (*pair)[1][0][3] + (*pair[-1][0])[1] + (long)sizeof **which / (long)sizeof(double);
}

int main(void)
{
    printf("%.12g %.12g\n", turns(5), by_address(4));
    return 0;
}
