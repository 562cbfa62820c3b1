//! The Enzyme entry points in C source: finds the calls, asks for the derivatives, and rewrites the text.
//!
//! A call becomes a call of a generated static function, which is declared in front of the function around the call and defined at the end of the
//! text, where everything it may use is visible. Nothing else of the text changes.

use crate::pipeline;
use adjoin_ad::{Activity, Request};
use adjoin_front::Parsed;
use adjoin_front::ast::{Expr, ExprKind, FuncId, Span};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{CTypeKind, Func, Linkage, Module, Op};

/// What became of a text.
#[derive(Debug)]
pub enum Derived {
    /// It asks for no derivative.
    Nothing,
    /// The new text.
    Text(Vec<u8>),
    /// It cannot be done; these say why.
    Errors(Vec<Diagnostic>),
}

/// A call of an entry point.
struct Call<'a> {
    expr: &'a Expr,
    args: &'a [Expr],
    name: &'a str,
    /// The function around it.
    caller: FuncId,
}

/// Replaces calls of entry points by generated functions.
pub fn derive(parsed: &Parsed) -> Derived {
    let calls = find_calls(parsed);
    if calls.is_empty() {
        return Derived::Nothing;
    }
    let mut lowered = pipeline::lower_user_functions(parsed);
    let mut errors = Vec::new();
    if pipeline::run_passes(&mut lowered.module, None).is_err() {
        errors.push(Diagnostic::error(
            calls[0].expr.span,
            "internal error: the IR of this file is not valid",
        ));
        return Derived::Errors(errors);
    }
    let mut edits: Vec<(Span, String)> = Vec::new();
    let mut generated = Vec::new();
    let known = (
        lowered.module.funcs.len(),
        lowered.module.types.records.len(),
    );
    for (number, call) in calls.iter().enumerate() {
        match rewrite(parsed, &mut lowered.module, call, number) {
            Ok((func, text)) => {
                edits.push((call.expr.span, text));
                let before = parsed.unit.funcs[call.caller]
                    .body
                    .as_ref()
                    .map_or(call.expr.span, |b| b.whole);
                generated.push((func, before.start));
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Derived::Errors(errors);
    }
    for pass in adjoin_passes::PASSES {
        pass.run(&mut lowered.module);
    }
    if let Err(found) = adjoin_ir::verify_module(&lowered.module) {
        let message = format!(
            "internal error: the derivative's IR is not valid: {}",
            found[0]
        );
        return Derived::Errors(vec![Diagnostic::error(calls[0].expr.span, message)]);
    }
    Derived::Text(splice(parsed, &lowered.module, edits, &generated, known))
}

fn find_calls(parsed: &Parsed) -> Vec<Call<'_>> {
    let unit = &parsed.unit;
    let mut calls = Vec::new();
    for (caller, function) in unit.funcs.iter() {
        let Some(body) = function.body.as_ref().filter(|b| !b.in_system_header) else {
            continue;
        };
        adjoin_front::walk::expressions(unit, body, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let ExprKind::Decay(inner) = &callee.kind
                && let ExprKind::Func(f) = inner.kind
                && unit.funcs[f].body.is_none()
                && unit.funcs[f].name.contains("__enzyme_")
            {
                calls.push(Call {
                    expr: e,
                    args,
                    name: &unit.funcs[f].name,
                    caller,
                });
            }
        });
    }
    calls
}

/// The name of a variable that is read, casts aside: a marker.
fn marker<'a>(parsed: &'a Parsed, e: &Expr) -> Option<&'a str> {
    match &e.kind {
        ExprKind::Cast { operand, .. } | ExprKind::Load(operand) => marker(parsed, operand),
        ExprKind::Var(v) => Some(&*parsed.unit.vars[*v].name).filter(|n| n.starts_with("enzyme_")),
        _ => None,
    }
}

/// The function that an argument names.
fn function_named(e: &Expr) -> Option<FuncId> {
    match &e.kind {
        ExprKind::Cast { operand, .. } | ExprKind::Decay(operand) | ExprKind::AddrOf(operand) => {
            function_named(operand)
        }
        ExprKind::Func(f) => Some(*f),
        _ => None,
    }
}

/// A static local that a function or one that it calls by name uses: generated code at file scope cannot name it.
fn static_local(module: &Module, func: Func) -> Option<&str> {
    let mut seen = std::collections::BTreeSet::from([func]);
    let mut work = vec![func];
    let mut found = None;
    while let Some(func) = work.pop() {
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        body.walk(|inst| match &body.insts[inst].op {
            Op::GlobalAddr(g) if module.globals[*g].linkage == Linkage::StaticLocal => {
                found = Some(*g)
            }
            Op::Call(attr) if seen.insert(attr.func) => work.push(attr.func),
            _ => {}
        });
    }
    found.map(|g| &*module.globals[g].name)
}

fn source(parsed: &Parsed, span: Span) -> String {
    let text = parsed
        .source
        .text
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

fn rewrite(
    parsed: &Parsed,
    module: &mut Module,
    call: &Call<'_>,
    number: usize,
) -> Result<(Func, String), Diagnostic> {
    let fail = |span: Span, message: String| Err(Diagnostic::error(span, message));
    if !call.name.contains("__enzyme_autodiff") {
        return fail(
            call.expr.span,
            format!("'{}' is not supported yet", call.name),
        );
    }
    let Some(target) = call.args.first().and_then(function_named) else {
        return fail(
            call.expr.span,
            format!(
                "the first argument of '{}' must name the function to differentiate",
                call.name
            ),
        );
    };
    let name = &parsed.unit.funcs[target].name;
    let Some(func) = module.find_func(name) else {
        return fail(
            call.args[0].span,
            format!("cannot differentiate '{name}': its body is not known"),
        );
    };
    let CTypeKind::Function { ret, params, .. } =
        module.types.shape(module.funcs[func].ctype).clone()
    else {
        return fail(call.args[0].span, format!("'{name}' is not a function"));
    };
    let mut activity = Vec::new();
    let mut texts = Vec::new();
    let mut rest = call.args[1..].iter();
    let mut active_return = true;
    let mut pending = rest.next();
    for (k, &t) in params.iter().enumerate() {
        let mut kind = None;
        while let Some(word) = pending.and_then(|e| marker(parsed, e)) {
            match word {
                "enzyme_const" => kind = Some(Activity::Const),
                "enzyme_dup" | "enzyme_dupnoneed" => kind = Some(Activity::Dup),
                "enzyme_out" => kind = Some(Activity::Out),
                "enzyme_noret" | "enzyme_const_return" => active_return = false,
                other => {
                    let at = pending.map_or(call.expr.span, |e| e.span);
                    return fail(at, format!("the marker '{other}' is not supported yet"));
                }
            }
            pending = rest.next();
        }
        let types = &module.types;
        let kind = kind.unwrap_or_else(|| {
            if types.pointee(t).is_some() {
                Activity::Dup
            } else if types
                .arithmetic(t)
                .is_some_and(|b| b.is_float() || b.is_complex())
            {
                Activity::Out
            } else {
                Activity::Const
            }
        });
        let wanted = if kind == Activity::Dup { 2 } else { 1 };
        for what in ["value", "shadow"].iter().take(wanted) {
            let Some(e) = pending else {
                return fail(
                    call.expr.span,
                    format!(
                        "too few arguments: the {what} of parameter {} of '{name}' is missing",
                        k + 1
                    ),
                );
            };
            texts.push(source(parsed, e.span));
            pending = rest.next();
        }
        activity.push(kind);
    }
    if let Some(extra) = pending {
        return fail(
            extra.span,
            format!(
                "too many arguments: '{name}' has {} parameters",
                params.len()
            ),
        );
    }
    let new = format!("adjoin_{name}_grad_{number}");
    let result = call.expr.ty;
    let _ = ret;
    let request = Request {
        active_return,
        result: Some(result),
        ..Request::new(func, new.clone(), activity)
    };
    if let Some(name) = static_local(module, func) {
        let message = format!(
            "cannot differentiate '{}': its static local '{name}' comes in a later step",
            module.funcs[func].name
        );
        return fail(call.args[0].span, message);
    }
    match adjoin_ad::Session::default().reverse(module, &request) {
        Ok(func) => Ok((func, format!("{new}({})", texts.join(", ")))),
        Err(error) => {
            // The place is in the IR's terms; the call is where the user asked.
            let place = format!(
                "{}:{}:{}",
                module
                    .files
                    .get(error.span.file as usize)
                    .map_or("?", |f| f),
                error.span.line,
                error.span.col
            );
            Err(
                Diagnostic::error(call.expr.span, format!("{} ({place})", error.message))
                    .label("asked for here"),
            )
        }
    }
}

fn splice(
    parsed: &Parsed,
    module: &Module,
    mut edits: Vec<(Span, String)>,
    generated: &[(Func, u32)],
    known: (usize, usize),
) -> Vec<u8> {
    let emitter = adjoin_emit::Emitter::new(module, &adjoin_emit::Options::default());
    let printer = CPrinter::new(&module.types);
    let head = |func: Func| {
        let function = &module.funcs[func];
        format!(
            "static {}",
            printer.declare_function(function.ctype, &function.name, &function.param_names)
        )
    };
    for &(func, before) in generated {
        edits.push((
            Span {
                start: before,
                end: before,
            },
            format!("{}; ", head(func)),
        ));
    }
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let text = &parsed.source.text;
    let mut out = Vec::with_capacity(2 * text.len());
    let mut copied = 0;
    for (span, new) in &edits {
        if (span.start as usize) < copied {
            continue;
        }
        out.extend_from_slice(&text[copied..span.start as usize]);
        out.extend_from_slice(new.as_bytes());
        copied = span.end as usize;
    }
    out.extend_from_slice(&text[copied..]);
    out.extend_from_slice(b"\n# 1 \"<adjoin>\"\n");
    for global in module
        .globals
        .values()
        .filter(|g| g.name.contains("_bar") && g.linkage == adjoin_ir::Linkage::Static)
    {
        out.extend_from_slice(
            format!("static {};\n", printer.declare(global.ctype, &global.name)).as_bytes(),
        );
    }
    for data in module.types.records.values().skip(known.1) {
        let Some(tag) = data.tag.as_deref() else {
            continue;
        };
        let mut text = format!("struct {tag} {{\n");
        for field in data.fields.iter().flatten() {
            let name = field.name.as_deref().unwrap_or_default();
            text.push_str(&format!("    {};\n", printer.declare(field.ty, name)));
        }
        out.extend_from_slice(format!("{text}}};\n").as_bytes());
    }
    // What the derivatives call: functions of the C library, helpers, derivatives of what the user's functions call.
    let called = reachable(module, generated.iter().map(|&(func, _)| func));
    let added: Vec<Func> = called
        .into_iter()
        .filter(|f| f.as_u32() as usize >= known.0)
        .collect();
    for &func in &added {
        let function = &module.funcs[func];
        let text = match (&function.body, function.name.starts_with("__builtin_")) {
            (Some(_), _) => format!("{};\n", head(func)),
            (None, true) => continue,
            (None, false) => {
                let names = &function.param_names;
                let text = printer.declare_function(function.ctype, &function.name, names);
                format!("extern {text};\n")
            }
        };
        out.extend_from_slice(text.as_bytes());
    }
    for &func in added.iter().filter(|&&f| module.funcs[f].body.is_some()) {
        out.extend_from_slice(format!("{}\n{}\n", head(func), emitter.body(func)).as_bytes());
    }
    out
}

/// The functions that functions name, themselves included.
fn reachable(
    module: &Module,
    from: impl Iterator<Item = Func>,
) -> std::collections::BTreeSet<Func> {
    let mut seen = std::collections::BTreeSet::new();
    let mut work: Vec<Func> = from.collect();
    while let Some(func) = work.pop() {
        if !seen.insert(func) {
            continue;
        }
        if let Some(body) = &module.funcs[func].body {
            body.walk(|inst| match &body.insts[inst].op {
                Op::Call(attr) => work.push(attr.func),
                Op::FuncAddr(f) => work.push(*f),
                _ => {}
            });
        }
    }
    seen
}
