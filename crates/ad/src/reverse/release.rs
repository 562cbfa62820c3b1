//! What goes at the end: memory that F was to free, and caches. For each thread of a parallel region that is the end of its part of the mirror.

use super::Reverse;
use super::caches::Layout;
use adjoin_ir::{Directive, Inst, Type, Value};
use std::collections::BTreeSet;

impl Reverse<'_> {
    /// The list of what is freed at the end of R, or at the end of a thread's part of a parallel region.
    pub(super) fn freed(&mut self) -> Value {
        let team = self.parallel.team;
        if let Some(&list) = self.freed.get(&team) {
            return list;
        }
        let t = super::support::freed_type(self.m);
        let size = self.m.types.size_of(t).unwrap_or(24);
        let entry = self.team_scope(team);
        let list = self.in_header(entry, |me| {
            let slot = me.b().slot(t, Some("freed"));
            me.b().zero(slot, size, Some(t));
            slot
        });
        self.freed.insert(team, list);
        list
    }

    /// Frees the caches, and before that what F was to free: at the end of R, and for each thread at the end of its part of a parallel region.
    pub(super) fn release_caches(&mut self) {
        for (team, end) in self.ends_of_teams() {
            let at = self.d.regions[end].insts.len() - 1;
            self.at_position(end, at, |me| me.release(Some(team)));
        }
        self.release(None);
    }

    fn release(&mut self, team: Option<Inst>) {
        let free = self.runtime.give;
        // The list may be the caller's.
        if let Some(&list) = self.freed.get(&team)
            && !(team.is_none() && self.borrowed_freed)
        {
            if team.is_some() {
                // Another thread may still be at work on what this one freed.
                self.b().par_alone(Directive::Barrier, vec![], vec![]);
            }
            let all = self.runtime.free_all(self.m);
            self.call(all, vec![list]);
        }
        let mut given = BTreeSet::new();
        for (key, cache) in self.caches.all.clone() {
            let on_heap = match cache.layout {
                Layout::Variable => false,
                Layout::Indexed { on_stack, .. } => !on_stack,
                Layout::Rows { .. } | Layout::Growing { .. } | Layout::Copies { .. } => true,
            };
            // Several may be members of the records of one array.
            if on_heap && self.team_of(self.home(key)) == team && given.insert(cache.data) {
                let data = self.b().load(Type::Ptr, cache.data);
                self.call(free, vec![data]);
            }
        }
    }
}
