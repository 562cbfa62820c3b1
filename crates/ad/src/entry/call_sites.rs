//! What a call of an entry point passes: which arguments are pointers to different objects, so that the derivative may rely on it, and how far the memory of arguments reaches that
//! pointers at file scope may lead into.
//!
//! Objects are the caller's arrays and allocations, and globals (`points_to`). Functions that return nothing but fresh memory count as allocations. A pointer that is a parameter
//! of the caller is looked up at all calls of the caller, if these are known.

use super::{Entry, Role, Specification};
use crate::activity::root;
use crate::known::{self, Known};
use crate::points_to::{Access, Object, PointsTo};
use crate::{Allocator, Extent, Registry};
use adjoin_ir::{Body, CTy, CTypeKind, Func, Init, Inst, Linkage, Module, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many callers are looked through.
const DEEPEST: usize = 3;

/// The pairs of parameters of a specification's function that a call gives pointers to different objects. `complete`: no function of the unit is unknown.
pub fn disjoint(
    module: &Module,
    registry: &Registry,
    spec: &Specification,
    caller: Func,
    call: Inst,
    complete: bool,
) -> BTreeSet<(u32, u32)> {
    let mut found = BTreeSet::new();
    let Some(body) = module.funcs[caller].body.as_ref() else {
        return found;
    };
    let sweeps_at_once = spec.entry == Entry::Gradient || spec.entry.is_forward();
    if !sweeps_at_once || !adjoin_passes::registry::is_on("call_sites") {
        return found;
    }
    let passed = body.insts[call].args.iter().skip(1);
    let pointers: Vec<(u32, Value)> = spec
        .roles
        .iter()
        .zip(passed)
        .filter_map(|(role, &v)| match role {
            Role::Primal(k) if body.ty(v) == Type::Ptr => Some((*k, v)),
            _ => None,
        })
        .collect();
    if pointers.len() < 2 {
        return found;
    }
    let registry = with_allocators(module, registry);
    let mut sites = Sites {
        module,
        registry: &registry,
        complete,
        known: BTreeMap::new(),
    };
    for (k, &(a, x)) in pointers.iter().enumerate() {
        for &(b, y) in &pointers[k + 1..] {
            if sites.are_apart(caller, x, y, DEEPEST) {
                found.insert((a.min(b), a.max(b)));
            }
        }
    }
    found
}

/// How far the memory of arguments reaches, by parameter, where the function reads pointers at file scope: arrays of numbers, and blocks.
pub fn extents(
    module: &Module,
    registry: &Registry,
    spec: &Specification,
    caller: Func,
    call: Inst,
    complete: bool,
) -> BTreeMap<u32, Extent> {
    let mut found = BTreeMap::new();
    let Some(body) = module.funcs[caller].body.as_ref() else {
        return found;
    };
    let sweeps_at_once = spec.entry == Entry::Gradient || spec.entry.is_forward();
    if !sweeps_at_once || !reads_pointers_at_file_scope(module, registry, spec.func) {
        return found;
    }
    let mut sites = Sites {
        module,
        registry,
        complete,
        known: BTreeMap::new(),
    };
    let mut extent = |wanted: Role| {
        let passed = body.insts[call].args.iter().skip(1);
        let (_, &v) = spec.roles.iter().zip(passed).find(|(r, _)| **r == wanted)?;
        (body.ty(v) == Type::Ptr).then(|| sites.extent(caller, v, DEEPEST))?
    };
    for k in 0..spec.params.len() as u32 {
        let (primal, shadow) = (extent(Role::Primal(k)), extent(Role::Shadow(k, 0)));
        if let (Some(primal), Some(shadow)) = (primal, shadow) {
            let both = Extent {
                before: primal.before.min(shadow.before),
                behind: primal.behind.into_iter().chain(shadow.behind).min(),
                blocks: [primal.blocks[0], shadow.blocks[0]],
            };
            found.insert(k, both);
        }
    }
    found
}

fn reads_pointers_at_file_scope(module: &Module, registry: &Registry, func: Func) -> bool {
    let Some(body) = &module.funcs[func].body else {
        return false;
    };
    crate::effects::reachable(registry, module, body)
        .iter()
        .any(|body| {
            body.insts.values().any(|data| {
                let read = matches!(data.op, Op::Load(_)) && body.ty(data.results[0]) == Type::Ptr;
                let from = || body.def_inst(root(body, data.args[0]));
                read && from().is_some_and(|i| matches!(body.insts[i].op, Op::GlobalAddr(_)))
            })
        })
}

/// The integers that a call passes as constants, by parameter: sizes, mostly. The derivative of such a call has loops whose trips are known.
pub fn constants(
    module: &Module,
    spec: &Specification,
    caller: Func,
    call: Inst,
) -> BTreeMap<u32, i128> {
    let mut found = BTreeMap::new();
    let Some(body) = module.funcs[caller].body.as_ref() else {
        return found;
    };
    if spec.entry != Entry::Gradient || !adjoin_passes::registry::is_on("call_sites") {
        return found;
    }
    let passed = body.insts[call].args.iter().skip(1);
    for (role, &v) in spec.roles.iter().zip(passed) {
        if let (Role::Primal(k), Some(n)) = (role, body.const_int(v))
            && body.ty(v).is_int()
        {
            found.insert(*k, n);
        }
    }
    found
}

/// The registry, with functions that only return fresh memory.
fn with_allocators(module: &Module, registry: &Registry) -> Registry {
    let mut registry = registry.clone();
    // A function around a function that allocates is found in the second round.
    for _ in 0..2 {
        let mut more = Vec::new();
        for (func, function) in module.funcs.iter() {
            let Some(body) = &function.body else { continue };
            let CTypeKind::Function { ret, params, .. } = module.types.shape(function.ctype) else {
                continue;
            };
            let pointer = |t| matches!(module.types.shape(t), CTypeKind::Pointer(_));
            let fits = pointer(*ret)
                && params
                    .iter()
                    .all(|&t| Type::of_ctype(&module.types, t).is_some_and(|t| t != Type::Ptr));
            if fits && !registry.allocators.contains_key(&func) && is_fresh(module, &registry, body)
            {
                more.push(func);
            }
        }
        for func in more {
            let allocator = Allocator {
                size: 0,
                free_arguments: Vec::new(),
                free: None,
            };
            registry.allocators.insert(func, allocator);
        }
    }
    registry
}

/// Does a body return nothing but memory that it allocates and that nobody else knows, or NULL?
fn is_fresh(module: &Module, registry: &Registry, body: &Body) -> bool {
    let points = PointsTo::of_body(module, registry, None, body);
    let mut fresh = true;
    let mut any = false;
    body.walk(|inst| {
        let data = &body.insts[inst];
        if let (Op::Return, Some(&v)) = (&data.op, data.args.first()) {
            for place in points.objects(v) {
                any = true;
                fresh &= matches!(place.object, Object::Heap(_)) && !points.escapes(place.object);
            }
        }
    });
    fresh && any
}

struct Sites<'a> {
    module: &'a Module,
    registry: &'a Registry,
    complete: bool,
    known: BTreeMap<Func, PointsTo<'a>>,
}

impl<'a> Sites<'a> {
    fn points(&mut self, func: Func, body: &'a Body) -> &PointsTo<'a> {
        let (module, registry) = (self.module, self.registry);
        self.known
            .entry(func)
            .or_insert_with(|| PointsTo::of_body(module, registry, None, body))
    }

    /// Do two pointers of a function point to different objects?
    fn are_apart(&mut self, func: Func, x: Value, y: Value, depth: usize) -> bool {
        let Some(body) = self.module.funcs[func].body.as_ref() else {
            return false;
        };
        let points = self.points(func, body);
        if points.objects(x).is_empty() || points.objects(y).is_empty() {
            return false;
        }
        if !points.may_alias(&Access::object(x), &Access::object(y)) && !points.share_object(x, y) {
            return true;
        }
        // Both are what the caller was given.
        let parameter = |v: Value| match points.objects(v) {
            [one] => match one.object {
                Object::Parameter(k) => Some(k as usize),
                _ => None,
            },
            _ => None,
        };
        let (Some(a), Some(b)) = (parameter(x), parameter(y)) else {
            return false;
        };
        if a == b || depth == 0 {
            return false;
        }
        let Some(calls) = self.calls(func) else {
            return false;
        };
        !calls.is_empty()
            && calls.into_iter().all(|(caller, args)| {
                let (Some(&x), Some(&y)) = (args.get(a), args.get(b)) else {
                    return false;
                };
                caller != func && self.are_apart(caller, x, y, depth - 1)
            })
    }

    /// How far the object reaches that a pointer leads into: an array of numbers, or a block.
    fn extent(&mut self, func: Func, v: Value, depth: usize) -> Option<Extent> {
        let module = self.module;
        let body = module.funcs[func].body.as_ref()?;
        let points = self.points(func, body);
        let [place] = points.objects(v) else {
            return None;
        };
        let at = u64::from(place.offsets.single()?);
        let array = |t: CTy| {
            let mut element = t;
            while let CTypeKind::Array { elem, .. } = module.types.shape(element) {
                element = *elem;
            }
            let number = matches!(module.types.shape(element), CTypeKind::Basic(_));
            let bytes = number.then(|| module.types.size_of(t)).flatten()?;
            (at <= bytes).then_some(Extent {
                before: at,
                behind: Some(bytes - at),
                blocks: [false; 2],
            })
        };
        match place.object {
            Object::Stack(inst) => match &body.insts[inst].op {
                Op::Slot(attr) => array(attr.ctype),
                _ => None,
            },
            Object::Global(g) => array(module.globals[g].ctype),
            Object::Heap(inst) if at == 0 => {
                let Op::Call(attr) = &body.insts[inst].op else {
                    return None;
                };
                let function = &module.funcs[attr.func];
                let known = match function.body.is_none() {
                    true => known::lookup(&function.name),
                    false => None,
                };
                matches!(known, Some(Known::Malloc(_) | Known::Calloc)).then_some(Extent {
                    before: 0,
                    behind: None,
                    blocks: [true, false],
                })
            }
            Object::Parameter(k) if at == 0 && depth > 0 => {
                let mut all = self.calls(func)?.into_iter().map(|(caller, args)| {
                    let v = *args.get(k as usize)?;
                    (caller != func).then(|| self.extent(caller, v, depth - 1))?
                });
                let first = all.next()??;
                all.all(|other| other == Some(first)).then_some(first)
            }
            _ => None,
        }
    }

    /// All calls of a function; `None`: there may be others.
    fn calls(&self, func: Func) -> Option<Vec<(Func, Vec<Value>)>> {
        let function = &self.module.funcs[func];
        let aggregate = match self.module.types.shape(function.ctype) {
            CTypeKind::Function { ret, .. } => self.module.types.is_aggregate(*ret),
            _ => true,
        };
        if function.linkage != Linkage::Static || !self.complete || aggregate {
            return None;
        }
        let named = |init: &Init| format!("{init:?}").contains(&format!("{func:?}"));
        if self
            .module
            .globals
            .values()
            .any(|g| g.init.as_ref().is_some_and(named))
        {
            return None;
        }
        let mut calls = Vec::new();
        let mut escapes = false;
        for (caller, function) in self.module.funcs.iter() {
            let Some(body) = &function.body else { continue };
            body.walk(|inst| {
                let data = &body.insts[inst];
                match &data.op {
                    Op::FuncAddr(f) => escapes |= *f == func,
                    Op::Call(attr) if attr.func == func => calls.push((caller, data.args.clone())),
                    _ => {}
                }
            });
        }
        (!escapes).then_some(calls)
    }
}
