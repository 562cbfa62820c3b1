//! What a body's stores and copies say of memory: which parts hold what was made as an integer, or are read.

use crate::points_to::{Offsets, Place, PointsTo};
use adjoin_ir::Value;
use std::collections::BTreeSet;

/// What says that integers lie in memory, or that it is read.
#[derive(Default)]
pub(super) struct Evidence {
    /// Where something made as an integer is stored, and its size; `None`: anything behind the pointer.
    pub made: Vec<(Value, Option<u64>)>,
    /// From where to where whatever is there is moved.
    pub copies: Vec<(Value, Value)>,
}

/// Parts of objects.
#[derive(Default)]
pub(super) struct Spots(pub BTreeSet<(Place, Option<u64>)>);

impl Spots {
    /// May an access there meet one of them?
    pub fn overlap(&self, points: &PointsTo<'_>, address: Value, size: u64) -> bool {
        points.objects(address).iter().any(|p| {
            let mut here = self.0.iter().filter(|(spot, _)| spot.object == p.object);
            here.any(|(spot, width)| spot.offsets.overlap(*width, p.offsets, Some(size)))
        })
    }
}

impl Evidence {
    /// All places that it speaks of, through copies.
    pub fn spots(&self, points: &PointsTo<'_>) -> Spots {
        let mut all = Spots::default();
        for &(v, size) in &self.made {
            let offsets = |p: &Place| size.map_or(Offsets::ANY, |_| p.offsets);
            let places = points.objects(v).iter();
            all.0.extend(places.map(|p| {
                (
                    Place {
                        offsets: offsets(p),
                        ..*p
                    },
                    size,
                )
            }));
        }
        loop {
            let before = all.0.len();
            for &(from, to) in &self.copies {
                let sources = points.objects(from);
                if all
                    .0
                    .iter()
                    .any(|(s, _)| sources.iter().any(|p| p.object == s.object))
                {
                    let offsets = Offsets::ANY;
                    let places = points.objects(to).iter();
                    all.0
                        .extend(places.map(|p| (Place { offsets, ..*p }, None)));
                }
            }
            if all.0.len() == before {
                return all;
            }
        }
    }
}
