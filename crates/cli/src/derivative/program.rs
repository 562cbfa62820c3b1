//! The program whose functions are differentiated: its sources, parsed; and the module that they become, with generated text behind one of them.

use super::options::TargetOptions;
use crate::failure::Failure;
use crate::toolchain::Compiler;
use crate::{diagnostics, pipeline, preprocess};
use adjoin_front::Parsed;
use adjoin_front::ast::{FuncDecl, Span};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::Module;
use adjoin_lower::Refusal;
use std::ffi::OsString;
use std::path::PathBuf;

/// The sources of a program.
#[derive(Debug)]
pub struct Program {
    /// Their names.
    pub files: Vec<PathBuf>,
    /// Parsed, one per file.
    pub units: Vec<Parsed>,
    /// The flags for the compiler.
    pub flags: Vec<OsString>,
    /// The compiler.
    pub compiler: Compiler,
    /// Derivatives that do not depend on the number of threads.
    pub deterministic: bool,
    /// `--memory-limit`
    pub memory_limit: Option<u64>,
}

/// A module of the program.
#[derive(Debug)]
pub struct Built {
    /// The module, after all passes.
    pub module: Module,
    /// What could not be lowered, by unit.
    pub refusals: Vec<(usize, Refusal)>,
}

impl Program {
    /// Reads the files. `None`: errors have been printed.
    pub fn read(options: &TargetOptions) -> Result<Option<Program>, Failure> {
        let compiler = Compiler::choose(options.compiler.cc.as_deref());
        let mut flags = options.compiler.flags();
        flags.extend_from_slice(&options.flags);
        // What is only for the linker means nothing to the preprocessor.
        let for_preprocessor: Vec<OsString> = flags
            .iter()
            .filter(|f| !f.to_str().is_some_and(|f| f.starts_with("-l")))
            .cloned()
            .collect();
        let mut units = Vec::new();
        for file in &options.files {
            let text = preprocess::preprocess(&compiler, file, &for_preprocessor)?;
            let parsed = pipeline::parse(text, pipeline::asks_for_openmp(&flags));
            if diagnostics::print_with(&parsed.source, &parsed.diagnostics, &flags) {
                return Ok(None);
            }
            units.push(parsed);
        }
        Ok(Some(Program {
            files: options.files.clone(),
            deterministic: options.deterministic,
            memory_limit: options.memory_limit,
            units,
            flags,
            compiler,
        }))
    }

    /// The unit that defines a function, and the function.
    pub fn find(&self, name: &str) -> Result<(usize, &FuncDecl), Failure> {
        let defined = |unit: &Parsed| {
            let names = unit.unit.funcs.iter();
            names
                .filter(|(_, f)| f.body.is_some())
                .map(|(id, f)| (f.name.clone(), id))
                .collect::<Vec<_>>()
        };
        for (k, unit) in self.units.iter().enumerate() {
            if let Some((_, id)) = defined(unit).iter().find(|(n, _)| n == name) {
                return Ok((k, &unit.unit.funcs[*id]));
            }
        }
        let user: Vec<&str> = self
            .units
            .iter()
            .flat_map(|unit| unit.unit.funcs.values())
            .filter(|f| pipeline::is_user_definition(f))
            .map(|f| &*f.name)
            .collect();
        let files: Vec<String> = self
            .files
            .iter()
            .map(|f| format!("`{}`", f.display()))
            .collect();
        let verb = if files.len() == 1 { "does" } else { "do" };
        let failure = Failure::new(format!(
            "{} {verb} not define a function `{name}`",
            files.join(", ")
        ));
        let near = super::names::similar(name, user.iter().copied());
        Err(match (&near[..], user.len()) {
            ([], 0) => failure,
            ([], n) if n > 12 => failure.help(format!(
                "defined are {}, and {} more",
                user[..12].join(", "),
                n - 12
            )),
            ([], _) => failure.help(format!("defined: {}", user.join(", "))),
            (near, _) => failure.help(format!("did you mean `{}`?", near.join("` or `"))),
        })
    }

    /// Lowers the program, with a text behind one of its units. Returns that unit as it was parsed.
    pub fn build(&self, unit: usize, behind: &str) -> Result<Option<(Parsed, Built)>, Failure> {
        let mut text = self.units[unit].source.text.clone();
        text.extend_from_slice(b"\n# 1 \"<adjoin>\"\n");
        text.extend_from_slice(behind.as_bytes());
        let parsed = pipeline::parse(text, pipeline::asks_for_openmp(&self.flags));
        if diagnostics::has_errors(&parsed.diagnostics) {
            diagnostics::print(&parsed.source, &parsed.diagnostics);
            return Ok(None);
        }
        let lowered = pipeline::lower_for_derivatives(&parsed);
        let mut built = Built {
            module: lowered.module,
            refusals: lowered.refusals.into_iter().map(|r| (unit, r)).collect(),
        };
        for (other, parsed) in self.units.iter().enumerate() {
            if other != unit {
                let lowered = pipeline::lower_for_others(parsed);
                built
                    .module
                    .absorb(&lowered.module, &format!("{}", other + 1));
                let refusals = lowered.refusals.into_iter();
                built.refusals.extend(refusals.map(|r| (other, r)));
            }
        }
        pipeline::run_passes(&mut built.module, None)?;
        Ok(Some((parsed, built)))
    }
}

impl Built {
    /// A session that knows what the sources say about their functions. `None`: errors have been printed.
    pub fn session(&mut self, program: &Program) -> Option<adjoin_ad::Session> {
        let mut session = adjoin_ad::Session::default();
        session.options.deterministic = program.deterministic;
        session.options.outermost = true;
        session.options.memory_limit = program.memory_limit;
        let mut fine = true;
        for unit in &program.units {
            // Pragmas stay in the source, which is not rewritten here.
            let errors =
                crate::derive::registrations::read(unit, &mut self.module, &mut session.registry);
            fine &= !diagnostics::print(&unit.source, &errors);
        }
        fine.then_some(session)
    }
}

/// A place of the IR as a span of the text, so that it can be shown.
pub fn span_of(parsed: &Parsed, module: &Module, place: adjoin_ir::Span) -> Option<Span> {
    let wanted = module.files.get(place.file as usize)?;
    if place.line == 0 || wanted == "<adjoin>" {
        return None;
    }
    let source = &parsed.source;
    let mut first = None;
    let mut begin = 0;
    for line in source.text.split(|&b| b == b'\n') {
        let end = begin + line.len();
        let (file, number) = source.line(begin as u32);
        if number == place.line
            && source.files.get(file as usize) == Some(wanted)
            && !line.starts_with(b"#")
        {
            for (word, length) in words(line) {
                let start = (begin + word) as u32;
                let span = Span {
                    start,
                    end: start + length as u32,
                };
                first = first.or(Some(span));
                if source.place(span).col == place.col {
                    return Some(span);
                }
            }
        }
        begin = end + 1;
    }
    first
}

/// Where the tokens of a line begin, roughly, and how long they are.
fn words(line: &[u8]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if line[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let begin = at;
        at += 1;
        if letter(line[begin]) {
            while at < line.len() && letter(line[at]) {
                at += 1;
            }
        }
        words.push((begin, at - begin));
    }
    words
}

/// Shows an error of differentiation at its place, which may be in any of the files.
pub fn report(
    program: &Program,
    unit: usize,
    built: &Built,
    error: &adjoin_ad::AdError,
    target: &super::target::Target,
) {
    let place = |k: usize| span_of(&program.units[k], &built.module, error.span);
    let found = std::iter::once(unit)
        .chain(0..program.units.len())
        .find_map(|k| Some((k, place(k)?)));
    let (shown, span) = found.unwrap_or((unit, target.span));
    let mut diagnostic = Diagnostic::error(span, error.message.clone());
    if shown == unit && span != target.span {
        let text = format!("in the derivative of `{}`", target.name);
        diagnostic = diagnostic.related(target.span, text);
    }
    // A function that could not be lowered has no body; say why.
    let refused = built.refusals.iter().find(|(k, r)| {
        let name = &program.units[*k].unit.funcs[r.func].name;
        error.message.contains(&format!("'{name}'"))
    });
    match refused {
        Some((k, refusal)) if *k == shown => {
            diagnostic = diagnostic.related(refusal.span, refusal.reason.clone());
        }
        Some((_, refusal)) => diagnostic = diagnostic.help(refusal.reason.clone()),
        None => {}
    }
    diagnostics::print(&program.units[shown].source, &[diagnostic]);
}
