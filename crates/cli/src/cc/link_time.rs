//! Derivatives that need several files: made when the program is linked, from the IR that its objects carry.

use super::carry::Carried;
use super::members::{self, Taken};
use super::scan::{Item, Scan, SourceKind};
use crate::derivative::extract;
use crate::failure::Failure;
use crate::{derivative::files, derive};
use adjoin_ad::entry::Entries;
use adjoin_ir::{CTypeKind, Func, Linkage, Module};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What was made.
#[derive(Debug)]
pub struct Made {
    /// C.
    pub text: String,
    /// The flags to compile it with.
    pub flags: Vec<String>,
}

/// Do the objects on the command line ask for derivatives?
pub fn is_asked(scan: &Scan) -> Result<bool, Failure> {
    let units = carried(scan, &[])?.units;
    Ok(units.iter().any(|unit| !unit.header.pending.is_empty()))
}

/// What the objects and archives on the command line carry, as far as they are linked.
pub fn carried(scan: &Scan, sources: &[Carried]) -> Result<Taken, Failure> {
    let objects = scan.inputs().filter(|i| i.kind() == SourceKind::Object);
    let mut files: Vec<PathBuf> = objects.map(|i| PathBuf::from(&i.path)).collect();
    files.extend(archives(scan));
    let whole_archives = scan.items.iter().any(|item| {
        matches!(item, Item::Option(_, words)
            if words.iter().any(|w| w.to_string_lossy().contains("whole-archive")))
    });
    // What a function without IR calls is not known.
    let refused = sources.iter().any(|unit| !unit.header.refusals.is_empty());
    let nothing = sources.is_empty() && !scan.inputs().any(|i| i.kind() == SourceKind::Object);
    members::taken(&files, sources, whole_archives || refused || nothing)
}

/// The static libraries that `-l` finds where `-L` says.
pub fn archives(scan: &Scan) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    let mut names = Vec::new();
    for item in &scan.items {
        let Item::Option(_, words) = item else {
            continue;
        };
        let word = words[0].to_string_lossy();
        let value = |prefix: &str| -> Option<String> {
            let rest = word.strip_prefix(prefix)?;
            match rest.is_empty() {
                true => words.get(1).map(|w| w.to_string_lossy().into_owned()),
                false => Some(rest.to_string()),
            }
        };
        if let Some(directory) = value("-L") {
            directories.push(PathBuf::from(directory));
        } else if let Some(name) = value("-l") {
            names.push(name);
        }
    }
    let found = names.iter().filter_map(|name| {
        let file = match name.strip_prefix(':') {
            Some(file) => file.to_string(),
            None => format!("lib{name}.a"),
        };
        directories
            .iter()
            .map(|directory| directory.join(&file))
            .find(|path| path.is_file())
    });
    found.collect()
}

/// Makes all that the units ask for; `whole`: there are no others in the program. `None`: they ask for nothing.
pub fn make(
    units: &[Carried],
    whole: bool,
    options: adjoin_ad::Options,
) -> Result<Option<Made>, Failure> {
    if units.iter().all(|unit| unit.header.pending.is_empty()) {
        return Ok(None);
    }
    let mut program = Module::default();
    for unit in units {
        program.absorb(&unit.module, &unit.header.unit);
    }
    crate::pipeline::run_passes(&mut program, None)?;
    let theirs = program.funcs.len();
    let mut entries = Entries::new(BTreeSet::new());
    entries.session.options = options;
    entries.session.last = true;
    if let Some((_, message)) = entries.session.registry.read(&program).into_iter().next() {
        return Err(Failure::new(message));
    }
    match units.iter().all(|unit| unit.header.refusals.is_empty()) {
        true => {
            entries.session.registry.whole = whole;
            entries.session.registry.all_seen = true;
        }
        // What their functions do to variables is not known.
        false => entries.session.registry.unseen = program.globals.keys().collect(),
    }
    let mut symbols = Vec::new();
    let mut flags = Vec::new();
    for unit in units {
        for wanted in &unit.header.pending {
            symbols.push(one(&mut program, &mut entries, units, wanted)?);
            if flags.is_empty() {
                flags.clone_from(&unit.header.flags);
            }
        }
    }
    adjoin_ad::complete(&mut program);
    let is_made = |f: Func| f.as_u32() as usize >= theirs || symbols.contains(&f);
    derive::tidy(&mut program, is_made);
    // What the program defines stays where it is.
    for (func, function) in program.funcs.iter_mut() {
        if !is_made(func) && function.linkage == Linkage::External {
            function.body = None;
        }
    }
    if let Err(found) = adjoin_ir::verify_module(&program) {
        return Err(Failure::new(format!(
            "internal error in adjoin: the derivative's IR is not valid: {}",
            found[0]
        )));
    }
    let needed = extract::extract(&program, &symbols, false);
    Ok(Some(Made {
        text: files::module_text(&needed),
        flags,
    }))
}

/// Defines the function that a unit calls.
fn one(
    program: &mut Module,
    entries: &mut Entries,
    units: &[Carried],
    wanted: &derive::Pending,
) -> Result<Func, Failure> {
    let missing = |what: &str| {
        let said = units
            .iter()
            .flat_map(|unit| &unit.header.refusals)
            .find(|(name, _)| name == what);
        let reason = said.map_or("its body is in none of the files", |(_, reason)| reason);
        Failure::new(format!(
            "{}: cannot differentiate '{what}': {reason}",
            wanted.place
        ))
    };
    let func = program
        .find_func(&wanted.function)
        .ok_or_else(|| missing(&wanted.function))?;
    if program.funcs[func].body.is_none() {
        return Err(missing(&wanted.function));
    }
    let symbol = program
        .find_func(&wanted.symbol)
        .ok_or_else(|| missing(&wanted.symbol))?;
    let ctype = program.funcs[symbol].ctype;
    let CTypeKind::Function { ret, .. } = program.types.shape(ctype) else {
        return Err(missing(&wanted.symbol));
    };
    let spec = wanted.specification(func, *ret);
    let span = program.funcs[symbol].span;
    let made = entries.target(program, &spec, span).map_err(|error| {
        let at = error.span;
        let file = program.files.get(at.file as usize).map_or("?", |f| f);
        Failure::new(format!("{file}:{}:{}: {}", at.line, at.col, error.message))
            .help(format!("the derivative is asked for at {}", wanted.place))
    })?;
    let new = program.funcs[made].clone();
    let function = &mut program.funcs[symbol];
    function.body = new.body;
    function.ctype = new.ctype;
    function.param_names = new.param_names;
    Ok(symbol)
}
