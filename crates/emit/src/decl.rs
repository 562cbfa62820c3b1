//! C declarations: a type and a name as C writes them, and definitions of records and enumerations.

use crate::types::Types;
use adjoin_ir::ctype::{Enum, Record, TagScope};
use adjoin_ir::{Basic, CTy, CTypeKind, Quals};
use std::collections::{BTreeMap, BTreeSet};

/// How types are named in the output. Types whose own name cannot be written here get one.
#[derive(Default, Clone)]
pub(crate) struct TypeNames {
    pub records: BTreeMap<Record, String>,
    pub enums: BTreeMap<Enum, String>,
}

/// The spelling of a basic type.
pub(crate) fn basic_name(b: Basic) -> &'static str {
    use Basic::*;
    match b {
        Bool => "_Bool",
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short",
        UShort => "unsigned short",
        Int => "int",
        UInt => "unsigned",
        Long => "long",
        ULong => "unsigned long",
        LongLong => "long long",
        ULongLong => "unsigned long long",
        Int128 => "__int128",
        UInt128 => "unsigned __int128",
        Float16 => "_Float16",
        Float => "float",
        Double => "double",
        LongDouble => "long double",
        Float128 => "_Float128",
        ComplexFloat => "float _Complex",
        ComplexDouble => "double _Complex",
        ComplexLongDouble => "long double _Complex",
    }
}

fn qualifiers(q: Quals) -> String {
    let mut out = String::new();
    for (set, word) in [
        (q.is_const, "const "),
        (q.is_volatile, "volatile "),
        (q.is_restrict, "restrict "),
        (q.is_atomic, "_Atomic "),
    ] {
        if set {
            out.push_str(word);
        }
    }
    out
}

/// Prints types.
pub(crate) struct Declarer<'a> {
    pub types: &'a Types,
    pub names: &'a TypeNames,
}

impl Declarer<'_> {
    /// The type alone, as in a cast.
    pub fn type_name(&self, t: CTy) -> String {
        self.declare(t, "")
    }

    /// A declaration of `name` with type `t`.
    pub fn declare(&self, t: CTy, name: &str) -> String {
        let (base, declarator) = self.split(t, name.to_string(), None);
        join(&base, &declarator)
    }

    /// A declaration of an array whose length is an expression.
    pub fn declare_vla(&self, elem: CTy, name: &str, length: &str) -> String {
        let (base, declarator) = self.split(elem, format!("{name}[{length}]"), None);
        join(&base, &declarator)
    }

    /// A function's declarator with parameter names.
    pub fn declare_function(&self, t: CTy, name: &str, params: &[String]) -> String {
        let (base, declarator) = self.split(t, name.to_string(), Some(params));
        join(&base, &declarator)
    }

    /// Does the type's spelling need `__extension__` in a pedantic compiler?
    pub fn is_extension(&self, t: CTy) -> bool {
        match self.types.kind(t) {
            CTypeKind::Basic(b) => {
                matches!(
                    b,
                    Basic::Int128 | Basic::UInt128 | Basic::Float16 | Basic::Float128
                )
            }
            CTypeKind::Pointer(p) => self.is_extension(p),
            CTypeKind::Array { elem, .. } => self.is_extension(elem),
            CTypeKind::Qualified { inner, .. } => self.is_extension(inner),
            _ => false,
        }
    }

    fn split(&self, t: CTy, declarator: String, params: Option<&[String]>) -> (String, String) {
        match self.types.kind(t) {
            CTypeKind::Void => ("void".into(), declarator),
            CTypeKind::Basic(b) => (basic_name(b).into(), declarator),
            CTypeKind::VaList => ("__builtin_va_list".into(), declarator),
            CTypeKind::Typedef { name, .. } => (name, declarator),
            CTypeKind::Record(r) => (self.record_name(r), declarator),
            CTypeKind::Enum(e) => (self.enum_name(e), declarator),
            CTypeKind::Qualified { quals, inner } => match self.types.kind(inner) {
                CTypeKind::Pointer(p) => {
                    let q = qualifiers(quals);
                    let inside = if declarator.is_empty() {
                        format!("* {}", q.trim_end())
                    } else {
                        format!("*{q}{declarator}")
                    };
                    self.split(p, self.grouped(p, inside), None)
                }
                CTypeKind::Array { .. } | CTypeKind::Vla { .. } => {
                    let (base, d) = self.split(inner, declarator, None);
                    (format!("{}{base}", qualifiers(quals)), d)
                }
                _ => {
                    let (base, d) = self.split(inner, declarator, None);
                    (format!("{}{base}", qualifiers(quals)), d)
                }
            },
            CTypeKind::Pointer(p) => self.split(p, self.grouped(p, format!("*{declarator}")), None),
            CTypeKind::Array { elem, len } => {
                let length = len.map(|n| n.to_string()).unwrap_or_default();
                self.split(elem, format!("{declarator}[{length}]"), None)
            }
            CTypeKind::Vla { elem, .. } => self.split(elem, format!("{declarator}[*]"), None),
            CTypeKind::Vector { elem, lanes } => {
                let size = self.types.size_of(elem).unwrap_or(1) * lanes;
                let (base, d) = self.split(elem, declarator, None);
                (format!("__attribute__((vector_size({size}))) {base}"), d)
            }
            CTypeKind::Function {
                ret,
                params: list,
                variadic,
                prototyped,
            } => {
                let mut parts: Vec<String> = list
                    .iter()
                    .enumerate()
                    .map(|(k, &p)| {
                        let name = params
                            .and_then(|n| n.get(k))
                            .map(String::as_str)
                            .unwrap_or("");
                        self.declare(p, name)
                    })
                    .collect();
                if variadic {
                    parts.push("...".into());
                }
                if parts.is_empty() && prototyped {
                    parts.push("void".into());
                }
                self.split(ret, format!("{declarator}({})", parts.join(", ")), None)
            }
        }
    }

    /// A pointer declarator in parentheses where what it points to binds from the right.
    fn grouped(&self, pointee: CTy, declarator: String) -> String {
        match self.types.kind(pointee) {
            CTypeKind::Array { .. } | CTypeKind::Vla { .. } | CTypeKind::Function { .. } => {
                format!("({declarator})")
            }
            CTypeKind::Qualified { inner, .. } => self.grouped(inner, declarator),
            _ => declarator,
        }
    }

    fn record_name(&self, r: Record) -> String {
        if let Some(name) = self.names.records.get(&r) {
            return name.clone();
        }
        let data = self.types.record(r);
        let word = if data.is_union { "union" } else { "struct" };
        match (&data.tag, &data.typedef_name) {
            (Some(tag), _) => format!("{word} {tag}"),
            (None, Some(name)) => name.clone(),
            (None, None) => format!("{word} {{ {} }}", self.fields(r)),
        }
    }

    fn enum_name(&self, e: Enum) -> String {
        if let Some(name) = self.names.enums.get(&e) {
            return name.clone();
        }
        let data = self.types.enumeration(e);
        match (&data.tag, &data.typedef_name) {
            (Some(tag), _) => format!("enum {tag}"),
            (None, Some(name)) => name.clone(),
            (None, None) => basic_name(data.underlying).to_string(),
        }
    }

    fn fields(&self, r: Record) -> String {
        self.field_lines(r).join(" ")
    }

    /// The members of a record, one declaration each.
    pub fn field_lines(&self, r: Record) -> Vec<String> {
        let data = self.types.record(r);
        let Some(fields) = data.fields else {
            return Vec::new();
        };
        fields
            .iter()
            .map(|f| {
                let name = f.name.clone().unwrap_or_default();
                let mut text = match (self.types.kind(f.ty), &f.name) {
                    // The definition of an anonymous member stands in place.
                    (CTypeKind::Record(inner), None) if f.bits.is_none() => {
                        self.inline_record(inner)
                    }
                    _ => self.declare(f.ty, &name),
                };
                if let Some((_, width)) = f.bits {
                    text.push_str(&format!(" : {width}"));
                }
                if self.is_extension(f.ty) {
                    text.insert_str(0, "__extension__ ");
                }
                format!("{text};")
            })
            .collect()
    }

    fn inline_record(&self, r: Record) -> String {
        let word = if self.types.record(r).is_union {
            "union"
        } else {
            "struct"
        };
        format!("{word} {{ {} }}", self.fields(r))
    }

    /// `struct tag { … }` of a record, on one or more lines, without the semicolon.
    pub fn record_definition(&self, r: Record, name: &str, indent: &str) -> String {
        let data = self.types.record(r);
        let mut out = format!("{name} {{\n");
        for line in self.field_lines(r) {
            out.push_str(&format!("{indent}{line}\n"));
        }
        out.push('}');
        if data.packed {
            out.push_str(" __attribute__((packed))");
        }
        let natural = data
            .fields
            .iter()
            .flatten()
            .map(|f| self.types.with(|t| t.align_of(f.ty)))
            .max()
            .unwrap_or(1);
        if data.align > natural {
            out.push_str(&format!(" __attribute__((aligned({})))", data.align));
        }
        out
    }

    /// `enum tag { … }`, without the semicolon.
    pub fn enum_definition(&self, e: Enum, name: &str) -> String {
        let data = self.types.enumeration(e);
        let mut next = 0;
        let mut parts = Vec::new();
        for (constant, value) in &data.constants {
            parts.push(if *value == next {
                constant.clone()
            } else {
                format!("{constant} = {value}")
            });
            next = value + 1;
        }
        format!("{name} {{ {} }}", parts.join(", "))
    }
}

fn join(base: &str, declarator: &str) -> String {
    if declarator.is_empty() {
        base.to_string()
    } else {
        format!("{base} {declarator}")
    }
}

/// The records and enumerations that printing a type by name mentions, without going into records.
pub(crate) fn mentioned(
    types: &Types,
    t: CTy,
    records: &mut BTreeSet<Record>,
    enums: &mut BTreeSet<Enum>,
) {
    match types.kind(t) {
        CTypeKind::Record(r) => {
            records.insert(r);
        }
        CTypeKind::Enum(e) => {
            enums.insert(e);
        }
        CTypeKind::Pointer(p) => mentioned(types, p, records, enums),
        CTypeKind::Array { elem, .. }
        | CTypeKind::Vla { elem, .. }
        | CTypeKind::Vector { elem, .. } => {
            mentioned(types, elem, records, enums);
        }
        CTypeKind::Qualified { inner, .. } => mentioned(types, inner, records, enums),
        CTypeKind::Function { ret, params, .. } => {
            mentioned(types, ret, records, enums);
            for p in params {
                mentioned(types, p, records, enums);
            }
        }
        _ => {}
    }
}

/// Is the record's own name out of reach where bodies are printed?
pub(crate) fn needs_local_name(types: &Types, r: Record) -> bool {
    let data = types.record(r);
    data.scope == TagScope::Block || (data.tag.is_none() && data.typedef_name.is_none())
}
