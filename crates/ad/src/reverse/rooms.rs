//! Small blocks that all live until the end of a derivative lie side by side in larger ones: arrays of variable size in loops, and shadows of what loops allocate.
//!
//! Works on finished derivatives, when nobody asks any more what is allocated where: a block that is noted to be freed at once when it is made is given back with all others of its list.

use super::support::{self, Runtime};
use adjoin_ir::{Body, CallAttr, Func, Inst, Module, Op, Region, Value};

/// Functions that allocate less often than this, and not in loops, are left as they are.
const FEWEST: usize = 3;

/// Gathers what can be gathered in all functions of a module.
pub(crate) fn gather(m: &mut Module) {
    let named = |m: &Module, name: &str| m.find_func(name);
    let (Some(zeroed), Some(later)) = (named(m, "adjoin_zeroed"), named(m, "adjoin_free_later"))
    else {
        return;
    };
    // A part of a block has no size of its own to ask for.
    let sizes = named(m, "malloc_usable_size");
    let bodies = || m.funcs.values().filter_map(|f| f.body.as_ref());
    if bodies().any(|body| sizes.is_some_and(|f| calls(body, f))) {
        return;
    }
    let found: Vec<(Func, Vec<(Inst, Inst)>)> = m
        .funcs
        .iter()
        .filter_map(|(func, f)| Some((func, pairs(f.body.as_ref()?, zeroed, later))))
        .filter(|(_, pairs)| !pairs.is_empty())
        .collect();
    if found.is_empty() {
        return;
    }
    let mut runtime = Runtime::declare(m);
    let room = support::room(m, &mut runtime);
    for (func, pairs) in found {
        let body = m.funcs[func].body.as_mut().expect("it has pairs");
        for (allocation, note) in pairs {
            let list = body.insts[note].args[0];
            move_up(body, list, allocation);
            let bytes = body.insts[allocation].args[0];
            body.insts[allocation].op = Op::Call(CallAttr {
                func: room,
                extra: Vec::new(),
            });
            body.insts[allocation].args = vec![list, bytes];
            let parent = body.insts[note].parent;
            body.regions[parent].insts.retain(|&i| i != note);
        }
    }
}

fn calls(body: &Body, func: Func) -> bool {
    let mut found = false;
    body.walk(|inst| found |= called(body, inst) == Some(func));
    found
}

fn called(body: &Body, inst: Inst) -> Option<Func> {
    match &body.insts[inst].op {
        Op::Call(attr) => Some(attr.func),
        _ => None,
    }
}

/// Allocations and the notes that follow them at once, where there are enough.
fn pairs(body: &Body, zeroed: Func, later: Func) -> Vec<(Inst, Inst)> {
    let mut all = Vec::new();
    let mut often = false;
    body.walk(|inst| {
        if called(body, inst) != Some(zeroed) {
            return;
        }
        let (parent, memory) = (body.insts[inst].parent, body.result(inst));
        let list = &body.regions[parent].insts;
        let rest = list.iter().skip_while(|&&i| i != inst).skip(1);
        let note = rest.copied().find(|&i| !is_cheap(body, i));
        let Some(note) = note.filter(|&i| called(body, i) == Some(later)) else {
            return;
        };
        if body.insts[note].args[1] == memory {
            often |= is_in_loop(body, parent);
            all.push((inst, note));
        }
    });
    if !often && all.len() < FEWEST {
        all.clear();
    }
    all
}

/// What may stand between the two.
fn is_cheap(body: &Body, inst: Inst) -> bool {
    let op = &body.insts[inst].op;
    op.is_pure() || matches!(op, Op::Store(_) | Op::Load(_))
}

fn is_in_loop(body: &Body, region: Region) -> bool {
    let mut region = region;
    while let Some(holder) = body.regions[region].parent {
        if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
            return true;
        }
        region = body.insts[holder].parent;
    }
    false
}

/// Sees to it that the address of the list is there when the memory is made.
fn move_up(body: &mut Body, list: Value, allocation: Inst) {
    let Some(inst) = body.def_inst(list) else {
        return;
    };
    let parent = body.insts[allocation].parent;
    let order = &body.regions[parent].insts;
    let place = |i: Inst| order.iter().position(|&other| other == i);
    if let (Some(from), Some(to)) = (place(inst), place(allocation))
        && from > to
    {
        let insts = &mut body.regions[parent].insts;
        insts.remove(from);
        insts.insert(to, inst);
    }
}
