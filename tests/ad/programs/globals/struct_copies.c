/* Structs with pointers that are copied, passed and returned by value. */
#include "check.h"

typedef struct {
    int n;
    double *a;
    struct {
        double *b;
        double s;
    } in;
} S;
static S st;
static S *ps = &st;
static S table[3];
static double use(S v, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        v.a[i] = x[i] * 2;
        v.in.b[i] = v.a[i] * x[i];
    }
    return v.in.s;
}
static S get(int k)
{
    return table[k];
}
double f(const double *x, int n)
{
    S c = *ps;
    double r = use(c, x, n);
    double s = r;
    for (int i = 0; i < n; i++)
        s += st.in.b[i] * st.a[i];
    S d;
    memcpy(&d, ps, sizeof d);
    for (int i = 0; i < n; i++)
        d.a[i] += x[i];
    S t = get(1);
    for (int i = 0; i < n; i++)
        t.a[i] = sin(x[i]);
    S *q = &table[1];
    for (int i = 0; i < n; i++)
        s += q->a[i] * st.a[i];
    return s;
}
int main(void)
{
    st.n = 8;
    st.a = malloc(64);
    st.in.b = malloc(64);
    st.in.s = .5;
    for (int k = 0; k < 3; k++)
        table[k] = (S){8, malloc(64), {malloc(64), k}};
    CHECK(f, 3);
    CHECK(f, 7);
    return failures != 0;
}
