//! Small bodies, as text.

use super::*;
use adjoin_ir::{Op, parse_module};

fn with(text: &str, check: impl Fn(&Module, &Body, &PointsTo<'_>)) {
    let module = match parse_module(text) {
        Ok(m) => m,
        Err(e) => panic!("{e:?}\n{text}"),
    };
    let (_, function) = module
        .funcs
        .iter()
        .find(|(_, f)| f.body.is_some())
        .expect("a body");
    let body = function.body.as_ref().expect("a body");
    let registry = crate::Registry::default();
    let facts = PointsTo::of_body(&module, &registry, Some(function.ctype), body);
    check(&module, body, &facts);
}

fn all(body: &Body, wanted: fn(&Op) -> bool) -> Vec<Inst> {
    let mut found = Vec::new();
    body.walk(|i| {
        if wanted(&body.insts[i].op) {
            found.push(i)
        }
    });
    found
}

fn loads(body: &Body) -> Vec<Inst> {
    all(body, |op| matches!(op, Op::Load(_)))
}

#[test]
fn offsets() {
    let a = Offsets::START.spread(16);
    let b = a.shift(8);
    assert!(!a.overlap(Some(8), b, Some(8)));
    assert!(a.overlap(Some(12), b, Some(8)));
    assert!(
        Offsets::START
            .join(Offsets::START.shift(8))
            .overlap(Some(8), a, Some(8))
    );
    assert!(!Offsets::START.overlap(Some(8), Offsets::START.shift(8), None));
    assert!(
        Offsets::START
            .shift(8)
            .overlap(None, Offsets::START.shift(100), Some(1))
    );
    assert_eq!(a.sum(b), b);
    assert_eq!(b.minus(b), a);
}

/// Two allocations, a `restrict` parameter, another one that is written, and integers.
const LOOP: &str = r#"
typedef size_t = unsigned long
func @f(x, y, c, n): (restrict *double, *double, *int, int) -> double
(v0 "x": ptr as *double, v1 "y": ptr as *double, v2 "c": ptr as *int, v3 "n": i32 as int) {
  v5: u64 as unsigned long = const 80
  v7 "h": ptr as *double = call @malloc(v5)
  v11 "k": ptr as *double = call @malloc(v5)
  v12: f64 as double = const 0.0
  v13: i32 as int = const 0
  v14: i32 as int = const 1
  v15 "i": i32 as int = for v13 lt v3 step v14 (v17 "i": i32 as int) {
    v19: ptr as *double = addr v7 as double [v17]
    v20: ptr as *double = addr v0 as double [v17]
    v21: f64 as double = load v20
    store v19, v21
    v22: ptr as *double = addr v11 as double [v17]
    v23: ptr as *double = addr v1 as double [v17]
    v24: f64 as double = load v23
    store v22, v24
    v28: ptr as *int = addr v2 as int [v17]
    v29: i32 as int = load v28
    store v23, v12
    yield
  }
  v30: f64 as double = load v7
  return v30
}
func @malloc(_): (size_t) -> *void
"#;

#[test]
fn what_is_overwritten() {
    with(LOOP, |_, body, facts| {
        let loads = loads(body);
        let stores = all(body, |op| matches!(op, Op::Store(_)));
        assert_eq!(facts.clobbers(loads[0]), None, "x is restrict");
        assert_eq!(facts.clobbers(loads[1]), Some(stores[2]), "y is stored to");
        assert_eq!(facts.clobbers(loads[2]), None, "c holds integers");
        assert_eq!(facts.clobbers(loads[3]), None, "nothing comes after");
        let h = body.insts[stores[0]].args[0];
        assert!(facts.is_private(h));
        assert!(matches!(facts.objects(h)[0].object, Object::Heap(_)));
    });
}

#[test]
fn plain_pointers_may_be_the_same() {
    with(
        &LOOP.replace("restrict *double", "*double"),
        |_, body, facts| {
            let stores = all(body, |op| matches!(op, Op::Store(_)));
            assert_eq!(facts.clobbers(loads(body)[0]), Some(stores[2]));
        },
    );
}

#[test]
fn pointers_in_memory() {
    let text = r#"
typedef size_t = unsigned long
func @f(p, n): (**double, long) -> double
(v0 "p": ptr as **double, v1 "n": i64 as long) {
  v2: ptr as **double = slot [4]double "a"
  v3: ptr as **double = slot *double "q"
  store v3, v2
  v4: ptr as *double = load v3
  v5: f64 as double = load v4
  v6: ptr as *double = load v0
  v7: f64 as double = load v6
  store v0, v2
  v8: ptr as *double = load v0
  v9: f64 as double = load v8
  v10: i64 as long = cast v2
  v11: i64 as long = add v10, v1
  v12: ptr as *double = cast v11
  store v12, v9
  return v5
}
"#;
    with(text, |_, body, facts| {
        let list = loads(body);
        let slot = all(body, |op| matches!(op, Op::Slot(_)))[0];
        let v4 = body.insts[list[1]].args[0];
        assert_eq!(facts.objects(v4).len(), 1);
        assert_eq!(facts.objects(v4)[0].object, Object::Stack(slot));
        assert!(
            facts.escapes(Object::Stack(slot)),
            "stored into a parameter"
        );
        let stores = all(body, |op| matches!(op, Op::Store(_)));
        assert_eq!(
            facts.clobbers(list[1]),
            Some(stores[2]),
            "a store through an address that was an integer"
        );
        let v8 = body.insts[list[5]].args[0];
        assert!(
            facts
                .objects(v8)
                .iter()
                .any(|p| p.object == Object::Stack(slot))
        );
    });
}

/// A receive that is completed later, and a send of other memory.
const RECEIVE: &str = r#"
func @f(x): (*double) -> double
(v0 "x": ptr as *double) {
  v1: ptr as *double = slot double "y"
  v2: ptr as **void = slot *void "request"
  v3: ptr as *void = const 0
  v4: i32 as int = const 1
  v5: f64 as double = load v0
  store v1, v5
  v6: i32 as int = mpi @MPI_Irecv(v1, v4, v3, v4, v4, v3, v2)
  v7: f64 as double = load v1
  v8: i32 as int = mpi @MPI_Send(v0, v4, v3, v4, v4, v3)
  v9: i32 as int = mpi @MPI_Wait(v2, v3)
  v10: f64 as double = load v1
  return v10
}
func @MPI_Irecv(_, _, _, _, _, _, _): (*void, int, *void, int, int, *void, **void) -> int
func @MPI_Send(_, _, _, _, _, _): (*void, int, *void, int, int, *void) -> int
func @MPI_Wait(_, _): (**void, *void) -> int
"#;

#[test]
fn a_receive_writes_until_it_is_completed() {
    with(RECEIVE, |_, body, facts| {
        let loads = loads(body);
        let calls = all(body, |op| matches!(op, Op::Mpi(_)));
        assert_eq!(facts.clobbers(loads[0]), None, "x is only sent");
        assert_eq!(facts.clobbers(loads[1]), Some(calls[2]), "y comes at last");
        assert_eq!(facts.clobbers(loads[2]), None, "nothing comes after");
        assert!(
            facts.escapes(facts.objects(body.insts[loads[1]].args[0])[0].object),
            "whoever gets the request may complete it"
        );
    });
}

/// A thread's loop that adds to one place and to others, in a loop of steps.
const STEPS: &str = r#"
func @f(x, n): (*double, int) -> void
(v0 "x": ptr as *double, v1 "n": i32 as int) {
  par parallel {
    v2: i32 as int = call @omp_get_thread_num()
    v3: i32 as int = mul v2, v1
    v4: ptr as *double = addr v0 as double [v3]
    v5: i32 as int = const 0
    v6: i32 as int = const 1
    v7: i32 as int = for v5 lt v1 step v6 (v8: i32 as int) {
      v9: i32 as int = for v6 lt v1 step v6 (v10: i32 as int) {
        v11: ptr as *double = addr v4 as double [v10]
        v12: f64 as double = load v11
        v13: ptr as *double = addr v4 as double [v5]
        store v13, v12
        yield
      }
BARRIER
      yield
    }
    yield
  }
  return
}
func @omp_get_thread_num(): () -> int
"#;

#[test]
fn nobody_else_is_in_a_loop_without_barriers() {
    let meets = |barrier: &str| {
        let mut found = Vec::new();
        let cell = std::cell::RefCell::new(&mut found);
        with(&STEPS.replace("BARRIER", barrier), |_, body, facts| {
            let loops = all(body, |op| matches!(op, Op::For(_)));
            let (load, store) = (
                loads(body)[0],
                all(body, |op| matches!(op, Op::Store(_)))[0],
            );
            let first = dependence::At {
                inst: load,
                address: body.insts[load].args[0],
                size: 8,
            };
            let other = Access::scalar(body.insts[store].args[0], adjoin_ir::Type::F64);
            cell.borrow_mut().extend(
                loops
                    .into_iter()
                    .map(|l| facts.can_meet(first, store, &other, dependence::When::During(l))),
            );
        });
        found
    };
    assert_eq!(meets(""), [false, false]);
    assert_eq!(
        meets("      par barrier"),
        [true, false],
        "others write between two steps"
    );
}
