//! Every program of `tests/ad/openmp`: OpenMP in, written for the Enzyme entry points, judging itself, with teams of any size.
//!
//! `field/name [teams]` is built by gcc, and runs with teams of 1, 2, 4 and 8 threads and in the environments that users and batch systems set.
//! A sample (all of them, if `ADJOIN_THOROUGH` is set) gives `… [races]`, clang's thread sanitizer with libomp and archer, and `… [memory]`, the
//! address sanitizer with leaks. What does not pass yet is a line of `EXPECTED_FAILURES` there. `tests/ad/openmp_faults` are programs that must end
//! with a message of ours: `// message: TEXT`.

use adjoin_harness::process::{End, Job, Run, job};
use adjoin_harness::{expected, workspace};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One program in this many is tried for races, and as many for errors of memory.
const SAMPLE_EVERY: usize = 5;

/// What it is, its variables, and: may the program also end with a message of ours?
type Environment = (&'static str, &'static [(&'static str, &'static str)], bool);

/// What a run may find in its environment.
const ENVIRONMENTS: [Environment; 8] = [
    ("1 thread", &[("OMP_NUM_THREADS", "1")], false),
    ("2 threads", &[("OMP_NUM_THREADS", "2")], false),
    ("4 threads", &[("OMP_NUM_THREADS", "4")], false),
    ("8 threads", &[("OMP_NUM_THREADS", "8")], false),
    (
        "a limit of 1 thread",
        &[("OMP_NUM_THREADS", "4"), ("OMP_THREAD_LIMIT", "1")],
        false,
    ),
    (
        "a limit of 3 threads",
        &[("OMP_NUM_THREADS", "4"), ("OMP_THREAD_LIMIT", "3")],
        false,
    ),
    (
        "nested regions and cancellation",
        &[
            ("OMP_NUM_THREADS", "3,2"),
            ("OMP_MAX_ACTIVE_LEVELS", "2"),
            ("OMP_NESTED", "true"),
            ("OMP_CANCELLATION", "true"),
        ],
        false,
    ),
    (
        "dynamic teams",
        &[("OMP_NUM_THREADS", "4"), ("OMP_DYNAMIC", "true")],
        true,
    ),
];

/// Programs whose result needs a team of a certain size, which a limit does not give.
const NEEDS_ITS_TEAM: [&str; 3] = [
    "apps/monte_carlo_streams",
    "corners/team_dependent",
    "regions/inner_teams_by_number",
];

/// Programs whose teams must all have one size: what a thread keeps for the next region is lost where the runtime chooses another size, as it does when the machine's load changes.
const NEEDS_EQUAL_TEAMS: [&str; 3] = [
    "clauses/threadprivate",
    "clauses/threadprivate_sums",
    "forward",
];

/// Programs that clang 14, libomp or archer get wrong themselves.
const NOT_WITH_CLANG: [(&str, &str); 7] = [
    (
        "clauses/copyin",
        "clang 14 copies nothing, in the user's own program",
    ),
    (
        "clauses/lastprivate",
        "clang 14 gives an array what any iteration left, in the user's own program",
    ),
    ("clauses/teams_on_host", "clang 14 does not know `scope`"),
    (
        "clauses/variable_length",
        "clang gives a table of variable length in a reduction too little memory, in the user's own program",
    ),
    ("reductions/scope", "clang 14 does not know `scope`"),
    (
        "sync/atomic_compare",
        "clang 14 does not know `atomic compare`",
    ),
    (
        "tasks/",
        "libomp uses the memory of tasks again, which archer takes for a race",
    ),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    workspace::enter_root();
    let place = Path::new("tests/ad/openmp");
    let programs: Vec<(String, PathBuf)> = workspace::files_below(place, &["c"])
        .into_iter()
        .map(|path| (expected::name_of(place, &path), path))
        .collect();
    let (expected, directory) = match (expected::failures(place, &programs), tempfile::tempdir()) {
        (Ok(expected), Ok(directory)) => (expected, directory),
        (Err(error), _) => return complain(&error),
        (_, Err(error)) => return complain(&format!("no temporary directory: {error}")),
    };
    let thorough = std::env::var_os("ADJOIN_THOROUGH").is_some();
    let mut trials = vec![
        Trial::test("a race is seen", a_race_is_seen),
        Trial::test("no memory for a cache", no_memory),
    ];
    for (index, (name, path)) in programs.into_iter().enumerate() {
        let reason = expected.get(&name).cloned();
        let with_clang = reason.is_none()
            && workspace::is_installed("clang")
            && !NOT_WITH_CLANG
                .iter()
                .any(|(prefix, _)| name.starts_with(prefix));
        let binary = |kind: &str| directory.path().join(format!("{index}-{kind}"));
        let sample = expected::number_of(&name) % SAMPLE_EVERY;
        if with_clang && (thorough || sample == 0) {
            let (path, binary) = (path.clone(), binary("races"));
            trials.push(Trial::test(format!("{name} [races]"), move || {
                races(&path, &binary).map_err(Failed::from)
            }));
        }
        if with_clang && (thorough || sample == 2) {
            let (path, binary) = (path.clone(), binary("memory"));
            trials.push(Trial::test(format!("{name} [memory]"), move || {
                memory(&path, &binary).map_err(Failed::from)
            }));
        }
        let binary = binary("teams");
        trials.push(Trial::test(format!("{name} [teams]"), move || {
            expected::judge(teams(&name, &path, &binary), reason.as_deref()).map_err(Failed::from)
        }));
    }
    let faults = workspace::files_below(Path::new("tests/ad/openmp_faults"), &["c"]);
    for (index, path) in faults.into_iter().enumerate() {
        let binary = directory.path().join(format!("fault-{index}"));
        let name = format!(
            "{} [fault]",
            expected::name_of(Path::new("tests/ad"), &path)
        );
        trials.push(Trial::test(name, move || {
            fault(&path, &binary).map_err(Failed::from)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}

fn build(path: &Path, flags: &str, binary: &Path) -> Result<Run, String> {
    let run = job(workspace::adjoin())
        .words(&format!("cc {flags} -fopenmp -o"))
        .arg(binary)
        .arg(path)
        .arg("-lm")
        .limit(300)
        .run()?;
    run.expect_success()?;
    Ok(run)
}

/// A run whose threads sleep when they wait: there are more of them than cores.
fn quiet(binary: &Path) -> Job {
    job(binary).env("OMP_WAIT_POLICY", "passive").limit(60)
}

/// Right with teams of any size, and quiet under `-Wall`. A program may say `// flags: …` at its top, which come last.
fn teams(name: &str, path: &Path, binary: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let more = text.lines().find_map(|l| l.strip_prefix("// flags: "));
    let flags = format!(
        "--cc gcc -O2 -Wall -Wextra -pedantic {}",
        more.unwrap_or("")
    );
    let messages = build(path, &flags, binary)?.stderr();
    let ours = |line: &&str| line.starts_with("<adjoin>:") && line.contains(" warning: ");
    if let Some(warning) = messages.lines().find(ours) {
        return Err(format!("generated code gives warnings: {warning}"));
    }
    for (what, variables, may_stop) in ENVIRONMENTS {
        let (limited, varying) = (what.contains("limit"), what.contains("dynamic"));
        let unfit = NEEDS_ITS_TEAM.contains(&name) && (limited || varying)
            || NEEDS_EQUAL_TEAMS.contains(&name) && varying;
        if unfit {
            continue;
        }
        let run = variables
            .iter()
            .fold(quiet(binary), |job, (variable, value)| {
                job.env(variable, value)
            })
            .run()?;
        // What the program finds wrong it prints; a message of ours comes with another end.
        let stopped = may_stop && run.end != End::Exit(1) && run.stderr().contains("adjoin: ");
        if !run.success() && !stopped {
            return Err(format!("with {what}:\n{run}"));
        }
    }
    let _ = std::fs::remove_file(binary);
    Ok(())
}

/// What the thread sanitizer says; archer, which tells it what OpenMP synchronises, comes with libomp.
fn races(path: &Path, binary: &Path) -> Result<(), String> {
    build(path, "--cc clang -w -O1 -g -fsanitize=thread", binary)?;
    let run = quiet(binary)
        .env("OMP_NUM_THREADS", "4")
        .env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")
        .limit(120)
        .run()?;
    let _ = std::fs::remove_file(binary);
    run.expect_success()
}

/// Errors of memory, leaks and undefined behaviour.
fn memory(path: &Path, binary: &Path) -> Result<(), String> {
    let flags = "--cc clang -w -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all";
    build(path, flags, binary)?;
    // LLVM's OpenMP library does not free all that it allocates for teams of several sizes.
    let ignored = binary.with_extension("suppressions");
    std::fs::write(&ignored, "leak:libomp.so\n").map_err(|e| e.to_string())?;
    let options = format!("suppressions={}:print_suppressions=0", ignored.display());
    let run = quiet(binary)
        .env("OMP_NUM_THREADS", "3")
        .env("LSAN_OPTIONS", &options)
        .limit(120)
        .run()?;
    let _ = std::fs::remove_file(binary);
    run.expect_success()
}

/// The check for races can fail: an increment without protection in a gradient of the user's.
fn a_race_is_seen() -> Result<(), Failed> {
    if !workspace::is_installed("clang") {
        return Ok(());
    }
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("race.c");
    std::fs::write(&source, RACE)?;
    match races(&source, &directory.path().join("race")) {
        Err(message) if message.contains("data race") => Ok(()),
        other => Err(format!("no race was reported: {other:?}").into()),
    }
}

const RACE: &str = "
static double total;
static void add(const double *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        total += x[i];
}
int main(void)
{
    double x[1000] = {1};
    for (int k = 0; k < 20; k++)
        add(x, 1000);
    return 0;
}
";

/// A gradient that needs more memory than there is ends with a message, whoever of the team finds out.
fn no_memory() -> Result<(), Failed> {
    let directory = tempfile::tempdir()?;
    let (source, binary) = (
        directory.path().join("large.c"),
        directory.path().join("large"),
    );
    std::fs::write(&source, LARGE)?;
    build(&source, "--cc gcc -O1 -w", &binary)?;
    for threads in ["1", "4"] {
        let run = job("sh")
            .args(["-c", "ulimit -v 600000; exec \"$0\" 90000000"])
            .arg(&binary)
            .env("OMP_NUM_THREADS", threads)
            .env("OMP_WAIT_POLICY", "passive")
            .limit(60)
            .run()?;
        if run.success() || !run.stderr().contains("adjoin: no memory") {
            return Err(format!("with {threads} threads:\n{run}").into());
        }
    }
    // With memory enough it is right.
    let run = quiet(&binary).arg("1000").run()?;
    Ok(run.expect_success()?)
}

/// Keeps a number for every iteration, because `x` is overwritten by each.
const LARGE: &str = "
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double f(double *x, long n)
{
    double s = 0;
#pragma omp parallel reduction(+ : s)
    {
        double t = x[0];
#pragma omp for
        for (long i = 0; i < n; i++) {
            t = sin(t + x[1]);
            s += t;
        }
    }
    return s;
}
int main(int count, char **arguments)
{
    double x[2] = {0.5, 0.25}, b[2] = {0, 0};
    (void)count;
    __enzyme_autodiff((void *)f, enzyme_dup, x, b, enzyme_const, atol(arguments[1]));
    printf(\"%g %g\\n\", b[0], b[1]);
    return !(fabs(b[1]) > 0);
}
";

/// A program that cannot go on, and must say so.
fn fault(path: &Path, binary: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let message = text
        .lines()
        .find_map(|line| line.strip_prefix("// message: "))
        .ok_or_else(|| format!("{}: no line `// message: TEXT`", path.display()))?;
    build(path, "--cc gcc -O2 -w", binary)?;
    for threads in ["2", "4"] {
        let run = quiet(binary).env("OMP_NUM_THREADS", threads).run()?;
        if run.success() || run.end == End::Timeout || !run.stderr().contains(message) {
            return Err(format!("expected the message '{message}'\n{run}"));
        }
    }
    Ok(())
}
