//! Tokens: their kinds, the keyword table with its alternate spellings, and the interner for names.

use crate::ast::Span;
use std::collections::HashMap;

macro_rules! tokens {
    (punctuation { $($p:ident $pt:literal)* } keywords { $($k:ident [$kt:literal $($alt:literal)*])* }) => {
        /// The kind of a token.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum T {
            Eof,
            Ident,
            Number,
            Char,
            Str,
            /// `#pragma omp`: the directive's tokens follow, up to `PragmaEnd`.
            PragmaOmp,
            PragmaEnd,
            $($p,)*
            $($k,)*
        }

        impl T {
            /// The spelling of punctuation and keywords; a description of the other kinds.
            pub fn text(self) -> &'static str {
                match self {
                    T::Eof => "end of file",
                    T::Ident => "identifier",
                    T::Number => "number",
                    T::Char => "character constant",
                    T::Str => "string literal",
                    T::PragmaOmp => "#pragma omp",
                    T::PragmaEnd => "end of the pragma",
                    $(T::$p => $pt,)*
                    $(T::$k => $kt,)*
                }
            }
        }

        /// Every spelling of every keyword.
        pub(crate) const KEYWORDS: &[(&str, T)] = &[$(($kt, T::$k), $(($alt, T::$k),)*)*];
    };
}

tokens! {
    punctuation {
        LParen "(" RParen ")" LBrace "{" RBrace "}" LBracket "[" RBracket "]"
        Semi ";" Comma "," Dot "." Ellipsis "..." Arrow "->" Colon ":" Question "?"
        Plus "+" Minus "-" Star "*" Slash "/" Percent "%" PlusPlus "++" MinusMinus "--"
        Amp "&" Pipe "|" Caret "^" Tilde "~" Bang "!" AmpAmp "&&" PipePipe "||"
        Shl "<<" Shr ">>" Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" Ne "!="
        Assign "=" PlusAssign "+=" MinusAssign "-=" StarAssign "*=" SlashAssign "/=" PercentAssign "%="
        AmpAssign "&=" PipeAssign "|=" CaretAssign "^=" ShlAssign "<<=" ShrAssign ">>="
        Hash "#" HashHash "##"
    }
    keywords {
        Auto ["auto"] Break ["break"] Case ["case"] Continue ["continue"] Default ["default"] Do ["do"]
        Else ["else"] Extern ["extern"] For ["for"] Goto ["goto"] If ["if"] Register ["register"]
        Return ["return"] Sizeof ["sizeof"] Static ["static"] Switch ["switch"] Typedef ["typedef"] While ["while"]
        Void ["void"] CharType ["char"] Short ["short"] Int ["int"] Long ["long"] Float ["float"] Double ["double"]
        Signed ["signed" "__signed" "__signed__"] Unsigned ["unsigned"]
        Struct ["struct"] Union ["union"] Enum ["enum"]
        Const ["const" "__const" "__const__" "constexpr"] Volatile ["volatile" "__volatile" "__volatile__"]
        Restrict ["restrict" "__restrict" "__restrict__"]
        Inline ["inline" "__inline" "__inline__"]
        Nullability ["_Nonnull" "_Nullable" "_Null_unspecified"]
        Alignas ["_Alignas" "alignas"] Alignof ["_Alignof" "__alignof" "__alignof__" "alignof"] Atomic ["_Atomic"] Bool ["_Bool"]
        Complex ["_Complex" "__complex" "__complex__"] Generic ["_Generic"] Noreturn ["_Noreturn"]
        StaticAssert ["_Static_assert" "static_assert"] ThreadLocal ["_Thread_local" "__thread" "thread_local"]
        Int128 ["__int128"] Float16 ["_Float16"] Float32 ["_Float32"] Float64 ["_Float64"] Float128 ["_Float128" "__float128"]
        Float32x ["_Float32x"] Float64x ["_Float64x" "__float80"] BFloat16 ["__bf16"]
        Decimal ["_Decimal32" "_Decimal64" "_Decimal128"] BitInt ["_BitInt"] Imaginary ["_Imaginary"]
        Typeof ["typeof" "__typeof" "__typeof__"] TypeofUnqual ["__typeof_unqual" "__typeof_unqual__" "typeof_unqual"] AutoType ["__auto_type"]
        Extension ["__extension__"] Attribute ["__attribute__" "__attribute"] Asm ["asm" "__asm" "__asm__"]
        Label ["__label__"] Real ["__real__" "__real"] Imag ["__imag__" "__imag"]
        FuncName ["__func__" "__FUNCTION__" "__PRETTY_FUNCTION__"]
        BuiltinVaArg ["__builtin_va_arg"] BuiltinOffsetof ["__builtin_offsetof"]
        BuiltinTypesCompatible ["__builtin_types_compatible_p"] BuiltinChooseExpr ["__builtin_choose_expr"]
        BuiltinConvertVector ["__builtin_convertvector"] BuiltinTgmath ["__builtin_tgmath"]
        BuiltinHasAttribute ["__builtin_has_attribute"]
    }
}

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// A token. `symbol` is meaningful for names and keywords.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Token {
    pub kind: T,
    pub symbol: Symbol,
    pub span: Span,
}

/// Names by number. Keywords come first, so that a name's number says whether it is one.
#[derive(Debug)]
pub(crate) struct Interner<'t> {
    names: Vec<&'t [u8]>,
    index: HashMap<&'t [u8], u32, Hasher>,
}

impl<'t> Interner<'t> {
    pub fn new() -> Self {
        let mut interner = Interner {
            names: Vec::with_capacity(4096),
            index: HashMap::with_capacity_and_hasher(4096, Hasher::default()),
        };
        for (text, _) in KEYWORDS {
            interner.intern(text.as_bytes());
        }
        interner
    }

    pub fn intern(&mut self, name: &'t [u8]) -> Symbol {
        let next = self.names.len() as u32;
        let number = *self.index.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        Symbol(number)
    }

    /// The kind of a name: a keyword or an identifier.
    pub fn kind(&self, symbol: Symbol) -> T {
        KEYWORDS.get(symbol.0 as usize).map_or(T::Ident, |k| k.1)
    }

    pub fn name(&self, symbol: Symbol) -> &'t [u8] {
        self.names[symbol.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }
}

/// A small multiplicative hash: names are short, and nobody attacks a compiler through them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hasher(u64);

impl std::hash::BuildHasher for Hasher {
    type Hasher = Hasher;
    fn build_hasher(&self) -> Hasher {
        Hasher(0)
    }
}

impl std::hash::Hasher for Hasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}
