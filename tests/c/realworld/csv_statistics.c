// flags: -lm
// A CSV statistics tool over embedded data: parsing with quotes, columns of
// mixed types, summary statistics, group-by and sorting.
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char data[] =
    "city,country,population,area,elevation\n"
    "Aberg,Nord,120500,55.5,12\n"
    "\"Bex, Upper\",Sud,80400,31.25,450\n"
    "Corvo,Sud,,18.5,300\n"
    "Dunmark,Nord,455000,210.75,3\n"
    "\"El \"\"Viejo\"\"\",Ost,99000,64,1200\n"
    "Farn,Ost,1500,4.125,\n"
    "Gult,Nord,73250,29.5,88\n"
    "Hamm,Sud,310000,120,15\n";

#define MAX_COLUMNS 8
#define MAX_ROWS 32

typedef struct {
    char *storage;
    char *cells[MAX_ROWS][MAX_COLUMNS];
    int rows, columns;
} table;

typedef struct {
    int count, missing;
    double min, max, mean, variance, median;
} summary;

static int parse_row(char **cursor, char *cells[MAX_COLUMNS])
{
    char *p = *cursor, *out = p;
    int n = 0;
    while (n < MAX_COLUMNS) {
        cells[n++] = out;
        if (*p == '"') {
            for (p++; *p; p++) {
                if (*p == '"' && *++p != '"')
                    break;
                *out++ = *p;
            }
        } else
            while (*p && *p != ',' && *p != '\n')
                *out++ = *p++;
        char stop = *p;
        if (stop)
            p++;
        *out++ = '\0';
        if (out < p)
            out = p; // cells never overlap what is still to be read
        if (stop != ',')
            break;
    }
    *cursor = p;
    return n;
}

static int table_load(table *t, const char *text)
{
    memset(t, 0, sizeof *t);
    size_t n = strlen(text) + 1;
    t->storage = malloc(n);
    if (!t->storage)
        return -1;
    memcpy(t->storage, text, n);
    for (char *p = t->storage; *p && t->rows < MAX_ROWS; t->rows++) {
        int columns = parse_row(&p, t->cells[t->rows]);
        if (t->rows == 0)
            t->columns = columns;
        else if (columns != t->columns)
            return t->rows;
    }
    return 0;
}

static int column_named(const table *t, const char *name)
{
    for (int c = 0; c < t->columns; c++)
        if (strcmp(t->cells[0][c], name) == 0)
            return c;
    return -1;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static summary summarise(const table *t, int column, int (*keep)(const table *, int row, const void *), const void *context)
{
    summary s = {.min = DBL_MAX, .max = -DBL_MAX};
    double values[MAX_ROWS], m2 = 0;
    for (int r = 1; r < t->rows; r++) {
        if (keep && !keep(t, r, context))
            continue;
        char *end;
        double v = strtod(t->cells[r][column], &end);
        if (end == t->cells[r][column]) {
            s.missing++;
            continue;
        }
        values[s.count++] = v;
        double d = v - s.mean;
        s.mean += d / s.count;
        m2 += d * (v - s.mean);
        s.min = fmin(s.min, v);
        s.max = fmax(s.max, v);
    }
    s.variance = s.count > 1 ? m2 / (s.count - 1) : 0;
    qsort(values, (size_t)s.count, sizeof values[0], compare_doubles);
    if (s.count)
        s.median = s.count % 2 ? values[s.count / 2] : (values[s.count / 2 - 1] + values[s.count / 2]) / 2;
    return s;
}

static int in_country(const table *t, int row, const void *context)
{
    return strcmp(t->cells[row][1], context) == 0;
}

static double correlation(const table *t, int a, int b)
{
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    int n = 0;
    for (int r = 1; r < t->rows; r++) {
        if (!*t->cells[r][a] || !*t->cells[r][b])
            continue;
        double x = atof(t->cells[r][a]), y = atof(t->cells[r][b]);
        sx += x, sy += y, sxx += x * x, syy += y * y, sxy += x * y;
        n++;
    }
    return (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

static const table *sort_table;
static int sort_column;
static int compare_rows(const void *a, const void *b)
{
    double x = atof(sort_table->cells[*(const int *)a][sort_column]), y = atof(sort_table->cells[*(const int *)b][sort_column]);
    return (x < y) - (x > y);
}

int main(void)
{
    static table t;
    int bad = 0;
    if (table_load(&t, data) != 0)
        return 2;
    printf("%d rows, %d columns\n", t.rows - 1, t.columns);
    bad += t.rows != 9 || t.columns != 5;
    bad += strcmp(t.cells[2][0], "Bex, Upper") || strcmp(t.cells[5][0], "El \"Viejo\"");
    for (int c = 2; c < t.columns; c++) {
        summary s = summarise(&t, c, NULL, NULL);
        printf("%-10s n=%d missing=%d min=%g max=%g mean=%.6f sd=%.6f median=%g\n", t.cells[0][c], s.count, s.missing,
               s.min, s.max, s.mean, sqrt(s.variance), s.median);
    }
    static const char *countries[] = {"Nord", "Ost", "Sud"};
    int area = column_named(&t, "area"), population = column_named(&t, "population");
    bad += area != 3 || population != 2 || column_named(&t, "mayor") != -1;
    double total = 0;
    for (int k = 0; k < 3; k++) {
        summary s = summarise(&t, area, in_country, countries[k]);
        printf("%s %d %.6f\n", countries[k], s.count, s.mean);
        total += s.mean * s.count;
    }
    bad += fabs(total - 533.625) > 1e-9;
    printf("correlation %.8f\n", correlation(&t, population, area));
    int order[MAX_ROWS];
    for (int r = 1; r < t.rows; r++)
        order[r - 1] = r;
    sort_table = &t;
    sort_column = area;
    qsort(order, (size_t)t.rows - 1, sizeof order[0], compare_rows);
    for (int k = 0; k < 3; k++)
        printf("%d. %s\n", k + 1, t.cells[order[k]][0]);
    bad += strcmp(t.cells[order[0]][0], "Dunmark") != 0;
    free(t.storage);
    printf("%d bad\n", bad);
    return bad != 0;
}
