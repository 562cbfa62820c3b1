//! Parallel constructs become what they mean to one thread: regions run once, iterations in order, tasks at once. (Not in the pipeline: differentiation asks for it
//! where it has no parallel form yet.)
//!
//! A reduction that only goes on with what is there, and a variable whose last value goes back, is the original itself; other reductions (`openmp/own_sums`), `private` and `firstprivate` need
//! a copy. What depends on the number of
//! threads has no serial meaning: a critical or atomic update of which every thread of a team executes the same, once, stays as it is.

use crate::edit::{Replacements, position, unlink};
use crate::openmp::directive;
use crate::openmp::own_sums::{self, Reduced};
use crate::openmp::runtime;
use adjoin_ir::{
    Body, Builder, CTypes, Clause, CopyAttr, DataKind, Directive, Func, Inst, Module, Op, Region,
    Type,
};
use std::collections::BTreeSet;

/// Rewrites a body. What is left of parallel constructs could not be read serially.
pub fn run(module: &Module, body: &mut Body) {
    run_except(module, body, &BTreeSet::new());
}

/// Functions whose text would need the mark of constructs that run in order (`Clause::in_order`), read serially. A loop that another function's team shares out stays as it is.
pub fn in_order(module: &mut Module) {
    let marked = |body: &Body, inst: Inst| matches!(&body.insts[inst].op, Op::Par(attr) if attr.clauses.iter().any(Clause::is_in_order));
    let funcs: Vec<Func> = module.funcs.keys().collect();
    for func in funcs {
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        let (mut any, mut alone) = (false, true);
        body.walk(|inst| {
            if marked(body, inst) {
                any = true;
                alone &= !crate::openmp::shares_outside(body, inst);
            }
        });
        if any && alone {
            let mut body = body.clone();
            run(module, &mut body);
            module.funcs[func].body = Some(body);
        }
    }
}

/// Teams inside a team have one thread, unless it shows how many they have.
pub(crate) fn nested(module: &Module, body: &mut Body) {
    loop {
        let mut found = None;
        body.walk(|inst| {
            let starts = |i| directive(body, i).is_some_and(crate::openmp::starts_team);
            if found.is_none() && starts(inst) {
                crate::openmp::inside(body, inst, &mut |inner| {
                    if starts(inner)
                        && crate::openmp::is_answered(module, body, inner)
                        && !crate::openmp::shows_number(module, body, inner)
                    {
                        found = Some(inner);
                    }
                });
            }
        });
        match found {
            Some(inner) => whole(module, body, inner),
            None => return,
        }
    }
}

/// As [`run`], without these constructs and what is inside them.
pub fn run_except(module: &Module, body: &mut Body, other: &BTreeSet<Inst>) {
    nested(module, body);
    let mut constructs = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::Par(_))
            && !other.contains(&inst)
            && !other.iter().any(|&o| crate::edit::is_inside(body, inst, o))
        {
            constructs.push(inst);
        }
    });
    if constructs.is_empty() {
        return;
    }
    let kept: BTreeSet<Inst> = constructs
        .iter()
        .copied()
        .filter(|&inst| depends_on_team(module, body, inst))
        .collect();
    for inst in constructs {
        // Inside of what stays, everything stays.
        if !kept.contains(&inst) && !kept.iter().any(|&k| crate::edit::is_inside(body, inst, k)) {
            if directive(body, inst).is_some_and(crate::openmp::starts_team) {
                answer(module, body, inst);
            }
            one(&module.types, body, inst);
        }
    }
}

/// A team and all that is inside it: a team of one thread.
pub(crate) fn whole(module: &Module, body: &mut Body, team: Inst) {
    answer(module, body, team);
    let mut constructs = vec![team];
    crate::openmp::inside(body, team, &mut |inst| {
        if matches!(body.insts[inst].op, Op::Par(_)) {
            constructs.push(inst);
        }
    });
    for inst in constructs {
        one(&module.types, body, inst);
    }
}

/// A team that the program says has one thread, around teams of its own: these may have more, so they stay.
pub(crate) fn around_others(module: &Module, body: &mut Body, team: Inst) {
    let mut others = Vec::new();
    crate::openmp::inside(body, team, &mut |inst| {
        if directive(body, inst).is_some_and(crate::openmp::starts_team) {
            others.push(inst);
        }
    });
    let is_other = |body: &Body, inst: Inst| {
        (others.iter()).any(|&o| o == inst || crate::edit::is_inside(body, inst, o))
    };
    answer_but(module, body, team, &is_other);
    let mut constructs = vec![team];
    crate::openmp::inside(body, team, &mut |inst| {
        // Several threads may call the function.
        let turns = matches!(
            directive(body, inst),
            Some(Directive::Critical { .. } | Directive::Atomic(_))
        );
        if matches!(body.insts[inst].op, Op::Par(_)) && !turns && !is_other(body, inst) {
            constructs.push(inst);
        }
    });
    for inst in constructs {
        one(&module.types, body, inst);
    }
}

/// The one thread of a team has number 0, also when the function is called by a thread of another team.
fn answer(module: &Module, body: &mut Body, team: Inst) {
    answer_but(module, body, team, &|_, _| false);
}

fn answer_but(module: &Module, body: &mut Body, team: Inst, other: &dyn Fn(&Body, Inst) -> bool) {
    let mut asked = Vec::new();
    crate::openmp::inside(body, team, &mut |inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && !other(body, inst)
        {
            match &module.funcs[attr.func].name[..] {
                crate::openmp::THREAD => asked.push((inst, 0)),
                crate::openmp::THREADS => asked.push((inst, 1)),
                _ => {}
            }
        }
    });
    for (inst, n) in asked {
        body.insts[inst].op = Op::Const(adjoin_ir::Const::Int(n));
        if body.insts[inst].results.is_empty() {
            unlink(body, inst);
        }
    }
}

/// Does a team's region do something once for each thread that shows?
fn depends_on_team(module: &Module, body: &Body, inst: Inst) -> bool {
    if !directive(body, inst).is_some_and(crate::openmp::starts_team) {
        return false;
    }
    let (mut asks, mut shares) = (false, false);
    crate::openmp::inside(body, inst, &mut |inner| {
        if let Op::Call(attr) = &body.insts[inner].op {
            let name = &module.funcs[attr.func].name[..];
            asks |= matches!(name, runtime::THREAD | runtime::THREADS);
            shares |= name == runtime::PART;
        }
    });
    // Whoever asks for the number of a thread may do something else with each. Not so where we ask, to share out iterations.
    if asks {
        return !shares;
    }
    crate::openmp::shows_number(module, body, inst)
}

/// One construct.
pub(crate) fn one(types: &CTypes, body: &mut Body, inst: Inst) {
    let data = body.insts[inst].clone();
    let Op::Par(attr) = &data.op else { return };
    if data.regions.is_empty() {
        unlink(body, inst);
        return;
    }
    let mut addresses = Vec::new();
    let mut operand = 0;
    for clause in &attr.clauses {
        if let Clause::Data {
            kind, ctype, name, ..
        } = clause
        {
            let original = data.args[operand];
            if let DataKind::Reduction(op) = *kind {
                let count = data.args[operand..operand + clause.operands()].get(1);
                let reduced = Reduced {
                    op,
                    ctype: *ctype,
                    original,
                    count: count.copied(),
                };
                let k = addresses.len();
                let mut arguments = data.regions.iter().map(|&r| body.regions[r].args[k]);
                let goes_on = arguments.all(|v| own_sums::goes_on(body, inst, v, op));
                let copy = match goes_on {
                    true => None,
                    false => reduced.own(types, body, inst, name),
                };
                addresses.push(copy.unwrap_or(original));
                operand += clause.operands();
                continue;
            }
            let value = match kind {
                DataKind::Private | DataKind::FirstPrivate => Some(*kind == DataKind::FirstPrivate),
                _ => None,
            };
            addresses.push(match value {
                None => original,
                Some(copies) => {
                    let at = position(body, inst);
                    let mut b = Builder::at_end(body, data.parent);
                    b.cursor.before = Some(at);
                    b.span = data.span;
                    let slot = b.slot(*ctype, Some(name));
                    if copies {
                        match Type::of_ctype(types, *ctype) {
                            Some(ty) => {
                                let v = b.load(ty, original);
                                b.store(slot, v);
                            }
                            None => {
                                let copy = CopyAttr {
                                    bytes: types.size_of(*ctype).unwrap_or(0),
                                    ctype: Some(*ctype),
                                };
                                b.inst(Op::Copy(copy), vec![slot, original], &[]);
                            }
                        }
                    }
                    slot
                }
            });
        }
        operand += clause.operands();
    }
    let mut replacements = Replacements::default();
    for &region in &data.regions {
        for (&argument, &address) in body.regions[region].args.iter().zip(&addresses) {
            replacements.set(argument, address);
        }
    }
    replacements.apply(body);
    for &region in &data.regions {
        crate::edit::set_region_args(body, region, Vec::new());
    }
    block(body, inst, &data.regions);
}

/// The regions as blocks, one after the other.
fn block(body: &mut Body, inst: Inst, regions: &[Region]) {
    let (parent, span) = (body.insts[inst].parent, body.insts[inst].span);
    let at = position(body, inst);
    for (k, &region) in regions.iter().enumerate().skip(1) {
        let new = body.make(parent, Op::Block, Vec::new(), span);
        body.insts[new].regions = vec![region];
        body.regions[region].parent = Some(new);
        body.regions[parent].insts.insert(at + k, new);
    }
    let data = &mut body.insts[inst];
    data.op = Op::Block;
    data.args.clear();
    data.regions.truncate(1);
}
