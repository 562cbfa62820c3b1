//! Arguments that a pointer at file scope leads to as well: what is only read through it counts as constant, which it is not. That is a message when the derivative starts.

use super::super::{Result, Reverse};
use crate::activity::{is_number, root, variable};
use crate::plan::promote::spelled;
use adjoin_ir::{Body, Inst, Op, Step, Type, Value, ValueDef};
use adjoin_passes::edit::yielded;
use std::collections::BTreeSet;

impl Reverse<'_> {
    /// Stops where a pointer at file scope, through which numbers are read without derivatives, is an argument that has a shadow.
    pub(in crate::reverse) fn stop_if_reached_twice(&mut self) -> Result<()> {
        let arguments: Vec<Value> = (self.p.regions[self.p.entry].args.iter().copied())
            .filter(|&v| self.p.ty(v) == Type::Ptr && self.has_shadow(v))
            .collect();
        if arguments.is_empty() {
            return Ok(());
        }
        for (steps, name) in self.pointers_at_file_scope() {
            let mut address = None;
            for inst in steps {
                let data = self.p.insts[inst].clone();
                let args = address.into_iter().collect();
                address = Some(self.b().value(data.op, args, Type::Ptr));
            }
            let Some(address) = address else { continue };
            let pointer = self.b().load(Type::Ptr, address);
            let null = self.b().null();
            let mut met = self.b().bool_(false);
            for v in &arguments {
                let Some(&argument) = self.f.get(v) else {
                    continue;
                };
                let same = self.b().eq(pointer, argument);
                met = self.b().or(met, same);
            }
            let some = self.b().ne(pointer, null);
            let met = self.b().and(some, met);
            self.if_true(met, |me| {
                let text = format!(
                    "adjoin: '{name}' leads to an argument of the function: what is read through it would count as constant; read it through the argument"
                );
                let stop = me.runtime.stop(me.m, &text);
                me.call(stop, vec![]);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The addresses of pointers at file scope through which numbers are read that count as constant: the instructions that make them, and names.
    fn pointers_at_file_scope(&self) -> Vec<(Vec<Inst>, String)> {
        let p = &self.p;
        let mut read = BTreeSet::new();
        let mut pointers = Vec::new();
        p.walk(|inst| {
            let data = &p.insts[inst];
            let Op::Load(_) = data.op else { return };
            let v = data.results[0];
            if is_number(p.ty(v)) {
                sources(p, data.args[0], 8, &mut read);
            } else if p.ty(v) == Type::Ptr && !self.has_shadow(v) {
                pointers.push(inst);
            }
        });
        let mut found: Vec<(Vec<Inst>, String)> = Vec::new();
        let mut seen = BTreeSet::new();
        for inst in pointers {
            let data = &p.insts[inst];
            if !read.contains(&data.results[0]) {
                continue;
            }
            let mut steps = Vec::new();
            let mut v = data.args[0];
            let at_file_scope = loop {
                let Some(made) = p.def_inst(v) else {
                    break false;
                };
                steps.push(made);
                match &p.insts[made].op {
                    Op::GlobalAddr(_) => break true,
                    Op::Addr(attr)
                        if attr.steps.iter().all(|s| matches!(s, Step::Field { .. })) =>
                    {
                        v = p.insts[made].args[0];
                    }
                    _ => break false,
                }
            };
            if at_file_scope && seen.insert(spelled(p, data.args[0], 8)) {
                steps.reverse();
                found.push((steps, variable(self.m, p, data.args[0]).to_string()));
            }
        }
        found
    }
}

/// The pointers that an address comes from, through branches.
fn sources(p: &Body, address: Value, depth: u32, found: &mut BTreeSet<Value>) {
    let v = root(p, address);
    if !found.insert(v) || depth == 0 {
        return;
    }
    let ValueDef::Result(inst, k) = p.values[v].def else {
        return;
    };
    let data = &p.insts[inst];
    match data.op {
        Op::Select => {
            for &v in &data.args[1..] {
                sources(p, v, depth - 1, found);
            }
        }
        Op::If => {
            for v in data
                .regions
                .iter()
                .filter_map(|&r| yielded(p, r, k as usize))
            {
                sources(p, v, depth - 1, found);
            }
        }
        _ => {}
    }
}
