//! Types and values of constant expressions, against gcc: every expression initialises a global, and the program prints it.

use adjoin_front::ast::{Init, Unit};
use adjoin_front::diag::Severity;
use adjoin_front::sema::{ConstValue, Sema};
use std::fmt::Write as _;
use std::process::Command;

/// Declarations that the expressions use.
const PRELUDE: &str = "
typedef unsigned char byte;
typedef struct { int a; double b; char c[3]; } plain;
struct nested { char x; union { int i; double d; struct { short s, t; }; }; plain p[4]; unsigned f : 5; };
enum color { RED, GREEN = 5, BLUE };
enum signed_enum { MINUS = -1, PLUS };
struct packed { char c; int i; } __attribute__((packed));
struct bits { unsigned a : 3; int b : 7; unsigned c : 32; _Bool d : 1; unsigned long e : 20; };
struct flexible { int n; double data[]; };
typedef int (*callback)(double, char *);
static const int k_int = 42;
static const double k_double = 2.5;
static struct bits bits_object;
static int array[10][20];
static char text[] = \"hello\";
static int opened[] = { [7] = 1, 2 };
static struct nested objects[3];
extern int declared(int);
static const int table[] = { 3, 1, [5] = 9 };
static const char word[8] = \"word\";
static const plain constant = { 4, 2.5, \"ab\" };
extern double atan(double);
extern double pow(double, double);
typedef float v4 __attribute__((vector_size(16)));
";

/// Integer expressions: the value is compared, and the type through `_Generic`.
const INTEGERS: &[&str] = &[
    "1 + 2 * 3",
    "table[5] + table[0]",
    "word[1]",
    "constant.a",
    "constant.c[1]",
    "2147483647 + 1",
    "-2147483647 - 2",
    "&array != (void *)&text",
    "65536 * 65536",
    "7 / -2",
    "7 % -2",
    "-7 / 2",
    "-7 % 2",
    "-7 >> 1",
    "7u - 8",
    "1 << 4",
    "1u << 31",
    "~0",
    "~0u",
    "!5",
    "!0",
    "-1 < 1u",
    "-1L < 1u",
    "sizeof(int)",
    "sizeof(char) + sizeof(long double)",
    "sizeof array",
    "sizeof array[0]",
    "sizeof text",
    "sizeof opened",
    "sizeof(plain)",
    "sizeof(struct nested)",
    "sizeof objects",
    "sizeof(struct packed)",
    "sizeof(struct bits)",
    "sizeof(struct flexible)",
    "sizeof(callback)",
    "sizeof(v4)",
    "sizeof(enum color)",
    "sizeof \"abc\"",
    "sizeof L\"abc\"",
    "sizeof 'a'",
    "sizeof((char)1)",
    "sizeof 1.0f",
    "sizeof(1 ? 1.0f : 1)",
    "sizeof(0, text)",
    "_Alignof(double)",
    "_Alignof(struct nested)",
    "_Alignof(long double)",
    "_Alignof(v4)",
    "RED",
    "GREEN + BLUE",
    "MINUS",
    "(enum color)3",
    "sizeof((enum color)1 + 0)",
    "(enum color)-1 > 0",
    "(enum signed_enum)-1 > 0",
    "'a'",
    "'\\n'",
    "'\\377'",
    "L'\\377'",
    "'ab'",
    "'\\x7f'",
    "u'a'",
    "U'a'",
    "0x7fffffff",
    "0x80000000",
    "2147483648",
    "0xffffffffffffffff",
    "017777777777777777777777",
    "1ull << 63",
    "0b1011",
    "(char)300",
    "(byte)300",
    "(short)70000",
    "(unsigned)-1",
    "(_Bool)0.5",
    "(_Bool)256",
    "(int)3.99",
    "(int)-3.99",
    "(unsigned char)3.7f",
    "(long)1e18",
    "1.5 < 2",
    "1.5f == 1.5",
    "1 ? -1 : 1u",
    "0 ? 1 : 2L",
    "1 || 1 / 0",
    "0 && 1 / 0",
    "3 && 4",
    "5 ?: 6",
    "0 ?: 6",
    "__builtin_offsetof(struct nested, p[2].b)",
    "__builtin_offsetof(struct nested, t)",
    "__builtin_offsetof(plain, c[1])",
    "(unsigned long)&((struct nested *)0)->d",
    "(char *)&((plain *)0)->b - (char *)0",
    "&array[3][4] - &array[1][2]",
    "(long)(&array[3][4] - &array[0][0])",
    "&objects[1] > &objects[0]",
    "&array[0] == 0",
    "declared != 0",
    "k_int + 1",
    "\"abc\"[1]",
    "__builtin_constant_p(3)",
    "__builtin_types_compatible_p(int, const int)",
    "__builtin_types_compatible_p(int[], int[5])",
    "__builtin_types_compatible_p(char *, const char *)",
    "__builtin_types_compatible_p(enum color, unsigned)",
    "__builtin_choose_expr(1, 2, 3.0)",
    "__builtin_popcount(255)",
    "__builtin_clz(1)",
    "__builtin_ctzl(8)",
    "__builtin_ffs(4)",
    "__builtin_bswap32(1)",
    "__builtin_bswap64(1)",
    "__builtin_bswap16(0x1234)",
    "__builtin_strlen(\"four\")",
    "_Generic(1.0f, double: 1, float: 2, default: 3)",
    "_Generic(text, char *: 1, default: 2)",
    "_Generic((const int)1, int: 1, const int: 2)",
    "_Generic(declared, int (*)(int): 1, default: 0)",
    "(1.0f + 1e-8f) == 1.0f",
    "0.1f + 0.2f == 0.3f",
    "0.1 + 0.2 == 0.3",
    "(float)0.1 == 0.1f",
    "16777217.0f == 16777216.0f",
    "(int)(0.1f * 10)",
    "__builtin_inf() > 1e308",
    "__builtin_nan(\"\") == __builtin_nan(\"\")",
    "__builtin_object_size(text, 1) == 6 || 1",
    "sizeof(int[3][4])",
    "sizeof(struct { char a; long b; })",
    "sizeof(union { char a[5]; int b; })",
    "sizeof(_Complex float)",
    "sizeof(1.0fi)",
    "sizeof(__int128)",
    "(__int128)1 << 70 >> 68",
    "(unsigned __int128)-1 >> 127",
    "(long long)1 << 40",
    "1LL * 3 - 4ULL > 0",
    "sizeof(1LL + 1UL)",
    "(signed char)0x80",
    "(unsigned short)-1 + 0",
    "(unsigned short)-1 * 2",
    "+(char)5",
    "-(unsigned char)1",
    "~(unsigned char)1",
    "sizeof(struct { int : 0; char c; })",
    "sizeof(struct { char c; int f : 25; int g : 10; })",
    "sizeof(struct { })",
    "sizeof(void)",
    "sizeof declared",
    "sizeof(&array)",
    "sizeof *&array",
    "sizeof *array",
    "sizeof(long[sizeof(int)])",
    "(unsigned long)(char *)5 + 1",
    "((int)'0' + 5) == '5'",
    "__extension__ 5",
    "sizeof((plain){0})",
    "_Alignof(struct { int x __attribute__((aligned(32))); })",
    "__alignof__(text)",
    "sizeof(_Bool)",
    "sizeof(+(_Bool)1)",
    "__builtin_isnan(__builtin_nan(\"\"))",
    "__builtin_expect(5, 0)",
    "1 - 1 ? 2 : 3 ? 4 : 5",
];

/// Floating expressions: the bits as double are compared.
const REALS: &[&str] = &[
    "1.0 / 3",
    "4 * atan(1.0)",
    "pow(2.0, 0.5)",
    "constant.b",
    "__builtin_nanf(\"\") != 0",
    "1.0f / 3",
    "0.1f",
    "0.1f * 3",
    "0.1 * 3",
    "1e-320",
    "0x1.8p-3",
    "0x1.fffffep127f",
    "3",
    "-2.5",
    "1 / 2 + 0.5",
    "(float)0.1",
    "(double)(float)1.23456789",
    "16777217",
    "k_double * 2",
    "1e400",
    "-1e400",
    "-0.0",
    "1.0 - 0.9",
    "(1.0f - 0.9f)",
    "2.0e0L / 4",
    "'a' + 0.5",
    "1 ? 2 : 3.5",
    "sizeof(int) / 3.0",
    "__builtin_fabs(-2.5)",
    "__builtin_sqrt(2.0)",
    "__builtin_inf()",
    "__builtin_huge_valf()",
    "1.1f + 1.1",
    "9007199254740993",
    "0.3f + 0.6f - 0.9f",
    "123456789 * 1.0f",
    "1.17549435e-38f / 3",
    "__real__ (1.5 + 2.5i)",
    "__imag__ (1.5 + 2.5i)",
    "__real__ ((1.0 + 2.0i) * (3.0 - 1.0i))",
    "__builtin_floor(-1.5)",
    "(_Float16)0.1f",
    "1.0000000596046448f",
];

/// Type names for `_Generic`, numbered.
const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "__int128",
    "unsigned __int128",
];

fn evaluate(unit: Unit) -> Vec<(String, String)> {
    let mut sema = Sema {
        unit,
        ..Sema::default()
    };
    let vars: Vec<_> = sema.unit.vars.keys().collect();
    let mut out = Vec::new();
    for v in vars {
        let name = sema.unit.vars[v].name.clone();
        if !name.starts_with("expr_") {
            continue;
        }
        let init = sema.unit.vars[v].init.take();
        let shown = match init {
            Some(Init::Expr(e)) => match sema.const_value(&e) {
                Some(ConstValue::Int(v)) => format!("{v}"),
                Some(ConstValue::Float(v)) => format!("{:016x}", v.to_bits()),
                other => format!("{other:?}"),
            },
            other => format!("{other:?}"),
        };
        out.push((name, shown));
    }
    out
}

#[test]
fn constants_have_the_types_and_values_of_gcc() {
    let mut declarations = String::from(PRELUDE);
    let mut prints = String::new();
    for (i, e) in INTEGERS.iter().enumerate() {
        let choices: Vec<String> = TYPES
            .iter()
            .enumerate()
            .map(|(n, t)| format!("{t}: {n}"))
            .collect();
        let _ = writeln!(declarations, "long expr_i{i} = {e};");
        let _ = writeln!(
            declarations,
            "int expr_t{i} = _Generic(({e}), {}, default: 99);",
            choices.join(", ")
        );
        let _ = writeln!(
            prints,
            "  printf(\"expr_i{i} %ld\\nexpr_t{i} %d\\n\", expr_i{i}, expr_t{i});"
        );
    }
    for (i, e) in REALS.iter().enumerate() {
        let _ = writeln!(declarations, "double expr_r{i} = {e};");
        let _ = writeln!(
            prints,
            "  {{ unsigned long u; __builtin_memcpy(&u, &expr_r{i}, 8); printf(\"expr_r{i} %016lx\\n\", u); }}"
        );
    }
    let parsed = adjoin_front::parse(declarations.clone().into_bytes());
    let errors: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .collect();
    for e in &errors {
        let line = declarations[..e.span.start as usize]
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        let rest = declarations[e.span.start as usize..]
            .lines()
            .next()
            .unwrap_or_default();
        println!("{}: {line}«{rest}»", e.message);
    }
    assert!(errors.is_empty(), "{} errors", errors.len());
    let ours = evaluate(parsed.unit);

    let folder = std::env::temp_dir().join(format!("adjoin-constants-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (source, binary) = (folder.join("c.c"), folder.join("c"));
    let program = format!(
        "#include <stdio.h>\n{declarations}int declared(int x) {{ return x; }}\nint main(void) {{\n{prints}}}\n"
    );
    std::fs::write(&source, program).expect("the program is written");
    let compiled = Command::new("gcc")
        .args(["-w", "-o"])
        .arg(&binary)
        .arg(&source)
        .output();
    match compiled {
        Ok(c) if c.status.success() => {}
        Ok(c) => panic!("{}", String::from_utf8_lossy(&c.stderr)),
        Err(_) => {
            println!("skipped: no gcc on this machine");
            return;
        }
    }
    let run = Command::new(&binary).output().expect("the program runs");
    let _ = std::fs::remove_dir_all(&folder);
    let theirs = String::from_utf8_lossy(&run.stdout).into_owned();
    let theirs: std::collections::HashMap<&str, &str> =
        theirs.lines().filter_map(|l| l.split_once(' ')).collect();
    let mut wrong = 0;
    for (name, value) in &ours {
        let expected = theirs.get(name.as_str()).copied().unwrap_or("nothing");
        if value != expected {
            let (kind, index) = name["expr_".len()..].split_at(1);
            let index: usize = index.parse().expect("a number");
            let text = if kind == "r" {
                REALS[index]
            } else {
                INTEGERS[index]
            };
            println!("{name}: {text}: we say {value}, gcc says {expected}");
            wrong += 1;
        }
    }
    assert_eq!(wrong, 0);
    assert_eq!(ours.len(), theirs.len());
}
