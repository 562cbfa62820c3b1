// Dynamic programming on strings: edit distance, LCS, alignment.
#include "../check.h"
#include <string.h>

#define MAX 32
static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
static int edit(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b), row[MAX];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int up = row[j];
            row[j] = min3(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
        }
    }
    return row[m];
}
static int longest_common(const char *a, const char *b, char *out)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int t[n + 1][m + 1];
    for (int i = n; i >= 0; i--)
        for (int j = m; j >= 0; j--)
            t[i][j] = i == n || j == m ? 0 : a[i] == b[j] ? 1 + t[i + 1][j + 1] : t[i + 1][j] > t[i][j + 1] ? t[i + 1][j] : t[i][j + 1];
    int i = 0, j = 0;
    while (i < n && j < m)
        if (a[i] == b[j]) {
            *out++ = a[i];
            i++, j++;
        } else if (t[i + 1][j] >= t[i][j + 1])
            i++;
        else
            j++;
    *out = 0;
    return t[0][0];
}
static int recursive_edit(const char *a, const char *b)
{
    if (!*a || !*b)
        return (int)(strlen(a) + strlen(b));
    if (*a == *b)
        return recursive_edit(a + 1, b + 1);
    return 1 + min3(recursive_edit(a + 1, b), recursive_edit(a, b + 1), recursive_edit(a + 1, b + 1));
}

int main(void)
{
    CHECK(edit("kitten", "sitting") == 3 && edit("", "abc") == 3 && edit("same", "same") == 0);
    CHECK(edit("abcde", "badce") == recursive_edit("abcde", "badce"));
    char out[MAX];
    CHECK(longest_common("AGGTAB", "GXTXAYB", out) == 4 && !strcmp(out, "GTAB"));
    printf("%s %d\n", out, edit("intention", "execution"));
    return check_done();
}
