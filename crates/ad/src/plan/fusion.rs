//! Which loops can be run together with their reverse: F of an iteration, and at once its R.
//!
//! The loop then runs where its mirror is. That is right if running it there does what it did in F, and if the iterations of R do not depend on each other:
//!
//! - What it reads is as it was: nothing that runs later writes there.
//! - What it writes is *scratch*: memory of the function's own that nothing else accesses, and of which no iteration reads what another one left there. Scratch is declared in the
//!   body, or each iteration begins with *initial* stores to the same bytes as all others, before anything is read. Other stores are to these bytes too, or are *updates*
//!   (`s[j] += …`): an update of a byte that is not among them would add to what was never initialised. Where the bytes depend on the iteration, all accesses must be to those
//!   of the initial stores.
//! - Or it is a *result*: memory that others know, but that nothing behind the loop accesses, and of which each iteration has places of its own (`out[i] = …`, `y[i] += …`).
//! - Active values go from one iteration to the next only in sums (`s += …`, in branches and inner loops too), whose adjoint is the same in all iterations.
//!
//! Then the shadow of scratch is zero between iterations, all other shadows are only added to, and the order of iterations does not matter: it is the primal's.

use crate::Registry;
use crate::activity::{Facts, is_number};
use crate::known::{self, Known};
use crate::plan::reread::Rereads;
use crate::points_to::dependence::When;
use crate::points_to::{Access, Object, PointsTo};
use crate::rules;
use adjoin_ir::{Body, Inst, Module, Op, Region, Type, Value, ValueDef};
use adjoin_passes::edit::{exit_target, is_inside, position};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeSet;

/// Answers for the loops of one body.
pub struct Fusion<'a> {
    pub(crate) module: &'a Module,
    pub(crate) registry: &'a Registry,
    pub(crate) body: &'a Body,
    pub(crate) points: &'a PointsTo<'a>,
    pub(crate) facts: &'a Facts,
    pub(crate) rereads: &'a Rereads,
    /// Loops that run as often as their bounds say.
    pub(crate) counted: &'a dyn Fn(Inst) -> bool,
    /// Who uses a value, and as which operand.
    pub(crate) uses: SecondaryMap<Value, Vec<(Inst, usize)>>,
}

/// What is asked of bytes: to be the same in all iterations of a loop, or at all places in one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Same {
    InAll,
    InOne,
}

/// Who uses the values of a body.
pub fn uses(body: &Body) -> SecondaryMap<Value, Vec<(Inst, usize)>> {
    let mut uses: SecondaryMap<Value, Vec<(Inst, usize)>> = SecondaryMap::new();
    body.walk(|inst| {
        for (k, &v) in body.insts[inst].args.iter().enumerate() {
            uses[v].push((inst, k));
        }
    });
    uses
}

/// The instructions in a loop, without itself.
pub(super) fn inside(body: &Body, holder: Inst) -> Vec<Inst> {
    let mut all = Vec::new();
    let mut work: Vec<Region> = body.insts[holder].regions.clone();
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            all.push(inst);
            work.extend(body.insts[inst].regions.iter().copied());
        }
    }
    all
}

impl Fusion<'_> {
    /// Why a loop cannot be fused, if it cannot.
    pub fn refusal(&self, holder: Inst) -> Option<String> {
        let body = self.body;
        if !(self.counted)(holder) {
            return Some("it may be left early".into());
        }
        let region = body.insts[holder].regions[0];
        let end = body.terminator(region);
        if !end.is_some_and(|e| matches!(body.insts[e].op, Op::Yield)) {
            return Some("it has no end".into());
        }
        let all = inside(body, holder);
        if let Some(&inst) = all.iter().find(|&&i| !self.runs_again(i)) {
            let name = body.insts[inst].op.info().name;
            return Some(format!(
                "it holds a '{name}' that cannot run at another time"
            ));
        }
        for (k, &v) in body.regions[region].args.iter().enumerate().skip(1) {
            if self.facts.varied.contains(v) && is_number(body.ty(v)) {
                let sums = self.is_sum(v, &|user, operand| end == Some(user) && operand + 1 == k);
                if !sums {
                    let name = body.values[v].name.as_deref().unwrap_or("a value");
                    return Some(format!("'{name}' is carried on, and is not a sum"));
                }
            }
        }
        self.memory_refusal(holder, &all)
    }

    /// Can an instruction be run at another time, if what it reads is the same?
    pub(super) fn runs_again(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Load(attr) | Op::Store(attr) => !attr.volatile,
            Op::LoadBits(attr) => !attr.volatile,
            Op::Call(attr) => {
                let function = &self.module.funcs[attr.func];
                let numbers = data.args.iter().all(|&a| self.body.ty(a) != Type::Ptr);
                let rule = function.body.is_none() && rules::lookup(&function.name).is_some();
                let custom = self.registry.gradients.contains_key(&attr.func);
                (numbers && rule && !custom) || self.points.extent(inst).is_some()
            }
            Op::Copy(_) | Op::Zero(_) | Op::Slot(_) => true,
            Op::If | Op::For(_) | Op::Loop | Op::Switch(_) | Op::Block => true,
            Op::Return => false,
            op => op.is_pure() || op.is_terminator(),
        }
    }

    /// Does a value only go into a sum that reaches its end, with all uses on the way? In branches and inner loops too.
    fn is_sum(&self, start: Value, end: &dyn Fn(Inst, usize) -> bool) -> bool {
        let body = self.body;
        let mut chain = BTreeSet::from([start]);
        let mut work = vec![start];
        let mut checks: Vec<Inst> = Vec::new();
        let mut reached = false;
        while let Some(v) = work.pop() {
            for &(user, operand) in &self.uses[v] {
                if end(user, operand) {
                    reached = true;
                    continue;
                }
                let data = &body.insts[user];
                let next: Vec<Value> = match &data.op {
                    Op::Add => vec![data.results[0]],
                    Op::Sub if operand == 0 => vec![data.results[0]],
                    Op::Select if operand > 0 => vec![data.results[0]],
                    Op::For(_) if operand >= 3 && (self.counted)(user) => {
                        let inner = data.regions[0];
                        vec![
                            body.regions[inner].args[operand - 2],
                            data.results[operand - 2],
                        ]
                    }
                    Op::Yield => match exit_target(body, user) {
                        Some(t) if matches!(body.insts[t].op, Op::If) => {
                            checks.push(t);
                            vec![body.insts[t].results[operand]]
                        }
                        Some(t) if matches!(body.insts[t].op, Op::For(_)) => {
                            checks.push(t);
                            vec![body.insts[t].results[operand + 1]]
                        }
                        _ => return false,
                    },
                    _ => return false,
                };
                checks.push(user);
                for v in next {
                    if chain.insert(v) {
                        work.push(v);
                    }
                }
            }
        }
        reached && checks.into_iter().all(|inst| self.is_link(inst, &chain))
    }

    /// Is an instruction of a chain a link: the sum goes through it once, whichever way control takes?
    fn is_link(&self, inst: Inst, chain: &BTreeSet<Value>) -> bool {
        let body = self.body;
        let data = &body.insts[inst];
        let is = |v: Value| chain.contains(&v);
        let operand = |region: Region, k: usize| {
            let end = body.terminator(region)?;
            matches!(body.insts[end].op, Op::Yield)
                .then(|| body.insts[end].args.get(k).copied())
                .flatten()
        };
        match &data.op {
            Op::Add => is(data.args[0]) != is(data.args[1]),
            Op::Sub => !is(data.args[1]),
            Op::Select => is(data.args[1]) && is(data.args[2]),
            Op::If => (0..data.results.len()).all(|k| {
                !is(data.results[k]) || data.regions.iter().all(|&r| operand(r, k).is_some_and(is))
            }),
            Op::For(_) => (1..data.results.len()).all(|k| {
                let parts = [
                    is(data.args[k + 2]),
                    is(body.regions[data.regions[0]].args[k]),
                    operand(data.regions[0], k - 1).is_some_and(is),
                    is(data.results[k]),
                ];
                parts.iter().all(|&p| p == parts[0])
            }),
            _ => true,
        }
    }

    // ---- memory ----

    pub(super) fn objects(&self, address: Value) -> BTreeSet<Object> {
        let places = self.points.objects(address).iter();
        places.map(|p| p.object).collect()
    }

    fn memory_refusal(&self, holder: Inst, all: &[Inst]) -> Option<String> {
        let mut scratch: BTreeSet<Object> = BTreeSet::new();
        let mut results: Vec<(Inst, Access)> = Vec::new();
        for &inst in all {
            for write in self.points.writes(inst) {
                let pointer = matches!(self.body.insts[inst].op, Op::Store(_))
                    && self.body.ty(self.body.insts[inst].args[1]) == Type::Ptr;
                match write.address {
                    Some(a) if pointer || self.points.objects(a).is_empty() => {
                        return Some("it writes pointers".into());
                    }
                    Some(a) if self.points.is_private(a) => scratch.extend(self.objects(a)),
                    _ => results.push((inst, write)),
                }
            }
        }
        if !self.are_results(holder, &results) {
            return Some("it writes memory that others know".into());
        }
        for &inst in all {
            for read in self.points.reads(inst) {
                let of = read.address.map(|a| self.objects(a)).unwrap_or_default();
                let inputs = of.is_disjoint(&scratch);
                let is_load = matches!(self.body.insts[inst].op, Op::Load(_) | Op::LoadBits(_));
                let kept = match inputs {
                    true if is_load && self.rereads.can(inst) => true,
                    true => self.stays_but_for(inst, &results),
                    false => of.is_subset(&scratch),
                } && self.is_apart(holder, inst, &read, &results);
                if !kept || self.facts.renewed.contains_key(&inst) {
                    return Some("what it reads may be written afterwards".into());
                }
            }
        }
        let good = scratch.iter().all(|&o| self.is_scratch(o, holder, all));
        (!good).then(|| "an iteration may read what another one wrote".into())
    }

    /// Is all that a loop writes of memory that others know its result? Iterations do not meet there, and nothing behind the loop looks at it.
    fn are_results(&self, holder: Inst, results: &[(Inst, Access)]) -> bool {
        const MOST: usize = 32;
        let simple = |(inst, write): &(Inst, Access)| self.is_result(*inst, write);
        if results.len() > MOST || !results.iter().all(simple) {
            return false;
        }
        results
            .iter()
            .all(|(inst, write)| self.is_apart(holder, *inst, write, results))
            && self.are_last(holder, results)
    }

    /// Can a write be that of a result? It is plain, and of numbers in a place that is known.
    pub(super) fn is_result(&self, inst: Inst, write: &Access) -> bool {
        let op = &self.body.insts[inst].op;
        let plain = matches!(op, Op::Store(_) | Op::Copy(_) | Op::Zero(_));
        plain && write.address.is_some() && write.size.is_some()
    }

    /// Does nothing behind a loop or a region, or beside it in what is around it, access its results?
    pub(super) fn are_last(&self, holder: Inst, results: &[(Inst, Access)]) -> bool {
        let body = self.body;
        let top = |mut inst: Inst| {
            while let Some(outer) = body.regions[body.insts[inst].parent].parent {
                inst = outer;
            }
            position(body, inst)
        };
        let from = top(holder);
        let mut last = true;
        body.walk(|inst| {
            if !last || results.is_empty() || top(inst) < from || is_inside(body, inst, holder) {
                return;
            }
            let accesses = (self.points.reads(inst).into_iter()).chain(self.points.writes(inst));
            for access in accesses {
                last &= !results
                    .iter()
                    .any(|(_, w)| self.points.may_alias(w, &access));
            }
        });
        last
    }

    /// Do no two iterations of a loop meet in an access of one and a result of the other?
    fn is_apart(
        &self,
        holder: Inst,
        inst: Inst,
        access: &Access,
        results: &[(Inst, Access)],
    ) -> bool {
        let when = When::Across {
            holder,
            aligned: false,
        };
        results.iter().all(|&(other, ref write)| {
            if !self.points.may_alias(access, write) {
                return true;
            }
            let (Some(here), Some(there)) = (access.at(inst), write.at(other)) else {
                return false;
            };
            !self.points.can_meet(here, other, write, when)
                && !self.points.can_meet(there, inst, access, when)
        })
    }

    /// Does nothing but the loop itself, with its results, write afterwards what an instruction reads?
    pub(super) fn stays_but_for(&self, inst: Inst, results: &[(Inst, Access)]) -> bool {
        let clobbers = self.points.all_clobbers(inst, |_| true);
        let is_result = |w: &Inst| results.iter().any(|(inst, _)| inst == w);
        clobbers.iter().all(is_result)
    }

    /// Is an object, written in a loop, the iteration's own?
    fn is_scratch(&self, object: Object, holder: Inst, all: &[Inst]) -> bool {
        let body = self.body;
        let (Object::Stack(made) | Object::Heap(made)) = object else {
            return false;
        };
        if is_inside(body, made, holder) {
            return matches!(body.insts[made].op, Op::Slot(_));
        }
        let touches = |inst: Inst| {
            let accesses = (self.points.reads(inst).into_iter()).chain(self.points.writes(inst));
            let mut addresses = accesses.filter_map(|a| a.address);
            addresses.any(|a| self.objects(a).contains(&object))
        };
        // Nothing else knows it.
        let mut alone = true;
        body.walk(|inst| {
            alone &= is_inside(body, inst, holder) || self.is_free(inst) || !touches(inst);
        });
        let uninitialised = match &body.insts[made].op {
            Op::Slot(_) => true,
            op => matches!(self.known(op), Some(Known::Malloc(_))),
        };
        let accesses: Vec<Inst> = all.iter().copied().filter(|&i| touches(i)).collect();
        let around = self.innermost(holder, &accesses);
        alone
            && [Same::InAll, Same::InOne]
                .into_iter()
                .any(|same| self.is_covered(&accesses, around, same, uninitialised))
    }

    /// Is what iterations of a loop read of an object written before in the same iteration, or never initialised? `InAll`: all iterations begin with stores to the same bytes.
    /// `InOne`: an iteration begins with stores to bytes that depend on it, and does not access others.
    fn is_covered(&self, accesses: &[Inst], around: Inst, same: Same, uninitialised: bool) -> bool {
        let body = self.body;
        let reads = |inst: Inst| !self.points.reads(inst).is_empty();
        let writes = |inst: Inst| !self.points.writes(inst).is_empty();
        let plain: Vec<Inst> = accesses
            .iter()
            .copied()
            .filter(|&i| !reads(i) || !self.is_forwarded(i, around))
            .collect();
        let body_of = body.insts[around].regions[0];
        let place = |inst: Inst| {
            let mut inst = inst;
            while body.insts[inst].parent != body_of {
                inst = body.regions[body.insts[inst].parent].parent?;
            }
            Some(position(body, inst))
        };
        let first_read = (plain.iter())
            .filter(|&&i| reads(i))
            .filter_map(|&i| place(i))
            .min();
        let Some(first_read) = first_read else {
            return true;
        };
        let initial: BTreeSet<String> = (plain.iter())
            .filter(|&&i| writes(i) && place(i).is_some_and(|p| p < first_read))
            .filter_map(|&i| self.same_bytes(i, around, same))
            .collect();
        let is_initial = |inst: Inst, address: Value| {
            let bytes = self.bytes_of(inst, address, around, same, &mut Vec::new());
            bytes.is_some_and(|b| initial.contains(&b))
        };
        let mut updates = BTreeSet::new();
        for &inst in &plain {
            if let Some(load) = self.updated(inst) {
                updates.insert(inst);
                updates.insert(load);
            }
        }
        let is_good = |inst: Inst| {
            let data = &body.insts[inst];
            let update = updates.contains(&inst) && uninitialised && same == Same::InAll;
            // The address that is written comes first, then the one that is read.
            let written = !writes(inst) || is_initial(inst, data.args[0]);
            let read = !reads(inst)
                || same == Same::InAll
                || is_initial(inst, data.args[usize::from(writes(inst))]);
            update || (written && read)
        };
        !initial.is_empty() && plain.iter().all(|&i| is_good(i))
    }

    /// Does a load read what was just stored there, in front of it or of what holds it?
    fn is_forwarded(&self, load: Inst, around: Inst) -> bool {
        let body = self.body;
        let data = &body.insts[load];
        if !matches!(data.op, Op::Load(_)) {
            return false;
        }
        let (address, size) = (data.args[0], body.ty(data.results[0]).size());
        let stores = self.uses[address].iter().filter(|&&(user, operand)| {
            operand == 0
                && matches!(body.insts[user].op, Op::Store(_))
                && body.ty(body.insts[user].args[1]).size() >= size
        });
        let outermost = body.insts[around].regions[0];
        let mut before = stores.map(|&(store, _)| store).filter(|&store| {
            let home = body.insts[store].parent;
            let mut at = load;
            while body.insts[at].parent != home {
                match body.regions[body.insts[at].parent].parent {
                    Some(holder) => at = holder,
                    None => return false,
                }
            }
            body.encloses(outermost, home) && position(body, store) < position(body, at)
        });
        before.next().is_some()
    }

    pub(super) fn known(&self, op: &Op) -> Option<Known> {
        let Op::Call(attr) = op else { return None };
        let function = &self.module.funcs[attr.func];
        match function.body {
            Some(_) => None,
            None => known::lookup(&function.name),
        }
    }

    pub(super) fn is_free(&self, inst: Inst) -> bool {
        self.known(&self.body.insts[inst].op) == Some(Known::Free)
    }

    /// The innermost loop around all of these instructions, at most this one.
    fn innermost(&self, holder: Inst, accesses: &[Inst]) -> Inst {
        let mut around = holder;
        loop {
            let list = &self.body.regions[self.body.insts[around].regions[0]].insts;
            let inner = list.iter().copied().find(|&l| {
                matches!(self.body.insts[l].op, Op::For(_))
                    && accesses.iter().all(|&i| is_inside(self.body, i, l))
            });
            match inner {
                Some(l) if (self.counted)(l) => around = l,
                _ => return around,
            }
        }
    }

    /// The load of an update `place = place + amount`, by its store.
    fn updated(&self, store: Inst) -> Option<Inst> {
        let data = &self.body.insts[store];
        if !matches!(data.op, Op::Store(_)) {
            return None;
        }
        let (address, stored) = (data.args[0], data.args[1]);
        let uses = self.uses[address].iter();
        let loads = uses.filter(|(i, _)| matches!(self.body.insts[*i].op, Op::Load(_)));
        loads.map(|&(load, _)| load).find(|&load| {
            let v = self.body.result(load);
            self.body.ty(v) == self.body.ty(stored)
                && !self.uses[v].is_empty()
                && self.is_sum(v, &|user, operand| user == store && operand == 1)
        })
    }

    /// If a store is done in every iteration of a loop, and to the same bytes: a text for these bytes.
    fn same_bytes(&self, store: Inst, around: Inst, same: Same) -> Option<String> {
        let mut counters = Vec::new();
        let address = self.body.insts[store].args[0];
        let mut text = self.bytes_of(store, address, around, same, &mut counters)?;
        let mut region = self.body.insts[store].parent;
        let body_of = self.body.insts[around].regions[0];
        while region != body_of {
            let holder = self.body.regions[region].parent?;
            let data = &self.body.insts[holder];
            if !matches!(data.op, Op::For(_)) || !(self.counted)(holder) {
                return None;
            }
            if !counters.contains(&holder) {
                // It writes the same in each of its iterations, or nothing if it has none.
                for &bound in &data.args[..3] {
                    text += ";";
                    text += &self.same(bound, (around, same), &mut counters, 0)?;
                }
            }
            region = data.parent;
        }
        Some(text)
    }

    /// A text for the bytes that all executions of an access in an iteration of a loop can reach, if these are the same bytes in all iterations or, as asked for, in one.
    fn bytes_of(
        &self,
        inst: Inst,
        address: Value,
        around: Inst,
        same: Same,
        counters: &mut Vec<Inst>,
    ) -> Option<String> {
        let data = &self.body.insts[inst];
        let address = self.same(address, (around, same), counters, 0)?;
        let size = match &data.op {
            Op::Store(_) => self.body.ty(data.args[1]).size().to_string(),
            Op::Load(_) => self.body.ty(data.results[0]).size().to_string(),
            Op::Zero(attr) | Op::Copy(attr) => attr.bytes.to_string(),
            _ => self.same(self.points.extent(inst)?, (around, same), counters, 0)?,
        };
        Some(format!("{address}:{size}"))
    }

    /// A text for a value that is the same in all iterations of a loop, or in one, but for the counters of loops inside it, which stand for all their values.
    fn same(
        &self,
        v: Value,
        (around, same): (Inst, Same),
        counters: &mut Vec<Inst>,
        depth: usize,
    ) -> Option<String> {
        const DEEPEST: usize = 12;
        let body = self.body;
        let region = body.insts[around].regions[0];
        if !body.encloses(region, body.def_region(v)) {
            return Some(format!("{v}"));
        }
        if depth > DEEPEST {
            return None;
        }
        let texts = |args: &[Value], counters: &mut Vec<Inst>| -> Option<String> {
            let mut all = Vec::new();
            for &a in args {
                all.push(self.same(a, (around, same), counters, depth + 1)?);
            }
            Some(all.join(","))
        };
        match body.values[v].def {
            ValueDef::Arg(r, 0) if r != region => {
                let holder = body.regions[r].parent?;
                let data = &body.insts[holder];
                let Op::For(attr) = &data.op else { return None };
                let number = match counters.iter().position(|&c| c == holder) {
                    Some(k) => k,
                    None => {
                        counters.push(holder);
                        counters.len() - 1
                    }
                };
                let bounds = texts(&data.args[..3], counters)?;
                Some(format!("for{number}({:?};{bounds})", attr.pred))
            }
            ValueDef::Arg(r, _) if r == region && same == Same::InOne => Some(format!("{v}")),
            ValueDef::Arg(..) => None,
            ValueDef::Result(inst, _) => {
                let data = &body.insts[inst];
                if !data.op.is_pure() || !data.regions.is_empty() {
                    let once = data.parent == region && same == Same::InOne;
                    return once.then(|| format!("{v}"));
                }
                let operands = texts(&data.args, counters)?;
                // Conversions differ in what they result in alone.
                let ty = self.body.ty(v).name();
                Some(format!("{:?} {ty}({operands})", data.op))
            }
        }
    }
}
