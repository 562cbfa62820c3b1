//! Results of derivatives that are structs of a block: the generated function stands outside of it. It returns a struct of its own, with the same members, which the call takes as the user's.

use super::edits::Edits;
use super::emission::Counts;
use adjoin_emit::{Emitter, Options};
use adjoin_front::Parsed;
use adjoin_front::ast::Span;
use adjoin_ir::ctype::Record;
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{CTy, CTypeKind, Func, Module};
use std::collections::{BTreeMap, BTreeSet};

/// A call of an entry point.
#[derive(Clone, Copy, Debug)]
pub struct Returned {
    /// What it calls now.
    pub func: Func,
    /// Where the function is declared.
    pub before: u32,
    /// The whole call.
    pub span: Span,
    /// Its type, as the user wrote it.
    pub ty: CTy,
}

/// Defines the structs in front of the first function that needs them, and converts the results of the calls. The structs that are defined now.
pub fn convert(
    parsed: &Parsed,
    module: &Module,
    counts: &Counts,
    calls: &[Returned],
    edits: &mut Edits,
) -> BTreeSet<Record> {
    let mut first: BTreeMap<u32, BTreeSet<Record>> = BTreeMap::new();
    for call in calls {
        let Some(record) = lifted(module, counts, call.func) else {
            continue;
        };
        let own = CPrinter::new(&module.types).name(result(module, call.func));
        let users = users_name(parsed, call);
        edits.insert(
            call.span.start,
            format!("((union {{ {own} made; {users} result; }}){{ "),
        );
        edits.insert(call.span.end, " }).result");
        first.entry(call.before).or_default().insert(record);
    }
    let emitter = Emitter::new(module, &Options::default());
    let mut done = BTreeSet::new();
    for (before, records) in first {
        for record in records {
            define(module, counts, &emitter, record, &mut done, &mut |text| {
                edits.declare(before, text)
            });
        }
    }
    done
}

/// How to name the type at the call.
fn users_name(parsed: &Parsed, call: &Returned) -> String {
    let types = &parsed.unit.types;
    let named = (types.record(call.ty).map(|r| &types.records[r]))
        .is_some_and(|data| data.tag.is_some() || data.typedef_name.is_some());
    if named {
        return CPrinter::new(types).name(call.ty);
    }
    // A `typedef` of the block.
    let text = &parsed.source.text[call.span.start as usize..call.span.end as usize];
    let one_line = String::from_utf8_lossy(text).replace('\n', " ");
    format!("__typeof__(__extension__({one_line}))")
}

fn result(module: &Module, func: Func) -> CTy {
    match module.types.shape(module.funcs[func].ctype) {
        CTypeKind::Function { ret, .. } => *ret,
        _ => module.funcs[func].ctype,
    }
}

/// The struct of a block that a function returns.
fn lifted(module: &Module, counts: &Counts, func: Func) -> Option<Record> {
    let record = module.types.record(result(module, func))?;
    counts.is_lifted(record).then_some(record)
}

/// Inner structs before outer ones.
fn define(
    module: &Module,
    counts: &Counts,
    emitter: &Emitter<'_>,
    record: Record,
    done: &mut BTreeSet<Record>,
    declare: &mut dyn FnMut(String),
) {
    if done.contains(&record) {
        return;
    }
    for field in module.types.records[record].fields.iter().flatten() {
        let mut t = field.ty;
        while let Some(element) = module.types.element(t) {
            t = element;
        }
        if let Some(inner) = module.types.record(t).filter(|&r| counts.is_lifted(r)) {
            define(module, counts, emitter, inner, done, declare);
        }
    }
    done.insert(record);
    declare(emitter.record(record).replace('\n', " "));
}
