//! Several iterations of a loop together, inside the loops that it has inside.
//!
//! In the reverse sweep of a matrix product, each row of one factor's adjoint is read and written again for every row of the other: four rows at once do that a quarter as
//! often. Where a loop adds up one number after the other, as the primal does, it waits for each sum; four sums at once wait as long as one. Nothing changes its order: what
//! is added to one place is added by one iteration after the other, as before. The loop as it was does what is left over.

use super::conflicts::{Conflicts, Touch, root};
use super::nest::{Plan, is_index};
use crate::Registry;
use crate::activity::{Kind, kind};
use crate::plan::promote::spelled;
use crate::points_to::PointsTo;
use adjoin_ir::{Body, Builder, ForAttr, Inst, Module, Op, Pred, Region, Type, Value};
use adjoin_passes::copy::Copier;
use adjoin_passes::edit::{self, is_inside};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
        let next = &body.insts[body.terminator(region)?].args;
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
        if !plain || attr.pred == Pred::Ge && !signed || edit::is_of_construct(body, holder) {
            return None;
        }
        let carries = data.args.len() > 3;
        let single = !has_loop(body, data.regions[0]);
        if carries && !single || attr.independent {
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
                    && !edit::is_of_construct(self.body, i)
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
                let next = match body.terminator(inner) {
                    Some(end) => body.insts[end].args.clone(),
                    None => Vec::new(),
                };
                for (k, next) in next.iter().enumerate() {
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

/// Puts a loop with several iterations at once in front of a loop, which then does the rest. Returns the copies of loops, with what they were made from.
pub fn apply(body: &mut Body, jam: &Jam) -> Vec<(Inst, Inst)> {
    let data = body.insts[jam.holder].clone();
    let Op::For(attr) = &data.op else {
        return Vec::new();
    };
    let (down, with_last) = (attr.pred == Pred::Ge, attr.pred != Pred::Lt);
    let tainted = tainted(body, jam.holder, &jam.unwritten);
    let (first, last) = (data.args[0], data.args[1]);
    let ty = body.ty(first);
    let constant = match [first, last].map(|v| body.const_int(v)) {
        [Some(a), Some(b)] => Some(if down { a - b } else { b - a } + i128::from(with_last)),
        _ => None,
    };
    let wide = Type::I64;
    let count = TOGETHER as i128;
    let mut b = Builder::before(body, jam.holder);
    b.span = data.span;
    let (first, last) = (b.cast(wide, first), b.cast(wide, last));
    let (zero, one, by) = (b.int(wide, 0), b.int(wide, 1), b.int(wide, count));
    let mut all = match down {
        true => b.sub(first, last),
        false => b.sub(last, first),
    };
    if with_last {
        all = b.add(all, one);
    }
    let rest = b.value(Op::Rem, vec![all, by], wide);
    let whole = b.sub(all, rest);
    let any = b.lt(zero, all);
    let whole = b.select(any, whole, zero);
    let (pred, stop, step) = match down {
        true => (Pred::Gt, b.sub(first, whole), b.int(wide, -count)),
        false => (Pred::Lt, b.add(first, whole), by),
    };
    let inits = data.args[3..].to_vec();
    let (new, region) = b.for_(pred, first, stop, step, &inits);
    let start = {
        let mut b = Builder::before(body, jam.holder);
        b.span = data.span;
        b.cast(ty, stop)
    };
    let args = body.regions[region].args.clone();
    let from = data.regions[0];
    let old = body.regions[from].args.clone();
    body.values[args[0]].name = body.values[old[0]].name.clone();
    let mut writer = Writer {
        body,
        jam,
        tainted,
        maps: vec![HashMap::new(); TOGETHER],
        copies: vec![(new, jam.holder)],
    };
    for k in 0..TOGETHER {
        let mut b = Builder::at_end(writer.body, region);
        let offset = b.int(wide, if down { -(k as i128) } else { k as i128 });
        let index = match k {
            0 => args[0],
            _ => b.add(args[0], offset),
        };
        let index = b.cast(ty, index);
        writer.body.values[index].name = writer.body.values[old[0]].name.clone();
        writer.body.values[index].ctype = writer.body.values[old[0]].ctype;
        writer.maps[k].insert(old[0], index);
    }
    let carried = args[1..].to_vec();
    for (k, &v) in carried.iter().enumerate() {
        writer.name_as(old[k + 1], v);
        writer.maps[0].insert(old[k + 1], v);
    }
    let out = writer.region(from, region, true);
    Builder::at_end(writer.body, region).yield_(&out);
    let copies = writer.copies;
    let results = body.insts[new].results[1..].to_vec();
    if constant.is_some_and(|n| n % count == 0) {
        let mut replaced = edit::Replacements::default();
        for (&old, &new) in data.results[1..].iter().zip(&results) {
            replaced.set(old, new);
        }
        edit::unlink(body, jam.holder);
        replaced.apply(body);
    } else {
        body.insts[jam.holder].args[0] = start;
        body.insts[jam.holder].args[3..].copy_from_slice(&results);
    }
    copies
}

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Load,
    Store {
        /// It only adds to what is there.
        sum: bool,
    },
}

/// What is known of a place in memory while iterations are written one after the other.
struct Known {
    address: Value,
    ty: Type,
    /// The access that it was found with.
    inst: Inst,
    /// What is there, if that is known.
    value: Option<Value>,
    /// It is still to be stored.
    pending: bool,
    /// What is still to be added.
    added: Option<Value>,
}

struct Writer<'a> {
    body: &'a mut Body,
    jam: &'a Jam,
    tainted: HashSet<Value>,
    /// What values are called in each iteration.
    maps: Vec<HashMap<Value, Value>>,
    copies: Vec<(Inst, Inst)>,
}

impl Writer<'_> {
    fn name_as(&mut self, old: Value, new: Value) {
        self.body.values[new].name = self.body.values[old].name.clone();
        self.body.values[new].ctype = self.body.values[old].ctype;
    }

    fn value(&self, k: usize, v: Value) -> Value {
        self.maps[k].get(&v).copied().unwrap_or(v)
    }

    /// Writes a region for all iterations; what it yields: of each iteration in turn, or of the last if each takes over from the one before.
    fn region(&mut self, from: Region, to: Region, handed_on: bool) -> Vec<Value> {
        let list = self.body.regions[from].insts.clone();
        let end = self.body.terminator(from);
        let mut segment = Vec::new();
        let innermost = !has_loop(self.body, from);
        for &inst in &list {
            match self.body.insts[inst].op {
                Op::For(_) => {
                    self.segment(&std::mem::take(&mut segment), to, None);
                    self.merged(inst, to);
                }
                Op::Yield => {}
                _ => segment.push(inst),
            }
        }
        let args: Vec<Value> = end.map_or(Vec::new(), |e| self.body.insts[e].args.clone());
        let carried = self.body.regions[from].args[1..].to_vec();
        let chain = (handed_on && innermost).then_some((carried, args.clone()));
        self.segment(&segment, to, chain);
        if handed_on {
            let last = TOGETHER - 1;
            return args.iter().map(|&v| self.value(last, v)).collect();
        }
        let mut out = Vec::new();
        for &v in &args {
            match self.tainted.contains(&v) {
                true => out.extend((0..TOGETHER).map(|k| self.value(k, v))),
                false => out.push(self.value(0, v)),
            }
        }
        out
    }

    /// One loop for all iterations.
    fn merged(&mut self, inst: Inst, to: Region) {
        let data = self.body.insts[inst].clone();
        let Op::For(attr) = &data.op else { return };
        let from = data.regions[0];
        let args = self.body.regions[from].args.clone();
        let ends = self.body.terminator(from);
        let next = ends.map_or(Vec::new(), |e| self.body.insts[e].args.clone());
        let mut inits = Vec::new();
        for (k, &v) in data.args[3..].iter().enumerate() {
            // An iteration has its own, or all have one.
            let own = self.tainted.contains(&args[k + 1]);
            debug_assert!(own || !self.tainted.contains(&next[k]));
            match own {
                true => inits.extend((0..TOGETHER).map(|k| self.value(k, v))),
                false => inits.push(self.value(0, v)),
            }
        }
        let bounds = [0, 1, 2].map(|k| self.value(0, data.args[k]));
        let mut b = Builder::at_end(self.body, to);
        b.span = data.span;
        let (new, region) = b.for_(attr.pred, bounds[0], bounds[1], bounds[2], &inits);
        self.body.insts[new].op = Op::For(ForAttr { ..attr.clone() });
        self.copies.push((new, inst));
        let fresh = self.body.regions[region].args.clone();
        let results = self.body.insts[new].results.clone();
        self.spread(&args, &args, &fresh);
        let out = self.region(from, region, false);
        Builder::at_end(self.body, region).yield_(&out);
        self.spread(&data.results, &args, &results);
    }

    /// Gives what a merged loop carries its names in the iterations.
    fn spread(&mut self, old: &[Value], carried: &[Value], new: &[Value]) {
        for map in &mut self.maps {
            map.insert(old[0], new[0]);
        }
        self.name_as(old[0], new[0]);
        let mut at = 1;
        for (&v, arg) in old[1..].iter().zip(&carried[1..]) {
            match self.tainted.contains(arg) {
                true => {
                    for k in 0..TOGETHER {
                        self.name_as(v, new[at]);
                        self.maps[k].insert(v, new[at]);
                        at += 1;
                    }
                }
                false => {
                    self.name_as(v, new[at]);
                    for map in &mut self.maps {
                        map.insert(v, new[at]);
                    }
                    at += 1;
                }
            }
        }
    }

    /// Instructions without loops, for one iteration after the other.
    fn segment(&mut self, list: &[Inst], to: Region, chain: Option<(Vec<Value>, Vec<Value>)>) {
        let increments = match self.jam.adds {
            true => increments(self.body, list, |a, b| self.jam.apart.contains(&(a, b))),
            false => BTreeMap::new(),
        };
        let skipped: HashSet<Inst> = increments.values().flat_map(|i| [i.load, i.add]).collect();
        let mut memory: Vec<Known> = Vec::new();
        let mut places: HashMap<(String, Vec<Value>), Value> = HashMap::new();
        for k in 0..TOGETHER {
            if let Some((carried, next)) = &chain
                && k > 0
            {
                for (&v, &n) in carried.iter().zip(next) {
                    let now = self.value(k - 1, n);
                    self.maps[k].insert(v, now);
                }
            }
            for &inst in list {
                let data = self.body.insts[inst].clone();
                let common = !data.results.is_empty()
                    && data.results.iter().all(|v| !self.tainted.contains(v));
                if common && k > 0 || skipped.contains(&inst) {
                    continue;
                }
                match &data.op {
                    // One name for each place.
                    Op::Addr(attr) => {
                        let args = data.args.iter().map(|&v| self.value(k, v)).collect();
                        let place = (format!("{attr:?}"), args);
                        match places.get(&place) {
                            Some(&v) => {
                                self.maps[k].insert(data.results[0], v);
                            }
                            None => {
                                let v = self.copy(k, inst, to);
                                places.extend(v.map(|v| (place, v)));
                            }
                        }
                    }
                    Op::Load(_) if !common => {
                        let address = self.value(k, data.args[0]);
                        self.settle(&mut memory, to, inst, address, Access::Load);
                        let known = memory.iter().find(|m| m.address == address);
                        if let Some(v) = known.and_then(|m| m.value) {
                            self.maps[k].insert(data.results[0], v);
                            continue;
                        }
                        let v = self.copy(k, inst, to);
                        let ty = self.body.ty(data.results[0]);
                        memory.retain(|m| m.address != address);
                        memory.push(Known {
                            address,
                            ty,
                            inst,
                            value: v,
                            pending: false,
                            added: None,
                        });
                    }
                    Op::Store(_) => {
                        let address = self.value(k, data.args[0]);
                        let sum = increments.contains_key(&inst);
                        self.settle(&mut memory, to, inst, address, Access::Store { sum });
                        let ty = self.body.ty(data.args[1]);
                        let fresh = Known {
                            address,
                            ty,
                            inst,
                            value: None,
                            pending: false,
                            added: None,
                        };
                        if !memory.iter().any(|m| m.address == address) {
                            memory.push(fresh);
                        }
                        let at = memory.iter().position(|m| m.address == address);
                        let Some(at) = at else { continue };
                        match increments.get(&inst) {
                            Some(&Sum {
                                value, negative, ..
                            }) => {
                                let value = self.value(k, value);
                                let mut b = Builder::at_end(self.body, to);
                                b.span = data.span;
                                let sum = match (memory[at].added, negative) {
                                    (None, false) => value,
                                    (None, true) => b.neg(value),
                                    (Some(sum), false) => b.add(sum, value),
                                    (Some(sum), true) => b.sub(sum, value),
                                };
                                memory[at].added = Some(sum);
                            }
                            None => {
                                memory[at].value = Some(self.value(k, data.args[1]));
                                memory[at].pending = true;
                                memory[at].added = None;
                            }
                        }
                    }
                    Op::If => {
                        self.flush(&mut memory, to);
                        self.copy(k, inst, to);
                    }
                    _ => {
                        self.copy(k, inst, to);
                    }
                }
                if common {
                    for v in data.results {
                        let new = self.maps[0][&v];
                        for map in &mut self.maps[1..] {
                            map.insert(v, new);
                        }
                    }
                }
            }
        }
        self.flush(&mut memory, to);
    }

    /// Stores what an access might meet elsewhere, and forgets what a store might change.
    fn settle(
        &mut self,
        memory: &mut Vec<Known>,
        to: Region,
        inst: Inst,
        address: Value,
        access: Access,
    ) {
        let writes = access != Access::Load;
        // Sums may be made in any order.
        let sums = |m: &Known| {
            access == Access::Store { sum: true } && m.added.is_some() && m.value.is_none()
        };
        let meets = |m: &Known| {
            m.address != address && !self.jam.apart.contains(&(m.inst, inst)) && !sums(m)
        };
        // What is to be added to a place that is read must be there, too.
        let open = |m: &Known| m.added.is_some() && !writes && m.address == address;
        let mut out: Vec<Known> = Vec::new();
        let mut kept = Vec::new();
        for m in memory.drain(..) {
            match meets(&m) || open(&m) {
                true => out.push(m),
                false => kept.push(m),
            }
        }
        *memory = kept;
        for m in out {
            let again = !writes && m.added.is_none() && meets(&m);
            let (address, ty, inst, value) = (m.address, m.ty, m.inst, m.value);
            self.write(m, to);
            if again && value.is_some() {
                memory.push(Known {
                    address,
                    ty,
                    inst,
                    value,
                    pending: false,
                    added: None,
                });
            }
        }
    }

    fn flush(&mut self, memory: &mut Vec<Known>, to: Region) {
        for m in std::mem::take(memory) {
            self.write(m, to);
        }
    }

    fn write(&mut self, m: Known, to: Region) {
        let mut b = Builder::at_end(self.body, to);
        if let Some(sum) = m.added {
            let old = match m.value {
                Some(v) => v,
                None => b.load(m.ty, m.address),
            };
            let new = b.add(old, sum);
            b.store(m.address, new);
        } else if m.pending
            && let Some(v) = m.value
        {
            b.store(m.address, v);
        }
    }

    /// Copies an instruction for an iteration; its first result.
    fn copy(&mut self, k: usize, inst: Inst, to: Region) -> Option<Value> {
        let mut copier = Copier::new(self.body);
        for (&old, &new) in &self.maps[k] {
            copier.call(old, new);
        }
        let new = copier.inst(inst, to);
        self.body.regions[to].insts.push(new);
        let old = self.body.insts[inst].results.clone();
        let results = self.body.insts[new].results.clone();
        for (&o, &n) in old.iter().zip(&results) {
            self.maps[k].insert(o, n);
        }
        results.first().copied()
    }
}
