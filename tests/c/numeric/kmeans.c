// flags: -lm
// Lloyd's k-means with structs and labels.
#include "../check.h"
#include <float.h>
#include <math.h>

#define POINTS 60
#define K 3
struct point { float x, y; int cluster; };
struct center { double x, y; int members; };

int main(void)
{
    struct point p[POINTS];
    struct center c[K];
    unsigned r = 5;
    for (int i = 0; i < POINTS; i++) {
        r = r * 1103515245u + 12345u;
        float dx = (float)(r >> 16 & 255) / 256 - 0.5f, dy = (float)(r >> 8 & 255) / 256 - 0.5f;
        p[i] = (struct point){(float)(i % 3 * 4) + dx, (float)(i % 3 == 1 ? 5 : 0) + dy, -1};
    }
    for (int k = 0; k < K; k++)
        c[k] = (struct center){p[k].x, p[k].y, 0};
    int moved, rounds = 0;
    double inertia;
    do {
        moved = 0;
        inertia = 0;
        for (int i = 0; i < POINTS; i++) {
            double best = DBL_MAX;
            int which = -1;
            for (int k = 0; k < K; k++) {
                double d = (p[i].x - c[k].x) * (p[i].x - c[k].x) + (p[i].y - c[k].y) * (p[i].y - c[k].y);
                if (d < best) {
                    best = d;
                    which = k;
                }
            }
            inertia += best;
            if (which != p[i].cluster) {
                p[i].cluster = which;
                moved++;
            }
        }
        for (int k = 0; k < K; k++)
            c[k] = (struct center){0, 0, 0};
        for (int i = 0; i < POINTS; i++) {
            struct center *k = &c[p[i].cluster];
            k->x += p[i].x;
            k->y += p[i].y;
            k->members++;
        }
        for (int k = 0; k < K; k++) {
            c[k].x /= c[k].members;
            c[k].y /= c[k].members;
        }
        rounds++;
    } while (moved && rounds < 50);
    for (int k = 0; k < K; k++) {
        CHECK(c[k].members == 20);
        printf("%.9f %.9f\n", c[k].x, c[k].y);
    }
    printf("%d %.9f\n", rounds, inertia);
    return check_done();
}
