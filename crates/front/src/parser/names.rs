//! Names in expressions: looking them up, implicit declarations, and advice about misspellings.

use super::Parser;
use super::scope::Binding;
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::headers::header_of;
use crate::token::{Symbol, T, Token};
use adjoin_ir::ctype::CTypeKind;

impl Parser<'_> {
    /// An identifier as an expression; it has been read.
    pub(crate) fn name_expression(&mut self, token: Token) -> Expr {
        let span = token.span;
        match self
            .scopes
            .ordinary
            .get(token.symbol)
            .map(|e| (e.binding, e.span))
        {
            Some((Binding::Var(var), _)) => self.sema.var(var, span),
            Some((Binding::Func(function), _)) => {
                self.mark_used(function);
                self.sema.func(function, span)
            }
            Some((Binding::Constant(value, ty), _)) => self.sema.int_const(value, ty, span),
            Some((Binding::Parameter(index), _)) => {
                let var = self.parameter_variable(index, token.symbol);
                self.sema.var(var, span)
            }
            Some((Binding::Broken(index), declared)) => self.broken_name(index, token, declared),
            Some((Binding::Typedef(_), declared)) => {
                let name = self.name(token.symbol).into_owned();
                let diagnostic = Diagnostic::error(span, format!("unexpected type name '{name}'"))
                    .label("an expression is expected");
                let diagnostic = if declared == Span::default() {
                    diagnostic
                } else {
                    diagnostic.related(declared, "declared here")
                };
                self.sema.fail(diagnostic)
            }
            None => self.undeclared(token),
        }
    }

    /// Is it the name of a variable here? (A name that is nothing at all counts: it will be reported.)
    pub(crate) fn names_variable(&self, symbol: Symbol) -> bool {
        self.scopes
            .ordinary
            .get(symbol)
            .is_none_or(|e| matches!(e.binding, Binding::Var(_) | Binding::Parameter(_)))
    }

    fn broken_name(&mut self, index: u32, token: Token, declared: Span) -> Expr {
        let name = self.name(token.symbol).into_owned();
        let broken = &mut self.broken[index as usize];
        if std::mem::replace(&mut broken.reported, true) && !self.in_system {
            return self.sema.error_expr(token.span);
        }
        let reason = broken.reason.clone();
        self.sema.fail(
            Diagnostic::error(
                token.span,
                format!("'{name}' is declared in a system header in a way that cannot be read"),
            )
            .related(declared, "declared here")
            .related(reason.span, reason.message),
        )
    }

    fn undeclared(&mut self, token: Token) -> Expr {
        let name = self.name(token.symbol).into_owned();
        // A function that is known, but not in this scope (declared in another block, or implicitly).
        if self.at(T::LParen)
            && let Some(&Binding::Func(function)) = self.linked.get(&token.symbol)
        {
            self.mark_used(function);
            return self.sema.func(function, token.span);
        }
        if ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"]
            .iter()
            .any(|p| name.starts_with(p))
        {
            if let Some(function) = self.sema.builtin_function(&name, token.span) {
                return self.sema.func(function, token.span);
            }
            return self.sema.fail(
                Diagnostic::unsupported(token.span, format!("builtin '{name}' is not supported"))
                    .label("unknown builtin"),
            );
        }
        if self.at(T::LParen) {
            return self.implicit_function(token, name);
        }
        let first = self
            .function
            .as_mut()
            .is_none_or(|f| f.undeclared.insert(token.symbol));
        if !first {
            return self.sema.error_expr(token.span);
        }
        let mut diagnostic = Diagnostic::error(token.span, format!("'{name}' is not declared"))
            .label("no variable, function or constant of this name is visible");
        if let Some(header) = header_of(&name) {
            diagnostic = diagnostic.help(format!("it is declared in <{header}>: include that"));
        } else if let Some(similar) = self.similar_name(token.symbol, |b| {
            !matches!(b, Binding::Typedef(_) | Binding::Broken(_))
        }) {
            diagnostic = diagnostic.help(format!("did you mean '{similar}'?"));
        }
        self.sema.fail(diagnostic)
    }

    /// A call of a name that is not declared: C90's `int f()`.
    fn implicit_function(&mut self, token: Token, name: String) -> Expr {
        let mut diagnostic = Diagnostic::error(
            token.span,
            format!("implicit declaration of function '{name}'"),
        )
        .label(format!("taken as 'int {name}()'"));
        if let Some(header) = header_of(&name) {
            diagnostic = diagnostic.help(format!("it is declared in <{header}>: include that"));
        } else if let Some(similar) =
            self.similar_name(token.symbol, |b| matches!(b, Binding::Func(_)))
        {
            diagnostic = diagnostic.help(format!("did you mean '{similar}'?"));
        } else {
            diagnostic = diagnostic.help("include the header that declares it, or declare it");
        }
        self.warn(diagnostic);
        let ret = self.int();
        let ty = self.sema.unit.types.intern(CTypeKind::Function {
            ret,
            params: Vec::new(),
            variadic: false,
            prototyped: false,
        });
        let function = self.sema.unit.funcs.push(FuncDecl {
            name,
            ty,
            params: Vec::new(),
            is_static: false,
            inline: false,
            noreturn: false,
            attrs: vec![Attr {
                name: "implicit".into(),
                args: Vec::new(),
            }],
            span: token.span,
            body: None,
        });
        self.linked.insert(token.symbol, Binding::Func(function));
        self.mark_used(function);
        self.sema.func(function, token.span)
    }

    /// A visible name that differs little from this one.
    pub(super) fn similar_name(
        &self,
        symbol: Symbol,
        wanted: impl Fn(Binding) -> bool,
    ) -> Option<String> {
        let name = self.name(symbol);
        if name.len() < 3 || self.sema.diags.len() > 100 {
            return None;
        }
        let limit = (name.len() / 4).max(1);
        let mut best: Option<(usize, String)> = None;
        for entry in self.scopes.ordinary.entries().iter().rev() {
            if !wanted(entry.binding) || entry.symbol == symbol {
                continue;
            }
            let other = self.name(entry.symbol);
            if other.len().abs_diff(name.len()) > limit {
                continue;
            }
            let distance = edit_distance(name.as_bytes(), other.as_bytes(), limit);
            if distance <= limit && best.as_ref().is_none_or(|b| distance < b.0) {
                best = Some((distance, other.into_owned()));
            }
        }
        best.map(|b| b.1)
    }
}

/// Insertions, deletions, replacements and swaps from one word to the other; more than `limit` if that is exceeded.
pub(crate) fn edit_distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    let mut rows = [
        vec![0; b.len() + 1],
        (0..=b.len()).collect::<Vec<usize>>(),
        vec![0; b.len() + 1],
    ];
    for i in 1..=a.len() {
        rows[2][0] = i;
        for j in 1..=b.len() {
            let replace = rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(rows[1][j] + 1).min(rows[2][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[0][j - 2] + 1);
            }
            rows[2][j] = least;
        }
        if rows[2].iter().min().is_some_and(|&m| m > limit) {
            return limit + 1;
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}
