//! Stores that another store follows, to the same place and before anything reads it: a shadow that is cleared and then set. Compilers remove them only if they can tell all other memory in between apart; and
//! clang before 17 makes wrong lanes of loops over structs that have such stores.

use super::promote::spelled;
use crate::Registry;
use crate::points_to::{Access, Disjoint, PointsTo};
use adjoin_ir::{Body, CTy, Inst, Module, Op, Region, Type, Value};
use adjoin_passes::edit;

/// A store whose place nothing reads before it.
struct Later {
    address: Value,
    ty: Type,
    access: Access,
}

/// Runs over a finished derivative of the given type.
pub fn run(module: &Module, registry: &Registry, ctype: CTy, body: &mut Body, known: &Disjoint) {
    let dead = {
        let points = PointsTo::of_type(module, registry, ctype, body).assuming(known);
        let mut dead = Vec::new();
        let mut regions = vec![body.entry];
        body.walk(|inst| {
            if !matches!(body.insts[inst].op, Op::Par(_)) {
                regions.extend(&body.insts[inst].regions);
            }
        });
        for region in regions {
            find(body, &points, region, &mut dead);
        }
        dead
    };
    for inst in dead {
        edit::unlink(body, inst);
    }
}

fn find(body: &Body, points: &PointsTo<'_>, region: Region, dead: &mut Vec<Inst>) {
    let mut later: Vec<Later> = Vec::new();
    for &inst in body.regions[region].insts.iter().rev() {
        let data = &body.insts[inst];
        match &data.op {
            Op::Store(attr) if !attr.volatile => {
                let ty = body.ty(data.args[1]);
                let address = data.args[0];
                let same = |l: &Later| {
                    l.address == address
                        || spelled(body, l.address, 8) == spelled(body, address, 8)
                        || points.distance(inst, address, l.address) == Some(0)
                };
                if later.iter().any(|l| l.ty == ty && same(l)) {
                    dead.push(inst);
                } else if let [access] = &points.writes(inst)[..] {
                    later.push(Later {
                        address,
                        ty,
                        access: access.clone(),
                    });
                }
            }
            op if op.is_pure() && data.regions.is_empty() => {}
            Op::Load(attr) if !attr.volatile => {
                let reads = points.reads(inst);
                later.retain(|l| !reads.iter().any(|r| points.may_alias(r, &l.access)));
            }
            // What is called, what branches and loops do.
            _ => later.clear(),
        }
    }
}
