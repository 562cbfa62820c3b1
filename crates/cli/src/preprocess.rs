//! From a file name to preprocessed text, for the commands that read one file (`ir`, `run`).

use crate::failure::Failure;
use crate::toolchain::Compiler;
use std::ffi::OsString;
use std::path::Path;

/// Checks that a file can be read, with a message that names it; `-` is standard input.
pub fn check_readable(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(Failure::new(format!(
            "`{shown}` is a directory, not a file"
        ))),
        Ok(_) => match std::fs::File::open(path) {
            Ok(_) => Ok(()),
            Err(error) => Err(cannot_read(path, &error)),
        },
        Err(error) => Err(cannot_read(path, &error)),
    }
}

/// Reads a file, or standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    check_readable(path)?;
    if path.as_os_str() == "-" {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut text)
            .map_err(|error| cannot_read(path, &error))?;
        return Ok(text);
    }
    std::fs::read(path).map_err(|error| cannot_read(path, &error))
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    };
    Failure::new(format!("cannot read `{}`: {reason}", path.display()))
}

/// The preprocessed text of a C file. A `.i` file is taken as it is. The compiler prints its own complaints.
pub fn preprocess(
    compiler: &Compiler,
    path: &Path,
    flags: &[OsString],
) -> Result<Vec<u8>, Failure> {
    check_readable(path)?;
    if path.extension().is_some_and(|extension| extension == "i") {
        return read(path);
    }
    let mut arguments = flags.to_vec();
    arguments.extend(["-E".into(), "-x".into(), "c".into(), path.into()]);
    let (outcome, text) = compiler.capture(&arguments)?;
    if outcome.success() {
        Ok(text)
    } else {
        Err(Failure::new(format!(
            "cannot preprocess `{}`: the C compiler reported errors",
            path.display()
        )))
    }
}
