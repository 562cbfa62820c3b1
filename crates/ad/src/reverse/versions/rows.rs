//! Memory behind pointers in memory. Matrices that are arrays of pointers behind a parameter (`a[i][j]`): that no two rows share memory, and that the shadow has all of its rows, is tested when a derivative starts.
//! Structs of pointers (`m->data[i]`): that the shadow has them, and that they lead to memory of their own.
//!
//! One load of the body that goes through all pointers, one after the other, is run ahead (`plan::scan`). Each row must be below or above all rows before it: that is so for rows that were
//! allocated one after the other, or are parts of one block. What does not pass runs the general form. Shadows of other parameters are tested against the shadow rows as well.

use super::{Emitter, LARGEST, shadow_count};
use crate::Request;
use crate::plan::bounds::Condition;
use crate::plan::footprint::{Footprint, Footprints};
use crate::plan::{lanes, scan};
use crate::points_to::{Disjoint, Holder, Object, PointsTo, SOMEWHERE};
use adjoin_ir::{Body, Inst, Op, Pred, Step, Type, Value, ValueDef};
use adjoin_passes::edit;
use std::collections::{BTreeMap, BTreeSet};

/// More shadows than this are not told apart.
const MOST_SHADOWS: usize = 28;
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
    /// How many more in front and behind other loads beside it go through (`a[i - 1]`, `a[i + 1]`).
    more: [i64; 2],
    /// What is accessed of each row.
    row: Footprint,
    /// What is accessed of the array.
    array: Footprint,
}

/// The arrays of pointers behind parameters that a loop of the body goes through from one end to the other.
pub(super) fn candidates(body: &Body, points: &PointsTo<'_>, footprints: &Footprints) -> Vec<Rows> {
    let mut best: BTreeMap<u32, ((usize, i64), Rows)> = BTreeMap::new();
    for (&load, scan) in &footprints.scans {
        let data = &body.insts[load];
        if body.ty(data.results[0]) != Type::Ptr {
            continue;
        }
        let Some(object @ Object::Member(Holder::Parameter(parameter), _)) =
            scan::rows(points, data.results[0])
        else {
            continue;
        };
        let is_loop = |l: &Inst| matches!(body.insts[*l].op, Op::For(_));
        let counting: Vec<Inst> = (scan.loops.iter())
            .filter(|l| l.1 && is_loop(&l.0))
            .map(|l| l.0)
            .collect();
        let ([holder], true) = (
            &counting[..],
            (scan.loops.iter())
                .all(|l| is_loop(&l.0) || is_arithmetic(body, body.insts[l.0].args[0])),
        ) else {
            continue;
        };
        if depends_on(body, scan, *holder) {
            continue;
        }
        let around = &body.insts[*holder];
        let counter = body.regions[around.regions[0]].args[0];
        let step = body.const_int(around.args[2]);
        let one_by_one = matches!(step, Some(1 | -1));
        let stride = points.stride(load, data.args[0], counter);
        let array = footprints.get(Object::Parameter(parameter));
        let (Some(row), Some(array), Some(POINTER), true) =
            (footprints.row(object), array, stride, one_by_one)
        else {
            continue;
        };
        let more = match step {
            Some(1) => beside(body, footprints, load, parameter),
            _ => [0, 0],
        };
        let rows = Rows {
            object,
            parameter,
            load,
            holder: *holder,
            more,
            row: row.clone(),
            array: array.clone(),
        };
        let order = (scan.loops.len(), more[0] - more[1]);
        if best.get(&parameter).is_none_or(|b| order < b.0) {
            best.insert(parameter, (order, rows));
        }
    }
    best.into_values().map(|(_, rows)| rows).collect()
}

/// Do loops and branches inside of one run as its counter says?
fn depends_on(body: &Body, scan: &scan::Scan, holder: Inst) -> bool {
    let region = body.insts[holder].regions[0];
    let mut work: Vec<Value> = (scan.loops.iter())
        .filter(|l| edit::is_inside(body, l.0, holder))
        .flat_map(|l| body.insts[l.0].args.iter().take(2).copied())
        .collect();
    while let Some(v) = work.pop() {
        match body.values[v].def {
            ValueDef::Arg(r, _) if body.encloses(region, r) => return true,
            ValueDef::Result(inst, _) if body.encloses(region, body.insts[inst].parent) => {
                work.extend(&body.insts[inst].args);
            }
            _ => {}
        }
    }
    false
}

/// Does a condition read no memory? It is asked where the loops around it need not run.
fn is_arithmetic(body: &Body, condition: Value) -> bool {
    let mut work = vec![condition];
    while let Some(v) = work.pop() {
        if let Some(inst) = body.def_inst(v) {
            let data = &body.insts[inst];
            if !data.op.is_pure() || !data.regions.is_empty() {
                return false;
            }
            work.extend(&data.args);
        }
    }
    true
}

/// How far loads of the same array that run where a load does go in front of it and behind it, without gaps.
fn beside(body: &Body, footprints: &Footprints, load: Inst, parameter: u32) -> [i64; 2] {
    let array = body.regions[body.entry].args[parameter as usize];
    let index = |load: Inst| {
        let address = &body.insts[body.def_inst(body.insts[load].args[0])?];
        match &address.op {
            Op::Addr(attr)
                if matches!(attr.steps[..], [Step::Index { stride }] if stride == POINTER as u64)
                    && address.args[0] == array =>
            {
                lanes::affine(body, address.args[1])
            }
            _ => None,
        }
    };
    let Some(own) = index(load) else {
        return [0, 0];
    };
    let near: BTreeSet<i64> = (footprints.scans.keys())
        .filter(|&&other| body.insts[other].parent == body.insts[load].parent)
        .filter_map(|&other| index(other)?.minus(&own)?.as_constant())
        .collect();
    let go = |step: i64| {
        let mut at = 0;
        while near.contains(&(at + step)) {
            at += step;
        }
        at
    };
    [go(-1), go(1)]
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
        (own.more == [0, 0]).then_some((load, own.load))
    };
    footprints.scans.keys().filter_map(of).collect()
}

/// The objects whose shadows are tested: memory behind parameters, behind pointers in structs, and rows. None if there are too many.
pub(super) fn shadows(
    request: &Request,
    body: &Body,
    footprints: &Footprints,
    rows: &[Rows],
) -> Vec<Object> {
    let entry = &body.regions[body.entry].args;
    let first = entry.len() - request.params.len().min(entry.len());
    let has_shadow = |k: u32| {
        let own = (k as usize).checked_sub(first);
        let activity = own.and_then(|k| request.params.get(k));
        activity.is_some_and(|a| a.has_shadow()) && body.ty(entry[k as usize]) == Type::Ptr
    };
    let told = |o: &Object| match *o {
        Object::Parameter(k) => has_shadow(k),
        Object::Member(_, SOMEWHERE) => rows
            .iter()
            .any(|r| r.object == *o && has_shadow(r.parameter)),
        Object::Member(holder, _) => {
            let shadow = holder.parameter().is_some_and(has_shadow);
            shadow && ways(body, footprints, *o).is_some()
        }
        _ => false,
    };
    let all: Vec<Object> = footprints.objects().filter(told).collect();
    match all.len() * request.width as usize <= MOST_SHADOWS {
        true => all,
        false => Vec::new(),
    }
}

/// The loads that lead from a parameter to memory behind a pointer in a struct, or in a struct in that: the first reads the parameter's memory.
fn ways(body: &Body, footprints: &Footprints, object: Object) -> Option<Vec<Inst>> {
    let Object::Member(holder, _) = object else {
        return None;
    };
    let mut all = vec![body.def_inst(footprints.pointer(object)?)?];
    if let Holder::Inner(..) = holder {
        all.insert(0, body.def_inst(member(body, all[0])?)?);
    }
    let parameter = body.regions[body.entry].args[holder.parameter()? as usize];
    let direct = member(body, all[0])? == parameter;
    direct.then_some(all)
}

/// The pointer to the struct that a load reads a member of.
fn member(body: &Body, load: Inst) -> Option<Value> {
    let data = &body.insts[load];
    matches!(data.op, Op::Load(_)).then_some(())?;
    let address = data.args[0];
    let step = body.def_inst(address).map(|i| &body.insts[i]);
    let field = |s: &Step| matches!(s, Step::Field { .. } | Step::Bytes(_));
    match step.map(|s| (&s.op, s.args[0])) {
        Some((Op::Addr(attr), base)) => attr.steps.iter().all(field).then_some(base),
        _ => Some(address),
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
        let outside = self.values.clone();
        self.enter_shares(rows.load);
        // All pointers that the body reads are among those that the loop goes through.
        let [start, end, step] = [0, 1, 2].map(|k| self.primal(data.args[k]));
        let runs = self.is_reached(rows.load);
        let [start, end] = [(start, rows.more[0]), (end, rows.more[1])].map(|(v, n)| match n {
            0 => v,
            n => {
                let n = self.b.int(self.b.body.ty(v), n.into());
                self.b.add(v, n)
            }
        });
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
        // Row by row, if the body comes there.
        let [none_below, none_above] =
            [i64::MAX, i64::MIN].map(|n| self.b.int(Type::I64, n.into()));
        let types = [Type::I64, Type::I64, Type::Bool];
        let (inst, then, otherwise) = self.b.if_(runs, &types);
        let back = self.b.enter(then);
        let found = self.row_by_row(
            rows,
            [start, end, step],
            (none_below, none_above),
            (width, shadow),
        );
        self.b.yield_(&found);
        self.b.leave(back);
        self.b.inside(otherwise, |b| {
            let no = b.bool_(false);
            b.yield_(&[none_below, none_above, no]);
        });
        let found = self.b.body.insts[inst].results.clone();
        self.values = outside;
        self.and(&mut all, found[2]);
        let holds = all.unwrap_or(found[2]);
        let ends = [found[0], found[1]].map(|v| self.b.add(v, low));
        (holds, ends)
    }

    /// Do all loops around a load run, and are the branches taken that it is in?
    fn is_reached(&mut self, load: Inst) -> Value {
        let scan = self.footprints.and_then(|f| f.scans.get(&load));
        let loops = scan.map(|s| s.loops.clone()).unwrap_or_default();
        let mut all = None;
        for (holder, _) in loops {
            let data = self.p.insts[holder].clone();
            match &data.op {
                Op::For(attr) => {
                    let [start, end] = [0, 1].map(|k| self.primal(data.args[k]));
                    let runs = self.does_run(attr.pred, start, end);
                    self.and(&mut all, runs);
                }
                Op::If => {
                    let first = self.p.encloses(data.regions[0], self.p.insts[load].parent);
                    let test = self.primal(data.args[0]);
                    let taken = match first {
                        true => test,
                        false => self.b.not(test),
                    };
                    self.and(&mut all, taken);
                }
                _ => {}
            }
        }
        match all {
            Some(all) => all,
            None => self.b.bool_(true),
        }
    }

    /// Goes through the rows: the lowest, the end of the highest, and whether they are apart.
    fn row_by_row(
        &mut self,
        rows: &Rows,
        [start, end, step]: [Value; 3],
        (none_below, none_above): (Value, Value),
        (width, shadow): (Value, Option<Value>),
    ) -> [Value; 3] {
        let data = self.p.insts[rows.holder].clone();
        let pred = match &data.op {
            Op::For(attr) => attr.pred,
            _ => Pred::Lt,
        };
        let counter = self.p.regions[data.regions[0]].args[0];
        let parameter = self.p.regions[self.p.entry].args[rows.parameter as usize];
        let zero = self.b.int(Type::I64, 0);
        let yes = self.b.bool_(true);
        let (inst, region) = (self.b).for_(pred, start, end, step, &[none_below, none_above, yes]);
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
        let found = &self.b.body.insts[inst].results;
        [found[1], found[2], found[3]]
    }

    /// The bytes of a shadow that is accessed as its primal is.
    fn shadow_extent(&mut self, f: &Footprint, start: Value) -> (Value, [Value; 2]) {
        let (begin, bytes, holds) = self.extent(start, [&f.low, &f.high], &f.conditions);
        let begin = self.b.cast(Type::I64, begin);
        (holds, [begin, self.b.add(begin, bytes)])
    }

    /// The address that a load reads when a counter has a value, in the array itself or in its shadow.
    fn pointer_in(
        &mut self,
        load: Inst,
        (counter, at): (Value, Value),
        place: (Value, Option<Value>),
    ) -> Value {
        let before = self.values.clone();
        self.values.insert(counter, at);
        let found = self.moved(load, place);
        self.values = before;
        found
    }

    /// The address that a load reads, in the memory of a parameter or at the same place of its shadow.
    fn moved(&mut self, load: Inst, (parameter, shadow): (Value, Option<Value>)) -> Value {
        let address = self.p.insts[load].args[0];
        let made = self.p.def_inst(address).map(|i| self.p.insts[i].clone());
        match (made, shadow) {
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
        }
    }

    /// The pointer in the shadow of a struct where a load reads the struct; NULL if the shadow may not be there and is not.
    fn shadow_member(&mut self, load: Inst, shadow: Value, may_lack: bool) -> Option<Value> {
        let formal = member(self.p, load)?;
        if !may_lack {
            let address = self.moved(load, (formal, Some(shadow)));
            return Some(self.b.load(Type::Ptr, address));
        }
        let null = self.b.null();
        let there = self.b.ne(shadow, null);
        let (inst, then, otherwise) = self.b.if_(there, &[Type::Ptr]);
        let back = self.b.enter(then);
        let before = self.values.clone();
        let address = self.moved(load, (formal, Some(shadow)));
        self.values = before;
        let found = self.b.load(Type::Ptr, address);
        self.b.yield_(&[found]);
        self.b.leave(back);
        self.b.inside(otherwise, |b| {
            let null = b.null();
            b.yield_(&[null]);
        });
        Some(self.b.body.result(inst))
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

    /// Are the shadows there that are told apart, and are they? What cannot be asked does not hold.
    pub(super) fn shadows_apart(
        &mut self,
        request: &Request,
        rows: &[Rows],
        disjoint: &Disjoint,
        arguments: &[Value],
    ) -> Value {
        if disjoint.shadows().next().is_none() {
            return self.b.bool_(true);
        }
        match self.compare_shadows(request, rows, disjoint, arguments) {
            Some(holds) => holds,
            None => self.b.bool_(false),
        }
    }

    fn compare_shadows(
        &mut self,
        request: &Request,
        rows: &[Rows],
        disjoint: &Disjoint,
        arguments: &[Value],
    ) -> Option<Value> {
        let entry = self.p.regions[self.p.entry].args.clone();
        let first = entry.len() - request.params.len().min(entry.len());
        let footprints = self.footprints?;
        let mut all = None;
        let mut extents: Vec<[Value; 2]> = Vec::new();
        let mut at = 0;
        for (k, &activity) in request.params.iter().enumerate() {
            let parameter = (first + k) as u32;
            let count = shadow_count(request, activity) as usize;
            let shadows = &arguments[at + 1..at + 1 + count];
            at += 1 + count;
            let of = |o: &Object| match *o {
                Object::Parameter(_) | Object::Member(..) => o.parameter() == Some(parameter),
                _ => false,
            };
            for object in disjoint.shadows().filter(of) {
                for &shadow in shadows {
                    let found = match object {
                        Object::Member(_, SOMEWHERE) => {
                            let own = rows.iter().find(|r| r.object == object)?;
                            self.rows_apart(own, Some(shadow))
                        }
                        Object::Member(..) => {
                            let mut start = shadow;
                            for (n, load) in
                                ways(self.p, footprints, object)?.into_iter().enumerate()
                            {
                                start = self.shadow_member(load, start, n > 0)?;
                            }
                            let null = self.b.null();
                            let there = self.b.ne(start, null);
                            self.and(&mut all, there);
                            self.shadow_extent(footprints.get(object)?, start)
                        }
                        _ => self.shadow_extent(footprints.get(object)?, shadow),
                    };
                    self.and(&mut all, found.0);
                    extents.push(found.1);
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
