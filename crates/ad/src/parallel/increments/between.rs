//! Copies of shadows that the region itself writes: they are summed up at barriers.
//!
//! What all threads read between two barriers nobody writes there. So R sums the copies up in front of the mirror of the barrier before: what wants the adjoint, or adds to it without a copy where others
//! wrote, comes behind that.

use super::{Decision, Extent, Read};
use crate::points_to::Object;
use adjoin_ir::Inst;
use std::collections::BTreeSet;

impl Decision<'_> {
    /// What is written that may overlap what is read, if that can be tested.
    pub(super) fn may_overlap(&mut self, members: &[usize]) -> Option<Vec<Extent>> {
        let mut others = Vec::new();
        for (_, writes) in self.written(members)? {
            let writes: Vec<Read> = writes.iter().map(|&w| self.writes[w].clone()).collect();
            let extent = self.extent(&writes)?;
            others.push(self.emittable(&extent)?);
        }
        Some(others)
    }

    /// The barriers in front of what is read: what other threads write, they write in front of these or behind the next. The copies are worth it only if each loop over shares reads all of them.
    pub(super) fn between(&self, members: &[usize]) -> Option<BTreeSet<Inst>> {
        let (team, body) = (self.team, self.team.body);
        if team.has_tasks() {
            return None;
        }
        let mut barriers = BTreeSet::new();
        for &k in members {
            let read = &self.reads[k];
            // A thread that writes there itself, between the same barriers, wants the adjoint at once. Variables of the threads are not the one that the copies are of.
            let wanted = |w: &Read| {
                team.points.shadows_may_overlap(&read.access, &w.access)
                    && team.concurrent(read.inst, w.inst)
            };
            if self.writes.iter().any(wanted) || self.is_of_threads(read) {
                return None;
            }
            let around = team.around(read.inst);
            let shared = around.iter().rfind(|p| team.share_of(p.0).is_some())?.1;
            let all = read.address.as_ref()?.bytes.atoms().all(|x| {
                let inside = |v| body.encloses(shared, body.def_region(v));
                self.terms.outer_value(x).is_some() || self.terms.data(x).value.is_some_and(inside)
            });
            if !all {
                return None;
            }
            barriers.extend(team.barriers_before(read.inst));
        }
        Some(barriers)
    }

    fn is_of_threads(&self, read: &Read) -> bool {
        let Some(address) = read.access.address else {
            return true;
        };
        let mut places = self.team.points.objects(address).iter();
        places.any(
            |p| matches!(p.object, Object::Global(g) if self.team.module.globals[g].thread_local),
        )
    }
}
