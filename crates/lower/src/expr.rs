//! Expressions: the dispatch over their shapes, constants, and the expressions that are neither arithmetic nor access.
//!
//! [`FunctionLowerer::rvalue`] gives a scalar's value, or for a record the address of an object that holds it (which nothing changes before the
//! value is used). [`FunctionLowerer::effect`] evaluates for effect only.

use crate::constant::wrap;
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, FuncId, Stmt, StmtKind, UnaryOp, VectorOp};
use adjoin_ir::{CTypeKind, Const, CopyAttr, Op, Type, Value};

impl<'a> FunctionLowerer<'_, 'a> {
    /// The value of an expression: a scalar, or the address of a record.
    pub fn rvalue(&mut self, e: &'a Expr) -> Lower<Value> {
        if let Some(&v) = self.prepared_values.get(&(e as *const Expr)) {
            return Ok(v);
        }
        let outer = std::mem::replace(&mut self.at, e.span);
        let result = self.rvalue_here(e);
        self.at = outer;
        result
    }

    fn rvalue_here(&mut self, e: &'a Expr) -> Lower<Value> {
        match &e.kind {
            ExprKind::Int(n) => self.integer(*n, e),
            ExprKind::Float { value, text } => {
                let ty = self.scalar_type(e.ty, e.span)?;
                let constant = Const::Float {
                    bits: value.to_bits(),
                    text: text.clone(),
                };
                Ok(self.value(Op::Const(constant), vec![], ty, Some(e.ty)))
            }
            ExprKind::Imaginary(x) => {
                let ty = self.scalar_type(e.ty, e.span)?;
                let Some(part) = ty.part() else {
                    return refuse(e.span, "an imaginary constant whose type is not complex");
                };
                let re = self.value(Op::Const(Const::float(0.0)), vec![], part, None);
                let im = self.value(Op::Const(Const::float(*x)), vec![], part, None);
                Ok(self.value(Op::Complex, vec![re, im], ty, Some(e.ty)))
            }
            // An lvalue as a value of its own stands for a record, which is handled by address.
            ExprKind::Str(_)
            | ExprKind::Var(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::CompoundLit(_) => {
                let place = self.place(e)?;
                self.load(&place, e.span)
            }
            ExprKind::Func(f) => {
                self.check_readable(*f, e.span)?;
                Ok(self.function_address(*f))
            }
            ExprKind::Load(lvalue) => {
                let place = self.place(lvalue)?;
                self.load(&place, e.span)
            }
            ExprKind::Decay(inner) => self.decay(inner, e),
            ExprKind::AddrOf(inner) => self.address_of(inner, e),
            ExprKind::Unary(op, x) => self.unary(*op, x, e),
            ExprKind::Binary(op, a, b) => self.binary_expr(*op, a, b, e),
            ExprKind::PtrAdd { ptr, index, negate } => {
                let path = self.indexed(ptr, index, *negate)?;
                Ok(self.finish(path, e.ty))
            }
            ExprKind::PtrDiff(a, b) => self.pointer_difference(a, b, e),
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let c = self.condition(e)?;
                self.bool_to(c, e)
            }
            ExprKind::Cond(c, a, b) => self.conditional(c, a, b, e),
            ExprKind::Elvis(a, b) => self.elvis(a, b, e),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.rvalue(b)
            }
            ExprKind::Assign(lhs, rhs) => self.assign(lhs, rhs, true),
            ExprKind::AssignOp {
                op,
                lhs,
                rhs,
                compute,
            } => self.assign_op(*op, lhs, rhs, *compute, true),
            ExprKind::AssignPtrAdd { lhs, index, negate } => {
                self.assign_pointer_add(lhs, index, *negate)
            }
            ExprKind::IncDec {
                lhs,
                increment,
                prefix,
            } => self.increment(lhs, *increment, *prefix, true),
            ExprKind::Cast { operand, .. } => self.cast_expr(operand, e),
            ExprKind::Call { callee, args } => match self.call(callee, args, e, None)? {
                Some(v) => Ok(v),
                None => refuse(e.span, "the value of a call that returns void"),
            },
            ExprKind::StmtExpr { stmts, value } => {
                let Some(value) = value else {
                    return refuse(e.span, "the value of a statement expression without one");
                };
                self.statement_expression(stmts)?;
                self.rvalue(value)
            }
            ExprKind::VaArg(list) => {
                let Some(ty) = self.value_type(e.ty, e.span)? else {
                    let slot = self.temporary(e.ty);
                    self.record_into(e, slot, true)?;
                    return Ok(slot);
                };
                let list = self.rvalue(list)?;
                Ok(self.value(Op::VaArg(e.ty), vec![list], ty, Some(e.ty)))
            }
            ExprKind::Alloca(n) => {
                let n = self.rvalue(n)?;
                let n = self.cast(n, Type::U64, None);
                Ok(self.value(Op::Alloca, vec![n], Type::Ptr, Some(e.ty)))
            }
            ExprKind::MakeComplex(re, im) => {
                let ty = self.scalar_type(e.ty, e.span)?;
                let re = self.rvalue(re)?;
                let im = self.rvalue(im)?;
                let Some(part) = ty.part() else {
                    return refuse(e.span, "a complex number whose type is not complex");
                };
                let re = self.cast(re, part, None);
                let im = self.cast(im, part, None);
                Ok(self.value(Op::Complex, vec![re, im], ty, Some(e.ty)))
            }
            ExprKind::SizeofVla(ty) => self.size_in_bytes(*ty, e.span),
            ExprKind::VaStart(_)
            | ExprKind::VaEnd(_)
            | ExprKind::VaCopy(..)
            | ExprKind::Unreachable => refuse(e.span, "the value of an expression without one"),
            ExprKind::LabelAddr(label) => Ok(self.label_address(*label, e)),
            ExprKind::Vector(op, args) => self.vector(*op, args, e),
            // The front end's mark for what it has reported already.
            ExprKind::Unsupported(reason, _) if reason == "error" => {
                refuse(e.span, "an expression that has errors")
            }
            ExprKind::Unsupported(reason, _) => refuse(e.span, reason.clone()),
        }
    }

    /// Evaluates an expression whose value is not used.
    pub fn effect(&mut self, e: &'a Expr) -> Lower<()> {
        let outer = std::mem::replace(&mut self.at, e.span);
        let result = self.effect_here(e);
        self.at = outer;
        result
    }

    fn effect_here(&mut self, e: &'a Expr) -> Lower<()> {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float { .. } | ExprKind::Imaginary(_) => Ok(()),
            ExprKind::Str(_) | ExprKind::Func(_) => Ok(()),
            ExprKind::Var(_) => Ok(()),
            ExprKind::Load(lvalue) if !self.m.types().quals(lvalue.ty).is_volatile => {
                self.place(lvalue).map(|_| ())
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cast { operand, .. } => self.effect(operand),
            ExprKind::Assign(lhs, rhs) => self.assign(lhs, rhs, false).map(|_| ()),
            ExprKind::AssignOp {
                op,
                lhs,
                rhs,
                compute,
            } => self.assign_op(*op, lhs, rhs, *compute, false).map(|_| ()),
            ExprKind::IncDec {
                lhs,
                increment,
                prefix,
            } => self.increment(lhs, *increment, *prefix, false).map(|_| ()),
            ExprKind::Call { callee, args } => self.call(callee, args, e, None).map(|_| ()),
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(c)?;
                self.branch(c, |this| this.effect(a), |this| this.effect(b))
            }
            ExprKind::Elvis(a, b) => {
                let c = self.condition(a)?;
                self.branch(c, |_| Ok(()), |this| this.effect(b))
            }
            ExprKind::LogAnd(a, b) => {
                let c = self.condition(a)?;
                self.branch(c, |this| this.effect(b), |_| Ok(()))
            }
            ExprKind::LogOr(a, b) => {
                let c = self.condition(a)?;
                self.branch(c, |_| Ok(()), |this| this.effect(b))
            }
            ExprKind::StmtExpr { stmts, value } => {
                self.statement_expression(stmts)?;
                match value {
                    Some(value) => self.effect(value),
                    None => Ok(()),
                }
            }
            ExprKind::VaStart(list) => {
                let list = self.rvalue(list)?;
                self.emit(Op::VaStart, vec![list]);
                Ok(())
            }
            ExprKind::VaEnd(list) => {
                let list = self.rvalue(list)?;
                self.emit(Op::VaEnd, vec![list]);
                Ok(())
            }
            ExprKind::VaCopy(to, from) => {
                let to = self.rvalue(to)?;
                let from = self.rvalue(from)?;
                self.emit(Op::VaCopy, vec![to, from]);
                Ok(())
            }
            // What is assumed is not evaluated.
            ExprKind::Unsupported(reason, _) if reason == "__builtin_assume" => Ok(()),
            ExprKind::Unreachable => {
                self.terminate(Op::Unreachable, vec![]);
                Ok(())
            }
            ExprKind::Unary(op, x) if *op != UnaryOp::LogNot => self.effect(x),
            ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Member { .. } => {
                self.place(e).map(|_| ())
            }
            _ => self.rvalue(e).map(|_| ()),
        }
    }

    fn statement_expression(&mut self, stmts: &'a [Stmt]) -> Lower<()> {
        // A statement expression is a scope: what it declares lives where it is evaluated, not in the statement around it.
        let cleaned = |s: &Stmt| matches!(s.kind, StmtKind::Decl(v) if self.has_cleanup(v));
        if let Some(s) = stmts.iter().find(|s| cleaned(s)) {
            return refuse(s.span, "a cleanup function in a statement expression");
        }
        let cur = self.cur;
        let outer = self.replace_slot_region(cur);
        let result = self.list(stmts);
        self.replace_slot_region(outer);
        result
    }

    fn integer(&mut self, n: i128, e: &'a Expr) -> Lower<Value> {
        let ty = self.scalar_type(e.ty, e.span)?;
        let constant = if ty.is_float() {
            Const::float(n as f64)
        } else if ty == Type::U128 && n < 0 {
            Const::Wide(n as u128)
        } else {
            Const::Int(wrap(n, ty))
        };
        Ok(self.value(Op::Const(constant), vec![], ty, Some(e.ty)))
    }

    /// The address of a function.
    pub fn function_address(&mut self, f: FuncId) -> Value {
        let func = self.m.function(f);
        let ctype = self.m.pointer(self.unit.funcs[f].ty);
        self.value(Op::FuncAddr(func), vec![], Type::Ptr, Some(ctype))
    }

    /// Array or function to pointer.
    fn decay(&mut self, inner: &'a Expr, e: &'a Expr) -> Lower<Value> {
        if let CTypeKind::Function { .. } = self.m.types().shape(inner.ty) {
            return self.function_designator(inner);
        }
        let path = self.path(inner)?;
        Ok(self.finish(path, e.ty))
    }

    fn address_of(&mut self, inner: &'a Expr, e: &'a Expr) -> Lower<Value> {
        if let CTypeKind::Function { .. } = self.m.types().shape(inner.ty) {
            return self.function_designator(inner);
        }
        let path = self.path(inner)?;
        Ok(self.finish(path, e.ty))
    }

    /// The pointer that a function designator stands for: `f`, `*p`, `**p`.
    pub fn function_designator(&mut self, e: &'a Expr) -> Lower<Value> {
        match &e.kind {
            ExprKind::Deref(p) => self.rvalue(p),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.function_designator(b)
            }
            _ => self.rvalue(e),
        }
    }

    fn conditional(&mut self, c: &'a Expr, a: &'a Expr, b: &'a Expr, e: &'a Expr) -> Lower<Value> {
        match self.value_type(e.ty, e.span)? {
            Some(ty) => {
                let c = self.condition(c)?;
                self.choose(
                    c,
                    ty,
                    Some(e.ty),
                    |this| this.rvalue(a),
                    |this| this.rvalue(b),
                )
            }
            None => {
                let slot = self.temporary(e.ty);
                self.record_into(e, slot, false)?;
                Ok(slot)
            }
        }
    }

    fn elvis(&mut self, a: &'a Expr, b: &'a Expr, e: &'a Expr) -> Lower<Value> {
        let ty = self.scalar_type(e.ty, e.span)?;
        let first = self.rvalue(a)?;
        let c = self.cast(first, Type::Bool, None);
        let ctype = Some(e.ty);
        self.choose(
            c,
            ty,
            ctype,
            |this| Ok(this.cast_to(first, a.ty, ty, e.ty)),
            |this| this.rvalue(b),
        )
    }

    /// Evaluates a record into an object. `fresh`: nothing can refer to the object yet.
    pub fn record_into(&mut self, e: &'a Expr, to: Value, fresh: bool) -> Lower<()> {
        let outer = std::mem::replace(&mut self.at, e.span);
        let result = self.record_into_here(e, to, fresh);
        self.at = outer;
        result
    }

    fn record_into_here(&mut self, e: &'a Expr, to: Value, fresh: bool) -> Lower<()> {
        match &e.kind {
            ExprKind::Call { callee, args } => {
                self.call(callee, args, e, Some(to))?;
                Ok(())
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(c)?;
                self.branch(
                    c,
                    |this| this.record_into(a, to, fresh),
                    |this| this.record_into(b, to, fresh),
                )
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.record_into(b, to, fresh)
            }
            ExprKind::StmtExpr {
                stmts,
                value: Some(value),
            } => {
                self.statement_expression(stmts)?;
                self.record_into(value, to, fresh)
            }
            ExprKind::Cast { operand, .. } => self.record_into(operand, to, fresh),
            ExprKind::Vector(op, args) if lane_by_lane(*op) || fresh && !in_place(*op) => {
                self.vector_into(*op, args, e, to)
            }
            ExprKind::VaArg(list) => {
                self.value_type(e.ty, e.span)?;
                let ctype = self.m.types().unqualified(e.ty);
                if self.m.types().record(ctype).is_none() {
                    return refuse(e.span, "va_arg of an array");
                }
                let list = self.rvalue(list)?;
                self.emit(Op::VaArgInto(ctype), vec![to, list]);
                Ok(())
            }
            ExprKind::Load(inner) if fresh => {
                if let ExprKind::CompoundLit(var) = inner.kind
                    && let Some(init) = &self.unit.vars[var].init
                {
                    return self.initialise(to, self.unit.vars[var].ty, init);
                }
                self.copy_record(e, to)
            }
            _ => self.copy_record(e, to),
        }
    }

    fn copy_record(&mut self, e: &'a Expr, to: Value) -> Lower<()> {
        self.value_type(e.ty, e.span)?;
        let Some(bytes) = self.m.types().size_of(e.ty) else {
            return refuse(e.span, "the copy of an object whose size is not known");
        };
        let from = self.rvalue(e)?;
        let ctype = Some(self.m.types().unqualified(e.ty));
        self.emit(Op::Copy(CopyAttr { bytes, ctype }), vec![to, from]);
        Ok(())
    }
}

/// Does an operation write each lane from the same lanes of its operands?
fn lane_by_lane(op: VectorOp) -> bool {
    matches!(
        op,
        VectorOp::Unary(_) | VectorOp::Binary(_) | VectorOp::Select | VectorOp::Map
    )
}

/// Is the operation's value an object that is there without it?
fn in_place(op: VectorOp) -> bool {
    matches!(op, VectorOp::Assign(_) | VectorOp::Bits)
}
