// Graphs as adjacency lists in arrays: DFS, topological order, union-find.
#include "../check.h"
#include <stdlib.h>

#define MAX_EDGES 64
static int head[16], next_edge[MAX_EDGES], to[MAX_EDGES], edges;

static void add_edge(int a, int b)
{
    to[edges] = b;
    next_edge[edges] = head[a];
    head[a] = edges++;
}
static int visited[16], order[16], ordered;
static void visit(int v)
{
    if (visited[v]++)
        return;
    for (int e = head[v]; e >= 0; e = next_edge[e])
        visit(to[e]);
    order[ordered++] = v;
}
static int parent[16];
static int root(int x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}
static int unite(int a, int b)
{
    a = root(a);
    b = root(b);
    if (a == b)
        return 0;
    parent[a > b ? a : b] = a > b ? b : a;
    return 1;
}

int main(void)
{
    for (int i = 0; i < 16; i++) {
        head[i] = -1;
        parent[i] = i;
    }
    for (int a = 0; a < 12; a++)
        for (int b = a + 1; b < 12; b++)
            if ((a * 5 + b * 3) % 7 == 0)
                add_edge(a, b);
    for (int v = 0; v < 12; v++)
        visit(v);
    int position[16];
    for (int i = 0; i < ordered; i++)
        position[order[ordered - 1 - i]] = i;
    CHECK(ordered == 12);
    for (int v = 0; v < 12; v++)
        for (int e = head[v]; e != -1; e = next_edge[e])
            CHECK(position[v] < position[to[e]]);
    for (int i = 0; i < 12; i++)
        printf("%d ", order[i]);
    int joined = 0;
    for (int v = 0; v < 12; v++)
        for (int e = head[v]; e >= 0; e = next_edge[e])
            joined += unite(v, to[e]);
    printf("\n%d edges, %d components\n", edges, 12 - joined);
    int **rows = malloc(12 * sizeof *rows);
    if (!rows)
        return 9;
    int total = 0;
    for (int i = 0; i < 12; i++) {
        rows[i] = calloc((size_t)i + 1, sizeof **rows); // a triangular matrix
        if (!rows[i])
            return 9;
        for (int e = head[i]; e >= 0; e = next_edge[e])
            rows[i][to[e] % (i + 1)]++;
    }
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j <= i; j++)
            total += rows[i][j];
        free(rows[i]);
    }
    free(rows);
    CHECK(total == edges);
    return check_done();
}
