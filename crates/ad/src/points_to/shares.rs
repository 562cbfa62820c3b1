//! What is known of the share that a thread has of a loop's iterations (`adjoin_part`): it starts and ends between zero and the number of iterations, where there are any.

use super::PointsTo;
use adjoin_ir::{Body, Op, Type, Value};
use adjoin_passes::openmp;
use std::collections::HashMap;

impl PointsTo<'_> {
    /// Where shares start and end, also in the type of the loop's index, and of how many iterations.
    pub(super) fn shares(&self) -> HashMap<Value, Value> {
        let body = self.body;
        let mut shares = HashMap::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            match &data.op {
                Op::Call(attr) if self.module.funcs[attr.func].name == openmp::PART => {
                    shares.insert(data.results[0], data.args[0]);
                }
                Op::Cast if body.ty(data.results[0]) == Type::I32 => {
                    if let Some(&count) = shares.get(&data.args[0])
                        && is_int(body, count)
                    {
                        shares.insert(data.results[0], count);
                    }
                }
                _ => {}
            }
        });
        shares
    }
}

/// Is a number of iterations one that an `int` can hold? The iterations of a loop from zero or more to an `int`, which it passes by one at most.
fn is_int(body: &Body, count: Value) -> bool {
    if let Some(n) = body.const_int(count) {
        return i32::try_from(n).is_ok();
    }
    let Some(inst) = body.def_inst(count) else {
        return false;
    };
    let data = &body.insts[inst];
    let known = |k: usize| body.const_int(data.args[k]);
    match data.op {
        Op::Cast => matches!(
            body.ty(data.args[0]),
            Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32
        ),
        Op::Sub => known(1).is_some_and(|n| n >= 0) && is_int(body, data.args[0]),
        Op::Add => known(1) == Some(1) && is_int(body, data.args[0]),
        _ => false,
    }
}
