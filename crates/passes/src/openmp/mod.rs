//! The normal form of OpenMP for differentiation: inside a team's region everything is code that each thread runs ("SPMD").
//!
//! - `par parallel` has no data clauses: private copies are objects of its region. It begins with `omp_get_thread_num()` and `omp_get_num_threads()`.
//! - A worksharing loop is a plain `for` over the thread's own iterations ([`partition`]); `sections` likewise, `single` and `master` are branches.
//!   Iterations that must run in order are all the first thread's ([`by_one`]).
//! - Barriers that a construct implies are written out. `critical` and `atomic` stay as they are.
//! - A reduction is a private copy that ends up in an array with an element for each thread, combined in the order of threads.
//!
//! - A task is the call of a function ([`tasks`]), in a team or in a function that is called by one.
//!
//! A team whose region holds what has no such form (locks, and loops that wait for other threads, where it must also run backwards; calls of functions with worksharing constructs of their own) is read serially
//! (`serialise`; [`serial`] says why) unless that shows ([`per_thread`]), and so is what is outside of any team, or in a team inside a team. Running the pass again changes nothing but what inlining has brought.

mod by_one;
mod chunk_copies;
mod collapse;
mod data;
mod inner_teams;
mod locked;
mod loops;
mod noted;
pub(crate) mod own_sums;
mod partition;
mod per_thread;
mod reduction;
mod replicate;
pub mod runtime;
mod scheduled;
mod serial;
mod sharing;
mod shows;
mod tasks;
mod team;

pub use noted::AllThreads;
pub(crate) use partition::is_next_thread;
pub use partition::{Partition, is_partition, share};
pub(crate) use per_thread::shows_number;
pub use reduction::PARTS;
pub use runtime::{MOST_THREADS, PART, THREAD, THREADS};
pub use serial::{has_no_mirror, read_serially};
pub use tasks::is_task;

use adjoin_ir::{Body, Directive, Func, Inst, Module, Op};
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
    while let Some(team) = inner_teams::next_around(body) {
        crate::serialise::around_others(module, body, team);
    }
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
    inner_teams::run(module, body);
    let mut normal = BTreeSet::new();
    for team in teams {
        if direction == Direction::Both {
            locked::run(module, body, team);
        }
        if serial::of_team(module, body, team, direction).is_none() {
            let team = team::normalise(module, body, team, direction);
            noted::note(module, body, team);
            normal.insert(team);
        } else {
            inner_teams::count_level(module, body, team);
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

/// May a team inside a team be read as one of a single thread? Not if it asks for numbers: there may be more threads, if the program or who runs it says so.
pub(crate) fn is_answered(module: &Module, body: &Body, team: Inst) -> bool {
    let mut called = BTreeSet::new();
    inside(body, team, &mut |inst| {
        if let Op::Call(attr) = &body.insts[inst].op {
            called.insert(attr.func);
        }
    });
    !called
        .iter()
        .any(|&f| asks(module, f) || asks_inside(module, f))
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

/// Are there tasks outside of any team in a body, and have they a normal form? They belong to the team of whoever calls the function.
fn tasks_fit(module: &Module, body: &Body) -> bool {
    let mut any = false;
    body.walk(|inst| {
        let task = directive(body, inst).filter(|d| tasks::is_of_tasks(d));
        any |= task.is_some_and(|d| *d != Directive::Taskwait) && !in_team(body, inst);
    });
    any && serial::of_tasks(module, body).is_none()
}

/// Is it a construct whose work is shared out in a team that another function starts?
pub(crate) fn shares_outside(body: &Body, inst: Inst) -> bool {
    directive(body, inst).is_some_and(|d| !starts_team(d) && !tasks::is_of_tasks(d))
        && !in_team(body, inst)
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
