// Derivatives of functions of another file, of a function here that calls one, and of its derivative.
#include <stdio.h>
#include <math.h>
#include "model.h"
double __enzyme_autodiff(void*, ...);
double __enzyme_fwddiff(void*, ...);
extern int enzyme_dup, enzyme_const;
static double wrapper(double x, struct params *p) { return model(x, p) * x; }
static double slope(double x, struct params *p);
int main(void){
  struct params p = {2.0, 0.5}, dp = {0, 0};
  double d = __enzyme_autodiff((void*)model, 1.5, &p, &dp);
  double e = __enzyme_fwddiff((void*)wrapper, enzyme_dup, 1.5, 1.0, enzyme_const, &p);
  double h = 1e-6;
  double n = (model(1.5+h,&p)-model(1.5-h,&p))/(2*h);
  double w = (wrapper(1.5+h,&p)-wrapper(1.5-h,&p))/(2*h);
  struct params q = p; q.a += h; double na = model(1.5,&q); q.a -= 2*h; na = (na - model(1.5,&q))/(2*h);
  double c = __enzyme_fwddiff((void*)slope, enzyme_dup, 1.5, 1.0, enzyme_const, &p), s = (slope(1.5+h,&p)-slope(1.5-h,&p))/(2*h);
  printf("%.8f %.8f | %.8f %.8f | %.8f %.8f\n", d, n, e, w, dp.a, na);
  return fabs(c-s)>1e-6 || fabs(d-n)>1e-6 || fabs(e-w)>1e-6 || fabs(dp.a-na) > 1e-6;
}
static double slope(double x, struct params *p) { struct params dp = {0, 0}; return __enzyme_autodiff((void*)wrapper, x, p, &dp); }
