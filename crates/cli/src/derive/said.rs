//! What attributes and pragmas say about functions and globals: taken from the tree, so that it outlives the text, which compilers must not see it in.
//!
//! The pragmas, each on a line of its own at file scope:
//!
//! ```text
//! #pragma adjoin derivative(f) forward(df)          df is f's derivative in forward mode
//! #pragma adjoin derivative(f) reverse(aug, grad)   aug and grad are its forward and reverse sweep
//! #pragma adjoin inactive(f, g, …)                  functions or globals without derivatives
//! #pragma adjoin like(f, log1p)                     f has the derivative of a function that Adjoin knows
//! ```
//!
//! An object takes it to link time as registration arrays of its IR ([`register`]).

use adjoin_ad::entry::inactive;
use adjoin_ad::{Gradient, Registry};
use adjoin_front::Parsed;
use adjoin_front::ast::{Attr, Span, Storage, VarId};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{
    Basic, CTypeKind, Checkpoint, Func, Global, GlobalData, Init, Linkage, Module, Quals, Reloc,
    RelocTarget,
};

/// One thing that is said, and where.
#[derive(Clone, Debug)]
pub struct Said {
    place: Span,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// A function without a derivative.
    Inactive(String),
    /// A function that behaves as a known one.
    Like(String, String),
    /// A variable at file scope without a derivative.
    InactiveGlobal(String),
    /// A parameter of a function without a derivative.
    InactiveParameter(String, usize),
    /// A pragma, behind its first word.
    Pragma(String),
    /// It cannot be meant.
    Wrong(&'static str),
}

const NOT_HERE: &str = "'enzyme_inactive' is supported for functions, globals, and parameters of functions with a body that are no structs";

/// All that a text says.
pub fn all(parsed: &Parsed) -> Vec<Said> {
    let unit = &parsed.unit;
    let mut list = Vec::new();
    for function in unit.funcs.values() {
        for attribute in &function.attrs {
            let what = match &*attribute.name {
                "enzyme_inactive" | "enzyme_inactive_noblock" => {
                    What::Inactive(function.name.clone())
                }
                "enzyme_function_like" => match argument(attribute) {
                    Some(name) => What::Like(function.name.clone(), name),
                    None => What::Wrong("'enzyme_function_like' needs the name of a function"),
                },
                _ => continue,
            };
            let place = function.span;
            list.push(Said { place, what });
        }
    }
    for (id, variable) in unit.vars.iter() {
        let says = |a: &Attr| a.name == "enzyme_inactive" || a.name == "enzyme_inactive_noblock";
        if !variable.attrs.iter().any(says) {
            continue;
        }
        let what = match variable.storage {
            Storage::Global { .. } => What::InactiveGlobal(variable.name.clone()),
            Storage::Param(_) => parameter(parsed, id).unwrap_or(What::Wrong(NOT_HERE)),
            _ => What::Wrong(NOT_HERE),
        };
        let place = variable.span;
        list.push(Said { place, what });
    }
    for pragma in &unit.pragmas {
        if let Some(text) = pragma.text.strip_prefix("adjoin")
            && Checkpoint::of_pragma(&pragma.text).is_none()
        {
            list.push(Said {
                place: pragma.span,
                what: What::Pragma(text.to_string()),
            });
        }
    }
    list
}

/// Whose parameter a variable is.
fn parameter(parsed: &Parsed, id: VarId) -> Option<What> {
    let mut functions = parsed.unit.funcs.values();
    functions.find_map(|f| {
        let index = f.params.iter().position(|&p| p == id)?;
        Some(What::InactiveParameter(f.name.clone(), index))
    })
}

fn argument(attribute: &Attr) -> Option<String> {
    let word = attribute.args.first()?.trim().trim_matches('"');
    Some(word.to_string()).filter(|w| !w.is_empty())
}

/// Makes a module and its registry know it.
pub fn apply(list: &[Said], module: &mut Module, registry: &mut Registry) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for said in list {
        if let Err(message) = one(&said.what, module, registry) {
            errors.push(Diagnostic::error(said.place, message));
        }
    }
    errors
}

fn one(what: &What, module: &mut Module, registry: &mut Registry) -> Result<(), String> {
    match what {
        What::Inactive(function) => registry.inactive.extend(module.find_func(function)),
        What::Like(function, name) => {
            if let Some(func) = module.find_func(function) {
                registry.like.insert(func, name.clone());
            }
        }
        What::InactiveGlobal(name) => registry.inactive_globals.extend(find_global(module, name)),
        What::InactiveParameter(function, index) => {
            let func = module.find_func(function);
            if !func.is_some_and(|f| inactive::parameter(module, registry, f, *index)) {
                return Err(NOT_HERE.to_string());
            }
        }
        What::Pragma(text) => directive(module, registry, text)?,
        What::Wrong(message) => return Err(message.to_string()),
    }
    Ok(())
}

/// Puts what is said of a unit into its module as registration arrays, which go with its functions wherever they go.
pub fn register(module: &mut Module, registry: &Registry, unit: &str) {
    let mut list: Vec<(&str, Vec<RelocTarget>)> = Vec::new();
    for (&f, gradient) in &registry.gradients {
        let all = [f, gradient.augmented, gradient.reverse].map(RelocTarget::Func);
        list.push(("register_gradient", all.to_vec()));
    }
    for (&f, &derivative) in &registry.derivatives {
        let all = [f, derivative].map(RelocTarget::Func);
        list.push(("register_derivative", all.to_vec()));
    }
    for (&f, name) in &registry.like {
        let text = literal(module, name, unit);
        let all = [RelocTarget::Func(f), RelocTarget::Global(text)];
        list.push(("function_like", all.to_vec()));
    }
    for &f in &registry.inactive {
        list.push(("inactivefn", vec![RelocTarget::Func(f)]));
    }
    for &g in &registry.inactive_globals {
        list.push(("inactive_global", vec![RelocTarget::Global(g)]));
    }
    let void = module.types.intern(CTypeKind::Void);
    let pointer = module.types.pointer(void);
    for (k, (word, targets)) in list.into_iter().enumerate() {
        let ctype = module.types.array(pointer, Some(targets.len() as u64));
        let relocs = (0..).step_by(8).zip(targets);
        let relocs = relocs.map(|(offset, target)| Reloc {
            offset,
            target,
            addend: 0,
        });
        module.globals.push(GlobalData {
            name: format!("__enzyme_{word}_{unit}_{k}"),
            ctype,
            linkage: Linkage::Static,
            owner: None,
            init: Some(Init {
                bytes: Vec::new(),
                relocs: relocs.collect(),
            }),
            thread_local: false,
            align: 0,
            span: Default::default(),
        });
    }
}

/// A string.
fn literal(module: &mut Module, text: &str, unit: &str) -> Global {
    let bytes: Vec<u8> = text.bytes().chain([0]).collect();
    let char = module.types.basic(Basic::Char);
    let quals = Quals {
        is_const: true,
        ..Quals::default()
    };
    let char = module.types.qualified(char, quals);
    let ctype = module.types.array(char, Some(bytes.len() as u64));
    let name = format!("adjoin_like_{unit}_{}", module.globals.len());
    module.globals.push(GlobalData {
        name,
        ctype,
        linkage: Linkage::Literal,
        owner: None,
        init: Some(Init {
            bytes,
            relocs: Vec::new(),
        }),
        thread_local: false,
        align: 0,
        span: Default::default(),
    })
}

fn find_global(module: &Module, name: &str) -> Option<Global> {
    let mut globals = module.globals.iter();
    let found = globals.find(|(_, g)| g.name == name && g.owner.is_none());
    found.map(|(id, _)| id)
}

/// `word(a, b) word(c)`: the words with their arguments.
fn clauses(text: &str) -> Option<Vec<(String, Vec<String>)>> {
    let mut list = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, after) = rest.split_once('(')?;
        let (inside, after) = after.split_once(')')?;
        let arguments = inside.split(',').map(|a| a.trim().to_string()).collect();
        list.push((word.trim().to_string(), arguments));
        rest = after.trim_start_matches([',', ' ', '\t']);
    }
    Some(list)
}

/// One pragma.
fn directive(module: &Module, registry: &mut Registry, text: &str) -> Result<(), String> {
    const FORMS: &str = "expected `derivative(f) forward(df)`, `derivative(f) reverse(augmented, gradient)`, `inactive(f, …)` or `like(f, name)`";
    let Some(list) = clauses(text) else {
        return Err(FORMS.to_string());
    };
    let func = |name: &String| -> Result<Func, String> {
        module
            .find_func(name)
            .ok_or_else(|| format!("there is no function '{name}'"))
    };
    match &list[..] {
        [(derivative, f), rest @ ..] if derivative == "derivative" && !rest.is_empty() => {
            let [f] = &f[..] else {
                return Err(FORMS.to_string());
            };
            let f = func(f)?;
            for (word, arguments) in rest {
                match (&**word, &arguments[..]) {
                    ("forward", [df]) => {
                        registry.derivatives.insert(f, func(df)?);
                    }
                    ("reverse", [augmented, gradient]) => {
                        let gradient = Gradient {
                            augmented: func(augmented)?,
                            reverse: func(gradient)?,
                        };
                        registry.gradients.insert(f, gradient);
                    }
                    _ => return Err(FORMS.to_string()),
                }
            }
            Ok(())
        }
        [(inactive, names)] if inactive == "inactive" => {
            for name in names {
                match (module.find_func(name), find_global(module, name)) {
                    (Some(f), _) => drop(registry.inactive.insert(f)),
                    (None, Some(g)) => drop(registry.inactive_globals.insert(g)),
                    _ => return Err(format!("there is no function or global '{name}'")),
                }
            }
            Ok(())
        }
        [(like, names)] if like == "like" => {
            let [f, name] = &names[..] else {
                return Err(FORMS.to_string());
            };
            registry
                .like
                .insert(func(f)?, name.trim_matches('"').to_string());
            Ok(())
        }
        _ => Err(FORMS.to_string()),
    }
}
