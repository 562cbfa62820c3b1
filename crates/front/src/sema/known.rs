//! Values that are known without running: const objects with constant initialisers, and library calls that compilers fold.

use super::convert::wrap;
use super::{ConstBase, ConstValue, Sema, fold};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTypeKind};

/// The name of a mathematical function without the letter of its type.
fn base_name(name: &str, result: Basic) -> Option<&str> {
    match result {
        Basic::Double => Some(name),
        Basic::Float => name.strip_suffix('f'),
        Basic::LongDouble => name.strip_suffix('l'),
        _ => None,
    }
}

/// A function of one real number. Long double only where double is exact; float through double, which is as near as the
/// library comes.
fn fold_real(name: &str, x: f64, result: Basic) -> Option<ConstValue> {
    let value = match base_name(name, result)? {
        "fabs" => x.abs(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        _ if result == Basic::LongDouble => return None,
        "sqrt" => x.sqrt(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "cbrt" => x.cbrt(),
        _ => return None,
    };
    // An error of domain or range sets errno: such a call is not folded.
    (value.is_finite() || !x.is_finite()).then(|| ConstValue::Float(fold::round_to(value, result)))
}

/// A function of two real numbers.
fn fold_real_pair(name: &str, x: f64, y: f64, result: Basic) -> Option<ConstValue> {
    let value = match base_name(name, result)? {
        "copysign" => x.copysign(y),
        _ if result == Basic::LongDouble => return None,
        "pow" => x.powf(y),
        "atan2" => x.atan2(y),
        "hypot" => x.hypot(y),
        "fmod" => x % y,
        "fmin" if !x.is_nan() && !y.is_nan() => x.min(y),
        "fmax" if !x.is_nan() && !y.is_nan() => x.max(y),
        _ => return None,
    };
    Some(ConstValue::Float(fold::round_to(value, result)))
}

impl Sema {
    /// Library functions and builtins that compilers fold in initialisers.
    pub(crate) fn fold_call(&self, callee: &Expr, args: &[Expr], e: &Expr) -> Option<ConstValue> {
        use ConstValue::*;
        let ExprKind::Decay(callee) = &callee.kind else {
            return None;
        };
        let ExprKind::Func(f) = callee.kind else {
            return None;
        };
        let name = self.unit.funcs[f].name.as_str();
        let base = name.strip_prefix("__builtin_").unwrap_or(name);
        if base == "strlen"
            && let Address(ConstBase::Str(s), at) = self.const_value(args.first()?)?
        {
            let text = self.unit.strings[s]
                .bytes
                .get(usize::try_from(at).ok()?..)?;
            return Some(Int(text.iter().position(|b| *b == 0)? as i128));
        }
        let values: Vec<ConstValue> = args
            .iter()
            .map(|a| self.const_value(a))
            .collect::<Option<_>>()?;
        let result = self.arithmetic(e.ty)?;
        match (base, values.as_slice()) {
            ("abs" | "labs" | "llabs", [Int(v)]) => {
                let value = v.checked_abs()?;
                (wrap(value, result) == value).then_some(Int(value))
            }
            ("bswap16", [Int(v)]) => Some(Int((*v as u16).swap_bytes().into())),
            ("bswap32", [Int(v)]) => Some(Int((*v as u32).swap_bytes().into())),
            ("bswap64", [Int(v)]) => Some(Int((*v as u64).swap_bytes().into())),
            ("popcount", [Int(v)]) => Some(Int((*v as u32).count_ones().into())),
            ("popcountl" | "popcountll", [Int(v)]) => Some(Int((*v as u64).count_ones().into())),
            ("parity", [Int(v)]) => Some(Int(((*v as u32).count_ones() & 1).into())),
            ("parityl" | "parityll", [Int(v)]) => Some(Int(((*v as u64).count_ones() & 1).into())),
            ("clz", [Int(v)]) if *v as u32 != 0 => Some(Int((*v as u32).leading_zeros().into())),
            ("clzl" | "clzll", [Int(v)]) if *v as u64 != 0 => {
                Some(Int((*v as u64).leading_zeros().into()))
            }
            ("ctz", [Int(v)]) if *v as u32 != 0 => Some(Int((*v as u32).trailing_zeros().into())),
            ("ctzl" | "ctzll", [Int(v)]) if *v as u64 != 0 => {
                Some(Int((*v as u64).trailing_zeros().into()))
            }
            ("ffs" | "ffsl" | "ffsll", [Int(0)]) => Some(Int(0)),
            ("ffs" | "ffsl" | "ffsll", [Int(v)]) => Some(Int((v.trailing_zeros() + 1).into())),
            ("isnan", [Float(v)]) => Some(Int(v.is_nan().into())),
            ("isinf", [Float(v)]) => Some(Int(v.is_infinite().into())),
            ("isfinite", [Float(v)]) => Some(Int(v.is_finite().into())),
            (_, [Float(v)]) => fold_real(base, *v, result),
            (_, [Float(v), Float(w)]) => fold_real_pair(base, *v, *w, result),
            _ => None,
        }
    }

    /// The value of an object that cannot change, or of a part of one.
    pub(crate) fn known_object(&self, object: &Expr) -> Option<ConstValue> {
        // A character of a string literal.
        if let ExprKind::Index { base, index } = &object.kind
            && let ExprKind::Decay(array) = &base.kind
            && let ExprKind::Str(s) = array.kind
        {
            let index = u64::try_from(self.known_index(index)?).ok()?;
            return self.string_element(s, index, self.arithmetic(object.ty)?);
        }
        let quals = self.deep_quals(object.ty);
        if !quals.is_const || quals.is_volatile || !self.is_scalar(object.ty) {
            return None;
        }
        let mut path = Vec::new();
        let v = self.path_to(object, &mut path)?;
        match self.unit.vars[v].init.as_ref()? {
            Init::Expr(value) if path.is_empty() => self.const_value(value),
            Init::Expr(value) => self.part_of_string(value, &path, object),
            Init::List(items) => {
                for item in items {
                    if item.path == path {
                        return self.const_value(&item.value);
                    }
                    if let Some(rest) = path.strip_prefix(item.path.as_slice()) {
                        return self.part_of_string(&item.value, rest, object);
                    }
                }
                // What is not mentioned is zero, but gcc does not take it for a constant.
                None
            }
        }
    }

    fn known_index(&self, e: &Expr) -> Option<i128> {
        match self.const_value(e)? {
            ConstValue::Int(v) => Some(v),
            _ => None,
        }
    }

    /// The variable and the steps behind an lvalue with constant subscripts, all within bounds.
    fn path_to(&self, e: &Expr, path: &mut Vec<InitStep>) -> Option<VarId> {
        let (array, index) = match &e.kind {
            ExprKind::Var(v) => return Some(*v),
            ExprKind::Member {
                base,
                record,
                field,
            } => {
                let v = self.path_to(base, path)?;
                path.push(InitStep::Field(*record, *field));
                return Some(v);
            }
            ExprKind::Index { base, index } => (base, self.known_index(index)?),
            ExprKind::Deref(base) => (base, 0),
            _ => return None,
        };
        let ExprKind::Decay(array) = &array.kind else {
            return None;
        };
        let v = self.path_to(array, path)?;
        let index = u64::try_from(index).ok()?;
        match *self.shape(array.ty) {
            CTypeKind::Array { len: Some(n), .. } if index < n => {}
            _ => return None,
        }
        path.push(InitStep::Index(index));
        Some(v)
    }

    /// An element of a character array that a string initialises.
    fn part_of_string(&self, value: &Expr, rest: &[InitStep], object: &Expr) -> Option<ConstValue> {
        match (&value.kind, rest) {
            (ExprKind::Str(s), [InitStep::Index(i)]) => {
                let b = self.arithmetic(object.ty)?;
                self.string_element(*s, *i, b)
            }
            _ => None,
        }
    }

    fn string_element(&self, s: StrId, index: u64, b: Basic) -> Option<ConstValue> {
        let size = b.size() as usize;
        let start = usize::try_from(index).ok()?.checked_mul(size)?;
        let bytes = self.unit.strings[s]
            .bytes
            .get(start..start.checked_add(size)?)?;
        let raw = bytes
            .iter()
            .rev()
            .fold(0i128, |v, byte| v << 8 | i128::from(*byte));
        Some(ConstValue::Int(wrap(raw, b)))
    }
}
