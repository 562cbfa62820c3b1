//! Clauses: their operands are evaluated before the construct, their variables get region arguments.

use super::lengths::Copied;
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{BinaryOp, Expr, ExprKind, Omp, OmpArg, OmpClause, Span, VarId};
use adjoin_ir::{CTy, Clause, DataKind, Directive, Op, ReduceOp, Schedule, Type, Value};

/// The clauses of a construct, as they will be in the instruction.
#[derive(Default)]
pub(super) struct Clauses {
    pub list: Vec<Clause>,
    pub operands: Vec<Value>,
    /// One per data clause, in order.
    pub bound: Vec<Bound>,
    /// `default(shared)`
    pub default_shared: bool,
    /// `default(private)`, `default(firstprivate)`
    pub default_kind: Option<DataKind>,
    /// Variables that a clause says are shared.
    pub shared: Vec<VarId>,
    /// How many loops belong to the construct.
    pub collapse: u32,
    /// Variables that follow from the number of the iteration, with their values in front of the loop and their steps.
    pub linear: Vec<Linear>,
    /// Variables with copies that no clause in the list is for.
    pub copied: Vec<Copied>,
    /// The same, of a task, which combines them with the originals when it is done.
    pub reduced: Vec<Copied>,
}

/// A variable of a `linear` clause.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    pub var: VarId,
    pub start: Value,
    pub step: Option<Value>,
}

/// The variable of a data clause.
pub(super) struct Bound {
    pub var: VarId,
    /// Of an array section: the lower bound, and the element type.
    pub section: Option<(Value, CTy)>,
}

impl Clauses {
    /// Does a data clause name the variable?
    pub fn names(&self, var: VarId) -> bool {
        self.bound.iter().any(|b| b.var == var)
    }

    /// Of a loop of tasks: it has no copy of an array whose length varies.
    pub fn needs_no_copies(&self, span: Span) -> Lower<()> {
        match self.copied.is_empty() {
            true => Ok(()),
            false => refuse(
                span,
                "a loop of tasks with a private copy whose length varies",
            ),
        }
    }

    /// A task with a copy of an array whose length varies runs at once: the copy lies in front of it.
    pub fn waits_for_copies(&mut self, directive: &Directive, span: Span) -> Lower<()> {
        if *directive != Directive::Task {
            return self.needs_no_copies(span);
        }
        if !self.copied.is_empty() {
            self.in_order();
        }
        Ok(())
    }

    /// The construct is to run in order.
    pub fn in_order(&mut self) {
        if !self.list.iter().any(Clause::is_in_order) {
            self.push(Clause::in_order(), None);
        }
    }

    /// One thread runs the construct. Teams inside it are teams of their own.
    pub fn one_thread(&mut self, one: Value) {
        self.push(Clause::NumThreads, Some(one));
    }

    fn push(&mut self, clause: Clause, operand: Option<Value>) {
        self.list.push(clause);
        self.operands.extend(operand);
    }
}

/// The name of a critical section.
/// The name of a critical section. All with one name must have one hint, in every file: it stays with the name.
pub(super) fn critical_name(omp: &Omp) -> Option<String> {
    let name = omp
        .clauses
        .iter()
        .filter(|c| c.name == "(name)" || c.name.is_empty())
        .find_map(|c| {
            c.args.iter().find_map(|a| match a {
                OmpArg::Word(w) => Some(w.clone()),
                _ => None,
            })
        })?;
    let hint = omp.clauses.iter().find(|c| c.name == "hint");
    Some(match hint.and_then(constant) {
        Some(hint) => format!("{name} hint({hint})"),
        None => name,
    })
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// The clauses of a directive that are wanted.
    pub(super) fn some_clauses(
        &mut self,
        omp: &'a Omp,
        directive: &Directive,
        out: &mut Clauses,
        wanted: &dyn Fn(&OmpClause) -> bool,
    ) -> Lower<()> {
        out.collapse = 1;
        for clause in omp.clauses.iter().filter(|c| wanted(c)) {
            self.at = clause.span;
            self.clause(clause, directive, out)?;
        }
        Ok(())
    }

    fn clause(
        &mut self,
        clause: &'a OmpClause,
        directive: &Directive,
        out: &mut Clauses,
    ) -> Lower<()> {
        let refused = || refuse(clause.span, format!("the OpenMP clause '{}'", clause.name));
        match clause.name.as_str() {
            "(name)" | "" if matches!(directive, Directive::Critical { .. }) => Ok(()),
            // A flush of everything includes one of a list.
            "(list)" | "" if *directive == Directive::Flush => Ok(()),
            "private" => self.data(DataKind::Private, clause, out),
            "firstprivate" => self.data(DataKind::FirstPrivate, clause, out),
            "lastprivate" => {
                if !clause.modifiers.is_empty() {
                    self.in_order(clause, directive, out);
                }
                self.data(DataKind::LastPrivate, clause, out)
            }
            "shared" => {
                // Outside of tasks shared is what variables are anyway.
                if makes_tasks(directive) {
                    return self.data(DataKind::Shared, clause, out);
                }
                out.shared
                    .extend(clause.args.iter().filter_map(|arg| match arg {
                        OmpArg::Var(var, _) => Some(*var),
                        _ => None,
                    }));
                Ok(())
            }
            "copyin" => self.data(DataKind::CopyIn, clause, out),
            "copyprivate" => self.data(DataKind::CopyPrivate, clause, out),
            "linear" if super::loops::is_shared_out(directive) && out.collapse == 1 => {
                self.read(clause);
                self.linear(clause, out)
            }
            "linear" => {
                if !matches!(
                    &clause.tail,
                    None | Some(Expr {
                        kind: ExprKind::Int(1),
                        ..
                    })
                ) {
                    self.in_order(clause, directive, out);
                }
                self.data(DataKind::Linear, clause, out)
            }
            "reduction" => {
                let op = match clause.modifiers.as_slice() {
                    [op] => op.as_str(),
                    [modifier, op] => {
                        match modifier.as_str() {
                            "default" => {}
                            // Tasks that take part go in order.
                            "task" => self.read(clause),
                            // What is scanned is complete up to there, with what the variable had before, when iterations go in order.
                            "inscan" => {
                                self.in_order(clause, directive, out);
                                return self.original(clause, directive, out);
                            }
                            _ => return refused(),
                        }
                        op.as_str()
                    }
                    _ => return refused(),
                };
                let rest = self.own_reduction(op, clause, directive, out);
                match reduction(op) {
                    _ if rest.is_empty() => Ok(()),
                    Some(op) => self.data_of(DataKind::Reduction(op), rest, clause, out),
                    None if *directive == Directive::Parallel => refused(),
                    // The program declares it. In order, everything goes into the variable itself.
                    None => {
                        self.in_order(clause, directive, out);
                        self.original(clause, directive, out)
                    }
                }
            }
            "in_reduction" => {
                match self.task_reduction(clause, directive) {
                    Some(reduced) => {
                        self.read(clause);
                        out.reduced.extend(reduced);
                    }
                    // In order, everything goes into the variable itself, and tasks wait for those that they depend on.
                    None => self.in_order(clause, directive, out),
                }
                self.original(clause, directive, out)
            }
            "depend" if makes_tasks(directive) => {
                self.read(clause);
                let Some(dependences) = self.dependences(clause, directive) else {
                    // It waits for all that came before.
                    out.in_order();
                    let nothing = self.int(0, Type::Ptr);
                    out.push(Clause::DependOut, Some(nothing));
                    return Ok(());
                };
                for (kind, address) in dependences {
                    out.push(kind, Some(address));
                }
                Ok(())
            }
            "task_reduction" => {
                self.read(clause);
                Ok(())
            }
            "depend" if *directive == Directive::Taskwait => {
                self.read(clause);
                Ok(())
            }
            "default" => {
                match word(clause) {
                    Some("shared") => out.default_shared = true,
                    Some("private") => out.default_kind = Some(DataKind::Private),
                    Some("firstprivate") => out.default_kind = Some(DataKind::FirstPrivate),
                    // Every variable is then named by a clause, or predetermined.
                    Some("none") => {}
                    _ => return refused(),
                }
                Ok(())
            }
            "num_threads" => self.operand(clause, Clause::NumThreads, None, out),
            // Whether iterations run in lanes changes nothing but their speed.
            "if" if clause.modifiers == ["simd"] => {
                self.read(clause);
                Ok(())
            }
            "if" => self.operand(clause, Clause::If, Some(Type::Bool), out),
            "final" => self.operand(clause, Clause::Final, Some(Type::Bool), out),
            "priority" => self.operand(clause, Clause::Priority, None, out),
            "grainsize" | "num_tasks" => {
                if !clause.modifiers.is_empty() {
                    self.read(clause);
                }
                let kind = match clause.name.as_str() {
                    "grainsize" => Clause::Grainsize,
                    _ => Clause::NumTasks,
                };
                self.operand(clause, kind, None, out)
            }
            "filter" => self.operand(clause, Clause::Filter, None, out),
            "schedule" => self.schedule(clause, out),
            "collapse" => {
                let Some(n) = constant(clause).filter(|&n| n > 0) else {
                    return refused();
                };
                out.collapse = n;
                out.push(Clause::Collapse(n), None);
                Ok(())
            }
            "ordered" => {
                if !clause.args.is_empty() {
                    self.in_order(clause, directive, out);
                }
                out.push(Clause::Ordered, None);
                Ok(())
            }
            "safelen" | "simdlen" => {
                let Some(n) = constant(clause) else {
                    return refused();
                };
                let safelen = clause.name == "safelen";
                out.push(
                    if safelen {
                        Clause::Safelen(n)
                    } else {
                        Clause::Simdlen(n)
                    },
                    None,
                );
                Ok(())
            }
            "nowait" | "untied" | "mergeable" | "nogroup" => {
                out.push(
                    match clause.name.as_str() {
                        "nowait" => Clause::Nowait,
                        "untied" => Clause::Untied,
                        "mergeable" => Clause::Mergeable,
                        _ => Clause::Nogroup,
                    },
                    None,
                );
                Ok(())
            }
            "proc_bind" | "order" => match word(clause) {
                Some(w) => {
                    out.push(Clause::Verbatim(format!("{}({w})", clause.name)), None);
                    Ok(())
                }
                None => refused(),
            },
            "seq_cst" | "acq_rel" | "acquire" | "release" | "relaxed" | "threads" => {
                out.push(Clause::Verbatim(clause.name.clone()), None);
                Ok(())
            }
            // Promises and hints, which it is always right to forget.
            "aligned" | "nontemporal" | "hint" => Ok(()),
            "allocate" | "affinity" | "bind" => {
                self.read(clause);
                Ok(())
            }
            _ => refused(),
        }
    }

    /// A clause that the IR has no form for: what is lowered is one of the ways the construct may run.
    pub(super) fn read(&mut self, clause: &OmpClause) {
        let what = format!("the OpenMP clause '{}'", clause.name);
        self.read_as(clause.span, &what);
    }

    /// See [`Self::read`].
    pub(super) fn read_as(&mut self, span: Span, what: &str) {
        self.m.reading.get_or_insert_with(|| crate::Refused {
            span,
            reason: format!("cannot lower {what}"),
        });
    }

    /// The same, where this way is to run in order.
    fn in_order(&mut self, clause: &OmpClause, directive: &Directive, out: &mut Clauses) {
        self.read(clause);
        // A simd loop runs in order anyway.
        if *directive != Directive::Simd {
            out.in_order();
        }
    }

    /// The variables of a clause are the originals.
    fn original(
        &mut self,
        clause: &'a OmpClause,
        directive: &Directive,
        out: &mut Clauses,
    ) -> Lower<()> {
        if !makes_tasks(directive) {
            return Ok(());
        }
        for arg in &clause.args {
            let (var, span) = match arg {
                OmpArg::Var(var, span) => (*var, *span),
                OmpArg::Section(base, _) => match variable_of(base) {
                    Some(var) => (var, base.span),
                    None => continue,
                },
                _ => continue,
            };
            if !out.names(var) {
                let address = self.variable(var, span)?;
                self.data_clause(DataKind::Shared, var, address, span, out)?;
            }
        }
        Ok(())
    }

    /// A clause with one expression.
    fn operand(
        &mut self,
        clause: &'a OmpClause,
        kind: Clause,
        ty: Option<Type>,
        out: &mut Clauses,
    ) -> Lower<()> {
        let Some(OmpArg::Expr(e)) = clause.args.first() else {
            return refuse(clause.span, format!("the OpenMP clause '{}'", clause.name));
        };
        let v = match ty {
            Some(Type::Bool) => self.condition(e)?,
            _ => self.rvalue(e)?,
        };
        out.push(kind, Some(v));
        Ok(())
    }

    fn schedule(&mut self, clause: &'a OmpClause, out: &mut Clauses) -> Lower<()> {
        let kind = match word(clause) {
            Some("static") => Schedule::Static,
            Some("dynamic") => Schedule::Dynamic,
            Some("guided") => Schedule::Guided,
            Some("auto") => Schedule::Auto,
            Some("runtime") => Schedule::Runtime,
            _ => return refuse(clause.span, "this schedule"),
        };
        let chunk = clause.args.iter().find_map(|a| match a {
            OmpArg::Expr(e) => Some(e),
            _ => None,
        });
        let chunk = match chunk {
            Some(e) => Some(self.rvalue(e)?),
            None => None,
        };
        let modifier = (!clause.modifiers.is_empty()).then(|| clause.modifiers.join(", "));
        out.push(
            Clause::Schedule {
                kind,
                chunk: chunk.is_some(),
                modifier,
            },
            chunk,
        );
        Ok(())
    }

    /// Variables of a loop that threads share: each iteration starts with the value that its number says, and the last one's goes back.
    fn linear(&mut self, clause: &'a OmpClause, out: &mut Clauses) -> Lower<()> {
        let step = clause.tail.as_ref().map(|e| self.rvalue(e)).transpose()?;
        for arg in &clause.args {
            let OmpArg::Var(var, span) = arg else {
                return refuse(clause.span, "such a 'linear' clause");
            };
            let (var, ty) = (*var, self.unit.vars[*var].ty);
            let addr = self.variable(var, *span)?;
            let start = self.load(&crate::address::Place::Memory { addr, ty }, *span)?;
            out.linear.push(Linear { var, start, step });
        }
        self.data(DataKind::FirstLastPrivate, clause, out)
    }

    /// The variables of a data clause.
    fn data(&mut self, kind: DataKind, clause: &'a OmpClause, out: &mut Clauses) -> Lower<()> {
        self.data_of(kind, clause.args.iter().collect(), clause, out)
    }

    /// Some of the variables of a data clause.
    fn data_of(
        &mut self,
        kind: DataKind,
        args: Vec<&'a OmpArg>,
        clause: &'a OmpClause,
        out: &mut Clauses,
    ) -> Lower<()> {
        for arg in args {
            match arg {
                OmpArg::Var(var, span) => {
                    if let Some(k) = out.bound.iter().position(|b| b.var == *var) {
                        merge(out, k, kind, *span)?;
                        continue;
                    }
                    let address = self.variable(*var, *span)?;
                    self.data_clause(kind, *var, address, *span, out)?;
                }
                OmpArg::Section(base, dims) => {
                    self.section_clause(kind, base, dims, clause, out)?
                }
                OmpArg::Word(w) => {
                    return refuse(clause.span, format!("'{w}' in an OpenMP clause"));
                }
                OmpArg::Expr(e) => return refuse(e.span, "an expression in an OpenMP data clause"),
            }
        }
        Ok(())
    }

    /// A data clause for one variable.
    pub(super) fn data_clause(
        &mut self,
        kind: DataKind,
        var: VarId,
        address: Value,
        span: Span,
        out: &mut Clauses,
    ) -> Lower<()> {
        let v = &self.unit.vars[var];
        if self.is_variable_length(v.ty) && kind != DataKind::Shared {
            return self.variable_clause(kind, var, span, out);
        }
        let clause = Clause::Data {
            kind,
            ctype: v.ty,
            name: v.name.clone(),
            section: false,
        };
        out.push(clause, Some(address));
        out.bound.push(Bound { var, section: None });
        Ok(())
    }

    /// A data clause for an array section `a[lower:length]`. Further dimensions must be whole, so that the section is contiguous.
    fn section_clause(
        &mut self,
        kind: DataKind,
        base: &'a Expr,
        dims: &'a [(Option<Expr>, Option<Expr>)],
        clause: &'a OmpClause,
        out: &mut Clauses,
    ) -> Lower<()> {
        let Some(var) = variable_of(base) else {
            return refuse(clause.span, "an array section of what is not a variable");
        };
        let v = &self.unit.vars[var];
        let types = self.m.types();
        let Some(element) = types.pointee(v.ty).or_else(|| types.element(v.ty)) else {
            return refuse(clause.span, "an array section of what is not an array");
        };
        let Some(((lower, length), rest)) = dims.split_first() else {
            return refuse(clause.span, "an array section without bounds");
        };
        let mut inside = element;
        for (low, len) in rest {
            let array = self.m.types().shape(inside).clone();
            let adjoin_ir::CTypeKind::Array { elem, len: Some(n) } = array else {
                return refuse(clause.span, "an array section of several dimensions");
            };
            let whole = !matches!(low, Some(e) if !matches!(e.kind, ExprKind::Int(0)))
                && len
                    .as_ref()
                    .is_none_or(|e| constant_of(e) == Some(n as i128));
            if !whole {
                return refuse(clause.span, "an array section that is not contiguous");
            }
            inside = elem;
        }
        let lower = match lower {
            Some(e) => self.rvalue(e)?,
            None => self.int(0, Type::I32),
        };
        let length = match length {
            Some(e) => {
                let n = self.rvalue(e)?;
                self.cast(n, Type::U64, None)
            }
            None => match *self.m.types().shape(v.ty) {
                adjoin_ir::CTypeKind::Array { len: Some(n), .. } => {
                    let n = self.int(n as i128, Type::U64);
                    let from = self.cast(lower, Type::U64, None);
                    self.value(Op::Sub, vec![n, from], Type::U64, None)
                }
                _ => return refuse(clause.span, "an array section without a length"),
            },
        };
        let mut address = self.variable(var, clause.span)?;
        if self.m.types().pointee(v.ty).is_some() {
            let place = crate::address::Place::Memory {
                addr: address,
                ty: v.ty,
            };
            address = self.load(&place, clause.span)?;
        }
        if self.body.const_int(lower) != Some(0) {
            let mut path = crate::address::Path::new(address, element, false);
            self.push_index_of(&mut path, element, lower, clause.span)?;
            let pointer = self.m.pointer(element);
            address = self.finish(path, pointer);
        }
        let data = Clause::Data {
            kind,
            ctype: element,
            name: v.name.clone(),
            section: true,
        };
        out.list.push(data);
        out.operands.extend([address, length]);
        out.bound.push(Bound {
            var,
            section: Some((lower, element)),
        });
        Ok(())
    }
}

/// A variable in two clauses: `firstprivate` and `lastprivate` together are allowed.
fn merge(out: &mut Clauses, k: usize, kind: DataKind, span: Span) -> Lower<()> {
    let data = out
        .list
        .iter_mut()
        .filter(|c| matches!(c, Clause::Data { .. }))
        .nth(k);
    match data {
        Some(Clause::Data { kind: old, .. }) => {
            let pair = (*old, kind);
            *old = match pair {
                (DataKind::FirstPrivate, DataKind::LastPrivate)
                | (DataKind::LastPrivate, DataKind::FirstPrivate) => DataKind::FirstLastPrivate,
                (a, b) if a == b => a,
                _ => return refuse(span, "a variable in two data clauses"),
            };
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Does a construct make tasks?
pub(super) fn makes_tasks(directive: &Directive) -> bool {
    matches!(
        directive,
        Directive::Task | Directive::Taskloop | Directive::TaskloopSimd
    )
}

/// The variable that a section is of.
pub(super) fn variable_of(base: &Expr) -> Option<VarId> {
    let inner = match &base.kind {
        ExprKind::Load(x) | ExprKind::Decay(x) => x,
        _ => base,
    };
    match inner.kind {
        ExprKind::Var(var) => Some(var),
        _ => None,
    }
}

fn word(clause: &OmpClause) -> Option<&str> {
    match clause.args.first() {
        Some(OmpArg::Word(w)) => Some(w),
        _ => None,
    }
}

fn constant_of(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Int(n) => Some(*n),
        ExprKind::Cast { operand, .. } => constant_of(operand),
        ExprKind::Binary(op, lhs, rhs) => {
            let (a, b) = (constant_of(lhs)?, constant_of(rhs)?);
            match op {
                BinaryOp::Or => Some(a | b),
                BinaryOp::Add => a.checked_add(b),
                _ => None,
            }
        }
        _ => None,
    }
}

fn constant(clause: &OmpClause) -> Option<u32> {
    match clause.args.first() {
        Some(OmpArg::Expr(e)) => constant_of(e).and_then(|n| u32::try_from(n).ok()),
        _ => None,
    }
}

pub(super) fn reduction(op: &str) -> Option<ReduceOp> {
    Some(match op {
        "+" => ReduceOp::Add,
        "-" => ReduceOp::Sub,
        "*" => ReduceOp::Mul,
        "min" => ReduceOp::Min,
        "max" => ReduceOp::Max,
        "&" => ReduceOp::BitAnd,
        "|" => ReduceOp::BitOr,
        "^" => ReduceOp::BitXor,
        "&&" => ReduceOp::LogAnd,
        "||" => ReduceOp::LogOr,
        _ => return None,
    })
}
