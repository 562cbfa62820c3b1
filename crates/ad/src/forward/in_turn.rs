//! Integers that are computed from memory where numbers may lie as well: members of unions that are used in turn, with a tag that tells which, and variables of integers that numbers are copied to.
//! Only the run can tell what was there: what was stored as an integer has no tangent. So where such an integer becomes a number, or is stored where one may lie, its tangent is tested.

use super::activity::{Bits, Facts, Object, Scene, object};
use super::calls::Callee;
use super::{Forward, Result};
use crate::activity::bits::is_locally_constant;
use crate::activity::numbers::{is_union_member, through};
use crate::activity::{holds_data, is_number};
use crate::known::Known;
use adjoin_ir::{Inst, Op, Type, Value};
use std::collections::BTreeSet;

/// Does an address lead to numbers and nothing else, as it is declared?
fn is_made_of_numbers(scene: Scene<'_>, address: Value) -> bool {
    let types = &scene.module.types;
    let declared = crate::activity::declared(types, scene.body, address);
    declared.is_some_and(|t| Type::of_ctype(types, t).is_some_and(is_number))
}

/// What is known of the bits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Loaded {
    /// An integer is read where surely a number lies.
    Number,
    /// An integer or a number.
    Either,
    /// Nobody knows what memory it is.
    Unknown,
}

/// What an integer is computed from.
#[derive(Default)]
struct Origins {
    /// Loads of integers that may be bits of numbers.
    loads: BTreeSet<Value>,
    /// Addresses as integers.
    addresses: bool,
    /// Something that is not followed.
    others: bool,
}

impl Facts {
    fn origins(&self, scene: Scene<'_>, v: Value) -> Origins {
        let body = scene.body;
        let (mut found, mut seen, mut work) = (Origins::default(), BTreeSet::new(), vec![v]);
        while let Some(v) = work.pop() {
            if self.bits(v) == Bits::None || !seen.insert(v) {
                continue;
            }
            let Some(inst) = body.def_inst(v) else {
                found.others = true;
                continue;
            };
            let data = &body.insts[inst];
            match &data.op {
                Op::Load(_) => drop(found.loads.insert(v)),
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => found.addresses = true,
                op if op.is_pure() && data.regions.is_empty() => {
                    if !is_locally_constant(body, inst) {
                        work.extend(&data.args);
                    }
                }
                _ => found.others = true,
            }
        }
        found
    }

    /// What a load of an integer reads.
    fn loaded(&self, scene: Scene<'_>, load: Value) -> Loaded {
        let body = scene.body;
        let types = &scene.module.types;
        let Some(inst) = body.def_inst(load) else {
            return Loaded::Unknown;
        };
        let address = body.insts[inst].args[0];
        let own = object(scene, address);
        let slot = own.and_then(|o| match o {
            Object::Made(i) => match &body.insts[i].op {
                Op::Slot(attr) | Op::SlotVla(attr) => Some(attr.ctype),
                _ => None,
            },
            Object::Global(_) => None,
        });
        let member = is_union_member(types, body, address);
        let integers = slot.is_some_and(|t| !holds_data(types, t));
        if !member && !integers {
            return match through(types, body, address) {
                Some(_) => Loaded::Number,
                None => Loaded::Unknown,
            };
        }
        let escapes = own.is_some_and(|o| self.is_escaping(o));
        let (mut stored, mut numbers, mut others) = (slot.is_none() || escapes, member, false);
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Store(_) = data.op {
                let v = data.args[1];
                let plain = body.ty(v).is_int() && self.bits(v) == Bits::None;
                stored |= plain && object(scene, data.args[0]) == own;
            }
            // A value of such a type that was handed on: either, where it comes from.
            stored |= matches!(data.op, Op::Copy(_)) && object(scene, data.args[0]) == own;
            let copies = matches!(scene.callees.of(&data.op), Callee::Known(Known::Copy));
            if copies && object(scene, data.args[0]) == own {
                // Bytes of a message may be anything, and the tangents of its integers too.
                match is_made_of_numbers(scene, data.args[1]) {
                    true => numbers = true,
                    false => others = true,
                }
            }
        });
        match (stored, numbers && !others) {
            (_, false) => Loaded::Unknown,
            (true, true) => Loaded::Either,
            (false, true) => Loaded::Number,
        }
    }
}

impl Forward<'_> {
    /// An integer that is computed from members of unions, and stored to one.
    pub(super) fn guard_member(&mut self, address: Value, v: Value) -> Result<bool> {
        let scene = self.scene();
        let found = self.facts.origins(scene, v);
        let fits = |&load: &Value| {
            let inst = scene.body.def_inst(load);
            let at = inst.map(|i| scene.body.insts[i].args[0]);
            at.is_some_and(|a| is_union_member(&scene.module.types, scene.body, a))
                && self.facts.loaded(scene, load) == Loaded::Either
        };
        let known = is_union_member(&scene.module.types, scene.body, address)
            && !found.addresses
            && !found.others
            && found.loads.iter().all(fits);
        if known {
            self.guard_bits(&found.loads)?;
        }
        Ok(known)
    }

    /// An integer becomes a number.
    pub(super) fn conversion(&mut self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        let v = data.args[0];
        let (from, to) = (self.p.ty(v), self.p.ty(data.results[0]));
        if !from.is_int() || !is_number(to) || self.facts.bits(v) == Bits::None {
            return Ok(());
        }
        let scene = self.scene();
        let found = self.facts.origins(scene, v);
        let (mut sure, mut either) = (false, BTreeSet::new());
        for &load in &found.loads {
            match self.facts.loaded(scene, load) {
                Loaded::Number => sure = true,
                Loaded::Either => drop(either.insert(load)),
                Loaded::Unknown => {}
            }
        }
        if sure {
            return self.error(
                inst,
                "this conversion: the integer is computed from the bits of an active number",
            );
        }
        self.guard_bits(&either)
    }

    /// Ends the program if one of these integers has a tangent.
    fn guard_bits(&mut self, loads: &BTreeSet<Value>) -> Result<()> {
        for &load in loads {
            if !self.facts.has_tangent(load) {
                continue;
            }
            let text = "adjoin: a number is computed from the bits of an active one";
            let stop = self.stop("adjoin_computed_bits", text);
            for tangent in self.tangents(load)? {
                let zero = self.zero(self.d.ty(tangent));
                let changes = self.b().ne(tangent, zero);
                self.when(changes, |me| {
                    me.call(stop, Vec::new());
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}
