//! Every program of `tests/ad/mpi`: written for the Enzyme entry points, built by `adjoin cc --cc mpicc`, run by `mpirun -n 1, 2, 3, 4`, and judging itself.
//!
//! A program may say `// ranks: 2,4` and `// flags: …` at its top; `// fails: TEXT` is one that must end in time, not with 0, and with that text (if any) on standard error;
//! `// says: TEXT` is one that must write that there and go on.
//! What does not pass yet is a line `kind/name: reason` of `EXPECTED_FAILURES` there; such a program that passes is a failure. With gcc, a warning that points
//! at generated code is a failure. `// commands: grad -f FUNCTION; …` are files that `adjoin` writes first (`made_1.c` and so on, with their headers): the program is then
//! built with them by `mpicc`, and with `-DDRIVER`. Without `mpirun` there is one test, which says so.

use adjoin_harness::expected;
use adjoin_harness::process::{End, Job, job};
use adjoin_harness::workspace;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const PLACE: &str = "tests/ad/mpi";

/// Seconds that a program may take; start-up included.
const LIMIT: u64 = 60;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    if arguments.test_threads.is_none() {
        // Ranks wait for one another most of the time: more programs than cores keep these busy.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        arguments.test_threads = Some(2 * cores);
    }
    workspace::enter_root();
    let missing = ["mpicc", "mpirun"]
        .into_iter()
        .find(|tool| job(tool).arg("--version").run().is_err());
    if let Some(tool) = missing {
        let name = format!("not run: there is no {tool} (scripts/test installs it)");
        return libtest_mimic::run(&arguments, vec![Trial::test(name, || Ok(()))]).exit_code();
    }
    let place = Path::new(PLACE);
    let programs: Vec<(String, PathBuf)> = workspace::files_below(place, &["c"])
        .into_iter()
        .map(|path| (expected::name_of(place, &path), path))
        .collect();
    let (failures, directory) = match (expected::failures(place, &programs), tempfile::tempdir()) {
        (Ok(failures), Ok(directory)) => (failures, directory),
        (Err(error), _) => return complain(&error),
        (_, Err(error)) => return complain(&format!("no temporary directory: {error}")),
    };
    let mut trials = Vec::new();
    for (index, (name, path)) in programs.into_iter().enumerate() {
        let reason = failures.get(&name).cloned();
        let binary = directory.path().join(index.to_string());
        trials.push(Trial::test(name, move || {
            let result = build_and_run(&path, &binary);
            expected::judge(result, reason.as_deref()).map_err(Failed::from)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}

/// What a line `// key: value` at the top of a program says.
fn wish<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .take_while(|line| line.starts_with("//"))
        .find_map(|line| line[2..].trim().strip_prefix(key)?.strip_prefix(':'))
        .map(str::trim)
}

/// `mpirun` with a number of ranks, on a machine that may have fewer cores, as any user. `timeout` asks it to stop, so that it ends its
/// ranks, too.
fn mpirun(ranks: u32) -> Job {
    let limit = LIMIT.to_string();
    job("timeout")
        .arg("--kill-after=10")
        .arg(limit)
        .words("mpirun --oversubscribe -n")
        .arg(ranks.to_string())
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_btl", "self,vader")
        // Windows by messages: the others wait for processors, which ranks share here, and want two ranks.
        .env("OMPI_MCA_osc", "pt2pt")
        .env("OMPI_MCA_mpi_yield_when_idle", "1")
        .env("OMPI_MCA_hwloc_base_binding_policy", "none")
        .env("OMP_NUM_THREADS", "2")
        .env("OMP_WAIT_POLICY", "passive")
        .limit(LIMIT + 20)
}

/// How many ranks a program runs with that does not care: some number in turn, mostly three, which is no power of two; all with `ADJOIN_THOROUGH=1`.
fn usual_ranks(text: &str) -> &'static str {
    match (std::env::var_os("ADJOIN_THOROUGH"), text.len() % 5) {
        (Some(_), _) => "1,2,3,4",
        (None, 0) => "2",
        (None, 1) => "4",
        (None, 2) => "1,3",
        (None, _) => "3",
    }
}

fn build_and_run(path: &Path, binary: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if let Some(commands) = wish(&text, "commands") {
        build_with_files(path, commands, binary)?;
        return run_ranks(&text, binary);
    }
    let build = job(workspace::adjoin())
        .words("cc --cc mpicc -O1 -Wall -Wextra -pedantic")
        .words(wish(&text, "flags").unwrap_or(""))
        .arg("-o")
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
    run_ranks(&text, binary)
}

/// Builds a program by `mpicc` with the files that commands write.
fn build_with_files(path: &Path, commands: &str, binary: &Path) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (k, command) in commands.split(';').enumerate() {
        let output = directory.path().join(format!("made_{}.c", k + 1));
        let made = job(workspace::adjoin())
            .words(command.trim())
            .arg(path)
            .words("--cc mpicc")
            .limit(300);
        // This one runs what it makes.
        let made = match command.trim().starts_with("check") {
            true => made,
            false => made.arg("-o").arg(output),
        };
        made.run()?.expect_success()?;
    }
    let build = job("mpicc")
        .words("-O1 -Wall -Wextra -Werror -DDRIVER -I")
        .arg(directory.path())
        .arg(path)
        .args(workspace::files_below(directory.path(), &["c"]))
        .arg("-o")
        .arg(binary)
        .arg("-lm")
        .limit(300)
        .run()?;
    build.expect_success().map(|_| ())
}

/// Runs a program with as many ranks as it wishes.
fn run_ranks(text: &str, binary: &Path) -> Result<(), String> {
    for ranks in wish(text, "ranks").unwrap_or(usual_ranks(text)).split(',') {
        let ranks: u32 = (ranks.trim().parse()).map_err(|_| format!("ranks: '{ranks}'"))?;
        let run = mpirun(ranks).arg(binary).run()?;
        match wish(text, "fails") {
            None => run.expect_success()?,
            Some(message) => {
                // `mpirun` itself may die of a signal while it ends its ranks.
                let stopped = !matches!(run.end, End::Exit(0 | 124 | 137) | End::Timeout);
                // So may its report of an error that MPI itself found; ours are written by the ranks.
                let lost =
                    message.starts_with("MPI_ERR") && run.stderr().contains("ORTE_ERROR_LOG");
                if !stopped || !(lost || run.stderr().contains(message)) {
                    return Err(format!("it should have failed with '{message}'\n{run}"));
                }
            }
        }
        if let Some(message) = wish(text, "says")
            && !run.stderr().contains(message)
        {
            return Err(format!("it should have said '{message}'\n{run}"));
        }
    }
    let _ = std::fs::remove_file(binary);
    Ok(())
}
