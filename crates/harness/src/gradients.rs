//! What a gradient costs: the benchmarks in `bench/ad`, as ratios of gradient to primal in one process, each checked against differences, and how time
//! and memory grow as the sizes double.

use crate::process::job;
use crate::workspace;
use std::path::Path;

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Compilers.
    pub compilers: Vec<String>,
    /// Flags.
    pub flags: Vec<String>,
    /// How often each program runs.
    pub rounds: usize,
    /// How often the size is doubled.
    pub doublings: u32,
    /// Divides the sizes.
    pub smaller: u64,
    /// Only benchmarks whose name contains this.
    pub filter: Option<String>,
}

/// The largest relative error of a directional derivative that differences can be held responsible for.
pub(crate) const TOLERANCE: f64 = 1e-5;

/// What a program measured at one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// Seconds of a call of the primal.
    pub primal: f64,
    /// Seconds of a call of the gradient.
    pub gradient: f64,
    /// Of a directional derivative against differences, relative.
    pub error: f64,
    /// Peak memory of the gradient beyond the primal's, in bytes.
    pub memory: f64,
}

impl Measured {
    /// Gradient over primal.
    pub fn ratio(&self) -> f64 {
        self.gradient / self.primal
    }
}

/// Prints the table; true if every gradient was made, and is right.
pub fn run(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let files = workspace::files_below(&workspace::root().join("bench/ad"), &["c"]);
    let mut all_right = true;
    println!(
        "{:15} {:7} {:>8} {:>11} {:>12} {:>8} {:>10} {:>9}   as the size doubles: ratio, memory/MiB",
        "benchmark", "compiler", "size", "primal/ms", "gradient/ms", "ratio", "memory/MiB", "error"
    );
    let mut ratios: Vec<(String, f64)> = Vec::new();
    for file in &files {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if options.filter.as_ref().is_some_and(|f| !name.contains(f)) {
            continue;
        }
        let size = (size_of(file)? / options.smaller).max(4);
        for compiler in &options.compilers {
            let binary = directory.path().join("gradient");
            match compile(file, compiler, &options.flags, &binary)
                .and_then(|()| measure_all(&binary, size, options))
            {
                Ok(list) => {
                    let first = list[0];
                    let right = list.iter().all(|m| m.error <= TOLERANCE);
                    all_right &= right;
                    ratios.push((compiler.clone(), first.ratio()));
                    let growth: Vec<String> = list[1..]
                        .iter()
                        .map(|m| format!("{:.2}, {:.1}", m.ratio(), m.memory / 1048576.0))
                        .collect();
                    println!(
                        "{name:15} {compiler:7} {size:>8} {:11.4} {:12.4} {:8.2} {:10.1} {:9.1e}   {}{}",
                        1e3 * first.primal,
                        1e3 * first.gradient,
                        first.ratio(),
                        first.memory / 1048576.0,
                        list.iter().map(|m| m.error).fold(0.0, f64::max),
                        growth.join("; "),
                        if right { "" } else { "   WRONG" }
                    );
                }
                Err(message) => {
                    all_right = false;
                    let line = message
                        .lines()
                        .find(|l| l.contains("error"))
                        .unwrap_or(message.lines().next().unwrap_or_default());
                    println!("{name:15} {compiler:7} FAILED: {line}");
                }
            }
        }
    }
    for compiler in &options.compilers {
        let logs: Vec<f64> = ratios
            .iter()
            .filter(|(c, _)| c == compiler)
            .map(|(_, r)| r.ln())
            .collect();
        if !logs.is_empty() {
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            println!(
                "geometric mean of {} ratios, {compiler}: {mean:.2}",
                logs.len()
            );
        }
    }
    Ok(all_right)
}

/// The size that the first line of a benchmark names: `// size: N`.
pub(crate) fn size_of(file: &Path) -> Result<u64, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    text.lines()
        .next()
        .and_then(|line| line.strip_prefix("// size: "))
        .and_then(|n| n.trim().parse().ok())
        .ok_or_else(|| format!("{}: the first line is not `// size: N`", file.display()))
}

/// Builds a benchmark.
pub(crate) fn compile(
    file: &Path,
    compiler: &str,
    flags: &[String],
    output: &Path,
) -> Result<(), String> {
    job(workspace::adjoin())
        .args(["cc", "--cc", compiler])
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(output)
        .arg("-lm")
        .limit(120)
        .run()?
        .expect_success()?;
    Ok(())
}

/// At the size and its doubles.
fn measure_all(binary: &Path, size: u64, options: &Options) -> Result<Vec<Measured>, String> {
    (0..=options.doublings)
        .map(|k| measure(binary, size << k, options.rounds, &[]))
        .collect()
}

/// The round with the median ratio; the worst error and the largest memory of all.
pub(crate) fn measure(
    binary: &Path,
    size: u64,
    rounds: usize,
    environment: &[(&str, &str)],
) -> Result<Measured, String> {
    let mut list = Vec::new();
    for _ in 0..rounds.max(1) {
        let mut job = job(binary).arg(size.to_string()).limit(300);
        for (name, value) in environment {
            job = job.env(name, value);
        }
        let run = job.run()?;
        run.expect_success()?;
        let text = run.stdout();
        list.push(parse(&text).ok_or_else(|| format!("unexpected output\n{run}"))?);
    }
    list.sort_by(|a: &Measured, b| a.ratio().total_cmp(&b.ratio()));
    // A NaN is the worst error of all.
    let error = list
        .iter()
        .map(|m| {
            if m.error.is_nan() {
                f64::INFINITY
            } else {
                m.error
            }
        })
        .fold(0.0, f64::max);
    let memory = list.iter().map(|m| m.memory).fold(0.0, f64::max);
    Ok(Measured {
        error,
        memory,
        ..list[list.len() / 2]
    })
}

fn parse(text: &str) -> Option<Measured> {
    let field = |name: &str| -> Option<f64> {
        text.lines()
            .find_map(|line| line.strip_prefix(name))?
            .trim()
            .parse()
            .ok()
    };
    Some(Measured {
        primal: field("primal ")?,
        gradient: field("gradient ")?,
        error: field("error ")?,
        memory: 1024.0 * field("memory ")?,
    })
}
