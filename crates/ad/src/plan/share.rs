//! Computes once what is computed twice: before differentiation, so that both sweeps profit and nothing is stored twice.
//!
//! Operations without effects, calls of the math library, and loads that nothing may have written between are replaced by an earlier one of the same
//! operands that is visible there; so are loops, branches and calls of functions that only compute values ([`super::work`]). Results are the same to the bit. In a derivative ([`operations`]) F and R are looked at together, without the loads (those at the end, [`loads`]): R often computes what F has at hand, and compilers do not know
//! that functions of the math library may be called once instead of twice.

use super::work::{self, Work};
use crate::effects::Summaries;
use crate::points_to::dependence::{At, When};
use crate::points_to::{Access, Disjoint, PointsTo};
use crate::rules;
use adjoin_ir::{Body, CTy, Directive, Inst, Module, Op, Region, Type, Value};
use adjoin_passes::edit::Replacements;
use std::collections::HashMap;

/// Runs over the prepared body of a function of the given type.
pub fn run(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) {
    let apply = || apply(module, registry, ctype, body, disjoint, false);
    adjoin_passes::registry::optional("share", apply)
}

/// Runs over a finished derivative of the given type, on its loads, too: a shadow that was written is not read again, nor is the primal's memory that shadows are no part of.
pub fn loads(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) {
    let mut accesses = 0;
    body.walk(|i| {
        accesses += usize::from(matches!(body.insts[i].op, Op::Load(_) | Op::Store(_)));
    });
    if accesses <= MOST_ACCESSES {
        let apply = || apply(module, registry, ctype, body, disjoint, true);
        adjoin_passes::registry::optional("share_loads", apply)
    }
}

fn apply(
    module: &Module,
    registry: &crate::Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
    derivative: bool,
) {
    let points = PointsTo::of_type(module, registry, ctype, body).assuming(disjoint);
    let (replacements, gone) = find(module, body, Some(&points), derivative);
    for inst in gone {
        let parent = body.insts[inst].parent;
        body.regions[parent].insts.retain(|&i| i != inst);
    }
    replace(module, body, replacements);
}

/// Runs over a derivative, on operations and library calls only.
pub fn operations(module: &Module, body: &mut Body) {
    adjoin_passes::registry::optional("share", || {
        let (replacements, _) = find(module, body, None, true);
        replace(module, body, replacements);
    });
}

/// Values and what replaces them, and instructions whose results are all replaced.
fn find(
    module: &Module,
    body: &Body,
    points: Option<&PointsTo<'_>>,
    derivative: bool,
) -> (Vec<(Value, Value)>, Vec<Inst>) {
    let mut sharing = Sharing {
        module,
        body,
        points,
        derivative,
        canonical: HashMap::new(),
        seen: HashMap::new(),
        loads: Vec::new(),
        summaries: match points {
            Some(_) => Summaries::below(module, body),
            None => Summaries::default(),
        },
        done: Vec::new(),
        replaced: Vec::new(),
        gone: Vec::new(),
    };
    sharing.region(body.entry);
    (sharing.replaced, sharing.gone)
}

fn replace(module: &Module, body: &mut Body, replacements: Vec<(Value, Value)>) {
    let mut map = Replacements::default();
    for (old, new) in replacements {
        map.set(old, new);
    }
    map.apply(body);
    adjoin_passes::prune::run(&module.types, body);
}

/// What makes two operations the same.
type Signature = (String, Vec<Value>, Type);

struct Load {
    inst: Inst,
    address: Value,
    ty: Type,
    access: Access,
    value: Value,
}

/// A piece of work that was done, and its results.
struct Done {
    work: Work,
    results: Vec<Value>,
}

/// In derivatives with more loads and stores than this only operations are shared.
const MOST_ACCESSES: usize = 2_000;

/// Of more pieces of work nobody remembers what they read.
const MOST_DONE: usize = 64;

struct Sharing<'a> {
    module: &'a Module,
    body: &'a Body,
    /// `None`: loads are all different.
    points: Option<&'a PointsTo<'a>>,
    /// F and R, or tangents beside values.
    derivative: bool,
    /// The first of equal values.
    canonical: HashMap<Value, Value>,
    seen: HashMap<Signature, Value>,
    /// Loads whose memory nothing has written since.
    loads: Vec<Load>,
    summaries: Summaries,
    /// Pieces of work whose memory nothing has written since.
    done: Vec<Done>,
    replaced: Vec<(Value, Value)>,
    gone: Vec<Inst>,
}

impl Sharing<'_> {
    fn canon(&self, v: Value) -> Value {
        self.canonical.get(&v).copied().unwrap_or(v)
    }

    fn region(&mut self, region: Region) {
        let mut added = Vec::new();
        for &inst in &self.body.regions[region].insts {
            let data = &self.body.insts[inst];
            let piece = self.piece(inst);
            if piece.as_ref().is_some_and(|work| self.is_done(inst, work)) {
                continue;
            }
            if !data.regions.is_empty() {
                self.holder(inst);
                self.remember(inst, piece);
                continue;
            }
            match &data.op {
                Op::Load(_) if self.points.is_none() => {}
                Op::Load(attr) if !attr.volatile => self.load(inst),
                Op::Par(_) => self.forget_all(),
                op if op.is_pure() || self.is_library_call(inst) => {
                    if let Some(signature) = self.signature(inst) {
                        self.operation(inst, signature, &mut added);
                    }
                }
                _ => {
                    self.forget_written(inst);
                    self.store(inst);
                    self.remember(inst, piece);
                }
            }
        }
        for signature in added {
            self.seen.remove(&signature);
        }
    }

    /// An instruction with regions: what its loops write is not known to be the same in them, and what it writes at all is not afterwards.
    fn holder(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        self.forget_inside(inst);
        if let Op::Par(attr) = &data.op {
            // What a thread reads between two barriers no other writes, unless both are told to take turns.
            self.forget_all();
            if attr.directive == Directive::Parallel {
                for &region in &data.regions {
                    self.region(region);
                }
                self.forget_all();
            }
            return;
        }
        for &region in &data.regions {
            let (known, done) = (self.loads.len(), self.done.len());
            self.region(region);
            // Only what was known before and was not written meanwhile is known after; `forget_inside` took the rest away.
            self.loads.truncate(known.min(self.loads.len()));
            self.done.truncate(done.min(self.done.len()));
        }
    }

    fn forget_inside(&mut self, inst: Inst) {
        let mut work = self.body.insts[inst].regions.clone();
        while let Some(region) = work.pop() {
            for &inner in &self.body.regions[region].insts {
                if matches!(self.body.insts[inner].op, Op::Par(_)) {
                    self.forget_all();
                }
                self.forget_written(inner);
                work.extend(self.body.insts[inner].regions.iter().copied());
            }
        }
    }

    fn forget_written(&mut self, inst: Inst) {
        let known = !self.loads.is_empty() || !self.done.is_empty();
        let Some(points) = self.points.filter(|_| known) else {
            return;
        };
        for write in points.writes(inst) {
            let kept = |read: &Access| !points.may_alias(read, &write);
            // Places in one array may be apart by what is known of loops.
            let elsewhere = |l: &Load| {
                let (Some(address), Some(size)) = (l.access.address, l.access.size) else {
                    return false;
                };
                let first = At {
                    inst: l.inst,
                    address,
                    size,
                };
                !points.can_meet(first, inst, &write, When::Now)
            };
            self.loads.retain(|l| kept(&l.access) || elsewhere(l));
            self.done.retain(|d| d.work.reads.iter().all(kept));
        }
    }

    fn forget_all(&mut self) {
        self.loads.clear();
        self.done.clear();
    }

    /// What a loop, a branch or a call computes, if that is all it does.
    fn piece(&self, inst: Inst) -> Option<Work> {
        let points = self.points?;
        let data = &self.body.insts[inst];
        let possible = match &data.op {
            Op::For(_) | Op::If => true,
            Op::Call(attr) => self.module.funcs[attr.func].body.is_some(),
            _ => false,
        };
        if !possible || data.results.is_empty() {
            return None;
        }
        let name = |v: Value| self.canon(v);
        work::describe(self.module, &self.summaries, points, self.body, inst, &name)
    }

    /// Was the same work done before? Then its results are there.
    fn is_done(&mut self, inst: Inst, piece: &Work) -> bool {
        let Some(earlier) = self.done.iter().find(|d| d.work.text == piece.text) else {
            return false;
        };
        let results = &self.body.insts[inst].results;
        for (&v, &value) in results.iter().zip(&earlier.results) {
            self.canonical.insert(v, value);
            self.replaced.push((v, value));
        }
        self.gone.push(inst);
        true
    }

    fn remember(&mut self, inst: Inst, piece: Option<Work>) {
        if let Some(work) = piece.filter(|_| self.done.len() < MOST_DONE) {
            let results = self.body.insts[inst].results.clone();
            self.done.push(Done { work, results });
        }
    }

    /// What was stored is what a load reads afterwards.
    fn store(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        if let Op::Store(attr) = &data.op
            && !attr.volatile
            && self.points.is_some_and(|p| !p.is_inactive(data.args[0]))
        {
            let ty = self.body.ty(data.args[1]);
            self.loads.push(Load {
                inst,
                address: self.canon(data.args[0]),
                ty,
                access: Access::scalar(data.args[0], ty),
                value: self.canon(data.args[1]),
            });
        }
    }

    fn load(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let (address, v) = (self.canon(data.args[0]), data.results[0]);
        let ty = self.body.ty(v);
        let earlier = self
            .loads
            .iter()
            .find(|l| l.address == address && l.ty == ty);
        if let Some(earlier) = earlier {
            let value = earlier.value;
            self.canonical.insert(v, value);
            self.replaced.push((v, value));
            return;
        }
        self.loads.push(Load {
            inst,
            address,
            ty,
            access: Access::scalar(data.args[0], ty),
            value: v,
        });
    }

    fn is_library_call(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let Op::Call(attr) = &data.op else {
            return false;
        };
        let function = &self.module.funcs[attr.func];
        function.body.is_none()
            && data.results.len() == 1
            && rules::lookup(&function.name).is_some()
            && data.args.iter().all(|&a| self.body.ty(a) != Type::Ptr)
    }

    fn signature(&self, inst: Inst) -> Option<Signature> {
        let data = &self.body.insts[inst];
        let &v = data.results.first()?;
        let args = data.args.iter().map(|&a| self.canon(a)).collect();
        // Where an address leads to does not depend on what it is declared to point to.
        let name = match &data.op {
            Op::Addr(attr) => format!("address {:?}", attr.steps),
            op => format!("{op:?}"),
        };
        Some((name, args, self.body.ty(v)))
    }

    fn operation(&mut self, inst: Inst, signature: Signature, added: &mut Vec<Signature>) {
        let v = self.body.result(inst);
        let Some(&earlier) = self.seen.get(&signature) else {
            self.seen.insert(signature.clone(), v);
            added.push(signature);
            return;
        };
        self.canonical.insert(v, earlier);
        // Constants and addresses read better where they are used. In a derivative so does what only counts: compilers see through it.
        let data = &self.body.insts[inst];
        let counts = self.derivative
            && match data.op {
                Op::Mul | Op::Div | Op::Rem | Op::Call(_) => false,
                Op::Select => self.body.values[v].name.is_none(),
                _ => !self.body.ty(v).is_float() && !self.body.ty(v).is_complex(),
            };
        let plain = matches!(
            data.op,
            Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_) | Op::Addr(_)
        ) || counts;
        if !plain {
            self.replaced.push((v, earlier));
        }
    }
}
