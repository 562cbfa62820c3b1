//! Addresses as C paths: `x[i].pos[2]`, `p->next->v`, and casts where the path and the pointer's type disagree.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::build::Build;
use crate::consts::literal;
use adjoin_ir::{
    AddrAttr, Basic, Body, CTy, CTypeKind, Inst, Op, Pred, Quals, Step, Type, Value, ValueDef,
};

/// What has been built of a path.
enum Cursor {
    /// A pointer to the object.
    Pointer(Expr),
    /// The object itself.
    Place(Expr),
    /// An anonymous member at an offset of an object: its own members are named as if they were the object's.
    Inside(Expr, u64, CTy),
}

impl Build<'_> {
    /// The object of IR type `t` at an address. `wanted` is its C type if the path does not say.
    pub fn place(&mut self, address: Value, t: Type, wanted: Option<CTy>, volatile: bool) -> Expr {
        let cursor = self.plain(address);
        let named = match &cursor {
            Cursor::Place(e) => Some(e.ty),
            Cursor::Pointer(p) => self.types.pointee(self.decayed(p.ty)),
            Cursor::Inside(..) => None,
        };
        let fits = named.is_some_and(|n| {
            self.types.value_type(n) == Some(t) && (!volatile || self.types.quals(n).is_volatile)
        });
        if fits {
            return match cursor {
                Cursor::Place(e) => e,
                cursor => {
                    let p = self.cursor_pointer(cursor);
                    self.deref(p)
                }
            };
        }
        let mut ty = wanted
            .map(|w| self.types.unqualified(w))
            .filter(|&w| self.types.value_type(w) == Some(t))
            .unwrap_or_else(|| self.types.default_of(t));
        if volatile {
            ty = self.types.qualified(
                ty,
                Quals {
                    is_volatile: true,
                    ..Quals::default()
                },
            );
        }
        let pointer = self.cursor_pointer(cursor);
        let pointer_ty = self.types.pointer(ty);
        let cast = Expr::new(ExprKind::Cast(Box::new(pointer)), pointer_ty);
        self.deref(cast)
    }

    /// The object to assign to: as [`Build::place`], without `const`.
    pub fn target(&mut self, address: Value, t: Type, wanted: Option<CTy>, volatile: bool) -> Expr {
        let e = self.place(address, t, wanted, volatile);
        if self.types.quals(e.ty).is_const {
            let ty = self.types.pointer(self.types.unqualified(e.ty));
            let pointer = self.address_of(e);
            return self.deref(Expr::new(ExprKind::Cast(Box::new(pointer)), ty));
        }
        e
    }

    /// The object of an aggregate type at an address.
    pub fn aggregate(&mut self, address: Value, ty: CTy) -> Expr {
        let cursor = self.plain(address);
        match cursor {
            Cursor::Place(e) if self.types.compatible(e.ty, ty) => e,
            Cursor::Pointer(p)
                if self
                    .types
                    .pointee(p.ty)
                    .is_some_and(|t| self.types.compatible(t, ty)) =>
            {
                self.deref(p)
            }
            cursor => {
                let pointer = self.cursor_pointer(cursor);
                let pointer_ty = self.types.pointer(self.types.unqualified(ty));
                self.deref(Expr::new(ExprKind::Cast(Box::new(pointer)), pointer_ty))
            }
        }
    }

    /// The named bit-field whose storage unit is at an address.
    pub fn bit_field(
        &mut self,
        address: Value,
        record: adjoin_ir::ctype::Record,
        field: u32,
    ) -> Option<Expr> {
        let info = self.types.field(record, field)?;
        let name = info.name.clone()?;
        let through = self.body.def_inst(address).filter(|&d| {
            matches!(&self.body.insts[d].op, Op::Addr(a) if matches!(a.steps.last(),
                    Some(Step::Field { record: r, field: f, .. }) if *r == record && *f == field))
        });
        if let Some(inst) = through {
            if let Cursor::Place(e) = self.walk(inst) {
                return Some(e);
            }
        }
        // Back from the storage unit to the record.
        let record_ty = self.types.record_type(record);
        let char_pointer = self.types.char_pointer;
        let pointer = self.value(address);
        let bytes = Expr::new(ExprKind::Cast(Box::new(pointer)), char_pointer);
        let moved = self.offset(bytes, -(info.offset as i64));
        let record_pointer = self.types.pointer(record_ty);
        let cast = Expr::new(ExprKind::Cast(Box::new(moved)), record_pointer);
        Some(Expr::new(ExprKind::Arrow(Box::new(cast), name), info.ty))
    }

    /// An address as a pointer expression; an array stays itself, since it decays.
    pub fn address(&mut self, v: Value) -> Expr {
        let cursor = self.cursor(v);
        self.cursor_pointer(cursor)
    }

    /// The address that an `addr` computes, where it gets a variable.
    pub fn address_of_path(&mut self, inst: Inst) -> Expr {
        let cursor = self.walk(inst);
        self.cursor_pointer(cursor)
    }

    fn cursor(&mut self, v: Value) -> Cursor {
        if let Some(e) = self.object_place(v) {
            return Cursor::Place(e);
        }
        if self.is_inline(v) {
            if let Some(inst) = self.body.def_inst(v) {
                if matches!(self.body.insts[inst].op, Op::Addr(_)) {
                    return self.walk(inst);
                }
            }
        }
        Cursor::Pointer(self.value(v))
    }

    fn cursor_pointer(&mut self, c: Cursor) -> Expr {
        match c {
            Cursor::Pointer(p) => p,
            Cursor::Place(e) => self.address_of(e),
            Cursor::Inside(e, offset, ty) => {
                let base = self.byte_pointer(Cursor::Place(e));
                let moved = self.offset(base, offset as i64);
                let target = self.types.pointer(ty);
                Expr::new(ExprKind::Cast(Box::new(moved)), target)
            }
        }
    }

    /// The cursor of an address, an anonymous member made a pointer.
    fn plain(&mut self, v: Value) -> Cursor {
        let cursor = self.cursor(v);
        self.settled(cursor)
    }

    fn settled(&mut self, cursor: Cursor) -> Cursor {
        match cursor {
            Cursor::Inside(..) => Cursor::Pointer(self.cursor_pointer(cursor)),
            c => c,
        }
    }

    /// `&e`; arrays decay.
    pub fn address_of(&self, e: Expr) -> Expr {
        let list = matches!(self.types.shape(e.ty), CTypeKind::VaList);
        if self.types.array_element(e.ty).is_some() || self.types.is_function(e.ty) || list {
            return e;
        }
        if let ExprKind::Unary(UnaryOp::Deref, inner) = e.kind {
            return *inner;
        }
        let ty = self.types.pointer(e.ty);
        Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty)
    }

    /// `*p`
    pub fn deref(&self, p: Expr) -> Expr {
        if let ExprKind::Unary(UnaryOp::AddrOf, inner) = p.kind {
            return *inner;
        }
        let ty = self
            .types
            .pointee(self.decayed(p.ty))
            .unwrap_or(self.types.int);
        Expr::new(ExprKind::Unary(UnaryOp::Deref, Box::new(p)), ty)
    }

    /// The type of an expression as an rvalue: arrays and functions are pointers.
    pub fn decayed(&self, t: CTy) -> CTy {
        if let Some(elem) = self.types.array_element(t) {
            return self.types.pointer(elem);
        }
        if self.types.is_function(t) {
            return self.types.pointer(t);
        }
        t
    }

    /// `p + n` bytes, of a `char *`.
    fn offset(&self, p: Expr, n: i64) -> Expr {
        if n == 0 {
            return p;
        }
        let ty = p.ty;
        let op = if n < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let amount = literal(self.types, n.unsigned_abs() as i128, Basic::Int);
        Expr::new(ExprKind::Binary(op, Box::new(p), Box::new(amount)), ty)
    }

    fn walk(&mut self, inst: Inst) -> Cursor {
        let body = self.body;
        let data = &body.insts[inst];
        let Op::Addr(attr) = &data.op else {
            unreachable!("walks start at `addr`")
        };
        let base = self.cursor(data.args[0]);
        if attr.steps.iter().any(|s| matches!(s, Step::IndexDyn)) {
            let base = self.settled(base);
            return self.walk_variable(attr, &data.args, base);
        }
        let pointee = self.types.declarable(attr.pointee);
        // `[0]` of an object that is the pointee itself is no step.
        let zero_first = matches!(attr.steps.first(), Some(Step::Index { .. }))
            && self.body.const_int(data.args[1]) == Some(0)
            && matches!(&base, Cursor::Place(e) if self.types.compatible(e.ty, pointee));
        let first_is_index = matches!(attr.steps.first(), Some(Step::Index { .. })) && !zero_first;
        let base = match first_is_index && self.object_place(data.args[0]).is_none() {
            true => self.row_start(base, pointee, data.args[1]),
            false => base,
        };
        let (base, shift) = match attr.steps.first() {
            Some(Step::Index { stride }) if first_is_index => {
                self.start_of_array(base, pointee, *stride, data.args[1])
            }
            _ => (base, 0),
        };
        let mut cursor = self.enter(base, pointee, first_is_index);
        let mut operand = 1;
        for (k, step) in attr.steps.iter().enumerate() {
            if k == 0 && zero_first {
                operand += 1;
                continue;
            }
            cursor = match step {
                Step::Index { stride } => {
                    let index = data.args[operand];
                    operand += 1;
                    let shift = if k == 0 { shift } else { 0 };
                    self.step_index(cursor, index, *stride, k == 0, shift)
                }
                Step::IndexDyn => cursor,
                Step::Field {
                    record,
                    field,
                    offset,
                } => self.step_field(cursor, *record, *field, *offset),
                Step::Bytes(n) => {
                    let p = self.byte_pointer(cursor);
                    Cursor::Pointer(self.offset(p, *n))
                }
            };
        }
        cursor
    }

    /// A pointer to the first element of an array in another object (a row of a matrix, a member), for an index of its elements that may leave it: `double *p = m[0]`, then `p[i]` for all of `m`. That is a
    /// pointer's way through the matrix; of `m[0][i]`, compilers believe that it stays in the row, and that loops end where it would not.
    fn row_start(&mut self, base: Cursor, pointee: CTy, index: Value) -> Cursor {
        let Cursor::Place(e) = base else { return base };
        let elem = self.types.array_element(e.ty);
        let elem = elem.filter(|&t| self.types.compatible(t, pointee));
        let Some(elem) = elem.filter(|_| !self.stays_inside(&e, index)) else {
            return Cursor::Place(e);
        };
        let zero = literal(self.types, 0, Basic::Int);
        let first = Expr::new(ExprKind::Index(Box::new(e), Box::new(zero)), elem);
        let ty = self.types.pointer(elem);
        Cursor::Pointer(Expr::new(
            ExprKind::Unary(UnaryOp::AddrOf, Box::new(first)),
            ty,
        ))
    }

    /// An element outside of its array (`a -= 1 + lda`, as translated Fortran begins), from which an index goes back into it: the array, and what comes to the index. No element of the array has such a
    /// number, which compilers warn of and sanitizers end programs for.
    fn start_of_array(
        &self,
        base: Cursor,
        pointee: CTy,
        stride: u64,
        index: Value,
    ) -> (Cursor, i128) {
        let Cursor::Place(e) = &base else {
            return (base, 0);
        };
        let ExprKind::Index(array, at) = &e.kind else {
            return (base, 0);
        };
        let &CTypeKind::Array { len: Some(len), .. } = &self.types.shape(array.ty) else {
            return (base, 0);
        };
        let t = self.body.ty(index);
        let small = |n: i128| n.abs() < 1 << 30;
        match at.as_int() {
            Some(n) if (n < 0 || n > i128::from(len)) && small(n) && small(i128::from(len)) => {
                let fits = self.types.compatible(e.ty, pointee)
                    && self.types.size_of(e.ty) == Some(stride)
                    && (t.is_signed() && t.bits() >= 32 || t.bits() == 64);
                if !fits {
                    return (base, 0);
                }
                (Cursor::Place((**array).clone()), n)
            }
            _ => (base, 0),
        }
    }

    /// Is an index certainly one of an array's, if the array has a length?
    fn stays_inside(&self, array: &Expr, index: Value) -> bool {
        let CTypeKind::Array { len: Some(len), .. } = self.types.shape(array.ty) else {
            return true;
        };
        let range = range(self.body, index, 8);
        range.is_some_and(|(low, high)| low >= 0 && high < i128::from(len))
    }

    /// The address of an object that others of its type follow: `double *q = &r.w`, then `q[i]` for all of `r`. Of `(&r.w)[i]`, clang believes that it is the member `w`, whatever `i` is; of a pointer that was
    /// converted it does not.
    fn first_of_several(&self, e: Expr) -> Expr {
        let is_member = matches!(e.kind, ExprKind::Member(..) | ExprKind::Arrow(..));
        let ty = self.types.pointer(e.ty);
        let pointer = Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty);
        match is_member {
            true => Expr::new(ExprKind::Cast(Box::new(pointer)), ty),
            false => pointer,
        }
    }

    /// Sees the base as pointing to `pointee`.
    fn enter(&mut self, base: Cursor, pointee: CTy, first_is_index: bool) -> Cursor {
        match base {
            Cursor::Place(e) => {
                if let Some(elem) = self.types.array_element(e.ty) {
                    if self.types.compatible(elem, pointee) {
                        if first_is_index {
                            return Cursor::Place(e);
                        }
                        let zero = literal(self.types, 0, Basic::Int);
                        return Cursor::Place(Expr::new(
                            ExprKind::Index(Box::new(e), Box::new(zero)),
                            elem,
                        ));
                    }
                }
                let elem = self.types.vector_element(e.ty);
                if first_is_index && elem.is_some_and(|t| self.types.compatible(t, pointee)) {
                    return Cursor::Place(e);
                }
                if self.types.compatible(e.ty, pointee) {
                    if first_is_index {
                        return Cursor::Pointer(self.first_of_several(e));
                    }
                    return Cursor::Place(e);
                }
                let p = self.address_of(e);
                Cursor::Pointer(self.point_at(p, pointee))
            }
            Cursor::Pointer(p) => Cursor::Pointer(self.point_at(p, pointee)),
            Cursor::Inside(_, _, ty) if self.types.compatible(ty, pointee) && !first_is_index => {
                base
            }
            base => {
                let p = self.cursor_pointer(base);
                Cursor::Pointer(self.point_at(p, pointee))
            }
        }
    }

    /// Casts a pointer unless it points to that type already.
    fn point_at(&mut self, p: Expr, pointee: CTy) -> Expr {
        let now = self.types.pointee(self.decayed(p.ty));
        let whole = self.types.size_of(pointee).is_some() && !self.types.is_void(pointee);
        if now.is_some_and(|t| self.types.compatible(t, pointee)) && whole {
            return p;
        }
        let target = if self.types.is_void(pointee)
            || self.types.is_function(pointee)
            || self.types.has_vla(pointee)
        {
            self.types.char_pointer
        } else {
            self.types.pointer(self.types.unqualified(pointee))
        };
        if self.types.compatible(self.decayed(p.ty), target) {
            return p;
        }
        Expr::new(ExprKind::Cast(Box::new(p)), target)
    }

    fn byte_pointer(&mut self, cursor: Cursor) -> Expr {
        let p = self.cursor_pointer(cursor);
        let target = self.types.char_pointer;
        if self.types.compatible(self.decayed(p.ty), target) {
            return p;
        }
        Expr::new(ExprKind::Cast(Box::new(p)), target)
    }

    fn index_expr(&mut self, v: Value) -> Expr {
        let e = self.value(v);
        self.bare_integer(e)
    }

    /// Another step to an element; `shift` comes to the index.
    fn step_index(
        &mut self,
        cursor: Cursor,
        index: Value,
        stride: u64,
        first: bool,
        shift: i128,
    ) -> Cursor {
        let (array, elem) = match &cursor {
            Cursor::Pointer(p) if first => (true, self.types.pointee(self.decayed(p.ty))),
            Cursor::Pointer(p) => {
                let t = self.types.pointee(self.decayed(p.ty));
                (true, t.and_then(|t| self.types.array_element(t)))
            }
            Cursor::Place(e) => {
                let elem = self.types.array_element(e.ty);
                (false, elem.or_else(|| self.types.vector_element(e.ty)))
            }
            Cursor::Inside(..) => (false, None),
        };
        if let Some(elem) = elem.filter(|&t| self.types.size_of(t) == Some(stride)) {
            let mut i = self.index_expr(index);
            if shift != 0 {
                let op = if shift < 0 {
                    BinaryOp::Sub
                } else {
                    BinaryOp::Add
                };
                let amount = literal(self.types, shift.abs(), Basic::Int);
                let ty = i.ty;
                i = Expr::new(ExprKind::Binary(op, Box::new(i), Box::new(amount)), ty);
            }
            let base = match cursor {
                Cursor::Pointer(p) if array && !first => self.deref(p),
                Cursor::Pointer(e) | Cursor::Place(e) | Cursor::Inside(e, ..) => e,
            };
            return Cursor::Place(Expr::new(
                ExprKind::Index(Box::new(base), Box::new(i)),
                elem,
            ));
        }
        let p = self.byte_pointer(cursor);
        let amount = self.scaled(index, stride);
        let ty = p.ty;
        Cursor::Pointer(Expr::new(
            ExprKind::Binary(BinaryOp::Add, Box::new(p), Box::new(amount)),
            ty,
        ))
    }

    /// `index * stride` as a signed 64-bit number.
    fn scaled(&mut self, index: Value, stride: u64) -> Expr {
        let e = self.value(index);
        if stride == 1 {
            return self.bare_integer(e);
        }
        let long = self.types.basic(Basic::Long);
        let wide = self.convert_to(e, long);
        let factor = literal(self.types, stride as i128, Basic::Int);
        Expr::new(
            ExprKind::Binary(BinaryOp::Mul, Box::new(wide), Box::new(factor)),
            long,
        )
    }

    fn step_field(
        &mut self,
        cursor: Cursor,
        record: adjoin_ir::ctype::Record,
        field: u32,
        offset: u64,
    ) -> Cursor {
        let Some(info) = self.types.field(record, field) else {
            let p = self.byte_pointer(cursor);
            return Cursor::Pointer(self.offset(p, offset as i64));
        };
        let at = match &cursor {
            Cursor::Place(e) => self.types.record_of(e.ty),
            Cursor::Pointer(p) => self
                .types
                .pointee(p.ty)
                .and_then(|t| self.types.record_of(t)),
            Cursor::Inside(_, _, ty) => self.types.record_of(*ty),
        };
        let cursor = if at == Some(record) {
            cursor
        } else {
            let p = self.byte_pointer(cursor);
            let ty = self.types.pointer(self.types.record_type(record));
            Cursor::Pointer(Expr::new(ExprKind::Cast(Box::new(p)), ty))
        };
        let (object, start) = match cursor {
            Cursor::Place(e) => (e, 0),
            Cursor::Pointer(p) => (self.deref(p), 0),
            Cursor::Inside(e, start, _) => (e, start),
        };
        // A member of a const object is const.
        let container = self.types.quals(object.ty);
        let inherited = Quals {
            is_const: container.is_const,
            is_volatile: container.is_volatile,
            ..Quals::default()
        };
        let ty = self.types.qualified(info.ty, inherited);
        match info.name {
            None => Cursor::Inside(object, start + offset, ty),
            Some(name) => Cursor::Place(member(object, name, ty)),
        }
    }

    /// A path over elements of variable size. `a[i][j]` if the base is declared so, else `a[i * m + j]`, else bytes.
    fn walk_variable(&mut self, attr: &AddrAttr, args: &[Value], base: Cursor) -> Cursor {
        let declared = match &base {
            Cursor::Pointer(p) => self.types.pointee(p.ty),
            Cursor::Place(e) => self.types.array_element(e.ty),
            Cursor::Inside(..) => None,
        };
        let same = declared
            .is_some_and(|t| self.types.has_vla(t) && self.types.compatible(t, attr.pointee));
        let plain = attr
            .steps
            .iter()
            .all(|s| matches!(s, Step::Index { .. } | Step::IndexDyn));
        if same && plain {
            let mut e = match base {
                Cursor::Pointer(e) | Cursor::Place(e) | Cursor::Inside(e, ..) => e,
            };
            let mut ty = attr.pointee;
            let mut operand = 1;
            for (k, step) in attr.steps.iter().enumerate() {
                if k > 0 {
                    ty = self.types.array_element(ty).unwrap_or(ty);
                }
                let i = self.index_expr(args[operand]);
                operand += if matches!(step, Step::IndexDyn) { 2 } else { 1 };
                e = Expr::new(ExprKind::Index(Box::new(e), Box::new(i)), ty);
            }
            return Cursor::Place(e);
        }
        if plain {
            let mut elem = attr.pointee;
            while let Some(inner) = self.types.array_element(elem) {
                elem = inner;
            }
            if let Some(size) = self.types.size_of(elem).filter(|&s| s > 0) {
                if let Some(sum) = self.flat_index(attr, args, size) {
                    let p = self.cursor_pointer(base);
                    let p = self.point_at(p, elem);
                    return Cursor::Place(Expr::new(
                        ExprKind::Index(Box::new(p), Box::new(sum)),
                        elem,
                    ));
                }
            }
        }
        let mut p = self.byte_pointer(base);
        let mut operand = 1;
        let long = self.types.basic(Basic::Long);
        let mut cursor = None;
        for step in &attr.steps {
            match step {
                Step::Index { stride } => {
                    let amount = self.scaled(args[operand], *stride);
                    operand += 1;
                    p = self.plus(p, amount);
                }
                Step::IndexDyn => {
                    let i = self.value(args[operand]);
                    let i = self.convert_to(i, long);
                    let s = self.value(args[operand + 1]);
                    let s = self.convert_to(s, long);
                    operand += 2;
                    let amount = Expr::new(
                        ExprKind::Binary(BinaryOp::Mul, Box::new(i), Box::new(s)),
                        long,
                    );
                    p = self.plus(p, amount);
                }
                Step::Field {
                    record,
                    field,
                    offset,
                } => {
                    let at = self.step_field(Cursor::Pointer(p), *record, *field, *offset);
                    let e = self.cursor_pointer(at);
                    cursor = Some(e.clone());
                    p = Expr::new(ExprKind::Cast(Box::new(e)), self.types.char_pointer);
                    continue;
                }
                Step::Bytes(n) => p = self.offset(p, *n),
            }
            cursor = None;
        }
        Cursor::Pointer(cursor.unwrap_or(p))
    }

    fn plus(&self, p: Expr, amount: Expr) -> Expr {
        let ty = p.ty;
        Expr::new(
            ExprKind::Binary(BinaryOp::Add, Box::new(p), Box::new(amount)),
            ty,
        )
    }

    /// The sum of the steps in elements of `size` bytes, if every stride is a multiple of it.
    fn flat_index(&mut self, attr: &AddrAttr, args: &[Value], size: u64) -> Option<Expr> {
        let long = self.types.basic(Basic::Long);
        let mut sum: Option<Expr> = None;
        let mut operand = 1;
        for step in &attr.steps {
            if self.body.const_int(args[operand]) == Some(0) {
                operand += if matches!(step, Step::IndexDyn) { 2 } else { 1 };
                continue;
            }
            let term = match step {
                Step::Index { stride } if stride % size == 0 => {
                    let v = args[operand];
                    operand += 1;
                    if *stride == size {
                        self.index_expr(v)
                    } else {
                        self.scaled(v, stride / size)
                    }
                }
                Step::IndexDyn => {
                    let (i, s) = (args[operand], args[operand + 1]);
                    operand += 2;
                    let count = self.stride_in(s, size)?;
                    if self.body.const_int(i) == Some(1) {
                        let count = self.convert_to(count, long);
                        self.bare_integer(count)
                    } else {
                        let i = self.value(i);
                        let i = self.convert_to(i, long);
                        let count = self.convert_to(count, long);
                        let count = self.stripped(count, &i, Type::I64, false);
                        Expr::new(
                            ExprKind::Binary(BinaryOp::Mul, Box::new(i), Box::new(count)),
                            long,
                        )
                    }
                }
                _ => return None,
            };
            sum = Some(match sum {
                None => term,
                Some(s) => Expr::new(
                    ExprKind::Binary(BinaryOp::Add, Box::new(s), Box::new(term)),
                    long,
                ),
            });
        }
        Some(sum.unwrap_or_else(|| literal(self.types, 0, Basic::Int)))
    }

    /// A stride in bytes as a number of elements: `n * 8` over doubles is `n`.
    fn stride_in(&mut self, stride: Value, size: u64) -> Option<Expr> {
        if let Some(n) = self.body.const_int(stride) {
            return (n % size as i128 == 0)
                .then(|| literal(self.types, n / size as i128, Basic::Int));
        }
        let inst = self.body.def_inst(stride)?;
        let data = &self.body.insts[inst];
        if matches!(data.op, Op::Mul) {
            for (k, other) in [(1, 0), (0, 1)] {
                if self.body.const_int(data.args[k]) == Some(size as i128) {
                    let v = data.args[other];
                    // A folded operand may be printed here only if its product is.
                    if !self.is_inline(v)
                        || self.is_inline(stride)
                        || self.body.const_int(v).is_some()
                    {
                        return Some(self.value(v));
                    }
                }
            }
        }
        let e = self.value(stride);
        let size = literal(self.types, size as i128, Basic::Int);
        let ty = e.ty;
        Some(Expr::new(
            ExprKind::Binary(BinaryOp::Div, Box::new(e), Box::new(size)),
            ty,
        ))
    }
}

/// `e.name`, as `p->name` where `e` is `*p`.
fn member(e: Expr, name: String, ty: CTy) -> Expr {
    if let ExprKind::Unary(UnaryOp::Deref, p) = e.kind {
        return Expr::new(ExprKind::Arrow(p, name), ty);
    }
    Expr::new(ExprKind::Member(Box::new(e), name), ty)
}

impl crate::types::Types {
    /// The type of a record.
    pub fn record_type(&self, r: adjoin_ir::ctype::Record) -> CTy {
        self.intern(CTypeKind::Record(r))
    }
}

/// What an integer can be: a constant, the counter of a loop between such numbers, or made of them.
fn range(body: &Body, v: Value, depth: u32) -> Option<(i128, i128)> {
    if let Some(n) = body.const_int(v) {
        return Some((n, n));
    }
    let deeper = |v: Value| range(body, v, depth.checked_sub(1)?);
    let inst = match body.values[v].def {
        ValueDef::Arg(region, 0) => body.regions[region].parent?,
        ValueDef::Arg(..) => return None,
        ValueDef::Result(inst, _) => inst,
    };
    let data = &body.insts[inst];
    match (&data.op, &data.args[..]) {
        (Op::For(attr), &[first, end, ..]) if body.def_inst(v).is_none() => {
            let (first, end) = (deeper(first)?, deeper(end)?);
            Some(match attr.pred {
                Pred::Lt => (first.0, end.1 - 1),
                Pred::Le => (first.0, end.1),
                Pred::Gt => (end.0 + 1, first.1),
                Pred::Ge => (end.0, first.1),
                Pred::Ne => return None,
            })
        }
        // Small numbers, which no type cuts off.
        (Op::Cast, &[from]) if body.ty(from).is_int() => {
            deeper(from).filter(|r| r.0 >= 0 && r.1 < 1 << 15)
        }
        (Op::Add, &[a, b]) => {
            let (a, b) = (deeper(a)?, deeper(b)?);
            Some((a.0 + b.0, a.1 + b.1))
        }
        (Op::Mul, &[a, b]) => {
            let small = |r: &(i128, i128)| r.0 >= 0 && r.1 < 1 << 15;
            let (a, b) = (deeper(a).filter(small)?, deeper(b).filter(small)?);
            Some((a.0 * b.0, a.1 * b.1))
        }
        _ => None,
    }
}
