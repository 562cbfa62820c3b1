//! Takes the first and the last iterations off innermost loops over arrays that treat the borders differently: `i > 0 ? u[i - 1] : u[n - 1]`, `u[(i + 1) % n]`. What is
//! left reads neighbours at fixed distances, without branches and divisions: its reverse adds to neighbours, too, and both run in lanes.
//!
//! A comparison of the counter, or a remainder of it, is looked at over all but a few iterations at the ends: if it comes out the same there (or the quotient does), those few are
//! worth a loop of their own. Only differences that are numbers decide, so nothing is assumed of values. Integers do not wrap on their way.

use super::lanes::addend;
use super::polynomial::{Atom, Polynomial};
use adjoin_ir::{Body, Builder, Const, Inst, Module, Op, Pred, Region, Type, Value};
use adjoin_passes::edit::{self, Replacements};
use std::collections::HashMap;

/// So many iterations at most are taken off at each end: filters of nine taps have four neighbours.
const MOST: i64 = 4;
/// More than so many of a known number are a loop, rather than written out.
const MOST_WRITTEN_OUT: i64 = 2;
/// So often at most it is looked at loops again that were changed.
const MOST_ROUNDS: usize = 3;
/// Loops with more instructions are left alone.
const MOST_INSTRUCTIONS: usize = 160;
/// Loops with fewer iterations, too.
const FEWEST_TRIPS: i64 = 8;
/// Not more loops than this in one body.
const MOST_LOOPS: usize = 24;

/// Runs over a prepared body. Returns how many loops were changed.
pub fn run(module: &Module, body: &mut Body) -> usize {
    adjoin_passes::registry::optional("peel", || {
        // What is decided may decide more: of `min(max(i, 0), n - 1)` first the inner one.
        let rounds = (0..MOST_ROUNDS).map(|_| apply(module, body));
        rounds.take_while(|&count| count > 0).sum()
    })
}

fn apply(module: &Module, body: &mut Body) -> usize {
    let mut count = 0;
    for holder in plain_loops(module, body) {
        if count < MOST_LOOPS
            && let Some(plan) = Plan::find(body, holder)
        {
            plan.apply(body);
            count += 1;
        }
    }
    if count > 0 {
        adjoin_passes::simplify::run(&module.types, body);
        adjoin_passes::prune::run(&module.types, body);
    }
    count
}

/// The counted loops of a body, outer ones first, without those with checkpoints.
pub(super) fn plain_loops(module: &Module, body: &Body) -> Vec<Inst> {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) {
            loops.push(inst);
        }
    });
    loops.retain(|&l| !is_checkpointed(module, body, l));
    loops
}

/// Is it a loop with checkpoints, or in one? What such a loop accesses must be plain to see until it has become a function.
pub(super) fn is_checkpointed(module: &Module, body: &Body, holder: Inst) -> bool {
    let mut at = Some(holder);
    while let Some(inst) = at {
        if module.checkpoints.contains_key(&body.insts[inst].span) {
            return true;
        }
        at = body.regions[body.insts[inst].parent].parent;
    }
    false
}

/// What an instruction is in all iterations that are left.
#[derive(Clone, Debug)]
enum Outcome {
    /// A comparison: true or false.
    Truth(bool),
    /// A remainder: the counter and so much.
    Counter(i64),
}

/// A loop to be changed.
struct Plan {
    holder: Inst,
    /// How many iterations are taken off at the start and at the end.
    first: i64,
    last: i64,
    outcomes: Vec<(Inst, Outcome)>,
}

/// The iterations of a loop.
struct Range<'a> {
    body: &'a Body,
    inside: Region,
    counter: Value,
    /// The smallest and the largest value of the counter.
    low: Polynomial,
    high: Polynomial,
}

impl Range<'_> {
    /// An integer as a polynomial of the counter and of values from outside.
    fn affine(&self, v: Value) -> Option<Polynomial> {
        let body = self.body;
        if let Some(n) = body.const_int(v) {
            return Some(Polynomial::constant(i64::try_from(n).ok()?));
        }
        let whole = || {
            let outside = !body.encloses(self.inside, body.def_region(v));
            (v == self.counter || outside).then(|| Polynomial::value(v))
        };
        let Some(inst) = body.def_inst(v) else {
            return whole();
        };
        let data = &body.insts[inst];
        let arg = |k: usize| match addend(body, data.args[k]) {
            Some(n) => Some(Polynomial::constant(n)),
            None => self.affine(data.args[k]),
        };
        match data.op {
            Op::Add => arg(0)?.plus(&arg(1)?),
            Op::Sub => arg(0)?.minus(&arg(1)?),
            Op::Cast => {
                let (from, to) = (body.ty(data.args[0]), body.ty(v));
                let inner = match from.is_int() && to.is_int() && to.bits() >= from.bits() {
                    true => self.affine(data.args[0])?,
                    false => return whole(),
                };
                // A narrow unsigned number that wrapped stays a large one.
                let wraps = !from.is_signed() && to.bits() > from.bits();
                match wraps && inner.terms().any(|(_, c)| c < 0) {
                    true => whole(),
                    false => Some(inner),
                }
            }
            _ => whole(),
        }
    }

    /// The smallest and the largest value of `sign` × counter + rest, without a few iterations at both ends, where they are numbers.
    fn ends(&self, p: &Polynomial, first: i64, last: i64) -> (Option<i64>, Option<i64>) {
        let c = Atom::Value(self.counter);
        let mut sign = 0;
        for (atoms, n) in p.terms() {
            if atoms == [c.clone()] {
                sign = n;
            } else if atoms.contains(&c) {
                return (None, None);
            }
        }
        let end = |at: &Polynomial, by: i64| {
            let counter = Polynomial::atom(c.clone()).times_constant(sign)?;
            let value = at.plus_constant(by)?.times_constant(sign)?;
            p.minus(&counter)?.plus(&value)?.as_constant()
        };
        let (a, b) = (end(&self.low, first), end(&self.high, -last));
        match sign {
            1 => (a, b),
            -1 => (b, a),
            _ => (None, None),
        }
    }

    /// What an instruction is in all but a few iterations.
    fn outcome(&self, inst: Inst, first: i64, last: i64) -> Option<Outcome> {
        let data = &self.body.insts[inst];
        match data.op {
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => {
                let ty = self.body.ty(data.args[0]);
                if !ty.is_int() {
                    return None;
                }
                let (a, b) = (self.affine(data.args[0])?, self.affine(data.args[1])?);
                // An unsigned number below zero is a large one.
                let negative = |p: &Polynomial| p.terms().any(|(_, c)| c < 0);
                if !ty.is_signed() && (negative(&a) || negative(&b)) {
                    return None;
                }
                let (low, high) = self.ends(&a.minus(&b)?, first, last);
                let below = |n: i64| high.is_some_and(|h| h < n);
                let above = |n: i64| low.is_some_and(|l| l > n);
                let (yes, no) = match data.op {
                    Op::Lt => (below(0), above(-1)),
                    Op::Le => (below(1), above(0)),
                    Op::Gt => (above(0), below(1)),
                    Op::Ge => (above(-1), below(0)),
                    Op::Eq => (false, below(0) || above(0)),
                    _ => (below(0) || above(0), false),
                };
                (yes || no).then_some(Outcome::Truth(yes))
            }
            // `i ? u[i - 1] : a`
            Op::Cast if self.body.ty(data.results[0]) == Type::Bool => {
                let ty = self.body.ty(data.args[0]);
                let a = self.affine(data.args[0]).filter(|_| ty.is_int())?;
                if !ty.is_signed() && a.terms().any(|(_, c)| c < 0) {
                    return None;
                }
                let (low, high) = self.ends(&a, first, last);
                let other = low.is_some_and(|l| l > 0) || high.is_some_and(|h| h < 0);
                other.then_some(Outcome::Truth(true))
            }
            Op::Rem => {
                let (a, m) = (self.affine(data.args[0])?, self.affine(data.args[1])?);
                // How often the divisor fits, the same in all: then it is greater than zero, and so is what is divided.
                [0, 1, 2].into_iter().find_map(|q| {
                    let rest = a.minus(&m.times_constant(q)?)?;
                    let (low, _) = self.ends(&rest, first, last);
                    let (_, above) = self.ends(&rest.minus(&m)?, first, last);
                    let counter = Polynomial::value(self.counter);
                    let by = rest.minus(&counter)?.as_constant()?;
                    (low? >= 0 && above? < 0).then_some(Outcome::Counter(by))
                })
            }
            _ => None,
        }
    }
}

impl Plan {
    fn find(body: &Body, holder: Inst) -> Option<Plan> {
        let data = &body.insts[holder];
        let Op::For(attr) = &data.op else { return None };
        let inside = data.regions[0];
        let counter = body.regions[inside].args[0];
        let ty = body.ty(counter);
        if body.const_int(data.args[2]) != Some(1)
            || !matches!(attr.pred, Pred::Lt | Pred::Le)
            || edit::is_of_construct(body, holder)
            || !matches!(ty, Type::I32 | Type::I64 | Type::U32 | Type::U64)
            || attr.pred == Pred::Le && !ty.is_signed()
        {
            return None;
        }
        let low = body.const_int(data.args[0]).filter(|&n| n >= 0)?;
        let low = i64::try_from(low).ok()?;
        let list = instructions(body, inside)?;
        let upper = data.args[1];
        let is_select = |v: Value| {
            let def = body.def_inst(v);
            def.is_some_and(|i| matches!(body.insts[i].op, Op::Select))
        };
        // What was taken off is not looked at again.
        if is_select(upper) {
            return None;
        }
        let mut range = Range {
            body,
            inside,
            counter,
            low: Polynomial::constant(low),
            high: Polynomial::default(),
        };
        let behind = range.affine(upper)?;
        range.high = match attr.pred {
            Pred::Lt => behind.plus_constant(-1)?,
            _ => behind,
        };
        if let Some(high) = range.high.as_constant()
            && high - low + 1 < FEWEST_TRIPS
        {
            return None;
        }
        let (mut first, mut last) = (0, 0);
        let mut sums: Vec<(i64, i64)> = (0..=MOST)
            .flat_map(|a| (0..=MOST).map(move |b| (a, b)))
            .collect();
        sums.sort_by_key(|&(a, b)| (a + b, a));
        let mut decided = Vec::new();
        for &inst in &list {
            let ends = sums
                .iter()
                .find(|&&(a, b)| range.outcome(inst, a, b).is_some());
            if let Some(&(a, b)) = ends {
                (first, last) = (first.max(a), last.max(b));
                decided.push(inst);
            }
        }
        if first + last == 0 || !Self::is_over_arrays(body, &list, &range) {
            return None;
        }
        // Where the counter goes in the end is known for constant bounds only.
        let constant = range.high.as_constant().is_some();
        if !constant && Self::is_used(body, data.results[0]) {
            return None;
        }
        let outcomes = decided
            .into_iter()
            .filter_map(|inst| Some((inst, range.outcome(inst, first, last)?)))
            .collect();
        Some(Plan {
            holder,
            first,
            last,
            outcomes,
        })
    }

    /// Is there an access whose address moves with the counter?
    fn is_over_arrays(body: &Body, list: &[Inst], range: &Range<'_>) -> bool {
        list.iter().any(|&inst| {
            let data = &body.insts[inst];
            let Op::Store(_) = data.op else { return false };
            let mut at = body.def_inst(data.args[0]);
            while let Some(step) = at {
                let data = &body.insts[step];
                if !matches!(data.op, Op::Addr(_)) {
                    return false;
                }
                let moves = |&v: &Value| {
                    let p = range.affine(v);
                    p.is_some_and(|p| p.terms().any(|(a, _)| a == [Atom::Value(range.counter)]))
                };
                if data.args[1..]
                    .iter()
                    .any(|v| Self::mentions(body, *v, range.counter) || moves(v))
                {
                    return true;
                }
                at = body.def_inst(data.args[0]);
            }
            false
        })
    }

    /// Is an integer computed from the counter by a few operations?
    fn mentions(body: &Body, v: Value, counter: Value) -> bool {
        let mut work = vec![(v, 6)];
        while let Some((v, depth)) = work.pop() {
            if v == counter {
                return true;
            }
            if let Some(inst) = body.def_inst(v)
                && depth > 0
            {
                let data = &body.insts[inst];
                if matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Cast) {
                    work.extend(data.args.iter().map(|&a| (a, depth - 1)));
                }
            }
        }
        false
    }

    fn is_used(body: &Body, v: Value) -> bool {
        body.insts.values().any(|data| data.args.contains(&v))
    }

    fn apply(self, body: &mut Body) {
        let data = body.insts[self.holder].clone();
        let Op::For(attr) = &data.op else { return };
        let span = data.span;
        let ty = body.ty(data.args[0]);
        let [lower, upper] = [data.args[0], data.args[1]];
        let low = body.const_int(lower).unwrap_or(0);
        let high = body.const_int(upper);
        let off = i128::from(attr.pred == Pred::Le);
        let make = |body: &mut Body, fill: &mut dyn FnMut(&mut Builder<'_>) -> Value| {
            let mut b = Builder::before(body, self.holder);
            b.span = span;
            fill(&mut b)
        };
        let (first, last) = (i128::from(self.first), i128::from(self.last));
        let start = make(body, &mut |b| b.int(ty, low + first));
        let end = match high {
            Some(n) => make(body, &mut |b| b.int(ty, n - last)),
            None if last == 0 => upper,
            None => make(body, &mut |b| {
                let by = b.int(ty, last);
                let end = b.sub(upper, by);
                match ty.is_signed() {
                    true => end,
                    // It must not wrap.
                    false => {
                        let zero = b.int(ty, 0);
                        let enough = b.gt(upper, by);
                        b.select(enough, end, zero)
                    }
                }
            }),
        };
        let mut carried: Vec<Value> = data.args[3..].to_vec();
        if self.first > 0 {
            let copies = Copies::new(self.holder, false);
            carried = match high {
                Some(_) if self.first <= MOST_WRITTEN_OUT => {
                    copies.unrolled(body, low..low + first, carried)
                }
                Some(_) => {
                    let stop = make(body, &mut |b| b.int(ty, low + first - off));
                    copies.looped(body, [lower, stop], carried)
                }
                None => {
                    let stop = make(body, &mut |b| {
                        let stop = b.int(ty, low + first - off);
                        let fewer = b.lt(upper, stop);
                        b.select(fewer, upper, stop)
                    });
                    copies.looped(body, [lower, stop], carried)
                }
            };
        }
        let mut replacements = Replacements::default();
        if self.last > 0 {
            let results: Vec<Value> = data.results[1..].to_vec();
            let known = body.insts.len();
            let copies = Copies::new(self.holder, true);
            let after = match high {
                Some(n) if self.last <= MOST_WRITTEN_OUT => {
                    copies.unrolled(body, n + off - last..n + off, results.clone())
                }
                Some(n) => {
                    let begin = make(body, &mut |b| b.int(ty, n + off - last));
                    copies.looped(body, [begin, upper], results.clone())
                }
                None => {
                    let begin = make(body, &mut |b| {
                        let begin = match off {
                            0 => end,
                            n => {
                                let n = b.int(ty, n);
                                b.add(end, n)
                            }
                        };
                        let fewer = b.lt(begin, start);
                        b.select(fewer, start, begin)
                    });
                    copies.looped(body, [begin, upper], results.clone())
                }
            };
            // What used the results uses those of the last iterations, but for these themselves.
            let pairs: HashMap<Value, Value> = results.into_iter().zip(after).collect();
            for data in body.insts.values_mut().take(known) {
                for arg in &mut data.args {
                    *arg = pairs.get(arg).copied().unwrap_or(*arg);
                }
            }
        }
        if let Some(n) = high {
            // The counter behind the loop.
            let value = make(body, &mut |b| b.int(ty, n + off));
            replacements.set(data.results[0], value);
        }
        let main = &mut body.insts[self.holder];
        (main.args[0], main.args[1]) = (start, end);
        main.args.splice(3.., carried);
        let counter = body.regions[data.regions[0]].args[0];
        for (inst, outcome) in self.outcomes {
            let result = body.result(inst);
            let ty = body.ty(result);
            let mut b = Builder::before(body, inst);
            b.span = span;
            let new = match outcome {
                Outcome::Truth(t) => b.bool_(t),
                Outcome::Counter(by) => {
                    let counter = b.cast(ty, counter);
                    match by {
                        0 => counter,
                        n => {
                            let amount = b.constant(ty, Const::Int(n.unsigned_abs().into()));
                            match n > 0 {
                                true => b.add(counter, amount),
                                false => b.sub(counter, amount),
                            }
                        }
                    }
                }
            };
            replacements.set(result, new);
        }
        replacements.apply(body);
    }
}

/// All instructions inside of a loop that nothing leaves and that has no loop in it.
pub(super) fn instructions(body: &Body, region: Region) -> Option<Vec<Inst>> {
    let mut all = Vec::new();
    let mut work = vec![region];
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            match data.op {
                Op::If => work.extend(&data.regions),
                Op::Yield => {}
                ref op if op.is_terminator() || !data.regions.is_empty() => return None,
                Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => return None,
                _ => {}
            }
            all.push(inst);
        }
    }
    (all.len() <= MOST_INSTRUCTIONS).then_some(all)
}

/// Makes copies of a loop's body in front of it or behind it.
pub(super) struct Copies {
    holder: Inst,
    behind: bool,
}

impl Copies {
    pub fn new(holder: Inst, behind: bool) -> Copies {
        Copies { holder, behind }
    }

    /// Iterations one by one. Takes what the first receives, and returns what the last hands on.
    fn unrolled(
        &self,
        body: &mut Body,
        numbers: std::ops::Range<i128>,
        mut carried: Vec<Value>,
    ) -> Vec<Value> {
        let parent = body.insts[self.holder].parent;
        let span = body.insts[self.holder].span;
        let region = body.insts[self.holder].regions[0];
        let ty = body.ty(body.regions[region].args[0]);
        let mut at = edit::position(body, self.holder) + usize::from(self.behind);
        for n in numbers {
            let number = body.make(parent, Op::Const(Const::Int(n)), Vec::new(), span);
            let value = body.add_result(number, ty);
            body.regions[parent].insts.insert(at, number);
            (carried, at) = self.iteration(body, value, carried, at + 1);
        }
        carried
    }

    /// One iteration. Takes what it receives, and returns what it hands on.
    pub fn single(&self, body: &mut Body, number: Value, carried: Vec<Value>) -> Vec<Value> {
        let at = edit::position(body, self.holder) + usize::from(self.behind);
        self.iteration(body, number, carried, at).0
    }

    /// One iteration at a place in the loop's region. Returns what it hands on, and the place behind it.
    fn iteration(
        &self,
        body: &mut Body,
        number: Value,
        carried: Vec<Value>,
        at: usize,
    ) -> (Vec<Value>, usize) {
        let parent = body.insts[self.holder].parent;
        let region = body.insts[self.holder].regions[0];
        let args = body.regions[region].args.clone();
        let mut map = HashMap::from([(args[0], number)]);
        map.extend(args[1..].iter().copied().zip(carried));
        let mut next = Vec::new();
        let mut new = Vec::new();
        for inst in body.regions[region].insts.clone() {
            if matches!(body.insts[inst].op, Op::Yield) {
                let args = body.insts[inst].args.iter();
                next = args.map(|v| map.get(v).copied().unwrap_or(*v)).collect();
            } else {
                new.push(copy(body, inst, parent, &mut map));
            }
        }
        let behind = at + new.len();
        body.regions[parent].insts.splice(at..at, new);
        (next, behind)
    }

    /// Iterations as a loop with other bounds.
    pub fn looped(&self, body: &mut Body, bounds: [Value; 2], carried: Vec<Value>) -> Vec<Value> {
        let parent = body.insts[self.holder].parent;
        let at = edit::position(body, self.holder) + usize::from(self.behind);
        let new = copy(body, self.holder, parent, &mut HashMap::new());
        let args = &mut body.insts[new].args;
        (args[0], args[1]) = (bounds[0], bounds[1]);
        args.splice(3.., carried);
        body.regions[parent].insts.insert(at, new);
        body.insts[new].results[1..].to_vec()
    }
}

/// Copies an instruction and what it holds; it is not in the list of its region yet.
fn copy(body: &mut Body, inst: Inst, parent: Region, map: &mut HashMap<Value, Value>) -> Inst {
    let data = body.insts[inst].clone();
    let args = data.args.iter();
    let args = args.map(|v| map.get(v).copied().unwrap_or(*v)).collect();
    let new = body.make(parent, data.op, args, data.span);
    for &old in &data.results {
        let ty = body.ty(old);
        let v = body.add_result(new, ty);
        call_as(body, old, v);
        map.insert(old, v);
    }
    for &region in &data.regions {
        let inner = body.add_region(new);
        for old in body.regions[region].args.clone() {
            let ty = body.ty(old);
            let v = body.add_arg(inner, ty);
            call_as(body, old, v);
            map.insert(old, v);
        }
        for inst in body.regions[region].insts.clone() {
            let copied = copy(body, inst, inner, map);
            body.regions[inner].insts.push(copied);
        }
    }
    new
}

fn call_as(body: &mut Body, old: Value, new: Value) {
    body.values[new].name = body.values[old].name.clone();
    body.values[new].ctype = body.values[old].ctype;
}
