//! Makes one loop of loops that follow each other, run equally often and hand arrays on: `k1[i] = f(s[i])`, then `t[i] = s[i] + h * k1[i]`, and so on, as integrators and solvers are written.
//!
//! Afterwards what one part stores the next one has as a value (`share`), so the reverse sweep computes it again from what the iteration started with instead of storing it, and adjoints stay in
//! registers. Iteration `i` of a later loop then runs before iteration `i + 1` of an earlier one: no two iterations may touch the same memory, one of them writing. That is asked of the joined
//! body (`loops::conflicts`), and a loop that may not join starts anew. Nothing is computed in another order than before, so results are the same to the bit.

use crate::loops::INSTRUCTIONS;
use crate::loops::conflicts::{Conflicts, Touch, root};
use crate::points_to::{Disjoint, PointsTo};
use crate::{Registry, rules};
use adjoin_ir::{Body, CTy, Directive, ForAttr, Inst, Module, Op, Region, Type, Value};
use adjoin_passes::edit::{self, Replacements};
use std::collections::{BTreeMap, BTreeSet};

/// A joined loop has at most so many instructions.
const MOST_INSTRUCTIONS: usize = 500;
/// How often it is tried again without loops that must stay apart.
const ROUNDS: usize = 6;
/// More pairs of accesses than this are not compared.
const MOST_PAIRS: usize = 20_000;

/// Runs over the prepared body of a function of the given type. Returns how many loops joined another.
pub fn run(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    adjoin_passes::registry::optional("join", || {
        let mut apart = BTreeSet::new();
        for round in 0..ROUNDS {
            let mut joined = body.clone();
            let groups = Joining::of(module, &mut joined, &apart);
            if groups.is_empty() {
                return 0;
            }
            let points = PointsTo::of_type(module, registry, ctype, &joined).assuming(disjoint);
            let conflicts = Conflicts::new(&joined, &points);
            let mut refused = BTreeSet::new();
            for group in &groups {
                if let Some(at) = group.first_conflict(&joined, &conflicts) {
                    // In the end, what is left of a group that does not agree stays as it was.
                    let last = if round + 2 < ROUNDS {
                        at + 1
                    } else {
                        group.parts.len()
                    };
                    refused.extend(group.parts[at..last].iter().map(|p| p.was));
                }
            }
            if refused.is_empty() {
                drop(points);
                *body = joined;
                return groups.iter().map(|g| g.parts.len() - 1).sum();
            }
            apart.extend(refused);
        }
        0
    })
}

/// What was one loop.
struct Part {
    /// The loop.
    was: Inst,
    touches: Vec<Touch>,
}

/// Loops that are one now.
struct Group {
    holder: Inst,
    parts: Vec<Part>,
}

impl Group {
    /// The first part that an earlier one stands in the way of.
    fn first_conflict(&self, body: &Body, conflicts: &Conflicts<'_>) -> Option<usize> {
        let touches = self.parts.iter().map(|p| p.touches.len()).sum::<usize>();
        if touches.saturating_mul(touches) > MOST_PAIRS {
            return Some(1);
        }
        (1..self.parts.len()).find(|&k| {
            let earlier = self.parts[..k].iter().flat_map(|p| &p.touches);
            earlier.into_iter().any(|a| {
                // An address may have become that of another loop's index.
                let now = |t: &Touch| Touch {
                    address: body.insts[t.inst].args[0],
                    ..*t
                };
                let own = self.parts[k].touches.iter();
                own.into_iter()
                    .any(|b| conflicts.meet_across(self.holder, &now(a), &now(b), false))
            })
        })
    }
}

struct Joining<'a> {
    module: &'a Module,
    body: &'a mut Body,
    apart: &'a BTreeSet<Inst>,
    groups: BTreeMap<Inst, Group>,
}

impl Joining<'_> {
    /// Joins all loops of a body that look as if they could be.
    fn of(module: &Module, body: &mut Body, apart: &BTreeSet<Inst>) -> Vec<Group> {
        let regions = edit::live_regions(body);
        let mut joining = Joining {
            module,
            body,
            apart,
            groups: BTreeMap::new(),
        };
        for region in regions {
            if !joining.is_exclusive(region) {
                joining.region(region);
            }
        }
        let groups = joining.groups.into_values();
        groups.filter(|g| g.parts.len() > 1).collect()
    }

    /// Is a region in a construct whose accesses other threads wait for? In a team's region a thread may do what it does between two barriers in any order that it cannot
    /// tell apart itself.
    fn is_exclusive(&self, mut region: Region) -> bool {
        while let Some(holder) = self.body.regions[region].parent {
            if let Op::Par(attr) = &self.body.insts[holder].op {
                return attr.directive != Directive::Parallel;
            }
            region = self.body.insts[holder].parent;
        }
        false
    }

    fn region(&mut self, region: Region) {
        let mut current: Option<Inst> = None;
        let mut between: Vec<Inst> = Vec::new();
        for inst in self.body.regions[region].insts.clone() {
            match self.body.insts[inst].op {
                Op::For(_) => {
                    let Some(part) = self.part(inst) else {
                        current = None;
                        continue;
                    };
                    if let Some(first) = current
                        && self.fits(first, inst, &part)
                        && self.bring_forward(first, inst, &between)
                    {
                        self.join(first, inst);
                        if let Some(group) = self.groups.get_mut(&first) {
                            group.parts.push(part);
                        }
                        continue;
                    }
                    current = Some(inst);
                    between.clear();
                    let group = Group {
                        holder: inst,
                        parts: vec![part],
                    };
                    self.groups.insert(inst, group);
                }
                ref op if op.is_pure() && self.body.insts[inst].regions.is_empty() => {
                    between.push(inst);
                }
                _ => current = None,
            }
        }
    }

    /// A loop that only computes, reads and writes numbers, if it is one.
    fn part(&self, inst: Inst) -> Option<Part> {
        let data = &self.body.insts[inst];
        if self.module.checkpoints.contains_key(&data.span) {
            return None;
        }
        let all = edit::insts_in(self.body, data.regions[0]);
        if all.len() > MOST_INSTRUCTIONS {
            return None;
        }
        let mut touches = Vec::new();
        for i in all {
            let data = &self.body.insts[i];
            let touch = |v: Value, writes: bool| Touch {
                inst: i,
                address: data.args[0],
                ty: self.body.ty(v),
                writes,
                increment: None,
                own: false,
            };
            match &data.op {
                Op::Load(attr) if !attr.volatile => touches.push(touch(data.results[0], false)),
                Op::Store(attr) if !attr.volatile => touches.push(touch(data.args[1], true)),
                Op::If | Op::Yield => {}
                op if op.is_pure() => {}
                Op::Call(_) if self.is_math(i) => {}
                _ => return None,
            }
        }
        Some(Part { was: inst, touches })
    }

    fn is_math(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let Op::Call(attr) = &data.op else {
            return false;
        };
        let function = &self.module.funcs[attr.func];
        function.body.is_none()
            && rules::lookup(&function.name).is_some()
            && data.results.len() == 1
            && data.args.iter().all(|&a| self.body.ty(a) != Type::Ptr)
    }

    /// Do two loops run equally often, are alike in what keeps them from running in lanes, and does one use what the other writes?
    fn fits(&self, first: Inst, second: Inst, part: &Part) -> bool {
        let (a, b) = (&self.body.insts[first], &self.body.insts[second]);
        let (Op::For(ForAttr { pred: p, .. }), Op::For(ForAttr { pred: q, .. })) = (&a.op, &b.op)
        else {
            return false;
        };
        let same = |x: Value, y: Value| {
            let known = self.body.const_int(x);
            x == y
                || known.is_some()
                    && known == self.body.const_int(y)
                    && self.body.ty(x) == self.body.ty(y)
        };
        let bounds = p == q && (0..3).all(|k| same(a.args[k], b.args[k]));
        let size = |l: Inst| edit::insts_in(self.body, self.body.insts[l].regions[0]).len();
        bounds
            && !self.apart.contains(&second)
            && self.in_lanes(first) == self.in_lanes(second)
            && size(first) + size(second) <= MOST_INSTRUCTIONS
            && self.is_related(first, part)
    }

    /// What may keep a loop from running in lanes: numbers that are carried, and calls.
    fn in_lanes(&self, inst: Inst) -> (bool, bool) {
        let region = self.body.insts[inst].regions[0];
        let args = &self.body.regions[region].args[1..];
        let carried = args.iter().any(|&v| !self.body.ty(v).is_int());
        let slow = |&i: &Inst| match &self.body.insts[i].op {
            Op::Call(attr) => {
                let name = self.module.funcs[attr.func].name.as_str();
                !INSTRUCTIONS.contains(&name)
            }
            _ => false,
        };
        (carried, edit::insts_in(self.body, region).iter().any(slow))
    }

    fn is_related(&self, first: Inst, part: &Part) -> bool {
        let Some(group) = self.groups.get(&first) else {
            return false;
        };
        let touches = || group.parts.iter().flat_map(|p| &p.touches);
        let of = |t: &Touch| root(self.body, t.address);
        let written: BTreeSet<Value> = touches().filter(|t| t.writes).map(of).collect();
        let all: BTreeSet<Value> = touches().map(of).collect();
        part.touches.iter().any(|t| match t.writes {
            true => all.contains(&of(t)),
            false => written.contains(&of(t)),
        })
    }

    /// Moves what stands between two loops in front of the first, where the second needs it. Not if it depends on the first.
    fn bring_forward(&mut self, first: Inst, second: Inst, between: &[Inst]) -> bool {
        let mut late: BTreeSet<Value> = self.body.insts[first].results.iter().copied().collect();
        let mut early = Vec::new();
        for &inst in between {
            let data = &self.body.insts[inst];
            match data.args.iter().any(|v| late.contains(v)) {
                true => late.extend(&data.results),
                false => early.push(inst),
            }
        }
        let mut needed = edit::insts_in(self.body, self.body.insts[second].regions[0]);
        needed.push(second);
        let waits = |i: &Inst| self.body.insts[*i].args.iter().any(|v| late.contains(v));
        if needed.iter().any(waits) {
            return false;
        }
        for inst in early {
            if edit::position(self.body, inst) > edit::position(self.body, first) {
                edit::move_before(self.body, inst, first);
            }
        }
        true
    }

    /// Puts the body of the second loop behind that of the first.
    fn join(&mut self, first: Inst, second: Inst) {
        let body = &mut *self.body;
        let (to, from) = (body.insts[first].regions[0], body.insts[second].regions[0]);
        let mut moved = std::mem::take(&mut body.regions[from].insts);
        let end = body.regions[to].insts.pop().expect("a loop's body ends");
        let other_end = moved.pop().expect("a loop's body ends");
        for &inst in &moved {
            body.insts[inst].parent = to;
        }
        body.regions[to].insts.extend(moved);
        body.regions[to].insts.push(end);
        let given = body.insts[other_end].args.clone();
        body.insts[end].args.extend(given);
        let mut args = body.regions[to].args.clone();
        let others = std::mem::take(&mut body.regions[from].args);
        args.extend(&others[1..]);
        let index = args[0];
        edit::set_region_args(body, to, args);
        let initial = body.insts[second].args[3..].to_vec();
        body.insts[first].args.extend(initial);
        let mut results = body.insts[first].results.clone();
        let later = std::mem::take(&mut body.insts[second].results);
        results.extend(&later[1..]);
        let last = results[0];
        edit::set_results(body, first, results);
        edit::unlink(body, second);
        let mut replacements = Replacements::default();
        replacements.set(others[0], index);
        replacements.set(later[0], last);
        replacements.apply(body);
    }
}
