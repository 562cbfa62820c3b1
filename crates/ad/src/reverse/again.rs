//! Functions that overwrite what they read, run again on the same numbers: a derivative for several seeds may have to be one for each of them (`lanes`).
//!
//! A copy of the function, and of all that it calls, runs first. In front of each write to memory that may be of others it notes the bytes that are there (`rules/support/again.c`);
//! these are written back when it ends, and after each seed but the last. The copy is read serially: what it writes is the same, unless the function asks for the number of a thread.

use super::Result;
use super::pairs::unused_name;
use crate::known::{self, Known, again, external};
use crate::points_to::PointsTo;
use crate::{AdError, Session, prepare, rules};
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{
    Basic, Body, Builder, CTypeKind, CallAttr, Func, Function, Inst, Linkage, Module, Op, Type,
    Value,
};
use std::collections::BTreeMap;

/// A copy of a function that notes what it writes.
pub(super) fn copy(session: &mut Session, m: &mut Module, func: Func) -> Result<Func> {
    let function = &m.funcs[func];
    let CTypeKind::Function { params, .. } = m.types.shape(function.ctype) else {
        return Err(AdError::new(function.span, "it is not a function"));
    };
    if params.iter().any(|&t| m.types.is_aggregate(t)) {
        let what = "in reverse mode with several seeds, and a struct by value";
        return Err(AdError::new(function.span, what));
    }
    same_on_one_thread(session, m, func)?;
    let mut me = Copies {
        session,
        m,
        made: BTreeMap::new(),
        pending: Vec::new(),
    };
    let copy = me.of(func);
    while let Some(func) = me.pending.pop() {
        me.fill(func)?;
    }
    me.begin(copy);
    Ok(copy)
}

/// Does a function write the same memory if one thread does all?
fn same_on_one_thread(session: &Session, m: &Module, func: Func) -> Result<()> {
    let function = &m.funcs[func];
    let Some(body) = &function.body else {
        return Err(AdError::new(function.span, "its body is not known"));
    };
    let bodies = crate::effects::reachable(&session.registry, m, body);
    let any = |wanted: &dyn Fn(&Op) -> bool| {
        let mut all = bodies.iter().flat_map(|b| b.insts.values());
        all.any(|data| wanted(&data.op))
    };
    let asks = |op: &Op| match op {
        Op::Call(attr) => m.funcs[attr.func].name.starts_with("omp_get_"),
        Op::GlobalAddr(g) => m.globals[*g].thread_local,
        _ => false,
    };
    if any(&|op| matches!(op, Op::Par(_))) && any(&asks) {
        let what =
            "in reverse mode with several seeds, and a function whose threads ask for their number";
        return Err(AdError::new(function.span, what));
    }
    Ok(())
}

struct Copies<'a> {
    session: &'a mut Session,
    m: &'a mut Module,
    made: BTreeMap<Func, Func>,
    pending: Vec<Func>,
}

impl Copies<'_> {
    /// The copy of a function, which may not have its body yet.
    fn of(&mut self, func: Func) -> Func {
        if let Some(&copy) = self.made.get(&func) {
            return copy;
        }
        let function = &self.m.funcs[func];
        let name = format!("{}{}", adjoin_ir::FRAMED, function.name);
        let copy = Function {
            name: unused_name(self.m, &name),
            linkage: Linkage::Static,
            inline: false,
            body: None,
            ..function.clone()
        };
        let copy = self.m.funcs.push(copy);
        self.made.insert(func, copy);
        self.pending.push(func);
        copy
    }

    fn fill(&mut self, func: Func) -> Result<()> {
        let registry = &self.session.registry;
        let mut body = prepare::prepare(self.m, registry, func, prepare::Threads::One)?;
        let mut all = Vec::new();
        body.walk(|inst| all.push(inst));
        let ctype = self.m.funcs[func].ctype;
        let written: Vec<(Inst, Vec<Written>)> = {
            let points = PointsTo::of_type(self.m, registry, ctype, &body);
            let mut written = Vec::new();
            for inst in all {
                written.push((inst, self.written(&body, &points, inst)?));
            }
            written
        };
        for (inst, written) in written {
            for what in written {
                self.note(&mut body, inst, what);
            }
            if let Op::Call(attr) = &body.insts[inst].op {
                let (called, extra) = (attr.func, attr.extra.clone());
                if self.m.funcs[called].body.is_some() {
                    let func = self.of(called);
                    body.insts[inst].op = Op::Call(CallAttr { func, extra });
                }
            }
        }
        let copy = self.made[&func];
        self.m.funcs[copy].body = Some(body);
        Ok(())
    }

    /// What an instruction itself writes that may be memory of others.
    fn written(&self, body: &Body, points: &PointsTo<'_>, inst: Inst) -> Result<Vec<Written>> {
        let data = &body.insts[inst];
        let fail = |what: &str| {
            let what = format!("in reverse mode with several seeds, and {what}");
            Err(AdError::new(data.span, what))
        };
        let is_own = |v: Value| {
            let places = points.objects(v);
            !places.is_empty() && places.iter().all(|p| p.object.is_local())
        };
        let known = |v: Value, bytes: u64| match is_own(v) {
            true => Vec::new(),
            false => vec![Written::Bytes(v, bytes)],
        };
        Ok(match &data.op {
            Op::Store(_) => known(data.args[0], body.ty(data.args[1]).size()),
            Op::StoreBits(attr) => {
                known(data.args[0], u64::from(attr.first + attr.width).div_ceil(8))
            }
            Op::Copy(attr) | Op::Zero(attr) => known(data.args[0], attr.bytes),
            Op::Call(attr) if self.session.registry.gradients.contains_key(&attr.func) => {
                return fail("a call of a function with a derivative of its own");
            }
            Op::Call(attr) if self.m.funcs[attr.func].body.is_some() => Vec::new(),
            Op::Call(attr) => {
                let name = self.m.funcs[attr.func].name.as_str();
                match known::lookup(name) {
                    Some(Known::Copy | Known::Fill) if is_own(data.args[0]) => Vec::new(),
                    Some(Known::Copy | Known::Fill) => {
                        vec![Written::Counted(data.args[0], data.args[2])]
                    }
                    Some(Known::Free) => vec![Written::Freed(data.args[0])],
                    Some(Known::Realloc | Known::ReallocArray) => {
                        vec![Written::Freed(data.args[0]), Written::Made(data.results[0])]
                    }
                    Some(Known::Malloc(_) | Known::Calloc) => {
                        data.results.iter().map(|&v| Written::Made(v)).collect()
                    }
                    Some(Known::Inactive) if points.writes(inst).is_empty() => Vec::new(),
                    None if rules::lookup(name).is_some() && points.writes(inst).is_empty() => {
                        Vec::new()
                    }
                    _ => return fail(&format!("a call of '{name}'")),
                }
            }
            Op::CallIndirect(_) | Op::Mpi(_) | Op::Par(_) | Op::VaStart => {
                return fail("a call or construct whose writes are not known");
            }
            _ => Vec::new(),
        })
    }

    fn note(&mut self, body: &mut Body, inst: Inst, what: Written) {
        let void = self.m.types.void();
        let pointer = self.m.types.pointer(void);
        let ulong = self.m.types.basic(Basic::ULong);
        let note = external(self.m, again::NOTE, void, &[pointer, ulong]);
        let forget = external(self.m, again::FORGET, void, &[pointer]);
        let made = external(self.m, again::NOTE_BLOCK, void, &[pointer]);
        let next = {
            let all = &body.regions[body.insts[inst].parent].insts;
            let place = all.iter().position(|&i| i == inst);
            place.and_then(|k| all.get(k + 1)).copied()
        };
        let place = match what {
            Written::Made(_) => next.unwrap_or(inst),
            _ => inst,
        };
        let mut b = Builder::before(body, place);
        let (func, args) = match what {
            Written::Bytes(at, bytes) => {
                let bytes = b.int(Type::U64, bytes.into());
                (note, vec![at, bytes])
            }
            Written::Counted(at, bytes) => {
                let bytes = match b.body.ty(bytes) {
                    Type::U64 => bytes,
                    _ => b.cast(Type::U64, bytes),
                };
                (note, vec![at, bytes])
            }
            Written::Freed(at) => (forget, vec![at]),
            Written::Made(at) => (made, vec![at]),
        };
        let extra = Vec::new();
        b.inst(Op::Call(CallAttr { func, extra }), args, &[]);
    }

    /// The outermost copy tells where its frame is.
    fn begin(&mut self, copy: Func) {
        let void = self.m.types.void();
        let pointer = self.m.types.pointer(void);
        let uint = self.m.types.basic(Basic::UInt);
        let frame = external(self.m, "__builtin_frame_address", pointer, &[uint]);
        let begin = external(self.m, again::BEGIN, void, &[pointer]);
        let Some(body) = &mut self.m.funcs[copy].body else {
            return;
        };
        let Some(&first) = body.regions[body.entry].insts.first() else {
            return;
        };
        let mut b = Builder::before(body, first);
        let level = b.int(Type::U32, 0);
        let call = |func| {
            let extra = Vec::new();
            Op::Call(CallAttr { func, extra })
        };
        let top = b.value(call(frame), vec![level], Type::Ptr);
        b.inst(call(begin), vec![top], &[]);
    }
}

/// What an instruction does to memory that may be of others.
enum Written {
    Bytes(Value, u64),
    Counted(Value, Value),
    /// A block that it frees.
    Freed(Value),
    /// A block that it makes.
    Made(Value),
}

/// Runs the copy on the arguments of the function.
pub(super) fn run(m: &Module, b: &mut Builder<'_>, copy: Func, mut args: Vec<Value>) {
    let Some(signature) = Signature::of(&m.types, m.funcs[copy].ctype) else {
        return;
    };
    if let Return::Aggregate(t) = signature.ret {
        args.insert(0, b.slot(t, Some("unused")));
    }
    let results: Vec<Type> = signature.result().into_iter().collect();
    let extra = Vec::new();
    b.inst(Op::Call(CallAttr { func: copy, extra }), args, &results);
}

/// Everything is as it was before the copy ran; or that is forgotten.
pub(super) fn call(m: &mut Module, b: &mut Builder<'_>, name: &str) {
    let void = m.types.void();
    let func = external(m, name, void, &[]);
    let extra = Vec::new();
    b.inst(Op::Call(CallAttr { func, extra }), Vec::new(), &[]);
}
