//! Increments of neighbours, turned round: `u′[i - 1] += …; u′[i] += …; u′[i + 1] += …` over a row of lanes becomes one loop over the elements of `u′`, each of which collects what it
//! gets and is written once. What is added lies in rows with zeros before and behind them, so that the first and last elements need no loops of their own.
//!
//! Where the compiler can do that in lanes, the loop that computes what is added collects it as well: the lanes before hand on what they add (`strip/hand_on`). That needs no rows, and no
//! second loop that waits for what the first one has just written.

use super::conflicts::Touch;
use super::nest::{Group, Nest, is_index};
use adjoin_ir::{Body, Inst, Op, Value};
use std::collections::BTreeMap;

/// With fewer neighbours than this, loops one after the other are as good.
const FEWEST: usize = 3;
/// As many are worth it where they are handed on.
const FEWEST_HANDED_ON: usize = 2;
/// A loop hands on this many numbers at most.
const MOST_HANDED_ON: i64 = 6;
/// Neighbours farther apart than this stay apart.
const FARTHEST: i64 = 8;

/// One of the increments that are collected.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Its store.
    pub store: Inst,
    /// How many elements behind that of the first tap.
    pub distance: i64,
    /// What lies in a row.
    pub kept: Value,
    /// The product of that and a number that is the same in all lanes, if this is what is added.
    pub product: Option<Inst>,
}

impl Nest<'_> {
    /// Finds increments of neighbours among some that may be made in any order.
    pub(super) fn neighbours(&self, movable: &[Inst]) -> Vec<Vec<Tap>> {
        if !self.own.is_empty() || !self.body.ty(self.counter()).is_signed() {
            return Vec::new();
        }
        adjoin_passes::registry::optional("gather", || self.gathered(movable))
    }

    fn gathered(&self, movable: &[Inst]) -> Vec<Vec<Tap>> {
        let mut found: Vec<Vec<Tap>> = Vec::new();
        for &store in movable {
            let Some(tap) = self.tap(store) else {
                continue;
            };
            let near = found.iter_mut().find_map(|taps| {
                let distance = self.distance(taps[0].store, store)?;
                Some((taps, distance))
            });
            match near {
                Some((taps, distance)) => taps.push(Tap { distance, ..tap }),
                None => found.push(vec![tap]),
            }
        }
        found.retain(|taps| {
            let mut distances: Vec<i64> = taps.iter().map(|t| t.distance).collect();
            distances.sort_unstable();
            distances.dedup();
            let far = distances[distances.len() - 1] - distances[0];
            // Elements in between that nobody adds to must not belong to another thread.
            let close = distances.windows(2).all(|w| w[1] - w[0] == 1);
            distances.len() >= self.fewest(taps)
                && far <= FARTHEST
                && (close || !is_in_team(self.body, taps[0].store))
        });
        found
    }

    fn fewest(&self, taps: &[Tap]) -> usize {
        match self.manner.hands_on && handed_on(taps) <= MOST_HANDED_ON {
            true => FEWEST_HANDED_ON,
            false => FEWEST,
        }
    }

    /// Can the loop of a group collect what its lanes add? Nothing else in it may touch what they add to.
    pub(super) fn may_hand_on(&self, group: &Group, taps: &[Tap]) -> bool {
        let parts = |t: &Tap| [self.increments[&t.store].load, t.store];
        let own: Vec<Inst> = taps.iter().flat_map(parts).collect();
        let mut others = group.insts.clone();
        for store in &group.sums {
            others.extend([self.increments[store].load, *store]);
        }
        others.extend(group.handed_on.iter().flatten().flat_map(parts));
        let (own, others) = (self.touches_in(&own), self.touches_in(&others));
        let already: i64 = group.handed_on.iter().map(|t| handed_on(t)).sum();
        let here = |t: &Tap| {
            let inst = self.body.def_inst(t.kept);
            inst.is_some_and(|i| group.insts.contains(&i))
        };
        self.manner.hands_on
            && group.independent
            && already + handed_on(taps) <= MOST_HANDED_ON
            && taps.iter().all(here)
            && own.iter().all(|a| {
                let met = |b: &&Touch| self.conflicts.meet_across(self.holder, a, b, true);
                let now = |b: &&Touch| self.conflicts.meet_now(self.holder, a, b);
                !others.iter().any(|b| met(b) || now(b))
            })
    }

    /// What an increment adds, if it can be read from a row.
    fn tap(&self, store: Inst) -> Option<Tap> {
        let body = self.body;
        let address = body.insts[store].args[0];
        let size = body.ty(body.insts[store].args[1]).size();
        let stride = self.points.stride(store, address, self.counter())?;
        if u64::try_from(stride) != Ok(size) || !self.is_level(address, 16) {
            return None;
        }
        let kept = |v: &Value| {
            let computed = body.def_inst(*v).is_some_and(|i| !is_index(body, i));
            self.varying.contains(v) && !self.chained.contains(v) && computed
        };
        let tap = |kept: Value, product: Option<Inst>| Tap {
            store,
            distance: 0,
            kept,
            product,
        };
        let v = self.increments[&store].value;
        let inst = body.def_inst(v)?;
        let data = &body.insts[inst];
        let once = self.uses.get(&v).is_some_and(|u| u.len() == 1);
        if matches!(data.op, Op::Mul) && once && data.parent == body.insts[store].parent {
            let [a, b] = [data.args[0], data.args[1]];
            for (x, y) in [(a, b), (b, a)] {
                if kept(&x) && !self.varying.contains(&y) {
                    return Some(tap(x, Some(inst)));
                }
            }
        }
        kept(&v).then(|| tap(v, None))
    }

    /// Is an address made of the counter and of what is the same in all lanes?
    fn is_level(&self, v: Value, depth: u32) -> bool {
        if v == self.counter() || !self.varying.contains(&v) {
            return true;
        }
        let inst = self.body.def_inst(v).filter(|&i| is_index(self.body, i));
        inst.is_some_and(|i| {
            let args = &self.body.insts[i].args;
            depth > 0 && args.iter().all(|&a| self.is_level(a, depth - 1))
        })
    }

    /// How many elements one increment is behind another, if that is a small number.
    fn distance(&self, first: Inst, second: Inst) -> Option<i64> {
        let body = self.body;
        let [a, b] = [first, second].map(|i| &body.insts[i]);
        let size = body.ty(a.args[1]).size() as i64;
        let same = a.parent == b.parent && body.ty(a.args[1]) == body.ty(b.args[1]);
        let bytes = self.points.distance(first, a.args[0], b.args[0])?;
        let near = bytes % size == 0 && (bytes / size).abs() <= FARTHEST;
        (same && near).then_some(bytes / size)
    }
}

/// How many numbers are handed on to the next iteration where increments are collected in the loop that computes them.
fn handed_on(taps: &[Tap]) -> i64 {
    let low = taps.iter().map(|t| t.distance).min().unwrap_or(0);
    let mut farthest: BTreeMap<Value, i64> = BTreeMap::new();
    for tap in taps {
        let most = farthest.entry(tap.kept).or_default();
        *most = (*most).max(tap.distance - low);
    }
    farthest.values().sum()
}

fn is_in_team(body: &Body, mut inst: Inst) -> bool {
    while let Some(holder) = body.regions[body.insts[inst].parent].parent {
        if !matches!(
            body.insts[holder].op,
            Op::For(_) | Op::Loop | Op::If | Op::Block | Op::Switch(_)
        ) {
            return true;
        }
        inst = holder;
    }
    false
}
