//! Small editing tools that passes share: replacing values, moving and removing instructions, constants.

use adjoin_ir::{Body, Clause, Const, Directive, Inst, Op, Region, Span, Type, Value, ValueDef};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

/// A map from values to what replaces them, followed to the end of each chain.
#[derive(Default)]
pub struct Replacements {
    map: SecondaryMap<Value, PackedOption<Value>>,
    any: bool,
}

impl Replacements {
    /// From now on `old` means `new`.
    pub fn set(&mut self, old: Value, new: Value) {
        if old != new {
            self.map[old] = new.into();
            self.any = true;
        }
    }

    /// What a value means now.
    pub fn get(&self, mut v: Value) -> Value {
        while let Some(next) = self.map[v].expand() {
            v = next;
        }
        v
    }

    /// Has anything been replaced?
    pub fn is_empty(&self) -> bool {
        !self.any
    }

    /// Rewrites the operands of every instruction.
    pub fn apply(&self, body: &mut Body) {
        if self.any {
            for data in body.insts.values_mut() {
                for arg in &mut data.args {
                    *arg = self.get(*arg);
                }
            }
        }
    }
}

/// Position of an instruction in its region's list.
pub fn position(body: &Body, inst: Inst) -> usize {
    let region = body.insts[inst].parent;
    body.regions[region]
        .insts
        .iter()
        .position(|&i| i == inst)
        .expect("an instruction is in its parent's list")
}

/// Takes an instruction out of its region.
pub fn unlink(body: &mut Body, inst: Inst) {
    let at = position(body, inst);
    let region = body.insts[inst].parent;
    body.regions[region].insts.remove(at);
}

/// What a region gives its holder at a place, if it ends that way.
pub fn yielded(body: &Body, region: Region, k: usize) -> Option<Value> {
    let end = &body.insts[body.terminator(region)?];
    let yields = matches!(end.op, Op::Yield);
    end.args.get(k).copied().filter(|_| yields)
}

/// Moves an instruction to just before another.
pub fn move_before(body: &mut Body, inst: Inst, other: Inst) {
    unlink(body, inst);
    let region = body.insts[other].parent;
    let at = position(body, other);
    body.regions[region].insts.insert(at, inst);
    body.insts[inst].parent = region;
}

/// Makes the zero of a type as instructions of `region`; they are handed to `place` in order.
pub fn zero(
    body: &mut Body,
    region: Region,
    ty: Type,
    span: Span,
    mut place: impl FnMut(Inst),
) -> Value {
    let real = ty.part().unwrap_or(ty);
    let value = if real.is_float() {
        Const::float(0.0)
    } else {
        Const::Int(0)
    };
    let inst = body.make(region, Op::Const(value), Vec::new(), span);
    let mut result = body.add_result(inst, real);
    place(inst);
    if real != ty {
        let cast = body.make(region, Op::Cast, vec![result], span);
        result = body.add_result(cast, ty);
        place(cast);
    }
    result
}

/// The regions of a body that can be reached from its entry, outer before inner.
pub fn live_regions(body: &Body) -> Vec<Region> {
    let mut regions = vec![body.entry];
    let mut next = 0;
    while next < regions.len() {
        for &inst in &body.regions[regions[next]].insts {
            regions.extend_from_slice(&body.insts[inst].regions);
        }
        next += 1;
    }
    regions
}

/// Sets the argument list of a region, with the arguments' own positions.
pub fn set_region_args(body: &mut Body, region: Region, args: Vec<Value>) {
    for (k, &v) in args.iter().enumerate() {
        body.values[v].def = ValueDef::Arg(region, k as u32);
    }
    body.regions[region].args = args;
}

/// Sets the result list of an instruction, with the results' own positions.
pub fn set_results(body: &mut Body, inst: Inst, results: Vec<Value>) {
    for (k, &v) in results.iter().enumerate() {
        body.values[v].def = ValueDef::Result(inst, k as u32);
    }
    body.insts[inst].results = results;
}

/// The instruction that a terminator hands its operands to: the target it names, or for `yield` the one that holds its region.
pub fn exit_target(body: &Body, terminator: Inst) -> Option<Inst> {
    exit_target_in(body, terminator, body.insts[terminator].parent)
}

/// As [`exit_target`], for a terminator whose region is given (its list may be taken apart at the moment).
pub fn exit_target_in(body: &Body, terminator: Inst, region: Region) -> Option<Inst> {
    match body.insts[terminator].op {
        Op::Yield => body.regions[region].parent,
        ref op => op.target(),
    }
}

/// Is `inst` inside a region of `outer`?
pub fn is_inside(body: &Body, inst: Inst, outer: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if holder == outer {
            return true;
        }
        region = body.insts[holder].parent;
    }
    false
}

/// Does a loop belong to a parallel construct: is it the one that is shared among threads, or of the nest that is? Nothing may be put in front of it.
pub fn is_of_construct(body: &Body, inst: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    let mut depth = 1;
    while let Some(holder) = body.regions[region].parent {
        match &body.insts[holder].op {
            Op::Par(attr) => {
                let collapsed = attr.clauses.iter().find_map(|c| match c {
                    Clause::Collapse(n) => Some(*n),
                    _ => None,
                });
                return depth <= collapsed.unwrap_or(1);
            }
            Op::For(_) => {
                region = body.insts[holder].parent;
                depth += 1;
            }
            _ => return false,
        }
    }
    false
}

/// Is a loop the one that a construct shares among threads or lanes, or of the nest that is? A loop of a `parallel` region is a thread's own.
pub fn is_shared_out(body: &Body, inst: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        match &body.insts[holder].op {
            Op::Par(attr) if attr.directive == Directive::Parallel => return false,
            Op::For(_) => region = body.insts[holder].parent,
            _ => break,
        }
    }
    is_of_construct(body, inst)
}

/// All instructions in a region and in those inside it, outer before inner.
pub fn insts_in(body: &Body, region: Region) -> Vec<Inst> {
    let mut all = Vec::new();
    let mut work = vec![region];
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            all.push(inst);
            work.extend(&body.insts[inst].regions);
        }
    }
    all
}
