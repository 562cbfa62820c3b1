//! Makes instructions of partials, for both modes: an expression of the rule table becomes IR at a builder's cursor.

use super::expr::{BinOp, Expr};
use super::{Partial, lookup, stem};
use adjoin_ir::{
    Basic, Builder, CTypeKind, CallAttr, Const, Func, Function, Linkage, Module, Op, Span, Type,
    Value,
};

/// The values that a partial may mention, in the body that is being made. What the expression does not need may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// The arguments of the call.
    pub params: &'a [Option<Value>],
    /// Its result.
    pub result: Option<Value>,
}

/// Makes the value of a partial. `ty` is the type of the function's result.
pub fn build(
    module: &mut Module,
    b: &mut Builder<'_>,
    expr: &Expr,
    operands: Operands<'_>,
    ty: Type,
) -> Value {
    let mut maker = Maker {
        module,
        b,
        operands,
        ty,
    };
    maker.value(expr, ty)
}

/// Makes the truth value of a condition, as [`build`] does.
pub fn condition(
    module: &mut Module,
    b: &mut Builder<'_>,
    expr: &Expr,
    operands: Operands<'_>,
    ty: Type,
) -> Value {
    let mut maker = Maker {
        module,
        b,
        operands,
        ty,
    };
    maker.condition(expr)
}

struct Maker<'a, 'b, 'c> {
    module: &'a mut Module,
    b: &'a mut Builder<'b>,
    operands: Operands<'c>,
    ty: Type,
}

impl Maker<'_, '_, '_> {
    fn cast(&mut self, ty: Type, v: Value) -> Value {
        if self.b.body.ty(v) == ty {
            v
        } else {
            self.b.cast(ty, v)
        }
    }

    /// A constant: an integer where one is wanted, else a number of the function's precision.
    fn number(&mut self, value: f64, digits: Option<&str>, ty: Type) -> Value {
        if ty.is_int() {
            return self.b.int(ty, value as i128);
        }
        let real = ty.part().unwrap_or(ty);
        let constant = match (real, digits) {
            (Type::F80, Some(text)) => Const::Float {
                bits: value.to_bits(),
                text: Some(text.to_string()),
            },
            (Type::F32, _) => Const::float(f64::from(value as f32)),
            _ => Const::float(value),
        };
        let v = self.b.constant(real, constant);
        self.cast(ty, v)
    }

    /// The type that an expression has by itself.
    fn natural(&self, e: &Expr) -> Type {
        match e {
            Expr::Param(n) => match self.operands.params.get(*n).copied().flatten() {
                Some(v) => self.b.body.ty(v),
                None => self.ty,
            },
            Expr::Call(name, _) if name == "signbit" => Type::I32,
            Expr::Neg(a) => self.natural(a),
            _ => self.ty,
        }
    }

    /// Its value, if constants give it exactly.
    fn known(&self, e: &Expr) -> Option<f64> {
        // Small whole numbers are exact in every type.
        let exact = |x: f64| (x.fract() == 0.0 && x.abs() < 1e6).then_some(x);
        match e {
            Expr::Number(x) => Some(*x),
            Expr::Param(n) => {
                let v = self.operands.params.get(*n).copied().flatten()?;
                let inst = self.b.body.def_inst(v)?;
                match &self.b.body.insts[inst].op {
                    Op::Const(Const::Float { bits, .. }) => Some(f64::from_bits(*bits)),
                    Op::Const(Const::Int(n)) => exact(*n as f64),
                    _ => None,
                }
            }
            Expr::Neg(a) => self.known(a).map(|a| -a),
            Expr::Binary(op, a, b) if !op.is_condition() => {
                let (a, b) = (exact(self.known(a)?)?, exact(self.known(b)?)?);
                match op {
                    BinOp::Add => exact(a + b),
                    BinOp::Sub => exact(a - b),
                    BinOp::Mul => exact(a * b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The truth value of a condition, if constants give it.
    fn known_condition(&self, e: &Expr) -> Option<bool> {
        match e {
            Expr::Binary(BinOp::And, a, b) => {
                match (self.known_condition(a), self.known_condition(b)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }
            }
            Expr::Binary(op, a, b) if op.is_condition() => {
                let (a, b) = (self.known(a)?, self.known(b)?);
                Some(match op {
                    BinOp::Lt => a < b,
                    BinOp::Le => a <= b,
                    BinOp::Gt => a > b,
                    BinOp::Ge => a >= b,
                    _ => a == b,
                })
            }
            _ => None,
        }
    }

    fn value(&mut self, e: &Expr, ty: Type) -> Value {
        if let Expr::Binary(op, ..) = e
            && !op.is_condition()
            && let Some(x) = self.known(e)
        {
            return self.number(x, None, ty);
        }
        match e {
            Expr::Number(x) => self.number(*x, None, ty),
            Expr::Constant(digits) => {
                let value = digits.parse().unwrap_or(f64::NAN);
                self.number(value, Some(digits), ty)
            }
            Expr::Param(n) => {
                let v = self.operands.params[*n].expect("the caller hands over what is needed");
                self.cast(ty, v)
            }
            Expr::Result => {
                let v = self
                    .operands
                    .result
                    .expect("the caller hands over what is needed");
                self.cast(ty, v)
            }
            Expr::Neg(a) => {
                let a = self.value(a, ty);
                self.b.neg(a)
            }
            Expr::Binary(op, ..) if op.is_condition() => {
                let v = self.condition(e);
                self.cast(ty, v)
            }
            // A guard that cannot be met adds nothing.
            Expr::Binary(BinOp::Add, a, b)
                if matches!(&**b, Expr::Choose(c, _, no)
                    if self.known_condition(c) == Some(false) && **no == Expr::Number(0.0)) =>
            {
                self.value(a, ty)
            }
            Expr::Binary(op, a, b) => {
                let a = self.value(a, ty);
                let b = self.value(b, ty);
                match op {
                    BinOp::Add => self.b.add(a, b),
                    BinOp::Sub => self.b.sub(a, b),
                    BinOp::Mul => self.b.mul(a, b),
                    _ => self.b.div(a, b),
                }
            }
            Expr::Choose(c, yes, no) => self.choose(c, yes, no, ty),
            Expr::Call(name, arguments) => {
                let v = self.call(name, arguments);
                self.cast(ty, v)
            }
        }
    }

    /// `c ? yes : no`: a selection where both sides are at hand, else a branch.
    fn choose(&mut self, c: &Expr, yes: &Expr, no: &Expr, ty: Type) -> Value {
        if let Some(truth) = self.known_condition(c) {
            return self.value(if truth { yes } else { no }, ty);
        }
        let condition = self.condition(c);
        if is_at_hand(yes) && is_at_hand(no) {
            let yes = self.value(yes, ty);
            let no = self.value(no, ty);
            return self.b.select(condition, yes, no);
        }
        let (inst, then, otherwise) = self.b.if_(condition, &[ty]);
        for (region, arm) in [(then, yes), (otherwise, no)] {
            let back = self.b.enter(region);
            let v = self.value(arm, ty);
            self.b.yield_(&[v]);
            self.b.leave(back);
        }
        self.b.body.result(inst)
    }

    fn condition(&mut self, e: &Expr) -> Value {
        match e {
            Expr::Binary(BinOp::And, a, b) if self.known_condition(a) == Some(true) => {
                self.condition(b)
            }
            Expr::Binary(BinOp::And, a, b) if self.known_condition(b) == Some(true) => {
                self.condition(a)
            }
            Expr::Binary(BinOp::And, a, b) => {
                let a = self.condition(a);
                let b = self.condition(b);
                self.b.and(a, b)
            }
            Expr::Binary(op, a, b) if op.is_condition() => {
                let ty = match (self.natural(a), self.natural(b)) {
                    (x, y) if x.is_int() && y.is_int() => x,
                    // An integer parameter against a constant.
                    (x, _) if x.is_int() && matches!(**b, Expr::Number(_)) => x,
                    _ => self.ty,
                };
                let a = self.value(a, ty);
                let b = self.value(b, ty);
                match op {
                    BinOp::Lt => self.b.lt(a, b),
                    BinOp::Le => self.b.le(a, b),
                    BinOp::Gt => self.b.gt(a, b),
                    BinOp::Ge => self.b.ge(a, b),
                    _ => self.b.eq(a, b),
                }
            }
            Expr::Call(name, arguments) if name == "isnan" => {
                let x = self.value(&arguments[0], self.ty);
                self.b.ne(x, x)
            }
            _ => {
                let v = self.value(e, self.ty);
                self.cast(Type::Bool, v)
            }
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> Value {
        let integers: Vec<bool> = match lookup(name) {
            Some((rule, _)) => rule
                .partials
                .iter()
                .map(|p| *p == Partial::Integer)
                .collect(),
            None => vec![false; arguments.len()],
        };
        let mut values = Vec::new();
        let mut types = Vec::new();
        for (a, integer) in arguments.iter().zip(integers) {
            let ty = match integer {
                true if name == "scalbln" => Type::I64,
                true => Type::I32,
                false => self.ty,
            };
            values.push(self.value(a, ty));
            types.push(ty);
        }
        let result = match name {
            "signbit" => Type::I32,
            _ => self.ty,
        };
        let func = library(self.module, &spelling(name, self.ty), result, &types);
        call(self.b, func, values, result)
    }
}

/// Nothing is left to compute, or only cheap selections.
fn is_at_hand(e: &Expr) -> bool {
    match e {
        Expr::Number(_) | Expr::Constant(_) | Expr::Param(_) | Expr::Result => true,
        Expr::Neg(a) => is_at_hand(a),
        Expr::Choose(_, a, b) => is_at_hand(a) && is_at_hand(b),
        _ => false,
    }
}

/// The name of a library function for a type of number.
pub(crate) fn spelling(name: &str, ty: Type) -> String {
    let suffix = match ty.part().unwrap_or(ty) {
        Type::F32 => "f",
        Type::F80 => "l",
        _ => "",
    };
    match name {
        // Only the compilers know it.
        "powi" | "signbit" => format!("__builtin_{name}{suffix}"),
        _ => format!("{name}{suffix}"),
    }
}

/// A call with one result.
pub(crate) fn call(b: &mut Builder<'_>, func: Func, args: Vec<Value>, result: Type) -> Value {
    let attr = CallAttr {
        func,
        extra: Vec::new(),
    };
    b.value(Op::Call(attr), args, result)
}

/// A function of the library, declared if the module does not have it. A function of the user's own that took the name is not it: then
/// the compilers' spelling is used.
pub(crate) fn library(module: &mut Module, name: &str, result: Type, params: &[Type]) -> Func {
    let basic = |ty: Type| ty.default_basic().unwrap_or(Basic::Double);
    let ret = module.types.basic(basic(result));
    let params: Vec<_> = params
        .iter()
        .map(|&ty| module.types.basic(basic(ty)))
        .collect();
    declare(module, name, ret, params)
}

/// As [`library`], with C types.
pub(crate) fn declare(
    module: &mut Module,
    name: &str,
    ret: adjoin_ir::CTy,
    params: Vec<adjoin_ir::CTy>,
) -> Func {
    let mut name = name.to_string();
    if let Some(f) = module.find_func(&name) {
        if module.funcs[f].body.is_none() || name.starts_with("adjoin_") {
            return f;
        }
        name = format!("__builtin_{}", stem(&name));
        if let Some(f) = module.find_func(&name) {
            return f;
        }
    }
    let count = params.len();
    let ctype = module.types.intern(CTypeKind::Function {
        ret,
        params,
        variadic: false,
        prototyped: true,
    });
    module.funcs.push(Function {
        name,
        ctype,
        param_names: vec![None; count],
        linkage: Linkage::External,
        inline: false,
        noreturn: false,
        span: Span::default(),
        body: None,
    })
}
