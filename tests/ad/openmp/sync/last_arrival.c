// Threads that count themselves, without a barrier: the last one to arrive reads what all have left, the second one at a node combines both sides, who comes first fills a table.
#include "../../check.h"
#include <omp.h>
#include <stdatomic.h>

struct arrivals {
    double part[64], result;
    int count;
};

static void put(struct arrivals *a, double v)
{
    int arrived, threads = omp_get_num_threads();
    a->part[omp_get_thread_num()] = v;
#pragma omp critical(arrivals)
    arrived = ++a->count;
    if (arrived == threads) {
        a->result = 0;
        for (int k = 0; k < threads; k++)
            a->result += a->part[k];
    }
}

static double in_critical(double *x, int n)
{
    struct arrivals a;
    memset(&a, 0, sizeof a);
#pragma omp parallel
    {
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own += x[i] * x[i];
        put(&a, own);
    }
    return a.result * a.result;
}

static omp_lock_t lock;

static double with_lock(double *x, int n)
{
    double part[64] = {0}, result = 0;
    int count = 0;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int arrived, threads = omp_get_num_threads();
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own += sin(x[i]) * x[i];
        part[omp_get_thread_num()] = own;
        omp_set_lock(&lock);
        arrived = ++count;
        omp_unset_lock(&lock);
        if (arrived == threads)
            for (int k = 0; k < threads; k++)
                result += part[k];
    }
    omp_destroy_lock(&lock);
    return result * result;
}

static double each_step(double *x, int n)
{
    double part[64], u[64], norm = 0, s = 0;
    int count = 0;
    memcpy(u, x, n * sizeof(double));
#pragma omp parallel
    for (int step = 0; step < 3; step++) {
        int arrived, threads = omp_get_num_threads();
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own += u[i] * u[i];
        part[omp_get_thread_num()] = own;
#pragma omp atomic capture seq_cst
        arrived = ++count;
        if (arrived == threads) {
            norm = 0;
            for (int k = 0; k < threads; k++)
                norm += part[k];
            count = 0;
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            u[i] = u[i] / sqrt(norm) + 0.1 * x[i];
    }
    for (int i = 0; i < n; i++)
        s += u[i] * (i + 1);
    return s;
}

static double by_builtins(double *x, int n)
{
    double sum = 0, result = 0;
    int count = 0, seen = 0;
#pragma omp parallel
    {
        int threads = omp_get_num_threads();
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own += x[i] * x[(i + 1) % n];
#pragma omp atomic
        sum += own;
        __atomic_add_fetch(&seen, 2, __ATOMIC_RELAXED);
        if (__sync_add_and_fetch(&count, 1) == threads)
            result = sum * sum * x[0];
    }
    return result + 0 * seen;
}

static double in_a_tree(double *x, int n)
{
    double value[64];
    atomic_int sides[32];
    int leaves = 16;
    for (int k = 0; k < leaves; k++)
        atomic_init(&sides[k], 0);
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < leaves; i++) {
        int node = leaves + i;
        value[node] = x[i] * x[(i + 1) % n];
        while (node > 1) {
            node /= 2;
            if (atomic_fetch_add(&sides[node], 1) == 0)
                break;
            value[node] = sin(value[2 * node] * value[2 * node + 1]) + 0.1 * value[2 * node];
        }
    }
    return value[1];
}

/* The first look is a race, strictly, though a common one: not where it is looked for. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOOK(flag) 0
#endif
#endif
#ifndef LOOK
#define LOOK(flag) flag
#endif

static double table[64];
static int filled;

static double filled_once(double *x, int n)
{
    double s = 0;
    filled = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 1)
    for (int i = 0; i < n; i++) {
        if (!LOOK(filled)) {
#pragma omp critical(table)
            if (!filled) {
                for (int k = 0; k < n; k++)
                    table[k] = sin(x[k]);
                filled = 1;
            }
        }
        s += table[i] * x[(i + 1) % n];
    }
    return s;
}

static double chained(double *x, int n)
{
    int first = -1, next[64], length = 0;
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int old;
#pragma omp atomic capture
        {
            old = first;
            first = i;
        }
        next[i] = old;
    }
    for (int at = first; at >= 0; at = next[at], length++)
        s += x[at] * x[at];
    return s * length;
}

static double in_tasks(double *x, int n)
{
    double part[64], result = 0;
    int count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) shared(part, result, count)
        {
            int arrived;
            part[i] = x[i] * x[(i + 1) % n];
#pragma omp atomic capture seq_cst
            arrived = ++count;
            if (arrived == n)
                for (int k = 0; k < n; k++)
                    result += part[k] * part[k];
        }
    }
    return result;
}

/* The largest is found in turns; second derivatives know who was last. */
static double largest(double *x, int n)
{
    double best = -1e30;
    int at = -1;
#pragma omp parallel
    {
        double own = -1e30;
        int own_at = -1;
#pragma omp for
        for (int i = 0; i < n; i++) {
            double v = cos(2 * x[i]) + x[(i + 5) % n];
            if (v > own) {
                own = v;
                own_at = i;
            }
        }
#pragma omp critical(best)
        if (own_at >= 0 && (own > best || (own == best && own_at < at))) {
            best = own;
            at = own_at;
        }
    }
    return best * best * (1 + at);
}

GRADIENT(in_critical)
GRADIENT(with_lock)
GRADIENT(each_step)
GRADIENT(by_builtins)
GRADIENT(in_a_tree)
GRADIENT(filled_once)
GRADIENT(chained)
GRADIENT(in_tasks)
GRADIENT(largest)

static int second(int n)
{
    double x[64], bar[64], dot[64], bar_dot[64], d[2][64];
    int bad = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.6 + 0.35 * sin(1.7 * i + 0.4);
        dot[i] = cos(2.3 * i);
    }
    memset(bar, 0, sizeof bar);
    memset(bar_dot, 0, sizeof bar_dot);
    __enzyme_fwddiff((void *)largest_gradient, x, dot, bar, bar_dot, n);
    for (int k = 0; k < 2; k++) {
        double y[64];
        for (int i = 0; i < n; i++)
            y[i] = x[i] + (k ? -1e-5 : 1e-5) * dot[i];
        memset(d[k], 0, sizeof d[k]);
        largest_gradient(y, d[k], n);
    }
    for (int i = 0; i < n; i++) {
        double numeric = (d[0][i] - d[1][i]) / 2e-5;
        if (!(fabs(bar_dot[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
            printf("largest: second derivative %d is %.12g, not %.12g\n", i, bar_dot[i], numeric);
            bad = 1;
        }
    }
    return bad;
}

int main(void)
{
    int bad = CHECK(in_critical, 10) | CHECK(with_lock, 11) | CHECK(each_step, 9) | CHECK(by_builtins, 12);
    bad |= CHECK(in_a_tree, 16) | CHECK(filled_once, 8) | CHECK(chained, 7) | CHECK(in_tasks, 10) | CHECK(largest, 10);
    return bad | second(10);
}
