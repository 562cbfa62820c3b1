// Building strings with snprintf, sprintf and sscanf.
#include "../check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct buffer { char *text; size_t length, capacity; };

static void append(struct buffer *b, const char *s)
{
    size_t n = strlen(s);
    while (b->length + n + 1 > b->capacity) {
        b->capacity = b->capacity ? b->capacity * 2 : 8;
        b->text = realloc(b->text, b->capacity);
        if (!b->text)
            exit(9);
    }
    memcpy(b->text + b->length, s, n + 1);
    b->length += n;
}

int main(void)
{
    char line[64];
    int n = 0;
    for (int i = 0; i < 5; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%s%d", i ? "," : "[", i * i);
    n += snprintf(line + n, sizeof line - (size_t)n, "]");
    CHECK(!strcmp(line, "[0,1,4,9,16]") && n == 12);
    char small[6];
    int need = snprintf(small, sizeof small, "%s", line);
    CHECK(need == n && !strcmp(small, "[0,1,"));
    printf("|%5d|%-5d|%05d|%+d|%x|%#o|%c|%%|\n", 42, 42, 42, 42, 255, 8, 'z');
    printf("|%8.3f|%-8.2e|%g|%G|%.0f|\n", 3.14159, 12345.678, 1e-5, 1e20, 2.5);
    printf("|%10s|%-10s|%.3s|%*d|%.*f|\n", "right", "left", "truncate", 6, 7, 2, 1.005);
    printf("|%hhd|%hu|%ld|%llu|%zu|%jd|\n", (signed char)-5, (unsigned short)65535, -1L, ~0ull, sizeof(int), (intmax_t)7);
    struct buffer b = {0};
    for (int i = 0; i < 12; i++) {
        sprintf(line, "%02d;", i);
        append(&b, line);
    }
    CHECK(b.length == 36 && b.capacity == 64);
    puts(b.text);
    free(b.text);
    int i;
    double d;
    char word[10];
    CHECK(sscanf("17 2.5 abc", "%d %lf %9s", &i, &d, word) == 3);
    CHECK(i == 17 && d == 2.5 && !strcmp(word, "abc"));
    char *end;
    CHECK(strtol("0x1fz", &end, 0) == 31 && *end == 'z' && strtod("1e3", NULL) == 1000 && atoi("12x") == 12);
    return check_done();
}
