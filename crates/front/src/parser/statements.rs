//! Statements. Labels and cases are markers in the list of a block, so a statement may push more than one entry.

use super::attributes::Attributes;
use super::functions::{Label, Switch};
use super::{Failed, Parser, Result};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::token::{T, Token};
use adjoin_ir::ctype::{Basic, CTypeKind};

impl Parser<'_> {
    /// The items of a block up to its `}`, which is read, too. Errors inside are reported and skipped.
    pub(super) fn block_items(&mut self, out: &mut Vec<Stmt>, open: Span) -> Result<()> {
        let local_labels = self.function.as_ref().map_or(0, |f| f.local_labels.len());
        let mut result = Ok(());
        while !self.at(T::RBrace) {
            if self.at(T::Eof) {
                result = self.expect_close(T::RBrace, open).map(|_| ());
                break;
            }
            let (start, depth) = (self.pos, self.depth);
            // A statement expression may stand inside a parameter list: what is open around it stays.
            let prototypes = (self.prototype_depth, self.parameters.len());
            let (scopes, open_records) = (self.scopes.depth(), self.open_records.len());
            if self.block_item(out).is_err() {
                if self.stopped || self.in_system {
                    result = Err(Failed);
                    break;
                }
                while self.scopes.depth() > scopes {
                    self.scopes.pop();
                }
                self.depth = depth;
                self.prototype_depth = prototypes.0;
                self.parameters.truncate(prototypes.1);
                self.open_records.truncate(open_records);
                self.recover_statement(start);
            }
            self.check_error_count();
            if self.pos == start && !self.at(T::RBrace) {
                self.advance();
            }
        }
        if let Some(function) = &mut self.function {
            function.local_labels.truncate(local_labels);
        }
        if result.is_ok() {
            self.advance();
        }
        result
    }

    fn block_item(&mut self, out: &mut Vec<Stmt>) -> Result<()> {
        if self.at(T::Label) {
            return self.local_labels();
        }
        if self.at(T::LBracket) && self.ahead(1).kind == T::LBracket {
            self.attributes(&mut Attributes::default())?;
        }
        if self.starts_declaration() {
            return self.declaration(out, false);
        }
        self.statement(out)
    }

    /// After an error: to the end of the statement, or to a block that belongs to it.
    fn recover_statement(&mut self, start: usize) {
        self.pos = self.pos.max(start);
        let first = self.tokens[start].kind;
        let is_for = first == T::For;
        // The block of a control statement is read on its own; braces elsewhere belong to what is wrong.
        let has_block = matches!(
            first,
            T::If | T::While | T::For | T::Switch | T::Do | T::Else
        );
        let mut parentheses = 0i32;
        for token in &self.tokens[start..self.pos] {
            match token.kind {
                T::LParen => parentheses += 1,
                T::RParen => parentheses -= 1,
                T::Semi | T::LBrace | T::RBrace if !is_for => parentheses = 0,
                _ => {}
            }
        }
        loop {
            match self.kind() {
                T::Semi if !is_for || parentheses <= 0 => {
                    self.advance();
                    return;
                }
                T::LBrace if !has_block => {
                    self.skip_balanced();
                    continue;
                }
                T::LBrace | T::RBrace | T::Eof => return,
                T::LParen => parentheses += 1,
                T::RParen => parentheses -= 1,
                T::PragmaOmp => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// A `;`. If it is missing at the end of a line, reading goes on as if it were there.
    pub(super) fn semicolon(&mut self) -> Result<Span> {
        if self.at(T::Semi) {
            return Ok(self.advance().span);
        }
        if self.is_unterminated(self.previous()) {
            // That was reported; the rest of the line is in the literal.
            return Ok(self.previous());
        }
        let failed = self.expected("';'");
        let previous = self.previous();
        if !self.at(T::Eof)
            && self.source.line(previous.start) != self.source.line(self.span().start)
        {
            return Ok(previous);
        }
        Err(failed)
    }

    /// Is it a literal without its closing quote?
    fn is_unterminated(&self, span: Span) -> bool {
        let text = self.bytes(span);
        match text.iter().find(|&&b| b == b'"' || b == b'\'') {
            Some(&quote) if !text[0].is_ascii_digit() => {
                text.last() != Some(&quote) || text.len() == 1
            }
            _ => false,
        }
    }

    /// Leaves the scopes opened since there were `depth`.
    fn close_scopes(&mut self, depth: u32) {
        while self.scopes.depth() > depth {
            self.scopes.pop();
        }
    }

    /// The statement that another one controls.
    pub(crate) fn substatement(&mut self) -> Result<Box<Stmt>> {
        let start = self.span();
        if self.starts_declaration() && !(self.at(T::Ident) && self.ahead(1).kind == T::Colon) {
            let diagnostic = Diagnostic::error(start, "a declaration cannot stand here")
                .label("a statement is expected")
                .help("put it in braces");
            self.report(diagnostic);
        }
        let mut statements = Vec::new();
        let scopes = self.scopes.depth();
        // A statement that another controls is a block (C99), also without braces.
        self.scopes.push();
        let result = self
            .utility_directives(&mut statements)
            .and_then(|()| self.block_item(&mut statements));
        self.close_scopes(scopes);
        result?;
        Ok(Box::new(match statements.len() {
            1 => statements.remove(0),
            0 => Stmt {
                kind: StmtKind::Null,
                span: start,
            },
            _ => Stmt {
                kind: StmtKind::Block(statements),
                span: start.to(self.previous()),
            },
        }))
    }

    /// One statement, with the labels before it.
    pub(super) fn statement(&mut self, out: &mut Vec<Stmt>) -> Result<()> {
        loop {
            let token = self.token();
            match token.kind {
                T::Case => self.case(out)?,
                T::Default => {
                    self.advance();
                    let colon = self.expect(T::Colon)?;
                    self.default_label(token.span);
                    out.push(Stmt {
                        kind: StmtKind::Default,
                        span: token.span.to(colon),
                    });
                }
                T::Ident if self.ahead(1).kind == T::Colon => {
                    self.pos += 2;
                    self.attributes(&mut Attributes::default())?;
                    let span = token.span.to(self.previous());
                    if let Some(label) = self.define_label(token) {
                        out.push(Stmt {
                            kind: StmtKind::Label(label),
                            span,
                        });
                    }
                }
                T::Attribute => self.attributes(&mut Attributes::default())?,
                T::LBracket if self.ahead(1).kind == T::LBracket => {
                    self.attributes(&mut Attributes::default())?
                }
                // A label may end a block, or (C23) stand before a declaration.
                T::RBrace if !out.is_empty() => return Ok(()),
                _ if matches!(
                    out.last().map(|s| &s.kind),
                    Some(StmtKind::Label(_) | StmtKind::Case(..) | StmtKind::Default)
                ) && self.starts_declaration() =>
                {
                    return self.declaration(out, false);
                }
                _ => break,
            }
        }
        self.enter()?;
        let statement = self.unlabelled(out)?;
        self.leave();
        out.extend(statement);
        Ok(())
    }

    fn unlabelled(&mut self, out: &mut Vec<Stmt>) -> Result<Option<Stmt>> {
        let token = self.token();
        let start = token.span;
        let kind = match token.kind {
            T::LBrace => {
                self.advance();
                self.scopes.push();
                let mut statements = Vec::new();
                let result = self.block_items(&mut statements, start);
                self.scopes.pop();
                result?;
                StmtKind::Block(statements)
            }
            T::Semi => {
                self.advance();
                StmtKind::Null
            }
            T::If => {
                let depth = self.scopes.depth();
                let statement = self.if_statement();
                self.close_scopes(depth);
                return statement.map(Some);
            }
            T::While => {
                self.advance();
                self.scopes.push();
                let cond = self.condition()?;
                let body = self.loop_body()?;
                self.scopes.pop();
                StmtKind::While { cond, body }
            }
            T::Do => {
                self.advance();
                self.scopes.push();
                let body = self.loop_body()?;
                self.expect(T::While)?;
                let cond = self.condition()?;
                self.scopes.pop();
                self.semicolon()?;
                StmtKind::DoWhile { body, cond }
            }
            T::For => self.for_statement()?,
            T::Switch => self.switch_statement()?,
            T::Goto => self.goto_statement()?,
            T::Break | T::Continue => {
                self.advance();
                self.semicolon()?;
                self.check_jump(token);
                if token.kind == T::Break {
                    StmtKind::Break
                } else {
                    StmtKind::Continue
                }
            }
            T::Return => return self.return_statement(out).map(Some),
            T::Asm => self.asm_statement()?,
            T::PragmaOmp => return self.omp_statement(),
            T::Else => {
                self.advance();
                return Err(self.report(
                    Diagnostic::error(start, "'else' without 'if'")
                        .label("no 'if' statement ends here"),
                ));
            }
            _ => {
                let e = self.expression()?;
                self.semicolon()?;
                let e = self.sema.rvalue(e);
                StmtKind::Expr(e)
            }
        };
        Ok(Some(Stmt {
            kind,
            span: start.to(self.previous()),
        }))
    }

    /// `( condition )`
    fn condition(&mut self) -> Result<Expr> {
        let open = self.expect(T::LParen)?;
        let e = self.expression()?;
        self.expect_close(T::RParen, open)?;
        Ok(self.sema.condition(e))
    }

    /// An `if` with its chain of `else if`, which may be long: read in a loop.
    fn if_statement(&mut self) -> Result<Stmt> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        while self.at(T::If) {
            self.check_chain(arms.len() as u32)?;
            let start = self.advance().span;
            self.scopes.push();
            let cond = self.condition()?;
            let then = self.substatement()?;
            arms.push((start, cond, then));
            if !self.accept(T::Else) {
                break;
            }
            if !self.at(T::If) {
                otherwise = Some(self.substatement()?);
                break;
            }
        }
        let end = self.previous();
        while let Some((start, cond, then)) = arms.pop() {
            let statement = Stmt {
                kind: StmtKind::If {
                    cond,
                    then,
                    otherwise,
                },
                span: start.to(end),
            };
            if arms.is_empty() {
                return Ok(statement);
            }
            otherwise = Some(Box::new(statement));
        }
        Err(self.expected("'if'"))
    }

    pub(crate) fn loop_body(&mut self) -> Result<Box<Stmt>> {
        if let Some(function) = &mut self.function {
            function.loops += 1;
        }
        let body = self.substatement();
        if let Some(function) = &mut self.function {
            function.loops -= 1;
        }
        body
    }

    fn for_statement(&mut self) -> Result<StmtKind> {
        self.advance();
        let open = self.expect(T::LParen)?;
        self.scopes.push();
        let mut init = Vec::new();
        if self.starts_declaration() {
            self.declaration(&mut init, false)?;
        } else if !self.accept(T::Semi) {
            let e = self.expression()?;
            self.expect(T::Semi)?;
            let e = self.sema.rvalue(e);
            let span = e.span;
            init.push(Stmt {
                kind: StmtKind::Expr(e),
                span,
            });
        }
        let cond = if self.at(T::Semi) {
            None
        } else {
            let e = self.expression()?;
            Some(self.sema.condition(e))
        };
        self.expect(T::Semi)?;
        let step = if self.at(T::RParen) {
            None
        } else {
            let e = self.expression()?;
            Some(self.sema.rvalue(e))
        };
        self.expect_close(T::RParen, open)?;
        let body = self.loop_body()?;
        self.scopes.pop();
        Ok(StmtKind::For {
            init,
            cond,
            step,
            body,
        })
    }

    fn switch_statement(&mut self) -> Result<StmtKind> {
        self.advance();
        let open = self.expect(T::LParen)?;
        self.scopes.push();
        let e = self.expression()?;
        self.expect_close(T::RParen, open)?;
        let value = self.sema.switch_value(e);
        if let Some(function) = &mut self.function {
            function.switches.push(Switch {
                ty: value.ty,
                cases: Vec::new(),
                default: None,
            });
        }
        let body = self.substatement();
        let switch = self.function.as_mut().and_then(|f| f.switches.pop());
        let body = body?;
        self.scopes.pop();
        if let Some(mut switch) = switch {
            switch.cases.sort_by_key(|c| c.0);
            for pair in switch.cases.windows(2) {
                if pair[0].1 >= pair[1].0 {
                    self.report(
                        Diagnostic::error(pair[1].2, "duplicate case value")
                            .related(pair[0].2, "the same value is here"),
                    );
                }
            }
        }
        Ok(StmtKind::Switch { value, body })
    }

    fn case(&mut self, out: &mut Vec<Stmt>) -> Result<()> {
        let start = self.advance().span;
        let low = self.conditional()?;
        let high = if self.accept(T::Ellipsis) {
            Some(self.conditional()?)
        } else {
            None
        };
        let span = start.to(self.expect(T::Colon)?);
        let Some(ty) = self
            .function
            .as_ref()
            .and_then(|f| f.switches.last())
            .map(|s| s.ty)
        else {
            self.report(
                Diagnostic::error(span, "'case' outside of a switch")
                    .label("no 'switch' encloses it"),
            );
            return Ok(());
        };
        let basic = self.sema.unit.types.arithmetic(ty).unwrap_or(Basic::Int);
        let Some(low) = self.case_value(&low, basic) else {
            return Ok(());
        };
        let high = match high {
            None => low,
            Some(high) => match self.case_value(&high, basic) {
                Some(high) => high,
                None => return Ok(()),
            },
        };
        if high < low {
            self.warn(Diagnostic::error(span, "the range of the case is empty"));
            return Ok(());
        }
        if let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) {
            switch.cases.push((low, high, span));
        }
        out.push(Stmt {
            kind: StmtKind::Case(low, high),
            span,
        });
        Ok(())
    }

    fn case_value(&mut self, e: &Expr, basic: Basic) -> Option<i128> {
        let value = self.sema.const_int(e);
        if value.is_none() && !self.sema.is_error(e) {
            self.report(
                Diagnostic::error(e.span, "the value of a case must be an integer constant")
                    .label("not a constant"),
            );
        }
        value.map(|v| wrapped(v, basic))
    }

    fn default_label(&mut self, span: Span) {
        let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else {
            self.report(
                Diagnostic::error(span, "'default' outside of a switch")
                    .label("no 'switch' encloses it"),
            );
            return;
        };
        if let Some(before) = switch.default.replace(span) {
            self.report(
                Diagnostic::error(span, "more than one 'default' in a switch")
                    .related(before, "the first one"),
            );
        }
    }

    fn check_jump(&mut self, token: Token) {
        let Some(function) = &self.function else {
            return;
        };
        let allowed =
            function.loops > 0 || (token.kind == T::Break && !function.switches.is_empty());
        if !allowed {
            let (word, what) = if token.kind == T::Break {
                ("break", "loop or switch")
            } else {
                ("continue", "loop")
            };
            self.report(
                Diagnostic::error(token.span, format!("'{word}' outside of a {what}"))
                    .label(format!("no {what} encloses it")),
            );
        }
    }

    fn return_statement(&mut self, out: &mut Vec<Stmt>) -> Result<Stmt> {
        let start = self.advance().span;
        let ret = self.function.as_ref().map(|f| f.ret);
        let value = if self.at(T::Semi) {
            None
        } else {
            Some(self.expression()?)
        };
        let span = start.to(self.semicolon()?);
        let Some(ret) = ret else { return Err(Failed) };
        let returns_void = matches!(self.sema.unit.types.shape(ret), CTypeKind::Void);
        let kind = match value {
            Some(value) if returns_void => {
                let is_void = matches!(self.sema.unit.types.shape(value.ty), CTypeKind::Void);
                if !is_void && !self.sema.is_error(&value) {
                    self.warn(Diagnostic::error(
                        value.span,
                        "'return' with a value in a function that returns void",
                    ));
                }
                let value = self.sema.rvalue(value);
                let span = value.span;
                out.push(Stmt {
                    kind: StmtKind::Expr(value),
                    span,
                });
                StmtKind::Return(None)
            }
            Some(value) => {
                let ret = self.sema.unit.types.unqualified(ret);
                StmtKind::Return(Some(self.sema.convert(value, ret, "the returned value")))
            }
            None => {
                if !returns_void {
                    self.warn(Diagnostic::error(
                        span,
                        "'return' without a value in a function that returns one",
                    ));
                }
                StmtKind::Return(None)
            }
        };
        // In `if (x) return f();` of a void function both statements must stay together: the caller makes a block of them.
        Ok(Stmt { kind, span })
    }

    fn goto_statement(&mut self) -> Result<StmtKind> {
        self.advance();
        if self.accept(T::Star) {
            let target = self.expression()?;
            self.semicolon()?;
            let target = self.sema.rvalue(target);
            return Ok(StmtKind::GotoComputed(target));
        }
        let name = self.identifier()?;
        self.semicolon()?;
        match self.label(name) {
            Some(label) => Ok(StmtKind::Goto(label)),
            None => Err(Failed),
        }
    }

    /// The label of this name in the function; made on first mention.
    pub(super) fn label(&mut self, name: Token) -> Option<LabelId> {
        let text = self.name(name.symbol).into_owned();
        let function = self.function.as_mut()?;
        if let Some(&(_, _, label)) = function
            .local_labels
            .iter()
            .rev()
            .find(|l| l.1 == name.symbol)
        {
            function.labels[label as usize].mentioned = true;
            return Some(label);
        }
        if let Some(&label) = function.label_names.get(&name.symbol) {
            return Some(label);
        }
        let label = function.labels.len() as LabelId;
        function.labels.push(Label {
            name: text,
            span: name.span,
            defined: false,
            mentioned: true,
        });
        function.label_names.insert(name.symbol, label);
        Some(label)
    }

    fn define_label(&mut self, name: Token) -> Option<LabelId> {
        let label = self.label(name)?;
        let text = self.name(name.symbol).into_owned();
        let entry = &mut self.function.as_mut()?.labels[label as usize];
        if entry.defined {
            let before = entry.span;
            self.report(
                Diagnostic::error(name.span, format!("duplicate label '{text}'"))
                    .related(before, "the first one"),
            );
            return Some(label);
        }
        (entry.defined, entry.span) = (true, name.span);
        Some(label)
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Result<()> {
        self.advance();
        loop {
            let name = self.identifier()?;
            let text = self.name(name.symbol).into_owned();
            let depth = self.scopes.depth();
            if let Some(function) = &mut self.function {
                let label = function.labels.len() as LabelId;
                function.labels.push(Label {
                    name: text,
                    span: name.span,
                    defined: false,
                    mentioned: false,
                });
                function.local_labels.push((depth, name.symbol, label));
            }
            if !self.accept(T::Comma) {
                break;
            }
        }
        self.semicolon()?;
        Ok(())
    }

    /// `asm volatile ("…" : outputs : inputs : clobbers : labels);`
    fn asm_statement(&mut self) -> Result<StmtKind> {
        self.advance();
        while matches!(self.kind(), T::Volatile | T::Inline | T::Goto | T::Const) {
            self.advance();
        }
        let open = self.expect(T::LParen)?;
        let mut empty = true;
        while self.at(T::Str) {
            let span = self.advance().span;
            empty &= self
                .bytes(span)
                .iter()
                .filter(|&&b| b != b'"')
                .all(u8::is_ascii_whitespace);
        }
        let mut section = 0;
        while matches!(self.kind(), T::Colon) {
            self.advance();
            section += 1;
            while !matches!(self.kind(), T::Colon | T::RParen | T::Eof) {
                empty &= section == 3;
                self.asm_operand()?;
                if !self.accept(T::Comma) {
                    break;
                }
            }
        }
        self.expect_close(T::RParen, open)?;
        self.semicolon()?;
        Ok(StmtKind::Asm { empty })
    }

    /// `[name] "constraint" (expression)`, a clobber, or a label.
    fn asm_operand(&mut self) -> Result<()> {
        if let Some(open) = self.at(T::LBracket).then(|| self.advance().span) {
            self.identifier()?;
            self.expect_close(T::RBracket, open)?;
        }
        if self.at(T::Ident) {
            let name = self.advance();
            self.label(name);
            return Ok(());
        }
        if !self.at(T::Str) {
            return Err(self.expected("an operand of the assembly"));
        }
        while self.at(T::Str) {
            self.advance();
        }
        if let Some(open) = self.at(T::LParen).then(|| self.advance().span) {
            self.expression()?;
            self.expect_close(T::RParen, open)?;
        }
        Ok(())
    }
}

/// A value converted to an integer type.
fn wrapped(value: i128, basic: Basic) -> i128 {
    let bits = basic.size() as u32 * 8;
    if bits >= 128 {
        return value;
    }
    let low = value & ((1i128 << bits) - 1);
    if basic.is_signed() && low >> (bits - 1) != 0 {
        low - (1i128 << bits)
    } else {
        low
    }
}
