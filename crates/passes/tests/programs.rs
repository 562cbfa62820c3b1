//! Every program under `tests/c` that the interpreter can run: with all calls inlined that can be, aggregates split and promoted, and the
//! whole pipeline over that, it must print and return the same.

mod common;
use adjoin_interp::{Options, Outcome, run_main};
use common::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longer programs are not run twice: what they do in loops they do in their first rounds.
const STEPS: u64 = 40_000_000;

fn c_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

/// The words of a directive at the top of a program.
fn directive(source: &str, name: &str) -> Vec<String> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//"))
        .filter_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'))
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

fn run(module: &adjoin_ir::Module, source: &str) -> Outcome {
    let options = Options {
        step_limit: STEPS,
        stdin: directive(source, "stdin")
            .join(" ")
            .replace("\\n", "\n")
            .into_bytes(),
        ..Options::default()
    };
    run_main(module, &directive(source, "args"), &options)
}

/// `None` if the program is not for this test.
fn try_program(path: &Path) -> Option<Result<(), String>> {
    let source = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let skipped = directive(&source, "interp")
        .first()
        .is_some_and(|w| w == "skip");
    if skipped || !directive(&source, "mpi").is_empty() {
        return None;
    }
    let flags: Vec<String> = directive(&source, "flags")
        .into_iter()
        .filter(|flag| !flag.starts_with("-l"))
        .collect();
    let text = Command::new("cc")
        .arg("-E")
        .args(flags)
        .arg(path)
        .output()
        .ok()?;
    let parsed = adjoin_front::parse(text.stdout);
    let lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, |_| true);
    let mut module = lowered.module;
    let plain = run(&module, &source);
    if plain.error.is_some() {
        return None;
    }
    inline_everything(&mut module, 3000);
    check(&module, "inlining");
    split_and_promote(&mut module);
    let changed = run(&module, &source);
    Some(match changed.error {
        Some(error) => Err(format!("{error}")),
        None if changed.stdout != plain.stdout => Err("the output differs".into()),
        None if changed.exit_code != plain.exit_code => Err("the exit status differs".into()),
        None => Ok(()),
    })
}

#[test]
fn inlined_and_split_programs_do_the_same() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    c_files(&root, &mut files);
    files.sort();
    let (next, tried) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            // A panic names the pass; the test names the program.
            let result = std::panic::catch_unwind(|| try_program(path))
                .unwrap_or_else(|_| Some(Err("panicked".into())));
            if let Some(result) = result {
                tried.fetch_add(1, Ordering::Relaxed);
                if let (Err(error), Ok(mut failures)) = (result, failures.lock()) {
                    failures.push(format!("{}: {error}", path.display()));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let thread = std::thread::Builder::new().stack_size(512 << 20);
            thread.spawn_scoped(scope, work).expect("threads start");
        }
    });
    let failures = failures.into_inner().unwrap_or_default();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let (tried, all) = (tried.into_inner(), files.len());
    assert!(
        tried * 10 > all * 8,
        "only {tried} of {all} programs could be run"
    );
}
