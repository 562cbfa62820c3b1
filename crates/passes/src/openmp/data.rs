//! Data clauses: private copies are objects of the region that holds the construct.

use super::team::Team;
use crate::edit::Replacements;
use adjoin_ir::{Body, CTy, Clause, DataKind, Inst, Op, Region, Type, Value};

/// One data clause.
#[derive(Clone)]
pub(super) struct Data {
    pub kind: DataKind,
    pub ctype: CTy,
    pub name: String,
    pub original: Value,
    /// Of an array section: the number of elements.
    pub count: Option<Value>,
}

/// The data clauses of a construct, in the order of the region's arguments.
pub(super) fn data_clauses(body: &Body, par: Inst) -> Vec<Data> {
    let data = &body.insts[par];
    let Op::Par(attr) = &data.op else {
        return Vec::new();
    };
    let mut operand = 0;
    let mut list = Vec::new();
    for clause in &attr.clauses {
        if let Clause::Data {
            kind, ctype, name, ..
        } = clause
        {
            list.push(Data {
                kind: *kind,
                ctype: *ctype,
                name: name.clone(),
                original: data.args[operand],
                count: data.args[operand..operand + clause.operands()]
                    .get(1)
                    .copied(),
            });
        }
        operand += clause.operands();
    }
    list
}

/// Can a value be had in front of a team, if what is computed from known values inside is computed there?
pub(super) fn is_known_outside(body: &Body, v: Value, team: Inst, depth: u32) -> bool {
    if !is_in(body, v, team) {
        return true;
    }
    body.def_inst(v).is_some_and(|inst| {
        let data = &body.insts[inst];
        depth > 0
            && data.op.is_pure()
            && data.regions.is_empty()
            && !body.may_trap(inst)
            && (data.args.iter()).all(|&a| is_known_outside(body, a, team, depth - 1))
    })
}

/// Is a value made in a team?
fn is_in(body: &Body, v: Value, team: Inst) -> bool {
    let region = body.def_region(v);
    body.insts[team]
        .regions
        .iter()
        .any(|&r| body.encloses(r, region))
}

/// The region uses these addresses instead of its arguments.
pub(super) fn replace_region_args(body: &mut Body, region: Region, addresses: &[Value]) {
    let mut replacements = Replacements::default();
    for (&argument, &address) in body.regions[region].args.iter().zip(addresses) {
        replacements.set(argument, address);
    }
    replacements.apply(body);
    crate::edit::set_region_args(body, region, Vec::new());
}

impl Team<'_> {
    /// A value as it is known in front of the team.
    pub fn outside(&mut self, v: Value) -> Value {
        let par = self.par;
        if !is_in(self.body, v, par) {
            return v;
        }
        let inst = (self.body.def_inst(v)).expect("what is not known outside has no normal form");
        let data = self.body.insts[inst].clone();
        let args = data.args.iter().map(|&a| self.outside(a)).collect();
        let ty = self.body.ty(v);
        self.before(par).value(data.op, args, ty)
    }

    /// The address that a clause other than a reduction gives inside; copies are made in front of `first`.
    pub fn private_copy(&mut self, data: &Data, first: Inst) -> Value {
        let starts_with_value = match data.kind {
            DataKind::Private | DataKind::LastPrivate => false,
            DataKind::FirstPrivate | DataKind::FirstLastPrivate | DataKind::Linear => true,
            _ => return data.original,
        };
        let slot = self.before(first).slot(data.ctype, Some(&data.name));
        if starts_with_value {
            self.copy_before(first, data.ctype, slot, data.original);
        }
        slot
    }

    /// Copies an object in front of an instruction.
    pub fn copy_before(&mut self, inst: Inst, ctype: CTy, to: Value, from: Value) {
        let types = &self.module.types;
        let (ty, bytes) = (
            Type::of_ctype(types, ctype),
            types.size_of(ctype).unwrap_or(0),
        );
        let mut b = self.before(inst);
        match ty {
            Some(ty) => {
                let v = b.load(ty, from);
                b.set_ctype(v, ctype);
                b.store(to, v);
            }
            None => drop(b.copy(to, from, bytes, Some(ctype))),
        }
    }
}
