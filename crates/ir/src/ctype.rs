//! C types: one interned table per module, shared by the front end (which types
//! expressions with it), the IR (which remembers how things were declared) and
//! the emitter (which prints declarations from it).
//!
//! The layout is that of the System V x86-64 ABI (LP64).

use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::HashMap;

/// A C type, as written (typedef names and qualifiers are kept).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CTy(u32);
entity_impl!(CTy, "t");

/// A struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Record(u32);
entity_impl!(Record, "rec");

/// An enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Enum(u32);
entity_impl!(Enum, "enum");

/// The basic arithmetic types of C. `Char` is signed on this target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Basic {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
#[allow(missing_docs)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

/// The shape of a C type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CTypeKind {
    /// `void`
    Void,
    /// An arithmetic type.
    Basic(Basic),
    /// Pointer to a type.
    Pointer(CTy),
    /// Array; `len` is `None` for incomplete arrays and flexible members.
    Array {
        /// Element type.
        elem: CTy,
        /// Number of elements.
        len: Option<u64>,
    },
    /// Variable-length array. `id` names the length expression inside the function that
    /// declares it (each evaluated declarator has its own); `[*]` has `u32::MAX`.
    Vla {
        /// Element type.
        elem: CTy,
        /// Identity of the length expression.
        id: u32,
    },
    /// Struct or union.
    Record(Record),
    /// Enumeration; arithmetic is that of its underlying type.
    Enum(Enum),
    /// Function.
    Function {
        /// Return type.
        ret: CTy,
        /// Parameter types, already adjusted (arrays and functions are pointers).
        params: Vec<CTy>,
        /// Ends in `...`.
        variadic: bool,
        /// `false` for `f()` in the old style.
        prototyped: bool,
    },
    /// A typedef name: sugar for its target.
    Typedef {
        /// The name.
        name: String,
        /// What it stands for.
        target: CTy,
    },
    /// A qualified type.
    Qualified {
        /// The qualifiers.
        quals: Quals,
        /// The type they apply to.
        inner: CTy,
    },
    /// A GNU vector type.
    Vector {
        /// Element type.
        elem: CTy,
        /// Number of elements.
        lanes: u64,
    },
    /// The target's `__builtin_va_list` (an array of one 24-byte record).
    VaList,
}

/// A member of a struct or union. Anonymous struct and union members have no name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Name, unless anonymous (nested record, or unnamed bit-field).
    pub name: Option<String>,
    /// Declared type.
    pub ty: CTy,
    /// Offset in bytes. For a bit-field: of the first byte of its storage unit, that is the
    /// aligned unit of the declared type that contains it (or, when packed, of its first byte).
    pub offset: u64,
    /// For a bit-field: the first bit, counted from bit 0 of the byte at `offset`, and the width.
    pub bits: Option<(u32, u32)>,
}

/// Where a tag was declared; the emitter must repeat block-scope definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum TagScope {
    #[default]
    File,
    Block,
}

/// A struct or union definition.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct RecordData {
    pub is_union: bool,
    pub tag: Option<String>,
    pub scope: TagScope,
    /// A file-scope typedef that names the type, if there is one.
    pub typedef_name: Option<String>,
    /// `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    pub size: u64,
    pub align: u64,
    pub packed: bool,
}

/// An enumeration definition.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct EnumData {
    pub tag: Option<String>,
    pub scope: TagScope,
    pub typedef_name: Option<String>,
    pub constants: Vec<(String, i128)>,
    pub underlying: Basic,
    pub complete: bool,
}

/// The interned types of a module.
#[derive(Clone, Default)]
pub struct CTypes {
    kinds: PrimaryMap<CTy, CTypeKind>,
    interned: HashMap<CTypeKind, CTy>,
    /// Struct and union definitions.
    pub records: PrimaryMap<Record, RecordData>,
    /// Enumerations.
    pub enums: PrimaryMap<Enum, EnumData>,
}

impl PartialEq for CTypes {
    fn eq(&self, other: &Self) -> bool {
        // The intern table follows from the types.
        self.kinds == other.kinds && self.records == other.records && self.enums == other.enums
    }
}

impl std::fmt::Debug for CTypes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CTypes({} types)", self.kinds.len())
    }
}

impl CTypes {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The unique id of a shape.
    pub fn intern(&mut self, kind: CTypeKind) -> CTy {
        if let Some(&t) = self.interned.get(&kind) {
            return t;
        }
        let t = self.kinds.push(kind.clone());
        self.interned.insert(kind, t);
        t
    }

    /// The shape of a type, sugar and all.
    pub fn kind(&self, t: CTy) -> &CTypeKind {
        &self.kinds[t]
    }

    /// Is it a type of this table?
    pub fn contains(&self, t: CTy) -> bool {
        self.kinds.is_valid(t)
    }

    /// All types in order of interning.
    pub fn all(&self) -> impl Iterator<Item = (CTy, &CTypeKind)> {
        self.kinds.iter()
    }

    /// `void`
    pub fn void(&mut self) -> CTy {
        self.intern(CTypeKind::Void)
    }
    /// A basic type.
    pub fn basic(&mut self, b: Basic) -> CTy {
        self.intern(CTypeKind::Basic(b))
    }
    /// Pointer to `t`.
    pub fn pointer(&mut self, t: CTy) -> CTy {
        self.intern(CTypeKind::Pointer(t))
    }
    /// Array of `len` elements.
    pub fn array(&mut self, elem: CTy, len: Option<u64>) -> CTy {
        self.intern(CTypeKind::Array { elem, len })
    }
    /// `t` with qualifiers added (merged with those it has).
    pub fn qualified(&mut self, t: CTy, q: Quals) -> CTy {
        if q == Quals::default() {
            return t;
        }
        if let CTypeKind::Qualified { quals, inner } = *self.kind(t) {
            return self.intern(CTypeKind::Qualified {
                quals: quals.union(q),
                inner,
            });
        }
        self.intern(CTypeKind::Qualified { quals: q, inner: t })
    }

    /// The type without typedef names and top-level qualifiers.
    pub fn strip(&self, mut t: CTy) -> CTy {
        loop {
            match self.kinds[t] {
                CTypeKind::Typedef { target, .. } => t = target,
                CTypeKind::Qualified { inner, .. } => t = inner,
                _ => return t,
            }
        }
    }

    /// The shape without typedef names and top-level qualifiers.
    pub fn shape(&self, t: CTy) -> &CTypeKind {
        &self.kinds[self.strip(t)]
    }

    /// The type without its own top-level qualifiers, typedef name kept where that is enough.
    pub fn unqualified(&self, t: CTy) -> CTy {
        match self.kinds[t] {
            CTypeKind::Qualified { inner, .. } => self.unqualified(inner),
            CTypeKind::Typedef { target, .. } if self.quals(target) != Quals::default() => {
                self.unqualified(target)
            }
            _ => t,
        }
    }

    /// All qualifiers of a type, through typedef names.
    pub fn quals(&self, mut t: CTy) -> Quals {
        let mut q = Quals::default();
        loop {
            match &self.kinds[t] {
                CTypeKind::Typedef { target, .. } => t = *target,
                CTypeKind::Qualified { quals, inner } => {
                    q = q.union(*quals);
                    t = *inner;
                }
                _ => return q,
            }
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, t: CTy) -> Option<CTy> {
        match *self.shape(t) {
            CTypeKind::Pointer(p) => Some(p),
            _ => None,
        }
    }

    /// The element type of an array or vector.
    pub fn element(&self, t: CTy) -> Option<CTy> {
        match *self.shape(t) {
            CTypeKind::Array { elem, .. }
            | CTypeKind::Vla { elem, .. }
            | CTypeKind::Vector { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// The arithmetic type, enumerations as their underlying type.
    pub fn arithmetic(&self, t: CTy) -> Option<Basic> {
        match *self.shape(t) {
            CTypeKind::Basic(b) => Some(b),
            CTypeKind::Enum(e) => Some(self.enums[e].underlying),
            _ => None,
        }
    }

    /// Size in bytes; `None` for incomplete, function and variable-length types. `void` is 1 (GNU).
    pub fn size_of(&self, t: CTy) -> Option<u64> {
        Some(match *self.shape(t) {
            CTypeKind::Void => 1,
            CTypeKind::Basic(b) => b.size(),
            CTypeKind::Pointer(_) => 8,
            CTypeKind::Array { elem, len } => self.size_of(elem)?.checked_mul(len?)?,
            CTypeKind::Vla { .. } => return None,
            CTypeKind::Record(r) => {
                self.records[r].fields.as_ref()?;
                self.records[r].size
            }
            CTypeKind::Enum(e) => self.enums[e].underlying.size(),
            CTypeKind::Function { .. } => return None,
            CTypeKind::Vector { elem, lanes } => self.size_of(elem)?.checked_mul(lanes)?,
            CTypeKind::VaList => 24,
            CTypeKind::Typedef { .. } | CTypeKind::Qualified { .. } => unreachable!("stripped"),
        })
    }

    /// Alignment in bytes (1 where unknown).
    pub fn align_of(&self, t: CTy) -> u64 {
        match *self.shape(t) {
            CTypeKind::Basic(b) => b.align(),
            CTypeKind::Pointer(_) | CTypeKind::VaList => 8,
            CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => self.align_of(elem),
            CTypeKind::Record(r) => self.records[r].align.max(1),
            CTypeKind::Enum(e) => self.enums[e].underlying.align(),
            CTypeKind::Vector { elem, lanes } => {
                let bytes = self.size_of(elem).unwrap_or(1).checked_mul(lanes);
                bytes.and_then(u64::checked_next_power_of_two).unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// The shape that memory of a type has: a vector is an array of its lanes.
    pub fn memory_shape(&self, t: CTy) -> std::borrow::Cow<'_, CTypeKind> {
        match *self.shape(t) {
            CTypeKind::Vector { elem, lanes } => std::borrow::Cow::Owned(CTypeKind::Array {
                elem,
                len: Some(lanes),
            }),
            _ => std::borrow::Cow::Borrowed(self.shape(t)),
        }
    }

    /// Is it a struct, union, array or other type that lives in memory only?
    pub fn is_aggregate(&self, t: CTy) -> bool {
        matches!(
            self.shape(t),
            CTypeKind::Record(_)
                | CTypeKind::Array { .. }
                | CTypeKind::Vla { .. }
                | CTypeKind::Vector { .. }
                | CTypeKind::VaList
        )
    }

    /// The record behind a type.
    pub fn record(&self, t: CTy) -> Option<Record> {
        match *self.shape(t) {
            CTypeKind::Record(r) => Some(r),
            _ => None,
        }
    }
}

impl Basic {
    /// Size in bytes.
    pub fn size(self) -> u64 {
        use Basic::*;
        match self {
            Bool | Char | SChar | UChar => 1,
            Short | UShort | Float16 => 2,
            Int | UInt | Float => 4,
            Long | ULong | LongLong | ULongLong | Double | ComplexFloat => 8,
            Int128 | UInt128 | LongDouble | Float128 | ComplexDouble => 16,
            ComplexLongDouble => 32,
        }
    }

    /// Alignment in bytes.
    pub fn align(self) -> u64 {
        use Basic::*;
        match self {
            ComplexFloat => 4,
            ComplexDouble => 8,
            ComplexLongDouble => 16,
            b => b.size(),
        }
    }

    /// A real floating type.
    pub fn is_float(self) -> bool {
        use Basic::*;
        matches!(self, Float16 | Float | Double | LongDouble | Float128)
    }

    /// A complex type.
    pub fn is_complex(self) -> bool {
        matches!(
            self,
            Basic::ComplexFloat | Basic::ComplexDouble | Basic::ComplexLongDouble
        )
    }

    /// An integer type, `_Bool` and characters included.
    pub fn is_integer(self) -> bool {
        !self.is_float() && !self.is_complex()
    }

    /// A signed integer type.
    pub fn is_signed(self) -> bool {
        use Basic::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }
}
