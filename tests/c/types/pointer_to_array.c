// Pointers to arrays, arrays of pointers, and declarator puzzles.
#include "../check.h"

static int rows[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
static int (*row_of(int i))[4] { return &rows[i]; }
static int *cell_of(int (*r)[4], int j) { return *r + j; }
typedef int row4[4];
static int sum_row(row4 *r) { int s = 0; for (int j = 0; j < 4; j++) s += (*r)[j]; return s; }
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*(*pair(void))[2])(void)
{
    static int (*functions[2])(void) = {one, two};
    return &functions;
}

int main(void)
{
    int (*p)[4] = rows;
    CHECK((*p)[2] == 3 && p[1][0] == 5 && (*(p + 2))[3] == 12);
    p++;
    CHECK(**p == 5 && *(*p + 1) == 6);
    CHECK((*row_of(2))[1] == 10 && *cell_of(row_of(0), 3) == 4);
    (*row_of(1))[2] = 70;
    CHECK(rows[1][2] == 70 && sum_row(&rows[1]) == 89);
    int *picks[3] = {&rows[0][0], rows[1], rows[2] + 3};
    CHECK(*picks[0] + *picks[1] + *picks[2] == 18);
    int *(*ap)[3] = &picks;
    CHECK(*(*ap)[2] == 12 && (*ap)[1][2] == 70);
    CHECK((*(*pair())[1])() == 2 && (*pair())[0]() == 1);
    int (*whole)[3][4] = &rows;
    CHECK((*whole)[2][2] == 11 && (void *)(whole + 1) == (void *)(rows + 3));
    char *lines[] = {"first", "second", 0};
    int count = 0;
    for (char **l = lines; *l; l++)
        count += (*l)[0];
    CHECK(count == 'f' + 's');
    row4 copy;
    for (int j = 0; j < 4; j++)
        copy[j] = rows[2][j] * 2;
    printf("%d %d\n", sum_row(&copy), (int)(sizeof *p));
    return check_done();
}
