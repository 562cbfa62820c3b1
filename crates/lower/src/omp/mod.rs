//! OpenMP directives: each becomes a `par` instruction whose clauses say all there is to say about data. What a clause names has a new address
//! inside (a region argument); everything else is shared. Tasks, where C says otherwise, get their implicit clauses written out.

mod atomic;
mod clauses;
mod lengths;
mod loops;
mod own_copies;
mod teams;

use crate::function::{FunctionLowerer, Jumps, Target};
use crate::visit::Mentioned;
use crate::{Lower, refuse};
use adjoin_front::ast::{LabelId, Omp, OmpArg, OmpClause, Span, Stmt, StmtKind, VarId};
use adjoin_ir::{
    Basic, CTy, CallAttr, Clause, DataKind, Directive, Inst, Op, ParAttr, Region, Type, Value,
};
use clauses::Clauses;
use std::collections::{BTreeSet, HashMap};

/// What `enter_parallel` changes, to be restored.
struct Outside {
    jumps: Jumps,
    labels: HashMap<LabelId, Target>,
    hoist_region: Region,
    slots: Vec<(VarId, Option<Value>)>,
    shared: BTreeSet<VarId>,
}

/// A variable whose array section is private inside, with the address of the private elements.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    var: VarId,
    lower: Value,
    element: CTy,
    arg: Value,
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// A directive.
    pub fn omp(&mut self, omp: &'a Omp, span: Span) -> Lower<()> {
        if omp.directive.contains("loop") {
            self.at = span;
            if let Some(done) = self.combined_taskloop(omp, span) {
                return done;
            }
        }
        if let Some(done) = self.of_teams(omp, span) {
            return done;
        }
        self.construct_of(omp, &omp.directive, false, span, &|_| true)
    }

    /// A construct, with those of a directive's clauses that are wanted, perhaps to be read in order.
    fn construct_of(
        &mut self,
        omp: &'a Omp,
        name: &str,
        in_order: bool,
        span: Span,
        wanted: &dyn Fn(&OmpClause) -> bool,
    ) -> Lower<()> {
        let directive = match name {
            "loop" | "parallel loop" => {
                self.read_as(span, &format!("'#pragma omp {}'", omp.directive));
                match name {
                    "loop" => Directive::For,
                    _ => Directive::ParallelFor,
                }
            }
            // In order, each iteration finds what those before it left.
            "scan" => {
                self.read_as(span, "'#pragma omp scan'");
                return Ok(());
            }
            // Tasks that depend on what such objects name run in order; memory is memory.
            "depobj" | "allocate" => {
                self.read_as(span, &format!("'#pragma omp {name}'"));
                return Ok(());
            }
            // They do nothing, or say how a loop is to be made into others that do the same.
            "nothing" | "assume" | "tile" | "unroll" => {
                self.read_as(span, &format!("'#pragma omp {name}'"));
                return match omp.body.as_deref() {
                    Some(body) => self.stmt(body),
                    None => Ok(()),
                };
            }
            "cancel" => return self.cancel(omp, span),
            "cancellation point" => {
                self.read_as(span, "'#pragma omp cancellation point'");
                return Ok(());
            }
            "scope" => return self.scope_of_team(omp, span),
            // Iterations wait for each other: in order they need not.
            "ordered" if omp.body.is_none() => {
                self.read_as(span, "'#pragma omp ordered' without a statement");
                return Ok(());
            }
            // The loop around it runs in order.
            "ordered"
                if omp.clauses.iter().any(|c| c.name == "simd")
                    && !omp.clauses.iter().any(|c| c.name == "threads") =>
            {
                self.read_as(span, "'#pragma omp ordered simd'");
                return match omp.body.as_deref() {
                    Some(body) => self.stmt(body),
                    None => Ok(()),
                };
            }
            "parallel" | "parallel master" | "parallel masked" => Directive::Parallel,
            "for" => Directive::For,
            "parallel for" => Directive::ParallelFor,
            "simd" => Directive::Simd,
            "for simd" => Directive::ForSimd,
            "parallel for simd" => Directive::ParallelForSimd,
            "sections" => Directive::Sections,
            "parallel sections" => Directive::ParallelSections,
            "single" => Directive::Single,
            "master" => Directive::Master,
            "masked" => Directive::Masked,
            "critical" => Directive::Critical {
                name: clauses::critical_name(omp),
            },
            "atomic" => return self.atomic(omp, span),
            "task" => Directive::Task,
            "taskgroup" => Directive::Taskgroup,
            "taskloop" => Directive::Taskloop,
            "taskloop simd" => Directive::TaskloopSimd,
            "ordered" => Directive::Ordered,
            "barrier" => Directive::Barrier,
            "taskwait" => Directive::Taskwait,
            "taskyield" => Directive::Taskyield,
            "flush" => Directive::Flush,
            // It says something about variables, which the tree records there.
            "threadprivate" => return Ok(()),
            "section" => return refuse(span, "'#pragma omp section' outside of sections"),
            other => return refuse(span, format!("'#pragma omp {other}'")),
        };
        let mut clauses = Clauses::default();
        let own =
            |c: &OmpClause| wanted(c) && !(directive == Directive::Parallel && is_for_mask(c));
        self.some_clauses(omp, &directive, &mut clauses, &own)?;
        if in_order && directive == Directive::ParallelFor {
            let one = self.int(1, Type::I32);
            clauses.one_thread(one);
        } else if in_order {
            clauses.in_order();
        }
        self.at = span;
        match directive {
            Directive::Barrier | Directive::Taskwait | Directive::Taskyield | Directive::Flush => {
                self.emit(
                    Op::Par(ParAttr {
                        directive,
                        clauses: clauses.list,
                    }),
                    clauses.operands,
                );
                return Ok(());
            }
            _ => {}
        }
        let Some(body) = omp.body.as_deref() else {
            return refuse(
                span,
                format!("'#pragma omp {}' without a statement", omp.directive),
            );
        };
        if clauses::makes_tasks(&directive) {
            self.implicit_task_data(body, &mut clauses)?;
            clauses.waits_for_copies(&directive, span)?;
        } else if let Some(kind) = clauses.default_kind {
            self.default_data(kind, body, &mut clauses)?;
        }
        let copied = std::mem::take(&mut clauses.copied);
        if !copied.is_empty() {
            if let Some(done) = self.in_parts(omp, &directive, in_order, span, wanted) {
                return done;
            }
        }
        if directive == Directive::Parallel {
            return self.construct(directive, clauses, |this| {
                this.bind_sections()?;
                let old = this.variable_copies(&copied, span)?;
                match name {
                    "parallel master" => {
                        this.masked(Directive::Master, omp, |this| this.stmt(body))?;
                    }
                    "parallel masked" => {
                        this.masked(Directive::Masked, omp, |this| this.stmt(body))?;
                    }
                    _ => this.stmt(body)?,
                }
                let parts = this.parts(&copied);
                this.without_copies(old);
                this.combine(&parts, span)
            });
        }
        if !clauses.reduced.is_empty() {
            let reduced = std::mem::take(&mut clauses.reduced);
            return self.construct(directive, clauses, |this| {
                this.bind_sections()?;
                let old = this.variable_copies(&reduced, span)?;
                this.stmt(body)?;
                let parts = this.parts(&reduced);
                this.without_copies(old);
                this.combine(&parts, span)
            });
        }
        let old = self.variable_copies(&copied, span)?;
        self.at = span;
        let parts = self.parts(&copied);
        // What threads combine is complete behind the barrier.
        let waits = !parts.is_empty() && !clauses.without_barrier();
        let done = self.with_clauses(directive, clauses, body, span);
        self.without_copies(old);
        done?;
        self.combine(&parts, span)?;
        // A team's end is a barrier anyway.
        if waits && !omp.directive.starts_with("parallel") {
            self.barrier_here();
        }
        Ok(())
    }

    /// `cancel` does nothing, unless the environment says that it may: what a team then leaves out is not known, and the program ends.
    fn cancel(&mut self, omp: &'a Omp, span: Span) -> Lower<()> {
        self.read_as(span, "'#pragma omp cancel'");
        let wanted = (omp.clauses.iter()).find(|c| c.name == "if");
        let wanted = match wanted.and_then(|c| c.args.first()) {
            Some(OmpArg::Expr(e)) => Some(self.condition(e)?),
            _ => None,
        };
        self.at = span;
        let asked = self.m.external("omp_get_cancellation", Some(Basic::Int));
        let call = |func| {
            Op::Call(CallAttr {
                func,
                extra: vec![],
            })
        };
        let may = self.value(call(asked), vec![], Type::I32, None);
        let zero = self.int(0, Type::I32);
        let mut may = self.value(Op::Ne, vec![may, zero], Type::Bool, None);
        if let Some(wanted) = wanted {
            may = self.value(Op::And, vec![may, wanted], Type::Bool, None);
        }
        let abort = self.m.external("abort", None);
        let inst = self.emit(Op::If, vec![may]);
        for stops in [true, false] {
            let region = self.body.add_region(inst);
            let old = self.enter(region);
            if stops {
                self.emit(call(abort), vec![]);
            }
            self.end_region(inst, vec![]);
            self.leave(old);
        }
        Ok(())
    }

    /// The `master` or `masked` of a combined construct, in which each thread asks for itself which one is meant.
    fn masked(
        &mut self,
        mask: Directive,
        omp: &'a Omp,
        fill: impl FnOnce(&mut Self) -> Lower<()>,
    ) -> Lower<()> {
        let mut clauses = Clauses::default();
        self.some_clauses(omp, &mask, &mut clauses, &is_for_mask)?;
        self.construct(mask, clauses, fill)
    }

    /// A construct other than `parallel`, whose clauses are known.
    fn with_clauses(
        &mut self,
        directive: Directive,
        clauses: Clauses,
        body: &'a Stmt,
        span: Span,
    ) -> Lower<()> {
        match directive {
            Directive::For
            | Directive::ParallelFor
            | Directive::Simd
            | Directive::ForSimd
            | Directive::ParallelForSimd
            | Directive::Taskloop
            | Directive::TaskloopSimd => self.omp_loop(directive, clauses, body, span),
            Directive::Sections | Directive::ParallelSections => {
                self.construct(directive, clauses, |this| this.sections(body))
            }
            _ => self.construct(directive, clauses, |this| {
                this.bind_sections()?;
                this.stmt(body)
            }),
        }
    }

    /// `parallel master taskloop` and the like: a `taskloop` in what comes before it. `None`: it is something else.
    fn combined_taskloop(&mut self, omp: &'a Omp, span: Span) -> Option<Lower<()>> {
        let (outer, inner) = omp.directive.split_once(" taskloop")?;
        let (parallel, mask) = match outer {
            "parallel master" => (true, Directive::Master),
            "parallel masked" => (true, Directive::Masked),
            "master" => (false, Directive::Master),
            "masked" => (false, Directive::Masked),
            _ => return None,
        };
        let inner = match inner {
            "" => Directive::Taskloop,
            _ => Directive::TaskloopSimd,
        };
        let body = omp.body.as_deref()?;
        self.read_as(span, &format!("'#pragma omp {}'", omp.directive));
        let work = |this: &mut Self| {
            this.masked(mask, omp, |this| {
                let mut clauses = Clauses::default();
                this.some_clauses(omp, &inner, &mut clauses, &|c| {
                    !is_for_team(c) && !is_for_mask(c)
                })?;
                this.at = span;
                this.implicit_task_data(body, &mut clauses)?;
                clauses.needs_no_copies(span)?;
                this.omp_loop(inner, clauses, body, span)
            })
        };
        if !parallel {
            return Some(work(self));
        }
        let mut clauses = Clauses::default();
        let outer = self.some_clauses(omp, &Directive::Parallel, &mut clauses, &is_for_team);
        if outer.is_err() {
            return Some(outer);
        }
        self.at = span;
        Some(self.construct(Directive::Parallel, clauses, work))
    }

    /// A `par` with a region.
    fn construct(
        &mut self,
        directive: Directive,
        clauses: Clauses,
        fill: impl FnOnce(&mut Self) -> Lower<()>,
    ) -> Lower<()> {
        let span = self.at;
        let (inst, region) = self.open_parallel(directive, &clauses);
        let old = self.enter(region);
        let outside = self.enter_parallel(inst, region, &clauses)?;
        fill(self)?;
        self.at = span;
        self.end_region(inst, vec![]);
        self.leave_parallel(outside);
        self.leave(old);
        Ok(())
    }

    /// A construct that threads run one at a time.
    pub fn turn(
        &mut self,
        directive: Directive,
        order: Vec<Clause>,
        fill: impl FnOnce(&mut Self) -> Lower<()>,
    ) -> Lower<()> {
        let clauses = Clauses {
            list: order,
            ..Clauses::default()
        };
        self.construct(directive, clauses, fill)
    }

    fn open_parallel(&mut self, directive: Directive, clauses: &Clauses) -> (Inst, Region) {
        let attr = ParAttr {
            directive,
            clauses: clauses.list.clone(),
        };
        let inst = self.emit(Op::Par(attr), clauses.operands.clone());
        let region = self.body.add_region(inst);
        (inst, region)
    }

    /// Inside a construct: no jump leaves it, and clauses give variables new addresses.
    fn enter_parallel(&mut self, inst: Inst, region: Region, clauses: &Clauses) -> Lower<Outside> {
        let mut outside = Outside {
            jumps: std::mem::take(&mut self.jumps),
            labels: std::mem::take(&mut self.labels),
            hoist_region: std::mem::replace(&mut self.hoist_region, region),
            slots: Vec::new(),
            shared: self.shared.clone(),
        };
        self.parallel += 1;
        let Op::Par(attr) = &self.body.insts[inst].op else {
            unreachable!("enter_parallel is given a par instruction")
        };
        let starts_team = matches!(
            attr.directive,
            Directive::Parallel
                | Directive::ParallelFor
                | Directive::ParallelForSimd
                | Directive::ParallelSections
        );
        if starts_team {
            self.shared = self.slots.keys().copied().collect();
        }
        let bindings = clauses
            .list
            .iter()
            .filter(|c| matches!(c, Clause::Data { .. }));
        for (clause, bound) in bindings.zip(&clauses.bound) {
            let Clause::Data { kind, ctype, .. } = clause else {
                continue;
            };
            let arg = self.body.add_arg(region, Type::Ptr);
            self.body.values[arg].ctype = Some(self.m.pointer(*ctype));
            if !matches!(kind, DataKind::Shared | DataKind::CopyPrivate) {
                self.shared.remove(&bound.var);
            }
            outside
                .slots
                .push((bound.var, self.slots.insert(bound.var, arg)));
            if let Some((lower, element)) = bound.section {
                self.sections.push(Section {
                    var: bound.var,
                    lower,
                    element,
                    arg,
                });
            }
        }
        Ok(outside)
    }

    /// Makes the variables of array sections lead to the private elements: a pointer becomes a new pointer. (In a loop construct this happens in the
    /// loop's body, because the construct's region holds nothing but the loop.)
    fn bind_sections(&mut self) -> Lower<()> {
        for section in std::mem::take(&mut self.sections) {
            let Section {
                var,
                lower,
                element,
                arg,
            } = section;
            let v = &self.unit.vars[var];
            let first = match self.body.const_int(lower) {
                Some(0) => arg,
                _ => {
                    let wide = self.cast(lower, Type::I64, None);
                    let back = self.value(Op::Neg, vec![wide], Type::I64, None);
                    let mut path = crate::address::Path::new(arg, element, false);
                    self.push_index_of(&mut path, element, back, v.span)?;
                    let pointer = self.m.pointer(element);
                    self.finish(path, pointer)
                }
            };
            let address = if self.m.types().pointee(v.ty).is_none() {
                first
            } else {
                let slot = self.new_slot(v.ty, Some(v.name.clone()), 0);
                self.store_to(slot, v.ty, first)?;
                slot
            };
            self.slots.insert(var, address);
        }
        Ok(())
    }

    fn leave_parallel(&mut self, outside: Outside) {
        self.parallel -= 1;
        self.jumps = outside.jumps;
        self.labels = outside.labels;
        self.hoist_region = outside.hoist_region;
        self.shared = outside.shared;
        for (var, address) in outside.slots.into_iter().rev() {
            match address {
                Some(a) => self.slots.insert(var, a),
                None => self.slots.remove(&var),
            };
        }
    }

    /// The sections of a `sections` construct. What comes before the first `section` is one too.
    fn sections(&mut self, body: &'a Stmt) -> Lower<()> {
        self.bind_sections()?;
        let StmtKind::Block(list) = &body.kind else {
            return self.section(std::slice::from_ref(body));
        };
        let mut start = 0;
        for (k, s) in list.iter().enumerate() {
            let StmtKind::Omp(Omp {
                directive, body, ..
            }) = &s.kind
            else {
                continue;
            };
            if directive != "section" {
                continue;
            }
            if start < k {
                self.section(&list[start..k])?;
            }
            start = k + 1;
            self.at = s.span;
            if let Some(body) = body {
                self.section(std::slice::from_ref(body))?;
            }
        }
        if start < list.len() {
            self.section(&list[start..])?;
        }
        Ok(())
    }

    fn section(&mut self, stmts: &'a [Stmt]) -> Lower<()> {
        self.construct(Directive::Section, Clauses::default(), |this| {
            this.list(stmts)
        })
    }

    /// A task's variables that no clause names: those that the team shares are shared, the others are copied when the task is made.
    fn implicit_task_data(&mut self, body: &'a Stmt, clauses: &mut Clauses) -> Lower<()> {
        let mut mentioned = Mentioned::new(self.unit);
        mentioned.stmt(body);
        for var in mentioned.vars {
            let Some(&address) = self.slots.get(&var) else {
                continue;
            };
            if clauses.names(var) {
                continue;
            }
            let kind = match clauses.default_kind {
                Some(kind) => kind,
                None if clauses.default_shared || self.shared.contains(&var) => DataKind::Shared,
                None => DataKind::FirstPrivate,
            };
            self.data_clause(kind, var, address, body.span, clauses)?;
        }
        Ok(())
    }

    /// The variables of the function that `default(private)` and `default(firstprivate)` of a team mean.
    fn default_data(&mut self, kind: DataKind, body: &'a Stmt, clauses: &mut Clauses) -> Lower<()> {
        let mut mentioned = Mentioned::new(self.unit);
        mentioned.stmt(body);
        for var in mentioned.vars {
            let copied = clauses.copied.iter().any(|c| c.var == var)
                || clauses.linear.iter().any(|l| l.var == var);
            let named = clauses.names(var) || clauses.shared.contains(&var);
            match self.slots.get(&var) {
                Some(&address) if !copied && !named => {
                    self.data_clause(kind, var, address, body.span, clauses)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Does a clause of a combined construct belong to its `parallel`?
fn is_for_team(clause: &OmpClause) -> bool {
    matches!(clause.name.as_str(), "num_threads" | "proc_bind" | "copyin")
}

/// Does a clause of a combined construct belong to its `masked`?
fn is_for_mask(clause: &OmpClause) -> bool {
    clause.name == "filter"
}
