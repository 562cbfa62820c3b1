//! More builtins of the processor's headers: lanes chosen by the bits of a number, masks of comparisons and choices by them, conversions, lanes that come from memory.

use super::{BinTok, Sema, expr};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

/// The lane of two vectors, one behind the other, that some bits of a number `c` choose: `base + (c >> shift & mask) * scale`.
#[derive(Clone, Copy)]
struct Pick {
    base: u64,
    shift: u64,
    mask: u64,
    scale: i64,
}

/// How two numbers can be to each other.
const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;
/// What the predicates hold for, by their numbers; those from 16 on differ in signals only.
const PREDICATES: [u8; 16] = [2, 1, 3, 8, 13, 14, 12, 7, 10, 9, 11, 0, 5, 6, 4, 15];
/// The predicates that have names, and their numbers.
const NAMED: [(&str, usize); 12] = [
    ("eq", 0),
    ("lt", 1),
    ("le", 2),
    ("unord", 3),
    ("neq", 4),
    ("nlt", 5),
    ("nle", 6),
    ("ord", 7),
    ("nge", 9),
    ("ngt", 10),
    ("ge", 13),
    ("gt", 14),
];

/// The lanes that a builtin with a number chooses; of vectors with so many lanes, and so many in 16 bytes.
fn picks(name: &str, lanes: u64, block: u64) -> Option<Vec<Pick>> {
    let half = lanes / 2;
    let pick = |k: u64| {
        let (start, inside) = (k / block * block, k % block);
        // Numbers for two lanes have a bit for each lane, those for four two bits, the same for each block.
        let (shift, mask) = match block {
            2 => (k, 1),
            _ => (2 * inside, 3),
        };
        Some(match name {
            "vpermilpd" | "vpermilps" => Pick {
                base: start,
                shift,
                mask,
                scale: 1,
            },
            "shufpd" | "shufps" => {
                let second = if inside >= block / 2 { lanes } else { 0 };
                Pick {
                    base: start + second,
                    shift,
                    mask,
                    scale: 1,
                }
            }
            "permdf" => Pick {
                base: 0,
                shift: 2 * k,
                mask: 3,
                scale: 1,
            },
            "blendpd" | "blendps" => Pick {
                base: k,
                shift: k,
                mask: 1,
                scale: lanes as i64,
            },
            "vperm2f128_pd" | "vperm2f128_ps" => Pick {
                base: k % half,
                shift: k / half * 4,
                mask: 3,
                scale: half as i64,
            },
            "vinsertf128_pd" | "vinsertf128_ps" if k < half => Pick {
                base: k + lanes,
                shift: 0,
                mask: 1,
                scale: -(lanes as i64),
            },
            "vinsertf128_pd" | "vinsertf128_ps" => Pick {
                base: k,
                shift: 0,
                mask: 1,
                scale: lanes as i64,
            },
            _ => return None,
        })
    };
    (0..lanes).map(pick).collect()
}

/// The lanes that a builtin always chooses.
fn places(name: &str, lanes: u64) -> Option<Vec<u64>> {
    let all = 0..lanes;
    Some(match name {
        "movddup" | "movsldup" => all.map(|k| k / 2 * 2).collect(),
        "movshdup" => all.map(|k| k / 2 * 2 + 1).collect(),
        "movsd" | "movss" => all.map(|k| if k == 0 { lanes } else { k }).collect(),
        "movhlps" => vec![6, 7, 2, 3],
        "movlhps" => vec![0, 1, 4, 5],
        // The upper half may be anything.
        "pd256_pd" | "ps256_ps" => (0..2 * lanes).map(|k| k % lanes).collect(),
        "vbroadcastsd_pd" => vec![0; 4],
        _ => return None,
    })
}

impl Sema {
    /// The tree of a builtin, by its name without the size of its registers.
    pub(super) fn processor_lanes(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        let [first, rest @ ..] = args else {
            return None;
        };
        if let Some(e) = self.in_memory(name, args, span) {
            return Some(e);
        }
        let ty = first.ty;
        let CTypeKind::Vector { elem, lanes } = *self.shape(ty) else {
            return None;
        };
        let block = 16 / self.unit.types.size_of(elem)?.max(1);
        let last = args.last().cloned().unwrap_or_else(|| first.clone());
        if let Some(order) = places(name, lanes) {
            let second = rest.first().unwrap_or(first).clone();
            let lanes = order.len() as u64;
            let ty = self.unit.types.intern(CTypeKind::Vector { elem, lanes });
            return Some(self.shuffled(first.clone(), second, order.into_iter(), ty, span));
        }
        if let Some(chosen) = picks(name, lanes, block) {
            self.arithmetic(last.ty).filter(|t| t.is_integer())?;
            let second = match rest {
                [second, _] if name.starts_with("vinsert") => {
                    let twice = (0..lanes).map(|k| k % (lanes / 2));
                    self.shuffled(second.clone(), second.clone(), twice, ty, span)
                }
                [second, _] => second.clone(),
                _ => first.clone(),
            };
            let all = self.picked(first.clone(), second, &last, &chosen, span);
            if !name.starts_with("vperm2") {
                return Some(all);
            }
            // Halves that are to be zero.
            let zero = self.repeated(0, ty, span);
            let bits = (0..lanes).map(|k| Pick {
                base: k,
                shift: k / (lanes / 2) * 4 + 3,
                mask: 1,
                scale: lanes as i64,
            });
            return Some(self.picked(all, zero, &last, &bits.collect::<Vec<_>>(), span));
        }
        match (name, args) {
            ("blendvpd" | "blendvps", [a, b, mask]) => {
                let signs = self.comparison_vector(mask.ty);
                let mask = self.vector_bits(mask.clone(), signs);
                let zero = self.int_const(0, Basic::Int, span);
                let chosen = self.vector_operation(BinaryOp::Lt, mask, zero, span);
                Some(self.vector_select(chosen, b.clone(), a.clone(), span))
            }
            ("movmskpd" | "movmskps", [a]) => {
                let signs = self.comparison_vector(a.ty);
                let a = self.vector_bits(a.clone(), signs);
                let int = self.basic(Basic::Int);
                Some(expr(ExprKind::Vector(VectorOp::Signs, vec![a]), int, span))
            }
            ("cmppd" | "cmpps", [a, b, number]) => {
                let mask = self.compared(a, b, number, span)?;
                Some(self.vector_bits(mask, ty))
            }
            ("sqrtsd" | "sqrtss", [a]) => {
                let roots = self.mapped("sqrt", a.clone(), span)?;
                Some(self.first_only(roots, a.clone(), span))
            }
            ("maxsd" | "maxss" | "minsd" | "minss", [a, b]) => {
                let op = match name.starts_with("max") {
                    true => BinaryOp::Gt,
                    false => BinaryOp::Lt,
                };
                let holds = self.vector_operation(op, a.clone(), b.clone(), span);
                let all = self.vector_select(holds, a.clone(), b.clone(), span);
                Some(self.first_only(all, a.clone(), span))
            }
            ("addsubpd" | "addsubps", [a, b]) => Some(self.in_turn(a.clone(), b.clone(), 0, span)),
            ("vfmaddsubpd" | "vfmaddsubps", [a, b, c]) => {
                let product = self.vector_operation(BinaryOp::Mul, a.clone(), b.clone(), span);
                Some(self.in_turn(product, c.clone(), 0, span))
            }
            ("vfmsubaddpd" | "vfmsubaddps", [a, b, c]) => {
                let product = self.vector_operation(BinaryOp::Mul, a.clone(), b.clone(), span);
                Some(self.in_turn(product, c.clone(), 1, span))
            }
            ("roundpd" | "roundps", [a, mode]) => self.rounded(a, mode, span),
            _ if name.starts_with("cmp") => self.named_comparison(name, args, span),
            _ if name.starts_with("cvt") => self.converted(name, first, span),
            _ => self.first_compared(name, args, span),
        }
    }

    /// Lanes that are in memory.
    fn in_memory(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Expr> {
        let pointer = args.last()?;
        let pointee = self.unit.types.pointee(pointer.ty)?;
        let (elem, lanes) = match name {
            "vbroadcastsd" => (Basic::Double, 4),
            "vbroadcastss256" => (Basic::Float, 8),
            "vbroadcastss" => (Basic::Float, 4),
            "loadlpd" | "loadhpd" => (Basic::Double, 2),
            "vbroadcastf128_pd" => (Basic::Double, 4),
            "vbroadcastf128_ps" => (Basic::Float, 8),
            _ => return None,
        };
        let elem = self.basic(elem);
        let ty = self.unit.types.intern(CTypeKind::Vector { elem, lanes });
        let value = self.dereference(pointer.clone(), span);
        let value = self.rvalue(value);
        if name.starts_with("vbroadcastf") {
            let CTypeKind::Vector { lanes: half, .. } = *self.shape(pointee) else {
                return None;
            };
            let order = (0..lanes).map(|k| k % half);
            return Some(self.shuffled(value.clone(), value, order, ty, span));
        }
        let value = self.implicit_cast(value, elem);
        let all = expr(ExprKind::Vector(VectorOp::Convert, vec![value]), ty, span);
        match (name, args) {
            ("loadlpd", [a, _]) => {
                Some(self.shuffled(a.clone(), all, [2, 1].into_iter(), ty, span))
            }
            ("loadhpd", [a, _]) => {
                Some(self.shuffled(a.clone(), all, [0, 2].into_iter(), ty, span))
            }
            (_, [_]) => Some(all),
            _ => None,
        }
    }

    fn picked(&mut self, a: Expr, b: Expr, number: &Expr, chosen: &[Pick], span: Span) -> Expr {
        let ty = a.ty;
        let constant = self.const_int(number);
        let mut args = vec![a, b];
        for pick in chosen {
            let lane = match constant {
                Some(c) => {
                    let bits = (c >> pick.shift) & i128::from(pick.mask);
                    let lane = i128::from(pick.base) + bits * i128::from(pick.scale);
                    self.int_const(lane, Basic::Int, span)
                }
                None => {
                    let mut e = number.clone();
                    for (op, n) in [
                        (BinaryOp::Shr, pick.shift as i64),
                        (BinaryOp::And, pick.mask as i64),
                        (BinaryOp::Mul, pick.scale),
                        (BinaryOp::Add, pick.base as i64),
                    ] {
                        let n = self.int_const(i128::from(n), Basic::Int, span);
                        e = self.binary(BinTok::Op(op), e, n, span);
                    }
                    e
                }
            };
            args.push(lane);
        }
        expr(ExprKind::Vector(VectorOp::Shuffle, args), ty, span)
    }

    /// A number in all lanes.
    fn repeated(&mut self, n: i128, ty: CTy, span: Span) -> Expr {
        let n = self.int_const(n, Basic::Int, span);
        let elem = self.unit.types.element(ty).unwrap_or(ty);
        let n = self.implicit_cast(n, elem);
        expr(ExprKind::Vector(VectorOp::Convert, vec![n]), ty, span)
    }

    /// The first lane of one vector, the others of another.
    fn first_only(&mut self, first: Expr, others: Expr, span: Span) -> Expr {
        let ty = others.ty;
        let CTypeKind::Vector { lanes, .. } = *self.shape(ty) else {
            return others;
        };
        let order = (0..lanes).map(|k| if k == 0 { 0 } else { lanes + k });
        self.shuffled(first, others, order, ty, span)
    }

    /// Differences and sums in turn; which lanes are differences, modulo two.
    fn in_turn(&mut self, a: Expr, b: Expr, differences: u64, span: Span) -> Expr {
        let ty = a.ty;
        let CTypeKind::Vector { lanes, .. } = *self.shape(ty) else {
            return a;
        };
        let less = self.vector_operation(BinaryOp::Sub, a.clone(), b.clone(), span);
        let more = self.vector_operation(BinaryOp::Add, a, b, span);
        let order = (0..lanes).map(|k| if k % 2 == differences { k } else { lanes + k });
        self.shuffled(less, more, order, ty, span)
    }

    /// A function of the library of each lane.
    pub(super) fn mapped(&mut self, name: &str, a: Expr, span: Span) -> Option<Expr> {
        let ty = a.ty;
        let elem = self.unit.types.element(ty)?;
        let float = self.arithmetic(elem) == Some(Basic::Float);
        let name = format!("__builtin_{name}{}", if float { "f" } else { "" });
        let f = self.builtin_function(&name, span)?;
        let f = self.func(f, span);
        let f = self.rvalue(f);
        Some(expr(ExprKind::Vector(VectorOp::Map, vec![f, a]), ty, span))
    }

    /// Rounded as the lowest three bits of a number say.
    fn rounded(&mut self, a: &Expr, mode: &Expr, span: Span) -> Option<Expr> {
        let ways = ["nearbyint", "floor", "ceil", "trunc"];
        if let Some(mode) = self.const_int(mode) {
            let way = ways.get((mode & 7) as usize).unwrap_or(&ways[0]);
            return self.mapped(way, a.clone(), span);
        }
        let mut all = self.mapped(ways[0], a.clone(), span)?;
        for (k, way) in ways.iter().enumerate().skip(1) {
            let seven = self.int_const(7, Basic::Int, span);
            let bits = self.binary(BinTok::Op(BinaryOp::And), mode.clone(), seven, span);
            let number = self.int_const(k as i128, Basic::Int, span);
            let this = self.binary(BinTok::Op(BinaryOp::Eq), bits, number, span);
            let values = self.mapped(way, a.clone(), span)?;
            all = expr(
                ExprKind::Vector(VectorOp::Select, vec![this, values, all]),
                a.ty,
                span,
            );
        }
        Some(all)
    }

    /// Comparisons whose name says which.
    fn named_comparison(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Expr> {
        let [a, b] = args else {
            return None;
        };
        let (word, kind) = name.strip_prefix("cmp")?.split_at_checked(name.len() - 5)?;
        let (_, number) = NAMED.iter().find(|(known, _)| *known == word)?;
        let mask = self.relation(PREDICATES[*number], a, b, span);
        let mask = self.vector_bits(mask, a.ty);
        match kind {
            "pd" | "ps" => Some(mask),
            "sd" | "ss" => Some(self.first_only(mask, a.clone(), span)),
            _ => None,
        }
    }

    /// All bits of the lanes for which a predicate with a number holds.
    fn compared(&mut self, a: &Expr, b: &Expr, number: &Expr, span: Span) -> Option<Expr> {
        if let Some(n) = self.const_int(number) {
            let holds = PREDICATES[(n & 15) as usize];
            return Some(self.relation(holds, a, b, span));
        }
        let mut all = None;
        for part in [LESS, EQUAL, GREATER, UNORDERED] {
            // The predicates that hold for this, a bit for each; of those the bit that the number says.
            let which = PREDICATES.iter().enumerate();
            let bits = which.fold(0, |sum, (k, holds)| {
                sum | i128::from(holds & part != 0) << k
            });
            let bits = self.int_const(bits, Basic::Int, span);
            let fifteen = self.int_const(15, Basic::Int, span);
            let shift = self.binary(BinTok::Op(BinaryOp::And), number.clone(), fifteen, span);
            let bit = self.binary(BinTok::Op(BinaryOp::Shr), bits, shift, span);
            let one = self.int_const(1, Basic::Int, span);
            let bit = self.binary(BinTok::Op(BinaryOp::And), bit, one, span);
            let zero = self.int_const(0, Basic::Int, span);
            let mask = self.binary(BinTok::Op(BinaryOp::Sub), zero, bit, span);
            let lanes = self.relation(part, a, b, span);
            let lanes = self.vector_operation(BinaryOp::And, lanes, mask, span);
            all = Some(match all {
                None => lanes,
                Some(sum) => self.vector_operation(BinaryOp::Or, sum, lanes, span),
            });
        }
        all
    }

    /// All bits of the lanes that are to each other as one of these.
    fn relation(&mut self, holds: u8, a: &Expr, b: &Expr, span: Span) -> Expr {
        let one = match holds {
            LESS => Some(BinaryOp::Lt),
            EQUAL => Some(BinaryOp::Eq),
            GREATER => Some(BinaryOp::Gt),
            3 => Some(BinaryOp::Le),
            6 => Some(BinaryOp::Ge),
            13 => Some(BinaryOp::Ne),
            _ => None,
        };
        if let Some(op) = one {
            return self.vector_operation(op, a.clone(), b.clone(), span);
        }
        if holds == UNORDERED {
            let first = self.vector_operation(BinaryOp::Ne, a.clone(), a.clone(), span);
            let second = self.vector_operation(BinaryOp::Ne, b.clone(), b.clone(), span);
            return self.vector_operation(BinaryOp::Or, first, second, span);
        }
        let ty = self.comparison_vector(a.ty);
        let mut all = self.repeated(0, ty, span);
        for part in [LESS, EQUAL, GREATER, UNORDERED] {
            if holds & part != 0 {
                let lanes = self.relation(part, a, b, span);
                all = self.vector_operation(BinaryOp::Or, all, lanes, span);
            }
        }
        all
    }

    /// Each lane converted; the first ones, where the result has fewer.
    fn converted(&mut self, name: &str, a: &Expr, span: Span) -> Option<Expr> {
        let CTypeKind::Vector { lanes, .. } = *self.shape(a.ty) else {
            return None;
        };
        let (elem, lanes) = match name {
            "cvtpd2ps" if lanes == 4 => (Basic::Float, 4),
            "cvtps2pd256" | "cvtdq2pd256" => (Basic::Double, 4),
            "cvtps2pd" | "cvtdq2pd" => (Basic::Double, 2),
            "cvtdq2ps" => (Basic::Float, lanes),
            "cvttpd2dq" if lanes == 4 => (Basic::Int, 4),
            "cvttps2dq" => (Basic::Int, lanes),
            _ => return None,
        };
        let elem = self.basic(elem);
        let ty = self.unit.types.intern(CTypeKind::Vector { elem, lanes });
        let all = ExprKind::Vector(VectorOp::Convert, vec![a.clone()]);
        Some(expr(all, ty, span))
    }

    /// Comparisons of the first lanes, as an `int`.
    fn first_compared(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Expr> {
        let name = name.strip_prefix('u').unwrap_or(name);
        let word = name.strip_prefix("comi")?;
        let op = match word.strip_prefix("sd").unwrap_or(word) {
            "eq" => BinaryOp::Eq,
            "neq" => BinaryOp::Ne,
            "lt" => BinaryOp::Lt,
            "le" => BinaryOp::Le,
            "gt" => BinaryOp::Gt,
            "ge" => BinaryOp::Ge,
            _ => return None,
        };
        let [a, b] = args else {
            return None;
        };
        let [a, b] = [a, b].map(|v| {
            let elem = self.unit.types.element(v.ty).unwrap_or(v.ty);
            expr(
                ExprKind::Vector(VectorOp::First, vec![v.clone()]),
                elem,
                span,
            )
        });
        Some(self.binary(BinTok::Op(op), a, b, span))
    }
}
