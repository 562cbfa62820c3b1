//! Calls of functions with variable arguments, whose bodies are known, become calls of copies with a parameter for each argument.
//!
//! A `va_list` is then the number of the next argument, and `va_arg` chooses among the parameters of its type. A list that goes to `vprintf` and its like, from
//! which nothing was taken before, becomes the arguments of `printf`; what functions of the program do to a list that they are handed is done in the copy
//! itself. Lists that go elsewhere, and structs by value, leave the call as it is.

use crate::activity::root;
use crate::known::declared;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, Function, Inst, Linkage, Module, Op,
    Signature, Type, Value, signature::passed_type,
};
use adjoin_passes::edit::{Replacements, unlink};
use adjoin_passes::inline::{can_inline, inline_call};
use std::collections::BTreeMap;

/// Functions that take a list, and those that take the arguments themselves.
const LISTS: &[(&str, &str)] = &[
    ("vprintf", "printf"),
    ("vfprintf", "fprintf"),
    ("vsprintf", "sprintf"),
    ("vsnprintf", "snprintf"),
    ("vdprintf", "dprintf"),
];

/// Replaces the calls in a body. Was there one?
pub fn run(module: &mut Module, body: &mut Body) -> bool {
    let mut calls = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && let Some(callee) = &module.funcs[attr.func].body
            && is_variadic(module, attr.func)
            && takes_arguments(callee)
        {
            calls.push((inst, attr.clone()));
        }
    });
    let mut changed = false;
    for (inst, attr) in calls {
        if let Some(func) = with_parameters(module, attr.func, &attr.extra) {
            body.insts[inst].op = Op::Call(CallAttr {
                func,
                extra: Vec::new(),
            });
            changed = true;
        }
    }
    changed
}

fn is_variadic(module: &Module, func: Func) -> bool {
    let shape = module.types.shape(module.funcs[func].ctype);
    matches!(shape, CTypeKind::Function { variadic, .. } if *variadic)
}

fn takes_arguments(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| found |= matches!(body.insts[inst].op, Op::VaStart));
    found
}

/// The copy of a function whose variable arguments have these types.
fn with_parameters(module: &mut Module, func: Func, extra: &[CTy]) -> Option<Func> {
    if extra.iter().any(|&t| module.types.is_aggregate(t)) {
        return None;
    }
    let function = module.funcs[func].clone();
    let CTypeKind::Function { ret, params, .. } = module.types.shape(function.ctype).clone() else {
        return None;
    };
    let mut all = params;
    all.extend(extra);
    let ctype = module.types.intern(CTypeKind::Function {
        ret,
        params: all,
        variadic: false,
        prototyped: true,
    });
    let of = format!("{}_with", function.name);
    let made = module
        .funcs
        .iter()
        .find(|(_, f)| f.ctype == ctype && f.span == function.span && f.name.starts_with(&of));
    if let Some((made, _)) = made {
        return Some(made);
    }
    Signature::of(&module.types, ctype)?;
    let mut body = function.body?;
    let entry = body.entry;
    let mut arguments = Vec::new();
    let mut names = function.param_names.clone();
    for (k, &t) in extra.iter().enumerate() {
        let ty = passed_type(&module.types, t)?;
        let v = body.add_arg(entry, ty);
        let name = format!("argument_{}", k + 1);
        body.values[v].ctype = Some(t);
        body.values[v].name = Some(name.clone());
        names.push(Some(name));
        arguments.push((v, t));
    }
    inline_users(module, &mut body);
    Lists {
        module,
        cursors: BTreeMap::new(),
        arguments: &arguments,
    }
    .replace(&mut body)?;
    let name = crate::entry::unused_name(
        module,
        &Default::default(),
        &format!("{of}_{}", extra.len()),
    );
    Some(module.funcs.push(Function {
        name,
        ctype,
        param_names: names,
        linkage: Linkage::Static,
        body: Some(body),
        ..function_without_body(module, func)
    }))
}

/// Puts the bodies of functions that a list goes to in the place of their calls.
fn inline_users(module: &Module, body: &mut Body) {
    for _ in 0..super::MOST_ROUNDS {
        let mut calls = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Call(attr) = &data.op
                && (data.args.iter()).any(|&v| list_of(module, body, v).is_some())
                && module.funcs[attr.func]
                    .body
                    .as_ref()
                    .is_some_and(can_inline)
            {
                calls.push((inst, attr.func));
            }
        });
        if calls.is_empty() {
            break;
        }
        for (inst, func) in calls {
            let callee = &module.funcs[func];
            if let Some(its_body) = &callee.body {
                inline_call(&module.types, body, inst, callee.ctype, its_body);
            }
        }
        super::promote(&module.types, body);
    }
}

fn function_without_body(module: &Module, func: Func) -> Function {
    Function {
        body: None,
        ..module.funcs[func].clone()
    }
}

/// The lists of one body.
struct Lists<'a> {
    module: &'a mut Module,
    /// For each list, the number of the next argument.
    cursors: BTreeMap<Inst, Value>,
    arguments: &'a [(Value, CTy)],
}

impl Lists<'_> {
    fn replace(&mut self, body: &mut Body) -> Option<()> {
        let mut uses = Vec::new();
        let mut fine = true;
        body.walk(|inst| {
            let data = &body.insts[inst];
            for (k, &v) in data.args.iter().enumerate() {
                if list_of(self.module, body, v).is_none() {
                    continue;
                }
                match &data.op {
                    Op::VaStart | Op::VaEnd | Op::VaCopy | Op::VaArg(_) => {}
                    Op::Call(attr) => {
                        let name = &self.module.funcs[attr.func].name;
                        let last = k + 1 == data.args.len();
                        fine &= last && LISTS.iter().any(|(list, _)| list == name);
                    }
                    op => fine &= op.is_pure(),
                }
                if !data.op.is_pure() {
                    uses.push(inst);
                }
            }
        });
        uses.dedup();
        // A list that is a parameter, or in a struct, is none of ours.
        body.walk(|inst| {
            let data = &body.insts[inst];
            if matches!(data.op, Op::VaStart | Op::VaEnd | Op::VaCopy | Op::VaArg(_)) {
                let mut lists = data.args.iter();
                fine &= lists.all(|&v| list_of(self.module, body, v).is_some());
            }
            fine &= !matches!(data.op, Op::VaArgInto(_));
        });
        if !fine {
            return None;
        }
        let mut replacements = Replacements::default();
        for &inst in &uses {
            self.one(body, inst, &uses, &mut replacements)?;
        }
        replacements.apply(body);
        for &inst in &uses {
            if !matches!(body.insts[inst].op, Op::Call(_)) {
                unlink(body, inst);
            }
        }
        Some(())
    }

    fn one(
        &mut self,
        body: &mut Body,
        inst: Inst,
        uses: &[Inst],
        replacements: &mut Replacements,
    ) -> Option<()> {
        let data = body.insts[inst].clone();
        let list = |me: &Self, body: &Body, k: usize| list_of(me.module, body, data.args[k]);
        match &data.op {
            Op::VaStart => {
                let cursor = list(self, body, 0)?;
                let cursor = self.cursor(body, cursor);
                let mut b = Builder::before(body, inst);
                let zero = b.int(Type::I32, 0);
                b.store(cursor, zero);
            }
            Op::VaCopy => {
                let (to, from) = (list(self, body, 0)?, list(self, body, 1)?);
                let (to, from) = (self.cursor(body, to), self.cursor(body, from));
                let mut b = Builder::before(body, inst);
                let at = b.load(Type::I32, from);
                b.store(to, at);
            }
            Op::VaArg(wanted) => {
                let cursor = list(self, body, 0)?;
                let cursor = self.cursor(body, cursor);
                let ty = body.ty(data.results[0]);
                let fitting: Vec<(usize, Value)> = self
                    .arguments
                    .iter()
                    .enumerate()
                    .filter(|(_, (v, _))| fits(body.ty(*v), ty))
                    .map(|(k, (v, _))| (k, *v))
                    .collect();
                let mut b = Builder::before(body, inst);
                let at = b.load(Type::I32, cursor);
                let one = b.int(Type::I32, 1);
                let next = b.add(at, one);
                b.store(cursor, next);
                let mut chosen = b.zero_of(ty);
                for (n, (k, v)) in fitting.into_iter().enumerate() {
                    let v = match b.body.ty(v) == ty {
                        true => v,
                        false => b.cast(ty, v),
                    };
                    if n == 0 {
                        chosen = v;
                        continue;
                    }
                    let number = b.int(Type::I32, k as i128);
                    let is_it = b.eq(at, number);
                    chosen = b.select(is_it, v, chosen);
                }
                b.body.values[chosen].ctype.get_or_insert(*wanted);
                replacements.set(data.results[0], chosen);
            }
            Op::Call(attr) => {
                let slot = list(self, body, data.args.len() - 1)?;
                // Nothing was taken from the list, which was started once.
                let mut starts = 0;
                for &other in uses {
                    let of_list = (body.insts[other].args.iter())
                        .any(|&v| list_of(self.module, body, v) == Some(slot));
                    match body.insts[other].op {
                        Op::VaArg(_) | Op::VaCopy if of_list => return None,
                        Op::VaStart if of_list => starts += 1,
                        _ => {}
                    }
                }
                if starts != 1 {
                    return None;
                }
                let name = self.module.funcs[attr.func].name.clone();
                let (_, direct) = LISTS.iter().find(|(list, _)| *list == name)?;
                let CTypeKind::Function { ret, params, .. } = self
                    .module
                    .types
                    .shape(self.module.funcs[attr.func].ctype)
                    .clone()
                else {
                    return None;
                };
                let fixed = params.len().checked_sub(1)?;
                let func = declared(self.module, direct, ret, &params[..fixed], true);
                let data = &mut body.insts[inst];
                data.args.pop();
                data.args.extend(self.arguments.iter().map(|(v, _)| *v));
                data.op = Op::Call(CallAttr {
                    func,
                    extra: self.arguments.iter().map(|(_, t)| *t).collect(),
                });
            }
            _ => {}
        }
        Some(())
    }

    /// The variable that counts the arguments which were taken from a list.
    fn cursor(&mut self, body: &mut Body, list: Inst) -> Value {
        let int = self.module.types.basic(Basic::Int);
        *self
            .cursors
            .entry(list)
            .or_insert_with(|| Builder::before(body, list).slot(int, Some("next_argument")))
    }
}

/// Can an argument be taken as another type? C allows the other signedness, and `void *` for another pointer.
fn fits(given: Type, wanted: Type) -> bool {
    given == wanted || given.is_int() && wanted.is_int() && given.bits() == wanted.bits()
}

/// The variable of type `va_list` whose address a value is.
fn list_of(module: &Module, body: &Body, v: Value) -> Option<Inst> {
    if body.ty(v) != Type::Ptr {
        return None;
    }
    let inst = body.def_inst(root(body, v))?;
    match &body.insts[inst].op {
        Op::Slot(attr) if matches!(module.types.shape(attr.ctype), CTypeKind::VaList) => Some(inst),
        _ => None,
    }
}
