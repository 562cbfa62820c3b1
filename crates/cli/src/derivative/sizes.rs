//! How many elements the arrays of a function have, as C expressions of its parameters.

use super::request::by_value;
use super::target::{Holds, Target};
use adjoin_front::diag::Diagnostic;
use std::collections::BTreeMap;

/// The sizes that the user gave, and how others are found.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    given: BTreeMap<String, String>,
    /// What was assumed, for the user to see.
    pub assumed: Vec<String>,
}

impl Sizes {
    /// From `--size x=n*m`.
    pub fn new(options: &[String]) -> Result<Sizes, String> {
        let mut given = BTreeMap::new();
        for option in options {
            let Some((name, size)) = option.split_once('=') else {
                return Err(format!("`--size {option}` is not of the form PARAM=EXPR"));
            };
            let fine = |c: char| c.is_ascii_alphanumeric() || "_+-*/%() .><?:[]".contains(c);
            if size.trim().is_empty() || !size.chars().all(fine) {
                return Err(format!(
                    "`--size {option}`: `{size}` is not an arithmetic expression of the parameters"
                ));
            }
            given.insert(name.trim().to_string(), size.trim().to_string());
        }
        Ok(Sizes {
            given,
            assumed: Vec::new(),
        })
    }

    /// Every name must be a parameter.
    pub fn unknown(&self, targets: &[&Target]) -> Option<&str> {
        self.given
            .keys()
            .map(|n| &**n)
            .find(|name| targets.iter().all(|t| t.find(name).is_none()))
    }

    /// The number of elements of a parameter.
    pub fn of(&mut self, target: &Target, k: usize) -> Result<String, Box<Diagnostic>> {
        let p = &target.params[k];
        if by_value(p) {
            return Ok("1".into());
        }
        if let Some(size) = self.given.get(&p.name).or(p.declared.as_ref()) {
            return Ok(with_constants(target, size));
        }
        let element = match p.holds {
            Holds::Array => p.number,
            _ => target.types.pointee(p.ctype),
        };
        let bytes = element.and_then(|t| target.types.size_of(t)).unwrap_or(1);
        if !p.access.unbounded && bytes > 0 {
            return Ok(p.access.bytes.div_ceil(bytes).max(1).to_string());
        }
        let integers: Vec<&str> = target
            .params
            .iter()
            .filter(|q| q.integer)
            .map(|q| &*q.name)
            .collect();
        // Of a pointer to arrays, one integer is not the whole size.
        if let ([n], false) = (&integers[..], p.flattened) {
            let note = format!("the size of `{}` is taken to be `{n}`", p.name);
            if !self.assumed.contains(&note) {
                self.assumed.push(note);
            }
            return Ok(n.to_string());
        }
        let message = format!("how many elements does `{}` have?", p.name);
        let example = integers.first().copied().unwrap_or("3");
        Err(Box::new(Diagnostic::error(p.span, message).help(format!(
            "say so with `--size {}=EXPR`, an expression of the parameters such as `{example}`",
            p.name
        ))))
    }
}

/// An expression with the constants of enumerations as numbers: where it is used, nobody may know their names.
fn with_constants(target: &Target, size: &str) -> String {
    let constants = target.types.enums.values().flat_map(|e| &e.constants);
    let constants: BTreeMap<&str, i128> = constants.map(|(n, v)| (&**n, *v)).collect();
    let mut out = String::new();
    let mut word = String::new();
    for c in size.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        match constants.get(&*word) {
            Some(value) if target.find(&word).is_none() => out.push_str(&value.to_string()),
            _ => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}
