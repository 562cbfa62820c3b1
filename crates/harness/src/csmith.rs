//! Random programs from csmith: compiled and compiled through the IR, their checksums must agree.

use crate::process::{End, Run, job};
use crate::share::Share;
use crate::workspace;
use std::path::{Path, PathBuf};

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many programs.
    pub count: u64,
    /// The first seed; the others follow it.
    pub seed: u64,
    /// The C compiler.
    pub compiler: String,
    /// Its flags.
    pub flags: Vec<String>,
}

/// The result of one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Same output.
    Same,
    /// The original does not end in time; nothing can be said.
    Skipped,
    /// A difference or a failure, and what it is.
    Different(String),
}

/// csmith's own programs end within milliseconds or not at all.
const LIMIT: u64 = 10;

/// The directory of csmith's headers.
pub fn headers() -> Option<PathBuf> {
    let candidates = [
        "/usr/include/csmith",
        "/usr/local/include/csmith",
        "/usr/include/csmith-2.3.0",
    ];
    candidates
        .iter()
        .map(PathBuf::from)
        .find(|path| path.join("csmith.h").is_file())
}

/// Is csmith there?
pub fn is_available() -> bool {
    workspace::is_installed("csmith") && headers().is_some()
}

/// Tries one seed in a directory of its own, adding to the share.
pub fn try_seed(
    seed: u64,
    options: &Options,
    directory: &Path,
    share: &mut Share,
) -> Result<Verdict, String> {
    let headers = headers().ok_or("csmith's headers are not installed")?;
    let source = directory.join(format!("csmith-{seed}.c"));
    let generated = job("csmith")
        .arg("--seed")
        .arg(seed.to_string())
        .directory(directory)
        .limit(LIMIT)
        .run()?;
    if !generated.success() {
        return Ok(Verdict::Skipped);
    }
    std::fs::write(&source, &generated.stdout).map_err(|error| error.to_string())?;
    let compile = |through_ir: bool, output: &Path| -> Result<Run, String> {
        let mut command = if through_ir {
            job(workspace::adjoin())
                .args([
                    "cc",
                    "--through-ir",
                    "--cc",
                    &options.compiler,
                    "--through-ir-report",
                ])
                .arg(source.with_extension("report"))
        } else {
            job(&options.compiler)
        };
        command = command
            .args(&options.flags)
            .arg("-w")
            .arg("-I")
            .arg(&headers);
        command.arg(&source).arg("-o").arg(output).limit(120).run()
    };
    let original = source.with_extension("original");
    let emitted = source.with_extension("emitted");
    compile(false, &original)?.expect_success()?;
    let reference = job(&original).limit(LIMIT).run()?;
    if reference.end == End::Timeout {
        return Ok(Verdict::Skipped);
    }
    let compiled = compile(true, &emitted)?;
    if !compiled.success() {
        return Ok(Verdict::Different(compiled.to_string()));
    }
    share.add(&std::fs::read_to_string(source.with_extension("report")).unwrap_or_default());
    let run = job(&emitted).limit(3 * LIMIT).run()?;
    Ok(match crate::program::expect_same(&reference, &run) {
        Ok(()) => Verdict::Same,
        Err(difference) => Verdict::Different(difference),
    })
}

/// Keeps the program of a difference, and says how to see it again.
pub fn keep(seed: u64, options: &Options, directory: &Path) -> String {
    let kept = workspace::leftovers("csmith").join(format!("csmith-{seed}.c"));
    let _ = std::fs::copy(directory.join(format!("csmith-{seed}.c")), &kept);
    let flags = options.flags.join(" ");
    let include = headers()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let (cc, adjoin, kept) = (&options.compiler, workspace::adjoin(), kept.display());
    format!(
        "reproduce with:\n  {cc} {flags} -w -I {include} {kept} -o original && ./original\n  \
         {} cc --through-ir --cc {cc} {flags} -w -I {include} {kept} -o emitted && ./emitted",
        adjoin.display()
    )
}

/// Tries all seeds, two at a time per core; prints differences and a summary. True if there was no difference.
pub fn run(options: &Options) -> Result<bool, String> {
    if !is_available() {
        return Err(
            "csmith is not installed (on Debian: apt-get install csmith libcsmith-dev)".into(),
        );
    }
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let next = std::sync::atomic::AtomicU64::new(0);
    let totals = std::sync::Mutex::new((Share::default(), 0u64, 0u64, 0u64));
    let worker = || {
        loop {
            let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if index >= options.count {
                break;
            }
            let seed = options.seed + index;
            let mut share = Share::default();
            let verdict = try_seed(seed, options, directory.path(), &mut share)
                .unwrap_or_else(Verdict::Different);
            let report =
                std::fs::read_to_string(directory.path().join(format!("csmith-{seed}.report")));
            let Ok(mut totals) = totals.lock() else { break };
            totals.0.add(&report.unwrap_or_default());
            match verdict {
                Verdict::Same => totals.1 += 1,
                Verdict::Skipped => totals.2 += 1,
                Verdict::Different(what) => {
                    totals.3 += 1;
                    println!(
                        "seed {seed}: {what}\n{}\n",
                        keep(seed, options, directory.path())
                    );
                }
            }
            for extension in ["original", "emitted"] {
                let _ = std::fs::remove_file(
                    directory.path().join(format!("csmith-{seed}.{extension}")),
                );
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(worker)));
    });
    let (share, same, skipped, different) = totals
        .into_inner()
        .map_err(|_| "a worker panicked".to_owned())?;
    print!("{share}");
    println!(
        "csmith seeds {} to {}: {same} agree, {different} differ, {skipped} skipped",
        options.seed,
        options.seed + options.count.saturating_sub(1)
    );
    Ok(different == 0)
}
