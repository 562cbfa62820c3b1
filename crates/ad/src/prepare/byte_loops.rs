//! Loops that copy memory as bytes or words, whatever lies there (`while (n--) *to++ = *from++;`), become `memmove` where numbers lie at one of the two ends: what they move has derivatives. Loops that
//! exchange memory so become three.
//!
//! `memmove` does what the loop does unless the loop reads what it wrote before. Where the two ends may overlap so, the program ends with a message instead: no number comes out of such a loop.

use super::indirect;
use crate::Registry;
use crate::activity::numbers::{Here, Numbers};
use crate::activity::retype::raw_copies;
use crate::points_to::PointsTo;
use crate::rules::expand::move_bytes;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypes, CallAttr, Inst, InstData, Module, Op, Pred, Step, Type,
    Value,
};
use adjoin_passes::edit::{Replacements, is_inside, unlink};

/// Rewrites a body, and says whether there was such a loop.
pub fn run(module: &mut Module, registry: &Registry, body: &mut Body) -> bool {
    let mut any = false;
    loop {
        let found = find(module, registry, body);
        if found.is_empty() {
            return any;
        }
        any = true;
        for (moved, apart) in found {
            moved.rewrite(module, body, apart);
        }
    }
}

/// The loops, and whether their two ends are surely different memory. What one of them copies may be numbers to the next.
fn find(module: &Module, registry: &Registry, body: &Body) -> Vec<(Moved, bool)> {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) {
            loops.extend(Moved::of(body, inst));
        }
    });
    if loops.is_empty() {
        return Vec::new();
    }
    let points = PointsTo::of_body(module, registry, None, body);
    let mut numbers = Numbers::of(module, body, &points, None);
    numbers.follow(&points, &raw_copies(module, registry, body));
    let holds = |v: Value, size: u64| {
        let here = numbers.at(module, body, &points, v, size, |_| true);
        here != Here::Nothing && !is_member(&module.types, body, v)
    };
    let apart = |moved: &Moved| {
        let [to, from] = [&moved.to, &moved.from].map(|end| points.objects(end.address));
        let local = |list: &[crate::points_to::Place]| list.iter().all(|p| p.object.is_local());
        let same = to.iter().any(|p| from.iter().any(|q| p.object == q.object));
        !same && (local(to) || local(from))
    };
    loops
        .into_iter()
        .filter(|m| holds(m.to.address, m.size) || holds(m.from.address, m.size))
        .map(|m| {
            let apart = apart(&m);
            (m, apart)
        })
        .collect()
}

/// Does an address go through a member of a struct? That is what it is declared as. Members of a union are not.
fn is_member(types: &CTypes, body: &Body, mut v: Value) -> bool {
    while let Some(inst) = body.def_inst(v)
        && let Op::Addr(attr) = &body.insts[inst].op
    {
        let of_struct = |s: &Step| match s {
            Step::Field { record, .. } => !types.records[*record].is_union,
            _ => false,
        };
        if attr.steps.iter().any(of_struct) {
            return true;
        }
        v = body.insts[inst].args[0];
    }
    false
}

/// One end of a copy.
#[derive(Debug)]
struct End {
    /// The address in an iteration.
    address: Value,
    /// The pointer in front of the loop, and what it points to there.
    base: Value,
    pointee: CTy,
    /// The first element: this one, and so many more.
    first: Option<Value>,
    more: i128,
}

/// A loop that copies or exchanges elements, one in each iteration.
#[derive(Debug)]
struct Moved {
    inst: Inst,
    exchanges: bool,
    size: u64,
    /// Towards higher addresses.
    up: bool,
    to: End,
    from: End,
    /// Carried pointers, which move on by an element each time.
    carried: Vec<(usize, CTy)>,
}

impl Moved {
    fn of(body: &Body, inst: Inst) -> Option<Moved> {
        let data = &body.insts[inst];
        let Op::For(attr) = &data.op else { return None };
        let region = data.regions[0];
        let (mut loads, mut stores, mut back) = (Vec::new(), Vec::new(), None);
        for (k, &i) in body.regions[region].insts.iter().enumerate() {
            match &body.insts[i].op {
                Op::Load(a) if !a.volatile => loads.push((k, &body.insts[i])),
                Op::Store(a) if !a.volatile => stores.push((k, &body.insts[i])),
                Op::Yield => back = Some(i),
                op if op.is_pure() && body.insts[i].regions.is_empty() => {}
                _ => return None,
            }
        }
        let back = back?;
        let stored = |at: usize, v: Value, later: usize| {
            let address = loads[at].1.args[0];
            let fits =
                |s: &&(usize, &InstData)| s.1.args[1] == v && is_same(body, s.1.args[0], address);
            stores.iter().find(fits).is_some_and(|s| s.0 > later)
        };
        let (load, store, exchanges) = match (&loads[..], &stores[..]) {
            ([load], [store]) if store.1.args[1] == load.1.results[0] => (load.1, store.1, false),
            // Each place gets what was read from the other, after its own was read.
            ([a, b], [_, _]) => {
                let (x, y) = (a.1.results[0], b.1.results[0]);
                let both = stored(0, y, a.0) && stored(1, x, b.0);
                both.then_some((a.1, b.1, true))?
            }
            _ => return None,
        };
        let v = load.results[0];
        let size = body.ty(v).size();
        let alike = !exchanges || body.ty(store.results[0]) == body.ty(v);
        if !alike || !body.ty(v).is_int() || size == 0 {
            return None;
        }
        let by = body.const_int(data.args[2])? as i64;
        let up = match (attr.pred, by) {
            (Pred::Lt | Pred::Ne, 1) => true,
            (Pred::Gt | Pred::Ne, -1) => false,
            _ => return None,
        };
        let args = &body.regions[region].args;
        let mut carried = Vec::new();
        let mut sign = None;
        for (k, &arg) in args.iter().enumerate().skip(1) {
            let next = *body.insts[back].args.get(k - 1)?;
            let (base, index, pointee) = element(body, next, size)?;
            let one = body.const_int(index).filter(|n| matches!(n, 1 | -1))?;
            if base != arg || sign.is_some_and(|s| s != one) {
                return None;
            }
            sign = Some(one);
            carried.push((k, pointee));
        }
        let indexed = if up { 1 } else { -1 };
        let mut end = |address: Value| {
            let (mut base, mut index, mut pointee) = (address, None, None);
            if let Some((b, i, t)) = element(body, address, size) {
                (base, index, pointee) = (b, Some(i), Some(t));
            }
            let (of, more) = match index {
                Some(i) => offset(body, i),
                None => (None, 0),
            };
            if let Some(k) = args.iter().skip(1).position(|&a| a == base) {
                let pointee = pointee.or(carried.get(k).map(|c| c.1))?;
                let start = *data.args.get(k + 3)?;
                return of.is_none().then_some(End {
                    address,
                    base: start,
                    pointee,
                    first: None,
                    more,
                });
            }
            // The index, or what it was made of; going the same way as the pointers.
            let same = sign.is_none_or(|s| s == indexed);
            sign = Some(indexed);
            let outside = |v: Value| {
                let inside = body.def_inst(v).is_some_and(|i| is_inside(body, i, inst));
                !inside && !args.contains(&v)
            };
            (same && of == Some(args[0]) && outside(base)).then_some(End {
                address,
                base,
                pointee: pointee?,
                first: Some(data.args[0]),
                more,
            })
        };
        // An exchange has two loads here.
        let (to, from) = (end(store.args[0])?, end(load.args[0])?);
        // One end may go by the index and the other by a pointer only if both go the same way.
        let carried_sign = body.insts[back].args.first().and_then(|&next| {
            let (_, index, _) = element(body, next, size)?;
            body.const_int(index)
        });
        let by_index = to.first.is_some() || from.first.is_some();
        let up = match carried_sign {
            Some(s) if by_index && s != indexed => return None,
            Some(s) => s > 0,
            None => up,
        };
        Some(Moved {
            inst,
            exchanges,
            size,
            up,
            to,
            from,
            carried,
        })
    }

    fn rewrite(self, module: &mut Module, body: &mut Body, apart: bool) {
        let data = body.insts[self.inst].clone();
        let Op::For(attr) = &data.op else { return };
        let (pred, lower, upper) = (attr.pred, data.args[0], data.args[1]);
        let ascends = body.const_int(data.args[2]) == Some(1);
        let starts_at_zero = body.const_int(lower) == Some(0);
        let mut b = Builder::before(body, self.inst);
        let (high, low) = if ascends {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let difference = b.sub(high, low);
        let difference = b.cast(Type::I64, difference);
        let count = match pred {
            Pred::Ne => difference,
            _ => {
                let runs = b.lt(low, high);
                let none = b.int(Type::I64, 0);
                b.select(runs, difference, none)
            }
        };
        let size = b.int(Type::I64, self.size.into());
        let bytes = b.mul(count, size);
        let bytes = b.cast(Type::U64, bytes);
        let lowest = |b: &mut Builder<'_>, end: &End| {
            let mut at = match (end.first, end.more) {
                (None, 0) => end.base,
                (Some(_), 0) if starts_at_zero => end.base,
                (first, more) => {
                    let more = b.int(Type::I64, more);
                    let index = match first {
                        Some(first) => {
                            let first = b.cast(Type::I64, first);
                            b.add(first, more)
                        }
                        None => more,
                    };
                    b.element(end.base, end.pointee, self.size, index)
                }
            };
            if !self.up {
                let one = b.int(Type::I64, 1);
                let behind = b.sub(one, count);
                at = b.element(at, end.pointee, self.size, behind);
            }
            at
        };
        let (to, from) = (lowest(&mut b, &self.to), lowest(&mut b, &self.from));
        let char = module.types.basic(Basic::Char);
        // To and from memory of its own, and between the two ends.
        let mut calls = vec![(false, (to, from))];
        if self.exchanges {
            let constant = b.body.const_int(bytes).and_then(|n| u64::try_from(n).ok());
            let kept = match constant {
                Some(n) => b.slot(module.types.array(char, Some(n)), None),
                None => {
                    let (none, one) = (b.int(Type::U64, 0), b.int(Type::U64, 1));
                    let empty = b.eq(bytes, none);
                    let room = b.select(empty, one, bytes);
                    b.slot_vla(char, None, room)
                }
            };
            calls = vec![
                (true, (kept, to)),
                (false, (to, from)),
                (true, (from, kept)),
            ];
        }
        for (own, (to, from)) in calls {
            let name = if own || apart { "memcpy" } else { "memmove" };
            let func = move_bytes(module, name);
            let attr = CallAttr {
                func,
                extra: Vec::new(),
            };
            let mut b = Builder::before(body, self.inst);
            let call = b.inst(Op::Call(attr), vec![to, from, bytes], &[Type::Ptr]);
            b.body.insts[call].span = data.span;
        }
        let mut b = Builder::before(body, self.inst);
        let mut replacements = Replacements::default();
        let step = |b: &mut Builder<'_>, up: bool, v: Value, ty: Type| {
            let zero = b.int(ty, 0);
            let v = b.cast(ty, v);
            if up { v } else { b.sub(zero, v) }
        };
        let ty = b.body.ty(lower);
        let passed = step(&mut b, ascends, count, ty);
        let last = b.add(lower, passed);
        replacements.set(data.results[0], last);
        let passed = step(&mut b, self.up, count, Type::I64);
        for &(k, pointee) in &self.carried {
            let end = b.element(data.args[k + 2], pointee, self.size, passed);
            replacements.set(data.results[k], end);
        }
        if !apart {
            let [to, from] = [to, from].map(|v| b.cast(Type::U64, v));
            let mut near = |ahead: Value, behind: Value| {
                let distance = b.sub(ahead, behind);
                let zero = b.int(Type::U64, 0);
                let (differs, near) = (b.ne(distance, zero), b.lt(distance, bytes));
                b.and(differs, near)
            };
            // How far the loop writes behind what it reads, the way that it goes.
            let overlaps = match (self.exchanges, self.up) {
                (true, _) => {
                    let (one, other) = (near(to, from), near(from, to));
                    b.or(one, other)
                }
                (_, true) => near(to, from),
                (_, false) => near(from, to),
            };
            let (_, then, otherwise) = b.if_(overlaps, &[]);
            b.inside(otherwise, |b| b.yield_(&[]));
            let marker = b.inside(then, |b| {
                let here = b.int(Type::I32, 0);
                b.yield_(&[]);
                here
            });
            let Some(marker) = body.def_inst(marker) else {
                return;
            };
            body.insts[marker].span = data.span;
            let what = "a loop that copies numbers as bytes reads what it wrote before";
            indirect::stop(module, body, marker, what);
        }
        unlink(body, self.inst);
        replacements.apply(body);
    }
}

/// `&base[index]` with elements of a size.
fn element(body: &Body, v: Value, size: u64) -> Option<(Value, Value, CTy)> {
    let data = &body.insts[body.def_inst(v)?];
    let Op::Addr(attr) = &data.op else {
        return None;
    };
    match (&attr.steps[..], &data.args[..]) {
        (&[Step::Index { stride }], &[base, index]) if stride == size => {
            Some((base, index, attr.pointee))
        }
        _ => None,
    }
}

/// Are two addresses computed alike?
fn is_same(body: &Body, a: Value, b: Value) -> bool {
    let address = |v: Value| match &body.insts[body.def_inst(v)?] {
        data if matches!(data.op, Op::Addr(_)) => Some((data.op.clone(), data.args.clone())),
        _ => None,
    };
    let alike = |a: Value, b: Value| {
        let constant = body.const_int(a);
        a == b || constant.is_some() && constant == body.const_int(b)
    };
    a == b
        || match (address(a), address(b)) {
            (Some((op, args)), Some((other, others))) => {
                op == other
                    && args.len() == others.len()
                    && args.iter().zip(&others).all(|(&a, &b)| alike(a, b))
            }
            _ => false,
        }
}

/// Does a conversion of an integer keep all of it?
fn is_wider(body: &Body, from: Value, to: Value) -> bool {
    let [from, to] = [from, to].map(|v| body.ty(v));
    from.is_int() && to.is_int() && to.size() >= from.size()
}

/// An index as a value plus a constant, or a constant alone.
fn offset(body: &Body, mut v: Value) -> (Option<Value>, i128) {
    let mut sum = 0;
    loop {
        if let Some(n) = body.const_int(v) {
            return (None, sum + n);
        }
        let Some(data) = body.def_inst(v).map(|i| &body.insts[i]) else {
            return (Some(v), sum);
        };
        let constant = |k: usize| data.args.get(k).and_then(|&a| body.const_int(a));
        match (&data.op, constant(0), constant(1)) {
            (Op::Add, _, Some(n)) => (v, sum) = (data.args[0], sum + n),
            (Op::Add, Some(n), _) => (v, sum) = (data.args[1], sum + n),
            (Op::Sub, _, Some(n)) => (v, sum) = (data.args[0], sum - n),
            (Op::Cast, ..) if is_wider(body, data.args[0], v) => v = data.args[0],
            _ => return (Some(v), sum),
        }
    }
}
