// flags: -lm
// Image filters over a strided view: reflected borders, separable kernels, a median, morphological operators from a macro, 8-bit saturation.
#include "../check.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint8_t *data; int width, height; ptrdiff_t stride; } image;
static inline int reflect(int i, int n) { for (;;) { if (i < 0) i = -1 - i; else if (i >= n) i = 2 * n - 1 - i; else return i; } }
static inline uint8_t *at(const image *m, int x, int y) { return m->data + reflect(y, m->height) * m->stride + reflect(x, m->width); }
static inline uint8_t saturate(float v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)(v + 0.5f); }
typedef uint8_t (*pixel_op)(const image *, int, int, const void *);

static void apply(const image *from, image *to, pixel_op op, const void *data)
{
    for (int y = to->height; --y >= 0;)
        for (int x = 0; x < to->width; ++x)
            to->data[y * to->stride + x] = op(from, x, y, data);
}
struct kernel { int radius; const float *w; int vertical; };
static uint8_t separable(const image *m, int x, int y, const void *data)
{
    const struct kernel *k = data;
    float s = 0;
    for (int i = -k->radius; i <= k->radius; i++)
        s += k->w[i + k->radius] * *(k->vertical ? at(m, x, y + i) : at(m, x + i, y));
    return saturate(s);
}
static uint8_t median(const image *m, int x, int y, const void *data)
{
    int radius = *(const int *)data, n = 0;
    uint8_t window[49];
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            uint8_t v = *at(m, x + i, y + j);
            int p = n++;
            while (p > 0 && window[p - 1] > v) {
                window[p] = window[p - 1];
                p--;
            }
            window[p] = v;
        }
    return window[n / 2];
}
#define MORPHOLOGY(name, less) \
    static uint8_t name(const image *m, int x, int y, const void *data) \
    { \
        uint8_t best = *at(m, x, y); \
        (void)data; \
        for (int k = 0; k < 9; k++) { \
            uint8_t v = *at(m, x + k % 3 - 1, y + k / 3 - 1); \
            if (v less best) \
                best = v; \
        } \
        return best; \
    }
MORPHOLOGY(erode, <)
MORPHOLOGY(dilate, >)
static unsigned digest(const image *m)
{
    unsigned h = 2166136261u;
    for (int y = 0; y < m->height; y++)
        for (const uint8_t *p = m->data + y * m->stride, *end = p + m->width; p != end; p++)
            h = (h ^ *p) * 16777619u;
    return h;
}
int main(void)
{
    enum { W = 23, H = 17 };
    uint8_t store[2][H + 2][W + 5];
    memset(store, 0xee, sizeof store);
    image a = {&store[0][1][2], W, H, W + 5}, b = {&store[1][1][2], W, H, W + 5};
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            a.data[y * a.stride + x] = (uint8_t)(x * 11 + y * 7 + (x * y % 5 == 0 ? 90 : 0));
    static const float w[] = {0.25f, 0.5f, 0.25f}, sharp[] = {-0.5f, 2, -0.5f};
    const struct kernel steps[] = {{1, w, 0}, {1, w, 1}, {1, sharp, 0}, {.radius = 1, .w = sharp, .vertical = 1}};
    image *from = &a, *to = &b;
    for (unsigned k = 0; k < sizeof steps / sizeof *steps; k++) {
        apply(from, to, separable, &steps[k]);
        image *t = from;
        from = to, to = t;
        printf("%08x\n", digest(from));
    }
    int radius = 2;
    apply(from, to, median, &radius);
    printf("%08x\n", digest(to));
    apply(to, from, erode, NULL);
    apply(from, to, dilate, NULL);
    printf("%08x\n", digest(to));
    for (int y = 0; y < H; y++)
        CHECK(store[0][y + 1][1] == 0xee && store[1][y + 1][W + 2] == 0xee);
    CHECK(store[0][0][5] == 0xee && reflect(-3, 10) == 2 && reflect(25, 10) == 5);
    return check_done();
}
