// refuses: main
// flags: -fopenmp
// depend clauses order tasks; a wavefront over blocks.
#include "../check.h"

#define N 6
static int cell[N + 1][N + 1];

int main(void)
{
    int x = 1, y = 0, z = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        x = 5;
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
        y = x * 2;
#pragma omp task depend(in : x) depend(out : z) shared(x, z)
        z = x + 1;
#pragma omp task depend(in : y, z) depend(inout : x) shared(x, y, z)
        x += y * z;
    }
    CHECK(x == 65 && y == 10 && z == 6);
    for (int i = 0; i <= N; i++)
        cell[i][0] = cell[0][i] = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j]) firstprivate(i, j)
            cell[i][j] = cell[i - 1][j] + cell[i][j - 1];
        }
    CHECK(cell[N][N] == 924);
    printf("%d %d\n", x, cell[N][N]);
    return check_done();
}
