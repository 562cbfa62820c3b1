//! Control ops as statements. Exits stay symbolic (`Jump`); values that cross region borders become copies.

use crate::ast::{Arm, BinaryOp, Expr, ExprKind, JumpKind, LoopHead, Stmt, StmtKind, Var};
use crate::build::Build;
use adjoin_ir::{Inst, Op, Pred, Span, SwitchAttr, Type, Value};

impl Build<'_> {
    pub fn if_stmt(&mut self, inst: Inst, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        let c = self.value(data.args[0]);
        let c = self.condition(c);
        let then = self.region(data.regions[0]);
        let otherwise = self.region(data.regions[1]);
        out.push(Stmt::new(StmtKind::If(c, then, otherwise), data.span));
    }

    /// Simultaneous assignment of values to the variables of others.
    fn copies(&mut self, pairs: Vec<(Value, Value)>, span: Span, out: &mut Vec<Stmt>) {
        let mut list = Vec::new();
        for (to, from) in pairs {
            let var = self.variable(to);
            let e = self.value(from);
            let ty = self.vars[var].ty;
            let e = self.assigned(e, ty);
            list.push((var, e));
        }
        if !list.is_empty() {
            out.push(Stmt::new(StmtKind::Copies(list), span));
        }
    }

    /// The results of an op that somebody uses, paired with operands.
    fn result_pairs(&self, op: Inst, operands: &[Value]) -> Vec<(Value, Value)> {
        self.body.insts[op]
            .results
            .iter()
            .zip(operands)
            .filter(|(r, _)| !self.facts.uses[**r].is_empty())
            .map(|(r, v)| (*r, *v))
            .collect()
    }

    /// The carried arguments of a loop, paired with operands.
    fn carried_pairs(&self, op: Inst, operands: &[Value]) -> Vec<(Value, Value)> {
        let data = &self.body.insts[op];
        let skip = matches!(data.op, Op::For(_)) as usize;
        let args = &self.body.regions[data.regions[0]].args;
        args[skip..]
            .iter()
            .copied()
            .zip(operands.iter().copied())
            .collect()
    }

    pub fn for_stmt(&mut self, inst: Inst, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        let Op::For(attr) = &data.op else {
            unreachable!("only for loops")
        };
        let args = &body.regions[data.regions[0]].args;
        // What the loop leaves behind is what its variables hold then.
        for (&arg, &result) in args.iter().zip(&data.results) {
            let var = self.variable(arg);
            if !self.vars[var].from_source {
                if let Some(name) = &body.values[result].name {
                    self.vars[var].hint = Some(name.clone());
                    self.vars[var].from_source = true;
                }
            }
            self.var_of[result] = Some(var);
        }
        let pairs = self.carried_pairs(inst, &data.args[3..]);
        self.copies(pairs, data.span, out);
        let index = self.variable(args[0]);
        let t = body.ty(args[0]);
        let on_demand = self.on_demand(inst);
        let lower = match (on_demand, t.default_basic()) {
            (Some(start), Some(basic)) => crate::consts::literal(self.types, start, basic),
            _ => self.value(data.args[0]),
        };
        let index_ty = self.vars[index].ty;
        let lower = self.assigned(lower, index_ty);
        let init = Stmt::new(StmtKind::Assign(self.var_expr(index), lower), data.span);
        let op = match attr.pred {
            Pred::Lt => BinaryOp::Lt,
            Pred::Le => BinaryOp::Le,
            Pred::Gt => BinaryOp::Gt,
            Pred::Ge => BinaryOp::Ge,
            Pred::Ne => BinaryOp::Ne,
        };
        let upper = self.value(data.args[1]);
        let cond = self.comparison_exprs(op, self.var_expr(index), upper, t);
        let step = match on_demand {
            Some(_) => self.one_step(index, t, data.span),
            None => self.step(index, data.args[2], t, data.span),
        };
        let inner = self.region(data.regions[0]);
        let head = LoopHead::For {
            init: Some(Box::new(init)),
            cond,
            step: Some(Box::new(step)),
            independent: attr.independent && on_demand.is_none(),
            lanes: self.lanes(inst),
            in_turn: attr.in_turn && on_demand.is_none(),
        };
        let whole = Stmt::new(
            StmtKind::Loop {
                id: inst,
                head,
                body: inner,
            },
            data.span,
        );
        out.push(match on_demand {
            Some(_) => self.dealt_on_demand(inst, whole),
            None => whole,
        });
    }

    /// How many lanes are best for a loop of known length, if that is not what the widest vectors have: with those, too much would be left over. Others have half of that.
    fn lanes(&self, inst: Inst) -> Option<u32> {
        const LONGEST: i128 = 256;
        let body = self.body;
        let data = &body.insts[inst];
        let [low, high, step] = [0, 1, 2].map(|k| body.const_int(data.args[k]));
        let (Some(low), Some(high), Some(1)) = (low, high, step) else {
            return None;
        };
        let floats = |i: &Inst| {
            let results = body.insts[*i].results.iter().map(|&v| body.ty(v));
            results.filter(|ty| ty.is_float()).map(|ty| ty.size()).max()
        };
        let list = &body.regions[data.regions[0]].insts;
        let size = list.iter().filter_map(floats).max()?;
        let widest = 64 / i128::from(size.clamp(4, 8));
        let left = (high - low) % widest;
        (high - low <= LONGEST && left >= widest / 2).then_some(widest as u32 / 2)
    }

    fn one_step(&mut self, index: Var, t: Type, span: Span) -> Stmt {
        let i = self.var_expr(index);
        let one = crate::consts::literal(self.types, 1, adjoin_ir::Basic::Int);
        let next = self.arithmetic_exprs(BinaryOp::Add, t, i.clone(), one);
        let next = self.assigned(next, i.ty);
        Stmt::new(StmtKind::Assign(i, next), span)
    }

    fn step(&mut self, index: Var, step: Value, t: Type, span: Span) -> Stmt {
        let i = self.var_expr(index);
        // An unsigned index that counts down adds a step just below its modulus: said as what it subtracts.
        let down = (self.body.const_int(step))
            .filter(|_| t.is_int() && !t.is_signed() && t.bits() <= 64)
            .map(|n| (1i128 << t.bits()) - n)
            .filter(|&back| back <= 1i128 << (t.bits() - 1));
        let next = match (down, t.default_basic()) {
            (Some(back), Some(basic)) => {
                let e = crate::consts::literal(self.types, back, basic);
                self.arithmetic_exprs(BinaryOp::Sub, t, i.clone(), e)
            }
            _ => {
                let e = self.value(step);
                self.arithmetic_exprs(BinaryOp::Add, t, i.clone(), e)
            }
        };
        let next = self.assigned(next, i.ty);
        Stmt::new(StmtKind::Assign(i, next), span)
    }

    pub fn loop_stmt(&mut self, inst: Inst, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        let pairs = self.carried_pairs(inst, &data.args);
        self.copies(pairs, data.span, out);
        let inner = self.region(data.regions[0]);
        out.push(Stmt::new(
            StmtKind::Loop {
                id: inst,
                head: LoopHead::Forever,
                body: inner,
            },
            data.span,
        ));
    }

    pub fn switch_stmt(&mut self, inst: Inst, attr: &SwitchAttr, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        // All cases take the same arguments: they share their variables.
        let first = body.regions[data.regions[0]].args.clone();
        for (k, &arg) in first.iter().enumerate() {
            let var = self.variable(arg);
            for &r in &data.regions[1..] {
                let other = body.regions[r].args[k];
                self.var_of[other] = Some(var);
            }
        }
        let pairs: Vec<_> = first
            .iter()
            .copied()
            .zip(data.args[1..].iter().copied())
            .collect();
        self.copies(pairs, data.span, out);
        let value = self.value(data.args[0]);
        let value = if self.is_boolean(&value) {
            Expr::new(ExprKind::Cast(Box::new(value)), self.types.int)
        } else {
            self.bare_integer(value)
        };
        let mut arms = Vec::new();
        for (&r, case) in data.regions.iter().zip(&attr.cases) {
            arms.push(Arm {
                values: case.values.clone(),
                default: case.default,
                body: self.region(r),
            });
        }
        out.push(Stmt::new(
            StmtKind::Switch {
                id: inst,
                value,
                arms,
            },
            data.span,
        ));
    }

    pub fn terminator(&mut self, inst: Inst, out: &mut Vec<Stmt>) {
        let body = self.body;
        let data = &body.insts[inst];
        let span = data.span;
        let jump = |kind, target| Stmt::new(StmtKind::Jump(kind, target), span);
        match data.op {
            Op::Yield => {
                let Some(owner) = body.regions[data.parent].parent else {
                    return;
                };
                match body.insts[owner].op {
                    Op::For(_) | Op::Loop => {
                        let pairs = self.carried_pairs(owner, &data.args);
                        self.copies(pairs, span, out);
                    }
                    Op::Switch(_) => {
                        let pairs = self.result_pairs(owner, &data.args);
                        self.copies(pairs, span, out);
                        out.push(jump(JumpKind::Break, owner));
                    }
                    Op::Par(_) => {}
                    _ => {
                        let pairs = self.result_pairs(owner, &data.args);
                        self.copies(pairs, span, out);
                    }
                }
            }
            Op::Break(target) => {
                let pairs = match body.insts[target].op {
                    Op::For(_) => self.carried_pairs(target, &data.args),
                    _ => self.result_pairs(target, &data.args),
                };
                self.copies(pairs, span, out);
                out.push(jump(JumpKind::Break, target));
            }
            Op::Continue(target) => {
                let pairs = self.carried_pairs(target, &data.args);
                self.copies(pairs, span, out);
                out.push(jump(JumpKind::Continue, target));
            }
            Op::Fallthrough(target) => {
                let first = body.regions[body.insts[target].regions[0]].args.clone();
                let pairs = first
                    .iter()
                    .copied()
                    .zip(data.args.iter().copied())
                    .collect();
                self.copies(pairs, span, out);
                out.push(jump(JumpKind::Fallthrough, target));
            }
            Op::Return => {
                let e = data.args.first().map(|&v| {
                    let ty = self.return_type;
                    if self.types.is_aggregate(ty) {
                        self.aggregate(v, ty)
                    } else {
                        let e = self.value(v);
                        self.assigned(e, ty)
                    }
                });
                out.push(Stmt::new(StmtKind::Return(e), span));
            }
            Op::Unreachable => {
                // Nothing comes after a call that does not return.
                let after_call = out.last().is_some_and(|s| self.never_returns(s));
                if !after_call {
                    out.push(Stmt::new(StmtKind::Unreachable, span));
                }
            }
            _ => {}
        }
    }

    fn never_returns(&self, s: &Stmt) -> bool {
        let StmtKind::Expr(e) = &s.kind else {
            return false;
        };
        let ExprKind::Call(callee, _) = &e.kind else {
            return false;
        };
        let ExprKind::Name(name) = &callee.kind else {
            return false;
        };
        self.module
            .find_func(name)
            .is_some_and(|f| self.module.funcs[f].noreturn)
    }
}
