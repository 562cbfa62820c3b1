//! How many threads a team has had: each of them has its own shadows of threadprivate variables, and those of an earlier call are cleared in the next one, in as many threads.
//!
//! Teams of the usual size need no note. Those with `num_threads` say their number in front of the region, where the module has threadprivate variables at all.

use super::{directive, runtime};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CallAttr, Clause, Directive, Func, Global, GlobalData, Init, Inst,
    Linkage, Module, Op, Span, Type, Value,
};

/// The variable, and the critical section in which it is set.
const NOTED: &str = "adjoin_noted_threads";

/// The variable with the largest number so far.
fn noted_threads(module: &mut Module) -> Global {
    let found = module.globals.iter().find(|(_, g)| g.name == NOTED);
    if let Some((found, _)) = found {
        return found;
    }
    let ctype = module.types.basic(Basic::Int);
    module.globals.push(GlobalData {
        name: NOTED.to_string(),
        ctype,
        linkage: Linkage::Static,
        owner: None,
        init: Some(Init::default()),
        thread_local: false,
        align: 0,
        span: Span::default(),
    })
}

/// The number of threads that a team asks for.
fn asked(body: &Body, team: Inst) -> Option<Value> {
    let Op::Par(attr) = &body.insts[team].op else {
        return None;
    };
    let mut operand = 0;
    for clause in &attr.clauses {
        if *clause == Clause::NumThreads {
            return body.insts[team].args.get(operand).copied();
        }
        operand += clause.operands();
    }
    None
}

fn is_note(body: &Body, inst: Inst) -> bool {
    matches!(directive(body, inst), Some(Directive::Critical { name: Some(name) }) if name == NOTED)
}

/// Notes how many threads a team asks for.
pub(super) fn note(module: &mut Module, body: &mut Body, team: Inst) {
    let own = |g: &GlobalData| g.thread_local && !g.name.starts_with("adjoin_");
    let Some(asked) = asked(body, team) else {
        return;
    };
    let list = &body.regions[body.insts[team].parent].insts;
    let before = list
        .iter()
        .position(|&i| i == team)
        .and_then(|at| at.checked_sub(1));
    if before.is_some_and(|at| is_note(body, list[at])) || !module.globals.values().any(own) {
        return;
    }
    let noted = noted_threads(module);
    note_before(body, team, noted, asked);
}

/// `if (number > noted) noted = number;`
fn note_before(body: &mut Body, at: Inst, noted: Global, number: Value) {
    let span = body.insts[at].span;
    let mut b = Builder::before(body, at);
    b.span = span;
    let number = b.cast(Type::I32, number);
    note_number(&mut b, noted, number, None);
}

/// What asks how many threads there have been, or will be in a team of the usual size.
#[derive(Clone, Copy, Debug)]
pub struct AllThreads {
    noted: Global,
    usual: Func,
    int: CTy,
}

impl AllThreads {
    /// Declares what it takes.
    pub fn new(module: &mut Module) -> AllThreads {
        AllThreads {
            noted: noted_threads(module),
            usual: runtime::query(module, runtime::MOST_THREADS),
            int: module.types.basic(Basic::Int),
        }
    }

    /// The number of threads.
    pub fn number(self, b: &mut Builder<'_>) -> Value {
        let func = self.usual;
        let extra = Vec::new();
        let usual = b.value(Op::Call(CallAttr { func, extra }), vec![], Type::I32);
        let all = b.slot(self.int, Some("all_threads"));
        note_number(b, self.noted, usual, Some(all));
        b.load(Type::I32, all)
    }
}

/// Notes a number of threads; the largest so far goes to a variable.
fn note_number(b: &mut Builder<'_>, noted: Global, number: Value, largest: Option<Value>) {
    let name = Some(NOTED.to_string());
    let (_, region) = b.par(Directive::Critical { name }, Vec::new(), Vec::new());
    b.inside(region, |b| {
        let place = b.global(noted);
        let old = b.load(Type::I32, place);
        let more = b.gt(number, old);
        let new = b.select(more, number, old);
        b.store(place, new);
        if let Some(largest) = largest {
            b.store(largest, new);
        }
        b.yield_(&[]);
    });
}
