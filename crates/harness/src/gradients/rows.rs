//! The rows of the benchmark, and their forms: a line of the table, CSV, and the table of the document.

use super::Measured;
use super::peers::Peer;
use std::fmt::{self, Write};

/// With what a benchmark was compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variant {
    /// The compiler.
    pub compiler: String,
    /// With `-ffast-math`?
    pub fast_math: bool,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fast = if self.fast_math { " fast" } else { "" };
        write!(f, "{}{fast}", self.compiler)
    }
}

/// A benchmark under a variant.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The benchmark.
    pub name: String,
    /// What it belongs to.
    pub collection: String,
    /// With what it was compiled.
    pub variant: Variant,
    /// The first size.
    pub size: u64,
    /// At this size and its doubles, or what went wrong.
    pub result: Result<Vec<Measured>, String>,
}

/// Everything that was measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Ours.
    pub rows: Vec<Row>,
    /// Of other tools.
    pub peers: Vec<Peer>,
}

/// The head of the table that is printed.
pub(crate) const HEAD: &str = "benchmark          compiler            size   primal/ms  gradient/ms    ratio  memory/MiB     error   growth per doubling: primal, gradient, memory";

/// By how much something grows as the size doubles: its exponent, over the largest sizes. Too small to tell: nothing.
fn growth(list: &[Measured], of: impl Fn(&Measured) -> f64, least: f64) -> Option<f64> {
    let (Some(last), Some(before)) = (list.last(), list.iter().rev().nth(1)) else {
        return None;
    };
    (of(before) > least).then(|| (of(last) / of(before)).log2())
}

/// Page faults and the tables of the C library: what memory can change by without a reason.
const LEAST_MEMORY: f64 = 1048576.0;

impl Row {
    /// Was the gradient made, and is it right?
    pub fn right(&self) -> bool {
        self.result
            .as_ref()
            .is_ok_and(|list| list.iter().all(Measured::right))
    }

    /// Gradient over primal at the first size.
    pub fn ratio(&self) -> Option<f64> {
        self.result.as_ref().ok()?.first().map(Measured::ratio)
    }

    /// The exponents of the primal's time, the gradient's and its memory.
    fn growths(&self) -> [Option<f64>; 3] {
        let Ok(list) = &self.result else {
            return [None; 3];
        };
        [
            growth(list, |m| m.primal, 0.0),
            growth(list, |m| m.gradient, 0.0),
            growth(list, |m| m.memory, LEAST_MEMORY),
        ]
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".into(), |v| format!("{v:.digits$}"))
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:18} {:14}", self.name, self.variant.to_string())?;
        let list = match &self.result {
            Ok(list) => list,
            Err(message) => return write!(f, " FAILED: {message}"),
        };
        let first = &list[0];
        let growths = self.growths().map(|g| number(g, 2)).join(", ");
        write!(
            f,
            " {:>8} {:11.4} {:12.4} {:8.2} {:11.1} {:9.1e}   {growths}{}",
            self.size,
            1e3 * first.primal,
            1e3 * first.gradient,
            first.ratio(),
            first.memory / 1048576.0,
            list.iter().map(|m| m.error).fold(0.0, f64::max),
            if self.right() { "" } else { "   WRONG" }
        )
    }
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|r| r.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

impl Table {
    /// The variants, in the order of the rows.
    pub fn variants(&self) -> Vec<Variant> {
        let mut list: Vec<Variant> = Vec::new();
        for row in &self.rows {
            if !list.contains(&row.variant) {
                list.push(row.variant.clone());
            }
        }
        list
    }

    /// The benchmarks, in the order of the rows, with what they belong to.
    pub fn names(&self) -> Vec<(&str, &str)> {
        let mut list: Vec<(&str, &str)> = self
            .rows
            .iter()
            .map(|r| (&*r.name, &*r.collection))
            .collect();
        list.dedup();
        list
    }

    /// The row of a benchmark under a variant.
    pub fn row(&self, name: &str, variant: &Variant) -> Option<&Row> {
        self.rows
            .iter()
            .find(|r| r.name == name && r.variant == *variant)
    }

    /// The ratios of a variant, without those of ADBench or only those.
    fn ratios(&self, variant: &Variant, problems: bool) -> Vec<f64> {
        self.rows
            .iter()
            .filter(|r| r.variant == *variant && (r.collection == "ADBench") == problems)
            .filter_map(Row::ratio)
            .collect()
    }

    /// The geometric means, a line for each variant.
    pub fn means(&self) -> String {
        let mut out = String::new();
        for variant in self.variants() {
            let kernels = self.ratios(&variant, false);
            let problems = self.ratios(&variant, true);
            let above = kernels.iter().filter(|r| **r > 4.0).count();
            let _ = writeln!(
                out,
                "{variant}: geometric mean of {} kernels {}, {above} above 4; of {} problems of ADBench {}",
                kernels.len(),
                number(mean(&kernels), 2),
                problems.len(),
                number(mean(&problems), 2),
            );
        }
        out
    }

    /// All sizes, and the peers, as CSV.
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "benchmark,collection,tool,compiler,fast_math,size,primal_s,gradient_s,ratio,memory_bytes,error\n",
        );
        for row in &self.rows {
            let variant = &row.variant;
            for (k, m) in row.result.iter().flatten().enumerate() {
                let _ = writeln!(
                    out,
                    "{},\"{}\",adjoin,{},{},{},{:.9},{:.9},{:.4},{},{:.2e}",
                    row.name,
                    row.collection,
                    variant.compiler,
                    variant.fast_math,
                    row.size << k,
                    m.primal,
                    m.gradient,
                    m.ratio(),
                    m.memory,
                    m.error
                );
            }
        }
        for peer in &self.peers {
            let _ = writeln!(
                out,
                "{},,{},,false,{},{:.9},{:.9},{:.4},,{:.2e}",
                peer.benchmark,
                peer.tool,
                peer.size,
                peer.primal,
                peer.gradient,
                peer.gradient / peer.primal,
                peer.error
            );
        }
        out
    }

    /// A document with the tables between its markers replaced.
    pub fn in_document(&self, old: &str) -> Result<String, String> {
        const MARKERS: [&str; 2] = ["<!-- measured: begin -->\n", "<!-- measured: end -->"];
        let [begin, end] = MARKERS.map(|m| old.find(m));
        let (Some(begin), Some(end)) = (begin, end) else {
            return Err(format!("the document has no line `{}`", MARKERS[0].trim()));
        };
        let begin = begin + MARKERS[0].len();
        Ok(format!(
            "{}\n{}{}{}",
            &old[..begin],
            self.markdown(),
            self.peer_table(),
            &old[end..]
        ))
    }

    /// Ratios under all variants; times, memory and growth under the last compiler.
    fn markdown(&self) -> String {
        let variants = self.variants();
        let mut out = String::from("| benchmark | size |");
        for variant in &variants {
            let _ = write!(out, " {variant} |");
        }
        out.push_str(" primal/ms | gradient/ms | memory/MiB | growth: primal, gradient, memory |\n|---|---:|");
        out.push_str(&"---:|".repeat(variants.len() + 4));
        out.push('\n');
        // Times are those of the last compiler of the list, without -ffast-math.
        let timed = variants.iter().rev().find(|v| !v.fast_math);
        for (name, collection) in self.names() {
            let mark = if collection == "ADBench" {
                " (ADBench)"
            } else {
                ""
            };
            let rows: Vec<Option<&Row>> = variants.iter().map(|v| self.row(name, v)).collect();
            let size = rows.iter().flatten().map(|r| r.size).next().unwrap_or(0);
            let _ = write!(out, "| {name}{mark} | {size} |");
            for row in &rows {
                let _ = write!(out, " {} |", number(row.and_then(Row::ratio), 2));
            }
            let row = timed.and_then(|v| self.row(name, v));
            let first = row.and_then(|r| r.result.as_ref().ok()?.first());
            let growths = row.map_or([None; 3], Row::growths);
            let _ = writeln!(
                out,
                " {} | {} | {} | {} |",
                number(first.map(|m| 1e3 * m.primal), 3),
                number(first.map(|m| 1e3 * m.gradient), 3),
                number(first.map(|m| m.memory / 1048576.0), 1),
                growths.map(|g| number(g, 2)).join(", ")
            );
        }
        for (label, problems) in [
            ("**geometric mean, kernels**", false),
            ("**geometric mean, ADBench**", true),
        ] {
            let _ = write!(out, "| {label} | |");
            for variant in &variants {
                let _ = write!(
                    out,
                    " **{}** |",
                    number(mean(&self.ratios(variant, problems)), 2)
                );
            }
            out.push_str(" | | | |\n");
        }
        out
    }

    fn peer_table(&self) -> String {
        if self.peers.is_empty() {
            return "\n".into();
        }
        let mut out = String::from(
            "\n| benchmark | size | tool | its primal/ms | its gradient/ms | its ratio | Adjoin's gradient/ms | times Adjoin's |\n|---|---:|---|---:|---:|---:|---:|---:|\n",
        );
        for peer in &self.peers {
            let _ = writeln!(
                out,
                "| {} | {} | {}{} | {:.3} | {:.3} | {:.2} | {:.3} | {:.1} |",
                peer.benchmark,
                peer.size,
                peer.tool,
                if peer.agrees { "" } else { " (**wrong**)" },
                1e3 * peer.primal,
                1e3 * peer.gradient,
                peer.gradient / peer.primal,
                1e3 * peer.ours,
                peer.gradient / peer.ours
            );
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ratio: f64) -> Row {
        let measured = |size: f64| Measured {
            primal: size,
            gradient: ratio * size,
            error: 0.0,
            memory: 4.0 * LEAST_MEMORY * size * size,
        };
        Row {
            name: name.into(),
            collection: "kernels".into(),
            variant: Variant {
                compiler: "cc".into(),
                fast_math: false,
            },
            size: 1,
            result: Ok(vec![measured(1.0), measured(2.0)]),
        }
    }

    #[test]
    fn growth_is_the_exponent() {
        assert_eq!(row("a", 2.0).growths(), [Some(1.0), Some(1.0), Some(2.0)]);
    }

    #[test]
    fn the_document_keeps_what_is_around_the_table() {
        let table = Table {
            rows: vec![row("a", 2.0), row("b", 8.0)],
            peers: Vec::new(),
        };
        let text = table
            .in_document("head\n<!-- measured: begin -->\nold\n<!-- measured: end -->\ntail\n")
            .expect("both markers are there");
        assert!(text.starts_with("head\n") && text.ends_with("tail\n") && !text.contains("old"));
        assert!(text.contains("**4.00**"), "{text}");
        assert!(table.in_document("no markers").is_err());
    }
}
