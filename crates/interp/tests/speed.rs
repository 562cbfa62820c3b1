//! How fast it runs: `cargo test --release -p adjoin-interp --test speed -- --ignored --nocapture`.

mod common;
use adjoin_interp::{Options, run_main};
use common::module;
use std::time::Instant;

fn measure(name: &str, text: &str, tangents: bool) {
    let module = module(text);
    let options = Options {
        tangents,
        ..Options::default()
    };
    let start = Instant::now();
    let outcome = run_main(&module, &[], &options);
    let seconds = start.elapsed().as_secs_f64();
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    let rate = outcome.steps as f64 / seconds / 1e6;
    println!(
        "{name}: {} steps in {seconds:.3} s, {rate:.0} million per second",
        outcome.steps
    );
}

/// Everything in memory, as lowering leaves it: c[i][j] += a[i][k] * b[k][j].
const PRODUCT: &str = r#"
global @a: [10000]double = hex
global @b: [10000]double = hex
global @c: [10000]double = hex
func @main(): () -> int
{
  v0: ptr = slot int "i"
  v1: ptr = slot int "j"
  v2: ptr = slot int "k"
  v3: i32 = const 0
  v4: i32 = const 100
  v5: i32 = const 1
  store v0, v3
  loop ^L0 {
    v6: i32 = load v0
    v7: bool = lt v6, v4
    if v7 {
      yield
    } else {
      break ^L0
    }
    store v1, v3
    loop ^L1 {
      v8: i32 = load v1
      v9: bool = lt v8, v4
      if v9 {
        yield
      } else {
        break ^L1
      }
      store v2, v3
      loop ^L2 {
        v10: i32 = load v2
        v11: bool = lt v10, v4
        if v11 {
          yield
        } else {
          break ^L2
        }
        v12: ptr = slot double "t"
        v13: ptr = global @a
        v14: i32 = load v0
        v15: i32 = load v2
        v16: ptr = addr v13 as [100]double [v14] [v15]
        v17: f64 = load v16
        v18: ptr = global @b
        v19: i32 = load v2
        v20: i32 = load v1
        v21: ptr = addr v18 as [100]double [v19] [v20]
        v22: f64 = load v21
        v23: f64 = mul v17, v22
        store v12, v23
        v24: ptr = global @c
        v25: i32 = load v0
        v26: i32 = load v1
        v27: ptr = addr v24 as [100]double [v25] [v26]
        v28: f64 = load v27
        v29: f64 = load v12
        v30: f64 = add v28, v29
        store v27, v30
        v31: i32 = load v2
        v32: i32 = add v31, v5
        store v2, v32
        yield
      }
      v33: i32 = load v1
      v34: i32 = add v33, v5
      store v1, v34
      yield
    }
    v35: i32 = load v0
    v36: i32 = add v35, v5
    store v0, v36
    yield
  }
  return v3
}
"#;

const FIBONACCI: &str = r#"
func @fib(n): (int) -> int
(v0: i32) {
  v1: ptr = slot int "n"
  store v1, v0
  v2: i32 = const 2
  v3: i32 = load v1
  v4: bool = lt v3, v2
  if v4 {
    v5: i32 = load v1
    return v5
  } else {
    yield
  }
  v6: i32 = const 1
  v7: i32 = load v1
  v8: i32 = sub v7, v6
  v9: i32 = call @fib(v8)
  v10: i32 = load v1
  v11: i32 = sub v10, v2
  v12: i32 = call @fib(v11)
  v13: i32 = add v9, v12
  return v13
}
func @main(): () -> int
{
  v0: i32 = const 30
  v1: i32 = call @fib(v0)
  v2: i32 = const 0
  return v2
}
"#;

const SSA: &str = r#"
func @main(): () -> int
{
  v0: i64 = const 0
  v1: i64 = const 20000000
  v2: i64 = const 1
  v3: f64 = const 0.0
  v4: f64 = const 0.5
  v5: i64, v6: f64 = for v0 lt v1 step v2 with v3 (v7: i64, v8: f64) {
    v9: f64 = mul v8, v4
    v10: f64 = add v9, v4
    v11: i64 = xor v7, v2
    v12: i64 = and v11, v1
    yield v10
  }
  v13: i32 = const 0
  return v13
}
"#;

#[test]
#[ignore = "prints timings"]
fn speed() {
    measure("matrix product in memory", PRODUCT, false);
    measure("recursive calls", FIBONACCI, false);
    measure("arithmetic in registers", SSA, false);
    measure("matrix product with tangents", PRODUCT, true);
}
