//! The C library: formats, strings, sorting, numbers, the end of a program.

mod common;
use adjoin_interp::{Options, run_main};
use common::*;

/// A program: declarations, text literals `@s0`, `@s1` …, and the body of `main`, which returns 0.
fn program(declarations: &str, texts: &[&str], body: &str) -> String {
    let mut text = String::from(declarations);
    for (k, literal) in texts.iter().enumerate() {
        let mut bytes = String::new();
        for b in literal.bytes() {
            bytes.push_str(&format!("{b:02x}"));
        }
        let n = literal.len() + 1;
        text.push_str(&format!(
            "global @s{k}: [{n}]char literal = hex \"{bytes}\"\n"
        ));
    }
    text.push_str(&format!(
        "func @main(): () -> int\n{{\n{body}  v999: i32 = const 0\n  return v999\n}}\n"
    ));
    text
}

const PRINTF: &str = "func @printf(f): (*const char, ...) -> int\n";

#[test]
fn formats() {
    // Each case: a format, the type and constant of its argument, the C type, the output.
    let cases = [
        ("[%d]", "i32", "-42", "int", "[-42]"),
        ("[%5d]", "i32", "42", "int", "[   42]"),
        ("[%-5d]", "i32", "42", "int", "[42   ]"),
        ("[%05d]", "i32", "-42", "int", "[-0042]"),
        ("[%+.3d]", "i32", "7", "int", "[+007]"),
        ("[%u]", "i32", "-1", "int", "[4294967295]"),
        ("[%hhd]", "i32", "300", "int", "[44]"),
        ("[%hu]", "i32", "65537", "int", "[1]"),
        ("[%x]", "u32", "48879", "unsigned int", "[beef]"),
        ("[%#X]", "u32", "48879", "unsigned int", "[0XBEEF]"),
        ("[%#o]", "u32", "8", "unsigned int", "[010]"),
        (
            "[%ld]",
            "i64",
            "-9223372036854775808",
            "long",
            "[-9223372036854775808]",
        ),
        (
            "[%zu]",
            "u64",
            "18446744073709551615",
            "unsigned long",
            "[18446744073709551615]",
        ),
        ("[%c]", "i32", "65", "int", "[A]"),
        ("[%3c]", "i32", "65", "int", "[  A]"),
        ("[%f]", "f64", "1.5", "double", "[1.500000]"),
        ("[%.0f]", "f64", "2.5", "double", "[2]"),
        ("[%10.3e]", "f64", "12345.678", "double", "[ 1.235e+04]"),
        ("[%g]", "f64", "0.0001", "double", "[0.0001]"),
        ("[%g]", "f64", "1e-5", "double", "[1e-05]"),
        ("[%.17g]", "f64", "0.1", "double", "[0.10000000000000001]"),
        ("[%a]", "f64", "1.0", "double", "[0x1p+0]"),
        ("[%Lf]", "f80", "0.25", "long double", "[0.250000]"),
        ("[%La]", "f80", "1.5", "long double", "[0xcp-3]"),
        ("[%f]", "f64", "inf", "double", "[inf]"),
        ("[%p]", "ptr", "4096", "*void", "[0x1000]"),
        ("[%p]", "ptr", "0", "*void", "[(nil)]"),
        ("[%s]", "ptr", "0", "*char", "[(null)]"),
        ("[%d%%]", "i32", "5", "int", "[5%]"),
    ];
    for (format, ty, value, ctype, expected) in cases {
        let body = format!(
            "  v0: ptr = global @s0\n  v1: {ty} = const {value}\n  \
             v2: i32 = call @printf(v0, v1: {ctype})\n"
        );
        assert_eq!(
            output(&program(PRINTF, &[format], &body)),
            expected,
            "{format} {value}"
        );
    }
}

#[test]
fn formats_of_strings() {
    let body = r#"
  v0: ptr = global @s0
  v1: ptr = global @s1
  v2: i32 = const 3
  v3: i32 = const -8
  v4: i32 = call @printf(v0, v1: *char, v2: int, v1: *char, v3: int, v1: *char)
"#;
    let texts = ["[%8s] [%.*s] [%*s]\n", "hello"];
    assert_eq!(
        output(&program(PRINTF, &texts, body)),
        "[   hello] [hel] [hello   ]\n"
    );
}

#[test]
fn a_format_that_does_not_fit_is_an_error() {
    let body =
        "  v0: ptr = global @s0\n  v1: i32 = const 1\n  v2: i32 = call @printf(v0, v1: int)\n";
    assert!(run(&program(PRINTF, &["%f"], body)).error.is_some());
    assert!(run(&program(PRINTF, &["%d %d"], body)).error.is_some());
}

#[test]
fn strings() {
    let declarations = format!(
        "{PRINTF}{}",
        r#"
func @strcpy(d, s): (*char, *const char) -> *char
func @strcat(d, s): (*char, *const char) -> *char
func @strlen(s): (*const char) -> unsigned long
func @strcmp(a, b): (*const char, *const char) -> int
func @strtok(s, d): (*char, *const char) -> *char
func @puts(s): (*const char) -> int
func @strtol(s, e, b): (*const char, **char, int) -> long
func @sprintf(d, f): (*char, *const char, ...) -> int
func @sscanf(s, f): (*const char, *const char, ...) -> int
"#
    );
    let body = r#"
  v0: ptr = slot [32]char "buffer"
  v1: ptr = global @s0
  v2: ptr = global @s1
  v3: ptr = call @strcpy(v0, v1)
  v4: ptr = call @strcat(v0, v2)
  v5: i32 = call @puts(v0)
  v6: u64 = call @strlen(v0)
  v7: i32 = call @strcmp(v1, v2)
  v8: ptr = global @s2
  v9: i32 = call @printf(v8, v6: unsigned long, v7: int)
  v10: ptr = global @s3
  v11: ptr = call @strtok(v0, v10)
  loop ^L0 v11 (v12: ptr) {
    v13: ptr = const 0
    v14: bool = eq v12, v13
    if v14 {
      break ^L0
    } else {
      yield
    }
    v15: i32 = call @puts(v12)
    v16: ptr = call @strtok(v13, v10)
    yield v16
  }
  v17: ptr = slot double "x"
  v18: ptr = slot int "n"
  v19: ptr = global @s4
  v20: ptr = global @s5
  v21: i32 = call @sscanf(v19, v20, v18: *int, v17: *double, v0: *char)
  v22: i32 = load v18
  v23: f64 = load v17
  v24: ptr = global @s6
  v25: i32 = call @printf(v24, v21: int, v22: int, v23: double, v0: *char)
"#;
    let texts = [
        "a,b;",
        "cd,,e",
        "%zu %d\n",
        ",;",
        "12 -2.5e1 word]",
        "%d %lf %[a-z]",
        "%d %d %g %s\n",
    ];
    let expected = "a,b;cd,,e\n9 -2\na\nb\ncd\ne\n3 12 -25 word\n";
    assert_eq!(output(&program(&declarations, &texts, body)), expected);
}

#[test]
fn sorting_calls_back() {
    let text = r#"
global @numbers: [5]int = hex "05000000 03000000 09000000 ffffffff 04000000"
global @format: [4]char literal = bytes "%d \x00"
func @printf(f): (*const char, ...) -> int
func @qsort(b, n, s, c): (*void, unsigned long, unsigned long, *void) -> void
func @bsearch(k, b, n, s, c): (*const void, *const void, unsigned long, unsigned long, *void) -> *void
func @order(a, b): (*const void, *const void) -> int
(v0: ptr, v1: ptr) {
  v2: i32 = load v0
  v3: i32 = load v1
  v4: i32 = sub v2, v3
  return v4
}
func @main(): () -> int
{
  v0: ptr = global @numbers
  v1: u64 = const 5
  v2: u64 = const 4
  v3: ptr = func @order
  call @qsort(v0, v1, v2, v3)
  v4: i32 = const 0
  v5: i32 = const 5
  v6: i32 = const 1
  v7: ptr = global @format
  v8: i32 = for v4 lt v5 step v6 (v9: i32) {
    v10: ptr = addr v0 as int [v9]
    v11: i32 = load v10
    v12: i32 = call @printf(v7, v11: int)
    yield
  }
  v13: ptr = slot int "key"
  store v13, v5
  v14: ptr = call @bsearch(v13, v0, v1, v2, v3)
  v15: i64 = ptrdiff 4 v14, v0
  v16: i32 = cast v15
  return v16
}
"#;
    let outcome = run(text);
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), "-1 3 4 5 9 ");
    assert_eq!(outcome.exit_code, 3);
}

#[test]
fn exits() {
    let text = |body: &str| {
        format!(
            r#"
global @bye: [4]char literal = bytes "bye\x00"
global @file: [4]char literal = bytes "a.c\x00"
func @puts(s): (*const char) -> int
func @atexit(f): (*void) -> int
func @exit(n): (int) -> void noreturn
func @abort(): () -> void noreturn
func @__assert_fail(a, b, c, d): (*const char, *const char, unsigned int, *const char) -> void noreturn
func @last(): () -> void
{{
  v0: ptr = global @bye
  v1: i32 = call @puts(v0)
  return
}}
func @main(): () -> int
{{
  v0: ptr = func @last
  v1: i32 = call @atexit(v0)
{body}
}}
"#
        )
    };
    let outcome = run(&text(
        "  v2: i32 = const 259\n  call @exit(v2)\n  unreachable\n",
    ));
    assert_eq!(
        (outcome.exit_code, outcome.stdout.as_slice()),
        (3, &b"bye\n"[..])
    );
    let outcome = run(&text("  v2: i32 = const 5\n  return v2\n"));
    assert_eq!(
        (outcome.exit_code, outcome.stdout.as_slice()),
        (5, &b"bye\n"[..])
    );
    let outcome = run(&text("  call @abort()\n  unreachable\n"));
    assert_eq!(
        (outcome.exit_code, outcome.stdout.as_slice()),
        (134, &b""[..])
    );
    let outcome = run(&text(
        "  v2: ptr = global @bye\n  v3: ptr = global @file\n  v4: u32 = const 12\n  \
         call @__assert_fail(v2, v3, v4, v2)\n  unreachable\n",
    ));
    assert_eq!(outcome.exit_code, 134);
    let message = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert_eq!(message, "program: a.c:12: bye: Assertion `bye' failed.\n");
}

#[test]
fn standard_streams_and_arguments() {
    let text = r#"
global @stderr: *void
global @text: [3]char literal = bytes "%s\x00"
func @fprintf(f, t): (*void, *const char, ...) -> int
func @getchar(): () -> int
func @main(argc, argv): (int, **char) -> int
(v0: i32, v1: ptr) {
  v2: ptr = global @stderr
  v3: ptr = load v2
  v4: ptr = global @text
  v5: ptr = addr v1 as *char + 8
  v6: ptr = load v5
  v7: i32 = call @fprintf(v3, v4, v6: *char)
  v8: i32 = call @getchar()
  return v8
}
"#;
    let options = Options {
        stdin: b"A".to_vec(),
        ..Options::default()
    };
    let outcome = run_main(&module(text), &["first".to_string()], &options);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    assert_eq!(outcome.stderr, b"first");
    assert_eq!(outcome.exit_code, 65);
}

#[test]
fn character_classes_through_glibc_tables() {
    let text = r#"
func @__ctype_b_loc(): () -> **const unsigned short
func @toupper(c): (int) -> int
func @f(c): (int) -> int
(v0: i32) {
  v1: ptr = call @__ctype_b_loc()
  v2: ptr = load v1
  v3: ptr = addr v2 as unsigned short [v0]
  v4: u16 = load v3
  v5: i32 = cast v4
  v6: i32 = const 1024
  v7: i32 = and v5, v6
  v8: i32 = call @toupper(v0)
  v9: i32 = add v7, v8
  return v9
}
"#;
    assert_eq!(call_int(text, "f", &['a' as i128]), 1024 + 'A' as i128);
    assert_eq!(call_int(text, "f", &['1' as i128]), '1' as i128);
    assert_eq!(call_int(text, "f", &[-1]), -1);
}

#[test]
fn builtins() {
    let text = r#"
func @__builtin_popcount(x): (unsigned int) -> int
func @__builtin_clzl(x): (unsigned long) -> int
func @__builtin_bswap32(x): (unsigned int) -> unsigned int
func @__builtin_add_overflow(): ?() -> bool
func @__builtin_mul_overflow(): ?() -> bool
func @__sync_fetch_and_add(): ?() -> int
func @f(a, b): (int, int) -> int
(v0: i32, v1: i32) {
  v2: ptr = slot int "r"
  v3: bool = call @__builtin_add_overflow(v0: int, v1: int, v2: *int)
  v4: i32 = load v2
  v5: bool = call @__builtin_mul_overflow(v0: int, v1: int, v2: *int)
  v6: i32 = cast v3
  v7: i32 = cast v5
  v8: i32 = add v7, v7
  v9: i32 = or v6, v8
  return v9
}
func @g(): () -> int
{
  v0: u32 = const 255
  v1: i32 = call @__builtin_popcount(v0)
  v2: u64 = const 1
  v3: i32 = call @__builtin_clzl(v2)
  v4: ptr = slot int "n"
  store v4, v1
  v5: i32 = call @__sync_fetch_and_add(v4: *int, v3: int)
  v6: i32 = load v4
  return v6
}
"#;
    let text = text.replace("-> bool", "-> _Bool");
    assert_eq!(call_int(&text, "f", &[1, 2]), 0);
    assert_eq!(call_int(&text, "f", &[i32::MAX as i128, 1]), 1);
    assert_eq!(call_int(&text, "f", &[1 << 20, 1 << 20]), 2);
    assert_eq!(call_int(&text, "g", &[]), 8 + 63);
}
