//! Puts the body of a called function in place of the call.
//!
//! The copy sits in a `block` whose results are the returned values, and `return` becomes a `break` of it. An aggregate argument is
//! copied into a slot first, since the callee owns its parameter; an aggregate result is copied to the place that the caller gave.
//! Slots of the callee live in the block's region, so a call in a loop has fresh ones each time.

use crate::edit::{Replacements, position};
use adjoin_ir::{
    Body, CTy, CTypeKind, CTypes, Inst, InstData, Op, Region, SlotAttr, Value, ValueDef,
};
use std::collections::HashMap;

/// Can this body be put into another function? Not if it uses its own frame (`alloca`, `va_start`).
pub fn can_inline(body: &Body) -> bool {
    let mut ok = true;
    body.walk(|inst| ok &= !matches!(body.insts[inst].op, Op::Alloca | Op::VaStart));
    ok
}

/// Replaces a direct call in `body` by the callee's body. `signature` is the callee's C function type.
pub fn inline_call(types: &CTypes, body: &mut Body, call: Inst, signature: CTy, callee: &Body) {
    let CTypeKind::Function { ret, params, .. } = types.shape(signature) else {
        return;
    };
    let data = body.insts[call].clone();
    let (region, at) = (data.parent, position(body, call));
    let aggregate = types.is_aggregate(*ret);
    let arguments = &data.args[aggregate as usize..];
    let destination = aggregate.then(|| data.args[0]);

    let block = body.make(region, Op::Block, Vec::new(), data.span);
    for &result in &data.results {
        let v = body.add_result(block, body.ty(result));
        let (name, ctype) = (body.values[result].name.clone(), body.values[result].ctype);
        body.values[v].name = name;
        body.values[v].ctype = ctype;
    }
    body.regions[region].insts[at] = block;
    let inside = body.add_region(block);

    let mut copier = Copier {
        types,
        body,
        callee,
        values: HashMap::new(),
        insts: HashMap::new(),
        block,
        destination,
        ret: *ret,
    };
    for (k, &param) in callee.regions[callee.entry].args.iter().enumerate() {
        let value = copier.argument(inside, arguments[k], params.get(k).copied(), &data);
        copier.values.insert(param, value);
    }
    copier.region(callee.entry, inside);

    let mut replacements = Replacements::default();
    for (&old, &new) in data.results.iter().zip(&body.insts[block].results) {
        replacements.set(old, new);
    }
    replacements.apply(body);
}

struct Copier<'a> {
    types: &'a CTypes,
    body: &'a mut Body,
    callee: &'a Body,
    values: HashMap<Value, Value>,
    insts: HashMap<Inst, Inst>,
    block: Inst,
    destination: Option<Value>,
    ret: CTy,
}

impl Copier<'_> {
    /// What the callee's parameter is: the argument, or for an aggregate the address of a copy.
    fn argument(
        &mut self,
        inside: Region,
        value: Value,
        param: Option<CTy>,
        call: &InstData,
    ) -> Value {
        let Some(ctype) = param.filter(|&t| self.types.is_aggregate(t)) else {
            return value;
        };
        let attr = SlotAttr {
            ctype: self.types.unqualified(ctype),
            name: None,
            align: 0,
        };
        let slot = self
            .body
            .append(inside, Op::Slot(attr), Vec::new(), call.span);
        let address = self.body.add_result(slot, adjoin_ir::Type::Ptr);
        self.copy(inside, address, value, ctype, call);
        address
    }

    fn copy(&mut self, region: Region, to: Value, from: Value, ctype: CTy, origin: &InstData) {
        let bytes = self
            .types
            .size_of(ctype)
            .expect("an aggregate that is passed by value is complete");
        let attr = adjoin_ir::CopyAttr {
            bytes,
            ctype: Some(ctype),
        };
        self.body
            .append(region, Op::Copy(attr), vec![to, from], origin.span);
    }

    fn region(&mut self, from: Region, to: Region) {
        for &inst in &self.callee.regions[from].insts {
            self.inst(inst, to);
        }
    }

    fn value_like(&mut self, old: Value, new: Value) {
        let data = &self.callee.values[old];
        self.body.values[new].name.clone_from(&data.name);
        self.body.values[new].ctype = data.ctype;
        self.values.insert(old, new);
    }

    fn inst(&mut self, inst: Inst, to: Region) {
        let data = &self.callee.insts[inst];
        let args: Vec<Value> = data.args.iter().map(|v| self.values[v]).collect();
        if matches!(data.op, Op::Return) {
            match self.destination {
                Some(place) => {
                    self.copy(to, place, args[0], self.ret, data);
                    self.body
                        .append(to, Op::Break(self.block), Vec::new(), data.span);
                }
                None => {
                    self.body.append(to, Op::Break(self.block), args, data.span);
                }
            }
            return;
        }
        let op = match data.op {
            Op::Break(t) => Op::Break(self.insts[&t]),
            Op::Continue(t) => Op::Continue(self.insts[&t]),
            Op::Fallthrough(t) => Op::Fallthrough(self.insts[&t]),
            ref op => op.clone(),
        };
        let new = self.body.append(to, op, args, data.span);
        self.insts.insert(inst, new);
        for &old in &data.results {
            let v = self.body.add_result(new, self.callee.ty(old));
            self.value_like(old, v);
        }
        for &region in &data.regions {
            let inner = self.body.add_region(new);
            for &old in &self.callee.regions[region].args {
                debug_assert!(matches!(self.callee.values[old].def, ValueDef::Arg(..)));
                let v = self.body.add_arg(inner, self.callee.ty(old));
                self.value_like(old, v);
            }
            self.region(region, inner);
        }
    }
}
