// Shortest paths: Dijkstra, Bellman-Ford, Floyd-Warshall agree.
#include "../check.h"
#include <limits.h>

#define N 14
#define FAR (INT_MAX / 4)
static int graph[N][N];

static void dijkstra(int from, int *distance)
{
    char done[N] = {0};
    for (int i = 0; i < N; i++)
        distance[i] = FAR;
    distance[from] = 0;
    for (;;) {
        int u = -1;
        for (int i = 0; i < N; i++)
            if (!done[i] && distance[i] < FAR && (u < 0 || distance[i] < distance[u]))
                u = i;
        if (u < 0)
            break;
        done[u] = 1;
        for (int v = 0; v < N; v++)
            if (graph[u][v] && distance[u] + graph[u][v] < distance[v])
                distance[v] = distance[u] + graph[u][v];
    }
}
static int bellman_ford(int from, int *distance)
{
    int changed = 1, rounds = 0;
    for (int i = 0; i < N; i++)
        distance[i] = i == from ? 0 : FAR;
    while (changed && rounds++ < N) {
        changed = 0;
        for (int u = 0; u < N; u++)
            for (int v = 0; v < N; v++)
                if (graph[u][v] && distance[u] < FAR && distance[u] + graph[u][v] < distance[v]) {
                    distance[v] = distance[u] + graph[u][v];
                    changed = 1;
                }
    }
    return rounds;
}

int main(void)
{
    int all[N][N], a[N], b[N], total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            graph[i][j] = i != j && (i * 7 + j * 5) % 6 == 1 ? (i * j) % 9 + 1 : 0;
            all[i][j] = i == j ? 0 : graph[i][j] ? graph[i][j] : FAR;
        }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (all[i][k] + all[k][j] < all[i][j])
                    all[i][j] = all[i][k] + all[k][j];
    for (int s = 0; s < N; s++) {
        dijkstra(s, a);
        bellman_ford(s, b);
        for (int i = 0; i < N; i++) {
            CHECK(a[i] == b[i]);
            CHECK(a[i] == all[s][i] || (a[i] >= FAR && all[s][i] >= FAR));
            if (a[i] < FAR)
                total += a[i];
        }
    }
    printf("%d\n", total);
    return check_done();
}
