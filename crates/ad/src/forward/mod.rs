//! Forward mode.
//!
//! The derivative is the primal with tangents beside its values: a number beside its `width` tangents, a pointer beside its `width` shadow pointers. Regions
//! take and yield both; what happens to memory happens to its shadow alike. Which values have tangents is the business of `activity`.
//!
//! Calls that `prepare` leaves become calls of the callee's own derivative. A derivative is declared when it is first asked for and made later, so that recursion
//! ends; those that were made are remembered in the session.

mod activity;
mod arithmetic;
mod calls;
mod control;
mod custom;
mod errors;
mod flags;
mod globals;
mod hashes;
mod heap;
mod in_turn;
mod lanes;
mod memory;
mod messages;
mod outside;
mod parallel;
mod partials;
mod results;
mod zero_rows;

use crate::activity::{bytewise, crossing};
use crate::effects::reachable;
use crate::points_to::{Disjoint, Object};
use crate::reverse::tangents;
use crate::{Activity, AdError, Extent, Request, Session, prepare};
use activity::{Facts, Pass, Scene};
use adjoin_ir::signature::Signature;
use adjoin_ir::{
    Body, Builder, CTy, CTypeKind, CallAttr, Const, Func, Function, Global, Inst, Linkage, Module,
    Op, Region, Span, Type, Value,
};
use adjoin_passes::registry::{optional, step};
use calls::Callees;
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Result<T> = std::result::Result<T, AdError>;

/// A derivative: of what, and how.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    func: Func,
    params: Vec<Pass>,
    active_return: bool,
    primal_return: bool,
    width: u32,
    /// Tangents may be vectors.
    vectors: bool,
    /// It is not differentiated again.
    outermost: bool,
    result: Option<CTy>,
    /// The globals with a shadow, and which set of shadows.
    globals: BTreeSet<Global>,
    level: u32,
    /// Pairs of parameters that point to different objects.
    disjoint: BTreeSet<(u32, u32)>,
    /// How far the memory of parameters reaches.
    extents: BTreeMap<u32, Extent>,
}

/// What forward mode remembers in a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    derivatives: BTreeMap<Key, Func>,
    /// Declared, not made yet.
    pending: Vec<(Func, Key)>,
    /// The shadows of globals, one for each direction, by level: the derivative of a derivative has others than that.
    globals: BTreeMap<(u32, Global), Vec<Global>>,
    /// Structs that were made up to return several values.
    records: BTreeMap<Vec<CTy>, CTy>,
}

/// Makes the forward-mode derivative of a function.
pub(crate) fn differentiate(
    session: &mut Session,
    m: &mut Module,
    request: &Request,
) -> Result<Func> {
    let function = &m.funcs[request.func];
    let span = function.span;
    if request.width == 0 {
        return Err(AdError::new(span, "in no direction at all"));
    }
    if request.params.contains(&Activity::Out) {
        return Err(AdError::new(
            span,
            format!(
                "'{}' in forward mode: the derivative of an argument by value is its tangent, which follows it",
                function.name
            ),
        ));
    }
    let is_pointer = |k: usize| match m.types.shape(function.ctype) {
        CTypeKind::Function { params, .. } => {
            params.get(k).is_some_and(|&t| m.types.pointee(t).is_some())
        }
        _ => false,
    };
    let params: Vec<Pass> = request
        .params
        .iter()
        .enumerate()
        .map(|(k, a)| match a.has_shadow() {
            true if session.options.runtime_activity && is_pointer(k) => Pass::Unsure,
            true => Pass::Dup,
            false => Pass::Const,
        })
        .collect();
    session.registry.calls.begin(m);
    let outside = outside::globals(session, m, request);
    let ctype = m.funcs[request.func].ctype;
    let unplanned = prepare::prepare(
        m,
        &session.registry,
        request.func,
        prepare::Threads::Forward,
    )?;
    let known = pairs_of_parameters(&request.disjoint);
    // What is differentiated again is better one function.
    let outermost = session.options.outermost && !session.options.runtime_activity;
    let mut body = unplanned.clone();
    let gains = crate::plan::before(m, &session.registry, ctype, &mut body, &known);
    let test = match outermost && outside.is_empty() {
        true => tangents::find(m, session, request, (ctype, &unplanned), &known, gains),
        false => None,
    };
    if !outside.is_empty() {
        // Shadows are found in front of regions.
        crate::parallel::hoist::run(m, &session.registry, ctype, &mut body);
    }
    let bodies = reachable(&session.registry, m, &body);
    let decided = !outside.is_empty() || Callees::new(m, &session.registry, &body).any_derived();
    let globals = decided.then(|| {
        let mut all = activity::written_globals(m, &session.registry, &bodies);
        all.extend(outside);
        all
    });
    let level = level(session, &bodies);
    let key = Key {
        func: request.func,
        params,
        active_return: request.active_return,
        primal_return: request.primal_return,
        width: request.width,
        vectors: session.options.vectors && !session.options.strong_zero,
        outermost: session.options.outermost,
        result: request.result,
        globals: globals.clone().unwrap_or_default(),
        level,
        disjoint: request.disjoint.clone(),
        extents: request.extents.clone(),
    };
    let (func, first) = match test {
        None => {
            let func = declare(m, session, &key, &request.name)?;
            (func, make(session, m, func, &key, body, Some(globals)))
        }
        Some((test, fast)) => {
            let apart = Key {
                disjoint: test.parameters(),
                ..key.clone()
            };
            let [one, other] = &tangents::names(m, request);
            let forms = [
                declare(m, session, &apart, one)?,
                declare(m, session, &key, other)?,
            ];
            let func = declare(m, session, &key, &request.name)?;
            let made = make(session, m, forms[0], &apart, fast, Some(globals.clone()))
                .and_then(|()| make(session, m, forms[1], &key, body, Some(globals)))
                .and_then(|()| {
                    let primal = (ctype, &unplanned);
                    tangents::choose(m, request, primal, &test, func, forms)
                });
            (func, made)
        }
    };
    let made = first.and_then(|()| {
        while let Some((func, key)) = session.forward.pending.pop() {
            let body = prepared(session, m, key.func, &key.disjoint)?;
            make(session, m, func, &key, body, None)?;
        }
        Ok(())
    });
    if let Err(error) = made {
        // What was declared and not made must not be found again.
        session.forward.pending.clear();
        session
            .forward
            .derivatives
            .retain(|_, f| m.funcs[*f].body.is_some());
        return Err(error);
    }
    Ok(func)
}

/// The body to differentiate.
fn prepared(
    session: &Session,
    m: &mut Module,
    func: Func,
    disjoint: &BTreeSet<(u32, u32)>,
) -> Result<Body> {
    let mut body = prepare::prepare(m, &session.registry, func, prepare::Threads::Forward)?;
    let ctype = m.funcs[func].ctype;
    let known = pairs_of_parameters(disjoint);
    crate::plan::before(m, &session.registry, ctype, &mut body, &known);
    Ok(body)
}

/// What is known if parameters point to different objects.
fn pairs_of_parameters(disjoint: &BTreeSet<(u32, u32)>) -> Disjoint {
    let mut known = Disjoint::default();
    for &(a, b) in disjoint {
        known.add(Object::Parameter(a), Object::Parameter(b));
    }
    known
}

/// The level of shadows that these bodies do not use themselves.
fn level(session: &Session, bodies: &[&Body]) -> u32 {
    let all = session.forward.globals.iter();
    let shadows: Vec<(u32, Global)> = all
        .flat_map(|((level, _), shadows)| shadows.iter().map(|&s| (*level, s)))
        .collect();
    crate::effects::level(bodies, &shadows)
}

/// The function that a derivative will be: its type, without a body.
fn declare(m: &mut Module, session: &mut Session, key: &Key, name: &str) -> Result<Func> {
    let function = m.funcs[key.func].clone();
    let CTypeKind::Function {
        ret,
        params,
        variadic,
        ..
    } = m.types.shape(function.ctype).clone()
    else {
        return Err(AdError::new(function.span, "what is not a function"));
    };
    if variadic {
        let what = format!("'{}': it has variable arguments", function.name);
        return Err(AdError::new(function.span, what));
    }
    let mut all = Vec::new();
    let mut names: Vec<Option<String>> = Vec::new();
    for (k, &t) in params.iter().enumerate() {
        let name = function.param_names.get(k).cloned().flatten();
        all.push(t);
        names.push(name.clone());
        if key.params.get(k).is_some_and(|&p| p != Pass::Const) {
            let name = name.unwrap_or_else(|| format!("p{k}"));
            for lane in 0..key.width {
                let mut tangent = lane_name(&name, lane, key.width);
                let taken = |n: &str| {
                    let n = Some(n);
                    names.iter().any(|other| other.as_deref() == n)
                        || function.param_names.iter().any(|o| o.as_deref() == n)
                };
                while taken(&tangent) {
                    tangent.push('_');
                }
                all.push(t);
                names.push(Some(tangent));
            }
        }
    }
    let ret = results::result_type(m, session, key, ret, &function)?;
    let ctype = m.types.intern(CTypeKind::Function {
        ret,
        params: all,
        variadic: false,
        prototyped: true,
    });
    Ok(m.funcs.push(Function {
        name: name.to_string(),
        ctype,
        param_names: names,
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span: function.span,
        body: None,
    }))
}

/// The name of a tangent.
fn lane_name(name: &str, lane: u32, width: u32) -> String {
    if width == 1 {
        format!("{name}_dot")
    } else {
        format!("{name}_dot{lane}")
    }
}

/// Makes the body of a declared derivative. Where functions are called that have derivatives of their own, all must agree which globals have shadows:
/// those that any of them writes. `outermost` says which globals have shadows (if that is decided already), which then start at zero.
fn make(
    session: &mut Session,
    m: &mut Module,
    func: Func,
    key: &Key,
    p: Body,
    outermost: Option<Option<BTreeSet<Global>>>,
) -> Result<()> {
    let function = m.funcs[func].clone();
    let callees = Callees::new(m, &session.registry, &p);
    let globals = match &outermost {
        Some(globals) => globals.clone(),
        None => Some(key.globals.clone()),
    };
    let facts = activity::analyse(Scene {
        module: m,
        registry: &session.registry,
        body: &p,
        params: &key.params,
        callees: &callees,
        globals: globals.as_ref(),
        runtime: session.options.runtime_activity,
    });
    let is_active = |v: Value| facts.has_tangent(v);
    let registry = &session.registry;
    if let Some((inst, name)) = bytewise::first_call(m, registry, &p, is_active, is_active) {
        return Err(AdError::new(p.insts[inst].span, bytewise::refusal(&name)));
    }
    if let Some((inst, why)) = crossing::first(m, registry, &p, is_active) {
        return Err(AdError::new(p.insts[inst].span, why));
    }
    if let Some(inst) = bytewise::first_move(m, &p, is_active) {
        let name = crate::activity::variable(m, &p, p.insts[inst].args[0]);
        return Err(AdError::new(
            p.insts[inst].span,
            bytewise::move_refusal(name),
        ));
    }
    if let Some((inst, name)) = crate::activity::round_trips::find(m, &p, is_active) {
        let what = crate::activity::round_trips::refusal(&name);
        return Err(AdError::new(p.insts[inst].span, what));
    }
    let d =
        Body::with_params(&m.types, function.ctype, &function.param_names).ok_or_else(|| {
            AdError::new(
                function.span,
                format!("'{}': a parameter has no value type", function.name),
            )
        })?;
    let key = Key {
        globals: facts.globals(),
        ..key.clone()
    };
    let lanes = match key.vectors {
        true => lanes::Lanes::choose(&m.types, &p, &facts, key.width),
        false => lanes::Lanes::default(),
    };
    let mut forward = Forward {
        at: d.entry,
        span: function.span,
        width: key.width as usize,
        lanes,
        f: HashMap::new(),
        t: HashMap::new(),
        targets: HashMap::new(),
        outermost: outermost.is_some(),
        session,
        m,
        p,
        d,
        facts,
        callees,
        key,
    };
    forward.bind_parameters();
    if forward.outermost {
        forward.restart_shadow_globals()?;
        forward.stop_if_reached_twice()?;
    }
    let entry = forward.p.entry;
    step("tangents", || forward.region(entry))?;
    let apart = forward.told_apart();
    let mut body = forward.d;
    crate::plan::share::operations(m, &mut body);
    crate::plan::share::loads(m, &session.registry, function.ctype, &mut body, &apart);
    remove_unused(m, &mut body);
    if !session.options.errors {
        optional("zero_rows", || zero_rows::run(&mut m.types, &mut body));
    }
    crate::loops::order::run(&mut body);
    m.funcs[func].body = Some(body);
    Ok(())
}

/// Functions of the math library whose value only the primal result needed.
fn remove_unused(m: &Module, body: &mut Body) {
    loop {
        adjoin_passes::prune::run(&m.types, body);
        if crate::optimise::unread::run(m, body) {
            continue;
        }
        if !crate::optimise::dead_calls::once(m, body) {
            return;
        }
    }
}

/// The state of one differentiation.
struct Forward<'m> {
    session: &'m mut Session,
    m: &'m mut Module,
    key: Key,
    width: usize,
    /// How the tangents of numbers are kept.
    lanes: lanes::Lanes,
    /// Not called by another derivative.
    outermost: bool,
    /// The primal, and what is known of it.
    p: Body,
    facts: Facts,
    callees: Callees,
    /// The derivative, and the region where the next instruction goes.
    d: Body,
    at: Region,
    span: Span,
    /// Values of the primal, and their tangents, in the derivative.
    f: HashMap<Value, Value>,
    t: HashMap<Value, Vec<Value>>,
    /// Instructions with regions.
    targets: HashMap<Inst, Inst>,
}

impl Forward<'_> {
    fn bind_parameters(&mut self) {
        let mut next = self.d.regions[self.d.entry].args.clone().into_iter();
        let params = self.p.regions[self.p.entry].args.clone();
        for (k, v) in params.into_iter().enumerate() {
            if let Some(a) = next.next() {
                self.f.insert(v, a);
            }
            if self.key.params.get(k).is_some_and(|&p| p != Pass::Const) {
                let mut tangents: Vec<Value> = next.by_ref().take(self.width).collect();
                if self.key.params[k] == Pass::Unsure {
                    tangents = self.unless_primal(self.f[&v], tangents);
                }
                if self.facts.has_tangent(v) {
                    let parts = self.pack(self.p.ty(v), tangents);
                    self.t.insert(v, parts);
                }
            }
        }
    }

    /// With activity that shows at run time, a shadow pointer that is the pointer itself says that the memory is inactive.
    fn unless_primal(&mut self, pointer: Value, shadows: Vec<Value>) -> Vec<Value> {
        if !self.session.options.runtime_activity {
            return shadows;
        }
        let null = self.b().null();
        shadows
            .into_iter()
            .map(|shadow| {
                let same = self.b().eq(shadow, pointer);
                self.b().select(same, null, shadow)
            })
            .collect()
    }

    /// What is known of the memory behind the derivative's parameters: tangents that are written are not in memory of the primal, nor the other way round.
    fn told_apart(&self) -> Disjoint {
        let mut known = Disjoint::default();
        if self.session.options.runtime_activity {
            return known;
        }
        let (mut primals, mut shadows) = (Vec::new(), Vec::new());
        let mut at = 0;
        for (k, pass) in self.key.params.iter().enumerate() {
            primals.push((k as u32, Object::Parameter(at)));
            at += 1;
            if *pass != Pass::Const {
                shadows.extend((0..self.key.width).map(|lane| Object::Parameter(at + lane)));
                at += self.key.width;
            }
        }
        for (n, &(j, a)) in primals.iter().enumerate() {
            shadows.iter().for_each(|&b| known.add(a, b));
            for &(k, b) in &primals[..n] {
                if self.key.disjoint.contains(&(k, j)) {
                    known.add(a, b);
                }
            }
        }
        known
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            module: self.m,
            registry: &self.session.registry,
            body: &self.p,
            params: &self.key.params,
            callees: &self.callees,
            globals: Some(&self.key.globals),
            runtime: self.session.options.runtime_activity,
        }
    }

    // ---- values and tangents ----

    fn has_tangent(&self, v: Value) -> bool {
        self.facts.has_tangent(v)
    }

    /// The tangents of a value, one for each direction; zeros (NULL) if it has none.
    fn tangents(&mut self, v: Value) -> Result<Vec<Value>> {
        if let Some(t) = self.t.get(&v).cloned() {
            return Ok(match self.lanes.parts(self.p.ty(v)) {
                Some(_) => self.unpack(&t),
                None => t,
            });
        }
        if self.has_tangent(v) && self.facts.is_unsure(v) {
            return self.unsure_tangents(v);
        }
        let zero = self.zero(self.p.ty(v));
        Ok(vec![zero; self.width])
    }

    fn operands(&self, inst: Inst) -> Vec<Value> {
        self.p.insts[inst].args.iter().map(|v| self.f[v]).collect()
    }

    /// A value of the derivative stands for one of the primal.
    fn like(&mut self, old: Value, new: Value) {
        self.d.values[new].name.clone_from(&self.p.values[old].name);
        self.d.values[new].ctype = self.p.values[old].ctype;
        self.f.insert(old, new);
    }

    /// Values of the derivative are the tangents of one of the primal, one for each direction.
    fn set_tangents(&mut self, old: Value, new: Vec<Value>) {
        let parts = self.pack(self.p.ty(old), new);
        self.set_parts(old, parts);
    }

    /// Values of the derivative are the tangents of one of the primal, in the form in which they are kept.
    fn set_parts(&mut self, old: Value, new: Vec<Value>) {
        let count = new.len() as u32;
        for (lane, &v) in new.iter().enumerate() {
            if self.d.values[v].name.is_none() {
                let name = self.p.values[old].name.as_ref();
                self.d.values[v].name = name.map(|n| lane_name(n, lane as u32, count));
            }
            if self.d.values[v].ctype.is_none() && self.d.ty(v) == self.p.ty(old) {
                self.d.values[v].ctype = self.p.values[old].ctype;
            }
        }
        self.t.insert(old, new);
    }

    // ---- making instructions ----

    /// A builder at the current place.
    fn b(&mut self) -> Builder<'_> {
        let mut builder = Builder::at_end(&mut self.d, self.at);
        builder.span = self.span;
        builder
    }

    /// Runs `fill` with the end of a region as the current place.
    fn inside<T>(
        &mut self,
        region: Region,
        fill: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let old = std::mem::replace(&mut self.at, region);
        let result = fill(self);
        self.at = old;
        result
    }

    /// `if (condition)` with one result; otherwise it is `default`.
    fn value_if(
        &mut self,
        condition: Value,
        default: Value,
        fill: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        let ty = self.d.ty(default);
        let (inst, then, otherwise) = self.b().if_(condition, &[ty]);
        self.inside(then, |me| {
            let v = fill(me)?;
            me.b().yield_(&[v]);
            Ok(())
        })?;
        self.inside(otherwise, |me| {
            me.b().yield_(&[default]);
            Ok(())
        })?;
        Ok(self.d.result(inst))
    }

    /// `if (condition)`.
    fn when(&mut self, condition: Value, fill: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let (_, then, otherwise) = self.b().if_(condition, &[]);
        self.inside(then, |me| {
            fill(me)?;
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(otherwise, |me| {
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// Is a shadow there? An address inside an object is not NULL where the object's is, so that is asked.
    fn is_there(&mut self, shadow: Value) -> Value {
        let base = crate::activity::root(&self.d, shadow);
        let null = self.b().null();
        self.b().ne(base, null)
    }

    fn cast(&mut self, ty: Type, v: Value) -> Value {
        self.b().cast(ty, v)
    }

    fn zero(&mut self, ty: Type) -> Value {
        self.b().zero_of(ty)
    }

    fn int(&mut self, n: i128) -> Value {
        self.b().constant(Type::I64, Const::Int(n))
    }

    fn call(&mut self, func: Func, args: Vec<Value>) -> Option<Value> {
        let signature = Signature::of(&self.m.types, self.m.funcs[func].ctype)?;
        let result = signature.result();
        let op = Op::Call(CallAttr {
            func,
            extra: Vec::new(),
        });
        let inst = self.b().inst(op, args, result.as_slice());
        result.map(|_| self.d.result(inst))
    }

    fn size(&self, t: CTy, inst: Inst) -> Result<u64> {
        match self.m.types.size_of(t) {
            Some(n) => Ok(n),
            None => self.error(inst, "an object whose size is not known"),
        }
    }

    fn error<T>(&self, inst: Inst, what: impl Into<String>) -> Result<T> {
        Err(AdError::new(self.p.insts[inst].span, what))
    }

    /// The name of the variable behind an address, for messages.
    fn variable(&self, address: Value) -> String {
        let base = activity::root(self.scene(), address);
        let def = self.p.def_inst(base).map(|i| &self.p.insts[i].op);
        match def {
            Some(Op::Slot(attr) | Op::SlotVla(attr)) => attr.name.as_deref(),
            Some(Op::GlobalAddr(g)) => Some(&*self.m.globals[*g].name),
            _ => self.p.values[base].name.as_deref(),
        }
        .unwrap_or("memory")
        .to_string()
    }
}

/// A name that no function and no global has.
fn unused_name(m: &Module, base: &str) -> String {
    let taken = |name: &str| {
        m.funcs.values().any(|f| f.name == name) || m.globals.values().any(|g| g.name == name)
    };
    let mut name = base.to_string();
    let mut number = 1;
    while taken(&name) {
        number += 1;
        name = format!("{base}_{number}");
    }
    name
}
