//! Programs that use MPI: derivatives call functions of a runtime in C (`adjoin_ad::mpi`), whose text goes behind the program's, preprocessed with the program's flags.

use crate::failure::Failure;
use crate::toolchain::Compiler;
use adjoin_ad::mpi;
use std::ffi::OsString;
use std::path::Path;

/// Does a text contain a word?
fn mentions(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|w| w == word.as_bytes())
}

/// Does a preprocessed text call the runtime's functions?
pub fn calls_runtime(text: &[u8]) -> bool {
    mentions(text, mpi::PREFIX) || second_order(text)
}

/// Does a text call functions of MPI, or the runtime's?
pub fn calls_mpi(text: &[u8]) -> bool {
    mentions(text, "\nint MPI_") || calls_runtime(text)
}

/// Does a preprocessed text call those for second derivatives?
pub fn second_order(text: &[u8]) -> bool {
    mentions(text, mpi::SECOND)
}

/// Has a preprocessed text read `mpi.h`?
pub fn knows_mpi(text: &[u8]) -> bool {
    mentions(text, "PMPI_Comm_rank") && mentions(text, "MPI_Comm_rank")
}

/// The runtime, preprocessed, to stand behind a text that has read `mpi.h`. `None`: the preprocessor has complained.
pub fn preprocessed(
    compiler: &Compiler,
    flags: &[OsString],
    directory: &Path,
    second_order: bool,
) -> Result<Option<Vec<u8>>, Failure> {
    let file = directory.join("adjoin-mpi.c");
    std::fs::write(&file, mpi::runtime(second_order))
        .map_err(|error| Failure::new(format!("cannot write `{}`: {error}", file.display())))?;
    let mut arguments = flags.to_vec();
    arguments.extend([
        "-E".into(),
        "-P".into(),
        "-x".into(),
        "c".into(),
        file.into(),
    ]);
    let (outcome, text) = compiler.capture(&arguments)?;
    if !outcome.success() {
        return Ok(None);
    }
    let start = mpi::START.as_bytes();
    let Some(at) = text.windows(start.len()).position(|w| w == start) else {
        return Err(Failure::new(
            "the preprocessor has changed Adjoin's MPI functions",
        ));
    };
    // A system header: nobody wants to hear of its warnings.
    let mut behind = b"\n# 1 \"adjoin-mpi.c\" 3\n".to_vec();
    behind.extend_from_slice(&text[at..]);
    behind.push(b'\n');
    Ok(Some(behind))
}
