//! What the halves of a derivative hand on, and where it lies: in blocks of the thread that runs them.

use super::split::{call, copy_name, visit};
use crate::known::{GIVE, GIVE_TAPE, TAKE_TAPE, external};
use adjoin_ir::{Basic, Body, Builder, CTypeKind, Func, Inst, Module, Op, Type, Value, ValueDef};
use adjoin_passes::edit::position;
use std::collections::{BTreeMap, BTreeSet};

/// What gets and gives back memory for tapes in blocks of the thread.
pub(super) fn functions(m: &mut Module) -> (Func, Func) {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let ulong = m.types.basic(Basic::ULong);
    let take = external(m, TAKE_TAPE, address, &[ulong]);
    (take, external(m, GIVE_TAPE, void, &[address]))
}

/// Lets caches lie in these blocks, too, where R gives back what F allocated.
pub(super) fn pool_caches(m: &mut Module, d: &mut Body) {
    let (take, give) = functions(m);
    let mut given: BTreeMap<Inst, Option<BTreeSet<Inst>>> = BTreeMap::new();
    d.walk(|inst| {
        if called(d, inst).is_some_and(|f| m.funcs[f].name == GIVE) {
            let mut made = BTreeSet::new();
            let known = sources(m, d, d.insts[inst].args[0], &mut made);
            given.insert(inst, known.then_some(made));
        }
    });
    // What may go to another function as well stays as it is.
    let mut kept: BTreeSet<Inst> = BTreeSet::new();
    for (inst, made) in &given {
        if made.is_none() {
            sources(m, d, d.insts[*inst].args[0], &mut kept);
        }
    }
    loop {
        let before = kept.len();
        for made in given.values().flatten() {
            if !made.is_disjoint(&kept) {
                kept.extend(made);
            }
        }
        if kept.len() == before {
            break;
        }
    }
    let mut done = BTreeSet::new();
    for (inst, made) in given {
        let Some(made) = made.filter(|made| made.is_disjoint(&kept)) else {
            continue;
        };
        d.insts[inst].op = call(give);
        for allocation in made {
            if done.insert(allocation) {
                allocate_from(m, d, allocation, take);
            }
        }
    }
}

fn called(d: &Body, inst: Inst) -> Option<Func> {
    match &d.insts[inst].op {
        Op::Call(attr) => Some(attr.func),
        _ => None,
    }
}

/// The allocations of caches that a pointer comes from, through branches. Is it nothing else but NULL?
fn sources(m: &Module, d: &Body, v: Value, made: &mut BTreeSet<Inst>) -> bool {
    let ValueDef::Result(inst, number) = d.values[v].def else {
        return false;
    };
    let data = &d.insts[inst];
    match &data.op {
        Op::Const(_) => d.const_int(v) == Some(0),
        Op::Call(attr) => {
            let own = m.funcs[attr.func].name.starts_with("adjoin_allocate_");
            if own {
                made.insert(inst);
            }
            own
        }
        Op::If => data.regions.iter().all(|&region| {
            let Some(end) = d.terminator(region) else {
                return false;
            };
            match (&d.insts[end].op, d.insts[end].args.get(number as usize)) {
                (Op::Yield, Some(&from)) => sources(m, d, from, made),
                _ => false,
            }
        }),
        _ => false,
    }
}

/// Takes the memory of an allocation from elsewhere.
fn allocate_from(m: &Module, d: &mut Body, allocation: Inst, take: Func) {
    let element = called(d, allocation).and_then(|f| match m.types.shape(m.funcs[f].ctype) {
        CTypeKind::Function { ret, .. } => m.types.pointee(*ret),
        _ => None,
    });
    let size = element.and_then(|t| m.types.size_of(t)).unwrap_or(8);
    let count = d.insts[allocation].args[0];
    let mut b = Builder::before(d, allocation);
    let bytes = b.cast(Type::U64, count);
    let width = b.int(Type::U64, size.into());
    let bytes = b.mul(bytes, width);
    d.insts[allocation].op = call(take);
    d.insts[allocation].args = vec![bytes];
}

/// Computes addresses at a fixed distance from others again at the start of the second half, rather than keeping each. Returns how many, in front of the block that is R.
pub(super) fn sink_addresses(d: &mut Body, block: Inst) -> usize {
    let entry = d.entry;
    let at = position(d, block);
    let first = d.regions[entry].insts[..at].to_vec();
    let mut count = 0;
    // From behind: what an address is computed from may be one, too.
    for inst in first.into_iter().rev() {
        let data = &d.insts[inst];
        let fixed = matches!(data.op, Op::Addr(_))
            && data.args[1..].iter().all(|&v| d.const_int(v).is_some());
        if !fixed {
            continue;
        }
        let (op, args, old) = (data.op.clone(), data.args.clone(), data.results[0]);
        let mut users = BTreeSet::new();
        for &later in &d.regions[entry].insts[at..] {
            visit(d, later, &mut |i| {
                if d.insts[i].args.contains(&old) {
                    users.insert(i);
                }
            });
        }
        if users.is_empty() {
            continue;
        }
        let front = d.regions[entry].insts[at];
        let new = Builder::before(d, front).value(op, args, Type::Ptr);
        copy_name(d, old, new);
        for user in users {
            for v in d.insts[user].args.iter_mut().filter(|v| **v == old) {
                *v = new;
            }
        }
        count += 1;
    }
    count
}
