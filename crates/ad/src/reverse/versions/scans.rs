//! Scans of indices that a parallel region reads: all threads scan, too. On one thread a scan would be the part of a derivative that does not get faster with more of them.

use super::Emitter;
use adjoin_ir::{CTy, Clause, DataKind, Directive, Inst, Op, ReduceOp, Type, Value};

impl Emitter<'_, '_> {
    /// The smallest and the largest number that a load gives, of the iterations of the first of these loops, by a team.
    pub(super) fn scan_by_team(
        &mut self,
        load: Inst,
        loops: &[(Inst, bool)],
        so_far: [Value; 2],
        long: CTy,
    ) -> Option<[Value; 2]> {
        let (&(holder, true), rest) = loops.split_first()? else {
            return None;
        };
        let data = self.p.insts[holder].clone();
        let Op::For(attr) = data.op else {
            return None;
        };
        let bounds: Vec<Value> = data.args[..3].iter().map(|&v| self.primal(v)).collect();
        let before = self.values.clone();
        let names = ["least", "most"];
        let places = [0, 1].map(|k| {
            let place = self.b.slot(long, Some(names[k]));
            self.b.store(place, so_far[k]);
            place
        });
        let clauses = [ReduceOp::Min, ReduceOp::Max].into_iter().zip(names);
        let clauses = clauses.map(|(op, name)| Clause::Data {
            kind: DataKind::Reduction(op),
            ctype: long,
            name: name.to_string(),
            section: false,
        });
        let (_, region) = (self.b).par(Directive::ParallelFor, clauses.collect(), places.to_vec());
        let own = self.b.body.regions[region].args.clone();
        let outside = self.b.enter(region);
        let (_, inner) = self.b.for_(attr.pred, bounds[0], bounds[1], bounds[2], &[]);
        let counter = self.p.regions[data.regions[0]].args[0];
        let number = self.b.body.regions[inner].args[0];
        self.values.insert(counter, number);
        let back = self.b.enter(inner);
        let so_far = [own[0], own[1]].map(|place| self.b.load(Type::I64, place));
        let found = self.scan_loops(load, rest, so_far);
        for (place, v) in own.into_iter().zip(found) {
            self.b.store(place, v);
        }
        self.b.yield_(&[]);
        self.b.leave(back);
        self.b.yield_(&[]);
        self.b.leave(outside);
        self.values = before;
        Some(places.map(|place| self.b.load(Type::I64, place)))
    }
}
