// Shared self-check helpers: a program counts its failed checks and returns
// check_done(), so a wrong result shows in the output and in the exit code.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failures = 0;

static inline void check_report(int ok, const char *text, int line)
{
    if (!ok) {
        printf("check failed at line %d: %s\n", line, text);
        check_failures++;
    }
}

static inline void check_near(double a, double b, double tolerance, const char *text, int line)
{
    double distance = a > b ? a - b : b - a;
    // Written so that a NaN fails the check.
    check_report(distance <= tolerance, text, line);
}

#define CHECK(condition) check_report((condition) ? 1 : 0, #condition, __LINE__)
#define CHECK_NEAR(a, b, tolerance) check_near((a), (b), (tolerance), #a " ~ " #b, __LINE__)

static inline int check_done(void)
{
    if (check_failures == 0)
        printf("ok\n");
    return check_failures == 0 ? 0 : 1;
}

#endif
