//! What can be proven of parallel regions, for the reverse sweep.
//!
//! A load of shared memory becomes an increment of its shadow, and two threads that read the same place would increment it at the same time. `increments` decides for each
//! read of a team's region how that is avoided, by what is proven of the addresses: `poly` are polynomials and a small prover, `terms` writes integers and
//! addresses as such, `hoist` moves loads in front of regions where they can be compared (`shares`: who runs what, in front of loops), `team` knows who runs what (`phases`: what runs at the same time), `pairs` compares two reads.

pub mod hoist;
mod increments;
pub mod own;
mod pairs;
mod phases;
mod poly;
mod shares;
mod team;
mod terms;
#[cfg(test)]
mod tests;

pub use increments::{
    Class, Copies, Extent, Increments, Inspection, Ordering, Place, Plan, Polynomial, Question,
    Recorded, Wanted, accessed, ordering, row_at, single_index,
};
pub use own::same_address;
pub use team::{Team, is_barrier};
