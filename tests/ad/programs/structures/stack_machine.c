/* A stack machine: byte code with immediate operands, jumps and a loop counter, interpreted in a switch. */
#include <math.h>
#include <stdio.h>

enum { PUSH, ADD, MUL, SUB, DIV, SIN, EXP, LOAD, STORE, DUP, SWAP, JNZ, DEC, HALT };
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

double run(const int *code, const double *constants, const double *input)
{
    double stack[32], memory[4] = {0};
    double *sp = stack;
    int counter = 3;
    memory[0] = input[0];
    memory[1] = input[1];
    for (int pc = 0;;) {
        switch (code[pc++]) {
        case PUSH: *sp++ = constants[code[pc++]]; break;
        case ADD: sp--; sp[-1] += sp[0]; break;
        case MUL: sp--; sp[-1] *= sp[0]; break;
        case SUB: sp--; sp[-1] -= sp[0]; break;
        case DIV: --sp; sp[-1] /= *sp; break;
        case SIN: sp[-1] = sin(sp[-1]); break;
        case EXP: sp[-1] = exp(sp[-1]); break;
        case LOAD: *sp++ = memory[code[pc++]]; break;
        case STORE: memory[code[pc++]] = *--sp; break;
        case DUP: *sp = sp[-1]; sp++; break;
        case SWAP: {
            double t = sp[-1];
            sp[-1] = sp[-2];
            sp[-2] = t;
            break;
        }
        case JNZ: pc = counter ? code[pc] : pc + 1; break;
        case DEC: counter--; break;
        case HALT: return sp[-1];
        default: return NAN;
        }
    }
}

int main(void)
{
    static const int code[] = {/* 0 */ LOAD, 0, LOAD, 1, MUL, PUSH, 0, ADD, SIN, DUP, STORE, 0, LOAD, 1, SWAP, DIV, STORE, 1,
                               /* 18 */ DEC, JNZ, 0, LOAD, 0, LOAD, 1, PUSH, 1, MUL, EXP, SUB, HALT};
    double constants[2] = {1.3, -0.2}, x[2] = {0.6, 0.8}, dc[2] = {0}, dx[2] = {0};
    __enzyme_autodiff((void *)run, enzyme_const, code, enzyme_dup, constants, dc, enzyme_dup, x, dx);
    for (int i = 0; i < 4; i++) {
        double *v = i < 2 ? constants + i : x + i - 2, g = i < 2 ? dc[i] : dx[i - 2], k = *v;
        *v = k + 1e-6;
        double a = run(code, constants, x);
        *v = k - 1e-6;
        double b = run(code, constants, x);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-6) < 1e-6 * (1 + fabs(g)))) {
            printf("variable %d: %g vs %g\n", i, g, (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
