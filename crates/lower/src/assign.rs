//! Assignments: simple, compound, and `++`/`--`, on scalars, bit-fields, pointers and records.

use crate::address::{Path, Place};
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{BinaryOp, Expr};
use adjoin_ir::{CTy, Const, Op, Type, Value};

impl<'a> FunctionLowerer<'_, 'a> {
    /// `lhs = rhs`. The value is the new value of the left side.
    pub fn assign(&mut self, lhs: &'a Expr, rhs: &'a Expr, used: bool) -> Lower<Value> {
        let place = self.place(lhs)?;
        if self.value_type(lhs.ty, lhs.span)?.is_none() {
            let Place::Memory { addr, .. } = place else {
                return refuse(lhs.span, "a bit-field that is not a scalar");
            };
            self.record_into(rhs, addr, false)?;
            return Ok(addr);
        }
        let v = self.rvalue(rhs)?;
        self.store(&place, v, lhs.span)?;
        self.assigned(&place, v, used, lhs)
    }

    /// The value of an assignment expression: what was stored, after truncation to a bit-field's width.
    fn assigned(&mut self, place: &Place, v: Value, used: bool, lhs: &'a Expr) -> Lower<Value> {
        match place {
            Place::Bits { .. } if used => self.load(place, lhs.span),
            _ => Ok(v),
        }
    }

    /// `lhs op= rhs`: computed in type `compute`, converted back.
    pub fn assign_op(
        &mut self,
        op: BinaryOp,
        lhs: &'a Expr,
        rhs: &'a Expr,
        compute: CTy,
        used: bool,
    ) -> Lower<Value> {
        let place = self.place(lhs)?;
        let ty = self.scalar_type(lhs.ty, lhs.span)?;
        let compute_ty = self.scalar_type(compute, lhs.span)?;
        let rhs = self.rvalue(rhs)?;
        self.one_access(lhs.ty, used, |this| {
            let old = this.load(&place, lhs.span)?;
            let old = this.cast(old, compute_ty, Some(compute));
            let new = this.binary(op, old, rhs, compute, lhs.span)?;
            let new = this.cast(new, ty, Some(lhs.ty));
            this.store(&place, new, lhs.span)?;
            this.assigned(&place, new, used, lhs)
        })
    }

    /// `p += i`, `p -= i`.
    pub fn assign_pointer_add(
        &mut self,
        lhs: &'a Expr,
        index: &'a Expr,
        negate: bool,
    ) -> Lower<Value> {
        let place = self.place(lhs)?;
        let i = self.index_value(index, negate)?;
        let old = self.load(&place, lhs.span)?;
        let new = self.step_pointer(old, lhs, i)?;
        self.store(&place, new, lhs.span)?;
        Ok(new)
    }

    fn step_pointer(&mut self, old: Value, lhs: &'a Expr, i: Value) -> Lower<Value> {
        let Some(elem) = self.m.types().pointee(lhs.ty) else {
            return refuse(lhs.span, "pointer arithmetic on what is not a pointer");
        };
        let mut path = Path::new(old, elem, false);
        self.push_index_of(&mut path, elem, i, lhs.span)?;
        Ok(self.finish(path, lhs.ty))
    }

    /// `++x`, `x--` and so on.
    pub fn increment(
        &mut self,
        lhs: &'a Expr,
        increment: bool,
        prefix: bool,
        used: bool,
    ) -> Lower<Value> {
        let place = self.place(lhs)?;
        self.one_access(lhs.ty, used, |this| {
            this.increment_at(&place, lhs, increment, (prefix, used))
        })
    }

    fn increment_at(
        &mut self,
        place: &Place,
        lhs: &'a Expr,
        increment: bool,
        (prefix, used): (bool, bool),
    ) -> Lower<Value> {
        let ty = self.scalar_type(lhs.ty, lhs.span)?;
        let old = self.load(place, lhs.span)?;
        let new = if ty == Type::Ptr {
            let one = self.int(if increment { 1 } else { -1 }, Type::I32);
            self.step_pointer(old, lhs, one)?
        } else {
            // Narrow integers and _Bool are computed as int, as C promotes them.
            let narrow = ty == Type::Bool || (ty.is_int() && ty.size() < 4);
            let compute = if narrow { Type::I32 } else { ty };
            let ctype = (!narrow).then_some(lhs.ty);
            let wide = self.cast(old, compute, None);
            let one = self.one(compute, ctype);
            let op = if increment { Op::Add } else { Op::Sub };
            let sum = self.value(op, vec![wide, one], compute, ctype);
            self.cast(sum, ty, Some(lhs.ty))
        };
        self.store(place, new, lhs.span)?;
        if prefix {
            self.assigned(place, new, used, lhs)
        } else {
            Ok(old)
        }
    }

    fn one(&mut self, ty: Type, ctype: Option<CTy>) -> Value {
        if let Some(part) = ty.part() {
            let one = self.value(Op::Const(Const::float(1.0)), vec![], part, None);
            self.value(Op::Cast, vec![one], ty, ctype)
        } else if ty.is_float() {
            self.value(Op::Const(Const::float(1.0)), vec![], ty, ctype)
        } else {
            self.value(Op::Const(Const::Int(1)), vec![], ty, ctype)
        }
    }
}
