//! A team's region: combined constructs are taken apart, data clauses become objects, and what is inside becomes code that each thread runs.

use super::data::{Data, data_clauses, replace_region_args};
use super::reduction::Reduction;
use super::{Direction, asks_inside, directive, inside, loops, runtime};
use crate::edit::{Replacements, is_inside, unlink};
use adjoin_ir::{
    Body, Builder, Clause, DataKind, Directive, Inst, Module, Op, ParAttr, Region, Type, Value,
};
use std::collections::BTreeSet;

/// A team whose region is being brought into the normal form.
pub(super) struct Team<'a> {
    pub module: &'a mut Module,
    pub body: &'a mut Body,
    /// The `par parallel`.
    pub par: Inst,
    /// The number of the thread, and of all threads (both `int`).
    pub thread: Value,
    pub threads: Value,
    /// How many threads there can be (`long`), in front of the region.
    most: Option<Value>,
    /// Loops may rely on having the iterations of others.
    pub paired: bool,
    /// The program asks for the number of the thread.
    pub asks: bool,
    /// The worksharing loops in which it may show who runs which iteration.
    pub shown: BTreeSet<Inst>,
}

/// Normalises a team; returns its `par parallel`.
pub(super) fn normalise(
    module: &mut Module,
    body: &mut Body,
    par: Inst,
    direction: Direction,
) -> Inst {
    let par = take_apart(body, par);
    let region = body.insts[par].regions[0];
    super::tasks::normalise(module, body, region, true);
    let (thread, threads, asks) = ask(module, body, par, region);
    let mut team = Team {
        module,
        body,
        par,
        thread,
        threads,
        most: None,
        paired: false,
        asks,
        shown: BTreeSet::new(),
    };
    let reductions = team.own_data(region);
    team.constructs();
    if direction == Direction::Both {
        crate::registry::optional("replicate", || team.replicate(region));
    }
    let end = team.body.terminator(region).expect("a region has an end");
    for reduction in &reductions {
        team.end_of_team_reduction(reduction, end);
    }
    par
}

/// `parallel for` as a `for` in a `parallel`: the clauses go to the part that they belong to.
fn take_apart(body: &mut Body, par: Inst) -> Inst {
    let data = body.insts[par].clone();
    let Op::Par(attr) = &data.op else {
        return par;
    };
    let inner = match attr.directive {
        Directive::ParallelFor => Directive::For,
        Directive::ParallelForSimd => Directive::ForSimd,
        Directive::ParallelSections => Directive::Sections,
        _ => return par,
    };
    let old = data.regions[0];
    let new = body.regions.push(adjoin_ir::RegionData {
        parent: Some(par),
        ..Default::default()
    });
    let mut replacements = Replacements::default();
    let (mut outer_clauses, mut outer_args) = (Vec::new(), Vec::new());
    let (mut inner_clauses, mut inner_args, mut inner_params) =
        (Vec::new(), Vec::new(), Vec::new());
    let (mut operand, mut param) = (0, 0);
    for clause in &attr.clauses {
        let operands = &data.args[operand..operand + clause.operands()];
        operand += clause.operands();
        let to_team = match clause {
            Clause::NumThreads | Clause::If => true,
            Clause::Verbatim(text) => text.starts_with("proc_bind"),
            Clause::Data { kind, .. } => {
                !matches!(kind, DataKind::LastPrivate | DataKind::FirstLastPrivate)
            }
            _ => false,
        };
        let (clauses, args) = match to_team {
            true => (&mut outer_clauses, &mut outer_args),
            false => (&mut inner_clauses, &mut inner_args),
        };
        clauses.push(clause.clone());
        args.extend_from_slice(operands);
        if clause.region_args() > 0 {
            let address = body.regions[old].args[param];
            param += 1;
            if to_team {
                let outside = body.add_arg(new, Type::Ptr);
                body.values[outside].ctype = body.values[address].ctype;
                replacements.set(address, outside);
            } else {
                inner_params.push(address);
            }
        }
    }
    replacements.apply(body);
    crate::edit::set_region_args(body, old, inner_params);
    // The team's end is a barrier.
    inner_clauses.push(Clause::Nowait);
    let mut b = Builder::at_end(body, new);
    b.span = data.span;
    let worksharing = b.inst(
        Op::Par(ParAttr {
            directive: inner,
            clauses: inner_clauses,
        }),
        inner_args,
        &[],
    );
    b.yield_(&[]);
    body.insts[worksharing].regions = vec![old];
    body.regions[old].parent = Some(worksharing);
    let team = &mut body.insts[par];
    team.op = Op::Par(ParAttr {
        directive: Directive::Parallel,
        clauses: outer_clauses,
    });
    team.args = outer_args;
    team.regions = vec![new];
    par
}

/// The questions of who and how many, asked once at the region's start; and whether the program itself, or a function that it calls, asks who.
fn ask(module: &mut Module, body: &mut Body, par: Inst, region: Region) -> (Value, Value, bool) {
    let (who, many) = (
        runtime::query(module, runtime::THREAD),
        runtime::query(module, runtime::THREADS),
    );
    // Bounds of what threads access are asked for with it.
    runtime::query(module, runtime::MOST_THREADS);
    let (mut asked, mut called) = (Vec::new(), Vec::new());
    inside(body, par, &mut |inst| {
        match runtime::callee(module, &body.insts[inst].op) {
            Some(runtime::THREAD) => asked.push((inst, true)),
            Some(runtime::THREADS) => asked.push((inst, false)),
            _ => {}
        }
        if let Op::Call(attr) = &body.insts[inst].op {
            called.push(attr.func);
        }
    });
    let asks = asked.iter().any(|a| a.1) || called.iter().any(|&f| asks_inside(module, f));
    let first = body.regions[region].insts[0];
    let span = body.insts[par].span;
    let mut b = Builder::before(body, first);
    b.span = span;
    let thread = runtime::call(&mut b, who, Vec::new(), Type::I32);
    b.set_name(thread, "thread");
    let threads = runtime::call(&mut b, many, Vec::new(), Type::I32);
    b.set_name(threads, "threads");
    let mut replacements = Replacements::default();
    for (inst, who) in asked {
        if let Some(&v) = body.insts[inst].results.first() {
            replacements.set(v, if who { thread } else { threads });
        }
        unlink(body, inst);
    }
    replacements.apply(body);
    (thread, threads, asks)
}

impl Team<'_> {
    /// A builder in front of an instruction.
    pub fn before(&mut self, inst: Inst) -> Builder<'_> {
        Builder::before(self.body, inst)
    }

    /// How many threads there can be: as many as a clause says, or as OpenMP gives.
    pub fn most(&mut self) -> Value {
        if let Some(most) = self.most {
            return most;
        }
        let Op::Par(attr) = &self.body.insts[self.par].op else {
            unreachable!("a team is a par instruction")
        };
        let mut operand = 0;
        let mut given = None;
        for clause in &attr.clauses {
            if *clause == Clause::NumThreads {
                given = Some(self.body.insts[self.par].args[operand]);
            }
            operand += clause.operands();
        }
        let query = runtime::query(self.module, runtime::MOST_THREADS);
        let par = self.par;
        let mut b = self.before(par);
        let most = match given {
            Some(v) => v,
            None => runtime::call(&mut b, query, Vec::new(), Type::I32),
        };
        let most = b.cast(Type::I64, most);
        b.set_name(most, "most_threads");
        self.most = Some(most);
        most
    }

    /// The data clauses of the team itself. The reductions end with the region.
    fn own_data(&mut self, region: Region) -> Vec<Reduction> {
        let list = data_clauses(self.body, self.par);
        let first = self.body.regions[region].insts[2];
        let mut addresses = Vec::new();
        let mut reductions = Vec::new();
        for data in &list {
            addresses.push(match data.kind {
                DataKind::Reduction(op) => {
                    let reduction = self.start_reduction(data, op, first);
                    let private = reduction.private;
                    reductions.push(reduction);
                    private
                }
                DataKind::CopyIn => self.copy_in(data, first),
                _ => self.private_copy(data, first),
            });
        }
        replace_region_args(self.body, region, &addresses);
        self.drop_data_clauses();
        reductions
    }

    /// `copyin`: the variable has an instance for each thread, which gets the value that the encountering thread's has.
    fn copy_in(&mut self, data: &Data, first: Inst) -> Value {
        let par = self.par;
        let mut b = self.before(par);
        let kept = b.slot(data.ctype, Some(&data.name));
        self.copy_before(par, data.ctype, kept, data.original);
        self.copy_before(first, data.ctype, data.original, kept);
        data.original
    }

    fn drop_data_clauses(&mut self) {
        let Op::Par(attr) = self.body.insts[self.par].op.clone() else {
            return;
        };
        let args = std::mem::take(&mut self.body.insts[self.par].args);
        let mut kept = Vec::new();
        let (mut clauses, mut operand) = (Vec::new(), 0);
        for clause in attr.clauses {
            let count = clause.operands();
            if clause.region_args() == 0 {
                kept.extend_from_slice(&args[operand..operand + count]);
                clauses.push(clause);
            }
            operand += count;
        }
        self.body.insts[self.par].args = kept;
        self.body.insts[self.par].op = Op::Par(ParAttr {
            directive: attr.directive,
            clauses,
        });
    }

    /// Everything inside, outer constructs first.
    fn constructs(&mut self) {
        let mut list = Vec::new();
        inside(self.body, self.par, &mut |inst| {
            if matches!(self.body.insts[inst].op, Op::Par(_)) {
                list.push(inst);
            }
        });
        self.paired = self.rely_on_each_other(&list);
        self.shown = self.where_it_shows(&list);
        for inst in list {
            let Some(d) = directive(self.body, inst).cloned() else {
                continue;
            };
            debug_assert!(is_inside(self.body, inst, self.par));
            match d {
                d if loops::is_worksharing(&d) => self.worksharing_loop(inst),
                Directive::Sections => self.sections(inst),
                Directive::Single => self.single(inst),
                Directive::Master | Directive::Masked => self.masked(inst),
                // A section is a case of its sections by now.
                Directive::Section
                | Directive::Flush
                | Directive::Barrier
                | Directive::Task
                | Directive::Taskwait
                | Directive::Critical { .. }
                | Directive::Atomic(_) => {}
                _ => crate::serialise::one(&self.module.types, self.body, inst),
            }
        }
    }
}
