//! The module's C types, open for new ones: printing an expression needs types that the source never
//! wrote (pointer to a member's type, promoted types), so the emitter works on a copy of the table.

use adjoin_ir::ctype::{Enum, EnumData, Field, Record, RecordData};
use adjoin_ir::{Basic, CTy, CTypeKind, CTypes, Quals, Type};
use std::cell::RefCell;

/// The types of a module, which grow while the emitter works.
pub(crate) struct Types {
    table: RefCell<CTypes>,
    pub int: CTy,
    pub void: CTy,
    pub void_pointer: CTy,
    pub char_pointer: CTy,
}

impl Types {
    pub fn new(source: &CTypes) -> Self {
        let mut table = source.clone();
        let int = table.basic(Basic::Int);
        let void = table.void();
        let void_pointer = table.pointer(void);
        let char = table.basic(Basic::Char);
        let char_pointer = table.pointer(char);
        Types {
            table: RefCell::new(table),
            int,
            void,
            void_pointer,
            char_pointer,
        }
    }

    pub fn with<R>(&self, f: impl FnOnce(&CTypes) -> R) -> R {
        f(&self.table.borrow())
    }

    pub fn kind(&self, t: CTy) -> CTypeKind {
        self.table.borrow().kind(t).clone()
    }
    pub fn shape(&self, t: CTy) -> CTypeKind {
        self.table.borrow().shape(t).clone()
    }
    pub fn basic(&self, b: Basic) -> CTy {
        self.table.borrow_mut().basic(b)
    }
    pub fn pointer(&self, t: CTy) -> CTy {
        self.table.borrow_mut().pointer(t)
    }
    pub fn intern(&self, kind: CTypeKind) -> CTy {
        self.table.borrow_mut().intern(kind)
    }
    pub fn array(&self, elem: CTy, len: Option<u64>) -> CTy {
        self.table.borrow_mut().array(elem, len)
    }
    pub fn incomplete_array(&self, elem: CTy) -> CTy {
        self.table.borrow_mut().array(elem, None)
    }
    pub fn qualified(&self, t: CTy, q: Quals) -> CTy {
        self.table.borrow_mut().qualified(t, q)
    }
    pub fn quals(&self, t: CTy) -> Quals {
        self.table.borrow().quals(t)
    }
    pub fn unqualified(&self, t: CTy) -> CTy {
        self.table.borrow().unqualified(t)
    }
    pub fn pointee(&self, t: CTy) -> Option<CTy> {
        self.table.borrow().pointee(t)
    }
    /// The element type of a vector.
    pub fn vector_element(&self, t: CTy) -> Option<CTy> {
        match *self.table.borrow().shape(t) {
            CTypeKind::Vector { elem, .. } => Some(elem),
            _ => None,
        }
    }
    /// The element type of an array (not of a vector).
    pub fn array_element(&self, t: CTy) -> Option<CTy> {
        let elem = match *self.table.borrow().shape(t) {
            CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => elem,
            _ => return None,
        };
        // The qualifiers of an array are its elements'.
        let q = self.quals(t);
        if !q.is_const && !q.is_volatile {
            return Some(elem);
        }
        let inherited = Quals {
            is_const: q.is_const,
            is_volatile: q.is_volatile,
            ..Quals::default()
        };
        Some(self.qualified(elem, inherited))
    }
    pub fn arithmetic(&self, t: CTy) -> Option<Basic> {
        self.table.borrow().arithmetic(t)
    }
    pub fn size_of(&self, t: CTy) -> Option<u64> {
        self.table.borrow().size_of(t)
    }
    pub fn is_aggregate(&self, t: CTy) -> bool {
        self.table.borrow().is_aggregate(t)
    }
    pub fn record_of(&self, t: CTy) -> Option<Record> {
        self.table.borrow().record(t)
    }
    pub fn record(&self, r: Record) -> RecordData {
        self.table.borrow().records[r].clone()
    }
    pub fn field(&self, r: Record, index: u32) -> Option<Field> {
        self.table.borrow().records[r]
            .fields
            .as_ref()?
            .get(index as usize)
            .cloned()
    }
    pub fn enumeration(&self, e: Enum) -> EnumData {
        self.table.borrow().enums[e].clone()
    }
    /// The IR type of values of a C type.
    pub fn value_type(&self, t: CTy) -> Option<Type> {
        let table = self.table.borrow();
        match *table.shape(t) {
            // The front end has no vectors; these are ours.
            CTypeKind::Vector { elem, lanes } => {
                Type::of_ctype(&table, elem).and_then(|t| t.vector(lanes))
            }
            _ => Type::of_ctype(&table, t),
        }
    }
    pub fn is_void(&self, t: CTy) -> bool {
        matches!(self.table.borrow().shape(t), CTypeKind::Void)
    }
    pub fn is_function(&self, t: CTy) -> bool {
        matches!(self.table.borrow().shape(t), CTypeKind::Function { .. })
    }
    pub fn is_pointer(&self, t: CTy) -> bool {
        matches!(self.table.borrow().shape(t), CTypeKind::Pointer(_))
    }
    /// The C type of a value of which nothing better is known.
    pub fn default_of(&self, t: Type) -> CTy {
        match t.element().default_basic() {
            Some(b) if t.is_vector() => self.intern(CTypeKind::Vector {
                elem: self.basic(b),
                lanes: t.lanes(),
            }),
            Some(b) => self.basic(b),
            None => self.void_pointer,
        }
    }

    /// The same type once typedef names and qualifiers are removed at every level.
    pub fn compatible(&self, a: CTy, b: CTy) -> bool {
        let table = self.table.borrow();
        same(&table, a, b)
    }

    /// Would `to = from` of pointers lose a qualifier of what they point to?
    pub fn drops_quals(&self, from: CTy, to: CTy) -> bool {
        let (f, t) = (self.innermost_quals(from), self.innermost_quals(to));
        (f.is_const && !t.is_const) || (f.is_volatile && !t.is_volatile)
    }

    /// For pointers to pointers: are the qualifiers below the first level the same?
    pub fn same_inner_quals(&self, a: CTy, b: CTy) -> bool {
        match (self.pointee(a), self.pointee(b)) {
            (Some(x), Some(y)) => {
                let (p, q) = (self.innermost_quals(x), self.innermost_quals(y));
                p.is_const == q.is_const
                    && p.is_volatile == q.is_volatile
                    && self.same_inner_quals(x, y)
            }
            _ => true,
        }
    }

    /// Pointers to arrays whose elements are qualified otherwise: before C23 they do not convert.
    pub fn other_array_quals(&self, from: CTy, to: CTy) -> bool {
        match (self.pointee(from), self.pointee(to)) {
            (Some(f), Some(t)) if self.array_element(f).is_some() => {
                let (p, q) = (self.innermost_quals(f), self.innermost_quals(t));
                self.array_element(t).is_some()
                    && (p.is_const != q.is_const || p.is_volatile != q.is_volatile)
            }
            _ => false,
        }
    }

    /// Qualifiers of a type; those of an array are its element's.
    fn innermost_quals(&self, t: CTy) -> Quals {
        let mut q = self.quals(t);
        if let Some(elem) = self.array_element(t) {
            let inner = self.innermost_quals(elem);
            q.is_const |= inner.is_const;
            q.is_volatile |= inner.is_volatile;
        }
        q
    }

    /// Does a variable-length array occur in the type? Such a type cannot be written again outside its declaration.
    pub fn has_vla(&self, t: CTy) -> bool {
        match self.shape(t) {
            CTypeKind::Vla { .. } => true,
            CTypeKind::Pointer(p) => self.has_vla(p),
            CTypeKind::Array { elem, .. } => self.has_vla(elem),
            _ => false,
        }
    }

    /// The `va_list` that a parameter was declared as: adjusted, it points to the type without a name.
    fn list_parameter(&self, t: CTy) -> Option<CTy> {
        self.pointee(t)
            .filter(|&p| matches!(self.kind(p), CTypeKind::VaList))
    }

    /// A function type whose parameters can be declared anywhere.
    pub fn without_vla(&self, function: CTy) -> CTy {
        match self.shape(function) {
            CTypeKind::Function {
                ret,
                params,
                variadic,
                prototyped,
            } if params
                .iter()
                .any(|&p| self.has_vla(p) || self.list_parameter(p).is_some()) =>
            {
                let params = params
                    .iter()
                    .map(|&p| self.list_parameter(p).unwrap_or_else(|| self.declarable(p)))
                    .collect();
                self.intern(CTypeKind::Function {
                    ret,
                    params,
                    variadic,
                    prototyped,
                })
            }
            _ => function,
        }
    }

    /// A type that can be declared anywhere: variable-length arrays under pointers become their elements, also where the pointers are in arrays or behind others.
    pub fn declarable(&self, t: CTy) -> CTy {
        if !self.has_vla(t) {
            return t;
        }
        let plain = match self.shape(t) {
            CTypeKind::Pointer(p) => {
                let mut inner = p;
                while self.is_variable(inner) {
                    match self.array_element(inner) {
                        Some(e) => inner = e,
                        None => return self.void_pointer,
                    }
                }
                self.pointer(self.declarable(inner))
            }
            CTypeKind::Array { elem, len } => self.array(self.declarable(elem), len),
            _ => return t,
        };
        self.qualified(plain, self.quals(t))
    }

    /// Does the size of a type depend on a length that is evaluated at run time?
    fn is_variable(&self, t: CTy) -> bool {
        match self.shape(t) {
            CTypeKind::Vla { .. } => true,
            CTypeKind::Array { elem, .. } => self.is_variable(elem),
            _ => false,
        }
    }
}

fn same(table: &CTypes, a: CTy, b: CTy) -> bool {
    let (a, b) = (table.strip(a), table.strip(b));
    if a == b {
        return true;
    }
    match (table.kind(a), table.kind(b)) {
        (CTypeKind::Pointer(x), CTypeKind::Pointer(y)) => same(table, *x, *y),
        (CTypeKind::Array { elem: x, len: n }, CTypeKind::Array { elem: y, len: m }) => {
            (n == m || n.is_none() || m.is_none()) && same(table, *x, *y)
        }
        (
            CTypeKind::Vla { elem: x, .. },
            CTypeKind::Vla { elem: y, .. } | CTypeKind::Array { elem: y, .. },
        )
        | (CTypeKind::Array { elem: x, .. }, CTypeKind::Vla { elem: y, .. }) => same(table, *x, *y),
        (
            CTypeKind::Function {
                ret: r,
                params: p,
                variadic: v,
                prototyped: k,
            },
            CTypeKind::Function {
                ret: s,
                params: q,
                variadic: w,
                prototyped: l,
            },
        ) => {
            same(table, *r, *s)
                && (!k
                    || !l
                    || (v == w
                        && p.len() == q.len()
                        && p.iter().zip(q).all(|(x, y)| same_parameter(table, *x, *y))))
        }
        (CTypeKind::Vector { elem: x, lanes: n }, CTypeKind::Vector { elem: y, lanes: m }) => {
            n == m && same(table, *x, *y)
        }
        _ => false,
    }
}

/// Are parameters alike? What pointers point to is qualified alike, too: functions with other parameters have other types.
fn same_parameter(table: &CTypes, a: CTy, b: CTy) -> bool {
    let quals = |t: CTy| {
        let quals = table.pointee(t).map(|p| table.quals(p));
        quals.map(|q| (q.is_const, q.is_volatile))
    };
    same(table, a, b) && quals(a) == quals(b)
}

/// C's integer promotion.
pub(crate) fn promote(b: Basic) -> Basic {
    use Basic::*;
    match b {
        Bool | Char | SChar | UChar | Short | UShort => Int,
        b => b,
    }
}

fn rank(b: Basic) -> u32 {
    use Basic::*;
    match b {
        Int | UInt => 1,
        Long | ULong => 2,
        LongLong | ULongLong => 3,
        Int128 | UInt128 => 4,
        Float16 => 5,
        Float | ComplexFloat => 6,
        Double | ComplexDouble => 7,
        LongDouble | ComplexLongDouble => 8,
        Float128 => 9,
        _ => 0,
    }
}

fn unsigned(b: Basic) -> Basic {
    use Basic::*;
    match b {
        Int => UInt,
        Long => ULong,
        LongLong => ULongLong,
        Int128 => UInt128,
        b => b,
    }
}

/// C's usual arithmetic conversions.
pub(crate) fn usual(a: Basic, b: Basic) -> Basic {
    use Basic::*;
    let (a, b) = (promote(a), promote(b));
    if a == b {
        return a;
    }
    if a.is_complex() || b.is_complex() {
        return match rank(a).max(rank(b)) {
            8.. => ComplexLongDouble,
            7 => ComplexDouble,
            6 => ComplexFloat,
            // An integer with a complex: the complex type itself.
            _ => {
                if a.is_complex() {
                    a
                } else {
                    b
                }
            }
        };
    }
    if a.is_float() || b.is_float() {
        return if rank(a) >= rank(b) { a } else { b };
    }
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    if high.is_signed() == low.is_signed() || !high.is_signed() {
        return high;
    }
    // `high` is signed, `low` unsigned.
    if rank(high) == rank(low) {
        return low;
    }
    if high.size() > low.size() {
        high
    } else {
        unsigned(high)
    }
}

/// Does every value of `from` keep its value when converted to `to`?
pub(crate) fn preserves(from: Type, to: Type) -> bool {
    if from == to {
        return true;
    }
    match (from, to) {
        (Type::Bool, t) => t != Type::Ptr,
        (f, t) if f.is_int() && t.is_int() => {
            if f.is_signed() == t.is_signed() {
                f.bits() <= t.bits()
            } else {
                !f.is_signed() && f.bits() < t.bits()
            }
        }
        (f, t) if f.is_int() && t.is_float() => {
            let mantissa = match t {
                Type::F16 => 11,
                Type::F32 => 24,
                Type::F64 => 53,
                _ => 64,
            };
            f.bits() <= mantissa
        }
        (f, t) if f.is_float() && t.is_float() => f.size() <= t.size(),
        _ => false,
    }
}
