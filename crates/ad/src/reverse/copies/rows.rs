//! Copies of rows of an array of pointers (`parallel::increments::rows`): one row behind the other.

use super::super::Reverse;
use super::{Copied, Rows};
use crate::activity::root;
use crate::parallel::{Copies, row_at};
use adjoin_ir::{Inst, Type, Value};

impl Reverse<'_> {
    /// In front of a region of R: what copies of rows need.
    pub(super) fn open_rows(&mut self, copies: &Copies, threads: Value, several: Value) {
        let (Some(table), Some(parts)) = (&copies.table, copies.rows()) else {
            return;
        };
        let shadow = self.need_shadow(table.pointer);
        let [first, count, width, from] =
            parts.map(|p| self.polynomial(&p, |me: &mut Self, v: Value| me.need(v)));
        let zero = self.int(0);
        let [count, width] = [count, width].map(|v| {
            let some = self.b().gt(v, zero);
            self.b().select(some, v, zero)
        });
        let all = self.b().mul(count, width);
        let room = self.room_for_copies(copies.ty, several, all, threads);
        self.parallel.copies.push(Copied {
            ty: copies.ty,
            pointer: table.pointer,
            shadow,
            from: zero,
            origin: shadow,
            count: all,
            ranges: None,
            room: Some(room),
            copies: Some(several),
            memory: None,
            own: None,
            atomic: None,
            rows: Some(Rows {
                first,
                count,
                width,
                from,
            }),
        });
    }

    /// Where a thread adds instead of to a row of the shadow.
    pub(super) fn in_rows(&mut self, read: Inst, copied: Copied, rows: Rows) -> Value {
        let (size, element) = (copied.ty.size(), self.number_type(copied.ty));
        let address = self.p.insts[read].args[0];
        let row = root(&self.p, address);
        let place = row_at(&self.p, address).expect("it was known when copies were planned");
        let start = root(&self.p, place);
        let start = self.need(start);
        let place = self.same_address(place, start);
        let table = self.need(copied.pointer);
        let number = self.b().ptrdiff(8, place, table);
        let number = self.b().sub(number, rows.first);
        let before = self.b().mul(number, rows.width);
        let before = self.b().sub(before, rows.from);
        let memory = copied.memory.expect("the thread has entered the region");
        let shadow = self.need_shadow(row);
        let pointer = self.m.types.pointer(element);
        let ctype = self.d.values[shadow].ctype.unwrap_or(pointer);
        let copies = copied.copies.expect("these copies have a condition");
        // With one thread there is no memory.
        let (branch, yes, no) = self.b().if_(copies, &[Type::Ptr]);
        let around = (self.at, self.position);
        (self.at, self.position) = (no, None);
        self.b().yield_(&[shadow]);
        self.at = yes;
        let own = self.b().element(memory, element, size, before);
        self.b().set_ctype(own, ctype);
        self.b().yield_(&[own]);
        (self.at, self.position) = around;
        let own = self.d.result(branch);
        self.b().set_ctype(own, ctype);
        self.same_address(address, own)
    }
}
