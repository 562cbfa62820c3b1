//! Arithmetic and library functions in the reverse sweep: partial derivatives from the rule table.

use super::{Result, Reverse};
use crate::rules::expr::Expr;
use crate::rules::{self, Partial, build};
use adjoin_ir::{Builder, Const, Inst, Op, Value};

impl Reverse<'_> {
    /// The conjugate of a complex number; a real one is its own.
    fn conjugate(&mut self, v: Value) -> Value {
        let made = self.d.def_inst(v).map(|i| &self.d.insts[i]);
        let of_real = made.is_some_and(|data| {
            matches!(data.op, Op::Cast) && !self.d.ty(data.args[0]).is_complex()
        });
        if !self.d.ty(v).is_complex() || of_real {
            return v;
        }
        let re = self.b().real(v);
        let im = self.b().imag(v);
        let im = self.b().neg(im);
        self.b().complex(re, im)
    }

    /// With strong zeros, or if `always`, an adjoint of zero contributes nothing, whatever it is multiplied by. In what may be differentiated again it contributes what it does
    /// wherever that is a number, since it may change there.
    fn strong(&mut self, always: bool, bar: Value, amount: Value) -> Value {
        if !self.session.options.strong_zero && !always {
            return amount;
        }
        let zero = self.zero(self.d.ty(bar));
        let mut is_zero = self.b().eq(bar, zero);
        if !self.session.options.outermost {
            let is_nan = self.b().ne(amount, amount);
            is_zero = self.b().and(is_zero, is_nan);
        }
        let nothing = self.zero(self.d.ty(amount));
        self.b().select(is_zero, nothing, amount)
    }

    /// Is a value of the primal the constant 1?
    fn is_one(&self, v: Value) -> bool {
        let inst = self.p.def_inst(v).map(|i| &self.p.insts[i].op);
        matches!(inst, Some(Op::Const(Const::Float { bits, .. })) if f64::from_bits(*bits) == 1.0)
    }

    fn is_constant(&self, v: Value) -> bool {
        let inst = self.p.def_inst(v).map(|i| &self.p.insts[i].op);
        matches!(inst, Some(Op::Const(_)))
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
                        let always = self.contributes_nothing(y, Some(a[other]));
                        let amount = self.strong(always, bar, amount);
                        self.contribute(a[k], amount);
                    }
                }
            }
            Op::Div if self.is_one(a[0]) => {
                // The reciprocal is its own derivative, but for a sign: nothing is divided again.
                let value = self.need(y);
                let value = self.conjugate(value);
                let once = self.b().mul(bar, value);
                let amount = self.b().mul(once, value);
                let always = self.contributes_nothing(y, None);
                let amount = self.strong(always, bar, amount);
                let amount = self.b().neg(amount);
                self.contribute(a[1], amount);
            }
            Op::Div => {
                let w = self.need(a[1]);
                let w = self.conjugate(w);
                let quotient = self.b().div(bar, w);
                let always = !self.is_constant(a[1]) && self.contributes_nothing(y, None);
                let quotient = self.strong(always, bar, quotient);
                self.contribute(a[0], quotient);
                if varied(self, 1) {
                    let value = self.need(y);
                    let value = self.conjugate(value);
                    let amount = self.b().mul(quotient, value);
                    let amount = self.strong(always, bar, amount);
                    let amount = self.b().neg(amount);
                    self.contribute(a[1], amount);
                }
            }
            Op::Cast => self.mirror_cast(a[0], y, bar),
            Op::Select => {
                if let Some(same) = self.same_number(inst, a[1], a[2]) {
                    same.into_iter().for_each(|v| self.contribute(v, bar));
                    return Ok(());
                }
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

    /// A function of the math library, by its row.
    pub(super) fn mirror_rule(&mut self, inst: Inst, name: &str) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let y = data.results[0];
        let Some(bar) = self.adjoints.get(&y).copied() else {
            return Ok(());
        };
        let Some((rule, _)) = rules::lookup(name) else {
            return self.error(inst, format!("a call of '{name}': no rule is known"));
        };
        for (k, partial) in rule.partials.iter().enumerate() {
            let Partial::Of(expr) = partial else { continue };
            if !data
                .args
                .get(k)
                .is_some_and(|&a| self.facts.varied.contains(a))
            {
                continue;
            }
            let (expr, siblings) = self.with_siblings(expr, inst);
            let d = self.partial(&expr, &[&data.args[..], &siblings].concat(), y);
            let d = self.conjugate(d);
            let amount = self.b().mul(bar, d);
            let always = expr != Expr::Number(1.0) && self.contributes_nothing(y, None);
            let amount = self.strong(always, bar, amount);
            self.contribute(data.args[k], amount);
        }
        Ok(())
    }

    /// The value of a partial: what it needs is obtained in front.
    fn partial(&mut self, e: &Expr, args: &[Value], y: Value) -> Value {
        let params: Vec<Option<Value>> = args
            .iter()
            .enumerate()
            .map(|(k, &a)| e.needs_param(k).then(|| self.need(a)))
            .collect();
        let result = e.needs_result().then(|| self.need(y));
        let operands = build::Operands {
            params: &params,
            result,
        };
        let length = self.d.regions[self.at].insts.len();
        let mut builder = Builder::at_end(&mut self.d, self.at);
        builder.cursor.before = self.position.map(|p| p.start + length - p.length);
        builder.span = self.span;
        build::build(self.m, &mut builder, e, operands, self.p.ty(y))
    }
}
