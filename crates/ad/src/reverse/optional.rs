//! Values that may remain unused: `q = a / b; return b != 0 ? q : 0`. Where they are, their adjoint is zero, and their partials may be anything: what is computed before it is known whether it
//! makes sense is often infinite or no number where it does not. So such an adjoint contributes nothing, as it would if the value were computed where it is used.
//!
//! A value is optional if all uses that hand an adjoint back are in branches or loops that may not run, behind an exit, chosen by a `select`, or in values of the same region that are optional themselves;
//! So is one that goes to memory of the function's own of which only a part may be read (`stored`): the inverse distances of all pairs, say, where those of a body to itself are left out.
//! And one that is handed to the next iteration, which the last one has not, or returned to a caller, who may not want it. That is not rare, so only operations that are infinite at ordinary numbers are looked after then.

use super::Reverse;
use super::exits::Exits;
use crate::activity::callee;
use crate::plan::fusion::uses;
use crate::points_to::PointsTo;
use crate::rules;
use adjoin_ir::{Body, Inst, Module, Op, Pred, Region, Value, ValueDef};
use adjoin_passes::edit::position;
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::{BTreeSet, HashMap};

/// How far back it is looked for operations that can overflow.
const MOST_STEPS: u32 = 8;

/// Functions of bounded value, whatever their argument, and those that hand on numbers.
const TAME: [&str; 11] = [
    "sin", "cos", "tanh", "atan", "erf", "erfc", "fabs", "fmin", "fmax", "copysign", "floor",
];

/// Functions whose partials are infinite at ordinary numbers.
const SINGULAR: [&str; 14] = [
    "log", "log2", "log10", "log1p", "pow", "cbrt", "asin", "acos", "acosh", "atanh", "atan2",
    "hypot", "tgamma", "lgamma",
];

/// The optional values of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Optional {
    /// Those that branches choose.
    chosen: EntitySet<Value>,
    /// Those that go to memory that may not be read, or on to who may not want them.
    stored: EntitySet<Value>,
}

/// How a value is used at a place.
#[derive(PartialEq)]
enum Use {
    /// Nothing comes back from it.
    Without,
    Maybe,
    /// It goes to memory of which a part may be read, to the next iteration or to a caller.
    Stored,
    Always,
}

/// The optional values of a body. `called`: it is that of a function that others call. `active`: which instructions have a mirror.
pub(super) fn values<'a>(
    m: &Module,
    p: &Body,
    points: impl FnOnce() -> PointsTo<'a>,
    exits: &Exits,
    called: bool,
    active: impl Fn(Inst) -> bool,
) -> Optional {
    let uses = uses(p);
    let leaves = first_exits(p, exits);
    let mut found = Optional::default();
    let mut any = false;
    p.walk(|inst| any |= is_singular(m, p, inst));
    let unread = match any {
        true => partly_read(p, &points()),
        false => BTreeSet::new(),
    };
    let mut regions: Vec<Region> = vec![p.entry];
    while let Some(region) = regions.pop() {
        let insts = &p.regions[region].insts;
        let places: HashMap<Inst, usize> = insts.iter().enumerate().map(|(k, &i)| (i, k)).collect();
        // The next instruction that control may leave the region by.
        let mut exit = usize::MAX;
        for (place, &inst) in insts.iter().enumerate().rev() {
            let data = &p.insts[inst];
            regions.extend(&data.regions);
            if exits.through.contains_key(&inst) {
                exit = place;
            }
            let computed = data.results.len() == 1 && is_computed(m, &data.op);
            if !computed && !matches!(data.op, Op::If | Op::Call(_)) {
                continue;
            }
            let how = |&(user, k): &(Inst, usize)| {
                let by = &p.insts[user];
                if !active(user) && by.regions.is_empty() && !by.op.is_terminator() {
                    return Use::Without;
                }
                let (holder, branch) = within(p, user, region, &leaves);
                if branch || places.get(&holder).is_some_and(|&at| at > exit) {
                    return Use::Maybe;
                }
                let all = |set: &EntitySet<Value>| {
                    is_computed(m, &by.op) && by.results.iter().all(|&w| set.contains(w))
                };
                match by.op {
                    _ if holder != user => Use::Always,
                    Op::Select if k > 0 => Use::Maybe,
                    Op::Return if called => Use::Stored,
                    Op::Yield if is_for_the_next(p, region, k, &uses) => Use::Stored,
                    // What a branch ends with.
                    Op::Yield => match result_of_branch(p, region, k) {
                        Some(w) if found.chosen.contains(w) || found.stored.contains(w) => {
                            Use::Stored
                        }
                        _ => Use::Always,
                    },
                    Op::Store(_) if k == 1 && unread.contains(&user) => Use::Stored,
                    _ if all(&found.chosen) => Use::Maybe,
                    _ if all(&found.stored) => Use::Stored,
                    _ => Use::Always,
                }
            };
            let mut made: Vec<(Value, bool)> = Vec::new();
            for &v in data.results.iter().filter(|&&v| p.ty(v).is_float()) {
                let all: Vec<Use> = uses[v].iter().map(how).collect();
                if all.contains(&Use::Always) {
                    continue;
                }
                if all.contains(&Use::Stored) {
                    made.push((v, true));
                } else if all.contains(&Use::Maybe) {
                    made.push((v, false));
                }
            }
            for (v, stored) in made {
                match stored {
                    true => found.stored.insert(v),
                    false => found.chosen.insert(v),
                };
            }
        }
    }
    found
}

/// Is it arithmetic, or a function of the math library?
fn is_computed(m: &Module, op: &Op) -> bool {
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Cast => true,
        Op::Call(_) => callee(m, op).is_some_and(|name| rules::lookup(name).is_some()),
        _ => false,
    }
}

/// Is it a quotient, or a function with infinite results or partials at ordinary numbers?
fn is_singular(m: &Module, p: &Body, inst: Inst) -> bool {
    let data = &p.insts[inst];
    match data.op {
        Op::Div => p.ty(data.results[0]).is_float(),
        // What a function of the program's gives back may be anything.
        Op::Call(_) => callee(m, &data.op)
            .and_then(rules::lookup)
            .is_none_or(|(rule, _)| SINGULAR.contains(&&*rule.name)),
        _ => false,
    }
}

/// The stores to memory of the body's own of which nothing certainly reads everything that is stored.
fn partly_read(p: &Body, points: &PointsTo<'_>) -> BTreeSet<Inst> {
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    p.walk(|inst| {
        let data = &p.insts[inst];
        match data.op {
            Op::Store(_) if p.ty(data.args[1]).is_float() => stores.push(inst),
            Op::Load(_) if p.ty(data.results[0]).is_float() => loads.push(inst),
            _ => {}
        }
    });
    let objects = |inst: Inst| points.objects(p.insts[inst].args[0]);
    let part_of = |store: &Inst| {
        let own = objects(*store);
        let is_own = !own.is_empty() && own.iter().all(|o| o.object.is_local());
        let meets = |load: &&Inst| {
            let mut all = objects(**load).iter();
            all.any(|o| own.iter().any(|s| s.object == o.object))
        };
        let mut read = loads.iter().filter(meets).peekable();
        is_own && read.peek().is_some() && read.all(|&load| is_partial(p, *store, load))
    };
    stores.into_iter().filter(part_of).collect()
}

/// May a load read less than what a store has stored? It may in a branch that the store is not in, in a triangle of loops where the store is in a rectangle, and in front of the store in a loop, which reads what was
/// stored in the iteration before.
fn is_partial(p: &Body, store: Inst, load: Inst) -> bool {
    let around = |inst: Inst| {
        let mut all = Vec::new();
        let mut at = inst;
        while let Some(holder) = p.regions[p.insts[at].parent].parent {
            all.push(holder);
            at = holder;
        }
        all.reverse();
        all
    };
    let (stored, loaded) = (around(store), around(load));
    let common = stored.iter().zip(&loaded).take_while(|(a, b)| a == b);
    let common = common.count();
    let is_branch = |inst: &Inst| matches!(p.insts[*inst].op, Op::If | Op::Switch(_));
    // Does a loop go to a counter of another one?
    let is_bent = |inst: &Inst| {
        let data = &p.insts[*inst];
        let bounds = match data.op {
            Op::For(_) => &data.args[..2],
            _ => &[],
        };
        bounds.iter().any(|&v| is_counter(p, v, MOST_STEPS))
    };
    let top = |list: &[Inst], inst: Inst| list.get(common).copied().unwrap_or(inst);
    let (first, second) = (top(&loaded, load), top(&stored, store));
    let is_loop = |inst: &Inst| matches!(p.insts[*inst].op, Op::For(_) | Op::Loop);
    let before = p.insts[first].parent == p.insts[second].parent
        && stored[..common].iter().any(is_loop)
        && position(p, first) < position(p, second);
    before
        || loaded[common..].iter().any(is_branch)
        || loaded[common..].iter().any(is_bent) && !stored[common..].iter().any(is_bent)
}

/// Is a value the counter of a loop, or computed from one?
fn is_counter(p: &Body, v: Value, steps: u32) -> bool {
    match p.values[v].def {
        ValueDef::Arg(region, k) => {
            let holder = p.regions[region].parent;
            k == 0 && holder.is_some_and(|i| matches!(p.insts[i].op, Op::For(_)))
        }
        ValueDef::Result(inst, _) if steps > 0 => {
            let data = &p.insts[inst];
            let plain = matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Cast);
            plain && data.args.iter().any(|&a| is_counter(p, a, steps - 1))
        }
        _ => false,
    }
}

/// Where control may leave each region for the first time.
fn first_exits(p: &Body, exits: &Exits) -> HashMap<Region, usize> {
    let mut first: HashMap<Region, usize> = HashMap::new();
    for &inst in exits.through.keys() {
        let place = position(p, inst);
        let at = first.entry(p.insts[inst].parent).or_insert(place);
        *at = place.min(*at);
    }
    first
}

/// The instruction of a region that an instruction is (in), and whether there is a branch between them, a loop that may not run, or an exit.
fn within(p: &Body, inst: Inst, region: Region, leaves: &HashMap<Region, usize>) -> (Inst, bool) {
    let (mut at, mut branch) = (inst, false);
    while p.insts[at].parent != region {
        let inner = p.insts[at].parent;
        let Some(holder) = p.regions[inner].parent else {
            break;
        };
        branch |= match p.insts[holder].op {
            Op::If | Op::Switch(_) => true,
            Op::For(_) => may_be_empty(p, holder),
            _ => false,
        };
        branch |= leaves
            .get(&inner)
            .is_some_and(|&exit| position(p, at) > exit);
        at = holder;
    }
    (at, branch)
}

/// May a loop run not at all? It does run if its bounds are numbers that say so, or those of a loop around it.
fn may_be_empty(p: &Body, inst: Inst) -> bool {
    let data = &p.insts[inst];
    let Op::For(attr) = &data.op else { return true };
    if let (Some(low), Some(high)) = (p.const_int(data.args[0]), p.const_int(data.args[1])) {
        return match attr.pred {
            Pred::Lt => low >= high,
            Pred::Le => low > high,
            Pred::Gt => low <= high,
            Pred::Ge => low < high,
            Pred::Ne => low == high,
        };
    }
    let mut region = data.parent;
    while let Some(holder) = p.regions[region].parent {
        let around = &p.insts[holder];
        if matches!(&around.op, Op::For(other) if other.pred == attr.pred)
            && around.args[..2] == data.args[..2]
        {
            return false;
        }
        region = around.parent;
    }
    true
}

/// The result of a branch that a side of it yields.
fn result_of_branch(p: &Body, side: Region, k: usize) -> Option<Value> {
    let holder = &p.insts[p.regions[side].parent?];
    let results = matches!(holder.op, Op::If).then_some(&holder.results)?;
    results.get(k).copied()
}

/// Does what a region yields go to the next iteration of a loop, and nowhere else when there is none?
fn is_for_the_next(
    p: &Body,
    region: Region,
    k: usize,
    uses: &SecondaryMap<Value, Vec<(Inst, usize)>>,
) -> bool {
    let holder = p.regions[region].parent.map(|i| &p.insts[i]);
    holder.is_some_and(|h| {
        matches!(h.op, Op::For(_)) && (h.results.get(k + 1)).is_some_and(|&v| uses[v].is_empty())
    })
}

/// May a value be infinite, or no number, though what it is computed from is finite?
fn can_overflow(m: &Module, p: &Body, v: Value, steps: u32) -> bool {
    let Some(inst) = p.def_inst(v) else {
        return false;
    };
    let data = &p.insts[inst];
    match data.op {
        _ if steps == 0 => false,
        Op::Div => true,
        // What a function of the program's gives back may be anything.
        Op::Call(_) => callee(m, &data.op)
            .and_then(rules::lookup)
            .is_none_or(|(rule, _)| !TAME.contains(&&*rule.name)),
        Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Cast => {
            let mut args = data.args.iter();
            args.any(|&a| can_overflow(m, p, a, steps - 1))
        }
        _ => false,
    }
}

impl Reverse<'_> {
    /// Must an adjoint of zero contribute nothing to an operand? `factor`: what it is multiplied by, if that is a value of the primal.
    pub(super) fn contributes_nothing(&self, y: Value, factor: Option<Value>) -> bool {
        let (m, p) = (&*self.m, &self.p);
        if self.optional.stored.contains(y) {
            let made = p.def_inst(y);
            let made = match factor {
                // What others use as well is known to make sense.
                Some(v) if !self.optional.stored.contains(v) => return false,
                Some(v) => p.def_inst(v),
                None => made,
            };
            return made.is_some_and(|inst| is_singular(m, p, inst));
        }
        self.optional.chosen.contains(y) && factor.is_none_or(|v| can_overflow(m, p, v, MOST_STEPS))
    }
}
