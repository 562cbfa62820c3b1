//! Work in a branch of a loop: it moves under the question whether any iteration takes the branch.
//!
//! If the condition is the same in all iterations, that is the question. Else a small loop in front asks it for all iterations: work that is a loop itself is worth that, and the program would have
//! evaluated these conditions anyway, since nothing leaves the loop.

use super::{Finder, Guard, Moving, Work, runs, visit};
use adjoin_ir::{Body, Builder, Inst, Op, Region, Type, Value};
use std::collections::{BTreeSet, HashMap};

/// Conditions that take more operations are not evaluated ahead.
const LONGEST: usize = 16;

/// A branch that some iteration takes.
pub(super) struct Chosen {
    holder: Inst,
    condition: Value,
    holds: bool,
    /// How an iteration computes the condition, in order; empty if it is known in front.
    slice: Vec<Inst>,
}

impl Finder<'_> {
    /// Work in a branch of a loop, where nothing outside of branches moves.
    pub(super) fn in_branches(
        &self,
        holder: Inst,
        region: Region,
        moving: &Moving,
    ) -> Option<Work> {
        let writes = self.writes(holder);
        let list = &self.body.regions[region].insts;
        let stays = list.iter().all(|&inst| !self.may_leave(inst));
        for &inst in list {
            let data = &self.body.insts[inst];
            if matches!(data.op, Op::If) {
                let condition = data.args[0];
                for (k, &arm) in data.regions.iter().enumerate() {
                    let mut inside = Moving {
                        movable: moving.movable.clone(),
                        results: moving.results.clone(),
                    };
                    let first = inside.movable.len();
                    self.collect(holder, arm, &writes, &mut inside);
                    let insts = self.needed(&inside, first);
                    if !insts.iter().any(|&i| self.is_long(i)) {
                        continue;
                    }
                    let slice = match self.is_outside(condition, holder) {
                        true => Some(Vec::new()),
                        false if stays => self.slice(condition, holder, region, &writes),
                        false => None,
                    };
                    if let Some(slice) = slice {
                        let chosen = Chosen {
                            holder,
                            condition,
                            holds: k == 0,
                            slice,
                        };
                        return Some(Work {
                            insts,
                            before: holder,
                            guard: Some(Guard::Chosen(chosen)),
                        });
                    }
                }
            }
            if self.may_leave(inst) {
                return None;
            }
        }
        None
    }

    /// Is an instruction a loop, or a call that may hold one?
    fn is_long(&self, inst: Inst) -> bool {
        let mut long = false;
        let mut look = |i: Inst| {
            long |= match &self.body.insts[i].op {
                Op::For(_) | Op::Loop => true,
                Op::Call(attr) => self.module.funcs[attr.func].body.is_some(),
                _ => false,
            }
        };
        look(inst);
        visit(self.body, inst, &mut look);
        long
    }

    /// What an iteration does to find a condition, if it depends on nothing but the number of the iteration and what the loop does not write.
    fn slice(
        &self,
        condition: Value,
        holder: Inst,
        region: Region,
        writes: &[crate::points_to::Access],
    ) -> Option<Vec<Inst>> {
        let index = self.body.regions[region].args[0];
        let mut wanted: BTreeSet<Inst> = BTreeSet::new();
        let mut work = vec![condition];
        while let Some(v) = work.pop() {
            if v == index || self.is_outside(v, holder) {
                continue;
            }
            let inst = self.body.def_inst(v)?;
            let data = &self.body.insts[inst];
            let simple = matches!(data.op, Op::Load(_)) || data.op.is_pure();
            if data.parent != region || !simple || !self.may_move(inst, inst, writes) {
                return None;
            }
            if wanted.insert(inst) {
                work.extend(data.args.iter().copied());
            }
        }
        let list = self.body.regions[region].insts.iter().copied();
        let slice: Vec<Inst> = list.filter(|i| wanted.contains(i)).collect();
        (slice.len() <= LONGEST).then_some(slice)
    }
}

impl Chosen {
    /// The question, in front of the loop.
    pub(super) fn build(&self, body: &mut Body) -> Value {
        if self.slice.is_empty() {
            let runs = runs(body, self.holder);
            let mut b = Builder::before(body, self.holder);
            let holds = holds(&mut b, self.condition, self.holds);
            return b.and(runs, holds);
        }
        let holder = body.insts[self.holder].clone();
        let Op::For(attr) = holder.op else {
            return Builder::before(body, self.holder).bool_(true);
        };
        let parts: Vec<_> = (self.slice.iter())
            .map(|&i| (body.insts[i].clone(), body.ty(body.result(i))))
            .collect();
        let index = body.regions[holder.regions[0]].args[0];
        let name = body.values[index].name.clone();
        let condition = self.condition;
        let mut b = Builder::before(body, self.holder);
        b.span = holder.span;
        let no = b.bool_(false);
        let [lower, upper, step] = [holder.args[0], holder.args[1], holder.args[2]];
        let (ask, region) = b.for_(attr.pred, lower, upper, step, &[no]);
        let [own, any] = [0, 1].map(|k| b.body.regions[region].args[k]);
        b.body.values[own].name = name;
        b.inside(region, |b| {
            let mut map = HashMap::from([(index, own)]);
            let at = |map: &HashMap<Value, Value>, v: Value| map.get(&v).copied().unwrap_or(v);
            for (data, ty) in parts {
                let args = data.args.iter().map(|&v| at(&map, v)).collect();
                let new = b.value(data.op, args, ty);
                map.insert(data.results[0], new);
            }
            let taken = holds(b, at(&map, condition), self.holds);
            let any = b.or(any, taken);
            b.yield_(&[any]);
        });
        body.insts[ask].results[1]
    }
}

/// A condition, or that it does not hold.
fn holds(b: &mut Builder<'_>, condition: Value, holds: bool) -> Value {
    let condition = match b.body.ty(condition) {
        Type::Bool => condition,
        ty => {
            let zero = b.zero_of(ty);
            b.ne(condition, zero)
        }
    };
    match holds {
        true => condition,
        false => b.not(condition),
    }
}
