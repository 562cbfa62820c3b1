// Docking energies, a mesh with scattered forces, recursive tasks, red-black sweeps: each against differences or forward mode.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
/* miniBUDE-like: per pose energies, atoms inner loops */
typedef struct {
    float x, y, z;
    int type;
} Atom;
typedef struct {
    float radius, hphb, elsc;
} FF;
static void fasten(int nposes, int np, int nl, const Atom *prot, const Atom *lig, const FF *ff, const float *poses, float *etot) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int g = 0; g < nposes; g++) {
        float t[3][4];
        float sx = sinf(poses[g * 6]), cx = cosf(poses[g * 6]), sy = sinf(poses[g * 6 + 1]), cy = cosf(poses[g * 6 + 1]), sz = sinf(poses[g * 6 + 2]),
              cz = cosf(poses[g * 6 + 2]);
        t[0][0] = cy * cz;
        t[0][1] = sx * sy * cz - cx * sz;
        t[0][2] = cx * sy * cz + sx * sz;
        t[0][3] = poses[g * 6 + 3];
        t[1][0] = cy * sz;
        t[1][1] = sx * sy * sz + cx * cz;
        t[1][2] = cx * sy * sz - sx * cz;
        t[1][3] = poses[g * 6 + 4];
        t[2][0] = -sy;
        t[2][1] = sx * cy;
        t[2][2] = cx * cy;
        t[2][3] = poses[g * 6 + 5];
        float e = 0;
        for (int l = 0; l < nl; l++) {
            const Atom a = lig[l];
            const FF lf = ff[a.type];
            float lx = t[0][3] + a.x * t[0][0] + a.y * t[0][1] + a.z * t[0][2], ly = t[1][3] + a.x * t[1][0] + a.y * t[1][1] + a.z * t[1][2],
                  lz = t[2][3] + a.x * t[2][0] + a.y * t[2][1] + a.z * t[2][2];
            for (int p = 0; p < np; p++) {
                const Atom b = prot[p];
                const FF pf = ff[b.type];
                float rad = pf.radius + lf.radius;
                float x = lx - b.x, y = ly - b.y, z = lz - b.z;
                float d = sqrtf(x * x + y * y + z * z);
                float db = d - rad;
                int zone = db < 0.f;
                e += (1.f - d / rad) * (zone ? 2.f * 38.f : 0.f);
                float ch = pf.elsc * lf.elsc;
                if (d < 8.f)
                    e += ch * (1.f - d / 8.f);
                if (lf.hphb < 0.f && pf.hphb > 0.f)
                    e += expf(-d) * 0.5f;
            }
        }
        etot[g] = e * 0.5f;
    }
}
static double loss(int np_, int np, int nl, const Atom *prot, const Atom *lig, const FF *ff, const float *poses, float *e) {
    fasten(np_, np, nl, prot, lig, ff, poses, e);
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < np_; i++)
        s += e[i] * e[i] * 1e-3;
    return s;
}
/* unstructured scatter with atomics + nodes */
static double fe(const double *x, const int *conn, int ne, double *f, int nn) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < nn; i++)
            f[i] = 0;
#pragma omp for
        for (int e = 0; e < ne; e++) {
            double l[3];
            for (int k = 0; k < 3; k++)
                l[k] = x[conn[3 * e + k]];
            double v = l[0] * l[1] + sin(l[2]);
            for (int k = 0; k < 3; k++) {
#pragma omp atomic
                f[conn[3 * e + k]] += v * l[k];
            }
        }
    }
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < nn; i++)
        s += f[i] * f[i];
    return s;
}
/* tasks: recursive sum */
static double rec(const double *x, int n) {
    if (n <= 4) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += x[i] * x[i] * x[i];
        return s;
    }
    double a, b;
#pragma omp task shared(a)
    a = rec(x, n / 2);
#pragma omp task shared(b)
    b = rec(x + n / 2, n - n / 2);
#pragma omp taskwait
    return a + b + a * b * 1e-3;
}
static double tasks(const double *x, int n) {
    double r;
#pragma omp parallel
#pragma omp single
    r = rec(x, n);
    return r;
}
/* red-black GS */
static double rb(double *u, int n, int sweeps) {
#pragma omp parallel
    for (int s = 0; s < sweeps; s++)
        for (int c = 0; c < 2; c++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + ((i + c) & 1); j < n - 1; j += 2)
                    u[i * n + j] =
                        0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]) + 0.01 * u[i * n + j] * u[i * n + j];
        }
    double m = 0;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n * n; i++)
        if (u[i] > m)
            m = u[i];
    return m;
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
        enum { NP = 17, P = 9, L = 5 };
        Atom pr[P], li[L], prb[P] = {0}, lib[L] = {0};
        FF ff[3] = {{1, -1, .3f}, {1.2f, 1, .5f}, {.8f, .1f, -.2f}}, ffb[3] = {{0}};
        float po[NP * 6], pob[NP * 6] = {0}, e[NP], eb[NP] = {0};
        for (int i = 0; i < P; i++) {
            pr[i].x = i * .7f;
            pr[i].y = sinf(i);
            pr[i].z = cosf(i);
            pr[i].type = i % 3;
        }
        for (int i = 0; i < L; i++) {
            li[i].x = .3f * i;
            li[i].y = .2f;
            li[i].z = -.1f * i;
            li[i].type = (i + 1) % 3;
        }
        for (int i = 0; i < NP * 6; i++)
            po[i] = sinf(i * .37f);
        __enzyme_autodiff((void *)loss, enzyme_const, NP, enzyme_const, P, enzyme_const, L, enzyme_dup, pr, prb, enzyme_dup, li, lib, enzyme_dup, ff,
                          ffb, enzyme_dup, po, pob, enzyme_dup, e, eb);
        for (int k = 0; k < NP * 6; k += 13) {
            float d[NP * 6] = {0};
            d[k] = 1;
            Atom z1[P] = {0}, z2[L] = {0};
            FF z3[3] = {{0}};
            float ed[NP] = {0};
            double t = __enzyme_fwddiff((void *)loss, enzyme_const, NP, enzyme_const, P, enzyme_const, L, enzyme_dup, pr, z1, enzyme_dup, li, z2,
                                        enzyme_dup, ff, z3, enzyme_dup, po, d, enzyme_dup, e, ed);
            cmp("bude pose", pob[k], t, 1e-3);
        }
        {
            Atom z1[P] = {0}, z2[L] = {0};
            FF z3[3] = {{0}};
            float ed[NP] = {0}, d[NP * 6] = {0};
            z3[1].radius = 1;
            double t = __enzyme_fwddiff((void *)loss, enzyme_const, NP, enzyme_const, P, enzyme_const, L, enzyme_dup, pr, z1, enzyme_dup, li, z2,
                                        enzyme_dup, ff, z3, enzyme_dup, po, d, enzyme_dup, e, ed);
            cmp("bude ff", ffb[1].radius, t, 1e-3);
        }
    }
    {
        enum { NE = 50, NN = 23 };
        double x[NN], b[NN] = {0}, f[NN], fb[NN] = {0};
        int c[3 * NE];
        for (int i = 0; i < NN; i++)
            x[i] = sin(i + 1);
        for (int i = 0; i < 3 * NE; i++)
            c[i] = (i * 7 + i / 5) % NN;
        __enzyme_autodiff((void *)fe, enzyme_dup, x, b, enzyme_const, c, enzyme_const, NE, enzyme_dup, f, fb, enzyme_const, NN);
        for (int i = 0; i < NN; i += 5) {
            double h = 1e-6, o = x[i];
            x[i] = o + h;
            double p = fe(x, c, NE, f, NN);
            x[i] = o - h;
            double m = fe(x, c, NE, f, NN);
            x[i] = o;
            cmp("fe", b[i], (p - m) / 2 / h, 1e-5);
        }
    }
    {
        enum { N = 37 };
        double x[N], b[N] = {0};
        for (int i = 0; i < N; i++)
            x[i] = cos(i);
        __enzyme_autodiff((void *)tasks, enzyme_dup, x, b, enzyme_const, N);
        for (int i = 0; i < N; i += 6) {
            double h = 1e-6, o = x[i];
            x[i] = o + h;
            double p = tasks(x, N);
            x[i] = o - h;
            double m = tasks(x, N);
            x[i] = o;
            cmp("tasks", b[i], (p - m) / 2 / h, 1e-5);
        }
    }
    {
        enum { N = 12 };
        double u0[N * N], u[N * N], b[N * N] = {0};
        for (int i = 0; i < N * N; i++)
            u0[i] = sin(i * .7) * .5;
        memcpy(u, u0, sizeof u);
        __enzyme_autodiff((void *)rb, enzyme_dup, u, b, enzyme_const, N, enzyme_const, 4);
        for (int i = 1; i < N * N; i += 17) {
            double h = 1e-6;
            memcpy(u, u0, sizeof u);
            u[i] += h;
            double p = rb(u, N, 4);
            memcpy(u, u0, sizeof u);
            u[i] -= h;
            double m = rb(u, N, 4);
            cmp("rb", b[i], (p - m) / 2 / h, 1e-5);
        }
    }
    puts(bad ? "BAD" : "ok");
    return bad;
}
