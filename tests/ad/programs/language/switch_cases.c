/* A switch in a loop: cases that end in break, early break, continue and return, ranges and groups of labels, cases that fall through, one inside another. */
#include "../../check.h"

static double plain(double *x, int n)
{
    double a = x[0], b = 1;
    for (int i = 0; i < n; i++) {
        switch (i * 7 % 5) {
        case 0:
            a = a * x[i] + b;
            break;
        case 1:
        case 3:
            b = sin(b * x[i]);
            a += b;
            break;
        case 2: {
            double t = a * b;
            a = t / (1 + x[i] * x[i]);
            break;
        }
        default:
            b *= 0.5 + x[i];
        }
    }
    return a + b * b;
}

static double early(double *x, int n)
{
    double a = x[0];
    for (int i = 0; i < n; i++) {
        double t = x[i] * a;
        switch (i % 6) {
        case 0:
            if (x[i] > 1)
                break;
            a += t;
            break;
        case 1:
            a *= 1.1;
            continue;
        case 2:
            if (i > 20)
                return a * t;
            a -= 0.1 * t * t;
            break;
        case 3:
            for (int j = 0; j < 3; j++) {
                if (j * x[i] > 2)
                    break;
                a += 0.1 * j * x[j];
            }
        }
        a = 0.9 * a + 0.1 * t;
    }
    return a;
}

static double falling(double *x, int n)
{
    double a = x[0], b = 0;
    for (int i = 0; i < n; i++) {
        switch (i % 4) {
        case 0:
            a *= x[i];
            /* fall through */
        case 1:
            b += a * x[i];
            break;
        case 2:
            a = cos(a) + b;
        }
    }
    return a * b + b;
}

static double inside(double *x, int n)
{
    double a = 1, w[3] = {x[0], x[1], 0.3};
    for (int i = 0; i < n; i++)
        switch (i % 3) {
        case 0:
            switch (i % 2) {
            case 0:
                w[2] = w[0] * x[i];
                break;
            default:
                w[0] += w[2] * w[1];
                break;
            }
            break;
        case 1:
            w[1] = sqrt(1 + w[1] * w[1]) * x[i];
            break;
        default:
            a = exp(-a) + w[i % 2];
        }
    return a + w[0] * w[1] + w[2];
}

/* Which case it is follows from the data. */
static double by_value(double *x, int n)
{
    double s = 0;
    int state = 0;
    for (int i = 0; i < n; i++) {
        switch (state) {
        case 0:
            s += x[i] * x[i];
            state = x[i] > 0.8 ? 1 : 2;
            break;
        case 1:
            s *= x[i];
            state = s > 3 ? 0 : 2;
            break;
        case 2:
            s = sin(s) + x[i];
            state = 0;
            break;
        }
    }
    return s;
}

GRADIENT(plain)
GRADIENT(early)
GRADIENT(falling)
GRADIENT(inside)
GRADIENT(by_value)

int main(void)
{
    return CHECK(plain, 23) | CHECK(early, 19) | CHECK(early, 30) | CHECK(falling, 17) | CHECK(inside, 20) | CHECK(by_value, 25);
}
