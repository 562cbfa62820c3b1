//! Forward mode against dual numbers, central differences and (where it can) reverse mode, on small C functions.

use adjoin_harness::derivative::{self, Check};

const MATH: &str = "double sin(double); double cos(double); double exp(double); double log(double); double sqrt(double); double pow(double, double); double fabs(double); double fmax(double, double); double fmin(double, double); double tanh(double); double atan2(double, double); float sinf(float); void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *); void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);\n";

const AT: [f64; 5] = [0.7, 1.3, -0.4, 2.1, 0.9];

fn run(text: &str, outputs: usize) {
    run_with(text, outputs, true);
}

fn run_with(text: &str, outputs: usize, duals: bool) {
    let text = format!("{MATH}{text}");
    let check = Check {
        outputs,
        duals,
        ..Check::new(&text, &AT)
    };
    if let Err(error) = derivative::check(&check) {
        panic!("{error}\n{text}");
    }
}

#[test]
fn numbers() {
    run(
        "double f(double *x) { return sin(x[0]) * x[1] - exp(x[2]) / x[3] + -x[4]; }",
        0,
    );
    run(
        "double f(double *x) { double a = x[0] > 0 ? x[1] * x[1] : x[2]; return a + pow(x[3], x[0]) + sqrt(x[3]) + log(x[1]); }",
        0,
    );
    run(
        "double f(double *x) { return fabs(x[2]) + fmax(x[0], x[1]) * fmin(x[2], x[3]) + tanh(x[4]) + atan2(x[0], x[1]); }",
        0,
    );
    run(
        "double f(double *x) { int i = (int)x[3]; return i * x[0] + (double)(long)x[1]; }",
        0,
    );
}

#[test]
fn loops() {
    run(
        "double f(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { if (x[i] < 0) continue; s += x[i] * x[i]; if (s > 5) break; } return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { double a = x[0], b = x[1]; while (a < 100) { double t = a + b * x[4]; b = a; a = t * 1.5; } return a * b; }",
        0,
    );
    run(
        "double f(double *x, int n) { double s = 1; int i = 0; do { switch (i) { case 0: s *= x[0]; case 1: s += x[1]; break; case 2: s = s * s; break; default: s -= x[3]; } } while (++i < n); return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { int i = 0; double s = 0; again: s += x[i] * i; if (++i < n) goto again; if (s > 1e9) return x[0]; return s * s; }",
        0,
    );
}

#[test]
fn memory() {
    run(
        "void f(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * x[(i + 1) % n]; for (int i = 1; i < n; i++) y[i] += y[i - 1] * x[0]; }",
        5,
    );
    run(
        "struct v { double a[3]; int k; double *p; }; static struct v make(double *x) { struct v r; r.a[0] = x[0]; r.a[1] = x[1] * x[2]; r.a[2] = 3; r.k = 2; r.p = x + 3; return r; } double f(double *x) { struct v s = make(x), t = s; t.a[s.k] *= s.a[1]; double *q = &t.a[0]; q[1] += *s.p * q[0]; return t.a[0] + t.a[1] * t.a[2] + t.p[1]; }",
        0,
    );
    run(
        "double f(double *x, int n) { double *y = malloc(n * sizeof *y), *z = calloc(n, sizeof *z); for (int i = 0; i < n; i++) { y[i] = x[i] * x[i]; z[n - 1 - i] += y[i] * x[0]; } y = realloc(y, 2 * n * sizeof *y); memcpy(y + n, z, n * sizeof *z); memmove(y + 1, y, n * sizeof *y); memset(z, 0, 8); double s = z[0] + z[1]; for (int i = 0; i < 2 * n; i++) s += y[i] * i; free(y); free(z); return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { double t[n]; for (int i = 0; i < n; i++) t[i] = sin(x[i]); double *p = t, s = 0; for (; p < t + n; p++) s += *p * *p; return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { double a[5] = {0}, b[5], *p = a, *q = b; for (int i = 0; i < n; i++) q[i] = x[i]; for (int k = 0; k < 3; k++) { for (int i = 0; i < n; i++) p[i] = q[i] * q[(i + 1) % n] * 0.5; double *t = p; p = q; q = t; } return q[0] + q[3]; }",
        0,
    );
    run(
        "static double g[3]; double h; double f(double *x) { g[1] = x[0] * x[1]; h = g[1] + x[2]; double *p = x[0] > 0 ? &h : g; *p *= 2; return h * g[1] + g[2]; }",
        0,
    );
}

#[test]
fn bits() {
    run_with(
        "double f(double *x) { union { double d; unsigned long u; } a, b; a.d = x[0] * x[1]; b.u = a.u; return b.d * x[2]; }",
        0,
        false,
    );
    run_with(
        "double f(double *x) { unsigned long u; double y = x[0] * x[0], z; memcpy(&u, &y, 8); memcpy(&z, &u, 8); return z * x[1]; }",
        0,
        false,
    );
    run_with(
        "double f(double *x) { double y[2] = {x[0] * 2, x[1]}, z[2]; char *d = (char *)z, *s = (char *)y; for (int i = 0; i < 16; i++) d[i] = s[i]; return z[0] * z[1]; }",
        0,
        false,
    );
    run_with(
        "double f(double *x) { unsigned char buffer[16]; double a = x[0] * x[1], b; memcpy(buffer + 3, &a, 8); memcpy(&b, buffer + 3, 8); return b * b; }",
        0,
        false,
    );
}

#[test]
fn calls() {
    run(
        "static double power(double x, int n) { if (n == 0) return 1; if (n % 2) return x * power(x, n - 1); double h = power(x, n / 2); return h * h; } double f(double *x, int n) { return power(x[0], 5) * x[1] + power(x[1], n); }",
        0,
    );
    run(
        "static double sum(const double *x, int n) { return n == 1 ? x[0] * x[0] : sum(x, n / 2) * 0.5 + sum(x + n / 2, n - n / 2); } double f(double *x, int n) { return sum(x, n); }",
        0,
    );
    run(
        "struct node { double v; struct node *next; }; static struct node *build(const double *x, int n) { if (n == 0) return 0; struct node *p = malloc(sizeof *p); p->v = x[0] * x[0]; p->next = build(x + 1, n - 1); return p; } static double total(struct node *p) { if (!p) return 0; double s = p->v + 0.5 * total(p->next); free(p); return s; } double f(double *x, int n) { return total(build(x, n)); }",
        0,
    );
    run(
        "struct c { double re, im; }; static struct c step(struct c z, struct c k, int n) { if (n == 0) return z; struct c w = {z.re * z.re - z.im * z.im + k.re, 2 * z.re * z.im + k.im}; return step(w, k, n - 1); } double f(double *x) { struct c z = {0, 0}, k = {x[0] * 0.1, x[2]}; struct c r = step(z, k, 4); return r.re * 3 + r.im; }",
        0,
    );
    run(
        "static double total; static void visit(double *x, int n) { if (n == 0) return; total += x[0] * x[0]; visit(x + 1, n - 1); } double f(double *x, int n) { total = 0; visit(x, n); return total * x[0]; }",
        0,
    );
    run(
        "static double odd(double x, int n); static double even(double x, int n) { return n == 0 ? x : odd(x * x, n - 1); } static double odd(double x, int n) { return n == 0 ? 1 : sin(even(x, n - 1)); } double f(double *x) { return even(x[0], 6) + odd(x[1], 3); }",
        0,
    );
}

fn run_twice(text: &str, reverse: bool) {
    let text = format!("{MATH}{text}");
    let check = Check {
        reverse,
        tolerance: 1e-6,
        ..Check::new(&text, &AT)
    };
    if let Err(error) = derivative::check_second_order(&check) {
        panic!("{error}\n{text}");
    }
}

const SMOOTH: &[&str] = &[
    "double f(double *x) { return sin(x[0]) * x[1] - exp(x[2]) / x[3] + x[4] * x[4] * x[4]; }",
    "double f(double *x, int n) { double s = 1; for (int i = 0; i < n; i++) s = s * sin(x[i]) + x[i] * x[0]; return s; }",
    "double f(double *x, int n) { double a = x[0], b = x[1]; while (a < 100) { double t = a + b * x[4]; b = a; a = t * 1.5; } return a * b; }",
    "double f(double *x, int n) { double *y = malloc(n * sizeof *y); for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) y[i] = y[i] * y[(i + 1) % n] * 0.5; double s = 0; for (int i = 0; i < n; i++) s += y[i]; free(y); return s; }",
    "static double g; double f(double *x) { g = x[0] * x[1]; g *= g * x[2]; return g + x[3] * g; }",
    "struct v { double a[3]; }; static double dot(struct v p, struct v q) { double s = 0; for (int i = 0; i < 3; i++) s += p.a[i] * q.a[i] * q.a[i]; return s; } double f(double *x) { struct v p = {{x[0], x[1], x[2]}}, q = {{x[3], x[4], x[0]}}; return dot(p, q) * dot(q, p); }",
];

#[test]
fn forward_over_forward() {
    for text in SMOOTH {
        run_twice(text, false);
    }
    run_twice(
        "static double power(double x, int n) { if (n == 0) return 1; if (n % 2) return x * power(x, n - 1); double h = power(x, n / 2); return h * h; } double f(double *x, int n) { return power(x[0], 5) * x[1] + power(x[1], n); }",
        false,
    );
}
