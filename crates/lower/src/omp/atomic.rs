//! `atomic`: addresses and the other operand are evaluated before; the region holds the loads, the operation and the stores.

use super::clauses::Clauses;
use crate::function::FunctionLowerer;
use crate::visit::operands;
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, Omp, Span, Stmt, StmtKind};
use adjoin_ir::{AtomicKind, Clause, Directive, Op};

impl<'a> FunctionLowerer<'_, 'a> {
    /// An atomic access.
    pub(super) fn atomic(&mut self, omp: &'a Omp, span: Span) -> Lower<()> {
        if self.unit.compares {
            return self.exclusive(omp, span);
        }
        let mut kind = AtomicKind::Update;
        let mut clauses = Clauses::default();
        for clause in &omp.clauses {
            match clause.name.as_str() {
                "read" => kind = AtomicKind::Read,
                "write" => kind = AtomicKind::Write,
                "update" => {}
                "capture" => kind = AtomicKind::Capture,
                "seq_cst" | "acq_rel" | "acquire" | "release" | "relaxed" => {
                    clauses.list.push(Clause::Verbatim(clause.name.clone()));
                }
                "hint" => {}
                other => return refuse(clause.span, format!("the OpenMP clause '{other}'")),
            }
        }
        let mut exprs = Vec::new();
        if let Some(body) = &omp.body {
            collect(body, &mut exprs);
        }
        let one = exprs.len() == 1;
        let two = exprs.len() == 2 && kind == AtomicKind::Capture;
        let object = exprs.iter().find_map(|e| self.atomic_object(e, kind));
        let object = object.or_else(|| exchanged(&exprs));
        let Some(object) = object.filter(|_| one || two) else {
            return refuse(span, "this form of atomic access");
        };
        // What is evaluated before is not evaluated in the region again: nothing there may be something else.
        if !exprs.iter().all(|e| concerns(e, object)) {
            return refuse(span, "this form of atomic access");
        }
        for e in &exprs {
            self.prepare(e, object)?;
        }
        self.at = span;
        let result = self.construct(Directive::Atomic(kind), clauses, |this| {
            exprs.iter().try_for_each(|e| this.effect(e))?;
            if exprs.iter().any(|e| captures_old_value(e)) {
                this.capture_before_update();
            }
            Ok(())
        });
        self.prepared_values.clear();
        self.prepared_places.clear();
        result
    }

    /// The IR has no form for `atomic compare`. It is read as a critical section, and so are all atomic accesses of a unit that has one: they may be to the same memory.
    fn exclusive(&mut self, omp: &'a Omp, span: Span) -> Lower<()> {
        self.read_as(span, "'#pragma omp atomic compare'");
        let Some(body) = &omp.body else {
            return refuse(span, "this form of atomic access");
        };
        let name = Some("adjoin_atomic".to_string());
        self.construct(Directive::Critical { name }, Clauses::default(), |this| {
            this.stmt(body)
        })
    }

    /// `v = x++` as `{ v = x; x = x + 1; }`, which is how OpenMP spells it in two statements: the update is the first of the two stores, and
    /// goes last.
    fn capture_before_update(&mut self) {
        let stores: Vec<usize> = (self.body.regions[self.cur].insts.iter().enumerate())
            .filter(|(_, i)| matches!(self.body.insts[**i].op, Op::Store(_)))
            .map(|(k, _)| k)
            .collect();
        if let [update, _] = stores[..] {
            let list = &mut self.body.regions[self.cur].insts;
            let inst = list.remove(update);
            list.push(inst);
        }
    }

    /// The object that is accessed atomically.
    fn atomic_object(&self, e: &'a Expr, kind: AtomicKind) -> Option<&'a Expr> {
        match (&e.kind, kind) {
            (ExprKind::Cast { operand, .. }, _) => self.atomic_object(operand, kind),
            (ExprKind::Assign(_, rhs), AtomicKind::Read) => loaded(rhs),
            (ExprKind::Assign(lhs, _), AtomicKind::Write) => Some(lhs),
            (ExprKind::AssignOp { lhs, .. } | ExprKind::IncDec { lhs, .. }, _) => Some(lhs),
            (ExprKind::Assign(lhs, rhs), AtomicKind::Update) => {
                mentions(rhs, lhs).then_some(&**lhs)
            }
            (ExprKind::Assign(lhs, rhs), AtomicKind::Capture) => self
                .atomic_object(rhs, kind)
                .or_else(|| mentions(rhs, lhs).then_some(&**lhs)),
            _ => None,
        }
    }

    /// Evaluates what the atomic access needs besides the object: addresses, and operands that do not contain the object.
    fn prepare(&mut self, e: &'a Expr, object: &'a Expr) -> Lower<()> {
        match &e.kind {
            ExprKind::Assign(lhs, rhs) if concerns(e, object) => {
                self.prepare_place(lhs, object)?;
                self.prepare(rhs, object)
            }
            ExprKind::AssignOp { lhs, rhs, .. } if concerns(e, object) => {
                self.prepare_place(lhs, object)?;
                self.prepare(rhs, object)
            }
            ExprKind::IncDec { lhs, .. } if concerns(e, object) => self.prepare_place(lhs, object),
            ExprKind::Load(lvalue) if same(lvalue, object) => self.prepare_place(lvalue, object),
            ExprKind::Cast { .. } | ExprKind::Binary(..) | ExprKind::Unary(..)
                if concerns(e, object) =>
            {
                let mut parts = Vec::new();
                operands(e, &mut |x| parts.push(x));
                parts.into_iter().try_for_each(|x| self.prepare(x, object))
            }
            ExprKind::Int(_) | ExprKind::Float { .. } => Ok(()),
            _ => {
                let v = self.rvalue(e)?;
                self.prepared_values.insert(e as *const Expr, v);
                Ok(())
            }
        }
    }

    fn prepare_place(&mut self, lvalue: &'a Expr, object: &'a Expr) -> Lower<()> {
        // All mentions of the object are one address.
        let known = self.prepared_places.get(&(object as *const Expr)).cloned();
        let place = match known {
            Some(place) if same(lvalue, object) => place,
            _ => self.place(lvalue)?,
        };
        if same(lvalue, object) {
            self.prepared_places
                .insert(object as *const Expr, place.clone());
        }
        self.prepared_places.insert(lvalue as *const Expr, place);
        Ok(())
    }
}

fn collect<'a>(s: &'a Stmt, out: &mut Vec<&'a Expr>) {
    match &s.kind {
        StmtKind::Expr(e) => match &e.kind {
            ExprKind::Comma(a, b) => out.extend([&**a, &**b]),
            _ => out.push(e),
        },
        StmtKind::Block(list) => list.iter().for_each(|s| collect(s, out)),
        _ => {}
    }
}

/// The object of `{ v = x; x = e; }`.
fn exchanged<'a>(exprs: &[&'a Expr]) -> Option<&'a Expr> {
    let [first, second] = exprs else { return None };
    match (&first.kind, &second.kind) {
        (ExprKind::Assign(_, value), ExprKind::Assign(object, _)) => {
            same(loaded(value)?, object).then_some(object)
        }
        _ => None,
    }
}

/// The lvalue that an expression loads, conversions aside.
fn loaded(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Load(x) => Some(x),
        ExprKind::Cast { operand, .. } => loaded(operand),
        _ => None,
    }
}

/// Does an expression load the object or change it? (`x = l = s++` changes others, too, but not atomically.)
fn concerns(e: &Expr, object: &Expr) -> bool {
    let changed = match &e.kind {
        ExprKind::Assign(lhs, _) => Some(lhs),
        ExprKind::AssignOp { lhs, .. } | ExprKind::IncDec { lhs, .. } => Some(lhs),
        _ => None,
    };
    if changed.is_some_and(|lhs| same(lhs, object)) || mentions(e, object) {
        return true;
    }
    let mut found = false;
    operands(e, &mut |x| found |= concerns(x, object));
    found
}

/// Does an expression load the object?
fn mentions(e: &Expr, object: &Expr) -> bool {
    if let ExprKind::Load(x) = &e.kind
        && same(x, object)
    {
        return true;
    }
    let mut found = false;
    operands(e, &mut |x| found |= mentions(x, object));
    found
}

/// Are two lvalues (or the values in them) one expression, or written the same way? How often OpenMP evaluates what is in them is not said: functions that are called give the same.
fn same(a: &Expr, b: &Expr) -> bool {
    if std::ptr::eq(a, b) {
        return true;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Var(x), ExprKind::Var(y)) => x == y,
        (ExprKind::Func(x), ExprKind::Func(y)) => x == y,
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Float { value: x, text: s }, ExprKind::Float { value: y, text: t }) => {
            x.to_bits() == y.to_bits() && s == t && a.ty == b.ty
        }
        (ExprKind::Cond(c, x, y), ExprKind::Cond(d, z, w)) => {
            same(c, d) && same(x, z) && same(y, w)
        }
        (ExprKind::LogAnd(x, z), ExprKind::LogAnd(y, w))
        | (ExprKind::LogOr(x, z), ExprKind::LogOr(y, w)) => same(x, y) && same(z, w),
        (ExprKind::Call { callee: f, args: x }, ExprKind::Call { callee: g, args: y }) => {
            same(f, g) && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (ExprKind::Deref(x), ExprKind::Deref(y))
        | (ExprKind::Load(x), ExprKind::Load(y))
        | (ExprKind::Decay(x), ExprKind::Decay(y))
        | (ExprKind::AddrOf(x), ExprKind::AddrOf(y)) => same(x, y),
        (ExprKind::Cast { operand: x, .. }, ExprKind::Cast { operand: y, .. }) => {
            a.ty == b.ty && same(x, y)
        }
        (ExprKind::Unary(p, x), ExprKind::Unary(q, y)) => p == q && same(x, y),
        (ExprKind::Binary(p, x, z), ExprKind::Binary(q, y, w)) => {
            p == q && same(x, y) && same(z, w)
        }
        (ExprKind::Index { base: x, index: i }, ExprKind::Index { base: y, index: j }) => {
            same(x, y) && same(i, j)
        }
        (
            ExprKind::PtrAdd {
                ptr: x,
                index: i,
                negate: m,
            },
            ExprKind::PtrAdd {
                ptr: y,
                index: j,
                negate: n,
            },
        ) => m == n && same(x, y) && same(i, j),
        (
            ExprKind::Member {
                base: x,
                record: r,
                field: f,
            },
            ExprKind::Member {
                base: y,
                record: s,
                field: g,
            },
        ) => r == s && f == g && same(x, y),
        _ => false,
    }
}

/// Is it `v = x++` or `v = x--`?
fn captures_old_value(e: &Expr) -> bool {
    fn without_casts(e: &Expr) -> &Expr {
        match &e.kind {
            ExprKind::Cast { operand, .. } => without_casts(operand),
            _ => e,
        }
    }
    match &without_casts(e).kind {
        ExprKind::Assign(_, rhs) => {
            matches!(
                without_casts(rhs).kind,
                ExprKind::IncDec { prefix: false, .. }
            )
        }
        _ => false,
    }
}
