//! Choices whose reverse is the same either way: `if (d > half) d -= box;` hands the adjoint of `d` on whichever way it went. So the reverse sweep need not know, and the forward sweep
//! need not remember.

use super::Reverse;
use super::needed::Key;
use adjoin_ir::{Inst, Op, Region, Value};

/// Sums longer than this are not followed.
const MOST_STEPS: usize = 8;

impl Reverse<'_> {
    /// Mirrors a branch without its condition, if that is possible.
    pub(super) fn mirror_either_way(&mut self, inst: Inst) -> bool {
        let data = self.p.insts[inst].clone();
        let ends = [0, 1].map(|k| data.regions.get(k).and_then(|&r| self.plain_end(r)));
        let [Some(then), Some(otherwise)] = ends else {
            return false;
        };
        let mut found = Vec::new();
        for (k, adjoint) in self.result_adjoints(inst).into_iter().enumerate() {
            let Some(adjoint) = adjoint else { continue };
            let [a, b] = [then, otherwise].map(|end| self.p.insts[end].args[k]);
            match self.same_number(inst, a, b) {
                Some(Some(v)) => found.push((v, adjoint)),
                Some(None) => {}
                None => return false,
            }
        }
        for (v, adjoint) in found {
            self.contribute(v, adjoint);
        }
        true
    }

    /// The number that a choice between two hands its adjoint to either way; `Some(None)`: to none.
    pub(super) fn same_number(&self, inst: Inst, a: Value, b: Value) -> Option<Option<Value>> {
        let [a, b] = [a, b].map(|v| self.facts.varied.contains(v).then_some(v));
        let (Some(a), Some(b)) = (a, b) else {
            return (a.is_none() && b.is_none()).then_some(None);
        };
        let region = self.p.insts[inst].parent;
        let outside = |v: &Value| {
            let own = self.p.insts[inst].regions.iter();
            !own.clone()
                .any(|&r| self.p.encloses(r, self.p.def_region(*v)))
        };
        let (first, second) = (self.terms(region, a), self.terms(region, b));
        let common = first
            .into_iter()
            .filter(outside)
            .find(|v| second.contains(v));
        common.map(Some)
    }

    /// A number, and what it differs from by something that has no derivative, one after the other, as far as the region computes it.
    fn terms(&self, region: Region, v: Value) -> Vec<Value> {
        let varied = |v: Value| self.facts.varied.contains(v);
        let mut all = vec![v];
        let mut last = v;
        while all.len() < MOST_STEPS
            && let Some(inst) = self.p.def_inst(last)
        {
            let data = &self.p.insts[inst];
            if !self.p.encloses(region, data.parent) {
                break;
            }
            last = match (&data.op, &data.args[..]) {
                (Op::Add, &[a, b]) if varied(a) && !varied(b) => a,
                (Op::Add, &[a, b]) if !varied(a) && varied(b) => b,
                (Op::Sub, &[a, b]) if varied(a) && !varied(b) => a,
                _ => break,
            };
            all.push(last);
        }
        all
    }

    /// The end of a region of arithmetic alone, of which nothing is kept.
    fn plain_end(&self, region: Region) -> Option<Inst> {
        let list = &self.p.regions[region].insts;
        let (&end, rest) = list.split_last()?;
        let plain = |&i: &Inst| {
            let data = &self.p.insts[i];
            let kept = |&v: &Value| self.pushed.contains(&Key::Value(v));
            data.op.is_pure() && data.regions.is_empty() && !data.results.iter().any(kept)
        };
        let ends = matches!(self.p.insts[end].op, Op::Yield);
        (ends && rest.iter().all(plain)).then_some(end)
    }
}
