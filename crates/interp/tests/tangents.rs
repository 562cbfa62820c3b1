//! Dual numbers through registers, memory, calls and parallel constructs, against finite differences.

mod common;
use adjoin_interp::{HostValue, Interp};
use adjoin_ir::Type;
use common::module;

/// The value and tangent of a function of reals, checked against a central difference.
fn check(text: &str, name: &str, args: &[f64], direction: &[f64]) -> (f64, f64) {
    let module = module(text);
    let mut interp = Interp::with_tangents(&module).unwrap();
    let duals: Vec<_> = args
        .iter()
        .zip(direction)
        .map(|(&x, &t)| (HostValue::Float(x), t))
        .collect();
    let (value, tangent) = interp.call_with_tangents(name, &duals).unwrap().unwrap();
    let at = |h: f64| {
        let moved: Vec<_> = args
            .iter()
            .zip(direction)
            .map(|(x, t)| HostValue::Float(x + h * t))
            .collect();
        let mut plain = Interp::new(&module).unwrap();
        plain.call(name, &moved).unwrap().unwrap().as_f64()
    };
    let h = 1e-4;
    let numeric = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    assert!(
        (tangent - numeric).abs() < 1e-8 * (1.0 + numeric.abs()),
        "{name}: {tangent} against {numeric}"
    );
    assert_eq!(value.as_f64(), at(0.0));
    (value.as_f64(), tangent)
}

#[test]
fn arithmetic_and_calls() {
    let text = r#"
func @sin(x): (double) -> double
func @pow(x, y): (double, double) -> double
func @square(x): (double) -> double
(v0: f64) {
  v1: f64 = mul v0, v0
  return v1
}
func @f(x, y): (double, double) -> double
(v0: f64, v1: f64) {
  v2: f64 = call @square(v0)
  v3: f64 = call @sin(v1)
  v4: f64 = div v2, v3
  v5: f64 = sub v4, v1
  v6: f64 = call @pow(v0, v1)
  v7: f64 = add v5, v6
  v8: f64 = neg v7
  v9: bool = lt v0, v1
  v10: f64 = select v9, v8, v7
  return v10
}
"#;
    check(text, "f", &[1.3, 0.7], &[1.0, 0.0]);
    check(text, "f", &[1.3, 0.7], &[0.0, 1.0]);
    check(text, "f", &[0.3, 0.7], &[0.4, -2.0]);
}

#[test]
fn through_memory_and_loops() {
    // x^n by repeated multiplication through a slot that is copied with memcpy.
    let text = r#"
func @memcpy(d, s, n): (*void, *const void, unsigned long) -> *void
func @f(x): (double) -> double
(v0: f64) {
  v1: ptr = slot [2]double "a"
  v2: ptr = slot [2]double "b"
  v3: ptr = addr v1 as double + 8
  v4: f64 = const 1.0
  store v1, v4
  store v3, v0
  v5: i32 = const 0
  v6: i32 = const 5
  v7: i32 = const 1
  v8: i32 = for v5 lt v6 step v7 (v9: i32) {
    v10: f64 = load v1
    v11: f64 = load v3
    v12: f64 = mul v10, v11
    store v1, v12
    v13: u64 = const 16
    v14: ptr = call @memcpy(v2, v1, v13)
    copy 16 v1, v2
    yield
  }
  v15: f64 = load v1
  return v15
}
"#;
    let (value, tangent) = check(text, "f", &[1.5], &[1.0]);
    assert!((value - 1.5f64.powi(5)).abs() < 1e-12);
    assert!((tangent - 5.0 * 1.5f64.powi(4)).abs() < 1e-12);
}

#[test]
fn single_precision_and_long_double() {
    let text = r#"
func @expl(x): (long double) -> long double
func @f(x): (double) -> double
(v0: f64) {
  v1: f80 = cast v0
  v2: ptr = slot long double "l"
  store v2, v1
  v3: f80 = load v2
  v4: f80 = call @expl(v3)
  v5: f64 = cast v4
  return v5
}
func @g(x): (double) -> double
(v0: f64) {
  v1: f32 = cast v0
  v2: ptr = slot float "s"
  store v2, v1
  v3: f32 = load v2
  v4: f32 = mul v3, v3
  v5: f64 = cast v4
  return v5
}
"#;
    check(text, "f", &[0.4], &[1.0]);
    let mut interp = Interp::with_tangents(&module(text)).unwrap();
    let (_, tangent) = interp
        .call_with_tangents("g", &[(HostValue::Float(1.5), 2.0)])
        .unwrap()
        .unwrap();
    assert_eq!(tangent, 6.0);
}

#[test]
fn complex_numbers() {
    let text = r#"
func @cexp(z): (_Complex double) -> _Complex double
func @cabs(z): (_Complex double) -> double
func @f(x, y): (double, double) -> double
(v0: f64, v1: f64) {
  v2: c64 = complex v0, v1
  v3: c64 = call @cexp(v2)
  v4: c64 = mul v3, v2
  v5: c64 = complex v1, v0
  v6: c64 = div v4, v5
  v7: ptr = slot _Complex double "z"
  store v7, v6
  v8: c64 = load v7
  v9: f64 = real v8
  v10: f64 = imag v8
  v11: f64 = call @cabs(v8)
  v12: f64 = mul v9, v10
  v13: f64 = add v12, v11
  return v13
}
"#;
    let text = match adjoin_ir::parse_module(text) {
        Ok(_) => text.to_string(),
        Err(_) => text.replace("_Complex double", "double _Complex"),
    };
    check(&text, "f", &[0.6, -0.3], &[1.0, 0.0]);
    check(&text, "f", &[0.6, -0.3], &[0.5, 2.0]);
}

#[test]
fn seeds_in_memory() {
    let text = r#"
global @scale: double = hex "00000000 00000040"
func @axpy(n, a, x, y): (int, double, *double, *double) -> void
(v0: i32, v1: f64, v2: ptr, v3: ptr) {
  v4: i32 = const 0
  v5: i32 = const 1
  v6: ptr = global @scale
  v7: i32 = for v4 lt v0 step v5 (v8: i32) {
    v9: ptr = addr v2 as double [v8]
    v10: ptr = addr v3 as double [v8]
    v11: f64 = load v9
    v12: f64 = load v10
    v13: f64 = load v6
    v14: f64 = mul v1, v11
    v15: f64 = mul v14, v13
    v16: f64 = add v12, v15
    store v10, v16
    yield
  }
  return
}
"#;
    let mut interp = Interp::with_tangents(&module(text)).unwrap();
    let x = interp.alloc_f64s(&[1.0, 2.0, 3.0]).unwrap();
    let y = interp.alloc_f64s(&[10.0, 20.0, 30.0]).unwrap();
    interp.seed(x + 8, 1.0).unwrap();
    let args = [
        (HostValue::Int(3), 0.0),
        (HostValue::Float(0.5), 10.0),
        (HostValue::Ptr(x), 0.0),
        (HostValue::Ptr(y), 0.0),
    ];
    assert!(interp.call_with_tangents("axpy", &args).unwrap().is_none());
    assert_eq!(interp.read_f64s(y, 3).unwrap(), [11.0, 22.0, 33.0]);
    assert_eq!(interp.tangents_at(y, 3), [20.0, 41.0, 60.0]);
    // Writing by the host, or as an integer, clears.
    interp.write(y, Type::F64, HostValue::Float(1.0)).unwrap();
    interp.write(y + 8, Type::I32, HostValue::Int(1)).unwrap();
    assert_eq!(interp.tangents_at(y, 3), [0.0, 0.0, 60.0]);
    let scale = interp.global("scale").unwrap();
    assert_eq!(interp.read_f64s(scale, 1).unwrap(), [2.0]);
}

#[test]
fn library_functions_with_pointers() {
    let text = r#"
func @frexp(x, e): (double, *int) -> double
func @modf(x, i): (double, *double) -> double
func @sincos(x, s, c): (double, *double, *double) -> void
func @jn(n, x): (int, double) -> double
func @fma(x, y, z): (double, double, double) -> double
func @ldexp(x, n): (double, int) -> double
func @f(x): (double) -> double
(v0: f64) {
  v1: ptr = slot int "e"
  v2: ptr = slot double "i"
  v3: ptr = slot double "c"
  v4: f64 = call @frexp(v0, v1)
  v5: f64 = call @modf(v0, v2)
  v6: f64 = mul v4, v5
  call @sincos(v0, v2, v3)
  v7: f64 = load v2
  v8: f64 = load v3
  v9: f64 = call @fma(v7, v8, v6)
  v10: i32 = const 2
  v11: f64 = call @jn(v10, v0)
  v12: f64 = call @ldexp(v11, v10)
  v13: f64 = add v9, v12
  return v13
}
"#;
    check(text, "f", &[2.7], &[1.0]);
    check(text, "f", &[-5.3], &[-0.5]);
}

#[test]
fn parallel_reductions() {
    let text = r#"
func @f(x): (double) -> double
(v0: f64) {
  v1: ptr = slot double "s"
  v2: f64 = const 0.5
  v3: f64 = mul v2, v0
  store v1, v3
  v4: ptr = slot double "m"
  v5: f64 = const 100.0
  store v4, v5
  v6: i32 = const 0
  v7: i32 = const 4
  v8: i32 = const 1
  v9: ptr = slot double "last"
  par parallel_for [reduction add "s" double v1, reduction min "m" double v4, lastprivate "last" double v9] (v10: ptr, v11: ptr, v12: ptr) {
    v13: i32 = for v6 lt v7 step v8 (v14: i32) {
      v15: f64 = cast v14
      v16: f64 = mul v0, v15
      store v12, v16
      v17: f64 = load v10
      v18: f64 = mul v16, v16
      v19: f64 = add v17, v18
      store v10, v19
      v20: f64 = sub v18, v0
      v21: f64 = load v11
      v22: bool = lt v20, v21
      v23: f64 = select v22, v20, v21
      store v11, v23
      yield
    }
    yield
  }
  v24: f64 = load v1
  v25: f64 = load v4
  v26: f64 = load v9
  v27: f64 = mul v24, v25
  v28: f64 = mul v27, v26
  return v28
}
"#;
    check(text, "f", &[1.3], &[1.0]);
}
