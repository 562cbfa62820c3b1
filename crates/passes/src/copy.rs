//! Copies of instructions within one body, with all that is inside them.

use adjoin_ir::{Body, Inst, Op, Region, Value};
use std::collections::HashMap;

/// Copies instructions within a body.
#[derive(Debug)]
pub struct Copier<'a> {
    /// The body.
    pub body: &'a mut Body,
    values: HashMap<Value, Value>,
    insts: HashMap<Inst, Inst>,
}

impl<'a> Copier<'a> {
    /// Nothing is copied yet.
    pub fn new(body: &'a mut Body) -> Self {
        Copier {
            body,
            values: HashMap::new(),
            insts: HashMap::new(),
        }
    }

    /// In what is copied from now on, a value is another.
    pub fn call(&mut self, old: Value, new: Value) {
        self.values.insert(old, new);
    }

    /// The copy of an instruction.
    pub fn copy_of(&self, inst: Inst) -> Option<Inst> {
        self.insts.get(&inst).copied()
    }

    /// What a value is in the copy.
    pub fn value(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }

    fn target(&self, inst: Inst) -> Inst {
        self.insts.get(&inst).copied().unwrap_or(inst)
    }

    fn name(&mut self, old: Value, new: Value) {
        let (name, ctype) = (
            self.body.values[old].name.clone(),
            self.body.values[old].ctype,
        );
        self.body.values[new].name = name;
        self.body.values[new].ctype = ctype;
        self.values.insert(old, new);
    }

    /// A copy that belongs to a region but stands nowhere yet.
    pub fn inst(&mut self, inst: Inst, region: Region) -> Inst {
        let data = self.body.insts[inst].clone();
        let args = data.args.iter().map(|&v| self.value(v)).collect();
        let op = match data.op {
            Op::Break(t) => Op::Break(self.target(t)),
            Op::Continue(t) => Op::Continue(self.target(t)),
            Op::Fallthrough(t) => Op::Fallthrough(self.target(t)),
            op => op,
        };
        let new = self.body.make(region, op, args, data.span);
        self.insts.insert(inst, new);
        for &old in &data.results {
            let v = self.body.add_result(new, self.body.ty(old));
            self.name(old, v);
        }
        for &from in &data.regions {
            let inner = self.body.add_region(new);
            for old in self.body.regions[from].args.clone() {
                let v = self.body.add_arg(inner, self.body.ty(old));
                self.name(old, v);
            }
            for i in self.body.regions[from].insts.clone() {
                let made = self.inst(i, inner);
                self.body.regions[inner].insts.push(made);
            }
        }
        new
    }
}
