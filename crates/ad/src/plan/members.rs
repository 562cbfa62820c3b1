//! Members of structs behind parameters (`m->data`, `m->cols`) that are read in loops: moved in front of them, for a form of the derivative that only runs where these loops do.
//!
//! Nothing says that a pointer that is given may be followed, but that the body does. So the first access to a struct is looked for: what the loops around it must be like for the body to come
//! there are the *guards*, and the form is chosen by a test of them. Members that the body writes stay where they are.

use crate::Registry;
use crate::plan::bounds::may_not_end;
use crate::plan::promote::spelled;
use crate::points_to::{Disjoint, PointsTo};
use adjoin_ir::{Body, Builder, CTy, CTypes, Inst, Module, Op, Pred, Step, Type, Value, ValueDef};
use adjoin_passes::edit::{self, Replacements, yielded};
use std::collections::{BTreeMap, HashMap};

mod turns;

/// A body whose members of structs were moved.
pub struct Hoisted {
    /// The body.
    pub body: Body,
    /// What must be true so that it may run; each may only be asked if those before hold.
    pub guards: Vec<Value>,
}

/// A member of the struct behind a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Member {
    /// A parameter, once that is known to be one.
    parameter: Value,
    /// The struct, or nothing for a scalar.
    pointee: Option<CTy>,
    offset: i64,
    ty: Type,
}

/// Moves members of structs in front of the loops that read them, if there are any.
pub fn hoist(
    m: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Disjoint,
) -> Option<Hoisted> {
    let points = PointsTo::of_type(m, registry, ctype, body).assuming(known);
    move_all(m, &points, body, true)
}

fn move_all(m: &Module, points: &PointsTo<'_>, body: &Body, with_turns: bool) -> Option<Hoisted> {
    let mut loads = Vec::new();
    body.walk(|inst| {
        if let Some(member) = member(&m.types, body, inst) {
            loads.push((inst, Some(member)));
        } else if is_choice(body, inst) {
            loads.push((inst, None));
        }
    });
    let mut mover = Mover {
        points,
        old: body,
        new: body.clone(),
        there: HashMap::new(),
        structs: Vec::new(),
        lifted: HashMap::new(),
        guards: Vec::new(),
        taken: BTreeMap::new(),
        replaced: Replacements::default(),
        assumed: Vec::new(),
        moved: false,
    };
    let mut turns = BTreeMap::new();
    if with_turns {
        for &(inst, member) in &loads {
            let turn = member.and_then(|member| mover.turn(member));
            turns.extend(turn.map(|turn| (inst, turn)));
        }
    }
    let is_in = |inst: Inst, holder: Inst| edit::is_inside(body, inst, holder);
    let mut inside: Option<Inst> = None;
    for &(inst, member) in &loads {
        if let Some(holder) = inside.take_if(|&mut holder| !is_in(inst, holder)) {
            mover.carry(holder, &turns);
        }
        match (member, turns.get(&inst)) {
            (_, Some(turn)) if is_in(inst, turn.holder) => {
                inside = Some(turn.holder);
                mover.load(inst, turn.member, true);
            }
            (Some(member), None) if mover.is_parameter(member.parameter) => {
                mover.load(inst, member, false)
            }
            (Some(_), _) => {}
            (None, _) => mover.choice(inst),
        }
    }
    if let Some(holder) = inside {
        mover.carry(holder, &turns);
    }
    if !mover.moved {
        return None;
    }
    let is_replaced = |v: Value| mover.replaced.get(v) != v;
    if !mover.assumed.iter().all(|&v| is_replaced(v)) {
        return move_all(m, points, body, false);
    }
    mover.resolve();
    let Mover {
        mut new,
        guards,
        replaced,
        ..
    } = mover;
    replaced.apply(&mut new);
    adjoin_passes::prune::run(&m.types, &mut new);
    Some(Hoisted { body: new, guards })
}

/// The member that a load reads, of a struct behind any pointer.
fn member(types: &CTypes, body: &Body, inst: Inst) -> Option<Member> {
    let data = &body.insts[inst];
    let Op::Load(attr) = &data.op else {
        return None;
    };
    let ty = body.ty(data.results[0]);
    if attr.volatile || !(ty.is_int() || ty == Type::Ptr) {
        return None;
    }
    let address = data.args[0];
    let (parameter, pointee, offset) = match body.def_inst(address).map(|i| &body.insts[i]) {
        Some(step) => {
            let Op::Addr(attr) = &step.op else {
                return None;
            };
            let mut offset: i64 = 0;
            for step in &attr.steps {
                let by = match *step {
                    Step::Field { offset, .. } => i64::try_from(offset).ok()?,
                    _ => return None,
                };
                offset = offset.checked_add(by)?;
            }
            (step.args[0], Some(types.strip(attr.pointee)), offset)
        }
        None => (address, None, 0),
    };
    Some(Member {
        parameter,
        pointee,
        offset,
        ty,
    })
}

struct Mover<'a> {
    points: &'a PointsTo<'a>,
    old: &'a Body,
    new: Body,
    /// Members whose values are known at the level of the entry.
    there: HashMap<Member, Value>,
    /// Structs that may be read.
    structs: Vec<(Value, Option<CTy>)>,
    /// Values that were computed again in front of loops.
    lifted: HashMap<Value, Value>,
    guards: Vec<Value>,
    /// Branches that are known to be taken, and the instructions of the entry that they are in.
    taken: BTreeMap<Inst, Inst>,
    replaced: Replacements,
    /// Numbers of structs that take turns, and are taken to be the same in all of them.
    assumed: Vec<Value>,
    moved: bool,
}

impl Mover<'_> {
    /// A load of a member; of one that takes turns, it is what the first iteration reads.
    fn load(&mut self, inst: Inst, member: Member, in_turn: bool) {
        let old = self.old;
        if self.points.is_written(inst) {
            return;
        }
        let known = self.there.get(&member).copied();
        if let Some(v) = known {
            self.found(inst, v, in_turn);
        }
        let Some((top, loops)) = self.around(inst) else {
            return;
        };
        let struct_ = (member.parameter, member.pointee);
        let first = !self.structs.contains(&struct_);
        // What was moved out of a loop that may not run is also asked for, so that nothing else needs to.
        let holder = old.regions[old.insts[inst].parent].parent;
        if first || holder.is_some_and(|h| is_choice(old, h)) {
            let asked = loops.and_then(|l| self.ask(&l, top));
            if first && asked.is_none() {
                return;
            }
        }
        if known.is_some() {
            return;
        }
        if first {
            self.structs.push(struct_);
        }
        if old.insts[inst].parent == old.entry {
            let result = old.insts[inst].results[0];
            self.there.insert(member, result);
            return;
        }
        let v = self.load_in_front(inst, member, top);
        self.found(inst, v, in_turn);
        self.moved |= !in_turn;
    }

    /// The value of a load is known in front of the loops that it is in.
    fn found(&mut self, load: Inst, v: Value, in_turn: bool) {
        let result = self.old.insts[load].results[0];
        if !in_turn {
            self.replaced.set(result, v);
            self.lifted.insert(result, v);
        } else if self.old.ty(result).is_int() {
            self.lifted.insert(result, v);
            self.assumed.push(result);
        }
    }

    /// Loads a member in front of an instruction of the entry, in the way of another load.
    fn load_in_front(&mut self, like: Inst, member: Member, top: Inst) -> Value {
        let old = self.old;
        let data = old.insts[like].clone();
        let result = data.results[0];
        let step = old.def_inst(data.args[0]).map(|i| old.insts[i].clone());
        let mut b = Builder::before(&mut self.new, top);
        b.span = data.span;
        let address = match step {
            Some(step) if member.pointee.is_some() => {
                let address = b.value(step.op, vec![member.parameter], Type::Ptr);
                b.body.values[address].ctype = old.values[data.args[0]].ctype;
                address
            }
            _ => member.parameter,
        };
        let v = b.value(data.op, vec![address], member.ty);
        self.new.values[v].ctype = old.values[result].ctype;
        self.new.values[v].name = old.values[result].name.clone();
        self.there.insert(member, v);
        v
    }

    fn is_parameter(&self, v: Value) -> bool {
        matches!(self.old.values[v].def, ValueDef::Arg(r, _) if r == self.old.entry)
    }

    /// The instruction of the entry that an instruction is in, and the loops between them, outermost first, if it certainly runs where they do. `None`: the body may end before.
    fn around(&self, inst: Inst) -> Option<(Inst, Option<Vec<Inst>>)> {
        let body = self.old;
        let mut loops = Some(Vec::new());
        let mut inst = inst;
        loop {
            let region = body.insts[inst].parent;
            let list = &body.regions[region].insts;
            let before = &list[..list.iter().position(|&i| i == inst)?];
            let passes = |&i: &Inst| !may_not_end(body, self.points, i) && !has_exit(body, i);
            if !before.iter().all(passes) {
                if region == body.entry {
                    return None;
                }
                loops = None;
            }
            if region == body.entry {
                if let Some(loops) = &mut loops {
                    loops.reverse();
                }
                return Some((inst, loops));
            }
            inst = body.regions[region].parent?;
            let data = &body.insts[inst];
            match (&data.op, &mut loops) {
                (Op::For(_), Some(loops)) if body.const_int(data.args[2]).is_some() => {
                    loops.push(inst)
                }
                (Op::If, Some(loops)) if is_choice(body, inst) && data.regions[0] == region => {
                    loops.push(inst)
                }
                _ => loops = None,
            }
        }
    }

    /// Notes what must hold so that these loops run and these branches are taken.
    fn ask(&mut self, around: &[Inst], top: Inst) -> Option<()> {
        let count = self.guards.len();
        for &inst in around {
            let data = self.old.insts[inst].clone();
            let condition = match &data.op {
                Op::For(attr) => {
                    let start = self.lift(data.args[0], top, 12);
                    let (Some(start), Some(end)) = (start, self.lift(data.args[1], top, 12)) else {
                        self.guards.truncate(count);
                        return None;
                    };
                    let b = &mut Builder::before(&mut self.new, top);
                    match attr.pred {
                        Pred::Lt => b.lt(start, end),
                        Pred::Le => b.le(start, end),
                        Pred::Gt => b.gt(start, end),
                        Pred::Ge => b.ge(start, end),
                        Pred::Ne => b.ne(start, end),
                    }
                }
                _ => {
                    let Some(condition) = self.lift(data.args[0], top, 12) else {
                        self.guards.truncate(count);
                        return None;
                    };
                    self.taken.insert(inst, top);
                    condition
                }
            };
            if !self.holds(condition) {
                self.guards.push(condition);
            }
        }
        Some(())
    }

    fn holds(&self, condition: Value) -> bool {
        let text = spelled(&self.new, condition, 12);
        let mut guards = self.guards.iter();
        guards.any(|&g| spelled(&self.new, g, 12) == text)
    }

    /// A branch that only chooses is taken where its condition is asked already.
    fn choice(&mut self, inst: Inst) {
        let Some((top, _)) = self.around(inst) else {
            return;
        };
        let condition = self.old.insts[inst].args[0];
        if let Some(condition) = self.lift(condition, top, 12)
            && self.holds(condition)
        {
            self.taken.insert(inst, top);
        }
    }

    /// What taken branches result in.
    fn resolve(&mut self) {
        for (inst, top) in self.taken.clone() {
            for (k, &result) in self.old.insts[inst].results.iter().enumerate() {
                let Some(given) = given(self.old, inst, k) else {
                    continue;
                };
                let moved = self.replaced.get(given);
                if moved != given {
                    self.replaced.set(result, moved);
                } else if let Some(v) = self.lift(given, top, 12) {
                    self.replaced.set(result, v);
                }
            }
        }
    }

    /// A value in front of an instruction of the entry that it is used in, if it is known when the function starts.
    fn lift(&mut self, v: Value, top: Inst, depth: u32) -> Option<Value> {
        let old = self.old;
        if let Some(&new) = self.lifted.get(&v) {
            return Some(new);
        }
        let inst = match old.values[v].def {
            ValueDef::Arg(region, _) => return (region == old.entry).then_some(v),
            ValueDef::Result(inst, _) => inst,
        };
        if depth == 0 {
            return None;
        }
        let data = old.insts[inst].clone();
        if self.taken.contains_key(&inst) {
            let k = data.results.iter().position(|&r| r == v)?;
            let new = self.lift(given(old, inst, k)?, top, depth - 1)?;
            self.lifted.insert(v, new);
            return Some(new);
        }
        let at_entry = data.parent == old.entry;
        match data.op {
            Op::Load(_) => {
                let known =
                    at_entry && !self.points.is_written(inst) && self.around(inst).is_some();
                let address = self.lift(data.args[0], top, depth - 1)?;
                return (known && address == data.args[0]).then_some(v);
            }
            _ if !data.op.is_pure() || !data.regions.is_empty() || data.results.len() != 1 => {
                return None;
            }
            _ if old.may_trap(inst) => return None,
            _ => {}
        }
        let args: Option<Vec<Value>> = (data.args.iter())
            .map(|&a| self.lift(a, top, depth - 1))
            .collect();
        let args = args?;
        if at_entry && args == data.args {
            return Some(v);
        }
        let ty = old.ty(v);
        let new = Builder::before(&mut self.new, top).value(data.op, args, ty);
        self.new.values[new].ctype = old.values[v].ctype;
        self.lifted.insert(v, new);
        Some(new)
    }
}

/// What a branch gives if it is taken.
fn given(body: &Body, inst: Inst, k: usize) -> Option<Value> {
    yielded(body, body.insts[inst].regions[0], k)
}

/// Does a branch only choose between values? So do those that were made when something was moved out of a loop that may not run.
fn is_choice(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let mut inner = data.regions.iter().flat_map(|&r| &body.regions[r].insts);
    matches!(data.op, Op::If)
        && inner.all(|&i| {
            let data = &body.insts[i];
            matches!(data.op, Op::Load(_) | Op::Yield)
                || data.op.is_pure() && data.regions.is_empty()
        })
}

/// Does an instruction leave a loop, or an iteration?
fn has_exit(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let mut inner = data.regions.iter().flat_map(|&r| &body.regions[r].insts);
    matches!(data.op, Op::Break(_) | Op::Continue(_)) || inner.any(|&i| has_exit(body, i))
}
