//! Regions as text.

use super::increments::{Class, Increments, Plan, Wanted};
use crate::points_to::PointsTo;
use adjoin_ir::{Inst, Op, Type, parse_module};

/// `void f(double *a, double *b, double *c, long n, long m)` with a team that runs the given code. What it can use: `v0 v1 v2` the pointers, `v3 v4` the lengths, `v10 v11`
/// the number of the thread and of threads as `int`, `v12 v13` as `long`, `v15` 0 and `v16` 1, `v5 v6` the share of n: the loops `for v5 lt v6 step v16`.
fn team(code: &str) -> String {
    format!(
        r#"
typedef size_t = unsigned long
func @f(a, b, c, n, m): (*double, *double, *double, long, long) -> void
(v0 "a": ptr as *double, v1 "b": ptr as *double, v2 "c": ptr as *double, v3 "n": i64 as long, v4 "m": i64 as long) {{
  v15: i64 as long = const 0
  v16: i64 as long = const 1
  par parallel {{
    v10: i32 as int = call @omp_get_thread_num()
    v11: i32 as int = call @omp_get_num_threads()
    v12: i64 as long = cast v10
    v13: i64 as long = cast v11
    v14: i64 as long = add v12, v16
    v5: i64 as long = call @adjoin_part(v3, v13, v12, v16)
    v6: i64 as long = call @adjoin_part(v3, v13, v14, v16)
{code}
    yield
  }}
  return
}}
func @omp_get_thread_num(): () -> int
func @omp_get_num_threads(): () -> int
func @adjoin_part(_, _, _, _): (long, long, long, long) -> long
func @malloc(_): (size_t) -> *void
"#
    )
}

/// The classes of the loads of numbers, in program order, and the plan.
fn classes(code: &str) -> (Vec<Class>, Plan) {
    let text = team(code);
    let module = match parse_module(&text) {
        Ok(m) => m,
        Err(e) => panic!("{e:?}\n{text}"),
    };
    let f = &module.funcs[module.find_func("f").expect("f")];
    let body = f.body.as_ref().expect("a body");
    let counts =
        |i: Inst| matches!(body.insts[i].op, Op::Load(_)) && body.ty(body.result(i)) == Type::F64;
    let registry = crate::Registry::default();
    let all = Increments::of(
        &module,
        body,
        || PointsTo::of_type(&module, &registry, f.ctype, body),
        &Wanted {
            counts: &counts,
            active: &|_| true,
            in_turn: &|_| true,
            copies: true,
        },
    );
    let (mut found, mut plan) = (Vec::new(), Plan::default());
    body.walk(|i| {
        if counts(i) {
            found.push(all.class(i).cloned().expect("a class"));
        }
        if let Some(p) = all.plan(i) {
            plan = p.clone();
        }
    });
    (found, plan)
}

fn is_injective(c: &Class) -> bool {
    matches!(c, Class::Injective(_))
}
fn is_atomic(c: &Class) -> bool {
    matches!(c, Class::Atomic(_))
}
/// Threads may meet there: it is atomic, or the running program decides.
fn may_meet(c: &Class) -> bool {
    matches!(c, Class::Atomic(_) | Class::Recorded(_))
}

#[test]
fn own_elements() {
    let (list, plan) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: ptr as *double = addr v0 as double [v21]
      v23: f64 as double = load v22
      v24: ptr as *double = addr v1 as double [v21]
      store v24, v23
      yield
    }"#,
    );
    assert!(is_injective(&list[0]), "{list:?}");
    assert!(plan.apart.is_empty(), "only one array is read");
}

#[test]
fn two_arrays_may_overlap() {
    let (list, plan) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: ptr as *double = addr v0 as double [v21]
      v23: f64 as double = load v22
      v24: ptr as *double = addr v1 as double [v21]
      v25: f64 as double = load v24
      yield
    }"#,
    );
    assert!(list.iter().all(is_injective), "{list:?}");
    assert_eq!(plan.apart.len(), 1);
    let to = &plan.apart[0].0.to;
    assert_eq!(to.terms.len(), 1, "8 n: {to:?}");
    assert_eq!(to.terms[0].1, 8);
}

#[test]
fn rows_of_a_matrix_and_a_vector_that_all_read() {
    let (list, plan) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: i64 as long = mul v21, v4
      v30: i64 as long = for v15 lt v4 step v16 (v31 "j": i64 as long) {
        v32: i64 as long = add v22, v31
        v33: ptr as *double = addr v0 as double [v32]
        v34: f64 as double = load v33
        v35: ptr as *double = addr v1 as double [v31]
        v36: f64 as double = load v35
        yield
      }
      yield
    }"#,
    );
    assert!(is_injective(&list[0]), "{list:?}");
    assert_eq!(list[1], Class::Copy(0));
    assert_eq!(plan.copies[0].extent.from.as_constant(), Some(0));
    assert_eq!(plan.copies[0].extent.to.terms[0].1, 8);
    assert!(plan.apart.is_empty(), "the copy is memory of its own");
}

#[test]
fn columns_of_a_matrix() {
    let (list, _) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v30: i64 as long = for v15 lt v4 step v16 (v31 "j": i64 as long) {
        v22: i64 as long = mul v31, v3
        v32: i64 as long = add v22, v21
        v33: ptr as *double = addr v0 as double [v32]
        v34: f64 as double = load v33
        yield
      }
      yield
    }"#,
    );
    assert!(is_injective(&list[0]), "{list:?}");
}

#[test]
fn rows_that_are_too_long() {
    let (list, _) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: i64 as long = mul v21, v4
      v30: i64 as long = for v15 le v4 step v16 (v31 "j": i64 as long) {
        v32: i64 as long = add v22, v31
        v33: ptr as *double = addr v0 as double [v32]
        v34: f64 as double = load v33
        yield
      }
      yield
    }"#,
    );
    // The last element of a row is the first of the next; and all threads read the same one if m is 0.
    assert!(may_meet(&list[0]), "{list:?}");
}

#[test]
fn stencil() {
    let (list, plan) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: i64 as long = sub v21, v16
      v23: ptr as *double = addr v0 as double [v22]
      v24: f64 as double = load v23
      v25: ptr as *double = addr v0 as double [v21]
      v26: f64 as double = load v25
      v27: i64 as long = add v21, v16
      v28: ptr as *double = addr v0 as double [v27]
      v29: f64 as double = load v28
      yield
    }"#,
    );
    assert!(list.iter().all(|c| *c == Class::Neighbour), "{list:?}");
    assert_eq!(
        plan.distances
            .values()
            .map(|t| t.distance)
            .collect::<Vec<_>>(),
        [3]
    );
}

#[test]
fn indirect() {
    let (list, plan) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: ptr as *long = addr v2 as long [v21]
      v23: i64 as long = load v22
      v24: ptr as *double = addr v0 as double [v23]
      v25: f64 as double = load v24
      v26: ptr as *double = addr v1 as double [v21]
      v27: f64 as double = load v26
      yield
    }"#,
    );
    assert!(may_meet(&list[0]), "{list:?}");
    // b may be a: then what is recorded of a decides for b, too.
    assert!(!plan.unless.is_empty(), "{list:?}");
}

#[test]
fn private_memory_and_the_first_thread() {
    let (list, _) = classes(
        r#"
    v20: ptr as *double = slot [4]double "scratch"
    v21: ptr as *double = addr v20 as double [v4]
    v22: f64 as double = load v21
    v23: bool = eq v12, v15
    if v23 {
      v24: ptr as *double = addr v0 as double [v4]
      v25: f64 as double = load v24
      yield
    } else {
      yield
    }
    v26: ptr as *double = addr v1 as double [v12]
    v27: f64 as double = load v26
    v28: u64 as unsigned long = const 80
    v29: ptr as *double = call @malloc(v28)
    v30: f64 as double = load v29"#,
    );
    assert_eq!(list[0], Class::Private);
    assert_eq!(list[3], Class::Private);
    // Whether a[m] and b[thread] are one place is not known before the region: the number of threads is not.
    assert!(is_atomic(&list[1]) && is_atomic(&list[2]), "{list:?}");
}

#[test]
fn barriers_separate() {
    let twice = |between: &str| {
        classes(&format!(
            r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {{
      v22: ptr as *double = addr v0 as double [v21]
      v23: f64 as double = load v22
      yield
    }}
{between}
    v40: i64 as long = for v5 lt v6 step v16 (v41 "i": i64 as long) {{
      v42: i64 as long = sub v3, v41
      v43: ptr as *double = addr v0 as double [v42]
      v44: f64 as double = load v43
      yield
    }}"#
        ))
        .0
    };
    assert!(twice("    par barrier").iter().all(is_injective));
    assert!(twice("").iter().all(may_meet));
}

#[test]
fn time_loop_with_exchanged_buffers() {
    let (list, plan) = classes(
        r#"
    v50: i64 as long, v51: ptr as *double, v52: ptr as *double = for v15 lt v4 step v16 with v0, v1 (v53: i64 as long, v54: ptr as *double, v55: ptr as *double) {
      v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
        v22: ptr as *double = addr v54 as double [v21]
        v23: f64 as double = load v22
        v24: ptr as *double = addr v55 as double [v21]
        store v24, v23
        yield
      }
      par barrier
      yield v55, v54
    }"#,
    );
    assert!(is_injective(&list[0]), "{list:?}");
    assert!(plan.apart.is_empty());
}

#[test]
fn chunks() {
    let (list, _) = classes(
        r#"
    v20: i64 as long = const 16
    v21: i64 as long = div v3, v20
    v22: i64 as long = for v12 lt v21 step v13 (v23 "c": i64 as long) {
      v24: i64 as long = mul v23, v20
      v25: i64 as long = add v24, v20
      v26: bool = lt v25, v3
      v27: i64 as long = select v26, v25, v3
      v28: i64 as long = for v24 lt v27 step v16 (v29 "i": i64 as long) {
        v30: ptr as *double = addr v0 as double [v29]
        v31: f64 as double = load v30
        yield
      }
      yield
    }"#,
    );
    assert!(is_injective(&list[0]), "{list:?}");
}

/// Behind a time loop, the buffers may be exchanged; but all threads are behind it.
#[test]
fn behind_a_time_loop() {
    let code = |barrier: &str| {
        format!(
            r#"
    v50: i64 as long, v51: ptr as *double, v52: ptr as *double = for v15 lt v4 step v16 with v0, v1 (v53: i64 as long, v54: ptr as *double, v55: ptr as *double) {{
      v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {{
        v22: ptr as *double = addr v54 as double [v21]
        v23: f64 as double = load v22
        yield
      }}
{barrier}
      yield v55, v54
    }}
    v60: i64 as long = for v5 lt v6 step v16 (v61 "i": i64 as long) {{
      v62: ptr as *double = addr v51 as double [v61]
      v63: f64 as double = load v62
      yield
    }}"#
        )
    };
    assert!(
        classes(&code("      par barrier"))
            .0
            .iter()
            .all(is_injective)
    );
    assert!(classes(&code("")).0.iter().all(is_atomic));
}

/// What is behind the last barrier of an iteration runs at the same time as the next iteration's start, whatever loops begin there.
#[test]
fn from_one_iteration_to_the_next() {
    let code = |barrier: &str| {
        format!(
            r#"
    v50: i64 as long = for v15 lt v4 step v16 (v51: i64 as long) {{
      v52: i64 as long = for v15 lt v4 step v16 (v53: i64 as long) {{
        v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {{
          v22: ptr as *double = addr v0 as double [v21]
          v23: f64 as double = load v22
          yield
        }}
        par barrier
        yield
      }}
      par barrier
      v40: i64 as long = for v5 lt v6 step v16 (v41 "i": i64 as long) {{
        v42: i64 as long = sub v3, v41
        v43: ptr as *double = addr v0 as double [v42]
        v44: f64 as double = load v43
        yield
      }}
{barrier}
      yield
    }}"#
        )
    };
    assert!(
        classes(&code("      par barrier"))
            .0
            .iter()
            .all(is_injective)
    );
    assert!(classes(&code("")).0.iter().all(may_meet));
}

/// `while (k < m) { …; barrier; …; barrier }`: who is behind the loop is so with all others.
#[test]
fn left_by_all() {
    let code = |barrier: &str| {
        format!(
            r#"
    loop ^L0 v15 (v50: i64 as long) {{
      v51: bool = lt v50, v4
      if v51 {{
        yield
      }} else {{
        break ^L0
      }}
      v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {{
        v22: ptr as *double = addr v0 as double [v21]
        v23: f64 as double = load v22
        yield
      }}
      par barrier
      v24: i64 as long = for v5 lt v6 step v16 (v25 "i": i64 as long) {{
        v26: ptr as *double = addr v1 as double [v25]
        v27: f64 as double = load v26
        yield
      }}
{barrier}
      v52: i64 as long = add v50, v16
      yield v52
    }}
    v40: i64 as long = for v5 lt v6 step v16 (v41 "i": i64 as long) {{
      v42: i64 as long = sub v3, v41
      v43: ptr as *double = addr v0 as double [v42]
      v44: f64 as double = load v43
      v45: ptr as *double = addr v1 as double [v42]
      v46: f64 as double = load v45
      yield
    }}"#
        )
    };
    assert!(
        classes(&code("      par barrier"))
            .0
            .iter()
            .all(is_injective)
    );
    let list = classes(&code("")).0;
    assert!(is_injective(&list[0]) && is_injective(&list[2]), "{list:?}");
    assert!(may_meet(&list[1]) && may_meet(&list[3]), "{list:?}");
}

/// `a[(i + 1) % n]` and `a[i == 0 ? n - 1 : i - 1]`.
#[test]
fn around_the_end() {
    let (list, plan) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: i64 as long = add v21, v16
      v23: i64 as long = rem v22, v3
      v24: ptr as *double = addr v0 as double [v23]
      v25: f64 as double = load v24
      v26: bool = eq v21, v15
      v27: i64 as long = sub v3, v16
      v28: i64 as long = sub v21, v16
      v29: i64 as long = select v26, v27, v28
      v30: ptr as *double = addr v0 as double [v29]
      v31: f64 as double = load v30
      v32: ptr as *double = addr v1 as double [v21]
      v33: f64 as double = load v32
      yield
    }"#,
    );
    assert_eq!(list[0], Class::Neighbour, "{list:?}");
    assert_eq!(list[1], Class::Neighbour, "{list:?}");
    assert!(is_injective(&list[2]), "{list:?}");
    assert_eq!(
        plan.distances
            .values()
            .map(|t| t.distance)
            .collect::<Vec<_>>(),
        [3]
    );
    assert_eq!(plan.apart.len(), 1);
}

/// Within rows, `a[i * m + (j + 1) % m]` stays in the row.
#[test]
fn around_a_row() {
    let (list, _) = classes(
        r#"
    v20: i64 as long = for v5 lt v6 step v16 (v21 "i": i64 as long) {
      v22: i64 as long = mul v21, v4
      v30: i64 as long = for v15 lt v4 step v16 (v31 "j": i64 as long) {
        v32: i64 as long = add v31, v16
        v33: i64 as long = rem v32, v4
        v34: i64 as long = add v22, v33
        v35: ptr as *double = addr v0 as double [v34]
        v36: f64 as double = load v35
        v37: bool = lt v32, v4
        v38: i64 as long = select v37, v32, v15
        v39: i64 as long = add v22, v38
        v40: ptr as *double = addr v0 as double [v39]
        v41: f64 as double = load v40
        yield
      }
      yield
    }"#,
    );
    assert!(list.iter().all(is_injective), "{list:?}");
}
