//! Derivative rules: one row per function, from which forward mode, reverse mode, the needed-value analysis and the documentation derive.

pub mod expr;
pub mod table;

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
}

impl Rule {
    /// Is it a complex function?
    pub fn is_complex(&self) -> bool {
        self.name.starts_with('c') && self.params.iter().all(|p| p == "z") || self.name == "cpow"
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
        let tables = [table::REAL, table::COMPLEX];
        let parsed =
            tables.map(|t| parse_table(t).expect("the rule tables are well formed (tested)"));
        parsed
            .into_iter()
            .flatten()
            .map(|r| (r.name.clone(), r))
            .collect()
    })
}

/// All rules of real functions, by name.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    rules().values().filter(|r| !r.is_complex())
}

/// Complex functions without a complex derivative: reverse mode knows them by name.
pub fn is_complex_part(name: &str) -> bool {
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    ["conj", "creal", "cimag", "cabs"]
        .iter()
        .any(|n| *n == name || *n == stem)
}

/// The rule of a library function by its C name: `sin`, `sinf`, `sinl` share one.
pub fn lookup(name: &str) -> Option<(&'static Rule, Width)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
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
    let (head, partials) = line.split_once(" : ").ok_or("no ' : '")?;
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
    let partials: Vec<Partial> = partials
        .split(';')
        .map(|p| match p.trim() {
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
    })
}

#[cfg(test)]
mod tests;
