//! Where values of the forward sweep are kept for the reverse sweep: ordinary memory, in one of four layouts.
//!
//! Without a loop around it, a value is kept in a *variable*. In a nest of counted loops whose trip counts are known in front of the nest, it
//! is an element of an *array* that is allocated once and indexed by the counters of the loops (on the stack if it is small and its size is constant).
//! Otherwise an array *grows* (`groups`): in front of the innermost loop by a *row* if that is counted, else element by element; a position runs through
//! it, forwards in F and backwards in R. Positions and array pointers are scalar slots at the entry, which promotion turns into values.

mod counts;
mod groups;
mod most;
mod narrow;

use super::Reverse;
use super::needed::Key;
use adjoin_ir::{Basic, CTy, CTypeKind, Inst, Op, Region, Type, Value};
use std::collections::HashMap;

/// Loops of at most so many iterations compilers may unroll as a whole.
const UNROLLED: i128 = 16;
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
    Rows { inner: Inst, start: Value },
    /// One element for each execution of a region. `place` is F's.
    Growing { home: Region, place: Value },
    /// Copies of any length, one behind the other; where one begins is kept for itself. `start` is F's.
    Copies { start: Value },
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
    /// It is a member of the records that the array has.
    pub member: Option<groups::Member>,
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
    /// What grows together, by the region.
    groups: HashMap<Region, groups::Group>,
    /// Records, by the home of what they hold.
    records: HashMap<Region, groups::Records>,
    /// Where R's rows begin, or R's places, by the region of R.
    taken_back: HashMap<Region, Value>,
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
            | Key::Reached(inst)
            | Key::Ticket(inst)
            | Key::Room(inst)
            | Key::Old(inst) => self.p.insts[inst].parent,
            Key::Back(inst) => self.p.insts[inst].regions[0],
            Key::Kept(k) | Key::Start(k) => self.kept[k as usize].home,
        }
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
            Key::Value(v) => self.narrow_type(v),
            Key::Shadow(v) => self.p.ty(v),
            Key::Tape(_) | Key::Frames(_) | Key::Reached(_) => Type::Ptr,
            Key::Team(_) => Type::I32,
            Key::Old(store) => self.p.ty(self.p.insts[store].args[1]),
            Key::Count(_) | Key::Ticket(_) | Key::Room(_) | Key::Start(_) => Type::I64,
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
            Key::Reached(_) => "reached".into(),
            Key::Ticket(_) => "ticket_cache".into(),
            Key::Room(_) => "room_cache".into(),
            Key::Start(_) => "start_cache".into(),
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
                member: None,
            }
        } else if !decided && self.is_sized(&loops) {
            let sometimes = self.is_in_branch(home, &loops);
            self.indexed((element, stored), &name, loops, sometimes)
        } else {
            let inner = loops.last().copied().filter(|&l| self.is_counted(l));
            let inner = inner.filter(|&l| !self.is_apart(key, home, l));
            self.grown(key, home, inner, (element, stored))
        };
        self.caches.all.insert(key, cache.clone());
        cache
    }

    /// Does a region of loops run only in some of their iterations?
    fn is_in_branch(&self, home: Region, loops: &[Inst]) -> bool {
        let mut region = home;
        while let Some(holder) = self.p.regions[region].parent {
            match self.p.insts[holder].op {
                Op::If | Op::Switch(_) => return true,
                _ if loops.first() == Some(&holder) => return false,
                _ => region = self.p.insts[holder].parent,
            }
        }
        false
    }

    fn indexed(
        &mut self,
        (element, stored): (CTy, Type),
        name: &str,
        loops: Vec<Inst>,
        sometimes: bool,
    ) -> Cache {
        let constants: Option<Vec<i128>> = loops.iter().map(|&l| self.constant_trips(l)).collect();
        let size = self.m.types.size_of(element).unwrap_or(8);
        let total = constants
            .and_then(|c| c.into_iter().try_fold(1i128, |a, n| a.checked_mul(n)))
            .filter(|&n| n.saturating_mul(size.into()) <= ON_STACK);
        if let Some(total) = total {
            let array = self.m.types.array(element, Some(total.max(1) as u64));
            let entry = self.scope_of(self.p.insts[loops[0]].parent);
            // Compilers that unroll short loops ask whether an element was stored where it is read: that the same branches were taken they do not see.
            let cleared = sometimes && total <= UNROLLED;
            let data = self.in_header(entry, |me| {
                let slot = me.b().slot(array, Some(name));
                if cleared {
                    me.b().zero(slot, total.max(1) as u64 * size, Some(array));
                }
                slot
            });
            return Cache {
                element,
                stored,
                data,
                layout: Layout::Indexed {
                    loops,
                    on_stack: true,
                },
                row: None,
                member: None,
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
            member: None,
        }
    }

    /// Runs `fill` in front of an instruction of F.
    pub(super) fn before_in_f<T>(&mut self, inst: Inst, fill: impl FnOnce(&mut Self) -> T) -> T {
        let target = self.targets[&inst];
        let at = adjoin_passes::edit::position(&self.d, target);
        let region = self.d.insts[target].parent;
        self.at_position(region, at, fill)
    }

    pub(super) fn element(&mut self, element: CTy, data: Value, index: Value) -> Value {
        let size = self.m.types.size_of(element).unwrap_or(8);
        let address = self.b().element(data, element, size, index);
        self.d.values[address].ctype = Some(self.m.types.pointer(element));
        address
    }

    /// Prepares what a store to a cache in F needs, in front of its place.
    pub(super) fn prepare_push(&mut self, key: Key) {
        match self.cache(key).layout {
            Layout::Indexed { loops, .. } => drop(self.linear(&loops, false)),
            Layout::Rows { inner, .. } => drop(self.counter(inner)),
            Layout::Copies { .. } => {
                if let Key::Kept(k) = key {
                    self.prepare_push(Key::Start(k));
                }
            }
            Layout::Variable | Layout::Growing { .. } => {}
        }
    }

    /// Stores a value here in F.
    pub(super) fn push(&mut self, key: Key, v: Value) {
        let cache = self.cache(key);
        self.prepare_push(key);
        let v = self.cast(cache.stored, v);
        let address = match &cache.layout {
            Layout::Variable | Layout::Copies { .. } => cache.data,
            Layout::Indexed { loops, on_stack } => {
                let index = self.linear(loops, false);
                let data = self.array(&cache, *on_stack);
                self.element(cache.element, data, index)
            }
            Layout::Rows { inner, start, .. } => {
                let counter = self.counter(*inner);
                let index = self.b().add(*start, counter);
                let data = self.b().load(Type::Ptr, cache.data);
                self.place_in(&cache, data, index)
            }
            &Layout::Growing { place, .. } => {
                let data = self.b().load(Type::Ptr, cache.data);
                self.place_in(&cache, data, place)
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

    /// The cache of another value that is the same, and the loops to find it by.
    fn handed_on(&mut self, key: Key) -> Option<(Key, Vec<Inst>)> {
        let (source, loops) = self.handed(key)?;
        let indexed = matches!(self.cache(source).layout, Layout::Indexed { .. });
        indexed.then_some((source, loops))
    }

    /// Reads here in R what F stored in the execution that is mirrored.
    pub(super) fn top(&mut self, key: Key, ty: Type) -> Value {
        if let Some((source, loops)) = self.handed_on(key) {
            self.pushed.insert(source);
            return self.read_cache(source, Some(loops), ty);
        }
        self.pushed.insert(key);
        self.read_cache(key, None, ty)
    }

    /// Reads a cache here in R, in the iteration of its own loops or of those that stand for them.
    fn read_cache(&mut self, key: Key, instead: Option<Vec<Inst>>, ty: Type) -> Value {
        let cache = self.cache(key);
        if instead.is_none() {
            self.prepare_top(key);
        }
        let address = match &cache.layout {
            Layout::Variable | Layout::Copies { .. } => cache.data,
            Layout::Indexed { loops, on_stack } => {
                let index = self.linear(instead.as_ref().unwrap_or(loops), true);
                let data = self.array(&cache, *on_stack);
                self.element(cache.element, data, index)
            }
            Layout::Rows { inner, .. } => {
                let (mirror, start) = self.row(*inner);
                let counter = self.d.regions[self.d.insts[mirror].regions[0]].args[0];
                let index = self.b().add(start, counter);
                let data = self.b().load(Type::Ptr, cache.data);
                self.place_in(&cache, data, index)
            }
            &Layout::Growing { home, .. } => {
                let place = self.place_taken_back(home);
                let data = self.b().load(Type::Ptr, cache.data);
                self.place_in(&cache, data, place)
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
        if let Some((_, loops)) = self.handed_on(key) {
            self.total(&loops);
            self.linear(&loops, true);
            return;
        }
        match self.cache(key).layout {
            Layout::Indexed { loops, .. } => drop(self.linear(&loops, true)),
            Layout::Rows { inner, .. } => drop(self.row(inner)),
            Layout::Growing { home, .. } => drop(self.place_taken_back(home)),
            Layout::Copies { .. } => {
                if let Key::Kept(k) = key {
                    self.prepare_top(Key::Start(k));
                }
            }
            Layout::Variable => {}
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
