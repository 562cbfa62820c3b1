//! Which objects a link takes: all that are named, and of archives the members that define what is still missing, as a linker chooses them. A derivative must not
//! ask more of the program: functions of other members are none of those that a pointer can hold.

use super::carry::{self, Carried};
use crate::failure::Failure;
use adjoin_ir::{Linkage, Module};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What is linked beside the sources of a command.
#[derive(Debug, Default)]
pub struct Taken {
    /// The units of all objects.
    pub units: Vec<Carried>,
    /// No object lacks its unit.
    pub complete: bool,
}

/// An object file, by itself or in an archive.
struct Candidate<'a> {
    bytes: &'a [u8],
    defined: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

/// Chooses from the files of a command. `sources`: the units of its sources; `everything`: archives are taken whole.
pub fn taken(files: &[PathBuf], sources: &[Carried], everything: bool) -> Result<Taken, Failure> {
    let mut all = Taken {
        complete: true,
        ..Taken::default()
    };
    // The linker will say what is wrong with files that cannot be read.
    let read = |path: &PathBuf| (path.clone(), std::fs::read(path).unwrap_or_default());
    let contents: Vec<(PathBuf, Vec<u8>)> = files.iter().map(read).collect();
    let mut defined = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for unit in sources {
        names(&unit.module, &mut defined, &mut missing);
    }
    let lying_apart = thin_members(&contents);
    let mut waiting: Vec<(&Path, Candidate<'_>)> = Vec::new();
    let apart = lying_apart.iter();
    waiting.extend(apart.map(|(path, bytes)| (&**path, candidate(bytes))));
    for (path, bytes) in &contents {
        let Ok(archive) = ArchiveFile::parse(&**bytes) else {
            let object = candidate(bytes);
            defined.extend(object.defined);
            missing.extend(object.undefined);
            missing.extend(take(path, bytes, &mut all)?);
            continue;
        };
        let members = archive.members().flatten().filter(|m| !m.is_thin());
        let members = members.filter_map(|m| m.data(&**bytes).ok());
        waiting.extend(members.map(|bytes| (&**path, candidate(bytes))));
    }
    loop {
        let wanted = |c: &Candidate<'_>| {
            let mut names = c.defined.iter();
            everything || names.any(|n| missing.contains(n) && !defined.contains(n))
        };
        let Some(k) = waiting.iter().position(|(_, c)| wanted(c)) else {
            break;
        };
        let (path, member) = waiting.remove(k);
        defined.extend(member.defined);
        missing.extend(member.undefined);
        missing.extend(take(path, member.bytes, &mut all)?);
    }
    // An archive may be named twice.
    let mut seen = BTreeSet::new();
    all.units
        .retain(|unit| seen.insert(unit.header.unit.clone()));
    Ok(all)
}

/// The members of thin archives, which are files of their own.
fn thin_members(contents: &[(PathBuf, Vec<u8>)]) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for (path, bytes) in contents {
        let archive = ArchiveFile::parse(&**bytes).ok().filter(|a| a.is_thin());
        let Some(archive) = archive else { continue };
        let directory = path.parent().unwrap_or(Path::new(""));
        for member in archive.members().flatten() {
            let file = directory.join(OsStr::from_bytes(member.name()));
            let bytes = std::fs::read(&file).unwrap_or_default();
            found.push((file, bytes));
        }
    }
    found
}

/// Takes the units of an object. The answer: what their IR asks for. The object itself may not, where derivatives are all that needs it.
fn take(path: &Path, bytes: &[u8], all: &mut Taken) -> Result<BTreeSet<String>, Failure> {
    let units = carry::of_object(bytes).map_err(|reason| {
        Failure::new(format!(
            "cannot read the IR in `{}`: {reason}",
            path.display()
        ))
    })?;
    let mut asked = BTreeSet::new();
    for unit in &units {
        names(&unit.module, &mut BTreeSet::new(), &mut asked);
        asked.extend(unit.header.pending.iter().map(|p| p.function.clone()));
    }
    all.complete &= !units.is_empty();
    all.units.extend(units);
    Ok(asked)
}

fn candidate(bytes: &[u8]) -> Candidate<'_> {
    let mut found = Candidate {
        bytes,
        defined: BTreeSet::new(),
        undefined: BTreeSet::new(),
    };
    let Ok(object) = object::File::parse(bytes) else {
        return found;
    };
    for symbol in object.symbols().filter(|s| s.is_global()) {
        let Ok(name) = symbol.name() else { continue };
        if !symbol.is_undefined() {
            found.defined.insert(name.to_string());
        } else if !symbol.is_weak() {
            found.undefined.insert(name.to_string());
        }
    }
    found
}

/// What a unit's IR defines and asks for.
fn names(module: &Module, defined: &mut BTreeSet<String>, missing: &mut BTreeSet<String>) {
    let functions = module.funcs.values();
    let functions = functions.map(|f| (&f.name, f.linkage, f.body.is_some()));
    let globals = module.globals.values();
    let globals = globals.map(|g| (&g.name, g.linkage, g.init.is_some()));
    for (name, linkage, here) in functions.chain(globals) {
        match (linkage, here) {
            (Linkage::External, true) => drop(defined.insert(name.clone())),
            (Linkage::External, false) => drop(missing.insert(name.clone())),
            _ => {}
        }
    }
}
