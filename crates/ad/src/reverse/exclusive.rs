//! What threads do one at a time: `critical` and `atomic`.
//!
//! `shared += own` only reads the adjoint of the shared place in R, in any order and without exclusion. If all constructs of a name do nothing else to shared memory, R
//! needs nothing more. Otherwise F numbers the executions, inside the construct; R does them in descending order, each in the thread that did it in F. That
//! order is the reverse of one that happened, so nobody waits for ever. An `atomic` has no room for a number: then all of them become `critical`. Constructs in which nothing active happens are numbered as
//! well if they tell threads what others have done, and these rely on it (`parallel::ordering`).

use super::needed::Key;
use super::parallel::{directive, team_around};
use super::{Result, Reverse};
use crate::activity::{Facts, is_number};
use crate::known::external;
use crate::parallel::{Ordering, own, same_address};
use crate::plan::reread::Rereads;
use crate::{Registry, rules};
use adjoin_ir::{AtomicKind, Basic, Body, Clause, Directive, Inst, Op, ParAttr, Type, Value};
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// The name of `critical` constructs that were `atomic`.
const ATOMIC: &str = "adjoin_atomic";

/// `place += amount` or `place -= amount`, by a load, an operation and a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulation {
    load: Inst,
    amount: Value,
    negative: bool,
}

/// The accumulations of a body, by their stores.
fn accumulations(m: &adjoin_ir::Module, p: &Body) -> BTreeMap<Inst, Accumulation> {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    p.walk(|inst| {
        for &v in &p.insts[inst].args {
            uses[v] += 1;
        }
    });
    let mut found = BTreeMap::new();
    p.walk(|inst| {
        let data = &p.insts[inst];
        if !matches!(&data.op, Op::Store(attr) if !attr.volatile) || !is_number(p.ty(data.args[1]))
        {
            return;
        }
        if let Some(a) = accumulation(m, p, &uses, inst) {
            found.insert(inst, a);
        }
    });
    found
}

/// Those that R treats as such.
pub(super) fn active_accumulations(
    m: &adjoin_ir::Module,
    p: &Body,
    facts: &Facts,
) -> BTreeMap<Inst, Accumulation> {
    let mut found = adjoin_passes::registry::optional("exclusive", || accumulations(m, p));
    found.retain(|&store, a| {
        facts.active.contains(store)
            && facts.active.contains(a.load)
            && facts.shadow[p.insts[store].args[0]].some
    });
    found
}

/// The loads of accumulations: R does not add to the shadow of what they read.
pub(super) fn loads(accumulations: &BTreeMap<Inst, Accumulation>) -> BTreeSet<Inst> {
    accumulations.values().map(|a| a.load).collect()
}

fn accumulation(
    m: &adjoin_ir::Module,
    p: &Body,
    uses: &SecondaryMap<Value, u32>,
    store: Inst,
) -> Option<Accumulation> {
    let data = &p.insts[store];
    let once = |v: Value| {
        let inst = p.def_inst(v)?;
        (uses[v] == 1 && p.insts[inst].parent == data.parent).then_some(inst)
    };
    let mut sum = once(data.args[1])?;
    if matches!(p.insts[sum].op, Op::Cast) {
        sum = once(p.insts[sum].args[0])?;
    }
    let operation = &p.insts[sum];
    let sides: &[usize] = match operation.op {
        Op::Add => &[0, 1],
        Op::Sub => &[0],
        _ => return None,
    };
    let loaded = |v: Value| {
        let mut inst = once(v)?;
        if matches!(p.insts[inst].op, Op::Cast) && is_number(p.ty(p.insts[inst].args[0])) {
            inst = once(p.insts[inst].args[0])?;
        }
        let load = &p.insts[inst];
        let same = matches!(&load.op, Op::Load(attr) if !attr.volatile)
            && same_address(p, load.args[0], data.args[0])
            && p.ty(load.results[0]) == p.ty(data.args[1]);
        same.then_some(inst)
    };
    let (side, load) = sides
        .iter()
        .find_map(|&k| Some((k, loaded(operation.args[k])?)))?;
    // Nothing in between may write there.
    let list = &p.regions[data.parent].insts;
    let from = list.iter().position(|&i| i == load)?;
    let to = list.iter().position(|&i| i == store)?;
    let quiet = list[from..to].iter().all(|&i| {
        let data = &p.insts[i];
        match &data.op {
            Op::Load(_) => true,
            Op::Call(attr) => {
                let function = &m.funcs[attr.func];
                function.body.is_none()
                    && rules::lookup(&function.name).is_some()
                    && data.args.iter().all(|&v| p.ty(v) != Type::Ptr)
            }
            op => op.is_pure(),
        }
    });
    quiet.then_some(Accumulation {
        load,
        amount: operation.args[1 - side],
        negative: matches!(operation.op, Op::Sub),
    })
}

/// The constructs that exclude each other have one name.
fn name_of(p: &Body, inst: Inst) -> Option<String> {
    match directive(p, inst)? {
        Directive::Critical { name } => Some(name.clone().unwrap_or_default()),
        Directive::Atomic(_) => Some(ATOMIC.to_string()),
        _ => None,
    }
}

/// What decides which constructs F numbers.
pub(super) struct Numbering<'a> {
    pub(super) module: &'a adjoin_ir::Module,
    pub(super) registry: &'a Registry,
    pub(super) body: &'a Body,
    pub(super) facts: &'a Facts,
    pub(super) rereads: &'a Rereads,
    pub(super) ordering: &'a Ordering,
}

impl Numbering<'_> {
    /// The constructs whose executions must be numbered, with those that exclude them.
    pub(super) fn constructs(
        &self,
        accumulations: &BTreeMap<Inst, Accumulation>,
    ) -> BTreeSet<Inst> {
        let mut constructs = Vec::new();
        let mut numbered = BTreeSet::new();
        self.body.walk(|inst| {
            if let Some(name) = name_of(self.body, inst) {
                if self.facts.active.contains(inst) && !self.commutes(inst, accumulations) {
                    numbered.insert(name.clone());
                }
                constructs.push((inst, name));
            }
        });
        let orders = |inst: &Inst| self.ordering.constructs.contains(inst);
        constructs.retain(|(inst, name)| numbered.contains(name) || orders(inst));
        constructs.into_iter().map(|(inst, _)| inst).collect()
    }

    /// Is all that a construct does to shared memory accumulating?
    fn commutes(&self, construct: Inst, accumulations: &BTreeMap<Inst, Accumulation>) -> bool {
        let p = self.body;
        let team = team_around(p, p.insts[construct].parent);
        let own = |v: Value| own::is_own(self.module, self.registry, p, v, team);
        let loads: BTreeSet<Inst> = accumulations.values().map(|a| a.load).collect();
        let mut commutes = true;
        let mut work = p.insts[construct].regions.clone();
        while let Some(region) = work.pop() {
            for &inst in &p.regions[region].insts {
                let data = &p.insts[inst];
                work.extend(&data.regions);
                if !self.facts.active.contains(inst) {
                    continue;
                }
                commutes &= match &data.op {
                    Op::Load(_) => {
                        loads.contains(&inst) || self.rereads.can(inst) || own(data.args[0])
                    }
                    Op::Store(_) => accumulations.contains_key(&inst) || own(data.args[0]),
                    Op::Copy(_) | Op::Zero(_) | Op::Call(_) | Op::Par(_) => {
                        crate::activity::callee(self.module, &data.op)
                            .is_some_and(|name| rules::lookup(name).is_some())
                    }
                    _ => true,
                };
            }
        }
        commutes
    }
}

impl Reverse<'_> {
    /// Before F: finds accumulations, and the constructs whose executions must be numbered.
    pub(super) fn find_exclusive(&mut self) {
        self.parallel.accumulations = active_accumulations(self.m, &self.p, &self.facts);
        let numbering = Numbering {
            module: self.m,
            registry: &self.session.registry,
            body: &self.p,
            facts: &self.facts,
            rereads: &self.rereads,
            ordering: &self.parallel.ordering,
        };
        for inst in numbering.constructs(&self.parallel.accumulations) {
            let name = name_of(&self.p, inst).expect("a construct that excludes others");
            if name == ATOMIC {
                self.p.insts[inst].op = Op::Par(ParAttr {
                    directive: Directive::Critical { name: Some(name) },
                    clauses: Vec::new(),
                });
            }
            if self.facts.active.contains(inst) {
                self.parallel.numbered.insert(inst);
            }
        }
    }

    /// What is stored by an accumulation gets the adjoint of the place, which stays. Says whether a store is one.
    pub(super) fn mirror_accumulation(&mut self, store: Inst) -> Result<bool> {
        let Some(&a) = self.parallel.accumulations.get(&store) else {
            return Ok(false);
        };
        if !self.facts.varied.contains(a.amount) {
            return Ok(true);
        }
        let data = self.p.insts[store].clone();
        let ty = self.p.ty(data.args[1]);
        let shadow = self.need_shadow(data.args[0]);
        let adjoint = match self.facts.shadow[data.args[0]].none {
            false => self.b().load(ty, shadow),
            true => {
                let is_some = self.is_some(shadow);
                let (branch, yes, no) = self.b().if_(is_some, &[ty]);
                self.inside(yes, |me| {
                    let adjoint = me.b().load(ty, shadow);
                    me.b().yield_(&[adjoint]);
                    Ok(())
                })?;
                let lost = self.facts.shadow[data.args[0]].lost;
                let name = crate::activity::variable(self.m, &self.p, data.args[0]).to_string();
                self.inside(no, |me| {
                    if lost {
                        me.stop_lost(&name);
                    }
                    let zero = me.zero(ty);
                    me.b().yield_(&[zero]);
                    Ok(())
                })?;
                self.d.result(branch)
            }
        };
        let adjoint = match a.negative {
            true => self.b().neg(adjoint),
            false => adjoint,
        };
        self.contribute(a.amount, adjoint);
        Ok(true)
    }

    // ---- numbered executions ----

    /// Where the executions of the constructs of a name are counted: up in F, down in R.
    fn entries(&mut self, inst: Inst) -> Value {
        let name = name_of(&self.p, inst).unwrap_or_default();
        if let Some(&v) = self.parallel.entries.get(&name) {
            return v;
        }
        let long = self.m.types.basic(Basic::Long);
        let entry = self.d.entry;
        let slot = self.in_header(entry, |me| {
            let slot = me.b().slot(long, Some("entries"));
            let zero = me.int(0);
            me.b().store(slot, zero);
            slot
        });
        self.parallel.entries.insert(name, slot);
        slot
    }

    /// F, inside the construct: the number of this execution.
    pub(super) fn number_entry(&mut self, inst: Inst) {
        let entries = self.entries(inst);
        let number = self.b().load(Type::I64, entries);
        let one = self.int(1);
        let next = self.b().add(number, one);
        self.b().store(entries, next);
        self.push(Key::Ticket(inst), number);
    }

    /// R of a construct that threads run one at a time.
    pub(super) fn mirror_exclusive(&mut self, inst: Inst) -> Result<()> {
        if !self.parallel.numbered.contains(&inst) {
            return self.mirror_block(inst);
        }
        let number = self.take(Key::Ticket(inst));
        let entries = self.entries(inst);
        let wait = self.wait_function();
        let one = self.int(1);
        let turn = self.b().add(number, one);
        self.call(wait, vec![entries, turn]);
        self.mirror_block(inst)?;
        let kind = Directive::Atomic(AtomicKind::Write);
        let order = vec![Clause::Verbatim("seq_cst".to_string())];
        let (_, region) = self.b().par(kind, order, vec![]);
        self.inside(region, |me| {
            me.b().store(entries, number);
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// `void adjoin_wait(long *entries, long turn)`: waits until as many executions are left as it takes.
    fn wait_function(&mut self) -> adjoin_ir::Func {
        let long = self.m.types.basic(Basic::Long);
        let int = self.m.types.basic(Basic::Int);
        let void = self.m.types.void();
        let pause = external(self.m, "sched_yield", int, &[]);
        let params = [("entries", self.m.types.pointer(long)), ("turn", long)];
        super::support::helper(self.m, "adjoin_wait", void, &params, |_, _, body| {
            let args = body.regions[body.entry].args.clone();
            let mut b = adjoin_ir::Builder::new(body);
            let now = b.slot(long, Some("now"));
            let (all, region) = b.loop_(&[], &[]);
            b.inside(region, |b| {
                let kind = Directive::Atomic(AtomicKind::Read);
                let order = vec![Clause::Verbatim("seq_cst".to_string())];
                let (_, read) = b.par(kind, order, vec![]);
                b.inside(read, |b| {
                    let v = b.load(Type::I64, args[0]);
                    b.store(now, v);
                    b.yield_(&[]);
                });
                let seen = b.load(Type::I64, now);
                let reached = b.eq(seen, args[1]);
                let (_, yes, no) = b.if_(reached, &[]);
                b.inside(yes, |b| {
                    b.break_(all, &[]);
                });
                b.inside(no, |b| {
                    b.yield_(&[]);
                });
                b.inst(super::split::call(pause), vec![], &[Type::I32]);
                b.yield_(&[]);
            });
            b.ret(&[]);
        })
    }
}
