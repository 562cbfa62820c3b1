//! `adjoin scale`: calls a function and its derivatives a million times on more and more threads or ranks, and says how well that scales.
//!
//! [`program`] makes the program that measures ([`driver`] its loop over calls), [`run`] runs it, [`rows`] holds what came out, [`plot`] draws it.

pub mod driver;
pub mod machine;
pub mod options;
pub mod plot;
pub mod program;
pub mod rows;
pub mod run;

use crate::derivative::check;
use crate::derivative::program::Program;
use crate::failure::{Failure, Outcome};
use crate::output;
use machine::Machine;
use options::{Mode, ScaleOptions, Scaling};
use rows::Row;
use std::path::{Path, PathBuf};

/// `adjoin scale`
pub fn run(options: &ScaleOptions) -> Result<Outcome, Failure> {
    if let Some(csv) = &options.plot {
        return redraw(csv);
    }
    let choices = check::input_choices("scale", &options.set, &options.range)?;
    let Some(program) = Program::read(&options.target)? else {
        return Ok(Outcome::FAILURE);
    };
    let mut outcome = Outcome::SUCCESS;
    for function in &options.target.functions {
        let Some(source) = program::source(&program, options, &choices, function)? else {
            return Ok(Outcome::FAILURE);
        };
        if let Some(directory) = &options.emit_only {
            let directory = match options.target.functions.len() {
                1 => directory.clone(),
                _ => directory.join(function),
            };
            program::emit(&source, &directory, options)?;
            output::eprint(&format!(
                "wrote {}: `make run` there measures",
                directory.display()
            ));
            continue;
        }
        if !measure(&program, options, &source)? {
            outcome = Outcome::FAILURE;
        }
    }
    Ok(outcome)
}

/// Measures one function. `false`: workers computed different results.
fn measure(
    program: &Program,
    options: &ScaleOptions,
    source: &program::Source,
) -> Result<bool, Failure> {
    let machine = Machine::this();
    let words = match options.typical {
        true => format!("{}, typical", machine.words()),
        false => machine.words(),
    };
    let plan = plan(options, machine);
    let most_threads = plan.iter().filter(|p| !p.ranks).map(|p| p.workers).max();
    if let (Some(reason), Some(2..)) = (&source.obstacle, most_threads) {
        return Err(Failure::new(format!(
            "`{}` cannot be called on several threads at the same time: {reason}",
            source.function
        ))
        .help("measure over ranks, with --ranks"));
    }
    let session = run::Session::new()?;
    program::write(source, session.directory())?;
    for ranks in [false, true] {
        if plan.iter().any(|p| p.ranks == ranks) {
            program::compile(program, options, session.directory(), ranks)?;
        }
    }
    let files = Files::new(options.output.as_deref(), &source.function)?;
    let mut made: Vec<Row> = Vec::new();
    output::print(
        format!(
            "{}: {} calls {}; {}\n{}",
            source.function,
            options.calls,
            "in total (strong), of each worker (weak)",
            words,
            rows::table_head()
        )
        .as_bytes(),
    )?;
    let mut fine = true;
    let launcher = run::Launcher::new(options, machine, &session);
    // What an earlier run left is not mistaken for rows of this one.
    files.write(&made, &words)?;
    for (k, step) in plan.iter().enumerate() {
        session.progress(k, plan.len(), &step.words());
        let row = session.measure(&launcher, step, options);
        session.clear_progress();
        let row = row?;
        made.push(row.clone());
        fine &= rows::agrees(&made, &row);
        output::print(rows::table_line(&made, &row).as_bytes())?;
        files.write(&made, &words)?;
    }
    if made.iter().any(|r| !r.checksum.is_finite()) {
        output::eprint("note: the results are not finite; choose other inputs with --range");
    }
    if !fine {
        output::eprint("error: the results depend on the number of workers");
    }
    output::eprint(&files.words());
    Ok(fine)
}

/// One measurement to make.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Ranks instead of threads.
    pub ranks: bool,
    /// How many.
    pub workers: u32,
    /// Strong or weak.
    pub scaling: Scaling,
    /// What is called.
    pub mode: Mode,
}

impl Step {
    /// As the program that measures spells it.
    pub fn scaling_word(&self) -> &'static str {
        match self.scaling {
            Scaling::Strong => "strong",
            Scaling::Weak => "weak",
        }
    }

    /// As the program that measures spells it.
    pub fn mode_word(&self) -> &'static str {
        match self.mode {
            Mode::Primal => "primal",
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
            Mode::Machine => "machine",
        }
    }

    /// For people.
    pub fn words(&self) -> String {
        let kind = match (self.ranks, self.workers) {
            (true, 1) => "rank",
            (true, _) => "ranks",
            (false, 1) => "thread",
            (false, _) => "threads",
        };
        format!(
            "{} {}, {} {kind}",
            self.scaling_word(),
            self.mode_word(),
            self.workers
        )
    }
}

/// All measurements, in the order in which they are made: curve after curve.
fn plan(options: &ScaleOptions, machine: Machine) -> Vec<Step> {
    let sorted = |list: &[u32]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list.dedup();
        list
    };
    let mut threads = sorted(&options.threads);
    let ranks = sorted(&options.ranks);
    if threads.is_empty() && ranks.is_empty() {
        threads = machine.counts();
    }
    let scalings = match &options.scaling[..] {
        [] => &[Scaling::Strong, Scaling::Weak],
        some => some,
    };
    let modes = match &options.mode[..] {
        [] => &[Mode::Machine, Mode::Primal, Mode::Forward, Mode::Reverse],
        some => some,
    };
    let mut plan = Vec::new();
    for (ranks, counts) in [(false, &threads), (true, &ranks)] {
        for &scaling in scalings {
            for &mode in modes {
                for &workers in counts {
                    plan.push(Step {
                        ranks,
                        workers,
                        scaling,
                        mode,
                    });
                }
            }
        }
    }
    plan
}

/// Where the results go.
struct Files {
    csv: PathBuf,
    svg: PathBuf,
}

impl Files {
    fn new(directory: Option<&Path>, function: &str) -> Result<Files, Failure> {
        let directory = directory.unwrap_or(Path::new(""));
        if !directory.as_os_str().is_empty() {
            std::fs::create_dir_all(directory).map_err(|error| {
                Failure::new(format!("cannot make `{}`: {error}", directory.display()))
            })?;
        }
        Ok(Files {
            csv: directory.join(format!("{function}_scale.csv")),
            svg: directory.join(format!("{function}_scale.svg")),
        })
    }

    /// After every row, so that an interrupt leaves the rows before it.
    fn write(&self, rows: &[Row], machine: &str) -> Result<(), Failure> {
        program::put(&self.csv, &rows::csv(rows))?;
        program::put(&self.svg, &plot::svg(rows, machine))
    }

    fn words(&self) -> String {
        format!("wrote {} and {}", self.csv.display(), self.svg.display())
    }
}

/// `--plot`: the table and the plot of a file.
fn redraw(csv: &Path) -> Result<Outcome, Failure> {
    let name = csv.display().to_string();
    let text = std::fs::read_to_string(csv)
        .map_err(|error| Failure::new(format!("cannot read `{name}`: {error}")))?;
    let rows = rows::read(&text, &name)?;
    let mut table = rows::table_head();
    for row in &rows {
        table.push_str(&rows::table_line(&rows, row));
    }
    output::print(table.as_bytes())?;
    let svg = csv.with_extension("svg");
    program::put(&svg, &plot::svg(&rows, ""))?;
    output::eprint(&format!("wrote {}", svg.display()));
    Ok(Outcome::SUCCESS)
}
