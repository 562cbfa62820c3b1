//! Function definitions, old style included, and the bodies of system headers' functions, which are read only if needed.

use super::attributes::Attributes;
use super::declarators::{Declarator, FunctionPiece, Naming, Parameter, Piece, Place};
use super::scope::Binding;
use super::specifiers::{Specifiers, StorageClass};
use super::{Failed, Parser, Result};
use crate::ast::*;
use crate::diag::{Diagnostic, Severity};
use crate::token::{Symbol, T, Token};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};
use std::collections::{HashMap, HashSet};

/// The function being read.
#[derive(Debug)]
pub(super) struct FunctionState {
    pub id: FuncId,
    pub name: String,
    pub ret: CTy,
    pub labels: Vec<Label>,
    pub label_names: HashMap<Symbol, LabelId>,
    /// `__label__` declarations of the open blocks: block depth, name, label.
    pub local_labels: Vec<(u32, Symbol, LabelId)>,
    /// Loops and switches that are open.
    pub loops: u32,
    pub switches: Vec<Switch>,
    /// Undeclared names are reported once per function.
    pub undeclared: HashSet<Symbol>,
}

#[derive(Debug)]
pub(super) struct Label {
    pub name: String,
    pub span: Span,
    pub defined: bool,
    /// Somebody goes there or asks for its address (or defines it).
    pub mentioned: bool,
}

/// An open `switch`.
#[derive(Debug)]
pub(super) struct Switch {
    pub ty: CTy,
    pub cases: Vec<(i128, i128, Span)>,
    pub default: Option<Span>,
}

/// A body that has been skipped.
#[derive(Debug)]
pub(super) struct PendingBody {
    list: FunctionPiece,
    position: usize,
    start: Span,
}

impl Parser<'_> {
    /// At the `{` of a definition, or at the declarations of its old-style parameters.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn definition(
        &mut self,
        specifiers: Specifiers,
        mut declarator: Declarator,
        name: Token,
        mut ty: CTy,
        attributes: Attributes,
        asm_name: Option<String>,
        file_scope: bool,
    ) -> Result<()> {
        let Some(Piece::Function(list)) = declarator.pieces.first_mut() else {
            return Err(Failed);
        };
        let mut list = std::mem::take(&mut **list);
        if !file_scope {
            return self.nested_function(name);
        }
        if specifiers.storage == Some(StorageClass::Typedef) {
            self.error(specifiers.span, "a function definition cannot be a typedef");
        }
        if !list.prototyped {
            self.old_style_parameters(&mut list)?;
            let promoted: Vec<CTy> = list
                .parameters
                .iter()
                .map(|p| self.promoted(p.ty))
                .collect();
            if let Some(before) = self.earlier_prototype(name, &list.parameters) {
                ty = before;
            } else if let CTypeKind::Function { ret, .. } = *self.sema.unit.types.shape(ty) {
                ty = self.sema.unit.types.intern(CTypeKind::Function {
                    ret,
                    params: promoted,
                    variadic: false,
                    prototyped: false,
                });
            }
        }
        if !self.at(T::LBrace) {
            return Err(self.expected("the function's body"));
        }
        let function = self.declare_function(name, ty, &specifiers, &attributes, asm_name, true);
        let text = self.name(name.symbol).into_owned();
        let decl = &self.sema.unit.funcs[function];
        let replaceable = decl.attrs.iter().any(|a| a.name == "gnu_inline")
            || decl.body.as_ref().is_some_and(|b| b.in_system_header);
        if (decl.body.is_some() || self.pending.contains_key(&function)) && !replaceable {
            let before = decl.span;
            self.report(
                Diagnostic::error(name.span, format!("redefinition of '{text}'"))
                    .label("defined again")
                    .related(before, "defined here first"),
            );
        }
        self.pending.remove(&function);
        self.sema.unit.funcs[function].span = name.span;
        let position = self.pos;
        if self.in_system {
            self.skip_balanced();
            self.pending.insert(
                function,
                PendingBody {
                    list,
                    position,
                    start: specifiers.span,
                },
            );
            return Ok(());
        }
        self.body(function, list, specifiers.span)
    }

    /// The prototype that an old-style definition of this name follows, if it has these parameters as they are, not promoted: GNU C takes the
    /// prototype's word for how they arrive.
    fn earlier_prototype(&self, name: Token, parameters: &[Parameter]) -> Option<CTy> {
        let Some(&Binding::Func(function)) = self.linked.get(&name.symbol) else {
            return None;
        };
        let ty = self.sema.unit.funcs[function].ty;
        match self.sema.unit.types.shape(ty) {
            CTypeKind::Function {
                params,
                prototyped: true,
                ..
            } => {
                let agree = params.len() == parameters.len()
                    && !params.is_empty()
                    && (params.iter().zip(parameters)).all(|(&p, q)| self.sema.compatible(p, q.ty));
                agree.then_some(ty)
            }
            _ => None,
        }
    }

    /// GNU C's nested functions are refused; usually a brace is missing before.
    fn nested_function(&mut self, name: Token) -> Result<()> {
        let text = self.name(name.symbol).into_owned();
        let count = |kind: T| {
            self.tokens[self.pos..]
                .iter()
                .filter(|t| t.kind == kind)
                .count()
        };
        if count(T::RBrace) <= count(T::LBrace) {
            let function = self.function.as_ref();
            let outer = function.map(|f| (f.name.clone(), self.sema.unit.funcs[f.id].span));
            let (outer, span) = outer.unwrap_or_default();
            return Err(self.stop(
                Diagnostic::error(name.span, format!("'{text}' is defined inside '{outer}'"))
                    .label("a function cannot start here")
                    .related(span, "the function around it, which never ends")
                    .help(format!("a '}}' is missing before '{text}'")),
            ));
        }
        self.report(
            Diagnostic::unsupported(
                name.span,
                format!("function '{text}' is defined inside another function"),
            )
            .label("nested functions are not supported")
            .help("if this is not meant to be nested, a '}' is missing before it"),
        );
        while !matches!(self.kind(), T::LBrace | T::Eof) {
            self.advance();
        }
        self.skip_balanced();
        Ok(())
    }

    /// The type of an argument where no prototype says more.
    fn promoted(&mut self, ty: CTy) -> CTy {
        let types = &mut self.sema.unit.types;
        match types.arithmetic(ty) {
            Some(Basic::Float) => types.basic(Basic::Double),
            Some(b) if b.is_integer() && b.size() < 4 => types.basic(Basic::Int),
            _ => types.unqualified(ty),
        }
    }

    /// `int f(a, b) int a; double b; { … }`
    fn old_style_parameters(&mut self, list: &mut FunctionPiece) -> Result<()> {
        let int = self.int();
        let base = self.parameters.len();
        let mark = self.sema.vlas.len();
        self.scopes.push();
        self.prototype_depth += 1;
        for (index, &name) in list.identifiers.iter().enumerate() {
            self.scopes.bind(
                name.symbol,
                Binding::Parameter((base + index) as u32),
                name.span,
            );
            self.parameters.push(Parameter {
                name: Some(name),
                ty: int,
                index: index as u32,
                attributes: Vec::new(),
                span: name.span,
                var: None,
                forward: false,
            });
        }
        while !matches!(self.kind(), T::LBrace | T::Eof) {
            let specifiers = self.specifiers(true)?;
            loop {
                if self.at(T::Semi) {
                    break;
                }
                let mut declarator = self.declarator(Naming::Named)?;
                let mut attributes = Attributes::default();
                self.attributes(&mut attributes)?;
                let base_type = self.attributed_type(specifiers.ty, &attributes);
                let ty = self.declared_type(base_type, &mut declarator, Place::Parameter);
                let ty = self.sema.adjust_parameter(ty);
                let Some(name) = declarator.name else {
                    return Err(self.expected("a name"));
                };
                match self.scopes.here(name.symbol).map(|e| e.binding) {
                    Some(Binding::Parameter(index)) => {
                        let parameter = &mut self.parameters[index as usize];
                        parameter.ty = ty;
                        if let Some(var) = parameter.var {
                            self.sema.unit.vars[var].ty = ty;
                        }
                    }
                    _ => {
                        let text = self.name(name.symbol).into_owned();
                        self.error(
                            name.span,
                            format!("'{text}' is not a parameter of the function"),
                        );
                    }
                }
                if !self.accept(T::Comma) {
                    break;
                }
            }
            self.expect(T::Semi)?;
        }
        self.prototype_depth -= 1;
        self.scopes.pop();
        list.parameters = self.parameters.split_off(base.min(self.parameters.len()));
        list.vlas = self.sema.vlas.split_off(mark.min(self.sema.vlas.len()));
        Ok(())
    }

    /// The body, at its `{`.
    fn body(&mut self, function: FuncId, list: FunctionPiece, start: Span) -> Result<()> {
        let ret = match *self
            .sema
            .unit
            .types
            .shape(self.sema.unit.funcs[function].ty)
        {
            CTypeKind::Function { ret, .. } => ret,
            _ => self.sema.unit.types.void(),
        };
        let decl = &self.sema.unit.funcs[function];
        let (name, span) = (decl.name.clone(), decl.span);
        if self.sema.unit.types.size_of(ret).is_none() {
            let text = self.type_text(ret);
            self.error(
                span,
                format!("function '{name}' returns incomplete type '{text}'"),
            );
        }
        self.function = Some(FunctionState {
            id: function,
            name,
            ret,
            labels: Vec::new(),
            label_names: HashMap::new(),
            local_labels: Vec::new(),
            loops: 0,
            switches: Vec::new(),
            undeclared: HashSet::new(),
        });
        self.sema.current = Some(function);
        self.scopes.push();
        for (symbol, tag, span) in list.tags {
            self.scopes.bind_tag(symbol, tag, span);
        }
        for (symbol, binding, span) in list.constants {
            self.scopes.bind(symbol, binding, span);
        }
        let param_vlas: Vec<u32> = list.vlas.iter().map(|v| v.0).collect();
        self.sema.vlas = list.vlas;
        self.sema.unit.funcs[function].params = self.parameter_variables(list.parameters);
        let mut block = Vec::new();
        let open = self.advance().span;
        let result = self.block_items(&mut block, open);
        let close = self.previous();
        self.scopes.pop();
        let state = self.function.take();
        self.sema.current = None;
        let labels = state.map(|s| s.labels).unwrap_or_default();
        for label in &labels {
            if !label.defined && label.mentioned && result.is_ok() {
                self.report(
                    Diagnostic::error(
                        label.span,
                        format!("label '{}' is used but not defined", label.name),
                    )
                    .label("no such label in this function"),
                );
            }
        }
        let vlas = std::mem::take(&mut self.sema.vlas);
        self.sema.unit.funcs[function].body = Some(FuncBody {
            block,
            range: open.to(close),
            whole: start.to(close),
            labels: labels.into_iter().map(|l| (l.name, l.span)).collect(),
            vlas,
            param_vlas,
            in_system_header: self.in_system,
        });
        result
    }

    fn parameter_variables(&mut self, parameters: Vec<Parameter>) -> Vec<VarId> {
        let mut variables = Vec::new();
        for parameter in parameters {
            let symbol = parameter.name.map(|n| n.symbol);
            if self.sema.unit.types.size_of(parameter.ty).is_none() {
                let (text, name) = (
                    self.type_text(parameter.ty),
                    symbol.map_or(String::new(), |s| format!("'{}' ", self.name(s))),
                );
                self.error(
                    parameter.span,
                    format!("parameter {name}has incomplete type '{text}'"),
                );
            }
            let var = match parameter.var {
                Some(var) => var,
                None => self.sema.unit.vars.push(VarDecl {
                    name: symbol.map_or(String::new(), |s| self.name(s).into_owned()),
                    ty: parameter.ty,
                    storage: Storage::Param(parameter.index),
                    init: None,
                    defined: true,
                    thread_local: false,
                    align: 0,
                    address_taken: false,
                    asm_name: None,
                    attrs: parameter.attributes,
                    span: parameter.span,
                }),
            };
            if let Some(name) = parameter.name {
                self.scopes.bind(name.symbol, Binding::Var(var), name.span);
            }
            variables.push(var);
        }
        variables
    }

    /// Reads the skipped bodies that are needed. Names mean what they mean at the end of the file, which for a header is the same.
    pub(super) fn pending_bodies(&mut self) {
        if self.options.all_bodies {
            let mut all: Vec<FuncId> = self.pending.keys().copied().collect();
            all.sort();
            for function in all {
                self.mark_used(function);
            }
        }
        let mut next = 0;
        while next < self.used.len() && !self.stopped {
            let function = self.used[next];
            next += 1;
            let Some(PendingBody {
                list,
                position,
                start,
            }) = self.pending.remove(&function)
            else {
                continue;
            };
            self.pos = position;
            self.in_system = true;
            self.sema.in_system_header = true;
            let mark = self.sema.diags.len();
            let result = self.body(function, list, start);
            self.leave_scopes();
            self.soft = None;
            if self.stopped {
                return;
            }
            let diagnostics = self.sema.diags.split_off(mark);
            let error = diagnostics
                .into_iter()
                .find(|d| d.severity != Severity::Warning);
            if let Some(error) = error.or(result
                .err()
                .map(|_| Diagnostic::error(start, "the function's body cannot be read")))
            {
                let decl = &mut self.sema.unit.funcs[function];
                decl.body = None;
                decl.params.clear();
                self.sema.unit.unreadable.push((function, error));
            }
        }
        self.in_system = false;
        self.sema.in_system_header = false;
    }
}
