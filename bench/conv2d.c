// Two-dimensional convolution layer with several channels, in single precision.
#include "kernel.h"

enum { CIN = 8, COUT = 8, H = 64, W = 64, K = 3 };

static float image[CIN][H + K - 1][W + K - 1], weight[COUT][CIN][K][K], bias[COUT], result[COUT][H][W];

static void kernel(void)
{
    for (int o = 0; o < COUT; o++) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                result[o][y][x] = bias[o];
        for (int c = 0; c < CIN; c++)
            for (int ky = 0; ky < K; ky++)
                for (int kx = 0; kx < K; kx++) {
                    float w = weight[o][c][ky][kx];
                    for (int y = 0; y < H; y++)
                        for (int x = 0; x < W; x++)
                            result[o][y][x] += w * image[c][y + ky][x + kx];
                }
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                if (result[o][y][x] < 0.0f)
                    result[o][y][x] = 0.0f;
    }
}

int main(void)
{
    double seconds, sum = 0.0;
    for (int c = 0; c < CIN; c++)
        for (int y = 0; y < H + K - 1; y++)
            for (int x = 0; x < W + K - 1; x++)
                image[c][y][x] = (float)kernel_random();
    for (int o = 0; o < COUT; o++) {
        bias[o] = (float)kernel_random();
        for (int c = 0; c < CIN; c++)
            for (int y = 0; y < K; y++)
                for (int x = 0; x < K; x++)
                    weight[o][c][y][x] = (float)(kernel_random() - 0.5);
    }
    KERNEL_TIME(seconds, 100, kernel());
    for (int o = 0; o < COUT; o++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                sum += (double)result[o][y][x];
    kernel_report(sum, seconds);
    return 0;
}
