//! Integers and addresses of a team's region as polynomials over atoms.
//!
//! Atoms are values that are not taken apart: what comes from outside, loads of memory that nothing in the region writes (two loads of one address are one
//! atom), operations that are not polynomials (of the same operands: one atom), indices of loops. The index of a loop over a thread's share of the iterations is
//! a *separator*: in two threads it never has the same value.

use super::poly::{Atom, Known, Poly};
use super::team::{PART, THREAD, THREADS, Team};
use adjoin_ir::path::Path;
use adjoin_ir::{CTypeKind, Const, Inst, Op, Pred, Step, Type, Value};
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
    /// How many loops are around it: inner ones are eliminated first.
    depth: usize,
    natural: bool,
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

/// The atoms of a team's region.
pub struct Terms<'a> {
    pub team: &'a Team<'a>,
    atoms: Vec<AtomData>,
    known: HashMap<Key, Atom>,
    memo: HashMap<Value, Poly>,
}

/// Products with more than this, of 32 bits without a sign, are meant to wrap around.
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
        let natural = value.is_some_and(|v| {
            let ty = self.team.body.ty(v);
            ty.is_int() && !ty.is_signed()
        });
        self.atoms.push(AtomData {
            key: key.clone(),
            value,
            separator: None,
            lower: None,
            upper: Vec::new(),
            depth: 0,
            natural,
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
                match from.is_int()
                    && from.bits() >= 8
                    && (from.bits() >= 32 || from.bits() < ty.bits())
                {
                    true => self.integer(data.args[0]),
                    false => self.operation(inst, v),
                }
            }
            Op::Rem if exact => self.remainder(inst, v),
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
            Op::Load(_) => self.load(inst, v),
            Op::Call(_) if self.team.is_inside(v) => match self.team.callee(inst) {
                Some(THREAD) => Poly::atom(self.thread()),
                Some(THREADS) => Poly::atom(self.threads()),
                Some(PART) => self.operation(inst, v),
                _ => self.opaque(v),
            },
            _ => self.opaque(v),
        }
    }

    /// One of two integers at a constant distance: the second, or that much more.
    fn choice(&mut self, v: Value, condition: Value, a: Value, b: Value) -> Poly {
        let (p, q) = (self.integer(a), self.integer(b));
        let around = self
            .goes_around(v, (condition, true), &p, &q)
            .or_else(|| self.goes_around(v, (condition, false), &q, &p));
        if let Some(around) = around {
            return around;
        }
        let Some(distance) = p.minus(&q).as_constant().filter(|d| d.abs() < 1 << 16) else {
            return match self.team.body.def_inst(v) {
                Some(inst) if matches!(self.team.body.insts[inst].op, Op::Select) => {
                    self.operation(inst, v)
                }
                _ => self.opaque(v),
            };
        };
        let a = self.intern(Key::Choice(v), Some(v));
        let data = &mut self.atoms[a.0 as usize];
        data.lower = Some(Poly::default());
        data.upper = vec![Poly::constant(1)];
        data.depth = usize::MAX;
        q.plus(&Poly::atom(a).scaled(distance))
    }

    /// What holds of integers in front of an instruction, in terms of what has no bounds.
    fn facts_at(&mut self, inst: Inst) -> Known {
        let mut known = Known::default();
        self.facts(inst, &mut known, &|terms, a| terms.data(a).lower.is_none());
        known
    }

    /// Is a polynomial never negative where an instruction runs?
    fn is_natural_at(&mut self, inst: Inst, p: &Poly) -> bool {
        let known = self.facts_at(inst);
        let unbounded = |a: Atom| self.data(a).lower.is_none();
        self.extreme(p, false, &[], &known, &unbounded)
            .is_some_and(|low| known.not_negative(&low))
    }

    /// `p % n`: p less some turns of n.
    fn remainder(&mut self, inst: Inst, v: Value) -> Poly {
        let args = self.team.body.insts[inst].args.clone();
        let (p, n) = (self.integer(args[0]), self.integer(args[1]));
        if !self.team.is_inside(v) || n.as_constant() == Some(0) {
            return self.operation(inst, v);
        }
        if !self.is_natural_at(inst, &p) || !self.is_natural_at(inst, &n.plus_constant(-1)) {
            return self.operation(inst, v);
        }
        let last = n.plus_constant(-1);
        self.around(v, p, n, (Poly::default(), last))
    }

    /// `what` less some turns: between two bounds, in the end.
    fn around(&mut self, v: Value, what: Poly, turn: Poly, (low, high): (Poly, Poly)) -> Poly {
        let end = self.intern(Key::Around(v), Some(v));
        let data = &mut self.atoms[end.0 as usize];
        (data.lower, data.upper, data.depth) = (Some(low), vec![high], usize::MAX);
        if !what.atoms().any(|a| self.data(a).separator.is_some()) {
            return Poly::atom(end);
        }
        let turns = self.intern(Key::Turns(v), Some(v));
        let Some(all) = Poly::atom(turns).times(&turn) else {
            return Poly::atom(end);
        };
        self.atoms[turns.0 as usize].around = Some((what.clone(), turn, end));
        what.minus(&all)
    }

    /// A choice whose first value is taken for one index only, the first or the last of a loop, and is the second one turn further or back:
    /// `i == 0 ? n - 1 : i - 1`, `i + 1 < n ? i + 1 : 0`.
    fn goes_around(
        &mut self,
        v: Value,
        (condition, holds): (Value, bool),
        rare: &Poly,
        usual: &Poly,
    ) -> Option<Poly> {
        let (index, at) = self.pinned(condition, holds)?;
        let inst = self.team.body.def_inst(v)?;
        let there = usual.substitute(index, &at)?;
        let turn = there.minus(rare);
        let data = self.data(index).clone();
        let (first, last) = (data.lower.clone()?, data.upper.first()?.clone());
        let count = last.minus(&first).plus_constant(1);
        let forward = turn == count;
        if !forward && turn != count.scaled(-1) {
            return None;
        }
        // Where it arrives: between the first and the last, if the usual value is next to the index.
        let (c, offset) = usual.linear(index)?;
        if c.as_constant() != Some(1) || !self.is_natural_at(inst, &last.minus(&first)) {
            return None;
        }
        let bounds = (first.plus(&offset), last.plus(&offset));
        let shifted = match forward {
            true => (bounds.0.plus_constant(-1), bounds.1.plus_constant(-1)),
            false => (bounds.0.plus_constant(1), bounds.1.plus_constant(1)),
        };
        let fits = rare == if forward { &shifted.0 } else { &shifted.1 };
        fits.then(|| self.around(v, usual.clone(), count, shifted))
    }

    /// The index of a loop that has one value only if a condition holds (or does not), and that value.
    fn pinned(&mut self, condition: Value, holds: bool) -> Option<(Atom, Poly)> {
        let body = self.team.body;
        let data = &body.insts[body.def_inst(condition)?];
        if data.args.len() != 2 || !body.ty(data.args[0]).is_int() {
            return None;
        }
        let (l, r) = (self.integer(data.args[0]), self.integer(data.args[1]));
        let (above, below) = (l.minus(&r), r.minus(&l));
        let (not_negative, equal) = match (&data.op, holds) {
            (Op::Eq, true) | (Op::Ne, false) => (above, true),
            (Op::Lt, true) | (Op::Ge, false) => (below.plus_constant(-1), false),
            (Op::Lt, false) | (Op::Ge, true) => (above, false),
            (Op::Gt, true) | (Op::Le, false) => (above.plus_constant(-1), false),
            (Op::Gt, false) | (Op::Le, true) => (below, false),
            _ => return None,
        };
        let index = not_negative
            .atoms()
            .find(|&a| matches!(self.data(a).key, Key::Index(_)) && self.data(a).lower.is_some())?;
        let (c, rest) = not_negative.linear(index)?;
        let data = self.data(index);
        match c.as_constant()? {
            1 if equal || data.upper.contains(&rest.scaled(-1)) => Some((index, rest.scaled(-1))),
            -1 if equal || data.lower.as_ref() == Some(&rest) => Some((index, rest)),
            _ => None,
        }
    }

    /// A polynomial with the places where indices arrive, instead of what went around.
    pub fn arrived(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        let turns: Vec<Atom> = p
            .atoms()
            .filter(|&a| self.data(a).around.is_some())
            .collect();
        for a in turns {
            let Some((what, turn, end)) = &self.data(a).around else {
                continue;
            };
            // `c turns + d` with `turn * turns = what - end`.
            let replaced = p.linear(a).and_then(|(c, d)| {
                let each = c.divided_by(turn)?;
                Some(d.plus(&each.times(&what.minus(&Poly::atom(*end)))?))
            });
            if let Some(q) = replaced {
                p = q;
            }
        }
        p
    }

    /// A polynomial without turns around `count` steps of a stride.
    pub fn without_turns(&self, p: &Poly, stride: &Poly, count: &Poly) -> Poly {
        let mut p = p.clone();
        let Some(round) = stride.times(count) else {
            return p;
        };
        let turns: Vec<Atom> = p
            .atoms()
            .filter(|&a| self.data(a).around.is_some())
            .collect();
        for a in turns {
            if let Some((c, d)) = p.linear(a)
                && (c == round || c == round.scaled(-1))
            {
                // Whole turns that are written out (`i + n - 1`) go as well.
                p = d.without_multiples(&round);
            }
        }
        p
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
        Poly::atom(self.intern(Key::Operation(name, args), Some(v)))
    }

    fn load(&mut self, inst: Inst, v: Value) -> Poly {
        if !self.team.is_inside(v) || !self.team.is_uniform(v) {
            return self.opaque(v);
        }
        let address = self.address(self.team.body.insts[inst].args[0]);
        let key = Key::Load(address.base, address.bytes, self.team.body.ty(v));
        Poly::atom(self.intern(key, Some(v)))
    }

    // ---- loops ----

    /// The bounds of the index of a `for`, both included: lower, upper ones.
    fn bounds(&mut self, inst: Inst) -> (Option<Poly>, Vec<Poly>) {
        let body = self.team.body;
        let data = &body.insts[inst];
        let Op::For(attr) = &data.op else {
            return (None, Vec::new());
        };
        let first = self.integer(data.args[0]);
        let lasts = self.alternatives(data.args[1], attr.pred);
        let step = self.integer(data.args[2]);
        let signed = body.ty(data.args[0]).is_signed();
        let sign = match step.as_constant() {
            Some(n) => n.signum(),
            // A loop that runs towards its bound ends; without a sign it may also wrap around.
            None if signed || step == Poly::atom(self.threads()) => match attr.pred {
                Pred::Lt | Pred::Le => 1,
                Pred::Gt | Pred::Ge => -1,
                Pred::Ne => 0,
            },
            None => 0,
        };
        let shift = |d: i128| lasts.iter().map(|p| p.plus_constant(d)).collect::<Vec<_>>();
        match (attr.pred, sign, step.as_constant()) {
            (Pred::Lt, 1, _) | (Pred::Ne, 1, Some(1)) => (Some(first), shift(-1)),
            (Pred::Le, 1, _) => (Some(first), shift(0)),
            (Pred::Gt, -1, _) | (Pred::Ne, -1, Some(-1)) => (shift(1).pop(), vec![first]),
            (Pred::Ge, -1, _) => (shift(0).pop(), vec![first]),
            _ => (None, Vec::new()),
        }
    }

    /// Bounds that hold if a value is one: both sides of a minimum, for a loop that goes up.
    fn alternatives(&mut self, v: Value, pred: Pred) -> Vec<Poly> {
        let body = self.team.body;
        let own = self.integer(v);
        let mut v = v;
        while let Some(inst) = body.def_inst(v)
            && matches!(body.insts[inst].op, Op::Cast)
            && body.ty(body.insts[inst].args[0]).is_int()
        {
            v = body.insts[inst].args[0];
        }
        let mut all = Vec::new();
        if matches!(pred, Pred::Lt | Pred::Le)
            && let Some(inst) = body.def_inst(v)
        {
            let data = &body.insts[inst];
            let sides = match data.op {
                Op::Select => Some((data.args[0], data.args[1], data.args[2])),
                Op::If if data.results.len() == 1 => {
                    let [a, b] = [0, 1].map(|k| self.team.only_yields(data.regions[k]));
                    a.zip(b).map(|(a, b)| (data.args[0], a, b))
                }
                _ => None,
            };
            if let Some((condition, yes, no)) = sides {
                let (a, b) = (self.integer(yes), self.integer(no));
                if self.is_minimum(condition, &a, &b) {
                    all.extend([a, b]);
                }
            }
        }
        all.push(own);
        all
    }

    /// Is `condition ? a : b` the smaller one?
    fn is_minimum(&mut self, condition: Value, a: &Poly, b: &Poly) -> bool {
        let body = self.team.body;
        let Some(inst) = body.def_inst(condition) else {
            return false;
        };
        let data = &body.insts[inst];
        if data.args.len() != 2 || !body.ty(data.args[0]).is_int() {
            return false;
        }
        let (x, y) = (self.integer(data.args[0]), self.integer(data.args[1]));
        match data.op {
            Op::Lt | Op::Le => x == *a && y == *b,
            Op::Gt | Op::Ge => x == *b && y == *a,
            _ => false,
        }
    }

    /// The index of a `for` inside the region.
    fn index(&mut self, inst: Inst) -> Poly {
        let body = self.team.body;
        let region = body.insts[inst].regions[0];
        let v = body.regions[region].args[0];
        let key = Key::Index(inst);
        let depth = self.team.around(inst).len() + 1;
        if let Some(p) = self.shared_index(inst, depth) {
            return p;
        }
        let (lower, upper) = self.bounds(inst);
        let separates = |me: &Self, p: &Poly| p.atoms().any(|a| me.data(a).separator.is_some());
        let inner = |me: &mut Self, key: Key, lower: Option<Poly>, upper: Vec<Poly>| {
            let a = me.intern(key, Some(v));
            let data = &mut me.atoms[a.0 as usize];
            (data.lower, data.upper, data.depth) = (lower, upper, depth);
            Poly::atom(a)
        };
        if let Some(first) = &lower
            && separates(self, first)
        {
            // A block of iterations that a thread has to itself: count from its start, if its length is the same for all.
            let lengths: Vec<Poly> = upper
                .iter()
                .map(|u| u.minus(first))
                .filter(|l| !separates(self, l))
                .collect();
            if !lengths.is_empty() {
                let offset = inner(self, Key::Offset(inst), Some(Poly::default()), lengths);
                return first.plus(&offset);
            }
        }
        inner(self, key, lower, upper)
    }

    /// The index of a `for` over a thread's share.
    fn shared_index(&mut self, inst: Inst, depth: usize) -> Option<Poly> {
        let body = self.team.body;
        let data = &body.insts[inst];
        let Op::For(attr) = &data.op else { return None };
        let first = self.integer(data.args[0]);
        let last = self.integer(data.args[1]);
        let step = self.integer(data.args[2]);
        let (thread, threads) = (self.thread(), self.threads());
        let v = body.regions[data.regions[0]].args[0];
        // `first = origin + start`, `last = origin + end`, with start and end of a share.
        let starts: Vec<Atom> = first.atoms().collect();
        for a in starts {
            let Some((name, count)) = self.share(a) else {
                continue;
            };
            let origin = first.minus(&Poly::atom(a));
            let end = match attr.pred {
                Pred::Lt => last.minus(&origin),
                Pred::Le => last.minus(&origin).plus_constant(1),
                _ => continue,
            };
            let next = end.as_atom().is_some_and(|b| self.is_next_share(a, b));
            if !next || step.as_constant() != Some(1) || origin.mentions(thread) {
                continue;
            }
            let k = self.intern(Key::Index(inst), Some(v));
            let upper = vec![count.plus_constant(-1)];
            let data = &mut self.atoms[k.0 as usize];
            data.separator = Some(Separator::Contiguous(name, count));
            (data.lower, data.upper, data.depth) = (Some(Poly::default()), upper, depth);
            return Some(origin.plus(&Poly::atom(k)));
        }
        // `first = origin + s * thread`, `step = s * threads`.
        let (s, origin) = first.linear(thread)?;
        let stride = s.as_constant().filter(|&s| s > 0)?;
        if step != Poly::atom(threads).scaled(stride) || !matches!(attr.pred, Pred::Lt | Pred::Le) {
            return None;
        }
        let lasts = self.alternatives(data.args[1], attr.pred);
        let included = (attr.pred == Pred::Lt) as i128;
        let k = self.intern(Key::Index(inst), Some(v));
        let data = &mut self.atoms[k.0 as usize];
        data.separator = Some(Separator::Cyclic);
        data.lower = Some(Poly::default());
        data.depth = depth;
        if stride == 1 {
            data.upper = lasts
                .iter()
                .map(|l| l.minus(&origin).plus_constant(-included))
                .collect();
        }
        Some(origin.plus(&Poly::atom(k).scaled(stride)))
    }

    /// Is an atom the start of a thread's share, by which function and of how many iterations? `adjoin_part(n, threads, thread)`, or `thread * n / threads`.
    fn share(&mut self, a: Atom) -> Option<(&'static str, Poly)> {
        let (thread, threads) = (self.thread(), self.threads());
        let Key::Operation(name, args) = &self.data(a).key else {
            return None;
        };
        let of_team = |p: &Poly| *p == Poly::atom(threads);
        match args.as_slice() {
            [count, team, this] if name == PART => {
                (of_team(team) && *this == Poly::atom(thread) && !count.mentions(thread))
                    .then(|| (PART, count.clone()))
            }
            [product, team] if name.starts_with("Div ") => {
                let (count, rest) = product.linear(thread)?;
                (of_team(team) && rest.is_zero() && !count.is_zero()).then_some(("quotient", count))
            }
            _ => None,
        }
    }

    /// Is `b` the start of the next thread's share, where `a` is that of this one's?
    fn is_next_share(&mut self, a: Atom, b: Atom) -> bool {
        let thread = self.thread();
        let (Key::Operation(name, x), Key::Operation(other, y)) =
            (&self.data(a).key, &self.data(b).key)
        else {
            return false;
        };
        let next = Poly::atom(thread).plus_constant(1);
        name == other
            && x.len() == y.len()
            && x.iter()
                .zip(y)
                .all(|(p, q)| p.substitute(thread, &next).as_ref() == Some(q))
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
                || team.is_uniform(v) && team.is_locked(team.body.def_region(v), locked)
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
        candidates.into_iter().find_map(|bound| {
            if bound.mentions(a) {
                return None;
            }
            let next = p.substitute(a, bound)?;
            self.extreme(&next, largest, digits, known, kept)
        })
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
        for (k, data) in self.atoms.iter().enumerate() {
            if data.natural && kept(self, Atom(k as u32)) {
                known.add(Poly::atom(Atom(k as u32)));
            }
        }
    }
}
