//! Loops that lanes would slow down: each iteration writes several places of a large struct or a long row (`row[j][0] += …; row[j][1] += …;`), and the places of neighbouring iterations are
//! far apart. A compiler that makes lanes of such iterations scatters, one element after the other; left alone it writes the neighbours within one iteration together.

use crate::points_to::dependence::Dependence;
use adjoin_ir::{Body, Inst, Op, Region};

/// Compilers put elements of so many neighbouring iterations together by shuffling; farther apart they scatter.
const LARGEST_GROUP: u64 = 8;
/// So many places that are scattered are worse than no lanes.
const LEAST_STORES: usize = 2;

/// Marks these loops.
pub fn run(body: &mut Body) {
    let mut found: Vec<Inst> = Vec::new();
    let dependence = Dependence::default();
    body.walk(|inst| {
        if matches!(&body.insts[inst].op, Op::For(attr) if !attr.independent)
            && is_scattered(body, &dependence, inst)
        {
            found.push(inst);
        }
    });
    for inst in found {
        if let Op::For(attr) = &mut body.insts[inst].op {
            attr.in_turn = true;
        }
    }
}

fn is_scattered(body: &Body, dependence: &Dependence, holder: Inst) -> bool {
    let mut stores = Vec::new();
    let region = body.insts[holder].regions[0];
    if !collect(body, region, &mut stores) || stores.len() < LEAST_STORES {
        return false;
    }
    let index = body.regions[region].args[0];
    let (mut scattered, mut near) = (0, 0);
    for inst in stores {
        let [address, value] = body.insts[inst].args[..] else {
            return false;
        };
        let size = body.ty(value).size();
        match dependence.stride(body, inst, address, index) {
            Some(0) => {}
            Some(n) if n.unsigned_abs() <= LARGEST_GROUP * size => near += 1,
            Some(_) => scattered += 1,
            None => return false,
        }
    }
    scattered >= LEAST_STORES && scattered > 2 * near
}

/// The stores in a region and its branches. Whether it has no loops and calls in it: compilers make lanes of innermost loops.
fn collect(body: &Body, region: Region, stores: &mut Vec<Inst>) -> bool {
    body.regions[region].insts.iter().all(|&inst| {
        let data = &body.insts[inst];
        if let Op::Store(_) = data.op {
            stores.push(inst);
        }
        let simple = !matches!(
            data.op,
            Op::For(_) | Op::Loop | Op::Call(_) | Op::CallIndirect(_)
        );
        simple && data.regions.iter().all(|&r| collect(body, r, stores))
    })
}
