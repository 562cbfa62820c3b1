//! The top level of the text form: files, types, globals and functions.

use crate::checkpoint::Checkpoint;
use crate::ctype::Basic;
use crate::ctype::{CTy, CTypeKind, Enum, EnumData, Field, Record, RecordData, TagScope};
use crate::lex::Token;
use crate::module::*;
use crate::parse::{Key, Reader, Symbol};
use crate::text::{TextResult, Words};

impl Reader<'_> {
    /// Finds the globals and functions, so that they can be mentioned before they come.
    pub(crate) fn declare_symbols(&mut self) -> TextResult<()> {
        let start = self.position();
        let mut depth = 0usize;
        let (mut globals, mut funcs) = (0, 0);
        loop {
            let symbol = depth == 0 && *self.ahead(1) == Token::Mark(b'@');
            match *self.take() {
                Token::Mark(b'{') => depth += 1,
                Token::Mark(b'}') => depth = depth.saturating_sub(1),
                Token::Word(item @ ("global" | "func")) if symbol => {
                    self.take();
                    let at = self.position();
                    let key = self.key()?;
                    let symbol = if item == "global" {
                        globals += 1;
                        Symbol::Global(Global::from_u32(globals - 1))
                    } else {
                        funcs += 1;
                        Symbol::Func(Func::from_u32(funcs - 1))
                    };
                    if self.symbols.insert(key, symbol).is_some() {
                        return Err(self.error_at(at, "a second declaration of this name"));
                    }
                }
                Token::End => break,
                _ => {}
            }
        }
        self.rewind(start);
        Ok(())
    }

    /// Reads all items.
    pub(crate) fn items(&mut self) -> TextResult<()> {
        loop {
            match *self.peek() {
                Token::Word("file") => {
                    self.take();
                    let name = self.string()?;
                    self.module.files.push(name);
                }
                Token::Word("typedef") => self.typedef_item()?,
                Token::Word("struct" | "union") => self.record_item()?,
                Token::Word("enum") => self.enumeration_item()?,
                Token::Word("global") => self.global_item()?,
                Token::Word("func") => self.function_item()?,
                Token::Word("checkpoint") => {
                    self.take();
                    let how = self.string()?;
                    let Some(how) = Checkpoint::parse(&how) else {
                        return self.error(Checkpoint::FORMS.to_string());
                    };
                    let span = self.span()?;
                    self.module.checkpoints.insert(span, how);
                }
                Token::End => break,
                _ => {
                    return self.error(format!(
                        "file, typedef, struct, union, enum, global, func or checkpoint is expected, not {}",
                        self.peek()
                    ));
                }
            }
        }
        // The first one in the text, so that the message does not depend on the order of a hash map.
        let undefined = self
            .undefined_records
            .values()
            .chain(self.undefined_enums.values())
            .min();
        match undefined {
            None => Ok(()),
            Some(&at) => Err(self.error_at(at, "this struct, union or enum is nowhere defined")),
        }
    }

    /// Takes a typedef's name.
    pub(crate) fn typedef(&mut self) -> TextResult<CTy> {
        let at = self.position();
        let key = self.key()?;
        match self.typedefs.get(&key) {
            Some(&t) => Ok(t),
            None => Err(self.error_at(at, "no typedef of that name comes before this")),
        }
    }

    fn typedef_item(&mut self) -> TextResult<()> {
        self.take();
        let at = self.position();
        let key = self.key()?;
        let Some(name) = key.0.clone() else {
            return Err(self.error_at(at, "a typedef needs a name"));
        };
        self.mark(b'=')?;
        let target = self.ctype()?;
        let t = self
            .module
            .types
            .intern(CTypeKind::Typedef { name, target });
        if self.typedefs.insert(key, t).is_some() {
            return Err(self.error_at(at, "a second typedef of this name"));
        }
        Ok(())
    }

    /// Takes `struct name` or `union name`. The first mention makes the record; its definition may come later.
    pub fn record(&mut self) -> TextResult<Record> {
        let at = self.position();
        let is_union = match self.any_word("`struct` or `union`")? {
            "struct" => false,
            "union" => true,
            _ => return self.error_before("`struct` or `union` is expected"),
        };
        let key = (is_union, self.key()?);
        if let Some(&found) = self.records.get(&key) {
            return Ok(found);
        }
        let record = self.module.types.records.push(RecordData {
            is_union,
            tag: key.1.0.clone(),
            scope: TagScope::File,
            typedef_name: None,
            fields: None,
            size: 0,
            align: 1,
            packed: false,
        });
        self.records.insert(key, record);
        self.undefined_records.insert(record, at);
        Ok(record)
    }

    /// Takes `enum name`, as `record` does.
    pub(crate) fn enumeration(&mut self) -> TextResult<Enum> {
        let at = self.position();
        self.expect_word("enum")?;
        let key = self.key()?;
        if let Some(&found) = self.enums.get(&key) {
            return Ok(found);
        }
        let enumeration = self.module.types.enums.push(EnumData {
            tag: key.0.clone(),
            scope: TagScope::File,
            typedef_name: None,
            constants: Vec::new(),
            underlying: Basic::UInt,
            complete: false,
        });
        self.enums.insert(key, enumeration);
        self.undefined_enums.insert(enumeration, at);
        Ok(enumeration)
    }

    fn record_item(&mut self) -> TextResult<()> {
        let at = self.position();
        let record = self.record()?;
        if self.undefined_records.remove(&record).is_none() {
            return Err(self.error_at(at, "a second definition of this name"));
        }
        self.expect_word("size")?;
        let size = self.unsigned()?;
        self.expect_word("align")?;
        let align = self.unsigned()?;
        let packed = self.accept_word("packed");
        let (scope, typedef_name) = self.tag_flags()?;
        let fields = if self.accept_word("incomplete") {
            None
        } else {
            Some(self.fields()?)
        };
        let data = &mut self.module.types.records[record];
        (data.size, data.align, data.packed) = (size, align, packed);
        (data.scope, data.typedef_name, data.fields) = (scope, typedef_name, fields);
        Ok(())
    }

    fn tag_flags(&mut self) -> TextResult<(TagScope, Option<String>)> {
        let scope = if self.accept_word("block") {
            TagScope::Block
        } else {
            TagScope::File
        };
        let typedef_name = if self.accept_word("named") {
            Some(self.string()?)
        } else {
            None
        };
        Ok((scope, typedef_name))
    }

    fn fields(&mut self) -> TextResult<Vec<Field>> {
        self.mark(b'{')?;
        let mut fields = Vec::new();
        while !self.accept(b'}') {
            self.mark(b'+')?;
            let offset = self.unsigned()?;
            let name = if *self.peek() == Token::Mark(b':') {
                None
            } else {
                Some(self.name()?)
            };
            self.mark(b':')?;
            let ty = self.ctype()?;
            let mut bits = None;
            if self.accept_word("bits") {
                let first = self.small()?;
                self.mark(b':')?;
                bits = Some((first, self.small()?));
            }
            fields.push(Field {
                name,
                ty,
                offset,
                bits,
            });
        }
        Ok(fields)
    }

    fn enumeration_item(&mut self) -> TextResult<()> {
        let at = self.position();
        let enumeration = self.enumeration()?;
        if self.undefined_enums.remove(&enumeration).is_none() {
            return Err(self.error_at(at, "a second definition of this name"));
        }
        self.mark(b':')?;
        let at = self.position();
        let t = self.ctype()?;
        let CTypeKind::Basic(underlying) = *self.module.types.kind(t) else {
            return Err(self.error_at(at, "the type of an enumeration is a basic type"));
        };
        let (scope, typedef_name) = self.tag_flags()?;
        let complete = !self.accept_word("incomplete");
        self.mark(b'{')?;
        let mut constants = Vec::new();
        while !self.accept(b'}') {
            let name = self.name()?;
            self.mark(b'=')?;
            constants.push((name, self.integer()?));
        }
        let data = &mut self.module.types.enums[enumeration];
        *data = EnumData {
            tag: data.tag.take(),
            scope,
            typedef_name,
            constants,
            underlying,
            complete,
        };
        Ok(())
    }

    /// Takes the name that an item declares.
    fn declared(&mut self, what: &str) -> TextResult<String> {
        self.take();
        self.mark(b'@')?;
        let key: Key = self.key()?;
        match key.0 {
            Some(name) => Ok(name),
            None => self.error_before(format!("a {what} needs a name")),
        }
    }

    fn linkage(&mut self) -> Linkage {
        let Token::Word(word) = *self.peek() else {
            return Linkage::External;
        };
        match Linkage::from_word(word) {
            Some(linkage) => {
                self.take();
                *linkage
            }
            None => Linkage::External,
        }
    }

    fn global_item(&mut self) -> TextResult<()> {
        let name = self.declared("global")?;
        self.mark(b':')?;
        let ctype = self.ctype()?;
        let linkage = self.linkage();
        let owner = if self.accept_word("owner") {
            Some(self.func()?)
        } else {
            None
        };
        let thread_local = self.accept_word("thread_local");
        let align = if self.accept_word("align") {
            self.unsigned()?
        } else {
            0
        };
        let init = if self.accept(b'=') {
            Some(self.init()?)
        } else {
            None
        };
        let span = self.span()?;
        self.module.globals.push(GlobalData {
            name,
            ctype,
            linkage,
            owner,
            init,
            thread_local,
            align,
            span,
        });
        Ok(())
    }

    fn init(&mut self) -> TextResult<Init> {
        let mut init = Init::default();
        if self.accept_word("bytes") {
            init.bytes = self.bytes()?;
        } else {
            self.expect_word("hex")?;
            while matches!(self.peek(), Token::Text(_)) {
                let digits: Vec<u8> = self.bytes()?.into_iter().filter(|b| *b != b' ').collect();
                for pair in digits.chunks(2) {
                    let text = std::str::from_utf8(pair).unwrap_or("");
                    let digits = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
                    match u8::from_str_radix(text, 16) {
                        Ok(byte) if digits => init.bytes.push(byte),
                        _ => return self.error_before("pairs of hexadecimal digits are expected"),
                    }
                }
            }
        }
        while self.accept_word("reloc") {
            let offset = self.unsigned()?;
            let target = self.reloc_target()?;
            let addend = if self.accept(b'+') {
                self.integer()?
            } else {
                0
            };
            init.relocs.push(Reloc {
                offset,
                target,
                addend,
            });
        }
        Ok(init)
    }

    fn function_item(&mut self) -> TextResult<()> {
        let name = self.declared("function")?;
        self.mark(b'(')?;
        let mut param_names = Vec::new();
        while *self.peek() != Token::Mark(b')') {
            param_names.push(if self.accept_word("_") {
                None
            } else {
                Some(self.name()?)
            });
            if !self.accept(b',') {
                break;
            }
        }
        self.mark(b')')?;
        self.mark(b':')?;
        let ctype = self.ctype()?;
        let linkage = self.linkage();
        let inline = self.accept_word("inline");
        let noreturn = self.accept_word("noreturn");
        let span = self.span()?;
        let has_body = matches!(self.peek(), Token::Mark(b'(' | b'{'));
        let body = if has_body { Some(self.body()?) } else { None };
        let data = Function {
            name,
            ctype,
            param_names,
            linkage,
            inline,
            noreturn,
            span,
            body,
        };
        self.module.funcs.push(data);
        Ok(())
    }
}
