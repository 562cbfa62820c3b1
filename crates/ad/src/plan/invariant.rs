//! Moves costly work that is the same in every iteration out of loops, and out of parallel regions: before differentiation, so that its derivative leaves them too.
//!
//! Costly are loops inside the loop and calls of the math library; what they need goes with them. Work moves if its operands come from outside, and if nothing that the loop
//! (or any thread of the region) writes is read. A loop may not run at all: then what it would have read may not be there, so the work moves under the test that it runs. Work in a
//! branch moves under the question whether it is taken (`chosen`).

mod chosen;

use crate::effects::Summaries;
use crate::points_to::{Access, Disjoint, PointsTo};
use crate::rules;
use adjoin_ir::{Body, Builder, CTy, Directive, Inst, Module, Op, Pred, Region, Type, Value};
use adjoin_passes::edit::{Replacements, is_inside, move_before};
use adjoin_passes::openmp::{self, Partition};
use chosen::Chosen;
use std::collections::BTreeSet;

/// How often work is moved out of one more level of loops.
const MOST_ROUNDS: usize = 8;

/// Runs over the prepared body of a function of the given type. Returns how often something moved.
pub fn run(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    let apply = || apply(module, registry, ctype, body, disjoint);
    adjoin_passes::registry::optional("invariant", apply)
}

fn apply(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    if !has_costly_work(module, body) {
        return 0;
    }
    let mut count = 0;
    let summaries = Summaries::below(module, body);
    for _ in 0..MOST_ROUNDS {
        let found = {
            let points = PointsTo::of_type(module, registry, ctype, body).assuming(disjoint);
            let finder = Finder {
                module,
                body,
                points: &points,
                summaries: &summaries,
            };
            finder.all()
        };
        if found.is_empty() {
            break;
        }
        count += found.len();
        for work in found {
            work.apply(body);
        }
    }
    count
}

/// Is there a loop or a call of the library inside a loop or a region? (Few small functions have any.)
fn has_costly_work(module: &Module, body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| {
        if !found && is_costly(module, body, inst) {
            let mut region = body.insts[inst].parent;
            while let Some(holder) = body.regions[region].parent {
                found |= matches!(body.insts[holder].op, Op::For(_) | Op::Par(_));
                region = body.insts[holder].parent;
            }
        }
    });
    found
}

fn is_costly(module: &Module, body: &Body, inst: Inst) -> bool {
    match &body.insts[inst].op {
        Op::For(_) | Op::Loop => true,
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            function.name != openmp::PART
                && (function.body.is_some() || rules::lookup(&function.name).is_some())
        }
        _ => false,
    }
}

/// Instructions that move in front of another, in order.
struct Work {
    insts: Vec<Inst>,
    before: Inst,
    /// They run only if this loop does, or if a number of iterations is positive.
    guard: Option<Guard>,
}

enum Guard {
    Runs(Inst),
    /// Some iteration takes a branch.
    Chosen(Chosen),
    /// A number (`long`), by which of the moved instructions it may be computed.
    Positive(Value),
}

struct Finder<'a> {
    module: &'a Module,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    summaries: &'a Summaries,
}

impl Finder<'_> {
    /// Work that leaves a region, or its innermost loop. In one round nothing moves out of what something moves out of or into.
    fn all(&self) -> Vec<Work> {
        let (mut teams, mut loops) = (Vec::new(), Vec::new());
        self.body.walk(|inst| match &self.body.insts[inst].op {
            Op::For(_) => loops.push(inst),
            Op::Par(attr) if attr.directive == Directive::Parallel => teams.push(inst),
            _ => {}
        });
        // Regions first: work that leaves a loop for the region would depend on the thread that asks whether its loop runs.
        let mut found: Vec<Work> = Vec::new();
        let mut taken: Vec<Inst> = Vec::new();
        for holder in teams.into_iter().chain(loops.into_iter().rev()) {
            let busy = taken
                .iter()
                .any(|&t| is_inside(self.body, t, holder) || is_inside(self.body, holder, t));
            if !busy && let Some(work) = self.of(holder) {
                taken.push(holder);
                found.push(work);
            }
        }
        found
    }

    fn of(&self, holder: Inst) -> Option<Work> {
        let region = *self.body.insts[holder].regions.first()?;
        let is_loop = matches!(self.body.insts[holder].op, Op::For(_));
        let writes = self.writes(holder);
        let mut moving = Moving {
            movable: Vec::new(),
            results: BTreeSet::new(),
        };
        self.collect(holder, region, &writes, &mut moving);
        if !is_loop {
            // The loops over the threads' shares run if there is an iteration at all.
            let own: Vec<Inst> = self.body.regions[region].insts.clone();
            for &inner in &own {
                let Some(number) = self.number(inner, holder, &moving) else {
                    continue;
                };
                let mut inside = Moving {
                    movable: moving.movable.clone(),
                    results: moving.results.clone(),
                };
                let list = self.body.insts[inner].regions[0];
                let first = inside.movable.len();
                self.collect(holder, list, &writes, &mut inside);
                let insts = self.needed(&inside, first);
                if !insts.is_empty() {
                    let safe = insts.iter().all(|&i| self.is_harmless(i));
                    return Some(Work {
                        insts,
                        before: holder,
                        guard: (!safe).then_some(Guard::Positive(number)),
                    });
                }
            }
        }
        let insts = self.needed(&moving, 0);
        if insts.is_empty() {
            return is_loop
                .then(|| self.in_branches(holder, region, &moving))
                .flatten();
        }
        let safe =
            !is_loop || insts.iter().all(|&i| self.is_harmless(i)) || self.surely_runs(holder);
        Some(Work {
            insts,
            before: holder,
            guard: (!safe).then_some(Guard::Runs(holder)),
        })
    }

    /// The number of iterations that a loop shares among the threads of a team, if it can be had in front of the region.
    fn number(&self, inst: Inst, team: Inst, moving: &Moving) -> Option<Value> {
        let part = openmp::is_partition(self.module, self.body, inst)?;
        if part != Partition::Contiguous {
            return None;
        }
        let mut v = self.body.insts[inst].args[0];
        let number = loop {
            let data = &self.body.insts[self.body.def_inst(v)?];
            match &data.op {
                Op::Cast => v = data.args[0],
                Op::Add => {
                    let call = |v: Value| {
                        let mut v = v;
                        while let Some(i) = self.body.def_inst(v) {
                            match self.body.insts[i].op {
                                Op::Cast => v = self.body.insts[i].args[0],
                                Op::Call(_) => return true,
                                _ => return false,
                            }
                        }
                        false
                    };
                    v = *data.args.iter().find(|&&a| call(a))?;
                }
                Op::Call(_) => break *data.args.first()?,
                _ => return None,
            }
        };
        (self.is_outside(number, team) || moving.results.contains(&number)).then_some(number)
    }

    fn is_outside(&self, v: Value, holder: Inst) -> bool {
        let regions = &self.body.insts[holder].regions;
        let home = self.body.def_region(v);
        !regions.iter().any(|&r| self.body.encloses(r, home))
    }

    /// What may be written while a loop runs. Where threads meet in it, or if it is a region, that is what any of them writes.
    fn writes(&self, holder: Inst) -> Vec<Access> {
        let mut scope = holder;
        let mut meets = false;
        visit(self.body, holder, &mut |inst| {
            meets |= matches!(self.body.insts[inst].op, Op::Par(_));
        });
        if meets {
            let mut region = self.body.insts[holder].parent;
            while let Some(around) = self.body.regions[region].parent {
                if matches!(self.body.insts[around].op, Op::Par(_)) {
                    scope = around;
                }
                region = self.body.insts[around].parent;
            }
        }
        let mut writes = Vec::new();
        visit(self.body, scope, &mut |inst| {
            writes.extend(self.points.writes(inst))
        });
        writes
    }

    /// The instructions of a region that give the same in every iteration of `holder`, up to the first that may leave it.
    fn collect(&self, holder: Inst, region: Region, writes: &[Access], moving: &mut Moving) {
        for &inst in &self.body.regions[region].insts {
            let data = &self.body.insts[inst];
            if self.moves(inst, holder, writes, moving) {
                moving.movable.push(inst);
                moving.results.extend(data.results.iter().copied());
            } else if self.may_leave(inst) {
                return;
            }
        }
    }

    fn moves(&self, inst: Inst, holder: Inst, writes: &[Access], moving: &Moving) -> bool {
        let mut all = vec![inst];
        visit(self.body, inst, &mut |inner| all.push(inner));
        all.iter().all(|&i| {
            let data = &self.body.insts[i];
            let operands = data.args.iter().all(|&v| {
                self.is_outside(v, holder)
                    || moving.results.contains(&v)
                    || !self.is_outside(v, inst)
                    || self.body.def_inst(v) == Some(inst)
            });
            operands && self.may_move(i, inst, writes)
        })
    }

    fn may_move(&self, inst: Inst, whole: Inst, writes: &[Access]) -> bool {
        let data = &self.body.insts[inst];
        let unwritten = || {
            let reads = self.points.reads(inst);
            !reads
                .iter()
                .any(|r| writes.iter().any(|w| self.points.may_alias(r, w)))
        };
        match &data.op {
            Op::If | Op::For(_) | Op::Loop | Op::Block | Op::Switch(_) => true,
            Op::Yield => inst != whole,
            Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => {
                *t == whole || is_inside(self.body, *t, whole)
            }
            // Divisions by zero are where the program has them.
            Op::Div | Op::Rem if self.body.ty(data.args[0]).is_int() => {
                self.body.const_int(data.args[1]).is_some_and(|n| n > 0)
            }
            Op::Load(attr) => !attr.volatile && unwritten(),
            Op::Call(_) => {
                super::work::is_pure_call(self.module, self.summaries, self.points, self.body, inst)
                    && unwritten()
            }
            op => op.is_pure(),
        }
    }

    /// May control go elsewhere than to the next instruction?
    fn may_leave(&self, inst: Inst) -> bool {
        let mut leaves = false;
        let mut look = |i: Inst| {
            let data = &self.body.insts[i];
            leaves |= match &data.op {
                Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => {
                    *t != inst && !is_inside(self.body, *t, inst)
                }
                Op::Return | Op::Unreachable => true,
                Op::Call(attr) => {
                    let function = &self.module.funcs[attr.func];
                    let pure = self.summaries.get(attr.func).is_some_and(|e| e.is_pure());
                    (function.body.is_some() && !pure)
                        || function.noreturn
                        || function.body.is_none()
                            && rules::lookup(&function.name).is_none()
                            && crate::known::lookup(&function.name).is_none()
                        || matches!(&function.name[..], "exit" | "abort" | "_Exit" | "longjmp")
                }
                Op::CallIndirect(_) | Op::Mpi(_) => true,
                _ => false,
            };
        };
        look(inst);
        visit(self.body, inst, &mut look);
        leaves
    }

    /// The costly instructions from a position on, with what they need, in order.
    fn needed(&self, moving: &Moving, first: usize) -> Vec<Inst> {
        let mut wanted: BTreeSet<Inst> = BTreeSet::new();
        for (k, &inst) in moving.movable.iter().enumerate().rev() {
            let mut costly = is_costly(self.module, self.body, inst);
            visit(self.body, inst, &mut |i| {
                costly |= is_costly(self.module, self.body, i);
            });
            if (costly && k >= first) || wanted.contains(&inst) {
                wanted.insert(inst);
                let mut need = |i: Inst| {
                    for &v in &self.body.insts[i].args {
                        wanted.extend(self.body.def_inst(v));
                    }
                };
                need(inst);
                visit(self.body, inst, &mut need);
            }
        }
        moving
            .movable
            .iter()
            .copied()
            .filter(|i| wanted.contains(i))
            .collect()
    }

    /// Can it run although the program would not have run it?
    fn is_harmless(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        data.op.is_pure()
            || matches!(&data.op, Op::Call(attr) if self.module.funcs[attr.func].body.is_none())
    }

    /// Does a loop run at least once?
    fn surely_runs(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let (Op::For(attr), Some(low), Some(high)) = (
            &data.op,
            self.body.const_int(data.args[0]),
            self.body.const_int(data.args[1]),
        ) else {
            return false;
        };
        match attr.pred {
            Pred::Lt => low < high,
            Pred::Le => low <= high,
            Pred::Gt => low > high,
            Pred::Ge => low >= high,
            Pred::Ne => low != high,
        }
    }
}

/// What can move, in order, and its results.
struct Moving {
    movable: Vec<Inst>,
    results: BTreeSet<Value>,
}

fn visit(body: &Body, inst: Inst, act: &mut dyn FnMut(Inst)) {
    for &region in &body.insts[inst].regions {
        for &inner in &body.regions[region].insts {
            act(inner);
            visit(body, inner, act);
        }
    }
}

impl Work {
    fn apply(self, body: &mut Body) {
        let Some(guard) = self.guard else {
            for inst in self.insts {
                move_before(body, inst, self.before);
            }
            return;
        };
        // What the region does in any case, and the number of the guard, is in front of the test.
        let region = body.insts[self.before].regions[0];
        let mut ahead: BTreeSet<Inst> = BTreeSet::new();
        if let Guard::Positive(number) = &guard {
            let number = *number;
            ahead.extend((self.insts.iter().copied()).filter(|&i| body.insts[i].parent == region));
            let mut work = vec![number];
            while let Some(v) = work.pop() {
                if let Some(i) = body.def_inst(v)
                    && body.insts[i].parent == region
                {
                    ahead.insert(i);
                    work.extend(body.insts[i].args.iter().copied());
                }
            }
        }
        let list = body.regions[region].insts.clone();
        for inst in list.into_iter().filter(|i| ahead.contains(i)) {
            move_before(body, inst, self.before);
        }
        let moved: Vec<Inst> = (self.insts.into_iter())
            .filter(|i| !ahead.contains(i))
            .collect();
        let kept = used_elsewhere(body, &moved);
        let condition = match guard {
            Guard::Runs(inst) => runs(body, inst),
            Guard::Chosen(chosen) => chosen.build(body),
            Guard::Positive(number) => {
                let mut b = Builder::before(body, self.before);
                let zero = b.int(Type::I64, 0);
                b.gt(number, zero)
            }
        };
        let types: Vec<Type> = kept.iter().map(|&v| body.ty(v)).collect();
        let mut b = Builder::before(body, self.before);
        let (branch, then, otherwise) = b.if_(condition, &types);
        b.inside(otherwise, |b| {
            let zeros: Vec<Value> = types.iter().map(|&ty| b.zero_of(ty)).collect();
            b.yield_(&zeros);
        });
        let end = b.inside(then, |b| b.yield_(&[]));
        for inst in moved {
            move_before(body, inst, end);
        }
        body.insts[end].args.clone_from(&kept);
        let mut replacements = Replacements::default();
        for (k, &v) in kept.iter().enumerate() {
            let new = body.insts[branch].results[k];
            let (name, ctype) = (body.values[v].name.clone(), body.values[v].ctype);
            body.values[new].name = name;
            body.values[new].ctype = ctype;
            replacements.set(v, new);
        }
        // Inside the branch the values stay what they are.
        let mut inside: Vec<Inst> = Vec::new();
        visit(body, branch, &mut |i| inside.push(i));
        let old: Vec<Vec<Value>> = inside.iter().map(|&i| body.insts[i].args.clone()).collect();
        replacements.apply(body);
        for (i, args) in inside.into_iter().zip(old) {
            body.insts[i].args = args;
        }
    }
}

/// The results of instructions that others use.
fn used_elsewhere(body: &Body, moved: &[Inst]) -> Vec<Value> {
    let mut own: BTreeSet<Inst> = moved.iter().copied().collect();
    for &inst in moved {
        visit(body, inst, &mut |i| {
            own.insert(i);
        });
    }
    let mut used: BTreeSet<Value> = BTreeSet::new();
    body.walk(|inst| {
        if !own.contains(&inst) {
            used.extend(body.insts[inst].args.iter().copied());
        }
    });
    moved
        .iter()
        .flat_map(|&i| body.insts[i].results.clone())
        .filter(|v| used.contains(v))
        .collect()
}

/// The test of a loop before its first iteration, in front of it.
fn runs(body: &mut Body, inst: Inst) -> Value {
    let data = &body.insts[inst];
    let (low, high) = (data.args[0], data.args[1]);
    let pred = match &data.op {
        Op::For(attr) => attr.pred,
        _ => Pred::Ne,
    };
    let mut b = Builder::before(body, inst);
    match pred {
        Pred::Lt => b.lt(low, high),
        Pred::Le => b.le(low, high),
        Pred::Gt => b.gt(low, high),
        Pred::Ge => b.ge(low, high),
        Pred::Ne => b.ne(low, high),
    }
}
