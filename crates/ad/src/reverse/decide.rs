//! Makes the plan of a reverse sweep from what its trial asked for.
//!
//! A load whose memory is overwritten afterwards by stores to objects that the body alone knows can still be read again, if these stores are undone in the
//! reverse sweep: then memory there is as it was whenever something is mirrored. What a store overwrote is a thing to keep like any other, so the same
//! cut weighs it against storing what each load read. Memory that others see can be undone as well, if it is put back in the end (`snapshots/finals`).  Such a load must not be asked for where a store behind it is not yet undone; so for each
//! key the *latest* place that asks for it is followed.

use super::needed::Key;
use super::{Result, Reverse};
use crate::plan::cut::{self, Node};
use adjoin_ir::{Body, Inst, Op, Region, Type, Value};
use cranelift_entity::SecondaryMap;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How often the plan is made again when undoing stores needs more than was asked for.
const ROUNDS: usize = 4;
/// How many times cheaper operations are that run in lanes, where memory is not.
const LANES: u64 = 3;

/// What the reverse sweep does about values that it needs.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Collects what it asks for, and where.
    Trial(BTreeMap<Key, BTreeSet<Inst>>),
    /// Follows what was decided.
    Made(Decisions),
}

/// What was decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    /// What F stores.
    stored: BTreeSet<Key>,
    /// The latest place that may ask for a key, in the list of the region that defines it.
    latest: HashMap<Key, usize>,
    /// What is read from the cache of another value that is the same, and the loops to find it there.
    handed: HashMap<Value, (Value, Vec<Inst>)>,
}

/// Where each instruction of a body stands in its region.
pub(super) fn order(p: &Body) -> SecondaryMap<Inst, u32> {
    let mut order = SecondaryMap::new();
    for region in p.regions.values() {
        for (k, &inst) in region.insts.iter().enumerate() {
            order[inst] = k as u32;
        }
    }
    order
}

impl Decisions {
    /// What F stores, in order.
    pub(super) fn stored(&self) -> impl Iterator<Item = Key> + '_ {
        self.stored.iter().copied()
    }
}

impl Reverse<'_> {
    /// Is a key to be taken from a cache? On trial, everything is; and what was not thought of.
    pub(super) fn is_stored(&mut self, key: Key) -> bool {
        let here = self.mirroring;
        if let Plan::Trial(demands) = &mut self.plan {
            demands.entry(key).or_default().extend(here);
            return true;
        }
        let Some(here) = here else { return true };
        let at = self.place(self.home(key), here);
        match &self.plan {
            Plan::Made(made) => {
                made.stored.contains(&key) || made.latest.get(&key).is_none_or(|&l| l < at)
            }
            Plan::Trial(_) => true,
        }
    }

    /// The stores that are undone so that a load can be read again.
    pub(super) fn undone(&self, load: Inst) -> Option<&Vec<Inst>> {
        self.undoable.get(&load)
    }

    /// Where an instruction, or what holds it, stands in the list of a region.
    fn place(&self, region: Region, inst: Inst) -> usize {
        let mut inst = inst;
        while self.p.insts[inst].parent != region {
            match self.p.regions[self.p.insts[inst].parent].parent {
                Some(holder) => inst = holder,
                None => return usize::MAX,
            }
        }
        self.order[inst] as usize
    }

    /// After the trial: decides what to store.
    pub(super) fn decide(&mut self) {
        let Plan::Trial(demands) = &self.plan else {
            return;
        };
        let demands = demands.clone();
        self.kept_loads.clear();
        self.left.clear();
        let outer: Vec<Inst> = self.rereads.outer.iter().copied().collect();
        let parts = (outer.into_iter()).filter_map(|store| Some((store, self.final_of(store)?)));
        self.finals = parts.collect();
        let asked = self.latest(&demands);
        self.offer_snapshots(|key| asked.contains_key(&key));
        let (mut made, mut price) = self.decided(&demands);
        // A load that could be read from a copy has no other way to be read again. So what is not copied after all gets its other ways back, and all is weighed
        // against no copies at all.
        while !self.kept_loads.is_empty() {
            let before = self.kept_loads.len();
            let copied = |k: &u32| made.stored.contains(&Key::Kept(*k));
            self.kept_loads.retain(|_, k| copied(k));
            if self.kept_loads.len() == before {
                break;
            }
            (made, price) = self.decided(&demands);
        }
        if !self.kept_loads.is_empty() {
            let with = (self.kept_loads.clone(), self.undoable.clone());
            self.kept_loads.clear();
            let (plain, less) = self.decided(&demands);
            match less <= price {
                true => (made, price) = (plain, less),
                false => (self.kept_loads, self.undoable) = with,
            }
        }
        self.read_left(&demands, &mut made, price);
        self.hand_on(&mut made);
        self.plan = Plan::Made(made);
    }

    /// Values that F was to store and that the program itself leaves in memory are read there, if that is cheaper. What can be computed again stays so: in lanes memory costs more.
    fn read_left(
        &mut self,
        demands: &BTreeMap<Key, BTreeSet<Inst>>,
        made: &mut Decisions,
        price: u64,
    ) {
        let stored = made.stored.iter().filter_map(|&key| match key {
            Key::Value(v) => Some(v),
            _ => None,
        });
        let offered: BTreeSet<Value> = stored.filter(|&v| self.is_left(v)).collect();
        if offered.is_empty() {
            return;
        }
        let undoable = self.undoable.clone();
        self.left = offered;
        let (plan, less) = self.decided(demands);
        match less < price {
            true => *made = plan,
            false => {
                self.left.clear();
                self.undoable = undoable;
            }
        }
    }

    /// Of values that are the same and that F was to store both, one is stored.
    fn hand_on(&self, made: &mut Decisions) {
        let mut sources: BTreeSet<Value> = BTreeSet::new();
        for &key in &made.stored {
            let Key::Value(v) = key else { continue };
            let load = self.p.def_inst(v);
            let others = load.and_then(|l| self.rereads.handed.get(&l));
            let kept = others.into_iter().flatten().find_map(|other| {
                let (from, stored) = (other.value, Key::Value(other.value));
                let both = made.stored.contains(&stored) && !made.handed.contains_key(&from);
                let loops = both.then(|| self.loops_instead(stored, key, &other.loops))??;
                Some((from, loops))
            });
            if let Some((from, loops)) = kept.filter(|_| !sources.contains(&v)) {
                sources.insert(from);
                made.handed.insert(v, (from, loops));
            }
        }
    }

    /// The loops by which what a key has in an array is found for another, if it is in an array that loops around it index.
    fn loops_instead(&self, of: Key, by: Key, pairs: &[(Inst, Inst)]) -> Option<Vec<Inst>> {
        let [(own, a), (loops, b)] = [of, by].map(|key| self.nest(self.home(key)));
        let stands = |(x, y): (&Inst, &Inst)| x == y || pairs.contains(&(*x, *y));
        let fits = !(a || b)
            && own.len() == loops.len()
            && own.iter().zip(&loops).all(stands)
            && pairs.iter().all(|(x, _)| own.contains(x))
            && self.is_sized(&own)
            && self.is_sized(&loops);
        fits.then_some(loops)
    }

    /// What a key is read from, if it is not kept by itself.
    pub(super) fn handed(&self, key: Key) -> Option<(Key, Vec<Inst>)> {
        let (Plan::Made(made), Key::Value(v)) = (&self.plan, key) else {
            return None;
        };
        let (from, loops) = made.handed.get(&v)?;
        Some((Key::Value(*from), loops.clone()))
    }

    /// What is stored if some loads are read from copies, and what it costs.
    fn decided(&mut self, demands: &BTreeMap<Key, BTreeSet<Inst>>) -> (Decisions, u64) {
        let mut demands = demands.clone();
        let mut made = (Decisions::default(), 0);
        for round in 0..=ROUNDS {
            self.undoable.clear();
            if round < ROUNDS {
                self.offer_undoing();
            }
            let latest = self.latest(&demands);
            self.withdraw_undoing(&latest);
            made = self.cheapest(&demands, latest);
            // Undoing a store needs its address.
            let mut more = false;
            for &key in &made.0.stored {
                if let Key::Old(store) = key {
                    let address = Key::Value(self.p.insts[store].args[0]);
                    if !self.is_at_hand(address) {
                        more |= demands.entry(address).or_default().insert(store);
                    }
                }
            }
            if !more {
                break;
            }
        }
        made
    }

    /// All loads that could be read again if stores were undone.
    fn offer_undoing(&mut self) {
        let mut offers = HashMap::new();
        self.p.walk(|inst| {
            let stores = self.may_be_undone(inst);
            if !stores.is_empty() {
                offers.insert(inst, stores.to_vec());
            }
        });
        self.undoable = offers;
    }

    /// The stores that would have to be undone for a load to be read again, if all can be.
    pub(super) fn may_be_undone(&self, load: Inst) -> &[Inst] {
        let stores = self.rereads.stores(load);
        let can = |s: &Inst| {
            let against = |v: &Value| {
                let stores = self.rereads.left_against.get(v);
                stores.is_some_and(|stores| stores.contains(s))
            };
            self.facts.active.contains(*s)
                && (!self.rereads.outer.contains(s) || self.finals.contains_key(s))
                && !self.left.iter().any(against)
        };
        match stores.iter().all(can) {
            true => stores,
            false => &[],
        }
    }

    /// For each key that is asked for, directly or for another: the latest place.
    fn latest(&self, demands: &BTreeMap<Key, BTreeSet<Inst>>) -> HashMap<Key, usize> {
        let mut latest: HashMap<Key, usize> = HashMap::new();
        let mut work: Vec<(Key, Inst)> = Vec::new();
        for (&key, places) in demands {
            work.extend(places.iter().map(|&inst| (key, inst)));
        }
        while let Some((key, inst)) = work.pop() {
            let at = self.place(self.home(key), inst);
            if latest.get(&key).is_some_and(|&l| l >= at) {
                continue;
            }
            latest.insert(key, at);
            if let Some(recipe) = self.recipe(key) {
                for need in recipe.needs {
                    if !self.is_at_hand(need) {
                        work.push((need, inst));
                    }
                }
            }
        }
        latest
    }

    /// Takes back what is asked for behind a store that is not yet undone there.
    fn withdraw_undoing(&mut self, latest: &HashMap<Key, usize>) {
        let mut withdrawn = Vec::new();
        for (&load, stores) in &self.undoable {
            let v = self.p.result(load);
            let home = self.p.insts[load].parent;
            let from = self.order[load] as usize;
            let Some(&to) = latest.get(&Key::Value(v)) else {
                continue;
            };
            let between = stores.iter().any(|&s| {
                self.p.encloses(home, self.p.insts[s].parent)
                    && (from..=to).contains(&self.place(home, s))
            });
            if between {
                withdrawn.push(load);
            }
        }
        for load in withdrawn {
            self.undoable.remove(&load);
        }
    }

    fn cheapest(
        &self,
        demands: &BTreeMap<Key, BTreeSet<Inst>>,
        latest: HashMap<Key, usize>,
    ) -> (Decisions, u64) {
        if !adjoin_passes::registry::is_on("recompute") {
            let stored = demands.keys().copied().collect();
            return (
                Decisions {
                    stored,
                    latest,
                    handed: HashMap::new(),
                },
                0,
            );
        }
        let mut keys: Vec<Key> = demands.keys().copied().collect();
        let mut numbers: HashMap<Key, usize> =
            keys.iter().enumerate().map(|(k, &key)| (key, k)).collect();
        let mut nodes: Vec<Node> = Vec::new();
        let mut lanes: HashMap<Region, u64> = HashMap::new();
        let mut next = 0;
        while let Some(&key) = keys.get(next) {
            next += 1;
            let home = self.home(key);
            let weight = self.executions(home);
            let mut node = Node {
                store: self
                    .store_price(key)
                    .saturating_mul(weight)
                    .saturating_mul(LANES),
                again: None,
                demanded: demands.contains_key(&key),
            };
            if let Some(recipe) = self.recipe(key) {
                let mut operands = Vec::new();
                let undone = recipe.undone.iter().map(|&s| Key::Old(s));
                for need in recipe.needs.into_iter().chain(undone) {
                    if self.is_at_hand(need) {
                        continue;
                    }
                    operands.push(*numbers.entry(need).or_insert_with(|| {
                        keys.push(need);
                        keys.len() - 1
                    }));
                }
                let scale = match lanes.entry(home) {
                    _ if recipe.is_call => LANES,
                    // What is made of counters waits for nothing.
                    _ if self.is_counting(key) => 1,
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => *new.insert(match self.may_run_in_lanes(home) {
                        true => 1,
                        false => LANES,
                    }),
                };
                let price = recipe.price.saturating_mul(scale);
                node.again = Some((price.saturating_mul(weight), operands));
            }
            nodes.push(node);
        }
        let (stored, price) = cut::minimum_cut(&nodes);
        let made = Decisions {
            stored: keys
                .iter()
                .zip(stored)
                .filter(|(_, stored)| *stored)
                .map(|(&key, _)| key)
                .collect(),
            latest,
            handed: HashMap::new(),
        };
        (made, price)
    }

    /// Is a key an integer, or a condition, that is computed from integers without a division?
    fn is_counting(&self, key: Key) -> bool {
        let Key::Value(v) = key else { return false };
        let Some(inst) = self.p.def_inst(v) else {
            return false;
        };
        let data = &self.p.insts[inst];
        let counts = |v: Value| self.p.ty(v).is_int() || self.p.ty(v) == Type::Bool;
        counts(v)
            && data.op.is_pure()
            && !matches!(data.op, Op::Div | Op::Rem)
            && data.args.iter().all(|&a| counts(a))
    }

    /// A guess of how often a region runs.
    pub(super) fn executions(&self, region: Region) -> u64 {
        let mut loops = Vec::new();
        let mut region = region;
        while let Some(holder) = self.p.regions[region].parent {
            if matches!(self.p.insts[holder].op, Op::For(_) | Op::Loop) {
                loops.push(holder);
            }
            region = self.p.insts[holder].parent;
        }
        loops.iter().fold(1u64, |all, &l| {
            let trips = self.constant_trips(l).map_or(16, |n| n.clamp(1, 1 << 20));
            all.saturating_mul(trips as u64).min(1 << 40)
        })
    }

    /// What it costs to store a value and read it back, where one operation costs one: mostly the traffic.
    pub(super) fn store_price(&self, key: Key) -> u64 {
        match key {
            Key::Value(v) => 3 + self.narrow_type(v).size(),
            Key::Shadow(v) => 3 + self.p.ty(v).size(),
            // It is read before and written back as well.
            Key::Old(store) => {
                let size = self.p.ty(self.p.insts[store].args[1]).size();
                // What is there in the end is copied there and back.
                let copied = self.final_bytes(store).saturating_mul(2);
                let times = self.executions(self.p.insts[store].parent).max(1);
                (6 + size).saturating_add(copied.div_ceil(times))
            }
            // Copied as a whole.
            Key::Kept(k) => 4 + self.kept[k as usize].price(),
            _ => 4,
        }
    }

    /// Writes back what a store overwrote, if it is kept.
    pub(super) fn undo(&mut self, inst: Inst) -> Result<()> {
        let key = Key::Old(inst);
        let kept = matches!(&self.plan, Plan::Made(made) if made.stored.contains(&key));
        if kept {
            let data = self.p.insts[inst].clone();
            let ty: Type = self.p.ty(data.args[1]);
            let address = self.need(data.args[0]);
            let old = self.top(key, ty);
            self.b().store(address, old);
        }
        Ok(())
    }

    /// Keeps what a store overwrites, in front of it in F.
    pub(super) fn save_old(&mut self, store: Inst) {
        let key = Key::Old(store);
        self.prepare_push(key);
        let ty = self.p.ty(self.p.insts[store].args[1]);
        self.start_at_zero(self.d.insts[self.targets[&store]].args[0]);
        self.before_in_f(store, |me| {
            let target = me.targets[&store];
            let address = me.d.insts[target].args[0];
            let old = me.b().load(ty, address);
            me.push(key, old);
        });
    }

    /// The first store to an object overwrites nothing: it is zeroed, so that what is kept there is not indeterminate.
    fn start_at_zero(&mut self, address: Value) {
        let mut v = address;
        while let Some(inst) = self.d.def_inst(v) {
            match &self.d.insts[inst].op {
                Op::Addr(_) => v = self.d.insts[inst].args[0],
                Op::Slot(attr) => {
                    let ctype = attr.ctype;
                    let scope = self.d.insts[inst].parent;
                    let zeroed = self.d.regions[scope].insts.iter().any(|&i| {
                        let data = &self.d.insts[i];
                        matches!(data.op, Op::Zero(_)) && data.args[0] == v
                    });
                    if let Some(bytes) = self.m.types.size_of(ctype).filter(|_| !zeroed) {
                        self.in_header(scope, |me| me.b().zero(v, bytes, Some(ctype)));
                    }
                    return;
                }
                _ => return,
            }
        }
    }
}
