// A convolution whose sizes are known only when it runs: the reverse sweep's short loops go outside, and the weights' sums are in registers. Shadows may also overlap, which
// the derivative must notice; and sizes that a call gives as constants make a derivative of their own.
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double convolve(const double *image, int height, int width, const double *weights, int size, double *out)
{
    int rows = height - size + 1, columns = width - size + 1;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            double sum = 0.05;
            for (int dy = 0; dy < size; dy++)
                for (int dx = 0; dx < size; dx++)
                    sum += weights[dy * size + dx] * image[(y + dy) * width + x + dx];
            out[y * columns + x] = sum > 0 ? sum : 0.1 * sum;
        }
    double total = 0;
    for (int i = 0; i < rows * columns; i++)
        total += 0.5 * out[i] * out[i];
    return total;
}

enum { H = 19, W = 300, MOST = 5 };
static double image[H * W], weights[MOST * MOST], out[H * W], out_bar[H * W];
// The shadows of image and weights, one behind the other, or one over the other.
static double bars[H * W + MOST * MOST];

static double gradient(int height, int width, int size, double *image_bar, double *weights_bar)
{
    return __enzyme_autodiff((void *)convolve, enzyme_dup, image, image_bar, enzyme_const, height, enzyme_const, width, enzyme_dup, weights, weights_bar, enzyme_const, size,
                             enzyme_dup, out, out_bar);
}

static int wrong(const char *what, double is, double should)
{
    if (fabs(is - should) <= 1e-6 * (1 + fabs(should)))
        return 0;
    printf("%s: %.12g, should be %.12g\n", what, is, should);
    return 1;
}

static double slope(double *x, int height, int width, int size)
{
    double h = 1e-6, old = *x;
    *x = old + h;
    double up = convolve(image, height, width, weights, size, out);
    *x = old - h;
    double down = convolve(image, height, width, weights, size, out);
    *x = old;
    return (up - down) / (2 * h);
}

static int check(int height, int width, int size)
{
    int bad = 0;
    double *weights_bar = bars + H * W;
    for (int i = 0; i < H * W + MOST * MOST; i++)
        bars[i] = 0;
    gradient(height, width, size, bars, weights_bar);
    for (int i = 0; i < height * width; i += 1 + height * width / 40)
        bad += wrong("image", bars[i], slope(&image[i], height, width, size));
    for (int i = 0; i < size * size; i++)
        bad += wrong("weight", weights_bar[i], slope(&weights[i], height, width, size));
    // The sum of both, where they lie over each other.
    double together = bars[0] + weights_bar[0], apart = bars[size * size];
    for (int i = 0; i < H * W; i++)
        bars[i] = 0;
    gradient(height, width, size, bars, bars);
    bad += wrong("both", bars[0], together) + wrong("image alone", bars[size * size], apart);
    return bad;
}

int main(void)
{
    int bad = 0;
    for (int i = 0; i < H * W; i++)
        image[i] = sin(1.3 * i) + 0.1;
    for (int i = 0; i < MOST * MOST; i++)
        weights[i] = cos(2.1 * i) * 0.4;
    bad += check(7, 9, 1) + check(7, 9, 3) + check(H, W, MOST) + check(5, 5, 5) + check(4, 280, 2) + check(12, 10, 4);
    // A derivative for these sizes.
    double some[H * W] = {0}, more[MOST * MOST] = {0};
    __enzyme_autodiff((void *)convolve, enzyme_dup, image, some, enzyme_const, 12, enzyme_const, 40, enzyme_dup, weights, more, enzyme_const, 3, enzyme_dup, out, out_bar);
    for (int i = 0; i < 9; i++)
        bad += wrong("weight, constant sizes", more[i], slope(&weights[i], 12, 40, 3));
    for (int i = 0; i < 480; i += 17)
        bad += wrong("image, constant sizes", some[i], slope(&image[i], 12, 40, 3));
    return bad != 0;
}
