//! Passes on IR that lowering does not write, but another pass may.

mod common;
use adjoin_passes::PASSES;
use common::*;

fn pass(name: &str) -> &'static adjoin_passes::Pass {
    PASSES
        .iter()
        .find(|pass| pass.name == name)
        .expect("there is such a pass")
}

fn inputs() -> Vec<Vec<i128>> {
    (-2..12).map(|n| vec![n]).collect()
}

#[test]
fn what_a_break_hands_over_for_an_unused_result_stays_defined() {
    // The carried value is used in the body, its result is not; the break computes a value of its own for it.
    let module = from_text(
        "
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 0
  v2: i32 = const 1
  v3: i32 = const 10
  v4: i32, v5: i32, v6: i32 = for ^L0 v1 lt v3 step v2 with v1, v2 (v7: i32, v8: i32, v9: i32) {
    v10: i32 = add v8, v9
    v11: bool = eq v7, v0
    if v11 {
      v12: i32 = mul v10, v3
      break ^L0 v10, v12
    } else {
      yield
    }
    v13: i32 = add v9, v2
    yield v10, v13
  }
  return v5
}
",
    );
    preserved(&module, "f", &inputs());
}

#[test]
fn a_store_in_one_region_reaches_the_exits_of_all_levels() {
    let module = from_text(
        "
func @f(n): (int) -> int
(v0: i32) {
  v1: ptr = slot int \"x\"
  v2: i32 = const 1
  v3: i32 = const 3
  store v1, v2
  block ^L0 {
    block ^L1 {
      v4: bool = lt v0, v3
      if v4 {
        store v1, v3
        break ^L0
      } else {
        yield
      }
      v5: bool = eq v0, v3
      if v5 {
        store v1, v0
        break ^L1
      } else {
        yield
      }
      yield
    }
    v6: i32 = load v1
    v7: i32 = add v6, v6
    store v1, v7
    yield
  }
  v8: i32 = load v1
  return v8
}
",
    );
    let got = preserved(&module, "f", &inputs());
    assert_eq!(got[..6], ["3", "3", "3", "3", "3", "6"].map(String::from));
}

#[test]
fn a_switch_passes_values_from_case_to_case() {
    let module = from_text(
        "
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 1
  v2: i32 = const 100
  v3: i32 = switch ^L0 v0 with v1, v2 case 0 (v4: i32, v5: i32) {
    v6: i32 = add v5, v4
    fallthrough ^L0 v6, v4
  } case 1 (v7: i32, v8: i32) {
    v9: bool = lt v7, v8
    if v9 {
      yield
    } else {
      fallthrough ^L0 v8, v7
    }
    yield v8
  } default (v10: i32, v11: i32) {
    yield v11
  }
  return v3
}
",
    );
    preserved(&module, "f", &inputs());
}

#[test]
fn an_infinite_loop_without_effect_stays() {
    let mut module = from_text(
        "
func @f(n): (int) -> int
(v0: i32) {
  loop {
    yield
  }
  unreachable
}
",
    );
    for pass in PASSES {
        pass.run(&mut module);
        check(&module, pass.name);
    }
    assert!(adjoin_ir::print_module(&module).contains("loop"));
}

#[test]
fn a_step_that_its_type_cannot_negate_is_no_counted_loop() {
    let mut module = from_c(
        "int f(int a) { int n = 0; for (int i = a; i < 0; i -= (-2147483647 - 1)) n++; return n; }",
    );
    for pass in PASSES {
        pass.run(&mut module);
        check(&module, pass.name);
    }
}

#[test]
fn loops_that_count_become_for() {
    let counted = |text: &str| {
        let mut module = from_c(text);
        for pass in PASSES {
            pass.run(&mut module);
            check(&module, pass.name);
        }
        let printed = adjoin_ir::print_module(&module);
        (
            printed.matches(" for ").count(),
            printed.matches("loop ").count(),
        )
    };
    assert_eq!(
        counted(
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 5) continue; if (s > 100) break; s += i; } return s; }"
        ),
        (1, 0)
    );
    assert_eq!(
        counted(
            "long f(unsigned long n) { long s = 0; for (unsigned long i = 0; i != n; ++i) s++; return s; }"
        ),
        (1, 0)
    );
    assert_eq!(
        counted(
            "int f(int n) { int i = n; while (i >= 0) { if (n == i * i) return i; i -= 3; } return -1; }"
        ),
        (1, 0)
    );
    // The index changes in the body, or the bound does.
    assert_eq!(counted("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (n == 3) i++; s++; } return s; }").0, 0);
    assert_eq!(
        counted("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { n--; s++; } return s; }")
            .0,
        0
    );
    // Never ends.
    assert_eq!(counted("int g(unsigned); int f(unsigned n) { for (unsigned i = n; i >= 0; i--) if (g(i)) return 1; return 0; }").0, 0);
}

#[test]
fn every_pass_has_its_own_name() {
    for (k, pass) in PASSES.iter().enumerate() {
        assert!(PASSES[..k].iter().all(|other| other.name != pass.name));
    }
    assert_eq!(pass("prune").name, "prune");
    let mut module = from_c("int f(void) { return 1; }");
    assert_eq!(
        adjoin_passes::run_pipeline(&mut module, Some("no such")),
        Err("no such".to_owned())
    );
}

#[test]
fn what_is_added_and_taken_away_again_is_gone() {
    let mut module = from_text(
        "
func @f(n): (int) -> int
(v0: i32) {
  v1: i32 = const 3
  v2: i32 = const 2
  v3: i32 = add v1, v0
  v4: i32 = sub v3, v1
  v5: i32 = sub v4, v2
  v6: i32 = add v2, v5
  v7: i32 = sub v1, v6
  v8: i32 = add v7, v1
  return v8
}
",
    );
    preserved(&module, "f", &inputs());
    pass("simplify").run(&mut module);
    let text = adjoin_ir::print_module(&module);
    let ops = |word: &str| text.matches(word).count();
    // 3 - n + 3 is left.
    assert_eq!((ops(" = add "), ops(" = sub ")), (1, 1), "{text}");
}
