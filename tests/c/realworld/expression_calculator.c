// flags: -lm
// A recursive-descent calculator: tokens, precedence, variables, functions,
// error reporting with positions, and an expression tree that is simplified.
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_OPERATOR, TOKEN_ERROR } token_kind;

typedef struct {
    token_kind kind;
    double number;
    char name[16];
    char operator;
    int position;
} token;

typedef struct {
    const char *text;
    int at;
    token current;
    char error[80];
} parser;

typedef enum { NODE_NUMBER, NODE_VARIABLE, NODE_UNARY, NODE_BINARY, NODE_CALL } node_kind;

typedef struct node {
    node_kind kind;
    double number;
    char operator;
    int index;
    struct node *left, *right;
} node;

static int live_nodes;
static double variables[26];

static const struct {
    const char *name;
    double (*function)(double);
} functions[] = {{"sin", sin}, {"cos", cos}, {"sqrt", sqrt}, {"exp", exp}, {"log", log}, {"abs", fabs}};

static node *new_node(node_kind kind)
{
    node *n = calloc(1, sizeof *n);
    if (n == NULL)
        exit(2);
    n->kind = kind;
    live_nodes++;
    return n;
}

static void free_node(node *n)
{
    if (n == NULL)
        return;
    free_node(n->left);
    free_node(n->right);
    free(n);
    live_nodes--;
}

static void fail(parser *p, const char *format, ...)
{
    va_list arguments;
    if (p->error[0] != '\0')
        return; // keep the first
    va_start(arguments, format);
    int n = snprintf(p->error, sizeof p->error, "%d: ", p->current.position);
    vsnprintf(p->error + n, sizeof p->error - (size_t)n, format, arguments);
    va_end(arguments);
}

static void advance(parser *p)
{
    while (isspace((unsigned char)p->text[p->at]))
        p->at++;
    token *t = &p->current;
    t->position = p->at;
    char c = p->text[p->at];
    if (c == '\0') {
        t->kind = TOKEN_END;
    } else if (isdigit((unsigned char)c) || c == '.') {
        char *end;
        t->kind = TOKEN_NUMBER;
        t->number = strtod(p->text + p->at, &end);
        p->at = (int)(end - p->text);
    } else if (isalpha((unsigned char)c)) {
        int n = 0;
        t->kind = TOKEN_NAME;
        while (isalnum((unsigned char)p->text[p->at])) {
            if (n < (int)sizeof t->name - 1)
                t->name[n++] = p->text[p->at];
            p->at++;
        }
        t->name[n] = '\0';
    } else if (strchr("+-*/^()=%", c)) {
        t->kind = TOKEN_OPERATOR;
        t->operator = c;
        p->at++;
    } else {
        t->kind = TOKEN_ERROR;
        fail(p, "bad character '%c'", c);
    }
}

static int accept(parser *p, char operator)
{
    if (p->current.kind != TOKEN_OPERATOR || p->current.operator != operator)
        return 0;
    advance(p);
    return 1;
}

static int precedence(char operator)
{
    switch (operator) {
    case '+': case '-': return 1;
    case '*': case '/': case '%': return 2;
    case '^': return 4;
    default: return 0;
    }
}

static node *parse_binary(parser *p, int minimum);

static node *parse_primary(parser *p)
{
    token t = p->current;
    switch (t.kind) {
    case TOKEN_NUMBER: {
        advance(p);
        node *n = new_node(NODE_NUMBER);
        n->number = t.number;
        return n;
    }
    case TOKEN_NAME:
        advance(p);
        if (t.name[1] == '\0' && islower((unsigned char)t.name[0])) {
            node *n = new_node(NODE_VARIABLE);
            n->index = t.name[0] - 'a';
            return n;
        }
        for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
            if (strcmp(functions[i].name, t.name) == 0) {
                if (!accept(p, '(')) {
                    fail(p, "expected ( after %s", t.name);
                    return NULL;
                }
                node *n = new_node(NODE_CALL);
                n->index = (int)i;
                n->left = parse_binary(p, 1);
                if (!accept(p, ')'))
                    fail(p, "expected )");
                return n;
            }
        fail(p, "unknown name %s", t.name);
        return NULL;
    case TOKEN_OPERATOR:
        if (accept(p, '(')) {
            node *n = parse_binary(p, 1);
            if (!accept(p, ')'))
                fail(p, "expected )");
            return n;
        }
        if (accept(p, '-')) {
            node *n = new_node(NODE_UNARY);
            n->left = parse_binary(p, 3);
            return n;
        }
        /* fall through */
    default:
        fail(p, "expected a value");
        return NULL;
    }
}

static node *parse_binary(parser *p, int minimum)
{
    node *left = parse_primary(p);
    while (left && p->current.kind == TOKEN_OPERATOR && precedence(p->current.operator) >= minimum) {
        char operator = p->current.operator;
        int level = precedence(operator);
        advance(p);
        node *n = new_node(NODE_BINARY);
        n->operator = operator;
        n->left = left;
        n->right = parse_binary(p, operator == '^' ? level : level + 1);
        left = n;
    }
    return left;
}

static double evaluate(const node *n)
{
    switch (n->kind) {
    case NODE_NUMBER: return n->number;
    case NODE_VARIABLE: return variables[n->index];
    case NODE_UNARY: return -evaluate(n->left);
    case NODE_CALL: return functions[n->index].function(evaluate(n->left));
    case NODE_BINARY: {
        double a = evaluate(n->left), b = evaluate(n->right);
        switch (n->operator) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/': return a / b;
        case '%': return fmod(a, b);
        case '^': return pow(a, b);
        }
    }
    }
    return NAN;
}

static int simplify(node *n) // folds constants; returns how many nodes it folded
{
    if (n == NULL || n->kind == NODE_NUMBER || n->kind == NODE_VARIABLE)
        return 0;
    int folded = simplify(n->left) + simplify(n->right);
    if (n->left->kind == NODE_NUMBER && (n->right == NULL || n->right->kind == NODE_NUMBER)) {
        double v = evaluate(n);
        free_node(n->left);
        free_node(n->right);
        *n = (node){.kind = NODE_NUMBER, .number = v};
        folded++;
    }
    return folded;
}

static int run(const char *text, double *result)
{
    parser p = {.text = text};
    int target = -1;
    if (islower((unsigned char)text[0]) && text[1] == '=') {
        target = text[0] - 'a';
        p.at = 2;
    }
    advance(&p);
    node *n = parse_binary(&p, 1);
    if (p.error[0] == '\0' && p.current.kind != TOKEN_END)
        fail(&p, "unexpected input");
    if (p.error[0] != '\0') {
        printf("%s => error at %s\n", text, p.error);
        free_node(n);
        return -1;
    }
    int folded = simplify(n);
    *result = evaluate(n);
    if (target >= 0)
        variables[target] = *result;
    printf("%s => %.12g (folded %d)\n", text, *result, folded);
    free_node(n);
    return 0;
}

int main(void)
{
    static const struct { const char *text; double expected; int error; } cases[] = {
        {"1 + 2 * 3", 7, 0}, {"(1 + 2) * 3", 9, 0}, {"2 ^ 3 ^ 2", 512, 0}, {"-2 ^ 2", -4, 0},
        {"x=4", 4, 0}, {"y=x*x - 1", 15, 0}, {"sqrt(x) + abs(-y)", 17, 0}, {"10 % 4 - 7 / 2", -1.5, 0},
        {"8 - 3 - 2", 3, 0}, {"1 +", 0, 1}, {"(1 + 2", 0, 1}, {"foo(3)", 0, 1}, {"3 $ 4", 0, 1},
        {"2 * exp(0) * cos(0)", 2, 0}, {"1 2", 0, 1}, {"sin 3", 0, 1}, {".5e1 + x", 9, 0}};
    int bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double r = 0;
        int status = run(cases[i].text, &r);
        bad += (status != 0) != cases[i].error;
        bad += status == 0 && fabs(r - cases[i].expected) > 1e-12;
    }
    printf("%d bad, %d nodes live\n", bad, live_nodes);
    return bad || live_nodes ? 1 : 0;
}
