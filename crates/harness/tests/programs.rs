//! Every program of `tests/c`, and a fixed number of csmith's: compiled both ways, interpreted, printed and read back.
//!
//! Each program gives several tests: `topic/name [gcc]` compares behaviour, `… [gcc warnings]` asks for no new warnings,
//! `… [interpreter]` compares with the interpreter, `… [text form]` is `parse(print(m)) == m` with the verifier. At the
//! end the share of lowered functions is printed; it must not fall below what the project promises.
//!
//! Each program has one compiler, gcc or clang in turn; `ADJOIN_THOROUGH=1` gives it both. Other variables: ADJOIN_TEST_COMPILERS
//! (these, for every program), ADJOIN_TEST_LEVEL (`-O1`), ADJOIN_TEST_CSMITH (`10`).

use adjoin_harness::process::Run;
use adjoin_harness::program::{Program, expect_same, new_warnings};
use adjoin_harness::share::{Share, check_refusals};
use adjoin_harness::{csmith, text_form, workspace};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};

/// The promise of the project: so many per cent of the functions are lowered.
const PROMISED_SHARE: f64 = 98.0;

/// A program compiled both ways by one compiler, once for all tests that ask for it.
struct Build {
    original: Run,
    emitted: Run,
    reference: Run,
    result: Run,
    /// Which functions were lowered.
    report: String,
}

type Shared<T> = Arc<OnceLock<Result<T, String>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    workspace::enter_root();
    let variable =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let in_turn = !is_set("ADJOIN_TEST_COMPILERS") && !is_set("ADJOIN_THOROUGH");
    let compilers: Vec<String> = variable("ADJOIN_TEST_COMPILERS", "gcc clang")
        .split_whitespace()
        .filter(|compiler| workspace::is_installed(compiler))
        .map(str::to_owned)
        .collect();
    let level = variable("ADJOIN_TEST_LEVEL", "-O1");
    let share = Arc::new(Mutex::new(Share::default()));
    let directory = match tempfile::tempdir() {
        Ok(directory) => directory,
        Err(error) => {
            eprintln!("no temporary directory: {error}");
            return ExitCode::FAILURE;
        }
    };
    let programs = match Program::all() {
        Ok(programs) => programs,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    let mut set_aside = Vec::new();
    for (index, program) in programs
        .into_iter()
        .filter(Program::is_possible)
        .enumerate()
    {
        let place = directory.path().join(index.to_string());
        let wanted = compilers
            .iter()
            .filter(|compiler| program.wants(compiler))
            .cloned();
        let mut chosen: Vec<String> = wanted.collect();
        if in_turn && !chosen.is_empty() {
            chosen = vec![chosen.swap_remove(index % chosen.len())];
        }
        program_trials(
            &Arc::new(program),
            &chosen,
            &level,
            &place,
            &share,
            &mut trials,
            &mut set_aside,
        );
    }
    if csmith::is_available() {
        let count = variable("ADJOIN_TEST_CSMITH", "10").parse().unwrap_or(10);
        trials.extend((1..=count).map(|seed| csmith_trial(seed, directory.path(), &share)));
    }
    let listing = arguments.list;
    let complete = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.ignored;
    let conclusion = libtest_mimic::run(&arguments, trials);
    let mut failed = conclusion.has_failed();
    if let (false, Ok(share)) = (listing, share.lock()) {
        print!("{share}");
        if complete {
            println!("not run by the interpreter: {}", set_aside.len());
            set_aside.iter().for_each(|line| println!("  {line}"));
        }
        if complete && share.percent() < PROMISED_SHARE {
            println!("FAILED: fewer than {PROMISED_SHARE} % of the functions were lowered");
            failed = true;
        }
    }
    if failed {
        ExitCode::from(101)
    } else {
        ExitCode::SUCCESS
    }
}

fn program_trials(
    program: &Arc<Program>,
    compilers: &[String],
    level: &str,
    place: &Path,
    share: &Arc<Mutex<Share>>,
    trials: &mut Vec<Trial>,
    set_aside: &mut Vec<String>,
) {
    let name = program.name.clone();
    let mut add = |kind: &str, test: Box<dyn FnOnce() -> Result<(), String> + Send>| {
        trials.push(Trial::test(format!("{name} [{kind}]"), move || {
            test().map_err(Failed::from)
        }));
    };
    for compiler in compilers {
        let shared: Shared<Build> = Arc::default();
        let get = {
            let (program, compiler, level) = (program.clone(), compiler.clone(), level.to_owned());
            let (place, share) = (place.with_extension(&compiler), share.clone());
            Arc::new(move || build(&program, &compiler, &level, &place, &share))
        };
        let (builds, again, checked) = (shared.clone(), get.clone(), program.clone());
        add(
            compiler,
            Box::new(move || {
                let build = builds
                    .get_or_init(|| again())
                    .as_ref()
                    .map_err(Clone::clone)?;
                checked.expect_end(&build.reference)?;
                check_refusals(&build.report, &checked.directives.refuses)?;
                expect_same(&build.reference, &build.result)
            }),
        );
        add(
            &format!("{compiler} warnings"),
            Box::new(move || {
                // That it does not compile is the other test's complaint.
                let Ok(build) = shared.get_or_init(|| get()) else {
                    return Ok(());
                };
                new_warnings(&build.original, &build.emitted)
            }),
        );
    }
    let checked = program.clone();
    add(
        "text form",
        Box::new(move || {
            text_form::check(
                checked.driver("gcc"),
                &checked.path,
                &for_preprocessor(&checked),
            )
        }),
    );
    match not_for_interpreter(program) {
        None => {
            let (program, place) = (program.clone(), place.with_extension("reference"));
            add("interpreter", Box::new(move || interpret(&program, &place)));
        }
        Some(reason) => set_aside.push(format!("{}: {reason}", program.name)),
    }
}

/// Why the interpreter does not run a program.
fn not_for_interpreter(program: &Program) -> Option<String> {
    let directives = &program.directives;
    if directives.mpi.is_some() {
        return Some("runs on several ranks".into());
    }
    if !directives.refuses.is_empty() {
        return Some(format!("refused: {}", directives.refuses.join(", ")));
    }
    directives.skip_interpreter.clone()
}

fn build(
    program: &Program,
    compiler: &str,
    level: &str,
    place: &Path,
    share: &Mutex<Share>,
) -> Result<Build, String> {
    let flags = ["-Wall", "-Wextra", "-pedantic", level];
    let (original, emitted) = (append(place, ".original"), append(place, ".emitted"));
    let original_build = program.compile(compiler, &flags, &original)?;
    let (emitted_build, report) = program.compile_through_ir(compiler, &flags, &emitted)?;
    if let Ok(mut share) = share.lock() {
        share.add(&report);
    }
    let build = Build {
        original: original_build,
        emitted: emitted_build,
        reference: program.run(&original)?,
        result: program.run(&emitted)?,
        report,
    };
    for file in [original, emitted] {
        let _ = std::fs::remove_file(file);
    }
    Ok(build)
}

fn interpret(program: &Program, binary: &Path) -> Result<(), String> {
    program.compile("gcc", &["-w", "-O0"], binary)?;
    let reference = program.run(binary)?;
    let run = program.interpret()?;
    if program.directives.inexact.is_some() {
        return program.expect_end(&run);
    }
    expect_same(&reference, &run).map_err(|error| format!("{error}\n{}", run.stderr()))
}

fn csmith_trial(seed: u64, directory: &Path, share: &Arc<Mutex<Share>>) -> Trial {
    let (directory, share) = (directory.to_owned(), share.clone());
    Trial::test(format!("csmith/{seed}"), move || {
        let options = csmith::Options {
            count: 1,
            seed,
            compiler: "gcc".into(),
            flags: vec!["-O1".into()],
        };
        let mut of_seed = Share::default();
        let verdict = csmith::try_seed(seed, &options, &directory, &mut of_seed)?;
        let report = directory.join(format!("csmith-{seed}.report"));
        if let Ok(mut share) = share.lock() {
            share.add(&std::fs::read_to_string(report).unwrap_or_default());
        }
        match verdict {
            csmith::Verdict::Different(what) => {
                Err(format!("{what}\n{}", csmith::keep(seed, &options, &directory)).into())
            }
            csmith::Verdict::Same | csmith::Verdict::Skipped => Ok(()),
        }
    })
}

fn for_preprocessor(program: &Program) -> Vec<String> {
    program
        .directives
        .flags
        .iter()
        .filter(|flag| !flag.starts_with("-l") && !flag.starts_with("-Wl,"))
        .cloned()
        .collect()
}

fn append(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    name.into()
}
