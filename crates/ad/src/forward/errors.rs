//! Errors of rounding instead of tangents (`__enzyme_error_estimate`): the error of a result is the sum of what its operands bring, each `|e * x / y * dy/dx|`, and
//! at least one unit in the last place of the result itself. What only moves numbers (loads, choices, conversions) hands errors on.

use super::partials::{Site, Term};
use super::{Forward, Result};
use crate::rules::expr::{self, Expr};
use adjoin_ir::{Inst, Op, Type, Value};

impl Forward<'_> {
    /// The error of an operation, from those of its operands. Nothing if it only moves numbers.
    pub(super) fn error_of(
        &mut self,
        inst: Inst,
        errors: &[Option<Value>],
    ) -> Result<Option<Value>> {
        let data = self.p.insts[inst].clone();
        let y = data.results[0];
        let (ty, value) = (self.p.ty(y), self.f[&y]);
        if !matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg) {
            return Ok(None);
        }
        self.errors_possible(inst, ty)?;
        if matches!(data.op, Op::Neg) {
            return Ok(errors[0]);
        }
        let x = self.operands(inst);
        let mut sum = None;
        for (k, error) in errors.iter().enumerate() {
            let Some(error) = *error else { continue };
            let text = match (&data.op, k) {
                (Op::Mul, _) => "fabs(e * x / r * z)",
                (Op::Div, 0) => "fabs(e * x / r / z)",
                (Op::Div, _) => "fabs(e * x / r / x * r)",
                _ => "fabs(e * x / r)",
            };
            let part = self.formula(inst, text, &[error, x[k], x[1 - k]], value, ty)?;
            sum = Some(match sum {
                None => part,
                Some(sum) => self.b().add(sum, part),
            });
        }
        let sum = sum.unwrap_or_else(|| self.zero(ty));
        self.at_least_rounding(inst, sum, value, ty).map(Some)
    }

    /// The error of an argument, relative to the result of the call.
    pub(super) fn relative(
        &mut self,
        inst: Inst,
        errors: &[Value],
        k: usize,
        site: &Site,
    ) -> Result<Vec<Value>> {
        self.errors_possible(inst, site.ty)?;
        let x = self.cast(site.ty, site.args[k]);
        let part = self.formula(inst, "e * x / r", &[errors[0], x], site.result, site.ty)?;
        Ok(vec![part])
    }

    /// The error of a call, from relative errors and the partials.
    pub(super) fn errors_of_call(
        &mut self,
        inst: Inst,
        terms: &[Term<'_>],
        site: &Site,
    ) -> Result<Vec<Value>> {
        self.errors_possible(inst, site.ty)?;
        let mut sum = self.zero(site.ty);
        for term in terms {
            let part = self.combine(std::slice::from_ref(term), site)?[0];
            sum = self.formula(inst, "x + fabs(e)", &[part, sum], site.result, site.ty)?;
        }
        let error = self.at_least_rounding(inst, sum, site.result, site.ty)?;
        Ok(vec![error])
    }

    /// An error, or the distance to the next number where that is larger.
    fn at_least_rounding(&mut self, inst: Inst, error: Value, y: Value, ty: Type) -> Result<Value> {
        let text = "fmax(nextafter(fabs(r), 2 * fabs(r) + 1) - fabs(r), e)";
        self.formula(inst, text, &[error], y, ty)
    }

    fn errors_possible(&self, inst: Inst, ty: Type) -> Result<()> {
        match self.width == 1 && ty.is_float() {
            true => Ok(()),
            false => self.error(inst, "errors of complex numbers, or several at once"),
        }
    }

    fn formula(
        &mut self,
        inst: Inst,
        text: &str,
        args: &[Value],
        result: Value,
        ty: Type,
    ) -> Result<Value> {
        let names: Vec<String> = ["e", "x", "z"].map(String::from).into();
        let e: Expr = match expr::parse(text, &names) {
            Ok(e) => e,
            Err(why) => return self.error(inst, why),
        };
        let site = Site {
            args: args.to_vec(),
            result,
            ty,
        };
        Ok(self.evaluate(&e, &site))
    }
}
