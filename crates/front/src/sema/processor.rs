//! Builtins of the processor's headers that are operations on vectors: roots, products with sums, extrema, and lanes that change places; more of them are in `processor_lanes`. The other ones have no tree.

use super::{Sema, expr};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

/// What a builtin does to its operands.
#[derive(Clone, Copy)]
enum Kind {
    Root,
    /// `a * b + c`; negate the product, negate what is added.
    Fused(bool, bool),
    /// The operand for which the comparison holds.
    Extreme(BinaryOp),
    /// An operation on the first lanes; the others are those of the first operand.
    First(BinaryOp),
    /// Lanes of both operands in turn, from the lower or the upper half of each block of 16 bytes.
    Unpack(bool),
    /// Sums or differences of neighbours.
    Neighbours(BinaryOp),
    /// So many of the first lanes.
    Start(u64),
    /// One half.
    Half,
}

/// The builtins by their names without `__builtin_ia32_` and without the size of their registers.
fn kind(name: &str) -> Option<Kind> {
    use BinaryOp::*;
    Some(match name {
        "pd_pd256" => Kind::Start(2),
        "ps_ps256" => Kind::Start(4),
        "vextractf128_pd256" | "vextractf128_ps256" => Kind::Half,
        _ => match name.trim_end_matches("256").trim_end_matches("128") {
            "sqrtpd" | "sqrtps" => Kind::Root,
            "vfmaddpd" | "vfmaddps" => Kind::Fused(false, false),
            "vfmsubpd" | "vfmsubps" => Kind::Fused(false, true),
            "vfnmaddpd" | "vfnmaddps" => Kind::Fused(true, false),
            "vfnmsubpd" | "vfnmsubps" => Kind::Fused(true, true),
            "maxpd" | "maxps" => Kind::Extreme(Gt),
            "minpd" | "minps" => Kind::Extreme(Lt),
            "addsd" | "addss" => Kind::First(Add),
            "subsd" | "subss" => Kind::First(Sub),
            "mulsd" | "mulss" => Kind::First(Mul),
            "divsd" | "divss" => Kind::First(Div),
            "unpcklpd" | "unpcklps" => Kind::Unpack(false),
            "unpckhpd" | "unpckhps" => Kind::Unpack(true),
            "haddpd" | "haddps" => Kind::Neighbours(Add),
            "hsubpd" | "hsubps" => Kind::Neighbours(Sub),
            _ => return None,
        },
    })
}

impl Sema {
    /// The tree of a builtin, if there is one.
    pub(crate) fn processor_builtin(
        &mut self,
        base: &str,
        args: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        let name = base.strip_prefix("ia32_")?;
        let args: Vec<Expr> = args.iter().map(|a| self.rvalue(a.clone())).collect();
        let Some(kind) = kind(name) else {
            let short = match name {
                "vbroadcastss256" | "cvtps2pd256" | "cvtdq2pd256" => name,
                _ => name.trim_end_matches("256"),
            };
            return self.processor_lanes(short, &args, span);
        };
        let ty = args.first()?.ty;
        let CTypeKind::Vector { elem, lanes } = *self.shape(ty) else {
            return None;
        };
        let count = match kind {
            Kind::Root | Kind::Start(_) => 1,
            Kind::Fused(..) => 3,
            _ => 2,
        };
        let alike = |a: &Expr| matches!(*self.shape(a.ty), CTypeKind::Vector { lanes: n, .. } if n == lanes);
        let vectors = if matches!(kind, Kind::Half) { 1 } else { count };
        if args.len() != count || !args[..vectors].iter().all(alike) {
            return None;
        }
        let [a, b, c] = [0, 1, 2].map(|k| args.get(k).cloned().unwrap_or_else(|| args[0].clone()));
        let block = 16 / self.unit.types.size_of(elem)?.max(1);
        Some(match kind {
            Kind::Root => self.mapped("sqrt", a, span)?,
            Kind::Fused(product, added) => {
                let mut p = self.vector_operation(BinaryOp::Mul, a, b, span);
                if product {
                    p = self.vector_unary(UnaryOp::Neg, p, span);
                }
                let op = if added { BinaryOp::Sub } else { BinaryOp::Add };
                self.vector_operation(op, p, c, span)
            }
            Kind::Extreme(op) => {
                let holds = self.vector_operation(op, a.clone(), b.clone(), span);
                self.vector_select(holds, a, b, span)
            }
            Kind::First(op) => {
                let all = self.vector_operation(op, a.clone(), b, span);
                let order = (0..lanes).map(|k| if k == 0 { 0 } else { lanes + k });
                self.shuffled(all, a, order, ty, span)
            }
            Kind::Unpack(upper) => {
                let from = if upper { block / 2 } else { 0 };
                let order = (0..lanes).map(|k| {
                    let (start, k) = (k / block * block, k % block);
                    start + from + k / 2 + if k % 2 == 1 { lanes } else { 0 }
                });
                self.shuffled(a, b, order, ty, span)
            }
            Kind::Neighbours(op) => {
                // In each block the pairs of the first operand, then those of the second.
                let place = move |k: u64, odd: u64| {
                    let (start, k) = (k / block * block, k % block);
                    let half = block / 2;
                    let operand = if k >= half { lanes } else { 0 };
                    operand + start + 2 * (k % half.max(1)) + odd
                };
                let even = (0..lanes).map(move |k| place(k, 0));
                let odd = (0..lanes).map(move |k| place(k, 1));
                let even = self.shuffled(a.clone(), b.clone(), even, ty, span);
                let odd = self.shuffled(a, b, odd, ty, span);
                self.vector_operation(op, even, odd, span)
            }
            Kind::Start(n) => {
                let ty = self.unit.types.intern(CTypeKind::Vector { elem, lanes: n });
                self.shuffled(a.clone(), a, 0..n, ty, span)
            }
            Kind::Half => {
                self.arithmetic(b.ty).filter(|t| t.is_integer())?;
                let lanes = lanes / 2;
                let ty = self.unit.types.intern(CTypeKind::Vector { elem, lanes });
                expr(ExprKind::Vector(VectorOp::Part, vec![a, b]), ty, span)
            }
        })
    }

    pub(super) fn shuffled(
        &mut self,
        a: Expr,
        b: Expr,
        order: impl Iterator<Item = u64>,
        ty: CTy,
        span: Span,
    ) -> Expr {
        let mut args = vec![a, b];
        for k in order {
            args.push(self.int_const(i128::from(k), Basic::Int, span));
        }
        expr(ExprKind::Vector(VectorOp::Shuffle, args), ty, span)
    }
}
