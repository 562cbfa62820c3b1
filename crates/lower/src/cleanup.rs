//! Variables with a cleanup function (`__attribute__((cleanup(f)))`): it is called with their address wherever control leaves their scope, last variable first.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::VarId;
use adjoin_ir::{CTypeKind, CallAttr, Op};

impl FunctionLowerer<'_, '_> {
    /// Has a variable a cleanup function?
    pub fn has_cleanup(&self, var: VarId) -> bool {
        let mut attrs = self.unit.vars[var].attrs.iter();
        attrs.any(|a| a.name == "cleanup")
    }

    /// A variable has come to life.
    pub fn note_cleanup(&mut self, var: VarId) -> Lower<()> {
        let v = &self.unit.vars[var];
        let Some(attr) = v.attrs.iter().find(|a| a.name == "cleanup") else {
            return Ok(());
        };
        let named =
            |f: &&adjoin_front::ast::FuncId| attr.args.first() == Some(&self.unit.funcs[**f].name);
        let keys: Vec<_> = self.unit.funcs.keys().collect();
        match keys.iter().find(named) {
            Some(&f) => {
                self.cleanups.push((var, f));
                Ok(())
            }
            None => refuse(
                v.span,
                format!("'{}': its cleanup function is not known", v.name),
            ),
        }
    }

    /// The end of a scope where so many variables were alive before.
    pub fn end_scope(&mut self, alive: usize) -> Lower<()> {
        self.clean_up(alive)?;
        self.cleanups.truncate(alive);
        Ok(())
    }

    /// Control leaves for a place where only so many variables are alive.
    pub fn clean_up(&mut self, alive: usize) -> Lower<()> {
        for k in (alive..self.cleanups.len()).rev() {
            if self.dead {
                return Ok(());
            }
            let (var, f) = self.cleanups[k];
            let span = self.unit.vars[var].span;
            let address = self.variable(var, span)?;
            let CTypeKind::Function { ret, .. } = *self.m.types().shape(self.unit.funcs[f].ty)
            else {
                return refuse(span, "a cleanup function that is none");
            };
            let void = matches!(self.m.types().shape(ret), CTypeKind::Void);
            let func = self.m.function(f);
            let extra = Vec::new();
            if void {
                self.emit(Op::Call(CallAttr { func, extra }), vec![address]);
            } else {
                let ty = self.scalar_type(ret, span)?;
                let op = Op::Call(CallAttr { func, extra });
                self.value(op, vec![address], ty, Some(ret));
            }
        }
        Ok(())
    }
}
