//! The initial bytes of static objects: constants written at their offsets, addresses as relocations.

use crate::constant::{Base, Constant, Evaluator};
use crate::globals::ModuleLowerer;
use crate::init::string_of;
use adjoin_front::ast::{self, Expr, ExprKind, VarId};
use adjoin_ir::{Basic, CTy, Init, Reloc, RelocTarget};

/// Bytes beyond this are not materialised: the object is declared without contents. (An initialiser that reaches there is a sparse one.)
const LARGEST_IMAGE: u64 = 1 << 30;

/// An object's contents under construction.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocs: Vec<(u64, Base, i64)>,
}

impl Image {
    fn write(&mut self, offset: u64, bytes: &[u8]) -> Option<()> {
        let end = offset.checked_add(bytes.len() as u64)?;
        if end > LARGEST_IMAGE {
            return None;
        }
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
        self.bytes[offset as usize..end as usize].copy_from_slice(bytes);
        Some(())
    }

    fn write_bits(&mut self, offset: u64, first: u32, width: u32, value: i128) -> Option<()> {
        for k in 0..width {
            let bit = (first + k) as u64;
            let at = offset.checked_add(bit / 8)?;
            let old = self.bytes.get(at as usize).copied().unwrap_or(0);
            let mask = 1u8 << (bit % 8);
            let set = value >> k & 1 == 1;
            self.write(at, &[if set { old | mask } else { old & !mask }])?;
        }
        Some(())
    }
}

impl<'a> ModuleLowerer<'a> {
    /// The initial contents of a static object that is defined here. `None` if they are not a constant that Adjoin can evaluate: then the object is only
    /// declared (its definition stays in the user's text).
    pub fn static_init(&mut self, var: VarId) -> Option<Init> {
        let v = &self.unit.vars[var];
        let mut image = Image::default();
        if let Some(init) = &v.init {
            self.write_init(&mut image, 0, v.ty, init)?;
        }
        image.relocs.sort_by_key(|r| r.0);
        let mut relocs = Vec::with_capacity(image.relocs.len());
        for (offset, base, addend) in image.relocs {
            let target = match base {
                Base::Var(v) => RelocTarget::Global(self.global(v)),
                Base::Str(s) => RelocTarget::Global(self.string(s, None)),
                Base::Func(f) => RelocTarget::Func(self.function(f)),
            };
            relocs.push(Reloc {
                offset,
                target,
                addend,
            });
        }
        Some(Init {
            bytes: image.bytes,
            relocs,
        })
    }

    fn write_init(&self, image: &mut Image, at: u64, ty: CTy, init: &'a ast::Init) -> Option<()> {
        match init {
            ast::Init::Expr(e) => self.write_part(image, at, ty, None, e),
            ast::Init::List(items) => {
                let evaluator = Evaluator { unit: self.unit };
                for item in items {
                    let (offset, bits) = evaluator.offset(ty, &item.path)?;
                    self.write_part(image, at.checked_add(offset)?, item.ty, bits, &item.value)?;
                }
                Some(())
            }
        }
    }

    fn write_part(
        &self,
        image: &mut Image,
        at: u64,
        ty: CTy,
        bits: Option<(u32, u32)>,
        e: &'a Expr,
    ) -> Option<()> {
        let types = self.types();
        if let Some(s) = string_of(e)
            && types.element(ty).is_some()
        {
            let bytes = &self.unit.strings[s].bytes;
            let room = types.size_of(ty).unwrap_or(bytes.len() as u64) as usize;
            return image.write(at, &bytes[..bytes.len().min(room)]);
        }
        if types.is_aggregate(ty) {
            // A record or array from a compound literal.
            return match compound_literal(e) {
                Some(v) => {
                    let literal = &self.unit.vars[v];
                    self.write_init(image, at, literal.ty, literal.init.as_ref()?)
                }
                None => None,
            };
        }
        let evaluator = Evaluator { unit: self.unit };
        let v = evaluator.value(e)?;
        let v = evaluator.convert(v, ty)?;
        if let Some((first, width)) = bits {
            return match v {
                Constant::Int(n) => image.write_bits(at, first, width, n),
                _ => None,
            };
        }
        let size = types.size_of(ty)? as usize;
        match v {
            Constant::Int(n) => image.write(at, &n.to_le_bytes()[..size.min(16)]),
            Constant::Float(x) => image.write(at, &float_bytes(x, evaluator.basic(ty)?)),
            Constant::Extended(x) => image.write(at, &x.bytes()),
            Constant::Complex(re, im) => {
                let part = part_of(evaluator.basic(ty)?)?;
                let mut bytes = float_bytes(re, part);
                bytes.extend(float_bytes(im, part));
                image.write(at, &bytes)
            }
            Constant::Address(base, addend) => {
                image.write(at, &[0; 8])?;
                image.relocs.push((at, base, addend));
                Some(())
            }
        }
    }
}

fn compound_literal(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::CompoundLit(v) => Some(*v),
        ExprKind::Load(inner) | ExprKind::Cast { operand: inner, .. } => compound_literal(inner),
        _ => None,
    }
}

fn part_of(b: Basic) -> Option<Basic> {
    match b {
        Basic::ComplexFloat => Some(Basic::Float),
        Basic::ComplexDouble => Some(Basic::Double),
        Basic::ComplexLongDouble => Some(Basic::LongDouble),
        _ => None,
    }
}

/// A real number as it is in memory.
fn float_bytes(x: f64, ty: Basic) -> Vec<u8> {
    match ty {
        Basic::Float => (x as f32).to_le_bytes().to_vec(),
        Basic::LongDouble => extended_bytes(x).to_vec(),
        Basic::Float128 => quad_bytes(x).to_vec(),
        Basic::Float16 => half_bytes(x).to_vec(),
        _ => x.to_le_bytes().to_vec(),
    }
}

/// Sign, exponent of two of the leading bit, and 64 bits of significand with the leading one on top; `None` for zero, infinity and NaN.
fn normalised(x: f64) -> Option<(bool, i32, u64)> {
    if x == 0.0 || !x.is_finite() {
        return None;
    }
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, significand) = match exponent {
        0 => {
            let shift = fraction.leading_zeros();
            (-1022 + 11 - shift as i32, fraction << shift)
        }
        _ => (exponent - 1023, (fraction | 1 << 52) << 11),
    };
    Some((x.is_sign_negative(), exponent, significand))
}

/// x87 extended precision in 16 bytes.
fn extended_bytes(x: f64) -> [u8; 16] {
    let sign = (x.is_sign_negative() as u16) << 15;
    let (top, significand) = match normalised(x) {
        Some((_, exponent, significand)) => (sign | (exponent + 16383) as u16, significand),
        None if x == 0.0 => (sign, 0),
        None if x.is_nan() => (sign | 0x7fff, 3 << 62),
        None => (sign | 0x7fff, 1 << 63),
    };
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&significand.to_le_bytes());
    bytes[8..10].copy_from_slice(&top.to_le_bytes());
    bytes
}

/// IEEE binary128.
fn quad_bytes(x: f64) -> [u8; 16] {
    let sign = (x.is_sign_negative() as u128) << 127;
    let bits = match normalised(x) {
        Some((_, exponent, significand)) => {
            let fraction = (significand << 1) as u128;
            sign | ((exponent + 16383) as u128) << 112 | fraction << 48
        }
        None if x == 0.0 => sign,
        None if x.is_nan() => sign | 0xffff << 111,
        None => sign | 0x7fff << 112,
    };
    bits.to_le_bytes()
}

/// IEEE binary16, rounded to nearest even.
fn half_bytes(x: f64) -> [u8; 2] {
    let sign = (x.is_sign_negative() as u16) << 15;
    let magnitude = x.abs();
    let bits = if x.is_nan() {
        0x7e00
    } else if magnitude >= 65520.0 {
        0x7c00
    } else if magnitude < 2f64.powi(-14) {
        // Subnormal: a multiple of 2^-24, of which 1024 make the smallest normal number.
        (magnitude * 2f64.powi(24)).round_ties_even() as u16
    } else {
        let exponent = magnitude.log2().floor() as i32;
        let exponent = if 2f64.powi(exponent) > magnitude {
            exponent - 1
        } else {
            exponent
        };
        let fraction = (magnitude / 2f64.powi(exponent) - 1.0) * 1024.0;
        (((exponent + 15) as u16) << 10) + fraction.round_ties_even() as u16
    };
    (sign | bits).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_double_bytes() {
        assert_eq!(
            extended_bytes(1.0)[..10],
            [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]
        );
        assert_eq!(
            extended_bytes(-2.5)[..10],
            [0, 0, 0, 0, 0, 0, 0, 0xa0, 0x00, 0xc0]
        );
        assert_eq!(extended_bytes(0.0), [0; 16]);
    }

    #[test]
    fn half_precision_bytes() {
        assert_eq!(half_bytes(1.0), 0x3c00u16.to_le_bytes());
        assert_eq!(half_bytes(-2.0), 0xc000u16.to_le_bytes());
        assert_eq!(half_bytes(65504.0), 0x7bffu16.to_le_bytes());
        assert_eq!(half_bytes(1e-8), 0u16.to_le_bytes());
    }

    #[test]
    fn quad_precision_bytes() {
        assert_eq!(quad_bytes(1.0)[12..], [0, 0, 0xff, 0x3f]);
        assert_eq!(quad_bytes(1.5)[12..], [0, 0x80, 0xff, 0x3f]);
    }

    #[test]
    fn bits_are_written_into_bytes() {
        let mut image = Image::default();
        image.write_bits(0, 3, 7, -1).expect("small");
        assert_eq!(image.bytes, [0xf8, 0x03]);
    }
}
