//! Writes a loop anew, piece by piece over strips of its iterations: each piece is a loop of its own, and what one piece computes for another is kept in a row on the stack.

mod collect;
mod hand_on;

use super::blocks::{self, Block};
use super::nest::{Group, Node, Plan, is_index};
use super::rows::{self, Rows};
use adjoin_ir::{Body, Builder, CTy, CTypes, ForAttr, Inst, Op, Pred, Region, Step, Type, Value};
use std::collections::HashMap;

/// Iterations in a strip: a row of doubles is then a fraction of the fastest cache.
pub const STRIP: i128 = 256;

/// More rows than this are too much for the stack, and for the fastest cache.
const MOST_ROWS: usize = 14;

/// Where instructions go.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Before(Inst),
    End(Region),
}

/// Replaces a loop; under a condition, if there is one, and the loop as it was otherwise. `None`: it turns out that it cannot be done; the body is then of no use.
pub fn apply(
    types: &mut CTypes,
    body: &mut Body,
    plan: &Plan,
    condition: Option<Value>,
) -> Option<()> {
    if !plan.own.is_empty() {
        return blocks::apply(types, body, plan, condition);
    }
    let data = body.insts[plan.holder].clone();
    let rows = rows::find(body, plan)?;
    if rows.count() > MOST_ROWS {
        return None;
    }
    let [low, high] = plan.bounds;
    let ty = body.ty(low);
    let bounds = plan.bounds.map(|v| body.const_int(v));
    let choice = condition.map(|c| {
        let types: Vec<Type> = data.results[1..].iter().map(|&v| body.ty(v)).collect();
        Builder::before(body, plan.holder).if_(c, &types)
    });
    let place = match choice {
        Some((_, then, _)) => Place::End(then),
        None => Place::Before(plan.holder),
    };
    let mut writer = Writer::new(body, types, plan, place, rows);
    collect::padding(&plan.nodes, &writer.rows, &mut writer.padding)?;
    match bounds {
        [Some(low), Some(high)] if high - low <= STRIP => {
            writer.make_rows((high - low) as u64);
            writer.clear_padding();
            writer.nodes(&plan.nodes)?;
        }
        _ if writer.rows.count() == 0 && plan.is_safe_to_enter(writer.body) => {
            writer.nodes(&plan.nodes)?
        }
        _ => {
            writer.make_rows(STRIP as u64);
            writer.in_strips(ty, low, high)?;
        }
    }
    let sums = writer.sums;
    if let Some((inst, then, otherwise)) = choice {
        Builder::at_end(body, then).yield_(&sums);
        adjoin_passes::edit::unlink(body, plan.holder);
        body.regions[otherwise].insts.push(plan.holder);
        body.insts[plan.holder].parent = otherwise;
        // From here on the results are those of the choice; the loop's own go there.
        let mut replaced = adjoin_passes::edit::Replacements::default();
        let sums = body.insts[inst].results.clone();
        for (&old, &new) in data.results[1..].iter().zip(&sums) {
            replaced.set(old, new);
        }
        replaced.apply(body);
        Builder::at_end(body, otherwise).yield_(&data.results[1..]);
        for (&old, &new) in data.results[1..].iter().zip(&sums) {
            body.values[new].name = body.values[old].name.clone();
            body.values[new].ctype = body.values[old].ctype;
        }
        return Some(());
    }
    let mut replaced = adjoin_passes::edit::Replacements::default();
    for (&old, new) in data.results[1..].iter().zip(sums) {
        let (name, ctype) = (body.values[old].name.clone(), body.values[old].ctype);
        body.values[new].name = body.values[new].name.take().or(name);
        body.values[new].ctype = body.values[new].ctype.or(ctype);
        replaced.set(old, new);
    }
    adjoin_passes::edit::unlink(body, plan.holder);
    replaced.apply(body);
    Some(())
}

pub(super) struct Writer<'a> {
    pub body: &'a mut Body,
    pub types: &'a mut CTypes,
    pub plan: &'a Plan,
    place: Place,
    /// The first index of the strip, and the one behind the last.
    pub start: Value,
    end: Value,
    /// What is the same in all lanes, as it is called now.
    level: HashMap<Value, Value>,
    rows: Rows,
    /// Zeros before and behind what a row holds.
    padding: HashMap<usize, i64>,
    /// The arrays that values are kept in.
    row_of: HashMap<usize, Value>,
    /// The current values of the sums that the loop carries.
    pub sums: Vec<Value>,
    /// Sums over the lanes of the current group, for memory.
    totals: Vec<Value>,
    /// What the lanes before hand on, as `hand_on` lists it.
    handed_on: Vec<Value>,
    /// What the current lane knows.
    lane: HashMap<Value, Value>,
    /// The number of the next group.
    group: usize,
    /// Where strips have a fixed length, and lanes memory of their own.
    pub block: Option<Block>,
}

impl<'a> Writer<'a> {
    /// Before anything is written.
    pub fn new(
        body: &'a mut Body,
        types: &'a mut CTypes,
        plan: &'a Plan,
        place: Place,
        rows: Rows,
    ) -> Self {
        let data = body.insts[plan.holder].clone();
        let [low, high] = plan.bounds;
        // What is carried but never changed is the same in all lanes.
        let args = &body.regions[data.regions[0]].args;
        let mut level = HashMap::new();
        for (k, chain) in plan.chains.iter().enumerate() {
            if chain.values.is_empty() {
                level.insert(args[k + 1], data.args[k + 3]);
            }
        }
        Writer {
            body,
            types,
            plan,
            place,
            start: low,
            end: high,
            level,
            rows,
            padding: HashMap::new(),
            row_of: HashMap::new(),
            sums: data.args[3..].to_vec(),
            totals: Vec::new(),
            handed_on: Vec::new(),
            lane: HashMap::new(),
            group: 0,
            block: None,
        }
    }
}

impl Writer<'_> {
    pub fn b(&mut self) -> Builder<'_> {
        let span = self.body.insts[self.plan.holder].span;
        let mut b = match self.place {
            Place::Before(inst) => Builder::before(self.body, inst),
            Place::End(region) => Builder::at_end(self.body, region),
        };
        b.span = span;
        b
    }

    pub fn inside<T>(&mut self, region: Region, fill: impl FnOnce(&mut Self) -> T) -> T {
        let old = std::mem::replace(&mut self.place, Place::End(region));
        let result = fill(self);
        self.place = old;
        result
    }

    pub fn make_rows(&mut self, length: u64) {
        for k in 0..self.rows.count() {
            let v = self.rows.example(k);
            let ty = self.body.ty(v);
            let element = self.element_type(ty);
            let zeros = self.padding.get(&k).map_or(0, |n| n.unsigned_abs());
            let array = self.types.array(element, Some(length + 2 * zeros));
            let name = match &self.body.values[v].name {
                Some(name) => format!("{name}_row"),
                None => "row".to_string(),
            };
            let slot = self.b().slot(array, Some(&name));
            self.row_of.insert(k, slot);
        }
    }

    /// Strips are counted in 64 bits: the last step must not leave the type of the index.
    fn in_strips(&mut self, ty: Type, low: Value, high: Value) -> Option<()> {
        let wide = Type::I64;
        let (first, last) = (self.b().cast(wide, low), self.b().cast(wide, high));
        let size = self.b().int(wide, STRIP);
        let inits = self.sums.clone();
        let (inst, region) = self.b().for_(Pred::Lt, first, last, size, &inits);
        let args = self.body.regions[region].args.clone();
        self.sums = args[1..].to_vec();
        self.inside(region, |me| {
            let left = me.b().sub(last, args[0]);
            let size = me.b().int(wide, STRIP);
            let short = me.b().lt(left, size);
            let count = me.b().select(short, left, size);
            let (start, end) = match me.plan.backwards {
                true => {
                    let end = me.b().add(first, left);
                    (me.b().sub(end, count), end)
                }
                false => (args[0], me.b().add(args[0], count)),
            };
            me.start = me.b().cast(ty, start);
            me.end = me.b().cast(ty, end);
            me.clear_padding();
            me.nodes(&me.plan.nodes)?;
            let sums = me.sums.clone();
            me.b().yield_(&sums);
            Some(())
        })?;
        self.sums = self.body.insts[inst].results[1..].to_vec();
        Some(())
    }

    pub fn nodes(&mut self, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            match node {
                Node::Uniform(inst) => self.uniform(*inst)?,
                Node::Zero(inst) => self.clear(self.body.insts[*inst].args[0])?,
                Node::Leaves(groups) => {
                    for group in groups {
                        self.group(group)?;
                    }
                }
                Node::Loop(inst, inner) => self.inner_loop(*inst, inner)?,
            }
        }
        Some(())
    }

    /// A value that is the same in all lanes.
    fn common(&self, v: Value) -> Option<Value> {
        let region = self.body.insts[self.plan.holder].regions[0];
        match self.body.encloses(region, self.body.def_region(v)) {
            true => self.level.get(&v).copied(),
            false => Some(v),
        }
    }

    fn uniform(&mut self, inst: Inst) -> Option<()> {
        let data = self.body.insts[inst].clone();
        if !self.body.regions[data.parent].insts.contains(&inst) {
            // It only served a loop inside while that counted up.
            return Some(());
        }
        let args = data
            .args
            .iter()
            .map(|&v| self.common(v))
            .collect::<Option<Vec<_>>>()?;
        let new = self.copy(inst, args);
        for (k, &old) in data.results.iter().enumerate() {
            let v = self.body.insts[new].results[k];
            self.level.insert(old, v);
        }
        Some(())
    }

    /// An instruction with other operands, at the current place.
    fn copy(&mut self, inst: Inst, args: Vec<Value>) -> Inst {
        let data = self.body.insts[inst].clone();
        let types: Vec<Type> = data.results.iter().map(|&v| self.body.ty(v)).collect();
        let mut b = self.b();
        b.span = data.span;
        let new = b.inst(data.op, args, &types);
        for (k, &old) in data.results.iter().enumerate() {
            let v = self.body.insts[new].results[k];
            self.body.values[v].name = self.body.values[old].name.clone();
            self.body.values[v].ctype = self.body.values[old].ctype;
        }
        new
    }

    fn inner_loop(&mut self, inst: Inst, nodes: &[Node]) -> Option<()> {
        let data = self.body.insts[inst].clone();
        let region = data.regions[0];
        let args = self.body.regions[region].args.clone();
        let next = super::yielded(self.body, region)?.to_vec();
        let slots: Vec<usize> = (1..args.len()).collect();
        let chain = |me: &Self, v: Value| me.rows.sum_of(v);
        // What differs between lanes is in rows.
        let in_rows: Vec<(usize, usize)> = slots
            .iter()
            .filter_map(|&k| Some((k, self.rows.row(args[k])?)))
            .collect();
        let rows: Vec<(usize, usize)> = in_rows
            .iter()
            .copied()
            .filter(|&(k, _)| !self.rows.is_passed_on(inst, k))
            .collect();
        if !rows.is_empty() {
            self.lanes(&[], true, |me| {
                for &(k, row) in &rows {
                    let v = me.need(data.args[k + 2])?;
                    me.keep(row, v);
                }
                Some(())
            })?;
        }
        let mut inits = Vec::new();
        let mut carried = Vec::new();
        for &k in &slots {
            if let Some(c) = chain(self, args[k]) {
                inits.push(self.sums[c]);
                carried.push((k, Some(c)));
            } else if self.rows.row(args[k]).is_none() {
                inits.push(self.common(data.args[k + 2])?);
                carried.push((k, None));
            }
        }
        let Op::For(attr) = &data.op else { return None };
        let bounds = [0, 1, 2].map(|k| self.common(data.args[k]));
        let [Some(low), Some(high), Some(step)] = bounds else {
            return None;
        };
        let (new, inner) = self.b().for_(attr.pred, low, high, step, &inits);
        let fresh = self.body.regions[inner].args.clone();
        self.call_as(args[0], fresh[0]);
        self.level.insert(args[0], fresh[0]);
        for (n, &(k, c)) in carried.iter().enumerate() {
            let v = fresh[n + 1];
            match c {
                Some(c) => self.sums[c] = v,
                None => {
                    self.level.insert(args[k], v);
                }
            }
        }
        self.inside(inner, |me| {
            me.nodes(nodes)?;
            let late: Vec<(usize, usize)> = in_rows
                .iter()
                .copied()
                .filter(|&(k, row)| !me.rows.is_there(row, next[k - 1]))
                .collect();
            if !late.is_empty() {
                me.lanes(&[], true, |me| {
                    let values = late
                        .iter()
                        .map(|&(k, _)| me.need(next[k - 1]))
                        .collect::<Option<Vec<_>>>()?;
                    for (&(_, row), v) in late.iter().zip(values) {
                        me.keep(row, v);
                    }
                    Some(())
                })?;
            }
            let out = carried
                .iter()
                .map(|&(k, c)| match c {
                    Some(c) => Some(me.sums[c]),
                    None => me.common(next[k - 1]),
                })
                .collect::<Option<Vec<_>>>()?;
            me.b().yield_(&out);
            Some(())
        })?;
        for (n, &(k, c)) in carried.iter().enumerate() {
            let v = self.body.insts[new].results[n + 1];
            match c {
                Some(c) => self.sums[c] = v,
                None => {
                    self.level.insert(data.results[k], v);
                }
            }
        }
        Some(())
    }

    /// Gives a value the name of another.
    fn call_as(&mut self, old: Value, new: Value) {
        self.body.values[new].name = self.body.values[old].name.clone();
        self.body.values[new].ctype = self.body.values[old].ctype;
    }

    /// A loop over the lanes of the strip. It carries some of the loop's own sums, and the totals.
    fn lanes(
        &mut self,
        chains: &[usize],
        independent: bool,
        fill: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let ty = self.body.ty(self.start);
        let one = self.b().int(ty, 1);
        let (start, end) = match &self.block {
            Some(block) => {
                let width = block.width;
                (self.b().int(ty, 0), self.b().int(ty, width))
            }
            None => (self.start, self.end),
        };
        let inits = self.carried(chains);
        let (inst, region) = self.b().for_(Pred::Lt, start, end, one, &inits);
        self.body.insts[inst].op = Op::For(ForAttr {
            independent,
            ..ForAttr::plain(Pred::Lt)
        });
        let holder = self.body.insts[self.plan.holder].regions[0];
        let index = self.body.regions[holder].args[0];
        let args = self.body.regions[region].args.clone();
        self.set_carried(chains, &args[1..]);
        let number = args[0];
        if let Some(block) = &mut self.block {
            block.number = Some(number);
        }
        self.inside(region, |me| {
            let at = match &me.block {
                Some(_) => {
                    let start = me.start;
                    me.body.values[number].name = Some("lane".to_string());
                    me.b().add(start, number)
                }
                None => number,
            };
            me.call_as(index, at);
            me.lane = HashMap::from([(index, at)]);
            fill(me)?;
            let out = me.carried(chains);
            me.b().yield_(&out);
            Some(())
        })?;
        let results = self.body.insts[inst].results.clone();
        self.set_carried(chains, &results[1..]);
        self.lane.clear();
        Some(())
    }

    fn carried(&self, chains: &[usize]) -> Vec<Value> {
        let sums = chains.iter().map(|&c| self.sums[c]);
        sums.chain(self.totals.iter().copied())
            .chain(self.handed_on.iter().copied())
            .collect()
    }

    fn set_carried(&mut self, chains: &[usize], values: &[Value]) {
        let (sums, rest) = values.split_at(chains.len());
        let (totals, handed_on) = rest.split_at(self.totals.len());
        for (&c, &v) in chains.iter().zip(sums) {
            self.sums[c] = v;
        }
        self.totals = totals.to_vec();
        self.handed_on = handed_on.to_vec();
    }

    fn group(&mut self, group: &Group) -> Option<()> {
        let number = self.group;
        self.group += 1;
        if group.insts.is_empty() && group.sums.is_empty() && group.handed_on.is_empty() {
            return Some(());
        }
        if !group.taps.is_empty() {
            return self.collect(group);
        }
        for part in self.moves(group, number) {
            self.lanes(&[], group.independent, |me| {
                part.iter().try_for_each(|&inst| me.leaf(inst))
            })?;
            if part.last() == group.insts.last() {
                return Some(());
            }
        }
        let mut chains = Vec::new();
        for &inst in &group.insts {
            let results = self.body.insts[inst].results.iter();
            chains.extend(results.filter_map(|&v| self.rows.sum_of(v)));
        }
        chains.sort_unstable();
        chains.dedup();
        for &store in &group.sums {
            let ty = self.body.ty(self.body.insts[store].args[1]);
            let zero = self.b().zero_of(ty);
            self.totals.push(zero);
        }
        self.begin_handing_on(group);
        self.lanes(&chains, group.independent, |me| {
            for &inst in &group.insts {
                me.leaf(inst)?;
            }
            for (k, store) in group.sums.iter().enumerate() {
                let v = me.need(me.plan.increments[store].value)?;
                let total = me.totals[k];
                me.totals[k] = me.b().add(total, v);
            }
            for (row, next) in me.rows.direct_in(number) {
                let v = me.need(next)?;
                me.keep(row, v);
            }
            me.hand_on(group)
        })?;
        self.end_handing_on(group)?;
        let totals = std::mem::take(&mut self.totals);
        for (store, total) in group.sums.iter().zip(totals) {
            let increment = self.plan.increments[store];
            let address = self.common(self.body.insts[*store].args[0])?;
            let ty = self.body.ty(total);
            let old = self.b().load(ty, address);
            let new = match self.body.insts[increment.add].op {
                Op::Sub => self.b().sub(old, total),
                _ => self.b().add(old, total),
            };
            self.b().store(address, new);
        }
        Some(())
    }

    /// A group that only moves numbers to rows and clears where they were, in parts with one number each: gcc 12 makes calls of `memcpy` and `memset` of such a loop, and clears
    /// before it copies if there are several. Nothing if the group is not like that.
    fn moves(&self, group: &Group, number: usize) -> Vec<Vec<Inst>> {
        let body = &*self.body;
        let mut parts = vec![Vec::new()];
        let mut clears = 0;
        for &inst in &group.insts {
            let data = &body.insts[inst];
            let part = parts.last_mut().expect("there is always one");
            part.push(inst);
            match data.op {
                Op::Load(_) if self.rows.row(data.results[0]).is_some() => {}
                Op::Store(_) if super::skipped::is_zero(body, data.args[1]) => {
                    clears += 1;
                    parts.push(Vec::new());
                }
                _ => return Vec::new(),
            }
        }
        parts.retain(|p| !p.is_empty());
        let plain = group.sums.is_empty() && self.rows.direct_in(number).is_empty();
        match clears > 1 && plain && group.independent {
            true => parts,
            false => Vec::new(),
        }
    }

    /// An instruction in the current lane.
    fn leaf(&mut self, inst: Inst) -> Option<()> {
        let data = self.body.insts[inst].clone();
        let own = self.own_address(inst)?;
        let args = data
            .args
            .iter()
            .enumerate()
            .map(|(k, &v)| own.filter(|_| k == 0).or_else(|| self.need(v)))
            .collect::<Option<Vec<_>>>()?;
        let new = self.copy(inst, args);
        for &region in &data.regions {
            let inner = self.body.add_region(new);
            // What becomes known in a branch is not known behind it.
            let outside = self.lane.clone();
            self.inside(inner, |me| {
                for i in me.body.regions[region].insts.clone() {
                    me.leaf(i)?;
                }
                Some(())
            })?;
            self.lane = outside;
        }
        for (k, &old) in data.results.iter().enumerate() {
            let v = self.body.insts[new].results[k];
            match self.rows.sum_of(old) {
                Some(c) => self.sums[c] = v,
                None => {
                    self.lane.insert(old, v);
                }
            }
            if let Some(row) = self.rows.row(old) {
                self.keep(row, v);
            }
        }
        Some(())
    }

    /// A value in the current lane.
    pub fn need(&mut self, v: Value) -> Option<Value> {
        if let Some(&x) = self.lane.get(&v) {
            return Some(x);
        }
        if let Some(c) = self.rows.sum_of(v) {
            return Some(self.sums[c]);
        }
        if !self.plan.varying.contains(&v) {
            return self.common(v);
        }
        if let Some(row) = self.rows.row(v) {
            let address = self.element(row);
            let ty = self.body.ty(v);
            let x = self.b().load(ty, address);
            self.call_as(v, x);
            self.lane.insert(v, x);
            return Some(x);
        }
        let inst = self.body.def_inst(v).filter(|&i| is_index(self.body, i))?;
        let args = self.body.insts[inst].args.clone();
        let args = args
            .iter()
            .map(|&a| self.need(a))
            .collect::<Option<Vec<_>>>()?;
        let new = self.copy(inst, args);
        let x = self.body.result(new);
        self.lane.insert(v, x);
        Some(x)
    }

    /// The address of the current lane's element of a row.
    fn element(&mut self, row: usize) -> Value {
        let holder = self.body.insts[self.plan.holder].regions[0];
        let index = self.lane[&self.body.regions[holder].args[0]];
        let (slot, start) = (self.row_of[&row], self.start);
        let number = self.block.as_ref().and_then(|b| b.number);
        let at = match (number, self.body.const_int(start)) {
            (Some(number), _) => number,
            (_, Some(0)) => index,
            _ => self.b().sub(index, start),
        };
        let at = match self.padding.get(&row) {
            Some(&zeros) => self.moved(at, zeros),
            None => at,
        };
        let ty = self.body.ty(self.rows.example(row));
        self.at(slot, ty, at)
    }

    /// The address of an element of an array.
    pub fn at(&mut self, array: Value, ty: Type, at: Value) -> Value {
        let element = self.element_type(ty);
        let op = Op::Addr(adjoin_ir::AddrAttr {
            pointee: element,
            steps: vec![Step::Index { stride: ty.size() }],
        });
        self.b().value(op, vec![array, at], Type::Ptr)
    }

    /// The C type of what rows hold.
    pub fn element_type(&mut self, ty: Type) -> CTy {
        match ty.default_basic() {
            Some(basic) => self.types.basic(basic),
            None => {
                let void = self.types.void();
                self.types.pointer(void)
            }
        }
    }

    /// Keeps a value in the current lane's element of a row.
    fn keep(&mut self, row: usize, v: Value) {
        let address = self.element(row);
        self.b().store(address, v);
    }
}
