//! The body for several seeds, instruction by instruction.

use super::taint::{fixed_operands, linked};
use super::weights::Increment;
use super::{Result, Widen};
use crate::AdError;
use crate::known::FREE_LATER;
use crate::lanes::{wide, wide_bytes, widened};
use crate::reverse::lanes::numbers;
use adjoin_ir::{AddrAttr, Builder, Inst, InstData, Op, Region, Type, Value};
use std::collections::HashMap;

impl Widen<'_> {
    fn error<T>(&self, inst: Inst, what: &str) -> Result<T> {
        let message = format!("for several seeds at once: {what}");
        Err(AdError::new(self.p.insts[inst].span, message))
    }

    /// Copies a region of the derivative for one seed to the current place.
    pub(super) fn region(&mut self, region: Region) -> Result<()> {
        for &inst in &self.p.regions[region].insts {
            self.inst(inst)?;
        }
        Ok(())
    }

    fn inst(&mut self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        if self.taint.apart.contains(&inst) {
            return self.apart(inst);
        }
        if self.kept.is_part_of_increment(inst) {
            return Ok(());
        }
        if let Some(increment) = self.kept.increment(inst) {
            self.increment(data, increment);
            return Ok(());
        }
        match &data.op {
            Op::If | Op::For(_) | Op::Loop | Op::Block | Op::Switch(_) => self.control(inst, data),
            Op::Yield | Op::Break(_) | Op::Continue(_) | Op::Fallthrough(_) => {
                self.exit(inst, data)
            }
            Op::Return => self.give_back(inst, data),
            _ => {
                let own = data.args.iter().chain(&data.results);
                match own.copied().any(|v| self.taint.has(v)) {
                    true => self.for_each_seed(inst, data),
                    false => {
                        let args = data.args.iter().map(|v| self.f[v]).collect();
                        let results = self.emit(data, data.op.clone(), args);
                        self.f.extend(data.results.iter().copied().zip(results));
                        Ok(())
                    }
                }
            }
        }
    }

    /// An instruction like another, and its results, with their names and types.
    fn emit(&mut self, data: &InstData, op: Op, args: Vec<Value>) -> Vec<Value> {
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        let mut b = self.b();
        b.span = data.span;
        let new = b.inst(op, args, &types);
        let results = self.d.insts[new].results.clone();
        for (&old, &new) in data.results.iter().zip(&results) {
            self.d.values[new].name.clone_from(&self.p.values[old].name);
            self.d.values[new].ctype = self.p.values[old].ctype;
        }
        results
    }

    fn for_each_seed(&mut self, inst: Inst, data: &InstData) -> Result<()> {
        let inner = |me: &Self, k: usize| data.args.get(k).and_then(|&v| me.kept.inner(v));
        match &data.op {
            Op::Slot(attr) => {
                let v = data.results[0];
                let name = attr.name.clone().unwrap_or_else(|| "object".to_string());
                let counts: Vec<u64> = match self.kept.inner(v) {
                    Some(ty) => {
                        let parts = self.kept.parts(ty).unwrap_or_default();
                        parts.into_iter().map(Type::lanes).collect()
                    }
                    None => vec![1; self.width],
                };
                let several = counts.len() > 1;
                let mut all = Vec::new();
                for (k, count) in counts.into_iter().enumerate() {
                    let mut attr = attr.clone();
                    if count > 1 {
                        attr.ctype = widened(&mut self.m.types, attr.ctype, count);
                    }
                    attr.name = Some(if several {
                        format!("{name}_{k}")
                    } else {
                        name.clone()
                    });
                    all.push(self.b().value(Op::Slot(attr), vec![], Type::Ptr));
                }
                self.t.insert(v, all);
            }
            Op::GlobalAddr(g) => {
                let globals = self.global(*g);
                let all = globals.into_iter().map(|g| self.b().global(g)).collect();
                self.set(data.results[0], all);
            }
            Op::Addr(attr) if inner(self, 0).is_some() => {
                let ty = inner(self, 0).unwrap_or(Type::F64);
                let parts = self.kept.parts(ty).unwrap_or_default();
                let bases = self.t[&data.args[0]].clone();
                let indices: Vec<Value> = data.args[1..].iter().map(|v| self.f[v]).collect();
                let mut all = Vec::new();
                for (part, base) in parts.into_iter().zip(bases) {
                    let count = part.lanes();
                    let op = Op::Addr(AddrAttr {
                        pointee: widened(&mut self.m.types, attr.pointee, count),
                        steps: attr.steps.iter().map(|s| wide(s, count)).collect(),
                    });
                    let args = [&[base], &indices[..]].concat();
                    all.push(self.b().value(op, args, Type::Ptr));
                }
                self.t.insert(data.results[0], all);
            }
            Op::Load(_) if inner(self, 0).is_some() => {
                let ty = inner(self, 0).unwrap_or(Type::F64);
                let parts = self.kept.parts(ty).unwrap_or_default();
                let places = self.t[&data.args[0]].clone();
                let mut all = Vec::new();
                for (part, at) in parts.into_iter().zip(places) {
                    all.push(self.b().load(part, at));
                }
                self.set(data.results[0], all);
            }
            Op::Store(_) if inner(self, 0).is_some() => {
                let ty = inner(self, 0).unwrap_or(Type::F64);
                let parts = self.kept.parts(ty).unwrap_or_default();
                let values = self.parts(data.args[1], &parts);
                let places = self.t[&data.args[0]].clone();
                for (at, v) in places.into_iter().zip(values) {
                    self.b().store(at, v);
                }
            }
            Op::Zero(attr) | Op::Copy(attr) if inner(self, 0).is_some() => {
                let ty = inner(self, 0).unwrap_or(Type::F64);
                let parts = self.kept.parts(ty).unwrap_or_default();
                let places: Vec<Vec<Value>> = data.args.iter().map(|v| self.t[v].clone()).collect();
                for (k, part) in parts.into_iter().enumerate() {
                    let attr = wide_bytes(&mut self.m.types, attr, part.lanes());
                    let op = match data.op {
                        Op::Zero(_) => Op::Zero(attr),
                        _ => Op::Copy(attr),
                    };
                    let args = places.iter().map(|p| p[k]).collect();
                    self.b().inst(op, args, &[]);
                }
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg
                if self.kept.parts(self.p.ty(data.results[0])).is_some() =>
            {
                let types = self.types(data.results[0]);
                self.in_parts(data, &types, 0);
            }
            Op::Select
                if !self.taint.has(data.args[0])
                    && self.kept.parts(self.p.ty(data.results[0])).is_some() =>
            {
                let types = self.types(data.results[0]);
                self.in_parts(data, &types, 1);
            }
            // Memory that all seeds share is freed once.
            Op::Call(attr)
                if self.m.funcs[attr.func].name == FREE_LATER && !self.taint.has(data.args[1]) =>
            {
                let list = self.lanes(data.args[0])[0];
                let memory = self.f[&data.args[1]];
                self.emit(data, data.op.clone(), vec![list, memory]);
            }
            Op::Return | Op::Unreachable => return self.error(inst, "this"),
            op => {
                let args: Vec<Vec<Value>> = data.args.iter().map(|&v| self.lanes(v)).collect();
                let mut results = Vec::new();
                for lane in 0..self.width {
                    let own = args.iter().map(|a| a[lane]).collect();
                    results.push(self.emit(data, op.clone(), own));
                }
                for (k, &v) in data.results.iter().enumerate() {
                    let all: Vec<Value> = results.iter().map(|r| r[k]).collect();
                    for (lane, &x) in all.iter().enumerate() {
                        let name = self.p.values[v].name.as_ref();
                        self.d.values[x].name = name.map(|n| format!("{n}_{lane}"));
                    }
                    self.bind(v, all);
                }
            }
        }
        Ok(())
    }

    /// Each seed adds to its shadow, one after the other.
    fn increment(&mut self, store: &InstData, increment: Increment) {
        let (load, add) = (&self.p.insts[increment.load], &self.p.insts[increment.add]);
        let places = self.lanes(store.args[0]);
        let amounts: Vec<Option<Vec<Value>>> = add
            .args
            .iter()
            .map(|&v| (v != increment.read).then(|| self.lanes(v)))
            .collect();
        for (lane, at) in places.into_iter().enumerate() {
            let read = self.emit(load, load.op.clone(), vec![at])[0];
            let of = |amount: &Option<Vec<Value>>| amount.as_ref().map_or(read, |a| a[lane]);
            let sum = self.emit(add, add.op.clone(), amounts.iter().map(of).collect())[0];
            self.emit(store, store.op.clone(), vec![at, sum]);
        }
    }

    /// The same on vectors; the first few operands are there once.
    fn in_parts(&mut self, data: &InstData, types: &[Type], once: usize) {
        let mut args: Vec<Vec<Value>> = Vec::new();
        for (k, &v) in data.args.iter().enumerate() {
            args.push(match k < once {
                true => vec![self.f[&v]; types.len()],
                false => self.parts(v, types),
            });
        }
        let mut all = Vec::new();
        for (k, &ty) in types.iter().enumerate() {
            let own = args.iter().map(|a| a[k]).collect();
            let mut b = self.b();
            b.span = data.span;
            all.push(b.value(data.op.clone(), own, ty));
        }
        self.set(data.results[0], all);
    }

    /// An operand in the form of the value that it becomes.
    fn handed_on(&mut self, operand: Value, into: Value) -> Vec<Value> {
        if !self.taint.has(into) {
            return vec![self.f[&operand]];
        }
        let types = self.types(into);
        self.parts(operand, &types)
    }

    fn control(&mut self, inst: Inst, data: &InstData) -> Result<()> {
        let fixed = fixed_operands(&data.op);
        let skip = usize::from(matches!(data.op, Op::For(_)));
        let mut args: Vec<Value> = data.args[..fixed].iter().map(|v| self.f[v]).collect();
        for (k, &v) in data.args[fixed..].iter().enumerate() {
            let into = self.p.regions[data.regions[0]].args[skip + k];
            args.extend(self.handed_on(v, into));
        }
        let mut types = Vec::new();
        for &v in &data.results {
            match self.taint.has(v) {
                true => types.extend(self.types(v)),
                false => types.push(self.p.ty(v)),
            }
        }
        let mut b = self.b();
        b.span = data.span;
        let new = b.inst(data.op.clone(), args, &types);
        self.targets.insert(inst, new);
        for &region in &data.regions {
            let inner = self.d.add_region(new);
            for &v in &self.p.regions[region].args {
                let types = match self.taint.has(v) {
                    true => self.types(v),
                    false => vec![self.p.ty(v)],
                };
                let own = types
                    .into_iter()
                    .map(|ty| self.d.add_arg(inner, ty))
                    .collect();
                self.remember(v, own);
            }
            let outer = std::mem::replace(&mut self.at, inner);
            self.region(region)?;
            self.at = outer;
        }
        let mut results = self.d.insts[new].results.clone().into_iter();
        for &v in &data.results {
            let count = match self.taint.has(v) {
                true => self.types(v).len(),
                false => 1,
            };
            let own = results.by_ref().take(count).collect();
            self.remember(v, own);
        }
        Ok(())
    }

    fn remember(&mut self, v: Value, new: Vec<Value>) {
        if self.taint.has(v) {
            self.set(v, new);
            return;
        }
        let (name, ctype) = (self.p.values[v].name.clone(), self.p.values[v].ctype);
        self.d.values[new[0]].name = name;
        self.d.values[new[0]].ctype = ctype;
        self.f.insert(v, new[0]);
    }

    fn exit(&mut self, inst: Inst, data: &InstData) -> Result<()> {
        let mut args = Vec::new();
        for (&v, into) in data.args.iter().zip(linked(self.p, inst)) {
            args.extend(self.handed_on(v, into[0]));
        }
        let op = match data.op.target() {
            None => data.op.clone(),
            Some(t) => retarget(&data.op, self.targets[&t]),
        };
        self.b().inst(op, args, &[]);
        Ok(())
    }

    /// A branch on something that each seed has its own of stands there for each seed.
    fn apart(&mut self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        let mut results = Vec::new();
        for lane in 0..self.width {
            let mut own = HashMap::new();
            self.copy_for(inst, lane, &mut own);
            results.push(data.results.iter().map(|v| own[v]).collect::<Vec<_>>());
        }
        for (k, &v) in data.results.iter().enumerate() {
            let all = results.iter().map(|r| r[k]).collect();
            self.bind(v, all);
        }
        Ok(())
    }

    /// Copies an instruction for one seed; `own` are the values of that copy.
    fn copy_for(&mut self, inst: Inst, lane: usize, own: &mut HashMap<Value, Value>) {
        let data = &self.p.insts[inst];
        let mut args = Vec::new();
        for &v in &data.args {
            args.push(match own.get(&v) {
                Some(&x) => x,
                None => self.lanes(v)[lane],
            });
        }
        let op = match data.op.target() {
            None => data.op.clone(),
            Some(t) => retarget(&data.op, self.targets[&t]),
        };
        let op = match op {
            Op::GlobalAddr(g) if self.taint.globals.contains(&g) => {
                Op::GlobalAddr(self.global(g)[lane])
            }
            op => op,
        };
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        let mut b = self.b();
        b.span = data.span;
        let new = b.inst(op, args, &types);
        self.targets.insert(inst, new);
        for &region in &data.regions {
            let inner = self.d.add_region(new);
            for &v in &self.p.regions[region].args {
                let x = self.d.add_arg(inner, self.p.ty(v));
                self.d.values[x].ctype = self.p.values[v].ctype;
                own.insert(v, x);
            }
            let outer = std::mem::replace(&mut self.at, inner);
            for &inst in &self.p.regions[region].insts {
                self.copy_for(inst, lane, own);
            }
            self.at = outer;
        }
        for (&old, new) in data.results.iter().zip(self.d.insts[new].results.clone()) {
            self.d.values[new].ctype = self.p.values[old].ctype;
            own.insert(old, new);
        }
    }

    /// The primal result, then the adjoints of each parameter for all seeds.
    fn give_back(&mut self, inst: Inst, data: &InstData) -> Result<()> {
        let Some(&v) = data.args.first() else {
            self.b().ret(&[]);
            return Ok(());
        };
        let single = self.outside.single;
        let mut lanes: Vec<Vec<Value>> = Vec::new();
        for x in self.lanes(v) {
            let mut b = Builder::at_end(&mut self.d, self.at);
            let own = match self.m.types.is_aggregate(single) {
                true => numbers(&self.m.types, &mut b, x, single),
                false => Some(vec![x]),
            };
            match own {
                Some(own) => lanes.push(own),
                None => return self.error(inst, "it returns more than numbers"),
            }
        }
        let values = self.outside.in_order(&lanes);
        let mut b = Builder::at_end(&mut self.d, self.at);
        match self.outside.give_back(&self.m.types, &mut b, values) {
            Some(_) => Ok(()),
            None => self.error(
                inst,
                "the derivatives do not fit the struct that is asked for",
            ),
        }
    }
}

/// A terminator that names another instruction.
fn retarget(op: &Op, target: Inst) -> Op {
    match op {
        Op::Break(_) => Op::Break(target),
        Op::Continue(_) => Op::Continue(target),
        Op::Fallthrough(_) => Op::Fallthrough(target),
        other => other.clone(),
    }
}
