//! Mirrored loops count down to zero. Those whose iterations may run in any order count up instead: compilers, caches and readers prefer it. Where the primal's
//! loop starts elsewhere, they count as that one does: `j = i + k` for k from 0 to n - i becomes j from i to n, which is also what proofs about indices understand.

use crate::plan::promote::spelled;
use adjoin_ir::{Body, Builder, ForAttr, Inst, Op, Pred, Type, Value};
use adjoin_passes::edit;
use std::collections::{BTreeMap, BTreeSet};

/// What a loop was before it was turned.
#[derive(Clone, Debug)]
struct Before {
    inst: Inst,
    op: Op,
    bounds: [Value; 3],
    /// First and last bound if it counts up from zero.
    from_zero: [Value; 2],
    shift: Option<Shift>,
}

/// What was changed so that a loop counts from another number than zero.
#[derive(Clone, Debug)]
struct Shift {
    ty: Type,
    name: Option<String>,
    /// What it counts from, and the counter as it was.
    low: Value,
    old: Value,
    /// Operands as they were, in order.
    operands: Vec<(Inst, usize, Value)>,
    /// What computes the old counter.
    made: Vec<Inst>,
}

/// Loops that count up for the time being.
#[derive(Debug, Default)]
pub struct Turned {
    /// In the order in which they were turned.
    before: Vec<Before>,
}

impl Turned {
    /// Turns a loop that counts down by one to zero, and whose last index nobody uses.
    pub fn turn(&mut self, body: &mut Body, inst: Inst) {
        let data = &body.insts[inst];
        let Op::For(ForAttr { pred: Pred::Ge, .. }) = data.op else {
            return;
        };
        let [highest, lowest, step] = [data.args[0], data.args[1], data.args[2]];
        let ty = body.ty(highest);
        if body.const_int(step) != Some(-1) || !ty.is_signed() {
            return;
        }
        let op = body.insts[inst].op.clone();
        let bounds = [highest, lowest, step];
        let (end, turned, shift) = match body.const_int(lowest) {
            Some(0) => {
                let Some(end) = behind(body, inst, highest, ty) else {
                    return;
                };
                let mut turned = [lowest, end];
                let shift = range(body, inst, end).and_then(|[low, high]| {
                    let shift = shift(body, inst, low)?;
                    turned = [low, high];
                    Some(shift)
                });
                (end, turned, shift)
            }
            // A part of the iterations, as in rounds: the numbers of iterations are far from the largest of their type.
            _ if ty == Type::I64 => {
                let b = &mut Builder::before(body, inst);
                let one = b.int(ty, 1);
                let end = b.add(highest, one);
                let mut turned = [lowest, end];
                let shift = origin(body, inst).and_then(|low| {
                    let shift = shift(body, inst, low)?;
                    turned = turned.map(|v| {
                        let b = &mut Builder::before(body, inst);
                        let v = b.cast(b.body.ty(low), v);
                        b.add(low, v)
                    });
                    Some(shift)
                });
                (end, turned, shift)
            }
            _ => return,
        };
        self.before.push(Before {
            inst,
            op,
            bounds,
            from_zero: [lowest, end],
            shift,
        });
        let ty = body.ty(turned[0]);
        let one = Builder::before(body, inst).int(ty, 1);
        body.insts[inst].op = Op::For(ForAttr::plain(Pred::Lt));
        body.insts[inst].args[..3].copy_from_slice(&[turned[0], turned[1], one]);
    }

    /// Is it one of them?
    pub fn contains(&self, inst: Inst) -> bool {
        self.before.iter().any(|b| b.inst == inst)
    }

    /// All of them.
    pub fn all(&self) -> Vec<Inst> {
        self.before.iter().map(|b| b.inst).collect()
    }

    /// It stays as it is now.
    pub fn keep(&mut self, inst: Inst) {
        self.before.retain(|b| b.inst != inst);
    }

    /// All others count down again. Returns their bounds if they counted up from zero, as their counters do again.
    pub fn restore(self, body: &mut Body) -> BTreeMap<Inst, [Value; 2]> {
        let mut bounds: BTreeMap<Inst, [Value; 2]> = BTreeMap::new();
        // What was changed last is as it was first.
        for before in self.before.into_iter().rev() {
            let inst = before.inst;
            if let Some(shift) = before.shift {
                shift.restore(body, inst, &mut bounds);
            }
            body.insts[inst].op = before.op;
            body.insts[inst].args[..3].copy_from_slice(&before.bounds);
            bounds.insert(inst, before.from_zero);
        }
        bounds
    }
}

impl Shift {
    /// `bounds` are those of loops that were turned since: where they say the counter, they mean what it was then as well.
    fn restore(self, body: &mut Body, inst: Inst, bounds: &mut BTreeMap<Inst, [Value; 2]>) {
        let region = body.insts[inst].regions[0];
        let counter = body.regions[region].args[0];
        let mut known: BTreeSet<(Inst, usize)> = BTreeSet::new();
        for (user, operand, before) in self.operands.into_iter().rev() {
            // A loop that was turned since, and stays so, has other bounds by now.
            let now = body.insts[user].args[operand];
            if now == counter || now == self.old {
                body.insts[user].args[operand] = before;
                known.insert((user, operand));
            }
        }
        // What came since and uses the counter, as bounds of inner loops do, means what it was then.
        let since: Vec<(Inst, usize)> = (edit::insts_in(body, region).into_iter())
            .filter(|i| !self.made.contains(i))
            .flat_map(|i| (0..body.insts[i].args.len()).map(move |k| (i, k)))
            .filter(|at| !known.contains(at))
            .collect();
        let with = |body: &Body, v: Value| -> Vec<(Inst, usize)> {
            let uses = |&&(i, k): &&(Inst, usize)| body.insts[i].args[k] == v;
            since.iter().filter(uses).copied().collect()
        };
        let (shifted, plain) = (with(body, counter), with(body, self.old));
        for made in &self.made {
            edit::unlink(body, *made);
        }
        let ty = body.ty(counter);
        set_counter(body, inst, self.ty);
        body.values[counter].name = self.name;
        for (user, operand) in plain {
            body.insts[user].args[operand] = counter;
        }
        let named = || bounds.values().flatten().any(|&v| v == counter);
        let mut sum = None;
        if (!shifted.is_empty() || named())
            && let Some(&top) = body.regions[region].insts.first()
        {
            let mut b = Builder::before(body, top);
            let number = b.cast(ty, counter);
            sum = Some(b.add(self.low, number));
        }
        if let Some(sum) = sum {
            for (user, operand) in shifted {
                body.insts[user].args[operand] = sum;
            }
        }
        for bound in bounds.values_mut().flatten() {
            *bound = match *bound {
                v if v == counter => sum.unwrap_or(v),
                v if v == self.old => counter,
                v => v,
            };
        }
    }
}

fn set_counter(body: &mut Body, inst: Inst, ty: Type) {
    let counter = body.regions[body.insts[inst].regions[0]].args[0];
    let last = body.insts[inst].results[0];
    body.values[counter].ty = ty;
    body.values[last].ty = ty;
}

/// What a loop adds its counter to before it uses it: where the primal's loop starts.
fn origin(body: &Body, inst: Inst) -> Option<Value> {
    let region = body.insts[inst].regions[0];
    let counter = body.regions[region].args[0];
    let counts = |v: Value| {
        v == counter
            || body.def_inst(v).is_some_and(|i| {
                let data = &body.insts[i];
                matches!(data.op, Op::Cast) && data.args[0] == counter && body.ty(v).is_int()
            })
    };
    edit::insts_in(body, region).into_iter().find_map(|i| {
        let data = &body.insts[i];
        let [a, b] = match (&data.op, &data.args[..]) {
            (Op::Add, &[a, b]) => [a, b],
            _ => return None,
        };
        let start = if counts(a) { b } else { a };
        let ty = body.ty(start);
        let known = !body.encloses(region, body.def_region(start));
        let fits = ty.is_int() && ty.is_signed() && known && body.const_int(start) != Some(0);
        (counts(a) != counts(b) && fits).then_some(start)
    })
}

/// Lets the counter of a loop be what `low` plus the counter was, if anything in it computes that.
fn shift(body: &mut Body, inst: Inst, low: Value) -> Option<Shift> {
    let region = body.insts[inst].regions[0];
    let counter = body.regions[region].args[0];
    let (old_ty, ty) = (body.ty(counter), body.ty(low));
    let last = body.insts[inst].results[0];
    if body.insts.values().any(|d| d.args.contains(&last)) {
        return None;
    }
    let inside = edit::insts_in(body, region);
    let same = |a: Value, b: Value| a == b || spelled(body, a, 12) == spelled(body, b, 12);
    let counts = |v: Value| {
        let cast = || {
            let data = &body.insts[body.def_inst(v)?];
            let of_counter = matches!(data.op, Op::Cast) && data.args[0] == counter;
            (of_counter && body.ty(v).is_int()).then_some(())
        };
        v == counter || cast().is_some()
    };
    let mut sums = Vec::new();
    for &i in &inside {
        let data = &body.insts[i];
        if !matches!(data.op, Op::Add) || body.ty(data.results[0]) != ty {
            continue;
        }
        let [a, b] = [data.args[0], data.args[1]];
        if counts(a) && same(b, low) || counts(b) && same(a, low) {
            sums.push(data.results[0]);
        }
    }
    let first = *sums.first()?;
    let name = body.values[counter].name.clone();
    let top = *body.regions[region].insts.first()?;
    // Before anything is computed from it.
    set_counter(body, inst, ty);
    let mut b = Builder::before(body, top);
    let mut made = Vec::new();
    let mut cast = |b: &mut Builder<'_>, v: Value| {
        if ty == old_ty {
            return v;
        }
        let wide = b.cast(old_ty, v);
        made.extend(b.body.def_inst(wide));
        wide
    };
    let (new, start) = (cast(&mut b, counter), cast(&mut b, low));
    let old = b.sub(new, start);
    made.extend(b.body.def_inst(old));
    let mut operands = Vec::new();
    for &user in &inside {
        for operand in 0..body.insts[user].args.len() {
            let v = body.insts[user].args[operand];
            let changed = match v {
                _ if v == counter => old,
                _ if sums.contains(&v) => counter,
                _ => continue,
            };
            operands.push((user, operand, v));
            body.insts[user].args[operand] = changed;
        }
    }
    if let Some(better) = body.values[first].name.clone() {
        body.values[counter].name = Some(better);
    }
    Some(Shift {
        ty: old_ty,
        name,
        low,
        old,
        operands,
        made,
    })
}

/// First index and the one behind the last of the loop that a number counts the iterations of, if it does not start at zero; known in front of a loop.
fn range(body: &mut Body, inst: Inst, count: Value) -> Option<[Value; 2]> {
    let mut count = count;
    while let Some(inst) = body.def_inst(count) {
        let data = &body.insts[inst];
        let cast = matches!(data.op, Op::Cast) && body.ty(data.args[0]).is_int();
        match cast {
            true => count = data.args[0],
            false => break,
        }
    }
    let data = &body.insts[body.def_inst(count)?];
    let difference = match data.op {
        Op::Select => without_maximum(body, count),
        _ => count,
    };
    if matches!(data.op, Op::Select) && difference == count {
        return None;
    }
    let data = &body.insts[body.def_inst(difference)?];
    if !matches!(data.op, Op::Sub) {
        return None;
    }
    let [high, mut low] = [data.args[0], data.args[1]].map(|v| narrow(body, v));
    let ty = body.ty(high);
    let constant = body.const_int(low);
    if let Some(n) = constant.filter(|n| n.abs() < 1 << 30 && body.ty(low) != ty) {
        low = Builder::before(body, inst).int(ty, n);
    }
    let fits = ty == body.ty(low) && ty.is_int() && ty.is_signed() && ty.bits() >= 32;
    (fits && constant != Some(0)).then_some([low, high])
}

/// The number behind the highest index, in front of a loop.
fn behind(body: &mut Body, inst: Inst, highest: Value, ty: Type) -> Option<Value> {
    if let Some(n) = body.const_int(highest) {
        let fits = n < (1i128 << (ty.bits() - 1)) - 1;
        return fits.then(|| Builder::before(body, inst).int(ty, n + 1));
    }
    let data = &body.insts[body.def_inst(highest)?];
    let one_less = matches!(data.op, Op::Sub) && body.const_int(data.args[1]) == Some(1);
    one_less.then(|| without_maximum(body, data.args[0]))
}

/// `0 < n ? n : 0` and the like as `n`: the loop does not run where that is negative.
fn without_maximum(body: &Body, count: Value) -> Value {
    let plain = || -> Option<Value> {
        let data = &body.insts[body.def_inst(count)?];
        if !matches!(data.op, Op::Select) || body.const_int(data.args[2]) != Some(0) {
            return None;
        }
        let test = &body.insts[body.def_inst(data.args[0])?];
        let (low, high) = match test.op {
            Op::Lt => (test.args[0], test.args[1]),
            Op::Gt => (test.args[1], test.args[0]),
            _ => return None,
        };
        let signed = body.ty(low).is_int() && body.ty(low).is_signed();
        (signed && is_difference(body, data.args[1], low, high)).then_some(data.args[1])
    };
    plain().unwrap_or(count)
}

/// Is a number the difference of two others?
fn is_difference(body: &Body, v: Value, low: Value, high: Value) -> bool {
    let same = |a: Value, b: Value| {
        let (a, b) = (narrow(body, a), narrow(body, b));
        a == b || body.const_int(a).is_some() && body.const_int(a) == body.const_int(b)
    };
    if body.const_int(low) == Some(0) && same(v, high) {
        return true;
    }
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let data = &body.insts[inst];
    matches!(data.op, Op::Sub) && same(data.args[0], high) && same(data.args[1], low)
}

/// The number that was widened, if it was.
fn narrow(body: &Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        let (Op::Cast, Some(&from)) = (&data.op, data.args.first()) else {
            break;
        };
        let (a, b) = (body.ty(from), body.ty(v));
        let keeps =
            a.is_int() && b.is_int() && a.is_signed() && b.is_signed() && b.bits() >= a.bits();
        if !keeps {
            break;
        }
        v = from;
    }
    v
}
