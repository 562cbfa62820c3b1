//! What crosses the border of a loop: values from outside, what it carries, and the parameters that they become.

use super::super::pairs::{parameter_type, unused_name};
use super::Result;
use crate::AdError;
use adjoin_ir::ctype::TagScope;
use adjoin_ir::{
    Basic, Body, CTy, CTypeKind, ForAttr, Function, Inst, Linkage, Module, Op, Pred, Span, Value,
    ValueDef,
};
use adjoin_passes::edit::is_inside;

pub(super) fn refuse<T>(span: Span, reason: impl Into<String>) -> Result<T> {
    let reason = reason.into();
    Err(AdError::new(
        span,
        format!("this loop with checkpoints: {reason}"),
    ))
}

/// Does a loop count up by one, in its own index?
pub(super) fn is_plain(body: &Body, holder: Inst) -> bool {
    let data = &body.insts[holder];
    match data.op {
        Op::For(ForAttr { pred, .. }) => {
            body.const_int(data.args[2]) == Some(1)
                && matches!(pred, Pred::Lt | Pred::Le | Pred::Ne)
        }
        _ => false,
    }
}

/// What a loop has to do with the code around it.
pub(super) struct Border {
    /// Values from outside that it uses, constants apart.
    pub(super) used: Vec<Value>,
    /// Constants that it uses.
    pub(super) constants: Vec<Value>,
    /// What it carries at first.
    pub(super) initial: Vec<Value>,
    /// It may be left before its condition fails.
    pub(super) open: bool,
}

impl Border {
    pub(super) fn of(body: &Body, holder: Inst) -> Result<Border> {
        let data = &body.insts[holder];
        let counted = matches!(data.op, Op::For(_));
        let initial = data.args[if counted { 3 } else { 0 }..].to_vec();
        let mut border = Border {
            used: Vec::new(),
            constants: Vec::new(),
            initial,
            open: !counted,
        };
        let mut error = None;
        let mut visit = |inst: Inst| {
            let data = &body.insts[inst];
            let leaves = |target: Inst| !is_inside(body, target, holder);
            match data.op {
                Op::Return => error = Some((data.span, "a return leaves it")),
                Op::Break(t) if t == holder => border.open = true,
                Op::Break(t) | Op::Continue(t) if t != holder && leaves(t) => {
                    error = Some((data.span, "a jump leaves it and what is around it"))
                }
                _ => {}
            }
            for &v in &data.args {
                border.mention(body, holder, v);
            }
        };
        body.walk(|inst| {
            if is_inside(body, inst, holder) {
                visit(inst);
            }
        });
        if let Some((span, reason)) = error {
            return refuse(span, reason);
        }
        if counted && !is_plain(body, holder) {
            border.mention(body, holder, data.args[0]);
            border.mention(body, holder, data.args[2]);
        }
        Ok(border)
    }

    fn mention(&mut self, body: &Body, holder: Inst, v: Value) {
        let inside = match body.values[v].def {
            ValueDef::Result(i, _) => i == holder || is_inside(body, i, holder),
            ValueDef::Arg(r, _) => {
                let around = body.regions[r].parent;
                around.is_some_and(|i| i == holder || is_inside(body, i, holder))
            }
        };
        let constant = body.def_inst(v).is_some_and(|i| {
            matches!(
                body.insts[i].op,
                Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_)
            )
        });
        let list = match constant {
            true => &mut self.constants,
            false => &mut self.used,
        };
        if !inside && !list.contains(&v) {
            list.push(v);
        }
    }
}

/// The parameters of the two functions, while they are put together.
#[derive(Default)]
pub(super) struct Parameters {
    pub(super) types: Vec<CTy>,
    names: Vec<Option<String>>,
}

impl Parameters {
    pub(super) fn add(&mut self, m: &mut Module, name: &str, t: CTy) -> usize {
        let t = parameter_type(m, t);
        self.types.push(m.types.unqualified(t));
        // A parameter must not hide the name of a type.
        let is_type = |n: &str| {
            let mut all = m.types.all();
            all.any(|(_, kind)| matches!(kind, CTypeKind::Typedef { name, .. } if name == n))
        };
        let taken = |n: &str| self.names.iter().flatten().any(|other| other == n) || is_type(n);
        let name = (1..)
            .map(|k| match k {
                1 => name.to_string(),
                k => format!("{name}_{k}"),
            })
            .find(|n| !taken(n));
        self.names.push(name);
        self.types.len() - 1
    }

    pub(super) fn function(self, m: &mut Module, name: &str, span: Span) -> Function {
        let void = m.types.void();
        let ctype = m.types.intern(CTypeKind::Function {
            ret: void,
            params: self.types,
            variadic: false,
            prototyped: true,
        });
        Function {
            name: unused_name(m, name),
            ctype,
            param_names: self.names,
            linkage: Linkage::Static,
            inline: false,
            noreturn: false,
            span,
            body: None,
        }
    }
}

/// Can a type be named at file scope?
fn has_name(m: &Module, t: CTy) -> bool {
    match m.types.shape(t) {
        CTypeKind::Record(r) => {
            let record = &m.types.records[*r];
            let named = record.tag.is_some() || record.typedef_name.is_some();
            named && record.scope == TagScope::File
        }
        CTypeKind::Enum(e) => {
            let data = &m.types.enums[*e];
            (data.tag.is_some() || data.typedef_name.is_some()) && data.scope == TagScope::File
        }
        CTypeKind::Pointer(t) => has_name(m, *t),
        CTypeKind::Array { elem, .. } => has_name(m, *elem),
        CTypeKind::Function { ret, params, .. } => {
            has_name(m, *ret) && params.iter().all(|&p| has_name(m, p))
        }
        _ => true,
    }
}

/// How C declares a value.
pub(super) fn declared(m: &mut Module, body: &Body, v: Value) -> CTy {
    let ty = body.ty(v);
    if let Some(t) = body.values[v].ctype
        && has_name(m, t)
    {
        return m.types.unqualified(t);
    }
    match ty.default_basic() {
        Some(basic) => m.types.basic(basic),
        None => {
            let void = m.types.void();
            m.types.pointer(void)
        }
    }
}

impl Parameters {
    /// Two more parameters of the loop function: an address and a number of bytes.
    pub(super) fn add_block(&mut self, m: &mut Module, name: &str) -> (usize, usize) {
        let void = m.types.void();
        let address = m.types.pointer(void);
        let bytes = m.types.basic(Basic::Long);
        (
            self.add(m, name, address),
            self.add(m, &format!("{name}_bytes"), bytes),
        )
    }
}
