/* A computation graph: nodes point to each other, topological order by a work list, values and gates in structs. */
// needs: inline
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gate gate;
struct gate {
    int kind, pending, fanout;
    double value;
    gate *inputs[2], *outputs[4];
};
double __enzyme_autodiff(void *, ...);

static gate *new_gate(int kind, gate *a, gate *b)
{
    gate *g = calloc(1, sizeof *g);
    g->kind = kind;
    g->inputs[0] = a;
    g->inputs[1] = b;
    for (int i = 0; i < 2; i++)
        if (g->inputs[i]) {
            g->inputs[i]->outputs[g->inputs[i]->fanout++] = g;
            g->pending++;
        }
    return g;
}

double evaluate(const double *x)
{
    gate *all[8], *queue[8];
    int head = 0, tail = 0;
    for (int i = 0; i < 3; i++) {
        all[i] = new_gate(0, NULL, NULL);
        all[i]->value = x[i];
        queue[tail++] = all[i];
    }
    all[3] = new_gate(1, all[0], all[1]);
    all[4] = new_gate(2, all[1], all[2]);
    all[5] = new_gate(3, all[3], NULL);
    all[6] = new_gate(2, all[5], all[4]);
    all[7] = new_gate(1, all[6], all[0]);
    while (head < tail) {
        gate *g = queue[head++];
        double a = g->inputs[0] ? g->inputs[0]->value : 0, b = g->inputs[1] ? g->inputs[1]->value : 0;
        if (g->kind == 1)
            g->value = a + b;
        else if (g->kind == 2)
            g->value = a * b;
        else if (g->kind == 3)
            g->value = sin(a);
        for (int i = 0; i < g->fanout; i++)
            if (--g->outputs[i]->pending == 0)
                queue[tail++] = g->outputs[i];
    }
    double r = all[7]->value;
    for (int i = 0; i < 8; i++)
        free(all[i]);
    return r;
}

int main(void)
{
    double x[3] = {0.7, 1.1, -0.4}, g[3] = {0};
    __enzyme_autodiff((void *)evaluate, x, g);
    /* sin(x0 + x1) x1 x2 + x0 */
    double s = sin(x[0] + x[1]), c = cos(x[0] + x[1]);
    double want[3] = {c * x[1] * x[2] + 1, c * x[1] * x[2] + s * x[2], s * x[1]};
    for (int i = 0; i < 3; i++)
        if (!(fabs(g[i] - want[i]) < 1e-14)) {
            printf("x[%d]: %g vs %g\n", i, g[i], want[i]);
            return 1;
        }
    return 0;
}
