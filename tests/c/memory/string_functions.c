// The string.h functions.
#include "../check.h"
#include <string.h>

int main(void)
{
    char a[64] = "hello", b[64];
    CHECK(strlen(a) == 5);
    strcpy(b, a);
    strcat(b, ", world");
    CHECK(strcmp(b, "hello, world") == 0 && strncmp(a, b, 5) == 0 && strcmp(a, b) < 0);
    CHECK(strchr(b, 'o') == b + 4 && strrchr(b, 'o') == b + 8 && strchr(b, 'z') == NULL);
    CHECK(strstr(b, "wor") == b + 7 && !strstr(b, "xyz"));
    CHECK(strspn("aabbc", "ab") == 4 && strcspn("hello", "l") == 2);
    CHECK(strpbrk(b, ",;") == b + 5);
    char padded[8];
    memset(padded, 'x', sizeof padded);
    strncpy(padded, "ab", 5);
    CHECK(padded[1] == 'b' && padded[4] == 0 && padded[5] == 'x');
    strncat(a, " there friend", 6);
    CHECK(strcmp(a, "hello there") == 0);
    char list[] = "one,two;;three";
    int tokens = 0;
    for (char *t = strtok(list, ",;"); t; t = strtok(NULL, ",;"))
        printf("%d:%s ", tokens++, t);
    printf("\n");
    CHECK(tokens == 3);
    CHECK(memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0);
    CHECK(memchr("abcdef", 'd', 6) != NULL && memchr("abcdef", 'd', 3) == NULL);
    int words[4] = {1, 2, 3, 4}, copy[4];
    memcpy(copy, words, sizeof words);
    memset(words, 0, sizeof words);
    CHECK(copy[3] == 4 && words[3] == 0);
    memset(words, 0xff, 2 * sizeof(int));
    CHECK(words[1] == -1 && words[2] == 0);
    char *end = stpcpy(b, "chain");
    strcpy(end, "ed");
    puts(b);
    return check_done();
}
