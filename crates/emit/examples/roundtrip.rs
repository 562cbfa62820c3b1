//! Replaces every function body of a preprocessed C file by its form after the IR, for tests of the emitter:
//! `roundtrip [--lower] [--bodies] [--markers] FILE.i` prints the whole text, or with `--bodies` only the new bodies.

use adjoin_emit::{Emitter, Lines, Options};
use std::process::ExitCode;

fn main() -> ExitCode {
    adjoin_front::on_big_stack(run)
}

fn run() -> ExitCode {
    let mut only_lower = false;
    let mut ir = false;
    let mut whole = false;
    let mut bodies = false;
    let mut lines = Lines::None;
    let mut path = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--lower" => only_lower = true,
            "--ir" => ir = true,
            "--module" => whole = true,
            "--bodies" => bodies = true,
            "--markers" => lines = Lines::Markers,
            "--comments" => lines = Lines::Comments,
            _ => path = Some(argument),
        }
    }
    let Some(path) = path else {
        eprintln!("usage: roundtrip [--lower] [--bodies] [--markers|--comments] FILE.i");
        return ExitCode::FAILURE;
    };
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let parsed = adjoin_front::parse(text.clone());
    for d in &parsed.diagnostics {
        eprintln!("{d:?}");
    }
    let mut lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, |f| {
        parsed.unit.funcs[f]
            .body
            .as_ref()
            .is_some_and(|b| !b.in_system_header)
    });
    for r in &lowered.refusals {
        eprintln!("refused {}: {}", parsed.unit.funcs[r.func].name, r.reason);
    }
    if !only_lower && let Err(name) = adjoin_passes::run_pipeline(&mut lowered.module, None) {
        eprintln!("no pass {name}");
    }
    if ir {
        print!("{}", adjoin_ir::print_module(&lowered.module));
        return ExitCode::SUCCESS;
    }
    if let Err(errors) = adjoin_ir::verify_module(&lowered.module) {
        for e in errors.iter().take(5) {
            eprintln!("invalid IR: {e}");
        }
        return ExitCode::FAILURE;
    }
    let options = Options {
        lines,
        ..Options::default()
    };
    let emitter = Emitter::new(&lowered.module, &options);
    if whole {
        print!("{}", emitter.module());
        return ExitCode::SUCCESS;
    }
    let mut edits = Vec::new();
    for f in parsed.unit.funcs.values() {
        let Some(body) = f.body.as_ref().filter(|b| !b.in_system_header) else {
            continue;
        };
        let Some(func) = lowered.module.find_func(&f.name) else {
            continue;
        };
        if lowered.module.funcs[func].body.is_some() {
            edits.push((body.range, body.whole, emitter.body(func)));
        }
    }
    edits.sort_by_key(|(range, ..)| range.start);
    let mut out = Vec::new();
    let mut at = 0;
    for (range, whole, body) in edits {
        if bodies {
            out.extend_from_slice(&text[whole.start as usize..range.start as usize]);
            out.extend_from_slice(body.as_bytes());
            out.push(b'\n');
            continue;
        }
        out.extend_from_slice(&text[at..range.start as usize]);
        out.extend_from_slice(body.as_bytes());
        at = range.end as usize;
    }
    if !bodies {
        out.extend_from_slice(&text[at..]);
    }
    use std::io::Write;
    match std::io::stdout().write_all(&out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
