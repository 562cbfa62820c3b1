/* 2-D convolution, ReLU, max pooling with indices, float weights. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#define H 8
#define W 8
#define K 3
float __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
extern int enzyme_const;

static float net(const float *restrict image, const float *restrict filter, const float *restrict dense)
{
    float conv[H - K + 1][W - K + 1];
    for (int i = 0; i + K <= H; i++)
        for (int j = 0; j + K <= W; j++) {
            float s = 0.f;
            for (int a = 0; a < K; a++)
                for (int b = 0; b < K; b++)
                    s += image[(i + a) * W + j + b] * filter[a * K + b];
            conv[i][j] = s > 0.f ? s : 0.01f * s;
        }
    float out = 0.f;
    int at = 0;
    for (int i = 0; i < H - K + 1; i += 2)
        for (int j = 0; j < W - K + 1; j += 2) {
            float best = -FLT_MAX;
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    if (conv[i + a][j + b] > best)
                        best = conv[i + a][j + b];
            out += dense[at++] * best;
        }
    return out;
}

int main(void)
{
    float image[H * W], filter[K * K], dense[9], dfilter[K * K] = {0}, ddense[9] = {0};
    for (int i = 0; i < H * W; i++)
        image[i] = sinf(0.37f * i * i);
    for (int i = 0; i < K * K; i++)
        filter[i] = 0.25f * (i - 3);
    for (int i = 0; i < 9; i++)
        dense[i] = 0.5f - 0.1f * i;
    __enzyme_autodiff((void *)net, enzyme_const, image, enzyme_dup, filter, dfilter, enzyme_dup, dense, ddense);
    /* Piecewise linear and homogeneous in both: Euler's identity, and differences without truncation error. */
    double value = net(image, filter, dense), a = 0, b = 0;
    for (int i = 0; i < 9; i++) {
        a += (double)filter[i] * dfilter[i];
        b += (double)dense[i] * ddense[i];
    }
    if (!(fabs(a - value) < 1e-4 && fabs(b - value) < 1e-4)) {
        printf("value %g, by filter %g, by dense %g\n", value, a, b);
        return 1;
    }
    for (int i = 0; i < 9; i++) {
        float keep = filter[i];
        filter[i] = keep + 1e-3f;
        float p = net(image, filter, dense);
        filter[i] = keep - 1e-3f;
        float m = net(image, filter, dense);
        filter[i] = keep;
        if (!(fabs((p - m) / 2e-3 - dfilter[i]) < 2e-2)) {
            printf("filter[%d]: %g vs %g\n", i, dfilter[i], (p - m) / 2e-3);
            return 1;
        }
    }
    return 0;
}
