// Labels as values: a threaded interpreter.
#include "../check.h"

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, HALT };

static int run(const int *code)
{
    static void *const dispatch[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&halt};
    int stack[16], top = 0, pc = 0;
    goto *dispatch[code[pc]];
push:
    stack[top++] = code[pc + 1];
    pc += 2;
    goto *dispatch[code[pc]];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *dispatch[code[++pc]];
mul:
    top--;
    stack[top - 1] *= stack[top];
    goto *dispatch[code[++pc]];
dup:
    stack[top] = stack[top - 1];
    top++;
    goto *dispatch[code[++pc]];
jnz:
    if (stack[top - 1]) {
        pc = code[pc + 1];
    } else {
        pc += 2;
    }
    goto *dispatch[code[pc]];
dec:
    stack[top - 1]--;
    goto *dispatch[code[++pc]];
halt:
    return stack[0] + stack[top - 1];
}

int main(void)
{
    int square_sum[] = {PUSH, 3, DUP, MUL, PUSH, 4, DUP, MUL, ADD, HALT};
    CHECK(run(square_sum) == 50);
    int countdown[] = {PUSH, 7, PUSH, 5, DEC, JNZ, 4, ADD, HALT};
    CHECK(run(countdown) == 14);
    printf("%d\n", run(square_sum));
    return check_done();
}
