//! Tests of semantic analysis on trees built by hand (the parser has its own).

mod expressions;
mod initialisers;
mod layout;

use super::*;

pub(super) const AT: Span = Span { start: 0, end: 1 };

impl Sema {
    /// A fresh variable and an expression for it.
    pub(super) fn test_var(&mut self, name: &str, ty: CTy, storage: Storage) -> Expr {
        let v = self.unit.vars.push(VarDecl {
            name: name.into(),
            ty,
            storage,
            init: None,
            defined: true,
            thread_local: false,
            align: 0,
            address_taken: false,
            asm_name: None,
            attrs: Vec::new(),
            span: AT,
        });
        self.var(v, AT)
    }

    pub(super) fn test_func(&mut self, name: &str, ret: CTy, params: Vec<CTy>) -> Expr {
        let ty = self.unit.types.intern(CTypeKind::Function {
            ret,
            params,
            variadic: false,
            prototyped: true,
        });
        let f = self.unit.funcs.push(FuncDecl {
            name: name.into(),
            ty,
            params: Vec::new(),
            is_static: false,
            inline: false,
            noreturn: false,
            attrs: Vec::new(),
            span: Span { start: 7, end: 8 },
            body: None,
        });
        self.func(f, AT)
    }

    pub(super) fn test_record(&mut self, is_union: bool, fields: Vec<FieldDecl>) -> (Record, CTy) {
        let r = self.unit.types.records.push(adjoin_ir::ctype::RecordData {
            is_union,
            tag: Some("S".into()),
            scope: Default::default(),
            typedef_name: None,
            fields: None,
            size: 0,
            align: 1,
            packed: false,
        });
        self.complete_record(r, fields, false, 0, AT);
        let ty = self.unit.types.intern(CTypeKind::Record(r));
        (r, ty)
    }

    pub(super) fn int(&mut self, v: i128) -> Expr {
        self.int_const(v, Basic::Int, AT)
    }

    pub(super) fn errors(&self) -> Vec<&str> {
        let errors = self.diags.iter().filter(|d| d.severity == Severity::Error);
        errors.map(|d| d.message.as_str()).collect()
    }
}

pub(super) fn field(name: &str, ty: CTy) -> FieldDecl {
    let name = (!name.is_empty()).then(|| name.to_string());
    FieldDecl {
        name,
        ty,
        width: None,
        align: 0,
        packed: false,
        span: AT,
    }
}

pub(super) fn bits(name: &str, ty: CTy, width: u32) -> FieldDecl {
    FieldDecl {
        width: Some(width),
        ..field(name, ty)
    }
}
