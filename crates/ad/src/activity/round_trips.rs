//! Numbers that leave as text or bytes and come back: what is printed into a buffer and read with `strtod`, or written to a stream or a file and read from it again. The
//! derivative does not go along, so this is refused. Only buffers, streams and files that one body knows are followed; a file that is opened twice is the same if its name is.

use super::root;
use crate::mpi::calling;
use adjoin_ir::mpi::plain_name;
use adjoin_ir::{Body, Func, Global, Inst, Linkage, Module, Op, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What is written to or read from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Pointer(Value),
    Variable(Global),
    /// A file, by its name in the program's text.
    File(Global),
    /// The files of MPI, which are all taken to be one: what is opened again has another handle. Functions that a body calls write and read them as well.
    Shared,
}

/// Functions that open a file by its name.
const OPENERS: &[&str] = &["fopen", "fopen64", "open", "open64", "creat"];

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
    ("write", 0, 1),
    ("pwrite", 0, 1),
    ("pwrite64", 0, 1),
    ("MPI_File_write", 0, 1),
    ("MPI_File_write_all", 0, 1),
    ("MPI_File_write_at", 0, 1),
    ("MPI_File_write_at_all", 0, 1),
    ("MPI_File_write_ordered", 0, 1),
    ("MPI_File_write_shared", 0, 1),
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
    ("read", 0),
    ("pread", 0),
    ("pread64", 0),
    ("MPI_File_read", 0),
    ("MPI_File_read_all", 0),
    ("MPI_File_read_at", 0),
    ("MPI_File_read_at_all", 0),
    ("MPI_File_read_ordered", 0),
    ("MPI_File_read_shared", 0),
];

/// The functions of a program that write files of MPI, and those that read them, through others as well.
#[derive(Default)]
struct Shared {
    writers: BTreeSet<Func>,
    readers: BTreeSet<Func>,
}

impl Shared {
    fn of(module: &Module) -> Shared {
        let writes =
            |name: &str| WRITERS.iter().any(|w| w.0 == plain_name(name)) && is_shared(name);
        let reads = |name: &str| READERS.iter().any(|r| r.0 == plain_name(name)) && is_shared(name);
        let names = || module.funcs.values().map(|f| &f.name[..]);
        if !names().any(writes) || !names().any(reads) {
            return Shared::default();
        }
        Shared {
            writers: calling(module, writes),
            readers: calling(module, reads),
        }
    }
}

fn is_shared(name: &str) -> bool {
    plain_name(name).starts_with("MPI_")
}

/// The first call that may read what active numbers were written to before, and its function's name.
pub(crate) fn find(
    module: &Module,
    body: &Body,
    is_active: impl Fn(Value) -> bool,
) -> Option<(Inst, String)> {
    let mut written: BTreeMap<End, Vec<Inst>> = BTreeMap::new();
    let mut readers = Vec::new();
    let mut found = None;
    let shared = Shared::of(module);
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else { return };
        let name = plain_name(&module.funcs[attr.func].name);
        if let Some(&(_, to, first)) = WRITERS.iter().find(|w| w.0 == name)
            && let Some(&target) = data.args.get(to)
            && data
                .args
                .iter()
                .skip(first)
                .any(|&v| v != target && is_active(v))
        {
            written
                .entry(end_of(module, body, name, target))
                .or_default()
                .push(inst);
        }
        if let Some(&(_, from)) = READERS.iter().find(|r| r.0 == name)
            && let Some(&source) = data.args.get(from)
        {
            let source = end_of(module, body, name, source);
            if written.contains_key(&source) && found.is_none() {
                found = Some(inst);
            }
            readers.push((inst, source));
        }
        if module.funcs[attr.func].body.is_none() {
            return;
        }
        if shared.readers.contains(&attr.func) {
            if written.contains_key(&End::Shared) && found.is_none() {
                found = Some(inst);
            }
            readers.push((inst, End::Shared));
        }
        if shared.writers.contains(&attr.func)
            && (data.args.is_empty() || data.args.iter().any(|&v| is_active(v)))
        {
            written.entry(End::Shared).or_default().push(inst);
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

fn end_of(module: &Module, body: &Body, name: &str, v: Value) -> End {
    match is_shared(name) {
        true => End::Shared,
        false => end(module, body, v),
    }
}

fn end(module: &Module, body: &Body, v: Value) -> End {
    let base = root(body, v);
    match body.def_inst(base).map(|i| &body.insts[i]) {
        // A variable, or the pointer that is in it.
        Some(data) => match &data.op {
            Op::GlobalAddr(g) => End::Variable(*g),
            Op::Load(_) => end(module, body, data.args[0]),
            Op::Call(attr) if OPENERS.contains(&&module.funcs[attr.func].name[..]) => {
                // A name that the function makes may be another one the next time.
                match end(module, body, data.args[0]) {
                    End::Variable(g) => End::File(same_text(module, g)),
                    End::Pointer(name) if body.def_inst(name).is_none() => End::Pointer(name),
                    _ => End::Pointer(base),
                }
            }
            _ => End::Pointer(base),
        },
        None => End::Pointer(base),
    }
}

/// The first literal with the same text.
fn same_text(module: &Module, g: Global) -> Global {
    let text = |g: Global| match (&module.globals[g].init, module.globals[g].linkage) {
        (Some(init), Linkage::Literal) => Some(&init.bytes),
        _ => None,
    };
    let same = |&other: &Global| text(g).is_some() && text(other) == text(g);
    module.globals.keys().find(same).unwrap_or(g)
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
