//! A whole module as one file: types in an order that C accepts, globals, prototypes, functions.

use crate::Emitter;
use crate::build::string_literal;
use crate::decl::{Declarer, TypeNames, basic_name};
use crate::function::{body_text, static_text};
use crate::types::Types;
use adjoin_ir::ctype::{Enum, Record};
use adjoin_ir::{CTy, CTypeKind, Func, Global, Linkage, Op, RelocTarget};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn module_text(emitter: &Emitter) -> String {
    let module = emitter.module;
    let types = &emitter.types;
    let mut definer = Definer::new(types, " ".repeat(emitter.options.indent));
    for (_, g) in module.globals.iter() {
        definer.need(g.ctype, g.init.is_some());
    }
    for (_, f) in module.funcs.iter() {
        definer.need(f.ctype, false);
        if f.body.is_some() {
            if let CTypeKind::Function { ret, params, .. } = types.shape(f.ctype) {
                definer.need(ret, true);
                params.iter().for_each(|&p| definer.need(p, true));
            }
        }
        for t in body_types(f) {
            definer.need(t, true);
        }
    }
    // Casts may spell types that only values carry.
    let names = definer.names.clone();
    let mut out = String::new();
    let mut functions = String::new();
    for (id, f) in module.funcs.iter() {
        if f.body.is_none() {
            continue;
        }
        let declarer = Declarer {
            types,
            names: &names,
        };
        functions.push('\n');
        functions.push_str(crate::before_definition(f));
        functions.push_str(&prototype(&declarer, emitter, id));
        functions.push('\n');
        functions.push_str(&body_text(emitter, id, &names, None));
        functions.push('\n');
    }
    out.push_str(&definer.out);
    if !definer.out.is_empty() {
        out.push('\n');
    }
    let declarer = Declarer {
        types,
        names: &names,
    };
    let mut prototypes = String::new();
    for (id, f) in module.funcs.iter() {
        if f.name.starts_with("__builtin_") {
            continue;
        }
        prototypes.push_str(&prototype(&declarer, emitter, id));
        prototypes.push_str(";\n");
    }
    out.push_str(&prototypes);
    let globals = globals_text(emitter, &declarer);
    if !globals.is_empty() {
        out.push('\n');
        out.push_str(&globals);
    }
    out.push_str(&crate::with_quiet_lanes(functions));
    out
}

/// Types that a body may spell out.
fn body_types(f: &adjoin_ir::Function) -> Vec<CTy> {
    let mut out = Vec::new();
    let Some(body) = &f.body else { return out };
    out.extend(body.values.values().filter_map(|v| v.ctype));
    body.walk(|inst| match &body.insts[inst].op {
        Op::Slot(a) | Op::SlotVla(a) => out.push(a.ctype),
        Op::Addr(a) => out.push(a.pointee),
        Op::Copy(c) | Op::Zero(c) => out.extend(c.ctype),
        Op::VaArg(t) | Op::VaArgInto(t) => out.push(*t),
        Op::Call(c) => out.extend(&c.extra),
        Op::CallIndirect(c) => {
            out.push(c.ctype);
            out.extend(&c.extra);
        }
        _ => {}
    });
    out
}

fn prototype(declarer: &Declarer, emitter: &Emitter, id: Func) -> String {
    let f = &emitter.module.funcs[id];
    let params: Vec<String> = if f.body.is_some() {
        f.param_names
            .iter()
            .enumerate()
            .map(|(k, n)| n.clone().unwrap_or_else(|| format!("arg{k}")))
            .collect()
    } else {
        Vec::new()
    };
    let mut text = String::new();
    if f.linkage == Linkage::Static {
        text.push_str("static ");
    }
    if f.inline && f.linkage == Linkage::Static {
        text.push_str("inline ");
    }
    if f.noreturn {
        text.push_str("_Noreturn ");
    }
    if f.name.starts_with(adjoin_ir::FRAMED) {
        text.push_str("__attribute__((noinline)) ");
    }
    let ctype = emitter.types.without_vla(f.ctype);
    text.push_str(&declarer.declare_function(ctype, &f.name, &params));
    text
}

/// Definitions, each after what its initialiser refers to.
struct Globals<'a> {
    emitter: &'a Emitter<'a>,
    declarer: &'a Declarer<'a>,
    names: BTreeMap<Global, String>,
    begun: BTreeSet<Global>,
    finished: BTreeSet<Global>,
    out: String,
}

impl Globals<'_> {
    fn visit(&mut self, g: Global) {
        let module = self.emitter.module;
        let data = &module.globals[g];
        if data.owner.is_some()
            || (data.linkage == Linkage::Literal
                && string_literal(module, &self.emitter.types, g).is_some())
        {
            return;
        }
        if data.linkage == Linkage::Literal {
            let name: String = data
                .name
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect();
            self.names.insert(g, name);
        }
        if !self.begun.insert(g) {
            if !self.finished.contains(&g) {
                // Two initialisers refer to each other.
                let word = if data.linkage == Linkage::External {
                    "extern"
                } else {
                    "static"
                };
                self.declare(word, g);
            }
            return;
        }
        for r in data.init.iter().flat_map(|i| &i.relocs) {
            if let RelocTarget::Global(target) = r.target {
                if target != g {
                    self.visit(target);
                }
            }
        }
        if data.init.is_none() && data.linkage == Linkage::External {
            self.declare("extern", g);
        } else {
            let text = static_text(module, self.declarer, &self.names, g);
            self.out.push_str(&text);
            self.out.push('\n');
        }
        self.finished.insert(g);
    }

    fn declare(&mut self, word: &str, g: Global) {
        let data = &self.emitter.module.globals[g];
        let name = self.names.get(&g).unwrap_or(&data.name);
        let text = self.declarer.declare(data.ctype, name);
        let own = if data.thread_local {
            "_Thread_local "
        } else {
            ""
        };
        self.out.push_str(&format!("{word} {own}{text};\n"));
    }
}

fn globals_text(emitter: &Emitter, declarer: &Declarer) -> String {
    let mut globals = Globals {
        emitter,
        declarer,
        names: BTreeMap::new(),
        begun: BTreeSet::new(),
        finished: BTreeSet::new(),
        out: String::new(),
    };
    for (g, data) in emitter.module.globals.iter() {
        // Literals come along with what refers to them.
        if data.linkage != Linkage::Literal {
            globals.visit(g);
        }
    }
    globals.out
}

/// Writes type definitions before what needs them.
struct Definer<'a> {
    types: &'a Types,
    indent: String,
    names: TypeNames,
    out: String,
    typedefs: BTreeSet<String>,
    declared: BTreeSet<Record>,
    defined: BTreeSet<Record>,
    enums: BTreeSet<Enum>,
    visiting: BTreeSet<(CTy, bool)>,
    /// Structs, unions and enumerations share one name space.
    tags: BTreeSet<String>,
}

impl<'a> Definer<'a> {
    fn new(types: &'a Types, indent: String) -> Self {
        Definer {
            types,
            indent,
            names: TypeNames::default(),
            out: String::new(),
            typedefs: BTreeSet::new(),
            declared: BTreeSet::new(),
            defined: BTreeSet::new(),
            enums: BTreeSet::new(),
            visiting: BTreeSet::new(),
            tags: BTreeSet::new(),
        }
    }

    fn need(&mut self, t: CTy, complete: bool) {
        if !self.visiting.insert((t, complete)) {
            return;
        }
        match self.types.kind(t) {
            CTypeKind::Typedef { name, target } => {
                self.need(target, false);
                if !name.starts_with("__builtin_") && self.typedefs.insert(name.clone()) {
                    let declarer = Declarer {
                        types: self.types,
                        names: &self.names,
                    };
                    let text = declarer.declare(target, &name);
                    let extension = if declarer.is_extension(target) {
                        "__extension__ "
                    } else {
                        ""
                    };
                    self.out.push_str(&format!("{extension}typedef {text};\n"));
                }
                self.need(target, complete);
            }
            CTypeKind::Qualified { inner, .. } => self.need(inner, complete),
            CTypeKind::Pointer(p) => self.need(p, false),
            CTypeKind::Array { elem, .. }
            | CTypeKind::Vla { elem, .. }
            | CTypeKind::Vector { elem, .. } => {
                self.need(elem, true);
            }
            CTypeKind::Function { ret, params, .. } => {
                self.need(ret, false);
                params.iter().for_each(|&p| self.need(p, false));
            }
            CTypeKind::Record(r) => self.record(r, complete),
            CTypeKind::Enum(e) => self.enumeration(e),
            _ => {}
        }
    }

    fn record(&mut self, r: Record, complete: bool) {
        let data = self.types.record(r);
        let word = if data.is_union { "union" } else { "struct" };
        if self.declared.insert(r) {
            let base = data
                .tag
                .clone()
                .or(data.typedef_name.clone())
                .unwrap_or_else(|| "anonymous".into());
            let mut tag = base.clone();
            let mut n = 1;
            while !self.tags.insert(tag.clone()) {
                tag = format!("{base}_{n}");
                n += 1;
            }
            let name = format!("{word} {tag}");
            self.out.push_str(&format!("{name};\n"));
            self.names.records.insert(r, name);
        }
        if !complete || data.fields.is_none() || self.defined.contains(&r) {
            return;
        }
        self.defined.insert(r);
        for f in data.fields.iter().flatten() {
            // Anonymous members are defined in place.
            let in_place = f.name.is_none() && self.types.record_of(f.ty).is_some();
            if in_place {
                if let Some(inner) = self.types.record_of(f.ty) {
                    let fields = self.types.record(inner).fields;
                    fields.iter().flatten().for_each(|f| self.need(f.ty, true));
                }
            } else {
                self.need(f.ty, true);
            }
        }
        let declarer = Declarer {
            types: self.types,
            names: &self.names,
        };
        let text = declarer.record_definition(r, &self.names.records[&r], &self.indent);
        self.out.push_str(&format!("{text};\n"));
    }

    fn enumeration(&mut self, e: Enum) {
        let data = self.types.enumeration(e);
        if !self.enums.insert(e) || !data.complete {
            return;
        }
        let declarer = Declarer {
            types: self.types,
            names: &self.names,
        };
        let tag = data.tag.as_ref().map(|t| format!("enum {t}"));
        let head = tag.clone().unwrap_or_else(|| "enum".into());
        let text = declarer.enum_definition(e, &head);
        self.out.push_str(&format!("{text};\n"));
        let name = tag.unwrap_or_else(|| basic_name(data.underlying).to_string());
        self.names.enums.insert(e, name);
    }
}
