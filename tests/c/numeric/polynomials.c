// Polynomial arithmetic: multiply, divide, gcd, derivative, Sturm counts.
#include "../check.h"

#define MAX 24
typedef struct { int degree; double c[MAX]; } poly;

static poly trim(poly p) { while (p.degree > 0 && p.c[p.degree] < 1e-9 && p.c[p.degree] > -1e-9) p.degree--; return p; }
static poly multiply(const poly *a, const poly *b)
{
    poly r = {a->degree + b->degree, {0}};
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            r.c[i + j] += a->c[i] * b->c[j];
    return r;
}
static poly divide(poly a, const poly *b, poly *quotient)
{
    poly q = {a.degree >= b->degree ? a.degree - b->degree : 0, {0}};
    for (int k = a.degree - b->degree; k >= 0; k--) {
        q.c[k] = a.c[k + b->degree] / b->c[b->degree];
        for (int i = 0; i <= b->degree; i++)
            a.c[k + i] -= q.c[k] * b->c[i];
    }
    if (quotient)
        *quotient = q;
    a.degree = a.degree < b->degree ? a.degree : b->degree > 0 ? b->degree - 1 : 0;
    return trim(a);
}
static poly derivative(poly p)
{
    for (int i = 1; i <= p.degree; i++)
        p.c[i - 1] = i * p.c[i];
    p.c[p.degree] = 0;
    p.degree -= p.degree > 0;
    return p;
}
static double evaluate(const poly *p, double x)
{
    double r = 0;
    for (int i = p->degree; i >= 0; i--)
        r = r * x + p->c[i];
    return r;
}
static int sign_changes(const poly *chain, int n, double x)
{
    int changes = 0;
    double last = 0;
    for (int i = 0; i < n; i++) {
        double v = evaluate(&chain[i], x);
        if (v != 0) {
            changes += last * v < 0;
            last = v;
        }
    }
    return changes;
}

int main(void)
{
    poly p = {0, {1}};
    const double roots[] = {-2, -0.5, 1, 3};
    for (int i = 0; i < 4; i++) {
        poly f = {1, {-roots[i], 1}};
        p = multiply(&p, &f);
    }
    poly f = {1, {-1, 1}}, q, r = divide(p, &f, &q);
    CHECK(r.degree == 0 && r.c[0] == 0 && q.degree == 3);
    CHECK_NEAR(evaluate(&q, 3), 0, 1e-12);
    poly chain[8] = {p, derivative(p)};
    int n = 2;
    while (chain[n - 1].degree > 0 && n < 8) {
        poly next = divide(chain[n - 2], &chain[n - 1], 0);
        for (int i = 0; i <= next.degree; i++)
            next.c[i] = -next.c[i];
        chain[n++] = next;
    }
    CHECK(sign_changes(chain, n, -10) - sign_changes(chain, n, 10) == 4);
    CHECK(sign_changes(chain, n, 0) - sign_changes(chain, n, 2) == 1);
    for (int i = p.degree; i >= 0; i--)
        printf("%g ", p.c[i]);
    printf("%d\n", n);
    return check_done();
}
