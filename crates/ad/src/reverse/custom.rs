//! Calls of functions with custom gradients.
//!
//! They are split calls like others, whose two functions are not made from the function's body: the augmented one calls what the user gave for the forward sweep and
//! keeps the arguments on the tape, the reverse one calls the user's gradient with them.
//!
//! The user's forward function takes each argument, pointers followed by their shadows, and returns nothing, the tape, the primal result, or a struct
//! of them in this order (tape, result, shadow of the result). The gradient takes the same arguments, then the seed of the result if it is a number, then the tape
//! if there is one, and returns the adjoints of the numbers by value: one by itself, several in a struct.

use super::pairs::{Pair, PairKey, unused_name};
use super::{Result, Reverse, support};
use crate::activity::{Param, is_number};
use crate::entry::leaves;
use crate::{AdError, Gradient};
use adjoin_ir::ctype::{Field, Record, RecordData, TagScope};
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{Body, Builder, CTy, CTypeKind, Func, Inst, Module, Span, Type, Value};

impl Reverse<'_> {
    /// F of a call of a function with a custom gradient.
    pub(super) fn sweep_custom(&mut self, inst: Inst, _gradient: Gradient) -> Result<()> {
        self.sweep_split(inst)
    }

    /// R of a call of a function with a custom gradient.
    pub(super) fn mirror_custom(&mut self, inst: Inst, _gradient: Gradient) -> Result<()> {
        self.mirror_split(inst)
    }
}

/// What the user's two functions take and return.
struct Shape {
    params: Vec<CTy>,
    ret: CTy,
    /// The type of the tape, if the gradient takes one.
    tape: Option<CTy>,
    /// The gradient takes a seed.
    seed: bool,
    /// What the forward function returns.
    forward: Forward,
}

/// What the user's forward function returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forward {
    Nothing,
    Tape,
    Primal,
    /// A struct with tape, primal result and shadow of the result, as far as they are there.
    All {
        record: Record,
        tape: Option<u32>,
        primal: Option<u32>,
        shadow: Option<u32>,
    },
}

fn function_type(m: &Module, func: Func) -> Option<(CTy, Vec<CTy>)> {
    match m.types.shape(m.funcs[func].ctype) {
        CTypeKind::Function { ret, params, .. } => Some((*ret, params.clone())),
        _ => None,
    }
}

fn shape(m: &Module, func: Func, gradient: Gradient) -> Result<Shape> {
    let name = &m.funcs[func].name;
    let span = m.funcs[gradient.reverse].span;
    let fail = |what: String| Err(AdError::new(span, format!("'{name}': {what}")));
    let types = &m.types;
    let (Some((ret, params)), Some((forward_ret, forward_params)), Some((_, reverse_params))) = (
        function_type(m, func),
        function_type(m, gradient.augmented),
        function_type(m, gradient.reverse),
    ) else {
        return fail("its custom gradient is not a function".to_string());
    };
    if params.iter().any(|&t| types.is_aggregate(t)) || types.is_aggregate(ret) {
        return fail("a custom gradient of a function with structs by value: not yet".to_string());
    }
    let arguments: usize = params
        .iter()
        .map(|&t| 1 + usize::from(types.pointee(t).is_some()))
        .sum();
    if forward_params.len() != arguments {
        let given = &m.funcs[gradient.augmented].name;
        return Err(AdError::new(
            m.funcs[gradient.augmented].span,
            format!(
                "'{name}': its forward function '{given}' must have {arguments} parameters: those of '{name}', pointers followed by their shadows"
            ),
        ));
    }
    let is_void = |t: CTy| matches!(types.shape(t), CTypeKind::Void);
    let seed = Type::of_ctype(types, ret).is_some_and(is_number);
    let without_tape = arguments + usize::from(seed);
    let tape = match reverse_params.len() {
        n if n == without_tape => None,
        n if n == without_tape + 1 => reverse_params.last().copied(),
        n => {
            let given = &m.funcs[gradient.reverse].name;
            return fail(format!(
                "its gradient '{given}' has {n} parameters, not {without_tape} (or one more for the tape): those of '{name}', pointers followed by their shadows{}",
                if seed {
                    ", and the adjoint of the result"
                } else {
                    ""
                }
            ));
        }
    };
    let forward = if is_void(forward_ret) {
        Forward::Nothing
    } else if let Some(record) = types.record(forward_ret) {
        let fields = types.records[record].fields.clone().unwrap_or_default();
        let is_pointer = |k: usize| fields.get(k).is_some_and(|f| types.pointee(f.ty).is_some());
        let tape_first = tape.is_some() || is_pointer(0) && !is_void(ret) && fields.len() > 1;
        let at = u32::from(tape_first);
        Forward::All {
            record,
            tape: tape_first.then_some(0),
            primal: (!is_void(ret) && fields.len() > at as usize).then_some(at),
            shadow: (types.pointee(ret).is_some() && fields.len() > at as usize + 1)
                .then_some(at + 1),
        }
    } else if tape.is_some() || is_void(ret) {
        Forward::Tape
    } else {
        Forward::Primal
    };
    Ok(Shape {
        params,
        ret,
        tape,
        seed,
        forward,
    })
}

/// Fills the two functions of a pair for a function with a custom gradient.
pub(super) fn generate(
    m: &mut Module,
    key: &PairKey,
    pair: &Pair,
    gradient: Gradient,
) -> Result<CTy> {
    let shape = shape(m, key.func, gradient)?;
    let name = m.funcs[key.func].name.clone();
    let record = tape_record(m, key, &shape, &name);
    let tape = m.types.intern(CTypeKind::Record(record));
    let forward = augmented(m, key, pair, gradient, &shape, record, tape)?;
    let backward = reverse(m, key, pair, gradient, &shape, record, tape)?;
    m.funcs[pair.split.augmented].body = Some(forward);
    m.funcs[pair.split.reverse].body = Some(backward);
    Ok(tape)
}

/// The tape: the arguments, the shadows that there are, and the user's tape.
fn tape_record(m: &mut Module, key: &PairKey, shape: &Shape, name: &str) -> Record {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let mut members = Vec::new();
    for (k, &t) in shape.params.iter().enumerate() {
        members.push((format!("argument_{k}"), m.types.unqualified(t)));
        if key.params.get(k).is_some_and(|p| p.has_shadow()) {
            members.push((format!("shadow_{k}"), address));
        }
    }
    if let Some(t) = shape.tape {
        members.push(("tape".to_string(), m.types.unqualified(t)));
    }
    let mut fields = Vec::new();
    let (mut offset, mut align) = (0u64, 1u64);
    for (member, ty) in members {
        let a = m.types.align_of(ty).max(1);
        align = align.max(a);
        offset = offset.next_multiple_of(a);
        fields.push(Field {
            name: Some(member),
            ty,
            offset,
            bits: None,
        });
        offset += m.types.size_of(ty).unwrap_or(0);
    }
    let tag = unused_name(m, &format!("{name}_tape"));
    m.types.records.push(RecordData {
        is_union: false,
        tag: Some(tag),
        scope: TagScope::File,
        typedef_name: None,
        fields: Some(fields),
        size: offset.next_multiple_of(align).max(1),
        align,
        packed: false,
    })
}

fn start(m: &Module, func: Func) -> Result<(Body, Span)> {
    let function = &m.funcs[func];
    match Body::with_params(&m.types, function.ctype, &function.param_names) {
        Some(body) => Ok((body, function.span)),
        None => Err(AdError::new(function.span, "a parameter of this type")),
    }
}

/// Calls a function; an aggregate result is the address of an object.
fn call(m: &Module, b: &mut Builder<'_>, func: Func, mut args: Vec<Value>) -> Option<Value> {
    let signature = Signature::of(&m.types, m.funcs[func].ctype)?;
    if let Return::Aggregate(t) = signature.ret {
        let object = b.slot(t, Some("returned"));
        args.insert(0, object);
        b.call(&signature, func, args, Vec::new());
        return Some(object);
    }
    b.call(&signature, func, args, Vec::new())
}

/// Stores a value of a C type; an aggregate is given by its address.
fn put(m: &Module, b: &mut Builder<'_>, t: CTy, to: Value, v: Value) {
    if m.types.is_aggregate(t) {
        b.copy(to, v, m.types.size_of(t).unwrap_or(0), Some(t));
    } else {
        b.store(to, v);
    }
}

/// Reads a value of a C type; an aggregate is its address.
fn get(m: &Module, b: &mut Builder<'_>, t: CTy, from: Value) -> Value {
    match Type::of_ctype(&m.types, t) {
        Some(ty) => b.load(ty, from),
        None => from,
    }
}

fn augmented(
    m: &mut Module,
    key: &PairKey,
    pair: &Pair,
    gradient: Gradient,
    shape: &Shape,
    record: Record,
    tape: CTy,
) -> Result<Body> {
    let runtime = support::Runtime::declare(m);
    let pointer_to_tape = m.types.pointer(tape);
    let (mut body, span) = start(m, pair.split.augmented)?;
    let mut arguments = body.regions[body.entry].args.clone().into_iter();
    let mut b = Builder::new(&mut body);
    b.span = span;
    let mut args = Vec::new();
    let mut kept = Vec::new();
    for (k, &t) in shape.params.iter().enumerate() {
        let Some(v) = arguments.next() else { continue };
        args.push(v);
        kept.push((m.types.unqualified(t), v));
        if key.params.get(k).is_some_and(|p| p.has_shadow()) {
            let Some(s) = arguments.next() else { continue };
            args.push(s);
            kept.push((t, s));
        } else if m.types.pointee(t).is_some() {
            args.push(b.null());
        }
    }
    if pair.frees {
        arguments.next();
    }
    let place = arguments.next();
    let result_bar = arguments.next();
    let is_void = matches!(m.types.shape(shape.ret), CTypeKind::Void);
    // A forward function without the result leaves the primal to us; that may only be called as well if it writes nothing.
    let lacks_primal = match shape.forward {
        Forward::Nothing | Forward::Tape => !is_void,
        Forward::All { primal, .. } => !is_void && primal.is_none(),
        Forward::Primal => false,
    };
    let primal_args: Vec<Value> = kept_arguments(m, key, shape, &kept);
    let mut primal = None;
    if lacks_primal {
        if shape.params.iter().any(|&t| m.types.pointee(t).is_some()) {
            return Err(AdError::new(
                m.funcs[gradient.augmented].span,
                format!(
                    "'{}': its forward function '{}' does not return the result",
                    m.funcs[key.func].name, m.funcs[gradient.augmented].name
                ),
            ));
        }
        primal = call(m, &mut b, key.func, primal_args);
    }
    let returned = call(m, &mut b, gradient.augmented, args);
    let mut user_tape = None;
    let mut shadow = None;
    if let Some(v) = returned {
        match shape.forward {
            Forward::Nothing => {}
            Forward::Tape => user_tape = Some(v),
            Forward::Primal => primal = Some(v),
            Forward::All {
                record: returned,
                tape,
                primal: result,
                shadow: result_shadow,
            } => {
                let t = m.types.intern(CTypeKind::Record(returned));
                let mut member = |k: u32| {
                    let address = b.field(&m.types, v, t, returned, k);
                    let ty = m.types.records[returned].fields.as_ref()?[k as usize].ty;
                    Some(get(m, &mut b, ty, address))
                };
                user_tape = tape.and_then(&mut member);
                if let Some(k) = result {
                    primal = member(k);
                }
                shadow = result_shadow.and_then(&mut member);
            }
        }
    }
    let size = m.types.size_of(tape).unwrap_or(0);
    let bytes = b.int(Type::U64, size.into());
    let object = call(m, &mut b, runtime.calloc, vec![bytes]);
    if let (Some(object), Some(place)) = (object, place) {
        b.set_name(object, "t");
        b.set_ctype(object, pointer_to_tape);
        if let (Some(_), Some(v)) = (shape.tape, user_tape) {
            kept.push((shape.tape.unwrap_or(shape.ret), v));
        }
        for (k, (t, v)) in kept.into_iter().enumerate() {
            let address = b.field(&m.types, object, tape, record, k as u32);
            put(m, &mut b, t, address, v);
        }
        b.store(place, object);
    }
    if let Some(place) = result_bar {
        let s = match shadow {
            Some(s) => s,
            None => b.null(),
        };
        b.store(place, s);
    }
    if is_void {
        b.ret(&[]);
        return Ok(body);
    }
    let Some(ty) = Type::of_ctype(&m.types, shape.ret) else {
        return Err(AdError::new(span, "a result of this type"));
    };
    let v = match primal {
        Some(v) if b.body.ty(v) == ty => v,
        Some(v) => b.cast(ty, v),
        None => b.zero_of(ty),
    };
    b.ret(&[v]);
    Ok(body)
}

/// The arguments without their shadows.
fn kept_arguments(m: &Module, key: &PairKey, shape: &Shape, kept: &[(CTy, Value)]) -> Vec<Value> {
    let _ = m;
    let mut at = 0;
    let mut args = Vec::new();
    for k in 0..shape.params.len() {
        args.extend(kept.get(at).map(|&(_, v)| v));
        at += 1 + usize::from(key.params.get(k).is_some_and(|p| p.has_shadow()));
    }
    args
}

fn reverse(
    m: &mut Module,
    key: &PairKey,
    pair: &Pair,
    gradient: Gradient,
    shape: &Shape,
    record: Record,
    tape: CTy,
) -> Result<Body> {
    let runtime = support::Runtime::declare(m);
    let pointer_to_tape = m.types.pointer(tape);
    let (mut body, span) = start(m, pair.split.reverse)?;
    let all = body.regions[body.entry].args.clone();
    // What the user's own call passes along comes first.
    let outs: Vec<usize> = (0..shape.params.len())
        .filter(|&k| key.params.get(k) == Some(&Param::Out))
        .collect();
    let seeded = key.active_result && shape.seed;
    let own = outs.len() + usize::from(seeded) + 1;
    let mut arguments = all[all.len().saturating_sub(own)..].iter().copied();
    let mut b = Builder::new(&mut body);
    b.span = span;
    let seed = if seeded { arguments.next() } else { None };
    let places: Vec<Value> = arguments.by_ref().take(outs.len()).collect();
    let Some(object) = arguments.next() else {
        return Err(AdError::new(span, "a reverse function without a tape"));
    };
    let object = b.cast(Type::Ptr, object);
    b.set_name(object, "t");
    b.set_ctype(object, pointer_to_tape);
    let mut next = 0;
    let mut args = Vec::new();
    let mut member = |b: &mut Builder<'_>, t: CTy| {
        let address = b.field(&m.types, object, tape, record, next);
        next += 1;
        get(m, b, t, address)
    };
    for (k, &t) in shape.params.iter().enumerate() {
        args.push(member(&mut b, t));
        if key.params.get(k).is_some_and(|p| p.has_shadow()) {
            args.push(member(&mut b, t));
        } else if m.types.pointee(t).is_some() {
            args.push(b.null());
        }
    }
    if shape.seed {
        let ty = Type::of_ctype(&m.types, shape.ret).unwrap_or(Type::F64);
        args.push(match seed {
            Some(v) => v,
            None => b.zero_of(ty),
        });
    }
    if let Some(t) = shape.tape {
        args.push(member(&mut b, t));
    }
    let returned = call(m, &mut b, gradient.reverse, args);
    let (ret, _) = function_type(m, gradient.reverse).unwrap_or((shape.ret, Vec::new()));
    let adjoints = match returned {
        Some(v) => scalars(m, &mut b, ret, v),
        None => Vec::new(),
    };
    // One for each number by value, whether it is active here or not.
    let numbers: Vec<usize> = (0..shape.params.len())
        .filter(|&k| Type::of_ctype(&m.types, shape.params[k]).is_some_and(is_number))
        .collect();
    if adjoints.len() < numbers.len() && !outs.is_empty() {
        return Err(AdError::new(
            m.funcs[gradient.reverse].span,
            format!(
                "'{}': its gradient '{}' must return the adjoints of its {} numbers by value",
                m.funcs[key.func].name,
                m.funcs[gradient.reverse].name,
                numbers.len()
            ),
        ));
    }
    for (place, k) in places.into_iter().zip(outs) {
        let Some(at) = numbers.iter().position(|&n| n == k) else {
            continue;
        };
        let ty = Type::of_ctype(&m.types, shape.params[k]).unwrap_or(Type::F64);
        let adjoint = match b.body.ty(adjoints[at]) {
            t if t == ty => adjoints[at],
            _ => b.cast(ty, adjoints[at]),
        };
        let old = b.load(ty, place);
        let sum = b.add(old, adjoint);
        b.store(place, sum);
    }
    call(m, &mut b, runtime.free, vec![object]);
    b.ret(&[]);
    Ok(body)
}

/// The scalars of a value, in order.
fn scalars(m: &Module, b: &mut Builder<'_>, t: CTy, v: Value) -> Vec<Value> {
    if !m.types.is_aggregate(t) {
        return vec![v];
    }
    let mut list = Vec::new();
    collect(m, b, t, v, &mut list);
    debug_assert_eq!(list.len(), leaves(&m.types, t).len());
    list
}

fn collect(m: &Module, b: &mut Builder<'_>, t: CTy, at: Value, list: &mut Vec<Value>) {
    match &*m.types.memory_shape(t) {
        CTypeKind::Record(r) => {
            let fields = m.types.records[*r].fields.clone().unwrap_or_default();
            for (k, field) in fields.iter().enumerate() {
                let address = b.field(&m.types, at, t, *r, k as u32);
                collect(m, b, field.ty, address, list);
            }
        }
        CTypeKind::Array {
            elem,
            len: Some(len),
        } => {
            let stride = m.types.size_of(*elem).unwrap_or(0);
            for k in 0..*len {
                let index = b.int(Type::I64, k.into());
                let address = b.element(at, *elem, stride, index);
                collect(m, b, *elem, address, list);
            }
        }
        _ => {
            if let Some(ty) = Type::of_ctype(&m.types, t) {
                list.push(b.load(ty, at));
            }
        }
    }
}
