//! Computed `goto` (`goto *p`, `&&label`): the address of a label is a number, and the jump a `switch` over the labels whose address is taken.
//!
//! A static table of labels is filled whenever the function is entered: nothing writes to it.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{
    Expr, ExprKind, FuncBody, FuncDecl, Init, LabelId, Span, Storage, Unit, VarId,
};
use adjoin_front::walk::{expressions, operands};
use adjoin_ir::{Case, Const, Op, SwitchAttr, Type, Value};
use std::collections::BTreeSet;

/// The labels of a function whose address is taken.
pub(crate) fn label_addresses(
    unit: &Unit,
    decl: &FuncDecl,
    definition: &FuncBody,
) -> BTreeSet<LabelId> {
    let mut found = BTreeSet::new();
    if definition.labels.is_empty() {
        return found;
    }
    expressions(unit, definition, &mut |e| {
        if let ExprKind::LabelAddr(l) = e.kind {
            found.insert(l);
        }
    });
    for v in tables(unit, decl) {
        labels_of(&unit.vars[v].init, &mut found);
    }
    found
}

/// The static variables of a function whose initialiser has addresses of labels.
fn tables(unit: &Unit, decl: &FuncDecl) -> Vec<VarId> {
    let mut funcs = unit.funcs.iter();
    let Some(this) = funcs.find_map(|(f, d)| std::ptr::eq(d, decl).then_some(f)) else {
        return Vec::new();
    };
    let vars = unit.vars.iter();
    let own = vars.filter(|(_, v)| v.storage == Storage::StaticLocal(this));
    own.filter(|(_, v)| {
        let mut found = BTreeSet::new();
        labels_of(&v.init, &mut found);
        !found.is_empty()
    })
    .map(|(v, _)| v)
    .collect()
}

fn labels_of(init: &Option<Init>, found: &mut BTreeSet<LabelId>) {
    match init {
        Some(Init::Expr(e)) => labels_in(e, found),
        Some(Init::List(items)) => items.iter().for_each(|i| labels_in(&i.value, found)),
        None => {}
    }
}

fn labels_in(e: &Expr, found: &mut BTreeSet<LabelId>) {
    if let ExprKind::LabelAddr(l) = e.kind {
        found.insert(l);
    }
    operands(e, &mut |x| labels_in(x, found));
}

/// The number that a label's address is.
fn number(label: LabelId) -> i128 {
    i128::from(label) + 1
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// `&&label`
    pub fn label_address(&mut self, label: LabelId, e: &Expr) -> Value {
        let constant = Const::Int(number(label));
        self.value(Op::Const(constant), vec![], Type::Ptr, Some(e.ty))
    }

    /// Fills static tables of labels where the function begins.
    pub fn label_tables(&mut self) -> Lower<()> {
        if self.label_addresses.is_empty() {
            return Ok(());
        }
        for var in tables(self.unit, self.decl) {
            let v = &self.unit.vars[var];
            let mut written = false;
            expressions(self.unit, self.definition, &mut |e| {
                let to = match &e.kind {
                    ExprKind::Assign(to, _)
                    | ExprKind::AssignOp { lhs: to, .. }
                    | ExprKind::AssignPtrAdd { lhs: to, .. }
                    | ExprKind::IncDec { lhs: to, .. } => to,
                    _ => return,
                };
                written |= is_part_of(to, var);
            });
            if written {
                return refuse(
                    v.span,
                    format!("'{}': a table of labels that is written to", v.name),
                );
            }
            self.at = v.span;
            let slot = self.new_slot(v.ty, Some(v.name.clone()), v.align);
            self.slots.insert(var, slot);
            if let Some(init) = &v.init {
                self.initialise(slot, v.ty, init)?;
            }
        }
        Ok(())
    }

    /// `goto *e`
    pub fn computed_goto(&mut self, e: &'a Expr, span: Span) -> Lower<()> {
        if !self.cleanups.is_empty() {
            return refuse(
                span,
                "this goto: a variable with a cleanup function is alive here",
            );
        }
        let v = self.rvalue(e)?;
        if self.dead {
            return Ok(());
        }
        let v = self.cast(v, Type::I64, None);
        let mut targets = Vec::new();
        for label in self.label_addresses.clone() {
            match self.labels.get(&label) {
                Some(&target) => targets.push((number(label), target)),
                None => {
                    return refuse(
                        span,
                        "this goto: it may leave or enter a parallel construct or an expression",
                    );
                }
            }
        }
        let one = |&(n, _): &(i128, _)| Case {
            values: vec![(n, n)],
            default: false,
        };
        let mut cases: Vec<Case> = targets.iter().map(one).collect();
        cases.push(Case {
            values: Vec::new(),
            default: true,
        });
        let inst = self.emit(Op::Switch(SwitchAttr { cases }), vec![v]);
        for (_, target) in targets {
            let region = self.body.add_region(inst);
            let old = self.enter(region);
            self.jump(target);
            self.leave(old);
        }
        let region = self.body.add_region(inst);
        let old = self.enter(region);
        self.terminate(Op::Unreachable, vec![]);
        self.leave(old);
        self.after(inst);
        Ok(())
    }
}

/// Is an lvalue part of a variable?
fn is_part_of(e: &Expr, var: VarId) -> bool {
    match &e.kind {
        ExprKind::Var(v) => *v == var,
        ExprKind::Index { base: x, .. }
        | ExprKind::Member { base: x, .. }
        | ExprKind::Deref(x)
        | ExprKind::Decay(x)
        | ExprKind::AddrOf(x)
        | ExprKind::PtrAdd { ptr: x, .. } => is_part_of(x, var),
        _ => false,
    }
}
