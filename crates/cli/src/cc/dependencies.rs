//! Dependency files (`-MD` and its family). The preprocessing step writes them, and has to be told the names that the
//! compiler would have chosen had it seen the user's command: it cannot know them from a bare `-E`.

use super::scan::{Goal, Input, Item, Role, Scan};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The dependency file of one source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependencies {
    /// The flags for the preprocessing step.
    pub flags: Vec<OsString>,
    /// The file it will write: removed again if the source has errors.
    pub file: PathBuf,
}

/// What the dependency options ask for; `None` if there is none that writes a file.
pub fn of(scan: &Scan, input: &Input) -> Option<Dependencies> {
    let options = scan.items.iter().filter_map(|item| match item {
        Item::Option(Role::Dependencies, words) => Some(words),
        _ => None,
    });
    let mut flags = Vec::new();
    let mut enabled = false;
    let mut file = None;
    let mut target = false;
    for words in options {
        let first = words[0].as_bytes();
        match first {
            b"-MD" | b"-MMD" => enabled = true,
            _ if first.starts_with(b"-MF") => {
                file = Some(PathBuf::from(value(words, "-MF")));
                continue;
            }
            _ if first.starts_with(b"-MT") || first.starts_with(b"-MQ") => target = true,
            _ => {}
        }
        flags.extend(words.iter().cloned());
    }
    if !enabled {
        return None;
    }
    let file = file.unwrap_or_else(|| default_file(scan, input));
    flags.extend(["-MF".into(), file.clone().into()]);
    if !target {
        flags.extend(["-MQ".into(), default_target(scan, input)]);
    }
    Some(Dependencies { flags, file })
}

/// The value of an option, joined or separate.
fn value(words: &[OsString], name: &str) -> OsString {
    match words.get(1) {
        Some(separate) => separate.clone(),
        None => OsStr::from_bytes(&words[0].as_bytes()[name.len()..]).to_owned(),
    }
}

/// The output's name with `.d`, else the source's in the current directory.
fn default_file(scan: &Scan, input: &Input) -> PathBuf {
    match &scan.output {
        Some(output) => Path::new(output).with_extension("d"),
        None => with_extension(input.stem(), ".d"),
    }
}

/// The output itself, else the object that the source becomes.
fn default_target(scan: &Scan, input: &Input) -> OsString {
    match (&scan.output, scan.goal) {
        (Some(output), _) => output.clone(),
        (None, Goal::Assembly | Goal::Object | Goal::Program | Goal::Preprocess) => {
            with_extension(input.stem(), ".o").into_os_string()
        }
    }
}

fn with_extension(stem: &OsStr, extension: &str) -> PathBuf {
    let mut name = stem.to_owned();
    name.push(extension);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependencies(text: &str) -> Option<Dependencies> {
        let scan = Scan::new(
            &text
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        );
        let input = scan.inputs().next().cloned().expect("an input");
        of(&scan, &input)
    }

    #[test]
    fn names_are_those_of_the_compiler() {
        let got = dependencies("-MD -c src/a.c").expect("some");
        assert_eq!(got.flags, ["-MD", "-MF", "a.d", "-MQ", "a.o"]);
        let got = dependencies("-MMD -MP -c src/a.c -o obj/x.y.o").expect("some");
        assert_eq!(
            got.flags,
            ["-MMD", "-MP", "-MF", "obj/x.y.d", "-MQ", "obj/x.y.o"]
        );
        let got = dependencies("-MD a.c -o prog").expect("some");
        assert_eq!(got.flags, ["-MD", "-MF", "prog.d", "-MQ", "prog"]);
    }

    #[test]
    fn what_the_user_says_counts() {
        let got = dependencies("-MD -MFdeps/a.d -MT t -c a.c").expect("some");
        assert_eq!(got.flags, ["-MD", "-MT", "t", "-MF", "deps/a.d"]);
        assert_eq!(got.file, Path::new("deps/a.d"));
        assert_eq!(dependencies("-c a.c"), None);
        assert_eq!(dependencies("-MF x -c a.c"), None);
    }
}
