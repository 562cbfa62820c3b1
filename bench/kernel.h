// Shared by the benchmark kernels: deterministic numbers and best-of timing. Each kernel prints `checksum X` and
// `seconds Y`, the best time of one repetition.
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned long long kernel_state = 88172645463325252ULL;

static double kernel_random(void)
{
    kernel_state ^= kernel_state << 13;
    kernel_state ^= kernel_state >> 7;
    kernel_state ^= kernel_state << 17;
    return (double)(kernel_state >> 11) / 9007199254740992.0;
}

static double kernel_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Runs `call` five times `repetitions` times and keeps the best time in `best`.
#define KERNEL_TIME(best, repetitions, call)                         \
    do {                                                             \
        (best) = 1e30;                                               \
        for (int round_ = 0; round_ < 5 * (repetitions); round_++) { \
            double begin_ = kernel_now();                            \
            call;                                                    \
            double time_ = kernel_now() - begin_;                    \
            if (time_ < (best))                                      \
                (best) = time_;                                      \
        }                                                            \
    } while (0)

static void kernel_report(double checksum, double seconds)
{
    printf("checksum %.10g\nseconds %.9f\n", checksum, seconds);
}
