//! What would be silently wrong is an error.

use super::{Facts, Kind, Param, is_number, kind, root, variable};
use crate::points_to::{Object, PointsTo};
use crate::{AdError, Registry, mpi};
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Body, CTy, CTypeKind, Inst, Module, Op, Type, Value};

/// Refuses what the derivative would get wrong.
pub(super) fn check(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    facts: &Facts,
) -> Result<(), AdError> {
    let mut result = Ok(());
    body.walk(|inst| {
        if result.is_ok() {
            result = check_one(module, registry, body, points, facts, inst);
        }
    });
    result
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
        Op::Load(_) | Op::Store(_) => {
            let stores = matches!(data.op, Op::Store(_));
            let value = if stores {
                data.args[1]
            } else {
                data.results[0]
            };
            if !is_number(body.ty(value)) && body.ty(value) != Type::Ptr {
                return Ok(());
            }
            let shadow = facts.shadow[data.args[0]];
            let base = root(body, data.args[0]);
            let def = body.def_inst(base).map(|i| &body.insts[i]);
            let from_integer = def.is_some_and(|d| matches!(d.op, Op::Cast));
            if from_integer && (shadow.some || shadow.lost && is_number(body.ty(value))) {
                return fail(
                    "an access through a pointer that was made from an integer".to_string(),
                );
            }
            if !is_number(body.ty(value)) {
                return Ok(());
            }
            let told = told(registry, points, facts, data.args[0]);
            if stores && facts.varied.contains(value) && !shadow.some && (shadow.lost || !told) {
                let name = variable(module, body, data.args[0]);
                let what = format!("a store of active data to '{name}': it has no shadow");
                return Err(AdError {
                    elsewhere: true,
                    ..AdError::new(data.span, what)
                });
            }
        }
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            if registry.inactive.contains(&attr.func)
                && let Some(callee) = &function.body
                && writes_active(module, function.ctype, callee, &data.args, facts)
            {
                return fail(format!(
                    "a call of '{}': it is said to be inactive, and writes numbers to active memory",
                    function.name
                ));
            }
            match kind(module, registry, &data.op) {
                Kind::Unknown if crate::mpi::is_refused(&function.name) => {
                    return fail(format!(
                        "a call of '{}': what this MPI function does to active data is not known",
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
        if role == Role::SendBuffer || constant || mpi::holds_integers(module, body, buffer) {
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

/// Does a function store numbers through a pointer argument that has a shadow here? How much of the shadow to clear is not known.
fn writes_active(
    module: &Module,
    ctype: CTy,
    callee: &Body,
    args: &[Value],
    facts: &Facts,
) -> bool {
    // An aggregate result is the first operand.
    let shift = match module.types.shape(ctype) {
        CTypeKind::Function { ret, .. } => module.types.is_aggregate(*ret) as usize,
        _ => 0,
    };
    let params = &callee.regions[callee.entry].args;
    let mut found = false;
    callee.walk(|inst| {
        let data = &callee.insts[inst];
        if matches!(data.op, Op::Store(_)) && is_number(callee.ty(data.args[1])) {
            let base = root(callee, data.args[0]);
            let argument = params
                .iter()
                .position(|&p| p == base)
                .and_then(|k| args.get(k + shift));
            found |= argument.is_some_and(|&a| facts.shadow[a].some);
        }
    });
    found
}
