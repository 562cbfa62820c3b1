//! The normal form of OpenMP for differentiation: inside a team's region everything is code that each thread runs ("SPMD").
//!
//! - `par parallel` has no data clauses: private copies are objects of its region. It begins with `omp_get_thread_num()` and `omp_get_num_threads()`.
//! - A worksharing loop is a plain `for` over the thread's own iterations ([`partition`]); `sections` likewise, `single` and `master` are branches.
//! - Barriers that a construct implies are written out. `critical` and `atomic` stay as they are.
//! - A reduction is a private copy that ends up in an array with an element for each thread, combined in the order of threads.
//!
//! - A task is the call of a function ([`tasks`]), in a team or in a function that is called by one.
//!
//! A team whose region holds what has no such form (`ordered`; locks and `flush` where it must also run backwards; calls of functions with worksharing constructs of their own) is read serially
//! (`serialise`), and so is what is outside of any team, or in a team inside a team. Running the pass again changes nothing but what inlining has brought.

mod collapse;
mod data;
mod loops;
mod partition;
mod reduction;
mod replicate;
pub mod runtime;
mod scheduled;
mod sharing;
mod shows;
mod tasks;
mod team;

pub(crate) use partition::is_next_thread;
pub use partition::{Partition, is_partition, share};
pub use reduction::PARTS;
pub use runtime::{MOST_THREADS, PART, THREAD, THREADS};

use adjoin_ir::{Body, Clause, DataKind, Directive, Func, Inst, Module, Op};
use std::collections::BTreeSet;

/// In which direction the code will run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// The program's: what threads tell each other through locks and flushed memory stays.
    Forward,
    /// Backwards too: only barriers, `critical` and `atomic` can be mirrored.
    Both,
}

/// Brings the parallel constructs of a body into the normal form.
pub fn normalise(module: &mut Module, body: &mut Body, direction: Direction) {
    let mut teams = Vec::new();
    let mut any = false;
    body.walk(|inst| {
        if let Some(d) = directive(body, inst) {
            any = true;
            if starts_team(d) && !teams.iter().any(|&t| crate::edit::is_inside(body, inst, t)) {
                teams.push(inst);
            }
        }
    });
    if !any {
        return;
    }
    crate::serialise::nested(module, body);
    let mut normal = BTreeSet::new();
    for team in teams {
        if has_normal_form(module, body, team, direction) {
            let team = team::normalise(module, body, team, direction);
            normal.insert(team);
        }
    }
    if tasks_fit(module, body) {
        let entry = body.entry;
        normal.extend(tasks::normalise(module, body, entry, false));
    }
    // A function may be called by several threads at a time: what takes turns outside of any team still does.
    body.walk(|inst| {
        let turns = matches!(
            directive(body, inst),
            Some(Directive::Critical { .. } | Directive::Atomic(_))
        );
        if turns && !in_team(body, inst) {
            normal.insert(inst);
        }
    });
    crate::serialise::run_except(module, body, &normal);
}

pub(crate) fn directive(body: &Body, inst: Inst) -> Option<&Directive> {
    match &body.insts[inst].op {
        Op::Par(attr) => Some(&attr.directive),
        _ => None,
    }
}

/// Does a function only say something about threads, or share iterations out?
pub fn is_query(name: &str) -> bool {
    [
        runtime::THREAD,
        runtime::THREADS,
        runtime::MOST_THREADS,
        runtime::PART,
    ]
    .contains(&name)
}

/// Does a construct start a team?
pub fn starts_team(d: &Directive) -> bool {
    matches!(
        d,
        Directive::Parallel
            | Directive::ParallelFor
            | Directive::ParallelForSimd
            | Directive::ParallelSections
    )
}

/// Visits the instructions inside an instruction.
pub(crate) fn inside(body: &Body, inst: Inst, visit: &mut dyn FnMut(Inst)) {
    for &region in &body.insts[inst].regions {
        for &inner in &body.regions[region].insts {
            visit(inner);
            inside(body, inner, visit);
        }
    }
}

fn has_normal_form(module: &Module, body: &Body, team: Inst, direction: Direction) -> bool {
    let mut fits = construct_fits(module, body, team);
    let both = direction == Direction::Both;
    let mut called = BTreeSet::new();
    let mut nested = Vec::new();
    inside(body, team, &mut |inst| match &body.insts[inst].op {
        Op::Par(attr) => {
            if starts_team(&attr.directive) {
                nested.push(inst);
            }
            fits &= construct_fits(module, body, inst);
            let lengths = data::data_clauses(body, inst).into_iter();
            let mut lengths = lengths.filter_map(|d| d.count);
            fits &= lengths.all(|v| data::is_known_outside(body, v, team, 8));
            fits &= !(both && attr.directive == Directive::Flush);
        }
        Op::Call(attr) => drop(called.insert(attr.func)),
        _ => {}
    });
    let any = |property| called.iter().any(|&f| reaches(module, f, property));
    if !fits || any(has_orphans) || (both && any(locks)) {
        return false;
    }
    // A task may run in any thread.
    let tasks = called.iter().any(|&f| reaches(module, f, makes_tasks));
    let mut own = false;
    inside(body, team, &mut |inst| {
        own |= directive(body, inst).is_some_and(tasks::is_of_tasks);
    });
    if (tasks || own) && called.iter().any(|&f| asks_inside(module, f)) {
        return false;
    }
    nested.is_empty()
}

/// May a team inside a team be read as one of a single thread? What it asks for its number gets 0, which only shows where the question is in sight.
pub(crate) fn is_answered(module: &Module, body: &Body, team: Inst) -> bool {
    let mut called = BTreeSet::new();
    inside(body, team, &mut |inst| {
        if let Op::Call(attr) = &body.insts[inst].op {
            called.insert(attr.func);
        }
    });
    !called.iter().any(|&f| asks_inside(module, f))
}

/// Has a construct a normal form, as far as its kind and clauses say?
fn construct_fits(module: &Module, body: &Body, inst: Inst) -> bool {
    let Op::Par(attr) = &body.insts[inst].op else {
        return true;
    };
    let known = match &attr.directive {
        d if tasks::is_of_tasks(d) => return tasks::fits(module, body, inst),
        Directive::Ordered => false,
        d if loops::is_worksharing(d) => loops::the_loop(body, inst).is_some(),
        _ => true,
    };
    known
        && attr.clauses.iter().all(|clause| match clause {
            clause if *clause == Clause::Ordered || clause.is_in_order() => false,
            Clause::Data { kind, ctype, .. } => match kind {
                DataKind::Linear => attr.directive == Directive::Simd,
                DataKind::Reduction(_) => reduction::scalars(&module.types, *ctype).is_some(),
                _ => module.types.size_of(*ctype).is_some(),
            },
            _ => true,
        })
}

/// Does a function, or one that it calls, have a property?
fn reaches(module: &Module, func: Func, property: fn(&Module, Func) -> bool) -> bool {
    let mut seen = BTreeSet::from([func]);
    let mut work = vec![func];
    while let Some(f) = work.pop() {
        if property(module, f) {
            return true;
        }
        if let Some(body) = &module.funcs[f].body {
            body.walk(|inst| {
                if let Op::Call(attr) = &body.insts[inst].op
                    && seen.insert(attr.func)
                {
                    work.push(attr.func);
                }
            });
        }
    }
    false
}

/// Does a function, or one that it calls, share the work of the team that calls it?
pub fn works_for_caller(module: &Module, func: Func) -> bool {
    reaches(module, func, has_orphans)
}

/// Is there a construct outside of any team in the function that binds to the team around the call?
fn has_orphans(module: &Module, func: Func) -> bool {
    let Some(body) = &module.funcs[func].body else {
        return false;
    };
    let mut found = false;
    body.walk(|inst| {
        let Some(d) = directive(body, inst) else {
            return;
        };
        let binds = !starts_team(d)
            && !matches!(
                d,
                Directive::Simd | Directive::Critical { .. } | Directive::Atomic(_)
            );
        let task = tasks::is_of_tasks(d) && tasks::fits(module, body, inst);
        found |= binds && !task && !in_team(body, inst);
    });
    found
}

/// Are there constructs of tasks in a function?
fn makes_tasks(module: &Module, func: Func) -> bool {
    let mut found = false;
    if let Some(body) = &module.funcs[func].body {
        body.walk(|inst| found |= directive(body, inst).is_some_and(tasks::is_of_tasks));
    }
    found
}

/// Does a function with a body, or one that it calls, ask for the number of the thread?
fn asks_inside(module: &Module, func: Func) -> bool {
    module.funcs[func].body.is_some() && reaches(module, func, asks)
}

/// Have the tasks outside of any team in a body a normal form? They belong to the team of whoever calls the function.
fn tasks_fit(module: &Module, body: &Body) -> bool {
    let (mut any, mut fits) = (false, true);
    let mut called = BTreeSet::new();
    body.walk(|inst| {
        if let Some(d) = directive(body, inst).filter(|d| tasks::is_of_tasks(d))
            && !in_team(body, inst)
        {
            any |= *d != Directive::Taskwait;
            fits &= tasks::fits(module, body, inst);
        }
        if let Op::Call(attr) = &body.insts[inst].op {
            called.insert(attr.func);
        }
    });
    let reached = |property| called.iter().any(|&f| reaches(module, f, property));
    any && fits
        && !reached(has_orphans)
        && !reached(locks)
        && !called.iter().any(|&f| asks_inside(module, f))
}

fn in_team(body: &Body, inst: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if directive(body, holder).is_some_and(starts_team) {
            return true;
        }
        region = body.insts[holder].parent;
    }
    false
}

/// Does it take or give a lock?
fn locks(module: &Module, func: Func) -> bool {
    matches!(
        &module.funcs[func].name[..],
        "omp_set_lock"
            | "omp_unset_lock"
            | "omp_test_lock"
            | "omp_set_nest_lock"
            | "omp_unset_nest_lock"
            | "omp_test_nest_lock"
    )
}

fn asks(module: &Module, func: Func) -> bool {
    matches!(&module.funcs[func].name[..], THREAD | THREADS)
}
