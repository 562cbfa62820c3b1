//! What a derivative returns: a list of the primal result and its tangents, as one value or as the members of a struct.

use super::{Forward, Key, Memory, Result};
use crate::{AdError, Session};
use adjoin_ir::ctype::{Field, RecordData, TagScope};
use adjoin_ir::{CTy, CTypeKind, CTypes, Func, Function, Inst, Module, Step, Type, Value};

/// A scalar inside an object: the steps to it, and its type.
type Leaf = (Vec<(Step, Option<u64>)>, Type);

/// The scalars of a type in order. A union has none: its members share their bytes.
fn leaves(types: &CTypes, t: CTy) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(types, t, &mut Vec::new(), &mut found).then_some(found)
}

fn collect(
    types: &CTypes,
    t: CTy,
    path: &mut Vec<(Step, Option<u64>)>,
    found: &mut Vec<Leaf>,
) -> bool {
    if let Some(ty) = Type::of_ctype(types, t) {
        found.push((path.clone(), ty));
        return true;
    }
    match &*types.memory_shape(t) {
        CTypeKind::Array {
            elem,
            len: Some(len),
        } => {
            let Some(stride) = types.size_of(*elem) else {
                return false;
            };
            (0..*len).all(|k| {
                path.push((Step::Index { stride }, Some(k)));
                let ok = collect(types, *elem, path, found);
                path.pop();
                ok
            })
        }
        CTypeKind::Record(record) => {
            let data = &types.records[*record];
            let Some(fields) = data.fields.as_ref().filter(|_| !data.is_union) else {
                return false;
            };
            fields.iter().enumerate().all(|(k, field)| {
                if field.bits.is_some() {
                    return false;
                }
                let step = Step::Field {
                    record: *record,
                    field: k as u32,
                    offset: field.offset,
                };
                path.push((step, None));
                let ok = collect(types, field.ty, path, found);
                path.pop();
                ok
            })
        }
        _ => false,
    }
}

/// The types of what is returned, in order.
fn entries(m: &Module, key: &Key, ret: CTy) -> Vec<CTy> {
    let ret = m.types.unqualified(ret);
    if matches!(m.types.shape(ret), CTypeKind::Void) {
        return Vec::new();
    }
    let mut all = Vec::new();
    if key.primal_return {
        all.push(ret);
    }
    if key.active_return {
        all.extend(vec![ret; key.width as usize]);
    }
    all
}

/// The C type that a derivative returns.
pub(super) fn result_type(
    m: &mut Module,
    session: &mut Session,
    key: &Key,
    ret: CTy,
    function: &Function,
) -> Result<CTy> {
    let all = entries(m, key, ret);
    match (key.result, &all[..]) {
        (Some(t), _) => {
            check_result(m, t, &all, function)?;
            Ok(t)
        }
        (None, []) => Ok(m.types.void()),
        (None, [one]) => Ok(*one),
        (None, _) => Ok(made_up(m, &mut session.forward, key, all, &function.name)),
    }
}

/// Is there room for everything?
fn check_result(m: &Module, t: CTy, all: &[CTy], function: &Function) -> Result<()> {
    if matches!(m.types.shape(t), CTypeKind::Void) || all.is_empty() {
        return Ok(());
    }
    let count = |t: CTy| leaves(&m.types, t).map(|l| l.len());
    let whole = matches!(all, [one] if m.types.size_of(*one) == m.types.size_of(t));
    let wanted: Option<usize> = all.iter().map(|&t| count(t)).sum();
    match (count(t), wanted) {
        (Some(room), Some(wanted)) if wanted <= room => Ok(()),
        _ if whole => Ok(()),
        (Some(room), Some(wanted)) => Err(AdError::new(
            function.span,
            format!(
                "'{}' into a result of {room} members: there are {wanted} values",
                function.name
            ),
        )),
        _ => Err(AdError::new(
            function.span,
            format!("'{}' into a result of this type", function.name),
        )),
    }
}

/// A struct for several values.
fn made_up(m: &mut Module, memory: &mut Memory, key: &Key, all: Vec<CTy>, name: &str) -> CTy {
    if let Some(&t) = memory.records.get(&all) {
        return t;
    }
    let mut fields = Vec::new();
    let (mut offset, mut align) = (0u64, 1u64);
    for (k, &t) in all.iter().enumerate() {
        let own = m.types.align_of(t).max(1);
        offset = offset.next_multiple_of(own);
        let name = match k.checked_sub(key.primal_return as usize) {
            None => "value".to_string(),
            Some(_) if key.width == 1 => "dot".to_string(),
            Some(lane) => format!("dot{lane}"),
        };
        fields.push(Field {
            name: Some(name),
            ty: t,
            offset,
            bits: None,
        });
        offset += m.types.size_of(t).unwrap_or(0);
        align = align.max(own);
    }
    let base = format!("{name}_jvp_result");
    let taken = |tag: &str| {
        m.types
            .records
            .values()
            .any(|r| r.tag.as_deref() == Some(tag))
    };
    let mut tag = base.clone();
    let mut number = 1;
    while taken(&tag) {
        number += 1;
        tag = format!("{base}_{number}");
    }
    let record = m.types.records.push(RecordData {
        is_union: false,
        tag: Some(tag),
        scope: TagScope::File,
        typedef_name: None,
        fields: Some(fields),
        size: offset.next_multiple_of(align),
        align,
        packed: false,
    });
    let t = m.types.intern(CTypeKind::Record(record));
    memory.records.insert(all, t);
    t
}

impl Forward<'_> {
    fn leaf_address(&mut self, base: Value, t: CTy, leaf: &Leaf) -> Value {
        if leaf.0.is_empty() {
            return base;
        }
        let mut operands = Vec::new();
        for (_, index) in &leaf.0 {
            if let Some(k) = index {
                operands.push(self.int((*k).into()));
            }
        }
        let steps = leaf.0.iter().map(|(s, _)| s.clone()).collect();
        self.b().addr(base, t, steps, &operands)
    }

    /// The scalars of an object, in order; none if it has a union in it.
    pub(super) fn load_leaves(&mut self, base: Value, t: CTy) -> Vec<Value> {
        let all = leaves(&self.m.types, t).unwrap_or_default();
        all.iter()
            .map(|leaf| {
                let address = self.leaf_address(base, t, leaf);
                self.b().load(leaf.1, address)
            })
            .collect()
    }

    /// Returns the list.
    pub(super) fn ret(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let function = &self.m.funcs[self.key.func];
        let CTypeKind::Function { ret, .. } = *self.m.types.shape(function.ctype) else {
            return self.error(inst, "what is not a function");
        };
        let aggregate = self.m.types.is_aggregate(ret);
        let all = entries(self.m, &self.key, ret);
        let mut values = Vec::new();
        if let Some(&v) = data.args.first() {
            if self.key.primal_return {
                values.push(Some(self.f[&v]));
            }
            if self.key.active_return {
                let lanes = self.returned_tangents(v, aggregate)?;
                values.extend(lanes);
            }
        }
        let ctype = match self.key.result {
            Some(t) => t,
            None => match &all[..] {
                [] => self.m.types.void(),
                [one] => *one,
                _ => self.session.forward.records[&all],
            },
        };
        if matches!(self.m.types.shape(ctype), CTypeKind::Void) {
            self.b().ret(&[]);
            return Ok(());
        }
        if !self.m.types.is_aggregate(ctype) {
            let Some(ty) = Type::of_ctype(&self.m.types, ctype) else {
                return self.error(inst, "into a result of this type");
            };
            // The only scalar of what there is.
            let value = match (values.first(), all.first()) {
                (Some(Some(v)), Some(&t)) if aggregate => {
                    let found = leaves(&self.m.types, t);
                    let Some(leaf) = found.and_then(|l| l.into_iter().next()) else {
                        return self.error(inst, "into a result of this type");
                    };
                    let address = self.leaf_address(*v, t, &leaf);
                    self.b().load(leaf.1, address)
                }
                (Some(Some(v)), _) => *v,
                _ => self.zero(ty),
            };
            let value = self.cast(ty, value);
            self.b().ret(&[value]);
            return Ok(());
        }
        let slot = self.b().slot(ctype, Some("result"));
        self.fill_result(inst, slot, ctype, &all, &values)?;
        self.b().ret(&[slot]);
        Ok(())
    }

    /// The tangents of what is returned; `None` for an aggregate without a shadow.
    fn returned_tangents(&mut self, v: Value, aggregate: bool) -> Result<Vec<Option<Value>>> {
        if aggregate && (!self.has_tangent(v) || self.facts.is_unsure(v)) {
            if !self.has_tangent(v) {
                return Ok(vec![None; self.width]);
            }
            return Err(AdError::new(
                self.span,
                "a struct that is returned: whether it is active is known only at run time",
            ));
        }
        Ok(self.tangents(v)?.into_iter().map(Some).collect())
    }

    fn fill_result(
        &mut self,
        inst: Inst,
        slot: Value,
        ctype: CTy,
        all: &[CTy],
        values: &[Option<Value>],
    ) -> Result<()> {
        let aggregate = all.first().is_some_and(|&t| self.m.types.is_aggregate(t));
        let bytes = self.size(ctype, inst)?;
        if let ([Some(v)], [t], true) = (values, all, aggregate)
            && self.m.types.size_of(*t) == Some(bytes)
        {
            self.b().copy(slot, *v, bytes, Some(ctype));
            return Ok(());
        }
        let ours = aggregate && self.key.result.is_none();
        let Some(places) = leaves(&self.m.types, ctype).filter(|_| !ours) else {
            // Whole members, one for each value.
            return self.fill_members(inst, slot, ctype, all, values);
        };
        let mut given = 0;
        for (k, (value, &t)) in values.iter().zip(all).enumerate() {
            let is_tangent = k >= self.key.primal_return as usize;
            let Some(own) = leaves(&self.m.types, t) else {
                return self.fill_members(inst, slot, ctype, all, values);
            };
            for leaf in own {
                let Some(place) = places.get(given) else {
                    return self.error(inst, "into a result with too few members");
                };
                given += 1;
                let v = match (value, aggregate) {
                    // Integers have no tangent, and their shadow may never have been written.
                    (_, true) if is_tangent && leaf.1.is_int() => self.zero(leaf.1),
                    (Some(v), true) => {
                        let address = self.leaf_address(*v, t, &leaf);
                        self.b().load(leaf.1, address)
                    }
                    (Some(v), false) => *v,
                    (None, _) => self.zero(leaf.1),
                };
                let v = self.cast(place.1, v);
                let address = self.leaf_address(slot, ctype, place);
                self.b().store(address, v);
            }
        }
        for place in &places[given..] {
            let zero = self.zero(place.1);
            let address = self.leaf_address(slot, ctype, place);
            self.b().store(address, zero);
        }
        Ok(())
    }

    /// One member for each value.
    fn fill_members(
        &mut self,
        inst: Inst,
        slot: Value,
        ctype: CTy,
        all: &[CTy],
        values: &[Option<Value>],
    ) -> Result<()> {
        for (k, (value, &t)) in values.iter().zip(all).enumerate() {
            let address = self.member(inst, slot, ctype, k)?;
            let bytes = self.size(t, inst)?;
            match value {
                Some(v) if self.m.types.is_aggregate(t) => {
                    self.b().copy(address, *v, bytes, Some(t));
                }
                Some(v) => {
                    self.b().store(address, *v);
                }
                None => {
                    self.b().zero(address, bytes, Some(t));
                }
            }
        }
        Ok(())
    }

    fn member(&mut self, inst: Inst, base: Value, t: CTy, k: usize) -> Result<Value> {
        let Some(record) = self.m.types.record(t) else {
            return self.error(inst, "into a result of this type");
        };
        let types = self.m.types.clone();
        Ok(self.b().field(&types, base, t, record, k as u32))
    }

    /// Calls a derivative that returns the primal result and its tangents, and hands them on.
    pub(super) fn take_results(
        &mut self,
        inst: Inst,
        derivative: Func,
        ret: CTy,
        active_return: bool,
        mut args: Vec<Value>,
    ) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let aggregate = self.m.types.is_aggregate(ret);
        let ret = self.m.types.unqualified(ret);
        if !active_return {
            if aggregate {
                args.insert(0, self.f[&data.args[0]]);
            }
            let value = self.call(derivative, args);
            if let (Some(&v), Some(value)) = (data.results.first(), value) {
                self.like(v, value);
            }
            return Ok(());
        }
        let CTypeKind::Function { ret: ctype, .. } =
            *self.m.types.shape(self.m.funcs[derivative].ctype)
        else {
            return self.error(inst, "a function of no type");
        };
        let name = format!("{}_result", self.m.funcs[self.called(inst)].name);
        let slot = self.b().slot(ctype, Some(&name));
        args.insert(0, slot);
        self.call(derivative, args);
        let mut members = Vec::new();
        for k in 0..=self.width {
            members.push(self.member(inst, slot, ctype, k)?);
        }
        if aggregate {
            let to = data.args[0];
            let bytes = self.size(ret, inst)?;
            let place = self.f[&to];
            self.b().copy(place, members[0], bytes, Some(ret));
            return self.store_members(to, &members[1..], bytes, ret);
        }
        let Some(&v) = data.results.first() else {
            return Ok(());
        };
        let ty = self.p.ty(v);
        let value = self.b().load(ty, members[0]);
        self.like(v, value);
        let lanes = members[1..].iter().map(|&a| self.b().load(ty, a)).collect();
        self.set_tangents(v, lanes);
        Ok(())
    }

    fn called(&self, inst: Inst) -> Func {
        match &self.p.insts[inst].op {
            adjoin_ir::Op::Call(attr) => attr.func,
            _ => self.key.func,
        }
    }
}
