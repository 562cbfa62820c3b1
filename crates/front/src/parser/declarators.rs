//! Declarators: from `*(*x[3])(int)` to a type. A declarator is read once into a list of pieces from the name outward; the type
//! is then built from the specifiers' type inward.

use super::attributes::Attributes;
use super::scope::{Binding, Tag};
use super::specifiers::StorageClass;
use super::{MAX_DEPTH, Parser, Result};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::token::{Symbol, T, Token};
use adjoin_ir::ctype::{CTy, CTypeKind, Quals};

/// A type with more pointers, arrays and functions inside one another has no text form in the IR (with qualifiers: twice as many levels).
const MAX_TYPE_DEPTH: u32 = 90;

/// More parameters are not handled.
const MAX_PARAMETERS: usize = 10_000;

/// May, must or must not there be a name?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    Named,
    Abstract,
    Either,
}

/// Where the declarator stands; array lengths depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    File,
    Block,
    Member,
    Parameter,
    TypeName,
}

#[derive(Debug)]
pub(super) enum Length {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(Expr),
}

#[derive(Debug)]
pub(super) enum Piece {
    Pointer(Quals),
    Array {
        length: Length,
        quals: Quals,
        span: Span,
    },
    Function(Box<FunctionPiece>),
}

/// A parameter list.
#[derive(Debug, Default)]
pub(super) struct FunctionPiece {
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    pub prototyped: bool,
    /// The names of an old-style definition.
    pub identifiers: Vec<Token>,
    /// Length expressions of the parameters' types, for a definition.
    pub vlas: Vec<(u32, Expr)>,
    /// Tags and enumerators declared in the list: a definition's body sees them.
    pub tags: Vec<(Symbol, Tag, Span)>,
    pub constants: Vec<(Symbol, Binding, Span)>,
    pub span: Span,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub name: Option<Token>,
    /// Adjusted.
    pub ty: CTy,
    pub index: u32,
    pub attributes: Vec<Attr>,
    pub span: Span,
    /// Its variable, made at the definition, or at a use inside the list itself.
    pub var: Option<VarId>,
    /// Declared only to be used before the parameter itself is.
    pub forward: bool,
}

#[derive(Debug, Default)]
pub(super) struct Declarator {
    pub name: Option<Token>,
    /// From the name outward.
    pub pieces: Vec<Piece>,
    pub attributes: Attributes,
}

impl Declarator {
    /// The parameter list, if a function is declared.
    pub fn function(&self) -> Option<&FunctionPiece> {
        match self.pieces.first() {
            Some(Piece::Function(f)) => Some(f),
            _ => None,
        }
    }
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self, naming: Naming) -> Result<Declarator> {
        let mut declarator = Declarator::default();
        self.declarator_into(naming, &mut declarator)?;
        Ok(declarator)
    }

    fn declarator_into(&mut self, naming: Naming, into: &mut Declarator) -> Result<()> {
        self.enter()?;
        let mut pointers = Vec::new();
        loop {
            self.attributes_of_declarator(into)?;
            if self.at(T::Caret) {
                return Err(self.error(self.span(), "blocks are not supported"));
            }
            if !self.accept(T::Star) {
                break;
            }
            pointers.push(Piece::Pointer(self.pointer_qualifiers(into)?));
            self.check_pieces(pointers.len() + into.pieces.len())?;
        }
        let token = self.token();
        match token.kind {
            T::Ident if naming != Naming::Abstract => {
                self.advance();
                into.name = Some(token);
            }
            T::Float32 | T::Float64 | T::Float128 | T::Float32x | T::Float64x
                if naming == Naming::Named =>
            {
                self.advance();
                into.name = Some(token);
            }
            T::LParen if self.nested_declarator(naming) => {
                let open = self.advance().span;
                self.declarator_into(naming, into)?;
                self.expect_close(T::RParen, open)?;
            }
            _ if naming == Naming::Named => return Err(self.expected("a name")),
            _ => {}
        }
        loop {
            match self.kind() {
                T::LBracket
                    if self.ahead(1).kind == T::LBracket
                        && self.ahead(1).span.start == self.span().end =>
                {
                    self.attributes_of_declarator(into)?;
                }
                T::LBracket => {
                    let piece = self.array_suffix()?;
                    into.pieces.push(piece);
                }
                T::LParen => {
                    let piece = self.parameter_list()?;
                    into.pieces.push(Piece::Function(Box::new(piece)));
                }
                _ => break,
            }
            self.check_pieces(pointers.len() + into.pieces.len())?;
        }
        into.pieces.extend(pointers.into_iter().rev());
        self.leave();
        Ok(())
    }

    fn check_pieces(&mut self, count: usize) -> Result<()> {
        if count <= MAX_DEPTH as usize {
            return Ok(());
        }
        let span = self.span();
        let message = format!(
            "declarator is too deep: more than {MAX_DEPTH} pointers, arrays and parameter lists"
        );
        Err(self.stop(Diagnostic::error(span, message)))
    }

    fn attributes_of_declarator(&mut self, into: &mut Declarator) -> Result<()> {
        if !matches!(self.kind(), T::Attribute | T::LBracket) {
            return Ok(());
        }
        let mut attributes = std::mem::take(&mut into.attributes);
        let result = self.attributes(&mut attributes);
        into.attributes = attributes;
        result
    }

    fn pointer_qualifiers(&mut self, into: &mut Declarator) -> Result<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.kind() {
                T::Const => quals.is_const = true,
                T::Volatile => quals.is_volatile = true,
                T::Restrict => quals.is_restrict = true,
                T::Atomic => quals.is_atomic = true,
                T::Nullability | T::Extension => {}
                T::Attribute => {
                    self.attributes_of_declarator(into)?;
                    continue;
                }
                T::LBracket if self.ahead(1).kind == T::LBracket => {
                    self.attributes_of_declarator(into)?;
                    continue;
                }
                _ => return Ok(quals),
            }
            self.advance();
        }
    }

    /// At `(`: is it a declarator in parentheses rather than a parameter list?
    fn nested_declarator(&self, naming: Naming) -> bool {
        if naming == Naming::Named {
            return true;
        }
        let next = self.ahead(1);
        match next.kind {
            T::RParen | T::Ellipsis => false,
            // An attribute can start either; what comes after a parameter's attribute is a type.
            T::Attribute => {
                let mut after = 2;
                let mut depth = 0;
                loop {
                    match self.ahead(after).kind {
                        T::LParen => depth += 1,
                        T::RParen => depth -= 1,
                        T::Eof => return true,
                        _ => {}
                    }
                    after += 1;
                    if depth <= 0 {
                        return !self.starts_type(self.ahead(after));
                    }
                }
            }
            T::Star | T::LParen | T::LBracket | T::Caret => true,
            T::Ident => naming == Naming::Either && !self.starts_type(next),
            _ => false,
        }
    }

    fn array_suffix(&mut self) -> Result<Piece> {
        let open = self.advance().span;
        let mut quals = Quals::default();
        loop {
            match self.kind() {
                T::Const => quals.is_const = true,
                T::Volatile => quals.is_volatile = true,
                T::Restrict => quals.is_restrict = true,
                T::Atomic => quals.is_atomic = true,
                T::Static => {}
                T::Attribute => {
                    self.attributes(&mut Attributes::default())?;
                    continue;
                }
                _ => break,
            }
            self.advance();
        }
        let length = if self.at(T::RBracket) {
            Length::None
        } else if self.at(T::Star) && self.ahead(1).kind == T::RBracket {
            self.advance();
            Length::Star
        } else {
            Length::Expr(self.assignment()?)
        };
        let close = self.expect_close(T::RBracket, open)?;
        Ok(Piece::Array {
            length,
            quals,
            span: open.to(close),
        })
    }

    fn parameter_list(&mut self) -> Result<FunctionPiece> {
        let open = self.advance().span;
        let mut list = FunctionPiece {
            span: open,
            ..Default::default()
        };
        if self.at(T::RParen) {
            list.span = open.to(self.advance().span);
            return Ok(list);
        }
        if self.at(T::Ident)
            && !self.starts_type(self.token())
            && matches!(self.ahead(1).kind, T::Comma | T::RParen)
        {
            loop {
                let name = self.identifier()?;
                list.identifiers.push(name);
                if !self.accept(T::Comma) {
                    break;
                }
            }
            self.expect_close(T::RParen, open)?;
            return Ok(list);
        }
        list.prototyped = true;
        if self.at(T::Void) && self.ahead(1).kind == T::RParen {
            self.pos += 2;
            list.span = open.to(self.previous());
            return Ok(list);
        }
        let base = self.parameters.len();
        let mark = self.sema.vlas.len();
        self.scopes.push();
        self.prototype_depth += 1;
        loop {
            if self.accept(T::Ellipsis) {
                list.variadic = true;
                break;
            }
            self.parameter(base)?;
            if self.accept(T::Semi) {
                // GNU C: `int f(int n; int a[n], int n)` declares `n` before the list itself does.
                for parameter in &mut self.parameters[base..] {
                    parameter.forward = true;
                }
            } else if !self.accept(T::Comma) {
                break;
            }
        }
        self.prototype_depth -= 1;
        let (ordinary, tags) = self.scopes.contents();
        list.constants = ordinary
            .iter()
            .filter(|e| matches!(e.binding, Binding::Constant(..)))
            .map(|e| (e.symbol, e.binding, e.span))
            .collect();
        list.tags = tags.iter().map(|e| (e.symbol, e.binding, e.span)).collect();
        self.scopes.pop();
        let close = self.expect_close(T::RParen, open)?;
        list.span = open.to(close);
        list.parameters = self.parameters.split_off(base.min(self.parameters.len()));
        list.parameters.retain(|p| !p.forward);
        list.vlas = self.sema.vlas.split_off(mark.min(self.sema.vlas.len()));
        // `(void)` through a typedef.
        if let [only] = &list.parameters[..]
            && only.name.is_none()
            && matches!(self.sema.unit.types.shape(only.ty), CTypeKind::Void)
        {
            list.parameters.clear();
        }
        Ok(list)
    }

    fn parameter(&mut self, base: usize) -> Result<()> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let specifiers = self.specifiers(true)?;
        if specifiers.implicit_int && specifiers.storage.is_none() {
            let found = self.describe(self.token());
            return Err(self.error(
                self.span(),
                format!("expected a parameter's type before {found}"),
            ));
        }
        if specifiers
            .storage
            .is_some_and(|s| s != StorageClass::Register)
        {
            let message = "a parameter can have no storage class but 'register'";
            self.error(specifiers.span, message);
        }
        let mut declarator = self.declarator(Naming::Either)?;
        self.attributes(&mut attributes)?;
        attributes.merge(std::mem::take(&mut declarator.attributes));
        let base_type = self.attributed_type(specifiers.ty, &attributes);
        let span = declarator.name.map_or(specifiers.span, |n| n.span);
        let outer_quals = match declarator.pieces.first() {
            Some(Piece::Array { quals, .. }) => *quals,
            _ => Quals::default(),
        };
        let ty = self.declared_type(base_type, &mut declarator, Place::Parameter);
        let adjusted = self.sema.adjust_parameter(ty);
        let ty = self.sema.unit.types.qualified(adjusted, outer_quals);
        if let Some(name) = declarator.name
            && matches!(self.sema.unit.types.shape(ty), CTypeKind::Void)
        {
            let text = self.name(name.symbol).into_owned();
            self.error(span, format!("parameter '{text}' has type 'void'"));
        }
        let index = self.parameters[base..]
            .iter()
            .filter(|p| !p.forward)
            .count() as u32;
        let mut var = None;
        if let Some(name) = declarator.name {
            let entry = self.scopes.here(name.symbol).copied();
            let before = match entry.map(|e| e.binding) {
                Some(Binding::Parameter(k)) => self.parameters.get(k as usize),
                _ => None,
            };
            if let Some(before) = before.filter(|p| p.forward) {
                var = before.var;
                if let Some(var) = var {
                    self.sema.unit.vars[var].storage = Storage::Param(index);
                }
            } else if let Some(entry) = entry
                && matches!(entry.binding, Binding::Parameter(_))
            {
                let text = self.name(name.symbol).into_owned();
                self.report(
                    Diagnostic::error(span, format!("two parameters are called '{text}'"))
                        .related(entry.span, "the first one"),
                );
            }
            self.scopes.bind(
                name.symbol,
                Binding::Parameter(self.parameters.len() as u32),
                name.span,
            );
        }
        attributes.merge(specifiers.attributes);
        self.parameters.push(Parameter {
            name: declarator.name,
            ty,
            index,
            attributes: attributes.kept,
            span,
            var,
            forward: false,
        });
        Ok(())
    }

    /// The type that a declarator makes of a base type. Array lengths are taken out of it.
    pub(super) fn declared_type(
        &mut self,
        base: CTy,
        declarator: &mut Declarator,
        place: Place,
    ) -> CTy {
        let mut ty = base;
        let mut depth = self.written_depth(base);
        for i in (0..declarator.pieces.len()).rev() {
            depth += 1;
            if depth > MAX_TYPE_DEPTH {
                let span = declarator.name.map_or(self.previous(), |n| n.span);
                let message = format!("a type of more than {MAX_TYPE_DEPTH} levels");
                self.report(Diagnostic::unsupported(span, message));
                break;
            }
            ty = match &mut declarator.pieces[i] {
                Piece::Pointer(quals) => {
                    let quals = *quals;
                    let pointer = self.sema.unit.types.pointer(ty);
                    self.sema.unit.types.qualified(pointer, quals)
                }
                Piece::Array { length, span, .. } => {
                    let (length, span) = (std::mem::replace(length, Length::None), *span);
                    let outermost_parameter = i == 0 && place == Place::Parameter;
                    self.array_type(ty, length, span, place, outermost_parameter)
                }
                Piece::Function(list) => {
                    let span = list.span;
                    let parameters = list.parameters.iter().map(|p| p.ty).collect();
                    let (variadic, prototyped, has_vlas) =
                        (list.variadic, list.prototyped, !list.vlas.is_empty());
                    self.function_type(ty, parameters, variadic, prototyped, has_vlas, span)
                }
            };
        }
        ty
    }

    /// How many pointers, arrays and functions a type has before a name.
    fn written_depth(&self, mut ty: CTy) -> u32 {
        let mut depth = 0;
        loop {
            ty = match self.sema.unit.types.kind(ty) {
                CTypeKind::Pointer(inner)
                | CTypeKind::Array { elem: inner, .. }
                | CTypeKind::Vla { elem: inner, .. }
                | CTypeKind::Function { ret: inner, .. }
                | CTypeKind::Qualified { inner, .. } => *inner,
                _ => return depth,
            };
            depth += 1;
        }
    }

    fn function_type(
        &mut self,
        ret: CTy,
        mut params: Vec<CTy>,
        mut variadic: bool,
        mut prototyped: bool,
        has_vlas: bool,
        span: Span,
    ) -> CTy {
        if params.len() > MAX_PARAMETERS {
            let message = format!("a function with more than {MAX_PARAMETERS} parameters");
            self.report(Diagnostic::unsupported(span, message));
            (params, variadic, prototyped) = (Vec::new(), false, false);
        }
        if matches!(
            self.sema.unit.types.shape(ret),
            CTypeKind::Function { .. } | CTypeKind::Array { .. } | CTypeKind::Vla { .. }
        ) {
            let text = self.type_text(ret);
            self.error(span, format!("a function cannot return '{text}'"));
        }
        // In the function's type, lengths of variable-length arrays are not known: they mean something only inside.
        let params = if has_vlas {
            params
                .into_iter()
                .map(|p| self.without_lengths(p))
                .collect()
        } else {
            params
        };
        self.sema.unit.types.intern(CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        })
    }

    /// The type with `[*]` for every variable length.
    fn without_lengths(&mut self, ty: CTy) -> CTy {
        match self.sema.unit.types.kind(ty).clone() {
            CTypeKind::Pointer(inner) => {
                let inner = self.without_lengths(inner);
                self.sema.unit.types.pointer(inner)
            }
            CTypeKind::Array { elem, len } => {
                let elem = self.without_lengths(elem);
                self.sema.unit.types.array(elem, len)
            }
            CTypeKind::Vla { elem, .. } => {
                let elem = self.without_lengths(elem);
                self.sema
                    .unit
                    .types
                    .intern(CTypeKind::Vla { elem, id: u32::MAX })
            }
            CTypeKind::Qualified { quals, inner } => {
                let inner = self.without_lengths(inner);
                self.sema.unit.types.qualified(inner, quals)
            }
            _ => ty,
        }
    }

    fn array_type(
        &mut self,
        elem: CTy,
        length: Length,
        span: Span,
        place: Place,
        outermost_parameter: bool,
    ) -> CTy {
        let types = &self.sema.unit.types;
        let incomplete = types.size_of(elem).is_none()
            && !matches!(types.shape(elem), CTypeKind::Vla { .. })
            || matches!(types.shape(elem), CTypeKind::Void);
        if incomplete && !self.has_variable_length(elem) {
            // gcc allows an incomplete record as the element of a parameter's type; C does not, and no header needs more.
            let text = self.type_text(elem);
            if !(outermost_parameter && self.sema.unit.types.record(elem).is_some()) {
                self.error(
                    span,
                    format!("an array cannot have elements of type '{text}'"),
                );
            }
            let elem = if self.is_function(elem) {
                self.int()
            } else {
                elem
            };
            return self.sema.unit.types.array(elem, Some(1));
        }
        let length = match length {
            Length::None => return self.sema.unit.types.array(elem, None),
            Length::Star => {
                if self.prototype_depth == 0 {
                    self.error(span, "'[*]' is allowed only in a function prototype");
                    return self.sema.unit.types.array(elem, Some(1));
                }
                return self
                    .sema
                    .unit
                    .types
                    .intern(CTypeKind::Vla { elem, id: u32::MAX });
            }
            Length::Expr(length) => length,
        };
        if self.sema.is_error(&length) {
            return self.sema.unit.types.array(elem, Some(1));
        }
        if !self
            .sema
            .unit
            .types
            .arithmetic(length.ty)
            .is_some_and(|b| b.is_integer())
        {
            let text = self.type_text(length.ty);
            self.error(
                length.span,
                format!("the length of an array has type '{text}', not an integer type"),
            );
            return self.sema.unit.types.array(elem, Some(1));
        }
        if let Some(value) = self.sema.const_int(&length) {
            let size = self.sema.unit.types.size_of(elem).unwrap_or(1).max(1);
            if value < 0 || value > (i64::MAX as i128) / size as i128 {
                let message = if value < 0 {
                    "the length of the array is negative"
                } else {
                    "the array is too large"
                };
                self.error(length.span, message);
                return self.sema.unit.types.array(elem, Some(1));
            }
            return self.sema.unit.types.array(elem, Some(value as u64));
        }
        match place {
            // Only the pointer matters: its length would be computed in vain.
            _ if outermost_parameter && !has_side_effects(&length) => {
                self.sema.unit.types.array(elem, None)
            }
            _ if self.prototype_depth > 1 => self
                .sema
                .unit
                .types
                .intern(CTypeKind::Vla { elem, id: u32::MAX }),
            _ if self.function.is_none() && self.prototype_depth == 0 => {
                let what = if place == Place::Member {
                    "a member"
                } else {
                    "file scope"
                };
                self.report(
                    Diagnostic::error(
                        length.span,
                        format!("the length of an array at {what} must be a constant"),
                    )
                    .label("not an integer constant"),
                );
                self.sema.unit.types.array(elem, Some(1))
            }
            Place::Member => {
                self.report(Diagnostic::unsupported(
                    length.span,
                    "a member of a struct or union with a variable-length type",
                ));
                self.sema.unit.types.array(elem, Some(1))
            }
            _ => self.sema.vla(elem, length),
        }
    }

    /// Does a variable-length array occur in the type's size?
    pub(super) fn has_variable_length(&self, mut ty: CTy) -> bool {
        loop {
            match *self.sema.unit.types.shape(ty) {
                CTypeKind::Vla { .. } => return true,
                CTypeKind::Array { elem, .. } => ty = elem,
                _ => return false,
            }
        }
    }
}

/// May evaluating the expression change something?
fn has_side_effects(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float { .. }
        | ExprKind::Imaginary(_)
        | ExprKind::Str(_)
        | ExprKind::Var(_)
        | ExprKind::Func(_) => false,
        ExprKind::SizeofVla(_) => false,
        ExprKind::Deref(a)
        | ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Unary(_, a) => has_side_effects(a),
        ExprKind::Cast { operand, .. } => has_side_effects(operand),
        ExprKind::Member { base, .. } => has_side_effects(base),
        ExprKind::Index { base, index } => has_side_effects(base) || has_side_effects(index),
        ExprKind::Binary(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
            has_side_effects(a) || has_side_effects(b)
        }
        ExprKind::Cond(c, a, b) => {
            has_side_effects(c) || has_side_effects(a) || has_side_effects(b)
        }
        _ => true,
    }
}
