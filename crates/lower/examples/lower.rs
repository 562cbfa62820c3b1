//! Preprocesses a C file with `cc -E` (a `.i` file is taken as it is), lowers it, verifies it, and prints refusals and, with `--print`, the IR.
//! `--run` runs `main` in the interpreter: its output is then the only output. The exit code is 1 if the verifier complains. `-f NAME` lowers one function only; other options go to `cc`.

use adjoin_front::parse;
use std::io::Write;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run = arguments.iter().any(|a| a == "--run");
    let print = arguments.iter().any(|a| a == "--print");
    let only = arguments
        .iter()
        .position(|a| a == "-f")
        .and_then(|k| arguments.get(k + 1));
    let mut failed = false;
    let options: Vec<&String> = arguments
        .iter()
        .filter(|a| a.starts_with('-') && !["--print", "--run", "-f"].contains(&a.as_str()))
        .collect();
    for path in arguments
        .iter()
        .filter(|a| a.ends_with(".c") || a.ends_with(".i"))
    {
        let text = if path.ends_with(".i") {
            std::fs::read(path).unwrap_or_default()
        } else {
            match Command::new("cc")
                .args(&options)
                .arg("-E")
                .arg(path)
                .output()
            {
                Ok(out) => out.stdout,
                Err(e) => {
                    eprintln!("cc: {e}");
                    return ExitCode::FAILURE;
                }
            }
        };
        let parsed = parse(text);
        for d in &parsed.diagnostics {
            let p = parsed.source.place(d.span);
            eprintln!(
                "{path}: {}:{}: {:?}: {}",
                p.line, p.col, d.severity, d.message
            );
        }
        let wanted = |f| only.is_none_or(|name| parsed.unit.funcs[f].name == *name);
        let lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, wanted);
        for r in &lowered.refusals {
            let p = parsed.source.place(r.span);
            let name = &parsed.unit.funcs[r.func].name;
            println!(
                "{path}:{}:{}: refused '{name}': {}",
                p.line, p.col, r.reason
            );
        }
        if print {
            println!("{}", adjoin_ir::print::print_module(&lowered.module));
        }
        if let Err(errors) = adjoin_ir::verify::verify_module(&lowered.module) {
            failed = true;
            for e in errors.iter().take(20) {
                println!("{path}: VERIFY {e}");
            }
        }
        if run {
            let outcome = adjoin_interp::run_main(&lowered.module, &[], &Default::default());
            let _ = std::io::stdout().write_all(&outcome.stdout);
            let _ = std::io::stderr().write_all(&outcome.stderr);
            if let Some(e) = outcome.error {
                println!("{path}: INTERPRETER {e:?}");
                return ExitCode::FAILURE;
            }
            return ExitCode::from(outcome.exit_code as u8);
        }
        let count = lowered
            .module
            .funcs
            .values()
            .filter(|f| f.body.is_some())
            .count();
        println!(
            "{path}: {count} functions lowered, {} refused",
            lowered.refusals.len()
        );
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
