//! Control flow: structured ops, early exits across levels, calls, recursion.

mod common;
use adjoin_interp::{ErrorKind, HostValue, Interp, Options, run_main};
use common::*;

#[test]
fn counted_loops_carry_values_and_give_the_final_index() {
    let text = r#"
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 0
  v2: i32 = const 3
  v3: i32, v4: i32 = for v1 lt v0 step v2 with v1 (v5: i32, v6: i32) {
    v7: i32 = add v6, v5
    yield v7
  }
  v8: i32 = const 1000
  v9: i32 = mul v3, v8
  v10: i32 = add v9, v4
  return v10
}
"#;
    assert_eq!(call_int(text, "f", &[10]), 12 * 1000 + 18);
    assert_eq!(call_int(text, "f", &[0]), 0);
    assert_eq!(call_int(text, "f", &[-5]), 0);
}

#[test]
fn break_and_continue_cross_levels() {
    // for i: for j: if j == 3 continue outer; if i * 10 + j == 42 break outer; s += 1
    let text = r#"
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 0
  v2: i32 = const 1
  v3: i32 = const 3
  v4: i32 = const 10
  v5: i32 = const 42
  v6: i32, v7: i32 = for ^L0 v1 lt v0 step v2 with v1 (v8: i32, v9: i32) {
    v10: i32, v11: i32 = for v1 lt v4 step v2 with v9 (v12: i32, v13: i32) {
      v14: bool = eq v12, v3
      if v14 {
        continue ^L0 v13
      } else {
        yield
      }
      v15: i32 = mul v8, v4
      v16: i32 = add v15, v12
      v17: bool = eq v16, v5
      if v17 {
        break ^L0 v13
      } else {
        yield
      }
      v18: i32 = add v13, v2
      yield v18
    }
    yield v11
  }
  v19: i32 = mul v6, v5
  v20: i32 = add v19, v7
  return v20
}
"#;
    // Left at i = 4, j = 2: 4 rows of 3, and two more.
    assert_eq!(call_int(text, "f", &[10]), 4 * 42 + 14);
    assert_eq!(call_int(text, "f", &[2]), 2 * 42 + 6);
}

#[test]
fn carried_values_swap_at_the_same_time() {
    let text = r#"
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 0
  v2: i32 = const 1
  v3: i32, v4: i32, v5: i32 = for v1 lt v0 step v2 with v1, v2 (v6: i32, v7: i32, v8: i32) {
    v9: i32 = add v7, v8
    yield v8, v9
  }
  return v4
}
"#;
    assert_eq!(call_int(text, "f", &[10]), 55);
    let swap = text.replace("yield v8, v9", "yield v8, v7");
    assert_eq!(call_int(&swap, "f", &[3]), 1);
}

#[test]
fn switches_fall_through_with_values() {
    let text = r#"
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 1
  v2: i32 = switch ^L0 v0 with v1
  case 1, 5..7 (v3: i32) {
    v4: i32 = const 10
    v5: i32 = add v3, v4
    fallthrough ^L0 v5
  } case 2 (v6: i32) {
    v7: i32 = const 100
    v8: i32 = add v6, v7
    break ^L0 v8
  } case -3, default (v9: i32) {
    v10: i32 = const 1000
    v11: i32 = add v9, v10
    yield v11
  }
  return v2
}
"#;
    let expected = [
        (1, 111),
        (2, 101),
        (3, 1001),
        (5, 111),
        (7, 111),
        (8, 1001),
        (-3, 1001),
    ];
    for (n, result) in expected {
        assert_eq!(call_int(text, "f", &[n]), result, "{n}");
    }
}

#[test]
fn general_loops_and_blocks() {
    // Collatz steps, with a block that is left early.
    let text = r#"
func @f(n): (long) -> int
(v0: i64) {
  v1: i32 = const 0
  v2: i32 = const 1
  v3: i64 = const 1
  v4: i64 = const 2
  v5: i64 = const 3
  v6: i64 = const 0
  v7: i32 = loop ^L0 v0, v1 (v8: i64, v9: i32) {
    v10: bool = eq v8, v3
    if v10 {
      break ^L0 v9
    } else {
      yield
    }
    v11: i32 = add v9, v2
    v12: i64 = block ^L1 {
      v13: i64 = rem v8, v4
      v14: bool = eq v13, v6
      if v14 {
        v15: i64 = div v8, v4
        break ^L1 v15
      } else {
        yield
      }
      v16: i64 = mul v8, v5
      v17: i64 = add v16, v3
      yield v17
    }
    yield v12, v11
  }
  return v7
}
"#;
    assert_eq!(call_int(text, "f", &[27]), 111);
    assert_eq!(call_int(text, "f", &[1]), 0);
}

const FIBONACCI: &str = r#"
func @fib(n): (int) -> int
(v0: i32) {
  v1: i32 = const 2
  v2: bool = lt v0, v1
  if v2 {
    return v0
  } else {
    yield
  }
  v3: i32 = const 1
  v4: i32 = sub v0, v3
  v5: i32 = call @fib(v4)
  v6: i32 = sub v0, v1
  v7: i32 = call @fib(v6)
  v8: i32 = add v5, v7
  return v8
}
"#;

#[test]
fn recursion() {
    assert_eq!(call_int(FIBONACCI, "fib", &[20]), 6765);
}

#[test]
fn endless_recursion_is_an_error() {
    let text = r#"
file "deep.c"
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = call @f(v0) !0:7:3
  return v1
}
"#;
    let error = failure(text, "f", &[HostValue::Int(1)]);
    assert_eq!(error.kind, ErrorKind::DepthLimit);
    assert_eq!(error.location.as_deref(), Some("deep.c:7:3"));
    assert_eq!(error.trace[0].function, "f");
}

#[test]
fn endless_loops_reach_the_step_limit() {
    let text = "func @main(): () -> int\n{\n  loop {\n    yield\n  }\n  unreachable\n}\n";
    let options = Options {
        step_limit: 10_000,
        ..Options::default()
    };
    let outcome = run_main(&module(text), &[], &options);
    assert_eq!(outcome.error.map(|e| e.kind), Some(ErrorKind::StepLimit));
    assert_eq!(outcome.steps, 10_000);
}

#[test]
fn calls_through_pointers() {
    let text = r#"
func @twice(n): (int) -> int
(v0: i32) {
  v1: i32 = add v0, v0
  return v1
}
func @abs(n): (int) -> int
func @f(n): (int) -> int
(v0: i32) {
  v1: ptr = func @twice
  v2: i32 = call_indirect v1 (v0) as (int) -> int
  v3: ptr = func @abs
  v4: i32 = call_indirect v3 (v2) as (int) -> int
  return v4
}
func @bad(p): (*void) -> int
(v0: ptr) {
  v1: i32 = const 0
  v2: i32 = call_indirect v0 (v1) as (int) -> int
  return v2
}
"#;
    assert_eq!(call_int(text, "f", &[-21]), 42);
    let null = failure(text, "bad", &[HostValue::Ptr(0)]);
    assert_eq!(null.kind, ErrorKind::NullDereference);
    let wild = failure(text, "bad", &[HostValue::Ptr(12345)]);
    assert_eq!(wild.kind, ErrorKind::InvalidCall);
}

#[test]
fn aggregates_go_by_copy() {
    let text = r#"
struct pair size 16 align 8 {
  +0 a: long
  +8 b: long
}
func @swap(p): (struct pair) -> struct pair
(v0: ptr) {
  v1: ptr = addr v0 as struct pair .a
  v2: ptr = addr v0 as struct pair .b
  v3: i64 = load v1
  v4: i64 = load v2
  store v1, v4
  store v2, v3
  return v0
}
func @f(): () -> long
{
  v0: ptr = slot struct pair "p"
  v1: ptr = slot struct pair "q"
  v2: ptr = addr v0 as struct pair .a
  v3: ptr = addr v0 as struct pair .b
  v4: i64 = const 3
  v5: i64 = const 5
  store v2, v4
  store v3, v5
  call @swap(v1, v0)
  v6: i64 = load v2
  v7: ptr = addr v1 as struct pair .a
  v8: i64 = load v7
  v9: i64 = const 10
  v10: i64 = mul v6, v9
  v11: i64 = add v10, v8
  return v11
}
"#;
    assert_eq!(call_int(text, "f", &[]), 35);
}

#[test]
fn variable_arguments() {
    let text = r#"
func @sum(n): (int, ...) -> double
(v0: i32) {
  v1: ptr = slot __builtin_va_list "args"
  va_start v1
  v2: i32 = const 0
  v3: i32 = const 1
  v4: f64 = const 0.0
  v5: i32, v6: f64 = for v2 lt v0 step v3 with v4 (v7: i32, v8: f64) {
    v9: i32 = va_arg int v1
    v10: f64 = va_arg double v1
    v11: f64 = cast v9
    v12: f64 = mul v11, v10
    v13: f64 = add v8, v12
    yield v13
  }
  va_end v1
  return v6
}
func @f(): () -> double
{
  v0: i32 = const 2
  v1: i32 = const 3
  v2: f64 = const 0.5
  v3: f64 = call @sum(v0, v1: int, v2: double, v0: int, v2: double)
  return v3
}
func @g(): () -> double
{
  v0: i32 = const 2
  v1: f64 = call @sum(v0, v0: int)
  return v1
}
"#;
    let mut interp = Interp::new(&module(text)).unwrap();
    assert_eq!(interp.call("f", &[]).unwrap(), Some(HostValue::Float(2.5)));
    assert_eq!(
        interp.call("g", &[]).unwrap_err().kind,
        ErrorKind::InvalidCall
    );
    // The host goes on after an error.
    assert_eq!(interp.call("f", &[]).unwrap(), Some(HostValue::Float(2.5)));
}

#[test]
fn unknown_externals_are_named() {
    let text = r#"
func @mystery(): () -> void
func @f(): () -> void
{
  call @mystery()
  return
}
"#;
    let error = failure(text, "f", &[]);
    assert_eq!(error.kind, ErrorKind::UnsupportedExternal);
    assert_eq!(error.message, "unsupported external function `mystery`");
}

#[test]
fn deeply_nested_regions_compile() {
    let depth = 3000;
    let mut text = String::from("func @main(): () -> int\n{\n  v0: bool = const 1\n");
    for _ in 0..depth {
        text.push_str("if v0 {\n");
    }
    for _ in 0..depth {
        text.push_str("yield\n} else {\nyield\n}\n");
    }
    text.push_str("  v1: i32 = const 7\n  return v1\n}\n");
    let Ok(module) = adjoin_ir::parse_module(&text) else {
        return;
    };
    assert_eq!(run_main(&module, &[], &Options::default()).exit_code, 7);
}
