//! The command line of Adjoin, as a library so that the test harness can call its parts in process.
//!
//! A command comes in as an argument list and goes out as an exit status. [`pipeline`] strings the compiler's stages
//! together; [`cc`] is the drop-in compiler driver; [`diagnostics`] renders what the stages complain about. Nothing in
//! here knows C or the IR beyond calling the crates that do.

pub mod arguments;
pub mod cc;
pub mod commands;
pub mod derivative;
pub mod derive;
pub mod diagnostics;
pub mod failure;
pub mod mentions;
pub mod mpi;
pub mod output;
pub mod passes;
pub mod pipeline;
pub mod preprocess;
pub mod process;
pub mod scale;
pub mod splice;
pub mod svg;
pub mod toolchain;

use clap::Parser;
use failure::{Failure, Outcome};
use std::ffi::OsString;
use std::path::Path;

/// Runs one command; `arguments` includes the program's name. Every failure is already printed when it returns.
pub fn main(arguments: Vec<OsString>) -> Outcome {
    match dispatch(arguments) {
        Ok(outcome) => outcome,
        Err(failure) => {
            output::print_failure(&failure);
            Outcome::Exit(failure.exit_code)
        }
    }
}

/// Finds the command. `cc` bypasses clap, because its arguments are the C compiler's and not ours to judge.
fn dispatch(arguments: Vec<OsString>) -> Result<Outcome, Failure> {
    let invoked_as = arguments.first().map(Path::new).and_then(Path::file_name);
    if invoked_as.is_some_and(|name| name == "adjoin-cc") {
        return cc::run(&arguments[1..]);
    }
    if arguments.get(1).is_some_and(|word| word == "cc") {
        let rest = &arguments[2..];
        if !(rest.is_empty() || rest.len() == 1 && (rest[0] == "--help" || rest[0] == "-h")) {
            return cc::run(rest);
        }
    }
    let parsed = match arguments::CommandLine::try_parse_from(arguments::normalise(arguments)) {
        Ok(parsed) => parsed,
        // Help and version come as "errors" too; clap knows which stream and status they deserve.
        Err(error) => {
            let _ = error.print();
            return Ok(Outcome::Exit(if error.use_stderr() { 2 } else { 0 }));
        }
    };
    parsed.passes.apply()?;
    let outcome = command(parsed.command);
    passes::print_times();
    outcome
}

fn command(command: arguments::Command) -> Result<Outcome, Failure> {
    use derivative::{Form, Kind, Matrix};
    let one = derivative::options::BatchOptions::default();
    match command {
        arguments::Command::Grad(options) => {
            derivative::write(Kind::Grad, &options.common, &options.batch, options.form())
        }
        arguments::Command::Vjp(options) => {
            derivative::write(Kind::Vjp, &options.common, &options.batch, options.form())
        }
        arguments::Command::Jvp(options) => derivative::write(
            Kind::Jvp(options.width),
            &options.common,
            &options.batch,
            Form::default(),
        ),
        arguments::Command::Jacobian(options) => {
            let kind = Kind::Jacobian(options.mode);
            let form = Form::of(Matrix::chosen(options.parallel, options.sparse));
            derivative::write(kind, &options.common, &one, form)
        }
        arguments::Command::Hessian(options) => {
            let form = Form::of(Matrix::chosen(options.parallel, options.sparse));
            derivative::write(Kind::Hessian, &options.common, &one, form)
        }
        arguments::Command::Hvp(options) => {
            derivative::write(Kind::Hvp, &options.common, &options.batch, options.form())
        }
        arguments::Command::Check(options) => derivative::check::run(&options),
        arguments::Command::Scale(options) => scale::run(&options),
        arguments::Command::Explain(options) => derivative::explain::run(&options),
        arguments::Command::Ir(options) => commands::ir(&options),
        arguments::Command::Emit(options) => commands::emit(&options),
        arguments::Command::Passes => passes::list(),
        arguments::Command::Run(options) => commands::run(&options),
        arguments::Command::Completions { shell } => commands::completions(shell),
        arguments::Command::Cc(options) => cc::run(&options.arguments),
    }
}
