//! What the user says about functions and globals: registration arrays, attributes, and pragmas.
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
//! `#pragma adjoin checkpoint …` stands before a loop; lowering finds it, here it is only checked.
//!
//! They mean what the arrays mean that Enzyme has for it.

use super::edits::{Edits, lines_of};
use super::places::Places;
use crate::mentions::each_identifier;
use adjoin_ad::entry::inactive;
use adjoin_ad::{Gradient, Registry};
use adjoin_front::Parsed;
use adjoin_front::ast::{Attr, Pragma, Span, Storage, VarId};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Checkpoint, Func, Global, Module};

/// Reads all of it.
pub fn read(parsed: &Parsed, module: &mut Module, registry: &mut Registry) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = Vec::new();
    let unread = registry.read(module);
    if !unread.is_empty() {
        let places = Places::of(parsed);
        for (place, message) in unread {
            let span = places.find(place).unwrap_or_default();
            errors.push(Diagnostic::error(span, message));
        }
    }
    attributes(parsed, module, registry, &mut errors);
    for pragma in &parsed.unit.pragmas {
        let Some(text) = pragma.text.strip_prefix("adjoin") else {
            continue;
        };
        if let Some(how) = Checkpoint::of_pragma(&pragma.text) {
            let behind = &parsed.source.text[pragma.span.end as usize..];
            match how {
                None => errors.push(Diagnostic::error(pragma.span, Checkpoint::FORMS)),
                Some(_) if !is_loop(behind) => errors.push(Diagnostic::error(
                    pragma.span,
                    "'#pragma adjoin checkpoint' must be followed by a loop",
                )),
                Some(_) => {}
            }
            continue;
        }
        if let Err(message) = directive(module, registry, text) {
            errors.push(Diagnostic::error(pragma.span, message));
        }
    }
    errors
}

/// Does a text start with a loop? Other pragmas and line markers may stand before it.
fn is_loop(text: &[u8]) -> bool {
    let mut lines = text.split(|&b| b == b'\n').map(|l| l.trim_ascii());
    let skipped = |l: &[u8]| match l.strip_prefix(b"#") {
        None => l.is_empty(),
        Some(rest) => !rest.trim_ascii_start().starts_with(b"pragma omp"),
    };
    let first = lines.find(|l| !skipped(l));
    let word = first.unwrap_or_default();
    let word = word.split(|b| !b.is_ascii_alphanumeric() && *b != b'_');
    matches!(word.into_iter().next(), Some(b"for" | b"while" | b"do"))
}

/// Takes the pragmas from the text: the compiler would warn of them.
pub fn remove_pragmas(parsed: &Parsed, edits: &mut Edits) {
    for pragma in &parsed.unit.pragmas {
        if pragma.text.starts_with("adjoin") {
            edits.replace(pragma.span, "");
        }
    }
}

/// Is a text of interest that calls no entry point? (Pragmas are.)
pub fn has_pragmas(pragmas: &[Pragma]) -> bool {
    pragmas.iter().any(|p| p.text.starts_with("adjoin"))
}

/// Takes Enzyme's attributes from the text: the compiler does not know them.
pub fn remove_attributes(parsed: &Parsed, edits: &mut Edits) {
    let text = &parsed.source.text;
    let mut lists = Vec::new();
    each_identifier(text, |word| {
        if word == b"__attribute__" || word == b"__attribute" {
            lists.push(word.as_ptr() as usize - text.as_ptr() as usize + word.len());
        }
    });
    for at in lists {
        let Some(open) = text[at..].iter().position(|&b| b == b'(') else {
            continue;
        };
        let Some(list) = inside(text, at + open).and_then(|(outer, _)| {
            let inner = outer + text[outer..].iter().position(|&b| b == b'(')?;
            inside(text, inner)
        }) else {
            continue;
        };
        let mut start = list.0;
        let mut depth = 0;
        for k in list.0..=list.1 {
            match text[k] {
                b'(' => depth += 1,
                b')' if k < list.1 => depth -= 1,
                _ => {}
            }
            if k == list.1 || depth == 0 && text[k] == b',' {
                let word = text[start..k].trim_ascii();
                let word = word.strip_prefix(b"__").unwrap_or(word);
                if word.starts_with(b"enzyme_") {
                    let span = Span {
                        start: start as u32,
                        end: k as u32,
                    };
                    edits.replace(span, lines_of(&text[start..k]));
                }
                start = k + 1;
            }
        }
    }
}

/// What is inside the parentheses that open at a place: from where to where.
fn inside(text: &[u8], open: usize) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    for (k, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some((open + 1, k)),
            b')' => depth = depth.checked_sub(1)?,
            b';' | b'{' => return None,
            _ => {}
        }
    }
    None
}

fn attributes(
    parsed: &Parsed,
    module: &mut Module,
    registry: &mut Registry,
    errors: &mut Vec<Diagnostic>,
) {
    let unit = &parsed.unit;
    for function in unit.funcs.values() {
        let Some(func) = module.find_func(&function.name) else {
            continue;
        };
        for attribute in &function.attrs {
            match &*attribute.name {
                "enzyme_inactive" | "enzyme_inactive_noblock" => {
                    registry.inactive.insert(func);
                }
                "enzyme_function_like" => match argument(attribute) {
                    Some(name) => {
                        registry.like.insert(func, name);
                    }
                    None => errors.push(Diagnostic::error(
                        function.span,
                        "'enzyme_function_like' needs the name of a function",
                    )),
                },
                _ => {}
            }
        }
    }
    for (id, variable) in unit.vars.iter() {
        if !variable
            .attrs
            .iter()
            .any(|a| a.name == "enzyme_inactive" || a.name == "enzyme_inactive_noblock")
        {
            continue;
        }
        match variable.storage {
            Storage::Global { .. } => {
                registry
                    .inactive_globals
                    .extend(find_global(module, &variable.name));
            }
            Storage::Param(_) if inactive_parameter(parsed, id, module, registry) => {}
            _ => errors.push(Diagnostic::error(
                variable.span,
                "'enzyme_inactive' is supported for functions, globals, and parameters of functions with a body that are no structs",
            )),
        }
    }
}

/// Makes a parameter inactive, if that is possible.
fn inactive_parameter(
    parsed: &Parsed,
    id: VarId,
    module: &mut Module,
    registry: &mut Registry,
) -> bool {
    let mut functions = parsed.unit.funcs.values();
    let found = functions.find_map(|f| Some((f, f.params.iter().position(|&p| p == id)?)));
    let Some((function, index)) = found else {
        return false;
    };
    let Some(func) = module.find_func(&function.name) else {
        return false;
    };
    inactive::parameter(module, registry, func, index)
}

fn argument(attribute: &Attr) -> Option<String> {
    let word = attribute.args.first()?.trim().trim_matches('"');
    Some(word.to_string()).filter(|w| !w.is_empty())
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
