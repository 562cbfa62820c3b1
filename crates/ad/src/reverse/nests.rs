//! Nests of loops that reach memory through pointers of which nobody knows whether they meet: rows of a tree's nodes, buffers of layers, what a function is given that many call.
//!
//! Where a nest may write what it reads through another pointer, every value that it reads would have to be kept, in each iteration. The bytes that a nest accesses are known in front of it more often
//! than at the start of a function (`plan::footprint`, of the nest alone): so a test stands there, and the nest twice, once as one of which `points_to` knows that what it reaches through different
//! pointers is apart (`Disjoint::nests`). That holds while the nest runs once, no longer: the next time the pointers may be others.

use super::versions::Emitter;
use crate::Registry;
use crate::activity::root;
use crate::plan::footprint::Footprints;
use crate::points_to::{Access, Disjoint, Object, PointsTo};
use adjoin_ir::{Body, Builder, CTy, Inst, Module, Op, Region, Type, Value, ValueDef};
use adjoin_passes::copy::Copier;
use adjoin_passes::edit::{self, Replacements};
use std::collections::{BTreeMap, BTreeSet};

/// Larger nests are not copied.
const MOST_IN_NEST: usize = 240;
/// All that is copied in a function.
const MOST_IN_BODY: usize = 900;
/// More pairs are not tested.
const MOST_PAIRS: usize = 12;

/// A nest, and what is tested in front of it.
pub(crate) struct Plan {
    pub nest: Inst,
    /// The nest as a body of its own, whose parameters are what it uses of others.
    alone: Body,
    /// What these are.
    used: Vec<Value>,
    footprints: Footprints,
    tested: Disjoint,
    /// The pointers from outside that the nest's addresses are computed from.
    pointers: BTreeSet<Value>,
}

impl Plan {
    /// Says of a copy of the nest what the test in front of it shows.
    pub fn tell(&self, known: &mut Disjoint, copy: Inst, replaced: &Replacements) {
        let pointers = self.pointers.iter().map(|&v| replaced.get(v));
        known.tell_nest_apart(copy, pointers.collect());
    }
}

/// A body whose nests stand there twice where a test can tell more of their memory than is known, and what is then known.
pub(super) fn split(
    m: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Disjoint,
) -> Option<(Body, Disjoint)> {
    if !adjoin_passes::registry::is_on("versions") {
        return None;
    }
    // Of what is only added up, or multiplied by constants, nothing is kept.
    let keeps = |nest: Inst| {
        let all = edit::insts_in(body, body.insts[nest].regions[0]);
        all.into_iter().any(|inst| is_product(body, inst))
    };
    let plans = find(m, registry, ctype, body, known, &keeps);
    if plans.is_empty() {
        return None;
    }
    let mut body = body.clone();
    let mut known = known.clone();
    let mut replaced = Replacements::default();
    for plan in &plans {
        let (copy, _) = apply(&mut body, plan, &mut replaced);
        plan.tell(&mut known, copy, &replaced);
    }
    crate::plan::before(m, registry, ctype, &mut body, &known);
    Some((body, known))
}

/// The nests of a body that stand for a test, among those that are wanted.
pub(crate) fn find(
    m: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Disjoint,
    wanted: &dyn Fn(Inst) -> bool,
) -> Vec<Plan> {
    let mut teams = false;
    body.walk(|inst| teams |= matches!(body.insts[inst].op, Op::Par(_)));
    if teams {
        return Vec::new();
    }
    let points = PointsTo::of_type(m, registry, ctype, body).assuming(known);
    let mut plans = Vec::new();
    let mut room = MOST_IN_BODY;
    let mut work = vec![body.entry];
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            if matches!(data.op, Op::For(_))
                && wanted(inst)
                && let Some(size) = size(m, body, inst)
                && size <= room.min(MOST_IN_NEST)
                && let Some(plan) = plan(m, registry, &points, body, inst)
            {
                room -= size;
                plans.push(plan);
            } else {
                work.extend(data.regions.iter().copied());
            }
        }
    }
    plans
}

/// How many instructions there are in a nest of arithmetic, loads, stores, variables, branches and loops; none if there is anything else.
fn size(m: &Module, body: &Body, inst: Inst) -> Option<usize> {
    let data = &body.insts[inst];
    let fits = match &data.op {
        Op::Load(attr) | Op::Store(attr) => !attr.volatile,
        Op::For(_) | Op::If | Op::Yield | Op::Slot(_) => true,
        Op::Call(attr) => {
            let function = &m.funcs[attr.func];
            function.body.is_none() && crate::rules::lookup(&function.name).is_some()
        }
        op => op.is_pure() && data.regions.is_empty(),
    };
    let mut inner = data.regions.iter().flat_map(|&r| &body.regions[r].insts);
    let all = inner.try_fold(1, |sum, &i| Some(sum + size(m, body, i)?))?;
    fits.then_some(all)
}

/// Does an instruction multiply, divide by or call with numbers that may have a derivative, so that R needs them?
fn is_product(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let varies = |&v: &Value| body.ty(v).is_float() && !is_constant(body, v, 12);
    match data.op {
        Op::Mul => data.args.iter().all(varies),
        Op::Div => varies(&data.args[1]),
        Op::Call(_) => data.args.iter().any(varies),
        _ => false,
    }
}

/// Is a number made of constants and integers alone?
fn is_constant(body: &Body, v: Value, depth: usize) -> bool {
    if body.ty(v).is_int() {
        return true;
    }
    let Some(inst) = body.def_inst(v).filter(|_| depth > 0) else {
        return false;
    };
    let data = &body.insts[inst];
    match data.op {
        Op::Const(_) => true,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Cast => {
            data.args.iter().all(|&a| is_constant(body, a, depth - 1))
        }
        _ => false,
    }
}

fn is_outside(body: &Body, v: Value, nest: Inst) -> bool {
    match body.values[v].def {
        ValueDef::Arg(region, _) => !body.encloses(body.insts[nest].regions[0], region),
        ValueDef::Result(inst, _) => inst != nest && !edit::is_inside(body, inst, nest),
    }
}

/// Does a nest read numbers that it may write through another pointer, and can a test tell?
fn plan(
    m: &Module,
    registry: &Registry,
    points: &PointsTo<'_>,
    body: &Body,
    nest: Inst,
) -> Option<Plan> {
    let all = edit::insts_in(body, body.insts[nest].regions[0]);
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let mut pointers = BTreeSet::new();
    for &inst in &all {
        let data = &body.insts[inst];
        let (list, ty) = match data.op {
            Op::Load(_) => (&mut reads, body.ty(data.results[0])),
            Op::Store(_) => (&mut writes, body.ty(data.args[1])),
            _ => continue,
        };
        let base = root(body, data.args[0]);
        if !is_outside(body, base, nest) {
            continue;
        }
        pointers.insert(base);
        if ty.is_float() {
            list.push((base, Access::scalar(data.args[0], ty)));
        }
    }
    // What takes turns is apart already.
    let inside = body.insts[nest].regions[0];
    let blocked = reads.iter().any(|(base, read)| {
        let mut others = writes.iter().filter(|(other, _)| other != base);
        others.any(|(other, write)| {
            points.may_alias(read, write) && !points.take_turns(*base, *other, inside)
        })
    });
    if !blocked {
        return None;
    }
    let (alone, used) = alone(body, nest, &all);
    let apart = apart(points, body, &used, inside);
    let inner = PointsTo::of_body(m, registry, None, &alone).assuming(&apart);
    let footprints = Footprints::of(m, &alone, &inner);
    if !footprints.scans.is_empty() || !footprints.are_known(&inner) {
        return None;
    }
    let tested = footprints.pairs(&inner);
    if !(1..=MOST_PAIRS).contains(&tested.pairs().count()) {
        return None;
    }
    Some(Plan {
        nest,
        alone,
        used,
        footprints,
        tested,
        pointers,
    })
}

/// A nest as a body of its own, and the values that its parameters stand for.
fn alone(body: &Body, nest: Inst, all: &[Inst]) -> (Body, Vec<Value>) {
    let mut alone = body.clone();
    let entry = alone.entry;
    alone.regions[entry].args.clear();
    alone.regions[entry].insts.clear();
    let mut used = Vec::new();
    let mut here: BTreeMap<Value, Value> = BTreeMap::new();
    for &inst in std::iter::once(&nest).chain(all) {
        for k in 0..body.insts[inst].args.len() {
            let v = body.insts[inst].args[k];
            if !is_outside(body, v, nest) {
                continue;
            }
            let new = match here.get(&v) {
                Some(&new) => new,
                None => given(&mut alone, v, &mut used),
            };
            here.insert(v, new);
            alone.insts[inst].args[k] = new;
        }
    }
    alone.insts[nest].parent = entry;
    alone.regions[entry].insts.push(nest);
    (alone, used)
}

/// A value from outside in the body of a nest: a constant, the address of a variable, or a parameter.
fn given(alone: &mut Body, v: Value, used: &mut Vec<Value>) -> Value {
    let entry = alone.entry;
    let (ty, ctype) = (alone.ty(v), alone.values[v].ctype);
    let made = alone.def_inst(v).map(|i| alone.insts[i].clone());
    let new = match made {
        Some(data) if matches!(data.op, Op::Const(_) | Op::GlobalAddr(_)) => {
            let inst = alone.make(entry, data.op, data.args, data.span);
            alone.regions[entry].insts.push(inst);
            alone.add_result(inst, ty)
        }
        _ => {
            used.push(v);
            alone.add_arg(entry, ty)
        }
    };
    alone.values[new].ctype = ctype;
    new
}

/// Which of the pointers from outside need no test: they lead to different objects, or are computed from one pointer, of which nothing is said.
fn apart(points: &PointsTo<'_>, body: &Body, used: &[Value], inside: Region) -> Disjoint {
    let mut apart = Disjoint::default();
    for (k, &a) in used.iter().enumerate() {
        for (l, &b) in used.iter().enumerate().skip(k + 1) {
            if body.ty(a) != Type::Ptr || body.ty(b) != Type::Ptr {
                continue;
            }
            let (mut places, others) = (points.objects(a).iter(), points.objects(b));
            let meet = places
                .any(|p| (others.iter()).any(|q| points.objects_may_overlap(p.object, q.object)));
            if !meet || root(body, a) == root(body, b) || points.take_turns(a, b, inside) {
                apart.add(Object::Parameter(k as u32), Object::Parameter(l as u32));
            }
        }
    }
    apart
}

/// Puts the test in front of a nest, and the nest into both branches. Returns the copy that runs where all is apart, and all copies of instructions with what they are copies of.
pub(crate) fn apply(
    body: &mut Body,
    plan: &Plan,
    replaced: &mut Replacements,
) -> (Inst, Vec<(Inst, Inst)>) {
    let nest = plan.nest;
    let results = body.insts[nest].results.clone();
    let types: Vec<Type> = results.iter().map(|&v| body.ty(v)).collect();
    let parameters = plan.alone.regions[plan.alone.entry].args.iter();
    let used = plan.used.iter().map(|&v| replaced.get(v));
    let values = parameters.copied().zip(used).collect();
    let mut b = Builder::before(body, nest);
    let condition =
        Emitter::new(&plan.alone, &mut b, values).are_apart(&plan.footprints, &plan.tested);
    let (branch, then, otherwise) = b.if_(condition, &types);
    let mut all = edit::insts_in(body, body.insts[nest].regions[0]);
    all.push(nest);
    let mut copies = Vec::new();
    let [first, _] = [then, otherwise].map(|region| copy(body, &all, nest, region, &mut copies));
    for (old, new) in results.into_iter().zip(body.insts[branch].results.clone()) {
        let (name, ctype) = (body.values[old].name.clone(), body.values[old].ctype);
        body.values[new].name = name;
        body.values[new].ctype = ctype;
        replaced.set(old, new);
    }
    edit::unlink(body, nest);
    replaced.apply(body);
    (first, copies)
}

fn copy(
    body: &mut Body,
    all: &[Inst],
    nest: Inst,
    region: Region,
    copies: &mut Vec<(Inst, Inst)>,
) -> Inst {
    let mut copier = Copier::new(body);
    let made = copier.inst(nest, region);
    copies.extend(all.iter().filter_map(|&of| Some((copier.copy_of(of)?, of))));
    body.regions[region].insts.push(made);
    let results = body.insts[made].results.clone();
    let end = body.make(region, Op::Yield, results, body.insts[nest].span);
    body.regions[region].insts.push(end);
    made
}
