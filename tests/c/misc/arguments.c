// args: alpha -n 42 last
// Reads its command line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[])
{
    int n = 0;
    const char *first = NULL, *last = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
            n = atoi(argv[++i]);
        else if (!first)
            first = argv[i];
        else
            last = argv[i];
    }
    printf("%d %s %s %d\n", argc, first ? first : "-", last ? last : "-", n);
    char **p = argv;
    size_t letters = 0;
    while (*++p)
        letters += strlen(*p);
    printf("%zu\n", letters);
    return argc == 5 && n == 42 && letters == 13 && argv[argc] == NULL ? 0 : 1;
}
