//! The function to differentiate, as the commands see it: its parameters, what they hold, how they are used, how many elements they have.

use super::access::{self, Access};
use adjoin_front::Parsed;
use adjoin_front::ast::{FuncDecl, Span};
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{Basic, CTy, CTypeKind, CTypes, Module, Quals};

/// What a parameter holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// A real or complex number by value.
    Number,
    /// A struct or union by value with numbers in it.
    Record,
    /// A pointer to numbers, all of one type.
    Array,
    /// A pointer to something with numbers in it: structs, pointers to numbers.
    Structure,
    /// A pointer to nobody knows what.
    Unknown,
    /// Nothing that has a derivative.
    Nothing,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Its type, without qualifiers of its own; a pointer to (variable) arrays of numbers is a pointer to numbers.
    pub ctype: CTy,
    /// What C code must write to pass it on where the type was changed.
    pub flattened: bool,
    /// The type of its shadow when it is written through: of a pointer, without `const`.
    pub shadow: CTy,
    /// The type of a number: of itself or behind the pointer.
    pub number: Option<CTy>,
    /// How the memory behind it is used.
    pub access: Access,
    /// May it be written through at all?
    pub is_const: bool,
    /// Is it an integer?
    pub integer: bool,
    /// The number of elements as declared (`double x[3]`).
    pub declared: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// What the function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// Nothing.
    Void,
    /// A real or complex number.
    Number(CTy),
    /// A struct or union with numbers in it.
    Record(CTy),
    /// Something without a derivative.
    Passive(CTy),
}

/// A function to differentiate.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result.
    pub returns: Returns,
    /// The types.
    pub types: CTypes,
    /// The variables, neither local nor constant, that it, or what it calls, may set.
    pub globals: Vec<String>,
}

impl Target {
    /// Describes a function of a module.
    pub fn new(parsed: &Parsed, function: &FuncDecl, module: &Module) -> Result<Target, String> {
        let mut types = parsed.unit.types.clone();
        let CTypeKind::Function {
            ret,
            params,
            variadic,
            ..
        } = types.shape(function.ty).clone()
        else {
            return Err("it has no function type".into());
        };
        if variadic {
            return Err("it takes a variable number of arguments".into());
        }
        let func = module
            .find_func(&function.name)
            .ok_or("its body is not known")?;
        let accesses = access::of(module, func);
        let mut described = Vec::new();
        for (k, &t) in params.iter().enumerate() {
            let access = accesses.get(k).copied().unwrap_or_default();
            let variable = function.params.get(k).map(|&v| &parsed.unit.vars[v]);
            let (name, span) = match variable {
                Some(v) if !v.name.is_empty() => (v.name.clone(), v.span),
                _ => (format!("p{}", k + 1), function.span),
            };
            let declared =
                variable.and_then(|v| declared_size(&parsed.source.text, v.span.end as usize));
            described.push(param(&mut types, t, name, span, access, declared));
        }
        let ret = types.unqualified(ret);
        let returns = match types.shape(ret) {
            CTypeKind::Void => Returns::Void,
            _ if is_number(&types, ret) => Returns::Number(ret),
            CTypeKind::Record(_) if holds_number(&types, ret) => Returns::Record(ret),
            _ => Returns::Passive(ret),
        };
        Ok(Target {
            name: function.name.clone(),
            span: function.span,
            params: described,
            returns,
            types,
            // Datatypes and operations of the MPI library are variables, too.
            globals: (super::extract::state(module, func).into_iter())
                .filter(|name| !name.starts_with("ompi_"))
                .collect(),
        })
    }

    /// A declaration of `name` with a type of this function's.
    pub fn declare(&self, t: CTy, name: &str) -> String {
        CPrinter::new(&self.types).declare(t, name)
    }

    /// A pointer to a type.
    pub fn pointer(&mut self, t: CTy) -> CTy {
        self.types.pointer(t)
    }

    /// A pointer that does not write.
    pub fn const_pointer(&mut self, t: CTy) -> CTy {
        let quals = Quals {
            is_const: true,
            ..Quals::default()
        };
        let t = self.types.qualified(t, quals);
        self.types.pointer(t)
    }

    /// The position of a parameter.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| p.name == name)
    }

    /// The basic type of a number.
    pub fn basic(&self, t: CTy) -> Option<Basic> {
        self.types.arithmetic(t)
    }
}

fn param(
    types: &mut CTypes,
    t: CTy,
    name: String,
    span: Span,
    mut access: Access,
    declared: Option<String>,
) -> Param {
    let t = types.unqualified(t);
    let is_handle = types.pointee(t).is_some() && is_mpi_handle(types, t);
    if is_handle {
        access.written = false;
    }
    let mut ctype = t;
    let mut flattened = false;
    let mut number = is_number(types, t).then_some(t);
    let mut is_const = false;
    let mut shadow = t;
    let holds = match types.pointee(t) {
        None if number.is_some() => Holds::Number,
        None if types.record(t).is_some() && holds_number(types, t) => Holds::Record,
        None => Holds::Nothing,
        Some(pointee) => {
            let mut inner = pointee;
            is_const = types.quals(inner).is_const;
            while let Some(element) = types.element(inner) {
                inner = element;
                is_const |= types.quals(inner).is_const;
                flattened = true;
            }
            let plain = types.unqualified(inner);
            if is_number(types, plain) {
                number = Some(plain);
                shadow = types.pointer(plain);
                ctype = shadow;
                if is_const {
                    let quals = Quals {
                        is_const: true,
                        ..Quals::default()
                    };
                    let constant = types.qualified(plain, quals);
                    ctype = types.pointer(constant);
                }
                Holds::Array
            } else {
                flattened = false;
                let unqualified = types.unqualified(pointee);
                shadow = types.pointer(unqualified);
                match types.shape(pointee) {
                    _ if is_handle => Holds::Nothing,
                    CTypeKind::Void => Holds::Unknown,
                    CTypeKind::Function { .. } => Holds::Nothing,
                    // Incomplete here: its definition is not known.
                    CTypeKind::Record(r) if types.records[*r].fields.is_none() => Holds::Unknown,
                    _ if holds_number(types, pointee) => Holds::Structure,
                    _ => Holds::Nothing,
                }
            }
        }
    };
    let integer = types.arithmetic(t).is_some_and(Basic::is_integer);
    Param {
        name,
        holds,
        ctype,
        flattened,
        shadow,
        number,
        access,
        is_const,
        integer,
        declared,
        span,
    }
}

/// `MPI_Comm` and the like: with some MPI libraries a pointer to something that only the library knows.
fn is_mpi_handle(types: &CTypes, mut t: CTy) -> bool {
    loop {
        match types.kind(t) {
            CTypeKind::Typedef { name, .. } if name.starts_with("MPI_") => return true,
            CTypeKind::Typedef { target, .. } => t = *target,
            CTypeKind::Qualified { inner, .. } => t = *inner,
            _ => return false,
        }
    }
}

/// A real or complex floating type.
pub fn is_number(types: &CTypes, t: CTy) -> bool {
    types
        .arithmetic(t)
        .is_some_and(|b| b.is_float() || b.is_complex())
}

/// Is there a number in an object of this type, or reachable from it?
pub fn holds_number(types: &CTypes, t: CTy) -> bool {
    fn visit(types: &CTypes, t: CTy, seen: &mut std::collections::BTreeSet<CTy>) -> bool {
        let t = types.strip(t);
        if !seen.insert(t) {
            return false;
        }
        if is_number(types, t) {
            return true;
        }
        match types.kind(t) {
            CTypeKind::Pointer(p) => match types.shape(*p) {
                CTypeKind::Function { .. } => false,
                // What it points to is decided by how it is used.
                CTypeKind::Void => true,
                _ => visit(types, *p, seen),
            },
            CTypeKind::Record(r) => match &types.records[*r].fields {
                Some(fields) => fields.iter().any(|f| visit(types, f.ty, seen)),
                None => false,
            },
            _ => types.element(t).is_some_and(|e| visit(types, e, seen)),
        }
    }
    visit(types, t, &mut Default::default())
}

/// The product of the array lengths that stand behind a parameter's name: `[3]`, `[n][m]`, `[static 4]`.
fn declared_size(text: &[u8], mut at: usize) -> Option<String> {
    let mut factors: Vec<String> = Vec::new();
    loop {
        while text.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        if text.get(at) != Some(&b'[') {
            break;
        }
        let mut depth = 0;
        let begin = at + 1;
        loop {
            match text.get(at)? {
                b'[' => depth += 1,
                b']' => depth -= 1,
                b'{' | b';' => return None,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        let inside = String::from_utf8_lossy(&text[begin..at - 1]).into_owned();
        let words: Vec<&str> = inside
            .split_whitespace()
            .filter(|w| !matches!(*w, "static" | "const" | "restrict" | "volatile"))
            .collect();
        let inside = words.join(" ");
        if inside.is_empty() || inside == "*" {
            return None;
        }
        let simple = inside
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
        factors.push(if simple {
            inside
        } else {
            format!("({inside})")
        });
    }
    (!factors.is_empty()).then(|| factors.join(" * "))
}
