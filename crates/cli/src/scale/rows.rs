//! What was measured: rows, their efficiency, the table and the CSV file.

use crate::failure::Failure;
use std::fmt::Write;

/// One measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The function.
    pub function: String,
    /// `strong` or `weak`.
    pub scaling: String,
    /// `primal`, `forward` or `reverse`.
    pub mode: String,
    /// `threads` or `ranks`.
    pub kind: String,
    /// How many.
    pub workers: u32,
    /// Calls in total.
    pub calls: u64,
    /// The fastest repetition.
    pub seconds: f64,
    /// The sum of what was computed, to see that it is the same.
    pub checksum: f64,
}

/// The columns that a program that measures prints.
pub const COLUMNS: &str = "function,scaling,mode,kind,workers,calls,seconds,checksum";

impl Row {
    /// From a line of a CSV file; further columns are ignored.
    pub fn parse(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.trim().split(',').collect();
        let &[
            function,
            scaling,
            mode,
            kind,
            workers,
            calls,
            seconds,
            checksum,
            ..,
        ] = &cells[..]
        else {
            return None;
        };
        Some(Row {
            function: function.to_string(),
            scaling: scaling.to_string(),
            mode: mode.to_string(),
            kind: kind.to_string(),
            workers: workers.parse().ok().filter(|w| *w > 0)?,
            calls: calls.parse().ok()?,
            seconds: seconds.parse().ok().filter(|s: &f64| *s > 0.0)?,
            checksum: checksum.parse().ok()?,
        })
    }

    /// Do two rows belong to one curve?
    pub fn same_curve(&self, other: &Row) -> bool {
        self.function == other.function
            && self.scaling == other.scaling
            && self.mode == other.mode
            && self.kind == other.kind
    }

    /// Calls per second.
    pub fn rate(&self) -> f64 {
        self.calls as f64 / self.seconds
    }
}

/// The row that others of its curve are compared with: the one with the fewest workers.
pub fn reference<'a>(rows: &'a [Row], row: &Row) -> Option<&'a Row> {
    rows.iter()
        .filter(|r| r.same_curve(row))
        .min_by_key(|r| r.workers)
}

/// How many times as fast as one worker, were the reference's workers perfect.
pub fn speed_up(rows: &[Row], row: &Row) -> f64 {
    match reference(rows, row) {
        Some(first) => row.rate() / first.rate() * f64::from(first.workers),
        None => f64::from(row.workers),
    }
}

/// The speed-up per worker.
pub fn efficiency(rows: &[Row], row: &Row) -> f64 {
    speed_up(rows, row) / f64::from(row.workers)
}

/// Does a row compute what its reference computes?
pub fn agrees(rows: &[Row], row: &Row) -> bool {
    let Some(first) = reference(rows, row) else {
        return true;
    };
    let per_call = |r: &Row| r.checksum / r.calls as f64;
    let (a, b) = (per_call(first), per_call(row));
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) || (a.is_nan() && b.is_nan())
}

/// The CSV file.
pub fn csv(rows: &[Row]) -> String {
    let mut out = format!("{COLUMNS},calls_per_second,speed_up,efficiency\n");
    for r in rows {
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{:e},{:.17e},{:.6e},{:.4},{:.4}",
            r.function,
            r.scaling,
            r.mode,
            r.kind,
            r.workers,
            r.calls,
            r.seconds,
            r.checksum,
            r.rate(),
            speed_up(rows, r),
            efficiency(rows, r)
        );
    }
    out
}

/// Reads a CSV file.
pub fn read(text: &str, name: &str) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (k, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with("function,") {
            continue;
        }
        let row = Row::parse(line).ok_or_else(|| {
            Failure::new(format!("`{name}`, line {}: not a measurement", k + 1))
                .help(format!("the columns are {COLUMNS}"))
        })?;
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(Failure::new(format!("`{name}` has no measurements")));
    }
    Ok(rows)
}

/// The head of the table.
pub fn table_head() -> String {
    format!(
        "{:<8} {:<8} {:>8} {:>14} {:>11} {:>11} {:>9} {:>11}\n",
        "scaling", "mode", "workers", "calls", "seconds", "calls/s", "speed-up", "efficiency"
    )
}

/// A line of the table.
pub fn table_line(rows: &[Row], r: &Row) -> String {
    let workers = format!("{} {}", r.workers, &r.kind[..r.kind.len().min(1)]);
    format!(
        "{:<8} {:<8} {:>8} {:>14} {:>11.3e} {:>11.3e} {:>9.2} {:>9.1} %{}\n",
        r.scaling,
        r.mode,
        workers,
        r.calls,
        r.seconds,
        r.rate(),
        speed_up(rows, r),
        100.0 * efficiency(rows, r),
        if agrees(rows, r) {
            ""
        } else {
            "  other results!"
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(scaling: &str, workers: u32, calls: u64, seconds: f64) -> Row {
        Row {
            function: "f".into(),
            scaling: scaling.into(),
            mode: "reverse".into(),
            kind: "threads".into(),
            workers,
            calls,
            seconds,
            checksum: calls as f64 * 2.5,
        }
    }

    #[test]
    fn efficiency_of_both_kinds() {
        let rows = [
            row("strong", 1, 100, 8.0),
            row("strong", 4, 100, 2.5),
            row("weak", 2, 200, 8.0),
            row("weak", 4, 400, 10.0),
        ];
        assert!((efficiency(&rows, &rows[1]) - 0.8).abs() < 1e-12);
        // Without one worker, the fewest count as perfect.
        assert!((efficiency(&rows, &rows[2]) - 1.0).abs() < 1e-12);
        assert!((efficiency(&rows, &rows[3]) - 0.8).abs() < 1e-12);
        assert!(agrees(&rows, &rows[1]));
    }

    #[test]
    fn files_are_read_back() {
        let rows = vec![row("strong", 1, 100, 8.0), row("weak", 4, 100, 2.5)];
        assert_eq!(read(&csv(&rows), "x").expect("it was just written"), rows);
        assert!(read("a,b\n", "x").is_err());
        assert!(read("", "x").is_err());
    }
}
