//! Tasks in both sweeps.
//!
//! The primal is in the normal form of `passes::openmp::tasks`: a task is the call of a function, and whoever makes tasks waits for them. In F the task calls
//! the augmented function; a record, which the maker keeps like the tape of a call, holds its tape. At a `taskwait` F takes the list of records that were made since the last one.
//!
//! R runs the other way: where F waited, R makes the reverse tasks of all records of the list, since they, and what F did while they ran, are independent of each
//! other; where F made a task, R waits for its reverse, for what F did before that may be what the task read. So tasks overlap in R with what they overlapped with in F.
//! What they read may have been read by others at the same time: adjoints in shared memory are added to atomically.

use super::pairs::{Pair, arguments, unused_name};
use super::parallel::directive;
use super::split::{call, field};
use super::{Result, Reverse};
use crate::AdError;
use crate::activity::{Facts, Param, defined_callee};
use adjoin_ir::ctype::{Field, RecordData, TagScope};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, Clause, Directive, Func, Inst, Op, Type, Value,
};
use std::collections::BTreeSet;

/// Members of a record in front of the adjoints of arguments.
const TAPE: usize = 0;
const NEXT: usize = 1;
const KIND: usize = 2;

/// The tasks of a function.
#[derive(Clone, Debug)]
pub(super) struct Tasks {
    /// The struct of records.
    record: CTy,
    /// By the calls: the pair, and the arguments with adjoints and their members.
    sites: Vec<Site>,
    /// Makes the reverse tasks of a list of records.
    undo: Option<Func>,
}

#[derive(Clone, Debug)]
struct Site {
    call: Inst,
    pair: Pair,
    outs: Vec<(Value, Type, usize)>,
    /// The member that lists what the task frees: that waits for the end of its maker's reverse.
    freed: Option<usize>,
    /// What the task depends on, and the members that hold the addresses: the reverses, made in the reverse order, depend on each other likewise.
    dependences: Vec<(Clause, usize)>,
}

/// The call that a task is.
fn call_of(m: &adjoin_ir::Module, p: &Body, task: Inst) -> Option<Inst> {
    let region = *p.insts[task].regions.first()?;
    let mut calls = (p.regions[region].insts.iter())
        .filter(|&&i| matches!(p.insts[i].op, Op::Call(_)) && !p.insts[i].op.is_pure());
    let &only = calls.next()?;
    (calls.next().is_none() && defined_callee(m, &p.insts[only].op).is_some()).then_some(only)
}

/// What a task in the normal form depends on.
fn dependences_of(p: &Body, task: Inst) -> Vec<Clause> {
    match &p.insts[task].op {
        Op::Par(attr) => attr.clauses.clone(),
        _ => Vec::new(),
    }
}

/// Tasks with active data, and everything that waits, count as active with all that holds them. Says whether there are any.
pub(super) fn keep_active(p: &Body, facts: &mut Facts) -> bool {
    let (mut tasks, mut waits) = (Vec::new(), Vec::new());
    // An inactive task may be between two others that depend on it: its reverse does nothing, in its turn.
    let mut between = Vec::new();
    p.walk(|inst| match directive(p, inst) {
        Some(Directive::Task) => {
            let region = p.insts[inst].regions[0];
            let mut held = p.regions[region].insts.iter();
            if held.any(|&i| facts.active.contains(i)) {
                tasks.push(inst);
            } else if !dependences_of(p, inst).is_empty() {
                between.push(inst);
            }
        }
        Some(Directive::Taskwait) => waits.push(inst),
        _ => {}
    });
    if tasks.is_empty() {
        return false;
    }
    tasks.extend(between);
    for mut inst in tasks.into_iter().chain(waits) {
        loop {
            facts.active.insert(inst);
            match p.regions[p.insts[inst].parent].parent {
                Some(holder) => inst = holder,
                None => break,
            }
        }
    }
    true
}

/// Are all tasks made in regions of the same function, which end when their tasks have?
pub(super) fn are_in_teams(p: &Body) -> bool {
    let mut all = true;
    p.walk(|inst| {
        if directive(p, inst) != Some(&Directive::Task) {
            return;
        }
        let mut region = Some(p.insts[inst].parent);
        let mut inside = false;
        while let Some(holder) = region.and_then(|r| p.regions[r].parent) {
            inside |= directive(p, holder) == Some(&Directive::Parallel);
            region = Some(p.insts[holder].parent);
        }
        all &= inside;
    });
    all
}

/// The regions that make tasks.
pub(super) fn teams(p: &Body) -> BTreeSet<Inst> {
    let mut found = BTreeSet::new();
    p.walk(|inst| {
        if directive(p, inst) != Some(&Directive::Task) {
            return;
        }
        let mut region = Some(p.insts[inst].parent);
        while let Some(holder) = region.and_then(|r| p.regions[r].parent) {
            if directive(p, holder) == Some(&Directive::Parallel) {
                found.insert(holder);
            }
            region = Some(p.insts[holder].parent);
        }
    });
    found
}

/// Tasks run in an order that nobody knows.
pub(super) fn refuse_tasks(p: &Body) -> Result<()> {
    let mut found = None;
    p.walk(|inst| {
        if directive(p, inst) == Some(&Directive::Task) {
            found = found.or(Some(p.insts[inst].span));
        }
    });
    match found {
        Some(span) => Err(AdError::new(
            span,
            "this parallel construct: the order in which tasks add to adjoints is not determined",
        )),
        None => Ok(()),
    }
}

impl Reverse<'_> {
    /// Before F: the pairs of the functions that active tasks call, and the struct of their records.
    pub(super) fn find_tasks(&mut self) -> Result<()> {
        let mut tasks = Vec::new();
        self.p.walk(|inst| {
            if directive(&self.p, inst) == Some(&Directive::Task)
                && self.facts.active.contains(inst)
            {
                tasks.push(inst);
            }
        });
        if tasks.is_empty() {
            return Ok(());
        }
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let long = self.m.types.basic(Basic::Long);
        let mut members = vec![
            ("tape".to_string(), address),
            ("next".to_string(), address),
            ("kind".to_string(), long),
        ];
        let mut sites = Vec::new();
        for task in tasks {
            let Some(call) = call_of(self.m, &self.p, task) else {
                return self.error(task, "this parallel construct: the task has no normal form");
            };
            let pair = self.pair_for(call)?;
            let span = self.p.insts[task].span;
            self.session.pairs.note_task(pair.split.reverse, span);
            let freed = pair.frees.then(|| {
                let name = format!("freed_{}", members.len() - KIND);
                members.push((name, super::support::freed_type(self.m)));
                members.len() - 1
            });
            let mut outs = Vec::new();
            let params = arguments(&self.p, &self.facts, call);
            for (v, param) in self.p.insts[call].args.clone().into_iter().zip(params) {
                if param == Param::Out {
                    let ty = self.p.ty(v);
                    outs.push((v, ty, members.len()));
                    let name = self.p.values[v].name.as_deref().unwrap_or("argument");
                    let name = format!("{name}_bar_{}", members.len() - KIND);
                    let t = self.number_type(ty);
                    members.push((name, t));
                }
            }
            let mut dependences = Vec::new();
            for clause in dependences_of(&self.p, task) {
                dependences.push((clause, members.len()));
                let name = format!("address_{}", members.len() - KIND);
                members.push((name, address));
            }
            sites.push(Site {
                call,
                pair,
                outs,
                freed,
                dependences,
            });
        }
        let (mut fields, mut offset, mut align) = (Vec::new(), 0u64, 1);
        for (name, ty) in members {
            let own = self.m.types.align_of(ty).max(1);
            align = align.max(own);
            offset = offset.next_multiple_of(own);
            fields.push(Field {
                name: Some(name),
                ty,
                offset,
                bits: None,
            });
            offset += self.m.types.size_of(ty).unwrap_or(0);
        }
        let tag = unused_name(self.m, "adjoin_task_record");
        let record = self.m.types.records.push(RecordData {
            is_union: false,
            tag: Some(tag),
            scope: TagScope::File,
            typedef_name: None,
            fields: Some(fields),
            size: offset.next_multiple_of(align),
            align,
            packed: false,
        });
        let record = self.m.types.intern(CTypeKind::Record(record));
        let mut tasks = Tasks {
            record,
            sites,
            undo: None,
        };
        tasks.undo = Some(self.undo_function(&tasks));
        self.parallel.tasks = Some(tasks);
        Ok(())
    }

    fn tasks(&self, inst: Inst) -> Result<Tasks> {
        match &self.parallel.tasks {
            Some(tasks) => Ok(tasks.clone()),
            None => self.error(inst, "this parallel construct: the task has no normal form"),
        }
    }

    /// The address of a member of a record.
    fn member(&mut self, record: CTy, address: Value, k: usize) -> Value {
        let shape = self.m.types.record(record).expect("it is a struct");
        let op = field(&self.m.types, record, shape, k);
        self.b().value(op, vec![address], Type::Ptr)
    }

    /// Where F lists the tasks that nobody has waited for.
    fn task_list(&mut self) -> Value {
        let team = self.parallel.team;
        if let Some(&list) = self.parallel.task_lists.get(&team) {
            return list;
        }
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let scope = self.team_scope(team);
        let list = self.in_header(scope, |me| {
            let list = me.b().slot(address, Some("tasks"));
            let null = me.b().null();
            me.b().store(list, null);
            list
        });
        self.parallel.task_lists.insert(team, list);
        list
    }

    /// What a task holds besides its call: operations on what it is given.
    fn task_operations(&self, task: Inst, call: Inst) -> Vec<Inst> {
        let region = self.p.insts[task].regions[0];
        let list = self.p.regions[region].insts.iter().copied();
        list.filter(|&i| i != call && !self.p.insts[i].op.is_terminator())
            .collect()
    }

    /// F of a task: its record, and the task that fills it.
    pub(super) fn sweep_task(&mut self, inst: Inst) -> Result<()> {
        let tasks = self.tasks(inst)?;
        let held = call_of(self.m, &self.p, inst);
        let site = tasks.sites.iter().position(|s| Some(s.call) == held);
        let Some(kind) = site else {
            return self.error(inst, "this parallel construct: the task has no normal form");
        };
        let Site {
            call,
            pair,
            freed,
            dependences,
            ..
        } = tasks.sites[kind].clone();
        for operation in self.task_operations(inst, call) {
            if !self.p.insts[operation].op.is_pure() {
                return self.error(inst, "this parallel construct: the task has no normal form");
            }
            self.sweep(operation)?;
        }
        let params = arguments(&self.p, &self.facts, call);
        let mut args = Vec::new();
        for (v, param) in self.p.insts[call].args.clone().into_iter().zip(params) {
            args.push(self.f[&v]);
            if param.has_shadow() {
                let s = self.shadow(v);
                args.push(s);
            }
        }
        let list = self.task_list();
        let bytes = self.m.types.size_of(tasks.record).unwrap_or(0);
        let bytes = self.b().int(Type::U64, bytes.into());
        let record = self
            .call(self.runtime.calloc, vec![bytes])
            .expect("it returns memory");
        self.d.values[record].ctype = Some(self.m.types.pointer(tasks.record));
        self.d.values[record].name = Some("task".to_string());
        let number = self.int(kind as i128);
        let place = self.member(tasks.record, record, KIND);
        self.b().store(place, number);
        let place = self.member(tasks.record, record, NEXT);
        let before = self.b().load(Type::Ptr, list);
        self.b().store(place, before);
        self.b().store(list, record);
        let addresses: Vec<Value> = (self.p.insts[inst].args.iter())
            .map(|v| self.f[v])
            .collect();
        let mut clauses = Vec::new();
        for ((clause, k), &at) in dependences.iter().zip(&addresses) {
            let place = self.member(tasks.record, record, *k);
            self.b().store(place, at);
            clauses.push(clause.clone());
        }
        let (new, region) = self.b().par(Directive::Task, clauses, addresses);
        self.targets.insert(inst, new);
        self.inside(region, |me| {
            if let Some(k) = freed {
                let list = me.member(tasks.record, record, k);
                args.push(list);
            }
            let tape = me.member(tasks.record, record, TAPE);
            args.push(tape);
            me.call(pair.split.augmented, args);
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.keep_tape(inst, record);
        Ok(())
    }

    /// F of a `taskwait`: the tasks up to here are one list.
    pub(super) fn sweep_taskwait(&mut self, inst: Inst) {
        self.b().par_alone(Directive::Taskwait, vec![], vec![]);
        let list = self.task_list();
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let waited = self.b().load(Type::Ptr, list);
        self.d.values[waited].ctype = Some(address);
        self.d.values[waited].name = Some("waited".to_string());
        let null = self.b().null();
        self.b().store(list, null);
        self.keep_tape(inst, waited);
    }

    /// R of a task: its reverse is complete when this goes on.
    pub(super) fn mirror_task(&mut self, inst: Inst) -> Result<()> {
        let tasks = self.tasks(inst)?;
        let held = call_of(self.m, &self.p, inst);
        let Some(site) = tasks.sites.iter().find(|s| Some(s.call) == held) else {
            return self.error(inst, "this parallel construct: the task has no normal form");
        };
        let memory = self.tape_of_call(inst);
        let record = self.b().cast(Type::Ptr, memory);
        self.d.values[record].ctype = Some(self.m.types.pointer(tasks.record));
        self.d.values[record].name = Some("task".to_string());
        self.b().par_alone(Directive::Taskwait, vec![], vec![]);
        for &(v, ty, k) in &site.outs {
            let place = self.member(tasks.record, record, k);
            let adjoint = self.b().load(ty, place);
            self.contribute(v, adjoint);
        }
        if let Some(k) = site.freed {
            let list = self.member(tasks.record, record, k);
            self.free_with_function(list)?;
        }
        self.call(self.runtime.free, vec![memory]);
        let operations = self.task_operations(inst, site.call);
        self.mirror_list(&operations)
    }

    /// What a task was to free goes to the list of the whole function: others may have made it, in front of the region too, and their reverse is still to come.
    fn free_with_function(&mut self, list: Value) -> Result<()> {
        let together = self.runtime.free_together(self.m);
        let team = self.parallel.team.take();
        let all = self.freed();
        self.parallel.team = team;
        if team.is_none() && !self.parallel.inside {
            self.call(together, vec![all, list]);
            return Ok(());
        }
        let name = Some("adjoin_free".to_string());
        let (_, region) = self.b().par(Directive::Critical { name }, vec![], vec![]);
        self.inside(region, |me| {
            me.call(together, vec![all, list]);
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// R of a `taskwait`: the reverses of the tasks that F waited for.
    pub(super) fn mirror_taskwait(&mut self, inst: Inst) -> Result<()> {
        let undo = self.tasks(inst)?.undo;
        let waited = self.tape_of_call(inst);
        if let Some(undo) = undo {
            self.call(undo, vec![waited]);
        }
        Ok(())
    }

    /// `void adjoin_undo_tasks(void *tasks)`: makes the reverse tasks of a list, the last one first.
    fn undo_function(&mut self, tasks: &Tasks) -> Func {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let name = unused_name(self.m, "adjoin_undo_tasks");
        let record = tasks.record;
        let params = [("tasks", address)];
        super::support::helper(self.m, &name, void, &params, |m, _, body| {
            let argument = body.regions[body.entry].args[0];
            let pointer = m.types.pointer(record);
            let shape = m.types.record(record).expect("it is a struct");
            let mut b = Builder::new(body);
            let first = b.value(Op::Cast, vec![argument], Type::Ptr);
            b.set_ctype(first, pointer);
            let (all, region) = b.loop_(&[first], &[]);
            let task = b.body.regions[region].args[0];
            b.set_name(task, "task");
            b.set_ctype(task, pointer);
            b.inside(region, |b| {
                let null = b.null();
                let last = b.eq(task, null);
                let (_, yes, no) = b.if_(last, &[]);
                b.inside(yes, |b| b.break_(all, &[]));
                b.inside(no, |b| b.yield_(&[]));
                let member = |b: &mut Builder<'_>, k| {
                    let op = field(&m.types, record, shape, k);
                    b.value(op, vec![task], Type::Ptr)
                };
                let place = member(b, KIND);
                let kind = b.load(Type::I64, place);
                for (k, site) in tasks.sites.iter().enumerate() {
                    let number = b.int(Type::I64, k as i128);
                    let fits = b.eq(kind, number);
                    let (_, yes, no) = b.if_(fits, &[]);
                    b.inside(yes, |b| {
                        let (mut clauses, mut addresses) = (Vec::new(), Vec::new());
                        for (clause, k) in &site.dependences {
                            let place = member(b, *k);
                            let at = b.load(Type::Ptr, place);
                            b.set_ctype(at, address);
                            clauses.push(clause.clone());
                            addresses.push(at);
                        }
                        let (_, inner) = b.par(Directive::Task, clauses, addresses);
                        b.inside(inner, |b| {
                            let mut args: Vec<Value> =
                                site.outs.iter().map(|&(.., k)| member(b, k)).collect();
                            let place = member(b, TAPE);
                            let tape = b.load(Type::Ptr, place);
                            b.set_ctype(tape, address);
                            args.push(tape);
                            b.inst(call(site.pair.split.reverse), args, &[]);
                            b.yield_(&[]);
                        });
                        b.yield_(&[]);
                    });
                    b.inside(no, |b| b.yield_(&[]));
                }
                let place = member(b, NEXT);
                let next = b.load(Type::Ptr, place);
                b.set_ctype(next, address);
                let next = b.value(Op::Cast, vec![next], Type::Ptr);
                b.set_ctype(next, pointer);
                b.yield_(&[next]);
            });
            b.ret(&[]);
        })
    }
}
