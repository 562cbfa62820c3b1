//! What a derivative in one function looks like from outside: its parameters, what it returns, and what a request says about memory.

use super::super::Result;
use super::super::pairs::{parameter_type, shadow_type, unused_name};
use crate::activity::{Param, is_number};
use crate::points_to::{Disjoint, Object};
use crate::{Activity, AdError, Request};
use adjoin_ir::ctype::{Field, RecordData, TagScope};
use adjoin_ir::{CTy, CTypeKind, Function, Module, Type};

/// The function as C sees it, and what its derivative returns.
pub(super) struct Shape {
    pub function: Function,
    pub ret: CTy,
    pub params: Vec<CTy>,
    /// `None`: nothing.
    pub result: Option<CTy>,
}

impl Shape {
    pub fn of(m: &mut Module, request: &Request) -> Result<Shape> {
        let function = m.funcs[request.func].clone();
        let CTypeKind::Function { ret, params, .. } = m.types.shape(function.ctype).clone() else {
            return Err(AdError::new(function.span, "what is not a function"));
        };
        let mut entries = Vec::new();
        if request.primal_return && !matches!(m.types.shape(ret), CTypeKind::Void) {
            entries.push(m.types.unqualified(ret));
        }
        for (&t, &a) in params.iter().zip(&request.params) {
            if a == Activity::Out {
                entries.push(m.types.unqualified(t));
            }
        }
        // What is asked for holds the adjoints of all seeds.
        let result = match (request.result.filter(|_| request.width == 1), &entries[..]) {
            (Some(t), _) => (!matches!(m.types.shape(t), CTypeKind::Void)).then_some(t),
            (None, []) => None,
            (None, [one]) => Some(*one),
            (None, several) => Some(result_struct(m, &request.name, several)),
        };
        if m.types.is_aggregate(ret)
            && request.active_return
            && !request.seed_argument
            && crate::activity::holds_data(&m.types, ret)
        {
            return Err(AdError::new(
                function.span,
                format!(
                    "'{}': it returns a struct, whose adjoint must be given",
                    function.name
                ),
            ));
        }
        Ok(Shape {
            function,
            ret,
            params,
            result,
        })
    }

    /// How the parameters of the form by reference take part.
    pub fn params(&self, m: &Module, request: &Request) -> Vec<Param> {
        let mut params = Vec::new();
        if m.types.is_aggregate(self.ret) {
            params.push(match request.active_return {
                true => Param::Dup,
                false => Param::Const,
            });
        }
        for (k, &t) in self.params.iter().enumerate() {
            let a = request.params.get(k).copied().unwrap_or(Activity::Const);
            params.push(match a {
                Activity::Out if m.types.is_aggregate(t) => Param::Dup,
                a => a.into(),
            });
        }
        params
    }

    /// What the request says about memory, in terms of the form by reference.
    pub fn known(&self, m: &Module, request: &Request) -> Disjoint {
        facts(request, u32::from(m.types.is_aggregate(self.ret)))
    }

    /// The C type of the derivative, and its parameters' names.
    pub fn signature(
        &self,
        m: &mut Module,
        request: &Request,
    ) -> Result<(CTy, Vec<Option<String>>)> {
        let mut all = Vec::new();
        let mut names = Vec::new();
        for (k, &t) in self.params.iter().enumerate() {
            let name = self.function.param_names.get(k).cloned().flatten();
            all.push(parameter_type(m, t));
            names.push(name.clone());
            if request.params.get(k).is_some_and(|a| a.has_shadow()) {
                all.push(shadow_type(m, t));
                names.push(Some(format!(
                    "{}_bar",
                    name.unwrap_or_else(|| format!("p{k}"))
                )));
            }
        }
        if self.has_seed(m, request) {
            all.push(m.types.unqualified(self.ret));
            names.push(Some(format!("{}_bar", self.function.name)));
        }
        let ret = match self.result {
            Some(t) => t,
            None => m.types.void(),
        };
        let ctype = m.types.intern(CTypeKind::Function {
            ret,
            params: all,
            variadic: false,
            prototyped: true,
        });
        Ok((ctype, names))
    }

    /// Does the derivative take an adjoint of what the function returns?
    pub fn has_seed(&self, m: &Module, request: &Request) -> bool {
        request.seed_argument
            && (m.types.is_aggregate(self.ret)
                || Type::of_ctype(&m.types, self.ret).is_some_and(is_number))
    }
}

/// What a request says about memory, where the function's own parameters begin at a place in the form by reference.
pub(in super::super) fn facts(request: &Request, first: u32) -> Disjoint {
    let mut known = Disjoint::default();
    for &(a, b) in &request.disjoint {
        known.add(Object::Parameter(first + a), Object::Parameter(first + b));
    }
    known
}

/// A struct for several results, made up.
pub(in super::super) fn result_struct(m: &mut Module, name: &str, members: &[CTy]) -> CTy {
    let (mut offset, mut align) = (0u64, 1u64);
    let mut fields = Vec::new();
    for (k, &ty) in members.iter().enumerate() {
        let a = m.types.align_of(ty).max(1);
        align = align.max(a);
        offset = offset.next_multiple_of(a);
        fields.push(Field {
            name: Some(format!("r{k}")),
            ty,
            offset,
            bits: None,
        });
        offset += m.types.size_of(ty).unwrap_or(0);
    }
    let tag = unused_name(m, &format!("{name}_result"));
    let record = m.types.records.push(RecordData {
        is_union: false,
        tag: Some(tag),
        scope: TagScope::File,
        typedef_name: None,
        fields: Some(fields),
        size: offset.next_multiple_of(align),
        align,
        packed: false,
    });
    m.types.intern(CTypeKind::Record(record))
}
