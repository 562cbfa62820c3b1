//! Instructions as statements: stores, copies, calls and whatever gets a variable.

use crate::ast::{Expr, ExprKind, Initial, Stmt, StmtKind, UnaryOp, VarKind};
use crate::build::Build;
use crate::expr::is_null;
use crate::fold::Plan;
use adjoin_ir::{Basic, CTy, CTypeKind, CopyAttr, Effect, Inst, Op, Region, Type, Value};

impl Build<'_> {
    /// The statements of a region, its terminator included.
    pub fn region(&mut self, r: Region) -> Vec<Stmt> {
        let mut out = Vec::new();
        let body = self.body;
        for &inst in &body.regions[r].insts {
            if !self.facts.dead.contains(inst) {
                self.inst(inst, &mut out);
            }
        }
        out
    }

    fn inst(&mut self, inst: Inst, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        if self.skipped.contains(inst) {
            return;
        }
        let single = (data.results.len() == 1).then(|| data.results[0]);
        if let Some(v) = single {
            if matches!(data.op, Op::Slot(_)) {
                // Marks where the object comes to life; the declaration goes to its first use.
                let var = self.object_variable(v, inst);
                out.push(Stmt::new(StmtKind::Decl(var, Initial::None), data.span));
                return;
            }
            if self.folding.plan[v] == Plan::Inline && !matches!(data.op, Op::SlotVla(_)) {
                return;
            }
        }
        let span = data.span;
        let args = &data.args;
        let kind = match &data.op {
            Op::Store(m) => {
                let t = body.ty(args[1]);
                let target = self.target(args[0], t, body.values[args[1]].ctype, m.volatile);
                let e = self.stored_value(inst, args[1]);
                let e = self.assigned(e, target.ty);
                StmtKind::Assign(target, e)
            }
            Op::StoreBits(b) => {
                let Some(target) = self.bit_field(args[0], b.record, b.field) else {
                    return;
                };
                let e = self.value(args[1]);
                let e = self.assigned(e, target.ty);
                StmtKind::Assign(target, e)
            }
            Op::Copy(c) => self.copy(args[0], args[1], c),
            Op::Zero(c) => self.zero(args[0], c),
            Op::SlotVla(_) => {
                let var = self.object_variable(data.results[0], inst);
                let n = self.value(args[0]);
                StmtKind::Decl(var, Initial::Length(self.bare_integer(n)))
            }
            Op::VaStart => {
                let list = self.va_list(args[0]);
                let last = self.last_parameter();
                StmtKind::Expr(self.builtin(
                    "__builtin_va_start",
                    vec![list, last],
                    self.types.void,
                ))
            }
            Op::VaArgInto(ty) => {
                let target = self.aggregate(args[0], *ty);
                let list = self.va_list(args[1]);
                let name = Expr::new(ExprKind::TypeName, *ty);
                let e = self.builtin("__builtin_va_arg", vec![list, name], *ty);
                StmtKind::Assign(self.writable(target), e)
            }
            Op::VaEnd => {
                let list = self.va_list(args[0]);
                StmtKind::Expr(self.builtin("__builtin_va_end", vec![list], self.types.void))
            }
            Op::VaCopy => {
                let to = self.va_list(args[0]);
                let from = self.va_list(args[1]);
                StmtKind::Expr(self.builtin("__builtin_va_copy", vec![to, from], self.types.void))
            }
            Op::If if !self.folding.expressions.contains(inst) => return self.if_stmt(inst, out),
            Op::For(_) => return self.for_stmt(inst, out),
            Op::Loop => return self.loop_stmt(inst, out),
            Op::Block => {
                let inner = self.region(data.regions[0]);
                StmtKind::Block {
                    id: inst,
                    body: inner,
                }
            }
            Op::Switch(attr) => return self.switch_stmt(inst, attr, out),
            Op::Par(attr) => return self.par_stmt(inst, attr, out),
            op if op.is_terminator() => return self.terminator(inst, out),
            op => match single {
                Some(v) if !self.facts.uses[v].is_empty() => {
                    let e = self.inst_expr(inst, v);
                    let var = self.variable(v);
                    let ty = self.vars[var].ty;
                    let e = self.assigned(e, ty);
                    StmtKind::Assign(self.var_expr(var), e)
                }
                Some(v) if op.info().effect != Effect::Pure => {
                    let e = self.inst_expr(inst, v);
                    // A volatile read, or a result that nobody wants.
                    let e = if e.has_call() {
                        e
                    } else {
                        Expr::new(ExprKind::Cast(Box::new(e)), self.types.void)
                    };
                    StmtKind::Expr(e)
                }
                Some(_) => return,
                None => {
                    let e = self.call_expr(inst);
                    match self.aggregate_result(inst) {
                        Some(ty) => {
                            let target = self.aggregate(self.result_address(inst), ty);
                            StmtKind::Assign(target, e)
                        }
                        None => StmtKind::Expr(e),
                    }
                }
            },
        };
        out.push(Stmt::new(kind, span));
    }

    /// The value of a store; in `atomic capture`, what was just stored is read back by name.
    fn stored_value(&mut self, inst: Inst, v: Value) -> Expr {
        if let Some(address) = self.captured_address(inst, v) {
            let stored = self.stored_type(address).unwrap_or(self.body.ty(v));
            return self.place(address, stored, None, false);
        }
        self.value(v)
    }

    /// The type of what is stored at an address.
    fn stored_type(&self, address: Value) -> Option<Type> {
        self.facts.uses[address].iter().find_map(|&u| {
            let data = &self.body.insts[u];
            (matches!(data.op, Op::Store(_)) && data.args[0] == address)
                .then(|| self.body.ty(data.args[1]))
        })
    }

    fn copy(&mut self, to: Value, from: Value, attr: &CopyAttr) -> StmtKind {
        if let Some(ty) = attr
            .ctype
            .filter(|&t| self.types.record_of(t).is_some() && self.whole(t, attr.bytes))
            .filter(|&t| !self.has_constant_member(t))
        {
            let target = self.aggregate(to, ty);
            let target = self.writable(target);
            let source = self.aggregate(from, ty);
            return StmtKind::Assign(target, source);
        }
        let to = self.address(to);
        let from = self.address(from);
        let to = self.as_pointer(to, self.types.void_pointer);
        let size = crate::consts::literal(self.types, attr.bytes as i128, Basic::Int);
        StmtKind::Expr(self.builtin(
            "__builtin_memcpy",
            vec![to, from, size],
            self.types.void_pointer,
        ))
    }

    fn whole(&self, t: CTy, bytes: u64) -> bool {
        self.types.size_of(t) == Some(bytes)
    }

    fn writable(&self, e: Expr) -> Expr {
        if !self.types.quals(e.ty).is_const {
            return e;
        }
        let ty = self.types.pointer(self.types.unqualified(e.ty));
        let p = self.address_of(e);
        self.deref(Expr::new(ExprKind::Cast(Box::new(p)), ty))
    }

    fn zero(&mut self, address: Value, attr: &CopyAttr) -> StmtKind {
        if let Some(place) = self.object_place(address) {
            // The whole of a variable: may become its initialiser.
            let variable = place
                .as_var()
                .is_some_and(|v| self.vars[v].kind == VarKind::Object);
            let record = self.types.record_of(place.ty).is_some();
            let array = matches!(
                self.types.shape(place.ty),
                CTypeKind::Array { len: Some(_), .. }
            );
            // What is zeroed without a type may hold anything, also in a struct of bytes.
            let raw = attr.ctype.is_none() && record && !self.holds_more_than_bytes(place.ty);
            let named = !record || (self.is_named(place.ty) && !self.has_constant_member(place.ty));
            if self.whole(place.ty, attr.bytes) && !raw && named && (record || (array && variable))
            {
                let ty = place.ty;
                return StmtKind::Assign(self.writable(place), Expr::new(ExprKind::Zero, ty));
            }
        }
        if let Some(ty) = attr
            .ctype
            .filter(|&t| self.types.record_of(t).is_some() && self.is_named(t))
            .filter(|&t| self.whole(t, attr.bytes) && !self.has_constant_member(t))
        {
            let target = self.aggregate(address, ty);
            return StmtKind::Assign(self.writable(target), Expr::new(ExprKind::Zero, ty));
        }
        let p = self.address(address);
        StmtKind::Expr(self.clear(p, attr.bytes))
    }

    /// Has a struct or union a name, so that a value of its type can be written?
    fn is_named(&self, t: CTy) -> bool {
        self.types.record_of(t).is_some_and(|r| {
            let data = self.types.record(r);
            data.tag.is_some() || data.typedef_name.is_some()
        })
    }

    /// Has a struct a member that is `const`? Then nothing can be assigned to it as a whole.
    fn has_constant_member(&self, t: CTy) -> bool {
        match self.types.shape(t) {
            CTypeKind::Array { elem, .. } => self.has_constant_member(elem),
            CTypeKind::Record(record) => (self.types.record(record).fields.iter().flatten())
                .any(|f| self.types.quals(f.ty).is_const || self.has_constant_member(f.ty)),
            _ => false,
        }
    }

    fn holds_more_than_bytes(&self, t: CTy) -> bool {
        match self.types.shape(t) {
            CTypeKind::Array { elem, .. } => self.holds_more_than_bytes(elem),
            CTypeKind::Record(record) => (self.types.record(record).fields.iter().flatten())
                .any(|f| self.holds_more_than_bytes(f.ty)),
            _ => !self.whole(t, 1),
        }
    }

    /// `__builtin_memset(p, 0, bytes)`
    fn clear(&self, p: Expr, bytes: u64) -> Expr {
        let p = self.as_pointer(p, self.types.void_pointer);
        let zero = crate::consts::literal(self.types, 0, Basic::Int);
        let size = crate::consts::literal(self.types, bytes as i128, Basic::Int);
        self.builtin(
            "__builtin_memset",
            vec![p, zero, size],
            self.types.void_pointer,
        )
    }

    /// A `va_list` by its address.
    pub fn va_list(&mut self, address: Value) -> Expr {
        if let Some(place) = self.object_place(address) {
            return place;
        }
        let e = self.address(address);
        // A parameter that is a `va_list` itself is a pointer too, but not to the type by its name.
        let points_at_list = self.types.pointee(e.ty).is_some_and(|t| {
            matches!(self.types.shape(t), CTypeKind::VaList)
                && matches!(self.types.kind(t), CTypeKind::Typedef { .. })
        });
        if points_at_list {
            return self.deref(e);
        }
        if e.as_var()
            .is_some_and(|v| self.vars[v].kind == VarKind::Parameter)
        {
            return e;
        }
        if let ExprKind::Unary(UnaryOp::AddrOf, inner) = e.kind {
            return *inner;
        }
        let list = self.types.intern(CTypeKind::VaList);
        let ty = self.types.pointer(list);
        if self.types.array_element(e.ty).is_some()
            || matches!(self.types.shape(e.ty), CTypeKind::VaList)
        {
            return e;
        }
        self.deref(Expr::new(ExprKind::Cast(Box::new(e)), ty))
    }

    fn last_parameter(&mut self) -> Expr {
        let name = self.module.funcs[self.func]
            .param_names
            .last()
            .cloned()
            .flatten();
        match name {
            Some(name) => Expr::new(ExprKind::Name(name), self.types.int),
            None => crate::consts::literal(self.types, 0, Basic::Int),
        }
    }

    /// The C function type of a call.
    fn call_type(&self, inst: Inst) -> CTy {
        match &self.body.insts[inst].op {
            Op::Call(c) if self.in_place => self.module.funcs[c.func].ctype,
            Op::Call(c) => self.types.without_vla(self.module.funcs[c.func].ctype),
            Op::Mpi(m) => self.module.funcs[m.func].ctype,
            Op::CallIndirect(c) => c.ctype,
            op => unreachable!("`{}` is no call", op.name()),
        }
    }

    /// The aggregate type that a call returns, if it does.
    fn aggregate_result(&self, inst: Inst) -> Option<CTy> {
        match self.types.shape(self.call_type(inst)) {
            CTypeKind::Function { ret, .. } => self.types.is_aggregate(ret).then_some(ret),
            _ => None,
        }
    }

    fn result_address(&self, inst: Inst) -> Value {
        let data = &self.body.insts[inst];
        data.args[matches!(data.op, Op::CallIndirect(_)) as usize]
    }

    /// The call itself.
    pub fn call_expr(&mut self, inst: Inst) -> Expr {
        let body = self.body;
        let data = &body.insts[inst];
        let ctype = self.call_type(inst);
        let CTypeKind::Function {
            ret,
            params,
            prototyped,
            ..
        } = self.types.shape(ctype)
        else {
            return crate::consts::literal(self.types, 0, Basic::Int);
        };
        let mut operands = data.args.iter().copied();
        let callee = match &data.op {
            Op::Call(c) => self.called(c.func),
            Op::Mpi(m) => self.function_expr(m.func),
            _ => {
                let v = operands.next().expect("call_indirect has a callee");
                let e = self.value(v);
                self.callee(e, ctype)
            }
        };
        if self.types.is_aggregate(ret) {
            operands.next();
        }
        let extra: &[CTy] = match &data.op {
            Op::Call(c) => &c.extra,
            Op::CallIndirect(c) => &c.extra,
            _ => &[],
        };
        let as_it_is =
            matches!(&data.op, Op::Call(c) if converts_nothing(&self.module.funcs[c.func].name));
        let params: &[CTy] = if prototyped { &params } else { &[] };
        let mut list = Vec::new();
        for (k, v) in operands.enumerate() {
            let declared = params.get(k).copied();
            let ty = declared.or_else(|| extra.get(k - params.len().min(k)).copied());
            list.push(match ty {
                Some(ty)
                    if self.types.record_of(ty).is_some()
                        || matches!(self.types.shape(ty), CTypeKind::Vector { .. })
                            && self.body.ty(v) == Type::Ptr =>
                {
                    self.aggregate(v, ty)
                }
                Some(_) if as_it_is => self.value(v),
                Some(ty) if declared.is_some() => {
                    let e = self.value(v);
                    self.assigned(e, ty)
                }
                Some(ty) => self.variadic(v, ty),
                None => self.value(v),
            });
        }
        Expr::new(ExprKind::Call(Box::new(callee), list), ret)
    }

    /// An argument beyond the prototype: its type is part of the call's meaning.
    fn variadic(&mut self, v: Value, ty: CTy) -> Expr {
        let e = self.value(v);
        if self.body.ty(v) == Type::Ptr {
            if self.types.is_pointer(ty) {
                let exact = is_null(&e) || self.types.compatible(self.decayed(e.ty), ty);
                return if exact {
                    self.as_pointer(e, ty)
                } else {
                    Expr::new(ExprKind::Cast(Box::new(e)), ty)
                };
            }
            return e;
        }
        if self.is_boolean(&e) && self.types.arithmetic(ty) == Some(Basic::Int) {
            return e;
        }
        let int = self.types.arithmetic(ty) == Some(Basic::Int);
        if let Some(narrow) = self.narrow_constant(v).filter(|_| int) {
            // Printed as it was: `%hd` wants a `short`.
            return narrow;
        }
        if let (ExprKind::Cast(inner), Some(b)) = (&e.kind, self.types.arithmetic(ty)) {
            // Default argument promotions happen by themselves.
            if let Some(from) = self.types.arithmetic(inner.ty) {
                let promoted = if from == Basic::Float {
                    Basic::Double
                } else {
                    crate::types::promote(from)
                };
                if promoted == b && !inner.is_constant() && from != b {
                    return (**inner).clone();
                }
            }
        }
        let promoted = self.types.arithmetic(e.ty).map(crate::types::promote);
        if promoted.is_some() && promoted == self.types.arithmetic(ty) {
            return e;
        }
        self.convert_to(e, ty)
    }

    /// A constant of a type narrower than `int`, where promotion takes place.
    fn narrow_constant(&self, v: Value) -> Option<Expr> {
        let data = &self.body.insts[self.body.def_inst(v)?];
        let source = *data.args.first().filter(|_| matches!(data.op, Op::Cast))?;
        let n = self.body.const_int(source)?;
        let t = self.body.ty(source);
        (t.is_int() && t.bits() < 32).then(|| {
            let literal = crate::consts::literal(self.types, n, Basic::Int);
            Expr::new(ExprKind::Cast(Box::new(literal)), self.value_ctype(source))
        })
    }

    /// The called pointer, with the function type of the call.
    fn callee(&mut self, e: Expr, ctype: CTy) -> Expr {
        let pointer = self.types.pointer(ctype);
        if self.types.is_function(e.ty) && self.types.compatible(e.ty, ctype) {
            return e;
        }
        if self.types.compatible(e.ty, pointer) {
            return e;
        }
        Expr::new(ExprKind::Cast(Box::new(e)), pointer)
    }
}

/// Must an argument of this function have the very type of the parameter? Compilers take `__builtin_signbit` and the like for any type of number, so an
/// integer is no number to them, and doubt that the absolute value of an integer is meant.
fn converts_nothing(name: &str) -> bool {
    const GENERIC: &[&str] = &[
        "signbit",
        "isnan",
        "isinf",
        "isinf_sign",
        "isfinite",
        "isnormal",
    ];
    let generic = |rest| GENERIC.contains(&rest);
    matches!(name, "fabs" | "fabsf" | "fabsl")
        || name.strip_prefix("__builtin_").is_some_and(generic)
}
