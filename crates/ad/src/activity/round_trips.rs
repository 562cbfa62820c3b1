//! Numbers that leave as text or bytes and come back: what is printed into a buffer and read with `strtod`, or written to a stream and read from it again. The
//! derivative does not go along, so this is refused. Only buffers and streams that one body knows are followed.

use super::root;
use adjoin_ir::{Body, Global, Inst, Module, Op, Value};
use std::collections::BTreeMap;

/// What is written to or read from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Pointer(Value),
    Variable(Global),
}

/// Functions that write: the buffer or stream, and the first argument that is written.
const WRITERS: &[(&str, usize, usize)] = &[
    ("sprintf", 0, 2),
    ("snprintf", 0, 3),
    ("__sprintf_chk", 0, 4),
    ("__snprintf_chk", 0, 5),
    ("__builtin___sprintf_chk", 0, 4),
    ("__builtin___snprintf_chk", 0, 5),
    ("fprintf", 0, 2),
    ("fwrite", 3, 0),
    ("fwrite_unlocked", 3, 0),
];

/// Functions that read numbers: from what.
const READERS: &[(&str, usize)] = &[
    ("strtod", 0),
    ("strtof", 0),
    ("strtold", 0),
    ("atof", 0),
    ("sscanf", 0),
    ("__isoc99_sscanf", 0),
    ("fscanf", 0),
    ("__isoc99_fscanf", 0),
    ("fread", 3),
    ("fread_unlocked", 3),
];

/// The first call that may read what active numbers were written to before, and its function's name.
pub(crate) fn find(
    module: &Module,
    body: &Body,
    is_active: impl Fn(Value) -> bool,
) -> Option<(Inst, String)> {
    let mut written: BTreeMap<End, Vec<Inst>> = BTreeMap::new();
    let mut readers = Vec::new();
    let mut found = None;
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else { return };
        let name = &module.funcs[attr.func].name[..];
        if let Some(&(_, to, first)) = WRITERS.iter().find(|w| w.0 == name)
            && let Some(&target) = data.args.get(to)
            && data
                .args
                .iter()
                .skip(first)
                .any(|&v| v != target && is_active(v))
        {
            written.entry(end(body, target)).or_default().push(inst);
        }
        if let Some(&(_, from)) = READERS.iter().find(|r| r.0 == name)
            && let Some(&source) = data.args.get(from)
        {
            let source = end(body, source);
            if written.contains_key(&source) && found.is_none() {
                found = Some(inst);
            }
            readers.push((inst, source));
        }
    });
    // In a loop, what is written later is read in the next iteration.
    let again = || {
        let mut later = readers.iter().filter(|(reader, source)| {
            let writers = written.get(source).into_iter().flatten();
            writers.clone().any(|&w| in_one_loop(body, *reader, w))
        });
        later.next().map(|r| r.0)
    };
    let inst = found.or_else(again)?;
    let Op::Call(attr) = &body.insts[inst].op else {
        return None;
    };
    Some((inst, module.funcs[attr.func].name.clone()))
}

/// The refusal, in words.
pub(crate) fn refusal(name: &str) -> String {
    format!(
        "a call of '{name}': active numbers were written to what it reads, and their derivatives do not come back"
    )
}

fn end(body: &Body, v: Value) -> End {
    let base = root(body, v);
    match body.def_inst(base).map(|i| &body.insts[i]) {
        // A variable, or the pointer that is in it.
        Some(data) => match data.op {
            Op::GlobalAddr(g) => End::Variable(g),
            Op::Load(_) => end(body, data.args[0]),
            _ => End::Pointer(base),
        },
        None => End::Pointer(base),
    }
}

fn in_one_loop(body: &Body, a: Inst, b: Inst) -> bool {
    let mut region = body.insts[a].parent;
    while let Some(holder) = body.regions[region].parent {
        let loops = matches!(body.insts[holder].op, Op::For(_) | Op::Loop);
        if loops && adjoin_passes::edit::is_inside(body, b, holder) {
            return true;
        }
        region = body.insts[holder].parent;
    }
    false
}
