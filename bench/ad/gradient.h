// Shared by the gradient benchmarks. A benchmark defines `setup(size)`, `objective()` and `gradient()`, and registers the arrays that it is differentiated
// by. The program takes the size as its argument (and a file, to write the numbers for other tools to), checks the gradient along random directions against differences, and prints medians of the two
// times, measured alternately, the worst error, and the memory that the gradient took beyond what the primal needs.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;

/* Numbers and their derivatives. */
struct array {
    double *x, *bar;
    size_t count;
};

static struct array gradient_arrays[8];
static int gradient_array_count;

/* All numbers that a benchmark starts from, in the order of their making; those that it is differentiated by have an adjoint. */
static struct array gradient_inputs[24];
static int gradient_input_count;

static unsigned long long gradient_state = 88172645463325252ULL;

static double gradient_random(double low, double high)
{
    gradient_state ^= gradient_state << 13;
    gradient_state ^= gradient_state >> 7;
    gradient_state ^= gradient_state << 17;
    return low + (high - low) * ((double)(gradient_state >> 11) / 9007199254740992.0);
}

/* Numbers that the objective is not differentiated by. */
static double *data(size_t count, double low, double high)
{
    double *x = malloc((count + 1) * sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = gradient_random(low, high);
    struct array input = {x, NULL, count};
    gradient_inputs[gradient_input_count++] = input;
    return x;
}

/* Numbers that it is differentiated by. */
static struct array variables(size_t count, double low, double high)
{
    struct array a = {data(count, low, high), calloc(count + 1, sizeof(double)), count};
    gradient_arrays[gradient_array_count++] = a;
    gradient_inputs[gradient_input_count - 1] = a;
    return a;
}

static void setup(int size);
static double objective(void);
static void gradient(void);

/* The time of the processor, where one thread does all the work: what else runs on the machine then does not count. */
static double gradient_now(void)
{
    struct timespec now;
#ifdef _OPENMP
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The most memory that was ever resident, in KiB. (What getrusage says counts the parent's as well.) */
static long gradient_peak(void)
{
    char line[256];
    long peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &peak) == 1)
            break;
    if (status)
        fclose(status);
    return peak;
}

static int gradient_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double gradient_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, gradient_order);
    return times[count / 2];
}

/* The objective at x + t v, where v is a direction that each seed gives anew. */
static double gradient_along(double t, unsigned long long seed)
{
    static double *saved;
    size_t total = 0, at = 0;
    for (int k = 0; k < gradient_array_count; k++)
        total += gradient_arrays[k].count;
    if (!saved)
        saved = malloc((total + 1) * sizeof *saved);
    gradient_state = seed;
    for (int k = 0; k < gradient_array_count; k++)
        for (size_t i = 0; i < gradient_arrays[k].count; i++) {
            saved[at++] = gradient_arrays[k].x[i];
            gradient_arrays[k].x[i] += t * gradient_random(-1.0, 1.0);
        }
    double value = objective();
    at = 0;
    for (int k = 0; k < gradient_array_count; k++)
        for (size_t i = 0; i < gradient_arrays[k].count; i++)
            gradient_arrays[k].x[i] = saved[at++];
    return value;
}

/* In timed calls: what is only there for the check can be left out. */
static int gradient_timed;

static double gradient_error(void)
{
    double worst = 0.0;
    for (int k = 0; k < gradient_array_count; k++)
        memset(gradient_arrays[k].bar, 0, gradient_arrays[k].count * sizeof(double));
    gradient();
    for (unsigned long long seed = 7; seed < 10; seed++) {
        double h = 1e-5, exact = 0.0, size = 0.0;
        double numeric = (8 * (gradient_along(h, seed) - gradient_along(-h, seed)) - (gradient_along(2 * h, seed) - gradient_along(-2 * h, seed))) / (12 * h);
        gradient_state = seed;
        for (int k = 0; k < gradient_array_count; k++)
            for (size_t i = 0; i < gradient_arrays[k].count; i++) {
                double term = gradient_arrays[k].bar[i] * gradient_random(-1.0, 1.0);
                exact += term;
                size += fabs(term);
            }
        double error = fabs(exact - numeric) / (fabs(exact) + 1e-3 * size + 1e-30);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

/* Writes the inputs and the gradient for other tools: the value, the number of arrays, and for each its length, whether it has an adjoint, and both. */
static int gradient_write(const char *name)
{
    FILE *file = fopen(name, "wb");
    double value = objective();
    long long count = gradient_input_count;
    if (!file)
        return 1;
    fwrite(&value, sizeof value, 1, file);
    fwrite(&count, sizeof count, 1, file);
    for (int k = 0; k < gradient_array_count; k++)
        memset(gradient_arrays[k].bar, 0, gradient_arrays[k].count * sizeof(double));
    gradient();
    for (int k = 0; k < gradient_input_count; k++) {
        struct array *a = &gradient_inputs[k];
        long long facts[2] = {(long long)a->count, a->bar != NULL};
        fwrite(facts, sizeof facts, 1, file);
        fwrite(a->x, sizeof(double), a->count, file);
        if (a->bar)
            fwrite(a->bar, sizeof(double), a->count, file);
    }
    return fclose(file) != 0;
}

int main(int count, char **arguments)
{
    enum { MOST = 200 };
    static double primal_times[MOST], gradient_times[MOST];
    volatile double sink = 0.0;
    int rounds = 0;
    setup(count > 1 ? atoi(arguments[1]) : 8);
    if (count > 2)
        return gradient_write(arguments[2]);
    sink += objective();
    long before = gradient_peak();
    gradient();
    long after = gradient_peak();
    double error = gradient_error(), begin = gradient_now();
    gradient_timed = 1;
    while (rounds < MOST && (rounds < 5 || gradient_now() - begin < 0.5)) {
        double t0 = gradient_now();
        sink += objective();
        double t1 = gradient_now();
        gradient();
        primal_times[rounds] = t1 - t0;
        gradient_times[rounds] = gradient_now() - t1;
        rounds++;
    }
    printf("primal %.9f\ngradient %.9f\nerror %.3g\nmemory %ld\n", gradient_median(primal_times, rounds), gradient_median(gradient_times, rounds), error,
           after - before);
    return 0;
}
