#include <stdlib.h>
#include <stdio.h>
#include <math.h>
typedef struct { const char *name; unsigned min; void *(*alloc)(size_t n); int (*init)(void *, const double *, size_t); double (*eval)(const void *, double); void (*free)(void *); } type;
extern const type *my_type;
typedef struct { const type *type; size_t n; void *state; } interp;
interp *interp_alloc(const type *T, size_t n) { interp *i = malloc(sizeof *i); i->type = T; i->n = n; if (!i->type->alloc) { i->state = NULL; return i; } i->state = i->type->alloc(n); return i; }
double __enzyme_autodiff(void *, ...);
int enzyme_dup;
static double obj(const double *x) { interp *i = interp_alloc(my_type, 3); i->type->init(i->state, x, 3); double r = i->type->eval(i->state, x[0]); i->type->free(i->state); free(i); return r; }
int main(void) { double x[3] = {0.5, 2, 3}, d[3] = {0}; __enzyme_autodiff((void *)obj, enzyme_dup, x, d); printf("%g %g %g\n", d[0], d[1], d[2]); return !(fabs(d[0] - 2*0.5 - 4 - 2 * 0.5 * 9) < 1e-9); }
