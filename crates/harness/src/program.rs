//! One self-checking C program: compiled by the compiler, compiled through the IR, run by the interpreter; all must agree.

use crate::directives::{self, Directives};
use crate::process::{Run, job};
use crate::text_form::first_difference;
use crate::workspace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A program under `tests/c`.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file, relative to the repository's root, in which everything runs: so that reports are short, and `__FILE__` the same
    /// everywhere.
    pub path: PathBuf,
    /// `topic/name`.
    pub name: String,
    /// What it asks for.
    pub directives: Directives,
}

/// Ten seconds are plenty for a test program, also on a busy machine.
const LIMIT: u64 = 30;

impl Program {
    /// Reads a program; the error names the file.
    pub fn read(path: &Path, directory: &Path) -> Result<Program, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let directives = directives::parse(&String::from_utf8_lossy(&text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path
            .strip_prefix(directory)
            .unwrap_or(path)
            .with_extension("")
            .to_string_lossy()
            .into_owned();
        Ok(Program {
            path: path
                .strip_prefix(workspace::root())
                .unwrap_or(path)
                .to_owned(),
            name,
            directives,
        })
    }

    /// All programs of the repository.
    pub fn all() -> Result<Vec<Program>, String> {
        let directory = workspace::root().join("tests/c");
        workspace::files_below(&directory, &["c"])
            .iter()
            .map(|path| Program::read(path, &directory))
            .collect()
    }

    /// Is it meant for this compiler?
    pub fn wants(&self, compiler: &str) -> bool {
        self.directives.compilers.is_empty()
            || self
                .directives
                .compilers
                .iter()
                .any(|name| name == compiler)
    }

    /// Can it be run here? MPI programs need MPI.
    pub fn is_possible(&self) -> bool {
        self.directives.mpi.is_none() || workspace::is_installed("mpicc")
    }

    /// The command that compiles it; `mpicc` calls the compiler that a variable names.
    pub fn driver<'a>(&self, compiler: &'a str) -> &'a str {
        if self.directives.mpi.is_some() {
            "mpicc"
        } else {
            compiler
        }
    }

    /// Compiles as the compiler alone would.
    pub fn compile(&self, compiler: &str, flags: &[&str], output: &Path) -> Result<Run, String> {
        let run = job(self.driver(compiler))
            .env("OMPI_CC", compiler)
            .args(flags)
            .arg(&self.path)
            .arg("-o")
            .arg(output)
            .args(&self.directives.flags);
        let run = run.directory(workspace::root()).run()?;
        run.expect_success()?;
        Ok(run)
    }

    /// Compiles through the IR; the second result is the report.
    pub fn compile_through_ir(
        &self,
        compiler: &str,
        flags: &[&str],
        output: &Path,
    ) -> Result<(Run, String), String> {
        let report = output.with_extension("report");
        let _ = std::fs::remove_file(&report);
        let run = job(workspace::adjoin())
            .env("OMPI_CC", compiler)
            .args([
                "cc",
                "--through-ir",
                "--cc",
                self.driver(compiler),
                "--through-ir-report",
            ])
            .arg(&report)
            .args(flags)
            .arg(&self.path)
            .arg("-o")
            .arg(output)
            .args(&self.directives.flags)
            .directory(workspace::root())
            .run()?;
        run.expect_success()?;
        Ok((run, std::fs::read_to_string(&report).unwrap_or_default()))
    }

    /// Runs a compiled program. libgomp leaves memory of its own (of task dependences) to threads that are just ending, which LeakSanitizer
    /// reports now and then, whoever compiled the program: if all that it reports was allocated by libgomp itself, leaks do not count.
    pub fn run(&self, binary: &Path) -> Result<Run, String> {
        let run = self.run_once(binary, "")?;
        let report = run.stderr();
        let mut allocators = report
            .lines()
            .filter(|l| l.trim_start().starts_with("#1 "))
            .peekable();
        let by_libgomp =
            allocators.peek().is_some() && allocators.all(|l| l.contains("libgomp.so"));
        if report.contains("LeakSanitizer") && by_libgomp {
            return self.run_once(binary, "detect_leaks=0");
        }
        Ok(run)
    }

    fn run_once(&self, binary: &Path, sanitizer: &str) -> Result<Run, String> {
        let start = match self.directives.mpi {
            None => job(binary).env("ASAN_OPTIONS", sanitizer),
            // Open MPI keeps memory until the end, which is no leak of the program's.
            Some(ranks) => job("mpirun")
                .env("ASAN_OPTIONS", "detect_leaks=0")
                .args([
                    "--allow-run-as-root",
                    "--oversubscribe",
                    "-n",
                    &ranks.to_string(),
                ])
                .arg(binary),
        };
        start
            .args(&self.directives.args)
            .env("OMP_NUM_THREADS", "4")
            .stdin(self.directives.stdin.clone())
            .limit(LIMIT)
            .run()
    }

    /// Runs it in the interpreter.
    pub fn interpret(&self) -> Result<Run, String> {
        let is_for_preprocessor = |flag: &&String| {
            ["-D", "-I", "-U", "-std=", "-fopenmp"]
                .iter()
                .any(|prefix| flag.starts_with(prefix))
        };
        job(workspace::adjoin())
            .arg("run")
            .args(self.directives.flags.iter().filter(is_for_preprocessor))
            .arg(&self.path)
            .args(&self.directives.args)
            .directory(workspace::root())
            .stdin(self.directives.stdin.clone())
            .limit(2 * LIMIT)
            .run()
    }

    /// Checks that a run ended as the program says it must.
    pub fn expect_end(&self, run: &Run) -> Result<(), String> {
        let expected = crate::process::End::Exit(self.directives.exit);
        if run.end == expected {
            Ok(())
        } else {
            Err(format!("expected {expected}\n{run}"))
        }
    }
}

/// Two runs must have written and returned the same.
pub fn expect_same(reference: &Run, other: &Run) -> Result<(), String> {
    if reference.end != other.end {
        return Err(format!("{} becomes {}\n{other}", reference.end, other.end));
    }
    match first_difference(&reference.stdout(), &other.stdout()) {
        None if reference.stdout == other.stdout => Ok(()),
        None => Err("the outputs differ in bytes that are not text".into()),
        Some(difference) => Err(format!(
            "the outputs differ in {difference}\n{}",
            other.command
        )),
    }
}

/// Warnings by option (`-Wunused-variable`) with how often each was given, and one line of each.
///
/// Those about a file-scope `static` that nothing uses are left out: they are about the user's declaration, whose only
/// use (in a `sizeof`, say) has been evaluated away.
pub fn warnings(messages: &str) -> BTreeMap<String, (usize, String)> {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut lines = messages.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.contains("warning:") {
            continue;
        }
        let option = line
            .rsplit_once('[')
            .map_or("other", |(_, option)| option.trim_end_matches(']'));
        // clang shows the line below the message; gcc says it in words.
        let is_file_scope = lines
            .peek()
            .is_some_and(|shown| shown.starts_with("static "));
        let is_unused = option.starts_with("-Wunused-");
        if is_unused && (is_file_scope || line.contains("defined but not used")) {
            continue;
        }
        found
            .entry(option.to_owned())
            .or_insert_with(|| (0, line.to_owned()))
            .0 += 1;
    }
    found
}

/// Warnings that the emitted code has more often than the user's own.
pub fn new_warnings(original: &Run, through_ir: &Run) -> Result<(), String> {
    let before = warnings(&original.stderr());
    let after = warnings(&through_ir.stderr());
    let new: Vec<String> = after
        .iter()
        .filter(|(option, (count, _))| before.get(*option).is_none_or(|(before, _)| before < count))
        .map(|(_, (_, line))| line.clone())
        .collect();
    if new.is_empty() {
        Ok(())
    } else {
        Err(format!("new warnings:\n{}\n{through_ir}", new.join("\n")))
    }
}
