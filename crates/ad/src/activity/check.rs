//! What would be silently wrong is an error.

use super::{
    Facts, Kind, Param, bytewise, crossing, from_integers, is_number, kind, root, round_trips,
    variable,
};
use crate::known::Known;
use crate::points_to::{Object, Place, PointsTo};
use crate::{AdError, Registry, mpi};
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{
    Body, CTy, CTypeKind, CTypes, Func, Inst, InstData, Module, Op, Span, Type, Value,
};
use std::collections::BTreeSet;

/// Refuses what the derivative would get wrong.
pub(super) fn check(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    facts: &mut Facts,
) -> Result<(), AdError> {
    let mut result = Ok(());
    let made = from_integers::find(body);
    let (mut stops, mut guarded) = (BTreeSet::new(), BTreeSet::new());
    body.walk(|inst| {
        if result.is_err() {
            return;
        }
        result = match check_data(module, registry, body, points, facts, inst) {
            // Memory of a caller that knows it to be inactive.
            Fate::Lost(_) if registry.late && !facts.shadow[body.insts[inst].args[0]].lost => {
                stops.insert(inst);
                Ok(())
            }
            Fate::Lost(error) => Err(error),
            Fate::Unsure => {
                guarded.insert(inst);
                Ok(())
            }
            Fate::Kept => Ok(()),
        };
        if result.is_ok() {
            result = check_one(module, registry, body, points, facts, inst);
        }
        if result.is_ok()
            && let Some(what) = from_integers::misuse(&module.types, body, facts, &made, inst)
        {
            result = Err(AdError::new(body.insts[inst].span, what));
        }
    });
    facts.stops = stops;
    facts.guarded = guarded;
    result?;
    let is_active = |v: Value| match body.ty(v) {
        Type::Ptr => {
            let numbers = |p: &Place| facts.numbers.contains(&p.object);
            facts.shadow[v].some && points.objects(v).iter().any(numbers)
        }
        ty => is_number(ty) && facts.varied.contains(v),
    };
    let has_shadow = |v: Value| facts.shadow[v].some;
    if let Some((inst, name)) = bytewise::first_call(module, registry, body, is_active, has_shadow)
    {
        let span = body.insts[inst].span;
        return Err(AdError::new(span, bytewise::refusal(&name)));
    }
    if let Some((inst, why)) = crossing::first(module, registry, body, is_active) {
        return Err(AdError::new(body.insts[inst].span, why));
    }
    if let Some(inst) = bytewise::first_move(module, body, has_shadow) {
        let name = variable(module, body, body.insts[inst].args[0]);
        let span = body.insts[inst].span;
        return Err(AdError::new(span, bytewise::move_refusal(name)));
    }
    match round_trips::find(module, body, is_active) {
        Some((inst, name)) => {
            let span = body.insts[inst].span;
            Err(AdError::new(span, round_trips::refusal(&name)))
        }
        None => Ok(()),
    }
}

/// What becomes of active data that an instruction writes.
enum Fate {
    /// It goes to memory with a shadow, or there is none.
    Kept,
    /// Its memory may lack a shadow, which only the run can tell, and nothing else does.
    Unsure,
    /// Its memory has no shadow.
    Lost(AdError),
}

/// Active data must not go to memory without a shadow, unless the user says that the memory is inactive.
fn check_data(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    facts: &Facts,
    inst: Inst,
) -> Fate {
    let data = &body.insts[inst];
    let (to, copies) = match &data.op {
        Op::Store(_) if is_number(body.ty(data.args[1])) && facts.varied.contains(data.args[1]) => {
            (data.args[0], false)
        }
        Op::Copy(attr) if copies_active(module, points, facts, data, attr.ctype) => {
            (data.args[0], true)
        }
        Op::Call(_) if matches!(kind(module, registry, &data.op), Kind::Known(Known::Copy)) => {
            let t = facts.layouts.get(&inst).map(|l| l.ty);
            match copies_active(module, points, facts, data, t) {
                true => (data.args[0], true),
                false => return Fate::Kept,
            }
        }
        _ => return Fate::Kept,
    };
    let shadow = facts.shadow[to];
    if !shadow.some && (shadow.lost || !told(registry, points, facts, to)) {
        let name = variable(module, body, to);
        let what = format!("a store of active data to '{name}': it has no shadow");
        return Fate::Lost(AdError {
            elsewhere: true,
            ..AdError::new(data.span, what)
        });
    }
    match copies && shadow.some && shadow.lost {
        true => Fate::Unsure,
        false => Fate::Kept,
    }
}

/// Does a copy take active numbers along? `t`: what it copies, if that is known.
fn copies_active(
    module: &Module,
    points: &PointsTo<'_>,
    facts: &Facts,
    data: &InstData,
    t: Option<CTy>,
) -> bool {
    let from = data.args[1];
    let active = |p: &Place| p.object == Object::Outside || facts.numbers.contains(&p.object);
    facts.shadow[from].some
        && points.objects(from).iter().any(active)
        && t.is_none_or(|t| holds_numbers(&module.types, t))
}

/// Are there numbers in an object of this type?
fn holds_numbers(types: &CTypes, t: CTy) -> bool {
    match &*types.memory_shape(t) {
        CTypeKind::Basic(b) => b.is_float() || b.is_complex(),
        CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => holds_numbers(types, *elem),
        CTypeKind::Record(r) => {
            let mut fields = types.records[*r].fields.iter().flatten();
            fields.any(|f| holds_numbers(types, f.ty))
        }
        _ => false,
    }
}

fn check_one(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    facts: &Facts,
    inst: Inst,
) -> Result<(), AdError> {
    let data = &body.insts[inst];
    let fail = |what: String| Err(AdError::new(data.span, what));
    match &data.op {
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            if registry.inactive.contains(&attr.func) {
                let written = written_by_inactive(module, attr.func, &data.args);
                let active = |v: &&Value| facts.shadow[**v].some;
                if let Some(&v) = written.iter().find(active) {
                    let name = variable(module, body, v);
                    return Err(inactive_writes(module, attr.func, data.span, name));
                }
            }
            match kind(module, registry, &data.op) {
                Kind::Unknown if crate::mpi::is_refused(&function.name) => {
                    return fail(crate::mpi::refusal(&function.name));
                }
                Kind::Known(_) if crate::mpi::order::is_lost(module, &function.name) => {
                    return fail(format!(
                        "a call of '{}' in a program that locks windows: the order that it makes cannot be reversed; use MPI_Barrier",
                        function.name
                    ));
                }
                Kind::Known(_)
                    if clears_by_advice(module, body, attr.func, &data.args)
                        && facts.shadow[data.args[0]].some =>
                {
                    let name = variable(module, body, data.args[0]);
                    return fail(format!(
                        "'{name}': this advice of '{}' may clear it",
                        function.name
                    ));
                }
                Kind::Mpi(call) => {
                    return check_message(module, registry, body, points, facts, inst, call);
                }
                // What is not known may read and write any global that it can see.
                Kind::Unknown if !facts.globals.is_empty() => {
                    return fail(format!(
                        "a call of '{}': its body is not known, and globals are active",
                        function.name
                    ));
                }
                _ => {}
            }
        }
        Op::Return => {
            let leaves = |&&v: &&Value| {
                let made = body.def_inst(v).map(|i| &body.insts[i]);
                body.ty(v).is_int()
                    && made.is_some_and(|d| {
                        matches!(d.op, Op::Cast)
                            && facts.shadow[d.args[0]].some
                            && body.ty(d.args[0]) == Type::Ptr
                    })
            };
            if let Some(&v) = data.args.iter().find(leaves) {
                let pointer = body.def_inst(v).map_or(v, |i| body.insts[i].args[0]);
                let name = variable(module, body, pointer);
                let what = format!("this result: the address of '{name}', as an integer");
                return fail(what);
            }
        }
        Op::CallIndirect(_) if !facts.globals.is_empty() => {
            let what = "a call through a pointer while globals are active";
            return Err(AdError {
                elsewhere: true,
                ..AdError::new(data.span, what)
            });
        }
        _ => {}
    }
    Ok(())
}

/// What is received must go to memory with a shadow, unless the user says that the memory is inactive.
fn check_message(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    facts: &Facts,
    inst: Inst,
    call: &'static MpiCall,
) -> Result<(), AdError> {
    let data = &body.insts[inst];
    for (buffer, role) in mpi::buffers(call, &data.args) {
        let constant = body.def_inst(root(body, buffer));
        let constant = constant.is_some_and(|i| matches!(body.insts[i].op, Op::Const(_)));
        if role == Role::SendBuffer
            || constant
            || mpi::holds_integers(module, body, call, &data.args, buffer)
            || mpi::names_integers(module, body, call, &data.args, buffer)
        {
            continue;
        }
        let shadow = facts.shadow[buffer];
        if !shadow.some && (shadow.lost || !told(registry, points, facts, buffer)) {
            let name = variable(module, body, buffer);
            return Err(AdError::new(
                data.span,
                format!(
                    "a call of '{}' that receives into '{name}': it has no shadow",
                    call.name
                ),
            ));
        }
    }
    Ok(())
}

/// Memory of an inactive argument is inactive because the user says so; all other memory has a shadow if it needs one.
fn told(registry: &Registry, points: &PointsTo<'_>, facts: &Facts, address: Value) -> bool {
    points.objects(address).iter().all(|p| match p.object {
        Object::Parameter(k) => facts.params.get(k as usize) != Some(&Param::Inactive),
        Object::Global(g) => registry.inactive_globals.contains(&g),
        _ => false,
    })
}

/// Is it advice to the system about pages that may clear them, or that nobody knows?
pub(crate) fn clears_by_advice(module: &Module, body: &Body, func: Func, args: &[Value]) -> bool {
    let advice = args.get(2).and_then(|&v| body.const_int(v));
    // Linux's numbers: how pages will be used, how large they should be, what a copy of the process gets.
    let harmless = matches!(advice, Some(0..=3 | 10..=17 | 20..=23));
    module.funcs[func].name == "madvise" && !harmless
}

/// The arguments through which a function that is said to be inactive writes numbers, or, if its body is not known, could by its type. How much of a shadow to
/// clear is not known.
pub(crate) fn written_by_inactive(module: &Module, func: Func, args: &[Value]) -> Vec<Value> {
    let (types, function) = (&module.types, &module.funcs[func]);
    let CTypeKind::Function { ret, params, .. } = types.shape(function.ctype) else {
        return Vec::new();
    };
    // An aggregate result is the first operand.
    let args = args.get(types.is_aggregate(*ret) as usize..).unwrap_or(&[]);
    let Some(callee) = &function.body else {
        let by_type = |t: CTy| {
            let to = types.pointee(t).filter(|&to| !types.quals(to).is_const);
            to.is_some_and(|mut to| {
                while let Some(element) = types.element(to) {
                    to = element;
                }
                Type::of_ctype(types, to).is_some_and(is_number)
            })
        };
        let written = args.iter().zip(params).filter(|&(_, &t)| by_type(t));
        return written.map(|(&v, _)| v).collect();
    };
    let params = &callee.regions[callee.entry].args;
    let mut written = Vec::new();
    callee.walk(|inst| {
        let data = &callee.insts[inst];
        if matches!(data.op, Op::Store(_)) && is_number(callee.ty(data.args[1])) {
            let base = root(callee, data.args[0]);
            let argument = params.iter().position(|&p| p == base);
            written.extend(argument.and_then(|k| args.get(k)).copied());
        }
    });
    written
}

/// Why a call of such a function is refused.
pub(crate) fn inactive_writes(module: &Module, func: Func, span: Span, variable: &str) -> AdError {
    let function = &module.funcs[func];
    let how = match function.body {
        Some(_) => "and writes numbers to active memory",
        None => {
            "its body is not known, and it may write to active memory (a parameter that it only reads is declared const)"
        }
    };
    let name = &function.name;
    let what = format!("a call of '{name}': it is said to be inactive, {how}: '{variable}'");
    AdError {
        elsewhere: function.body.is_none(),
        ..AdError::new(span, what)
    }
}
