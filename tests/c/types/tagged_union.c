// A tagged union with recursive evaluation.
#include "../check.h"
#include <stdlib.h>

enum kind { NUMBER, BINARY, NEGATE, VARIABLE };
struct expression {
    enum kind kind;
    union {
        double number;
        struct { char op; struct expression *left, *right; } binary;
        struct expression *operand;
        int variable;
    };
};

static struct expression *make(struct expression e)
{
    struct expression *p = malloc(sizeof *p);
    if (!p)
        exit(9);
    *p = e;
    return p;
}
#define NUM(v) make((struct expression){.kind = NUMBER, .number = (v)})
#define VAR(i) make((struct expression){.kind = VARIABLE, .variable = (i)})
#define BIN(o, l, r) make((struct expression){.kind = BINARY, .binary = {(o), (l), (r)}})
#define NEG(e) make((struct expression){.kind = NEGATE, .operand = (e)})

static double evaluate(const struct expression *e, const double *vars)
{
    switch (e->kind) {
    case NUMBER: return e->number;
    case VARIABLE: return vars[e->variable];
    case NEGATE: return -evaluate(e->operand, vars);
    case BINARY: {
        double l = evaluate(e->binary.left, vars), r = evaluate(e->binary.right, vars);
        switch (e->binary.op) {
        case '+': return l + r;
        case '-': return l - r;
        case '*': return l * r;
        case '/': return l / r;
        }
    }
    }
    return 0;
}

static int destroy(struct expression *e)
{
    int n = 1;
    if (e->kind == BINARY)
        n += destroy(e->binary.left) + destroy(e->binary.right);
    else if (e->kind == NEGATE)
        n += destroy(e->operand);
    free(e);
    return n;
}

int main(void)
{
    struct expression *e = BIN('+', BIN('*', NUM(2), VAR(0)), NEG(BIN('/', VAR(1), NUM(4))));
    double vars[2] = {3, 10};
    CHECK(evaluate(e, vars) == 3.5);
    vars[1] = -2;
    printf("%.17g\n", evaluate(e, vars));
    CHECK(destroy(e) == 8);
    return check_done();
}
