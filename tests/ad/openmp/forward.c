// OpenMP in forward mode: threadprivate variables, locks, calls, structs, time loops inside a region.
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
#define N 53
double acc;
#pragma omp threadprivate(acc)
double f_tp(const double *x, double *y, int n) {
  double s = 0; (void)y;
  #pragma omp parallel
  {
    acc = 0;
    #pragma omp for
    for (int i = 0; i < n; i++) acc += x[i] * x[i];
  }
  #pragma omp parallel
  {
    #pragma omp critical
    s += acc;
  }
  return s;
}
double carry;
#pragma omp threadprivate(carry)
/* the shadow of carry must not live on from the last call */
double f_tp2(const double *x, double *y, int n) {
  double s = 0; (void)y; (void)n;
  #pragma omp parallel reduction(+:s)
  {
    s += carry * 1e-3 / omp_get_num_threads() * 0 + x[0] / omp_get_num_threads();
    double old = carry * 0;
    s += old;
    carry = x[1];
  }
  return s;
}
double f_lock(const double *x, double *y, int n) {
  double s = 1; omp_lock_t l; omp_init_lock(&l); (void)y;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) { omp_set_lock(&l); s = s * (1 + 0.01 * x[i]); omp_unset_lock(&l); }
  omp_destroy_lock(&l);
  return s;
}
static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
double f_calls(const double *x, double *y, int n) {
  double s = 0;
  #pragma omp parallel for reduction(+:s) schedule(dynamic, 2)
  for (int i = 0; i < n; i++) { y[i] = power(x[i], i % 5); s += y[i]; }
  return s;
}
typedef struct { double p, v; int id; } body;
double f_structs(const double *x, double *y, int n) {
  body *b = malloc(n * sizeof *b); double s = 0; body one = {x[0], x[1], 3}; (void)y;
  #pragma omp parallel firstprivate(one)
  {
    #pragma omp for
    for (int i = 0; i < n; i++) { b[i].p = x[i]; b[i].v = x[i] * x[i]; b[i].id = i; one.p += 0; }
    #pragma omp for collapse(2)
    for (int i = 0; i < n; i++) for (int k = 0; k < 1; k++) b[i].v += b[(i + 1) % n].p * one.p;
    #pragma omp single nowait
    one.v = 3;
    #pragma omp for reduction(+:s)
    for (int i = 0; i < n; i++) s += b[i].v * b[i].p;
  }
  free(b);
  return s;
}
double f_time(const double *x, double *y, int n) {
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), e = 1; (void)y;
  memcpy(a, x, n * sizeof *a); memcpy(b, x, n * sizeof *b);
  #pragma omp parallel
  for (int t = 0; t < 7; t++) {
    #pragma omp for
    for (int i = 1; i < n - 1; i++) b[i] = a[i] + 0.1 * (a[i - 1] - 2 * a[i] + a[i + 1]);
    #pragma omp single
    { double *c = a; a = b; b = c; e = 0; }
    #pragma omp for reduction(max:e)
    for (int i = 0; i < n; i++) { double d = fabs(a[i] - b[i]); if (d > e) e = d; }
  }
  double s = e; for (int i = 0; i < n; i++) s += a[i] * a[i];
  free(a); free(b);
  return s;
}
double f_guard(const double *x, double *y, int n) {
  double s = 0; int count = 0;
  #pragma omp parallel for reduction(+:s, count)
  for (int i = 0; i < n; i++) { if (x[i] < 1.001) continue; count++; switch (i % 3) { case 0: s += x[i]; break; case 1: s += x[i] * x[i]; default: s += sin(x[i]); } }
  (void)y; return s / count;
}
static double x[N], dx[N], y[N], dy[N], xp[N], xm[N], gx[N], gy[N];
static int bad;
static void compare(const char *name, const char *mode, double d, double fd) {
  if (!(fabs(d - fd) <= 1e-6 * (1 + fabs(fd)))) { printf("%s, %s: %.10g instead of %.10g\n", name, mode, d, fd); bad = 1; }
}
#define CHECK(f) do { \
  memset(dy, 0, sizeof dy); memset(y, 0, sizeof y); memset(gx, 0, sizeof gx); memset(gy, 0, sizeof gy); \
  double fd = (f(xp, y, N) - f(xm, y, N)) / 2e-6; \
  memset(y, 0, sizeof y); \
  compare(#f, "forward", __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, N), fd); \
  memset(y, 0, sizeof y); REV(f) } while (0)
/* In reverse mode some of these depend on the number of threads. */
#ifdef REVERSE
#define REV(f)  __enzyme_autodiff((void *)f, enzyme_dup, x, gx, enzyme_dup, y, gy, enzyme_const, N); \
  double d = 0; \
  for (int i = 0; i < N; i++) d += gx[i] * dx[i]; \
  compare(#f, "reverse", d, fd);
#else
#define REV(f)
#endif
int main(void) {
  for (int i = 0; i < N; i++) { x[i] = 0.07 * ((i * 17) % N) + 0.3; dx[i] = cos(i); xp[i] = x[i] + 1e-6 * dx[i]; xm[i] = x[i] - 1e-6 * dx[i]; }
  for (int threads = 1; threads <= 8; threads *= 2) {
    omp_set_num_threads(threads);
   CHECK(f_tp); CHECK(f_tp2); CHECK(f_lock); CHECK(f_calls); CHECK(f_structs); CHECK(f_time); CHECK(f_guard);
  }
  return bad;
}
