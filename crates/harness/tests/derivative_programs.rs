//! Every program of `tests/ad/programs`: written for the Enzyme entry points, built by `adjoin cc FILE.c -o a.out -lm`, and judging itself.
//!
//! Each gives `field/name [gcc -O2]`; every fourth also `… [clang -O3 -ffast-math]` and `… [sanitizers]`. What does not pass yet is a line
//! `field/name: reason` of `EXPECTED_FAILURES` there; such a program that passes is a failure, so that the list stays honest.
//! With gcc, a warning that points at generated code is a failure.

use adjoin_harness::process::job;
use adjoin_harness::workspace;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A way to build: its name in the tests, and the flags.
const PLAIN: (&str, &str) = ("gcc -O2", "--cc gcc -O2 -Wall -Wextra -pedantic");
const THOROUGH: [(&str, &str); 2] = [
    ("clang -O3 -ffast-math", "--cc clang -w -O3 -ffast-math"),
    (
        "sanitizers",
        "--cc gcc -w -O1 -g -fsanitize=address,undefined -fno-sanitize-recover",
    ),
];

/// One program in this many is built in all ways.
const THOROUGH_EVERY: usize = 4;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    workspace::enter_root();
    let place = Path::new("tests/ad/programs");
    let (expected, directory) = match (expected_failures(place), tempfile::tempdir()) {
        (Ok(expected), Ok(directory)) => (expected, directory),
        (Err(error), _) => return complain(&error),
        (_, Err(error)) => return complain(&format!("no temporary directory: {error}")),
    };
    let programs: Vec<(String, PathBuf)> = workspace::files_below(place, &["c"])
        .into_iter()
        .map(|path| (name_of(place, &path), path))
        .collect();
    for name in expected.keys() {
        if !programs.iter().any(|(program, _)| program == name) {
            return complain(&format!("EXPECTED_FAILURES: there is no program '{name}'"));
        }
    }
    let mut trials = Vec::new();
    for (index, (name, path)) in programs.into_iter().enumerate() {
        let thorough = if index % THOROUGH_EVERY == 0 && !expected.contains_key(&name) {
            &THOROUGH[..]
        } else {
            &[]
        };
        for (number, (kind, flags)) in std::iter::once(&PLAIN).chain(thorough).enumerate() {
            let (path, reason) = (path.clone(), expected.get(&name).cloned());
            let binary = directory.path().join(format!("{index}-{number}"));
            trials.push(Trial::test(format!("{name} [{kind}]"), move || {
                judge(build_and_run(&path, flags, &binary), reason.as_deref()).map_err(Failed::from)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}

/// `field/name` of `tests/ad/programs/field/name.c`.
fn name_of(place: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(place).unwrap_or(path);
    inside.with_extension("").display().to_string()
}

/// The programs that are known not to pass, and why.
fn expected_failures(place: &Path) -> Result<BTreeMap<String, String>, String> {
    let file = place.join("EXPECTED_FAILURES");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            line.split_once(": ")
                .map(|(name, reason)| (name.to_owned(), reason.to_owned()))
                .ok_or_else(|| format!("EXPECTED_FAILURES: '{line}' gives no reason"))
        })
        .collect()
}

fn build_and_run(path: &Path, flags: &str, binary: &Path) -> Result<(), String> {
    let build = job(workspace::adjoin())
        .words(&format!("cc {flags} -o"))
        .arg(binary)
        .arg(path)
        .arg("-lm")
        .limit(300)
        .run()?;
    build.expect_success()?;
    let messages = build.stderr();
    let ours = |line: &&str| line.starts_with("<adjoin>:") && line.contains(" warning: ");
    if let Some(warning) = messages.lines().find(ours) {
        return Err(format!("generated code gives warnings: {warning}"));
    }
    let run = job(binary).limit(120).run()?;
    let _ = std::fs::remove_file(binary);
    run.expect_success()
}

/// Passing is right unless a failure is expected.
fn judge(result: Result<(), String>, reason: Option<&str>) -> Result<(), String> {
    match (result, reason) {
        (Ok(()), Some(reason)) => Err(format!(
            "passes, but is listed in EXPECTED_FAILURES ({reason}): remove the line"
        )),
        (Err(_), Some(_)) => Ok(()),
        (result, None) => result,
    }
}
