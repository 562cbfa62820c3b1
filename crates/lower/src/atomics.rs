//! Builtins for atomic access (`__atomic_…`, `__c11_atomic_…`, `__sync_…`) in programs of one file without threads: they are read as plain accesses, so that differentiation sees what they do.

use crate::function::FunctionLowerer;
use crate::{Lower, Refused};
use adjoin_front::ast::{BinaryOp, Expr};
use adjoin_ir::{CTy, MemAttr, Op, Type, Value};

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
        let (Some(at), false) = (pointee, self.m.has_threads) else {
            return Ok(None);
        };
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
        if let (Access::Load, Some(into)) = (&access, given) {
            let v = self.plain_load(to, ty, at);
            self.store_to(into, at, v)?;
            return Ok(Some(None));
        }
        if by_pointer {
            given = given.map(|from| self.plain_load(from, ty, at));
        }
        let old = match access {
            Access::Store => None,
            _ => Some(self.plain_load(to, ty, at)),
        };
        let new = match (&access, old, given) {
            (Access::Store | Access::Exchange, _, v) => v,
            (Access::Update(op, _), Some(old), Some(by)) => Some(self.updated(*op, old, by, at)?),
            _ => None,
        };
        if let Some(v) = new {
            self.store_to(to, at, v)?;
        }
        let result = match access {
            Access::Update(_, true) => new,
            _ => old,
        };
        Ok(Some(result))
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
