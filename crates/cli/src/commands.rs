//! The commands other than `cc`: `ir`, `run`, `completions`.

use crate::arguments::{CommandLine, CompilerOptions, IrOptions, RunOptions};
use crate::failure::{Failure, Outcome};
use crate::pipeline;
use crate::toolchain::Compiler;
use crate::{diagnostics, output, preprocess};
use adjoin_front::Parsed;
use adjoin_ir::Module;
use adjoin_lower::Lowered;
use clap::CommandFactory;
use std::ffi::OsString;
use std::path::Path;

/// Exit status for a program that did what C leaves undefined; none that programs themselves use.
const INTERPRETER_ERROR: u8 = 125;

/// `adjoin ir`
pub fn ir(options: &IrOptions) -> Result<Outcome, Failure> {
    let function = options.function.as_deref();
    let Some(mut module) = read_module(&options.file, &options.compiler, &options.flags, function)?
    else {
        return Ok(Outcome::FAILURE);
    };
    pipeline::run_passes(&mut module, options.after.as_deref())?;
    output::print(adjoin_ir::print_module(&module).as_bytes())
}

/// `adjoin emit`: for developers and tests. From C, the user's signature in front of each emitted body; from the text form, a
/// file that stands alone.
pub fn emit(options: &IrOptions) -> Result<Outcome, Failure> {
    if is_text_form(&options.file) {
        let mut module = read_text_form(&options.file, options.function.as_deref())?;
        pipeline::run_passes(&mut module, options.after.as_deref())?;
        let text = adjoin_emit::emit_module(&module, &Default::default());
        return output::print(text.as_bytes());
    }
    let Some((parsed, lowered)) = read_c(
        &options.file,
        &options.compiler,
        &options.flags,
        options.function.as_deref(),
    )?
    else {
        return Ok(Outcome::FAILURE);
    };
    let mut module = lowered.module;
    pipeline::run_passes(&mut module, options.after.as_deref())?;
    let mut definitions: Vec<_> = parsed
        .unit
        .funcs
        .values()
        .filter_map(|f| Some((f, f.body.as_ref()?)))
        .collect();
    definitions.sort_by_key(|(_, body)| body.range);
    let mut text = Vec::new();
    for (function, body) in definitions {
        let Some(id) = module
            .find_func(&function.name)
            .filter(|&id| module.funcs[id].body.is_some())
        else {
            continue;
        };
        let signature = parsed
            .source
            .text
            .get(body.whole.start as usize..body.range.start as usize);
        let signature = String::from_utf8_lossy(signature.unwrap_or_default());
        let words: Vec<&str> = signature.split_whitespace().collect();
        text.extend_from_slice(words.join(" ").as_bytes());
        text.push(b'\n');
        text.extend_from_slice(adjoin_emit::emit_body(&module, id, &Default::default()).as_bytes());
        text.extend_from_slice(b"\n\n");
    }
    text.pop();
    output::print(&text)
}

/// `adjoin run`
pub fn run(options: &RunOptions) -> Result<Outcome, Failure> {
    let Some(mut module) = read_module(&options.file, &options.compiler, &[], None)? else {
        return Ok(Outcome::FAILURE);
    };
    pipeline::run_passes(&mut module, options.after.as_deref())?;
    let arguments: Vec<String> = options
        .arguments
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut interpreter = adjoin_interp::Options {
        echo: true,
        program_name: options.file.display().to_string(),
        stdin: program_input(),
        ..Default::default()
    };
    if let Some(steps) = options.steps {
        interpreter.step_limit = steps;
    }
    let outcome = adjoin_interp::run_main(&module, &arguments, &interpreter);
    match outcome.error {
        // As the shell sees it: the low byte.
        None => Ok(Outcome::Exit(outcome.exit_code as u8)),
        Some(error) => {
            let failure = Failure::new(format!("the program failed: {error}"));
            Err(Failure {
                exit_code: INTERPRETER_ERROR,
                ..failure
            })
        }
    }
}

/// What the interpreted program may read: all of standard input, unless that is a person.
fn program_input() -> Vec<u8> {
    use std::io::{IsTerminal, Read};
    let mut input = std::io::stdin().lock();
    let mut text = Vec::new();
    if !input.is_terminal() {
        // A program that does not read is not to fail for want of input.
        let _ = input.read_to_end(&mut text);
    }
    text
}

/// `adjoin completions`
pub fn completions(shell: clap_complete::Shell) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "adjoin", &mut script);
    output::print(&script)
}

/// Reads a module from C, from preprocessed C or from the text form. `None`: errors have been printed.
fn read_module(
    file: &Path,
    options: &CompilerOptions,
    flags: &[OsString],
    function: Option<&str>,
) -> Result<Option<Module>, Failure> {
    if is_text_form(file) {
        return read_text_form(file, function).map(Some);
    }
    Ok(read_c(file, options, flags, function)?.map(|(_, lowered)| lowered.module))
}

fn is_text_form(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ir")
}

/// Reads and lowers C. `None`: errors have been printed.
fn read_c(
    file: &Path,
    options: &CompilerOptions,
    flags: &[OsString],
    function: Option<&str>,
) -> Result<Option<(Parsed, Lowered)>, Failure> {
    let compiler = Compiler::choose(options.cc.as_deref());
    let mut all_flags = options.flags();
    all_flags.extend_from_slice(flags);
    let text = preprocess::preprocess(&compiler, file, &all_flags)?;
    let parsed = pipeline::parse(text, pipeline::asks_for_openmp(&all_flags));
    if diagnostics::print_with(&parsed.source, &parsed.diagnostics, &all_flags) {
        return Ok(None);
    }
    let lowered = match function {
        None => pipeline::lower_user_functions(&parsed),
        Some(name) => {
            let wanted = find_function(&parsed, file, name)?;
            pipeline::lower(&parsed, |id| id == wanted)
        }
    };
    if !lowered.refusals.is_empty() {
        let refusals: Vec<_> = lowered
            .refusals
            .iter()
            .map(|r| pipeline::refusal_diagnostic(&parsed, r))
            .collect();
        diagnostics::print(&parsed.source, &refusals);
        if function.is_some() {
            return Ok(None);
        }
    }
    Ok(Some((parsed, lowered)))
}

fn read_text_form(file: &Path, function: Option<&str>) -> Result<Module, Failure> {
    let shown = file.display();
    let text = String::from_utf8(preprocess::read(file)?).map_err(|_| {
        Failure::new(format!(
            "`{shown}` is not the text form of the IR: it is not UTF-8"
        ))
    })?;
    let mut module = adjoin_ir::parse_module(&text)
        .map_err(|error| diagnostics::text_form_failure(file, &text, &error))?;
    if let Some(name) = function {
        let Some(wanted) = module.find_func(name) else {
            return Err(no_function(
                file,
                name,
                module.funcs.values().map(|f| &*f.name),
            ));
        };
        for (id, data) in module.funcs.iter_mut() {
            if id != wanted {
                data.body = None;
            }
        }
    }
    Ok(module)
}

fn find_function(
    parsed: &Parsed,
    file: &Path,
    name: &str,
) -> Result<adjoin_front::ast::FuncId, Failure> {
    let defined = || {
        parsed
            .unit
            .funcs
            .iter()
            .filter(|(_, function)| function.body.is_some())
    };
    defined()
        .find(|(_, function)| function.name == name)
        .map(|(id, _)| id)
        .ok_or_else(|| {
            no_function(
                file,
                name,
                defined()
                    .filter(|(_, f)| pipeline::is_user_definition(f))
                    .map(|(_, f)| &*f.name),
            )
        })
}

/// The message for a name that is not there, with the names that are.
fn no_function<'a>(file: &Path, name: &str, others: impl Iterator<Item = &'a str>) -> Failure {
    const MOST_NAMED: usize = 12;
    let names: Vec<&str> = others.collect();
    let failure = Failure::new(format!(
        "`{}` does not define a function `{name}`",
        file.display()
    ));
    match names.len() {
        0 => failure,
        n if n > MOST_NAMED => failure.help(format!(
            "it defines {}, and {} more",
            names[..MOST_NAMED].join(", "),
            n - MOST_NAMED
        )),
        _ => failure.help(format!("it defines {}", names.join(", "))),
    }
}
