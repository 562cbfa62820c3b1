//! Computes where a row begins in front of the loop that goes along it: `row = a + i * n` before the loop over `row[k]`.
//!
//! Derivatives compute values as late as they can, so such addresses stand in loops that do not change them. C compilers move them out, too, but not before they have taken
//! the sum apart and added `i * n` to each index instead. What is moved neither reads memory nor can fail; integers that could overflow stay where they are.

use crate::edit::{insts_in, is_of_construct, move_before};
use adjoin_ir::{Body, Inst, Op, Region, Step, Value};
use std::collections::BTreeSet;

/// Runs over a body.
pub fn run(body: &mut Body) {
    crate::registry::optional("rows", || apply(body));
}

fn apply(body: &mut Body) {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_) | Op::Loop) {
            loops.push(inst);
        }
    });
    // Inner loops first: what leaves them may leave those around them as well.
    for &inst in loops.iter().rev() {
        if !is_of_construct(body, inst) {
            leave(body, inst);
        }
    }
}

/// Moves the beginnings of rows out of a loop.
fn leave(body: &mut Body, holder: Inst) {
    let inside = body.insts[holder].regions[0];
    let along = bases(body, inside);
    let here = body.regions[inside].insts.clone();
    for inst in here {
        let starts = matches!(&body.insts[inst].op, Op::Addr(attr)
            if matches!(attr.steps[..], [Step::Index { .. }]) && along.contains(&body.result(inst)));
        let mut needed = Vec::new();
        if starts && can_leave(body, inside, inst, &mut needed) {
            for inst in needed {
                move_before(body, inst, holder);
            }
        }
    }
}

/// The pointers that something in a region indexes.
fn bases(body: &Body, region: Region) -> BTreeSet<Value> {
    let indexed = |inst: &Inst| {
        let data = &body.insts[*inst];
        let Op::Addr(attr) = &data.op else {
            return None;
        };
        let moves = data
            .args
            .get(1)
            .is_some_and(|&v| body.const_int(v).is_none());
        let first = matches!(attr.steps.first(), Some(Step::Index { .. }));
        (first && moves).then(|| data.args[0])
    };
    insts_in(body, region).iter().filter_map(indexed).collect()
}

/// Is an instruction of a loop's body the same in every iteration, and harmless if there is none? Adds it to the list, behind what it uses of the body.
fn can_leave(body: &Body, inside: Region, inst: Inst, needed: &mut Vec<Inst>) -> bool {
    if needed.contains(&inst) {
        return true;
    }
    let data = &body.insts[inst];
    let is_integer = |&v: &Value| body.ty(v).is_int();
    let harmless = match data.op {
        Op::Addr(_) | Op::GlobalAddr(_) | Op::Const(_) => true,
        Op::Cast => data.args.iter().chain(&data.results).all(is_integer),
        Op::Add | Op::Sub | Op::Mul => {
            let ty = body.ty(data.results[0]);
            ty.is_int() && !ty.is_signed()
        }
        _ => false,
    };
    let ready = harmless
        && data.args.iter().all(|&v| match body.def_inst(v) {
            Some(made) if body.insts[made].parent == inside => {
                can_leave(body, inside, made, needed)
            }
            _ => body.def_region(v) != inside,
        });
    if ready {
        needed.push(inst);
    }
    ready
}
