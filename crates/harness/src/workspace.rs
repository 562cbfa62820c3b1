//! Where things are: the repository, the test programs, the binary under test.

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Makes the root the current directory, as the paths of programs are relative to it.
pub fn enter_root() {
    // If that fails, so will the first look at a program, with a message that names it.
    let _ = std::env::set_current_dir(root());
}

/// The binary under test: `$ADJOIN_BIN`, else the one beside this program (or one directory up, for test binaries).
pub fn adjoin() -> PathBuf {
    if let Some(path) = std::env::var_os("ADJOIN_BIN") {
        return std::path::absolute(&path).unwrap_or_else(|_| path.into());
    }
    let this = std::env::current_exe().unwrap_or_default();
    let near = this.ancestors().skip(1).take(2);
    near.flat_map(|directory| {
        [
            directory.join("adjoin-under-test"),
            directory.join("adjoin"),
        ]
    })
    .find(|path| path.is_file())
    .unwrap_or_else(|| "adjoin".into())
}

/// All files below a directory with one of these extensions, sorted.
pub fn files_below(directory: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let extension = path
                .extension()
                .and_then(|extension| extension.to_str())
                .unwrap_or("");
            if path.is_dir() {
                pending.push(path);
            } else if extensions.contains(&extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A directory under `target` for what a failing test leaves behind.
pub fn leftovers(name: &str) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let directory = target.join(name);
    let _ = std::fs::create_dir_all(&directory);
    directory
}

/// Is this program installed?
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}
