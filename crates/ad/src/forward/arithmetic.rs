//! Arithmetic, conversions and addresses.

use super::{Forward, Result};
use adjoin_ir::{Inst, Op, Type, Value};

impl Forward<'_> {
    /// Any instruction without regions that touches no memory and calls nothing.
    pub(super) fn arithmetic(&mut self, inst: Inst) -> Result<()> {
        self.primal(inst);
        if matches!(self.p.insts[inst].op, Op::Cast) {
            self.conversion(inst)?;
        }
        let data = self.p.insts[inst].clone();
        let Some(&y) = data.results.first() else {
            return Ok(());
        };
        if !self.has_tangent(y) {
            return Ok(());
        }
        let ty = self.p.ty(y);
        if ty == Type::Ptr {
            return self.address(inst, y);
        }
        let x: Vec<Value> = self.operands(inst);
        // The same arithmetic on vectors.
        let in_parts = matches!(
            data.op,
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div | Op::Select
        );
        let varied: Vec<bool> = data.args.iter().map(|&a| self.has_tangent(a)).collect();
        let mut t = Vec::new();
        for &a in &data.args {
            t.push(if !self.has_tangent(a) {
                Vec::new()
            } else if in_parts {
                self.parts(a)?
            } else {
                self.tangents(a)?
            });
        }
        let value = self.f[&y];
        let types = match in_parts {
            true => self.types_of_parts(ty),
            false => vec![ty; self.width],
        };
        if self.session.options.errors {
            let t: Vec<Option<Value>> = t.iter().map(|t| t.first().copied()).collect();
            if let Some(error) = self.error_of(inst, &t)? {
                self.set_parts(y, vec![error]);
                return Ok(());
            }
        }
        let mut lanes = Vec::new();
        for (lane, ty) in types.into_iter().enumerate() {
            let part = |k: usize| t[k].get(lane).copied();
            lanes.push(match data.op {
                Op::Add | Op::Sub => match (part(0), part(1)) {
                    (Some(a), Some(b)) => self.b().value(data.op.clone(), vec![a, b], ty),
                    (Some(a), None) => a,
                    (None, Some(b)) if matches!(data.op, Op::Sub) => self.b().neg(b),
                    (None, Some(b)) => b,
                    (None, None) => self.zero(ty),
                },
                Op::Neg => self.b().neg(t[0][lane]),
                Op::Mul => {
                    let a = part(0).map(|a| self.times(a, x[1]));
                    let b = part(1).map(|b| self.times(b, x[0]));
                    self.sum(ty, a, b)
                }
                Op::Div => {
                    // (a / b)' = (a' - (a / b) b') / b
                    let b = part(1).map(|b| {
                        let product = self.times(b, value);
                        (product, self.b().neg(product))
                    });
                    let up = match (part(0), b) {
                        (Some(a), Some((product, _))) => self.b().sub(a, product),
                        (Some(a), None) => a,
                        (None, Some((_, minus))) => minus,
                        (None, None) => self.zero(ty),
                    };
                    self.over(up, x[1])
                }
                Op::Select => {
                    let zero = self.zero(ty);
                    let (a, b) = (part(1).unwrap_or(zero), part(2).unwrap_or(zero));
                    self.b().select(x[0], a, b)
                }
                Op::Complex => {
                    let zero = self.zero(ty.part().unwrap_or(ty));
                    let (re, im) = (part(0).unwrap_or(zero), part(1).unwrap_or(zero));
                    self.b().complex(re, im)
                }
                Op::Cast | Op::Real | Op::Imag if varied[0] => {
                    self.b().value(data.op.clone(), vec![t[0][lane]], ty)
                }
                _ => {
                    return self.error(
                        inst,
                        format!("the operation '{}' on active numbers", data.op.name()),
                    );
                }
            });
        }
        match in_parts {
            true => self.set_parts(y, lanes),
            false => self.set_tangents(y, lanes),
        }
        Ok(())
    }

    fn sum(&mut self, ty: Type, a: Option<Value>, b: Option<Value>) -> Value {
        match (a, b) {
            (Some(a), Some(b)) => self.b().add(a, b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => self.zero(ty),
        }
    }

    /// A tangent times a factor. With strong zeros, no change times anything is no change.
    pub(super) fn times(&mut self, tangent: Value, factor: Value) -> Value {
        let factor = self.beside(tangent, factor);
        let product = self.b().mul(tangent, factor);
        if self.session.options.strong_zero {
            self.unless_zero(tangent, product)
        } else {
            product
        }
    }

    fn over(&mut self, tangent: Value, divisor: Value) -> Value {
        let divisor = self.beside(tangent, divisor);
        let quotient = self.b().div(tangent, divisor);
        if self.session.options.strong_zero {
            self.unless_zero(tangent, quotient)
        } else {
            quotient
        }
    }

    /// Zero where the tangent is zero, else the value: a product with the tangent. What may be differentiated again is the product wherever that is a number,
    /// since the tangent may change there (the second derivative of `log(1 + x * x)` at zero).
    pub(super) fn unless_zero(&mut self, tangent: Value, value: Value) -> Value {
        let zero = self.zero(self.d.ty(tangent));
        let mut is_zero = self.b().eq(tangent, zero);
        if !self.session.options.outermost {
            let is_nan = self.b().ne(value, value);
            is_zero = self.b().and(is_zero, is_nan);
        }
        let nothing = self.zero(self.d.ty(value));
        self.b().select(is_zero, nothing, value)
    }

    /// Addresses: the same steps from the shadow. Those of shadows that may be missing are computed where they are used.
    fn address(&mut self, inst: Inst, y: Value) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if let Some(ty) = self.lanes.inner(y) {
            return self.inner_address(inst, y, ty);
        }
        let is_step = match data.op {
            Op::Addr(_) => true,
            Op::Cast => self.p.ty(data.args[0]) == Type::Ptr,
            _ => false,
        };
        if is_step && self.facts.is_unsure(y) {
            return Ok(());
        }
        let moved = if matches!(data.op, Op::Select) {
            1..3
        } else {
            0..1
        };
        let mut lanes = vec![self.operands(inst); self.width];
        for k in moved {
            let shadows = self.tangents(data.args[k])?;
            for (args, shadow) in lanes.iter_mut().zip(shadows) {
                args[k] = shadow;
            }
        }
        let lanes = lanes
            .into_iter()
            .map(|args| self.b().value(data.op.clone(), args, Type::Ptr))
            .collect();
        self.set_tangents(y, lanes);
        Ok(())
    }
}
