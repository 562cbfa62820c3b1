//! Texts that must be read without an error: every construct of C11 and GNU C that the parser knows.

mod common;
use adjoin_front::ast::Storage;
use common::{accept, read};

#[test]
fn specifiers_in_any_order() {
    accept(
        "long unsigned int long a; int const static b; volatile unsigned c; short d; int typedef e; e f;",
    );
    accept(
        "_Bool a; signed char b; unsigned __int128 c; _Float16 d; __float128 e; _Float32 f; _Float64x g;",
    );
    accept("double _Complex a; _Complex b; long _Complex double c; __complex__ float d;");
    accept("_Thread_local int a; static __thread int b; extern _Thread_local int c;");
    accept("inline static int f(void) { return 1; } _Noreturn void g(void); int inline h(void);");
    accept(
        "_Alignas(16) int a; int _Alignas(double) b; _Atomic(int) c; _Atomic int d; int *_Atomic e;",
    );
    accept("const int a = 1; int const b = 2; const const int c = 3;");
}

#[test]
fn c23() {
    accept(
        "enum small : unsigned char { A, B = 200 }; static_assert(sizeof(enum small) == 1); enum later : long; static_assert(sizeof(enum later) == 8);",
    );
    accept("struct s { enum e { P, Q } a : 2; enum e : 3; };");
    accept(
        "constexpr int n = 1'000; static_assert(1'000 == 1000 && 0xff'ff == 65535); double x = 1'0.5;",
    );
    accept(
        "double f(double x) { auto y = x; static_assert(sizeof y == 8); auto int z = 3; return y * z; }",
    );
    accept(
        "thread_local int t; alignas(16) char c[16]; int a = alignof(double); static bool b = true; int *p = nullptr;",
    );
    // Before, they were ordinary names.
    accept("typedef enum { false, true } bool; bool f(void) { return true; }");
    accept(
        "typedef int bool; enum { true = 1, false = 0 }; int g(bool nullptr) { return nullptr == true; }",
    );
    accept(
        "int f(int k) { __attribute__((hint(4))) for (int i = 0; i < 3; i++) k += i; __attribute__((hint)) while (k > 9) k--; return k; }",
    );
}

#[test]
fn declarators() {
    accept("int *a, **b, *c[3], (*d)[3], (*e)(void), *(*f)(int, ...), (*(*g[2])(void))[4];");
    accept("int (*f(int a, int (*cb)(double, ...)))(char);");
    accept("void (*signal(int, void (*)(int)))(int);");
    accept("int ((((x)))); int (f)(int); int (*(p));");
    accept("typedef int T; int f(T), g(int (T)), h(T (*)(T)), i(T *const *), j(T[3]), k(T T);");
    accept(
        "int f(int a[const 3], int b[static 4], int c[restrict static const 5], int d[*], int e[]);",
    );
    accept("char *const *volatile *restrict p; const char *const names[] = {\"a\", \"b\"};");
    accept(
        "int sizeof_abstract = sizeof(int (*)[3]) + sizeof(int (*(*)(int))[4]) + sizeof(char *[7]);",
    );
}

#[test]
fn structs_unions_and_enums() {
    accept(
        "struct s { int a, *b, c[3]; struct s *next; }; union u { int i; float f; }; enum e { A, B = 3, C, };",
    );
    accept("struct s; struct t { struct s *p; }; struct s { struct t *q; } x = { 0 };");
    accept(
        "struct s { int a : 3; unsigned : 0; unsigned b : 5, : 2, c : 1; _Bool d : 1; long long e : 40; };",
    );
    accept(
        "struct s { int n; union { int i; float f; struct { char c, d; }; }; double v[]; } s; int g(struct s *p) { return p->i + p->d; }",
    );
    accept("struct { int a; } a, b; int f(void) { a = b; return a.a; }");
    accept(
        "struct s { int a; } f(void); struct s g(void) { return (struct s){ 1 }; } int h(void) { return g().a; }",
    );
    accept(
        "enum e; enum e { A = -1, B = 0x7fffffff }; enum big { X = 0x100000000, Y }; enum e v = A;",
    );
    accept("struct empty {}; struct empty e; struct zero { int a[0]; };");
    accept("struct s { struct inner { int x; } i; }; struct inner j; struct s k = { { 1 } };");
    accept("struct s { int a; ; int b; _Static_assert(1, \"in a struct\"); };");
    accept(
        "struct a { int x; }; void f(void) { struct a { double y; } v; v.y = 1.0; { struct a; struct a *p; } }",
    );
}

#[test]
fn typedef_names_and_scopes() {
    accept("typedef int T; void f(void) { T T = 3; T = 4; { int T(void); } }");
    accept("typedef int T; int f(T T) { return T; } int g(void) { unsigned T; T = 1; return T; }");
    accept("typedef int T; typedef int T; void f(void) { typedef double T; T x = 1.5; } T y;");
    accept(
        "typedef struct S S; struct S { S *p; }; S s; void f(void) { int S = 3; S++; struct S t; t.p = 0; }",
    );
    accept("typedef int T; struct s { T T; }; int f(struct s *p) { T T = p->T; return T; }");
    accept("typedef int T; int f(void) { for (T T = 0; T < 3; T++) ; T x = 0; return x; }");
    accept("typedef int T; int f(int x) { T: x++; if (x < 3) goto T; return x; }");
    accept("int f(void) { enum { A = 1 }; { enum { A = 2 }; if (A != 2) return 1; } return A; }");
}

#[test]
fn linkage_and_tentative_definitions() {
    let parsed = accept(
        "int a; int a; int a = 3; int b[]; static int c; extern int c; int f(void) { extern int a; extern int late; return a + late; } int late = 2;",
    );
    assert_eq!(
        parsed.unit.vars.values().filter(|v| v.name == "a").count(),
        1
    );
    assert_eq!(
        parsed
            .unit
            .vars
            .values()
            .filter(|v| v.name == "late")
            .count(),
        1
    );
    let c = parsed
        .unit
        .vars
        .values()
        .find(|v| v.name == "c")
        .map(|v| v.storage);
    assert_eq!(c, Some(Storage::Global { is_static: true }));
    accept("extern int x[]; int x[10]; int f(void) { return sizeof x; }");
    accept("static int f(int); int f(int x) { return x; } int f(int);");
    accept("int f(); int f(int a, double b) { return a + b; } int g(void) { return f(1, 2.0); }");
    accept("struct s x; struct s { int a; };");
    accept(
        "void f(void) { static int n; static int m = 3; n += m; { extern void g(void); g(); } }",
    );
}

#[test]
fn old_style_definitions() {
    accept(
        "int f(a, b, c) double b; char c; { return a + b + c; } int g() { return f(1, 2.0, 'c'); }",
    );
    accept("f() { return 1; } static g(x) { return x; }");
    accept("double sum(n, a) int n; double a[]; { return a[n - 1]; }");
    accept("double f(n, a) int n; double a[n][n]; { return a[0][1]; }");
}

#[test]
fn variable_length_arrays() {
    accept(
        "double f(int n, int m, double a[n][m], double (*p)[m]) { double l[n + 1][m]; typedef double row[m]; row *r = a; row z; z[0] = l[0][0]; return p[0][1] + r[0][0] + z[0] + sizeof(row) + sizeof(double[n]) + sizeof l; }",
    );
    accept(
        "void f(int n, int a[*], int b[*][*]); void f(int n, int a[n], int b[n][n]) { int (*p)[n] = b; p[0][0] = a[0]; }",
    );
    accept(
        "int f(int n) { for (int i = 0; i < n; i++) { int a[i + 1]; a[i] = i; n -= a[i]; } return n; }",
    );
    accept("int f(int n) { int a[n]; return ({ int b[n]; b[0] = a[0]; b[0]; }); }");
    accept("void f(int n, double (*g)(int m, double a[m][n]));");
}

#[test]
fn expressions() {
    accept(
        "int f(int a, int b) { return a + b * 3 - a / b % 2 << 1 >> 2 & 3 | 4 ^ 5 && a || !b; }",
    );
    accept(
        "int f(int a, int b) { a += b -= a *= 2; a <<= 1; a >>= 1; a |= a &= a ^= 1; a %= 3; a /= 2; return a, b; }",
    );
    accept("int f(int a, int *p) { return a ? *p : a ?: -1; }");
    accept("int f(int *p, int i) { return p[i] + i[p] + *p++ + ++*p + (*p)-- + -~!+i; }");
    accept(
        "int f(char c) { return (int)c + (unsigned char)(short)c + sizeof c + sizeof(int) + sizeof(c) + sizeof (int){3} + _Alignof(int) + __alignof__ c; }",
    );
    accept(
        "int *f(void) { return (int[]){ 1, 2, 3 }; } struct p { int x, y; }; int g(void) { return ((struct p){ .y = 2 }).y + (struct p){ 1, 2 }.x; }",
    );
    accept(
        "int f(float x) { return _Generic(x, int: 1, float: 2, default: 3) + _Generic('c', int: 1, char: 2); }",
    );
    accept(
        "int f(int x) { return ({ int y = x; y++; y; }) + ({ ; 3; }); } void g(void) { ({ }); ({ f(1); }); }",
    );
    accept(
        "double f(double _Complex z) { return __real__ z + __imag__ z + __real__ (~z) + (1.0 + 2.0i == z); }",
    );
    accept(
        "int f(void) { return 'a' + '\\n' + '\\x41' + '\\101' + L'x' + u'y' + U'z' + '\\''; } char *s = \"a\" \"b\\0c\" \"\\\"\"; int *w = L\"wide\" L\"r\";",
    );
    accept(
        "double d[] = { 1., .5, 1e3, 0x1.8p3, 1.0f, 2.0L, 1e-3, 0x.8p0, 1.5e+10 }; long n[] = { 1u, 2UL, 3ll, 0x7f, 0b101, 017, 1LLU };",
    );
    accept(
        "int f(void) { __auto_type x = 1.5; typeof(x) y = x; __typeof__(int *) p = 0; const __auto_type z = 3; return y + z + (p == 0); }",
    );
    accept(
        "struct s { int a[3]; struct { int b; } c; }; int o = __builtin_offsetof(struct s, c.b) + __builtin_offsetof(struct s, a[1]);",
    );
    accept(
        "typedef int T; int f(T x) { return (T)x + (x) + sizeof(T) + sizeof x + (T){ 3 } + (T)-x; }",
    );
    accept(
        "int f(void) { return __builtin_choose_expr(1, 2, undeclared) + __builtin_types_compatible_p(int, int); }",
    );
    accept(
        "void f(int n, ...) { __builtin_va_list ap, aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap); double x = __builtin_va_arg(ap, double); x++; __builtin_va_end(ap); }",
    );
    accept(
        "const char *f(void) { return __func__; } const char *g(void) { return __PRETTY_FUNCTION__; }",
    );
    accept(
        "int f(int (*g)(int), int (*h[2])(int)) { return g(1) + (*g)(2) + (**g)(3) + h[0](1) + (&f != 0); }",
    );
}

#[test]
fn initialisers() {
    accept(
        "int a[] = { 1, 2, [5] = 6, [2 ... 4] = 7, 8 }; int b[2][2] = { 1, 2, 3 }; int c[2][2] = { { 1 }, { 2 } };",
    );
    accept(
        "struct p { int x, y; } p = { .y = 1, .x = 2 }, q = { x: 1, y: 2 }, r[] = { [1].x = 3, 4 }, s = { 1, };",
    );
    accept(
        "struct t { struct { int a, b; } i; int c[2]; } t = { .i.b = 1, .c[1] = 2, .i = { 3 } };",
    );
    accept(
        "char a[] = \"abc\", b[3] = \"abc\", c[] = { \"abc\" }, d[2][4] = { \"abc\", \"de\" }; int x = { 3 };",
    );
    accept(
        "union u { int i; double d; } u = { .d = 1.0 }; void f(int n) { int a[3] = { n, n + 1 }; struct { int x; } s = { n }; int z[3] = {}; }",
    );
    accept(
        "int x; int *p = &x, *q = &x + 1; int (*f)(void); char *s = \"abc\" + 1; long d = (long)&x;",
    );
    accept("struct l { struct l *next; } a = { &a }; struct l b = { &b };");
}

#[test]
fn statements() {
    accept(
        "int f(int x) { if (x) ; else if (x > 1) { } else return 2; while (x) x--; do x++; while (x < 3); for (;;) break; for (int i = 0, j = 1; i < j; i++, j--) continue; return x; }",
    );
    accept(
        "int f(int x) { switch (x) { case 1: case 2 ... 4: x++; break; { default: x--; } case 'a': ; } switch (x) case 3: x = 1; return x; }",
    );
    accept("int f(int x) { goto b; a: x++; b: if (x < 3) goto a; c: ; d: return x; }");
    accept("void f(int n) { if (n) goto end; n++; end: }");
    accept(
        "int f(int x) { static void *t[2]; t[0] = &&a; t[1] = &&b; goto *t[x]; a: return 1; b: return 2; }",
    );
    accept(
        "int f(int x) { { __label__ l; goto l; l: x++; } { __label__ l; goto l; l: x++; } return x; }",
    );
    accept(
        "void f(int x) { asm(\"\"); __asm__ volatile (\"nop\" ::: \"memory\"); asm(\"mov %1, %0\" : \"=r\"(x) : [in] \"r\"(x + 1) : \"cc\"); asm goto (\"\" :::: l); l: ; }",
    );
    accept("void g(void); void f(void) { return g(); }");
    accept(
        "void f(int n) { switch (n) { case 1: n++; __attribute__((fallthrough)); default: ; } }",
    );
    accept("void f(int n) { l: __attribute__((unused)); int x = n; x++; }");
    accept("void f(int n) { int n2; { int n; n = 1; n2 = n; } n = n2; }");
}

#[test]
fn attributes_everywhere() {
    accept(
        "__attribute__((noreturn)) void a(void) __attribute__((cold)); void b(char *, ...) __attribute__((__nonnull__(1), format(printf, 1, 2)));",
    );
    accept(
        "int __attribute__((unused)) x __attribute__((aligned(16))) = 3, y __attribute__((section(\".foo\")));",
    );
    accept(
        "struct __attribute__((packed)) s { int a __attribute__((aligned(8))); char b; } __attribute__((aligned(16)));",
    );
    accept(
        "typedef float v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { return a + b * a; }",
    );
    accept("typedef int di __attribute__((mode(DI))); _Static_assert(sizeof(di) == 8, \"\");");
    accept(
        "void f(int a __attribute__((unused)), __attribute__((unused)) int b, int * __attribute__((unused)) c) { }",
    );
    accept(
        "int *__attribute__((aligned(8))) p; int (__attribute__((unused)) *q)(void); enum e { A __attribute__((deprecated)), B } __attribute__((packed));",
    );
    accept("extern int f(int) __asm__(\"g\") __attribute__((pure)); register int r asm(\"ebx\");");
    accept(
        "[[maybe_unused]] static int x; void f(void) { [[maybe_unused]] int y; [[fallthrough]]; }",
    );
    accept(
        "__extension__ typedef long long ll; int f(void) { __extension__ int x = 1; return __extension__ (x); }",
    );
    accept(
        "void __attribute__((constructor)) init(void) { } void __attribute__((cleanup(init))) *p;",
    );
}

#[test]
fn layout_attributes_have_effect() {
    accept(
        "struct __attribute__((packed)) s { char c; double d; }; _Static_assert(sizeof(struct s) == 9, \"\");",
    );
    accept(
        "#pragma pack(push, 1)\nstruct s { char c; double d; };\n#pragma pack(pop)\nstruct t { char c; double d; };\n_Static_assert(sizeof(struct s) == 9 && sizeof(struct t) == 16, \"\");",
    );
    accept(
        "#pragma pack(4)\nstruct s { char c; double d; };\n#pragma pack()\nstruct t { char c; double d; };\n_Static_assert(sizeof(struct s) == 12 && sizeof(struct t) == 16, \"\");",
    );
    accept(
        "struct s { char c; int i; } __attribute__((aligned(32))); _Static_assert(sizeof(struct s) == 32 && _Alignof(struct s) == 32, \"\");",
    );
    accept(
        "typedef int big __attribute__((aligned(32))); struct s { char c; big b; }; _Static_assert(sizeof(struct s) == 64, \"\");",
    );
    accept(
        "enum __attribute__((packed)) e { A, B }; _Static_assert(sizeof(enum e) == 1, \"\"); enum f { C }; _Static_assert(sizeof(enum f) == 4 && (enum f)-1 > 0, \"\");",
    );
}

#[test]
fn alternate_spellings_and_digraphs() {
    accept(
        "__signed__ char a; __const int b = 1; __volatile__ int c; char *__restrict d; __inline__ int f(void) { return 1; }",
    );
    accept("int f(void) <% int a<:3:> = <% 1, 2, 3 %>; return a<:1:>; %>");
    accept("int $dollar$ = 1, caf\u{e9} = 2, \\u00e9t\\U000000e9 = 3;");
    accept(
        "/* a comment */ int x; // another\nint y; /* over\nlines */ int z = 1 /* inside */ + 2;",
    );
    accept(
        "#ident \"x\"\n# 1 \"a.c\"\n#line 3 \"b.c\"\nint x;\n#pragma unknown thing\n#pragma STDC FP_CONTRACT ON\n#pragma GCC diagnostic push\nint y;",
    );
    accept("int f(int x) { return x\n#pragma GCC diagnostic pop\n + 1; }");
}

#[test]
fn bytes_that_are_not_text() {
    let parsed =
        adjoin_front::parse(b"/* \xff\xfe */ char s[] = \"\xff\xe9\"; // \x80\nint x;".to_vec());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    assert_eq!(
        parsed.unit.strings.values().next().map(|s| s.bytes.clone()),
        Some(vec![0xff, 0xe9, 0])
    );
}

#[test]
fn text_ranges_of_functions() {
    let text =
        "int x; static inline int f(int a)\n{ return a; }\nint g(b) int b; { return b; } int h;";
    let parsed = accept(text);
    let slices: Vec<(&str, &str)> = parsed
        .unit
        .funcs
        .values()
        .filter_map(|f| f.body.as_ref())
        .map(|b| {
            (
                &text[b.range.start as usize..b.range.end as usize],
                &text[b.whole.start as usize..b.whole.end as usize],
            )
        })
        .collect();
    assert_eq!(
        slices,
        [
            ("{ return a; }", "static inline int f(int a)\n{ return a; }"),
            ("{ return b; }", "int g(b) int b; { return b; }"),
        ]
    );
}

#[test]
fn implicit_functions_are_warned_about_once() {
    let parsed = read("int f(void) { return g(1) + g(2); } int h(void) { return g(3); }");
    let messages: Vec<&str> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    assert_eq!(messages, ["implicit declaration of function 'g'"]);
    assert_eq!(
        parsed.unit.funcs.values().filter(|f| f.name == "g").count(),
        1
    );
}

#[test]
fn pragmas_are_kept() {
    let parsed = accept(
        "#pragma adjoin active(x)\nint x;\nvoid f(void) {\n#pragma adjoin checkpoint(10)\nx++; }\n#pragma omp declare simd\nint g(int);",
    );
    let texts: Vec<&str> = parsed
        .unit
        .pragmas
        .iter()
        .map(|p| p.text.as_str())
        .collect();
    assert_eq!(
        texts,
        [
            "adjoin active(x)",
            "adjoin checkpoint(10)",
            "omp declare simd"
        ]
    );
}
