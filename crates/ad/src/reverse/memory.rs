//! Memory in both sweeps: loads, stores, copies and fills, and objects of dynamic size.

use super::{Result, Reverse};
use crate::activity::is_number;
use adjoin_ir::ctype::Record;
use adjoin_ir::{AddrAttr, CTy, CTypeKind, Inst, Op, Pred, Step, Type, Value};

/// What to do with the numbers of an object's shadow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Add the first's to the second's, and clear the first.
    Move,
    /// Clear the first's.
    Clear,
    /// Copy pointers from the second to the first.
    CopyPointers,
    /// Set pointers to NULL.
    ClearPointers,
}

/// Arrays up to this many elements are taken element by element.
const UNROLL: u64 = 4;

impl Reverse<'_> {
    /// The numbers that were read add to the shadow of where they were read.
    pub(super) fn mirror_load(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        let Some(adjoint) = self.adjoints.get(&v).copied() else {
            return Ok(());
        };
        if !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        let shadow = self.need_shadow(data.args[0]);
        let ty = self.p.ty(v);
        let add = move |me: &mut Self| {
            let old = me.b().load(ty, shadow);
            let sum = me.b().add(old, adjoint);
            me.b().store(shadow, sum);
            Ok(())
        };
        if self.facts.shadow[data.args[0]].none {
            self.if_some(shadow, add)
        } else {
            add(self)
        }
    }

    /// What was stored gets the adjoint of the place, which is then zero.
    pub(super) fn mirror_store(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let ty = self.p.ty(data.args[1]);
        if !is_number(ty) {
            return Ok(());
        }
        let shadow = self.need_shadow(data.args[0]);
        if !self.facts.shadow[data.args[0]].none {
            let adjoint = self.b().load(ty, shadow);
            let zero = self.zero(ty);
            self.b().store(shadow, zero);
            self.contribute(data.args[1], adjoint);
            return Ok(());
        }
        let is_some = self.is_some(shadow);
        let (branch, yes, no) = self.b().if_(is_some, &[ty]);
        self.inside(yes, |me| {
            let adjoint = me.b().load(ty, shadow);
            let zero = me.zero(ty);
            me.b().store(shadow, zero);
            me.b().yield_(&[adjoint]);
            Ok(())
        })?;
        self.inside(no, |me| {
            let zero = me.zero(ty);
            me.b().yield_(&[zero]);
            Ok(())
        })?;
        let adjoint = self.d.result(branch);
        self.contribute(data.args[1], adjoint);
        Ok(())
    }

    /// At the start of an object's life its shadow is done with; the next one of the same place starts at zero.
    pub(super) fn mirror_slot(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if data.parent == self.p.entry {
            return Ok(());
        }
        let Op::Slot(attr) = &data.op else {
            return Ok(());
        };
        let bytes = self.size(attr.ctype, inst)?;
        let shadow = self.need_shadow(data.results[0]);
        self.b().zero(shadow, bytes, Some(attr.ctype));
        Ok(())
    }

    /// F of an aggregate copy or fill: the same on the pointers of the shadow.
    pub(super) fn sweep_block(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let args: Vec<Value> = data.args.iter().map(|v| self.f[v]).collect();
        self.b().inst(data.op.clone(), args, &[]);
        if !self.has_shadow(data.args[0]) {
            if data.args.len() > 1
                && self.has_shadow(data.args[1])
                && matches!(&data.op, Op::Copy(a) if a.ctype.is_none_or(|t| self.holds_pointer(t)))
            {
                return self.error(
                    inst,
                    "this copy: pointers to active memory go to memory without a shadow",
                );
            }
            return Ok(());
        }
        let t = self.block_type(inst)?;
        if !self.holds_pointer(t) {
            return Ok(());
        }
        let to = self.shadow(data.args[0]);
        match data.op {
            Op::Copy(_) if self.has_shadow(data.args[1]) => {
                let from = self.shadow(data.args[1]);
                self.parts(Part::CopyPointers, t, to, from, inst)
            }
            _ => self.parts(Part::ClearPointers, t, to, to, inst),
        }
    }

    fn block_type(&self, inst: Inst) -> Result<CTy> {
        match &self.p.insts[inst].op {
            Op::Copy(a) | Op::Zero(a) => match a.ctype {
                Some(t) => Ok(t),
                None => self.error(inst, "this copy: the type of the object is not known"),
            },
            _ => self.error(inst, "this"),
        }
    }

    /// R of an aggregate copy: the adjoints go back to the source.
    pub(super) fn mirror_block_op(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        self.check_sure(inst)?;
        let t = self.block_type(inst)?;
        let to = self.need_shadow(data.args[0]);
        match data.op {
            Op::Copy(_) if self.has_shadow(data.args[1]) => {
                let from = self.need_shadow(data.args[1]);
                self.parts(Part::Move, t, to, from, inst)
            }
            _ => self.parts(Part::Clear, t, to, to, inst),
        }
    }

    pub(super) fn holds_pointer(&self, t: CTy) -> bool {
        let types = &self.m.types;
        match types.shape(t) {
            CTypeKind::Pointer(p) => !matches!(types.shape(*p), CTypeKind::Function { .. }),
            CTypeKind::Array { elem, .. } => self.holds_pointer(*elem),
            CTypeKind::Record(r) => types.records[*r]
                .fields
                .iter()
                .flatten()
                .any(|f| self.holds_pointer(f.ty)),
            _ => false,
        }
    }

    fn holds_number(&self, t: CTy) -> bool {
        let types = &self.m.types;
        match types.shape(t) {
            CTypeKind::Basic(b) => b.is_float() || b.is_complex(),
            CTypeKind::Array { elem, .. } => self.holds_number(*elem),
            CTypeKind::Record(r) => types.records[*r]
                .fields
                .iter()
                .flatten()
                .any(|f| self.holds_number(f.ty)),
            _ => false,
        }
    }

    /// Copies and fills need shadows that are surely there.
    pub(super) fn check_sure(&self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        let unsure = |&v: &Value| {
            self.p.ty(v) == Type::Ptr && self.facts.shadow[v].some && self.facts.shadow[v].none
        };
        if data.args.iter().any(unsure) {
            return self.error(
                inst,
                "this copy or fill: whether the memory is active is known only at run time",
            );
        }
        Ok(())
    }

    /// Walks over the parts of an object's shadow.
    pub(super) fn parts(
        &mut self,
        part: Part,
        t: CTy,
        to: Value,
        from: Value,
        inst: Inst,
    ) -> Result<()> {
        let wants_pointers = matches!(part, Part::CopyPointers | Part::ClearPointers);
        let wanted = if wants_pointers {
            self.holds_pointer(t)
        } else {
            self.holds_number(t)
        };
        if !wanted {
            return Ok(());
        }
        if let Some(ty) = Type::of_ctype(&self.m.types, t) {
            self.part(part, ty, to, from);
            return Ok(());
        }
        match self.m.types.shape(t).clone() {
            CTypeKind::Array { elem, len } => {
                let Some(len) = len else {
                    return self.error(inst, "an array whose length is not known");
                };
                let count = self.int(len.into());
                self.elements(
                    part,
                    elem,
                    to,
                    from,
                    count,
                    (len <= UNROLL).then_some(len),
                    inst,
                )
            }
            CTypeKind::Record(record) => self.fields(part, t, record, to, from, inst),
            _ => self.error(inst, "an object of this type"),
        }
    }

    fn part(&mut self, part: Part, ty: Type, to: Value, from: Value) {
        match part {
            Part::Move => {
                let adjoint = self.b().load(ty, to);
                let zero = self.zero(ty);
                self.b().store(to, zero);
                let old = self.b().load(ty, from);
                let sum = self.b().add(old, adjoint);
                self.b().store(from, sum);
            }
            Part::Clear => {
                let zero = self.zero(ty);
                self.b().store(to, zero);
            }
            Part::CopyPointers => {
                let p = self.b().load(Type::Ptr, from);
                self.b().store(to, p);
            }
            Part::ClearPointers => {
                let p = self.b().null();
                self.b().store(to, p);
            }
        }
    }

    fn fields(
        &mut self,
        part: Part,
        t: CTy,
        record: Record,
        to: Value,
        from: Value,
        inst: Inst,
    ) -> Result<()> {
        let data = self.m.types.records[record].clone();
        let fields = data.fields.unwrap_or_default();
        if data.is_union && self.holds_pointer(t) && self.holds_number(t) {
            return self.error(inst, "a union of a pointer and a number");
        }
        // One member stands for the bytes: that is right only if no other holds numbers too.
        if data.is_union && fields.iter().filter(|f| self.holds_number(f.ty)).count() > 1 {
            return self.error(inst, "a union with numbers in several members");
        }
        for (k, field) in fields.iter().enumerate() {
            if field.bits.is_some() {
                continue;
            }
            let wanted = match part {
                Part::CopyPointers | Part::ClearPointers => self.holds_pointer(field.ty),
                _ => self.holds_number(field.ty),
            };
            if !wanted {
                continue;
            }
            let step = Step::Field {
                record,
                field: k as u32,
                offset: field.offset,
            };
            let op = Op::Addr(AddrAttr {
                pointee: t,
                steps: vec![step],
            });
            let a = self.b().value(op.clone(), vec![to], Type::Ptr);
            let b = if to == from {
                a
            } else {
                self.b().value(op, vec![from], Type::Ptr)
            };
            self.parts(part, field.ty, a, b, inst)?;
            if data.is_union {
                // One member stands for the bytes that all share.
                break;
            }
        }
        Ok(())
    }

    /// All elements of an array: one by one if they are few, else in a loop.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn elements(
        &mut self,
        part: Part,
        elem: CTy,
        to: Value,
        from: Value,
        count: Value,
        unroll: Option<u64>,
        inst: Inst,
    ) -> Result<()> {
        let stride = self.size(elem, inst)?;
        let op = Op::Addr(AddrAttr {
            pointee: elem,
            steps: vec![Step::Index { stride }],
        });
        let one = |me: &mut Self, index: Value| {
            let a = me.b().value(op.clone(), vec![to, index], Type::Ptr);
            let b = if to == from {
                a
            } else {
                me.b().value(op.clone(), vec![from, index], Type::Ptr)
            };
            me.parts(part, elem, a, b, inst)
        };
        if let Some(n) = unroll {
            for k in 0..n {
                let index = self.int(k.into());
                one(self, index)?;
            }
            return Ok(());
        }
        let (zero, step) = (self.int(0), self.int(1));
        let (_, region) = self.b().for_(Pred::Lt, zero, count, step, &[]);
        let index = self.d.regions[region].args[0];
        self.inside(region, |me| {
            one(me, index)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// A variable-length array or `alloca`: both it and its shadow come from the heap, and go at the end of R.
    pub(super) fn sweep_dynamic(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        let count = self.f[&data.args[0]];
        let count = self.cast(Type::U64, count);
        let bytes = match &data.op {
            Op::SlotVla(attr) => {
                let size = self.size(attr.ctype, inst)?;
                let size = self.b().int(Type::U64, size.into());
                self.b().mul(count, size)
            }
            _ => count,
        };
        for shadow in [false, true] {
            if shadow && !self.has_shadow(v) {
                continue;
            }
            let p = self
                .call(self.runtime.calloc, vec![bytes])
                .expect("it returns a pointer");
            self.free_at_end(p);
            self.d.values[p].ctype = self.p.values[v].ctype;
            let name = self.p.values[v].name.clone();
            if shadow {
                self.d.values[p].name = name.map(|n| format!("{n}_bar"));
                self.s.insert(v, p);
            } else {
                self.d.values[p].name = name;
                self.f.insert(v, p);
            }
        }
        Ok(())
    }

    /// Frees memory when R is done.
    pub(super) fn free_at_end(&mut self, p: Value) {
        let list = self.freed();
        let later = self.runtime.free_later(self.m);
        self.call(later, vec![list, p]);
    }
}
