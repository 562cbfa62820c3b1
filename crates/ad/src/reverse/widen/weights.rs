//! In what form adjoints of several seeds are kept.

use super::taint::{Taint, is_vector_number};
use crate::lanes;
use adjoin_ir::{Body, CTypes, Inst, Op, Region, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The decision for a body.
pub struct Kept {
    /// How many seeds each vector holds; none: each seed has its own values.
    parts: Vec<u64>,
    /// Addresses in objects that are laid out in vectors, and the type of these objects' numbers.
    inner: BTreeMap<Value, Type>,
    /// Increments of shadows that others see, by their stores, and what is part of them.
    increments: BTreeMap<Inst, Increment>,
    parts_of_increments: BTreeSet<Inst>,
}

/// The instructions of an increment that come before its store.
#[derive(Clone, Copy)]
pub struct Increment {
    pub load: Inst,
    pub add: Inst,
    /// What is read.
    pub read: Value,
}

impl Kept {
    /// Are there vectors?
    pub fn in_vectors(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The increment that a store is the end of.
    pub fn increment(&self, store: Inst) -> Option<Increment> {
        self.increments.get(&store).copied()
    }

    /// Is it made together with the store of an increment?
    pub fn is_part_of_increment(&self, inst: Inst) -> bool {
        self.parts_of_increments.contains(&inst)
    }

    /// The types of the parts of numbers of a type, if there are vectors.
    pub fn parts(&self, ty: Type) -> Option<Vec<Type>> {
        let all = self.parts.iter().map(|&lanes| ty.vector(lanes));
        (self.in_vectors() && is_vector_number(ty))
            .then(|| all.collect())
            .flatten()
    }

    /// The type of the numbers behind an address, if their object is laid out in vectors.
    pub fn inner(&self, address: Value) -> Option<Type> {
        self.inner.get(&address).copied()
    }
}

/// Decides for a body. `allowed`: there may be vectors.
pub fn choose(types: &CTypes, body: &Body, taint: &Taint, width: u32, allowed: bool) -> Kept {
    let kept = |parts, inner| {
        let increments = increments(body, taint, &inner);
        let parts_of_increments = increments.values().flat_map(|i| [i.load, i.add]).collect();
        Kept {
            parts,
            inner,
            increments,
            parts_of_increments,
        }
    };
    if !allowed {
        return kept(Vec::new(), BTreeMap::new());
    }
    let (mut candidates, mut apart) = (BTreeSet::new(), BTreeSet::new());
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Slot(_)) && taint.has(data.results[0]) {
            candidates.insert(data.results[0]);
        }
        if taint.apart.contains(&inst) {
            // What runs for each seed by itself reads and writes numbers.
            roots(body, &data.regions, &mut apart);
        }
    });
    candidates.retain(|v| !apart.contains(v));
    let inner = lanes::inner(types, body, &candidates);
    let mut weights = Weights::default();
    weigh(body, taint, &inner, body.entry, 1, &mut weights);
    if weights.arithmetic <= weights.outer.saturating_mul(2) {
        return kept(Vec::new(), BTreeMap::new());
    }
    kept(lanes::parts(width), inner)
}

/// The objects behind operands in regions.
fn roots(body: &Body, regions: &[Region], found: &mut BTreeSet<Value>) {
    for &r in regions {
        for &inst in &body.regions[r].insts {
            let data = &body.insts[inst];
            found.extend(data.args.iter().map(|&v| crate::activity::root(body, v)));
            roots(body, &data.regions, found);
        }
    }
}

/// Increments of shadows that others see, by their stores: each seed reads, adds and writes before the next one does, since two seeds may add to the same memory.
fn increments(
    body: &Body,
    taint: &Taint,
    inner: &BTreeMap<Value, Type>,
) -> BTreeMap<Inst, Increment> {
    let mut uses: BTreeMap<Value, usize> = BTreeMap::new();
    body.walk(|inst| {
        for &v in &body.insts[inst].args {
            *uses.entry(v).or_default() += 1;
        }
    });
    let mut found = BTreeMap::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let at = match (&data.op, data.args.first()) {
            (Op::Store(attr), Some(&at)) if !attr.volatile => at,
            _ => return,
        };
        if !taint.has(at) || inner.contains_key(&at) || !taint.has(data.args[1]) {
            return;
        }
        let sum = data.args[1];
        let Some(add) = body.def_inst(sum).filter(|_| uses[&sum] == 1) else {
            return;
        };
        if !matches!(body.insts[add].op, Op::Add | Op::Sub) {
            return;
        }
        let reads = |v: Value| {
            let load = body.def_inst(v).filter(|_| uses[&v] == 1)?;
            let data = &body.insts[load];
            let same = matches!(&data.op, Op::Load(attr) if !attr.volatile) && data.args[0] == at;
            (same && is_quiet(body, load, inst)).then_some(load)
        };
        let operands = &body.insts[add].args;
        let mut places = 0..operands.len();
        if let Some((k, load)) = places.find_map(|k| Some((k, reads(operands[k])?))) {
            let read = operands[k];
            found.insert(inst, Increment { load, add, read });
        }
    });
    found
}

/// Does nothing between two instructions of one region write?
fn is_quiet(body: &Body, first: Inst, last: Inst) -> bool {
    let region = body.insts[first].parent;
    if body.insts[last].parent != region {
        return false;
    }
    let list = body.regions[region].insts.iter();
    let mut between = list.skip_while(|i| **i != first).skip(1);
    between
        .by_ref()
        .take_while(|i| **i != last)
        .all(|&i| body.insts[i].op.is_pure() || matches!(body.insts[i].op, Op::Load(_)))
}

/// What is done for each seed, times estimated executions.
#[derive(Default)]
struct Weights {
    arithmetic: u64,
    /// Accesses to shadows that are not ours to lay out.
    outer: u64,
}

fn weigh(
    body: &Body,
    taint: &Taint,
    inner: &BTreeMap<Value, Type>,
    region: Region,
    times: u64,
    weights: &mut Weights,
) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        let number = |v: &Value| taint.has(*v) && is_vector_number(body.ty(*v));
        let outer = |v: Value| taint.has(v) && !inner.contains_key(&v);
        match &data.op {
            Op::Store(_) if outer(data.args[0]) && is_vector_number(body.ty(data.args[1])) => {
                weights.outer += times;
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Select => {
                weights.arithmetic += times * u64::from(number(&data.results[0]));
            }
            _ => {}
        }
        let inside = match data.op {
            Op::For(_) | Op::Loop => times.saturating_mul(10),
            _ => times,
        };
        for &r in &data.regions {
            weigh(body, taint, inner, r, inside, weights);
        }
    }
}
