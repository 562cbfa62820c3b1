//! A loop that is looked at as the one whose iterations run in lanes: what in it is the same in all lanes, what must stay in order, and how its body falls into pieces.

use super::conflicts::{Conflicts, Touch};
use super::gather::Tap;
use super::own::{Own, Ownership};
use super::sums::{self, Chain};
use crate::plan::promote::spelled;
use crate::points_to::PointsTo;
use crate::points_to::dependence::When;
use adjoin_ir::{Body, Inst, Module, Op, Pred, Region, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Loops with more accesses than this are left alone.
const MOST_TOUCHES: usize = 64;
/// Loops inside that run at most this many times in all are unrolled by compilers.
const MOST_UNROLLED: i128 = 32;
/// A loop that runs fewer times than this is not worth lanes.
const FEWEST: i128 = 4;
/// One that runs fewer times than this only if no loop around it is.
const SHORT: i128 = 8;
/// Arrays with fewer elements are worth no strips.
const SMALL: u64 = 48;
/// Library functions that compilers have instructions for.
pub const INSTRUCTIONS: &[&str] = &[
    "sqrt",
    "sqrtf",
    "fabs",
    "fabsf",
    "fma",
    "fmaf",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "copysign",
    "copysignf",
];

/// What to do with a loop.
#[derive(Debug)]
pub struct Plan {
    /// The loop.
    pub holder: Inst,
    /// Its first index, and the one behind the last.
    pub bounds: [Value; 2],
    /// Its body.
    pub nodes: Vec<Node>,
    /// Values that differ between iterations.
    pub varying: HashSet<Value>,
    /// The sums that it carries, in order.
    pub chains: Vec<Chain>,
    /// Increments of memory, by their stores.
    pub increments: BTreeMap<Inst, Increment>,
    /// Who uses what in it.
    pub uses: HashMap<Value, Vec<(Inst, usize)>>,
    /// Memory that each iteration has for itself, by its address.
    pub own: HashMap<Value, Own>,
    /// The last iterations first: strips go from the end of the loop to its beginning, as iterations did.
    pub backwards: bool,
}

/// A part of the body.
#[derive(Debug)]
pub enum Node {
    /// The same in all lanes.
    Uniform(Inst),
    /// Instructions in lanes, in groups one after the other.
    Leaves(Vec<Group>),
    /// Clears memory that each lane has for itself.
    Zero(Inst),
    /// A loop that is the same in all lanes.
    Loop(Inst, Vec<Node>),
}

/// Instructions that are one loop over the lanes.
#[derive(Debug, Default)]
pub struct Group {
    /// In order.
    pub insts: Vec<Inst>,
    /// Increments of one place for all lanes, by their stores.
    pub sums: Vec<Inst>,
    /// If there are any, all its increments are of neighbours, and are collected.
    pub taps: Vec<Tap>,
    /// Increments of neighbours that are made here as well: what the lanes before add is handed on to the next.
    pub handed_on: Vec<Vec<Tap>>,
    /// No lane touches what another one writes.
    pub independent: bool,
    /// One lane after the other adds to sums of the primal.
    pub in_order: bool,
}

/// An increment of memory: `*address = *address + value`.
#[derive(Clone, Copy, Debug)]
pub struct Increment {
    /// What reads.
    pub load: Inst,
    /// What adds.
    pub add: Inst,
    /// What is added, or subtracted.
    pub value: Value,
}

/// What may be done with a loop.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// It belongs to the reverse sweep: sums may be made in any order.
    pub mirrored: bool,
    /// It counted down before it was turned.
    pub turned: bool,
    /// The compiler keeps in lanes what is handed on from one iteration to the next.
    pub hands_on: bool,
}

/// A loop that is being looked at.
pub struct Nest<'a> {
    module: &'a Module,
    pub(super) body: &'a Body,
    pub(super) points: &'a PointsTo<'a>,
    pub(super) conflicts: &'a Conflicts<'a>,
    pub(super) holder: Inst,
    pub(super) region: Region,
    pub(super) manner: Manner,
    pub(super) uses: HashMap<Value, Vec<(Inst, usize)>>,
    pub(super) touches: Vec<Touch>,
    pub(super) increments: BTreeMap<Inst, Increment>,
    pub(super) varying: HashSet<Value>,
    pub(super) chained: HashSet<Value>,
    pub(super) own: HashMap<Value, Own>,
    /// Sums of the primal that it carries, which keep their order, and all their values.
    ordered: BTreeSet<Value>,
    in_order: HashSet<Value>,
    /// Its strips run from the last to the first.
    backwards: bool,
}

impl<'a> Nest<'a> {
    /// Finds out whether the iterations of a loop can run in lanes, and how.
    pub fn plan(
        module: &'a Module,
        body: &'a Body,
        points: &'a PointsTo<'a>,
        conflicts: &'a Conflicts<'a>,
        holder: Inst,
        manner: Manner,
        ownership: Ownership,
    ) -> Option<Plan> {
        let data = &body.insts[holder];
        let Op::For(attr) = &data.op else { return None };
        if attr.pred != Pred::Lt || body.const_int(data.args[2]) != Some(1) {
            return None;
        }
        let bounds = [0, 1].map(|k| body.const_int(data.args[k]));
        if let [Some(low), Some(high)] = bounds
            && high - low < FEWEST
        {
            return None;
        }
        let mut nest = Nest::of(module, body, points, conflicts, holder, manner, ownership)?;
        let region = nest.region;
        let chains = nest.chains()?;
        nest.find_varying()?;
        if !nest.has_good_strides() {
            return None;
        }
        nest.backwards = !nest.is_legal();
        if nest.backwards && !nest.is_legal_backwards() {
            return None;
        }
        let nodes = nest.nodes(region)?;
        let pays = match nest.own.is_empty() {
            true => pays(&nodes),
            false => pays_in_blocks(&nodes),
        };
        pays.then_some(Plan {
            holder,
            bounds: [data.args[0], data.args[1]],
            nodes,
            varying: nest.varying,
            chains,
            increments: nest.increments,
            uses: nest.uses,
            own: nest.own,
            backwards: nest.backwards,
        })
    }

    /// What a loop holds, before anything is found out; `None` if there is anything that lanes cannot do, or too much.
    fn of(
        module: &'a Module,
        body: &'a Body,
        points: &'a PointsTo<'a>,
        conflicts: &'a Conflicts<'a>,
        holder: Inst,
        manner: Manner,
        ownership: Ownership,
    ) -> Option<Nest<'a>> {
        let region = body.insts[holder].regions[0];
        let mut nest = Nest {
            module,
            body,
            points,
            conflicts,
            holder,
            region,
            manner,
            uses: HashMap::new(),
            touches: Vec::new(),
            increments: BTreeMap::new(),
            varying: HashSet::new(),
            chained: HashSet::new(),
            own: ownership.own,
            ordered: ownership.ordered,
            in_order: HashSet::new(),
            backwards: false,
        };
        nest.collect(region, false)?;
        (nest.touches.len() <= MOST_TOUCHES).then_some(nest)
    }

    /// May the iterations of a loop of the reverse sweep run in any order, one after the other?
    pub fn is_free(
        module: &'a Module,
        body: &'a Body,
        points: &'a PointsTo<'a>,
        conflicts: &'a Conflicts<'a>,
        holder: Inst,
    ) -> bool {
        let nest = Nest::of(
            module,
            body,
            points,
            conflicts,
            holder,
            Manner {
                mirrored: true,
                turned: false,
                hands_on: false,
            },
            Ownership::default(),
        );
        nest.is_some_and(|mut nest| {
            let sums = nest.chains().is_some();
            nest.find_increments();
            sums && nest.is_legal()
        })
    }

    /// The loop's counter.
    pub(super) fn counter(&self) -> Value {
        self.body.regions[self.region].args[0]
    }

    /// Collects accesses and uses; `None` if there is anything that lanes cannot do.
    fn collect(&mut self, region: Region, conditional: bool) -> Option<()> {
        let body = self.body;
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            let odd = |v: &Value| {
                let ty = body.ty(*v);
                ty.is_complex() || ty.is_float() && ty.size() > 8 || ty.is_int() && ty.size() > 8
            };
            if data.results.iter().any(odd) {
                return None;
            }
            for (k, &v) in data.args.iter().enumerate() {
                self.uses.entry(v).or_default().push((inst, k));
            }
            let own = self.own.values().any(|o| o.accesses.contains_key(&inst));
            match &data.op {
                Op::Load(attr) if !attr.volatile => self.touches.push(Touch {
                    inst,
                    address: data.args[0],
                    ty: body.ty(data.results[0]),
                    writes: false,
                    increment: None,
                    own,
                }),
                Op::Store(attr) if !attr.volatile => self.touches.push(Touch {
                    inst,
                    address: data.args[0],
                    ty: body.ty(data.args[1]),
                    writes: true,
                    increment: None,
                    own,
                }),
                Op::If => {
                    for &inner in &data.regions {
                        self.collect(inner, true)?;
                    }
                }
                Op::For(_) if !conditional => self.collect(data.regions[0], false)?,
                Op::Call(attr) => {
                    let function = &self.module.funcs[attr.func];
                    let known = INSTRUCTIONS.contains(&function.name.as_str());
                    if !known || function.body.is_some() {
                        return None;
                    }
                }
                Op::Yield => {}
                Op::Slot(_) if self.own.contains_key(&data.results[0]) => {}
                Op::Zero(_) if self.own.contains_key(&data.args[0]) && !conditional => {}
                op if op.is_pure() => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// The sums that the loop carries. `None`: it carries something else.
    fn chains(&mut self) -> Option<Vec<Chain>> {
        let args = self.body.regions[self.region].args.clone();
        let results = &self.body.insts[self.holder].results;
        let mut used = false;
        self.body
            .walk(|i| used |= self.body.insts[i].args.contains(&results[0]));
        if used || args.len() > 1 && !self.manner.mirrored {
            return None;
        }
        if self.own.is_empty() && !self.ordered.is_empty() {
            return None;
        }
        let mut chains = Vec::new();
        for (slot, arg) in args.iter().enumerate().skip(1) {
            let chain = sums::chain(self.body, &self.uses, self.holder, slot)?;
            self.chained.extend(chain.values.iter().copied());
            if self.ordered.contains(arg) {
                self.in_order.extend(chain.values.iter().copied());
            }
            chains.push(chain);
        }
        Some(chains)
    }

    fn find_varying(&mut self) -> Option<()> {
        if self.manner.mirrored {
            self.find_increments();
        }
        let body = self.body;
        self.varying.insert(body.regions[self.region].args[0]);
        self.varying.extend(self.chained.iter().copied());
        loop {
            let before = self.varying.len();
            self.vary(self.region)?;
            if self.varying.len() == before {
                return Some(());
            }
        }
    }

    fn vary(&mut self, region: Region) -> Option<()> {
        let body = self.body;
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            let varies = |me: &Self, v: &Value| me.varying.contains(v);
            let any = data.args.iter().any(|v| varies(self, v));
            match &data.op {
                Op::For(_) => {
                    if data.args[..3].iter().any(|v| varies(self, v)) {
                        return None;
                    }
                    let index = data.results[0];
                    if self.uses.contains_key(&index) {
                        return None;
                    }
                    let inner = data.regions[0];
                    let args = body.regions[inner].args.clone();
                    let next = super::yielded(body, inner)?.to_vec();
                    for k in 1..args.len() {
                        let all = [data.args[k + 2], next[k - 1], args[k], data.results[k]];
                        if all.iter().any(|v| varies(self, v)) {
                            self.varying.insert(args[k]);
                            self.varying.insert(data.results[k]);
                        }
                    }
                    self.vary(inner)?;
                }
                Op::If => {
                    self.varying.extend(data.results.iter().copied());
                    for &inner in &data.regions {
                        for &i in &body.regions[inner].insts {
                            // Whatever is inside runs in the lanes that want it.
                            self.varying.extend(body.insts[i].results.iter().copied());
                            for &deep in &body.insts[i].regions {
                                self.vary_all(deep);
                            }
                        }
                    }
                }
                Op::Load(_) if any || self.is_written(inst) => {
                    self.varying.insert(data.results[0]);
                }
                _ if any => self.varying.extend(data.results.iter().copied()),
                _ => {}
            }
        }
        Some(())
    }

    fn vary_all(&mut self, region: Region) {
        for &i in &self.body.regions[region].insts {
            let data = &self.body.insts[i];
            self.varying.extend(data.results.iter().copied());
            for &deep in &data.regions {
                self.vary_all(deep);
            }
        }
    }

    fn touch(&self, inst: Inst) -> Option<&Touch> {
        self.touches.iter().find(|t| t.inst == inst)
    }

    /// May the loop write what a load reads?
    fn is_written(&self, load: Inst) -> bool {
        let Some(read) = self.touch(load) else {
            return true;
        };
        read.own
            || self
                .touches
                .iter()
                .any(|t| t.writes && self.conflicts.may_alias(self.holder, read, t))
    }

    fn find_increments(&mut self) {
        let body = self.body;
        for k in 0..self.touches.len() {
            let store = self.touches[k];
            if !store.writes || store.own || !store.ty.is_float() {
                continue;
            }
            let Some(found) = self.increment(&store) else {
                continue;
            };
            // Nothing else may come between.
            let list = &body.regions[body.insts[store.inst].parent].insts;
            let between = |i: &Inst| {
                let data = &body.insts[*i];
                !data.regions.is_empty()
                    || self.touch(*i).is_some_and(|t| {
                        t.writes && self.conflicts.may_alias(self.holder, t, &store)
                    })
            };
            let from = list.iter().position(|&i| i == found.load);
            let to = list.iter().position(|&i| i == store.inst);
            let (Some(from), Some(to)) = (from, to) else {
                continue;
            };
            if list[from + 1..to].iter().any(between) {
                continue;
            }
            self.increments.insert(store.inst, found);
            for t in &mut self.touches {
                if t.inst == store.inst || t.inst == found.load {
                    t.increment = Some(store.inst);
                }
            }
        }
    }

    fn increment(&self, store: &Touch) -> Option<Increment> {
        let body = self.body;
        let sum = body.insts[store.inst].args[1];
        let once = |v: Value| self.uses.get(&v).is_some_and(|u| u.len() == 1);
        let add = body.def_inst(sum)?;
        let data = &body.insts[add];
        let operands: &[(usize, usize)] = match data.op {
            Op::Add => &[(0, 1), (1, 0)],
            Op::Sub => &[(0, 1)],
            _ => return None,
        };
        let here = body.insts[store.inst].parent;
        for &(old, value) in operands {
            let Some(load) = body.def_inst(data.args[old]) else {
                continue;
            };
            let l = &body.insts[load];
            if matches!(l.op, Op::Load(_))
                && l.parent == here
                && data.parent == here
                && once(data.args[old])
                && once(sum)
                && (l.args[0] == store.address
                    || spelled(body, l.args[0], 12) == spelled(body, store.address, 12))
            {
                return Some(Increment {
                    load,
                    add,
                    value: data.args[value],
                });
            }
        }
        None
    }

    /// May the iterations run in any order, and piece by piece?
    fn is_legal(&self) -> bool {
        for (k, a) in self.touches.iter().enumerate() {
            for b in &self.touches[k..] {
                let sums = a.increment.is_some() && b.increment.is_some();
                if !sums && self.conflicts.meet_across(self.holder, a, b, false) {
                    return false;
                }
            }
        }
        true
    }

    /// May they run piece by piece if the last ones come first, as in the mirror of `v[i] = f(v[i], v[i + 1])`? All that meets are accesses and later increments: those of
    /// iterations that come before in the loop as it counts now, which is from the last to the first.
    fn is_legal_backwards(&self) -> bool {
        let plain = |i: &Inst| self.body.insts[*i].regions.is_empty();
        if !self.manner.turned
            || !self.own.is_empty()
            || self.is_small()
            || !self.body.regions[self.region].insts.iter().all(plain)
        {
            return false;
        }
        self.touches.iter().enumerate().all(|(k, a)| {
            self.touches[k..]
                .iter()
                .all(|b| match (a.increment.is_some(), b.increment.is_some()) {
                    (true, true) => true,
                    (false, true) => self.adds_afterwards(a, b),
                    (true, false) => self.adds_afterwards(b, a),
                    (false, false) => !self.conflicts.meet_across(self.holder, a, b, false),
                })
        })
    }

    /// Does it add to short arrays on the stack? Strips cost more than they gain.
    fn is_small(&self) -> bool {
        let short = |t: &Touch| {
            let base = super::conflicts::root(self.body, t.address);
            let def = self.body.def_inst(base).map(|i| &self.body.insts[i].op);
            let Some(Op::Slot(attr)) = def else {
                return false;
            };
            let size = self.module.types.size_of(attr.ctype);
            size.is_some_and(|n| n < SMALL * t.ty.size())
        };
        self.touches
            .iter()
            .any(|t| t.increment.is_some() && short(t))
    }

    /// Does an increment meet another access at most after that, if iterations run from the last to the first?
    fn adds_afterwards(&self, access: &Touch, increment: &Touch) -> bool {
        let later = When::Across {
            holder: self.holder,
            aligned: false,
        };
        let place = |t: &Touch| {
            let list = &self.body.regions[self.region].insts;
            list.iter().position(|&i| i == t.inst)
        };
        !self.conflicts.may_alias(self.holder, access, increment)
            || !self.conflicts.can_meet(access, increment, later)
                && (place(access) < place(increment)
                    || !self.conflicts.meet_now(self.holder, access, increment))
    }

    fn nodes(&self, region: Region) -> Option<Vec<Node>> {
        let body = self.body;
        let mut nodes = Vec::new();
        let mut pending = Vec::new();
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            let varies = data.results.iter().any(|v| self.varying.contains(v));
            match &data.op {
                Op::Yield | Op::Slot(_) => {}
                Op::Zero(_) => {
                    self.flush(&mut pending, &mut nodes);
                    nodes.push(Node::Zero(inst));
                }
                Op::For(_) => {
                    self.flush(&mut pending, &mut nodes);
                    nodes.push(Node::Loop(inst, self.nodes(data.regions[0])?));
                }
                Op::If | Op::Store(_) | Op::Call(_) => pending.push(inst),
                _ if !varies => nodes.push(Node::Uniform(inst)),
                _ if is_index(body, inst) => {}
                _ => pending.push(inst),
            }
        }
        self.flush(&mut pending, &mut nodes);
        Some(nodes)
    }

    pub(super) fn touches_in(&self, insts: &[Inst]) -> Vec<&Touch> {
        let inside = |t: &Touch| {
            insts
                .iter()
                .any(|&i| i == t.inst || adjoin_passes::edit::is_inside(self.body, t.inst, i))
        };
        self.touches.iter().filter(|t| inside(t)).collect()
    }

    /// Makes groups of instructions that stand together.
    fn flush(&self, pending: &mut Vec<Inst>, nodes: &mut Vec<Node>) {
        let list = std::mem::take(pending);
        if list.is_empty() {
            return;
        }
        let all = self.touches_in(&list);
        // Increments that can be made later than where they stand.
        let mut movable: Vec<Inst> = list
            .iter()
            .copied()
            .filter(|s| {
                self.increments.contains_key(s)
                    && self.touch(*s).is_some_and(|t| {
                        all.iter().all(|o| {
                            o.increment.is_some()
                                || self.backwards
                                || !self.conflicts.meet_during(self.holder, t, o)
                        })
                    })
            })
            .collect();
        let collected = match self.backwards {
            true => Vec::new(),
            false => self.neighbours(&movable),
        };
        let taps: BTreeSet<Inst> = collected.iter().flatten().map(|t| t.store).collect();
        movable.retain(|s| !taps.contains(s));
        // What only one increment adds comes first: then it need not be kept.
        let value = |s: &Inst| self.increments[s].value;
        let shared: HashMap<Inst, usize> = movable
            .iter()
            .map(|s| (*s, movable.iter().filter(|o| value(o) == value(s)).count()))
            .collect();
        movable.sort_by_key(|s| shared[s]);
        let parts = |s: &Inst| {
            let i = &self.increments[s];
            [i.load, i.add, *s]
        };
        let products = collected.iter().flatten().filter_map(|t| t.product);
        let later = movable.iter().chain(&taps).flat_map(parts);
        let moved: BTreeSet<Inst> = later.chain(products).collect();
        let (later, first): (Vec<Inst>, Vec<Inst>) = list
            .into_iter()
            .filter(|i| !moved.contains(i))
            .partition(|&i| self.is_in_order(i));
        let independent = self.is_independent(&self.touches_in(&first));
        let mut groups = vec![Group {
            insts: first,
            independent,
            ..Group::default()
        }];
        for s in movable {
            let uniform = !self.varying.contains(&self.body.insts[s].args[0]);
            if uniform {
                groups[0].sums.push(s);
                continue;
            }
            let own = parts(&s);
            let fits = |g: &Group| {
                let mut together = g.insts.clone();
                together.extend(own);
                g.independent && self.is_independent(&self.touches_in(&together))
            };
            match groups.iter().position(fits) {
                Some(k) => groups[k].insts.extend(own),
                None => {
                    let independent = self.is_independent(&self.touches_in(&own));
                    // What must be done one after the other is done together.
                    let serial = groups.iter_mut().skip(1).find(|g| !g.independent);
                    if let Some(serial) = serial.filter(|_| !independent) {
                        serial.insts.extend(own);
                        continue;
                    }
                    groups.push(Group {
                        insts: own.to_vec(),
                        independent,
                        ..Group::default()
                    });
                }
            }
        }
        if !later.is_empty() {
            groups.push(Group {
                insts: later,
                in_order: true,
                ..Group::default()
            });
        }
        for taps in collected {
            if self.may_hand_on(&groups[0], &taps) {
                groups[0].handed_on.push(taps);
                continue;
            }
            let of = |t: &Tap| t.product.into_iter().chain(parts(&t.store));
            groups.push(Group {
                insts: taps.iter().flat_map(of).collect(),
                taps,
                independent: true,
                ..Group::default()
            });
        }
        nodes.push(Node::Leaves(groups));
    }

    /// Does an instruction add to a sum that keeps its order?
    fn is_in_order(&self, inst: Inst) -> bool {
        let results = &self.body.insts[inst].results;
        results.iter().any(|v| self.in_order.contains(v))
    }

    pub(super) fn is_independent(&self, touches: &[&Touch]) -> bool {
        touches.iter().enumerate().all(|(k, a)| {
            touches[k..]
                .iter()
                .all(|b| !self.conflicts.meet_across(self.holder, a, b, true))
                && touches[k + 1..].iter().all(|b| !self.are_mixed_up(a, b))
        })
    }
}

/// A pure instruction on integers and pointers: it is computed wherever it is needed.
pub fn is_index(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let plain = |v: &Value| !body.ty(*v).is_float() && body.ty(*v).part().is_none();
    data.op.is_pure() && data.args.iter().all(plain) && data.results.iter().all(plain)
}

/// Is something gained?
fn pays(nodes: &[Node]) -> bool {
    let mut groups = Vec::new();
    let mut loops = 0;
    flatten(nodes, &mut groups, &mut loops);
    let good = |g: &Group| g.independent || g.insts.is_empty();
    match loops {
        0 => groups.first().is_some_and(|g| good(g)),
        _ => groups.iter().all(|g| good(g)),
    }
}

/// Is it worth memory of its own for each lane?
fn pays_in_blocks(nodes: &[Node]) -> bool {
    let mut groups = Vec::new();
    let mut loops = 0;
    flatten(nodes, &mut groups, &mut loops);
    let good = |g: &&Group| g.independent || g.in_order || g.insts.is_empty();
    loops > 0 && groups.iter().all(good)
}

/// How many times the loops in a loop run in each of its iterations.
fn unrolled(body: &Body, nodes: &[Node]) -> i128 {
    let mut most = 0;
    for node in nodes {
        if let Node::Loop(inst, inner) = node {
            let data = &body.insts[*inst];
            let [low, high, step] = [0, 1, 2].map(|k| body.const_int(data.args[k]));
            let trips = match (low, high, step) {
                (Some(low), Some(high), Some(1)) => high - low,
                (Some(high), Some(low), Some(-1)) => high - low + 1,
                _ => i128::MAX,
            };
            most = trips.saturating_mul(unrolled(body, inner).max(1)).max(most);
        }
    }
    most
}

fn flatten<'n>(nodes: &'n [Node], groups: &mut Vec<&'n Group>, loops: &mut usize) {
    for node in nodes {
        match node {
            Node::Uniform(_) | Node::Zero(_) => {}
            Node::Leaves(list) => groups.extend(list),
            Node::Loop(_, inner) => {
                *loops += 1;
                flatten(inner, groups, loops);
            }
        }
    }
}

impl Plan {
    /// Are the loops in it so short that compilers unroll them, and does none of its iterations touch what another one writes? Then it is one
    /// loop over the lanes as it stands.
    pub fn unrolls(&self, body: &Body) -> bool {
        self.own.is_empty()
            && self.increments.is_empty()
            && unrolled(body, &self.nodes) <= MOST_UNROLLED
    }

    /// Is nothing in it outside of the lanes that must not be done if there are no lanes?
    pub fn is_safe_to_enter(&self, body: &Body) -> bool {
        self.nodes.iter().all(|node| match node {
            Node::Uniform(inst) => body.insts[*inst].op.is_pure() && !body.may_trap(*inst),
            Node::Leaves(groups) => groups
                .iter()
                .all(|g| g.sums.is_empty() && g.handed_on.is_empty()),
            Node::Loop(..) | Node::Zero(_) => false,
        })
    }

    /// Does it run so few times that a loop around it is better in lanes?
    pub fn is_short(&self, body: &Body) -> bool {
        match self.bounds.map(|v| body.const_int(v)) {
            [Some(low), Some(high)] => high - low < SHORT,
            _ => false,
        }
    }

    /// How many pieces it has.
    pub fn groups(&self) -> usize {
        let mut groups = Vec::new();
        flatten(&self.nodes, &mut groups, &mut 0);
        groups.len()
    }

    /// Is it one loop over the lanes, as it stands?
    pub fn is_direct(&self) -> bool {
        let mut groups = Vec::new();
        let mut loops = 0;
        flatten(&self.nodes, &mut groups, &mut loops);
        let alone = |g: &Group| g.sums.is_empty() && g.handed_on.is_empty();
        self.own.is_empty() && loops == 0 && groups.len() == 1 && alone(groups[0])
    }
}
