/* Recursive descent evaluation straight from text: digits, identifiers, precedence, mutual recursion. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { const char *at; const double *vars; } parser;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double sum(parser *p);

static double atom(parser *p)
{
    if (*p->at == '(') {
        p->at++;
        double v = sum(p);
        p->at++;
        return v;
    }
    if (*p->at == '-') {
        p->at++;
        return -atom(p);
    }
    if (islower((unsigned char)*p->at))
        return p->vars[*p->at++ - 'a'];
    double v = 0;
    while (isdigit((unsigned char)*p->at))
        v = 10 * v + (*p->at++ - '0');
    return v;
}

static double term(parser *p)
{
    double v = atom(p);
    while (*p->at == '*' || *p->at == '/') {
        char op = *p->at++;
        double r = atom(p);
        v = op == '*' ? v * r : v / r;
    }
    return v;
}

static double sum(parser *p)
{
    double v = term(p);
    while (*p->at == '+' || *p->at == '-') {
        if (*p->at++ == '+')
            v += term(p);
        else
            v -= term(p);
    }
    return v;
}

double evaluate(const char *text, const double *vars)
{
    parser p = {text, vars};
    return sum(&p);
}

int main(void)
{
    const char *text = "a*(b-c/(1+a*a))+12*-b*c-(a+b)*(a+b)/4";
    double v[3] = {0.5, 1.5, -0.7}, g[3] = {0};
    __enzyme_autodiff((void *)evaluate, enzyme_const, text, enzyme_dup, v, g);
    for (int i = 0; i < 3; i++) {
        double k = v[i];
        v[i] = k + 1e-6;
        double a = evaluate(text, v);
        v[i] = k - 1e-6;
        double b = evaluate(text, v);
        v[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("%c: %g vs %g\n", 'a' + i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
