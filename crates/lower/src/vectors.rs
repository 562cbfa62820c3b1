//! Operations on vectors (GNU `vector_size`), lane by lane. A vector is memory, as a record is: its value is the address of an object that holds it.

use crate::address::Path;
use crate::call::direct_callee;
use crate::cond::{comparison, is_comparison};
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{BinaryOp, Expr, ExprKind, Span, UnaryOp, VectorOp};
use adjoin_ir::{Basic, CTy, CTypeKind, CallAttr, CopyAttr, MemAttr, Op, Type, Value};

/// An operand: in memory, or one number for all lanes.
#[derive(Clone, Copy)]
enum Lanes {
    Memory { address: Value, elem: CTy },
    Same(Value),
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// The value of an operation: an address, or a scalar.
    pub fn vector(&mut self, op: VectorOp, args: &'a [Expr], e: &'a Expr) -> Lower<Value> {
        match (op, args) {
            (VectorOp::Assign(op), [to, by]) => self.vector_assign(op, to, by),
            (VectorOp::Bits, [x]) => self.vector_bits(x, e),
            (VectorOp::First, [x]) => {
                let x = self.vector_operand(x)?;
                self.lane(x, 0)
            }
            (VectorOp::Signs, [x]) => self.signs(x),
            _ => {
                let to = self.temporary(e.ty);
                self.vector_into(op, args, e, to)?;
                Ok(to)
            }
        }
    }

    /// An operation into an object, which may be one of the operands: lanes are written when they have been read, except for shuffles.
    pub fn vector_into(
        &mut self,
        op: VectorOp,
        args: &'a [Expr],
        e: &'a Expr,
        to: Value,
    ) -> Lower<()> {
        let (elem, count) = self.lanes_of(e.ty, e.span)?;
        let mut operands = Vec::new();
        if op == VectorOp::Map {
            operands.push(self.vector_operand(&args[1])?);
        } else {
            for a in args {
                operands.push(self.vector_operand(a)?);
            }
        }
        if op == VectorOp::Permute {
            return self.permute(&operands, args, e, to);
        }
        let part = match (op, operands.as_slice()) {
            (VectorOp::Part, &[_, Lanes::Same(n)]) => {
                let parts = self.lanes_of(args[0].ty, e.span)?.1 / count.max(1);
                Some(self.first_of_part(n, parts, count))
            }
            _ => None,
        };
        for k in 0..count {
            let v = match (op, operands.as_slice()) {
                (VectorOp::Part, &[Lanes::Memory { address, .. }, _]) => {
                    let Some(first) = part else {
                        return refuse(e.span, "this part of a vector");
                    };
                    let k = self.int(i128::from(k), Type::I64);
                    let k = self.value(Op::Add, vec![first, k], Type::I64, None);
                    self.lane_at(address, elem, k)?
                }
                (VectorOp::Unary(op), &[x]) => self.unary_lane(op, x, k, elem, e.span)?,
                (VectorOp::Binary(op), &[a, b]) => {
                    let (a, b) = (self.lane(a, k)?, self.lane(b, k)?);
                    self.binary_lane(op, a, b, elem, e.span)?
                }
                (VectorOp::Select, &[c, a, b]) => {
                    let c = self.lane(c, k)?;
                    let c = self.cast(c, Type::Bool, None);
                    let (a, b) = (self.lane(a, k)?, self.lane(b, k)?);
                    let ty = self.body.ty(a);
                    self.value(Op::Select, vec![c, a, b], ty, Some(elem))
                }
                (VectorOp::Convert, &[x]) => self.lane(x, k)?,
                (VectorOp::Map, &[x]) => {
                    let Some(f) = direct_callee(&args[0]) else {
                        return refuse(e.span, "this operation on vectors");
                    };
                    let v = self.lane(x, k)?;
                    let ty = self.body.ty(v);
                    let attr = CallAttr {
                        func: self.m.function(f),
                        extra: Vec::new(),
                    };
                    self.value(Op::Call(attr), vec![v], ty, Some(elem))
                }
                (VectorOp::Shuffle, [a, b, ..]) => {
                    let (_, first) = self.lanes_of(args[0].ty, e.span)?;
                    let ExprKind::Int(n) = args[2 + k as usize].kind else {
                        let v = self.chosen_lane(*a, *b, operands[2 + k as usize], first, elem)?;
                        let at = self.lane_address(to, elem, k)?;
                        self.store_to(at, elem, v)?;
                        continue;
                    };
                    // -1: any lane will do.
                    let n = n.max(0) as u64;
                    if n < first {
                        self.lane(*a, n)?
                    } else {
                        self.lane(*b, n - first)?
                    }
                }
                _ => return refuse(e.span, "this operation on vectors"),
            };
            let at = self.lane_address(to, elem, k)?;
            self.store_to(at, elem, v)?;
        }
        Ok(())
    }

    fn vector_assign(&mut self, op: BinaryOp, to: &'a Expr, by: &'a Expr) -> Lower<Value> {
        let (elem, count) = self.lanes_of(to.ty, to.span)?;
        let path = self.path(to)?;
        let pointer = self.m.pointer(to.ty);
        let address = self.finish(path, pointer);
        let by = self.vector_operand(by)?;
        for k in 0..count {
            let old = self.lane(Lanes::Memory { address, elem }, k)?;
            let by = self.lane(by, k)?;
            let new = self.binary_lane(op, old, by, elem, to.span)?;
            let at = self.lane_address(address, elem, k)?;
            self.store_to(at, elem, new)?;
        }
        Ok(address)
    }

    /// The same bytes as another type, in an object of that type: memory is not read as what it is not.
    fn vector_bits(&mut self, x: &'a Expr, e: &'a Expr) -> Lower<Value> {
        let v = self.rvalue(x)?;
        let from = match self.value_type(x.ty, x.span)? {
            None => v,
            Some(_) => {
                let slot = self.temporary(x.ty);
                self.store_to(slot, x.ty, v)?;
                slot
            }
        };
        let address = self.temporary(e.ty);
        let bytes = self.m.types().size_of(e.ty).unwrap_or(0);
        let ctype = Some(self.m.types().unqualified(x.ty));
        self.emit(Op::Copy(CopyAttr { bytes, ctype }), vec![address, from]);
        match self.value_type(e.ty, e.span)? {
            None => Ok(address),
            Some(ty) => {
                let attr = MemAttr { volatile: false };
                Ok(self.value(Op::Load(attr), vec![address], ty, Some(e.ty)))
            }
        }
    }

    /// `__builtin_shuffle`: lanes of one or two vectors by another one.
    fn permute(
        &mut self,
        operands: &[Lanes],
        args: &'a [Expr],
        e: &'a Expr,
        to: Value,
    ) -> Lower<()> {
        let (elem, count) = self.lanes_of(e.ty, e.span)?;
        let Some((&mask, sources)) = operands.split_last() else {
            return refuse(e.span, "a shuffle without operands");
        };
        let total = count * sources.len() as u64;
        if !total.is_power_of_two() || args.len() != sources.len() + 1 {
            return refuse(e.span, "a shuffle of vectors of this length");
        }
        let all = CTypeKind::Array {
            elem,
            len: Some(total),
        };
        let all = self.m.intern(all);
        let table = self.temporary(all);
        for (j, &source) in sources.iter().enumerate() {
            for k in 0..count {
                let v = self.lane(source, k)?;
                let at = self.lane_address(table, elem, j as u64 * count + k)?;
                self.store_to(at, elem, v)?;
            }
        }
        for k in 0..count {
            let n = self.lane(mask, k)?;
            let n = self.cast(n, Type::I64, None);
            let most = self.int(i128::from(total) - 1, Type::I64);
            let n = self.value(Op::And, vec![n, most], Type::I64, None);
            let v = self.lane_at(table, elem, n)?;
            let at = self.lane_address(to, elem, k)?;
            self.store_to(at, elem, v)?;
        }
        Ok(())
    }

    fn unary_lane(&mut self, op: UnaryOp, x: Lanes, k: u64, elem: CTy, span: Span) -> Lower<Value> {
        let v = self.lane(x, k)?;
        let ty = self.body.ty(v);
        match op {
            UnaryOp::Neg => Ok(self.value(Op::Neg, vec![v], ty, Some(elem))),
            UnaryOp::BitNot => Ok(self.value(Op::Not, vec![v], ty, Some(elem))),
            UnaryOp::LogNot => {
                let zero = self.zero(ty, elem);
                let c = self.value(Op::Eq, vec![v, zero], Type::Bool, None);
                self.all_bits(c, elem, span)
            }
            _ => refuse(span, "this operation on vectors"),
        }
    }

    fn binary_lane(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        elem: CTy,
        span: Span,
    ) -> Lower<Value> {
        if is_comparison(op) {
            let c = self.value(comparison(op), vec![a, b], Type::Bool, None);
            return self.all_bits(c, elem, span);
        }
        let ty = self.body.ty(a);
        if ty.is_int() && ty.size() < 4 {
            // As C promotes them; what is stored is cut off again.
            let (a, b) = (self.cast(a, Type::I32, None), self.cast(b, Type::I32, None));
            let int = self.m.basic(Basic::Int);
            return self.binary(op, a, b, int, span);
        }
        self.binary(op, a, b, elem, span)
    }

    /// All bits of a lane where a condition holds, else none.
    fn all_bits(&mut self, c: Value, elem: CTy, span: Span) -> Lower<Value> {
        let ty = self.scalar_type(elem, span)?;
        let one = self.cast(c, Type::I32, None);
        let all = self.value(Op::Neg, vec![one], Type::I32, None);
        Ok(self.cast(all, ty, Some(elem)))
    }

    fn vector_operand(&mut self, e: &'a Expr) -> Lower<Lanes> {
        let v = self.rvalue(e)?;
        Ok(match *self.m.types().shape(e.ty) {
            CTypeKind::Vector { elem, .. } => Lanes::Memory { address: v, elem },
            _ => Lanes::Same(v),
        })
    }

    fn lanes_of(&mut self, ty: CTy, span: Span) -> Lower<(CTy, u64)> {
        match *self.m.types().shape(ty) {
            CTypeKind::Vector { elem, lanes } => Ok((elem, lanes)),
            _ => refuse(span, "an operation on vectors whose result is none"),
        }
    }

    /// A lane's value.
    fn lane(&mut self, from: Lanes, k: u64) -> Lower<Value> {
        match from {
            Lanes::Same(v) => Ok(v),
            Lanes::Memory { address, elem } => {
                let at = self.lane_address(address, elem, k)?;
                let ty = self.scalar_type(elem, self.at)?;
                let attr = MemAttr { volatile: false };
                Ok(self.value(Op::Load(attr), vec![at], ty, Some(elem)))
            }
        }
    }

    /// A lane of two vectors, one behind the other, whose number is computed; they have a power of two of them.
    fn chosen_lane(
        &mut self,
        a: Lanes,
        b: Lanes,
        number: Lanes,
        lanes: u64,
        elem: CTy,
    ) -> Lower<Value> {
        let (Lanes::Same(n), true) = (number, lanes.is_power_of_two()) else {
            return refuse(self.at, "a shuffle by lanes that are not numbers");
        };
        let n = self.cast(n, Type::I64, None);
        let most = self.int(i128::from(lanes) - 1, Type::I64);
        let inside = self.value(Op::And, vec![n, most], Type::I64, None);
        let mut ends = Vec::new();
        for from in [a, b] {
            ends.push(match from {
                Lanes::Same(v) => v,
                Lanes::Memory { address, elem } => self.lane_at(address, elem, inside)?,
            });
        }
        let limit = self.int(i128::from(lanes), Type::I64);
        let first = self.value(Op::Lt, vec![n, limit], Type::Bool, None);
        let ty = self.body.ty(ends[0]);
        Ok(self.value(Op::Select, vec![first, ends[0], ends[1]], ty, Some(elem)))
    }

    /// The signs of lanes of integers, as bits.
    fn signs(&mut self, x: &'a Expr) -> Lower<Value> {
        let (_, count) = self.lanes_of(x.ty, x.span)?;
        let x = self.vector_operand(x)?;
        let mut all = self.int(0, Type::I32);
        for k in 0..count {
            let v = self.lane(x, k)?;
            let zero = self.int(0, self.body.ty(v));
            let negative = self.value(Op::Lt, vec![v, zero], Type::Bool, None);
            let bit = self.int(1i128 << k, Type::I32);
            let none = self.int(0, Type::I32);
            let bit = self.value(Op::Select, vec![negative, bit, none], Type::I32, None);
            all = self.value(Op::Or, vec![all, bit], Type::I32, None);
        }
        Ok(all)
    }

    /// The first lane of a part.
    fn first_of_part(&mut self, n: Value, parts: u64, lanes: u64) -> Value {
        let n = self.cast(n, Type::I64, None);
        let most = self.int(i128::from(parts.max(1)) - 1, Type::I64);
        let n = self.value(Op::And, vec![n, most], Type::I64, None);
        let lanes = self.int(i128::from(lanes), Type::I64);
        self.value(Op::Mul, vec![n, lanes], Type::I64, None)
    }

    /// The value of a lane whose number is computed.
    fn lane_at(&mut self, base: Value, elem: CTy, n: Value) -> Lower<Value> {
        let mut path = Path::new(base, elem, false);
        self.push_index_of(&mut path, elem, n, self.at)?;
        let pointer = self.m.pointer(elem);
        let from = self.finish(path, pointer);
        let ty = self.scalar_type(elem, self.at)?;
        let attr = MemAttr { volatile: false };
        Ok(self.value(Op::Load(attr), vec![from], ty, Some(elem)))
    }

    fn lane_address(&mut self, base: Value, elem: CTy, k: u64) -> Lower<Value> {
        let mut path = Path::new(base, elem, false);
        let index = self.int(i128::from(k), Type::I32);
        self.push_index_of(&mut path, elem, index, self.at)?;
        let pointer = self.m.pointer(elem);
        Ok(self.finish(path, pointer))
    }
}
