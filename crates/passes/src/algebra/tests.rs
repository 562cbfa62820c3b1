//! Every rule by evaluation, and the pass on bodies.

use super::pattern::Pattern;
use super::rules::{Care, RULES};
use super::*;
use adjoin_ir::parse_module;

fn evaluate(pattern: &Pattern, letters: &dyn Fn(char) -> f64) -> f64 {
    match pattern {
        Pattern::Value(c) | Pattern::Constant(c) => letters(*c),
        Pattern::Number(x) => *x,
        Pattern::Neg(a) => -evaluate(a, letters),
        Pattern::Binary(op, a, b) => {
            let (a, b) = (evaluate(a, letters), evaluate(b, letters));
            match op {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ => a / b,
            }
        }
    }
}

fn operations(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Neg(a) => 1 + operations(a),
        Pattern::Binary(_, a, b) => 1 + operations(a) + operations(b),
        _ => 0,
    }
}

#[test]
fn rules_hold() {
    let plain = [1.0, -2.5, 3.0e7, 1.0 / 3.0, -7.0e-5];
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for rule in RULES {
        let [from, to] = [rule.from, rule.to].map(|text| {
            pattern::parse(text).unwrap_or_else(|| panic!("{}: cannot read {text}", rule.name))
        });
        assert!(operations(&to) <= operations(&from), "{}", rule.name);
        let numbers: Vec<f64> = match rule.care {
            Care::Exact => plain.iter().chain(&special).copied().collect(),
            Care::Rounded => plain.to_vec(),
        };
        for (i, &x) in numbers.iter().enumerate() {
            for (j, &y) in numbers.iter().enumerate() {
                let letters = |c: char| match c {
                    'x' => x,
                    'y' => y,
                    'c' => plain[(i + j) % plain.len()],
                    _ => plain[(i + 2 * j + 1) % plain.len()],
                };
                let (a, b) = (evaluate(&from, &letters), evaluate(&to, &letters));
                let same = match rule.care {
                    Care::Exact => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
                    Care::Rounded => (a - b).abs() <= 1e-14 * a.abs().max(x.abs()).max(y.abs()),
                };
                assert!(same, "{} at {x}, {y}: {a} and {b}", rule.name);
            }
        }
    }
}

/// The body after the pass, where the first parameter is an adjoint.
fn after(text: &str) -> String {
    let text = format!("func @f(a, b, c): (double, double, double) -> double\n{text}");
    let mut module = parse_module(&text).expect("reads");
    let func = module.funcs.keys().next().expect("there is one");
    let mut body = module.funcs[func].body.take().expect("it has a body");
    let mut adjoints = EntitySet::new();
    // The entry's arguments are no instruction's: mark what is computed from them.
    let first = body.regions[body.entry].args[0];
    body.walk(|inst| {
        if body.insts[inst].args.contains(&first) {
            adjoints.insert(body.insts[inst].results[0]);
        }
    });
    run(&mut body, &adjoints);
    module.funcs[func].body = Some(body);
    adjoin_ir::verify_module(&module).expect("stays valid");
    let printed = adjoin_ir::print_module(&module);
    let from = printed.find('{').unwrap_or(0);
    printed[from..].to_string()
}

#[test]
fn constants_meet() {
    let text = after(
        "(v0: f64, v1: f64, v2: f64) {
  v3: f64 = const 0.5
  v4: f64 = mul v0, v3
  v5: f64 = mul v4, v1
  v6: f64 = const 4.0
  v7: f64 = mul v5, v6
  v8: f64 = neg v7
  return v8
}",
    );
    assert_eq!(text.matches("mul").count(), 2, "{text}");
    assert!(
        text.contains("const -2.0") && !text.contains("neg"),
        "{text}"
    );
}

#[test]
fn the_primal_stays() {
    let text = after(
        "(v0: f64, v1: f64, v2: f64) {
  v3: f64 = const 0.0
  v4: f64 = add v1, v3
  v5: f64 = neg v4
  v6: f64 = mul v0, v5
  v7: f64 = add v6, v3
  return v7
}",
    );
    assert_eq!(text.matches("add").count(), 1, "{text}");
    assert!(text.contains("neg"), "{text}");
}

#[test]
fn what_has_a_reciprocal_is_multiplied() {
    let text = after(
        "(v0: f64, v1: f64, v2: f64) {
  v3: f64 = const 1.0
  v4: f64 = div v3, v1
  v5: f64 = div v0, v1
  v6: f64 = mul v5, v4
  return v6
}",
    );
    assert_eq!(text.matches("div").count(), 1, "{text}");
}

#[test]
fn a_common_divisor_is_divided_by_once() {
    // A number of the primal that something else is computed from keeps its bits.
    for (other, factor, divisions) in [("v2", "v4", 1), ("v4", "v5", 2)] {
        let text = after(&format!(
            "(v0: f64, v1: f64, v2: f64) {{
  v3: f64 = div v0, v1
  v4: f64 = div v2, v1
  v5: f64 = neg {other}
  v6: f64 = mul v3, {factor}
  v7: f64 = add v6, v3
  return v7
}}"
        ));
        assert_eq!(text.matches("div").count(), divisions, "{text}");
    }
}

#[test]
fn a_loop_divides_by_what_it_does_not_change_once() {
    let text = after(
        "(v0: f64, v1: f64, v2: f64) {
  v3: i32 = const 0
  v4: i32 = const 8
  v5: i32 = const 1
  v6: i32, v7: f64 = for v3 lt v4 step v5 with v2 (v8: i32, v9: f64) {
    v10: f64 = div v0, v1
    v11: f64 = add v9, v10
    yield v11
  }
  return v7
}",
    );
    let (before, inside) = text.split_once("for").expect("there is a loop");
    assert!(before.contains("div") && !inside.contains("div"), "{text}");
}

#[test]
fn squares_double_one_factor() {
    let text = after(
        "(v0: f64, v1: f64, v2: f64) {
  v3: f64 = mul v0, v1
  v4: f64 = mul v0, v1
  v5: f64 = add v3, v4
  v6: f64 = add v5, v2
  return v6
}",
    );
    assert_eq!(text.matches("mul").count(), 1, "{text}");
    assert_eq!(text.matches("add").count(), 2, "{text}");
}
