//! What is known of functions without a body: allocation, copying, and those that never carry a derivative.

use crate::rules::inactive;
use adjoin_ir::mpi::plain_name;
use adjoin_ir::{Basic, CTy, CTypeKind, Func, Function, Linkage, Module, Quals, Span};

/// `malloc` for caches, which may return memory that was used before.
pub const TAKE: &str = "adjoin_take_memory";
/// `realloc` for caches.
pub const GROW: &str = "adjoin_grow_memory";
/// `free` for caches, whose memory is kept for the next call.
pub const GIVE: &str = "adjoin_give_memory";
/// `calloc` for shadows.
pub const TAKE_ZEROED: &str = "adjoin_take_zeroed";
/// `malloc` for what the program allocates. Only finished derivatives ask for it.
pub const LEND: &str = "adjoin_lend_memory";
/// `free` for shadows and for what the program was to free.
pub const KEEP: &str = "adjoin_keep_memory";
/// A block that several shadows share. Only finished derivatives ask for it.
pub const TAKE_BLOCK: &str = "adjoin_take_block";

/// Does a function nothing but return a new block?
pub fn only_allocates(name: &str) -> bool {
    matches!(name, "malloc" | "calloc" | "aligned_alloc" | LEND)
}

/// Keeps a pointer in a list: what it leads to is freed when the derivative ends.
pub const FREE_LATER: &str = "adjoin_free_later";
/// Frees what such a list leads to.
pub const FREE_ALL: &str = "adjoin_free_all";

/// Memory for what a called function keeps for its reverse, in blocks of the thread. Only derivatives that are not differentiated again ask for it.
pub const TAKE_TAPE: &str = "adjoin_take_tape";
/// Gives it back.
pub const GIVE_TAPE: &str = "adjoin_give_tape";
/// The functions that note what a function overwrites, so that it can run again (`rules/support/again.c`).
pub mod again {
    /// A copy that notes begins: `(above its frame)`
    pub const BEGIN: &str = "adjoin_begin_notes";
    /// Bytes will be written: `(address, count)`
    pub const NOTE: &str = "adjoin_framed_note";
    /// A block was made: `(address)`
    pub const NOTE_BLOCK: &str = "adjoin_note_block";
    /// A block will be freed: `(address)`
    pub const FORGET: &str = "adjoin_forget_block";
    /// All that was noted is as it was: `()`
    pub const WRITE_BACK: &str = "adjoin_write_back";
    /// Nothing is noted any more: `()`
    pub const END: &str = "adjoin_end_notes";
    /// All of them.
    pub const ALL: [&str; 6] = [BEGIN, NOTE, NOTE_BLOCK, FORGET, WRITE_BACK, END];
}

/// The functions that find shadows of memory that was there before the call (`rules/support/outside.c`). The first operand is the address of a table.
pub mod outside {
    /// All shadows are zero again: `(table)`
    pub const CLEAR: &str = "adjoin_clear_outside";
    /// Memory with a shadow of its own: `(table, start, bytes, shadow)`
    pub const NOTE: &str = "adjoin_note_outside";
    /// The shadow of memory: `(table, address)`
    pub const SHADOW: &str = "adjoin_shadow_outside";
    /// A shadow if it can be freed, else NULL: `(table, shadow)`
    pub const FREE: &str = "adjoin_free_outside";
    /// The shadows of all that another table has for shadows are zero: `(table, other)`
    pub const CLEAR_WITHIN: &str = "adjoin_clear_within";
    /// The table that a thread has, as a number: `(table)`
    pub const TABLE: &str = "adjoin_table_outside";
    /// A thread has another table from now on; returns the one that it had: `(table, other)`
    pub const JOIN: &str = "adjoin_join_outside";
    /// All of them.
    pub const ALL: [&str; 7] = [CLEAR, NOTE, SHADOW, FREE, CLEAR_WITHIN, TABLE, JOIN];

    /// The critical section of threads that look something up.
    pub fn critical() -> adjoin_ir::Directive {
        adjoin_ir::Directive::Critical {
            name: Some("adjoin_outside".to_string()),
        }
    }

    /// Are there threads in a program?
    pub fn has_teams(m: &adjoin_ir::Module) -> bool {
        let mut bodies = m.funcs.values().filter_map(|f| f.body.as_ref());
        bodies.any(|b| {
            b.insts
                .values()
                .any(|i| matches!(i.op, adjoin_ir::Op::Par(_)))
        })
    }

    /// Does a function write memory? The others only look at the table.
    pub fn clears(name: &str) -> bool {
        matches!(name, CLEAR | CLEAR_WITHIN)
    }
}

/// The meaning of an external function to differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Reads and writes nothing that has a derivative; its result has none.
    Inactive,
    /// `malloc`, with the operand that holds the size.
    Malloc(usize),
    /// `calloc(count, size)`
    Calloc,
    /// `realloc(pointer, size)`
    Realloc,
    /// `free(pointer)`
    Free,
    /// `memcpy(to, from, bytes)`, `memmove`
    Copy,
    /// `memset(to, byte, bytes)`
    Fill,
    /// `posix_memalign(address of the pointer, alignment, size)`
    AllocateInto,
    /// `reallocarray(pointer, count, size)`
    ReallocArray,
}

/// How much a function writes through a pointer argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// One object of the type that the argument points to.
    One,
    /// As many bytes as another argument says.
    Bytes(usize),
    /// The product of two arguments, in bytes.
    Product(usize, usize),
    /// Text, or something whose size cannot be told.
    Unbounded,
}

/// What an inactive function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// Through which argument.
    pub argument: usize,
    /// Also through all arguments that follow.
    pub and_following: bool,
    /// How much.
    pub extent: Extent,
}

pub(crate) const fn write(argument: usize, extent: Extent) -> Write {
    Write {
        argument,
        and_following: false,
        extent,
    }
}

pub(crate) const fn from(argument: usize) -> Write {
    Write {
        argument,
        and_following: true,
        extent: Extent::One,
    }
}

/// Inactive functions that write through arguments. The others of the lists in `rules::inactive` write nothing that a program can see through its own pointers.
const WRITING: &[(&str, &[Write])] = &[
    ("sprintf", &[write(0, Extent::Unbounded)]),
    ("vsprintf", &[write(0, Extent::Unbounded)]),
    ("__sprintf_chk", &[write(0, Extent::Unbounded)]),
    ("snprintf", &[write(0, Extent::Bytes(1))]),
    ("vsnprintf", &[write(0, Extent::Bytes(1))]),
    ("__snprintf_chk", &[write(0, Extent::Bytes(1))]),
    ("scanf", &[from(1)]),
    ("fscanf", &[from(2)]),
    ("sscanf", &[from(2)]),
    ("__isoc99_scanf", &[from(1)]),
    ("__isoc99_fscanf", &[from(2)]),
    ("__isoc99_sscanf", &[from(2)]),
    ("__isoc23_scanf", &[from(1)]),
    ("__isoc23_fscanf", &[from(2)]),
    ("__isoc23_sscanf", &[from(2)]),
    ("fread", &[write(0, Extent::Product(1, 2))]),
    ("fgets", &[write(0, Extent::Bytes(1))]),
    ("getline", &[write(0, Extent::One), write(1, Extent::One)]),
    ("strtol", &[write(1, Extent::One)]),
    ("strtoul", &[write(1, Extent::One)]),
    ("strtoll", &[write(1, Extent::One)]),
    ("strtoull", &[write(1, Extent::One)]),
    ("__isoc23_strtol", &[write(1, Extent::One)]),
    ("__isoc23_strtoul", &[write(1, Extent::One)]),
    ("strtod", &[write(1, Extent::One)]),
    ("strtof", &[write(1, Extent::One)]),
    ("strtold", &[write(1, Extent::One)]),
    ("time", &[write(0, Extent::One)]),
    ("clock_gettime", &[write(1, Extent::One)]),
    (
        "gettimeofday",
        &[write(0, Extent::One), write(1, Extent::One)],
    ),
    ("strcpy", &[write(0, Extent::Unbounded)]),
    ("strcat", &[write(0, Extent::Unbounded)]),
    ("strncpy", &[write(0, Extent::Bytes(2))]),
    ("strncat", &[write(0, Extent::Unbounded)]),
    ("erand48", &[write(0, Extent::Unbounded)]),
    ("nrand48", &[write(0, Extent::Unbounded)]),
    ("rand_r", &[write(0, Extent::One)]),
];

/// What an inactive function writes through its arguments.
pub fn writes(name: &str) -> &'static [Write] {
    let of = |table: &'static [(&str, &'static [Write])], name: &str| {
        table.iter().find(|(n, _)| *n == name).map(|&(_, w)| w)
    };
    of(WRITING, name)
        .or_else(|| of(inactive::WRITING, name))
        .or_else(|| of(inactive::WRITING, crate::rules::stem(name)))
        .unwrap_or(&[])
}

/// What an inactive function writes: as the table says, else through every pointer to a scalar that its prototype does not promise to leave alone.
pub fn written(module: &Module, func: Func) -> Vec<Write> {
    let function = &module.funcs[func];
    let name = plain_name(&function.name);
    let listed = writes(name);
    if !listed.is_empty() {
        return listed.to_vec();
    }
    let types = &module.types;
    let CTypeKind::Function { params, .. } = types.shape(function.ctype) else {
        return Vec::new();
    };
    // A buffer for messages is MPI's own.
    if name == "MPI_Buffer_attach" {
        return Vec::new();
    }
    // MPI says what it leaves alone; what it writes besides scalars are its own structs.
    if name.starts_with("MPI_") {
        let written = |t: CTy| {
            let pointee = types.pointee(t)?;
            (!types.quals(pointee).is_const).then_some(())
        };
        return (params.iter().enumerate())
            .filter_map(|(k, &t)| written(t).map(|()| write(k, Extent::One)))
            .collect();
    }
    let extent = |t: CTy| {
        let pointee = types.pointee(t)?;
        let scalar = types.arithmetic(pointee).is_some() || types.pointee(pointee).is_some();
        (scalar && !types.quals(pointee).is_const).then(|| match types.size_of(pointee) {
            Some(1) => Extent::Unbounded,
            _ => Extent::One,
        })
    };
    (params.iter().enumerate())
        .filter_map(|(k, &t)| Some(write(k, extent(t)?)))
        .collect()
}

/// Does a function write through this parameter only what is too small for a pointer, as its prototype says: a rank, an exponent?
pub fn writes_no_pointers(module: &Module, func: Func, argument: usize) -> bool {
    let types = &module.types;
    let CTypeKind::Function { params, .. } = types.shape(module.funcs[func].ctype) else {
        return false;
    };
    let pointee = params.get(argument).and_then(|&t| types.pointee(t));
    let Some(t) = pointee.filter(|&t| types.arithmetic(t).is_some()) else {
        return false;
    };
    matches!(types.size_of(t), Some(2..=4))
}

/// Is this a function of MPI's that is given no memory of the program's to keep? The handles that it writes then lead to MPI's own.
pub fn writes_handles(module: &Module, func: Func) -> bool {
    let function = &module.funcs[func];
    let types = &module.types;
    let CTypeKind::Function { params, .. } = types.shape(function.ctype) else {
        return false;
    };
    let anything =
        |&t: &CTy| (types.pointee(t)).is_some_and(|p| *types.shape(p) == CTypeKind::Void);
    plain_name(&function.name).starts_with("MPI_") && !params.iter().any(anything)
}

/// What is known of a function by its name.
pub fn lookup(name: &str) -> Option<Known> {
    let name = plain_name(name);
    Some(match name {
        "malloc" | "__builtin_malloc" | "valloc" | TAKE | TAKE_TAPE | LEND => Known::Malloc(0),
        "aligned_alloc" | "memalign" => Known::Malloc(1),
        "calloc" | "__builtin_calloc" | TAKE_ZEROED => Known::Calloc,
        "realloc" | "__builtin_realloc" | GROW => Known::Realloc,
        "reallocarray" => Known::ReallocArray,
        "posix_memalign" => Known::AllocateInto,
        "free" | "__builtin_free" | "cfree" | GIVE | GIVE_TAPE | KEEP => Known::Free,
        "memcpy"
        | "memmove"
        | "__memcpy_chk"
        | "__memmove_chk"
        | "__builtin_memcpy"
        | "__builtin_memmove"
        | "__builtin___memcpy_chk"
        | "__builtin___memmove_chk" => Known::Copy,
        "memset" | "__memset_chk" | "__builtin_memset" | "__builtin___memset_chk" => Known::Fill,
        _ if inactive::contains(name) => Known::Inactive,
        _ if WRITING.iter().any(|(n, _)| *n == name) => Known::Inactive,
        _ => return None,
    })
}

/// A function of the C library, declared if the module does not have it.
pub fn external(module: &mut Module, name: &str, ret: CTy, params: &[CTy]) -> Func {
    declared(module, name, ret, params, false)
}

/// `memcpy`, with the type that the standard says.
pub fn memcpy(module: &mut Module) -> Func {
    let void = module.types.void();
    let quals = Quals {
        is_const: true,
        ..Default::default()
    };
    let constant = module.types.qualified(void, quals);
    let (to, from) = (module.types.pointer(void), module.types.pointer(constant));
    let count = module.types.basic(Basic::ULong);
    external(module, "memcpy", to, &[to, from, count])
}

/// As [`external`]; `variadic`: with variable arguments.
pub fn declared(module: &mut Module, name: &str, ret: CTy, params: &[CTy], variadic: bool) -> Func {
    if let Some(found) = module.find_func(name) {
        return found;
    }
    let ctype = module.types.intern(CTypeKind::Function {
        ret,
        params: params.to_vec(),
        variadic,
        prototyped: true,
    });
    module.funcs.push(Function {
        name: name.to_string(),
        ctype,
        param_names: vec![None; params.len()],
        linkage: Linkage::External,
        inline: false,
        noreturn: name == "abort",
        span: Span::default(),
        body: None,
    })
}
