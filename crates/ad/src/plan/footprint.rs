//! Which bytes of parameters' memory and of globals a body accesses: what can be tested when its derivative starts.

use super::bounds::{Bounds, Condition, Interval};
use super::polynomial::{Atom, Polynomial};
use super::scan::{self, Scan};
use crate::points_to::{Access, Disjoint, Object, PointsTo, SOMEWHERE};
use adjoin_ir::{Body, Inst, Module, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// More pairs than this are not tested.
const MOST_PAIRS: usize = 400;

/// Bytes of an object, from its address when the function starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// The first byte.
    pub low: Polynomial,
    /// The byte behind the last.
    pub high: Polynomial,
    /// What must hold as well.
    pub conditions: BTreeSet<Condition>,
}

impl Footprint {
    fn include(&mut self, other: &Footprint) -> Option<()> {
        self.low = self.low.least(&other.low)?;
        self.high = self.high.most(&other.high)?;
        self.conditions.extend(other.conditions.iter().cloned());
        Some(())
    }
}

/// Where a pointer is known from when the function starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// A parameter.
    Parameter(u32),
    /// A value that is known then.
    Value(Value),
}

/// The footprints of a body.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    known: BTreeMap<Object, Footprint>,
    unknown: BTreeSet<Object>,
    written: BTreeSet<Object>,
    /// What is done to each, and whether that writes.
    accesses: BTreeMap<Object, Vec<(Access, bool)>>,
    /// For memory behind a pointer in memory: a value of the body that is the pointer.
    pointers: BTreeMap<Object, Value>,
    /// Pointers that are the start of an object, where the pointer itself is not known at the start.
    starts: BTreeMap<Value, Start>,
    /// Of memory behind an array of pointers: the bytes from each pointer, if they are known.
    rows: BTreeMap<Object, Option<Footprint>>,
    /// How to find bounds of indices that are in memory.
    pub scans: BTreeMap<Inst, Scan>,
}

/// Bytes of all rows, from the lowest pointer to the highest, as bytes of one row.
fn in_row(body: &Body, all: &Footprint) -> Option<Footprint> {
    let is_row = |load: Inst| body.ty(body.insts[load].results[0]) == Type::Ptr;
    let without = |p: &Polynomial, pick: &dyn Fn(&Atom) -> Option<Inst>| {
        let mut rows = p.terms().filter_map(|(atoms, c)| match atoms {
            [atom] if pick(atom).is_some_and(is_row) => Some((atom.clone(), c)),
            _ => None,
        });
        let (atom, c) = rows.next()?;
        (c == 1 && rows.next().is_none()).then_some(())?;
        p.minus(&Polynomial::atom(atom))
    };
    let smallest = |a: &Atom| match a {
        Atom::Smallest(load) => Some(*load),
        _ => None,
    };
    let largest = |a: &Atom| match a {
        Atom::Largest(load) => Some(*load),
        _ => None,
    };
    Some(Footprint {
        low: without(&all.low, &smallest)?,
        high: without(&all.high, &largest)?,
        conditions: all.conditions.clone(),
    })
}

impl Footprints {
    /// Looks at all accesses of a body.
    pub fn of(module: &Module, body: &Body, points: &PointsTo<'_>) -> Footprints {
        Footprints::among(module, body, points, |_| true)
    }

    /// Looks at the accesses of some instructions of a body.
    pub fn among(
        module: &Module,
        body: &Body,
        points: &PointsTo<'_>,
        counts: impl Fn(Inst) -> bool,
    ) -> Footprints {
        let mut bounds = Bounds::new(body, points);
        let mut all = Footprints::default();
        body.walk(|inst| {
            if !counts(inst) {
                return;
            }
            for read in points.reads(inst) {
                all.access((body, points), &mut bounds, inst, &read, false);
            }
            for write in points.writes(inst) {
                all.access((body, points), &mut bounds, inst, &write, true);
            }
        });
        for v in body.values.keys().filter(|&v| body.ty(v) == Type::Ptr) {
            let start = match scan::start_of(points, v) {
                _ if bounds.is_known_at_start(v) => None,
                Some(Object::Parameter(k)) => Some(Start::Parameter(k)),
                Some(member) => bounds.pointer_to(member).map(Start::Value),
                None => None,
            };
            all.starts.extend(start.map(|s| (v, s)));
        }
        (all.pointers, all.scans) = bounds.found();
        // Of a global it is always all.
        for (object, footprint) in &mut all.known {
            let Object::Global(g) = *object else { continue };
            let size = module.types.size_of(module.globals[g].ctype);
            match size.and_then(|n| i64::try_from(n).ok()) {
                Some(n) => {
                    footprint.low = Polynomial::default();
                    footprint.high = Polynomial::constant(n);
                    footprint.conditions.clear();
                }
                None => {
                    all.unknown.insert(*object);
                }
            }
        }
        all
    }

    fn access(
        &mut self,
        (body, points): (&Body, &PointsTo<'_>),
        bounds: &mut Bounds<'_>,
        inst: Inst,
        access: &Access,
        writes: bool,
    ) {
        let Some(address) = access.address else {
            return;
        };
        let testable = |o: Object| {
            matches!(
                o,
                Object::Parameter(_) | Object::Global(_) | Object::Member(..) | Object::Behind(..)
            )
        };
        let places = points.objects(address).iter().map(|p| p.object);
        let objects: BTreeSet<Object> = places.filter(|&o| testable(o)).collect();
        if objects.is_empty() {
            return;
        }
        if writes {
            self.written.extend(&objects);
        }
        for &o in &objects {
            self.accesses
                .entry(o)
                .or_default()
                .push((access.clone(), writes));
        }
        let known = self.find((body, points), bounds, inst, access, &objects);
        if known.is_none() {
            // Of a global the size is known, wherever the access is.
            for &o in &objects {
                match o {
                    Object::Global(_) => self.whole(o),
                    _ => {
                        self.unknown.insert(o);
                    }
                }
            }
        }
    }

    fn whole(&mut self, object: Object) {
        let nothing = Footprint {
            low: Polynomial::default(),
            high: Polynomial::default(),
            conditions: BTreeSet::new(),
        };
        self.known.entry(object).or_insert(nothing);
    }

    fn find(
        &mut self,
        (body, points): (&Body, &PointsTo<'_>),
        bounds: &mut Bounds<'_>,
        inst: Inst,
        access: &Access,
        objects: &BTreeSet<Object>,
    ) -> Option<()> {
        let size = match (access.size, points.extent(inst)) {
            (Some(n), _) => Interval::constant(i64::try_from(n).ok()?),
            (None, Some(v)) => bounds.integer(v)?,
            (None, None) => return None,
        };
        let mut found: BTreeMap<Object, Footprint> = BTreeMap::new();
        for (object, at) in bounds.address(access.address?)? {
            let behind = at.plus(&size)?;
            let footprint = Footprint {
                low: at.low,
                high: behind.high,
                conditions: behind.conditions,
            };
            if let Object::Member(_, SOMEWHERE) = object {
                let own = in_row(body, &footprint);
                let all = self.rows.entry(object).or_insert_with(|| own.clone());
                let both = all.take().zip(own);
                *all = both.and_then(|(mut all, own)| all.include(&own).map(|()| all));
            }
            match found.get_mut(&object) {
                Some(old) => old.include(&footprint)?,
                None => {
                    found.insert(object, footprint);
                }
            }
        }
        if !objects.iter().all(|o| found.contains_key(o)) {
            return None;
        }
        for (object, footprint) in found {
            match self.known.get_mut(&object) {
                Some(old) => old.include(&footprint)?,
                None => {
                    self.known.insert(object, footprint);
                }
            }
        }
        Some(())
    }

    /// The start of an object of others that a pointer of the body is, and how to have it when the function starts.
    pub fn start(&self, v: Value) -> Option<Start> {
        self.starts.get(&v).copied()
    }

    /// A value of the body, known at the start, that points to the start of an object.
    pub fn pointer(&self, object: Object) -> Option<Value> {
        self.pointers.get(&object).copied()
    }

    /// The footprint of an object, if all of it is known.
    pub fn get(&self, object: Object) -> Option<&Footprint> {
        self.known
            .get(&object)
            .filter(|_| !self.unknown.contains(&object))
    }

    /// The objects whose extent is known, in order.
    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.known
            .keys()
            .copied()
            .filter(|&o| self.get(o).is_some())
    }

    /// The bytes that are accessed from each pointer of an array, if all are known.
    pub fn row(&self, object: Object) -> Option<&Footprint> {
        self.get(object)?;
        self.rows.get(&object)?.as_ref()
    }

    /// Does something write one of two objects as what the other may be read as?
    fn can_meet(&self, points: &PointsTo<'_>, a: Object, b: Object) -> bool {
        let of = |o: Object| self.accesses.get(&o).map_or(&[][..], Vec::as_slice);
        let writes = |o: Object| self.written.contains(&o);
        (writes(a) || writes(b))
            && of(a).iter().any(|(x, first)| {
                of(b)
                    .iter()
                    .any(|(y, second)| (*first || *second) && !points.types_differ(x, y))
            })
    }

    /// Can a test tell apart all objects that may overlap?
    pub fn are_known(&self, points: &PointsTo<'_>) -> bool {
        let objects: Vec<Object> = self.accesses.keys().copied().collect();
        objects.iter().enumerate().all(|(k, &a)| {
            objects[k + 1..].iter().all(|&b| {
                self.get(a).is_some() && self.get(b).is_some()
                    || !points.objects_may_overlap(a, b)
                    || !self.can_meet(points, a, b)
            })
        })
    }

    /// The pairs of objects that may overlap as far as is known, and that a test can tell apart. None if there are too many.
    pub fn pairs(&self, points: &PointsTo<'_>) -> Disjoint {
        let mut pairs = Disjoint::default();
        let mut count = 0;
        let objects: Vec<Object> = self.known.keys().copied().collect();
        for (k, &a) in objects.iter().enumerate() {
            for &b in &objects[k + 1..] {
                let both = self.get(a).is_some() && self.get(b).is_some();
                let matters = self.can_meet(points, a, b) && points.objects_may_overlap(a, b);
                if both && matters {
                    pairs.add(a, b);
                    count += 1;
                }
            }
        }
        match count > MOST_PAIRS {
            true => Disjoint::default(),
            false => pairs,
        }
    }
}
