//! Shadows of memory that was there before the call (`activity/solve/outside`): where nothing else says what the shadow of a pointer is, its address does
//! (`rules/support/outside.c`).

use super::super::{Result, Reverse};
use crate::known::{external, outside};
use crate::mpi::before::{self, Noted};
use adjoin_ir::{AtomicKind, Directive, Global, Inst, Type, Value};

impl Reverse<'_> {
    /// The table of shadows, if memory outside may hold active data.
    pub(in crate::reverse) fn outside_table(&mut self) -> Option<Global> {
        let outside = self.session.registry.outside?;
        self.shadow_global(outside)
    }

    /// At the start of the outermost derivative: shadows are zero, and what has a shadow of its own is noted.
    pub(in crate::reverse) fn clear_outside(&mut self, table: Global) {
        let void = self.m.types.void();
        let pointer = self.m.types.pointer(void);
        let tables = self.m.types.pointer(pointer);
        let ulong = self.m.types.basic(adjoin_ir::Basic::ULong);
        let clear = external(self.m, outside::CLEAR, void, &[tables]);
        let note = external(
            self.m,
            outside::NOTE,
            void,
            &[tables, pointer, ulong, pointer],
        );
        let address = self.b().global(table);
        self.call(clear, vec![address]);
        if before::are_started(self.m) {
            let forget = before::forget(self.m);
            self.call(forget, Vec::new());
        }
        for (g, bytes) in self.session.registry.noted(self.m) {
            let shadow = match self.shadow_global(g) {
                Some(s) => self.b().global(s),
                None => self.b().null(),
            };
            let (address, start) = (self.b().global(table), self.b().global(g));
            let bytes = self.b().int(Type::U64, bytes.into());
            self.call(note, vec![address, start, bytes, shadow]);
            self.note_for_messages(start, bytes, shadow, Noted::Variable);
        }
        let entry = self.p.regions[self.p.entry].args.clone();
        for v in entry {
            if self.p.ty(v) != Type::Ptr || !self.has_shadow(v) {
                continue;
            }
            let pointee = (self.p.values[v].ctype).and_then(|t| self.m.types.pointee(t));
            let bytes = pointee.and_then(|t| self.m.types.size_of(t)).unwrap_or(1);
            let (start, shadow) = (self.f[&v], self.shadow(v));
            let address = self.b().global(table);
            let bytes = self.b().int(Type::U64, bytes.max(1).into());
            self.call(note, vec![address, start, bytes, shadow]);
            let what = Noted::argument(self.m, pointee);
            self.note_for_messages(start, bytes, shadow, what);
        }
    }

    /// Persistent requests may have an argument for a buffer: the runtime is told of all of them.
    fn note_for_messages(&mut self, start: Value, bytes: Value, shadow: Value, what: Noted) {
        if before::are_started(self.m) {
            let what = self.b().int(Type::I32, what as i128);
            let note = before::note(self.m);
            self.call(note, vec![start, bytes, shadow, what]);
        }
    }

    /// The shadow of a pointer that was read: what was found in its place, else the one that belongs to its address.
    pub(super) fn find_shadow(&mut self, inst: Inst, found: Value, table: Global) -> Result<Value> {
        let data = self.p.insts[inst].clone();
        let pointer = self.f[&data.results[0]];
        let place = match self.has_shadow(data.args[0]) {
            true => Some(self.shadow(data.args[0])),
            false => None,
        };
        let unsure = self.facts.shadow[data.args[0]].none;
        let teams = outside::has_teams(self.m);
        // Another thread may be noting it.
        let found = match place {
            Some(place) if teams && !unsure => self.read_atomically(place)?,
            _ => found,
        };
        let null = self.b().null();
        let missing = self.b().eq(found, null);
        let there = self.b().ne(pointer, null);
        let new = self.b().and(missing, there);
        let (branch, yes, no) = self.b().if_(new, &[Type::Ptr]);
        self.inside(yes, |me| {
            let shadow = me.look_up(table, pointer, |me, shadow| {
                match place {
                    Some(place) if unsure => me.if_some(place, |me| {
                        me.b().store(place, shadow);
                        Ok(())
                    })?,
                    Some(place) if teams => me.write_atomically(place, shadow)?,
                    Some(place) => drop(me.b().store(place, shadow)),
                    None => {}
                }
                Ok(())
            })?;
            me.b().yield_(&[shadow]);
            Ok(())
        })?;
        self.inside(no, |me| {
            me.b().yield_(&[found]);
            Ok(())
        })?;
        Ok(self.d.result(branch))
    }

    fn read_atomically(&mut self, place: Value) -> Result<Value> {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let read = self.b().slot(address, Some("found"));
        let kind = Directive::Atomic(AtomicKind::Read);
        let (_, inner) = self.b().par(kind, vec![], vec![]);
        self.inside(inner, |me| {
            let found = me.b().load(Type::Ptr, place);
            me.b().store(read, found);
            me.b().yield_(&[]);
            Ok(())
        })?;
        Ok(self.b().load(Type::Ptr, read))
    }

    fn write_atomically(&mut self, place: Value, shadow: Value) -> Result<()> {
        let kind = Directive::Atomic(AtomicKind::Write);
        let (_, inner) = self.b().par(kind, vec![], vec![]);
        self.inside(inner, |me| {
            me.b().store(place, shadow);
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// The shadow that belongs to an address, and what is done with it. Where there are threads, one looks at a time.
    fn look_up(
        &mut self,
        table: Global,
        pointer: Value,
        keep: impl FnOnce(&mut Self, Value) -> Result<()>,
    ) -> Result<Value> {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let tables = self.m.types.pointer(address);
        let find = external(self.m, outside::SHADOW, address, &[tables, address]);
        if !outside::has_teams(self.m) {
            let table = self.b().global(table);
            let shadow = self.call(find, vec![table, pointer]);
            let shadow = shadow.expect("it returns a pointer");
            keep(self, shadow)?;
            return Ok(shadow);
        }
        let place = self.b().slot(address, Some("found"));
        let (_, inner) = self.b().par(outside::critical(), vec![], vec![]);
        self.inside(inner, |me| {
            let table = me.b().global(table);
            let shadow = me.call(find, vec![table, pointer]);
            let shadow = shadow.expect("it returns a pointer");
            me.b().store(place, shadow);
            keep(me, shadow)?;
            me.b().yield_(&[]);
            Ok(())
        })?;
        Ok(self.b().load(Type::Ptr, place))
    }

    /// In front of a team: the table that its threads are to have.
    pub(in crate::reverse) fn table_of_team(&mut self) -> Option<(Global, Value)> {
        let table = self.outside_table()?;
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let tables = self.m.types.pointer(address);
        let ulong = self.m.types.basic(adjoin_ir::Basic::ULong);
        let ask = external(self.m, outside::TABLE, ulong, &[tables]);
        let place = self.b().global(table);
        let shared = self.call(ask, vec![place]);
        Some((table, shared.expect("it returns a number")))
    }

    /// A thread takes this table. The one that it had.
    pub(in crate::reverse) fn join(&mut self, table: (Global, Value)) -> (Global, Value) {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let tables = self.m.types.pointer(address);
        let ulong = self.m.types.basic(adjoin_ir::Basic::ULong);
        let join = external(self.m, outside::JOIN, ulong, &[tables, ulong]);
        let place = self.b().global(table.0);
        let own = self.call(join, vec![place, table.1]);
        (table.0, own.expect("it returns a number"))
    }

    /// At the end of a team, when nobody runs a task any more, a thread has its own table again.
    pub(in crate::reverse) fn leave(&mut self, own: (Global, Value)) {
        self.b().par_alone(Directive::Barrier, vec![], vec![]);
        self.join(own);
    }

    /// F of a call that finds shadows in a derivative: those have shadows of their own.
    pub(in crate::reverse) fn sweep_outside(&mut self, inst: Inst, name: &str) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let results = self.plain_call(inst);
        let Some(table) = self.outside_table() else {
            return Ok(());
        };
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let tables = self.m.types.pointer(address);
        match (name, results.first().copied()) {
            (outside::NOTE, _) if self.has_shadow(data.args[3]) => {
                let ulong = self.m.types.basic(adjoin_ir::Basic::ULong);
                let operands = [tables, address, ulong, address];
                let note = external(self.m, outside::NOTE, void, &operands);
                let (start, bytes) = (self.f[&data.args[3]], self.f[&data.args[2]]);
                let shadow = self.shadow(data.args[3]);
                let table = self.b().global(table);
                self.call(note, vec![table, start, bytes, shadow]);
            }
            (outside::SHADOW, Some(found)) => {
                let find = external(self.m, outside::SHADOW, address, &[tables, address]);
                let table = self.b().global(table);
                let shadow = self.call(find, vec![table, found]);
                let shadow = shadow.expect("it returns a pointer");
                self.shadow_like(data.results[0], shadow);
            }
            (outside::FREE, Some(own)) => {
                let null = self.b().null();
                let there = self.b().ne(own, null);
                let old = match self.has_shadow(data.args[1]) {
                    true => self.shadow(data.args[1]),
                    false => null,
                };
                let shadow = self.b().select(there, old, null);
                self.shadow_like(data.results[0], shadow);
            }
            _ => {}
        }
        Ok(())
    }

    /// R of such a call: what was cleared depends on nothing.
    pub(in crate::reverse) fn mirror_outside(&mut self, inst: Inst, name: &str) {
        let other = self.p.insts[inst].args[0];
        if let Some(table) = self.outside_table()
            && outside::clears(name)
        {
            let void = self.m.types.void();
            let address = self.m.types.pointer(void);
            let tables = self.m.types.pointer(address);
            let within = external(self.m, outside::CLEAR_WITHIN, void, &[tables, tables]);
            let other = self.need(other);
            let table = self.b().global(table);
            self.call(within, vec![table, other]);
        }
    }

    /// A shadow that is a block of its own: NULL if it belongs to memory outside.
    pub(super) fn own_block(&mut self, shadow: Value) -> Value {
        let Some(table) = self.outside_table() else {
            return shadow;
        };
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let tables = self.m.types.pointer(address);
        let free = external(self.m, outside::FREE, address, &[tables, address]);
        let table = self.b().global(table);
        self.call(free, vec![table, shadow])
            .expect("it returns a pointer")
    }
}
