//! Bounds of integers and of addresses in terms of what is known when a function starts: intervals of polynomials.
//!
//! An interval holds every value that the instruction can have when it runs; of an instruction that never runs it may be anything, also upside down. That suits
//! the question that is asked: which bytes are accessed at most. Unsigned and narrowing arithmetic that could wrap adds a [`Condition`] instead
//! of a bound; signed arithmetic does not overflow in C.

pub use super::interval::{Condition, Interval};
use super::polynomial::{Atom, Polynomial};
use super::scan::{self, Scan};
use crate::points_to::{Object, PointsTo};
use adjoin_ir::{
    Body, Clause, Directive, Inst, InstData, Op, Pred, Region, Step, Type, Value, ValueDef,
};
use adjoin_passes::openmp::{self, runtime};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// May control not come past an instruction?
pub(super) fn may_not_end(body: &Body, points: &PointsTo<'_>, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let itself = match data.op {
        Op::Call(ref attr) => !points.returns(inst) && !openmp::is_query(points.name(attr.func)),
        Op::Par(ref attr) => !matches!(
            attr.directive,
            Directive::Parallel | Directive::Barrier | Directive::Atomic(_)
        ),
        Op::CallIndirect(_) | Op::Mpi(_) | Op::Unreachable => true,
        Op::Return => data.parent != body.entry,
        _ => false,
    };
    let mut inner = data.regions.iter().flat_map(|&r| &body.regions[r].insts);
    itself || inner.any(|&i| may_not_end(body, points, i))
}

/// Is a choice the smaller of two integers, or the larger?
fn smaller(body: &Body, choice: &InstData) -> Option<bool> {
    let test = &body.insts[body.def_inst(choice.args[0])?];
    let less = match test.op {
        Op::Lt | Op::Le => true,
        Op::Gt | Op::Ge => false,
        _ => return None,
    };
    let (&[_, a, b], &[x, y]) = (&choice.args[..], &test.args[..]) else {
        return None;
    };
    match () {
        () if (a, b) == (x, y) => Some(less),
        () if (a, b) == (y, x) => Some(!less),
        () => None,
    }
}

/// Finds bounds in one body.
pub struct Bounds<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
    known: HashMap<Value, Option<Interval>>,
    starts: HashMap<Value, bool>,
    /// The first instruction of the entry that may not end.
    barrier: usize,
    /// For memory behind a pointer in memory: a value that is the pointer, and known at the start.
    pointers: BTreeMap<Object, Value>,
    /// Loads of indices, and how to find their bounds.
    scans: BTreeMap<Inst, Scan>,
    /// Loops that `continue` starts again.
    continued: BTreeSet<Inst>,
    /// Teams have as many threads at most as is set at the start; nothing if nobody asked yet.
    fixed: Option<bool>,
}

impl<'a> Bounds<'a> {
    /// For a body.
    pub fn new(body: &'a Body, points: &'a PointsTo<'a>) -> Bounds<'a> {
        let list = &body.regions[body.entry].insts;
        let barrier = list.iter().position(|&i| may_not_end(body, points, i));
        let mut continued = BTreeSet::new();
        body.walk(|inst| {
            if let Op::Continue(target) = body.insts[inst].op {
                continued.insert(target);
            }
        });
        let mut bounds = Bounds {
            body,
            points,
            known: HashMap::new(),
            starts: HashMap::new(),
            barrier: barrier.unwrap_or(list.len()),
            pointers: BTreeMap::new(),
            scans: BTreeMap::new(),
            continued,
            fixed: None,
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Load(_) = data.op
                && let Some(member @ (Object::Member(..) | Object::Behind(..))) =
                    scan::start_of(points, data.results[0])
                && bounds.is_known_at_start(data.results[0])
            {
                bounds.pointers.entry(member).or_insert(data.results[0]);
            }
        });
        bounds
    }

    /// Can a value be computed when the function starts, by the same instructions?
    pub fn is_known_at_start(&mut self, v: Value) -> bool {
        if let Some(&known) = self.starts.get(&v) {
            return known;
        }
        let body = self.body;
        let known = match body.values[v].def {
            ValueDef::Arg(region, _) => region == body.entry,
            ValueDef::Result(inst, _) => {
                let data = &body.insts[inst];
                let fits = match &data.op {
                    Op::Const(_) | Op::GlobalAddr(_) => true,
                    Op::Load(attr) => {
                        let safe = self.is_before_barrier(inst) || self.is_read_anyway(inst);
                        safe && !attr.volatile && !self.points.is_written(inst)
                    }
                    _ if body.may_trap(inst) => self.is_before_barrier(inst),
                    op => op.is_pure() && data.regions.is_empty(),
                };
                fits && data.args.iter().all(|&a| self.is_known_at_start(a))
            }
        };
        self.starts.insert(v, known);
        known
    }

    fn is_before_barrier(&self, inst: Inst) -> bool {
        let list = &self.body.regions[self.body.entry].insts;
        list[..self.barrier].contains(&inst)
    }

    /// Is a load of a global variable, or of a member of a struct that the body certainly accesses?
    fn is_read_anyway(&self, load: Inst) -> bool {
        let body = self.body;
        let mut base = body.def_inst(body.insts[load].args[0]);
        while let Some(inst) = base {
            let data = &body.insts[inst];
            let fixed = |s: &Step| matches!(s, Step::Field { .. });
            base = match &data.op {
                Op::GlobalAddr(_) => return true,
                Op::Addr(attr) if attr.steps.iter().all(fixed) => body.def_inst(data.args[0]),
                _ => None,
            };
        }
        let holder = |inst: Inst| {
            let data = &body.insts[inst];
            let address = match data.op {
                Op::Load(_) | Op::Store(_) => data.args[0],
                _ => return None,
            };
            let step = &body.insts[body.def_inst(address)?];
            let base = step.args.first()?;
            let Op::Addr(attr) = &step.op else {
                return None;
            };
            // A pointer that was read from memory which nothing changes is the same wherever it is read.
            let given = match body.values[*base].def {
                ValueDef::Arg(region, _) => region == body.entry,
                ValueDef::Result(from, _) => matches!(body.insts[from].op, Op::Load(_)),
            };
            let mut fields = attr.steps.iter();
            let whole = given && fields.all(|s| matches!(s, Step::Field { .. }));
            let struct_ = scan::start_of(self.points, *base).filter(|_| whole)?;
            Some((struct_, attr.pointee))
        };
        let Some(struct_) = holder(load) else {
            return false;
        };
        let list = &body.regions[body.entry].insts[..self.barrier];
        list.iter().any(|&i| holder(i) == Some(struct_))
    }

    /// A value, known at the start, that is the pointer to memory behind a pointer in memory.
    pub fn pointer_to(&self, member: Object) -> Option<Value> {
        self.pointers.get(&member).copied()
    }

    /// Pointers to memory behind pointers in memory, and the scans that bounds refer to.
    pub fn found(self) -> (BTreeMap<Object, Value>, BTreeMap<Inst, Scan>) {
        (self.pointers, self.scans)
    }

    /// Can a value be had at the start? The start of an object can, wherever it comes from.
    fn is_had(&mut self, v: Value) -> bool {
        let start = match self.body.ty(v) {
            Type::Ptr => scan::start_of(self.points, v),
            _ => None,
        };
        match start {
            Some(Object::Parameter(_)) => true,
            Some(member) if self.pointers.contains_key(&member) => true,
            _ => self.is_known_at_start(v),
        }
    }

    /// The bounds of an integer that is read from memory, as a scan finds them.
    fn scanned(&mut self, inst: Inst) -> Option<Interval> {
        let body = self.body;
        let points = self.points;
        let (list, barrier) = (&body.regions[body.entry].insts, self.barrier);
        let certain = |i: Inst| list[..barrier].contains(&i);
        let scan = scan::of(body, points, inst, &mut |v| self.is_had(v), &certain)?;
        self.scans.insert(inst, scan);
        let low = Polynomial::atom(Atom::Smallest(inst));
        let high = Polynomial::atom(Atom::Largest(inst));
        let mut found = Interval::new(low.clone(), high, &[]);
        found.conditions.insert(Condition::AtLeast(low, 0));
        Some(found)
    }

    /// The bounds of an integer.
    pub fn integer(&mut self, v: Value) -> Option<Interval> {
        if let Some(known) = self.known.get(&v) {
            return known.clone();
        }
        // What depends on itself has no bounds.
        self.known.insert(v, None);
        let found = self.find(v);
        self.known.insert(v, found.clone());
        found
    }

    fn find(&mut self, v: Value) -> Option<Interval> {
        let body = self.body;
        let ty = body.ty(v);
        if ty == Type::Bool {
            return Some(Interval::new(
                Polynomial::constant(0),
                Polynomial::constant(1),
                &[],
            ));
        }
        if !ty.is_int() || ty.bits() > 64 {
            return None;
        }
        if let Some(n) = body.const_int(v) {
            return Some(Interval::constant(i64::try_from(n).ok()?));
        }
        match body.values[v].def {
            ValueDef::Arg(region, _) if region == body.entry => Some(self.at_start(v)),
            ValueDef::Arg(region, k) => self.argument(region, k as usize),
            ValueDef::Result(inst, k) => {
                let data = &body.insts[inst];
                let found = match (&data.op, k) {
                    (Op::If, _) => self.branches(data, k as usize),
                    (Op::For(_), 0) => self.final_index(data),
                    // Exactly, where it can be computed: half of a size is not as much as all of it.
                    (Op::Div | Op::Shr, _) if self.is_known_at_start(v) => None,
                    _ => self.operation(data, ty),
                };
                match found {
                    Some(found) => Some(found),
                    None if self.is_known_at_start(v) => Some(self.at_start(v)),
                    None if matches!(data.op, Op::Load(_)) => self.scanned(inst),
                    None => None,
                }
            }
        }
    }

    /// A value that is known at the start. Polynomials take it to be zero or more.
    fn at_start(&self, v: Value) -> Interval {
        let value = Polynomial::value(v);
        let mut found = Interval::point(value.clone());
        if self.body.ty(v).is_signed() {
            found.conditions.insert(Condition::AtLeast(value, 0));
        }
        found
    }

    fn operation(&mut self, data: &InstData, ty: Type) -> Option<Interval> {
        let body = self.body;
        let mut arg = |k: usize| self.integer(data.args[k]);
        let found = match &data.op {
            Op::Add => arg(0)?.plus(&arg(1)?)?,
            Op::Sub => arg(0)?.minus(&arg(1)?)?,
            Op::Mul => arg(0)?.times(&arg(1)?)?,
            Op::Neg => Interval::constant(0).minus(&arg(0)?)?,
            Op::Shl => {
                let by = body.const_int(data.args[1])?;
                let factor = (0..62).contains(&by).then(|| 1i64 << by)?;
                arg(0)?.times_constant(factor)?
            }
            Op::Cast => {
                let from = body.ty(data.args[0]);
                if !from.is_int() && from != Type::Bool {
                    return None;
                }
                let found = self.integer(data.args[0])?;
                let fits = match (from.is_signed(), ty.is_signed()) {
                    (true, true) | (false, false) => ty.bits() >= from.bits(),
                    (false, true) => ty.bits() > from.bits(),
                    (true, false) => false,
                };
                return match fits {
                    true => Some(found),
                    false => found.within(ty),
                };
            }
            Op::Rem => {
                let (a, by) = (arg(0)?, arg(1)?);
                let most = by.high.plus_constant(-1)?;
                let low = match a.low.is_nonnegative() {
                    true => Polynomial::default(),
                    false => most.times_constant(-1)?,
                };
                let mut found = Interval::new(low, most, &[&a, &by]);
                match by.low.as_constant() {
                    Some(n) if n > 0 => {}
                    _ => {
                        found.conditions.insert(Condition::AtLeast(by.low, 1));
                    }
                }
                found
            }
            Op::Div | Op::Shr => {
                let a = arg(0)?;
                let by = body.const_int(data.args[1])?;
                // Rounded outwards: a smaller magnitude is enough.
                if by < 1 || !a.low.is_nonnegative() {
                    return None;
                }
                return Some(Interval::new(Polynomial::default(), a.high.clone(), &[&a]));
            }
            Op::And => {
                let mask = body.const_int(data.args[1])?;
                let mask = i64::try_from(mask).ok().filter(|&n| n >= 0)?;
                let high = Polynomial::constant(mask);
                return Some(Interval::new(Polynomial::default(), high, &[]));
            }
            Op::Select => {
                let (a, b) = (self.integer(data.args[1])?, self.integer(data.args[2])?);
                return match smaller(body, data) {
                    Some(true) => {
                        let high = a.high.least(&b.high)?;
                        Some(Interval::new(a.low.least(&b.low)?, high, &[&a, &b]))
                    }
                    Some(false) => {
                        let low = a.low.most(&b.low)?;
                        Some(Interval::new(low, a.high.most(&b.high)?, &[&a, &b]))
                    }
                    None => a.join(&b),
                };
            }
            Op::Call(attr) => return self.of_thread(data, self.points.name(attr.func)),
            _ => return None,
        };
        match ty.is_signed() {
            true => Some(found),
            false => found.within(ty),
        }
    }

    /// What a thread has of the iterations, its number, and how many threads there are.
    fn of_thread(&mut self, data: &InstData, function: &str) -> Option<Interval> {
        let zero = Polynomial::default();
        match function {
            runtime::PART => {
                let iterations = self.integer(data.args[0])?;
                let high = iterations.high.clone();
                Some(Interval::new(zero, high, &[&iterations]))
            }
            runtime::THREAD => {
                let most = self.most_threads(data.parent);
                let last = most.and_then(|p| p.plus_constant(-1));
                // No machine has more.
                let last = last.unwrap_or_else(|| Polynomial::constant(1 << 24));
                Some(Interval::new(zero, last, &[]))
            }
            runtime::THREADS => {
                let most = self.most_threads(data.parent)?;
                Some(Interval::new(Polynomial::constant(1), most, &[]))
            }
            _ => None,
        }
    }

    /// How many threads the team that runs a region has at most, if nothing says so but what is set when the function starts.
    fn most_threads(&mut self, mut region: Region) -> Option<Polynomial> {
        let body = self.body;
        loop {
            let holder = body.regions[region].parent?;
            if let Op::Par(attr) = &body.insts[holder].op
                && attr.directive == Directive::Parallel
            {
                let asked = attr.clauses.iter().any(|c| matches!(c, Clause::NumThreads));
                if asked {
                    return None;
                }
                break;
            }
            region = body.insts[holder].parent;
        }
        let points = self.points;
        let fixed = *(self.fixed).get_or_insert_with(|| !points.may_set_threads());
        let most = points.function(runtime::MOST_THREADS)?;
        fixed.then(|| Polynomial::atom(Atom::Threads(most)))
    }

    fn is_team_size(&self, v: Value) -> bool {
        let body = self.body;
        let mut inst = body.def_inst(v);
        while let Some(i) = inst
            && matches!(body.insts[i].op, Op::Cast)
        {
            inst = body.def_inst(body.insts[i].args[0]);
        }
        inst.is_some_and(|i| match &body.insts[i].op {
            Op::Call(attr) => self.points.name(attr.func) == runtime::THREADS,
            _ => false,
        })
    }

    fn branches(&mut self, data: &InstData, k: usize) -> Option<Interval> {
        let mut all: Option<Interval> = None;
        for &region in &data.regions {
            let end = self.body.terminator(region)?;
            let end = &self.body.insts[end];
            match end.op {
                Op::Yield => {
                    let found = self.integer(*end.args.get(k)?)?;
                    all = Some(match all {
                        Some(other) => other.join(&found)?,
                        None => found,
                    });
                }
                // Control does not come out here.
                _ => continue,
            }
        }
        all
    }

    /// The index of a counted loop.
    fn index(&mut self, data: &InstData) -> Option<Interval> {
        let Op::For(attr) = &data.op else { return None };
        let (first, last) = (self.integer(data.args[0])?, self.integer(data.args[1])?);
        let step = match self.body.const_int(data.args[2]) {
            Some(step) => step,
            None if attr.pred != Pred::Ne && self.is_team_size(data.args[2]) => 1,
            None => return None,
        };
        let ty = self.body.ty(data.args[0]);
        let down = step < 0 || !ty.is_signed() && step >> (ty.bits() - 1) != 0;
        let of = [&first, &last];
        Some(match (attr.pred, down) {
            (Pred::Lt, false) => {
                Interval::new(first.low.clone(), last.high.plus_constant(-1)?, &of)
            }
            (Pred::Le, false) => Interval::new(first.low.clone(), last.high.clone(), &of),
            (Pred::Gt, true) => Interval::new(last.low.plus_constant(1)?, first.high.clone(), &of),
            (Pred::Ge, true) => Interval::new(last.low.clone(), first.high.clone(), &of),
            (Pred::Ne, false) if step == 1 => {
                let mut found = Interval::new(first.low.clone(), last.high.plus_constant(-1)?, &of);
                let distance = last.low.minus(&first.high)?;
                if !distance.is_nonnegative() {
                    found.conditions.insert(Condition::AtLeast(distance, 0));
                }
                found
            }
            _ => return None,
        })
    }

    fn final_index(&mut self, data: &InstData) -> Option<Interval> {
        let step = i64::try_from(self.body.const_int(data.args[2])?).ok()?;
        let inside = self.index(data)?;
        let first = self.integer(data.args[0])?;
        let after = inside.plus(&Interval::constant(step))?;
        inside.join(&after)?.join(&first)
    }

    /// An argument of a region: the index of a loop, or what one carries and only advances.
    fn argument(&mut self, region: Region, k: usize) -> Option<Interval> {
        let holder = self.body.regions[region].parent?;
        let data = &self.body.insts[holder];
        if !matches!(data.op, Op::For(_)) {
            return None;
        }
        if k == 0 {
            return self.index(data);
        }
        if self.continued.contains(&holder) {
            return None;
        }
        let arg = self.body.regions[region].args[k];
        let initial = self.integer(data.args[k + 2])?;
        let end = &self.body.insts[self.body.terminator(region)?];
        let next = *end
            .args
            .get(k - 1)
            .filter(|_| matches!(end.op, Op::Yield))?;
        if next == arg {
            return Some(initial);
        }
        let step = &self.body.insts[self.body.def_inst(next)?];
        let amount = match step.op {
            Op::Add if step.args[0] == arg => step.args[1],
            Op::Add if step.args[1] == arg => step.args[0],
            _ => return None,
        };
        let distance = self.advanced(data, region, amount)?;
        let found = initial.plus(&distance)?;
        let ty = self.body.ty(arg);
        match ty.is_signed() {
            true => Some(found),
            false => found.within(ty),
        }
    }

    /// How far something has advanced in a loop that adds an amount in every iteration.
    fn advanced(&mut self, data: &InstData, region: Region, amount: Value) -> Option<Interval> {
        let amount = match self.body.const_int(amount) {
            Some(n) => Interval::constant(i64::try_from(n).ok()?),
            None if !self.body.encloses(region, self.body.def_region(amount)) => {
                self.integer(amount)?
            }
            None => return None,
        };
        // No more iterations than the index has values.
        let index = self.index(data)?;
        let most = index.high.minus(&index.low)?;
        let trips = Interval::new(Polynomial::default(), most, &[&index]);
        amount.times(&trips)
    }

    /// Which bytes of which objects an address is, from each object's address at the start; objects that the body makes are left out. `None`: not known.
    pub fn address(&mut self, v: Value) -> Option<Vec<(Object, Interval)>> {
        let mut busy = BTreeSet::new();
        self.pointer(v, &mut busy)
    }

    fn pointer(&mut self, v: Value, busy: &mut BTreeSet<Value>) -> Option<Vec<(Object, Interval)>> {
        let body = self.body;
        match body.values[v].def {
            ValueDef::Arg(region, k) if region == body.entry => {
                Some(vec![(Object::Parameter(k), Interval::constant(0))])
            }
            ValueDef::Arg(region, k) => self.carried_pointer(region, k as usize, busy),
            ValueDef::Result(inst, k) => {
                let data = &body.insts[inst];
                match &data.op {
                    Op::GlobalAddr(g) => Some(vec![(Object::Global(*g), Interval::constant(0))]),
                    Op::Load(_) => {
                        if let Some(rows) = scan::rows(self.points, v) {
                            // In an array of pointers: from the lowest of them to the highest, as addresses.
                            return Some(vec![(rows, self.scanned(inst)?)]);
                        }
                        let member = scan::start_of(self.points, v)?;
                        let known = self.pointers.contains_key(&member);
                        known.then(|| vec![(member, Interval::constant(0))])
                    }
                    Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => Some(Vec::new()),
                    Op::Const(_) if body.const_int(v) == Some(0) => Some(Vec::new()),
                    Op::Call(_) if self.points.objects(v).iter().all(|p| p.object.is_local()) => {
                        Some(Vec::new())
                    }
                    Op::Cast if body.ty(data.args[0]) == Type::Ptr => {
                        self.pointer(data.args[0], busy)
                    }
                    Op::Select => {
                        let mut all = self.pointer(data.args[1], busy)?;
                        all.extend(self.pointer(data.args[2], busy)?);
                        Some(all)
                    }
                    Op::Addr(attr) => {
                        let mut distance = Interval::constant(0);
                        let mut next = 1;
                        for step in &attr.steps {
                            let by = match *step {
                                Step::Index { stride } => {
                                    let index = self.integer(data.args[next])?;
                                    next += 1;
                                    index.times_constant(i64::try_from(stride).ok()?)?
                                }
                                Step::IndexDyn => {
                                    let index = self.integer(data.args[next])?;
                                    let stride = self.integer(data.args[next + 1])?;
                                    next += 2;
                                    index.times(&stride)?
                                }
                                Step::Field { offset, .. } => {
                                    Interval::constant(i64::try_from(offset).ok()?)
                                }
                                Step::Bytes(n) => Interval::constant(n),
                            };
                            distance = distance.plus(&by)?;
                        }
                        let base = self.pointer(data.args[0], busy)?;
                        base.into_iter()
                            .map(|(o, at)| Some((o, at.plus(&distance)?)))
                            .collect()
                    }
                    Op::If => {
                        let mut all = Vec::new();
                        for &region in &data.regions {
                            let end = &body.insts[body.terminator(region)?];
                            if let Op::Yield = end.op {
                                all.extend(self.pointer(*end.args.get(k as usize)?, busy)?);
                            }
                        }
                        Some(all)
                    }
                    Op::For(_) | Op::Loop => self.pointer_behind(inst, k as usize, busy),
                    _ => None,
                }
            }
        }
    }

    /// A pointer that a loop results in: what it starts as, or what an iteration or an exit hands on, where that is a pointer that the loop carries. (One that advances is a step further than inside.)
    fn pointer_behind(
        &mut self,
        holder: Inst,
        k: usize,
        busy: &mut BTreeSet<Value>,
    ) -> Option<Vec<(Object, Interval)>> {
        let body = self.body;
        let data = &body.insts[holder];
        let region = data.regions[0];
        if self.continued.contains(&holder) {
            return None;
        }
        let mut last = Vec::new();
        let mut all = Vec::new();
        let mut at = k;
        if let Op::For(_) = data.op {
            at = k.checked_sub(1)?;
            all = self.pointer(*data.args.get(at + 3)?, busy)?;
            let end = &body.insts[body.terminator(region)?];
            if matches!(end.op, Op::Yield) {
                last.push(*end.args.get(at)?);
            }
        }
        let mut exits = Vec::new();
        body.walk(|inst| {
            if body.insts[inst].op == Op::Break(holder) {
                exits.push(inst);
            }
        });
        for exit in exits {
            last.push(*body.insts[exit].args.get(at)?);
        }
        for v in last {
            let carried = body.regions[region].args.contains(&v);
            let before = !body.encloses(region, body.def_region(v));
            (carried || before).then_some(())?;
            all.extend(self.pointer(v, busy)?);
        }
        Some(all)
    }

    /// A pointer that a counted loop carries: it stays, takes turns with others, or advances by the same amount each time.
    fn carried_pointer(
        &mut self,
        region: Region,
        k: usize,
        busy: &mut BTreeSet<Value>,
    ) -> Option<Vec<(Object, Interval)>> {
        let body = self.body;
        let holder = body.regions[region].parent?;
        let data = &body.insts[holder];
        let first = match data.op {
            _ if self.continued.contains(&holder) => return None,
            Op::For(_) => 2,
            Op::Loop => 0,
            _ => return None,
        };
        let arg = body.regions[region].args[k];
        if !busy.insert(arg) {
            // Somewhere in turn: what it starts as is looked at where it is first met.
            return Some(Vec::new());
        }
        let mut all = self.pointer(*data.args.get(k + first)?, busy)?;
        let end = &body.insts[body.terminator(region)?];
        let at = match data.op {
            Op::For(_) => k.checked_sub(1)?,
            _ => k,
        };
        let next = *end.args.get(at).filter(|_| matches!(end.op, Op::Yield))?;
        if body.regions[region].args.contains(&next) {
            all.extend(self.pointer(next, busy)?);
            busy.remove(&arg);
            return Some(all);
        }
        let step = &body.insts[body.def_inst(next)?];
        let stride = match &step.op {
            Op::Addr(attr) if step.args[0] == arg => match attr.steps[..] {
                [Step::Index { stride }] => i64::try_from(stride).ok()?,
                _ => return None,
            },
            _ => return None,
        };
        let distance = self.advanced(data, region, step.args[1])?;
        let distance = distance.times_constant(stride)?;
        busy.remove(&arg);
        all.into_iter()
            .map(|(o, at)| Some((o, at.plus(&distance)?)))
            .collect()
    }
}
