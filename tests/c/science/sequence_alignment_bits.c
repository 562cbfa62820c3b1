// Bit-parallel edit distance, a suffix automaton in arrays, k-mer counting in a two-bit packed genome.
#include "../check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t word;
static int myers(const char *p, const char *t)
{
    word peq[256] = {0}, pv = ~(word)0, mv = 0;
    int m = (int)strlen(p), score = m;
    for (int i = 0; i < m; i++)
        peq[(unsigned char)p[i]] |= (word)1 << i;
    const word top = (word)1 << (m - 1);
    for (; *t; t++) {
        word eq = peq[(unsigned char)*t], xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
        word ph = mv | ~(xh | pv), mh = pv & xh;
        if (ph & top)
            score++;
        else if (mh & top)
            score--;
        ph = ph << 1 | 1;
        mh <<= 1;
        pv = mh | ~(xv | ph);
        mv = ph & xv;
    }
    return score;
}
static int levenshtein(const char *a, const char *b)
{
    size_t n = strlen(b);
    int row[n + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (int i = 1; *a; a++, i++) {
        int corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            int up = row[j], best = corner + (*a != b[j - 1]);
            if (up + 1 < best)
                best = up + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            corner = up;
            row[j] = best;
        }
    }
    return row[n];
}
enum { BASES = 4, MOST = 200 };
struct automaton { int next[MOST][BASES], link[MOST], length[MOST], size, last; };
static void extend(struct automaton *s, int c)
{
    int cur = s->size++, p = s->last;
    s->length[cur] = s->length[s->last] + 1;
    memset(s->next[cur], -1, sizeof s->next[cur]);
    while (p != -1 && s->next[p][c] < 0) {
        s->next[p][c] = cur;
        p = s->link[p];
    }
    if (p == -1)
        s->link[cur] = 0;
    else {
        int q = s->next[p][c];
        if (s->length[q] == s->length[p] + 1)
            s->link[cur] = q;
        else {
            int clone = s->size++;
            s->length[clone] = s->length[p] + 1;
            memcpy(s->next[clone], s->next[q], sizeof s->next[q]);
            s->link[clone] = s->link[q];
            for (; p != -1 && s->next[p][c] == q; p = s->link[p])
                s->next[p][c] = clone;
            s->link[q] = s->link[cur] = clone;
        }
    }
    s->last = cur;
}
static int code(char c)
{
    switch (c) {
    default: return -1;
    case 'A': case 'a': return 0;
    case 'C': case 'c': return 1;
    case 'G': case 'g': return 2;
    case 'T': case 't': return 3;
    }
}
int main(void)
{
    static const char *const pairs[][2] = {{"GATTACA", "GCATGCT"}, {"kitten", "sitting"}, {"A", ""}, {"ACGTACGTACGT", "TGCATGCA"}};
    for (unsigned k = 0; k < 4; k++) {
        CHECK(myers(pairs[k][0], pairs[k][1]) == levenshtein(pairs[k][0], pairs[k][1]));
        printf("%d ", levenshtein(pairs[k][0], pairs[k][1]));
    }
    const char *genome = "ACGTTGCANACGTACGGTTAACGTTGCA";
    uint16_t counts[1 << 6] = {0};
    unsigned kmer = 0, have = 0, distinct = 0;
    struct automaton *s = calloc(1, sizeof *s);
    s->size = 1, s->link[0] = -1;
    memset(s->next[0], -1, sizeof s->next[0]);
    for (const char *g = genome; *g; g++) {
        int c = code(*g);
        if (c < 0) {
            have = 0;
            continue;
        }
        extend(s, c);
        kmer = (kmer << 2 | (unsigned)c) & 0x3f;
        if (++have < 3)
            continue;
        distinct += counts[kmer]++ == 0;
    }
    long substrings = 0;
    for (int i = 1; i < s->size; i++)
        substrings += s->length[i] - s->length[s->link[i]];
    printf("\n%u %ld %d\n", distinct, substrings, s->size);
    CHECK(counts[0x06] == 4);
    free(s);
    return check_done();
}
