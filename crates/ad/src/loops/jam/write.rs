//! Writes several iterations of a loop at once.

use super::{Jam, Sum, TOGETHER, increments, tainted};
use adjoin_ir::{Body, Builder, ForAttr, Inst, Op, Pred, Region, Type, Value};
use adjoin_passes::copy::Copier;
use adjoin_passes::edit;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Puts a loop with several iterations at once in front of a loop, which then does the rest. Returns the copies of loops, with what they were made from.
pub fn apply(body: &mut Body, jam: &Jam) -> Vec<(Inst, Inst)> {
    let data = body.insts[jam.holder].clone();
    let Op::For(attr) = &data.op else {
        return Vec::new();
    };
    let (down, with_last) = (attr.pred == Pred::Ge, attr.pred != Pred::Lt);
    let tainted = tainted(body, jam.holder, &jam.unwritten);
    let (first, last) = (data.args[0], data.args[1]);
    let ty = body.ty(first);
    let constant = match [first, last].map(|v| body.const_int(v)) {
        [Some(a), Some(b)] => Some(if down { a - b } else { b - a } + i128::from(with_last)),
        _ => None,
    };
    let wide = Type::I64;
    let count = TOGETHER as i128;
    let mut b = Builder::before(body, jam.holder);
    b.span = data.span;
    let (first, last) = (b.cast(wide, first), b.cast(wide, last));
    let (zero, one, by) = (b.int(wide, 0), b.int(wide, 1), b.int(wide, count));
    let mut all = match down {
        true => b.sub(first, last),
        false => b.sub(last, first),
    };
    if with_last {
        all = b.add(all, one);
    }
    let rest = b.value(Op::Rem, vec![all, by], wide);
    let whole = b.sub(all, rest);
    let any = b.lt(zero, all);
    let whole = b.select(any, whole, zero);
    let (pred, stop, step) = match down {
        true => (Pred::Gt, b.sub(first, whole), b.int(wide, -count)),
        false => (Pred::Lt, b.add(first, whole), by),
    };
    let inits = data.args[3..].to_vec();
    let (new, region) = b.for_(pred, first, stop, step, &inits);
    let start = {
        let mut b = Builder::before(body, jam.holder);
        b.span = data.span;
        b.cast(ty, stop)
    };
    let args = body.regions[region].args.clone();
    let from = data.regions[0];
    let old = body.regions[from].args.clone();
    body.values[args[0]].name = body.values[old[0]].name.clone();
    let mut writer = Writer {
        body,
        jam,
        tainted,
        maps: vec![HashMap::new(); TOGETHER],
        copies: vec![(new, jam.holder)],
    };
    for k in 0..TOGETHER {
        let mut b = Builder::at_end(writer.body, region);
        let offset = b.int(wide, if down { -(k as i128) } else { k as i128 });
        let index = match k {
            0 => args[0],
            _ => b.add(args[0], offset),
        };
        let index = b.cast(ty, index);
        writer.body.values[index].name = writer.body.values[old[0]].name.clone();
        writer.body.values[index].ctype = writer.body.values[old[0]].ctype;
        writer.maps[k].insert(old[0], index);
    }
    let carried = args[1..].to_vec();
    for (k, &v) in carried.iter().enumerate() {
        writer.name_as(old[k + 1], v);
        writer.maps[0].insert(old[k + 1], v);
    }
    let out = writer.region(from, region, true);
    Builder::at_end(writer.body, region).yield_(&out);
    let copies = writer.copies;
    let results = body.insts[new].results[1..].to_vec();
    if constant.is_some_and(|n| n % count == 0) {
        let mut replaced = edit::Replacements::default();
        for (&old, &new) in data.results[1..].iter().zip(&results) {
            replaced.set(old, new);
        }
        edit::unlink(body, jam.holder);
        replaced.apply(body);
    } else {
        body.insts[jam.holder].args[0] = start;
        body.insts[jam.holder].args[3..].copy_from_slice(&results);
    }
    copies
}

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Load,
    Store {
        /// It only adds to what is there.
        sum: bool,
    },
}

/// What is known of a place in memory while iterations are written one after the other.
struct Known {
    address: Value,
    ty: Type,
    /// The access that it was found with.
    inst: Inst,
    /// What is there, if that is known.
    value: Option<Value>,
    /// It is still to be stored.
    pending: bool,
    /// What is still to be added.
    added: Option<Value>,
}

struct Writer<'a> {
    body: &'a mut Body,
    jam: &'a Jam,
    tainted: HashSet<Value>,
    /// What values are called in each iteration.
    maps: Vec<HashMap<Value, Value>>,
    copies: Vec<(Inst, Inst)>,
}

impl Writer<'_> {
    fn name_as(&mut self, old: Value, new: Value) {
        self.body.values[new].name = self.body.values[old].name.clone();
        self.body.values[new].ctype = self.body.values[old].ctype;
    }

    fn value(&self, k: usize, v: Value) -> Value {
        self.maps[k].get(&v).copied().unwrap_or(v)
    }

    /// Writes a region for all iterations; what it yields: of each iteration in turn, or of the last if each takes over from the one before.
    fn region(&mut self, from: Region, to: Region, handed_on: bool) -> Vec<Value> {
        let list = self.body.regions[from].insts.clone();
        let end = self.body.terminator(from);
        let mut segment = Vec::new();
        for &inst in &list {
            match self.body.insts[inst].op {
                Op::For(_) => {
                    self.segment(&std::mem::take(&mut segment), to, None);
                    self.merged(inst, to);
                }
                Op::Yield => {}
                _ => segment.push(inst),
            }
        }
        let args: Vec<Value> = end.map_or(Vec::new(), |e| self.body.insts[e].args.clone());
        let carried = self.body.regions[from].args[1..].to_vec();
        let chain = handed_on.then_some((carried, args.clone()));
        self.segment(&segment, to, chain);
        if handed_on {
            let last = TOGETHER - 1;
            return args.iter().map(|&v| self.value(last, v)).collect();
        }
        let mut out = Vec::new();
        for &v in &args {
            match self.tainted.contains(&v) {
                true => out.extend((0..TOGETHER).map(|k| self.value(k, v))),
                false => out.push(self.value(0, v)),
            }
        }
        out
    }

    /// One loop for all iterations.
    fn merged(&mut self, inst: Inst, to: Region) {
        let data = self.body.insts[inst].clone();
        let Op::For(attr) = &data.op else { return };
        let from = data.regions[0];
        let args = self.body.regions[from].args.clone();
        let ends = self.body.terminator(from);
        let next = ends.map_or(Vec::new(), |e| self.body.insts[e].args.clone());
        let mut inits = Vec::new();
        for (k, &v) in data.args[3..].iter().enumerate() {
            // An iteration has its own, or all have one.
            let own = self.tainted.contains(&args[k + 1]);
            debug_assert!(own || !self.tainted.contains(&next[k]));
            match own {
                true => inits.extend((0..TOGETHER).map(|k| self.value(k, v))),
                false => inits.push(self.value(0, v)),
            }
        }
        let bounds = [0, 1, 2].map(|k| self.value(0, data.args[k]));
        let mut b = Builder::at_end(self.body, to);
        b.span = data.span;
        let (new, region) = b.for_(attr.pred, bounds[0], bounds[1], bounds[2], &inits);
        self.body.insts[new].op = Op::For(ForAttr { ..attr.clone() });
        self.copies.push((new, inst));
        let fresh = self.body.regions[region].args.clone();
        let results = self.body.insts[new].results.clone();
        self.spread(&args, &args, &fresh);
        let out = self.region(from, region, false);
        Builder::at_end(self.body, region).yield_(&out);
        self.spread(&data.results, &args, &results);
    }

    /// Gives what a merged loop carries its names in the iterations.
    fn spread(&mut self, old: &[Value], carried: &[Value], new: &[Value]) {
        for map in &mut self.maps {
            map.insert(old[0], new[0]);
        }
        self.name_as(old[0], new[0]);
        let mut at = 1;
        for (&v, arg) in old[1..].iter().zip(&carried[1..]) {
            match self.tainted.contains(arg) {
                true => {
                    for k in 0..TOGETHER {
                        self.name_as(v, new[at]);
                        self.maps[k].insert(v, new[at]);
                        at += 1;
                    }
                }
                false => {
                    self.name_as(v, new[at]);
                    for map in &mut self.maps {
                        map.insert(v, new[at]);
                    }
                    at += 1;
                }
            }
        }
    }

    /// Instructions without loops, for one iteration after the other.
    fn segment(&mut self, list: &[Inst], to: Region, chain: Option<(Vec<Value>, Vec<Value>)>) {
        let increments = match self.jam.adds {
            true => increments(self.body, list, |a, b| self.jam.apart.contains(&(a, b))),
            false => BTreeMap::new(),
        };
        let skipped: HashSet<Inst> = increments.values().flat_map(|i| [i.load, i.add]).collect();
        let mut memory: Vec<Known> = Vec::new();
        let mut places: HashMap<(String, Vec<Value>), Value> = HashMap::new();
        for k in 0..TOGETHER {
            if let Some((carried, next)) = &chain
                && k > 0
            {
                for (&v, &n) in carried.iter().zip(next) {
                    let now = self.value(k - 1, n);
                    self.maps[k].insert(v, now);
                }
            }
            for &inst in list {
                let data = self.body.insts[inst].clone();
                let common = !data.results.is_empty()
                    && data.results.iter().all(|v| !self.tainted.contains(v));
                if common && k > 0 || skipped.contains(&inst) {
                    continue;
                }
                match &data.op {
                    // One name for each place.
                    Op::Addr(attr) => {
                        let args = data.args.iter().map(|&v| self.value(k, v)).collect();
                        let place = (format!("{attr:?}"), args);
                        match places.get(&place) {
                            Some(&v) => {
                                self.maps[k].insert(data.results[0], v);
                            }
                            None => {
                                let v = self.copy(k, inst, to);
                                places.extend(v.map(|v| (place, v)));
                            }
                        }
                    }
                    Op::Load(_) if !common => {
                        let address = self.value(k, data.args[0]);
                        self.settle(&mut memory, to, inst, address, Access::Load);
                        let known = memory.iter().find(|m| m.address == address);
                        if let Some(v) = known.and_then(|m| m.value) {
                            self.maps[k].insert(data.results[0], v);
                            continue;
                        }
                        let v = self.copy(k, inst, to);
                        let ty = self.body.ty(data.results[0]);
                        memory.retain(|m| m.address != address);
                        memory.push(Known {
                            address,
                            ty,
                            inst,
                            value: v,
                            pending: false,
                            added: None,
                        });
                    }
                    Op::Store(_) => {
                        let address = self.value(k, data.args[0]);
                        let sum = increments.contains_key(&inst);
                        self.settle(&mut memory, to, inst, address, Access::Store { sum });
                        let ty = self.body.ty(data.args[1]);
                        let fresh = Known {
                            address,
                            ty,
                            inst,
                            value: None,
                            pending: false,
                            added: None,
                        };
                        if !memory.iter().any(|m| m.address == address) {
                            memory.push(fresh);
                        }
                        let at = memory.iter().position(|m| m.address == address);
                        let Some(at) = at else { continue };
                        match increments.get(&inst) {
                            Some(&Sum {
                                value, negative, ..
                            }) => {
                                let value = self.value(k, value);
                                let mut b = Builder::at_end(self.body, to);
                                b.span = data.span;
                                let sum = match (memory[at].added, negative) {
                                    (None, false) => value,
                                    (None, true) => b.neg(value),
                                    (Some(sum), false) => b.add(sum, value),
                                    (Some(sum), true) => b.sub(sum, value),
                                };
                                memory[at].added = Some(sum);
                            }
                            None => {
                                memory[at].value = Some(self.value(k, data.args[1]));
                                memory[at].pending = true;
                                memory[at].added = None;
                            }
                        }
                    }
                    Op::If => {
                        self.flush(&mut memory, to);
                        self.copy(k, inst, to);
                    }
                    _ => {
                        self.copy(k, inst, to);
                    }
                }
                if common {
                    for v in data.results {
                        let new = self.maps[0][&v];
                        for map in &mut self.maps[1..] {
                            map.insert(v, new);
                        }
                    }
                }
            }
        }
        self.flush(&mut memory, to);
    }

    /// Stores what an access might meet elsewhere, and forgets what a store might change.
    fn settle(
        &mut self,
        memory: &mut Vec<Known>,
        to: Region,
        inst: Inst,
        address: Value,
        access: Access,
    ) {
        let writes = access != Access::Load;
        // Sums may be made in any order.
        let sums = |m: &Known| {
            access == Access::Store { sum: true } && m.added.is_some() && m.value.is_none()
        };
        let meets = |m: &Known| {
            m.address != address && !self.jam.apart.contains(&(m.inst, inst)) && !sums(m)
        };
        // What is to be added to a place that is read must be there, too.
        let open = |m: &Known| m.added.is_some() && !writes && m.address == address;
        let mut out: Vec<Known> = Vec::new();
        let mut kept = Vec::new();
        for m in memory.drain(..) {
            match meets(&m) || open(&m) {
                true => out.push(m),
                false => kept.push(m),
            }
        }
        *memory = kept;
        for m in out {
            let again = !writes && m.added.is_none() && meets(&m);
            let (address, ty, inst, value) = (m.address, m.ty, m.inst, m.value);
            self.write(m, to);
            if again && value.is_some() {
                memory.push(Known {
                    address,
                    ty,
                    inst,
                    value,
                    pending: false,
                    added: None,
                });
            }
        }
    }

    fn flush(&mut self, memory: &mut Vec<Known>, to: Region) {
        for m in std::mem::take(memory) {
            self.write(m, to);
        }
    }

    fn write(&mut self, m: Known, to: Region) {
        let mut b = Builder::at_end(self.body, to);
        if let Some(sum) = m.added {
            let old = match m.value {
                Some(v) => v,
                None => b.load(m.ty, m.address),
            };
            let new = b.add(old, sum);
            b.store(m.address, new);
        } else if m.pending
            && let Some(v) = m.value
        {
            b.store(m.address, v);
        }
    }

    /// Copies an instruction for an iteration; its first result.
    fn copy(&mut self, k: usize, inst: Inst, to: Region) -> Option<Value> {
        let mut copier = Copier::new(self.body);
        for (&old, &new) in &self.maps[k] {
            copier.call(old, new);
        }
        let new = copier.inst(inst, to);
        self.body.regions[to].insts.push(new);
        let old = self.body.insts[inst].results.clone();
        let results = self.body.insts[new].results.clone();
        for (&o, &n) in old.iter().zip(&results) {
            self.maps[k].insert(o, n);
        }
        results.first().copied()
    }
}
