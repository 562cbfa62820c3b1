//! Copies that a thread makes itself, because the IR has no clause for them: what is lowered is a reading. Each thread makes its copy in front of the construct that it
//! shares with others, or at the start of the region that it runs, as if the program declared another variable there. Of a reduction, the program's own or that of a
//! `scope`, the copies are combined one after the other at the end.

use super::clauses::Clauses;
use super::lengths::Copied;
use crate::address::Place;
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{DeclaredReduction, Expr, ExprKind, Omp, OmpArg, OmpClause, Span, VarId};
use adjoin_ir::{
    CTy, CTypeKind, Clause, Const, CopyAttr, Directive, ForAttr, MemAttr, Op, ParAttr, Pred,
    ReduceOp, Type, Value,
};

/// What a copy is, and what becomes of it.
#[derive(Clone, Copy)]
pub(super) enum Copy {
    /// It starts without a value.
    Fresh,
    /// It starts with the value of the original.
    First,
    /// It is combined as the program declares: the position in `Unit::reductions`.
    Declared(usize),
    /// It is combined by an operator of OpenMP's own.
    Operator(ReduceOp),
}

/// A copy to be combined with its original.
pub(super) struct Part {
    copied: Copied,
    copy: Value,
}

/// The critical section in which threads combine what they have.
const NAME: &str = "adjoin_reduction";

impl<'a> FunctionLowerer<'_, 'a> {
    /// The reduction that the program declares for a variable, or for the elements of an array, if it does.
    fn declared_for(&self, name: &str, var: VarId) -> Option<usize> {
        let types = self.m.types();
        let mut ty = self.unit.vars[var].ty;
        while let CTypeKind::Array { elem, len: Some(_) } = *types.shape(ty) {
            ty = elem;
        }
        let ty = types.unqualified(ty);
        let fits = |r: &DeclaredReduction| r.name == name && r.ty == ty;
        self.unit.reductions.iter().rposition(fits)
    }

    /// The copies of a task that takes part in a reduction: of numbers, and of what the program declares a reduction for. `None`: of others, too.
    pub(super) fn task_reduction(
        &mut self,
        clause: &'a OmpClause,
        directive: &Directive,
    ) -> Option<Vec<Copied>> {
        let name = clause.modifiers.last()?;
        let copied = |arg: &OmpArg| {
            let OmpArg::Var(var, _) = *arg else {
                return None;
            };
            if let Some(k) = self.declared_for(name, var) {
                let how = Copy::Declared(k);
                return Some(Copied { var, how });
            }
            let op = super::clauses::reduction(name)?;
            let ty = Type::of_ctype(self.m.types(), self.unit.vars[var].ty)?;
            let bounded = matches!(op, ReduceOp::Min | ReduceOp::Max) && !ty.is_float();
            let how = Copy::Operator(op);
            (ty != Type::Ptr && !bounded).then_some(Copied { var, how })
        };
        match directive {
            Directive::Task => clause.args.iter().map(copied).collect(),
            _ => None,
        }
    }

    /// What a task depends on: addresses. `None`: something else, or a task that its maker may have to run itself.
    pub(super) fn dependences(
        &mut self,
        clause: &'a OmpClause,
        directive: &Directive,
    ) -> Option<Vec<(Clause, Value)>> {
        let [word] = clause.modifiers.as_slice() else {
            return None;
        };
        let kind = match word.as_str() {
            _ if *directive != Directive::Task => return None,
            "in" => Clause::DependIn,
            "out" | "inout" | "mutexinoutset" | "inoutset" => Clause::DependOut,
            _ => return None,
        };
        let mut all = Vec::new();
        for arg in &clause.args {
            let address = match arg {
                OmpArg::Var(var, span) => self.variable(*var, *span).ok()?,
                OmpArg::Section(base, dims) => self.start_of_section(base, dims)?,
                OmpArg::Expr(e) => {
                    let place = match &e.kind {
                        ExprKind::Load(inner) => inner,
                        _ => e,
                    };
                    match self.place(place).ok()? {
                        Place::Memory { addr, .. } => addr,
                        Place::Bits { .. } => return None,
                    }
                }
                OmpArg::Word(_) => return None,
            };
            all.push((kind.clone(), address));
        }
        Some(all)
    }

    /// The address of the first element of an array section.
    fn start_of_section(
        &mut self,
        base: &'a Expr,
        dims: &'a [(Option<Expr>, Option<Expr>)],
    ) -> Option<Value> {
        let Place::Memory { mut addr, mut ty } = self.place(base).ok()? else {
            return None;
        };
        for (lower, _) in dims {
            let types = self.m.types();
            let element = match types.pointee(ty) {
                Some(element) => {
                    addr = self.load(&Place::Memory { addr, ty }, base.span).ok()?;
                    element
                }
                None => types.element(ty)?,
            };
            let lower = match lower {
                Some(e) => self.rvalue(e).ok()?,
                None => self.int(0, Type::I32),
            };
            let mut path = crate::address::Path::new(addr, element, false);
            self.push_index_of(&mut path, element, lower, base.span)
                .ok()?;
            let pointer = self.m.pointer(element);
            addr = self.finish(path, pointer);
            ty = element;
        }
        Some(addr)
    }

    /// Does something for each element of arrays of a declared reduction, or once for other objects.
    fn each_declared(
        &mut self,
        k: usize,
        var: VarId,
        objects: [Value; 2],
        span: Span,
        fill: impl FnOnce(&mut Self, [Value; 2]) -> Lower<()>,
    ) -> Lower<()> {
        let element = self.unit.reductions[k].ty;
        let types = self.m.types();
        let (mut ty, mut count) = (self.unit.vars[var].ty, 1u64);
        let mut is_array = false;
        while let CTypeKind::Array { elem, len: Some(n) } = *types.shape(ty) {
            (ty, count, is_array) = (elem, count.saturating_mul(n), true);
        }
        if !is_array {
            return fill(self, objects);
        }
        let upper = self.int(count.into(), Type::I64);
        let (zero, one) = (self.int(0, Type::I64), self.int(1, Type::I64));
        let attr = ForAttr::plain(Pred::Lt);
        let inst = self.emit(Op::For(attr), vec![zero, upper, one]);
        self.result(inst, Type::I64, None);
        let region = self.body.add_region(inst);
        let index = self.body.add_arg(region, Type::I64);
        let old = self.enter(region);
        let pointer = self.m.pointer(element);
        let mut places = objects;
        for place in &mut places {
            let first = self.value(Op::Cast, vec![*place], Type::Ptr, Some(pointer));
            let mut path = crate::address::Path::new(first, element, false);
            self.push_index_of(&mut path, element, index, span)?;
            *place = self.finish(path, pointer);
        }
        fill(self, places)?;
        self.end_region(inst, vec![]);
        self.leave(old);
        Ok(())
    }

    /// The variables of a reduction clause for which the program declares what it means are copied; the others are returned.
    pub(super) fn own_reduction(
        &mut self,
        name: &str,
        clause: &'a OmpClause,
        directive: &Directive,
        out: &mut Clauses,
    ) -> Vec<&'a OmpArg> {
        let mut rest = Vec::new();
        for arg in &clause.args {
            let declared = match arg {
                _ if super::clauses::makes_tasks(directive) => None,
                OmpArg::Var(var, _) => self.declared_for(name, *var).map(|k| (*var, k)),
                _ => None,
            };
            let Some((var, k)) = declared else {
                rest.push(arg);
                continue;
            };
            self.read(clause);
            // A simd loop runs in order, so everything goes into the variable itself.
            if *directive != Directive::Simd {
                let how = Copy::Declared(k);
                out.copied.push(Copied { var, how });
            }
        }
        rest
    }

    /// The copies of the `reduction` clauses of a `scope`.
    pub(super) fn scope_reductions(&mut self, omp: &'a Omp) -> Lower<Vec<Copied>> {
        let mut clauses = Clauses::default();
        for clause in omp.clauses.iter().filter(|c| c.name == "reduction") {
            let name = clause.modifiers.last().map_or("", String::as_str);
            for arg in self.own_reduction(name, clause, &Directive::Parallel, &mut clauses) {
                let (OmpArg::Var(var, _), Some(op)) = (arg, super::clauses::reduction(name)) else {
                    return refuse(clause.span, "'#pragma omp scope' with such a reduction");
                };
                let how = Copy::Operator(op);
                clauses.copied.push(Copied { var: *var, how });
            }
        }
        Ok(clauses.copied)
    }

    /// The copy of a variable that is reduced, with what it starts as.
    pub(super) fn reduced_copy(
        &mut self,
        copied: Copied,
        original: Value,
        span: Span,
    ) -> Lower<Value> {
        let v = &self.unit.vars[copied.var];
        let copy = self.new_slot(v.ty, Some(v.name.clone()), v.align);
        match copied.how {
            Copy::Declared(k) => {
                let reduction = &self.unit.reductions[k];
                let both = [copy, original];
                self.each_declared(k, copied.var, both, span, |this, [copy, original]| {
                    let bound = [(reduction.private, copy), (reduction.original, original)];
                    this.with_variables(&bound, |this| this.first_value(reduction, copy))
                })?;
            }
            Copy::Operator(op) => {
                let ty = self.scalar_type(v.ty, span)?;
                let start = self.neutral(op, ty, v.ty, span)?;
                self.store_to(copy, v.ty, start)?;
            }
            Copy::Fresh | Copy::First => {}
        }
        Ok(copy)
    }

    /// Does a copy start with what it makes of its original?
    pub(super) fn reads_original(&self, copied: &Copied) -> bool {
        matches!(copied.how, Copy::Declared(k) if self.unit.reductions[k].reads_original)
    }

    fn first_value(&mut self, reduction: &'a DeclaredReduction, copy: Value) -> Lower<()> {
        if let Some(init) = &self.unit.vars[reduction.private].init {
            return self.initialise(copy, reduction.ty, init);
        }
        if let Some(e) = &reduction.initialiser {
            return self.effect(e);
        }
        match Type::of_ctype(self.m.types(), reduction.ty) {
            Some(ty) => {
                let zero = self.zero(ty, reduction.ty);
                self.store_to(copy, reduction.ty, zero)
            }
            None => {
                let bytes = self.m.types().size_of(reduction.ty).unwrap_or(0);
                let ctype = Some(reduction.ty);
                self.emit(Op::Zero(CopyAttr { bytes, ctype }), vec![copy]);
                Ok(())
            }
        }
    }

    /// What changes nothing.
    fn neutral(&mut self, op: ReduceOp, ty: Type, ctype: CTy, span: Span) -> Lower<Value> {
        let float = ty.is_float();
        Ok(match op {
            ReduceOp::Add
            | ReduceOp::Sub
            | ReduceOp::BitOr
            | ReduceOp::BitXor
            | ReduceOp::LogOr => self.zero(ty, ctype),
            ReduceOp::Mul | ReduceOp::LogAnd => {
                let one = self.int(1, Type::I32);
                self.cast(one, ty, Some(ctype))
            }
            ReduceOp::BitAnd => {
                let zero = self.zero(ty, ctype);
                self.value(Op::Not, vec![zero], ty, Some(ctype))
            }
            ReduceOp::Min | ReduceOp::Max if float => {
                let most = match op {
                    ReduceOp::Min => f64::INFINITY,
                    _ => f64::NEG_INFINITY,
                };
                self.value(Op::Const(Const::float(most)), vec![], ty, Some(ctype))
            }
            _ => return refuse(span, "'#pragma omp scope' with such a reduction"),
        })
    }

    /// With variables at these addresses.
    fn with_variables(
        &mut self,
        bound: &[(VarId, Value)],
        then: impl FnOnce(&mut Self) -> Lower<()>,
    ) -> Lower<()> {
        let insert = |this: &mut Self, (var, at): (VarId, Value)| (var, this.slots.insert(var, at));
        let old = bound.iter().map(|&b| insert(self, b)).collect();
        let done = then(self);
        self.without_copies(old);
        done
    }

    /// The copies that are in place now and will have to be combined.
    pub(super) fn parts(&self, copied: &[Copied]) -> Vec<Part> {
        let reduced = |c: &&Copied| matches!(c.how, Copy::Declared(_) | Copy::Operator(_));
        let part = |&copied: &Copied| {
            Some(Part {
                copied,
                copy: *self.slots.get(&copied.var)?,
            })
        };
        copied.iter().filter(reduced).filter_map(part).collect()
    }

    /// The thread's copies go into the originals.
    pub(super) fn combine(&mut self, parts: &[Part], span: Span) -> Lower<()> {
        if parts.is_empty() {
            return Ok(());
        }
        self.at = span;
        let name = Some(NAME.to_string());
        self.construct(Directive::Critical { name }, Clauses::default(), |this| {
            parts
                .iter()
                .try_for_each(|part| this.combine_one(part, span))
        })
    }

    fn combine_one(&mut self, part: &Part, span: Span) -> Lower<()> {
        let var = part.copied.var;
        let original = self.variable(var, span)?;
        let op = match part.copied.how {
            Copy::Declared(k) => {
                let reduction = &self.unit.reductions[k];
                let both = [original, part.copy];
                return self.each_declared(k, var, both, span, |this, [original, copy]| {
                    let bound = [(reduction.output, original), (reduction.input, copy)];
                    this.with_variables(&bound, |this| this.effect(&reduction.combiner))
                });
            }
            Copy::Operator(op) => op,
            Copy::Fresh | Copy::First => return Ok(()),
        };
        let ctype = self.unit.vars[var].ty;
        let ty = self.scalar_type(ctype, span)?;
        let [old, own] = [original, part.copy]
            .map(|at| self.value(Op::Load(MemAttr::default()), vec![at], ty, Some(ctype)));
        let simple = match op {
            ReduceOp::Add | ReduceOp::Sub => Op::Add,
            ReduceOp::Mul => Op::Mul,
            ReduceOp::BitAnd => Op::And,
            ReduceOp::BitOr => Op::Or,
            ReduceOp::BitXor => Op::Xor,
            ReduceOp::Min | ReduceOp::Max => {
                let compare = if op == ReduceOp::Min { Op::Lt } else { Op::Gt };
                let better = self.value(compare, vec![own, old], Type::Bool, None);
                let v = self.value(Op::Select, vec![better, own, old], ty, Some(ctype));
                return self.store_to(original, ctype, v);
            }
            ReduceOp::LogAnd | ReduceOp::LogOr => {
                let zero = self.zero(ty, ctype);
                let [a, b] =
                    [old, own].map(|v| self.value(Op::Ne, vec![v, zero], Type::Bool, None));
                let both = if op == ReduceOp::LogAnd {
                    Op::And
                } else {
                    Op::Or
                };
                let v = self.value(both, vec![a, b], Type::Bool, None);
                return self.store_to(original, ctype, v);
            }
        };
        let v = self.value(simple, vec![old, own], ty, Some(ctype));
        self.store_to(original, ctype, v)
    }

    /// All threads wait for each other.
    pub(super) fn barrier_here(&mut self) {
        let attr = ParAttr {
            directive: Directive::Barrier,
            clauses: Vec::new(),
        };
        self.emit(Op::Par(attr), vec![]);
    }
}

impl Clauses {
    /// The construct is to end without a barrier; did it do so before?
    pub(super) fn without_barrier(&mut self) -> bool {
        let had = self.list.contains(&Clause::Nowait);
        if !had {
            self.list.push(Clause::Nowait);
        }
        had
    }
}
