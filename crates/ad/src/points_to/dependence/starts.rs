//! Where two addresses are computed from: one pointer, the rows of one array, or a pointer that may be the other.

use super::{Case, Dependence, Relation, Start};
use crate::plan::polynomial::Polynomial;
use crate::points_to::PointsTo;
use crate::points_to::rows::unless_null;
use adjoin_ir::{Op, Type, Value};
use std::collections::HashMap;

impl PointsTo<'_> {
    /// Pointers that are one of two, which lead to different memory: a thread's copy of some memory, or that memory.
    pub(in crate::points_to) fn choices(&self) -> HashMap<Value, [Value; 2]> {
        let mut found = HashMap::new();
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            if !matches!(data.op, Op::Select) || self.body.ty(data.results[0]) != Type::Ptr {
                return;
            }
            let (a, b) = (data.args[1], data.args[2]);
            let apart = self.objects(a).iter().all(|p| {
                let mut others = self.objects(b).iter();
                others.all(|q| !self.objects_may_overlap(p.object, q.object))
            });
            if apart {
                found.insert(data.results[0], [a, b]);
            }
        });
        found
    }
}

impl Dependence {
    /// The offsets of two addresses from one pointer.
    pub(super) fn offsets_from_start(
        &self,
        case: &Case<'_>,
        first: Value,
        second: Value,
    ) -> Option<(Polynomial, Polynomial)> {
        let (base, offset) = case.address(first, false)?;
        let (other, other_offset) = case.address(second, true)?;
        if base == other {
            return Some((offset, other_offset));
        }
        // What one of two leads to is not what the other leads to: they only meet if it is the one that both are computed from.
        if let Some(more) = self.if_chosen(case, &base, &other, false) {
            return Some((offset.plus(&more)?, other_offset));
        }
        let more = self.if_chosen(case, &other, &base, true)?;
        Some((offset, other_offset.plus(&more)?))
    }

    /// If a pointer that is one of two is the given one: how far it is from there.
    fn if_chosen(
        &self,
        case: &Case<'_>,
        chosen: &Start,
        given: &Start,
        second: bool,
    ) -> Option<Polynomial> {
        let Start::Value(v) = chosen else { return None };
        // Only one of the two starts there: they lead to different memory.
        let starts = self.choices.get(v)?.map(|a| case.address(a, second));
        let mut known = starts.into_iter().flatten();
        known
            .find(|(start, _)| start == given)
            .map(|(_, more)| more)
    }

    /// The offsets of two addresses in rows of one array, which only meet if it is the same row.
    pub(super) fn in_rows(
        &self,
        case: &mut Case<'_>,
        first: Value,
        second: Value,
    ) -> Option<(Polynomial, Polynomial)> {
        let (row, offset) = self.row_of(case, first, false)?;
        let (other_row, other_offset) = self.row_of(case, second, true)?;
        let (base, place) = case.address(row, false)?;
        let (other, other_place) = case.address(other_row, true)?;
        if base != other {
            return None;
        }
        let distance = place.minus(&other_place)?;
        case.bound(&distance)?;
        case.facts.push((distance, Relation::Zero));
        Some((offset, other_offset))
    }

    /// Where the pointer to the row of an address is, and the offset in the row.
    fn row_of(&self, case: &Case<'_>, address: Value, second: bool) -> Option<(Value, Polynomial)> {
        let (v, offset) = case.steps(address, second)?;
        let (row, more) = self.row_behind(case, v, second)?;
        Some((row, offset.plus(&more)?))
    }

    fn row_behind(&self, case: &Case<'_>, v: Value, second: bool) -> Option<(Value, Polynomial)> {
        let body = case.body;
        let data = &body.insts[body.def_inst(v)?];
        let behind = |v: Value| {
            let (start, offset) = case.steps(v, second)?;
            let (row, more) = self.row_behind(case, start, second)?;
            Some((row, offset.plus(&more)?))
        };
        if let Some(used) = unless_null(body, v) {
            return behind(used);
        }
        match &data.op {
            Op::Load(_) if self.rows.contains(&body.def_inst(v)?) => {
                Some((data.args[0], Polynomial::default()))
            }
            // What is not in a row of the array never meets what is.
            Op::Select if self.choices.contains_key(&v) => {
                match [behind(data.args[1]), behind(data.args[2])] {
                    [Some(row), None] | [None, Some(row)] => Some(row),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
