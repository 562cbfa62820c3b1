//! The process around the library: panic hook, a large stack, exit status. The binary is one call of [`main`].

use crate::failure::Outcome;
use std::process::ExitCode;

/// Exit status for a bug in Adjoin, as Rust programs use for a panic.
const INTERNAL_ERROR: u8 = 101;

/// The whole life of the process `adjoin`.
pub fn main() -> ExitCode {
    install_panic_hook();
    let arguments: Vec<_> = std::env::args_os().collect();
    match on_large_stack(move || crate::main(arguments)) {
        Some(Outcome::Exit(code)) => ExitCode::from(code),
        Some(Outcome::Signal(signal)) => crate::toolchain::die_of(signal),
        None => ExitCode::from(INTERNAL_ERROR),
    }
}

/// A panic is a bug of ours: say so, in one paragraph, and ask for a report.
fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload();
        let what = what
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| what.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown cause".to_owned());
        let place = info
            .location()
            .map(|at| format!(" (at {}:{})", at.file(), at.line()))
            .unwrap_or_default();
        crate::output::eprint(&format!(
            "internal error in adjoin: {what}{place}\n\
             This is a bug in Adjoin, not in your program. Please report it, with the input that shows it.",
        ));
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            crate::output::eprint(&std::backtrace::Backtrace::force_capture().to_string());
        }
    }));
}

/// Runs the tool on a thread with a large stack, because C nests as deeply as its author (or generator) likes and
/// recursive descent follows. The memory is only reserved; pages that are not touched cost nothing. `None` after a panic.
pub fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // The closure is shared with a thread that may not come to be (`ulimit -v`), hence the slot.
    let work = std::sync::Arc::new(std::sync::Mutex::new(Some(work)));
    for megabytes in [4096, 1024, 256, 64] {
        let slot = work.clone();
        let builder = std::thread::Builder::new()
            .name("adjoin".into())
            .stack_size(megabytes << 20);
        let run = move || {
            let work = slot.lock().ok().and_then(|mut slot| slot.take());
            work.map(|work| work())
        };
        if let Ok(thread) = builder.spawn(run) {
            return thread.join().ok().flatten();
        }
    }
    crate::output::eprint("error: cannot start a thread: out of memory");
    None
}
