//! Integers that hold the bits of active numbers (read through a union, or through a pointer to an integer type).
//!
//! Plain copies of such integers have become copies of numbers before (see `retype`). What is left is computed with: its results are integers, which have no derivative, and that is
//! right as long as they stay integers. Where they would become numbers again, it is an error, unless only sign and exponent are left, which do not change with
//! the number. Integers that are stored over an active number end its adjoint.
//!
//! A union whose members are used in turn (with a tag that tells which) is not such a case: what is read as an integer was stored as one. So an integer member is taken for
//! the bits of a number only if nothing else can have been stored there, or if the number was stored there just before.

use super::evidence::{Evidence, Spots};
use super::numbers::{Here, Numbers};
use super::{Facts, Kind, Layout, Overwrite, flows, is_number, kind, variable};
use crate::known::Known;
use crate::points_to::{Object, Offsets, Place, PointsTo};
use crate::{AdError, Registry};
use adjoin_ir::{Body, Inst, InstData, Module, Op, Type, Value};
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet};

struct Bits<'a> {
    module: &'a Module,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    registry: &'a Registry,
    facts: &'a Facts,
    numbers: Numbers,
    /// Values, and places of objects (with a size), that hold the bits of active numbers as integers.
    values: EntitySet<Value>,
    cells: BTreeSet<(Place, u64)>,
    /// Values that hold them if numbers were copied to the variable of integers that they were read from, and nothing else was stored there since.
    perhaps: EntitySet<Value>,
    /// Objects that are more than variables of integers which are copied to and read: numbers may come out of them again.
    sources: BTreeSet<Object>,
    makers: Makers,
    /// Objects that may be read as numbers: not tables of keys that are made of numbers.
    read: BTreeSet<Object>,
    /// Where integers are stored over numbers, or copied to.
    integers: Spots,
    /// Where they may be, as far as offsets tell.
    perhaps_integers: Spots,
}

type Makers = BTreeMap<Value, BTreeSet<Option<Value>>>;

/// Complex numbers are made of numbers.
fn alike(t: Type) -> Type {
    t.part().unwrap_or(t)
}

/// Does an operation leave nothing of a number's mantissa?
pub(crate) fn is_locally_constant(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let ty = body.ty(data.results[0]);
    let mantissa = match ty.size() {
        8 => 52,
        4 => 23,
        _ => return false,
    };
    match data.op {
        Op::Shr => body.const_int(data.args[1]).is_some_and(|n| n >= mantissa),
        Op::And => data.args.iter().any(|&a| {
            body.const_int(a)
                .is_some_and(|n| n & ((1 << mantissa) - 1) == 0)
        }),
        _ => false,
    }
}

/// Does a conversion of integers leave all bytes as they are?
fn are_same_bytes(body: &Body, from: Value, to: Value) -> bool {
    let [from, to] = [from, to].map(|v| body.ty(v));
    from.is_int() && to.is_int() && from.size() == to.size()
}

/// Follows the bits.
pub(super) fn check(
    module: &Module,
    body: &Body,
    points: &PointsTo<'_>,
    registry: &Registry,
    facts: &mut Facts,
) -> Result<(), AdError> {
    let mut bits = Bits {
        module,
        body,
        points,
        registry,
        facts,
        numbers: Numbers::of(module, body, points, Some(facts)),
        values: EntitySet::new(),
        cells: BTreeSet::new(),
        perhaps: EntitySet::new(),
        sources: BTreeSet::new(),
        makers: Makers::new(),
        read: BTreeSet::new(),
        integers: Spots::default(),
        perhaps_integers: Spots::default(),
    };
    bits.find_read();
    bits.find_makers();
    bits.find_integers();
    bits.find_sources();
    let edges = flows(body);
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    loop {
        let mut changed = false;
        for &inst in &order {
            changed |= bits.step(inst);
        }
        for &(from, to) in &edges {
            changed |= bits.values.contains(from) && bits.values.insert(to);
            changed |= bits.perhaps.contains(from) && bits.perhaps.insert(to);
        }
        if !changed {
            break;
        }
    }
    let mut overwrites = Vec::new();
    for &inst in &order {
        if let Some(overwrite) = bits.overwrites(inst)? {
            overwrites.push((inst, overwrite));
        }
        bits.refuse(inst)?;
    }
    for (inst, overwrite) in overwrites {
        facts.overwrites.insert(inst, overwrite);
        let mut at = Some(inst);
        while let Some(inst) = at {
            facts.active.insert(inst);
            at = body.regions[body.insts[inst].parent].parent;
        }
    }
    Ok(())
}

impl Bits<'_> {
    /// What active number lies at an address?
    fn at(&self, address: Value, size: u64) -> Here {
        if !self.facts.shadow[address].some {
            return Here::Nothing;
        }
        let counts =
            |object: Object| object == Object::Outside || self.facts.numbers.contains(&object);
        self.numbers
            .at(self.module, self.body, self.points, address, size, counts)
    }

    fn step(&mut self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        if let Op::Store(_) = data.op
            && self.values.contains(data.args[1])
        {
            let size = self.body.ty(data.args[1]).size();
            let mut changed = false;
            for p in self.points.objects(data.args[0]) {
                changed |= p.object.is_local() && self.cells.insert((*p, size));
            }
            return changed;
        }
        if let Some((to, from)) = self.copied(data) {
            return self.copy(to, from);
        }
        let Some(&v) = data.results.first() else {
            return false;
        };
        if !self.body.ty(v).is_int() || !data.regions.is_empty() {
            return false;
        }
        let found = match &data.op {
            Op::Load(_) => {
                let size = self.body.ty(v).size();
                self.at(data.args[0], size) != Here::Nothing && self.is_reinterpreted(inst)
                    || self.holds(data.args[0], size)
            }
            Op::LoadBits(_) => self.at(data.args[0], 8) != Here::Nothing,
            op => {
                op.is_pure()
                    && data.args.iter().any(|&a| self.values.contains(a))
                    && !is_locally_constant(self.body, inst)
            }
        };
        let perhaps = match &data.op {
            Op::Load(_) => self.is_carrier(data.args[0], self.body.ty(v).size()),
            op => {
                op.is_pure()
                    && data.args.iter().any(|&a| self.perhaps.contains(a))
                    && !is_locally_constant(self.body, inst)
            }
        };
        perhaps && self.perhaps.insert(v) || found && self.values.insert(v)
    }

    /// Is it an element of a variable of integers that active numbers of their size are copied to?
    fn is_carrier(&self, address: Value, size: u64) -> bool {
        let types = &self.module.types;
        let is_integers = |p: &Place| match p.object {
            object if !self.sources.contains(&object) => false,
            Object::Stack(inst) => match &self.body.insts[inst].op {
                Op::Slot(a) | Op::SlotVla(a) => {
                    let mut t = a.ctype;
                    while let Some(elem) = types.element(t) {
                        t = elem;
                    }
                    Type::of_ctype(types, t).is_some_and(|t| t.is_int() && t.size() == size)
                }
                _ => false,
            },
            _ => false,
        };
        let mut places = self.points.objects(address).iter();
        places.len() > 0
            && places.all(is_integers)
            && matches!(self.at(address, size), Here::Number(_))
    }

    /// Stores count that put an integer over a number which was made as one. What was only read where numbers lie, and is stored elsewhere, is what it was there: an exchange of two
    /// elements, word by word, is no evidence of integers.
    fn find_integers(&mut self) {
        let mut surely = Evidence::default();
        let mut perhaps = Evidence::default();
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            if let Some((to, from)) = self.copied(data) {
                surely.copies.push((from, to));
                perhaps.copies.push((from, to));
                if self.takes_integers_along(inst) {
                    perhaps.made.push((to, None));
                }
            }
            let Op::Store(_) = data.op else { return };
            let (to, ty) = (data.args[0], self.body.ty(data.args[1]));
            if is_number(ty) {
                return;
            }
            let size = Some(ty.size());
            let from: Vec<Option<Value>> = (self
                .makers
                .get(&data.args[1])
                .into_iter()
                .flatten()
                .copied())
            .collect();
            if from.contains(&None) {
                perhaps.made.push((to, size));
            }
            perhaps
                .copies
                .extend(from.iter().flatten().map(|&v| (v, to)));
            if self.may_be_number(to, ty.size()) || super::numbers::is_member(self.body, to) {
                let known = |&v: &Value| self.may_be_number(v, ty.size());
                if !from.iter().all(|v| v.as_ref().is_some_and(known)) {
                    surely.made.push((to, size));
                }
                surely
                    .copies
                    .extend(from.iter().flatten().map(|&v| (v, to)));
            }
        });
        self.integers = surely.spots(self.points);
        self.perhaps_integers = perhaps.spots(self.points);
    }

    /// Does a copy move something that has integers by its type?
    fn takes_integers_along(&self, inst: Inst) -> bool {
        let types = &self.module.types;
        let mut t = match (&self.body.insts[inst].op, self.facts.layouts.get(&inst)) {
            (_, Some(layout)) => Some(layout.ty),
            (Op::Copy(a), None) => a.ctype,
            _ => None,
        };
        while let Some(element) = t.and_then(|t| types.element(t)) {
            t = Some(element);
        }
        // Of members their accesses tell.
        // Bytes may be anything.
        t.and_then(|t| types.arithmetic(t))
            .is_some_and(|b| b.is_integer() && b.size() > 1)
    }

    fn find_read(&mut self) {
        let body = self.body;
        let mut read = Evidence::default();
        // Numbers that are only moved are not read.
        let mut used: EntitySet<Value> = EntitySet::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let address = matches!(data.op, Op::Store(_)).then_some(1);
            used.extend(
                data.args
                    .iter()
                    .copied()
                    .take(address.unwrap_or(usize::MAX)),
            );
        });
        let loaded_at = |v: Value| {
            let data = &body.insts[body.def_inst(v)?];
            (matches!(data.op, Op::Load(_)) && !used.contains(v)).then(|| data.args[0])
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Some((to, from)) = self.copied(data) {
                read.copies.push((to, from));
                return;
            }
            match (&data.op, kind(self.module, self.registry, &data.op)) {
                (Op::Load(_), _) => {
                    let v = data.results[0];
                    if is_number(body.ty(v)) && used.contains(v) {
                        read.made.push((data.args[0], None));
                    }
                }
                (Op::Store(_), _) => {
                    // A member that is an integer stays one.
                    let size = body.ty(data.args[1]).size();
                    let from = loaded_at(data.args[1]);
                    let from = from.filter(|_| self.may_lie(data.args[0], size));
                    read.copies.extend(from.map(|from| (data.args[0], from)));
                }
                (_, Kind::Known(_) | Kind::Rule | Kind::Inactive) => {}
                (Op::Call(_) | Op::CallIndirect(_) | Op::Mpi(_) | Op::Return, _) => {
                    read.made.extend(data.args.iter().map(|&v| (v, None)));
                }
                _ => {}
            }
        });
        let spots = read.spots(self.points).0;
        self.read = spots.into_iter().map(|(p, _)| p.object).collect();
    }

    fn may_be_number(&self, address: Value, size: u64) -> bool {
        let numbers = &self.numbers;
        let (module, body, points) = (self.module, self.body, self.points);
        numbers.at(module, body, points, address, size, |_| true) != Here::Nothing
    }

    fn may_lie(&self, address: Value, size: u64) -> bool {
        let (module, body, points) = (self.module, self.body, self.points);
        let place = (address, size);
        self.numbers.may_lie(module, body, points, place, |_| true)
    }

    /// Where integers come from, as far as they are only moved: the addresses that they were read at, if numbers may lie there, and `None` for what makes an integer.
    fn find_makers(&mut self) {
        let body = self.body;
        let mut edges = flows(body);
        let mut makers = Makers::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            for &v in data.results.iter().filter(|&&v| !is_number(body.ty(v))) {
                match &data.op {
                    Op::Load(_) if self.may_lie(data.args[0], body.ty(v).size()) => {
                        makers.insert(v, BTreeSet::from([Some(data.args[0])]));
                    }
                    Op::Select => edges.extend([(data.args[1], v), (data.args[2], v)]),
                    Op::Cast if are_same_bytes(body, data.args[0], v) => {
                        edges.push((data.args[0], v));
                    }
                    // Computed from such words and constants alone: no evidence either.
                    op if op.is_pure()
                        && data.regions.is_empty()
                        && body.ty(v) != Type::Bool
                        && data.args.iter().all(|&a| body.ty(a).is_int())
                        && data.args.iter().any(|&a| body.const_int(a).is_none()) =>
                    {
                        let others = data.args.iter().filter(|&&a| body.const_int(a).is_none());
                        edges.extend(others.map(|&a| (a, v)));
                    }
                    _ => {}
                }
            }
        });
        // Everything else makes integers.
        let reached: BTreeSet<Value> = edges.iter().map(|&(_, to)| to).collect();
        for v in body.values.keys().filter(|v| !reached.contains(v)) {
            makers.entry(v).or_insert_with(|| BTreeSet::from([None]));
        }
        loop {
            let mut changed = false;
            for &(from, to) in &edges {
                let all = makers.get(&from).cloned().unwrap_or_default();
                let place = makers.entry(to).or_default();
                let before = place.len();
                place.extend(all);
                changed |= place.len() != before;
            }
            if !changed {
                break;
            }
        }
        self.makers = makers;
    }

    /// Is an integer stored that was only read in memory of the body where active numbers may lie and nothing says that integers do, to such memory? It may be a part of a number.
    fn may_move_parts(&self, store: Inst) -> bool {
        let data = &self.body.insts[store];
        let (to, size) = (data.args[0], self.body.ty(data.args[1]).size());
        let active = |object: Object| object.is_local() && self.facts.numbers.contains(&object);
        let numbers = |v: Value| {
            let (module, body, points) = (self.module, self.body, self.points);
            self.facts.shadow[v].some
                && !self.perhaps_integers.overlap(points, v, size)
                && self
                    .numbers
                    .may_lie(module, body, points, (v, size), active)
        };
        let from = self.makers.get(&data.args[1]);
        numbers(to) && from.into_iter().flatten().flatten().any(|&v| numbers(v))
    }

    /// Objects that something is copied from, that numbers are read from, or whose address goes somewhere.
    fn find_sources(&mut self) {
        let mut found = BTreeSet::new();
        let mut add = |v: Value| {
            let places = self.points.objects(v);
            found.extend(places.iter().map(|p| p.object));
        };
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            let number = |v: Value| is_number(self.body.ty(v));
            if let Some((_, from)) = self.copied(data) {
                add(from);
                return;
            }
            match &data.op {
                Op::Load(_) if !number(data.results[0]) => {}
                Op::Addr(_) | Op::Zero(_) | Op::Eq | Op::Ne => {}
                Op::Cast if self.body.ty(data.results[0]) == Type::Ptr => {}
                Op::Store(_) => add(data.args[1]),
                _ => data.args.iter().for_each(|&v| add(v)),
            }
        });
        self.sources = found;
    }

    /// Does a load of an integer, where an active number may lie, surely read that?
    fn is_reinterpreted(&self, load: Inst) -> bool {
        let types = &self.module.types;
        let data = &self.body.insts[load];
        let address = data.args[0];
        let places = self.points.objects(address);
        let size = self.body.ty(data.results[0]).size();
        let stored_as_integer = self.integers.overlap(self.points, address, size);
        let union = super::numbers::is_union_member(types, self.body, address);
        let outside = places.iter().any(|p| !p.object.is_local());
        match (union, outside) {
            // A pointer to numbers that was cast.
            (false, true) => true,
            (true, true) => self.was_stored_before(load),
            (_, false) => !stored_as_integer || self.was_stored_before(load),
        }
    }

    /// Is the last thing that was stored where an instruction reads, in the regions around it, a number?
    fn was_stored_before(&self, load: Inst) -> bool {
        let places = self.points.objects(self.body.insts[load].args[0]);
        let mut at = load;
        loop {
            let region = self.body.insts[at].parent;
            let list = &self.body.regions[region].insts;
            let end = list.iter().position(|&i| i == at).unwrap_or(0);
            for &inst in list[..end].iter().rev() {
                let data = &self.body.insts[inst];
                if !data.regions.is_empty() {
                    return false;
                }
                match &data.op {
                    Op::Store(_) => {
                        let others = self.points.objects(data.args[0]);
                        let same = match (places, others) {
                            ([p], [q]) => {
                                p.object == q.object
                                    && (p.offsets.stride == 0 && p.offsets == q.offsets
                                        || self.body.insts[load].args[0] == data.args[0])
                            }
                            _ => false,
                        };
                        let may = places.iter().any(|p| {
                            others.iter().any(|q| {
                                p.object == q.object
                                    && p.offsets.overlap(Some(8), q.offsets, Some(8))
                            })
                        });
                        if may {
                            return same && is_number(self.body.ty(data.args[1]));
                        }
                    }
                    Op::Copy(_) | Op::Zero(_) | Op::Call(_) | Op::CallIndirect(_) => return false,
                    _ => {}
                }
            }
            match self.body.regions[region].parent {
                Some(holder) => at = holder,
                None => return false,
            }
        }
    }

    /// Does an instruction store an integer over an active number?
    fn overwrites(&self, inst: Inst) -> Result<Option<Overwrite>, AdError> {
        let data = &self.body.insts[inst];
        if !matches!(data.op, Op::Store(_) | Op::StoreBits(_)) {
            return Ok(None);
        }
        let ty = self.body.ty(data.args[1]);
        if is_number(ty) {
            return Ok(None);
        }
        let union = || super::numbers::is_union_member(&self.module.types, self.body, data.args[0]);
        if ty == Type::Ptr && !union() {
            return Ok(None);
        }
        let here = self.at(data.args[0], ty.size());
        let is_bits = |v: Value| {
            let perhaps = || self.is_carrier(data.args[0], ty.size());
            self.values.contains(v) || self.perhaps.contains(v) && perhaps()
        };
        let places = self.points.objects(data.args[0]);
        // What others know they may read.
        let is_read = |o: Object| self.read.contains(&o) || !self.points.is_own(o);
        let read = || places.iter().any(|p| is_read(p.object));
        let parts = || ty.is_int() && self.may_move_parts(inst);
        if (here != Here::Nothing && is_bits(data.args[1]) || parts()) && read() {
            let name = variable(self.module, self.body, data.args[0]);
            return Err(AdError::new(
                data.span,
                format!("'{name}': the bits of an active number are stored as an integer"),
            ));
        }
        // A shadow holds the adjoint of a `double` or a pointer, and can tell which; of no other number.
        let apart = match here {
            Here::Number(number) => number == Type::F64,
            Here::Part(number, Some(0)) => number == Type::F64,
            Here::Part(..) => false,
            Here::Nothing => true,
        };
        if ty == Type::Ptr && !apart && self.facts.shadow[data.args[1]].some {
            let name = variable(self.module, self.body, data.args[0]);
            return Err(AdError::new(
                data.span,
                format!(
                    "'{name}': a pointer to active memory and a number that is no double share their place in a union"
                ),
            ));
        }
        Ok(match here {
            Here::Nothing => None,
            Here::Number(_) if matches!(data.op, Op::Store(_)) && ty != Type::Ptr => {
                Some(Overwrite::Whole)
            }
            Here::Number(ty) => Some(Overwrite::Part(ty, 0)),
            Here::Part(ty, Some(offset)) => Some(Overwrite::Part(ty, offset)),
            Here::Part(_, None) => {
                let name = variable(self.module, self.body, data.args[0]);
                return Err(AdError::new(
                    data.span,
                    format!("'{name}': a part of an active number is overwritten"),
                ));
            }
        })
    }

    fn refuse(&self, inst: Inst) -> Result<(), AdError> {
        let data = &self.body.insts[inst];
        if let Some((to, from)) = self.copied(data)
            && self.facts.shadow[from].some
            && !self.is_covered(inst, from)
        {
            let name = variable(self.module, self.body, to);
            return Err(AdError::new(
                data.span,
                format!("this copy to '{name}': it moves active numbers, but not as numbers"),
            ));
        }
        if let Some((to, from)) = self.copied(data)
            && self.facts.shadow[to].some
            && self.facts.shadow[from].some
            && self.moves_bytes(inst, from)
        {
            let name = variable(self.module, self.body, to);
            return Err(AdError::new(
                data.span,
                format!(
                    "this copy to '{name}': active numbers may lie in its bytes, and this function does not show which"
                ),
            ));
        }
        match &data.op {
            Op::Cast
                if is_number(self.body.ty(data.results[0]))
                    && self.values.contains(data.args[0]) =>
            {
                Err(AdError::new(
                    data.span,
                    "this conversion: the integer is computed from the bits of an active number",
                ))
            }
            Op::Load(_)
                if self.facts.varied.contains(data.results[0]) && self.is_other_number(inst) =>
            {
                let name = variable(self.module, self.body, data.args[0]);
                Err(AdError::new(
                    data.span,
                    format!("'{name}': active numbers of another type were stored there"),
                ))
            }
            Op::Return => {
                // Bits as they were, which the caller may make a number of.
                let whole = |&&v: &&Value| {
                    let made = self.body.def_inst(v).map(|i| &self.body.insts[i].op);
                    self.values.contains(v)
                        && self.body.ty(v).size() >= 4
                        && matches!(made, Some(Op::Load(_) | Op::LoadBits(_)))
                };
                match data.args.iter().find(whole) {
                    Some(_) => Err(AdError::new(
                        data.span,
                        "this result: the bits of an active number, as an integer",
                    )),
                    None => Ok(()),
                }
            }
            Op::Load(_) if is_number(self.body.ty(data.results[0])) => {
                if !self.holds(data.args[0], self.body.ty(data.results[0]).size()) {
                    return Ok(());
                }
                let name = variable(self.module, self.body, data.args[0]);
                Err(AdError::new(
                    data.span,
                    format!(
                        "'{name}': the bits of an active number were stored there as an integer"
                    ),
                ))
            }
            _ => Ok(()),
        }
    }

    /// Does a copy take along the derivatives of all numbers that lie at its source?
    fn is_covered(&self, inst: Inst, from: Value) -> bool {
        let data = &self.body.insts[inst];
        let constant = |v: Option<&Value>| {
            let n = self.body.const_int(*v?)?;
            u64::try_from(n).ok()
        };
        let (declared, bytes) = match &data.op {
            Op::Copy(a) => (a.ctype, Some(a.bytes)),
            _ if data.args.len() > 2 => (None, constant(data.args.get(2))),
            _ => (None, None),
        };
        let layout = match (self.facts.layouts.get(&inst), declared) {
            (Some(&layout), _) => layout,
            (None, Some(ty)) => Layout { ty, begin: 0 },
            // It is refused where its type is asked for.
            (None, None) => return true,
        };
        let counts = |object: Object| self.facts.numbers.contains(&object) && object.is_local();
        self.numbers
            .covered(&self.module.types, self.points, from, bytes, layout, counts)
    }

    /// Is what a load reads, in memory of the body, surely made of active numbers of another type? A union whose members are used in turn has numbers of both.
    fn is_other_number(&self, load: Inst) -> bool {
        let data = &self.body.insts[load];
        let ty = self.body.ty(data.results[0]);
        let places = self.points.objects(data.args[0]);
        let mixed = |p: &Place| p.object.is_local() && self.numbers.has_other(p.object, alike(ty));
        if !is_number(ty) || !places.iter().all(mixed) {
            return false;
        }
        let (mut same, mut other) = (false, false);
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            match &data.op {
                Op::Store(_) => {
                    let stored = self.body.ty(data.args[1]);
                    if is_number(stored) && self.meets(load, data.args[0], Some(stored.size())) {
                        let alike = alike(stored) == alike(ty);
                        same |= alike;
                        other |= !alike && self.facts.varied.contains(data.args[1]);
                    }
                }
                // Others may put anything there.
                Op::Copy(_) | Op::Call(_) | Op::CallIndirect(_) | Op::Mpi(_) => {
                    let mut pointers = data.args.iter().filter(|&&v| self.body.ty(v) == Type::Ptr);
                    same |= pointers.any(|&v| self.meets(load, v, None));
                }
                _ => {}
            }
        });
        other
            && (!same
                || self
                    .last_stored(load)
                    .is_some_and(|t| alike(t) != alike(ty)))
    }

    /// May a load read some of the bytes at an address?
    fn meets(&self, load: Inst, address: Value, bytes: Option<u64>) -> bool {
        let data = &self.body.insts[load];
        let size = self.body.ty(data.results[0]).size();
        if super::numbers::are_other_members(&self.module.types, self.body, data.args[0], address) {
            return false;
        }
        let mut places = self.points.objects(data.args[0]).iter();
        places.any(|p| {
            let others = self.points.objects(address).iter();
            let mut others = others.filter(|q| q.object == p.object);
            others.any(|q| p.offsets.overlap(Some(size), q.offsets, bytes))
        })
    }

    /// What was stored last where a load reads, if that is a number and stands before it in its region.
    fn last_stored(&self, load: Inst) -> Option<Type> {
        let list = &self.body.regions[self.body.insts[load].parent].insts;
        let end = list.iter().position(|&i| i == load)?;
        for &inst in list[..end].iter().rev() {
            let data = &self.body.insts[inst];
            match &data.op {
                Op::Store(_) => {
                    let ty = self.body.ty(data.args[1]);
                    if self.meets(load, data.args[0], Some(ty.size())) {
                        return is_number(ty).then_some(ty);
                    }
                }
                Op::Load(_) => {}
                op if op.is_pure() => {}
                _ => return None,
            }
        }
        None
    }

    /// Does it copy a struct of bytes in which other functions let numbers travel?
    fn moves_bytes(&self, inst: Inst, from: Value) -> bool {
        let declared = match &self.body.insts[inst].op {
            Op::Copy(a) => a.ctype,
            _ => None,
        };
        let layout = self.facts.layouts.get(&inst).map(|l| l.ty);
        let active = |p: &Place| self.facts.numbers.contains(&p.object);
        self.points.objects(from).iter().any(active)
            && layout
                .or(declared)
                .is_some_and(|t| self.registry.carries_bytes(&self.module.types, t))
    }

    /// Can integers with bits of active numbers lie at an address?
    fn holds(&self, address: Value, size: u64) -> bool {
        self.points.objects(address).iter().any(|p| {
            self.cells.iter().any(|(cell, width)| {
                cell.object == p.object && cell.offsets.overlap(Some(*width), p.offsets, Some(size))
            })
        })
    }

    /// The ends of a copy.
    fn copied(&self, data: &InstData) -> Option<(Value, Value)> {
        match (&data.op, kind(self.module, self.registry, &data.op)) {
            (Op::Copy(_), _) | (_, Kind::Known(Known::Copy)) => Some((data.args[0], data.args[1])),
            (_, Kind::Known(Known::Realloc | Known::ReallocArray)) => {
                Some((data.results[0], data.args[0]))
            }
            _ => None,
        }
    }

    /// What lies at the source of a copy lies at its target.
    fn copy(&mut self, to: Value, from: Value) -> bool {
        let mut new = BTreeSet::new();
        for source in self.points.objects(from) {
            for (cell, size) in self.cells.iter().filter(|(c, _)| c.object == source.object) {
                for target in self
                    .points
                    .objects(to)
                    .iter()
                    .filter(|t| t.object.is_local())
                {
                    let distance = cell.offsets.minus(source.offsets);
                    let offsets = target.offsets.sum(distance);
                    new.insert((
                        Place {
                            object: target.object,
                            offsets,
                        },
                        *size,
                    ));
                }
            }
        }
        let before = self.cells.len();
        // Copies in loops may shift: beyond a few cells, anywhere is enough.
        for (place, size) in new {
            let many = self.cells.len() > 200;
            let offsets = if many { Offsets::ANY } else { place.offsets };
            self.cells.insert((Place { offsets, ..place }, size));
        }
        self.cells.len() != before
    }
}
