// A small JSON parser into a flat token array, with a path query and a printer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_token {
    enum json_type type;
    int start, end; // text range
    int size;       // number of children
    int next;       // index after this value's last token
};

enum json_error { JSON_OK, JSON_SYNTAX = -1, JSON_TOO_MANY = -2, JSON_TOO_DEEP = -3, JSON_TRAILING = -4 };

struct json {
    const char *text;
    int at, count, capacity, depth;
    struct json_token *tokens;
};

static void skip(struct json *j)
{
    for (;;) {
        switch (j->text[j->at]) {
        case ' ': case '\n': case '\t': case '\r':
            j->at++;
            continue;
        }
        return;
    }
}

static int push(struct json *j, enum json_type type)
{
    if (j->count == j->capacity)
        return JSON_TOO_MANY;
    j->tokens[j->count] = (struct json_token){.type = type, .start = j->at, .end = -1};
    return j->count++;
}

static int parse_string(struct json *j)
{
    int index = push(j, JSON_STRING);
    if (index < 0)
        return index;
    j->tokens[index].start = ++j->at;
    for (; j->text[j->at] != '"'; j->at++) {
        if (j->text[j->at] == '\0')
            return JSON_SYNTAX;
        if (j->text[j->at] == '\\' && j->text[++j->at] == '\0')
            return JSON_SYNTAX;
    }
    j->tokens[index].end = j->at++;
    j->tokens[index].next = j->count;
    return index;
}

static int parse_number(struct json *j)
{
    int index = push(j, JSON_NUMBER), digits = 0;
    if (index < 0)
        return index;
    if (j->text[j->at] == '-')
        j->at++;
    while (strchr("0123456789.eE+-", j->text[j->at]) && j->text[j->at]) {
        digits += j->text[j->at] >= '0' && j->text[j->at] <= '9';
        j->at++;
    }
    if (!digits)
        return JSON_SYNTAX;
    j->tokens[index].end = j->at;
    j->tokens[index].next = j->count;
    return index;
}

static int parse_value(struct json *j);

static int parse_container(struct json *j, char close)
{
    int index = push(j, close == '}' ? JSON_OBJECT : JSON_ARRAY), status;
    if (index < 0)
        return index;
    if (++j->depth > 16)
        return JSON_TOO_DEEP;
    j->at++;
    skip(j);
    if (j->text[j->at] == close)
        goto closed;
    while (1) {
        skip(j);
        if (close == '}') {
            if (j->text[j->at] != '"')
                return JSON_SYNTAX;
            if ((status = parse_string(j)) < 0)
                return status;
            skip(j);
            if (j->text[j->at++] != ':')
                return JSON_SYNTAX;
        }
        if ((status = parse_value(j)) < 0)
            return status;
        j->tokens[index].size++;
        skip(j);
        if (j->text[j->at] == close)
            break;
        if (j->text[j->at++] != ',')
            return JSON_SYNTAX;
    }
closed:
    j->tokens[index].end = ++j->at;
    j->tokens[index].next = j->count;
    j->depth--;
    return index;
}

static int parse_word(struct json *j, const char *word, enum json_type type)
{
    size_t n = strlen(word);
    if (strncmp(j->text + j->at, word, n) != 0)
        return JSON_SYNTAX;
    int index = push(j, type);
    if (index >= 0) {
        j->at += (int)n;
        j->tokens[index].end = j->at;
        j->tokens[index].next = j->count;
    }
    return index;
}

static int parse_value(struct json *j)
{
    skip(j);
    switch (j->text[j->at]) {
    case '{': return parse_container(j, '}');
    case '[': return parse_container(j, ']');
    case '"': return parse_string(j);
    case 't': return parse_word(j, "true", JSON_TRUE);
    case 'f': return parse_word(j, "false", JSON_FALSE);
    case 'n': return parse_word(j, "null", JSON_NULL);
    case '-': case '0' ... '9': return parse_number(j);
    }
    return JSON_SYNTAX;
}

static int parse(struct json *j, const char *text)
{
    j->text = text;
    j->at = j->count = j->depth = 0;
    int status = parse_value(j);
    if (status < 0)
        return status;
    skip(j);
    return j->text[j->at] ? JSON_TRAILING : j->count;
}

static const struct json_token *find(const struct json *j, const char *path)
{
    int at = 0;
    while (*path) {
        const struct json_token *t = &j->tokens[at];
        size_t n = strcspn(path, ".");
        if (t->type == JSON_ARRAY) {
            int wanted = atoi(path);
            if (wanted >= t->size)
                return NULL;
            at++;
            while (wanted-- > 0)
                at = j->tokens[at].next;
        } else if (t->type == JSON_OBJECT) {
            int left = t->size;
            for (at++; left > 0; left--, at = j->tokens[at + 1].next) {
                const struct json_token *key = &j->tokens[at];
                if ((size_t)(key->end - key->start) == n && strncmp(j->text + key->start, path, n) == 0)
                    break;
            }
            if (left == 0)
                return NULL;
            at++;
        } else
            return NULL;
        path += n;
        path += *path == '.';
    }
    return &j->tokens[at];
}

static double sum_numbers(const struct json *j)
{
    double s = 0;
    for (const struct json_token *t = j->tokens; t != j->tokens + j->count; ++t)
        if (t->type == JSON_NUMBER)
            s += strtod(j->text + t->start, NULL);
    return s;
}

int main(void)
{
    static struct json_token storage[64];
    struct json j = {.capacity = 64, .tokens = storage};
    const char *document = "{ \"name\": \"widget \\\"x\\\"\", \"size\": [1, 2.5, -3e2],\n"
                           "  \"nested\": {\"deep\": {\"flag\": true, \"none\": null}, \"list\": [[], {}, [7]]} }";
    int bad = 0, n = parse(&j, document);
    printf("%d tokens, sum %.17g\n", n, sum_numbers(&j));
    bad += n != 22;
    static const char *paths[] = {"name", "size.1", "size.2", "nested.deep.flag", "nested.list.2.0", "nested.missing", "size.9", "name.x"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct json_token *t = find(&j, paths[i]);
        if (t)
            printf("%s: type %d '%.*s'\n", paths[i], t->type, t->end - t->start, document + t->start);
        else
            printf("%s: not found\n", paths[i]);
        bad += (t == NULL) != (i >= 5);
    }
    static const struct { const char *text; int expected; } wrong[] = {
        {"", JSON_SYNTAX}, {"{\"a\" 1}", JSON_SYNTAX}, {"[1,]", JSON_SYNTAX}, {"tru", JSON_SYNTAX}, {"1 2", JSON_TRAILING},
        {"\"open", JSON_SYNTAX}, {"[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", JSON_TOO_DEEP}, {"-", JSON_SYNTAX}, {"[]", 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int status = parse(&j, wrong[i].text);
        printf("%d ", status);
        bad += status != wrong[i].expected;
    }
    printf("\n%d\n", bad);
    return bad != 0;
}
