//! Library functions that the derivative of another needs and that the primal computes anyway: beside `sin(x)` there is often `cos(x)`.

use super::Reverse;
use crate::rules::build::spelling;
use crate::rules::expr::Expr;
use crate::rules::stem;
use adjoin_ir::{Inst, Op, Value};

impl Reverse<'_> {
    /// A partial of a call, with further parameters in the place of what the primal has computed; and these parameters.
    pub(super) fn with_siblings(&self, partial: &Expr, inst: Inst) -> (Expr, Vec<Value>) {
        let args = &self.p.insts[inst].args;
        let mut found = Vec::new();
        let expr = replaced(partial, &mut |name, operands| {
            let mut values = Vec::new();
            for e in operands {
                match e {
                    Expr::Param(k) => values.push(*args.get(*k)?),
                    _ => return None,
                }
            }
            let v = self.sibling(name, &values, inst)?;
            found.push(v);
            Some(Expr::Param(args.len() + found.len() - 1))
        });
        (expr, found)
    }

    /// The result of a call of this function with these arguments that has certainly run where another has.
    fn sibling(&self, name: &str, args: &[Value], inst: Inst) -> Option<Value> {
        let ty = self.p.ty(self.p.insts[inst].results[0]);
        let name = spelling(name, ty);
        let is_call = |i: &Inst| {
            let data = &self.p.insts[*i];
            match &data.op {
                Op::Call(attr) => {
                    let function = &self.m.funcs[attr.func];
                    function.body.is_none()
                        && stem(&function.name) == name
                        && data.args == args
                        && data.results.first().is_some_and(|&v| self.p.ty(v) == ty)
                }
                _ => false,
            }
        };
        let mut region = self.p.insts[inst].parent;
        let mut at = inst;
        let list = &self.p.regions[region].insts;
        let own = list.iter().position(|&i| i == at)?;
        // Behind it, as long as control comes there.
        let behind = list[own..]
            .iter()
            .take_while(|&&i| self.p.insts[i].regions.is_empty())
            .find(|i| is_call(i));
        let mut found = behind.copied();
        while found.is_none() {
            let list = &self.p.regions[region].insts;
            let own = list.iter().position(|&i| i == at)?;
            found = list[..own].iter().find(|i| is_call(i)).copied();
            if found.is_none() {
                at = self.p.regions[region].parent?;
                region = self.p.insts[at].parent;
            }
        }
        found.map(|i| self.p.insts[i].results[0])
    }
}

/// An expression with calls replaced where `by` knows something else.
fn replaced(e: &Expr, by: &mut impl FnMut(&str, &[Expr]) -> Option<Expr>) -> Expr {
    let mut inner = |e: &Expr| Box::new(replaced(e, by));
    match e {
        Expr::Neg(a) => Expr::Neg(inner(a)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, inner(a), inner(b)),
        Expr::Choose(c, a, b) => Expr::Choose(inner(c), inner(a), inner(b)),
        Expr::Call(name, operands) => match by(name, operands) {
            Some(other) => other,
            None => Expr::Call(
                name.clone(),
                operands.iter().map(|e| replaced(e, by)).collect(),
            ),
        },
        other => other.clone(),
    }
}
