//! Which accesses of a loop can meet in different iterations.

use crate::plan::promote::spelled;
use crate::points_to::dependence::{At, When};
use crate::points_to::{Access, PointsTo};
use adjoin_ir::{Body, Inst, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A scalar access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The load or store.
    pub inst: Inst,
    /// Where.
    pub address: Value,
    /// What.
    pub ty: Type,
    /// A store.
    pub writes: bool,
    /// The store of the increment that it belongs to.
    pub increment: Option<Inst>,
    /// In memory that each iteration has for itself (`own`).
    pub own: bool,
}

/// More choices than this are not told apart.
const MOST_CHOICES: usize = 5;

/// Answers questions about one body.
pub struct Conflicts<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
}

impl<'a> Conflicts<'a> {
    /// Of a body.
    pub fn new(body: &'a Body, points: &'a PointsTo<'a>) -> Self {
        Conflicts { body, points }
    }

    /// Can two accesses in a loop touch the same byte, one of them writing?
    pub fn may_alias(&self, holder: Inst, a: &Touch, b: &Touch) -> bool {
        if a.own != b.own {
            return false;
        }
        let inside = self.body.insts[holder].regions[0];
        let [x, y] = [a, b].map(|t| root(self.body, t.address));
        let outside = |v: Value| !self.body.encloses(inside, self.body.def_region(v));
        let [first, second] = [a, b].map(|t| Access::scalar(t.address, t.ty));
        let around = self.body.insts[holder].parent;
        (a.writes || b.writes)
            && self.points.may_alias(&first, &second)
            && !self.points.are_apart(&first, &second, around)
            && !(outside(x) && outside(y) && self.are_apart(x, y))
            && !self.points.take_turns(x, y, inside)
    }

    /// Can they meet in two iterations of a loop? If `aligned`, where the counters of the loops inside are the same.
    pub fn meet_across(&self, holder: Inst, a: &Touch, b: &Touch, aligned: bool) -> bool {
        if a.own {
            return false;
        }
        let when = When::Across { holder, aligned };
        self.may_alias(holder, a, b)
            && (self.can_meet(a, b, when) || a != b && self.can_meet(b, a, when))
    }

    /// Can they meet while a loop runs?
    pub fn meet_during(&self, holder: Inst, a: &Touch, b: &Touch) -> bool {
        self.may_alias(holder, a, b) && self.can_meet(a, b, When::During(holder))
    }

    /// Can they meet in one iteration of all loops around them?
    pub fn meet_now(&self, holder: Inst, a: &Touch, b: &Touch) -> bool {
        !a.own && self.may_alias(holder, a, b) && self.can_meet(a, b, When::Now)
    }

    /// Can the second touch what the first does, then?
    pub fn can_meet(&self, a: &Touch, b: &Touch, when: When) -> bool {
        let first = At {
            inst: a.inst,
            address: a.address,
            size: a.ty.size(),
        };
        self.points
            .can_meet(first, b.inst, &Access::scalar(b.address, b.ty), when)
    }

    /// Do two pointers that are chosen by the same conditions point to different objects however these turn out? (Buffers that are exchanged in a loop.)
    fn are_apart(&self, a: Value, b: Value) -> bool {
        let mut conditions = BTreeSet::new();
        self.conditions(a, &mut conditions);
        self.conditions(b, &mut conditions);
        if conditions.is_empty() || conditions.len() > MOST_CHOICES {
            return false;
        }
        let names: Vec<String> = conditions.into_iter().collect();
        (0..1u32 << names.len()).all(|bits| {
            let chosen: BTreeMap<&str, bool> = names
                .iter()
                .enumerate()
                .map(|(k, n)| (n.as_str(), bits >> k & 1 == 1))
                .collect();
            let (x, y) = (self.choose(a, &chosen), self.choose(b, &chosen));
            let (x, y) = (self.points.objects(x), self.points.objects(y));
            x.iter().all(|p| {
                y.iter().all(|q| {
                    p.object != q.object && !self.points.objects_may_overlap(p.object, q.object)
                })
            })
        })
    }

    /// The value behind a choice: condition, yes, no.
    fn choice(&self, v: Value) -> Option<[Value; 3]> {
        let data = &self.body.insts[self.body.def_inst(v)?];
        matches!(data.op, Op::Select).then(|| [data.args[0], data.args[1], data.args[2]])
    }

    fn conditions(&self, v: Value, all: &mut BTreeSet<String>) {
        if let Some([c, yes, no]) = self.choice(v)
            && all.len() <= MOST_CHOICES
        {
            all.insert(spelled(self.body, c, 12));
            self.conditions(yes, all);
            self.conditions(no, all);
        }
    }

    fn choose(&self, v: Value, chosen: &BTreeMap<&str, bool>) -> Value {
        match self.choice(v) {
            Some([c, yes, no]) => match chosen.get(spelled(self.body, c, 12).as_str()) {
                Some(true) => self.choose(yes, chosen),
                Some(false) => self.choose(no, chosen),
                None => v,
            },
            None => v,
        }
    }
}

/// The pointer that an address is computed from.
pub fn root(body: &Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match data.op {
            Op::Addr(_) => v = data.args[0],
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => break,
        }
    }
    v
}
