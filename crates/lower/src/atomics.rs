//! Atomic objects, and builtins for atomic access (`__atomic_…`, `__c11_atomic_…`, `__sync_…`), as differentiation sees them. In programs of one file without threads all are plain accesses. Where the
//! threads are OpenMP's, a builtin is an atomic construct of OpenMP's, and an access to an `_Atomic` object, of which OpenMP has no atomic form, a critical section.

use crate::function::FunctionLowerer;
use crate::globals::Threads;
use crate::{Lower, Refused, refuse};
use adjoin_front::ast::{BinaryOp, Expr};
use adjoin_ir::{AtomicKind, CTy, Clause, Directive, MemAttr, Op, Type, Value};

/// The critical section that all accesses to `_Atomic` objects are.
const NAME: &str = "adjoin_atomic";

/// What a builtin does.
enum Access {
    Load,
    Store,
    Exchange,
    /// The operation, and whether the value is the new one.
    Update(BinaryOp, bool),
}

/// The access that a builtin stands for, and whether its operands are pointers to values.
fn access(name: &str) -> Option<(Access, bool)> {
    let generic = name.strip_prefix("__atomic_");
    let base = generic
        .or_else(|| name.strip_prefix("__c11_atomic_"))
        .or_else(|| name.strip_prefix("__sync_"))?;
    let operation = |text: &str| {
        Some(match text {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            _ => return None,
        })
    };
    Some(match base {
        "load" => (Access::Load, generic.is_some()),
        "load_n" => (Access::Load, false),
        "store" => (Access::Store, generic.is_some()),
        "store_n" | "init" => (Access::Store, false),
        "exchange_n" => (Access::Exchange, false),
        "exchange" if generic.is_none() => (Access::Exchange, false),
        _ => {
            let (before, after) = (base.strip_prefix("fetch_"), base.strip_suffix("_fetch"));
            let update = match (before, after) {
                (Some(op), _) => Access::Update(operation(op.trim_start_matches("and_"))?, false),
                (_, Some(op)) => Access::Update(operation(op.trim_end_matches("_and"))?, true),
                _ => return None,
            };
            (update, false)
        }
    })
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// A call of such a builtin, if it can be read plainly: its value, or none if it has none.
    pub fn plain_atomic(
        &mut self,
        name: &str,
        args: &'a [Expr],
        e: &'a Expr,
    ) -> Lower<Option<Option<Value>>> {
        let Some((access, by_pointer)) = access(name) else {
            return Ok(None);
        };
        let pointee = args.first().and_then(|p| self.m.types().pointee(p.ty));
        let Some(at) = pointee else {
            return Ok(None);
        };
        if self.m.threads == Threads::Unknown {
            return Ok(None);
        }
        let ty = match self.value_type(at, e.span)? {
            Some(ty) if ty.is_int() || ty.is_float() => ty,
            _ => return Ok(None),
        };
        let operand = args.get(1);
        if operand.is_none() && !matches!(access, Access::Load) {
            return Ok(None);
        }
        self.m.reading.get_or_insert_with(|| Refused {
            span: e.span,
            reason: "cannot lower an atomic access: the IR has none".into(),
        });
        let to = self.rvalue(&args[0])?;
        let mut given = match operand {
            Some(v) if by_pointer || !matches!(access, Access::Load) => Some(self.rvalue(v)?),
            _ => None,
        };
        for rest in args.iter().skip(2) {
            self.effect(rest)?;
        }
        if by_pointer && !matches!(access, Access::Load) {
            given = given.map(|from| self.plain_load(from, ty, at));
        }
        let value = match self.m.threads == Threads::Teams && !self.is_turned(at) {
            true => self.by_construct(&access, (to, at), ty, given)?,
            false => {
                let used = !matches!(access, Access::Store);
                self.one_access(at, used, |this| {
                    let old = match access {
                        Access::Store => None,
                        _ => Some(this.plain_load(to, ty, at)),
                    };
                    let new = match (&access, old, given) {
                        (Access::Store | Access::Exchange, _, v) => v,
                        (Access::Update(op, _), Some(old), Some(by)) => {
                            Some(this.updated(*op, old, by, at)?)
                        }
                        _ => None,
                    };
                    if let Some(v) = new {
                        this.store_to(to, at, v)?;
                    }
                    match (&access, old, new) {
                        (Access::Update(_, true) | Access::Store, _, Some(v)) | (_, Some(v), _) => {
                            Ok(v)
                        }
                        _ => refuse(e.span, "this form of atomic access"),
                    }
                })?
            }
        };
        if let (Access::Load, Some(into)) = (&access, given) {
            self.store_to(into, at, value)?;
            return Ok(Some(None));
        }
        Ok(Some((!matches!(access, Access::Store)).then_some(value)))
    }

    /// The access as a construct of OpenMP's.
    fn by_construct(
        &mut self,
        access: &Access,
        (to, at): (Value, CTy),
        ty: Type,
        given: Option<Value>,
    ) -> Lower<Value> {
        let kind = match access {
            Access::Load => AtomicKind::Read,
            Access::Store => AtomicKind::Write,
            Access::Exchange | Access::Update(..) => AtomicKind::Capture,
        };
        let order = vec![Clause::Verbatim("seq_cst".to_string())];
        let kept = self.temporary(at);
        let plain = self.m.types().unqualified(at);
        let keep = |this: &mut Self| {
            let old = this.plain_load(to, ty, at);
            this.store_to(kept, plain, old)
        };
        self.turn(Directive::Atomic(kind), order, |this| {
            if matches!(
                access,
                Access::Load | Access::Exchange | Access::Update(_, false)
            ) {
                keep(this)?;
            }
            let new = match (access, given) {
                (Access::Update(op, _), Some(by)) => {
                    let old = this.plain_load(to, ty, at);
                    Some(this.updated(*op, old, by, at)?)
                }
                (Access::Load, _) => None,
                _ => given,
            };
            if let Some(v) = new {
                this.store_to(to, at, v)?;
            }
            match access {
                Access::Update(_, true) => keep(this),
                _ => Ok(()),
            }
        })?;
        match access {
            Access::Store => Ok(to),
            _ => Ok(self.plain_load(kept, ty, plain)),
        }
    }

    /// Do threads of a team access objects of this type in turn?
    fn is_turned(&self, ty: CTy) -> bool {
        self.m.threads == Threads::Teams && self.m.types().quals(ty).is_atomic
    }

    /// Makes one access to an object; its value, if that is used, is handed out of a critical section through a variable.
    pub fn one_access(
        &mut self,
        ty: CTy,
        used: bool,
        access: impl FnOnce(&mut Self) -> Lower<Value>,
    ) -> Lower<Value> {
        if self.in_one_access || !self.is_turned(ty) {
            return access(self);
        }
        self.read_atomics_plainly(self.at);
        let kept = used.then(|| self.temporary(ty));
        let plain = self.m.types().unqualified(ty);
        let directive = Directive::Critical {
            name: Some(NAME.to_string()),
        };
        let mut value = None;
        self.in_one_access = true;
        let made = self.turn(directive, Vec::new(), |this| {
            let v = access(this)?;
            value = Some(v);
            match kept {
                Some(kept) => this.store_to(kept, plain, v),
                None => Ok(()),
            }
        });
        self.in_one_access = false;
        made?;
        match (kept, value) {
            (Some(kept), Some(v)) => {
                let ty = self.body.ty(v);
                Ok(self.plain_load(kept, ty, plain))
            }
            (_, Some(v)) => Ok(v),
            _ => refuse(self.at, "this form of atomic access"),
        }
    }

    fn plain_load(&mut self, from: Value, ty: Type, ctype: CTy) -> Value {
        let attr = MemAttr { volatile: false };
        self.value(Op::Load(attr), vec![from], ty, Some(ctype))
    }

    fn updated(&mut self, op: BinaryOp, old: Value, by: Value, ctype: CTy) -> Lower<Value> {
        let ty = self.body.ty(old);
        let narrow = ty == Type::Bool || ty.is_int() && ty.size() < 4;
        let compute = if narrow { Type::I32 } else { ty };
        let (a, b) = (self.cast(old, compute, None), self.cast(by, compute, None));
        let plain = self.m.types().unqualified(ctype);
        let v = self.binary(op, a, b, plain, self.at)?;
        Ok(self.cast(v, ty, Some(ctype)))
    }
}
