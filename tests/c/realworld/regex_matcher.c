// A regular-expression engine: parser to a program, Thompson simulation,
// and a backtracking matcher as cross-check.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum opcode { CHARACTER, ANY, SET, SPLIT, JUMP, BEGIN, END, MATCH };

typedef struct {
    enum opcode op;
    int x, y;               // jump targets, or the character
    unsigned char set[32];  // a bit for each byte
} instruction;

typedef struct {
    instruction code[128];
    int length;
    const char *pattern;
    const char *error;
} program;

static int emit(program *p, enum opcode op)
{
    if (p->length == 128) {
        p->error = "pattern too long";
        return 127;
    }
    memset(&p->code[p->length], 0, sizeof(instruction));
    p->code[p->length].op = op;
    return p->length++;
}

static void insert_at(program *p, int at)
{
    emit(p, JUMP);
    for (int i = p->length - 1; i > at; i--) {
        p->code[i] = p->code[i - 1];
        if (p->code[i].op == SPLIT || p->code[i].op == JUMP) {
            p->code[i].x += p->code[i].x >= at;
            p->code[i].y += p->code[i].op == SPLIT && p->code[i].y >= at;
        }
    }
}

static void add_to_set(instruction *i, int low, int high)
{
    for (int c = low; c <= high; c++)
        i->set[c >> 3] |= (unsigned char)(1 << (c & 7));
}

static void parse_alternatives(program *p);

static void parse_escape(instruction *i, char c)
{
    switch (c) {
    case 'd': add_to_set(i, '0', '9'); break;
    case 'w': add_to_set(i, 'a', 'z'); add_to_set(i, 'A', 'Z'); add_to_set(i, '0', '9'); add_to_set(i, '_', '_'); break;
    case 's': add_to_set(i, ' ', ' '); add_to_set(i, '\t', '\r'); break;
    default: add_to_set(i, (unsigned char)c, (unsigned char)c);
    }
}

static void parse_set(program *p)
{
    instruction *i = &p->code[emit(p, SET)];
    int negated = *p->pattern == '^';
    p->pattern += negated;
    do {
        if (*p->pattern == '\0') {
            p->error = "missing ]";
            return;
        }
        if (*p->pattern == '\\' && p->pattern[1]) {
            parse_escape(i, *++p->pattern);
            p->pattern++;
            continue;
        }
        int low = (unsigned char)*p->pattern++, high = low;
        if (*p->pattern == '-' && p->pattern[1] != ']' && p->pattern[1]) {
            high = (unsigned char)p->pattern[1];
            p->pattern += 2;
        }
        add_to_set(i, low, high);
    } while (*p->pattern != ']');
    p->pattern++;
    if (negated)
        for (int k = 0; k < 32; k++)
            i->set[k] ^= 0xff;
}

static int parse_atom(program *p)
{
    char c = *p->pattern++;
    switch (c) {
    case '(':
        parse_alternatives(p);
        if (*p->pattern != ')') {
            p->error = "missing )";
            return 0;
        }
        p->pattern++;
        break;
    case '.': emit(p, ANY); break;
    case '^': emit(p, BEGIN); break;
    case '$': emit(p, END); break;
    case '[': parse_set(p); break;
    case '*': case '+': case '?':
        p->error = "nothing to repeat";
        return 0;
    case '\\':
        if (*p->pattern == '\0') {
            p->error = "trailing backslash";
            return 0;
        }
        parse_escape(&p->code[emit(p, SET)], *p->pattern++);
        break;
    default: p->code[emit(p, CHARACTER)].x = (unsigned char)c;
    }
    return 1;
}

static void parse_sequence(program *p)
{
    while (*p->pattern && *p->pattern != '|' && *p->pattern != ')' && !p->error) {
        int start = p->length, split;
        if (!parse_atom(p))
            return;
        switch (*p->pattern) {
        case '*':
            insert_at(p, start);
            split = emit(p, JUMP);
            p->code[split].x = start;
            p->code[start] = (instruction){.op = SPLIT, .x = start + 1, .y = p->length};
            p->pattern++;
            break;
        case '+':
            split = emit(p, SPLIT);
            p->code[split].x = start;
            p->code[split].y = p->length;
            p->pattern++;
            break;
        case '?':
            insert_at(p, start);
            p->code[start] = (instruction){.op = SPLIT, .x = start + 1, .y = p->length};
            p->pattern++;
            break;
        }
    }
}

static void parse_alternatives(program *p)
{
    int start = p->length;
    parse_sequence(p);
    while (*p->pattern == '|' && !p->error) {
        p->pattern++;
        insert_at(p, start);
        int jump = emit(p, JUMP);
        p->code[start] = (instruction){.op = SPLIT, .x = start + 1, .y = p->length};
        parse_sequence(p);
        p->code[jump].x = p->length;
    }
}

static const char *compile(program *p, const char *pattern)
{
    p->length = 0;
    p->error = NULL;
    p->pattern = pattern;
    parse_alternatives(p);
    if (!p->error && *p->pattern)
        p->error = "unmatched )";
    emit(p, MATCH);
    return p->error;
}

static int accepts(const instruction *i, int c)
{
    switch (i->op) {
    case CHARACTER: return c == i->x;
    case ANY: return c != '\0';
    case SET: return c != '\0' && (i->set[c >> 3] >> (c & 7) & 1);
    default: return 0;
    }
}

typedef struct { int list[128], count; unsigned char member[128]; } threads;

static void add_thread(const program *p, threads *t, int pc, const char *text, const char *at)
{
    if (t->member[pc])
        return;
    t->member[pc] = 1;
    const instruction *i = &p->code[pc];
    switch (i->op) {
    case JUMP: add_thread(p, t, i->x, text, at); return;
    case SPLIT:
        add_thread(p, t, i->x, text, at);
        add_thread(p, t, i->y, text, at);
        return;
    case BEGIN: if (at == text) add_thread(p, t, pc + 1, text, at); return;
    case END: if (*at == '\0') add_thread(p, t, pc + 1, text, at); return;
    default: t->list[t->count++] = pc;
    }
}

static int search(const program *p, const char *text)
{
    static threads lists[2];
    threads *now = &lists[0], *next = &lists[1];
    memset(lists, 0, sizeof lists);
    for (const char *at = text;; at++) {
        add_thread(p, now, 0, text, at); // an unanchored search starts anywhere
        next->count = 0;
        memset(next->member, 0, sizeof next->member);
        for (int k = 0; k < now->count; k++) {
            const instruction *i = &p->code[now->list[k]];
            if (i->op == MATCH)
                return 1;
            if (accepts(i, (unsigned char)*at))
                add_thread(p, next, now->list[k] + 1, text, at + 1);
        }
        threads *swap = now;
        now = next;
        next = swap;
        if (*at == '\0')
            break;
    }
    for (int k = 0; k < now->count; k++)
        if (p->code[now->list[k]].op == MATCH)
            return 1;
    return 0;
}

static int backtrack(const program *p, int pc, const char *text, const char *at, int fuel)
{
    while (fuel-- > 0) {
        const instruction *i = &p->code[pc];
        switch (i->op) {
        case MATCH: return 1;
        case JUMP: pc = i->x; continue;
        case SPLIT:
            if (backtrack(p, i->x, text, at, fuel))
                return 1;
            pc = i->y;
            continue;
        case BEGIN: if (at != text) return 0; pc++; continue;
        case END: if (*at) return 0; pc++; continue;
        default:
            if (!accepts(i, (unsigned char)*at))
                return 0;
            at++;
            pc++;
        }
    }
    return 0;
}

static int search_by_backtracking(const program *p, const char *text)
{
    for (const char *at = text;; at++) {
        if (backtrack(p, 0, text, at, 200))
            return 1;
        if (*at == '\0')
            return 0;
    }
}

int main(void)
{
    static const struct { const char *pattern, *text; int expected; } cases[] = {
        {"abc", "xxabcxx", 1}, {"a.c", "abd", 0}, {"^ab*c$", "abbbc", 1}, {"^ab*c$", "abbbcd", 0}, {"colou?r", "my color", 1},
        {"(cat|dog)s+", "two dogsss", 1}, {"(cat|dog)s+", "two dog", 0}, {"[a-c]+[0-9]", "zzb7", 1}, {"[^a-z]", "lower", 0},
        {"\\d+\\.\\d+", "pi is 3.14", 1}, {"^\\w+@\\w+\\.(com|org)$", "me@site.org", 1}, {"^\\w+@\\w+\\.(com|org)$", "me@site.net", 0},
        {"(a|b)*abb", "babaabb", 1}, {"x*", "", 1}, {"^$", "", 1}, {"a|b|c", "zzc", 1}, {"(ab|cd|ef)+$", "abefcd", 1}, {"[]x]", "]", 1},
        {"a(b(c|d)e)*f", "abcebdef", 1}, {"\\s\\w+\\s", "one two three", 1}};
    static program p;
    int bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *error = compile(&p, cases[i].pattern);
        int a = error ? -1 : search(&p, cases[i].text), b = error ? -1 : search_by_backtracking(&p, cases[i].text);
        printf("%-24s %-14s %d (%d instructions)\n", cases[i].pattern, cases[i].text, a, p.length);
        bad += a != cases[i].expected || b != a;
    }
    static const char *const wrong[] = {"(ab", "ab)", "[ab", "*a", "a\\"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *error = compile(&p, wrong[i]);
        printf("%s: %s\n", wrong[i], error ? error : "accepted");
        bad += error == NULL;
    }
    printf("%d bad\n", bad);
    return bad != 0;
}
