//! Parallel constructs in the normal form of `adjoin_passes::openmp`: regions hold tangents beside values, so what no two threads touch of the values
//! no two threads touch of the tangents.
//!
//! An atomic access becomes one for the value and one for each tangent, if the tangents do not need the value that is there: reads, writes, and updates that are linear in
//! the object. If a function has others, all its atomic accesses to active memory become critical sections of one name instead.

use super::{Forward, Result};
use adjoin_ir::{AtomicKind, Clause, Directive, Inst, Op, ParAttr, Region, Type, Value};

/// The name of the critical sections that atomic accesses become.
const CRITICAL: &str = "adjoin_atomic";

impl Forward<'_> {
    /// A parallel construct.
    pub(super) fn parallel(&mut self, inst: Inst) -> Result<()> {
        let Op::Par(attr) = self.p.insts[inst].op.clone() else {
            return Ok(());
        };
        let active = self.is_active_inside(inst);
        match attr.directive {
            Directive::Atomic(kind) if active => {
                if self.atomics_are_critical() {
                    let critical = Op::Par(ParAttr {
                        directive: Directive::Critical {
                            name: Some(CRITICAL.to_string()),
                        },
                        clauses: Vec::new(),
                    });
                    return self.construct(inst, critical);
                }
                self.atomic(inst, kind)
            }
            Directive::Parallel if !attr.clauses.iter().any(|c| c.region_args() > 0) => {
                self.construct(inst, Op::Par(attr))
            }
            Directive::Task if attr.clauses.iter().all(Clause::is_dependence) => self.construct(inst, Op::Par(attr)),
            Directive::Critical { .. }
            | Directive::Barrier
            | Directive::Flush
            | Directive::Taskwait => {
                self.construct(inst, Op::Par(attr))
            }
            _ if active => self.error(
                inst,
                "this parallel construct: what it does to active data depends on the number of threads, or has no parallel derivative yet",
            ),
            _ => self.construct(inst, Op::Par(attr)),
        }
    }

    /// A construct with the derivative of what is inside.
    fn construct(&mut self, inst: Inst, op: Op) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let args = match op == data.op {
            true => self.operands(inst),
            false => Vec::new(),
        };
        let is_team = matches!(&op, Op::Par(attr) if attr.directive == Directive::Parallel);
        let tables = match is_team {
            true => self.tables_of_team(),
            false => Vec::new(),
        };
        let new = self.b().inst(op, args, &[]);
        self.targets.insert(inst, new);
        for &region in &data.regions {
            let inner = self.d.add_region(new);
            for v in self.p.regions[region].args.clone() {
                let x = self.d.add_arg(inner, self.p.ty(v));
                self.like(v, x);
            }
            let own = self.inside(inner, |me| {
                let own = me.join(&tables);
                me.region(region)?;
                Ok(own)
            })?;
            self.leave(inner, &own)?;
        }
        Ok(())
    }

    /// At the end of a team, when nobody runs a task any more, threads have their own tables again.
    fn leave(&mut self, inner: Region, own: &[(adjoin_ir::Global, Value)]) -> Result<()> {
        if own.is_empty() {
            return Ok(());
        }
        let end = self.d.regions[inner].insts.pop();
        self.inside(inner, |me| {
            me.b().par_alone(Directive::Barrier, vec![], vec![]);
            me.join(own);
            Ok(())
        })?;
        self.d.regions[inner].insts.extend(end);
        Ok(())
    }

    /// Does anything in an instruction's regions deal with tangents?
    fn is_active_inside(&self, inst: Inst) -> bool {
        let mut work = self.p.insts[inst].regions.clone();
        while let Some(region) = work.pop() {
            let data = &self.p.regions[region];
            if self.facts.any_tangent(&data.args) {
                return true;
            }
            for &inner in &data.insts {
                let data = &self.p.insts[inner];
                if self.facts.any_tangent(&data.results) || self.facts.any_tangent(&data.args) {
                    return true;
                }
                work.extend(&data.regions);
            }
        }
        false
    }

    /// Is there an atomic access whose tangents need the value?
    fn atomics_are_critical(&self) -> bool {
        let mut found = false;
        self.p.walk(|inst| {
            if let Op::Par(attr) = &self.p.insts[inst].op
                && let Directive::Atomic(kind) = attr.directive
                && !found
                && self.is_active_inside(inst)
            {
                found = match kind {
                    AtomicKind::Read | AtomicKind::Write => self.is_guarded(inst),
                    AtomicKind::Update => self.is_guarded(inst) || self.linear(inst).is_none(),
                    AtomicKind::Capture => true,
                };
            }
        });
        found
    }

    /// Does it access memory whose shadow may be missing at run time?
    fn is_guarded(&self, inst: Inst) -> bool {
        let region = self.p.insts[inst].regions[0];
        self.p.regions[region].insts.iter().any(|&i| {
            let data = &self.p.insts[i];
            matches!(data.op, Op::Load(_) | Op::Store(_)) && self.facts.is_unsure(data.args[0])
        })
    }

    /// The operations from the loaded object to what is stored there, if they are linear in the object and need no tangent but those of what is added.
    fn linear(&self, inst: Inst) -> Option<Vec<Inst>> {
        let region = self.p.insts[inst].regions[0];
        let list = &self.p.regions[region].insts;
        let (mut object, mut current, mut stored) = (None, None, false);
        let mut chain = Vec::new();
        for &i in list {
            let data = &self.p.insts[i];
            match data.op {
                _ if data.op.is_terminator() => {}
                Op::Load(_) if object.is_none() => {
                    object = Some(data.args[0]);
                    current = Some(data.results[0]);
                }
                Op::Store(_) if !stored && current == Some(data.args[1]) => {
                    stored = object == Some(data.args[0]);
                }
                Op::Const(_) => {}
                // Conversions of what is combined with the object.
                Op::Cast if current != Some(data.args[0]) => {}
                Op::Neg | Op::Cast => {
                    let ty = self.p.ty(data.results[0]);
                    (ty.is_float() || ty.is_complex()).then_some(())?;
                    current = Some(data.results[0]);
                    chain.push(i);
                }
                Op::Add | Op::Sub | Op::Mul | Op::Div => {
                    let k = data.args.iter().position(|&v| Some(v) == current)?;
                    let other = data.args[1 - k];
                    let fits = match data.op {
                        Op::Add | Op::Sub => true,
                        Op::Mul => !self.has_tangent(other),
                        _ => k == 0 && !self.has_tangent(other),
                    };
                    (fits && Some(other) != current).then_some(())?;
                    current = Some(data.results[0]);
                    chain.push(i);
                }
                _ => return None,
            }
        }
        stored.then_some(chain)
    }

    /// The atomic access itself, then one like it for each tangent.
    fn atomic(&mut self, inst: Inst, kind: AtomicKind) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let region = data.regions[0];
        let list = self.p.regions[region].insts.clone();
        let chain = self.linear(inst).unwrap_or_default();
        // Constants and conversions of operands are made in front: the tangents need them too.
        for &i in &list {
            if self.p.insts[i].op.is_pure() && !chain.contains(&i) && !self.uses_object(region, i) {
                self.primal_and_tangent(i)?;
            }
        }
        let new = self.b().inst(data.op.clone(), Vec::new(), &[]);
        let inner = self.d.add_region(new);
        self.inside(inner, |me| {
            for &i in &list {
                if me.p.insts[i].op.is_terminator() {
                    me.b().yield_(&[]);
                } else if !me.p.insts[i].op.is_pure()
                    || chain.contains(&i)
                    || me.uses_object(region, i)
                {
                    me.primal(i);
                }
            }
            Ok(())
        })?;
        for lane in 0..self.width {
            self.atomic_tangent(&data.op, &list, &chain, kind, lane)?;
        }
        Ok(())
    }

    /// Does an instruction of an atomic construct depend on what is loaded there?
    fn uses_object(&self, region: Region, inst: Inst) -> bool {
        self.p.insts[inst].args.iter().any(|&v| {
            self.p.def_inst(v).is_some_and(|i| {
                let data = &self.p.insts[i];
                data.parent == region
                    && (matches!(data.op, Op::Load(_)) || self.uses_object(region, i))
            })
        })
    }

    fn atomic_tangent(
        &mut self,
        op: &Op,
        list: &[Inst],
        chain: &[Inst],
        kind: AtomicKind,
        lane: usize,
    ) -> Result<()> {
        // Addresses and tangents in front; the region then holds what the primal's holds.
        let mut shadows = Vec::new();
        for &i in list {
            let data = self.p.insts[i].clone();
            if matches!(data.op, Op::Load(_) | Op::Store(_)) {
                shadows.push(match self.has_tangent(data.args[0]) {
                    true => Some(self.tangents(data.args[0])?[lane]),
                    false => None,
                });
            }
        }
        let mut others = Vec::new();
        for &i in chain {
            let data = self.p.insts[i].clone();
            for &v in &data.args {
                let outside = self.f.contains_key(&v) && !self.is_loaded_in(list, v);
                if outside && matches!(data.op, Op::Add | Op::Sub) {
                    let t = self.tangents(v)?[lane];
                    others.push((v, t));
                }
            }
        }
        let mut stored = None;
        if kind == AtomicKind::Write
            && let Some(&store) = list
                .iter()
                .find(|&&i| matches!(self.p.insts[i].op, Op::Store(_)))
        {
            let v = self.p.insts[store].args[1];
            stored = Some(self.tangents(v)?[lane]);
        }
        // A read into memory without a shadow, or of memory without one: nothing, or zero.
        if kind == AtomicKind::Read && shadows.first().copied().flatten().is_none() {
            if let Some(&Some(to)) = shadows.get(1) {
                let store = list
                    .iter()
                    .find(|&&i| matches!(self.p.insts[i].op, Op::Store(_)));
                if let Some(&store) = store {
                    let data = self.p.insts[store].clone();
                    let zero = self.zero(self.p.ty(data.args[1]));
                    self.b().inst(data.op, vec![to, zero], &[]);
                }
            }
            return Ok(());
        }
        if shadows.contains(&None) {
            return Ok(());
        }
        let new = self.b().inst(op.clone(), Vec::new(), &[]);
        let inner = self.d.add_region(new);
        let old = std::mem::replace(&mut self.at, inner);
        let mut t: std::collections::HashMap<Value, Value> = others.into_iter().collect();
        let mut next = shadows.into_iter().flatten();
        for &i in list {
            let data = self.p.insts[i].clone();
            let result = data.results.first().copied();
            match &data.op {
                Op::Load(_) => {
                    if let (Some(shadow), Some(v)) = (next.next(), result) {
                        let ty = self.p.ty(v);
                        let x = self.b().value(data.op.clone(), vec![shadow], ty);
                        t.insert(v, x);
                    }
                }
                Op::Store(_) => {
                    let v = stored.or_else(|| t.get(&data.args[1]).copied());
                    if let (Some(shadow), Some(v)) = (next.next(), v) {
                        self.b().inst(data.op.clone(), vec![shadow, v], &[]);
                    }
                }
                op if op.is_terminator() => drop(self.b().yield_(&[])),
                // A conversion of what was read.
                Op::Cast if kind == AtomicKind::Read => {
                    if let (Some(&x), Some(v)) = (t.get(&data.args[0]), result) {
                        let ty = self.p.ty(v);
                        let x = self.b().cast(ty, x);
                        t.insert(v, x);
                    }
                }
                op if chain.contains(&i) => {
                    let args: Vec<Value> = (data.args.iter())
                        .map(|v| t.get(v).copied().unwrap_or_else(|| self.f[v]))
                        .collect();
                    if let Some(v) = result {
                        let ty: Type = self.p.ty(v);
                        let x = self.b().value(op.clone(), args, ty);
                        t.insert(v, x);
                    }
                }
                _ => {}
            }
        }
        self.at = old;
        Ok(())
    }

    fn is_loaded_in(&self, list: &[Inst], v: Value) -> bool {
        (self.p.def_inst(v)).is_some_and(|i| list.contains(&i) && !self.p.insts[i].op.is_pure())
    }

    /// A pure instruction with its tangents.
    fn primal_and_tangent(&mut self, inst: Inst) -> Result<()> {
        self.arithmetic(inst)
    }
}
