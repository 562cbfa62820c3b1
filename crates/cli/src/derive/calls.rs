//! Finds calls of entry points in the tree, and reads their arguments.

use adjoin_ad::entry::{Argument, Entry, entry_point};
use adjoin_front::Parsed;
use adjoin_front::ast::{Expr, ExprKind, FuncId, Init, Span};
use adjoin_front::diag::Diagnostic;
use std::collections::BTreeSet;

/// A call of an entry point.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The call.
    pub expr: &'a Expr,
    /// What stands in front of the parentheses.
    pub callee: &'a Expr,
    /// All arguments, the function first.
    pub args: &'a [Expr],
    /// The name of the entry point.
    pub name: &'a str,
    /// Which it is.
    pub entry: Entry,
    /// The function around the call.
    pub caller: FuncId,
}

/// All calls that are evaluated, outer before inner, and what else is done with entry points, which is an error.
pub fn find(parsed: &Parsed) -> (Vec<Call<'_>>, Vec<Diagnostic>) {
    let unit = &parsed.unit;
    let mut calls: Vec<Call<'_>> = Vec::new();
    let mut called: BTreeSet<Span> = BTreeSet::new();
    let mut errors = Vec::new();
    for (caller, function) in unit.funcs.iter() {
        let Some(body) = function.body.as_ref().filter(|b| !b.in_system_header) else {
            continue;
        };
        adjoin_front::walk::expressions(unit, body, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let Some((name, entry)) = named(parsed, callee)
                // A macro or a `?:` without its middle can show a tree twice.
                && called.insert(e.span)
            {
                calls.push(Call {
                    expr: e,
                    callee,
                    args,
                    name,
                    entry,
                    caller,
                });
            }
        });
        let inside: Vec<Span> = calls.iter().map(|c| c.callee.span).collect();
        adjoin_front::walk::expressions(unit, body, &mut |e| {
            errors.extend(misused(parsed, e, &inside));
        });
    }
    let inside: Vec<Span> = calls.iter().map(|c| c.callee.span).collect();
    for variable in unit.vars.values() {
        let mut work: Vec<&Expr> = match &variable.init {
            Some(Init::Expr(e)) => vec![e],
            Some(Init::List(items)) => items.iter().map(|i| &i.value).collect(),
            None => continue,
        };
        while let Some(e) = work.pop() {
            let found = misused(parsed, e, &inside).filter(|d| !errors.contains(d));
            errors.extend(found);
            adjoin_front::walk::operands(e, &mut |operand| work.push(operand));
        }
    }
    (calls, errors)
}

/// An entry point that is not called here.
fn misused(parsed: &Parsed, e: &Expr, called: &[Span]) -> Option<Diagnostic> {
    let ExprKind::Func(f) = e.kind else {
        return None;
    };
    let function = &parsed.unit.funcs[f];
    let inside = |s: &Span| s.start <= e.span.start && e.span.end <= s.end;
    let is_entry = function.body.is_none() && entry_point(&function.name).is_some();
    (is_entry && !called.iter().any(inside)).then(|| {
        let what = format!(
            "'{}' can only be called: its address means nothing",
            function.name
        );
        Diagnostic::error(e.span, what)
    })
}

/// The entry point that a callee names, conversions aside.
fn named<'a>(parsed: &'a Parsed, callee: &Expr) -> Option<(&'a str, Entry)> {
    match &callee.kind {
        ExprKind::Func(f) => {
            let function = &parsed.unit.funcs[*f];
            function.body.is_none().then_some(())?;
            Some((&*function.name, entry_point(&function.name)?))
        }
        ExprKind::Decay(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::Deref(inner)
        | ExprKind::Cast { operand: inner, .. } => named(parsed, inner),
        _ => None,
    }
}

/// The arguments of a call, the function aside.
pub fn arguments(parsed: &Parsed, call: &Call<'_>) -> Vec<Argument> {
    let rest = call.args.iter().skip(1);
    rest.map(|e| Argument {
        marker: marker(parsed, e).map(str::to_string),
        constant: constant(e),
        ctype: written(e).ty,
    })
    .collect()
}

/// The expression as it is written, without the conversions that the entry point's own prototype asks for.
pub fn written(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast {
            operand,
            explicit: false,
        } => written(operand),
        _ => e,
    }
}

/// The name of a variable that is read, conversions aside: a marker. Its address is one too (`&enzyme_dup`), where it is an integer: others are memory.
fn marker<'a>(parsed: &'a Parsed, e: &Expr) -> Option<&'a str> {
    let types = &parsed.unit.types;
    match &e.kind {
        ExprKind::Cast { operand, .. } | ExprKind::Load(operand) => marker(parsed, operand),
        ExprKind::AddrOf(operand) => (types.arithmetic(operand.ty))
            .is_some_and(|b| b.is_integer())
            .then(|| marker(parsed, operand))?,
        ExprKind::Var(v) => Some(&*parsed.unit.vars[*v].name).filter(|n| n.starts_with("enzyme_")),
        _ => None,
    }
}

fn constant(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Int(n) => Some(*n),
        ExprKind::Cast { operand, .. } => constant(operand),
        _ => None,
    }
}
