//! Values as C expressions. Every expression has its C type; conversions of the IR that C does by itself are
//! left out, all others are casts.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp, VarKind};
use crate::build::Build;
use crate::consts::{constant, integer, literal};
use crate::types::{preserves, promote, usual};
use adjoin_ir::{Basic, CTy, CTypeKind, Const, Inst, Op, Type, Value};

impl Build<'_> {
    /// The expression of a value.
    pub fn value(&mut self, v: Value) -> Expr {
        if self.object_place(v).is_some() {
            return self.address(v);
        }
        if let Some((_, outer)) = self.facts.data_clause(v) {
            // The private copy of an array section goes by the pointer's name.
            return self.value(outer);
        }
        if self.is_inline(v) {
            if let Some(inst) = self.body.def_inst(v) {
                return self.inst_expr(inst, v);
            }
        }
        let var = self.variable(v);
        self.var_expr(var)
    }

    /// The expression of an instruction with one result.
    pub fn inst_expr(&mut self, inst: Inst, v: Value) -> Expr {
        let body = self.body;
        let data = &body.insts[inst];
        let t = body.ty(v);
        let args = &data.args;
        match &data.op {
            Op::Const(c) => self.constant_value(c, v),
            Op::GlobalAddr(_) | Op::Slot(_) | Op::SlotVla(_) | Op::Addr(_) => {
                self.address_value(inst, v)
            }
            Op::FuncAddr(f) => self.function_expr(*f),
            Op::PtrDiff(size) => self.pointer_difference(args[0], args[1], *size),
            Op::Add => self.arithmetic(BinaryOp::Add, t, args),
            Op::Sub => self.arithmetic(BinaryOp::Sub, t, args),
            Op::Mul => self.arithmetic(BinaryOp::Mul, t, args),
            Op::Div => self.arithmetic(BinaryOp::Div, t, args),
            Op::Rem => self.arithmetic(BinaryOp::Rem, t, args),
            Op::And => self.arithmetic(BinaryOp::And, t, args),
            Op::Or => self.arithmetic(BinaryOp::Or, t, args),
            Op::Xor => self.arithmetic(BinaryOp::Xor, t, args),
            Op::Shl => self.shift(BinaryOp::Shl, t, args),
            Op::Shr => self.shift(BinaryOp::Shr, t, args),
            Op::Neg => self.negative(t, args[0]),
            Op::Not => self.complement(t, args[0]),
            Op::Eq => self.comparison(BinaryOp::Eq, args),
            Op::Ne => self.comparison(BinaryOp::Ne, args),
            Op::Lt => self.comparison(BinaryOp::Lt, args),
            Op::Le => self.comparison(BinaryOp::Le, args),
            Op::Gt => self.comparison(BinaryOp::Gt, args),
            Op::Ge => self.comparison(BinaryOp::Ge, args),
            Op::Select => {
                let c = self.value(args[0]);
                let a = self.value(args[1]);
                let b = self.value(args[2]);
                self.conditional(c, a, b, t)
            }
            Op::If => self.if_expr(inst, t),
            Op::Cast => self.cast_op(args[0], v),
            Op::Complex => self.complex(args, t),
            Op::Real => self.part(UnaryOp::Real, args[0], t),
            Op::Imag => self.part(UnaryOp::Imag, args[0], t),
            Op::Load(m) => self.place(args[0], t, body.values[v].ctype, m.volatile),
            Op::LoadBits(b) => self.load_bits(args[0], b, t),
            Op::Call(_) | Op::CallIndirect(_) | Op::Mpi(_) => self.call_expr(inst),
            Op::VaArg(ty) => {
                let list = self.va_list(args[0]);
                let name = Expr::new(ExprKind::TypeName, *ty);
                self.builtin("__builtin_va_arg", vec![list, name], *ty)
            }
            Op::Alloca => {
                let size = self.value(args[0]);
                let size = self.bare_integer(size);
                self.builtin("__builtin_alloca", vec![size], self.types.void_pointer)
            }
            op => unreachable!("`{}` has no expression", op.name()),
        }
    }

    /// A constant; an address that is no null pointer has the C type of its value.
    fn constant_value(&self, c: &Const, v: Value) -> Expr {
        let t = self.body.ty(v);
        let e = constant(self.types, c, t);
        match e.kind {
            ExprKind::Cast(inner) if t == Type::Ptr && inner.as_int() != Some(0) => {
                Expr::new(ExprKind::Cast(inner), self.value_ctype(v))
            }
            kind => Expr::new(kind, e.ty),
        }
    }

    /// Is the value the address of (a part of) a function or global variable, and does this file define it? One that is
    /// only declared may be weak, and null.
    fn named_address(&self, mut v: Value) -> Option<bool> {
        loop {
            let inst = self.body.def_inst(v)?;
            let data = &self.body.insts[inst];
            match &data.op {
                Op::FuncAddr(f) => return Some(self.module.funcs[*f].body.is_some()),
                Op::GlobalAddr(g) => {
                    let data = &self.module.globals[*g];
                    return Some(
                        data.init.is_some() || data.linkage != adjoin_ir::Linkage::External,
                    );
                }
                Op::Addr(_) => v = data.args[0],
                _ => return None,
            }
        }
    }

    /// `e != NULL` without a warning that it always is.
    fn address_truth(&self, e: Expr, defined: bool) -> Expr {
        if defined {
            return literal(self.types, 1, Basic::Int);
        }
        let word = Expr::new(ExprKind::Cast(Box::new(e)), self.types.basic(Basic::ULong));
        self.truth(word)
    }

    fn address_value(&mut self, inst: Inst, v: Value) -> Expr {
        if self.is_inline(v) || !matches!(self.body.insts[inst].op, Op::Addr(_)) {
            return self.address(v);
        }
        self.address_of_path(inst)
    }

    pub fn function_expr(&mut self, f: adjoin_ir::Func) -> Expr {
        let data = &self.module.funcs[f];
        if self.builtins.is_some_and(|b| b.contains(&f)) {
            let name = format!("__builtin_{}", data.name);
            return Expr::new(ExprKind::Name(name), data.ctype);
        }
        self.funcs.insert(f);
        Expr::new(ExprKind::Name(data.name.clone()), data.ctype)
    }

    pub fn builtin(&self, name: &str, args: Vec<Expr>, ty: CTy) -> Expr {
        let callee = Expr::new(ExprKind::Name(name.to_string()), self.types.int);
        Expr::new(ExprKind::Call(Box::new(callee), args), ty)
    }

    fn basic_of(&self, e: &Expr) -> Option<Basic> {
        self.types.arithmetic(e.ty)
    }

    /// Is its value 0 or 1 whatever its type?
    pub fn is_boolean(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::LogAnd | BinaryOp::LogOr => true,
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                    self.is_boolean(a) && self.is_boolean(b)
                }
                op => op.is_comparison(),
            },
            ExprKind::Unary(UnaryOp::LogNot, _) => true,
            ExprKind::Int(n, _) => *n == 0 || *n == 1,
            ExprKind::Cond(_, a, b) => self.is_boolean(a) && self.is_boolean(b),
            _ => self.basic_of(e) == Some(Basic::Bool),
        }
    }

    /// A cast to a C type, unless the expression has it.
    pub fn convert_to(&self, e: Expr, ty: CTy) -> Expr {
        if self.types.compatible(e.ty, ty) {
            return e;
        }
        if let (ExprKind::Int(n, _), Some(target)) = (&e.kind, self.types.value_type(ty)) {
            if target.is_int() && fits(*n, target) {
                if let Some(b @ (Basic::Int | Basic::UInt | Basic::Long | Basic::ULong)) =
                    self.types.arithmetic(ty)
                {
                    return literal(self.types, *n, b);
                }
            }
        }
        if let Some(inner) = e.as_cast() {
            // A widening that is converted on: the first step does not matter.
            let steps = (self.types.value_type(inner.ty), self.types.value_type(e.ty));
            let target = self.types.value_type(ty);
            if let (Some(from), Some(mid)) = steps {
                let whole = from.is_int() && mid.is_int() && target.is_some_and(|t| t.is_int());
                // Only the low bits count, and the first step keeps them.
                let low = target.is_some_and(|t| t.is_int() && t.bits() <= mid.bits());
                if whole && (preserves(from, mid) || low) {
                    return self.convert_to(inner.clone(), ty);
                }
            }
        }
        let cast = Expr::new(ExprKind::Cast(Box::new(e)), ty);
        // ISO C does not know these types by any name.
        let extended = matches!(
            self.types.kind(ty),
            CTypeKind::Basic(Basic::Int128 | Basic::UInt128 | Basic::Float16 | Basic::Float128)
        );
        if extended {
            Expr::new(ExprKind::Unary(UnaryOp::Extension, Box::new(cast)), ty)
        } else {
            cast
        }
    }

    /// Makes an expression have an IR type.
    pub fn convert(&self, e: Expr, t: Type) -> Expr {
        if t == Type::Bool {
            return if self.is_boolean(&e) {
                e
            } else {
                self.truth(e)
            };
        }
        if t == Type::Ptr || self.types.value_type(e.ty) == Some(t) {
            return e;
        }
        if let ExprKind::Int(n, Basic::Int) = e.kind {
            if t.is_int() && t.bits() < 32 && fits(n, t) {
                return e;
            }
        }
        self.convert_to(e, self.types.default_of(t))
    }

    /// `e != 0`
    pub fn truth(&self, e: Expr) -> Expr {
        if self.is_boolean(&e) {
            return e;
        }
        let zero = match self.types.value_type(self.decayed(e.ty)) {
            Some(t) if t.is_float() || t.is_complex() => {
                constant(self.types, &Const::float(0.0), t.part().unwrap_or(t))
            }
            Some(Type::Ptr) => integer(self.types, 0, Type::Ptr),
            _ => literal(self.types, 0, Basic::Int),
        };
        self.compare_exprs(BinaryOp::Ne, e, zero)
    }

    fn compare_exprs(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::new(
            ExprKind::Binary(op, Box::new(a), Box::new(b)),
            self.types.int,
        )
    }

    /// An integer where C takes any integer type: value-preserving casts and suffixes are dropped.
    pub fn bare_integer(&self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Int(n, _) if fits(n, Type::I32) => literal(self.types, n, Basic::Int),
            ExprKind::Cast(inner) => {
                let from = self.types.value_type(inner.ty);
                let to = self.types.value_type(e.ty);
                match (from, to) {
                    (Some(f), Some(t)) if f.is_int() && preserves(f, t) => {
                        self.bare_integer(*inner)
                    }
                    _ => Expr::new(ExprKind::Cast(inner), e.ty),
                }
            }
            _ => e,
        }
    }

    /// Leaves out the conversions to `t` that C's usual conversions of the two operands do.
    fn without_usual(&self, l: Expr, r: Expr, t: Type, compare: bool) -> (Expr, Expr) {
        // The right one first: `(double)i / n` reads better than `i / (double)n`.
        let r = self.stripped(r, &l, t, compare);
        let l = self.stripped(l, &r, t, compare);
        (l, r)
    }

    pub fn stripped(&self, e: Expr, other: &Expr, t: Type, compare: bool) -> Expr {
        let Some(other) = self.basic_of(other) else {
            return e;
        };
        let gives = |b: Basic| Type::of_basic(usual(b, other)) == t;
        if let ExprKind::Int(n, b) = e.kind {
            if b != Basic::Int && fits(n, Type::I32) && gives(Basic::Int) {
                return literal(self.types, n, Basic::Int);
            }
            return e;
        }
        let Some(inner) = e.as_cast() else { return e };
        let Some(b) = self.basic_of(inner) else {
            return e;
        };
        let from = Type::of_basic(b);
        // A real operand of complex arithmetic is not the same as one with a zero imaginary part.
        let exact = !t.is_complex() && (!compare || preserves(from, t));
        if self.types.value_type(e.ty) == Some(t) && gives(b) && exact {
            return self.bare_literal(inner.clone(), gives);
        }
        e
    }

    /// A literal without its suffix, if that gives the same type.
    fn bare_literal(&self, e: Expr, gives: impl Fn(Basic) -> bool) -> Expr {
        match e.kind {
            ExprKind::Int(n, _) if fits(n, Type::I32) && gives(Basic::Int) => {
                literal(self.types, n, Basic::Int)
            }
            _ => e,
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, t: Type, args: &[Value]) -> Expr {
        let l = self.value(args[0]);
        let r = self.value(args[1]);
        self.arithmetic_exprs(op, t, l, r)
    }

    pub fn arithmetic_exprs(&mut self, op: BinaryOp, t: Type, l: Expr, r: Expr) -> Expr {
        if t.is_vector() {
            let (l, r) = self.without_repeating(l, r);
            let ty = self.types.default_of(t);
            return Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty);
        }
        let l = self.convert(l, t);
        let r = self.convert(r, t);
        if t == Type::Bool {
            let op = match op {
                BinaryOp::And if !r.has_call() => BinaryOp::LogAnd,
                BinaryOp::Or if !r.has_call() => BinaryOp::LogOr,
                BinaryOp::Xor => BinaryOp::Ne,
                op => op,
            };
            return Expr::new(
                ExprKind::Binary(op, Box::new(l), Box::new(r)),
                self.types.int,
            );
        }
        let (l, r) = self.without_usual(l, r, t, false);
        let basic = match (self.basic_of(&l), self.basic_of(&r)) {
            (Some(a), Some(b)) => usual(a, b),
            _ => Basic::Int,
        };
        let ty = self.types.basic(basic);
        let (op, r) = self.without_negative(op, r, t);
        let e = Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty);
        self.convert(e, t)
    }

    /// A number with a vector: compilers repeat it.
    fn without_repeating(&self, l: Expr, r: Expr) -> (Expr, Expr) {
        let number = |e: &Expr| match &e.kind {
            ExprKind::Binary(BinaryOp::Sub, x, zero) if matches!(zero.kind, ExprKind::Zero) => {
                Some((**x).clone())
            }
            _ => None,
        };
        match (number(&l), number(&r)) {
            (_, Some(r)) => (l, r),
            (Some(l), None) => (l, r),
            (None, None) => (l, r),
        }
    }

    /// A number as all elements of a vector.
    fn repeated(&self, e: Expr, ty: CTy) -> Expr {
        let zero = Expr::new(ExprKind::Zero, ty);
        let is_zero = match &e.kind {
            ExprKind::Int(0, _) => true,
            ExprKind::Literal(text) => matches!(&text[..], "0.0" | "0.0f" | "0.0F"),
            _ => false,
        };
        if is_zero {
            return zero;
        }
        let sum = ExprKind::Binary(BinaryOp::Sub, Box::new(e), Box::new(zero));
        Expr::new(sum, ty)
    }

    /// `a + -3` is `a - 3`.
    fn without_negative(&self, op: BinaryOp, r: Expr, t: Type) -> (BinaryOp, Expr) {
        let flipped = match op {
            BinaryOp::Add => BinaryOp::Sub,
            BinaryOp::Sub => BinaryOp::Add,
            _ => return (op, r),
        };
        match &r.kind {
            ExprKind::Int(n, b) if *n < 0 && t.is_signed() && fits(-*n, Type::of_basic(*b)) => {
                (flipped, literal(self.types, -*n, *b))
            }
            // What wraps around to a small step back.
            ExprKind::Int(n, _) if is_wrapped_step(*n, t) => {
                let back = (1i128 << t.bits()) - *n;
                (flipped, literal(self.types, back, Basic::Int))
            }
            ExprKind::Unary(UnaryOp::Neg, x)
                if t.is_float() && matches!(x.kind, ExprKind::Literal(_)) =>
            {
                (flipped, (**x).clone())
            }
            _ => (op, r),
        }
    }

    fn shift(&mut self, op: BinaryOp, t: Type, args: &[Value]) -> Expr {
        let l = self.value(args[0]);
        let l = self.convert(l, t);
        let l = self.without_promotion(l, t);
        let r = self.value(args[1]);
        let r = self.bare_integer(r);
        let ty = self
            .basic_of(&l)
            .map(|b| self.types.basic(promote(b)))
            .unwrap_or(l.ty);
        let e = Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty);
        self.convert(e, t)
    }

    /// Leaves out a conversion that is the integer promotion.
    fn without_promotion(&self, e: Expr, t: Type) -> Expr {
        if let ExprKind::Cast(inner) = &e.kind {
            if let Some(b) = self.basic_of(inner) {
                if b.is_integer()
                    && Type::of_basic(promote(b)) == t
                    && self.types.value_type(e.ty) == Some(t)
                {
                    return (**inner).clone();
                }
            }
        }
        e
    }

    fn negative(&mut self, t: Type, v: Value) -> Expr {
        let e = self.value(v);
        let e = self.convert(e, t);
        let e = self.without_promotion(e, t);
        if let ExprKind::Int(n, b) = e.kind {
            if b.is_signed() && fits(-n, Type::of_basic(b)) {
                return literal(self.types, -n, b);
            }
        }
        let ty = self
            .basic_of(&e)
            .map(|b| self.types.basic(promote(b)))
            .unwrap_or(e.ty);
        let e = Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(e)), ty);
        self.convert(e, t)
    }

    fn complement(&mut self, t: Type, v: Value) -> Expr {
        let e = self.value(v);
        if t == Type::Bool {
            return self.negated(e);
        }
        let e = self.convert(e, t);
        let e = self.without_promotion(e, t);
        let ty = self
            .basic_of(&e)
            .map(|b| self.types.basic(promote(b)))
            .unwrap_or(e.ty);
        let e = Expr::new(ExprKind::Unary(UnaryOp::BitNot, Box::new(e)), ty);
        self.convert(e, t)
    }

    /// The opposite truth value.
    pub fn negated(&self, e: Expr) -> Expr {
        negate(self.types, e)
    }

    fn comparison(&mut self, op: BinaryOp, args: &[Value]) -> Expr {
        let t = self.body.ty(args[0]);
        let l = self.value(args[0]);
        let r = self.value(args[1]);
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let named = |v, other: &Expr| is_null(other).then(|| self.named_address(v)).flatten();
            let truth = match (named(args[0], &r), named(args[1], &l)) {
                (Some(defined), _) => Some(self.address_truth(l.clone(), defined)),
                (_, Some(defined)) => Some(self.address_truth(r.clone(), defined)),
                _ => None,
            };
            if let Some(truth) = truth {
                return if op == BinaryOp::Ne {
                    truth
                } else {
                    self.negated(truth)
                };
            }
        }
        self.comparison_exprs(op, l, r, t)
    }

    /// A comparison in IR type `t`.
    pub fn comparison_exprs(&mut self, op: BinaryOp, l: Expr, r: Expr, t: Type) -> Expr {
        if t == Type::Ptr {
            let (l, r) = self.same_pointers(l, r);
            return self.compare_exprs(op, l, r);
        }
        let l = self.convert(l, t);
        let r = self.convert(r, t);
        let (l, r) = if t == Type::Bool {
            (l, r)
        } else {
            self.without_usual(l, r, t, true)
        };
        self.compare_exprs(op, l, r)
    }

    /// Gives two pointers a common type.
    fn same_pointers(&self, l: Expr, r: Expr) -> (Expr, Expr) {
        if is_null(&l) || is_null(&r) {
            return (l, r);
        }
        let (lt, rt) = (self.decayed(l.ty), self.decayed(r.ty));
        let void = |t| self.types.pointee(t).is_some_and(|p| self.types.is_void(p));
        let function = |t| {
            self.types
                .pointee(t)
                .is_some_and(|p| self.types.is_function(p))
        };
        if self.types.compatible(lt, rt)
            || ((void(lt) || void(rt)) && !function(lt) && !function(rt))
        {
            return (l, r);
        }
        let r = self.as_pointer(r, lt);
        (l, r)
    }

    /// `c ? a : b`, or `&&` and `||` of truth values.
    pub fn conditional(&mut self, c: Expr, a: Expr, b: Expr, t: Type) -> Expr {
        let (ca, cb) = (a.as_int(), b.as_int());
        if t == Type::Bool || (t == Type::I32 && self.is_boolean(&a) && self.is_boolean(&b)) {
            let int = self.types.int;
            let logical = |op, l: Expr, r: Expr| {
                Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), int)
            };
            let c = self.condition(c);
            match (ca, cb) {
                (Some(1), Some(0)) => return self.truth_int(c),
                (Some(0), Some(1)) => return self.negated(c),
                (_, Some(0)) => return logical(BinaryOp::LogAnd, c, self.condition(a)),
                (Some(1), _) => return logical(BinaryOp::LogOr, c, self.condition(b)),
                (Some(0), _) => {
                    return logical(BinaryOp::LogAnd, self.negated(c), self.condition(b));
                }
                (_, Some(1)) => {
                    return logical(BinaryOp::LogOr, self.negated(c), self.condition(a));
                }
                _ => {}
            }
            return Expr::new(ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b)), int);
        }
        let c = self.condition(c);
        let (a, b, ty) = if t == Type::Ptr {
            let (a, b) = (self.list_address(a), self.list_address(b));
            let (a, b) = self.same_pointers(a, b);
            let ty = if is_null(&a) {
                self.decayed(b.ty)
            } else {
                self.decayed(a.ty)
            };
            (a, b, ty)
        } else {
            let a = self.convert(a, t);
            let b = self.convert(b, t);
            let (a, b) = self.without_usual(a, b, t, true);
            let ty = match (self.basic_of(&a), self.basic_of(&b)) {
                (Some(x), Some(y)) => self.types.basic(usual(x, y)),
                _ => a.ty,
            };
            (a, b, ty)
        };
        let e = Expr::new(ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b)), ty);
        self.convert(e, t)
    }

    /// A `va_list` that stands for its address, written as one.
    fn list_address(&self, e: Expr) -> Expr {
        let object = e
            .as_var()
            .is_some_and(|v| self.vars[v].kind == VarKind::Object);
        if !object || !matches!(self.types.shape(e.ty), CTypeKind::VaList) {
            return e;
        }
        let ty = self.types.pointer(e.ty);
        Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty)
    }

    fn truth_int(&self, c: Expr) -> Expr {
        if self.is_boolean(&c) {
            c
        } else {
            self.truth(c)
        }
    }

    fn if_expr(&mut self, inst: Inst, t: Type) -> Expr {
        let body = self.body;
        let data = &body.insts[inst];
        let c = self.value(data.args[0]);
        let mut arms = Vec::new();
        for &r in &data.regions {
            if let Some(end) = body.terminator(r) {
                arms.push(self.value(body.insts[end].args[0]));
            }
        }
        let b = arms.pop();
        let a = arms.pop();
        match (a, b) {
            (Some(a), Some(b)) => self.conditional(c, a, b, t),
            _ => c,
        }
    }

    /// A truth value as the condition of a statement: `x != 0` is `x`.
    pub fn condition(&self, e: Expr) -> Expr {
        condition(self.types, e)
    }

    fn cast_op(&mut self, source: Value, v: Value) -> Expr {
        let from = self.body.ty(source);
        let to = self.body.ty(v);
        let e = self.value(source);
        let ty = self.value_ctype(v);
        if to.is_vector() {
            return self.repeated(e, self.types.default_of(to));
        }
        if to == Type::Bool {
            return match self.named_address(source) {
                Some(defined) => self.address_truth(e, defined),
                None => self.truth(e),
            };
        }
        if from == Type::Bool {
            if to == Type::I32 && self.basic_of(&e) == Some(Basic::Int) {
                return e;
            }
            return self.convert_to(e, ty);
        }
        if let ExprKind::Int(n, _) = e.kind {
            if to.is_int() && to.bits() <= 64 {
                return integer(self.types, wrap(n, to), to);
            }
        }
        match (from, to) {
            (Type::Ptr, Type::Ptr) => self.as_pointer(e, ty),
            (Type::Ptr, t) => {
                let word = self.types.basic(if t.is_signed() {
                    Basic::Long
                } else {
                    Basic::ULong
                });
                let e = Expr::new(ExprKind::Cast(Box::new(e)), word);
                self.convert_to(e, ty)
            }
            (f, Type::Ptr) => {
                let word = self.types.basic(if f.is_signed() {
                    Basic::Long
                } else {
                    Basic::ULong
                });
                let e = self.convert_to(e, word);
                Expr::new(ExprKind::Cast(Box::new(e)), ty)
            }
            _ => self.convert_to(e, ty),
        }
    }

    fn complex(&mut self, args: &[Value], t: Type) -> Expr {
        let part = t.part().unwrap_or(Type::F64);
        let mut parts = Vec::new();
        for &a in args {
            let e = self.value(a);
            parts.push(self.convert(e, part));
        }
        self.builtin("__builtin_complex", parts, self.types.default_of(t))
    }

    fn part(&mut self, op: UnaryOp, v: Value, t: Type) -> Expr {
        let e = self.value(v);
        let ty = self.types.default_of(t);
        let part = Expr::new(ExprKind::Unary(op, Box::new(e)), ty);
        Expr::new(ExprKind::Unary(UnaryOp::Extension, Box::new(part)), ty)
    }

    fn load_bits(&mut self, address: Value, attr: &adjoin_ir::BitsAttr, t: Type) -> Expr {
        let Some(mut e) = self.bit_field(address, attr.record, attr.field) else {
            return literal(self.types, 0, Basic::Int);
        };
        // A field narrower than `int` is promoted to it; compilers differ on wide ones.
        if attr.width < 32 && t.bits() <= 32 {
            e.ty = self.types.int;
            return if t == Type::Bool {
                e_bool(self.types, e)
            } else {
                self.convert(e, t)
            };
        }
        if attr.width > 32 && u64::from(attr.width) < t.size() * 8 {
            let ty = self.types.default_of(t);
            // No type of ours is the field's: the cast must stay whatever the context.
            e.ty = self.types.basic(Basic::UInt128);
            return Expr::new(ExprKind::Cast(Box::new(e)), ty);
        }
        e
    }

    fn pointer_difference(&mut self, a: Value, b: Value, size: u64) -> Expr {
        let l = self.value(a);
        let r = self.value(b);
        let long = self.types.basic(Basic::Long);
        let fits = |build: &Self, e: &Expr| {
            build.types.pointee(build.decayed(e.ty)).is_some_and(|t| {
                build.types.size_of(t) == Some(size)
                    && !build.types.is_void(t)
                    && !build.types.is_function(t)
            })
        };
        let (l, r, scale) = if fits(self, &l) {
            let ty = self.decayed(l.ty);
            let r = if self.types.compatible(ty, self.decayed(r.ty)) {
                r
            } else {
                Expr::new(ExprKind::Cast(Box::new(r)), ty)
            };
            (l, r, 1)
        } else if fits(self, &r) {
            let ty = self.decayed(r.ty);
            (Expr::new(ExprKind::Cast(Box::new(l)), ty), r, 1)
        } else {
            let ty = self.types.char_pointer;
            let l = self.as_pointer_exactly(l, ty);
            let r = self.as_pointer_exactly(r, ty);
            (l, r, size)
        };
        let difference = Expr::new(
            ExprKind::Binary(BinaryOp::Sub, Box::new(l), Box::new(r)),
            long,
        );
        if scale <= 1 {
            return difference;
        }
        let by = literal(self.types, scale as i128, Basic::Long);
        Expr::new(
            ExprKind::Binary(BinaryOp::Div, Box::new(difference), Box::new(by)),
            long,
        )
    }

    fn as_pointer_exactly(&self, e: Expr, ty: CTy) -> Expr {
        if self.types.compatible(self.decayed(e.ty), ty) {
            e
        } else {
            Expr::new(ExprKind::Cast(Box::new(e)), ty)
        }
    }

    /// A pointer as a pointer type, cast unless C converts it silently.
    pub fn as_pointer(&self, e: Expr, ty: CTy) -> Expr {
        if is_null(&e) {
            return e;
        }
        if matches!(self.types.shape(e.ty), CTypeKind::VaList) {
            // A `va_list` parameter is a pointer to what `va_list` holds; a pointer to a `va_list` keeps the name.
            let by_address = self
                .types
                .pointee(ty)
                .is_some_and(|p| matches!(self.types.kind(p), CTypeKind::Typedef { .. }));
            return if by_address {
                Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty)
            } else {
                e
            };
        }
        let other_array = self.types.other_array_quals(self.decayed(e.ty), ty);
        if self.types.has_vla(ty) && (other_array || !self.types.compatible(self.decayed(e.ty), ty))
        {
            // The type cannot be written again; every pointer converts from this one.
            return Expr::new(ExprKind::Cast(Box::new(e)), self.types.void_pointer);
        }
        let (Some(to), Some(from)) = (
            self.types.pointee(ty),
            self.types.pointee(self.decayed(e.ty)),
        ) else {
            return if self.types.is_pointer(ty) && !self.types.is_pointer(self.decayed(e.ty)) {
                Expr::new(ExprKind::Cast(Box::new(e)), ty)
            } else {
                e
            };
        };
        let keeps = !self.types.drops_quals(from, to);
        let void = self.types.is_void(from) || self.types.is_void(to);
        let function = self.types.is_function(from) || self.types.is_function(to);
        if void && !function && keeps {
            return e;
        }
        if self.types.compatible(from, to)
            && keeps
            && !other_array
            && self.types.same_inner_quals(from, to)
        {
            return e;
        }
        // `&array` where a pointer to the whole array is wanted.
        if self.types.array_element(e.ty).is_some() && self.types.compatible(e.ty, to) {
            return Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty);
        }
        Expr::new(ExprKind::Cast(Box::new(e)), ty)
    }

    /// An expression as it is assigned to (passed as, returned as) a C type.
    pub fn assigned(&mut self, e: Expr, ty: CTy) -> Expr {
        let Some(t) = self.types.value_type(ty) else {
            return e;
        };
        if t == Type::Ptr {
            return self.as_pointer(e, ty);
        }
        let e = self.convert(e, t);
        if let ExprKind::Int(n, b) = e.kind {
            let shorter = b != Basic::Int && fits(n, Type::I32) && t.is_int();
            return if shorter {
                literal(self.types, n, Basic::Int)
            } else {
                e
            };
        }
        let Some(inner) = e.as_cast() else { return e };
        let Some(from) = self.types.value_type(inner.ty) else {
            return e;
        };
        if self.types.value_type(e.ty) != Some(t) {
            return e;
        }
        if let ExprKind::Int(n, _) = inner.kind {
            let exact = t.is_int() && fits(n, Type::I32) && fits(n, t);
            return if exact {
                literal(self.types, n, Basic::Int)
            } else {
                e
            };
        }
        let quiet = match (from, t) {
            (f, t) if f.is_int() && t.is_int() => f.bits() <= t.bits(),
            (Type::Bool, t) => t.is_int() || t.is_float(),
            (f, t) if f.is_int() && t.is_float() => true,
            (f, t) if f.is_float() && t.is_float() => f.size() <= t.size(),
            (f, t) => f.is_float() && t.is_complex(),
        };
        if quiet && !inner.is_constant() {
            inner.clone()
        } else {
            e
        }
    }
}

/// Is it an unsigned number just below the end of its range: a small negative one, converted?
fn is_wrapped_step(n: i128, t: Type) -> bool {
    const SMALL: i128 = 1 << 12;
    let counted = t.is_int() && !t.is_signed() && matches!(t.bits(), 32 | 64);
    counted && n > (1i128 << t.bits()) - SMALL
}

fn e_bool(types: &crate::types::Types, mut e: Expr) -> Expr {
    e.ty = types.basic(Basic::Bool);
    e
}

/// The opposite truth value.
pub(crate) fn negate(types: &crate::types::Types, e: Expr) -> Expr {
    match e.kind {
        ExprKind::Unary(UnaryOp::LogNot, inner) => *inner,
        ExprKind::Int(n, b) => literal(types, (n == 0) as i128, b),
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let real = |e: &Expr| types.arithmetic(e.ty).is_some_and(|b| !b.is_integer());
            let total = matches!(op, BinaryOp::Eq | BinaryOp::Ne) || !(real(&a) || real(&b));
            match op.negated().filter(|_| total) {
                Some(opposite) => Expr::new(ExprKind::Binary(opposite, a, b), e.ty),
                None => not(types, Expr::new(ExprKind::Binary(op, a, b), e.ty)),
            }
        }
        _ => not(types, e),
    }
}

fn not(types: &crate::types::Types, e: Expr) -> Expr {
    Expr::new(ExprKind::Unary(UnaryOp::LogNot, Box::new(e)), types.int)
}

/// A truth value as the condition of a statement: `x != 0` is `x`, `p == NULL` is `!p`.
pub(crate) fn condition(types: &crate::types::Types, e: Expr) -> Expr {
    if let ExprKind::Binary(op @ (BinaryOp::Ne | BinaryOp::Eq), a, b) = &e.kind {
        let pointer = types.is_pointer(a.ty);
        let zero = b.as_int() == Some(0) || is_null(b);
        // Compilers warn of these where a truth value is expected.
        let suspicious = match &a.kind {
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Mul | BinaryOp::Shl),
            ExprKind::Cond(..) | ExprKind::Int(..) | ExprKind::Literal(_) => true,
            ExprKind::Unary(UnaryOp::AddrOf, _) => true,
            _ => false,
        };
        let whole = types.arithmetic(a.ty).is_some_and(|b| b.is_integer());
        if zero && !suspicious && (whole || pointer) {
            if *op == BinaryOp::Ne {
                return (**a).clone();
            }
            if pointer {
                return not(types, (**a).clone());
            }
        }
    }
    e
}

/// A null pointer constant?
pub(crate) fn is_null(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Cast(inner) if matches!(inner.kind, ExprKind::Int(0, Basic::Int)))
}

/// Is the number in the range of an integer type?
pub(crate) fn fits(n: i128, t: Type) -> bool {
    wrap(n, t) == n
}

/// The number modulo the range of an integer type.
pub(crate) fn wrap(n: i128, t: Type) -> i128 {
    let bits = t.bits();
    if bits >= 128 {
        return n;
    }
    let low = n & ((1i128 << bits) - 1);
    if t.is_signed() && low >> (bits - 1) & 1 == 1 {
        low - (1i128 << bits)
    } else {
        low
    }
}
