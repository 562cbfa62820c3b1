//! Which function an expression is: a name, or a variable, and then what it can hold.

use adjoin_front::Parsed;
use adjoin_front::ast::{Expr, ExprKind, FuncId, Init, Storage, VarId};
use std::collections::BTreeSet;

/// What is known of the function that an argument is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// It is named.
    Named(FuncId),
    /// A pointer that can be any of these.
    OneOf(Vec<FuncId>),
    /// A pointer of which only the type is known, and why.
    Any(String),
}

/// Which function an argument is.
pub fn of(parsed: &Parsed, e: &Expr) -> Which {
    if let Some(f) = named(e) {
        return Which::Named(f);
    }
    let mut search = Search {
        parsed,
        seen: BTreeSet::new(),
    };
    match search.expression(e) {
        Ok(found) if found.is_empty() => Which::Any("no function is ever stored in it".to_string()),
        Ok(found) => Which::OneOf(found.into_iter().collect()),
        Err(why) => Which::Any(why),
    }
}

/// A pointer as it is declared, conversions aside.
pub fn as_written(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast { operand, .. } => as_written(operand),
        _ => e,
    }
}

/// The function that an expression names, conversions aside.
pub fn named(e: &Expr) -> Option<FuncId> {
    match &e.kind {
        ExprKind::Func(f) => Some(*f),
        ExprKind::Cast { operand, .. }
        | ExprKind::Decay(operand)
        | ExprKind::AddrOf(operand)
        | ExprKind::Deref(operand) => named(operand),
        _ => None,
    }
}

type Found = Result<BTreeSet<FuncId>, String>;

struct Search<'a> {
    parsed: &'a Parsed,
    seen: BTreeSet<VarId>,
}

impl Search<'_> {
    fn expression(&mut self, e: &Expr) -> Found {
        match &e.kind {
            ExprKind::Func(f) => Ok(BTreeSet::from([*f])),
            ExprKind::Cast { operand, .. }
            | ExprKind::Decay(operand)
            | ExprKind::AddrOf(operand)
            | ExprKind::Deref(operand)
            | ExprKind::Load(operand)
            | ExprKind::Comma(_, operand) => self.expression(operand),
            ExprKind::Cond(_, a, b) => {
                let mut found = self.expression(a)?;
                found.extend(self.expression(b)?);
                Ok(found)
            }
            // A null pointer is no function.
            ExprKind::Int(0) => Ok(BTreeSet::new()),
            ExprKind::Var(v) => self.variable(*v),
            _ => Err("which function this expression is cannot be told".to_string()),
        }
    }

    /// What a variable can hold.
    fn variable(&mut self, v: VarId) -> Found {
        if !self.seen.insert(v) {
            return Ok(BTreeSet::new());
        }
        let unit = &self.parsed.unit;
        let var = &unit.vars[v];
        let name = &var.name;
        let is_const = unit.types.quals(var.ty).is_const;
        let visible = match var.storage {
            Storage::Global { is_static } => is_static || is_const,
            _ => true,
        };
        if !visible || !var.defined && matches!(var.storage, Storage::Global { .. }) {
            return Err(format!("'{name}' can be set in other files"));
        }
        if var.address_taken {
            return Err(format!("the address of '{name}' is taken"));
        }
        let mut found = match &var.init {
            Some(Init::Expr(e)) => self.expression(e)?,
            Some(Init::List(items)) if items.len() == 1 => self.expression(&items[0].value)?,
            Some(_) => return Err(format!("'{name}' is not a plain variable")),
            None => BTreeSet::new(),
        };
        let mut assigned = Vec::new();
        let mut opaque = false;
        for function in unit.funcs.values() {
            let Some(body) = &function.body else { continue };
            adjoin_front::walk::expressions(unit, body, &mut |e| match &e.kind {
                ExprKind::Assign(lhs, rhs) if is_variable(lhs, v) => assigned.push(&**rhs),
                ExprKind::AssignPtrAdd { lhs, .. } | ExprKind::IncDec { lhs, .. }
                    if is_variable(lhs, v) =>
                {
                    opaque = true;
                }
                _ => {}
            });
        }
        if opaque {
            return Err(format!("'{name}' is computed"));
        }
        for e in assigned {
            found.extend(self.expression(e)?);
        }
        if let Storage::Param(k) = var.storage {
            found.extend(self.arguments(v, k as usize)?);
        }
        Ok(found)
    }

    /// The function that declares a parameter.
    fn owner(&self, v: VarId) -> Option<FuncId> {
        let unit = &self.parsed.unit;
        let declares = unit.funcs.iter().find(|(_, f)| f.params.contains(&v));
        declares.map(|(id, _)| id)
    }

    /// What the calls of its function pass for a parameter.
    fn arguments(&mut self, v: VarId, k: usize) -> Found {
        let unit = &self.parsed.unit;
        let name = &unit.vars[v].name;
        let Some(owner) = self.owner(v) else {
            return Err(format!("'{name}' is a parameter"));
        };
        let function = &unit.funcs[owner];
        if !function.is_static && function.name != "main" && !self.is_program() {
            return Err(format!(
                "'{name}' is a parameter of '{}', which other files can call",
                function.name
            ));
        }
        let mut passed = Vec::new();
        let mut mentions = 0usize;
        let mut calls = 0usize;
        for f in unit.funcs.values() {
            let Some(body) = &f.body else { continue };
            adjoin_front::walk::expressions(unit, body, &mut |e| match &e.kind {
                ExprKind::Func(g) if *g == owner => mentions += 1,
                ExprKind::Call { callee, args } if names(callee, owner) => {
                    calls += 1;
                    passed.extend(args.get(k));
                }
                _ => {}
            });
        }
        for global in unit.vars.values() {
            if matches!(
                global.storage,
                Storage::Global { .. } | Storage::StaticLocal(_)
            ) {
                mentions += mentioned(&global.init, owner);
            }
        }
        if mentions > calls {
            return Err(format!(
                "'{name}' is a parameter of '{}', which is called through a pointer",
                function.name
            ));
        }
        let mut found = BTreeSet::new();
        for e in passed {
            found.extend(self.expression(e)?);
        }
        Ok(found)
    }

    /// Does the text hold `main`, and so, most likely, all that there is?
    fn is_program(&self) -> bool {
        let mut funcs = self.parsed.unit.funcs.values();
        funcs.any(|f| f.name == "main" && f.body.is_some())
    }
}

fn is_variable(e: &Expr, v: VarId) -> bool {
    matches!(e.kind, ExprKind::Var(w) if w == v)
}

fn names(callee: &Expr, f: FuncId) -> bool {
    match &callee.kind {
        ExprKind::Func(g) => *g == f,
        ExprKind::Decay(inner) | ExprKind::AddrOf(inner) | ExprKind::Deref(inner) => {
            names(inner, f)
        }
        _ => false,
    }
}

/// How often an initialiser mentions a function.
fn mentioned(init: &Option<Init>, f: FuncId) -> usize {
    fn within(e: &Expr, f: FuncId) -> usize {
        let mut n = usize::from(matches!(e.kind, ExprKind::Func(g) if g == f));
        adjoin_front::walk::operands(e, &mut |x| n += within(x, f));
        n
    }
    match init {
        Some(Init::Expr(e)) => within(e, f),
        Some(Init::List(items)) => items.iter().map(|i| within(&i.value, f)).sum(),
        None => 0,
    }
}
