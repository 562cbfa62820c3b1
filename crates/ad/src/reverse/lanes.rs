//! Several seeds at once: R for all of them behind one F (`widen`), or else the derivative of one seed, called for each.
//!
//! The latter is right where a second forward sweep does what the first did: nothing that is read from outside is written, or it is written back in between (`again`), and no state
//! of a library changes. Anything else is refused, since the second seed would see other numbers than the first.

use super::combined::{attempt, facts, result_struct};
use super::pairs::{Prepared, invalid, parameter_type, shadow_type, unused_name};
use super::{Result, again, differentiate};
use crate::activity::variable;
use crate::known::{self, Known};
use crate::points_to::{Access, PointsTo};
use crate::{Activity, AdError, Request, Session, mpi, rules};
use adjoin_ir::mpi::Role;
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{
    AddrAttr, Body, Builder, CTy, CTypeKind, CTypes, CallAttr, Func, Function, Inst, Linkage,
    Module, Op, Step, Type, Value,
};
use std::collections::BTreeSet;

/// Makes the derivative for as many seeds as the request says.
pub(crate) fn several(session: &mut Session, m: &mut Module, request: &Request) -> Result<Func> {
    if let Some(func) = at_once(session, m, request) {
        return Ok(func);
    }
    let one = Request {
        width: 1,
        name: unused_name(m, &format!("{}_one", request.name)),
        result: None,
        ..request.clone()
    };
    let func = differentiate(session, m, &one)?;
    let prepared = session.prepared(m, request.func)?;
    Repeat::runs_again(m, &prepared.body)?;
    let noting = match Repeat::check(session, m, request, &prepared) {
        Ok(()) => None,
        Err(written) => {
            let known = m.funcs.len();
            let copy = again::copy(session, m, request.func);
            let copy = copy.ok().filter(|_| invalid(m, known).is_none());
            Some(copy.ok_or(written)?)
        }
    };
    assemble(m, request, func, noting)
}

/// The derivative with one forward sweep, if there is one.
fn at_once(session: &mut Session, m: &mut Module, request: &Request) -> Option<Func> {
    if !adjoin_passes::registry::is_on("seeds") || session.options.runtime_activity {
        return None;
    }
    let before = (m.clone(), session.pairs.clone(), session.explaining.clone());
    let known = m.funcs.len();
    let made = adjoin_passes::registry::optional("seeds", || attempt(session, m, request).ok());
    let func = made.filter(|_| invalid(m, known).is_none());
    if func.is_none() {
        (*m, session.pairs, session.explaining) = before;
    }
    func
}

/// The question whether a function can run again.
struct Repeat<'a> {
    m: &'a Module,
    body: &'a Body,
    points: PointsTo<'a>,
}

impl<'a> Repeat<'a> {
    fn of(
        session: &'a Session,
        m: &'a Module,
        request: &Request,
        prepared: &'a Prepared,
    ) -> Repeat<'a> {
        let body = &prepared.body;
        let first = (body.regions[body.entry].args.len() - request.params.len()) as u32;
        let known = facts(request, first);
        let points = PointsTo::of_type(m, &session.registry, prepared.ctype, body);
        Repeat {
            m,
            body,
            points: points.assuming(&known),
        }
    }

    /// Does it change nothing but memory?
    fn runs_again(m: &Module, body: &Body) -> Result<()> {
        let mut state = None;
        body.walk(|inst| {
            if !leaves_no_trace(m, &body.insts[inst].op, &mut BTreeSet::new()) {
                state.get_or_insert(inst);
            }
        });
        match state {
            Some(inst) => Err(not_again(body, inst)),
            None => Ok(()),
        }
    }

    /// Does an instruction free memory that may be of others?
    fn frees(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let frees = matches!(data.op, Op::Call(_))
            && mpi::called(self.m, &data.op).is_none()
            && self.points.frees(inst);
        frees && data.args.iter().any(|&v| !self.points.is_private(v))
    }

    /// Does it write nothing that it reads, and free nothing that it did not make?
    fn check(session: &Session, m: &Module, request: &Request, prepared: &Prepared) -> Result<()> {
        let me = Repeat::of(session, m, request, prepared);
        let body = me.body;
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let mut freed = None;
        body.walk(|inst| {
            if me.frees(inst) {
                freed.get_or_insert(inst);
            }
            reads.extend(me.reads(inst));
            let outside = |a: &Access| {
                a.address
                    .is_none_or(|v| !me.is_made_again(v) && !me.is_handle(v))
            };
            let written = me.points.writes(inst).into_iter().filter(outside);
            writes.extend(written.map(|a| (inst, a)));
        });
        if let Some(inst) = freed {
            return Err(not_again(body, inst));
        }
        for (inst, write) in writes {
            if write.ty == Some(Type::Ptr) || reads.iter().any(|r| me.points.may_alias(r, &write)) {
                let name = write.address.map_or("memory", |v| variable(m, body, v));
                return Err(AdError::new(
                    body.insts[inst].span,
                    format!(
                        "in reverse mode with several seeds: '{name}' is written here, and may be what is read when it runs again"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Is it memory that the function makes whenever it runs? Where it leaves an address of that, this is found as a write.
    fn is_made_again(&self, v: Value) -> bool {
        let places = self.points.objects(v);
        self.points.is_private(v)
            || !places.is_empty() && places.iter().all(|p| p.object.is_local())
    }

    /// Is it the address of something that the program does not know the inside of, such as a communicator?
    fn is_handle(&self, v: Value) -> bool {
        let types = &self.m.types;
        let pointee = self.body.values[v].ctype.and_then(|t| types.pointee(t));
        pointee.is_some_and(|t| match types.shape(t) {
            CTypeKind::Record(record) => types.records[*record].fields.is_none(),
            _ => false,
        })
    }

    /// What an instruction reads. An MPI call does not read what it only writes.
    fn reads(&self, inst: Inst) -> Vec<Access> {
        let data = &self.body.insts[inst];
        let mut all = self.points.reads(inst);
        all.retain(|access| access.address.is_none_or(|v| !self.is_handle(v)));
        if let Some(call) = mpi::called(self.m, &data.op) {
            let only_written = |v: Value| {
                let roles = data.args.iter().zip(call.operands);
                let mut roles = roles.filter(|(a, _)| **a == v).map(|(_, role)| *role);
                roles.all(|role| {
                    matches!(
                        role,
                        Role::ReceiveBuffer | Role::Status | Role::Statuses | Role::Flag
                    )
                })
            };
            all.retain(|access| access.address.is_none_or(|v| !only_written(v)));
        }
        all
    }
}

fn not_again(body: &Body, inst: Inst) -> AdError {
    AdError::new(
        body.insts[inst].span,
        "in reverse mode with several seeds: this call may do something else when it is made again",
    )
}

/// Functions of the C library that only look, or end the program.
const HARMLESS: [&str; 18] = [
    "abs",
    "labs",
    "llabs",
    "abort",
    "exit",
    "__assert_fail",
    "strlen",
    "strcmp",
    "strncmp",
    "memcmp",
    "isalpha",
    "isdigit",
    "isspace",
    "isalnum",
    "toupper",
    "tolower",
    "atoi",
    "atof",
];

/// Does a function of OpenMP's library only ask, or make, take and give back locks?
fn asks_or_locks(name: &str) -> bool {
    adjoin_passes::openmp::is_query(name)
        || name.starts_with("omp_get_")
        || name.starts_with("omp_in_")
        || name.starts_with("omp_") && name.ends_with("_lock")
}

/// Does an instruction change nothing but memory that is known to be written? `seen` are functions that have been looked at.
fn leaves_no_trace(m: &Module, op: &Op, seen: &mut BTreeSet<Func>) -> bool {
    let func = match op {
        Op::Call(attr) => attr.func,
        Op::Mpi(attr) => attr.func,
        Op::CallIndirect(_) => return false,
        _ => return true,
    };
    let function = &m.funcs[func];
    if function.noreturn || HARMLESS.contains(&function.name.as_str()) {
        return true;
    }
    let Some(body) = &function.body else {
        let known = known::lookup(&function.name);
        return rules::lookup(&function.name).is_some()
            || known.is_some_and(|k| k != Known::Inactive)
            || asks_or_locks(&function.name)
            || mpi::can_be_repeated(&function.name);
    };
    let mut fine = true;
    if seen.insert(func) {
        body.walk(|inst| fine &= leaves_no_trace(m, &body.insts[inst].op, seen));
    }
    fine
}

/// What a derivative for several seeds looks like from outside.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    /// Its C type and the names of its parameters.
    pub ctype: CTy,
    pub names: Vec<Option<String>>,
    /// What it returns.
    pub result: CTy,
    /// What the derivative for one seed returns.
    pub single: CTy,
    /// How many adjoints that returns; in front of them there may be the primal's result.
    outs: usize,
    /// The seeds of the result are arguments.
    seeds: bool,
}

impl Outside {
    /// For a request, where the derivative for one seed has a C type.
    pub fn of(m: &mut Module, request: &Request, one: CTy) -> Result<Outside> {
        let function = m.funcs[request.func].clone();
        let fail = |what: &str| AdError::new(function.span, format!("'{}': {what}", function.name));
        let CTypeKind::Function { ret, params, .. } = m.types.shape(function.ctype).clone() else {
            return Err(fail("it is not a function"));
        };
        let CTypeKind::Function {
            ret: single,
            params: of_one,
            ..
        } = m.types.shape(one).clone()
        else {
            return Err(fail("its derivative is not a function"));
        };
        let width = request.width as usize;
        let primal = request.primal_return && !matches!(m.types.shape(ret), CTypeKind::Void);
        let mut entries: Vec<CTy> = Vec::new();
        if primal {
            entries.push(m.types.unqualified(ret));
        }
        let (mut all, mut names) = (Vec::new(), Vec::new());
        let mut outs = 0;
        for (k, &t) in params.iter().enumerate() {
            let activity = request.params.get(k).copied().unwrap_or(Activity::Const);
            let name = function.param_names.get(k).cloned().flatten();
            let name = name.unwrap_or_else(|| format!("p{k}"));
            all.push(parameter_type(m, t));
            names.push(Some(name.clone()));
            if activity.has_shadow() {
                for lane in 0..width {
                    all.push(shadow_type(m, t));
                    names.push(Some(format!("{name}_bar_{lane}")));
                }
            }
            if activity == Activity::Out {
                if m.types.is_aggregate(t) {
                    return Err(fail(
                        "in reverse mode with several seeds, and a struct by value",
                    ));
                }
                outs += 1;
                entries.extend(vec![m.types.unqualified(t); width]);
            }
        }
        let shadows = request.params.iter().filter(|a| a.has_shadow()).count();
        let seeds = of_one.len() > params.len() + shadows;
        if seeds {
            for lane in 0..width {
                all.push(m.types.unqualified(ret));
                names.push(Some(format!("{}_bar_{lane}", function.name)));
            }
        }
        let result = match (request.result, &entries[..]) {
            (Some(t), _) => t,
            (None, []) => m.types.void(),
            (None, [one]) => *one,
            (None, several) => result_struct(m, &request.name, several),
        };
        let ctype = m.types.intern(CTypeKind::Function {
            ret: result,
            params: all,
            variadic: false,
            prototyped: true,
        });
        Ok(Outside {
            ctype,
            names,
            result,
            single,
            outs,
            seeds,
        })
    }

    /// What is returned, from what each derivative for one seed returns: the primal result, then all lanes of each adjoint.
    pub fn in_order(&self, lanes: &[Vec<Value>]) -> Vec<Value> {
        let last = lanes.last().map_or(&[][..], |l| l);
        let first = last.len() - self.outs.min(last.len());
        let mut values = last[..first].to_vec();
        for k in first..last.len() {
            values.extend(lanes.iter().map(|lane| lane[k]));
        }
        values
    }

    /// Returns values as a result of that type; if there are none, what is declared is zero. `None`: they do not fit.
    pub fn give_back(
        &self,
        types: &CTypes,
        b: &mut Builder<'_>,
        values: Vec<Value>,
    ) -> Option<Inst> {
        let result = self.result;
        Some(match Type::of_ctype(types, result) {
            _ if matches!(types.shape(result), CTypeKind::Void) => b.ret(&[]),
            Some(ty) => {
                let value = match values.first() {
                    Some(&v) if b.body.ty(v) == ty => v,
                    Some(&v) => b.cast(ty, v),
                    None => b.zero_of(ty),
                };
                b.ret(&[value])
            }
            None if values.is_empty() => {
                let slot = b.slot(result, Some("gradient"));
                b.zero(slot, types.size_of(result)?, Some(result));
                b.ret(&[slot])
            }
            None => {
                let slot = b.slot(result, Some("gradient"));
                let places = leaves(types, result).filter(|p| p.len() == values.len())?;
                for ((offset, ty), v) in places.into_iter().zip(values) {
                    let at = address(b, slot, result, offset);
                    let v = match b.body.ty(v) == ty {
                        true => v,
                        false => b.cast(ty, v),
                    };
                    b.store(at, v);
                }
                b.ret(&[slot])
            }
        })
    }
}

/// The function that calls the derivative of one seed for each lane. `noting`: what it overwrites is written back in between, as a copy of the primal finds out.
fn assemble(m: &mut Module, request: &Request, one: Func, noting: Option<Func>) -> Result<Func> {
    let function = m.funcs[request.func].clone();
    let span = function.span;
    let fail = |what: &str| AdError::new(span, format!("'{}': {what}", function.name));
    let width = request.width as usize;
    let ctype = m.funcs[one].ctype;
    let single =
        Signature::of(&m.types, ctype).ok_or_else(|| fail("its derivative has no values"))?;
    let outside = Outside::of(m, request, ctype)?;
    let mut d = Body::with_params(&m.types, outside.ctype, &outside.names)
        .ok_or_else(|| fail("a parameter has no value type"))?;
    let arguments = d.regions[d.entry].args.clone();
    let mut b = Builder::new(&mut d);
    b.span = span;
    if let Some(copy) = noting {
        let mut next = arguments.iter().copied();
        let mut args = Vec::new();
        for activity in &request.params {
            args.extend(next.next());
            if activity.has_shadow() {
                next.by_ref().take(width).for_each(drop);
            }
        }
        again::run(m, &mut b, copy, args);
    }
    let mut lanes: Vec<Vec<Value>> = Vec::new();
    for lane in 0..width {
        if noting.is_some() {
            again::call(m, &mut b, known::again::WRITE_BACK);
        }
        let mut next = arguments.iter().copied();
        let mut take = |count: usize, which: usize| -> Option<Value> {
            let taken: Vec<Value> = next.by_ref().take(count).collect();
            taken.get(which).copied()
        };
        let mut args = Vec::new();
        for activity in &request.params {
            args.extend(take(1, 0));
            if activity.has_shadow() {
                args.extend(take(width, lane));
            }
        }
        if outside.seeds {
            args.extend(take(width, lane));
        }
        let slot = match single.ret {
            Return::Aggregate(t) => Some((b.slot(t, Some("lane")), t)),
            _ => None,
        };
        if let Some((slot, _)) = slot {
            args.insert(0, slot);
        }
        let extra = Vec::new();
        let results: Vec<Type> = single.result().into_iter().collect();
        let call = b.inst(Op::Call(CallAttr { func: one, extra }), args, &results);
        lanes.push(match slot {
            Some((slot, t)) => numbers(&m.types, &mut b, slot, t)
                .ok_or_else(|| fail("it returns more than numbers"))?,
            None => b.body.insts[call].results.clone(),
        });
    }
    if noting.is_some() {
        again::call(m, &mut b, known::again::END);
    }
    let values = outside.in_order(&lanes);
    if outside.give_back(&m.types, &mut b, values).is_none() {
        return Err(fail(
            "the derivatives do not fit the struct that is asked for",
        ));
    }
    Ok(m.funcs.push(Function {
        name: request.name.clone(),
        ctype: outside.ctype,
        param_names: outside.names,
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span,
        body: Some(d),
    }))
}

/// The numbers in an object, in order. `None`: there is something else.
pub(super) fn numbers(
    types: &CTypes,
    b: &mut Builder<'_>,
    object: Value,
    t: CTy,
) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    for (offset, ty) in leaves(types, t)? {
        let at = address(b, object, t, offset);
        all.push(b.load(ty, at));
    }
    Some(all)
}

fn address(b: &mut Builder<'_>, object: Value, t: CTy, offset: u64) -> Value {
    let op = Op::Addr(AddrAttr {
        pointee: t,
        steps: vec![Step::Bytes(offset as i64)],
    });
    b.value(op, vec![object], Type::Ptr)
}

/// Where the numbers in an object are, and their types, in order. `None`: there is something else.
fn leaves(types: &CTypes, t: CTy) -> Option<Vec<(u64, Type)>> {
    if let Some(ty) = Type::of_ctype(types, t) {
        return Some(vec![(0, ty)]);
    }
    let mut all = Vec::new();
    match &*types.memory_shape(t) {
        CTypeKind::Array { elem, len } => {
            let size = types.size_of(*elem)?;
            let inner = leaves(types, *elem)?;
            for k in 0..(*len)? {
                all.extend(inner.iter().map(|&(o, ty)| (k * size + o, ty)));
            }
        }
        CTypeKind::Record(record) if !types.records[*record].is_union => {
            for field in types.records[*record].fields.as_ref()? {
                let inner = leaves(types, field.ty)?;
                all.extend(inner.into_iter().map(|(o, ty)| (field.offset + o, ty)));
            }
        }
        _ => return None,
    }
    Some(all)
}
