//! Types and names in messages: C spelling of a type, and the nearest name to a misspelt one.

use super::Sema;
use crate::ast::{Expr, ExprKind};
use adjoin_ir::ctype::{CTy, CTypeKind};
use adjoin_ir::ctype_print::qualifier_words;

/// Edit distance, for suggestions.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let change = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// The candidate nearest to a misspelt name, if one is near enough.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // From one letter to another is no misspelling.
    let limit = match name.chars().count() {
        0 | 1 => return None,
        n => (n / 3).max(1),
    };
    candidates
        .into_iter()
        .map(|c| (distance(name, c), c))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

impl Sema {
    /// The type as C spells it.
    pub fn type_name(&self, ty: CTy) -> String {
        self.declarator(ty, String::new(), 0)
    }

    /// The type around what a declarator has so far.
    fn declarator(&self, ty: CTy, inner: String, depth: u32) -> String {
        if depth > 50 {
            return "…".into();
        }
        let with_space = |word: String| {
            if inner.is_empty() {
                word
            } else {
                format!("{word} {inner}")
            }
        };
        match self.unit.types.kind(ty) {
            CTypeKind::Void => with_space("void".into()),
            CTypeKind::Basic(b) => with_space(b.c_name().into()),
            CTypeKind::Pointer(to) => {
                let inner = if inner.is_empty() || inner.starts_with('*') {
                    format!("*{inner}")
                } else {
                    format!("* {inner}")
                };
                let needs_parens = self.is_array_kind(*to);
                let inner = if needs_parens {
                    format!("({inner})")
                } else {
                    inner
                };
                self.declarator(*to, inner, depth + 1)
            }
            CTypeKind::Array { elem, len } => {
                let len = len.map(|n| n.to_string()).unwrap_or_default();
                self.declarator(*elem, format!("{inner}[{len}]"), depth + 1)
            }
            CTypeKind::Vla { elem, .. } => self.declarator(*elem, format!("{inner}[*]"), depth + 1),
            CTypeKind::Record(r) => {
                let data = &self.unit.types.records[*r];
                let word = if data.is_union { "union" } else { "struct" };
                with_space(match (&data.tag, &data.typedef_name) {
                    (Some(tag), _) => format!("{word} {tag}"),
                    (None, Some(name)) => name.clone(),
                    (None, None) => format!("{word} <anonymous>"),
                })
            }
            CTypeKind::Enum(e) => {
                let data = &self.unit.types.enums[*e];
                with_space(match (&data.tag, &data.typedef_name) {
                    (Some(tag), _) => format!("enum {tag}"),
                    (None, Some(name)) => name.clone(),
                    (None, None) => "enum <anonymous>".into(),
                })
            }
            CTypeKind::Function {
                ret,
                params,
                variadic,
                prototyped,
            } => {
                let mut list: Vec<String> = params.iter().map(|p| self.type_name(*p)).collect();
                if *variadic {
                    list.push("...".into());
                }
                if list.is_empty() && *prototyped {
                    list.push("void".into());
                }
                self.declarator(*ret, format!("{inner}({})", list.join(", ")), depth + 1)
            }
            CTypeKind::Typedef { name, .. } => with_space(name.clone()),
            CTypeKind::Qualified {
                quals,
                inner: target,
            } => {
                let words = qualifier_words(*quals);
                if self.is_pointer(*target) {
                    let inner = if inner.is_empty() {
                        words
                    } else {
                        format!("{words} {inner}")
                    };
                    self.declarator(*target, inner, depth + 1)
                } else {
                    format!("{words} {}", self.declarator(*target, inner, depth + 1))
                }
            }
            CTypeKind::Vector { elem, lanes } => {
                let elem = self.declarator(*elem, inner, depth + 1);
                format!("{elem} __attribute__((vector of {lanes}))")
            }
            CTypeKind::VaList => with_space("va_list".into()),
        }
    }

    /// Would a `*` before it need parentheses?
    fn is_array_kind(&self, ty: CTy) -> bool {
        match self.unit.types.kind(ty) {
            CTypeKind::Array { .. } | CTypeKind::Vla { .. } | CTypeKind::Function { .. } => true,
            CTypeKind::Qualified { inner, .. } => self.is_array_kind(*inner),
            _ => false,
        }
    }

    /// A word for an expression in messages: the name of a variable, function or member.
    pub(crate) fn describe(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Var(v) => Some(self.unit.vars[*v].name.clone()).filter(|n| !n.is_empty()),
            ExprKind::Func(f) => Some(self.unit.funcs[*f].name.clone()),
            ExprKind::Member { record, field, .. } => {
                let fields = self.unit.types.records[*record].fields.as_ref()?;
                fields.get(*field as usize)?.name.clone()
            }
            ExprKind::Load(inner) | ExprKind::Decay(inner) => self.describe(inner),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn suggestions_are_near() {
        assert_eq!(
            super::nearest("lenght", ["length", "width"]),
            None.or(Some("length"))
        );
        assert_eq!(super::nearest("abc", ["xyz", "hello"]), None);
    }
}
