//! What a caller knows of the memory that it hands to a function whose derivative is in two halves: which arguments are different objects, and which
//! memory is the same when R of the call runs as it was when the call was made. The halves can then be made for these facts: what is the same is read again.

use crate::points_to::{Access, Object, PointsTo, Types, base_of};
use adjoin_ir::{Body, Inst, Module, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Calls of functions with more parameters than this are not looked at.
const MOST_PARAMETERS: usize = 24;

/// Memory that is in R of a call as it was when the call was made, apart from what the called function itself does to it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Lasting {
    /// The objects that these parameters point into.
    pub parameters: BTreeSet<u32>,
    /// Everything that is reached in other ways.
    pub outside: bool,
    /// Everything that is of these types, wherever it is: mostly pointers and sizes, while numbers change.
    pub types: Types,
}

impl Lasting {
    /// Is everything that a pointer of the called function can point to of this kind, or its own? Between the halves nobody may use its stack objects, whoever knows their
    /// addresses: to the program they are gone. With `threads`, others may while it runs. If it is read as one type, that may be enough.
    pub fn covers(&self, points: &PointsTo<'_>, v: Value, ty: Option<Type>, threads: bool) -> bool {
        let typed = ty.is_some_and(|ty| self.types.contains(ty) && !points.is_punned(v));
        points.objects(v).iter().all(|place| match place.object {
            Object::Parameter(k) => self.parameters.contains(&k) || typed,
            Object::Stack(_) if !threads => true,
            object if object.is_local() => points.is_own(object),
            object => self.outside || typed || points.is_constant(object),
        })
    }
}

/// What a call site shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct CallFacts {
    /// Memory that lasts.
    pub lasting: Lasting,
    /// Pairs of parameters that point to different objects.
    pub disjoint: BTreeSet<(u32, u32)>,
    /// Pairs of parameters whose shadows are different objects, too.
    pub shadows: BTreeSet<(u32, u32)>,
}

/// The facts about all calls of functions with bodies in a body. `around`: what is known of the memory that its own function was given, if that is in two halves.
pub fn find(
    module: &Module,
    body: &Body,
    points: &PointsTo<'_>,
    around: Option<&CallFacts>,
) -> BTreeMap<Inst, CallFacts> {
    let mut all = BTreeMap::new();
    if has_threads(body) {
        return all;
    }
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else { return };
        let suits = module.funcs[attr.func].body.is_some() && data.args.len() <= MOST_PARAMETERS;
        if suits {
            all.insert(inst, of_call(body, points, inst, around));
        }
    });
    all
}

/// Threads have an order of their own.
pub fn has_threads(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| found |= matches!(body.insts[inst].op, Op::Par(_)));
    found
}

fn of_call(
    body: &Body,
    points: &PointsTo<'_>,
    call: Inst,
    around: Option<&CallFacts>,
) -> CallFacts {
    let args = body.insts[call].args.iter().copied().enumerate();
    let pointers: Vec<(u32, Value)> = args
        .filter(|&(_, v)| body.ty(v) == Type::Ptr && !points.objects(v).is_empty())
        .map(|(k, v)| (k as u32, v))
        .collect();
    let mut facts = CallFacts::default();
    for (n, &(a, x)) in pointers.iter().enumerate() {
        let read = Access::object(x);
        let lasts = points.objects(x).iter().all(|p| stays(body, p.object))
            && around.is_none_or(|known| known.lasting.covers(points, x, None, false))
            && !points.is_changed_after(call, &read);
        if lasts {
            facts.lasting.parameters.insert(a);
        }
        for &(b, y) in &pointers[n + 1..] {
            let apart = !points.may_alias(&read, &Access::object(y)) && !points.share_object(x, y);
            // Buffers that a loop exchanges are never the same one.
            let [base, other] = [x, y].map(|v| base_of(body, v));
            if apart || points.take_turns(base, other, body.insts[call].parent) {
                facts.disjoint.insert((a, b));
                if have_shadows_apart(points, [x, y], around) {
                    facts.shadows.insert((a, b));
                }
            }
        }
    }
    facts.lasting.outside = around.is_none_or(|known| known.lasting.outside)
        && !points.is_changed_after(call, &Access::OUTSIDE);
    if !facts.lasting.outside && has_lasting_places(body, points) {
        let known = |ty: Type| around.is_none_or(|known| known.lasting.types.contains(ty));
        for ty in Types::all().filter(|&ty| known(ty)) {
            let of_type = |access: Access| Access {
                ty: Some(ty),
                ..access
            };
            let everywhere = std::iter::once(Access::OUTSIDE)
                .chain(pointers.iter().map(|&(_, x)| Access::object(x)));
            if !everywhere
                .map(of_type)
                .any(|read| points.is_changed_after(call, &read))
            {
                facts.lasting.types.insert(ty);
            }
        }
    }
    facts
}

/// Do all variables of a body that others know have a place of their own? Those of inner blocks may give theirs to others, of other types.
fn has_lasting_places(body: &Body, points: &PointsTo<'_>) -> bool {
    let mut all = true;
    body.walk(|inst| {
        let is_variable = matches!(
            body.insts[inst].op,
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca
        );
        if is_variable && !stays(body, Object::Stack(inst)) {
            all &= !points.is_shown(Object::Stack(inst));
        }
    });
    all
}

/// Are the shadows of what two pointers to different objects point to different objects? The shadows of what a function is given are the caller's business, who may
/// let gradients of two arrays go to one.
fn have_shadows_apart(
    points: &PointsTo<'_>,
    pointers: [Value; 2],
    around: Option<&CallFacts>,
) -> bool {
    let [x, y] = pointers.map(|v| points.objects(v));
    let own = |o: Object| o.is_local() || matches!(o, Object::Global(_));
    x.iter().all(|p| {
        y.iter().all(|q| match (p.object, q.object) {
            (Object::Parameter(j), Object::Parameter(k)) => {
                around.is_some_and(|known| known.shadows.contains(&(j.min(k), j.max(k))))
            }
            (a, b) => own(a) && b != Object::Outside || own(b) && a != Object::Outside,
        })
    })
}

/// Does an object exist as long as the function of the body, both halves of it?
fn stays(body: &Body, object: Object) -> bool {
    match object {
        // In a loop, the next iteration has it at the same place.
        Object::Stack(inst) => {
            body.insts[inst].parent == body.entry && matches!(body.insts[inst].op, Op::Slot(_))
        }
        _ => true,
    }
}
