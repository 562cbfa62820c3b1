//! Programs that are known not to pass: a file `EXPECTED_FAILURES` beside them, one `field/name: reason` a line. One that passes all the same is a
//! failure, so that the list stays honest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// `field/name` of `place/field/name.c`.
pub fn name_of(place: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(place).unwrap_or(path);
    inside.with_extension("").display().to_string()
}

/// A number that a name always has: samples stay what they are when programs are added.
pub fn number_of(name: &str) -> usize {
    let mix = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(16_777_619);
    // The low bits of such sums are the poorest.
    (name.bytes().fold(2_166_136_261, mix) >> 7) as usize
}

/// The list at a place, all of whose names must be among the programs there.
pub fn failures(
    place: &Path,
    programs: &[(String, PathBuf)],
) -> Result<BTreeMap<String, String>, String> {
    let file = place.join("EXPECTED_FAILURES");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let list = parse(&text)?;
    match list
        .keys()
        .find(|name| !programs.iter().any(|(program, _)| program == *name))
    {
        Some(name) => Err(format!("EXPECTED_FAILURES: there is no program '{name}'")),
        None => Ok(list),
    }
}

fn parse(text: &str) -> Result<BTreeMap<String, String>, String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            line.split_once(": ")
                .map(|(name, reason)| (name.to_owned(), reason.to_owned()))
                .ok_or_else(|| format!("EXPECTED_FAILURES: '{line}' gives no reason"))
        })
        .collect()
}

/// Passing is right unless a failure is expected.
pub fn judge(result: Result<(), String>, reason: Option<&str>) -> Result<(), String> {
    match (result, reason) {
        (Ok(()), Some(reason)) => Err(format!(
            "passes, but is listed in EXPECTED_FAILURES ({reason}): remove the line"
        )),
        (Err(_), Some(_)) => Ok(()),
        (result, None) => result,
    }
}
