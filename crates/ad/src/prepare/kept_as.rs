//! As what pointers to functions are kept: the types of the members, variables and parameters that their addresses are put into. By the rules of C these are the
//! functions' own types, but programs with derived structs (`struct circle { struct shape base; … }`) cast functions on `struct circle *` to functions on
//! `struct shape *`, and call them so.

use crate::activity::flows;
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Func, Module, Op, RelocTarget, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// For functions, the types of functions as which they are kept, but for their own.
#[derive(Clone, Debug, Default)]
pub struct KeptAs(BTreeMap<Func, BTreeSet<CTy>>);

impl KeptAs {
    /// Looks at all initial values and bodies of a program.
    pub fn of(module: &Module) -> KeptAs {
        let mut kept = KeptAs::default();
        for global in module.globals.values() {
            for reloc in global.init.iter().flat_map(|i| &i.relocs) {
                if let RelocTarget::Func(func) = reloc.target {
                    let mut types = Vec::new();
                    at(&module.types, global.ctype, reloc.offset, &mut types);
                    for t in types {
                        kept.add(module, func, t);
                    }
                }
            }
        }
        for (caller, function) in module.funcs.iter() {
            if let Some(body) = &function.body {
                kept.look(module, caller, body);
            }
        }
        kept
    }

    /// The types as which a function is kept.
    pub fn types(&self, func: Func) -> impl Iterator<Item = CTy> {
        self.0.get(&func).into_iter().flatten().copied()
    }

    fn look(&mut self, module: &Module, caller: Func, body: &Body) {
        let types = &module.types;
        let mut kept = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let is_address = |v: Value| address(body, v);
            match &data.op {
                Op::Store(_) => {
                    let place = body.values[data.args[0]].ctype;
                    let held = place.and_then(|t| types.pointee(t));
                    kept.extend(is_address(data.args[1]).zip(held));
                }
                Op::Call(attr) => {
                    if let CTypeKind::Function { params, .. } =
                        types.shape(module.funcs[attr.func].ctype)
                    {
                        // An aggregate result is the first operand.
                        let first = data.args.len().saturating_sub(params.len());
                        let passed = data.args.iter().skip(first).zip(params);
                        kept.extend(passed.filter_map(|(&v, &t)| Some((is_address(v)?, t))));
                    }
                }
                Op::Return => {
                    if let CTypeKind::Function { ret, .. } = types.shape(module.funcs[caller].ctype)
                    {
                        let returned = data.args.iter().filter_map(|&v| is_address(v));
                        kept.extend(returned.map(|f| (f, *ret)));
                    }
                }
                _ => {}
            }
        });
        for (from, to) in flows(body) {
            kept.extend(address(body, from).zip(body.values[to].ctype));
        }
        for (func, t) in kept {
            self.add(module, func, t);
        }
    }

    /// A function is kept in a place of a type.
    fn add(&mut self, module: &Module, func: Func, place: CTy) {
        let types = &module.types;
        if let Some(t) = types.pointee(place)
            && matches!(types.shape(t), CTypeKind::Function { .. })
            && t != module.funcs[func].ctype
        {
            self.0.entry(func).or_default().insert(t);
        }
    }
}

/// The function whose address a value is.
fn address(body: &Body, mut v: Value) -> Option<Func> {
    while let ValueDef::Result(inst, _) = body.values[v].def {
        match body.insts[inst].op {
            Op::FuncAddr(func) => return Some(func),
            Op::Cast => v = body.insts[inst].args[0],
            _ => return None,
        }
    }
    None
}

/// The types of what lies at an offset; members of a union lie at the same one.
fn at(types: &CTypes, t: CTy, offset: u64, found: &mut Vec<CTy>) {
    let inside = |t: CTy, at: u64| types.size_of(t).is_some_and(|size| at < size);
    match types.shape(t) {
        CTypeKind::Array { elem, .. } => {
            if let Some(size) = types.size_of(*elem).filter(|&size| size > 0) {
                at(types, *elem, offset % size, found);
            }
        }
        CTypeKind::Record(r) => {
            for field in types.records[*r].fields.iter().flatten() {
                if let Some(further) = offset.checked_sub(field.offset)
                    && inside(field.ty, further)
                {
                    at(types, field.ty, further, found);
                }
            }
        }
        _ => found.push(t),
    }
}
