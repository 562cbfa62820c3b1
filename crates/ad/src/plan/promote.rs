//! Keeps in a value what a loop reads and writes again and again at one address: before differentiation, so that both sweeps profit. The reverse sweep
//! adds to a value instead of to shadow memory, and what is added to (`c[i] += …` over k) is neither kept nor undone.
//!
//! A load from an address that the loop does not change, of memory that it does not write, moves in front of the loop. If the loop stores there as well, and all
//! other accesses in it are elsewhere, the value is carried through the loop and stored behind it. Where it is not certain that the loop runs at all, the load in
//! front and the store behind are under the loop's own test. A bound that a loop reads again for each test (`k < start[i + 1]`) is read once this way, and the loop becomes a counted
//! one. Inner loops come first. Results are the same to the bit.

use crate::points_to::dependence::{At, When};
use crate::points_to::{Access, Disjoint, PointsTo};
use adjoin_ir::{Body, Builder, CTy, Inst, Module, Op, Pred, Region, Span, Type, Value, ValueDef};
use adjoin_passes::edit::{self, Replacements};
use std::collections::BTreeMap;

/// Loops nested deeper than this are not looked at from the inside out again.
const ROUNDS: usize = 8;

/// Runs over the prepared body of a function of the given type. Returns how many values it found.
pub fn run(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    let apply = || apply(module, registry, ctype, body, disjoint);
    adjoin_passes::registry::optional("promote", apply)
}

fn apply(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    let mut count = 0;
    for _ in 0..ROUNDS {
        let found = {
            let points = PointsTo::of_type(module, registry, ctype, body).assuming(disjoint);
            find(body, &points)
        };
        if found.is_empty() {
            break;
        }
        count += found.len();
        let counts = |p: &Promotion| matches!(body.insts[p.holder].op, Op::Loop);
        let uncounted = found.iter().any(counts);
        let mut replaced = Replacements::default();
        for promotion in found {
            promotion.apply(body, &mut replaced);
        }
        replaced.apply(body);
        adjoin_passes::prune::run(&module.types, body);
        if uncounted {
            adjoin_passes::counted::run(&module.types, body);
            adjoin_passes::simplify::run(&module.types, body);
            adjoin_passes::prune::run(&module.types, body);
        }
    }
    count
}

/// One address in one loop.
struct Promotion {
    holder: Inst,
    ty: Type,
    loads: Vec<Inst>,
    stores: Vec<Inst>,
    /// The loop certainly runs.
    runs: bool,
}

/// Everything that can be done at once: each loop and each access once.
fn find(body: &Body, points: &PointsTo<'_>) -> Vec<Promotion> {
    let mut loops = Vec::new();
    body.walk(|inst| {
        let is_loop = matches!(body.insts[inst].op, Op::For(_) | Op::Loop);
        if is_loop && !edit::is_of_construct(body, inst) {
            loops.push(inst);
        }
    });
    let mut found: Vec<Promotion> = Vec::new();
    // Inner loops stand behind the loops around them.
    for &holder in loops.iter().rev() {
        let touched = found
            .iter()
            .any(|p| edit::is_inside(body, p.holder, holder));
        if !touched {
            found.extend(
                Nest::of(body, points, holder)
                    .into_iter()
                    .flat_map(|n| n.promotions()),
            );
        }
    }
    found
}

/// A loop and the accesses in it.
struct Nest<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
    holder: Inst,
    region: Region,
    groups: BTreeMap<(String, Type), Vec<Inst>>,
    reads: Vec<(Inst, Access)>,
    writes: Vec<(Inst, Access)>,
    /// It may be left early, or an iteration cut short.
    exits: bool,
}

impl<'a> Nest<'a> {
    /// `None`: what happens in the loop is not looked at.
    fn of(body: &'a Body, points: &'a PointsTo<'a>, holder: Inst) -> Option<Nest<'a>> {
        let region = body.insts[holder].regions[0];
        let mut nest = Nest {
            body,
            points,
            holder,
            region,
            groups: BTreeMap::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            exits: matches!(body.insts[holder].op, Op::Loop),
        };
        let mut work = vec![region];
        while let Some(r) = work.pop() {
            for &inst in &body.regions[r].insts {
                let data = &body.insts[inst];
                match data.op {
                    Op::Break(target) | Op::Continue(target)
                        if !edit::is_inside(body, target, holder) =>
                    {
                        nest.exits = true;
                    }
                    Op::Return | Op::Unreachable => nest.exits = true,
                    Op::Par(_) => return None,
                    Op::Call(_) if points.frees(inst) => return None,
                    _ => {}
                }
                nest.access(inst);
                work.extend(data.regions.iter().copied());
            }
        }
        Some(nest)
    }

    fn access(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let reads = self.points.reads(inst);
        let writes = self.points.writes(inst);
        self.reads.extend(reads.into_iter().map(|a| (inst, a)));
        self.writes.extend(writes.into_iter().map(|a| (inst, a)));
        let ty = match &data.op {
            Op::Load(attr) if !attr.volatile => self.body.ty(data.results[0]),
            Op::Store(attr) if !attr.volatile => self.body.ty(data.args[1]),
            _ => return,
        };
        if let Some(key) = self.key(data.args[0], 12) {
            self.groups.entry((key, ty)).or_default().push(inst);
        }
    }

    /// What makes two addresses the same throughout the loop, if they do not change in it.
    fn key(&self, v: Value, depth: usize) -> Option<String> {
        // Also what is computed in front of the loop: parts of it may be computed again inside.
        if !self.body.encloses(self.region, self.body.def_region(v)) {
            return Some(spelled(self.body, v, depth));
        }
        let ValueDef::Result(inst, _) = self.body.values[v].def else {
            return None;
        };
        let data = &self.body.insts[inst];
        let again = data.op.is_pure() && !self.body.may_trap(inst);
        if !again || depth == 0 {
            return None;
        }
        // Conversions differ in what they result in alone.
        let mut text = format!("{:?} {}", data.op, self.body.ty(v).name());
        for &arg in &data.args {
            text.push('(');
            text.push_str(&self.key(arg, depth - 1)?);
            text.push(')');
        }
        Some(text)
    }

    fn promotions(&self) -> Vec<Promotion> {
        let mut found = Vec::new();
        let mut runs = None;
        for ((_, ty), insts) in &self.groups {
            let is_store = |i: &Inst| matches!(self.body.insts[*i].op, Op::Store(_));
            let (stores, loads): (Vec<Inst>, Vec<Inst>) = insts.iter().partition(|i| is_store(i));
            let here = |i: &Inst| self.body.insts[*i].parent == self.region;
            let fits = match stores.is_empty() {
                // It is read whenever the loop runs.
                true if self.exits => loads.iter().any(|l| self.is_first(*l)),
                true => loads.iter().any(here),
                false => {
                    let address = self.body.insts[insts[0]].args[0];
                    !self.exits && stores.iter().all(here) && !self.points.is_inactive(address)
                }
            };
            if !fits || !self.is_alone(insts, *ty, !stores.is_empty()) {
                continue;
            }
            let is_loop = matches!(self.body.insts[self.holder].op, Op::Loop);
            let runs = *runs
                .get_or_insert_with(|| is_loop || self.points.certainly_runs(self.holder))
                || self.is_accessed_before(insts[0], *ty, !stores.is_empty());
            found.push(Promotion {
                holder: self.holder,
                ty: *ty,
                loads,
                stores,
                runs,
            });
        }
        found
    }

    /// Is the same place accessed right in front of the loop, so that it may be whether the loop runs or not?
    fn is_accessed_before(&self, inst: Inst, ty: Type, stores: bool) -> bool {
        let body = self.body;
        let wanted = spelled(body, body.insts[inst].args[0], 12);
        let around = &body.regions[body.insts[self.holder].parent].insts;
        let mut before = around.iter().take_while(|&&i| i != self.holder);
        before.any(|&i| {
            let data = &body.insts[i];
            let accessed = match &data.op {
                Op::Store(_) => Some(body.ty(data.args[1])),
                Op::Load(_) if !stores => Some(body.ty(data.results[0])),
                _ => None,
            };
            accessed == Some(ty) && spelled(body, data.args[0], 12) == wanted
        })
    }

    /// Is an instruction executed before anything can leave the loop?
    fn is_first(&self, inst: Inst) -> bool {
        let list = &self.body.regions[self.region].insts;
        let end = list
            .iter()
            .position(|&i| !self.body.insts[i].regions.is_empty());
        list[..end.unwrap_or(list.len())].contains(&inst)
    }

    /// Does nothing else in the loop write what these instructions access, or read it if they write?
    fn is_alone(&self, group: &[Inst], ty: Type, stores: bool) -> bool {
        let address = self.body.insts[group[0]].args[0];
        let access = Access::scalar(address, ty);
        let at = At {
            inst: group[0],
            address,
            size: ty.size(),
        };
        let around = self.body.insts[self.holder].parent;
        let meets = |(inst, other): &(Inst, Access)| {
            !group.contains(inst)
                && self.points.may_alias(&access, other)
                && !self.points.are_apart(&access, other, around)
                && self
                    .points
                    .can_meet(at, *inst, other, When::During(self.holder))
        };
        !(self.writes.iter().any(meets) || stores && self.reads.iter().any(meets))
    }
}

/// How a value is computed: two that are spelled alike at places that see the same values are equal.
pub fn spelled(body: &Body, v: Value, depth: usize) -> String {
    let Some(inst) = body.def_inst(v).filter(|_| depth > 0) else {
        return v.to_string();
    };
    let data = &body.insts[inst];
    if !data.op.is_pure() {
        return v.to_string();
    }
    // Conversions differ in what they result in alone.
    let mut text = format!("{:?} {}", data.op, body.ty(v).name());
    for &arg in &data.args {
        text.push_str(&format!("({})", spelled(body, arg, depth - 1)));
    }
    text
}

impl Promotion {
    /// What is replaced is for the caller to rewrite, for all promotions at once.
    fn apply(&self, body: &mut Body, replaced: &mut Replacements) {
        let region = body.insts[self.holder].regions[0];
        let first = self.loads.first().or(self.stores.first()).copied();
        let Some(first) = first else { return };
        let span = body.insts[first].span;
        let address = body.insts[first].args[0];
        let load_ctype = self
            .loads
            .first()
            .and_then(|&l| body.values[body.result(l)].ctype);
        let address = outside(body, self.holder, region, address, replaced);
        let runs = match self.runs {
            true => None,
            false => Some(test(body, self.holder, span)),
        };
        // Only what the loop reads before it writes must be known in front of it.
        let initial = match self.reads_first(body, region) {
            true => load(body, self.holder, runs, address, self.ty, span),
            false => Builder::before(body, self.holder).zero_of(self.ty),
        };
        body.values[initial].ctype = load_ctype;
        if self.stores.is_empty() {
            for &l in &self.loads {
                let v = body.result(l);
                let name = body.values[v].name.take();
                if body.values[initial].name.is_none() {
                    body.values[initial].name = name;
                }
                replaced.set(v, initial);
                edit::unlink(body, l);
            }
            return;
        }
        let carried = body.add_arg(region, self.ty);
        body.values[carried].ctype = load_ctype;
        body.insts[self.holder].args.push(initial);
        let result = body.add_result(self.holder, self.ty);
        body.values[result].ctype = load_ctype;
        let mut current = carried;
        for inst in body.regions[region].insts.clone() {
            self.walk(body, inst, &mut current, replaced);
        }
        for &s in &self.stores {
            edit::unlink(body, s);
        }
        let end = body.terminator(region).expect("a region ends");
        body.insts[end].args.push(current);
        self.store_behind(body, runs, address, result, span);
    }

    /// Is a load the first of the accesses in an iteration?
    fn reads_first(&self, body: &Body, region: Region) -> bool {
        for &inst in &body.regions[region].insts {
            let inside = |&l: &Inst| l == inst || edit::is_inside(body, l, inst);
            if self.loads.iter().any(inside) {
                return true;
            }
            if self.stores.contains(&inst) {
                return false;
            }
        }
        true
    }

    /// Replaces loads by what is stored so far.
    fn walk(&self, body: &mut Body, inst: Inst, current: &mut Value, map: &mut Replacements) {
        if self.loads.contains(&inst) {
            let v = body.result(inst);
            map.set(v, *current);
            edit::unlink(body, inst);
        } else if self.stores.contains(&inst) {
            *current = map.get(body.insts[inst].args[1]);
        } else {
            for region in body.insts[inst].regions.clone() {
                for inner in body.regions[region].insts.clone() {
                    self.walk(body, inner, current, map);
                }
            }
        }
    }

    fn store_behind(
        &self,
        body: &mut Body,
        runs: Option<Value>,
        address: Value,
        value: Value,
        span: Span,
    ) {
        let region = body.insts[self.holder].parent;
        let mut b = Builder::at_end(body, region);
        b.span = span;
        b.cursor.before = Some(edit::position(b.body, self.holder) + 1);
        match runs {
            None => {
                b.store(address, value);
            }
            Some(runs) => {
                let (_, then, otherwise) = b.if_(runs, &[]);
                b.inside(then, |b| {
                    b.store(address, value);
                    b.yield_(&[]);
                });
                b.inside(otherwise, |b| b.yield_(&[]));
            }
        }
    }
}

/// The test of a loop before its first iteration, in front of it.
fn test(body: &mut Body, holder: Inst, span: Span) -> Value {
    let data = &body.insts[holder];
    let (lower, upper) = (data.args[0], data.args[1]);
    let op = match &data.op {
        Op::For(attr) => match attr.pred {
            Pred::Lt => Op::Lt,
            Pred::Le => Op::Le,
            Pred::Gt => Op::Gt,
            Pred::Ge => Op::Ge,
            Pred::Ne => Op::Ne,
        },
        _ => Op::Ne,
    };
    let mut b = Builder::before(body, holder);
    b.span = span;
    b.value(op, vec![lower, upper], Type::Bool)
}

/// A load in front of a loop, under its test if there is one.
fn load(
    body: &mut Body,
    holder: Inst,
    runs: Option<Value>,
    address: Value,
    ty: Type,
    span: Span,
) -> Value {
    let mut b = Builder::before(body, holder);
    b.span = span;
    let Some(runs) = runs else {
        return b.load(ty, address);
    };
    let (inst, then, otherwise) = b.if_(runs, &[ty]);
    b.inside(then, |b| {
        let v = b.load(ty, address);
        b.yield_(&[v]);
    });
    b.inside(otherwise, |b| {
        let zero = b.zero_of(ty);
        b.yield_(&[zero]);
    });
    b.body.result(inst)
}

/// An address that does not change in a loop, computed in front of it.
fn outside(
    body: &mut Body,
    holder: Inst,
    region: Region,
    v: Value,
    replaced: &Replacements,
) -> Value {
    let v = replaced.get(v);
    if !body.encloses(region, body.def_region(v)) {
        return v;
    }
    let Some(inst) = body.def_inst(v) else {
        return v;
    };
    let data = body.insts[inst].clone();
    let args = data
        .args
        .iter()
        .map(|&a| outside(body, holder, region, a, replaced))
        .collect();
    let (ty, ctype) = (body.ty(v), body.values[v].ctype);
    let mut b = Builder::before(body, holder);
    b.span = data.span;
    let new = b.value(data.op, args, ty);
    body.values[new].ctype = ctype;
    new
}
