//! Turns scalar stack objects into SSA values.
//!
//! A slot is promoted when all that happens to it are plain loads and stores of its own type. Since control flow
//! is structured, no dominance frontiers are needed: an instruction with regions that store to the slot gets
//! a result (and, for loops and switches, a region argument) for it, and every exit hands over the current value.
//!
//! Threads: a slot that a parallel region stores to from outside of it is shared memory and stays in memory; one that the region
//! only reads is captured by value, except by tasks, which may run later than the next store.

use crate::edit::{Replacements, zero};
use adjoin_ir::{Body, CTy, CTypes, Directive, Inst, MemAttr, Op, Region, Span, Type, Value};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

struct Slot {
    ty: Type,
    ctype: CTy,
    name: Option<String>,
}

/// Runs the pass.
pub fn run(types: &CTypes, body: &mut Body) {
    crate::registry::optional("mem2reg", || promote(types, body));
}

/// Runs it where what follows relies on it.
pub fn promote(types: &CTypes, body: &mut Body) {
    let candidates = find(types, body);
    if candidates.slots.is_empty() {
        return;
    }
    let assigned = assigned(body, &candidates);
    let mut promoter = Promoter {
        current: vec![None; candidates.slots.len()],
        candidates,
        assigned,
        body,
        log: Vec::new(),
        replacements: Replacements::default(),
    };
    let entry = promoter.body.entry;
    promoter.region(entry);
}

struct Candidates {
    /// Index of a promoted slot, plus one, by the slot's address.
    index: SecondaryMap<Value, u32>,
    slots: Vec<Slot>,
}

impl Candidates {
    fn of(&self, address: Value) -> Option<usize> {
        (self.index[address] as usize).checked_sub(1)
    }
}

/// The innermost `par` around each region.
fn parallel_context(body: &Body) -> SecondaryMap<Region, PackedOption<Inst>> {
    let mut context = SecondaryMap::new();
    for region in crate::edit::live_regions(body) {
        if let Some(holder) = body.regions[region].parent {
            context[region] = match body.insts[holder].op {
                Op::Par(_) => holder.into(),
                _ => context[body.insts[holder].parent],
            };
        }
    }
    context
}

fn find(types: &CTypes, body: &Body) -> Candidates {
    let context = parallel_context(body);
    let mut found: Vec<(Value, Slot)> = Vec::new();
    let mut position: SecondaryMap<Value, u32> = SecondaryMap::new();
    body.walk(|inst| {
        if let Op::Slot(attr) = &body.insts[inst].op
            && let Some(ty) = Type::of_ctype(types, attr.ctype)
            && !types.quals(attr.ctype).is_volatile
        {
            let slot = Slot {
                ty,
                ctype: types.unqualified(attr.ctype),
                name: attr.name.clone(),
            };
            found.push((body.result(inst), slot));
            position[body.result(inst)] = found.len() as u32;
        }
    });
    let mut plain = vec![true; found.len()];
    body.walk(|inst| {
        let data = &body.insts[inst];
        for (k, &arg) in data.args.iter().enumerate() {
            let Some(slot) = (position[arg] as usize).checked_sub(1) else {
                continue;
            };
            let home = context[body.def_region(arg)];
            let here = context[data.parent];
            let ok = match &data.op {
                Op::Load(MemAttr { volatile: false }) => {
                    body.ty(data.results[0]) == found[slot].1.ty
                        && (here == home || captures_by_value(body, &context, here, home))
                }
                Op::Store(MemAttr { volatile: false }) => {
                    k == 0 && body.ty(data.args[1]) == found[slot].1.ty && here == home
                }
                _ => false,
            };
            plain[slot] &= ok;
        }
    });
    let mut candidates = Candidates {
        index: SecondaryMap::new(),
        slots: Vec::new(),
    };
    for ((address, slot), plain) in found.into_iter().zip(plain) {
        if plain {
            candidates.slots.push(slot);
            candidates.index[address] = candidates.slots.len() as u32;
        }
    }
    candidates
}

/// Do all parallel regions from `here` out to `home` see the value that the variable has when they are entered?
fn captures_by_value(
    body: &Body,
    context: &SecondaryMap<Region, PackedOption<Inst>>,
    mut here: PackedOption<Inst>,
    home: PackedOption<Inst>,
) -> bool {
    while here != home {
        let Some(par) = here.expand() else {
            return false;
        };
        if let Op::Par(attr) = &body.insts[par].op
            && matches!(
                attr.directive,
                Directive::Task | Directive::Taskloop | Directive::TaskloopSimd
            )
        {
            return false;
        }
        here = context[body.insts[par].parent];
    }
    true
}

/// For each instruction with regions: the promoted slots from outside that its regions store to, in order.
fn assigned(body: &Body, candidates: &Candidates) -> SecondaryMap<Inst, Vec<u32>> {
    let mut assigned: SecondaryMap<Inst, Vec<u32>> = SecondaryMap::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        if !matches!(data.op, Op::Store(_)) {
            return;
        }
        let Some(slot) = candidates.of(data.args[0]) else {
            return;
        };
        let home = body.def_region(data.args[0]);
        let mut region = data.parent;
        while region != home {
            let holder = body.regions[region]
                .parent
                .expect("a slot's region encloses its uses");
            let list = &mut assigned[holder];
            if let Err(at) = list.binary_search(&(slot as u32)) {
                list.insert(at, slot as u32);
            }
            region = body.insts[holder].parent;
        }
    });
    assigned
}

struct Promoter<'a> {
    body: &'a mut Body,
    candidates: Candidates,
    assigned: SecondaryMap<Inst, Vec<u32>>,
    /// The value of each slot at this point; `None` before the first store.
    current: Vec<Option<Value>>,
    /// Undo log of `current`.
    log: Vec<(u32, Option<Value>)>,
    replacements: Replacements,
}

impl Promoter<'_> {
    fn set(&mut self, slot: u32, value: Option<Value>) {
        let old = std::mem::replace(&mut self.current[slot as usize], value);
        self.log.push((slot, old));
    }

    fn rollback(&mut self, mark: usize) {
        while self.log.len() > mark {
            let (slot, old) = self.log.pop().expect("the log is longer than the mark");
            self.current[slot as usize] = old;
        }
    }

    /// The slot's value; an uninitialised one reads as zero.
    fn value(&mut self, slot: u32, region: Region, list: &mut Vec<Inst>, span: Span) -> Value {
        if let Some(v) = self.current[slot as usize] {
            return v;
        }
        let ty = self.candidates.slots[slot as usize].ty;
        let v = zero(self.body, region, ty, span, |inst| list.push(inst));
        self.set(slot, Some(v));
        v
    }

    fn name(&mut self, value: Value, slot: u32) {
        let slot = &self.candidates.slots[slot as usize];
        let data = &mut self.body.values[value];
        data.name.clone_from(&slot.name);
        data.ctype = Some(slot.ctype);
    }

    fn region(&mut self, region: Region) {
        let insts = std::mem::take(&mut self.body.regions[region].insts);
        let mut list = Vec::with_capacity(insts.len());
        for inst in insts {
            self.inst(region, inst, &mut list);
        }
        self.body.regions[region].insts = list;
    }

    fn inst(&mut self, region: Region, inst: Inst, list: &mut Vec<Inst>) {
        let span = self.body.insts[inst].span;
        match &self.body.insts[inst].op {
            Op::Slot(_) => {
                let address = self.body.result(inst);
                if let Some(slot) = self.candidates.of(address) {
                    self.set(slot as u32, None);
                    return;
                }
            }
            Op::Load(_) => {
                if let Some(slot) = self.candidates.of(self.body.insts[inst].args[0]) {
                    let value = self.value(slot as u32, region, list, span);
                    let result = self.body.result(inst);
                    self.replacements.set(result, value);
                    return;
                }
            }
            Op::Store(_) => {
                if let Some(slot) = self.candidates.of(self.body.insts[inst].args[0]) {
                    let value = self.replacements.get(self.body.insts[inst].args[1]);
                    self.name_if_nameless(value, slot as u32);
                    self.set(slot as u32, Some(value));
                    return;
                }
            }
            _ => {}
        }
        for arg in &mut self.body.insts[inst].args {
            *arg = self.replacements.get(*arg);
        }
        if self.body.insts[inst].op.is_terminator() {
            if let Some(target) = crate::edit::exit_target_in(self.body, inst, region) {
                for slot in self.assigned[target].clone() {
                    let value = self.value(slot, region, list, span);
                    self.body.insts[inst].args.push(value);
                }
            }
        } else if !self.body.insts[inst].regions.is_empty() {
            self.control(region, inst, list, span);
        }
        list.push(inst);
    }

    /// A computed value takes the name of the first variable that it is stored to.
    fn name_if_nameless(&mut self, value: Value, slot: u32) {
        let nameless = self.body.values[value].name.is_none();
        let computed = self.body.def_inst(value).is_some_and(|i| {
            !matches!(
                self.body.insts[i].op,
                Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_) | Op::Slot(_)
            )
        });
        if nameless && computed {
            self.name(value, slot);
        }
    }

    fn control(&mut self, region: Region, inst: Inst, list: &mut Vec<Inst>, span: Span) {
        let slots = self.assigned[inst].clone();
        let takes_args = matches!(
            self.body.insts[inst].op,
            Op::For(_) | Op::Loop | Op::Switch(_)
        );
        if takes_args {
            for &slot in &slots {
                let value = self.value(slot, region, list, span);
                self.body.insts[inst].args.push(value);
            }
        }
        for inner in self.body.insts[inst].regions.clone() {
            let mark = self.log.len();
            if takes_args {
                for &slot in &slots {
                    let arg = self
                        .body
                        .add_arg(inner, self.candidates.slots[slot as usize].ty);
                    self.name(arg, slot);
                    self.set(slot, Some(arg));
                }
            }
            self.region(inner);
            self.rollback(mark);
        }
        for &slot in &slots {
            let result = self
                .body
                .add_result(inst, self.candidates.slots[slot as usize].ty);
            self.name(result, slot);
            self.set(slot, Some(result));
        }
    }
}
