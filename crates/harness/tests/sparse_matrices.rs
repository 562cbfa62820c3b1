//! `jacobian --sparse` and `hessian --sparse`: the matrices of `tests/commands/sparse`, compared with the dense ones by their `main.c`, in all modes,
//! under several compilers and the sanitizers.

use adjoin_harness::process::{Run, job};
use adjoin_harness::workspace;
use std::path::Path;

const JACOBIANS: &[&str] = &[
    "tridiagonal",
    "arrow",
    "blocks",
    "dense_rows",
    "empty_lines",
    "branches",
    "gather",
];
const HESSIANS: &[&str] = &["chain", "hub", "far"];

/// A command of Adjoin, for these functions.
fn adjoin(directory: &Path, command: &str, functions: &[&str]) {
    let mut job = job(workspace::adjoin()).words(command).directory(directory);
    for function in functions {
        job = job.args(["-f", function]);
    }
    let run = job.limit(300).run().expect("adjoin starts");
    assert!(run.success(), "{run}");
}

fn compile(directory: &Path, compiler: &str, words: &str) -> Run {
    job(compiler)
        .words(words)
        .directory(directory)
        .limit(120)
        .run()
        .expect("the compiler starts")
}

/// Renames the functions of a file: both kinds of matrices are linked.
fn rename(directory: &Path, file: &str, from: &str, to: &str) {
    let path = directory.join(file);
    let text = std::fs::read_to_string(&path).expect("the command wrote it");
    std::fs::write(&path, text.replace(from, to)).expect("the directory can be written");
}

#[test]
fn sparse_matrices_are_the_dense_ones() {
    let project = workspace::root().join("tests/commands/sparse");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    for name in ["functions.c", "main.c"] {
        std::fs::copy(project.join(name), at.join(name)).expect("a file of the project");
    }
    // Functions whose sizes are not like the others'.
    let cases: [(&str, &[&str], &str); 5] = [
        (
            "jacobian",
            JACOBIANS,
            "--size x=n --size y=n --size index=n",
        ),
        ("jacobian", &["stencil"], "--size x=5*n --size y=5*n"),
        (
            "jacobian",
            &["steps"],
            "--wrt x --of x --size x=n --size work=n",
        ),
        ("hessian", HESSIANS, "--size x=n"),
        ("hessian", &["grid"], "--size x=5*n"),
    ];
    for (k, (kind, functions, sizes)) in cases.iter().enumerate() {
        let file = format!("dense_{k}.c");
        adjoin(
            at,
            &format!("{kind} functions.c {sizes} -o {file}"),
            functions,
        );
        rename(at, &file, &format!("_{kind}("), "_dense(");
        let release = format!("_{kind}_release(");
        rename(at, &file, &release, "_dense_release(");
    }
    for (number, mode) in ["", "--mode forward", "--mode reverse"]
        .into_iter()
        .enumerate()
    {
        let mut headers = [String::new(), String::new()];
        for (k, (kind, functions, sizes)) in cases.iter().enumerate() {
            let hessian = *kind == "hessian";
            let mode = if hessian { "" } else { mode };
            let words = format!("{kind} functions.c {sizes} --sparse {mode} -o sparse_{k}.c");
            adjoin(at, &words, functions);
            headers[usize::from(hessian)] += &format!("#include \"sparse_{k}.h\"\n");
        }
        for (name, text) in ["sparse.h", "sparse_hessian.h"].iter().zip(&headers) {
            std::fs::write(at.join(name), text).expect("the directory can be written");
        }
        let files = "main.c functions.c dense_0.c dense_1.c dense_2.c dense_3.c dense_4.c sparse_0.c sparse_1.c sparse_2.c sparse_3.c sparse_4.c";
        let warnings = "-std=c11 -Wall -Wextra -pedantic -Werror";
        // Each mode in one way; all ways with `ADJOIN_THOROUGH=1`.
        let every = std::env::var_os("ADJOIN_THOROUGH").is_some();
        let ways = [
            (
                "gcc",
                "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover",
            ),
            ("gcc", "-O2"),
            ("clang", "-O3 -ffast-math -fno-finite-math-only"),
        ];
        for (k, (compiler, flags)) in ways.into_iter().enumerate() {
            if !every && k != number {
                continue;
            }
            let run = compile(
                at,
                compiler,
                &format!("{warnings} {flags} {files} -o main -lm"),
            );
            assert!(run.success(), "{run}");
            let run = job(at.join("main"))
                .limit(60)
                .run()
                .expect("the program starts");
            assert!(run.success(), "{mode} {compiler} {flags}:\n{run}");
        }
    }
    // Where the compiler takes NaN for impossible, nothing can be found out.
    let run = compile(at, "gcc", "-ffast-math -c sparse_0.c -o sparse_0.o");
    assert!(run.stderr().contains("-fno-finite-math-only"), "{run}");
}

#[test]
fn long_double_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = "void f(int n, const long double *x, long double *y)\n{\n    for (int i = 0; i < n; i++)\n        y[i] = x[i] * x[i];\n}\n";
    std::fs::write(directory.path().join("f.c"), text).expect("the directory can be written");
    let run = job(workspace::adjoin())
        .words("jacobian f.c -f f --sparse")
        .directory(directory.path())
        .limit(60)
        .run()
        .expect("adjoin starts");
    assert!(
        !run.success() && run.stderr().contains("long double"),
        "{run}"
    );
}
