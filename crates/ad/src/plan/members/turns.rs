//! Structs whose pointers a time loop exchanges (`step(now, next); swap(&now, &next)`): the loop carries the pointers in them instead, and exchanges those.
//!
//! A member that is read through an exchanged pointer is read in front of the loop, of each of the structs; the first iteration would read them, if the guards hold. Numbers (sizes, mostly)
//! must be the same in all structs, which is one guard more.

use super::{Member, Mover};
use adjoin_ir::{Body, Builder, CTy, Inst, Op, Type, Value, ValueDef};
use adjoin_passes::edit;
use std::collections::BTreeMap;

/// A load through one of the pointers that a loop exchanges.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// The loop, of the function's own level.
    pub holder: Inst,
    /// The pointer as an argument of the loop's body.
    arg: Value,
    /// It is read behind the loop.
    behind: bool,
    /// The member of what the pointer starts as.
    pub member: Member,
}

/// What a member of such structs is.
type Place = (Option<CTy>, i64, Type);

impl Mover<'_> {
    /// The load of a member through a pointer that a loop exchanges with others, all of which start as parameters.
    pub(super) fn turn(&self, member: Member) -> Option<Turn> {
        let body = self.old;
        let base = member.parameter;
        let (holder, arg, behind) = match body.values[base].def {
            ValueDef::Arg(region, _) => (body.regions[region].parent?, base, false),
            ValueDef::Result(holder, k) => {
                let region = *body.insts[holder].regions.first()?;
                (holder, *body.regions[region].args.get(k as usize)?, true)
            }
        };
        let data = &body.insts[holder];
        if !matches!(data.op, Op::For(_)) || data.parent != body.entry || leaves(body, holder) {
            return None;
        }
        let group = self.points.exchange(arg)?;
        if group.len() < 2 || !group.iter().all(|&(_, start)| self.is_parameter(start)) {
            return None;
        }
        let (_, parameter) = *group.iter().find(|(a, _)| *a == arg)?;
        let member = Member {
            parameter,
            ..member
        };
        Some(Turn {
            holder,
            arg,
            behind,
            member,
        })
    }

    /// Makes the loop carry what was found in it; loads behind it are found as well.
    pub(super) fn carry(&mut self, holder: Inst, all: &BTreeMap<Inst, Turn>) {
        let mut groups: BTreeMap<Value, Vec<(Inst, Turn)>> = BTreeMap::new();
        for (&inst, &turn) in all.iter().filter(|(_, t)| t.holder == holder) {
            if let Some(group) = self.points.exchange(turn.arg)
                && let Some(first) = group.iter().map(|&(arg, _)| arg).min()
            {
                groups.entry(first).or_default().push((inst, turn));
            }
        }
        for (first, loads) in groups {
            let mut places: Vec<Place> = Vec::new();
            for (_, turn) in loads.iter().filter(|(_, t)| !t.behind) {
                let place = place(&turn.member);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            for wanted in places {
                let of_place = |(_, t): &&(Inst, Turn)| place(&t.member) == wanted;
                let loads: Vec<_> = loads.iter().filter(of_place).copied().collect();
                self.carry_member(holder, first, wanted, &loads);
            }
        }
    }

    fn carry_member(&mut self, holder: Inst, first: Value, place: Place, loads: &[(Inst, Turn)]) {
        let Some(group) = self.points.exchange(first) else {
            return;
        };
        let (pointee, offset, ty) = place;
        let may_be_read = |s: Value| self.structs.contains(&(s, pointee));
        let is_written = |&(inst, _): &(Inst, Turn)| self.points.is_written(inst);
        if loads.iter().any(is_written) || !group.iter().all(|&(_, start)| may_be_read(start)) {
            return;
        }
        let like = loads[0].0;
        let mut starts = BTreeMap::new();
        for &(arg, parameter) in &group {
            let member = Member {
                parameter,
                pointee,
                offset,
                ty,
            };
            let start = match self.there.get(&member) {
                Some(&v) => v,
                None => self.load_in_front(like, member, holder),
            };
            starts.insert(arg, start);
        }
        if ty != Type::Ptr {
            let same = starts[&first];
            for &other in starts.values().filter(|&&v| v != same) {
                let condition = Builder::before(&mut self.new, holder).eq(same, other);
                if !self.holds(condition) {
                    self.guards.push(condition);
                }
            }
            for &(inst, _) in loads {
                self.replaced.set(self.old.insts[inst].results[0], same);
            }
            self.moved = true;
            return;
        }
        let carried = self.add_carried(holder, &starts);
        for &(inst, turn) in loads {
            let (arg, result) = carried[&turn.arg];
            let v = if turn.behind { result } else { arg };
            let old = self.old.insts[inst].results[0];
            if self.new.values[v].name.is_none() {
                self.new.values[v].name = self.old.values[old].name.clone();
            }
            self.replaced.set(old, v);
        }
        self.moved = true;
    }

    /// New pointers that a loop carries, which take turns as those do that they are from. Each as it is inside and behind.
    fn add_carried(
        &mut self,
        holder: Inst,
        starts: &BTreeMap<Value, Value>,
    ) -> BTreeMap<Value, (Value, Value)> {
        let new = &mut self.new;
        let region = new.insts[holder].regions[0];
        let mut made = BTreeMap::new();
        for (&of, &start) in starts {
            let ctype = new.values[start].ctype;
            new.insts[holder].args.push(start);
            let arg = new.add_arg(region, Type::Ptr);
            let result = new.add_result(holder, Type::Ptr);
            new.values[arg].ctype = ctype;
            new.values[result].ctype = ctype;
            made.insert(of, (arg, result));
        }
        for edge in edges(new, holder) {
            for of in starts.keys() {
                let at = new.regions[region].args.iter().position(|a| a == of);
                let after = new.insts[edge].args[at.expect("an argument of the loop") - 1];
                new.insts[edge].args.push(made[&after].0);
            }
        }
        made
    }
}

fn place(member: &Member) -> Place {
    (member.pointee, member.offset, member.ty)
}

/// What ends an iteration and begins the next.
fn edges(body: &Body, holder: Inst) -> Vec<Inst> {
    let inside = edit::insts_in(body, body.insts[holder].regions[0]);
    (inside.into_iter())
        .filter(|&i| match body.insts[i].op {
            Op::Yield => body.regions[body.insts[i].parent].parent == Some(holder),
            Op::Continue(target) => target == holder,
            _ => false,
        })
        .collect()
}

/// Is there another way out of a loop than its own test?
fn leaves(body: &Body, holder: Inst) -> bool {
    let inside = edit::insts_in(body, body.insts[holder].regions[0]);
    inside
        .iter()
        .any(|&i| body.insts[i].op == Op::Break(holder))
}
