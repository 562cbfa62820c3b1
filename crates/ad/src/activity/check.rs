//! What would be silently wrong is an error.

use super::{Facts, Kind, Param, is_number, kind, root, variable};
use crate::points_to::{Object, PointsTo};
use crate::{AdError, Registry};
use adjoin_ir::{Body, Inst, Module, Op, Type};

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
            // Memory of an inactive argument is inactive because the user says so; all other memory has a shadow if it needs one.
            let told = points.objects(data.args[0]).iter().all(|p| match p.object {
                Object::Parameter(k) => facts.params.get(k as usize) != Some(&Param::Inactive),
                Object::Global(g) => registry.inactive_globals.contains(&g),
                _ => false,
            });
            if stores && facts.varied.contains(value) && !shadow.some && (shadow.lost || !told) {
                let name = variable(module, body, data.args[0]);
                return fail(format!(
                    "a store of active data to '{name}': it has no shadow"
                ));
            }
        }
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            match kind(module, registry, &data.op) {
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
            return fail("a call through a pointer while globals are active".to_string());
        }
        _ => {}
    }
    Ok(())
}
