//! Worksharing loops: plain `for`s over the thread's own iterations.
//!
//! A loop that counts up by one keeps its index, so that what is indexed with it stays as simple as it was. Others run over the number of the iteration.

use super::sharing::is_last_private;
use super::team::Team;
use super::{by_one, runtime};
use crate::edit::Replacements;
use adjoin_ir::{
    Body, Builder, Clause, Directive, ForAttr, Inst, Op, Pred, Region, Schedule, Type, Value,
    ValueDef,
};

/// Loops that the threads of a team share.
pub(super) fn is_worksharing(d: &Directive) -> bool {
    matches!(
        d,
        Directive::For | Directive::ForSimd | Directive::ParallelFor | Directive::ParallelForSimd
    )
}

/// The loop of a worksharing construct: the only instruction with regions that it holds.
pub(super) fn the_loop(body: &Body, par: Inst) -> Option<Inst> {
    let region = *body.insts[par].regions.first()?;
    let list = &body.regions[region].insts;
    let mut holding = list.iter().filter(|&&i| !body.insts[i].regions.is_empty());
    let (&only, None) = (holding.next()?, holding.next()) else {
        return None;
    };
    let data = &body.insts[only];
    let carries = data.args.len() > 3;
    (matches!(data.op, Op::For(_)) && !carries).then_some(only)
}

/// A loop of fewer iterations cannot keep all threads busy.
const FEW: i128 = 32;

/// How the iterations of a loop are shared out.
enum Share {
    Contiguous,
    /// In chunks of this many, dealt out in turn, or else on demand.
    Chunks(Value, bool),
    /// In some chunks for each thread, dealt out in turn: work that differs along the loop is shared out evenly.
    Guided,
    /// As the program's environment says when it runs.
    Runtime,
    /// The first thread gets them all, to run them in order.
    First,
}

/// How many chunks each thread gets of a guided schedule.
const GUIDED_CHUNKS: i128 = 16;

/// The counting of a loop.
pub(super) struct Count {
    pub ty: Type,
    pub lower: Value,
    pub step: Value,
    /// The number of iterations (`long`; none if it is negative).
    pub number: Value,
    /// It counts up by one.
    by_one: bool,
}

impl Team<'_> {
    /// `for`, `for simd`.
    pub fn worksharing_loop(&mut self, par: Inst) {
        let Some(inst) = the_loop(self.body, par) else {
            return;
        };
        let in_order = by_one::is_in_order(self.body, par);
        // Others may have left something for this thread behind a `nowait`.
        if in_order {
            self.barrier(par);
        }
        let nowait = !in_order && self.has_clause(par, &Clause::Nowait);
        let after = self.following(par);
        let region = self.body.insts[par].regions[0];
        let (list, reductions) = self.construct_data(par, region);
        // May it show who runs which iteration?
        let shows = self.asks || self.paired || self.shown.contains(&par);
        let flat = self.flatten(par, inst);
        // Who runs the last iteration must be known.
        let is_last =
            |kind| is_last_private(kind) || (in_order && kind == adjoin_ir::DataKind::Linear);
        let has_last = list.iter().any(|(data, _)| is_last(data.kind));
        let share = match in_order {
            true => Share::First,
            false => self.share(par, inst, shows),
        };
        let last = match share {
            Share::First => {
                let count = count(self.body, inst, inst);
                self.by_first(inst, &count)
            }
            Share::Contiguous => {
                let shared = match flat {
                    true => inst,
                    false => self.best_of_nest(par, inst),
                };
                let count = count(self.body, shared, inst);
                let grain = if shows { 1 } else { runtime::GRAIN };
                self.contiguous(shared, inst, &count, grain)
            }
            Share::Chunks(size, on_demand) => {
                let count = count(self.body, inst, inst);
                self.chunks(inst, &count, size, on_demand && !has_last)
            }
            Share::Guided => {
                let count = count(self.body, inst, inst);
                let size = self.guided(inst, &count);
                self.chunks(inst, &count, size, !has_last)
            }
            Share::Runtime => {
                let count = count(self.body, inst, inst);
                self.as_set(inst, &count)
            }
        };
        let finals: Vec<_> = list
            .into_iter()
            .filter(|(data, _)| is_last(data.kind))
            .collect();
        self.dissolve(par);
        if !finals.is_empty() {
            let ran_last = last(self, after);
            let mut b = self.before(after);
            let (_, then, otherwise) = b.if_(ran_last, &[]);
            let end = b.inside(then, |b| b.yield_(&[]));
            b.inside(otherwise, |b| b.yield_(&[]));
            for (data, private) in finals {
                self.copy_before(end, data.ctype, data.original, private);
            }
        }
        self.end_of_construct(&reductions, after, nowait);
    }

    /// What the schedule clause asks for. Dynamic schedules are dealt out in turn, which is one of the ways they may go; where it cannot matter, the text has them again.
    fn share(&mut self, par: Inst, inst: Inst, shows: bool) -> Share {
        let data = &self.body.insts[par];
        let Op::Par(attr) = &data.op else {
            return Share::Contiguous;
        };
        let mut operand = 0;
        let mut found = None;
        for clause in &attr.clauses {
            if let Clause::Schedule { kind, chunk, .. } = clause {
                found = Some((*kind, chunk.then(|| data.args[operand])));
            }
            operand += clause.operands();
        }
        match found {
            Some((
                kind @ (Schedule::Static | Schedule::Dynamic | Schedule::Guided),
                Some(size),
            )) => {
                let size = self.before(inst).cast(Type::I64, size);
                Share::Chunks(size, kind != Schedule::Static)
            }
            Some((Schedule::Dynamic, None)) => {
                Share::Chunks(self.before(inst).int(Type::I64, 1), true)
            }
            Some((Schedule::Guided, None)) => Share::Guided,
            // Where nobody can tell who ran what, any way will do.
            Some((Schedule::Runtime, _)) if shows => Share::Runtime,
            _ => Share::Contiguous,
        }
    }

    /// The size of the chunks of a guided schedule.
    fn guided(&mut self, inst: Inst, count: &Count) -> Value {
        let (threads, number) = (self.threads, count.number);
        let b = &mut self.before(inst);
        let threads = b.cast(Type::I64, threads);
        let each = b.int(Type::I64, GUIDED_CHUNKS);
        let chunks = b.mul(threads, each);
        let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
        let none = b.lt(number, zero);
        let number = b.select(none, zero, number);
        let whole = b.div(number, chunks);
        // Proofs take this apart: it is one more than a quotient, whatever that is.
        let size = b.add(whole, one);
        b.set_name(size, "size");
        size
    }

    /// Which loop of a nest is shared out. With `collapse` all iterations of the nest may go to any thread: an outer loop of few iterations is run by all
    /// threads, each with its share of the inner one.
    fn best_of_nest(&self, par: Inst, outer: Inst) -> Inst {
        let Op::Par(attr) = &self.body.insts[par].op else {
            return outer;
        };
        let collapsed = attr.clauses.iter().find_map(|c| match c {
            Clause::Collapse(n) => Some(*n),
            _ => None,
        });
        let mut best = outer;
        for _ in 1..collapsed.unwrap_or(1) {
            if self.constant_count(best).is_none_or(|n| n == 0 || n >= FEW) {
                break;
            }
            let region = self.body.insts[best].regions[0];
            let list = &self.body.regions[region].insts;
            let [rest @ .., inner, _end] = &list[..] else {
                break;
            };
            let data = &self.body.insts[*inner];
            let plain = matches!(data.op, Op::For(_)) && data.args.len() == 3;
            let pure = rest.iter().all(|&i| self.body.insts[i].op.is_pure());
            // The bounds of a collapsed loop do not depend on the nest.
            let regions = &self.body.insts[outer].regions;
            let fixed = plain
                && data.args.iter().all(|&v| {
                    let home = self.body.def_region(v);
                    !self.body.encloses(regions[0], home)
                });
            let fewer = match (self.constant_count(best), self.constant_count(*inner)) {
                (Some(a), Some(b)) => b <= a,
                _ => false,
            };
            if !pure || !fixed || fewer {
                break;
            }
            best = *inner;
        }
        best
    }

    /// The number of iterations of a loop with constant bounds.
    fn constant_count(&self, inst: Inst) -> Option<i128> {
        let data = &self.body.insts[inst];
        let constant = |k: usize| self.body.const_int(data.args[k]);
        let (low, high) = (constant(0)?, constant(1)?);
        let step = as_signed(constant(2)?, self.body.ty(data.args[2])).abs();
        Some((high - low).abs() / step.max(1))
    }

    /// Consecutive iterations, shared out in front of `at`. The answer makes the condition that the thread ran the last of all.
    fn contiguous(&mut self, inst: Inst, at: Inst, count: &Count, grain: i128) -> LastRan {
        let part = runtime::part(self.module);
        let (thread, threads, number) = (self.thread, self.threads, count.number);
        let b = &mut self.before(at);
        let threads = b.cast(Type::I64, threads);
        let thread = b.cast(Type::I64, thread);
        let one = b.int(Type::I64, 1);
        let next = b.add(thread, one);
        let grain = b.int(Type::I64, grain);
        let first = runtime::call(b, part, vec![number, threads, thread, grain], Type::I64);
        b.set_name(first, "first");
        let end = runtime::call(b, part, vec![number, threads, next, grain], Type::I64);
        b.set_name(end, "end");
        run_over(self.body, inst, count, (first, end), one);
        Box::new(move |team, after| {
            let b = &mut team.before(after);
            let some = b.lt(first, end);
            let all = b.eq(end, number);
            b.and(some, all)
        })
    }

    /// All iterations, by the first thread.
    fn by_first(&mut self, inst: Inst, count: &Count) -> LastRan {
        let (thread, number) = (self.thread, count.number);
        let b = &mut self.before(inst);
        let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
        let none = b.int(Type::I32, 0);
        let first = b.eq(thread, none);
        let end = b.select(first, number, zero);
        b.set_name(end, "end");
        run_over(self.body, inst, count, (zero, end), one);
        Box::new(move |team, after| team.before(after).lt(zero, end))
    }

    /// Chunks in turn: thread t runs the chunks t, t + team, …
    fn chunks(&mut self, inst: Inst, count: &Count, size: Value, on_demand: bool) -> LastRan {
        let (thread, threads, number) = (self.thread, self.threads, count.number);
        let single = self.body.const_int(size) == Some(1);
        let b = &mut self.before(inst);
        let threads = b.cast(Type::I64, threads);
        let thread = b.cast(Type::I64, thread);
        let chunks = if single {
            number
        } else {
            let one = b.int(Type::I64, 1);
            let less = b.sub(size, one);
            let padded = b.add(number, less);
            b.div(padded, size)
        };
        let dealt = if single {
            run_over(self.body, inst, count, (thread, number), threads);
            inst
        } else {
            let (outer, region) = b.for_(Pred::Lt, thread, chunks, threads, &[]);
            let chunk = b.body.regions[region].args[0];
            b.set_name(chunk, "chunk");
            let end = b.inside(region, |b| {
                let first = b.mul(chunk, size);
                let behind = b.add(first, size);
                let short = b.lt(number, behind);
                let end = b.select(short, number, behind);
                let one = b.int(Type::I64, 1);
                let terminator = b.yield_(&[]);
                (first, end, one, terminator)
            });
            let (first, end, one, terminator) = end;
            crate::edit::move_before(self.body, inst, terminator);
            run_over(self.body, inst, count, (first, end), one);
            outer
        };
        if let Op::For(attr) = &mut self.body.insts[dealt].op {
            attr.on_demand = on_demand;
        }
        ran_last(chunks, thread, threads)
    }
}

/// The thread ran the last of chunks that are dealt out in turn.
pub(super) fn ran_last(chunks: Value, thread: Value, threads: Value) -> LastRan {
    Box::new(move |team, after| {
        let b = &mut team.before(after);
        let one = b.int(Type::I64, 1);
        let last = b.sub(chunks, one);
        let zero = b.int(Type::I64, 0);
        let some = b.ge(last, zero);
        let owner = b.rem(last, threads);
        let own = b.eq(owner, thread);
        b.and(some, own)
    })
}

/// Counts the iterations of a loop, in front of `at`.
pub(super) fn count(body: &mut Body, inst: Inst, at: Inst) -> Count {
    let data = &body.insts[inst];
    let (lower, upper, step) = (data.args[0], data.args[1], data.args[2]);
    let Op::For(ForAttr { pred, .. }) = data.op else {
        unreachable!("the loop of a construct is a for")
    };
    let ty = body.ty(lower);
    let constant = body.const_int(step).map(|n| as_signed(n, ty));
    let b = &mut Builder::before(body, at);
    let low = b.cast(Type::I64, lower);
    let high = b.cast(Type::I64, upper);
    let down = matches!(pred, Pred::Gt | Pred::Ge) || (pred == Pred::Ne && constant < Some(0));
    let distance = match down {
        true => b.sub(low, high),
        false => b.sub(high, low),
    };
    let number = match (constant.map(i128::abs), pred) {
        (Some(1), Pred::Le | Pred::Ge) => {
            let one = b.int(Type::I64, 1);
            b.add(distance, one)
        }
        (Some(1), _) => distance,
        _ => {
            let mut size = signed(b, step, ty);
            if down {
                size = b.neg(size);
            }
            let whole = match pred {
                Pred::Le | Pred::Ge => b.add(distance, size),
                Pred::Ne => distance,
                Pred::Lt | Pred::Gt => {
                    let one = b.int(Type::I64, 1);
                    let less = b.sub(size, one);
                    b.add(distance, less)
                }
            };
            b.div(whole, size)
        }
    };
    Count {
        ty,
        lower,
        step,
        number,
        by_one: constant == Some(1),
    }
}

/// Makes a loop run over the iterations from `first` to `end`.
pub(super) fn run_over(
    body: &mut Body,
    inst: Inst,
    count: &Count,
    (first, end): (Value, Value),
    stride: Value,
) {
    let ty = count.ty;
    if count.by_one {
        let lower = count.lower;
        let b = &mut Builder::before(body, inst);
        let from = b.cast(ty, first);
        let from = b.add(lower, from);
        let to = b.cast(ty, end);
        let to = b.add(lower, to);
        let step = b.cast(ty, stride);
        let data = &mut body.insts[inst];
        data.op = Op::For(ForAttr::plain(Pred::Lt));
        data.args = vec![from, to, step];
        return;
    }
    let (lower, step) = (count.lower, count.step);
    over_number(body, inst, (first, end), stride, |b, number| {
        let number = b.cast(ty, number);
        let way = b.mul(number, step);
        b.add(lower, way)
    });
}

/// Makes a loop run over numbers of iterations, of which its index is made.
pub(super) fn over_number(
    body: &mut Body,
    inst: Inst,
    (first, end): (Value, Value),
    stride: Value,
    index_of: impl FnOnce(&mut Builder<'_>, Value) -> Value,
) {
    let data = &mut body.insts[inst];
    data.op = Op::For(ForAttr::plain(Pred::Lt));
    data.args = vec![first, end, stride];
    let (result, region) = (data.results[0], data.regions[0]);
    body.values[result].ty = Type::I64;
    body.values[result].ctype = None;
    let number = number_instead_of_index(body, region);
    let start = body.regions[region].insts[0];
    let b = &mut Builder::before(body, start);
    let value = index_of(b, number);
    let index = body.regions[region].args.pop();
    if let Some(index) = index {
        let named = &body.values[index];
        let (name, ctype) = (named.name.clone(), named.ctype);
        body.values[value].name = name;
        body.values[value].ctype = ctype;
        let mut replacements = Replacements::default();
        replacements.set(index, value);
        replacements.apply(body);
    }
}

/// A loop's region gets the number of the iteration as its argument; the old index follows it, to be taken away.
fn number_instead_of_index(body: &mut Body, region: Region) -> Value {
    let number = body.add_arg(region, Type::I64);
    body.values[number].name = Some("iteration".to_string());
    body.values[number].def = ValueDef::Arg(region, 0);
    body.regions[region].args.swap(0, 1);
    number
}

/// Makes the condition that the thread ran the last iteration, in front of an instruction.
pub(super) type LastRan = Box<dyn FnOnce(&mut Team<'_>, Inst) -> Value>;

/// A number of an unsigned type that counts down is one that wraps around.
fn as_signed(n: i128, ty: Type) -> i128 {
    let wraps = !ty.is_signed() && n >> (ty.bits() - 1) != 0;
    if wraps { n - (1 << ty.bits()) } else { n }
}

/// A step as a signed number.
fn signed(b: &mut Builder<'_>, step: Value, ty: Type) -> Value {
    let same = match ty {
        Type::U8 => Type::I8,
        Type::U16 => Type::I16,
        Type::U32 => Type::I32,
        Type::U64 => Type::I64,
        other => other,
    };
    let step = b.cast(same, step);
    b.cast(Type::I64, step)
}
