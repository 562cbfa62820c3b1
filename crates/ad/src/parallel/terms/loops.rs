//! Indices of loops: their bounds, and which of them threads never share.

use super::{Key, Separator, Terms};
use crate::parallel::poly::{Atom, Poly};
use crate::parallel::team::PART;
use adjoin_ir::{Inst, Op, Pred, Value};

/// Shares that are multiples of a grain, of which there is only one.
pub const IN_BLOCKS: &str = "adjoin_part in blocks";

/// Bounds of loops are looked through so many choices of the smaller or larger of two.
const MOST_CHOICES: u32 = 4;

impl Terms<'_> {
    /// The bounds of the index of a `for`, both included: lower, upper ones.
    pub(super) fn bounds(&mut self, inst: Inst) -> (Option<Poly>, Vec<Poly>) {
        let body = self.team.body;
        let data = &body.insts[inst];
        let Op::For(attr) = &data.op else {
            return (None, Vec::new());
        };
        let first = self.integer(data.args[0]);
        let lowers = self.lowers(data.args[0], MOST_CHOICES);
        let lasts = self.alternatives(data.args[1], attr.pred, &lowers);
        let step = self.integer(data.args[2]);
        let signed = body.ty(data.args[0]).is_signed();
        // A bound that went below zero is never reached, if something else ends the loop.
        let own = self.integer(data.args[1]);
        let reached = self.is_left_at_end(inst) || self.is_as_it_is(data.args[1], inst, &own);
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
            _ if !reached => (None, Vec::new()),
            (Pred::Lt, 1, _) | (Pred::Ne, 1, Some(1)) => (Some(first), shift(-1)),
            (Pred::Le, 1, _) => (Some(first), shift(0)),
            (Pred::Gt, -1, _) | (Pred::Ne, -1, Some(-1)) => (shift(1).pop(), vec![first]),
            (Pred::Ge, -1, _) => (shift(0).pop(), vec![first]),
            _ => (None, Vec::new()),
        }
    }

    /// Bounds that hold if a value is one: both sides of a minimum, for a loop that goes up.
    fn alternatives(&mut self, v: Value, pred: Pred, lower: &[Poly]) -> Vec<Poly> {
        let mut all = Vec::new();
        if matches!(pred, Pred::Lt | Pred::Le) {
            self.collect(
                v,
                (pred == Pred::Lt).then_some(lower),
                MOST_CHOICES,
                &mut all,
            );
        }
        let own = self.integer(v);
        if !all.contains(&own) {
            all.push(own);
        }
        all
    }

    /// What an integer is not above: both sides of a minimum. A loop below the larger one of where it starts and something else, if it runs at all, is below the other.
    fn collect(&mut self, v: Value, below: Option<&[Poly]>, depth: u32, all: &mut Vec<Poly>) {
        let Some((condition, yes, no)) = self.sides(v).filter(|_| depth > 0) else {
            let p = self.integer(v);
            if !all.contains(&p) {
                all.push(p);
            }
            return;
        };
        let (a, b) = (self.integer(yes), self.integer(no));
        if self.is_minimum(condition, &a, &b) {
            self.collect(yes, below, depth - 1, all);
            self.collect(no, below, depth - 1, all);
        } else if self.is_maximum(condition, &a, &b) {
            let starts = |p: &Poly| below.is_some_and(|lower| lower.contains(p));
            match (starts(&a), starts(&b)) {
                (true, false) => self.collect(no, below, depth - 1, all),
                (false, true) => self.collect(yes, below, depth - 1, all),
                _ => {}
            }
        }
    }

    /// What an integer is not below: both sides of a maximum, and itself.
    fn lowers(&mut self, v: Value, depth: u32) -> Vec<Poly> {
        let mut all = vec![self.integer(v)];
        if let Some((condition, yes, no)) = self.sides(v).filter(|_| depth > 0) {
            let (a, b) = (self.integer(yes), self.integer(no));
            if self.is_maximum(condition, &a, &b) {
                all.extend(self.lowers(yes, depth - 1));
                all.extend(self.lowers(no, depth - 1));
            }
        }
        all
    }

    /// An integer that is one of two: the condition and both.
    fn sides(&mut self, mut v: Value) -> Option<(Value, Value, Value)> {
        let body = self.team.body;
        while let Some(inst) = body.def_inst(v)
            && matches!(body.insts[inst].op, Op::Cast)
            && body.ty(body.insts[inst].args[0]).is_int()
        {
            v = body.insts[inst].args[0];
        }
        let data = &body.insts[body.def_inst(v)?];
        match data.op {
            Op::Select => Some((data.args[0], data.args[1], data.args[2])),
            Op::If if data.results.len() == 1 => {
                let [a, b] = [0, 1].map(|k| self.team.only_yields(data.regions[k]));
                a.zip(b).map(|(a, b)| (data.args[0], a, b))
            }
            _ => None,
        }
    }

    /// Is `condition ? a : b` the smaller one?
    fn is_minimum(&mut self, condition: Value, a: &Poly, b: &Poly) -> bool {
        self.compares(condition)
            .is_some_and(|(less, more)| less == *a && more == *b)
    }

    /// Is `condition ? a : b` the larger one?
    pub(super) fn is_maximum(&mut self, condition: Value, a: &Poly, b: &Poly) -> bool {
        self.compares(condition)
            .is_some_and(|(less, more)| less == *b && more == *a)
    }

    /// The two sides of a comparison of integers, the one first that is less if it holds.
    pub(super) fn compares(&mut self, condition: Value) -> Option<(Poly, Poly)> {
        let body = self.team.body;
        let data = &body.insts[body.def_inst(condition)?];
        if data.args.len() != 2 || !body.ty(data.args[0]).is_int() {
            return None;
        }
        let (x, y) = (self.integer(data.args[0]), self.integer(data.args[1]));
        let inst = body.def_inst(condition)?;
        if !self.is_as_it_is(data.args[0], inst, &x) || !self.is_as_it_is(data.args[1], inst, &y) {
            return None;
        }
        match data.op {
            Op::Lt | Op::Le => Some((x, y)),
            Op::Gt | Op::Ge => Some((y, x)),
            _ => None,
        }
    }

    /// Is a value what its polynomial says where an instruction runs? In a type without a sign, what is below zero is larger than all else (`n - 1 < m` where n is zero).
    pub(super) fn is_as_it_is(&mut self, v: Value, at: Inst, p: &Poly) -> bool {
        let body = self.team.body;
        let ty = body.ty(v);
        if ty.is_signed() || ty.bits() < 32 {
            return true;
        }
        let unsigned = p
            .as_atom()
            .and_then(|a| self.data(a).value)
            .map(|v| body.ty(v));
        unsigned.is_some_and(|t| t.is_int() && !t.is_signed())
            || p.as_constant().is_some_and(|n| n >= 0)
            || self.is_natural_at(at, p)
    }

    /// The index of a `for` inside the region.
    pub(super) fn index(&mut self, inst: Inst) -> Poly {
        let body = self.team.body;
        let region = body.insts[inst].regions[0];
        let v = body.regions[region].args[0];
        let key = Key::Index(inst);
        let depth = self.team.around(inst).len() + 1;
        if let Some(p) = self.shared_index(inst, depth) {
            return p;
        }
        let (lower, upper) = self.bounds(inst);
        // The last one is the loop's own.
        let own = upper.last().cloned().filter(|_| self.is_left_at_end(inst));
        let separates = |me: &Self, p: &Poly| p.atoms().any(|a| me.data(a).separator.is_some());
        let inner =
            |me: &mut Self, key: Key, lower: Option<Poly>, upper: Vec<Poly>, own: Option<Poly>| {
                let a = me.intern(key, Some(v));
                let data = &mut me.atoms[a.0 as usize];
                data.far = upper
                    .iter()
                    .filter(|&u| Some(u) != own.as_ref())
                    .cloned()
                    .collect();
                (data.lower, data.upper, data.depth) = (lower, upper, depth);
                Poly::atom(a)
            };
        if let Some(lowest) = &lower {
            // A block of iterations that a thread has to itself: count from its start, if its length is the same for all.
            let mut starts = self.lowers(body.insts[inst].args[0], MOST_CHOICES);
            if starts[0] != *lowest {
                starts = vec![lowest.clone()];
            }
            for first in starts.into_iter().filter(|p| separates(self, p)) {
                let lengths = upper.iter().map(|u| u.minus(&first));
                let (others, mut lengths): (Vec<Poly>, Vec<Poly>) =
                    lengths.partition(|l| separates(self, l));
                if !lengths.is_empty() {
                    lengths.extend(others);
                    let zero = Some(Poly::default());
                    let own = own.map(|u| u.minus(&first));
                    let offset = inner(self, Key::Offset(inst), zero, lengths, own);
                    return first.plus(&offset);
                }
            }
        }
        // Where the bounds go around, they are between those of where they arrive.
        let lower = lower.map(|p| self.arrived(&p));
        let upper = upper.iter().map(|p| self.arrived(p)).collect();
        let own = own.map(|p| self.arrived(&p));
        inner(self, key, lower, upper, own)
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
        let lasts = self.alternatives(data.args[1], attr.pred, &[]);
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

    /// Is an atom the start of a thread's share, by which function and of how many iterations? `adjoin_part(n, threads, thread, grain)`, or `thread * n / threads`.
    pub(super) fn share(&mut self, a: Atom) -> Option<(&'static str, Poly)> {
        let (thread, threads) = (self.thread(), self.threads());
        let Key::Operation(name, args) = &self.data(a).key else {
            return None;
        };
        let of_team = |p: &Poly| *p == Poly::atom(threads);
        match args.as_slice() {
            [count, team, this, grain] if name == PART => {
                let label = match grain.as_constant()? {
                    1 => PART,
                    _ => IN_BLOCKS,
                };
                (of_team(team) && *this == Poly::atom(thread) && !count.mentions(thread))
                    .then(|| (label, count.clone()))
            }
            [product, team] if name.starts_with("Div ") => {
                let (count, rest) = product.linear(thread)?;
                (of_team(team) && rest.is_zero() && !count.is_zero()).then_some(("quotient", count))
            }
            _ => None,
        }
    }

    /// Is `b` the start of the next thread's share, where `a` is that of this one's?
    pub(super) fn is_next_share(&mut self, a: Atom, b: Atom) -> bool {
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
}
