//! Removes objects that are only written, on the stack and of allocators: a derivative often needs the tangents that went through an array, not the array.
//!
//! An object is unread if its address is used for nothing but stores to it, copies into it, zeroing it, and addresses of which the same holds. (Not in the
//! pipeline: the program's own objects stay.)

use crate::edit::unlink;
use crate::openmp::directive;
use adjoin_ir::{AtomicKind, Body, Directive, Inst, Op, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of functions.
pub struct Allocation<'a> {
    /// Does it return memory that nobody else has?
    pub makes: &'a dyn Fn(&Op) -> bool,
    /// Does it only free what is behind this operand, now or later?
    pub frees: &'a dyn Fn(&Op, usize) -> bool,
}

/// Removes them, until there are none. Was there one?
pub fn run(body: &mut Body, allocation: &Allocation<'_>) -> bool {
    crate::registry::optional("unread", || apply(body, allocation))
}

fn apply(body: &mut Body, allocation: &Allocation<'_>) -> bool {
    let mut any = false;
    loop {
        let found = find(body, allocation);
        if found.is_empty() {
            return any;
        }
        any = true;
        for inst in found {
            unlink(body, inst);
        }
    }
}

/// The writes to unread objects. (The objects themselves, and addresses in them, are then unused.)
fn find(body: &Body, allocation: &Allocation<'_>) -> Vec<Inst> {
    // What an address leads to: the object that it is in.
    let mut object: BTreeMap<Value, Value> = BTreeMap::new();
    let mut read: BTreeSet<Value> = BTreeSet::new();
    let mut writes: Vec<(Value, Inst)> = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let makes = matches!(data.op, Op::Slot(_) | Op::SlotVla(_)) || (allocation.makes)(&data.op);
        // Of an allocation that nobody uses no result is left.
        if let Some(&v) = data.results.first().filter(|_| makes) {
            object.insert(v, v);
        }
        let base = data.args.first().and_then(|v| object.get(v).copied());
        for (k, v) in data.args.iter().enumerate() {
            let Some(&o) = object.get(v) else { continue };
            let write = k == 0
                && match &data.op {
                    Op::Store(attr) => !attr.volatile,
                    Op::StoreBits(attr) => !attr.volatile,
                    Op::Copy(_) | Op::Zero(_) => true,
                    _ => false,
                };
            let leads = k == 0 && matches!(data.op, Op::Addr(_) | Op::Cast);
            // The form of an atomic access has a meaning: it goes as a whole, or stays.
            let holder = body.regions[data.parent].parent;
            let atomic = holder.and_then(|h| match directive(body, h) {
                Some(Directive::Atomic(kind)) => Some((h, *kind)),
                _ => None,
            });
            if write {
                match atomic {
                    None => writes.push((o, inst)),
                    Some((holder, AtomicKind::Write)) => writes.push((o, holder)),
                    Some(_) => drop(read.insert(o)),
                }
            } else if !leads && !(allocation.frees)(&data.op, k) {
                read.insert(o);
            }
        }
        let pointer = data
            .results
            .first()
            .is_some_and(|&v| body.ty(v) == adjoin_ir::Type::Ptr);
        match (&data.op, base) {
            (Op::Addr(_), Some(o)) => drop(object.insert(data.results[0], o)),
            (Op::Cast, Some(o)) if pointer => drop(object.insert(data.results[0], o)),
            (Op::Cast, Some(o)) => drop(read.insert(o)),
            _ => {}
        }
    });
    writes.retain(|(o, _)| !read.contains(o));
    writes.into_iter().map(|(_, inst)| inst).collect()
}
