//! The parser of the text form (see [`text`](crate::text)). It checks what it needs in order to build a module
//! (names, numbers, labels); whether the module makes sense is the verifier's business.
//!
//! Nested regions are kept on a stack of the parser's own, and nested types are limited in depth, so no text can
//! overflow the machine's stack.

use crate::attr::{Case, SwitchAttr};
use crate::ctype::{CTy, Enum, Record};
use crate::lex::{Placed, Token, tokens};
use crate::module::*;
use crate::op::{Effect, Op};
use crate::text::{TextError, TextResult, Words};
use crate::types::Type;
use std::collections::HashMap;

/// Reads a module.
pub fn parse_module(text: &str) -> TextResult<Module> {
    let mut reader = Reader::new(tokens(text)?);
    reader.declare_symbols()?;
    reader.items()?;
    Ok(reader.module)
}

/// A name and its number: `s#1`; the name is missing in `#0`.
pub(crate) type Key = (Option<String>, u32);

/// What `@name` is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol {
    Global(Global),
    Func(Func),
}

/// Reads the text form. Attributes are given one to read themselves.
#[derive(Debug)]
pub struct Reader<'a> {
    tokens: Vec<Placed<'a>>,
    at: usize,
    /// The module as far as it has been read.
    pub module: Module,
    pub(crate) symbols: HashMap<Key, Symbol>,
    pub(crate) typedefs: HashMap<Key, CTy>,
    /// Records by whether they are unions and by name.
    pub(crate) records: HashMap<(bool, Key), Record>,
    pub(crate) enums: HashMap<Key, Enum>,
    /// Where those were first mentioned that are not defined yet.
    pub(crate) undefined_records: HashMap<Record, usize>,
    pub(crate) undefined_enums: HashMap<Enum, usize>,
    values: HashMap<u32, Value>,
    labels: HashMap<&'a str, Inst>,
}

/// An instruction whose regions are being read.
struct Open<'a> {
    inst: Inst,
    label: Option<&'a str>,
    /// The region that it is in.
    region: Region,
}

/// Tokens, and the pieces that attributes use.
impl<'a> Reader<'a> {
    fn new(tokens: Vec<Placed<'a>>) -> Self {
        Reader {
            tokens,
            at: 0,
            module: Module::new(),
            symbols: HashMap::new(),
            typedefs: HashMap::new(),
            records: HashMap::new(),
            enums: HashMap::new(),
            undefined_records: HashMap::new(),
            undefined_enums: HashMap::new(),
            values: HashMap::new(),
            labels: HashMap::new(),
        }
    }

    /// The next token.
    pub fn peek(&self) -> &Token<'a> {
        self.ahead(0)
    }
    pub(crate) fn ahead(&self, n: usize) -> &Token<'a> {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + n).min(last)].token
    }
    /// Takes the next token.
    pub fn take(&mut self) -> &Token<'a> {
        let at = self.at;
        if at + 1 < self.tokens.len() {
            self.at += 1;
        }
        &self.tokens[at].token
    }
    pub(crate) fn position(&self) -> usize {
        self.at
    }
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    pub(crate) fn error_at(&self, at: usize, message: impl Into<String>) -> TextError {
        let place = &self.tokens[at.min(self.tokens.len() - 1)];
        TextError {
            line: place.line,
            col: place.col,
            message: message.into(),
        }
    }
    /// An error at the next token.
    pub fn error<T>(&self, message: impl Into<String>) -> TextResult<T> {
        Err(self.error_at(self.at, message))
    }
    /// An error at the token before.
    pub fn error_before<T>(&self, message: impl Into<String>) -> TextResult<T> {
        Err(self.error_value(message))
    }
    /// As `error_before`, the error itself.
    pub fn error_value(&self, message: impl Into<String>) -> TextError {
        self.error_at(self.at.saturating_sub(1), message)
    }
    fn expected<T>(&self, what: &str) -> TextResult<T> {
        self.error(format!("{what} is expected, not {}", self.peek()))
    }

    /// Takes a mark if it comes next.
    pub fn accept(&mut self, mark: u8) -> bool {
        let found = *self.peek() == Token::Mark(mark);
        if found {
            self.take();
        }
        found
    }
    /// Takes a mark.
    pub fn mark(&mut self, mark: u8) -> TextResult<()> {
        if self.accept(mark) {
            Ok(())
        } else {
            self.expected(&format!("`{}`", mark as char))
        }
    }
    /// Takes a word if it comes next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = *self.peek() == Token::Word(word);
        if found {
            self.take();
        }
        found
    }
    /// Takes a word.
    pub fn expect_word(&mut self, word: &str) -> TextResult<()> {
        if self.accept_word(word) {
            Ok(())
        } else {
            self.expected(&format!("`{word}`"))
        }
    }
    /// Takes any word.
    pub fn any_word(&mut self, what: &str) -> TextResult<&'a str> {
        match *self.peek() {
            Token::Word(w) => {
                self.take();
                Ok(w)
            }
            _ => self.expected(what),
        }
    }
    /// Takes one of the words of an enumeration.
    pub fn choice<T: Words>(&mut self, what: &str) -> TextResult<&'static T> {
        let word = self.any_word(what)?;
        match T::from_word(word) {
            Some(value) => Ok(value),
            None => self.error_before(format!("{what} is expected, not `{word}`")),
        }
    }
    /// Takes an integer.
    pub fn integer<T: std::str::FromStr>(&mut self) -> TextResult<T> {
        let Token::Number(n) = *self.peek() else {
            return self.expected("a number");
        };
        match n.parse() {
            Ok(value) => {
                self.take();
                Ok(value)
            }
            Err(_) => self.error(format!(
                "`{n}` is not an integer of the size that fits here"
            )),
        }
    }
    /// Takes a natural number.
    pub fn unsigned(&mut self) -> TextResult<u64> {
        self.integer()
    }
    /// Takes a small natural number.
    pub fn small(&mut self) -> TextResult<u32> {
        self.integer()
    }
    /// Takes a string.
    pub fn bytes(&mut self) -> TextResult<Vec<u8>> {
        match self.peek().clone() {
            Token::Text(bytes) => {
                self.take();
                Ok(bytes)
            }
            _ => self.expected("a string"),
        }
    }
    /// Takes a string that is a name.
    pub fn string(&mut self) -> TextResult<String> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes).map_err(|_| self.error_value("a name must be UTF-8"))
    }
    /// Takes a string if one comes next.
    pub fn optional_string(&mut self) -> TextResult<Option<String>> {
        if matches!(self.peek(), Token::Text(_)) {
            self.string().map(Some)
        } else {
            Ok(None)
        }
    }
    /// Takes a word or a string.
    pub fn name(&mut self) -> TextResult<String> {
        match *self.peek() {
            Token::Word(w) => {
                self.take();
                Ok(w.to_string())
            }
            Token::Text(_) => self.string(),
            _ => self.expected("a name"),
        }
    }
    /// Takes `name`, `name#1` or `#0`.
    pub(crate) fn key(&mut self) -> TextResult<Key> {
        let name = if *self.peek() == Token::Mark(b'#') {
            None
        } else {
            Some(self.name()?)
        };
        let number = if self.accept(b'#') { self.small()? } else { 0 };
        Ok((name, number))
    }

    fn symbol(&mut self) -> TextResult<Symbol> {
        self.mark(b'@')?;
        let at = self.at;
        let key = self.key()?;
        match self.symbols.get(&key) {
            Some(symbol) => Ok(*symbol),
            None => Err(self.error_at(at, "nothing of that name is declared")),
        }
    }
    /// Takes the name of a global.
    pub fn global(&mut self) -> TextResult<Global> {
        match self.symbol()? {
            Symbol::Global(g) => Ok(g),
            Symbol::Func(_) => self.error_before("a global is expected, this is a function"),
        }
    }
    /// Takes the name of a function.
    pub fn func(&mut self) -> TextResult<Func> {
        match self.symbol()? {
            Symbol::Func(f) => Ok(f),
            Symbol::Global(_) => self.error_before("a function is expected, this is a global"),
        }
    }
    pub(crate) fn reloc_target(&mut self) -> TextResult<RelocTarget> {
        Ok(match self.symbol()? {
            Symbol::Global(g) => RelocTarget::Global(g),
            Symbol::Func(f) => RelocTarget::Func(f),
        })
    }

    /// Takes a member of a record: its name, or `#` and its number.
    pub fn member(&mut self, record: Record) -> TextResult<u32> {
        if self.accept(b'#') {
            return self.small();
        }
        let name = self.name()?;
        let fields = self.module.types.records[record].fields.as_ref();
        let position = fields.and_then(|f| f.iter().position(|f| f.name.as_ref() == Some(&name)));
        match position {
            Some(k) => Ok(k as u32),
            None => self.error_before(format!("the record has no member `{name}`")),
        }
    }

    fn value_number(token: &Token<'_>) -> Option<u32> {
        let Token::Word(w) = token else { return None };
        let digits = w.strip_prefix('v')?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'));
        if plain { digits.parse().ok() } else { None }
    }
    /// Takes a value.
    pub fn value(&mut self) -> TextResult<Value> {
        let Some(number) = Self::value_number(self.peek()) else {
            return self.expected("a value");
        };
        match self.values.get(&number) {
            Some(&v) => {
                self.take();
                Ok(v)
            }
            None => self.error(format!("`v{number}` is not defined before this")),
        }
    }
    /// Takes a list of values, which may be empty. (A value with a colon or a name begins the next instruction.)
    pub fn operands(&mut self, operands: &mut Vec<Value>) -> TextResult<()> {
        let next_defines = matches!(self.ahead(1), Token::Mark(b':') | Token::Text(_));
        if Self::value_number(self.peek()).is_none() || next_defines {
            return Ok(());
        }
        loop {
            operands.push(self.value()?);
            if !self.accept(b',') {
                return Ok(());
            }
        }
    }
    /// Takes the label of an enclosing instruction.
    pub fn label(&mut self) -> TextResult<Inst> {
        self.mark(b'^')?;
        let label = self.any_word("a label")?;
        match self.labels.get(label) {
            Some(&inst) => Ok(inst),
            None => self.error_before(format!("no enclosing instruction has the label `{label}`")),
        }
    }
    /// Takes a source place if one comes next.
    pub(crate) fn span(&mut self) -> TextResult<Span> {
        if !self.accept(b'!') {
            return Ok(Span::default());
        }
        let file = self.small()?;
        self.mark(b':')?;
        let line = self.small()?;
        self.mark(b':')?;
        Ok(Span {
            file,
            line,
            col: self.small()?,
        })
    }
}

/// A value as it is defined: number, name, type, C type.
struct Definition {
    at: usize,
    number: u32,
    name: Option<String>,
    ty: Type,
    ctype: Option<CTy>,
}

/// Bodies.
impl<'a> Reader<'a> {
    /// Reads a body: the arguments of its entry region and its instructions in braces.
    pub(crate) fn body(&mut self) -> TextResult<Body> {
        self.values.clear();
        self.labels.clear();
        let mut body = Body::new();
        let mut region = body.entry;
        self.region_start(&mut body, region)?;
        let mut open: Vec<Open<'a>> = Vec::new();
        loop {
            let mut current = if !self.accept(b'}') {
                self.inst_head(&mut body, region)?
            } else if let Some(holder) = open.pop() {
                holder
            } else {
                return Ok(body);
            };
            region = current.region;
            match self.next_region(&mut body, &mut current)? {
                Some(inner) => {
                    region = inner;
                    open.push(current);
                }
                None => self.inst_end(&mut body, current)?,
            }
        }
    }

    /// Reads an instruction up to its regions.
    fn inst_head(&mut self, body: &mut Body, region: Region) -> TextResult<Open<'a>> {
        let mut results = Vec::new();
        if Self::value_number(self.peek()).is_some() {
            results = self.definitions()?;
            self.mark(b'=')?;
        }
        let at = self.at;
        let name = self.any_word("an operation or `}`")?;
        let Some(info) = crate::op::OPS.iter().find(|o| o.name == name) else {
            return self.error_before(format!("`{name}` is no operation"));
        };
        let mut label = None;
        if info.effect == Effect::Region && self.accept(b'^') {
            label = Some(self.any_word("a label")?);
        }
        let mut operands = Vec::new();
        let Some(op) = Op::parse_attr(name, self, &mut operands)? else {
            return Err(self.error_at(at, format!("`{name}` is no operation")));
        };
        let inst = body.append(region, op, operands, Span::default());
        for result in results {
            let v = body.add_result(inst, result.ty);
            self.define(body, v, result)?;
        }
        if let Some(label) = label
            && self.labels.insert(label, inst).is_some()
        {
            return Err(self.error_at(
                at,
                format!("an enclosing instruction has the label `{label}` already"),
            ));
        }
        Ok(Open {
            inst,
            label,
            region,
        })
    }

    fn inst_end(&mut self, body: &mut Body, done: Open<'a>) -> TextResult<()> {
        body.insts[done.inst].span = self.span()?;
        if let Some(label) = done.label {
            self.labels.remove(label);
        }
        Ok(())
    }

    /// Begins the next region of an instruction, if there is one more.
    fn next_region(&mut self, body: &mut Body, open: &mut Open<'a>) -> TextResult<Option<Region>> {
        let data = &mut body.insts[open.inst];
        if data.op.info().effect != Effect::Region {
            return Ok(None);
        }
        match &mut data.op {
            Op::If if !data.regions.is_empty() && !self.accept_word("else") => return Ok(None),
            Op::Switch(SwitchAttr { cases }) => {
                let Some(case) = self.case()? else {
                    return Ok(None);
                };
                cases.push(case);
            }
            _ => {}
        }
        let begins = matches!(self.peek(), Token::Mark(b'(' | b'{'));
        let needed = matches!(body.insts[open.inst].op, Op::If | Op::Switch(_));
        if !begins && !needed {
            return Ok(None);
        }
        let region = body.add_region(open.inst);
        self.region_start(body, region)?;
        Ok(Some(region))
    }

    fn case(&mut self) -> TextResult<Option<Case>> {
        if self.accept_word("default") {
            return Ok(Some(Case {
                values: Vec::new(),
                default: true,
            }));
        }
        if !self.accept_word("case") {
            return Ok(None);
        }
        let mut case = Case::default();
        if !matches!(self.peek(), Token::Number(_) | Token::Word(_)) {
            return Ok(Some(case));
        }
        loop {
            if self.accept_word("default") {
                case.default = true;
                return Ok(Some(case));
            }
            let low = self.integer()?;
            let mut high = low;
            if *self.peek() == Token::Range {
                self.take();
                high = self.integer()?;
            }
            case.values.push((low, high));
            if !self.accept(b',') {
                return Ok(Some(case));
            }
        }
    }

    /// Reads the arguments of a region and the opening brace.
    fn region_start(&mut self, body: &mut Body, region: Region) -> TextResult<()> {
        if self.accept(b'(') {
            if *self.peek() != Token::Mark(b')') {
                for argument in self.definitions()? {
                    let v = body.add_arg(region, argument.ty);
                    self.define(body, v, argument)?;
                }
            }
            self.mark(b')')?;
        }
        self.mark(b'{')
    }

    fn definitions(&mut self) -> TextResult<Vec<Definition>> {
        let mut out = Vec::new();
        loop {
            let at = self.at;
            let Some(number) = Self::value_number(self.peek()) else {
                return self.expected("a value");
            };
            self.take();
            let name = self.optional_string()?;
            self.mark(b':')?;
            let word = self.any_word("a type")?;
            let Some(ty) = Type::from_name(word) else {
                return self.error_before(format!("`{word}` is no type of values"));
            };
            let ctype = if self.accept_word("as") {
                Some(self.ctype()?)
            } else {
                None
            };
            out.push(Definition {
                at,
                number,
                name,
                ty,
                ctype,
            });
            if !self.accept(b',') {
                return Ok(out);
            }
        }
    }

    fn define(&mut self, body: &mut Body, v: Value, definition: Definition) -> TextResult<()> {
        body.values[v].name = definition.name;
        body.values[v].ctype = definition.ctype;
        match self.values.insert(definition.number, v) {
            None => Ok(()),
            Some(_) => {
                let message = format!("`v{}` is defined twice", definition.number);
                Err(self.error_at(definition.at, message))
            }
        }
    }
}
