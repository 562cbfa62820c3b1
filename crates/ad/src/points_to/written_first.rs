//! Pointers at file scope that a body certainly sets before anything reads them. What an earlier call left there does not matter then, and may be the address of a block
//! that was freed: workspaces that each call allocates and frees.
//!
//! Code is walked in the order of the program, through calls; teams are walked as one thread, whose order is that of all accesses (there are no races).

use crate::activity::pointer_offsets;
use adjoin_ir::{Body, Directive, Func, Global, Inst, Module, Op, Region, Step, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A pointer in a global: where it lies in there.
type Place = (Global, u64);

/// The pointers in these globals that may be read before they are set.
pub(crate) fn read_first(module: &Module, body: &Body, globals: &[Global]) -> BTreeSet<Place> {
    let all = globals.iter().flat_map(|&g| {
        let found = pointer_offsets(&module.types, module.globals[g].ctype);
        found.unwrap_or_default().into_iter().map(move |at| (g, at))
    });
    let places = &all.collect::<BTreeSet<Place>>();
    if places.is_empty() {
        return BTreeSet::new();
    }
    let mut walk = Walk {
        module,
        places,
        mention: mentioning(module, places),
        summaries: BTreeMap::new(),
    };
    walk.body(body).read
}

/// What running a body does.
#[derive(Clone, Default)]
struct Summary {
    /// What may be read that was not set before.
    read: BTreeSet<Place>,
    /// What is set at its end, however it ends.
    set: BTreeSet<Place>,
}

struct Walk<'a> {
    module: &'a Module,
    places: &'a BTreeSet<Place>,
    mention: BTreeSet<Func>,
    /// `None` while a function is being looked at: it is recursive.
    summaries: BTreeMap<Func, Option<Summary>>,
}

/// A walk through one body.
struct Inside<'w, 'a> {
    walk: &'w mut Walk<'a>,
    body: &'w Body,
    read: BTreeSet<Place>,
    /// What is set wherever control leaves a block, or (`None`) the function.
    left: BTreeMap<Option<Inst>, BTreeSet<Place>>,
}

impl Walk<'_> {
    fn body(&mut self, body: &Body) -> Summary {
        let mut inside = Inside {
            walk: self,
            body,
            read: BTreeSet::new(),
            left: BTreeMap::new(),
        };
        let end = inside.region(body.entry, BTreeSet::new());
        let set = meet(end, inside.left.remove(&None)).unwrap_or_default();
        let read = inside.read;
        Summary { read, set }
    }

    fn function(&mut self, func: Func) -> Summary {
        let all = || Summary {
            read: self.places.clone(),
            set: BTreeSet::new(),
        };
        let Some(body) = &self.module.funcs[func].body else {
            return Summary::default();
        };
        if !self.mention.contains(&func) {
            return Summary::default();
        }
        match self.summaries.get(&func) {
            Some(Some(known)) => return known.clone(),
            Some(None) => return all(),
            None => {}
        }
        self.summaries.insert(func, None);
        let found = self.body(body);
        self.summaries.insert(func, Some(found.clone()));
        found
    }
}

impl Inside<'_, '_> {
    /// What is set at the end of a region; `None` if control does not get there.
    fn region(&mut self, region: Region, mut set: BTreeSet<Place>) -> Option<BTreeSet<Place>> {
        let body = self.body;
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            match &data.op {
                Op::Load(_) => self.reads(data.args[0], &set),
                Op::Store(_) => {
                    self.reads(data.args[1], &set);
                    if let Some((g, Some(at))) = place(body, data.args[0])
                        && body.ty(data.args[1]) == Type::Ptr
                        && self.walk.places.contains(&(g, at))
                    {
                        set.insert((g, at));
                    }
                }
                Op::Yield => return Some(set),
                Op::Break(to) => {
                    self.leaves(Some(*to), set);
                    return None;
                }
                Op::Return => {
                    self.leaves(None, set);
                    return None;
                }
                op if op.is_terminator() => return None,
                Op::If => set = self.branch(inst, set)?,
                Op::Block => {
                    let end = self.region(data.regions[0], set);
                    set = meet(end, self.left.remove(&Some(inst)))?;
                }
                Op::Par(par) if runs_once(&par.directive) => {
                    for &part in &data.regions {
                        set = self.region(part, set)?;
                    }
                }
                Op::Call(attr) => {
                    data.args.iter().for_each(|&v| self.reads(v, &set));
                    let callee = self.walk.function(attr.func);
                    self.read.extend(callee.read.difference(&set));
                    set.extend(callee.set);
                }
                // Whoever that is.
                Op::CallIndirect(_) => self.read.extend(self.walk.places.difference(&set)),
                Op::Addr(_) | Op::Cast => {}
                _ => {
                    data.args.iter().for_each(|&v| self.reads(v, &set));
                    for &inner in &data.regions {
                        self.region(inner, set.clone());
                    }
                    self.left.remove(&Some(inst));
                }
            }
        }
        Some(set)
    }

    fn branch(&mut self, inst: Inst, set: BTreeSet<Place>) -> Option<BTreeSet<Place>> {
        let data = &self.body.insts[inst];
        let yes = self.region(data.regions[0], set.clone());
        let no = self.region(data.regions[1], set);
        // The first thread is always there.
        match is_first_thread(self.walk.module, self.body, data.args[0]) {
            true => yes,
            false => meet(yes, no),
        }
    }

    fn leaves(&mut self, to: Option<Inst>, set: BTreeSet<Place>) {
        let before = self.left.remove(&to);
        self.left
            .extend(meet(before, Some(set)).map(|all| (to, all)));
    }

    /// Something looks at an address, or at what is there.
    fn reads(&mut self, address: Value, set: &BTreeSet<Place>) {
        let Some((global, at)) = place(self.body, address) else {
            return;
        };
        let size = Type::Ptr.size();
        let near = |there: u64| at.is_none_or(|at| there < at + size && at < there + size);
        let all = self.walk.places.range((global, 0)..=(global, u64::MAX));
        let new = all.filter(|p| near(p.1) && !set.contains(p)).copied();
        self.read.extend(new.collect::<Vec<_>>());
    }
}

/// What is set on both ways, as far as control comes along them.
fn meet(a: Option<BTreeSet<Place>>, b: Option<BTreeSet<Place>>) -> Option<BTreeSet<Place>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

/// Does some thread run the region of a construct where it stands?
fn runs_once(directive: &Directive) -> bool {
    matches!(
        directive,
        Directive::Parallel
            | Directive::Single
            | Directive::Master
            | Directive::Sections
            | Directive::ParallelSections
            | Directive::Section
            | Directive::Critical { .. }
    )
}

/// The global that an address lies in, and where if that is a constant.
fn place(body: &Body, v: Value) -> Option<(Global, Option<u64>)> {
    let data = &body.insts[body.def_inst(v)?];
    match &data.op {
        Op::GlobalAddr(g) => Some((*g, Some(0))),
        Op::Cast => place(body, data.args[0]),
        Op::Addr(attr) => {
            let (global, mut at) = place(body, data.args[0])?;
            let mut indices = data.args[1..].iter();
            for step in &attr.steps {
                let by = match *step {
                    Step::Index { stride } => indices
                        .next()
                        .and_then(|&i| body.const_int(i))
                        .map(|i| i as i64 * stride as i64),
                    Step::IndexDyn => {
                        indices.nth(1);
                        None
                    }
                    Step::Field { offset, .. } => Some(offset as i64),
                    Step::Bytes(bytes) => Some(bytes),
                };
                at = at.and_then(|at| at.checked_add_signed(by?));
            }
            Some((global, at))
        }
        _ => None,
    }
}

/// Is it true for the first thread of a team?
fn is_first_thread(module: &Module, body: &Body, condition: Value) -> bool {
    let number = |v: Value| match body.def_inst(v).map(|i| &body.insts[i].op) {
        Some(Op::Call(attr)) => module.funcs[attr.func].name == adjoin_passes::openmp::THREAD,
        _ => false,
    };
    let Some(inst) = body.def_inst(condition) else {
        return false;
    };
    let data = &body.insts[inst];
    matches!(data.op, Op::Eq) && number(data.args[0]) && body.const_int(data.args[1]) == Some(0)
}

/// The functions that name one of the globals, or call one that does.
fn mentioning(module: &Module, places: &BTreeSet<Place>) -> BTreeSet<Func> {
    let mut found = BTreeSet::new();
    let mut callers: BTreeMap<Func, Vec<Func>> = BTreeMap::new();
    let mut work = Vec::new();
    for (func, function) in module.funcs.iter() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| match &body.insts[inst].op {
            Op::GlobalAddr(g) if places.range((*g, 0)..=(*g, u64::MAX)).next().is_some() => {
                work.push(func)
            }
            // It may be one of those.
            Op::CallIndirect(_) => work.push(func),
            Op::Call(attr) => callers.entry(attr.func).or_default().push(func),
            _ => {}
        });
    }
    while let Some(func) = work.pop() {
        if found.insert(func) {
            work.extend(callers.get(&func).into_iter().flatten());
        }
    }
    found
}
