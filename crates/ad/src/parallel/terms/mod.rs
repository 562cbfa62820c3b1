//! Integers and addresses of a team's region as polynomials over atoms.
//!
//! Atoms are values that are not taken apart: what comes from outside, loads of memory that nothing in the region writes (two loads of one address are one
//! atom), operations that are not polynomials (of the same operands: one atom), indices of loops. The index of a loop over a thread's share of the iterations is
//! a *separator*: in two threads it never has the same value.

mod around;
mod loops;
mod running;
mod tables;

pub use loops::IN_BLOCKS;

use super::poly::{Atom, Known, Poly};
use super::team::{PART, THREAD, THREADS, Team};
use adjoin_ir::path::Path;
use adjoin_ir::{CTypeKind, Const, Inst, Op, Step, Type, Value};
use std::collections::{HashMap, HashSet};

/// Why two threads never have the same value of an atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Separator {
    /// It is the number of the thread.
    Thread,
    /// Iterations in contiguous shares: of so many, by this function.
    Contiguous(&'static str, Poly),
    /// The number of the thread, modulo the number of threads.
    Cyclic,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Thread,
    Threads,
    /// The index of a `for`, or its distance from the first (as far as `Offset`, from the lower bound of an inner loop).
    Index(Inst),
    Offset(Inst),
    /// An index into an array of so many elements.
    Digit(Value, u64),
    /// 1 or 0, for the first or second value of a choice.
    Choice(Value),
    /// How often an index goes around (`(i + 1) % n`), and where it arrives.
    Turns(Value),
    Around(Value),
    Value(Value),
    Load(Base, Poly, Type),
    Operation(String, Vec<Poly>),
}

/// What is known of an atom.
#[derive(Clone, Debug)]
pub struct AtomData {
    key: Key,
    /// A value that is this atom.
    pub value: Option<Value>,
    /// Why threads differ in it.
    pub separator: Option<Separator>,
    /// Bounds, both included; any of the upper ones holds.
    pub lower: Option<Poly>,
    /// See `lower`.
    pub upper: Vec<Poly>,
    /// Those of the upper ones that may be far away, since something else is closer: the sides of a minimum, bounds of loops that are left early.
    far: Vec<Poly>,
    /// How many loops are around it: inner ones are eliminated first.
    depth: usize,
    natural: bool,
    /// It is never below this.
    least: Option<i128>,
    /// Of a number of turns: what goes around, the length of a turn, and where it arrives.
    around: Option<(Poly, Poly, Atom)>,
}

/// Where an address starts: a pointer that is not computed from another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Base(pub Atom);

/// An address: bytes from a base.
#[derive(Clone, Debug)]
pub struct Address {
    /// The base.
    pub base: Base,
    /// How many bytes from there.
    pub bytes: Poly,
    /// What the types of arrays say of separators in their indices: atom, lowest, highest.
    pub digits: Vec<(Atom, Poly, Poly)>,
}

/// How a polynomial is brought down to what is kept: without bounds that may be far away, and without atoms that are gone.
#[derive(Default)]
struct Way {
    near: bool,
    gone: Vec<Atom>,
}

/// The atoms of a team's region.
pub struct Terms<'a> {
    pub team: &'a Team<'a>,
    atoms: Vec<AtomData>,
    known: HashMap<Key, Atom>,
    memo: HashMap<Value, Poly>,
}

/// Products with more than this, of 32 bits without a sign or made so narrow, are meant to wrap around.
const MOST_FACTOR: i128 = 1 << 24;

impl<'a> Terms<'a> {
    /// No atoms yet.
    pub fn new(team: &'a Team<'a>) -> Terms<'a> {
        Terms {
            team,
            atoms: Vec::new(),
            known: HashMap::new(),
            memo: HashMap::new(),
        }
    }

    /// What is known of an atom.
    pub fn data(&self, a: Atom) -> &AtomData {
        &self.atoms[a.0 as usize]
    }

    fn intern(&mut self, key: Key, value: Option<Value>) -> Atom {
        if let Some(&a) = self.known.get(&key) {
            return a;
        }
        let a = Atom(self.atoms.len() as u32);
        // Larger types without a sign may hold what is meant to be negative: an offset of `-(size_t)n`.
        let natural = value.is_some_and(|v| {
            let ty = self.team.body.ty(v);
            ty.is_int() && !ty.is_signed() && ty.bits() < 32
        });
        self.atoms.push(AtomData {
            key: key.clone(),
            value,
            separator: None,
            lower: None,
            upper: Vec::new(),
            far: Vec::new(),
            depth: 0,
            natural,
            least: None,
            around: None,
        });
        self.known.insert(key, a);
        a
    }

    fn opaque(&mut self, v: Value) -> Poly {
        Poly::atom(self.intern(Key::Value(v), Some(v)))
    }

    /// The number of threads.
    pub fn threads(&mut self) -> Atom {
        let a = self.intern(Key::Threads, None);
        self.atoms[a.0 as usize].natural = true;
        a
    }

    /// The number of the thread.
    pub fn thread(&mut self) -> Atom {
        let threads = self.threads();
        let a = self.intern(Key::Thread, None);
        let data = &mut self.atoms[a.0 as usize];
        data.separator = Some(Separator::Thread);
        data.lower = Some(Poly::default());
        data.upper = vec![Poly::atom(threads).plus_constant(-1)];
        data.natural = true;
        a
    }

    /// An integer.
    pub fn integer(&mut self, v: Value) -> Poly {
        if let Some(p) = self.memo.get(&v) {
            return p.clone();
        }
        let p = self.make_integer(v);
        self.memo.insert(v, p.clone());
        p
    }

    fn make_integer(&mut self, v: Value) -> Poly {
        let body = self.team.body;
        let Some(inst) = body.def_inst(v) else {
            return match self.team.argument(v) {
                Some((holder, 0))
                    if matches!(body.insts[holder].op, Op::For(_)) && self.team.is_inside(v) =>
                {
                    self.index(holder)
                }
                Some((holder, k))
                    if matches!(body.insts[holder].op, Op::For(_)) && self.team.is_inside(v) =>
                {
                    self.running(holder, k, v)
                }
                _ => self.opaque(v),
            };
        };
        let data = &body.insts[inst];
        let ty = body.ty(v);
        let exact = ty.is_int() && ty.bits() >= 32;
        match &data.op {
            Op::Const(Const::Int(n)) => {
                // In a type without a sign, numbers of its upper half are meant as negative ones.
                let half = 1i128 << (ty.bits().clamp(1, 100) - 1);
                let wraps = ty.is_int() && !ty.is_signed() && ty.bits() >= 32 && *n >= half;
                Poly::constant(if wraps { n - 2 * half } else { *n })
            }
            Op::Add if exact => {
                let (a, b) = (self.integer(data.args[0]), self.integer(data.args[1]));
                a.plus(&b)
            }
            Op::Sub if exact => {
                let (a, b) = (self.integer(data.args[0]), self.integer(data.args[1]));
                a.minus(&b)
            }
            Op::Neg if exact => self.integer(data.args[0]).scaled(-1),
            Op::Mul if exact => {
                let (a, b) = (self.integer(data.args[0]), self.integer(data.args[1]));
                let limit = match ty.is_signed() || ty.bits() > 32 {
                    true => 1 << 40,
                    false => MOST_FACTOR,
                };
                let fits = |p: &Poly| p.as_constant().is_none_or(|n| n.abs() < limit);
                match a.times(&b) {
                    Some(p) if fits(&a) && fits(&b) => p,
                    _ => self.opaque(v),
                }
            }
            Op::Shl if exact && ty.is_signed() => {
                let by = self.integer(data.args[1]).as_constant();
                match by {
                    Some(n @ 0..32) => self.integer(data.args[0]).scaled(1 << n),
                    _ => self.operation(inst, v),
                }
            }
            Op::Cast if exact => {
                let from = body.ty(data.args[0]);
                let whole = from.is_int()
                    && from.bits() >= 8
                    && (from.bits() >= 32 || from.bits() < ty.bits());
                let of = whole.then(|| self.integer(data.args[0]));
                // What is cut off is nothing, unless numbers are large enough to be meant for it.
                let fits = |p: &Poly| p.terms().all(|(_, n)| n.abs() < MOST_FACTOR);
                match of.filter(|p| from.bits() <= ty.bits() || fits(p)) {
                    Some(p) => p,
                    None => self.operation(inst, v),
                }
            }
            Op::Rem if exact => self.remainder(inst, v),
            Op::And if exact => self.masked(inst, v),
            Op::Select if exact => self.choice(v, data.args[0], data.args[1], data.args[2]),
            Op::If if exact && data.results.len() == 1 => {
                let sides = [0, 1].map(|k| self.team.only_yields(data.regions[k]));
                match sides {
                    [Some(a), Some(b)] => self.choice(v, data.args[0], a, b),
                    _ => self.opaque(v),
                }
            }
            op if op.is_pure() && data.args.len() <= 4 && body.ty(v).is_int() => {
                self.operation(inst, v)
            }
            Op::Load(_) => self.looked_up(inst, v),
            Op::Call(_) if self.team.is_inside(v) => match self.team.callee(inst) {
                Some(THREAD) => Poly::atom(self.thread()),
                Some(THREADS) => Poly::atom(self.threads()),
                Some(PART) => self.operation(inst, v),
                _ => self.opaque(v),
            },
            _ => self.opaque(v),
        }
    }

    /// An operation that is no polynomial: one atom for all of the same operands.
    fn operation(&mut self, inst: Inst, v: Value) -> Poly {
        let body = self.team.body;
        let data = &body.insts[inst];
        if !data.args.iter().all(|&a| body.ty(a).is_int()) {
            return self.opaque(v);
        }
        let args: Vec<Poly> = data.args.iter().map(|&a| self.integer(a)).collect();
        let name = match self.team.callee(inst) {
            Some(name) => name.to_string(),
            None => format!("{:?} {:?}", data.op, body.ty(v)),
        };
        let quotient = matches!(data.op, Op::Div) && args.iter().all(|p| self.is_natural(p));
        let a = self.intern(Key::Operation(name, args), Some(v));
        if quotient {
            self.atoms[a.0 as usize].least = Some(0);
        }
        Poly::atom(a)
    }

    /// Is a polynomial never negative, whatever runs?
    fn is_natural(&mut self, p: &Poly) -> bool {
        let mut known = Known::default();
        known.add(Poly::atom(self.threads()).plus_constant(-1));
        self.facts_anywhere(&mut known);
        known.not_negative(p)
    }

    /// What holds of atoms wherever they are.
    fn facts_anywhere(&self, known: &mut Known) {
        for (k, data) in self.atoms.iter().enumerate() {
            if let Some(least) = data.least {
                known.add(Poly::atom(Atom(k as u32)).plus_constant(-least));
            }
        }
    }

    fn load(&mut self, inst: Inst, v: Value) -> Poly {
        if !self.team.is_inside(v) || !self.team.is_uniform(v) || self.team.is_written(inst) {
            return self.opaque(v);
        }
        let address = self.address(self.team.body.insts[inst].args[0]);
        let key = Key::Load(address.base, address.bytes, self.team.body.ty(v));
        Poly::atom(self.intern(key, Some(v)))
    }

    // ---- addresses ----

    /// An address.
    pub fn address(&mut self, v: Value) -> Address {
        let body = self.team.body;
        let mut found = Address {
            base: Base(Atom(0)),
            bytes: Poly::default(),
            digits: Vec::new(),
        };
        let mut v = v;
        while let Some(inst) = body.def_inst(v) {
            let data = &body.insts[inst];
            match &data.op {
                Op::Addr(_) => match self.steps(inst, &mut found.digits) {
                    Some(bytes) => found.bytes = found.bytes.plus(&bytes),
                    None => break,
                },
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => {}
                _ => break,
            }
            v = data.args[0];
        }
        let load = body
            .def_inst(v)
            .filter(|&i| matches!(body.insts[i].op, Op::Load(_)));
        let global = body.def_inst(v).and_then(|i| match body.insts[i].op {
            Op::GlobalAddr(g) => Some(g),
            _ => None,
        });
        let base = match (load, global) {
            (Some(inst), _) => self.load(inst, v),
            // One atom for all mentions of a variable.
            (_, Some(g)) if !self.team.module.globals[g].thread_local => {
                Poly::atom(self.intern(Key::Operation(format!("{g:?}"), Vec::new()), Some(v)))
            }
            _ => self.opaque(v),
        };
        if let Some(a) = base.as_atom() {
            found.base = Base(a);
        }
        found
    }

    fn steps(&mut self, inst: Inst, digits: &mut Vec<(Atom, Poly, Poly)>) -> Option<Poly> {
        let body = self.team.body;
        let data = &body.insts[inst];
        let Op::Addr(attr) = &data.op else {
            return None;
        };
        let types = &self.team.module.types;
        let mut path = Path::new(types, attr.pointee);
        let mut bytes = Poly::default();
        let mut next = 1;
        for (k, step) in attr.steps.iter().enumerate() {
            match *step {
                Step::Index { stride } => {
                    let length = path
                        .at
                        .filter(|_| k > 0)
                        .and_then(|t| match types.shape(t) {
                            // Arrays of one element at the end of a struct are often longer.
                            CTypeKind::Array { len: Some(n), .. } if *n > 1 => Some(*n),
                            _ => None,
                        });
                    let mut index = self.integer(data.args[next]);
                    if let Some(n) = length {
                        index = self.digit(index, data.args[next], n, digits);
                    }
                    bytes = bytes.plus(&index.scaled(i128::from(stride)));
                    next += 1;
                }
                Step::IndexDyn => {
                    let (i, s) = (
                        self.integer(data.args[next]),
                        self.integer(data.args[next + 1]),
                    );
                    bytes = bytes.plus(&i.times(&s)?);
                    next += 2;
                }
                Step::Field { offset, .. } => bytes = bytes.plus_constant(i128::from(offset)),
                Step::Bytes(n) => bytes = bytes.plus_constant(i128::from(n)),
            }
            path.step(step);
        }
        Some(bytes)
    }

    /// An index into an array of `n` elements is smaller than that.
    fn digit(
        &mut self,
        index: Poly,
        v: Value,
        n: u64,
        digits: &mut Vec<(Atom, Poly, Poly)>,
    ) -> Poly {
        if index.as_constant().is_some() {
            return index;
        }
        let separators: HashSet<Atom> = index
            .atoms()
            .filter(|&a| self.data(a).separator.is_some())
            .collect();
        let highest = Poly::constant(i128::from(n) - 1);
        if separators.is_empty() {
            if index.atoms().all(|a| self.is_outside(a)) {
                return index;
            }
            let a = self.intern(Key::Digit(v, n), Some(v));
            let data = &mut self.atoms[a.0 as usize];
            data.lower = Some(Poly::default());
            data.upper = vec![highest];
            data.depth = usize::MAX;
            return Poly::atom(a);
        }
        for a in separators {
            if let Some((c, d)) = index.linear(a)
                && c.as_constant() == Some(1)
            {
                digits.push((a, d.scaled(-1), highest.minus(&d)));
            }
        }
        index
    }

    /// Does an atom come from outside of the region?
    pub fn is_outside(&self, a: Atom) -> bool {
        let data = self.data(a);
        match &data.key {
            Key::Value(v) => !self.team.is_inside(*v),
            Key::Operation(_, args) => args
                .iter()
                .flat_map(|p| p.atoms())
                .all(|a| self.is_outside(a)),
            _ => false,
        }
    }

    /// A value from outside of the region that is this atom.
    pub fn outer_value(&self, a: Atom) -> Option<Value> {
        let data = self.data(a);
        let inner = matches!(
            data.key,
            Key::Index(_)
                | Key::Offset(_)
                | Key::Digit(..)
                | Key::Choice(_)
                | Key::Turns(_)
                | Key::Around(_)
                | Key::Thread
                | Key::Threads
        );
        data.value.filter(|&v| !inner && !self.team.is_inside(v))
    }

    /// Is an atom the same for two threads that are in the same iterations of these loops?
    pub fn is_fixed(&self, a: Atom, locked: &HashSet<Inst>) -> bool {
        let team = self.team;
        let same = |v: Value| {
            !team.is_inside(v)
                || team.is_uniform_pointer(v) && team.is_locked(team.settled(v), locked)
        };
        match &self.data(a).key {
            Key::Thread => false,
            Key::Threads => true,
            Key::Index(_)
            | Key::Offset(_)
            | Key::Digit(..)
            | Key::Choice(_)
            | Key::Turns(_)
            | Key::Around(_) => self.data(a).value.is_some_and(same),
            Key::Value(v) => same(*v),
            Key::Load(base, bytes, _) => {
                self.is_fixed(base.0, locked) && bytes.atoms().all(|a| self.is_fixed(a, locked))
            }
            Key::Operation(_, args) => args
                .iter()
                .flat_map(|p| p.atoms())
                .all(|a| self.is_fixed(a, locked)),
        }
    }

    /// The largest (or smallest) value of a polynomial over all atoms that are not `kept`, if it is a polynomial in those that are.
    pub fn extreme(
        &self,
        p: &Poly,
        largest: bool,
        digits: &[(Atom, Poly, Poly)],
        known: &Known,
        kept: &dyn Fn(Atom) -> bool,
    ) -> Option<Poly> {
        self.extreme_on(p, largest, digits, known, kept, &Way::default())
    }

    /// As [`Terms::extreme`], without bounds that may be far away.
    pub fn near_extreme(
        &self,
        p: &Poly,
        largest: bool,
        digits: &[(Atom, Poly, Poly)],
        known: &Known,
        kept: &dyn Fn(Atom) -> bool,
    ) -> Option<Poly> {
        let way = Way {
            near: true,
            gone: Vec::new(),
        };
        self.extreme_on(p, largest, digits, known, kept, &way)
    }

    /// As [`Terms::extreme`], where some atoms are gone already: bounds may be stated of each other, in a circle.
    fn extreme_on(
        &self,
        p: &Poly,
        largest: bool,
        digits: &[(Atom, Poly, Poly)],
        known: &Known,
        kept: &dyn Fn(Atom) -> bool,
        way: &Way,
    ) -> Option<Poly> {
        let inner = p
            .atoms()
            .filter(|&a| !kept(a))
            .max_by_key(|&a| (self.data(a).depth, a));
        let Some(a) = inner else {
            return Some(p.clone());
        };
        let (c, _) = p.linear(a)?;
        let up = if known.not_negative(&c) {
            largest
        } else if known.not_negative(&c.scaled(-1)) {
            !largest
        } else {
            return None;
        };
        let data = self.data(a);
        let stated = digits.iter().filter(|d| d.0 == a);
        let candidates: Vec<&Poly> = match up {
            true => data.upper.iter().chain(stated.map(|d| &d.2)).collect(),
            false => data.lower.iter().chain(stated.map(|d| &d.1)).collect(),
        };
        let way = Way {
            near: way.near,
            gone: [&way.gone[..], &[a]].concat(),
        };
        let mut rest: Vec<Poly> = (candidates.into_iter())
            .filter(|bound| !way.gone.iter().any(|&g| bound.mentions(g)))
            .filter(|bound| !way.near || !data.far.contains(bound))
            .filter_map(|bound| p.substitute(a, bound))
            .collect();
        // The end of a block is where the next begins, or where all end: what leaves less to eliminate is closer.
        rest.sort_by_key(|next| next.atoms().filter(|&x| !kept(x)).count());
        (rest.iter()).find_map(|next| self.extreme_on(next, largest, digits, known, kept, &way))
    }

    /// What holds when an instruction runs: the loops around it are not empty, and numbers without a sign are not negative.
    pub fn facts(&mut self, inst: Inst, known: &mut Known, kept: &dyn Fn(&Self, Atom) -> bool) {
        let threads = self.threads();
        known.add(Poly::atom(threads).plus_constant(-1));
        for (holder, _) in self.team.around(inst) {
            if !matches!(self.team.body.insts[holder].op, Op::For(_)) {
                continue;
            }
            let index = self.index(holder);
            let atoms: Vec<Atom> = index.atoms().collect();
            for a in atoms {
                let data = self.data(a).clone();
                let Some(lower) = &data.lower else { continue };
                for upper in &data.upper {
                    let length = upper.minus(lower);
                    if length.atoms().all(|a| kept(self, a)) {
                        known.add(length);
                    }
                }
            }
        }
        self.facts_around(known, kept);
        for (k, data) in self.atoms.iter().enumerate() {
            if data.natural && kept(self, Atom(k as u32)) {
                known.add(Poly::atom(Atom(k as u32)));
            }
        }
        self.facts_anywhere(known);
    }

    /// What holds in the loops around the region: their indices are between their bounds.
    fn facts_around(&mut self, known: &mut Known, kept: &dyn Fn(&Self, Atom) -> bool) {
        let body = self.team.body;
        let mut bounded = Vec::new();
        let mut region = self.team.region;
        while let Some(holder) = body.regions[region].parent {
            let inner = region;
            region = body.insts[holder].parent;
            if !matches!(body.insts[holder].op, Op::For(_)) {
                continue;
            }
            let index = self.integer(body.regions[inner].args[0]);
            let (lower, upper) = self.bounds(holder);
            let above = lower.into_iter().map(|l| index.minus(&l));
            let below = upper.into_iter().map(|u| u.minus(&index));
            bounded.extend(above.chain(below));
        }
        bounded.retain(|p| p.atoms().all(|a| kept(self, a)));
        for fact in &bounded {
            known.add(fact.clone());
        }
        // What follows of single numbers: 0 <= k < n makes n natural.
        for a in bounded.iter().flat_map(Poly::atoms) {
            if known.not_negative(&Poly::atom(a)) {
                known.add(Poly::atom(a));
            }
        }
    }
}
