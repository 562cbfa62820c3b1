//! `--workspace`: gradients of `tests/commands/workspace` with memory of the caller, of exactly the size that is asked for, under several compilers and the sanitizers.

use adjoin_harness::process::{Run, job};
use adjoin_harness::workspace;
use std::path::Path;

fn run(directory: &Path, program: &str, words: &str) -> Run {
    let job = job(program).words(words).directory(directory);
    job.limit(300).run().expect("the program starts")
}

#[test]
fn caches_fit_the_workspace() {
    let project = workspace::root().join("tests/commands/workspace");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    for name in ["kernels.c", "main.c"] {
        std::fs::copy(project.join(name), at.join(name)).expect("a file of the project");
    }
    let adjoin = workspace::adjoin();
    let adjoin = adjoin.to_string_lossy();
    let words = "grad kernels.c -f steps -f layers -f either -f none --workspace -o kernels_grad.c";
    let made = run(at, &adjoin, words);
    assert!(made.success(), "{made}");
    let sanitized = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover";
    for (compiler, flags) in [("gcc", sanitized), ("clang", sanitized), ("gcc", "-O3")] {
        let words = format!(
            "-Wall -Wextra -pedantic -Werror {flags} main.c kernels.c kernels_grad.c -lm -o a.out"
        );
        let compiled = run(at, compiler, &words);
        assert!(compiled.success(), "{compiled}");
        let ran = run(at, "./a.out", "");
        assert!(ran.success(), "{compiler} {flags}: {ran}");
    }
    let ran = run(at, "./a.out", "small");
    assert!(!ran.success(), "{ran}");
    assert!(
        ran.stderr().contains("adjoin: the workspace is too small"),
        "{ran}"
    );
}

#[test]
fn sizes_that_only_the_run_knows_are_refused() {
    let file = workspace::root().join("tests/commands/workspace/kernels.c");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let adjoin = workspace::adjoin();
    let words = format!("grad {} -f until --workspace", file.display());
    let refused = run(directory.path(), &adjoin.to_string_lossy(), &words);
    assert!(!refused.success(), "{refused}");
    let text = refused.stdout() + &refused.stderr();
    assert!(text.contains("no workspace for 'until_grad'"), "{text}");
    assert!(text.contains("grows while the function runs"), "{text}");
}
