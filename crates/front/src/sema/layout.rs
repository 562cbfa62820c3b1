//! Record layout: System V x86-64, bit-fields as gcc places them.

use super::{FieldDecl, Sema};
use crate::ast::Span;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::{Basic, CTypeKind, Field, Record};

/// The state while members are placed, in bits.
struct Placement {
    is_union: bool,
    /// The first free bit.
    next: u128,
    /// The end of the longest member so far.
    end: u128,
    /// Alignment of the record, in bits.
    align: u128,
    /// The `#pragma pack` limit in bits (0: none).
    pack: u128,
}

impl Placement {
    /// Moves to a multiple of `align` bits.
    fn align_to(&mut self, align: u128) {
        self.next = self.next.next_multiple_of(align.max(1));
    }

    fn limited(&self, align: u128) -> u128 {
        if self.pack != 0 {
            align.min(self.pack)
        } else {
            align
        }
    }

    fn finish(&mut self, start: u128, bits: u128) {
        self.end = self.end.max(start.saturating_add(bits));
        self.next = if self.is_union {
            0
        } else {
            start.saturating_add(bits)
        };
    }

    /// Places a plain member; gives its offset in bytes.
    fn plain(&mut self, size: u64, type_align: u64, asked: u64, packed: bool) -> u64 {
        let natural = if packed { 1 } else { type_align };
        let align = self.limited(u128::from(natural.max(asked)) * 8);
        self.align_to(align);
        self.align = self.align.max(align);
        let start = self.next;
        self.finish(start, u128::from(size) * 8);
        (start / 8) as u64
    }

    /// Places a bit-field; gives its first bit.
    fn bit_field(
        &mut self,
        width: u128,
        size: u128,
        asked: u128,
        packed: bool,
        named: bool,
    ) -> u128 {
        let unit = size * 8;
        if width == 0 {
            // Only moves on to the next unit of its type, which `#pragma pack` does not change.
            let align = unit.max(asked * 8);
            self.align_to(align);
            let start = self.next;
            self.finish(start, 0);
            return start;
        }
        if asked != 0 {
            let align = self.limited(asked * 8);
            self.align_to(align);
            if named {
                self.align = self.align.max(align);
            }
        }
        // A field may not cross more units of its type than the type itself does, unless packing allows it.
        let crosses = self.next % unit + width > unit;
        if crosses && !packed && self.pack == 0 {
            self.align_to(unit);
        }
        if named {
            let align = if self.pack != 0 {
                unit.min(self.pack)
            } else if packed {
                8
            } else {
                unit
            };
            self.align = self.align.max(align);
        }
        let start = self.next;
        self.finish(start, width);
        start
    }
}

#[allow(missing_docs)]
impl Sema {
    /// Lays out a record (System V x86-64, bit-fields as gcc does). `#pragma pack` is read from [`Sema::pack`].
    pub fn complete_record(
        &mut self,
        r: Record,
        fields: Vec<FieldDecl>,
        packed: bool,
        align: u64,
        span: Span,
    ) {
        let is_union = self.unit.types.records[r].is_union;
        let mut place = Placement {
            is_union,
            next: 0,
            end: 0,
            align: 8,
            pack: u128::from(self.pack) * 8,
        };
        let mut laid_out = Vec::with_capacity(fields.len());
        let count = fields.len();
        self.check_duplicates(&fields);
        for (i, field) in fields.into_iter().enumerate() {
            let packed = packed || field.packed;
            let Some(width) = field.width else {
                let last = i + 1 == count;
                let alone = !laid_out
                    .iter()
                    .any(|f: &Field| f.name.is_some() || f.bits.is_none());
                let size = self.member_size(&field, last, alone, is_union);
                let type_align = self.unit.types.align_of(field.ty);
                let offset = place.plain(size, type_align, field.align, packed);
                laid_out.push(Field {
                    name: field.name,
                    ty: field.ty,
                    offset,
                    bits: None,
                });
                continue;
            };
            let Some((width, b)) = self.check_bit_field(&field, width) else {
                continue;
            };
            let named = field.name.is_some();
            let size = u128::from(b.size());
            let start = place.bit_field(width.into(), size, field.align.into(), packed, named);
            if width == 0 {
                continue;
            }
            let unit = size * 8;
            let one_unit = start % unit + u128::from(width) <= unit;
            let offset = if one_unit && !packed && self.pack == 0 {
                start / unit * size
            } else {
                start / 8
            };
            laid_out.push(Field {
                name: field.name,
                ty: field.ty,
                offset: offset as u64,
                bits: Some(((start - offset * 8) as u32, width)),
            });
        }
        let align = (place.align / 8).max(align.into());
        let bytes = place.end.div_ceil(8).next_multiple_of(align);
        let fits = bytes <= i64::MAX as u128;
        let data = &mut self.unit.types.records[r];
        data.align = align as u64;
        data.size = if fits { bytes as u64 } else { 0 };
        data.packed = packed;
        data.fields = Some(laid_out);
        if !fits {
            self.error(
                span,
                "the record is too large",
                "larger than the address space",
            );
        }
    }

    fn check_duplicates(&mut self, fields: &[FieldDecl]) {
        let mut seen: std::collections::HashMap<String, Span> = std::collections::HashMap::new();
        for field in fields {
            let mut names = Vec::new();
            match (&field.name, self.unit.types.record(field.ty)) {
                (Some(name), _) => names.push(name.clone()),
                (None, Some(inner)) => self.member_names(inner, &mut names),
                _ => {}
            }
            for name in names {
                if let Some(first) = seen.insert(name.clone(), field.span) {
                    let d = Diagnostic::error(field.span, format!("duplicate member '{name}'"))
                        .label("declared again here")
                        .related(first, "first declared here");
                    self.fail(d);
                }
            }
        }
    }

    /// The size of a plain member; 0 with an error where it has none.
    fn member_size(&mut self, field: &FieldDecl, last: bool, alone: bool, is_union: bool) -> u64 {
        if let Some(size) = self.unit.types.size_of(field.ty)
            && !self.is_void(field.ty)
        {
            return size;
        }
        let flexible = matches!(*self.shape(field.ty), CTypeKind::Array { elem, len: None }
            if self.unit.types.size_of(elem).is_some());
        if flexible && last && !is_union && !alone {
            return 0;
        }
        let name = field.name.clone().unwrap_or_default();
        let label = if flexible && is_union {
            "a union cannot have a flexible array".to_string()
        } else if flexible && alone {
            "there must be a named member before a flexible array".to_string()
        } else if flexible {
            "a flexible array must be the last member".to_string()
        } else if self.is_variable_size(field.ty) {
            "a member cannot have variable size".to_string()
        } else {
            format!("'{}' has no size here", self.type_name(field.ty))
        };
        self.error(
            field.span,
            format!("member '{name}' has an incomplete type"),
            label,
        );
        0
    }

    /// The width and type of a bit-field, checked.
    fn check_bit_field(&mut self, field: &FieldDecl, width: u32) -> Option<(u32, Basic)> {
        let name = field.name.clone().unwrap_or_else(|| "<unnamed>".into());
        let Some(b) = self.arithmetic(field.ty).filter(|b| b.is_integer()) else {
            let ty = self.type_name(field.ty);
            self.error(
                field.span,
                format!("bit-field '{name}' must have an integer type"),
                format!("this is '{ty}'"),
            );
            return None;
        };
        let limit = if b == Basic::Bool {
            1
        } else {
            b.size() as u32 * 8
        };
        if width > limit {
            self.error(
                field.span,
                format!("bit-field '{name}' is wider than its type"),
                format!("the type has {limit} bits"),
            );
            return Some((limit, b));
        }
        if width == 0 && field.name.is_some() {
            self.error(
                field.span,
                format!("bit-field '{name}' has width 0"),
                "only an unnamed bit-field may have width 0",
            );
        }
        Some((width, b))
    }
}
