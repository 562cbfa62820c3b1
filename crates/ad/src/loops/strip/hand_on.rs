//! Writes increments of neighbours into the loop that computes what is added: each lane adds to the first element that no later lane adds to, and hands on what the elements behind
//! it get. When the loop has ended, a few elements are left.

use super::{Group, Writer};
use crate::loops::gather::Tap;
use adjoin_ir::{Op, Value};
use std::collections::{BTreeMap, HashMap};

/// What is handed on: a value, and over how many lanes. The list says where each of them is among those that the loop carries.
fn handed_on(group: &Group) -> Vec<(Value, i64)> {
    let mut farthest: BTreeMap<Value, i64> = BTreeMap::new();
    for taps in &group.handed_on {
        let low = first(taps).distance;
        for tap in taps {
            let most = farthest.entry(tap.kept).or_default();
            *most = (*most).max(tap.distance - low);
        }
    }
    let lanes = |(v, most): (Value, i64)| (1..=most).map(move |lanes| (v, lanes));
    farthest.into_iter().flat_map(lanes).collect()
}

/// The tap of the first element that a lane adds to.
fn first(taps: &[Tap]) -> Tap {
    let nearest = taps.iter().min_by_key(|t| t.distance);
    *nearest.expect("there are taps")
}

/// How many elements a lane adds to behind the first.
fn span(taps: &[Tap]) -> i64 {
    let low = first(taps).distance;
    taps.iter().map(|t| t.distance - low).max().unwrap_or(0)
}

impl Writer<'_> {
    /// Before the first lane nothing was handed on.
    pub(super) fn begin_handing_on(&mut self, group: &Group) {
        for (v, _) in handed_on(group) {
            let ty = self.body.ty(v);
            let zero = self.b().zero_of(ty);
            self.handed_on.push(zero);
        }
    }

    /// In a lane: the element that gets nothing from later lanes is added to.
    pub(super) fn hand_on(&mut self, group: &Group) -> Option<()> {
        let list = handed_on(group);
        for (k, &(v, lanes)) in list.iter().enumerate() {
            let before = self.handed_on[k];
            let name = self.body.values[v].name.as_deref().unwrap_or("t");
            let name = match lanes {
                1 => format!("{name}_before"),
                n => format!("{name}_before_{n}"),
            };
            self.body.values[before].name = Some(name);
        }
        for taps in &group.handed_on {
            let tap = first(taps);
            let address = self.need(self.body.insts[tap.store].args[0])?;
            let mut added = Vec::new();
            for tap in taps {
                let v = match tap.distance - first(taps).distance {
                    0 => self.need(tap.kept)?,
                    lanes => self.handed_over(&list, tap.kept, lanes)?,
                };
                added.push((*tap, v));
            }
            self.add_taps(address, &added)?;
        }
        let mut next = Vec::new();
        for &(v, lanes) in &list {
            next.push(match lanes {
                1 => self.need(v)?,
                n => self.handed_over(&list, v, n - 1)?,
            });
        }
        self.handed_on = next;
        Some(())
    }

    /// Behind the last lane: the elements that are left.
    pub(super) fn end_handing_on(&mut self, group: &Group) -> Option<()> {
        let list = handed_on(group);
        for taps in &group.handed_on {
            let region = self.body.insts[self.plan.holder].regions[0];
            let index = self.body.regions[region].args[0];
            let store = self.body.insts[first(taps).store].clone();
            let number = self.body.ty(store.args[1]);
            self.lane = HashMap::from([(index, self.start)]);
            let begin = self.need(store.args[0])?;
            self.lane.clear();
            let count = self.lane_count();
            for behind in 0..span(taps) {
                let at = self.moved(count, behind);
                let address = self.at(begin, number, at);
                let mut added = Vec::new();
                for tap in taps {
                    let lanes = tap.distance - first(taps).distance - behind;
                    if lanes > 0 {
                        added.push((*tap, self.handed_over(&list, tap.kept, lanes)?));
                    }
                }
                self.add_taps(address, &added)?;
            }
        }
        self.handed_on.clear();
        Some(())
    }

    /// What a lane so many lanes before had for a value.
    fn handed_over(&self, list: &[(Value, i64)], v: Value, lanes: i64) -> Option<Value> {
        let place = list.iter().position(|&entry| entry == (v, lanes))?;
        self.handed_on.get(place).copied()
    }

    /// Adds what taps give to one element.
    fn add_taps(&mut self, address: Value, added: &[(Tap, Value)]) -> Option<()> {
        let (tap, _) = added.first()?;
        let number = self.body.ty(self.body.insts[tap.store].args[1]);
        let mut sum = self.b().load(number, address);
        for &(tap, v) in added {
            sum = self.add_tap(sum, &tap, v)?;
        }
        self.b().store(address, sum);
        Some(())
    }

    /// A sum with what a tap adds to it, made of what was kept for it.
    pub(super) fn add_tap(&mut self, sum: Value, tap: &Tap, kept: Value) -> Option<Value> {
        let mut v = kept;
        if let Some(product) = tap.product {
            let args = self.body.insts[product].args.clone();
            let args = args
                .iter()
                .map(|&a| {
                    if a == tap.kept {
                        Some(v)
                    } else {
                        self.common(a)
                    }
                })
                .collect::<Option<Vec<_>>>()?;
            let new = self.copy(product, args);
            v = self.body.result(new);
        }
        Some(
            match self.body.insts[self.plan.increments[&tap.store].add].op {
                Op::Sub => self.b().sub(sum, v),
                _ => self.b().add(sum, v),
            },
        )
    }
}
