#include <stdio.h>
#include <math.h>
double dot(int n, const double *x, const double *y)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
struct node { struct node *next; int v; double pos[3]; };
int count(struct node *p, int key)
{
    int c = 0;
    for (; p; p = p->next) {
        if (p->v < 0) continue;
        if (p->v == key) break;
        if (p->v > 0 && p->pos[1] > 0.5) c++;
    }
    return c;
}
void swap_loop(double *a, double *b, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * a[i] + 0.25 * (a[i-1] + a[i+1]);
        double *tmp = a; a = b; b = tmp;
    }
}
int collatz(unsigned long n)
{
    int steps = 0;
    while (n != 1) {
        if (n % 2 == 0) n /= 2; else n = 3 * n + 1;
        steps++;
    }
    return steps;
}
int classify(int k) {
    switch (k) {
    case 0: return 5;
    case 1: case 2: k += 3; /* fallthrough */
    case 3: k *= 2; break;
    default: k = -1;
    }
    return k;
}
int main(void) {
    double x[4] = {1,2,3,4}, y[4] = {4,3,2,1};
    printf("%g %d %d\n", dot(4, x, y), collatz(27), classify(2));
    int hist[8] = {0};
    for (int i = 0; i < 4; i++) hist[(int)x[i]]++;
    char buf[16];
    do { hist[0] += 2; } while (hist[0] < 9);
    snprintf(buf, sizeof buf, "%d", hist[0]);
    puts(buf);
    return hist[2] == 1 ? 0 : 1;
}
