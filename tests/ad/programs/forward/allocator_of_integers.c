// Integers and numbers in memory of one allocator, as sparse matrices have them: integers that are counted in it are no bits of numbers.
// needs: simplify
#include <stdlib.h>
#include <stddef.h>
#include <stdio.h>
#include <math.h>
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;
typedef ptrdiff_t csi;
typedef struct { csi n, *p; double *x; } cs;
void *cs_calloc(csi n, size_t size) { return calloc(n > 1 ? n : 1, size); }
void *cs_free(void *p) { if (p) free(p); return NULL; }
cs *cs_done(cs *C, void *w, void *x, csi ok) { cs_free(w); cs_free(x); return ok ? C : NULL; }
static double obj(const double *x)
{
    double y[4]; csi idx[4] = {1, 0, 2, 1};
    cs T = {4, idx, y}, *C;
    for (int i = 0; i < 4; i++) y[i] = x[i] * x[i];
    C = cs_calloc(1, sizeof *C); C->p = cs_calloc(5, sizeof(csi)); C->x = cs_calloc(4, sizeof(double));
    csi *w = cs_calloc(4, sizeof(csi));
    if (!C || !w) return 0;
    csi *Tj = T.p; double *Tx = T.x, *Cx = C->x; csi p;
    for (csi k = 0; k < 4; k++) w[Tj[k]]++;
    csi nz = 0; for (csi k = 0; k < 4; k++) { csi c = w[k]; w[k] = nz; nz += c; }
    for (csi k = 0; k < 4; k++) { C->p[p = w[Tj[k]]++] = k; if (Cx) Cx[p] = Tx[k]; }
    C = cs_done(C, w, NULL, 1);
    double r = 0; for (int i = 0; i < 4; i++) r += (i + 1) * C->x[i];
    cs_free(C->p); cs_free(C->x); cs_free(C);
    return r;
}
int main(void) { double x[4] = {1, 2, 3, 4}, bad = 0; for (int i = 0; i < 4; i++) { double d[4] = {0}; d[i] = 1; double t = __enzyme_fwddiff((void *)obj, enzyme_dup, x, d); double h = 1e-6, q = x[i]; x[i] = q + h; double u = obj(x); x[i] = q - h; double l = obj(x); x[i] = q; printf("%g %g\n", t, (u - l) / 2 / h); bad += fabs(t - (u - l) / 2 / h) > 1e-6; } return bad != 0; }
