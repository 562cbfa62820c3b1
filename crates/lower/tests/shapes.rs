//! The shapes that later passes and the emitter rely on, and what is refused.

mod common;

use common::{body_of_f, lower_text, skeleton};

fn shape(text: &str, expected: &[&str]) {
    assert_eq!(skeleton(&body_of_f(text)), expected.join("\n"), "{text}");
}

#[test]
fn a_for_loop_is_test_body_step() {
    shape(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        &["loop", " if", "  yield", "  break", " yield", "return"],
    );
}

#[test]
fn continue_makes_a_block() {
    shape(
        "void f(int n) { while (n--) { if (n & 1) continue; n -= 3; } }",
        &[
            "loop", " if", "  yield", "  break", " block", "  if", "   break", "   yield",
            "  yield", " yield", "return",
        ],
    );
}

#[test]
fn a_macro_loop_is_no_loop() {
    shape("void f(int *p) { do { *p = 1; } while (0); }", &["return"]);
}

#[test]
fn an_endless_loop_has_no_test() {
    shape(
        "void f(int n) { for (;;) { if (n++ > 9) break; } }",
        &["loop", " if", "  break", "  yield", " yield", "return"],
    );
}

#[test]
fn goto_fail_leaves_loops_alone() {
    shape(
        "int f(int n) { for (int i = 0; i < n; i++) if (i == 7) goto fail; return 0; fail: return 1; }",
        &[
            "block", " loop", "  if", "   yield", "   break", "  if", "   break", "   yield",
            "  yield", " return", "return",
        ],
    );
}

#[test]
fn goto_back_is_a_loop() {
    shape(
        "int f(int n) { again: if (n > 3) { n--; goto again; } return n; }",
        &["loop", " if", "  continue", "  yield", " break", "return"],
    );
}

#[test]
fn a_switch_falls_through() {
    shape(
        "int f(int n) { switch (n) { case 1: n = 4; case 2: case 3: n++; break; } return n; }",
        &["switch", " fallthrough", " yield", " yield", "return"],
    );
}

#[test]
fn arms_that_leave_end_the_list() {
    shape(
        "int f(int n) { if (n) return 1; else return 2; return 3; }",
        &["if", " return", " return", "unreachable"],
    );
}

#[test]
fn a_path_is_one_address() {
    let body = body_of_f(
        "struct s { int n; struct { double v[3]; } t[4]; }; double f(struct s *p, int i) { return p->t[i].v[2]; }",
    );
    let mut addresses = 0;
    body.walk(|inst| addresses += (body.insts[inst].op.name() == "addr") as u32);
    assert_eq!(addresses, 1);
}

#[test]
fn static_data_comes_along() {
    let lowered = lower_text(
        b"static int x = 3; static int *table[] = { 0, &x }; static int unused; int f(void) { return *table[1]; }"
            .to_vec(),
    );
    let names: Vec<&str> = lowered
        .module
        .globals
        .values()
        .map(|g| g.name.as_str())
        .collect();
    assert_eq!(names, ["table", "x"]);
    let table = lowered
        .module
        .globals
        .values()
        .next()
        .and_then(|g| g.init.as_ref());
    let table = table.expect("the table has contents");
    assert_eq!(
        (
            table.bytes.len(),
            table.relocs.len(),
            table.relocs[0].offset
        ),
        (16, 1, 8)
    );
}

#[test]
fn a_deep_expression() {
    let sum = vec!["x"; 9_000].join(" + ");
    body_of_f(&format!("unsigned f(unsigned x) {{ return {sum}; }}"));
}

fn refused(text: &str, reason: &str) {
    let lowered = lower_text(text.as_bytes().to_vec());
    let [refusal] = lowered.refusals.as_slice() else {
        panic!("{text}: {:?}", lowered.refusals);
    };
    assert_eq!(refusal.reason, reason, "{text}");
    assert!(
        refusal.span.end > refusal.span.start,
        "{text}: the refusal has a place"
    );
}

#[test]
fn refusals_name_the_construct() {
    refused(
        "void f(void) { __asm__(\"nop\"); }",
        "cannot lower inline assembly",
    );
    refused(
        "int setjmp(long *); int f(long *b) { return setjmp(b); }",
        "cannot lower a call of 'setjmp'",
    );
    refused(
        "int f(void) { _Atomic int a = 1; return a; }",
        "cannot lower an _Atomic object that threads may use: the IR has no atomic objects",
    );
    refused(
        "void g(int *); void f(int n) { int x __attribute__((cleanup(g))) = n; if (n) goto out; x = 2; out: ; }",
        "cannot lower a variable with a cleanup function that jumps may pass",
    );
    refused(
        "void f(int *a) {\n#pragma omp parallel\n{\n#pragma omp section\n*a = 1; }\n}",
        "cannot lower '#pragma omp section' outside of sections",
    );
}
