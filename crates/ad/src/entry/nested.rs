//! Calls of entry points inside functions that are differentiated: each is replaced by a call of the function that it stands for.

use super::Entries;
use super::dispatch::{NoChoice, Unsure, callable_as};
use super::specification::{Argument, Entry, Role, Specification, entry_point, specify};
use crate::AdError;
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::signature::{Return, Signature, passed_type};
use adjoin_ir::{Body, Builder, CTy, CTypeKind, CallAttr, Func, Inst, Module, Op, Type, Value};
use adjoin_passes::edit::{Replacements, unlink};
use std::collections::BTreeSet;

impl Entries {
    /// Replaces the calls in a function and in all that it can call.
    pub fn resolve(&mut self, module: &mut Module, func: Func) -> Result<(), AdError> {
        for reached in reachable(module, func) {
            if !self.resolved.insert(reached) {
                continue;
            }
            let result = self.resolve_body(module, reached);
            if result.is_err() {
                self.resolved.remove(&reached);
            }
            result?;
        }
        Ok(())
    }

    fn resolve_body(&mut self, module: &mut Module, func: Func) -> Result<(), AdError> {
        let mut calls = Vec::new();
        if let Some(body) = &module.funcs[func].body {
            body.walk(|inst| {
                if let Op::Call(attr) = &body.insts[inst].op
                    && module.funcs[attr.func].body.is_none()
                    && let Some(entry) = entry_point(&module.funcs[attr.func].name)
                {
                    calls.push((inst, entry));
                }
            });
        }
        for (inst, entry) in calls {
            self.resolve_call(module, func, inst, entry)?;
        }
        Ok(())
    }

    fn resolve_call(
        &mut self,
        module: &mut Module,
        func: Func,
        inst: Inst,
        entry: Entry,
    ) -> Result<(), AdError> {
        let Some(body) = &module.funcs[func].body else {
            return Ok(());
        };
        let data = body.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return Ok(());
        };
        let span = data.span;
        let callee = module.funcs[attr.func].name.clone();
        let fail = |message: String| {
            Err(AdError {
                span,
                message,
                elsewhere: false,
            })
        };
        let (result, operands) = operands(module, attr, &data.args);
        if matches!(entry, Entry::Truncated | Entry::Rounded | Entry::Unknown) {
            return fail(format!("'{callee}' is not supported yet"));
        }
        if entry == Entry::Hint {
            let body = module.funcs[func].body.as_mut();
            return match body.filter(|_| data.results.is_empty()) {
                Some(body) => {
                    unlink(body, inst);
                    Ok(())
                }
                None => fail(format!(
                    "'{callee}' is declared with a result, and has none"
                )),
            };
        }
        if entry == Entry::Identity {
            let Some(&(first, _)) = operands.first() else {
                return fail(format!("too few arguments for '{callee}'"));
            };
            replace_by_operand(module, func, inst, first);
            return Ok(());
        }
        let arguments: Vec<Argument> = operands[1..]
            .iter()
            .map(|&(v, ctype)| Argument {
                marker: marker(module, body, v),
                constant: constant(body, v),
                ctype,
            })
            .collect();
        let Some(&(pointer, ctype)) = operands.first() else {
            return fail(format!("'{callee}' needs the function to differentiate"));
        };
        if let Some(target) = function_of(body, pointer) {
            let spec = match specify(module, entry, target, &arguments, result) {
                Ok(spec) => spec,
                Err(malformed) => return fail(malformed.message),
            };
            let new = self.target(module, &spec, span)?;
            return rewrite(module, func, inst, new, &spec, None, &operands[1..]);
        }
        // As the pointer was declared before it became `void *`.
        let declared = body.values[origin(body, pointer)].ctype.unwrap_or(ctype);
        let candidates = match module.types.pointee(declared) {
            Some(function) => callable_as(module, function),
            None => Vec::new(),
        };
        let call = Unsure {
            entry,
            candidates: &candidates,
            arguments: &arguments,
            result,
            span,
        };
        match self.choice(module, call) {
            Ok((new, spec)) => rewrite(
                module,
                func,
                inst,
                new,
                &spec,
                Some(pointer),
                &operands[1..],
            ),
            Err(NoChoice::Error(error)) => Err(error),
            Err(NoChoice::Malformed(malformed)) => fail(malformed.message),
        }
    }
}

/// A function and all that it may call, as far as their bodies are known.
fn reachable(module: &Module, func: Func) -> Vec<Func> {
    let mut seen = BTreeSet::from([func]);
    let mut list = vec![func];
    let mut next = 0;
    while next < list.len() {
        if let Some(body) = &module.funcs[list[next]].body {
            body.walk(|inst| {
                let target = match &body.insts[inst].op {
                    Op::Call(attr) => attr.func,
                    Op::FuncAddr(f) => *f,
                    _ => return,
                };
                // The function that an entry point is given is looked at when its derivative is made.
                if matches!(body.insts[inst].op, Op::FuncAddr(_))
                    && only_for_entries(module, body, inst)
                {
                    return;
                }
                if seen.insert(target) {
                    list.push(target);
                }
            });
        }
        next += 1;
    }
    list
}

/// Is a function's address used for nothing but entry points?
fn only_for_entries(module: &Module, body: &Body, inst: Inst) -> bool {
    let mut values = vec![body.result(inst)];
    let mut next = 0;
    let mut only = true;
    while next < values.len() && only {
        let v = values[next];
        next += 1;
        body.walk(|user| {
            let data = &body.insts[user];
            if !data.args.contains(&v) {
                return;
            }
            match &data.op {
                Op::Cast => values.push(data.results[0]),
                Op::Call(attr)
                    if module.funcs[attr.func].body.is_none()
                        && entry_point(&module.funcs[attr.func].name).is_some() => {}
                _ => only = false,
            }
        });
    }
    only
}

/// What a call is declared to return, and its arguments with their C types.
fn operands(module: &Module, attr: &CallAttr, args: &[Value]) -> (CTy, Vec<(Value, CTy)>) {
    let function = &module.funcs[attr.func];
    let types = &module.types;
    let CTypeKind::Function {
        ret,
        params,
        prototyped,
        ..
    } = types.shape(function.ctype)
    else {
        return (function.ctype, Vec::new());
    };
    let skip = usize::from(types.is_aggregate(*ret));
    let mut ctypes: Vec<CTy> = if *prototyped {
        params.clone()
    } else {
        Vec::new()
    };
    ctypes.extend(&attr.extra);
    let list = args.iter().skip(skip).copied().zip(ctypes).collect();
    (*ret, list)
}

/// Without conversions.
fn origin(body: &Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v) {
        match body.insts[inst].op {
            Op::Cast => v = body.insts[inst].args[0],
            _ => break,
        }
    }
    v
}

fn function_of(body: &Body, v: Value) -> Option<Func> {
    match body.insts[body.def_inst(origin(body, v))?].op {
        Op::FuncAddr(f) => Some(f),
        _ => None,
    }
}

/// The name of the marker that is read, or whose address it is: then it is an integer.
fn marker(module: &Module, body: &Body, v: Value) -> Option<String> {
    let data = &body.insts[body.def_inst(origin(body, v))?];
    let (place, read) = match data.op {
        Op::Load(_) => (&body.insts[body.def_inst(data.args[0])?], true),
        _ => (data, false),
    };
    let Op::GlobalAddr(g) = place.op else {
        return None;
    };
    let global = &module.globals[g];
    let integer = (module.types.arithmetic(global.ctype)).is_some_and(|b| b.is_integer());
    (global.name.starts_with("enzyme_") && (read || integer)).then(|| global.name.clone())
}

fn constant(body: &Body, v: Value) -> Option<i128> {
    body.const_int(origin(body, v))
}

/// The value of a call is one of its operands.
fn replace_by_operand(module: &mut Module, func: Func, inst: Inst, operand: Value) {
    let Some(body) = &mut module.funcs[func].body else {
        return;
    };
    let mut replacements = Replacements::default();
    if let Some(&result) = body.insts[inst].results.first() {
        let ty = body.ty(result);
        let value = if body.ty(operand) == ty {
            operand
        } else {
            Builder::before(body, inst).cast(ty, operand)
        };
        replacements.set(result, value);
    }
    unlink(body, inst);
    replacements.apply(body);
}

/// Makes a call one of the new function.
fn rewrite(
    module: &mut Module,
    func: Func,
    inst: Inst,
    new: Func,
    spec: &Specification,
    pointer: Option<Value>,
    operands: &[(Value, CTy)],
) -> Result<(), AdError> {
    let ctype = module.funcs[new].ctype;
    let types = module.types.clone();
    let (Some(signature), CTypeKind::Function { params, .. }) =
        (Signature::of(&types, ctype), types.shape(ctype).clone())
    else {
        return Ok(());
    };
    let Some(body) = &mut module.funcs[func].body else {
        return Ok(());
    };
    let span = body.insts[inst].span;
    let passed = operands
        .iter()
        .zip(&spec.roles)
        .filter(|(_, role)| **role != Role::Dropped);
    let mut args = Vec::new();
    if let Return::Aggregate(_) = signature.ret {
        args.push(body.insts[inst].args[0]);
    }
    args.extend(pointer);
    let params = &params[usize::from(pointer.is_some())..];
    for (&(v, from), &to) in passed.map(|(operand, _)| operand).zip(params) {
        let wanted = passed_type(&types, to);
        let fits = types.is_aggregate(from) == types.is_aggregate(to)
            && (!types.is_aggregate(to) || types.size_of(from) == types.size_of(to));
        let have = body.ty(v);
        let convertible =
            |ty: Type| have == ty || (have == Type::Ptr) == (ty == Type::Ptr) || have.is_int();
        let Some(ty) = wanted.filter(|&ty| fits && convertible(ty)) else {
            let printer = CPrinter::new(&types);
            return Err(AdError {
                span,
                message: format!(
                    "an argument of type '{}' is given where '{}' is expected",
                    printer.name(from),
                    printer.name(to)
                ),
                elsewhere: false,
            });
        };
        let v = if have == ty {
            v
        } else {
            Builder::before(body, inst).cast(ty, v)
        };
        args.push(v);
    }
    let data = &mut body.insts[inst];
    data.op = Op::Call(CallAttr {
        func: new,
        extra: Vec::new(),
    });
    data.args = args;
    Ok(())
}
