//! Pointer variables at file scope that hold nothing but NULL and the starts of heap blocks: workspaces that are allocated on first use and kept. Whatever such a variable
//! holds when a function is called, the C library knows how large the block is, so that a shadow can be made for it.

use adjoin_ir::{Body, CTypeKind, Func, Global, Linkage, Module, Op, Type, Value};
use std::collections::BTreeSet;

/// Finds them: static, and only loaded and stored by name, in all bodies of the module.
pub(super) fn find(module: &Module) -> BTreeSet<Global> {
    let mut found: BTreeSet<Global> = module
        .globals
        .iter()
        .filter(|(_, g)| {
            let own = matches!(g.linkage, Linkage::Static | Linkage::StaticLocal);
            (own || g.name.starts_with(crate::HIDDEN))
                && matches!(module.types.shape(g.ctype), CTypeKind::Pointer(_))
                && g.init.as_ref().is_none_or(|i| i.relocs.is_empty())
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
                    Op::Load(_) => body.ty(data.results[0]) == Type::Ptr,
                    Op::Store(_) => k == 0 && is_block(module, body, data.args[1], 4),
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

fn named(body: &Body, v: Value) -> Option<Global> {
    match body.insts[body.def_inst(v)?].op {
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
