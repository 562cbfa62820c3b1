//! `parse(print(m)) == m` and the verifier, in process, for every function of a program.

use adjoin::toolchain::Compiler;
use adjoin::{diagnostics, pipeline, preprocess};
use adjoin_ir::Module;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// No program may take longer, through all passes.
const LIMIT: Duration = Duration::from_secs(60);

/// Checks the module of a C file as lowered and after every pass.
pub fn check(compiler: &str, file: &Path, flags: &[String]) -> Result<(), String> {
    let compiler = Compiler::choose(Some(compiler.as_ref()));
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let text =
        preprocess::preprocess(&compiler, file, &flags).map_err(|failure| failure.message)?;
    let openmp = pipeline::asks_for_openmp(&flags);
    // In a thread of its own: test threads have small stacks, and a hang must not stop the others.
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let result = adjoin::process::on_large_stack(move || check_text(text, openmp));
        sender.send(result.unwrap_or_else(|| Err("panicked".into())))
    });
    receiver
        .recv_timeout(LIMIT)
        .unwrap_or_else(|_| Err(format!("not done after {LIMIT:?}")))
}

fn check_text(text: Vec<u8>, openmp: bool) -> Result<(), String> {
    let parsed = pipeline::parse(text, openmp);
    if diagnostics::has_errors(&parsed.diagnostics) {
        let mut reporter =
            diagnostics::Reporter::new(&parsed.source, adjoin::output::renderer(false));
        return Err(reporter.report(&parsed.diagnostics));
    }
    let mut module = pipeline::lower_user_functions(&parsed).module;
    check_module(&module, pipeline::LOWER)?;
    for pass in adjoin_passes::PASSES {
        pass.run(&mut module);
        check_module(&module, pass.name)?;
    }
    Ok(())
}

/// Verifies a module, prints it, reads it back and compares.
pub fn check_module(module: &Module, stage: &str) -> Result<(), String> {
    adjoin_ir::verify_module(module).map_err(|errors| {
        let listed: Vec<String> = errors.iter().take(10).map(ToString::to_string).collect();
        format!("not valid after `{stage}`:\n{}", listed.join("\n"))
    })?;
    let printed = adjoin_ir::print_module(module);
    let read = adjoin_ir::parse_module(&printed).map_err(|error| {
        format!(
            "the text after `{stage}` does not parse: {error}\n{}",
            excerpt(&printed, &error.to_string())
        )
    })?;
    adjoin_ir::verify_module(&read)
        .map_err(|_| format!("the text after `{stage}` reads back as an invalid module"))?;
    let again = adjoin_ir::print_module(&read);
    if let Some(difference) = first_difference(&printed, &again) {
        return Err(format!(
            "parse(print(m)) != m after `{stage}`:\n{difference}"
        ));
    }
    // Printing renumbers. A module that was read is in printed order already, so there identity can be asked for.
    let twice = adjoin_ir::parse_module(&again)
        .map_err(|error| format!("the second text does not parse: {error}"))?;
    if !twice.funcs.values().eq(read.funcs.values())
        || !twice.globals.values().eq(read.globals.values())
    {
        return Err(format!(
            "parse(print(m)) != m after `{stage}`, although the texts agree"
        ));
    }
    Ok(())
}

/// The lines around the one that a message `line:col: …` names.
fn excerpt(text: &str, message: &str) -> String {
    let line: usize = message
        .split(|c: char| !c.is_ascii_digit())
        .find_map(|word| word.parse().ok())
        .unwrap_or(1);
    text.lines()
        .enumerate()
        .skip(line.saturating_sub(3))
        .take(5)
        .map(|(n, l)| format!("{:5} {l}\n", n + 1))
        .collect()
}

/// The first line in which two texts differ.
pub fn first_difference(a: &str, b: &str) -> Option<String> {
    if a == b {
        return None;
    }
    let line = a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count();
    let show = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    Some(format!("line {}:\n- {}\n+ {}", line + 1, show(a), show(b)))
}
