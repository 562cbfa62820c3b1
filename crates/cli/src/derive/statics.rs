//! Static locals of differentiated functions move to file scope, where derivatives can name them, so that both share one state.
//!
//! The declaration is written anew in front of the function, under a name of its own; in the function the old declaration goes, and the name changes
//! wherever it stands.

use super::edits::{Edits, lines_of};
use super::emission::Counts;
use crate::mentions::{each_identifier, each_in_clauses};
use adjoin_emit::{Emitter, Options};
use adjoin_front::Parsed;
use adjoin_front::ast::{FuncId, Span, Storage, VarId};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::ctype::{Record, TagScope};
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{CTy, CTypeKind, CTypes, Global, Linkage, Module, Op, RelocTarget};
use std::collections::{BTreeMap, BTreeSet};

/// Moves those that generated code uses.
pub fn lift(
    parsed: &Parsed,
    module: &mut Module,
    counts: &Counts,
    taken: &BTreeSet<String>,
    edits: &mut Edits,
) -> Result<(), Diagnostic> {
    let used = used_statics(module, counts);
    let moves = Moves::of(parsed, module, used)?;
    moves.make(parsed, module, taken, edits);
    Ok(())
}

/// Moves all that change and can be moved, so that derivatives in other files can name them. The new text.
pub fn lift_all(parsed: &Parsed, module: &mut Module) -> Option<Vec<u8>> {
    let mut all: Vec<Global> = module
        .globals
        .iter()
        .filter(|(_, g)| g.linkage == Linkage::StaticLocal)
        .map(|(g, _)| g)
        .collect();
    all.retain(|&g| {
        let changes = !module
            .types
            .quals(element(&module.types, module.globals[g].ctype))
            .is_const;
        changes && Moves::of(parsed, module, BTreeSet::from([g])).is_ok()
    });
    let moves = Moves::of(parsed, module, all.into_iter().collect()).ok()?;
    if moves.moved.is_empty() {
        return None;
    }
    let taken = super::edits::identifiers(&parsed.source.text);
    let mut edits = Edits::default();
    moves.make(parsed, module, &taken, &mut edits);
    Some(edits.apply(&parsed.source.text, ""))
}

/// The type of the elements of an array of arrays.
pub fn element(types: &CTypes, t: CTy) -> CTy {
    match types.shape(t) {
        CTypeKind::Array { elem, .. } if !types.quals(t).is_const => element(types, *elem),
        _ => t,
    }
}

/// What moves, and the declarations that go.
struct Moves {
    moved: BTreeMap<VarId, Global>,
    removed: BTreeSet<Span>,
}

impl Moves {
    fn of(parsed: &Parsed, module: &Module, used: BTreeSet<Global>) -> Result<Moves, Diagnostic> {
        let mut moved: BTreeMap<VarId, Global> = BTreeMap::new();
        let mut removed: BTreeSet<Span> = BTreeSet::new();
        let mut work: Vec<Global> = used.into_iter().collect();
        while let Some(global) = work.pop() {
            let Some((var, owner)) = variable(parsed, module, global) else {
                continue;
            };
            if moved.insert(var, global).is_some() {
                continue;
            }
            check(parsed, module, global, var, owner)?;
            // What is declared together, and what an initialiser points to, moves together.
            let whole = declaration(parsed, var, owner).ok_or_else(|| {
                let name = &parsed.unit.vars[var].name;
                Diagnostic::error(
                    parsed.unit.vars[var].span,
                    format!(
                        "the declaration of the static local '{name}' cannot be moved to file scope"
                    ),
                )
            })?;
            removed.insert(whole);
            for (other, v) in parsed.unit.vars.iter() {
                let inside = whole.start <= v.span.start && v.span.end <= whole.end;
                if inside && v.storage == Storage::StaticLocal(owner) && other != var {
                    match find(parsed, module, other) {
                        Some(g) => work.push(g),
                        // Nothing mentions it.
                        None => continue,
                    }
                }
            }
            for reloc in module.globals[global].init.iter().flat_map(|i| &i.relocs) {
                if let RelocTarget::Global(g) = reloc.target
                    && module.globals[g].linkage == Linkage::StaticLocal
                {
                    work.push(g);
                }
            }
        }
        Ok(Moves { moved, removed })
    }

    fn make(
        &self,
        parsed: &Parsed,
        module: &mut Module,
        taken: &BTreeSet<String>,
        edits: &mut Edits,
    ) {
        let Moves { moved, removed } = self;
        for span in removed {
            let text = &parsed.source.text[span.start as usize..span.end as usize];
            edits.replace(*span, lines_of(text));
        }
        rename(parsed, module, moved, removed, taken, edits);
        for (&var, &global) in moved {
            if let Storage::StaticLocal(owner) = parsed.unit.vars[var].storage
                && let Some(body) = &parsed.unit.funcs[owner].body
            {
                let before = body.whole.start;
                move_records(module, global, before, taken, edits);
            }
        }
        // Dependencies first: an initialiser may hold the address of another.
        let emitter = Emitter::new(module, &Options::default());
        let mut done = BTreeSet::new();
        for &global in moved.values() {
            define(parsed, module, &emitter, moved, global, &mut done, edits);
        }
    }
}

/// The static locals that generated functions mention.
fn used_statics(module: &Module, counts: &Counts) -> BTreeSet<Global> {
    let mut used = BTreeSet::new();
    for (func, function) in module.funcs.iter() {
        let Some(body) = function.body.as_ref().filter(|_| counts.is_new_func(func)) else {
            continue;
        };
        body.walk(|inst| {
            if let Op::GlobalAddr(g) = body.insts[inst].op
                && module.globals[g].linkage == Linkage::StaticLocal
            {
                used.insert(g);
            }
        });
    }
    used
}

/// The variable that a static local of the module is.
fn variable(parsed: &Parsed, module: &Module, global: Global) -> Option<(VarId, FuncId)> {
    let data = &module.globals[global];
    let owner = &module.funcs[data.owner?].name;
    let unit = &parsed.unit;
    unit.vars.iter().find_map(|(id, v)| match v.storage {
        Storage::StaticLocal(f)
            if v.name == data.name
                && unit.funcs[f].name == *owner
                && super::places::ir_span(parsed, v.span) == data.span =>
        {
            Some((id, f))
        }
        _ => None,
    })
}

fn find(parsed: &Parsed, module: &Module, var: VarId) -> Option<Global> {
    let mut globals = module.globals.iter();
    let found = globals.find(|(g, data)| {
        data.linkage == Linkage::StaticLocal
            && variable(parsed, module, *g).is_some_and(|(v, _)| v == var)
    });
    found.map(|(g, _)| g)
}

/// Can it be moved?
fn check(
    parsed: &Parsed,
    module: &Module,
    global: Global,
    var: VarId,
    owner: FuncId,
) -> Result<(), Diagnostic> {
    let v = &parsed.unit.vars[var];
    let function = &parsed.unit.funcs[owner];
    let fail = |why: &str| {
        Err(Diagnostic::error(
            v.span,
            format!(
                "cannot differentiate '{}': its static local '{}' cannot be moved to file scope: {why}",
                function.name, v.name
            ),
        ))
    };
    let mut records = Vec::new();
    local_records(&module.types, module.globals[global].ctype, &mut records);
    if records
        .iter()
        .any(|&r| !goes_along(parsed, module, r, var, owner))
    {
        return fail("its type is declared inside of the function");
    }
    if module.globals[global].init.is_none() {
        return fail("its initialiser is not known");
    }
    let Some(body) = &function.body else {
        return fail("the function has no body");
    };
    let same = parsed.unit.vars.iter().any(|(id, other)| {
        id != var
            && other.name == v.name
            && body.whole.start <= other.span.start
            && other.span.end <= body.whole.end
    });
    if same {
        return fail("another variable of the function has its name");
    }
    Ok(())
}

/// The structs and unions of a block that a type mentions, inner before outer.
fn local_records(types: &CTypes, t: CTy, found: &mut Vec<Record>) {
    match types.shape(t) {
        CTypeKind::Pointer(e)
        | CTypeKind::Array { elem: e, .. }
        | CTypeKind::Vector { elem: e, .. } => local_records(types, *e, found),
        CTypeKind::Record(r) if types.records[*r].scope == TagScope::Block => {
            if found.contains(r) {
                return;
            }
            for field in types.records[*r].fields.iter().flatten() {
                local_records(types, field.ty, found);
            }
            found.push(*r);
        }
        CTypeKind::Function { ret, params, .. } => {
            local_records(types, *ret, found);
            params.iter().for_each(|&p| local_records(types, p, found));
        }
        _ => {}
    }
}

/// Can a struct of a block move with the variable? If it is defined in the variable's declaration, and nothing else names it.
fn goes_along(parsed: &Parsed, module: &Module, r: Record, var: VarId, owner: FuncId) -> bool {
    let record = &module.types.records[r];
    let nameless = |f: &adjoin_ir::ctype::Field| f.name.is_none() || f.bits.is_some();
    if record.fields.iter().flatten().any(nameless) {
        return false;
    }
    let (Some(whole), Some(body)) = (
        declaration(parsed, var, owner),
        parsed.unit.funcs[owner].body.as_ref(),
    ) else {
        return false;
    };
    let text = &parsed.source.text;
    let head = &text[whole.start as usize..parsed.unit.vars[var].span.start as usize];
    let mut mentions = 0;
    if let Some(tag) = &record.tag {
        let mut before: &[u8] = b"";
        each_identifier(
            &text[body.range.start as usize..body.range.end as usize],
            |word| {
                let is_tag = before == b"struct" || before == b"union";
                mentions += usize::from(is_tag && word == tag.as_bytes());
                before = word;
            },
        );
    }
    head.contains(&b'{') && mentions <= 1
}

/// Gives the structs that move a name at file scope, and defines them there.
fn move_records(
    module: &mut Module,
    global: Global,
    before: u32,
    taken: &BTreeSet<String>,
    edits: &mut Edits,
) {
    let mut records = Vec::new();
    local_records(&module.types, module.globals[global].ctype, &mut records);
    for r in records {
        let base = format!("{}_type", module.globals[global].name);
        let mut tag = adjoin_ad::entry::unused_name(module, taken, &base);
        while module
            .types
            .records
            .values()
            .any(|other| other.tag.as_deref() == Some(&tag))
        {
            tag.push('_');
        }
        let record = &mut module.types.records[r];
        record.tag = Some(tag.clone());
        record.typedef_name = None;
        record.scope = TagScope::File;
        let word = if record.is_union { "union" } else { "struct" };
        let printer = CPrinter::new(&module.types);
        let fields: String = module.types.records[r]
            .fields
            .iter()
            .flatten()
            .map(|f| {
                let name = f.name.as_deref().unwrap_or_default();
                format!(" {};", printer.declare(f.ty, name))
            })
            .collect();
        edits.declare(before, format!("{word} {tag} {{{fields} }};"));
    }
}

/// The text of a declaration, from its first specifier to the semicolon.
fn declaration(parsed: &Parsed, var: VarId, owner: FuncId) -> Option<Span> {
    let text = &parsed.source.text;
    let body = parsed.unit.funcs[owner].body.as_ref()?;
    let (begin, name) = (body.range.start as usize, parsed.unit.vars[var].span);
    let before = &text[begin..name.start as usize];
    let mut at = None;
    each_identifier(before, |word| {
        if word == b"static" {
            at = Some(word.as_ptr() as usize - before.as_ptr() as usize);
        }
    });
    // Other specifiers may stand in front of it.
    let mut start = at?;
    let boundary = before[..start]
        .iter()
        .rposition(|b| matches!(b, b';' | b'{' | b'}' | b':' | b')' | b'\n'));
    let first = boundary.map_or(0, |k| k + 1);
    start = first
        + before[first..start]
            .iter()
            .position(|b| !b.is_ascii_whitespace())
            .unwrap_or(start - first);
    let mut depth = 0usize;
    let mut quote = None;
    let mut k = name.end as usize;
    while k < text.len() {
        match (quote, text[k]) {
            (Some(_), b'\\') => k += 1,
            (Some(q), b) if b == q => quote = None,
            (Some(_), _) => {}
            (None, q @ (b'"' | b'\'')) => quote = Some(q),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b';') if depth == 0 => {
                return Some(Span {
                    start: (begin + start) as u32,
                    end: k as u32 + 1,
                });
            }
            _ => {}
        }
        k += 1;
    }
    None
}

/// Gives them their new names, in the module and in the text.
fn rename(
    parsed: &Parsed,
    module: &mut Module,
    moved: &BTreeMap<VarId, Global>,
    removed: &BTreeSet<Span>,
    taken: &BTreeSet<String>,
    edits: &mut Edits,
) {
    for (&var, &global) in moved {
        let Storage::StaticLocal(owner) = parsed.unit.vars[var].storage else {
            continue;
        };
        let function = &parsed.unit.funcs[owner];
        let old = parsed.unit.vars[var].name.clone();
        let base = format!("{}_{old}", function.name);
        let new = adjoin_ad::entry::unused_name(module, taken, &base);
        let data = &mut module.globals[global];
        data.name = new.clone();
        data.linkage = Linkage::Static;
        data.owner = None;
        let Some(body) = &function.body else { continue };
        let offset = body.range.start;
        let text = &parsed.source.text[offset as usize..body.range.end as usize];
        each_identifier(text, |word| {
            if word != old.as_bytes() {
                return;
            }
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            let before = text[..at].trim_ascii_end();
            let member =
                before.ends_with(b"->") || before.ends_with(b".") && !before.ends_with(b"...");
            let span = Span {
                start: offset + at as u32,
                end: offset + (at + word.len()) as u32,
            };
            let gone = removed
                .iter()
                .any(|r| r.start <= span.start && span.end <= r.end);
            if !member && !gone {
                edits.replace(span, new.clone());
            }
        });
        each_in_clauses(text, |line, word| {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            if word == old.as_bytes() && !says_threadprivate(line) {
                let start = offset + at as u32;
                let end = start + word.len() as u32;
                edits.replace(Span { start, end }, new.clone());
            }
        });
    }
    forget_threadprivate(parsed, moved, edits);
}

/// Is a line `#pragma omp threadprivate(…)`?
fn says_threadprivate(line: &[u8]) -> bool {
    let mut words = line
        .split(|b| !b.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty());
    words.nth(2) == Some(b"threadprivate")
}

/// What moves is declared `_Thread_local`, if it is a thread's: the pragma that said so speaks of the rest.
fn forget_threadprivate(parsed: &Parsed, moved: &BTreeMap<VarId, Global>, edits: &mut Edits) {
    let vars = moved.keys().map(|&v| &parsed.unit.vars[v]);
    let owners: BTreeSet<FuncId> = vars
        .filter_map(|v| match v.storage {
            Storage::StaticLocal(owner) if v.thread_local => Some(owner),
            _ => None,
        })
        .collect();
    for owner in owners {
        let Some(body) = &parsed.unit.funcs[owner].body else {
            continue;
        };
        let text = &parsed.source.text[body.range.start as usize..body.range.end as usize];
        let mut lines: BTreeMap<usize, (usize, Vec<String>)> = BTreeMap::new();
        each_in_clauses(text, |line, word| {
            if says_threadprivate(line) {
                let start = line.as_ptr() as usize - text.as_ptr() as usize;
                let names = &mut lines.entry(start).or_insert((line.len(), Vec::new())).1;
                names.push(String::from_utf8_lossy(word).into_owned());
            }
        });
        let is_moved = |name: &String| {
            moved.keys().any(|&v| {
                let v = &parsed.unit.vars[v];
                v.storage == Storage::StaticLocal(owner) && v.name == *name
            })
        };
        for (start, (length, names)) in lines {
            let left: Vec<String> = names.iter().filter(|n| !is_moved(n)).cloned().collect();
            if left.len() == names.len() {
                continue;
            }
            let text = match left.is_empty() {
                true => String::new(),
                false => format!("#pragma omp threadprivate({})", left.join(", ")),
            };
            let start = body.range.start + start as u32;
            let end = start + length as u32;
            edits.replace(Span { start, end }, text);
        }
    }
}

/// Declares one in front of its function.
fn define(
    parsed: &Parsed,
    module: &Module,
    emitter: &Emitter<'_>,
    moved: &BTreeMap<VarId, Global>,
    global: Global,
    done: &mut BTreeSet<Global>,
    edits: &mut Edits,
) {
    if !done.insert(global) {
        return;
    }
    for reloc in module.globals[global].init.iter().flat_map(|i| &i.relocs) {
        if let RelocTarget::Global(g) = reloc.target
            && moved.values().any(|&m| m == g)
        {
            define(parsed, module, emitter, moved, g, done, edits);
        }
    }
    let owner = moved.iter().find_map(|(&v, &g)| {
        let Storage::StaticLocal(f) = parsed.unit.vars[v].storage else {
            return None;
        };
        (g == global).then_some(f)
    });
    if let Some(body) = owner.and_then(|f| parsed.unit.funcs[f].body.as_ref()) {
        let text = emitter.global(global).replace('\n', " ");
        edits.declare(body.whole.start, text);
    }
}
