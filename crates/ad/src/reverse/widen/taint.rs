//! What there is one of for each seed: shadows, seeds, and all that is computed from them.
//!
//! Memory of the body that such a value goes to is there once for each seed as a whole, so that its address belongs to the seed, too. Memory of others does so only
//! behind pointers that do. A derivative in which that cannot be told apart is not widened.

use crate::activity::variable;
use crate::known::{self, Known};
use crate::points_to::{Object, PointsTo};
use crate::{AdError, rules};
use adjoin_ir::{Body, Func, Global, Inst, Module, Op, Region, Type, Value};
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, AdError>;

/// What is known.
#[derive(Debug, Default)]
pub struct Taint {
    /// Values that each seed has its own of.
    values: BTreeSet<Value>,
    /// Memory of the body that each seed has its own of.
    objects: BTreeSet<Object>,
    /// Globals that each seed has its own of.
    pub globals: BTreeSet<Global>,
    /// Branches that go another way for each seed.
    pub apart: BTreeSet<Inst>,
}

impl Taint {
    /// Does each seed have its own?
    pub fn has(&self, v: Value) -> bool {
        self.values.contains(&v)
    }

    /// Of a body, from some of its parameters and from shadows of globals.
    pub fn of(
        m: &Module,
        body: &Body,
        points: &PointsTo<'_>,
        params: BTreeSet<Value>,
        globals: BTreeSet<Global>,
    ) -> Result<Taint> {
        let mut me = Spread {
            m,
            body,
            points,
            taint: Taint {
                values: params,
                globals,
                ..Taint::default()
            },
            changed: true,
        };
        let mut all = Vec::new();
        body.walk(|inst| all.push(inst));
        while me.changed {
            me.changed = false;
            for &inst in &all {
                me.inst(inst)?;
            }
        }
        for &inst in &all {
            me.check(inst)?;
        }
        Ok(me.taint)
    }
}

struct Spread<'a> {
    m: &'a Module,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    taint: Taint,
    changed: bool,
}

impl Spread<'_> {
    fn has(&self, v: Value) -> bool {
        self.taint.has(v)
    }

    fn mark(&mut self, v: Value) {
        self.changed |= self.taint.values.insert(v);
    }

    fn error<T>(&self, inst: Inst, what: &str) -> Result<T> {
        let message = format!("for several seeds at once: {what}");
        Err(AdError::new(self.body.insts[inst].span, message))
    }

    /// All memory of the body behind an address is there for each seed.
    fn mark_behind(&mut self, address: Value) {
        let mut found = Vec::new();
        for place in self.points.objects(address) {
            match place.object {
                object if object.is_local() => found.push(object),
                object => found.extend(self.own_behind(object)),
            }
        }
        for object in found {
            self.changed |= self.taint.objects.insert(object);
        }
    }

    /// Memory of the body that can be reached as memory of others.
    fn own_behind(&self, object: Object) -> Vec<Object> {
        let mut all = Vec::new();
        self.body.walk(|inst| {
            for own in [Object::Stack(inst), Object::Heap(inst)] {
                if self.points.objects_may_overlap(object, own) && self.makes(inst) {
                    all.push(own);
                }
            }
        });
        all
    }

    fn makes(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let own = |p: &crate::points_to::Place| matches!(p.object, Object::Stack(i) | Object::Heap(i) if i == inst);
        data.results
            .first()
            .is_some_and(|&v| self.points.objects(v).iter().any(own))
    }

    /// Something of a seed goes to an address that all seeds share: the memory there must be the body's own.
    fn mark_written(&mut self, inst: Inst, address: Value) -> Result<()> {
        let places = self.points.objects(address);
        if places.is_empty() || !places.iter().all(|p| p.object.is_local()) {
            let name = variable(self.m, self.body, address);
            return self.error(
                inst,
                &format!("an adjoint goes to '{name}', which is there once"),
            );
        }
        self.mark_behind(address);
        Ok(())
    }

    fn inst(&mut self, inst: Inst) -> Result<()> {
        let data = &self.body.insts[inst];
        let any = data.args.iter().any(|&v| self.has(v));
        match &data.op {
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => {
                if self.taint.objects.contains(&Object::Stack(inst)) {
                    self.mark(data.results[0]);
                }
            }
            Op::GlobalAddr(g) => {
                if self.taint.globals.contains(g) {
                    self.mark(data.results[0]);
                }
            }
            Op::Load(_) | Op::LoadBits(_) => {
                if any {
                    self.mark(data.results[0]);
                    self.mark_behind(data.args[0]);
                }
            }
            Op::Store(_) | Op::StoreBits(_) | Op::Copy(_) => {
                if self.has(data.args[0]) {
                    self.mark_behind(data.args[0]);
                } else if any {
                    self.mark_written(inst, data.args[0])?;
                }
            }
            Op::Zero(_) => {
                if any {
                    self.mark_behind(data.args[0]);
                }
            }
            Op::Call(attr) => self.call(inst, attr.func, any)?,
            Op::CallIndirect(_)
            | Op::Mpi(_)
            | Op::VaStart
            | Op::VaArg(_)
            | Op::VaArgInto(_)
            | Op::VaEnd
            | Op::VaCopy => {
                if any {
                    return self.error(inst, "this call");
                }
            }
            Op::If => {
                self.pass_on(inst);
                if self.has(data.args[0]) {
                    self.changed |= self.taint.apart.insert(inst);
                    data.results.iter().for_each(|&v| self.mark(v));
                }
            }
            Op::For(_) | Op::Loop | Op::Block | Op::Switch(_) => {
                let fixed = fixed_operands(&data.op);
                if data.args[..fixed].iter().any(|&v| self.has(v)) {
                    return self.error(inst, "how often a loop runs depends on shadows");
                }
                for (k, &arg) in data.args[fixed..].iter().enumerate() {
                    if self.has(arg) {
                        for &r in &data.regions {
                            let first = usize::from(matches!(data.op, Op::For(_)));
                            self.mark(self.body.regions[r].args[first + k]);
                        }
                    }
                }
                self.pass_on(inst);
            }
            Op::Par(_) => return self.error(inst, "a parallel construct"),
            Op::Yield | Op::Break(_) | Op::Continue(_) | Op::Fallthrough(_) => {
                for (v, into) in data.args.iter().zip(linked(self.body, inst)) {
                    if self.has(*v) {
                        into.into_iter().for_each(|v| self.mark(v));
                    }
                }
            }
            Op::Return | Op::Unreachable => {}
            _ => {
                if any {
                    data.results.iter().for_each(|&v| self.mark(v));
                }
            }
        }
        Ok(())
    }

    /// What a loop carries is the same kind of value in each iteration and at the end; so are arguments of the regions of a `switch`.
    fn pass_on(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let groups: Vec<Vec<Value>> = match data.op {
            Op::For(_) => {
                let args = &self.body.regions[data.regions[0]].args;
                (1..args.len())
                    .map(|k| vec![args[k], data.results[k]])
                    .collect()
            }
            Op::Switch(_) => {
                let all = |k: usize| {
                    let of = |&r: &Region| self.body.regions[r].args[k];
                    data.regions.iter().map(of).collect()
                };
                (0..data.args.len() - 1).map(all).collect()
            }
            _ => Vec::new(),
        };
        for group in groups {
            if group.iter().any(|&v| self.has(v)) {
                group.into_iter().for_each(|v| self.mark(v));
            }
        }
    }

    fn call(&mut self, inst: Inst, func: Func, any: bool) -> Result<()> {
        let data = &self.body.insts[inst];
        let function = &self.m.funcs[func];
        let name = function.name.as_str();
        let made = self.taint.objects.contains(&Object::Heap(inst));
        if let (true, Some(&v)) = (made, data.results.first()) {
            self.mark(v);
        }
        if !any {
            return match function.body.is_some()
                && !is_helper(name)
                && !self.taint.globals.is_empty()
            {
                true => self.error(inst, &format!("'{name}' may use the shadows of globals")),
                false => Ok(()),
            };
        }
        let known = (function.body.is_none())
            .then(|| known::lookup(name))
            .flatten();
        match known {
            Some(Known::Copy) => {
                if self.has(data.args[0]) {
                    self.mark_behind(data.args[0]);
                } else {
                    self.mark_written(inst, data.args[0])?;
                }
            }
            Some(Known::Fill) => self.mark_behind(data.args[0]),
            Some(Known::Free | Known::Malloc(_) | Known::Calloc) => {}
            None if is_helper(name) => {}
            None if function.body.is_none() && rules::lookup(name).is_some() => {}
            _ => return self.error(inst, &format!("a call of '{name}'")),
        }
        data.results.iter().for_each(|&v| self.mark(v));
        Ok(())
    }

    /// What must hold in the end.
    fn check(&self, inst: Inst) -> Result<()> {
        let data = &self.body.insts[inst];
        // An address that all seeds share does not lead to memory that each has its own of.
        let accessed: &[usize] = match data.op {
            Op::Load(_) | Op::Store(_) | Op::LoadBits(_) | Op::StoreBits(_) | Op::Zero(_) => &[0],
            Op::Copy(_) => &[0, 1],
            _ => &[],
        };
        for &k in accessed {
            let address = data.args[k];
            let shared = |o: Object| {
                self.taint.objects.contains(&o)
                    || matches!(o, Object::Global(g) if self.taint.globals.contains(&g))
            };
            let places = self.points.objects(address);
            if !self.has(address) && places.iter().any(|p| shared(p.object)) {
                return self.error(inst, "memory of one seed is reached as memory of all");
            }
        }
        if self.taint.apart.contains(&inst) {
            for &r in &data.regions {
                self.check_apart(inst, r)?;
            }
        }
        if data.op == Op::Return && data.args.len() > 1 {
            return self.error(inst, "it returns several values");
        }
        Ok(())
    }

    /// Code that runs once for each seed must leave nothing that the seeds share.
    fn check_apart(&self, holder: Inst, region: Region) -> Result<()> {
        for &inst in &self.body.regions[region].insts {
            let data = &self.body.insts[inst];
            let inside = |v: Value| self.body.encloses(region, self.body.def_region(v));
            let own = |v: Value| {
                let made = self.points.objects(v);
                let here = |o: Object| match o {
                    Object::Stack(i) => self.body.encloses(region, self.body.insts[i].parent),
                    _ => false,
                };
                self.has(v) || inside(v) && !made.is_empty() && made.iter().all(|p| here(p.object))
            };
            let fine = match &data.op {
                Op::Store(_) | Op::StoreBits(_) | Op::Zero(_) | Op::Copy(_) => own(data.args[0]),
                Op::Call(attr) => {
                    let name = self.m.funcs[attr.func].name.as_str();
                    name.starts_with("adjoin_stop")
                        || data.args.iter().any(|&v| self.has(v))
                        || rules::lookup(name).is_some()
                }
                Op::CallIndirect(_) | Op::Mpi(_) | Op::Par(_) | Op::Return => false,
                Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => {
                    self.body.encloses(region, self.body.insts[*t].parent)
                }
                _ => true,
            };
            if !fine {
                return self.error(holder, "what happens under a condition on shadows");
            }
            for &r in &data.regions {
                self.check_apart(holder, r)?;
            }
        }
        Ok(())
    }
}

/// A function that belongs to derivatives themselves and knows of memory only what it is given.
fn is_helper(name: &str) -> bool {
    name == "adjoin_zeroed"
        || name == crate::known::FREE_LATER
        || name == crate::known::FREE_ALL
        || name.starts_with("adjoin_allocate_")
        || name.starts_with("adjoin_stop")
}

/// How many operands of an instruction with regions are its own business.
pub fn fixed_operands(op: &Op) -> usize {
    match op {
        Op::For(_) => 3,
        Op::If | Op::Switch(_) => 1,
        _ => 0,
    }
}

/// For each operand of a terminator: the values that it becomes.
pub fn linked(body: &Body, inst: Inst) -> Vec<Vec<Value>> {
    let data = &body.insts[inst];
    let holder = match data.op.target().or(body.regions[data.parent].parent) {
        Some(holder) => holder,
        None => return Vec::new(),
    };
    let of = &body.insts[holder];
    let arguments = |first: usize| -> Vec<Vec<Value>> {
        let regions = of.regions.iter();
        let count = body.regions[of.regions[0]].args.len();
        (first..count)
            .map(|k| regions.clone().map(|&r| body.regions[r].args[k]).collect())
            .collect()
    };
    let results = |first: usize| of.results[first..].iter().map(|&v| vec![v]).collect();
    match (&data.op, &of.op) {
        (Op::Break(_), Op::For(_)) => results(1),
        (Op::Break(_), _) => results(0),
        (Op::Fallthrough(_), _) => arguments(0),
        (_, Op::For(_)) => arguments(1),
        (_, Op::Loop) => arguments(0),
        _ => results(0),
    }
}

/// Is a value a number that vectors hold?
pub fn is_vector_number(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}
