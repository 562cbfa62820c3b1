//! `adjoin cc`: a drop-in for the C compiler.
//!
//! Without `--through-ir` it becomes the compiler, with the arguments untouched. With it, every C source is
//! preprocessed, taken through the IR and written to a temporary `.i` file; then the user's own command runs once, with
//! the `.i` files in the place of the sources. So the compiler sees all of its flags in their order, and objects,
//! linking, debug information and messages are as it makes them.

mod carry;
mod comments;
mod dependencies;
mod link_time;
mod members;
mod response;
mod scan;
mod silent;
mod standards;
mod through_ir;

use crate::failure::{Failure, Outcome};
use crate::passes::{self, PassOptions};
use crate::toolchain::Compiler;
use scan::{Goal, Item, Scan, SourceKind};
use std::ffi::OsString;

/// The first version of clang that runs loops in lanes though their iterations hand several numbers on.
const HANDS_ON: Option<u32> = Some(16);

/// Runs `adjoin cc` with the arguments after `cc`.
pub fn run(arguments: &[OsString]) -> Result<Outcome, Failure> {
    let (own, rest) = take_own_options(arguments)?;
    let mut compiler = Compiler::choose(own.cc.as_deref());
    let mut scan = Scan::new(&response::expand(&rest));
    scan.options = own.options;
    scan.options.for_gcc = compiler.is_gcc();
    compiler.verbose = scan.verbose;
    let asked = asks_for_derivatives(&scan) || (links_units(&scan) && link_time::is_asked(&scan)?);
    let reads_sources = own.through_ir || carries(&scan);
    if (scan.compiles_c() && (reads_sources || asked)) || (links_units(&scan) && asked) {
        own.passes.apply()?;
        scan.options.hands_on |= compiler.clang_version() >= HANDS_ON;
        let outcome = through_ir::run(&compiler, &scan, own.through_ir, own.report.as_deref());
        passes::print_times();
        return outcome;
    }
    Err(compiler.exec(&rest))
}

/// Do the objects of this command carry IR? (With link-time optimisation there is no section to put it in: then they are ordinary objects.)
fn carries(scan: &Scan) -> bool {
    scan.goal == Goal::Object
}

/// Is what is differentiated perhaps in other files, which are linked with these?
fn is_part(scan: &Scan) -> bool {
    carries(scan) || links_units(scan) || scan.syntax_only
}

/// Is a program linked from several units that may carry IR?
fn links_units(scan: &Scan) -> bool {
    let sources = scan.inputs().filter(|input| input.is_c()).count();
    let is_object = |input: &scan::Input| input.kind() == SourceKind::Object && input.path != "-";
    scan.goal == Goal::Program
        && !scan.dry_run
        && (sources > 1 || scan.inputs().any(is_object) || !link_time::archives(scan).is_empty())
}

/// Does some source mention the entry points of differentiation?
fn asks_for_derivatives(scan: &Scan) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    let directories = include_directories(scan);
    let files = scan.inputs().filter(|input| input.is_c());
    let named_by_options = scan.items.iter().any(|item| match item {
        Item::Option(_, words) => {
            let text = |word: &OsString| word.to_string_lossy().contains("__enzyme_");
            let forced = ["-include", "-imacros"].map(OsString::from);
            words.iter().any(text)
                || forced.contains(&words[0])
                    && words.get(1).is_some_and(|file| {
                        mentions_entry_points(std::path::Path::new(file), &directories, &mut seen)
                    })
        }
        _ => false,
    });
    named_by_options
        || files.into_iter().any(|input| {
            mentions_entry_points(std::path::Path::new(&input.path), &directories, &mut seen)
        })
}

/// Where the user's headers are, beside the sources.
fn include_directories(scan: &Scan) -> Vec<std::path::PathBuf> {
    let mut directories = Vec::new();
    for item in &scan.items {
        let Item::Option(_, words) = item else {
            continue;
        };
        let Some(first) = words[0].to_str() else {
            continue;
        };
        for name in ["-I", "-iquote", "-isystem", "-idirafter"] {
            if let Some(joined) = first.strip_prefix(name) {
                let value = match joined.is_empty() {
                    true => words.get(1).map(std::path::PathBuf::from),
                    false => Some(joined.into()),
                };
                directories.extend(value);
                break;
            }
        }
    }
    directories
}

/// Does a file mention them, or a header of the user's that it includes?
fn mentions_entry_points(
    file: &std::path::Path,
    directories: &[std::path::PathBuf],
    seen: &mut std::collections::BTreeSet<std::path::PathBuf>,
) -> bool {
    // Standard input can be read only once.
    if file.as_os_str() == "-" {
        return true;
    }
    if !seen.insert(file.to_owned()) {
        return false;
    }
    let Ok(bytes) = std::fs::read(file) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes);
    if text.contains("__enzyme_") {
        return true;
    }
    let own = file.parent().unwrap_or(std::path::Path::new(""));
    text.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let include = directive
            .and_then(|rest| rest.strip_prefix("include"))
            .map(str::trim_start);
        // A header that a macro names may be anything.
        let by_macro = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if include.is_some_and(|rest| by_macro(rest.trim_start_matches("_next").trim_start())) {
            return true;
        }
        let name = include
            .and_then(|rest| rest.strip_prefix(['"', '<']))
            .and_then(|rest| rest.split(['"', '>']).next());
        name.is_some_and(|name| {
            mentions_entry_points(&own.join(name), directories, seen)
                || directories
                    .iter()
                    .any(|d| mentions_entry_points(&d.join(name), directories, seen))
        })
    })
}

/// The options that are Adjoin's and not the compiler's.
#[derive(Default, Debug, PartialEq, Eq)]
struct OwnOptions {
    through_ir: bool,
    options: adjoin_ad::Options,
    passes: PassOptions,
    report: Option<std::path::PathBuf>,
    cc: Option<OsString>,
}

/// Takes Adjoin's options out of the arguments.
fn take_own_options(arguments: &[OsString]) -> Result<(OwnOptions, Vec<OsString>), Failure> {
    let mut own = OwnOptions::default();
    let mut rest = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = |name: &str| -> Result<Option<OsString>, Failure> {
            let Some(after) = word.to_str().and_then(|word| word.strip_prefix(name)) else {
                return Ok(None);
            };
            if let Some(joined) = after.strip_prefix('=') {
                return Ok(Some(joined.into()));
            }
            if !after.is_empty() {
                return Ok(None);
            }
            match words.next() {
                Some(value) => Ok(Some(value.clone())),
                None => Err(Failure::new(format!("`{name}` needs an argument"))),
            }
        };
        if word == "--through-ir" {
            own.through_ir = true;
        } else if word == "-fadjoin-deterministic" {
            own.options.deterministic = true;
        } else if word == "-fadjoin-hand-on" {
            // As for compilers that are known to run such loops in lanes.
            own.options.hands_on = true;
        } else if let Some(limit) =
            (word.to_str()).and_then(|w| w.strip_prefix("-fadjoin-memory-limit="))
        {
            let limit = crate::derivative::options::bytes(limit);
            own.options.memory_limit =
                Some(limit.map_err(|e| Failure::new(format!("`-fadjoin-memory-limit`: {e}")))?);
        } else if word.to_str().is_some_and(|w| own.passes.take(w)) {
            // Taken.
        } else if let Some(names) = value("--no-pass")? {
            let names = names.to_string_lossy();
            (own.passes.no_pass).extend(names.split(',').map(str::to_owned));
        } else if let Some(file) = value("--through-ir-report")? {
            own.report = Some(file.into());
        } else if let Some(program) = value("--cc")? {
            own.cc = Some(program);
        } else {
            rest.push(word.clone());
        }
    }
    Ok((own, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn own_options_are_taken_wherever_they_stand() {
        let (own, rest) = take_own_options(&words(
            "-c --cc clang a.c --through-ir --through-ir-report=r.txt -o a.o",
        ))
        .expect("fine");
        assert_eq!(
            own,
            OwnOptions {
                through_ir: true,
                report: Some("r.txt".into()),
                cc: Some("clang".into()),
                ..OwnOptions::default()
            }
        );
        assert_eq!(rest, words("-c a.c -o a.o"));
    }

    #[test]
    fn a_missing_value_is_an_error() {
        assert!(take_own_options(&words("a.c --cc")).is_err());
    }
}
