//! Why a parallel construct is read serially: what has no normal form, in words.

use super::{
    Direction, asks_inside, by_one, data, directive, has_orphans, in_team, inner_teams, inside,
    locks, loops, makes_tasks, reaches, reduction, starts_team, tasks,
};
use adjoin_ir::text::Words;
use adjoin_ir::{Body, Clause, DataKind, Directive, Func, Inst, Module, Op, Span};
use std::collections::BTreeSet;

/// What is read serially where it must also run backwards, of a function and those that it calls: where, and why.
pub fn read_serially(module: &Module, func: Func) -> Vec<(Span, String)> {
    let mut seen = BTreeSet::new();
    let mut work = vec![func];
    let mut found = Vec::new();
    while let Some(f) = work.pop() {
        let Some(body) = module.funcs[f].body.as_ref().filter(|_| seen.insert(f)) else {
            continue;
        };
        work.extend(called(body, None));
        in_body(module, &mut body.clone(), &mut found);
    }
    found.sort();
    found
}

fn in_body(module: &Module, body: &mut Body, found: &mut Vec<(Span, String)>) {
    crate::serialise::nested(module, body);
    if let Some(any) = module.funcs.keys().next() {
        inner_teams::rewrite_all(module, body, inner_teams::Asked::nothing(any));
    }
    let mut teams = Vec::new();
    let mut task = None;
    body.walk(|inst| match directive(body, inst) {
        _ if in_team(body, inst) => {}
        Some(d) if starts_team(d) => teams.push(inst),
        Some(d) if tasks::is_of_tasks(d) && *d != Directive::Taskwait => {
            task.get_or_insert(inst);
        }
        _ => {}
    });
    for team in teams {
        let why = of_team(module, body, team, Direction::Both);
        found.extend(why.map(|why| (body.insts[team].span, why)));
    }
    if let Some(task) = task {
        let why = of_tasks(module, body);
        found.extend(why.map(|why| (body.insts[task].span, why)));
    }
}

/// The functions that a body calls, or what is inside one of its instructions.
fn called(body: &Body, around: Option<Inst>) -> BTreeSet<Func> {
    let mut called = BTreeSet::new();
    let mut look = |inst: Inst| {
        if let Op::Call(attr) = &body.insts[inst].op {
            called.insert(attr.func);
        }
    };
    match around {
        Some(inst) => inside(body, inst, &mut look),
        None => body.walk(look),
    }
    called
}

/// Why a team has no normal form; none: it has.
pub(super) fn of_team(
    module: &Module,
    body: &Body,
    team: Inst,
    direction: Direction,
) -> Option<String> {
    let both = direction == Direction::Both;
    let mut why = of_construct(module, body, team);
    let (mut own_tasks, mut nested) = (false, false);
    inside(body, team, &mut |inst| {
        let Op::Par(attr) = &body.insts[inst].op else {
            return;
        };
        nested |= starts_team(&attr.directive);
        own_tasks |= tasks::is_of_tasks(&attr.directive);
        let mut lengths = data::data_clauses(body, inst).into_iter();
        if why.is_some() {
            return;
        }
        why = match attr.directive {
            // Its loop says so, too.
            Directive::Ordered => None,
            _ if by_one::is_in_order(body, inst) => {
                let fits = by_one::may_be(module, body, team, inst);
                of_construct(module, body, inst).filter(|_| !fits)
            }
            _ => of_construct(module, body, inst),
        };
        if lengths.any(|d| {
            d.count
                .is_some_and(|v| !data::is_known_outside(body, v, team, 8))
        }) {
            why = Some("the length of a private copy is not known in front of it".to_string());
        }
    });
    if both && why.is_none() && waits(module, body, team) {
        why = Some("threads wait for each other in a loop".to_string());
    }
    if why.is_some() {
        return why;
    }
    let called = called(body, Some(team));
    let any = |property| of_called(module, &called, property);
    if let Some(name) = any(has_orphans) {
        return Some(format!(
            "'{name}', called there, shares out the team's work"
        ));
    }
    if both && any(locks).is_some() {
        return Some("threads take turns by locks".to_string());
    }
    // A task may run in any thread.
    if (own_tasks || any(makes_tasks).is_some())
        && let Some(&f) = called.iter().find(|&&f| asks_inside(module, f))
    {
        return Some(asks(module, f));
    }
    nested.then(|| "a team inside it does something once for each of its threads".to_string())
}

/// Why a team of a body has no mirror in the reverse sweep; none: it has.
pub fn has_no_mirror(module: &Module, body: &Body, team: Inst) -> Option<String> {
    of_team(module, body, team, Direction::Both)
}

/// Does a thread wait in a loop for what another does to memory: is there one without a count, and without any numbers, that looks at what others write?
fn waits(module: &Module, body: &Body, team: Inst) -> bool {
    let mut found = false;
    inside(body, team, &mut |inst| {
        if !matches!(body.insts[inst].op, Op::Loop) {
            return;
        }
        let (mut looks, mut works) = (false, false);
        inside(body, inst, &mut |inner| {
            let data = &body.insts[inner];
            match &data.op {
                Op::Par(attr) => match attr.directive {
                    Directive::Flush | Directive::Critical { .. } | Directive::Atomic(_) => {
                        looks = true;
                    }
                    _ => works = true,
                },
                Op::Load(mem) if mem.volatile => looks = true,
                Op::Call(attr) => {
                    works |= module.funcs[attr.func].body.is_some();
                    looks |= locks(module, attr.func);
                }
                Op::CallIndirect(_) => works = true,
                _ => {}
            }
            let values = data.args.iter().chain(&data.results);
            works |= values.into_iter().any(|&v| body.ty(v).is_float());
        });
        found |= looks && !works;
    });
    found
}

/// The name of a called function that has a property, or calls one that has.
fn of_called<'a>(
    module: &'a Module,
    called: &BTreeSet<Func>,
    property: fn(&Module, Func) -> bool,
) -> Option<&'a str> {
    let found = called.iter().find(|&&f| reaches(module, f, property));
    found.map(|&f| &*module.funcs[f].name)
}

fn asks(module: &Module, func: Func) -> String {
    let name = &module.funcs[func].name;
    format!("there are tasks, and '{name}' asks for the number of its thread")
}

/// Why the tasks outside of any team in a body have no normal form. They belong to the team of whoever calls the function.
pub(super) fn of_tasks(module: &Module, body: &Body) -> Option<String> {
    let mut why = None;
    body.walk(|inst| {
        let of_tasks = directive(body, inst).is_some_and(tasks::is_of_tasks);
        if of_tasks && why.is_none() && !in_team(body, inst) {
            why = of_construct(module, body, inst);
        }
    });
    let called = called(body, None);
    let any = |property| of_called(module, &called, property);
    why.or_else(|| {
        let name = any(has_orphans)?;
        Some(format!(
            "'{name}', called there, shares out the team's work"
        ))
    })
    .or_else(|| any(locks).map(|_| "tasks take turns by locks".to_string()))
    .or_else(|| {
        let f = called.iter().find(|&&f| asks_inside(module, f))?;
        Some(asks(module, *f))
    })
}

/// Why a construct has no normal form, as far as its kind and clauses say.
fn of_construct(module: &Module, body: &Body, inst: Inst) -> Option<String> {
    let Op::Par(attr) = &body.insts[inst].op else {
        return None;
    };
    let name = attr.directive.word().replace('_', " ");
    let in_order = attr.clauses.iter().any(Clause::is_in_order);
    let marked = || {
        format!(
            "a clause of '{name}' is read in order: a reduction of a section that the program declares, 'inscan', 'linear', 'lastprivate(conditional: …)', 'in_reduction' or 'depend'"
        )
    };
    match &attr.directive {
        d if tasks::is_of_tasks(d) => {
            return (!tasks::fits(module, body, inst)).then(|| match in_order {
                true => marked(),
                false => format!("what '{name}' holds, or copies, is not a function's"),
            });
        }
        Directive::Ordered => return Some("iterations wait for each other".to_string()),
        d if loops::is_worksharing(d) && loops::the_loop(body, inst).is_none() => {
            return Some(format!("'{name}' is on a loop without a count"));
        }
        _ => {}
    }
    if in_order && !attr.clauses.contains(&Clause::Ordered) {
        return Some(marked());
    }
    attr.clauses.iter().find_map(|clause| match clause {
        Clause::Ordered => Some("iterations wait for each other".to_string()),
        Clause::Data { kind, ctype, .. } => match kind {
            DataKind::Linear if attr.directive != Directive::Simd => {
                Some(format!("'{name}' has the clause 'linear'"))
            }
            DataKind::Reduction(_) if reduction::scalars(&module.types, *ctype).is_none() => {
                Some("a reduction is of something else than numbers".to_string())
            }
            DataKind::Linear | DataKind::Reduction(_) => None,
            _ if module.types.size_of(*ctype).is_none() => {
                Some("the size of a private copy is not known".to_string())
            }
            _ => None,
        },
        _ => None,
    })
}
