//! The pairs of functions that split calls call, each made once: an augmented forward function and a reverse function for a function and the activity
//! of its parameters. They are declared when a call asks for them and filled afterwards, so that recursion ends.

use super::{Result, Reverse, checkpoint, custom, nests, slow_tasks, split};
use crate::activity::{self, Inputs, Param, is_number};
use crate::effects::Summaries;
use crate::plan::lasting::CallFacts;
use crate::points_to::{Disjoint, Object};
use crate::{AdError, Session, Split, prepare};
use adjoin_ir::{
    Body, CTy, CTypeKind, Checkpoint, Clause, Directive, Func, Function, Global, Inst, Linkage,
    Module, Op, Quals, Span, Type, Value,
};
use adjoin_passes::openmp;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a pair is for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PairKey {
    pub func: Func,
    /// One per parameter of the function in its form by reference.
    pub params: Vec<Param>,
    /// The result is a number with an adjoint, or a pointer with a shadow.
    pub active_result: bool,
    /// Which globals are active: that depends on where the derivative starts.
    pub globals: Rc<BTreeSet<Global>>,
    /// The user calls the halves.
    pub public: bool,
    /// Several threads may run it at a time.
    pub parallel: bool,
    /// What its calls show of memory.
    pub facts: CallFacts,
    /// Its tapes lie in blocks of the thread: it is not differentiated again, and one thread runs both halves.
    pub pooled: bool,
    /// It is not differentiated again.
    pub outermost: bool,
    /// Which set of shadows of globals it uses.
    pub level: u32,
}

impl PairKey {
    /// Which parameters point to different objects.
    pub fn disjoint(&self) -> Disjoint {
        let mut known = Disjoint::default();
        for &(a, b) in &self.facts.disjoint {
            known.add(Object::Parameter(a), Object::Parameter(b));
        }
        known
    }
}

/// For so many different facts about memory a function has pairs of its own.
const MOST_FACTS: usize = 3;

/// Two functions and how to call them.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub split: Split,
    /// The augmented function takes the list of what is freed at the end.
    pub frees: bool,
}

/// A function in its form by reference, ready to be differentiated.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub ctype: CTy,
    pub names: Vec<Option<String>>,
    pub body: Rc<Body>,
}

/// What a session has made so far.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    made: BTreeMap<PairKey, Pair>,
    pending: Vec<PairKey>,
    /// By function, and whether parallel constructs are read serially.
    prepared: BTreeMap<(Func, bool), Prepared>,
    /// Parallel constructs are read serially, since they could not be differentiated otherwise.
    serial: bool,
    /// The function that is asked for.
    outermost: Option<Func>,
    pub(super) summaries: Rc<Summaries>,
    /// The shadows of globals, by level: the derivative of a derivative has others than that.
    pub(super) shadow_globals: BTreeMap<(u32, Global), Global>,
    /// The level of what is asked for.
    pub(super) level: u32,
    /// Loops that became functions.
    outlined: BTreeMap<Func, Rc<checkpoint::Outlined>>,
    /// The user calls the halves of what is asked for.
    pub(super) apart: bool,
    /// Loops that are checkpointed because of the memory limit, if that is possible.
    pub(super) automatic: BTreeMap<Span, Checkpoint>,
    /// What is known of the memory of the function that is asked for.
    pub(super) known: Disjoint,
    /// Its parameters that are constants.
    constants: BTreeMap<u32, i128>,
    /// Those for which it is not, and why.
    pub(super) not_checkpointed: Vec<(Span, String)>,
    /// The reverse functions of tasks, and where the tasks are.
    tasks: Vec<(Func, Span)>,
}

impl Pairs {
    /// Are parallel constructs read serially?
    pub(super) fn is_serial(&self) -> bool {
        self.serial
    }

    /// The reverse functions of tasks, and where the tasks are.
    pub(super) fn tasks(&self) -> &[(Func, Span)] {
        &self.tasks
    }

    pub(super) fn note_task(&mut self, reverse: Func, span: Span) {
        if !self.tasks.contains(&(reverse, span)) {
            self.tasks.push((reverse, span));
        }
    }

    /// The same switches, with nothing made.
    pub(super) fn unmade(&self) -> Pairs {
        Pairs {
            serial: self.serial,
            ..Pairs::default()
        }
    }

    fn threads(&self) -> prepare::Threads {
        match self.serial {
            true => prepare::Threads::One,
            false => prepare::Threads::Both,
        }
    }
}

/// The first function since a number of them that is not valid.
pub(super) fn invalid(m: &Module, known: usize) -> Option<Func> {
    let made = m.funcs.keys().skip(known);
    made.filter(|&f| m.funcs[f].body.is_some())
        .find(|&f| adjoin_ir::verify_function(m, f).is_err())
}

/// After so many parallel constructs that have no derivative all are read serially.
const MOST_SERIAL: usize = 4;

/// The last team or task that starts before a place in the function there.
fn construct_before(m: &Module, place: Span) -> Option<(Func, Inst)> {
    let before = |s: Span| s.file == place.file && (s.line, s.col) <= (place.line, place.col);
    let bodies = m.funcs.iter().filter(|(_, f)| f.body.is_some());
    let (func, function) = bodies
        .filter(|(_, f)| before(f.span) && f.span != Span::default())
        .max_by_key(|(_, f)| (f.span.line, f.span.col))?;
    let body = function.body.as_ref()?;
    let mut found: Option<Inst> = None;
    body.walk(|inst| {
        let Op::Par(attr) = &body.insts[inst].op else {
            return;
        };
        let starts = openmp::starts_team(&attr.directive) || attr.directive == Directive::Task;
        let span = body.insts[inst].span;
        let later = found.is_none_or(|f| {
            let other = body.insts[f].span;
            (other.line, other.col) <= (span.line, span.col)
        });
        if starts && before(span) && later {
            found = Some(inst);
        }
    });
    let marked = |inst: &Inst| {
        let op = &body.insts[*inst].op;
        matches!(op, Op::Par(attr) if attr.clauses.iter().any(Clause::is_in_order))
    };
    found.filter(|inst| !marked(inst)).map(|inst| (func, inst))
}

fn mark_in_order(m: &mut Module, (func, inst): (Func, Inst), mark: bool) {
    if let Some(body) = &mut m.funcs[func].body
        && let Op::Par(attr) = &mut body.insts[inst].op
    {
        attr.clauses.retain(|c| !c.is_in_order());
        if mark {
            attr.clauses.push(Clause::in_order());
        }
    }
}

/// Makes something with parallel constructs as they are and, where that fails, once more with the serial meaning of the one that it fails at, or of all; tasks that do little but
/// add atomically are read serially, too.
pub(super) fn with_threads<T>(
    session: &mut Session,
    m: &mut Module,
    make: impl Fn(&mut Session, &mut Module) -> Result<T>,
) -> Result<T> {
    let mut bodies = m.funcs.values().filter_map(|f| f.body.as_ref());
    let parallel = bodies.any(|b| (b.insts.values()).any(|i| matches!(i.op, Op::Par(_))));
    if !parallel {
        return make(session, m);
    }
    let before = (m.clone(), session.pairs.clone(), session.explaining.clone());
    let made = as_they_are(session, m, before.clone(), &make)?;
    let slow = slow_tasks::constructs(session, m, &before.0);
    if slow.is_empty() {
        return Ok(made);
    }
    let kept = (m.clone(), session.pairs.clone(), session.explaining.clone());
    let mut marked = before;
    for &(construct, _) in &slow {
        mark_in_order(&mut marked.0, construct, true);
    }
    (*m, session.pairs, session.explaining) = marked.clone();
    match as_they_are(session, m, marked, &make) {
        Ok(made) => {
            for &(construct, _) in &slow {
                mark_in_order(m, construct, false);
            }
            for (_, error) in &slow {
                report_serial(session, "parallel construct", error);
            }
            Ok(made)
        }
        Err(_) => {
            (*m, session.pairs, session.explaining) = kept;
            Ok(made)
        }
    }
}

/// What a request begins with.
type Before = (Module, Pairs, Option<Vec<crate::plan::report::Report>>);

/// Makes something with parallel constructs as they are, where that is possible.
fn as_they_are<T>(
    session: &mut Session,
    m: &mut Module,
    before: Before,
    make: &impl Fn(&mut Session, &mut Module) -> Result<T>,
) -> Result<T> {
    session.pairs.serial = false;
    let known = m.funcs.len();
    let mut serial: Vec<((Func, Inst), AdError)> = Vec::new();
    let error = loop {
        let (place, error) = match make(session, m) {
            Err(error) => (Some(error.span), error),
            // A value that a thread cannot see is a gap in what we cut at regions: slow is better than an internal error.
            Ok(made) => match invalid(m, known) {
                None => {
                    for &(construct, _) in &serial {
                        mark_in_order(m, construct, false);
                    }
                    for (_, error) in &serial {
                        report_serial(session, "parallel construct", error);
                    }
                    return Ok(made);
                }
                Some(func) => {
                    let span = m.funcs[func].span;
                    let message = "this parallel construct: a value of a thread is missing in the reverse sweep";
                    (None, AdError::new(span, message))
                }
            },
        };
        (*m, session.pairs, session.explaining) = before.clone();
        session.pairs.serial = false;
        for &(construct, _) in &serial {
            mark_in_order(m, construct, true);
        }
        let next = place.filter(|_| serial.len() < MOST_SERIAL);
        match next.and_then(|place| construct_before(m, place)) {
            Some(construct) => {
                mark_in_order(m, construct, true);
                serial.push((construct, error));
            }
            None => break error,
        }
    };
    // The first error says most.
    let error = serial.into_iter().next().map_or(error, |(_, e)| e);
    (*m, session.pairs, session.explaining) = before;
    session.pairs.serial = true;
    let made = make(session, m);
    session.pairs.serial = false;
    if made.is_ok() {
        report_serial(session, "parallel constructs", &error);
    }
    // If the serial meaning is no way out, the first error says more.
    made.map_err(
        |second| match second.message.contains("parallel construct") {
            true => error,
            false => second,
        },
    )
}

/// `explain` says what is read serially, and why.
fn report_serial(session: &mut Session, what: &str, error: &AdError) {
    if let Some(report) = session.explaining.iter_mut().flatten().next() {
        report.increments.push(crate::plan::report::Increment {
            value: what.to_string(),
            span: error.span,
            how: format!("read serially: {}", error.message),
        });
    }
}

impl Session {
    /// A new request: functions may have been added since the last.
    pub(super) fn begin(&mut self, m: &mut Module, func: Func) {
        self.pairs.outermost = Some(func);
        self.pairs.apart = false;
        self.pairs.known = Disjoint::default();
        self.registry.calls.begin(m);
        self.registry.look(m);
        self.pairs.summaries = Rc::new(Summaries::of(m));
        self.pairs.level = match &m.funcs[func].body {
            Some(body) => {
                let shadows = self.pairs.shadow_globals.iter();
                let shadows: Vec<(u32, Global)> = shadows.map(|(k, &s)| (k.0, s)).collect();
                crate::effects::level(
                    &crate::effects::reachable(&self.registry, m, body),
                    &shadows,
                )
            }
            None => 0,
        };
    }

    /// A function ready to be differentiated.
    pub(super) fn prepared(&mut self, m: &mut Module, func: Func) -> Result<Prepared> {
        let wanted = (func, self.pairs.serial);
        if let Some(found) = self.pairs.prepared.get(&wanted) {
            return Ok(found.clone());
        }
        let function = &m.funcs[func];
        let (span, name) = (function.span, function.name.clone());
        let Some((ctype, names, mut body)) = prepare::by_reference(m, func) else {
            return Err(AdError::new(
                span,
                format!("'{name}': its body is not known"),
            ));
        };
        if self.pairs.outermost == Some(func) {
            prepare::constants::run(m, func, &mut body, &self.pairs.constants);
        }
        let whole = match self.pairs.outermost == Some(func) {
            true => prepare::SMALL_WHOLE,
            false => prepare::SMALL_PART,
        };
        let threads = self.pairs.threads();
        let known = m.funcs.len();
        let mut body = prepare::prepare_body(m, &self.registry, func, body, whole, threads);
        if m.funcs.len() > known {
            // What tasks do has become functions.
            self.pairs.summaries = Rc::new(Summaries::of(m));
        }
        crate::parallel::hoist::run(m, &self.registry, ctype, &mut body);
        let known = Default::default();
        crate::plan::before(m, &self.registry, ctype, &mut body, &known);
        let home = checkpoint::Home {
            name: &name,
            ctype,
            split: self.pairs.outermost != Some(func) || self.pairs.apart,
            automatic: self.pairs.outermost == Some(func),
            known: match self.pairs.outermost == Some(func) {
                true => self.pairs.known.clone(),
                false => Disjoint::default(),
            },
        };
        checkpoint::outline(self, m, &home, &mut body)?;
        let body = Rc::new(body);
        let prepared = Prepared { ctype, names, body };
        self.pairs.prepared.insert(wanted, prepared.clone());
        Ok(prepared)
    }

    /// The function that is asked for is to be made ready with what is known of its memory.
    pub(super) fn prepare_with(&mut self, func: Func, known: Disjoint) {
        self.pairs.prepared.remove(&(func, self.pairs.serial));
        self.pairs.known = known;
    }

    /// The function that is asked for is made ready with constants for some of its parameters; with none, it is as it was.
    pub(super) fn prepare_for(&mut self, func: Func, constants: &BTreeMap<u32, i128>) {
        if self.pairs.constants != *constants {
            self.pairs.prepared.remove(&(func, self.pairs.serial));
            self.pairs.constants = constants.clone();
        }
    }

    /// A function that was made ready.
    pub(super) fn add_prepared(&mut self, func: Func, prepared: Prepared) {
        let wanted = (func, self.pairs.serial);
        self.pairs.prepared.insert(wanted, prepared);
    }

    /// A function that is ready.
    pub(super) fn pairs_prepared(&self, func: Func) -> Option<Prepared> {
        self.pairs.prepared.get(&(func, self.pairs.serial)).cloned()
    }

    /// A function that a loop became.
    pub(super) fn add_outlined(&mut self, func: Func, outlined: checkpoint::Outlined) {
        self.pairs.outlined.insert(func, Rc::new(outlined));
    }

    /// The globals that are active in a function or in what it calls, if its parameters are.
    pub(super) fn active_globals(
        &mut self,
        m: &mut Module,
        func: Func,
        params: &[Param],
    ) -> Result<Rc<BTreeSet<Global>>> {
        let mut globals = Rc::new(BTreeSet::new());
        loop {
            let mut next: BTreeSet<Global> = (*globals).clone();
            let mut seen = BTreeSet::new();
            let mut work = vec![(func, params.to_vec())];
            while let Some((func, params)) = work.pop() {
                if !seen.insert((func, params.clone())) {
                    continue;
                }
                let prepared = self.prepared(m, func)?;
                let inputs = Inputs {
                    params: &params,
                    globals: &globals,
                    summaries: &self.pairs.summaries,
                    registry: &self.registry,
                };
                let facts = activity::solve(m, &prepared.body, inputs);
                next.extend(facts.globals.iter().copied());
                let p = &prepared.body;
                p.walk(|inst| {
                    if facts.active.contains(inst)
                        && let Some(callee) = activity::defined_callee(m, &p.insts[inst].op)
                        && !self.registry.is_special(callee)
                    {
                        work.push((callee, arguments(p, &facts, inst)));
                    }
                });
            }
            if next == *globals {
                return Ok(globals);
            }
            globals = Rc::new(next);
        }
    }

    /// The key for what a call shows, unless there are many different pairs of the function already.
    fn with_facts(&self, plain: PairKey, facts: &CallFacts) -> PairKey {
        let special = self.registry.gradients.contains_key(&plain.func)
            || self.pairs.outlined.contains_key(&plain.func);
        let key = PairKey {
            facts: facts.clone(),
            ..plain.clone()
        };
        let others = self.pairs.made.keys().filter(|other| {
            let same = PairKey {
                facts: CallFacts::default(),
                ..(*other).clone()
            };
            same == plain
        });
        match special || !self.pairs.made.contains_key(&key) && others.count() >= MOST_FACTS {
            true => plain,
            false => key,
        }
    }

    /// The pair for a key, declared if it is new.
    pub(super) fn pair(&mut self, m: &mut Module, key: PairKey) -> Result<Pair> {
        if let Some(pair) = self.pairs.made.get(&key) {
            return Ok(pair.clone());
        }
        let custom = self.registry.gradients.contains_key(&key.func);
        let prepared = if custom {
            // Its body, if there is one, does not matter.
            Prepared {
                ctype: m.funcs[key.func].ctype,
                names: m.funcs[key.func].param_names.clone(),
                body: Rc::default(),
            }
        } else {
            self.prepared(m, key.func)?
        };
        let frees =
            !custom && !key.public && self.pairs.summaries.get(key.func).is_none_or(|e| e.frees);
        let split = declare(m, &key, &prepared, frees)?;
        let pair = Pair { split, frees };
        self.pairs.made.insert(key.clone(), pair.clone());
        self.pairs.pending.push(key);
        Ok(pair)
    }

    /// The struct that the tape of a pair is.
    pub(super) fn tape_of(&self, key: &PairKey) -> Option<CTy> {
        self.pairs.made.get(key).map(|p| p.split.tape)
    }

    /// Says which struct the tape of a pair is.
    pub(super) fn set_tape(&mut self, key: &PairKey, t: CTy) {
        if let Some(pair) = self.pairs.made.get_mut(key) {
            pair.split.tape = t;
        }
    }

    /// Fills what was declared.
    pub(super) fn fill(&mut self, m: &mut Module) -> Result<()> {
        while let Some(key) = self.pairs.pending.pop() {
            let pair = self.pairs.made[&key].clone();
            let outlined = self.pairs.outlined.get(&key.func).cloned();
            let made = match self.registry.gradients.get(&key.func).copied() {
                _ if let Some(outlined) = outlined => {
                    checkpoint::generate(self, m, &key, &pair, &outlined).map(|tape| {
                        self.set_tape(&key, tape);
                    })
                }
                Some(gradient) => custom::generate(m, &key, &pair, gradient).map(|tape| {
                    self.set_tape(&key, tape);
                }),
                None => {
                    let mut prepared = self.prepared(m, key.func)?;
                    without_null(m, &mut prepared, &key.params);
                    let mut disjoint = key.disjoint();
                    if !disjoint.is_empty() {
                        let mut body = (*prepared.body).clone();
                        crate::plan::before(
                            m,
                            &self.registry,
                            prepared.ctype,
                            &mut body,
                            &disjoint,
                        );
                        prepared.body = Rc::new(body);
                    }
                    let (registry, ctype) = (&self.registry, prepared.ctype);
                    let split = nests::split(m, registry, ctype, &prepared.body, &disjoint);
                    if let Some((body, known)) = split {
                        prepared.body = Rc::new(body);
                        disjoint = known;
                    }
                    split::generate(self, m, &key, &pair, &prepared, &disjoint)
                }
            };
            if let Err(error) = made {
                // Nothing that was declared may be used by a later request.
                self.pairs.pending.clear();
                self.pairs.made.clear();
                return Err(error);
            }
        }
        Ok(())
    }
}

/// How the arguments of a call take part, as parameters of the callee.
pub(super) fn arguments(p: &Body, facts: &activity::Facts, inst: Inst) -> Vec<Param> {
    let entry = &p.regions[p.entry].args;
    let one = |v: Value| {
        if p.ty(v) == Type::Ptr {
            let shadow = facts.shadow[v];
            let base = activity::root(p, v);
            let parameter = entry.iter().position(|&a| a == base);
            match (shadow.some, shadow.none) {
                (true, false) => Param::Dup,
                (true, true) => Param::Unsure,
                (false, false) if p.const_int(base) == Some(0) => Param::Null,
                // Nothing is known to be there.
                (false, false) => Param::Const,
                (false, true) => match parameter.and_then(|k| facts.params.get(k)) {
                    Some(Param::Const) => Param::Const,
                    Some(Param::Null) => Param::Null,
                    _ => Param::Inactive,
                },
            }
        } else if is_number(p.ty(v)) && facts.varied.contains(v) {
            Param::Out
        } else {
            Param::Const
        }
    };
    p.insts[inst].args.iter().map(|&v| one(v)).collect()
}

/// Leaves out what a function would do with parameters that are NULL: it may be nothing that has a derivative.
fn without_null(m: &Module, prepared: &mut Prepared, params: &[Param]) {
    if !params.contains(&Param::Null) {
        return;
    }
    let mut body = (*prepared.body).clone();
    let mut null = adjoin_passes::edit::Replacements::default();
    for (k, v) in body.regions[body.entry]
        .args
        .clone()
        .into_iter()
        .enumerate()
    {
        if params.get(k) == Some(&Param::Null) {
            let constant = match body.regions[body.entry].insts.first() {
                Some(&first) => adjoin_ir::Builder::before(&mut body, first).null(),
                None => continue,
            };
            null.set(v, constant);
        }
    }
    null.apply(&mut body);
    adjoin_passes::simplify::run(&m.types, &mut body);
    adjoin_passes::prune::run(&m.types, &mut body);
    prepared.body = Rc::new(body);
}

/// A name that nothing in the module has.
pub(crate) fn unused_name(m: &Module, base: &str) -> String {
    let taken = |name: &str| {
        m.funcs.values().any(|f| f.name == name)
            || m.globals.values().any(|g| g.name == name)
            || m.types
                .records
                .values()
                .any(|r| r.tag.as_deref() == Some(name))
    };
    (1..)
        .map(|k| match k {
            1 => base.to_string(),
            k => format!("{base}_{k}"),
        })
        .find(|n| !taken(n))
        .unwrap_or_else(|| base.to_string())
}

/// The type of the shadow of a parameter: it is written, whatever the primal promises.
pub(super) fn shadow_type(m: &mut Module, t: CTy) -> CTy {
    let t = match m.types.pointee(t).map(|e| m.types.unqualified(e)) {
        Some(e) => m.types.pointer(e),
        None => m.types.unqualified(t),
    };
    match split::is_variable(&m.types, t) {
        true => {
            let void = m.types.void();
            m.types.pointer(void)
        }
        false => t,
    }
}

/// The type of a parameter of a generated function: a pointer to arrays of variable length, whose length cannot be named there, is a plain one.
pub(super) fn parameter_type(m: &mut Module, t: CTy) -> CTy {
    if !split::is_variable(&m.types, t) {
        return t;
    }
    let mut element = m.types.pointee(t).unwrap_or(t);
    let mut is_const = m.types.quals(element).is_const;
    while let Some(inner) = m.types.element(element).filter(|&e| e != element) {
        element = inner;
        is_const |= m.types.quals(element).is_const;
    }
    let void = m.types.void();
    let quals = Quals {
        is_const,
        ..Default::default()
    };
    let void = m.types.qualified(void, quals);
    m.types.pointer(void)
}

fn declare(m: &mut Module, key: &PairKey, prepared: &Prepared, frees: bool) -> Result<Split> {
    let function = m.funcs[key.func].clone();
    let CTypeKind::Function { ret, params, .. } = m.types.shape(prepared.ctype).clone() else {
        return Err(AdError::new(function.span, "what is not a function"));
    };
    let void = m.types.void();
    let address = m.types.pointer(void);
    let mut all = Vec::new();
    let mut names = Vec::new();
    let mut outs = Vec::new();
    for (k, &t) in params.iter().enumerate() {
        let name = prepared.names.get(k).cloned().flatten();
        all.push(parameter_type(m, t));
        names.push(name.clone());
        let bar = format!("{}_bar", name.unwrap_or_else(|| format!("p{k}")));
        match key.params.get(k) {
            Some(p) if p.has_shadow() => {
                all.push(shadow_type(m, t));
                names.push(Some(bar));
            }
            Some(Param::Out) => {
                let t = m.types.unqualified(t);
                outs.push((m.types.pointer(t), Some(bar)));
            }
            _ => {}
        }
    }
    let mut back = Vec::new();
    let mut back_names = Vec::new();
    if key.public {
        back.extend(all.iter().copied());
        back_names.extend(names.iter().cloned());
    }
    if frees {
        let list = super::support::freed_type(m);
        all.push(m.types.pointer(list));
        names.push(Some("freed".to_string()));
    }
    all.push(m.types.pointer(address));
    names.push(Some("tape".to_string()));
    let result = Type::of_ctype(&m.types, ret);
    if key.active_result && result == Some(Type::Ptr) {
        let t = shadow_type(m, ret);
        all.push(m.types.pointer(t));
        names.push(Some("result_bar".to_string()));
    }
    if key.active_result && result.is_some_and(is_number) {
        back.push(m.types.unqualified(ret));
        back_names.push(Some("result_bar".to_string()));
    }
    for (t, name) in outs {
        back.push(t);
        back_names.push(name);
    }
    back.push(address);
    back_names.push(Some("tape".to_string()));
    let function_of = |m: &mut Module, suffix: &str, ret, params, names| {
        let ctype = m.types.intern(CTypeKind::Function {
            ret,
            params,
            variadic: false,
            prototyped: true,
        });
        let name = unused_name(m, &format!("{}_{suffix}", function.name));
        m.funcs.push(Function {
            name,
            ctype,
            param_names: names,
            linkage: Linkage::Static,
            inline: false,
            noreturn: false,
            span: function.span,
            body: None,
        })
    };
    let augmented = function_of(m, "augmented", m.types.unqualified(ret), all, names);
    let reverse = function_of(m, "reverse", void, back, back_names);
    Ok(Split {
        augmented,
        reverse,
        tape: address,
    })
}

impl Reverse<'_> {
    /// The pair that a call of a function with a body uses.
    pub(super) fn pair_for(&mut self, inst: Inst) -> Result<Pair> {
        let data = self.p.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return self.error(inst, "this call");
        };
        let function = &self.m.funcs[attr.func];
        let name = function.name.clone();
        let variadic = self
            .session
            .pairs
            .summaries
            .get(attr.func)
            .is_some_and(|e| e.variadic);
        if variadic || !attr.extra.is_empty() {
            return self.error(
                inst,
                format!(
                    "a call of '{name}': active data reaches a function with variable arguments"
                ),
            );
        }
        let active_result = data
            .results
            .iter()
            .any(|&v| self.facts.varied.contains(v) || self.has_shadow(v));
        let mut key = PairKey {
            func: attr.func,
            params: arguments(&self.p, &self.facts, inst),
            active_result,
            globals: self.globals.clone(),
            public: false,
            parallel: self.is_shared_out(data.parent),
            facts: CallFacts::default(),
            pooled: false,
            outermost: self.session.options.outermost,
            level: self.session.pairs.level,
        };
        key.pooled = self.session.options.vectors && !self.session.pairs.apart && !key.parallel;
        if let Some(facts) = self.rereads.calls.get(&inst).filter(|_| !key.parallel) {
            key = self.session.with_facts(key, facts);
        }
        self.session.pair(self.m, key)
    }
}
