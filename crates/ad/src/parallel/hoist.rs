//! Moves loads out of parallel regions: of memory that nothing in the region writes, at addresses that are known in front of it (`grid->u`, `model->scale`).
//!
//! Then all threads share one value: a pointer whose memory can be compared with others in front of the region, a number whose adjoint is a sum over threads instead of an increment by
//! each. A load that may not run, because a loop around it may be empty, moves with a test for that; one in a branch stays, unless its struct is read before the region anyway.

use super::team::{PART, THREAD, Team};
use crate::activity::root;
use crate::points_to::PointsTo;
use adjoin_ir::{Body, Builder, CTy, Directive, Global, Inst, Module, Op, Pred, Step, Type, Value};
use adjoin_passes::edit::Replacements;
use std::collections::HashMap;

/// How often loads of what was loaded are looked for.
const MOST_ROUNDS: usize = 4;

/// Runs over the prepared body of a function of the given type.
pub fn run(module: &Module, registry: &crate::Registry, ctype: CTy, body: &mut Body) {
    let apply = || apply(module, registry, ctype, body);
    adjoin_passes::registry::optional("hoist", apply)
}

fn apply(module: &Module, registry: &crate::Registry, ctype: CTy, body: &mut Body) {
    super::shares::run(module, body);
    move_addresses(module, body);
    for round in 0..=MOST_ROUNDS {
        let mut teams = Vec::new();
        body.walk(|inst| {
            if matches!(&body.insts[inst].op, Op::Par(a) if a.directive == Directive::Parallel) {
                teams.push(inst);
            }
        });
        let mut moves = Vec::new();
        if !teams.is_empty() && round < MOST_ROUNDS {
            let points = PointsTo::of_type(module, registry, ctype, body);
            for parallel in teams {
                if let Some(team) = Team::of(module, body, &points, parallel) {
                    let loads = team.insts.iter().filter_map(|&i| find(&team, parallel, i));
                    moves.extend(loads);
                }
            }
        }
        if moves.is_empty() {
            if round > 0 {
                // Loops whose bounds were in memory may be counted ones now.
                adjoin_passes::counted::run(&module.types, body);
                adjoin_passes::simplify::run(&module.types, body);
                adjoin_passes::prune::run(&module.types, body);
            }
            return;
        }
        let mut replaced = Replacements::default();
        for load in moves {
            let new = load.apply(body);
            replaced.set(body.result(load.load), new);
        }
        replaced.apply(body);
        adjoin_passes::prune::run(&module.types, body);
    }
}

/// Moves the addresses of variables at file scope, which are the same for all threads, in front of regions: one value for all mentions.
fn move_addresses(module: &Module, body: &mut Body) {
    let mut moves = Vec::new();
    let mut team = None;
    body.walk(|inst| match &body.insts[inst].op {
        Op::Par(a) if a.directive == Directive::Parallel => {
            let inner = team.is_some_and(|t| adjoin_passes::edit::is_inside(body, inst, t));
            team = if inner { team } else { Some(inst) };
        }
        Op::GlobalAddr(g) if !module.globals[*g].thread_local => {
            let around = team.filter(|&t| adjoin_passes::edit::is_inside(body, inst, t));
            moves.extend(around.map(|t| (inst, (t, *g))));
        }
        _ => {}
    });
    let mut first: HashMap<(Inst, Global), Value> = HashMap::new();
    let mut replaced = Replacements::default();
    for (inst, (team, global)) in moves {
        match first.get(&(team, global)) {
            Some(&v) => replaced.set(body.result(inst), v),
            None => {
                adjoin_passes::edit::move_before(body, inst, team);
                first.insert((team, global), body.result(inst));
            }
        }
    }
    replaced.apply(body);
}

/// A load that moves.
struct Move {
    load: Inst,
    parallel: Inst,
    tests: Vec<Test>,
}

/// A loop around it runs if this holds.
enum Test {
    /// There are iterations to share out.
    Positive(Value),
    Holds(Pred, Value, Value),
}

fn find(team: &Team<'_>, parallel: Inst, load: Inst) -> Option<Move> {
    let data = &team.body.insts[load];
    let Op::Load(attr) = &data.op else {
        return None;
    };
    let v = data.results[0];
    let fits = !attr.volatile
        && !team.is_written(load)
        && team.is_uniform(v)
        && is_known_before(team, data.args[0], 8);
    if !fits {
        return None;
    }
    let tests = match is_read_before(team, parallel, data.args[0]) {
        true => Vec::new(),
        false => tests(team, load)?,
    };
    Some(Move {
        load,
        parallel,
        tests,
    })
}

/// Can a value be computed in front of the region?
fn is_known_before(team: &Team<'_>, v: Value, depth: u32) -> bool {
    if !team.is_inside(v) {
        return true;
    }
    let Some(inst) = team.body.def_inst(v) else {
        return false;
    };
    let data = &team.body.insts[inst];
    depth > 0
        && data.op.is_pure()
        && !team.body.may_trap(inst)
        && data
            .args
            .iter()
            .all(|&a| is_known_before(team, a, depth - 1))
}

/// Under which conditions a load runs at all, if they are known in front of the region.
fn tests(team: &Team<'_>, load: Inst) -> Option<Vec<Test>> {
    let body = team.body;
    let known = |v: Value| is_known_before(team, v, 4);
    let mut all = Vec::new();
    for (holder, _) in team.around(load) {
        let data = &body.insts[holder];
        let Op::For(attr) = &data.op else {
            return None;
        };
        if team.is_left(holder) || team.can_skip(holder) {
            return None;
        }
        let [first, last] = [data.args[0], data.args[1]];
        let number = called(team, first, THREAD);
        if let Some(share) = team.share_of(holder)
            && called(team, last, PART).is_some()
        {
            let count = body.insts[share].args[0];
            all.push(known(count).then_some(Test::Positive(count))?);
        } else if number.is_some() && attr.pred == Pred::Lt && known(last) {
            // The first thread has the first iteration, from 0.
            all.push(Test::Positive(last));
        } else {
            let fits = known(first) && known(last);
            all.push(fits.then_some(Test::Holds(attr.pred, first, last))?);
        }
    }
    Some(all)
}

/// The call that a value is the result of, through conversions (of the partition: and sums).
fn called(team: &Team<'_>, v: Value, name: &str) -> Option<Inst> {
    let inst = team.body.def_inst(v)?;
    let data = &team.body.insts[inst];
    match data.op {
        Op::Cast => called(team, data.args[0], name),
        Op::Add if name == PART => data.args.iter().find_map(|&a| called(team, a, name)),
        _ => (team.callee(inst) == Some(name)).then_some(inst),
    }
}

/// Is the object certain to be there: a variable, or a struct of which a member is accessed in front of the region?
fn is_read_before(team: &Team<'_>, parallel: Inst, address: Value) -> bool {
    let body = team.body;
    let base = root(body, address);
    let Some(member) = member(body, address) else {
        return false;
    };
    let is_variable = body
        .def_inst(base)
        .is_some_and(|i| matches!(body.insts[i].op, Op::Slot(_) | Op::GlobalAddr(_)));
    if is_variable {
        return true;
    }
    let mut at = parallel;
    loop {
        let region = body.insts[at].parent;
        let list = body.regions[region].insts.iter().take_while(|&&i| i != at);
        for &inst in list {
            let data = &body.insts[inst];
            let same = matches!(data.op, Op::Load(_) | Op::Store(_))
                && root(body, data.args[0]) == base
                && self::member(body, data.args[0]).is_some_and(|m| m.is_some() && m == member);
            if same {
                return true;
            }
        }
        match body.regions[region].parent {
            Some(holder) => at = holder,
            None => return false,
        }
    }
}

/// The struct that an address is in, at constant offsets from its root; `Some(None)` if it is the root itself.
fn member(body: &Body, mut address: Value) -> Option<Option<adjoin_ir::ctype::Record>> {
    let mut record = None;
    while let Some(inst) = body.def_inst(address) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                if !matches!(attr.steps.first(), Some(Step::Field { .. }))
                    || attr.steps.iter().any(|s| !matches!(s, Step::Field { .. }))
                {
                    return None;
                }
                if let Some(Step::Field { record: r, .. }) = attr.steps.first() {
                    record = Some(*r);
                }
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => {}
            _ => break,
        }
        address = data.args[0];
    }
    Some(record)
}

impl Move {
    fn apply(&self, body: &mut Body) -> Value {
        let data = body.insts[self.load].clone();
        let (v, address) = (data.results[0], data.args[0]);
        let described = body.values[v].clone();
        let mut copies = HashMap::new();
        let mut condition: Option<Value> = None;
        for test in &self.tests {
            let holds = match *test {
                Test::Positive(count) => {
                    let count = copied(body, self.parallel, count, &mut copies);
                    let ty = body.ty(count);
                    let mut b = Builder::before(body, self.parallel);
                    let zero = b.int(ty, 0);
                    b.gt(count, zero)
                }
                Test::Holds(pred, first, last) => {
                    let first = copied(body, self.parallel, first, &mut copies);
                    let last = copied(body, self.parallel, last, &mut copies);
                    let mut b = Builder::before(body, self.parallel);
                    match pred {
                        Pred::Lt => b.lt(first, last),
                        Pred::Le => b.le(first, last),
                        Pred::Gt => b.gt(first, last),
                        Pred::Ge => b.ge(first, last),
                        Pred::Ne => b.ne(first, last),
                    }
                }
            };
            let mut b = Builder::before(body, self.parallel);
            condition = Some(match condition {
                None => holds,
                Some(c) => b.and(c, holds),
            });
        }
        let address = copied(body, self.parallel, address, &mut copies);
        let mut b = Builder::before(body, self.parallel);
        b.span = data.span;
        let new = match condition {
            None => b.load(described.ty, address),
            Some(condition) => {
                let (branch, yes, no) = b.if_(condition, &[described.ty]);
                b.inside(yes, |b| {
                    let loaded = b.load(described.ty, address);
                    if let Some(t) = described.ctype {
                        b.set_ctype(loaded, t);
                    }
                    b.yield_(&[loaded]);
                });
                b.inside(no, |b| {
                    let none = b.zero_of(described.ty);
                    if let Some(t) = described.ctype {
                        b.set_ctype(none, t);
                    }
                    b.yield_(&[none]);
                });
                body.result(branch)
            }
        };
        body.values[new].ctype = described.ctype;
        body.values[new].name = described.name;
        new
    }
}

/// A value, computed in front of the region.
fn copied(body: &mut Body, parallel: Inst, v: Value, copies: &mut HashMap<Value, Value>) -> Value {
    let region = body.insts[parallel].regions[0];
    if !body.encloses(region, body.def_region(v)) {
        return v;
    }
    if let Some(&x) = copies.get(&v) {
        return x;
    }
    let Some(inst) = body.def_inst(v) else {
        return v;
    };
    let data = body.insts[inst].clone();
    let args = data
        .args
        .iter()
        .map(|&a| copied(body, parallel, a, copies))
        .collect();
    let described = body.values[v].clone();
    let mut b = Builder::before(body, parallel);
    b.span = data.span;
    let x = b.value(data.op, args, described.ty);
    body.values[x].ctype = described.ctype;
    body.values[x].name = described.name;
    copies.insert(v, x);
    x
}
