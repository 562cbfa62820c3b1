//! Several iterations of a loop together, inside the loops that it has inside.
//!
//! In the reverse sweep of a matrix product, each row of one factor's adjoint is read and written again for every row of the other: four rows at once do that a quarter as
//! often. Where a loop adds up one number after the other, as the primal does, it waits for each sum; four sums at once wait as long as one. Nothing changes its order: what
//! is added to one place is added by one iteration after the other, as before. The loop as it was does what is left over.

mod write;

use super::conflicts::{Conflicts, Touch, root};
use super::nest::{Plan, is_index};
use crate::Registry;
use crate::activity::{Kind, kind};
use crate::plan::promote::spelled;
use crate::points_to::PointsTo;
use adjoin_ir::{Body, Inst, Module, Op, Pred, Region, Type, Value};
use adjoin_passes::edit::{self, is_inside};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub use write::apply;

/// Iterations together.
const TOGETHER: usize = 4;
/// Innermost loops with more instructions than this are not repeated.
const MOST_INSTRUCTIONS: usize = 40;
/// Sums in longer loops wait for other things as well.
const MOST_OF_A_SUM: usize = 14;
/// How much of what an innermost loop accesses must be the same in all iterations.
const WORTH: f64 = 0.4;
/// Lanes that are so few are left to compilers.
const SHORT: i128 = 64;
/// Loops with more accesses than this are left alone.
const MOST_TOUCHES: usize = 24;

/// A loop whose iterations are to run together.
#[derive(Debug)]
pub struct Jam {
    holder: Inst,
    /// Loads of what the loop does not write.
    unwritten: HashSet<Inst>,
    /// Accesses that never meet.
    apart: HashSet<(Inst, Inst)>,
    /// Sums in memory are adjoints: what is added may be added up first.
    adds: bool,
}

/// Finds loops to run several iterations of, for loops that are to be taken apart and for those that add up in order.
pub fn find(
    (module, registry): (&Module, &Registry),
    body: &Body,
    points: &PointsTo<'_>,
    known: &super::Known,
    (plans, tested): (&[Plan], &[Plan]),
) -> Vec<Jam> {
    let finder = Finder {
        module,
        registry,
        body,
        points,
        conflicts: Conflicts::new(body, points),
        known,
    };
    let mut innermost = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(data.op, Op::For(_)) && !has_loop(body, data.regions[0]) {
            innermost.push(inst);
        }
    });
    let mut jams: Vec<Jam> = Vec::new();
    for inner in innermost {
        let within = |p: &&Plan| p.holder == inner || is_inside(body, inner, p.holder);
        if tested.iter().any(|p| within(&p)) {
            continue;
        }
        let found = match plans.iter().find(within) {
            Some(plan) => finder.for_lanes(plan, inner),
            None => finder.for_sums(inner),
        };
        let nested = |a: Inst, b: Inst| a == b || is_inside(body, a, b) || is_inside(body, b, a);
        if let Some(jam) = found
            && !jams.iter().any(|j| nested(j.holder, jam.holder))
        {
            jams.push(jam);
        }
    }
    jams
}

fn has_loop(body: &Body, region: Region) -> bool {
    body.regions[region].insts.iter().any(|&i| {
        let data = &body.insts[i];
        matches!(data.op, Op::For(_) | Op::Loop) || data.regions.iter().any(|&r| has_loop(body, r))
    })
}

/// The loop around a loop, if nothing is between them.
fn around(body: &Body, inst: Inst) -> Option<Inst> {
    let holder = body.regions[body.insts[inst].parent].parent?;
    matches!(body.insts[holder].op, Op::For(_)).then_some(holder)
}

struct Finder<'a> {
    module: &'a Module,
    registry: &'a Registry,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    conflicts: Conflicts<'a>,
    known: &'a super::Known,
}

impl Finder<'_> {
    /// Where much of what the lanes access is the same for several iterations of a loop inside them, or of the one around them.
    fn for_lanes(&self, plan: &Plan, inner: Inst) -> Option<Jam> {
        let body = self.body;
        // Compilers write out short loops and keep what they carry in registers.
        let short =
            matches!(plan.bounds.map(|v| body.const_int(v)), [Some(a), Some(b)] if b - a <= SHORT);
        if !plan.own.is_empty() || short {
            return None;
        }
        let region = body.insts[inner].regions[0];
        let lane = body.regions[body.insts[plan.holder].regions[0]].args[0];
        let list = &body.regions[region].insts;
        if list.len() > MOST_INSTRUCTIONS {
            return None;
        }
        let accessed: Vec<Value> = list
            .iter()
            .filter(|&&i| matches!(body.insts[i].op, Op::Load(_) | Op::Store(_)))
            .filter(|&&i| self.points.stride(i, body.insts[i].args[0], lane) != Some(0))
            .map(|&i| body.insts[i].args[0])
            .collect();
        // What comes from outside and differs between lanes is in a row.
        let mut rows = BTreeSet::new();
        let mut carried = 0;
        if inner != plan.holder {
            for &i in list {
                for &v in &body.insts[i].args {
                    let outside = !body.encloses(region, body.def_region(v));
                    let index = body.def_inst(v).is_some_and(|d| is_index(body, d));
                    if outside && plan.varying.contains(&v) && v != lane && !index {
                        rows.insert(v);
                    }
                }
            }
            let args = &body.regions[region].args[1..];
            carried = args.iter().filter(|v| plan.varying.contains(v)).count();
        }
        let all = accessed.len() + rows.len() + 2 * carried;
        let mut best: Option<(f64, Inst)> = None;
        let mut candidates = Vec::new();
        if inner != plan.holder {
            candidates.push(inner);
        }
        candidates.extend(around(body, plan.holder));
        for holder in candidates {
            let tainted = self.tainted(holder);
            let same = accessed.iter().filter(|v| !tainted.contains(v)).count();
            let kept = if holder == inner {
                rows.len() + 2 * carried
            } else {
                0
            };
            let share = (same + kept) as f64 / all.max(1) as f64;
            if share >= WORTH && best.is_none_or(|(s, _)| share > s) {
                best = Some((share, holder));
            }
        }
        self.jam(best?.1)
    }

    /// Where a loop adds one number after the other, and the loop around it has other sums.
    fn for_sums(&self, inner: Inst) -> Option<Jam> {
        let body = self.body;
        let data = &body.insts[inner];
        let region = data.regions[0];
        let args = &body.regions[region].args[1..];
        let next = super::yielded(body, region)?;
        let sum = |k: usize| {
            let added = body.def_inst(next[k]).map(|i| &body.insts[i]);
            body.ty(args[k]).is_float()
                && added
                    .is_some_and(|a| matches!(a.op, Op::Add | Op::Sub) && a.args.contains(&args[k]))
        };
        let sums = !args.is_empty() && (0..args.len()).all(sum);
        let list = &body.regions[region].insts;
        let calls = list
            .iter()
            .any(|&i| matches!(body.insts[i].op, Op::Call(_)));
        if !sums || calls || list.len() > MOST_OF_A_SUM {
            return None;
        }
        self.jam(around(body, inner)?)
    }

    fn touches(&self, holder: Inst) -> Option<Vec<Touch>> {
        let mut touches = Vec::new();
        self.collect(self.body.insts[holder].regions[0], false, &mut touches)?;
        (touches.len() <= MOST_TOUCHES).then_some(touches)
    }

    fn collect(&self, region: Region, conditional: bool, all: &mut Vec<Touch>) -> Option<()> {
        let body = self.body;
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            let touch = |address: Value, ty: Type, writes: bool| Touch {
                inst,
                address,
                ty,
                writes,
                increment: None,
                own: false,
            };
            match &data.op {
                Op::Load(attr) if !attr.volatile => {
                    all.push(touch(data.args[0], body.ty(data.results[0]), false));
                }
                Op::Store(attr) if !attr.volatile => {
                    all.push(touch(data.args[0], body.ty(data.args[1]), true));
                }
                Op::If => {
                    for &inner in &data.regions {
                        self.collect(inner, true, all)?;
                    }
                }
                Op::For(_) if !conditional => self.collect(data.regions[0], false, all)?,
                Op::Call(_) => {
                    let rule = matches!(kind(self.module, self.registry, &data.op), Kind::Rule);
                    let numbers = data.args.iter().all(|&v| body.ty(v) != Type::Ptr);
                    if !rule || !numbers {
                        return None;
                    }
                }
                Op::Yield => {}
                Op::Slot(_) if !conditional => {}
                op if op.is_pure() => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// May a loop write what a load in it reads?
    fn is_written(&self, holder: Inst, load: Inst) -> bool {
        let Some(touches) = self.touches(holder) else {
            return true;
        };
        let Some(read) = touches.iter().find(|t| t.inst == load) else {
            return true;
        };
        touches
            .iter()
            .any(|t| t.writes && self.conflicts.may_alias(holder, read, t))
    }

    fn tainted(&self, holder: Inst) -> HashSet<Value> {
        let mut unwritten = HashSet::new();
        if let Some(touches) = self.touches(holder) {
            for t in touches.iter().filter(|t| !t.writes) {
                if !self.is_written(holder, t.inst) {
                    unwritten.insert(t.inst);
                }
            }
        }
        tainted(self.body, holder, &unwritten)
    }

    /// The plan for a loop, if its iterations may run together.
    fn jam(&self, holder: Inst) -> Option<Jam> {
        let body = self.body;
        let data = &body.insts[holder];
        let Op::For(attr) = &data.op else { return None };
        let plain = matches!(
            (attr.pred, body.const_int(data.args[2])),
            (Pred::Lt | Pred::Le, Some(1)) | (Pred::Ge, Some(-1))
        );
        let signed = body.ty(data.args[0]).is_signed();
        if !plain || attr.pred == Pred::Ge && !signed || edit::is_shared_out(body, holder) {
            return None;
        }
        let carries = data.args.len() > 3;
        let single = !has_loop(body, data.regions[0]);
        if carries && !single && !self.hands_on_at_end(data.regions[0]) || attr.independent {
            return None;
        }
        if let [Some(a), Some(b)] = [0, 1].map(|k| body.const_int(data.args[k]))
            && (b - a).abs() < 2 * TOGETHER as i128
        {
            return None;
        }
        let mut used = false;
        body.walk(|i| used |= body.insts[i].args.contains(&data.results[0]));
        if used {
            return None;
        }
        // What is known of fused loops is not known of their copies.
        if (self.known.fused.keys()).any(|&l| is_inside(body, l, holder)) {
            return None;
        }
        let touches = self.touches(holder)?;
        let unwritten: HashSet<Inst> = touches
            .iter()
            .filter(|t| !t.writes && !self.is_written(holder, t.inst))
            .map(|t| t.inst)
            .collect();
        let tainted = tainted(body, holder, &unwritten);
        if !self.has_common_bounds(data.regions[0], &tainted) {
            return None;
        }
        let adds = self.known.mirrored.contains(&holder);
        let sums = match adds {
            true => self.sums(holder, data.regions[0], &touches),
            false => HashSet::new(),
        };
        let mut apart = HashSet::new();
        for (k, a) in touches.iter().enumerate() {
            for b in &touches[k..] {
                if !self.conflicts.may_alias(holder, a, b) {
                    apart.extend([(a.inst, b.inst), (b.inst, a.inst)]);
                } else if sums.contains(&a.inst) && sums.contains(&b.inst) {
                    // Adjoints may be added in any order.
                } else if !self.stays_in_order(holder, a, b, &tainted) {
                    return None;
                }
            }
        }
        Some(Jam {
            holder,
            unwritten,
            apart,
            adds,
        })
    }

    /// Is what iterations hand on only used behind the loops inside, so that it goes through several iterations one after the other?
    fn hands_on_at_end(&self, region: Region) -> bool {
        let body = self.body;
        let carried = &body.regions[region].args[1..];
        let list = &body.regions[region].insts;
        let last = (list.iter()).rposition(|&i| matches!(body.insts[i].op, Op::For(_)));
        let before = &list[..last.map_or(0, |at| at + 1)];
        carried.iter().all(|&v| {
            let used = before.iter().any(|&i| body.insts[i].args.contains(&v));
            !used && !used_deeper(body, before, v)
        })
    }

    /// The accesses that belong to sums in memory.
    fn sums(&self, holder: Inst, region: Region, touches: &[Touch]) -> HashSet<Inst> {
        let body = self.body;
        let list = &body.regions[region].insts;
        let touch = |i: Inst| touches.iter().find(|t| t.inst == i);
        let found = increments(body, list, |a, b| match (touch(a), touch(b)) {
            (Some(a), Some(b)) => !self.conflicts.may_alias(holder, a, b),
            _ => false,
        });
        let mut all: HashSet<Inst> = found.iter().flat_map(|(&s, i)| [s, i.load]).collect();
        for &i in list {
            for &inner in &body.insts[i].regions {
                all.extend(self.sums(holder, inner, touches));
            }
        }
        all
    }

    /// Are the bounds of all loops inside the same in all iterations?
    fn has_common_bounds(&self, region: Region, tainted: &HashSet<Value>) -> bool {
        self.body.regions[region].insts.iter().all(|&i| {
            let data = &self.body.insts[i];
            !matches!(data.op, Op::For(_))
                || data.args[..3].iter().all(|v| !tainted.contains(v))
                    && !edit::is_shared_out(self.body, i)
                    && self.has_common_bounds(data.regions[0], tainted)
        })
    }

    /// Do two accesses that may meet do so only within an iteration, or where all loops inside are at the same place?
    fn stays_in_order(&self, holder: Inst, a: &Touch, b: &Touch, tainted: &HashSet<Value>) -> bool {
        let body = self.body;
        // Variables of an iteration are its own.
        let of_iteration = |t: &Touch| {
            let slot = body.def_inst(root(body, t.address));
            slot.is_some_and(|s| {
                matches!(body.insts[s].op, Op::Slot(_)) && is_inside(body, s, holder)
            })
        };
        if of_iteration(a) && of_iteration(b) || !self.conflicts.meet_across(holder, a, b, false) {
            return true;
        }
        let region = body.insts[a.inst].parent;
        let same = region == body.insts[b.inst].parent
            && !has_loop(body, region)
            && !tainted.contains(&a.address)
            && !tainted.contains(&b.address);
        if !same {
            return false;
        }
        let mut inside = body.regions[region].parent;
        while let Some(l) = inside.filter(|&l| l != holder) {
            if !matches!(body.insts[l].op, Op::For(_)) || self.conflicts.meet_across(l, a, b, false)
            {
                return false;
            }
            inside = body.regions[body.insts[l].parent].parent;
        }
        inside.is_some()
    }
}

/// A sum in memory.
#[derive(Clone, Copy, Debug)]
struct Sum {
    load: Inst,
    add: Inst,
    /// What is added, or subtracted.
    value: Value,
    negative: bool,
}

/// The sums in memory that stand in a list, by their stores; `apart` says which accesses never meet.
fn increments(
    body: &Body,
    list: &[Inst],
    apart: impl Fn(Inst, Inst) -> bool,
) -> BTreeMap<Inst, Sum> {
    let place: HashMap<Inst, usize> = list.iter().enumerate().map(|(k, &i)| (i, k)).collect();
    let mut uses: HashMap<Value, usize> = HashMap::new();
    for &i in list {
        for &v in &body.insts[i].args {
            *uses.entry(v).or_default() += 1;
        }
    }
    let once = |v: Value| uses.get(&v) == Some(&1) && !used_deeper(body, list, v);
    let mut found = BTreeMap::new();
    for &store in list {
        let data = &body.insts[store];
        if !matches!(data.op, Op::Store(_)) || !body.ty(data.args[1]).is_float() {
            continue;
        }
        let here = |v: Value| body.def_inst(v).filter(|i| place.contains_key(i));
        let Some(add) = here(data.args[1]) else {
            continue;
        };
        let sum = &body.insts[add];
        let choices: &[(usize, usize, bool)] = match sum.op {
            Op::Add => &[(0, 1, false), (1, 0, false)],
            Op::Sub => &[(0, 1, true)],
            _ => continue,
        };
        for &(old, value, negative) in choices {
            let Some(load) = here(sum.args[old]) else {
                continue;
            };
            let read = &body.insts[load];
            let between = list[place[&load]..place[&store]].iter().any(|&i| {
                let data = &body.insts[i];
                !data.regions.is_empty() || matches!(data.op, Op::Store(_)) && !apart(i, store)
            });
            if matches!(read.op, Op::Load(_))
                && (read.args[0] == data.args[0]
                    || spelled(body, read.args[0], 12) == spelled(body, data.args[0], 12))
                && once(sum.args[old])
                && once(data.args[1])
                && !between
            {
                let value = sum.args[value];
                found.insert(
                    store,
                    Sum {
                        load,
                        add,
                        value,
                        negative,
                    },
                );
                break;
            }
        }
    }
    found
}

/// Is a value used in what instructions have inside?
fn used_deeper(body: &Body, list: &[Inst], v: Value) -> bool {
    list.iter().any(|&i| {
        body.insts[i].regions.iter().any(|&r| {
            let inner = &body.regions[r].insts;
            inner.iter().any(|&x| body.insts[x].args.contains(&v)) || used_deeper(body, inner, v)
        })
    })
}

/// The values that differ between the iterations of a loop.
fn tainted(body: &Body, holder: Inst, unwritten: &HashSet<Inst>) -> HashSet<Value> {
    let region = body.insts[holder].regions[0];
    let mut tainted: HashSet<Value> = body.regions[region].args.iter().copied().collect();
    loop {
        let before = tainted.len();
        taint(body, region, unwritten, &mut tainted);
        if tainted.len() == before {
            return tainted;
        }
    }
}

fn taint(body: &Body, region: Region, unwritten: &HashSet<Inst>, tainted: &mut HashSet<Value>) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        let any = data.args.iter().any(|v| tainted.contains(v));
        match &data.op {
            Op::For(_) => {
                let inner = data.regions[0];
                let args = body.regions[inner].args.clone();
                if data.args[..3].iter().any(|v| tainted.contains(v)) {
                    tainted.extend(args.iter().chain(&data.results).copied());
                }
                taint(body, inner, unwritten, tainted);
                for (k, next) in super::yielded(body, inner)
                    .unwrap_or_default()
                    .iter()
                    .enumerate()
                {
                    let all = [data.args[k + 3], *next, args[k + 1], data.results[k + 1]];
                    if all.iter().any(|v| tainted.contains(v)) {
                        tainted.extend(all[2..].iter().copied());
                    }
                }
            }
            Op::Load(_) if !any && unwritten.contains(&inst) => {}
            Op::If | Op::Load(_) | Op::Slot(_) | Op::Call(_) => {
                tainted.extend(data.results.iter().copied());
                for &inner in &data.regions {
                    taint_all(body, inner, tainted);
                }
            }
            _ if any => tainted.extend(data.results.iter().copied()),
            _ => {}
        }
    }
}

fn taint_all(body: &Body, region: Region, tainted: &mut HashSet<Value>) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        tainted.extend(data.results.iter().copied());
        for &inner in &data.regions {
            taint_all(body, inner, tainted);
        }
    }
}
