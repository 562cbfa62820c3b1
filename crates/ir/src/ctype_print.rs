//! C types as C writes them: declarations such as `double (*f)(int, const char *)`, for diagnostics and for the emitter.
//! Typedef names are kept. What has no name in C (records without a tag, lengths of variable-length arrays) is
//! asked of the caller.

use crate::ctype::{Basic, CTy, CTypeKind, CTypes, Enum, Quals, Record};

/// A type as a declaration of `name`; an empty name gives the type itself (`double (*)(int)`).
/// Records without any name come out as `struct <anonymous>`: for people, not for a compiler.
pub fn declare(types: &CTypes, t: CTy, name: &str) -> String {
    CPrinter::new(types).declare(t, name)
}

/// As [`declare`], with names for the records that have none (as complete specifiers, such as `struct anon_3`).
pub fn declare_with(
    types: &CTypes,
    t: CTy,
    name: &str,
    record_name: &dyn Fn(Record) -> String,
) -> String {
    CPrinter {
        record_name,
        ..CPrinter::new(types)
    }
    .declare(t, name)
}

/// How to write what has no name of its own.
#[derive(Clone, Copy)]
pub struct CPrinter<'a> {
    /// The types.
    pub types: &'a CTypes,
    /// The specifier for a record with neither tag nor typedef name.
    pub record_name: &'a dyn Fn(Record) -> String,
    /// What stands in the brackets of a variable-length array, by the id of its length.
    pub vla_length: &'a dyn Fn(u32) -> String,
}

impl std::fmt::Debug for CPrinter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CPrinter")
    }
}

impl<'a> CPrinter<'a> {
    /// A printer for messages: anonymous records are `struct <anonymous>`, unknown lengths `*`.
    pub fn new(types: &'a CTypes) -> Self {
        CPrinter {
            types,
            record_name: &|_| String::new(),
            vla_length: &|_| "*".to_string(),
        }
    }

    /// The type without a name.
    pub fn name(&self, t: CTy) -> String {
        self.declare(t, "")
    }

    /// A declaration of `name`.
    pub fn declare(&self, t: CTy, name: &str) -> String {
        self.build(t, name.to_string(), None)
    }

    /// A declaration of a function with the names of its parameters (as far as there are any). If the type is
    /// not a function's own (a typedef of one), the names are left out.
    pub fn declare_function(&self, t: CTy, name: &str, param_names: &[Option<String>]) -> String {
        self.build(t, name.to_string(), Some(param_names))
    }

    /// Wraps the declarator from the name outwards, then puts the specifier before it. `names` are for the parameters of the
    /// outermost function.
    fn build(
        &self,
        t: CTy,
        mut declarator: String,
        mut names: Option<&[Option<String>]>,
    ) -> String {
        let mut t = t;
        let mut quals = Quals::default();
        loop {
            match self.types.kind(t) {
                CTypeKind::Qualified { quals: more, inner } => {
                    quals = quals.union(*more);
                    t = *inner;
                }
                CTypeKind::Pointer(pointee) => {
                    let words = qualifier_words(quals);
                    let space = if words.is_empty() || declarator.is_empty() {
                        ""
                    } else {
                        " "
                    };
                    declarator = format!("*{words}{space}{declarator}");
                    if self.is_postfix(*pointee) {
                        declarator = format!("({declarator})");
                    }
                    quals = Quals::default();
                    t = *pointee;
                }
                // The qualifiers of an array are those of its elements.
                CTypeKind::Array { elem, len } => {
                    declarator += &len.map_or("[]".to_string(), |n| format!("[{n}]"));
                    t = *elem;
                }
                CTypeKind::Vla { elem, id } => {
                    let length = if *id == u32::MAX {
                        "*".to_string()
                    } else {
                        (self.vla_length)(*id)
                    };
                    declarator += &format!("[{length}]");
                    t = *elem;
                }
                CTypeKind::Function {
                    ret,
                    params,
                    variadic,
                    prototyped,
                } => {
                    declarator += &self.parameters(params, *variadic, *prototyped, names.take());
                    quals = Quals::default();
                    t = *ret;
                }
                _ => break,
            }
        }
        let words = qualifier_words(quals);
        let specifier = self.specifier(t);
        let mut out = if words.is_empty() {
            specifier
        } else {
            format!("{words} {specifier}")
        };
        if !declarator.is_empty() {
            out.push(' ');
            out += &declarator;
        }
        out
    }

    /// Does its declarator go after the name, so that a pointer to it needs parentheses?
    fn is_postfix(&self, mut t: CTy) -> bool {
        while let CTypeKind::Qualified { inner, .. } = self.types.kind(t) {
            t = *inner;
        }
        matches!(
            self.types.kind(t),
            CTypeKind::Array { .. } | CTypeKind::Vla { .. } | CTypeKind::Function { .. }
        )
    }

    fn parameters(
        &self,
        params: &[CTy],
        variadic: bool,
        prototyped: bool,
        names: Option<&[Option<String>]>,
    ) -> String {
        if !prototyped && names.is_none() {
            return "()".to_string();
        }
        let name = |k: usize| names.and_then(|n| n.get(k)?.as_deref()).unwrap_or("");
        let mut list: Vec<String> = params
            .iter()
            .enumerate()
            .map(|(k, &p)| self.build(p, name(k).to_string(), None))
            .collect();
        if variadic {
            list.push("...".to_string());
        } else if list.is_empty() {
            list.push(if prototyped { "void" } else { "" }.to_string());
        }
        format!("({})", list.join(", "))
    }

    fn specifier(&self, t: CTy) -> String {
        match self.types.kind(t) {
            CTypeKind::Void => "void".to_string(),
            CTypeKind::Basic(b) => b.c_name().to_string(),
            CTypeKind::Record(r) => self.record(*r),
            CTypeKind::Enum(e) => self.enumeration(*e),
            CTypeKind::Typedef { name, .. } => name.clone(),
            CTypeKind::Vector { elem, lanes } => {
                let bytes = self
                    .types
                    .size_of(*elem)
                    .unwrap_or(1)
                    .saturating_mul(*lanes);
                format!("__attribute__((vector_size({bytes}))) {}", self.name(*elem))
            }
            CTypeKind::VaList => "__builtin_va_list".to_string(),
            // `build` took these apart.
            CTypeKind::Pointer(_)
            | CTypeKind::Array { .. }
            | CTypeKind::Vla { .. }
            | CTypeKind::Function { .. }
            | CTypeKind::Qualified { .. } => self.name(t),
        }
    }

    fn record(&self, r: Record) -> String {
        let data = &self.types.records[r];
        let keyword = if data.is_union { "union" } else { "struct" };
        if let Some(tag) = &data.tag {
            return format!("{keyword} {tag}");
        }
        if let Some(name) = &data.typedef_name {
            return name.clone();
        }
        let name = (self.record_name)(r);
        if name.is_empty() {
            format!("{keyword} <anonymous>")
        } else {
            name
        }
    }

    /// An enumeration without a name is its underlying type: the same to a compiler.
    fn enumeration(&self, e: Enum) -> String {
        let data = &self.types.enums[e];
        match (&data.tag, &data.typedef_name) {
            (Some(tag), _) => format!("enum {tag}"),
            (None, Some(name)) => name.clone(),
            (None, None) => data.underlying.c_name().to_string(),
        }
    }
}

/// The qualifiers as words, in C's usual order.
pub fn qualifier_words(q: Quals) -> String {
    let words = [
        (q.is_const, "const"),
        (q.is_volatile, "volatile"),
        (q.is_restrict, "restrict"),
        (q.is_atomic, "_Atomic"),
    ];
    words
        .iter()
        .filter(|w| w.0)
        .map(|w| w.1)
        .collect::<Vec<_>>()
        .join(" ")
}

impl Quals {
    /// The qualifiers of both.
    pub fn union(self, other: Quals) -> Quals {
        Quals {
            is_const: self.is_const | other.is_const,
            is_volatile: self.is_volatile | other.is_volatile,
            is_restrict: self.is_restrict | other.is_restrict,
            is_atomic: self.is_atomic | other.is_atomic,
        }
    }
}

impl Basic {
    /// All basic types, in order.
    pub const ALL: [Basic; 22] = [
        Basic::Bool,
        Basic::Char,
        Basic::SChar,
        Basic::UChar,
        Basic::Short,
        Basic::UShort,
        Basic::Int,
        Basic::UInt,
        Basic::Long,
        Basic::ULong,
        Basic::LongLong,
        Basic::ULongLong,
        Basic::Int128,
        Basic::UInt128,
        Basic::Float16,
        Basic::Float,
        Basic::Double,
        Basic::LongDouble,
        Basic::Float128,
        Basic::ComplexFloat,
        Basic::ComplexDouble,
        Basic::ComplexLongDouble,
    ];

    /// The name in C.
    pub fn c_name(self) -> &'static str {
        match self {
            Basic::Bool => "_Bool",
            Basic::Char => "char",
            Basic::SChar => "signed char",
            Basic::UChar => "unsigned char",
            Basic::Short => "short",
            Basic::UShort => "unsigned short",
            Basic::Int => "int",
            Basic::UInt => "unsigned int",
            Basic::Long => "long",
            Basic::ULong => "unsigned long",
            Basic::LongLong => "long long",
            Basic::ULongLong => "unsigned long long",
            Basic::Int128 => "__int128",
            Basic::UInt128 => "unsigned __int128",
            Basic::Float16 => "_Float16",
            Basic::Float => "float",
            Basic::Double => "double",
            Basic::LongDouble => "long double",
            Basic::Float128 => "_Float128",
            Basic::ComplexFloat => "float _Complex",
            Basic::ComplexDouble => "double _Complex",
            Basic::ComplexLongDouble => "long double _Complex",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctype::{EnumData, RecordData, TagScope};

    fn function(
        types: &mut CTypes,
        ret: CTy,
        params: Vec<CTy>,
        variadic: bool,
        prototyped: bool,
    ) -> CTy {
        types.intern(CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        })
    }

    fn constant(types: &mut CTypes, t: CTy) -> CTy {
        types.qualified(
            t,
            Quals {
                is_const: true,
                ..Quals::default()
            },
        )
    }

    fn record(tag: Option<&str>, typedef_name: Option<&str>) -> RecordData {
        RecordData {
            is_union: false,
            tag: tag.map(str::to_string),
            scope: TagScope::File,
            typedef_name: typedef_name.map(str::to_string),
            fields: None,
            size: 0,
            align: 1,
            packed: false,
        }
    }

    #[test]
    fn pointers_arrays_and_functions() {
        let mut types = CTypes::new();
        let ts = &mut types;
        let (void, int, double, char) = (
            ts.void(),
            ts.basic(Basic::Int),
            ts.basic(Basic::Double),
            ts.basic(Basic::Char),
        );
        let const_char = constant(ts, char);
        let string = ts.pointer(const_char);
        let callback = function(ts, double, vec![int, string], false, true);
        let callback_pointer = ts.pointer(callback);
        let row = ts.array(int, Some(4));
        let matrix = ts.array(row, Some(3));
        let row_pointer = ts.pointer(row);
        let restricted = ts.qualified(
            string,
            Quals {
                is_const: true,
                is_restrict: true,
                ..Quals::default()
            },
        );
        let printf = function(ts, int, vec![string], true, true);
        let nothing = function(ts, void, vec![], false, true);
        let old = function(ts, int, vec![], false, false);
        let handlers = ts.array(callback_pointer, None);
        // void (*signal(int, void (*)(int)))(int)
        let handler = function(ts, void, vec![int], false, true);
        let handler_pointer = ts.pointer(handler);
        let signal = function(ts, handler_pointer, vec![int, handler_pointer], false, true);
        let const_row = constant(ts, row);
        let const_row_pointer = ts.pointer(const_row);
        let vla = ts.intern(CTypeKind::Vla {
            elem: double,
            id: 7,
        });
        let vla_pointer = ts.pointer(vla);
        let vector = ts.intern(CTypeKind::Vector {
            elem: double,
            lanes: 4,
        });
        let typedef = ts.intern(CTypeKind::Typedef {
            name: "row_t".into(),
            target: row,
        });
        let typedef_pointer = ts.pointer(typedef);
        let expected = [
            (int, "int x"),
            (string, "const char *x"),
            (callback_pointer, "double (*x)(int, const char *)"),
            (matrix, "int x[3][4]"),
            (row_pointer, "int (*x)[4]"),
            (restricted, "const char *const restrict x"),
            (printf, "int x(const char *, ...)"),
            (nothing, "void x(void)"),
            (old, "int x()"),
            (handlers, "double (*x[])(int, const char *)"),
            (signal, "void (*x(int, void (*)(int)))(int)"),
            (const_row_pointer, "const int (*x)[4]"),
            (vla_pointer, "double (*x)[*]"),
            (vector, "__attribute__((vector_size(32))) double x"),
            (typedef_pointer, "row_t *x"),
        ];
        for (t, text) in expected {
            assert_eq!(declare(&types, t, "x"), text);
        }
        assert_eq!(
            declare(&types, callback_pointer, ""),
            "double (*)(int, const char *)"
        );
        let printer = CPrinter {
            vla_length: &|id| format!("n{id}"),
            ..CPrinter::new(&types)
        };
        assert_eq!(printer.declare(vla_pointer, "p"), "double (*p)[n7]");
        let names = [Some("n".to_string()), None];
        assert_eq!(
            printer.declare_function(signal, "signal", &names),
            "void (*signal(int n, void (*)(int)))(int)"
        );
    }

    #[test]
    fn records_and_enumerations() {
        let mut types = CTypes::new();
        let tagged = types.records.push(record(Some("S"), Some("S_t")));
        let typedefed = types.records.push(record(None, Some("point")));
        let anonymous = types.records.push(record(None, None));
        let color = types.enums.push(EnumData {
            tag: None,
            scope: TagScope::File,
            typedef_name: None,
            constants: vec![("RED".into(), 0)],
            underlying: Basic::UInt,
            complete: true,
        });
        let [s, p, a] = [tagged, typedefed, anonymous].map(|r| {
            let t = types.intern(CTypeKind::Record(r));
            types.pointer(t)
        });
        let e = types.intern(CTypeKind::Enum(color));
        assert_eq!(declare(&types, s, "p"), "struct S *p");
        assert_eq!(declare(&types, p, "p"), "point *p");
        assert_eq!(declare(&types, a, "p"), "struct <anonymous> *p");
        assert_eq!(
            declare_with(&types, a, "p", &|_| "struct anon_1".into()),
            "struct anon_1 *p"
        );
        assert_eq!(declare(&types, e, "e"), "unsigned int e");
    }
}
