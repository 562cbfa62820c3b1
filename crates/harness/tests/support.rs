//! The functions that derivatives call are kept as IR; the IR is what Adjoin makes of their C text.

use adjoin_harness::process::job;
use adjoin_harness::workspace;

#[test]
fn the_ir_is_that_of_the_c_text() {
    for name in ["support", "copies", "checkpoint", "outside", "again"] {
        check(name);
    }
}

fn check(name: &str) {
    let directory = workspace::root().join("crates/ad/src/rules/support");
    let run = job(workspace::adjoin())
        .arg("ir")
        .arg(directory.join(format!("{name}.c")))
        .run()
        .expect("starts");
    assert!(run.success(), "{run}");
    let mut text = format!("file \"{name}.c\"\n");
    for line in run.stdout().lines().filter(|l| !l.starts_with("file ")) {
        text.push_str(&without_place(line));
        text.push('\n');
    }
    let file = directory.join(format!("{name}.ir"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &text).expect("writes");
    }
    let kept = std::fs::read_to_string(&file).expect("reads");
    assert!(
        kept == text,
        "{name}.ir is not the IR of {name}.c: BLESS=1 cargo test -p adjoin-harness --test support"
    );
}

/// A line of the text form without its place in the source: ` !FILE:LINE:COLUMN` at the end.
fn without_place(line: &str) -> String {
    match line.rsplit_once(" !") {
        Some((rest, place)) if place.chars().all(|c| c.is_ascii_digit() || c == ':') => {
            rest.to_string()
        }
        _ => line.to_string(),
    }
}
