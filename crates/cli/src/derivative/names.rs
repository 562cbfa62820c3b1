//! Names that clash with nothing.

use std::collections::HashSet;

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// All identifiers of a text.
    pub fn of_text(text: &[u8]) -> Names {
        let mut names = Names::default();
        names.add_text(text);
        names
    }

    /// Takes the identifiers of a text as well.
    pub fn add_text(&mut self, text: &[u8]) {
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        for part in text.split(|b| !word(b)) {
            if part.first().is_some_and(|b| !b.is_ascii_digit()) {
                self.taken
                    .insert(String::from_utf8_lossy(part).into_owned());
            }
        }
    }

    /// Takes a name.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_string());
    }

    /// The name, or the name with a number, and takes it.
    pub fn fresh(&mut self, base: &str) -> String {
        let mut name = base.to_string();
        let mut n = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        name
    }
}

/// The names closest to one that does not exist, closest first.
pub fn similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = (wanted.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = names
        .map(|name| {
            let (a, b) = (wanted.to_lowercase(), name.to_lowercase());
            let contained = (!a.is_empty() && b.contains(&a)) || (b.len() > 2 && a.contains(&b));
            let distance = distance(&a, &b);
            (if contained { distance.min(1) } else { distance }, name)
        })
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// How many letters must be inserted, removed, changed or swapped with the next.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_names_are_fresh() {
        let mut names = Names::of_text(b"double f_grad(double x2);");
        assert_eq!(names.fresh("f_grad"), "f_grad_2");
        assert_eq!(names.fresh("f_grad"), "f_grad_3");
        assert_eq!(names.fresh("x"), "x");
    }

    #[test]
    fn close_names_are_found() {
        let names = ["energy", "gradient", "solve_step"];
        assert_eq!(similar("enregy", names.into_iter()), ["energy"]);
        assert_eq!(similar("solve", names.into_iter()), ["solve_step"]);
        assert!(similar("zzz", names.into_iter()).is_empty());
    }
}
