// Life, rule 110 and Langton's ant.
#include "../check.h"
#include <stdint.h>
#include <string.h>

#define SIZE 16
typedef unsigned char grid[SIZE][SIZE];
static void life(grid g)
{
    grid n;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            int count = -g[y][x];
            for (int dy = SIZE - 1; dy <= SIZE + 1; dy++)
                for (int dx = SIZE - 1; dx <= SIZE + 1; dx++)
                    count += g[(y + dy) % SIZE][(x + dx) % SIZE];
            n[y][x] = count == 3 || (count == 2 && g[y][x]);
        }
    memcpy(g, n, sizeof n);
}
static uint64_t rule(uint64_t s, unsigned r)
{
    uint64_t n = 0;
    for (int i = 0; i < 64; i++) {
        unsigned k = (unsigned)((s >> ((i + 1) & 63) & 1) << 2 | (s >> i & 1) << 1 | (s >> ((i + 63) & 63) & 1));
        n |= (uint64_t)(r >> k & 1) << i;
    }
    return n;
}

int main(void)
{
    grid g = {{0}};
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (int i = 0; i < 5; i++)
        g[glider[i][1]][glider[i][0]] = 1;
    for (int t = 0; t < 4 * SIZE; t++)
        life(g);
    for (int i = 0; i < 5; i++) // once round the torus
        CHECK(g[glider[i][1]][glider[i][0]]);
    uint64_t s = 1;
    for (int t = 0; t < 40; t++) {
        s = rule(s, 110);
        if (t % 10 == 9)
            printf("%016llx\n", (unsigned long long)s);
    }
    grid a = {{0}};
    int x = 8, y = 8, direction = 0, black = 0;
    for (int t = 0; t < 400; t++) {
        direction = (direction + (a[y][x] ? 3 : 1)) & 3;
        a[y][x] ^= 1;
        x = (x + (direction == 1) - (direction == 3) + SIZE) % SIZE;
        y = (y + (direction == 2) - (direction == 0) + SIZE) % SIZE;
    }
    for (int k = 0; k < SIZE * SIZE; k++)
        black += a[k / SIZE][k % SIZE];
    printf("%d %d %d\n", x, y, black);
    return check_done();
}
