//! Derivatives are right with every pass alone switched off: programs of `tests/ad/programs` and `tests/ad/openmp`, built without it, judge themselves.
//!
//! Each pass has a few of them; with `ADJOIN_THOROUGH=1` each has all, with a larger number so many. What is expected to fail with all passes is left out. A
//! program that needs a pass says so by a line `// needs: PASS` (it may then be refused without it, but never be wrong); one
//! that is too slow without its passes finds `PASSES_OFF` defined.

use adjoin_harness::process::{End, job};
use adjoin_harness::{expected, workspace};
use adjoin_passes::registry;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How many programs each pass is left out of, of each kind.
const SAMPLE: usize = 2;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    workspace::enter_root();
    let directory = match tempfile::tempdir() {
        Ok(directory) => directory,
        Err(error) => {
            eprintln!("no temporary directory: {error}");
            return ExitCode::FAILURE;
        }
    };
    let sample = match std::env::var("ADJOIN_THOROUGH") {
        Err(_) => SAMPLE,
        Ok(number) => (number.parse().ok())
            .filter(|&n| n > 1)
            .unwrap_or(usize::MAX),
    };
    let mut trials = Vec::new();
    for place in ["tests/ad/programs", "tests/ad/openmp"] {
        let programs = programs(Path::new(place));
        for pass in registry::optional_names() {
            for index in chosen(&programs, pass, sample) {
                let (name, path) = programs[index].clone();
                let binary = directory
                    .path()
                    .join(format!("{pass}-{}", name.replace('/', "-")));
                let test = move || build_and_run(&path, pass, &binary).map_err(Failed::from);
                trials.push(Trial::test(format!("{name} without {pass}"), test));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn programs(place: &Path) -> Vec<(String, PathBuf)> {
    let all: Vec<(String, PathBuf)> = workspace::files_below(place, &["c"])
        .into_iter()
        .map(|path| (expected::name_of(place, &path), path))
        .collect();
    let failing = expected::failures(place, &all).unwrap_or_default();
    let passes = |(name, _): &(String, PathBuf)| !failing.contains_key(name);
    all.into_iter().filter(passes).collect()
}

/// The programs that a pass is left out of: each pass has its own.
fn chosen(programs: &[(String, PathBuf)], pass: &str, sample: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..programs.len()).collect();
    all.sort_by_key(|&k| expected::number_of(&format!("{pass} {}", programs[k].0)));
    all.truncate(sample);
    all
}

fn build_and_run(path: &Path, pass: &str, binary: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let line = |word: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(word));
        found.unwrap_or_default().trim().to_string()
    };
    let build = job(workspace::adjoin())
        .words("cc --cc gcc -w -O1 -fopenmp -DPASSES_OFF")
        .arg(format!("-fadjoin-no-pass={pass}"))
        .words(&line("// flags:"))
        .arg("-o")
        .arg(binary)
        .arg(path)
        .arg("-lm")
        .limit(300)
        .run()?;
    let needed = line("// needs:").split_whitespace().any(|p| p == pass);
    let refused = build.stderr().contains("cannot differentiate") && build.end == End::Exit(1);
    if refused && needed {
        return Ok(());
    }
    build.expect_success()?;
    let run = job(binary)
        .env("OMP_NUM_THREADS", "3")
        .env("OMP_WAIT_POLICY", "passive")
        .limit(120)
        .run()?;
    let _ = std::fs::remove_file(binary);
    // Refused while it runs: a message of ours, and another end than what the program finds wrong has.
    if needed && run.end != End::Exit(1) && run.stderr().contains("adjoin: ") {
        return Ok(());
    }
    run.expect_success()
}
