/* Functions to evaluate at many points: straight code, loops that end when they like, heap memory, structs, in-place updates, shared weights. */
#include "model.h"
#include <math.h>
#include <stdlib.h>

double price(double S, double K, double r, double sigma, double T)
{
    double q = sigma * sqrt(T);
    double d1 = (log(S / K) + (r + 0.5 * sigma * sigma) * T) / q;
    double d2 = d1 - q;
    return 0.5 * S * erfc(-d1 * 0.7071067811865476) - 0.5 * K * exp(-r * T) * erfc(-d2 * 0.7071067811865476);
}

double chain(int n, const double *x, double k)
{
    double *state = malloc((size_t)n * sizeof *state);
    double e = 0.0;
    for (int i = 0; i < n; i++)
        state[i] = x[i];
    for (int round = 0; round < 50; round++) {
        double change = 0;
        for (int i = 1; i < n; i++) {
            double next = 0.5 * (state[i] + k * sin(state[i - 1]));
            change += fabs(next - state[i]);
            state[i] = next;
        }
        if (change < 0.2)
            break;
    }
    for (int i = 0; i < n; i++)
        e += state[i] * state[i];
    free(state);
    return e;
}

double loss(int n, const double *w, double bias, const double *x, int label)
{
    double s = bias;
    for (int i = 0; i < n; i++)
        s += w[i] * x[i];
    double p = 1 / (1 + exp(-s));
    return label ? -log(p) : -log(1 - p);
}

vec3 rotate(vec3 v, double angle, const vec3 *shift)
{
    double c = cos(angle), s = sin(angle);
    return (vec3){c * v.x - s * v.y + shift->x, s * v.x + c * v.y + shift->y, v.z * shift->z};
}

int step(int n, double *u, double dt)
{
    int flips = 0;
    for (int i = 0; i < n; i++) {
        double left = i ? u[i - 1] : 0;
        u[i] += dt * (left - u[i]) * u[i];
        flips += u[i] > 1;
    }
    return flips;
}

float norm(const float x[3])
{
    return sqrtf(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

double gears(int n, const part *parts, part whole, double speed)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += parts[i].wear * sin(parts[i].gear.ratio[i % 2][1] * speed) + parts[i].teeth * speed;
    return s * whole.gear.ratio[1][0];
}
