//! Which memory pointers can point to, what instructions read and write, and whether memory that was read can change afterwards.
//!
//! The input is one prepared body. *Objects* are the stack objects and allocations of the body (one for each instruction that makes them), globals, the memory behind each
//! pointer parameter, and [`Object::Outside`]: all other memory that code outside the body can reach. A value's *places* are objects with byte offsets (see
//! [`Offsets`]); they are found by one flow-insensitive fixpoint (`solve`). Integers carry places too, so a pointer that travels as an integer is followed.
//!
//! What is assumed of the program is what C promises: memory of a parameter is not an object that the body makes; `restrict` parameters of the function itself (not of what was
//! inlined) are the only way to what is written through them; memory reached in two *unrelated* ways is not accessed as two different scalar types (characters, unions and
//! pointer casts aside). Within one known object types prove nothing, only offsets do: memory may be used again for something else; but what a call does to memory behind a parameter is told apart by types.

mod access;
pub(crate) mod called;
pub mod dependence;
mod disjoint;
pub(crate) mod heap_globals;
mod linear;
mod nests;
mod offsets;
mod order;
mod remainders;
pub(crate) mod rows;
mod shadows;
mod shares;
mod solve;
#[cfg(test)]
mod tests;
mod unchanged;
pub(crate) mod written_first;

pub use access::Access;
use adjoin_ir::{Body, CTy, Func, Global, Inst, Linkage, Module, Op, Region, Type, Value};
pub use called::Types;
use cranelift_entity::SecondaryMap;
use dependence::{At, Dependence, When};
pub use disjoint::Disjoint;
pub use offsets::Offsets;
use order::Order;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub use unchanged::{Extent, base_of};

/// A set of memory that is one for the analysis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A stack object: `slot`, `slot_vla`, `alloca`.
    Stack(Inst),
    /// What an allocation call returns.
    Heap(Inst),
    /// A global, static local or string literal.
    Global(Global),
    /// The object that a pointer parameter points into when the function is called; of a struct by value, the function's own copy.
    Parameter(u32),
    /// The heap block that the pointer at these bytes of a variable at file scope points to when the function is called: it holds only starts of blocks (see
    /// `heap_globals`). [`SOMEWHERE`]: one of its blocks.
    Behind(Global, u32),
    /// The memory that a pointer in memory points to: the one at these bytes of a parameter's memory or of a global when the function is called, which the body does
    /// not change. [`SOMEWHERE`]: behind one of the pointers of an array (`rows[i]`), or of all that are there. Only where something is known of it, or is asked ([`PointsTo::with_members`]); otherwise it is part of what is outside.
    Member(Holder, u32),
    /// Any memory that code outside can reach: also parameters' memory, globals, and the body's own objects that escape.
    Outside,
}

/// Which of the pointers in a variable it is, is not known.
pub const SOMEWHERE: u32 = u32::MAX;

/// What holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// The memory behind a parameter.
    Parameter(u32),
    /// A global.
    Global(Global),
    /// The memory behind the pointer at these bytes of a parameter's memory: a struct in a struct (`state->mesh->x`).
    Inner(u32, u32),
}

impl Holder {
    /// The parameter that it is reached from.
    pub fn parameter(self) -> Option<u32> {
        match self {
            Holder::Parameter(k) | Holder::Inner(k, _) => Some(k),
            Holder::Global(_) => None,
        }
    }

    /// The same of another parameter.
    pub fn of_parameter(self, k: u32) -> Holder {
        match self {
            Holder::Inner(_, offset) => Holder::Inner(k, offset),
            _ => Holder::Parameter(k),
        }
    }
}

impl Object {
    /// The parameter whose memory it is, or from which pointers in memory lead to it.
    pub fn parameter(self) -> Option<u32> {
        match self {
            Object::Parameter(k) => Some(k),
            Object::Member(holder, _) => holder.parameter(),
            _ => None,
        }
    }

    /// The memory behind a pointer that holds the pointer to it.
    fn around(self) -> Option<Object> {
        match self {
            Object::Member(Holder::Inner(k, offset), _) => {
                Some(Object::Member(Holder::Parameter(k), offset))
            }
            _ => None,
        }
    }

    /// Is it made by the body?
    pub fn is_local(self) -> bool {
        matches!(self, Object::Stack(_) | Object::Heap(_))
    }
}

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The object.
    pub object: Object,
    /// Where in it; relative to the pointer at entry for a parameter, without meaning for `Outside`.
    pub offsets: Offsets,
}

/// What is known of each parameter.
#[derive(Clone, Copy, Debug, Default)]
struct Parameter {
    /// Nothing else reaches what is written through it.
    alone: bool,
}

/// The facts about a body.
#[derive(Debug)]
pub struct PointsTo<'a> {
    module: &'a Module,
    registry: &'a crate::Registry,
    ctype: Option<CTy>,
    /// Which pointers in memory are told apart.
    members: BTreeSet<Object>,
    body: &'a Body,
    places: SecondaryMap<Value, Vec<Place>>,
    /// Pointers in memory, by object: where, and what they point to.
    cells: BTreeMap<Object, Vec<(Place, Vec<Place>)>>,
    escaped: BTreeSet<Object>,
    /// Objects that are given to functions of the program which keep no pointer to them.
    lent: BTreeSet<Object>,
    returned: BTreeSet<Object>,
    /// Objects that escape only into variables from `heap_globals`.
    kept: BTreeSet<Object>,
    parameters: Vec<Parameter>,
    /// Variables that hold nothing but NULL and starts of heap blocks.
    heap_globals: BTreeSet<Global>,
    order: Order,
    /// Buffers that non-blocking calls receive into.
    in_flight: Vec<Value>,
    /// What is known from outside.
    disjoint: Disjoint,
    dependence: Dependence,
    /// Bodies of loops that leave nothing in the body's own memory from one iteration to the next.
    renewing: Vec<Region>,
    /// Addresses in loops that are told apart: the loop, and the pointer from outside.
    nests: HashMap<Value, (Inst, Value)>,
    /// Instructions that write, in program order.
    writers: Vec<(Inst, Vec<Access>)>,
}

impl<'a> PointsTo<'a> {
    /// Analyses a prepared body whose parameters are those of a function type. The registry tells which functions allocate.
    pub fn of_type(
        module: &'a Module,
        registry: &'a crate::Registry,
        ctype: CTy,
        body: &'a Body,
    ) -> PointsTo<'a> {
        PointsTo::of_body(module, registry, Some(ctype), body)
    }

    /// As [`PointsTo::of_type`], of a body whose type may not be known: no parameter is `restrict` then.
    pub fn of_body(
        module: &'a Module,
        registry: &'a crate::Registry,
        ctype: Option<CTy>,
        body: &'a Body,
    ) -> PointsTo<'a> {
        PointsTo::solved(module, registry, ctype, body, BTreeSet::new())
    }

    fn solved(
        module: &'a Module,
        registry: &'a crate::Registry,
        ctype: Option<CTy>,
        body: &'a Body,
        members: BTreeSet<Object>,
    ) -> PointsTo<'a> {
        let solve = || solve::solve(module, registry, ctype, body, members);
        let mut facts = adjoin_passes::registry::step("points_to", solve);
        let mut writers = Vec::new();
        body.walk(|inst| {
            let writes = facts.writes(inst);
            if !writes.is_empty() {
                writers.push((inst, writes));
            }
        });
        facts.writers = writers;
        facts.dependence.rows = facts.distinct_rows();
        facts.dependence.shares = facts.shares();
        facts.dependence.choices = facts.choices();
        (facts.dependence.apart, facts.dependence.quiet) = facts.regions_apart();
        facts
    }

    /// The same facts, where these objects share nothing.
    pub fn assuming(mut self, disjoint: &Disjoint) -> PointsTo<'a> {
        let objects = disjoint.pairs().flat_map(|(a, b)| [a, b]);
        let members: BTreeSet<Object> = objects
            .chain(disjoint.rows())
            .filter(|o| matches!(o, Object::Member(..)))
            .flat_map(|o| std::iter::once(o).chain(o.around()))
            .collect();
        if !members.is_subset(&self.members) {
            self = self.resolved(members);
        }
        self.disjoint.clone_from(disjoint);
        self.dependence.below = self.below();
        let apart = self.rows_apart();
        self.dependence.rows.extend(apart);
        self.nests = self.in_nests();
        self
    }

    /// The integers that are known to be indices: at least zero, and below which value.
    fn below(&self) -> HashMap<Value, Value> {
        let mut below = HashMap::new();
        if !self.disjoint.has_limits() {
            return below;
        }
        let parameters = &self.body.regions[self.body.entry].args;
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            if matches!(data.op, Op::Load(_))
                && self.body.ty(data.results[0]).is_int()
                && let [place] = self.objects(data.args[0])
                && let Some(k) = self.disjoint.limit_of(place.object)
                && let Some(&limit) = parameters.get(k as usize)
                && !self.is_written(inst)
            {
                below.insert(data.results[0], limit);
            }
        });
        below
    }

    /// The same facts, where memory behind pointers in memory that the body does not change is told apart.
    pub fn with_members(self) -> PointsTo<'a> {
        let members = self.lasting_members();
        let outer = self.resolved(members.clone());
        // What is behind pointers in these is seen now.
        let mut all = outer.lasting_members();
        all.extend(members.iter().copied());
        all.retain(|o| o.around().is_none_or(|around| members.contains(&around)));
        match all == members {
            true => outer,
            false => outer.resolved(all),
        }
    }

    /// The memory behind pointers in memory that the body does not change.
    fn lasting_members(&self) -> BTreeSet<Object> {
        let mut stays: BTreeMap<Object, bool> = BTreeMap::new();
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            let Op::Load(attr) = &data.op else { return };
            if self.body.ty(data.results[0]) != Type::Ptr {
                return;
            }
            for &at in &self.places[data.args[0]] {
                if let Some(member) = self.member(at) {
                    let same = !attr.volatile && !self.is_written(inst);
                    *stays.entry(member).or_insert(true) &= same;
                }
            }
        });
        // Of an array of pointers one is as good as another: they are all told apart from others, or none is.
        let holder = |o: &Object| match o {
            Object::Member(holder, _) => Some(*holder),
            _ => None,
        };
        let any = |o: &Object| matches!(o, Object::Member(_, SOMEWHERE));
        let arrays: BTreeSet<Option<Holder>> =
            stays.keys().filter(|o| any(o)).map(holder).collect();
        let changed = |o: &Object| {
            stays
                .iter()
                .any(|(p, &same)| holder(p) == holder(o) && !same)
        };
        (stays.iter())
            .filter(|&(o, &same)| match arrays.contains(&holder(o)) {
                true => any(o) && !changed(o),
                false => same,
            })
            .map(|(&o, _)| o)
            .collect()
    }

    /// The same facts, where memory behind these pointers in memory is told apart.
    fn resolved(self, members: BTreeSet<Object>) -> PointsTo<'a> {
        let facts = PointsTo::solved(self.module, self.registry, self.ctype, self.body, members);
        PointsTo {
            disjoint: self.disjoint,
            renewing: self.renewing,
            nests: self.nests,
            ..facts
        }
    }

    /// The memory behind a pointer that is at a place.
    fn member(&self, at: Place) -> Option<Object> {
        let holder = match at.object {
            Object::Parameter(k) => Holder::Parameter(k),
            Object::Global(g) => Holder::Global(g),
            Object::Member(Holder::Parameter(k), offset) if offset != SOMEWHERE => {
                Holder::Inner(k, offset)
            }
            _ => return None,
        };
        let any = Object::Member(holder, SOMEWHERE);
        if at.offsets.stride != 0 || self.members.contains(&any) {
            // `rows[i]`: what is behind one of them may be behind another, or overlap it.
            return Some(any);
        }
        let offset = u32::try_from(at.offsets.rem).ok()?;
        (offset != SOMEWHERE).then_some(Object::Member(holder, offset))
    }

    /// The same facts, where iterations of these bodies of loops leave nothing to each other in memory that is the function's own and written there.
    pub fn renewing(mut self, regions: &[Region]) -> PointsTo<'a> {
        self.renewing = regions.to_vec();
        self
    }

    /// The region that makes the memory of two accesses anew: only repetitions inside it reach the same memory again.
    fn renewed(&self, (first, a): (Inst, &Access), (second, b): (Inst, &Access)) -> Option<Region> {
        let parents = [first, second].map(|i| self.body.insts[i].parent);
        let around = |r: &Region| parents.iter().all(|&p| self.body.encloses(*r, p));
        let own = |x: &Access| x.address.is_some_and(|v| self.is_private(v));
        let inner = |r: &Region, s: &Region| self.body.encloses(*r, *s);
        let mut all: Vec<Region> = self.instance(a, b).into_iter().collect();
        if own(a) && own(b) {
            all.extend(self.renewing.iter().copied().filter(around));
        }
        all.into_iter()
            .reduce(|r, s| if inner(&r, &s) { s } else { r })
    }

    /// The name of a function.
    pub fn name(&self, func: Func) -> &'a str {
        &self.module.funcs[func].name
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<Func> {
        self.module.find_func(name)
    }

    /// May the body, or what it calls, set how many threads teams have?
    pub fn may_set_threads(&self) -> bool {
        let mut bodies = vec![self.body];
        let mut seen = HashSet::new();
        let mut may = false;
        while let Some(body) = bodies.pop() {
            body.walk(|inst| match &body.insts[inst].op {
                Op::Call(attr) if seen.insert(attr.func) => {
                    let function = &self.module.funcs[attr.func];
                    match &function.body {
                        Some(callee) => bodies.push(callee),
                        None => may |= !leaves_threads(&function.name),
                    }
                }
                Op::CallIndirect(_) => may = true,
                _ => {}
            });
        }
        may
    }

    /// The share of a thread that a loop runs over: where it starts, its end, and of how many iterations it is one.
    pub fn share(&self, inst: Inst) -> Option<(Value, Value, Value)> {
        adjoin_passes::openmp::share(self.module, self.body, inst)
    }

    /// The places that a pointer (or an integer made from one) can point to. None: it is NULL, or not a pointer.
    pub fn objects(&self, v: Value) -> &[Place] {
        &self.places[v]
    }

    /// What pointers in an object can point to.
    pub fn contents(&self, object: Object) -> Vec<Place> {
        solve::contents(
            self,
            Place {
                object,
                offsets: Offsets::ANY,
            },
            None,
        )
    }

    /// Is it an object that an instruction of the body makes?
    pub fn is_made(&self, object: Object) -> bool {
        let made = match object {
            Object::Stack(inst) | Object::Heap(inst) => inst,
            _ => return false,
        };
        let results = &self.body.insts[made].results;
        let place = |&v: &Value| self.places[v].iter().any(|p| p.object == object);
        results.iter().any(place)
    }

    /// Can code outside the body get at the object while the body runs?
    pub fn escapes(&self, object: Object) -> bool {
        !object.is_local() && !self.is_alone(object) || self.escaped.contains(&object)
    }

    /// May other functions have the object's address, if only while they run?
    pub fn is_shown(&self, object: Object) -> bool {
        self.escapes(object) || self.lent.contains(&object)
    }

    /// Can code outside get at the object while the body runs or afterwards? Not if only variables from `heap_globals` hold it.
    pub fn outlives_beyond_globals(&self, object: Object) -> bool {
        self.returned.contains(&object)
            || self.escaped.contains(&object) && !self.kept.contains(&object)
    }

    /// A parameter that nothing else reaches.
    fn is_alone(&self, object: Object) -> bool {
        matches!(object, Object::Parameter(k)
            if self.parameters.get(k as usize).is_some_and(|p| p.alone) && !self.escaped.contains(&object))
    }

    /// Is an object made by the body and known to it alone, also when it has returned?
    pub fn is_own(&self, object: Object) -> bool {
        object.is_local() && !self.escapes(object) && !self.returned.contains(&object)
    }

    /// Is everything that a pointer can point to made by the body, and known to it alone?
    pub fn is_private(&self, v: Value) -> bool {
        self.places[v].iter().all(|p| self.is_own(p.object))
    }

    /// May an address be in a global that the user says is inactive? What goes through it loses its derivative, so it must go through it.
    pub fn is_inactive(&self, v: Value) -> bool {
        self.places[v].iter().any(|p| {
            matches!(p.object, Object::Global(g) if self.registry.inactive_globals.contains(&g))
        })
    }

    /// A global that nobody may write.
    pub fn is_constant(&self, object: Object) -> bool {
        let Object::Global(g) = object else {
            return false;
        };
        if self.module.globals[g].linkage == Linkage::Literal || self.registry.is_unwritten(g) {
            return true;
        }
        let types = &self.module.types;
        let mut t = self.module.globals[g].ctype;
        loop {
            if types.quals(t).is_const {
                return true;
            }
            match types.element(t) {
                Some(e) => t = e,
                None => return false,
            }
        }
    }

    /// Can two sets of memory share bytes, of which one is written?
    fn objects_alias(&self, a: Object, b: Object) -> bool {
        if a == b {
            return true;
        }
        if self.is_constant(a) || self.is_constant(b) {
            return false;
        }
        match (a, b) {
            (Object::Outside, x) | (x, Object::Outside) => self.escapes(x),
            (Object::Parameter(_) | Object::Behind(..) | Object::Member(..), x)
            | (x, Object::Parameter(_) | Object::Behind(..) | Object::Member(..)) => {
                !x.is_local()
                    && !self.is_alone(a)
                    && !self.is_alone(b)
                    && !self.disjoint.holds(a, b)
            }
            _ => false,
        }
    }

    /// Can two pointers point into one object?
    pub fn share_object(&self, a: Value, b: Value) -> bool {
        let places = &self.places[b];
        (self.places[a].iter()).any(|p| places.iter().any(|q| p.object == q.object))
    }

    /// Can two different objects share bytes, of which one is written?
    pub fn objects_may_overlap(&self, a: Object, b: Object) -> bool {
        self.objects_alias(a, b)
    }

    /// Can two accesses touch the same byte, one of them writing?
    pub fn may_alias(&self, a: &Access, b: &Access) -> bool {
        const OUTSIDE: &[Place] = &[Place {
            object: Object::Outside,
            offsets: Offsets::ANY,
        }];
        let places = |x: &Access| match x.address {
            Some(v) => self.places[v].as_slice(),
            None => OUTSIDE,
        };
        let (pa, pb) = (places(a), places(b));
        pa.iter().any(|p| {
            pb.iter().any(|q| {
                if p.object == q.object && p.object != Object::Outside {
                    // What a call does to memory behind a parameter is told apart by types alone.
                    let given = matches!(p.object, Object::Parameter(_) | Object::Member(..));
                    let of_call = given && (a.whole || b.whole);
                    a.meets(p.offsets, b, q.offsets) && !(of_call && self.types_differ(a, b))
                } else {
                    self.objects_alias(p.object, q.object) && !self.types_differ(a, b)
                }
            })
        })
    }

    /// The first instruction that can run after this load, in later iterations of loops as well, and write what it read. The end of a lifetime is not looked at:
    /// freeing is put off by reverse mode, and stack objects live as long as its function.
    #[cfg(test)]
    pub fn clobbers(&self, load: Inst) -> Option<Inst> {
        let reads = self.reads(load);
        self.writers
            .iter()
            .find(|(writer, writes)| self.clobber(load, &reads, *writer, writes))
            .map(|(writer, _)| *writer)
    }

    /// Can a writer run after a load and write what it read? The load's reads and the writer's writes are given.
    fn clobber(&self, load: Inst, reads: &[Access], writer: Inst, writes: &[Access]) -> bool {
        reads.iter().any(|r| {
            writes.iter().any(|w| {
                self.may_alias(r, w)
                    && !self.are_apart(r, w, self.body.entry)
                    && self.order.can_follow(
                        self.body,
                        load,
                        writer,
                        self.renewed((load, r), (writer, w)),
                    )
                    && self.can_reach(load, r, writer, w)
            })
        })
    }

    /// Can anything that runs after a call, in later iterations of loops as well, write what an access of the call reads? What the call itself does the first time does not count.
    pub fn is_changed_after(&self, call: Inst, read: &Access) -> bool {
        let reads = std::slice::from_ref(read);
        (self.writers.iter()).any(|(writer, writes)| self.clobber(call, reads, *writer, writes))
    }

    /// Can a later execution of a writer reach what a load read, by what is known of loop counters?
    fn can_reach(&self, load: Inst, read: &Access, writer: Inst, write: &Access) -> bool {
        let (Some(first), Some(second)) = (read.at(load), write.at(writer)) else {
            return true;
        };
        let when = When::Later {
            in_order: self.order.follows_at_once(self.body, load, writer),
            instance: self.renewed((load, read), (writer, write)),
        };
        self.dependence.can_meet(self.body, first, second, when)
    }

    /// May anything in the body write what a load reads?
    pub fn is_written(&self, load: Inst) -> bool {
        let reads = self.reads(load);
        let mut writes = self.writers.iter().flat_map(|(_, writes)| writes);
        writes.any(|w| reads.iter().any(|r| self.may_alias(r, w)))
    }

    /// Can an access and another meet, by what is known of loop counters?
    pub fn can_meet(&self, first: At, inst: Inst, other: &Access, when: When) -> bool {
        let (Some(address), Some(size)) = (other.address, other.size) else {
            return true;
        };
        let second = At {
            inst,
            address,
            size,
        };
        self.dependence.can_meet(self.body, first, second, when)
    }

    /// By how many bytes an address moves when a value in it grows by one. `None`: not by a number.
    pub fn stride(&self, inst: Inst, address: Value, index: Value) -> Option<i64> {
        self.dependence.stride(self.body, inst, address, index)
    }

    /// How many bytes an address is behind another in the same iteration of all loops. `None`: it is not a number.
    pub fn distance(&self, inst: Inst, from: Value, to: Value) -> Option<i64> {
        self.dependence.distance(self.body, inst, from, to)
    }

    /// Does a counted loop run at least once whenever it is reached?
    pub fn certainly_runs(&self, holder: Inst) -> bool {
        self.dependence.certainly_runs(self.body, holder)
    }

    /// All instructions that can run after this load, in later iterations of loops as well, and write what it read; the search ends at the first that `stop`
    /// holds for, which is then the last of the list.
    pub fn all_clobbers(&self, load: Inst, mut stop: impl FnMut(Inst) -> bool) -> Vec<Inst> {
        let reads = self.reads(load);
        let mut all = Vec::new();
        for (writer, writes) in &self.writers {
            if self.clobber(load, &reads, *writer, writes) {
                all.push(*writer);
                if stop(*writer) {
                    break;
                }
            }
        }
        all
    }
}

/// Is it a function of a library that does not set how many threads teams have?
fn leaves_threads(name: &str) -> bool {
    let known = crate::rules::lookup(name).is_some()
        || crate::known::lookup(name).is_some()
        || crate::rules::inactive::contains(name);
    known && !name.starts_with("omp_set_")
}
