//! Teams inside a team that ask for the numbers of their threads, or do something once for each of them: reading them as teams of one thread would show where the program, or who runs it,
//! allows more (`omp_set_max_active_levels`). How many there are is asked when the team starts. Where its threads never wait for each other, one thread of the team around it is all of them,
//! one after the other; otherwise there must be one, or the program ends. So it does where the library may give fewer than asked for.

use super::{asks, has_orphans, in_team, inside, is_answered, reaches, runtime, shows_number};
use super::{directive, starts_team};
use crate::edit::{Replacements, move_before, position, unlink};
use adjoin_ir::{
    Body, Builder, CallAttr, Clause, DataKind, Directive, Func, Inst, Module, Op, Pred, Type, Value,
};

/// Functions whose answer would be that of the team around.
const OF_LEVELS: [&str; 5] = [
    "omp_get_level",
    "omp_get_active_level",
    "omp_get_ancestor_thread_num",
    "omp_get_team_size",
    "omp_in_parallel",
];

/// How many teams of several threads are around.
const LEVEL: &str = "omp_get_active_level";

/// So many threads and more are no limit.
const NO_LIMIT: i128 = 1 << 24;

/// What is asked where such a team starts.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    most_levels: Func,
    level: Func,
    most_threads: Func,
    limit: Func,
    dynamic: Func,
    stop: Func,
}

impl Asked {
    /// Declares what it takes.
    fn new(module: &mut Module) -> Asked {
        Asked {
            most_levels: runtime::query(module, "omp_get_max_active_levels"),
            level: runtime::query(module, LEVEL),
            most_threads: runtime::query(module, runtime::MOST_THREADS),
            limit: runtime::query(module, "omp_get_thread_limit"),
            dynamic: runtime::query(module, "omp_get_dynamic"),
            stop: runtime::stop(
                module,
                "adjoin_stop_inner_team",
                "adjoin: a team inside a team may have several threads, and its derivative cannot know how many",
            ),
        }
    }

    /// For bodies that nobody runs.
    pub(super) fn nothing(any: Func) -> Asked {
        Asked {
            most_levels: any,
            level: any,
            most_threads: any,
            limit: any,
            dynamic: any,
            stop: any,
        }
    }
}

/// Rewrites such teams, the innermost first. What does not show has been read already.
pub(super) fn run(module: &mut Module, body: &mut Body) {
    if next(module, body).is_some() {
        let asked = Asked::new(module);
        rewrite_all(module, body, asked);
    }
}

pub(super) fn rewrite_all(module: &Module, body: &mut Body, asked: Asked) {
    while let Some(team) = next(module, body) {
        rewrite(module, body, team, asked);
    }
}

/// An outermost team around others that has one thread, as the program says: the others are no teams inside a team.
pub(super) fn next_around(body: &Body) -> Option<Inst> {
    let starts = |i: Inst| directive(body, i).is_some_and(starts_team);
    let mut found = None;
    body.walk(|inst| {
        if found.is_none()
            && starts(inst)
            && operand(body, inst, &Clause::NumThreads)
                .is_some_and(|n| body.const_int(n) == Some(1))
            && !in_team(body, inst)
        {
            inside(body, inst, &mut |i| {
                if starts(i) {
                    found = Some(inst);
                }
            });
        }
    });
    found
}

/// Where a team is read serially after all, what is inside is still inside a team to the program, of several threads mostly.
pub(super) fn count_level(module: &Module, body: &mut Body, team: Inst) {
    let Op::Par(attr) = &body.insts[team].op else {
        return;
    };
    let may_be_one = |wanted: &Clause| match wanted {
        Clause::If => true,
        Clause::NumThreads => {
            operand(body, team, wanted).is_none_or(|n| body.const_int(n).is_none_or(|n| n < 2))
        }
        _ => false,
    };
    if attr.clauses.iter().any(may_be_one) {
        return;
    }
    let mut calls = Vec::new();
    inside(body, team, &mut |inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && module.funcs[attr.func].name == LEVEL
        {
            calls.push(inst);
        }
    });
    for inst in calls {
        let level = body.result(inst);
        let parent = body.insts[inst].parent;
        let at = position(body, inst) + 1;
        let mut b = Builder::at_end(body, parent);
        b.cursor.before = Some(at);
        let one = b.int(Type::I32, 1);
        let more = b.add(level, one);
        let sum = body.def_inst(more);
        let mut answers = Replacements::default();
        answers.set(level, more);
        answers.apply(body);
        if let Some(sum) = sum {
            body.insts[sum].args[0] = level;
        }
    }
}

fn next(module: &Module, body: &Body) -> Option<Inst> {
    let starts = |i: Inst| directive(body, i).is_some_and(starts_team);
    let mut found = None;
    body.walk(|inst| {
        if found.is_none() && starts(inst) && in_team(body, inst) {
            let mut holds = false;
            inside(body, inst, &mut |i| holds |= starts(i));
            let plain = is_answered(module, body, inst) && !shows_number(module, body, inst);
            if !holds && !plain && fits(module, body, inst) {
                found = Some(inst);
            }
        }
    });
    found
}

/// Can what its threads ask be answered?
fn fits(module: &Module, body: &Body, team: Inst) -> bool {
    let mut fits = true;
    inside(body, team, &mut |inst| {
        if let Op::Call(attr) = &body.insts[inst].op {
            let f = attr.func;
            let known = module.funcs[f].body.is_none();
            fits &= !OF_LEVELS.contains(&&module.funcs[f].name[..])
                && (known || !reaches(module, f, asks) && !reaches(module, f, has_orphans));
        }
    });
    fits
}

/// Do its threads never wait for each other, so that they may run one after the other?
fn may_take_turns(body: &Body, team: Inst) -> bool {
    let Op::Par(attr) = &body.insts[team].op else {
        return false;
    };
    let copies = attr.clauses.iter().all(|c| match c {
        Clause::Data { kind, .. } => matches!(
            kind,
            DataKind::Shared | DataKind::Private | DataKind::FirstPrivate | DataKind::Reduction(_)
        ),
        _ => true,
    });
    let mut fits = copies && attr.directive == Directive::Parallel;
    inside(body, team, &mut |inst| {
        fits &= match directive(body, inst) {
            None
            | Some(
                Directive::Critical { .. }
                | Directive::Atomic(_)
                | Directive::Flush
                | Directive::Simd
                | Directive::Master,
            ) => true,
            Some(_) => false,
        };
    });
    fits
}

/// The operand of a clause.
fn operand(body: &Body, team: Inst, wanted: &Clause) -> Option<Value> {
    let Op::Par(attr) = &body.insts[team].op else {
        return None;
    };
    let mut at = 0;
    for clause in &attr.clauses {
        if clause == wanted {
            return body.insts[team].args.get(at).copied();
        }
        at += clause.operands();
    }
    None
}

fn stop(b: &mut Builder<'_>, func: Func) {
    let extra = Vec::new();
    b.inst(Op::Call(CallAttr { func, extra }), vec![], &[]);
}

fn stop_if(b: &mut Builder<'_>, condition: Value, func: Func) {
    let (_, then, otherwise) = b.if_(condition, &[]);
    b.inside(then, |b| {
        stop(b, func);
        b.yield_(&[]);
    });
    b.inside(otherwise, |b| b.yield_(&[]));
}

fn rewrite(module: &Module, body: &mut Body, team: Inst, asked: Asked) {
    let turns = may_take_turns(body, team);
    let condition = operand(body, team, &Clause::If);
    let wanted = operand(body, team, &Clause::NumThreads);
    let span = body.insts[team].span;
    let mut b = Builder::before(body, team);
    b.span = span;
    let b = &mut b;
    let ask = |b: &mut Builder<'_>, f| runtime::call(b, f, Vec::new(), Type::I32);
    let (most, level) = (ask(b, asked.most_levels), ask(b, asked.level));
    let mut several = b.gt(most, level);
    if let Some(condition) = condition {
        several = b.and(several, condition);
    }
    let wanted = match wanted {
        Some(n) => b.cast(Type::I32, n),
        None => ask(b, asked.most_threads),
    };
    let (zero, one) = (b.int(Type::I32, 0), b.int(Type::I32, 1));
    let threads = b.select(several, wanted, one);
    let more = b.gt(threads, one);
    let (_, then, otherwise) = b.if_(more, &[]);
    b.inside(then, |b| {
        if turns {
            let (limit, dynamic) = (ask(b, asked.limit), ask(b, asked.dynamic));
            let all = b.int(Type::I32, NO_LIMIT);
            let (limited, varies) = (b.lt(limit, all), b.ne(dynamic, zero));
            let unknown = b.or(limited, varies);
            stop_if(b, unknown, asked.stop);
        } else {
            stop(b, asked.stop);
        }
        b.yield_(&[]);
    });
    b.inside(otherwise, |b| b.yield_(&[]));
    if !turns {
        crate::serialise::whole(module, body, team);
        return;
    }
    let (_, region) = b.for_(Pred::Lt, zero, threads, one, &[]);
    let thread = b.body.regions[region].args[0];
    b.set_name(thread, "thread");
    let end = b.inside(region, |b| b.yield_(&[]));
    move_before(body, team, end);
    number(module, body, team, thread, threads);
    crate::serialise::one(&module.types, body, team);
}

/// What a thread asks is answered, and what the first one does is a branch.
fn number(module: &Module, body: &mut Body, team: Inst, thread: Value, threads: Value) {
    let (mut calls, mut masters) = (Vec::new(), Vec::new());
    inside(body, team, &mut |inst| match &body.insts[inst].op {
        Op::Call(attr) => match &module.funcs[attr.func].name[..] {
            runtime::THREAD => calls.push((inst, thread)),
            runtime::THREADS => calls.push((inst, threads)),
            _ => {}
        },
        _ if directive(body, inst) == Some(&Directive::Master) => masters.push(inst),
        _ => {}
    });
    let mut answers = Replacements::default();
    for (inst, answer) in calls {
        for &v in &body.insts[inst].results {
            answers.set(v, answer);
        }
        unlink(body, inst);
    }
    answers.apply(body);
    for inst in masters {
        let mut b = Builder::before(body, inst);
        let zero = b.int(Type::I32, 0);
        let first = b.eq(thread, zero);
        let otherwise = body.add_region(inst);
        Builder::at_end(body, otherwise).yield_(&[]);
        let data = &mut body.insts[inst];
        data.op = Op::If;
        data.args = vec![first];
    }
}
