//! Reverse mode.
//!
//! The derivative is one body: the forward sweep F (the primal with shadow pointers beside pointers, and what must be remembered), then the reverse sweep R, which
//! mirrors the region tree backwards. Adjoints of values are values; a mirrored loop carries those of what its body uses from outside. How the
//! reverse sweep gets at values of the forward sweep is the business of `needed`.

mod again;
mod caches;
mod calls;
mod cases;
mod checkpoint;
mod combined;
mod copies;
pub(crate) mod cost;
mod custom;
mod decide;
mod exclusive;
mod exits;
mod explain;
mod frames;
mod fuse;
mod fuse_later;
mod fuse_teams;
mod guarded;
mod increments;
mod inspect;
mod lanes;
mod lent;
mod memory;
mod messages;
mod mirror;
mod needed;
pub(crate) mod nests;
mod optional;
mod pairs;
mod parallel;
mod partials;
mod reach;
mod recipes;
mod release;
mod rooms;
mod rows;
mod selected;
mod settle;
mod siblings;
mod slow_tasks;
mod snapshots;
mod split;
mod split_loops;
mod support;
mod sweep;
mod tapes;
mod tasks;
mod tidy;
mod totals;
mod unconditional;
mod versions;
mod widen;

use crate::activity::{self, Facts, Inputs, Param, is_number};
use crate::loops::FusedLoop;
use crate::parallel::{Increments, Question, Wanted};
use crate::plan::reread::Rereads;
use crate::points_to::Disjoint;
use crate::{AdError, Session};
use adjoin_ir::signature::Signature;
use adjoin_ir::{
    Body, Builder, CTy, CallAttr, Const, Func, Global, Inst, Module, Op, Region, Span, Type, Value,
};
use adjoin_passes::registry::step;
pub(crate) use combined::active_globals;
pub(super) use combined::differentiate;
use cranelift_entity::{EntitySet, SecondaryMap};
use exits::Exits;
pub(super) use lanes::several;
pub(crate) use lent::lend;
use needed::Key;
pub use pairs::Pairs;
pub(crate) use pairs::unused_name;
pub(crate) use parallel::is_query;
pub(crate) use rooms::gather as gather_rooms;
pub(super) use split::halves;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
pub(crate) use support::{piece, require};
pub(crate) use versions::{reached, tangents};

type Result<T> = std::result::Result<T, AdError>;

/// Instructions go in at a position, one after the other: the position moves along as the list grows.
#[derive(Clone, Copy)]
struct Insertion {
    start: usize,
    length: usize,
}

/// What is known besides the body.
#[derive(Clone, Copy)]
struct Assumed<'a> {
    /// Memory that does not overlap.
    disjoint: &'a Disjoint,
    /// Others run between F and R: what they leave as it is.
    split: Option<&'a crate::plan::lasting::CallFacts>,
    /// Loops that run together with their mirrors.
    fused: &'a fuse::Fused,
}

/// The state of one differentiation.
pub(super) struct Reverse<'m> {
    session: &'m mut Session,
    m: &'m mut Module,
    /// The primal, and what is known of it.
    p: Body,
    facts: Facts,
    exits: Exits,
    /// The derivative, and where the next instruction goes: into a region, at its end or at a position.
    d: Body,
    at: Region,
    position: Option<Insertion>,
    span: Span,
    /// Values of the primal in F, and shadows of its pointers.
    f: HashMap<Value, Value>,
    s: HashMap<Value, Value>,
    /// Instructions with regions in F.
    targets: HashMap<Inst, Inst>,
    /// F is inside a `block`, since the primal returns from several places.
    wrapped: Option<Inst>,
    return_code: Option<Value>,
    /// There is no R: what is called keeps nothing for it.
    only_forward: bool,
    /// The primal's result in F and its shadow, if they are wanted.
    keeps_result: bool,
    result: Option<(Value, Option<Value>)>,
    /// Counters and exit codes in memory, at the entry.
    cells: BTreeMap<Key, Value>,
    caches: caches::Caches,
    /// The lists of what is freed at the end, by the team whose threads have one each.
    freed: BTreeMap<Option<Inst>, Value>,
    /// What F frees goes to a list of the caller.
    borrowed_freed: bool,
    /// Tapes of called functions that all of R sees.
    tapes: HashMap<Inst, Value>,
    /// Objects of F that only carry something out of a call.
    temporaries: BTreeSet<Value>,
    pushed: BTreeSet<Key>,
    /// How far the values that open a region reach in its list.
    headers: HashMap<Region, usize>,
    /// What R knows already, by the region where it became known.
    memo: Vec<(Region, HashMap<Key, Value>)>,
    /// The regions of R that mirror a region of the primal, innermost last.
    mirrors: HashMap<Region, Vec<Region>>,
    adjoints: HashMap<Value, Value>,
    /// Values of the derivative that are adjoints of numbers, or contributions to them.
    linear: EntitySet<Value>,
    contexts: HashMap<Inst, mirror::Context>,
    seed: Option<Value>,
    runtime: support::Runtime,
    /// The active globals of the whole derivative.
    globals: Rc<BTreeSet<Global>>,
    /// Which loads can be read again.
    rereads: Rereads,
    /// What R does about values that it needs.
    plan: decide::Plan,
    /// Loads that can be read again if these stores are undone.
    undoable: HashMap<Inst, Vec<Inst>>,
    /// What stores to memory that others see write to: it is put back when they were undone.
    finals: BTreeMap<Inst, snapshots::finals::Final>,
    /// Parts of arrays that can be kept, and the loads that could then be read from them.
    kept: Vec<snapshots::Kept>,
    kept_loads: HashMap<Inst, u32>,
    /// Values that are read where the program leaves them.
    left: BTreeSet<Value>,
    /// Conditions of the primal that only choose between values.
    only_chooses: EntitySet<Value>,
    /// Values that may remain unused, so that their adjoints are zero and their partials anything.
    optional: optional::Optional,
    /// Where each instruction of the primal stands in its region.
    order: SecondaryMap<Inst, u32>,
    /// Which instructions of the primal use a value, once somebody asks.
    users: OnceCell<SecondaryMap<Value, Vec<Inst>>>,
    /// What R computes or reads again.
    had_again: BTreeSet<Key>,
    /// Loops of R that mirror loops of the primal.
    mirrored: BTreeSet<Inst>,
    /// Fused loops that store the primal's numbers only in variables of their own.
    fused_sums: BTreeMap<Inst, FusedLoop>,
    /// The instruction that is being mirrored.
    mirroring: Option<Inst>,
    /// What is known of parallel regions.
    parallel: parallel::Parallel,
    /// How increments of shadows in them keep out of each other's way.
    increments: Increments,
    /// Loops that run together with their mirrors.
    fused: fuse::Fused,
    /// Sums over threads, whose parts have one adjoint.
    totals: totals::Totals,
}

impl<'m> Reverse<'m> {
    /// The state at the start, with an empty derivative that has the given parameters.
    fn new(
        session: &'m mut Session,
        m: &'m mut Module,
        (p, ctype): (&Body, CTy),
        inputs: (&[Param], &Rc<BTreeSet<Global>>),
        d: Body,
        assumed: Assumed<'_>,
        span: Span,
    ) -> Result<Self> {
        let summaries = session.pairs.summaries.clone();
        let (params, globals) = inputs;
        let mut facts = activity::analyse(
            m,
            p,
            Inputs {
                params,
                globals,
                summaries: &summaries,
                registry: &session.registry,
            },
        )?;
        parallel::keep_barriers(p, &mut facts);
        let tasks = tasks::keep_active(p, &mut facts);
        let totals = totals::find(m, p, &mut facts);
        let runtime = support::Runtime::declare(m);
        let Assumed {
            disjoint,
            split,
            fused,
        } = assumed;
        rows::there(p, disjoint, &mut facts);
        let regions = fused.regions(p);
        let rereads = Rereads::of(m, &session.registry, ctype, p, disjoint, split, &regions);
        let accumulations = exclusive::active_accumulations(m, p, &facts);
        let own = exclusive::loads(&accumulations);
        let counts = |facts: &Facts, inst: Inst| {
            let data = &p.insts[inst];
            facts.active.contains(inst)
                && match data.op {
                    Op::Load(_) => is_number(p.ty(data.results[0])) && !own.contains(&inst),
                    Op::Copy(_) | Op::Call(_) => true,
                    _ => false,
                }
        };
        let points = || crate::points_to::PointsTo::of_type(m, &session.registry, ctype, p);
        let question = Question {
            module: m,
            registry: &session.registry,
            body: p,
            counts: &|inst| counts(&facts, inst),
            active: &|inst| facts.active.contains(inst),
            is_called: split.is_some(),
        };
        let ordering = crate::parallel::ordering(&question, || points().assuming(disjoint));
        parallel::keep_ordering(p, &ordering, &mut facts);
        let counts = |inst: Inst| counts(&facts, inst);
        let active = |inst: Inst| facts.active.contains(inst);
        let copies = session.options.outermost;
        let of_shadows = disjoint.of_shadows();
        let points = || {
            let points = crate::points_to::PointsTo::of_type(m, &session.registry, ctype, p);
            match of_shadows.is_empty() {
                true => points,
                false => points.assuming(&of_shadows),
            }
        };
        let numbering = exclusive::Numbering {
            module: m,
            registry: &session.registry,
            body: p,
            facts: &facts,
            rereads: &rereads,
            ordering: &ordering,
        };
        let numbered = numbering.constructs(&accumulations);
        let wanted = Wanted {
            counts: &counts,
            active: &active,
            in_turn: &|inst| numbered.contains(&inst),
            copies,
        };
        let increments = Increments::of(m, p, points, &wanted);
        let mut parallel = parallel::Parallel {
            called: tasks,
            only_inside: tasks::are_in_teams(p),
            task_teams: tasks::teams(p),
            ordering,
            ..Default::default()
        };
        if session.options.deterministic {
            tasks::refuse_tasks(p)?;
            parallel.alone = increments::undetermined(p, &facts, &increments)?;
        }
        let entry = d.entry;
        let exits = Exits::of(p);
        let points = || crate::points_to::PointsTo::of_type(m, &session.registry, ctype, p);
        let optional = optional::values(m, p, points, &exits, split.is_some(), active);
        Ok(Reverse {
            facts,
            exits,
            at: entry,
            position: None,
            span,
            f: HashMap::new(),
            s: HashMap::new(),
            targets: HashMap::new(),
            wrapped: None,
            return_code: None,
            result: None,
            keeps_result: false,
            only_forward: false,
            cells: BTreeMap::new(),
            caches: caches::Caches::default(),
            freed: BTreeMap::new(),
            borrowed_freed: false,
            tapes: HashMap::new(),
            temporaries: BTreeSet::new(),
            pushed: BTreeSet::new(),
            headers: HashMap::from([(entry, 0)]),
            memo: Vec::new(),
            mirrors: HashMap::new(),
            adjoints: HashMap::new(),
            linear: EntitySet::new(),
            contexts: HashMap::new(),
            seed: None,
            runtime,
            globals: globals.clone(),
            rereads,
            plan: decide::Plan::Trial(BTreeMap::new()),
            undoable: HashMap::new(),
            finals: BTreeMap::new(),
            kept: Vec::new(),
            kept_loads: HashMap::new(),
            left: BTreeSet::new(),
            only_chooses: recipes::only_choose(p),
            optional,
            order: decide::order(p),
            users: OnceCell::new(),
            had_again: BTreeSet::new(),
            mirroring: None,
            mirrored: BTreeSet::new(),
            fused_sums: BTreeMap::new(),
            parallel,
            increments,
            fused: fused.clone(),
            totals,
            session,
            m,
            p: p.clone(),
            d,
        })
    }

    /// Makes R as a block of its own, in which the values of F at top level are visible. Its results are the adjoints of the given values.
    fn reverse_sweep(&mut self, outs: &[Value], unit_seed: Option<Type>) -> Result<Inst> {
        let before = self.snapshot();
        step("mirror", || self.mirror_all(outs, unit_seed))?;
        step("plan", || self.decide());
        self.restore(before);
        let before = self.has_teams().then(|| self.snapshot());
        let mut block = step("mirror", || self.mirror_all(outs, unit_seed))?;
        let mut again = None;
        if let Some(before) = before
            && self.find_frameless()
        {
            // What keeps the frames of these regions is not needed after all.
            self.restore(before);
            again = Some(self.snapshot());
            block = step("mirror", || self.mirror_all(outs, unit_seed))?;
        }
        self.push_needed();
        self.release_caches();
        if let Some(before) = again
            && self.lost_frames()
        {
            self.restore(before);
            block = step("mirror", || self.mirror_all(outs, unit_seed))?;
            self.push_needed();
            self.release_caches();
        }
        self.cut_regions();
        let region = self.d.insts[block].regions[0];
        settle::run(&mut self.d, region);
        adjoin_passes::algebra::run(&mut self.d, &self.linear);
        Ok(block)
    }

    /// Makes R, with the values of F taken as the plan says.
    fn mirror_all(&mut self, outs: &[Value], unit_seed: Option<Type>) -> Result<Inst> {
        // What a trial made has numbers that are given again.
        self.linear.clear();
        self.mirrored.clear();
        self.fused_sums.clear();
        // What fused loops result in is known at the end.
        let made_late = self.fused_results();
        let handed_on = outs.iter().chain(&made_late);
        let types: Vec<Type> = handed_on.map(|&v| self.p.ty(v)).collect();
        let (block, region) = self.b().block(&types);
        if let Some(ty) = unit_seed {
            let one = self.inside(region, |me| {
                let real = me.b().float(ty.part().unwrap_or(ty), 1.0);
                Ok(me.cast(ty, real))
            })?;
            self.seed = Some(one);
        }
        let saved = self.inside(region, |me| {
            me.ask_for_threads();
            Ok(me.save_finals())
        })?;
        // What was made at the start of R stays in front of what opens it later.
        let made = self.d.regions[region].insts.len();
        self.headers.insert(region, made);
        self.mirrors.insert(self.p.entry, vec![region]);
        self.memo.push((region, HashMap::new()));
        self.inside(region, |me| {
            let list = me.p.regions[me.p.entry].insts.clone();
            me.mirror_list(&list)?;
            me.put_back(saved);
            let mut values: Vec<Value> = outs.iter().map(|&v| me.adjoint(v)).collect();
            let saved = (me.f.clone(), me.s.clone());
            me.sweep_sums()?;
            values.extend(made_late.iter().map(|v| me.f[v]));
            (me.f, me.s) = saved;
            me.b().yield_(&values);
            Ok(())
        })?;
        self.memo.pop();
        Ok(block)
    }

    /// The numbers among the parameters whose adjoints are asked for.
    fn number_outs(&self, params: &[Param]) -> Vec<Value> {
        self.p.regions[self.p.entry]
            .args
            .iter()
            .zip(params)
            .filter(|(v, a)| **a == Param::Out && is_number(self.p.ty(**v)))
            .map(|(&v, _)| v)
            .collect()
    }

    // ---- making instructions ----

    /// A builder at the current place.
    fn b(&mut self) -> Builder<'_> {
        let length = self.d.regions[self.at].insts.len();
        let mut builder = Builder::at_end(&mut self.d, self.at);
        builder.cursor.before = self.position.map(|p| p.start + length - p.length);
        builder.span = self.span;
        builder
    }

    /// Runs `fill` with the end of a region as the current place.
    fn inside<T>(
        &mut self,
        region: Region,
        fill: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let old = (
            std::mem::replace(&mut self.at, region),
            self.position.take(),
        );
        let result = fill(self);
        (self.at, self.position) = old;
        result
    }

    /// Runs `fill` with a position of a region as the current place.
    fn at_position<T>(
        &mut self,
        region: Region,
        start: usize,
        fill: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let length = self.d.regions[region].insts.len();
        let here = Insertion { start, length };
        let old = (
            std::mem::replace(&mut self.at, region),
            self.position.replace(here),
        );
        let result = fill(self);
        (self.at, self.position) = old;
        if let (Some(p), true) = (&mut self.position, self.at == region) {
            // The list grew before or at the place that we come back to.
            let added = self.d.regions[region].insts.len() - length;
            p.start += added;
            p.length += added;
        }
        result
    }

    /// Runs `fill` with the end of what opens a region as the current place.
    fn in_header<T>(&mut self, region: Region, fill: impl FnOnce(&mut Self) -> T) -> T {
        let start = self.headers.get(&region).copied().unwrap_or(0);
        let before = self.d.regions[region].insts.len();
        let result = self.at_position(region, start, fill);
        let added = self.d.regions[region].insts.len() - before;
        self.headers.insert(region, start + added);
        result
    }

    fn cast(&mut self, ty: Type, v: Value) -> Value {
        if self.d.ty(v) == ty {
            v
        } else {
            self.b().cast(ty, v)
        }
    }

    fn zero(&mut self, ty: Type) -> Value {
        self.b().zero_of(ty)
    }

    fn int(&mut self, n: i128) -> Value {
        self.b().constant(Type::I64, Const::Int(n))
    }

    fn call(&mut self, func: Func, args: Vec<Value>) -> Option<Value> {
        let signature = Signature::of(&self.m.types, self.m.funcs[func].ctype)?;
        let result = signature.result();
        let inst = self.b().inst(
            Op::Call(CallAttr {
                func,
                extra: Vec::new(),
            }),
            args,
            result.as_slice(),
        );
        result.map(|_| self.d.result(inst))
    }

    fn error<T>(&self, inst: Inst, what: impl Into<String>) -> Result<T> {
        Err(AdError::new(self.p.insts[inst].span, what))
    }
}
