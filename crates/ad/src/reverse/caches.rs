//! Where values of the forward sweep are kept for the reverse sweep: ordinary memory, in one of four layouts.
//!
//! Without a loop around it, a value is kept in a *variable*. In a nest of counted loops whose trip counts are known in front of the nest, it
//! is an element of an *array* that is allocated once and indexed by the counters of the loops (on the stack if it is small and its size is constant).
//! Otherwise an array *grows*: in front of the innermost loop by a *row* if that is counted, else element by element; a position runs through
//! it, forwards in F and backwards in R. Positions and array pointers are scalar slots at the entry, which promotion turns into values.

use super::Reverse;
use super::needed::Key;
use adjoin_ir::{Basic, CTy, CTypeKind, Inst, Op, Pred, Region, Type, Value};
use std::collections::HashMap;

/// Arrays of a constant size up to this many bytes are on the stack.
const ON_STACK: i128 = 2048;

/// How the elements of a cache are found.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// One element, in a variable.
    Variable,
    /// Indexed by the counters of these loops, outermost first; on the stack or on the heap.
    Indexed { loops: Vec<Inst>, on_stack: bool },
    /// One row for each run of a counted loop. `start` is where F's begins.
    Rows {
        inner: Inst,
        position: Value,
        start: Value,
    },
    /// One element after the other.
    Growing { position: Value, room: Value },
}

/// A cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// The C type of an element.
    pub element: CTy,
    /// Its value type.
    pub stored: Type,
    /// The variable: the element itself, the array, or a pointer to the array.
    pub data: Value,
    pub layout: Layout,
    /// Each element is a row of this many.
    pub row: Option<Row>,
}

/// A number that is known in front of a nest.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    Constant(i64),
    /// In a variable.
    Variable(Value),
}

/// What is known of caches, by nest and by key.
#[derive(Clone, Default)]
pub(super) struct Caches {
    pub all: std::collections::BTreeMap<Key, Cache>,
    /// Trip counts in front of a nest: variables, by the outermost loop and the loop.
    trips: HashMap<(Inst, Inst), Value>,
    /// The number of elements of a nest, in F.
    totals: HashMap<Vec<Inst>, Value>,
    /// Indices in F, and in R by the mirrored region.
    linear: HashMap<(Vec<Inst>, Region), Value>,
    /// Counters in F.
    counters: HashMap<Inst, Value>,
    /// Where R's rows begin, by the mirrored loop.
    rows: HashMap<(Key, Inst), Value>,
    /// The first element of what copies hold.
    pub firsts: HashMap<u32, Row>,
}

impl Caches {
    /// The arrays on the stack.
    pub fn on_stack(&self) -> std::collections::BTreeSet<Value> {
        let arrays = self.all.values().filter(|c| {
            matches!(c.layout, Layout::Indexed { on_stack: true, .. }) && c.row.is_none()
        });
        arrays.map(|c| c.data).collect()
    }
}

impl Reverse<'_> {
    /// The region whose runs a key has one value for.
    pub(super) fn home(&self, key: Key) -> Region {
        match key {
            Key::Value(v) | Key::Shadow(v) => self.p.def_region(v),
            Key::Count(inst)
            | Key::Code(inst)
            | Key::Ran(inst, _)
            | Key::Tape(inst)
            | Key::Team(inst)
            | Key::Frames(inst)
            | Key::Ticket(inst)
            | Key::Old(inst) => self.p.insts[inst].parent,
            Key::Back(inst) => self.p.insts[inst].regions[0],
            Key::Kept(k) => self.kept[k as usize].home,
        }
    }

    /// The loops around a region, outermost first, and whether something decides between two of them if the inner one runs.
    pub(super) fn nest(&self, mut region: Region) -> (Vec<Inst>, bool) {
        let mut loops = Vec::new();
        let mut decided = false;
        let mut pending = false;
        while let Some(holder) = self.p.regions[region].parent {
            match self.p.insts[holder].op {
                // Its R is done at once.
                _ if self.fused.loops.contains(&holder) => break,
                Op::For(_) | Op::Loop => {
                    decided |= pending;
                    pending = false;
                    loops.push(holder);
                }
                Op::If | Op::Switch(_) => pending |= !loops.is_empty(),
                // Each thread keeps what it needs for itself, for one execution of the region.
                _ if self.is_team(holder) => break,
                _ => {}
            }
            region = self.p.insts[holder].parent;
        }
        loops.reverse();
        (loops, decided)
    }

    /// Does a loop run as often as its bounds say?
    pub(super) fn is_counted(&self, inst: Inst) -> bool {
        matches!(self.p.insts[inst].op, Op::For(_)) && !self.records_count(inst)
    }

    /// Can a value of the primal be had in front of an instruction, without reading memory?
    pub(super) fn is_hoistable(&self, v: Value, before: Inst) -> bool {
        if self
            .p
            .encloses(self.p.def_region(v), self.p.insts[before].parent)
        {
            return true;
        }
        let Some(inst) = self.p.def_inst(v) else {
            return false;
        };
        let data = &self.p.insts[inst];
        let traps = matches!(data.op, Op::Div | Op::Rem)
            && self.p.ty(v).is_int()
            && self.p.const_int(data.args[1]).is_none_or(|n| n == 0);
        let again = data.op.is_pure() || self.is_team_query(&data.op);
        again && !traps && data.args.iter().all(|&a| self.is_hoistable(a, before))
    }

    /// Makes a hoistable value here, in front of an instruction of F.
    pub(super) fn hoist(&mut self, v: Value, before: Inst) -> Value {
        if self
            .p
            .encloses(self.p.def_region(v), self.p.insts[before].parent)
        {
            return self.f[&v];
        }
        let inst = self
            .p
            .def_inst(v)
            .expect("a hoistable value is defined by an instruction");
        let data = self.p.insts[inst].clone();
        let args = data.args.iter().map(|&a| self.hoist(a, before)).collect();
        let ty = self.p.ty(v);
        self.b().value(data.op, args, ty)
    }

    pub(super) fn constant_trips(&self, inst: Inst) -> Option<i128> {
        let data = &self.p.insts[inst];
        let Op::For(attr) = &data.op else { return None };
        let [lower, upper, step] = [0, 1, 2].map(|k| self.p.const_int(data.args[k]));
        let (lower, upper, step) = (lower?, upper?, step?);
        let distance = match (attr.pred, step > 0) {
            (Pred::Lt, true) => upper - lower,
            (Pred::Le, true) => upper - lower + 1,
            (Pred::Gt, false) => lower - upper,
            (Pred::Ge, false) => lower - upper + 1,
            _ => return None,
        };
        Some((distance.max(0) + step.abs() - 1) / step.abs())
    }

    /// Does a loop's index go down? An unsigned one has a step that wraps then.
    fn goes_down(&self, inst: Inst) -> bool {
        let data = &self.p.insts[inst];
        let ty = self.p.ty(data.args[0]);
        match (self.p.const_int(data.args[2]), &data.op) {
            (Some(n), _) => n < 0 || (!ty.is_signed() && n >> (ty.bits() - 1) != 0),
            (None, Op::For(attr)) => matches!(attr.pred, Pred::Gt | Pred::Ge),
            _ => false,
        }
    }

    /// The magnitude of a loop's step as a wide integer; `None` is one.
    fn stride(&mut self, inst: Inst, step: Value) -> Option<Value> {
        let down = self.goes_down(inst);
        let ty = self.d.ty(step);
        if let Some(n) = self.p.const_int(self.p.insts[inst].args[2]) {
            let n = match down && n > 0 {
                true => (1i128 << ty.bits()) - n,
                false => n.abs(),
            };
            return (n != 1).then(|| self.int(n));
        }
        let step = match ty {
            Type::U32 if down => self.b().cast(Type::I32, step),
            _ => step,
        };
        let step = self.cast(Type::I64, step);
        Some(if down { self.b().neg(step) } else { step })
    }

    /// `high - low` as a wide integer. An unsigned index may wrap on its way (`i != -1u`), so its distance is that of its own width.
    fn modular(&mut self, high: Value, low: Value) -> Value {
        if self.d.ty(high) == Type::U32 && self.d.ty(low) == Type::U32 {
            let distance = self.b().sub(high, low);
            return self.cast(Type::I64, distance);
        }
        let (high, low) = (self.cast(Type::I64, high), self.cast(Type::I64, low));
        self.b().sub(high, low)
    }

    /// The distance between two bounds of a loop, where the primal's lower one may be the constant zero.
    fn distance(&mut self, high: Value, low: Value, primal_low: Value) -> Value {
        match self.p.const_int(primal_low) {
            Some(0) => self.cast(Type::I64, high),
            _ => self.modular(high, low),
        }
    }

    /// How often a `for` runs if nothing leaves it early, from its bounds and step.
    pub(super) fn trips(&mut self, inst: Inst, [lower, upper, step]: [Value; 3]) -> Value {
        if let Some(n) = self.constant_trips(inst) {
            return self.int(n);
        }
        let Op::For(attr) = self.p.insts[inst].op.clone() else {
            return self.int(0);
        };
        let runs = match attr.pred {
            Pred::Lt => self.b().lt(lower, upper),
            Pred::Le => self.b().le(lower, upper),
            Pred::Gt => self.b().gt(lower, upper),
            Pred::Ge => self.b().ge(lower, upper),
            Pred::Ne => self.b().ne(lower, upper),
        };
        let mut distance = match self.goes_down(inst) {
            true => self.distance(lower, upper, self.p.insts[inst].args[1]),
            false => self.distance(upper, lower, self.p.insts[inst].args[0]),
        };
        if matches!(attr.pred, Pred::Le | Pred::Ge) {
            let one = self.int(1);
            distance = self.b().add(distance, one);
        }
        if let Some(stride) = self.stride(inst, step) {
            let one = self.int(1);
            let padded = self.b().sub(stride, one);
            let padded = self.b().add(distance, padded);
            distance = self.b().div(padded, stride);
        }
        let zero = self.int(0);
        self.b().select(runs, distance, zero)
    }

    /// The number of an iteration, from zero, in F.
    fn counter(&mut self, inst: Inst) -> Value {
        if let Some(&v) = self.caches.counters.get(&inst) {
            return v;
        }
        let target = self.targets[&inst];
        let body = self.d.insts[target].regions[0];
        let index = self.d.regions[body].args[0];
        let [lower, _, step] = [0, 1, 2].map(|k| self.d.insts[target].args[k]);
        let from_zero = self.p.const_int(self.p.insts[inst].args[0]) == Some(0);
        let v = self.in_header(body, |me| {
            let distance = match me.goes_down(inst) {
                true => me.modular(lower, index),
                false if from_zero => me.cast(Type::I64, index),
                false => me.modular(index, lower),
            };
            match me.stride(inst, step) {
                Some(stride) => me.b().div(distance, stride),
                None => distance,
            }
        });
        self.caches.counters.insert(inst, v);
        v
    }

    /// The trip count of a loop of a nest, as it was in front of the nest.
    fn nest_trips(&mut self, outer: Inst, inst: Inst) -> Value {
        if let Some(n) = self.constant_trips(inst) {
            return self.int(n);
        }
        let slot = self.caches.trips[&(outer, inst)];
        self.b().load(Type::I64, slot)
    }

    /// The index of the current iteration of a nest, in F or in R.
    fn linear(&mut self, loops: &[Inst], reverse: bool) -> Value {
        let Some(&innermost) = loops.last() else {
            return self.int(0);
        };
        let body = self.p.insts[innermost].regions[0];
        let region = match reverse {
            true => self.mirrors[&body][0],
            false => self.d.insts[self.targets[&innermost]].regions[0],
        };
        let key = (loops.to_vec(), region);
        if let Some(&v) = self.caches.linear.get(&key) {
            return v;
        }
        let counters: Vec<Value> = loops
            .iter()
            .map(|&l| match reverse {
                true => {
                    let region = self.mirrors[&self.p.insts[l].regions[0]][0];
                    self.d.regions[region].args[0]
                }
                false => self.counter(l),
            })
            .collect();
        let outer = self.made_before(loops);
        let v = if counters.len() == 1 {
            counters[0]
        } else {
            self.in_header(region, |me| {
                let mut index = counters[0];
                for (k, &counter) in counters.iter().enumerate().skip(1) {
                    let trips = me.nest_trips(outer, loops[k]);
                    let row = me.b().mul(index, trips);
                    index = me.b().add(row, counter);
                }
                index
            })
        };
        self.caches.linear.insert(key, v);
        v
    }

    /// A scalar variable that starts at zero, at the entry or where a thread's part of a parallel region begins.
    pub(super) fn variable(&mut self, scope: Region, ctype: CTy, name: &str) -> Value {
        let entry = self.scope_of(scope);
        self.variable_in(entry, ctype, name)
    }

    /// A scalar variable that starts at zero where a region of the derivative begins.
    fn variable_in(&mut self, entry: Region, ctype: CTy, name: &str) -> Value {
        let ty = Type::of_ctype(&self.m.types, ctype).unwrap_or(Type::I64);
        self.in_header(entry, |me| {
            let slot = me.b().slot(ctype, Some(name));
            let zero = me.zero(ty);
            me.b().store(slot, zero);
            slot
        })
    }

    pub(super) fn counter_variable(&mut self, scope: Region, name: &str) -> Value {
        let long = self.m.types.basic(Basic::Long);
        self.variable(scope, long, name)
    }

    /// The C type and the value type in which a key is stored.
    fn stored_type(&mut self, key: Key) -> (CTy, Type) {
        let ty = match key {
            Key::Value(v) | Key::Shadow(v) => self.p.ty(v),
            Key::Tape(_) | Key::Frames(_) => Type::Ptr,
            Key::Team(_) => Type::I32,
            Key::Old(store) => self.p.ty(self.p.insts[store].args[1]),
            Key::Count(_) | Key::Ticket(_) => Type::I64,
            Key::Code(inst) | Key::Back(inst) => {
                let exits = &self.exits;
                let count = exits.leaving.get(&Some(inst)).map_or(0, Vec::len)
                    + exits.continues.get(&inst).map_or(0, Vec::len);
                if count < 120 { Type::I8 } else { Type::I32 }
            }
            Key::Ran(..) => Type::I8,
            Key::Kept(_) => Type::Ptr,
        };
        if let Some(basic) = ty.default_basic() {
            return (self.m.types.basic(basic), ty);
        }
        let void = self.m.types.void();
        let plain = self.m.types.pointer(void);
        let declared = match key {
            Key::Value(v) => self.f.get(&v).and_then(|&x| self.d.values[x].ctype),
            Key::Shadow(v) => self.s.get(&v).and_then(|&x| self.d.values[x].ctype),
            _ => None,
        };
        let fits = declared.filter(|&t| {
            self.m
                .types
                .pointee(t)
                .is_some_and(|e| !has_variable_size(&self.m.types, e))
        });
        let element = fits.map_or(plain, |t| self.m.types.unqualified(t));
        (element, ty)
    }

    pub(super) fn cache_name(&self, key: Key) -> String {
        let named = |v: Value| self.p.values[v].name.clone();
        match key {
            Key::Value(v) => named(v).map_or("cache".into(), |n| format!("{n}_cache")),
            Key::Shadow(v) => named(v).map_or("bar_cache".into(), |n| format!("{n}_bar_cache")),
            Key::Count(_) => "count_cache".into(),
            Key::Code(_) => "exit_cache".into(),
            Key::Back(_) => "back_cache".into(),
            Key::Ran(..) => "case_cache".into(),
            Key::Tape(_) => "tape_cache".into(),
            Key::Team(_) => "team_cache".into(),
            Key::Frames(_) => "frames".into(),
            Key::Ticket(_) => "ticket_cache".into(),
            Key::Kept(k) => {
                let path = self.kept_path(k).replace("->", "_").replace('.', "_");
                let word = path.chars().all(|c| c.is_alphanumeric() || c == '_');
                if word {
                    format!("{path}_kept")
                } else {
                    "kept".into()
                }
            }
            Key::Old(store) => {
                let base = crate::activity::root(&self.p, self.p.insts[store].args[0]);
                named(base).map_or("old_cache".into(), |n| format!("{n}_old_cache"))
            }
        }
    }

    /// The cache of a key, made when it is first asked for.
    pub(super) fn cache(&mut self, key: Key) -> Cache {
        if let Some(c) = self.caches.all.get(&key) {
            return c.clone();
        }
        if let Key::Kept(k) = key {
            let cache = self.kept_cache(k);
            self.caches.all.insert(key, cache.clone());
            return cache;
        }
        let (element, stored) = self.stored_type(key);
        let name = self.cache_name(key);
        let home = self.home(key);
        let (loops, decided) = self.nest(home);
        let cache = if loops.is_empty() {
            let scope = match self.fused_around(home) {
                Some(l) => self.d.insts[self.targets[&l]].regions[0],
                None => self.scope_of(home),
            };
            Cache {
                element,
                stored,
                data: self.variable_in(scope, element, &name),
                layout: Layout::Variable,
                row: None,
            }
        } else if !decided && self.is_sized(&loops) {
            self.indexed(element, stored, &name, loops)
        } else if let Some(&inner) = loops.last().filter(|&&l| self.is_counted(l)) {
            self.rows(home, element, stored, &name, inner)
        } else {
            self.growing(home, element, stored, &name)
        };
        self.caches.all.insert(key, cache.clone());
        cache
    }

    /// Where the memory of a nest's caches is made: in front of it, or of the fused loops around it.
    pub(super) fn made_before(&self, loops: &[Inst]) -> Inst {
        let mut first = loops[0];
        while let Some(around) = self.fused_around(self.p.insts[first].parent) {
            first = around;
        }
        first
    }

    /// Are the trip counts of a nest known where the memory of its caches is made?
    pub(super) fn is_sized(&self, loops: &[Inst]) -> bool {
        let before = self.made_before(loops);
        loops.iter().all(|&l| self.is_counted(l))
            && loops.iter().filter(|&&l| l != before).all(|&l| {
                self.p.insts[l].args[..3]
                    .iter()
                    .all(|&v| self.is_hoistable(v, before))
            })
    }

    fn indexed(&mut self, element: CTy, stored: Type, name: &str, loops: Vec<Inst>) -> Cache {
        let constants: Option<Vec<i128>> = loops.iter().map(|&l| self.constant_trips(l)).collect();
        let size = self.m.types.size_of(element).unwrap_or(8);
        let total = constants
            .and_then(|c| c.into_iter().try_fold(1i128, |a, n| a.checked_mul(n)))
            .filter(|&n| n.saturating_mul(size.into()) <= ON_STACK);
        if let Some(total) = total {
            let array = self.m.types.array(element, Some(total.max(1) as u64));
            let entry = self.scope_of(self.p.insts[loops[0]].parent);
            let data = self.in_header(entry, |me| me.b().slot(array, Some(name)));
            return Cache {
                element,
                stored,
                data,
                layout: Layout::Indexed {
                    loops,
                    on_stack: true,
                },
                row: None,
            };
        }
        let pointer = self.m.types.pointer(element);
        let before = self.made_before(&loops);
        let data = self.variable(self.p.insts[before].parent, pointer, name);
        let total = self.total(&loops);
        let allocate = self.runtime.allocate(self.m, element);
        self.before_in_f(before, |me| {
            let array = me
                .call(allocate, vec![total])
                .expect("it returns the memory");
            me.d.values[array].ctype = Some(pointer);
            me.b().store(data, array);
        });
        Cache {
            element,
            stored,
            data,
            layout: Layout::Indexed {
                loops,
                on_stack: false,
            },
            row: None,
        }
    }

    /// Runs `fill` in front of an instruction of F.
    pub(super) fn before_in_f<T>(&mut self, inst: Inst, fill: impl FnOnce(&mut Self) -> T) -> T {
        let target = self.targets[&inst];
        let at = adjoin_passes::edit::position(&self.d, target);
        let region = self.d.insts[target].parent;
        self.at_position(region, at, fill)
    }

    /// How many iterations a nest has, in front of it in F.
    pub(super) fn total(&mut self, loops: &[Inst]) -> Value {
        if let Some(&v) = self.caches.totals.get(loops) {
            return v;
        }
        let outer = self.made_before(loops);
        let mut total = None;
        for &l in loops {
            if self.constant_trips(l).is_none() && !self.caches.trips.contains_key(&(outer, l)) {
                let scope = self.p.insts[outer].parent;
                let slot = self.counter_variable(scope, "trips");
                self.caches.trips.insert((outer, l), slot);
                let bounds = self.p.insts[l].args[..3].to_vec();
                self.before_in_f(outer, |me| {
                    let bounds = [0, 1, 2].map(|k| me.hoist(bounds[k], outer));
                    let trips = me.trips(l, bounds);
                    me.b().store(slot, trips);
                });
            }
            total = Some(self.before_in_f(outer, |me| {
                let trips = me.nest_trips(outer, l);
                match total {
                    Some(t) => me.b().mul(t, trips),
                    None => trips,
                }
            }));
        }
        let total = total.expect("a nest has a loop");
        self.caches.totals.insert(loops.to_vec(), total);
        total
    }

    fn growing(&mut self, scope: Region, element: CTy, stored: Type, name: &str) -> Cache {
        let pointer = self.m.types.pointer(element);
        let data = self.variable(scope, pointer, name);
        let position = self.counter_variable(scope, &format!("{name}_size"));
        let room = self.counter_variable(scope, &format!("{name}_room"));
        Cache {
            element,
            stored,
            data,
            layout: Layout::Growing { position, room },
            row: None,
        }
    }

    fn rows(
        &mut self,
        scope: Region,
        element: CTy,
        stored: Type,
        name: &str,
        inner: Inst,
    ) -> Cache {
        let cache = self.growing(scope, element, stored, name);
        let Layout::Growing { position, room } = cache.layout else {
            return cache;
        };
        let target = self.targets[&inner];
        let bounds = [0, 1, 2].map(|k| self.d.insts[target].args[k]);
        let start = self.before_in_f(inner, |me| {
            let trips = me.trips(inner, bounds);
            let start = me.b().load(Type::I64, position);
            let end = me.b().add(start, trips);
            me.make_room(&cache, room, end);
            me.b().store(position, end);
            start
        });
        Cache {
            layout: Layout::Rows {
                inner,
                position,
                start,
            },
            ..cache
        }
    }

    pub(super) fn element(&mut self, element: CTy, data: Value, index: Value) -> Value {
        let size = self.m.types.size_of(element).unwrap_or(8);
        let address = self.b().element(data, element, size, index);
        self.d.values[address].ctype = Some(self.m.types.pointer(element));
        address
    }

    /// `if (end > room) { room = …; data = resize(data, room); }`
    fn make_room(&mut self, cache: &Cache, room: Value, end: Value) {
        let resize = self.runtime.resize(self.m, cache.element);
        let pointer = self.m.types.pointer(cache.element);
        let old = self.b().load(Type::I64, room);
        let full = self.b().gt(end, old);
        let (_, then, otherwise) = self.b().if_(full, &[]);
        let here = (self.at, self.position);
        (self.at, self.position) = (then, None);
        let (two, more) = (self.int(2), self.int(30));
        let larger = self.b().mul(two, end);
        let larger = self.b().add(larger, more);
        self.b().store(room, larger);
        let data = self.b().load(Type::Ptr, cache.data);
        let data = self
            .call(resize, vec![data, larger])
            .expect("it returns the memory");
        self.d.values[data].ctype = Some(pointer);
        self.b().store(cache.data, data);
        self.b().yield_(&[]);
        self.at = otherwise;
        self.b().yield_(&[]);
        (self.at, self.position) = here;
    }

    /// Prepares what a store to a cache in F needs, in front of its place.
    pub(super) fn prepare_push(&mut self, key: Key) {
        match self.cache(key).layout {
            Layout::Indexed { loops, .. } => drop(self.linear(&loops, false)),
            Layout::Rows { inner, .. } => drop(self.counter(inner)),
            _ => {}
        }
    }

    /// Stores a value here in F.
    pub(super) fn push(&mut self, key: Key, v: Value) {
        let cache = self.cache(key);
        self.prepare_push(key);
        let v = self.cast(cache.stored, v);
        let address = match &cache.layout {
            Layout::Variable => cache.data,
            Layout::Indexed { loops, on_stack } => {
                let index = self.linear(loops, false);
                let data = self.array(&cache, *on_stack);
                self.element(cache.element, data, index)
            }
            Layout::Rows { inner, start, .. } => {
                let counter = self.counter(*inner);
                let index = self.b().add(*start, counter);
                let data = self.b().load(Type::Ptr, cache.data);
                self.element(cache.element, data, index)
            }
            &Layout::Growing { position, room } => {
                let size = self.b().load(Type::I64, position);
                let one = self.int(1);
                let end = self.b().add(size, one);
                self.make_room(&cache, room, end);
                self.b().store(position, end);
                let data = self.b().load(Type::Ptr, cache.data);
                self.element(cache.element, data, size)
            }
        };
        self.b().store(address, v);
    }

    /// How long a row is, here.
    pub(super) fn row_length(&mut self, row: Row) -> Value {
        match row {
            Row::Constant(n) => self.int(n.into()),
            Row::Variable(slot) => self.b().load(Type::I64, slot),
        }
    }

    /// Where the row of an iteration begins, in F or in R.
    pub(super) fn row_place(&mut self, cache: &Cache, reverse: bool) -> Value {
        let data = self.b().load(Type::Ptr, cache.data);
        self.d.values[data].ctype = Some(self.m.types.pointer(cache.element));
        let (Layout::Indexed { loops, .. }, Some(row)) = (&cache.layout, cache.row) else {
            return data;
        };
        if loops.is_empty() {
            return data;
        }
        let number = self.linear(loops, reverse);
        let length = self.row_length(row);
        let start = self.b().mul(number, length);
        self.element(cache.element, data, start)
    }

    fn array(&mut self, cache: &Cache, on_stack: bool) -> Value {
        match on_stack {
            true => cache.data,
            false => self.b().load(Type::Ptr, cache.data),
        }
    }

    /// Reads here in R what F stored last and R has not taken off.
    pub(super) fn top(&mut self, key: Key, ty: Type) -> Value {
        self.pushed.insert(key);
        let cache = self.cache(key);
        self.prepare_top(key);
        let address = match &cache.layout {
            Layout::Variable => cache.data,
            Layout::Indexed { loops, on_stack } => {
                let index = self.linear(loops, true);
                let data = self.array(&cache, *on_stack);
                self.element(cache.element, data, index)
            }
            Layout::Rows { inner, .. } => {
                let (mirror, start) = self.row(key, *inner);
                let counter = self.d.regions[self.d.insts[mirror].regions[0]].args[0];
                let index = self.b().add(start, counter);
                let data = self.b().load(Type::Ptr, cache.data);
                self.element(cache.element, data, index)
            }
            &Layout::Growing { position, .. } => {
                let size = self.b().load(Type::I64, position);
                let one = self.int(1);
                let last = self.b().sub(size, one);
                let data = self.b().load(Type::Ptr, cache.data);
                self.element(cache.element, data, last)
            }
        };
        let v = self.b().load(cache.stored, address);
        if cache.stored == Type::Ptr {
            self.d.values[v].ctype = Some(cache.element);
        }
        self.cast(ty, v)
    }

    /// Prepares what a read of a cache in R needs, in front of its place.
    pub(super) fn prepare_top(&mut self, key: Key) {
        match self.cache(key).layout {
            Layout::Indexed { loops, .. } => drop(self.linear(&loops, true)),
            Layout::Rows { inner, .. } => drop(self.row(key, inner)),
            _ => {}
        }
    }

    /// Where the row of a mirrored loop begins: the position goes back by a row in front of it.
    fn row(&mut self, key: Key, inner: Inst) -> (Inst, Value) {
        let region = self.mirrors[&self.p.insts[inner].regions[0]][0];
        let mirror = self.d.regions[region]
            .parent
            .expect("a mirrored loop holds its region");
        if let Some(&row) = self.caches.rows.get(&(key, mirror)) {
            return (mirror, row);
        }
        let cache = self.cache(key);
        let Layout::Rows { position, .. } = cache.layout else {
            return (mirror, cache.data);
        };
        // In front of all rounds, if there are several.
        let (first, highest) = match self.parallel.rounds.get(&mirror) {
            Some(&(rounds, highest)) => (rounds, highest),
            None => (mirror, self.d.insts[mirror].args[0]),
        };
        let at = adjoin_passes::edit::position(&self.d, first);
        let outside = self.d.insts[first].parent;
        let row = self.at_position(outside, at, |me| {
            let one = me.int(1);
            let trips = me.b().add(highest, one);
            let end = me.b().load(Type::I64, position);
            let start = me.b().sub(end, trips);
            me.b().store(position, start);
            start
        });
        self.caches.rows.insert((key, mirror), row);
        (mirror, row)
    }

    /// Takes the last element off a cache that grows element by element, here in R.
    pub(super) fn pop(&mut self, key: Key) {
        if let Layout::Growing { position, .. } = self.cache(key).layout {
            let size = self.b().load(Type::I64, position);
            let one = self.int(1);
            let less = self.b().sub(size, one);
            self.b().store(position, less);
        }
    }
}

/// Does the size of a type depend on the program's values?
fn has_variable_size(types: &adjoin_ir::CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Vla { .. } => true,
        CTypeKind::Pointer(e) => has_variable_size(types, *e),
        CTypeKind::Array { elem, .. } => has_variable_size(types, *elem),
        CTypeKind::Function { ret, params, .. } => {
            has_variable_size(types, *ret) || params.iter().any(|&p| has_variable_size(types, p))
        }
        _ => false,
    }
}
