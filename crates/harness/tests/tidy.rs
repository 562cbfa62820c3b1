//! What a program can check of the project's habits: module docs, layering, file sizes, no paths of one machine.

use adjoin_harness::workspace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What each crate may depend on, of our own. Dependencies point one way: a new edge is a decision, made here.
const LAYERS: &[(&str, &[&str])] = &[
    ("ir", &[]),
    ("front", &["ir"]),
    ("lower", &["ir", "front"]),
    ("passes", &["ir"]),
    ("ad", &["ir", "passes"]),
    ("emit", &["ir"]),
    ("interp", &["ir"]),
    (
        "cli",
        &["ir", "front", "lower", "passes", "ad", "emit", "interp"],
    ),
    (
        "harness",
        &[
            "ir", "front", "lower", "passes", "ad", "emit", "interp", "cli",
        ],
    ),
];

/// No file of ours may be longer.
const LONGEST_FILE: usize = 1000;

fn rust_files() -> Vec<PathBuf> {
    let crates = workspace::root().join("crates");
    workspace::files_below(&crates, &["rs"])
        .into_iter()
        .filter(|path| !path.components().any(|c| c.as_os_str() == "target"))
        .collect()
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("the file was listed")).into_owned()
}

fn assert_none(what: &str, offenders: &[String]) {
    assert!(
        offenders.is_empty(),
        "{what}:\n  {}",
        offenders.join("\n  ")
    );
}

#[test]
fn every_module_begins_with_its_purpose() {
    let offenders: Vec<String> = rust_files()
        .iter()
        .filter(|path| !read(path).starts_with("//!"))
        .map(|path| path.display().to_string())
        .collect();
    assert_none("files that do not begin with a `//!` paragraph", &offenders);
}

#[test]
fn files_can_be_read_in_one_sitting() {
    let offenders: Vec<String> = rust_files()
        .iter()
        .map(|path| (read(path).lines().count(), path))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .map(|(lines, path)| format!("{}: {lines} lines", path.display()))
        .collect();
    assert_none("files of more than 1000 lines", &offenders);
}

#[test]
fn dependencies_point_one_way() {
    let layers: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let crates = workspace::root().join("crates");
    let mut offenders = Vec::new();
    for entry in std::fs::read_dir(&crates)
        .expect("there are crates")
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(manifest) = std::fs::read_to_string(entry.path().join("Cargo.toml")) else {
            continue;
        };
        let Some(allowed) = layers.get(&*name) else {
            offenders.push(format!("{name} has no layer in this test"));
            continue;
        };
        for dependency in dependencies(&manifest) {
            let layer = if dependency == "adjoin" {
                "cli"
            } else {
                dependency.trim_start_matches("adjoin-")
            };
            if !allowed.contains(&layer) {
                offenders.push(format!("{name} depends on {layer}"));
            }
        }
    }
    assert_none("dependencies against the layering", &offenders);
}

/// Our own crates in a manifest's `[dependencies]` (tests may depend on anything).
fn dependencies(manifest: &str) -> Vec<&str> {
    let section = manifest.split("\n[dependencies]").nth(1).unwrap_or("");
    let lines = section
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| *name == "adjoin" || name.starts_with("adjoin-"))
        .collect()
}

#[test]
fn no_paths_of_one_machine() {
    // In pieces, or this file would be its own offender.
    let needles = [
        concat!("/ro", "ot/"),
        concat!("/wo", "rk/"),
        concat!("/ho", "me/"),
    ];
    let root = workspace::root();
    let mut files = rust_files();
    for directory in ["tests", "bench", "docs", "scripts", ".ci"] {
        files.extend(workspace::files_below(
            &root.join(directory),
            &["c", "h", "ir", "expected", "md", "sh", "toml", ""],
        ));
    }
    files.extend(
        ["README.md", "ARCHITECTURE.md", "Cargo.toml"]
            .map(|name| root.join(name))
            .into_iter()
            .filter(|path| path.is_file()),
    );
    let offenders: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let text = read(path);
            let found: Vec<String> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| needles.iter().any(|needle| line.contains(needle)))
                .map(|(number, line)| format!("{}:{}: {line}", path.display(), number + 1))
                .collect();
            found
        })
        .collect();
    assert_none("paths of one machine", &offenders);
}

#[test]
fn no_careless_unwraps() {
    // `unwrap` on a lock or in tests is another matter; elsewhere an invariant is an `expect` that names it.
    let offenders: Vec<String> = rust_files()
        .iter()
        .filter(|path| path.components().any(|c| c.as_os_str() == "src"))
        .flat_map(|path| {
            let text = read(path);
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            let found: Vec<String> = code
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim_start().starts_with("//"))
                .filter(|(_, line)| {
                    line.contains(concat!(".unw", "rap()")) || line.contains(concat!("todo", "!("))
                })
                .map(|(number, line)| format!("{}:{}: {}", path.display(), number + 1, line.trim()))
                .collect();
            found
        })
        .collect();
    assert_none("`unwrap` or `todo` outside of tests", &offenders);
}
