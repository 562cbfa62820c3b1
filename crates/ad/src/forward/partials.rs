//! Functions of the math library: their rows in the rule table, applied to tangents.
//!
//! A guarded partial (`c ? a : b`) chooses between tangents instead of multiplying by zero or one, so that what is not chosen does not matter. A partial that
//! may be infinite does not meet a tangent of zero.

use super::{Forward, Result};
use crate::rules::expr::{BinOp, Expr};
use crate::rules::{self, Partial, build};
use adjoin_ir::{Builder, Inst, Module, Type, Value};

/// Where a partial is evaluated.
pub(super) struct Site {
    pub(super) args: Vec<Value>,
    pub(super) result: Value,
    pub(super) ty: Type,
}

/// A partial and the tangents of its argument.
pub(super) type Term<'e> = (&'e Expr, Vec<Value>);

impl Forward<'_> {
    pub(super) fn rule(&mut self, inst: Inst, name: &str) -> Result<()> {
        self.primal(inst);
        let data = self.p.insts[inst].clone();
        let Some(&y) = data.results.first() else {
            return Ok(());
        };
        if !self.has_tangent(y) {
            return Ok(());
        }
        let Some((rule, _)) = rules::lookup(name) else {
            return self.error(inst, format!("a call of '{name}': no rule is known"));
        };
        let site = Site {
            args: self.operands(inst),
            result: self.f[&y],
            ty: self.p.ty(y),
        };
        let mut terms: Vec<Term<'_>> = Vec::new();
        for (k, (partial, &a)) in rule.partials.iter().zip(&data.args).enumerate() {
            if let Partial::Of(expr) = partial
                && self.has_tangent(a)
            {
                let parts = match self.p.ty(a) == site.ty {
                    true => self.parts(a)?,
                    false => {
                        let mut lanes = Vec::new();
                        for t in self.tangents(a)? {
                            lanes.push(self.cast(site.ty, t));
                        }
                        self.pack(site.ty, lanes)
                    }
                };
                let parts = match self.session.options.errors {
                    true => self.relative(inst, &parts, k, &site)?,
                    false => parts,
                };
                terms.push((expr, parts));
            }
        }
        let parts = match self.session.options.errors {
            true => self.errors_of_call(inst, &terms, &site)?,
            false => self.combine(&terms, &site)?,
        };
        self.set_parts(y, parts);
        Ok(())
    }

    /// The sum of the partials times the tangents.
    pub(super) fn combine(&mut self, terms: &[Term<'_>], site: &Site) -> Result<Vec<Value>> {
        let terms: Vec<Term<'_>> = terms
            .iter()
            .filter(|(e, _)| **e != Expr::Number(0.0))
            .cloned()
            .collect();
        let Some((first, _)) = terms.first() else {
            let types = self.types_of_parts(site.ty);
            return Ok(types.into_iter().map(|ty| self.zero(ty)).collect());
        };
        if let Expr::Choose(condition, ..) = first
            && terms
                .iter()
                .all(|(e, _)| matches!(e, Expr::Choose(c, ..) if c == condition))
        {
            return self.choose(condition, &terms, site);
        }
        let mut sums: Option<Vec<Value>> = None;
        for (e, lanes) in &terms {
            let products = match e {
                Expr::Choose(..) => self.combine(&[(*e, lanes.clone())], site)?,
                _ => self.product(e, lanes, site)?,
            };
            sums = Some(match sums {
                None => products,
                Some(sums) => sums
                    .into_iter()
                    .zip(products)
                    .map(|(a, b)| self.b().add(a, b))
                    .collect(),
            });
        }
        Ok(sums.unwrap_or_default())
    }

    fn choose(&mut self, condition: &Expr, terms: &[Term<'_>], site: &Site) -> Result<Vec<Value>> {
        let c = self.make(site, |m, b, operands, ty| {
            build::condition(m, b, condition, operands, ty)
        });
        let arm = |yes: bool| -> Vec<Term<'_>> {
            terms
                .iter()
                .filter_map(|(e, lanes)| match e {
                    Expr::Choose(_, a, b) => Some((if yes { &**a } else { &**b }, lanes.clone())),
                    _ => None,
                })
                .collect()
        };
        let (yes, no) = (arm(true), arm(false));
        if yes.iter().chain(&no).all(|(e, _)| is_cheap(e)) {
            let a = self.combine(&yes, site)?;
            let b = self.combine(&no, site)?;
            let pairs = a.into_iter().zip(b);
            return Ok(pairs.map(|(a, b)| self.b().select(c, a, b)).collect());
        }
        let types = self.types_of_parts(site.ty);
        let (inst, then, otherwise) = self.b().if_(c, &types);
        for (region, terms) in [(then, yes), (otherwise, no)] {
            self.inside(region, |me| {
                let lanes = me.combine(&terms, site)?;
                me.b().yield_(&lanes);
                Ok(())
            })?;
        }
        Ok(self.d.insts[inst].results.clone())
    }

    fn product(&mut self, e: &Expr, lanes: &[Value], site: &Site) -> Result<Vec<Value>> {
        match e {
            Expr::Number(1.0) => return Ok(lanes.to_vec()),
            Expr::Number(-1.0) => return Ok(lanes.iter().map(|&t| self.b().neg(t)).collect()),
            Expr::Neg(e) => {
                let products = self.product(e, lanes, site)?;
                return Ok(products.into_iter().map(|t| self.b().neg(t)).collect());
            }
            _ => {}
        }
        let guarded = may_be_infinite(e) || self.session.options.strong_zero;
        let one = self.width == 1;
        let products = match e {
            // One quotient instead of a quotient and a product.
            Expr::Binary(BinOp::Div, a, b) if one => {
                let up = match &**a {
                    Expr::Number(x) if x.abs() == 1.0 => self.product(a, lanes, site)?,
                    a => {
                        let a = self.evaluate(a, site);
                        let a = self.cast(site.ty, a);
                        vec![self.b().mul(lanes[0], a)]
                    }
                };
                let b = self.evaluate(b, site);
                let b = self.cast(site.ty, b);
                vec![self.b().div(up[0], b)]
            }
            e => {
                let d = self.evaluate(e, site);
                let d = self.cast(site.ty, d);
                if guarded && lanes.iter().any(|&t| self.d.ty(t).is_vector()) {
                    return self.guarded_product(d, lanes);
                }
                lanes.iter().map(|&t| self.multiple(t, d)).collect()
            }
        };
        if !guarded {
            return Ok(products);
        }
        let pairs = lanes.iter().zip(products);
        Ok(pairs.map(|(&t, p)| self.unless_zero(t, p)).collect())
    }

    fn multiple(&mut self, tangent: Value, factor: Value) -> Value {
        let factor = self.beside(tangent, factor);
        self.b().mul(tangent, factor)
    }

    /// A factor that may be infinite, times vectors: where it is finite, the product with zero is zero.
    fn guarded_product(&mut self, factor: Value, parts: &[Value]) -> Result<Vec<Value>> {
        let ty = self.d.ty(factor);
        let most = match ty {
            Type::F32 => f64::from(f32::MAX),
            _ => f64::MAX,
        };
        let (low, high) = (self.b().float(ty, -most), self.b().float(ty, most));
        let above = self.b().ge(factor, low);
        let below = self.b().le(factor, high);
        let finite = self.b().and(above, below);
        let types: Vec<Type> = parts.iter().map(|&v| self.d.ty(v)).collect();
        let (inst, then, otherwise) = self.b().if_(finite, &types);
        self.inside(then, |me| {
            let all: Vec<Value> = parts.iter().map(|&t| me.multiple(t, factor)).collect();
            me.b().yield_(&all);
            Ok(())
        })?;
        self.inside(otherwise, |me| {
            let mut all = Vec::new();
            for lane in me.unpack(parts) {
                let product = me.b().mul(lane, factor);
                all.push(me.unless_zero(lane, product));
            }
            let all = me.pack(ty, all);
            me.b().yield_(&all);
            Ok(())
        })?;
        Ok(self.d.insts[inst].results.clone())
    }

    /// The value of a partial.
    pub(super) fn evaluate(&mut self, e: &Expr, site: &Site) -> Value {
        self.make(site, |m, b, operands, ty| {
            build::build(m, b, e, operands, ty)
        })
    }

    fn make(
        &mut self,
        site: &Site,
        with: impl FnOnce(&mut Module, &mut Builder<'_>, build::Operands<'_>, Type) -> Value,
    ) -> Value {
        let params: Vec<Option<Value>> = site.args.iter().map(|&v| Some(v)).collect();
        let operands = build::Operands {
            params: &params,
            result: Some(site.result),
        };
        let mut builder = Builder::at_end(&mut self.d, self.at);
        builder.span = self.span;
        with(self.m, &mut builder, operands, site.ty)
    }
}

/// Is it worth computing where it may not be wanted, and safe?
fn is_cheap(e: &Expr) -> bool {
    let mut cheap = true;
    e.visit(&mut |e| match e {
        Expr::Binary(BinOp::Div | BinOp::Mul, ..) => cheap = false,
        Expr::Call(name, _) => cheap &= name == "isnan" || name == "signbit",
        _ => {}
    });
    cheap
}

/// Can it be infinite where the arguments are finite?
fn may_be_infinite(e: &Expr) -> bool {
    let mut may = false;
    e.visit(&mut |e| match e {
        Expr::Binary(BinOp::Div, _, b) => may |= !is_positive(b),
        Expr::Call(name, _) => {
            may |= !matches!(
                &name[..],
                "isnan"
                    | "signbit"
                    | "sin"
                    | "cos"
                    | "j0"
                    | "j1"
                    | "jn"
                    | "trunc"
                    | "rint"
                    | "exp"
                    | "copysign"
            )
        }
        _ => {}
    });
    may
}

/// A constant, one plus a square, or the root of it.
fn is_positive(e: &Expr) -> bool {
    let square = |e: &Expr| matches!(e, Expr::Binary(BinOp::Mul, a, b) if a == b);
    match e {
        Expr::Number(x) => *x != 0.0,
        Expr::Constant(_) => true,
        Expr::Binary(BinOp::Add, a, b) => {
            (is_positive(a) && square(b)) || (square(a) && is_positive(b))
        }
        Expr::Call(name, args) => name == "sqrt" && args.iter().all(is_positive),
        _ => false,
    }
}
