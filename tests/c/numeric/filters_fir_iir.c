// flags: -lm
// FIR window design, biquad IIR, delay lines, decimation.
#include "../check.h"
#include <math.h>

#define TAPS 21
typedef struct { double b0, b1, b2, a1, a2, z1, z2; } biquad;
typedef struct { double taps[TAPS], line[TAPS]; int at; } fir;

static void design(fir *f, double cutoff)
{
    double sum = 0;
    for (int i = 0; i < TAPS; i++) {
        int k = i - TAPS / 2;
        double sinc = k == 0 ? 2 * cutoff : sin(2 * M_PI * cutoff * k) / (M_PI * k);
        f->taps[i] = sinc * (0.54 - 0.46 * cos(2 * M_PI * i / (TAPS - 1)));
        sum += f->taps[i];
        f->line[i] = 0;
    }
    for (int i = 0; i < TAPS; i++)
        f->taps[i] /= sum;
    f->at = 0;
}
static double fir_step(fir *f, double x)
{
    f->line[f->at] = x;
    double y = 0;
    int k = f->at;
    for (int i = 0; i < TAPS; i++) {
        y += f->taps[i] * f->line[k];
        if (--k < 0)
            k = TAPS - 1;
    }
    f->at = (f->at + 1) % TAPS;
    return y;
}
static biquad low_pass(double frequency, double q)
{
    double w = 2 * M_PI * frequency, alpha = sin(w) / (2 * q), c = cos(w), a0 = 1 + alpha;
    return (biquad){(1 - c) / 2 / a0, (1 - c) / a0, (1 - c) / 2 / a0, -2 * c / a0, (1 - alpha) / a0, 0, 0};
}
static double biquad_step(biquad *f, double x)
{
    double y = f->b0 * x + f->z1;
    f->z1 = f->b1 * x - f->a1 * y + f->z2;
    f->z2 = f->b2 * x - f->a2 * y;
    return y;
}

int main(void)
{
    fir f;
    biquad b = low_pass(0.1, 0.707);
    design(&f, 0.1);
    double low = 0, high = 0, dc = 0;
    for (int n = 0; n < 400; n++) {
        double y = fir_step(&f, sin(2 * M_PI * 0.02 * n));
        if (n > 100)
            low = fmax(low, fabs(y));
    }
    design(&f, 0.1);
    for (int n = 0; n < 400; n++) {
        double y = fir_step(&f, sin(2 * M_PI * 0.35 * n));
        if (n > 100)
            high = fmax(high, fabs(y));
    }
    for (int n = 0; n < 300; n++)
        dc = biquad_step(&b, 1);
    CHECK(low > 0.9 && high < 0.02);
    CHECK_NEAR(dc, 1, 1e-9);
    printf("%.6f %.6f %.9f\n", low, high, dc);
    return check_done();
}
