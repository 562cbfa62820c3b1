//! Calls that are left after inlining: allocation, copying, the math library, functions with derivatives of their own, and those without any.

use super::activity::Pass;
use super::{Forward, Key, Result, lane_name, unused_name};
use crate::activity::{
    clears_by_advice, flows, holds_data, inactive_writes, is_number, written_by_inactive,
};
use crate::known::{self, Known};
use crate::{AdError, Registry, mpi, rules};
use adjoin_ir::mpi::MpiCall;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, GlobalData, Init, Inst, Linkage, Module,
    Op, Quals, Span, Type, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a called function is to forward mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Callee {
    /// Not called by name.
    None,
    /// Said to be inactive.
    Inactive,
    /// Memory, or inactive.
    Known(Known),
    /// A custom allocation function.
    Allocator(Func),
    /// The free function of one.
    Deallocator,
    /// An MPI function that exchanges data.
    Mpi(Func, &'static MpiCall),
    /// Half of the reverse-mode derivative of one (the augmented one?).
    MpiHalf(Func, &'static MpiCall, bool),
    /// With a custom derivative.
    Custom(Func, Func),
    /// As a function of the rule table.
    Rule(String),
    /// One that finds shadows, in a derivative.
    Outside,
    /// With a body.
    Derived(Func),
    /// Nothing is known.
    Unknown,
}

/// What the functions are that a body calls.
pub(super) struct Callees {
    table: BTreeMap<Func, Callee>,
    /// Where results of calls are converted.
    casts: BTreeMap<Value, Vec<Value>>,
    /// What results of calls point to where addresses are computed from them.
    paths: BTreeMap<Value, BTreeSet<CTy>>,
    /// Results of calls that numbers or pointers are accessed behind, or that become pointers to such, wherever they have gone by then.
    data: BTreeSet<Value>,
    /// Functions that exchange data with other processes.
    communicating: BTreeSet<Func>,
}

impl Callees {
    /// Looks at every call of a body.
    pub fn new(module: &Module, registry: &Registry, body: &Body) -> Callees {
        let mut table = BTreeMap::new();
        let mut casts: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
        let mut paths: BTreeMap<Value, BTreeSet<CTy>> = BTreeMap::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            match &data.op {
                Op::Addr(attr) => {
                    let base = crate::activity::root(body, data.args[0]);
                    let from = body.def_inst(base);
                    if from.is_some_and(|i| matches!(body.insts[i].op, Op::Call(_))) {
                        paths.entry(base).or_default().insert(attr.pointee);
                    }
                }
                Op::Call(attr) => drop(
                    table
                        .entry(attr.func)
                        .or_insert_with(|| classify(module, registry, attr.func)),
                ),
                Op::Cast => {
                    let from = body.def_inst(data.args[0]);
                    if from.is_some_and(|i| matches!(body.insts[i].op, Op::Call(_))) {
                        casts.entry(data.args[0]).or_default().push(data.results[0]);
                    }
                }
                _ => {}
            }
        });
        let communicating = mpi::communicating(module);
        Callees {
            table,
            casts,
            paths,
            data: leading_to_data(module, body),
            communicating,
        }
    }

    /// Does the result of a call become a pointer to numbers or pointers, or is it used as one?
    pub fn leads_to_data(&self, v: Value) -> bool {
        self.data.contains(&v)
    }

    /// Does a function exchange data with other processes? Then active data may come to it from there.
    pub fn communicates(&self, func: Func) -> bool {
        self.communicating.contains(&func)
    }

    /// What the result of a call is converted to.
    pub fn casts(&self, v: Value) -> &[Value] {
        self.casts.get(&v).map_or(&[], |list| list)
    }

    /// What the result of a call points to where addresses are computed from it.
    pub fn paths(&self, v: Value) -> impl Iterator<Item = CTy> + '_ {
        self.paths.get(&v).into_iter().flatten().copied()
    }

    /// What an instruction calls.
    pub fn of(&self, op: &Op) -> Callee {
        match op {
            Op::Call(attr) => self
                .table
                .get(&attr.func)
                .cloned()
                .unwrap_or(Callee::Unknown),
            _ => Callee::None,
        }
    }

    /// Is any of them a function with a derivative of its own?
    pub fn any_derived(&self) -> bool {
        self.table.values().any(|c| matches!(c, Callee::Derived(_)))
    }
}

fn classify(module: &Module, registry: &Registry, func: Func) -> Callee {
    let function = &module.funcs[func];
    if registry.inactive.contains(&func) {
        return Callee::Inactive;
    }
    if let Some(&derivative) = registry.derivatives.get(&func) {
        return Callee::Custom(func, derivative);
    }
    if let Some(name) = registry.like.get(&func) {
        return Callee::Rule(name.clone());
    }
    if registry.allocators.contains_key(&func) {
        return Callee::Allocator(func);
    }
    if registry.allocators.values().any(|a| a.free == Some(func)) {
        return Callee::Deallocator;
    }
    if function.body.is_some() {
        return Callee::Derived(func);
    }
    let name = &function.name;
    if let Some(call) = mpi::communication(name) {
        return Callee::Mpi(func, call);
    }
    if let Some((call, augmented)) = mpi::half(name) {
        return Callee::MpiHalf(func, call, augmented);
    }
    if known::outside::ALL.contains(&name.as_str()) {
        return Callee::Outside;
    }
    if let Some(known) = known::lookup(name) {
        return Callee::Known(known);
    }
    if rules::lookup(name).is_some() {
        return Callee::Rule(name.clone());
    }
    Callee::Unknown
}

impl Forward<'_> {
    pub(super) fn any_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        match self.callees.of(&data.op) {
            Callee::Known(Known::Malloc(_)) => self.repeat_allocation(inst, true),
            Callee::Known(Known::Calloc) => self.repeat_allocation(inst, false),
            Callee::Allocator(func) => self.custom_allocation(inst, func),
            Callee::Known(Known::Realloc | Known::ReallocArray) => self.reallocate(inst),
            Callee::Known(Known::AllocateInto) => self.allocate_into(inst),
            Callee::Known(Known::Free) | Callee::Deallocator => self.free(inst),
            Callee::Known(Known::Copy) => self.copy_bytes(inst),
            Callee::Known(Known::Fill) => self.fill_bytes(inst),
            Callee::Inactive | Callee::Known(Known::Inactive) => {
                if let Op::Call(attr) = &data.op
                    && self.session.registry.inactive.contains(&attr.func)
                {
                    let written = written_by_inactive(self.m, attr.func, &data.args);
                    if let Some(&v) = written.iter().find(|&&v| self.has_tangent(v)) {
                        let name = self.variable(v);
                        return Err(inactive_writes(self.m, attr.func, data.span, &name));
                    }
                }
                if let Op::Call(attr) = &data.op
                    && clears_by_advice(self.m, &self.p, attr.func, &data.args)
                    && self.has_tangent(data.args[0])
                {
                    let name = self.variable(data.args[0]);
                    let function = &self.m.funcs[attr.func].name;
                    let what = format!("'{name}': this advice of '{function}' may clear it");
                    return self.error(inst, what);
                }
                self.primal(inst);
                self.clear_written(inst)
            }
            Callee::Rule(name) => self.rule(inst, &name),
            Callee::Mpi(func, call) => self.message(inst, func, call),
            Callee::MpiHalf(func, call, augmented) => {
                self.message_half(inst, func, call, augmented)
            }
            Callee::Outside => self.outside_call(inst),
            Callee::Custom(_, derivative) => self.custom(inst, derivative),
            Callee::Derived(func) => match mpi::communicates_in_threads(self.m, &self.p, inst) {
                Some(message) => self.error(inst, message),
                None => self.derived(inst, func),
            },
            Callee::None | Callee::Unknown => self.opaque_call(inst),
        }
    }

    /// A call that nothing is known of: nothing active may reach it.
    pub(super) fn opaque_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let name = match &data.op {
            Op::Call(attr) => format!("a call of '{}'", self.m.funcs[attr.func].name),
            Op::Mpi(attr) => format!("a call of '{}'", self.m.funcs[attr.func].name),
            _ => "a call through a pointer".to_string(),
        };
        if let Op::Call(attr) = &data.op
            && mpi::is_refused(&self.m.funcs[attr.func].name)
        {
            return self.error(inst, mpi::refusal(&self.m.funcs[attr.func].name));
        }
        if self.facts.any_tangent(&data.args) {
            return Err(AdError {
                elsewhere: true,
                ..AdError::new(
                    data.span,
                    format!("{name}: its body is not known, and active data reaches it"),
                )
            });
        }
        let visible = self
            .key
            .globals
            .iter()
            .find(|&&g| self.m.globals[g].linkage == Linkage::External);
        if let Some(&g) = visible {
            let global = self.m.globals[g].name.clone();
            let what = format!(
                "{name}: its body is not known, and globals are active that it may use ('{global}')"
            );
            return Err(AdError {
                elsewhere: true,
                ..AdError::new(data.span, what)
            });
        }
        self.primal(inst);
        Ok(())
    }

    pub(super) fn variable_arguments(&mut self, inst: Inst) -> Result<()> {
        let args = self.p.insts[inst].args.clone();
        if self.facts.any_tangent(&args) || matches!(self.p.insts[inst].op, Op::VaArg(_)) {
            return self.error(inst, "variable arguments");
        }
        self.primal(inst);
        Ok(())
    }

    // ---- functions with derivatives ----

    /// A function with a body: a call of its own derivative.
    fn derived(&mut self, inst: Inst, func: Func) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let function = self.m.funcs[func].clone();
        let active_in = self.facts.any_tangent(&data.args);
        let result = data.results.first().copied();
        let wanted = result.is_some_and(|v| self.has_tangent(v));
        if !wanted && !self.facts.enters(active_in) && !self.callees.communicates(func) {
            self.primal(inst);
            return Ok(());
        }
        let CTypeKind::Function {
            ret,
            params,
            variadic,
            ..
        } = self.m.types.shape(function.ctype).clone()
        else {
            return self.error(inst, format!("a call of '{}'", function.name));
        };
        if variadic {
            return self.error(
                inst,
                format!("a call of '{}': it has variable arguments", function.name),
            );
        }
        let aggregate = self.m.types.is_aggregate(ret);
        let arguments = data.args[aggregate as usize..].to_vec();
        let mut passes = Vec::new();
        let mut args = Vec::new();
        for (k, &v) in arguments.iter().enumerate() {
            let by_value = params
                .get(k)
                .copied()
                .filter(|&t| self.m.types.is_aggregate(t));
            args.push(self.f[&v]);
            let pass = match (self.has_tangent(v), by_value) {
                (false, _) => Pass::Const,
                (true, Some(_)) => Pass::Dup,
                (true, None) if self.facts.is_unsure(v) => Pass::Unsure,
                (true, None) if self.p.ty(v).is_int() => Pass::Const,
                (true, None) => Pass::Dup,
            };
            passes.push(pass);
            if pass != Pass::Const {
                let lanes = match by_value.filter(|_| self.facts.is_unsure(v)) {
                    Some(t) => self.surely(v, t, inst)?,
                    None => self.tangents(v)?,
                };
                args.extend(lanes);
            }
        }
        let active_return = wanted || aggregate && self.has_tangent(data.args[0]);
        let primal_return = !matches!(self.m.types.shape(ret), CTypeKind::Void);
        let key = Key {
            func,
            params: passes,
            active_return,
            primal_return,
            width: self.key.width,
            vectors: self.key.vectors,
            outermost: self.key.outermost,
            result: None,
            globals: self.key.globals.clone(),
            level: self.key.level,
            disjoint: BTreeSet::new(),
            extents: BTreeMap::new(),
        };
        let derivative = self.derivative(key)?;
        self.take_results(inst, derivative, ret, active_return, args)
    }

    /// The derivative of a function as an internal call needs it.
    fn derivative(&mut self, key: Key) -> Result<Func> {
        if let Some(&found) = self.session.forward.derivatives.get(&key) {
            return Ok(found);
        }
        let base = format!("{}_jvp", self.m.funcs[key.func].name);
        let name = unused_name(self.m, &base);
        let func = super::declare(self.m, self.session, &key, &name)?;
        self.session.forward.derivatives.insert(key.clone(), func);
        self.session.forward.pending.push((func, key));
        Ok(func)
    }

    /// Shadows of a struct that is passed by value: zero where there is none.
    fn surely(&mut self, v: Value, t: CTy, inst: Inst) -> Result<Vec<Value>> {
        let bytes = self.size(t, inst)?;
        let mut lanes = Vec::new();
        for (lane, shadow) in self.tangents(v)?.into_iter().enumerate() {
            let name = lane_name("argument", lane as u32, self.key.width);
            let t = self.m.types.unqualified(t);
            let slot = self.b().slot(t, Some(&name));
            self.b().zero(slot, bytes, Some(t));
            let is_there = self.is_there(shadow);
            self.when(is_there, |me| {
                me.b().copy(slot, shadow, bytes, Some(t));
                Ok(())
            })?;
            lanes.push(slot);
        }
        Ok(lanes)
    }

    // ---- functions of the C library ----

    pub(super) fn memset(&mut self) -> Func {
        let address = self.address_type();
        let types = &mut self.m.types;
        let (int, ulong) = (types.basic(Basic::Int), types.basic(Basic::ULong));
        self.declare_external("memset", address, &[address, int, ulong])
    }

    pub(super) fn calloc(&mut self) -> Func {
        let address = self.address_type();
        let ulong = self.m.types.basic(Basic::ULong);
        self.declare_external("calloc", address, &[ulong, ulong])
    }

    /// A function that says that a shadow is missing, and ends the program.
    pub(super) fn missing_shadow(&mut self) -> Func {
        let text = "adjoin: active data is stored in memory that has no shadow";
        self.stop("adjoin_missing_shadow", text)
    }

    /// A function that says something and ends the program.
    pub(super) fn stop(&mut self, name: &str, message: &str) -> Func {
        if let Some(f) = self.m.find_func(name) {
            return f;
        }
        let void = self.m.types.void();
        let char_ = self.m.types.basic(Basic::Char);
        let quals = Quals {
            is_const: true,
            ..Default::default()
        };
        let constant = self.m.types.qualified(char_, quals);
        let text = self.m.types.pointer(constant);
        let complain = self.declare_external("adjoin_complain", void, &[text]);
        let abort = self.declare_external("abort", void, &[]);
        let func = self.declare_external(name, void, &[]);
        let mut bytes = message.as_bytes().to_vec();
        bytes.push(0);
        let ctype = self.m.types.array(char_, Some(bytes.len() as u64));
        let number = self.m.globals.len();
        let message = self.m.globals.push(GlobalData {
            name: format!("adjoin_message_{number}"),
            ctype,
            linkage: Linkage::Literal,
            owner: Some(func),
            init: Some(Init {
                bytes,
                relocs: Vec::new(),
            }),
            thread_local: false,
            align: 0,
            span: Span::default(),
        });
        let mut body = Body::new();
        let mut b = Builder::new(&mut body);
        let call = |func| {
            Op::Call(CallAttr {
                func,
                extra: Vec::new(),
            })
        };
        let address = b.global(message);
        b.inst(call(complain), vec![address], &[]);
        b.inst(call(abort), vec![], &[]);
        b.ret(&[]);
        let function = &mut self.m.funcs[func];
        function.linkage = Linkage::Static;
        function.body = Some(body);
        func
    }

    pub(super) fn address_type(&mut self) -> CTy {
        let void = self.m.types.void();
        self.m.types.pointer(void)
    }

    pub(super) fn declare_external(&mut self, name: &str, ret: CTy, params: &[CTy]) -> Func {
        crate::known::external(self.m, name, ret, params)
    }
}

/// The results of calls that lead to numbers or pointers, through steps, casts and control flow: a header in front of an array says nothing of the array.
fn leading_to_data(module: &Module, body: &Body) -> BTreeSet<Value> {
    let types = &module.types;
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for (from, to) in flows(body) {
        sources.entry(to).or_default().push(from);
    }
    let mut work = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        match &data.op {
            Op::Load(_) if holds_more_than_integers(body.ty(data.results[0])) => {
                work.push(data.args[0]);
            }
            Op::Store(_) if holds_more_than_integers(body.ty(data.args[1])) => {
                work.push(data.args[0]);
            }
            Op::Addr(attr) => {
                let v = data.results[0];
                if holds_data(types, attr.pointee) {
                    work.push(v);
                }
                sources.entry(v).or_default().push(data.args[0]);
            }
            Op::Cast if body.ty(data.results[0]) == Type::Ptr => {
                let v = data.results[0];
                let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
                if pointee.is_some_and(|t| holds_data(types, t)) {
                    work.push(v);
                }
                sources.entry(v).or_default().push(data.args[0]);
            }
            Op::Select => {
                let list = sources.entry(data.results[0]).or_default();
                list.extend(&data.args[1..]);
            }
            _ => {}
        }
    });
    let mut seen = BTreeSet::new();
    while let Some(v) = work.pop() {
        if body.ty(v) == Type::Ptr && seen.insert(v) {
            work.extend(sources.get(&v).into_iter().flatten());
        }
    }
    seen.retain(|&v| {
        let made = body.def_inst(v).map(|i| &body.insts[i].op);
        matches!(made, Some(Op::Call(_)))
    });
    seen
}

fn holds_more_than_integers(ty: Type) -> bool {
    is_number(ty) || ty == Type::Ptr
}
