//! What the user asks for of a loop that is long: that its reverse sweep keeps snapshots of its state and runs parts of it again, instead of
//! keeping what every iteration needs.

use std::fmt;

/// How a loop is checkpointed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Checkpoint {
    /// A snapshot before every so many iterations, as many as the square root of all: two levels.
    Root,
    /// A snapshot before every so many iterations: two levels.
    Every(u64),
    /// At most so many snapshots, placed so that the fewest iterations run again.
    Binomial(u64),
    /// As many as fit into so many bytes, with what the iterations need that are reversed at a time.
    Memory(u64),
}

impl Checkpoint {
    /// What may stand behind `#pragma adjoin checkpoint`.
    pub const FORMS: &'static str = "expected `checkpoint`, `checkpoint every(STEPS)`, `checkpoint binomial(SNAPSHOTS)` or `checkpoint memory(BYTES)`";

    /// Reads what stands behind the word `checkpoint`. `None`: it cannot be understood.
    pub fn parse(text: &str) -> Option<Checkpoint> {
        let text = text.trim();
        if text.is_empty() {
            return Some(Checkpoint::Root);
        }
        let (word, rest) = text.split_once('(')?;
        let number = rest.strip_suffix(')')?.trim();
        let number: u64 = number.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()?;
        match (word.trim(), number) {
            (_, 0) => None,
            ("every", n) => Some(Checkpoint::Every(n)),
            ("binomial", n) => Some(Checkpoint::Binomial(n)),
            ("memory", n) => Some(Checkpoint::Memory(n)),
            _ => None,
        }
    }

    /// Reads a pragma without the word `#pragma`; `None` if it is about something else.
    pub fn of_pragma(text: &str) -> Option<Option<Checkpoint>> {
        let rest = text.strip_prefix("adjoin")?.trim_start();
        let rest = rest.strip_prefix("checkpoint")?;
        match rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            true => None,
            false => Some(Checkpoint::parse(rest)),
        }
    }
}

/// As [`Checkpoint::parse`] reads it.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checkpoint::Root => Ok(()),
            Checkpoint::Every(n) => write!(f, "every({n})"),
            Checkpoint::Binomial(n) => write!(f, "binomial({n})"),
            Checkpoint::Memory(n) => write!(f, "memory({n})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_read() {
        let read = |text: &str| Checkpoint::of_pragma(text);
        assert_eq!(read("adjoin checkpoint"), Some(Some(Checkpoint::Root)));
        assert_eq!(
            read("adjoin  checkpoint binomial( 12 )"),
            Some(Some(Checkpoint::Binomial(12)))
        );
        assert_eq!(
            read("adjoin checkpoint every(3)"),
            Some(Some(Checkpoint::Every(3)))
        );
        assert_eq!(read("adjoin checkpoint every(0)"), Some(None));
        assert_eq!(read("adjoin checkpoint often"), Some(None));
        assert_eq!(read("adjoin checkpoints"), None);
        assert_eq!(read("adjoin inactive(f)"), None);
    }
}
