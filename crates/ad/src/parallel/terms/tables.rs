//! Integers that are read from tables of constants (the distances to neighbours, of a stencil or a lattice): each is between the smallest and the largest of its table.

use super::Terms;
use crate::parallel::poly::Poly;
use crate::points_to::Object;
use adjoin_ir::{Inst, Op, Type, Value};

/// Tables with more bytes than this are not looked at.
const MOST_BYTES: u64 = 1 << 12;

impl Terms<'_> {
    /// A load, with what its table says of it.
    pub(super) fn looked_up(&mut self, inst: Inst, v: Value) -> Poly {
        let made = self.load(inst, v);
        if let Some(a) = made.as_atom()
            && self.team.is_inside(v)
            && self.data(a).lower.is_none()
            && let Some((low, high)) = self.range_of_table(inst, v)
        {
            let data = &mut self.atoms[a.0 as usize];
            data.lower = Some(Poly::constant(low));
            data.upper = vec![Poly::constant(high)];
            data.depth = usize::MAX;
        }
        made
    }

    /// The smallest and the largest number that a load can find in a table that nothing writes.
    fn range_of_table(&self, inst: Inst, v: Value) -> Option<(i128, i128)> {
        let body = self.team.body;
        let ty = body.ty(v);
        let root = crate::activity::root(body, body.insts[inst].args[0]);
        let Op::GlobalAddr(global) = body.insts[body.def_inst(root)?].op else {
            return None;
        };
        let module = self.team.module;
        let data = &module.globals[global];
        let constant = self.team.points.is_constant(Object::Global(global));
        let size = module.types.size_of(data.ctype)?;
        let init = data.init.as_ref().filter(|i| i.relocs.is_empty())?;
        let mut element = data.ctype;
        while let Some(inner) = module.types.element(element) {
            element = inner;
        }
        let whole = module.types.size_of(element) == Some(ty.size());
        if !constant || !ty.is_int() || ty == Type::Bool || !whole || size > MOST_BYTES {
            return None;
        }
        let width = ty.size() as usize;
        let mut bytes = init.bytes.clone();
        bytes.resize(size as usize, 0);
        let numbers = bytes.chunks_exact(width).map(|chunk| {
            let raw = (chunk.iter().rev()).fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
            let unused = 128 - 8 * width as u32;
            match ty.is_signed() {
                true => (raw << unused) as i128 >> unused,
                false => raw as i128,
            }
        });
        let (low, high) = (numbers.clone().min()?, numbers.max()?);
        (low.abs() < 1 << 40 && high.abs() < 1 << 40).then_some((low, high))
    }
}
