//! Pointers and integers that one thread sets for all, each thread can set for itself: `single` or `master` that exchanges the buffers of a time loop, or counts steps. The variable becomes one of each thread,
//! every thread does what the one did, and the first hands it back at the end. Who reads the variable, waits in a barrier for the one that sets it (the program has no races), so the thread's own
//! has the same value there. Only values that are the same in all threads are set so: not the number of the thread, its share or its objects.

use super::team::Team;
use super::{directive, inside, tasks};
use crate::edit::{Replacements, insts_in, is_inside, move_before, position, unlink};
use adjoin_ir::{Builder, Directive, Inst, Op, Region, Type, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

impl Team<'_> {
    /// Lets each thread have its own of variables that only one sets.
    pub fn replicate(&mut self, region: Region) {
        let branches = self.branches_of_one();
        if branches.is_empty() {
            return;
        }
        let mut variables = self.variables(&branches);
        loop {
            let kept = self.settable(&branches, &variables);
            let same = kept.len() == variables.len();
            variables = kept;
            if same {
                break;
            }
        }
        if variables.is_empty() {
            return;
        }
        for &branch in &branches {
            self.set_by_all(branch, &variables);
        }
        for (&variable, &ty) in &variables {
            self.own_variable(region, variable, ty);
        }
        for branch in branches {
            self.drop_if_empty(branch);
        }
    }

    /// Branches that only the first thread takes, in front of a barrier: all threads get there.
    fn branches_of_one(&self) -> Vec<Inst> {
        let mut found = Vec::new();
        let mut with_tasks = false;
        inside(self.body, self.par, &mut |inst| {
            with_tasks |= directive(self.body, inst).is_some_and(tasks::is_of_tasks);
            let data = &self.body.insts[inst];
            if matches!(data.op, Op::If) && data.results.is_empty() && self.is_first(data.args[0]) {
                found.push(inst);
            }
        });
        found.retain(|&inst| self.is_before_barrier(inst));
        match with_tasks {
            true => Vec::new(),
            false => found,
        }
    }

    /// Does a condition ask whether this is the first thread?
    fn is_first(&self, condition: Value) -> bool {
        let Some(inst) = self.body.def_inst(condition) else {
            return false;
        };
        let data = &self.body.insts[inst];
        let zero = |v: Value| self.body.const_int(v) == Some(0);
        match data.args[..] {
            [a, b] if matches!(data.op, Op::Eq) => {
                a == self.thread && zero(b) || b == self.thread && zero(a)
            }
            _ => false,
        }
    }

    fn is_before_barrier(&self, branch: Inst) -> bool {
        let data = &self.body.insts[branch];
        let list = &self.body.regions[data.parent].insts;
        let mut after = list[position(self.body, branch) + 1..].iter();
        let next = after.find(|&&i| !self.body.insts[i].op.is_pure());
        let plain = (data.regions.iter()).all(|&r| {
            let end = self.body.terminator(r).map(|i| &self.body.insts[i].op);
            matches!(end, Some(Op::Yield))
        });
        plain && next.is_some_and(|&i| directive(self.body, i) == Some(&Directive::Barrier))
    }

    /// Variables from outside, set there before, that are read and written as a whole, and in the region written in these branches alone.
    fn variables(&self, branches: &[Inst]) -> BTreeMap<Value, Type> {
        let body = &*self.body;
        let mut found = BTreeMap::new();
        body.walk(|inst| {
            if let Op::Slot(attr) = &body.insts[inst].op
                && !is_inside(body, inst, self.par)
                && let Some(ty) = Type::of_ctype(&self.module.types, attr.ctype)
                && (ty == Type::Ptr || ty.is_int())
            {
                found.insert(body.result(inst), ty);
            }
        });
        let mut others = BTreeSet::new();
        let (mut set_before, mut set_inside) = (BTreeSet::new(), BTreeSet::new());
        body.walk(|inst| {
            let data = &body.insts[inst];
            for (k, v) in data.args.iter().enumerate() {
                let Some(&ty) = found.get(v) else { continue };
                let whole = match &data.op {
                    Op::Load(attr) => !attr.volatile && body.ty(data.results[0]) == ty,
                    Op::Store(attr) => k == 0 && !attr.volatile && body.ty(data.args[1]) == ty,
                    _ => false,
                };
                let stores = matches!(data.op, Op::Store(_));
                let holder = body.regions[data.parent].parent;
                let within = is_inside(body, inst, self.par);
                let atomic = within
                    && holder
                        .is_some_and(|h| matches!(directive(body, h), Some(Directive::Atomic(_))));
                let taken = |h: Inst| body.insts[h].regions[0] == data.parent;
                let elsewhere =
                    within && stores && !holder.is_some_and(|h| branches.contains(&h) && taken(h));
                if !whole || atomic || elsewhere {
                    others.insert(*v);
                } else if stores && within {
                    set_inside.insert(*v);
                } else if stores && self.is_passed(inst) {
                    set_before.insert(*v);
                }
            }
        });
        found
            .retain(|v, _| !others.contains(v) && set_before.contains(v) && set_inside.contains(v));
        found
    }

    /// Has whoever gets to the region passed an instruction?
    fn is_passed(&self, inst: Inst) -> bool {
        let body = &*self.body;
        let mut at = self.par;
        loop {
            let parent = body.insts[at].parent;
            if body.insts[inst].parent == parent {
                return position(body, inst) < position(body, at);
            }
            match body.regions[parent].parent {
                Some(holder) => at = holder,
                None => return false,
            }
        }
    }

    /// The variables that are set to what every thread can compute.
    fn settable(
        &self,
        branches: &[Inst],
        variables: &BTreeMap<Value, Type>,
    ) -> BTreeMap<Value, Type> {
        let mut kept = variables.clone();
        for &branch in branches {
            let moved = self.computable(branch, variables);
            let list = &self.body.regions[self.body.insts[branch].regions[0]].insts;
            for &inst in list.iter().filter(|i| !moved.contains(i)) {
                let data = &self.body.insts[inst];
                if matches!(data.op, Op::Store(_)) {
                    kept.remove(&data.args[0]);
                }
            }
        }
        kept
    }

    /// What every thread can do of a branch, in order.
    fn computable(&self, branch: Inst, variables: &BTreeMap<Value, Type>) -> Vec<Inst> {
        let body = &*self.body;
        let region = body.insts[branch].regions[0];
        let list = &body.regions[region].insts;
        let mut moved: Vec<Inst> = Vec::new();
        let mut known: BTreeSet<Value> = BTreeSet::new();
        for &inst in list {
            let data = &body.insts[inst];
            let have = |v: &Value| match body.encloses(region, body.def_region(*v)) {
                true => known.contains(v),
                false => self.is_common(*v, variables),
            };
            let fits = match &data.op {
                Op::Load(_) => variables.contains_key(&data.args[0]),
                Op::Store(_) => variables.contains_key(&data.args[0]) && have(&data.args[1]),
                _ => self.is_plain(inst) && data.args.iter().all(have),
            };
            if fits {
                moved.push(inst);
                known.extend(&data.results);
            }
        }
        moved
    }

    /// Has a value the same bits in all threads?
    fn is_common(&self, v: Value, variables: &BTreeMap<Value, Type>) -> bool {
        let body = &*self.body;
        let common = |v: &Value| self.is_common(*v, variables);
        match body.values[v].def {
            _ if v == self.threads => true,
            ValueDef::Result(inst, _) if !is_inside(body, inst, self.par) => true,
            ValueDef::Result(inst, _) => {
                let data = &body.insts[inst];
                match &data.op {
                    Op::Load(_) => variables.contains_key(&data.args[0]),
                    _ => self.is_plain(inst) && data.args.iter().all(common),
                }
            }
            ValueDef::Arg(region, k) => match body.regions[region].parent {
                None => true,
                Some(holder) if holder != self.par && !is_inside(body, holder, self.par) => true,
                // Threads that meet in a loop count alike.
                Some(holder) => {
                    let data = &body.insts[holder];
                    let counts = matches!(data.op, Op::For(_)) && k == 0;
                    counts && common(&data.args[0]) && common(&data.args[2])
                }
            },
        }
    }

    /// Does an instruction only compute, the same in all threads from the same operands?
    fn is_plain(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let own = matches!(data.op, Op::GlobalAddr(g) if self.module.globals[g].thread_local);
        data.op.is_pure() && data.regions.is_empty() && !own
    }

    /// Moves what all can do in front of a branch. What is left in it and reads a variable further inside gets the value of its place.
    fn set_by_all(&mut self, branch: Inst, variables: &BTreeMap<Value, Type>) {
        let moved = self.computable(branch, variables);
        let region = self.body.insts[branch].regions[0];
        let mut replacements = Replacements::default();
        for inst in self.body.regions[region].insts.clone() {
            if moved.contains(&inst) {
                move_before(self.body, inst, branch);
                continue;
            }
            for (load, variable) in self.reads_inside(inst, variables) {
                let value = self.before(branch).load(variables[&variable], variable);
                let old = self.body.result(load);
                self.body.values[value].ctype = self.body.values[old].ctype;
                replacements.set(old, value);
                unlink(self.body, load);
            }
        }
        replacements.apply(self.body);
    }

    /// Where regions of an instruction read one of the variables.
    fn reads_inside(&self, inst: Inst, variables: &BTreeMap<Value, Type>) -> Vec<(Inst, Value)> {
        let regions = &self.body.insts[inst].regions;
        let all = regions.iter().flat_map(|&r| insts_in(self.body, r));
        all.filter(|&i| matches!(self.body.insts[i].op, Op::Load(_)))
            .map(|i| (i, self.body.insts[i].args[0]))
            .filter(|(_, v)| variables.contains_key(v))
            .collect()
    }

    /// The thread's own variable, which starts as the one outside and ends there.
    fn own_variable(&mut self, region: Region, variable: Value, ty: Type) {
        let made = self.body.def_inst(variable).expect("it is a slot");
        let Op::Slot(attr) = self.body.insts[made].op.clone() else {
            return;
        };
        let mut users = Vec::new();
        inside(self.body, self.par, &mut |inst| users.push(inst));
        // Behind the region, or by the region itself when it runs again.
        let mut read_outside = self.runs_again();
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            read_outside |= matches!(data.op, Op::Load(_))
                && data.args[0] == variable
                && !is_inside(self.body, inst, self.par);
        });
        let ctype = self.body.values[variable].ctype;
        let par = self.par;
        let value = self.before(par).load(ty, variable);
        self.body.values[value].ctype = Some(attr.ctype);
        // Behind the questions of who and how many.
        let first = self.body.regions[region].insts[2];
        let mut b = self.before(first);
        let own = b.slot(attr.ctype, attr.name.as_deref());
        b.store(own, value);
        self.body.values[own].ctype = ctype;
        for inst in users {
            for v in &mut self.body.insts[inst].args {
                if *v == variable {
                    *v = own;
                }
            }
        }
        if !read_outside {
            return;
        }
        let end = self.body.terminator(region).expect("a region has an end");
        let thread = self.thread;
        let mut b = Builder::before(self.body, end);
        let zero = b.int(Type::I32, 0);
        let is_first = b.eq(thread, zero);
        let (_, then, otherwise) = b.if_(is_first, &[]);
        b.inside(then, |b| {
            let last = b.load(ty, own);
            b.store(variable, last);
            b.yield_(&[]);
        });
        b.inside(otherwise, |b| b.yield_(&[]));
    }

    /// Is the region in a loop?
    fn runs_again(&self) -> bool {
        let mut at = self.par;
        while let Some(holder) = self.body.regions[self.body.insts[at].parent].parent {
            if matches!(self.body.insts[holder].op, Op::For(_) | Op::Loop) {
                return true;
            }
            at = holder;
        }
        false
    }

    /// A branch in which nothing is left goes, and so does the barrier behind it if threads have just met in front.
    fn drop_if_empty(&mut self, branch: Inst) {
        let data = &self.body.insts[branch];
        let empty = |&r: &Region| self.body.regions[r].insts.len() == 1;
        if !data.regions.iter().all(empty) {
            return;
        }
        let parent = data.parent;
        let at = position(self.body, branch);
        let list = self.body.regions[parent].insts.clone();
        let own = |i: &Inst| {
            let data = &self.body.insts[*i];
            let accesses = matches!(data.op, Op::Load(_) | Op::Store(_));
            data.op.is_pure() || accesses && self.is_own_object(data.args[0])
        };
        let is_barrier = |i: &Inst| directive(self.body, *i) == Some(&Directive::Barrier);
        let met = list[..at]
            .iter()
            .rev()
            .find(|i| !own(i))
            .is_some_and(is_barrier);
        let next = list[at + 1..]
            .iter()
            .find(|i| !own(i))
            .copied()
            .filter(|i| is_barrier(i));
        unlink(self.body, branch);
        if let Some(barrier) = next.filter(|_| met) {
            unlink(self.body, barrier);
        }
    }

    /// Is it an object of the thread that nobody else can have the address of?
    fn is_own_object(&self, address: Value) -> bool {
        let body = &*self.body;
        let made_inside = body.def_inst(address).is_some_and(|slot| {
            matches!(body.insts[slot].op, Op::Slot(_)) && is_inside(body, slot, self.par)
        });
        let mut only_accessed = true;
        body.walk(|inst| {
            let data = &body.insts[inst];
            let allowed = match data.op {
                Op::Load(_) => true,
                Op::Store(_) => data.args[1] != address,
                _ => false,
            };
            only_accessed &= allowed || !data.args.contains(&address);
        });
        made_inside && only_accessed
    }
}
