//! What one thread does for all: `sections`, `single`, `master`; and barriers.

use super::data::{data_clauses, replace_region_args};
use super::reduction::Reduction;
use super::team::Team;
use crate::edit::{position, unlink};
use adjoin_ir::{Case, Clause, DataKind, Directive, Inst, Op, Pred, Region, Type, Value};

impl Team<'_> {
    /// A barrier in front of an instruction.
    pub fn barrier(&mut self, inst: Inst) {
        self.before(inst)
            .par_alone(Directive::Barrier, Vec::new(), Vec::new());
    }

    /// Does a construct end without a barrier?
    pub fn has_clause(&self, inst: Inst, clause: &Clause) -> bool {
        matches!(&self.body.insts[inst].op, Op::Par(attr) if attr.clauses.contains(clause))
    }

    /// Puts the instructions of a construct's region in its place.
    pub fn dissolve(&mut self, inst: Inst) {
        let region = self.body.insts[inst].regions[0];
        let mut list = std::mem::take(&mut self.body.regions[region].insts);
        list.pop();
        let parent = self.body.insts[inst].parent;
        for &moved in &list {
            self.body.insts[moved].parent = parent;
        }
        let at = position(self.body, inst);
        self.body.regions[parent].insts.splice(at..=at, list);
    }

    /// The region becomes the then-branch of an `if` in front of the construct, which goes.
    fn branch(&mut self, inst: Inst, condition: Value) -> Inst {
        let region = self.body.insts[inst].regions[0];
        let mut b = self.before(inst);
        let (branch, then, otherwise) = b.if_(condition, &[]);
        b.inside(otherwise, |b| {
            b.yield_(&[]);
        });
        debug_assert!(b.body.regions[then].insts.is_empty());
        b.body.insts[branch].regions[0] = region;
        b.body.regions[region].parent = Some(branch);
        unlink(self.body, inst);
        branch
    }

    /// Is it the thread of that number that runs?
    fn is_thread(&mut self, inst: Inst, number: Option<Value>) -> Value {
        let thread = self.thread;
        let mut b = self.before(inst);
        match number {
            Some(number) => {
                let number = b.cast(Type::I32, number);
                b.eq(thread, number)
            }
            None => {
                let zero = b.int(Type::I32, 0);
                b.eq(thread, zero)
            }
        }
    }

    /// `master`, and `masked`, which may name another thread.
    pub fn masked(&mut self, inst: Inst) {
        let filter = self.has_clause(inst, &Clause::Filter);
        let number = filter.then(|| self.body.insts[inst].args[0]);
        let condition = self.is_thread(inst, number);
        self.branch(inst, condition);
    }

    /// `single`: the first thread does it.
    pub fn single(&mut self, inst: Inst) {
        let nowait = self.has_clause(inst, &Clause::Nowait);
        let region = self.body.insts[inst].regions[0];
        let first = self.body.regions[region].insts[0];
        let list = data_clauses(self.body, inst);
        let addresses: Vec<Value> = (list.iter())
            .map(|data| self.private_copy(data, first))
            .collect();
        replace_region_args(self.body, region, &addresses);
        let after = self.following(inst);
        let condition = self.is_thread(inst, None);
        self.branch(inst, condition);
        let broadcast: Vec<_> = (list.iter())
            .filter(|d| d.kind == DataKind::CopyPrivate)
            .collect();
        // The value goes through memory of the whole team; the second barrier lets it be used again.
        let end = self.body.terminator(region).expect("a region has an end");
        let mut shared = Vec::new();
        for data in &broadcast {
            let par = self.par;
            let bytes = self.module.types.size_of(data.ctype);
            let mut b = self.before(par);
            let slot = b.slot(data.ctype, Some(&data.name));
            // Compilers warn of a variable that only one thread sets.
            if let Some(bytes) = bytes {
                b.zero(slot, bytes, Some(data.ctype));
            }
            self.copy_before(end, data.ctype, slot, data.original);
            shared.push(slot);
        }
        if !nowait || !broadcast.is_empty() {
            self.barrier(after);
        }
        for (data, slot) in broadcast.iter().zip(shared) {
            self.copy_before(after, data.ctype, data.original, slot);
        }
        if !broadcast.is_empty() {
            self.barrier(after);
        }
    }

    /// The instruction behind another. (A region ends with a terminator.)
    pub fn following(&self, inst: Inst) -> Inst {
        let list = &self.body.regions[self.body.insts[inst].parent].insts;
        list[position(self.body, inst) + 1]
    }

    /// `sections`: their numbers are shared out like iterations, one by one.
    pub fn sections(&mut self, inst: Inst) {
        let nowait = self.has_clause(inst, &Clause::Nowait);
        let after = self.following(inst);
        let region = self.body.insts[inst].regions[0];
        let sections: Vec<Inst> = (self.body.regions[region].insts.iter().copied())
            .filter(|&i| super::directive(self.body, i) == Some(&Directive::Section))
            .collect();
        let (list, reductions) = self.construct_data(inst, region);
        let Some(&last) = sections.last() else {
            self.dissolve(inst);
            if !nowait {
                self.barrier(after);
            }
            return;
        };
        let regions: Vec<Region> = (sections.iter())
            .map(|&s| self.body.insts[s].regions[0])
            .collect();
        let last_end =
            (self.body.terminator(self.body.insts[last].regions[0])).expect("a region has an end");
        for (data, private) in &list {
            if is_last_private(data.kind) {
                self.copy_before(last_end, data.ctype, data.original, *private);
            }
        }
        let count = sections.len() as i128;
        let (thread, threads) = (self.thread, self.threads);
        let mut b = self.before(sections[0]);
        let upper = b.int(Type::I32, count);
        let (_, body) = b.for_(Pred::Lt, thread, upper, threads, &[]);
        let number = b.body.regions[body].args[0];
        b.set_name(number, "section");
        b.inside(body, |b| {
            let cases = (0..count)
                .map(|k| Case {
                    values: if k + 1 == count { vec![] } else { vec![(k, k)] },
                    default: k + 1 == count,
                })
                .collect();
            let (switch, made) = b.switch(number, &[], cases, &[]);
            debug_assert_eq!(made.len(), regions.len());
            b.body.insts[switch].regions.clone_from(&regions);
            for &r in &regions {
                b.body.regions[r].parent = Some(switch);
            }
            b.yield_(&[]);
        });
        for section in sections {
            unlink(self.body, section);
        }
        self.dissolve(inst);
        self.end_of_construct(&reductions, after, nowait);
    }

    /// The data clauses of a worksharing construct: copies and reductions begin in front of it.
    pub fn construct_data(
        &mut self,
        inst: Inst,
        region: Region,
    ) -> (Vec<(super::data::Data, Value)>, Vec<Reduction>) {
        let list = data_clauses(self.body, inst);
        let mut addresses = Vec::new();
        let mut reductions = Vec::new();
        for data in &list {
            addresses.push(match data.kind {
                DataKind::Reduction(op) => {
                    let reduction = self.start_reduction(data, op, inst);
                    let private = reduction.private;
                    reductions.push(reduction);
                    private
                }
                _ => self.private_copy(data, inst),
            });
        }
        replace_region_args(self.body, region, &addresses);
        // Nobody writes the last value back before everybody has read the first.
        if list.iter().any(|d| d.kind == DataKind::FirstLastPrivate) {
            self.barrier(inst);
        }
        (list.into_iter().zip(addresses).collect(), reductions)
    }

    /// What a worksharing construct ends with.
    pub fn end_of_construct(&mut self, reductions: &[Reduction], after: Inst, nowait: bool) {
        if !reductions.is_empty() {
            self.combine_in_team(reductions, after);
        } else if !nowait {
            self.barrier(after);
        }
    }
}

pub(super) fn is_last_private(kind: DataKind) -> bool {
    matches!(kind, DataKind::LastPrivate | DataKind::FirstLastPrivate)
}
