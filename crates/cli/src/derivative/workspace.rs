//! `--workspace`: the derivative with memory of the caller, and how much that is.

use super::Companion;
use super::names::Names;
use super::public::{Public, What};
use adjoin_ad::{AdError, Session};
use adjoin_ir::Module;

/// Adds both functions for a public one to the module; their bodies are there, not in the text.
pub fn add(
    module: &mut Module,
    session: &Session,
    names: &mut Names,
    public: &Public,
) -> Result<Vec<Companion>, AdError> {
    let Some(func) = module.find_func(&public.name) else {
        return Ok(Vec::new());
    };
    let name = names.fresh(&format!("{}_workspace", public.name));
    let size = names.fresh(&format!("{}_workspace_size", public.name));
    let made = adjoin_ad::workspace::make(module, &session.registry, func, [&name, &size])?;
    let parameters = module.funcs[made.function].param_names.clone();
    let mut last = parameters.into_iter().flatten().rev().take(2);
    let (bytes, memory) = (
        last.next().unwrap_or_default(),
        last.next().unwrap_or_default(),
    );
    let mut with = Public {
        name: name.clone(),
        note: None,
        ..public.clone()
    };
    let what = format!("scratch: as many bytes as {size} says, aligned as by malloc");
    with.add(format!("void *{memory}"), &memory, What::Text(what));
    let what = "in: how many bytes there are".to_string();
    with.add(format!("unsigned long {bytes}"), &bytes, What::Text(what));
    let of_size = Public {
        name: size.clone(),
        returns: "unsigned long".into(),
        returns_value: false,
        note: None,
        ..public.clone()
    };
    let companion = |public: Public, title: String, notes: Vec<String>| Companion {
        public,
        title,
        notes,
        text: String::new(),
        includes: Vec::new(),
    };
    Ok(vec![
        companion(
            with,
            format!("{} with all that it keeps for the reverse sweep in memory of the caller.", public.name),
            vec!["Too few bytes are a message on standard error and abort(). Nothing is kept after the call.".into()],
        ),
        companion(
            of_size,
            format!("how many bytes {name} needs with these arguments."),
            vec!["Only what says how large arrays are is read.".into()],
        ),
    ])
}
