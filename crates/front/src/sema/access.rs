//! Reaching objects and asking about types: `&`, `*`, `[]`, `.`, `->`, `sizeof`, `_Alignof`, `offsetof`, `_Generic`,
//! compound literals and statement expressions.

use super::names::nearest;
use super::{OffsetStep, ParsedInit, Sema, expr};
use crate::ast::*;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Quals, Record};

#[allow(missing_docs)]
impl Sema {
    pub(crate) fn address_of(&mut self, e: Expr, span: Span) -> Expr {
        let e = self.as_lvalue(e);
        if self.is_function(e.ty) {
            return Expr {
                span,
                ..self.rvalue(e)
            };
        }
        if !self.is_lvalue(&e) {
            return self.error(
                span,
                "cannot take the address of this",
                "this is a value, not an object",
            );
        }
        if matches!(e.kind, ExprKind::Member { .. }) && self.bit_field_width(&e).is_some() {
            let name = self.describe(&e).unwrap_or_default();
            return self.error(
                span,
                format!("cannot take the address of bit-field '{name}'"),
                "a bit-field has no address",
            );
        }
        self.mark_address_taken(&e);
        let ty = self.unit.types.pointer(e.ty);
        match e.kind {
            // `&*p` is `p`, and nothing is read.
            ExprKind::Deref(pointer) => Expr { span, ..*pointer },
            _ => expr(ExprKind::AddrOf(Box::new(e)), ty, span),
        }
    }

    pub(crate) fn dereference(&mut self, e: Expr, span: Span) -> Expr {
        let e = self.rvalue_unmarked(e);
        if self.is_wild(&e) {
            return self.wild_over(vec![e], span);
        }
        let Some(pointee) = self.unit.types.pointee(e.ty) else {
            let name = self.type_name(e.ty);
            return self.error(
                span,
                "only a pointer can be dereferenced",
                format!("this has type '{name}'"),
            );
        };
        expr(ExprKind::Deref(Box::new(e)), pointee, span)
    }

    pub fn index(&mut self, a: Expr, i: Expr, span: Span) -> Expr {
        if self.is_vector(a.ty) && !self.is_wild(&a) {
            return self.vector_element(a, i, span);
        }
        let a = self.rvalue_unmarked(a);
        let i = self.rvalue_unmarked(i);
        if self.is_wild(&a) || self.is_wild(&i) {
            return self.wild_over(vec![a, i], span);
        }
        let (base, index) = if self.is_pointer(a.ty) {
            (a, i)
        } else {
            (i, a)
        };
        let Some(elem) = self.unit.types.pointee(base.ty) else {
            let (x, y) = (self.type_name(index.ty), self.type_name(base.ty));
            return self.error(
                span,
                "the subscripted value is neither an array nor a pointer",
                format!("'{x}' subscripted with '{y}'"),
            );
        };
        if !self.is_integer(index.ty) {
            let name = self.type_name(index.ty);
            return self.error(
                index.span,
                "an array subscript must be an integer",
                format!("this has type '{name}'"),
            );
        }
        if self.is_function(elem) {
            return self.error(
                span,
                "a function cannot be subscripted",
                "pointer to a function",
            );
        }
        if !self.check_step(&base, span) {
            return self.error_expr(span);
        }
        let index = self.promote(index);
        expr(
            ExprKind::Index {
                base: Box::new(base),
                index: Box::new(index),
            },
            elem,
            span,
        )
    }

    /// The way to a member by name, through anonymous records.
    pub(crate) fn find_member(&self, record: Record, name: &str) -> Option<Vec<(Record, u32)>> {
        let fields = self.unit.types.records[record].fields.as_deref()?;
        if let Some(i) = fields.iter().position(|f| f.name.as_deref() == Some(name)) {
            return Some(vec![(record, i as u32)]);
        }
        for (i, field) in fields.iter().enumerate() {
            if field.name.is_none()
                && let Some(inner) = self.unit.types.record(field.ty)
                && let Some(mut path) = self.find_member(inner, name)
            {
                path.insert(0, (record, i as u32));
                return Some(path);
            }
        }
        None
    }

    /// All names of members, those of anonymous records included.
    pub(crate) fn member_names(&self, record: Record, out: &mut Vec<String>) {
        for field in self.unit.types.records[record].fields.iter().flatten() {
            match (&field.name, self.unit.types.record(field.ty)) {
                (Some(name), _) => out.push(name.clone()),
                (None, Some(inner)) => self.member_names(inner, out),
                _ => {}
            }
        }
    }

    /// The error for a member that does not exist, with the nearest one that does.
    pub(crate) fn no_member(&mut self, ty: CTy, record: Record, name: &str, span: Span) -> Expr {
        let mut names = Vec::new();
        self.member_names(record, &mut names);
        let type_name = self.type_name(self.unit.types.unqualified(ty));
        // The name is what the access ends with.
        let start = span.end.saturating_sub(name.len() as u32).max(span.start);
        let span = Span { start, ..span };
        let mut d = Diagnostic::error(span, format!("'{type_name}' has no member named '{name}'"))
            .label("no such member");
        if let Some(near) = nearest(name, names.iter().map(String::as_str)) {
            d = d.help(format!("did you mean '{near}'?"));
        }
        self.fail(d)
    }

    pub fn member(&mut self, base: Expr, name: &str, arrow: bool, span: Span) -> Expr {
        if self.is_wild(&base) {
            return self.wild_over(vec![base], span);
        }
        let mut base = base;
        if arrow {
            base = self.rvalue_unmarked(base);
            if self.is_wild(&base) {
                return self.wild_over(vec![base], span);
            }
            let Some(pointee) = self.unit.types.pointee(base.ty) else {
                let type_name = self.type_name(base.ty);
                let mut d = Diagnostic::error(span, "'->' needs a pointer to a struct or union")
                    .label(format!("this has type '{type_name}'"));
                if self.unit.types.record(base.ty).is_some() {
                    d = d.help(format!("use '.{name}'"));
                }
                return self.fail(d);
            };
            let place = base.span;
            base = expr(ExprKind::Deref(Box::new(base)), pointee, place);
        }
        let Some(record) = self.unit.types.record(base.ty) else {
            let type_name = self.type_name(base.ty);
            let mut d = Diagnostic::error(
                span,
                format!("member '{name}' asked of something that is not a struct or union"),
            )
            .label(format!("this has type '{type_name}'"));
            if !arrow
                && self
                    .unit
                    .types
                    .pointee(base.ty)
                    .is_some_and(|p| self.unit.types.record(p).is_some())
            {
                d = d.help(format!("use '->{name}'"));
            }
            return self.fail(d);
        };
        if self.unit.types.records[record].fields.is_none() {
            let type_name = self.type_name(base.ty);
            return self.error(
                span,
                format!("'{type_name}' is an incomplete type"),
                "its members are not known here",
            );
        }
        let Some(path) = self.find_member(record, name) else {
            let ty = base.ty;
            return self.no_member(ty, record, name, span);
        };
        for (record, field) in path {
            base = self.member_at(base, record, field, span);
        }
        base
    }

    /// A member by position.
    pub(crate) fn member_at(&mut self, base: Expr, record: Record, field: u32, span: Span) -> Expr {
        let outer = self.unit.types.quals(base.ty);
        let outer = Quals {
            is_restrict: false,
            is_atomic: false,
            ..outer
        };
        let declared = self.unit.types.records[record]
            .fields
            .as_ref()
            .and_then(|f| f.get(field as usize))
            .map_or(base.ty, |f| f.ty);
        let ty = self.unit.types.qualified(declared, outer);
        expr(
            ExprKind::Member {
                base: Box::new(base),
                record,
                field,
            },
            ty,
            span,
        )
    }

    pub fn sizeof_type(&mut self, ty: CTy, span: Span) -> Expr {
        if self.is_variable_size(ty) {
            let ulong = self.basic(Basic::ULong);
            return expr(ExprKind::SizeofVla(ty), ulong, span);
        }
        if self.is_function(ty) {
            return self.int_const(1, Basic::ULong, span);
        }
        match self.unit.types.size_of(ty) {
            Some(size) => self.int_const(size.into(), Basic::ULong, span),
            None => {
                let name = self.type_name(ty);
                self.error(
                    span,
                    format!("'{name}' is an incomplete type"),
                    "its size is not known here",
                )
            }
        }
    }

    pub fn sizeof_expr(&mut self, e: Expr, span: Span) -> Expr {
        if self.is_wild(&e) {
            return self.wild_over(vec![e], span);
        }
        if matches!(e.kind, ExprKind::Member { .. }) && self.bit_field_width(&e).is_some() {
            return self.error(
                span,
                "sizeof cannot be applied to a bit-field",
                "a bit-field",
            );
        }
        self.sizeof_type(e.ty, span)
    }

    pub fn alignof_type(&mut self, ty: CTy, span: Span) -> Expr {
        let incomplete = self.unit.types.size_of(ty).is_none()
            && !self.is_variable_size(ty)
            && !self.is_array(ty)
            && !self.is_function(ty);
        if incomplete {
            let name = self.type_name(ty);
            return self.error(
                span,
                format!("'{name}' is an incomplete type"),
                "its alignment is not known here",
            );
        }
        let align = self.unit.types.align_of(ty);
        self.int_const(align.into(), Basic::ULong, span)
    }

    pub fn generic(
        &mut self,
        control: Expr,
        choices: Vec<(Option<CTy>, Expr)>,
        span: Span,
    ) -> Expr {
        let control = self.rvalue(control);
        if self.is_wild(&control) {
            return self.wild_over(vec![control], span);
        }
        let mut fallback = None;
        for (ty, choice) in choices {
            match ty {
                Some(ty) if self.same_qualified(ty, control.ty) => return choice,
                Some(_) => {}
                None => fallback = Some(choice),
            }
        }
        if let Some(choice) = fallback {
            return choice;
        }
        let name = self.type_name(control.ty);
        self.error(
            control.span,
            format!("_Generic has no choice for type '{name}' and no default"),
            format!("this has type '{name}'"),
        )
    }

    /// `__builtin_offsetof(ty, path)`: the first name, then members and indices.
    pub fn offsetof(&mut self, ty: CTy, path: Vec<OffsetStep>, span: Span) -> Expr {
        let mut ty = ty;
        let mut constant = 0i128;
        let mut variable: Option<Expr> = None;
        for step in path {
            match step {
                OffsetStep::Field(name) => {
                    let Some(record) = self.unit.types.record(ty) else {
                        let type_name = self.type_name(ty);
                        return self.error(
                            span,
                            format!("offsetof asks for member '{name}' of '{type_name}'"),
                            "not a struct or union",
                        );
                    };
                    let Some(way) = self.find_member(record, &name) else {
                        return self.no_member(ty, record, &name, span);
                    };
                    for (record, field) in way {
                        let fields = self.unit.types.records[record].fields.as_ref();
                        let Some(field) = fields.and_then(|f| f.get(field as usize)) else {
                            return self.error_expr(span);
                        };
                        if field.bits.is_some() {
                            return self.error(
                                span,
                                format!("offsetof cannot be applied to bit-field '{name}'"),
                                "a bit-field has no offset in bytes",
                            );
                        }
                        constant += i128::from(field.offset);
                        ty = field.ty;
                    }
                }
                OffsetStep::Index(index) => {
                    let index = self.rvalue(index);
                    let size = self
                        .unit
                        .types
                        .element(ty)
                        .and_then(|e| Some((e, self.unit.types.size_of(e)?)));
                    let Some((elem, size)) = size else {
                        return self.error(span, "offsetof subscripts a non-array", "not an array");
                    };
                    ty = elem;
                    if let Some(i) = self.const_int(&index) {
                        constant += i * i128::from(size);
                        continue;
                    }
                    let ulong = self.basic(Basic::ULong);
                    let index = self.convert(index, ulong, "the subscript");
                    let size = self.int_const(size.into(), Basic::ULong, span);
                    let term = expr(
                        ExprKind::Binary(BinaryOp::Mul, Box::new(index), Box::new(size)),
                        ulong,
                        span,
                    );
                    variable = Some(match variable {
                        None => term,
                        Some(sum) => expr(
                            ExprKind::Binary(BinaryOp::Add, Box::new(sum), Box::new(term)),
                            ulong,
                            span,
                        ),
                    });
                }
            }
        }
        let constant = self.int_const(constant, Basic::ULong, span);
        match variable {
            None => constant,
            Some(sum) => {
                let ty = constant.ty;
                expr(
                    ExprKind::Binary(BinaryOp::Add, Box::new(constant), Box::new(sum)),
                    ty,
                    span,
                )
            }
        }
    }

    pub fn choose_expr(&mut self, c: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        if self.is_wild(&c) {
            return self.wild_over(vec![c], span);
        }
        match self.const_int(&c) {
            Some(0) => b,
            Some(_) => a,
            None => self.error(
                c.span,
                "the first argument of __builtin_choose_expr must be a constant",
                "not an integer constant",
            ),
        }
    }

    pub fn statement_expr(&mut self, stmts: Vec<Stmt>, value: Option<Expr>, span: Span) -> Expr {
        let mut stmts = stmts;
        let value = value.map(|v| self.rvalue(v));
        match value {
            Some(value) if !self.is_void(value.ty) => {
                let ty = value.ty;
                let value = Some(Box::new(value));
                expr(ExprKind::StmtExpr { stmts, value }, ty, span)
            }
            other => {
                if let Some(value) = other {
                    let span = value.span;
                    stmts.push(Stmt {
                        kind: StmtKind::Expr(value),
                        span,
                    });
                }
                let ty = self.unit.types.void();
                expr(ExprKind::StmtExpr { stmts, value: None }, ty, span)
            }
        }
    }

    pub fn compound_literal(
        &mut self,
        ty: CTy,
        init: ParsedInit,
        file_scope: bool,
        span: Span,
    ) -> Expr {
        if self.is_variable_size(ty) || self.is_function(ty) || self.is_void(ty) {
            let name = self.type_name(ty);
            return self.error(
                span,
                format!("a compound literal cannot have type '{name}'"),
                "not a complete object type of known size",
            );
        }
        let (init, ty) = self.initialiser(ty, init, file_scope, span);
        let storage = if file_scope {
            Storage::Global { is_static: true }
        } else {
            Storage::Auto
        };
        let v = self.unit.vars.push(VarDecl {
            name: String::new(),
            ty,
            storage,
            init: Some(init),
            defined: true,
            thread_local: false,
            align: 0,
            address_taken: false,
            asm_name: None,
            attrs: Vec::new(),
            span,
        });
        expr(ExprKind::CompoundLit(v), ty, span)
    }

    /// The pointer to a `va_list`, from the list itself or from a parameter that already is the pointer.
    pub(crate) fn va_pointer(&mut self, ap: Expr) -> Expr {
        let ap = self.rvalue(ap);
        if self.is_wild(&ap) {
            return ap;
        }
        let is_list = self
            .unit
            .types
            .pointee(ap.ty)
            .is_some_and(|p| matches!(self.shape(p), CTypeKind::VaList));
        if is_list {
            return ap;
        }
        let name = self.type_name(ap.ty);
        self.error(
            ap.span,
            "a va_list is needed here",
            format!("this has type '{name}'"),
        )
    }

    pub fn va_arg(&mut self, ap: Expr, ty: CTy, span: Span) -> Expr {
        let ap = self.va_pointer(ap);
        if self.is_wild(&ap) {
            return self.wild_over(vec![ap], span);
        }
        let ty = self.unit.types.unqualified(ty);
        if self.unit.types.size_of(ty).is_none() || self.is_void(ty) {
            let name = self.type_name(ty);
            return self.error(
                span,
                format!("va_arg of incomplete type '{name}'"),
                "its size is not known here",
            );
        }
        if self
            .arithmetic(ty)
            .is_some_and(|b| super::convert::promoted(b) != b || b == Basic::Float)
        {
            let name = self.type_name(ty);
            self.warn(
                span,
                format!("'{name}' is promoted when passed through '...'"),
                "the behaviour is undefined",
            );
        }
        expr(ExprKind::VaArg(Box::new(ap)), ty, span)
    }
}
