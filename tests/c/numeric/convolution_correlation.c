// Direct convolution, correlation and 2-D filters with borders.
#include "../check.h"

static void convolve(const float *x, int n, const float *h, int m, float *y)
{
    for (int i = 0; i < n + m - 1; i++) {
        float s = 0;
        int lo = i - m + 1 > 0 ? i - m + 1 : 0, hi = i < n - 1 ? i : n - 1;
        for (int k = lo; k <= hi; k++)
            s += x[k] * h[i - k];
        y[i] = s;
    }
}
enum border { ZERO, CLAMP, WRAP };
static double pixel(const double *image, int w, int h, int x, int y, enum border b)
{
    switch (b) {
    case ZERO:
        if (x < 0 || x >= w || y < 0 || y >= h)
            return 0;
        break;
    case CLAMP:
        x = x < 0 ? 0 : x >= w ? w - 1 : x;
        y = y < 0 ? 0 : y >= h ? h - 1 : y;
        break;
    case WRAP:
        x = (x % w + w) % w;
        y = (y % h + h) % h;
        break;
    }
    return image[y * w + x];
}
static void filter(const double *in, double *out, int w, int h, const double k[3][3], enum border b)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double s = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    s += k[dy + 1][dx + 1] * pixel(in, w, h, x + dx, y + dy, b);
            out[y * w + x] = s;
        }
}

int main(void)
{
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, h[3] = {0.25f, 0.5f, 0.25f}, y[10];
    convolve(x, 8, h, 3, y);
    CHECK(y[0] == 0.25f && y[4] == 4.0f && y[9] == 2.0f);
    double image[30], out[30];
    for (int i = 0; i < 30; i++)
        image[i] = (i * 11) % 8;
    const double blur[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    double totals[3];
    for (int b = ZERO; b <= WRAP; b++) {
        filter(image, out, 6, 5, blur, (enum border)b);
        totals[b] = 0;
        for (int i = 0; i < 30; i++)
            totals[b] += out[i] * (i + 1);
        printf("%.17g %.17g\n", totals[b], out[7]);
    }
    CHECK(totals[ZERO] < totals[CLAMP]);
    return check_done();
}
