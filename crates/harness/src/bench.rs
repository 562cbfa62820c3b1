//! Is emitted code as fast as the original? Ten numerical kernels, compiled both ways, run alternately.

use crate::process::job;
use crate::workspace;
use std::path::{Path, PathBuf};

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Compilers.
    pub compilers: Vec<String>,
    /// Flags.
    pub flags: Vec<String>,
    /// How often each program runs.
    pub rounds: usize,
    /// Only kernels whose name contains this.
    pub filter: Option<String>,
}

/// The time of one program over its rounds.
#[derive(Clone, Debug, Default)]
struct Times(Vec<f64>);

impl Times {
    fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
    fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Prints the table; true if no kernel is more than 5 % slower.
pub fn run(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let directory_of_kernels = workspace::root().join("bench");
    let mut kernels = workspace::files_below(&directory_of_kernels, &["c"]);
    // Those below it are the gradients', which have a command of their own.
    kernels.retain(|file| file.parent() == Some(directory_of_kernels.as_path()));
    let mut fast_enough = true;
    println!(
        "{:18} {:8} {:>12} {:>12} {:>8} {:>8}",
        "kernel", "compiler", "original/s", "emitted/s", "min", "median"
    );
    for kernel in &kernels {
        let name = kernel
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if options
            .filter
            .as_ref()
            .is_some_and(|filter| !name.contains(filter))
        {
            continue;
        }
        for compiler in &options.compilers {
            let [original, emitted] = match measure(kernel, compiler, options, directory.path()) {
                Ok(times) => times,
                Err(message) => {
                    fast_enough = false;
                    println!("{name:18} {compiler:8} FAILED: {message}");
                    continue;
                }
            };
            let ratio = emitted.min() / original.min();
            fast_enough &= ratio <= 1.05;
            println!(
                "{name:18} {compiler:8} {:12.6} {:12.6} {ratio:8.3} {:8.3}",
                original.min(),
                emitted.min(),
                emitted.median() / original.median()
            );
        }
    }
    Ok(fast_enough)
}

fn measure(
    kernel: &Path,
    compiler: &str,
    options: &Options,
    directory: &Path,
) -> Result<[Times; 2], String> {
    let compile = |through_ir: bool| -> Result<PathBuf, String> {
        let output = directory.join(if through_ir { "emitted" } else { "original" });
        let mut command = job(if through_ir {
            workspace::adjoin()
        } else {
            compiler.into()
        });
        if through_ir {
            command = command.args(["cc", "--through-ir", "--cc", compiler]);
        }
        command
            .args(&options.flags)
            .arg(kernel)
            .arg("-o")
            .arg(&output)
            .arg("-lm")
            .run()?
            .expect_success()?;
        Ok(output)
    };
    let programs = [compile(false)?, compile(true)?];
    let mut times = [Times::default(), Times::default()];
    let mut outputs = [String::new(), String::new()];
    // Alternating, so that a change of clock speed or load meets both.
    for _ in 0..options.rounds {
        for ((program, times), output) in programs.iter().zip(&mut times).zip(&mut outputs) {
            let run = job(program).limit(120).run()?;
            run.expect_success()?;
            let text = run.stdout();
            let (checksum, seconds) =
                parse(&text).ok_or_else(|| format!("no `seconds` line\n{run}"))?;
            *output = checksum.to_owned();
            times.0.push(seconds);
        }
    }
    // Contraction to fused multiply-add depends on how an expression is written, so only the leading digits must agree.
    let [a, b] = outputs.map(|text| text.parse::<f64>().unwrap_or(f64::NAN));
    let close = (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0);
    if close {
        Ok(times)
    } else {
        Err(format!(
            "{}: checksum {a} becomes {b} under {compiler}",
            kernel.display()
        ))
    }
}

/// Reads `checksum X` and `seconds Y`.
fn parse(text: &str) -> Option<(&str, f64)> {
    let field = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::trim)
    };
    Some((field("checksum ")?, field("seconds ")?.parse().ok()?))
}
