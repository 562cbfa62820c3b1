//! What the tests share: modules from text.
#![allow(dead_code)]

use adjoin_interp::{ErrorKind, HostValue, Interp, InterpError, Options, Outcome, run_main};
use adjoin_ir::{Module, parse_module};

/// A module from text; it must verify.
pub fn module(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = adjoin_ir::verify_module(&module) {
        panic!(
            "{}",
            errors.iter().map(|e| format!("{e}\n")).collect::<String>()
        );
    }
    module
}

/// Calls a function of integers.
pub fn call_int(text: &str, name: &str, args: &[i128]) -> i128 {
    let args: Vec<HostValue> = args.iter().map(|&n| HostValue::Int(n)).collect();
    let mut interp = Interp::new(&module(text)).unwrap_or_else(|e| panic!("{e}"));
    match interp.call(name, &args) {
        Ok(Some(value)) => value.as_int(),
        other => panic!("{other:?}"),
    }
}

/// Calls a function that must fail.
pub fn failure(text: &str, name: &str, args: &[HostValue]) -> InterpError {
    let mut interp = Interp::new(&module(text)).unwrap_or_else(|e| panic!("{e}"));
    match interp.call(name, args) {
        Err(error) => error,
        Ok(value) => panic!("expected an error, got {value:?}"),
    }
}

/// The kind of error of a function without parameters.
pub fn failure_kind(text: &str) -> ErrorKind {
    failure(text, "f", &[]).kind
}

/// Runs `main` with default options.
pub fn run(text: &str) -> Outcome {
    run_main(&module(text), &[], &Options::default())
}

/// What `main` prints; it must end without error.
pub fn output(text: &str) -> String {
    let outcome = run(text);
    assert!(
        outcome.error.is_none(),
        "{}",
        outcome.error.map(|e| e.to_string()).unwrap_or_default()
    );
    String::from_utf8(outcome.stdout).expect("the test prints text")
}
