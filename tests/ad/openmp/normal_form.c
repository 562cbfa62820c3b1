// OpenMP constructs in both modes: each function is checked against differences.
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
#define N 53

double f_dynamic(const double *x, double *y, int n) {
  double s = 0;
  #pragma omp parallel for schedule(dynamic) reduction(+:s)
  for (int i = 0; i < n; i++) { y[i] = x[i] * x[i]; s += sin(y[i]); }
  return s;
}
double f_chunk(const double *x, double *y, int n) {
  double s = 0;
  #pragma omp parallel for schedule(static, 3) reduction(+:s)
  for (int i = 2; i <= n - 1; i += 2) { y[i] = x[i] * x[i]; s += sin(y[i]); }
  #pragma omp parallel for schedule(dynamic, 4) reduction(-:s)
  for (int i = n; i > 3; i--) { s -= cos(x[i-1]) ; }
  #pragma omp parallel for schedule(guided) reduction(+:s)
  for (long i = n - 1; i >= 0; --i) { s += x[i] * x[(i + 1) % n]; }
  return s;
}
double f_minmax(const double *x, double *y, int n) {
  double lo = 1e30, hi = -1e30; (void)y;
  #pragma omp parallel for reduction(min:lo) reduction(max:hi)
  for (int i = 0; i < n; i++) { double v = sin(x[i]) * x[i]; if (v < lo) lo = v; if (v > hi) hi = v; }
  int all = 1, any = 0;
  #pragma omp parallel for reduction(&&:all) reduction(||:any)
  for (int i = 0; i < n; i++) { all = all && x[i] > -100; any = any || x[i] > 1; }
  return (all && any) ? lo * hi : 0;
}
double f_private(const double *x, double *y, int n) {
  double t, a = x[0], last = 0; int j;
  #pragma omp parallel private(t, j) firstprivate(a)
  {
    a += 1;
    #pragma omp for lastprivate(last)
    for (int i = 0; i < n; i++) { t = a * x[i]; for (j = 0; j < 3; j++) t = t * x[i]; y[i] = t; last = t; }
    #pragma omp for lastprivate(last) schedule(dynamic, 5)
    for (int i = 0; i < n; i++) { y[i] = y[i] + a; last = last * 0 + y[i] * x[i]; }
  }
  double s = last;
  for (int i = 0; i < n; i++) s += y[i];
  return s;
}
double f_region(const double *x, double *y, int n) {
  double s = 0, q = 0, w = 2;
  #pragma omp parallel
  {
    #pragma omp for
    for (int i = 0; i < n; i++) y[i] = exp(-x[i]);
    #pragma omp for reduction(+:s)
    for (int i = 0; i < n; i++) s += y[(i + 7) % n] * x[i];
    #pragma omp single
    { w = s * x[1]; }
    #pragma omp master
    { q = w * x[2]; }
    #pragma omp barrier
    #pragma omp for nowait
    for (int i = 0; i < n; i++) y[i] = q * x[i] + w;
  }
  double r = 0;
  for (int i = 0; i < n; i++) r += y[i] * x[i];
  return r;
}
double f_sections(const double *x, double *y, int n) {
  double a = 0, b = 0, c = 0, z = 0;
  #pragma omp parallel sections lastprivate(z) reduction(+:c)
  {
    #pragma omp section
    { for (int i = 0; i < n; i++) a += x[i] * x[i]; z = a; c += a; }
    #pragma omp section
    { for (int i = 0; i < n; i++) b += sin(x[i]); z = b; c += 2 * b; }
    #pragma omp section
    { z = x[3]; c += x[4]; }
  }
  (void)y;
  return a * b + c * z;
}
double f_critical(const double *x, double *y, int n) {
  double s = 0, p = 1; (void)y;
  #pragma omp parallel
  {
    double mine = 0;
    #pragma omp for nowait
    for (int i = 0; i < n; i++) mine += x[i] * x[i];
    #pragma omp critical
    s += mine;
    #pragma omp for
    for (int i = 0; i < n; i++) {
      #pragma omp critical(prod)
      { p = p * (1 + 0.01 * x[i]); }
    }
  }
  return s * p;
}
double f_atomic(const double *x, double *y, int n) {
  double s = 0; for (int i = 0; i < 5; i++) y[i] = 0;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    #pragma omp atomic
    s += sin(x[i]);
    #pragma omp atomic update
    y[i % 5] = y[i % 5] - x[i] * x[i];
  }
  return s * y[0] + y[1] * y[2] + y[3] * y[4];
}
double f_atomic_mul(const double *x, double *y, int n) {
  double p = 1; (void)y;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    #pragma omp atomic
    p *= 1 + 0.01 * x[i];
  }
  return p;
}
double f_manual(const double *x, double *y, int n) {
  double part[64]; int nt = 1; (void)y;
  #pragma omp parallel
  {
    int t = omp_get_thread_num(), T = omp_get_num_threads();
    #pragma omp single
    nt = T;
    double a = 0;
    for (int i = t; i < n; i += T) a += x[i] * x[i] * x[i];
    part[t] = a;
  }
  double s = 0;
  for (int t = 0; t < nt; t++) s += part[t];
  return s;
}
double f_array(const double *x, double *y, int n) {
  double h[4] = {0}; double m[2][3] = {{0}};
  double *z = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) z[i] = 1;
  #pragma omp parallel for reduction(+:h) reduction(+:m)
  for (int i = 0; i < n; i++) { h[i % 4] += x[i] * x[i]; m[i % 2][i % 3] += x[i]; }
  #pragma omp parallel for reduction(+:z[0:n])
  for (int i = 0; i < n; i++) { z[(i * 7) % n] += x[i] * x[i]; z[0] += x[i]; }
  #pragma omp parallel
  {
    #pragma omp for reduction(*:z[1:5])
    for (int i = 0; i < n; i++) z[1 + i % 5] *= 1 + 0.01 * x[i];
  }
  double s = h[0] * h[1] + h[2] * h[3] + m[0][0] * m[1][1] + m[1][2];
  for (int i = 0; i < n; i++) s += sin(z[i]);
  free(z); (void)y;
  return s;
}
double f_collapse(const double *x, double *y, int n) {
  double s = 0; (void)y;
  #pragma omp parallel for collapse(2) reduction(+:s)
  for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) s += x[j] * x[(j + i) % n];
  #pragma omp parallel for collapse(3) schedule(static, 2)
  for (int i = 0; i < 2; i++) for (int j = 3; j > 0; j--) for (int k = 0; k < 5; k += 2) y[i * 20 + j * 5 + k] = x[i] * x[j] * x[k + 10];
  for (int i = 0; i < 2; i++) for (int j = 3; j > 0; j--) for (int k = 0; k < 5; k += 2) s += y[i * 20 + j * 5 + k];
  return s;
}
double tp = 1;
#pragma omp threadprivate(tp)
double f_threadprivate(const double *x, double *y, int n) {
  tp = x[0]; (void)y;
  double s = 0;
  #pragma omp parallel copyin(tp) reduction(+:s)
  {
    #pragma omp for
    for (int i = 0; i < n; i++) { s += x[i] * tp; }
  }
  return s + tp;
}
double f_copyprivate(const double *x, double *y, int n) {
  double s = 0; (void)y;
  #pragma omp parallel reduction(+:s)
  {
    double c;
    for (int k = 0; k < 3; k++) {
    #pragma omp single copyprivate(c)
    c = x[k] * x[k + 1];
    #pragma omp for
    for (int i = 0; i < n; i++) s += x[i] * c;
    }
  }
  return s;
}
static double inner(const double *x, int n) {
  double s = 0;
  #pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
double f_nested(const double *x, double *y, int n) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] = x[i] * inner(x, i);
  double s = 0;
  for (int i = 0; i < n; i++) s += y[i];
  return s;
}
double f_scratch(const double *x, double *y, int n) {
  double s = 0;
  #pragma omp parallel reduction(+:s)
  {
    double *w = malloc(n * sizeof *w); double loc[3];
    #pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) w[j] = x[j] * x[i];
      loc[0] = w[0]; loc[1] = w[i]; loc[2] = loc[0] * loc[1];
      y[i] = 0; for (int j = 0; j <= i; j++) y[i] += w[j];
      s += y[i] + loc[2];
    }
    free(w);
  }
  return s;
}
double f_if(const double *x, double *y, int n) {
  double s = 0; (void)y; int k = 3;
  #pragma omp parallel for if(n > 100) num_threads(k) reduction(+:s)
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
  #pragma omp parallel for if(n > 10) num_threads(k) reduction(+:s)
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
  #pragma omp parallel for simd reduction(+:s)
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  #pragma omp simd reduction(+:s)
  for (int i = 0; i < n; i++) s += cos(x[i]);
  return s;
}
double f_capture(const double *x, double *y, int n) {
  int next = 0; double s = 0, best = 0; (void)best;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int at;
    #pragma omp atomic capture
    at = next++;
    y[at] = x[i] * x[i];
  }
  for (int i = 0; i < next; i++) s += y[i];
  double r, w;
  #pragma omp parallel for
  for (int i = 0; i < 4; i++) {
    if (i == 0) {
    #pragma omp atomic write
    w = x[0] * x[1];
    }
  }
  #pragma omp atomic read
  r = w;
  return s + r;
}
double f_tasks(const double *x, double *y, int n) {
  double a = 0, b = 0; (void)y;
  #pragma omp parallel
  #pragma omp single
  {
    #pragma omp task shared(a)
    { for (int i = 0; i < n; i++) a += x[i] * x[i]; }
    #pragma omp task shared(b)
    { for (int i = 0; i < n; i++) b += sin(x[i]); }
    #pragma omp taskwait
    a *= b;
  }
  return a;
}
static double x[N], dx[N], y[N], dy[N], xp[N], xm[N], gx[N], gy[N];
static int bad;
static void compare(const char *name, const char *mode, double d, double fd) {
  if (!(fabs(d - fd) <= 1e-6 * (1 + fabs(fd)))) {
    printf("%s, %s: %.10g instead of %.10g\n", name, mode, d, fd);
    bad = 1;
  }
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
  for (int i = 0; i < N; i++) {
    x[i] = 0.07 * ((i * 17) % N) + 0.3;
    dx[i] = cos(i);
    xp[i] = x[i] + 1e-6 * dx[i];
    xm[i] = x[i] - 1e-6 * dx[i];
  }
  for (int threads = 1; threads <= 8; threads *= 2) {
    omp_set_num_threads(threads);
    CHECK(f_dynamic); CHECK(f_chunk); CHECK(f_minmax); CHECK(f_private); CHECK(f_region); CHECK(f_sections); CHECK(f_critical); CHECK(f_atomic); CHECK(f_atomic_mul); CHECK(f_manual); CHECK(f_array); CHECK(f_collapse); CHECK(f_threadprivate); CHECK(f_copyprivate); CHECK(f_nested); CHECK(f_scratch); CHECK(f_if); CHECK(f_capture); CHECK(f_tasks);
  }
  return bad;
}
