//! Pointer variables at file scope that hold nothing but NULL and the starts of heap blocks: workspaces that are allocated on first use and kept. Whatever such a variable
//! holds when a function is called, the C library knows how large the block is, so that a shadow can be made for it.

use crate::Registry;
use crate::known;
use crate::only_read::OnlyRead;
use adjoin_ir::{Body, CTy, CTypeKind, Func, Global, Init, Inst, Linkage, Module, Op, Type, Value};
use std::collections::BTreeSet;

/// Finds those with heap blocks: variables whose pointers are only loaded and stored by name, in all bodies of the module. What other files can name counts if
/// there are no others.
pub(crate) fn with_blocks(module: &Module, registry: &Registry) -> BTreeSet<Global> {
    let no_addresses = |init: &Init| init.relocs.is_empty();
    let mut found: BTreeSet<Global> = module
        .globals
        .iter()
        .filter(|(g, data)| {
            let own = match data.linkage {
                Linkage::Static | Linkage::StaticLocal => true,
                Linkage::External => {
                    registry.whole && data.init.is_some() || data.name.starts_with(crate::HIDDEN)
                }
                _ => false,
            };
            own && !registry.unseen.contains(g)
                && holds_pointers(module, data.ctype)
                && data.init.as_ref().is_none_or(no_addresses)
        })
        .map(|(g, _)| g)
        .collect();
    if found.is_empty() {
        return found;
    }
    for init in module.globals.values().filter_map(|g| g.init.as_ref()) {
        for reloc in &init.relocs {
            if let adjoin_ir::RelocTarget::Global(g) = reloc.target {
                found.remove(&g);
            }
        }
    }
    for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
        body.walk(|inst| {
            let data = &body.insts[inst];
            for (k, &v) in data.args.iter().enumerate() {
                let Some(g) = named(body, v) else { continue };
                let fine = match data.op {
                    Op::Load(_) => true,
                    Op::Store(_) if k == 0 => {
                        let value = data.args[1];
                        match body.ty(value) {
                            Type::Ptr => is_block(module, body, value, 4),
                            // A pointer would be an integer of its size.
                            Type::I64 => !is_pointer_place(module, body, v),
                            _ => true,
                        }
                    }
                    // Its users are looked at themselves.
                    Op::Addr(_) => k == 0,
                    _ => false,
                };
                if !fine {
                    found.remove(&g);
                }
            }
        });
    }
    found
}

/// Of those with heap blocks: where a block is kept somewhere else, too, when it is stored in the variable.
pub(crate) fn with_shared_blocks(
    module: &Module,
    only_read: &OnlyRead,
    with_blocks: &BTreeSet<Global>,
) -> BTreeSet<Global> {
    let mut shared = BTreeSet::new();
    for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
        body.walk(|inst| {
            let data = &body.insts[inst];
            if matches!(data.op, Op::Store(_))
                && body.ty(data.args[1]) == Type::Ptr
                && let Some(g) = named(body, data.args[0])
                && with_blocks.contains(&g)
                && is_shared(module, only_read, body, data.args[1], inst, 4)
            {
                shared.insert(g);
            }
        });
    }
    shared
}

/// Does a new block go anywhere but to one instruction?
fn is_shared(
    module: &Module,
    only_read: &OnlyRead,
    body: &Body,
    v: Value,
    to: Inst,
    depth: u32,
) -> bool {
    let mut block = v;
    while let Some(inst) = body.def_inst(block)
        && matches!(body.insts[inst].op, Op::Cast)
    {
        block = body.insts[inst].args[0];
    }
    if body.const_int(block) == Some(0) {
        return false;
    }
    // In a function that allocates.
    if let Some(inst) = body.def_inst(block)
        && let Op::Call(attr) = &body.insts[inst].op
        && let Some(callee) = &module.funcs[attr.func].body
    {
        let mut shared = depth == 0;
        callee.walk(|inst| {
            let data = &callee.insts[inst];
            if matches!(data.op, Op::Return) && depth > 0 {
                let mut all = data.args.iter();
                shared |= all.any(|&v| is_shared(module, only_read, callee, v, inst, depth - 1));
            }
        });
        if shared {
            return true;
        }
    }
    let mut work = vec![block];
    let mut seen = BTreeSet::new();
    let mut shared = false;
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        body.walk(|inst| {
            let data = &body.insts[inst];
            for (k, _) in data.args.iter().enumerate().filter(|(_, a)| **a == v) {
                match &data.op {
                    _ if inst == to => {}
                    Op::Store(_) => shared |= k == 1,
                    Op::Addr(_) | Op::Cast => work.extend(&data.results),
                    Op::Load(_) | Op::Copy(_) | Op::Zero(_) | Op::PtrDiff(_) => {}
                    Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Not => {}
                    Op::Call(attr) => {
                        let name = &module.funcs[attr.func].name;
                        shared |= match known::lookup(name) {
                            Some(_) => false,
                            None => only_read.lets_out(module, attr.func, k),
                        };
                    }
                    _ => shared = true,
                }
            }
        });
    }
    shared
}

/// A pointer, or a struct or array with pointers in it. A union could hold something else where the pointer is.
fn holds_pointers(module: &Module, t: CTy) -> bool {
    match module.types.shape(t) {
        CTypeKind::Pointer(e) => !matches!(module.types.shape(*e), CTypeKind::Function { .. }),
        CTypeKind::Array { elem, .. } => holds_pointers(module, *elem),
        CTypeKind::Record(r) => {
            let record = &module.types.records[*r];
            let mut fields = record.fields.iter().flatten();
            !record.is_union && fields.any(|f| holds_pointers(module, f.ty))
        }
        _ => false,
    }
}

fn is_pointer_place(module: &Module, body: &Body, address: Value) -> bool {
    let data = match body.def_inst(address) {
        Some(inst) => &body.insts[inst],
        None => return true,
    };
    match &data.op {
        Op::GlobalAddr(g) => !matches!(
            module.types.shape(module.globals[*g].ctype),
            CTypeKind::Basic(_)
        ),
        _ => body.values[address]
            .ctype
            .and_then(|t| module.types.pointee(t))
            .is_none_or(|t| !matches!(module.types.shape(t), CTypeKind::Basic(_))),
    }
}

/// The variable that an address is in.
fn named(body: &Body, v: Value) -> Option<Global> {
    match body.insts[body.def_inst(crate::activity::root(body, v))?].op {
        Op::GlobalAddr(g) => Some(g),
        _ => None,
    }
}

/// Is it NULL, or the start of a heap block?
fn is_block(module: &Module, body: &Body, v: Value, depth: u32) -> bool {
    if body.const_int(v) == Some(0) {
        return true;
    }
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let data = &body.insts[inst];
    match &data.op {
        Op::Cast => is_block(module, body, data.args[0], depth),
        Op::Call(attr) => allocates(module, attr.func, depth),
        _ => false,
    }
}

/// Does a function return nothing but NULL and starts of heap blocks?
fn allocates(module: &Module, func: Func, depth: u32) -> bool {
    let function = &module.funcs[func];
    let Some(body) = &function.body else {
        return matches!(
            function.name.as_str(),
            "malloc" | "calloc" | "realloc" | "reallocarray" | "aligned_alloc"
        );
    };
    if depth == 0 {
        return false;
    }
    let mut all = true;
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Return) {
            all &= data
                .args
                .first()
                .is_some_and(|&v| is_block(module, body, v, depth - 1));
        }
    });
    all
}
