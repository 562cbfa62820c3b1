//! Functions that stand between a call of an entry point and the derivative: arguments in the order of the call, results in the declared type.

use super::specification::{Role, Specification, leaves};
use crate::{Activity, AdError, Split};
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{
    AddrAttr, Basic, Body, Builder, CTy, CTypeKind, CTypes, Func, Function, GlobalData, Init,
    Linkage, Module, Op, Span, Step, Type, Value,
};
use std::collections::BTreeMap;

/// Can a call become a call of the derivative itself?
pub(super) fn is_direct(spec: &Specification) -> bool {
    let mut expected = Vec::new();
    for (k, p) in spec.params.iter().enumerate() {
        expected.push(Role::Primal(k as u32));
        if p.activity.has_shadow() {
            expected.extend((0..spec.width).map(|lane| Role::Shadow(k as u32, lane)));
        }
    }
    let passed = spec.roles.iter().copied().filter(|r| *r != Role::Dropped);
    passed.eq(expected)
}

/// A function under construction.
struct Wrapper<'m> {
    module: &'m mut Module,
    spec: &'m Specification,
    ctype: CTy,
    names: Vec<Option<String>>,
    body: Body,
    arguments: BTreeMap<Role, Value>,
    span: Span,
}

/// The function alone, without a body and for all to see.
pub(super) fn declaration(
    module: &mut Module,
    spec: &Specification,
    symbol: &str,
) -> Result<Func, AdError> {
    let wrapper = Wrapper::new(module, spec)?;
    let function = Function {
        name: symbol.to_string(),
        ctype: wrapper.ctype,
        param_names: wrapper.names,
        linkage: Linkage::External,
        inline: false,
        noreturn: false,
        span: wrapper.span,
        body: None,
    };
    Ok(module.funcs.push(function))
}

impl<'m> Wrapper<'m> {
    fn new(module: &'m mut Module, spec: &'m Specification) -> Result<Self, AdError> {
        let function = module.funcs[spec.func].clone();
        let span = function.span;
        let mut types = Vec::new();
        let mut names = Vec::new();
        let mut roles = Vec::new();
        for &role in &spec.roles {
            let Some((t, name)) = parameter(module, &function, role) else {
                continue;
            };
            types.push(t);
            names.push(Some(name));
            roles.push(role);
        }
        let ctype = module.types.intern(CTypeKind::Function {
            ret: spec.result,
            params: types,
            variadic: false,
            prototyped: true,
        });
        let body = Body::with_params(&module.types, ctype, &names)
            .ok_or_else(|| AdError::new(span, "a parameter of this type"))?;
        let values = body.regions[body.entry].args.clone();
        Ok(Wrapper {
            arguments: roles.into_iter().zip(values).collect(),
            module,
            spec,
            ctype,
            names,
            body,
            span,
        })
    }

    fn b(&mut self) -> Builder<'_> {
        let mut builder = Builder::new(&mut self.body);
        builder.span = self.span;
        builder
    }

    /// The operands for the primal's parameters with their shadows.
    fn parameters(&mut self) -> Vec<Value> {
        let mut operands = Vec::new();
        for (k, p) in self.spec.params.clone().iter().enumerate() {
            let k = k as u32;
            operands.extend(self.arguments.get(&Role::Primal(k)));
            if !p.activity.has_shadow() {
                continue;
            }
            for lane in 0..self.spec.width {
                if !p.strided {
                    operands.extend(self.arguments.get(&Role::Shadow(k, lane)));
                    continue;
                }
                let base = self.arguments[&Role::Shadow(k, 0)];
                let stride = self.arguments[&Role::Stride(k)];
                operands.push(self.lane(base, stride, lane));
            }
        }
        operands
    }

    /// A shadow at a multiple of the stride.
    fn lane(&mut self, base: Value, stride: Value, lane: u32) -> Value {
        if lane == 0 {
            return base;
        }
        let bytes = self.module.types.basic(Basic::Char);
        let mut b = self.b();
        let n = b.int(Type::I64, lane.into());
        let offset = b.mul(stride, n);
        let attr = AddrAttr {
            pointee: bytes,
            steps: vec![Step::Index { stride: 1 }],
        };
        b.value(Op::Addr(attr), vec![base, offset], Type::Ptr)
    }

    /// Calls a function. The result: of a scalar its value, of an aggregate the address of the object.
    fn call(&mut self, func: Func, mut operands: Vec<Value>) -> Option<Value> {
        let signature = Signature::of(&self.module.types, self.module.funcs[func].ctype)?;
        if let Return::Aggregate(t) = signature.ret {
            let object = self.b().slot(t, Some("result"));
            operands.insert(0, object);
            self.b().call(&signature, func, operands, Vec::new());
            return Some(object);
        }
        self.b().call(&signature, func, operands, Vec::new())
    }

    /// The scalars of a value of a C type, in order: of an aggregate from memory.
    fn scalars(&mut self, t: CTy, v: Value) -> Vec<Value> {
        if !self.module.types.is_aggregate(t) {
            return vec![v];
        }
        let types = self.module.types.clone();
        let mut places = Vec::new();
        places_of(&types, &mut self.b(), t, v, &mut places);
        let mut values = Vec::new();
        for (address, leaf) in places {
            if let Some(ty) = Type::of_ctype(&types, leaf) {
                values.push(self.b().load(ty, address));
            }
        }
        values
    }

    /// Returns these values as the declared result. Each takes the next place of its kind; with `strict`, simply the next one.
    fn finish(mut self, values: &[Value], strict: bool, name: String) -> Result<Func, AdError> {
        let t = self.spec.result;
        if matches!(self.module.types.shape(t), CTypeKind::Void) {
            self.b().ret(&[]);
            return Ok(self.done(name));
        }
        let types = self.module.types.clone();
        let offered = leaves(&types, t);
        let mut places: Vec<Option<Value>> = vec![None; offered.len()];
        for &v in values {
            let ty = self.body.ty(v);
            let fits = |leaf: CTy| {
                Type::of_ctype(&types, leaf).is_some_and(|l| {
                    (l == Type::Ptr) == (ty == Type::Ptr) && l.is_int() == ty.is_int()
                })
            };
            let place =
                (0..offered.len()).find(|&k| places[k].is_none() && (strict || fits(offered[k])));
            if let Some(k) = place {
                places[k] = Some(v);
            }
        }
        if !types.is_aggregate(t) {
            let Some(ty) = Type::of_ctype(&types, t) else {
                return Err(AdError::new(self.span, "into a result of this type"));
            };
            let value = match places.first().copied().flatten() {
                Some(v) => self.cast(ty, v),
                None => self.b().zero_of(ty),
            };
            self.b().ret(&[value]);
            return Ok(self.done(name));
        }
        let bytes = types.size_of(t).unwrap_or(0);
        let object = self.b().slot(t, Some("result"));
        self.b().zero(object, bytes, Some(t));
        let mut addresses = Vec::new();
        places_of(&types, &mut self.b(), t, object, &mut addresses);
        for ((address, leaf), value) in addresses.into_iter().zip(places) {
            if let (Some(v), Some(ty)) = (value, Type::of_ctype(&types, leaf)) {
                let v = self.cast(ty, v);
                self.b().store(address, v);
            }
        }
        self.b().ret(&[object]);
        Ok(self.done(name))
    }

    fn cast(&mut self, ty: Type, v: Value) -> Value {
        if self.body.ty(v) == ty {
            v
        } else {
            self.b().cast(ty, v)
        }
    }

    fn done(self, name: String) -> Func {
        self.module.funcs.push(Function {
            name,
            ctype: self.ctype,
            param_names: self.names,
            linkage: Linkage::Static,
            inline: false,
            noreturn: false,
            span: self.span,
            body: Some(self.body),
        })
    }
}

/// The type and name of the parameter for a role; `None` for what is not passed.
fn parameter(module: &mut Module, function: &Function, role: Role) -> Option<(CTy, String)> {
    let (ret, params) = match module.types.shape(function.ctype) {
        CTypeKind::Function { ret, params, .. } => (*ret, params.clone()),
        _ => return None,
    };
    let types = &mut module.types;
    let named = |k: u32| {
        function
            .param_names
            .get(k as usize)
            .cloned()
            .flatten()
            .unwrap_or_else(|| format!("p{k}"))
    };
    Some(match role {
        Role::Dropped => return None,
        Role::Primal(k) => (*params.get(k as usize)?, named(k)),
        Role::Shadow(k, lane) => {
            let t = *params.get(k as usize)?;
            let t = match types.pointee(t).map(|e| types.unqualified(e)) {
                Some(e) => types.pointer(e),
                None => types.unqualified(t),
            };
            let number = match lane {
                0 => String::new(),
                n => format!("_{n}"),
            };
            (t, format!("{}_shadow{number}", named(k)))
        }
        Role::Stride(k) => (types.basic(Basic::Long), format!("{}_stride", named(k))),
        Role::Seed(lane) => {
            let number = match lane {
                0 => String::new(),
                n => format!("_{n}"),
            };
            (types.unqualified(ret), format!("seed{number}"))
        }
        Role::Tape => {
            let void = types.void();
            (types.pointer(void), "tape".to_string())
        }
        Role::Allocated => (types.basic(Basic::ULong), "allocated".to_string()),
    })
}

/// The addresses of an object's scalars, in order, with their types.
fn places_of(
    types: &CTypes,
    b: &mut Builder<'_>,
    t: CTy,
    base: Value,
    out: &mut Vec<(Value, CTy)>,
) {
    match &*types.memory_shape(t) {
        CTypeKind::Array {
            elem,
            len: Some(len),
        } => {
            let stride = types.size_of(*elem).unwrap_or(0);
            for k in 0..*len {
                let index = b.int(Type::I64, k.into());
                let element = b.element(base, *elem, stride, index);
                places_of(types, b, *elem, element, out);
            }
        }
        CTypeKind::Record(r) => {
            let record = &types.records[*r];
            let members = if record.is_union { 1 } else { usize::MAX };
            for (k, field) in record.fields.iter().flatten().enumerate().take(members) {
                let place = b.field(types, base, t, *r, k as u32);
                places_of(types, b, field.ty, place, out);
            }
        }
        CTypeKind::Void => {}
        _ => out.push((base, t)),
    }
}

/// The derivative with its arguments in another order, or with shadows at a stride.
pub(super) fn rearranged(
    module: &mut Module,
    spec: &Specification,
    inner: Func,
    name: String,
) -> Result<Func, AdError> {
    let mut wrapper = Wrapper::new(module, spec)?;
    let operands = wrapper.parameters();
    let result = wrapper.call(inner, operands);
    match result {
        Some(v) => {
            wrapper.b().ret(&[v]);
        }
        None => {
            wrapper.b().ret(&[]);
        }
    }
    Ok(wrapper.done(name))
}

/// The function itself, for one set of arguments after the other.
pub(super) fn batch(
    module: &mut Module,
    spec: &Specification,
    func: Func,
    name: String,
) -> Result<Func, AdError> {
    let mut wrapper = Wrapper::new(module, spec)?;
    let ret = match wrapper.module.types.shape(wrapper.module.funcs[func].ctype) {
        CTypeKind::Function { ret, .. } => *ret,
        _ => return Err(AdError::new(wrapper.span, "what is not a function")),
    };
    let mut values = Vec::new();
    for lane in 0..spec.width {
        let argument = |k: u32| {
            let own = wrapper.arguments.get(&Role::Shadow(k, lane));
            own.or_else(|| wrapper.arguments.get(&Role::Primal(k)))
                .copied()
        };
        let operands = (0..spec.params.len() as u32).filter_map(argument).collect();
        if let Some(v) = wrapper.call(func, operands) {
            values.extend(wrapper.scalars(ret, v));
        }
    }
    wrapper.finish(&values, true, name)
}

/// The bytes that the caller must provide for a tape: those of a pointer to it.
pub(super) fn tape_size(
    module: &mut Module,
    spec: &Specification,
    name: String,
) -> Result<Func, AdError> {
    let mut wrapper = Wrapper::new(module, spec)?;
    let size = wrapper.b().int(Type::U64, 8);
    wrapper.finish(&[size], true, name)
}

/// The forward sweep. The tape goes into the caller's memory, or is returned.
pub(super) fn augmented(
    module: &mut Module,
    spec: &Specification,
    split: Split,
    name: String,
) -> Result<Func, AdError> {
    let primal = module.funcs[spec.func].clone();
    let void = module.types.void();
    let address = module.types.pointer(void);
    let offered = leaves(&module.types, spec.result);
    let pointers = |t: &&CTy| module.types.pointee(**t).is_some();
    if !spec.caller_tape && offered.iter().find(pointers).is_none() {
        return Err(AdError::new(
            primal.span,
            format!(
                "'{}' by halves: the declared result of the forward sweep has no place for the tape",
                primal.name
            ),
        ));
    }
    let count = |m: &Module, f: Func| match m.types.shape(m.funcs[f].ctype) {
        CTypeKind::Function { params, .. } => params.len(),
        _ => 0,
    };
    let expected = count(module, split.augmented);
    let mut wrapper = Wrapper::new(module, spec)?;
    let mut operands = wrapper.parameters();
    let tape = wrapper.b().slot(address, Some("tape"));
    operands.push(tape);
    let shadow = (operands.len() < expected).then(|| {
        let slot = wrapper.b().slot(address, Some("result_shadow"));
        operands.push(slot);
        slot
    });
    let result = wrapper.call(split.augmented, operands);
    let made = wrapper.b().load(Type::Ptr, tape);
    let mut values = Vec::new();
    match wrapper.arguments.get(&Role::Tape).copied() {
        Some(memory) => drop(wrapper.b().store(memory, made)),
        None => values.push(made),
    }
    if let (Some(v), CTypeKind::Function { ret, .. }) =
        (result, wrapper.module.types.shape(primal.ctype).clone())
    {
        values.extend(wrapper.scalars(ret, v));
    }
    if let Some(slot) = shadow {
        let v = wrapper.b().load(Type::Ptr, slot);
        values.push(v);
    }
    wrapper.finish(&values, false, name)
}

/// The reverse sweep.
pub(super) fn reverse(
    module: &mut Module,
    spec: &Specification,
    split: Split,
    name: String,
) -> Result<Func, AdError> {
    let primal = module.funcs[spec.func].clone();
    let CTypeKind::Function { ret, params, .. } = module.types.shape(primal.ctype).clone() else {
        return Err(AdError::new(primal.span, "what is not a function"));
    };
    let mut wrapper = Wrapper::new(module, spec)?;
    let mut operands = wrapper.parameters();
    let (numbers, pointers) = super::contents(&wrapper.module.types, ret);
    if spec.active_return && numbers && !pointers {
        for lane in 0..spec.width {
            let seed = match wrapper.arguments.get(&Role::Seed(lane)).copied() {
                Some(v) => v,
                None => wrapper.one(ret)?,
            };
            operands.push(seed);
        }
    }
    let mut adjoints = Vec::new();
    for (k, (&t, p)) in params.iter().zip(&spec.params).enumerate() {
        if p.activity != Activity::Out {
            continue;
        }
        let t = wrapper.module.types.unqualified(t);
        let bytes = wrapper.module.types.size_of(t).unwrap_or(0);
        let named = primal.param_names.get(k).cloned().flatten();
        let label = format!("{}_bar", named.unwrap_or_else(|| format!("p{k}")));
        for _ in 0..spec.width {
            let slot = wrapper.b().slot(t, Some(&label));
            match Type::of_ctype(&wrapper.module.types, t) {
                Some(ty) => {
                    let zero = wrapper.b().zero_of(ty);
                    wrapper.b().store(slot, zero);
                }
                None => drop(wrapper.b().zero(slot, bytes, Some(t))),
            }
            operands.push(slot);
            adjoints.push((t, slot));
        }
    }
    let tape = wrapper.arguments[&Role::Tape];
    let tape = if spec.caller_tape {
        wrapper.b().load(Type::Ptr, tape)
    } else {
        tape
    };
    operands.push(tape);
    wrapper.call(split.reverse, operands);
    let mut values = Vec::new();
    for (t, slot) in adjoints {
        match Type::of_ctype(&wrapper.module.types, t) {
            Some(ty) => values.push(wrapper.b().load(ty, slot)),
            None => values.extend(wrapper.scalars(t, slot)),
        }
    }
    wrapper.finish(&values, true, name)
}

impl Wrapper<'_> {
    fn one(&mut self, t: CTy) -> Result<Value, AdError> {
        let Some(ty) = Type::of_ctype(&self.module.types, t) else {
            return Err(AdError::new(self.span, "a result that is not a number"));
        };
        let real = self.b().float(ty.part().unwrap_or(ty), 1.0);
        Ok(self.cast(ty, real))
    }
}

/// The shadow of a function pointer. Calls through pointers look at the primal pointer, so that this one is only passed along; it points to an
/// object of its own.
pub(super) fn shadow(
    module: &mut Module,
    spec: &Specification,
    name: String,
) -> Result<Func, AdError> {
    let span = module.funcs[spec.func].span;
    let void = module.types.void();
    let address = module.types.pointer(void);
    let ctype = module.types.array(address, Some(2));
    let global = module.globals.push(GlobalData {
        name: format!("{name}_functions"),
        ctype,
        linkage: Linkage::Static,
        owner: None,
        init: Some(Init::default()),
        thread_local: false,
        align: 0,
        span,
    });
    let mut wrapper = Wrapper::new(module, spec)?;
    let object = wrapper.b().global(global);
    wrapper.finish(&[object], true, name)
}
