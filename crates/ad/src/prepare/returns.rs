//! Early exits of branches become results of branches: `if (c) return a; rest; return b;` is `v = if (c) a else { rest; b }; return v`. So the
//! reverse sweep mirrors a branch, and nothing must be recorded about how the function was left. The same for blocks that branches leave.

use adjoin_ir::{Body, Inst, Op, Region, Type, Value};
use adjoin_passes::edit::Replacements;

/// What is left early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    Function,
    Block(Inst),
}

impl Exit {
    fn is(self, op: &Op) -> bool {
        match self {
            Exit::Function => matches!(op, Op::Return),
            Exit::Block(block) => matches!(op, Op::Break(t) if *t == block),
        }
    }

    fn op(self) -> Op {
        match self {
            Exit::Function => Op::Return,
            Exit::Block(block) => Op::Break(block),
        }
    }
}

/// Rewrites the early exits of blocks, and those of the function if `returns`.
pub fn run(body: &mut Body, returns: bool) {
    let mut replacements = Replacements::default();
    let mut blocks = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::Block) {
            blocks.push(inst);
        }
    });
    for block in blocks.into_iter().rev() {
        let region = body.insts[block].regions[0];
        if let Some(last) = body.terminator(region)
            && matches!(body.insts[last].op, Op::Yield)
        {
            body.insts[last].op = Op::Break(block);
        }
        tail(body, region, Exit::Block(block), &mut replacements);
        if let Some(last) = body.terminator(region)
            && Exit::Block(block).is(&body.insts[last].op)
        {
            body.insts[last].op = Op::Yield;
        }
    }
    if returns {
        let entry = body.entry;
        tail(body, entry, Exit::Function, &mut replacements);
    }
    replacements.apply(body);
}

/// A region after which nothing runs but what the exit leads to.
fn tail(body: &mut Body, region: Region, exit: Exit, replacements: &mut Replacements) {
    let list = body.regions[region].insts.clone();
    let Some((at, stays)) = list
        .iter()
        .enumerate()
        .find_map(|(k, &inst)| candidate(body, inst, exit).map(|stays| (k, stays)))
    else {
        return;
    };
    let inst = list[at];
    // What follows goes to the end of the only region that goes on.
    let rest = body.regions[region].insts.split_off(at + 1);
    if let Some(stays) = stays {
        let last = body.regions[stays].insts.pop().expect("it ends in a yield");
        let values = body.insts[last].args.clone();
        for (k, &old) in body.insts[inst].results.clone().iter().enumerate() {
            replacements.set(old, values[k]);
        }
        for &moved in &rest {
            body.insts[moved].parent = stays;
        }
        body.regions[stays].insts.extend(rest);
    }
    let regions = body.insts[inst].regions.clone();
    for &inner in &regions {
        tail(body, inner, exit, replacements);
    }
    // Every region that ends in the exit gives its operands as results instead.
    let mut types: Option<Vec<Type>> = None;
    for &inner in &regions {
        let Some(last) = body.terminator(inner) else {
            continue;
        };
        if exit.is(&body.insts[last].op) {
            body.insts[last].op = Op::Yield;
            types = Some(body.insts[last].args.iter().map(|&v| body.ty(v)).collect());
        }
    }
    body.insts[inst].results.clear();
    let span = body.insts[inst].span;
    match types {
        Some(types) => {
            let results: Vec<Value> = types.iter().map(|&t| body.add_result(inst, t)).collect();
            body.append(region, exit.op(), results, span);
        }
        None => {
            body.append(region, Op::Unreachable, Vec::new(), span);
        }
    }
}

/// A branch that the exit leaves from at least one region, and at most one region of which goes on: that one.
fn candidate(body: &Body, inst: Inst, exit: Exit) -> Option<Option<Region>> {
    let data = &body.insts[inst];
    if !matches!(data.op, Op::If | Op::Switch(_)) {
        return None;
    }
    let mut stays = None;
    let mut leaves = false;
    for &region in &data.regions {
        let last = &body.insts[body.terminator(region)?].op;
        if matches!(last, Op::Yield) && stays.replace(region).is_some() {
            return None;
        }
        leaves |= exit.is(last);
    }
    (leaves && !is_target(body, inst)).then_some(stays)
}

/// Does anything inside name the instruction as its target?
fn is_target(body: &Body, inst: Inst) -> bool {
    let mut work: Vec<Inst> = Vec::new();
    let extend = |work: &mut Vec<Inst>, inst: Inst| {
        for &region in &body.insts[inst].regions {
            work.extend(body.regions[region].insts.iter().copied());
        }
    };
    extend(&mut work, inst);
    while let Some(inner) = work.pop() {
        if body.insts[inner].op.target() == Some(inst) {
            return true;
        }
        extend(&mut work, inner);
    }
    false
}
