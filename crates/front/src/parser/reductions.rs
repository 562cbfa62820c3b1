//! `#pragma omp declare reduction(name : types : combiner) initializer(…)`: the expressions are read once for each type, with variables of that type.

use super::functions::FunctionState;
use super::scope::Binding;
use super::{Parser, Result};
use crate::ast::*;
use crate::token::{Symbol, T};
use adjoin_ir::CTy;
use cranelift_entity::EntityRef;
use std::collections::{HashMap, HashSet};

impl Parser<'_> {
    /// Is a directive such a declaration? (At its first token.)
    pub(crate) fn declares_reduction(&self) -> bool {
        self.at(T::PragmaOmp)
            && self.bytes(self.ahead(1).span) == b"declare"
            && self.bytes(self.ahead(2).span) == b"reduction"
    }

    /// The whole directive. What is wrong with it has been said.
    pub(crate) fn declare_reduction(&mut self) {
        self.pos += 3;
        if self.declared_reduction().is_err() {
            self.skip_pragma();
        } else {
            self.accept(T::PragmaEnd);
        }
    }

    fn declared_reduction(&mut self) -> Result<()> {
        let open = self.expect(T::LParen)?;
        let mut name = String::new();
        while !matches!(self.kind(), T::Colon | T::PragmaEnd | T::Eof) {
            let token = self.advance();
            name.push_str(&String::from_utf8_lossy(self.bytes(token.span)));
        }
        self.expect(T::Colon)?;
        let mut types = Vec::new();
        loop {
            let (ty, _) = self.type_name()?;
            types.push(self.sema.unit.types.unqualified(ty));
            if !self.accept(T::Comma) {
                break;
            }
        }
        self.expect(T::Colon)?;
        let start = self.pos;
        for ty in types {
            self.pos = start;
            let around = self.function.take();
            self.function = Some(nowhere(self.sema.unit.types.void()));
            self.scopes.push();
            let read = self.reduction_of(name.clone(), ty, open);
            self.scopes.pop();
            self.function = around;
            let reduction = read?;
            self.sema.unit.reductions.push(reduction);
        }
        Ok(())
    }

    /// The combiner and the initialiser, for a type.
    fn reduction_of(&mut self, name: String, ty: CTy, open: Span) -> Result<DeclaredReduction> {
        let [output, input, private, original] =
            ["omp_out", "omp_in", "omp_priv", "omp_orig"].map(|n| self.reduction_variable(n, ty));
        let reads_original = self.mentioned("omp_orig").is_some();
        let combiner = self.expression()?;
        self.expect_close(T::RParen, open)?;
        let mut initialiser = None;
        if self.at(T::Ident) && self.bytes(self.span()) == b"initializer" {
            self.advance();
            let open = self.expect(T::LParen)?;
            let assigns = self.at(T::Ident)
                && self.bytes(self.span()) == b"omp_priv"
                && self.ahead(1).kind == T::Assign;
            if assigns {
                let span = self.span();
                self.pos += 2;
                let init = self.initialiser()?;
                let (init, _) = self.sema.initialiser(ty, init, false, span);
                self.sema.unit.vars[private].init = Some(init);
            } else {
                initialiser = Some(self.expression()?);
            }
            self.expect_close(T::RParen, open)?;
        }
        Ok(DeclaredReduction {
            name,
            ty,
            output,
            input,
            private,
            original,
            reads_original,
            combiner,
            initialiser,
        })
    }

    /// A variable of the expressions. Its name is bound if the directive mentions it.
    fn reduction_variable(&mut self, name: &str, ty: CTy) -> VarId {
        let span = self.span();
        let var = self.sema.unit.vars.push(VarDecl {
            name: name.to_string(),
            ty,
            storage: Storage::Auto,
            init: None,
            defined: true,
            thread_local: false,
            align: 0,
            address_taken: false,
            asm_name: None,
            attrs: Vec::new(),
            span,
        });
        if let Some(symbol) = self.mentioned(name) {
            self.scopes.bind(symbol, Binding::Var(var), span);
        }
        var
    }

    fn mentioned(&self, name: &str) -> Option<Symbol> {
        (0..)
            .map(|n| self.ahead(n))
            .take_while(|t| !matches!(t.kind, T::PragmaEnd | T::Eof))
            .find(|t| t.kind == T::Ident && self.bytes(t.span) == name.as_bytes())
            .map(|t| t.symbol)
    }
}

/// The expressions are no function's; what they make is automatic all the same.
fn nowhere(void: CTy) -> FunctionState {
    FunctionState {
        id: FuncId::new(0),
        name: String::new(),
        ret: void,
        labels: Vec::new(),
        label_names: HashMap::new(),
        local_labels: Vec::new(),
        loops: 0,
        switches: Vec::new(),
        undeclared: HashSet::new(),
    }
}
