//! The normal form of tasks: `par task` holds nothing but the call of a function that does the task, with values from outside as arguments, and `taskwait` is all that waits.
//!
//! - What a task does becomes a function. Shared variables are handed over by address, those that it copies by value, arrays and structs in memory that the task frees.
//! - `taskloop` is a loop that makes a task of each chunk; `taskgroup` ends with a `taskwait`; a task that its clauses do not let wait is a call.
//! - Whoever makes tasks waits for them: before a barrier, at the end of the construct or function in which they are made. That is one of the ways in which tasks may run, and so
//!   those that wait for a task also wait for all that it has made.

use super::chunk_copies::{self, Copies};
use super::loops::{self, the_loop};
use super::{directive, inside, runtime, starts_team};
use crate::edit::{Replacements, position, unlink};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CTypes, CallAttr, Clause, CopyAttr, DataKind, Directive,
    Func, Function, Inst, Linkage, Module, Op, ParAttr, Pred, Region, Type, Value,
};
use std::collections::BTreeSet;

/// A loop without a grain size becomes at most this many tasks.
const MOST_CHUNKS: i128 = 64;

/// The functions that do tasks are called so, and by the line.
const NAME: &str = "adjoin_task";

/// Is it the name of a function that was made of a task (and not of a derivative of one)? Its body is complete when it is declared.
pub fn is_task(name: &str) -> bool {
    let number = name.strip_prefix(NAME).and_then(|n| n.strip_prefix('_'));
    number.is_some_and(|n| n.chars().all(|c| c.is_ascii_digit() || c == '_'))
}

/// A construct of tasks.
pub(super) fn is_of_tasks(d: &Directive) -> bool {
    matches!(
        d,
        Directive::Task
            | Directive::Taskloop
            | Directive::TaskloopSimd
            | Directive::Taskgroup
            | Directive::Taskwait
            | Directive::Taskyield
    )
}

/// Is a construct of tasks one that has a normal form, as far as its clauses and what it holds say?
pub(super) fn fits(module: &Module, body: &Body, par: Inst) -> bool {
    let Op::Par(attr) = &body.insts[par].op else {
        return false;
    };
    match attr.directive {
        Directive::Taskgroup | Directive::Taskwait | Directive::Taskyield => return true,
        Directive::Taskloop | Directive::TaskloopSimd if the_loop(body, par).is_none() => {
            return false;
        }
        _ => {}
    }
    if attr.clauses.iter().any(Clause::is_in_order) {
        return attr.directive == Directive::Task;
    }
    let conditions = |c: &Clause| matches!(c, Clause::If | Clause::Final);
    if attr.clauses.iter().any(Clause::is_dependence) && attr.clauses.iter().any(conditions) {
        // See `is_composed`.
        return true;
    }
    let types = &module.types;
    let clauses = attr.clauses.iter().all(|clause| match clause {
        Clause::Data {
            kind,
            ctype,
            section,
            ..
        } => {
            let known = !section && types.size_of(*ctype).is_some() && !is_variable(types, *ctype);
            let simple = matches!(
                kind,
                DataKind::Shared | DataKind::Private | DataKind::FirstPrivate
            );
            let loops = attr.directive != Directive::Task;
            known && (simple || (loops && chunk_copies::fits(types, *kind, *ctype)))
        }
        Clause::Ordered => false,
        _ => true,
    });
    let mut held = true;
    inside(body, par, &mut |inst| {
        held &= match &body.insts[inst].op {
            Op::Return | Op::VaStart | Op::Alloca => false,
            Op::Par(attr) => {
                !starts_team(&attr.directive) && !loops::is_worksharing(&attr.directive)
            }
            op => !runtime::callee(module, op).is_some_and(super::is_query),
        };
    });
    let outside = captured(body, par);
    clauses && held && outside.iter().all(|&v| parameter(types, body, v).is_some())
}

/// Does a type mention an array of variable length?
fn is_variable(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Pointer(p) => is_variable(types, *p),
        CTypeKind::Array { elem, .. } => is_variable(types, *elem),
        CTypeKind::Vla { .. } => true,
        _ => false,
    }
}

/// The values from outside that a construct's regions use.
fn captured(body: &Body, par: Inst) -> Vec<Value> {
    let regions = &body.insts[par].regions;
    let mut used = BTreeSet::new();
    inside(body, par, &mut |inst| {
        used.extend(body.insts[inst].args.iter().copied());
    });
    let outside = |v: &Value| {
        let home = body.def_region(*v);
        !regions.iter().any(|&r| body.encloses(r, home))
    };
    used.into_iter().filter(outside).collect()
}

fn is_constant(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_))
}

/// How a value is declared as a parameter; inner `None`: as a plain pointer.
fn parameter(types: &CTypes, body: &Body, v: Value) -> Option<Option<CTy>> {
    let ty = body.ty(v);
    let declared = match body.def_inst(v).map(|i| &body.insts[i].op) {
        Some(Op::SlotVla(_)) => return None,
        _ => body.values[v].ctype,
    };
    if declared.is_some_and(|t| is_variable(types, t)) {
        return None;
    }
    let declared = declared.filter(|&t| Type::of_ctype(types, t) == Some(ty));
    match (declared, ty) {
        (Some(t), _) => Some(Some(t)),
        (None, Type::Ptr) => Some(None),
        (None, ty) => ty.default_basic().map(|_| None),
    }
}

/// A task that is in the normal form already.
fn is_normal(module: &Module, body: &Body, task: Inst) -> bool {
    let data = &body.insts[task];
    let Op::Par(attr) = &data.op else {
        return false;
    };
    let list = &body.regions[data.regions[0]].insts;
    let calls = list.iter().any(|&i| {
        runtime::callee(module, &body.insts[i].op).is_some_and(|name| name.starts_with(NAME))
    });
    attr.clauses.iter().all(Clause::is_dependence) && calls
}

/// Brings the tasks of a region into the normal form, and waits for them where it ends. Those inside other tasks wait until these are differentiated. Returns
/// the constructs of tasks that are there now.
pub(super) fn normalise(
    module: &mut Module,
    body: &mut Body,
    region: Region,
    is_team: bool,
) -> Vec<Inst> {
    // What is taken apart may bring others to light.
    while let Some(inst) = (outer_tasks(body, region).into_iter()).find(|&i| is_composed(body, i)) {
        match directive(body, inst) {
            Some(Directive::Taskgroup) => {
                wait_behind(body, inst);
                crate::serialise::one(&module.types, body, inst);
            }
            Some(Directive::Taskloop | Directive::TaskloopSimd) => taskloop(module, body, inst),
            Some(Directive::Taskyield) => unlink(body, inst),
            _ => {
                // Those that it depends on come first.
                if has_dependence(body, inst) {
                    wait_before(body, inst);
                }
                crate::serialise::one(&module.types, body, inst);
            }
        }
    }
    close(module, body, region, false, is_team);
    for inst in outer_tasks(body, region) {
        if directive(body, inst) == Some(&Directive::Task) && !is_normal(module, body, inst) {
            outline(module, body, inst);
        }
    }
    outer_tasks(body, region)
}

/// Is it anything but a task and what waits for it?
fn is_composed(body: &Body, inst: Inst) -> bool {
    match &body.insts[inst].op {
        Op::Par(attr) => match attr.directive {
            // What the maker may have to do at once, and waits for others, is done when all others are.
            Directive::Task => {
                let conditions = |c: &Clause| matches!(c, Clause::If | Clause::Final);
                attr.clauses.iter().any(Clause::is_in_order)
                    || (has_dependence(body, inst) && attr.clauses.iter().any(conditions))
            }
            Directive::Taskwait => false,
            _ => true,
        },
        _ => false,
    }
}

/// Does a task wait for others?
fn has_dependence(body: &Body, task: Inst) -> bool {
    matches!(&body.insts[task].op, Op::Par(attr) if attr.clauses.iter().any(Clause::is_dependence))
}

/// The constructs of tasks in a region that are not inside a task or a team of their own.
fn outer_tasks(body: &Body, region: Region) -> Vec<Inst> {
    let mut found = Vec::new();
    let mut work = vec![region];
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            let d = directive(body, inst);
            if d.is_some_and(is_of_tasks) {
                found.push(inst);
            }
            let closed = d.is_some_and(|d| {
                starts_team(d)
                    || matches!(
                        d,
                        Directive::Task | Directive::Taskloop | Directive::TaskloopSimd
                    )
            });
            if !closed {
                work.extend(&body.insts[inst].regions);
            }
        }
    }
    found
}

fn wait_behind(body: &mut Body, inst: Inst) {
    let region = body.insts[inst].parent;
    let after = body.regions[region].insts[position(body, inst) + 1];
    wait_before(body, after);
}

fn wait_before(body: &mut Body, inst: Inst) {
    Builder::before(body, inst).par_alone(Directive::Taskwait, Vec::new(), Vec::new());
}

/// A loop over chunks, each of which is a task.
fn taskloop(module: &mut Module, body: &mut Body, par: Inst) {
    let (Some(inst), Op::Par(attr)) = (the_loop(body, par), body.insts[par].op.clone()) else {
        return;
    };
    let data = body.insts[par].clone();
    let mut grain = None;
    let mut many = None;
    let (mut clauses, mut operands, mut at) = (Vec::new(), Vec::new(), 0);
    // The clauses whose copies are those of chunks, and their places among the operands.
    let mut kept = Vec::new();
    for clause in &attr.clauses {
        let given = &data.args[at..at + clause.operands()];
        at += clause.operands();
        match clause {
            Clause::Grainsize => grain = given.first().copied(),
            Clause::NumTasks => many = given.first().copied(),
            Clause::Data { kind, .. } if chunk_copies::has_copies(*kind) => {
                kept.push((clause.clone(), operands.len()));
                clauses.push(shared(clause));
                operands.extend_from_slice(given);
            }
            Clause::Data { .. } | Clause::If | Clause::Final => {
                clauses.push(clause.clone());
                operands.extend_from_slice(given);
            }
            _ => {}
        }
    }
    if !attr.clauses.contains(&Clause::Nogroup) || !kept.is_empty() {
        wait_behind(body, par);
    }
    let count = loops::count(body, inst, par);
    let number = count.number;
    let b = &mut Builder::before(body, par);
    let one = b.int(Type::I64, 1);
    let zero = b.int(Type::I64, 0);
    let at_least_one = |b: &mut Builder<'_>, v: Value| {
        let small = b.lt(v, one);
        b.select(small, one, v)
    };
    let up = |b: &mut Builder<'_>, by: Value| {
        let less = b.sub(by, one);
        let padded = b.add(number, less);
        b.div(padded, by)
    };
    let size = match (grain, many) {
        (Some(grain), _) => {
            let grain = b.cast(Type::I64, grain);
            at_least_one(b, grain)
        }
        (None, many) => {
            let many = match many {
                Some(v) => b.cast(Type::I64, v),
                None => b.int(Type::I64, MOST_CHUNKS),
            };
            let many = at_least_one(b, many);
            let size = up(b, many);
            at_least_one(b, size)
        }
    };
    b.set_name(size, "grain");
    let chunks = up(b, size);
    b.set_name(chunks, "chunks");
    let mut copies = Vec::new();
    for (clause, operand) in &kept {
        let original = operands[*operand];
        let made = Copies::new(module, body, par, clause, original, chunks);
        copies.extend(made.map(|made| (made, *operand)));
    }
    let types = &mut module.types;
    let b = &mut Builder::before(body, par);
    let (_, region) = b.for_(Pred::Lt, zero, chunks, one, &[]);
    let chunk = b.body.regions[region].args[0];
    b.set_name(chunk, "chunk");
    let (task, ends) = b.inside(region, |b| {
        let first = b.mul(chunk, size);
        b.set_name(first, "first");
        let behind = b.add(first, size);
        let short = b.lt(number, behind);
        let end = b.select(short, number, behind);
        b.set_name(end, "end");
        for (copies, operand) in &copies {
            operands[*operand] = copies.of_chunk(types, b, chunk);
        }
        let directive = Directive::Task;
        let task = b.inst(Op::Par(ParAttr { directive, clauses }), operands, &[]);
        b.yield_(&[]);
        (task, (first, end))
    });
    let held = data.regions[0];
    body.insts[task].regions = vec![held];
    body.regions[held].parent = Some(task);
    if !copies.is_empty() {
        // Behind the `taskwait`.
        let list = &body.regions[body.insts[par].parent].insts;
        let after = list[position(body, par) + 2];
        for (copies, _) in &copies {
            copies.end(module, body, after, chunks);
        }
    }
    unlink(body, par);
    loops::run_over(body, inst, &count, ends, one);
}

/// The clause of a variable that all tasks share.
fn shared(clause: &Clause) -> Clause {
    let mut clause = clause.clone();
    if let Clause::Data { kind, .. } = &mut clause {
        *kind = DataKind::Shared;
    }
    clause
}

/// Waits for tasks before barriers, before the function returns, at the ends of constructs, and before functions that wait for them. `open`: there may be tasks that nobody has waited for; the answer says so of the end.
fn close(module: &Module, body: &mut Body, region: Region, mut open: bool, at_end: bool) -> bool {
    for inst in body.regions[region].insts.clone() {
        let data = &body.insts[inst];
        let regions = data.regions.clone();
        let makes = regions.iter().any(|&r| holds_task(body, r));
        match (&data.op, directive(body, inst)) {
            (_, Some(Directive::Task)) => open = true,
            (_, Some(Directive::Taskwait)) => open = false,
            (_, Some(Directive::Barrier)) | (Op::Return, _) => {
                if open {
                    wait_before(body, inst);
                }
                open = false;
            }
            (_, Some(d)) => {
                let shares = loops::is_worksharing(d);
                if open && !regions.is_empty() && !matches!(d, Directive::Atomic(_)) {
                    wait_before(body, inst);
                    open = false;
                }
                // The construct of a loop holds nothing but the loop.
                let ends = match the_loop(body, inst).filter(|_| shares) {
                    Some(inner) => body.insts[inner].regions.clone(),
                    None => regions,
                };
                for r in ends {
                    close(module, body, r, false, true);
                }
            }
            (Op::Call(attr), _) => {
                if open && uses_tasks_of_caller(module, body, inst, attr.func) {
                    wait_before(body, inst);
                    open = false;
                }
            }
            (Op::CallIndirect(_), _) => {
                if open && module.funcs.keys().any(|f| makes_dependent(module, f)) {
                    wait_before(body, inst);
                    open = false;
                }
            }
            (Op::If, _) => {
                let ends: Vec<bool> = regions
                    .iter()
                    .map(|&r| close(module, body, r, open, false))
                    .collect();
                open = ends.contains(&true);
            }
            _ => {
                for r in regions {
                    close(module, body, r, open || makes, false);
                }
                open |= makes;
            }
        }
    }
    if at_end && open {
        if let Some(end) = body.terminator(region) {
            wait_before(body, end);
        }
        return false;
    }
    open
}

/// May a function that is called wait for tasks of its caller, and then use what they did? Its reverse would then have to be done before theirs.
fn uses_tasks_of_caller(module: &Module, body: &Body, call: Inst, func: Func) -> bool {
    let data = &body.insts[call];
    let pointers = data.args.iter().any(|&v| body.ty(v) == Type::Ptr);
    (super::reaches(module, func, waits) && (pointers || super::reaches(module, func, sees_globals)))
        // Its tasks may depend on those of the caller, which are then undone later.
        || super::reaches(module, func, makes_dependent)
}

fn makes_dependent(module: &Module, func: Func) -> bool {
    has(module, func, has_dependence)
}

fn waits(module: &Module, func: Func) -> bool {
    has(module, func, |body, inst| {
        directive(body, inst) == Some(&Directive::Taskwait)
    })
}

fn sees_globals(module: &Module, func: Func) -> bool {
    has(module, func, |body, inst| {
        matches!(body.insts[inst].op, Op::GlobalAddr(_))
    })
}

fn has(module: &Module, func: Func, wanted: fn(&Body, Inst) -> bool) -> bool {
    let mut found = false;
    if let Some(body) = &module.funcs[func].body {
        body.walk(|inst| found |= wanted(body, inst));
    }
    found
}

/// Is a task made in a region, or an exit taken after one was?
fn holds_task(body: &Body, region: Region) -> bool {
    body.regions[region].insts.iter().any(|&inst| {
        directive(body, inst) == Some(&Directive::Task)
            || (body.insts[inst].regions.iter()).any(|&r| holds_task(body, r))
    })
}

/// Makes a function of what a task does.
fn outline(module: &mut Module, body: &mut Body, task: Inst) {
    let data = body.insts[task].clone();
    let Op::Par(attr) = &data.op else { return };
    let region = data.regions[0];
    let arguments = body.regions[region].args.clone();
    let void = module.types.void();
    let address = module.types.pointer(void);
    // What the function is given: argument, type, name, and what it stands for inside.
    let mut given: Vec<(Value, CTy, Option<String>, Inside)> = Vec::new();
    let mut slots = Vec::new();
    let (mut dependences, mut addresses) = (Vec::new(), Vec::new());
    let (mut condition, mut at, mut argument) = (None, 0, arguments.iter());
    for clause in &attr.clauses {
        let operands = &data.args[at..at + clause.operands()];
        at += clause.operands();
        match clause {
            Clause::Data {
                kind, ctype, name, ..
            } => {
                let Some(&inner) = argument.next() else {
                    continue;
                };
                let t = module.types.unqualified(*ctype);
                let scalar = Type::of_ctype(&module.types, *ctype);
                // Nobody may change meanwhile what a task only reads.
                let copies = match kind {
                    DataKind::FirstPrivate => scalar,
                    // What it waits for may be what writes it.
                    DataKind::Shared if has_dependence(body, task) => None,
                    DataKind::Shared => scalar.filter(|&ty| is_only_read(body, task, inner, ty)),
                    _ => None,
                };
                match (kind, copies) {
                    (DataKind::Private, _) => slots.push((inner, t, name.clone())),
                    (_, Some(ty)) => {
                        let mut b = Builder::before(body, task);
                        let v = b.load(ty, operands[0]);
                        b.set_ctype(v, t);
                        given.push((v, t, Some(name.clone()), Inside::Copy(inner)));
                    }
                    (DataKind::FirstPrivate, None) => {
                        let copy = copied(module, body, task, operands[0], t);
                        let pointer = module.types.pointer(t);
                        given.push((copy, pointer, Some(name.clone()), Inside::Moved(inner, t)));
                    }
                    _ => {
                        let t = module.types.pointer(*ctype);
                        given.push((operands[0], t, Some(name.clone()), Inside::Value(inner)));
                    }
                }
            }
            Clause::DependIn | Clause::DependOut => {
                dependences.push(clause.clone());
                addresses.push(operands[0]);
            }
            Clause::If | Clause::Final => {
                let mut b = Builder::before(body, task);
                let mut waits = b.cast(Type::Bool, operands[0]);
                if *clause == Clause::Final {
                    waits = b.not(waits);
                }
                condition = Some(match condition {
                    Some(other) => b.and(other, waits),
                    None => waits,
                });
            }
            _ => {}
        }
    }
    let (constants, others): (Vec<Value>, Vec<Value>) = captured(body, task)
        .into_iter()
        .partition(|&v| (body.def_inst(v)).is_some_and(|i| is_constant(&body.insts[i].op)));
    for v in others {
        let t = match parameter(&module.types, body, v).flatten() {
            Some(t) => module.types.unqualified(t),
            None => match body.ty(v).default_basic() {
                Some(basic) => module.types.basic(basic),
                None => address,
            },
        };
        given.push((v, t, body.values[v].name.clone(), Inside::Value(v)));
    }
    let mut taken = BTreeSet::new();
    for (_, _, name, _) in &mut given {
        let base = name.take().unwrap_or_else(|| "v".to_string());
        let mut names = (1..).map(|k| match k {
            1 => base.clone(),
            k => format!("{base}_{k}"),
        });
        *name = names.find(|n| taken.insert(n.clone()));
    }
    let func = declare(module, &given, data.span);

    // The function's body is the task's region.
    let mut inner = body.clone();
    inner.entry = region;
    inner.regions[region].parent = None;
    inner.regions[region].args.clear();
    if let Some(end) = inner.terminator(region)
        && inner.insts[end].op == Op::Yield
    {
        inner.insts[end].op = Op::Return;
    }
    let first = inner.regions[region].insts[0];
    let mut replacements = Replacements::default();
    for &(v, t, ref name, inside) in &given {
        let parameter = inner.add_arg(region, body.ty(v));
        inner.values[parameter].name.clone_from(name);
        inner.values[parameter].ctype = Some(t);
        match inside {
            Inside::Value(old) => replacements.set(old, parameter),
            Inside::Copy(old) => {
                let mut b = Builder::before(&mut inner, first);
                let slot = b.slot(t, name.as_deref());
                b.store(slot, parameter);
                replacements.set(old, slot);
            }
            Inside::Moved(old, t) => {
                let slot = taken_over(module, &mut inner, first, parameter, t, name.as_deref());
                replacements.set(old, slot);
            }
        }
    }
    for (old, t, name) in slots {
        let slot = Builder::before(&mut inner, first).slot(t, Some(&name));
        replacements.set(old, slot);
    }
    for v in constants {
        let op = body.def_inst(v).map(|i| body.insts[i].op.clone());
        let new = Builder::before(&mut inner, first).value(
            op.expect("a constant is an instruction"),
            Vec::new(),
            body.ty(v),
        );
        inner.values[new].ctype = body.values[v].ctype;
        replacements.set(v, new);
    }
    replacements.apply(&mut inner);
    module.funcs[func].body = Some(inner);

    // The task is a call of it.
    let args: Vec<Value> = given.iter().map(|g| g.0).collect();
    let call = || {
        let extra = Vec::new();
        Op::Call(CallAttr { func, extra })
    };
    let mut b = Builder::before(body, task);
    let place = condition.map(|c| {
        let (_, yes, no) = b.if_(c, &[]);
        b.inside(no, |b| {
            b.inst(call(), args.clone(), &[]);
            b.yield_(&[]);
        });
        yes
    });
    let make = |b: &mut Builder<'_>| {
        let (_, new) = b.par(Directive::Task, dependences, addresses);
        b.inside(new, |b| {
            b.inst(call(), args.clone(), &[]);
            b.yield_(&[]);
        });
    };
    match place {
        None => make(&mut b),
        Some(yes) => b.inside(yes, |b| {
            make(b);
            b.yield_(&[]);
        }),
    }
    unlink(body, task);
}

/// Is all that a task does with the address of a variable to read it, without taking turns with others?
fn is_only_read(body: &Body, task: Inst, address: Value, ty: Type) -> bool {
    let mut reads = true;
    let mut work = body.insts[task].regions.clone();
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            let mut mentions = data.args.contains(&address);
            if let Some(Directive::Critical { .. } | Directive::Atomic(_)) = directive(body, inst) {
                inside(body, inst, &mut |i| {
                    mentions |= body.insts[i].args.contains(&address);
                });
                reads &= !mentions;
                continue;
            }
            let plain = matches!(&data.op, Op::Load(attr) if !attr.volatile);
            reads &= !mentions || (plain && body.ty(data.results[0]) == ty);
            work.extend(&data.regions);
        }
    }
    reads
}

/// What a parameter of a task's function stands for.
#[derive(Clone, Copy)]
enum Inside {
    /// A value.
    Value(Value),
    /// The address of a copy.
    Copy(Value),
    /// The address of a copy of an array or a struct, which comes in memory of its own.
    Moved(Value, CTy),
}

/// Memory with a copy of an array or a struct, made in front of a task; without any the program ends.
fn copied(module: &mut Module, body: &mut Body, task: Inst, from: Value, t: CTy) -> Value {
    let types = &mut module.types;
    let size = types.size_of(t).unwrap_or(0);
    let (ulong, void) = (types.basic(Basic::ULong), types.void());
    let (address, pointer) = (types.pointer(void), types.pointer(t));
    let malloc = runtime::external(module, "malloc", address, &[ulong]);
    let stop = runtime::no_memory(module);
    let b = &mut Builder::before(body, task);
    let bytes = b.int(Type::U64, size.into());
    let raw = runtime::call(b, malloc, vec![bytes], Type::Ptr);
    b.set_ctype(raw, address);
    let memory = b.value(Op::Cast, vec![raw], Type::Ptr);
    b.set_ctype(memory, pointer);
    let null = b.null();
    let nothing = b.eq(raw, null);
    let (_, then, otherwise) = b.if_(nothing, &[]);
    b.inside(then, |b| {
        let (func, extra) = (stop, Vec::new());
        b.inst(Op::Call(CallAttr { func, extra }), vec![], &[]);
        b.yield_(&[]);
    });
    b.inside(otherwise, |b| b.yield_(&[]));
    copy_all(b, memory, from, size, t);
    memory
}

/// A task's own variable, with what came in memory that is then freed.
fn taken_over(
    module: &mut Module,
    body: &mut Body,
    first: Inst,
    memory: Value,
    t: CTy,
    name: Option<&str>,
) -> Value {
    let size = module.types.size_of(t).unwrap_or(0);
    let void = module.types.void();
    let address = module.types.pointer(void);
    let free = runtime::external(module, "free", void, &[address]);
    let b = &mut Builder::before(body, first);
    let slot = b.slot(t, name);
    copy_all(b, slot, memory, size, t);
    let raw = b.value(Op::Cast, vec![memory], Type::Ptr);
    b.set_ctype(raw, address);
    let (func, extra) = (free, Vec::new());
    b.inst(Op::Call(CallAttr { func, extra }), vec![raw], &[]);
    slot
}

fn copy_all(b: &mut Builder<'_>, to: Value, from: Value, bytes: u64, t: CTy) {
    let ctype = Some(t);
    b.inst(Op::Copy(CopyAttr { bytes, ctype }), vec![to, from], &[]);
}

fn declare(
    module: &mut Module,
    given: &[(Value, CTy, Option<String>, Inside)],
    span: adjoin_ir::Span,
) -> Func {
    let ret = module.types.void();
    let ctype = module.types.intern(CTypeKind::Function {
        ret,
        params: given.iter().map(|g| g.1).collect(),
        variadic: false,
        prototyped: true,
    });
    let base = format!("{NAME}_{}", span.line);
    let name = (1..)
        .map(|k| match k {
            1 => base.clone(),
            k => format!("{base}_{k}"),
        })
        .find(|n| module.find_func(n).is_none())
        .unwrap_or(base.clone());
    module.funcs.push(Function {
        name,
        ctype,
        param_names: given.iter().map(|g| g.2.clone()).collect(),
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span,
        body: None,
    })
}
