//! One benchmark: compiled through `adjoin cc`, run at a size, and what it says read back.

use crate::process::job;
use crate::workspace;
use std::path::Path;

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

    /// Is the error that of differences?
    pub fn right(&self) -> bool {
        self.error <= TOLERANCE
    }
}

/// The words behind `// size:` in the first line of a benchmark: the size and, after a comma, the collection that it belongs to.
fn first_line(file: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    text.lines()
        .next()
        .and_then(|line| line.strip_prefix("// size: "))
        .map(str::to_owned)
        .ok_or_else(|| format!("{}: the first line is not `// size: N`", file.display()))
}

/// The size that the first line of a benchmark names: `// size: N`.
pub(crate) fn size_of(file: &Path) -> Result<u64, String> {
    let line = first_line(file)?;
    let number = line.split(',').next().unwrap_or_default();
    number
        .trim()
        .parse()
        .map_err(|_| format!("{}: `{number}` is no size", file.display()))
}

/// The collection that it names: `// size: N, COLLECTION`.
pub(crate) fn collection_of(file: &Path) -> Result<String, String> {
    let line = first_line(file)?;
    Ok(line
        .split(',')
        .nth(1)
        .unwrap_or("kernels")
        .trim()
        .to_owned())
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
        .limit(300)
        .run()?
        .expect_success()
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

/// The line of a failure's text that says most.
pub(crate) fn headline(message: &str) -> &str {
    message
        .lines()
        .find(|l| l.contains("error"))
        .unwrap_or(message.lines().next().unwrap_or_default())
}
