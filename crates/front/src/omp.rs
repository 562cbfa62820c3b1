//! OpenMP directives: words, clauses (with the C expression parser), and the statement they apply to.
//!
//! Directives that only declare (`declare simd`, `requires`, …) never get here: the lexer keeps their text in [`Unit::pragmas`]. Of them
//! `declare reduction` is also read (`parser/reductions`).

use crate::ast::*;
use crate::diag::Diagnostic;
use crate::parser::{Parser, Result, edit_distance};
use crate::token::{T, Token};
use adjoin_ir::ctype::Basic;

/// Directives of one word or more, those that contain others first by length when matching. Combined ones are built from parts.
const DIRECTIVES: &[&str] = &[
    "allocate",
    "assume",
    "atomic",
    "barrier",
    "cancel",
    "cancellation point",
    "critical",
    "depobj",
    "dispatch",
    "distribute",
    "distribute parallel for",
    "distribute parallel for simd",
    "distribute simd",
    "error",
    "flush",
    "for",
    "for simd",
    "interop",
    "loop",
    "masked",
    "masked taskloop",
    "masked taskloop simd",
    "master",
    "master taskloop",
    "master taskloop simd",
    "metadirective",
    "nothing",
    "ordered",
    "parallel",
    "parallel for",
    "parallel for simd",
    "parallel loop",
    "parallel masked",
    "parallel masked taskloop",
    "parallel masked taskloop simd",
    "parallel master",
    "parallel master taskloop",
    "parallel master taskloop simd",
    "parallel sections",
    "scan",
    "scope",
    "section",
    "sections",
    "simd",
    "single",
    "target",
    "target data",
    "target enter data",
    "target exit data",
    "target parallel",
    "target parallel for",
    "target parallel for simd",
    "target parallel loop",
    "target simd",
    "target teams",
    "target teams distribute",
    "target teams distribute parallel for",
    "target teams distribute parallel for simd",
    "target teams distribute simd",
    "target teams loop",
    "target update",
    "task",
    "taskgroup",
    "taskloop",
    "taskloop simd",
    "taskwait",
    "taskyield",
    "teams",
    "teams distribute",
    "teams distribute parallel for",
    "teams distribute parallel for simd",
    "teams distribute simd",
    "teams loop",
    "threadprivate",
    "tile",
    "unroll",
];

/// Directives that stand alone.
const WITHOUT_BODY: &[&str] = &[
    "allocate",
    "barrier",
    "cancel",
    "cancellation point",
    "depobj",
    "error",
    "flush",
    "interop",
    "nothing",
    "scan",
    "target enter data",
    "target exit data",
    "target update",
    "taskwait",
    "taskyield",
    "threadprivate",
];

/// Clauses whose arguments are words.
const WORD_CLAUSES: &[&str] = &[
    "atomic_default_mem_order",
    "at",
    "bind",
    "default",
    "defaultmap",
    "fail",
    "message",
    "order",
    "proc_bind",
    "severity",
    "update",
    "when",
];

/// Clauses whose arguments are expressions rather than lists of variables.
const EXPRESSION_CLAUSES: &[&str] = &[
    "collapse",
    "device",
    "filter",
    "final",
    "full",
    "grainsize",
    "hint",
    "if",
    "num_tasks",
    "num_teams",
    "num_threads",
    "ordered",
    "partial",
    "priority",
    "safelen",
    "simdlen",
    "sizes",
    "thread_limit",
    "nocontext",
    "novariants",
];

impl Parser<'_> {
    /// Skips a directive.
    pub(crate) fn skip_pragma(&mut self) {
        while !matches!(self.kind(), T::PragmaEnd | T::Eof) {
            self.advance();
        }
        self.accept(T::PragmaEnd);
    }

    /// A directive between declarations.
    pub(crate) fn omp_at_file_scope(&mut self) -> Result<()> {
        if self.declares_reduction() {
            self.declare_reduction();
            return Ok(());
        }
        // What is wrong with a directive has been said; what follows it is read as if it were not there.
        let Ok(directive) = self.omp_directive() else {
            return Ok(());
        };
        if !matches!(
            directive.directive.as_str(),
            "threadprivate" | "allocate" | "nothing" | "error"
        ) {
            let span = self.previous();
            self.report(
                Diagnostic::error(
                    span,
                    format!(
                        "'#pragma omp {}' must stand inside a function",
                        directive.directive
                    ),
                )
                .label("no statement for it here"),
            );
        }
        Ok(())
    }

    /// Before a statement that another one controls: `nothing` and `error` stand between the two without being one. What an `error` says has to stay.
    pub(crate) fn utility_directives(&mut self, out: &mut Vec<Stmt>) -> Result<()> {
        while self.at(T::PragmaOmp) {
            let word = self.bytes(self.ahead(1).span);
            if word != b"nothing" && word != b"error" {
                return Ok(());
            }
            let statement = self.omp_statement()?;
            out.extend(statement.filter(|s| matches!(s.kind, StmtKind::Omp(_))));
        }
        Ok(())
    }

    /// A directive among statements, with its body.
    pub(crate) fn omp_statement(&mut self) -> Result<Option<Stmt>> {
        let start = self.span();
        if self.declares_reduction() {
            self.declare_reduction();
            return Ok(None);
        }
        let Ok(mut omp) = self.omp_directive() else {
            return Ok(None);
        };
        let name = omp.directive.as_str();
        let stand_alone = WITHOUT_BODY.contains(&name)
            || (name == "ordered"
                && omp
                    .clauses
                    .iter()
                    .any(|c| c.name == "depend" || c.name == "doacross"));
        if name == "threadprivate" || name == "nothing" {
            // The effect of the former is on the variables.
            return Ok(Some(Stmt {
                kind: StmtKind::Null,
                span: start.to(self.previous()),
            }));
        }
        if !stand_alone {
            if self.at(T::RBrace) || self.at(T::Eof) {
                return Err(self.report(
                    Diagnostic::error(
                        start,
                        format!("'#pragma omp {name}' is not followed by a statement"),
                    )
                    .label("nothing to apply it to"),
                ));
            }
            let section = name == "section";
            let mut body = self.substatement()?;
            if section {
                body = Box::new(self.rest_of_section(*body)?);
            }
            omp.body = Some(body);
        }
        Ok(Some(Stmt {
            kind: StmtKind::Omp(omp),
            span: start.to(self.previous()),
        }))
    }

    /// Since OpenMP 5.1 a section is a sequence of statements, up to the next section or the end of the block.
    fn rest_of_section(&mut self, first: Stmt) -> Result<Stmt> {
        let start = first.span;
        let mut statements = vec![first];
        while !matches!(self.kind(), T::RBrace | T::Eof) {
            if self.at(T::PragmaOmp) && self.bytes(self.ahead(1).span) == b"section" {
                break;
            }
            let next = self.substatement()?;
            statements.push(*next);
        }
        if statements.len() == 1 {
            return Ok(statements.remove(0));
        }
        let span = start.to(self.previous());
        Ok(Stmt {
            kind: StmtKind::Block(statements),
            span,
        })
    }

    /// The directive's line. On an error the rest of the line is skipped.
    fn omp_directive(&mut self) -> Result<Omp> {
        let start = self.advance().span;
        let result = self.omp_line(start);
        match &result {
            Ok(_) => {
                self.accept(T::PragmaEnd);
            }
            Err(_) => self.skip_pragma(),
        }
        result
    }

    fn word(&self, token: Token) -> String {
        String::from_utf8_lossy(self.bytes(token.span)).into_owned()
    }

    fn is_word(&self, token: Token) -> bool {
        self.bytes(token.span)
            .first()
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && token.kind != T::Str
    }

    fn omp_line(&mut self, start: Span) -> Result<Omp> {
        // The longest known directive that the words start with.
        let mut directive = String::new();
        let (mut known, mut words) = (0, 0);
        let mut text = String::new();
        while words < 7 && self.is_word(self.ahead(words)) {
            if words > 0 {
                text.push(' ');
            }
            text.push_str(&self.word(self.ahead(words)));
            words += 1;
            if DIRECTIVES.contains(&text.as_str()) {
                (known, directive) = (words, text.clone());
            }
        }
        if known == 0 {
            let span = start.to(self.span());
            let first = text.split(' ').next().unwrap_or("");
            let mut diagnostic =
                Diagnostic::error(span, format!("unknown OpenMP directive '{first}'"))
                    .label("not a directive that is known");
            let near = |d: &&&str| edit_distance(first.as_bytes(), d.as_bytes(), 2) <= 2;
            if let Some(near) = DIRECTIVES.iter().find(near) {
                diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
            }
            return Err(self.report(diagnostic));
        }
        self.pos += known;
        let mut omp = Omp {
            directive,
            clauses: Vec::new(),
            body: None,
        };
        if self.at(T::LParen)
            && matches!(
                omp.directive.as_str(),
                "critical" | "flush" | "threadprivate" | "allocate" | "depobj"
            )
        {
            let clause = self.omp_own_list(&omp.directive)?;
            omp.clauses.push(clause);
        }
        while !matches!(self.kind(), T::PragmaEnd | T::Eof) {
            if self.accept(T::Comma) {
                continue;
            }
            let clause = self.omp_clause()?;
            self.sema.unit.compares |= omp.directive == "atomic" && clause.name == "compare";
            omp.clauses.push(clause);
        }
        Ok(omp)
    }

    /// The list in parentheses after the directive's name.
    fn omp_own_list(&mut self, directive: &str) -> Result<OmpClause> {
        let open = self.advance().span;
        let mut args = Vec::new();
        while !matches!(self.kind(), T::RParen | T::PragmaEnd | T::Eof) {
            if self.accept(T::Comma) {
                continue;
            }
            let token = self.token();
            if directive == "critical" {
                args.push(OmpArg::Word(self.word(token)));
                self.advance();
                continue;
            }
            let argument = self.omp_item()?;
            if directive == "threadprivate" {
                match argument {
                    OmpArg::Var(var, _) => self.sema.unit.vars[var].thread_local = true,
                    _ => {
                        self.error(token.span, "'threadprivate' needs the names of variables");
                    }
                }
            }
            args.push(argument);
        }
        let close = self.expect_close(T::RParen, open)?;
        let name = if directive == "critical" {
            "(name)"
        } else {
            "(list)"
        };
        Ok(OmpClause {
            name: name.to_string(),
            modifiers: Vec::new(),
            args,
            tail: None,
            span: open.to(close),
        })
    }

    fn omp_clause(&mut self) -> Result<OmpClause> {
        let token = self.token();
        if !self.is_word(token) {
            return Err(self.expected("an OpenMP clause"));
        }
        self.advance();
        let name = self.word(token);
        let mut clause = OmpClause {
            name,
            modifiers: Vec::new(),
            args: Vec::new(),
            tail: None,
            span: token.span,
        };
        if !self.at(T::LParen) {
            return Ok(clause);
        }
        let open = self.advance().span;
        self.omp_arguments(&mut clause)?;
        let close = self.expect_close(T::RParen, open)?;
        clause.span = token.span.to(close);
        Ok(clause)
    }

    fn omp_arguments(&mut self, clause: &mut OmpClause) -> Result<()> {
        match clause.name.as_str() {
            name if WORD_CLAUSES.contains(&name) => {
                self.omp_words(clause);
                Ok(())
            }
            "schedule" | "dist_schedule" => self.omp_schedule(clause),
            "reduction" | "in_reduction" | "task_reduction" => {
                self.omp_reduction_operator(clause)?;
                self.omp_list(clause)
            }
            "linear" => self.omp_linear(clause),
            "depend" | "doacross" => self.omp_depend(clause),
            name if EXPRESSION_CLAUSES.contains(&name) => {
                self.omp_modifiers(clause);
                loop {
                    let e = self.assignment()?;
                    clause.args.push(OmpArg::Expr(self.sema.rvalue(e)));
                    // `num_teams(least : most)`
                    if !self.accept(T::Comma) && !self.accept(T::Colon) {
                        return Ok(());
                    }
                }
            }
            _ => {
                self.omp_modifiers(clause);
                self.omp_list(clause)
            }
        }
    }

    /// Everything up to the closing parenthesis as words; a colon makes what precedes it modifiers.
    fn omp_words(&mut self, clause: &mut OmpClause) {
        let mut depth = 0;
        let mut words = Vec::new();
        while !matches!(self.kind(), T::PragmaEnd | T::Eof) {
            match self.kind() {
                T::LParen => depth += 1,
                T::RParen if depth == 0 => break,
                T::RParen => depth -= 1,
                T::Colon if depth == 0 => {
                    clause.modifiers.append(&mut words);
                    self.advance();
                    continue;
                }
                T::Comma => {
                    self.advance();
                    continue;
                }
                _ => {}
            }
            let token = self.advance();
            words.push(self.word(token));
        }
        clause.args.extend(words.into_iter().map(OmpArg::Word));
    }

    /// Words before a colon that is not part of an expression: `parallel:`, `monotonic, simd:`, `always, to:`, `iterator(…), in:`.
    fn omp_modifiers(&mut self, clause: &mut OmpClause) {
        let mut n = 0;
        let mut depth = 0;
        // Only words, commas and parenthesised things may precede the colon.
        loop {
            let token = self.ahead(n);
            match token.kind {
                T::LParen => depth += 1,
                T::RParen if depth > 0 => depth -= 1,
                T::Colon if depth == 0 => break,
                T::Comma => {}
                T::PragmaEnd | T::Eof | T::RParen => return,
                _ if depth > 0 || self.is_word(token) => {}
                _ => return,
            }
            n += 1;
        }
        // `aligned(x: 8)`, `linear(x: 2)`, `allocate(a: x)`: what precedes the colon there is a list if it names variables.
        if matches!(
            clause.name.as_str(),
            "aligned" | "linear" | "inclusive" | "exclusive"
        ) {
            return;
        }
        let mut word = String::new();
        for _ in 0..n {
            let token = self.advance();
            if token.kind == T::Comma {
                clause.modifiers.push(std::mem::take(&mut word));
            } else {
                word.push_str(&self.word(token));
            }
        }
        clause.modifiers.push(word);
        self.advance();
    }

    fn omp_schedule(&mut self, clause: &mut OmpClause) -> Result<()> {
        self.omp_modifiers(clause);
        let token = self.token();
        if !self.is_word(token) {
            return Err(self.expected("a kind of schedule"));
        }
        self.advance();
        clause.args.push(OmpArg::Word(self.word(token)));
        if self.accept(T::Comma) {
            let e = self.assignment()?;
            clause.args.push(OmpArg::Expr(self.sema.rvalue(e)));
        }
        Ok(())
    }

    /// `+:`, `&&:`, `max:`, `task, +:`
    fn omp_reduction_operator(&mut self, clause: &mut OmpClause) -> Result<()> {
        let mut word = String::new();
        loop {
            let token = self.token();
            match token.kind {
                T::Colon => {
                    clause.modifiers.push(word);
                    self.advance();
                    return Ok(());
                }
                T::Comma => clause.modifiers.push(std::mem::take(&mut word)),
                T::RParen | T::PragmaEnd | T::Eof => {
                    return Err(self.expected("':' after the operator of the reduction"));
                }
                _ => word.push_str(&self.word(token)),
            }
            self.advance();
        }
    }

    /// `linear(x, y: step)`, `linear(val(x): step)`.
    fn omp_linear(&mut self, clause: &mut OmpClause) -> Result<()> {
        if self.ahead(1).kind == T::LParen
            && matches!(self.bytes(self.span()), b"val" | b"ref" | b"uval")
        {
            let token = self.advance();
            clause.modifiers.push(self.word(token));
            let open = self.advance().span;
            self.omp_items(clause)?;
            self.expect_close(T::RParen, open)?;
        } else {
            self.omp_items(clause)?;
        }
        self.omp_tail(clause)
    }

    fn omp_depend(&mut self, clause: &mut OmpClause) -> Result<()> {
        let sink = matches!(self.bytes(self.span()), b"sink" | b"source");
        if sink {
            self.omp_words(clause);
            return Ok(());
        }
        self.omp_modifiers(clause);
        if clause.modifiers.iter().any(|m| m.starts_with("iterator")) {
            // The iterator's variables exist only in the list.
            self.omp_words(clause);
            return Ok(());
        }
        self.omp_items(clause)
    }

    fn omp_list(&mut self, clause: &mut OmpClause) -> Result<()> {
        self.omp_items(clause)?;
        self.omp_tail(clause)
    }

    fn omp_tail(&mut self, clause: &mut OmpClause) -> Result<()> {
        if self.accept(T::Colon) {
            let e = self.assignment()?;
            clause.tail = Some(self.sema.rvalue(e));
        }
        Ok(())
    }

    fn omp_items(&mut self, clause: &mut OmpClause) -> Result<()> {
        loop {
            if matches!(self.kind(), T::RParen | T::PragmaEnd | T::Eof) {
                return Ok(());
            }
            let item = self.omp_item()?;
            clause.args.push(item);
            if !self.accept(T::Comma) {
                return Ok(());
            }
        }
    }

    /// A variable, an array section, another name, or an expression.
    fn omp_item(&mut self) -> Result<OmpArg> {
        let token = self.token();
        let ends = |kind: T| {
            matches!(
                kind,
                T::Comma | T::RParen | T::Colon | T::PragmaEnd | T::Eof
            )
        };
        if token.kind == T::Ident && ends(self.ahead(1).kind) && !self.names_variable(token.symbol)
        {
            self.advance();
            return Ok(OmpArg::Word(self.word(token)));
        }
        if token.kind != T::Ident {
            // Keywords are words here (`omp_cgroup_mem_alloc` is a name, but `default`, `for` are not).
            if self.is_word(token) && ends(self.ahead(1).kind) {
                self.advance();
                return Ok(OmpArg::Word(self.word(token)));
            }
            let e = self.assignment()?;
            return Ok(OmpArg::Expr(self.sema.rvalue(e)));
        }
        self.advance();
        let mut base = self.name_expression(token);
        if ends(self.kind()) {
            return Ok(match base.kind {
                ExprKind::Var(var) => OmpArg::Var(var, token.span),
                _ => OmpArg::Word(self.word(token)),
            });
        }
        let mut dimensions = Vec::new();
        loop {
            match self.kind() {
                T::LBracket => {
                    let open = self.advance().span;
                    dimensions.push(self.omp_dimension(open)?);
                }
                T::Dot | T::Arrow if dimensions.is_empty() => {
                    let arrow = self.advance().kind == T::Arrow;
                    let name = self.identifier()?;
                    let span = base.span.to(name.span);
                    let text = self.word(name);
                    base = self.sema.member(base, &text, arrow, span);
                }
                _ => break,
            }
        }
        if !ends(self.kind()) {
            return Err(self.expected("',' or ')'"));
        }
        Ok(if dimensions.is_empty() {
            OmpArg::Expr(base)
        } else {
            OmpArg::Section(base, dimensions)
        })
    }

    /// `lower : length ]`; an element `i` is a section of length 1.
    fn omp_dimension(&mut self, open: Span) -> Result<(Option<Expr>, Option<Expr>)> {
        let lower = if self.at(T::Colon) {
            None
        } else {
            Some(self.assignment()?)
        };
        let lower = lower.map(|e| self.sema.rvalue(e));
        let length = if self.accept(T::Colon) {
            let length = if matches!(self.kind(), T::RBracket | T::Colon) {
                None
            } else {
                Some(self.assignment()?)
            };
            if self.accept(T::Colon) {
                // A stride (`target update` only) is read and dropped by nobody: refuse it.
                let span = self.span();
                return Err(self.report(Diagnostic::error(
                    span,
                    "strides of array sections are not supported",
                )));
            }
            length.map(|e| self.sema.rvalue(e))
        } else {
            let span = lower.as_ref().map_or(open, |e| e.span);
            Some(self.sema.int_const(1, Basic::Int, span))
        };
        self.expect_close(T::RBracket, open)?;
        Ok((lower, length))
    }
}
