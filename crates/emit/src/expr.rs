//! Values as C expressions. Every expression has its C type; conversions of the IR that C does by itself are
//! left out, all others are casts.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp, VarKind};
use crate::build::Build;
use crate::consts::{constant, literal};
use crate::types::usual;
use adjoin_ir::{Basic, CTy, CTypeKind, Const, Inst, InstData, Op, Type, Value};

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
    pub(crate) fn named_address(&self, mut v: Value) -> Option<bool> {
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
    pub(crate) fn address_truth(&self, e: Expr, defined: bool) -> Expr {
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

    /// A function that is called.
    pub fn called(&mut self, f: adjoin_ir::Func) -> Expr {
        let data = &self.module.funcs[f];
        let root = (crate::options::ROOTS.iter())
            .find(|(name, ..)| self.plain_roots && data.body.is_none() && data.name == *name);
        match root {
            Some((_, name, _)) => Expr::new(ExprKind::Name(name.to_string()), data.ctype),
            None => self.function_expr(f),
        }
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

    pub(crate) fn basic_of(&self, e: &Expr) -> Option<Basic> {
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
            let (of_a, of_b) = (self.decayed(a.ty), self.decayed(b.ty));
            let is_void = |t| self.types.pointee(t).is_some_and(|p| self.types.is_void(p));
            // If one of them may lead to anything, so may the result.
            let ty = if is_null(&a) || (is_void(of_b) && !is_null(&b)) {
                of_b
            } else {
                of_a
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

    fn complex(&mut self, args: &[Value], t: Type) -> Expr {
        let part = t.part().unwrap_or(Type::F64);
        if let Some(z) = self.conjugate_of(args) {
            let name = match part {
                Type::F32 => "__builtin_conjf",
                Type::F80 => "__builtin_conjl",
                _ => "__builtin_conj",
            };
            let z = self.value(z);
            let z = self.convert(z, t);
            return self.builtin(name, vec![z], self.types.default_of(t));
        }
        let mut parts = Vec::new();
        for &a in args {
            let e = self.value(a);
            parts.push(self.convert(e, part));
        }
        self.builtin("__builtin_complex", parts, self.types.default_of(t))
    }

    /// The number that these are the parts of the conjugate of, if nothing else needs the parts.
    fn conjugate_of(&self, args: &[Value]) -> Option<Value> {
        let only = |v: Value| -> Option<&InstData> {
            let inst = self.body.def_inst(v)?;
            let folded = self.facts.uses[v].len() == 1 && self.var_of[v].is_none();
            folded.then(|| &self.body.insts[inst])
        };
        let (real, negative) = (only(args[0])?, only(args[1])?);
        let imaginary = only(*negative.args.first()?)?;
        let matches = matches!(real.op, Op::Real)
            && matches!(negative.op, Op::Neg)
            && matches!(imaginary.op, Op::Imag)
            && real.args == imaginary.args;
        matches.then(|| real.args[0])
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
