// A loop through pointers that a test tells apart in front of it, and through one that it finds itself, beside pointers that it stores: that one is not tested, also where it could be loaded in front.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

enum { N = 10, ALL = 140 };

typedef struct {
    double *row;
} Holder;

typedef struct {
    double *out, *in;
    Holder *holder;
    double **found;
} Pass;

static double run(Pass *a, int n)
{
    for (int t = 0; t < 2; t++) {
        double *out = a->out, *in = a->in, **found = a->found;
        Holder *h = a->holder;
        for (int i = 0; i < n; i++) {
            double *row = h->row;
            found[i] = row + i;
            out[i + 1] = 0.5 * out[i + 1] + 0.3 * row[i] * in[i] + sin(row[i] * in[i + 1]);
        }
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (i + 1) * a->out[i] + *a->found[i] * a->in[i];
    return s;
}

static double block[ALL], block_bar[ALL];
static double *found[N], *found_bar[N];
static Holder holder, holder_bar;
static Pass pass = {.holder = &holder, .found = found}, pass_bar = {.holder = &holder_bar, .found = found_bar};

static double value(int at, double h)
{
    for (int i = 0; i < ALL; i++)
        block[i] = 0.8 + 0.5 * sin(1.3 * i + 0.05 * (i % 17));
    block[at] += h;
    return run(&pass, N);
}

int main(void)
{
    // Where the output, the input and the row begin: apart, the row is the output, overlaps it, is the input.
    const int ways[][3] = {{20, 60, 100}, {20, 60, 20}, {20, 60, 23}, {20, 60, 60}, {20, 25, 100}, {20, 25, 22}};
    int bad = 0;
    for (int w = 0; w < 6; w++) {
        pass.out = block + ways[w][0], pass_bar.out = block_bar + ways[w][0];
        pass.in = block + ways[w][1], pass_bar.in = block_bar + ways[w][1];
        holder.row = block + ways[w][2], holder_bar.row = block_bar + ways[w][2];
        value(0, 0);
        for (int i = 0; i < ALL; i++)
            block[i] = 0.8 + 0.5 * sin(1.3 * i + 0.05 * (i % 17));
        memset(block_bar, 0, sizeof block_bar);
        __enzyme_autodiff((void *)run, enzyme_dup, &pass, &pass_bar, enzyme_const, N);
        for (int i = 0; i < ALL; i++) {
            double got = block_bar[i];
            double d = (value(i, 1e-6) - value(i, -1e-6)) / 2e-6;
            if (!(fabs(d - got) <= 1e-5 * (1 + fabs(d)))) {
                printf("way %d: %d is %.10g, not %.10g\n", w, i, got, d);
                bad = 1;
            }
        }
    }
    return bad;
}
