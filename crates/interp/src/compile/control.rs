//! Ops that hold regions, and the terminators inside them.

use super::{Compiler, Label, Scope, invalid, relation};
use crate::arith::{BinaryOp, Compare, Relation};
use crate::code::*;
use crate::error::Run;
use adjoin_ir::{Inst, Op, Region, Type};

impl Compiler<'_> {
    pub(super) fn scope(&self, inst: Inst) -> Run<Scope> {
        let found = self.scopes.iter().rev().find(|s| s.inst == inst);
        found
            .cloned()
            .ok_or_else(|| invalid("a terminator names an op that does not enclose it"))
    }

    /// Leaves an op with its results.
    pub(super) fn leave(&mut self, scope: &Scope, sources: &[Reg]) {
        match scope.index {
            Some(index) if sources.len() + 1 == scope.results.len() => {
                let mut all = vec![index];
                all.extend_from_slice(sources);
                self.moves(&scope.results, &all);
            }
            _ => self.moves(&scope.results, sources),
        }
        self.kills(scope.live);
        self.jump(Code::Jump { to: 0 }, scope.end);
    }

    pub(super) fn yield_(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let Some(holder) = body.regions[data.parent].parent else {
            return Err(invalid("`yield` at the end of a function"));
        };
        let sources = self.regs(&data.args);
        match body.insts[holder].op {
            Op::For(_) | Op::Loop => {
                let scope = self.scope(holder)?;
                self.moves(&scope.next_regs, &sources);
                self.kills(scope.live);
                self.jump(Code::Jump { to: 0 }, scope.next);
            }
            Op::Par(_) => {
                // The private copies die with the op, not with the region.
                let scope = self.scope(holder)?;
                self.kills(scope.live);
                self.jump(Code::Jump { to: 0 }, scope.end);
            }
            _ => {
                let scope = self.scope(holder)?;
                self.leave(&scope, &sources);
            }
        }
        Ok(())
    }

    fn push_scope(&mut self, inst: Inst, next_regs: Vec<Reg>, index: Option<Reg>) -> Scope {
        let body = self.body;
        let results = self.regs(&body.insts[inst].results);
        let scope = Scope {
            inst,
            live: self.live.len(),
            end: self.label(),
            next: self.label(),
            next_regs,
            results,
            index,
        };
        self.scopes.push(scope.clone());
        scope
    }

    fn pop_scope(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.drop_last_jump(scope.end);
            self.place(scope.end);
        }
    }

    /// Drops a jump to the label that is about to be placed behind it. (Whatever leads to the jump then leads to the label.)
    fn drop_last_jump(&mut self, label: Label) {
        let here = self.program.code.len() as u32;
        let last = self.labels[label.0].waiting.last().copied();
        if last.is_some_and(|at| at + 1 == here)
            && self.last_placed < here
            && matches!(self.program.code.last(), Some(Code::Jump { .. }))
        {
            self.labels[label.0].waiting.pop();
            self.program.code.pop();
            self.program.spans.pop();
        }
    }

    pub(super) fn if_(&mut self, inst: Inst, fused: Option<Inst>) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let otherwise = self.label();
        match fused.and_then(|c| relation(&body.insts[c].op).map(|r| (c, r))) {
            Some((c, relation)) => {
                let operands = &body.insts[c].args;
                let compare = Compare::of(relation, body.ty(operands[0]));
                let (a, b) = (self.reg(operands[0]), self.reg(operands[1]));
                self.jump(
                    Code::JumpUnless {
                        compare,
                        a,
                        b,
                        to: 0,
                    },
                    otherwise,
                );
            }
            None => {
                let a = self.reg(data.args[0]);
                self.jump(Code::JumpIfNot { a, to: 0 }, otherwise);
            }
        }
        self.push_scope(inst, Vec::new(), None);
        self.region(data.regions[0])?;
        if data.results.is_empty() && self.is_empty(data.regions[1]) {
            self.pop_scope();
            self.place(otherwise);
            return Ok(());
        }
        self.place(otherwise);
        self.region(data.regions[1])?;
        self.pop_scope();
        Ok(())
    }

    fn is_empty(&self, region: Region) -> bool {
        let insts = &self.body.regions[region].insts;
        insts.len() == 1 && matches!(self.body.insts[insts[0]].op, Op::Yield)
    }

    pub(super) fn for_(&mut self, inst: Inst, relation: Relation) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let region = data.regions[0];
        let args = self.regs(&body.regions[region].args);
        let operands = self.regs(&data.args);
        let (index, upper, step) = (args[0], operands[1], operands[2]);
        let ty = body.ty(data.args[0]);
        let compare = Compare::of(relation, ty);
        let mut initial = vec![operands[0]];
        initial.extend_from_slice(&operands[3..]);
        self.moves(&args, &initial);
        let done = self.label();
        self.jump(
            Code::JumpUnless {
                compare,
                a: index,
                b: upper,
                to: 0,
            },
            done,
        );
        let begin = self.label();
        self.place(begin);
        let scope = self.push_scope(inst, args[1..].to_vec(), Some(index));
        self.region(region)?;
        self.span = data.span;
        self.drop_last_jump(scope.next);
        self.place(scope.next);
        let width = match ty {
            Type::I32 => Some(Width::I32),
            Type::U32 => Some(Width::U32),
            Type::I64 | Type::U64 | Type::Ptr => Some(Width::W64),
            _ => None,
        };
        match width {
            Some(width) if !self.check_overflow => {
                self.jump(
                    Code::Next {
                        width,
                        compare,
                        index,
                        step,
                        upper,
                        to: 0,
                    },
                    begin,
                );
            }
            _ => {
                let op = BinaryOp::Add;
                self.emit(Code::Binary {
                    op,
                    ty,
                    d: index,
                    a: index,
                    b: step,
                });
                self.jump(
                    Code::JumpUnless {
                        compare,
                        a: index,
                        b: upper,
                        to: 0,
                    },
                    done,
                );
                self.jump(Code::Jump { to: 0 }, begin);
            }
        }
        self.place(done);
        self.moves(&scope.results, &args);
        self.pop_scope();
        Ok(())
    }

    pub(super) fn loop_(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let region = data.regions[0];
        let args = self.regs(&body.regions[region].args);
        let initial = self.regs(&data.args);
        self.moves(&args, &initial);
        let scope = self.push_scope(inst, args, None);
        self.place(scope.next);
        self.region(region)?;
        self.pop_scope();
        Ok(())
    }

    pub(super) fn block(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        self.push_scope(inst, Vec::new(), None);
        self.region(body.insts[inst].regions[0])?;
        self.pop_scope();
        Ok(())
    }

    pub(super) fn switch(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let Op::Switch(attr) = &data.op else {
            return Err(invalid("not a switch"));
        };
        let a = self.reg(data.args[0]);
        let initial = self.regs(&data.args[1..]);
        let ty = body.ty(data.args[0]);
        let table = self.program.switches.len() as u32;
        self.program.switches.push(SwitchTable {
            ty,
            ranges: Vec::new(),
            default: 0,
        });
        self.emit(Code::Switch { a, table });
        self.push_scope(inst, Vec::new(), None);
        let scope_at = self.scopes.len() - 1;
        let mut ranges = Vec::new();
        let mut default = None;
        // `next` of the scope is the label of the region after the one being compiled.
        for (k, &region) in data.regions.iter().enumerate() {
            let entry = self.program.code.len() as u32;
            for &(low, high) in &attr.cases[k].values {
                ranges.push((low, high, entry));
            }
            if attr.cases[k].default {
                default = Some(entry);
            }
            let args = self.regs(&body.regions[region].args);
            self.moves(&args, &initial);
            let entered = self.scopes[scope_at].next;
            self.place(entered);
            let next = self.label();
            let next_args = match data.regions.get(k + 1) {
                Some(&r) => self.regs(&body.regions[r].args),
                None => Vec::new(),
            };
            self.scopes[scope_at].next = next;
            self.scopes[scope_at].next_regs = next_args;
            self.region(region)?;
        }
        ranges.sort_unstable();
        self.program.switches[table as usize].ranges = ranges;
        self.program.switches[table as usize].default =
            default.ok_or_else(|| invalid("a `switch` without default"))?;
        self.pop_scope();
        Ok(())
    }

    /// The region of a `par` op, between making and ending the private copies.
    pub(crate) fn par_region(&mut self, inst: Inst, region: Region) -> Run<()> {
        self.push_scope(inst, Vec::new(), None);
        self.region(region)?;
        self.pop_scope();
        Ok(())
    }
}
