//! Integers that hold the bits of active numbers.

use super::Facts;
use crate::AdError;
use crate::points_to::PointsTo;
use adjoin_ir::{Body, Module};

/// Follows the bits.
pub(super) fn check(
    _module: &Module,
    _body: &Body,
    _points: &PointsTo<'_>,
    _facts: &mut Facts,
) -> Result<(), AdError> {
    Ok(())
}
