//! Whole pieces of work that compute values and have no other effect: loops, branches, calls of functions. When are two of them the same?

use crate::effects::Summaries;
use crate::points_to::{Access, PointsTo};
use crate::rules;
use adjoin_ir::{Body, Inst, Module, Op, Type, Value};
use adjoin_passes::edit::is_inside;
use std::collections::HashMap;
use std::fmt::Write;

/// Pieces that read more places are not compared.
const MOST_READS: usize = 24;

/// Does a call only compute its results, from its arguments and from memory?
pub fn is_pure_call(
    module: &Module,
    summaries: &Summaries,
    points: &PointsTo<'_>,
    body: &Body,
    inst: Inst,
) -> bool {
    let data = &body.insts[inst];
    let Op::Call(attr) = &data.op else {
        return false;
    };
    let function = &module.funcs[attr.func];
    let values = data.args.iter().all(|&a| body.ty(a) != Type::Ptr);
    match summaries.get(attr.func) {
        _ if function.name == adjoin_passes::openmp::PART || function.noreturn => false,
        Some(e) => e.is_pure() && !data.results.is_empty() && points.writes(inst).is_empty(),
        None => values && data.results.len() == 1 && rules::lookup(&function.name).is_some(),
    }
}

/// A piece of work: what it is, and what it reads.
pub struct Work {
    /// Equal for pieces that compute the same, as long as what they read is.
    pub text: String,
    /// What it reads.
    pub reads: Vec<Access>,
}

/// Looks at a loop, a branch or a call of one of the program's functions. `name` gives the value that stands for all that are equal.
pub fn describe(
    module: &Module,
    summaries: &Summaries,
    points: &PointsTo<'_>,
    body: &Body,
    inst: Inst,
    name: &dyn Fn(Value) -> Value,
) -> Option<Work> {
    let mut work = Work {
        text: String::new(),
        reads: Vec::new(),
    };
    let mut numbers: HashMap<Value, usize> = HashMap::new();
    let mut places: HashMap<Inst, usize> = HashMap::new();
    let mut list = vec![inst];
    while let Some(next) = list.pop() {
        let data = &body.insts[next];
        let pure = match &data.op {
            Op::If | Op::For(_) | Op::Block | Op::Switch(_) => true,
            Op::Yield => next != inst,
            Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => {
                *t == inst || is_inside(body, *t, inst)
            }
            Op::Load(attr) => !attr.volatile,
            Op::Call(_) => is_pure_call(module, summaries, points, body, next),
            op => op.is_pure(),
        };
        work.reads.extend(points.reads(next));
        if !pure || work.reads.len() > MOST_READS {
            return None;
        }
        let place = places.len();
        places.insert(next, place);
        // An exit is the same if it leads to the same place of the piece.
        let _ = match data.op.target() {
            Some(t) => write!(work.text, "{} {:?}", data.op.name(), places.get(&t)),
            None => write!(work.text, "{:?}", data.op),
        };
        for v in &data.args {
            let _ = match numbers.get(v) {
                Some(k) => write!(work.text, " #{k}"),
                None => write!(work.text, " {:?}", name(*v)),
            };
        }
        let mut number = |v: Value, text: &mut String| {
            let _ = write!(text, " {}", body.ty(v).name());
            let k = numbers.len();
            numbers.insert(v, k);
        };
        for &v in &data.results {
            number(v, &mut work.text);
        }
        for &region in &data.regions {
            work.text.push('{');
            for &v in &body.regions[region].args {
                number(v, &mut work.text);
            }
        }
        // Regions are written down after the instruction, in order; their number and the terminators say which is which.
        work.text.push(';');
        for &region in data.regions.iter().rev() {
            list.extend(body.regions[region].insts.iter().rev());
        }
    }
    Some(work)
}
