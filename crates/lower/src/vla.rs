//! Variable-length types: their lengths are evaluated once, where the declaration says, and their sizes are products of lengths.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Span, VarId};
use adjoin_ir::{CTy, CTypeKind, Op, SlotAttr, Type, Value};

impl<'a> FunctionLowerer<'_, 'a> {
    /// Evaluates length expressions, in order.
    pub fn evaluate_vlas(&mut self, ids: &[u32]) -> Lower<()> {
        for id in ids {
            let Some((_, length)) = self.definition.vlas.iter().find(|(i, _)| i == id) else {
                continue;
            };
            let v = self.rvalue(length)?;
            let v = self.cast(v, Type::U64, None);
            self.vla_lengths.insert(*id, v);
        }
        Ok(())
    }

    /// Does the size of a type depend on a length that is evaluated at run time?
    pub fn is_variable_length(&self, ty: CTy) -> bool {
        match *self.m.types().shape(ty) {
            CTypeKind::Vla { .. } => true,
            CTypeKind::Array { elem, .. } => self.is_variable_length(elem),
            _ => false,
        }
    }

    /// The size of a type in bytes: u64.
    pub fn size_in_bytes(&mut self, ty: CTy, span: Span) -> Lower<Value> {
        let (count, elem) = self.count_elements(ty, span)?;
        let Some(size) = self.m.types().size_of(elem) else {
            return refuse(span, "the size of an incomplete type");
        };
        let size = self.int(size as i128, Type::U64);
        Ok(match count {
            Some(count) => self.value(Op::Mul, vec![count, size], Type::U64, None),
            None => size,
        })
    }

    /// How many elements of fixed size a variable-length type has (`None`: one), and their type.
    pub fn count_elements(&mut self, ty: CTy, span: Span) -> Lower<(Option<Value>, CTy)> {
        let mut count = None;
        let mut ty = ty;
        while self.is_variable_length(ty) {
            let (length, elem) = match *self.m.types().shape(ty) {
                CTypeKind::Vla { elem, id } => match self.vla_lengths.get(&id) {
                    Some(&length) => (length, elem),
                    None => {
                        return refuse(
                            span,
                            "a variable-length type whose length is not evaluated",
                        );
                    }
                },
                CTypeKind::Array { elem, len: Some(n) } => (self.int(n as i128, Type::U64), elem),
                _ => return refuse(span, "an incomplete array of variable-length arrays"),
            };
            count = Some(match count {
                Some(c) => self.value(Op::Mul, vec![c, length], Type::U64, None),
                None => length,
            });
            ty = elem;
        }
        Ok((count, ty))
    }

    /// The stack object of a variable-length array.
    pub fn variable_length_slot(&mut self, var: VarId) -> Lower<Value> {
        let v = &self.unit.vars[var];
        let (count, elem) = self.count_elements(v.ty, v.span)?;
        let count = match count {
            Some(c) => c,
            None => self.int(1, Type::U64),
        };
        let attr = SlotAttr {
            ctype: elem,
            name: Some(v.name.clone()),
            align: v.align,
        };
        let ctype = self.m.pointer(elem);
        Ok(self.value(Op::SlotVla(attr), vec![count], Type::Ptr, Some(ctype)))
    }
}
