//! What a snapshot of a loop must hold: the memory that the loop writes, and memory that it reads and others write before the reverse sweep.
//!
//! The extent of stack objects, globals and allocations is known; of memory behind parameters it follows from the accesses (`plan::footprint`), if they are certain to be
//! made: a snapshot must not reach beyond an array.

use super::{Item, Kind, Result, exact};
use crate::AdError;
use crate::activity::variable;
use crate::effects::Summaries;
use crate::entry::contents;
use crate::known::{self, Known, external};
use crate::plan::footprint::{Footprint, Footprints};
use crate::points_to::{Access, Object, PointsTo};
use adjoin_ir::{
    Basic, Body, Builder, CallAttr, Global, Inst, Module, Op, Region, Span, Type, Value, ValueDef,
};
use adjoin_passes::edit::is_inside;
use std::collections::{BTreeMap, BTreeSet};

/// The function around a loop.
pub(super) struct Around<'a> {
    pub body: &'a Body,
    pub points: &'a PointsTo<'a>,
    pub holder: Inst,
    /// Others may write memory between its sweeps.
    pub split: bool,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub pieces: Vec<Piece>,
    /// The addresses of pointers that the loop changes, in the function around.
    pub cells: Vec<Given>,
    pub disjoint: BTreeSet<(u32, u32)>,
}

/// Memory that belongs to the state.
pub(super) struct Piece {
    pub name: String,
    /// The loop only reads it.
    pub constant: bool,
    pub bytes: Bytes,
}

/// How much memory.
pub(super) enum Bytes {
    /// All of an object.
    Whole {
        address: Given,
        bytes: Given,
        text: String,
    },
    /// What is accessed behind a parameter of the function that runs iterations.
    Accessed { inner: usize, footprint: Footprint },
}

/// A value that the function around gives to the loop function.
#[derive(Clone)]
pub(super) enum Given {
    Value(Value),
    Constant(i64),
    /// So many elements of a size.
    Elements(Value, i64),
    Product(Value, Value),
    Global(Global),
    /// The pointer in a global.
    Loaded(Global),
    /// The size of the block that the pointer in a global points to.
    Usable(Global),
    /// An address inside the loop whose operands are outside.
    Address(Inst),
}

impl Given {
    /// Makes the value in front of the loop.
    pub(super) fn value(&self, m: &mut Module, b: &mut Builder<'_>) -> Value {
        let long = |b: &mut Builder<'_>, v: Value| b.cast(Type::I64, v);
        match *self {
            Given::Value(v) => v,
            Given::Constant(n) => b.int(Type::I64, n.into()),
            Given::Elements(v, size) => {
                let count = long(b, v);
                let size = b.int(Type::I64, size.into());
                b.mul(count, size)
            }
            Given::Product(v, w) => {
                let (v, w) = (long(b, v), long(b, w));
                b.mul(v, w)
            }
            Given::Global(g) => b.global(g),
            Given::Loaded(g) => {
                let address = b.global(g);
                b.load(Type::Ptr, address)
            }
            Given::Usable(g) => {
                let address = b.global(g);
                let pointer = b.load(Type::Ptr, address);
                let ulong = m.types.basic(Basic::ULong);
                let void = m.types.void();
                let any = m.types.pointer(void);
                b.set_ctype(pointer, any);
                let func = external(m, "malloc_usable_size", ulong, &[any]);
                let op = Op::Call(CallAttr {
                    func,
                    extra: Vec::new(),
                });
                let bytes = b.value(op, vec![pointer], Type::U64);
                long(b, bytes)
            }
            Given::Address(inst) => {
                let data = b.body.insts[inst].clone();
                b.value(data.op, data.args, Type::Ptr)
            }
        }
    }
}

/// Finds the state of a loop whose iterations `run` runs. `values` are what the items are in the function around, results apart.
pub(super) fn find(
    m: &Module,
    summaries: &Summaries,
    around: &Around<'_>,
    run: &Body,
    points: &PointsTo<'_>,
    items: &[Item],
    values: &[Value],
) -> Result<Found> {
    let mut search = Search {
        m,
        summaries,
        around,
        run,
        points,
        items,
        values,
        found: Found::default(),
        seen: BTreeSet::new(),
        reading: false,
        later: BTreeSet::new(),
    };
    search.all()?;
    Ok(search.found)
}

struct Search<'a> {
    m: &'a Module,
    summaries: &'a Summaries,
    around: &'a Around<'a>,
    run: &'a Body,
    points: &'a PointsTo<'a>,
    items: &'a [Item],
    values: &'a [Value],
    found: Found,
    seen: BTreeSet<Object>,
    /// What is found now is only read.
    reading: bool,
    /// Others may write what the loop reads of these.
    later: BTreeSet<Object>,
}

impl Search<'_> {
    fn fail<T>(&self, span: Span, reason: impl Into<String>) -> Result<T> {
        Err(AdError::new(
            span,
            format!("this loop with checkpoints: {}", reason.into()),
        ))
    }

    fn all(&mut self) -> Result<()> {
        for (&v, item) in self.values.iter().zip(self.items) {
            let places = self.around.points.objects(v);
            let kept = places
                .iter()
                .any(|p| matches!(p.object, Object::Behind(..)));
            let made = places.iter().any(|p| matches!(p.object, Object::Heap(_)));
            if kept && made {
                let span = self.around.body.insts[self.around.holder].span;
                let name = &item.name;
                return self.fail(
                    span,
                    format!("'{name}' may point to memory that the function allocates and a variable at file scope keeps"),
                );
            }
        }
        let mut inside = Vec::new();
        self.run.walk(|inst| inside.push(inst));
        // The loop is a copy: its instructions have the numbers that they have around it, and others are ours.
        let body = self.around.body;
        let of_loop = |&i: &Inst| body.insts.is_valid(i) && is_inside(body, i, self.around.holder);
        let changing: Vec<Inst> = (inside.iter().copied())
            .filter(|i| of_loop(i) && self.changes_later(*i))
            .collect();
        for &inst in &changing {
            for access in self.points.reads(inst) {
                let places = access.address.map(|v| self.points.objects(v));
                let objects = places.into_iter().flatten().map(|p| p.object);
                self.later.extend(objects);
            }
        }
        for &inst in &inside {
            self.check_lifetimes(inst)?;
            for access in self.writes(inst)? {
                self.touched(inst, &access, "writes")?;
            }
            self.pointer_cell(inst)?;
        }
        self.reading = true;
        for &inst in &changing {
            for access in self.points.reads(inst) {
                self.touched(
                    inst,
                    &access,
                    "reads, and others write before the reverse sweep,",
                )?;
            }
        }
        for &inst in &inside {
            for access in self.points.reads(inst) {
                let places = access.address.map(|v| self.points.objects(v).to_vec());
                for place in places.into_iter().flatten() {
                    let behind = matches!(place.object, Object::Behind(..));
                    if behind && !self.seen.contains(&place.object) {
                        self.touched(inst, &access, "reads")?;
                    }
                }
            }
        }
        self.find_disjoint();
        Ok(())
    }

    /// What an instruction of the loop writes.
    fn writes(&self, inst: Inst) -> Result<Vec<Access>> {
        let data = &self.run.insts[inst];
        let Op::Call(attr) = &data.op else {
            return Ok(self.points.writes(inst));
        };
        let function = &self.m.funcs[attr.func];
        if function.body.is_none() || function.name == adjoin_passes::openmp::PART {
            return Ok(self.points.writes(inst));
        }
        // A function that is called writes behind its arguments, and globals that it names.
        let name = &function.name;
        let Some(effects) = self.summaries.get(attr.func) else {
            return self.fail(data.span, format!("what '{name}' writes is not known"));
        };
        let holds_pointers = |t| contents(&self.m.types, t).1;
        for &g in &effects.globals {
            if holds_pointers(self.m.globals[g].ctype) {
                let global = &self.m.globals[g].name;
                return self.fail(
                    data.span,
                    format!("'{name}' uses the pointer '{global}', and what is written behind it is not known"),
                );
            }
        }
        let mut all = Vec::new();
        for access in self.points.writes(inst) {
            let Some(address) = access.address else {
                continue;
            };
            let pointee = self.run.values[address]
                .ctype
                .and_then(|t| self.m.types.pointee(t));
            if pointee.is_none_or(holds_pointers) {
                return self.fail(
                    data.span,
                    format!("what '{name}' writes behind pointers in memory is not known"),
                );
            }
            all.push(access);
        }
        Ok(all)
    }

    /// Memory of an object belongs to the state.
    fn touched(&mut self, inst: Inst, access: &Access, how: &str) -> Result<()> {
        let span = self.run.insts[inst].span;
        let mut objects = Vec::new();
        match access.address {
            Some(v) => objects.extend(self.points.objects(v).iter().map(|p| p.object)),
            None => objects.push(Object::Outside),
        }
        if let Op::Call(attr) = &self.run.insts[inst].op
            && let Some(effects) = self.summaries.get(attr.func)
        {
            objects.extend(effects.globals.iter().map(|&g| Object::Global(g)));
        }
        for object in objects {
            if !self.seen.insert(object) {
                continue;
            }
            let unknown = |me: &Self| {
                let name = match access.address {
                    Some(v) => me.name_of(inst, v),
                    None => "memory".to_string(),
                };
                me.fail(span, format!("the extent of the memory that it {how} through '{name}' is not known in front of it"))
            };
            match object {
                Object::Stack(_) | Object::Heap(_) => {}
                Object::Global(_) if self.points.is_constant(object) => {}
                Object::Global(g) => self.whole_global(g),
                Object::Behind(g, _) if !self.is_pointer(g) => return unknown(self),
                Object::Behind(g, _) => self.block_of_global(g),
                Object::Outside | Object::Member(..) => return unknown(self),
                Object::Parameter(k) => {
                    let k = k as usize;
                    let item = self
                        .items
                        .iter()
                        .position(|i| i.inner == k && matches!(i.kind, Kind::Used | Kind::Carried));
                    // Objects of ours are pieces anyway.
                    let Some(item) = item else { continue };
                    if self.whole_objects(item) {
                        continue;
                    }
                    match self.accessed(object, !self.later.contains(&object)) {
                        Some(footprint) => self.found.pieces.push(Piece {
                            constant: self.reading,
                            name: self.items[item].name.clone(),
                            bytes: Bytes::Accessed {
                                inner: k,
                                footprint,
                            },
                        }),
                        None => return unknown(self),
                    }
                }
            }
        }
        Ok(())
    }

    /// The name of the variable behind an address, as the function around has it.
    fn name_of(&self, inst: Inst, address: Value) -> String {
        let body = self.around.body;
        let args = &self.run.insts[inst].args;
        let original = (args.iter().position(|&v| v == address))
            .filter(|_| body.insts.is_valid(inst))
            .and_then(|k| body.insts[inst].args.get(k));
        match original {
            Some(&v) => variable(self.m, body, v).to_string(),
            None => variable(self.m, self.run, address).to_string(),
        }
    }

    fn is_pointer(&self, g: Global) -> bool {
        self.m.types.pointee(self.m.globals[g].ctype).is_some()
    }

    /// The block that a pointer at file scope points to. The function around reads the pointer before the loop, so that the block's shadow is its own.
    fn block_of_global(&mut self, g: Global) {
        let name = &self.m.globals[g].name;
        self.found.pieces.push(Piece {
            constant: self.reading,
            name: name.clone(),
            bytes: Bytes::Whole {
                address: Given::Loaded(g),
                bytes: Given::Usable(g),
                text: "its block".to_string(),
            },
        });
    }

    fn whole_global(&mut self, g: Global) {
        let global = &self.m.globals[g];
        if self.seen_outside(Object::Global(g)) {
            return;
        }
        let bytes = self.m.types.size_of(global.ctype).unwrap_or(0);
        self.found.pieces.push(Piece {
            constant: self.reading,
            name: global.name.clone(),
            bytes: Bytes::Whole {
                address: Given::Global(g),
                bytes: Given::Constant(i64::try_from(bytes).unwrap_or(0)),
                text: format!("{bytes} bytes"),
            },
        });
    }

    /// Has the object been added already?
    fn seen_outside(&self, object: Object) -> bool {
        let Object::Global(g) = object else {
            return false;
        };
        self.found
            .pieces
            .iter()
            .any(|p| matches!(p.bytes, Bytes::Whole { address: Given::Global(h), .. } if h == g))
    }

    /// Adds all objects that an item can point to, if the function around knows how large they are.
    fn whole_objects(&mut self, item: usize) -> bool {
        let Some(&v) = self.values.get(item) else {
            return false;
        };
        let mut pieces = Vec::new();
        for place in self.around.points.objects(v) {
            match place.object {
                Object::Global(g) => match self.m.types.size_of(self.m.globals[g].ctype) {
                    Some(_) => pieces.push((place.object, None)),
                    None => return false,
                },
                object => match self.extent(object) {
                    Some(found) => pieces.push((object, Some(found))),
                    None => return false,
                },
            }
        }
        for (object, found) in pieces {
            match (object, found) {
                (Object::Global(g), _) => self.whole_global(g),
                (_, Some((address, bytes, text))) => {
                    let known = self.found.pieces.iter().any(|p| {
                        matches!(p.bytes, Bytes::Whole { address: Given::Value(a), .. } if a == address)
                    });
                    if !known {
                        let name = variable(self.m, self.around.body, address);
                        let name = match name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                            true => name.to_string(),
                            false => self.items[item].name.clone(),
                        };
                        self.found.pieces.push(Piece {
                            constant: self.reading,
                            name,
                            bytes: Bytes::Whole {
                                address: Given::Value(address),
                                bytes,
                                text,
                            },
                        });
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// The address and the size of an object that the function around made, if they are known in front of the loop.
    fn extent(&self, object: Object) -> Option<(Value, Given, String)> {
        let body = self.around.body;
        let (Object::Stack(inst) | Object::Heap(inst)) = object else {
            return None;
        };
        let data = &body.insts[inst];
        let parent = body.insts[self.around.holder].parent;
        if !body.encloses(data.parent, parent) {
            return None;
        }
        let address = *data.results.first()?;
        let (bytes, text) = match &data.op {
            Op::Slot(attr) => {
                let n = self.m.types.size_of(attr.ctype)?;
                (
                    Given::Constant(i64::try_from(n).ok()?),
                    format!("{n} bytes"),
                )
            }
            Op::SlotVla(attr) => {
                let n = self.m.types.size_of(attr.ctype)?;
                let count = *data.args.first()?;
                (
                    Given::Elements(count, i64::try_from(n).ok()?),
                    "its size".to_string(),
                )
            }
            Op::Alloca => (Given::Value(*data.args.first()?), "its size".to_string()),
            Op::Call(attr) => {
                let name = &self.m.funcs[attr.func].name;
                let bytes = match known::lookup(name)? {
                    Known::Malloc(k) => Given::Elements(*data.args.get(k)?, 1),
                    Known::Calloc => Given::Product(*data.args.first()?, *data.args.get(1)?),
                    Known::Realloc => Given::Elements(*data.args.get(1)?, 1),
                    Known::ReallocArray => Given::Product(*data.args.get(1)?, *data.args.get(2)?),
                    _ => return None,
                };
                (bytes, "what is allocated".to_string())
            }
            _ => return None,
        };
        Some((address, bytes, text))
    }

    /// The bytes of a parameter's memory that are accessed for certain, if these are all.
    fn accessed(&mut self, object: Object, writes_only: bool) -> Option<Footprint> {
        let touches = |inst: Inst| {
            let writes = self.points.writes(inst);
            let reads = match writes_only {
                true => Vec::new(),
                false => self.points.reads(inst),
            };
            let mut all = writes.iter().chain(&reads);
            all.any(|a| {
                a.address
                    .is_some_and(|v| self.points.objects(v).iter().any(|p| p.object == object))
            })
        };
        let mut list = Vec::new();
        self.run.walk(|inst| {
            if touches(inst) {
                list.push(inst);
            }
        });
        let footprint = |insts: &[Inst]| {
            let all = Footprints::among(self.m, self.run, self.points, |i| insts.contains(&i));
            // What a scan of indices would find is not known in front of the loop.
            all.get(object).filter(|_| all.scans.is_empty()).cloned()
        };
        let exact = |&i: &Inst| {
            let accesses = self
                .points
                .writes(i)
                .into_iter()
                .chain(self.points.reads(i));
            let mut here = accesses
                .filter_map(|a| a.address)
                .filter(|&v| self.points.objects(v).iter().any(|p| p.object == object));
            here.all(|v| exact::address(self.run, v))
                && self
                    .points
                    .extent(i)
                    .is_none_or(|v| exact::invariant(self.run, v))
        };
        let whole = footprint(&list)?;
        let single: BTreeMap<Inst, Footprint> = (list.iter())
            .map(|&i| Some((i, footprint(&[i])?)))
            .collect::<Option<_>>()?;
        // An access under a condition counts if the other branch does the same.
        let certain: Vec<Inst> = (list.iter().copied())
            .filter(exact)
            .filter(|&i| {
                self.conditions(i).all(|(branch, region)| {
                    let others = &self.run.insts[branch].regions;
                    others.iter().filter(|&&r| r != region).all(|&other| {
                        single.iter().any(|(&j, f)| {
                            self.run.encloses(other, self.run.insts[j].parent)
                                && (&f.low, &f.high) == (&single[&i].low, &single[&i].high)
                        })
                    })
                })
            })
            .collect();
        let sure = footprint(&certain)?;
        ((&sure.low, &sure.high) == (&whole.low, &whole.high)).then_some(whole)
    }

    /// The branches around an instruction, with the region that it is in.
    fn conditions(&self, inst: Inst) -> impl Iterator<Item = (Inst, Region)> {
        let mut region = self.run.insts[inst].parent;
        let mut list = Vec::new();
        while let Some(holder) = self.run.regions[region].parent {
            if matches!(self.run.insts[holder].op, Op::If | Op::Switch(_)) {
                list.push((holder, region));
            }
            region = self.run.insts[holder].parent;
        }
        list.into_iter()
    }

    /// May anything outside the loop write what an instruction of it reads, after it and before its reverse?
    fn changes_later(&self, inst: Inst) -> bool {
        let around = self.around;
        let reads = around.points.reads(inst);
        let shared = |a: &Access| a.address.is_none_or(|v| !around.points.is_private(v));
        if around.split && reads.iter().any(shared) {
            return true;
        }
        let outside = |w: Inst| !is_inside(around.body, w, around.holder);
        let later = around.points.all_clobbers(inst, outside);
        later.last().is_some_and(|&w| outside(w))
    }

    /// Memory that an iteration allocates must not outlive it, and other memory must not be freed.
    fn check_lifetimes(&self, inst: Inst) -> Result<()> {
        let data = &self.run.insts[inst];
        let local = |v: Value| {
            let places = self.points.objects(v);
            places.iter().any(|p| p.object.is_local())
        };
        let foreign = |v: Value| {
            let places = self.points.objects(v);
            places.iter().any(|p| !p.object.is_local())
        };
        match &data.op {
            Op::Call(attr) if self.m.funcs[attr.func].body.is_none() => {
                let frees = matches!(
                    known::lookup(&self.m.funcs[attr.func].name),
                    Some(Known::Free | Known::Realloc | Known::ReallocArray)
                );
                if frees && data.args.first().is_some_and(|&v| foreign(v)) {
                    return self.fail(
                        data.span,
                        "an iteration frees memory that it did not allocate",
                    );
                }
            }
            Op::Store(_)
                if self.run.ty(data.args[1]) == Type::Ptr
                    && local(data.args[1])
                    && foreign(data.args[0]) =>
            {
                return self.fail(
                    data.span,
                    "memory that an iteration allocates is used by later ones",
                );
            }
            Op::Yield | Op::Continue(_) | Op::Break(_) => {
                let target = adjoin_passes::edit::exit_target(self.run, inst);
                if target == Some(self.around.holder) && data.args.iter().any(|&v| local(v)) {
                    return self.fail(
                        data.span,
                        "memory that an iteration allocates is used by later ones",
                    );
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A pointer in memory that the loop changes: its shadow is part of the state as well.
    fn pointer_cell(&mut self, inst: Inst) -> Result<()> {
        let data = &self.run.insts[inst];
        let foreign = |v: Value| {
            self.points.objects(v).iter().any(|p| {
                let own = |k: u32| {
                    let k = k as usize;
                    !self
                        .items
                        .iter()
                        .any(|i| i.inner == k && matches!(i.kind, Kind::Used | Kind::Carried))
                };
                !p.object.is_local() && !matches!(p.object, Object::Parameter(k) if own(k))
            })
        };
        let copied = match &data.op {
            Op::Copy(attr) => attr.ctype.is_none_or(|t| contents(&self.m.types, t).1),
            Op::Call(attr) => {
                let name = &self.m.funcs[attr.func].name;
                let pointee = |v: Value| {
                    let t = self.run.values[crate::activity::root(self.run, v)].ctype?;
                    self.m.types.pointee(t)
                };
                known::lookup(name) == Some(Known::Copy)
                    && self.m.funcs[attr.func].body.is_none()
                    && pointee(data.args[0]).is_none_or(|t| contents(&self.m.types, t).1)
            }
            _ => false,
        };
        if copied && foreign(data.args[0]) {
            return self.fail(data.span, "it copies pointers in memory");
        }
        if !matches!(data.op, Op::Store(_))
            || self.run.ty(data.args[1]) != Type::Ptr
            || !foreign(data.args[0])
        {
            return Ok(());
        }
        let body = self.around.body;
        let outside = |v: Value| match body.values[v].def {
            ValueDef::Result(i, _) => !is_inside(body, i, self.around.holder),
            ValueDef::Arg(r, _) => {
                let holder = body.regions[r].parent;
                holder.is_none_or(|h| {
                    h != self.around.holder && !is_inside(body, h, self.around.holder)
                })
            }
        };
        let address = body.insts[inst].args[0];
        let given = match body.def_inst(address) {
            _ if outside(address) => Given::Value(address),
            Some(i)
                if matches!(body.insts[i].op, Op::Addr(_) | Op::GlobalAddr(_))
                    && body.insts[i].args.iter().all(|&v| outside(v)) =>
            {
                Given::Address(i)
            }
            _ => {
                let name = variable(self.m, self.run, data.args[0]);
                return self.fail(
                    data.span,
                    format!("which pointers in memory it changes through '{name}' is not known in front of it"),
                );
            }
        };
        self.found.cells.push(given);
        Ok(())
    }

    /// Which parameters of the function that runs iterations share no memory.
    fn find_disjoint(&mut self) {
        // Objects of ours, and pointers of the function around.
        let mut all: Vec<(u32, Option<Value>)> = Vec::new();
        for (k, item) in self.items.iter().enumerate() {
            let value = self.values.get(k).copied().filter(|_| item.ty == Type::Ptr);
            match item.kind {
                Kind::Used => all.extend(value.map(|v| (item.inner as u32, Some(v)))),
                Kind::Carried => {
                    all.extend(value.map(|v| (item.inner as u32, Some(v))));
                    all.push((item.inner as u32 + 1, None));
                }
                _ => all.push((item.inner as u32, None)),
            }
        }
        let points = self.around.points;
        let apart = |a: Value, b: Value| {
            points.objects(a).iter().all(|p| {
                points.objects(b).iter().all(|q| {
                    p.object != q.object && !points.objects_may_overlap(p.object, q.object)
                })
            })
        };
        for (k, &(i, a)) in all.iter().enumerate() {
            for &(j, b) in &all[k + 1..] {
                let disjoint = match (a, b) {
                    (Some(a), Some(b)) => apart(a, b),
                    _ => true,
                };
                if disjoint {
                    self.found.disjoint.insert((i.min(j), i.max(j)));
                }
            }
        }
    }
}
