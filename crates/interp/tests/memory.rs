//! Memory: what is checked, and that bytes are bytes.

mod common;
use adjoin_interp::{ErrorKind, HostValue, Interp, Options, run_main};
use common::*;

#[test]
fn out_of_bounds_with_place_and_trace() {
    let text = r#"
file "a.c"
func @get(x, i): (*int, int) -> int
(v0: ptr, v1: i32) {
  v2: ptr = addr v0 as int [v1]
  v3: i32 = load v2 !0:4:10
  return v3
}
func @f(i): (int) -> int
(v0: i32) {
  v1: ptr = slot [4]int "x"
  zero 16 v1
  v2: i32 = call @get(v1, v0) !0:9:3
  return v2
}
"#;
    assert_eq!(call_int(text, "f", &[3]), 0);
    for i in [4, -1, 5] {
        let error = failure(text, "f", &[HostValue::Int(i)]);
        assert_eq!(error.kind, ErrorKind::OutOfBounds, "{i}: {error}");
        assert_eq!(error.location.as_deref(), Some("a.c:4:10"));
        let names: Vec<_> = error
            .trace
            .iter()
            .map(|t| (t.function.as_str(), t.span.line))
            .collect();
        assert_eq!(names, [("get", 4), ("f", 9)]);
        assert!(error.message.contains("`x`"), "{error}");
    }
}

const ALLOCATION: &str = r#"
func @malloc(n): (unsigned long) -> *void
func @free(p): (*void) -> void
func @realloc(p, n): (*void, unsigned long) -> *void
"#;

#[test]
fn heap_errors() {
    let with = |body: &str| format!("{ALLOCATION}func @f(): () -> void\n{{\n{body}  return\n}}\n");
    let block = "  v0: u64 = const 8\n  v1: ptr = call @malloc(v0)\n  v2: i64 = const 1\n";
    let cases = [
        ("  v3: i64 = load v1\n", ErrorKind::Uninitialised),
        (
            "  call @free(v1)\n  store v1, v2\n",
            ErrorKind::UseAfterFree,
        ),
        (
            "  call @free(v1)\n  call @free(v1)\n",
            ErrorKind::DoubleFree,
        ),
        (
            "  v3: ptr = addr v1 as char + 4\n  call @free(v3)\n",
            ErrorKind::InvalidFree,
        ),
        (
            "  v3: ptr = slot int\n  call @free(v3)\n",
            ErrorKind::InvalidFree,
        ),
        (
            "  v3: ptr = addr v1 as char + 1\n  store v3, v2\n",
            ErrorKind::OutOfBounds,
        ),
        (
            "  v3: ptr = const 0\n  store v3, v2\n",
            ErrorKind::NullDereference,
        ),
        (
            "  v3: u64 = const 16\n  v4: ptr = call @realloc(v1, v3)\n  store v1, v2\n",
            ErrorKind::UseAfterFree,
        ),
    ];
    for (body, kind) in cases {
        assert_eq!(
            failure_kind(&with(&format!("{block}{body}"))),
            kind,
            "{body}"
        );
    }
}

#[test]
fn a_local_dies_with_its_region() {
    let text = r#"
func @f(): () -> int
{
  v0: ptr = slot *int "p"
  block {
    v1: ptr = slot int "x"
    v2: i32 = const 1
    store v1, v2
    store v0, v1
    yield
  }
  v3: ptr = load v0
  v4: i32 = load v3
  return v4
}
"#;
    assert_eq!(failure_kind(text), ErrorKind::UseAfterScope);
}

#[test]
fn a_new_local_in_each_iteration() {
    let text = r#"
func @f(): () -> int
{
  v0: ptr = slot *int "p"
  v1: ptr = slot int "first"
  v2: i32 = const 0
  store v1, v2
  store v0, v1
  v3: i32 = const 2
  v4: i32 = const 1
  v5: i32 = for v2 lt v3 step v4 (v6: i32) {
    v7: ptr = slot int "x"
    store v7, v6
    v8: ptr = load v0
    v9: i32 = load v8
    store v0, v7
    yield
  }
  return v2
}
"#;
    assert_eq!(failure_kind(text), ErrorKind::UseAfterScope);
    let uninitialised = text.replace("    store v7, v6\n", "    v10: i32 = load v7\n");
    assert_eq!(failure_kind(&uninitialised), ErrorKind::Uninitialised);
}

#[test]
fn alloca_lives_until_the_function_returns() {
    let text = r#"
func @f(): () -> int
{
  v0: ptr = slot *int "p"
  block {
    v1: ptr = slot int "x"
    v2: u64 = const 4
    v3: ptr = alloca v2
    v4: i32 = const 17
    store v3, v4
    store v0, v3
    yield
  }
  v5: ptr = load v0
  v6: i32 = load v5
  return v6
}
"#;
    assert_eq!(call_int(text, "f", &[]), 17);
}

#[test]
fn arithmetic_errors() {
    let with = |ops: &str| {
        format!(
            "func @f(): () -> int\n{{\n  v0: i32 = const -2147483648\n  v1: i32 = const -1\n  \
             v2: i32 = const 0\n  v3: i32 = const 32\n{ops}  return v9\n}}\n"
        )
    };
    let kind = |ops: &str| failure_kind(&with(ops));
    assert_eq!(kind("  v9: i32 = div v0, v2\n"), ErrorKind::DivisionByZero);
    assert_eq!(kind("  v9: i32 = rem v0, v2\n"), ErrorKind::DivisionByZero);
    assert_eq!(kind("  v9: i32 = div v0, v1\n"), ErrorKind::SignedOverflow);
    assert_eq!(kind("  v9: i32 = shl v1, v3\n"), ErrorKind::ShiftOutOfRange);
    assert_eq!(kind("  v9: i32 = shr v1, v1\n"), ErrorKind::ShiftOutOfRange);
    let wrapping = with("  v9: i32 = add v0, v1\n");
    assert_eq!(call_int(&wrapping, "f", &[]), i32::MAX as i128);
    let strict = Options {
        report_signed_overflow: true,
        ..Options::default()
    };
    let mut interp = Interp::with_options(&module(&wrapping), strict).unwrap();
    assert_eq!(
        interp.call("f", &[]).unwrap_err().kind,
        ErrorKind::SignedOverflow
    );
    let text = "func @f(): () -> void\n{\n  unreachable\n}\n";
    assert_eq!(failure_kind(text), ErrorKind::Unreachable);
}

#[test]
fn bytes_are_bytes() {
    // The bytes of a double through char pointers, a union, and a pointer stored as an integer.
    let text = r#"
func @f(): () -> unsigned
{
  v0: ptr = slot double "x"
  v1: f64 = const 1.0
  store v0, v1
  v2: i64 = const 7
  v3: ptr = addr v0 as char [v2]
  v4: u8 = load v3
  v5: ptr = slot unsigned long "address"
  v6: u64 = cast v0
  store v5, v6
  v7: ptr = load v5
  v8: u64 = load v7
  v9: i32 = const 52
  v10: u64 = shr v8, v9
  v11: u32 = cast v10
  v12: u32 = cast v4
  v13: i32 = const 16
  v14: u32 = shl v12, v13
  v15: u32 = or v11, v14
  return v15
}
"#;
    assert_eq!(
        call_int(&text.replace("unsigned\n{", "unsigned int\n{"), "f", &[]),
        0x3f_03ff
    );
}

#[test]
fn globals_and_relocations() {
    let text = r#"
global @table: [3]int static = hex "01000000 02000000"
global @pointer: *int = hex "00000000 00000000" reloc 0 @table + 4
global @function: *void = hex "00000000 00000000" reloc 0 @seven
func @seven(): () -> int
{
  v0: i32 = const 7
  return v0
}
func @f(): () -> int
{
  v0: ptr = global @pointer
  v1: ptr = load v0
  v2: i32 = load v1
  v3: ptr = global @function
  v4: ptr = load v3
  v5: i32 = call_indirect v4 () as () -> int
  v6: ptr = global @table
  v7: ptr = addr v6 as int + 8
  v8: i32 = load v7
  v9: i32 = mul v2, v5
  v10: i32 = add v9, v8
  return v10
}
"#;
    assert_eq!(call_int(text, "f", &[]), 14);
}

#[test]
fn bit_fields() {
    let text = r#"
struct bits size 8 align 4 {
  +0 a: unsigned int bits 0:3
  +0 b: int bits 3:5
  +0 c: unsigned long bits 8:40
}
func @f(): () -> long
{
  v0: ptr = slot struct bits "s"
  zero 8 v0
  v1: u32 = const 13
  store_bits struct bits .a 0:3 v0, v1
  v2: i32 = const -3
  store_bits struct bits .b 3:5 v0, v2
  v3: u64 = const 1099511627775
  store_bits struct bits .c 8:40 v0, v3
  v4: u32 = load_bits struct bits .a 0:3 v0
  v5: i32 = load_bits struct bits .b 3:5 v0
  v6: u64 = load_bits struct bits .c 8:40 v0
  v7: i64 = cast v6
  v8: i64 = cast v5
  v9: i64 = cast v4
  v10: i64 = add v7, v8
  v11: i64 = const 1000
  v12: i64 = mul v9, v11
  v13: i64 = add v10, v12
  return v13
}
"#;
    assert_eq!(call_int(text, "f", &[]), 1099511627775 - 3 + 5000);
}

#[test]
fn wide_integers() {
    let text = r#"
func @f(a, b): (long, long) -> long
(v0: i64, v1: i64) {
  v2: i128 = cast v0
  v3: i128 = cast v1
  v4: i128 = mul v2, v3
  v5: i32 = const 64
  v6: i128 = shr v4, v5
  v7: ptr = slot __int128 "wide"
  store v7, v6
  v8: i128 = load v7
  v9: i64 = cast v8
  return v9
}
"#;
    let expect = |a: i64, b: i64| ((a as i128 * b as i128) >> 64) as i64 as i128;
    for (a, b) in [
        (i64::MAX, i64::MAX),
        (i64::MIN, 3),
        (-1, 1),
        (1 << 40, -(1 << 50)),
    ] {
        assert_eq!(call_int(text, "f", &[a as i128, b as i128]), expect(a, b));
    }
}

#[test]
fn copies_of_padding_are_fine() {
    let text = r#"
struct s size 16 align 8 {
  +0 c: char
  +8 d: double
}
func @f(): () -> double
{
  v0: ptr = slot struct s "a"
  v1: ptr = slot struct s "b"
  v2: i8 = const 1
  store v0, v2
  v3: ptr = addr v0 as struct s .d
  v4: f64 = const 2.5
  store v3, v4
  copy 16 as struct s v1, v0
  v5: ptr = addr v1 as struct s .d
  v6: f64 = load v5
  return v6
}
"#;
    let mut interp = Interp::new(&module(text)).unwrap();
    assert_eq!(interp.call("f", &[]).unwrap(), Some(HostValue::Float(2.5)));
}

#[test]
fn huge_allocations_fail_politely() {
    let text = format!(
        "{ALLOCATION}func @main(): () -> int\n{{\n  v0: u64 = const 18446744073709551000\n  \
         v1: ptr = call @malloc(v0)\n  v2: ptr = const 0\n  v3: bool = eq v1, v2\n  \
         v4: i32 = cast v3\n  return v4\n}}\n"
    );
    assert_eq!(
        run_main(&module(&text), &[], &Options::default()).exit_code,
        1
    );
}
