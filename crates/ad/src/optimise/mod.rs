//! Optimisations of bodies that need more than the IR: what functions of the library do, what pointers point to.
//!
//! `dead_calls` takes out calls that only compute what nobody wants, `unread` writes to memory that nobody reads, `sums` reductions that nobody reads.

pub mod dead_calls;
pub mod sums;
pub mod unread;
