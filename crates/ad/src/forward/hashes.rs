//! Variables of integers that bits of numbers are copied to, and that nothing is copied from: keys and hashes. Something that is computed from the bits may be stored there (`bits ^= bits >> 33`), if
//! what is read there afterwards is not taken for the bits of a number again.

use super::activity::{Facts, Object, Scene, object};
use super::calls::Callee;
use crate::activity::holds_data;
use crate::known::Known;
use adjoin_ir::{Op, Type};
use std::collections::BTreeSet;

/// The variables.
pub(super) fn find(scene: Scene<'_>) -> BTreeSet<Object> {
    let body = scene.body;
    let types = &scene.module.types;
    let mut found = BTreeSet::new();
    body.walk(|inst| {
        if let Op::Slot(attr) = &body.insts[inst].op
            && !holds_data(types, attr.ctype)
            && types.record(attr.ctype).is_none()
        {
            found.insert(Object::Made(inst));
        }
    });
    if found.is_empty() {
        return found;
    }
    body.walk(|inst| {
        let data = &body.insts[inst];
        let fits = |k: usize| match &data.op {
            Op::Addr(_) | Op::Zero(_) | Op::Eq | Op::Ne => true,
            Op::Cast => body.ty(data.results[0]) == Type::Ptr,
            Op::Load(_) => body.ty(data.results[0]).is_int(),
            Op::Store(_) => k == 0 && body.ty(data.args[1]).is_int(),
            Op::Copy(_) => k == 0,
            Op::Call(_) => {
                let callee = scene.callees.of(&data.op);
                k == 0 && matches!(callee, Callee::Known(Known::Copy | Known::Fill))
            }
            _ => false,
        };
        for (k, &v) in data.args.iter().enumerate() {
            if body.ty(v) == Type::Ptr
                && !fits(k)
                && let Some(o) = object(scene, v)
            {
                found.remove(&o);
            }
        }
    });
    found
}

impl Facts {
    /// Is something computed from bits kept at an address, in such a variable?
    pub fn is_hash(&self, scene: Scene<'_>, address: adjoin_ir::Value) -> bool {
        object(scene, address).is_some_and(|o| self.hashes.contains(&o))
    }
}
