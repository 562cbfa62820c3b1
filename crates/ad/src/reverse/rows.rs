//! Shadow rows of matrices that are arrays of pointers: where it was tested that all are there, nothing else asks.

use crate::activity::Facts;
use crate::points_to::{Disjoint, Holder, Object, SOMEWHERE};
use adjoin_ir::{Body, Op, Type, Value, ValueDef};
use std::collections::HashMap;

/// Pointers to rows, and in rows, have a shadow wherever memory is accessed through them.
pub(super) fn there(p: &Body, disjoint: &Disjoint, facts: &mut Facts) {
    let parameters: Vec<Value> = (p.regions[p.entry].args.iter().enumerate())
        .filter(|&(k, _)| {
            disjoint.are_rows_apart(Object::Member(Holder::Parameter(k as u32), SOMEWHERE))
        })
        .map(|(_, &v)| v)
        .collect();
    if parameters.is_empty() {
        return;
    }
    let mut known = HashMap::new();
    let pointers: Vec<Value> = p.values.keys().filter(|&v| p.ty(v) == Type::Ptr).collect();
    for v in pointers {
        if is_row(p, &parameters, v, &mut known) == Some(true) {
            facts.shadow[v].none = false;
        }
    }
}

/// Is a pointer one to a row, or in one? `None`: it is NULL, which nothing is accessed through.
fn is_row(
    p: &Body,
    parameters: &[Value],
    v: Value,
    known: &mut HashMap<Value, Option<bool>>,
) -> Option<bool> {
    if let Some(&found) = known.get(&v) {
        return found;
    }
    let mut all = |values: &[Value]| {
        let each: Vec<Option<bool>> = (values.iter())
            .map(|&v| is_row(p, parameters, v, known))
            .collect();
        let some: Vec<bool> = each.into_iter().flatten().collect();
        (!some.is_empty()).then(|| some.iter().all(|&row| row))
    };
    let found = match p.values[v].def {
        _ if p.const_int(v) == Some(0) => None,
        ValueDef::Arg(..) => Some(false),
        ValueDef::Result(inst, k) => {
            let data = &p.insts[inst];
            match data.op {
                Op::Load(_) => Some(parameters.contains(&crate::activity::root(p, data.args[0]))),
                Op::Addr(_) => all(&data.args[..1]),
                Op::Cast if p.ty(data.args[0]) == Type::Ptr => all(&data.args[..1]),
                Op::Select => all(&data.args[1..]),
                Op::If => {
                    let given: Option<Vec<Value>> = (data.regions.iter())
                        .map(|&r| {
                            let end = &p.insts[p.terminator(r)?];
                            let yields = matches!(end.op, Op::Yield);
                            end.args.get(k as usize).copied().filter(|_| yields)
                        })
                        .collect();
                    match given {
                        Some(given) => all(&given),
                        None => Some(false),
                    }
                }
                _ => Some(false),
            }
        }
    };
    known.insert(v, found);
    found
}
