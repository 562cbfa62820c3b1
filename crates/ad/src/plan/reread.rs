//! Which loads can be read again in the reverse sweep: memory holds the same as when it was read.

use super::lasting::{self, CallFacts};
use super::versions::Versions;
use crate::points_to::{Disjoint, PointsTo};
use adjoin_ir::{Body, CTy, Directive, Inst, Module, Op, Region, Type, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// For each load that cannot simply be read again: what stands in the way.
#[derive(Clone, Debug, Default)]
pub struct Rereads {
    blocked: HashMap<Inst, Blocked>,
    /// What could be kept as a whole instead.
    pub versions: Versions,
    /// Where else the values of loads are.
    pub handed: HashMap<Inst, Vec<super::handed::Source>>,
    /// Values that stores leave in memory until the end, and the stores.
    pub left: HashMap<Value, Inst>,
    /// For such values: stores that could only be undone if they were not left.
    pub left_against: HashMap<Value, BTreeSet<Inst>>,
    /// Stores to memory that others see: undone only where its final contents are put back at the end (`reverse/snapshots/finals`).
    pub outer: BTreeSet<Inst>,
    /// What calls that stay calls can rely on.
    pub calls: BTreeMap<Inst, CallFacts>,
}

/// What stands in the way of reading again.
#[derive(Clone, Debug)]
enum Blocked {
    /// It may change at any time.
    Always,
    /// This may write what was read.
    By(Inst),
    /// Only stores to memory that the body alone knows: undone in the reverse sweep, they do not stand in the way.
    Stores(Vec<Inst>),
}

/// Is an instruction in a construct that threads run one at a time, in any order?
pub(super) fn in_exclusive(body: &Body, inst: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if let Op::Par(attr) = &body.insts[holder].op {
            return attr.directive != Directive::Parallel;
        }
        region = body.insts[holder].parent;
    }
    false
}

impl Rereads {
    /// Looks at all loads of a prepared body, of a function of the given type. Between the halves of a `split` derivative anyone may write what is not
    /// the body's own and is not known to last. Of `fused` bodies of loops each iteration is undone when it is done.
    pub fn of(
        module: &Module,
        registry: &crate::Registry,
        ctype: CTy,
        body: &Body,
        disjoint: &Disjoint,
        split: Option<&CallFacts>,
        fused: &[Region],
    ) -> Rereads {
        let points = PointsTo::of_type(module, registry, ctype, body)
            .assuming(disjoint)
            .renewing(fused);
        let reread = adjoin_passes::registry::is_on("reread");
        let undo = adjoin_passes::registry::is_on("undo");
        let outer = match split {
            None if undo => super::outer::stores(module, registry, body, &points, fused),
            _ => BTreeSet::new(),
        };
        let can_undo = |writer: Inst| {
            let data = &body.insts[writer];
            undo && matches!(&data.op, Op::Store(attr) if !attr.volatile)
                && !matches!(body.ty(data.args[1]), Type::Ptr | Type::Bool)
                && (points.is_private(data.args[0]) || outer.contains(&writer))
                && !in_exclusive(body, writer)
        };
        let threads = lasting::has_threads(body);
        let mut rereads = Rereads::default();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let volatile = match &data.op {
                Op::Load(attr) => attr.volatile,
                Op::LoadBits(attr) => attr.volatile,
                _ => return,
            };
            let ty = matches!(data.op, Op::Load(_)).then(|| body.ty(data.results[0]));
            let lasts = split
                .is_none_or(|known| (known.lasting).covers(&points, data.args[0], ty, threads));
            if volatile || !reread || !lasts {
                rereads.blocked.insert(inst, Blocked::Always);
                return;
            }
            let writers = points.all_clobbers(inst, |w| !can_undo(w));
            let blocked = match writers.last() {
                None => return,
                Some(&last) if can_undo(last) => Blocked::Stores(writers),
                Some(&last) => Blocked::By(last),
            };
            rereads.blocked.insert(inst, blocked);
        });
        if reread && adjoin_passes::registry::is_on("call_sites") {
            rereads.calls = lasting::find(module, body, &points, split);
        }
        rereads.handed = adjoin_passes::registry::optional("forwarding", || {
            super::handed::find(body, &points, &rereads)
        });
        if reread {
            let lists = || {
                rereads
                    .blocked
                    .values()
                    .filter_map(|blocked| match blocked {
                        Blocked::Stores(stores) => Some(stores.as_slice()),
                        _ => None,
                    })
            };
            // What may be undone at the price of putting it back does not stand in the way of what is left.
            let is_outer = |stores: &&[Inst]| stores.iter().any(|s| outer.contains(s));
            let undone: BTreeSet<Inst> = (lists().filter(|l| !is_outer(l)))
                .flatten()
                .copied()
                .collect();
            let more: BTreeSet<Inst> = lists().filter(is_outer).flatten().copied().collect();
            let left = adjoin_passes::registry::optional("left", || {
                super::left::find(body, &points, split, &undone)
            });
            let against = left.iter().map(|(&v, &store)| {
                let back = |&s: &Inst| super::left::is_taken_back(body, &points, store, s);
                (v, more.iter().copied().filter(back).collect())
            });
            rereads.left_against = against.collect();
            rereads.left = left;
        }
        rereads.outer = outer;
        if adjoin_passes::registry::is_on("snapshots") {
            rereads.versions = Versions::find(module, body, &points, &rereads);
        }
        rereads
    }

    /// How many loads cannot simply be read again.
    pub fn count(&self) -> usize {
        self.blocked.len()
    }

    /// Can the load be read again?
    pub fn can(&self, load: Inst) -> bool {
        !self.blocked.contains_key(&load)
    }

    /// The stores that would have to be undone for a load to be read again.
    pub fn stores(&self, load: Inst) -> &[Inst] {
        match self.blocked.get(&load) {
            Some(Blocked::Stores(stores)) => stores,
            _ => &[],
        }
    }

    /// The first instruction that stands in the way of a load.
    pub fn blocker(&self, load: Inst) -> Option<Inst> {
        match self.blocked.get(&load)? {
            Blocked::Always => None,
            Blocked::By(writer) => Some(*writer),
            Blocked::Stores(stores) => stores.first().copied(),
        }
    }
}
