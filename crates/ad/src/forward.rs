//! Forward mode.

use crate::{AdError, Request, Session};
use adjoin_ir::{Func, Module};

/// Makes the forward-mode derivative of a function.
pub(crate) fn differentiate(
    _session: &mut Session,
    module: &mut Module,
    request: &Request,
) -> Result<Func, AdError> {
    let span = module.funcs[request.func].span;
    Err(AdError::new(span, "in forward mode: not yet"))
}
