//! Writes what differentiation added to the module: records, globals, prototypes, functions, as far as the rewritten calls can reach them.

use crate::derivative::extract::distinct;
use adjoin_emit::{Emitter, Options};
use adjoin_front::Parsed;
use adjoin_front::ast::{FuncId, VarId};
use adjoin_ir::ctype::{Record, TagScope};
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{
    Body, CTy, CTypeKind, CTypes, Func, Global, Linkage, Module, Op, RelocTarget, ctype_print,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How much a module held before differentiation. What has a higher number was added.
#[derive(Clone, Debug)]
pub struct Counts {
    funcs: usize,
    globals: usize,
    records: usize,
    /// Records of the user's blocks that functions of ours take: they are defined again, at file scope.
    lifted: BTreeSet<Record>,
}

impl Counts {
    /// Of a module.
    pub fn of(module: &Module) -> Counts {
        Counts {
            funcs: module.funcs.len(),
            globals: module.globals.len(),
            records: module.types.records.len(),
            lifted: BTreeSet::new(),
        }
    }

    /// Was it added?
    pub fn is_new_func(&self, func: Func) -> bool {
        func.as_u32() as usize >= self.funcs
    }

    /// Was it added?
    pub fn is_new_global(&self, global: Global) -> bool {
        global.as_u32() as usize >= self.globals
    }

    /// Was it added?
    pub fn is_new_record(&self, record: Record) -> bool {
        record.as_u32() as usize >= self.records || self.lifted.contains(&record)
    }

    /// Is it one of the user's blocks, to be defined again?
    pub fn is_lifted(&self, record: Record) -> bool {
        self.lifted.contains(&record)
    }
}

/// A function that was made of a part of another one may take what the user declared in a block, and a tape may hold it: such records move to file scope.
pub fn lift_records(module: &mut Module, counts: &mut Counts) {
    let mut found = BTreeSet::new();
    for (func, function) in module.funcs.iter() {
        if counts.is_new_func(func) && function.body.is_some() {
            block_records(module, function.ctype, &mut found);
        }
    }
    for (record, data) in module.types.records.iter() {
        if counts.is_new_record(record) {
            for field in data.fields.iter().flatten() {
                block_records(module, field.ty, &mut found);
            }
        }
    }
    for &record in &found {
        module.types.records[record].scope = TagScope::File;
    }
    counts.lifted = found;
}

/// The records that a type mentions and that have no name at file scope.
fn block_records(module: &Module, t: CTy, found: &mut BTreeSet<Record>) {
    let types = &module.types;
    match types.shape(t) {
        CTypeKind::Pointer(e)
        | CTypeKind::Array { elem: e, .. }
        | CTypeKind::Vector { elem: e, .. } => block_records(module, *e, found),
        CTypeKind::Function { ret, params, .. } => {
            for &t in params.iter().chain([ret]) {
                block_records(module, t, found);
            }
        }
        &CTypeKind::Record(r) if !found.contains(&r) => {
            let data = &types.records[r];
            if data.scope == TagScope::Block && data.fields.is_some() {
                found.insert(r);
                members(module, r, found);
            }
        }
        _ => {}
    }
}

/// The same for the members of a record; those without a name are written out in place.
fn members(module: &Module, record: Record, found: &mut BTreeSet<Record>) {
    let types = &module.types;
    for field in types.records[record].fields.iter().flatten() {
        match types.shape(field.ty) {
            CTypeKind::Record(inner) if field.name.is_none() => members(module, *inner, found),
            _ => block_records(module, field.ty, found),
        }
    }
}

/// Gives what was added names that the user does not have.
pub fn rename(module: &mut Module, counts: &Counts, taken: &BTreeSet<String>) {
    let mut used = taken.clone();
    // Names of entry points' functions were chosen with care already; whoever comes first keeps a name.
    let unique = |name: &str, used: &mut BTreeSet<String>| {
        let mut new = name.to_string();
        let mut number = 1;
        while !used.insert(new.clone()) {
            new = format!("{name}_{number}");
            number += 1;
        }
        new
    };
    for (func, function) in module.funcs.iter_mut() {
        if counts.is_new_func(func) && function.body.is_some() {
            function.name = unique(&function.name, &mut used);
        }
    }
    for (global, data) in module.globals.iter_mut() {
        if counts.is_new_global(global)
            && !matches!(data.linkage, Linkage::External | Linkage::Literal)
        {
            data.name = unique(&data.name, &mut used);
        }
    }
    for (record, data) in module.types.records.iter_mut() {
        if counts.is_new_record(record) {
            let name = data.tag.clone().unwrap_or_else(|| "adjoin_record".into());
            data.tag = Some(unique(&name, &mut used));
            data.typedef_name = None;
        }
    }
}

/// The adjoint of a parameter `x` may have the name of another parameter, `x_bar`: generated functions have different names for them.
pub fn distinct_parameters(module: &mut Module, counts: &Counts) {
    for (func, function) in module.funcs.iter_mut() {
        let Some(body) = function.body.as_mut().filter(|_| counts.is_new_func(func)) else {
            continue;
        };
        let args = body.regions[body.entry].args.clone();
        for (name, v) in distinct(&mut function.param_names).into_iter().zip(args) {
            body.values[v].name = name;
        }
    }
}

/// Parameters of generated functions are plain pointers where the primal's are pointers to arrays of variable length: their lengths have no name here.
pub fn plain_parameters(module: &mut Module, counts: &Counts) {
    for func in module.funcs.keys().filter(|&f| counts.is_new_func(f)) {
        let CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        } = module.types.shape(module.funcs[func].ctype).clone()
        else {
            continue;
        };
        let plain: Vec<CTy> = params
            .iter()
            .map(|&t| plain(&mut module.types, t))
            .collect();
        if plain == params {
            continue;
        }
        module.funcs[func].ctype = module.types.intern(CTypeKind::Function {
            ret,
            params: plain.clone(),
            variadic,
            prototyped,
        });
        if let Some(body) = &mut module.funcs[func].body {
            for (v, t) in body.regions[body.entry].args.clone().into_iter().zip(plain) {
                if !module.types.is_aggregate(t) {
                    body.values[v].ctype = Some(t);
                }
            }
        }
    }
}

/// A pointer to an array of variable length as a pointer to its elements.
fn plain(types: &mut CTypes, t: CTy) -> CTy {
    let Some(mut e) = types.pointee(t) else {
        return t;
    };
    let mut variable = false;
    while let Some(inner) = types.element(e) {
        variable |= matches!(types.shape(e), CTypeKind::Vla { .. });
        e = inner;
    }
    if variable { types.pointer(e) } else { t }
}

/// The declaration of a generated function.
pub fn prototype(module: &Module, func: Func) -> String {
    format!("{};", head(module, func))
}

fn head(module: &Module, func: Func) -> String {
    let function = &module.funcs[func];
    let printer = CPrinter::new(&module.types);
    let linkage = match function.linkage {
        Linkage::External => "extern",
        _ => "static",
    };
    let inline = if function.inline { "inline " } else { "" };
    let noreturn = if function.noreturn { "_Noreturn " } else { "" };
    let framed = match function.name.starts_with(adjoin_ir::FRAMED) {
        true => "__attribute__((noinline)) ",
        false => "",
    };
    format!(
        "{linkage} {inline}{noreturn}{framed}{}",
        printer.declare_function(function.ctype, &function.name, &function.param_names)
    )
}

/// What rewritten calls can reach.
#[derive(Default)]
struct Reached {
    funcs: BTreeSet<Func>,
    globals: BTreeSet<Global>,
    types: BTreeSet<CTy>,
    work: Vec<Func>,
}

impl Reached {
    fn of(module: &Module, roots: &[Func]) -> Reached {
        let mut reached = Reached::default();
        for &root in roots {
            reached.func(root);
        }
        while let Some(func) = reached.work.pop() {
            let function = &module.funcs[func];
            reached.types.insert(function.ctype);
            if let Some(body) = &function.body {
                reached.body(module, body);
            }
        }
        reached
    }

    fn func(&mut self, func: Func) {
        if self.funcs.insert(func) {
            self.work.push(func);
        }
    }

    fn global(&mut self, module: &Module, global: Global) {
        if !self.globals.insert(global) {
            return;
        }
        let data = &module.globals[global];
        self.types.insert(data.ctype);
        for reloc in data.init.iter().flat_map(|i| &i.relocs) {
            match reloc.target {
                RelocTarget::Global(g) => self.global(module, g),
                RelocTarget::Func(f) => self.func(f),
            }
        }
    }

    fn body(&mut self, module: &Module, body: &Body) {
        self.types
            .extend(body.values.values().filter_map(|v| v.ctype));
        body.walk(|inst| match &body.insts[inst].op {
            Op::Call(attr) => {
                self.types.extend(&attr.extra);
                self.func(attr.func);
            }
            Op::Mpi(attr) => self.func(attr.func),
            Op::FuncAddr(func) => self.func(*func),
            Op::GlobalAddr(global) => self.global(module, *global),
            Op::Slot(attr) | Op::SlotVla(attr) => drop(self.types.insert(attr.ctype)),
            Op::Addr(attr) => drop(self.types.insert(attr.pointee)),
            Op::Copy(attr) | Op::Zero(attr) => self.types.extend(attr.ctype),
            Op::CallIndirect(attr) => drop(self.types.insert(attr.ctype)),
            _ => {}
        });
    }
}

/// The text of all that was added and can be reached, but for the structs that are defined already.
pub fn text(
    parsed: &Parsed,
    module: &Module,
    counts: &Counts,
    (roots, defined): (&[Func], BTreeSet<Record>),
    options: &Options,
) -> String {
    let mut only_new = Vec::new();
    let mut reached = Reached::of(module, roots);
    // The bodies of the user's functions are the user's text.
    for &func in &reached.funcs {
        if counts.is_new_func(func) && module.funcs[func].body.is_some() {
            only_new.push(func);
        }
    }
    reached = Reached::default();
    for &func in &only_new {
        reached.funcs.insert(func);
        reached.types.insert(module.funcs[func].ctype);
        if let Some(body) = &module.funcs[func].body {
            reached.body(module, body);
        }
    }
    let names = Names::of(parsed);
    let emitter = Emitter::new(module, options);
    let mut out = String::new();
    records(&emitter, module, counts, &reached, (defined, &mut out));
    let builtins = declarations(&names, module, counts, &reached, &mut out);
    for &func in &only_new {
        if !roots.contains(&func) {
            out.push_str(&prototype(module, func));
            out.push('\n');
        }
    }
    globals(&names, &emitter, module, counts, &reached, &mut out);
    let mut functions = String::new();
    for &func in &only_new {
        let body = emitter.body_with_builtins(func, &builtins);
        let before = adjoin_emit::before_definition(&module.funcs[func]);
        functions.push_str(&format!("\n{before}{}\n{body}\n", head(module, func)));
    }
    if options.plain_roots {
        for (_, name, declaration) in adjoin_emit::ROOTS {
            if functions.contains(name) {
                out.push_str(&format!("{declaration}\n"));
            }
        }
    }
    out.push_str(&adjoin_emit::with_quiet_lanes(functions));
    release(&names, module, &reached, &mut out);
    out
}

/// The blocks of memory that a thread keeps for its next call, and the function that frees them.
const KEPT: &str = "adjoin_kept";
const RELEASE: &str = "adjoin_release_memory";

/// The same for all files of a program, whoever keeps memory: so that one call frees it all.
fn weak(text: &str) -> String {
    text.replacen("static ", "__attribute__((weak)) ", 1)
}

/// Defines what frees memory that the calling thread keeps, where any is kept or the program asks for it.
fn release(names: &Names<'_>, module: &Module, reached: &Reached, out: &mut String) {
    let declared = names.funcs.get(RELEASE);
    if declared.is_some_and(|&id| names.parsed.unit.funcs[id].body.is_some()) {
        return;
    }
    let kept = reached
        .globals
        .iter()
        .any(|&g| module.globals[g].name == KEPT);
    if !kept && declared.is_none() || names.vars.contains_key(KEPT) {
        return;
    }
    if !kept {
        out.push_str(&format!(
            "struct adjoin_kept_block {{\n    void *memory;\n    unsigned long size;\n}};\n__attribute__((weak)) _Thread_local struct adjoin_kept_block {KEPT}[{BLOCKS}];\n"
        ));
    }
    out.push_str(&format!(
        "\nvoid {RELEASE}(void);\n__attribute__((weak)) void {RELEASE}(void)\n{{\n{}}}\n",
        free_kept("__builtin_free")
    ));
}

/// Statements that free the blocks that a thread keeps. Small ones are in lists, behind the others.
pub fn free_kept(free: &str) -> String {
    format!(
        "    for (int k = 0; k < {BLOCKS}; k++) {{\n        while ({KEPT}[k].memory) {{\n            void *memory = {KEPT}[k].memory;\n            {KEPT}[k].memory = k < {LARGE_BLOCKS} ? (void *)0 : *(void **)memory;\n            {free}(memory);\n        }}\n        {KEPT}[k].size = 0;\n    }}\n"
    )
}

/// How many blocks and lists of small blocks a thread keeps, and where the lists begin (`adjoin_blocks` and `adjoin_of_small` in the support functions).
const BLOCKS: u32 = 272;
/// How many large ones.
pub const LARGE_BLOCKS: u32 = 192;

/// The unit's functions and global variables by name.
struct Names<'a> {
    parsed: &'a Parsed,
    funcs: HashMap<&'a str, FuncId>,
    vars: HashMap<&'a str, VarId>,
}

impl<'a> Names<'a> {
    fn of(parsed: &'a Parsed) -> Self {
        let unit = &parsed.unit;
        let global = |v: &adjoin_front::ast::VarDecl| {
            matches!(v.storage, adjoin_front::ast::Storage::Global { .. })
        };
        Names {
            parsed,
            funcs: unit.funcs.iter().map(|(id, f)| (&*f.name, id)).collect(),
            vars: unit
                .vars
                .iter()
                .filter(|(_, v)| global(v))
                .map(|(id, v)| (&*v.name, id))
                .collect(),
        }
    }

    /// Does file scope show a function of this name?
    fn shows_func(&self, name: &str) -> bool {
        let id = self.funcs.get(name);
        id.is_some_and(|&id| self.parsed.unit.func_visible[id] != 0)
    }
}

/// Is the math library the one of GNU, which has everything under the names of C23 as well?
pub fn has_gnu_math(parsed: &Parsed) -> bool {
    parsed.unit.funcs.values().any(|f| &*f.name == "__sqrt")
}

/// Definitions of the records that were added, each after what it holds.
fn records(
    emitter: &Emitter<'_>,
    module: &Module,
    counts: &Counts,
    reached: &Reached,
    (mut done, out): (BTreeSet<Record>, &mut String),
) {
    for &t in &reached.types {
        record_of(emitter, (module, counts), t, &mut done, out);
    }
}

fn record_of(
    emitter: &Emitter<'_>,
    of: (&Module, &Counts),
    t: CTy,
    done: &mut BTreeSet<Record>,
    out: &mut String,
) {
    let (module, counts) = of;
    match module.types.shape(t) {
        CTypeKind::Pointer(e)
        | CTypeKind::Array { elem: e, .. }
        | CTypeKind::Vector { elem: e, .. } => record_of(emitter, of, *e, done, out),
        CTypeKind::Function { ret, params, .. } => {
            for &t in params.iter().chain([ret]) {
                record_of(emitter, of, t, done, out);
            }
        }
        &CTypeKind::Record(r) if counts.is_new_record(r) && done.insert(r) => {
            for field in module.types.records[r].fields.iter().flatten() {
                record_of(emitter, of, field.ty, done, out);
            }
            out.push_str(&emitter.record(r));
            out.push('\n');
        }
        _ => {}
    }
}

/// Declares the functions that file scope does not show; those of the library that the compiler knows are called by the names that it knows them by.
fn declarations(
    names: &Names<'_>,
    module: &Module,
    counts: &Counts,
    reached: &Reached,
    out: &mut String,
) -> BTreeSet<Func> {
    let mut builtins = BTreeSet::new();
    for &func in &reached.funcs {
        let function = &module.funcs[func];
        let ours = counts.is_new_func(func) && function.body.is_some();
        if ours || function.name.starts_with("__") || names.shows_func(&function.name) {
            continue;
        }
        let known = names.funcs.get(&*function.name).is_some_and(|&id| {
            let unit = &names.parsed.unit;
            unit.funcs[id].attrs.iter().any(|a| a.name == "builtin")
        });
        if known {
            builtins.insert(func);
            continue;
        }
        let declaration = ctype_print::declare(&module.types, function.ctype, &function.name);
        out.push_str(&format!("extern {declaration};\n"));
    }
    builtins
}

/// Defines the globals that were added, and declares those that file scope does not show.
fn globals(
    names: &Names<'_>,
    emitter: &Emitter<'_>,
    module: &Module,
    counts: &Counts,
    reached: &Reached,
    out: &mut String,
) {
    let mut texts: BTreeMap<Global, String> = BTreeMap::new();
    for &global in &reached.globals {
        let data = &module.globals[global];
        if data.linkage == Linkage::Literal {
            continue;
        }
        if counts.is_new_global(global) && data.linkage != Linkage::External {
            let text = emitter.global(global);
            let text = match data.name == KEPT {
                true => weak(&text),
                false => text,
            };
            texts.insert(global, text);
        } else if data.linkage == Linkage::External {
            let shown = names.vars.get(&*data.name);
            if shown.is_none_or(|&id| names.parsed.unit.var_visible[id] == 0) {
                let declaration = ctype_print::declare(&module.types, data.ctype, &data.name);
                let own = if data.thread_local {
                    "_Thread_local "
                } else {
                    ""
                };
                texts.insert(global, format!("extern {own}{declaration};"));
            }
        }
    }
    for text in texts.values() {
        out.push_str(text);
        out.push('\n');
    }
}
