//! Arguments that a pointer at file scope leads to as well: what is only read through it counts as constant, which it is not. That is a message when the derivative starts.

use super::super::{Result, Reverse};
use crate::Request;
use crate::activity::file_scope;
use crate::reverse::reached;

impl Reverse<'_> {
    /// Stops where a pointer at file scope, through which numbers are read without derivatives, leads to an argument that has a shadow, or into it.
    pub(in crate::reverse) fn stop_if_reached_twice(&mut self, request: &Request) -> Result<()> {
        let pointers = file_scope::pointers(self.m, &self.p, |v| self.has_shadow(v));
        if pointers.is_empty() {
            return Ok(());
        }
        let entry = &self.p.regions[self.p.entry].args;
        let wanted: Vec<_> = entry
            .iter()
            .copied()
            .filter(|&v| self.has_shadow(v))
            .collect();
        let mut arguments = reached::of(
            self.m,
            &self.session.registry,
            (&self.p, &request.extents),
            request.params.len(),
            &wanted,
        );
        for argument in &mut arguments {
            argument.shadow = Some(self.shadow(argument.parameter));
        }
        let (p, values) = (self.p.clone(), self.f.clone());
        for pointer in pointers {
            let met = pointer.leads_to_one(&p, self.b(), &values, &arguments);
            self.if_true(met, |me| {
                let stop = me.runtime.stop(me.m, &pointer.message());
                me.call(stop, vec![]);
                Ok(())
            })?;
        }
        Ok(())
    }
}
