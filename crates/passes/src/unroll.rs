//! Writes out short loops that stand between a small stack array and its parts.
//!
//! `for (c = 0; c < 3; c++) d[c] = …` keeps `d` in memory, since no access names a part. Written out, every access does, so that the array can be split (`sroa`) and
//! its parts become values: the reverse sweep then adds to values, and what it needs is kept once, not once for each access. Only loops with a constant and small number of
//! iterations are taken, only where an array gains by it, and only up to a size. Results are the same to the bit: nothing changes its order.
//!
//! Tables of pointers may be longer (`double **members[] = {&a->x, &a->y, …}`, which one block is then dealt out to): an analysis of memory that sees only "one of them" takes every
//! pointer of the struct for every other.
//!
//! So do the innermost loops of a stencil, a convolution or a polynomial (`taps`): the loop over the grid around them is then one that can run in lanes both ways.

mod taps;

use crate::copy::Copier;
use crate::edit::{self, Replacements};
use adjoin_ir::{
    Body, Builder, CTy, CTypeKind, CTypes, Inst, MemAttr, Op, Pred, Region, Type, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Loops that run more often than this stay loops.
const MOST_TRIPS: i128 = 8;
/// Arrays with more parts than this stay together.
const MOST_PARTS: u64 = 32;
/// Tables of pointers have more parts, and loops over them run more often.
const MOST_POINTERS: u64 = 64;
/// A nest of loops becomes at most this many instructions.
const MOST_IN_NEST: usize = 320;
/// All that is written out in a function.
const MOST_IN_BODY: usize = 4000;

/// Runs the pass. Says whether anything was written out.
pub fn run(types: &CTypes, body: &mut Body) -> bool {
    crate::registry::optional("unroll", || apply(types, body))
}

fn apply(types: &CTypes, body: &mut Body) -> bool {
    let short = short_loops(body);
    if short.is_empty() {
        return false;
    }
    let finder = Finder {
        types,
        body,
        counters: short
            .iter()
            .map(|(&l, count)| {
                let counter = body.regions[body.insts[l].regions[0]].args[0];
                (counter, (l, count.trips))
            })
            .collect(),
        uses: uses(body),
    };
    let mut arrays = Vec::new();
    body.walk(|inst| arrays.extend(finder.loops_of(inst)));
    let mut chosen = affordable(body, &short, arrays);
    chosen.extend(taps::find(body, &short, &chosen));
    // Inner loops stand behind those around them.
    let mut order = Vec::new();
    body.walk(|inst| {
        if chosen.contains(&inst) {
            order.push(inst);
        }
    });
    for &inst in order.iter().rev() {
        write_out(body, inst, short[&inst]);
    }
    if !order.is_empty() {
        // The indices are constants now.
        crate::simplify::run(types, body);
    }
    !order.is_empty()
}

/// The loops of all arrays whose loops are not too much together: an array is split only if all of them are written out.
fn affordable(
    body: &Body,
    short: &BTreeMap<Inst, Count>,
    mut arrays: Vec<BTreeSet<Inst>>,
) -> BTreeSet<Inst> {
    loop {
        let wanted: BTreeSet<Inst> = arrays.iter().flatten().copied().collect();
        let outermost = |l: &Inst| !wanted.iter().any(|&o| edit::is_inside(body, *l, o));
        let mut total = 0;
        let too_much = wanted.iter().filter(|l| outermost(l)).find(|&&nest| {
            let size = expanded(body, nest, short, &wanted);
            total += size;
            size > MOST_IN_NEST || total > MOST_IN_BODY
        });
        let Some(&nest) = too_much else {
            return wanted;
        };
        let of_nest = |l: &Inst| *l == nest || edit::is_inside(body, *l, nest);
        arrays.retain(|loops| !loops.iter().any(of_nest));
    }
}

/// First index, step and number of iterations.
#[derive(Clone, Copy)]
struct Count {
    first: i128,
    step: i128,
    trips: i128,
}

/// Loops that run a constant, small number of times and are never left early.
fn short_loops(body: &Body) -> BTreeMap<Inst, Count> {
    let mut loops = BTreeMap::new();
    let mut left = BTreeSet::new();
    body.walk(|inst| match body.insts[inst].op {
        Op::For(_) => {
            if let Some(count) = count(body, inst)
                && !edit::is_of_construct(body, inst)
                && is_plain(body, body.insts[inst].regions[0])
            {
                loops.insert(inst, count);
            }
        }
        Op::Break(target) | Op::Continue(target) | Op::Fallthrough(target) => {
            left.insert(target);
        }
        _ => {}
    });
    loops.retain(|inst, _| !left.contains(inst));
    loops
}

/// Does a region go on behind its end, and hold nothing but ordinary control flow?
fn is_plain(body: &Body, region: Region) -> bool {
    let end = body.terminator(region);
    end.is_some_and(|t| matches!(body.insts[t].op, Op::Yield)) && holds_control_flow(body, region)
}

fn holds_control_flow(body: &Body, region: Region) -> bool {
    body.regions[region].insts.iter().all(|&i| {
        let data = &body.insts[i];
        let ordinary = matches!(data.op, Op::If | Op::For(_) | Op::Loop | Op::Block);
        data.regions.is_empty()
            || ordinary && data.regions.iter().all(|&r| holds_control_flow(body, r))
    })
}

fn count(body: &Body, inst: Inst) -> Option<Count> {
    let data = &body.insts[inst];
    let Op::For(attr) = &data.op else {
        return None;
    };
    let ty = body.ty(data.args[0]);
    if !ty.is_int() {
        return None;
    }
    let [first, bound, step] = [0, 1, 2].map(|k| body.const_int(data.args[k]));
    let (first, bound, step) = (first?, bound?, step?);
    let distance = match (attr.pred, step) {
        (Pred::Lt, 1..) => bound - first,
        (Pred::Le, 1..) => bound - first + 1,
        _ if !ty.is_signed() => return None,
        (Pred::Gt, ..=-1) => first - bound,
        (Pred::Ge, ..=-1) => first - bound + 1,
        _ => return None,
    };
    let size = step.abs();
    let trips = (distance.max(0) + size - 1) / size;
    let last = first + trips * step;
    let fits = match ty.is_signed() {
        true => (-(1i128 << (ty.bits() - 1))..1i128 << (ty.bits() - 1)).contains(&last),
        false => first >= 0 && last < 1i128 << ty.bits(),
    };
    let most = MOST_TRIPS.max(taps::MOST_TERMS).max(MOST_POINTERS.into());
    (fits && (1..=most).contains(&trips)).then_some(Count { first, step, trips })
}

fn uses(body: &Body) -> HashMap<Value, Vec<(Inst, usize)>> {
    let mut uses: HashMap<Value, Vec<(Inst, usize)>> = HashMap::new();
    body.walk(|inst| {
        for (k, &v) in body.insts[inst].args.iter().enumerate() {
            uses.entry(v).or_default().push((inst, k));
        }
    });
    uses
}

struct Finder<'a> {
    types: &'a CTypes,
    body: &'a Body,
    /// Loops by their counters, and how often they run.
    counters: BTreeMap<Value, (Inst, i128)>,
    uses: HashMap<Value, Vec<(Inst, usize)>>,
}

impl Finder<'_> {
    /// The loops that a stack array would be split without. `None`: it stays in memory, or has parts already.
    fn loops_of(&self, slot: Inst) -> Option<BTreeSet<Inst>> {
        let Op::Slot(attr) = &self.body.insts[slot].op else {
            return None;
        };
        let size = self.types.size_of(attr.ctype)?;
        let parts = self.parts(attr.ctype)?;
        let (most_parts, most_trips) = match self.holds_pointers(attr.ctype) {
            true => (MOST_POINTERS, MOST_POINTERS.into()),
            false => (MOST_PARTS, MOST_TRIPS),
        };
        if self.types.quals(attr.ctype).is_volatile || parts > most_parts {
            return None;
        }
        let mut loops = BTreeSet::new();
        let mut work = vec![self.body.result(slot)];
        while let Some(address) = work.pop() {
            for &(inst, k) in self.uses.get(&address).into_iter().flatten() {
                let data = &self.body.insts[inst];
                match &data.op {
                    Op::Load(MemAttr { volatile: false }) => {}
                    Op::Store(MemAttr { volatile: false }) if k == 0 => {}
                    Op::Copy(attr) | Op::Zero(attr) if attr.bytes == size => {}
                    Op::Addr(_) if k == 0 => {
                        for &index in &data.args[1..] {
                            self.counted(index, 8, most_trips, &mut loops)?;
                        }
                        work.push(data.results[0]);
                    }
                    _ => return None,
                }
            }
        }
        (!loops.is_empty()).then_some(loops)
    }

    /// How many parts an array has, or an array of arrays or records.
    fn parts(&self, array: CTy) -> Option<u64> {
        let mut t = array;
        while let CTypeKind::Array { elem, len } = self.types.shape(t) {
            (*len)?;
            t = *elem;
        }
        if t == array {
            return None;
        }
        match Type::of_ctype(self.types, t) {
            Some(ty) if ty.size() > 1 => Some(self.types.size_of(array)? / ty.size()),
            Some(_) => None,
            None => crate::sroa::count_parts(self.types, array).map(|n| n as u64),
        }
    }

    /// An array of pointers?
    fn holds_pointers(&self, array: CTy) -> bool {
        let mut t = array;
        while let Some(elem) = self.types.element(t) {
            t = elem;
        }
        self.types.pointee(t).is_some()
    }

    /// Is a number computed from constants and counters of short loops alone?
    fn counted(
        &self,
        v: Value,
        depth: usize,
        most_trips: i128,
        loops: &mut BTreeSet<Inst>,
    ) -> Option<()> {
        if let Some(&(l, trips)) = self.counters.get(&v) {
            loops.insert(l);
            return (trips <= most_trips).then_some(());
        }
        let data = &self.body.insts[self.body.def_inst(v)?];
        if depth == 0 || !data.op.is_pure() || !data.regions.is_empty() {
            return None;
        }
        match data.op {
            Op::Const(_) => Some(()),
            Op::Add | Op::Sub | Op::Mul | Op::Cast => data
                .args
                .iter()
                .try_for_each(|&a| self.counted(a, depth - 1, most_trips, loops)),
            _ => None,
        }
    }
}

/// How many instructions a nest becomes.
fn expanded(
    body: &Body,
    inst: Inst,
    short: &BTreeMap<Inst, Count>,
    wanted: &BTreeSet<Inst>,
) -> usize {
    let inside: usize = body.insts[inst]
        .regions
        .iter()
        .flat_map(|&r| &body.regions[r].insts)
        .map(|&i| match body.insts[i].regions.is_empty() {
            true => match body.insts[i].op {
                Op::Const(_) | Op::Addr(_) | Op::Cast => 0,
                Op::Call(_) => 10,
                _ => 1,
            },
            false => 1 + expanded(body, i, short, wanted),
        })
        .sum();
    match short.get(&inst).filter(|_| wanted.contains(&inst)) {
        Some(count) => inside * count.trips as usize,
        None => inside,
    }
}

/// Replaces a loop by its iterations.
fn write_out(body: &mut Body, inst: Inst, count: Count) {
    let data = body.insts[inst].clone();
    let region = data.regions[0];
    let args = body.regions[region].args.clone();
    let ty = body.ty(args[0]);
    let list = body.regions[region].insts.clone();
    let mut carried = data.args[3..].to_vec();
    for k in 0..count.trips {
        let index = Builder::before(body, inst).int(ty, count.first + k * count.step);
        let mut copier = Copier::new(body);
        copier.call(args[0], index);
        for (&arg, &v) in args[1..].iter().zip(&carried) {
            copier.call(arg, v);
        }
        let mut made = Vec::new();
        carried = Vec::new();
        for &i in &list {
            if matches!(copier.body.insts[i].op, Op::Yield) {
                let next = copier.body.insts[i].args.clone();
                carried = next.iter().map(|&v| copier.value(v)).collect();
            } else {
                made.push(copier.inst(i, data.parent));
            }
        }
        let at = edit::position(body, inst);
        body.regions[data.parent].insts.splice(at..at, made);
    }
    let last = Builder::before(body, inst).int(ty, count.first + count.trips * count.step);
    let mut replaced = Replacements::default();
    for (&old, new) in data
        .results
        .iter()
        .zip(std::iter::once(last).chain(carried))
    {
        replaced.set(old, new);
    }
    edit::unlink(body, inst);
    replaced.apply(body);
}
