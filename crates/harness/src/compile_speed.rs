//! How fast is Adjoin itself? Times the stages on a generated C file, in process.

use crate::generate;
use crate::large::{self, SHAPES, Shape};
use adjoin::toolchain::Compiler;
use adjoin::{pipeline, preprocess};
use std::time::{Duration, Instant};

/// Times of the stages.
#[derive(Clone, Copy, Debug, Default)]
struct Stages {
    parse: Duration,
    lower: Duration,
    passes: Duration,
    emit: Duration,
}

impl Stages {
    fn total(self) -> Duration {
        self.parse + self.lower + self.passes + self.emit
    }
}

/// Prints the times for a file of so many lines.
pub fn run(lines: usize, rounds: usize) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("generated.c");
    let source = generate::program(lines, 1);
    let lines = source.lines().count();
    std::fs::write(&file, source).map_err(|error| error.to_string())?;
    let compiler = Compiler::choose(None);
    let text = preprocess::preprocess(&compiler, &file, &[]).map_err(|failure| failure.message)?;
    println!("{lines} lines, {} kB preprocessed", text.len() / 1000);
    let before = peak_memory();
    let best = adjoin::process::on_large_stack(move || {
        let mut runs: Vec<Stages> = (0..rounds.max(1))
            .map(|_| measure(text.clone()))
            .collect::<Result<_, _>>()?;
        runs.sort_by_key(|stages| stages.total());
        runs.first().copied().ok_or_else(|| "no run".to_owned())
    });
    let best = best.unwrap_or_else(|| Err("panicked".into()))?;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    for (name, time) in [
        ("parse", best.parse),
        ("lower", best.lower),
        ("passes", best.passes),
        ("emit", best.emit),
        ("total", best.total()),
    ] {
        println!("{name:8} {:9.2} ms", milliseconds(time));
    }
    println!(
        "speed    {:9.0} lines/s (best of {rounds})",
        lines as f64 / best.total().as_secs_f64()
    );
    match (before, peak_memory()) {
        (Some(before), Some(after)) => println!(
            "memory   {after:9.1} MB peak, {:.1} MB of it before the first run",
            before
        ),
        _ => println!("memory   unknown"),
    }
    Ok(())
}

/// Prints how long it takes to differentiate a file of so many lines: the gradient of a function that calls all others.
pub fn derivative(lines: usize, rounds: usize) -> Result<(), String> {
    let source = generate::differentiated(lines, 1);
    let lines = source.lines().count();
    let (time, table) = differentiate(&source, rounds)?;
    print!("{table}");
    println!(
        "{lines} lines in {:.2} s, {:.0} lines/s (best of {rounds})",
        time.as_secs_f64(),
        lines as f64 / time.as_secs_f64()
    );
    Ok(())
}

/// The most seconds that a file of 2,000 lines may take.
const MOST_SECONDS: f64 = 1.0;

/// Prints how long it takes to differentiate files with something large in them, at a quarter, half and all of the lines, and how the
/// time grows at the end: 2 is quadratic. Says whether 2,000 lines of each take less than a second.
pub fn shapes(names: &[String], lines: usize, rounds: usize) -> Result<bool, String> {
    let chosen: Vec<&Shape> = match names {
        [all] if all == "all" => SHAPES.iter().collect(),
        _ => names
            .iter()
            .map(|name| large::shape(name).ok_or_else(|| format!("no shape is called {name}")))
            .collect::<Result<_, _>>()?,
    };
    let mut fast = true;
    for shape in chosen {
        print!("{:12}", shape.name);
        let mut times = Vec::new();
        for size in [lines / 4, lines / 2, lines] {
            let (time, _) = differentiate(&shape.program(size), rounds)
                .map_err(|message| format!("{}: {message}", shape.name))?;
            print!(" {size:6} lines {:7.3} s", time.as_secs_f64());
            fast &= size > 2000 || time.as_secs_f64() < MOST_SECONDS;
            times.push(time.as_secs_f64());
        }
        println!("   growth {:.2}", (times[2] / times[1]).log2());
    }
    Ok(fast)
}

/// Differentiates a program in process. Gives the best time, and that run's table of passes.
fn differentiate(source: &str, rounds: usize) -> Result<(Duration, String), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("generated.c");
    std::fs::write(&file, source).map_err(|error| error.to_string())?;
    let compiler = Compiler::choose(None);
    let text = preprocess::preprocess(&compiler, &file, &[]).map_err(|failure| failure.message)?;
    let best = adjoin::process::on_large_stack(move || {
        let mut best: Option<(Duration, String)> = None;
        for _ in 0..rounds.max(1) {
            adjoin_passes::registry::measure_times();
            let text = text.clone();
            let begin = Instant::now();
            pipeline::derive(text, false, None, false, Default::default())
                .ok_or_else(|| "the generated file was refused".to_owned())?;
            let time = begin.elapsed();
            if best.as_ref().is_none_or(|(least, _)| time < *least) {
                let table = adjoin_passes::registry::time_table().unwrap_or_default();
                best = Some((time, table));
            }
        }
        best.ok_or_else(|| "no run".to_owned())
    });
    best.unwrap_or_else(|| Err("panicked".into()))
}

fn measure(text: Vec<u8>) -> Result<Stages, String> {
    let mut stages = Stages::default();
    let mut begin = Instant::now();
    let mut lap = |stage: &mut Duration| {
        let now = Instant::now();
        *stage = now - begin;
        begin = now;
    };
    let parsed = pipeline::parse(text, false);
    lap(&mut stages.parse);
    if adjoin::diagnostics::has_errors(&parsed.diagnostics) {
        adjoin::diagnostics::print(&parsed.source, &parsed.diagnostics);
        return Err("the generated file has errors".into());
    }
    let mut lowered = pipeline::lower_user_functions(&parsed);
    lap(&mut stages.lower);
    for pass in adjoin_passes::PASSES {
        pass.run(&mut lowered.module);
    }
    lap(&mut stages.passes);
    let result = pipeline::emit_in_place(&parsed, &lowered);
    lap(&mut stages.emit);
    let refused = result
        .fates
        .iter()
        .filter(|fate| fate.refusal.is_some())
        .count();
    if refused > 0 || result.fates.is_empty() {
        return Err(format!(
            "{refused} of {} functions were refused",
            result.fates.len()
        ));
    }
    Ok(stages)
}

/// The largest amount of memory this process has had, in MB.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(
        line.trim()
            .trim_end_matches("kB")
            .trim()
            .parse::<f64>()
            .ok()?
            / 1000.0,
    )
}
