//! What every thread of a team does for itself and that shows how many threads there are: such a team must not be read serially.
//!
//! All threads run the code of a region that no construct shares out. Without a race they write to shared memory there only in turns (`critical`, `atomic`, locks), in
//! reductions and in tasks that each of them makes. What they add is the same for any number of threads if it adds up over them: a thread's own sum that starts at zero and
//! grows only where work is shared out, and goes into what is added as it is, or times a number that all threads have alike. The greatest of all is the same however often it is asked for, but not that
//! of sums. What a thread has of its share, looked at in any other way, shows.

use super::{directive, inside, locks, reaches};
use crate::edit::is_inside;
use adjoin_ir::{Body, Clause, Const, DataKind, Directive, Inst, Module, Op, ReduceOp, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A `parallel` region.
struct Region<'a> {
    module: &'a Module,
    body: &'a Body,
    team: Inst,
    /// What every thread executes.
    level: Vec<Inst>,
    /// What is executed where work is shared out.
    shared: Vec<Inst>,
    /// Loads of shares that go into what adds up.
    added: RefCell<BTreeSet<Inst>>,
}

/// Does the region of a `parallel` do something once for each thread that shows? What other teams do is shared out.
pub(crate) fn shows_number(module: &Module, body: &Body, team: Inst) -> bool {
    if directive(body, team) != Some(&Directive::Parallel) {
        return false;
    }
    let mut level = Vec::new();
    team_level(body, team, &mut |inst| level.push(inst));
    let at_level: BTreeSet<Inst> = level.iter().copied().collect();
    let mut shared = Vec::new();
    inside(body, team, &mut |inst| {
        if !at_level.contains(&inst) {
            shared.push(inst);
        }
    });
    let region = Region {
        module,
        body,
        team,
        level,
        shared,
        added: RefCell::default(),
    };
    region.reduces_more()
        || region.level.iter().any(|&inst| region.shows(inst))
        || region.looks_at_shares()
}

/// Visits what every thread of a team executes. A task is made by each thread that comes to it.
fn team_level(body: &Body, inst: Inst, visit: &mut dyn FnMut(Inst)) {
    for &region in &body.insts[inst].regions {
        for &inner in &body.regions[region].insts {
            visit(inner);
            let shared = matches!(
                directive(body, inner),
                Some(
                    Directive::For
                        | Directive::ForSimd
                        | Directive::Sections
                        | Directive::Single
                        | Directive::Master
                        | Directive::Masked
                )
            );
            if !shared {
                team_level(body, inner, visit);
            }
        }
    }
}

impl Region<'_> {
    /// Does a reduction of the region get more than what adds up over the threads?
    fn reduces_more(&self) -> bool {
        let Op::Par(attr) = &self.body.insts[self.team].op else {
            return false;
        };
        let Some(&region) = self.body.insts[self.team].regions.first() else {
            return false;
        };
        let data = |c: &&Clause| matches!(c, Clause::Data { .. });
        let copies = (attr.clauses.iter().filter(data)).zip(&self.body.regions[region].args);
        copies
            .filter(|(clause, _)| counts(clause))
            .any(|(_, &copy)| !self.adds_up(copy, 8))
    }

    /// Does something that every thread executes show how many they are?
    fn shows(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Par(attr) => match attr.directive {
                Directive::Critical { .. } => self.update_shows(inst),
                Directive::Atomic(kind) => {
                    kind != adjoin_ir::AtomicKind::Read && self.update_shows(inst)
                }
                _ => false,
            },
            Op::Call(attr) => {
                let takes_turns = |m: &Module, f| locks(m, f) || has_turns(m, f);
                reaches(self.module, attr.func, takes_turns)
            }
            _ => false,
        }
    }

    /// Is what one thread does to shared memory in its turn, and then another in its own, more than adding up what each has?
    fn update_shows(&self, update: Inst) -> bool {
        let mut stores = Vec::new();
        let mut other = false;
        inside(
            self.body,
            update,
            &mut |inst| match self.body.insts[inst].op {
                Op::Store(_) => stores.push(inst),
                Op::Copy(_) | Op::Zero(_) | Op::StoreBits(_) | Op::Call(_) => other = true,
                _ => {}
            },
        );
        let shared = |&store: &Inst| self.own(self.body.insts[store].args[0]).is_none();
        stores.retain(shared);
        if other || stores.is_empty() {
            return !self.uses_own(update);
        }
        stores.iter().any(|&store| match self.amount(store) {
            Some(amount) => !self.is_share(amount, 8),
            None => !self.uses_own(update),
        })
    }

    /// What a store adds to its place.
    fn amount(&self, store: Inst) -> Option<Value> {
        let old = self.body.result(self.old_of(store)?);
        let made = &self.body.insts[self.body.def_inst(self.body.insts[store].args[1])?];
        match made.op {
            Op::Add if made.args[0] == old => Some(made.args[1]),
            Op::Add => Some(made.args[0]),
            Op::Sub if made.args[0] == old => Some(made.args[1]),
            _ => None,
        }
    }

    fn same_place(&self, a: Value, b: Value) -> bool {
        let address = |v| {
            let data = &self.body.insts[self.body.def_inst(v)?];
            matches!(data.op, Op::Addr(_)).then_some((&data.op, &data.args))
        };
        a == b || address(a).is_some_and(|place| address(b) == Some(place))
    }

    /// Is a number a thread's share of something, so that the sum over the threads does not depend on how many they are?
    fn is_share(&self, v: Value, depth: u32) -> bool {
        let Some(def) = self.body.def_inst(v).filter(|_| depth > 0) else {
            return false;
        };
        let data = &self.body.insts[def];
        let is_share = |v: Value| self.is_share(v, depth - 1);
        match &data.op {
            Op::Const(c) => is_zero(c),
            Op::Load(_) => {
                let own = self.own(data.args[0]);
                let is_share = own.is_some_and(|own| self.adds_up(own, depth - 1));
                if is_share {
                    self.added.borrow_mut().insert(def);
                }
                is_share
            }
            Op::Add | Op::Sub => data.args.iter().all(|&v| is_share(v)),
            Op::Mul => {
                let (a, b) = (data.args[0], data.args[1]);
                is_share(a) && self.is_alike(b, 12) || is_share(b) && self.is_alike(a, 12)
            }
            Op::Div => is_share(data.args[0]) && self.is_alike(data.args[1], 12),
            Op::Neg | Op::Cast => is_share(data.args[0]),
            // Sums of parts of a thread's own memory.
            Op::For(_) => is_sum(self.body, def, v, is_share),
            _ => false,
        }
    }

    /// Has a number nothing to do with what threads have for themselves?
    fn is_alike(&self, v: Value, depth: u32) -> bool {
        let Some(def) = self.body.def_inst(v) else {
            let home = self.body.def_region(v);
            let holder = self.body.regions[home].parent;
            return holder.is_none_or(|h| h != self.team && !is_inside(self.body, h, self.team));
        };
        if !is_inside(self.body, def, self.team) {
            return true;
        }
        let data = &self.body.insts[def];
        let fine = match &data.op {
            Op::Load(_) => self.own(data.args[0]).is_none(),
            op => op.is_pure() && data.regions.is_empty(),
        };
        depth > 0 && fine && data.args.iter().all(|&v| self.is_alike(v, depth - 1))
    }

    /// What kind of copy an argument of the region is.
    fn kind(&self, copy: Value) -> Option<&DataKind> {
        let Op::Par(attr) = &self.body.insts[self.team].op else {
            return None;
        };
        let region = *self.body.insts[self.team].regions.first()?;
        let clauses = (attr.clauses.iter()).filter(|c| c.region_args() == 1);
        let mut copies = clauses.zip(&self.body.regions[region].args);
        match copies.find(|(_, arg)| **arg == copy)?.0 {
            Clause::Data { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// Does a private copy start as something else than nothing?
    fn starts_as_shared(&self, own: Value) -> bool {
        let fresh = |kind: &DataKind| matches!(kind, DataKind::Private | DataKind::Reduction(_));
        self.kind(own).is_some_and(|kind| !fresh(kind))
    }

    /// Does a store go on with a sum, or with the product of a reduction?
    fn goes_on(&self, store: Inst, own: Value) -> bool {
        let product = match self.kind(own) {
            Some(DataKind::Reduction(ReduceOp::Mul)) => Op::Mul,
            Some(DataKind::Reduction(ReduceOp::BitXor)) => Op::Xor,
            _ => return self.amount(store).is_some(),
        };
        let made = self.body.def_inst(self.body.insts[store].args[1]);
        let fits = made.is_some_and(|i| self.body.insts[i].op == product);
        fits && self.old_of(store).is_some()
    }

    /// Is what a thread has of its share looked at in another way than to add it up? Something that only sums go into may not be read where work is shared out; something that is
    /// set there, unless by comparing, not behind it.
    fn looks_at_shares(&self) -> bool {
        let mut sums: BTreeSet<Value> = BTreeSet::new();
        let mut set: BTreeSet<Value> = BTreeSet::new();
        let mut old: BTreeSet<Inst> = BTreeSet::new();
        for &inst in &self.shared {
            let is_store = matches!(self.body.insts[inst].op, Op::Store(_));
            let Some(own) = (is_store.then(|| self.own_of_store(inst))).flatten() else {
                continue;
            };
            match self.amount(inst) {
                Some(_) => {
                    sums.insert(own);
                    old.extend(self.old_of(inst));
                }
                None if self.compares(inst, own) => {}
                None => drop(set.insert(own)),
            }
        }
        let added = self.added.borrow();
        let is_read = |list: &[Inst], of: &dyn Fn(Value) -> bool| {
            list.iter().any(|&inst| {
                let data = &self.body.insts[inst];
                let reads = matches!(data.op, Op::Load(_) | Op::Copy(_));
                let address = data.args.iter().take(if reads { 2 } else { 0 });
                let own = address.filter_map(|&v| self.own(v)).any(of);
                own && !added.contains(&inst) && !old.contains(&inst)
            })
        };
        is_read(&self.shared, &|own| {
            sums.contains(&own) && !set.contains(&own)
        }) || is_read(&self.level, &|own| {
            sums.contains(&own) || set.contains(&own)
        })
    }

    fn own_of_store(&self, store: Inst) -> Option<Value> {
        self.own(self.body.insts[store].args[0])
    }

    /// The load of what a store adds to.
    fn old_of(&self, store: Inst) -> Option<Inst> {
        let data = &self.body.insts[store];
        let made = &self.body.insts[self.body.def_inst(data.args[1])?];
        made.args.iter().find_map(|&v| {
            let load = self.body.def_inst(v)?;
            let old = &self.body.insts[load];
            let same = matches!(old.op, Op::Load(_)) && self.same_place(old.args[0], data.args[0]);
            same.then_some(load)
        })
    }

    /// Is something stored that was compared with what was there: under a branch, or one of two?
    fn compares(&self, store: Inst, own: Value) -> bool {
        let is_old = |v: Value| {
            self.body.def_inst(v).is_some_and(|i| {
                let data = &self.body.insts[i];
                matches!(data.op, Op::Load(_)) && self.own(data.args[0]) == Some(own)
            })
        };
        let value = self.body.insts[store].args[1];
        if let Some(def) = self.body.def_inst(value) {
            let data = &self.body.insts[def];
            let greater = |f| {
                let name = &self.module.funcs[f].name[..];
                matches!(name, "fmax" | "fmin" | "fmaxf" | "fminf")
            };
            let chosen = match &data.op {
                Op::Select => data.args[1..].iter().any(|&v| is_old(v)),
                Op::Call(attr) if greater(attr.func) => data.args.iter().any(|&v| is_old(v)),
                _ => false,
            };
            if chosen {
                return true;
            }
        }
        let mut region = self.body.insts[store].parent;
        while let Some(holder) = self.body.regions[region].parent {
            let data = &self.body.insts[holder];
            if matches!(data.op, Op::If) && self.comes_from(data.args[0], &is_old) {
                return !self.comes_from(value, &is_old);
            }
            region = data.parent;
        }
        false
    }

    /// Is a value computed from one of some kind?
    fn comes_from(&self, v: Value, kind: &dyn Fn(Value) -> bool) -> bool {
        let mut seen: BTreeSet<Value> = BTreeSet::new();
        let mut work = vec![v];
        while let Some(v) = work.pop() {
            if kind(v) {
                return true;
            }
            if let Some(def) = self.body.def_inst(v).filter(|_| seen.insert(v)) {
                work.extend(&self.body.insts[def].args);
            }
        }
        false
    }

    /// Does memory of a thread hold a share: zero at first, and then what is added where work is shared out, or from other shares?
    fn adds_up(&self, own: Value, depth: u32) -> bool {
        let plain = |&inst: &Inst| {
            let data = &self.body.insts[inst];
            match &data.op {
                Op::Store(_) if self.own_of_store(inst) == Some(own) => self.goes_on(inst, own),
                Op::Copy(_) | Op::StoreBits(_) => self.own(data.args[0]) != Some(own),
                _ => true,
            }
        };
        depth > 0
            && !self.starts_as_shared(own)
            && self.shared.iter().all(plain)
            && self.level.iter().all(|&inst| {
                let data = &self.body.insts[inst];
                let here = |v: Value| self.own(v) == Some(own);
                match &data.op {
                    Op::Store(_) if here(data.args[0]) => match self.amount(inst) {
                        Some(amount) => self.is_share(amount, depth - 1),
                        None => self.is_share(data.args[1], depth - 1),
                    },
                    Op::Copy(_) | Op::StoreBits(_) => !here(data.args[0]),
                    Op::Call(attr) => {
                        let name = &self.module.funcs[attr.func].name[..];
                        matches!(name, "free" | "memset") || !data.args.iter().any(|&v| here(v))
                    }
                    Op::CallIndirect(_) => !data.args.iter().any(|&v| here(v)),
                    _ => true,
                }
            })
    }

    /// The memory that a thread has for itself which an address is in: an object or a block of the region's, or a private copy.
    fn own(&self, mut address: Value) -> Option<Value> {
        loop {
            let Some(def) = self.body.def_inst(address) else {
                let home = self.body.def_region(address);
                let own = self.body.insts[self.team].regions.contains(&home)
                    && self.kind(address) != Some(&DataKind::Shared);
                return own.then_some(address);
            };
            let data = &self.body.insts[def];
            let made_here = is_inside(self.body, def, self.team);
            match &data.op {
                Op::Addr(_) | Op::Cast => address = data.args[0],
                Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => return made_here.then_some(address),
                Op::Call(attr) => {
                    let name = &self.module.funcs[attr.func].name[..];
                    let allocates = matches!(name, "malloc" | "calloc" | "aligned_alloc");
                    return (made_here && allocates).then_some(address);
                }
                _ => return None,
            }
        }
    }

    /// Does an update use what a thread has for itself?
    fn uses_own(&self, update: Inst) -> bool {
        let mut work: Vec<Value> = Vec::new();
        let mut visit = |inst: Inst| work.extend(self.body.insts[inst].args.iter().copied());
        inside(self.body, update, &mut visit);
        let mut seen: BTreeSet<Value> = BTreeSet::new();
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            let Some(def) = self.body.def_inst(v) else {
                if self.own(v).is_some() {
                    return true;
                }
                continue;
            };
            if !is_inside(self.body, def, self.team) {
                continue;
            }
            let data = &self.body.insts[def];
            // Results of loops and branches depend on what is inside.
            let own = self.own(v).is_some() || !data.regions.is_empty();
            if own && !is_inside(self.body, def, update) {
                return true;
            }
            work.extend(data.args.iter().copied());
        }
        false
    }
}

/// Is a reduction one in which it counts how often something comes in?
fn counts(clause: &Clause) -> bool {
    use ReduceOp::{Add, BitXor, Mul, Sub};
    matches!(
        clause,
        Clause::Data {
            kind: DataKind::Reduction(Add | Sub | Mul | BitXor),
            ..
        }
    )
}

/// Is a result of a loop the sum of shares?
fn is_sum(body: &Body, inst: Inst, result: Value, is_share: impl Fn(Value) -> bool) -> bool {
    let data = &body.insts[inst];
    // The first result is the index.
    let Some(k) = data
        .results
        .iter()
        .position(|&r| r == result)
        .filter(|&k| k > 0)
    else {
        return false;
    };
    let region = data.regions[0];
    let (Some(&start), Some(&carried)) = (data.args.get(2 + k), body.regions[region].args.get(k))
    else {
        return false;
    };
    let Some(next) =
        (body.terminator(region)).and_then(|end| body.insts[end].args.get(k - 1).copied())
    else {
        return false;
    };
    let amount = body.def_inst(next).and_then(|i| {
        let made = &body.insts[i];
        match made.op {
            Op::Add if made.args[0] == carried => Some(made.args[1]),
            Op::Add if made.args[1] == carried => Some(made.args[0]),
            Op::Sub if made.args[0] == carried => Some(made.args[1]),
            _ => None,
        }
    });
    is_share(start) && amount.is_some_and(is_share)
}

fn is_zero(c: &Const) -> bool {
    match c {
        Const::Int(n) => *n == 0,
        Const::Float { bits, .. } => f64::from_bits(*bits) == 0.0,
        _ => false,
    }
}

/// Are there critical or atomic constructs in a function?
pub(super) fn has_turns(module: &Module, func: adjoin_ir::Func) -> bool {
    let mut found = false;
    if let Some(body) = &module.funcs[func].body {
        body.walk(|inst| {
            found |= matches!(
                directive(body, inst),
                Some(Directive::Critical { .. } | Directive::Atomic(_))
            );
        });
    }
    found
}
