//! R of loops whose result is chosen or not: `if (distance < nearest) nearest = distance`.
//!
//! Of all the values that a running minimum or maximum looks at, few are chosen, and the others have the adjoint zero. R of the loop that computed such a value is nothing
//! but additions of multiples of that adjoint; so it is done only if the value was chosen. (To ask whether the adjoint is zero would be wrong for second
//! derivatives: it may be zero at a point and not around it.)

use super::{Result, Reverse};
use crate::activity::callee;
use crate::rules;
use adjoin_ir::{Inst, Op, Type, Value, ValueDef};
use adjoin_passes::edit::exit_target;
use cranelift_entity::SecondaryMap;
use std::collections::BTreeSet;

/// Loops that run less often are done in any case.
const FEW: i128 = 4;

/// How many operations may be between a loop and the choice.
const FAR: usize = 3;

/// A condition, and whether it holds where the value is chosen.
type Choice = (Value, bool);

impl Reverse<'_> {
    /// The conditions under which the result of a loop is chosen, if it is only looked at for that and its R does nothing otherwise.
    pub(super) fn choices(&self, inst: Inst) -> Option<BTreeSet<Choice>> {
        let data = &self.p.insts[inst];
        let mut results = (data.results.iter().copied()).filter(|&v| self.facts.varied.contains(v));
        let mut choices = BTreeSet::new();
        let long = self.constant_trips(inst).is_none_or(|n| n > FEW);
        // What follows is mirrored in the same region, so that its conditions are known.
        let list = &self.p.regions[data.parent].insts;
        let chosen = long
            && !list.iter().any(|&i| self.exits.escapes(i))
            && results.all(|v| self.find_choices(v, inst, FAR, &mut choices))
            && !choices.is_empty()
            && self.is_only_arithmetic(inst);
        chosen.then_some(choices)
    }

    /// The instructions of the primal that use a value, each once, in order.
    fn users(&self, v: Value) -> &[Inst] {
        let all = self.users.get_or_init(|| {
            let mut all: SecondaryMap<Value, Vec<Inst>> = SecondaryMap::new();
            self.p.walk(|user| {
                for &v in &self.p.insts[user].args {
                    if all[v].last() != Some(&user) {
                        all[v].push(user);
                    }
                }
            });
            all
        });
        &all[v]
    }

    /// Are all uses of a value comparisons, and choices between it and what the loop around carries? Finds these.
    fn find_choices(
        &self,
        v: Value,
        from: Inst,
        far: usize,
        choices: &mut BTreeSet<Choice>,
    ) -> bool {
        let around = self.p.insts[from].parent;
        let carried =
            |v: Value| matches!(self.p.values[v].def, ValueDef::Arg(r, k) if r == around && k > 0);
        self.users(v).iter().all(|&user| {
            let data = &self.p.insts[user];
            let varied = data.results.iter().any(|&r| self.facts.varied.contains(r));
            match &data.op {
                Op::Yield => {
                    let branch = exit_target(&self.p, user).map(|t| &self.p.insts[t]);
                    let Some(branch) = branch.filter(|b| matches!(b.op, Op::If)) else {
                        return false;
                    };
                    let kept = branch.regions.iter().any(|&r| {
                        let end = self.p.terminator(r);
                        end.is_some_and(|e| self.p.insts[e].args.iter().any(|&a| carried(a)))
                    });
                    choices.insert((branch.args[0], data.parent == branch.regions[0]));
                    branch.parent == around && kept
                }
                Op::Select if data.parent == around && data.args[0] != v => {
                    let first = data.args[1] == v;
                    choices.insert((data.args[0], first));
                    first != (data.args[2] == v) && data.args[1..].iter().any(|&a| carried(a))
                }
                op => {
                    let simple = data.regions.is_empty() && data.parent == around;
                    let pure = op.is_pure();
                    let rule = callee(self.m, op).is_some_and(|n| rules::lookup(n).is_some());
                    let mut passes = || {
                        (pure || rule)
                            && data.results.len() == 1
                            && far > 0
                            && self.find_choices(data.results[0], from, far - 1, choices)
                    };
                    simple && (!varied && pure || passes())
                }
            }
        })
    }

    /// Does a loop only compute numbers? Nothing that F keeps for its R is taken off a cache that grows.
    fn is_only_arithmetic(&self, inst: Inst) -> bool {
        let mut work = vec![inst];
        while let Some(inst) = work.pop() {
            let data = &self.p.insts[inst];
            let good = match &data.op {
                Op::For(_) => {
                    let body = data.regions[0];
                    let (loops, decided) = self.nest(body);
                    self.is_counted(inst)
                        && !self.exits.continues.contains_key(&inst)
                        // Threads meet between rounds.
                        && self.turns(inst).is_none()
                        && !decided
                        && self.is_sized(&loops)
                }
                Op::Load(attr) => !attr.volatile,
                Op::If => !self.exits.escapes(inst),
                Op::Yield => true,
                Op::Call(_) => {
                    let numbers = data.args.iter().all(|&a| self.p.ty(a) != Type::Ptr);
                    let name = callee(self.m, &data.op);
                    numbers && name.is_some_and(|n| rules::lookup(n).is_some())
                }
                op => op.is_pure(),
            };
            if !good {
                return false;
            }
            for &region in &data.regions {
                work.extend(self.p.regions[region].insts.iter().copied());
            }
        }
        true
    }

    /// R of such a loop.
    pub(super) fn mirror_chosen(&mut self, inst: Inst, choices: BTreeSet<Choice>) -> Result<()> {
        let mut chosen: Option<Value> = None;
        for (condition, holds) in choices {
            let condition = self.need(condition);
            let one = match holds {
                true => condition,
                false => self.b().not(condition),
            };
            chosen = Some(match chosen {
                Some(other) => self.b().or(other, one),
                None => one,
            });
        }
        let Some(chosen) = chosen else {
            return self.mirror_loop(inst);
        };
        let free = self.free_numbers(&[inst]);
        let home = self.p.insts[inst].parent;
        self.guarded(
            chosen,
            &free,
            [Some(home), None],
            |me| me.mirror_loop(inst),
            |_| Ok(()),
        )
    }
}
