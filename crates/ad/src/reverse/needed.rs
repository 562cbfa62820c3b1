//! How the reverse sweep gets at values of the forward sweep: it sees them, computes them again, reads them again, or takes them from a cache.
//!
//! The reverse sweep is made twice. The first time, on trial, tells which values it asks for; from these the plan is made (see `plan::cut`): which values to
//! store so that all can be had at the lowest price. The second time follows the plan (`decide` makes it).

use super::{Reverse, mirror};
use adjoin_ir::{Body, Inst, Op, Region, Type, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Something of the forward sweep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Key {
    /// A value of the primal.
    Value(Value),
    /// The shadow of a pointer.
    Shadow(Value),
    /// How many times a loop's body was entered.
    Count(Inst),
    /// Through which exit an instruction was left.
    Code(Inst),
    /// Which back edge an iteration took.
    Back(Inst),
    /// Whether a region of a `switch` ran.
    Ran(Inst, u32),
    /// The tape of a called function.
    Tape(Inst),
    /// What a store overwrote.
    Old(Inst),
    /// A copy of a part of an array.
    Kept(u32),
    /// Where a copy begins in an array that grows.
    Start(u32),
    /// How many threads ran a parallel region.
    Team(Inst),
    /// What the threads of a parallel region keep, each for itself.
    Frames(Inst),
    /// Which places the threads of a parallel region read.
    Reached(Inst),
    /// The number of an execution of what threads do one at a time.
    Ticket(Inst),
    /// How large the block was that `realloc` took.
    Room(Inst),
}

/// What the trial changes.
pub(super) struct Snapshot {
    d: Body,
    at: Region,
    position: Option<super::Insertion>,
    span: adjoin_ir::Span,
    f: HashMap<Value, Value>,
    s: HashMap<Value, Value>,
    return_code: Option<Value>,
    cells: BTreeMap<Key, Value>,
    caches: super::caches::Caches,
    freed: BTreeMap<Option<Inst>, Value>,
    pushed: BTreeSet<Key>,
    headers: HashMap<Region, usize>,
    memo: Vec<(Region, HashMap<Key, Value>)>,
    mirrors: HashMap<Region, Vec<Region>>,
    adjoints: HashMap<Value, Value>,
    contexts: HashMap<Inst, mirror::Context>,
    seed: Option<Value>,
    parallel: super::parallel::Parallel,
    stand_ins: usize,
}

/// Shares are computed again if they are made of at most so many operations, one after the other.
const SHARE_DEPTH: u32 = 12;

impl Reverse<'_> {
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            d: self.d.clone(),
            at: self.at,
            position: self.position,
            span: self.span,
            f: self.f.clone(),
            s: self.s.clone(),
            return_code: self.return_code,
            cells: self.cells.clone(),
            caches: self.caches.clone(),
            freed: self.freed.clone(),
            pushed: self.pushed.clone(),
            headers: self.headers.clone(),
            memo: self.memo.clone(),
            mirrors: self.mirrors.clone(),
            adjoints: self.adjoints.clone(),
            contexts: self.contexts.clone(),
            seed: self.seed,
            parallel: self.parallel.clone(),
            stand_ins: self.fused.stand_ins.len(),
        }
    }

    pub(super) fn restore(&mut self, old: Snapshot) {
        self.d = old.d;
        self.at = old.at;
        self.position = old.position;
        self.span = old.span;
        self.fused.stand_ins.truncate(old.stand_ins);
        self.f = old.f;
        self.s = old.s;
        self.return_code = old.return_code;
        self.cells = old.cells;
        self.caches = old.caches;
        self.freed = old.freed;
        self.pushed = old.pushed;
        self.headers = old.headers;
        self.memo = old.memo;
        self.mirrors = old.mirrors;
        self.adjoints = old.adjoints;
        self.contexts = old.contexts;
        self.seed = old.seed;
        self.parallel.restore(old.parallel);
    }

    /// A value of the primal, in R.
    pub(super) fn need(&mut self, v: Value) -> Value {
        self.obtain(Key::Value(v))
    }

    /// The shadow of a pointer, in R.
    pub(super) fn need_shadow(&mut self, v: Value) -> Value {
        self.obtain(Key::Shadow(v))
    }

    /// Remembers what a key is in the innermost region of R.
    pub(super) fn remember(&mut self, key: Key, value: Value) {
        if let Some((_, map)) = self.memo.last_mut() {
            map.insert(key, value);
        }
    }

    fn known(&self, key: Key) -> Option<Value> {
        self.memo
            .iter()
            .rev()
            .find_map(|(_, map)| map.get(&key).copied())
    }

    /// Is something defined in this region of the primal visible to all of R?
    pub(super) fn is_visible(&self, home: Region) -> bool {
        (home == self.p.entry && self.wrapped.is_none())
            || self.is_team_region(home)
            || self.is_fused_region(home)
    }

    /// Is a value visible in R, or part of every mirrored iteration?
    pub(super) fn is_at_hand(&self, key: Key) -> bool {
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return false;
        };
        let home = self.p.def_region(v);
        if self.is_visible(home) {
            return true;
        }
        match self.p.values[v].def {
            ValueDef::Arg(region, k) => {
                let is_for = self.p.regions[region]
                    .parent
                    .is_some_and(|i| matches!(self.p.insts[i].op, Op::For(_)));
                region == self.p.entry || (is_for && k == 0 && matches!(key, Key::Value(_)))
            }
            ValueDef::Result(inst, _) => matches!(self.p.insts[inst].op, Op::Slot(_)),
        }
    }

    pub(super) fn obtain(&mut self, key: Key) -> Value {
        if let Some(v) = self.known(key) {
            return v;
        }
        let region = self.region_for(self.home(key));
        if let Key::Kept(k) = key {
            self.prepare_top(key);
            let row = self.in_region(region, |me| me.kept_row(k));
            self.remember_in(region, key, row);
            return row;
        }
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return self.cached(key, Type::I64, self.at);
        };
        if let Key::Value(v) = key
            && self.is_share(v, SHARE_DEPTH)
        {
            let share = self.share_again(v, region);
            self.remember_in(region, key, share);
            return share;
        }
        if self.is_at_hand(key) {
            let map = if matches!(key, Key::Shadow(_)) {
                &self.s
            } else {
                &self.f
            };
            if let Some(&x) = map.get(&v) {
                return x;
            }
            return self.in_region(region, |me| me.b().null());
        }
        let stores = self.is_stored(key);
        let again = if stores {
            None
        } else {
            self.again(key, region)
        };
        let value = again.unwrap_or_else(|| self.cached(key, self.p.ty(v), region));
        self.remember_in(region, key, value);
        value
    }

    /// Is it an integer of a parallel region that follows from the number of the thread and from what is known in front of the region, like its share of a loop?
    fn is_share(&self, v: Value, depth: u32) -> bool {
        let home = self.p.def_region(v);
        let Some(team) = self.p.regions[home].parent else {
            return false;
        };
        if depth == 0 || !self.is_team(team) || self.fused.teams.contains_key(&team) {
            return false;
        }
        self.p.def_inst(v).is_some_and(|inst| {
            let data = &self.p.insts[inst];
            let simple = self.is_team_query(&data.op) || data.op.is_pure();
            let outside = |a: Value| !self.p.encloses(home, self.p.def_region(a));
            simple
                && self.p.ty(v).is_int()
                && data.regions.is_empty()
                && data.results.len() == 1
                && (data.args.iter())
                    .all(|&a| self.p.ty(a).is_int() && (outside(a) || self.is_share(a, depth - 1)))
        })
    }

    /// Computes it again.
    fn share_again(&mut self, v: Value, region: Region) -> Value {
        let inst = self.p.def_inst(v).expect("it is computed");
        let data = self.p.insts[inst].clone();
        let args: Vec<Value> = data.args.iter().map(|&a| self.need(a)).collect();
        let ty = self.p.ty(v);
        let new = self.in_region(region, |me| me.b().value(data.op, args, ty));
        self.d.values[new].name = self.p.values[v].name.clone();
        self.d.values[new].ctype = self.p.values[v].ctype;
        new
    }

    fn remember_in(&mut self, region: Region, key: Key, value: Value) {
        if let Some((_, map)) = self.memo.iter_mut().rev().find(|(r, _)| *r == region) {
            map.insert(key, value);
        }
    }

    /// The region of R where what a region of the primal defines is made available.
    fn region_for(&self, home: Region) -> Region {
        let mirrored = self
            .mirrors
            .get(&home)
            .and_then(|list| list.last().copied());
        mirrored.unwrap_or(self.at)
    }

    /// What F stored.
    fn cached(&mut self, key: Key, ty: Type, region: Region) -> Value {
        self.prepare_top(key);
        self.in_region(region, |me| me.top(key, ty))
    }

    /// Runs `fill` as late as possible in a region of R around the current place: here, or in front of what holds the current place. There memory is as it
    /// was in F after what is being mirrored.
    pub(super) fn in_region<T>(&mut self, region: Region, fill: impl FnOnce(&mut Self) -> T) -> T {
        if self.at == region {
            return fill(self);
        }
        let mut at = self.at;
        while let Some(holder) = self.d.regions[at].parent {
            at = self.d.insts[holder].parent;
            if at == region {
                let position = adjoin_passes::edit::position(&self.d, holder);
                return self.at_position(region, position, fill);
            }
        }
        self.in_header(region, fill)
    }

    /// A cell in memory at the entry: a counter or code.
    pub(super) fn cell(&mut self, key: Key) -> Value {
        if let Some(&v) = self.cells.get(&key) {
            return v;
        }
        let ctype = self.m.types.basic(adjoin_ir::Basic::Long);
        let name = match key {
            Key::Count(_) => "count",
            Key::Team(_) => "team",
            _ => "exit",
        };
        let entry = self.scope_of(self.home(key));
        let v = self.in_header(entry, |me| {
            let cell = me.b().slot(ctype, Some(name));
            if matches!(key, Key::Team(_)) {
                // Compilers do not know that there is a thread 0.
                let zero = me.int(0);
                me.b().store(cell, zero);
            }
            cell
        });
        self.cells.insert(key, v);
        v
    }

    /// After R is made: stores what it turned out to need, where F defines it.
    pub(super) fn push_needed(&mut self) {
        for key in self.pushed.clone() {
            if let Key::Old(store) = key {
                self.save_old(store);
                continue;
            }
            if let Key::Kept(k) = key {
                self.save_kept(k);
                continue;
            }
            let v = match key {
                Key::Value(v) => self.f.get(&v).copied(),
                Key::Shadow(v) => self.s.get(&v).copied(),
                _ => None,
            };
            let Some(v) = v else { continue };
            self.prepare_push(key);
            let (region, at) = match self.d.values[v].def {
                ValueDef::Arg(region, _) => {
                    (region, self.headers.get(&region).copied().unwrap_or(0))
                }
                ValueDef::Result(inst, _) => {
                    let region = self.d.insts[inst].parent;
                    (region, adjoin_passes::edit::position(&self.d, inst) + 1)
                }
            };
            self.at_position(region, at, |me| me.push(key, v));
        }
    }
}
