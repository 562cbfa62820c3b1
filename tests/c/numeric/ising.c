// flags: -lm
// Metropolis Ising model on bytes with a probability table.
#include "../check.h"
#include <math.h>
#include <stdint.h>

#define L 16
static signed char spin[L][L];
static uint32_t state = 2463534242u;
static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}
static int neighbours(int i, int j) { return spin[(i + 1) % L][j] + spin[(i + L - 1) % L][j] + spin[i][(j + 1) % L] + spin[i][(j + L - 1) % L]; }

static int sweep(const uint32_t *threshold)
{
    int accepted = 0;
    for (int n = 0; n < L * L; n++) {
        int i = (int)(next() % L), j = (int)(next() % L), de = 2 * spin[i][j] * neighbours(i, j);
        if (de <= 0 || next() < threshold[de / 4]) {
            spin[i][j] = (signed char)-spin[i][j];
            accepted++;
        }
    }
    return accepted;
}

int main(void)
{
    const double temperatures[] = {1.5, 5.0};
    int result[2];
    for (int t = 0; t < 2; t++) {
        uint32_t threshold[3];
        for (int k = 0; k < 3; k++)
            threshold[k] = (uint32_t)(floor(exp(-4.0 * k / temperatures[t]) * 4294967295.0 / 65536) * 65536);
        for (int i = 0; i < L; i++)
            for (int j = 0; j < L; j++)
                spin[i][j] = 1;
        int accepted = 0, m = 0, energy = 0;
        for (int s = 0; s < 60; s++)
            accepted += sweep(threshold);
        for (int i = 0; i < L; i++)
            for (int j = 0; j < L; j++) {
                m += spin[i][j];
                energy -= spin[i][j] * neighbours(i, j);
            }
        result[t] = m;
        printf("%d %d %d\n", accepted, m, energy / 2);
    }
    CHECK(result[0] > 200 && result[1] < 150 && result[1] > -150);
    return check_done();
}
