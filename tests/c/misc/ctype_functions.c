// Character classification and a small text pipeline.
#include "../check.h"
#include <ctype.h>
#include <string.h>

static void capitalise(char *s)
{
    int start = 1;
    for (; *s; s++) {
        *s = (char)(start ? toupper((unsigned char)*s) : tolower((unsigned char)*s));
        start = isspace((unsigned char)*s);
    }
}

static int word_count(const char *s)
{
    int n = 0, inside = 0;
    for (; *s; s++)
        if (isalnum((unsigned char)*s)) {
            n += !inside;
            inside = 1;
        } else
            inside = 0;
    return n;
}

int main(void)
{
    int counts[6] = {0};
    for (int c = 0; c < 128; c++) {
        counts[0] += !!isalpha(c);
        counts[1] += !!isdigit(c);
        counts[2] += !!isspace(c);
        counts[3] += !!ispunct(c);
        counts[4] += !!isxdigit(c);
        counts[5] += !!iscntrl(c);
    }
    CHECK(counts[0] == 52 && counts[1] == 10 && counts[2] == 6 && counts[3] == 32 && counts[4] == 22 && counts[5] == 33);
    char text[] = "hELLO wide WORLD of c";
    capitalise(text);
    puts(text);
    CHECK(!strcmp(text, "Hello Wide World Of C"));
    CHECK(word_count("  a bc,def  42--x ") == 5);
    return check_done();
}
