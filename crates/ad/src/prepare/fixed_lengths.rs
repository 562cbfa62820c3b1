//! Arrays of variable length whose length is a constant after all (`const int n = 3; double v[n];`, or what call sites show) become arrays of that length: they have parts, and need no heap.

use adjoin_ir::{Body, CTypes, Inst, Op};

/// Larger ones are left to the heap, which derivatives take them from.
const MOST_BYTES: u64 = 4096;
/// In loops each iteration then has memory of its own, which the reverse sweep can read again: only small ones, of which nothing may be left, are better off here.
const MOST_BYTES_IN_LOOPS: u64 = 128;

/// Says whether any was found.
pub fn run(types: &mut CTypes, body: &mut Body) -> bool {
    let mut found: Vec<(Inst, u64)> = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Op::SlotVla(attr) = &data.op else { return };
        let count = (body.const_int(data.args[0])).and_then(|n| u64::try_from(n).ok());
        let size = types.size_of(attr.ctype);
        if let (Some(count), Some(size)) = (count, size)
            && count > 0
            && count
                .checked_mul(size)
                .is_some_and(|n| n <= most(body, inst))
        {
            found.push((inst, count));
        }
    });
    for &(inst, count) in &found {
        let Op::SlotVla(attr) = &body.insts[inst].op else {
            continue;
        };
        let mut attr = attr.clone();
        attr.ctype = types.array(attr.ctype, Some(count));
        let pointer = types.pointer(attr.ctype);
        let v = body.result(inst);
        body.values[v].ctype = Some(pointer);
        body.insts[inst].op = Op::Slot(attr);
        body.insts[inst].args.clear();
    }
    !found.is_empty()
}

fn most(body: &Body, inst: Inst) -> u64 {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
            return MOST_BYTES_IN_LOOPS;
        }
        region = body.insts[holder].parent;
    }
    MOST_BYTES
}
