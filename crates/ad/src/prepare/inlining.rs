//! Which calls are inlined: all while the whole stays small, else those of functions that are called once and of small functions, unless there are too many. Recursive
//! functions stay calls. So the size of a derivative is bounded by that of the program.

use super::indirect;
use crate::Registry;
use crate::effects::addresses_taken;
use adjoin_ir::{Body, Func, Inst, Module, Op};
use adjoin_passes::inline;
use std::collections::{BTreeMap, BTreeSet};

/// Everything is inlined into a function that is asked for if it does not get larger than this many instructions.
pub const SMALL_WHOLE: usize = 3_000;

/// The same for a function that stays a call: there may be many of them.
pub const SMALL_PART: usize = 300;

/// Functions of up to this many instructions are always inlined.
const SMALL_FUNCTION: usize = 80;

/// Functions without loops and calls, of up to this many: where they are called often, each call would have memory of its own to keep what its reverse needs.
const STRAIGHT_FUNCTION: usize = 300;

/// As long as their copies do not come to more instructions than this, unless they are tiny.
const MOST_COPIES: usize = 8_000;

/// A call of so few instructions would be no smaller.
const TINY_FUNCTION: usize = 16;

/// What is inlined below a function.
pub struct Policy {
    /// Functions whose calls are inlined.
    inlined: BTreeSet<Func>,
}

/// The calls in the bodies that a function can reach.
struct Graph {
    callees: BTreeMap<Func, Vec<Func>>,
    sizes: BTreeMap<Func, usize>,
    /// Functions with loops.
    loops: BTreeSet<Func>,
}

impl Graph {
    fn of(module: &Module, registry: &Registry, root: Func, start: &Body) -> Graph {
        let mut taken = None;
        let mut graph = Graph {
            callees: BTreeMap::new(),
            sizes: BTreeMap::new(),
            loops: BTreeSet::new(),
        };
        let mut work = vec![root];
        while let Some(func) = work.pop() {
            if graph.callees.contains_key(&func) {
                continue;
            }
            let body = match &module.funcs[func].body {
                _ if func == root => start,
                Some(body) => body,
                None => continue,
            };
            let mut called = Vec::new();
            let mut size = 0;
            body.walk(|inst| {
                size += 1;
                match &body.insts[inst].op {
                    Op::Call(attr) if module.funcs[attr.func].body.is_some() => {
                        called.push(attr.func)
                    }
                    Op::CallIndirect(_) => {
                        let taken = taken.get_or_insert_with(|| addresses_taken(module));
                        let targets = indirect::callees(module, registry, func, body, inst, taken);
                        let defined = |f: &Func| module.funcs[*f].body.is_some();
                        called.extend(targets.into_iter().filter(defined));
                    }
                    Op::For(_) | Op::Loop => drop(graph.loops.insert(func)),
                    _ => {}
                }
            });
            work.extend(called.iter().copied());
            graph.callees.insert(func, called);
            graph.sizes.insert(func, size);
        }
        graph
    }

    /// The functions that can be called while they run.
    fn recursive(&self) -> BTreeSet<Func> {
        let mut recursive = BTreeSet::new();
        for (&func, called) in &self.callees {
            let mut seen = BTreeSet::new();
            let mut work = called.clone();
            while let Some(next) = work.pop() {
                if next == func {
                    recursive.insert(func);
                    break;
                }
                if seen.insert(next) {
                    work.extend(self.callees.get(&next).into_iter().flatten().copied());
                }
            }
        }
        recursive
    }
}

impl Policy {
    /// Decides for all functions that `root`, whose body is `start`, can reach.
    pub fn of(
        module: &Module,
        registry: &Registry,
        root: Func,
        start: &Body,
        whole: usize,
    ) -> Policy {
        if !adjoin_passes::registry::is_on("inline") {
            return Policy {
                inlined: BTreeSet::new(),
            };
        }
        let graph = Graph::of(module, registry, root, start);
        let recursive = graph.recursive();
        let mut sites: BTreeMap<Func, usize> = BTreeMap::new();
        for &callee in graph.callees.values().flatten() {
            *sites.entry(callee).or_default() += 1;
        }
        let possible: BTreeSet<Func> = graph
            .callees
            .keys()
            .copied()
            .filter(|&f| {
                f != root
                    && !recursive.contains(&f)
                    && !registry.is_special(f)
                    // A loop over a thread's share is known by it.
                    && module.funcs[f].name != adjoin_passes::openmp::PART
                    && module.funcs[f]
                        .body
                        .as_ref()
                        .is_some_and(inline::can_inline)
            })
            .collect();
        let mut sizes = BTreeMap::new();
        if expanded(&graph, &possible, &mut sizes, root) <= whole {
            return Policy { inlined: possible };
        }
        let mut everywhere = None;
        let mut calls_of = |func: Func| {
            let counts = everywhere.get_or_insert_with(|| calls(module));
            counts.get(&func).copied().unwrap_or(0)
        };
        // Callees first, so that what is inlined into a function counts as its own.
        let mut inlined = BTreeSet::new();
        for func in bottom_up(&graph, root) {
            let mut sizes = BTreeMap::new();
            let size = expanded(&graph, &inlined, &mut sizes, func);
            let count = sites.get(&func).copied().unwrap_or(0);
            // Where a part is looked at, its callees may have callers outside, which get copies of their own.
            let once =
                count <= 1 && (whole > SMALL_PART || size <= SMALL_PART || calls_of(func) <= 1);
            let straight = || {
                !graph.loops.contains(&func) && graph.callees.get(&func).is_none_or(Vec::is_empty)
            };
            let small = (size <= SMALL_FUNCTION || size <= STRAIGHT_FUNCTION && straight())
                && (size <= TINY_FUNCTION || size.saturating_mul(count) <= MOST_COPIES);
            // What threads do together has a derivative only where the team is in sight.
            let together = || adjoin_passes::openmp::works_for_caller(module, func);
            if possible.contains(&func) && (small || once || together()) {
                inlined.insert(func);
            }
        }
        Policy { inlined }
    }

    /// Inlines calls until none is left that should be.
    pub fn run(&self, module: &Module, body: &mut Body) {
        loop {
            let mut calls: Vec<(Inst, Func)> = Vec::new();
            body.walk(|inst| {
                if let Op::Call(attr) = &body.insts[inst].op
                    && attr.extra.is_empty()
                    && self.inlined.contains(&attr.func)
                {
                    calls.push((inst, attr.func));
                }
            });
            if calls.is_empty() {
                return;
            }
            for (inst, callee) in calls {
                let function = &module.funcs[callee];
                let copy = function
                    .body
                    .as_ref()
                    .expect("only those with a body are inlined");
                inline::inline_call(&module.types, body, inst, function.ctype, copy);
            }
        }
    }
}

/// How many calls of each function there are in a program.
fn calls(module: &Module) -> BTreeMap<Func, usize> {
    let mut counts = BTreeMap::new();
    for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op {
                *counts.entry(attr.func).or_default() += 1;
            }
        });
    }
    counts
}

/// The size of a function with what is inlined into it.
fn expanded(
    graph: &Graph,
    inlined: &BTreeSet<Func>,
    sizes: &mut BTreeMap<Func, usize>,
    func: Func,
) -> usize {
    if let Some(&size) = sizes.get(&func) {
        return size;
    }
    let mut size = graph.sizes.get(&func).copied().unwrap_or(0);
    for callee in graph.callees.get(&func).into_iter().flatten() {
        if inlined.contains(callee) {
            size = size.saturating_add(expanded(graph, inlined, sizes, *callee));
        }
    }
    sizes.insert(func, size);
    size
}

/// The functions that `root` reaches, callees before callers.
fn bottom_up(graph: &Graph, root: Func) -> Vec<Func> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::from([root]);
    let mut work = vec![(root, 0)];
    while let Some((func, k)) = work.pop() {
        let next = graph.callees.get(&func).and_then(|c| c.get(k)).copied();
        match next {
            Some(callee) => {
                work.push((func, k + 1));
                if seen.insert(callee) {
                    work.push((callee, 0));
                }
            }
            None => order.push(func),
        }
    }
    order
}
