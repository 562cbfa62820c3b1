// Values that the program itself leaves in memory are read there by the reverse sweep; not where something writes to the place afterwards, or the store is not always reached.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 7, ROOM = 64 };

/* Two layers: the results of both stay where they are. */
static double layers(const double *x, double *w, int n)
{
    double *h = w, *g = w + n, sum = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += x[j] * x[(i + j) % n];
        h[i] = tanh(s);
    }
    for (int i = 0; i < n; i++)
        g[i] = exp(0.3 * h[i] * h[n - 1 - i]);
    for (int i = 0; i < n; i++)
        sum += g[i] * h[i];
    return sum;
}

/* Some places are written again behind the loop, in different ways. */
static double overwritten(const double *x, double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        w[i] = exp(x[i]);
        sum += w[i] * w[i];
    }
    for (int i = 0; i < n; i += 2)
        w[i] = sum;
    for (int i = 0; i < n; i++) {
        w[n + i] = sqrt(x[i] + w[i]);
        sum += w[n + i];
    }
    memcpy(w + n, w, 2 * sizeof *w);
    for (int i = 0; i < n; i++) {
        w[2 * n + i] = tan(0.1 * x[i]);
        sum += w[2 * n + i];
    }
    memset(w + 2 * n + 1, 0, sizeof *w * 3);
    return sum + w[1] * w[n + 1] + w[2 * n];
}

/* Each element is left when its iteration ends, but the next one writes to it once more. */
static double next_iteration(const double *x, double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        w[i] = exp(0.2 * x[i]);
        sum += w[i] * w[i];
        w[i + 1] = sum;
    }
    return sum;
}

/* In place, and again in every step. */
static double in_steps(const double *x, double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        w[i] = sin(x[i]);
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < n; i++) {
            w[i] = exp(-w[i] * x[(i + t) % n]);
            sum += w[i] * x[t];
        }
    return sum;
}

/* Some iterations never come to the store. */
static double skipped(const double *x, double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double v = exp(x[i]);
        if (i % 3 == 1) {
            sum += v;
            continue;
        }
        w[i] = v;
        if (x[i] > 100)
            break;
        sum += v * v;
    }
    return sum;
}

/* Through a pointer that moves, in another type, at an index that is computed. */
static double other_places(const double *x, double *w, int n)
{
    double *out = w, sum = 0;
    float *small = (float *)(void *)(w + 2 * n);
    for (int i = 0; i < n; i++) {
        *out++ = exp(x[i]);
        sum += out[-1] * out[-1];
    }
    for (int i = 0; i < n; i++) {
        float v = (float)sin(x[i]) * 0.5F;
        small[(3 * i) % n] = v;
        sum += (double)(v * v) + exp((double)v);
    }
    return sum;
}

/* Memory of the function's own: given back in each iteration, put back on the way, and cleared as bytes. */
static double own_memory(const double *x, double *w, int n)
{
    double sum = 0, state[N], bytes[N];
    for (int i = 0; i < n; i++) {
        double *each = malloc(sizeof *each * 3);
        each[0] = exp(x[i]);
        each[1] = tanh(each[0] * x[i]);
        each[2] = each[0] * each[1];
        sum += each[2] * each[2] + each[1];
        free(each);
    }
    for (int i = 0; i < n; i++)
        state[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        double old = state[i];
        state[i] = exp(-old);
        for (int j = 0; j < n; j++)
            state[j] = state[j] * state[i];
        sum += state[i] * old;
    }
    for (int i = 0; i < n; i++) {
        bytes[i] = cos(x[i]);
        sum += bytes[i] * bytes[i];
    }
    memset((unsigned char *)bytes + sizeof *bytes, 0, sizeof *bytes);
    w[0] = sum;
    return sum + bytes[1];
}

static double left_by(double *w, const double *x, int k, int n)
{
    double v = exp(x[k] * 0.5);
    w[k] = v;
    if (k + 1 < n)
        return v * v + left_by(w, x, k + 1, n) * v;
    return v;
}

static double calls(const double *x, double *w, int n)
{
    double first = left_by(w, x, 0, n);
    w[2] += first;
    return first + left_by(w + n, x, 0, n) * w[n + 1] + w[2];
}

/* What is left at one end of the array is overwritten at the other, where the arguments overlap. */
static double shifted(const double *x, double *w, int n)
{
    double sum = 0, *a = w, *b = w + 2;
    for (int i = 0; i < n; i++) {
        a[i] = exp(0.3 * x[i]);
        sum += a[i] * a[i];
    }
    for (int i = 0; i < n; i++) {
        b[i] = sum * x[i];
        sum += sin(b[i]);
    }
    return sum;
}

static int failures;

static void compare(const char *name, const char *what, double found, double expected)
{
    if (fabs(found - expected) > 2e-6 * (1 + fabs(expected))) {
        printf("%s, %s: %.10g instead of %.10g\n", name, what, found, expected);
        failures++;
    }
}

static void start(double *x, double *w)
{
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.11 * i - 0.02 * i * i;
    memset(w, 0, ROOM * sizeof *w);
}

#define TRY(F)                                                                                                                               \
    static void try_##F(const char *name)                                                                                                    \
    {                                                                                                                                        \
        double x[N], w[ROOM], bar[N] = {0}, w_bar[ROOM] = {0}, half[N] = {0};                                                                \
        start(x, w);                                                                                                                         \
        __enzyme_autodiff((void *)F, enzyme_dup, x, bar, enzyme_dup, w, w_bar, enzyme_const, N);                                             \
        start(x, w);                                                                                                                         \
        memset(w_bar, 0, sizeof w_bar);                                                                                                      \
        void *tape = __enzyme_augmentfwd((void *)F, enzyme_dup, x, half, enzyme_dup, w, w_bar, enzyme_const, N);                             \
        for (int k = 0; k < ROOM; k++)                                                                                                       \
            w[k] = -1000.0 - k;                                                                                                              \
        __enzyme_reverse((void *)F, enzyme_dup, x, half, enzyme_dup, w, w_bar, enzyme_const, N, 1.0, tape);                                  \
        for (int i = 0; i < N; i++) {                                                                                                        \
            double h = 1e-6, at[2], dot[N] = {0}, w_dot[ROOM] = {0};                                                                         \
            for (int side = 0; side < 2; side++) {                                                                                           \
                start(x, w);                                                                                                                 \
                x[i] += side ? h : -h;                                                                                                       \
                at[side] = F(x, w, N);                                                                                                       \
            }                                                                                                                                \
            start(x, w);                                                                                                                     \
            dot[i] = 1;                                                                                                                      \
            double tangent = __enzyme_fwddiff((void *)F, enzyme_dup, x, dot, enzyme_dup, w, w_dot, enzyme_const, N);                         \
            double difference = (at[1] - at[0]) / (2 * h);                                                                                   \
            /* Single precision has no such differences. */                                                                                  \
            if (strcmp(name, "other_places") != 0)                                                                                           \
                compare(name, "tangent", tangent, difference);                                                                               \
            compare(name, "gradient", bar[i], tangent);                                                                                      \
            compare(name, "halves", half[i], tangent);                                                                                       \
        }                                                                                                                                    \
    }

TRY(layers)
TRY(overwritten)
TRY(next_iteration)
TRY(in_steps)
TRY(skipped)
TRY(other_places)
TRY(own_memory)
TRY(calls)
TRY(shifted)

int main(void)
{
    try_layers("layers");
    try_overwritten("overwritten");
    try_next_iteration("next_iteration");
    try_in_steps("in_steps");
    try_skipped("skipped");
    try_other_places("other_places");
    try_own_memory("own_memory");
    try_calls("calls");
    try_shifted("shifted");
    printf("%d wrong\n", failures);
    return failures != 0;
}
