//! The result of a branch that only reads and computes, had again in the reverse sweep: `runs ? rows[k] : NULL`, as reading in front of a loop leaves it (`plan/promote`).
//!
//! What a side computes is computed again under the same condition, from what comes from outside; what it reads must still be there. The shadow of a pointer that is read is read from
//! shadow memory.

use super::Reverse;
use super::needed::Key;
use adjoin_ir::{Inst, Op, Region, Type, Value};
use std::collections::HashMap;

/// A side with more instructions is not done again.
const MOST_INSTRUCTIONS: usize = 12;

/// What the sides of a branch need of others, and what they cost.
struct Sides<'a, 'b> {
    reverse: &'a Reverse<'b>,
    needs: Vec<Key>,
    count: usize,
    price: u64,
}

impl Sides<'_, '_> {
    fn need(&mut self, key: Key) {
        if !self.needs.contains(&key) {
            self.needs.push(key);
        }
    }

    /// A value, or the shadow of a pointer, in a side.
    fn visit(&mut self, region: Region, key: Key) -> Option<()> {
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return None;
        };
        let reverse = self.reverse;
        let p = &reverse.p;
        let is_shadow = matches!(key, Key::Shadow(_));
        if p.def_region(v) != region {
            self.need(key);
            return Some(());
        }
        self.count += 1;
        let inst = p.def_inst(v).filter(|_| self.count <= MOST_INSTRUCTIONS)?;
        let data = &p.insts[inst];
        if data.results.len() != 1 || !data.regions.is_empty() {
            return None;
        }
        let certain = |v: Value| !reverse.facts.shadow[v].none;
        match &data.op {
            Op::Const(_) => return Some(()),
            Op::Load(_) if reverse.rereads.can(inst) => {
                let pointers = !reverse.session.options.runtime_activity;
                if is_shadow && !(pointers && reverse.has_shadow(v) && certain(data.args[0])) {
                    return None;
                }
                self.price += 2;
            }
            Op::Addr(_) if !is_shadow || certain(data.args[0]) => self.price += 1,
            Op::Div | Op::Rem => return None,
            op if op.is_pure() && !is_shadow => self.price += 1,
            _ => return None,
        }
        for (k, &arg) in data.args.iter().enumerate() {
            let key = match is_shadow && k == 0 {
                true => Key::Shadow(arg),
                false => Key::Value(arg),
            };
            self.visit(region, key)?;
        }
        Some(())
    }
}

impl Reverse<'_> {
    /// What each side of a branch hands over as one of its results.
    fn given(&self, inst: Inst, k: usize) -> Option<[Value; 2]> {
        let of = |region: Region| {
            let end = self.p.terminator(region)?;
            let yields = matches!(self.p.insts[end].op, Op::Yield);
            (self.p.insts[end].args.get(k).copied()).filter(|_| yields)
        };
        let [then, otherwise] = self.p.insts[inst].regions[..] else {
            return None;
        };
        Some([of(then)?, of(otherwise)?])
    }

    /// From what a result of a branch, or its shadow, is had again, and the price. The condition comes first.
    pub(super) fn guarded_needs(
        &self,
        inst: Inst,
        k: usize,
        is_shadow: bool,
    ) -> Option<(Vec<Key>, u64)> {
        let mut sides = Sides {
            reverse: self,
            needs: vec![Key::Value(self.p.insts[inst].args[0])],
            count: 0,
            price: 2,
        };
        let given = self.given(inst, k)?;
        for (side, v) in given.into_iter().enumerate() {
            let key = match is_shadow {
                true => Key::Shadow(v),
                false => Key::Value(v),
            };
            sides.visit(self.p.insts[inst].regions[side], key)?;
        }
        Some((sides.needs, sides.price))
    }

    /// Has a result of a branch again, here in R, from what it needs.
    pub(super) fn guarded_again(
        &mut self,
        inst: Inst,
        k: usize,
        is_shadow: bool,
        had: &[(Key, Value)],
    ) -> Value {
        let given = self
            .given(inst, k)
            .expect("the branch was looked at before");
        let ty = self.p.ty(self.p.insts[inst].results[k]);
        let (made, then, otherwise) = self.b().if_(had[0].1, &[ty]);
        let here = (self.at, self.position);
        for (side, region) in [then, otherwise].into_iter().enumerate() {
            (self.at, self.position) = (region, None);
            let mut known: HashMap<Key, Value> = had.iter().copied().collect();
            let key = match is_shadow {
                true => Key::Shadow(given[side]),
                false => Key::Value(given[side]),
            };
            let v = self.in_side(self.p.insts[inst].regions[side], key, &mut known);
            self.b().yield_(&[v]);
        }
        (self.at, self.position) = here;
        self.d.insts[made].results[0]
    }

    fn in_side(&mut self, side: Region, key: Key, known: &mut HashMap<Key, Value>) -> Value {
        if let Some(&v) = known.get(&key) {
            return v;
        }
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return self.b().null();
        };
        let is_shadow = matches!(key, Key::Shadow(_));
        let inst = (self.p.def_inst(v).filter(|_| self.p.def_region(v) == side))
            .expect("what a side does not compute was had before");
        let data = self.p.insts[inst].clone();
        let value = match data.op {
            Op::Const(_) if is_shadow => self.b().null(),
            _ => {
                let mut args = Vec::new();
                for (k, &arg) in data.args.iter().enumerate() {
                    let key = match is_shadow && k == 0 {
                        true => Key::Shadow(arg),
                        false => Key::Value(arg),
                    };
                    args.push(self.in_side(side, key, known));
                }
                let ty: Type = self.p.ty(v);
                self.b().value(data.op, args, ty)
            }
        };
        self.d.values[value].ctype = self.p.values[v].ctype;
        known.insert(key, value);
        value
    }
}
