//! What the tests of lowering share.

#![allow(dead_code)]

use adjoin_ir::{Body, Inst};
use adjoin_lower::Lowered;
use std::path::Path;
use std::process::Command;

/// Runs the preprocessor.
pub fn preprocess(path: &Path) -> Vec<u8> {
    let out = Command::new("cc")
        .args(["-E", "-fopenmp"])
        .arg(path)
        .output()
        .expect("cc runs");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    out.stdout
}

/// Parses, lowers and verifies.
pub fn lower_text(text: Vec<u8>) -> Lowered {
    let parsed = adjoin_front::parse(text);
    let errors: Vec<&str> = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == adjoin_front::diag::Severity::Error)
        .map(|d| d.message.as_str())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, |_| true);
    if let Err(errors) = adjoin_ir::verify::verify_module(&lowered.module) {
        panic!(
            "{errors:#?}\n{}",
            adjoin_ir::print::print_module(&lowered.module)
        );
    }
    lowered
}

/// The body of the function `f` in a text.
pub fn body_of_f(text: &str) -> Body {
    let lowered = lower_text(text.as_bytes().to_vec());
    assert!(lowered.refusals.is_empty(), "{:?}", lowered.refusals);
    let f = lowered.module.find_func("f").expect("there is an f");
    lowered.module.funcs[f].body.clone().expect("f is lowered")
}

/// The ops of a body by name, with their depth, in order: `loop`, ` if`, `  break`, … Only those with regions, and terminators.
pub fn skeleton(body: &Body) -> String {
    let mut lines = Vec::new();
    body.walk(|inst: Inst| {
        let data = &body.insts[inst];
        if data.regions.is_empty() && !data.op.is_terminator() {
            return;
        }
        let mut depth = 0;
        let mut region = data.parent;
        while let Some(outer) = body.parent_region(region) {
            region = outer;
            depth += 1;
        }
        lines.push(format!("{}{}", " ".repeat(depth), data.op.name()));
    });
    lines.join("\n")
}
