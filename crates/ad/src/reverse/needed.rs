//! How the reverse sweep gets at values of the forward sweep: it sees them, computes them again, reads them again, or takes them from a cache.

use super::Reverse;
use crate::activity::root;
use crate::effects::Summaries;
use crate::known::{self, Known};
use crate::rules;
use adjoin_ir::{Body, Global, Inst, Module, Op, Region, Step, Type, Value, ValueDef};
use std::collections::BTreeSet;

/// Something of the forward sweep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Key {
    /// A value of the primal.
    Value(Value),
    /// The shadow of a pointer.
    Shadow(Value),
    /// How many times a loop's body was entered.
    Count(Inst),
    /// Through which exit an instruction was left.
    Code(Inst),
    /// Which back edge an iteration took.
    Back(Inst),
    /// Whether a region of a `switch` ran.
    Ran(Inst, u32),
    /// The tape of a called function.
    Tape(Inst),
}

/// Which memory nothing in the body writes, so that it can be read again.
#[derive(Debug, Default)]
pub struct Stable {
    /// Something unknown may be written anywhere.
    anything: bool,
    /// Roots of addresses that are written.
    written: BTreeSet<Value>,
    globals: BTreeSet<Global>,
    /// Some written root may be any outside memory.
    outside: bool,
}

impl Stable {
    /// Looks at all writes of a body.
    ///
    /// Between the halves of a split derivative (`split`) the caller may write anything.
    pub fn of(module: &Module, summaries: &Summaries, body: &Body, split: bool) -> Stable {
        let mut stable = Stable {
            anything: split,
            ..Default::default()
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            match &data.op {
                Op::Store(_) | Op::StoreBits(_) | Op::Copy(_) | Op::Zero(_) => {
                    stable.write(body, data.args[0])
                }
                Op::Call(attr) if module.funcs[attr.func].body.is_some() => {
                    stable.anything |= summaries.get(attr.func).is_none_or(|e| e.writes);
                }
                Op::Call(attr) => {
                    let name = &module.funcs[attr.func].name;
                    match known::lookup(name) {
                        Some(
                            Known::Copy
                            | Known::Fill
                            | Known::Realloc
                            | Known::ReallocArray
                            | Known::AllocateInto
                            | Known::Free,
                        ) => stable.write(body, data.args[0]),
                        Some(Known::Inactive) => {
                            // Those that write through a pointer write text or numbers of their own.
                            for &a in data.args.iter().filter(|&&a| body.ty(a) == Type::Ptr) {
                                if (!name.contains("print")
                                    || name.contains("sn")
                                    || name.contains("sprintf"))
                                    && !name.starts_with("put")
                                    && !name.starts_with("str")
                                {
                                    stable.write(body, a);
                                }
                            }
                        }
                        Some(Known::Malloc(_) | Known::Calloc) => {}
                        None if rules::lookup(name).is_some() => {}
                        None => stable.anything = true,
                    }
                }
                Op::CallIndirect(_) | Op::Mpi(_) | Op::Par(_) => stable.anything = true,
                _ => {}
            }
        });
        stable
    }

    fn write(&mut self, body: &Body, address: Value) {
        let base = root(body, address);
        match body.def_inst(base).map(|i| &body.insts[i].op) {
            Some(Op::GlobalAddr(g)) => drop(self.globals.insert(*g)),
            Some(Op::Slot(_) | Op::SlotVla(_) | Op::Alloca) => {}
            Some(Op::Call(_)) => {}
            _ => self.outside = true,
        }
        self.written.insert(base);
    }

    /// Can memory at this address not have changed since it was read?
    fn is_stable(&self, body: &Body, address: Value) -> bool {
        if self.anything {
            return false;
        }
        let base = root(body, address);
        if self.written.contains(&base) {
            return false;
        }
        match body.def_inst(base).map(|i| &body.insts[i].op) {
            Some(Op::GlobalAddr(g)) => !self.globals.contains(g) && !self.outside,
            None if body.def_region(base) == body.entry => !self.outside && self.globals.is_empty(),
            _ => false,
        }
    }
}

impl Reverse<'_> {
    /// A value of the primal, in R.
    pub(super) fn need(&mut self, v: Value) -> Value {
        self.obtain(Key::Value(v))
    }

    /// The shadow of a pointer, in R.
    pub(super) fn need_shadow(&mut self, v: Value) -> Value {
        self.obtain(Key::Shadow(v))
    }

    /// Remembers what a key is in the innermost region of R.
    pub(super) fn remember(&mut self, key: Key, value: Value) {
        if let Some((_, map)) = self.memo.last_mut() {
            map.insert(key, value);
        }
    }

    fn known(&self, key: Key) -> Option<Value> {
        self.memo
            .iter()
            .rev()
            .find_map(|(_, map)| map.get(&key).copied())
    }

    /// Is something defined in this region of the primal visible to all of R?
    pub(super) fn is_visible(&self, home: Region) -> bool {
        home == self.p.entry && self.wrapped.is_none()
    }

    fn obtain(&mut self, key: Key) -> Value {
        if let Some(v) = self.known(key) {
            return v;
        }
        let (Key::Value(v) | Key::Shadow(v)) = key else {
            return self.cached(key, Type::I64, self.at);
        };
        let home = self.p.def_region(v);
        let is_shadow = matches!(key, Key::Shadow(_));
        let map = if is_shadow { &self.s } else { &self.f };
        let is_parameter = self.p.def_inst(v).is_none() && home == self.p.entry;
        let is_slot = self
            .p
            .def_inst(v)
            .is_some_and(|i| matches!(self.p.insts[i].op, Op::Slot(_)));
        if is_parameter || is_slot || self.is_visible(home) {
            if let Some(&x) = map.get(&v) {
                return x;
            }
            let region = self.region_for(home);
            return self.in_header(region, |me| me.b().null());
        }
        let region = self.region_for(home);
        let value = self
            .again(key, v, region)
            .unwrap_or_else(|| self.cached(key, self.p.ty(v), region));
        if let Some((_, map)) = self.memo.iter_mut().rev().find(|(r, _)| *r == region) {
            map.insert(key, value);
        }
        value
    }

    /// The region of R where what a region of the primal defines is made available.
    fn region_for(&self, home: Region) -> Region {
        let mirrored = self
            .mirrors
            .get(&home)
            .and_then(|list| list.last().copied());
        mirrored.unwrap_or(self.at)
    }

    /// Computes or reads a value again, if its operands can be had and the memory is as it was.
    fn again(&mut self, key: Key, v: Value, region: Region) -> Option<Value> {
        let inst = self.p.def_inst(v)?;
        let data = self.p.insts[inst].clone();
        let is_shadow = matches!(key, Key::Shadow(_));
        if is_shadow {
            return self.shadow_again(v, inst, region);
        }
        match &data.op {
            Op::Load(attr) => {
                if attr.volatile || !self.stable.is_stable(&self.p, data.args[0]) {
                    return None;
                }
            }
            op if op.is_pure() => {}
            _ => return None,
        }
        let args: Vec<Value> = data.args.iter().map(|&a| self.need(a)).collect();
        let ty = self.p.ty(v);
        let (name, ctype) = (self.p.values[v].name.clone(), self.p.values[v].ctype);
        Some(self.in_header(region, |me| {
            let new = me.b().value(data.op.clone(), args, ty);
            me.d.values[new].name = name;
            me.d.values[new].ctype = ctype;
            new
        }))
    }

    fn shadow_again(&mut self, v: Value, inst: Inst, region: Region) -> Option<Value> {
        let data = self.p.insts[inst].clone();
        let ctype = self.p.values[v].ctype;
        match &data.op {
            Op::Const(_) => Some(self.in_header(region, |me| me.b().null())),
            Op::GlobalAddr(g) => {
                let shadow = self.shadow_global(*g);
                Some(self.in_header(region, |me| match shadow {
                    Some(g) => me.b().global(g),
                    None => me.b().null(),
                }))
            }
            Op::Addr(attr)
                if attr.steps.iter().all(|s| !matches!(s, Step::Bytes(_)))
                    || !self.facts.shadow[data.args[0]].none =>
            {
                let mut args = vec![self.need_shadow(data.args[0])];
                args.extend(
                    data.args[1..]
                        .iter()
                        .map(|&a| self.need(a))
                        .collect::<Vec<_>>(),
                );
                Some(self.in_header(region, |me| {
                    let new = me.b().value(data.op.clone(), args, Type::Ptr);
                    me.d.values[new].ctype = ctype;
                    new
                }))
            }
            Op::Cast if self.p.ty(data.args[0]) == Type::Ptr => {
                let base = self.need_shadow(data.args[0]);
                Some(self.in_header(region, |me| {
                    let new = me.b().value(Op::Cast, vec![base], Type::Ptr);
                    me.d.values[new].ctype = ctype;
                    new
                }))
            }
            _ => None,
        }
    }

    /// What F stored.
    fn cached(&mut self, key: Key, ty: Type, region: Region) -> Value {
        self.prepare_top(key);
        self.in_header(region, |me| me.top(key, ty))
    }

    /// A cell in memory at the entry: a counter or code.
    pub(super) fn cell(&mut self, key: Key) -> Value {
        if let Some(&v) = self.cells.get(&key) {
            return v;
        }
        let ctype = self.m.types.basic(adjoin_ir::Basic::Long);
        let name = if matches!(key, Key::Count(_)) {
            "count"
        } else {
            "exit"
        };
        let entry = self.d.entry;
        let v = self.in_header(entry, |me| me.b().slot(ctype, Some(name)));
        self.cells.insert(key, v);
        v
    }

    /// After R is made: stores what it turned out to need, where F defines it.
    pub(super) fn push_needed(&mut self) {
        for key in self.pushed.clone() {
            let v = match key {
                Key::Value(v) => self.f.get(&v).copied(),
                Key::Shadow(v) => self.s.get(&v).copied(),
                _ => None,
            };
            let Some(v) = v else { continue };
            self.prepare_push(key);
            let (region, at) = match self.d.values[v].def {
                ValueDef::Arg(region, _) => {
                    (region, self.headers.get(&region).copied().unwrap_or(0))
                }
                ValueDef::Result(inst, _) => {
                    let region = self.d.insts[inst].parent;
                    (region, adjoin_passes::edit::position(&self.d, inst) + 1)
                }
            };
            self.at_position(region, at, |me| me.push(key, v));
        }
    }
}
