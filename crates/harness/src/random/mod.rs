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
    let close = |a: f64, b: f64| close(a, b, tolerance);
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let program = source.with_extension("out");
    let compiled = job(workspace::adjoin())
        .args(["cc", "--cc", &options.compiler])
        .args(&options.flags)
        .args(options.openmp.then_some("-fopenmp"))
        .args(options.switches(seed))
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
    let threads = 1 + seed % 5;
    let run = job(&program)
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("OMP_WAIT_POLICY", "passive")
        .env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")
        .limit(60)
        .run()?;
    let _ = std::fs::remove_file(&program);
    if !run.success() {
        return Ok(Verdict::Different(run.to_string()));
    }
    let output = run.stdout();
    let pairs = |word: &str| -> Vec<(f64, f64)> {
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
    };
    let derivatives = pairs("derivative ");
    let expected = match &kernels {
        Some(kernels) => kernels.sizes.len() * kernels::DIRECTIONS,
        None => 2 * text::SIZE,
    };
    if derivatives.len() != expected {
        return Ok(Verdict::Different(run.to_string()));
    }
    if let Some(kernels) = &kernels {
        let values: Vec<f64> = pairs("value ").iter().map(|v| v.0).collect();
        let checked = kernels::check(&source, kernels, &derivatives, &values, close);
        return Ok(match checked {
            Ok(()) => Verdict::Same,
            Err(what) => Verdict::Different(what),
        });
    }
    for (k, (one, other)) in pairs("same ").into_iter().enumerate() {
        if !close(one, other) {
            return Ok(Verdict::Different(format!(
                "differentiated in two ways, {k}: {one} and {other}"
            )));
        }
    }
    let duals = match interpret(&source) {
        Ok(duals) => duals,
        Err(message) => return Ok(Verdict::Different(format!("the interpreter: {message}"))),
    };
    for (k, (&(reverse, forward), &dual)) in derivatives.iter().zip(&duals.derivatives).enumerate()
    {
        if !close(reverse, forward) || !close(forward, dual) {
            return Ok(Verdict::Different(format!(
                "derivative {k}: reverse {reverse}, forward {forward}, interpreter {dual}"
            )));
        }
    }
    for (k, (&(x, y), dual)) in pairs("value ").iter().zip(&duals.values).enumerate() {
        if !close(x, dual.0) || !close(y, dual.1) {
            return Ok(Verdict::Different(format!(
                "value {k}: {x} {y}, in the interpreter {} {}",
                dual.0, dual.1
            )));
        }
    }
    Ok(Verdict::Same)
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
