// flags: -lm
// Scaled dot-product attention with softmax and layer norm.
#include "../check.h"
#include <math.h>

static void softmax(float *x, int n)
{
    float top = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        top = fmaxf(top, x[i]);
    for (int i = 0; i < n; i++)
        sum += x[i] = expf(x[i] - top);
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}
static void layer_norm(float *x, int n)
{
    float m = 0, v = 0;
    for (int i = 0; i < n; i++)
        m += x[i];
    m /= (float)n;
    for (int i = 0; i < n; i++)
        v += (x[i] - m) * (x[i] - m);
    float s = 1 / sqrtf(v / (float)n + 1e-5f);
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - m) * s;
}
static void attention(int n, int d, const float q[n][d], const float k[n][d], const float v[n][d], float out[n][d], int causal)
{
    for (int i = 0; i < n; i++) {
        int visible = causal ? i + 1 : n;
        float score[visible];
        for (int j = 0; j < visible; j++) {
            score[j] = 0;
            for (int c = 0; c < d; c++)
                score[j] += q[i][c] * k[j][c];
            score[j] /= sqrtf((float)d);
        }
        softmax(score, visible);
        for (int c = 0; c < d; c++) {
            out[i][c] = 0;
            for (int j = 0; j < visible; j++)
                out[i][c] += score[j] * v[j][c];
        }
        layer_norm(out[i], d);
    }
}

int main(void)
{
    enum { N = 5, D = 4 };
    float q[N][D], k[N][D], v[N][D], out[N][D];
    for (int i = 0; i < N; i++)
        for (int c = 0; c < D; c++) {
            q[i][c] = (float)((i + c) % 3) - 1;
            k[i][c] = (float)((i * c) % 4) * 0.5f;
            v[i][c] = (float)(i * 2 - c);
        }
    for (int causal = 0; causal < 2; causal++) {
        attention(N, D, (const float(*)[D])q, (const float(*)[D])k, (const float(*)[D])v, out, causal);
        for (int i = 0; i < N; i++) {
            float m = 0;
            for (int c = 0; c < D; c++)
                m += out[i][c];
            CHECK_NEAR(m, 0, 1e-4);
            printf("%.4f ", (double)out[i][0]);
        }
        printf("\n");
    }
    return check_done();
}
