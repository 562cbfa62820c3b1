// OpenMP constructs of every kind. (A part of the result depends on the team.)
#include <omp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double f(double *x, int n) {
  double s = 0, t = 2, p = 1, m = -1e300;
  #pragma omp parallel for reduction(+:s) firstprivate(t) schedule(dynamic,4)
  for (int i = 0; i < n; i++) { double y = x[i]*t; t = 2; s += y*y; }
  #pragma omp parallel for reduction(*:p) reduction(max:m)
  for (int i = 0; i < n; i++) { p *= 1 + 0.1*x[i]; if (x[i] > m) m = x[i]; }
  double *w = malloc(n * sizeof *w);
  #pragma omp parallel
  {
    double loc = 0;
    #pragma omp for nowait
    for (int i = 0; i < n; i++) { loc += x[i]; w[i] = sin(x[i]); }
    #pragma omp critical
    s += loc;
    #pragma omp barrier
    #pragma omp single
    s *= 2;
    #pragma omp for collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2; j++) {
        #pragma omp atomic
        s += w[i] * x[j];
      }
  }
  #pragma omp parallel sections
  {
    #pragma omp section
    w[0] = x[0]*x[0];
    #pragma omp section
    w[1] = x[1]*x[0];
  }
  #pragma omp parallel
  #pragma omp single
  {
    #pragma omp task shared(w)
    w[2] = w[0] * x[2];
    #pragma omp taskwait
  }
  s += w[0] + w[1] + w[2] + p * m;
  free(w);
  return s;
}
int main(void) {
  double x[6] = {0.5, 1.5, -0.3, 2.0, 0.7, 1.1}, b[6] = {0};
  __enzyme_autodiff((void*)f, x, b, 6);
  int bad = 0;
  for (int i = 0; i < 6; i++) {
    double h = 1e-6, d[6] = {0}, a = x[i];
    d[i] = 1;
    double t = __enzyme_fwddiff((void*)f, enzyme_dup, x, d, enzyme_const, 6);
    x[i] = a + h; double u = f(x, 6); x[i] = a - h; u = (u - f(x, 6)) / (2*h); x[i] = a;
    printf("%g %g %g\n", b[i], t, u);
    bad |= fabs(b[i] - u) > 1e-5 * (1 + fabs(u)) || fabs(t - u) > 1e-5 * (1 + fabs(u));
  }
  return bad;
}
