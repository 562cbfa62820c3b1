//! Arithmetic and library functions in the reverse sweep: partial derivatives from the rule table.

use super::{Result, Reverse};
use crate::rules::expr::{BinOp, Expr};
use crate::rules::{self, Partial, Width};
use adjoin_ir::{Basic, CTypeKind, Func, Function, Inst, Linkage, Op, Span, Type, Value};

impl Reverse<'_> {
    /// The conjugate of a complex number; a real one is its own.
    fn conjugate(&mut self, v: Value) -> Value {
        if !self.d.ty(v).is_complex() {
            return v;
        }
        let re = self.b().real(v);
        let im = self.b().imag(v);
        let im = self.b().neg(im);
        self.b().complex(re, im)
    }

    pub(super) fn mirror_arithmetic(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let y = data.results[0];
        let Some(bar) = self.adjoints.get(&y).copied() else {
            return Ok(());
        };
        let a = data.args.clone();
        let varied = |me: &Self, k: usize| me.facts.varied.contains(a[k]);
        match data.op {
            Op::Add => {
                self.contribute(a[0], bar);
                self.contribute(a[1], bar);
            }
            Op::Sub => {
                self.contribute(a[0], bar);
                if varied(self, 1) {
                    let minus = self.b().neg(bar);
                    self.contribute(a[1], minus);
                }
            }
            Op::Neg => {
                let minus = self.b().neg(bar);
                self.contribute(a[0], minus);
            }
            Op::Mul => {
                for (k, other) in [(0, 1), (1, 0)] {
                    if varied(self, k) {
                        let w = self.need(a[other]);
                        let w = self.conjugate(w);
                        let amount = self.b().mul(bar, w);
                        self.contribute(a[k], amount);
                    }
                }
            }
            Op::Div => {
                let w = self.need(a[1]);
                let w = self.conjugate(w);
                let quotient = self.b().div(bar, w);
                self.contribute(a[0], quotient);
                if varied(self, 1) {
                    let value = self.need(y);
                    let value = self.conjugate(value);
                    let amount = self.b().mul(quotient, value);
                    let amount = self.b().neg(amount);
                    self.contribute(a[1], amount);
                }
            }
            Op::Cast => self.mirror_cast(a[0], y, bar),
            Op::Select => {
                let c = self.need(a[0]);
                let zero = self.zero(self.p.ty(y));
                if varied(self, 1) {
                    let amount = self.b().select(c, bar, zero);
                    self.contribute(a[1], amount);
                }
                if varied(self, 2) {
                    let amount = self.b().select(c, zero, bar);
                    self.contribute(a[2], amount);
                }
            }
            Op::Complex => {
                let re = self.b().real(bar);
                let im = self.b().imag(bar);
                self.contribute(a[0], re);
                self.contribute(a[1], im);
            }
            Op::Real | Op::Imag => {
                let part = self.d.ty(bar);
                let zero = self.zero(part);
                let amount = match data.op {
                    Op::Real => self.b().complex(bar, zero),
                    _ => self.b().complex(zero, bar),
                };
                self.contribute(a[0], amount);
            }
            _ => {
                return self.error(
                    inst,
                    format!("the operation '{}' on active numbers", data.op.name()),
                );
            }
        }
        Ok(())
    }

    /// A conversion among numbers passes the adjoint on; the imaginary part that a conversion to real drops gets nothing.
    fn mirror_cast(&mut self, from: Value, to: Value, bar: Value) {
        let (source, target) = (self.p.ty(from), self.p.ty(to));
        let amount = match (source.part(), target.part()) {
            (None, Some(_)) => self.b().real(bar),
            (Some(part), None) => {
                let bar = self.cast(part, bar);
                let zero = self.zero(part);
                self.b().complex(bar, zero)
            }
            _ => bar,
        };
        self.contribute(from, amount);
    }

    /// Real part, imaginary part, conjugate and absolute value of a complex number.
    pub(super) fn mirror_complex_part(&mut self, inst: Inst, name: &str) {
        let data = self.p.insts[inst].clone();
        let y = data.results[0];
        let Some(bar) = self.adjoints.get(&y).copied() else {
            return;
        };
        let part = self.p.ty(y).part().unwrap_or(self.p.ty(y));
        let amount = if name.starts_with("conj") {
            self.conjugate(bar)
        } else if name.starts_with("cabs") {
            // |z|' = z / |z|, and nothing at zero.
            let z = self.need(data.args[0]);
            let r = self.need(y);
            let zero = self.zero(part);
            let nonzero = self.b().ne(r, zero);
            let ratio = self.b().div(bar, r);
            let ratio = self.b().select(nonzero, ratio, zero);
            let ty = self.d.ty(z);
            let ratio = self.cast(ty, ratio);
            self.b().mul(ratio, z)
        } else {
            let zero = self.zero(part);
            match name.starts_with("creal") {
                true => self.b().complex(bar, zero),
                false => self.b().complex(zero, bar),
            }
        };
        self.contribute(data.args[0], amount);
    }

    /// A function of the math library, by its row.
    pub(super) fn mirror_rule(&mut self, inst: Inst, name: &str) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let y = data.results[0];
        let Some(bar) = self.adjoints.get(&y).copied() else {
            return Ok(());
        };
        let Some((rule, width)) = rules::lookup(name) else {
            return self.error(inst, format!("a call of '{name}': no rule is known"));
        };
        let ty = self.p.ty(y);
        for (k, partial) in rule.partials.iter().enumerate() {
            let Partial::Of(expr) = partial else { continue };
            if !data
                .args
                .get(k)
                .is_some_and(|&a| self.facts.varied.contains(a))
            {
                continue;
            }
            let d = self.partial(expr, &data.args, y, ty, width)?;
            let d = self.conjugate(d);
            let amount = self.b().mul(bar, d);
            self.contribute(data.args[k], amount);
        }
        Ok(())
    }

    /// The value of a partial.
    fn partial(
        &mut self,
        e: &Expr,
        args: &[Value],
        y: Value,
        ty: Type,
        width: Width,
    ) -> Result<Value> {
        Ok(match e {
            Expr::Number(x) => {
                let real = ty.part().unwrap_or(ty);
                let exact = if real == Type::F32 {
                    f64::from(*x as f32)
                } else {
                    *x
                };
                let v = self.b().float(real, exact);
                self.cast(ty, v)
            }
            Expr::Param(n) => self.need(args[*n]),
            Expr::Result => self.need(y),
            Expr::Neg(a) => {
                let a = self.partial(a, args, y, ty, width)?;
                self.b().neg(a)
            }
            Expr::Binary(op, a, b) => {
                let a = self.partial(a, args, y, ty, width)?;
                let other = self.d.ty(a);
                let b = self.partial(b, args, y, other, width)?;
                let b = self.cast(other, b);
                match op {
                    BinOp::Add => self.b().add(a, b),
                    BinOp::Sub => self.b().sub(a, b),
                    BinOp::Mul => self.b().mul(a, b),
                    BinOp::Div => self.b().div(a, b),
                    BinOp::Eq => self.b().eq(a, b),
                    BinOp::Lt => self.b().lt(a, b),
                    BinOp::Le => self.b().le(a, b),
                    BinOp::Gt => self.b().gt(a, b),
                    BinOp::Ge => self.b().ge(a, b),
                }
            }
            Expr::Choose(c, a, b) => {
                // What the arms need is obtained in front; the arms only compute.
                let c = self.partial(c, args, y, ty, width)?;
                let c = self.cast(Type::Bool, c);
                let (inst, yes, no) = self.b().if_(c, &[ty]);
                for (region, arm) in [(yes, a), (no, b)] {
                    self.inside(region, |me| {
                        let v = me.partial(arm, args, y, ty, width)?;
                        let v = me.cast(ty, v);
                        me.b().yield_(&[v]);
                        Ok(())
                    })?;
                }
                self.d.result(inst)
            }
            Expr::Call(name, arguments) => {
                let mut values = Vec::new();
                for a in arguments {
                    values.push(self.partial(a, args, y, ty, width)?);
                }
                self.library(name, width, values)?
            }
        })
    }

    fn library(&mut self, name: &str, width: Width, values: Vec<Value>) -> Result<Value> {
        if name == "isnan" {
            return Ok(self.b().ne(values[0], values[0]));
        }
        let suffix = match width {
            Width::Float => "f",
            Width::Double => "",
            Width::LongDouble => "l",
        };
        let (name, result) = match name {
            "signbit" => (format!("__builtin_signbit{suffix}"), Some(Basic::Int)),
            _ => (format!("{name}{suffix}"), None),
        };
        let number = match width {
            Width::Float => Basic::Float,
            Width::Double => Basic::Double,
            Width::LongDouble => Basic::LongDouble,
        };
        let complex = match width {
            Width::Float => Basic::ComplexFloat,
            Width::Double => Basic::ComplexDouble,
            Width::LongDouble => Basic::ComplexLongDouble,
        };
        let is_complex = values.iter().any(|&v| self.d.ty(v).is_complex());
        let number = if is_complex { complex } else { number };
        let types: Vec<Basic> = values
            .iter()
            .map(|&v| {
                if self.d.ty(v).is_int() {
                    Basic::Int
                } else {
                    number
                }
            })
            .collect();
        let func = self.declare(&name, result.unwrap_or(number), &types);
        let values = values
            .iter()
            .zip(&types)
            .map(|(&v, &t)| self.cast(Type::of_basic(t), v))
            .collect();
        Ok(self
            .call(func, values)
            .expect("a function of the math library has a result"))
    }

    fn declare(&mut self, name: &str, ret: Basic, params: &[Basic]) -> Func {
        if let Some(f) = self.m.find_func(name) {
            return f;
        }
        let types = &mut self.m.types;
        let ret = types.basic(ret);
        let params: Vec<_> = params.iter().map(|&b| types.basic(b)).collect();
        let count = params.len();
        let ctype = types.intern(CTypeKind::Function {
            ret,
            params,
            variadic: false,
            prototyped: true,
        });
        self.m.funcs.push(Function {
            name: name.to_string(),
            ctype,
            param_names: vec![None; count],
            linkage: Linkage::External,
            inline: false,
            noreturn: false,
            span: Span::default(),
            body: None,
        })
    }
}
