// A trie of lower-case words with prefix counts.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

struct trie { struct trie *child[26]; int words, passing; };
static int nodes;

static struct trie *make(void)
{
    struct trie *t = calloc(1, sizeof *t);
    if (!t)
        exit(9);
    nodes++;
    return t;
}
static void add(struct trie *t, const char *w)
{
    for (; *w; w++) {
        struct trie **c = &t->child[*w - 'a'];
        if (!*c)
            *c = make();
        t = *c;
        t->passing++;
    }
    t->words++;
}
static int prefix(const struct trie *t, const char *w)
{
    while (t && *w)
        t = t->child[*w++ - 'a'];
    return t ? t->passing : 0;
}
static void print(const struct trie *t, char *buffer, int depth)
{
    if (t->words) {
        buffer[depth] = 0;
        printf("%s%s", buffer, t->words > 1 ? "* " : " ");
    }
    for (int i = 0; i < 26; i++)
        if (t->child[i]) {
            buffer[depth] = (char)('a' + i);
            print(t->child[i], buffer, depth + 1);
        }
}
static void destroy(struct trie *t)
{
    for (int i = 0; i < 26; i++)
        if (t->child[i])
            destroy(t->child[i]);
    free(t);
    nodes--;
}

int main(void)
{
    const char *words[] = {"tea", "ten", "to", "inn", "in", "i", "tea", "teapot", "a"};
    struct trie *root = make();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add(root, words[i]);
    CHECK(prefix(root, "te") == 4 && prefix(root, "in") == 2 && prefix(root, "x") == 0);
    char buffer[16];
    print(root, buffer, 0);
    printf("\n%d\n", nodes);
    destroy(root);
    CHECK(nodes == 0);
    return check_done();
}
