//! The compiler's stages, strung together: preprocessed text → tree → IR → passes → C.

use crate::derive::said::{self, Said};
use crate::derive::{Derived, Pending, registrations};
use crate::diagnostics::{self, Reporter};
use crate::failure::Failure;
use crate::mentions;
use crate::output;
use crate::splice::{self, Replacement};
use adjoin_front::Parsed;
use adjoin_front::ast::{FuncDecl, FuncId, Storage, VarId};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Basic, CTypeKind, Func, Linkage, Module, Op};
use adjoin_lower::{Lowered, Refusal};
use adjoin_passes::registry::step;
use std::collections::{BTreeSet, HashMap};

/// The name that `--after` takes for "before the first pass".
pub const LOWER: &str = "lower";

/// Is it a definition that the user wrote, and that we may therefore replace?
pub fn is_user_definition(function: &FuncDecl) -> bool {
    function
        .body
        .as_ref()
        .is_some_and(|body| !body.in_system_header)
}

/// Parses preprocessed text. Without `openmp` its pragmas mean nothing, as to a compiler without `-fopenmp`.
pub fn parse(text: Vec<u8>, openmp: bool) -> Parsed {
    let options = adjoin_front::Options {
        openmp,
        ..Default::default()
    };
    step("parse", || adjoin_front::parse_with(text, options))
}

/// Do these flags ask for OpenMP? (`-fopenmp-simd` is not about teams.)
pub fn asks_for_openmp<S: AsRef<std::ffi::OsStr>>(flags: impl IntoIterator<Item = S>) -> bool {
    flags.into_iter().any(|flag| {
        flag.as_ref()
            .to_str()
            .is_some_and(|flag| flag == "-fopenmp" || flag.starts_with("-fopenmp="))
    })
}

/// Lowers every function that the user defined.
pub fn lower_user_functions(parsed: &Parsed) -> Lowered {
    lower(parsed, |function| is_of_user(parsed, function))
}

/// As [`lower_user_functions`], with what they need of libraries that are headers: to be differentiated, not to be replaced.
pub fn lower_for_derivatives(parsed: &Parsed) -> Lowered {
    let lowered = lower(parsed, |function| is_part_of_program(parsed, function));
    without_headers(parsed, lowered)
}

/// As [`lower_for_derivatives`], for a program of several files: with all variables that others can name.
pub fn lower_for_others(parsed: &Parsed) -> Lowered {
    let wanted = |function| is_part_of_program(parsed, function);
    let lowered = step("lower", || {
        adjoin_lower::lower_for_others(&parsed.unit, &parsed.source, wanted)
    });
    without_headers(parsed, lowered)
}

/// Is it the user's, or a static function of a system header that the user's functions need and that differentiation does not know by name?
fn is_part_of_program(parsed: &Parsed, function: FuncId) -> bool {
    // gcc's intrinsics are `extern inline` functions, of which there is no other definition.
    let inline = |f: &FuncDecl| {
        f.is_static
            || f.name.starts_with("_mm") && f.attrs.iter().any(|a| a.name == "always_inline")
    };
    let of_header = |f: &FuncDecl| f.body.is_some() && inline(f) && !adjoin_ad::is_known(&f.name);
    is_of_user(parsed, function) || parsed.unit.funcs.get(function).is_some_and(of_header)
}

/// What cannot be lowered of a header is an unknown function, as any of a library.
fn without_headers(parsed: &Parsed, mut lowered: Lowered) -> Lowered {
    lowered.refusals.retain(|r| is_of_user(parsed, r.func));
    lowered
}

fn is_of_user(parsed: &Parsed, function: FuncId) -> bool {
    let function = parsed.unit.funcs.get(function);
    function.is_some_and(is_user_definition)
}

/// Lowers the functions that `wanted` accepts.
pub fn lower(parsed: &Parsed, wanted: impl Fn(FuncId) -> bool) -> Lowered {
    step("lower", || {
        adjoin_lower::lower(&parsed.unit, &parsed.source, wanted)
    })
}

/// Runs the passes up to and including `last`, or all of them. The module is verified after each in debug builds, and at
/// the end in any case: the emitter relies on it.
pub fn run_passes(module: &mut Module, last: Option<&str>) -> Result<(), Failure> {
    let passes = adjoin_passes::PASSES;
    let count = match last {
        None => passes.len(),
        Some(LOWER) => 0,
        Some(name) => 1 + position(name)?,
    };
    verify(module, LOWER)?;
    if count > 0 {
        adjoin_passes::prototypes::run(module);
    }
    for (index, pass) in passes[..count].iter().enumerate() {
        pass.run(module);
        if cfg!(debug_assertions) || index + 1 == count {
            verify(module, pass.name)?;
        }
    }
    Ok(())
}

fn position(name: &str) -> Result<usize, Failure> {
    let passes = adjoin_passes::PASSES;
    passes
        .iter()
        .position(|pass| pass.name == name)
        .ok_or_else(|| {
            let mut names = vec![LOWER];
            names.extend(passes.iter().map(|pass| pass.name));
            Failure::new(format!("there is no pass `{name}`"))
                .help(format!("the passes are: {}", names.join(", ")))
        })
}

/// A module that fails here is a bug of ours, with the exit status of one.
fn verify(module: &Module, stage: &str) -> Result<(), Failure> {
    let Err(errors) = step("verify", || adjoin_ir::verify_module(module)) else {
        return Ok(());
    };
    let listed: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
    Err(Failure {
        message: format!(
            "internal error in adjoin: the IR is not valid after `{stage}`: {}",
            listed.join("; ")
        ),
        help: Some(
            "this is a bug in Adjoin; please report it, with the input that shows it".into(),
        ),
        exit_code: 101,
    })
}

/// What became of a function on its way through the IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The function.
    pub name: String,
    /// Where it is defined: `file:line`.
    pub place: String,
    /// Why it was kept as it is, and where the reason lies (`file:line:col`); `None` if it was lowered.
    pub refusal: Option<(String, String)>,
}

impl Fate {
    /// The line for `--through-ir-report`.
    pub fn report_line(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n'], " ");
        match &self.refusal {
            None => format!("{}\t{}\tlowered\t\n", self.name, clean(&self.place)),
            Some((reason, _)) => format!(
                "{}\t{}\trefused\t{}\n",
                self.name,
                clean(&self.place),
                clean(reason)
            ),
        }
    }

    /// The line for `-v`.
    pub fn verbose_line(&self) -> String {
        match &self.refusal {
            None => format!("adjoin: {}: lowered ({})", self.name, self.place),
            Some((reason, at)) => format!("adjoin: {}: kept: {reason} ({at})", self.name),
        }
    }
}

/// A translation unit after its way through the IR.
#[derive(Debug)]
pub struct ThroughIr {
    /// The preprocessed text with emitted bodies.
    pub text: Vec<u8>,
    /// Every user function, in order of the text.
    pub fates: Vec<Fate>,
}

/// What is left to link time.
#[derive(Debug, Default)]
pub struct Left {
    /// Derivatives that are to be made.
    pub pending: Vec<Pending>,
    /// What the text said about functions and globals.
    pub said: Vec<Said>,
}

/// Replaces calls of the entry points of differentiation; with the name of a unit, some are left to link time. `None`: errors, which have been
/// printed.
pub fn derive(
    text: Vec<u8>,
    openmp: bool,
    unit: Option<&str>,
    whole: bool,
    options: adjoin_ad::Options,
) -> Option<(Vec<u8>, Left)> {
    let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
    // Attributes and pragmas must reach neither the compiler nor be lost.
    let says = unit.is_some() && (has(b"enzyme_") || has(b"#pragma adjoin"));
    if !says && !has(b"__enzyme_") {
        return Some((text, Left::default()));
    }
    let asks = has(b"__enzyme_");
    let parsed = parse(text, openmp);
    if diagnostics::has_errors(&parsed.diagnostics) {
        if !asks {
            // The compiler may understand what we do not.
            return Some((parsed.source.text, Left::default()));
        }
        diagnostics::print(&parsed.source, &parsed.diagnostics);
        return None;
    }
    let said = match says {
        true => said::all(&parsed),
        false => Vec::new(),
    };
    match crate::derive::derive(&parsed, unit, whole, options) {
        Derived::Nothing if says => {
            let text = registrations::without(&parsed);
            let pending = Vec::new();
            Some((text, Left { pending, said }))
        }
        Derived::Nothing => Some((parsed.source.text, Left::default())),
        Derived::Text(text, pending) => Some((text, Left { pending, said })),
        Derived::Errors(errors) => {
            diagnostics::print(&parsed.source, &errors);
            None
        }
    }
}

/// Takes preprocessed text through the IR. `Ok(None)`: the user's code has errors, which have been printed.
pub fn through_ir(text: Vec<u8>, openmp: bool) -> Result<Option<ThroughIr>, Failure> {
    let parsed = parse(text, openmp);
    if diagnostics::has_errors(&parsed.diagnostics) {
        diagnostics::print(&parsed.source, &parsed.diagnostics);
        return Ok(None);
    }
    let mut lowered = lower_user_functions(&parsed);
    keep_what_is_invalid(&parsed, &mut lowered);
    run_passes(&mut lowered.module, None)?;
    Ok(Some(step("emit", || emit_in_place(&parsed, &lowered))))
}

/// A function whose IR is not valid is a bug of ours, and no reason to stop the user: it stays as it is, and the report says so. (The tests
/// take such a report for a failure.)
pub(crate) fn keep_what_is_invalid(parsed: &Parsed, lowered: &mut Lowered) {
    let Err(errors) = adjoin_ir::verify_module(&lowered.module) else {
        return;
    };
    let everywhere = errors.iter().find(|e| e.func.is_none());
    for (id, function) in parsed.unit.funcs.iter() {
        let Some(func) = lowered.module.find_func(&function.name) else {
            continue;
        };
        let error = everywhere.or_else(|| errors.iter().find(|e| e.func == Some(func)));
        if let Some(error) = error
            && lowered.module.funcs[func].body.take().is_some()
        {
            lowered.refusals.push(Refusal {
                func: id,
                span: function.span,
                reason: format!("internal error: the IR is not valid: {error}"),
            });
        }
    }
    if everywhere.is_some() {
        lowered.module = Module::new();
    }
}

/// The unit's functions and global variables by name.
struct Names<'a> {
    funcs: HashMap<&'a str, FuncId>,
    vars: HashMap<&'a str, VarId>,
}

impl<'a> Names<'a> {
    fn of(parsed: &'a Parsed) -> Self {
        let unit = &parsed.unit;
        let global = |storage| matches!(storage, Storage::Global { .. });
        let vars = unit.vars.iter().filter(|(_, v)| global(v.storage));
        Names {
            funcs: unit.funcs.iter().map(|(id, f)| (&*f.name, id)).collect(),
            vars: vars.map(|(id, v)| (&*v.name, id)).collect(),
        }
    }
}

/// Declarations that the user wrote in a block, of functions and variables that an emitted body uses: file scope does not show them (yet)
/// where the body stands. Also the library functions that the user called as `__builtin_NAME`, without a declaration.
fn block_declarations(
    parsed: &Parsed,
    names: &Names<'_>,
    module: &Module,
    func: Func,
    body_start: u32,
) -> (String, BTreeSet<Func>) {
    let unit = &parsed.unit;
    let mut builtins = BTreeSet::new();
    let Some(body) = &module.funcs[func].body else {
        return (String::new(), builtins);
    };
    let mut funcs = BTreeSet::new();
    let mut globals = BTreeSet::new();
    body.walk(|inst| match &body.insts[inst].op {
        Op::Call(attr) => drop(funcs.insert(attr.func)),
        Op::Mpi(attr) => drop(funcs.insert(attr.func)),
        Op::FuncAddr(func) => drop(funcs.insert(*func)),
        Op::GlobalAddr(global) => drop(globals.insert(*global)),
        _ => {}
    });
    let hidden = |visible: u32| visible == 0 || visible > body_start;
    let mut text = String::new();
    for func in funcs {
        let function = &module.funcs[func];
        let declared = names
            .funcs
            .get(&*function.name)
            .map(|&id| (id, &unit.funcs[id]))
            .filter(|(id, f)| {
                let library = f.attrs.iter().any(|a| a.name == "builtin");
                if library && !f.name.starts_with("__") && hidden(unit.func_visible[*id]) {
                    builtins.insert(func);
                }
                let builtin = f.name.starts_with("__") || library;
                let implicit = matches!(
                    module.types.shape(function.ctype),
                    CTypeKind::Function { prototyped: false, ret, params, .. }
                        if params.is_empty()
                            && matches!(module.types.shape(*ret), CTypeKind::Basic(Basic::Int))
                );
                !builtin && !implicit && hidden(unit.func_visible[*id])
            });
        if let Some((_, f)) = declared {
            let declaration = adjoin_ir::ctype_print::declare(&module.types, f.ty, &f.name);
            text.push_str(&format!(" extern {declaration};"));
        }
    }
    for global in globals {
        let data = &module.globals[global];
        if data.linkage != Linkage::External {
            continue;
        }
        let declared = names.vars.get(&*data.name);
        if declared.is_some_and(|&id| hidden(unit.var_visible[id])) {
            let declaration =
                adjoin_ir::ctype_print::declare(&module.types, data.ctype, &data.name);
            text.push_str(&format!(" extern {declaration};"));
        }
    }
    (text, builtins)
}

/// Replaces the bodies of the lowered functions in the text.
pub fn emit_in_place(parsed: &Parsed, lowered: &Lowered) -> ThroughIr {
    let module = &lowered.module;
    let bodies: HashMap<&str, Func> = module
        .funcs
        .iter()
        .filter(|(_, function)| function.body.is_some())
        .map(|(id, function)| (&*function.name, id))
        .collect();
    let kept_as_written = lowered.refusals.iter().chain(&lowered.readings);
    let refusals: HashMap<FuncId, &Refusal> = kept_as_written.map(|r| (r.func, r)).collect();
    let options = adjoin_emit::Options {
        lines: adjoin_emit::Lines::Markers,
        ..Default::default()
    };
    let emitter = adjoin_emit::Emitter::new(module, &options);
    let mut reporter = Reporter::new(&parsed.source, output::renderer(false));
    let names = Names::of(parsed);
    let mut replacements = Vec::new();
    let mut kept = Vec::new();
    let mut fates = Vec::new();
    let mut definitions: Vec<(FuncId, &FuncDecl)> = parsed
        .unit
        .funcs
        .iter()
        .filter(|(_, function)| is_user_definition(function))
        .collect();
    definitions.sort_by_key(|(_, function)| function.body.as_ref().map(|body| body.range));
    for (id, function) in definitions {
        let Some(body) = &function.body else { continue };
        let at = reporter.place(function.span);
        let place = at
            .rsplit_once(':')
            .map_or(&*at, |(line, _)| line)
            .to_owned();
        let range = body.range.start as usize..body.range.end as usize;
        let refusal = match (refusals.get(&id), bodies.get(&*function.name)) {
            (None, Some(&func)) => {
                let (declarations, builtins) =
                    block_declarations(parsed, &names, module, func, body.range.start);
                let mut text = emitter.body_with_builtins(func, &builtins);
                if let Some(brace) = text.find('{').filter(|_| !declarations.is_empty()) {
                    text.insert_str(brace + 1, &declarations);
                }
                replacements.push(Replacement {
                    range,
                    text: text.into_bytes(),
                });
                None
            }
            (Some(refusal), _) => Some((refusal.reason.clone(), reporter.place(refusal.span))),
            (None, None) => Some(("not lowered".to_owned(), at)),
        };
        if refusal.is_some() {
            kept.push(body.range.start as usize..body.range.end as usize);
        }
        fates.push(Fate {
            name: function.name.clone(),
            place,
            refusal,
        });
    }
    mentions::keep(parsed, &kept, &mut replacements);
    ThroughIr {
        text: splice::splice(&parsed.source.text, &replacements),
        fates,
    }
}

/// A refusal as a diagnostic, for commands where the function was asked for by name.
pub fn refusal_diagnostic(parsed: &Parsed, refusal: &Refusal) -> Diagnostic {
    let function = &parsed.unit.funcs[refusal.func];
    let mut diagnostic =
        Diagnostic::error(refusal.span, refusal.reason.clone()).label("not supported here");
    if function.span != refusal.span {
        diagnostic = diagnostic.related(function.span, format!("in function `{}`", function.name));
    }
    diagnostic
}
