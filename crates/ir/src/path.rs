//! The C path of an address: which C type each step arrives at. Printer and parser use it to leave out what follows from
//! the types, the verifier to check that the steps fit them, the emitter to print `x[i].pos[2]`.

use crate::attr::Step;
use crate::ctype::{CTy, CTypeKind, CTypes, Record};

/// A place along a path.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    types: &'a CTypes,
    /// The C type of the object at the current address; `None` once a step has left the C path.
    pub at: Option<CTy>,
    /// Nothing has been stepped over yet: the next `Index` steps over whole objects of type `at`.
    first: bool,
}

impl<'a> Path<'a> {
    /// The start of a path at a pointer to `pointee`.
    pub fn new(types: &'a CTypes, pointee: CTy) -> Self {
        Path {
            types,
            at: Some(pointee),
            first: true,
        }
    }

    /// A path that has come to `at`; `first` if no step was taken yet.
    pub(crate) fn at(types: &'a CTypes, at: Option<CTy>, first: bool) -> Self {
        Path { types, at, first }
    }

    /// What an `Index` here would step over.
    pub fn element(&self) -> Option<CTy> {
        if self.first {
            self.at
        } else {
            self.types.element(self.at?)
        }
    }

    /// The stride of an `Index` here, where it is a constant. (GNU C: a function counts as one byte.)
    pub fn stride(&self) -> Option<u64> {
        let element = self.element()?;
        match self.types.shape(element) {
            CTypeKind::Function { .. } => Some(1),
            _ => self.types.size_of(element),
        }
    }

    /// The record whose members a `Field` here can name.
    pub fn record(&self) -> Option<Record> {
        self.types.record(self.at?)
    }

    /// Takes a step. A step that the C type does not have leads off the path.
    pub fn step(&mut self, step: &Step) {
        self.at = match *step {
            Step::Index { .. } | Step::IndexDyn => self.element(),
            Step::Field { record, field, .. } => {
                let fields = self
                    .types
                    .records
                    .get(record)
                    .and_then(|r| r.fields.as_ref());
                fields.and_then(|f| f.get(field as usize)).map(|f| f.ty)
            }
            Step::Bytes(_) => None,
        };
        self.first = false;
    }
}
