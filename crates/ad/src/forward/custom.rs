//! Custom derivatives.
//!
//! A custom derivative takes each argument, followed by its tangent where it can have one, and returns the tangent of the result, or a struct of the result and its
//! tangent. What it does besides is taken from its body: one that writes what the function itself would write stands for the function; beside one that only
//! writes tangents the function is called as well (afterwards, since it may overwrite its arguments).

use super::activity::returns_aggregate;
use super::{Forward, Result};
use crate::activity::holds_data;
use adjoin_ir::{CTy, CTypeKind, Func, Inst, Op, Type, Value};

impl Forward<'_> {
    pub(super) fn custom(&mut self, inst: Inst, derivative: Func) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return Ok(());
        };
        if !self.facts.any_tangent(&data.args) {
            self.primal(inst);
            return Ok(());
        }
        if self.session.options.errors {
            let name = &self.m.funcs[attr.func].name;
            let what = format!("a call of '{name}': its custom derivative says nothing of errors");
            return self.error(inst, what);
        }
        let aggregate = returns_aggregate(self.m, attr.func);
        let arguments = &data.args[aggregate as usize..];
        let followed = self.followed(inst, attr.func, derivative, arguments)?;
        let mut places = Vec::new();
        let mut at = 0;
        for &f in &followed {
            places.push(at);
            at += 1 + f as usize;
        }
        let stands_alone = self.writes_through(derivative, &places);
        if stands_alone && self.width != 1 {
            let name = &self.m.funcs[attr.func].name;
            let what = format!("a call of '{name}': its custom derivative takes one direction");
            return self.error(inst, what);
        }
        let mut lanes = Vec::new();
        for lane in 0..self.width {
            let mut args = Vec::new();
            for (&v, &with_tangent) in arguments.iter().zip(&followed) {
                args.push(self.f[&v]);
                if with_tangent {
                    args.push(self.tangents(v)?[lane]);
                }
            }
            lanes.push(args);
        }
        if aggregate {
            return self.custom_aggregate(inst, derivative, lanes);
        }
        let pair = returns_aggregate(self.m, derivative);
        let mut tangents = Vec::new();
        let mut value = None;
        for args in lanes {
            let Some(&v) = data.results.first() else {
                self.call(derivative, args);
                continue;
            };
            let ty = self.p.ty(v);
            let tangent = if pair {
                let (own, tangent) = self.custom_pair(inst, derivative, args)?;
                value = Some(self.cast(ty, own));
                Some(tangent)
            } else {
                self.call(derivative, args)
            };
            tangents.push(match tangent {
                Some(t) => self.cast(ty, t),
                None => self.zero(ty),
            });
        }
        match (data.results.first(), value) {
            (Some(&v), Some(value)) => self.like(v, value),
            (None, _) if stands_alone => return Ok(()),
            _ => drop(self.primal(inst)),
        }
        if let Some(&v) = data.results.first().filter(|&&v| self.has_tangent(v)) {
            self.set_tangents(v, tangents);
        }
        Ok(())
    }

    /// Which arguments a custom derivative takes the tangents of.
    fn followed(
        &self,
        inst: Inst,
        func: Func,
        derivative: Func,
        arguments: &[Value],
    ) -> Result<Vec<bool>> {
        let params = |f: Func| match self.m.types.shape(self.m.funcs[f].ctype) {
            CTypeKind::Function { params, .. } => params.clone(),
            _ => Vec::new(),
        };
        let (own, all) = (params(func), params(derivative));
        let choices: [Vec<bool>; 3] = [
            own.iter().map(|&t| holds_data(&self.m.types, t)).collect(),
            arguments.iter().map(|&v| self.has_tangent(v)).collect(),
            vec![true; own.len()],
        ];
        let fits = |choice: &&Vec<bool>| {
            choice.len() == own.len()
                && all.len() == own.len() + choice.iter().filter(|&&f| f).count()
        };
        let Some(choice) = choices.iter().find(fits) else {
            return self.error(
                inst,
                format!(
                    "a call of '{}': its derivative '{}' has {} parameters",
                    self.m.funcs[func].name,
                    self.m.funcs[derivative].name,
                    all.len()
                ),
            );
        };
        let lost = arguments
            .iter()
            .zip(choice)
            .position(|(&v, &f)| self.has_tangent(v) && !f);
        match lost {
            Some(k) => self.error(
                inst,
                format!(
                    "a call of '{}': its derivative '{}' takes no tangent of argument {}, which is active",
                    self.m.funcs[func].name,
                    self.m.funcs[derivative].name,
                    k + 1
                ),
            ),
            None => Ok(choice.clone()),
        }
    }

    /// May a function write memory behind these of its parameters?
    fn writes_through(&self, func: Func, params: &[usize]) -> bool {
        let function = &self.m.funcs[func];
        let CTypeKind::Function { params: types, .. } = self.m.types.shape(function.ctype) else {
            return true;
        };
        let writable = |k: usize| {
            let pointee = types.get(k).and_then(|&t| self.m.types.pointee(t));
            pointee.is_some_and(|t| !self.m.types.quals(t).is_const)
        };
        let Some(body) = &function.body else {
            return params.iter().any(|&k| writable(k));
        };
        let entry = &body.regions[body.entry].args;
        let own: Vec<Value> = params
            .iter()
            .filter_map(|&k| entry.get(k).copied())
            .collect();
        let mut writes = false;
        body.walk(|inst| {
            let data = &body.insts[inst];
            let harmless = |k: usize| match data.op {
                Op::Store(_) | Op::StoreBits(_) | Op::Copy(_) => k == 1,
                Op::Zero(_) | Op::Call(_) | Op::CallIndirect(_) | Op::Mpi(_) => false,
                ref op => {
                    !op.is_terminator() && data.regions.is_empty() && !matches!(op, Op::Select)
                }
            };
            for (k, &v) in data.args.iter().enumerate() {
                writes |= body.ty(v) == Type::Ptr
                    && !harmless(k)
                    && own.contains(&crate::activity::root(body, v));
            }
        });
        writes
    }

    /// A derivative that returns the result and its tangent.
    fn custom_pair(
        &mut self,
        inst: Inst,
        derivative: Func,
        mut args: Vec<Value>,
    ) -> Result<(Value, Value)> {
        let CTypeKind::Function { ret, .. } = *self.m.types.shape(self.m.funcs[derivative].ctype)
        else {
            return self.error(inst, "a function of no type");
        };
        let slot = self.b().slot(ret, Some("pair"));
        args.insert(0, slot);
        self.call(derivative, args);
        match &self.load_leaves(slot, ret)[..] {
            &[value, tangent] => Ok((value, tangent)),
            _ => self.error(
                inst,
                format!(
                    "a call: its derivative '{}' returns neither a tangent nor a result and a tangent",
                    self.m.funcs[derivative].name
                ),
            ),
        }
    }

    /// A function that returns a struct: so does its derivative.
    fn custom_aggregate(
        &mut self,
        inst: Inst,
        derivative: Func,
        lanes: Vec<Vec<Value>>,
    ) -> Result<()> {
        let to = self.p.insts[inst].args[0];
        let CTypeKind::Function { ret, .. } = *self.m.types.shape(self.m.funcs[derivative].ctype)
        else {
            return self.error(inst, "a function of no type");
        };
        let bytes = self.size(ret, inst)?;
        let mut slots: Vec<Value> = Vec::new();
        for mut args in lanes {
            let slot = self.b().slot(ret, Some("tangent"));
            args.insert(0, slot);
            self.call(derivative, args);
            slots.push(slot);
        }
        self.primal(inst);
        let own: CTy = ret;
        if self.has_tangent(to) {
            self.store_members(to, &slots, bytes, own)?;
        }
        Ok(())
    }
}
