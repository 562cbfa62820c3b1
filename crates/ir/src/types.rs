//! The types of SSA values: C's arithmetic types by width and signedness, complex numbers and pointers.

use crate::ctype::{Basic, CTy, CTypeKind, CTypes};

/// The type of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Type {
    /// The result of a comparison, and C's `_Bool`; one byte in memory.
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F16,
    F32,
    F64,
    /// x87 `long double`, 16 bytes in memory.
    F80,
    F128,
    /// `float _Complex`
    C32,
    /// `double _Complex`
    C64,
    /// `long double _Complex`
    C80,
    /// Any pointer; what it points to is a fact about memory, not part of the type.
    Ptr,
    /// Several numbers that the same arithmetic is done to: made by derivatives in several directions, never by the front end.
    F32x2,
    F32x4,
    F32x8,
    F64x2,
    F64x4,
    F64x8,
}

impl Type {
    /// All types, in order.
    pub const ALL: [Type; 20] = [
        Type::Bool,
        Type::I8,
        Type::U8,
        Type::I16,
        Type::U16,
        Type::I32,
        Type::U32,
        Type::I64,
        Type::U64,
        Type::I128,
        Type::U128,
        Type::F16,
        Type::F32,
        Type::F64,
        Type::F80,
        Type::F128,
        Type::C32,
        Type::C64,
        Type::C80,
        Type::Ptr,
    ];

    /// The vector types, in order.
    pub const VECTORS: [Type; 6] = [
        Type::F32x2,
        Type::F32x4,
        Type::F32x8,
        Type::F64x2,
        Type::F64x4,
        Type::F64x8,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::I8 => "i8",
            Type::U8 => "u8",
            Type::I16 => "i16",
            Type::U16 => "u16",
            Type::I32 => "i32",
            Type::U32 => "u32",
            Type::I64 => "i64",
            Type::U64 => "u64",
            Type::I128 => "i128",
            Type::U128 => "u128",
            Type::F16 => "f16",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::F80 => "f80",
            Type::F128 => "f128",
            Type::C32 => "c32",
            Type::C64 => "c64",
            Type::C80 => "c80",
            Type::Ptr => "ptr",
            Type::F32x2 => "f32x2",
            Type::F32x4 => "f32x4",
            Type::F32x8 => "f32x8",
            Type::F64x2 => "f64x2",
            Type::F64x4 => "f64x4",
            Type::F64x8 => "f64x8",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Type> {
        let mut all = Type::ALL.into_iter().chain(Type::VECTORS);
        all.find(|t| t.name() == name)
    }

    /// Size in memory, in bytes.
    pub fn size(self) -> u64 {
        match self {
            Type::Bool | Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 | Type::F16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 | Type::C32 | Type::Ptr => 8,
            Type::I128 | Type::U128 | Type::F80 | Type::F128 | Type::C64 => 16,
            Type::C80 => 32,
            Type::F32x2 | Type::F32x4 | Type::F32x8 | Type::F64x2 | Type::F64x4 | Type::F64x8 => {
                self.element().size() * self.lanes()
            }
        }
    }

    /// The number of elements of a vector; 1 for anything else.
    pub fn lanes(self) -> u64 {
        match self {
            Type::F32x2 | Type::F64x2 => 2,
            Type::F32x4 | Type::F64x4 => 4,
            Type::F32x8 | Type::F64x8 => 8,
            _ => 1,
        }
    }

    /// Several numbers?
    pub fn is_vector(self) -> bool {
        self.lanes() > 1
    }

    /// The type of a vector's elements; any other type is its own.
    pub fn element(self) -> Type {
        match self {
            Type::F32x2 | Type::F32x4 | Type::F32x8 => Type::F32,
            Type::F64x2 | Type::F64x4 | Type::F64x8 => Type::F64,
            t => t,
        }
    }

    /// The vector of so many elements of this type, if there is one; one element is the type itself.
    pub fn vector(self, lanes: u64) -> Option<Type> {
        let mut all = Type::VECTORS.into_iter();
        match lanes {
            1 => Some(self),
            _ => all.find(|t| t.element() == self && t.lanes() == lanes),
        }
    }

    /// Real floating point.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Type::F16 | Type::F32 | Type::F64 | Type::F80 | Type::F128
        )
    }

    /// Complex.
    pub fn is_complex(self) -> bool {
        matches!(self, Type::C32 | Type::C64 | Type::C80)
    }

    /// Integer, `bool` excluded.
    pub fn is_int(self) -> bool {
        let other = self.is_float() || self.is_complex() || self.is_vector();
        !other && !matches!(self, Type::Bool | Type::Ptr)
    }

    /// Signed integer.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128
        )
    }

    /// Width of an integer in bits (`bool` is 1).
    pub fn bits(self) -> u32 {
        if self == Type::Bool {
            1
        } else {
            (self.size() * 8) as u32
        }
    }

    /// The real type of a complex type's parts.
    pub fn part(self) -> Option<Type> {
        match self {
            Type::C32 => Some(Type::F32),
            Type::C64 => Some(Type::F64),
            Type::C80 => Some(Type::F80),
            _ => None,
        }
    }

    /// The complex type whose parts have this type.
    pub fn complex(self) -> Option<Type> {
        match self {
            Type::F32 => Some(Type::C32),
            Type::F64 => Some(Type::C64),
            Type::F80 => Some(Type::C80),
            _ => None,
        }
    }

    /// The value type of a basic C type.
    pub fn of_basic(b: Basic) -> Type {
        match b {
            Basic::Bool => Type::Bool,
            Basic::Char | Basic::SChar => Type::I8,
            Basic::UChar => Type::U8,
            Basic::Short => Type::I16,
            Basic::UShort => Type::U16,
            Basic::Int => Type::I32,
            Basic::UInt => Type::U32,
            Basic::Long | Basic::LongLong => Type::I64,
            Basic::ULong | Basic::ULongLong => Type::U64,
            Basic::Int128 => Type::I128,
            Basic::UInt128 => Type::U128,
            Basic::Float16 => Type::F16,
            Basic::Float => Type::F32,
            Basic::Double => Type::F64,
            Basic::LongDouble => Type::F80,
            Basic::Float128 => Type::F128,
            Basic::ComplexFloat => Type::C32,
            Basic::ComplexDouble => Type::C64,
            Basic::ComplexLongDouble => Type::C80,
        }
    }

    /// The value type of a C type; `None` for `void` and for what lives in memory only.
    pub fn of_ctype(types: &CTypes, t: CTy) -> Option<Type> {
        match types.shape(t) {
            CTypeKind::Pointer(_) => Some(Type::Ptr),
            _ => types.arithmetic(t).map(Type::of_basic),
        }
    }

    /// The C type that a value of this type has where nothing better is known.
    pub fn default_basic(self) -> Option<Basic> {
        Some(match self {
            Type::Bool => Basic::Bool,
            Type::I8 => Basic::SChar,
            Type::U8 => Basic::UChar,
            Type::I16 => Basic::Short,
            Type::U16 => Basic::UShort,
            Type::I32 => Basic::Int,
            Type::U32 => Basic::UInt,
            Type::I64 => Basic::Long,
            Type::U64 => Basic::ULong,
            Type::I128 => Basic::Int128,
            Type::U128 => Basic::UInt128,
            Type::F16 => Basic::Float16,
            Type::F32 => Basic::Float,
            Type::F64 => Basic::Double,
            Type::F80 => Basic::LongDouble,
            Type::F128 => Basic::Float128,
            Type::C32 => Basic::ComplexFloat,
            Type::C64 => Basic::ComplexDouble,
            Type::C80 => Basic::ComplexLongDouble,
            _ => return None,
        })
    }
}
