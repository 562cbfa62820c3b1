//! Standards of C that derivatives cannot be written in. The user's text has been preprocessed by the one that was asked for; what is compiled has
//! loops that declare their variables, and `inline`.

use std::ffi::OsStr;

const ISO: &[&str] = &[
    "-std=c99",
    "-fgnu89-inline",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
];
const GNU: &[&str] = &[
    "-std=gnu99",
    "-fgnu89-inline",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
];

/// What an option becomes that asks for such a standard.
pub fn of_derivatives(option: &OsStr) -> Option<&'static [&'static str]> {
    let option = option.to_str()?;
    if option == "-ansi" {
        return Some(ISO);
    }
    let standard = option
        .strip_prefix("-std=")
        .or_else(|| option.strip_prefix("--std="))?;
    match standard {
        "c89" | "c90" | "iso9899:1990" | "iso9899:199409" => Some(ISO),
        "gnu89" | "gnu90" => Some(GNU),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_standard_is_too_old() {
        let becomes = |option: &str| of_derivatives(OsStr::new(option)).map(|words| words[0]);
        assert_eq!(becomes("-ansi"), Some("-std=c99"));
        assert_eq!(becomes("-std=gnu89"), Some("-std=gnu99"));
        assert_eq!(becomes("-std=c99"), None);
        assert_eq!(becomes("-O2"), None);
    }
}
