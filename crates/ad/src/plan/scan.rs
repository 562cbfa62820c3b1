//! Indices from memory (`x[column[k]]`), and pointers (`row[i][j]`): which part of a body, run ahead when a function starts, says how small and how large they are.
//!
//! The scan of a load is the counted loops and the branches around it and the address, nothing else. It reads what the body reads anyway, at places that the body certainly comes to,
//! and of memory that the body does not write: so it can run first, and its smallest and largest number are bounds of what the load gives later. Loops that the address does not
//! depend on are run through once, and of a parallel region the iterations of all threads.

use crate::points_to::{Object, Offsets, Place, PointsTo, SOMEWHERE};
use adjoin_ir::{Body, Directive, Inst, Op, Value, ValueDef};
use std::collections::BTreeSet;

/// A load and the loops and branches around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scan {
    /// The load.
    pub load: Inst,
    /// The loops, outermost first, and whether the address, or a condition, depends on the counter; branches stand between them.
    pub loops: Vec<(Inst, bool)>,
    /// Of loops whose iterations the threads of a region share: the values where a share starts and ends, and how many iterations there are. All of them are run through.
    pub shares: Vec<(Value, Value, Value)>,
}

/// More instructions than this in an address are no cheap scan.
const MOST_INSTRUCTIONS: usize = 24;

/// The scan of a load of an integer, if there is one. `known` says what is known when the function starts, `certain` whether the body certainly comes to the instructions of
/// the entry up to this one and past it.
pub fn of(
    body: &Body,
    points: &PointsTo<'_>,
    load: Inst,
    known: &mut dyn FnMut(Value) -> bool,
    certain: &dyn Fn(Inst) -> bool,
) -> Option<Scan> {
    let mut holders = Vec::new();
    let mut inst = load;
    while let Some(holder) = body.regions[body.insts[inst].parent].parent {
        holders.push(holder);
        inst = holder;
    }
    if !certain(inst) {
        return None;
    }
    holders.retain(|&holder| !is_team(body, holder));
    holders.reverse();
    let counted = |&l: &Inst| match body.insts[l].op {
        Op::For(_) => body.const_int(body.insts[l].args[2]).is_some(),
        Op::If => true,
        _ => false,
    };
    if !holders.iter().all(counted) || leaves_early(body, &holders) {
        return None;
    }
    let mut slice = Slice {
        body,
        points,
        counters: BTreeSet::new(),
        seen: BTreeSet::new(),
    };
    let shares: Vec<(Value, Value, Value)> =
        holders.iter().filter_map(|&l| points.share(l)).collect();
    for &(_, _, count) in &shares {
        slice.value(count, known)?;
    }
    let known = &mut |v: Value| shares.iter().any(|s| s.0 == v || s.1 == v) || known(v);
    slice.load(load, known)?;
    let mut loops = Vec::new();
    for &holder in holders.iter().rev() {
        let data = &body.insts[holder];
        if let Op::If = data.op {
            slice.value(data.args[0], known)?;
            loops.push((holder, true));
            continue;
        }
        let counter = body.regions[data.regions[0]].args[0];
        let used = slice.counters.contains(&counter);
        for &bound in &data.args[..2] {
            slice.value(bound, known)?;
        }
        loops.push((holder, used));
    }
    loops.reverse();
    (slice.seen.len() <= MOST_INSTRUCTIONS).then_some(Scan {
        load,
        loops,
        shares,
    })
}

fn is_team(body: &Body, inst: Inst) -> bool {
    matches!(&body.insts[inst].op, Op::Par(attr) if attr.directive == Directive::Parallel)
}

/// Does anything leave these loops, or an iteration of them, other than by its end?
fn leaves_early(body: &Body, loops: &[Inst]) -> bool {
    let mut leaves = false;
    body.walk(|inst| {
        leaves |= match body.insts[inst].op {
            Op::Break(target) | Op::Continue(target) => loops.contains(&target),
            Op::Return => body.insts[inst].parent != body.entry,
            _ => false,
        };
    });
    leaves
}

/// The object of others that a pointer is the start of.
pub fn start_of(points: &PointsTo<'_>, v: Value) -> Option<Object> {
    match points.objects(v) {
        [
            Place {
                object: object @ (Object::Parameter(_) | Object::Member(..) | Object::Behind(..)),
                offsets: Offsets::START,
            },
        ] if !matches!(object, Object::Behind(_, SOMEWHERE)) => Some(*object),
        _ => None,
    }
}

/// The memory behind the pointers of an array, if a pointer is one of them.
pub fn rows(points: &PointsTo<'_>, v: Value) -> Option<Object> {
    match points.objects(v) {
        [
            Place {
                object: object @ Object::Member(_, SOMEWHERE),
                ..
            },
        ] => Some(*object),
        _ => None,
    }
}

struct Slice<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
    counters: BTreeSet<Value>,
    seen: BTreeSet<Inst>,
}

impl Slice<'_> {
    fn load(&mut self, inst: Inst, known: &mut dyn FnMut(Value) -> bool) -> Option<()> {
        let data = &self.body.insts[inst];
        let Op::Load(attr) = &data.op else {
            return None;
        };
        if attr.volatile || self.points.is_written(inst) {
            return None;
        }
        self.value(data.args[0], known)
    }

    fn value(&mut self, v: Value, known: &mut dyn FnMut(Value) -> bool) -> Option<()> {
        let body = self.body;
        let inst = match body.values[v].def {
            _ if known(v) => return Some(()),
            ValueDef::Arg(region, 0) => {
                let holder = body.regions[region].parent?;
                matches!(body.insts[holder].op, Op::For(_)).then_some(())?;
                self.counters.insert(v);
                return Some(());
            }
            ValueDef::Arg(..) => return None,
            ValueDef::Result(inst, _) => inst,
        };
        if !self.seen.insert(inst) {
            return Some(());
        }
        let data = &body.insts[inst];
        match &data.op {
            Op::Load(_) => self.load(inst, known),
            Op::Div | Op::Rem if body.const_int(data.args[1]).is_none_or(|n| n == 0) => None,
            op if op.is_pure() && data.regions.is_empty() => {
                data.args.iter().try_for_each(|&a| self.value(a, known))
            }
            _ => None,
        }
    }
}
