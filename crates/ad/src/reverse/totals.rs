//! Sums of threads. A `reduction(+: s)` in normal form is an array with a place for each thread, which is summed up behind the region. All places have the same adjoint,
//! that of the sum: it is one number, and the array has no shadow. So the thread's part gets the number, and R has nothing to do in the loop that sums up.

use super::Reverse;
use super::parallel::directive;
use crate::activity::{Facts, Shadow, callee, is_number};
use adjoin_ir::{Body, Directive, Inst, Module, Op, Region, Step, Value};
use adjoin_passes::openmp::THREAD;
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;

/// The sums of a function, and the adjoints that are known of them.
#[derive(Default)]
pub(super) struct Totals {
    /// The loops that sum up: which number of those that they carry is the sum of which array.
    loops: BTreeMap<Inst, Vec<(usize, Inst)>>,
    /// The stores of threads' parts, by the array.
    parts: BTreeMap<Inst, Inst>,
    /// The adjoints of the sums, while R is made.
    adjoints: BTreeMap<Inst, Value>,
}

/// Finds the sums, and takes the arrays out of what has shadows.
pub(super) fn find(m: &Module, p: &Body, facts: &mut Facts) -> Totals {
    let mut users: SecondaryMap<Value, Vec<Inst>> = SecondaryMap::new();
    let mut loops = Vec::new();
    p.walk(|inst| {
        for &v in &p.insts[inst].args {
            users[v].push(inst);
        }
        if matches!(p.insts[inst].op, Op::For(_)) && facts.active.contains(inst) {
            loops.push(inst);
        }
    });
    let mut totals = Totals::default();
    for l in loops {
        let Some(sums) = sums_of(p, l) else { continue };
        let uses: Option<Vec<Uses>> = (sums.iter())
            .map(|&(_, load)| uses_of(m, p, &users, l, load))
            .collect();
        let Some(uses) = uses else { continue };
        let arrays = sums.iter().zip(&uses).map(|(&(k, _), u)| (k, u.array));
        totals.loops.insert(l, arrays.collect());
        for (uses, (_, load)) in uses.into_iter().zip(sums) {
            for v in uses.addresses {
                facts.shadow[v] = Shadow::default();
            }
            for mut inst in uses.starts {
                // The loops that set the places have nothing to do in R either.
                while !holds_active(p, facts, inst) {
                    facts.active.remove(inst);
                    match p.regions[p.insts[inst].parent].parent {
                        Some(holder) if matches!(p.insts[holder].op, Op::For(_)) => inst = holder,
                        _ => break,
                    }
                }
            }
            facts.active.remove(load);
            totals.parts.insert(uses.part, uses.array);
        }
    }
    totals
}

fn holds_active(p: &Body, facts: &Facts, inst: Inst) -> bool {
    let mut inner = (p.insts[inst].regions.iter()).flat_map(|&r| &p.regions[r].insts);
    inner.any(|&i| facts.active.contains(i))
}

/// A loop that does nothing but add up what it reads, from the first place on: the numbers it carries, and the loads.
fn sums_of(p: &Body, l: Inst) -> Option<Vec<(usize, Inst)>> {
    let data = &p.insts[l];
    let region = *data.regions.first()?;
    let steps = p.const_int(data.args[0]) == Some(0) && p.const_int(data.args[2]) == Some(1);
    let plain = (p.regions[region].insts.iter()).all(|&i| {
        let op = &p.insts[i].op;
        matches!(op, Op::Load(_) | Op::Yield) || op.is_pure()
    });
    let Op::For(attr) = &data.op else { return None };
    if !steps || !plain || attr.pred != adjoin_ir::Pred::Lt {
        return None;
    }
    let end = p.terminator(region)?;
    let args = &p.regions[region].args;
    let mut sums = Vec::new();
    for (k, (&so_far, &next)) in args[1..].iter().zip(&p.insts[end].args).enumerate() {
        let add = p.def_inst(next)?;
        let [x, y] = p.insts[add].args[..] else {
            return None;
        };
        let other = if x == so_far { y } else { x };
        let load = p.def_inst(other)?;
        let is_sum = matches!(p.insts[add].op, Op::Add)
            && (x == so_far) != (y == so_far)
            && matches!(&p.insts[load].op, Op::Load(attr) if !attr.volatile)
            && p.insts[load].parent == region
            && is_number(p.ty(next))
            && index_of(p, p.insts[load].args[0]).is_some_and(|(_, index)| index == args[0]);
        if !is_sum {
            return None;
        }
        sums.push((k, load));
    }
    (!sums.is_empty()).then_some(sums)
}

/// An element of an array: the array and the index.
fn index_of(p: &Body, address: Value) -> Option<(Value, Value)> {
    let data = &p.insts[p.def_inst(address)?];
    match &data.op {
        Op::Addr(attr) if matches!(attr.steps[..], [Step::Index { .. }]) => {
            Some((data.args[0], data.args[1]))
        }
        _ => None,
    }
}

/// How an array with a place for each thread is used.
struct Uses {
    array: Inst,
    addresses: Vec<Value>,
    /// The store of a thread's part.
    part: Inst,
    /// The stores in front of the region.
    starts: Vec<Inst>,
}

/// Is what a loop sums up an array of as many places, into each of which a thread stores once? It may be set to constants before.
fn uses_of(
    m: &Module,
    p: &Body,
    users: &SecondaryMap<Value, Vec<Inst>>,
    l: Inst,
    load: Inst,
) -> Option<Uses> {
    let (base, _) = index_of(p, p.insts[load].args[0])?;
    let array = p.def_inst(base)?;
    let here = p.insts[l].parent;
    let made_here = matches!(p.insts[array].op, Op::SlotVla(_))
        && p.insts[array].parent == here
        && p.insts[array].args[0] == p.insts[l].args[1];
    if !made_here || users[p.result(load)].len() != 1 {
        return None;
    }
    let mut uses = Uses {
        array,
        addresses: vec![base],
        part: l,
        starts: Vec::new(),
    };
    for &element in &users[base] {
        let address = *p.insts[element].results.first()?;
        let (_, index) = index_of(p, address).filter(|(b, _)| *b == base)?;
        uses.addresses.push(address);
        for &user in &users[address] {
            let data = &p.insts[user];
            match &data.op {
                Op::Load(_) if user == load => {}
                Op::Store(attr) if !attr.volatile && data.args[1] != address => {
                    let constant = p.def_inst(data.args[1]);
                    if constant.is_some_and(|i| matches!(p.insts[i].op, Op::Const(_))) {
                        uses.starts.push(user);
                    } else if uses.part == l && is_part(m, p, here, user, index) {
                        uses.part = user;
                    } else {
                        return None;
                    }
                }
                _ => return None,
            }
        }
    }
    let team = p.regions[p.insts[uses.part].parent].parent?;
    let position = |inst: Inst| p.regions[here].insts.iter().position(|&i| i == inst);
    let (made, ran, summed) = (position(array)?, position(team)?, position(l)?);
    let before = |inst: &Inst| {
        let mut inst = *inst;
        while p.insts[inst].parent != here {
            match p.regions[p.insts[inst].parent].parent {
                Some(holder) => inst = holder,
                None => return false,
            }
        }
        position(inst).is_some_and(|at| at < ran)
    };
    // R of the loop and of the region are in one place: nothing in between goes elsewhere.
    let between = p.regions[here].insts.get(ran + 1..summed)?;
    let together = between.iter().all(|&i| {
        p.insts[i].regions.is_empty() && !p.insts[i].op.is_terminator() || sums_of(p, i).is_some()
    });
    (uses.part != l && made < ran && together && uses.starts.iter().all(before)).then_some(uses)
}

/// Does each thread of a region beside the sum store at the place of its number, once?
fn is_part(m: &Module, p: &Body, here: Region, store: Inst, index: Value) -> bool {
    let mut index = index;
    while let Some(i) = p
        .def_inst(index)
        .filter(|&i| matches!(p.insts[i].op, Op::Cast))
    {
        index = p.insts[i].args[0];
    }
    let region = p.insts[store].parent;
    let asks = p
        .def_inst(index)
        .is_some_and(|i| callee(m, &p.insts[i].op) == Some(THREAD) && p.insts[i].parent == region);
    let team = p.regions[region].parent;
    asks && team
        .is_some_and(|t| directive(p, t) == Some(&Directive::Parallel) && p.insts[t].parent == here)
}

impl Reverse<'_> {
    /// Is it an array that has no shadow since all of it has one adjoint?
    pub(super) fn is_total(&self, array: Inst) -> bool {
        self.totals.parts.values().any(|&a| a == array)
    }

    /// R of a loop that sums up the parts of threads: what the sum gets, its start and all parts get. False if it is another loop.
    pub(super) fn mirror_total(&mut self, inst: Inst) -> bool {
        let Some(sums) = self.totals.loops.get(&inst).cloned() else {
            return false;
        };
        let data = self.p.insts[inst].clone();
        for (k, array) in sums {
            match self.adjoints.get(&data.results[1 + k]).copied() {
                Some(adjoint) => {
                    self.contribute(data.args[3 + k], adjoint);
                    self.totals.adjoints.insert(array, adjoint);
                }
                None => {
                    self.totals.adjoints.remove(&array);
                }
            }
        }
        true
    }

    /// R of the store of a thread's part. False if it is another store.
    pub(super) fn mirror_part(&mut self, inst: Inst) -> bool {
        let Some(array) = self.totals.parts.get(&inst) else {
            return false;
        };
        if let Some(adjoint) = self.totals.adjoints.get(array).copied() {
            let part = self.p.insts[inst].args[1];
            self.contribute(part, adjoint);
        }
        true
    }

    /// The array itself in F: nobody looks at it in R.
    pub(super) fn sweep_total(&mut self, inst: Inst) -> bool {
        let data = self.p.insts[inst].clone();
        let Op::SlotVla(attr) = &data.op else {
            return false;
        };
        if !self.is_total(inst) || self.wrapped.is_some() {
            return false;
        }
        let count = self.f[&data.args[0]];
        let v = data.results[0];
        let array = self.b().slot_vla(attr.ctype, attr.name.as_deref(), count);
        self.d.values[array].ctype = self.p.values[v].ctype;
        self.f.insert(v, array);
        true
    }
}
