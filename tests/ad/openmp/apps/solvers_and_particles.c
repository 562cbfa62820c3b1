// Conjugate gradients in one region, particles with a function pointer, LU in place, a histogram, reductions: each against differences.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
/* CG: one parallel region, orphaned worksharing in helpers, shared scalars via reduction on shared */
typedef struct {
    int n;
    int *rp, *ci;
    double *v;
} Csr;
static void spmv(const Csr *A, const double *x, double *y) {
#pragma omp for schedule(static)
    for (int i = 0; i < A->n; i++) {
        double s = 0;
        for (int k = A->rp[i]; k < A->rp[i + 1]; k++)
            s += A->v[k] * x[A->ci[k]];
        y[i] = s;
    }
}
static double dot(const double *a, const double *b, int n, double *tmp) {
#pragma omp single
    *tmp = 0;
    double loc = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
        loc += a[i] * b[i];
#pragma omp atomic
    *tmp += loc;
#pragma omp barrier
    double r = *tmp;
#pragma omp barrier
    return r;
}
static double cg(const Csr *A, const double *b, double *x, int its) {
    int n = A->n;
    double *r = malloc(n * 8), *p = malloc(n * 8), *q = malloc(n * 8);
    double tmp = 0, res = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            r[i] = b[i];
            p[i] = b[i];
        }
        double rho = dot(r, r, n, &tmp);
        for (int it = 0; it < its; it++) {
            spmv(A, p, q);
            double alpha = rho / dot(p, q, n, &tmp);
#pragma omp for
            for (int i = 0; i < n; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double rn = dot(r, r, n, &tmp);
            double beta = rn / rho;
            rho = rn;
#pragma omp for
            for (int i = 0; i < n; i++)
                p[i] = r[i] + beta * p[i];
        }
#pragma omp master
        res = rho;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i] * (i + 1);
    free(r);
    free(p);
    free(q);
    return s + res;
}
/* SoA particles with neighbor lists, lastprivate, collapse, function pointer potential */
typedef double (*pot)(double, double);
static double lj(double r2, double e) {
    double i6 = 1 / (r2 * r2 * r2 + .1);
    return 4 * e * (i6 * i6 - i6);
}
static double morse(double r2, double e) {
    double d = 1 - exp(-(sqrt(r2) - 1));
    return e * d * d;
}
typedef struct {
    double *x, *y, *z;
    int n;
    double eps;
    pot f;
} Sys;
static double energy(Sys *s, double *last) {
    double e = 0;
    double l = 0;
    const int n = s->n;
#pragma omp parallel for schedule(guided) reduction(+ : e) lastprivate(l)
    for (int i = 0; i < n; i++) {
        double ei = 0;
        for (int j = 0; j < n; j++)
            if (j != i) {
                double dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j], dz = s->z[i] - s->z[j];
                double r2 = dx * dx + dy * dy + dz * dz;
                if (r2 > 9)
                    continue;
                ei += s->f(r2, s->eps);
            }
        l = ei;
        e += 0.5 * ei;
    }
    *last = l;
    return e + 0.1 * l;
}
/* in-place LU with parallel inner loops */
static double lu(double *a, int n) {
    for (int k = 0; k < n; k++) {
#pragma omp parallel for default(none) shared(a, n, k)
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    double d = 0;
#pragma omp parallel for reduction(+ : d)
    for (int i = 0; i < n; i++)
        d += log(fabs(a[i * n + i]));
    return d;
}
/* two-level: histogram with critical merge of private arrays */
static void hist(const double *x, const double *w, int n, double *h, int m) {
#pragma omp parallel
    {
        double *loc = calloc(m, 8);
#pragma omp for schedule(static, 3)
        for (int i = 0; i < n; i++) {
            int b = (int)(fabs(x[i]) * m) % m;
            double f = fabs(x[i]) * m - floor(fabs(x[i]) * m);
            loc[b] += w[i] * (1 - f);
            loc[(b + 1) % m] += w[i] * f;
        }
#pragma omp critical
        for (int k = 0; k < m; k++)
            h[k] += loc[k] * loc[k] * 0 + loc[k];
        free(loc);
    }
}
static double hloss(const double *x, const double *w, int n, double *h, int m) {
    for (int k = 0; k < m; k++)
        h[k] = 0;
    hist(x, w, n, h, m);
    double s = 0;
    for (int k = 0; k < m; k++)
        s += h[k] * h[k] * (k + 1);
    return s;
}
/* product + min reductions, sections, if clause, num_threads */
static double mix(const double *x, int n) {
    double p = 1, mn = 1e30;
    double a = 0, b = 0;
#pragma omp parallel for reduction(* : p) reduction(min : mn) if (n > 4) num_threads(3)
    for (int i = 0; i < n; i++) {
        p *= 1 + 0.1 * x[i];
        mn = fmin(mn, x[i] * x[i]);
    }
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        a = sin(p * x[0]);
#pragma omp section
        {
            b = mn * x[1];
            b *= b;
        }
    }
    return a + b;
}
static int bad;
static void cmp(const char *w, double a, double b, double tol) {
    if (!(fabs(a - b) <= tol * (1 + fabs(b)))) {
        bad++;
        printf("%s: %g vs %g\n", w, a, b);
    }
}
int main(void) {
    {
        enum { N = 30 };
        Csr A = {N, malloc(4 * (N + 1)), malloc(4 * 3 * N), malloc(8 * 3 * N)}, Ab = A;
        int k = 0;
        for (int i = 0; i < N; i++) {
            A.rp[i] = k;
            for (int d = -1; d <= 1; d++)
                if (i + d >= 0 && i + d < N) {
                    A.ci[k] = i + d;
                    A.v[k] = d ? -1 + .01 * i : 2.5 + .1 * sin(i);
                    k++;
                }
        }
        A.rp[N] = k;
        Ab = A;
        Ab.v = calloc(k, 8);
        double b[N], bb[N] = {0}, x[N], xb[N] = {0};
        for (int i = 0; i < N; i++)
            b[i] = cos(i);
        __enzyme_autodiff((void *)cg, enzyme_dup, &A, &Ab, enzyme_dup, b, bb, enzyme_dup, x, xb, enzyme_const, 4);
        for (int i = 0; i < N; i += 7) {
            double h = 1e-6, o = b[i];
            b[i] = o + h;
            double p = cg(&A, b, x, 4);
            b[i] = o - h;
            double m = cg(&A, b, x, 4);
            b[i] = o;
            cmp("cg b", bb[i], (p - m) / 2 / h, 1e-5);
        }
        for (int i = 0; i < k; i += 11) {
            double h = 1e-6, o = A.v[i];
            A.v[i] = o + h;
            double p = cg(&A, b, x, 4);
            A.v[i] = o - h;
            double m = cg(&A, b, x, 4);
            A.v[i] = o;
            cmp("cg A", Ab.v[i], (p - m) / 2 / h, 1e-5);
        }
    }
    for (int w = 0; w < 2; w++) {
        enum { N = 14 };
        double c[3][N], cb[3][N] = {{0}}, last, lb = 0;
        for (int i = 0; i < N; i++)
            for (int d = 0; d < 3; d++)
                c[d][i] = sin(i * 1.7 + d * 2.1) * 2;
        Sys s = {c[0], c[1], c[2], N, .7, w ? lj : morse}, sb = {cb[0], cb[1], cb[2], N, 0, w ? lj : morse};
        __enzyme_autodiff((void *)energy, enzyme_dup, &s, &sb, enzyme_dup, &last, &lb);
        for (int i = 0; i < N; i += 3)
            for (int d = 0; d < 3; d++) {
                double h = 1e-6, o = c[d][i];
                c[d][i] = o + h;
                double p = energy(&s, &last);
                c[d][i] = o - h;
                double m = energy(&s, &last);
                c[d][i] = o;
                cmp("md", cb[d][i], (p - m) / 2 / h, 1e-5);
            }
        double h = 1e-6;
        s.eps += h;
        double p = energy(&s, &last);
        s.eps -= 2 * h;
        double m = energy(&s, &last);
        cmp("md eps", sb.eps, (p - m) / 2 / h, 1e-5);
    }
    {
        enum { N = 9 };
        double a0[N * N], a[N * N], b[N * N] = {0};
        for (int i = 0; i < N * N; i++)
            a0[i] = sin(i * i) + (i % (N + 1) ? 0 : 4);
        memcpy(a, a0, sizeof a);
        __enzyme_autodiff((void *)lu, enzyme_dup, a, b, enzyme_const, N);
        for (int i = 0; i < N * N; i += 5) {
            double h = 1e-6;
            memcpy(a, a0, sizeof a);
            a[i] += h;
            double p = lu(a, N);
            memcpy(a, a0, sizeof a);
            a[i] -= h;
            double m = lu(a, N);
            cmp("lu", b[i], (p - m) / 2 / h, 1e-5);
        }
    }
    {
        enum { N = 40, M = 7 };
        double x[N], w[N], xb[N] = {0}, wb[N] = {0}, h[M], hb[M] = {0};
        for (int i = 0; i < N; i++) {
            x[i] = .37 * sin(i * 3) + .01;
            w[i] = cos(i);
        }
        __enzyme_autodiff((void *)hloss, enzyme_dup, x, xb, enzyme_dup, w, wb, enzyme_const, N, enzyme_dup, h, hb, enzyme_const, M);
        for (int i = 0; i < N; i += 6) {
            double d = 1e-7, o = x[i];
            x[i] = o + d;
            double p = hloss(x, w, N, h, M);
            x[i] = o - d;
            double m = hloss(x, w, N, h, M);
            x[i] = o;
            cmp("hist x", xb[i], (p - m) / 2 / d, 1e-4);
            o = w[i];
            w[i] = o + d;
            p = hloss(x, w, N, h, M);
            w[i] = o - d;
            m = hloss(x, w, N, h, M);
            w[i] = o;
            cmp("hist w", wb[i], (p - m) / 2 / d, 1e-4);
        }
    }
    {
        enum { N = 11 };
        double x[N], b[N] = {0};
        for (int i = 0; i < N; i++)
            x[i] = 1 + .5 * sin(i * 2.3);
        __enzyme_autodiff((void *)mix, enzyme_dup, x, b, enzyme_const, N);
        for (int i = 0; i < N; i++) {
            double h = 1e-6, o = x[i];
            x[i] = o + h;
            double p = mix(x, N);
            x[i] = o - h;
            double m = mix(x, N);
            x[i] = o;
            cmp("mix", b[i], (p - m) / 2 / h, 1e-5);
        }
    }
    puts(bad ? "BAD" : "ok");
    return bad;
}
