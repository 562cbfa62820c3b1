// Copies of arrays whose length is only known where they are made: layers of different sizes, loops of which nobody knows how often they run, branches, exits in front of the copy.
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { MOST = 24 };

/* Layers of any size; the two buffers change places. */
static double layers(const double *x, const int *sizes, int count, int samples)
{
    double a[MOST], b[MOST], total = 0;
    for (int s = 0; s < samples; s++) {
        const double *weight = x;
        double *from = a, *to = b;
        memcpy(a, x + s, (size_t)sizes[0] * sizeof *a);
        for (int l = 0; l < count; l++) {
            int inputs = sizes[l], outputs = sizes[l + 1];
            for (int i = 0; i < outputs; i++) {
                double sum = 0;
                for (int j = 0; j < inputs; j++)
                    sum += weight[(i * 5 + j) % 11] * from[j];
                to[i] = tanh(sum);
            }
            weight += 1;
            double *old = from;
            from = to;
            to = old;
        }
        for (int i = 0; i < sizes[count]; i++)
            total += (i + 1) * from[i];
    }
    return total;
}

/* A state of fixed size in a loop that ends when it will; some steps are given up before the state is read, some read less of it. */
static double waits(const double *x, const int *sizes, int count, int samples)
{
    double state[MOST], next[MOST], total = 0, t = 0;
    int turn = 0;
    for (int i = 0; i < MOST; i++)
        state[i] = x[i % 12];
    while (t < samples + 0.2 * fabs(x[0])) {
        int used = sizes[turn++ % (count + 1)];
        t += 0.31;
        if (turn % 4 == 3)
            continue;
        if (turn > 12)
            break;
        for (int i = 0; i < used; i++) {
            double sum = 0;
            for (int j = 0; j < used; j++)
                sum += state[j] * state[(j + i) % MOST];
            next[i] = 0.2 * sin(sum) + 0.5 * state[i];
        }
        if (turn % 2)
            memcpy(state, next, (size_t)used * sizeof *state);
        else
            for (int i = 0; i < used; i++)
                state[i] = 0.5 * (state[i] + next[i]);
        total += state[0] * state[used > 0 ? used - 1 : 0];
    }
    return total;
}

/* A branch between the loops. */
static double branches(const double *x, const int *sizes, int count, int samples)
{
    double row[MOST], total = 0;
    for (int s = 0; s < samples; s++) {
        if (s % 3 == 1)
            continue;
        for (int l = 0; l <= count; l++) {
            int n = sizes[l];
            memcpy(row, x + s % 3, sizeof *row * 9);
            if (l % 2 == 0)
                for (int r = 0; r < 3; r++) {
                    double sums[MOST];
                    for (int i = 0; i < n; i++) {
                        double sum = 0;
                        for (int j = 0; j < n; j++)
                            sum += row[j % 9] * row[i % 9] + row[j % 9] * x[j % 12];
                        sums[i] = sum;
                    }
                    for (int i = 0; i < n; i++)
                        row[i % 9] = cos(sums[i]);
                }
            total += row[0] * row[1] * row[8];
        }
    }
    return total;
}

typedef double function(const double *, const int *, int, int);

static int check(const char *name, function *f, const int *sizes, int count, int samples)
{
    double x[MOST], bar[MOST] = {0}, again[MOST] = {0};
    int bad = 0;
    for (int i = 0; i < MOST; i++)
        x[i] = 0.3 * sin(1.7 * i + 0.4) + 0.1;
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, sizes, enzyme_const, count, enzyme_const, samples);
    for (int i = 0; i < MOST; i++) {
        double dot[MOST] = {0}, h = 1e-6, up, down, old = x[i];
        dot[i] = 1;
        double forward = __enzyme_fwddiff((void *)f, enzyme_dup, x, dot, enzyme_const, sizes, enzyme_const, count, enzyme_const, samples);
        x[i] = old + h;
        up = f(x, sizes, count, samples);
        x[i] = old - h;
        down = f(x, sizes, count, samples);
        x[i] = old;
        double slope = (up - down) / (2 * h);
        if (!(fabs(forward - bar[i]) <= 1e-10 * (1 + fabs(forward))) || !(fabs(slope - bar[i]) <= 2e-6 * (1 + fabs(slope)))) {
            printf("%s: element %d: %.15g, forward %.15g, differences %.15g\n", name, i, bar[i], forward, slope);
            bad = 1;
        }
    }
    for (int i = 0; i < MOST; i++)
        again[i] = bar[i];
    __enzyme_autodiff((void *)f, enzyme_dup, x, again, enzyme_const, sizes, enzyme_const, count, enzyme_const, samples);
    for (int i = 0; i < MOST; i++)
        bad |= !(fabs(again[i] - 2 * bar[i]) <= 1e-13 * (1 + fabs(bar[i])));
    return bad;
}

/* The two sweeps apart. */
static int halves(const int *sizes, int count, int samples)
{
    double x[MOST], bar[MOST] = {0}, other[MOST] = {0};
    int bad = 0;
    for (int i = 0; i < MOST; i++)
        x[i] = 0.3 * sin(1.7 * i + 0.4) + 0.1;
    __enzyme_autodiff((void *)layers, enzyme_dup, x, bar, enzyme_const, sizes, enzyme_const, count, enzyme_const, samples);
    void *tape = __enzyme_augmentfwd((void *)layers, enzyme_dup, x, other, enzyme_const, sizes, enzyme_const, count, enzyme_const, samples);
    __enzyme_reverse((void *)layers, enzyme_dup, x, other, enzyme_const, sizes, enzyme_const, count, enzyme_const, samples, 1.0, tape);
    for (int i = 0; i < MOST; i++)
        bad |= !(fabs(other[i] - bar[i]) <= 1e-13 * (1 + fabs(bar[i])));
    return bad;
}

int main(void)
{
    static const int plain[] = {5, 7, 3, 8, 2}, empty[] = {0, 4, 0, 1, 6}, large[] = {24, 23, 17, 16, 1};
    const int *all[] = {plain, empty, large};
    int bad = 0;
    for (int k = 0; k < 3; k++)
        for (int samples = 0; samples < 6; samples += 1 + samples / 2) {
            bad |= check("layers", layers, all[k], 4, samples > 0 ? 1 : 0) | check("layers", layers, k == 2 ? plain : all[k], 4, samples);
            bad |= check("waits", waits, all[k], 4, samples);
            bad |= check("branches", branches, all[k], 4, samples);
            bad |= halves(k == 2 ? plain : all[k], 4, samples);
        }
    return bad;
}
