//! What a gradient of parallel code costs: the OpenMP kernels in `bench/openmp`, as ratios of gradient to primal at several thread counts, beside the
//! ratio of the same file read without OpenMP. The aim: the same ratio, within 15 %, at every thread count.
//!
//! A ratio is also larger where the function alone gains from OpenMP: what a compiler makes a function of its own may run in lanes that the serial form does not. So each ratio is shown as well with
//! the function's time on several threads put beside its own time on one (`own`): the gradient's time over that of the serial gradient, by what the same threads make of the function. What is above
//! the aim there is the gradient's fault; the rest is counted as above the aim nevertheless, and said to be no fault of the gradient's.

use crate::gradients::{Measured, compile, headline, measure, size_of};
use crate::workspace;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The compiler.
    pub compiler: String,
    /// Its flags.
    pub flags: Vec<String>,
    /// Thread counts; none: 1, 2, 4, … and all cores.
    pub threads: Vec<usize>,
    /// How often each program runs.
    pub rounds: usize,
    /// Divides the sizes.
    pub smaller: u64,
    /// Where the table goes as well.
    pub csv: Option<PathBuf>,
    /// Only kernels whose name contains this.
    pub filter: Option<String>,
}

/// The ratio of a parallel gradient may be this much above the serial one's.
const ALLOWED: f64 = 1.15;

/// Prints the table; true if every gradient was made, and is right. How fast they are is shown, not judged: that needs a machine of one's own.
pub fn run(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let threads = match options.threads.is_empty() {
        true => counts(std::thread::available_parallelism().map_or(1, usize::from)),
        false => options.threads.clone(),
    };
    let mut table = String::from(
        "kernel,threads,size,primal_s,gradient_s,ratio,over_serial,primal_speedup,gradient_speedup,error,own\n",
    );
    println!(
        "{:15} {:>7} {:>10} {:>12} {:>7} {:>12} {:>6} {:>15} {:>17} {:>9}",
        "kernel",
        "threads",
        "primal/ms",
        "gradient/ms",
        "ratio",
        "over serial",
        "own",
        "primal speed-up",
        "gradient speed-up",
        "error"
    );
    let (mut all_right, mut slow, mut gained) = (true, 0, 0);
    for file in workspace::files_below(&workspace::root().join("bench/openmp"), &["c"]) {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if options.filter.as_ref().is_some_and(|f| !name.contains(f)) {
            continue;
        }
        let size = (size_of(&file)? / options.smaller).max(4);
        match kernel(&file, size, &threads, options, directory.path()) {
            Ok((serial, parallel)) => {
                let alone = (threads.iter().zip(&parallel)).find(|p| *p.0 == 1);
                let alone = alone.map_or(serial.primal, |p| p.1.primal);
                let mut row = |threads: usize, measured: &Measured| {
                    let over = measured.ratio() / serial.ratio();
                    let own = match threads {
                        0 => 1.0,
                        _ => measured.gradient / serial.gradient * alone / measured.primal,
                    };
                    let speed_up = [
                        serial.primal / measured.primal,
                        serial.gradient / measured.gradient,
                    ];
                    let right = measured.right();
                    all_right &= right;
                    let verdict = match (over > ALLOWED, own > ALLOWED) {
                        (false, _) => "",
                        (true, true) => "   slow",
                        (true, false) => "   slow, since the function gains",
                    };
                    slow += usize::from(over > ALLOWED);
                    gained += usize::from(over > ALLOWED && own <= ALLOWED);
                    let label = match threads {
                        0 => "serial".to_owned(),
                        n => n.to_string(),
                    };
                    println!(
                        "{name:15} {label:>7} {:10.3} {:12.3} {:7.2} {over:12.2} {own:6.2} {:15.2} {:17.2} {:9.1e}{verdict}{}",
                        1e3 * measured.primal,
                        1e3 * measured.gradient,
                        measured.ratio(),
                        speed_up[0],
                        speed_up[1],
                        measured.error,
                        if right { "" } else { "   WRONG" },
                    );
                    let _ = writeln!(
                        table,
                        "{name},{label},{size},{:.9},{:.9},{:.4},{over:.4},{:.4},{:.4},{:.2e},{own:.4}",
                        measured.primal,
                        measured.gradient,
                        measured.ratio(),
                        speed_up[0],
                        speed_up[1],
                        measured.error
                    );
                };
                row(0, &serial);
                for (count, measured) in threads.iter().zip(&parallel) {
                    row(*count, measured);
                }
            }
            Err(message) => {
                all_right = false;
                println!("{name:15} FAILED: {}", headline(&message));
            }
        }
    }
    println!(
        "{slow} ratios are more than 15 % above the serial one, {gained} of them only since the function alone gains from OpenMP"
    );
    if let Some(path) = &options.csv {
        std::fs::write(path, table).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(all_right)
}

/// 1, 2, 4, … and all cores.
fn counts(cores: usize) -> Vec<usize> {
    let mut list: Vec<usize> = std::iter::successors(Some(1), |n| Some(2 * n))
        .take_while(|n| *n < cores)
        .collect();
    list.push(cores.max(1));
    list
}

/// The serial form, and the parallel one at each thread count.
fn kernel(
    file: &Path,
    size: u64,
    threads: &[usize],
    options: &Options,
    directory: &Path,
) -> Result<(Measured, Vec<Measured>), String> {
    let binary = directory.join("kernel");
    let mut flags = options.flags.clone();
    flags.push("-w".into());
    compile(file, &options.compiler, &flags, &binary)?;
    let serial = measure(&binary, size, options.rounds, &[])?;
    flags.push("-fopenmp".into());
    compile(file, &options.compiler, &flags, &binary)?;
    let parallel: Result<Vec<Measured>, String> = threads
        .iter()
        .map(|count| {
            let environment = [
                ("OMP_NUM_THREADS", count.to_string()),
                ("OMP_PROC_BIND", "true".to_owned()),
            ];
            let environment: Vec<(&str, &str)> =
                environment.iter().map(|(n, v)| (*n, v.as_str())).collect();
            measure(&binary, size, options.rounds, &environment)
        })
        .collect();
    Ok((serial, parallel?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn thread_counts_end_with_all_cores() {
        assert_eq!(super::counts(1), [1]);
        assert_eq!(super::counts(2), [1, 2]);
        assert_eq!(super::counts(12), [1, 2, 4, 8, 12]);
        assert_eq!(super::counts(16), [1, 2, 4, 8, 16]);
    }
}
