//! The state of building a function's C: which variable holds which value, and what is mentioned.

use crate::ast::{Expr, ExprKind, Var, VarData, VarKind};
use crate::facts::Facts;
use crate::fold::{Folding, Plan};
use crate::types::Types;
use adjoin_ir::{
    Body, CTy, CTypeKind, DataKind, Func, Global, Inst, Linkage, Module, Op, Quals, Step, Type,
    Value, ValueDef,
};
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// Builds the C of one function.
pub(crate) struct Build<'a> {
    pub module: &'a Module,
    pub types: &'a Types,
    pub func: Func,
    pub body: &'a Body,
    pub facts: &'a Facts<'a>,
    pub folding: &'a Folding,
    pub vars: PrimaryMap<Var, VarData>,
    pub var_of: SecondaryMap<Value, Option<Var>>,
    pub return_type: CTy,
    /// Printed between the user's own declarations, whose types may have variable lengths.
    pub in_place: bool,
    /// Instructions that need no statement (a parameter's store into its own variable).
    pub skipped: EntitySet<Inst>,
    /// Globals and functions that the text names.
    pub globals: BTreeSet<Global>,
    pub funcs: BTreeSet<Func>,
    /// Library functions that are not declared here.
    pub builtins: Option<&'a BTreeSet<Func>>,
    /// Square roots are taken without `errno`.
    pub plain_roots: bool,
    /// Names of globals that live in this body.
    pub global_names: BTreeMap<Global, String>,
}

impl<'a> Build<'a> {
    pub fn var_expr(&self, var: Var) -> Expr {
        Expr::new(ExprKind::Var(var), self.vars[var].ty)
    }

    /// The variable that holds a value (or, for the address of a stack object, the object).
    pub fn variable(&mut self, v: Value) -> Var {
        if let Some(var) = self.var_of[v] {
            return var;
        }
        let data = &self.body.values[v];
        let mut ty = self.value_ctype(v);
        if let Some(target) = self.types.pointee(ty)
            && self.types.quals(target).is_const
            && self.is_stored_through(v)
        {
            // A shadow has the type of what it is the shadow of.
            ty = self.types.pointer(self.without_const(target));
        }
        let hint = data.name.clone().or_else(|| self.hint_for(v));
        let from_source = data.name.is_some();
        let construct = self.facts.construct_of(self.body.def_region(v));
        let var = self.vars.push(VarData {
            ty,
            kind: VarKind::Value,
            hint,
            from_source,
            name: String::new(),
            construct,
            is_vla: false,
            escapes: false,
            align: 0,
            assignable: true,
        });
        self.var_of[v] = Some(var);
        var
    }

    /// Does something write where an address leads, or a little further?
    fn is_stored_through(&self, address: Value) -> bool {
        self.facts.uses[address].iter().any(|&user| {
            let data = &self.body.insts[user];
            match data.op {
                Op::Store(_) => data.args[0] == address,
                Op::Addr(_) => data.args[0] == address && self.is_stored_through(data.results[0]),
                _ => false,
            }
        })
    }

    /// The variable of a stack object.
    pub fn object_variable(&mut self, v: Value, inst: Inst) -> Var {
        if let Some(var) = self.var_of[v] {
            return var;
        }
        let (attr, vla) = match &self.body.insts[inst].op {
            Op::Slot(a) => (a, false),
            Op::SlotVla(a) => (a, true),
            _ => unreachable!("only slots are stack objects"),
        };
        let mut ty = self.without_const(attr.ctype);
        if vla {
            while self.types.has_vla(ty) {
                ty = self.types.array_element(ty).unwrap_or(self.types.int);
            }
            ty = self.types.incomplete_array(ty);
        } else {
            ty = self.types.declarable(ty);
        }
        let var = self.vars.push(VarData {
            ty,
            kind: VarKind::Object,
            hint: attr.name.clone(),
            from_source: attr.name.is_some(),
            name: String::new(),
            construct: self.facts.construct_of(self.body.insts[inst].parent),
            is_vla: vla,
            escapes: self.facts.escaping.contains(v),
            align: attr.align,
            assignable: true,
        });
        self.var_of[v] = Some(var);
        var
    }

    /// A type for a variable that is written after its declaration: no `const` on it or its elements.
    fn without_const(&self, t: CTy) -> CTy {
        let q = self.types.quals(t);
        let mut out = self.types.unqualified(t);
        if let CTypeKind::Array { elem, len } = self.types.shape(out) {
            let inner = self.without_const(elem);
            if inner != elem {
                out = self.types.array(inner, len);
            }
        }
        // Volatile and atomic objects stay so.
        let keep = Quals {
            is_volatile: q.is_volatile,
            is_atomic: q.is_atomic,
            ..Quals::default()
        };
        self.types.qualified(out, keep)
    }

    /// How C declares the value.
    pub fn value_ctype(&self, v: Value) -> CTy {
        let ty = self.body.ty(v);
        if let Some(t) = self.body.values[v].ctype {
            if self.types.value_type(t) == Some(ty) {
                return self.types.declarable(self.types.unqualified(t));
            }
        }
        if ty == Type::Ptr {
            if let Some(t) = self.pointer_type(v, 6) {
                return self.types.declarable(self.types.unqualified(t));
            }
        }
        self.types.default_of(ty)
    }

    /// What is known of a pointer whose C type was not kept: from its definition, else from its uses.
    fn pointer_type(&self, v: Value, depth: u32) -> Option<CTy> {
        if let Some(t) = self.body.values[v].ctype {
            if self.types.is_pointer(t) {
                return Some(t);
            }
        }
        if depth == 0 {
            return None;
        }
        let from_def = match self.body.values[v].def {
            ValueDef::Result(inst, index) => {
                let data = &self.body.insts[inst];
                match &data.op {
                    Op::Slot(a) => Some(self.types.pointer(a.ctype)),
                    Op::GlobalAddr(g) => {
                        let t = self.module.globals[*g].ctype;
                        Some(self.types.pointer(self.types.array_element(t).unwrap_or(t)))
                    }
                    Op::FuncAddr(f) => Some(self.types.pointer(self.module.funcs[*f].ctype)),
                    Op::Addr(_) => self.path_type(inst).map(|t| self.types.pointer(t)),
                    Op::Load(_) => self
                        .body
                        .def_inst(data.args[0])
                        .and_then(|d| match &self.body.insts[d].op {
                            Op::Addr(_) => self.path_type(d),
                            Op::Slot(a) => Some(a.ctype),
                            Op::GlobalAddr(g) => Some(self.module.globals[*g].ctype),
                            _ => None,
                        })
                        .filter(|&t| self.types.is_pointer(t)),
                    Op::Call(c) => match self.types.shape(self.module.funcs[c.func].ctype) {
                        CTypeKind::Function { ret, .. } if self.types.is_pointer(ret) => Some(ret),
                        _ => None,
                    },
                    Op::Select => data.args[1..]
                        .iter()
                        .find_map(|&a| self.pointer_type(a, depth - 1)),
                    Op::If | Op::Block | Op::Switch(_) => data.regions.iter().find_map(|&r| {
                        let end = self.body.terminator(r)?;
                        let a = *self.body.insts[end].args.get(index as usize)?;
                        self.pointer_type(a, depth - 1)
                    }),
                    _ => None,
                }
            }
            ValueDef::Arg(region, index) => self.body.regions[region].parent.and_then(|owner| {
                let data = &self.body.insts[owner];
                let offset = match data.op {
                    Op::For(_) => 2,
                    Op::Loop => 0,
                    Op::Switch(_) => 1,
                    _ => return None,
                };
                let init = *data.args.get(index as usize + offset)?;
                self.pointer_type(init, depth - 1)
            }),
        };
        from_def
            .filter(|&t| self.types.pointee(t).is_none_or(|p| !self.types.is_void(p)))
            .or_else(|| {
                self.facts.uses[v]
                    .iter()
                    .find_map(|&u| match &self.body.insts[u].op {
                        Op::Addr(a) if self.body.insts[u].args[0] == v => {
                            Some(self.types.pointer(a.pointee))
                        }
                        Op::Load(_) => {
                            let r = self.body.result(u);
                            (self.body.ty(r) != Type::Ptr)
                                .then(|| self.types.pointer(self.types.default_of(self.body.ty(r))))
                        }
                        _ => None,
                    })
            })
    }

    /// The type at the end of an address path.
    pub fn path_type(&self, inst: Inst) -> Option<CTy> {
        let Op::Addr(attr) = &self.body.insts[inst].op else {
            return None;
        };
        let mut t = self.types.declarable(attr.pointee);
        for (k, step) in attr.steps.iter().enumerate() {
            t = match step {
                Step::Index { .. } | Step::IndexDyn => {
                    if k == 0 {
                        t
                    } else {
                        self.types.array_element(t)?
                    }
                }
                Step::Field { record, field, .. } => self.types.field(*record, *field)?.ty,
                Step::Bytes(_) => return None,
            };
        }
        Some(self.types.array_element(t).unwrap_or(t))
    }

    /// A telling name for a value that is no variable of the source.
    fn hint_for(&self, v: Value) -> Option<String> {
        let ty = self.body.ty(v);
        if let ValueDef::Arg(region, index) = self.body.values[v].def {
            let owner = self.body.regions[region].parent?;
            if matches!(self.body.insts[owner].op, Op::For(_)) && index == 0 {
                return Some("i".into());
            }
        }
        if let Some(inst) = self.body.def_inst(v) {
            let data = &self.body.insts[inst];
            if let Op::Load(_) | Op::LoadBits(_) = data.op {
                if let Some(d) = self.body.def_inst(data.args[0]) {
                    match &self.body.insts[d].op {
                        Op::Addr(a) => {
                            if let Some(Step::Field { record, field, .. }) = a.steps.last() {
                                return self.types.field(*record, *field)?.name;
                            }
                        }
                        Op::Slot(a) => return Some(format!("{}_old", a.name.as_deref()?)),
                        Op::GlobalAddr(g) => {
                            return Some(format!("{}_old", self.module.globals[*g].name));
                        }
                        _ => {}
                    }
                }
            }
            if let Op::Addr(a) = &data.op
                && matches!(a.steps[..], [Step::Index { .. }])
                && let Some(name) = self.name_of_array(data.args[0])
            {
                return Some(format!("{name}_at"));
            }
        }
        Some(if ty == Type::Ptr { "p" } else { "t" }.to_string())
    }

    /// What the array is called that an address is in.
    fn name_of_array(&self, v: Value) -> Option<String> {
        if let Some(name) = &self.body.values[v].name {
            return Some(name.clone());
        }
        if let Some(var) = self.var_of[v].filter(|&var| self.vars[var].from_source) {
            return self.vars[var].hint.clone();
        }
        let data = &self.body.insts[self.body.def_inst(v)?];
        match &data.op {
            Op::Slot(a) | Op::SlotVla(a) => a.name.clone(),
            Op::GlobalAddr(g) => Some(self.module.globals[*g].name.clone()),
            Op::Addr(_) => self.name_of_array(data.args[0]),
            _ => None,
        }
    }

    /// The object at an address, if it has a name of its own.
    pub fn object_place(&mut self, v: Value) -> Option<Expr> {
        match self.body.values[v].def {
            ValueDef::Result(inst, _) => match self.body.insts[inst].op {
                Op::Slot(_) | Op::SlotVla(_) => {
                    let var = self.object_variable(v, inst);
                    Some(self.var_expr(var))
                }
                Op::GlobalAddr(g) => Some(self.global_expr(g)),
                _ => None,
            },
            ValueDef::Arg(..) => {
                if self.facts.aggregate_params.contains(v) {
                    let var = self.variable(v);
                    return Some(self.var_expr(var));
                }
                let (_, outer): (DataKind, Value) = self.facts.data_clause(v)?;
                self.object_place(outer)
            }
        }
    }

    /// A global by name, a string literal in place.
    pub fn global_expr(&mut self, g: Global) -> Expr {
        let data = &self.module.globals[g];
        if data.linkage == Linkage::Literal {
            if let Some(text) = string_literal(self.module, self.types, g) {
                return Expr::new(ExprKind::Literal(text), data.ctype);
            }
        }
        self.globals.insert(g);
        self.name_global(g);
        let name = self.global_names.get(&g).unwrap_or(&data.name).clone();
        Expr::new(ExprKind::Name(name), data.ctype)
    }

    /// Gives a global that lives in this body a name that is unique in it.
    pub fn name_global(&mut self, g: Global) {
        let data = &self.module.globals[g];
        let local = data.owner == Some(self.func) || data.linkage == Linkage::Literal;
        if !local || self.global_names.contains_key(&g) {
            return;
        }
        // Names of literals are made up, and need not be identifiers.
        let base: String = data
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut name = base.clone();
        let mut n = 1;
        let params = &self.module.funcs[self.func].param_names;
        while self.global_names.values().any(|taken| *taken == name)
            || params.iter().flatten().any(|taken| *taken == name)
        {
            name = format!("{base}_{n}");
            n += 1;
        }
        self.global_names.insert(g, name);
    }

    pub fn is_inline(&self, v: Value) -> bool {
        self.folding.plan[v] == Plan::Inline && self.body.def_inst(v).is_some()
    }
}

/// The text of a literal global that can be written as a string.
pub(crate) fn string_literal(module: &Module, types: &Types, g: Global) -> Option<String> {
    let data = &module.globals[g];
    let init = data.init.as_ref()?;
    if !init.relocs.is_empty() {
        return None;
    }
    match types.shape(data.ctype) {
        CTypeKind::Array {
            elem,
            len: Some(len),
        } if types.arithmetic(elem) == Some(adjoin_ir::Basic::Char) => {
            crate::consts::string(&init.bytes, len)
        }
        _ => None,
    }
}
