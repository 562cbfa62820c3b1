//! Statements with structured control flow. Lists that jumps enter go through `goto`.
//!
//! The shapes of loops, which later passes and the emitter rely on:
//! `while (c) B` is `loop { c; if c { yield } else { break }; B; yield }`, `for` has its step before the last `yield`, `do B while (c)` is
//! `loop { B; if c { yield } else { break }; yield }`. If `B` says `continue`, it is in a `block` that `continue` breaks out of. A condition that is a
//! constant other than zero is not tested.

use crate::function::{FunctionLowerer, Jumps, Target};
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, ExprKind, Span, Stmt, StmtKind};
use adjoin_ir::{CTypeKind, Checkpoint, Inst, Op};

impl<'a> FunctionLowerer<'_, 'a> {
    /// A list of statements: a scope.
    pub fn list(&mut self, stmts: &'a [Stmt]) -> Lower<()> {
        if self.dead {
            // Labels in here are only reached from in here, so nothing gets here at all.
            return Ok(());
        }
        if self.needs_graph(stmts) {
            return self.graph(stmts);
        }
        let alive = self.cleanups.len();
        for s in stmts {
            if self.dead {
                break;
            }
            self.stmt(s)?;
        }
        self.end_scope(alive)
    }

    /// One statement.
    pub fn stmt(&mut self, s: &'a Stmt) -> Lower<()> {
        if self.dead {
            return Ok(());
        }
        self.at = s.span;
        if self.scan.is_crossed(s) {
            return self.graph(std::slice::from_ref(s));
        }
        match &s.kind {
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Null | StmtKind::Label(_) | StmtKind::Case(..) | StmtKind::Default => Ok(()),
            StmtKind::Block(list) => self.list(list),
            StmtKind::Decl(v) => self.declaration(*v),
            StmtKind::EvalVla(ids) => self.evaluate_vlas(ids),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => self.if_stmt(cond, then, otherwise.as_deref()),
            StmtKind::While { cond, body } => self.loop_stmt(Some(cond), None, body),
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let alive = self.cleanups.len();
                for s in init {
                    self.stmt(s)?;
                }
                if self.dead {
                    self.cleanups.truncate(alive);
                    return Ok(());
                }
                self.at = s.span;
                self.loop_stmt(cond.as_ref(), step.as_ref(), body)?;
                self.end_scope(alive)
            }
            StmtKind::Switch { value, body } => match self.switch_groups(body) {
                Some(groups) => self.switch_stmt(value, &groups),
                None => self.graph(std::slice::from_ref(s)),
            },
            StmtKind::Goto(label) => match self.labels.get(label) {
                Some(_) if !self.cleanups.is_empty() => refuse(
                    s.span,
                    "this goto: a variable with a cleanup function is alive here",
                ),
                Some(&target) => {
                    self.jump(target);
                    Ok(())
                }
                None => refuse(
                    s.span,
                    "this goto: it leaves or enters a parallel construct",
                ),
            },
            StmtKind::GotoComputed(e) => self.computed_goto(e, s.span),
            StmtKind::Break => {
                let alive = self.jumps.alive_at_break;
                self.jump_to(self.jumps.on_break, alive, s.span, "break")
            }
            StmtKind::Continue => {
                let alive = self.jumps.alive_at_continue;
                self.jump_to(self.jumps.on_continue, alive, s.span, "continue")
            }
            StmtKind::Return(e) => self.return_stmt(e.as_ref(), s.span),
            StmtKind::Asm { empty: true } => Ok(()),
            StmtKind::Asm { empty: false } => refuse(s.span, "inline assembly"),
            StmtKind::Omp(omp) => self.omp(omp, s.span),
        }
    }

    fn jump_to(
        &mut self,
        target: Option<Target>,
        alive: usize,
        span: Span,
        what: &str,
    ) -> Lower<()> {
        match target {
            Some(target) => {
                self.clean_up(alive)?;
                self.jump(target);
                Ok(())
            }
            None => refuse(
                span,
                format!("this {what}: it would leave a parallel construct"),
            ),
        }
    }

    fn return_stmt(&mut self, e: Option<&'a Expr>, span: Span) -> Lower<()> {
        if self.parallel > 0 {
            return refuse(span, "a return out of a parallel construct");
        }
        let ret = self.return_type();
        let is_void = matches!(self.m.types().shape(ret), CTypeKind::Void);
        let mut operands = Vec::new();
        match e {
            Some(e) if is_void => self.effect(e)?,
            Some(e) if self.m.types().is_aggregate(ret) && !self.cleanups.is_empty() => {
                let kept = self.temporary(ret);
                self.record_into(e, kept, true)?;
                operands.push(kept);
            }
            Some(e) => operands.push(self.rvalue(e)?),
            None if is_void => {}
            None if self.m.types().is_aggregate(ret) => operands.push(self.temporary(ret)),
            None => {
                // `return;` in a function that returns a value: the caller must not look at it.
                let ty = self.scalar_type(ret, span)?;
                operands.push(self.zero(ty, ret));
            }
        }
        self.at = span;
        self.clean_up(0)?;
        self.terminate(Op::Return, operands);
        Ok(())
    }

    fn if_stmt(
        &mut self,
        cond: &'a Expr,
        then: &'a Stmt,
        otherwise: Option<&'a Stmt>,
    ) -> Lower<()> {
        let span = self.at;
        let c = self.condition(cond)?;
        self.at = span;
        if self.dead {
            return Ok(());
        }
        let inst = self.emit(Op::If, vec![c]);
        for arm in [Some(then), otherwise] {
            let region = self.body.add_region(inst);
            let old = self.enter(region);
            if let Some(s) = arm {
                self.stmt(s)?;
            }
            self.end_region(inst, vec![]);
            self.leave(old);
        }
        self.at = span;
        self.after(inst);
        Ok(())
    }

    /// `while` and `for`.
    fn loop_stmt(
        &mut self,
        cond: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a Stmt,
    ) -> Lower<()> {
        let span = self.at;
        self.mark_checkpoint();
        let inst = self.emit(Op::Loop, vec![]);
        let region = self.body.add_region(inst);
        let old = self.enter(region);
        if let Some(cond) = cond {
            self.loop_test(inst, cond)?;
        }
        self.loop_body(inst, body)?;
        if let Some(step) = step
            && !self.dead
        {
            self.effect(step)?;
        }
        self.at = span;
        self.jump(Target::Continue(inst));
        self.leave(old);
        self.after(inst);
        Ok(())
    }

    fn do_while(&mut self, body: &'a Stmt, cond: &'a Expr) -> Lower<()> {
        let span = self.at;
        if matches!(cond.kind, ExprKind::Int(0)) {
            // The idiom of macros: not a loop at all.
            let (block, old) = self.open_block();
            let target = Some(Target::Break(block));
            let alive = self.cleanups.len();
            let jumps = Jumps {
                on_break: target,
                on_continue: target,
                alive_at_break: alive,
                alive_at_continue: alive,
            };
            let outer = std::mem::replace(&mut self.jumps, jumps);
            self.stmt(body)?;
            self.jumps = outer;
            self.at = span;
            self.close_block(block, old);
            return Ok(());
        }
        self.mark_checkpoint();
        let inst = self.emit(Op::Loop, vec![]);
        let region = self.body.add_region(inst);
        let old = self.enter(region);
        self.loop_body(inst, body)?;
        if !self.dead {
            self.loop_test(inst, cond)?;
        }
        self.at = span;
        self.jump(Target::Continue(inst));
        self.leave(old);
        self.after(inst);
        Ok(())
    }

    /// Notes that the loop at this place is to be checkpointed, if a pragma in front of it says so.
    fn mark_checkpoint(&mut self) {
        let start = self.at.start;
        let text = self.m.text();
        let mut pragmas = self.unit.pragmas.iter();
        let found = pragmas.find_map(|p| {
            let how = Checkpoint::of_pragma(&p.text)??;
            let stands_before = p.span.end <= start
                && is_blank(&text[p.span.end as usize..(start as usize).min(text.len())]);
            stands_before.then_some(how)
        });
        if let Some(how) = found {
            let span = self.span();
            self.m.note_checkpoint(span, how);
        }
    }

    /// Leaves a loop unless a condition holds.
    fn loop_test(&mut self, inst: Inst, cond: &'a Expr) -> Lower<()> {
        if matches!(cond.kind, ExprKind::Int(n) if n != 0) {
            return Ok(());
        }
        let c = self.condition(cond)?;
        if self.dead {
            return Ok(());
        }
        let outer = std::mem::replace(&mut self.at, cond.span);
        let test = self.emit(Op::If, vec![c]);
        let stay = self.body.add_region(test);
        let go = self.body.add_region(test);
        let old = self.enter(stay);
        self.end_region(test, vec![]);
        self.leave(old);
        let old = self.enter(go);
        self.jump(Target::Break(inst));
        self.leave(old);
        self.at = outer;
        Ok(())
    }

    fn loop_body(&mut self, inst: Inst, body: &'a Stmt) -> Lower<()> {
        if self.dead {
            return Ok(());
        }
        let (block, old) = self.open_block();
        let alive = self.cleanups.len();
        let jumps = Jumps {
            on_break: Some(Target::Break(inst)),
            on_continue: Some(Target::Break(block)),
            alive_at_break: alive,
            alive_at_continue: alive,
        };
        let outer = std::mem::replace(&mut self.jumps, jumps);
        self.stmt(body)?;
        self.jumps = outer;
        self.close_block(block, old);
        Ok(())
    }
}

/// Is there nothing in a text but blanks and lines that start with `#`?
fn is_blank(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n')
        .all(|line| matches!(line.trim_ascii().first(), None | Some(b'#')))
}
