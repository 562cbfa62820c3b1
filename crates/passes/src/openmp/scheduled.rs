//! `schedule(runtime)`: who runs what is what the program, or its environment, has set, where that may show.
//!
//! A static schedule with chunks deals them out in turn. Any other is read as one contiguous share for each thread, which is what `static` means and one of the
//! ways that dynamic schedules may go. Both are chunks in turn: of the size that is set, or one for each thread.

use super::inside;
use super::loops::{Count, LastRan, ran_last, run_over};
use super::runtime;
use super::team::Team;
use adjoin_ir::{Basic, Builder, Inst, Pred, Type, Value};

impl Team<'_> {
    /// Makes a loop run over the thread's chunks of the schedule that is set.
    pub(super) fn as_set(&mut self, inst: Inst, count: &Count) -> LastRan {
        let given = self.chunk_that_is_set(inst);
        let (thread, threads, number) = (self.thread, self.threads, count.number);
        let b = &mut self.before(inst);
        let threads = b.cast(Type::I64, threads);
        let thread = b.cast(Type::I64, thread);
        let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
        let none = b.lt(number, zero);
        let number = b.select(none, zero, number);
        let whole = b.lt(given, one);
        let given = b.select(whole, one, given);
        let share = b.div(number, threads);
        let rest = b.rem(number, threads);
        let less = b.sub(given, one);
        let padded = b.add(number, less);
        let dealt = b.div(padded, given);
        let busy = smaller(b, threads, number);
        let chunks = b.select(whole, busy, dealt);
        let size = b.select(whole, share, given);
        // So many chunks, the first ones, have one iteration more.
        let longer = b.select(whole, rest, zero);
        let (_, region) = b.for_(Pred::Lt, thread, chunks, threads, &[]);
        let chunk = b.body.regions[region].args[0];
        b.set_name(chunk, "chunk");
        let (first, end, terminator) = b.inside(region, |b| {
            let next = b.add(chunk, one);
            let [first, end] = [chunk, next].map(|chunk| {
                let at = b.mul(chunk, size);
                let more = smaller(b, chunk, longer);
                b.add(at, more)
            });
            let end = smaller(b, number, end);
            (first, end, b.yield_(&[]))
        });
        crate::edit::move_before(self.body, inst, terminator);
        run_over(self.body, inst, count, (first, end), one);
        ran_last(chunks, thread, threads)
    }

    /// The size of the chunks of a static schedule that is set (`long`), else less than one. It may be set anew between two regions, so it is asked for once.
    fn chunk_that_is_set(&mut self, inst: Inst) -> Value {
        let mut sets = false;
        inside(self.body, self.par, &mut |i| {
            let callee = runtime::callee(self.module, &self.body.insts[i].op);
            sets |= callee == Some("omp_set_schedule");
        });
        let at = if sets { inst } else { self.par };
        let long = self.module.types.basic(Basic::Long);
        let query = runtime::external(self.module, "adjoin_chunk_that_is_set", long, &[]);
        runtime::call(&mut self.before(at), query, Vec::new(), Type::I64)
    }
}

fn smaller(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let less = b.lt(x, y);
    b.select(less, x, y)
}
