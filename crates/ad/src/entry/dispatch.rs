//! Functions that are known only by a pointer: the derivative is chosen at run time, among those of the functions that the pointer can be.

use super::specification::{Argument, Entry, Specification, specify};
use super::{Entries, Malformed, unused_name};
use crate::AdError;
use crate::known::external;
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, Func, Function, Global, GlobalData, Init, Linkage,
    Module, Op, Quals, RelocTarget, Span, Value,
};
use std::collections::BTreeSet;

/// A call whose function is a value.
#[derive(Clone, Copy, Debug)]
pub struct Unsure<'a> {
    /// The entry point.
    pub entry: Entry,
    /// The functions that it can be.
    pub candidates: &'a [Func],
    /// All arguments but the function.
    pub arguments: &'a [Argument],
    /// What the call returns.
    pub result: CTy,
    /// Where it is.
    pub span: Span,
}

/// Why there is no derivative to choose from.
#[derive(Clone, Debug)]
pub enum NoChoice {
    /// The call is malformed for a function.
    Malformed(Malformed),
    /// A function cannot be differentiated.
    Error(AdError),
}

/// The functions of a module whose address is taken and that can be called as a function of this type.
pub fn callable_as(module: &Module, function: CTy) -> Vec<Func> {
    let wanted = Signature::of(&module.types, function);
    let mut taken = BTreeSet::new();
    for f in module.funcs.values() {
        if let Some(body) = &f.body {
            body.walk(|inst| {
                if let Op::FuncAddr(f) = body.insts[inst].op {
                    taken.insert(f);
                }
            });
        }
    }
    for global in module.globals.values() {
        for reloc in global.init.iter().flat_map(|i| &i.relocs) {
            if let RelocTarget::Func(f) = reloc.target {
                taken.insert(f);
            }
        }
    }
    taken
        .into_iter()
        .filter(|&f| {
            let data = &module.funcs[f];
            data.body.is_some()
                && wanted.is_some()
                && Signature::of(&module.types, data.ctype) == wanted
        })
        .collect()
}

impl Entries {
    /// The function that a call becomes a call of: its first parameter is the pointer, the others as for [`Entries::target`]. With it, the specification that
    /// says what the arguments are for.
    pub fn choice(
        &mut self,
        module: &mut Module,
        call: Unsure<'_>,
    ) -> Result<(Func, Specification), NoChoice> {
        let mut found: Vec<(Func, Func, Specification)> = Vec::new();
        let mut why = None;
        for &candidate in call.candidates {
            let spec = match specify(module, call.entry, candidate, call.arguments, call.result) {
                Ok(spec) => spec,
                Err(malformed) => {
                    why.get_or_insert(NoChoice::Malformed(malformed));
                    continue;
                }
            };
            // All must take the same arguments.
            let same =
                |other: &Specification| other.roles == spec.roles && other.params == spec.params;
            if found.iter().any(|(.., other)| !same(other)) {
                continue;
            }
            match self.target(module, &spec, call.span) {
                Ok(target) => found.push((candidate, target, spec)),
                Err(error) => {
                    why.get_or_insert(NoChoice::Error(error));
                }
            }
        }
        let Some((first, target, spec)) = found.first().cloned() else {
            return Err(why.unwrap_or(NoChoice::Error(AdError::new(
                call.span,
                "a function that is known only by a pointer: no function can be meant",
            ))));
        };
        let key = (
            found.iter().map(|&(f, t, _)| (f, t)).collect::<Vec<_>>(),
            call.result,
        );
        if let Some(&chosen) = self.choices.get(&key) {
            return Ok((chosen, spec));
        }
        let suffix = match call.entry {
            Entry::Tangent => "jvp",
            Entry::Errors => "errors",
            Entry::Gradient => "grad",
            Entry::Reverse => "reverse",
            _ => "augmented",
        };
        let name = unused_name(module, &self.taken, &format!("function_{suffix}"));
        let chosen = chooser(module, first, target, &found, name, call.span);
        let chosen = chosen.map_err(NoChoice::Error)?;
        self.choices.insert(key, chosen);
        Ok((chosen, spec))
    }
}

/// Makes the function that chooses.
fn chooser(
    module: &mut Module,
    first: Func,
    like: Func,
    found: &[(Func, Func, Specification)],
    name: String,
    span: Span,
) -> Result<Func, AdError> {
    let message = message(module, span);
    let void = module.types.void();
    let complain = {
        let char_ = module.types.basic(Basic::Char);
        let quals = Quals {
            is_const: true,
            ..Default::default()
        };
        let constant = module.types.qualified(char_, quals);
        let text = module.types.pointer(constant);
        external(module, "adjoin_complain", void, &[text])
    };
    let abort = external(module, "abort", void, &[]);
    let CTypeKind::Function { ret, params, .. } =
        module.types.shape(module.funcs[like].ctype).clone()
    else {
        return Err(AdError::new(span, "what is not a function"));
    };
    let pointer = module.types.pointer(module.funcs[first].ctype);
    let mut all = vec![pointer];
    all.extend(params);
    let mut names = vec![Some("function".to_string())];
    names.extend(module.funcs[like].param_names.clone());
    let ctype = module.types.intern(CTypeKind::Function {
        ret,
        params: all,
        variadic: false,
        prototyped: true,
    });
    let mut body = Body::with_params(&module.types, ctype, &names)
        .ok_or_else(|| AdError::new(span, "a parameter of this type"))?;
    let arguments = body.regions[body.entry].args.clone();
    let mut b = Builder::new(&mut body);
    b.span = span;
    for (function, target, _) in found {
        let address = b.func(*function);
        let same = b.eq(arguments[0], address);
        let (_, yes, no) = b.if_(same, &[]);
        let signature = Signature::of(&module.types, module.funcs[*target].ctype);
        b.inside(yes, |b| {
            let mut operands: Vec<Value> = arguments[1..].to_vec();
            let Some(signature) = &signature else { return };
            match signature.ret {
                Return::Aggregate(t) => {
                    let object = b.slot(t, Some("result"));
                    operands.insert(0, object);
                    b.call(signature, *target, operands, Vec::new());
                    b.ret(&[object]);
                }
                _ => {
                    let v = b.call(signature, *target, operands, Vec::new());
                    b.ret(v.as_slice());
                }
            }
        });
        b.inside(no, |b| {
            b.yield_(&[]);
        });
    }
    let text = b.global(message);
    for (func, operands) in [(complain, vec![text]), (abort, Vec::new())] {
        if let Some(signature) = Signature::of(&module.types, module.funcs[func].ctype) {
            b.call(&signature, func, operands, Vec::new());
        }
    }
    b.unreachable();
    Ok(module.funcs.push(Function {
        name,
        ctype,
        param_names: names,
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span,
        body: Some(body),
    }))
}

/// What to say before giving up.
fn message(module: &mut Module, span: Span) -> Global {
    let file = module.files.get(span.file as usize).map_or("?", |f| f);
    let text = format!(
        "adjoin: {file}:{}: a derivative is asked for of a function that was not expected here",
        span.line
    );
    let mut bytes = text.into_bytes();
    bytes.push(0);
    let char_ = module.types.basic(Basic::Char);
    let ctype = module.types.array(char_, Some(bytes.len() as u64));
    module.globals.push(GlobalData {
        name: format!("str.choice.{}", module.globals.len()),
        ctype,
        linkage: Linkage::Literal,
        owner: None,
        init: Some(Init {
            bytes,
            relocs: Vec::new(),
        }),
        thread_local: false,
        align: 0,
        span,
    })
}
