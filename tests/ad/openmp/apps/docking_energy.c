/* poses against a protein: each thread its own pose, all reading the same atoms */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define ATOMS 10
#define LIGAND 4
#define POSES 9
struct atom { float x, y, z; int type; };
struct force { float radius, depth, charge; };
void __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
static void energies(const struct atom *restrict protein, const struct atom *restrict ligand, const struct force *restrict field,
                     const float *restrict pose, float *restrict out)
{
#pragma omp parallel for
    for (int p = 0; p < POSES; p++) {
        const float *t = &pose[p * 4];
        const float c = cosf(t[3]), s = sinf(t[3]);
        float sum = 0;
        for (int l = 0; l < LIGAND; l++) {
            const float x = c * ligand[l].x - s * ligand[l].y + t[0], y = s * ligand[l].x + c * ligand[l].y + t[1], z = ligand[l].z + t[2];
            for (int a = 0; a < ATOMS; a++) {
                const float dx = x - protein[a].x, dy = y - protein[a].y, dz = z - protein[a].z;
                const float r = sqrtf(dx * dx + dy * dy + dz * dz + 0.1f);
                const struct force *fa = &field[protein[a].type], *fl = &field[ligand[l].type];
                const float reach = fa->radius + fl->radius;
                sum += fa->charge * fl->charge / r;
                if (r < reach)
                    sum += (reach - r) * fa->depth * fl->depth;
            }
        }
        out[p] = 0.5f * sum;
    }
}
static double loss(const struct atom *a, const struct atom *l, const struct force *f, const float *pose)
{
    float out[POSES];
    double s = 0;
    energies(a, l, f, pose, out);
    for (int p = 0; p < POSES; p++)
        s += out[p] * (1 + p);
    return s;
}
int main(void)
{
    struct atom a[ATOMS], l[LIGAND];
    struct force f[3] = {{1.0f, 0.5f, 0.7f}, {0.8f, 1.5f, -0.4f}, {1.4f, 0.9f, 0.2f}}, fb[3] = {{0, 0, 0}};
    float pose[POSES * 4], poseb[POSES * 4] = {0}, out[POSES], seed[POSES];
    int bad = 0;
    for (int k = 0; k < ATOMS; k++)
        a[k] = (struct atom){(float)sin(k), (float)cos(2 * k), 0.3f * (float)k, k % 3};
    for (int k = 0; k < LIGAND; k++)
        l[k] = (struct atom){0.4f * (float)k, 0.1f, 0.2f, (k + 1) % 3};
    for (int k = 0; k < POSES * 4; k++)
        pose[k] = (float)sin(0.7 * k);
    for (int p = 0; p < POSES; p++)
        seed[p] = (float)(1 + p);
    __enzyme_autodiff((void *)energies, enzyme_const, a, enzyme_const, l, enzyme_dup, f, fb, enzyme_dup, pose, poseb, enzyme_dup, out, seed);
    for (int k = 0; k < POSES * 4 + 9; k++) {
        float *at = k < POSES * 4 ? &pose[k] : &f[(k - POSES * 4) / 3].radius + (k - POSES * 4) % 3;
        float got = k < POSES * 4 ? poseb[k] : (&fb[(k - POSES * 4) / 3].radius)[(k - POSES * 4) % 3];
        float keep = *at, h = 2e-3f;
        *at = keep + h;
        double up = loss(a, l, f, pose);
        *at = keep - h;
        double low = loss(a, l, f, pose);
        *at = keep;
        double numeric = (up - low) / (2 * h);
        if (!(fabs(got - numeric) < 0.08 + 0.03 * fabs(numeric))) {
            printf("%d: %g, not %g\n", k, got, numeric);
            bad = 1;
        }
    }
    return bad;
}
