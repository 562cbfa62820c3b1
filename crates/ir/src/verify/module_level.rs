//! Types, globals and the heads of functions: invariants 1 to 5.

use super::Errors;
use crate::ctype::{CTy, CTypeKind, CTypes, Field, Quals, RecordData};
use crate::module::*;
use crate::type_text::MAX_TYPE_DEPTH;
use cranelift_entity::SecondaryMap;

/// How many words a type may have in the text form, where typedefs and records count as one.
const MAX_WRITTEN: u32 = 100_000;

pub fn check_types(module: &Module, errors: &mut Errors) {
    let types = &module.types;
    // Depth and length of each type as it is written.
    let mut written: SecondaryMap<CTy, (u32, u32)> = SecondaryMap::new();
    for (t, kind) in types.all() {
        let mut size = (1u32, 1u32);
        for part in kind.parts() {
            if !errors.check(
                part < t,
                1,
                format_args!("{t} is made of {part}, which is not an earlier type"),
            ) {
                return;
            }
            size.0 = size.0.max(written[part].0.saturating_add(1));
            size.1 = size.1.saturating_add(written[part].1);
        }
        let named = matches!(kind, CTypeKind::Typedef { .. });
        written[t] = if named { (1, 1) } else { size };
        let short = size.0 <= MAX_TYPE_DEPTH && size.1 <= MAX_WRITTEN;
        errors.check(
            short,
            1,
            format_args!("{t} is too deep or too long to write"),
        );
        match *kind {
            CTypeKind::Qualified { quals, inner } => {
                errors.check(
                    quals != Quals::default(),
                    1,
                    format_args!("{t} has no qualifiers"),
                );
                let nested = matches!(types.kind(inner), CTypeKind::Qualified { .. });
                errors.check(!nested, 1, format_args!("{t} has nested qualifiers"));
            }
            CTypeKind::Record(r) => {
                errors.check(
                    types.records.is_valid(r),
                    1,
                    format_args!("{t} names no record"),
                );
            }
            CTypeKind::Enum(e) => {
                errors.check(
                    types.enums.is_valid(e),
                    1,
                    format_args!("{t} names no enumeration"),
                );
            }
            _ => {}
        }
    }
    if !errors.list.is_empty() {
        return;
    }
    for (r, data) in &types.records {
        check_record(types, data, &format!("{r}"), errors);
    }
    for (e, data) in &types.enums {
        errors.check(
            data.underlying.is_integer(),
            2,
            format_args!("{e} has no integer type"),
        );
    }
}

fn check_record(types: &CTypes, data: &RecordData, name: &str, errors: &mut Errors) {
    errors.check(
        data.align.is_power_of_two(),
        2,
        format_args!("{name}: alignment {}", data.align),
    );
    for (k, field) in data.fields.iter().flatten().enumerate() {
        if !errors.check(
            types.contains(field.ty),
            2,
            format_args!("{name}: member {k} has no type"),
        ) {
            continue;
        }
        let inside = match field_end(types, field) {
            Some(end) => end <= u128::from(data.size) * 8,
            None => false,
        };
        errors.check(inside, 2, format_args!("{name}: member {k} is not inside"));
    }
}

/// The bit after a member, counted from the start of the record; `None` if it has no size.
fn field_end(types: &CTypes, field: &Field) -> Option<u128> {
    let start = u128::from(field.offset) * 8;
    if let Some((first, width)) = field.bits {
        if width == 0 {
            return Some(0);
        }
        let declared = u128::from(types.size_of(field.ty)?) * 8;
        let end = start + u128::from(first) + u128::from(width);
        return (u128::from(width) <= declared).then_some(end);
    }
    match types.shape(field.ty) {
        // A flexible member.
        CTypeKind::Array { len: None, .. } => Some(start),
        _ => Some(start + u128::from(types.size_of(field.ty)?) * 8),
    }
}

pub fn check_span(module: &Module, span: Span, errors: &mut Errors) {
    let known = span.line == 0 || (span.file as usize) < module.files.len();
    errors.check(known, 5, format_args!("there is no file {}", span.file));
}

pub fn check_globals(module: &Module, errors: &mut Errors) {
    for (g, data) in &module.globals {
        errors.place = format!("global `{}` ({g})", data.name);
        if errors.check(
            module.types.contains(data.ctype),
            3,
            "its type does not exist",
        ) {
            check_init(module, data, errors);
        }
        let owned = data.owner.is_none_or(|f| module.funcs.is_valid(f));
        errors.check(owned, 3, "its owner does not exist");
        let local = data.linkage == Linkage::StaticLocal;
        errors.check(
            !local || data.owner.is_some(),
            3,
            "a static local without an owner",
        );
        let aligned = data.align == 0 || data.align.is_power_of_two();
        errors.check(aligned, 3, format_args!("alignment {}", data.align));
        check_span(module, data.span, errors);
    }
    errors.place.clear();
}

fn check_init(module: &Module, data: &GlobalData, errors: &mut Errors) {
    let Some(init) = &data.init else { return };
    let size = match module.types.size_of(data.ctype) {
        // The initialiser says how long a flexible member is.
        Some(_) if has_flexible_member(&module.types, data.ctype) => init.bytes.len() as u64,
        Some(size) => size,
        None => return errors.report(3, "it is initialised, but its size is not known"),
    };
    errors.check(
        init.bytes.len() as u64 <= size,
        3,
        "more initial bytes than it has",
    );
    let mut free_from = 0;
    for reloc in &init.relocs {
        let in_order = reloc.offset >= free_from;
        errors.check(
            in_order,
            3,
            format_args!(
                "the address at {} is out of order or overlaps",
                reloc.offset
            ),
        );
        free_from = reloc.offset.saturating_add(8);
        errors.check(
            free_from <= size,
            3,
            format_args!("the address at {} is outside", reloc.offset),
        );
        let exists = match reloc.target {
            RelocTarget::Global(g) => module.globals.is_valid(g),
            RelocTarget::Func(f) => module.funcs.is_valid(f),
        };
        errors.check(
            exists,
            3,
            format_args!("the address at {} is of nothing", reloc.offset),
        );
    }
}

fn has_flexible_member(types: &CTypes, t: CTy) -> bool {
    let fields = types
        .record(t)
        .and_then(|r| types.records[r].fields.as_ref());
    let last = fields.and_then(|f| f.last());
    last.is_some_and(|f| matches!(types.shape(f.ty), CTypeKind::Array { len: None, .. }))
}

pub fn check_function_heads(module: &Module, errors: &mut Errors) {
    for (f, function) in &module.funcs {
        errors.func = Some(f);
        errors.place = format!("function `{}`", function.name);
        check_span(module, function.span, errors);
        let types = &module.types;
        let typed = types.contains(function.ctype)
            && matches!(types.shape(function.ctype), CTypeKind::Function { .. });
        errors.check(typed, 4, "its type is not a function type");
        let linkage = matches!(function.linkage, Linkage::External | Linkage::Static);
        errors.check(linkage, 4, "its linkage is that of a variable");
    }
}
