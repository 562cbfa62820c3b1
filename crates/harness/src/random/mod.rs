//! Random programs for differentiation: forward mode, reverse mode and the interpreter's dual numbers must agree on each, and primal values too.

pub mod kernels;
pub mod text;

use crate::generate::Numbers;
use crate::process::{End, job};
use crate::workspace;
use adjoin_interp::{HostValue, Interp};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How often a program with OpenMP is run with each number of threads.
const ROUNDS: usize = 4;

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
    /// Stop drawing new programs after so many seconds.
    pub seconds: u64,
    /// With OpenMP: the results must be those of the serial reading, whatever the team.
    pub openmp: bool,
    /// With a random choice of passes switched off for each program.
    pub passes: bool,
    /// Kernels over arrays of several sizes.
    pub kernels: bool,
}

impl Options {
    /// The flag that switches passes off for a seed.
    fn switches(&self, seed: u64) -> Option<String> {
        let off = passes_off(seed).join(",");
        (self.passes && !off.is_empty()).then(|| format!("-fadjoin-no-pass={off}"))
    }
}

/// The passes that are switched off for a seed: none, one, or about a quarter of them.
pub fn passes_off(seed: u64) -> Vec<&'static str> {
    let mut numbers = Numbers::new(seed ^ 0x07a5_55e5);
    let all: Vec<&str> = adjoin_passes::registry::optional_names().collect();
    match numbers.below(4) {
        0 => vec![all[numbers.below(all.len() as u64) as usize]],
        _ => (all.into_iter().filter(|_| numbers.below(4) == 0)).collect(),
    }
}

/// The result of one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All agree.
    Same,
    /// Adjoin refuses the program; the first line of its message.
    Refused(String),
    /// A difference or a failure, and what it is.
    Different(String),
}

/// Do derivatives agree, relative to 1 or their size?
fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

/// Tries one seed in a directory.
pub fn try_seed(seed: u64, options: &Options, directory: &Path) -> Result<Verdict, String> {
    let source = directory.join(format!("random-{seed}.c"));
    let kernels = (options.kernels).then(|| kernels::program(seed, options.openmp));
    let text = match &kernels {
        Some(kernels) => kernels.text.clone(),
        None => text::program(seed, options.openmp),
    };
    // Derivatives of `float` are `float`, and rounded at other places in each mode.
    let tolerance = if text.contains("(float)") { 1e-5 } else { 1e-9 };
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let program = source.with_extension("out");
    let compiled = job(workspace::adjoin())
        .args(["cc", "--cc", &options.compiler])
        .args(&options.flags)
        .args(options.openmp.then_some("-fopenmp"))
        .args(options.switches(seed))
        .args(options.passes.then_some("-DPASSES_OFF"))
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .limit(120)
        .run()?;
    if !compiled.success() {
        let said = compiled.stderr();
        let refusal = said
            .lines()
            .find(|line| line.contains("cannot differentiate"));
        return Ok(match refusal {
            Some(line) if compiled.end == End::Exit(1) => Verdict::Refused(line.to_string()),
            _ => Verdict::Different(compiled.to_string()),
        });
    }
    let judge = match &kernels {
        Some(kernels) => Judge::Kernels(kernels),
        None => match interpret(&source) {
            Ok(duals) => Judge::Duals(duals),
            Err(message) => return Ok(Verdict::Different(format!("the interpreter: {message}"))),
        },
    };
    let verdict = run_teams(&program, &source, &judge, tolerance, &teams(seed, options));
    let _ = std::fs::remove_file(&program);
    verdict
}

/// How many threads a program is run with, in turn. What depends on who is faster shows only now and then: programs with OpenMP run often, with more threads than loops have iterations, too.
fn teams(seed: u64, options: &Options) -> Vec<u64> {
    match options.openmp {
        true => [vec![1 + seed % 5], [2, 3, 8].repeat(ROUNDS)].concat(),
        false => vec![1],
    }
}

/// Runs a program with several numbers of threads; its results must be right each time.
fn run_teams(
    program: &Path,
    source: &Path,
    judge: &Judge,
    tolerance: f64,
    teams: &[u64],
) -> Result<Verdict, String> {
    let mut right = Vec::new();
    for threads in teams {
        let run = job(program)
            .env("OMP_NUM_THREADS", threads.to_string())
            .env("OMP_WAIT_POLICY", "passive")
            .env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")
            .limit(60)
            .run()?;
        let output = run.stdout();
        let like_before = |before: &String| same_numbers(before, &output, tolerance);
        if run.success() && right.iter().any(like_before) {
            continue;
        }
        let checked = match run.success() {
            true => judge.check(source, &output, tolerance),
            false => Err(run.to_string()),
        };
        if let Err(what) = checked {
            return Ok(Verdict::Different(format!("{threads} threads: {what}")));
        }
        right.push(output);
    }
    Ok(Verdict::Same)
}

/// Are there the same numbers in what a program printed twice?
fn same_numbers(before: &str, now: &str, tolerance: f64) -> bool {
    let numbers = |text: &str| -> Vec<Option<f64>> {
        text.split_whitespace().map(|w| w.parse().ok()).collect()
    };
    let (before, now) = (numbers(before), numbers(now));
    before.len() == now.len()
        && before.iter().zip(&now).all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => close(*a, *b, tolerance),
            (None, None) => true,
            _ => false,
        })
}

/// What the results of a program are compared to.
enum Judge<'a> {
    Kernels(&'a kernels::Kernels),
    Duals(Duals),
}

impl Judge<'_> {
    /// Are the numbers that a program printed right?
    fn check(&self, source: &Path, output: &str, tolerance: f64) -> Result<(), String> {
        let close = |a: f64, b: f64| close(a, b, tolerance);
        let derivatives = pairs(output, "derivative ");
        let expected = match self {
            Judge::Kernels(kernels) => kernels.sizes.len() * kernels::DIRECTIONS,
            Judge::Duals(_) => 2 * text::SIZE,
        };
        if derivatives.len() != expected {
            return Err(format!("{expected} derivatives should be in: {output}"));
        }
        match self {
            Judge::Kernels(kernels) => {
                let values: Vec<f64> = pairs(output, "value ").iter().map(|v| v.0).collect();
                kernels::check(source, kernels, &derivatives, &values, close)
            }
            Judge::Duals(duals) => duals.check(output, &derivatives, close),
        }
    }
}

/// The two numbers of each line that begins with a word.
fn pairs(output: &str, word: &str) -> Vec<(f64, f64)> {
    let lines = output.lines().filter_map(|line| line.strip_prefix(word));
    lines
        .filter_map(|rest| {
            let mut numbers = rest
                .split_whitespace()
                .map(|w| w.parse().unwrap_or(f64::NAN));
            let first = numbers.next()?;
            Some((first, numbers.next().unwrap_or_default()))
        })
        .collect()
}

impl Duals {
    /// Are the numbers that a program printed those of the interpreter?
    fn check(
        &self,
        output: &str,
        derivatives: &[(f64, f64)],
        close: impl Fn(f64, f64) -> bool,
    ) -> Result<(), String> {
        for (k, (one, other)) in pairs(output, "same ").into_iter().enumerate() {
            if !close(one, other) {
                return Err(format!(
                    "differentiated in two ways, {k}: {one} and {other}"
                ));
            }
        }
        for (k, (&(reverse, forward), &dual)) in
            derivatives.iter().zip(&self.derivatives).enumerate()
        {
            if !close(reverse, forward) || !close(forward, dual) {
                return Err(format!(
                    "derivative {k}: reverse {reverse}, forward {forward}, interpreter {dual}"
                ));
            }
        }
        for (k, (&(x, y), dual)) in pairs(output, "value ").iter().zip(&self.values).enumerate() {
            if !close(x, dual.0) || !close(y, dual.1) {
                return Err(format!(
                    "value {k}: {x} {y}, in the interpreter {} {}",
                    dual.0, dual.1
                ));
            }
        }
        Ok(())
    }
}

struct Duals {
    values: Vec<(f64, f64)>,
    derivatives: Vec<f64>,
}

/// A program for the interpreter.
fn module(source: &Path) -> Result<adjoin_ir::Module, String> {
    let compiler = adjoin::toolchain::Compiler::choose(None);
    let text = adjoin::preprocess::preprocess(&compiler, source, &[])
        .map_err(|failure| failure.message)?;
    let parsed = adjoin::pipeline::parse(text, false);
    Ok(adjoin::pipeline::lower_user_functions(&parsed).module)
}

/// The same numbers from the interpreter.
fn interpret(source: &Path) -> Result<Duals, String> {
    let module = module(source)?;
    let mut interp = Interp::with_tangents(&module).map_err(|error| error.to_string())?;
    let n = text::SIZE;
    let mut duals = Duals {
        values: Vec::new(),
        derivatives: Vec::new(),
    };
    let weight = |k: usize| match k < n {
        true => 0.6 - 0.1 * k as f64,
        false => 0.35 + 0.15 * (k - n) as f64,
    };
    for j in 0..2 * n {
        let mut once = || -> Result<(u64, u64), adjoin_interp::InterpError> {
            let x = interp.alloc_f64s(&vec![0.0; n])?;
            let y = interp.alloc_f64s(&vec![0.0; n])?;
            interp.call("start", &[HostValue::Ptr(x), HostValue::Ptr(y)])?;
            let at = if j < n {
                x + 8 * j as u64
            } else {
                y + 8 * (j - n) as u64
            };
            interp.seed(at, 1.0)?;
            interp.call(
                "f",
                &[
                    HostValue::Ptr(x),
                    HostValue::Ptr(y),
                    HostValue::Int(n as i128),
                ],
            )?;
            Ok((x, y))
        };
        let (x, y) = once().map_err(|error| error.to_string())?;
        let tangents = [interp.tangents_at(x, n), interp.tangents_at(y, n)].concat();
        let sum = tangents
            .iter()
            .enumerate()
            .map(|(k, t)| t * weight(k))
            .sum();
        duals.derivatives.push(sum);
        if j == 0 {
            let xs = interp.read_f64s(x, n).map_err(|error| error.to_string())?;
            let ys = interp.read_f64s(y, n).map_err(|error| error.to_string())?;
            duals.values = xs.into_iter().zip(ys).collect();
        }
    }
    Ok(duals)
}

/// Tries many seeds, in parallel; prints differences and the reasons of refusals. Is everything that is not refused the same?
pub fn run(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let next = AtomicU64::new(0);
    let different = AtomicUsize::new(0);
    let same = AtomicUsize::new(0);
    let refused: Mutex<std::collections::BTreeMap<String, Vec<u64>>> = Mutex::default();
    let begin = std::time::Instant::now();
    let worker = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= options.count || begin.elapsed().as_secs() >= options.seconds {
                return;
            }
            let seed = options.seed + k;
            let verdict =
                try_seed(seed, options, directory.path()).unwrap_or_else(Verdict::Different);
            match verdict {
                Verdict::Same => drop(same.fetch_add(1, Ordering::Relaxed)),
                Verdict::Refused(why) => {
                    if let Ok(mut list) = refused.lock() {
                        list.entry(why).or_default().push(seed);
                    }
                }
                Verdict::Different(what) => {
                    different.fetch_add(1, Ordering::Relaxed);
                    let kept = workspace::leftovers("random").join(format!("random-{seed}.c"));
                    let _ = std::fs::copy(directory.path().join(format!("random-{seed}.c")), &kept);
                    let switches = options.switches(seed).unwrap_or_default();
                    println!("seed {seed} ({}) {switches}: {what}", kept.display());
                }
            }
            let _ = std::fs::remove_file(directory.path().join(format!("random-{seed}.c")));
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(worker)));
    });
    let refused = refused.into_inner().unwrap_or_default();
    let mut reasons: Vec<_> = refused.iter().collect();
    reasons.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
    for (why, seeds) in reasons.iter().take(20) {
        println!(
            "refused {} times, as with seed {}: {why}",
            seeds.len(),
            seeds[0]
        );
    }
    let refusals: usize = refused.values().map(Vec::len).sum();
    let (same, different) = (same.into_inner(), different.into_inner());
    println!("{same} agree, {refusals} refused, {different} differ");
    Ok(different == 0)
}
