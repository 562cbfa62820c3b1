/* Inactive members have no shadow: the caller leaves NULL in the shadow struct, also inside lists. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { double pad, v; } cell;
typedef struct link { double w; const cell *data; struct link *next; } link;
typedef struct { int n; cell *in; double *out; link *list; } job;
void __enzyme_autodiff(void *, ...);

static void execute(job *j)
{
    for (int i = 0; i < j->n; i++)
        j->out[i] = 3 * j->in[i].v * j->in[i].v;
    for (link *l = j->list; l; l = l->next)
        j->out[0] += l->w * l->data->v;
}

int main(void)
{
    cell in[3] = {{0, 1}, {0, 2}, {0, 3}}, din[3];
    for (int with = 0; with < 2; with++) {
        double out[3], dout[3] = {1, 10, 100};
        link b = {0.5, &in[2], NULL}, a = {2.0, &in[1], &b}, db = {0, NULL, NULL}, da = {0, with ? &din[1] : NULL, &db};
        job j = {3, in, out, &a}, d = {3, with ? din : NULL, dout, &da};
        memset(din, 0, sizeof din);
        __enzyme_autodiff((void *)execute, &j, &d);
        if (!(out[0] == 3 + 2 * 2 + 0.5 * 3 && out[2] == 27)) {
            printf("primal: %g %g\n", out[0], out[2]);
            return 1;
        }
        if (!(da.w == 2 && db.w == 3 && dout[0] == 0 && dout[2] == 0)) {
            printf("weights: %g %g\n", da.w, db.w);
            return 1;
        }
        if (with && !(din[0].v == 6 && din[1].v == 10 * 12 + 2 && din[2].v == 1800 && din[0].pad == 0)) {
            printf("cells: %g %g %g\n", din[0].v, din[1].v, din[2].v);
            return 1;
        }
        if (!with && !(din[0].v == 0 && din[1].v == 0)) {
            puts("a shadow was written that was not given");
            return 1;
        }
    }
    return 0;
}
