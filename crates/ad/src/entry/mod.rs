//! The Enzyme entry points: what a call asks for, and the function that it becomes a call of.
//!
//! [`specification`] reads a call, from C text or from the IR. [`Entries`] makes the functions, each once; its `wrappers` fit what the session makes to
//! the arguments and the declared result of the call. `call_sites` finds out what is known of what a call passes. `nested` replaces calls inside functions that are differentiated themselves, innermost first, so that
//! the outer differentiation sees an ordinary call of a function with a body.

mod call_sites;
mod dispatch;
pub mod inactive;
mod nested;
mod special;
mod specification;
mod wrappers;

pub use call_sites::{constants, disjoint, extents};
pub use dispatch::{NoChoice, Unsure, callable_as};
pub use specification::{
    Argument, Entry, Malformed, Parameter, Role, Specification, contents, entry_point, leaves,
    specify,
};

use crate::{AdError, Options, Request, Session, Split};
use adjoin_ir::{CTy, CTypeKind, Func, Module, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What the two halves of a derivative are known by.
type PairKey = (Request, bool, bool);

/// Functions with their derivatives, and what these return.
type ChoiceKey = (Vec<(Func, Func)>, CTy);

/// Makes the functions that calls of entry points become calls of.
#[derive(Debug, Default)]
pub struct Entries {
    /// The session that differentiates.
    pub session: Session,
    /// Names that new functions must not have, besides those of the module.
    pub taken: BTreeSet<String>,
    /// May several directions at once be vectors? (See [`Options::vectors`].)
    pub vectors: bool,
    /// With or without vectors.
    made: BTreeMap<(bool, Specification), Func>,
    pairs: BTreeMap<PairKey, Split>,
    /// Functions that choose among derivatives at run time.
    choices: BTreeMap<ChoiceKey, Func>,
    /// Functions that only call another, whose derivative is registered.
    stand_ins: BTreeMap<Func, Func>,
    /// Functions whose nested calls have been replaced.
    resolved: BTreeSet<Func>,
    /// Functions that are being differentiated.
    open: Vec<Func>,
    /// Functions in lower precision.
    truncated: BTreeMap<Func, Func>,
}

impl Entries {
    /// None made yet; new functions will have none of these names.
    pub fn new(taken: BTreeSet<String>) -> Entries {
        Entries {
            taken,
            ..Default::default()
        }
    }

    /// The function that a call becomes a call of: its parameters are the arguments whose role is not [`Role::Dropped`], in order.
    pub fn target(
        &mut self,
        module: &mut Module,
        spec: &Specification,
        span: Span,
    ) -> Result<Func, AdError> {
        // Whether a marker was written does not matter any more.
        let mut spec = spec.clone();
        spec.roles.retain(|role| *role != Role::Dropped);
        let spec = &spec;
        // What is inside of another function may be differentiated with it.
        let vectors = self.vectors && self.open.is_empty();
        if let Some(&func) = self.made.get(&(vectors, spec.clone())) {
            return Ok(func);
        }
        let name = module.funcs[spec.func].name.clone();
        if self.open.contains(&spec.func) {
            return Err(AdError::new(
                span,
                format!("'{name}': its derivative is asked for inside of it"),
            ));
        }
        self.open.push(spec.func);
        let resolved = self.resolve(module, spec.func);
        self.open.pop();
        resolved?;
        self.check_runtime_activity(module, spec, span)?;
        let options = Options {
            strong_zero: spec.strong_zero,
            runtime_activity: spec.runtime_activity,
            errors: spec.entry == Entry::Errors,
            ..self.session.options
        };
        if options != self.session.options {
            // What was made under other switches is not to be found.
            self.session = Session {
                registry: std::mem::take(&mut self.session.registry),
                options,
                ..Session::default()
            };
        }
        self.session.options.vectors = vectors;
        // An error of zero says nothing about the results.
        self.session.options.outermost = vectors && !options.errors;
        self.likes(module)?;
        let stand_in = Specification {
            func: self.stand_in(module, spec.func)?,
            ..spec.clone()
        };
        let func = self.make(module, &stand_in, spec.func)?;
        self.made.insert((vectors, spec.clone()), func);
        Ok(func)
    }

    /// Declares the function that a call becomes a call of, for someone else to define.
    pub fn declare(
        &self,
        module: &mut Module,
        spec: &Specification,
        symbol: &str,
    ) -> Result<Func, AdError> {
        wrappers::declaration(module, spec, symbol)
    }

    /// Activity that is found out at run time: not with the sweeps apart.
    fn check_runtime_activity(
        &self,
        module: &Module,
        spec: &Specification,
        span: Span,
    ) -> Result<(), AdError> {
        let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[spec.func].ctype)
        else {
            return Ok(());
        };
        let pointers = params.iter().zip(&spec.params).any(|(&t, p)| {
            let (_, pointers) = contents(&module.types, t);
            p.activity.has_shadow() && pointers
        });
        let apart = matches!(spec.entry, Entry::Augmented | Entry::Reverse);
        if spec.runtime_activity && pointers && apart {
            let name = &module.funcs[spec.func].name;
            return Err(AdError::new(
                span,
                format!("'{name}' with 'enzyme_runtime_activity' in this mode: not yet"),
            ));
        }
        Ok(())
    }

    fn make(
        &mut self,
        module: &mut Module,
        spec: &Specification,
        named: Func,
    ) -> Result<Func, AdError> {
        match spec.entry {
            Entry::Gradient | Entry::Tangent | Entry::Errors => {
                let suffix = match spec.entry {
                    Entry::Tangent => "jvp",
                    Entry::Errors => "errors",
                    _ => "grad",
                };
                let name = self.name(module, named, suffix);
                let request = spec.request(name.clone());
                let inner = if spec.entry.is_forward() {
                    self.session.forward(module, &request)?
                } else {
                    self.session.reverse(module, &request)?
                };
                if wrappers::is_direct(spec) {
                    return Ok(inner);
                }
                let name = self.name(module, named, suffix);
                wrappers::rearranged(module, spec, inner, name)
            }
            Entry::TapeSize => {
                let name = self.name(module, named, "tape_size");
                wrappers::tape_size(module, spec, name)
            }
            Entry::Augmented => {
                let split = self.pair(module, spec)?;
                let name = self.name(module, named, "augmented");
                wrappers::augmented(module, spec, split, name)
            }
            Entry::Reverse => {
                let split = self.pair(module, spec)?;
                let name = self.name(module, named, "reverse");
                wrappers::reverse(module, spec, split, name)
            }
            Entry::Shadow => {
                let name = self.name(module, named, "shadow");
                wrappers::shadow(module, spec, name)
            }
            Entry::Batch => {
                let name = self.name(module, named, "batch");
                wrappers::batch(module, spec, named, name)
            }
            Entry::Identity | Entry::Hint | Entry::Truncated | Entry::Rounded | Entry::Unknown => {
                Err(AdError::new(
                    module.funcs[spec.func].span,
                    "through this entry point",
                ))
            }
        }
    }

    /// The two halves, made once for all calls with the same activities.
    fn pair(&mut self, module: &mut Module, spec: &Specification) -> Result<Split, AdError> {
        let request = Request {
            primal_return: false,
            result: None,
            ..spec.request(String::new())
        };
        let key = (request, spec.strong_zero, spec.runtime_activity);
        if let Some(&split) = self.pairs.get(&key) {
            return Ok(split);
        }
        let request = Request {
            name: self.name(module, spec.func, "split"),
            ..key.0.clone()
        };
        let split = self.session.split(module, &request)?;
        self.pairs.insert(key, split);
        Ok(split)
    }

    /// A function in single precision, made once.
    pub fn truncated(&mut self, module: &mut Module, func: Func) -> Result<Func, AdError> {
        crate::truncate::function(module, func, &self.taken, &mut self.truncated)
    }

    /// A name that nothing has.
    fn name(&self, module: &Module, func: Func, suffix: &str) -> String {
        let base = format!("{}_{suffix}", module.funcs[func].name);
        unused_name(module, &self.taken, &base)
    }
}

/// A name like `base` that neither a function nor a global of the module nor anything else that is `taken` has.
pub fn unused_name(module: &Module, taken: &BTreeSet<String>, base: &str) -> String {
    let free = |name: &str| {
        !taken.contains(name)
            && module.funcs.values().all(|f| f.name != name)
            && module.globals.values().all(|g| g.name != name)
    };
    if free(base) {
        return base.to_string();
    }
    let mut number = 1;
    loop {
        let name = format!("{base}_{number}");
        if free(&name) {
            return name;
        }
        number += 1;
    }
}
