//! What only adds zero is skipped.
//!
//! Where a branch was not taken, adjoints are zero: `if (r < cutoff) e += f(r);` makes `r_bar` zero for all pairs that are far apart, and what follows in the reverse sweep multiplies that zero,
//! divides it and adds it to memory. Here all of this goes under the branch's own condition. Only in loops that do not run in lanes: there a test would cost more than it saves.
//! An adjoint that is zero this way adds nothing even where it would be multiplied by an infinity.

use super::conflicts::Touch;
use crate::Registry;
use crate::plan::promote::spelled;
use crate::points_to::{Access, Disjoint, PointsTo};
use adjoin_ir::{Body, Builder, CTy, Const, Inst, Module, Op, Region, Type, Value};
use adjoin_passes::edit;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Rounds until nothing is found any more.
const ROUNDS: usize = 4;
/// What is skipped must cost more than this, so that the test pays.
const LEAST: usize = 12;

/// A branch that was made, in an iteration of a loop.
#[derive(Clone, Debug)]
pub(super) struct Skipped {
    /// The loop.
    pub holder: Inst,
    /// The branch.
    pub branch: Inst,
    /// Its side that does what is skipped on the other.
    pub side: usize,
    /// All that is done there is nothing if these numbers are zero.
    pub zeros: Vec<Value>,
}

/// Runs over the loops of a reverse sweep.
pub(super) fn run(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    mirrored: &BTreeSet<Inst>,
    disjoint: &Disjoint,
) -> Vec<Skipped> {
    let mut made = Vec::new();
    let regions: Vec<Region> = mirrored
        .iter()
        .filter(|&&l| super::is_live(body, l) && !runs_in_lanes(body, l))
        .flat_map(|&l| straight(body, body.insts[l].regions[0]))
        .collect();
    for _ in 0..ROUNDS {
        let some = |&r: &Region| !zeros(body, r).is_empty();
        let open: Vec<Region> = regions.iter().copied().filter(some).collect();
        if open.is_empty() {
            break;
        }
        let found: Vec<Skip> = {
            let points = PointsTo::of_type(module, registry, ctype, body).assuming(disjoint);
            let finder = Finder {
                body,
                points: &points,
                users: users(body),
            };
            open.iter().filter_map(|&r| finder.find(r)).collect()
        };
        if found.is_empty() {
            break;
        }
        for skip in found {
            made.extend(skip.apply(body));
        }
    }
    made
}

fn runs_in_lanes(body: &Body, inst: Inst) -> bool {
    matches!(&body.insts[inst].op, Op::For(attr) if attr.independent)
}

/// A region and the branches in it, not the loops.
fn straight(body: &Body, region: Region) -> Vec<Region> {
    let mut all = vec![region];
    for &inst in &body.regions[region].insts {
        if matches!(body.insts[inst].op, Op::If) {
            let inner = body.insts[inst].regions.iter();
            all.extend(inner.flat_map(|&r| straight(body, r)));
        }
    }
    all
}

pub(super) fn is_zero(body: &Body, v: Value) -> bool {
    let constant = body.def_inst(v).map(|i| &body.insts[i].op);
    matches!(constant, Some(Op::Const(c)) if *c == Const::float(0.0))
}

/// Numbers that are zero on one side of a choice.
struct Zeros {
    /// Where the choice is made.
    at: usize,
    condition: Value,
    /// The side where they are zero: 0 if the condition holds.
    side: usize,
    values: Vec<Value>,
}

/// The choices of a region that make numbers zero.
fn zeros(body: &Body, region: Region) -> Vec<Zeros> {
    let mut all = Vec::new();
    for (at, &inst) in body.regions[region].insts.iter().enumerate() {
        let data = &body.insts[inst];
        for side in [1, 0] {
            let zero = |k: usize| match data.op {
                Op::If => {
                    let end = body.terminator(data.regions[side]);
                    let end = end.filter(|&t| matches!(body.insts[t].op, Op::Yield));
                    end.is_some_and(|t| is_zero(body, body.insts[t].args[k]))
                }
                Op::Select => is_zero(body, data.args[1 + side]),
                _ => false,
            };
            let float = |k: usize| body.ty(data.results[k]).is_float();
            let values: Vec<Value> = (0..data.results.len())
                .filter(|&k| float(k) && zero(k))
                .map(|k| data.results[k])
                .collect();
            if !values.is_empty() {
                let condition = data.args[0];
                all.push(Zeros {
                    at,
                    condition,
                    side,
                    values,
                });
            }
        }
    }
    all
}

fn users(body: &Body) -> HashMap<Value, Vec<Inst>> {
    let mut users: HashMap<Value, Vec<Inst>> = HashMap::new();
    body.walk(|inst| {
        for &v in &body.insts[inst].args {
            users.entry(v).or_default().push(inst);
        }
    });
    users
}

struct Finder<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
    users: HashMap<Value, Vec<Inst>>,
}

/// Instructions that go under a condition, at the end of their region.
struct Skip {
    region: Region,
    condition: Value,
    zeros: Vec<Value>,
    side: usize,
    insts: Vec<Inst>,
    /// Sums that the region hands on, and what they are without what is skipped; `None`: zero.
    results: Vec<(Value, Option<Value>)>,
}

impl Finder<'_> {
    fn find(&self, region: Region) -> Option<Skip> {
        let end = self.body.terminator(region)?;
        if !matches!(self.body.insts[end].op, Op::Yield) {
            return None;
        }
        zeros(self.body, region)
            .into_iter()
            .find_map(|zeros| self.skip(region, end, &zeros))
    }

    fn skip(&self, region: Region, end: Inst, zeros: &Zeros) -> Option<Skip> {
        let list = &self.body.regions[region].insts;
        let behind = &list[zeros.at + 1..list.len() - 1];
        let mut zero: HashSet<Value> = zeros.values.iter().copied().collect();
        // What a sum is without its zeros.
        let mut without: HashMap<Value, Value> = HashMap::new();
        let mut chosen: Vec<Inst> = Vec::new();
        for &inst in behind {
            let data = &self.body.insts[inst];
            let is = |k: usize| zero.contains(&data.args[k]);
            let base = |k: usize| without.get(&data.args[k]).copied();
            match data.op {
                Op::Mul if is(0) || is(1) => zero.insert(data.results[0]),
                Op::Div if is(0) && !is(1) => zero.insert(data.results[0]),
                Op::Neg if is(0) => zero.insert(data.results[0]),
                Op::Cast if is(0) && self.body.ty(data.results[0]).is_float() => {
                    zero.insert(data.results[0])
                }
                Op::Add | Op::Sub if is(0) && is(1) => zero.insert(data.results[0]),
                Op::Add if is(0) => {
                    let other = base(1).unwrap_or(data.args[1]);
                    without.insert(data.results[0], other).is_none()
                }
                Op::Add | Op::Sub if is(1) => {
                    let other = base(0).unwrap_or(data.args[0]);
                    without.insert(data.results[0], other).is_none()
                }
                Op::Store(_) if self.puts_back(region, inst, base(1)) => true,
                _ => continue,
            };
            chosen.push(inst);
        }
        let all: BTreeSet<Inst> = self.closed(behind, &chosen, end, &zero, &without);
        let insts: Vec<Inst> = behind.iter().copied().filter(|i| all.contains(i)).collect();
        let cost: usize = insts.iter().map(|&i| cost(&self.body.insts[i].op)).sum();
        let stores = insts
            .iter()
            .any(|&i| matches!(self.body.insts[i].op, Op::Store(_)));
        if cost < LEAST || !stores || !self.may_sink(behind, &all) {
            return None;
        }
        let handed_on = |v: &Value| self.users_of(*v).contains(&end);
        let results = insts
            .iter()
            .flat_map(|&i| self.body.insts[i].results.iter().copied())
            .filter(handed_on)
            .map(|v| (v, without.get(&v).copied()))
            .collect();
        Some(Skip {
            region,
            condition: zeros.condition,
            zeros: zeros.values.clone(),
            side: zeros.side,
            insts,
            results,
        })
    }

    fn users_of(&self, v: Value) -> &[Inst] {
        self.users.get(&v).map_or(&[], Vec::as_slice)
    }

    /// What of a list is used by nothing else, and what only it uses.
    fn closed(
        &self,
        behind: &[Inst],
        chosen: &[Inst],
        end: Inst,
        zero: &HashSet<Value>,
        without: &HashMap<Value, Value>,
    ) -> BTreeSet<Inst> {
        let mut all: BTreeSet<Inst> = chosen.iter().copied().collect();
        let own = |all: &BTreeSet<Inst>, inst: Inst, exit: bool| {
            self.body.insts[inst].results.iter().all(|v| {
                let known = zero.contains(v) || without.contains_key(v);
                let mut users = self.users_of(*v).iter();
                users.all(|u| all.contains(u) || exit && known && *u == end)
            })
        };
        loop {
            let before = all.len();
            for &inst in chosen.iter().rev() {
                if all.contains(&inst) && !own(&all, inst, true) {
                    all.remove(&inst);
                }
            }
            if all.len() == before {
                break;
            }
        }
        // What sums are without their zeros is wanted on both sides.
        let wanted: HashSet<Value> = (without.iter())
            .filter(|(v, _)| self.users_of(**v).contains(&end))
            .map(|(_, other)| *other)
            .collect();
        // What computes operands goes along, and so do the loads of sums in memory.
        for &inst in behind.iter().rev() {
            let data = &self.body.insts[inst];
            if data.results.iter().any(|v| wanted.contains(v)) {
                continue;
            }
            let moves =
                data.op.is_pure() && data.regions.is_empty() || self.unit_of(inst).is_some();
            if moves && !data.results.is_empty() && !all.contains(&inst) && own(&all, inst, false) {
                all.insert(inst);
            }
        }
        all
    }

    fn touch(&self, inst: Inst) -> Option<Touch> {
        let data = &self.body.insts[inst];
        let (ty, writes) = match &data.op {
            Op::Load(attr) if !attr.volatile => (self.body.ty(data.results[0]), false),
            Op::Store(attr) if !attr.volatile => (self.body.ty(data.args[1]), true),
            _ => return None,
        };
        Some(Touch {
            inst,
            address: data.args[0],
            ty,
            writes,
            increment: None,
            own: false,
        })
    }

    fn may_alias(&self, a: &Touch, b: &Touch) -> bool {
        let access = |t: &Touch| Access::scalar(t.address, t.ty);
        (a.writes || b.writes) && self.points.may_alias(&access(a), &access(b))
    }

    /// Does a store put back what memory held, if what is added is zero?
    fn puts_back(&self, region: Region, store: Inst, old: Option<Value>) -> bool {
        let list = &self.body.regions[region].insts;
        let found = || {
            let load = self.body.def_inst(old?)?;
            let (to, from) = (self.touch(store)?, self.touch(load)?);
            let same = to.address == from.address
                || spelled(self.body, to.address, 12) == spelled(self.body, from.address, 12);
            let [first, last] = [load, store].map(|i| list.iter().position(|&j| j == i));
            let between = &list[first? + 1..last?];
            let harmless = |&i: &Inst| match self.touch(i) {
                Some(other) => !other.writes || !self.may_alias(&other, &to),
                None => self.body.insts[i].op.is_pure() && self.body.insts[i].regions.is_empty(),
            };
            (!from.writes && to.ty == from.ty && same && between.iter().all(harmless)).then_some(())
        };
        found().is_some()
    }

    /// The store of the increment that a load or store belongs to.
    fn unit_of(&self, inst: Inst) -> Option<Inst> {
        let data = &self.body.insts[inst];
        let (load, store) = match data.op {
            Op::Load(_) => {
                let [add] = self.users_of(data.results[0]) else {
                    return None;
                };
                let sum = *self.body.insts[*add].results.first()?;
                let [store] = self.users_of(sum) else {
                    return None;
                };
                (inst, *store)
            }
            Op::Store(_) => {
                let add = &self.body.insts[self.body.def_inst(data.args[1])?];
                let loads = |&v: &Value| {
                    let i = self.body.def_inst(v)?;
                    matches!(self.body.insts[i].op, Op::Load(_)).then_some(i)
                };
                let same = |&i: &Inst| {
                    let from = self.body.insts[i].args[0];
                    from == data.args[0]
                        || spelled(self.body, from, 12) == spelled(self.body, data.args[0], 12)
                };
                (add.args.iter().filter_map(loads).find(same)?, inst)
            }
            _ => return None,
        };
        let sum = *self.body.insts[store].args.get(1)?;
        let add = &self.body.insts[self.body.def_inst(sum)?];
        let old = self.body.insts[load].results[0];
        let adds = match add.op {
            Op::Add => true,
            Op::Sub => add.args[0] == old,
            _ => false,
        };
        let once = self.users_of(old).len() == 1 && self.users_of(sum).len() == 1;
        let region = self.body.insts[store].parent;
        let here = self.body.insts[load].parent == region && add.parent == region;
        let is_store = matches!(self.body.insts[store].op, Op::Store(_));
        (adds && once && here && is_store && self.puts_back(region, store, Some(old)))
            .then_some(store)
    }

    /// May these come behind all others that follow them?
    fn may_sink(&self, behind: &[Inst], all: &BTreeSet<Inst>) -> bool {
        let mut moved: Vec<Touch> = Vec::new();
        for &inst in behind {
            if all.contains(&inst) {
                moved.extend(self.touch(inst));
                continue;
            }
            let data = &self.body.insts[inst];
            match self.touch(inst) {
                Some(other) => {
                    let unit = self.unit_of(inst).is_some();
                    let meets = |t: &Touch| {
                        self.may_alias(t, &other) && !(unit && self.unit_of(t.inst).is_some())
                    };
                    if moved.iter().any(meets) {
                        return false;
                    }
                }
                None if data.op.is_pure() && data.regions.is_empty() => {}
                None if moved.is_empty() => {}
                None => return false,
            }
        }
        true
    }
}

fn cost(op: &Op) -> usize {
    match op {
        Op::Div => 8,
        Op::Store(_) => 3,
        Op::Load(_) | Op::Mul | Op::Add | Op::Sub => 1,
        _ => 0,
    }
}

impl Skip {
    fn apply(self, body: &mut Body) -> Option<Skipped> {
        let end = body.terminator(self.region)?;
        let types: Vec<Type> = self.results.iter().map(|&(v, _)| body.ty(v)).collect();
        let others: Vec<Value> = (self.results.iter().zip(&types))
            .map(|(&(_, other), &ty)| match other {
                Some(v) => v,
                None => Builder::before(body, end).zero_of(ty),
            })
            .collect();
        let span = body.insts[self.insts[0]].span;
        let mut b = Builder::before(body, end);
        b.span = span;
        let (branch, then, otherwise) = b.if_(self.condition, &types);
        let sides = [then, otherwise];
        let (work, rest) = (sides[1 - self.side], sides[self.side]);
        for &inst in &self.insts {
            edit::unlink(body, inst);
            body.regions[work].insts.push(inst);
            body.insts[inst].parent = work;
        }
        let made: Vec<Value> = self.results.iter().map(|&(v, _)| v).collect();
        Builder::at_end(body, work).yield_(&made);
        Builder::at_end(body, rest).yield_(&others);
        for (k, &old) in made.iter().enumerate() {
            let new = body.insts[branch].results[k];
            body.values[new].name = body.values[old].name.clone();
            body.values[new].ctype = body.values[old].ctype;
            for arg in &mut body.insts[end].args {
                if *arg == old {
                    *arg = new;
                }
            }
        }
        Some(Skipped {
            holder: body.regions[self.region].parent?,
            branch,
            side: 1 - self.side,
            zeros: self.zeros,
        })
    }
}
