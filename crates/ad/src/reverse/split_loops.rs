//! The loops of a derivative in two halves are made fit for vectors while it is one body: there the memory behind its parameters is still told apart.

use super::Reverse;
use super::pairs::PairKey;
use crate::loops::{self, Known};
use crate::points_to::{Disjoint, Object};
use adjoin_ir::{CTy, Inst, Type};
use adjoin_passes::registry;

impl Reverse<'_> {
    /// Runs over both halves; R is a block.
    pub(super) fn halves_in_lanes(&mut self, block: Inst, ctype: CTy, key: &PairKey) {
        let apart = self.session.options.runtime_activity || key.parallel || self.has_teams();
        if apart || !registry::is_on("loops") {
            return;
        }
        let before = self.d.clone();
        adjoin_passes::narrow::run_in(self.m, &mut self.d);
        let known = Known {
            mirrored: self.mirrored.clone(),
            disjoint: self.told_apart(key),
            hands_on: self.session.options.hands_on,
            ..Known::default()
        };
        let (m, registry) = (&mut *self.m, &self.session.registry);
        let d = &mut self.d;
        registry::optional("loops", || {
            loops::run(m, registry, ctype, d, &known, &|_| None);
        });
        if !self.d.regions[self.d.entry].insts.contains(&block) {
            // Nothing is left of R: the halves are cut where it was.
            self.d = before;
        }
    }

    /// What is known of the memory behind the parameters: shadows are never the primal's memory.
    fn told_apart(&self, key: &PairKey) -> Disjoint {
        let args = &self.d.regions[self.d.entry].args;
        let (mut primals, mut shadows) = (Vec::new(), Vec::new());
        let mut at = 0u32;
        for (k, param) in key.params.iter().enumerate() {
            let pointer = args
                .get(at as usize)
                .is_some_and(|&v| self.d.ty(v) == Type::Ptr);
            if pointer {
                primals.push((k as u32, Object::Parameter(at)));
            }
            at += 1;
            if param.has_shadow() {
                if pointer {
                    shadows.push((k as u32, Object::Parameter(at)));
                }
                at += 1;
            }
        }
        let mut known = Disjoint::default();
        for &(_, a) in &primals {
            shadows.iter().for_each(|&(_, b)| known.add(a, b));
        }
        let facts = &key.facts;
        for (list, pairs) in [(&primals, &facts.disjoint), (&shadows, &facts.shadows)] {
            for (n, &(j, a)) in list.iter().enumerate() {
                for &(k, b) in &list[n + 1..] {
                    if pairs.contains(&(j, k)) {
                        known.add(a, b);
                    }
                }
            }
        }
        known
    }
}
