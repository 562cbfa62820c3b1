//! The rule table as a document: what each function's derivative is, and what holds at singular points.

use super::table;
use super::{Rule, parse_table};

/// The table of derivative rules in Markdown, with one section for each group of functions.
pub fn documentation() -> String {
    let mut out = String::from(
        "Each row holds for `float`, `double` and `long double` (`sin`, `sinf`, `sinl`), for the compilers' spellings (`__builtin_sin`) and for those of \
         glibc under `-ffast-math` (`__sin_finite`). `r` is the result of the function. Where a derivative is infinite, the partial is zero, \
         so that a zero adjoint never meets an infinity; where it differs from side to side, it is that of one side. The last column says where.\n",
    );
    for text in [table::REAL, table::COMPLEX] {
        section(&mut out, text);
    }
    out.push_str("\n### Functions that are taken apart\n\n| function | becomes |\n|---|---|\n");
    for (name, text) in table::EXPANDED {
        out.push_str(&format!("| `{name}` | {text} |\n"));
    }
    out
}

fn section(out: &mut String, text: &str) {
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(heading) = line.strip_prefix("# ") {
            out.push_str(&format!(
                "\n### {heading}\n\n| function | partial derivatives | at singular points |\n|---|---|---|\n"
            ));
            continue;
        }
        let Ok(rows) = parse_table(line) else {
            continue;
        };
        for rule in rows.iter().filter(|r| !r.name.starts_with("adjoin_")) {
            out.push_str(&row(rule));
        }
    }
}

fn row(rule: &Rule) -> String {
    let partials: Vec<String> = rule
        .params
        .iter()
        .zip(&rule.texts)
        .map(|(name, text)| match text.as_str() {
            "-" => format!("{name} is an integer"),
            text => format!("`{}`", shortened(text)),
        })
        .collect();
    format!(
        "| `{}({})` | {} | {} |\n",
        rule.name,
        rule.params.join(", "),
        partials.join(", "),
        rule.note
    )
}

/// Constants with a few digits, and the support functions under the names of the field.
fn shortened(text: &str) -> String {
    let mut out = String::new();
    let mut digits = 0;
    for c in text.chars() {
        digits = match c {
            '0'..='9' | '.' => digits + 1,
            _ => 0,
        };
        if digits <= 8 {
            out.push(c);
        }
    }
    out.replace("adjoin_polygamma(0, x)", "digamma(x)")
}
