//! Locks of a team that runs backwards, too: what a thread does between taking its first lock and giving back the last becomes a critical section, of one name for all locks.
//! Fewer threads run at a time than with several locks, which is one of the ways the program may go. Where taking and giving back are not in one place, locks stay as they are.

use super::per_thread::has_turns;
use super::runtime::callee;
use super::{directive, inside, locks, reaches};
use crate::edit::{exit_target, move_before, position, unlink};
use adjoin_ir::{Body, Builder, CTy, Directive, Inst, Module, Op, Region, Type, Value};
use std::collections::BTreeSet;

/// The critical section that all locks are.
const NAME: &str = "adjoin_locked";

/// What a call does to a lock.
fn step(module: &Module, body: &Body, inst: Inst) -> Option<i32> {
    match callee(module, &body.insts[inst].op)? {
        "omp_set_lock" | "omp_set_nest_lock" => Some(1),
        "omp_unset_lock" | "omp_unset_nest_lock" => Some(-1),
        _ => None,
    }
}

/// Rewrites the locks of a team, if all of them can be.
pub(super) fn run(module: &mut Module, body: &mut Body, team: Inst) {
    let mut has_locks = false;
    inside(body, team, &mut |inst| {
        has_locks |= matches!(&body.insts[inst].op, Op::Call(a) if locks(module, a.func));
    });
    if !has_locks {
        return;
    }
    let mut changed = body.clone();
    if rewrite(module, &mut changed, team).is_some() {
        *body = changed;
    }
}

fn rewrite(module: &mut Module, body: &mut Body, team: Inst) -> Option<()> {
    wait_plainly(module, body, team);
    let mut all = BTreeSet::new();
    inside(body, team, &mut |inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && locks(module, attr.func)
        {
            all.insert(inst);
        }
    });
    let mut found = Vec::new();
    for &region in &body.insts[team].regions.clone() {
        sections(module, body, region, &mut found).then_some(())?;
    }
    let mut seen = BTreeSet::new();
    for section in &found {
        may_move(module, body, section).then_some(())?;
        seen.extend(calls_of(module, body, section));
    }
    if seen != all || may_wait_for_each_other(module, body, &found) {
        return None;
    }
    for section in &found {
        enclose(module, body, section);
    }
    for inst in all {
        unlink(body, inst);
    }
    Some(())
}

/// Is a lock taken inside of a critical section, and a critical section entered under a lock? As one section for all locks, they could wait for each other where different locks do not.
fn may_wait_for_each_other(module: &Module, body: &Body, sections: &[Section]) -> bool {
    let is_critical =
        |inst: Inst| matches!(directive(body, inst), Some(Directive::Critical { .. }));
    let enters = |inst: Inst| match &body.insts[inst].op {
        Op::Call(attr) => reaches(module, attr.func, has_turns),
        Op::CallIndirect(_) => true,
        _ => is_critical(inst),
    };
    let (mut under, mut over) = (false, false);
    for section in sections {
        for &inst in &section.0 {
            under |= enters(inst);
            inside(body, inst, &mut |inner| under |= enters(inner));
        }
        let mut region = body.insts[section.0[0]].parent;
        while let Some(holder) = body.regions[region].parent {
            over |= is_critical(holder);
            region = body.insts[holder].parent;
        }
    }
    under && over
}

/// Consecutive instructions, from the first lock that is taken to the last that is given back.
struct Section(Vec<Inst>);

/// The outermost sections of a region; `false`: a lock is taken here and given back elsewhere.
fn sections(module: &Module, body: &Body, region: Region, found: &mut Vec<Section>) -> bool {
    let mut held = 0;
    let mut open = Vec::new();
    for &inst in &body.regions[region].insts {
        let step = step(module, body, inst).unwrap_or(0);
        held += step;
        if held < 0 {
            return false;
        }
        if held > 0 || step != 0 {
            open.push(inst);
        }
        if step != 0 && held == 0 {
            found.push(Section(std::mem::take(&mut open)));
        }
        let inner = &body.insts[inst].regions;
        // What is locked inside of what is locked must be given back there, too.
        let mut nested = Vec::new();
        let list = if open.is_empty() {
            &mut *found
        } else {
            &mut nested
        };
        if !inner.iter().all(|&r| sections(module, body, r, list)) {
            return false;
        }
    }
    held == 0
}

fn calls_of(module: &Module, body: &Body, section: &Section) -> BTreeSet<Inst> {
    let mut calls = BTreeSet::new();
    let mut look = |inst: Inst| {
        if step(module, body, inst).is_some() {
            calls.insert(inst);
        }
    };
    for &inst in &section.0 {
        look(inst);
        inside(body, inst, &mut look);
    }
    calls
}

/// Does control stay in a section until its end, without constructs that threads meet at, and are the types known of what it makes for what follows?
fn may_move(module: &Module, body: &Body, section: &Section) -> bool {
    let within = |inst: Inst| {
        let around = |&s: &Inst| s == inst || crate::edit::is_inside(body, inst, s);
        section.0.iter().any(around)
    };
    let mut fine = true;
    let mut look = |inst: Inst| {
        let data = &body.insts[inst];
        fine &= match &data.op {
            Op::Return => false,
            Op::Par(attr) => matches!(
                attr.directive,
                Directive::Atomic(_) | Directive::Critical { .. } | Directive::Flush
            ),
            Op::Break(_) | Op::Continue(_) => exit_target(body, inst).is_some_and(within),
            _ => true,
        };
    };
    for &inst in &section.0 {
        look(inst);
        inside(body, inst, &mut look);
    }
    fine && used_behind(body, section)
        .iter()
        .all(|&v| is_place(body, v) || type_of(module, body, v).is_some())
}

/// Values of a section that are used behind it.
fn used_behind(body: &Body, section: &Section) -> Vec<Value> {
    let list: BTreeSet<Inst> = section.0.iter().copied().collect();
    let made: BTreeSet<Value> = (section.0.iter())
        .flat_map(|&i| body.insts[i].results.iter().copied())
        .collect();
    let parent = body.insts[section.0[0]].parent;
    let mut used = BTreeSet::new();
    for &inst in &body.regions[parent].insts {
        if list.contains(&inst) {
            continue;
        }
        let mut look = |inst: Inst| {
            let args = body.insts[inst].args.iter();
            used.extend(args.filter(|v| made.contains(v)));
        };
        look(inst);
        inside(body, inst, &mut look);
    }
    used.into_iter().collect()
}

/// Is a value something that may as well be made in front of the section?
fn is_place(body: &Body, v: Value) -> bool {
    let def = body.def_inst(v);
    def.is_some_and(|i| {
        matches!(
            body.insts[i].op,
            Op::Slot(_) | Op::Const(_) | Op::GlobalAddr(_)
        )
    })
}

fn type_of(module: &Module, body: &Body, v: Value) -> Option<CTy> {
    let ctype = body.values[v].ctype?;
    (Type::of_ctype(&module.types, ctype) == Some(body.ty(v))).then_some(ctype)
}

/// Puts a section into a critical construct. What is used behind it goes through variables.
fn enclose(module: &Module, body: &mut Body, section: &Section) {
    let first = section.0[0];
    let (span, parent) = (body.insts[first].span, body.insts[first].parent);
    let behind = used_behind(body, section);
    let (places, values): (Vec<Value>, Vec<Value>) =
        behind.into_iter().partition(|&v| is_place(body, v));
    let places: BTreeSet<Inst> = (places.iter()).filter_map(|&v| body.def_inst(v)).collect();
    for &place in &places {
        move_before(body, place, first);
    }
    let last = section.0[section.0.len() - 1];
    let after = body.regions[parent].insts[position(body, last) + 1];
    let mut kept = Vec::new();
    for v in values {
        let ctype = type_of(module, body, v).expect("its type is known");
        let slot = Builder::before(body, first).slot(ctype, None);
        kept.push((v, slot, ctype));
    }
    let name = Some(NAME.to_string());
    let mut b = Builder::before(body, first);
    b.span = span;
    let (_, region) = b.par(Directive::Critical { name }, Vec::new(), Vec::new());
    let end = b.inside(region, |b| b.yield_(&[]));
    for &inst in section.0.iter().filter(|i| !places.contains(i)) {
        move_before(body, inst, end);
    }
    for (v, slot, ctype) in kept {
        let ty = body.ty(v);
        let mut b = Builder::before(body, after);
        let read = b.load(ty, slot);
        b.set_ctype(read, ctype);
        replace_behind(body, parent, after, v, read);
        Builder::before(body, end).store(slot, v);
    }
}

/// Uses of a value from an instruction on are uses of another.
fn replace_behind(body: &mut Body, region: Region, from: Inst, old: Value, new: Value) {
    let at = position(body, from);
    let list: Vec<Inst> = body.regions[region].insts[at..].to_vec();
    let mut users = Vec::new();
    for inst in list {
        users.push(inst);
        inside(body, inst, &mut |inner| users.push(inner));
    }
    for user in users {
        for arg in &mut body.insts[user].args {
            if *arg == old {
                *arg = new;
            }
        }
    }
}

/// `while (!omp_test_lock(l)) {}` takes the lock.
fn wait_plainly(module: &mut Module, body: &mut Body, team: Inst) {
    let mut found = Vec::new();
    inside(body, team, &mut |inst| {
        found.extend(tested(module, body, inst).map(|test| (inst, test)));
    });
    for (waiting, test) in found {
        let nested = callee(module, &body.insts[test].op) == Some("omp_test_nest_lock");
        let name = match nested {
            true => "omp_set_nest_lock",
            false => "omp_set_lock",
        };
        let Some(func) = module.find_func(name).or_else(|| {
            let Op::Call(attr) = &body.insts[test].op else {
                return None;
            };
            let params = parameters(module, attr.func)?;
            let void = module.types.void();
            Some(super::runtime::external(module, name, void, &params))
        }) else {
            continue;
        };
        let mut made = Vec::new();
        inside(body, waiting, &mut |inner| {
            if matches!(
                body.insts[inner].op,
                Op::Addr(_) | Op::GlobalAddr(_) | Op::Const(_)
            ) {
                made.push(inner);
            }
        });
        for inst in made {
            move_before(body, inst, waiting);
        }
        let lock = body.insts[test].args.clone();
        let mut b = Builder::before(body, waiting);
        b.inst(
            Op::Call(adjoin_ir::CallAttr {
                func,
                extra: Vec::new(),
            }),
            lock,
            &[],
        );
        unlink(body, waiting);
    }
}

fn parameters(module: &Module, func: adjoin_ir::Func) -> Option<Vec<CTy>> {
    match module.types.shape(module.funcs[func].ctype) {
        adjoin_ir::CTypeKind::Function { params, .. } => Some(params.clone()),
        _ => None,
    }
}

/// The test of a loop that does nothing but to wait for a lock.
fn tested(module: &Module, body: &Body, inst: Inst) -> Option<Inst> {
    let data = &body.insts[inst];
    if !matches!(data.op, Op::Loop) || !data.args.is_empty() || !data.results.is_empty() {
        return None;
    }
    let (mut test, mut plain) = (None, true);
    inside(body, inst, &mut |inner| {
        let data = &body.insts[inner];
        plain &= match &data.op {
            Op::Call(_) => {
                let name = callee(module, &data.op);
                let tests = matches!(name, Some("omp_test_lock" | "omp_test_nest_lock"));
                tests && test.replace(inner).is_none()
            }
            Op::Par(attr) => matches!(attr.directive, Directive::Taskyield | Directive::Flush),
            Op::If | Op::Block => true,
            Op::Return => false,
            op => op.is_pure() || op.is_terminator(),
        };
    });
    let test = test.filter(|_| plain)?;
    ends_when_taken(body, inst, body.result(test)).then_some(test)
}

/// Does a loop end when a test is not zero, and only then?
fn ends_when_taken(body: &Body, waiting: Inst, test: Value) -> bool {
    let mut exits = Vec::new();
    inside(body, waiting, &mut |inner| {
        if body.insts[inner].op == Op::Break(waiting) {
            exits.push(inner);
        }
    });
    let [exit] = exits[..] else {
        return false;
    };
    let region = body.insts[exit].parent;
    let Some(holder) = body.regions[region].parent else {
        return false;
    };
    let data = &body.insts[holder];
    // Nothing else decides whether it comes there.
    let alone = body.regions[body.insts[waiting].regions[0]]
        .insts
        .contains(&holder);
    if !alone || !matches!(data.op, Op::If) {
        return false;
    }
    let mut when = data.regions[0] == region;
    let mut v = data.args[0];
    while v != test {
        let Some(made) = body.def_inst(v).map(|i| &body.insts[i]) else {
            return false;
        };
        let with_zero = made
            .args
            .get(1)
            .is_some_and(|&z| body.const_int(z) == Some(0));
        match made.op {
            Op::Ne if with_zero => {}
            Op::Eq if with_zero => when = !when,
            Op::Not if body.ty(v) == Type::Bool => when = !when,
            Op::Cast if body.ty(v) == Type::Bool || body.ty(made.args[0]) == Type::Bool => {}
            _ => return false,
        }
        v = made.args[0];
    }
    when
}
