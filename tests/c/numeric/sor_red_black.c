// Red-black successive over-relaxation with convergence test.
#include "../check.h"

#define N 16
static int solve(double u[N][N], double omega, double tolerance)
{
    for (int it = 1; it < 5000; it++) {
        double change = 0;
        for (int color = 0; color < 2; color++)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1 + (i + color) % 2; j < N - 1; j += 2) {
                    double average = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                    double d = omega * (average - u[i][j]);
                    u[i][j] += d;
                    if (d < 0)
                        d = -d;
                    if (d > change)
                        change = d;
                }
        if (change < tolerance)
            return it;
    }
    return -1;
}

int main(void)
{
    double u[N][N], v[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) // x*y is harmonic
            u[i][j] = v[i][j] = i == 0 || j == 0 || i == N - 1 || j == N - 1 ? i * j : 0;
    int slow = solve(v, 1.0, 1e-9), fast = solve(u, 1.7, 1e-9);
    CHECK(slow > fast && fast > 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            CHECK_NEAR(u[i][j], i * j, 1e-6);
            CHECK_NEAR(v[i][j], i * j, 1e-6);
        }
    printf("%d %d\n", slow, fast);
    return check_done();
}
