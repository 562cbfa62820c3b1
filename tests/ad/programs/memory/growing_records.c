/* What is kept in loops whose length is not known before: iterations that stop early, branches that few of them take, loops in them, and pairs of points beyond a
   cutoff; also through functions that stay calls and through memory that is copied as numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

typedef struct { int first, count; } Cell;
typedef struct { double (*place)[3], (*force)[3], *energy; double length, cutoff; } Points;
typedef struct { Cell *cells; int many; Points *points; double total; int visits; } Box;

static void forces(Box *box)
{
    Points *p = box->points;
    for (int i = 0; i < 12; i++)
        memset(p->force[i], 0, sizeof p->force[i]);
    double total = 0;
    for (int a = 0; a < box->many; a++)
        for (int b = a; b < box->many; b++)
            for (int i = 0; i < box->cells[a].count; i++)
                for (int j = 0; j < box->cells[b].count; j++) {
                    int m = box->cells[a].first + i, n = box->cells[b].first + j;
                    if (m >= n)
                        continue;
                    double d[3], r2 = 0;
                    for (int k = 0; k < 3; k++) {
                        d[k] = p->place[m][k] - p->place[n][k];
                        if (d[k] > 0.5 * p->length)
                            d[k] -= p->length;
                        else if (d[k] < -0.5 * p->length)
                            d[k] += p->length;
                        r2 += d[k] * d[k];
                    }
                    if (r2 > p->cutoff * p->cutoff)
                        continue;
                    double r = sqrt(r2), e = exp(-r) * (r - p->cutoff), steps = e;
                    for (int s = 0; steps > 0.1 && s < 20; s++)
                        steps *= 0.5 + 0.1 * sin(r * s);
                    total += e + 0.1 * steps;
                    p->energy[m] += e;
                    for (int k = 0; k < 3; k++) {
                        p->force[m][k] += e * d[k] / r;
                        p->force[n][k] -= e * d[k] / r;
                    }
                }
    box->total = total;
    box->visits++;
}

static void move(Box *box, double h)
{
    Points *p = box->points;
    double old[3];
    for (int i = 0; i < 12; i++) {
        memcpy(old, p->place[i], sizeof old);
        int again = 0;
        while (1) {
            double size = 0;
            for (int k = 0; k < 3; k++) {
                p->place[i][k] = old[k] + h * p->force[i][k] / (1 + again);
                size += p->place[i][k] * p->place[i][k];
            }
            if (size < 9 || ++again > 3)
                break;
        }
    }
    for (int a = 0; a + 1 < box->many; a++)
        if (box->cells[a].count > 2) {
            box->cells[a].count--;
            box->cells[a + 1].first--;
            box->cells[a + 1].count++;
        }
}

static double run(Box *box, double h, int steps)
{
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        forces(box);
        move(box, h);
        sum += box->total;
    }
    forces(box);
    return sum + box->total + box->points->energy[3];
}

static Cell cells[3];
static double place[12][3], force[12][3], energy[12], place_[12][3], force_[12][3], energy_[12];
static Points points, points_;
static Box box, box_;

static void start(int changed, double by)
{
    Cell all[3] = {{0, 5}, {5, 4}, {9, 3}};
    memcpy(cells, all, sizeof cells);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            place[i][k] = sin(3.0 * i + 1.7 * k) + (3 * i + k == changed ? by : 0);
    memset(energy, 0, sizeof energy);
    points = (Points){place, force, energy, 2.2 + (changed == 36 ? by : 0), 0.9};
    box = (Box){cells, 3, &points, 0, 0};
}

int main(void)
{
    int bad = 0;
    double h = 1e-6;
    for (int turn = 0; turn < 2; turn++) {
        memset(place_, 0, sizeof place_);
        memset(force_, 0, sizeof force_);
        memset(energy_, 0, sizeof energy_);
        points_ = (Points){place_, force_, energy_, 0, 0};
        box_ = (Box){cells, 3, &points_, 0, 0};
        start(-1, 0);
        __enzyme_autodiff((void *)run, enzyme_dup, &box, &box_, enzyme_const, 0.05, enzyme_const, 4);
        for (int k = 0; k < 37; k++) {
            double f[2];
            for (int s = 0; s < 2; s++) {
                start(k, s ? -h : h);
                f[s] = run(&box, 0.05, 4);
            }
            double expected = (f[0] - f[1]) / (2 * h), got = k < 36 ? place_[k / 3][k % 3] : points_.length;
            if (fabs(got - expected) > 1e-5 * (1 + fabs(expected))) {
                printf("%d: %.9g, expected %.9g\n", k, got, expected);
                bad++;
            }
        }
    }
    return bad != 0;
}
