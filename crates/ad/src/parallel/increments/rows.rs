//! Copies for rows of an array of pointers that all threads go over alike: `b[k][j]` in a product of matrices.
//!
//! The rows lie wherever they do. So the copy of a thread has one row behind the other, and the reads of one row must say which it is: its pointer is read from the table at a place that can be computed
//! where the number is read.

use super::{Copies, Decision, MOST_UNUSED, Polynomial, Read};
use crate::activity::root;
use crate::parallel::poly::Poly;
use crate::parallel::terms::Base;
use crate::points_to::rows::unless_null;
use adjoin_ir::{Body, Inst, Op, Type, Value};
use std::collections::BTreeSet;

/// How far pointers in an array are from each other.
const POINTER: i128 = 8;

/// Where the pointer to the row of an address is read from its table.
pub fn row_at(body: &Body, address: Value) -> Option<Value> {
    let mut v = root(body, address);
    loop {
        let data = &body.insts[body.def_inst(v)?];
        v = match data.op {
            Op::Load(_) => return Some(data.args[0]),
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => root(body, data.args[0]),
            _ => root(body, unless_null(body, v)?),
        };
    }
}

/// Are all indices of an address known at an instruction?
fn is_known_at(body: &Body, address: Value, inst: Inst) -> bool {
    let home = body.insts[inst].parent;
    let known = |v: Value| body.const_int(v).is_some() || body.encloses(body.def_region(v), home);
    let mut v = address;
    while let Some(made) = body.def_inst(v)
        && matches!(body.insts[made].op, Op::Addr(_) | Op::Cast)
    {
        let args = &body.insts[made].args;
        if !args[1..].iter().all(|&index| known(index)) {
            return false;
        }
        v = args[0];
    }
    known(v)
}

impl Decision<'_> {
    /// The table whose rows a read goes over, as all threads do.
    pub(super) fn can_copy_rows(&self, k: usize) -> Option<(Base, Type)> {
        let read = &self.reads[k];
        let (address, row) = (read.address.as_ref()?, read.rows.first()?);
        let ty = self.may_copy(k, address)?;
        self.may_copy(k, row)?;
        self.terms.outer_value(row.base.0)?;
        let place = row_at(self.team.body, read.access.address?)?;
        is_known_at(self.team.body, place, read.inst).then_some((row.base, ty))
    }

    /// A copy of the rows that some reads of one table go over. Nothing that is written in the region may lie there.
    pub(super) fn copies_of_rows(&mut self, members: &[usize]) -> Option<Copies> {
        let reads: Vec<Read> = members.iter().map(|&k| self.reads[k].clone()).collect();
        let ty = reads.first()?.access.ty?;
        let (mut pointers, mut numbers) = (reads.clone(), reads);
        for read in &mut pointers {
            read.access.size = Some(POINTER as u64);
            read.address = Some(read.rows.first()?.clone());
        }
        for read in &mut numbers {
            let base = read.rows.first()?.base;
            read.address.as_mut()?.base = base;
        }
        let none = BTreeSet::new();
        let (base, first, behind) = self.extent_by(&pointers, &none, true)?;
        let (_, mut from, to) = self.extent_by(&numbers, &none, true)?;
        if (from.as_constant()).is_some_and(|n| (0..=MOST_UNUSED).contains(&n)) {
            from = Poly::default();
        }
        let (pointer, size) = (Poly::constant(POINTER), Poly::constant(ty.size().into()));
        let whole = |p: &Poly| p.is_multiple_of(&size);
        let mut addresses = numbers.iter().filter_map(|r| r.address.as_ref());
        let aligned = [&first, &behind].iter().all(|p| p.is_multiple_of(&pointer))
            && [&from, &to].into_iter().all(whole)
            && addresses.all(|a| whole(&a.bytes));
        if !aligned || !self.written(members)?.is_empty() {
            return None;
        }
        Some(Copies {
            extent: self.emittable(&(base, from, to))?,
            table: Some(self.emittable(&(base, first, behind))?),
            ty,
            unless_alone: false,
            between: BTreeSet::new(),
        })
    }
}

impl Copies {
    /// Of rows: the number of the first one, how many there are, the numbers of each, and how far these are from where its pointer leads.
    pub fn rows(&self) -> Option<[Polynomial; 4]> {
        let table = self.table.as_ref()?;
        let size = i128::from(self.ty.size());
        let length = |of: &super::Extent| of.to.plus_scaled(&of.from, -1);
        Some([
            table.from.divided(POINTER),
            length(table).divided(POINTER),
            length(&self.extent).divided(size),
            self.extent.from.divided(size),
        ])
    }
}
