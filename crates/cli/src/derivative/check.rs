//! `adjoin check`: compares the derivatives of a function with finite differences and with each other, in a compiled program.

use super::driver::{self, Choices, Functions};
use super::options::CheckOptions;
use super::program::Program;
use super::roles::{self, Wishes};
use super::sizes::Sizes;
use super::target::Target;
use super::{Answer, Kind, Order, files};
use crate::failure::{Failure, Outcome};
use crate::{diagnostics, output};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// `adjoin check`
pub fn run(options: &CheckOptions) -> Result<Outcome, Failure> {
    let choices = choices(options)?;
    let Some(program) = Program::read(&options.target)? else {
        return Ok(Outcome::FAILURE);
    };
    let mut worst = Outcome::SUCCESS;
    let lists: Vec<Option<Vec<String>>> = match options.target.wrt.len() {
        0 => vec![None],
        _ => options
            .target
            .wrt
            .iter()
            .map(|w| Some(super::split(w)))
            .collect(),
    };
    for function in &options.target.functions {
        for wrt in &lists {
            let outcome = one(&program, options, &choices, function, wrt.clone())?;
            if !outcome.success() {
                worst = outcome;
            }
        }
    }
    Ok(worst)
}

fn choices(options: &CheckOptions) -> Result<Choices, Failure> {
    let inputs = input_choices("check", &options.set, &options.range)?;
    Ok(Choices {
        points: options.points,
        seed: options.seed,
        tolerance: options.tolerance,
        ..inputs
    })
}

/// What `--set` and `--range` say.
pub fn input_choices(
    command: &'static str,
    set_options: &[String],
    range_options: &[String],
) -> Result<Choices, Failure> {
    let mut choices = Choices {
        command,
        ..Choices::default()
    };
    let pair = |option: &str, text: &str| {
        text.split_once('=')
            .map(|(a, b)| (a.trim().to_string(), b.trim().to_string()))
            .ok_or_else(|| Failure::new(format!("`--{option} {text}` is not of the form PARAM=…")))
    };
    let mut set = BTreeMap::new();
    for text in set_options {
        let (name, value) = pair("set", text)?;
        if value.split(',').any(|v| v.trim().parse::<i64>().is_err()) {
            return Err(Failure::new(format!("`--set {text}`: not an integer")));
        }
        set.insert(name, value);
    }
    choices.set = set;
    for text in range_options {
        let (name, value) = pair("range", text)?;
        let range = value
            .split_once(':')
            .and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)))
            .filter(|(a, b): &(f64, f64)| a <= b && a.is_finite() && b.is_finite());
        let Some(range) = range else {
            return Err(Failure::new(format!("`--range {text}`: a range is LO:HI")));
        };
        choices.range.insert(name, range);
    }
    Ok(choices)
}

/// Checks one function.
fn one(
    program: &Program,
    options: &CheckOptions,
    choices: &Choices,
    function: &str,
    wrt: Option<Vec<String>>,
) -> Result<Outcome, Failure> {
    let order = |kind| Order {
        kind,
        function: function.to_string(),
        wrt: wrt.clone(),
        name: None,
        batch: None,
        form: Default::default(),
    };
    let orders = [order(Kind::Value), order(Kind::Jvp(1)), order(Kind::Vjp)];
    let Some(answer) = super::answer(program, &options.target, &orders, true)? else {
        return Ok(Outcome::FAILURE);
    };
    let Some(text) = source(program, options, choices, &answer, wrt.as_deref())? else {
        return Ok(Outcome::FAILURE);
    };
    let what: Vec<String> = answer.made[0]
        .target
        .params
        .iter()
        .map(|p| p.name.clone())
        .collect();
    output::print(format!("{function}({})\n", what.join(", ")).as_bytes())?;
    compile_and_run(program, options, &text)
}

/// Names in `--set` and `--range` must be parameters.
pub fn known_names(target: &Target, choices: &Choices) -> Result<(), Failure> {
    for name in choices.set.keys().chain(choices.range.keys()) {
        if target.find(name).is_none() {
            let names: Vec<&str> = target.params.iter().map(|p| &*p.name).collect();
            return Err(
                Failure::new(format!("`{}` has no parameter `{name}`", target.name))
                    .help(format!("its parameters are {}", names.join(", "))),
            );
        }
    }
    Ok(())
}

fn source(
    program: &Program,
    options: &CheckOptions,
    choices: &Choices,
    answer: &Answer,
    wrt: Option<&[String]>,
) -> Result<Option<String>, Failure> {
    let target = &answer.made[0].target;
    known_names(target, choices)?;
    let wishes = Wishes {
        wrt,
        of: &options.target.of,
        constant: &options.target.constant,
    };
    let mut sizes = Sizes::new(&options.target.size).map_err(Failure::new)?;
    let functions = Functions {
        value: answer.made[0].public.name.clone(),
        jvp: answer.made[1].public.name.clone(),
        vjp: answer.made[2].public.name.clone(),
    };
    let functions_text = files::c_file(program, answer);
    let choices = &Choices {
        mpi: crate::mpi::calls_mpi(functions_text.as_bytes()),
        ..choices.clone()
    };
    let made = roles::assign(target, Kind::Vjp, wishes)
        .and_then(|roles| driver::text(target, &roles, &functions, &mut sizes, choices));
    match made {
        Ok(driver) => {
            if choices.mpi {
                output::eprint("note: MPI: one rank, which exchanges messages with itself only");
            }
            for note in &sizes.assumed {
                output::eprint(&format!("note: {note} (--size says otherwise)"));
            }
            Ok(Some(format!("{functions_text}{driver}")))
        }
        Err(error) => {
            let unit = program.find(&target.name)?.0;
            diagnostics::print(&program.units[unit].source, &[*error]);
            Ok(None)
        }
    }
}

fn compile_and_run(
    program: &Program,
    options: &CheckOptions,
    text: &str,
) -> Result<Outcome, Failure> {
    let directory = tempfile::tempdir()
        .map_err(|e| Failure::new(format!("cannot make a temporary directory: {e}")))?;
    let file = options
        .keep
        .clone()
        .unwrap_or_else(|| directory.path().join("check.c"));
    std::fs::write(&file, text)
        .map_err(|e| Failure::new(format!("cannot write `{}`: {e}", file.display())))?;
    let binary = directory.path().join("check");
    let mut arguments: Vec<OsString> = ["-O1", "-w"].map(OsString::from).to_vec();
    arguments.push("-o".into());
    arguments.push(binary.clone().into());
    arguments.push(file.into());
    if crate::mpi::calls_runtime(text.as_bytes()) {
        let runtime = directory.path().join("adjoin-mpi.c");
        files::put(&runtime, &adjoin_ad::mpi::runtime(true))?;
        arguments.push(runtime.into());
    }
    arguments.extend(program.flags.iter().cloned());
    arguments.push("-lm".into());
    if !program.compiler.run(&arguments)?.success() {
        return Err(
            Failure::new("the check cannot be compiled and linked: see the compiler's messages")
                .help("a function of another file or library may be missing: name the file, or the library as in `-- -lfoo`"),
        );
    }
    let status = std::process::Command::new(&binary)
        .status()
        .map_err(|e| Failure::new(format!("cannot run the check: {e}")))?;
    match Outcome::of(status) {
        Outcome::Signal(signal) => Err(Failure::new(format!(
            "the check died of signal {signal}: the function accessed memory that it does not have, or aborted"
        ))
        .help("are the sizes right? `--size x=…` gives the elements behind x, `--set n=…` the integers")),
        outcome => Ok(outcome),
    }
}
