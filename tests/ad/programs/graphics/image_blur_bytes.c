/* A pipeline on an image given as unsigned char, filtered in double with an active kernel width; clamped borders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char byte;
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
extern int enzyme_out;

static int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

double sharpness(double sigma, const byte *image, int w, int h)
{
    double kernel[7], norm = 0, *tmp = malloc(sizeof(double) * w * h), result = 0;
    for (int i = -3; i <= 3; i++)
        norm += kernel[i + 3] = exp(-i * i / (2 * sigma * sigma));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double s = 0;
            for (int i = -3; i <= 3; i++)
                s += kernel[i + 3] / norm * image[y * w + clampi(x + i, 0, w - 1)];
            tmp[y * w + x] = s / 255.0;
        }
    for (int y = 0; y < h - 1; y++)
        for (int x = 0; x < w - 1; x++) {
            double gx = tmp[y * w + x + 1] - tmp[y * w + x], gy = tmp[(y + 1) * w + x] - tmp[y * w + x];
            result += gx * gx + gy * gy;
        }
    free(tmp);
    return result;
}

int main(void)
{
    byte image[9 * 8];
    for (int i = 0; i < 72; i++)
        image[i] = (byte)(i * 37 + (i * i) % 11);
    double g = __enzyme_autodiff((void *)sharpness, enzyme_out, 1.3, enzyme_const, image, enzyme_const, 9, enzyme_const, 8);
    double fd = (sharpness(1.3 + 1e-6, image, 9, 8) - sharpness(1.3 - 1e-6, image, 9, 8)) / 2e-6;
    if (!(fabs(g - fd) < 1e-7 * (1 + fabs(fd)))) {
        printf("sigma: %.10g vs %.10g\n", g, fd);
        return 1;
    }
    return 0;
}
