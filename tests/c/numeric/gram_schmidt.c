// flags: -lm
// Modified Gram-Schmidt over 2-D VLAs.
#include "../check.h"
#include <math.h>

static int orthonormalise(int n, int m, double v[n][m])
{
    int rank = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < rank; k++) {
            double p = 0;
            for (int j = 0; j < m; j++)
                p += v[i][j] * v[k][j];
            for (int j = 0; j < m; j++)
                v[i][j] -= p * v[k][j];
        }
        double norm = 0;
        for (int j = 0; j < m; j++)
            norm += v[i][j] * v[i][j];
        norm = sqrt(norm);
        if (norm < 1e-9)
            continue;
        for (int j = 0; j < m; j++)
            v[rank][j] = v[i][j] / norm;
        rank++;
    }
    return rank;
}

int main(void)
{
    int n = 5, m = 6;
    double v[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            v[i][j] = i == 3 ? v[0][j] + 2 * v[1][j] : (i + 1) * (j + 2) % 5 + 0.25 * i;
    int rank = orthonormalise(n, m, v);
    CHECK(rank == 4);
    for (int a = 0; a < rank; a++)
        for (int b = 0; b < rank; b++) {
            double s = 0;
            for (int j = 0; j < m; j++)
                s += v[a][j] * v[b][j];
            CHECK_NEAR(s, a == b, 1e-12);
        }
    for (int i = 0; i < rank; i++)
        printf("%.10f ", fabs(v[i][2]));
    printf("\n");
    return check_done();
}
