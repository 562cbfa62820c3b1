//! A function evaluated in single precision (`__enzyme_truncate_op_func`): a copy of it, and of what it calls, in which every operation on `double` is done in `float`.
//!
//! Memory and values keep their types: what an operation takes is rounded, and so is what it gives. Functions of the library are those for `float` where all that they take and give are numbers.

use crate::known::external;
use crate::{AdError, entry, rules};
use adjoin_ir::{
    Basic, Body, Builder, CTypeKind, CallAttr, Const, Func, Function, Inst, Linkage, Module, Op,
    Type, Value,
};
use adjoin_passes::edit::{self, Replacements};
use std::collections::{BTreeMap, BTreeSet};

/// The function in single precision; `taken` are names that are not to be used, `made` what there is already.
pub fn function(
    module: &mut Module,
    func: Func,
    taken: &BTreeSet<String>,
    made: &mut BTreeMap<Func, Func>,
) -> Result<Func, AdError> {
    let mut new = Vec::new();
    let mut work = vec![func];
    while let Some(func) = work.pop() {
        if made.contains_key(&func) {
            continue;
        }
        let function = &module.funcs[func];
        if function.body.is_none() {
            let what = format!("'{}': its body is not known", function.name);
            return Err(AdError::new(function.span, what));
        }
        let name = format!("{}_truncated", function.name);
        let copy = Function {
            name: entry::unused_name(module, taken, &name),
            linkage: Linkage::Static,
            ..function.clone()
        };
        let body = copy.body.clone();
        let copy = module.funcs.push(copy);
        made.insert(func, copy);
        new.push(copy);
        body.iter().for_each(|b| work.extend(called(module, b)));
    }
    for copy in new {
        if let Some(mut body) = module.funcs[copy].body.take() {
            truncate(module, &mut body, made)?;
            module.funcs[copy].body = Some(body);
        }
    }
    Ok(made[&func])
}

/// The functions with bodies that a body calls.
fn called(module: &Module, body: &Body) -> Vec<Func> {
    let mut all = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && module.funcs[attr.func].body.is_some()
        {
            all.push(attr.func);
        }
    });
    all
}

fn truncate(
    module: &mut Module,
    body: &mut Body,
    made: &BTreeMap<Func, Func>,
) -> Result<(), AdError> {
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    let mut replaced = Replacements::default();
    for inst in order {
        let data = &body.insts[inst];
        let double = |v: &Value| body.ty(*v) == Type::F64;
        let complex = data.results.iter().any(|&v| body.ty(v).is_complex());
        if complex || matches!(data.op, Op::CallIndirect(_)) {
            let what = match complex {
                true => "complex numbers in lower precision",
                false => "a call through a pointer in lower precision",
            };
            return Err(AdError::new(data.span, what));
        }
        match data.op.clone() {
            Op::Call(attr) => match made.get(&attr.func) {
                Some(&func) => body.insts[inst].op = Op::Call(CallAttr { func, ..attr }),
                None => {
                    if let Some(single) = single(module, attr.func) {
                        let attr = CallAttr {
                            func: single,
                            extra: attr.extra,
                        };
                        rounded(body, inst, Op::Call(attr), &mut replaced);
                    }
                }
            },
            op @ (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Neg)
                if data.results.iter().all(double) =>
            {
                rounded(body, inst, op, &mut replaced);
            }
            op @ (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
                if data.args.iter().all(double) =>
            {
                rounded(body, inst, op, &mut replaced);
            }
            // Integers become numbers of single precision first, and come from them.
            Op::Cast => {
                let (from, to) = (body.ty(data.args[0]), body.ty(data.results[0]));
                if from == Type::F64 && to.is_int() || from.is_int() && to == Type::F64 {
                    let (arg, result) = (data.args[0], data.results[0]);
                    let mut b = Builder::before(body, inst);
                    let middle = b.cast(Type::F32, arg);
                    let new = b.cast(to, middle);
                    b.body.values[new].ctype = b.body.values[result].ctype;
                    replaced.set(result, new);
                    edit::unlink(body, inst);
                }
            }
            _ => {}
        }
    }
    replaced.apply(body);
    Ok(())
}

/// Does an operation, or a call, in single precision.
fn rounded(body: &mut Body, inst: Inst, op: Op, replaced: &mut Replacements) {
    let data = body.insts[inst].clone();
    let mut b = Builder::before(body, inst);
    let less = |t: Type| if t == Type::F64 { Type::F32 } else { t };
    let args: Vec<Value> = data
        .args
        .iter()
        .map(|&v| less_precise(&mut b, replaced.get(v)))
        .collect();
    let results: Vec<Type> = data.results.iter().map(|&v| less(b.body.ty(v))).collect();
    let new = b.inst(op, args, &results);
    for (k, &old) in data.results.iter().enumerate() {
        let v = b.body.insts[new].results[k];
        let v = match b.body.ty(old) {
            Type::F64 => b.cast(Type::F64, v),
            _ => v,
        };
        b.body.values[v].name = b.body.values[old].name.clone();
        replaced.set(old, v);
    }
    edit::unlink(body, inst);
}

/// A number in single precision; others as they are.
fn less_precise(b: &mut Builder<'_>, v: Value) -> Value {
    if b.body.ty(v) != Type::F64 {
        return v;
    }
    let made = b.body.def_inst(v).map(|i| b.body.insts[i].clone());
    match made.map(|data| (data.op, data.args)) {
        Some((Op::Const(Const::Float { bits, .. }), _)) => b.float(Type::F32, f64::from_bits(bits)),
        Some((Op::Cast, args)) if b.body.ty(args[0]) == Type::F32 => args[0],
        _ => b.cast(Type::F32, v),
    }
}

/// The function of the library for `float` that belongs to one for `double`, if it takes and gives numbers only.
fn single(module: &mut Module, func: Func) -> Option<Func> {
    let function = &module.funcs[func];
    rules::lookup(&function.name)?;
    let CTypeKind::Function { ret, params, .. } = module.types.shape(function.ctype).clone() else {
        return None;
    };
    let name = format!("{}f", function.name);
    let float = module.types.basic(Basic::Float);
    let mut doubles = 0;
    let mut types = Vec::new();
    for t in params.into_iter().chain([ret]) {
        types.push(match Type::of_ctype(&module.types, t)? {
            Type::F64 => {
                doubles += 1;
                float
            }
            ty if ty.is_int() => t,
            _ => return None,
        });
    }
    let ret = types.pop()?;
    (doubles > 0).then(|| external(module, &name, ret, &types))
}
