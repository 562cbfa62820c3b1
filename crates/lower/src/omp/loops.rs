//! Worksharing and `simd` loops: the canonical loop nest becomes nested `for` instructions, whose bounds are evaluated before the construct.

use super::clauses::{Clauses, Linear};
use crate::function::{FunctionLowerer, Jumps, Target};
use crate::visit::Mentioned;
use crate::{Lower, refuse};
use adjoin_front::ast::{BinaryOp, Expr, ExprKind, Init, Span, Stmt, StmtKind, VarId};
use adjoin_ir::{CTy, Clause, DataKind, Directive, ForAttr, Inst, MemAttr, Op, Pred, Type, Value};

/// One loop of the nest, as written.
struct Canonical<'a> {
    var: VarId,
    declared_here: bool,
    lower: &'a Expr,
    pred: Pred,
    upper: &'a Expr,
    /// `None`: 1.
    step: Option<&'a Expr>,
    negative: bool,
    body: &'a Stmt,
}

/// Its bounds, evaluated.
struct Bounds {
    ty: Type,
    lower: Value,
    upper: Value,
    step: Value,
    /// Of a loop over a pointer: where it starts, and what it points to. The bounds then count elements from there.
    origin: Option<(Value, CTy)>,
}

/// Do the threads of a team share the loop of a construct?
pub(super) fn is_shared_out(directive: &Directive) -> bool {
    matches!(
        directive,
        Directive::For | Directive::ParallelFor | Directive::ForSimd | Directive::ParallelForSimd
    )
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// A construct that belongs to a loop nest.
    pub(super) fn omp_loop(
        &mut self,
        directive: Directive,
        mut clauses: Clauses,
        body: &'a Stmt,
        span: Span,
    ) -> Lower<()> {
        let mut nest: Vec<Canonical<'a>> = Vec::new();
        let mut current = body;
        for _ in 0..clauses.collapse {
            let l = self.canonical(current)?;
            current = l.body;
            nest.push(l);
        }
        let shared_out = self.rectangular(&nest);
        if shared_out < nest.len() {
            current = self.shorten(&mut nest, shared_out, &mut clauses)?;
        }
        let mut bounds = Vec::new();
        for l in &nest {
            bounds.push(self.bounds(l)?);
        }
        // A simd loop's variable has its final value afterwards, like one that is lastprivate.
        let simd = matches!(
            directive,
            Directive::Simd
                | Directive::ForSimd
                | Directive::ParallelForSimd
                | Directive::TaskloopSimd
        );
        clauses
            .linear
            .retain(|linear| nest.iter().all(|l| l.var != linear.var));
        let linear = std::mem::take(&mut clauses.linear);
        if !linear.is_empty() && nest.len() > 1 {
            return refuse(span, "'linear' variables of collapsed loops");
        }
        let mut finals = Vec::new();
        for (l, b) in nest.iter().zip(&bounds) {
            let last = self.forget_index(&mut clauses, l.var);
            if !l.declared_here && (last || simd) {
                let address = self.variable(l.var, span)?;
                let index = self.final_index(l, b);
                let last = self.loop_variable(b, index, span)?;
                finals.push((l.var, address, last));
            }
        }
        self.at = span;
        self.construct(directive, clauses, |this| {
            this.nest(&nest, &bounds, &linear, current)
        })?;
        for (var, address, v) in finals {
            self.store_to(address, self.unit.vars[var].ty, v)?;
        }
        Ok(())
    }

    /// The `for` has its own index: a clause about the loop variable says nothing more. Was it `lastprivate` or `linear`?
    fn forget_index(&mut self, clauses: &mut Clauses, var: VarId) -> bool {
        let Some(k) = clauses.bound.iter().position(|b| b.var == var) else {
            return false;
        };
        let mut data = 0;
        let mut operand = 0;
        for (at, clause) in clauses.list.iter().enumerate() {
            let Clause::Data { kind, .. } = clause else {
                operand += clause.operands();
                continue;
            };
            if data == k {
                let last = matches!(
                    kind,
                    DataKind::LastPrivate | DataKind::FirstLastPrivate | DataKind::Linear
                );
                let count = clause.operands();
                clauses.operands.drain(operand..operand + count);
                clauses.list.remove(at);
                clauses.bound.remove(k);
                return last;
            }
            data += 1;
            operand += clause.operands();
        }
        false
    }

    fn nest(
        &mut self,
        nest: &[Canonical<'a>],
        bounds: &[Bounds],
        linear: &[Linear],
        body: &'a Stmt,
    ) -> Lower<()> {
        let mut opened: Vec<(Inst, crate::function::Position, VarId, Option<Value>)> = Vec::new();
        for (l, b) in nest.iter().zip(bounds) {
            let inst = self.emit(
                Op::For(ForAttr::plain(l.pred)),
                vec![b.lower, b.upper, b.step],
            );
            self.result(inst, b.ty, None);
            let region = self.body.add_region(inst);
            let index = self.body.add_arg(region, b.ty);
            let v = &self.unit.vars[l.var];
            self.body.values[index].name = Some(v.name.clone());
            if Type::of_ctype(self.m.types(), v.ty) == Some(b.ty) {
                self.body.values[index].ctype = Some(self.m.types().unqualified(v.ty));
            }
            let old = self.enter(region);
            opened.push((inst, old, l.var, self.slots.get(&l.var).copied()));
            // Slots are made in the innermost loop, so that the nest stays perfect.
            if opened.len() == nest.len() {
                self.index_variables(nest, bounds, &opened)?;
                self.linear_variables(&bounds[0], opened[0].0, linear)?;
                self.bind_sections()?;
            }
        }
        let (block, old) = self.open_block();
        let jumps = Jumps {
            on_continue: Some(Target::Break(block)),
            alive_at_continue: self.cleanups.len(),
            ..Jumps::default()
        };
        let outer = std::mem::replace(&mut self.jumps, jumps);
        self.stmt(body)?;
        self.jumps = outer;
        self.close_block(block, old);
        for (inst, old, var, slot) in opened.into_iter().rev() {
            self.end_region(inst, vec![]);
            self.leave(old);
            match slot {
                Some(slot) => self.slots.insert(var, slot),
                None => self.slots.remove(&var),
            };
        }
        Ok(())
    }

    /// The loop variables, each with the index of its `for`.
    fn index_variables(
        &mut self,
        nest: &[Canonical<'a>],
        bounds: &[Bounds],
        opened: &[(Inst, crate::function::Position, VarId, Option<Value>)],
    ) -> Lower<()> {
        for ((l, b), (inst, ..)) in nest.iter().zip(bounds).zip(opened) {
            let region = self.body.insts[*inst].regions[0];
            let index = self.body.regions[region].args[0];
            let v = &self.unit.vars[l.var];
            let slot = self.new_slot(v.ty, Some(v.name.clone()), 0);
            self.slots.insert(l.var, slot);
            self.predeclared.remove(&l.var);
            let ty = self.scalar_type(v.ty, v.span)?;
            let value = self.loop_variable(b, index, v.span)?;
            let value = match b.origin {
                Some(_) => value,
                None => self.cast(value, ty, Some(v.ty)),
            };
            self.emit(Op::Store(MemAttr::default()), vec![slot, value]);
        }
        Ok(())
    }

    /// What `linear` variables are at the start of an iteration.
    fn linear_variables(&mut self, b: &Bounds, inst: Inst, linear: &[Linear]) -> Lower<()> {
        if linear.is_empty() {
            return Ok(());
        }
        let region = self.body.insts[inst].regions[0];
        let index = self.body.regions[region].args[0];
        let [index, lower] = [index, b.lower].map(|v| self.cast(v, Type::I64, None));
        // An unsigned index counts down by a step that wraps around.
        let signed = match b.ty {
            Type::U8 => Type::I8,
            Type::U16 => Type::I16,
            Type::U32 => Type::I32,
            Type::U64 => Type::I64,
            other => other,
        };
        let step = self.cast(b.step, signed, None);
        let step = self.cast(step, Type::I64, None);
        let way = self.value(Op::Sub, vec![index, lower], Type::I64, None);
        let number = match self.body.const_int(b.step) {
            Some(1) => way,
            _ => self.value(Op::Div, vec![way, step], Type::I64, None),
        };
        for &Linear { var, start, step } in linear {
            let v = &self.unit.vars[var];
            let distance = match step {
                Some(step) => {
                    let step = self.cast(step, Type::I64, None);
                    self.value(Op::Mul, vec![number, step], Type::I64, None)
                }
                None => number,
            };
            let value = match self.m.types().pointee(v.ty) {
                Some(element) => {
                    let mut path = crate::address::Path::new(start, element, false);
                    self.push_index_of(&mut path, element, distance, v.span)?;
                    let pointer = self.m.pointer(element);
                    self.finish(path, pointer)
                }
                None => {
                    let ty = self.scalar_type(v.ty, v.span)?;
                    let distance = self.cast(distance, ty, None);
                    self.value(Op::Add, vec![start, distance], ty, None)
                }
            };
            let address = self.variable(var, v.span)?;
            self.store_to(address, v.ty, value)?;
        }
        Ok(())
    }

    /// The value of the loop variable for an index.
    fn loop_variable(&mut self, b: &Bounds, index: Value, span: Span) -> Lower<Value> {
        let Some((origin, element)) = b.origin else {
            return Ok(index);
        };
        let mut path = crate::address::Path::new(origin, element, false);
        self.push_index_of(&mut path, element, index, span)?;
        let pointer = self.m.pointer(element);
        Ok(self.finish(path, pointer))
    }

    /// Of a loop over a pointer: the distance from its start.
    fn pointer_bounds(&mut self, l: &Canonical<'a>, element: CTy) -> Lower<Bounds> {
        let size = self.element_size(element, l.lower.span)?.max(1);
        let origin = self.rvalue(l.lower)?;
        let end = self.rvalue(l.upper)?;
        let upper = self.value(Op::PtrDiff(size), vec![end, origin], Type::I64, None);
        let lower = self.int(0, Type::I64);
        let step = self.step(l, Type::I64)?;
        Ok(Bounds {
            ty: Type::I64,
            lower,
            upper,
            step,
            origin: Some((origin, element)),
        })
    }

    fn bounds(&mut self, l: &Canonical<'a>) -> Lower<Bounds> {
        let types = self.m.types();
        if let Some(element) = types.pointee(self.unit.vars[l.var].ty) {
            return match types.pointee(l.upper.ty) {
                Some(_) if !self.is_variable_length(element) => self.pointer_bounds(l, element),
                _ => refuse(l.upper.span, "a parallel loop over such a pointer"),
            };
        }
        let ty = self.scalar_type(l.upper.ty, l.upper.span)?;
        if !ty.is_int() {
            return refuse(
                l.upper.span,
                "a parallel loop whose variable is not an integer",
            );
        }
        let lower = self.rvalue(l.lower)?;
        let lower = self.cast(lower, ty, None);
        let upper = self.rvalue(l.upper)?;
        let step = self.step(l, ty)?;
        Ok(Bounds {
            ty,
            lower,
            upper,
            step,
            origin: None,
        })
    }

    /// The step. Unsigned indices count down by adding it modulo their size.
    fn step(&mut self, l: &Canonical<'a>, ty: Type) -> Lower<Value> {
        let constant = match l.step {
            None => Some(1),
            Some(e) => match e.kind {
                ExprKind::Int(n) => Some(n),
                _ => None,
            },
        };
        if let Some(n) = constant {
            let n = if l.negative { -n } else { n };
            return Ok(self.int(crate::constant::wrap(n, ty), ty));
        }
        let Some(e) = l.step else {
            return Ok(self.int(1, ty));
        };
        let v = self.rvalue(e)?;
        let v = self.cast(v, ty, None);
        Ok(if l.negative {
            self.value(Op::Neg, vec![v], ty, None)
        } else {
            v
        })
    }

    /// The value that the loop variable has when the loop has ended: `lower + trips × step`.
    fn final_index(&mut self, l: &Canonical<'a>, b: &Bounds) -> Value {
        let ty = b.ty;
        let (from, to) = (b.lower, b.upper);
        let down = matches!(l.pred, Pred::Gt | Pred::Ge);
        let op = match l.pred {
            Pred::Lt => Op::Lt,
            Pred::Le => Op::Le,
            Pred::Gt => Op::Gt,
            Pred::Ge => Op::Ge,
            Pred::Ne => return to,
        };
        let runs = self.value(op, vec![from, to], Type::Bool, None);
        let (high, low) = if down { (from, to) } else { (to, from) };
        let distance = self.value(Op::Sub, vec![high, low], ty, None);
        let size = if down {
            self.value(Op::Neg, vec![b.step], ty, None)
        } else {
            b.step
        };
        let one = self.int(1, ty);
        let inclusive = matches!(l.pred, Pred::Le | Pred::Ge);
        let whole = if inclusive {
            let n = self.value(Op::Div, vec![distance, size], ty, None);
            self.value(Op::Add, vec![n, one], ty, None)
        } else {
            let less = self.value(Op::Sub, vec![distance, one], ty, None);
            let n = self.value(Op::Div, vec![less, size], ty, None);
            self.value(Op::Add, vec![n, one], ty, None)
        };
        let way = self.value(Op::Mul, vec![whole, b.step], ty, None);
        let end = self.value(Op::Add, vec![from, way], ty, None);
        self.value(Op::Select, vec![runs, end, from], ty, None)
    }

    /// How many loops of a nest have bounds that do not depend on outer loop variables: bounds are evaluated before the construct.
    fn rectangular(&self, nest: &[Canonical<'a>]) -> usize {
        let depends = |k: usize| {
            let l = &nest[k];
            let mut mentioned = Mentioned::new(self.unit);
            for e in [Some(l.lower), Some(l.upper), l.step].into_iter().flatten() {
                mentioned.expr(e);
            }
            let mut outer = nest[..k].iter();
            outer.any(|outer| mentioned.vars.contains(&outer.var))
        };
        (0..nest.len()).find(|&k| depends(k)).unwrap_or(nest.len())
    }

    /// Collapses only the first loops of a nest; the others are part of the body, which is returned. Their variables are private all the same.
    fn shorten(
        &mut self,
        nest: &mut Vec<Canonical<'a>>,
        kept: usize,
        clauses: &mut Clauses,
    ) -> Lower<&'a Stmt> {
        let inner = nest.split_off(kept.max(1));
        let span = inner[0].lower.span;
        self.read_as(span, "collapsed loops whose bounds depend on each other");
        for l in inner.iter().filter(|l| !l.declared_here) {
            if !clauses.names(l.var) {
                let address = self.variable(l.var, span)?;
                self.data_clause(DataKind::Private, l.var, address, span, clauses)?;
            }
        }
        clauses.list.retain(|c| !matches!(c, Clause::Collapse(_)));
        if nest.len() > 1 {
            clauses.list.push(Clause::Collapse(nest.len() as u32));
        }
        Ok(nest[nest.len() - 1].body)
    }

    /// Takes a loop in OpenMP's canonical form apart.
    fn canonical(&self, s: &'a Stmt) -> Lower<Canonical<'a>> {
        match &s.kind {
            StmtKind::Block(list) => {
                let mut rest = list.iter().filter(|s| !matches!(s.kind, StmtKind::Null));
                match (rest.next(), rest.next()) {
                    (Some(only), None) => self.canonical(only),
                    _ => refuse(s.span, "collapsed loops that are not perfectly nested"),
                }
            }
            StmtKind::For {
                init,
                cond: Some(cond),
                step: Some(step),
                body,
            } => {
                let not_canonical = || {
                    refuse(
                        s.span,
                        "a parallel loop that is not in OpenMP's canonical form",
                    )
                };
                let Some((var, declared_here, lower)) = self.loop_start(init) else {
                    return not_canonical();
                };
                let Some((pred, upper)) = loop_test(cond, var) else {
                    return not_canonical();
                };
                let Some((step, negative)) = loop_step(step, var) else {
                    return not_canonical();
                };
                Ok(Canonical {
                    var,
                    declared_here,
                    lower,
                    pred,
                    upper,
                    step,
                    negative,
                    body,
                })
            }
            _ => refuse(
                s.span,
                "a parallel loop that is not a for loop with a test and a step",
            ),
        }
    }

    fn loop_start(&self, init: &'a [Stmt]) -> Option<(VarId, bool, &'a Expr)> {
        match init {
            [
                Stmt {
                    kind: StmtKind::Decl(var),
                    ..
                },
            ] => match &self.unit.vars[*var].init {
                Some(Init::Expr(e)) => Some((*var, true, e)),
                _ => None,
            },
            [
                Stmt {
                    kind: StmtKind::Expr(e),
                    ..
                },
            ] => match &e.kind {
                ExprKind::Assign(lhs, rhs) => variable(lhs).map(|v| (v, false, &**rhs)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The variable that an expression is, conversions aside.
fn variable(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(v) => Some(*v),
        ExprKind::Load(x) => variable(x),
        ExprKind::Cast { operand, .. } => variable(operand),
        _ => None,
    }
}

fn loop_test(cond: &Expr, var: VarId) -> Option<(Pred, &Expr)> {
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return match &cond.kind {
            ExprKind::Cast { operand, .. } => loop_test(operand, var),
            _ => None,
        };
    };
    let pred = match op {
        BinaryOp::Lt => Pred::Lt,
        BinaryOp::Le => Pred::Le,
        BinaryOp::Gt => Pred::Gt,
        BinaryOp::Ge => Pred::Ge,
        BinaryOp::Ne => Pred::Ne,
        _ => return None,
    };
    if variable(a) == Some(var) {
        return Some((pred, b));
    }
    if variable(b) == Some(var) {
        let turned = match pred {
            Pred::Lt => Pred::Gt,
            Pred::Le => Pred::Ge,
            Pred::Gt => Pred::Lt,
            Pred::Ge => Pred::Le,
            Pred::Ne => Pred::Ne,
        };
        return Some((turned, a));
    }
    None
}

fn loop_step(step: &Expr, var: VarId) -> Option<(Option<&Expr>, bool)> {
    match &step.kind {
        ExprKind::IncDec { lhs, increment, .. } if variable(lhs) == Some(var) => {
            Some((None, !increment))
        }
        ExprKind::AssignOp { op, lhs, rhs, .. } if variable(lhs) == Some(var) => match op {
            BinaryOp::Add => Some((Some(rhs), false)),
            BinaryOp::Sub => Some((Some(rhs), true)),
            _ => None,
        },
        ExprKind::AssignPtrAdd { lhs, index, negate } if variable(lhs) == Some(var) => {
            Some((Some(index), *negate))
        }
        ExprKind::Assign(lhs, rhs) if variable(lhs) == Some(var) => {
            let mut sum = &**rhs;
            while let ExprKind::Cast { operand, .. } = &sum.kind {
                sum = operand;
            }
            match &sum.kind {
                ExprKind::Binary(BinaryOp::Add, a, b) if variable(a) == Some(var) => {
                    Some((Some(b), false))
                }
                ExprKind::Binary(BinaryOp::Add, a, b) if variable(b) == Some(var) => {
                    Some((Some(a), false))
                }
                ExprKind::Binary(BinaryOp::Sub, a, b) if variable(a) == Some(var) => {
                    Some((Some(b), true))
                }
                ExprKind::PtrAdd { ptr, index, negate } if variable(ptr) == Some(var) => {
                    Some((Some(index), *negate))
                }
                _ => None,
            }
        }
        ExprKind::Cast { operand, .. } => loop_step(operand, var),
        _ => None,
    }
}
