//! Mutated programs and mutated IR texts, in process: whatever comes in, no stage may panic, hang or produce invalid IR.
//!
//! Seeds are the programs of `tests/c`. Only what follows their system headers is changed, or most changes would be lost
//! in declarations that nobody uses.

use crate::generate::Numbers;
use crate::program::Program;
use crate::workspace;
use adjoin::toolchain::Compiler;
use adjoin::{diagnostics, pipeline, preprocess};
use std::ffi::OsString;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What to do.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many mutants of each kind.
    pub count: u64,
    /// Seed of the mutations.
    pub seed: u64,
    /// At most so many seconds.
    pub seconds: u64,
}

/// No mutant may take longer.
const LIMIT: Duration = Duration::from_secs(10);

/// Pieces of C that mutations insert.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "?",
    ":",
    "...",
    "->",
    ".",
    "=",
    "+=",
    "++",
    "<<",
    "&&",
    "!",
    "~",
    "%",
    "int ",
    "double ",
    "unsigned char ",
    "void ",
    "struct s ",
    "union { int a; float b; } ",
    "_Complex ",
    "_Bool ",
    "const ",
    "static ",
    "if (1) ",
    "else ",
    "for (;;) ",
    "while (0) ",
    "do ",
    "switch (x) ",
    "case 1: ",
    "default: ",
    "goto a; ",
    "a: ",
    "break; ",
    "continue; ",
    "return ",
    "sizeof ",
    "0",
    "1",
    "-1",
    "0x7fffffff",
    "1e308",
    "1.0f",
    "'a'",
    "\"s\"",
    "x",
    "i",
    "n",
    "\n#pragma omp parallel for\n",
    "\n#pragma omp critical\n",
    "_Generic(1, int: 2) ",
    "({ 1; })",
    "__builtin_",
    "&&a",
    "[n]",
];

/// Runs both kinds; prints what fails, and where the input is kept. True if nothing did.
pub fn run(options: &Options) -> Result<bool, String> {
    let seeds = seeds()?;
    if seeds.is_empty() {
        return Err("there are no programs to start from".into());
    }
    let options = *options;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let failures = adjoin::process::on_large_stack(move || {
        let mut failures = fuzz("c", &seeds, options, check_c);
        let texts: Vec<Seed> = seeds.iter().filter_map(ir_text).collect();
        failures.extend(fuzz("ir", &texts, options, check_text_form));
        failures
    });
    std::panic::set_hook(hook);
    let failures = failures.ok_or("the fuzzer itself panicked")?;
    failures.iter().for_each(|failure| println!("{failure}"));
    Ok(failures.is_empty())
}

/// Text to mutate, and the part of it that is worth it.
struct Seed {
    text: Vec<u8>,
    part: Range<usize>,
}

fn seeds() -> Result<Vec<Seed>, String> {
    let compiler = Compiler::choose(Some("gcc".as_ref()));
    let mut seeds = Vec::new();
    for program in Program::all()?
        .iter()
        .filter(|program| program.directives.mpi.is_none())
        .step_by(5)
    {
        let flags: Vec<OsString> = program
            .directives
            .flags
            .iter()
            .filter(|flag| !flag.starts_with("-l"))
            .map(OsString::from)
            .collect();
        let text = preprocess::preprocess(&compiler, &program.path, &flags)
            .map_err(|failure| failure.message)?;
        // The text after the last marker that returns to the program's own file.
        let name = program.path.display().to_string();
        let marker = format!("\"{name}\" 2");
        let start = text
            .windows(marker.len())
            .rposition(|window| window == marker.as_bytes())
            .unwrap_or(0);
        let part = start..text.len();
        seeds.push(Seed { text, part });
    }
    Ok(seeds)
}

/// The IR of a program, as text.
fn ir_text(seed: &Seed) -> Option<Seed> {
    let text = catch_unwind(|| {
        let parsed = pipeline::parse(seed.text.clone(), true);
        let mut module = pipeline::lower_user_functions(&parsed).module;
        pipeline::run_passes(&mut module, None).ok()?;
        Some(adjoin_ir::print_module(&module).into_bytes())
    });
    let text = text.ok()??;
    let part = 0..text.len();
    Some(Seed { text, part })
}

fn fuzz(
    kind: &str,
    seeds: &[Seed],
    options: Options,
    check: fn(Vec<u8>) -> Result<bool, String>,
) -> Vec<String> {
    let mut numbers = Numbers::new(options.seed);
    let mut failures = Vec::new();
    let begin = Instant::now();
    let (mut tried, mut accepted) = (0, 0);
    while tried < options.count
        && begin.elapsed().as_secs() < options.seconds
        && !seeds.is_empty()
        && failures.len() < 20
    {
        let seed = &seeds[numbers.below(seeds.len() as u64) as usize];
        let other = &seeds[numbers.below(seeds.len() as u64) as usize];
        let input = mutate(seed, other, &mut numbers);
        let started = Instant::now();
        let result =
            catch_unwind(AssertUnwindSafe(|| check(input.clone()))).unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                let text =
                    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                Err(format!("panic: {}", text.unwrap_or_default()))
            });
        tried += 1;
        let problem = match result {
            Ok(_) if started.elapsed() > LIMIT => Some(format!("took {:?}", started.elapsed())),
            Ok(is_accepted) => {
                accepted += u64::from(is_accepted);
                None
            }
            Err(problem) => Some(problem),
        };
        if let Some(problem) = problem {
            let extension = if kind == "c" { "i" } else { "ir" };
            let file =
                workspace::leftovers("fuzz").join(format!("{}-{tried}.{extension}", options.seed));
            let _ = std::fs::write(&file, &input);
            failures.push(format!("{}: {problem}", file.display()));
        }
    }
    println!(
        "fuzz {kind}: {tried} mutants, {accepted} accepted, {} failures",
        failures.len()
    );
    failures
}

/// One to four changes.
fn mutate(seed: &Seed, other: &Seed, numbers: &mut Numbers) -> Vec<u8> {
    let mut part = seed.text[seed.part.clone()].to_vec();
    for _ in 0..=numbers.below(4) {
        let start = numbers.below(part.len() as u64) as usize;
        let end = (start + 1 + numbers.below(40) as usize).min(part.len());
        if start >= end {
            break;
        }
        match numbers.below(7) {
            0 => drop(part.drain(start..end)),
            1 => {
                let copy = part[start..end].to_vec();
                let at = numbers.below(part.len() as u64) as usize;
                part.splice(at..at, copy);
            }
            2 => part[start] = numbers.below(256) as u8,
            3 => {
                let from = &other.text[other.part.clone()];
                let begin = numbers.below(from.len() as u64) as usize;
                let stop = (begin + numbers.below(80) as usize).min(from.len());
                part.splice(start..start, from[begin..stop].iter().copied());
            }
            4 if numbers.below(4) == 0 => part.truncate(start),
            _ => {
                let piece = PIECES[numbers.below(PIECES.len() as u64) as usize];
                // Between tokens more often than within one.
                let at = part[start..]
                    .iter()
                    .position(|byte| byte.is_ascii_whitespace())
                    .map_or(start, |found| start + found);
                part.splice(at..at, piece.bytes());
            }
        }
    }
    let mut text = seed.text[..seed.part.start].to_vec();
    text.extend(part);
    text
}

/// All stages. `Ok(false)`: refused with a diagnostic, as most mutants are.
fn check_c(text: Vec<u8>) -> Result<bool, String> {
    let parsed = pipeline::parse(text, true);
    // Rendering must survive any place as well.
    let mut reporter = diagnostics::Reporter::new(&parsed.source, adjoin::output::renderer(false));
    reporter.report(&parsed.diagnostics);
    if diagnostics::has_errors(&parsed.diagnostics) {
        return Ok(false);
    }
    let mut lowered = pipeline::lower_user_functions(&parsed);
    pipeline::run_passes(&mut lowered.module, None).map_err(|failure| failure.message)?;
    pipeline::emit_in_place(&parsed, &lowered);
    Ok(true)
}

/// What reads as a module must survive printing and reading again.
fn check_text_form(text: Vec<u8>) -> Result<bool, String> {
    let Ok(text) = String::from_utf8(text) else {
        return Ok(false);
    };
    let Ok(module) = adjoin_ir::parse_module(&text) else {
        return Ok(false);
    };
    if adjoin_ir::verify_module(&module).is_err() {
        return Ok(false);
    }
    crate::text_form::check_module(&module, "reading a mutated text").map(|()| true)
}
