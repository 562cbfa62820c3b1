/* A tensor program interpreter: operations in a list refer to earlier results, buffers allocated per operation in a table of pointers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OP_INPUT, OP_ADD, OP_MUL, OP_MATMUL, OP_RELU, OP_SOFTMAX, OP_SUM } opcode;
typedef struct { opcode op; int lhs, rhs; } instruction;
#define N 3
#define SIZE (N * N)
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void execute(const instruction *in, double **buffers, double *out)
{
    const double *a = in->lhs >= 0 ? buffers[in->lhs] : NULL, *b = in->rhs >= 0 ? buffers[in->rhs] : NULL;
    switch (in->op) {
    case OP_ADD:
        for (int i = 0; i < SIZE; i++)
            out[i] = a[i] + b[i];
        break;
    case OP_MUL:
        for (int i = 0; i < SIZE; i++)
            out[i] = a[i] * b[i];
        break;
    case OP_MATMUL:
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = 0;
                for (int k = 0; k < N; k++)
                    s += a[i * N + k] * b[k * N + j];
                out[i * N + j] = s;
            }
        break;
    case OP_RELU:
        for (int i = 0; i < SIZE; i++)
            out[i] = a[i] > 0 ? a[i] : 0;
        break;
    case OP_SOFTMAX:
        for (int i = 0; i < N; i++) {
            double z = 0;
            for (int j = 0; j < N; j++)
                z += out[i * N + j] = exp(a[i * N + j]);
            for (int j = 0; j < N; j++)
                out[i * N + j] /= z;
        }
        break;
    case OP_SUM:
        memset(out, 0, SIZE * sizeof *out);
        for (int i = 0; i < SIZE; i++)
            out[0] += a[i] * (i + 1);
        break;
    case OP_INPUT:
        break;
    }
}

double interpret(const instruction *program, int count, double *x, double *y)
{
    double **buffers = malloc(count * sizeof *buffers), result;
    int inputs = 0;
    for (int i = 0; i < count; i++) {
        if (program[i].op == OP_INPUT) {
            buffers[i] = inputs++ ? y : x;
            continue;
        }
        buffers[i] = malloc(SIZE * sizeof(double));
        execute(&program[i], buffers, buffers[i]);
    }
    result = buffers[count - 1][0];
    for (int i = 0; i < count; i++)
        if (program[i].op != OP_INPUT)
            free(buffers[i]);
    free(buffers);
    return result;
}

int main(void)
{
    const instruction program[] = {{OP_INPUT, -1, -1}, {OP_INPUT, -1, -1}, {OP_MATMUL, 0, 1}, {OP_RELU, 2, -1}, {OP_ADD, 3, 0}, {OP_SOFTMAX, 4, -1}, {OP_MUL, 5, 2}, {OP_SUM, 6, -1}};
    enum { COUNT = sizeof program / sizeof program[0] };
    double x[SIZE], y[SIZE], dx[SIZE] = {0}, dy[SIZE] = {0};
    for (int i = 0; i < SIZE; i++) {
        x[i] = sin(2.2 * i + 1);
        y[i] = cos(1.3 * i);
    }
    __enzyme_autodiff((void *)interpret, enzyme_const, program, enzyme_const, COUNT, enzyme_dup, x, dx, enzyme_dup, y, dy);
    for (int i = 0; i < 2 * SIZE; i++) {
        double *v = i < SIZE ? x + i : y + i - SIZE, g = i < SIZE ? dx[i] : dy[i - SIZE], k = *v;
        *v = k + 1e-6;
        double a = interpret(program, COUNT, x, y);
        *v = k - 1e-6;
        double b = interpret(program, COUNT, x, y);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-6) < 1e-6 * (1 + fabs(g)))) {
            printf("variable %d: %g vs %g\n", i, g, (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
