//! Shadows of globals: one for each direction, made once for a module.
//!
//! They start at zero in each call of the outermost derivative. A block of the heap that a global kept from an earlier call (a workspace that is allocated on first
//! use) gets a shadow where it is read; that lives until the next call. For other memory of before, see `outside`.

use super::{Forward, Result, lane_name, unused_name};
use crate::activity::holds_pointer;
use crate::known::{external, outside};
use adjoin_ir::{
    AddrAttr, Basic, Body, CTy, CTypeKind, Clause, Directive, Global, GlobalData, Init, Inst,
    Linkage, Op, Pred, Step, Type, Value,
};

impl Forward<'_> {
    pub(super) fn shadow_globals(&mut self, g: Global) -> Vec<Global> {
        let place = (self.key.level, g);
        let mut shadows = self
            .session
            .forward
            .globals
            .get(&place)
            .cloned()
            .unwrap_or_default();
        while shadows.len() < self.width {
            let name = lane_name(
                &self.m.globals[g].name,
                shadows.len() as u32,
                self.key.width,
            );
            let shadow = self.companion(g, &name);
            if Some(g) == self.session.registry.outside {
                self.session.registry.inactive_globals.insert(shadow);
            }
            shadows.push(shadow);
        }
        self.session.forward.globals.insert(place, shadows.clone());
        shadows.truncate(self.width);
        shadows
    }

    /// A static global of the same type, all zero.
    fn companion(&mut self, g: Global, name: &str) -> Global {
        let data = self.m.globals[g].clone();
        let ctype = self.unqualified_elements(data.ctype);
        let name = unused_name(self.m, name);
        self.m.globals.push(GlobalData {
            name,
            ctype,
            linkage: Linkage::Static,
            owner: None,
            init: Some(Init::default()),
            ..data
        })
    }

    fn unqualified_elements(&mut self, t: CTy) -> CTy {
        match self.m.types.shape(t).clone() {
            CTypeKind::Array { elem, len } => {
                let elem = self.unqualified_elements(elem);
                self.m.types.array(elem, len)
            }
            _ => self.m.types.unqualified(t),
        }
    }

    /// Globals of this derivative that hold nothing but heap blocks.
    fn with_blocks(&self) -> Vec<Global> {
        let all = self.key.globals.iter().copied();
        all.filter(|&g| self.keeps_blocks(g)).collect()
    }

    fn keeps_blocks(&self, g: Global) -> bool {
        self.session.registry.keeps_blocks(g)
    }

    /// The shadows of a pointer that was read from a global: a block that it kept from an earlier call gets them now.
    pub(super) fn renewed(&mut self, inst: Inst, lanes: Vec<Value>) -> Result<Vec<Value>> {
        let data = self.p.insts[inst].clone();
        let address = data.args[0];
        let base = crate::activity::root(&self.p, address);
        let global = match self.p.def_inst(base).map(|i| &self.p.insts[i].op) {
            Some(Op::GlobalAddr(g)) => *g,
            _ => return Ok(lanes),
        };
        let known = self.key.globals.contains(&global) && self.keeps_blocks(global);
        // Two threads would both make one, unless each has a variable of its own.
        let own = self.m.globals[global].thread_local;
        let mut around = self.p.regions[data.parent].parent;
        while let Some(inst) = around
            && !matches!(self.p.insts[inst].op, Op::Par(_))
        {
            around = self.p.regions[self.p.insts[inst].parent].parent;
        }
        if !known || around.is_some() && !own || self.facts.is_unsure(address) {
            return Ok(lanes);
        }
        let block = self.f[&data.results[0]];
        let places = self.tangents(address)?;
        let mut all = Vec::new();
        for (shadow, place) in lanes.into_iter().zip(places) {
            let null = self.b().null();
            let (missing, there) = (self.b().eq(shadow, null), self.b().ne(block, null));
            let new = self.b().and(missing, there);
            all.push(self.value_if(new, shadow, |me| {
                let shadow = me.shadow_of_block(block);
                me.b().store(place, shadow);
                Ok(shadow)
            })?);
        }
        Ok(all)
    }

    /// The shadow of a block goes: no global leads to it any more.
    pub(super) fn forget(&mut self, lane: usize, shadow: Value) -> Result<()> {
        for g in self.with_blocks() {
            let s = self.shadow_globals(g)[lane];
            let (ctype, address) = (self.m.globals[s].ctype, self.b().global(s));
            self.each_pointer(ctype, address, &mut |me, place| {
                let found = me.b().load(Type::Ptr, place);
                let same = me.b().eq(found, shadow);
                me.when(same, |me| {
                    let null = me.b().null();
                    me.b().store(place, null);
                    Ok(())
                })
            })?;
        }
        Ok(())
    }

    /// Frees the shadows of blocks that an earlier call left.
    fn free_blocks(&mut self, g: Global) -> Result<()> {
        let void = self.m.types.void();
        let pointer = self.address_type();
        let free = external(self.m, "free", void, &[pointer]);
        for s in self.shadow_globals(g) {
            let (ctype, address) = (self.m.globals[s].ctype, self.b().global(s));
            self.each_pointer(ctype, address, &mut |me, place| {
                let shadow = me.b().load(Type::Ptr, place);
                me.call(free, vec![shadow]);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Does something with the address of every pointer in an object.
    fn each_pointer(
        &mut self,
        t: CTy,
        address: Value,
        act: &mut dyn FnMut(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        if !holds_pointer(&self.m.types, t) {
            return Ok(());
        }
        let step = |me: &mut Self, step: Step, pointee: CTy, index: Option<Value>| {
            let steps = vec![step];
            let op = Op::Addr(AddrAttr { pointee, steps });
            let args = std::iter::once(address).chain(index).collect();
            me.b().value(op, args, Type::Ptr)
        };
        match self.m.types.memory_shape(t).into_owned() {
            CTypeKind::Array {
                elem,
                len: Some(len),
            } => {
                let Some(stride) = self.m.types.size_of(elem) else {
                    return Ok(());
                };
                let (zero, count, by) = (self.int(0), self.int(len.into()), self.int(1));
                let (_, region) = self.b().for_(Pred::Lt, zero, count, by, &[]);
                let index = self.d.regions[region].args[0];
                self.inside(region, |me| {
                    let place = step(me, Step::Index { stride }, elem, Some(index));
                    me.each_pointer(elem, place, act)?;
                    me.b().yield_(&[]);
                    Ok(())
                })
            }
            CTypeKind::Record(record) => {
                let fields = self.m.types.records[record].fields.clone();
                for (k, field) in fields.iter().flatten().enumerate() {
                    let to = Step::Field {
                        record,
                        field: k as u32,
                        offset: field.offset,
                    };
                    let place = step(self, to, t, None);
                    self.each_pointer(field.ty, place, act)?;
                }
                Ok(())
            }
            _ => act(self, address),
        }
    }

    /// At the start of the outermost derivative.
    pub(super) fn restart_shadow_globals(&mut self) -> Result<()> {
        let (own, shared) = self.globals_of_threads();
        self.clear_outside()?;
        self.restart_all(shared)?;
        if own.is_empty() {
            return Ok(());
        }
        self.in_all_threads(|me| me.restart_all(own))
    }

    /// The globals with shadows of which each thread of a team has its own, and the others.
    fn globals_of_threads(&self) -> (Vec<Global>, Vec<Global>) {
        let teams = crate::effects::reachable(&self.session.registry, self.m, &self.p)
            .into_iter()
            .any(starts_teams);
        let own = |g: &Global| teams && self.m.globals[*g].thread_local;
        let outside = self.session.registry.outside;
        let all = self.key.globals.iter().copied();
        all.filter(|&g| Some(g) != outside).partition(own)
    }

    fn restart_all(&mut self, globals: Vec<Global>) -> Result<()> {
        let mut kept = globals.clone();
        kept.retain(|&g| self.keeps_blocks(g) && !self.m.globals[g].thread_local);
        if !outside::has_teams(self.m) || self.looks_up() {
            kept.clear();
        }
        let kept = crate::points_to::written_first::read_first(self.m, &self.p, &kept);
        for g in globals {
            if self.keeps_blocks(g) {
                self.free_blocks(g)?;
            }
            for shadow in self.shadow_globals(g) {
                let ctype = self.m.globals[shadow].ctype;
                let address = self.b().global(shadow);
                if let Some(bytes) = self.m.types.size_of(ctype) {
                    self.b().zero(address, bytes, Some(ctype));
                }
            }
            self.renew_all(g, kept.range((g, 0)..=(g, u64::MAX)).map(|p| p.1))?;
        }
        Ok(())
    }

    /// Blocks that a global kept from an earlier call, at these places, get their shadows now: two threads that find one would both make one.
    fn renew_all(&mut self, g: Global, places: impl Iterator<Item = u64>) -> Result<()> {
        let ctype = self.m.globals[g].ctype;
        for at in places {
            let place = self.b().global(g);
            let place = self.within(place, ctype, at);
            let block = self.b().load(Type::Ptr, place);
            let null = self.b().null();
            let there = self.b().ne(block, null);
            for shadow in self.shadow_globals(g) {
                self.when(there, |me| {
                    let new = me.shadow_of_block(block);
                    let place = me.b().global(shadow);
                    let place = me.within(place, ctype, at);
                    me.b().store(place, new);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// The address of what lies in an object.
    fn within(&mut self, object: Value, pointee: CTy, at: u64) -> Value {
        let steps = vec![Step::Bytes(at as i64)];
        let op = Op::Addr(AddrAttr { pointee, steps });
        match at {
            0 => object,
            _ => self.b().value(op, vec![object], Type::Ptr),
        }
    }

    /// A new shadow, all zero, for a heap block.
    fn shadow_of_block(&mut self, block: Value) -> Value {
        let ulong = self.m.types.basic(Basic::ULong);
        let pointer = self.address_type();
        let usable = external(self.m, "malloc_usable_size", ulong, &[pointer]);
        let calloc = self.calloc();
        let one = self.b().int(Type::U64, 1);
        let bytes = self.call(usable, vec![block]).expect("it returns a size");
        let shadow = self.call(calloc, vec![bytes, one]);
        shadow.expect("calloc returns a pointer")
    }

    /// Runs code in every thread that a team has had so far.
    fn in_all_threads(&mut self, fill: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let all = adjoin_passes::openmp::AllThreads::new(self.m);
        let threads = all.number(&mut self.b());
        let clauses = vec![Clause::NumThreads];
        let (_, region) = self.b().par(Directive::Parallel, clauses, vec![threads]);
        self.inside(region, |me| {
            fill(me)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }
}

fn starts_teams(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| {
        found |= matches!(&body.insts[inst].op, Op::Par(attr)
            if adjoin_passes::openmp::starts_team(&attr.directive));
    });
    found
}
