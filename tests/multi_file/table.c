#include <stdlib.h>
typedef struct { const char *name; unsigned min; void *(*alloc)(size_t n); int (*init)(void *, const double *, size_t); double (*eval)(const void *, double); void (*free)(void *); } type;
extern const type *my_type;
typedef struct { double *c; size_t n; } state;
static void *my_alloc(size_t n) { state *s = malloc(sizeof *s); s->c = malloc(n * sizeof(double)); s->n = n; return s; }
static int my_init(void *v, const double *x, size_t n) { state *s = v; for (size_t i = 0; i < n; i++) s->c[i] = x[i] * x[i]; return 0; }
static double my_eval(const void *v, double t) { const state *s = v; double r = 0; for (size_t i = s->n; i-- > 0;) r = r * t + s->c[i]; return r; }
static void my_free(void *v) { state *s = v; free(s->c); free(s); }
static const type my = {"my", 2, &my_alloc, &my_init, &my_eval, &my_free};
const type *my_type = &my;
