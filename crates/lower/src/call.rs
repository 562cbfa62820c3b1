//! Calls: direct, through pointers, and of MPI functions.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, FuncId, Span};
use adjoin_ir::signature::passed_type;
use adjoin_ir::{CTy, CTypeKind, CallAttr, IndirectAttr, MpiAttr, Op, Value, mpi};

const NOT_AS_DEFINED: &str = "a call that does not agree with the function's later declaration";

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
            self.check_readable(f, e.span)?;
            let decl = &self.unit.funcs[f];
            if RETURNS_TWICE.contains(&decl.name.as_str())
                || decl.attrs.iter().any(|a| a.name == "returns_twice")
            {
                return refuse(e.span, format!("a call of '{}'", decl.name));
            }
            if let Some(value) = self.plain_atomic(&decl.name, args, e)? {
                return Ok(value);
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
        let (ret, params) = match self.m.types().shape(callee_type) {
            CTypeKind::Function {
                ret,
                params,
                prototyped,
                variadic,
            } => {
                let fits = args.len() == params.len() || *variadic && args.len() > params.len();
                if *prototyped && !fits {
                    return refuse(e.span, NOT_AS_DEFINED);
                }
                (
                    *ret,
                    if *prototyped {
                        params.clone()
                    } else {
                        Vec::new()
                    },
                )
            }
            _ => return refuse(callee.span, "a call of what is not a function"),
        };
        let declared = self
            .m
            .types()
            .pointee(callee.ty)
            .map(|t| self.m.types().shape(t));
        if let Some(CTypeKind::Function { ret: then, .. }) = declared
            && passed_type(self.m.types(), *then) != passed_type(self.m.types(), ret)
        {
            return refuse(e.span, NOT_AS_DEFINED);
        }
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
        for (k, arg) in args.iter().enumerate() {
            self.value_type(arg.ty, arg.span)?;
            let v = self.rvalue(arg)?;
            operands.push(match params.get(k) {
                Some(&param) => self.as_parameter(v, arg, param)?,
                None => v,
            });
        }
        let extra: Vec<CTy> = args.iter().skip(params.len()).map(|a| a.ty).collect();
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

    /// Refuses what mentions a function whose type is not known.
    pub fn check_readable(&self, f: FuncId, span: Span) -> Lower<()> {
        if self.m.unreadable.contains(&f) {
            let name = &self.unit.funcs[f].name;
            return refuse(span, format!("'{name}': its type is not supported"));
        }
        Ok(())
    }

    /// An argument as the parameter's type. The front end has converted it, unless the prototype comes after the call: then it is promoted only, which
    /// is as good as converted if the callee finds the same bits.
    fn as_parameter(&mut self, v: Value, arg: &Expr, param: CTy) -> Lower<Value> {
        let types = self.m.types();
        let (Some(from), Some(to)) = (passed_type(types, arg.ty), passed_type(types, param)) else {
            return Ok(v);
        };
        let aggregates = (types.is_aggregate(arg.ty), types.is_aggregate(param));
        if from == to && aggregates.0 == aggregates.1 {
            return Ok(v);
        }
        let same_bits = from.size() == to.size() || from.size() <= 4 && to.size() <= 4;
        if from.is_int() && to.is_int() && same_bits {
            return Ok(self.cast(v, to, Some(param)));
        }
        refuse(arg.span, NOT_AS_DEFINED)
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
