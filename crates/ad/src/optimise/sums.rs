//! Removes reductions of parallel regions whose result nobody reads: the adjoint of a number that turned out to be constant.

use adjoin_ir::{Body, Clause, DataKind, Inst, Op, Value};
use adjoin_passes::edit::{set_region_args, unlink};
use std::collections::HashMap;

/// Removes them. Was there one?
pub fn run(body: &mut Body) -> bool {
    let mut uses: HashMap<Value, Vec<(Inst, usize)>> = HashMap::new();
    let mut regions = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        for (k, &v) in data.args.iter().enumerate() {
            uses.entry(v).or_default().push((inst, k));
        }
        if matches!(data.op, Op::Par(_)) && !data.regions.is_empty() {
            regions.push(inst);
        }
    });
    let stores = |v: Value, except: Inst| -> Option<Vec<Inst>> {
        let mut all = Vec::new();
        for &(user, k) in uses.get(&v).into_iter().flatten() {
            if user == except {
                continue;
            }
            match &body.insts[user].op {
                Op::Store(attr) if k == 0 && !attr.volatile => all.push(user),
                _ => return None,
            }
        }
        Some(all)
    };
    let mut removed = Vec::new();
    for inst in regions {
        let data = &body.insts[inst];
        let Op::Par(attr) = &data.op else { continue };
        let args = &body.regions[data.regions[0]].args;
        let (mut operand, mut argument) = (0, 0);
        for (k, clause) in attr.clauses.iter().enumerate() {
            let reduction = matches!(
                clause,
                Clause::Data {
                    kind: DataKind::Reduction(_),
                    section: false,
                    ..
                }
            );
            if reduction {
                let place = data.args[operand];
                let slot = body.def_inst(place);
                let is_slot = slot.is_some_and(|i| matches!(body.insts[i].op, Op::Slot(_)));
                let once = (uses.get(&place).into_iter().flatten()).filter(|u| u.0 == inst);
                if is_slot
                    && once.count() == 1
                    && let (Some(before), Some(inside)) =
                        (stores(place, inst), stores(args[argument], inst))
                {
                    removed.push((inst, [k, operand, argument], [before, inside].concat()));
                }
            }
            operand += clause.operands();
            argument += clause.region_args();
        }
    }
    // From behind, so that positions stay.
    for (inst, [clause, operand, argument], stores) in removed.iter().rev() {
        stores.iter().for_each(|&s| unlink(body, s));
        if let Op::Par(attr) = &mut body.insts[*inst].op {
            attr.clauses.remove(*clause);
        }
        body.insts[*inst].args.remove(*operand);
        let region = body.insts[*inst].regions[0];
        let mut args = body.regions[region].args.clone();
        args.remove(*argument);
        set_region_args(body, region, args);
    }
    !removed.is_empty()
}
