//! Work whose results nothing reads any more: the last update of an array that then goes. Nobody wants its derivative either, and where its numbers overflow, adjoints of zero would meet
//! infinite partials.
//!
//! Only code outside of loops is looked at, from its end: what runs behind an instruction is then what was looked at before.

use crate::Registry;
use crate::points_to::{Access, Disjoint, PointsTo};
use adjoin_ir::{Body, CTy, Inst, Module, Op, Region, Value};
use adjoin_passes::edit;
use std::collections::BTreeSet;

/// Removes it. Was there any?
pub fn run(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    known: &Disjoint,
) -> bool {
    adjoin_passes::registry::optional("forgotten", || {
        let points = PointsTo::of_type(module, registry, ctype, body).assuming(known);
        let mut found = Found {
            body,
            points: &points,
            read: Vec::new(),
            used: BTreeSet::new(),
            dead: Vec::new(),
        };
        found.look_at(body.entry);
        let dead = found.dead;
        drop(points);
        for &inst in &dead {
            edit::unlink(body, inst);
        }
        !dead.is_empty()
    })
}

/// What is known of the code behind an instruction.
struct Found<'a> {
    body: &'a Body,
    points: &'a PointsTo<'a>,
    /// What it reads.
    read: Vec<Access>,
    /// Which values it uses.
    used: BTreeSet<Value>,
    dead: Vec<Inst>,
}

impl Found<'_> {
    fn look_at(&mut self, region: Region) {
        for &inst in self.body.regions[region].insts.iter().rev() {
            let data = &self.body.insts[inst];
            if self.is_forgotten(inst) {
                self.dead.push(inst);
            } else if matches!(data.op, Op::If) {
                // What one arm reads, the other may not forget: that is less than could be, but it is right.
                for &arm in &data.regions {
                    self.look_at(arm);
                }
                self.used.extend(&data.args);
            } else {
                self.keep(inst);
            }
        }
    }

    /// An instruction stays, with all that is in it.
    fn keep(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        self.used.extend(&data.args);
        self.read.extend(self.points.reads(inst));
        // An aggregate is returned by its address.
        if matches!(data.op, Op::Return) {
            let returned = data.args.iter().map(|&v| Access::bytes(v, None));
            self.read.extend(returned);
        }
        for &region in &data.regions {
            for &inner in &self.body.regions[region].insts {
                self.keep(inner);
            }
        }
    }

    /// Does an instruction only write what nothing behind it reads?
    fn is_forgotten(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let whole = matches!(
            data.op,
            Op::For(_) | Op::If | Op::Store(_) | Op::Zero(_) | Op::Copy(_)
        );
        let wanted = data.results.iter().any(|v| self.used.contains(v));
        whole && !wanted && self.only_writes(inst, inst)
    }

    fn only_writes(&self, inst: Inst, whole: Inst) -> bool {
        let data = &self.body.insts[inst];
        let fits = match &data.op {
            Op::Load(attr) => !attr.volatile,
            Op::Store(attr) => !attr.volatile && self.is_unread(inst),
            Op::Copy(_) | Op::Zero(_) => self.is_unread(inst),
            Op::For(_) | Op::If | Op::Switch(_) | Op::Yield | Op::Slot(_) => true,
            Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => {
                *t == whole || edit::is_inside(self.body, *t, whole)
            }
            Op::Call(_) => self.points.is_rule(inst) && self.points.writes(inst).is_empty(),
            op => op.is_pure(),
        };
        let inner = data
            .regions
            .iter()
            .flat_map(|&r| &self.body.regions[r].insts);
        fits && inner.copied().all(|i| self.only_writes(i, whole))
    }

    /// Does nothing read what an instruction writes, in memory that only the body knows?
    fn is_unread(&self, inst: Inst) -> bool {
        let own = |v: Value| {
            let places = self.points.objects(v);
            let alone = |o| !self.points.is_shown(o) && !self.points.outlives_beyond_globals(o);
            !places.is_empty() && (places.iter()).all(|p| p.object.is_local() && alone(p.object))
        };
        self.points.writes(inst).iter().all(|write| {
            write.address.is_some_and(own)
                && !(self.read.iter()).any(|read| self.points.may_alias(read, write))
        })
    }
}
