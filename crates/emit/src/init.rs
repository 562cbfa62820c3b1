//! Initialisers of globals: bytes and addresses as C writes them, following the declared type.

use crate::ast::ExprKind;
use crate::build::string_literal;
use crate::consts::{constant, integer, integer_text, string};
use crate::decl::Declarer;
use adjoin_ir::{
    Basic, CTy, CTypeKind, Const, Global, Init, Linkage, Module, Reloc, RelocTarget, Type,
};
use std::collections::BTreeMap;

pub(crate) struct Initialiser<'a> {
    pub module: &'a Module,
    pub declarer: &'a Declarer<'a>,
    /// Names of globals that differ from their own.
    pub names: &'a BTreeMap<Global, String>,
}

impl Initialiser<'_> {
    /// The initialiser of a type, `None` if it is all zero.
    pub fn text(&self, ty: CTy, init: &Init) -> Option<String> {
        let size = self.declarer.types.size_of(ty)?;
        let mut bytes = init.bytes.clone();
        if (bytes.len() as u64) < size {
            bytes.resize(size as usize, 0);
        }
        let text = self.object(ty, &bytes, 0, &init.relocs);
        (text != "0" && text != "{0}").then_some(text)
    }

    fn is_zero(&self, size: u64, bytes: &[u8], at: u64, relocs: &[Reloc]) -> bool {
        let end = at + size;
        bytes
            .get(at as usize..end as usize)
            .is_none_or(|b| b.iter().all(|&x| x == 0))
            && !relocs.iter().any(|r| r.offset >= at && r.offset < end)
    }

    fn object(&self, ty: CTy, bytes: &[u8], at: u64, relocs: &[Reloc]) -> String {
        let types = self.declarer.types;
        let size = types.size_of(ty).unwrap_or(0);
        match types.shape(ty) {
            CTypeKind::Array { elem, len } => self.array(elem, len.unwrap_or(0), bytes, at, relocs),
            CTypeKind::Vector { elem, lanes } => self.array(elem, lanes, bytes, at, relocs),
            CTypeKind::Record(r) => self.record(r, bytes, at, relocs),
            CTypeKind::Pointer(_) => match relocs.iter().find(|r| r.offset == at) {
                Some(r) => self.address(r, ty),
                None => {
                    let n = little_endian(bytes, at, 8);
                    if n == 0 {
                        "0".into()
                    } else {
                        format!("({}){n}UL", self.declarer.type_name(ty))
                    }
                }
            },
            _ => {
                if let Some(r) = relocs.iter().find(|r| r.offset == at) {
                    return format!("(unsigned long){}", self.address(r, types.void_pointer));
                }
                match types.arithmetic(ty) {
                    Some(b) => self.scalar(b, bytes, at),
                    None => {
                        let _ = size;
                        "0".into()
                    }
                }
            }
        }
    }

    fn scalar(&self, b: Basic, bytes: &[u8], at: u64) -> String {
        let t = Type::of_basic(b);
        let types = self.declarer.types;
        let raw = little_endian(bytes, at, b.size().min(16));
        let render = |e: crate::ast::Expr| match &e.kind {
            ExprKind::Literal(s) => s.clone(),
            ExprKind::Unary(_, inner) => match &inner.kind {
                ExprKind::Literal(s) => format!("-{s}"),
                _ => "0".into(),
            },
            ExprKind::Int(n, b) => integer_text(*n, *b).0,
            _ => "0".into(),
        };
        match t {
            Type::F32 => {
                let value = f32::from_bits(raw as u32) as f64;
                render(constant(types, &Const::float(value), t))
            }
            Type::F64 => render(constant(
                types,
                &Const::float(f64::from_bits(raw as u64)),
                t,
            )),
            Type::F80 => extended(raw),
            t if t.is_complex() => {
                let part = Basic::ComplexDouble;
                let (size, real) = match b {
                    Basic::ComplexFloat => (4, Basic::Float),
                    b if b == part => (8, Basic::Double),
                    _ => (16, Basic::LongDouble),
                };
                format!(
                    "__builtin_complex({}, {})",
                    self.scalar(real, bytes, at),
                    self.scalar(real, bytes, at + size)
                )
            }
            Type::I128 | Type::U128 => {
                let (high, low) = ((raw >> 64) as u64, raw as u64);
                if high == 0 {
                    format!("{low}UL")
                } else {
                    format!("((unsigned __int128){high}UL << 64 | {low}UL)")
                }
            }
            t => {
                let n = crate::expr::wrap(raw as i128, t);
                let plain = if i32::try_from(n).is_ok() {
                    Type::I32
                } else {
                    t
                };
                render(integer(types, n, plain))
            }
        }
    }

    fn array(&self, elem: CTy, len: u64, bytes: &[u8], at: u64, relocs: &[Reloc]) -> String {
        let types = self.declarer.types;
        let size = types.size_of(elem).unwrap_or(1).max(1);
        let total = len * size;
        if self.is_zero(total, bytes, at, relocs) {
            return "{0}".into();
        }
        if types.arithmetic(elem) == Some(Basic::Char) {
            if let Some(text) = self.text_array(len, bytes, at) {
                return text;
            }
        }
        let mut used = len;
        while used > 1 && self.is_zero(size, bytes, at + (used - 1) * size, relocs) {
            used -= 1;
        }
        let parts: Vec<String> = (0..used)
            .map(|k| self.object(elem, bytes, at + k * size, relocs))
            .collect();
        format!("{{{}}}", parts.join(", "))
    }

    /// A character array that holds text.
    fn text_array(&self, len: u64, bytes: &[u8], at: u64) -> Option<String> {
        let content = bytes.get(at as usize..(at + len) as usize)?;
        let end = content.iter().rposition(|&b| b != 0).map_or(0, |n| n + 1);
        let printable = content[..end]
            .iter()
            .all(|&b| (0x20..0x7f).contains(&b) || matches!(b, b'\n' | b'\t' | b'\r'));
        if !printable || end as u64 == len {
            return None;
        }
        string(&content[..end], end as u64 + 1)
    }

    fn record(
        &self,
        r: adjoin_ir::ctype::Record,
        bytes: &[u8],
        at: u64,
        relocs: &[Reloc],
    ) -> String {
        let types = self.declarer.types;
        let data = types.record(r);
        let Some(fields) = &data.fields else {
            return "{0}".into();
        };
        let mut parts = Vec::new();
        for f in fields {
            let size = types.size_of(f.ty).unwrap_or(0);
            if let Some((first, width)) = f.bits {
                let Some(name) = &f.name else { continue };
                let raw = little_endian(bytes, at + f.offset, ((first + width).div_ceil(8)) as u64)
                    >> first;
                let mask = if width >= 128 {
                    u128::MAX
                } else {
                    (1u128 << width) - 1
                };
                let mut n = (raw & mask) as i128;
                let signed = types.arithmetic(f.ty).is_some_and(|b| b.is_signed());
                if signed && width > 0 && n >> (width - 1) & 1 == 1 {
                    n -= 1i128 << width;
                }
                if n != 0 {
                    parts.push(format!(".{name} = {n}"));
                }
                continue;
            }
            if self.is_zero(size, bytes, at + f.offset, relocs) {
                continue;
            }
            let value = self.object(f.ty, bytes, at + f.offset, relocs);
            match &f.name {
                Some(name) => parts.push(format!(".{name} = {value}")),
                // The members of an anonymous member are designated as the record's own.
                None => parts.push(
                    value
                        .trim_start_matches('{')
                        .trim_end_matches('}')
                        .to_string(),
                ),
            }
            if data.is_union && self.covers(size, data.size, bytes, at, relocs) {
                break;
            }
            if data.is_union {
                parts.pop();
            }
        }
        if parts.is_empty() {
            return "{0}".into();
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// Does a union's member of this size hold all that is not zero?
    fn covers(&self, size: u64, whole: u64, bytes: &[u8], at: u64, relocs: &[Reloc]) -> bool {
        size >= whole || self.is_zero(whole - size, bytes, at + size, relocs)
    }

    fn address(&self, r: &Reloc, wanted: CTy) -> String {
        let types = self.declarer.types;
        let (name, ty) = match r.target {
            RelocTarget::Func(f) => {
                let data = &self.module.funcs[f];
                let exact = types
                    .pointee(wanted)
                    .is_some_and(|p| types.compatible(p, data.ctype));
                return if exact {
                    data.name.clone()
                } else {
                    format!("({}){}", self.declarer.type_name(wanted), data.name)
                };
            }
            RelocTarget::Global(g) => {
                let data = &self.module.globals[g];
                let literal = (data.linkage == Linkage::Literal)
                    .then(|| string_literal(self.module, types, g))
                    .flatten();
                let name = literal.unwrap_or_else(|| {
                    self.names
                        .get(&g)
                        .cloned()
                        .unwrap_or_else(|| data.name.clone())
                });
                (name, data.ctype)
            }
        };
        let pointee = types.pointee(wanted);
        let elem = types.array_element(ty);
        let fits = |t: CTy| pointee.is_some_and(|p| types.compatible(p, t) || types.is_void(p));
        if r.addend == 0 {
            if elem.is_some_and(fits) {
                return name;
            }
            if fits(ty) {
                return format!("&{name}");
            }
        }
        if let Some(elem) = elem.filter(|&e| fits(e)) {
            let size = types.size_of(elem).unwrap_or(1).max(1) as i64;
            if r.addend % size == 0 {
                return format!("&{name}[{}]", r.addend / size);
            }
        }
        let base = if elem.is_some() {
            name
        } else {
            format!("&{name}")
        };
        let moved = match r.addend {
            0 => base,
            n if n > 0 => format!("((char *){base} + {n})"),
            n => format!("((char *){base} - {})", -n),
        };
        format!("({}){moved}", self.declarer.type_name(wanted))
    }
}

fn little_endian(bytes: &[u8], at: u64, size: u64) -> u128 {
    (0..size).fold(0, |n, k| {
        n | u128::from(bytes.get((at + k) as usize).copied().unwrap_or(0)) << (8 * k)
    })
}

/// An x87 number in hexadecimal.
fn extended(raw: u128) -> String {
    let mantissa = raw as u64;
    let exponent = (raw >> 64) as i64 & 0x7fff;
    let sign = if raw >> 79 & 1 == 1 { "-" } else { "" };
    if exponent == 0x7fff {
        let name = if mantissa << 1 == 0 {
            "__builtin_infl()"
        } else {
            "__builtin_nanl(\"\")"
        };
        return format!("{sign}{name}");
    }
    if mantissa == 0 {
        return format!("{sign}0.0L");
    }
    format!("{sign}0x{mantissa:x}p{}L", exponent.max(1) - 16383 - 63)
}
