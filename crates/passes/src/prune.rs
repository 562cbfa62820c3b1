//! Removes what nothing needs: instructions without effect whose results are unused, and results, region arguments and carried values
//! that only feed themselves.
//!
//! Liveness starts at effects (stores, calls, returns, parallel constructs, `loop`s, which may not end) and at the exits that skip
//! them; an instruction with regions is live if something in it is, or if a result is needed. A result needs the matching
//! operands of all exits, and a loop's argument needs its initial value and what the back edges carry.

use crate::edit::{exit_target, set_region_args, set_results};
use crate::openmp::directive;
use adjoin_ir::{Body, CTypes, Directive, Effect, Inst, Op, Region, Value, ValueDef};
use cranelift_entity::{EntitySet, SecondaryMap};

/// Runs the pass.
pub fn run(_types: &CTypes, body: &mut Body) {
    crate::registry::optional("prune", || apply(body));
}

fn apply(body: &mut Body) {
    let mut marker = Marker {
        body,
        live_insts: EntitySet::new(),
        live_values: EntitySet::new(),
        work: Vec::new(),
        exits: SecondaryMap::new(),
    };
    marker.collect_exits();
    marker.mark_roots();
    marker.propagate();
    let (insts, values) = (marker.live_insts, marker.live_values);
    sweep(body, &insts, &values);
}

enum Item {
    Inst(Inst),
    Value(Value),
}

struct Marker<'a> {
    body: &'a Body,
    live_insts: EntitySet<Inst>,
    live_values: EntitySet<Value>,
    work: Vec<Item>,
    /// The terminators that hand operands to each instruction with regions.
    exits: SecondaryMap<Inst, Vec<Inst>>,
}

impl Marker<'_> {
    fn collect_exits(&mut self) {
        let body = self.body;
        body.walk(|inst| {
            if body.insts[inst].op.is_terminator()
                && let Some(target) = exit_target(body, inst)
            {
                self.exits[target].push(inst);
            }
        });
    }

    fn inst(&mut self, inst: Inst) {
        if self.live_insts.insert(inst) {
            self.work.push(Item::Inst(inst));
        }
    }

    fn value(&mut self, value: Value) {
        if self.live_values.insert(value) {
            self.work.push(Item::Value(value));
        }
    }

    fn mark_roots(&mut self) {
        let body = self.body;
        let mut parallel_loops: EntitySet<Inst> = EntitySet::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let holder = body.regions[data.parent].parent;
            let root = match &data.op {
                // The loop of a worksharing construct (with `collapse`, the nest) stays even if it does nothing.
                Op::For(_)
                    if holder.is_some_and(|h| {
                        let team = Some(&Directive::Parallel);
                        matches!(body.insts[h].op, Op::Par(_)) && directive(body, h) != team
                            || parallel_loops.contains(h)
                    }) =>
                {
                    parallel_loops.insert(inst)
                }
                Op::Load(attr) => attr.volatile,
                Op::LoadBits(attr) => attr.volatile,
                Op::Loop | Op::Par(_) => true,
                // An exit that leaves more than the instruction around it skips what comes after: it is control, and it stays. (A
                // `yield`, or a `break` of what holds it directly, only matters to its target.)
                Op::Break(target) | Op::Continue(target) | Op::Fallthrough(target) => {
                    holder != Some(*target)
                }
                Op::Return | Op::Unreachable => true,
                op => matches!(op.info().effect, Effect::Write | Effect::Call),
            };
            if root {
                self.inst(inst);
            }
        });
    }

    fn propagate(&mut self) {
        while let Some(item) = self.work.pop() {
            match item {
                Item::Inst(inst) => self.visit_inst(inst),
                Item::Value(value) => self.visit_value(value),
            }
        }
    }

    fn visit_inst(&mut self, inst: Inst) {
        let body = self.body;
        let data = &body.insts[inst];
        if let Some(holder) = body.regions[data.parent].parent {
            self.inst(holder);
        }
        match &data.op {
            Op::If | Op::Switch(_) => self.value(data.args[0]),
            Op::For(_) => data.args[..3].iter().for_each(|&v| self.value(v)),
            Op::Loop | Op::Block => {}
            // The operands of these are needed where the target needs them.
            Op::Yield | Op::Continue(_) | Op::Fallthrough(_) => {}
            Op::Break(target) => self.inst(*target),
            _ => data.args.iter().for_each(|&v| self.value(v)),
        }
        // All exits of a live instruction stay, for they decide which way it goes.
        for k in 0..self.exits[inst].len() {
            self.inst(self.exits[inst][k]);
        }
    }

    fn visit_value(&mut self, value: Value) {
        let body = self.body;
        match body.values[value].def {
            ValueDef::Result(inst, index) => {
                self.inst(inst);
                self.need_result(inst, index as usize);
            }
            ValueDef::Arg(region, index) => {
                if let Some(inst) = body.regions[region].parent {
                    self.inst(inst);
                    self.need_argument(inst, index as usize);
                }
            }
        }
    }

    fn exit_operands(&mut self, inst: Inst, index: usize, which: impl Fn(&Op) -> bool) {
        for k in 0..self.exits[inst].len() {
            let exit = self.exits[inst][k];
            if which(&self.body.insts[exit].op) {
                self.value(self.body.insts[exit].args[index]);
            }
        }
    }

    fn need_result(&mut self, inst: Inst, index: usize) {
        let body = self.body;
        match &body.insts[inst].op {
            Op::If | Op::Block | Op::Switch(_) => {
                self.exit_operands(inst, index, |op| matches!(op, Op::Yield | Op::Break(_)));
            }
            Op::Loop => self.exit_operands(inst, index, |op| matches!(op, Op::Break(_))),
            Op::For(_) if index > 0 => {
                self.exit_operands(inst, index - 1, |op| matches!(op, Op::Break(_)));
                let region = body.insts[inst].regions[0];
                self.value(body.regions[region].args[index]);
            }
            _ => {}
        }
    }

    fn need_argument(&mut self, inst: Inst, index: usize) {
        let body = self.body;
        let data = &body.insts[inst];
        let back = |op: &Op| matches!(op, Op::Yield | Op::Continue(_));
        match &data.op {
            Op::Loop => {
                self.value(data.args[index]);
                self.exit_operands(inst, index, back);
            }
            Op::For(_) if index > 0 => {
                self.value(data.args[index + 2]);
                // A carried value is a result as well, so a `break` hands one over too.
                self.exit_operands(inst, index - 1, |op| back(op) || matches!(op, Op::Break(_)));
            }
            Op::Switch(_) => {
                self.value(data.args[index + 1]);
                // Every region has the same arguments: needed in one, kept in all.
                for k in 0..data.regions.len() {
                    self.value(body.regions[data.regions[k]].args[index]);
                }
                self.exit_operands(inst, index, |op| matches!(op, Op::Fallthrough(_)));
            }
            _ => {}
        }
    }
}

/// Keeps the elements whose flag is set.
fn keep<T: Copy>(list: &[T], flags: &[bool]) -> Vec<T> {
    list.iter()
        .zip(flags)
        .filter(|(_, keep)| **keep)
        .map(|(x, _)| *x)
        .collect()
}

/// What stays of the operands that exits hand over.
struct Shape {
    /// `yield` (of `if`, `block`, `switch`) and `break`.
    results: Vec<bool>,
    /// `yield` and `continue` of loops, `fallthrough` of `switch`.
    carried: Vec<bool>,
}

fn sweep(body: &mut Body, insts: &EntitySet<Inst>, values: &EntitySet<Value>) {
    let mut regions = vec![body.entry];
    let mut shapes: Vec<(Inst, Shape)> = Vec::new();
    while let Some(region) = regions.pop() {
        let kept: Vec<Inst> = body.regions[region]
            .insts
            .iter()
            .copied()
            .filter(|&i| insts.contains(i))
            .collect();
        for &inst in &kept {
            regions.extend_from_slice(&body.insts[inst].regions);
            if !body.insts[inst].regions.is_empty() && !matches!(body.insts[inst].op, Op::Par(_)) {
                shapes.push((inst, shape(body, inst, values)));
            }
        }
        body.regions[region].insts = kept;
    }
    let exits = exits_of(body);
    for (inst, shape) in shapes {
        for &exit in &exits[inst] {
            let flags = match (&body.insts[exit].op, &body.insts[inst].op) {
                (Op::Continue(_), _)
                | (Op::Fallthrough(_), _)
                | (Op::Yield, Op::For(_) | Op::Loop) => &shape.carried,
                _ => &shape.results,
            };
            body.insts[exit].args = keep(&body.insts[exit].args, flags);
        }
        reshape(body, inst, &shape);
    }
}

fn exits_of(body: &Body) -> SecondaryMap<Inst, Vec<Inst>> {
    let mut exits: SecondaryMap<Inst, Vec<Inst>> = SecondaryMap::new();
    body.walk(|inst| {
        if body.insts[inst].op.is_terminator()
            && let Some(target) = exit_target(body, inst)
        {
            exits[target].push(inst);
        }
    });
    exits
}

fn shape(body: &Body, inst: Inst, values: &EntitySet<Value>) -> Shape {
    let data = &body.insts[inst];
    let live = |list: &[Value]| list.iter().map(|&v| values.contains(v)).collect::<Vec<_>>();
    let results = live(&data.results);
    let args = live(&body.regions[data.regions[0]].args);
    match data.op {
        Op::For(_) => {
            let carried: Vec<bool> = results[1..]
                .iter()
                .zip(&args[1..])
                .map(|(a, b)| *a || *b)
                .collect();
            Shape {
                results: carried.clone(),
                carried,
            }
        }
        _ => Shape {
            results,
            carried: args,
        },
    }
}

fn reshape(body: &mut Body, inst: Inst, shape: &Shape) {
    // Operands and arguments that are never dropped come first.
    let (fixed_args, fixed_results, fixed_region_args) = match body.insts[inst].op {
        Op::For(_) => (3, 1, 1),
        Op::Switch(_) | Op::If => (1, 0, 0),
        _ => (0, 0, 0),
    };
    let (head, tail) = body.insts[inst].args.split_at(fixed_args);
    body.insts[inst].args = [head, &keep(tail, &shape.carried)].concat();
    let (head, tail) = body.insts[inst].results.split_at(fixed_results);
    let results = [head, &keep(tail, &shape.results)].concat();
    set_results(body, inst, results);
    for region in body.insts[inst].regions.clone() {
        let (head, tail) = body.regions[region].args.split_at(fixed_region_args);
        let args: Vec<Value> = [head, &keep(tail, &shape.carried)].concat();
        set_region_args(body, region, args);
    }
}

/// Is the region free of instructions but for its terminator?
pub fn is_trivial(body: &Body, region: Region) -> bool {
    body.regions[region].insts.len() == 1
}
