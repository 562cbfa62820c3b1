//! Writes the loops that collect what neighbours get (`gather`).

use super::{Group, Rows, Writer};
use crate::loops::gather::Tap;
use crate::loops::nest::Node;
use adjoin_ir::{ForAttr, Op, Pred, Value};
use std::collections::HashMap;

/// How many zeros stand before and behind what a row holds: as many as the taps that read it are apart.
pub(super) fn padding(nodes: &[Node], rows: &Rows, found: &mut HashMap<usize, i64>) -> Option<()> {
    for node in nodes {
        match node {
            Node::Uniform(_) | Node::Zero(_) => {}
            Node::Loop(_, inner) => padding(inner, rows, found)?,
            Node::Leaves(groups) => {
                for group in groups {
                    let (low, high) = range(&group.taps);
                    for tap in &group.taps {
                        let zeros = found.entry(rows.row(tap.kept)?).or_default();
                        *zeros = (*zeros).max(high - low);
                    }
                }
            }
        }
    }
    Some(())
}

/// The distances of the first and the last element that a lane adds to.
fn range(taps: &[Tap]) -> (i64, i64) {
    let all = || taps.iter().map(|t| t.distance);
    (all().min().unwrap_or(0), all().max().unwrap_or(0))
}

impl Writer<'_> {
    /// A loop over the elements that the lanes of the strip add to.
    pub(super) fn collect(&mut self, group: &Group) -> Option<()> {
        let region = self.body.insts[self.plan.holder].regions[0];
        let index = self.body.regions[region].args[0];
        let (low, high) = range(&group.taps);
        let store = self.body.insts[group.taps[0].store].clone();
        let number = self.body.ty(store.args[1]);
        // Where the first tap of the first lane adds: the only address that is computed as the program does it.
        self.lane = HashMap::from([(index, self.start)]);
        let first = self.need(store.args[0])?;
        self.lane.clear();
        let count = self.lane_count();
        let ty = self.body.ty(self.start);
        let from = self.b().int(ty, i128::from(low));
        let to = self.moved(count, high);
        let one = self.b().int(ty, 1);
        let (inst, region) = self.b().for_(Pred::Lt, from, to, one, &[]);
        self.body.insts[inst].op = Op::For(ForAttr {
            independent: true,
            ..ForAttr::plain(Pred::Lt)
        });
        let element = self.body.regions[region].args[0];
        self.inside(region, |me| {
            let address = me.at(first, number, element);
            let mut sum = me.b().load(number, address);
            for tap in &group.taps {
                let row = me.rows.row(tap.kept)?;
                let at = me.moved(element, me.padding[&row] - tap.distance);
                let place = me.at(me.row_of[&row], number, at);
                let v = me.b().load(number, place);
                me.call_as(tap.kept, v);
                sum = me.add_tap(sum, tap, v)?;
            }
            me.b().store(address, sum);
            me.b().yield_(&[]);
            Some(())
        })
    }

    /// The number of lanes in the strip.
    pub(super) fn lane_count(&mut self) -> Value {
        let (start, end) = (self.start, self.end);
        match [start, end].map(|v| self.body.const_int(v)) {
            [Some(low), Some(high)] => {
                let ty = self.body.ty(start);
                self.b().int(ty, high - low)
            }
            _ => self.b().sub(end, start),
        }
    }

    /// A number plus a constant.
    pub(super) fn moved(&mut self, v: Value, by: i64) -> Value {
        let ty = self.body.ty(v);
        match (by, self.body.const_int(v)) {
            (0, _) => v,
            (_, Some(n)) => self.b().int(ty, n + i128::from(by)),
            _ => {
                let by = self.b().int(ty, i128::from(by));
                self.b().add(v, by)
            }
        }
    }

    /// Zeros before and behind what the rows hold, where a strip begins: nothing else is written there, and what a lane reads in one piece with its neighbours' numbers is in
    /// memory by then.
    pub(super) fn clear_padding(&mut self) {
        let mut rows: Vec<(usize, i64)> = self.padding.iter().map(|(&r, &n)| (r, n)).collect();
        rows.retain(|&(_, zeros)| zeros > 0);
        rows.sort_unstable();
        if rows.is_empty() {
            return;
        }
        let count = self.lane_count();
        let ty = self.body.ty(count);
        for (row, zeros) in rows {
            let number = self.body.ty(self.rows.example(row));
            let slot = self.row_of[&row];
            let (from, to) = (self.b().int(ty, 0), self.b().int(ty, i128::from(zeros)));
            let one = self.b().int(ty, 1);
            let behind = self.moved(count, zeros);
            let (_, region) = self.b().for_(Pred::Lt, from, to, one, &[]);
            let k = self.body.regions[region].args[0];
            self.inside(region, |me| {
                let zero = me.b().zero_of(number);
                let before = me.at(slot, number, k);
                me.b().store(before, zero);
                let at = me.b().add(behind, k);
                let after = me.at(slot, number, at);
                me.b().store(after, zero);
                me.b().yield_(&[]);
            });
        }
    }
}
