//! Calls: direct, through pointers, and of MPI functions.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, FuncId};
use adjoin_ir::{CTy, CTypeKind, CallAttr, IndirectAttr, MpiAttr, Op, Value, mpi};

/// Functions that return more than once: what they promise about local variables cannot be said in the IR.
const RETURNS_TWICE: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "_sigsetjmp",
    "__sigsetjmp",
    "savectx",
    "getcontext",
    "vfork",
    "__builtin_setjmp",
    "__builtin_longjmp",
    "__builtin_apply",
    "__builtin_apply_args",
    "__builtin_return",
    "__builtin_va_arg_pack",
    "__builtin_va_arg_pack_len",
];

impl<'a> FunctionLowerer<'_, 'a> {
    /// A call. The value: of a scalar, the result; of a record, the address of the object that received it (`into`, or a temporary); `None` for void.
    pub fn call(
        &mut self,
        callee: &'a Expr,
        args: &'a [Expr],
        e: &'a Expr,
        into: Option<Value>,
    ) -> Lower<Option<Value>> {
        let direct = direct_callee(callee);
        if let Some(f) = direct {
            let decl = &self.unit.funcs[f];
            if RETURNS_TWICE.contains(&decl.name.as_str())
                || decl.attrs.iter().any(|a| a.name == "returns_twice")
            {
                return refuse(e.span, format!("a call of '{}'", decl.name));
            }
            if decl.name == "__builtin_expect" || decl.name == "__builtin_expect_with_probability" {
                if let [value, rest @ ..] = args {
                    let v = self.rvalue(value)?;
                    for a in rest {
                        self.effect(a)?;
                    }
                    return Ok(Some(v));
                }
            }
        }
        let callee_type = match direct {
            Some(f) => self.unit.funcs[f].ty,
            None => match self.m.types().pointee(callee.ty) {
                Some(t) => t,
                None => return refuse(callee.span, "a call of what is not a function"),
            },
        };
        let (ret, fixed) = match self.m.types().shape(callee_type) {
            CTypeKind::Function {
                ret,
                params,
                prototyped,
                ..
            } => (*ret, if *prototyped { params.len() } else { 0 }),
            _ => return refuse(callee.span, "a call of what is not a function"),
        };
        let mut operands = Vec::with_capacity(args.len() + 2);
        if direct.is_none() {
            operands.push(self.rvalue(callee)?);
        }
        let is_void = matches!(self.m.types().shape(ret), CTypeKind::Void);
        let result = if is_void {
            None
        } else {
            self.value_type(ret, e.span)?
        };
        let object = match (is_void, result) {
            (false, None) => {
                let object = match into {
                    Some(v) => v,
                    None => self.temporary(ret),
                };
                operands.push(object);
                Some(object)
            }
            _ => None,
        };
        for arg in args {
            self.value_type(arg.ty, arg.span)?;
            operands.push(self.rvalue(arg)?);
        }
        let extra: Vec<CTy> = args.iter().skip(fixed).map(|a| a.ty).collect();
        self.at = e.span;
        let op = match direct {
            Some(f) => self.direct_op(f, extra, args.len()),
            None => Op::CallIndirect(IndirectAttr {
                ctype: callee_type,
                extra,
            }),
        };
        let inst = self.emit(op, operands);
        let value = result.map(|ty| self.result(inst, ty, Some(ret)));
        if direct.is_some_and(|f| self.unit.funcs[f].noreturn) {
            self.terminate(Op::Unreachable, vec![]);
        }
        Ok(value.or(object))
    }

    fn direct_op(&mut self, f: FuncId, extra: Vec<CTy>, args: usize) -> Op {
        let func = self.m.function(f);
        match mpi::lookup(&self.unit.funcs[f].name) {
            // A declaration with other parameters than the standard's is somebody else's function.
            Some(call) if call.operands.len() == args && extra.is_empty() => {
                Op::Mpi(MpiAttr { func })
            }
            _ => Op::Call(CallAttr { func, extra }),
        }
    }
}

/// The function that a callee names.
pub(crate) fn direct_callee(callee: &Expr) -> Option<FuncId> {
    match &callee.kind {
        ExprKind::Func(f) => Some(*f),
        ExprKind::Decay(inner) | ExprKind::AddrOf(inner) | ExprKind::Deref(inner) => {
            direct_callee(inner)
        }
        _ => None,
    }
}
