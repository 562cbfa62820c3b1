//! Memory that was there before the call and that nobody gave a shadow, where active data may go there (`activity/solve/outside` decides that for both modes): where
//! nothing else says what the shadow of a pointer is, its address does (`rules/support/outside.c`).

use super::{Forward, Result};
use crate::activity::{file_scope, is_number};
use crate::known::{external, memcpy, outside};
use crate::mpi::before::{self, Noted};
use crate::reverse::reached;
use crate::{Activity, Request, Session};
use adjoin_ir::{Basic, Func, Global, Inst, Module, Type, Value};
use std::collections::BTreeSet;

/// Does active data go to memory outside, or to heap blocks that a variable keeps? Then these globals have shadows, besides those that are written.
pub(super) fn globals(session: &Session, m: &Module, request: &Request) -> BTreeSet<Global> {
    let Some(outside) = session.registry.outside else {
        return BTreeSet::new();
    };
    let mut reverse = request.clone();
    let function = m.funcs[request.func].ctype;
    if let adjoin_ir::CTypeKind::Function { params, .. } = m.types.shape(function) {
        for (a, &t) in reverse.params.iter_mut().zip(params) {
            if a.has_shadow() && Type::of_ctype(&m.types, t).is_some_and(is_number) {
                *a = Activity::Out;
            }
        }
    }
    // Nothing of what is made on the way stays, and loops need no checkpoints here.
    let mut scratch = Session {
        registry: session.registry.clone(),
        options: session.options,
        ..Session::default()
    };
    let mut module = m.clone();
    module.checkpoints = Default::default();
    // What reverse mode cannot do may be possible here.
    match crate::reverse::active_globals(&mut scratch, &mut module, &reverse) {
        Ok(active)
            if active
                .iter()
                .any(|&g| g == outside || session.registry.keeps_blocks(g)) =>
        {
            let known = |g: &&Global| m.globals.is_valid(**g);
            active.iter().filter(known).copied().collect()
        }
        _ => BTreeSet::new(),
    }
}

impl Forward<'_> {
    /// Stops where a pointer at file scope, through which numbers are read without derivatives, leads to an argument that has a shadow, or into it.
    pub(super) fn stop_if_reached_twice(&mut self) -> Result<()> {
        let pointers = file_scope::pointers(self.m, &self.p, |v| self.has_tangent(v));
        if pointers.is_empty() {
            return Ok(());
        }
        let entry = &self.p.regions[self.p.entry].args;
        let wanted: Vec<_> = entry
            .iter()
            .copied()
            .filter(|&v| self.has_tangent(v))
            .collect();
        let mut arguments = reached::of(
            self.m,
            &self.session.registry,
            (&self.p, &self.key.extents),
            self.key.params.len(),
            &wanted,
        );
        for argument in &mut arguments {
            argument.shadow = self.tangents(argument.parameter)?.first().copied();
        }
        let (p, values) = (self.p.clone(), self.f.clone());
        for pointer in pointers {
            let met = pointer.leads_to_one(&p, self.b(), &values, &arguments);
            let stop = self.stop(&pointer.function(), &pointer.message());
            self.when(met, |me| {
                me.call(stop, Vec::new());
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The tables of shadows, one for each direction, if memory outside may hold active data.
    fn outside_tables(&mut self) -> Option<Vec<Global>> {
        let outside = self.session.registry.outside?;
        let open = self.key.globals.contains(&outside);
        open.then(|| self.shadow_globals(outside))
    }

    /// May memory outside hold active data?
    pub(super) fn looks_up(&mut self) -> bool {
        self.outside_tables().is_some()
    }

    /// A function of `rules/support/outside.c` that returns an address.
    fn finder(&mut self, name: &str) -> Func {
        let address = self.address_type();
        let tables = self.m.types.pointer(address);
        external(self.m, name, address, &[tables, address])
    }

    /// At the start of the outermost derivative: shadows are zero, and what has a shadow of its own is noted.
    pub(super) fn clear_outside(&mut self) -> Result<()> {
        let Some(all) = self.outside_tables() else {
            return Ok(());
        };
        let (void, address) = (self.m.types.void(), self.address_type());
        let tables = self.m.types.pointer(address);
        let ulong = self.m.types.basic(Basic::ULong);
        let clear = external(self.m, outside::CLEAR, void, &[tables]);
        let operands = [tables, address, ulong, address];
        let note = external(self.m, outside::NOTE, void, &operands);
        if before::are_started(self.m) {
            let forget = before::forget(self.m);
            self.call(forget, Vec::new());
        }
        for (lane, table) in all.into_iter().enumerate() {
            let table = self.b().global(table);
            self.call(clear, vec![table]);
            for (g, bytes) in self.session.registry.noted(self.m) {
                let shadow = match self.key.globals.contains(&g) {
                    true => {
                        let shadow = self.shadow_globals(g)[lane];
                        self.b().global(shadow)
                    }
                    false => self.b().null(),
                };
                let start = self.b().global(g);
                let bytes = self.b().int(Type::U64, bytes.into());
                self.call(note, vec![table, start, bytes, shadow]);
                if lane == 0 {
                    self.note_for_messages(start, bytes, shadow, Noted::Variable);
                }
            }
            for v in self.p.regions[self.p.entry].args.clone() {
                if self.p.ty(v) != Type::Ptr || !self.has_tangent(v) {
                    continue;
                }
                let pointee = (self.p.values[v].ctype).and_then(|t| self.m.types.pointee(t));
                let bytes = pointee.and_then(|t| self.m.types.size_of(t)).unwrap_or(1);
                let bytes = self.b().int(Type::U64, bytes.max(1).into());
                let shadow = self.tangents(v)?[lane];
                self.call(note, vec![table, self.f[&v], bytes, shadow]);
                if lane == 0 {
                    let what = Noted::argument(self.m, pointee);
                    self.note_for_messages(self.f[&v], bytes, shadow, what);
                }
            }
        }
        Ok(())
    }

    /// Persistent requests may have an argument for a buffer: the runtime is told of all of them.
    fn note_for_messages(&mut self, start: Value, bytes: Value, shadow: Value, what: Noted) {
        if before::are_started(self.m) {
            let what = self.b().int(Type::I32, what as i128);
            let note = before::note(self.m);
            self.call(note, vec![start, bytes, shadow, what]);
        }
    }

    /// The shadows of a pointer that was read: what was found in its place, else those that belong to its address.
    pub(super) fn found(&mut self, inst: Inst, lanes: Vec<Value>) -> Result<Vec<Value>> {
        let data = self.p.insts[inst].clone();
        let Some(tables) = self.outside_tables() else {
            return Ok(lanes);
        };
        if !self.facts.is_looked_up(self.scene(), inst) {
            return Ok(lanes);
        }
        let pointer = self.f[&data.results[0]];
        let mut all = Vec::new();
        for (shadow, table) in lanes.into_iter().zip(tables) {
            let null = self.b().null();
            let (missing, there) = (self.b().eq(shadow, null), self.b().ne(pointer, null));
            let new = self.b().and(missing, there);
            all.push(self.value_if(new, shadow, |me| me.look_up(table, pointer))?);
        }
        Ok(all)
    }

    /// The shadow that belongs to an address. Where there are threads, one looks at a time.
    fn look_up(&mut self, table: Global, pointer: Value) -> Result<Value> {
        let find = self.finder(outside::SHADOW);
        if !outside::has_teams(self.m) {
            let table = self.b().global(table);
            let found = self.call(find, vec![table, pointer]);
            return Ok(found.expect("it returns a pointer"));
        }
        let ctype = self.address_type();
        let place = self.b().slot(ctype, Some("found"));
        let (_, inner) = self.b().par(outside::critical(), vec![], vec![]);
        self.inside(inner, |me| {
            let table = me.b().global(table);
            let found = me.call(find, vec![table, pointer]);
            me.b().store(place, found.expect("it returns a pointer"));
            me.b().yield_(&[]);
            Ok(())
        })?;
        Ok(self.b().load(Type::Ptr, place))
    }

    /// In front of a team: the tables that its threads are to have.
    pub(super) fn tables_of_team(&mut self) -> Vec<(Global, Value)> {
        let Some(tables) = self.outside_tables() else {
            return Vec::new();
        };
        let ulong = self.m.types.basic(Basic::ULong);
        let address = self.address_type();
        let pointers = self.m.types.pointer(address);
        let ask = external(self.m, outside::TABLE, ulong, &[pointers]);
        let mut all = Vec::new();
        for table in tables {
            let place = self.b().global(table);
            let shared = self.call(ask, vec![place]);
            all.push((table, shared.expect("it returns a number")));
        }
        all
    }

    /// A thread takes these tables. Those that it had.
    pub(super) fn join(&mut self, tables: &[(Global, Value)]) -> Vec<(Global, Value)> {
        let ulong = self.m.types.basic(Basic::ULong);
        let address = self.address_type();
        let pointers = self.m.types.pointer(address);
        let join = external(self.m, outside::JOIN, ulong, &[pointers, ulong]);
        let mut own = Vec::new();
        for &(table, shared) in tables {
            let place = self.b().global(table);
            let had = self.call(join, vec![place, shared]);
            own.push((table, had.expect("it returns a number")));
        }
        own
    }

    /// A call that finds shadows in a derivative: those have shadows of their own.
    pub(super) fn outside_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Some(tables) = self.outside_tables() else {
            return self.opaque_call(inst);
        };
        let (void, address) = (self.m.types.void(), self.address_type());
        let pointers = self.m.types.pointer(address);
        let ulong = self.m.types.basic(Basic::ULong);
        let args = self.operands(inst);
        let name = crate::activity::callee(self.m, &data.op).unwrap_or_default();
        if outside::clears(name) {
            let within = external(self.m, outside::CLEAR_WITHIN, void, &[pointers, pointers]);
            for table in tables {
                let table = self.b().global(table);
                self.call(within, vec![table, args[0]]);
            }
            self.primal(inst);
            return Ok(());
        }
        if matches!(name, outside::TABLE | outside::JOIN) {
            self.primal(inst);
            return Ok(());
        }
        let notes = name == outside::NOTE;
        let frees = name == outside::FREE;
        self.primal(inst);
        let old = match data.args.last().copied().filter(|_| notes || frees) {
            Some(shadow) if self.has_tangent(shadow) => self.tangents(shadow)?,
            Some(_) if notes => return Ok(()),
            _ => Vec::new(),
        };
        if notes {
            let note = external(
                self.m,
                outside::NOTE,
                void,
                &[pointers, address, ulong, address],
            );
            for (table, shadow) in tables.into_iter().zip(old) {
                let table = self.b().global(table);
                self.call(note, vec![table, args[3], args[2], shadow]);
            }
            return Ok(());
        }
        let Some(&v) = data.results.first() else {
            return Ok(());
        };
        let find = self.finder(outside::SHADOW);
        let pointer = self.f[&v];
        let null = self.b().null();
        let mut lanes = Vec::new();
        for (lane, table) in tables.into_iter().enumerate() {
            lanes.push(match (frees, old.get(lane)) {
                (true, Some(&old)) => {
                    let there = self.b().ne(pointer, null);
                    self.b().select(there, old, null)
                }
                (true, None) => null,
                (false, _) => {
                    let table = self.b().global(table);
                    let found = self.call(find, vec![table, pointer]);
                    found.expect("it returns a pointer")
                }
            });
        }
        self.set_tangents(v, lanes);
        Ok(())
    }

    /// A shadow that is a block of its own: NULL if it belongs to memory outside.
    pub(super) fn own_block(&mut self, lane: usize, shadow: Value) -> Value {
        let Some(tables) = self.outside_tables() else {
            return shadow;
        };
        let free = self.finder(outside::FREE);
        let table = self.b().global(tables[lane]);
        let own = self.call(free, vec![table, shadow]);
        own.expect("it returns a pointer")
    }

    /// `realloc` where shadows may belong to memory outside: they get a new block, with what was in the old one.
    pub(super) fn move_shadows(&mut self, inst: Inst) -> Result<bool> {
        if self.outside_tables().is_none() {
            return Ok(false);
        }
        let data = self.p.insts[inst].clone();
        let (void, address) = (self.m.types.void(), self.address_type());
        let ulong = self.m.types.basic(Basic::ULong);
        let usable = external(self.m, "malloc_usable_size", ulong, &[address]);
        let copy = memcpy(self.m);
        let free = external(self.m, "free", void, &[address]);
        let args = self.operands(inst);
        let old = match self.has_tangent(data.args[0]) {
            true => self.tangents(data.args[0])?,
            false => Vec::new(),
        };
        let room = self.call(usable, vec![args[0]]);
        let room = room.expect("it returns a size");
        self.primal(inst);
        let mut bytes = self.cast(Type::U64, args[1]);
        if let Some(&count) = args.get(2) {
            let count = self.cast(Type::U64, count);
            bytes = self.b().mul(bytes, count);
        }
        let less = self.b().lt(room, bytes);
        let common = self.b().select(less, room, bytes);
        let mut lanes = Vec::new();
        for lane in 0..self.width {
            let calloc = self.calloc();
            let one = self.b().int(Type::U64, 1);
            let shadow = self.call(calloc, vec![bytes, one]);
            let shadow = shadow.expect("calloc returns a pointer");
            if let Some(&old) = old.get(lane) {
                self.forget(lane, old)?;
                let is_there = self.is_there(old);
                self.when(is_there, |me| {
                    me.call(copy, vec![shadow, old, common]);
                    let own = me.own_block(lane, old);
                    me.call(free, vec![own]);
                    Ok(())
                })?;
            }
            lanes.push(shadow);
        }
        self.set_tangents(data.results[0], lanes);
        Ok(true)
    }
}
