//! OpenMP directives and clauses, by their dump.

mod common;
use common::accept;

/// The line of the dump with the directive, for a directive before a loop.
fn directive(pragma: &str) -> String {
    let text = format!(
        "void f(int n, double *a, double b[10][10], int k) {{ double s = 0; int i, j; static int t;\n#pragma omp {pragma}\nfor (i = 0; i < n; i++) s += a[i]; }}"
    );
    let parsed = accept(&text);
    let dump = adjoin_front::dump::unit(&parsed.unit);
    dump.lines()
        .find(|l| l.contains("(omp"))
        .unwrap_or("")
        .trim()
        .to_string()
        + ")"
}

#[track_caller]
fn check(pragma: &str, expected: &str) {
    assert_eq!(directive(pragma), expected);
}

#[test]
fn words() {
    check("parallel for", "(omp \"parallel for\")");
    check("parallel  for   simd", "(omp \"parallel for simd\")");
    check(
        "target teams distribute parallel for simd",
        "(omp \"target teams distribute parallel for simd\")",
    );
    check("for ordered", "(omp \"for\" (ordered))");
    check("atomic update", "(omp \"atomic\" (update))");
    check(
        "critical (lock) hint(2)",
        "(omp \"critical\" ((name) lock) (hint 2:int))",
    );
    check("taskloop simd nogroup", "(omp \"taskloop simd\" (nogroup))");
}

#[test]
fn data_clauses() {
    check(
        "parallel private(i, j), firstprivate(k) shared(a,b)",
        "(omp \"parallel\" (private $i $j) (firstprivate $k) (shared $a $b))",
    );
    check(
        "for lastprivate(conditional: i)",
        "(omp \"for\" (lastprivate [conditional] $i))",
    );
    check(
        "parallel default(none)",
        "(omp \"parallel\" (default none))",
    );
    check(
        "parallel reduction(+:s) reduction(max : i,j) reduction(&&:k)",
        "(omp \"parallel\" (reduction [+] $s) (reduction [max] $i $j) (reduction [&&] $k))",
    );
    check(
        "parallel reduction(task, +: s)",
        "(omp \"parallel\" (reduction [task,+] $s))",
    );
    check(
        "parallel for reduction(+: a[0:n])",
        "(omp \"parallel for\" (reduction [+] (section a [0:int:(load n)])))",
    );
    check(
        "simd linear(i: 2) aligned(a: 64)",
        "(omp \"simd\" (linear $i : 2:int) (aligned $a : 64:int))",
    );
    check(
        "simd linear(val(i): 2)",
        "(omp \"simd\" (linear [val] $i : 2:int))",
    );
    check(
        "target map(tofrom: a[:n], b[1:2][0:3]) map(s)",
        "(omp \"target\" (map [tofrom] (section a [():(load n)]) (section b [1:int:2:int] [0:int:3:int])) (map $s))",
    );
    check(
        "task depend(in: s) depend(out: a[k])",
        "(omp \"task\" (depend [in] $s) (depend [out] (section a [(load k):1:int])))",
    );
    check(
        "for copyin(t) allocate(k)",
        "(omp \"for\" (copyin $t) (allocate $k))",
    );
}

#[test]
fn other_clauses() {
    check("for schedule(static)", "(omp \"for\" (schedule static))");
    check(
        "for schedule(monotonic, simd: dynamic, n + 1)",
        "(omp \"for\" (schedule [monotonic,simd] dynamic (add (load n) 1:int)))",
    );
    check(
        "parallel if(n > 3) num_threads(k)",
        "(omp \"parallel\" (if (gt (load n) 3:int)) (num_threads (load k)))",
    );
    check(
        "parallel for if(parallel: n)",
        "(omp \"parallel for\" (if [parallel] (load n)))",
    );
    check(
        "parallel if(n ? k : 1)",
        "(omp \"parallel\" (if (? (load n) (load k) 1:int)))",
    );
    check(
        "for collapse(2) nowait",
        "(omp \"for\" (collapse 2:int) (nowait))",
    );
    check(
        "parallel proc_bind(close)",
        "(omp \"parallel\" (proc_bind close))",
    );
}

#[test]
fn directives_without_a_body() {
    let parsed = accept(
        "void f(int n) { if (n)\n#pragma omp barrier\nif (n)\n#pragma omp single\n n++; else\n#pragma omp critical\n n--;\n#pragma omp taskwait\n#pragma omp flush(n)\n#pragma omp taskyield\n}",
    );
    let dump = adjoin_front::dump::unit(&parsed.unit);
    let expected = "\
(func f fn(int)->void (n:int)
  (if (load n)
    (omp \"barrier\"))
  (if (load n)
    (omp \"single\"
      (postinc n))
    else
    (omp \"critical\"
      (postdec n)))
  (omp \"taskwait\")
  (omp \"flush\" ((list) $n))
  (omp \"taskyield\"))
";
    assert_eq!(dump, expected);
}

#[test]
fn sections() {
    let parsed = accept(
        "void f(int n) {\n#pragma omp sections\n{ n = 1;\n#pragma omp section\n n = 2; n = 3;\n#pragma omp section\n { n = 4; } } }",
    );
    let dump = adjoin_front::dump::unit(&parsed.unit);
    let expected = "\
(func f fn(int)->void (n:int)
  (omp \"sections\"
    (block
      (= n 1:int)
      (omp \"section\"
        (block
          (= n 2:int)
          (= n 3:int)))
      (omp \"section\"
        (block
          (= n 4:int))))))
";
    assert_eq!(dump, expected);
}

#[test]
fn threadprivate() {
    let parsed = accept("int x, y, z;\n#pragma omp threadprivate(x, z)\n");
    let flags: Vec<bool> = parsed.unit.vars.values().map(|v| v.thread_local).collect();
    assert_eq!(flags, [true, false, true]);
}

#[test]
fn pragma_operator() {
    let parsed = accept("void f(int n) { _Pragma(\"omp parallel private(n)\") { n = 1; } }");
    assert!(adjoin_front::dump::unit(&parsed.unit).contains("(omp \"parallel\" (private $n)"));
}

#[test]
fn without_openmp_the_pragmas_are_ignored() {
    let text = b"void f(int n) {\n#pragma omp parallel nonsense(\n n = 1; }".to_vec();
    let parsed = adjoin_front::parse_with(
        text,
        adjoin_front::Options {
            openmp: false,
            ..Default::default()
        },
    );
    assert!(parsed.diagnostics.is_empty());
}
