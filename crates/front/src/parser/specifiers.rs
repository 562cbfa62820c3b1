//! Declaration specifiers in any order, type names, and the question whether a declaration starts here.

use super::attributes::Attributes;
use super::scope::Binding;
use super::{Parser, Result};
use crate::ast::Span;
use crate::diag::Diagnostic;
use crate::headers::header_of;
use crate::token::{T, Token};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Quals};

/// A storage class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// The specifiers of a declaration.
#[derive(Debug)]
pub(super) struct Specifiers {
    pub ty: CTy,
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    /// `_Alignas` (0: none).
    pub align: u64,
    pub attributes: Attributes,
    /// Where the specifiers are.
    pub span: Span,
    /// `__auto_type`
    pub auto_type: bool,
    /// A struct, union or enum is named: a declaration without declarators makes sense.
    pub tag: bool,
    /// There was no type at all (old style: `int`).
    pub implicit_int: bool,
    /// In a system header: why the names declared here are broken.
    pub broken: Option<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Void,
    Char,
    Int,
    Known(Basic),
    Double,
    Float,
    Other(CTy),
}

/// The words that name an arithmetic type together.
#[derive(Default)]
struct TypeWords {
    base: Option<Base>,
    signed: bool,
    unsigned: bool,
    short: bool,
    long: u32,
    complex: bool,
    auto_type: bool,
}

impl TypeWords {
    fn any(&self) -> bool {
        self.base.is_some()
            || self.signed
            || self.unsigned
            || self.short
            || self.long > 0
            || self.complex
            || self.auto_type
    }

    /// May a typedef name still be the type?
    fn open(&self) -> bool {
        !self.any()
    }
}

impl Parser<'_> {
    /// Does a type name start with this token?
    pub(super) fn starts_type(&self, token: Token) -> bool {
        match token.kind {
            T::Ident => match self.scopes.ordinary.get(token.symbol).map(|e| e.binding) {
                Some(Binding::Typedef(_)) => true,
                Some(Binding::Broken(index)) => self.broken[index as usize].is_type,
                _ => false,
            },
            T::Void
            | T::CharType
            | T::Short
            | T::Int
            | T::Long
            | T::Float
            | T::Double
            | T::Signed
            | T::Unsigned => true,
            T::Struct
            | T::Union
            | T::Enum
            | T::Const
            | T::Volatile
            | T::Restrict
            | T::Atomic
            | T::Bool
            | T::Complex => true,
            T::Int128
            | T::Float16
            | T::Float32
            | T::Float64
            | T::Float128
            | T::Float32x
            | T::Float64x => true,
            T::BFloat16
            | T::Decimal
            | T::BitInt
            | T::Imaginary
            | T::Typeof
            | T::TypeofUnqual
            | T::AutoType
            | T::Nullability => true,
            T::Alignas => true,
            _ => false,
        }
    }

    /// Does a declaration start here? (In a block: else it is a statement.)
    pub(super) fn starts_declaration(&self) -> bool {
        let mut n = 0;
        while self.ahead(n).kind == T::Extension {
            n += 1;
        }
        let token = self.ahead(n);
        match token.kind {
            T::Typedef
            | T::Extern
            | T::Static
            | T::Auto
            | T::Register
            | T::Inline
            | T::Noreturn
            | T::ThreadLocal
            | T::StaticAssert => true,
            T::Ident if self.ahead(n + 1).kind == T::Colon => false,
            T::Ident if self.ahead(n + 1).kind == T::Ident => {
                // `Unknown name …`: surely meant as a declaration.
                self.starts_type(token) || self.scopes.ordinary.get(token.symbol).is_none()
            }
            T::Attribute => {
                // An attribute alone is a statement (`__attribute__((fallthrough));`), and it may stand in front of one
                // (`__attribute__((hint)) for …`, which clang accepts); else it belongs to a declaration.
                let mut depth = 0;
                for i in n + 1.. {
                    match self.ahead(i).kind {
                        T::LParen => depth += 1,
                        T::RParen => depth -= 1,
                        T::Eof => return false,
                        _ => {}
                    }
                    if depth == 0 {
                        return !matches!(
                            self.ahead(i + 1).kind,
                            T::Semi
                                | T::Colon
                                | T::Case
                                | T::Default
                                | T::LBrace
                                | T::RBrace
                                | T::For
                                | T::While
                                | T::Do
                                | T::If
                                | T::Switch
                                | T::Return
                                | T::Goto
                                | T::Break
                                | T::Continue
                        );
                    }
                }
                false
            }
            _ => self.starts_type(token),
        }
    }

    /// Declaration specifiers. `storage_allowed` is false in type names and members.
    pub(super) fn specifiers(&mut self, storage_allowed: bool) -> Result<Specifiers> {
        let start = self.span();
        let int = self.int();
        let mut specifiers = Specifiers {
            ty: int,
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            align: 0,
            attributes: Attributes::default(),
            span: start,
            auto_type: false,
            tag: false,
            implicit_int: false,
            broken: None,
        };
        let mut words = TypeWords::default();
        let mut quals = Quals::default();
        let outer_soft = self.soft.take();
        loop {
            let token = self.token();
            match token.kind {
                T::Extension => {}
                // `auto x = …` has the type of what it is set to (C23).
                T::Auto if self.ahead(1).kind == T::Ident && self.ahead(2).kind == T::Assign => {
                    words.auto_type = true;
                }
                T::Typedef | T::Extern | T::Static | T::Auto | T::Register => {
                    let class = match token.kind {
                        T::Typedef => StorageClass::Typedef,
                        T::Extern => StorageClass::Extern,
                        T::Static => StorageClass::Static,
                        T::Auto => StorageClass::Auto,
                        _ => StorageClass::Register,
                    };
                    if !storage_allowed {
                        self.error(
                            token.span,
                            format!("storage class '{}' is not allowed here", token.kind.text()),
                        );
                    } else if specifiers.storage.is_some_and(|s| s != class) {
                        self.error(token.span, "more than one storage class in a declaration");
                    }
                    specifiers.storage = Some(class);
                }
                T::ThreadLocal => specifiers.thread_local = true,
                T::Inline => specifiers.inline = true,
                T::Noreturn => specifiers.noreturn = true,
                T::Const => quals.is_const = true,
                T::Volatile => quals.is_volatile = true,
                T::Restrict => quals.is_restrict = true,
                T::Nullability => {}
                T::Atomic if self.ahead(1).kind == T::LParen => {
                    self.advance();
                    let ty = self.parenthesised_type()?;
                    quals.is_atomic = true;
                    self.base(&mut words, Base::Other(ty), token);
                    continue;
                }
                T::Atomic => quals.is_atomic = true,
                T::Attribute => {
                    self.attributes(&mut specifiers.attributes)?;
                    continue;
                }
                T::LBracket if self.ahead(1).kind == T::LBracket => {
                    self.attributes(&mut specifiers.attributes)?;
                    continue;
                }
                T::Alignas => {
                    self.advance();
                    specifiers.align = specifiers.align.max(self.alignas()?);
                    continue;
                }
                T::Struct | T::Union => {
                    let ty = self.record_specifier()?;
                    self.base(&mut words, Base::Other(ty), token);
                    specifiers.tag = true;
                    continue;
                }
                T::Enum => {
                    let ty = self.enum_specifier()?;
                    self.base(&mut words, Base::Other(ty), token);
                    specifiers.tag = true;
                    continue;
                }
                T::Typeof | T::TypeofUnqual => {
                    let ty = self.typeof_specifier()?;
                    self.base(&mut words, Base::Other(ty), token);
                    continue;
                }
                T::AutoType => words.auto_type = true,
                T::Ident if words.open() => {
                    match self.scopes.ordinary.get(token.symbol).map(|e| e.binding) {
                        Some(Binding::Typedef(ty)) => self.base(&mut words, Base::Other(ty), token),
                        Some(Binding::Broken(index)) if self.broken[index as usize].is_type => {
                            self.broken_type(index, token);
                            self.base(&mut words, Base::Other(int), token);
                        }
                        None if self.unknown_type_name(token) => {
                            self.base(&mut words, Base::Other(int), token)
                        }
                        _ => break,
                    }
                }
                T::Ident => break,
                // glibc's headers make typedefs of these names for compilers without the types.
                T::Float32 | T::Float64 | T::Float128 | T::Float32x | T::Float64x
                    if words.base.is_some() =>
                {
                    break;
                }
                _ => {
                    if !self.type_word(&mut words, token) {
                        break;
                    }
                }
            }
            self.pos += 1;
        }
        let end = self.previous();
        specifiers.span = start.to(end);
        specifiers.auto_type = words.auto_type;
        if words.any() {
            specifiers.ty = self.type_of_words(&words, specifiers.span);
        } else {
            specifiers.implicit_int = true;
        }
        let attributes = std::mem::take(&mut specifiers.attributes);
        specifiers.ty = self.attributed_type(specifiers.ty, &attributes);
        specifiers.noreturn |= attributes.noreturn;
        specifiers.attributes = Attributes {
            vector_size: None,
            vector_lanes: None,
            mode: None,
            ..attributes
        };
        if quals != Quals::default() {
            specifiers.ty = self.sema.unit.types.qualified(specifiers.ty, quals);
        }
        specifiers.broken = std::mem::replace(&mut self.soft, outer_soft);
        if let Some(broken) = &specifiers.broken {
            self.soft.get_or_insert_with(|| broken.clone());
        }
        Ok(specifiers)
    }

    fn base(&mut self, words: &mut TypeWords, base: Base, token: Token) {
        if words.base.is_some() {
            self.error(token.span, "two or more data types in one declaration");
        }
        words.base = Some(base);
    }

    /// One word of an arithmetic type; false if the token is something else.
    fn type_word(&mut self, words: &mut TypeWords, token: Token) -> bool {
        let base = match token.kind {
            T::Void => Base::Void,
            T::CharType => Base::Char,
            T::Int => Base::Int,
            T::Float => Base::Float,
            T::Double => Base::Double,
            T::Bool => Base::Known(Basic::Bool),
            T::Int128 => Base::Known(Basic::Int128),
            T::Float16 => Base::Known(Basic::Float16),
            T::Float32 => Base::Known(Basic::Float),
            T::Float64 | T::Float32x => Base::Known(Basic::Double),
            T::Float64x => Base::Known(Basic::LongDouble),
            T::Float128 => Base::Known(Basic::Float128),
            T::BFloat16 | T::Decimal | T::BitInt | T::Imaginary => {
                let text = String::from_utf8_lossy(self.bytes(token.span)).into_owned();
                self.soft_error(Diagnostic::unsupported(
                    token.span,
                    format!("type '{text}' is not supported"),
                ));
                if token.kind == T::BitInt && self.ahead(1).kind == T::LParen {
                    self.advance();
                    self.skip_balanced();
                    self.pos -= 1;
                }
                Base::Double
            }
            T::Signed => {
                words.signed = true;
                return true;
            }
            T::Unsigned => {
                words.unsigned = true;
                return true;
            }
            T::Short => {
                words.short = true;
                return true;
            }
            T::Long => {
                words.long += 1;
                return true;
            }
            T::Complex => {
                words.complex = true;
                return true;
            }
            _ => return false,
        };
        self.base(words, base, token);
        true
    }

    fn type_of_words(&mut self, words: &TypeWords, span: Span) -> CTy {
        let (signed, unsigned, short, long) =
            (words.signed, words.unsigned, words.short, words.long);
        let sized = short || long > 0;
        let invalid = (signed && unsigned)
            || (short && long > 0)
            || long > 2
            || match words.base {
                None | Some(Base::Int) => false,
                Some(Base::Char) => sized || words.complex,
                Some(Base::Known(Basic::Int128)) => sized || words.complex,
                Some(Base::Double) => signed || unsigned || short || long > 1,
                Some(_) => signed || unsigned || sized,
            };
        if invalid {
            if words.complex && !sized {
                self.complex_of(Basic::Int, span);
            } else {
                self.error(span, "invalid combination of type specifiers");
            }
            return self.int();
        }
        let basic = match words.base {
            Some(Base::Void) => return self.sema.unit.types.void(),
            Some(Base::Other(ty)) if !words.complex => return ty,
            Some(Base::Other(ty)) => self.sema.unit.types.arithmetic(ty).unwrap_or(Basic::Int),
            Some(Base::Char) if unsigned => Basic::UChar,
            Some(Base::Char) if signed => Basic::SChar,
            Some(Base::Char) => Basic::Char,
            Some(Base::Known(Basic::Int128)) if unsigned => Basic::UInt128,
            Some(Base::Known(basic)) => basic,
            Some(Base::Float) => Basic::Float,
            Some(Base::Double) if long == 1 => Basic::LongDouble,
            Some(Base::Double) => Basic::Double,
            // `_Complex` alone is `_Complex double`.
            None if words.complex && !signed && !unsigned && !sized => Basic::Double,
            None | Some(Base::Int) => match (short, long, unsigned) {
                (true, _, false) => Basic::Short,
                (true, _, true) => Basic::UShort,
                (_, 1, false) => Basic::Long,
                (_, 1, true) => Basic::ULong,
                (_, 2, false) => Basic::LongLong,
                (_, 2, true) => Basic::ULongLong,
                (_, _, false) => Basic::Int,
                (_, _, true) => Basic::UInt,
            },
        };
        let basic = if words.complex {
            self.complex_of(basic, span)
        } else {
            basic
        };
        self.sema.unit.types.basic(basic)
    }

    fn complex_of(&mut self, basic: Basic, span: Span) -> Basic {
        match basic {
            Basic::Float => Basic::ComplexFloat,
            Basic::Double => Basic::ComplexDouble,
            Basic::LongDouble => Basic::ComplexLongDouble,
            _ => {
                self.soft_error(
                    Diagnostic::unsupported(span, "this complex type is not supported")
                        .label("only complex float, double and long double are")
                        .help("use '_Complex double'"),
                );
                Basic::ComplexDouble
            }
        }
    }

    fn broken_type(&mut self, index: u32, token: Token) {
        let name = self.name(token.symbol).into_owned();
        let broken = &mut self.broken[index as usize];
        let reason = broken.reason.clone();
        if self.in_system {
            self.soft.get_or_insert(reason);
        } else if !std::mem::replace(&mut broken.reported, true) {
            let diagnostic = Diagnostic::error(
                token.span,
                format!(
                    "type '{name}' is declared in a system header in a way that cannot be read"
                ),
            );
            self.report(diagnostic.related(reason.span, reason.message));
        }
    }

    /// `Unknown x`, `Unknown *x`: reports the type. In a parameter list or at the start of a declaration only.
    fn unknown_type_name(&mut self, token: Token) -> bool {
        let next = self.ahead(1).kind;
        let looks_like = next == T::Ident
            || (next == T::Star
                && matches!(
                    self.ahead(2).kind,
                    T::Ident | T::Star | T::Const | T::RParen | T::Comma
                ));
        if !looks_like {
            return false;
        }
        let name = self.name(token.symbol).into_owned();
        let mut diagnostic = Diagnostic::error(token.span, format!("unknown type name '{name}'"))
            .label("no type of this name is known");
        if let Some(keyword) = self.tag_keyword(token.symbol) {
            diagnostic = diagnostic.help(format!("write '{keyword} {name}'"));
        } else if let Some(header) = header_of(&name) {
            diagnostic = diagnostic.help(format!("it is declared in <{header}>: include that"));
        } else if let Some(similar) =
            self.similar_name(token.symbol, |b| matches!(b, Binding::Typedef(_)))
        {
            diagnostic = diagnostic.help(format!("did you mean '{similar}'?"));
        }
        self.report(diagnostic);
        true
    }

    fn alignas(&mut self) -> Result<u64> {
        let open = self.expect(T::LParen)?;
        let value = if self.starts_type(self.token()) {
            let (ty, _) = self.type_name()?;
            self.sema.unit.types.align_of(ty)
        } else {
            let value = self.conditional()?;
            match self.sema.const_int(&value) {
                Some(n) if n == 0 || (n > 0 && n <= 1 << 28 && (n as u64).is_power_of_two()) => {
                    n as u64
                }
                _ if self.sema.is_error(&value) => 0,
                _ => {
                    self.error(value.span, "the alignment is not a constant power of two");
                    0
                }
            }
        };
        self.expect_close(T::RParen, open)?;
        Ok(value)
    }

    fn typeof_specifier(&mut self) -> Result<CTy> {
        let unqualified = self.advance().kind == T::TypeofUnqual;
        let open = self.expect(T::LParen)?;
        let ty = if self.starts_type(self.token())
            || self.at(T::Extension) && self.starts_type(self.ahead(1))
        {
            self.type_name()?.0
        } else {
            self.expression()?.ty
        };
        self.expect_close(T::RParen, open)?;
        Ok(if unqualified {
            self.sema.unit.types.unqualified(ty)
        } else {
            ty
        })
    }

    /// `( type )`
    pub(super) fn parenthesised_type(&mut self) -> Result<CTy> {
        let open = self.expect(T::LParen)?;
        let (ty, _) = self.type_name()?;
        self.expect_close(T::RParen, open)?;
        Ok(ty)
    }

    /// A type name: specifiers and an abstract declarator. Also the ids of the variable-length types that it makes.
    pub(super) fn type_name(&mut self) -> Result<(CTy, Vec<u32>)> {
        let mark = self.sema.vlas.len();
        if !self.starts_type(self.token()) && !matches!(self.kind(), T::Extension | T::Attribute) {
            return Err(self.expected("a type name"));
        }
        self.enter()?;
        let specifiers = self.specifiers(false)?;
        let mut declarator = self.declarator(super::declarators::Naming::Abstract)?;
        let ty = self.declared_type(
            specifiers.ty,
            &mut declarator,
            super::declarators::Place::TypeName,
        );
        self.leave();
        let ids = self
            .sema
            .vlas
            .get(mark..)
            .unwrap_or(&[])
            .iter()
            .map(|v| v.0)
            .collect();
        Ok((ty, ids))
    }

    /// Is the type a function type?
    pub(super) fn is_function(&self, ty: CTy) -> bool {
        matches!(self.sema.unit.types.shape(ty), CTypeKind::Function { .. })
    }
}
