//! Lvalues: from `x[i].pos[2]` to one `addr` instruction, and loads and stores through it.
//!
//! A [`Path`] collects the steps from a base. The base is either a pointer value, in which case the first `[i]` steps over whole
//! pointees, or the address of an object. The address of an array object is at once the address of its first element, so that the path of `a[i]` starts
//! at the object with the *element* type as pointee, and needs no step for the array itself.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, Span, StrId, UnaryOp};
use adjoin_ir::ctype::Record;
use adjoin_ir::{AddrAttr, BitsAttr, CTy, CTypeKind, MemAttr, Op, Step, Type, Value};

/// An address in the making.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub base: Value,
    pub pointee: CTy,
    pub steps: Vec<Step>,
    pub operands: Vec<Value>,
    /// The base is the address of an object of type `pointee`, rather than a pointer value.
    pub object: bool,
}

impl Path {
    /// The path of an object, or of what a pointer points to.
    pub fn new(base: Value, pointee: CTy, object: bool) -> Path {
        Path {
            base,
            pointee,
            steps: Vec::new(),
            operands: Vec::new(),
            object,
        }
    }
}

/// What an lvalue denotes.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Bytes in memory.
    Memory { addr: Value, ty: CTy },
    /// A bit-field.
    Bits {
        addr: Value,
        attr: BitsAttr,
        ty: CTy,
    },
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// What an lvalue (or a record value) denotes.
    pub fn place(&mut self, e: &'a Expr) -> Lower<Place> {
        if let Some(place) = self.prepared_places.get(&(e as *const Expr)) {
            return Ok(place.clone());
        }
        if let ExprKind::Member {
            base,
            record,
            field,
        } = &e.kind
            && let Some((first, width)) = self.m.field(*record, *field).and_then(|f| f.bits)
        {
            let outer = std::mem::replace(&mut self.at, e.span);
            let mut path = self.path(base)?;
            self.step_into(&mut path, *record, *field, e.span)?;
            let pointer = self.m.pointer(e.ty);
            let addr = self.finish(path, pointer);
            self.at = outer;
            let volatile = self.m.types().quals(e.ty).is_volatile;
            let attr = BitsAttr {
                first,
                width,
                volatile,
                record: *record,
                field: *field,
            };
            return Ok(Place::Bits {
                addr,
                attr,
                ty: e.ty,
            });
        }
        let path = self.path(e)?;
        let pointer = self.m.pointer(e.ty);
        let addr = self.finish(path, pointer);
        Ok(Place::Memory { addr, ty: e.ty })
    }

    /// The path of an lvalue or record value.
    pub fn path(&mut self, e: &'a Expr) -> Lower<Path> {
        let outer = std::mem::replace(&mut self.at, e.span);
        let result = self.path_here(e);
        self.at = outer;
        result
    }

    fn path_here(&mut self, e: &'a Expr) -> Lower<Path> {
        match &e.kind {
            ExprKind::Var(v) => {
                let base = self.variable(*v, e.span)?;
                Ok(Path::new(base, self.unit.vars[*v].ty, true))
            }
            ExprKind::Str(s) => {
                let base = self.string(*s);
                Ok(Path::new(base, self.unit.strings[*s].ty, true))
            }
            ExprKind::CompoundLit(v) => {
                let base = self.compound_literal(*v, e.span)?;
                Ok(Path::new(base, self.unit.vars[*v].ty, true))
            }
            ExprKind::Deref(p) => self.pointed(p),
            ExprKind::Index { base, index } => self.indexed(base, index, false),
            ExprKind::Member {
                base,
                record,
                field,
            } => {
                let mut path = self.path(base)?;
                self.step_into(&mut path, *record, *field, e.span)?;
                Ok(path)
            }
            ExprKind::Unary(op @ (UnaryOp::Real | UnaryOp::Imag), x) if is_lvalue(x) => {
                let mut path = self.path(x)?;
                if *op == UnaryOp::Imag {
                    let part = self.m.types().size_of(x.ty).unwrap_or(0) / 2;
                    path.steps.push(Step::Bytes(part as i64));
                }
                Ok(path)
            }
            ExprKind::Load(lvalue) => self.path(lvalue),
            _ => {
                let base = self.rvalue(e)?;
                Ok(Path::new(base, e.ty, true))
            }
        }
    }

    /// The path of `*p`.
    fn pointed(&mut self, p: &'a Expr) -> Lower<Path> {
        match &p.kind {
            ExprKind::AddrOf(lvalue) => self.path(lvalue),
            ExprKind::Decay(array) => {
                let mut path = self.array_path(array)?;
                if !path.steps.is_empty() {
                    let zero = self.int(0, Type::I32);
                    self.push_index(&mut path, array.ty, zero, p.span)?;
                }
                Ok(path)
            }
            ExprKind::PtrAdd { ptr, index, negate } => self.indexed(ptr, index, *negate),
            _ => {
                let pointee = self.m.types().pointee(p.ty);
                let base = self.rvalue(p)?;
                match pointee {
                    Some(t) => Ok(Path::new(base, t, false)),
                    None => refuse(p.span, "access through what is not a pointer"),
                }
            }
        }
    }

    /// The path of an array, ready for a step into it.
    fn array_path(&mut self, array: &'a Expr) -> Lower<Path> {
        let mut path = self.path(array)?;
        if path.steps.is_empty() {
            if path.object {
                if let Some(elem) = self.m.types().element(array.ty) {
                    path.pointee = elem;
                    path.object = false;
                }
            } else {
                // A pointer to an array: over whole arrays first, then into one.
                let zero = self.int(0, Type::I32);
                self.push_index_of(&mut path, array.ty, zero, array.span)?;
            }
        }
        Ok(path)
    }

    /// The path of `p[i]`, or `p[-i]`.
    pub fn indexed(&mut self, ptr: &'a Expr, index: &'a Expr, negate: bool) -> Lower<Path> {
        let Some(elem) = self.m.types().pointee(ptr.ty) else {
            return refuse(ptr.span, "an index into what is not a pointer");
        };
        let mut path = match &ptr.kind {
            ExprKind::Decay(array) if self.m.types().element(array.ty).is_some() => {
                self.array_path(array)?
            }
            _ => {
                let base = self.rvalue(ptr)?;
                Path::new(base, elem, false)
            }
        };
        let i = self.index_value(index, negate)?;
        self.push_index_of(&mut path, elem, i, ptr.span)?;
        Ok(path)
    }

    /// An index, negated if asked. Negation happens in 64 bits, where it cannot overflow for narrower indices.
    pub fn index_value(&mut self, index: &'a Expr, negate: bool) -> Lower<Value> {
        if negate {
            if let ExprKind::Int(n) = index.kind {
                return Ok(self.int(-n, Type::I64));
            }
            let i = self.rvalue(index)?;
            let wide = self.cast(i, Type::I64, None);
            return Ok(self.value(Op::Neg, vec![wide], Type::I64, None));
        }
        let i = self.rvalue(index)?;
        Ok(if self.body.ty(i) == Type::Bool {
            self.cast(i, Type::I32, None)
        } else {
            i
        })
    }

    /// A step into an element of an array type.
    fn push_index(&mut self, path: &mut Path, array: CTy, i: Value, span: Span) -> Lower<()> {
        match self.m.types().element(array) {
            Some(elem) => self.push_index_of(path, elem, i, span),
            None => refuse(span, "an index into what is not an array"),
        }
    }

    /// A step over elements of a type.
    pub fn push_index_of(&mut self, path: &mut Path, elem: CTy, i: Value, span: Span) -> Lower<()> {
        path.operands.push(i);
        if self.is_variable_length(elem) {
            let stride = self.size_in_bytes(elem, span)?;
            path.operands.push(stride);
            path.steps.push(Step::IndexDyn);
        } else {
            let stride = self.element_size(elem, span)?;
            path.steps.push(Step::Index { stride });
        }
        Ok(())
    }

    /// The size that pointer arithmetic counts in: 1 for `void` and functions.
    pub fn element_size(&mut self, elem: CTy, span: Span) -> Lower<u64> {
        let types = self.m.types();
        match types.shape(elem) {
            CTypeKind::Function { .. } => Ok(1),
            _ => match types.size_of(elem) {
                Some(size) => Ok(size),
                None => refuse(span, "arithmetic on a pointer to an incomplete type"),
            },
        }
    }

    /// A step into a member.
    pub fn step_into(
        &mut self,
        path: &mut Path,
        record: Record,
        field: u32,
        span: Span,
    ) -> Lower<()> {
        match self.m.field(record, field) {
            Some(f) => {
                let offset = f.offset;
                path.steps.push(Step::Field {
                    record,
                    field,
                    offset,
                });
                Ok(())
            }
            None => refuse(span, "a member of an incomplete struct or union"),
        }
    }

    /// The address that a path leads to; `ctype` is the pointer's type.
    pub fn finish(&mut self, path: Path, ctype: CTy) -> Value {
        if path.steps.is_empty() {
            return path.base;
        }
        let mut args = vec![path.base];
        args.extend(path.operands);
        let attr = AddrAttr {
            pointee: path.pointee,
            steps: path.steps,
        };
        self.value(Op::Addr(attr), args, Type::Ptr, Some(ctype))
    }

    /// The address of a string literal.
    pub fn string(&mut self, s: StrId) -> Value {
        let global = self.m.string(s, Some(self.decl));
        let ctype = self.m.pointer(self.unit.strings[s].ty);
        self.value(Op::GlobalAddr(global), vec![], Type::Ptr, Some(ctype))
    }

    /// The value of an lvalue; for a record its address.
    pub fn load(&mut self, place: &Place, span: Span) -> Lower<Value> {
        match place {
            Place::Memory { addr, ty } => match self.value_type(*ty, span)? {
                Some(t) => self.one_access(*ty, true, |this| {
                    let volatile = this.m.types().quals(*ty).is_volatile;
                    Ok(this.value(Op::Load(MemAttr { volatile }), vec![*addr], t, Some(*ty)))
                }),
                None => Ok(*addr),
            },
            Place::Bits { addr, attr, ty } => {
                let t = self.scalar_type(*ty, span)?;
                Ok(self.value(Op::LoadBits(attr.clone()), vec![*addr], t, Some(*ty)))
            }
        }
    }

    /// Stores a scalar.
    pub fn store(&mut self, place: &Place, v: Value, span: Span) -> Lower<()> {
        match place {
            Place::Memory { addr, ty } => {
                self.scalar_type(*ty, span)?;
                self.store_to(*addr, *ty, v)
            }
            Place::Bits { addr, attr, ty } => {
                let t = self.scalar_type(*ty, span)?;
                let v = self.cast(v, t, None);
                self.emit(Op::StoreBits(attr.clone()), vec![*addr, v]);
                Ok(())
            }
        }
    }

    /// Stores a scalar of a C type at an address.
    pub fn store_to(&mut self, addr: Value, ty: CTy, v: Value) -> Lower<()> {
        let t = self.scalar_type(ty, self.at)?;
        let v = self.cast(v, t, None);
        let volatile = self.m.types().quals(ty).is_volatile;
        let access = |this: &mut Self| {
            this.emit(Op::Store(MemAttr { volatile }), vec![addr, v]);
            Ok(v)
        };
        self.one_access(ty, false, access).map(|_| ())
    }
}

/// Does an expression denote an object?
fn is_lvalue(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_)
        | ExprKind::Str(_)
        | ExprKind::Deref(_)
        | ExprKind::Index { .. }
        | ExprKind::CompoundLit(_) => true,
        ExprKind::Member { base, .. } => is_lvalue(base),
        _ => false,
    }
}
