//! Which numbers can matter to a derivative: those that are stored, returned or handed to something else than arithmetic, and what these are computed from. Numbers that are
//! only compared, printed or rounded to integers (norms that end an iteration, tables that are searched) get no adjoint, so the reverse sweep has nothing to do for them.

use super::{Kind, is_number, kind};
use crate::Registry;
use crate::effects::{Effects, Summaries};
use crate::known::Known;
use adjoin_ir::{Body, Func, Inst, InstData, Module, Op, Type, Value};
use adjoin_passes::edit::exit_target;
use cranelift_entity::EntitySet;

/// The numbers of a body that may get an adjoint. `order` are its instructions, `edges` the ways that values go through regions.
pub fn useful(
    module: &Module,
    registry: &Registry,
    summaries: &Summaries,
    body: &Body,
    order: &[Inst],
    edges: &[(Value, Value)],
) -> EntitySet<Value> {
    let mut useful = EntitySet::new();
    let mut through = Vec::new();
    for &inst in order {
        match uses(module, registry, summaries, body, inst) {
            Uses::Numbers => {
                let args = body.insts[inst].args.iter().copied();
                for v in args.filter(|&v| is_number(body.ty(v))) {
                    useful.insert(v);
                }
            }
            Uses::IfResult => through.push(inst),
            Uses::Nothing => {}
        }
    }
    loop {
        let mut changed = false;
        for &inst in through.iter().rev() {
            let data = &body.insts[inst];
            if data.results.iter().any(|&v| useful.contains(v)) {
                for &v in &data.args {
                    changed |= is_number(body.ty(v)) && useful.insert(v);
                }
            }
        }
        for &(from, to) in edges.iter().rev() {
            changed |= useful.contains(to) && useful.insert(from);
        }
        if !changed {
            return useful;
        }
    }
}

/// What an instruction does with its numbers.
enum Uses {
    /// It may hand them on.
    Numbers,
    /// Its result is computed from them.
    IfResult,
    /// Nothing that has a derivative, or what the edges say.
    Nothing,
}

/// Does a call of a function with a body only compute its result? (An aggregate is written.)
pub fn only_computes(summaries: &Summaries, func: Func, call: &InstData) -> bool {
    !call.results.is_empty() && summaries.get(func).is_some_and(Effects::is_pure)
}

fn uses(
    module: &Module,
    registry: &Registry,
    summaries: &Summaries,
    body: &Body,
    inst: Inst,
) -> Uses {
    let data = &body.insts[inst];
    match &data.op {
        Op::If | Op::Block | Op::Switch(_) | Op::For(_) | Op::Loop => Uses::Nothing,
        Op::Yield | Op::Break(_) | Op::Continue(_) | Op::Fallthrough(_)
            if exit_target(body, inst).is_some() =>
        {
            Uses::Nothing
        }
        Op::Call(_) => match kind(module, registry, &data.op) {
            Kind::Rule => Uses::IfResult,
            Kind::Body(func) if only_computes(summaries, func, data) => Uses::IfResult,
            Kind::Known(Known::Inactive) | Kind::Inactive => Uses::Nothing,
            _ => Uses::Numbers,
        },
        op if op.is_pure() => {
            let result = data.results.first().map(|&v| body.ty(v));
            match (op, result) {
                (_, Some(Type::Bool)) => Uses::Nothing,
                (Op::Cast, Some(ty)) if ty.is_int() => Uses::Nothing,
                (_, Some(ty)) if is_number(ty) => Uses::IfResult,
                _ => Uses::Numbers,
            }
        }
        _ => Uses::Numbers,
    }
}
