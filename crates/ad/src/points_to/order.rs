//! What can run after what: from the region tree alone.

use adjoin_ir::{Body, Directive, Inst, Op, Region};
use cranelift_entity::SecondaryMap;

/// Where each instruction stands in its region.
#[derive(Debug, Default)]
pub struct Order {
    position: SecondaryMap<Inst, u32>,
    /// The regions around what is in a region, outermost first and itself last.
    paths: SecondaryMap<Region, Vec<Region>>,
}

impl Order {
    /// Looks at a body.
    pub fn of(body: &Body) -> Order {
        let mut order = Order::default();
        for (number, region) in body.regions.iter() {
            order.paths[number] = Self::path(body, number);
            for (k, &inst) in region.insts.iter().enumerate() {
                order.position[inst] = k as u32;
            }
        }
        order
    }

    /// Where an instruction stands in the list of its region.
    pub fn position(&self, inst: Inst) -> usize {
        self.position[inst] as usize
    }

    fn path(body: &Body, region: Region) -> Vec<Region> {
        let mut path = vec![region];
        while let Some(outer) = body.parent_region(path[path.len() - 1]) {
            path.push(outer);
        }
        path.reverse();
        path
    }

    /// Can `later` run after `first` has run, in the same iteration of all loops around both?
    pub fn follows_at_once(&self, body: &Body, first: Inst, later: Inst) -> bool {
        let path = |inst: Inst| self.paths[body.insts[inst].parent].as_slice();
        let (a, b) = (path(first), path(later));
        let common = a.iter().zip(b).take_while(|(x, y)| x == y).last();
        self.can_follow(body, first, later, common.map(|(&r, _)| r))
    }

    /// Can `later` run after `first` has run? Loops around both count if they are inside `within` (all loops, if it is `None`).
    pub fn can_follow(
        &self,
        body: &Body,
        first: Inst,
        later: Inst,
        within: Option<Region>,
    ) -> bool {
        let path = |inst: Inst| self.paths[body.insts[inst].parent].as_slice();
        let (a, b) = (path(first), path(later));
        let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let mut counts = within.is_none();
        for &region in &a[..common] {
            let repeats = body.regions[region].parent.is_some_and(|holder| {
                match &body.insts[holder].op {
                    Op::For(_) | Op::Loop => true,
                    // Threads that touch the same memory do so in the order of the program, with a barrier in between, or one at a time.
                    Op::Par(attr) => {
                        attr.directive != Directive::Parallel || is_exclusive(body, later, holder)
                    }
                    _ => false,
                }
            });
            if counts && repeats {
                return true;
            }
            counts |= within == Some(region);
        }
        // In the innermost common region they stand at two places, or inside of one.
        let at = |path: &[Region], inst: Inst| match path.get(common) {
            Some(&inner) => body.regions[inner].parent.unwrap_or(inst),
            None => inst,
        };
        let (x, y) = (at(a, first), at(b, later));
        if x != y {
            return self.position[y] > self.position[x];
        }
        match (a.get(common), b.get(common)) {
            (Some(&ra), Some(&rb)) => {
                let holder = &body.insts[x];
                let index = |r: Region| holder.regions.iter().position(|&h| h == r);
                match holder.op {
                    Op::If => false,
                    Op::Switch(_) => index(rb) > index(ra),
                    _ => true,
                }
            }
            // The same instruction, or one that holds the other.
            (None, None) => false,
            _ => true,
        }
    }
}

/// Is an instruction in a part of a team's region that threads run one at a time, in any order?
pub fn is_exclusive(body: &Body, inst: Inst, team: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if holder == team {
            return false;
        }
        if matches!(&body.insts[holder].op, Op::Par(attr) if attr.directive != Directive::Parallel)
        {
            return true;
        }
        region = body.insts[holder].parent;
    }
    false
}
