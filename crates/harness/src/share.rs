//! How many functions were lowered, over all programs, and why the others were not.

use std::collections::BTreeMap;
use std::fmt;

/// Checks a program's report against the functions that it says are refused: no more, no fewer, and none because of a mistake of ours.
pub fn check_refusals(report: &str, expected: &[String]) -> Result<(), String> {
    let mut of_program = Share::default();
    of_program.add(report);
    let mut complaints = Vec::new();
    let mut seen = Vec::new();
    for (place, reason) in of_program.refused() {
        let name = place.rsplit(' ').next().unwrap_or(place);
        seen.push(name);
        if reason.contains("internal error") {
            complaints.push(format!("{place}: {reason}"));
        } else if !expected.iter().any(|e| e == name) {
            complaints.push(format!(
                "{place} is refused ({reason}); if that must be, say `// refuses: {name}`"
            ));
        }
    }
    for name in expected.iter().filter(|e| !seen.contains(&e.as_str())) {
        complaints.push(format!(
            "`{name}` is listed under `refuses:`, but was lowered"
        ));
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_as_announced() {
        let report = "main\ta.c:1\tlowered\nrun\ta.c:9\trefused\tcannot lower a computed goto\n";
        assert_eq!(check_refusals(report, &["run".into()]), Ok(()));
        assert!(check_refusals(report, &[]).is_err_and(|e| e.contains("refuses: run")));
        let both = ["run".to_owned(), "main".to_owned()];
        assert!(check_refusals(report, &both).is_err_and(|e| e.contains("`main` is listed")));
        let broken = "run\ta.c:9\trefused\tinternal error: not valid\n";
        assert!(check_refusals(broken, &["run".into()]).is_err());
    }
}
