//! Initialisers: braces, elided braces, designators and strings, flattened into a list of parts with their values.
//!
//! The walk goes once over what was written. Only where designators occur can a part be initialised twice;
//! then [`super::init_override`] removes what is overwritten.

use super::{Designator, ParsedInit, Sema, expr, init_override};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Record};
use std::iter::Peekable;
use std::vec::IntoIter;

type Entry = (Vec<Designator>, ParsedInit);
type Entries = Peekable<IntoIter<Entry>>;

/// What an initialiser is called in messages.
const WHAT: &str = "the initialiser";
/// The most elements that one range designator may repeat a value for.
const RANGE_LIMIT: u64 = 1 << 24;

/// A part of the list that begins anew: what was said about everything below the path is forgotten.
pub(crate) struct Reset {
    /// It happens before the item with this number.
    pub(crate) before: usize,
    pub(crate) path: Vec<InitStep>,
}

/// The flattened list as it grows.
struct Flat {
    items: Vec<InitItem>,
    resets: Vec<Reset>,
    designated: bool,
    is_static: bool,
    /// Where the walk is.
    path: Vec<InitStep>,
    /// Elements of the outermost array so far.
    extent: u64,
}

fn uses_designators(entries: &[Entry]) -> bool {
    entries.iter().any(|(designators, init)| {
        !designators.is_empty()
            || matches!(init, ParsedInit::List(inner, _) if uses_designators(inner))
    })
}

fn init_span(init: &ParsedInit) -> Span {
    match init {
        ParsedInit::Expr(e) => e.span,
        ParsedInit::List(_, span) => *span,
    }
}

#[allow(missing_docs)]
impl Sema {
    /// Flattens an initialiser; returns it with the type completed (`int a[] = …`). `is_static`: values must be constants.
    ///
    /// A string for a character array keeps its own length where that is shorter than the array; it is cut where it is longer.
    pub fn initialiser(
        &mut self,
        ty: CTy,
        init: ParsedInit,
        is_static: bool,
        span: Span,
    ) -> (Init, CTy) {
        match init {
            ParsedInit::Expr(e) => self.init_with_expr(ty, e, is_static, span),
            ParsedInit::List(mut entries, list_span) => {
                if matches!(self.shape(ty), CTypeKind::Vla { .. }) || self.is_variable_size(ty) {
                    if !entries.is_empty() {
                        self.error(
                            list_span,
                            "a variable-length array cannot be initialised",
                            "its size is not known before the program runs",
                        );
                    }
                    return (Init::List(Vec::new()), ty);
                }
                if self.is_only_string(ty, &entries) || !self.has_parts(ty) {
                    let Some((designators, first)) =
                        (!entries.is_empty()).then(|| entries.remove(0))
                    else {
                        return (Init::List(Vec::new()), ty);
                    };
                    self.check_scalar_list(&designators, &entries);
                    return self.initialiser(ty, first, is_static, span);
                }
                self.init_with_list(ty, entries, is_static, span)
            }
        }
    }

    /// Is the type made of parts that braces can list?
    fn has_parts(&self, ty: CTy) -> bool {
        matches!(
            self.shape(ty),
            CTypeKind::Array { .. } | CTypeKind::Record(_) | CTypeKind::Vector { .. }
        )
    }

    /// A braced scalar: one value, no designator.
    fn check_scalar_list(&mut self, designators: &[Designator], rest: &[Entry]) {
        if let Some(Designator::Index(_, _, span) | Designator::Field(_, span)) =
            designators.first()
        {
            self.error(
                *span,
                "designator in the initialiser of a scalar",
                "it has no parts",
            );
        }
        if let Some((_, extra)) = rest.first() {
            self.warn(
                init_span(extra),
                "excess elements in initialiser",
                "this is ignored",
            );
        }
    }

    fn init_with_list(
        &mut self,
        ty: CTy,
        entries: Vec<Entry>,
        is_static: bool,
        span: Span,
    ) -> (Init, CTy) {
        let incomplete = self
            .unit
            .types
            .record(ty)
            .is_some_and(|r| self.unit.types.records[r].fields.is_none());
        if incomplete {
            let name = self.type_name(ty);
            self.error(
                span,
                format!("'{name}' is an incomplete type"),
                "cannot be initialised",
            );
            return (Init::List(Vec::new()), ty);
        }
        let mut flat = Flat {
            items: Vec::with_capacity(entries.len()),
            resets: Vec::new(),
            designated: uses_designators(&entries),
            is_static,
            path: Vec::new(),
            extent: 0,
        };
        self.fill_braced(&mut flat, ty, entries);
        let items = if flat.designated {
            init_override::remove_overwritten(self, flat.items, flat.resets)
        } else {
            flat.items
        };
        let ty = match *self.shape(ty) {
            CTypeKind::Array { elem, len: None } => self.complete_array(ty, elem, flat.extent),
            _ => ty,
        };
        (Init::List(items), ty)
    }

    /// `T[]` with its length, qualifiers kept.
    fn complete_array(&mut self, ty: CTy, elem: CTy, len: u64) -> CTy {
        let quals = self.unit.types.quals(ty);
        let array = self.unit.types.array(elem, Some(len));
        self.unit.types.qualified(array, quals)
    }

    fn init_with_expr(&mut self, ty: CTy, e: Expr, is_static: bool, span: Span) -> (Init, CTy) {
        if self.is_wild(&e) {
            return (Init::Expr(e), ty);
        }
        if let CTypeKind::Array { elem, .. } = *self.shape(ty) {
            if self.string_fits(ty, &e) {
                let (value, ty) = self.fit_string(ty, e);
                return (Init::Expr(value), ty);
            }
            if let ExprKind::CompoundLit(v) = e.kind
                && self.compatible(ty, e.ty)
                && let Some(init) = self.unit.vars[v].init.clone()
            {
                let len = match *self.shape(e.ty) {
                    CTypeKind::Array { len, .. } => len.unwrap_or(0),
                    _ => 0,
                };
                let is_open = matches!(*self.shape(ty), CTypeKind::Array { len: None, .. });
                let ty = if is_open {
                    self.complete_array(ty, elem, len)
                } else {
                    ty
                };
                return (init, ty);
            }
            let name = self.type_name(ty);
            let help = if self.arithmetic(elem).is_some_and(|b| b.size() == 1) {
                "write a string or a list in braces"
            } else {
                "write a list in braces"
            };
            let d = crate::diag::Diagnostic::error(
                e.span,
                format!("an array of type '{name}' cannot be initialised with this"),
            )
            .label("not a list in braces")
            .help(help);
            self.fail(d);
            return (Init::List(Vec::new()), ty);
        }
        if self.is_variable_size(ty) {
            self.error(
                span,
                "a variable-length array cannot be initialised",
                "variable size",
            );
            return (Init::List(Vec::new()), ty);
        }
        // `va_list` has no values; an initialiser for one is an error of its own.
        if is_static
            && let ExprKind::CompoundLit(v) = e.kind
            && self.has_parts(ty)
            && self.compatible(ty, e.ty)
            && let Some(init) = self.unit.vars[v].init.clone()
        {
            return (init, ty);
        }
        let value = self.convert(e, ty, WHAT);
        if is_static {
            self.check_constant(&value);
        }
        (Init::Expr(value), ty)
    }

    fn check_constant(&mut self, value: &Expr) {
        if !self.is_wild(value) && !self.is_constant(value) {
            self.error(
                value.span,
                "the initialiser of a static object is not a constant",
                "this is not known before the program runs",
            );
        }
    }

    /// Is the list one string for a character array?
    fn is_only_string(&self, ty: CTy, entries: &[Entry]) -> bool {
        matches!(entries, [(designators, ParsedInit::Expr(e))]
            if designators.is_empty() && self.string_fits(ty, e))
    }

    /// Can the string literal initialise the array?
    fn string_fits(&self, ty: CTy, e: &Expr) -> bool {
        let ExprKind::Str(_) = e.kind else {
            return false;
        };
        let CTypeKind::Array { elem, .. } = *self.shape(ty) else {
            return false;
        };
        let of = |t: CTy| self.arithmetic(t);
        match (self.unit.types.element(e.ty).and_then(of), of(elem)) {
            (Some(string), Some(array)) => {
                array.is_integer() && array != Basic::Bool && string.size() == array.size()
            }
            _ => false,
        }
    }

    /// The string cut to the array, and the array with its length.
    fn fit_string(&mut self, ty: CTy, e: Expr) -> (Expr, CTy) {
        let (ExprKind::Str(id), CTypeKind::Array { elem, len }) = (&e.kind, self.shape(ty)) else {
            return (e, ty);
        };
        let (id, elem, len) = (*id, *elem, *len);
        let have = match *self.shape(e.ty) {
            CTypeKind::Array { len: Some(n), .. } => n,
            _ => 0,
        };
        let Some(len) = len else {
            let ty = self.complete_array(ty, elem, have);
            return (e, ty);
        };
        if have <= len {
            return (e, ty);
        }
        if have > len + 1 {
            self.warn(
                e.span,
                "the string is too long for the array",
                format!("{have} characters for {len}"),
            );
        }
        let size = self.unit.types.size_of(elem).unwrap_or(1);
        let mut bytes = self.unit.strings[id].bytes.clone();
        bytes.truncate((len * size) as usize);
        let own = self.unit.types.element(e.ty).unwrap_or(elem);
        let cut = self.unit.types.array(own, Some(len));
        let id = self.intern_string(bytes, cut);
        (expr(ExprKind::Str(id), cut, e.span), ty)
    }

    /// Initialises what the path leads to with a braced list.
    fn fill_braced(&mut self, flat: &mut Flat, ty: CTy, mut entries: Vec<Entry>) {
        if self.is_only_string(ty, &entries) || !self.has_parts(ty) {
            if entries.is_empty() {
                return;
            }
            let (designators, first) = entries.remove(0);
            self.check_scalar_list(&designators, &entries);
            let mut none = Vec::new().into_iter().peekable();
            self.place(flat, ty, Vec::new(), first, &mut none);
            return;
        }
        let mut entries = entries.into_iter().peekable();
        self.fill(flat, ty, &mut entries, true, None);
    }

    /// Takes entries for the parts of an aggregate. `top`: these are the entries of its own braces, so designators and excess elements
    /// are its own; else they are its enclosing list's. `first` is an entry to begin with; it comes back if there is no place for it.
    fn fill(
        &mut self,
        flat: &mut Flat,
        ty: CTy,
        entries: &mut Entries,
        top: bool,
        first: Option<Entry>,
    ) -> Option<Entry> {
        match *self.shape(ty) {
            CTypeKind::Record(r) => self.fill_record(flat, r, ty, entries, top, first),
            CTypeKind::Array { elem, len } => self.fill_array(flat, elem, len, entries, top, first),
            CTypeKind::Vector { elem, lanes } => {
                self.fill_array(flat, elem, Some(lanes), entries, top, first)
            }
            _ => first,
        }
    }

    /// The next entry that belongs to this aggregate.
    fn next_entry(&mut self, entries: &mut Entries, top: bool, full: bool) -> Option<Entry> {
        let mut warned = false;
        loop {
            let (designators, init) = entries.peek()?;
            let span = init_span(init);
            if designators.is_empty() && full {
                if !top {
                    return None;
                }
                if !warned {
                    self.warn(span, "excess elements in initialiser", "this is ignored");
                    warned = true;
                }
                entries.next();
                continue;
            }
            if !designators.is_empty() && !top {
                return None;
            }
            return entries.next();
        }
    }

    /// The first member from position `from` that an initialiser without designator sets.
    fn next_field(&self, record: Record, from: usize) -> Option<usize> {
        let fields = self.unit.types.records[record].fields.as_deref()?;
        (from..fields.len()).find(|i| {
            let field = &fields[*i];
            field.name.is_some() || self.unit.types.record(field.ty).is_some()
        })
    }

    fn fill_record(
        &mut self,
        flat: &mut Flat,
        record: Record,
        ty: CTy,
        entries: &mut Entries,
        top: bool,
        first: Option<Entry>,
    ) -> Option<Entry> {
        let is_union = self.unit.types.records[record].is_union;
        let mut next = self.next_field(record, 0);
        let mut pending = first;
        loop {
            let entry = pending
                .take()
                .or_else(|| self.next_entry(entries, top, next.is_none()));
            let (mut designators, init) = entry?;
            let field = match designators.first() {
                None => match next {
                    Some(field) => field,
                    None if top => {
                        let span = init_span(&init);
                        self.warn(span, "excess elements in initialiser", "this is ignored");
                        continue;
                    }
                    None => return Some((designators, init)),
                },
                Some(Designator::Index(_, _, span)) => {
                    let name = self.type_name(ty);
                    self.error(
                        *span,
                        "array designator in the initialiser of a struct or union",
                        format!("this initialises '{name}'"),
                    );
                    continue;
                }
                Some(Designator::Field(name, span)) => {
                    let Some(way) = self.find_member(record, name) else {
                        let (name, span) = (name.clone(), *span);
                        self.no_member(ty, record, &name, span);
                        continue;
                    };
                    // A member of an anonymous record is looked up again one level below.
                    if way.len() == 1 {
                        designators.remove(0);
                    }
                    way[0].1 as usize
                }
            };
            let fields = self.unit.types.records[record].fields.as_deref();
            let Some(field_ty) = fields.and_then(|f| f.get(field)).map(|f| f.ty) else {
                continue;
            };
            flat.path.push(InitStep::Field(record, field as u32));
            pending = self.place(flat, field_ty, designators, init, entries);
            flat.path.pop();
            next = if is_union {
                None
            } else {
                self.next_field(record, field + 1)
            };
        }
    }

    fn fill_array(
        &mut self,
        flat: &mut Flat,
        elem: CTy,
        len: Option<u64>,
        entries: &mut Entries,
        top: bool,
        first: Option<Entry>,
    ) -> Option<Entry> {
        if len.is_none() && !self.may_be_flexible(flat) {
            let next = first.as_ref().or_else(|| entries.peek());
            if let Some(span) = next.map(|(_, init)| init_span(init)) {
                self.refuse_flexible(flat, span);
                while top && entries.next().is_some() {}
            }
            return None;
        }
        let mut next = 0u64;
        let mut pending = first;
        loop {
            let full = len.is_some_and(|n| next >= n);
            let entry = pending
                .take()
                .or_else(|| self.next_entry(entries, top, full));
            let (mut designators, init) = entry?;
            match designators.first() {
                None if full => {
                    if !top {
                        return Some((designators, init));
                    }
                    let span = init_span(&init);
                    self.warn(span, "excess elements in initialiser", "this is ignored");
                    continue;
                }
                None => {}
                Some(Designator::Field(name, span)) => {
                    let message = format!("designator '.{name}' in the initialiser of an array");
                    let span = *span;
                    self.error(span, message, "an array has no members");
                    continue;
                }
                Some(Designator::Index(low, high, span)) => {
                    let (low, high, span) = (*low, *high, *span);
                    if low > high || len.is_some_and(|n| high >= n) || high - low > RANGE_LIMIT {
                        let label = match len {
                            Some(n) if high >= n => format!("the array has {n} elements"),
                            _ if low > high => "the range is empty".into(),
                            _ => "the range is too long".into(),
                        };
                        self.error(span, "array designator out of range", label);
                        continue;
                    }
                    designators.remove(0);
                    for i in low..high {
                        let mut none = Vec::new().into_iter().peekable();
                        flat.path.push(InitStep::Index(i));
                        self.place(flat, elem, designators.clone(), init.clone(), &mut none);
                        flat.path.pop();
                    }
                    next = high;
                }
            }
            flat.path.push(InitStep::Index(next));
            pending = self.place(flat, elem, designators, init, entries);
            flat.path.pop();
            next += 1;
            if flat.path.is_empty() {
                flat.extent = flat.extent.max(next);
            }
            // Elements of size zero can never take an entry: do not try for ever.
            if pending.is_some() && len.is_none() {
                return pending;
            }
        }
    }

    /// Initialises what the path leads to with an entry; takes more entries where braces are elided.
    fn place(
        &mut self,
        flat: &mut Flat,
        ty: CTy,
        designators: Vec<Designator>,
        init: ParsedInit,
        entries: &mut Entries,
    ) -> Option<Entry> {
        if let Some(Designator::Index(_, _, span) | Designator::Field(_, span)) =
            designators.first()
        {
            if self.has_parts(ty) {
                return self.fill(flat, ty, entries, false, Some((designators, init)));
            }
            self.error(
                *span,
                "designator in the initialiser of a scalar",
                "it has no parts",
            );
            return None;
        }
        match init {
            ParsedInit::List(list, _) => {
                self.reset(flat);
                self.fill_braced(flat, ty, list);
                None
            }
            ParsedInit::Expr(e) => {
                if self.string_fits(ty, &e) {
                    let open = matches!(self.shape(ty), CTypeKind::Array { len: None, .. });
                    if open && !self.may_be_flexible(flat) {
                        self.refuse_flexible(flat, e.span);
                        return None;
                    }
                    let (value, ty) = self.fit_string(ty, e);
                    flat.items.push(InitItem {
                        path: flat.path.clone(),
                        ty,
                        value,
                    });
                    return None;
                }
                let whole = !self.has_parts(ty)
                    || self.is_wild(&e)
                    || !matches!(self.shape(ty), CTypeKind::Array { .. })
                        && self.compatible(ty, e.ty)
                    || self.is_vector(ty) && self.is_vector(e.ty);
                if whole {
                    self.place_whole(flat, ty, e);
                    return None;
                }
                self.fill(
                    flat,
                    ty,
                    entries,
                    false,
                    Some((Vec::new(), ParsedInit::Expr(e))),
                )
            }
        }
    }

    /// An array of unknown length may be initialised where its object has a place of its own: as a whole, or directly in a static
    /// struct.
    fn may_be_flexible(&self, flat: &Flat) -> bool {
        flat.path.is_empty() || flat.is_static && flat.path.len() == 1
    }

    fn refuse_flexible(&mut self, flat: &Flat, span: Span) {
        let label = if flat.is_static {
            "it is inside another object"
        } else {
            "it is not in a static object"
        };
        self.error(span, "this flexible array cannot be initialised", label);
    }

    fn reset(&mut self, flat: &mut Flat) {
        if flat.designated {
            flat.resets.push(Reset {
                before: flat.items.len(),
                path: flat.path.clone(),
            });
        }
    }

    /// One value for the whole part.
    fn place_whole(&mut self, flat: &mut Flat, ty: CTy, e: Expr) {
        // A compound literal in a static initialiser stands for its own list (GNU).
        if flat.is_static
            && let ExprKind::CompoundLit(v) = e.kind
            && self.has_parts(ty)
            && let Some(Init::List(items)) = self.unit.vars[v].init.clone()
        {
            self.reset(flat);
            for item in items {
                let path = [flat.path.as_slice(), &item.path].concat();
                flat.items.push(InitItem { path, ..item });
            }
            return;
        }
        let value = self.convert(e, ty, WHAT);
        if flat.is_static {
            self.check_constant(&value);
        }
        flat.items.push(InitItem {
            path: flat.path.clone(),
            ty,
            value,
        });
    }
}
