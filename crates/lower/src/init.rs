//! Initialisation of automatic variables and compound literals: stores, after the object is set to zero where the initialiser leaves gaps.

use crate::address::Path;
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, Init, InitItem, InitStep, Span, Storage, StrId, VarId};
use adjoin_ir::{BitsAttr, CTy, CTypeKind, CTypes, CopyAttr, Op, Type, Value};

impl<'a> FunctionLowerer<'_, 'a> {
    /// A declaration: the object comes to life, and is initialised.
    pub fn declaration(&mut self, var: VarId) -> Lower<()> {
        let v = &self.unit.vars[var];
        self.at = v.span;
        // Where control can jump over the declaration, the slot is made beforehand.
        let slot = match self.slots.get(&var) {
            Some(&slot) if self.predeclared.contains(&var) => slot,
            _ => self.declare(var)?,
        };
        if let Some(init) = &v.init {
            self.initialise(slot, v.ty, init)?;
        }
        self.note_cleanup(var)
    }

    /// The object of a compound literal, initialised here.
    pub fn compound_literal(&mut self, var: VarId, span: Span) -> Lower<Value> {
        let v = &self.unit.vars[var];
        if v.storage != Storage::Auto {
            return self.variable(var, span);
        }
        self.check_variable(var)?;
        if self.is_variable_length(v.ty) {
            return refuse(span, "a compound literal of variable length");
        }
        // Its object lives in the block around it, also if jumps take that block apart.
        let slot = match self.slots.get(&var) {
            Some(&slot) if self.predeclared.contains(&var) => slot,
            _ => self.new_slot(v.ty, None, v.align),
        };
        if let Some(init) = &v.init {
            self.initialise(slot, v.ty, init)?;
        }
        Ok(slot)
    }

    /// Initialises an object.
    pub fn initialise(&mut self, to: Value, ty: CTy, init: &'a Init) -> Lower<()> {
        match init {
            Init::Expr(e) => self.initialise_part(Path::new(to, ty, true), ty, e),
            Init::List(items) => {
                if !covers(self.m.types(), ty, items) {
                    self.zero_object(to, ty)?;
                }
                for item in items {
                    self.initialise_item(to, ty, item)?;
                }
                Ok(())
            }
        }
    }

    fn zero_object(&mut self, to: Value, ty: CTy) -> Lower<()> {
        let bytes = match self.m.types().size_of(ty) {
            Some(bytes) => bytes,
            None => return refuse(self.at, "the initialisation of an object of unknown size"),
        };
        let ctype = Some(self.m.types().unqualified(ty));
        self.emit(Op::Zero(CopyAttr { bytes, ctype }), vec![to]);
        Ok(())
    }

    fn initialise_item(&mut self, to: Value, ty: CTy, item: &'a InitItem) -> Lower<()> {
        self.at = item.value.span;
        let mut path = Path::new(to, ty, true);
        let mut current = ty;
        let mut bits = None;
        for step in &item.path {
            match *step {
                InitStep::Index(k) => {
                    let Some(elem) = self.m.types().element(current) else {
                        return refuse(item.value.span, "an initialiser's index into no array");
                    };
                    if path.steps.is_empty() {
                        path.pointee = elem;
                    }
                    let ty = if k > i32::MAX as u64 {
                        Type::I64
                    } else {
                        Type::I32
                    };
                    let index = self.int(k as i128, ty);
                    self.push_index_of(&mut path, elem, index, item.value.span)?;
                    current = elem;
                }
                InitStep::Field(record, field) => {
                    self.step_into(&mut path, record, field, item.value.span)?;
                    if let Some(f) = self.m.field(record, field) {
                        current = f.ty;
                        bits = f.bits.map(|(first, width)| BitsAttr {
                            first,
                            width,
                            volatile: false,
                            record,
                            field,
                        });
                    }
                }
            }
        }
        match bits {
            Some(attr) => {
                let v = self.rvalue(&item.value)?;
                let t = self.scalar_type(item.ty, item.value.span)?;
                let v = self.cast(v, t, None);
                let pointer = self.m.pointer(item.ty);
                let addr = self.finish(path, pointer);
                self.emit(Op::StoreBits(attr), vec![addr, v]);
                Ok(())
            }
            None => self.initialise_part(path, item.ty, &item.value),
        }
    }

    /// Stores the value of one part: a scalar, a string or a whole record.
    fn initialise_part(&mut self, path: Path, ty: CTy, e: &'a Expr) -> Lower<()> {
        let pointer = self.m.pointer(ty);
        if let Some(s) = string_of(e)
            && self.m.types().element(ty).is_some()
        {
            let to = self.finish(path, pointer);
            return self.initialise_string(to, ty, s);
        }
        if self.value_type(ty, e.span)?.is_some() {
            let v = self.rvalue(e)?;
            let to = self.finish(path, pointer);
            self.store_to(to, ty, v)
        } else {
            let to = self.finish(path, pointer);
            self.record_into(e, to, true)
        }
    }

    fn initialise_string(&mut self, to: Value, ty: CTy, s: StrId) -> Lower<()> {
        let len = self.unit.strings[s].bytes.len() as u64;
        let Some(size) = self.m.types().size_of(ty) else {
            return refuse(self.at, "a string in an array of unknown size");
        };
        if len < size {
            self.zero_object(to, ty)?;
        }
        let from = self.string(s);
        let ctype = (len >= size).then(|| self.m.types().unqualified(ty));
        self.emit(
            Op::Copy(CopyAttr {
                bytes: len.min(size),
                ctype,
            }),
            vec![to, from],
        );
        Ok(())
    }
}

/// The string literal that an expression is.
pub(crate) fn string_of(e: &Expr) -> Option<StrId> {
    match &e.kind {
        ExprKind::Str(s) => Some(*s),
        ExprKind::Load(inner) => string_of(inner),
        _ => None,
    }
}

/// Do the items reach every scalar of the type? (Unions and bit-fields count as not reached: they have bits that no item sets.)
fn covers(types: &CTypes, ty: CTy, items: &[InitItem]) -> bool {
    let Some(all) = scalars(types, ty) else {
        return false;
    };
    let mut reached = 0u64;
    for item in items {
        match scalars(types, item.ty) {
            Some(n) => reached = reached.saturating_add(n),
            None => return false,
        }
    }
    reached >= all
}

/// The number of scalars in a type, if each of its bits that matters belongs to exactly one.
fn scalars(types: &CTypes, ty: CTy) -> Option<u64> {
    match *types.shape(ty) {
        CTypeKind::Array { elem, len } => scalars(types, elem)?.checked_mul(len?),
        CTypeKind::Record(r) => {
            let data = &types.records[r];
            if data.is_union {
                return None;
            }
            let mut n = 0;
            for f in data.fields.as_ref()? {
                if f.bits.is_some() {
                    return None;
                }
                n += scalars(types, f.ty)?;
            }
            Some(n)
        }
        CTypeKind::Vector { elem, lanes } => scalars(types, elem)?.checked_mul(lanes),
        CTypeKind::Vla { .. } | CTypeKind::VaList => None,
        _ => Some(1),
    }
}
