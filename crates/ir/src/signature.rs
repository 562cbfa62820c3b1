//! What a C function type means for values: which operands a call has, what a body's entry region receives and
//! what `return` gives. Builder, verifier, lowering and interpreter agree through this one place.

use crate::ctype::{CTy, CTypeKind, CTypes};
use crate::types::Type;

/// How a function gives its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Return {
    /// Nothing.
    Void,
    /// A value.
    Scalar(Type),
    /// An object in memory: `return` takes its address, and a call's first operand is the address that receives it.
    Aggregate(CTy),
}

/// A function type in terms of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The types of the parameters; an aggregate is passed by its address.
    pub params: Vec<Type>,
    /// The result.
    pub ret: Return,
    /// Ends in `...`.
    pub variadic: bool,
    /// `false` for `f()` in the old style: calls say the types of all arguments.
    pub prototyped: bool,
}

impl Signature {
    /// The signature of a C function type; `None` if it is not one, or has a parameter that no value can have.
    pub fn of(types: &CTypes, function: CTy) -> Option<Signature> {
        let CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        } = types.shape(function)
        else {
            return None;
        };
        let ret = match types.shape(*ret) {
            CTypeKind::Void => Return::Void,
            _ if types.is_aggregate(*ret) => Return::Aggregate(*ret),
            _ => Return::Scalar(Type::of_ctype(types, *ret)?),
        };
        let params = params
            .iter()
            .map(|&p| passed_type(types, p))
            .collect::<Option<_>>()?;
        Some(Signature {
            params,
            ret,
            variadic: *variadic,
            prototyped: *prototyped,
        })
    }

    /// The type of the result of a call, if it has one.
    pub fn result(&self) -> Option<Type> {
        match self.ret {
            Return::Scalar(ty) => Some(ty),
            _ => None,
        }
    }

    /// The types of the operands of a call (without the pointer of an indirect one) whose extra arguments
    /// have the given C types.
    pub fn operands(&self, types: &CTypes, extra: &[CTy]) -> Option<Vec<Type>> {
        let mut operands = Vec::new();
        if let Return::Aggregate(_) = self.ret {
            operands.push(Type::Ptr);
        }
        if self.prototyped {
            operands.extend(&self.params);
        }
        for &t in extra {
            operands.push(passed_type(types, t)?);
        }
        Some(operands)
    }
}

/// The type of the value that passes an argument of a C type: an aggregate goes by its address.
pub fn passed_type(types: &CTypes, t: CTy) -> Option<Type> {
    if types.is_aggregate(t) {
        Some(Type::Ptr)
    } else {
        Type::of_ctype(types, t)
    }
}
