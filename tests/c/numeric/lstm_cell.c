// flags: -lm
// LSTM and GRU cells run over a sequence, float arithmetic.
#include "../check.h"
#include <math.h>

#define H 4
#define X 3
typedef float real;
typedef struct { real w[4 * H][X], u[4 * H][H], b[4 * H]; } weights;
typedef struct { real h[H], c[H]; } state;

static real sigmoid(real z) { return 1 / (1 + expf(-z)); }
static void step(const weights *restrict p, const real *restrict x, state *restrict s)
{
    real gate[4 * H];
    for (int g = 0; g < 4 * H; g++) {
        real z = p->b[g];
        for (int i = 0; i < X; i++)
            z += p->w[g][i] * x[i];
        for (int j = 0; j < H; j++)
            z += p->u[g][j] * s->h[j];
        gate[g] = g / H == 2 ? tanhf(z) : sigmoid(z);
    }
    for (int j = 0; j < H; j++) {
        s->c[j] = gate[H + j] * s->c[j] + gate[j] * gate[2 * H + j];
        s->h[j] = gate[3 * H + j] * tanhf(s->c[j]);
    }
}

int main(void)
{
    static weights p;
    for (int g = 0; g < 4 * H; g++) {
        for (int i = 0; i < X; i++)
            p.w[g][i] = 0.1f * (real)((g * 3 + i * 5) % 7 - 3);
        for (int j = 0; j < H; j++)
            p.u[g][j] = 0.05f * (real)((g + j * 3) % 9 - 4);
        p.b[g] = g / H == 1 ? 1.0f : 0.0f;
    }
    state s = {{0}, {0}};
    for (int t = 0; t < 20; t++) {
        real x[X] = {sinf((real)t * 0.3f), cosf((real)t * 0.3f), (real)(t % 2)};
        step(&p, x, &s);
        for (int j = 0; j < H; j++)
            CHECK(s.h[j] > -1 && s.h[j] < 1);
    }
    for (int j = 0; j < H; j++)
        printf("%.4f %.4f\n", (double)s.h[j], (double)s.c[j]);
    return check_done();
}
