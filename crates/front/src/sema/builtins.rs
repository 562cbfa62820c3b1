//! Builtins by name: finds what a `__builtin_…`, `__sync_…` or `__atomic_…` name is, and declares it on first use.

use super::Sema;
use super::builtin_table::{FETCH_OPERATIONS, FIXED, LIBRARY, SPECIAL};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Quals};

/// What a name stands for.
enum Found {
    /// The library function with this name and signature (with the type of `d`).
    Library(String, &'static str, Basic),
    /// A function of this signature, by its own name.
    Fixed(&'static str),
    /// Typed call by call.
    Special,
}

/// Is it an atomic operation that is typed by its first argument?
fn is_atomic(name: &str) -> bool {
    if let Some(rest) = name.strip_prefix("__sync_") {
        let base = rest
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches('_');
        return FETCH_OPERATIONS.iter().any(|op| {
            base.strip_prefix("fetch_and_") == Some(op)
                || base.strip_suffix("_and_fetch") == Some(op)
        }) || matches!(
            base,
            "bool_compare_and_swap"
                | "val_compare_and_swap"
                | "lock_test_and_set"
                | "lock_release"
                | "synchronize"
        );
    }
    let Some(rest) = name
        .strip_prefix("__atomic_")
        .or_else(|| name.strip_prefix("__c11_atomic_"))
    else {
        return false;
    };
    let base = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let rest = if base.len() < rest.len() {
        base.trim_end_matches('_')
    } else {
        rest
    };
    FETCH_OPERATIONS.iter().any(|op| {
        rest.strip_prefix("fetch_") == Some(op) || rest.strip_suffix("_fetch") == Some(op)
    }) || matches!(
        rest,
        "load_n"
            | "load"
            | "store_n"
            | "store"
            | "exchange_n"
            | "exchange"
            | "compare_exchange_n"
            | "compare_exchange"
            | "compare_exchange_strong"
            | "compare_exchange_weak"
            | "init"
            | "test_and_set"
            | "clear"
            | "thread_fence"
            | "signal_fence"
            | "always_lock_free"
            | "is_lock_free"
    )
}

fn find(name: &str) -> Option<Found> {
    if is_atomic(name) {
        return Some(Found::Special);
    }
    let base = name.strip_prefix("__builtin_")?;
    let lists = |names: &str, name: &str| names.split_ascii_whitespace().any(|n| n == name);
    if lists(SPECIAL, base) {
        return Some(Found::Special);
    }
    for (signature, names) in FIXED {
        if lists(names, base) {
            return Some(Found::Fixed(signature));
        }
    }
    for (signature, family, names) in LIBRARY {
        if lists(names, base) {
            return Some(Found::Library(base.into(), signature, Basic::Double));
        }
        if *family {
            for (suffix, basic) in [('f', Basic::Float), ('l', Basic::LongDouble)] {
                if base.strip_suffix(suffix).is_some_and(|b| lists(names, b)) {
                    return Some(Found::Library(base.into(), signature, basic));
                }
            }
        }
    }
    None
}

#[allow(missing_docs)]
impl Sema {
    /// A `__builtin_…` (or `__sync_…`, `__atomic_…`) name that is not declared: its function, if it is known. Makes a declaration on first use.
    ///
    /// Every `__builtin_…` name has a function: a call of one that is not known is an error when it is seen.
    pub fn builtin_function(&mut self, name: &str, span: Span) -> Option<FuncId> {
        if let Some(&f) = self.builtin_ids.get(name) {
            return Some(f);
        }
        let f = match find(name) {
            Some(Found::Library(plain, signature, real)) => {
                let ty = self.signature(signature, real);
                match self.declared_function(&plain) {
                    Some(f) => f,
                    None => {
                        let f = self.declare(&plain, ty, span);
                        // The text may not declare the plain name: then the emitter can fall back on this one.
                        let attr = Attr {
                            name: "builtin".into(),
                            args: vec![name.into()],
                        };
                        self.unit.funcs[f].attrs.push(attr);
                        f
                    }
                }
            }
            Some(Found::Fixed(signature)) => {
                let ty = self.signature(signature, Basic::Double);
                self.declare(name, ty, span)
            }
            Some(Found::Special) => self.declare_special(name, span),
            None if name.starts_with("__builtin_") => self.declare_special(name, span),
            None => return None,
        };
        self.builtin_ids.insert(name.into(), f);
        Some(f)
    }

    /// The function that a builtin's use declared under its plain name before the text did, if there is one.
    /// A later declaration of that name should go on with it.
    pub fn implicit_library_function(&self, name: &str) -> Option<FuncId> {
        let f = *self.builtin_ids.get(&format!("__builtin_{name}"))?;
        (self.unit.funcs[f].name == name).then_some(f)
    }

    fn declared_function(&self, name: &str) -> Option<FuncId> {
        self.unit
            .funcs
            .iter()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
    }

    /// Declares a builtin whose calls are typed one by one.
    fn declare_special(&mut self, name: &str, span: Span) -> FuncId {
        let ret = self.basic(Basic::Int);
        let ty = self.unit.types.intern(CTypeKind::Function {
            ret,
            params: Vec::new(),
            variadic: false,
            prototyped: false,
        });
        let f = self.declare(name, ty, span);
        self.special_builtins.insert(f);
        f
    }

    /// Is it a function that only exists as a builtin known by name?
    pub(crate) fn is_known_special(&self, name: &str) -> bool {
        matches!(find(name), Some(Found::Special))
    }

    /// A typed instance of a type-generic builtin.
    pub(crate) fn instance(&mut self, name: &str, ret: CTy, params: &[CTy], span: Span) -> FuncId {
        let ty = self.unit.types.intern(CTypeKind::Function {
            ret,
            params: params.to_vec(),
            variadic: false,
            prototyped: true,
        });
        let key = (name.to_string(), ty);
        if let Some(&f) = self.builtin_instances.get(&key) {
            return f;
        }
        let f = self.declare(name, ty, span);
        self.builtin_instances.insert(key, f);
        f
    }

    fn declare(&mut self, name: &str, ty: CTy, span: Span) -> FuncId {
        let base = name.strip_prefix("__builtin_").unwrap_or(name);
        let noreturn = matches!(base, "abort" | "exit" | "_exit" | "_Exit" | "trap");
        self.unit.funcs.push(FuncDecl {
            name: name.into(),
            ty,
            params: Vec::new(),
            is_static: false,
            inline: false,
            noreturn,
            attrs: Vec::new(),
            span,
            body: None,
        })
    }

    /// Reads a signature of the table; `real` is what `d` stands for.
    fn signature(&mut self, text: &str, real: Basic) -> CTy {
        let mut codes = text.bytes().peekable();
        let ret = self.coded_type(&mut codes, real);
        let mut params = Vec::new();
        let mut variadic = false;
        codes.next();
        while let Some(&code) = codes.peek() {
            match code {
                b')' => break,
                b'.' => {
                    variadic = true;
                    codes.next();
                }
                _ => params.push(self.coded_type(&mut codes, real)),
            }
        }
        self.unit.types.intern(CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped: true,
        })
    }

    fn coded_type(
        &mut self,
        codes: &mut std::iter::Peekable<std::str::Bytes<'_>>,
        real: Basic,
    ) -> CTy {
        let constant = Quals {
            is_const: true,
            ..Quals::default()
        };
        let complex = super::convert::complex_of(real);
        let basic = match codes.next().unwrap_or(b'i') {
            b'v' => return self.unit.types.void(),
            b'p' => {
                let void = self.unit.types.void();
                return self.unit.types.pointer(void);
            }
            b'P' => {
                let void = self.unit.types.void();
                let void = self.unit.types.qualified(void, constant);
                return self.unit.types.pointer(void);
            }
            b's' => {
                let character = self.basic(Basic::Char);
                return self.unit.types.pointer(character);
            }
            b'S' => {
                let character = self.basic(Basic::Char);
                let character = self.unit.types.qualified(character, constant);
                return self.unit.types.pointer(character);
            }
            b'V' => {
                let list = self.unit.types.intern(CTypeKind::VaList);
                return self.unit.types.pointer(list);
            }
            b'*' => {
                let to = self.coded_type(codes, real);
                return self.unit.types.pointer(to);
            }
            b'b' => Basic::Bool,
            b'c' => Basic::Char,
            b'u' => Basic::UInt,
            b'l' => Basic::Long,
            b'm' => Basic::ULong,
            b'x' => Basic::LongLong,
            b'y' => Basic::ULongLong,
            b'h' => Basic::UShort,
            b'w' => Basic::UInt128,
            b'f' => Basic::Float,
            b'd' => real,
            b'e' => Basic::LongDouble,
            b'q' => Basic::Float128,
            b'F' => Basic::ComplexFloat,
            b'D' => complex,
            b'E' => Basic::ComplexLongDouble,
            _ => Basic::Int,
        };
        self.basic(basic)
    }
}
