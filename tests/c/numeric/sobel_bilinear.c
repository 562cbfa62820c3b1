// flags: -lm
// Image processing on bytes: sobel, resize, histogram equalisation.
#include "../check.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { int w, h; uint8_t *pixels; } image;
static image make(int w, int h) { return (image){w, h, calloc((size_t)(w * h), 1)}; }
static inline uint8_t *at(const image *i, int x, int y) { return &i->pixels[y * i->w + x]; }
static uint8_t clamp(double v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)(v + 0.5); }

static image sobel(const image *in)
{
    image out = make(in->w, in->h);
    for (int y = 1; y < in->h - 1; y++)
        for (int x = 1; x < in->w - 1; x++) {
            int gx = 0, gy = 0;
            for (int k = -1; k <= 1; k++) {
                int weight = 2 - abs(k);
                gx += weight * (*at(in, x + 1, y + k) - *at(in, x - 1, y + k));
                gy += weight * (*at(in, x + k, y + 1) - *at(in, x + k, y - 1));
            }
            *at(&out, x, y) = clamp(sqrt((double)(gx * gx + gy * gy)));
        }
    return out;
}
static image resize(const image *in, int w, int h)
{
    image out = make(w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double sx = (double)x * (in->w - 1) / (w - 1), sy = (double)y * (in->h - 1) / (h - 1);
            int i = (int)sx, j = (int)sy;
            if (i == in->w - 1) i--;
            if (j == in->h - 1) j--;
            double fx = sx - i, fy = sy - j;
            *at(&out, x, y) = clamp((1 - fy) * ((1 - fx) * *at(in, i, j) + fx * *at(in, i + 1, j)) + fy * ((1 - fx) * *at(in, i, j + 1) + fx * *at(in, i + 1, j + 1)));
        }
    return out;
}
static void equalise(image *im)
{
    unsigned histogram[256] = {0}, total = 0;
    for (int k = 0; k < im->w * im->h; k++)
        histogram[im->pixels[k]]++;
    for (int v = 0; v < 256; v++) {
        total += histogram[v];
        histogram[v] = total;
    }
    for (int k = 0; k < im->w * im->h; k++)
        im->pixels[k] = (uint8_t)(255ull * histogram[im->pixels[k]] / total);
}
static unsigned checksum(const image *im)
{
    unsigned s = 0;
    for (int k = 0; k < im->w * im->h; k++)
        s = s * 31 + im->pixels[k];
    return s;
}

int main(void)
{
    image a = make(24, 20);
    if (!a.pixels)
        return 9;
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++)
            *at(&a, x, y) = (x - 12) * (x - 12) + (y - 10) * (y - 10) < 36 ? 200 : (uint8_t)(x * 4);
    image s = sobel(&a), r = resize(&a, 33, 11);
    CHECK(*at(&s, 0, 0) == 0 && *at(&r, 0, 0) == *at(&a, 0, 0) && *at(&r, 32, 10) == *at(&a, 23, 19));
    printf("%08x %08x\n", checksum(&s), checksum(&r));
    equalise(&a);
    CHECK(*at(&a, 12, 10) == 255);
    printf("%08x\n", checksum(&a));
    free(a.pixels);
    free(s.pixels);
    free(r.pixels);
    return check_done();
}
