//! What instructions read and write.

use super::called::{Origins, Touched, Types};
use super::dependence::At;
use super::offsets::Offsets;
use super::{Object, PointsTo};
use crate::activity::root;
use crate::known::{self, Extent, FREE_ALL, FREE_LATER, Known};
use crate::rules;
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Body, CTypes, Inst, Op, Region, Step, Type, Value};

/// Bytes that an instruction reads or writes.
#[derive(Clone, Debug)]
pub struct Access {
    /// Where; `None`: anything that code outside can reach.
    pub address: Option<Value>,
    /// How many bytes from there, if that is known.
    pub size: Option<u64>,
    /// As what.
    pub ty: Option<Type>,
    /// The whole object, also what is in front of the address.
    pub whole: bool,
}

impl Access {
    /// An access to a scalar.
    pub fn scalar(address: Value, ty: Type) -> Access {
        Access {
            address: Some(address),
            size: Some(ty.size()),
            ty: Some(ty),
            whole: false,
        }
    }

    /// An access to so many bytes.
    pub fn bytes(address: Value, size: Option<u64>) -> Access {
        Access {
            address: Some(address),
            size,
            ty: None,
            whole: false,
        }
    }

    /// All of what a pointer points into.
    pub fn object(address: Value) -> Access {
        Access {
            whole: true,
            ..Access::bytes(address, None)
        }
    }

    /// An access of an instruction, for the dependence test; none if where or how much it is is not known.
    pub fn at(&self, inst: Inst) -> Option<At> {
        let (address, size) = (self.address?, self.size?);
        Some(At {
            inst,
            address,
            size,
        })
    }

    /// Can two accesses to one object, at these offsets, share a byte?
    pub(super) fn meets(&self, at: Offsets, other: &Access, other_at: Offsets) -> bool {
        self.whole || other.whole || at.overlap(self.size, other_at, other.size)
    }

    /// Anything that code outside can reach.
    pub const OUTSIDE: Access = Access {
        address: None,
        size: None,
        ty: None,
        whole: true,
    };
}

impl PointsTo<'_> {
    fn constant(&self, v: Option<&Value>) -> Option<u64> {
        self.body.const_int(*v?).and_then(|n| u64::try_from(n).ok())
    }

    /// What an instruction writes itself (not what its regions write). Frees are not writes.
    pub fn writes(&self, inst: Inst) -> Vec<Access> {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Store(_) => vec![Access::scalar(data.args[0], self.body.ty(data.args[1]))],
            Op::StoreBits(_) => vec![Access::bytes(data.args[0], Some(16))],
            Op::Copy(a) | Op::Zero(a) => vec![Access::bytes(data.args[0], Some(a.bytes))],
            // Only a table is looked at.
            Op::Call(a)
                if known::outside::ALL.contains(&self.name(a.func))
                    && !known::outside::clears(self.name(a.func)) =>
            {
                Vec::new()
            }
            Op::Call(_) => self.call_writes(inst),
            Op::Mpi(_) if self.message(inst).is_some() => self.message_writes(inst),
            Op::CallIndirect(_) | Op::Mpi(_) => self.unknown_call(inst),
            Op::VaStart | Op::VaArg(_) | Op::VaEnd => vec![Access::bytes(data.args[0], Some(24))],
            Op::VaCopy => vec![Access::bytes(data.args[0], Some(24))],
            Op::VaArgInto(_) => vec![
                Access::bytes(data.args[0], None),
                Access::bytes(data.args[1], Some(24)),
            ],
            _ => Vec::new(),
        }
    }

    /// What an instruction reads itself.
    pub fn reads(&self, inst: Inst) -> Vec<Access> {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Load(_) => vec![Access::scalar(data.args[0], self.body.ty(data.results[0]))],
            Op::LoadBits(_) => vec![Access::bytes(data.args[0], Some(16))],
            Op::Copy(a) => vec![Access::bytes(data.args[1], Some(a.bytes))],
            Op::Call(_) | Op::Mpi(_) if self.message(inst).is_some() => self.pointers(inst),
            Op::Call(_) => match self.known(inst) {
                Some(Known::Copy) => {
                    vec![Access::bytes(data.args[1], self.constant(data.args.get(2)))]
                }
                Some(Known::Malloc(_) | Known::Calloc | Known::Fill | Known::AllocateInto) => {
                    Vec::new()
                }
                Some(_) => self.pointers(inst),
                None if self.is_rule(inst) => Vec::new(),
                None => self.call_touches(inst, |touched| (touched.reads, None)),
            },
            Op::CallIndirect(_) | Op::Mpi(_) => self.unknown_call(inst),
            _ => Vec::new(),
        }
    }

    /// The operand that says how many bytes a call of the library copies or fills.
    pub fn extent(&self, inst: Inst) -> Option<Value> {
        match self.known(inst)? {
            Known::Copy | Known::Fill => self.body.insts[inst].args.get(2).copied(),
            _ => None,
        }
    }

    /// Does a call do nothing but end the life of memory?
    pub fn only_frees(&self, inst: Inst) -> bool {
        matches!(self.known(inst), Some(Known::Free))
    }

    /// Does a call certainly come back?
    pub fn returns(&self, inst: Inst) -> bool {
        match self.known(inst) {
            Some(known) => !matches!(known, Known::Inactive),
            None => self.is_rule(inst),
        }
    }

    /// Can a call end the life of memory?
    pub fn frees(&self, inst: Inst) -> bool {
        match self.known(inst) {
            Some(known) => matches!(known, Known::Free | Known::Realloc | Known::ReallocArray),
            None if self.is_rule(inst) => false,
            None => {
                let calls = &self.registry.calls;
                let touched = calls.of(self.module, self.registry, inst, self.body);
                touched.is_none_or(|t| t.frees)
            }
        }
    }

    pub(super) fn known(&self, inst: Inst) -> Option<Known> {
        let Op::Call(attr) = &self.body.insts[inst].op else {
            return None;
        };
        let function = &self.module.funcs[attr.func];
        // The share of a thread in a loop is a number of numbers.
        if function.name == "adjoin_part" {
            return Some(Known::Inactive);
        }
        // Caches, in derivatives.
        if function.name.starts_with("adjoin_resize_") {
            return Some(Known::Realloc);
        }
        if function.name == "adjoin_give_memory" {
            return Some(Known::Free);
        }
        if function.body.is_some() {
            return None;
        }
        known::lookup(&function.name)
    }

    /// Is it a call of a function that the table of derivatives has?
    pub fn is_rule(&self, inst: Inst) -> bool {
        // A function of the program's own may have such a name.
        let Op::Call(attr) = &self.body.insts[inst].op else {
            return false;
        };
        let function = &self.module.funcs[attr.func];
        function.body.is_none() && rules::lookup(&function.name).is_some()
    }

    /// All memory that pointer arguments point to.
    fn pointers(&self, inst: Inst) -> Vec<Access> {
        self.body.insts[inst]
            .args
            .iter()
            .filter(|&&a| !self.places[a].is_empty())
            .map(|&a| Access::bytes(a, None))
            .collect()
    }

    /// A call of which nothing is known touches what its arguments point to, what can be reached from there (which escapes), and the world outside.
    fn unknown_call(&self, inst: Inst) -> Vec<Access> {
        let mut all = self.pointers(inst);
        all.push(Access::OUTSIDE);
        all
    }

    fn call_writes(&self, inst: Inst) -> Vec<Access> {
        let data = &self.body.insts[inst];
        match self.known(inst) {
            Some(Known::Copy | Known::Fill) => {
                let size = self.constant(data.args.get(2));
                match numbers_written(&self.module.types, self.body, inst) {
                    Some((address, ty)) => vec![Access {
                        ty: Some(ty),
                        ..Access::bytes(address, size)
                    }],
                    None => vec![Access::bytes(data.args[0], size)],
                }
            }
            Some(Known::AllocateInto) => vec![Access::scalar(data.args[0], Type::Ptr)],
            // The old block is gone.
            Some(Known::Realloc | Known::ReallocArray) => vec![Access::bytes(data.args[0], None)],
            Some(Known::Inactive) => self.inactive_writes(inst),
            Some(_) => Vec::new(),
            None if self.is_rule(inst) => Vec::new(),
            None if self.message(inst).is_some() => self.message_writes(inst),
            // The list of what is to be freed.
            None if self.frees_later(inst) => vec![Access::object(data.args[0])],
            None => self.call_touches(inst, |touched| (touched.writes, Some(touched.types))),
        }
    }

    /// Does a call only note memory to be freed at the end? (Where `loops` says so, in derivatives.)
    fn frees_later(&self, inst: Inst) -> bool {
        let Op::Call(attr) = &self.body.insts[inst].op else {
            return false;
        };
        self.name(attr.func) == FREE_LATER && self.has_lists()
    }

    /// Does a call free what was noted? Nobody learns of any memory by that. (In derivatives, too.)
    pub(super) fn frees_list(&self, inst: Inst) -> bool {
        let Op::Call(attr) = &self.body.insts[inst].op else {
            return false;
        };
        self.name(attr.func) == FREE_ALL && self.has_lists()
    }

    fn has_lists(&self) -> bool {
        let mut frees = self.registry.allocators.values().filter_map(|a| a.free);
        frees.any(|f| self.name(f) == FREE_LATER)
    }

    /// What a call of one of the program's functions reads or writes.
    fn call_touches(
        &self,
        inst: Inst,
        which: fn(Touched) -> (Origins, Option<Types>),
    ) -> Vec<Access> {
        let calls = &self.registry.calls;
        let Some((touched, types)) = calls
            .of(self.module, self.registry, inst, self.body)
            .map(which)
        else {
            return self.unknown_call(inst);
        };
        let as_types = |access: Access| match types.and_then(Types::list) {
            Some(types) => types
                .map(|ty| Access {
                    ty: Some(ty),
                    ..access.clone()
                })
                .collect(),
            None => vec![access],
        };
        let args = self.body.insts[inst].args.iter().enumerate();
        let mut all: Vec<Access> = args
            .filter(|&(k, &a)| touched.is_behind(k) && !self.places[a].is_empty())
            .flat_map(|(_, &a)| as_types(Access::object(a)))
            .collect();
        if touched.is_outside() {
            // What is given to a call is part of what is outside, for it escapes.
            if types.and_then(Types::list).is_none() {
                return self.unknown_call(inst);
            }
            all.extend(as_types(Access::OUTSIDE));
        }
        all
    }

    /// The MPI function with known meaning that an instruction calls.
    pub(super) fn message(&self, inst: Inst) -> Option<&'static MpiCall> {
        crate::mpi::called(self.module, &self.body.insts[inst].op)
    }

    /// An MPI call writes what its operands say. What a non-blocking call receives is written at any time up to its completion, which counts as the writer.
    fn message_writes(&self, inst: Inst) -> Vec<Access> {
        let Some(call) = self.message(inst) else {
            return Vec::new();
        };
        let data = &self.body.insts[inst];
        let mut all = Vec::new();
        let orders = crate::mpi::order::is_kept(self.module);
        let mut outside = call.is_fence() || orders;
        for (&a, role) in data.args.iter().zip(call.operands) {
            let written = match role {
                Role::ReceiveBuffer | Role::InOutBuffer => true,
                Role::Request | Role::Requests => {
                    outside |= !self.is_private(a);
                    true
                }
                Role::Status | Role::Statuses | Role::Flag | Role::Index => true,
                _ => false,
            };
            if written && !self.places[a].is_empty() && !self.is_number(a) {
                all.push(Access::bytes(a, None));
            }
        }
        let scatters = crate::mpi::may_scatter(self.module, self.body, call, &data.args);
        outside |= scatters;
        if call.completes() || scatters || orders {
            all.extend(self.in_flight.iter().map(|&v| Access::bytes(v, None)));
            // A request that others know may be theirs.
            if outside {
                all.push(Access::OUTSIDE);
            }
        }
        all
    }

    /// Is it a number instead of an address? So some libraries spell `MPI_STATUS_IGNORE`.
    fn is_number(&self, v: Value) -> bool {
        let of = |v: Value| self.body.def_inst(v).map(|inst| &self.body.insts[inst]);
        of(v).is_some_and(|data| match data.op {
            Op::Const(_) => true,
            Op::Cast => of(data.args[0]).is_some_and(|data| matches!(data.op, Op::Const(_))),
            _ => false,
        })
    }

    fn inactive_writes(&self, inst: Inst) -> Vec<Access> {
        let data = &self.body.insts[inst];
        let mut all = Vec::new();
        let Op::Call(attr) = &data.op else {
            return all;
        };
        for write in known::written(self.module, attr.func) {
            let last = if write.and_following {
                data.args.len()
            } else {
                write.argument + 1
            };
            for &a in data.args.iter().take(last).skip(write.argument) {
                if self.places[a].is_empty() {
                    continue;
                }
                let size = match write.extent {
                    Extent::Bytes(k) => self.constant(data.args.get(k)),
                    Extent::Product(j, k) => self
                        .constant(data.args.get(j))
                        .zip(self.constant(data.args.get(k)))
                        .and_then(|(x, y)| x.checked_mul(y)),
                    Extent::One | Extent::Unbounded => None,
                };
                all.push(Access::bytes(a, size));
            }
        }
        all
    }

    /// Are two accesses, of different objects, made as types that C does not let be the same memory?
    pub fn types_differ(&self, a: &Access, b: &Access) -> bool {
        let (Some(x), Some(y)) = (a.ty, b.ty) else {
            return false;
        };
        let differ = match (class(x), class(y)) {
            (Some(x), Some(y)) => x != y,
            _ => false,
        };
        let punned = |x: &Access| x.address.is_some_and(|v| self.is_punned(v));
        if differ {
            return !punned(a) && !punned(b);
        }
        self.fields_differ(a, b)
    }

    /// Does an address go through a union, or through a cast from a pointer to another scalar type?
    pub fn is_punned(&self, address: Value) -> bool {
        is_punned(&self.module.types, self.body, address)
    }

    /// Members of one struct type that do not overlap.
    fn fields_differ(&self, a: &Access, b: &Access) -> bool {
        let field = |x: &Access| {
            let inst = self.body.def_inst(x.address?)?;
            let Op::Addr(attr) = &self.body.insts[inst].op else {
                return None;
            };
            attr.steps.iter().find_map(|s| match s {
                Step::Field { record, field, .. } => Some((*record, *field)),
                _ => None,
            })
        };
        let (Some((r, f)), Some((s, g))) = (field(a), field(b)) else {
            return false;
        };
        let record = &self.module.types.records[r];
        let data = |k: u32| record.fields.as_ref().and_then(|l| l.get(k as usize));
        let (Some(x), Some(y)) = (data(f), data(g)) else {
            return false;
        };
        r == s && !record.is_union && f != g && x.bits.is_none() && y.bits.is_none()
    }

    /// Two addresses that are computed from the result of one execution of an allocation: only repetitions inside the region that allocates
    /// reach the same memory again.
    pub(super) fn instance(&self, a: &Access, b: &Access) -> Option<Region> {
        let (x, y) = (root(self.body, a.address?), root(self.body, b.address?));
        let inst = self.body.def_inst(x)?;
        let fresh = match self.body.insts[inst].op {
            // The derivative gives each execution memory of its own.
            Op::SlotVla(_) | Op::Alloca => true,
            Op::Call(_) => self.places[x]
                .iter()
                .all(|p| p.object == Object::Heap(inst)),
            _ => false,
        };
        (x == y && fresh).then(|| self.body.insts[inst].parent)
    }
}

/// Types that may be accessed as each other have one class; characters have none.
pub(super) fn class(ty: Type) -> Option<Type> {
    Some(match ty {
        Type::I8 | Type::U8 => return None,
        Type::U16 => Type::I16,
        Type::U32 => Type::I32,
        // Addresses are kept in integers of their size.
        Type::U64 | Type::Ptr => Type::I64,
        Type::U128 => Type::I128,
        Type::C32 => Type::F32,
        Type::C64 => Type::F64,
        Type::C80 => Type::F80,
        other => other,
    })
}

/// Where a call that copies or fills bytes writes floating-point numbers of one type, and as which: the pointers that it was given say so, before they became `void *`.
pub(super) fn numbers_written(types: &CTypes, body: &Body, call: Inst) -> Option<(Value, Type)> {
    let numbers = |v: Value| {
        let mut v = v;
        while let Some(inst) = body.def_inst(v)
            && matches!(body.insts[inst].op, Op::Cast)
            && body.ty(body.insts[inst].args[0]) == Type::Ptr
        {
            v = body.insts[inst].args[0];
        }
        let mut t = types.pointee(body.values[v].ctype?)?;
        while let Some(element) = types.element(t) {
            t = element;
        }
        let ty = Type::of_ctype(types, t)?;
        (ty.is_float() && !is_punned(types, body, v)).then_some((v, ty))
    };
    let data = &body.insts[call];
    let (to, ty) = numbers(*data.args.first()?)?;
    match data.args.get(1) {
        Some(&from) if body.ty(from) == Type::Ptr => (numbers(from)?.1 == ty).then_some((to, ty)),
        _ => Some((to, ty)),
    }
}

/// Does an address go through a union, or through a cast from a pointer to another scalar type?
pub(super) fn is_punned(types: &CTypes, body: &Body, address: Value) -> bool {
    let mut v = address;
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                if attr.steps.iter().any(|s| match s {
                    Step::Field { record, .. } => types.records[*record].is_union,
                    _ => false,
                }) {
                    return true;
                }
                v = data.args[0];
            }
            Op::Cast => {
                let from = body.values[data.args[0]]
                    .ctype
                    .and_then(|t| types.pointee(t))
                    .and_then(|t| Type::of_ctype(types, t));
                if from.is_some_and(|t| class(t).is_some()) {
                    return true;
                }
                v = data.args[0];
            }
            _ => return false,
        }
    }
    false
}
