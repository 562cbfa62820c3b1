//! Parallel constructs as OpenMP pragmas. Region arguments go by the names of the variables outside.

use crate::ast::{Expr, ExprKind, Piece, Stmt, StmtKind, UnaryOp};
use crate::build::Build;
use adjoin_ir::{
    AtomicKind, Clause, DataKind, Directive, Inst, Op, ParAttr, Pred, ReduceOp, Schedule, Value,
};

impl Build<'_> {
    pub fn par_stmt(&mut self, inst: Inst, attr: &ParAttr, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        let mut pieces = vec![Piece::Text(format!(
            "#pragma omp {}",
            directive_text(&attr.directive)
        ))];
        let mut operand = 0;
        let mut open: Option<String> = None;
        let mut region_arg = 0;
        for clause in &attr.clauses {
            let operands = &data.args[operand..operand + clause.operands()];
            operand += clause.operands();
            if let Clause::Data { kind, .. } = clause {
                // A private copy that nobody uses needs no clause, and its variable no declaration.
                let copy = data
                    .regions
                    .first()
                    .and_then(|&r| body.regions[r].args.get(region_arg));
                region_arg += 1;
                let unused = copy.is_some_and(|&v| self.facts.uses[v].is_empty());
                if unused && matches!(kind, DataKind::Private | DataKind::FirstPrivate) {
                    continue;
                }
                // What a pointer leads to is shared by all; a task captures the pointer itself like any other value.
                let task = matches!(
                    attr.directive,
                    Directive::Task | Directive::Taskloop | Directive::TaskloopSimd
                );
                if task && *kind == DataKind::Shared && self.object_place(operands[0]).is_none() {
                    continue;
                }
            }
            self.clause(clause, operands, &mut open, &mut pieces);
        }
        if open.is_some() {
            pieces.push(Piece::Text(")".into()));
        }
        let mut inner = data.regions.first().map(|&r| self.region(r));
        if matches!(attr.directive, Directive::Atomic(_)) {
            inner.iter_mut().flatten().for_each(|s| {
                self.without_conversion(s);
                self.same_place(s);
            });
        }
        // What is known beforehand is no place to read.
        if attr.directive == Directive::Atomic(AtomicKind::Read) && !self.loads(inst) {
            out.extend(inner.unwrap_or_default());
            return;
        }
        if attr.directive == Directive::Atomic(AtomicKind::Write) {
            inner.iter_mut().flatten().for_each(|s| self.as_read(s));
        }
        let bare = is_loop(&attr.directive)
            || matches!(attr.directive, Directive::Atomic(k) if k != AtomicKind::Capture);
        out.push(Stmt::new(
            StmtKind::Pragma {
                id: inst,
                pieces,
                body: inner,
                bare,
            },
            data.span,
        ));
    }

    /// For a loop that deals iterations out to threads in turn, of which any thread may run any (`ForAttr::on_demand`): where it starts, if compilers can deal them out to whoever is free.
    pub fn on_demand(&self, inst: Inst) -> Option<i128> {
        let body = self.body;
        let data = &body.insts[inst];
        let Op::For(attr) = &data.op else { return None };
        let team = body.regions[data.parent].parent?;
        let of_team =
            matches!(&body.insts[team].op, Op::Par(a) if a.directive == Directive::Parallel);
        if !attr.on_demand || attr.pred != Pred::Lt || !of_team {
            return None;
        }
        let (mut start, mut first) = (0, data.args[0]);
        if let Some(add) = body.def_inst(first)
            && matches!(body.insts[add].op, Op::Add)
        {
            let args = &body.insts[add].args;
            let k = (0..2).find(|&k| body.const_int(args[k]).is_some())?;
            (start, first) = (body.const_int(args[k])?, args[1 - k]);
        }
        let index_left = (data.results.first()).is_some_and(|&v| !self.facts.uses[v].is_empty());
        let dealt = self.asks(first, "omp_get_thread_num")
            && self.asks(data.args[2], "omp_get_num_threads");
        let anywhere = dealt && !index_left && self.is_only_who(first, inst);
        (anywhere && self.is_canonical(inst)).then_some(start)
    }

    /// Is the number of a thread only where a loop starts, a place in memory, or asked whether it is the first? Anything else may follow from which iterations are the thread's in turn: what is
    /// computed in front of the loop for threads that have some.
    fn is_only_who(&self, number: Value, dealt: Inst) -> bool {
        let body = self.body;
        let mut number = number;
        while let Some(inst) = body.def_inst(number)
            && matches!(body.insts[inst].op, Op::Cast)
        {
            number = body.insts[inst].args[0];
        }
        let mut all = vec![number];
        let mut only = true;
        while let Some(v) = all.pop() {
            body.walk(|i| {
                let data = &body.insts[i];
                if !data.args.contains(&v) || i == dealt {
                    return;
                }
                let constant = data.args.iter().any(|&a| body.const_int(a).is_some());
                match data.op {
                    Op::Cast | Op::Mul => all.push(data.results[0]),
                    // Where the loop starts, and that may be asked as well.
                    Op::Add if constant => all.push(data.results[0]),
                    Op::Addr(_) => {}
                    Op::Eq | Op::Ne if constant => {}
                    _ => only = false,
                }
            });
        }
        only
    }

    /// Is a value what a function says, conversions aside?
    fn asks(&self, mut v: Value, name: &str) -> bool {
        while let Some(inst) = self.body.def_inst(v) {
            match &self.body.insts[inst].op {
                Op::Cast => v = self.body.insts[inst].args[0],
                Op::Call(attr) => return self.module.funcs[attr.func].name == name,
                _ => return false,
            }
        }
        false
    }

    /// Does OpenMP allow a loop to be shared out? Nothing in it leaves it, and threads do not wait for each other.
    fn is_canonical(&self, inst: Inst) -> bool {
        let body = self.body;
        let region = body.insts[inst].regions[0];
        let inside = |i: Inst| body.encloses(region, body.insts[i].parent);
        let mut fine = true;
        body.walk(|i| {
            if inside(i) {
                fine &= match &body.insts[i].op {
                    Op::Break(t) => inside(*t),
                    Op::Continue(t) => *t == inst || inside(*t),
                    Op::Return => false,
                    Op::Par(a) => matches!(
                        a.directive,
                        Directive::Atomic(_) | Directive::Critical { .. } | Directive::Simd
                    ),
                    _ => true,
                };
            }
        });
        fine
    }

    /// Threads take iterations of a loop as they become free.
    pub fn dealt_on_demand(&self, inst: Inst, whole: Stmt) -> Stmt {
        let span = whole.span;
        let line = "#pragma omp for schedule(dynamic) nowait";
        Stmt::new(
            StmtKind::Pragma {
                id: inst,
                pieces: vec![Piece::Text(line.to_string())],
                body: Some(vec![whole]),
                bare: true,
            },
            span,
        )
    }

    fn clause(
        &mut self,
        clause: &Clause,
        operands: &[Value],
        open: &mut Option<String>,
        out: &mut Vec<Piece>,
    ) {
        if let Clause::Data {
            kind: DataKind::FirstLastPrivate,
            ctype,
            name,
            section,
        } = clause
        {
            for kind in [DataKind::FirstPrivate, DataKind::LastPrivate] {
                let part = Clause::Data {
                    kind,
                    ctype: *ctype,
                    name: name.clone(),
                    section: *section,
                };
                self.clause(&part, operands, open, out);
            }
            return;
        }
        if let Clause::Data {
            kind,
            name,
            section,
            ..
        } = clause
        {
            let head = data_text(*kind);
            if open.as_deref() == Some(head) {
                out.push(Piece::Text(", ".into()));
            } else {
                if open.is_some() {
                    out.push(Piece::Text(")".into()));
                }
                out.push(Piece::Text(format!(" {head}")));
                *open = Some(head.to_string());
            }
            self.data_operand(name, *section, operands, out);
            return;
        }
        if open.take().is_some() {
            out.push(Piece::Text(")".into()));
        }
        let mut with = |build: &mut Self, word: &str| {
            out.push(Piece::Text(format!(" {word}(")));
            let e = build.value(operands[0]);
            let e = build.bare_integer(e);
            out.push(Piece::Expr(build.condition(e)));
            out.push(Piece::Text(")".into()));
        };
        match clause {
            Clause::Data { .. } => {}
            Clause::NumThreads => with(self, "num_threads"),
            Clause::If => with(self, "if"),
            Clause::Final => with(self, "final"),
            Clause::Priority => with(self, "priority"),
            Clause::Grainsize => with(self, "grainsize"),
            Clause::NumTasks => with(self, "num_tasks"),
            Clause::Filter => with(self, "filter"),
            Clause::DependIn | Clause::DependOut => {
                let word = if *clause == Clause::DependIn {
                    "in"
                } else {
                    "inout"
                };
                out.push(Piece::Text(format!(" depend({word}: *(char *)(")));
                let e = self.address(operands[0]);
                out.push(Piece::Expr(e));
                out.push(Piece::Text("))".into()));
            }
            Clause::Schedule {
                kind,
                chunk,
                modifier,
            } => {
                let prefix = modifier
                    .as_ref()
                    .map(|m| format!("{m}:"))
                    .unwrap_or_default();
                let word = match kind {
                    Schedule::Static => "static",
                    Schedule::Dynamic => "dynamic",
                    Schedule::Guided => "guided",
                    Schedule::Auto => "auto",
                    Schedule::Runtime => "runtime",
                };
                out.push(Piece::Text(format!(" schedule({prefix}{word}")));
                if *chunk {
                    out.push(Piece::Text(", ".into()));
                    let e = self.value(operands[0]);
                    out.push(Piece::Expr(self.bare_integer(e)));
                }
                out.push(Piece::Text(")".into()));
            }
            Clause::Collapse(n) => out.push(Piece::Text(format!(" collapse({n})"))),
            Clause::Nowait => out.push(Piece::Text(" nowait".into())),
            Clause::Ordered => out.push(Piece::Text(" ordered".into())),
            Clause::Safelen(n) => out.push(Piece::Text(format!(" safelen({n})"))),
            Clause::Simdlen(n) => out.push(Piece::Text(format!(" simdlen({n})"))),
            Clause::Untied => out.push(Piece::Text(" untied".into())),
            Clause::Mergeable => out.push(Piece::Text(" mergeable".into())),
            Clause::Nogroup => out.push(Piece::Text(" nogroup".into())),
            Clause::Verbatim(text) => out.push(Piece::Text(format!(" {text}"))),
        }
    }

    /// The variable of a data clause, or the array section.
    fn data_operand(
        &mut self,
        name: &str,
        section: bool,
        operands: &[Value],
        out: &mut Vec<Piece>,
    ) {
        if !section {
            let e = self
                .object_place(operands[0])
                .unwrap_or_else(|| Expr::new(ExprKind::Name(name.to_string()), self.types.int));
            out.push(Piece::Expr(e));
            return;
        }
        let e = self.address(operands[0]);
        let (base, start) = match e.kind {
            ExprKind::Unary(UnaryOp::AddrOf, inner) => match inner.kind {
                ExprKind::Index(base, index) => (*base, Some(*index)),
                kind => (Expr::new(kind, inner.ty), None),
            },
            kind => (Expr::new(kind, e.ty), None),
        };
        out.push(Piece::Expr(base));
        out.push(Piece::Text("[".into()));
        if let Some(i) = start {
            out.push(Piece::Expr(i));
        }
        out.push(Piece::Text(":".into()));
        let n = self.value(operands[1]);
        out.push(Piece::Expr(self.bare_integer(n)));
        out.push(Piece::Text("]".into()));
    }

    /// `x = (T)y` in an atomic construct as `x = y`: only that form is one, and the assignment converts.
    fn without_conversion(&self, s: &mut Stmt) {
        let StmtKind::Assign(lhs, rhs) = &mut s.kind else {
            return;
        };
        let target = self.types.value_type(lhs.ty);
        let plain = target.is_some_and(|t| t.is_int() || t.is_float());
        if !plain || self.types.value_type(rhs.ty) != target {
            return;
        }
        if let ExprKind::Cast(inner) = &rhs.kind {
            if self.types.arithmetic(inner.ty).is_some() {
                *rhs = (**inner).clone();
            }
        }
    }

    /// Does a construct hold anything that reads memory?
    fn loads(&self, inst: Inst) -> bool {
        let list =
            (self.body.insts[inst].regions.iter()).flat_map(|&r| self.body.regions[r].insts.iter());
        let mut reads = list.map(|&i| &self.body.insts[i].op);
        reads.any(|op| matches!(op, Op::Load(_) | Op::LoadBits(_)))
    }

    /// `x = (T)y` in `atomic write`: gcc does not see that a variable is read there, and says that nobody uses it.
    fn as_read(&self, s: &mut Stmt) {
        let StmtKind::Assign(_, rhs) = &mut s.kind else {
            return;
        };
        if matches!(rhs.kind, ExprKind::Var(_)) {
            let ty = rhs.ty;
            *rhs = Expr::new(ExprKind::Cast(Box::new(rhs.clone())), ty);
        }
    }

    /// `*(double *)p = *p + y`, where `p` points to `const`: both sides of an atomic construct must name the place alike.
    fn same_place(&self, s: &mut Stmt) {
        let StmtKind::Assign(lhs, rhs) = &mut s.kind else {
            return;
        };
        if let ExprKind::Unary(UnaryOp::Deref, pointer) = &lhs.kind
            && let ExprKind::Cast(address) = &pointer.kind
        {
            let mut work = vec![rhs];
            while let Some(e) = work.pop() {
                if self.types.quals(e.ty).is_const && self.address_of(e.clone()) == **address {
                    *e = lhs.clone();
                    return;
                }
                work.extend(e.children_mut());
            }
        }
    }

    /// In `atomic capture`: the address just stored to, if this store keeps the same new value elsewhere.
    pub fn captured_address(&self, inst: Inst, v: Value) -> Option<Value> {
        let region = self.body.insts[inst].parent;
        let par = self.body.regions[region].parent?;
        let Op::Par(attr) = &self.body.insts[par].op else {
            return None;
        };
        if attr.directive != Directive::Atomic(AtomicKind::Capture) {
            return None;
        }
        let is_load = |v: Value| {
            self.body
                .def_inst(v)
                .is_some_and(|d| matches!(self.body.insts[d].op, Op::Load(_)))
        };
        let insts = &self.body.regions[region].insts;
        let at = insts.iter().position(|&i| i == inst)?;
        insts[..at].iter().find_map(|&i| {
            let data = &self.body.insts[i];
            let stored = *data.args.get(1)?;
            let kept = stored == v || self.cast_source(v) == Some(stored);
            (matches!(data.op, Op::Store(_)) && kept && !is_load(stored)).then(|| data.args[0])
        })
    }

    fn cast_source(&self, v: Value) -> Option<Value> {
        let data = &self.body.insts[self.body.def_inst(v)?];
        matches!(data.op, Op::Cast).then(|| data.args[0])
    }
}

/// Directives whose pragma must be followed by a loop.
pub(crate) fn is_loop(d: &Directive) -> bool {
    use Directive::*;
    matches!(
        d,
        For | ParallelFor | Simd | ForSimd | ParallelForSimd | Taskloop | TaskloopSimd
    )
}

fn directive_text(d: &Directive) -> String {
    use Directive::*;
    match d {
        Parallel => "parallel",
        For => "for",
        ParallelFor => "parallel for",
        Simd => "simd",
        ForSimd => "for simd",
        ParallelForSimd => "parallel for simd",
        Sections => "sections",
        ParallelSections => "parallel sections",
        Section => "section",
        Single => "single",
        Master => "master",
        Masked => "masked",
        Critical { name: Some(name) } => {
            return match name.split_once(' ') {
                Some((name, hint)) => format!("critical({name}) {hint}"),
                None => format!("critical({name})"),
            };
        }
        Critical { name: None } => "critical",
        Atomic(AtomicKind::Read) => "atomic read",
        Atomic(AtomicKind::Write) => "atomic write",
        Atomic(AtomicKind::Update) => "atomic",
        Atomic(AtomicKind::Capture) => "atomic capture",
        Task => "task",
        Taskgroup => "taskgroup",
        Taskloop => "taskloop",
        TaskloopSimd => "taskloop simd",
        Ordered => "ordered",
        Barrier => "barrier",
        Taskwait => "taskwait",
        Taskyield => "taskyield",
        Flush => "flush",
    }
    .to_string()
}

fn data_text(kind: DataKind) -> &'static str {
    match kind {
        DataKind::Shared => "shared(",
        DataKind::Private => "private(",
        DataKind::FirstPrivate => "firstprivate(",
        DataKind::LastPrivate => "lastprivate(",
        DataKind::FirstLastPrivate => "firstprivate(",
        DataKind::Linear => "linear(",
        DataKind::CopyPrivate => "copyprivate(",
        DataKind::CopyIn => "copyin(",
        DataKind::Reduction(op) => match op {
            ReduceOp::Add => "reduction(+: ",
            ReduceOp::Sub => "reduction(-: ",
            ReduceOp::Mul => "reduction(*: ",
            ReduceOp::Min => "reduction(min: ",
            ReduceOp::Max => "reduction(max: ",
            ReduceOp::BitAnd => "reduction(&: ",
            ReduceOp::BitOr => "reduction(|: ",
            ReduceOp::BitXor => "reduction(^: ",
            ReduceOp::LogAnd => "reduction(&&: ",
            ReduceOp::LogOr => "reduction(||: ",
        },
    }
}
