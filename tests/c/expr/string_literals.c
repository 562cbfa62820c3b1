// Concatenation, escapes, embedded NULs, arrays initialised by strings.
#include "../check.h"
#include <string.h>

static const char *words[] = {"alpha", "be" "ta", "gam\
ma", ""};
static char fixed[3] = {'x', 'y', 'z'};
static char exact[6] = "hello";
static char padded[10] = "hi";
static char braces[] = {"inner"};

int main(void)
{
    CHECK(strcmp("one" " " "two", "one two") == 0);
    CHECK(sizeof "a\0b" == 4 && strlen("a\0b") == 1);
    CHECK(strcmp("\x41" "B", "AB") == 0);
    CHECK(strcmp("\1012", "A2") == 0);
    CHECK("abc"[1] == 'b' && *"xyz" == 'x' && 2["abc"] == 'c');
    CHECK(words[2][3] == 'm' && strlen(words[2]) == 5 && *words[3] == 0);
    CHECK(fixed[2] == 'z' && sizeof exact == 6 && padded[9] == 0 && sizeof braces == 6);
    char local[] = "mutable";
    local[0] = 'M';
    local[strlen(local) - 1] = 'E';
    puts(local);
    char matrix[3][4] = {"abc", "de", "f"};
    CHECK(matrix[1][2] == 0 && matrix[2][0] == 'f');
    for (int i = 0; i < 4; i++)
        printf("[%s]", words[i]);
    printf("\t\"quoted\" \\ 100%% \101\x42 \x7e\n");
    const char *long_text = "line one\n"
                            "line two\n"
                            "tab\there";
    int lines = 1;
    for (const char *p = long_text; *p; p++)
        lines += *p == '\n';
    CHECK(lines == 3);
    puts(long_text);
    return check_done();
}
