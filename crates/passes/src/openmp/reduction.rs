//! Reductions: each thread combines into a copy of its own, which then goes into an array with a place for each thread. These are combined in the order of
//! threads: a number by one thread, the elements of an array by all.

use super::data::Data;
use super::runtime;
use super::team::Team;
use adjoin_ir::{Builder, CTy, CTypeKind, CTypes, Inst, Op, Pred, ReduceOp, Type, Value};

/// Private arrays of at most this many bytes are objects on the stack.
const SMALL: u64 = 4096;

/// How the names of the arrays begin that have a place for each thread.
pub const PARTS: &str = "adjoin_parts_of_";

/// A reduction of a construct.
pub(super) struct Reduction {
    op: ReduceOp,
    /// What is combined: the type of the numbers, in the IR and in C.
    ty: Type,
    element: CTy,
    original: Value,
    /// The thread's own copy.
    pub private: Value,
    /// One place (or row) for each thread.
    parts: Value,
    /// How many numbers (`long`), known in front of the team; `None`: one.
    length: Option<Value>,
    /// Memory of the copy, and of the parts, that is to be freed.
    free_private: bool,
    free_parts: bool,
}

/// The numbers that an object consists of: their type and how many.
pub(super) fn scalars(types: &CTypes, t: CTy) -> Option<(CTy, u64)> {
    match *types.memory_shape(t) {
        CTypeKind::Array { elem, len } => {
            let (element, n) = scalars(types, elem)?;
            Some((element, n.checked_mul(len?)?))
        }
        _ => {
            let ty = Type::of_ctype(types, t)?;
            (ty != Type::Ptr).then(|| (types.unqualified(t), 1))
        }
    }
}

impl Team<'_> {
    /// Makes the private copy in front of `first`, and the parts in front of the team.
    pub fn start_reduction(&mut self, data: &Data, op: ReduceOp, first: Inst) -> Reduction {
        let (element, each) = scalars(&self.module.types, data.ctype)
            .expect("what has no numbers has no normal form");
        let ty = Type::of_ctype(&self.module.types, element).expect("numbers have a type");
        let size = ty.size();
        let par = self.par;
        let most = self.most();
        let scalar =
            each == 1 && data.count.is_none() && self.module.types.element(data.ctype).is_none();
        let fixed = data.count.is_none().then_some(each);
        let small = fixed.is_some_and(|n| n * size <= SMALL);
        let count = data.count.map(|v| self.outside(v));
        let length = (!scalar).then(|| {
            let b = &mut self.before(par);
            let each = b.int(Type::I64, each.into());
            match count {
                None => each,
                Some(count) => {
                    let count = b.cast(Type::I64, count);
                    b.mul(count, each)
                }
            }
        });
        let name = format!("{PARTS}{}", data.name);
        let b = &mut self.before(par);
        let total = match length {
            Some(n) => b.mul(most, n),
            None => most,
        };
        let parts = match small {
            true => b.slot_vla(element, Some(&name), total),
            false => self.allocate(par, element, total, &name),
        };
        let private = match small {
            true => self.before(first).slot(data.ctype, Some(&data.name)),
            false => self.allocate(first, element, length.unwrap_or(total), &data.name),
        };
        let reduction = Reduction {
            op,
            ty,
            element,
            original: data.original,
            private,
            parts,
            length,
            free_private: !small,
            free_parts: !small,
        };
        let flat = self.flat(private, first, &reduction);
        let stride = size;
        let b = &mut self.before(first);
        each_element(b, length, |b, j| {
            let address = place(b, flat, element, stride, j);
            let neutral = identity(b, op, ty);
            b.store(address, neutral);
        });
        if length.is_none() {
            // A team may be smaller than it could be: what no thread writes changes nothing.
            let b = &mut self.before(par);
            each_element(b, Some(most), |b, t| {
                let address = place(b, parts, element, stride, t);
                let neutral = identity(b, op, ty);
                b.store(address, neutral);
            });
        }
        reduction
    }

    /// An array of arrays as one of numbers.
    fn flat(&mut self, base: Value, at: Inst, reduction: &Reduction) -> Value {
        if reduction.length.is_none() {
            return base;
        }
        let pointer = self.module.types.pointer(reduction.element);
        let b = &mut self.before(at);
        let flat = b.value(Op::Cast, vec![base], Type::Ptr);
        b.set_ctype(flat, pointer)
    }

    /// Memory for an array; without any the program ends.
    fn allocate(&mut self, at: Inst, element: CTy, count: Value, name: &str) -> Value {
        runtime::allocate(self.module, self.body, at, element, count, name)
    }

    fn free(&mut self, at: Inst, memory: Value) {
        runtime::free(self.module, self.body, at, memory);
    }

    /// Keeps a thread's part, in front of `at`.
    fn keep_part(&mut self, reduction: &Reduction, at: Inst) {
        let (element, ty) = (reduction.element, reduction.ty);
        let thread = self.thread;
        let flat = self.flat(reduction.private, at, reduction);
        let b = &mut self.before(at);
        let row = b.cast(Type::I64, thread);
        let (parts, length) = (reduction.parts, reduction.length);
        let row = match length {
            Some(n) => b.mul(row, n),
            None => row,
        };
        each_element(b, length, |b, j| {
            let from = place(b, flat, element, ty.size(), j);
            let v = b.load(ty, from);
            let at = match j {
                Some(j) => b.add(row, j),
                None => row,
            };
            let to = place(b, parts, element, ty.size(), Some(at));
            b.store(to, v);
        });
        if reduction.free_private {
            self.free(at, reduction.private);
        }
    }

    /// All threads combine the rows of an array, each its share of the elements, in front of `at`.
    fn combine_rows(&mut self, reduction: &Reduction, length: Value, at: Inst) {
        let part = runtime::part(self.module);
        let (thread, threads) = (self.thread, self.threads);
        let flat = self.flat(reduction.original, at, reduction);
        let b = &mut self.before(at);
        let threads = b.cast(Type::I64, threads);
        let thread = b.cast(Type::I64, thread);
        let one = b.int(Type::I64, 1);
        let next = b.add(thread, one);
        let grain = b.int(Type::I64, runtime::GRAIN);
        let first = runtime::call(b, part, vec![length, threads, thread, grain], Type::I64);
        let end = runtime::call(b, part, vec![length, threads, next, grain], Type::I64);
        let (_, region) = b.for_(Pred::Lt, first, end, one, &[]);
        let j = b.body.regions[region].args[0];
        b.set_name(j, "j");
        b.inside(region, |b| {
            let to = place(b, flat, reduction.element, reduction.ty.size(), Some(j));
            each_element(b, Some(threads), |b, t| {
                let row = t.map(|t| b.mul(t, length));
                let index = row.map(|row| b.add(row, j));
                combine_into(b, reduction, to, index);
            });
            b.yield_(&[]);
        });
    }

    /// The end of the team's own reduction: `end` ends its region.
    pub fn end_of_team_reduction(&mut self, reduction: &Reduction, end: Inst) {
        self.keep_part(reduction, end);
        let after = self.following(self.par);
        match reduction.length {
            Some(length) => {
                self.barrier(end);
                self.combine_rows(reduction, length, end);
            }
            None => {
                let most = self.most();
                let b = &mut self.before(after);
                each_element(b, Some(most), |b, t| {
                    combine_into(b, reduction, reduction.original, t);
                });
            }
        }
        if reduction.free_parts {
            self.free(after, reduction.parts);
        }
    }

    /// The end of reductions inside a region, in front of `at`; they are complete behind a barrier.
    pub fn combine_in_team(&mut self, reductions: &[Reduction], at: Inst) {
        for reduction in reductions {
            self.keep_part(reduction, at);
        }
        self.barrier(at);
        let (numbers, arrays): (Vec<_>, Vec<_>) =
            reductions.iter().partition(|r| r.length.is_none());
        for reduction in arrays {
            if let Some(length) = reduction.length {
                self.combine_rows(reduction, length, at);
            }
        }
        if !numbers.is_empty() {
            let (thread, threads) = (self.thread, self.threads);
            let b = &mut self.before(at);
            let zero = b.int(Type::I32, 0);
            let first = b.eq(thread, zero);
            let (_, then, otherwise) = b.if_(first, &[]);
            b.inside(then, |b| {
                let threads = b.cast(Type::I64, threads);
                each_element(b, Some(threads), |b, t| {
                    for reduction in &numbers {
                        combine_into(b, reduction, reduction.original, t);
                    }
                });
                b.yield_(&[]);
            });
            b.inside(otherwise, |b| b.yield_(&[]));
        }
        self.barrier(at);
        let after = self.following(self.par);
        for reduction in reductions.iter().filter(|r| r.free_parts) {
            self.free(after, reduction.parts);
        }
    }
}

/// A loop over `length` elements; for a single number no loop.
pub(super) fn each_element(
    b: &mut Builder<'_>,
    length: Option<Value>,
    fill: impl FnOnce(&mut Builder<'_>, Option<Value>),
) {
    let Some(length) = length else {
        return fill(b, None);
    };
    let zero = b.int(Type::I64, 0);
    let one = b.int(Type::I64, 1);
    let (_, region) = b.for_(Pred::Lt, zero, length, one, &[]);
    let index = b.body.regions[region].args[0];
    b.set_name(index, "t");
    b.inside(region, |b| {
        fill(b, Some(index));
        b.yield_(&[]);
    });
}

pub(super) fn place(
    b: &mut Builder<'_>,
    base: Value,
    element: CTy,
    stride: u64,
    index: Option<Value>,
) -> Value {
    match index {
        Some(index) => b.element(base, element, stride, index),
        None => base,
    }
}

/// `to = to op parts[index]`
fn combine_into(b: &mut Builder<'_>, reduction: &Reduction, to: Value, index: Option<Value>) {
    let ty = reduction.ty;
    let from = place(b, reduction.parts, reduction.element, ty.size(), index);
    let so_far = b.load(ty, to);
    let part = b.load(ty, from);
    let result = combined(b, reduction.op, ty, so_far, part);
    b.store(to, result);
}

pub(super) fn combined(
    b: &mut Builder<'_>,
    op: ReduceOp,
    ty: Type,
    so_far: Value,
    part: Value,
) -> Value {
    let truth = |b: &mut Builder<'_>, v: Value| b.cast(Type::Bool, v);
    match op {
        _ if ty == Type::Bool => match op {
            ReduceOp::Mul | ReduceOp::Min | ReduceOp::BitAnd | ReduceOp::LogAnd => {
                b.and(so_far, part)
            }
            ReduceOp::BitXor => b.xor(so_far, part),
            _ => b.or(so_far, part),
        },
        // Each part is what the thread has subtracted in all, with its sign.
        ReduceOp::Add | ReduceOp::Sub => b.add(so_far, part),
        ReduceOp::Mul => b.mul(so_far, part),
        ReduceOp::Min => {
            let less = b.lt(part, so_far);
            b.select(less, part, so_far)
        }
        ReduceOp::Max => {
            let more = b.gt(part, so_far);
            b.select(more, part, so_far)
        }
        ReduceOp::BitAnd => b.and(so_far, part),
        ReduceOp::BitOr => b.or(so_far, part),
        ReduceOp::BitXor => b.xor(so_far, part),
        ReduceOp::LogAnd | ReduceOp::LogOr => {
            let (x, y) = (truth(b, so_far), truth(b, part));
            let z = match op {
                ReduceOp::LogAnd => b.and(x, y),
                _ => b.or(x, y),
            };
            b.cast(ty, z)
        }
    }
}

/// What changes nothing when it is combined.
pub(super) fn identity(b: &mut Builder<'_>, op: ReduceOp, ty: Type) -> Value {
    if ty.is_complex() {
        let part = ty.part().unwrap_or(ty);
        let re = b.float(part, (op == ReduceOp::Mul) as i32 as f64);
        let im = b.float(part, 0.0);
        return b.complex(re, im);
    }
    if ty.is_float() {
        return b.float(
            ty,
            match op {
                ReduceOp::Mul | ReduceOp::LogAnd => 1.0,
                ReduceOp::Min => f64::INFINITY,
                ReduceOp::Max => f64::NEG_INFINITY,
                _ => 0.0,
            },
        );
    }
    let bits = ty.bits();
    let (low, high): (i128, i128) = match ty {
        Type::Bool => (0, 1),
        _ if ty.is_signed() => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    };
    let n = match op {
        ReduceOp::Mul | ReduceOp::LogAnd => 1,
        ReduceOp::Min => high,
        ReduceOp::Max => low,
        ReduceOp::BitAnd if ty.is_signed() => -1,
        ReduceOp::BitAnd => high,
        _ => 0,
    };
    b.int(ty, n)
}
