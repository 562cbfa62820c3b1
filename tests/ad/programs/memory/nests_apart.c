// Loops through pointers of which nobody knows whether they meet: layers and trees that a function is given. The same loops where they do meet, in each way, and where buffers are used again.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

enum { N = 6, LAYERS = 5 };

typedef struct {
    double *weights, *in, *out;
} Layer;

// Products that add to what may be one of their factors.
static void multiply(const Layer *l)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double w = l->weights[i * N + k];
            for (int j = 0; j < N; j++)
                l->out[i * N + j] += 0.3 * w * l->in[k * N + j];
        }
}

static void bend(double *x, const double *y)
{
    for (int i = 0; i < N * N; i++)
        x[i] = sin(x[i]) + 0.2 * y[i] * y[i];
}

static double run(Layer *layers, int count)
{
    for (int l = 0; l < count; l++) {
        multiply(&layers[l]);
        bend(layers[l].out, layers[l].in);
    }
    multiply(&layers[0]);
    bend(layers[1].in, layers[count - 1].weights);
    double s = 0;
    for (int l = 0; l < count; l++)
        for (int i = 0; i < N * N; i++)
            s += (i % 3 + 1) * layers[l].out[i] * layers[l].in[(i + 5) % (N * N)];
    return s;
}

// A tree whose nodes combine what their children have.
typedef struct Node {
    struct Node *left, *right;
    double *values;
} Node;

static void combine(Node *t, const double *w)
{
    if (!t->left)
        return;
    combine(t->left, w);
    combine(t->right, w);
    for (int s = 0; s < N; s++)
        for (int i = 0; i < N; i++) {
            double a = 0, b = 0;
            for (int j = 0; j < N; j++) {
                a += w[i * N + j] * t->left->values[s * N + j];
                b += w[j * N + i] * t->right->values[s * N + j];
            }
            t->values[s * N + i] = cos(a) * b;
        }
}

static double tree(Node *t, double *w)
{
    combine(t, w);
    double s = 0;
    for (int i = 0; i < N * N; i++)
        s += (i % 4 + 1) * t->values[i];
    return s;
}

// Memory for one try: everything lies in one block, so that parts can be laid over each other.
static double block[4096], block_bar[4096];

static void lay(Layer *layers, double *b, int way)
{
    double *free = b;
    for (int l = 0; l < LAYERS; l++) {
        Layer *x = &layers[l];
        x->weights = free;
        free += N * N;
        switch (way) {
        case 0: // all apart
            x->in = free;
            x->out = free + N * N;
            free += 2 * N * N;
            break;
        case 1: // each goes on from the last
            x->in = l ? layers[l - 1].out : free;
            x->out = free + N * N;
            free += 2 * N * N;
            break;
        case 2: // two buffers in turn
            x->in = b + 2000 + l % 2 * N * N;
            x->out = b + 2000 + (l + 1) % 2 * N * N;
            break;
        case 3: // in place
            x->in = x->out = b + 2000;
            break;
        case 4: // overlapping by parts
            x->in = b + 2000 + 3 * l;
            x->out = b + 2000 + 3 * l + N;
            break;
        default: // weights that are written
            x->in = b + 2000;
            x->out = l % 2 ? x->weights : b + 2000 + N * N;
        }
    }
}

static void grow(Node *nodes, double *b, int way)
{
    for (int i = 0; i < 7; i++) {
        nodes[i].left = i < 3 ? &nodes[2 * i + 1] : NULL;
        nodes[i].right = i < 3 ? &nodes[2 * i + 2] : NULL;
        int at = way == 0 ? i * N * N : way == 1 ? (i + 1) / 2 * N * N : i * N;
        nodes[i].values = b + 100 + at;
    }
}

static void start(double *b)
{
    for (int i = 0; i < 4096; i++)
        b[i] = 0.6 * sin(1.7 * i + 0.1 * (i % 13));
}

static Layer layers[LAYERS], layers_bar[LAYERS];
static Node nodes[7], nodes_bar[7];

static double value(int which, int at, double h)
{
    start(block);
    block[at] += h;
    return which ? tree(nodes, block) : run(layers, LAYERS);
}

static int check(const char *name, int which, int way)
{
    int bad = 0;
    start(block);
    memset(block_bar, 0, sizeof block_bar);
    if (which)
        __enzyme_autodiff((void *)tree, enzyme_dup, nodes, nodes_bar, enzyme_dup, block, block_bar);
    else
        __enzyme_autodiff((void *)run, enzyme_dup, layers, layers_bar, enzyme_const, LAYERS);
    for (int i = 0; i < 2300; i += 7) {
        double h = 1e-5, d = (value(which, i, h) - value(which, i, -h)) / (2 * h);
        if (!(fabs(d - block_bar[i]) <= 1e-6 * (1 + fabs(d)))) {
            printf("%s, way %d: %d is %.10g, not %.10g\n", name, way, i, block_bar[i], d);
            bad = 1;
        }
    }
    return bad;
}

int main(void)
{
    int bad = 0;
    for (int way = 0; way < 6; way++) {
        lay(layers, block, way);
        lay(layers_bar, block_bar, way);
        bad |= check("layers", 0, way);
    }
    for (int way = 0; way < 3; way++) {
        grow(nodes, block, way);
        grow(nodes_bar, block_bar, way);
        bad |= check("tree", 1, way);
    }
    return bad;
}
