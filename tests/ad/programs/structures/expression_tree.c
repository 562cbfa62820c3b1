/* An expression tree on the heap: parse from a string, evaluate by recursion with a switch, free. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct expr {
    char op;
    double number;
    struct expr *l, *r;
} expr;
extern int enzyme_const;
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static expr *make(char op, expr *l, expr *r)
{
    expr *e = calloc(1, sizeof *e);
    e->op = op;
    e->l = l;
    e->r = r;
    return e;
}

/* Prefix notation: + * x y s 2 */
static expr *parse(const char **s)
{
    while (**s == ' ')
        ++*s;
    char c = *(*s)++;
    if (isdigit((unsigned char)c)) {
        expr *e = make('#', NULL, NULL);
        e->number = c - '0';
        return e;
    }
    if (c >= 'x' && c <= 'z')
        return make(c, NULL, NULL);
    if (c == 's' || c == 'e')
        return make(c, parse(s), NULL);
    expr *l = parse(s);
    return make(c, l, parse(s));
}

static double eval(const expr *e, const double *v)
{
    switch (e->op) {
    case '#': return e->number;
    case 'x': case 'y': case 'z': return v[e->op - 'x'];
    case '+': return eval(e->l, v) + eval(e->r, v);
    case '-': return eval(e->l, v) - eval(e->r, v);
    case '*': return eval(e->l, v) * eval(e->r, v);
    case '/': return eval(e->l, v) / eval(e->r, v);
    case 's': return sin(eval(e->l, v));
    case 'e': return exp(eval(e->l, v));
    }
    return 0;
}

static void release(expr *e)
{
    if (e) {
        release(e->l);
        release(e->r);
        free(e);
    }
}

static double evaluate(const expr *e, const double *v) { return eval(e, v); }

int main(void)
{
    const char *texts[] = {"* x + y s z", "/ e * x y + 2 z", "- * * x x x s / y + 1 * z z"};
    for (int t = 0; t < 3; t++) {
        const char *s = texts[t];
        expr *e = parse(&s);
        double v[3] = {0.7, 1.2, -0.4}, g[3] = {0};
        __enzyme_autodiff((void *)evaluate, enzyme_const, e, enzyme_dup, v, g);
        for (int i = 0; i < 3; i++) {
            double k = v[i];
            v[i] = k + 1e-6;
            double a = evaluate(e, v);
            v[i] = k - 1e-6;
            double b = evaluate(e, v);
            v[i] = k;
            if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
                printf("%s, %c: %g vs %g\n", texts[t], 'x' + i, g[i], (a - b) / 2e-6);
                return 1;
            }
        }
        release(e);
    }
    return 0;
}
