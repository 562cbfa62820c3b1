//! Which loads can be read again in the reverse sweep: memory holds the same as when it was read.

use crate::points_to::PointsTo;
use adjoin_ir::{Body, CTy, Inst, Module, Op};
use std::collections::HashMap;

/// For each load that cannot be read again: the instruction that stands in the way, if it is one.
#[derive(Clone, Debug, Default)]
pub struct Rereads {
    blocked: HashMap<Inst, Option<Inst>>,
}

impl Rereads {
    /// Looks at all loads of a prepared body, of a function of the given type. Between the halves of a `split` derivative anyone may write what is not
    /// the body's own.
    pub fn of(
        module: &Module,
        registry: &crate::Registry,
        ctype: CTy,
        body: &Body,
        split: bool,
    ) -> Rereads {
        let points = PointsTo::of_type(module, registry, ctype, body);
        let mut rereads = Rereads::default();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let volatile = match &data.op {
                Op::Load(attr) => attr.volatile,
                Op::LoadBits(attr) => attr.volatile,
                _ => return,
            };
            if volatile || (split && !points.is_private(data.args[0])) {
                rereads.blocked.insert(inst, None);
            } else if let Some(writer) = points.clobbers(inst) {
                rereads.blocked.insert(inst, Some(writer));
            }
        });
        rereads
    }

    /// Can the load be read again?
    pub fn can(&self, load: Inst) -> bool {
        !self.blocked.contains_key(&load)
    }

    /// What stands in the way of a load that cannot be read again.
    pub fn blocker(&self, load: Inst) -> Option<Inst> {
        self.blocked.get(&load).copied().flatten()
    }
}
