// Costly work that is the same in every iteration leaves loops and parallel regions; the results stay the same.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
#define N 37
static double norm(const double *x, int n) { double s = 0; for (int j = 0; j < n; j++) s += x[j] * x[j]; return sqrt(s); }
static double sum(const double *x, int n) { double s = 0; for (int j = 0; j < n; j++) s += x[j] * (j % 3); return s; }
double f_for(const double *restrict in, double *restrict out, int n) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) out[i] = in[i] / norm(in, n);
  return sum(out, n);
}
double f_serial(const double *restrict in, double *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] / norm(in, n);
  return sum(out, n);
}
double f_region(const double *restrict in, double *restrict out, int n) {
  #pragma omp parallel
  {
    #pragma omp for
    for (int i = 0; i < n; i++) out[i] = in[i] / norm(in, n);
    #pragma omp for
    for (int i = 0; i < n; i++) out[i] = out[i] * exp(in[0]) + sin(in[1]) * norm(in, n);
  }
  return sum(out, n);
}
/* What is read is written in the loop: nothing may move. */
double f_written(const double *restrict in, double *restrict out, int n) {
  memcpy(out, in, n * sizeof *out);
  for (int i = 0; i < n; i++) out[i] = out[i] / norm(out, n);
  return sum(out, n);
}
double f_written_region(const double *restrict in, double *restrict out, int n) {
  memcpy(out, in, n * sizeof *out);
  double *t = malloc(n * sizeof *t);
  #pragma omp parallel
  for (int k = 0; k < 3; k++) {
    #pragma omp for
    for (int i = 0; i < n; i++) t[i] = out[i] / norm(out, n) + in[i];
    #pragma omp for
    for (int i = 0; i < n; i++) out[i] = t[i] * norm(t, n);
  }
  free(t);
  return sum(out, n);
}
/* No iteration: what would have been read is not there. */
double f_none(const double *restrict in, double *restrict out, int n) {
  const double *nothing = NULL;
  double s = in[0] * in[0];
  #pragma omp parallel for
  for (int i = n; i < n; i++) out[i] = norm(nothing, n);
  for (int i = n; i < n; i++) out[i] = norm(nothing, n);
  return s;
}
/* What the region computes anyway does not depend on whether one of its loops runs. */
double f_one_runs(const double *restrict in, double *restrict out, int n) {
  double s = 0;
  #pragma omp parallel reduction(+ : s)
  {
    double a = exp(in[2]) + n;
    #pragma omp for
    for (int i = n; i < n; i++) out[i] = norm(in, n) * a;
    #pragma omp for
    for (int i = 0; i < n; i++) s += in[i] * a;
  }
  return s;
}
/* Left early: the second sum may not be computed. */
double f_left(const double *restrict in, double *restrict out, int n) {
  const double *nothing = NULL;
  double s = 0;
  for (int i = 0; i < n; i++) {
    out[i] = norm(in, n) * in[i];
    s += out[i];
    if (in[i] > -1) break;
    s += norm(nothing, n);
  }
  return s;
}
/* Aliased: in and out may be one. */
double f_aliased(const double *in, double *out, int n) {
  memcpy(out, in, n * sizeof *out);
  const double *same = out;
  #pragma omp parallel for
  for (int i = 0; i < 1; i++) { out[i] = 2 * in[i]; out[i] += norm(same, n); out[i] *= norm(same, n); }
  return sum(out, n) + out[0];
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
  memset(y, 0, sizeof y); \
  __enzyme_autodiff((void *)f, enzyme_dup, x, gx, enzyme_dup, y, gy, enzyme_const, N); \
  double d = 0; \
  for (int i = 0; i < N; i++) d += gx[i] * dx[i]; \
  compare(#f, "reverse", d, fd); } while (0)
int main(void) {
  for (int i = 0; i < N; i++) { x[i] = 0.07 * ((i * 17) % N) + 0.3; dx[i] = cos(i); xp[i] = x[i] + 1e-6 * dx[i]; xm[i] = x[i] - 1e-6 * dx[i]; }
  CHECK(f_for); CHECK(f_serial); CHECK(f_region); CHECK(f_written); CHECK(f_written_region); CHECK(f_none); CHECK(f_one_runs); CHECK(f_left); CHECK(f_aliased);
  return bad;
}
