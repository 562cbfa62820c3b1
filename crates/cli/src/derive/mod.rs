//! The Enzyme entry points in C source: finds the calls, asks for the derivatives, and rewrites the text.
//!
//! A call stays where it is: its callee becomes the name of a generated static function, markers go, and all other arguments stay as they are written, so that they
//! are evaluated once and convert as C converts arguments. The function is declared in front of the function around the call and defined at the end of
//! the text, where everything it may use is visible. Nothing else of the text changes.
//!
//! `calls` finds the calls and reads their arguments, `functions` finds out which function an argument is, `registrations` and `said` read what the user says about
//! functions, `places` turns the IR's places into the source's, `emission` writes what was added to the module, `edits` puts it all into the text.

mod calls;
pub mod edits;
mod emission;
mod functions;
mod places;
pub(crate) mod registrations;
mod results;
pub(crate) mod said;
pub mod statics;

use crate::pipeline;
use adjoin_ad::AdError;
use adjoin_ad::entry::{
    Entries, Entry, NoChoice, Parameter, Role, Specification, Unsure, callable_as, entry_point,
};
use adjoin_front::Parsed;
use adjoin_front::ast::{Expr, FuncId, Span};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Func, Module, Op, Type, Value};
use adjoin_lower::Lowered;
use calls::Call;
use edits::Edits;
pub use emission::{LARGE_BLOCKS, free_kept};
use functions::Which;
use places::Places;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a text.
#[derive(Debug)]
pub enum Derived {
    /// It asks for no derivative.
    Nothing,
    /// The new text, and derivatives that it calls and that the whole program must be seen for.
    Text(Vec<u8>, Vec<Pending>),
    /// It cannot be done; these say why.
    Errors(Vec<Diagnostic>),
}

/// A derivative that a text calls and that another file must help to make: a [`Specification`] that knows functions by their names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Pending {
    /// The function that the text calls; the type of its result is the one that is asked for.
    pub symbol: String,
    /// The function to differentiate.
    pub function: String,
    /// Where: `file:line:column`.
    pub place: String,
    pub entry: Entry,
    pub params: Vec<Parameter>,
    pub width: u32,
    pub active_return: bool,
    pub primal_return: bool,
    pub strong_zero: bool,
    pub runtime_activity: bool,
    pub caller_tape: bool,
    pub no_free: bool,
    pub roles: Vec<Role>,
    pub disjoint: BTreeSet<(u32, u32)>,
}

impl Pending {
    fn new(spec: &Specification, function: &str, symbol: &str, place: String) -> Pending {
        Pending {
            symbol: symbol.to_string(),
            function: function.to_string(),
            place,
            entry: spec.entry,
            params: spec.params.clone(),
            width: spec.width,
            active_return: spec.active_return,
            primal_return: spec.primal_return,
            strong_zero: spec.strong_zero,
            runtime_activity: spec.runtime_activity,
            caller_tape: spec.caller_tape,
            no_free: spec.no_free,
            roles: spec.roles.clone(),
            disjoint: spec.disjoint.clone(),
        }
    }

    /// The specification, in terms of a module.
    pub fn specification(&self, func: Func, result: CTy) -> Specification {
        Specification {
            entry: self.entry,
            func,
            params: self.params.clone(),
            width: self.width,
            active_return: self.active_return,
            primal_return: self.primal_return,
            strong_zero: self.strong_zero,
            runtime_activity: self.runtime_activity,
            caller_tape: self.caller_tape,
            no_free: self.no_free,
            result,
            roles: self.roles.clone(),
            disjoint: self.disjoint.clone(),
            constants: BTreeMap::new(),
            extents: BTreeMap::new(),
        }
    }
}

/// Replaces calls of entry points by calls of generated functions. With the name of a unit, derivatives that need functions of other files are left to link
/// time. `whole`: there are no other files.
pub fn derive(
    parsed: &Parsed,
    unit: Option<&str>,
    whole: bool,
    options: adjoin_ad::Options,
) -> Derived {
    let (calls, mut errors) = calls::find(parsed);
    if calls.is_empty() && errors.is_empty() && !registrations::has_pragmas(&parsed.unit.pragmas) {
        return Derived::Nothing;
    }
    let mut lowered = pipeline::lower_for_derivatives(parsed);
    pipeline::keep_what_is_invalid(parsed, &mut lowered);
    if let Err(failure) = pipeline::run_passes(&mut lowered.module, None) {
        return Derived::Errors(vec![Diagnostic::error(
            calls.first().map_or_else(Span::default, |c| c.expr.span),
            failure.message,
        )]);
    }
    let counts = emission::Counts::of(&lowered.module);
    let mut entries = Entries::new(edits::identifiers(&parsed.source.text));
    entries.session.options = options;
    entries.session.last = unit.is_none();
    entries.vectors = true;
    let mut edits = Edits::default();
    errors.extend(registrations::read(
        parsed,
        &mut lowered.module,
        &mut entries.session.registry,
    ));
    entries.session.registry.whole = whole;
    entries.session.registry.all_seen = lowered.refusals.is_empty();
    entries.session.registry.unseen = unseen(parsed, &lowered);
    registrations::remove_pragmas(parsed, &mut edits);
    registrations::remove_attributes(parsed, &mut edits);
    let mut work = Work {
        parsed,
        lowered,
        entries,
        edits,
        targets: Vec::new(),
        results: Vec::new(),
        unit,
        pending: Vec::new(),
        constants: BTreeMap::new(),
    };
    for call in &calls {
        if let Err(error) = work.rewrite(call) {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        match work.finish(counts) {
            Ok((text, pending)) => return Derived::Text(text, pending),
            Err(found) => errors = found,
        }
    }
    errors.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    Derived::Errors(errors)
}

/// The variables that functions mention which have no IR.
fn unseen(parsed: &Parsed, lowered: &Lowered) -> BTreeSet<adjoin_ir::Global> {
    let mut names = BTreeSet::new();
    for refusal in &lowered.refusals {
        if let Some(body) = &parsed.unit.funcs[refusal.func].body {
            let text = &parsed.source.text[body.range.start as usize..body.range.end as usize];
            names.append(&mut edits::identifiers(text));
        }
    }
    let globals = lowered.module.globals.iter();
    globals
        .filter(|(_, data)| names.contains(&data.name))
        .map(|(g, _)| g)
        .collect()
}

/// The state of one text.
struct Work<'a> {
    parsed: &'a Parsed,
    lowered: Lowered,
    entries: Entries,
    edits: Edits,
    /// Functions that rewritten calls call, and where they must be declared.
    targets: Vec<(Func, u32)>,
    /// The calls.
    results: Vec<results::Returned>,
    /// The unit's name, if what is missing here may be found at link time.
    unit: Option<&'a str>,
    pending: Vec<Pending>,
    /// The constants that derivatives were made for, by function.
    constants: BTreeMap<Func, BTreeSet<BTreeMap<u32, i128>>>,
}

/// A function has at most this many derivatives that differ in constants.
const MOST_SIZES: usize = 2;

impl Work<'_> {
    fn rewrite(&mut self, call: &Call<'_>) -> Result<(), Diagnostic> {
        let at = call.expr.span;
        match call.entry {
            Entry::Truncated => return self.truncate(call),
            Entry::Rounded => {
                self.single_precision(call)?;
                return self.edits.identity(self.parsed, call, "(float)");
            }
            Entry::Unknown => {
                return Err(Diagnostic::error(
                    at,
                    format!("'{}' is not an entry point that Adjoin knows", call.name),
                )
                .help("the entry points are __enzyme_autodiff, __enzyme_fwddiff, __enzyme_augmentsize, __enzyme_augmentfwd, __enzyme_reverse, __enzyme_virtualreverse and __enzyme_iter"));
            }
            Entry::Identity => return self.edits.identity(self.parsed, call, ""),
            Entry::Hint => {
                // Its arguments only say something.
                self.edits.replace(at, "((void)0)");
                return Ok(());
            }
            _ => {}
        }
        let Some(first) = call.args.first() else {
            return Err(Diagnostic::error(
                at,
                format!("'{}' needs the function to differentiate", call.name),
            ));
        };
        let func = match functions::of(self.parsed, first) {
            Which::Named(target) => {
                let mut spec = self.specify(call, first, target)?;
                self.add_facts(call, &mut spec);
                let place = places::ir_span(self.parsed, at);
                let func = match self.unit {
                    Some(unit) if !self.is_complete(spec.func) => self.defer(call, unit, &spec),
                    unit => {
                        let made = self.entries.target(&mut self.lowered.module, &spec, place);
                        match (made, unit) {
                            // Another file may say what a pointer at file scope points to.
                            (Err(error), Some(unit)) if error.elsewhere => {
                                self.defer(call, unit, &spec)
                            }
                            (made, _) => made,
                        }
                    }
                };
                let func = func.map_err(|error| self.diagnose(call, &error))?;
                self.edits
                    .call(self.parsed, &self.lowered.module, call, &spec, func, false)?;
                func
            }
            which => self.choose(call, first, which)?,
        };
        let before = self.parsed.unit.funcs[call.caller]
            .body
            .as_ref()
            .map_or(at, |b| b.whole);
        self.targets.push((func, before.start));
        self.results.push(results::Returned {
            func,
            before: before.start,
            span: at,
            ty: call.expr.ty,
        });
        self.edits.keep_alive(self.parsed, call);
        Ok(())
    }

    /// A function in lower precision: its name stands for the call.
    fn truncate(&mut self, call: &Call<'_>) -> Result<(), Diagnostic> {
        let at = call.expr.span;
        self.single_precision(call)?;
        if self.parsed.unit.types.pointee(call.expr.ty).is_none() {
            let what = format!(
                "'{}' must be declared to return a pointer to a function",
                call.name
            );
            return Err(Diagnostic::error(at, what));
        }
        let target = call.args.first().map(|a| functions::of(self.parsed, a));
        let Some(Which::Named(target)) = target else {
            let what = format!("the first argument of '{}' must name a function", call.name);
            return Err(Diagnostic::error(at, what));
        };
        let name = &*self.parsed.unit.funcs[target].name;
        let Some(func) = self.lowered.module.find_func(name) else {
            let what = format!("'{name}' has no body that could be evaluated in lower precision");
            return Err(Diagnostic::error(at, what));
        };
        let made = self.entries.truncated(&mut self.lowered.module, func);
        let made = made.map_err(|error| {
            let what = error
                .message
                .replace("cannot differentiate", "cannot evaluate");
            Diagnostic::error(at, what)
        })?;
        let name = self.lowered.module.funcs[made].name.clone();
        self.edits.replace(at, name);
        let body = self.parsed.unit.funcs[call.caller].body.as_ref();
        self.targets
            .push((made, body.map_or(at, |b| b.whole).start));
        self.edits.keep_alive(self.parsed, call);
        Ok(())
    }

    /// Is it from `double` to `float`, as the last arguments say?
    fn single_precision(&self, call: &Call<'_>) -> Result<(), Diagnostic> {
        let sizes: Vec<Option<i128>> = calls::arguments(self.parsed, call)
            .iter()
            .map(|a| a.constant)
            .collect();
        if sizes.len() == 2 && sizes == [Some(64), Some(32)] {
            return Ok(());
        }
        let what = format!("'{}' needs the constants 64 and 32", call.name);
        Err(Diagnostic::error(call.expr.span, what)
            .help("numbers of 64 bits can be evaluated as numbers of 32 bits, no others"))
    }

    /// What is known of the arguments that a call passes: which pointers point to different objects, and which integers are constants.
    fn add_facts(&mut self, call: &Call<'_>, spec: &mut Specification) {
        let module = &self.lowered.module;
        let name = &*self.parsed.unit.funcs[call.caller].name;
        let caller = module.find_func(name);
        let body = caller.and_then(|f| module.funcs[f].body.as_ref());
        let (Some(caller), Some(body)) = (caller, body) else {
            return;
        };
        let place = places::ir_span(self.parsed, call.expr.span);
        let mut found = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Call(attr) = &data.op
                && data.span == place
                && module.funcs[attr.func].name == call.name
                && data.args.len() == call.args.len()
            {
                found.push(inst);
            }
        });
        let [inst] = found[..] else {
            return;
        };
        let complete = self.lowered.refusals.is_empty();
        let registry = &self.entries.session.registry;
        spec.disjoint = adjoin_ad::entry::disjoint(module, registry, spec, caller, inst, complete);
        spec.extents = adjoin_ad::entry::extents(module, registry, spec, caller, inst, complete);
        let constants = adjoin_ad::entry::constants(module, spec, caller, inst);
        // A derivative for each size, but not for many.
        let known = self.constants.entry(spec.func).or_default();
        if known.contains(&constants) || known.len() < MOST_SIZES {
            known.insert(constants.clone());
            spec.constants = constants;
        }
    }

    /// Are the bodies of all functions here that a function calls, as far as they matter?
    fn is_complete(&self, func: Func) -> bool {
        let module = &self.lowered.module;
        let registry = &self.entries.session.registry;
        let mut seen = BTreeSet::from([func]);
        let mut work = vec![func];
        let mut complete = true;
        // A table of another file has functions of that file in it.
        let (mut dispatches, mut foreign) = (false, false);
        while let Some(func) = work.pop() {
            let function = &module.funcs[func];
            let Some(body) = &function.body else {
                complete &= registry.is_special(func)
                    || adjoin_ad::is_known(&function.name)
                    || function.name.starts_with("__")
                    || entry_point(&function.name).is_some();
                continue;
            };
            body.walk(|inst| match &body.insts[inst].op {
                // What it differentiates itself matters as well.
                Op::Call(attr) if entry_point(&module.funcs[attr.func].name).is_some() => {
                    let first = body.insts[inst].args.first();
                    let named = first.and_then(|&v| named_function(body, v));
                    work.extend(named.filter(|&f| seen.insert(f)));
                }
                Op::Call(attr) if seen.insert(attr.func) => work.push(attr.func),
                Op::CallIndirect(_) => dispatches = true,
                Op::GlobalAddr(g) => {
                    let data = &module.globals[*g];
                    foreign |= data.init.is_none()
                        && leads_to_functions(&module.types, data.ctype, &mut BTreeSet::new());
                }
                _ => {}
            });
        }
        complete && !(dispatches && (foreign || self.unit.is_some() && self.is_open()))
    }

    /// May pointers to functions of other files come into this one? Not if it has `main` and calls nothing of theirs.
    fn is_open(&self) -> bool {
        let module = &self.lowered.module;
        let registry = &self.entries.session.registry;
        let is_theirs = |func: Func| {
            let function = &module.funcs[func];
            function.body.is_none()
                && !registry.is_special(func)
                && !adjoin_ad::is_known(&function.name)
                && !function.name.starts_with("__")
                && entry_point(&function.name).is_none()
        };
        let main = module.find_func("main");
        if main.is_none_or(|f| module.funcs[f].body.is_none()) {
            return true;
        }
        let mut open = false;
        for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
            body.walk(|inst| match &body.insts[inst].op {
                Op::Call(attr) => open |= is_theirs(attr.func),
                Op::FuncAddr(f) => open |= is_theirs(*f),
                Op::GlobalAddr(g) => {
                    let data = &module.globals[*g];
                    open |= data.init.is_none()
                        && leads_to_functions(&module.types, data.ctype, &mut BTreeSet::new());
                }
                _ => {}
            });
        }
        open
    }

    /// Leaves a derivative to link time.
    fn defer(
        &mut self,
        call: &Call<'_>,
        unit: &str,
        spec: &Specification,
    ) -> Result<Func, AdError> {
        let module = &mut self.lowered.module;
        let name = module.funcs[spec.func].name.clone();
        let symbol = format!("adjoin_{unit}_{name}_{}", self.pending.len());
        let at = places::ir_span(self.parsed, call.expr.span);
        let file = module.files.get(at.file as usize).map_or("?", |f| f);
        let place = format!("{file}:{}:{}", at.line, at.col);
        self.pending.push(Pending::new(spec, &name, &symbol, place));
        self.entries.declare(module, spec, &symbol)
    }

    /// A call whose function is a pointer: the derivative is chosen at run time.
    fn choose(&mut self, call: &Call<'_>, first: &Expr, which: Which) -> Result<Func, Diagnostic> {
        let unknown = |why: &str| {
            Diagnostic::error(
                first.span,
                format!(
                    "the first argument of '{}' must name the function to differentiate: {why}",
                    call.name
                ),
            )
        };
        let candidates = match &which {
            Which::Named(f) => vec![*f],
            Which::OneOf(list) => list.clone(),
            Which::Any(_) => Vec::new(),
        };
        for &f in &candidates {
            // Each must be possible.
            self.specify(call, first, f)?;
        }
        let module = &mut self.lowered.module;
        let names = candidates.iter().map(|&f| &*self.parsed.unit.funcs[f].name);
        let mut funcs: Vec<Func> = names.filter_map(|n| module.find_func(n)).collect();
        if let Which::Any(why) = &which {
            let declared = functions::as_written(first).ty;
            let function = module.types.pointee(declared);
            funcs = function.map_or(Vec::new(), |t| callable_as(module, t));
            if funcs.is_empty() {
                return Err(unknown(why));
            }
        }
        let arguments = calls::arguments(self.parsed, call);
        let unsure = Unsure {
            entry: call.entry,
            candidates: &funcs,
            arguments: &arguments,
            result: call.expr.ty,
            span: places::ir_span(self.parsed, call.expr.span),
        };
        match self.entries.choice(module, unsure) {
            Ok((func, spec)) => {
                self.edits
                    .call(self.parsed, &self.lowered.module, call, &spec, func, true)?;
                Ok(func)
            }
            Err(NoChoice::Error(error)) => Err(self.diagnose(call, &error)),
            Err(NoChoice::Malformed(malformed)) => {
                Err(Diagnostic::error(call.expr.span, malformed.message))
            }
        }
    }

    /// Understands a call of an entry point for a function.
    fn specify(
        &self,
        call: &Call<'_>,
        first: &Expr,
        target: FuncId,
    ) -> Result<Specification, Diagnostic> {
        let at = call.expr.span;
        let declared = &self.parsed.unit.funcs[target];
        let module = &self.lowered.module;
        let Some(func) = module.find_func(&declared.name) else {
            return Err(Diagnostic::error(
                first.span,
                format!(
                    "cannot differentiate '{}': its body is not known",
                    declared.name
                ),
            ));
        };
        let registry = &self.entries.session.registry;
        let registered = registry.gradients.contains_key(&func)
            || registry.derivatives.contains_key(&func)
            || registry.like.contains_key(&func);
        let needs_body = call.entry != Entry::Shadow && !registered;
        let refused = || self.refusal(&declared.name).is_some();
        let elsewhere = self.unit.is_some() && !declared.is_static && !refused();
        if needs_body && !elsewhere && module.funcs[func].body.is_none() {
            return Err(self.without_body(first.span, &declared.name));
        }
        let arguments = calls::arguments(self.parsed, call);
        adjoin_ad::entry::specify(module, call.entry, func, &arguments, call.expr.ty).map_err(
            |malformed| {
                let place = malformed
                    .argument
                    .and_then(|k| call.args.get(k + 1))
                    .map_or(at, |e| e.span);
                Diagnostic::error(place, malformed.message)
            },
        )
    }

    fn refusal(&self, name: &str) -> Option<&adjoin_lower::Refusal> {
        self.lowered
            .refusals
            .iter()
            .find(|r| self.parsed.unit.funcs[r.func].name == name)
    }

    /// Why a function has no body in the module.
    fn without_body(&self, at: Span, name: &str) -> Diagnostic {
        match self.refusal(name) {
            Some(refusal) => Diagnostic::error(
                refusal.span,
                format!("cannot differentiate '{name}': {}", refusal.reason),
            )
            .related(at, "asked for here"),
            None => Diagnostic::error(
                at,
                format!("cannot differentiate '{name}': its body is not known"),
            ),
        }
    }

    /// An error of differentiation: at the place that it is about, with a note where it was asked for.
    fn diagnose(&self, call: &Call<'_>, error: &AdError) -> Diagnostic {
        let places = Places::of(self.parsed);
        let asked = call.expr.span;
        let Some(span) = places.find(error.span) else {
            return Diagnostic::error(asked, error.message.clone()).label("asked for here");
        };
        let mut diagnostic = Diagnostic::error(span, error.message.clone());
        if span != asked {
            diagnostic = diagnostic.related(asked, "asked for here");
        }
        for refusal in &self.lowered.refusals {
            let name = &self.parsed.unit.funcs[refusal.func].name;
            if error.message.contains(&format!("'{name}'")) {
                let why = format!("'{name}' has no body here: {}", refusal.reason);
                diagnostic = diagnostic.related(refusal.span, why);
            }
        }
        diagnostic
    }

    /// The new text.
    fn finish(
        mut self,
        mut counts: emission::Counts,
    ) -> Result<(Vec<u8>, Vec<Pending>), Vec<Diagnostic>> {
        let internal = |message: String| vec![Diagnostic::error(Span::default(), message)];
        let lift = statics::lift(
            self.parsed,
            &mut self.lowered.module,
            &counts,
            &self.entries.taken,
            &mut self.edits,
        );
        lift.map_err(|error| vec![error])?;
        adjoin_ad::complete(&mut self.lowered.module);
        self.tidy(&counts);
        if let Err(found) = adjoin_ir::verify_module(&self.lowered.module) {
            return Err(internal(format!(
                "internal error in adjoin: the derivative's IR is not valid: {}",
                found[0]
            )));
        }
        let module = &mut self.lowered.module;
        emission::lift_records(module, &mut counts);
        emission::rename(module, &counts, &self.entries.taken);
        emission::plain_parameters(module, &counts);
        emission::distinct_parameters(module, &counts);
        let defined =
            results::convert(self.parsed, module, &counts, &self.results, &mut self.edits);
        for &(func, before) in &self.targets {
            self.edits
                .declare(before, emission::prototype(module, func));
        }
        let roots: Vec<Func> = self.targets.iter().map(|&(f, _)| f).collect();
        let options = adjoin_emit::Options {
            simd_sums: self.entries.session.options.for_gcc,
            plain_roots: self.entries.session.options.for_gcc
                && emission::has_gnu_math(self.parsed),
            ..Default::default()
        };
        let added = emission::text(self.parsed, module, &counts, (&roots, defined), &options);
        let text = self.edits.apply(&self.parsed.source.text, &added);
        Ok((text, self.pending))
    }

    /// Runs the passes over what was made.
    fn tidy(&mut self, counts: &emission::Counts) {
        tidy(&mut self.lowered.module, |f| counts.is_new_func(f));
    }
}

/// Runs the passes, and cleans functions up that were made.
pub fn tidy(module: &mut Module, made: impl Fn(Func) -> bool) {
    // What one takes away lets the other find more.
    for _ in 0..2 {
        for pass in adjoin_passes::PASSES {
            pass.run(module);
        }
        for func in module.funcs.keys().filter(|&f| made(f)) {
            dead_calls(module, func);
        }
    }
}

/// Takes out calls of the math library whose results nobody uses, and blocks that nobody has the address of any more: compilers warn of them.
fn dead_calls(module: &mut Module, func: Func) {
    let Some(mut body) = module.funcs[func].body.take() else {
        return;
    };
    loop {
        let mut used = BTreeSet::new();
        body.walk(|inst| used.extend(body.insts[inst].args.iter().copied()));
        let mut dead = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let pure = match &data.op {
                Op::Call(attr) => {
                    let numbers = data.args.iter().all(|&v| body.ty(v) != Type::Ptr);
                    let name = module.funcs[attr.func].name.as_str();
                    let function = &module.funcs[attr.func];
                    let allocates = function.body.is_none() && adjoin_ad::only_allocates(name);
                    allocates || numbers && adjoin_ad::rules::lookup(name).is_some()
                }
                op => op.is_pure() && data.regions.is_empty(),
            };
            if pure && !data.results.is_empty() && data.results.iter().all(|v| !used.contains(v)) {
                dead.push(inst);
            }
        });
        if dead.is_empty() {
            break;
        }
        for inst in dead {
            adjoin_passes::edit::unlink(&mut body, inst);
        }
    }
    module.funcs[func].body = Some(body);
}

/// The function that a pointer is the address of, conversions aside.
fn named_function(body: &Body, mut v: Value) -> Option<Func> {
    loop {
        let data = &body.insts[body.def_inst(v)?];
        match &data.op {
            Op::FuncAddr(func) => return Some(*func),
            Op::Cast => v = data.args[0],
            _ => return None,
        }
    }
}

/// Can functions be reached through the pointers in an object?
fn leads_to_functions(types: &CTypes, t: CTy, seen: &mut BTreeSet<CTy>) -> bool {
    if !seen.insert(t) {
        return false;
    }
    match types.shape(t) {
        CTypeKind::Function { .. } => true,
        CTypeKind::Pointer(to) => leads_to_functions(types, *to, seen),
        CTypeKind::Array { elem, .. } => leads_to_functions(types, *elem, seen),
        CTypeKind::Record(r) => {
            let mut fields = types.records[*r].fields.iter().flatten();
            fields.any(|f| leads_to_functions(types, f.ty, seen))
        }
        _ => false,
    }
}
