//! Clears up what mirrored loads and stores do to one place of shadow memory one after the other: `t = s; s = 0; s += t` is nothing at all.
//!
//! Within a list of instructions, a load from an address that was just read or written is the value that is known; a store of what is there already goes, and so does one that is
//! overwritten before anyone reads. Addresses are the same if they are computed alike. Any other access may be to the same memory.

use adjoin_ir::{Body, Const, Directive, Inst, Op, Region, Type, Value};
use adjoin_passes::edit::{self, Replacements};
use std::collections::{BTreeSet, HashMap};

/// One round makes the next possible; three are enough for what mirroring makes.
const ROUNDS: usize = 3;

/// Runs over the reverse sweep, which is a region: the primal's sums keep the signs of their zeros.
pub(super) fn run(body: &mut Body, region: Region) {
    for _ in 0..ROUNDS {
        let mut settle = Settle {
            body,
            replaced: Replacements::default(),
            numbers: HashMap::new(),
            canonical: HashMap::new(),
            removed: BTreeSet::new(),
        };
        settle.region(region);
        let Settle {
            replaced, removed, ..
        } = settle;
        if removed.is_empty() {
            return;
        }
        for inst in removed {
            edit::unlink(body, inst);
        }
        replaced.apply(body);
    }
}

struct Settle<'a> {
    body: &'a Body,
    replaced: Replacements,
    numbers: HashMap<(String, Vec<Value>), Value>,
    canonical: HashMap<Value, Value>,
    removed: BTreeSet<Inst>,
}

/// What is known at a place in a list.
#[derive(Default)]
struct Memory {
    contents: Vec<(Value, Type, Value)>,
    /// Stores that nobody has read.
    unread: Vec<(Value, Type, Inst)>,
}

impl Settle<'_> {
    fn canon(&self, v: Value) -> Value {
        let v = self.replaced.get(v);
        self.canonical.get(&v).copied().unwrap_or(v)
    }

    fn region(&mut self, region: Region) {
        let mut memory = Memory::default();
        let mut made = Vec::new();
        for inst in self.body.regions[region].insts.clone() {
            let data = &self.body.insts[inst];
            if !data.regions.is_empty() {
                let atomic = matches!(&data.op, Op::Par(attr) if matches!(attr.directive, Directive::Atomic(_)));
                if !atomic {
                    for &inner in &data.regions {
                        self.region(inner);
                    }
                }
                memory = Memory::default();
                continue;
            }
            match &data.op {
                Op::Load(attr) if !attr.volatile => self.load(inst, &mut memory),
                Op::Store(attr) if !attr.volatile => self.store(inst, &mut memory),
                op if op.is_pure() => {
                    self.sum(inst);
                    let args: Vec<Value> = data.args.iter().map(|&a| self.canon(a)).collect();
                    let signature = (format!("{:?}", data.op), args);
                    let v = self.body.result(inst);
                    match self.numbers.get(&signature) {
                        Some(&first) if self.body.ty(first) == self.body.ty(v) => {
                            self.canonical.insert(v, first);
                        }
                        Some(_) => {}
                        None => {
                            self.numbers.insert(signature.clone(), v);
                            made.push(signature);
                        }
                    }
                }
                _ => memory = Memory::default(),
            }
        }
        for signature in made {
            self.numbers.remove(&signature);
        }
    }

    fn load(&mut self, inst: Inst, memory: &mut Memory) {
        let v = self.body.result(inst);
        let address = self.canon(self.body.insts[inst].args[0]);
        let ty = self.body.ty(v);
        let known = (memory.contents.iter()).find(|(a, t, _)| *a == address && *t == ty);
        if let Some(&(_, _, value)) = known {
            self.replaced.set(v, value);
            self.removed.insert(inst);
            return;
        }
        memory.unread.clear();
        memory.contents.push((address, ty, v));
    }

    fn store(&mut self, inst: Inst, memory: &mut Memory) {
        let data = &self.body.insts[inst];
        let (address, value) = (self.canon(data.args[0]), self.replaced.get(data.args[1]));
        let ty = self.body.ty(value);
        let same = |a: Value, t: Type| a == address && t == ty;
        if (memory.contents.iter()).any(|&(a, t, v)| same(a, t) && v == value) {
            self.removed.insert(inst);
            return;
        }
        let unread = memory.unread.iter().position(|&(a, t, _)| same(a, t));
        if let Some(k) = unread {
            self.removed.insert(memory.unread.remove(k).2);
        }
        memory.contents = vec![(address, ty, value)];
        memory.unread.push((address, ty, inst));
    }

    /// A sum with a zero that was just stored.
    fn sum(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let v = self.body.result(inst);
        if !matches!(data.op, Op::Add) || !self.body.ty(v).is_float() {
            return;
        }
        let [a, b] = [0, 1].map(|k| self.replaced.get(data.args[k]));
        let forwarded = |k: usize| self.replaced.get(data.args[k]) != data.args[k];
        for (k, (zero, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            if forwarded(k) && self.is_zero(zero) {
                self.replaced.set(v, other);
                self.removed.insert(inst);
                return;
            }
        }
    }

    fn is_zero(&self, v: Value) -> bool {
        let inst = self.body.def_inst(v);
        inst.is_some_and(|i| {
            matches!(
                self.body.insts[i].op,
                Op::Const(Const::Float {
                    bits: 0,
                    text: None
                })
            )
        })
    }
}
