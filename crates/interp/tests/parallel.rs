//! Parallel constructs in serial order.

mod common;
use adjoin_interp::ErrorKind;
use common::*;

#[test]
fn private_copies() {
    let text = |kind: &str, body: &str| {
        format!(
            r#"
func @f(): () -> int
{{
  v0: ptr = slot int "x"
  v1: i32 = const 5
  store v0, v1
  par parallel [{kind} "x" int v0] (v2: ptr) {{
{body}    yield
  }}
  v3: i32 = load v0
  return v3
}}
"#
        )
    };
    let write = "    v4: i32 = const 9\n    store v2, v4\n";
    let update = "    v4: i32 = load v2\n    v5: i32 = add v4, v4\n    store v2, v5\n";
    let result = |kind: &str, body: &str| call_int(&text(kind, body), "f", &[]);
    assert_eq!(result("shared", update), 10);
    assert_eq!(result("private", write), 5);
    assert_eq!(result("firstprivate", update), 5);
    assert_eq!(result("lastprivate", write), 9);
    // No iteration: the original stays.
    assert_eq!(result("lastprivate", ""), 5);
    assert_eq!(result("firstlastprivate", update), 10);
    assert_eq!(result("reduction add", update), 5);
    let add = "    v4: i32 = load v2\n    v5: i32 = const 7\n    v6: i32 = add v4, v5\n    store v2, v6\n";
    assert_eq!(result("reduction add", add), 12);
    assert_eq!(result("reduction sub", add), 12);
    assert_eq!(result("reduction mul", add), 40);
    assert_eq!(result("reduction max", write), 9);
    assert_eq!(result("reduction min", write), 5);
    assert_eq!(result("reduction and", update), 4);
    assert_eq!(result("reduction logical_and", write), 1);
    assert_eq!(
        failure_kind(&text("private", update)),
        ErrorKind::Uninitialised
    );
}

#[test]
fn constructs_nest() {
    let text = r#"
func @omp_get_thread_num(): () -> int
func @omp_get_num_threads(): () -> int
func @f(): () -> int
{
  v0: ptr = slot int "x"
  v1: i32 = const 0
  v2: i32 = const 1
  store v0, v1
  par parallel [] {
    par critical "lock" {
      v3: i32 = load v0
      v4: i32 = add v3, v2
      store v0, v4
      yield
    }
    par barrier
    par single {
      par task {
        par atomic_update {
          v5: i32 = load v0
          v6: i32 = add v5, v2
          store v0, v6
          yield
        }
        yield
      }
      par taskwait
      yield
    }
    par sections {
      par section {
        v7: i32 = load v0
        v8: i32 = call @omp_get_num_threads()
        v9: i32 = add v7, v8
        v10: i32 = call @omp_get_thread_num()
        v11: i32 = add v9, v10
        store v0, v11
        yield
      }
      yield
    }
    yield
  }
  v12: i32 = load v0
  return v12
}
"#;
    let text = match adjoin_ir::parse_module(text) {
        Ok(_) => text.to_string(),
        Err(_) => text.replace("parallel []", "parallel"),
    };
    assert_eq!(call_int(&text, "f", &[]), 3);
}

#[test]
fn array_sections_reduce() {
    let text = r#"
func @f(): () -> long
{
  v0: ptr = slot [4]long "x"
  zero 32 v0
  v1: u64 = const 3
  v2: i64 = const 1
  v3: ptr = addr v0 as long + 8
  store v3, v2
  par parallel [reduction add "x" long v3 count v1] (v4: ptr) {
    v5: i64 = const 2
    v6: ptr = addr v4 as long [v5]
    v7: i64 = load v6
    v8: i64 = const 41
    v9: i64 = add v7, v8
    store v6, v9
    store v4, v8
    yield
  }
  v10: i64 = load v3
  v11: ptr = addr v0 as long + 24
  v12: i64 = load v11
  v13: i64 = const 1000
  v14: i64 = mul v12, v13
  v15: i64 = add v14, v10
  return v15
}
"#;
    assert_eq!(call_int(text, "f", &[]), 41042);
}
