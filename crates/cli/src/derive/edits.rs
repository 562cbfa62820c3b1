//! Changes of the text: small, disjoint, and such that everything keeps its line.

use super::calls::{Call, written};
use crate::mentions::each_identifier;
use crate::pipeline::is_user_definition;
use adjoin_ad::entry::{Role, Specification};
use adjoin_front::Parsed;
use adjoin_front::ast::{Expr, ExprKind, Span, Storage, VarId};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{CTy, CTypeKind, CTypes, Func, Module};
use std::collections::{BTreeMap, BTreeSet};

/// All identifiers of a text.
pub fn identifiers(text: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_identifier(text, |word| {
        if let Ok(word) = std::str::from_utf8(word)
            && !found.contains(word)
        {
            found.insert(word.to_string());
        }
    });
    found
}

/// What is to change.
#[derive(Debug, Default)]
pub struct Edits {
    changes: Vec<(Span, String)>,
    /// Declarations to put in front of a place, in order.
    declarations: BTreeMap<u32, Vec<String>>,
    /// What has been marked as possibly unused.
    unused: BTreeSet<u32>,
}

impl Edits {
    /// Replaces a piece of text.
    pub fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.changes.push((span, text.into()));
    }

    /// Puts text in front of a place.
    pub fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.replace(Span { start: at, end: at }, text);
    }

    /// Puts a declaration in front of a place, once.
    pub fn declare(&mut self, before: u32, declaration: String) {
        let list = self.declarations.entry(before).or_default();
        if !list.contains(&declaration) {
            list.push(declaration);
        }
    }

    /// A call of an entry point that is its first argument.
    /// In between, a conversion to `through`.
    pub fn identity(
        &mut self,
        parsed: &Parsed,
        call: &Call<'_>,
        through: &str,
    ) -> Result<(), Diagnostic> {
        if call.args.is_empty() {
            return Err(Diagnostic::error(
                call.expr.span,
                format!("'{}' needs a value", call.name),
            ));
        }
        let printer = CPrinter::new(&parsed.unit.types);
        self.replace(
            call.callee.span,
            format!("({}){through}", printer.name(call.expr.ty)),
        );
        let kept: Vec<bool> = (0..call.args.len()).map(|k| k == 0).collect();
        self.drop_arguments(parsed, call.args, &kept);
        Ok(())
    }

    /// A call becomes one of a generated function; with `pointer`, one that takes the function as well.
    pub fn call(
        &mut self,
        parsed: &Parsed,
        module: &Module,
        call: &Call<'_>,
        spec: &Specification,
        func: Func,
        pointer: bool,
    ) -> Result<(), Diagnostic> {
        let function = &module.funcs[func];
        let CTypeKind::Function { params, .. } = module.types.shape(function.ctype) else {
            return Ok(());
        };
        let rest = &call.args[1..];
        let mut kept = vec![pointer];
        let mut wanted = params.iter();
        if pointer && let Some(&to) = wanted.next() {
            self.convert(parsed, module, &call.args[0], to)?;
        }
        for (argument, role) in rest.iter().zip(&spec.roles) {
            kept.push(*role != Role::Dropped);
            if *role == Role::Dropped {
                continue;
            }
            let Some(&to) = wanted.next() else { continue };
            self.convert(parsed, module, argument, to)?;
        }
        self.drop_arguments(parsed, call.args, &kept);
        self.replace(call.callee.span, function.name.clone());
        Ok(())
    }

    /// A cast where C would not convert silently.
    fn convert(
        &mut self,
        parsed: &Parsed,
        module: &Module,
        argument: &Expr,
        to: CTy,
    ) -> Result<(), Diagnostic> {
        // The tree's types are the first of the module's.
        let types = &module.types;
        let from = written(argument).ty;
        let printer = CPrinter::new(types);
        let bad = || {
            Err(Diagnostic::error(
                argument.span,
                format!(
                    "'{}' is expected here, not '{}'",
                    printer.name(to),
                    CPrinter::new(&parsed.unit.types).name(from)
                ),
            ))
        };
        let (aggregate, wanted) = (types.is_aggregate(from), types.is_aggregate(to));
        if aggregate || wanted {
            return if aggregate && wanted && types.record(from) == types.record(to) {
                Ok(())
            } else {
                bad()
            };
        }
        let (pointer, wanted) = (types.pointee(from).is_some(), types.pointee(to).is_some());
        let integer = |t| types.arithmetic(t).is_some_and(|b| b.is_integer());
        if pointer != wanted && !integer(from) && !integer(to) {
            return bad();
        }
        if (pointer || wanted) && !converts_silently(types, from, to) {
            let through = if pointer == wanted {
                String::new()
            } else {
                "(long)".to_string()
            };
            // The length of an array cannot be named here.
            let name = match has_variable_length(types, to) {
                true => "void *".to_string(),
                false => printer.name(types.unqualified(to)),
            };
            // From a pointer to an object to one to a function is an extension that everyone has.
            let pointee = types.pointee(to);
            let extension = match pointee.map(|t| types.shape(t)) {
                Some(CTypeKind::Function { .. }) => "__extension__ ",
                _ => "",
            };
            self.insert(
                argument.span.start,
                format!("{extension}({name}){through}("),
            );
            self.insert(argument.span.end, ")");
        }
        Ok(())
    }

    /// Takes arguments out of a list.
    fn drop_arguments(&mut self, parsed: &Parsed, args: &[Expr], kept: &[bool]) {
        let mut k = 0;
        while k < args.len() {
            if kept.get(k).copied().unwrap_or(false) {
                k += 1;
                continue;
            }
            let first = k;
            while k < args.len() && !kept.get(k).copied().unwrap_or(false) {
                k += 1;
            }
            let span = match (args.get(k), first.checked_sub(1)) {
                (Some(next), _) => Span {
                    start: args[first].span.start,
                    end: next.span.start,
                },
                (None, Some(previous)) => Span {
                    start: args[previous].span.end,
                    end: args[k - 1].span.end,
                },
                (None, None) => Span {
                    start: args[first].span.start,
                    end: args[k - 1].span.end,
                },
            };
            let old = parsed
                .source
                .text
                .get(span.start as usize..span.end as usize);
            self.replace(span, lines_of(old.unwrap_or_default()));
        }
    }

    /// A `static` function or marker that only the old call mentions is not to be called unused.
    pub fn keep_alive(&mut self, parsed: &Parsed, call: &Call<'_>) {
        for argument in call.args {
            self.keep(parsed, argument);
        }
    }

    fn keep(&mut self, parsed: &Parsed, e: &Expr) {
        let unit = &parsed.unit;
        match &e.kind {
            ExprKind::Cast { operand, .. }
            | ExprKind::Decay(operand)
            | ExprKind::Load(operand)
            | ExprKind::AddrOf(operand) => self.keep(parsed, operand),
            ExprKind::Func(f) => {
                let function = &unit.funcs[*f];
                if let Some(body) = &function.body
                    && function.is_static
                    && is_user_definition(function)
                    && self.unused.insert(body.whole.start)
                {
                    self.insert(body.whole.start, "__attribute__((unused)) ");
                }
            }
            ExprKind::Var(v) => self.keep_variable(parsed, *v),
            _ => {}
        }
    }

    fn keep_variable(&mut self, parsed: &Parsed, v: VarId) {
        let var = &parsed.unit.vars[v];
        let marker = var.name.starts_with("enzyme_");
        let is_static = matches!(var.storage, Storage::Global { is_static: true });
        if marker && is_static && self.unused.insert(var.span.end) {
            self.insert(var.span.end, " __attribute__((unused))");
        }
    }

    /// The new text, with what was added at its end.
    pub fn apply(mut self, text: &[u8], added: &str) -> Vec<u8> {
        let changes = std::mem::take(&mut self.changes);
        for (before, list) in std::mem::take(&mut self.declarations) {
            self.insert(before, format!("{} ", list.join(" ")));
        }
        self.changes.extend(changes);
        // Of several changes at one place, those that only insert come first, in their order.
        self.changes.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = Vec::with_capacity(text.len() + added.len() + 1024);
        let mut copied = 0;
        for (span, new) in &self.changes {
            let (start, end) = (span.start as usize, span.end as usize);
            if start < copied || end > text.len() {
                continue;
            }
            out.extend_from_slice(&text[copied..start]);
            out.extend_from_slice(new.as_bytes());
            copied = end;
        }
        out.extend_from_slice(&text[copied..]);
        if !added.is_empty() {
            out.extend_from_slice(manners().as_bytes());
        }
        out.extend_from_slice(b"\n# 1 \"<adjoin>\"\n");
        // C99 has the one word, in front of which compilers do not say that it is none of theirs.
        out.extend_from_slice(added.replace("_Thread_local ", "__thread ").as_bytes());
        out
    }
}

/// Warnings of taste: the user may ask for them, even as errors, but not of generated code.
const OF_TASTE: &[&str] = &[
    "bad-function-cast",
    "c++-compat",
    "cast-qual",
    "declaration-after-statement",
    "double-promotion",
    "float-equal",
    "inline",
    "padded",
    "shadow",
    "switch-default",
    "vla",
];
const OF_TASTE_IN_GCC: &[&str] = &["traditional-conversion", "unsuffixed-float-constants"];
const OF_TASTE_IN_CLANG: &[&str] = &[
    "covered-switch-default",
    "gnu-line-marker",
    "missing-variable-declarations",
    "pre-c11-compat",
    "reserved-identifier",
    "reserved-macro-identifier",
    "unreachable-code",
    "unsafe-buffer-usage",
];

/// The lines that turn them off for the rest of a text.
fn manners() -> String {
    let mut out = String::from("\n#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n");
    out.push_str("#pragma clang diagnostic ignored \"-Wunknown-warning-option\"\n");
    let lists = [
        ("GCC", OF_TASTE),
        ("GCC", OF_TASTE_IN_GCC),
        ("clang", OF_TASTE_IN_CLANG),
    ];
    for (whose, list) in lists {
        for warning in list {
            out.push_str(&format!(
                "#pragma {whose} diagnostic ignored \"-W{warning}\"\n"
            ));
        }
    }
    out
}

fn has_variable_length(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Vla { .. } => true,
        CTypeKind::Pointer(e) | CTypeKind::Array { elem: e, .. } => has_variable_length(types, *e),
        _ => false,
    }
}

/// Does C convert one pointer to the other without a word?
fn converts_silently(types: &CTypes, from: CTy, to: CTy) -> bool {
    let (Some(a), Some(b)) = (types.pointee(from), types.pointee(to)) else {
        return false;
    };
    let (had, has) = (types.quals(a), types.quals(b));
    let is_function = |t| matches!(types.shape(t), CTypeKind::Function { .. });
    let is_void = |t| matches!(types.shape(t), CTypeKind::Void);
    let raw = (is_void(a) || is_void(b)) && !is_function(a) && !is_function(b);
    had.union(has) == has && (raw || types.strip(a) == types.strip(b))
}

/// What has to stay of a text that goes, so that what follows keeps its line: line breaks and line markers.
pub fn lines_of(text: &[u8]) -> String {
    let mut out = String::new();
    for (k, line) in text.split(|&b| b == b'\n').enumerate() {
        if k > 0 {
            out.push('\n');
        }
        if line.trim_ascii_start().starts_with(b"#") {
            out.push_str(&String::from_utf8_lossy(line));
        }
    }
    out
}
