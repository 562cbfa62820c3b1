//! Where the lanes of a loop read and write: side by side, or where a table says.

use super::conflicts::Touch;
use super::nest::{Nest, is_index};
use adjoin_ir::{Op, Region, Value};

/// Farther apart than this many bytes, lanes are not worth it: each is a cache line of its own.
const LARGEST_STRIDE: u64 = 32;
/// How much an iteration must compute for each access to a place that a table says, so that lanes are worth it.
const LEAST_ARITHMETIC: usize = 4;

impl Nest<'_> {
    /// Do neighbouring lanes touch neighbouring elements, or the same, or those of neighbouring small structs? What is read or added to where a table says (`x[column[k]]`) is
    /// gathered, or done one after the other behind the lanes: that pays if there is enough to compute.
    pub(super) fn has_good_strides(&self) -> bool {
        let index = self.counter();
        let mut any = false;
        let mut scattered = 0;
        for t in self.touches.iter().filter(|t| !t.own) {
            match self.points.stride(t.inst, t.address, index) {
                Some(0) if !self.varying.contains(&t.address) => {}
                Some(n) if n != 0 && n.unsigned_abs() <= LARGEST_STRIDE => any = true,
                _ if t.writes && t.increment.is_none() => return false,
                _ if self.is_looked_up(t.address, 12) => scattered += 1,
                _ => return false,
            }
        }
        any && (scattered == 0 || self.arithmetic(self.region) >= LEAST_ARITHMETIC * scattered)
    }

    /// Would compilers mix up two accesses of one iteration? They take accesses that lie side by side every so many elements together, reads early and writes late, and believe that
    /// nothing in a loop of independent iterations depends on the order: clang and gcc both read what an iteration wrote as it was before.
    pub(super) fn are_mixed_up(&self, a: &Touch, b: &Touch) -> bool {
        let index = self.counter();
        let apart = |t: &Touch| {
            let stride = self.points.stride(t.inst, t.address, index);
            stride.is_some_and(|n| n.unsigned_abs() > t.ty.size())
        };
        a.writes && (apart(a) || apart(b)) && self.conflicts.meet_now(self.holder, a, b)
    }

    /// Is an address computed from an integer that the lanes read?
    fn is_looked_up(&self, v: Value, depth: u32) -> bool {
        let Some(inst) = self.body.def_inst(v).filter(|_| self.varying.contains(&v)) else {
            return false;
        };
        let data = &self.body.insts[inst];
        match data.op {
            Op::Load(_) => self.body.ty(v).is_int(),
            _ if depth > 0 && is_index(self.body, inst) => {
                data.args.iter().any(|&a| self.is_looked_up(a, depth - 1))
            }
            _ => false,
        }
    }

    /// What the numbers of an iteration cost to compute.
    fn arithmetic(&self, region: Region) -> usize {
        let list = self.body.regions[region].insts.iter();
        list.map(|&inst| {
            let data = &self.body.insts[inst];
            let floats = data.results.iter().any(|&v| self.body.ty(v).is_float());
            let own = match data.op {
                Op::Div | Op::Call(_) if floats => 8,
                Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Select if floats => 1,
                _ => 0,
            };
            let inside = data.regions.iter().map(|&r| self.arithmetic(r));
            own + inside.sum::<usize>()
        })
        .sum()
    }
}
