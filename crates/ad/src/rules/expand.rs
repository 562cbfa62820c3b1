//! Takes library functions apart that no row of the table can describe: those that write results through pointers, the parts of complex numbers,
//! sorting and searching. What they become is arithmetic, rows of the table, stores and copies, so that both modes need nothing of their own for them.

use super::build::{call, declare, library, spelling};
use super::stem;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, Const, Func, Inst, Module, Op, Pred, Step, Type, Value,
};
use adjoin_passes::edit::{Replacements, unlink};

/// What is taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    SineAndCosine,
    Fraction,
    Exponent,
    Quotient,
    LogGamma,
    Absolute,
    Argument,
    Conjugate,
    Real,
    Imaginary,
    Sort,
    Search,
    /// The absolute value of an integer: a choice can be computed again, and folded.
    Magnitude,
    /// Returns its first argument, and says something about it.
    Itself,
    /// `memmove` and `memset` under their old names, `memcpy` that returns the end, `malloc` and `free` of MPI.
    Bytes,
}

fn kind(name: &str) -> Option<Kind> {
    Some(match stem(name) {
        "sincos" | "sincosf" | "sincosl" => Kind::SineAndCosine,
        "modf" | "modff" | "modfl" => Kind::Fraction,
        "frexp" | "frexpf" | "frexpl" => Kind::Exponent,
        "remquo" | "remquof" | "remquol" => Kind::Quotient,
        "lgamma_r" | "lgammaf_r" | "lgammal_r" | "gamma_r" | "gammaf_r" | "gammal_r" => {
            Kind::LogGamma
        }
        "cabs" | "cabsf" | "cabsl" => Kind::Absolute,
        "carg" | "cargf" | "cargl" => Kind::Argument,
        "conj" | "conjf" | "conjl" => Kind::Conjugate,
        "creal" | "crealf" | "creall" => Kind::Real,
        "cimag" | "cimagf" | "cimagl" => Kind::Imaginary,
        "abs" | "labs" | "llabs" | "imaxabs" => Kind::Magnitude,
        "qsort" => Kind::Sort,
        "bsearch" => Kind::Search,
        "assume_aligned" | "launder" if name.starts_with("__builtin_") => Kind::Itself,
        "bcopy" | "bzero" | "mempcpy" | "MPI_Alloc_mem" | "MPI_Free_mem" | "MPI_Win_allocate" => {
            Kind::Bytes
        }
        _ => return None,
    })
}

/// Is it a function whose calls are taken apart?
pub fn is_taken_apart(name: &str) -> bool {
    kind(name).is_some()
}

/// Takes the calls of a body apart. Those that do not fit (a sort of memory whose type is not known) stay as they are.
pub fn run(module: &mut Module, body: &mut Body) {
    let mut found: Vec<(Inst, Kind)> = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && module.funcs[attr.func].body.is_none()
            && let Some(kind) = kind(&module.funcs[attr.func].name)
        {
            found.push((inst, kind));
        }
    });
    if found.is_empty() {
        return;
    }
    let mut replaced = Replacements::default();
    for (inst, kind) in found {
        // Operands may be results of calls that were taken apart before.
        let mut args = body.insts[inst].args.clone();
        for a in &mut args {
            *a = replaced.get(*a);
        }
        if let Some(new) = expand(module, body, inst, kind, &args) {
            if let (Some(&old), Some(new)) = (body.insts[inst].results.first(), new) {
                if body.values[new].name.is_none() {
                    body.values[new].name = body.values[old].name.clone();
                }
                replaced.set(old, new);
            }
            unlink(body, inst);
        }
    }
    replaced.apply(body);
}

/// The smallest integer has no absolute value in its type: C says nothing of it, here or there.
fn magnitude(body: &mut Body, inst: Inst, a: &[Value]) -> Option<Option<Value>> {
    let &[v] = a else { return None };
    let ty = body.ty(v);
    let result = *body.insts[inst].results.first()?;
    if !ty.is_int() || !ty.is_signed() || body.ty(result) != ty {
        return None;
    }
    let mut b = Builder::before(body, inst);
    let zero = b.zero_of(ty);
    let negative = b.lt(v, zero);
    let opposite = b.neg(v);
    Some(Some(b.select(negative, opposite, v)))
}

/// Makes what a call becomes in front of it: `Some(result)` if it did.
fn expand(
    module: &mut Module,
    body: &mut Body,
    inst: Inst,
    kind: Kind,
    a: &[Value],
) -> Option<Option<Value>> {
    let first = body.ty(*a.first()?);
    if kind == Kind::Itself {
        return Some(Some(a[0]));
    }
    if kind == Kind::Magnitude {
        return magnitude(body, inst, a);
    }
    if kind == Kind::Bytes {
        return bytes(module, body, inst, a);
    }
    if let Kind::Sort | Kind::Search = kind {
        return sorting(module, body, inst, kind, a);
    }
    let wanted = match kind {
        Kind::SineAndCosine | Kind::Quotient => 3,
        Kind::Fraction | Kind::Exponent | Kind::LogGamma => 2,
        _ => 1,
    };
    let of_complex = matches!(
        kind,
        Kind::Absolute | Kind::Argument | Kind::Conjugate | Kind::Real | Kind::Imaginary
    );
    if a.len() != wanted || of_complex != first.is_complex() || !of_complex && !first.is_float() {
        return None;
    }
    let mut b = Builder::before(body, inst);
    let b = &mut b;
    let unary = |module: &mut Module, b: &mut Builder<'_>, name: &str, v: Value| {
        let func = library(module, &spelling(name, first), first, &[first]);
        call(b, func, vec![v], first)
    };
    let integer = |module: &mut Module, b: &mut Builder<'_>, name: &str, args: &[Value]| {
        let types = vec![first; args.len()];
        let func = library(module, &spelling(name, first), Type::I32, &types);
        call(b, func, args.to_vec(), Type::I32)
    };
    Some(match kind {
        Kind::SineAndCosine => {
            let sine = unary(module, b, "sin", a[0]);
            let cosine = unary(module, b, "cos", a[0]);
            b.store(a[1], sine);
            b.store(a[2], cosine);
            None
        }
        Kind::Fraction => {
            let whole = unary(module, b, "trunc", a[0]);
            let func = library(module, &spelling("fmod", first), first, &[first, first]);
            let one = b.float(first, 1.0);
            let fraction = call(b, func, vec![a[0], one], first);
            // An infinity has no remainder, but a zero as its fraction.
            let zero = b.float(first, 0.0);
            let func = library(module, &spelling("copysign", first), first, &[first, first]);
            let zero = call(b, func, vec![zero, a[0]], first);
            let magnitude = unary(module, b, "fabs", a[0]);
            let largest = b.constant(first, largest(first));
            let infinite = b.gt(magnitude, largest);
            let fraction = b.select(infinite, zero, fraction);
            b.store(a[1], whole);
            Some(fraction)
        }
        Kind::Exponent => {
            let exponent = integer(module, b, "adjoin_exponent", &a[..1]);
            b.store(a[1], exponent);
            let minus = b.neg(exponent);
            let func = library(
                module,
                &spelling("scalbn", first),
                first,
                &[first, Type::I32],
            );
            Some(call(b, func, vec![a[0], minus], first))
        }
        Kind::Quotient => {
            let quotient = integer(module, b, "adjoin_quotient", &a[..2]);
            b.store(a[2], quotient);
            let func = library(
                module,
                &spelling("remainder", first),
                first,
                &[first, first],
            );
            Some(call(b, func, vec![a[0], a[1]], first))
        }
        Kind::LogGamma => {
            let sign = integer(module, b, "adjoin_gamma_sign", &a[..1]);
            b.store(a[1], sign);
            Some(unary(module, b, "lgamma", a[0]))
        }
        Kind::Real => Some(b.real(a[0])),
        Kind::Imaginary => Some(b.imag(a[0])),
        Kind::Conjugate => {
            let (re, im) = (b.real(a[0]), b.imag(a[0]));
            let im = b.neg(im);
            Some(b.complex(re, im))
        }
        Kind::Absolute | Kind::Argument => {
            let (re, im) = (b.real(a[0]), b.imag(a[0]));
            let part = b.body.ty(re);
            let (name, args) = match kind {
                Kind::Absolute => ("hypot", vec![re, im]),
                _ => ("atan2", vec![im, re]),
            };
            let func = library(module, &spelling(name, part), part, &[part, part]);
            Some(call(b, func, args, part))
        }
        Kind::Sort | Kind::Search | Kind::Magnitude | Kind::Itself | Kind::Bytes => return None,
    })
}

/// Copies and fills that the standard has under other names.
fn bytes(module: &mut Module, body: &mut Body, inst: Inst, a: &[Value]) -> Option<Option<Value>> {
    let Op::Call(attr) = &body.insts[inst].op else {
        return None;
    };
    let name = stem(&module.funcs[attr.func].name).to_string();
    let ctype = module.funcs[attr.func].ctype;
    let void = module.types.void();
    let address = module.types.pointer(void);
    let quals = adjoin_ir::Quals {
        is_const: true,
        ..Default::default()
    };
    let constant = module.types.qualified(void, quals);
    let source = module.types.pointer(constant);
    let [int, long, char] = [Basic::Int, Basic::ULong, Basic::Char].map(|t| module.types.basic(t));
    let mut b = Builder::before(body, inst);
    match (name.as_str(), a) {
        ("bzero", &[to, count]) => {
            let func = declare(module, "memset", address, vec![address, int, long]);
            let zero = b.int(Type::I32, 0);
            call(&mut b, func, vec![to, zero, count], Type::Ptr);
            Some(None)
        }
        ("bcopy", &[from, to, count]) => {
            let func = declare(module, "memmove", address, vec![address, source, long]);
            call(&mut b, func, vec![to, from, count], Type::Ptr);
            Some(None)
        }
        ("mempcpy", &[to, from, count]) => {
            let func = declare(module, "memcpy", address, vec![address, source, long]);
            call(&mut b, func, vec![to, from, count], Type::Ptr);
            let end = b.element(to, char, 1, count);
            b.set_ctype(end, address);
            Some(Some(end))
        }
        ("MPI_Alloc_mem", &[count, _, place]) => {
            let func = declare(module, "malloc", address, vec![long]);
            let count = b.cast(Type::U64, count);
            let memory = call(&mut b, func, vec![count], Type::Ptr);
            b.set_ctype(memory, address);
            b.store(place, memory);
            Some(Some(b.int(Type::I32, 0)))
        }
        // The memory of a window: it is not freed with it.
        ("MPI_Win_allocate", &[count, unit, info, comm, place, win]) => {
            let func = declare(module, "malloc", address, vec![long]);
            let size = b.cast(Type::U64, count);
            let memory = call(&mut b, func, vec![size], Type::Ptr);
            b.set_ctype(memory, address);
            b.store(place, memory);
            let CTypeKind::Function { params, .. } = module.types.shape(ctype).clone() else {
                return None;
            };
            let mut types = vec![address];
            types.extend(params.iter().take(4));
            types.extend(params.get(5));
            let func = declare(module, "MPI_Win_create", int, types);
            let args = vec![memory, count, unit, info, comm, win];
            Some(Some(call(&mut b, func, args, Type::I32)))
        }
        ("MPI_Free_mem", &[memory]) => {
            let func = declare(module, "free", void, vec![address]);
            let attr = adjoin_ir::CallAttr {
                func,
                extra: Vec::new(),
            };
            b.inst(Op::Call(attr), vec![memory], &[]);
            Some(Some(b.int(Type::I32, 0)))
        }
        _ => None,
    }
}

/// The largest finite number of a type.
fn largest(ty: Type) -> Const {
    match ty {
        Type::F32 => Const::float(f64::from(f32::MAX)),
        Type::F80 => Const::Float {
            bits: f64::INFINITY.to_bits(),
            text: Some("1.18973149535723176502e+4932".to_string()),
        },
        _ => Const::float(f64::MAX),
    }
}

/// The type of the elements that a pointer was declared with, before it became `void *`.
fn element(module: &Module, body: &Body, mut v: Value) -> Option<CTy> {
    loop {
        let pointee = body.values[v].ctype.and_then(|t| module.types.pointee(t));
        if let Some(t) = pointee
            && !matches!(module.types.shape(t), CTypeKind::Void)
            && module.types.size_of(t).is_some_and(|n| n > 0)
        {
            return Some(module.types.unqualified(t))
                .filter(|&t| module.types.size_of(t) > Some(1));
        }
        let data = &body.insts[body.def_inst(v)?];
        match data.op {
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => return None,
        }
    }
}

/// The functions that find an order or a place without derivatives, and what the moving of elements needs.
struct Tools {
    malloc: Func,
    free: Func,
    /// The order of a sort, or the place of a search.
    find: Func,
    address: CTy,
    long: CTy,
}

/// `original` are the types of the parameters of the function that is taken apart.
fn tools(module: &mut Module, original: &[CTy], kind: Kind) -> Tools {
    let void = module.types.void();
    let address = module.types.pointer(void);
    let long = module.types.basic(adjoin_ir::Basic::Long);
    let size = module.types.basic(adjoin_ir::Basic::ULong);
    let longs = module.types.pointer(long);
    let (name, result) = match kind {
        Kind::Sort => ("adjoin_sort_order", longs),
        _ => ("adjoin_search", long),
    };
    Tools {
        malloc: declare(module, "malloc", address, vec![size]),
        free: declare(module, "free", void, vec![address]),
        find: declare(module, name, result, original.to_vec()),
        address,
        long,
    }
}

/// `qsort` becomes: find the order, then move the elements. `bsearch` becomes: find the index, then take the address.
fn sorting(
    module: &mut Module,
    body: &mut Body,
    inst: Inst,
    kind: Kind,
    a: &[Value],
) -> Option<Option<Value>> {
    let base = match kind {
        Kind::Sort if a.len() == 4 => a[0],
        Kind::Search if a.len() == 5 => a[1],
        _ => return None,
    };
    let mut elem = element(module, body, base)?;
    let given = body.const_int(a[a.len() - 2])?;
    let mut size = module.types.size_of(elem)?;
    while i128::from(size) > given
        && let CTypeKind::Array { elem: inner, .. } = *module.types.shape(elem)
    {
        elem = inner;
        size = module.types.size_of(elem)?;
    }
    if given != i128::from(size) {
        // Several elements at a time: rows of a matrix.
        if given <= 0 || given % i128::from(size) != 0 {
            return None;
        }
        elem = module.types.intern(CTypeKind::Array {
            elem,
            len: Some((given / i128::from(size)) as u64),
        });
    }
    let bytes = given as u64;
    let Op::Call(attr) = &body.insts[inst].op else {
        return None;
    };
    let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[attr.func].ctype)
    else {
        return None;
    };
    let original = params.clone();
    if original.len() != a.len() {
        return None;
    }
    let tools = tools(module, &original, kind);
    let pointer = module.types.pointer(elem);
    let longs = module.types.pointer(tools.long);
    let mut b = Builder::before(body, inst);
    let b = &mut b;
    if kind == Kind::Search {
        let index = call(b, tools.find, a.to_vec(), Type::I64);
        let zero = b.int(Type::I64, 0);
        let missing = b.lt(index, zero);
        let (branch, yes, no) = b.if_(missing, &[Type::Ptr]);
        b.inside(yes, |b| {
            let null = b.null();
            b.yield_(&[null]);
        });
        b.inside(no, |b| {
            let place = b.element(base, elem, bytes, index);
            b.set_ctype(place, pointer);
            b.yield_(&[place]);
        });
        let found = b.body.result(branch);
        b.set_ctype(found, pointer);
        return Some(Some(found));
    }
    let (count, compare) = (a[1], a[3]);
    let size = b.int(Type::U64, bytes.into());
    let total = b.mul(count, size);
    let copy = call(b, tools.malloc, vec![total], Type::Ptr);
    b.set_ctype(copy, tools.address);
    let copy = b.value(Op::Cast, vec![copy], Type::Ptr);
    b.set_ctype(copy, pointer);
    b.set_name(copy, "unsorted");
    let n = b.cast(Type::I64, count);
    let scalar = Type::of_ctype(&module.types, elem);
    let move_one = |b: &mut Builder<'_>, to: Value, from: Value| match scalar {
        Some(ty) => {
            let v = b.load(ty, from);
            b.store(to, v);
        }
        None => drop(b.copy(to, from, bytes, Some(elem))),
    };
    let place = |b: &mut Builder<'_>, base: Value, index: Value| {
        let p = b.element(base, elem, bytes, index);
        b.set_ctype(p, pointer)
    };
    let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
    let (_, region) = b.for_(Pred::Lt, zero, n, one, &[]);
    let index = b.body.regions[region].args[0];
    b.inside(region, |b| {
        let to = place(b, copy, index);
        let from = place(b, base, index);
        move_one(b, to, from);
        b.yield_(&[]);
    });
    let order = call(b, tools.find, vec![copy, count, size, compare], Type::Ptr);
    b.set_ctype(order, longs);
    b.set_name(order, "order");
    let (_, region) = b.for_(Pred::Lt, zero, n, one, &[]);
    let index = b.body.regions[region].args[0];
    b.inside(region, |b| {
        let step = vec![Step::Index { stride: 8 }];
        let at = b.addr(order, tools.long, step, &[index]);
        b.set_ctype(at, longs);
        let source = b.load(Type::I64, at);
        let to = place(b, base, index);
        let from = place(b, copy, source);
        move_one(b, to, from);
        b.yield_(&[]);
    });
    for p in [order, copy] {
        let attr = adjoin_ir::CallAttr {
            func: tools.free,
            extra: Vec::new(),
        };
        b.inst(Op::Call(attr), vec![p], &[]);
    }
    Some(None)
}
