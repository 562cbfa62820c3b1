//! Numbers that a loop carries only to add to them.

use adjoin_ir::{Body, Inst, Op, Value};
use std::collections::HashMap;

/// The values of one sum, from the argument of the loop's region to what it yields. None: nothing is added to it.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// In order.
    pub values: Vec<Value>,
}

/// The sum that a loop carries in a slot, through loops inside it as well. `None`: it is not only added to.
pub fn chain(
    body: &Body,
    uses: &HashMap<Value, Vec<(Inst, usize)>>,
    holder: Inst,
    slot: usize,
) -> Option<Chain> {
    let end = body.terminator(body.insts[holder].regions[0])?;
    let arg = *body.regions[body.insts[holder].regions[0]].args.get(slot)?;
    if body.insts[end].args.get(slot - 1) == Some(&arg) {
        return Some(Chain::default());
    }
    let mut values = Vec::new();
    let mut loops: Vec<(Inst, usize)> = vec![(holder, slot)];
    let region = body.insts[holder].regions[0];
    let mut current = *body.regions[region].args.get(slot)?;
    if !body.ty(current).is_float() {
        return None;
    }
    loop {
        values.push(current);
        let [(user, operand)] = uses.get(&current)?.as_slice() else {
            return None;
        };
        let data = &body.insts[*user];
        let &(around, place) = loops.last()?;
        let here = body.insts[around].regions[0];
        if data.parent != here {
            return None;
        }
        match &data.op {
            Op::Add => current = data.results[0],
            Op::Sub if *operand == 0 => current = data.results[0],
            Op::For(_) if *operand >= 3 => {
                let inner = operand - 2;
                loops.push((*user, inner));
                current = *body.regions[data.regions[0]].args.get(inner)?;
            }
            Op::Yield if *operand + 1 == place => {
                loops.pop();
                if loops.is_empty() {
                    return Some(Chain { values });
                }
                current = *body.insts[around].results.get(place)?;
            }
            _ => return None,
        }
    }
}
