//! Worksharing loops whose iterations must run in order (`ordered`, `inscan`, `lastprivate(conditional: …)`): the first thread of the team runs them all, where it cannot show
//! that the others do not take part.

use super::shows::is_the_programs;
use super::{asks_inside, inside, loops, runtime};
use adjoin_ir::{Body, Clause, DataKind, Directive, Inst, Module, Op, Value};

/// Must the iterations of a loop that a team shares run in order?
pub(super) fn is_in_order(body: &Body, par: Inst) -> bool {
    let Op::Par(attr) = &body.insts[par].op else {
        return false;
    };
    let shared = matches!(attr.directive, Directive::For | Directive::ForSimd);
    let waits = |c: &Clause| c.is_in_order() || *c == Clause::Ordered;
    shared && (attr.clauses.iter().any(waits) || has_linear(body, par))
}

fn has_linear(body: &Body, par: Inst) -> bool {
    super::data::data_clauses(body, par)
        .iter()
        .any(|d| d.kind == DataKind::Linear)
}

/// May one thread run all iterations of a loop: do they use nothing that is different for each thread?
pub(super) fn may_be(module: &Module, body: &Body, team: Inst, par: Inst) -> bool {
    let Some(inst) = loops::the_loop(body, par) else {
        return false;
    };
    let region = Same { module, body, team };
    let clauses = super::data::data_clauses(body, par);
    let data = clauses.iter().all(|d| {
        d.kind == DataKind::Private
            || region.is(d.original, 16) && d.count.is_none_or(|n| region.is(n, 16))
    });
    let bounds = body.insts[inst].args.iter().all(|&v| region.is(v, 16));
    let variables = module.globals.values().any(is_the_programs);
    let mut same = data && bounds;
    inside(body, par, &mut |inner| {
        let data = &body.insts[inner];
        same &= match &data.op {
            Op::Call(attr) => {
                let asks = runtime::callee(module, &data.op) == Some(runtime::THREAD)
                    || asks_inside(module, attr.func);
                let uses_variables = variables && module.funcs[attr.func].body.is_some();
                !asks && !uses_variables
            }
            Op::CallIndirect(_) => false,
            Op::GlobalAddr(g) => !module.globals[*g].thread_local,
            _ => true,
        };
        same &= data
            .args
            .iter()
            .all(|&v| region.is_made_in(v, par) || region.is(v, 16));
    });
    same
}

/// What is the same for all threads of a team.
struct Same<'a> {
    module: &'a Module,
    body: &'a Body,
    team: Inst,
}

impl Same<'_> {
    fn is_made_in(&self, v: Value, inst: Inst) -> bool {
        let home = self.body.def_region(v);
        (self.body.insts[inst].regions.iter()).any(|&r| self.body.encloses(r, home))
    }

    fn is(&self, v: Value, depth: u32) -> bool {
        if !self.is_made_in(v, self.team) {
            return true;
        }
        let all = |list: &[Value]| depth > 0 && list.iter().all(|&v| self.is(v, depth - 1));
        match self.body.def_inst(v) {
            Some(def) => {
                let data = &self.body.insts[def];
                match &data.op {
                    Op::GlobalAddr(g) => !self.module.globals[*g].thread_local,
                    Op::Load(_) => all(&data.args),
                    Op::Call(_) => runtime::callee(self.module, &data.op) == Some(runtime::THREADS),
                    op => op.is_pure() && data.regions.is_empty() && all(&data.args),
                }
            }
            // The index of a loop around the construct.
            None => {
                let home = self.body.def_region(v);
                let first = self.body.regions[home].args.first() == Some(&v);
                self.body.regions[home].parent.is_some_and(|holder| {
                    let data = &self.body.insts[holder];
                    first && matches!(data.op, Op::For(_)) && all(&data.args[..3])
                })
            }
        }
    }
}
