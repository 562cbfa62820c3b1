//! How many functions were lowered, over all programs, and why the others were not.

use std::collections::BTreeMap;
use std::fmt;

/// A sum over `--through-ir-report` files.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Share {
    /// Functions by `file:line name`; the reason if it was refused. Keyed, so that compiling a program twice counts once.
    functions: BTreeMap<String, Option<String>>,
}

impl Share {
    /// Adds the lines of a report.
    pub fn add(&mut self, report: &str) {
        for line in report.lines() {
            let mut fields = line.split('\t');
            if let (Some(name), Some(place), Some(fate)) =
                (fields.next(), fields.next(), fields.next())
            {
                let reason = fields.next().unwrap_or("").to_owned();
                let refused = (fate == "refused").then_some(reason);
                self.functions.insert(format!("{place} {name}"), refused);
            }
        }
    }

    /// The refused functions and their reasons.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        self.functions
            .iter()
            .filter_map(|(name, reason)| Some((&**name, &**reason.as_ref()?)))
    }

    /// Lowered functions per cent.
    pub fn percent(&self) -> f64 {
        let total = self.functions.len();
        if total == 0 {
            return 100.0;
        }
        100.0 * (total - self.refused().count()) as f64 / total as f64
    }

    /// Number of functions seen.
    pub fn total(&self) -> usize {
        self.functions.len()
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, refused) = (self.total(), self.refused().count());
        writeln!(
            f,
            "functions lowered: {} of {total} ({:.2} %)",
            total - refused,
            self.percent()
        )?;
        self.refused()
            .try_for_each(|(name, reason)| writeln!(f, "  kept: {name}: {reason}"))
    }
}
