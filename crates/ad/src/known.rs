//! What is known of functions without a body: allocation, copying, and those that never carry a derivative.

use crate::rules::inactive;

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
}

/// What is known of a function by its name.
pub fn lookup(name: &str) -> Option<Known> {
    Some(match name {
        "malloc" | "__builtin_malloc" | "valloc" => Known::Malloc(0),
        "aligned_alloc" | "memalign" => Known::Malloc(1),
        "calloc" | "__builtin_calloc" => Known::Calloc,
        "realloc" | "__builtin_realloc" => Known::Realloc,
        "free" | "__builtin_free" | "cfree" => Known::Free,
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
        _ => return None,
    })
}
