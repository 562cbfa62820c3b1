// flags: -lm
// Convolution, batch norm, relu and max pooling as a small network layer.
#include "../check.h"
#include <math.h>

enum { B = 2, C = 2, OC = 3, SIZE = 8, K = 3, OUT = SIZE - K + 1, POOLED = OUT / 2 };
static float input[B][C][SIZE][SIZE], kernel[OC][C][K][K], conv[B][OC][OUT][OUT], pooled[B][OC][POOLED][POOLED];

static void convolve(void)
{
    for (int b = 0; b < B; b++)
        for (int o = 0; o < OC; o++)
            for (int y = 0; y < OUT; y++)
                for (int x = 0; x < OUT; x++) {
                    float s = 0;
                    for (int c = 0; c < C; c++)
                        for (int i = 0; i < K; i++)
                            for (int j = 0; j < K; j++)
                                s += input[b][c][y + i][x + j] * kernel[o][c][i][j];
                    conv[b][o][y][x] = s;
                }
}
static void batch_norm_relu(void)
{
    for (int o = 0; o < OC; o++) {
        float mean = 0, var = 0;
        const int plane = OUT * OUT;
        for (int b = 0; b < B; b++)
            for (int k = 0; k < plane; k++)
                mean += conv[b][o][k / OUT][k % OUT];
        mean /= B * plane;
        for (int b = 0; b < B; b++)
            for (int k = 0; k < plane; k++)
                var += powf(conv[b][o][k / OUT][k % OUT] - mean, 2);
        var /= B * plane;
        float scale = 1 / sqrtf(var + 1e-5f);
        for (int b = 0; b < B; b++)
            for (int k = 0; k < plane; k++) {
                float *v = &conv[b][o][k / OUT][k % OUT];
                *v = fmaxf(0, (*v - mean) * scale);
            }
    }
}
static void pool(void)
{
    for (int b = 0; b < B; b++)
        for (int o = 0; o < OC; o++)
            for (int y = 0; y < POOLED; y++)
                for (int x = 0; x < POOLED; x++) {
                    float m = conv[b][o][2 * y][2 * x];
                    for (int i = 0; i < 4; i++)
                        m = fmaxf(m, conv[b][o][2 * y + i / 2][2 * x + i % 2]);
                    pooled[b][o][y][x] = m;
                }
}

int main(void)
{
    for (int b = 0; b < B; b++)
        for (int c = 0; c < C; c++)
            for (int k = 0; k < SIZE * SIZE; k++)
                input[b][c][k / SIZE][k % SIZE] = (float)((k * 5 + b * 3 + c * 7) % 11) / 11;
    for (int k = 0; k < OC * C * K * K; k++)
        kernel[k / (C * K * K)][k / (K * K) % C][k / K % K][k % K] = (float)(k * 13 % 9 - 4) / 9;
    convolve();
    batch_norm_relu();
    pool();
    float total = 0;
    for (int b = 0; b < B; b++)
        for (int o = 0; o < OC; o++)
            for (int k = 0; k < POOLED * POOLED; k++) {
                CHECK(pooled[b][o][k / POOLED][k % POOLED] >= 0);
                total += pooled[b][o][k / POOLED][k % POOLED];
            }
    printf("%.3f %.4f\n", (double)total, (double)pooled[1][2][1][1]);
    return check_done();
}
