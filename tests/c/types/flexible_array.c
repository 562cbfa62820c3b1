// Flexible array members and the old struct hack.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

struct vector { int count; double data[]; };
struct text { unsigned length; char bytes[]; };

static struct vector *make_vector(int n)
{
    struct vector *v = malloc(sizeof *v + (size_t)n * sizeof v->data[0]);
    if (!v)
        exit(9);
    v->count = n;
    for (int i = 0; i < n; i++)
        v->data[i] = i + 0.5;
    return v;
}
static struct text *make_text(const char *s)
{
    size_t n = strlen(s);
    struct text *t = malloc(sizeof(struct text) + n + 1);
    if (!t)
        exit(9);
    t->length = (unsigned)n;
    memcpy(t->bytes, s, n + 1);
    return t;
}

int main(void)
{
    struct vector *v = make_vector(8);
    double s = 0;
    for (int i = 0; i < v->count; i++)
        s += v->data[i];
    CHECK(s == 32);
    struct vector *bigger = realloc(v, sizeof *v + 16 * sizeof(double));
    if (!bigger)
        return 9;
    for (int i = bigger->count; i < 16; i++)
        bigger->data[i] = -i;
    bigger->count = 16;
    CHECK(bigger->data[7] == 7.5 && bigger->data[15] == -15);
    free(bigger);
    struct text *t = make_text("flexible");
    t->bytes[0] = 'F';
    printf("%u %s %zu\n", t->length, t->bytes, sizeof(struct text));
    CHECK(strcmp(t->bytes, "Flexible") == 0);
    free(t);
    return check_done();
}
