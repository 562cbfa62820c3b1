//! Calls of functions with custom gradients.

use super::{Result, Reverse};
use crate::Gradient;
use adjoin_ir::Inst;

impl Reverse<'_> {
    /// F of a call of a function with a custom gradient.
    pub(super) fn sweep_custom(&mut self, inst: Inst, _gradient: Gradient) -> Result<()> {
        self.error(inst, "a call of a function with a custom gradient: not yet")
    }

    /// R of a call of a function with a custom gradient.
    pub(super) fn mirror_custom(&mut self, inst: Inst, _gradient: Gradient) -> Result<()> {
        self.error(inst, "a call of a function with a custom gradient: not yet")
    }
}
