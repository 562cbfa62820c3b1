//! Running the program that measures: pinned threads, ranks by `mpirun`, a progress bar, and an end on Ctrl-C that leaves nothing behind.

use super::Step;
use super::machine::Machine;
use super::options::ScaleOptions;
use super::rows::Row;
use crate::failure::Failure;
use crate::output;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// The process that runs now, for the interrupt to end.
static RUNNING: Mutex<Option<u32>> = Mutex::new(None);
/// The directory of the program, for the interrupt to remove.
static DIRECTORY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// How long the thread that waits for interrupts may take to wake up.
const INTERRUPT: Duration = Duration::from_millis(100);

/// A directory for the program, and the terminal.
#[derive(Debug)]
pub struct Session {
    directory: tempfile::TempDir,
    bar: bool,
}

impl Session {
    /// Makes the directory, which an interrupt removes.
    pub fn new() -> Result<Session, Failure> {
        let directory = tempfile::tempdir()
            .map_err(|e| Failure::new(format!("cannot make a temporary directory: {e}")))?;
        if let Ok(mut path) = DIRECTORY.lock() {
            *path = Some(directory.path().to_owned());
        }
        // A second function has the handler of the first.
        let _ = ctrlc::set_handler(|| {
            // Held until the end of the process: whoever waits for the program then waits for that end, instead of calling its death a failure.
            let running = RUNNING.lock();
            let id = running.as_ref().ok().and_then(|guard| **guard);
            if let Some(id) = id.and_then(|id| i32::try_from(id).ok()) {
                // SAFETY: `kill` takes plain integers; the process is our own child, which has not been waited for yet.
                #[allow(unsafe_code)]
                unsafe {
                    libc::kill(id, libc::SIGTERM);
                }
            }
            if let Some(path) = DIRECTORY.lock().ok().and_then(|guard| guard.clone()) {
                let _ = std::fs::remove_dir_all(path);
            }
            output::eprint("\ninterrupted: the files hold the rows that were finished");
            std::process::exit(128 + libc::SIGINT);
        });
        Ok(Session {
            directory,
            bar: std::io::stderr().is_terminal(),
        })
    }

    /// Where the program is.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Shows how far it is, on a terminal.
    pub fn progress(&self, done: usize, all: usize, what: &str) {
        const WIDTH: usize = 24;
        if self.bar {
            let full = done * WIDTH / all.max(1);
            let bar = "#".repeat(full) + &".".repeat(WIDTH - full);
            let _ = write!(std::io::stderr(), "\r\x1b[K[{bar}] {done}/{all} {what}");
        }
    }

    /// Makes room for a line of the table.
    pub fn clear_progress(&self) {
        if self.bar {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// Makes one measurement.
    pub fn measure(
        &self,
        launcher: &Launcher,
        step: &Step,
        options: &ScaleOptions,
    ) -> Result<Row, Failure> {
        let everybody = launcher.everybody(step);
        let threads = if step.ranks { 1 } else { everybody };
        let start = |bound: bool| {
            let mut command = launcher.command(step, self.directory(), bound);
            command
                .arg(step.scaling_word())
                .arg(step.mode_word())
                .arg(threads.to_string())
                .arg(options.calls.to_string())
                .arg(options.repetitions.to_string());
            if launcher.typical {
                command.arg(step.workers.to_string());
            }
            self.output(&mut command, step)
        };
        let text = match start(true) {
            // Not every machine lets ranks be bound to cores.
            Err(_) if launcher.may_bind(step) => {
                let text = start(false)?;
                output::eprint(&format!("note: {} are not bound to cores", step.words()));
                text
            }
            result => result?,
        };
        let row = text.lines().rev().find_map(Row::parse);
        row.ok_or_else(|| {
            Failure::new(format!(
                "{}: the program did not say how long it took",
                step.words()
            ))
        })
    }

    fn output(&self, command: &mut Command, step: &Step) -> Result<String, Failure> {
        let what = command.get_program().to_string_lossy().into_owned();
        // An interrupt finds either no program, or one that it can end.
        let mut running = RUNNING.lock();
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        if let (Ok(running), Ok(child)) = (&mut running, &child) {
            **running = Some(child.id());
        }
        drop(running);
        let child = child.map_err(|error| {
            let failure = Failure::new(format!("cannot run `{what}`: {error}"));
            if step.ranks {
                failure.help(
                    "is MPI installed (on Debian: `apt-get install openmpi-bin libopenmpi-dev`)? `--mpirun COMMAND` names another starter",
                )
            } else {
                failure
            }
        })?;
        let output = child.wait_with_output();
        // A terminal interrupts the program and us at once: then we end as interrupted, however fast the program died.
        if output.as_ref().is_ok_and(|o| !o.status.success()) {
            std::thread::sleep(INTERRUPT);
        }
        if let Ok(mut running) = RUNNING.lock() {
            *running = None;
        }
        let output = output.map_err(|e| Failure::new(format!("cannot run `{what}`: {e}")))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        // It has said why itself.
        if output.status.code() == Some(3) {
            return Err(Failure::new(format!(
                "{}: not measured, see above; rows that were finished are in the files",
                step.words()
            )));
        }
        use std::os::unix::process::ExitStatusExt;
        let end = match (output.status.code(), output.status.signal()) {
            (Some(code), _) => format!("ended with status {code}"),
            (_, Some(signal)) => format!("died of signal {signal}"),
            _ => "failed".to_string(),
        };
        Err(
            Failure::new(format!("{}: the program {end}", step.words())).help(
                "are the inputs right? `--size x=…` gives the elements behind x, `--set n=…` integers, `--range x=…` values; rows that were finished are in the files",
            ),
        )
    }
}

/// How programs are started.
#[derive(Clone, Debug)]
pub struct Launcher {
    mpirun: Vec<String>,
    /// The starter of ranks can pin them to cores.
    binds: bool,
    machine: Machine,
    /// All cores have a thread or a rank, and the workers are some of them.
    typical: bool,
}

impl Launcher {
    /// Finds out what the starter of ranks can do.
    pub fn new(options: &ScaleOptions, machine: Machine, session: &Session) -> Launcher {
        let words = options.mpirun.split_whitespace().map(String::from);
        let mut launcher = Launcher {
            mpirun: words.collect(),
            binds: false,
            machine,
            typical: options.typical,
        };
        if !options.ranks.is_empty() && options.mpirun == "mpirun" {
            let mut probe = launcher.ranks(1);
            probe.args(["--bind-to", "core", "true"]);
            probe.current_dir(session.directory());
            let quiet = probe.stdout(Stdio::null()).stderr(Stdio::null()).status();
            launcher.binds = quiet.is_ok_and(|status| status.success());
        }
        launcher
    }

    /// The beginning of a command that starts ranks.
    fn ranks(&self, ranks: u32) -> Command {
        let mut command = Command::new(self.mpirun.first().map_or("mpirun", |w| w));
        command.args(self.mpirun.iter().skip(1));
        // In a container everybody is root; elsewhere the variables mean nothing.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
        command.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.args(["-n", &ranks.to_string()]);
        command
    }

    /// How many threads or ranks are started for a measurement.
    fn everybody(&self, step: &Step) -> u32 {
        let cores = u32::try_from(self.machine.cores).unwrap_or(1);
        if self.typical {
            step.workers.max(cores)
        } else {
            step.workers
        }
    }

    /// Are these ranks bound to cores, where possible?
    fn may_bind(&self, step: &Step) -> bool {
        step.ranks && self.binds && step.workers as usize <= self.machine.cores
    }

    /// The command for a measurement, up to the arguments of the program.
    fn command(&self, step: &Step, directory: &Path, bound: bool) -> Command {
        if !step.ranks {
            let mut command = Command::new(directory.join("scale"));
            // Every thread stays on a core of its own.
            command.env("OMP_PROC_BIND", "close");
            command.env("OMP_PLACES", "cores");
            command.env("OMP_DYNAMIC", "false");
            return command;
        }
        let mut command = self.ranks(self.everybody(step));
        if bound && self.may_bind(step) {
            command.args(["--bind-to", "core"]);
        } else if self.binds {
            command.args(["--bind-to", "none", "--oversubscribe"]);
        }
        command.arg(directory.join("scale-mpi"));
        command
    }
}
