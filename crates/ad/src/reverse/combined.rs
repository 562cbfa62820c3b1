//! A derivative in one function, F and R: what an entry point asks for.

mod function;
mod shape;

use super::fuse::Fused;
use super::lanes::Outside;
use super::pairs::Prepared;
use super::{Assumed, Result, Reverse, cost, nests, versions, widen};
use crate::activity::Param;
use crate::plan::report::Checkpointed;
use crate::points_to::{Disjoint, Object};
use crate::{Activity, AdError, Options, Request, Session};
use crate::{loops, plan};
use adjoin_ir::{Body, CTy, Checkpoint, Func, Function, Global, Inst, Linkage, Module, Value};
use adjoin_passes::edit::is_inside;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use shape::Shape;
pub(super) use shape::{facts, result_struct};

/// Makes the derivative of a function.
pub(crate) fn differentiate(
    session: &mut Session,
    m: &mut Module,
    request: &Request,
) -> Result<Func> {
    super::pairs::with_threads(session, m, |session, m| {
        let made = attempt(session, m, request);
        session.prepare_for(request.func, &BTreeMap::new());
        made
    })
}

/// The same, with parallel constructs as they are.
pub(super) fn attempt(session: &mut Session, m: &mut Module, request: &Request) -> Result<Func> {
    session.begin(m, request.func);
    session.prepare_for(request.func, &request.constants);
    if let Some(limit) = session.options.memory_limit {
        choose_checkpoints(session, m, request, limit)?;
    }
    let shape = Shape::of(m, request)?;
    if !m.checkpoints.is_empty() || !session.pairs.automatic.is_empty() {
        // What a snapshot holds depends on what the request says.
        let known = shape.known(m, request);
        session.prepare_with(request.func, known);
    }
    let prepared = session.prepared(m, request.func)?;
    let mut params = shape.params(m, request);
    if session.options.runtime_activity {
        // Whether a shadow is one is known when the function runs.
        for p in params.iter_mut().filter(|p| **p == Param::Dup) {
            *p = Param::Unsure;
        }
    }
    let globals = session.active_globals(m, request.func, &params)?;
    let signature = shape.signature(m, request)?;
    let outside = match request.width {
        1 => None,
        _ => Some(Outside::of(m, request, signature.0)?),
    };
    let work = Work {
        request,
        signature,
        outside,
        shape,
        params,
        globals,
        part: Part::Request,
    };
    let func = work.make(session, m, &prepared)?;
    session.prepare_for(request.func, &BTreeMap::new());
    session.fill(m)?;
    let refused = std::mem::take(&mut session.pairs.not_checkpointed);
    if let (Some(report), Some(limit)) = (
        session.explaining.iter_mut().flatten().next(),
        session.options.memory_limit,
    ) {
        report
            .checkpoints
            .extend(refused.into_iter().map(|(span, reason)| Checkpointed {
                span,
                how: Checkpoint::Memory(limit),
                open: false,
                holds: Vec::new(),
                refused: Some(reason),
            }));
    }
    Ok(func)
}

/// The globals that are active in a derivative.
pub(crate) fn active_globals(
    session: &mut Session,
    m: &mut Module,
    request: &Request,
) -> Result<Rc<BTreeSet<Global>>> {
    session.begin(m, request.func);
    session.prepare_for(request.func, &BTreeMap::new());
    let params = Shape::of(m, request)?.params(m, request);
    session.active_globals(m, request.func, &params)
}

/// Finds the loops that may need much memory, from the plan without checkpoints.
fn choose_checkpoints(
    session: &mut Session,
    m: &Module,
    request: &Request,
    limit: u64,
) -> Result<()> {
    let mut scratch = Session {
        registry: session.registry.clone(),
        options: Options {
            memory_limit: None,
            ..session.options
        },
        explaining: Some(Vec::new()),
        ..Session::default()
    };
    scratch.pairs = session.pairs.unmade();
    attempt(&mut scratch, &mut m.clone(), request)?;
    let reports = scratch.explaining.unwrap_or_default();
    let spans = super::checkpoint::loops_with_caches(&reports);
    let limited = spans.into_iter().map(|s| (s, Checkpoint::Memory(limit)));
    session.pairs.automatic = limited.collect();
    Ok(())
}

/// Makes the derivative of a function that another derivative calls: F and R in one, where parameters take part as given. Pairs of parameters may be known not to
/// overlap.
pub(super) fn of_segment(
    session: &mut Session,
    m: &mut Module,
    func: Func,
    name: String,
    (params, globals): (Vec<Param>, Rc<BTreeSet<Global>>),
    disjoint: BTreeSet<(u32, u32)>,
    part: Part,
) -> Result<Func> {
    let activity = |p: &Param| match p.has_shadow() {
        true => Activity::Dup,
        false => Activity::Const,
    };
    let activities = params.iter().map(activity).collect();
    let request = Request {
        disjoint,
        ..Request::new(func, name, activities)
    };
    let prepared = session.prepared(m, func)?;
    let shape = Shape::of(m, &request)?;
    let work = Work {
        request: &request,
        signature: shape.signature(m, &request)?,
        outside: None,
        shape,
        params,
        globals,
        part,
    };
    if part == Part::Forward {
        let known = work.shape.known(m, &request);
        let (function, _) = work.form(session, m, &prepared, &known)?;
        return Ok(m.funcs.push(function));
    }
    work.make(session, m, &prepared)
}

impl Work<'_> {
    /// Makes the function, in two versions if that pays.
    fn make(&self, session: &mut Session, m: &mut Module, prepared: &Prepared) -> Result<Func> {
        let (work, request, prepared) = (self, self.request, prepared.clone());
        let known = work.shape.known(m, request);
        let prepared = match known.is_empty() {
            true => prepared,
            false => improved(session, m, &prepared, &known).0,
        };
        let func = match versions::find_test(m, session, request, &prepared, &known) {
            None => {
                let (prepared, known) = with_nests(session, m, prepared, known).0;
                let (function, _) = work.form(session, m, &prepared, &known)?;
                m.funcs.push(function)
            }
            Some(test) => {
                let base = test.form(&prepared);
                let (better, promoted) = improved(session, m, &base, &test.disjoint);
                let ((better, apart), twice) =
                    with_nests(session, m, better, test.disjoint.clone());
                let (fast, fast_stores) = work.form(session, m, &better, &apart)?;
                let reports = session.explaining.as_ref().map_or(0, Vec::len);
                let (general, general_stores) = work.form(session, m, &prepared, &known)?;
                let lanes = test.disjoint.shadows().next().is_some();
                if promoted > 0 || twice || fast_stores < general_stores || lanes {
                    // What is explained is what mostly runs.
                    session
                        .explaining
                        .iter_mut()
                        .for_each(|all| all.truncate(reports));
                    versions::dispatcher(m, request, &prepared, &test, [fast, general])?
                } else {
                    let fast = reports.saturating_sub(1);
                    (session.explaining.iter_mut()).for_each(|all| drop(all.drain(fast..reports)));
                    m.funcs.push(general)
                }
            }
        };
        Ok(func)
    }
}

/// A body made better by facts, and how many values took the place of memory.
fn improved(
    session: &Session,
    m: &Module,
    prepared: &Prepared,
    disjoint: &Disjoint,
) -> (Prepared, usize) {
    let mut body = (*prepared.body).clone();
    let ctype = prepared.ctype;
    let promoted = plan::before(m, &session.registry, ctype, &mut body, disjoint);
    let better = Prepared {
        body: Rc::new(body),
        ..prepared.clone()
    };
    (better, promoted)
}

/// A body with nests that stand there twice, with what is then known, and whether there are any.
fn with_nests(
    session: &Session,
    m: &Module,
    prepared: Prepared,
    known: Disjoint,
) -> ((Prepared, Disjoint), bool) {
    match nests::split(m, &session.registry, prepared.ctype, &prepared.body, &known) {
        Some((body, known)) => {
            let body = Rc::new(body);
            ((Prepared { body, ..prepared }, known), true)
        }
        None => ((prepared, known), false),
    }
}

/// The loops of R whose sums are adjoints.
#[derive(Clone, Debug, Default)]
struct LoopsOfR {
    mirrored: BTreeSet<Inst>,
    fused: BTreeMap<Inst, loops::FusedLoop>,
    /// Caches on the stack.
    caches: BTreeSet<Value>,
}

impl LoopsOfR {
    /// The same in the derivative for several seeds.
    fn moved(&self, to: &widen::Widened) -> LoopsOfR {
        let all = |list: &[Value]| list.iter().flat_map(|&v| to.values(v)).collect();
        let fused = self.fused.iter().filter_map(|(l, of)| {
            let moved = loops::FusedLoop {
                bars: all(&of.bars),
                fresh: all(&of.fresh),
            };
            Some((to.inst(*l)?, moved))
        });
        LoopsOfR {
            mirrored: self.mirrored.iter().filter_map(|l| to.inst(*l)).collect(),
            fused: fused.collect(),
            caches: self.caches.iter().flat_map(|&v| to.values(v)).collect(),
        }
    }
}

/// Both sweeps in one function.
struct Sweeps {
    function: Function,
    /// How many values it stores, those for one iteration of a fused loop aside.
    stores: usize,
    /// What is fused, and what could be.
    fused: Fused,
    more: Fused,
    loops: LoopsOfR,
}

/// What all forms of a derivative have in common.
struct Work<'a> {
    request: &'a Request,
    shape: Shape,
    signature: (CTy, Vec<Option<String>>),
    /// If there are several seeds.
    outside: Option<Outside>,
    params: Vec<Param>,
    globals: Rc<BTreeSet<Global>>,
    part: Part,
}

/// What is made of a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// All of what was asked for.
    Request,
    /// F and R of something that belongs to it: shadows of globals are as they are.
    Both,
    /// F of that alone, with nothing kept for R.
    Forward,
}

impl Work<'_> {
    /// One form, and how many values it stores.
    fn form(
        &self,
        session: &mut Session,
        m: &mut Module,
        prepared: &Prepared,
        disjoint: &Disjoint,
    ) -> Result<(Function, usize)> {
        let reports = session.explaining.as_ref().map_or(0, Vec::len);
        let mut without = BTreeSet::new();
        let none = Fused::default();
        let mut best = self.sweeps(session, m, prepared, disjoint, &none, &without)?;
        // What is made first is for one seed.
        let one = Request {
            width: 1,
            ..self.request.clone()
        };
        let price = |me: &Self, session: &Session, m: &mut Module, made: &Sweeps| {
            let mut trial = (made.function.clone(), made.loops.clone());
            let known = (disjoint, &one);
            me.in_lanes(session, m, prepared, known, (&mut trial.0, trial.1));
            trial.0.body.as_ref().map_or(0.0, |b| cost::of(m, b))
        };
        let size = |fused: &Fused| fused.loops.len() + fused.teams.len();
        let mut count = 0;
        while size(&best.more) > count {
            let mut fused = best.more.clone();
            let mut next = self.sweeps(session, m, prepared, disjoint, &fused, &without)?;
            // What a fused loop results in may be needed earlier after all.
            let body = next.function.body.as_mut();
            let needed = body.map_or_else(BTreeSet::new, |b| next.fused.settle(b));
            // To find first where threads will add may only pay together with what can then be fused inside the region.
            let more_teams = fused.teams.len() > best.fused.teams.len();
            if more_teams && needed.is_empty() && size(&next.more) > size(&fused) {
                let all = next.more.clone();
                let mut deeper = self.sweeps(session, m, prepared, disjoint, &all, &without)?;
                let body = deeper.function.body.as_mut();
                let needed = body.map_or_else(BTreeSet::new, |b| deeper.fused.settle(b));
                let [now, alone, inside] =
                    [&best, &next, &deeper].map(|made| price(self, session, m, made));
                let used = needed.is_empty() && inside <= now.min(0.9 * alone);
                let unused = reports + 1 + usize::from(!used);
                (session.explaining.iter_mut()).for_each(|all| drop(all.remove(unused)));
                if used {
                    (next, fused) = (deeper, all);
                }
            }
            // One loop instead of two stores less, but more of two may run in lanes.
            // A loop inside of a fused one keeps little, in memory that is near: it must save more, unless the one around it goes over chunks of it for a thread.
            let p = &prepared.body;
            let mut new = fused.loops.difference(&best.fused.loops);
            let over_chunks = |o: Inst| p.const_int(p.insts[o].args[2]).is_none();
            let mut around = best.fused.loops.clone();
            around.retain(|&o| !over_chunks(o));
            let inside = |l: &Inst| around.iter().any(|&o| is_inside(p, *l, o));
            let most = if new.all(inside) {
                0.75
            } else if next.stores < best.stores {
                // What is not stored need not be fetched from far away either, which prices do not know.
                1.1
            } else {
                1.0
            };
            // Regions alone do the same work in one team instead of two.
            let teams_only = fused.loops.len() == best.fused.loops.len();
            let pays = teams_only
                || price(self, session, m, &next) <= most * price(self, session, m, &best);
            let better = needed.is_empty() && pays;
            let unused = reports + usize::from(!better);
            (session.explaining.iter_mut()).for_each(|all| drop(all.remove(unused)));
            if better {
                count = size(&fused);
                best = next;
            } else {
                if !pays || needed.iter().any(|l| best.fused.loops.contains(l)) {
                    break;
                }
                without.extend(best.more.leave_out(p, &needed));
            }
        }
        let mut made = std::mem::take(&mut best.loops);
        if let Some(outside) = &self.outside {
            let level = session.pairs.level;
            let all = session.pairs.shadow_globals.iter();
            let globals = all.filter(|(k, _)| k.0 == level).map(|(_, &s)| s).collect();
            let how = (globals, session.options.vectors);
            let (request, one) = (self.request, &best.function);
            let several = widen::widen(m, &session.registry, request, one, outside, how)?;
            made = made.moved(&several);
            best.function = several.function;
            if several.vectors {
                return Ok((best.function, best.stores));
            }
        }
        let known = (disjoint, self.request);
        self.in_lanes(session, m, prepared, known, (&mut best.function, made));
        Ok((best.function, best.stores))
    }

    /// Makes the loops of a derivative fit for vectors; the request is for as many seeds as it has.
    fn in_lanes(
        &self,
        session: &Session,
        m: &mut Module,
        prepared: &Prepared,
        (disjoint, request): (&Disjoint, &Request),
        (function, made): (&mut Function, LoopsOfR),
    ) {
        let Some(body) = &mut function.body else {
            return;
        };
        if session.options.runtime_activity || !adjoin_passes::registry::is_on("loops") {
            return;
        }
        let shadows = versions::Shadows::find(m, &session.registry, request, prepared);
        let known = loops::Known {
            mirrored: made.mirrored,
            fused: made.fused,
            caches: made.caches,
            disjoint: self.apart(m, prepared, disjoint, request),
            testable: shadows.as_ref().map(|s| s.tested()).unwrap_or_default(),
            test_depth: shadows.as_ref().map_or(0, |s| s.depth()),
            hands_on: session.options.hands_on,
            behind_test: BTreeMap::new(),
        };
        let test = |d: &mut Body| shadows.as_ref().map(|s| s.test(d));
        adjoin_passes::registry::optional("loops", || {
            loops::run(m, &session.registry, function.ctype, body, &known, &test);
        });
        let disjoint = &known.disjoint;
        let registry = loops::with_own_allocators(m, &session.registry);
        plan::share::loads(m, &registry, function.ctype, body, disjoint);
        adjoin_passes::registry::optional("dead_stores", || {
            plan::dead_stores::run(m, &registry, function.ctype, body, disjoint);
        });
        super::tidy::remove_unused(m, body);
        loops::order::run(body);
    }

    /// What is known of the memory behind the derivative's own parameters. Shadows are never the primal's memory; among themselves nothing is known of them.
    fn apart(
        &self,
        m: &Module,
        prepared: &Prepared,
        disjoint: &Disjoint,
        request: &Request,
    ) -> Disjoint {
        let count = prepared.body.regions[prepared.body.entry].args.len();
        let first = count - request.params.len().min(count);
        let (mut primals, mut shadows) = (Vec::new(), Vec::new());
        let mut at = 0;
        for (k, activity) in request.params.iter().enumerate() {
            primals.push((Object::Parameter((first + k) as u32), at));
            at += 1;
            let pointer = (self.shape.params.get(k)).is_some_and(|&t| m.types.pointee(t).is_some());
            for _ in 0..versions::shadow_count(request, *activity) {
                shadows.extend(pointer.then_some(at));
                at += 1;
            }
        }
        let mut known = Disjoint::default();
        for (k, &(a, i)) in primals.iter().enumerate() {
            for &(b, j) in &primals[..k] {
                if disjoint.holds(a, b) {
                    known.add(Object::Parameter(i), Object::Parameter(j));
                }
            }
            for &s in &shadows {
                known.add(Object::Parameter(i), Object::Parameter(s));
            }
        }
        if disjoint.shadows().next().is_some() || disjoint.rows().next().is_some() {
            self.members_apart(prepared, disjoint, request, &mut known);
        }
        known
    }

    /// What is known of memory behind pointers in memory, and of shadows beside it.
    fn members_apart(
        &self,
        prepared: &Prepared,
        disjoint: &Disjoint,
        request: &Request,
        known: &mut Disjoint,
    ) {
        // Each object of the primal, what it is in the derivative, and what its shadows are.
        let mut objects: Vec<(Object, Object, Vec<Object>)> = Vec::new();
        let mut apart: Vec<Object> = Vec::new();
        for (k, at, count) in self.parameters(prepared, request) {
            let of = |o: &Object| match *o {
                Object::Parameter(_) | Object::Member(..) => o.parameter() == Some(k),
                _ => false,
            };
            let told = disjoint.shadows().chain(disjoint.rows());
            let mut own: BTreeSet<Object> = told.filter(of).collect();
            own.insert(Object::Parameter(k));
            for object in own {
                let moved = |n: u32| match object {
                    Object::Member(holder, offset) => {
                        Object::Member(holder.of_parameter(n), offset)
                    }
                    _ => Object::Parameter(n),
                };
                let shadows: Vec<Object> = (at + 1..at + 1 + count).map(moved).collect();
                if disjoint.are_rows_apart(object) {
                    known.tell_rows_apart(moved(at));
                }
                if disjoint.is_shadow_apart(object) {
                    apart.extend(&shadows);
                    if disjoint.are_rows_apart(object) {
                        shadows.iter().for_each(|&s| known.tell_rows_apart(s));
                    }
                }
                objects.push((object, moved(at), shadows));
            }
        }
        for (n, (a, i, _)) in objects.iter().enumerate() {
            let holds = |b: &Object| disjoint.holds(*a, *b);
            for (_, j, _) in objects[..n].iter().filter(|(b, ..)| holds(b)) {
                known.add(*i, *j);
            }
            for shadow in objects.iter().flat_map(|(.., s)| s) {
                known.add(*i, *shadow);
            }
        }
        for (n, &a) in apart.iter().enumerate() {
            apart[..n].iter().for_each(|&b| known.add(a, b));
        }
    }

    /// The parameters of the primal, where they stand in the derivative, and how many shadows follow.
    fn parameters(&self, prepared: &Prepared, request: &Request) -> Vec<(u32, u32, u32)> {
        let count = prepared.body.regions[prepared.body.entry].args.len();
        let first = count - request.params.len().min(count);
        let mut at = 0;
        let mut all = Vec::new();
        for (k, &activity) in request.params.iter().enumerate() {
            let shadows = versions::shadow_count(request, activity);
            all.push(((first + k) as u32, at, shadows));
            at += 1 + shadows;
        }
        all
    }

    /// Both sweeps, with these loops fused.
    fn sweeps(
        &self,
        session: &mut Session,
        m: &mut Module,
        prepared: &Prepared,
        disjoint: &Disjoint,
        fused: &Fused,
        without: &BTreeSet<Inst>,
    ) -> Result<Sweeps> {
        let (ctype, names) = &self.signature;
        let span = self.shape.function.span;
        let d = Body::with_params(&m.types, *ctype, names).ok_or_else(|| {
            let name = &self.shape.function.name;
            AdError::new(span, format!("'{name}': a parameter has no value type"))
        })?;
        let assumed = Assumed {
            disjoint,
            split: None,
            fused,
        };
        let mut me = Reverse::new(
            session,
            m,
            (&prepared.body, prepared.ctype),
            (&self.params, &self.globals),
            d,
            assumed,
            span,
        )?;
        me.combined(self)?;
        if self.part != Part::Forward {
            me.explain(&self.shape.function.name);
        }
        let of_iteration = |key: &&_| !me.is_of_iteration(**key);
        let stores = me.pushed.iter().filter(of_iteration).count();
        let more = match self.part {
            Part::Forward => Fused::default(),
            _ => me.find_fused(prepared.ctype, assumed, without),
        };
        me.find_kept();
        let fused = std::mem::take(&mut me.fused);
        let loops_of_r = LoopsOfR {
            mirrored: me.mirrored,
            fused: me.fused_sums,
            caches: me.caches.on_stack(),
        };
        let mut body = me.d;
        super::tidy::tidy(m, &mut body);
        let function = Function {
            name: self.request.name.clone(),
            ctype: *ctype,
            param_names: names.clone(),
            linkage: Linkage::Static,
            inline: false,
            noreturn: false,
            span,
            body: Some(body),
        };
        Ok(Sweeps {
            function,
            stores,
            fused,
            more,
            loops: loops_of_r,
        })
    }
}
