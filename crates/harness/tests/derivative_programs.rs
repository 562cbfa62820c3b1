//! Every program of `tests/ad/programs`: written for the Enzyme entry points, built by `adjoin cc FILE.c -o a.out -lm`, and judging itself.
//!
//! Each gives `field/name [gcc -O2]` or `… [clang -O2]`; every fourth also `… [gcc -O3 -Wall]` or `… [clang -O3 -ffast-math]`, the other compiler, and `… [sanitizers]`. What does not pass yet is a line
//! `field/name: reason` of `EXPECTED_FAILURES` there; such a program that passes is a failure, so that the list stays honest.
//! With gcc, a warning that points at generated code is a failure.

use adjoin_harness::process::job;
use adjoin_harness::{expected, workspace};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A way to build: its name in the tests, and the flags.
type Way = (&'static str, &'static str);
const PLAIN: [Way; 2] = [
    ("gcc -O2", "--cc gcc -O2 -Wall -Wextra -pedantic"),
    ("clang -O2", "--cc clang -w -O2"),
];
const OTHER: [Way; 2] = [
    (
        "clang -O3 -ffast-math",
        "--cc clang -w -O3 -ffast-math -fadjoin-hand-on",
    ),
    ("gcc -O3 -Wall", "--cc gcc -O3 -Wall -Wextra -pedantic"),
];
const SANITIZED: Way = (
    "sanitizers",
    "--cc gcc -w -O1 -g -fsanitize=address,undefined -fno-sanitize-recover -fadjoin-hand-on",
);

/// One program in this many is built in all ways.
const THOROUGH_EVERY: usize = 4;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    workspace::enter_root();
    let place = Path::new("tests/ad/programs");
    let programs: Vec<(String, PathBuf)> = workspace::files_below(place, &["c"])
        .into_iter()
        .map(|path| (expected::name_of(place, &path), path))
        .collect();
    let (expected, directory) = match (expected::failures(place, &programs), tempfile::tempdir()) {
        (Ok(expected), Ok(directory)) => (expected, directory),
        (Err(error), _) => return complain(&error),
        (_, Err(error)) => return complain(&format!("no temporary directory: {error}")),
    };
    let mut trials = Vec::new();
    for (index, (name, path)) in programs.into_iter().enumerate() {
        let number = expected::number_of(&name);
        let sampled = number % THOROUGH_EVERY == 0 && !expected.contains_key(&name);
        // The two compilers in turn: each does other things to loops.
        let turn = match workspace::is_installed("clang") {
            true => number / THOROUGH_EVERY % 2,
            false => 0,
        };
        let mut ways = vec![PLAIN[turn]];
        if sampled {
            ways.extend([OTHER[turn], SANITIZED]);
        }
        for (number, (kind, flags)) in ways.into_iter().enumerate() {
            let (path, reason) = (path.clone(), expected.get(&name).cloned());
            let binary = directory.path().join(format!("{index}-{number}"));
            trials.push(Trial::test(format!("{name} [{kind}]"), move || {
                expected::judge(build_and_run(&path, flags, &binary), reason.as_deref())
                    .map_err(Failed::from)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
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
