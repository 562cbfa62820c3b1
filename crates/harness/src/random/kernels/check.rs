//! What the program printed against itself and against the interpreter.

use super::{BLOCK, DIRECTIONS, Kernels};
use adjoin_interp::{HostValue, Interp, InterpError};
use std::path::Path;

/// Compares the derivatives (reverse, forward) and values of all sizes; the first difference in words.
pub fn check(
    source: &Path,
    kernels: &Kernels,
    derivatives: &[(f64, f64)],
    values: &[f64],
    close: impl Fn(f64, f64) -> bool,
) -> Result<(), String> {
    for (k, &(reverse, forward)) in derivatives.iter().enumerate() {
        // Numbers that grew beyond all bounds prove nothing.
        let settled = values[k / DIRECTIONS].is_finite();
        if settled && !close(reverse, forward) {
            let size = kernels.sizes[k / DIRECTIONS];
            return Err(format!("size {size}: reverse {reverse}, forward {forward}"));
        }
    }
    let module = crate::random::module(source)?;
    for (k, &size) in kernels.sizes.iter().enumerate() {
        if size >= Kernels::INTERPRETED || !values[k].is_finite() {
            continue;
        }
        let (value, tangent) =
            run(&module, size, kernels.offset).map_err(|e| format!("the interpreter: {e}"))?;
        let (reverse, _) = derivatives[k * DIRECTIONS];
        if !close(reverse, tangent) {
            return Err(format!(
                "size {size}: reverse and forward {reverse}, interpreter {tangent}"
            ));
        }
        if !close(values[k], value) {
            let compiled = values[k];
            return Err(format!(
                "size {size}: value {compiled}, in the interpreter {value}"
            ));
        }
    }
    Ok(())
}

/// The weighted sum of the results and of their tangents, in the first direction.
fn run(module: &adjoin_ir::Module, size: usize, offset: usize) -> Result<(f64, f64), InterpError> {
    let mut interp = Interp::with_tangents(module)?;
    let zeros = vec![0.0; BLOCK];
    let [z, w, v] = [
        interp.alloc_f64s(&zeros)?,
        interp.alloc_f64s(&zeros)?,
        interp.alloc_f64s(&zeros)?,
    ];
    interp.call("start", &[HostValue::Ptr(z)])?;
    interp.call("weights", &[HostValue::Ptr(w)])?;
    interp.call("direction", &[HostValue::Ptr(v), HostValue::Int(0)])?;
    for (i, d) in interp.read_f64s(v, BLOCK)?.into_iter().enumerate() {
        interp.seed(z + 8 * i as u64, d)?;
    }
    let second = z + 8 * offset as u64;
    let arguments = [
        HostValue::Ptr(z),
        HostValue::Ptr(second),
        HostValue::Int(size as i128),
    ];
    interp.call("f", &arguments)?;
    let (results, weights) = (interp.read_f64s(z, BLOCK)?, interp.read_f64s(w, BLOCK)?);
    let sum = |list: &[f64]| list.iter().zip(&weights).map(|(a, b)| a * b).sum();
    Ok((sum(&results), sum(&interp.tangents_at(z, BLOCK))))
}
