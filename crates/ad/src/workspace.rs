//! A derivative whose caches lie in memory of the caller, and a function that says how much that is.
//!
//! Both are made from a finished derivative. Everything below that allocates caches is put into it first. Then an allocation is the next piece of the
//! workspace, and the size is the sum of all pieces, computed by what of the body says how large they are: numbers that follow from the arguments, under the
//! same conditions. A cache whose size is known only while the function runs (it grows, or is allocated in a loop) is a reason to refuse, with its name.

use crate::known::{GIVE, GROW, TAKE};
use crate::points_to::PointsTo;
use crate::reverse::{piece, require};
use crate::{AdError, Registry, loops};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, Function, Inst, Linkage, Module, Op,
    Region, Type, Value, ValueDef,
};
use adjoin_passes::inline;
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Result<T> = std::result::Result<T, AdError>;

/// So many calls are put into a derivative.
const MOST_CALLS: usize = 200;

/// The functions that were made.
#[derive(Clone, Copy, Debug)]
pub struct Workspace {
    /// The derivative, with `void *workspace, unsigned long bytes` as its last parameters.
    pub function: Func,
    /// How many bytes it needs: `unsigned long`, of the derivative's own parameters.
    pub size: Func,
}

/// Makes both for a finished derivative, with these names.
pub fn make(
    module: &mut Module,
    registry: &Registry,
    func: Func,
    [name, size_name]: [&str; 2],
) -> Result<Workspace> {
    let function = module.funcs[func].clone();
    let fail = |what: &str| refusal(&function, &function.name, what);
    let mut body = function.body.clone().ok_or_else(|| fail("has no body"))?;
    inline_allocations(module, func, &mut body)?;
    adjoin_passes::prune::run(&module.types, &mut body);
    let sites = sites(module, &function, &body)?;
    let size = {
        let registry = loops::with_own_allocators(module, registry);
        size_function(module, &registry, (&function, &body), &sites, size_name)?
    };
    let size = module.funcs.push(size);
    let made = workspace_function(module, &function, body, &sites, (name, size))?;
    Ok(Workspace {
        function: module.funcs.push(made),
        size,
    })
}

fn refusal(function: &Function, what: &str, why: &str) -> AdError {
    AdError {
        span: function.span,
        message: format!("no workspace for '{}': '{what}' {why}", function.name),
        elsewhere: false,
    }
}

fn is_allocation(name: &str) -> bool {
    name.starts_with("adjoin_allocate_")
}

fn is_growth(name: &str) -> bool {
    name == GROW || name.starts_with("adjoin_resize_")
}

/// Functions that get memory for caches or give it back, themselves or through others.
fn allocating(module: &Module) -> BTreeSet<Func> {
    let mut all: BTreeSet<Func> = BTreeSet::new();
    for (f, function) in module.funcs.iter() {
        let name = &*function.name;
        if is_allocation(name) || is_growth(name) || name == TAKE || name == GIVE {
            all.insert(f);
        }
    }
    loop {
        let before = all.len();
        for (f, function) in module.funcs.iter() {
            let Some(body) = &function.body else { continue };
            // The list of what is freed at the end holds memory of the function itself.
            if function.name.starts_with("adjoin_free_") {
                continue;
            }
            body.walk(|inst| {
                let reached = match &body.insts[inst].op {
                    Op::Call(attr) => all.contains(&attr.func),
                    Op::FuncAddr(g) => all.contains(g),
                    _ => false,
                };
                if reached {
                    all.insert(f);
                }
            });
        }
        if all.len() == before {
            return all;
        }
    }
}

/// Puts everything that allocates caches into a body.
fn inline_allocations(module: &Module, func: Func, body: &mut Body) -> Result<()> {
    let allocating = allocating(module);
    for _ in 0..MOST_CALLS {
        let mut next = None;
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op
                && allocating.contains(&attr.func)
                && !is_allocation(&module.funcs[attr.func].name)
                && !is_growth(&module.funcs[attr.func].name)
                && module.funcs[attr.func].name != GIVE
            {
                next.get_or_insert((inst, attr.func));
            }
        });
        let Some((call, callee)) = next else {
            return Ok(());
        };
        let callee = &module.funcs[callee];
        let why = "keeps values for the reverse sweep in memory of its own";
        match &callee.body {
            Some(inner) if inline::can_inline(inner) && !is_recursive(module, callee) => {
                inline::inline_call(&module.types, body, call, callee.ctype, inner);
            }
            _ => return Err(refusal(&module.funcs[func], &callee.name, why)),
        }
    }
    let function = &module.funcs[func];
    Err(refusal(
        function,
        &function.name,
        "calls too many functions with caches",
    ))
}

/// Can a function be called while it runs?
fn is_recursive(module: &Module, function: &Function) -> bool {
    let Some(own) = module.find_func(&function.name) else {
        return false;
    };
    let mut seen = BTreeSet::new();
    let mut work = vec![own];
    while let Some(f) = work.pop() {
        let Some(body) = &module.funcs[f].body else {
            continue;
        };
        let mut again = false;
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op {
                again |= attr.func == own;
                if seen.insert(attr.func) {
                    work.push(attr.func);
                }
            }
        });
        if again {
            return true;
        }
    }
    false
}

/// The allocations of a body, and the sizes of their elements.
fn sites(module: &Module, function: &Function, body: &Body) -> Result<BTreeMap<Inst, u64>> {
    let mut found = BTreeMap::new();
    let mut refused = None;
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else { return };
        let callee = &module.funcs[attr.func];
        let cache = data
            .results
            .first()
            .and_then(|&v| body.values[v].name.as_deref());
        let cache = cache.unwrap_or("a cache");
        if is_growth(&callee.name) {
            refused.get_or_insert((cache.to_string(), "grows while the function runs"));
        }
        if !is_allocation(&callee.name) {
            return;
        }
        let mut region = data.parent;
        while let Some(holder) = body.regions[region].parent {
            match body.insts[holder].op {
                Op::If | Op::Block => {}
                Op::Par(_) => {
                    refused.get_or_insert((cache.to_string(), "belongs to a thread"));
                }
                _ => {
                    refused.get_or_insert((cache.to_string(), "is allocated in a loop"));
                }
            }
            region = body.insts[holder].parent;
        }
        let CTypeKind::Function { ret, .. } = module.types.shape(callee.ctype) else {
            return;
        };
        let size = module
            .types
            .pointee(*ret)
            .and_then(|t| module.types.size_of(t));
        found.insert(inst, size.unwrap_or(8));
    });
    // What is given back by other ways than it came must not be memory of the caller.
    let caches: BTreeSet<Value> = found.keys().map(|&i| body.result(i)).collect();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let escapes = match &data.op {
            Op::Store(_) => caches.contains(&data.args[1]),
            Op::Call(attr) if module.funcs[attr.func].name == GIVE => false,
            Op::Call(_) | Op::CallIndirect(_) | Op::Return => {
                data.args.iter().any(|v| caches.contains(v))
            }
            _ => false,
        };
        let cache = data.args.iter().find(|v| caches.contains(v));
        if let (true, Some(&v)) = (escapes, cache) {
            let name = body.values[v]
                .name
                .clone()
                .unwrap_or_else(|| "a cache".into());
            refused.get_or_insert((name, "is handed on"));
        }
    });
    match refused {
        Some((cache, why)) => Err(refusal(function, &cache, why)),
        None => Ok(found),
    }
}

/// The C type of a function with the same parameters, and further ones.
fn ctype(module: &mut Module, of: CTy, ret: Option<CTy>, more: &[CTy]) -> Option<CTy> {
    let CTypeKind::Function {
        ret: own,
        mut params,
        ..
    } = module.types.shape(of).clone()
    else {
        return None;
    };
    params.extend(more);
    Some(module.types.intern(CTypeKind::Function {
        ret: ret.unwrap_or(own),
        params,
        variadic: false,
        prototyped: true,
    }))
}

/// The bytes of a piece.
fn bytes(b: &mut Builder<'_>, piece: Func, count: Value, size: u64) -> Value {
    let size = b.int(Type::U64, size.into());
    let extra = Vec::new();
    let op = Op::Call(CallAttr { func: piece, extra });
    b.value(op, vec![count, size], Type::U64)
}

fn size_function(
    module: &mut Module,
    registry: &Registry,
    (function, body): (&Function, &Body),
    sites: &BTreeMap<Inst, u64>,
    name: &str,
) -> Result<Function> {
    let ulong = module.types.basic(Basic::ULong);
    let piece = piece(module);
    let fail = || refusal(function, &function.name, "has parameters without values");
    let own = function.ctype;
    let ctype = ctype(module, own, Some(ulong), &[]).ok_or_else(fail)?;
    let mut d = Body::with_params(&module.types, ctype, &function.param_names).ok_or_else(fail)?;
    let points = PointsTo::of_type(module, registry, own, body);
    let arguments = body.regions[body.entry].args.iter().copied();
    let values = arguments.zip(d.regions[d.entry].args.clone()).collect();
    let mut slice = Slice {
        function,
        p: body,
        points: &points,
        sites,
        piece,
        b: Builder::new(&mut d),
        values,
        certain: true,
    };
    let total = slice.region(body.entry)?;
    slice.b.ret(&[total]);
    Ok(Function {
        name: name.to_string(),
        ctype,
        linkage: Linkage::External,
        body: Some(d),
        ..function.clone()
    })
}

/// What of a body says how large its caches are.
struct Slice<'a, 'b> {
    function: &'a Function,
    p: &'a Body,
    points: &'a PointsTo<'a>,
    sites: &'a BTreeMap<Inst, u64>,
    /// The function that says how large a piece is.
    piece: Func,
    b: Builder<'b>,
    values: HashMap<Value, Value>,
    /// The derivative certainly gets here.
    certain: bool,
}

impl Slice<'_, '_> {
    /// The bytes of all pieces of a region.
    fn region(&mut self, region: Region) -> Result<Value> {
        let mut total = self.b.int(Type::U64, 0);
        let outside = self.certain;
        for &inst in &self.p.regions[region].insts {
            let data = &self.p.insts[inst];
            if let Some(&size) = self.sites.get(&inst) {
                let Some(count) = self.value(data.args[0]) else {
                    let cache = self.p.values[data.results[0]].name.as_deref();
                    let why = "has a size that is known only while the function runs";
                    return Err(refusal(self.function, cache.unwrap_or("a cache"), why));
                };
                let piece = bytes(&mut self.b, self.piece, count, size);
                total = self.b.add(total, piece);
            }
            if data.regions.iter().any(|&r| self.allocates(r)) {
                let more = match data.op {
                    Op::If => self.branch(data.args[0], [data.regions[0], data.regions[1]])?,
                    _ => self.region(data.regions[0])?,
                };
                total = self.b.add(total, more);
            }
            // An exit may have left what follows.
            self.certain &= !self.exits(inst);
        }
        self.certain = outside;
        Ok(total)
    }

    fn branch(&mut self, condition: Value, regions: [Region; 2]) -> Result<Value> {
        let (outside, known) = (self.certain, self.values.clone());
        let Some(condition) = self.value(condition) else {
            // Whichever way it goes: both.
            self.certain = false;
            let mut total = self.b.int(Type::U64, 0);
            for r in regions {
                let more = self.region(r)?;
                total = self.b.add(total, more);
                self.values.clone_from(&known);
            }
            self.certain = outside;
            return Ok(total);
        };
        let known = self.values.clone();
        let (inst, yes, no) = self.b.if_(condition, &[Type::U64]);
        for (from, to) in regions.into_iter().zip([yes, no]) {
            let back = self.b.enter(to);
            let more = self.region(from)?;
            self.b.yield_(&[more]);
            self.b.leave(back);
            self.values.clone_from(&known);
        }
        Ok(self.b.body.result(inst))
    }

    fn allocates(&self, region: Region) -> bool {
        self.sites
            .keys()
            .any(|&s| self.p.encloses(region, self.p.insts[s].parent))
    }

    /// May an instruction leave a construct around it? Where the program ends, nobody asks for what follows.
    fn exits(&self, inst: Inst) -> bool {
        let mut found = false;
        let mut work = vec![inst];
        while let Some(i) = work.pop() {
            let data = &self.p.insts[i];
            let inside = |t: Inst| {
                t == inst
                    || self.p.insts[inst]
                        .regions
                        .iter()
                        .any(|&r| self.p.encloses(r, self.p.insts[t].parent))
            };
            found |= match data.op {
                Op::Return => true,
                Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => !inside(t),
                _ => false,
            };
            for &r in &data.regions {
                work.extend(&self.p.regions[r].insts);
            }
        }
        found && !self.p.insts[inst].op.is_terminator()
    }

    /// May the derivative write what a load reads? What gets and frees memory changes nothing that is read.
    fn is_written(&self, load: Inst) -> bool {
        const OWN: [&str; 4] = ["allocate_", "free_", "stop", "zeroed"];
        let reads = self.points.reads(load);
        let mut written = false;
        self.p.walk(|inst| {
            if let Op::Call(attr) = &self.p.insts[inst].op
                && let Some(name) = self.points.name(attr.func).strip_prefix("adjoin_")
                && OWN.iter().any(|own| name.starts_with(own))
            {
                return;
            }
            let writes = self.points.writes(inst);
            let meets = |w: &_| reads.iter().any(|r| self.points.may_alias(r, w));
            written |= writes.iter().any(meets);
        });
        written
    }

    /// A number of the derivative, computed from its arguments.
    fn value(&mut self, v: Value) -> Option<Value> {
        if let Some(&x) = self.values.get(&v) {
            return Some(x);
        }
        let ValueDef::Result(inst, _) = self.p.values[v].def else {
            return None;
        };
        let data = &self.p.insts[inst];
        let fits = match &data.op {
            // What only a guard makes harmless is not done in front of it.
            _ if self.p.may_trap(inst) => self.certain,
            Op::Load(attr) => self.certain && !attr.volatile && !self.is_written(inst),
            op => op.is_pure() && data.regions.is_empty(),
        };
        if !fits {
            return None;
        }
        let args: Option<Vec<Value>> = data.args.iter().map(|&a| self.value(a)).collect();
        let x = self.b.value(data.op.clone(), args?, self.p.ty(v));
        self.b.body.values[x].ctype = self.p.values[v].ctype;
        self.b.body.values[x]
            .name
            .clone_from(&self.p.values[v].name);
        self.values.insert(v, x);
        Some(x)
    }
}

fn workspace_function(
    module: &mut Module,
    function: &Function,
    mut body: Body,
    sites: &BTreeMap<Inst, u64>,
    (name, size): (&str, Func),
) -> Result<Function> {
    let ulong = module.types.basic(Basic::ULong);
    let void = module.types.void();
    let address = module.types.pointer(void);
    let fail = || refusal(function, &function.name, "is not a function");
    let ctype = ctype(module, function.ctype, None, &[address, ulong]).ok_or_else(fail)?;
    let piece = piece(module);
    let check = require(module, "adjoin: the workspace is too small");
    let character = module.types.basic(Basic::Char);
    let own = body.regions[body.entry].args.clone();
    let entry = body.entry;
    let workspace = body.add_arg(entry, Type::Ptr);
    let given = body.add_arg(entry, Type::U64);
    let mut names = function.param_names.clone();
    for (v, name, t) in [(workspace, "workspace", address), (given, "bytes", ulong)] {
        let taken = |n: &str| names.iter().any(|o| o.as_deref() == Some(n));
        let mut unique = name.to_string();
        while taken(&unique) {
            unique.push('_');
        }
        body.values[v].name = Some(unique.clone());
        body.values[v].ctype = Some(t);
        names.push(Some(unique));
    }
    let call = |func| {
        Op::Call(CallAttr {
            func,
            extra: Vec::new(),
        })
    };
    let used = {
        let mut b = Builder::new(&mut body);
        b.cursor.before = Some(0);
        let used = b.slot(ulong, Some("used"));
        let zero = b.int(Type::U64, 0);
        b.store(used, zero);
        let needed = b.value(call(size), own, Type::U64);
        let enough = b.ge(given, needed);
        b.inst(call(check), vec![enough], &[]);
        used
    };
    let mut given_back = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && module.funcs[attr.func].name == GIVE
        {
            given_back.push(inst);
        }
    });
    for inst in given_back {
        adjoin_passes::edit::unlink(&mut body, inst);
    }
    let mut replacements = adjoin_passes::edit::Replacements::default();
    for (&inst, &size) in sites {
        let (old, count) = (body.result(inst), body.insts[inst].args[0]);
        let data = body.values[old].clone();
        let mut b = Builder::before(&mut body, inst);
        let begin = b.load(Type::U64, used);
        let piece = bytes(&mut b, piece, count, size);
        let end = b.add(begin, piece);
        b.store(used, end);
        let at = b.element(workspace, character, 1, begin);
        let memory = b.cast(Type::Ptr, at);
        b.body.values[memory].name = data.name;
        b.body.values[memory].ctype = data.ctype;
        replacements.set(old, memory);
        adjoin_passes::edit::unlink(&mut body, inst);
    }
    replacements.apply(&mut body);
    Ok(Function {
        name: name.to_string(),
        ctype,
        param_names: names,
        linkage: Linkage::External,
        body: Some(body),
        ..function.clone()
    })
}
