//! Running indices: integers that loops carry on and only make larger (`at++` in a nest of loops). They have bounds, from what they start with and how often they grow. Not those
//! that grow in some iterations only: memory that is as long as their bound could be far longer than what is read.

use super::{Key, Terms};
use crate::parallel::poly::{Atom, Known, Poly};
use adjoin_ir::{Inst, Op, Region, Value, ValueDef};
use adjoin_passes::edit::exit_target;

/// So many loops inside each other are looked at.
const DEEPEST: usize = 4;

impl Terms<'_> {
    /// An integer that a `for` inside the region carries on, as its argument.
    pub(super) fn running(&mut self, holder: Inst, k: usize, v: Value) -> Poly {
        let a = self.intern(Key::Value(v), Some(v));
        let p = Poly::atom(a);
        let body = self.team.body;
        if !body.ty(v).is_int() || body.ty(v).bits() < 32 {
            return p;
        }
        // What is found on the way may lead here again: it then finds the atom without bounds.
        self.memo.insert(v, p.clone());
        if let Some((lower, upper)) = self.range(holder, k) {
            let depth = self.team.around(holder).len() + 1;
            let data = &mut self.atoms[a.0 as usize];
            (data.lower, data.upper, data.depth) = (Some(lower), vec![upper], depth);
        }
        p
    }

    /// The smallest and largest value of what a loop carries on.
    fn range(&mut self, holder: Inst, k: usize) -> Option<(Poly, Poly)> {
        let growth = self.growth(holder, k, 0)?;
        let first = self.integer(self.team.body.insts[holder].args[k + 2]);
        let (low, high) = self.bounds(holder);
        let further = high.first()?.minus(&low?);
        let upper = first.plus(&further.times(&growth)?);
        Some((first, upper))
    }

    /// By how much an iteration of a loop makes what it carries on larger at most, in terms of what is known in front of the loop. It is never made smaller.
    fn growth(&mut self, holder: Inst, k: usize, depth: usize) -> Option<Poly> {
        let body = self.team.body;
        let region = body.insts[holder].regions[0];
        let end = body.terminator(region)?;
        if depth > DEEPEST || !self.is_left_at_end(holder) {
            return None;
        }
        let start = body.regions[region].args[k];
        let next = *body.insts[end].args.get(k - 1)?;
        let grown = self.difference(next, start, region, depth)?;
        self.most(&grown, region)
    }

    /// The largest value of a polynomial in all iterations of a loop, in terms of what is known in front of it, if that is never negative.
    fn most(&mut self, p: &Poly, region: Region) -> Option<Poly> {
        let body = self.team.body;
        let mut known = Known::default();
        self.facts(body.terminator(region)?, &mut known, &|_, _| true);
        let inner = |me: &Self, a: Atom| {
            let value = me.data(a).value;
            value.is_some_and(|v| body.encloses(region, body.def_region(v)))
        };
        let most = self.extreme(p, true, &[], &known, &|a| !inner(self, a))?;
        let settled = !most.atoms().any(|a| inner(self, a));
        (settled && known.not_negative(&most)).then_some(most)
    }

    /// How much larger than `start` a value of a loop's body is at most. It is not smaller.
    fn difference(&mut self, v: Value, start: Value, home: Region, depth: usize) -> Option<Poly> {
        if v == start {
            return Some(Poly::default());
        }
        let body = self.team.body;
        let ValueDef::Result(inst, result) = body.values[v].def else {
            return None;
        };
        let data = &body.insts[inst];
        match &data.op {
            Op::Add => {
                let constant = |v: Value| body.const_int(v).filter(|n| (0..1 << 20).contains(n));
                let (rest, n) = [0, 1]
                    .into_iter()
                    .find_map(|k| Some((data.args[1 - k], constant(data.args[k])?)))?;
                Some(self.difference(rest, start, home, depth)?.plus_constant(n))
            }
            Op::For(_) if result > 0 && body.encloses(home, data.parent) => {
                let k = result as usize;
                let before = self.difference(data.args[k + 2], start, home, depth)?;
                let each = self.growth(inst, k, depth + 1)?;
                let (low, high) = self.bounds(inst);
                let times = high.first()?.minus(&low?).plus_constant(1);
                // It may be empty in some iterations: then the largest number is what counts.
                let times = self.most(&times, home)?;
                Some(before.plus(&times.times(&each)?))
            }
            _ => None,
        }
    }

    /// Does each iteration of a loop go to the end of its body?
    pub(super) fn is_left_at_end(&self, holder: Inst) -> bool {
        let body = self.team.body;
        let region = body.insts[holder].regions[0];
        let end = body.terminator(region);
        let mut work = vec![region];
        while let Some(region) = work.pop() {
            for &inst in &body.regions[region].insts {
                let op = &body.insts[inst].op;
                if op.is_terminator() && Some(inst) != end {
                    let leaves = exit_target(body, inst).is_none_or(|t| {
                        t == holder || !adjoin_passes::edit::is_inside(body, t, holder)
                    });
                    if leaves {
                        return false;
                    }
                }
                work.extend(body.insts[inst].regions.iter().copied());
            }
        }
        end.is_some_and(|e| matches!(body.insts[e].op, Op::Yield))
    }
}
