//! Memory that others see and whose stores are undone: R saves what is in it when it begins, and puts that back when it ends.
//!
//! What is saved are exactly the elements that a nest of loops stores to, as a box: bounds of loops, rows one behind the other. Elements beside them may be another
//! thread's. Of a variable at file scope it may be all of it. A store whose elements are not known this way is not undone.

use super::super::Reverse;
use super::super::decide::Plan;
use super::super::needed::Key;
use super::{Bounds, Less, Path};
use crate::activity;
use crate::known::memcpy;
use crate::plan::polynomial::{Atom, Polynomial};
use adjoin_ir::{AddrAttr, CTy, Global, Inst, Op, Pred, Type, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// What a store writes to, to be saved and put back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::reverse) enum Final {
    /// All of a variable at file scope.
    Whole(Global),
    /// Elements behind a pointer.
    Box(Elements),
}

/// The elements that a nest of loops stores to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::reverse) struct Elements {
    base: Value,
    member: Option<AddrAttr>,
    element: CTy,
    size: u64,
    /// The first element, and how many lie beside each other.
    low: Polynomial,
    run: Polynomial,
    /// How far the places of the iterations of a loop are apart, and its first and its last counter.
    dims: Vec<[Polynomial; 3]>,
    /// None of these is less than zero where the loops run.
    guard: BTreeSet<Polynomial>,
    /// An instruction of the entry that holds the store.
    point: Inst,
    /// About how many there are.
    estimate: u64,
}

impl Reverse<'_> {
    /// What a store to memory that others see writes to.
    pub(in crate::reverse) fn final_of(&self, store: Inst) -> Option<Final> {
        let data = &self.p.insts[store];
        let root = activity::root(&self.p, data.args[0]);
        let global = (self.p.def_inst(root)).and_then(|i| match self.p.insts[i].op {
            Op::GlobalAddr(g) => Some(g),
            _ => None,
        });
        // What runs with its mirror leaves its results while R runs.
        let late = self.is_late(store) || !self.fused.teams.is_empty();
        if late || self.wrapped.is_some() || self.fused_around(data.parent).is_some() {
            return None;
        }
        let elements = self.elements_of(store, global.is_some());
        match (elements, global) {
            (Some(e), None) => Some(Final::Box(e)),
            (Some(e), Some(g)) if e.bytes() < self.m.types.size_of(self.m.globals[g].ctype)? => {
                Some(Final::Box(e))
            }
            (_, Some(g)) => self.holds_numbers(g).then_some(Final::Whole(g)),
            _ => None,
        }
    }

    /// Is a variable an array of numbers? Members of a struct may be set by somebody else meanwhile, a handler of signals for one.
    fn holds_numbers(&self, g: Global) -> bool {
        let types = &self.m.types;
        let mut ctype = self.m.globals[g].ctype;
        while let Some(element) = types.element(ctype) {
            ctype = element;
        }
        let number = Type::of_ctype(types, ctype).is_some_and(activity::is_number);
        number
            && types
                .size_of(self.m.globals[g].ctype)
                .is_some_and(|n| n > 0)
    }

    /// About how many bytes are saved for a store.
    pub(in crate::reverse) fn final_bytes(&self, store: Inst) -> u64 {
        match self.finals.get(&store) {
            Some(Final::Whole(g)) => {
                let size = self.m.types.size_of(self.m.globals[*g].ctype);
                size.unwrap_or(u64::MAX)
            }
            Some(Final::Box(e)) => e.bytes(),
            None => 0,
        }
    }

    /// An access of what a store writes that certainly runs, if all loops around it do.
    fn certain_access(&self, store: Inst) -> Option<Inst> {
        if self.loops_inside(store, self.p.entry).1 {
            return Some(store);
        }
        // Under a condition on what is there already.
        let data = &self.p.insts[store];
        let (address, size) = (data.args[0], self.p.ty(data.args[1]).size());
        let mut found = None;
        self.p.walk(|inst| {
            let data = &self.p.insts[inst];
            if found.is_none()
                && matches!(&data.op, Op::Load(attr) if !attr.volatile)
                && self.is_same_address(data.args[0], address)
                && self.p.ty(data.results[0]).size() >= size
                && self.loops_inside(inst, self.p.entry).1
            {
                found = Some(inst);
            }
        });
        found
    }

    /// Are two addresses computed alike, from the same numbers?
    fn is_same_address(&self, a: Value, b: Value) -> bool {
        let (Some(x), Some(y)) = (self.p.def_inst(a), self.p.def_inst(b)) else {
            return a == b;
        };
        let (x, y) = (&self.p.insts[x], &self.p.insts[y]);
        let alike = || match (&x.op, &y.op) {
            (Op::Addr(one), Op::Addr(other)) => one == other,
            (Op::GlobalAddr(one), Op::GlobalAddr(other)) => one == other,
            _ => false,
        };
        let pairs = || x.args.iter().zip(&y.args);
        a == b || (alike() && pairs().all(|(&c, &d)| self.is_same_address(c, d)))
    }

    /// The elements that a store writes, if they are certainly accessed, each loop around running.
    fn elements_of(&self, store: Inst, global: bool) -> Option<Elements> {
        let entry = self.p.entry;
        let access = self.certain_access(store)?;
        let (loops, _) = self.loops_inside(access, entry);
        let point = self.holder_in(entry, *loops.first().unwrap_or(&access))?;
        let list = &self.p.regions[entry].insts;
        let mut ahead = list.iter().take_while(|&&i| i != point);
        if ahead.any(|&i| self.exits.escapes(i)) {
            return None;
        }
        let (bounds, complete) = self.guard(&loops, point)?;
        if !complete {
            return None;
        }
        let path = self.path_of(access, None)?;
        let there = match self.p.values[path.base].def {
            ValueDef::Arg(region, _) => region == entry,
            ValueDef::Result(inst, _) => {
                global || self.p.insts[inst].parent == entry && self.order[inst] < self.order[point]
            }
        };
        if !there {
            return None;
        }
        self.box_of(&path, &loops, point, &bounds)
    }

    fn box_of(
        &self,
        path: &Path,
        loops: &[Inst],
        point: Inst,
        bounds: &BTreeSet<Bounds>,
    ) -> Option<Elements> {
        let index = self.element_of(path, loops, point, true)?;
        let guard = (bounds.iter().map(Bounds::distance)).collect::<Option<BTreeSet<_>>>()?;
        let mut low = Polynomial::default();
        let mut factors: BTreeMap<Value, Polynomial> = BTreeMap::new();
        for (atoms, c) in index.terms() {
            let mut counter = None;
            let mut others = Vec::new();
            for atom in atoms {
                match atom {
                    Atom::Value(v) if self.loop_of(*v, loops).is_some() => {
                        if counter.replace(*v).is_some() {
                            return None;
                        }
                    }
                    Atom::Value(v) if self.is_hoistable(*v, point) => others.push(atom.clone()),
                    _ => return None,
                }
            }
            let term = Polynomial::term(&others, c);
            match counter {
                None => low = low.plus(&term)?,
                Some(v) => {
                    let old = factors.remove(&v).unwrap_or_default();
                    factors.insert(v, old.plus(&term)?);
                }
            }
        }
        let mut dims = Vec::new();
        let mut estimate = 1u64;
        let mut corner: Option<(Value, bool)> = None;
        for (v, factor) in &factors {
            let l = self.loop_of(*v, loops)?;
            if let Some(moving) = self.moves_with(l, loops) {
                // The longest run of a loop is that of one iteration around it, the same for all; and that loop must not move through memory itself.
                let other = corner.replace(moving).is_some_and(|c| c != moving);
                if other || factors.contains_key(&moving.0) {
                    return None;
                }
            }
            let (first, last, _) = self.counter_range(l, loops, point, true)?;
            let trips = self.most_trips(l).map_or(16, |n| n.clamp(1, 1 << 20)) as u64;
            estimate = estimate.saturating_mul(trips);
            let step = self.p.const_int(self.p.insts[l].args[2])?;
            if step.abs() != 1 {
                return None;
            }
            dims.push([factor.clone(), first, last]);
        }
        let mut elements = Elements {
            base: path.base,
            member: path.member.clone(),
            element: path.element,
            size: path.size,
            low,
            run: Polynomial::constant(1),
            dims,
            guard,
            point,
            estimate,
        };
        elements.join_rows()?;
        Some(elements)
    }

    /// The loop whose counter a value is.
    fn loop_of(&self, v: Value, loops: &[Inst]) -> Option<Inst> {
        let counts = |l: &Inst| {
            let data = &self.p.insts[*l];
            matches!(data.op, Op::For(_)) && self.p.regions[data.regions[0]].args[0] == v
        };
        loops.iter().copied().find(counts)
    }

    /// The counter of a loop around another by which the other's bounds move, and whether it runs longest where that is small.
    fn moves_with(&self, l: Inst, loops: &[Inst]) -> Option<(Value, bool)> {
        let data = &self.p.insts[l];
        let Op::For(attr) = &data.op else { return None };
        (0..2).find_map(|side| {
            let bound = crate::plan::lanes::affine(&self.p, data.args[side])?;
            let counter = |(atoms, c): (&[Atom], i64)| match atoms {
                [Atom::Value(v)] => self.loop_of(*v, loops).map(|_| (*v, c)),
                _ => None,
            };
            let (v, c) = bound.terms().find_map(counter)?;
            let up = matches!(attr.pred, Pred::Lt | Pred::Le);
            Some((v, ((side == 0) == up) == (c > 0)))
        })
    }

    /// What is saved: for the stores that are undone.
    fn finals_saved(&self) -> Vec<Final> {
        let Plan::Made(made) = &self.plan else {
            return Vec::new();
        };
        let mut parts: Vec<Final> = Vec::new();
        for key in made.stored() {
            if let Key::Old(store) = key
                && let Some(part) = self.finals.get(&store)
                && !parts.contains(part)
            {
                parts.push(part.clone());
            }
        }
        // A variable of which more would be copied in parts is copied as a whole.
        let global = |part: &Final| match part {
            Final::Whole(g) => Some(*g),
            Final::Box(e) => match self.p.insts[self.p.def_inst(e.base)?].op {
                Op::GlobalAddr(g) => Some(g),
                _ => None,
            },
        };
        let mut bytes: BTreeMap<Global, u64> = BTreeMap::new();
        for part in &parts {
            if let Some(g) = global(part) {
                let size = self.m.types.size_of(self.m.globals[g].ctype).unwrap_or(0);
                let more = match part {
                    Final::Whole(_) => size,
                    Final::Box(e) => e.bytes(),
                };
                let sum = bytes.entry(g).or_default();
                *sum = sum.saturating_add(more);
            }
        }
        let whole: BTreeSet<Global> = (bytes.into_iter())
            .filter(|&(g, n)| n >= self.m.types.size_of(self.m.globals[g].ctype).unwrap_or(0))
            .map(|(g, _)| g)
            .collect();
        parts.retain(|part| global(part).is_none_or(|g| !whole.contains(&g)));
        parts.extend(whole.into_iter().map(Final::Whole));
        parts
    }

    /// Where R begins: saves what will be put back.
    pub(in crate::reverse) fn save_finals(&mut self) -> Vec<(Value, Final)> {
        let parts = self.finals_saved();
        let saved = parts.into_iter().map(|part| (self.save_final(&part), part));
        saved.collect()
    }

    /// Where R ends: puts back what was saved.
    pub(in crate::reverse) fn put_back(&mut self, saved: Vec<(Value, Final)>) {
        let give = self.runtime.give;
        for (memory, part) in saved {
            match &part {
                Final::Whole(g) => {
                    let to = self.b().global(*g);
                    let bytes = self.size_of_global(*g);
                    let copy = memcpy(self.m);
                    self.call(copy, vec![to, memory, bytes]);
                }
                Final::Box(e) => {
                    let runs = self.runs(e);
                    self.where_it_runs(runs, |me| me.copy_rows(e, memory, false));
                }
            }
            self.call(give, vec![memory]);
        }
    }

    fn size_of_global(&mut self, g: Global) -> Value {
        let size = self.m.types.size_of(self.m.globals[g].ctype);
        let size = size.expect("its size is known");
        self.b().int(Type::U64, size.into())
    }

    fn save_final(&mut self, part: &Final) -> Value {
        match part {
            Final::Whole(g) => {
                let byte = self.m.types.basic(adjoin_ir::Basic::Char);
                let bytes = self.size_of_global(*g);
                let count = self.cast(Type::I64, bytes);
                let memory = self.new_block(byte, count);
                let from = self.b().global(*g);
                let copy = memcpy(self.m);
                self.call(copy, vec![memory, from, bytes]);
                memory
            }
            Final::Box(e) => {
                let runs = self.runs(e);
                let mut count = self.hoisted_polynomial(&e.run, e.point);
                for [_, first, last] in &e.dims {
                    let trips = last.minus(first).and_then(|d| d.plus_constant(1));
                    let trips = trips.expect("it was made before");
                    let trips = self.hoisted_polynomial(&trips, e.point);
                    count = self.b().mul(count, trips);
                }
                if let Some(runs) = runs {
                    let zero = self.int(0);
                    count = self.b().select(runs, count, zero);
                }
                let memory = self.new_block(e.element, count);
                self.where_it_runs(runs, |me| me.copy_rows(e, memory, true));
                memory
            }
        }
    }

    fn new_block(&mut self, element: CTy, count: Value) -> Value {
        let allocate = self.runtime.allocate(self.m, element);
        let memory = self.call(allocate, vec![count]).expect("it returns memory");
        self.d.values[memory].ctype = Some(self.m.types.pointer(element));
        self.b().set_name(memory, "results");
        memory
    }

    /// Do the loops run that store to elements? Nothing if they certainly do.
    fn runs(&mut self, e: &Elements) -> Option<Value> {
        let mut all = None;
        for distance in &e.guard {
            let distance = self.hoisted_polynomial(distance, e.point);
            let zero = self.int(0);
            let some = self.b().ge(distance, zero);
            all = Some(match all {
                Some(before) => self.b().and(before, some),
                None => some,
            });
        }
        all
    }

    fn where_it_runs(&mut self, runs: Option<Value>, copy: impl FnOnce(&mut Self)) {
        let Some(runs) = runs else { return copy(self) };
        let (_, then, otherwise) = self.b().if_(runs, &[]);
        let here = (self.at, self.position);
        (self.at, self.position) = (then, None);
        copy(self);
        self.b().yield_(&[]);
        self.at = otherwise;
        self.b().yield_(&[]);
        (self.at, self.position) = here;
    }

    /// Copies elements to a block, or back.
    fn copy_rows(&mut self, e: &Elements, memory: Value, save: bool) {
        let mut base = match self.p.def_inst(e.base).map(|i| &self.p.insts[i].op) {
            Some(&Op::GlobalAddr(g)) => self.b().global(g),
            _ => self.f[&e.base],
        };
        if let Some(member) = &e.member {
            base = self
                .b()
                .addr(base, member.pointee, member.steps.clone(), &[]);
            self.d.values[base].ctype = Some(self.m.types.pointer(e.element));
        }
        let here = (self.at, self.position);
        let mut at = self.hoisted_polynomial(&e.low, e.point);
        // The number of the row.
        let mut row: Option<Value> = None;
        let mut ends = Vec::new();
        for [factor, first, last] in &e.dims {
            let [factor, lower, upper] =
                [factor, first, last].map(|p| self.hoisted_polynomial(p, e.point));
            let one = self.int(1);
            let (_, inner) = self.b().for_(Pred::Le, lower, upper, one, &[]);
            let counter = self.d.regions[inner].args[0];
            ends.push((self.at, self.position));
            (self.at, self.position) = (inner, None);
            let way = self.b().mul(counter, factor);
            at = self.b().add(at, way);
            let number = self.b().sub(counter, lower);
            row = Some(match row {
                None => number,
                Some(before) => {
                    let trips = self.b().sub(upper, lower);
                    let trips = self.b().add(trips, one);
                    let rows = self.b().mul(before, trips);
                    self.b().add(rows, number)
                }
            });
        }
        let run = self.hoisted_polynomial(&e.run, e.point);
        let theirs = self.element(e.element, base, at);
        let ours = match row {
            None => memory,
            Some(row) => {
                let first = self.b().mul(row, run);
                self.element(e.element, memory, first)
            }
        };
        let run = self.cast(Type::U64, run);
        let size = self.b().int(Type::U64, e.size.into());
        let bytes = self.b().mul(run, size);
        let copy = memcpy(self.m);
        let (to, from) = if save { (ours, theirs) } else { (theirs, ours) };
        self.call(copy, vec![to, from, bytes]);
        for (region, position) in ends.into_iter().rev() {
            self.b().yield_(&[]);
            (self.at, self.position) = (region, position);
        }
        (self.at, self.position) = here;
    }
}

impl Elements {
    fn bytes(&self) -> u64 {
        self.estimate.saturating_mul(self.size)
    }

    /// Takes loops together whose elements lie beside each other.
    fn join_rows(&mut self) -> Option<()> {
        loop {
            let back = self.run.times_constant(-1)?;
            let beside = |d: &[Polynomial; 3]| d[0] == self.run || d[0] == back;
            let Some(k) = self.dims.iter().position(beside) else {
                return Some(());
            };
            let [factor, first, last] = self.dims.remove(k);
            let start = if factor == self.run { &first } else { &last };
            self.low = self.low.plus(&factor.times(start)?)?;
            let trips = last.minus(&first)?.plus_constant(1)?;
            self.run = self.run.times(&trips)?;
        }
    }
}

impl Bounds {
    /// What is zero or more where the loop runs.
    fn distance(&self) -> Option<Polynomial> {
        match self.order {
            Less::Lt => self.upper.minus(&self.lower)?.plus_constant(-1),
            Less::Le => self.upper.minus(&self.lower),
            Less::Gt => self.lower.minus(&self.upper)?.plus_constant(-1),
            Less::Ge => self.lower.minus(&self.upper),
        }
    }
}
