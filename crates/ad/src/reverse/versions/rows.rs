//! Matrices that are arrays of pointers behind a parameter (`a[i][j]`): that no two rows share memory, and that the shadow has all of its rows, is tested when a derivative starts.
//!
//! One load of the body that goes through all pointers, one after the other, is run ahead (`plan::scan`). Each row must be below or above all rows before it: that is so for rows that were
//! allocated one after the other, or are parts of one block. What does not pass runs the general form. Shadows of other parameters are tested against the shadow rows as well.

use super::{Emitter, LARGEST, shadow_count};
use crate::Request;
use crate::plan::bounds::Condition;
use crate::plan::footprint::{Footprint, Footprints};
use crate::plan::scan;
use crate::points_to::{Disjoint, Holder, Object, PointsTo};
use adjoin_ir::{Body, Inst, Op, Pred, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// More shadows than this are not told apart.
const MOST_SHADOWS: usize = 8;
/// How far apart pointers in an array are.
const POINTER: i64 = 8;

/// An array of pointers whose rows can be told apart.
pub(super) struct Rows {
    /// The memory behind the pointers.
    pub object: Object,
    parameter: u32,
    /// The load that goes through the pointers, and its loop.
    load: Inst,
    holder: Inst,
    /// What is accessed of each row.
    row: Footprint,
    /// What is accessed of the array.
    array: Footprint,
}

/// The arrays of pointers behind parameters that a loop of the body goes through from one end to the other.
pub(super) fn candidates(body: &Body, points: &PointsTo<'_>, footprints: &Footprints) -> Vec<Rows> {
    let mut best: BTreeMap<u32, (usize, Rows)> = BTreeMap::new();
    for (&load, scan) in &footprints.scans {
        let data = &body.insts[load];
        if body.ty(data.results[0]) != Type::Ptr || !scan.shares.is_empty() {
            continue;
        }
        let Some(object @ Object::Member(Holder::Parameter(parameter), _)) =
            scan::rows(points, data.results[0])
        else {
            continue;
        };
        let counting: Vec<Inst> = (scan.loops.iter()).filter(|l| l.1).map(|l| l.0).collect();
        let ([holder], true) = (
            &counting[..],
            (scan.loops.iter()).all(|l| matches!(body.insts[l.0].op, Op::For(_))),
        ) else {
            continue;
        };
        let around = &body.insts[*holder];
        let counter = body.regions[around.regions[0]].args[0];
        let one_by_one = matches!(body.const_int(around.args[2]), Some(1 | -1));
        let stride = points.stride(load, data.args[0], counter);
        let array = footprints.get(Object::Parameter(parameter));
        let (Some(row), Some(array), Some(POINTER), true) =
            (footprints.row(object), array, stride, one_by_one)
        else {
            continue;
        };
        let rows = Rows {
            object,
            parameter,
            load,
            holder: *holder,
            row: row.clone(),
            array: array.clone(),
        };
        let depth = scan.loops.len();
        if best.get(&parameter).is_none_or(|b| depth < b.0) {
            best.insert(parameter, (depth, rows));
        }
    }
    best.into_values().map(|(_, rows)| rows).collect()
}

/// For each load of a pointer from these arrays, the one that goes through all of them: what is the smallest and largest there bounds the others.
pub(super) fn covering(
    body: &Body,
    points: &PointsTo<'_>,
    footprints: &Footprints,
    rows: &[Rows],
) -> BTreeMap<Inst, Inst> {
    let of = |&load: &Inst| {
        let object = scan::rows(points, body.insts[load].results[0])?;
        let own = rows.iter().find(|r| r.object == object)?;
        Some((load, own.load))
    };
    footprints.scans.keys().filter_map(of).collect()
}

/// The shadows of parameters whose extents are known are tested, too.
pub(super) fn tell_shadows_apart(
    request: &Request,
    body: &Body,
    footprints: &Footprints,
    disjoint: &mut Disjoint,
) {
    let entry = &body.regions[body.entry].args;
    let first = entry.len() - request.params.len().min(entry.len());
    let told: Vec<u32> = (request.params.iter().enumerate())
        .filter(|(k, activity)| activity.has_shadow() && body.ty(entry[first + k]) == Type::Ptr)
        .map(|(k, _)| (first + k) as u32)
        .filter(|&k| footprints.get(Object::Parameter(k)).is_some())
        .collect();
    if told.len() * request.width as usize <= MOST_SHADOWS {
        told.into_iter().for_each(|k| disjoint.tell_shadow_apart(k));
    }
}

impl Emitter<'_, '_> {
    /// Are all rows apart from each other? Of the parameter itself, or of a shadow, whose rows must all be there. And from where to where they are.
    pub(super) fn rows_apart(&mut self, rows: &Rows, shadow: Option<Value>) -> (Value, [Value; 2]) {
        let mut all = None;
        let mut conditions: BTreeSet<Condition> = rows.row.conditions.clone();
        conditions.extend(rows.array.conditions.iter().cloned());
        let (row, array) = (&rows.row, &rows.array);
        for p in [&row.low, &row.high, &array.low, &array.high] {
            if p.as_constant().is_none() {
                conditions.insert(Condition::AtMost(p.magnitude(), LARGEST as i64));
            }
        }
        for condition in conditions {
            let holds = self.condition(&condition);
            self.and(&mut all, holds);
        }
        let zero = self.b.int(Type::I64, 0);
        let low = self.end(zero, &row.low);
        let high = self.end(zero, &row.high);
        let width = self.b.sub(high, low);
        let positive = self.b.ge(width, zero);
        self.and(&mut all, positive);
        let data = self.p.insts[rows.holder].clone();
        let Op::For(attr) = &data.op else {
            return (self.b.bool_(false), [zero, zero]);
        };
        // All pointers that the body reads are among those that the loop goes through.
        let [start, end, step] = [0, 1, 2].map(|k| self.primal(data.args[k]));
        let runs = match attr.pred {
            Pred::Lt => self.b.lt(start, end),
            Pred::Le => self.b.le(start, end),
            Pred::Gt => self.b.gt(start, end),
            Pred::Ge => self.b.ge(start, end),
            Pred::Ne => self.b.ne(start, end),
        };
        self.and(&mut all, runs);
        let last = match attr.pred {
            Pred::Le | Pred::Ge => end,
            _ => self.b.sub(end, step),
        };
        let counter = self.p.regions[data.regions[0]].args[0];
        let parameter = self.p.regions[self.p.entry].args[rows.parameter as usize];
        let base = self.primal(parameter);
        let base = self.b.cast(Type::I64, base);
        let [first, last] = [start, last].map(|at| self.offset(rows.load, (counter, at), base));
        let less = self.b.le(first, last);
        let from = self.b.select(less, first, last);
        let to = self.b.select(less, last, first);
        let length = self.b.int(Type::I64, POINTER.into());
        let to = self.b.add(to, length);
        let [begin, behind] = [&array.low, &array.high].map(|p| self.end(zero, p));
        for (a, b) in [(from, begin), (behind, to)] {
            let within = self.b.le(a, b);
            self.and(&mut all, within);
        }
        // Row by row.
        let [none_below, none_above] =
            [i64::MAX, i64::MIN].map(|n| self.b.int(Type::I64, n.into()));
        let yes = self.b.bool_(true);
        let (inst, region) =
            (self.b).for_(attr.pred, start, end, step, &[none_below, none_above, yes]);
        let args = self.b.body.regions[region].args.clone();
        let back = self.b.enter(region);
        let at = self.pointer_in(rows.load, (counter, args[0]), (parameter, shadow));
        let x = self.b.load(Type::Ptr, at);
        let x = self.b.cast(Type::I64, x);
        let behind = self.b.add(x, width);
        let above = self.b.ge(x, args[2]);
        let below = self.b.le(behind, args[1]);
        let mut apart = self.b.or(above, below);
        if shadow.is_some() {
            let there = self.b.ne(x, zero);
            apart = self.b.and(apart, there);
        }
        let apart = self.b.and(args[3], apart);
        let less = self.b.lt(x, args[1]);
        let least = self.b.select(less, x, args[1]);
        let more = self.b.gt(behind, args[2]);
        let most = self.b.select(more, behind, args[2]);
        self.b.yield_(&[least, most, apart]);
        self.b.leave(back);
        let found = self.b.body.insts[inst].results.clone();
        self.and(&mut all, found[3]);
        let holds = all.unwrap_or(found[3]);
        let ends = [found[1], found[2]].map(|v| self.b.add(v, low));
        (holds, ends)
    }

    /// The address that a load reads when a counter has a value, in the array itself or in its shadow.
    fn pointer_in(
        &mut self,
        load: Inst,
        (counter, at): (Value, Value),
        (parameter, shadow): (Value, Option<Value>),
    ) -> Value {
        let before = self.values.clone();
        self.values.insert(counter, at);
        let address = self.p.insts[load].args[0];
        let made = self.p.def_inst(address).map(|i| self.p.insts[i].clone());
        let found = match (made, shadow) {
            (_, None) => self.primal(address),
            (Some(made), Some(shadow))
                if matches!(made.op, Op::Addr(_)) && made.args[0] == parameter =>
            {
                let rest = made.args[1..].iter().map(|&v| self.primal(v));
                let args = std::iter::once(shadow).chain(rest).collect();
                self.b.value(made.op, args, Type::Ptr)
            }
            (_, Some(shadow)) => {
                let [address, base] = [address, parameter].map(|v| {
                    let v = self.primal(v);
                    self.b.cast(Type::I64, v)
                });
                let offset = self.b.sub(address, base);
                let shadow = self.b.cast(Type::I64, shadow);
                let moved = self.b.add(shadow, offset);
                self.b.cast(Type::Ptr, moved)
            }
        };
        self.values = before;
        found
    }

    /// How far behind the array's start a load reads when a counter has a value.
    fn offset(&mut self, load: Inst, (counter, at): (Value, Value), base: Value) -> Value {
        let before = self.values.clone();
        self.values.insert(counter, at);
        let address = self.primal(self.p.insts[load].args[0]);
        self.values = before;
        let address = self.b.cast(Type::I64, address);
        self.b.sub(address, base)
    }

    /// Are the shadow rows there and apart, and the shadows of different parameters?
    pub(super) fn shadows_apart(
        &mut self,
        request: &Request,
        rows: &[Rows],
        disjoint: &Disjoint,
        arguments: &[Value],
    ) -> Option<Value> {
        let entry = &self.p.regions[self.p.entry].args;
        let first = entry.len() - request.params.len().min(entry.len());
        let mut all = None;
        let mut extents: Vec<[Value; 2]> = Vec::new();
        let mut at = 0;
        for (k, &activity) in request.params.iter().enumerate() {
            let parameter = (first + k) as u32;
            let count = shadow_count(request, activity) as usize;
            let shadows = &arguments[at + 1..at + 1 + count];
            at += 1 + count;
            let own = rows.iter().find(|r| r.parameter == parameter);
            for &shadow in shadows {
                let told = disjoint.is_shadow_apart(parameter);
                if let Some(own) = own {
                    let (holds, ends) = self.rows_apart(own, Some(shadow));
                    self.and(&mut all, holds);
                    extents.extend(told.then_some(ends));
                } else if told
                    && let Some(footprints) = self.footprints
                    && let Some(f) = footprints.get(Object::Parameter(parameter))
                {
                    let (begin, bytes, holds) =
                        self.extent(shadow, [&f.low, &f.high], &f.conditions);
                    self.and(&mut all, holds);
                    let begin = self.b.cast(Type::I64, begin);
                    let end = self.b.add(begin, bytes);
                    extents.push([begin, end]);
                }
            }
        }
        for (k, a) in extents.iter().enumerate() {
            for b in &extents[..k] {
                let before = self.b.le(a[1], b[0]);
                let behind = self.b.le(b[1], a[0]);
                let apart = self.b.or(before, behind);
                self.and(&mut all, apart);
            }
        }
        all
    }
}
