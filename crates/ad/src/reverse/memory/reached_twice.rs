//! Arguments that a pointer at file scope leads to as well: what is only read through it counts as constant, which it is not. That is a message when the derivative starts.

use super::super::{Result, Reverse};
use crate::activity::file_scope;
use adjoin_ir::{Type, Value};

impl Reverse<'_> {
    /// Stops where a pointer at file scope, through which numbers are read without derivatives, is an argument that has a shadow.
    pub(in crate::reverse) fn stop_if_reached_twice(&mut self) -> Result<()> {
        let arguments: Vec<Value> = (self.p.regions[self.p.entry].args.iter())
            .filter(|&&v| self.p.ty(v) == Type::Ptr && self.has_shadow(v))
            .filter_map(|v| self.f.get(v).copied())
            .collect();
        if arguments.is_empty() {
            return Ok(());
        }
        for pointer in file_scope::pointers(self.m, &self.p, |v| self.has_shadow(v)) {
            let met = pointer.is_one_of(self.b(), &arguments);
            self.if_true(met, |me| {
                let stop = me.runtime.stop(me.m, &pointer.message());
                me.call(stop, vec![]);
                Ok(())
            })?;
        }
        Ok(())
    }
}
