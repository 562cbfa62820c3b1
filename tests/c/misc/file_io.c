// interp: skip file I/O
// A temporary file written, read back and parsed.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    FILE *f = tmpfile();
    if (!f)
        return 2;
    for (int i = 0; i < 10; i++)
        fprintf(f, "%d %.3f row%d\n", i, i * 0.125, i);
    rewind(f);
    int n, rows = 0;
    double v, sum = 0;
    char name[16];
    while (fscanf(f, "%d %lf %15s", &n, &v, name) == 3) {
        CHECK(n == rows);
        sum += v;
        rows++;
    }
    CHECK(rows == 10 && sum == 5.625 && !strcmp(name, "row9") && feof(f));
    fseek(f, 0, SEEK_SET);
    char line[64];
    int length = 0;
    while (fgets(line, sizeof line, f))
        length += (int)strlen(line);
    CHECK(length == ftell(f));
    rewind(f);
    int c, newlines = 0;
    while ((c = getc(f)) != EOF)
        newlines += c == '\n';
    CHECK(newlines == 10);
    fclose(f);
    fputs("done ", stdout);
    fwrite("bytes\n", 1, 6, stdout);
    return check_done();
}
