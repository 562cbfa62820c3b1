//! What is known of the iterations that a thread has of a loop: its share (`adjoin_part`) starts and ends between zero and the number of iterations, where there are any; chunks that are
//! dealt out in turn have numbers that grow by the number of threads, and their first and last iterations fit the index. Where nothing orders what threads do, they stay out of each other's way.

use super::PointsTo;
use adjoin_ir::{Body, Directive, Inst, Op, Pred, Type, Value, ValueDef};
use adjoin_passes::openmp;
use std::collections::{BTreeSet, HashMap};

/// What threads have of the iterations of loops.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// Where shares start and end, also in the type of the loop's index, and of how many iterations.
    pub ends: HashMap<Value, Value>,
    /// Narrower integers that are the same numbers nevertheless: bounds of chunks.
    pub exact: BTreeSet<Value>,
    /// Numbers of threads, which are at least one.
    pub positive: BTreeSet<Value>,
}

impl PointsTo<'_> {
    /// Finds the shares of a body.
    pub(super) fn shares(&self) -> Shares {
        let body = self.body;
        let mut shares = Shares::default();
        body.walk(|inst| {
            let data = &body.insts[inst];
            match &data.op {
                Op::Call(attr) if self.module.funcs[attr.func].name == openmp::PART => {
                    shares.ends.insert(data.results[0], data.args[0]);
                }
                Op::Call(attr) if self.module.funcs[attr.func].name == openmp::THREADS => {
                    shares.positive.insert(data.results[0]);
                }
                Op::Cast => shares.cast(body, inst),
                _ => {}
            }
        });
        shares
    }
}

impl PointsTo<'_> {
    /// Parallel regions, and parts of them between two barriers, in which nothing orders what threads do: no barrier, no lock, no access that is atomic. A program without races then has no two
    /// threads that access one place there, one of them writing. Parts are only looked for where threads wait at barriers alone: a flag could order the rest as well.
    ///
    /// And loops inside of which nothing orders threads: whatever a thread accesses while it runs one, no other thread writes meanwhile.
    pub(super) fn regions_apart(&self) -> (BTreeSet<Inst>, BTreeSet<Inst>) {
        let body = self.body;
        let directive = |inst: Inst| match &body.insts[inst].op {
            Op::Par(attr) => Some(&attr.directive),
            _ => None,
        };
        let is_team = |inst: Inst| directive(inst) == Some(&Directive::Parallel);
        let waits = |inst: Inst| {
            let plain = [Directive::Barrier, Directive::Single, Directive::Master];
            directive(inst).is_some_and(|d| plain.contains(d))
        };
        let holder = |inst: Inst| body.regions[body.insts[inst].parent].parent;
        // What holds something that orders threads, and teams that have more than barriers for it.
        let (mut ordered, mut unknown) = (BTreeSet::new(), BTreeSet::new());
        let (mut apart, mut quiet) = (BTreeSet::new(), BTreeSet::new());
        body.walk(|inst| {
            let alone = self.leaves_order_alone(inst);
            if is_team(inst) || alone && holder(inst).is_some_and(is_team) {
                apart.insert(inst);
            }
            if matches!(body.insts[inst].op, Op::For(_) | Op::Loop) {
                quiet.insert(inst);
            }
            let mut around = (!alone).then(|| holder(inst)).flatten();
            while let Some(outer) = around {
                ordered.insert(outer);
                if is_team(outer) && !waits(inst) {
                    unknown.insert(outer);
                }
                around = holder(outer);
            }
        });
        apart.retain(|&inst| {
            let part = holder(inst).filter(|&h| !is_team(inst) && is_team(h));
            !ordered.contains(&inst) && part.is_none_or(|team| !unknown.contains(&team))
        });
        quiet.retain(|inst| !ordered.contains(inst));
        (apart, quiet)
    }

    /// Does an instruction certainly not wait for other threads, or let them go on?
    fn leaves_order_alone(&self, inst: Inst) -> bool {
        match &self.body.insts[inst].op {
            Op::Par(_) | Op::CallIndirect(_) | Op::Mpi(_) => false,
            Op::Load(attr) | Op::Store(attr) => !attr.volatile,
            Op::LoadBits(attr) => !attr.volatile,
            Op::StoreBits(attr) => !attr.volatile,
            Op::Call(attr) => {
                let name = self.module.funcs[attr.func].name.as_str();
                let queries = [openmp::PART, openmp::THREAD, openmp::THREADS];
                queries.contains(&name)
                    || matches!(name, "malloc" | "calloc" | "free" | "memcpy" | "memset")
                    || crate::plan::lanes::is_library_call(self.module, self.body, inst)
            }
            _ => true,
        }
    }
}

impl Shares {
    /// What is known of an integer is known of it in another type, too.
    fn cast(&mut self, body: &Body, inst: Inst) {
        let data = &body.insts[inst];
        let (from, to) = (data.args[0], data.results[0]);
        let (wide, narrow) = (body.ty(to) == Type::I64, body.ty(to) == Type::I32);
        if (wide || narrow) && self.positive.contains(&from) {
            self.positive.insert(to);
        }
        if !narrow {
            return;
        }
        if let Some(&count) = self.ends.get(&from)
            && is_int(body, count)
        {
            self.ends.insert(to, count);
        }
        if self.is_first_of_chunk(body, from) || self.is_end_of_chunk(body, from) {
            self.exact.insert(to);
        }
    }

    /// Is this the first iteration of a chunk, `chunk * size`, of so many that an `int` can hold them all?
    fn is_first_of_chunk(&self, body: &Body, v: Value) -> bool {
        let Some((chunk, size)) = operands(body, v, |op| matches!(op, Op::Mul)) else {
            return false;
        };
        let ValueDef::Arg(region, 0) = body.values[chunk].def else {
            return false;
        };
        let Some(holder) = body.regions[region].parent else {
            return false;
        };
        let data = &body.insts[holder];
        let below = matches!(&data.op, Op::For(attr) if attr.pred == Pred::Lt);
        if !below || !self.positive.contains(&data.args[2]) {
            return false;
        }
        let known = |v: Value| body.const_int(v).and_then(|n| i64::try_from(n).ok());
        if let (Some(chunks), Some(size)) = (known(data.args[1]), known(size)) {
            let last = chunks.checked_mul(size);
            return last.is_some_and(|n| i32::try_from(n).is_ok());
        }
        // So many chunks: (number + (size - 1)) / size.
        let Some((padded, by)) = operands(body, data.args[1], |op| matches!(op, Op::Div)) else {
            return false;
        };
        let Some((number, less)) = operands(body, padded, |op| matches!(op, Op::Add)) else {
            return false;
        };
        let same = by == size || known(by).is_some() && known(by) == known(size);
        let one_less = match (known(less), known(size)) {
            (Some(less), Some(size)) => size > 0 && less < size,
            _ => operands(body, less, |op| matches!(op, Op::Sub))
                .is_some_and(|(whole, one)| whole == size && known(one) == Some(1)),
        };
        same && one_less && is_int(body, number)
    }

    /// Is this the end of a chunk, the smaller one of the number of iterations and of where a whole chunk would end?
    fn is_end_of_chunk(&self, body: &Body, v: Value) -> bool {
        let Some(inst) = body.def_inst(v) else {
            return false;
        };
        let data = &body.insts[inst];
        if !matches!(data.op, Op::Select) {
            return false;
        }
        let (number, behind) = (data.args[1], data.args[2]);
        let smaller = operands(body, data.args[0], |op| matches!(op, Op::Lt));
        let first = operands(body, behind, |op| matches!(op, Op::Add)).map(|(first, _)| first);
        smaller == Some((number, behind))
            && is_int(body, number)
            && first.is_some_and(|first| self.is_first_of_chunk(body, first))
    }
}

/// The operands of an operation of two.
fn operands(body: &Body, v: Value, is: impl Fn(&Op) -> bool) -> Option<(Value, Value)> {
    let data = &body.insts[body.def_inst(v)?];
    match data.args[..] {
        [a, b] if is(&data.op) => Some((a, b)),
        _ => None,
    }
}

/// Is a number of iterations one that an `int` can hold? The iterations of a loop from zero or more to an `int`, which it passes by one at most.
fn is_int(body: &Body, count: Value) -> bool {
    if let Some(n) = body.const_int(count) {
        return i32::try_from(n).is_ok();
    }
    let Some(inst) = body.def_inst(count) else {
        return false;
    };
    let data = &body.insts[inst];
    let known = |k: usize| body.const_int(data.args[k]);
    match data.op {
        Op::Cast => matches!(
            body.ty(data.args[0]),
            Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32
        ),
        Op::Sub => is_natural(body, data.args[1], 6) && is_int(body, data.args[0]),
        Op::Add => known(1) == Some(1) && is_int(body, data.args[0]),
        _ => false,
    }
}

/// Is a signed number certainly not negative: counted up from such a number, or made of such?
fn is_natural(body: &Body, v: Value, depth: u32) -> bool {
    if let Some(n) = body.const_int(v) {
        return n >= 0;
    }
    if depth == 0 || !body.ty(v).is_signed() {
        return false;
    }
    let natural = |v: Value| is_natural(body, v, depth - 1);
    match body.values[v].def {
        ValueDef::Arg(region, 0) => {
            let holder = body.regions[region].parent;
            holder.is_some_and(|l| {
                let data = &body.insts[l];
                let Op::For(attr) = &data.op else {
                    return false;
                };
                let up = natural(data.args[0]) && natural(data.args[2]);
                up || attr.pred == Pred::Ge && natural(data.args[1])
            })
        }
        ValueDef::Arg(..) => false,
        ValueDef::Result(inst, _) => {
            let data = &body.insts[inst];
            match data.op {
                Op::Cast => {
                    let (from, to) = (body.ty(data.args[0]), body.ty(v));
                    from.is_int() && from.bits() <= to.bits() && natural(data.args[0])
                }
                Op::Add | Op::Mul | Op::Div => data.args.iter().all(|&v| natural(v)),
                Op::Select => data.args[1..].iter().all(|&v| natural(v)),
                _ => false,
            }
        }
    }
}
