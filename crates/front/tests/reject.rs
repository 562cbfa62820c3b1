//! Texts with errors: what is said, and where. And reading goes on after an error.

mod common;
use common::{errors, read, reject};

#[test]
fn lexical_errors() {
    reject("int x = @;", "stray '@' in program", "@");
    reject("char *s = \"abc", "unterminated string literal", "\"abc");
    reject(
        "char *s = \"abc\nint x;",
        "unterminated string literal",
        "\"abc",
    );
    reject("int c = 'a;\n", "unterminated character constant", "'a;");
    reject("int c = '';", "empty character constant", "''");
    reject("int x; /* never ends", "unterminated comment", "/*");
    reject("int a\\u12;", "incomplete universal character name", "\\u");
}

#[test]
fn syntax_errors() {
    reject("int f(void) { return 1 }", "expected ';' before '}'", "}");
    reject("int f(void) { return (1; }", "expected ')' before ';'", ";");
    reject("int f(void) { if 1) ; }", "expected '(' before '1'", "1");
    reject(
        "int f(void) { return 1 + ; }",
        "expected an expression before ';'",
        ";",
    );
    reject("int a[3;", "expected ']' before ';'", ";");
    reject("int f(void) { else ; }", "'else' without 'if'", "else");
    reject(
        "int f(void) { do ; until (1); }",
        "expected 'while' before 'until'",
        "until",
    );
    reject("int f(int x) {", "expected '}' before the end of file", "{");
    reject("}", "unmatched '}'", "}");
    reject("int 3;", "expected a name before '3'", "3");
    reject("3;", "expected a declaration before '3'", "3");
    reject(
        "struct;",
        "expected a tag or '{' after 'struct' before ';'",
        ";",
    );
    reject(
        "int f(int, );",
        "expected a parameter's type before ')'",
        ")",
    );
    reject(
        "int f(void) { goto 3; }",
        "expected an identifier before '3'",
        "3",
    );
    reject("int f(void) { x.3; }", "expected ';' before '.3'", ".3");
    let parsed = read("int f(void) { int g(int x) { return x; } return 1; }");
    assert_eq!(
        parsed.unit.unsupported[0].what,
        "function 'g' is defined inside another function"
    );
    reject(
        "int f(void) { if (1) { return 2; }\nint g(int x) { return x; }",
        "'g' is defined inside 'f'",
        "g",
    );
}

#[test]
fn declaration_errors() {
    reject(
        "long char x;",
        "invalid combination of type specifiers",
        "long char",
    );
    reject(
        "int double x;",
        "two or more data types in one declaration",
        "double",
    );
    reject(
        "static extern int x;",
        "more than one storage class in a declaration",
        "extern",
    );
    reject(
        "struct s { static int x; };",
        "storage class 'static' is not allowed here",
        "static",
    );
    reject("foo x;", "unknown type name 'foo'", "foo");
    reject(
        "struct foo { int a; }; foo x;",
        "unknown type name 'foo'",
        "foo",
    );
    reject(
        "int f(foo x, int y) { return y; }",
        "unknown type name 'foo'",
        "foo",
    );
    reject("void x;", "variable 'x' has type 'void'", "x");
    reject(
        "struct s x;",
        "variable 'x' has incomplete type 'struct s'",
        "x",
    );
    reject(
        "void f(void) { struct s x; }",
        "variable 'x' has incomplete type 'struct s'",
        "x",
    );
    reject(
        "struct s { struct t x; };",
        "member 'x' has incomplete type 'struct t'",
        "x",
    );
    reject(
        "struct s { int a[]; int b; };",
        "flexible array member 'a' is not at the end",
        "a",
    );
    reject(
        "struct s { int f(void); };",
        "member 'f' is declared as a function",
        "f",
    );
    reject("int f(void)[3];", "a function cannot return", "(void)");
    reject(
        "int a[3](void);",
        "an array cannot have elements of type",
        "[3]",
    );
    reject(
        "void a[3];",
        "an array cannot have elements of type 'void'",
        "[3]",
    );
    reject("int a[-1];", "the length of the array is negative", "-1");
    reject(
        "int n; int a[n];",
        "the length of an array at file scope must be a constant",
        "n",
    );
    reject(
        "int a[1.5];",
        "the length of an array has type 'double'",
        "1.5",
    );
    let parsed = read("void f(int n) { struct s { int a[n]; }; }");
    assert_eq!(
        parsed.unit.unsupported[0].what,
        "a member of a struct or union with a variable-length type"
    );
    reject(
        "void f(int n) { static int a[n]; }",
        "cannot be static or extern",
        "a",
    );
    reject(
        "void f(int n) { int a[n] = { 1 }; }",
        "cannot be initialised",
        "a",
    );
    reject(
        "int f(int a, int a) { return a; }",
        "two parameters are called 'a'",
        "a",
    );
    reject(
        "_Static_assert(0, \"no\");",
        "static assertion failed: no",
        "_Static_assert",
    );
    reject(
        "int x; _Static_assert(x, \"no\");",
        "must be an integer constant",
        "x",
    );
    reject(
        "enum e { A = 1.5 };",
        "the enumerator's value is not an integer constant",
        "1.5",
    );
    reject(
        "struct s { int a : -1; };",
        "the width of a bit-field",
        "-1",
    );
    reject(
        "int x __attribute__((aligned(3)));",
        "requested alignment 3",
        "(3)",
    );
    let parsed = read("_Complex int z;");
    assert_eq!(
        parsed.unit.unsupported[0].what,
        "this complex type is not supported"
    );
    reject(
        "int f(a) int b; { return a; }",
        "'b' is not a parameter of the function",
        "b",
    );
    reject(
        "int a[] = { [-1] = 3 };",
        "the array index of a designator is out of range",
        "-1",
    );
}

#[test]
fn redeclarations() {
    reject(
        "int x; double x;",
        "conflicting types for 'x': 'double', before 'int'",
        "x",
    );
    reject(
        "int f(int); int f(double);",
        "conflicting types for 'f'",
        "f",
    );
    reject("int x = 1; int x = 2;", "redefinition of 'x'", "x");
    reject(
        "int f(void) { return 1; } int f(void) { return 2; }",
        "redefinition of 'f'",
        "f",
    );
    reject("void f(void) { int x; int x; }", "redefinition of 'x'", "x");
    reject("void f(int x) { int x; }", "redefinition of 'x'", "x");
    reject(
        "typedef int T; typedef double T;",
        "conflicting declarations of 'T'",
        "T",
    );
    reject(
        "typedef int T; int T;",
        "'T' is already declared as something else",
        "T",
    );
    reject(
        "int f; int f(void);",
        "conflicting declarations of 'f'",
        "f",
    );
    reject(
        "struct s { int a; }; struct s { int b; };",
        "redefinition of 's'",
        "s",
    );
    reject(
        "struct s { int a; }; union s x;",
        "'s' is a different kind of tag",
        "union s",
    );
    reject("enum e { A }; enum f { A };", "redeclaration of 'A'", "A");
}

#[test]
fn statement_errors() {
    reject(
        "void f(void) { break; }",
        "'break' outside of a loop or switch",
        "break",
    );
    reject(
        "void f(void) { switch (1) { continue; } }",
        "'continue' outside of a loop",
        "continue",
    );
    reject(
        "void f(void) { case 1: ; }",
        "'case' outside of a switch",
        "case 1:",
    );
    reject(
        "void f(void) { default: ; }",
        "'default' outside of a switch",
        "default",
    );
    reject(
        "void f(int x) { switch (x) { case 1: case 1: ; } }",
        "duplicate case value",
        "case 1:",
    );
    reject(
        "void f(int x) { switch (x) { case 1 ... 5: case 3: ; } }",
        "duplicate case value",
        "case 3:",
    );
    reject(
        "void f(int x) { switch (x) { default: default: ; } }",
        "more than one 'default'",
        "default",
    );
    reject(
        "void f(int x) { switch (x) { case x: ; } }",
        "must be an integer constant",
        "x",
    );
    reject(
        "void f(void) { goto nowhere; }",
        "label 'nowhere' is used but not defined",
        "nowhere",
    );
    reject("void f(void) { a: ; a: ; }", "duplicate label 'a'", "a");
    reject(
        "void f(int x) { if (x) int y; }",
        "a declaration cannot stand here",
        "int",
    );
}

#[test]
fn names() {
    reject("int f(void) { return x; }", "'x' is not declared", "x");
    reject(
        "typedef int T; int f(void) { return 1 + T; }",
        "unexpected type name 'T'",
        "T",
    );
    let parsed = read("int count; int f(void) { return cuont + cuont; }");
    assert_eq!(errors(&parsed), ["'cuont' is not declared"]);
    assert_eq!(
        parsed.diagnostics[0].help.as_deref(),
        Some("did you mean 'count'?")
    );
    let parsed = read("struct foo { int a; }; foo x;");
    assert_eq!(
        parsed.diagnostics[0].help.as_deref(),
        Some("write 'struct foo'")
    );
}

#[test]
fn openmp_errors() {
    reject(
        "void f(void) {\n#pragma omp foo\n; }",
        "unknown OpenMP directive 'foo'",
        "#pragma omp foo",
    );
    reject(
        "void f(void) {\n#pragma omp parallel\n}",
        "'#pragma omp parallel' is not followed by a statement",
        "#pragma omp",
    );
    reject(
        "int x;\n#pragma omp parallel\nint y;",
        "must stand inside a function",
        "",
    );
    reject(
        "void f(int s) {\n#pragma omp parallel reduction(+ s)\n; }",
        "expected ':' after the operator of the reduction",
        ")",
    );
    reject(
        "void f(void) {\n#pragma omp parallel private(nope)\n; }",
        "'nope' is not declared",
        "nope",
    );
    reject(
        "int f(int x) { return x +\n#pragma omp barrier\n1; }",
        "cannot stand inside an expression",
        "#pragma omp",
    );
}

#[test]
fn several_errors_in_one_text() {
    let text = "int f(void) {\n  int a = 3\n  int b = a;\n  b = ;\n  c = b;\n  return b\n}\nfoo g;\nint h(void) { return d; }\n";
    assert_eq!(
        errors(&read(text)),
        [
            "expected ';' before 'int'",
            "expected an expression before ';'",
            "'c' is not declared",
            "expected ';' before '}'",
            "unknown type name 'foo'",
            "'d' is not declared",
        ]
    );
}

#[test]
fn a_bad_statement_does_not_hide_the_function() {
    let parsed = read(
        "int f(int x) { x = (3; if (x { x = 1; } for (int i = 0 i < 3; i++) { x++; } return x; } int g(void) { return f(1); }",
    );
    assert_eq!(errors(&parsed).len(), 3, "{:?}", errors(&parsed));
    assert!(parsed.unit.funcs.values().all(|f| f.body.is_some()));
}

#[test]
fn errors_are_limited() {
    let text: String = (0..1000)
        .map(|i| format!("int f{i}(void) {{ return nope; }}\n"))
        .collect();
    assert_eq!(errors(&read(&text)).len(), 50);
}

#[test]
fn system_headers_are_silent() {
    let header = "# 1 \"h.h\" 1 3\nint good(int);\nint bad(frob x);\n_Complex _Float16 half(int);\ntypedef _Complex _Float16 ch;\nch use(ch);\nint @ also;\nstatic int inl(void) { return frob(1 +); }\nint after(int);\n# 2 \"m.c\" 2\n";
    let read_with = |user: &str| {
        read(&format!(
            "# 1 \"m.c\"\n{}{user}",
            header.replace("int @ also;\n", "")
        ))
    };
    assert_eq!(
        errors(&read_with("int f(void) { return good(1) + after(2); }")),
        [""; 0]
    );
    let message = errors(&read_with("int f(void) { return half(1) + half(2); }"));
    assert_eq!(
        message,
        ["'half' is declared in a system header in a way that cannot be read"]
    );
    let message = errors(&read_with("ch x;"));
    assert_eq!(
        message,
        ["type 'ch' is declared in a system header in a way that cannot be read"]
    );
    let parsed = read_with("int f(void) { return inl(); }");
    assert_eq!(errors(&parsed), [""; 0]);
    assert_eq!(parsed.unit.unreadable.len(), 1);
}

#[test]
fn no_record_contains_itself() {
    reject(
        "struct s { struct s x; int a; }; int f(struct s *p) { return p->a + p->x.b + sizeof *p; }",
        "member 'x' has incomplete type 'struct s'",
        "x",
    );
    reject(
        "struct s { struct s x[3]; }; struct s y = { 1 };",
        "an array cannot have elements of type 'struct s'",
        "[3]",
    );
    reject(
        "struct s { struct t { struct s x; } y; }; struct s z;",
        "member 'x' has incomplete type 'struct s'",
        "x",
    );
    reject(
        "struct s { struct s x; struct s { int a; } y; }; struct s z;",
        "redefinition of 's'",
        "s",
    );
    reject(
        "struct s { struct s f(void); }; struct s z;",
        "member 'f' is declared as a function",
        "f",
    );
}

#[test]
fn an_error_inside_a_parameter_list_leaves_the_list_alone() {
    let text = "int f(int m) { int g(int n, int (*a)[({ int x = ; n; })], int b[n]); return m; }";
    reject(text, "expected an expression before ';'", ";");
}

use adjoin_front::diag::Severity;

/// Valid GNU C that Adjoin cannot represent is no error: it is set aside, with the function it is in.
#[test]
fn unsupported_is_not_an_error() {
    for (text, what) in [
        (
            "int f(void) { int g(int x) { return x; } return g(1); }",
            "function 'g' is defined inside another function",
        ),
        (
            "void f(int n) { struct s { int a[n]; }; }",
            "a variable-length type",
        ),
        ("_Complex int f(void) { return 0; }", "this complex type"),
    ] {
        let parsed = adjoin_front::parse(text.as_bytes().to_vec());
        let errors = parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{text}: {:?}", parsed.diagnostics);
        let found = &parsed.unit.unsupported;
        assert!(
            found
                .iter()
                .any(|u| u.func.is_some() && u.what.contains(what)),
            "{text}: {found:?}"
        );
    }
}
