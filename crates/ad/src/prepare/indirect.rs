//! Calls through pointers become calls by name: at once if the pointer is a known constant, else as a chain `if (p == f) f(…) else if (p == g) …` over the
//! functions whose address is taken and whose type fits. Whatever else the pointer may be ends the program with a message.

use crate::Registry;
use crate::effects::addresses_taken;
use crate::known::external;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CTypes, CallAttr, Func, GlobalData, Init, Inst, Linkage,
    Module, Op, Quals, RelocTarget, Signature, Span, Step, Type, Value,
};
use adjoin_passes::edit::Replacements;
use std::collections::BTreeSet;

/// Makes calls whose target is a constant direct. Was there one?
pub fn resolve(module: &Module, body: &mut Body) -> bool {
    let mut found = Vec::new();
    body.walk(|inst| {
        if let Op::CallIndirect(attr) = &body.insts[inst].op
            && let Some(func) = constant_target(module, body, body.insts[inst].args[0])
            && is_callable(module, func, attr.ctype)
            && attr.extra.is_empty()
        {
            found.push((inst, func));
        }
    });
    for &(inst, func) in &found {
        body.insts[inst].op = call(func);
        body.insts[inst].args.remove(0);
    }
    !found.is_empty()
}

/// Makes the other calls through pointers chains of direct ones, in a body of a function. Was there one?
pub fn chains(module: &mut Module, registry: &Registry, func: Func, body: &mut Body) -> bool {
    let mut calls: Vec<(Inst, CTy)> = Vec::new();
    body.walk(|inst| {
        if let Op::CallIndirect(attr) = &body.insts[inst].op
            && attr.extra.is_empty()
        {
            calls.push((inst, attr.ctype));
        }
    });
    let mut changed = false;
    for (inst, ctype) in calls {
        let pointer = body.insts[inst].args[0];
        let shown = registry.targets(module, func, body, pointer);
        let shown = shown.filter(|all| all.iter().any(|&f| fits(module, registry, f, ctype)));
        let only = shown.as_ref().filter(|all| all.len() == 1);
        if let Some(&target) = only.and_then(BTreeSet::first) {
            body.insts[inst].op = call(target);
            body.insts[inst].args.remove(0);
            changed = true;
            continue;
        }
        let shown = shown.unwrap_or_else(|| addresses_taken(module));
        let mut targets = fitting(module, registry, shown, ctype);
        if targets.is_empty() && !registry.whole {
            targets = offered(module, func, ctype);
        }
        if !targets.is_empty() {
            chain(module, body, inst, &targets);
            changed = true;
        } else if registry.whole {
            stop(module, body, inst, UNKNOWN);
            changed = true;
        }
        // Else the call stays: it is refused if active data reaches it.
    }
    changed
}

/// Those of some functions that a call through a pointer of some type may call.
fn fitting(module: &Module, registry: &Registry, shown: BTreeSet<Func>, ctype: CTy) -> Vec<Func> {
    let mut targets: Vec<Func> = shown
        .into_iter()
        .filter(|&f| fits(module, registry, f, ctype) && is_understood(module, f))
        .collect();
    let exactly = |f: &Func| {
        let mut types = registry.kept_as(*f).chain([module.funcs[*f].ctype]);
        types.any(|own| is_exactly(module, own, ctype))
    };
    if registry.exact && targets.iter().any(exactly) {
        targets.retain(exactly);
    }
    targets
}

/// May a call through a pointer of some type be one of a function? It is of that type, or was put where pointers of that type are kept: derived structs, whose
/// functions take pointers to themselves, are used as what they begin with.
fn fits(module: &Module, registry: &Registry, func: Func, ctype: CTy) -> bool {
    let own = module.funcs[func].ctype;
    is_callable(module, func, ctype)
        && registry
            .kept_as(func)
            .chain([own])
            .any(|own| is_alike(&module.types, own, ctype))
}

/// What a file offers to others, which may hand it back: its functions of the very type of a call, where it takes the address of none.
fn offered(module: &Module, caller: Func, ctype: CTy) -> Vec<Func> {
    let functions = module.funcs.iter();
    let offered = functions.filter(|(f, data)| {
        *f != caller && data.linkage == Linkage::External && data.body.is_some()
    });
    let funcs = offered.map(|(f, _)| f);
    let funcs = funcs.filter(|&f| {
        is_callable(module, f, ctype) && is_exactly(module, module.funcs[f].ctype, ctype)
    });
    funcs.collect()
}

/// The functions that a call through a pointer in a body of a function may call, as [`chains`] will see it; `taken` are those whose address is taken.
pub fn callees(
    module: &Module,
    registry: &Registry,
    func: Func,
    body: &Body,
    inst: Inst,
    taken: &BTreeSet<Func>,
) -> Vec<Func> {
    let Op::CallIndirect(attr) = &body.insts[inst].op else {
        return Vec::new();
    };
    let shown = registry.targets(module, func, body, body.insts[inst].args[0]);
    let shown = shown.filter(|all| all.iter().any(|&f| fits(module, registry, f, attr.ctype)));
    let shown = shown.unwrap_or_else(|| taken.clone());
    fitting(module, registry, shown, attr.ctype)
}

fn call(func: Func) -> Op {
    Op::Call(CallAttr {
        func,
        extra: Vec::new(),
    })
}

/// Is it known what the function does?
fn is_understood(module: &Module, func: Func) -> bool {
    let function = &module.funcs[func];
    function.body.is_some() || crate::is_known(&function.name)
}

/// Can a function be called as a type says, whatever its pointers lead to?
fn is_callable(module: &Module, func: Func, ctype: CTy) -> bool {
    let types = &module.types;
    let own = module.funcs[func].ctype;
    let (Some(a), Some(b)) = (Signature::of(types, own), Signature::of(types, ctype)) else {
        return false;
    };
    if a.variadic || b.variadic || !a.prototyped || !b.prototyped {
        return false;
    }
    let is_same = |x: CTy, y: CTy| types.record(x) == types.record(y);
    a.params == b.params
        && a.result() == b.result()
        && each_pair(types, own, ctype, |x, y| {
            types.pointee(x).is_some() || is_same(x, y)
        })
}

/// Are two types of functions alike? Structs by value must be the same; pointers to different structs are different, other pointers are alike, since callbacks
/// are often declared with `void *`.
fn is_alike(types: &CTypes, own: CTy, ctype: CTy) -> bool {
    let tag = |t: CTy| {
        types
            .record(t)
            .and_then(|r| types.records[r].tag.as_deref())
    };
    each_pair(types, own, ctype, |x, y| {
        match (types.pointee(x), types.pointee(y)) {
            (Some(x), Some(y)) => match (tag(x), tag(y)) {
                (Some(x), Some(y)) => x == y,
                _ => true,
            },
            _ => types.record(x) == types.record(y),
        }
    })
}

/// Are the pointers among the parameters and the result those of the type, too? By the rules of C, nothing else may be called.
fn is_exactly(module: &Module, own: CTy, ctype: CTy) -> bool {
    let types = &module.types;
    each_pair(types, own, ctype, |x, y| {
        match (types.pointee(x), types.pointee(y)) {
            (Some(x), Some(y)) => {
                types.shape(x) == types.shape(y) && types.quals(x) == types.quals(y)
            }
            _ => true,
        }
    })
}

/// Does something hold for the results of two types of functions, and for each of their parameters?
fn each_pair(types: &CTypes, a: CTy, b: CTy, holds: impl Fn(CTy, CTy) -> bool) -> bool {
    let (
        CTypeKind::Function {
            ret: r, params: p, ..
        },
        CTypeKind::Function {
            ret: s, params: q, ..
        },
    ) = (types.shape(a), types.shape(b))
    else {
        return false;
    };
    holds(*r, *s) && p.len() == q.len() && p.iter().zip(q).all(|(&x, &y)| holds(x, y))
}

/// The function that a pointer surely is.
fn constant_target(module: &Module, body: &Body, mut v: Value) -> Option<Func> {
    loop {
        let data = &body.insts[body.def_inst(v)?];
        match &data.op {
            Op::FuncAddr(f) => return Some(*f),
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            Op::Load(_) => return constant_entry(module, body, data.args[0]),
            _ => return None,
        }
    }
}

/// The function in a table that never changes, at a constant place.
fn constant_entry(module: &Module, body: &Body, mut address: Value) -> Option<Func> {
    let mut offset: i128 = 0;
    loop {
        let data = &body.insts[body.def_inst(address)?];
        match &data.op {
            Op::Addr(attr) => {
                let mut operands = data.args[1..].iter();
                for step in &attr.steps {
                    offset += match step {
                        Step::Index { stride } => {
                            body.const_int(*operands.next()?)? * i128::from(*stride)
                        }
                        Step::Field { offset, .. } => i128::from(*offset),
                        Step::Bytes(n) => i128::from(*n),
                        Step::IndexDyn => return None,
                    };
                }
                address = data.args[0];
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => address = data.args[0],
            Op::GlobalAddr(g) => {
                let global = &module.globals[*g];
                if !is_const(module, global.ctype) {
                    return None;
                }
                let relocs = &global.init.as_ref()?.relocs;
                let reloc = relocs.iter().find(|r| i128::from(r.offset) == offset)?;
                return match reloc.target {
                    RelocTarget::Func(f) if reloc.addend == 0 => Some(f),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

/// Is an object, or the elements of an array, `const`?
pub fn is_const(module: &Module, t: CTy) -> bool {
    module.types.quals(t).is_const || module.types.element(t).is_some_and(|e| is_const(module, e))
}

fn chain(module: &mut Module, body: &mut Body, inst: Inst, targets: &[Func]) {
    let data = body.insts[inst].clone();
    let results: Vec<Type> = data.results.iter().map(|&v| body.ty(v)).collect();
    let (pointer, args) = (data.args[0], data.args[1..].to_vec());
    let failing = fails(module, data.span, UNKNOWN);
    let mut b = Builder::before(body, inst);
    let mut outermost = None;
    for &func in targets {
        let address = b.func(func);
        let is_it = b.eq(pointer, address);
        let (branch, then, otherwise) = b.if_(is_it, &results);
        b.inside(then, |b| {
            let made = b.inst(call(func), args.clone(), &results);
            let values = b.body.insts[made].results.clone();
            for (&v, &old) in values.iter().zip(&data.results) {
                b.body.values[v].ctype = b.body.values[old].ctype;
            }
            b.yield_(&values);
        });
        match outermost {
            None => outermost = Some(branch),
            Some(_) => {
                let values = b.body.insts[branch].results.clone();
                b.yield_(&values);
            }
        }
        b.enter(otherwise);
    }
    let (complain, abort, message) = failing;
    let text = b.global(message);
    b.inst(call(complain), vec![text], &[]);
    b.inst(call(abort), Vec::new(), &[]);
    b.unreachable();
    let Some(outermost) = outermost else { return };
    let mut replacements = Replacements::default();
    for (k, &old) in data.results.iter().enumerate() {
        let new = body.insts[outermost].results[k];
        let (name, ctype) = (body.values[old].name.clone(), body.values[old].ctype);
        body.values[new].name = name;
        body.values[new].ctype = ctype;
        replacements.set(old, new);
    }
    let region = data.parent;
    body.regions[region].insts.retain(|&i| i != inst);
    replacements.apply(body);
}

/// What no function of the whole program fits: an optional callback that is NULL, or one from a library.
const UNKNOWN: &str = "a call through a pointer to a function whose derivative is not known";

/// A call that ends the program instead, and says what it was.
pub fn stop(module: &mut Module, body: &mut Body, inst: Inst, what: &str) {
    let data = body.insts[inst].clone();
    let (complain, abort, message) = fails(module, data.span, what);
    let mut b = Builder::before(body, inst);
    let text = b.global(message);
    b.inst(call(complain), vec![text], &[]);
    b.inst(call(abort), Vec::new(), &[]);
    let mut replacements = Replacements::default();
    for &old in &data.results {
        let zero = b.zero_of(b.body.ty(old));
        replacements.set(old, zero);
    }
    body.regions[data.parent].insts.retain(|&i| i != inst);
    replacements.apply(body);
}

/// What the end of a chain calls, and what it says.
fn fails(module: &mut Module, span: Span, what: &str) -> (Func, Func, adjoin_ir::Global) {
    let char_ = module.types.basic(Basic::Char);
    let void = module.types.void();
    let constant = module.types.qualified(
        char_,
        Quals {
            is_const: true,
            ..Default::default()
        },
    );
    let text = module.types.pointer(constant);
    let complain = external(module, "adjoin_complain", void, &[text]);
    let abort = external(module, "abort", void, &[]);
    let file = module
        .files
        .get(span.file as usize)
        .map_or("?", |f| f.rsplit('/').next().unwrap_or(f));
    let message = format!("{file}:{}: adjoin: {what}", span.line);
    let mut bytes = message.into_bytes();
    bytes.push(0);
    let ctype = module.types.array(char_, Some(bytes.len() as u64));
    let number = module.globals.len();
    let global = module.globals.push(GlobalData {
        name: format!("adjoin_message_{number}"),
        ctype,
        linkage: Linkage::Literal,
        owner: None,
        init: Some(Init {
            bytes,
            relocs: Vec::new(),
        }),
        thread_local: false,
        align: 0,
        span,
    });
    (complain, abort, global)
}
