//! Tangents that are zero, skipped by rows.
//!
//! Columns of a Jacobian have sparse tangents: an angle of one finger moves the bones of that finger only. Where a loop adds up `weight * table[b][…]` of the tangents of a table
//! that the loops around it only read, a row of the table that is zero in all directions adds nothing. Which rows are is found once in front of the loops around, and the sum
//! over rows skips them. (Zero times infinity counts as zero here, as everywhere that tangents are known to be zero.)

use crate::loops::root;
use adjoin_ir::{
    Basic, Body, Builder, CTypeKind, CTypes, Inst, Op, Pred, Region, Step, Type, Value,
};
use adjoin_passes::edit;
use std::collections::{BTreeSet, HashMap};

/// Fewer vectors than this in a row are not worth a branch.
const FEWEST: usize = 4;
/// Tables with more rows than this are left alone.
const MOST_ROWS: u64 = 4096;
/// In loops that run fewer times than this, looking at the table costs more than it saves.
const FEWEST_ITERATIONS: i128 = 16;

/// A sum over the rows of a table.
struct Sum {
    /// The loop over the rows, and the one around it.
    rows: Inst,
    around: Inst,
    /// How many rows the table has.
    count: u64,
    /// The loads of what is in a row, one for each place.
    loads: Vec<Inst>,
    /// Everything that is done to vectors, in order.
    work: Vec<Inst>,
    /// The vectors that the loop carries: where they stand among its arguments, and what they are next.
    carried: Vec<(usize, Value)>,
}

/// Runs over a finished derivative in several directions.
pub(super) fn run(types: &mut CTypes, body: &mut Body) {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) {
            loops.push(inst);
        }
    });
    for rows in loops {
        if let Some(sum) = find(types, body, rows) {
            apply(types, body, &sum);
        }
    }
}

fn counts_up(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    matches!(&data.op, Op::For(attr) if attr.pred == Pred::Lt)
        && body.const_int(data.args[2]) == Some(1)
        && body.ty(data.args[0]).is_signed()
}

fn find(types: &CTypes, body: &Body, rows: Inst) -> Option<Sum> {
    let data = &body.insts[rows];
    let around = body.regions[data.parent].parent?;
    let region = data.regions[0];
    let (list, args) = (&body.regions[region].insts, &body.regions[region].args);
    let vectors = args.iter().any(|&v| body.ty(v).is_vector());
    let straight = list.iter().all(|&i| body.insts[i].regions.is_empty());
    if !vectors || !straight || !counts_up(body, rows) || !counts_up(body, around) {
        return None;
    }
    // The same rows in all iterations of the loop around, all of which come here.
    let outer = body.insts[around].regions[0];
    let fixed = |v: Value| body.const_int(v).is_some() || !body.encloses(outer, body.def_region(v));
    let low = body.const_int(data.args[0]);
    let inside = edit::insts_in(body, outer);
    let leaves = |&i: &Inst| {
        let op = &body.insts[i].op;
        matches!(op, Op::Break(_) | Op::Continue(_) | Op::Return | Op::Par(_))
    };
    if low != Some(0) || !fixed(data.args[1]) || inside.iter().any(leaves) {
        return None;
    }
    let mut found = Sum {
        rows,
        around,
        count: u64::MAX,
        loads: Vec::new(),
        work: Vec::new(),
        carried: Vec::new(),
    };
    // What is zero if the row is, and sums that only such things are added to, by what they start from.
    let mut zero: BTreeSet<Value> = BTreeSet::new();
    let mut sums: HashMap<Value, usize> = HashMap::new();
    for (k, &v) in args.iter().enumerate().skip(1) {
        if body.ty(v).is_vector() {
            sums.insert(v, k);
        }
    }
    let end = body.terminator(region)?;
    let mut tables = BTreeSet::new();
    for &inst in list.iter().filter(|&&i| i != end) {
        let data = &body.insts[inst];
        let wide = |v: &Value| body.ty(*v).is_vector();
        if !data.results.iter().chain(&data.args).any(wide) {
            continue;
        }
        let &[y] = &data.results[..] else {
            return None;
        };
        match (&data.op, &data.args[..]) {
            (Op::Load(attr), &[address]) if !attr.volatile && wide(&y) => {
                let (table, count) = row_of(types, body, address, args[0])?;
                tables.insert(table);
                found.count = found.count.min(count);
                let same = |&l: &Inst| body.insts[l].args[0] == address;
                if !found.loads.iter().any(same) {
                    found.loads.push(inst);
                }
                zero.insert(y);
            }
            // A number beside a vector.
            (Op::Cast, &[x]) if wide(&y) && !wide(&x) => {}
            (Op::Neg, [x]) if zero.contains(x) => {
                zero.insert(y);
            }
            (Op::Mul, [a, b]) if zero.contains(a) || zero.contains(b) => {
                if sums.contains_key(a) || sums.contains_key(b) {
                    return None;
                }
                zero.insert(y);
            }
            (Op::Div, [a, b]) if zero.contains(a) && !sums.contains_key(b) => {
                zero.insert(y);
            }
            (Op::Add | Op::Sub, [a, b]) if zero.contains(a) && zero.contains(b) => {
                zero.insert(y);
            }
            (Op::Add, [a, b]) if sums.contains_key(a) && zero.contains(b) => {
                sums.insert(y, sums[a]);
            }
            (Op::Add, [a, b]) if sums.contains_key(b) && zero.contains(a) => {
                sums.insert(y, sums[b]);
            }
            (Op::Sub, [a, b]) if sums.contains_key(a) && zero.contains(b) => {
                sums.insert(y, sums[a]);
            }
            _ => return None,
        }
        found.work.push(inst);
    }
    for (k, &v) in body.insts[end].args.iter().enumerate() {
        if body.ty(v).is_vector() {
            if sums.get(&v) != Some(&(k + 1)) {
                return None;
            }
            found.carried.push((k, v));
        }
    }
    let small = found.count <= MOST_ROWS && found.loads.len() >= FEWEST;
    let read = |&t: &Value| is_only_read(body, t, outer);
    (small && tables.iter().all(read)).then_some(found)
}

/// The table that an address is in, in the row of a number, and how many rows it has.
fn row_of(types: &CTypes, body: &Body, address: Value, row: Value) -> Option<(Value, u64)> {
    let data = &body.insts[body.def_inst(address)?];
    let Op::Addr(attr) = &data.op else {
        return None;
    };
    let Some(Step::Index { stride }) = attr.steps.first() else {
        return None;
    };
    let rest = |v: &Value| body.const_int(*v).is_some();
    let slot = &body.insts[body.def_inst(data.args[0])?];
    let Op::Slot(object) = &slot.op else {
        return None;
    };
    let indices = attr.steps.iter().all(|s| matches!(s, Step::Index { .. }));
    if unwidened(body, data.args[1]) != row || !indices || !data.args[2..].iter().all(rest) {
        return None;
    }
    let CTypeKind::Array { len: Some(len), .. } = *types.shape(object.ctype) else {
        return None;
    };
    let bytes = types.size_of(object.ctype)?;
    (len > 0 && bytes / len == *stride).then_some((data.args[0], len))
}

/// A number before it was made wider.
fn unwidened(body: &Body, v: Value) -> Value {
    let narrow = || {
        let data = &body.insts[body.def_inst(v)?];
        let cast = matches!(data.op, Op::Cast) && body.ty(data.args[0]).is_int();
        (cast && body.ty(data.args[0]).is_signed()).then(|| data.args[0])
    };
    narrow().unwrap_or(v)
}

/// Is a table of the body's own not written in a region, and its address known to nobody else?
fn is_only_read(body: &Body, table: Value, region: Region) -> bool {
    let mut only = true;
    body.walk(|inst| {
        let data = &body.insts[inst];
        let inside = body.encloses(region, data.parent);
        for (k, &v) in data.args.iter().enumerate() {
            if body.ty(v) != Type::Ptr || root(body, v) != table {
                continue;
            }
            only &= match data.op {
                Op::Addr(_) => k == 0,
                Op::Load(_) => true,
                Op::Store(_) => k == 0 && !inside,
                Op::Zero(_) | Op::Copy(_) => !inside,
                _ => false,
            };
        }
    });
    // Made outside: in the loop it would be another one each time.
    only && !body.encloses(region, body.def_region(table))
}

fn apply(types: &mut CTypes, body: &mut Body, sum: &Sum) {
    let [outer_low, outer_high] = [0, 1].map(|k| body.insts[sum.around].args[k]);
    let bounds = [0, 1, 2].map(|k| body.insts[sum.rows].args[k]);
    let span = body.insts[sum.rows].span;
    let flag = types.basic(Basic::Bool);
    let array = types.array(flag, Some(sum.count));
    let step = vec![Step::Index { stride: 1 }];
    let mut b = Builder::before(body, sum.around);
    b.span = span;
    let flags = b.slot(array, Some("moves"));
    let runs = b.lt(outer_low, outer_high);
    let (_, then, otherwise) = b.if_(runs, &[]);
    b.inside(otherwise, |b| b.yield_(&[]));
    b.inside(then, |b| {
        let [low, high] = [outer_low, outer_high].map(|v| b.cast(Type::I64, v));
        let trips = b.sub(high, low);
        let few = b.int(Type::I64, FEWEST_ITERATIONS);
        let few = b.lt(trips, few);
        let bounds = bounds.map(|v| match b.body.const_int(v) {
            Some(n) => b.int(b.body.ty(v), n),
            None => v,
        });
        let (_, region) = b.for_(Pred::Lt, bounds[0], bounds[1], bounds[2], &[]);
        let row = b.body.regions[region].args[0];
        b.inside(region, |b| {
            let (any, yes, no) = b.if_(few, &[Type::Bool]);
            b.inside(yes, |b| {
                let all = b.bool_(true);
                b.yield_(&[all]);
            });
            b.inside(no, |b| {
                let moves = is_not_zero(types, b, sum, row);
                b.yield_(&[moves]);
            });
            let any = b.body.result(any);
            let place = b.addr(flags, flag, step.clone(), &[row]);
            b.store(place, any);
            b.yield_(&[]);
        });
        b.yield_(&[]);
    });
    skip(body, sum, |b, row| {
        let place = b.addr(flags, flag, step.clone(), &[row]);
        b.load(Type::Bool, place)
    });
}

/// Is anything in a row not zero?
fn is_not_zero(types: &mut CTypes, b: &mut Builder<'_>, sum: &Sum, row: Value) -> Value {
    let mut all = None;
    for &load in &sum.loads {
        let data = b.body.insts[load].clone();
        let Some(address) = b.body.def_inst(data.args[0]) else {
            continue;
        };
        let address = b.body.insts[address].clone();
        let mut args = address.args.clone();
        args[1] = b.cast(b.body.ty(args[1]), row);
        for index in args.iter_mut().skip(2) {
            if let Some(n) = b.body.const_int(*index) {
                *index = b.int(b.body.ty(*index), n);
            }
        }
        let place = b.value(address.op, args, Type::Ptr);
        let v = b.value(data.op, vec![place], b.body.ty(data.results[0]));
        for lane in crate::lanes::spread(types, b, v) {
            let nothing = b.zero_of(b.body.ty(lane));
            let moves = b.ne(lane, nothing);
            all = Some(match all {
                Some(other) => b.or(other, moves),
                None => moves,
            });
        }
    }
    all.unwrap_or_else(|| b.bool_(true))
}

/// Puts what is done to vectors behind a test.
fn skip(body: &mut Body, sum: &Sum, test: impl FnOnce(&mut Builder<'_>, Value) -> Value) {
    let region = body.insts[sum.rows].regions[0];
    let args = body.regions[region].args.clone();
    let Some(end) = body.terminator(region) else {
        return;
    };
    let kept: Vec<Type> = sum.carried.iter().map(|&(_, v)| body.ty(v)).collect();
    let mut b = Builder::before(body, end);
    b.span = b.body.insts[sum.rows].span;
    let moves = test(&mut b, args[0]);
    let (choice, then, otherwise) = b.if_(moves, &kept);
    let old: Vec<Value> = sum.carried.iter().map(|&(k, _)| args[k + 1]).collect();
    b.inside(otherwise, |b| b.yield_(&old));
    for &inst in &sum.work {
        edit::unlink(body, inst);
        body.regions[then].insts.push(inst);
        body.insts[inst].parent = then;
    }
    let next: Vec<Value> = sum.carried.iter().map(|&(_, v)| v).collect();
    Builder::at_end(body, then).yield_(&next);
    let results = body.insts[choice].results.clone();
    for (&(k, old), new) in sum.carried.iter().zip(results) {
        body.insts[end].args[k] = new;
        body.values[new].name = body.values[old].name.clone();
        body.values[new].ctype = body.values[old].ctype;
    }
}
