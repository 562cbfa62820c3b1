//! `__attribute__((…))`, C23's `[[…]]`, and `__asm__("…")` labels. Attributes that change types or storage are read; those that
//! later stages may ask for are kept by name; the rest is skipped.

use super::{Parser, Result};
use crate::ast::{Attr, Span};
use crate::diag::Diagnostic;
use crate::token::T;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

/// What the attributes in one place say.
#[derive(Debug, Default, Clone)]
pub(super) struct Attributes {
    pub packed: bool,
    /// 0: none.
    pub align: u64,
    /// Bytes of a vector.
    pub vector_size: Option<(u64, Span)>,
    /// Lanes of a vector (clang's `ext_vector_type`).
    pub vector_lanes: Option<(u64, Span)>,
    pub mode: Option<(String, Span)>,
    pub noreturn: bool,
    pub transparent_union: bool,
    /// clang's functions of one name and several types.
    pub overloadable: bool,
    pub kept: Vec<Attr>,
}

impl Attributes {
    pub fn merge(&mut self, other: Attributes) {
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.vector_size = other.vector_size.or(self.vector_size.take());
        self.vector_lanes = other.vector_lanes.or(self.vector_lanes.take());
        self.mode = other.mode.or(self.mode.take());
        self.noreturn |= other.noreturn;
        self.transparent_union |= other.transparent_union;
        self.overloadable |= other.overloadable;
        self.kept.extend(other.kept);
    }
}

/// Attributes kept for later stages.
fn is_kept(name: &str) -> bool {
    const KEPT: &[&str] = &[
        "alias",
        "always_inline",
        "annotate",
        "assume_aligned",
        "cleanup",
        "const",
        "constructor",
        "destructor",
        "fallthrough",
        "gnu_inline",
        "ifunc",
        "malloc",
        "may_alias",
        "noinline",
        "optimize",
        "pure",
        "returns_twice",
        "section",
        "simd",
        "target",
        "unused",
        "used",
        "visibility",
        "weak",
        "weakref",
    ];
    KEPT.binary_search(&name).is_ok() || name.starts_with("enzyme") || name.starts_with("adjoin")
}

impl Parser<'_> {
    /// Any number of attributes.
    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Result<()> {
        loop {
            if self.at(T::Attribute) {
                self.gnu_attribute(into)?;
            } else if self.at(T::LBracket) && self.ahead(1).kind == T::LBracket {
                self.skip_balanced();
            } else {
                return Ok(());
            }
        }
    }

    fn gnu_attribute(&mut self, into: &mut Attributes) -> Result<()> {
        self.advance();
        let outer = self.expect(T::LParen)?;
        let inner = self.expect(T::LParen)?;
        while !self.at(T::RParen) && !self.at(T::Eof) {
            if !self.accept(T::Comma) {
                self.one_attribute(into)?;
            }
        }
        self.expect_close(T::RParen, inner)?;
        self.expect_close(T::RParen, outer)?;
        Ok(())
    }

    fn one_attribute(&mut self, into: &mut Attributes) -> Result<()> {
        let word = self.advance();
        let spelling = String::from_utf8_lossy(self.bytes(word.span));
        let name = spelling
            .strip_prefix("__")
            .and_then(|s| s.strip_suffix("__"))
            .filter(|s| !s.is_empty())
            .unwrap_or(&spelling);
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(self.error(word.span, "expected an attribute name"));
        }
        match name {
            "packed" => into.packed = true,
            "noreturn" => into.noreturn = true,
            "overloadable" => into.overloadable = true,
            "transparent_union" => into.transparent_union = true,
            "aligned" if self.at(T::LParen) => {
                let (value, span) = self.attribute_number()?;
                if value > 0 && (value as u64).is_power_of_two() && value <= 1 << 28 {
                    into.align = into.align.max(value as u64);
                } else {
                    self.error(
                        span,
                        format!(
                            "requested alignment {value} is not a power of two that can be had"
                        ),
                    );
                }
                return Ok(());
            }
            "aligned" => into.align = into.align.max(16),
            "vector_size" if self.at(T::LParen) => {
                let (value, span) = self.attribute_number()?;
                into.vector_size = Some((value.clamp(0, 1 << 20) as u64, span));
                return Ok(());
            }
            "ext_vector_type" if self.at(T::LParen) => {
                let (value, span) = self.attribute_number()?;
                into.vector_lanes = Some((value.clamp(0, 1 << 20) as u64, span));
                return Ok(());
            }
            "mode" if self.at(T::LParen) => {
                let args = self.attribute_words();
                let mode = args.first().map_or("", |m| m.trim_matches('_')).to_string();
                into.mode = Some((mode, word.span));
                return Ok(());
            }
            _ if is_kept(name) => {
                let args = if self.at(T::LParen) {
                    self.attribute_words()
                } else {
                    Vec::new()
                };
                into.kept.push(Attr {
                    name: name.to_string(),
                    args,
                });
                return Ok(());
            }
            _ => {}
        }
        if self.at(T::LParen) {
            self.skip_balanced();
        }
        Ok(())
    }

    fn attribute_number(&mut self) -> Result<(i128, Span)> {
        let open = self.advance().span;
        let value = self.conditional()?;
        let close = self.expect_close(T::RParen, open)?;
        let span = open.to(close);
        match self.sema.const_int(&value) {
            Some(value) => Ok((value, span)),
            None if self.sema.is_error(&value) => Ok((1, span)),
            None => Err(self.error(
                value.span,
                "the attribute's argument is not an integer constant",
            )),
        }
    }

    /// The arguments as text, string literals without quotes.
    fn attribute_words(&mut self) -> Vec<String> {
        self.advance();
        let mut words = Vec::new();
        let (mut start, mut depth) = (self.span().start, 0);
        loop {
            let kind = self.kind();
            match kind {
                T::LParen => depth += 1,
                T::RParen if depth > 0 => depth -= 1,
                T::RParen | T::Comma | T::Eof if depth == 0 || kind == T::Eof => {
                    let end = self.previous().end.max(start);
                    let text = String::from_utf8_lossy(self.bytes(Span { start, end }))
                        .trim()
                        .to_string();
                    let text = text
                        .strip_prefix('"')
                        .and_then(|t| t.strip_suffix('"'))
                        .unwrap_or(&text)
                        .to_string();
                    if !(words.is_empty() && text.is_empty()) || kind == T::Comma {
                        words.push(text);
                    }
                    start = self.span().end;
                    if kind != T::Comma {
                        self.accept(T::RParen);
                        return words;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips a bracket with all that is in it.
    pub(super) fn skip_balanced(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.kind() {
                T::LParen | T::LBracket | T::LBrace => depth += 1,
                T::RParen | T::RBracket | T::RBrace => depth = depth.saturating_sub(1),
                T::Eof => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// `__asm__("name")` after a declarator.
    pub(super) fn asm_label(&mut self) -> Result<Option<String>> {
        if !self.accept(T::Asm) {
            return Ok(None);
        }
        let open = self.expect(T::LParen)?;
        let mut name = String::new();
        while self.at(T::Str) {
            let span = self.advance().span;
            name.push_str(String::from_utf8_lossy(self.bytes(span)).trim_matches('"'));
        }
        self.expect_close(T::RParen, open)?;
        Ok(Some(name))
    }

    /// The type that `vector_size` and `mode` make of a type.
    pub(super) fn attributed_type(&mut self, mut ty: CTy, attributes: &Attributes) -> CTy {
        if let Some((mode, span)) = &attributes.mode {
            ty = self.mode_type(ty, mode, *span);
        }
        let types = &self.sema.unit.types;
        let lanes = match (attributes.vector_size, attributes.vector_lanes) {
            (Some((bytes, span)), _) => {
                let element = types.size_of(ty).unwrap_or(0);
                Some((
                    if element > 0 && bytes % element == 0 {
                        bytes / element
                    } else {
                        0
                    },
                    span,
                ))
            }
            (None, lanes) => lanes,
        };
        let Some((lanes, span)) = lanes else {
            return ty;
        };
        let scalar =
            types.arithmetic(ty).is_some_and(|b| !b.is_complex()) || types.pointee(ty).is_some();
        if lanes == 0 || !scalar {
            let text = self.type_text(ty);
            self.error(
                span,
                format!("cannot make a vector of this size from '{text}'"),
            );
            return ty;
        }
        let quals = self.sema.unit.types.quals(ty);
        let elem = self.sema.unit.types.unqualified(ty);
        let vector = self
            .sema
            .unit
            .types
            .intern(CTypeKind::Vector { elem, lanes });
        self.sema.unit.types.qualified(vector, quals)
    }

    fn mode_type(&mut self, ty: CTy, mode: &str, span: Span) -> CTy {
        let types = &self.sema.unit.types;
        let basic = types.arithmetic(ty).unwrap_or(Basic::Int);
        let signed = basic.is_signed() || !basic.is_integer();
        let pick = |s, u| if signed { s } else { u };
        let result = match mode {
            "QI" | "byte" => pick(Basic::SChar, Basic::UChar),
            "HI" => pick(Basic::Short, Basic::UShort),
            "SI" => pick(Basic::Int, Basic::UInt),
            "DI" | "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" => {
                pick(Basic::Long, Basic::ULong)
            }
            "TI" => pick(Basic::Int128, Basic::UInt128),
            "HF" => Basic::Float16,
            "SF" => Basic::Float,
            "DF" => Basic::Double,
            "XF" => Basic::LongDouble,
            "TF" => Basic::Float128,
            "SC" => Basic::ComplexFloat,
            "DC" => Basic::ComplexDouble,
            "XC" => Basic::ComplexLongDouble,
            _ => {
                self.soft_error(Diagnostic::unsupported(
                    span,
                    format!("machine mode '{mode}' is not supported"),
                ));
                return ty;
            }
        };
        let quals = self.sema.unit.types.quals(ty);
        let result = self.sema.unit.types.basic(result);
        self.sema.unit.types.qualified(result, quals)
    }
}
