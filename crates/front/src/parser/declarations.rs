//! Declarations: typedefs, variables and function declarations, at file scope and in blocks.

use super::attributes::Attributes;
use super::declarators::{Declarator, Naming, Place};
use super::scope::Binding;
use super::specifiers::{Specifiers, StorageClass};
use super::{Failed, Parser, Result};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::sema::ParsedInit;
use crate::token::{Symbol, T, Token};
use adjoin_ir::ctype::{CTy, CTypeKind, TagScope};

impl Parser<'_> {
    pub(super) fn external_declaration(&mut self) -> Result<()> {
        match self.kind() {
            T::Semi => {
                self.advance();
                return Ok(());
            }
            T::StaticAssert => return self.static_assert(),
            T::Asm => {
                // Assembly at file scope stays in the text.
                self.advance();
                if self.at(T::Volatile) {
                    self.advance();
                }
                if self.at(T::LParen) {
                    self.skip_balanced();
                }
                self.expect(T::Semi)?;
                return Ok(());
            }
            T::PragmaOmp => return self.omp_at_file_scope(),
            T::Extension
                if self.ahead(1).kind == T::Asm || self.ahead(1).kind == T::StaticAssert =>
            {
                self.advance();
                return self.external_declaration();
            }
            T::RBrace => {
                let span = self.advance().span;
                self.report(
                    Diagnostic::error(span, "unmatched '}'").label("no block is open here"),
                );
                return Ok(());
            }
            _ => {}
        }
        let mut out = Vec::new();
        self.declaration(&mut out, true)
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Result<()> {
        let keyword = self.advance().span;
        let open = self.expect(T::LParen)?;
        let condition = self.conditional()?;
        let mut message = String::new();
        if self.accept(T::Comma) {
            while self.at(T::Str) {
                let span = self.advance().span;
                message.push_str(String::from_utf8_lossy(self.bytes(span)).trim_matches('"'));
            }
        }
        self.expect_close(T::RParen, open)?;
        self.expect(T::Semi)?;
        match self.sema.const_int(&condition) {
            Some(0) => {
                self.report(
                    Diagnostic::error(keyword, format!("static assertion failed: {message}"))
                        .related(condition.span, "this is zero"),
                );
            }
            None if !self.sema.is_error(&condition) => {
                self.error(
                    condition.span,
                    "the condition of a static assertion must be an integer constant",
                );
            }
            _ => {}
        }
        Ok(())
    }

    /// A declaration with all its declarators; statements it makes (in a block) go to `out`.
    pub(super) fn declaration(&mut self, out: &mut Vec<Stmt>, file_scope: bool) -> Result<()> {
        if self.at(T::StaticAssert) {
            return self.static_assert();
        }
        let mark = self.sema.vlas.len();
        let specifiers = self.specifiers(true)?;
        self.evaluate_lengths(mark, specifiers.span, out);
        if self.at(T::Semi) {
            let end = self.advance().span;
            let attributes_only = specifiers.implicit_int && specifiers.storage.is_none();
            if !specifiers.tag && !attributes_only {
                let message = "the declaration declares nothing";
                self.warn(Diagnostic::error(specifiers.span.to(end), message));
            }
            return Ok(());
        }
        if specifiers.implicit_int && !self.at(T::Ident) && !self.at(T::Star) && !self.at(T::LParen)
        {
            let found = self.describe(self.token());
            let what = if file_scope {
                "a declaration"
            } else {
                "a type name"
            };
            return Err(self.report(
                Diagnostic::error(self.span(), format!("expected {what} before {found}"))
                    .label("not the start of a declaration"),
            ));
        }
        let mut first = true;
        loop {
            let outer_soft = self.soft.take();
            self.soft = specifiers.broken.clone();
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            let mut declarator = self.declarator(Naming::Named)?;
            let asm_name = self.asm_label()?;
            self.attributes(&mut attributes)?;
            // gcc takes the label and attributes in either order.
            let asm_name = if asm_name.is_none() {
                self.asm_label()?
            } else {
                asm_name
            };
            self.attributes(&mut attributes)?;
            attributes.merge(std::mem::take(&mut declarator.attributes));
            let Some(name) = declarator.name else {
                return Err(self.expected("a name"));
            };
            self.check_implicit_int(&specifiers, name, &declarator, file_scope);
            let base = self.attributed_type(specifiers.ty, &attributes);
            let place = if self.function.is_none() {
                Place::File
            } else {
                Place::Block
            };
            let mark = self.sema.vlas.len();
            let mut ty = self.declared_type(base, &mut declarator, place);
            if let Some(broken) = self.soft.take() {
                self.soft = outer_soft;
                self.broken_declarator(name, &specifiers, broken)?;
            } else {
                self.soft = outer_soft;
                if first
                    && declarator.function().is_some()
                    && self.is_function(ty)
                    && self.starts_body()
                {
                    return self.definition(
                        specifiers, declarator, name, ty, attributes, asm_name, file_scope,
                    );
                }
                if specifiers.storage == Some(StorageClass::Typedef) {
                    self.evaluate_lengths(mark, name.span, out);
                    if self.at(T::Assign) {
                        let span = self.span();
                        return Err(self.report(
                            Diagnostic::error(span, "a typedef cannot have an initialiser")
                                .label("only a variable can"),
                        ));
                    }
                    self.declare_typedef(name, ty, &attributes, &specifiers);
                } else if self.is_function(ty) {
                    self.declare_function(name, ty, &specifiers, &attributes, asm_name, false);
                    if self.at(T::Assign) {
                        return Err(
                            self.error(self.span(), "a function cannot have an initialiser")
                        );
                    }
                } else {
                    if specifiers.auto_type {
                        ty = self.int();
                    }
                    self.evaluate_lengths(mark, name.span, out);
                    self.variable(name, ty, &specifiers, attributes, asm_name, out)?;
                }
            }
            first = false;
            if !self.accept(T::Comma) {
                break;
            }
        }
        self.semicolon()?;
        Ok(())
    }

    /// The lengths of variable-length types made since `mark` are evaluated here.
    pub(super) fn evaluate_lengths(&mut self, mark: usize, span: Span, out: &mut Vec<Stmt>) {
        if self.function.is_some() && self.sema.vlas.len() > mark {
            let ids = self.sema.vlas[mark..].iter().map(|v| v.0).collect();
            out.push(Stmt {
                kind: StmtKind::EvalVla(ids),
                span,
            });
        }
    }

    /// After a function declarator: does its body (or the declarations of old-style parameters) follow?
    fn starts_body(&self) -> bool {
        match self.kind() {
            T::LBrace => true,
            T::Semi | T::Comma | T::Assign | T::Eof | T::Asm | T::Attribute => false,
            _ => self.starts_declaration(),
        }
    }

    fn check_implicit_int(
        &mut self,
        specifiers: &Specifiers,
        name: Token,
        declarator: &Declarator,
        file_scope: bool,
    ) {
        if !specifiers.implicit_int {
            return;
        }
        let text = self.name(name.symbol).into_owned();
        let some_specifier =
            specifiers.span.end > specifiers.span.start && specifiers.span.end <= name.span.start;
        if file_scope || specifiers.storage.is_some() || some_specifier {
            let what = if declarator.function().is_some() {
                "return type of"
            } else {
                "type of"
            };
            self.warn(
                Diagnostic::error(name.span, format!("{what} '{text}' defaults to 'int'"))
                    .label("no type is given"),
            );
        } else {
            self.error(name.span, format!("declaration of '{text}' has no type"));
        }
    }

    /// In a system header: a name whose declaration has a type that is not supported.
    fn broken_declarator(
        &mut self,
        name: Token,
        specifiers: &Specifiers,
        reason: Diagnostic,
    ) -> Result<()> {
        let is_type = specifiers.storage == Some(StorageClass::Typedef);
        self.bind_broken(name.symbol, name.span, reason, is_type);
        if self.at(T::LBrace) {
            self.skip_balanced();
            return Err(Failed);
        }
        if self.accept(T::Assign) {
            self.initialiser()?;
        }
        Ok(())
    }

    fn declare_typedef(
        &mut self,
        name: Token,
        target: CTy,
        attributes: &Attributes,
        specifiers: &Specifiers,
    ) {
        let text = self.name(name.symbol).into_owned();
        let types = &mut self.sema.unit.types;
        // A typedef name of a block means nothing where code is printed: only what it stands for is kept.
        let at_file_scope = self.scopes.depth() == 0;
        let ty = if at_file_scope {
            types.intern(CTypeKind::Typedef {
                name: text.clone(),
                target,
            })
        } else {
            target
        };
        if at_file_scope {
            match *types.kind(target) {
                CTypeKind::Record(r) => {
                    let record = &mut types.records[r];
                    if record.typedef_name.is_none() && record.scope == TagScope::File {
                        record.typedef_name = Some(text.clone());
                    }
                }
                CTypeKind::Enum(e) => {
                    types.enums[e]
                        .typedef_name
                        .get_or_insert_with(|| text.clone());
                }
                _ => {}
            }
        }
        if attributes.transparent_union || specifiers.attributes.transparent_union {
            if let Some(record) = self.sema.unit.types.record(target) {
                self.sema.transparent_unions.insert(record);
            }
        }
        let align = specifiers
            .align
            .max(specifiers.attributes.align)
            .max(attributes.align);
        if align > 0 {
            self.typedef_align.insert(ty, align);
        }
        if let Some(&entry) = self.scopes.here(name.symbol) {
            let same = matches!(entry.binding, Binding::Typedef(before) if self.sema.compatible(before, target));
            if !same && !matches!(entry.binding, Binding::Broken(_)) {
                self.conflict(name, &text, entry.span, "typedef");
            }
        }
        self.scopes
            .bind(name.symbol, Binding::Typedef(ty), name.span);
    }

    /// The alignment that a typedef name in a type asks for (0: none).
    pub(super) fn align_of_typedef(&self, mut ty: CTy) -> u64 {
        if self.typedef_align.is_empty() {
            return 0;
        }
        loop {
            if let Some(&align) = self.typedef_align.get(&ty) {
                return align;
            }
            ty = match *self.sema.unit.types.kind(ty) {
                CTypeKind::Typedef { target, .. } => target,
                CTypeKind::Qualified { inner, .. } => inner,
                CTypeKind::Array { elem, .. } => elem,
                _ => return 0,
            };
        }
    }

    fn conflict(&mut self, name: Token, text: &str, before: Span, what: &str) {
        self.report(
            Diagnostic::error(name.span, format!("conflicting declarations of '{text}'"))
                .label(format!(
                    "this {what} does not agree with an earlier declaration"
                ))
                .related(before, "declared here first"),
        );
    }

    /// A declared (or defined) function: a new one, or one known already.
    pub(super) fn declare_function(
        &mut self,
        name: Token,
        ty: CTy,
        specifiers: &Specifiers,
        attributes: &Attributes,
        asm_name: Option<String>,
        defining: bool,
    ) -> FuncId {
        let text = self.name(name.symbol).into_owned();
        let is_static = specifiers.storage == Some(StorageClass::Static);
        if let Some(&entry) = self.scopes.here(name.symbol)
            && !matches!(entry.binding, Binding::Func(_) | Binding::Broken(_))
        {
            self.conflict(name, &text, entry.span, "function");
        }
        let mut kept = specifiers.attributes.kept.clone();
        kept.extend(attributes.kept.iter().cloned());
        if let Some(label) = asm_name {
            kept.push(Attr {
                name: "asm_label".to_string(),
                args: vec![label],
            });
        }
        let align = specifiers.attributes.align.max(attributes.align);
        if align > 0 {
            kept.push(Attr {
                name: "aligned".to_string(),
                args: vec![align.to_string()],
            });
        }
        let noreturn = specifiers.noreturn || attributes.noreturn;
        let known = match self.linked.get(&name.symbol) {
            Some(&Binding::Func(f)) => Some(f),
            Some(&Binding::Var(v)) => {
                let before = self.sema.unit.vars[v].span;
                self.conflict(name, &text, before, "function");
                None
            }
            _ => self.sema.implicit_library_function(&text),
        };
        let overloadable = specifiers.attributes.overloadable || attributes.overloadable;
        let known = known
            .filter(|&f| !overloadable || self.sema.compatible(self.sema.unit.funcs[f].ty, ty));
        let function = match known {
            Some(function) => {
                let ty = self.with_earlier_return(function, ty, specifiers.implicit_int);
                self.redeclare_function(function, name, &text, ty, defining);
                function
            }
            None => self.sema.unit.funcs.push(FuncDecl {
                name: text,
                ty,
                params: Vec::new(),
                is_static,
                inline: false,
                noreturn: false,
                attrs: Vec::new(),
                span: name.span,
                body: None,
            }),
        };
        let decl = &mut self.sema.unit.funcs[function];
        decl.is_static |= is_static;
        decl.inline |= specifiers.inline;
        decl.noreturn |= noreturn;
        for attribute in kept {
            if !decl.attrs.contains(&attribute) {
                decl.attrs.push(attribute);
            }
        }
        if overloadable {
            let candidates = self.overloads.entry(name.symbol).or_default();
            if !candidates.contains(&function) {
                candidates.push(function);
            }
        }
        if self.function.is_none() && self.sema.unit.func_visible[function] == 0 {
            self.sema.unit.func_visible[function] = name.span.start + 1;
        }
        self.linked.insert(name.symbol, Binding::Func(function));
        self.scopes
            .bind(name.symbol, Binding::Func(function), name.span);
        function
    }

    /// `void f(int); f(int x) {}` keeps the earlier `void`, as gcc has it; so does `void f(int) {}` after an implicit declaration change it.
    fn with_earlier_return(&mut self, function: FuncId, ty: CTy, implicit_int: bool) -> CTy {
        let decl = &self.sema.unit.funcs[function];
        let implicit = decl.attrs.iter().any(|a| a.name == "implicit");
        let before = self.sema.unit.types.shape(decl.ty).clone();
        let now = self.sema.unit.types.shape(ty).clone();
        let (CTypeKind::Function { ret: old, .. }, CTypeKind::Function { ret: new, .. }) =
            (before, &now)
        else {
            return ty;
        };
        let is_void = |p: &Self, t: CTy| matches!(p.sema.unit.types.shape(t), CTypeKind::Void);
        if implicit && is_void(self, *new) {
            let message = "conflicts with the implicit declaration before";
            let (here, earlier) = (decl.span, "called here, before it was declared");
            let span = self.previous();
            self.warn(Diagnostic::error(span, message).related(here, earlier));
            let decl = &mut self.sema.unit.funcs[function];
            decl.ty = ty;
            decl.attrs.retain(|a| a.name != "implicit");
            return ty;
        }
        if !implicit_int || !is_void(self, old) {
            return ty;
        }
        let mut kept = now;
        if let CTypeKind::Function { ret, .. } = &mut kept {
            *ret = old;
        }
        self.sema.unit.types.intern(kept)
    }

    fn redeclare_function(
        &mut self,
        function: FuncId,
        name: Token,
        text: &str,
        ty: CTy,
        defining: bool,
    ) {
        let (before_type, before) = (
            self.sema.unit.funcs[function].ty,
            self.sema.unit.funcs[function].span,
        );
        if before_type != ty {
            if self.sema.compatible(before_type, ty) {
                // The definition's own type comes first where both say the same.
                let composite = if defining {
                    self.sema.composite(ty, before_type)
                } else {
                    self.sema.composite(before_type, ty)
                };
                self.sema.unit.funcs[function].ty = composite;
            } else {
                let (old, new) = (self.type_text(before_type), self.type_text(ty));
                let builtin = self.sema.unit.funcs[function]
                    .attrs
                    .iter()
                    .any(|a| a.name == "builtin");
                if !builtin {
                    self.report(
                        Diagnostic::error(
                            name.span,
                            format!("conflicting types for '{text}': '{new}', before '{old}'"),
                        )
                        .label(format!("declared as '{new}'"))
                        .related(before, format!("declared as '{old}'")),
                    );
                }
                self.sema.unit.funcs[function].ty = ty;
            }
        }
    }

    /// A variable with its initialiser.
    fn variable(
        &mut self,
        name: Token,
        mut ty: CTy,
        specifiers: &Specifiers,
        attributes: Attributes,
        asm_name: Option<String>,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let text = self.name(name.symbol).into_owned();
        if specifiers.auto_type {
            return self.auto_type_variable(name, text, specifiers, attributes, out);
        }
        let is_extern = specifiers.storage == Some(StorageClass::Extern);
        // (A global variable in a register is gcc's: `register int r asm("r12");`.)
        let automatic = specifiers.storage == Some(StorageClass::Auto)
            || specifiers.storage == Some(StorageClass::Register) && asm_name.is_none();
        if automatic && self.function.is_none() {
            let message = format!("'{text}' is outside of any function and cannot be automatic");
            self.error(specifiers.span, message);
        }
        let has_init = self.at(T::Assign);
        // `extern void v;` names an address, and nothing more.
        let is_void = matches!(self.sema.unit.types.shape(ty), CTypeKind::Void);
        if is_void && (!is_extern || has_init) {
            self.error(name.span, format!("variable '{text}' has type 'void'"));
            ty = self.int();
        }
        if self.has_variable_length(ty)
            && (is_extern || specifiers.storage == Some(StorageClass::Static))
        {
            self.error(
                name.span,
                format!("'{text}' has a variable-length type and cannot be static or extern"),
            );
        }
        let storage = match self.function.as_ref().map(|f| f.id) {
            _ if is_extern => Storage::Global { is_static: false },
            None => Storage::Global {
                is_static: specifiers.storage == Some(StorageClass::Static),
            },
            Some(f) if specifiers.storage == Some(StorageClass::Static) => Storage::StaticLocal(f),
            Some(_) => Storage::Auto,
        };
        let defined = !is_extern || has_init;
        let align = specifiers
            .align
            .max(specifiers.attributes.align)
            .max(attributes.align)
            .max(self.align_of_typedef(ty));
        let mut attrs = specifiers.attributes.kept.clone();
        attrs.extend(attributes.kept);
        let declared = VarDecl {
            name: text.clone(),
            ty,
            storage,
            init: None,
            defined,
            thread_local: specifiers.thread_local,
            align,
            address_taken: false,
            asm_name,
            attrs,
            span: name.span,
        };
        let var = self.declare_variable(name, declared, has_init);
        if self.function.is_none() && self.sema.unit.var_visible[var] == 0 {
            self.sema.unit.var_visible[var] = name.span.start + 1;
        }
        if has_init {
            self.advance();
            let init = self.initialiser();
            let Ok(init) = init else { return Err(Failed) };
            let is_static = !matches!(storage, Storage::Auto);
            let ty = self.sema.unit.vars[var].ty;
            if self.has_variable_length(ty) {
                self.error(
                    name.span,
                    format!("'{text}' has a variable-length type and cannot be initialised"),
                );
            } else {
                let (init, completed) = self.sema.initialiser(ty, init, is_static, name.span);
                let decl = &mut self.sema.unit.vars[var];
                (decl.init, decl.ty) = (Some(init), completed);
            }
        }
        let ty = self.sema.unit.vars[var].ty;
        let complete = self.sema.unit.types.size_of(ty).is_some() || self.has_variable_length(ty);
        match storage {
            Storage::Auto | Storage::StaticLocal(_) if !complete => {
                let shown = self.type_text(ty);
                self.report(
                    Diagnostic::error(
                        name.span,
                        format!("variable '{text}' has incomplete type '{shown}'"),
                    )
                    .label("its size is not known"),
                );
                let int = self.int();
                self.sema.unit.vars[var].ty = int;
            }
            Storage::Global { .. } if !complete && defined => self.tentative.push((var, name.span)),
            _ => {}
        }
        if storage == Storage::Auto {
            out.push(Stmt {
                kind: StmtKind::Decl(var),
                span: name.span,
            });
        }
        Ok(())
    }

    /// `__auto_type x = e;`
    fn auto_type_variable(
        &mut self,
        name: Token,
        text: String,
        specifiers: &Specifiers,
        attributes: Attributes,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        self.expect(T::Assign)?;
        let value = self.assignment()?;
        let value = self.sema.rvalue(value);
        let value_type = self.sema.unit.types.unqualified(value.ty);
        let quals = self.sema.unit.types.quals(specifiers.ty);
        let ty = self.sema.unit.types.qualified(value_type, quals);
        let storage = match self.function.as_ref().map(|f| f.id) {
            None => Storage::Global {
                is_static: specifiers.storage == Some(StorageClass::Static),
            },
            Some(f) if specifiers.storage == Some(StorageClass::Static) => Storage::StaticLocal(f),
            Some(_) => Storage::Auto,
        };
        let declared = VarDecl {
            name: text,
            ty,
            storage,
            init: None,
            defined: true,
            thread_local: specifiers.thread_local,
            align: attributes.align,
            address_taken: false,
            asm_name: None,
            attrs: attributes.kept,
            span: name.span,
        };
        let var = self.declare_variable(name, declared, true);
        let is_static = storage != Storage::Auto;
        let (init, completed) =
            self.sema
                .initialiser(ty, ParsedInit::Expr(value), is_static, name.span);
        let decl = &mut self.sema.unit.vars[var];
        (decl.init, decl.ty) = (Some(init), completed);
        if storage == Storage::Auto {
            out.push(Stmt {
                kind: StmtKind::Decl(var),
                span: name.span,
            });
        }
        Ok(())
    }

    /// Binds a variable: a new one, or a further declaration of one with linkage.
    fn declare_variable(&mut self, name: Token, declared: VarDecl, has_init: bool) -> VarId {
        let has_linkage = matches!(declared.storage, Storage::Global { .. });
        let here = self.scopes.here(name.symbol).copied();
        if let Some(entry) = here {
            let agrees = has_linkage
                && matches!(entry.binding, Binding::Var(v) if matches!(self.sema.unit.vars[v].storage, Storage::Global { .. }));
            if !agrees && !matches!(entry.binding, Binding::Broken(_)) {
                let same_kind = matches!(entry.binding, Binding::Var(_));
                let text = &declared.name;
                let message = if same_kind {
                    format!("redefinition of '{text}'")
                } else {
                    format!("'{text}' is already declared as something else")
                };
                self.report(
                    Diagnostic::error(name.span, message)
                        .related(entry.span, "declared here first"),
                );
            }
        }
        if has_linkage && let Some(&binding) = self.linked.get(&name.symbol) {
            match binding {
                Binding::Var(var) => {
                    self.redeclare_variable(var, name, &declared, has_init);
                    self.scopes.bind(name.symbol, Binding::Var(var), name.span);
                    return var;
                }
                Binding::Func(function) => {
                    let before = self.sema.unit.funcs[function].span;
                    let text = declared.name.clone();
                    self.conflict(name, &text, before, "variable");
                }
                _ => {}
            }
        }
        let var = self.sema.unit.vars.push(declared);
        if has_linkage {
            self.linked.insert(name.symbol, Binding::Var(var));
        }
        self.scopes.bind(name.symbol, Binding::Var(var), name.span);
        var
    }

    fn redeclare_variable(&mut self, var: VarId, name: Token, declared: &VarDecl, has_init: bool) {
        let before = &self.sema.unit.vars[var];
        let (before_type, before_span, before_init) =
            (before.ty, before.span, before.init.is_some());
        if has_init && before_init {
            let message = format!("redefinition of '{}'", declared.name);
            self.report(
                Diagnostic::error(name.span, message).related(before_span, "defined here first"),
            );
        }
        let ty = if before_type == declared.ty {
            before_type
        } else if self.sema.compatible(before_type, declared.ty) {
            self.sema.composite(before_type, declared.ty)
        } else {
            let (old, new) = (self.type_text(before_type), self.type_text(declared.ty));
            self.report(
                Diagnostic::error(
                    name.span,
                    format!(
                        "conflicting types for '{}': '{new}', before '{old}'",
                        declared.name
                    ),
                )
                .related(before_span, format!("declared as '{old}'")),
            );
            declared.ty
        };
        let decl = &mut self.sema.unit.vars[var];
        decl.ty = ty;
        if declared.defined && (!decl.defined || has_init) {
            decl.span = name.span;
        }
        decl.defined |= declared.defined;
        decl.thread_local |= declared.thread_local;
        decl.align = decl.align.max(declared.align);
        for attribute in &declared.attrs {
            if !decl.attrs.contains(attribute) {
                decl.attrs.push(attribute.clone());
            }
        }
        if let (Storage::Global { is_static: true }, Storage::Global { is_static }) =
            (declared.storage, &mut decl.storage)
        {
            *is_static = true;
        }
    }

    /// At the end: tentative definitions must be complete; an array of unknown length has one element.
    pub(super) fn finish_tentative(&mut self) {
        for (var, span) in std::mem::take(&mut self.tentative) {
            let ty = self.sema.unit.vars[var].ty;
            if self.sema.unit.types.size_of(ty).is_some() {
                continue;
            }
            if let CTypeKind::Array { elem, len: None } = *self.sema.unit.types.shape(ty) {
                let completed = self.sema.unit.types.array(elem, Some(1));
                self.sema.unit.vars[var].ty = completed;
                continue;
            }
            let (name, text) = (self.sema.unit.vars[var].name.clone(), self.type_text(ty));
            self.report(
                Diagnostic::error(
                    span,
                    format!("variable '{name}' has incomplete type '{text}'"),
                )
                .label("its size is not known"),
            );
        }
    }

    /// The variable of a parameter in a list that is being read (`int n, int a[n]`).
    pub(super) fn parameter_variable(&mut self, index: u32, name: Symbol) -> VarId {
        let parameter = &self.parameters[index as usize];
        if let Some(var) = parameter.var {
            return var;
        }
        let decl = VarDecl {
            name: self.name(name).into_owned(),
            ty: parameter.ty,
            storage: Storage::Param(parameter.index),
            init: None,
            defined: true,
            thread_local: false,
            align: 0,
            address_taken: false,
            asm_name: None,
            attrs: parameter.attributes.clone(),
            span: parameter.span,
        };
        let var = self.sema.unit.vars.push(decl);
        self.parameters[index as usize].var = Some(var);
        var
    }
}
