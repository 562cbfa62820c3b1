// size: 500
// A Kalman filter with 6 states and 2 measurements: the log-likelihood of `size` measurements by the transition and the noise.
#include "gradient.h"

enum { S = 6, M = 2 };

static void multiply(int n, int m, int p, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            double sum = 0.0;
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
}

static void multiply_transposed(int n, int m, int p, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            double sum = 0.0;
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * b[j * m + k];
            c[i * p + j] = sum;
        }
}

static double filtered(const double *transition, const double *noise, const double *observation, const double *measured, int n)
{
    double state[S] = {0}, covariance[S * S] = {0}, total = 0.0;
    double predicted[S], spread[S * S], half[S * S], gain_top[S * M], gain[S * M], seen[M * S];
    for (int i = 0; i < S; i++)
        covariance[i * S + i] = 1.0;
    for (int t = 0; t < n; t++) {
        multiply(S, S, 1, transition, state, predicted);
        multiply(S, S, S, transition, covariance, half);
        multiply_transposed(S, S, S, half, transition, spread);
        for (int i = 0; i < S; i++)
            spread[i * S + i] += noise[i] * noise[i];
        multiply(M, S, S, observation, spread, seen);
        double innovation[M], v[M * M];
        multiply_transposed(M, S, M, seen, observation, v);
        for (int i = 0; i < M; i++) {
            v[i * M + i] += noise[S + i] * noise[S + i];
            innovation[i] = measured[t * M + i];
            for (int k = 0; k < S; k++)
                innovation[i] -= observation[i * S + k] * predicted[k];
        }
        double determinant = v[0] * v[3] - v[1] * v[2];
        double inverse[M * M] = {v[3] / determinant, -v[1] / determinant, -v[2] / determinant, v[0] / determinant};
        multiply_transposed(S, S, M, spread, observation, gain_top);
        multiply(S, M, M, gain_top, inverse, gain);
        for (int i = 0; i < S; i++) {
            state[i] = predicted[i];
            for (int k = 0; k < M; k++)
                state[i] += gain[i * M + k] * innovation[k];
        }
        multiply(S, M, S, gain, seen, half);
        for (int i = 0; i < S * S; i++)
            covariance[i] = spread[i] - half[i];
        total += log(determinant);
        for (int i = 0; i < M; i++)
            for (int k = 0; k < M; k++)
                total += innovation[i] * inverse[i * M + k] * innovation[k];
    }
    return 0.5 * total;
}

static struct array transition, noise;
static double *observation, *measured;
static int n;
static void setup(int size)
{
    n = size;
    transition = variables(S * S, -0.15, 0.15);
    for (int i = 0; i < S; i++)
        transition.x[i * S + i] += 0.8;
    noise = variables(S + M, 0.3, 0.6);
    observation = data(M * S, -1, 1);
    measured = data((size_t)n * M, -1, 1);
}
static double objective(void) { return filtered(transition.x, noise.x, observation, measured, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)filtered, enzyme_dup, transition.x, transition.bar, enzyme_dup, noise.x, noise.bar, enzyme_const, observation, enzyme_const,
                      measured, enzyme_const, n);
}
