//! Lowers whole programs, verifies the IR, and runs it in the interpreter: what they print must be what the C compiler's program prints.

mod common;

use common::{lower_text, preprocess};
use std::path::PathBuf;
use std::process::Command;

fn check(name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let lowered = lower_text(preprocess(&path));
    assert!(
        lowered.refusals.is_empty(),
        "{name}: {:?}",
        lowered.refusals
    );
    let text = adjoin_ir::print::print_module(&lowered.module);
    let again = adjoin_ir::parse::parse_module(&text).expect("the printed module parses");
    assert_eq!(
        adjoin_ir::print::print_module(&again),
        text,
        "{name}: print, parse, print"
    );

    let program = std::env::temp_dir().join(format!("adjoin-lower-{}-{name}", std::process::id()));
    let status = Command::new("cc")
        .args(["-w", "-fopenmp"])
        .arg(&path)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .status()
        .expect("cc runs");
    assert!(status.success(), "{name} compiles");
    let expected = Command::new(&program).output().expect("the program runs");
    let _ = std::fs::remove_file(&program);

    let outcome = adjoin_interp::run_main(&lowered.module, &[], &Default::default());
    assert!(outcome.error.is_none(), "{name}: {:?}", outcome.error);
    assert_eq!(
        String::from_utf8_lossy(&outcome.stdout),
        String::from_utf8_lossy(&expected.stdout),
        "{name}"
    );
    assert_eq!(
        Some(outcome.exit_code),
        expected.status.code(),
        "{name}: exit code"
    );
}

#[test]
fn expressions() {
    check("expressions");
}

#[test]
fn jumps() {
    check("jumps");
}

#[test]
fn openmp() {
    check("openmp");
}
