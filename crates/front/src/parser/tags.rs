//! Structs, unions and enumerations.

use super::attributes::Attributes;
use super::declarators::{Naming, Place};
use super::scope::{Binding, Tag};
use super::specifiers::Specifiers;
use super::{Parser, Result};
use crate::ast::Span;
use crate::diag::Diagnostic;
use crate::sema::FieldDecl;
use crate::token::{Symbol, T, Token};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Enum, EnumData, Record, RecordData, TagScope};

impl Parser<'_> {
    fn tag_scope(&self) -> TagScope {
        if self.scopes.depth() == 0 {
            TagScope::File
        } else {
            TagScope::Block
        }
    }

    /// The keyword that a tag of this name needs.
    pub(super) fn tag_keyword(&self, symbol: Symbol) -> Option<&'static str> {
        match self.scopes.tags.get(symbol)?.binding {
            Tag::Enum(_) => Some("enum"),
            Tag::Record(r) if self.sema.unit.types.records[r].is_union => Some("union"),
            Tag::Record(_) => Some("struct"),
        }
    }

    pub(super) fn record_specifier(&mut self) -> Result<CTy> {
        let keyword = self.advance();
        let is_union = keyword.kind == T::Union;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let name = if self.at(T::Ident) {
            Some(self.advance())
        } else {
            None
        };
        self.attributes(&mut attributes)?;
        if name.is_none() && !self.at(T::LBrace) {
            return Err(self.expected(&format!("a tag or '{{' after '{}'", keyword.kind.text())));
        }
        let record = self.record_for(name, is_union, self.at(T::LBrace), keyword.span);
        let ty = self.sema.unit.types.intern(CTypeKind::Record(record));
        if self.at(T::LBrace) {
            self.record_body(record, attributes, name.map_or(keyword.span, |n| n.span))?;
        }
        Ok(ty)
    }

    /// The record that a specifier means: a new one, or one declared before.
    fn record_for(
        &mut self,
        name: Option<Token>,
        is_union: bool,
        defining: bool,
        keyword: Span,
    ) -> Record {
        let new = |parser: &mut Self| {
            let tag = name.map(|n| parser.name(n.symbol).into_owned());
            let scope = parser.tag_scope();
            parser.sema.unit.types.records.push(RecordData {
                is_union,
                tag,
                scope,
                typedef_name: None,
                fields: None,
                size: 0,
                align: 1,
                packed: false,
            })
        };
        let Some(name) = name else { return new(self) };
        // `struct s;` and `struct s { … }` declare in this scope; other mentions use what is visible.
        let local = defining || self.at(T::Semi);
        let entry = if local {
            self.scopes.tag_here(name.symbol)
        } else {
            self.scopes.tags.get(name.symbol)
        };
        if let Some(&entry) = entry {
            match entry.binding {
                Tag::Record(r) if self.sema.unit.types.records[r].is_union == is_union => {
                    let open = self.open_records.contains(&r);
                    if !(defining && (open || self.sema.unit.types.records[r].fields.is_some())) {
                        return r;
                    }
                    let text = self.name(name.symbol).into_owned();
                    self.report(
                        Diagnostic::error(name.span, format!("redefinition of '{text}'"))
                            .label("defined again")
                            .related(entry.span, "defined here first"),
                    );
                }
                _ => {
                    let text = self.name(name.symbol).into_owned();
                    self.report(
                        Diagnostic::error(
                            keyword.to(name.span),
                            format!("'{text}' is a different kind of tag"),
                        )
                        .related(entry.span, "declared here"),
                    );
                }
            }
        }
        let record = new(self);
        self.scopes
            .bind_tag(name.symbol, Tag::Record(record), name.span);
        record
    }

    fn record_body(
        &mut self,
        record: Record,
        mut attributes: Attributes,
        span: Span,
    ) -> Result<()> {
        self.enter()?;
        let open = self.advance().span;
        let mut fields = Vec::new();
        self.open_records.push(record);
        let outer_soft = self.soft.take();
        while !matches!(self.kind(), T::RBrace | T::Eof) {
            if self.accept(T::Semi) {
                continue;
            }
            if self.at(T::StaticAssert) {
                self.static_assert()?;
                continue;
            }
            if self.at(T::PragmaOmp) {
                self.skip_pragma();
                continue;
            }
            let (start, depth) = (self.pos, self.depth);
            let open_records = self.open_records.len();
            if self.members(&mut fields).is_err() {
                if self.in_system || self.stopped {
                    return Err(super::Failed);
                }
                self.depth = depth;
                self.open_records.truncate(open_records);
                self.recover_member(start);
            }
            self.check_error_count();
        }
        let close = self.expect_close(T::RBrace, open)?;
        self.attributes(&mut attributes)?;
        self.leave();
        self.open_records.pop();
        self.sema.pack = self.pack_at(close.start);
        if attributes.transparent_union {
            self.sema.transparent_unions.insert(record);
        }
        // In a system header, a record with a member that cannot be read stays incomplete: no layout is better than a wrong one.
        let broken = std::mem::replace(&mut self.soft, outer_soft);
        if let Some(broken) = broken {
            self.soft.get_or_insert(broken);
            return Ok(());
        }
        self.check_members(&mut fields, record);
        self.sema
            .complete_record(record, fields, attributes.packed, attributes.align, span);
        Ok(())
    }

    /// Members must have a size (the last may be a flexible array). One that has none is taken as `int` after the report, so that
    /// no record contains itself.
    fn check_members(&mut self, fields: &mut [FieldDecl], record: Record) {
        let is_union = self.sema.unit.types.records[record].is_union;
        let count = fields.len();
        for (i, field) in fields.iter_mut().enumerate() {
            let types = &self.sema.unit.types;
            let shape = types.shape(field.ty);
            let flexible = matches!(shape, CTypeKind::Array { len: None, .. });
            let what = field.name.as_deref().unwrap_or_default();
            let message = if flexible && !is_union && i + 1 < count {
                format!("flexible array member '{what}' is not at the end of the struct")
            } else if matches!(shape, CTypeKind::Function { .. }) {
                format!("member '{what}' is declared as a function")
            } else if matches!(shape, CTypeKind::Vla { .. }) {
                format!("member '{what}' has a variable-length type")
            } else if !flexible && types.size_of(field.ty).is_none() {
                let text = self.type_text(field.ty);
                format!("member '{what}' has incomplete type '{text}'")
            } else {
                continue;
            };
            let report = if self.has_variable_length(field.ty) {
                Diagnostic::unsupported(field.span, message)
            } else {
                Diagnostic::error(field.span, message)
            };
            self.report(report);
            field.ty = self.int();
        }
    }

    fn recover_member(&mut self, start: usize) {
        self.pos = self.pos.max(start);
        loop {
            match self.kind() {
                T::Semi => {
                    self.pos += 1;
                    return;
                }
                T::RBrace | T::Eof => return,
                T::LBrace | T::LParen | T::LBracket => self.skip_balanced(),
                _ => self.pos += 1,
            }
        }
    }

    /// One member declaration with all its declarators.
    fn members(&mut self, fields: &mut Vec<FieldDecl>) -> Result<()> {
        let start = self.pos;
        let specifiers = self.specifiers(false)?;
        if specifiers.implicit_int && self.pos == start {
            let found = self.describe(self.token());
            return Err(self.error(self.span(), format!("expected a type name before {found}")));
        }
        if self.at(T::Semi) || self.at(T::RBrace) {
            // An anonymous struct or union; `struct tag { … };` inside a struct declares only the tag.
            let tagged = |r: Record| self.sema.unit.types.records[r].tag.is_some();
            match self.sema.unit.types.record(specifiers.ty) {
                Some(r) if !tagged(r) => fields.push(self.field(
                    None,
                    specifiers.ty,
                    None,
                    &specifiers,
                    &Attributes::default(),
                    specifiers.span,
                )),
                Some(_) => {}
                None if specifiers.tag => {}
                None => self.warn(Diagnostic::error(
                    specifiers.span,
                    "the declaration declares no member",
                )),
            }
            return self.member_semicolon();
        }
        loop {
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            let start = self.span();
            let mut declarator = if self.at(T::Colon) {
                Default::default()
            } else {
                self.declarator(Naming::Named)?
            };
            let width = if self.accept(T::Colon) {
                Some(self.bit_width()?)
            } else {
                None
            };
            self.attributes(&mut attributes)?;
            let base = self.attributed_type(specifiers.ty, &attributes);
            let ty = self.declared_type(base, &mut declarator, Place::Member);
            let span = declarator.name.map_or(start, |n| n.span);
            let name = declarator.name.map(|n| self.name(n.symbol).into_owned());
            attributes.merge(declarator.attributes.clone());
            fields.push(self.field(name, ty, width, &specifiers, &attributes, span));
            if !self.accept(T::Comma) {
                break;
            }
        }
        self.member_semicolon()
    }

    /// The `;` after a member. GNU C lets the last one go without.
    fn member_semicolon(&mut self) -> Result<()> {
        if !self.at(T::RBrace) {
            return self.semicolon().map(|_| ());
        }
        let end = self.previous();
        self.warn(
            Diagnostic::error(end, "no ';' at the end of a struct or union")
                .label("expected ';' after this"),
        );
        Ok(())
    }

    fn field(
        &self,
        name: Option<String>,
        ty: CTy,
        width: Option<u32>,
        specifiers: &Specifiers,
        attributes: &Attributes,
        span: Span,
    ) -> FieldDecl {
        let align = specifiers
            .align
            .max(specifiers.attributes.align)
            .max(attributes.align)
            .max(self.align_of_typedef(ty));
        FieldDecl {
            name,
            ty,
            width,
            align,
            packed: specifiers.attributes.packed || attributes.packed,
            span,
        }
    }

    fn bit_width(&mut self) -> Result<u32> {
        let width = self.conditional()?;
        match self.sema.const_int(&width) {
            Some(n) if (0..=128).contains(&n) => Ok(n as u32),
            _ => {
                if !self.sema.is_error(&width) {
                    self.error(width.span, "the width of a bit-field must be a constant that is not negative and not greater than its type");
                }
                Ok(1)
            }
        }
    }

    pub(super) fn enum_specifier(&mut self) -> Result<CTy> {
        let keyword = self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let name = if self.at(T::Ident) {
            Some(self.advance())
        } else {
            None
        };
        self.attributes(&mut attributes)?;
        let fixed = self.underlying_type()?;
        if name.is_none() && !self.at(T::LBrace) {
            return Err(self.expected("a tag or '{' after 'enum'"));
        }
        let number = self.enum_for(name, self.at(T::LBrace), keyword.span);
        let ty = self.sema.unit.types.intern(CTypeKind::Enum(number));
        if self.at(T::LBrace) {
            self.enum_body(number, attributes)?;
        }
        if let Some(fixed) = fixed {
            let data = &mut self.sema.unit.types.enums[number];
            (data.underlying, data.complete) = (fixed, true);
        }
        Ok(ty)
    }

    /// The type that an enumeration says it has (C23): `enum colour : unsigned char`. In a struct, `enum colour : 3` is a bit-field without a name.
    fn underlying_type(&mut self) -> Result<Option<Basic>> {
        if !self.at(T::Colon) || !self.starts_type(self.ahead(1)) {
            return Ok(None);
        }
        self.advance();
        let start = self.span();
        let (ty, _) = self.type_name()?;
        let fixed = self.sema.unit.types.arithmetic(ty);
        let fixed = fixed.filter(|b| b.is_integer());
        if fixed.is_none() {
            self.error(start, "the type of an enumeration must be an integer type");
        }
        Ok(fixed)
    }

    fn enum_for(&mut self, name: Option<Token>, defining: bool, keyword: Span) -> Enum {
        if let Some(name) = name {
            let local = defining || self.at(T::Semi);
            let entry = if local {
                self.scopes.tag_here(name.symbol)
            } else {
                self.scopes.tags.get(name.symbol)
            };
            if let Some(&entry) = entry {
                let text = self.name(name.symbol).into_owned();
                match entry.binding {
                    Tag::Enum(e) if !(defining && self.sema.unit.types.enums[e].complete) => {
                        return e;
                    }
                    Tag::Enum(_) => {
                        self.report(
                            Diagnostic::error(name.span, format!("redefinition of '{text}'"))
                                .related(entry.span, "defined here first"),
                        );
                    }
                    Tag::Record(_) => {
                        let span = keyword.to(name.span);
                        self.report(
                            Diagnostic::error(span, format!("'{text}' is a different kind of tag"))
                                .related(entry.span, "declared here"),
                        );
                    }
                }
            }
        }
        let data = EnumData {
            tag: name.map(|n| self.name(n.symbol).into_owned()),
            scope: self.tag_scope(),
            typedef_name: None,
            constants: Vec::new(),
            underlying: Basic::UInt,
            complete: false,
        };
        let number = self.sema.unit.types.enums.push(data);
        if let Some(name) = name {
            self.scopes
                .bind_tag(name.symbol, Tag::Enum(number), name.span);
        }
        number
    }

    fn enum_body(&mut self, number: Enum, mut attributes: Attributes) -> Result<()> {
        let open = self.advance().span;
        let mut constants = Vec::new();
        let mut large: Vec<(Token, i128)> = Vec::new();
        let mut next: i128 = 0;
        while self.at(T::Ident) {
            let token = self.advance();
            self.attributes(&mut Attributes::default())?;
            if self.accept(T::Assign) {
                let value = self.conditional()?;
                match self.sema.const_int(&value) {
                    Some(value) => next = value,
                    None if self.sema.is_error(&value) => {}
                    None => {
                        self.error(
                            value.span,
                            "the enumerator's value is not an integer constant",
                        );
                    }
                }
            }
            let name = self.name(token.symbol).into_owned();
            if let Some(&entry) = self.scopes.here(token.symbol) {
                let message = format!("redeclaration of '{name}'");
                self.report(
                    Diagnostic::error(token.span, message)
                        .related(entry.span, "declared here first"),
                );
            }
            let ty = fitting(next, next);
            if ty != Basic::Int {
                large.push((token, next));
            }
            self.scopes
                .bind(token.symbol, Binding::Constant(next, ty), token.span);
            constants.push((name, next));
            next = next.saturating_add(1);
            if !self.accept(T::Comma) {
                break;
            }
        }
        self.expect_close(T::RBrace, open)?;
        self.attributes(&mut attributes)?;
        let least = constants.iter().map(|c| c.1).min().unwrap_or(0);
        let greatest = constants.iter().map(|c| c.1).max().unwrap_or(0);
        let underlying = if attributes.packed {
            smallest(least, greatest)
        } else {
            underlying(least, greatest)
        };
        // Enumerators that fit are `int`; the others have the enumeration's own type.
        for (token, value) in large {
            self.scopes.bind(
                token.symbol,
                Binding::Constant(value, underlying),
                token.span,
            );
        }
        let data = &mut self.sema.unit.types.enums[number];
        (data.constants, data.underlying, data.complete) = (constants, underlying, true);
        Ok(())
    }
}

fn fitting(least: i128, greatest: i128) -> Basic {
    if least >= i32::MIN.into() && greatest <= i32::MAX.into() {
        Basic::Int
    } else {
        underlying(least, greatest)
    }
}

/// As gcc chooses: unsigned unless there is a negative enumerator.
fn underlying(least: i128, greatest: i128) -> Basic {
    match (
        least < 0,
        least >= i32::MIN.into()
            && greatest
                <= if least < 0 {
                    i32::MAX.into()
                } else {
                    u32::MAX.into()
                },
    ) {
        (false, true) => Basic::UInt,
        (true, true) => Basic::Int,
        (false, false) => Basic::ULong,
        (true, false) => Basic::Long,
    }
}

fn smallest(least: i128, greatest: i128) -> Basic {
    let choices: [(Basic, i128, i128); 4] = [
        (Basic::UChar, 0, u8::MAX.into()),
        (Basic::SChar, i8::MIN.into(), i8::MAX.into()),
        (Basic::UShort, 0, u16::MAX.into()),
        (Basic::Short, i16::MIN.into(), i16::MAX.into()),
    ];
    choices
        .iter()
        .find(|c| least >= c.1 && greatest <= c.2)
        .map_or_else(|| underlying(least, greatest), |c| c.0)
}
