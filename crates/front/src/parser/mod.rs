//! The parser: recursive descent over the tokens, typing as it goes by calling [`crate::sema`].
//!
//! A syntax error is reported where it is found and travels as `Err(Failed)` to the next statement or declaration, where reading
//! resumes. Errors of meaning do not stop anything. In system headers errors are silent: the names that a declaration would
//! have declared are *broken*, and using one is the error. Bodies of functions in system headers are read only if the
//! function is used (or if [`crate::Options::all_bodies`] asks for it).

mod attributes;
mod builtins;
mod declarations;
mod declarators;
mod expressions;
mod functions;
mod initialisers;
mod names;
mod primary;
mod reductions;
mod scope;
mod specifiers;
mod statements;
mod tags;

pub(crate) use names::edit_distance;

use crate::Options;
use crate::ast::*;
use crate::diag::{Diagnostic, Severity};
use crate::lexer::Lexed;
use crate::sema::Sema;
use crate::source::SourceMap;
use crate::token::{Hasher, Symbol, T, Token};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Record};
use declarators::Parameter;
use functions::{FunctionState, PendingBody};
use scope::{Binding, Scopes};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A syntax error that has been reported.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failed;

pub(crate) type Result<T> = std::result::Result<T, Failed>;

/// Levels of parentheses, braces, declarators, operators and statements.
const MAX_DEPTH: u32 = 1500;
/// Operators in one chain such as `a + a + …`, links in an `else if` chain: each is a level of the tree.
pub(crate) const MAX_CHAIN: u32 = 10_000;
const MAX_ERRORS: usize = 50;

/// A declaration that could not be read.
#[derive(Debug)]
struct Broken {
    reason: Diagnostic,
    is_type: bool,
    reported: bool,
}

pub(crate) struct Parser<'t> {
    text: &'t [u8],
    source: &'t SourceMap,
    tokens: Vec<Token>,
    lexed_names: crate::token::Interner<'t>,
    packs: Vec<(u32, u64)>,
    options: Options,
    pub(crate) pos: usize,
    depth: u32,
    /// After too many errors or too deep nesting: everything reads as the end of the file, and nothing more is reported.
    stopped: bool,
    reported_eof: bool,
    pub(crate) sema: Sema,
    scopes: Scopes,
    /// Functions and variables with linkage, wherever they were declared.
    linked: HashMap<Symbol, Binding, Hasher>,
    /// Functions with clang's attribute `overloadable`.
    overloads: HashMap<Symbol, Vec<FuncId>, Hasher>,
    broken: Vec<Broken>,
    /// In a system header: why the declaration being read is broken.
    soft: Option<Diagnostic>,
    in_system: bool,
    /// Parameters of the lists being read, innermost last.
    parameters: Vec<Parameter>,
    prototype_depth: u32,
    /// Structs and unions whose members are being read.
    open_records: Vec<Record>,
    /// Alignment that a typedef name asks for.
    typedef_align: HashMap<CTy, u64, Hasher>,
    function: Option<FunctionState>,
    pending: HashMap<FuncId, PendingBody, Hasher>,
    /// Functions used, in order of first use; those with pending bodies are read in the end.
    used: Vec<FuncId>,
    is_used: HashSet<FuncId>,
    /// File-scope variables whose type must be complete in the end.
    tentative: Vec<(VarId, Span)>,
}

/// Reads a unit.
pub(crate) fn parse(
    source: &SourceMap,
    lexed: Lexed<'_>,
    options: Options,
) -> (Unit, Vec<Diagnostic>) {
    let scopes = Scopes::new(lexed.names.len() + 16);
    let mut parser = Parser {
        text: &source.text,
        source,
        tokens: lexed.tokens,
        lexed_names: lexed.names,
        packs: lexed.packs,
        options,
        pos: 0,
        depth: 0,
        stopped: false,
        reported_eof: false,
        sema: Sema::default(),
        scopes,
        linked: HashMap::default(),
        overloads: HashMap::default(),
        broken: Vec::new(),
        soft: None,
        in_system: false,
        parameters: Vec::new(),
        prototype_depth: 0,
        open_records: Vec::new(),
        typedef_align: HashMap::default(),
        function: None,
        pending: HashMap::default(),
        used: Vec::new(),
        is_used: HashSet::new(),
        tentative: Vec::new(),
    };
    parser.sema.unit.pragmas = lexed.pragmas;
    parser.sema.diags = lexed.errors;
    parser.predeclare();
    parser.unit();
    parser.pending_bodies();
    parser.finish_tentative();
    let sema = parser.sema;
    (sema.unit, sema.diags)
}

impl<'t> Parser<'t> {
    /// Types that compilers know without a declaration.
    fn predeclare(&mut self) {
        let types = &mut self.sema.unit.types;
        let va_list = types.intern(CTypeKind::VaList);
        let (int128, unsigned128) = (types.basic(Basic::Int128), types.basic(Basic::UInt128));
        let char_type = types.basic(Basic::Char);
        let pointer = types.pointer(char_type);
        let names = [
            ("__builtin_va_list", va_list),
            ("__int128_t", int128),
            ("__uint128_t", unsigned128),
            ("__builtin_ms_va_list", pointer),
        ];
        for (name, target) in names {
            let ty = self.sema.unit.types.intern(CTypeKind::Typedef {
                name: name.to_string(),
                target,
            });
            let symbol = self.lexed_names.intern(name.as_bytes());
            self.scopes
                .bind(symbol, Binding::Typedef(ty), Span::default());
        }
        // Keywords of C23, and ordinary names before.
        let truth = self.sema.unit.types.basic(Basic::Bool);
        for (name, binding) in [
            ("bool", Binding::Typedef(truth)),
            ("true", Binding::Constant(1, Basic::Int)),
            ("false", Binding::Constant(0, Basic::Int)),
            ("nullptr", Binding::Constant(0, Basic::Int)),
        ] {
            let symbol = self.lexed_names.intern(name.as_bytes());
            self.scopes.bind_outside(symbol, binding);
        }
    }

    fn unit(&mut self) {
        while self.kind() != T::Eof && !self.stopped {
            let start = self.pos;
            self.in_system = self.source.in_system_header(self.span().start);
            self.sema.in_system_header = self.in_system;
            let mark = self.sema.diags.len();
            if self.external_declaration().is_err() && !self.stopped {
                self.recover_declaration(start);
                if self.in_system {
                    self.break_names(start, mark);
                }
            }
            self.soft = None;
            if self.in_system && !self.stopped {
                self.sema.diags.truncate(mark);
            }
            self.leave_scopes();
            if self.pos == start {
                self.pos += 1;
            }
            self.check_error_count();
        }
    }

    /// After a failure: nothing of a half-read declaration stays open.
    fn leave_scopes(&mut self) {
        while self.scopes.depth() > 0 {
            self.scopes.pop();
        }
        self.parameters.clear();
        self.prototype_depth = 0;
        self.open_records.clear();
        self.depth = 0;
        self.sema.vlas.clear();
    }

    /// Skips to the end of a declaration at file scope: a `;`, or a `}` that is not followed by one.
    fn recover_declaration(&mut self, start: usize) {
        self.pos = self.pos.max(start);
        // Braces that were open where the error was found.
        let mut depth = 0i32;
        for token in &self.tokens[start..self.pos] {
            match token.kind {
                T::LBrace => depth += 1,
                T::RBrace => depth -= 1,
                _ => {}
            }
        }
        depth = depth.max(0);
        loop {
            match self.kind() {
                T::Eof => return,
                T::Semi if depth == 0 => {
                    self.pos += 1;
                    return;
                }
                T::LBrace => depth += 1,
                T::RBrace => {
                    depth -= 1;
                    if depth <= 0 {
                        self.pos += 1;
                        if self.kind() == T::Semi {
                            self.pos += 1;
                        }
                        return;
                    }
                }
                // A keyword that only starts declarations, at the start of a line, ends a runaway.
                T::PragmaOmp => {
                    while !matches!(self.kind(), T::PragmaEnd | T::Eof) {
                        self.pos += 1;
                    }
                    continue;
                }
                _ => {}
            }
            self.pos += 1;
        }
    }

    /// In a system header: the names that a declaration which failed would have declared.
    fn break_names(&mut self, start: usize, mark: usize) {
        let reason = self
            .sema
            .diags
            .get(mark)
            .cloned()
            .or_else(|| self.soft.take());
        let Some(reason) = reason else { return };
        let is_type = self.tokens[start].kind == T::Typedef
            || self
                .tokens
                .get(start + 1)
                .is_some_and(|t| t.kind == T::Typedef);
        let mut depth = 0;
        let mut name = None;
        for token in &self.tokens[start..self.pos] {
            match token.kind {
                T::LParen | T::LBrace | T::LBracket => {
                    if depth == 0 && token.kind == T::LParen && !is_type && name.is_some() {
                        break;
                    }
                    depth += 1;
                }
                T::RParen | T::RBrace | T::RBracket => depth -= 1,
                T::Ident if depth == 0 && self.scopes.ordinary.get(token.symbol).is_none() => {
                    name = Some(*token)
                }
                _ => {}
            }
        }
        if let Some(token) = name {
            self.bind_broken(token.symbol, token.span, reason, is_type);
        }
    }

    fn bind_broken(&mut self, symbol: Symbol, span: Span, reason: Diagnostic, is_type: bool) {
        let index = self.broken.len() as u32;
        self.broken.push(Broken {
            reason,
            is_type,
            reported: false,
        });
        self.scopes.bind(symbol, Binding::Broken(index), span);
    }

    // Tokens

    pub(crate) fn token(&self) -> Token {
        if self.stopped {
            self.tokens[self.tokens.len() - 1]
        } else {
            self.tokens[self.pos.min(self.tokens.len() - 1)]
        }
    }

    pub(crate) fn kind(&self) -> T {
        self.token().kind
    }

    pub(crate) fn span(&self) -> Span {
        self.token().span
    }

    pub(crate) fn ahead(&self, n: usize) -> Token {
        if self.stopped {
            self.tokens[self.tokens.len() - 1]
        } else {
            self.tokens[(self.pos + n).min(self.tokens.len() - 1)]
        }
    }

    /// The span of the token before.
    pub(crate) fn previous(&self) -> Span {
        self.pos.checked_sub(1).map_or(Span::default(), |p| {
            self.tokens[p.min(self.tokens.len() - 1)].span
        })
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != T::Eof {
            self.pos += 1;
        }
        token
    }

    pub(crate) fn at(&self, kind: T) -> bool {
        self.kind() == kind
    }

    pub(crate) fn accept(&mut self, kind: T) -> bool {
        if self.kind() == kind {
            self.pos += 1;
            return true;
        }
        false
    }

    fn expect(&mut self, kind: T) -> Result<Span> {
        if self.kind() == kind {
            return Ok(self.advance().span);
        }
        Err(self.expected(&format!("'{}'", kind.text())))
    }

    /// A closing bracket, with the place of the opening one if it is missing.
    pub(crate) fn expect_close(&mut self, kind: T, open: Span) -> Result<Span> {
        if self.kind() == kind {
            return Ok(self.advance().span);
        }
        let diagnostic = self.expectation(&format!("'{}'", kind.text()));
        let opening = match kind {
            T::RParen => "(",
            T::RBrace => "{",
            _ => "[",
        };
        Err(self.report(diagnostic.related(open, format!("to match this '{opening}'"))))
    }

    /// Reports that something else was expected here.
    pub(crate) fn expected(&mut self, what: &str) -> Failed {
        let diagnostic = self.expectation(what);
        self.report(diagnostic)
    }

    fn expectation(&self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = self.describe(token);
        let previous = self.previous();
        let message = format!("expected {what} before {found}");
        // What is missing belongs after the token before, if that is on another line.
        if self.pos > 0
            && (self.source.line(previous.start) != self.source.line(token.span.start)
                || token.kind == T::Eof)
        {
            let at = Span {
                start: previous.end.saturating_sub(1).max(previous.start),
                end: previous.end,
            };
            return Diagnostic::error(at, message).label(format!("expected {what} after this"));
        }
        Diagnostic::error(token.span, message).label(format!("expected {what}"))
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            T::Eof | T::PragmaEnd => format!("the {}", token.kind.text()),
            T::PragmaOmp => "'#pragma omp'".to_string(),
            T::Str | T::Char => token.kind.text().to_string(),
            _ => {
                let text = String::from_utf8_lossy(self.bytes(token.span));
                format!("'{}'", text.chars().take(40).collect::<String>())
            }
        }
    }

    pub(crate) fn bytes(&self, span: Span) -> &'t [u8] {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or(&[])
    }

    fn name(&self, symbol: Symbol) -> Cow<'t, str> {
        String::from_utf8_lossy(self.lexed_names.name(symbol))
    }

    /// An identifier.
    pub(crate) fn identifier(&mut self) -> Result<Token> {
        if self.at(T::Ident) {
            return Ok(self.advance());
        }
        Err(self.expected("an identifier"))
    }

    // Errors

    /// Reports an error (unless a report makes no sense any more).
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        let at_end = self.kind() == T::Eof;
        if !(self.stopped || at_end && self.reported_eof) {
            self.reported_eof |= at_end;
            self.sema.diags.push(diagnostic);
        }
        Failed
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(span, message))
    }

    fn warn(&mut self, mut diagnostic: Diagnostic) {
        if !self.stopped {
            diagnostic.severity = Severity::Warning;
            self.sema.diags.push(diagnostic);
        }
    }

    /// Something that Adjoin does not know, in a declaration: in a system header it breaks the declared names.
    fn soft_error(&mut self, diagnostic: Diagnostic) {
        if self.in_system {
            self.soft.get_or_insert(diagnostic);
        } else {
            self.report(diagnostic);
        }
    }

    fn check_error_count(&mut self) {
        if self.sema.diags.len() > MAX_ERRORS && !self.in_system {
            let errors = self
                .sema
                .diags
                .iter()
                .filter(|d| d.severity == Severity::Error)
                .count();
            if errors > MAX_ERRORS {
                self.stopped = true;
            }
        }
    }

    /// Counts a level of nesting; `leave` undoes it.
    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.span();
            let diagnostic = Diagnostic::error(
                span,
                format!("nesting is too deep: more than {MAX_DEPTH} levels"),
            )
            .label("one level too many")
            .help("split the expression, declaration or block into parts");
            return Err(self.stop(diagnostic));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn check_chain(&mut self, links: u32) -> Result<()> {
        if links <= MAX_CHAIN {
            return Ok(());
        }
        let span = self.span();
        let diagnostic = Diagnostic::error(
            span,
            format!("chain is too long: more than {MAX_CHAIN} links"),
        )
        .label("one link too many")
        .help("split the expression or statement into parts");
        Err(self.stop(diagnostic))
    }

    /// Reports a last error, even from a system header, and reads no further.
    fn stop(&mut self, diagnostic: Diagnostic) -> Failed {
        if !self.stopped {
            self.sema.diags.push(diagnostic);
            self.stopped = true;
        }
        Failed
    }

    // Types

    fn int(&mut self) -> CTy {
        self.sema.unit.types.basic(Basic::Int)
    }

    fn type_text(&self, ty: CTy) -> String {
        self.sema.type_name(ty)
    }

    /// The greatest alignment of members that `#pragma pack` asks for at an offset (0: none).
    fn pack_at(&self, offset: u32) -> u64 {
        let index = self.packs.partition_point(|p| p.0 <= offset);
        index.checked_sub(1).map_or(0, |i| self.packs[i].1)
    }

    fn mark_used(&mut self, function: FuncId) {
        if self.is_used.insert(function) {
            self.used.push(function);
        }
    }
}
