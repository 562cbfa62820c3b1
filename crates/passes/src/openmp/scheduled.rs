//! `schedule(runtime)`: who runs what is what the program, or its environment, has set, where that may show.
//!
//! A static schedule with chunks deals them out in turn. Any other is read as one contiguous share for each thread, which is what `static` means and one of the
//! ways that dynamic schedules may go. Both are chunks in turn: of the size that is set, or one for each thread.

use super::inside;
use super::loops::{Count, LastRan, ran_last, run_over};
use super::runtime;
use super::team::Team;
use adjoin_ir::{Basic, Builder, CallAttr, Inst, Op, Pred, Type, Value};

/// `omp_sched_static`, and the bit of `omp_sched_monotonic`.
const STATIC: i128 = 1;
const KIND: i128 = 0x7fff_ffff;

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
        let types = &mut self.module.types;
        let (int, void) = (types.basic(Basic::Int), types.void());
        let (any, pointer) = (types.pointer(void), types.pointer(int));
        let func = runtime::external(self.module, "omp_get_schedule", void, &[any, pointer]);
        let b = &mut self.before(at);
        let [kind, chunk] = ["kind", "chunk"].map(|name| b.slot(int, Some(name)));
        // The type of the kind is one that only the header knows.
        let unnamed = b.value(Op::Cast, vec![kind], Type::Ptr);
        b.set_ctype(unnamed, any);
        let extra = Vec::new();
        b.inst(
            Op::Call(CallAttr { func, extra }),
            vec![unnamed, chunk],
            &[],
        );
        let [kind, chunk] = [kind, chunk].map(|place| b.load(Type::I32, place));
        let mask = b.int(Type::I32, KIND);
        let kind = b.and(kind, mask);
        let fixed = b.int(Type::I32, STATIC);
        let is_static = b.eq(kind, fixed);
        let chunk = b.cast(Type::I64, chunk);
        let zero = b.int(Type::I64, 0);
        b.select(is_static, chunk, zero)
    }
}

fn smaller(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let less = b.lt(x, y);
    b.select(less, x, y)
}
