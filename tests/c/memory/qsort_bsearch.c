// qsort and bsearch with callbacks on several element types.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

struct person { char name[8]; int age; double height; };

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_double_down(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? 1 : *x > *y ? -1 : 0;
}
static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_age_name(const void *a, const void *b)
{
    const struct person *p = a, *q = b;
    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}
static int key_age(const void *key, const void *element)
{
    return *(const int *)key - ((const struct person *)element)->age;
}

int main(void)
{
    int v[40];
    for (int i = 0; i < 40; i++)
        v[i] = i * 29 % 41;
    qsort(v, 40, sizeof *v, by_int);
    for (int i = 1; i < 40; i++)
        CHECK(v[i - 1] <= v[i]);
    int key = 29, *hit = bsearch(&key, v, 40, sizeof *v, by_int);
    CHECK(hit && *hit == 29);
    key = 100;
    CHECK(!bsearch(&key, v, 40, sizeof *v, by_int));
    double d[] = {2.5, -1, 1e10, 0, 3.25};
    qsort(d, 5, sizeof *d, by_double_down);
    CHECK(d[0] == 1e10 && d[4] == -1);
    const char *words[] = {"pear", "apple", "fig", "banana"};
    qsort(words, 4, sizeof *words, by_string);
    for (int i = 0; i < 4; i++)
        printf("%s ", words[i]);
    printf("\n");
    struct person people[] = {{"zed", 30, 1.8}, {"amy", 25, 1.6}, {"bob", 30, 1.7}, {"cat", 19, 1.5}};
    qsort(people, 4, sizeof *people, by_age_name);
    for (int i = 0; i < 4; i++)
        printf("%s %d %g\n", people[i].name, people[i].age, people[i].height);
    key = 25;
    struct person *p = bsearch(&key, people, 4, sizeof *people, key_age);
    CHECK(p && !strcmp(p->name, "amy"));
    return check_done();
}
