//! Reverse mode.
//!
//! The derivative is one body: the forward sweep F (the primal with shadow pointers beside pointers, and what must be remembered), then the reverse sweep R, which
//! mirrors the region tree backwards. Adjoints of values are values; a mirrored loop carries those of what its body uses from outside. How the
//! reverse sweep gets at values of the forward sweep is the business of `needed`.

mod caches;
mod calls;
mod exits;
mod memory;
mod mirror;
mod needed;
mod partials;
mod support;
mod sweep;

use crate::activity::{self, Facts, is_number};
use crate::{Activity, AdError, Request};
use adjoin_ir::signature::Signature;
use adjoin_ir::{
    Body, Builder, CTy, CTypeKind, CallAttr, Const, Func, Function, Inst, Linkage, Module, Op,
    Region, Span, Type, Value,
};
use exits::Exits;
use needed::Key;
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Result<T> = std::result::Result<T, AdError>;

/// Instructions go in at a position, one after the other: the position moves along as the list grows.
#[derive(Clone, Copy)]
struct Insertion {
    start: usize,
    length: usize,
}

/// The state of one differentiation.
pub(super) struct Reverse<'m> {
    m: &'m mut Module,
    /// The primal, and what is known of it.
    p: Body,
    facts: Facts,
    exits: Exits,
    /// The derivative, and where the next instruction goes: into a region, at its end or at a position.
    d: Body,
    at: Region,
    position: Option<Insertion>,
    span: Span,
    /// Values of the primal in F, and shadows of its pointers.
    f: HashMap<Value, Value>,
    s: HashMap<Value, Value>,
    /// Instructions with regions in F.
    targets: HashMap<Inst, Inst>,
    /// F is inside a `block`, since the primal returns from several places.
    wrapped: Option<Inst>,
    return_code: Option<Value>,
    /// Counters and exit codes in memory, at the entry.
    cells: BTreeMap<Key, Value>,
    caches: caches::Caches,
    pushed: BTreeSet<Key>,
    /// How far the values that open a region reach in its list.
    headers: HashMap<Region, usize>,
    /// What R knows already, by the region where it became known.
    memo: Vec<(Region, HashMap<Key, Value>)>,
    /// The regions of R that mirror a region of the primal, innermost last.
    mirrors: HashMap<Region, Vec<Region>>,
    adjoints: HashMap<Value, Value>,
    contexts: HashMap<Inst, mirror::Context>,
    seed: Option<Value>,
    runtime: support::Runtime,
    shadow_globals: BTreeMap<adjoin_ir::Global, adjoin_ir::Global>,
    /// Memory that a loaded value was read from and that nothing in F writes.
    stable: needed::Stable,
}

/// Makes the derivative of a prepared body.
pub(super) fn differentiate(m: &mut Module, request: &Request, p: Body) -> Result<Func> {
    let facts = activity::analyse(m, &p, request)?;
    let runtime = support::Runtime::declare(m);
    let function = m.funcs[request.func].clone();
    let (ctype, names, result) = signature(m, request, &function, &p)?;
    let d = Body::with_params(&m.types, ctype, &names).ok_or_else(|| {
        AdError::new(
            function.span,
            format!("'{}': a parameter has no value type", function.name),
        )
    })?;
    let entry = d.entry;
    let exits = Exits::of(&p);
    let stable = needed::Stable::of(m, &p);
    let mut reverse = Reverse {
        facts,
        exits,
        at: entry,
        position: None,
        span: function.span,
        f: HashMap::new(),
        s: HashMap::new(),
        targets: HashMap::new(),
        wrapped: None,
        return_code: None,
        cells: BTreeMap::new(),
        caches: caches::Caches::default(),
        pushed: BTreeSet::new(),
        headers: HashMap::from([(entry, 0)]),
        memo: Vec::new(),
        mirrors: HashMap::new(),
        adjoints: HashMap::new(),
        contexts: HashMap::new(),
        seed: None,
        runtime,
        shadow_globals: BTreeMap::new(),
        stable,
        m,
        p,
        d,
    };
    reverse.run(request, result)?;
    let body = reverse.d;
    let m = reverse.m;
    Ok(m.funcs.push(Function {
        name: request.name.clone(),
        ctype,
        param_names: names,
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span: function.span,
        body: Some(body),
    }))
}

type Signed = (CTy, Vec<Option<String>>, Option<CTy>);

/// The C type of the derivative, its parameters' names, and what it returns.
fn signature(m: &mut Module, request: &Request, function: &Function, p: &Body) -> Result<Signed> {
    let CTypeKind::Function { ret, params, .. } = m.types.shape(function.ctype).clone() else {
        return Err(AdError::new(function.span, "what is not a function"));
    };
    let mut all = Vec::new();
    let mut names = Vec::new();
    let mut outs = Vec::new();
    for (k, &t) in params.iter().enumerate() {
        let name = function.param_names.get(k).cloned().flatten();
        all.push(t);
        names.push(name.clone());
        match request.params.get(k) {
            Some(a) if a.has_shadow() => {
                // The shadow is written, whatever the primal promises.
                let pointee = m.types.pointee(t).map(|e| m.types.unqualified(e));
                all.push(match pointee {
                    Some(e) => m.types.pointer(e),
                    None => t,
                });
                names.push(Some(format!(
                    "{}_bar",
                    name.unwrap_or_else(|| format!("p{k}"))
                )));
            }
            Some(Activity::Out) => outs.push(m.types.unqualified(t)),
            _ => {}
        }
    }
    let returns_number = Type::of_ctype(&m.types, ret).is_some_and(is_number);
    if request.seed_argument && returns_number {
        all.push(m.types.unqualified(ret));
        names.push(Some(format!("{}_bar", function.name)));
    }
    let _ = p;
    let result = match (request.result, &outs[..]) {
        (Some(t), _) => (!matches!(m.types.shape(t), CTypeKind::Void)).then_some(t),
        (None, []) => None,
        (None, [one]) => Some(*one),
        (None, _) => {
            return Err(AdError::new(
                function.span,
                "several numbers by value without a struct to return their derivatives in",
            ));
        }
    };
    let ret = match result {
        Some(t) => t,
        None => m.types.void(),
    };
    let ctype = m.types.intern(CTypeKind::Function {
        ret,
        params: all,
        variadic: false,
        prototyped: true,
    });
    Ok((ctype, names, result))
}

impl Reverse<'_> {
    fn run(&mut self, request: &Request, result: Option<CTy>) -> Result<()> {
        self.bind_parameters(request);
        self.zero_shadow_globals();
        let returned = self.forward_sweep()?;
        // R is a region of its own; the values of F at top level are visible in it.
        let outs: Vec<Value> = self.p.regions[self.p.entry]
            .args
            .iter()
            .zip(&request.params)
            .filter(|(_, a)| **a == Activity::Out)
            .map(|(&v, _)| v)
            .collect();
        let types: Vec<Type> = outs.iter().map(|&v| self.p.ty(v)).collect();
        let (block, region) = self.b().block(&types);
        if request.active_return
            && let Some(ty) = returned.filter(|&t| is_number(t))
            && self.seed.is_none()
        {
            let one = self.inside(region, |me| {
                let real = me.b().float(ty.part().unwrap_or(ty), 1.0);
                Ok(me.cast(ty, real))
            })?;
            self.seed = Some(one);
        }
        if !request.active_return {
            self.seed = None;
        }
        // What was made at the start of R stays in front of what opens it later.
        let made = self.d.regions[region].insts.len();
        self.headers.insert(region, made);
        self.mirrors.insert(self.p.entry, vec![region]);
        self.memo.push((region, HashMap::new()));
        self.inside(region, |me| {
            let list = me.p.regions[me.p.entry].insts.clone();
            me.mirror_list(&list)?;
            let values: Vec<Value> = outs.iter().map(|&v| me.adjoint(v)).collect();
            me.b().yield_(&values);
            Ok(())
        })?;
        self.memo.pop();
        self.push_needed();
        self.release_caches();
        let gradients = self.d.insts[block].results.clone();
        self.finish(gradients, result)
    }

    fn bind_parameters(&mut self, request: &Request) {
        let arguments = self.d.regions[self.d.entry].args.clone();
        let mut next = arguments.into_iter();
        let params = self.p.regions[self.p.entry].args.clone();
        for (k, v) in params.into_iter().enumerate() {
            if let Some(a) = next.next() {
                self.f.insert(v, a);
            }
            if request.params.get(k).is_some_and(|a| a.has_shadow())
                && let Some(a) = next.next()
            {
                self.s.insert(v, a);
            }
        }
        if request.seed_argument {
            self.seed = next.next();
        }
    }

    /// Returns the derivatives of the numbers by value.
    fn finish(&mut self, gradients: Vec<Value>, result: Option<CTy>) -> Result<()> {
        let Some(t) = result else {
            self.b().ret(&[]);
            return Ok(());
        };
        if let Some(record) = self.m.types.record(t) {
            let slot = self.b().slot(t, Some("gradient"));
            let fields = self.m.types.records[record]
                .fields
                .clone()
                .unwrap_or_default();
            if fields.len() < gradients.len() {
                return Err(AdError::new(
                    self.span,
                    format!(
                        "into a struct of {} members: there are {} derivatives",
                        fields.len(),
                        gradients.len()
                    ),
                ));
            }
            for (k, &g) in gradients.iter().enumerate() {
                let Some(ty) = Type::of_ctype(&self.m.types, fields[k].ty) else {
                    return Err(AdError::new(
                        self.span,
                        "into a struct whose members are not numbers",
                    ));
                };
                let types = self.m.types.clone();
                let address = self.b().field(&types, slot, t, record, k as u32);
                let g = self.cast(ty, g);
                self.b().store(address, g);
            }
            self.b().ret(&[slot]);
            return Ok(());
        }
        let ty = Type::of_ctype(&self.m.types, t)
            .ok_or_else(|| AdError::new(self.span, "into a result of this type"))?;
        let value = match gradients.first() {
            Some(&g) => self.cast(ty, g),
            None => self.zero(ty),
        };
        self.b().ret(&[value]);
        Ok(())
    }

    // ---- making instructions ----

    /// A builder at the current place.
    fn b(&mut self) -> Builder<'_> {
        let length = self.d.regions[self.at].insts.len();
        let mut builder = Builder::at_end(&mut self.d, self.at);
        builder.cursor.before = self.position.map(|p| p.start + length - p.length);
        builder.span = self.span;
        builder
    }

    /// Runs `fill` with the end of a region as the current place.
    fn inside<T>(
        &mut self,
        region: Region,
        fill: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let old = (
            std::mem::replace(&mut self.at, region),
            self.position.take(),
        );
        let result = fill(self);
        (self.at, self.position) = old;
        result
    }

    /// Runs `fill` with a position of a region as the current place.
    fn at_position<T>(
        &mut self,
        region: Region,
        start: usize,
        fill: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let length = self.d.regions[region].insts.len();
        let here = Insertion { start, length };
        let old = (
            std::mem::replace(&mut self.at, region),
            self.position.replace(here),
        );
        let result = fill(self);
        (self.at, self.position) = old;
        if let (Some(p), true) = (&mut self.position, self.at == region) {
            // The list grew before or at the place that we come back to.
            let added = self.d.regions[region].insts.len() - length;
            p.start += added;
            p.length += added;
        }
        result
    }

    /// Runs `fill` with the end of what opens a region as the current place.
    fn in_header<T>(&mut self, region: Region, fill: impl FnOnce(&mut Self) -> T) -> T {
        let start = self.headers.get(&region).copied().unwrap_or(0);
        let before = self.d.regions[region].insts.len();
        let result = self.at_position(region, start, fill);
        let added = self.d.regions[region].insts.len() - before;
        self.headers.insert(region, start + added);
        result
    }

    fn cast(&mut self, ty: Type, v: Value) -> Value {
        if self.d.ty(v) == ty {
            v
        } else {
            self.b().cast(ty, v)
        }
    }

    fn zero(&mut self, ty: Type) -> Value {
        self.b().zero_of(ty)
    }

    fn int(&mut self, n: i128) -> Value {
        self.b().constant(Type::I64, Const::Int(n))
    }

    fn call(&mut self, func: Func, args: Vec<Value>) -> Option<Value> {
        let signature = Signature::of(&self.m.types, self.m.funcs[func].ctype)?;
        let result = signature.result();
        let inst = self.b().inst(
            Op::Call(CallAttr {
                func,
                extra: Vec::new(),
            }),
            args,
            result.as_slice(),
        );
        result.map(|_| self.d.result(inst))
    }

    fn error<T>(&self, inst: Inst, what: impl Into<String>) -> Result<T> {
        Err(AdError::new(self.p.insts[inst].span, what))
    }
}
