//! One store for a place that is written first and then corrected: `c[k] = f; if (c[k] < 0) c[k] = 0; else if (c[k] > 1) c[k] = 1;`, as limiters, cut-offs and clamps are written.
//!
//! What the branches leave becomes their result, which is stored behind them. Then branches only choose (`prepare::choices` makes selections of them), what is read in them is a value, and the reverse sweep
//! clears and reads the adjoint of the place once, not under each branch: its loops run in lanes. The first store makes it certain that the place may be written; nothing in between may read it in another way.
//! Results are the same to the bit.

use super::promote::spelled;
use crate::Registry;
use crate::points_to::{Access, Disjoint, PointsTo};
use adjoin_ir::{Body, CTy, Inst, Module, Op, Region, Type, Value};
use adjoin_passes::edit::{self, Replacements};

/// A store, and the instructions behind it up to the last branch that writes there as well.
struct Corrected {
    store: Inst,
    between: Vec<Inst>,
    /// Loads of what was stored, and the other stores.
    loads: Vec<Inst>,
    stores: Vec<Inst>,
}

/// Runs over the prepared body of a function of the given type. Returns how many places it found.
pub fn run(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    adjoin_passes::registry::optional("settle", || {
        let found = {
            let points = PointsTo::of_type(module, registry, ctype, body).assuming(disjoint);
            find(body, &points)
        };
        let mut replaced = Replacements::default();
        for corrected in &found {
            corrected.apply(body, &mut replaced);
        }
        replaced.apply(body);
        found.len()
    })
}

/// Places of one region do not share instructions: the next one is looked for behind the last.
fn find(body: &Body, points: &PointsTo<'_>) -> Vec<Corrected> {
    let mut found = Vec::new();
    for region in edit::live_regions(body) {
        let list = &body.regions[region].insts;
        let mut at = 0;
        while at < list.len() {
            match corrected(body, points, &list[at..]) {
                Some(c) => {
                    at += c.between.len() + 1;
                    found.push(c);
                }
                None => at += 1,
            }
        }
    }
    // What is inside of another one is done by it.
    let inner = |c: &Corrected| {
        let holds = |i: &Inst| edit::is_inside(body, c.store, *i);
        found.iter().any(|o| o.between.iter().any(holds))
    };
    let keep: Vec<bool> = found.iter().map(|c| !inner(c)).collect();
    let mut keep = keep.into_iter();
    found.retain(|_| keep.next() == Some(true));
    found
}

/// The place that the first instruction stores to, if branches behind it do as well.
fn corrected(body: &Body, points: &PointsTo<'_>, list: &[Inst]) -> Option<Corrected> {
    let (&store, rest) = list.split_first()?;
    let data = &body.insts[store];
    if !matches!(&data.op, Op::Store(attr) if !attr.volatile) {
        return None;
    }
    let [access] = &points.writes(store)[..] else {
        return None;
    };
    let place = Place {
        body,
        points,
        store,
        address: data.args[0],
        ty: body.ty(data.args[1]),
        access,
    };
    let (mut seen, mut found) = (Seen::default(), None);
    for (k, &inst) in rest.iter().enumerate() {
        let before = seen.stores.len();
        // A second store in the same list needs no branch; compilers see to it.
        if matches!(body.insts[inst].op, Op::Store(_)) || !place.allows(inst, &mut seen) {
            break;
        }
        if seen.stores.len() > before {
            found = Some(Corrected {
                store,
                between: rest[..=k].to_vec(),
                loads: seen.loads.clone(),
                stores: seen.stores.clone(),
            });
        }
    }
    found
}

#[derive(Default)]
struct Seen {
    loads: Vec<Inst>,
    stores: Vec<Inst>,
}

/// What is stored to.
struct Place<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
    store: Inst,
    address: Value,
    ty: Type,
    access: &'a Access,
}

impl Place<'_> {
    /// Can the first store wait until this has run?
    fn allows(&self, inst: Inst, seen: &mut Seen) -> bool {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Load(attr) if !attr.volatile => {
                if self.is(data.args[0], self.body.ty(data.results[0])) {
                    seen.loads.push(inst);
                    return true;
                }
                let reads = self.points.reads(inst);
                !reads.iter().any(|r| self.points.may_alias(r, self.access))
            }
            Op::Store(attr) if !attr.volatile => {
                seen.stores.push(inst);
                self.is(data.args[0], self.body.ty(data.args[1]))
            }
            Op::If => data.regions.iter().all(|&r| self.allows_arm(r, seen)),
            op => op.is_pure() && data.regions.is_empty(),
        }
    }

    /// An arm that goes on behind its branch.
    fn allows_arm(&self, arm: Region, seen: &mut Seen) -> bool {
        let list = &self.body.regions[arm].insts;
        let Some((&end, list)) = list.split_last() else {
            return false;
        };
        matches!(self.body.insts[end].op, Op::Yield)
            && list.iter().all(|&inst| self.allows(inst, seen))
    }

    fn is(&self, address: Value, ty: Type) -> bool {
        ty == self.ty
            && (address == self.address
                || spelled(self.body, address, 8) == spelled(self.body, self.address, 8)
                || self.points.distance(self.store, self.address, address) == Some(0))
    }
}

impl Corrected {
    /// What is replaced is for the caller to rewrite, for all places at once.
    fn apply(&self, body: &mut Body, replaced: &mut Replacements) {
        let Some(&last) = self.between.last() else {
            return;
        };
        let mut current = replaced.get(body.insts[self.store].args[1]);
        for &inst in &self.between {
            self.walk(body, inst, &mut current, replaced);
        }
        // The store itself moves: its address and its line stay.
        body.insts[self.store].args[1] = current;
        edit::unlink(body, self.store);
        let region = body.insts[last].parent;
        let at = edit::position(body, last) + 1;
        body.regions[region].insts.insert(at, self.store);
    }

    /// Follows what the place holds.
    fn walk(&self, body: &mut Body, inst: Inst, current: &mut Value, map: &mut Replacements) {
        if self.loads.contains(&inst) {
            map.set(body.result(inst), *current);
            edit::unlink(body, inst);
        } else if self.stores.contains(&inst) {
            *current = map.get(body.insts[inst].args[1]);
            edit::unlink(body, inst);
        } else if matches!(body.insts[inst].op, Op::If) {
            let arms = body.insts[inst].regions.clone();
            let before = *current;
            let mut left = Vec::new();
            for &arm in &arms {
                let mut inside = before;
                for inner in body.regions[arm].insts.clone() {
                    self.walk(body, inner, &mut inside, map);
                }
                left.push(inside);
            }
            if left.iter().any(|&v| v != before) {
                *current = choose(body, inst, &arms, &left, before);
            }
        }
    }
}

/// Makes what the arms leave a result of their branch.
fn choose(body: &mut Body, branch: Inst, arms: &[Region], left: &[Value], like: Value) -> Value {
    for (&arm, &v) in arms.iter().zip(left) {
        let end = body.terminator(arm).expect("a region ends");
        body.insts[end].args.push(v);
    }
    let result = body.add_result(branch, body.ty(like));
    body.values[result].ctype = body.values[like].ctype;
    result
}
