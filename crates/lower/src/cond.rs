//! Conditions: expressions where C asks only whether they are zero, as `bool` values, and the `if` that lazy operators become.

use crate::Lower;
use crate::function::FunctionLowerer;
use adjoin_front::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use adjoin_ir::{CTy, Const, Op, Type, Value};

impl<'a> FunctionLowerer<'_, 'a> {
    /// Is the expression's value nonzero? A `bool`.
    pub fn condition(&mut self, e: &'a Expr) -> Lower<Value> {
        let outer = std::mem::replace(&mut self.at, e.span);
        let result = self.condition_here(e);
        self.at = outer;
        result
    }

    fn condition_here(&mut self, e: &'a Expr) -> Lower<Value> {
        match &e.kind {
            ExprKind::Int(n) => Ok(self.value(
                Op::Const(Const::Int((*n != 0) as i128)),
                vec![],
                Type::Bool,
                None,
            )),
            ExprKind::Binary(op, a, b) if is_comparison(*op) => {
                let a = self.rvalue(a)?;
                let b = self.rvalue(b)?;
                Ok(self.value(comparison(*op), vec![a, b], Type::Bool, None))
            }
            ExprKind::Unary(UnaryOp::LogNot, x) => {
                let x = self.condition(x)?;
                Ok(self.value(Op::Not, vec![x], Type::Bool, None))
            }
            ExprKind::LogAnd(a, b) => {
                let a = self.condition(a)?;
                let no = |this: &mut Self| Ok(this.bool_constant(false));
                self.choose(a, Type::Bool, None, |this| this.condition(b), no)
            }
            ExprKind::LogOr(a, b) => {
                let a = self.condition(a)?;
                let yes = |this: &mut Self| Ok(this.bool_constant(true));
                self.choose(a, Type::Bool, None, yes, |this| this.condition(b))
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(c)?;
                self.choose(
                    c,
                    Type::Bool,
                    None,
                    |this| this.condition(a),
                    |this| this.condition(b),
                )
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.condition(b)
            }
            ExprKind::Cast { operand, .. } if self.keeps_zero(operand.ty, e.ty) => {
                self.condition(operand)
            }
            _ => {
                let v = self.rvalue(e)?;
                Ok(self.cast(v, Type::Bool, None))
            }
        }
    }

    /// Does a conversion give zero exactly for zero? True for `_Bool`, and for integers that do not get narrower.
    fn keeps_zero(&self, from: CTy, to: CTy) -> bool {
        let types = self.m.types();
        let (Some(from), Some(to)) = (types.arithmetic(from), types.arithmetic(to)) else {
            return types.arithmetic(to) == Some(adjoin_ir::Basic::Bool)
                && types.pointee(from).is_some();
        };
        to == adjoin_ir::Basic::Bool
            || (from.is_integer() && to.is_integer() && from.size() <= to.size())
    }

    fn bool_constant(&mut self, b: bool) -> Value {
        self.value(Op::Const(Const::Int(b as i128)), vec![], Type::Bool, None)
    }

    /// A `bool` as a value of an expression's type (`int`).
    pub fn bool_to(&mut self, c: Value, e: &'a Expr) -> Lower<Value> {
        let ty = self.scalar_type(e.ty, e.span)?;
        Ok(self.cast(c, ty, Some(e.ty)))
    }

    /// `if` with a result, inside an expression.
    pub fn choose(
        &mut self,
        c: Value,
        ty: Type,
        ctype: Option<CTy>,
        then: impl FnOnce(&mut Self) -> Lower<Value>,
        otherwise: impl FnOnce(&mut Self) -> Lower<Value>,
    ) -> Lower<Value> {
        let inst = self.emit(Op::If, vec![c]);
        let yes = self.body.add_region(inst);
        let no = self.body.add_region(inst);
        let old = self.enter_expression(yes);
        let v = then(self)?;
        self.end_region(inst, vec![v]);
        self.leave(old);
        let old = self.enter_expression(no);
        let v = otherwise(self)?;
        self.end_region(inst, vec![v]);
        self.leave(old);
        let result = self.result(inst, ty, ctype);
        self.after(inst);
        Ok(result)
    }

    /// `if` without a result, inside an expression.
    pub fn branch(
        &mut self,
        c: Value,
        then: impl FnOnce(&mut Self) -> Lower<()>,
        otherwise: impl FnOnce(&mut Self) -> Lower<()>,
    ) -> Lower<()> {
        let inst = self.emit(Op::If, vec![c]);
        let yes = self.body.add_region(inst);
        let no = self.body.add_region(inst);
        let old = self.enter_expression(yes);
        then(self)?;
        self.end_region(inst, vec![]);
        self.leave(old);
        let old = self.enter_expression(no);
        otherwise(self)?;
        self.end_region(inst, vec![]);
        self.leave(old);
        self.after(inst);
        Ok(())
    }
}

/// Does an operator compare?
pub(crate) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// The comparison that an operator stands for.
pub(crate) fn comparison(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Eq => Op::Eq,
        BinaryOp::Ne => Op::Ne,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Gt => Op::Gt,
        _ => Op::Ge,
    }
}
