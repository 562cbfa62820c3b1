//! Scans of indices: the loops around a load, ahead of all else, for the smallest and the largest number that it gives.
//!
//! Short rows that follow each other (`k` from `starts[i]` to `starts[i + 1]`) are scanned as one run: compilers take a long loop in lanes.
//! Of a parallel region all threads scan, too: on one thread a scan would be the part of a derivative that does not get faster with more of them.

use super::Emitter;
use adjoin_ir::{
    CTy, Clause, DataKind, Directive, Inst, Op, Pred, ReduceOp, Type, Value, ValueDef,
};

/// The loops around a load, outermost first, and whether what is looked at depends on their counters.
type Loops = Vec<(Inst, bool)>;

/// What a team shares out of a loop that looks at rows in runs: more than there are threads, mostly.
const BLOCKS: i128 = 64;

impl Emitter<'_, '_> {
    /// The smallest and the largest number that each load gives, of the iterations of the first of its loops, by a team.
    ///
    /// The loads have this first loop in common: one region looks at all of them.
    fn scan_by_team(
        &mut self,
        loads: &[(Inst, Loops)],
        so_far: [Value; 2],
        long: CTy,
    ) -> Option<Vec<[Value; 2]>> {
        let &(holder, true) = loads.first()?.1.first()? else {
            return None;
        };
        let data = self.p.insts[holder].clone();
        let Op::For(attr) = data.op else {
            return None;
        };
        self.of_team = false;
        let bounds: Vec<Value> = data.args[..3].iter().map(|&v| self.primal(v)).collect();
        let before = self.values.clone();
        let kinds = [(ReduceOp::Min, "least"), (ReduceOp::Max, "most")];
        let (mut places, mut clauses) = (Vec::new(), Vec::new());
        for _ in loads {
            for (&(op, name), start) in kinds.iter().zip(so_far) {
                let place = self.b.slot(long, Some(name));
                self.b.store(place, start);
                places.push(place);
                clauses.push(Clause::Data {
                    kind: DataKind::Reduction(op),
                    ctype: long,
                    name: name.to_string(),
                    section: false,
                });
            }
        }
        let (_, region) = (self.b).par(Directive::ParallelFor, clauses, places.clone());
        let own = self.b.body.regions[region].args.clone();
        let outside = self.b.enter(region);
        let counter = self.p.regions[data.regions[0]].args[0];
        let counts_up = attr.pred == Pred::Lt && self.p.const_int(data.args[2]) == Some(1);
        if counts_up && loads.iter().any(|(load, loops)| self.runs(*load, loops)) {
            self.scan_blocks(loads, counter, [bounds[0], bounds[1]], &own);
        } else {
            let (_, inner) = self.b.for_(attr.pred, bounds[0], bounds[1], bounds[2], &[]);
            let number = self.b.body.regions[inner].args[0];
            self.values.insert(counter, number);
            let back = self.b.enter(inner);
            for ((load, loops), own) in loads.iter().zip(own.chunks(2)) {
                let so_far = pair(own).map(|place| self.b.load(Type::I64, place));
                let found = self.scan_loops(*load, &loops[1..], &so_far);
                for (&place, v) in own.iter().zip(found) {
                    self.b.store(place, v);
                }
            }
            self.b.yield_(&[]);
            self.b.leave(back);
        }
        self.b.yield_(&[]);
        self.b.leave(outside);
        self.values = before;
        let mut look = |own: &[Value]| pair(own).map(|place| self.b.load(Type::I64, place));
        Some(places.chunks(2).map(&mut look).collect())
    }

    /// The iterations of a team's loop in blocks of neighbours, so that rows can be looked at in runs.
    fn scan_blocks(
        &mut self,
        loads: &[(Inst, Loops)],
        counter: Value,
        [first, end]: [Value; 2],
        places: &[Value],
    ) {
        let ty = self.b.body.ty(first);
        let [from, to] = [first, end].map(|v| self.b.cast(Type::I64, v));
        let [zero, one, blocks] = [0, 1, BLOCKS].map(|n| self.b.int(Type::I64, n));
        let runs = self.b.lt(first, end);
        let count = self.b.sub(to, from);
        let count = self.b.select(runs, count, zero);
        let (_, outer) = self.b.for_(Pred::Lt, zero, blocks, one, &[]);
        let block = self.b.body.regions[outer].args[0];
        let around = self.b.enter(outer);
        let behind = self.b.add(block, one);
        let ends = [block, behind].map(|k| {
            let before = self.b.mul(count, k);
            let before = self.b.div(before, blocks);
            let at = self.b.add(from, before);
            self.b.cast(ty, at)
        });
        let rows: Vec<Option<Inst>> = loads
            .iter()
            .map(|(load, loops)| {
                let row = loops.last().map(|&(row, _)| row);
                row.filter(|_| loops.len() > 1 && self.runs(*load, loops))
            })
            .collect();
        let mut carried = Vec::new();
        for (row, own) in rows.iter().zip(places.chunks(2)) {
            if let Some(row) = *row {
                let ty = self.p.ty(self.p.insts[row].args[0]);
                let zero = self.b.int(ty, 0);
                carried.extend([zero, zero]);
            }
            carried.extend(pair(own).map(|place| self.b.load(Type::I64, place)));
        }
        let step = self.b.int(ty, 1);
        let (inst, inner) = self.b.for_(Pred::Lt, ends[0], ends[1], step, &carried);
        let args = self.b.body.regions[inner].args.clone();
        self.values.insert(counter, args[0]);
        let back = self.b.enter(inner);
        let (mut found, mut so_far) = (Vec::new(), &args[1..]);
        for (row, (load, loops)) in rows.iter().zip(loads) {
            let (its, others) = so_far.split_at(if row.is_some() { 4 } else { 2 });
            self.row = *row;
            found.extend(self.scan_loops(*load, &loops[1..], its));
            self.row = None;
            so_far = others;
        }
        self.b.yield_(&found);
        self.b.leave(back);
        let results = self.b.body.insts[inst].results[1..].to_vec();
        let mut so_far = &results[..];
        for ((row, (load, _)), own) in rows.iter().zip(loads).zip(places.chunks(2)) {
            let (its, others) = so_far.split_at(if row.is_some() { 4 } else { 2 });
            let found = match *row {
                Some(row) => self.scan_run(*load, row, its),
                None => pair(its),
            };
            for (&place, v) in own.iter().zip(found) {
                self.b.store(place, v);
            }
            so_far = others;
        }
        self.b.yield_(&[]);
        self.b.leave(around);
    }

    /// The smallest and the largest number that a load of the body gives: the loops around it, ahead of all else.
    pub(super) fn scan(&mut self, load: Inst) -> [Value; 2] {
        let load = self.covering.get(&load).copied().unwrap_or(load);
        if let Some(&found) = self.scanned.get(&load) {
            return found;
        }
        let scan = self.footprints.and_then(|f| f.scans.get(&load));
        let loops = scan.map(|s| s.loops.clone()).unwrap_or_default();
        let outside = self.values.clone();
        self.of_team = scan.is_some_and(|s| !s.shares.is_empty());
        let together = self.beside(load);
        self.enter_shares(load);
        let none = [i64::MAX, i64::MIN].map(|n| self.b.int(Type::I64, n.into()));
        let by_team = (self.long.filter(|_| together.len() > 1))
            .and_then(|long| self.scan_together(&together, none, long));
        if let Some(found) = by_team {
            self.values = outside;
            for (&(load, _), found) in together.iter().zip(found) {
                self.keep_scan(load, found);
            }
            return self.scanned[&load];
        }
        let in_runs = !self.of_team && self.runs(load, &loops);
        let found = match loops.last() {
            Some(&(row, _)) if in_runs => self.scan_runs(load, row, &loops, none),
            _ => pair(&self.scan_loops(load, &loops, &none)),
        };
        self.values = outside;
        self.keep_scan(load, found)
    }

    /// If nothing is read, any number will do.
    fn keep_scan(&mut self, load: Inst, [least, most]: [Value; 2]) -> [Value; 2] {
        let zero = self.b.int(Type::I64, 0);
        let some = self.b.le(least, most);
        let found = [least, most].map(|v| self.b.select(some, v, zero));
        self.scanned.insert(load, found);
        found
    }

    /// A load and those that the same team scans in the same loop, with the loops around each.
    fn beside(&self, load: Inst) -> Vec<(Inst, Loops)> {
        let scans = self.footprints.map(|f| &f.scans);
        let Some(first) = scans.and_then(|s| s.get(&load)).filter(|_| self.of_team) else {
            return Vec::new();
        };
        let Some(shared) = first.loops.iter().position(|&(_, counts)| counts) else {
            return Vec::new();
        };
        let shared = &first.loops[..=shared];
        let others = scans.into_iter().flatten().filter(|(l, scan)| {
            let alone = !self.covering.contains_key(l) && !self.scanned.contains_key(l);
            **l == load || alone && scan.shares == first.shares && scan.loops.starts_with(shared)
        });
        others.map(|(&l, scan)| (l, scan.loops.clone())).collect()
    }

    /// Loads whose loops have the first one that counts in common, and all around it.
    fn scan_together(
        &mut self,
        loads: &[(Inst, Loops)],
        so_far: [Value; 2],
        long: CTy,
    ) -> Option<Vec<[Value; 2]>> {
        let &(holder, counts) = loads[0].1.first()?;
        if counts {
            return self.scan_by_team(loads, so_far, long);
        }
        let data = self.p.insts[holder].clone();
        let Op::For(attr) = data.op else {
            return None;
        };
        let inner: Vec<_> = loads
            .iter()
            .map(|(l, loops)| (*l, loops[1..].to_vec()))
            .collect();
        let bounds = [0, 1].map(|k| self.primal(data.args[k]));
        let runs = self.does_run(attr.pred, bounds[0], bounds[1]);
        let none = so_far.repeat(loads.len());
        let types = self.types(&none);
        let (inst, then, otherwise) = self.b.if_(runs, &types);
        let back = self.b.enter(then);
        let before = self.values.clone();
        let found = self.scan_together(&inner, so_far, long);
        self.values = before;
        self.b
            .yield_(&found.as_ref().map_or(none.clone(), |f| f.concat()));
        self.b.leave(back);
        self.b.inside(otherwise, |b| b.yield_(&none));
        let results = self.b.body.insts[inst].results.clone();
        found.map(|_| results.chunks(2).map(pair).collect())
    }

    /// Loops over the share of a thread are over all iterations.
    pub(super) fn enter_shares(&mut self, load: Inst) {
        let scan = self.footprints.and_then(|f| f.scans.get(&load));
        let shares = scan.map(|s| s.shares.clone()).unwrap_or_default();
        for (first, end, count) in shares {
            let zero = self.b.int(Type::I64, 0);
            self.values.insert(first, zero);
            let count = self.primal(count);
            self.values.insert(end, count);
        }
    }

    /// Goes on with what was found so far, and says what is found then.
    fn scan_loops(&mut self, load: Inst, loops: &[(Inst, bool)], so_far: &[Value]) -> Vec<Value> {
        let Some((&(holder, counts), rest)) = loops.split_first() else {
            return self.look(load, pair(so_far)).to_vec();
        };
        if self.row == Some(holder) {
            return self.extend_run(load, holder, so_far);
        }
        if counts
            && self.of_team
            && let Some(long) = self.long
        {
            self.of_team = false;
            let alone = [(load, loops.to_vec())];
            if let Some(found) = self.scan_by_team(&alone, pair(so_far), long) {
                return found[0].to_vec();
            }
        }
        let data = self.p.insts[holder].clone();
        let Op::For(attr) = data.op else {
            return self.scan_branch(load, holder, rest, so_far);
        };
        let bounds: Vec<Value> = data.args[..3].iter().map(|&v| self.primal(v)).collect();
        let before = self.values.clone();
        let (inst, results) = if counts {
            let (inst, region) = self
                .b
                .for_(attr.pred, bounds[0], bounds[1], bounds[2], so_far);
            let args = self.b.body.regions[region].args.clone();
            let counter = self.p.regions[data.regions[0]].args[0];
            self.values.insert(counter, args[0]);
            let back = self.b.enter(region);
            let found = self.scan_loops(load, rest, &args[1..]);
            self.b.yield_(&found);
            self.b.leave(back);
            (inst, 1)
        } else {
            let runs = self.does_run(attr.pred, bounds[0], bounds[1]);
            let types = self.types(so_far);
            let (inst, then, otherwise) = self.b.if_(runs, &types);
            let back = self.b.enter(then);
            let found = self.scan_loops(load, rest, so_far);
            self.b.yield_(&found);
            self.b.leave(back);
            self.b.inside(otherwise, |b| b.yield_(so_far));
            (inst, 0)
        };
        self.values = before;
        self.b.body.insts[inst].results[results..].to_vec()
    }

    /// The side of a branch that the load is in.
    fn scan_branch(
        &mut self,
        load: Inst,
        holder: Inst,
        rest: &[(Inst, bool)],
        so_far: &[Value],
    ) -> Vec<Value> {
        let data = self.p.insts[holder].clone();
        let condition = self.primal(data.args[0]);
        let before = self.values.clone();
        let types = self.types(so_far);
        let (inst, then, otherwise) = self.b.if_(condition, &types);
        let home = self.p.insts[load].parent;
        let is_first = self.p.encloses(data.regions[0], home);
        let (side, other) = match is_first {
            true => (then, otherwise),
            false => (otherwise, then),
        };
        let back = self.b.enter(side);
        let found = self.scan_loops(load, rest, so_far);
        self.b.yield_(&found);
        self.b.leave(back);
        self.b.inside(other, |b| b.yield_(so_far));
        self.values = before;
        self.b.body.insts[inst].results.clone()
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&v| self.b.body.ty(v)).collect()
    }

    /// What a load gives here is the smallest or the largest now.
    fn look(&mut self, load: Inst, so_far: [Value; 2]) -> [Value; 2] {
        let data = &self.p.insts[load];
        let address = self.primal(data.args[0]);
        let ty = self.p.ty(data.results[0]);
        let x = self.b.value(data.op.clone(), vec![address], ty);
        let x = self.b.cast(Type::I64, x);
        let less = self.b.lt(x, so_far[0]);
        let more = self.b.gt(x, so_far[1]);
        [
            self.b.select(less, x, so_far[0]),
            self.b.select(more, x, so_far[1]),
        ]
    }

    /// Is the innermost loop one over a row, of whose place only the loop's own bounds say where it is?
    fn runs(&self, load: Inst, loops: &[(Inst, bool)]) -> bool {
        let Some((&(row, true), around)) = loops.split_last() else {
            return false;
        };
        let data = &self.p.insts[row];
        let counts_up = matches!(&data.op, Op::For(attr) if attr.pred == Pred::Lt)
            && self.p.const_int(data.args[2]) == Some(1);
        if !counts_up {
            return false;
        }
        let counter = self.p.regions[data.regions[0]].args[0];
        let level = |v: Value| !around.iter().any(|&(l, _)| self.depends(v, l, None, 24));
        let moves = data.args[..2].iter().any(|&v| !level(v));
        let address = self.p.insts[load].args[0];
        let fixed = |l: Inst| !self.depends(address, l, Some(counter), 24);
        moves && around.iter().all(|&(l, _)| fixed(l))
    }

    /// May a value differ between iterations of a loop, or sides of a branch, other than by a counter inside?
    fn depends(&self, v: Value, holder: Inst, counter: Option<Value>, depth: u32) -> bool {
        let inside = |region| {
            let regions = &self.p.insts[holder].regions;
            regions.iter().any(|&r| self.p.encloses(r, region))
        };
        let known =
            self.values.contains_key(&v) || self.footprints.is_some_and(|f| f.start(v).is_some());
        if Some(v) == counter || known || !inside(self.p.def_region(v)) {
            return false;
        }
        match self.p.values[v].def {
            ValueDef::Result(inst, _) if depth > 0 && self.p.insts[inst].regions.is_empty() => {
                let args = &self.p.insts[inst].args;
                args.iter()
                    .any(|&a| self.depends(a, holder, counter, depth - 1))
            }
            _ => true,
        }
    }

    /// Rows that follow each other are a run, which is looked at when it has ended.
    fn scan_runs(
        &mut self,
        load: Inst,
        row: Inst,
        loops: &[(Inst, bool)],
        none: [Value; 2],
    ) -> [Value; 2] {
        let ty = self.p.ty(self.p.insts[row].args[0]);
        let zero = self.b.int(ty, 0);
        self.row = Some(row);
        let found = self.scan_loops(load, loops, &[zero, zero, none[0], none[1]]);
        self.row = None;
        self.scan_run(load, row, &found)
    }

    /// Another row: the first index of the run, the one behind its last, and what was found so far.
    fn extend_run(&mut self, load: Inst, row: Inst, so_far: &[Value]) -> Vec<Value> {
        let bounds = [0, 1].map(|k| self.p.insts[row].args[k]);
        let [low, high] = bounds.map(|v| self.primal(v));
        let types = self.types(so_far);
        let before = self.values.clone();
        let any = self.b.lt(low, high);
        let (inst, then, otherwise) = self.b.if_(any, &types);
        let back = self.b.enter(then);
        let elsewhere = self.b.ne(low, so_far[1]);
        let (new, ends, goes_on) = self.b.if_(elsewhere, &[types[0], types[2], types[3]]);
        let out = self.b.enter(ends);
        let [least, most] = self.scan_run(load, row, so_far);
        self.b.yield_(&[low, least, most]);
        self.b.leave(out);
        self.b
            .inside(goes_on, |b| b.yield_(&[so_far[0], so_far[2], so_far[3]]));
        let found = self.b.body.insts[new].results.clone();
        self.b.yield_(&[found[0], high, found[1], found[2]]);
        self.b.leave(back);
        self.b.inside(otherwise, |b| b.yield_(so_far));
        self.values = before;
        self.b.body.insts[inst].results.clone()
    }

    /// All of a run.
    fn scan_run(&mut self, load: Inst, row: Inst, so_far: &[Value]) -> [Value; 2] {
        let before = self.values.clone();
        let ty = self.b.body.ty(so_far[0]);
        let one = self.b.int(ty, 1);
        let (inst, region) = (self.b).for_(Pred::Lt, so_far[0], so_far[1], one, &so_far[2..]);
        let args = self.b.body.regions[region].args.clone();
        let counter = self.p.regions[self.p.insts[row].regions[0]].args[0];
        self.values.insert(counter, args[0]);
        let back = self.b.enter(region);
        let found = self.look(load, pair(&args[1..]));
        self.b.yield_(&found);
        self.b.leave(back);
        self.values = before;
        pair(&self.b.body.insts[inst].results[1..])
    }
}

/// The smallest and the largest number so far.
fn pair(values: &[Value]) -> [Value; 2] {
    [values[0], values[1]]
}
