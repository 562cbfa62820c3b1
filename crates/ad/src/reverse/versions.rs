//! Versions of a derivative: where memory behind parameters might overlap and the plan is better if it does not, the derivative tests that when it starts.
//!
//! The bytes that the body accesses are known as polynomials of what is known at the start (`plan::footprint`). The test is made in floating point, which neither
//! overflows nor traps; numbers beyond what a double holds exactly fail it. What fails runs the general form, which is right for any arguments.

use super::Result;
use super::pairs::{Prepared, unused_name};
use crate::plan::bounds::Condition;
use crate::plan::footprint::{Footprint, Footprints, Start};
use crate::plan::members::{self, Hoisted};
use crate::plan::polynomial::{Atom, Polynomial};
use crate::plan::reread::Rereads;
use crate::points_to::{Disjoint, Object, PointsTo, SOMEWHERE};
use crate::{Activity, AdError, Registry, Request, Session};
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, Function, Inst, Module, Op, Pred, Type,
    Value, ValueDef,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

mod limits;
pub(crate) mod reached;
mod rows;
mod scans;
pub(crate) mod tangents;

/// Larger numbers are not bounds of memory, and doubles hold smaller ones exactly.
const LARGEST: f64 = 1125899906842624.0;

/// A test that pays.
pub(crate) struct Test {
    /// What holds if it succeeds, with what was known before.
    pub disjoint: Disjoint,
    /// What is tested.
    tested: Disjoint,
    /// What is tested of indices in memory.
    limits: Vec<Condition>,
    /// Arrays of pointers whose rows are tested, and those of their shadows.
    rows: Vec<rows::Rows>,
    /// Loads whose bounds another load has.
    covering: BTreeMap<Inst, Inst>,
    footprints: Footprints,
    /// The body that the footprints are of.
    body: Body,
    /// The body with members of structs in front of loops, which must then run.
    hoisted: Option<Hoisted>,
}

/// Is there a test that lets the reverse sweep read more memory again?
pub(super) fn find_test(
    m: &Module,
    session: &Session,
    request: &Request,
    prepared: &Prepared,
    known: &Disjoint,
) -> Option<Test> {
    let registry = &session.registry;
    if !adjoin_passes::registry::is_on("versions") {
        return None;
    }
    let hoisted = members::hoist(m, registry, prepared.ctype, &prepared.body, known);
    let body = hoisted.as_ref().map_or(&*prepared.body, |h| &h.body);
    let aggregate = match m.types.shape(m.funcs[request.func].ctype) {
        CTypeKind::Function { ret, .. } => m.types.is_aggregate(*ret),
        _ => return None,
    };
    if body.regions[body.entry].args.len() != request.params.len() + usize::from(aggregate) {
        return None;
    }
    // Bounds of loops that are in memory have left them here.
    let mut planned = body.clone();
    crate::plan::before(m, registry, prepared.ctype, &mut planned, known);
    let points = PointsTo::of_type(m, registry, prepared.ctype, &planned)
        .assuming(known)
        .with_members();
    let footprints = Footprints::of(m, &planned, &points);
    let tested = footprints.pairs(&points);
    let indices = limits::candidates(&planned, &points, &footprints);
    let rows = rows::candidates(&planned, &points, &footprints);
    // Where the run says which shadows are ones, what leads to one must go on asking.
    let shadows = match session.options.runtime_activity {
        true => Vec::new(),
        false => rows::shadows(request, &planned, &footprints, &rows),
    };
    let indirect = shadows.iter().any(|o| matches!(o, Object::Member(..)));
    if tested.is_empty() && indices.is_empty() && !indirect {
        return None;
    }
    let mut disjoint = known.clone();
    for (a, b) in tested.pairs() {
        disjoint.add(a, b);
    }
    let blocked =
        |facts: &Disjoint| Rereads::of(m, registry, prepared.ctype, body, facts, None, &[]).count();
    let before = blocked(known);
    let mut now = match tested.is_empty() {
        true => before,
        false => blocked(&disjoint),
    };
    let mut limits = Vec::new();
    for index in indices {
        let mut with = disjoint.clone();
        with.limit(index.object, index.parameter);
        let less = blocked(&with);
        if less < now && disjoint.limit_of(index.object).is_none() {
            (now, disjoint) = (less, with);
            limits.extend(index.conditions);
        }
    }
    for row in &rows {
        disjoint.tell_rows_apart(row.object);
    }
    if indirect {
        (shadows.into_iter()).for_each(|o| disjoint.tell_shadow_apart(o));
    }
    // Adjoints behind pointers in memory that are there, and apart, are added to in lanes.
    let helps = now < before || indirect || {
        let mut body = body.clone();
        crate::plan::before(m, registry, prepared.ctype, &mut body, &disjoint) > 0
    };
    helps.then_some(Test {
        disjoint,
        tested,
        limits,
        covering: rows::covering(&planned, &points, &footprints, &rows),
        rows,
        footprints,
        body: planned,
        hoisted,
    })
}

impl Test {
    fn emitter<'a, 'b>(
        &'a self,
        b: &'a mut Builder<'b>,
        values: &HashMap<Value, Value>,
        long: CTy,
    ) -> Emitter<'a, 'b> {
        let mut emitter = Emitter::new(&self.body, b, values.clone());
        emitter.footprints = Some(&self.footprints);
        emitter.long = Some(long);
        emitter.covering.clone_from(&self.covering);
        emitter
    }

    /// Does all hold that is assumed?
    fn condition(&self, e: &mut Emitter<'_, '_>, request: &Request, arguments: &[Value]) -> Value {
        let objects = self.tested.pairs().flat_map(|(a, b)| [a, b]).collect();
        let starts = |e: &mut Emitter<'_, '_>, o: Object| e.base(o).into_iter().collect();
        let mut condition = Some(e.test(&objects, &self.tested, &self.footprints, &starts));
        for limit in &self.limits {
            let holds = e.condition(limit);
            e.and(&mut condition, holds);
        }
        for row in &self.rows {
            let (holds, _) = e.rows_apart(row, None);
            e.and(&mut condition, holds);
        }
        let holds = e.shadows_apart(request, &self.rows, &self.disjoint, arguments);
        e.and(&mut condition, holds);
        match condition {
            Some(condition) => condition,
            None => e.b.bool_(true),
        }
    }

    /// The body that the form is of that needs the test.
    pub(super) fn form(&self, prepared: &Prepared) -> Prepared {
        let mut better = prepared.clone();
        if let Some(hoisted) = &self.hoisted {
            better.body = Rc::new(hoisted.body.clone());
        }
        better
    }

    /// A condition that is only asked where loops run; where they do not, it does not hold.
    fn guarded(
        &self,
        b: &mut Builder<'_>,
        mut values: HashMap<Value, Value>,
        first: usize,
        ask: &mut Ask<'_>,
    ) -> Value {
        let guard = (self.hoisted.as_ref()).and_then(|h| Some((h, h.guards.get(first)?)));
        let Some((hoisted, guard)) = guard else {
            return ask(b, &values);
        };
        let mut emitter = Emitter::new(&hoisted.body, b, values);
        let runs = emitter.primal(*guard);
        values = emitter.values;
        let (inst, then, otherwise) = b.if_(runs, &[Type::Bool]);
        let back = b.enter(then);
        let holds = self.guarded(b, values, first + 1, ask);
        b.yield_(&[holds]);
        b.leave(back);
        b.inside(otherwise, |b| {
            let no = b.bool_(false);
            b.yield_(&[no]);
        });
        b.body.result(inst)
    }
}

/// Makes a condition out of what parameters are.
type Ask<'a> = dyn FnMut(&mut Builder<'_>, &HashMap<Value, Value>) -> Value + 'a;

/// Makes the function that tests and calls one form or the other.
pub(super) fn dispatcher(
    m: &mut Module,
    request: &Request,
    prepared: &Prepared,
    test: &Test,
    [mut fast, mut general]: [Function; 2],
) -> Result<Func> {
    let function = general.clone();
    fast.name = unused_name(m, &format!("{}_disjoint", request.name));
    general.name = unused_name(m, &format!("{}_general", request.name));
    let forms = [fast, general].map(|f| m.funcs.push(f));
    let condition =
        |e: &mut Emitter<'_, '_>, arguments: &[Value]| test.condition(e, request, arguments);
    let body = dispatch(m, request, prepared, test, &function, forms, &condition)?;
    Ok(m.funcs.push(Function {
        body: Some(body),
        ..function
    }))
}

/// Makes a condition out of what the arguments of a derivative are.
type Holds<'a> = dyn Fn(&mut Emitter<'_, '_>, &[Value]) -> Value + 'a;

/// The body of a function that calls one of two forms.
fn dispatch(
    m: &mut Module,
    request: &Request,
    prepared: &Prepared,
    test: &Test,
    function: &Function,
    [fast, general]: [Func; 2],
    holds: &Holds<'_>,
) -> Result<Body> {
    let (ctype, span) = (function.ctype, function.span);
    let fail = || AdError::new(span, "a function whose type has no values");
    let mut d = Body::with_params(&m.types, ctype, &function.param_names).ok_or_else(fail)?;
    let signature = Signature::of(&m.types, ctype).ok_or_else(fail)?;
    let formals = positions(request, prepared);
    let arguments = d.regions[d.entry].args.clone();
    let long = m.types.basic(Basic::Long);
    let mut builder = Builder::new(&mut d);
    builder.span = span;
    let b = &mut builder;
    let p = &test.body;
    let of_formal = |(formal, at): (usize, usize)| (p.regions[p.entry].args[formal], arguments[at]);
    let values: HashMap<Value, Value> = formals.into_iter().map(of_formal).collect();
    let condition = test.guarded(b, values, 0, &mut |b, values| {
        let mut emitter = test.emitter(b, values, long);
        holds(&mut emitter, &arguments)
    });
    let results: Vec<Type> = signature.result().into_iter().collect();
    let (args, slot) = match signature.ret {
        Return::Aggregate(t) => {
            let slot = b.slot(t, Some("gradient"));
            ([&[slot], &arguments[..]].concat(), Some(slot))
        }
        _ => (arguments, None),
    };
    let (inst, then, otherwise) = b.if_(condition, &results);
    for (region, func) in [(then, fast), (otherwise, general)] {
        b.inside(region, |b| {
            let extra = Vec::new();
            let call = b.inst(Op::Call(CallAttr { func, extra }), args.clone(), &results);
            let values = b.body.insts[call].results.clone();
            b.yield_(&values);
        });
    }
    let values = match slot {
        Some(slot) => vec![slot],
        None => b.body.insts[inst].results.clone(),
    };
    b.ret(&values);
    Ok(d)
}

/// What can be tested of shadows when a derivative starts: a shadow is accessed where its primal is.
pub(super) struct Shadows {
    footprints: Footprints,
    /// The body that the footprints are of.
    body: Body,
    /// Parameters of the primal whose shadows are to be told apart.
    pairs: Disjoint,
    /// Where the shadows of parameters stand among the derivative's parameters, one for each seed.
    at: BTreeMap<Object, Vec<usize>>,
    positions: Vec<(usize, usize)>,
}

impl Shadows {
    /// Of a request for a derivative in one function.
    pub fn find(
        m: &Module,
        registry: &Registry,
        request: &Request,
        prepared: &Prepared,
    ) -> Option<Shadows> {
        let body = (*prepared.body).clone();
        let entry = &body.regions[body.entry].args;
        if entry.len() != request.params.len() || !adjoin_passes::registry::is_on("versions") {
            return None;
        }
        let footprints = {
            let points = PointsTo::of_type(m, registry, prepared.ctype, &body);
            Footprints::of(m, &body, &points)
        };
        let positions = positions(request, prepared);
        let mut at = BTreeMap::new();
        for (k, activity) in request.params.iter().enumerate() {
            let object = Object::Parameter(k as u32);
            let tested = activity.has_shadow() && body.ty(entry[k]) == Type::Ptr;
            if tested && footprints.get(object).is_some() {
                let first = positions[k].1 + 1;
                let count = shadow_count(request, *activity) as usize;
                at.insert(object, (first..first + count).collect::<Vec<_>>());
            }
        }
        let mut pairs = Disjoint::default();
        for (k, &a) in at.keys().enumerate() {
            at.keys().skip(k + 1).for_each(|&b| pairs.add(a, b));
        }
        let count: usize = at.values().map(Vec::len).sum();
        (2..=8).contains(&count).then_some(Shadows {
            footprints,
            body,
            pairs,
            at,
            positions,
        })
    }

    /// The pairs of the derivative's parameters that share nothing where the test succeeds.
    pub fn tested(&self) -> Disjoint {
        let mut tested = Disjoint::default();
        let places: Vec<u32> = self.at.values().flatten().map(|&k| k as u32).collect();
        for (k, &a) in places.iter().enumerate() {
            for &b in &places[k + 1..] {
                tested.add(Object::Parameter(a), Object::Parameter(b));
            }
        }
        tested
    }

    /// How deep the loops of the test's scans are.
    pub fn depth(&self) -> usize {
        let scans = self.footprints.scans.values();
        let loops = |l: &(Inst, bool)| l.1 && matches!(self.body.insts[l.0].op, Op::For(_));
        let depths = scans.map(|s| s.loops.iter().filter(|l| loops(l)).count());
        depths.max().unwrap_or(0)
    }

    /// Makes the test at the start of a derivative.
    pub fn test(&self, d: &mut Body) -> Value {
        let arguments = d.regions[d.entry].args.clone();
        let mut b = Builder::new(d);
        b.cursor.before = Some(0);
        let p = &self.body;
        let of_formal =
            |&(formal, at): &(usize, usize)| (p.regions[p.entry].args[formal], arguments[at]);
        let values = self.positions.iter().map(of_formal).collect();
        let mut emitter = Emitter::new(p, &mut b, values);
        emitter.footprints = Some(&self.footprints);
        let starts = |_: &mut Emitter<'_, '_>, object: Object| match self.at.get(&object) {
            Some(all) => all.iter().map(|&k| arguments[k]).collect(),
            None => Vec::new(),
        };
        let objects = self.at.keys().copied().collect();
        emitter.test(&objects, &self.pairs, &self.footprints, &starts)
    }
}

/// How many shadows follow a parameter.
pub(super) fn shadow_count(request: &Request, activity: Activity) -> u32 {
    match activity.has_shadow() {
        true => request.width,
        false => 0,
    }
}

/// For each parameter of the form by reference that is one of the C function: where it stands among the derivative's.
fn positions(request: &Request, prepared: &Prepared) -> Vec<(usize, usize)> {
    let count = prepared.body.regions[prepared.body.entry].args.len();
    let first = count - request.params.len().min(count);
    let mut at = 0;
    let mut all = Vec::new();
    for (k, activity) in request.params.iter().enumerate() {
        all.push((first + k, at));
        at += 1 + shadow_count(request, *activity) as usize;
    }
    all
}

/// Computes what is known when a function starts, in another function.
pub(super) struct Emitter<'a, 'b> {
    p: &'a Body,
    footprints: Option<&'a Footprints>,
    /// Loads whose bounds another load has.
    covering: BTreeMap<Inst, Inst>,
    /// The smallest and the largest number that a load gives.
    scanned: HashMap<Inst, [Value; 2]>,
    b: &'a mut Builder<'b>,
    values: HashMap<Value, Value>,
    /// How many threads a team has at most, if it was asked.
    threads: Option<Value>,
    /// The type `long`, where a team may scan.
    long: Option<CTy>,
    /// The scan that is being made is one of a parallel region.
    of_team: bool,
    /// The innermost loop of the scan that is being made, if it is made in runs.
    row: Option<Inst>,
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// Of a body whose parameters have these values.
    pub fn new(p: &'a Body, b: &'a mut Builder<'b>, values: HashMap<Value, Value>) -> Self {
        Emitter {
            p,
            footprints: None,
            covering: BTreeMap::new(),
            scanned: HashMap::new(),
            b,
            values,
            threads: None,
            long: None,
            of_team: false,
            row: None,
        }
    }

    /// Does a counted loop run?
    fn does_run(&mut self, pred: Pred, start: Value, end: Value) -> Value {
        match pred {
            Pred::Lt => self.b.lt(start, end),
            Pred::Le => self.b.le(start, end),
            Pred::Gt => self.b.gt(start, end),
            Pred::Ge => self.b.ge(start, end),
            Pred::Ne => self.b.ne(start, end),
        }
    }

    /// The first of some bytes behind a pointer, how many there are, and whether that is so.
    pub fn extent(
        &mut self,
        base: Value,
        [low, high]: [&Polynomial; 2],
        conditions: &BTreeSet<Condition>,
    ) -> (Value, Value, Value) {
        let holds = self.are_bounds([low, high], conditions);
        let begin = self.end(base, low);
        let end = self.end(base, high);
        let bytes = self.b.sub(end, begin);
        let begin = self.b.cast(Type::Ptr, begin);
        (begin, bytes, holds)
    }

    /// Are bytes between two bounds those that are accessed?
    fn are_bounds(&mut self, bounds: [&Polynomial; 2], conditions: &BTreeSet<Condition>) -> Value {
        let mut conditions = conditions.clone();
        for p in bounds {
            if p.as_constant().is_none() {
                conditions.insert(Condition::AtMost(p.magnitude(), LARGEST as i64));
            }
        }
        let mut all = None;
        for condition in conditions {
            let test = self.condition(&condition);
            self.and(&mut all, test);
        }
        match all {
            Some(test) => test,
            None => self.b.bool_(true),
        }
    }

    /// Do pairs of objects of the body share nothing?
    pub fn are_apart(mut self, footprints: &'a Footprints, tested: &Disjoint) -> Value {
        self.footprints = Some(footprints);
        let objects = tested.pairs().flat_map(|(a, b)| [a, b]).collect();
        let starts = |e: &mut Self, o: Object| e.base(o).into_iter().collect();
        self.test(&objects, tested, footprints, &starts)
    }

    /// Do pairs of objects share nothing? Where an object begins, `starts` says; where there are several of one, they share nothing, too.
    fn test(
        &mut self,
        objects: &BTreeSet<Object>,
        tested: &Disjoint,
        footprints: &Footprints,
        starts: &dyn Fn(&mut Self, Object) -> Vec<Value>,
    ) -> Value {
        let mut conditions = BTreeSet::new();
        let mut ends: BTreeMap<Object, Vec<[Value; 2]>> = BTreeMap::new();
        for &object in objects {
            let Some(footprint) = footprints.get(object) else {
                continue;
            };
            let Footprint { low, high, .. } = footprint;
            conditions.extend(footprint.conditions.iter().cloned());
            for p in [low, high] {
                if p.as_constant().is_none() {
                    let large = Condition::AtMost(p.magnitude(), LARGEST as i64);
                    conditions.insert(large);
                }
            }
        }
        let mut all = None;
        for condition in conditions {
            let test = self.condition(&condition);
            self.and(&mut all, test);
        }
        let mut pairs: Vec<[[Value; 2]; 2]> = Vec::new();
        for &object in objects {
            let Some(footprint) = footprints.get(object) else {
                continue;
            };
            let mut all = Vec::new();
            for base in starts(self, object) {
                let both = [&footprint.low, &footprint.high].map(|p| self.end(base, p));
                pairs.extend(all.iter().map(|&other| [other, both]));
                all.push(both);
            }
            ends.insert(object, all);
        }
        for (a, b) in tested.pairs() {
            for &x in ends.get(&a).into_iter().flatten() {
                pairs.extend(ends.get(&b).into_iter().flatten().map(|&y| [x, y]));
            }
        }
        for [[a_low, a_high], [b_low, b_high]] in pairs {
            let before = self.b.le(a_high, b_low);
            let behind = self.b.le(b_high, a_low);
            let test = self.b.or(before, behind);
            self.and(&mut all, test);
        }
        match all {
            Some(test) => test,
            None => self.b.bool_(true),
        }
    }

    /// Where an object of the primal begins.
    fn base(&mut self, object: Object) -> Option<Value> {
        match object {
            Object::Parameter(k) => {
                let v = self.p.regions[self.p.entry].args[k as usize];
                Some(self.primal(v))
            }
            Object::Global(g) => Some(self.b.global(g)),
            // Its bounds are addresses.
            Object::Member(_, SOMEWHERE) => Some(self.b.null()),
            object => {
                let v = self.footprints.and_then(|f| f.pointer(object))?;
                Some(self.primal(v))
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> Value {
        let (p, n, least) = match condition {
            Condition::AtLeast(p, n) => (p, *n, true),
            Condition::AtMost(p, n) => (p, *n, false),
        };
        let mut terms = p.terms();
        if let (Some(([Atom::Value(v)], 1)), None, 0, true) = (terms.next(), terms.next(), n, least)
        {
            let x = self.primal(*v);
            let zero = self.b.zero_of(self.p.ty(*v));
            return self.b.ge(x, zero);
        }
        let x = self.polynomial(p);
        let limit = self.b.float(Type::F64, n as f64);
        match least {
            true => self.b.ge(x, limit),
            false => self.b.le(x, limit),
        }
    }

    fn and(&mut self, all: &mut Option<Value>, test: Value) {
        *all = Some(match *all {
            Some(other) => self.b.and(other, test),
            None => test,
        });
    }

    /// The address some bytes behind another, as a number.
    fn end(&mut self, base: Value, distance: &Polynomial) -> Value {
        let base = self.b.cast(Type::I64, base);
        let distance = match distance.as_constant() {
            Some(0) => return base,
            Some(n) => self.b.int(Type::I64, n.into()),
            None => {
                let x = self.polynomial(distance);
                self.b.cast(Type::I64, x)
            }
        };
        self.b.add(base, distance)
    }

    /// A polynomial in floating point.
    fn polynomial(&mut self, p: &Polynomial) -> Value {
        let mut sum = None;
        for (atoms, c) in p.terms() {
            let mut product = None;
            for atom in atoms {
                let x = self.atom(atom);
                product = Some(match product {
                    Some(y) => self.b.mul(y, x),
                    None => x,
                });
            }
            let magnitude = c.unsigned_abs() as f64;
            let term = match product {
                None => self.b.float(Type::F64, magnitude),
                Some(y) if c.abs() == 1 => y,
                Some(y) => {
                    let factor = self.b.float(Type::F64, magnitude);
                    self.b.mul(factor, y)
                }
            };
            sum = Some(match (sum, c < 0) {
                (Some(s), false) => self.b.add(s, term),
                (Some(s), true) => self.b.sub(s, term),
                (None, false) => term,
                (None, true) => self.b.neg(term),
            });
        }
        match sum {
            Some(v) => v,
            None => self.b.float(Type::F64, 0.0),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Value {
        match atom {
            Atom::Value(v) | Atom::Second(v) => {
                let x = self.primal(*v);
                self.b.cast(Type::F64, x)
            }
            Atom::Quotient(..) => unreachable!("only the dependence test asks for quotients"),
            Atom::Last(_) => unreachable!("only copies ask for the last iteration"),
            Atom::Smallest(load) => {
                let [least, _] = self.scan(*load);
                self.b.cast(Type::F64, least)
            }
            Atom::Largest(load) => {
                let [_, most] = self.scan(*load);
                self.b.cast(Type::F64, most)
            }
            Atom::Threads(most) => {
                let threads = match self.threads {
                    Some(found) => found,
                    None => {
                        let op = Op::Call(CallAttr {
                            func: *most,
                            extra: Vec::new(),
                        });
                        self.b.value(op, Vec::new(), Type::I32)
                    }
                };
                self.threads = Some(threads);
                self.b.cast(Type::F64, threads)
            }
            Atom::Least(p, q) => {
                let (x, y) = (self.polynomial(p), self.polynomial(q));
                let less = self.b.lt(x, y);
                self.b.select(less, x, y)
            }
            Atom::Most(p, q) => {
                let (x, y) = (self.polynomial(p), self.polynomial(q));
                let less = self.b.lt(x, y);
                self.b.select(less, y, x)
            }
        }
    }

    /// A value of the primal that is known at its start.
    fn primal(&mut self, v: Value) -> Value {
        if let Some(&x) = self.values.get(&v) {
            return x;
        }
        // The start of an object may come by ways that are not known yet.
        if let Some(start) = self.footprints.and_then(|f| f.start(v)) {
            let x = match start {
                Start::Parameter(k) => self.primal(self.p.regions[self.p.entry].args[k as usize]),
                Start::Value(other) => self.primal(other),
            };
            self.values.insert(v, x);
            return x;
        }
        let ValueDef::Result(inst, _) = self.p.values[v].def else {
            // Only parameters are known without an instruction, and they are bound.
            return self.b.zero_of(self.p.ty(v));
        };
        let data = &self.p.insts[inst];
        let args = data.args.iter().map(|&a| self.primal(a)).collect();
        let x = self.b.value(data.op.clone(), args, self.p.ty(v));
        self.b.body.values[x].ctype = self.p.values[v].ctype;
        self.values.insert(v, x);
        x
    }
}
