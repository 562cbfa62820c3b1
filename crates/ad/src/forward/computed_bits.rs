//! Integers that are computed from what may be bits of active numbers, and stored where numbers may lie: a variant whose tag says that it is an integer, or a number that is put together.
//! The tangents of what the bits were read from tell, when it runs: where all are zero, so is that of the result.

use super::activity::Bits;
use super::{Forward, Result};
use crate::activity::is_union_member;
use adjoin_ir::{Inst, Op, Type, Value};
use std::collections::BTreeSet;

impl Forward<'_> {
    /// Asks for that in front of a store of such an integer.
    pub(super) fn check_computed_bits(&mut self, store: Inst) -> Result<()> {
        let data = self.p.insts[store].clone();
        let name = self.variable(data.args[0]);
        let message = format!("'{name}': a number is computed from the bits of an active one");
        // What a derivative of this one would ask for is not known by the tangent.
        let union = is_union_member(&self.m.types, &self.p, data.args[0]);
        let sources = match self.session.options.outermost && union {
            true => self.bit_sources(data.args[1]),
            false => None,
        };
        let Some(sources) = sources else {
            return self.error(store, message);
        };
        let stop = self.stop(
            &format!("adjoin_computed_bits_{}", data.span.line),
            &format!("adjoin: line {}: {message}", data.span.line),
        );
        for v in sources {
            for tangent in self.tangents(v)? {
                let zero = self.zero(self.d.ty(tangent));
                let active = self.b().ne(tangent, zero);
                self.when(active, |me| {
                    me.call(stop, Vec::new());
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// The integers with tangents that one is computed from, if nothing but operations lies between.
    fn bit_sources(&self, v: Value) -> Option<BTreeSet<Value>> {
        let mut found = BTreeSet::new();
        let mut work = vec![v];
        while let Some(v) = work.pop() {
            match self.facts.bits(v) {
                Bits::None => {}
                // Addresses have shadows, which are never zero.
                Bits::Carried if self.is_address(v) => return None,
                Bits::Carried => drop(found.insert(v)),
                Bits::Computed => {
                    let data = &self.p.insts[self.p.def_inst(v)?];
                    if !data.op.is_pure() || !data.regions.is_empty() {
                        return None;
                    }
                    work.extend(&data.args);
                }
            }
        }
        Some(found)
    }

    fn is_address(&self, v: Value) -> bool {
        let made = self.p.def_inst(v).map(|i| &self.p.insts[i]);
        made.is_some_and(|d| matches!(d.op, Op::Cast) && self.p.ty(d.args[0]) == Type::Ptr)
    }
}
