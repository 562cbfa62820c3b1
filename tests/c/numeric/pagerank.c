// PageRank by power iteration over edge lists.
#include "../check.h"

#define N 7
static const struct { int from, to; } edges[] = {{0, 1}, {0, 2}, {1, 2}, {2, 0}, {3, 2}, {3, 4}, {4, 5}, {5, 3}, {5, 6}, {1, 6}};
enum { E = sizeof edges / sizeof edges[0] };

int main(void)
{
    double rank[N], next[N];
    int out[N] = {0}, rounds = 0;
    for (int e = 0; e < E; e++)
        out[edges[e].from]++;
    for (int i = 0; i < N; i++)
        rank[i] = 1.0 / N;
    double change = 1;
    for (; change > 1e-12 && rounds < 500; rounds++) {
        double dangling = 0;
        for (int i = 0; i < N; i++)
            dangling += out[i] ? 0 : rank[i];
        for (int i = 0; i < N; i++)
            next[i] = 0.15 / N + 0.85 * dangling / N;
        for (int e = 0; e < E; e++)
            next[edges[e].to] += 0.85 * rank[edges[e].from] / out[edges[e].from];
        change = 0;
        for (int i = 0; i < N; i++) {
            change += next[i] > rank[i] ? next[i] - rank[i] : rank[i] - next[i];
            rank[i] = next[i];
        }
    }
    double total = 0;
    int top = 0;
    for (int i = 0; i < N; i++) {
        total += rank[i];
        if (rank[i] > rank[top])
            top = i;
        printf("%.10f\n", rank[i]);
    }
    CHECK(rounds < 500);
    CHECK_NEAR(total, 1, 1e-10);
    printf("%d\n", top);
    return check_done();
}
