//! Functions of the system whose names a program may well use for its own (`read`, `stat`): they are known by their names and types together. A module
//! comes in; out go those of its functions without a body that are the system's.

use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{CTy, CTypeKind, CTypes, Func, Function, Module};

/// Names with their types, without typedefs and qualifiers.
const PROTOTYPES: &[(&str, &str)] = &[
    ("access", "int (char *, int)"),
    ("alarm", "unsigned int (unsigned int)"),
    ("chmod", "int (char *, unsigned int)"),
    ("fork", "int ()"),
    ("kill", "int (int, int)"),
    ("link", "int (char *, char *)"),
    ("pipe", "int (int *)"),
    ("poll", "int (struct pollfd *, unsigned long, int)"),
    ("pread", "long (int, void *, unsigned long, long)"),
    ("raise", "int (int)"),
    ("read", "long (int, void *, unsigned long)"),
    ("readlink", "long (char *, char *, unsigned long)"),
    ("signal", "void (*)() (int, void (*)())"),
    ("stat", "int (char *, struct stat *)"),
    ("symlink", "int (char *, char *)"),
    ("sync", "void ()"),
    ("times", "long (struct tms *)"),
    ("wait", "int (int *)"),
    ("waitpid", "int (int, int *, int)"),
];

/// The functions of the system in a module, which carry no derivative.
pub fn of(module: &Module) -> Vec<Func> {
    let all = module.funcs.iter();
    let found = all.filter(|(_, f)| f.body.is_none() && is_listed(&module.types, f));
    found.map(|(func, _)| func).collect()
}

fn is_listed(types: &CTypes, function: &Function) -> bool {
    PROTOTYPES
        .iter()
        .any(|(name, text)| *name == function.name && *text == prototype(types, function.ctype))
}

/// The type of a function in the words of the table.
fn prototype(types: &CTypes, t: CTy) -> String {
    let CTypeKind::Function { ret, params, .. } = types.shape(t) else {
        return String::new();
    };
    let params: Vec<String> = params.iter().map(|&p| plain(types, p)).collect();
    format!("{} ({})", plain(types, *ret), params.join(", "))
}

/// A type without typedefs and qualifiers; of functions behind pointers only what they return.
fn plain(types: &CTypes, t: CTy) -> String {
    match types.shape(t) {
        CTypeKind::Pointer(inner) => match types.shape(*inner) {
            CTypeKind::Function { ret, .. } => format!("{} (*)()", plain(types, *ret)),
            CTypeKind::Pointer(_) => format!("{}*", plain(types, *inner)),
            _ => format!("{} *", plain(types, *inner)),
        },
        _ => CPrinter::new(types).name(types.strip(t)),
    }
}
