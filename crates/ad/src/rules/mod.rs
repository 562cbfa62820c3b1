//! Derivative rules: one row per function, from which forward mode, reverse mode, the needed-value analysis and the documentation derive.
//!
//! `table` holds the rows, `expr` is the language of partials, `build` makes instructions of them for both modes, `expand` takes functions apart that no
//! row can describe (those that write through pointers, parts of complex numbers, sorting), `support` is the C text of the few functions that the
//! library lacks, `inactive` and `system_calls` list the functions that never carry a derivative.

pub mod build;
mod documentation;
pub(crate) mod expand;
pub mod expr;
pub(crate) mod inactive;
pub(crate) mod support;
pub(crate) mod system_calls;
pub mod table;
pub(crate) mod tidy;

pub use documentation::documentation;

use expr::Expr;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// How a function depends on a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Partial {
    /// The partial derivative.
    Of(Expr),
    /// Locally constant.
    Zero,
    /// Not a floating-point parameter.
    Integer,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The function's name, for `double`.
    pub name: String,
    /// Parameter names.
    pub params: Vec<String>,
    /// Where tests take points, per parameter.
    pub domain: Vec<(f64, f64)>,
    /// One per parameter.
    pub partials: Vec<Partial>,
    /// The partials as they are written.
    pub texts: Vec<String>,
    /// What holds at singular points.
    pub note: String,
    /// A function of complex numbers.
    pub complex: bool,
}

impl Rule {
    /// Is it a complex function?
    pub fn is_complex(&self) -> bool {
        self.complex
    }

    /// Is it locally constant in all parameters?
    pub fn is_constant(&self) -> bool {
        !self.partials.iter().any(|p| matches!(p, Partial::Of(_)))
    }
}

/// The precision that a suffix of a library name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Width {
    Float,
    Double,
    LongDouble,
}

fn rules() -> &'static BTreeMap<String, Rule> {
    static RULES: OnceLock<BTreeMap<String, Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut all = BTreeMap::new();
        for (text, complex) in [(table::REAL, false), (table::COMPLEX, true)] {
            let rows = parse_table(text).expect("the rule tables are well formed (tested)");
            all.extend(
                rows.into_iter()
                    .map(|r| (r.name.clone(), Rule { complex, ..r })),
            );
        }
        all
    })
}

/// All rules, by name.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    rules().values()
}

/// The library name behind the spellings that compilers and headers use: `__builtin_sin`, `__sin_finite` and `sin` are one function.
pub fn stem(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix("__builtin_") {
        return rest;
    }
    name.strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("_finite"))
        .unwrap_or(name)
}

/// The rule of a library function by its C name: `sin`, `sinf`, `sinl` share one.
pub fn lookup(name: &str) -> Option<(&'static Rule, Width)> {
    let name = stem(name);
    if let Some(rule) = rules().get(name) {
        return Some((rule, Width::Double));
    }
    let (width, stem) = match name.as_bytes().last()? {
        b'f' => (Width::Float, &name[..name.len() - 1]),
        b'l' => (Width::LongDouble, &name[..name.len() - 1]),
        _ => return None,
    };
    rules().get(stem).map(|rule| (rule, width))
}

/// Parses a table of rules; the error names the line.
pub fn parse_table(text: &str) -> Result<Vec<Rule>, String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| parse_row(line).map_err(|e| format!("{line}: {e}")))
        .collect()
}

fn parse_row(line: &str) -> Result<Rule, String> {
    let (head, rest) = line.split_once(" : ").ok_or("no ' : '")?;
    let (partials, note) = rest.split_once(" | ").unwrap_or((rest, ""));
    let (name, rest) = head.split_once('(').ok_or("no parameters")?;
    let (params, domain) = rest.split_once(')').ok_or("no ')'")?;
    let params: Vec<String> = params.split(',').map(|p| p.trim().to_string()).collect();
    let domain: Vec<(f64, f64)> = domain
        .split_whitespace()
        .map(|d| {
            let (lo, hi) = d.split_once("..").ok_or("a domain is lo..hi")?;
            Ok((
                lo.parse().map_err(|_| "bad bound")?,
                hi.parse().map_err(|_| "bad bound")?,
            ))
        })
        .collect::<Result<_, &str>>()?;
    let texts: Vec<String> = partials.split(';').map(|p| p.trim().to_string()).collect();
    let partials: Vec<Partial> = texts
        .iter()
        .map(|p| match p.as_str() {
            "0" => Ok(Partial::Zero),
            "-" => Ok(Partial::Integer),
            text => expr::parse(text, &params).map(Partial::Of),
        })
        .collect::<Result<_, String>>()?;
    if params.len() != domain.len() || params.len() != partials.len() {
        return Err("parameters, domains and partials differ in number".into());
    }
    Ok(Rule {
        name: name.trim().to_string(),
        params,
        domain,
        partials,
        texts,
        note: note.trim().to_string(),
        complex: false,
    })
}

#[cfg(test)]
mod tests;
