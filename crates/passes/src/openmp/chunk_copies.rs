//! Copies of a `taskloop`'s variables that outlive its tasks: each chunk has one, in an array. Those of a reduction are combined in the order of chunks when all tasks are done, so
//! the sum does not depend on the threads; of `lastprivate` the last chunk's is the variable's.

use super::reduction::{combined, each_element, identity, place, scalars};
use super::runtime;
use adjoin_ir::{
    Body, Builder, CTy, CTypes, Clause, CopyAttr, DataKind, Inst, Module, Op, ReduceOp, Type, Value,
};

/// A variable with a copy for each chunk.
pub(super) struct Copies {
    kind: DataKind,
    original: Value,
    /// The variable's type, and that of the numbers it consists of, and how many these are.
    ctype: CTy,
    numbers: Option<(CTy, u64)>,
    /// The array.
    memory: Value,
}

/// Has a clause such copies?
pub(super) fn has_copies(kind: DataKind) -> bool {
    matches!(
        kind,
        DataKind::Reduction(_) | DataKind::LastPrivate | DataKind::FirstLastPrivate
    )
}

/// Are there copies of a type?
pub(super) fn fits(types: &CTypes, kind: DataKind, ctype: CTy) -> bool {
    match kind {
        DataKind::Reduction(_) => scalars(types, ctype).is_some(),
        _ => has_copies(kind),
    }
}

fn copy(b: &mut Builder<'_>, to: Value, from: Value, bytes: u64, ctype: CTy) {
    let ctype = Some(ctype);
    b.inst(Op::Copy(CopyAttr { bytes, ctype }), vec![to, from], &[]);
}

impl Copies {
    /// Makes the array in front of `at`.
    pub fn new(
        module: &mut Module,
        body: &mut Body,
        at: Inst,
        clause: &Clause,
        original: Value,
        chunks: Value,
    ) -> Option<Copies> {
        let Clause::Data {
            kind, ctype, name, ..
        } = clause
        else {
            return None;
        };
        let ctype = module.types.unqualified(*ctype);
        let b = &mut Builder::before(body, at);
        let one = b.int(Type::I64, 1);
        let none = b.lt(chunks, one);
        let count = b.select(none, one, chunks);
        let name = format!("{}_of_chunks", name);
        let memory = runtime::allocate(module, body, at, ctype, count, &name);
        Some(Copies {
            kind: *kind,
            original,
            ctype,
            numbers: scalars(&module.types, ctype),
            memory,
        })
    }

    /// The copy of a chunk, with what it starts as.
    pub fn of_chunk(&self, types: &mut CTypes, b: &mut Builder<'_>, chunk: Value) -> Value {
        let bytes = types.size_of(self.ctype).unwrap_or(0);
        let own = b.element(self.memory, self.ctype, bytes, chunk);
        match self.kind {
            DataKind::Reduction(op) => self.each_number(types, b, &[own], |b, ty, at| {
                let neutral = identity(b, op, ty);
                b.store(at[0], neutral);
            }),
            DataKind::FirstLastPrivate => copy(b, own, self.original, bytes, self.ctype),
            _ => {}
        }
        own
    }

    /// The variable gets what the chunks have, in front of `at`; the array is freed.
    pub fn end(&self, module: &mut Module, body: &mut Body, at: Inst, chunks: Value) {
        let bytes = module.types.size_of(self.ctype).unwrap_or(0);
        let b = &mut Builder::before(body, at);
        match self.kind {
            DataKind::Reduction(op) => each_element(b, Some(chunks), |b, chunk| {
                let from = place(b, self.memory, self.ctype, bytes, chunk);
                let both = [self.original, from];
                self.each_number(&mut module.types, b, &both, |b, ty, at| {
                    combine(b, op, ty, at);
                });
            }),
            _ => {
                let one = b.int(Type::I64, 1);
                let any = b.ge(chunks, one);
                let (_, then, otherwise) = b.if_(any, &[]);
                b.inside(then, |b| {
                    let last = b.sub(chunks, one);
                    let from = b.element(self.memory, self.ctype, bytes, last);
                    copy(b, self.original, from, bytes, self.ctype);
                    b.yield_(&[]);
                });
                b.inside(otherwise, |b| b.yield_(&[]));
            }
        }
        runtime::free(module, body, at, self.memory);
    }

    /// For each of the numbers of objects of the variable's type.
    fn each_number(
        &self,
        types: &mut CTypes,
        b: &mut Builder<'_>,
        objects: &[Value],
        fill: impl FnOnce(&mut Builder<'_>, Type, &[Value]),
    ) {
        let (element, count) = self.numbers.expect("a reduction is one of numbers");
        let ty = Type::of_ctype(types, element).expect("numbers have a type");
        if types.element(self.ctype).is_none() {
            return fill(b, ty, objects);
        }
        let pointer = types.pointer(element);
        let flat: Vec<Value> = (objects.iter())
            .map(|&object| {
                let flat = b.value(Op::Cast, vec![object], Type::Ptr);
                b.set_ctype(flat, pointer)
            })
            .collect();
        let count = b.int(Type::I64, count.into());
        each_element(b, Some(count), |b, j| {
            let places: Vec<Value> = (flat.iter())
                .map(|&object| place(b, object, element, ty.size(), j))
                .collect();
            fill(b, ty, &places);
        });
    }
}

/// `*at[0] = *at[0] op *at[1]`
fn combine(b: &mut Builder<'_>, op: ReduceOp, ty: Type, at: &[Value]) {
    let so_far = b.load(ty, at[0]);
    let part = b.load(ty, at[1]);
    let result = combined(b, op, ty, so_far, part);
    b.store(at[0], result);
}
