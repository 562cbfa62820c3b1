//! Tasks that would mostly add to shared adjoints one after the other, atomically.
//!
//! What a task reads, others may read at the same time, so its reverse adds atomically. Where a task does much for each number that it reads, that costs little. In
//! a product of two tiles it is all that there is: such a gradient takes as long as fifty functions, on any number of threads. There tasks are read serially: each
//! runs at once, where it is made, and a team that only makes such tasks is one thread.

use super::cost::is_mostly_atomic;
use crate::activity::defined_callee;
use crate::{AdError, Session};
use adjoin_ir::{Body, Clause, Directive, Func, Inst, Module, Op, Span};
use std::collections::BTreeSet;

/// A construct, and why it is read serially.
pub(super) type Slow = ((Func, Inst), AdError);

/// The constructs of a module that are to be read serially, after a derivative was made of it: tasks, and teams that are there for them alone.
pub(super) fn constructs(session: &Session, made: &Module, before: &Module) -> Vec<Slow> {
    let mut found: Vec<Slow> = Vec::new();
    let mut makers = BTreeSet::new();
    for &(reverse, span) in session.pairs.tasks() {
        let error = || {
            AdError::new(
                span,
                "this parallel construct: its tasks would do little but add to adjoints atomically",
            )
        };
        if let Some(construct) = task_at(before, span)
            && is_mostly_atomic(made, reverse)
        {
            makers.insert(construct.0);
            if found.iter().all(|f| f.0 != construct) {
                found.push((construct, error()));
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    let makers = callers(before, makers);
    for (func, function) in &before.funcs {
        let Some(body) = &function.body else {
            continue;
        };
        body.walk(|inst| {
            if is(body, inst, &|d| *d == Directive::Parallel)
                && !is_marked(body, inst)
                && makes(before, body, inst, (func, &found), &makers)
            {
                let error = AdError::new(
                    body.insts[inst].span,
                    "this parallel construct: its tasks are read serially",
                );
                found.push(((func, inst), error));
            }
        });
    }
    found
}

fn is(body: &Body, inst: Inst, wanted: &dyn Fn(&Directive) -> bool) -> bool {
    matches!(&body.insts[inst].op, Op::Par(attr) if wanted(&attr.directive))
}

fn is_marked(body: &Body, inst: Inst) -> bool {
    matches!(&body.insts[inst].op, Op::Par(attr) if attr.clauses.iter().any(Clause::is_in_order))
}

/// The task that starts at a place.
fn task_at(m: &Module, place: Span) -> Option<(Func, Inst)> {
    let task = |d: &Directive| {
        matches!(
            d,
            Directive::Task | Directive::Taskloop | Directive::TaskloopSimd
        )
    };
    m.funcs.iter().find_map(|(func, function)| {
        let body = function.body.as_ref()?;
        let mut found = None;
        body.walk(|inst| {
            if body.insts[inst].span == place && is(body, inst, &task) && !is_marked(body, inst) {
                found = found.or(Some((func, inst)));
            }
        });
        found
    })
}

/// Some functions, and all that call them.
fn callers(m: &Module, mut found: BTreeSet<Func>) -> BTreeSet<Func> {
    loop {
        let before = found.len();
        for (func, function) in &m.funcs {
            let Some(body) = &function.body else {
                continue;
            };
            let mut calls = body.insts.values();
            if calls.any(|i| defined_callee(m, &i.op).is_some_and(|f| found.contains(&f))) {
                found.insert(func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Does a team make some tasks, itself or by calls, and share nothing else out?
fn makes(
    m: &Module,
    body: &Body,
    team: Inst,
    (func, tasks): (Func, &[Slow]),
    makers: &BTreeSet<Func>,
) -> bool {
    let (mut some, mut shares) = (false, false);
    body.walk(|inst| {
        let parent = body.insts[inst].parent;
        if !(body.insts[team].regions.iter()).any(|&r| body.encloses(r, parent)) {
            return;
        }
        some |= tasks.iter().any(|(t, _)| *t == (func, inst));
        shares |= is(body, inst, &is_shared_out);
        if let Some(called) = defined_callee(m, &body.insts[inst].op) {
            some |= makers.contains(&called);
            let mut seen = BTreeSet::new();
            shares |= shares_out(m, called, &mut seen);
        }
    });
    some && !shares
}

/// Is the work of a construct shared out among the threads of a team?
fn is_shared_out(d: &Directive) -> bool {
    matches!(
        d,
        Directive::For | Directive::ForSimd | Directive::Sections | Directive::Section
    )
}

/// Does a function, or one that it calls, share work out?
fn shares_out(m: &Module, func: Func, seen: &mut BTreeSet<Func>) -> bool {
    let Some(body) = m.funcs[func].body.as_ref().filter(|_| seen.insert(func)) else {
        return false;
    };
    body.insts.values().any(|i| {
        matches!(&i.op, Op::Par(attr) if is_shared_out(&attr.directive))
            || defined_callee(m, &i.op).is_some_and(|f| shares_out(m, f, seen))
    })
}
