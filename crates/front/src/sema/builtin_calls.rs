//! Calls of builtins that are typed one by one: type-generic, folded, or with trees of their own.

use super::builtin_table::{FETCH_OPERATIONS, NO_TREE};
use super::convert::{complex_of, usual};
use super::{Sema, UNKNOWN_BUILTIN, expr};
use crate::ast::*;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::{Basic, CTy};

/// The real type that the ending of a constant's name asks for.
fn suffix_type(name: &str) -> Basic {
    match name {
        n if n.ends_with("f16") => Basic::Float16,
        n if n.ends_with("f128") || n.ends_with('q') => Basic::Float128,
        n if n.ends_with("f64") => Basic::Double,
        // `inf` itself ends in `f`.
        "inf" | "nan" | "nans" | "huge_val" | "infd" => Basic::Double,
        n if n.ends_with("f32") || n.ends_with('f') => Basic::Float,
        n if n == "infl" || n == "nanl" || n == "nansl" || n == "huge_vall" => Basic::LongDouble,
        _ => Basic::Double,
    }
}

impl Sema {
    /// A call of a builtin from [`Sema::special_builtins`].
    pub(crate) fn builtin_call(&mut self, f: FuncId, args: Vec<Expr>, span: Span) -> Expr {
        let name = self.unit.funcs[f].name.clone();
        if args.iter().any(|a| self.is_error(a)) {
            return self.error_expr(span);
        }
        if name.starts_with("__sync_") || name.contains("atomic_") {
            return self.atomic_call(&name, args, span);
        }
        if !self.is_known_special(&name) {
            return self.unknown_builtin(&name, args, span);
        }
        let base = name.strip_prefix("__builtin_").unwrap_or(&name).to_string();
        let wanted = match base.as_str() {
            "unreachable" | "is_constant_evaluated" => 0..=0,
            b if b.starts_with("inf") || b.starts_with("huge_val") => 0..=0,
            "expect"
            | "va_copy"
            | "complex"
            | "isgreater"
            | "isgreaterequal"
            | "isless"
            | "islessequal"
            | "islessgreater"
            | "isunordered"
            | "alloca_with_align"
            | "object_size"
            | "dynamic_object_size" => 2..=2,
            "expect_with_probability" | "alloca_with_align_and_max" => 3..=3,
            "fpclassify" => 6..=6,
            b if b.contains("_overflow") => 3..=3,
            "tgmath" => 2..=64,
            "va_start" | "speculation_safe_value" => 1..=2,
            _ => 1..=1,
        };
        if !wanted.contains(&args.len()) {
            let word = if args.len() < *wanted.start() {
                "few"
            } else {
                "many"
            };
            let count = wanted.start();
            let plural = if *count == 1 { "" } else { "s" };
            return self.error(
                span,
                format!("too {word} arguments to '{name}'"),
                format!("{count} argument{plural} wanted, {} given", args.len()),
            );
        }
        self.special_call(&name, &base, args, span)
    }

    fn special_call(&mut self, name: &str, base: &str, args: Vec<Expr>, span: Span) -> Expr {
        let mut args = args.into_iter();
        let mut next = |sema: &mut Self| args.next().unwrap_or_else(|| sema.error_expr(span));
        match base {
            "expect" | "expect_with_probability" => {
                let value = next(self);
                let long = self.basic(Basic::Long);
                let value = self.convert(value, long, "argument 1 of '__builtin_expect'");
                Expr { span, ..value }
            }
            "assume" => {
                let value = next(self);
                let value = self.condition(value);
                let void = self.unit.types.void();
                expr(
                    ExprKind::Unsupported("__builtin_assume".into(), vec![value]),
                    void,
                    span,
                )
            }
            "speculation_safe_value" | "assoc_barrier" | "launder" | "unpredictable" => {
                let value = next(self);
                Expr {
                    span,
                    ..self.rvalue(value)
                }
            }
            "constant_p" => {
                let value = next(self);
                let value = self.rvalue(value);
                let known = match self.const_value(&value) {
                    Some(super::ConstValue::Address(base, _)) => {
                        matches!(base, super::ConstBase::Str(_))
                    }
                    other => other.is_some(),
                };
                self.int_const(known.into(), Basic::Int, span)
            }
            "is_constant_evaluated" => self.int_const(0, Basic::Int, span),
            "classify_type" => {
                let value = next(self);
                let value = self.rvalue(value);
                let class = self.type_class(value.ty);
                self.int_const(class, Basic::Int, span)
            }
            "object_size" | "dynamic_object_size" => {
                next(self);
                let kind = next(self);
                let unknown = match self.const_int(&kind) {
                    Some(0 | 1) => u64::MAX,
                    _ => 0,
                };
                self.int_const(unknown.into(), Basic::ULong, span)
            }
            "unreachable" => {
                let void = self.unit.types.void();
                expr(ExprKind::Unreachable, void, span)
            }
            "clear_padding" => {
                let pointer = next(self);
                let pointer = self.rvalue(pointer);
                let void = self.unit.types.void();
                let f = self.instance(name, void, &[pointer.ty], span);
                self.call_instance(f, vec![pointer], span)
            }
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let size = next(self);
                let align = (base != "alloca").then(|| next(self));
                self.alloca(size, align, span)
            }
            "va_start" | "va_end" => {
                let list = next(self);
                let list = self.va_pointer(list);
                if self.is_wild(&list) {
                    return self.error_expr(span);
                }
                let void = self.unit.types.void();
                let list = Box::new(list);
                let kind = if base == "va_end" {
                    ExprKind::VaEnd(list)
                } else {
                    ExprKind::VaStart(list)
                };
                expr(kind, void, span)
            }
            "va_copy" => {
                let (to, from) = (next(self), next(self));
                let (to, from) = (self.va_pointer(to), self.va_pointer(from));
                if self.is_wild(&to) || self.is_wild(&from) {
                    return self.error_expr(span);
                }
                let void = self.unit.types.void();
                expr(ExprKind::VaCopy(Box::new(to), Box::new(from)), void, span)
            }
            "complex" => {
                let (re, im) = (next(self), next(self));
                self.make_complex(re, im, span)
            }
            "fpclassify" => self.fpclassify(name, args.collect(), span),
            "tgmath" => self.type_generic_math(args.collect(), span),
            b if b.starts_with("inf") || b.starts_with("huge_val") => {
                let ty = self.basic(suffix_type(b));
                expr(
                    ExprKind::Float {
                        value: f64::INFINITY,
                        text: None,
                    },
                    ty,
                    span,
                )
            }
            b if b.starts_with("nan") => {
                let payload = next(self);
                self.not_a_number(b, payload, span)
            }
            b if b.contains("_overflow") => {
                let (x, y, z) = (next(self), next(self), next(self));
                self.overflow_call(name, b.ends_with("_p"), x, y, z, span)
            }
            _ => self.classify(name, args.collect(), span),
        }
    }

    /// A builtin that is not in the tables. Those of the processor's headers type as whatever is needed; lowering refuses them.
    fn unknown_builtin(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let base = name.strip_prefix("__builtin_").unwrap_or(name);
        if matches!(base, "shuffle" | "shufflevector") {
            return self.vector_shuffle(base, args, span);
        }
        if let Some(e) = self.processor_builtin(base, &args, span) {
            return e;
        }
        let prefixes = ["ia32_", "elementwise_", "reduce_", "nontemporal_"];
        let known = prefixes.iter().any(|prefix| base.starts_with(prefix))
            || NO_TREE.split_ascii_whitespace().any(|name| name == base);
        if known || self.in_system_header {
            let int = self.basic(Basic::Int);
            let reason = format!("{UNKNOWN_BUILTIN}'{name}'");
            return expr(ExprKind::Unsupported(reason, args), int, span);
        }
        let d = Diagnostic::unsupported(span, format!("the builtin '{name}' is not known"))
            .label("no such builtin")
            .help("if it is a library function, call it by its plain name");
        self.fail(d)
    }

    /// A call of a typed instance, its arguments converted.
    pub(crate) fn call_instance(&mut self, f: FuncId, args: Vec<Expr>, span: Span) -> Expr {
        let callee = self.func(f, span);
        self.call(callee, args, span)
    }

    /// gcc's numbers for the classes of types.
    fn type_class(&self, ty: CTy) -> i128 {
        match self.arithmetic(ty) {
            Some(b) if b.is_integer() => 1,
            Some(b) if b.is_float() => 8,
            Some(_) => 9,
            None if self.is_pointer(ty) => 5,
            None => match self.unit.types.record(ty) {
                Some(r) if self.unit.types.records[r].is_union => 13,
                Some(_) => 12,
                None => 0,
            },
        }
    }

    fn alloca(&mut self, size: Expr, align: Option<Expr>, span: Span) -> Expr {
        let ulong = self.basic(Basic::ULong);
        let size = self.convert(size, ulong, "argument 1 of '__builtin_alloca'");
        if self.is_error(&size) {
            return self.error_expr(span);
        }
        let void = self.unit.types.void();
        let ty = self.unit.types.pointer(void);
        let ordinary = align.is_none_or(|a| {
            self.const_int(&a)
                .is_some_and(|bits| (0..=128).contains(&bits))
        });
        if ordinary {
            expr(ExprKind::Alloca(Box::new(size)), ty, span)
        } else {
            let reason = "alloca with an alignment of its own".to_string();
            expr(ExprKind::Unsupported(reason, vec![size]), ty, span)
        }
    }

    fn make_complex(&mut self, re: Expr, im: Expr, span: Span) -> Expr {
        let (re, im) = (self.rvalue(re), self.rvalue(im));
        let types = (self.arithmetic(re.ty), self.arithmetic(im.ty));
        let (Some(a), Some(b)) = types else {
            return self.error(
                span,
                "__builtin_complex needs two real numbers",
                "not numbers",
            );
        };
        if a.is_complex() || b.is_complex() {
            return self.error(
                span,
                "__builtin_complex needs two real numbers",
                "complex already",
            );
        }
        let real = match usual(a, b) {
            b if b.is_integer() => Basic::Double,
            b => b,
        };
        let part = self.basic(real);
        let (re, im) = (self.implicit_cast(re, part), self.implicit_cast(im, part));
        let ty = self.basic(complex_of(real));
        expr(ExprKind::MakeComplex(Box::new(re), Box::new(im)), ty, span)
    }

    fn not_a_number(&mut self, base: &str, payload: Expr, span: Span) -> Expr {
        let plain = self.literal_text(&payload).is_some_and(|t| t == b"\0");
        let basic = suffix_type(base);
        let ty = self.basic(basic);
        if plain && !base.starts_with("nans") {
            return expr(
                ExprKind::Float {
                    value: f64::NAN,
                    text: None,
                },
                ty,
                span,
            );
        }
        let character = self.basic(Basic::Char);
        let constant = adjoin_ir::Quals {
            is_const: true,
            ..Default::default()
        };
        let character = self.unit.types.qualified(character, constant);
        let text = self.unit.types.pointer(character);
        let f = self.instance(&format!("__builtin_{base}"), ty, &[text], span);
        self.call_instance(f, vec![payload], span)
    }

    /// `isnan(x)`, `isgreater(x, y)` and so on: a function of the operands' common type.
    fn classify(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let args: Vec<Expr> = args.into_iter().map(|a| self.rvalue(a)).collect();
        let mut common: Option<Basic> = None;
        for arg in &args {
            if self.is_wild(arg) {
                return self.wild_over(args, span);
            }
            let Some(b) = self.arithmetic(arg.ty).filter(|b| !b.is_complex()) else {
                let type_name = self.type_name(arg.ty);
                return self.error(
                    arg.span,
                    format!("'{name}' needs a real number"),
                    format!("this has type '{type_name}'"),
                );
            };
            common = Some(common.map_or(b, |c| usual(c, b)));
        }
        let real = match common {
            Some(b) if b.is_float() => b,
            _ => Basic::Double,
        };
        let ty = self.basic(real);
        let int = self.basic(Basic::Int);
        let params = vec![ty; args.len()];
        let f = self.instance(name, int, &params, span);
        self.call_instance(f, args, span)
    }

    fn fpclassify(&mut self, name: &str, mut args: Vec<Expr>, span: Span) -> Expr {
        let Some(last) = args.pop() else {
            return self.error_expr(span);
        };
        let last = self.rvalue(last);
        let real = match self.arithmetic(last.ty) {
            Some(b) if b.is_float() => b,
            _ => Basic::Double,
        };
        args.push(last);
        let int = self.basic(Basic::Int);
        let mut params = vec![int; 5];
        params.push(self.basic(real));
        let f = self.instance(name, int, &params, span);
        self.call_instance(f, args, span)
    }

    fn overflow_call(
        &mut self,
        name: &str,
        predicate: bool,
        x: Expr,
        y: Expr,
        z: Expr,
        span: Span,
    ) -> Expr {
        let x = self.rvalue(x);
        let y = self.rvalue(y);
        let z = self.rvalue(z);
        for e in [&x, &y, &z] {
            if self.is_wild(e) {
                return self.error_expr(span);
            }
        }
        let target = if predicate {
            Some(z.ty)
        } else {
            self.unit.types.pointee(z.ty)
        };
        let fits = self.is_integer(x.ty)
            && self.is_integer(y.ty)
            && target.is_some_and(|t| self.is_integer(t));
        if !fits {
            return self.error(
                span,
                format!("'{name}' needs integers and a place for the result"),
                "the arguments have other types",
            );
        }
        let result = self.basic(Basic::Bool);
        let f = self.instance(name, result, &[x.ty, y.ty, z.ty], span);
        self.call_instance(f, vec![x, y, z], span)
    }

    /// `<tgmath.h>`: the first arguments are functions, the rest are for the one that fits.
    fn type_generic_math(&mut self, args: Vec<Expr>, span: Span) -> Expr {
        let count = args.iter().take_while(|a| self.is_callable(a)).count();
        let mut functions: Vec<Expr> = args;
        let operands = functions.split_off(count);
        let operands: Vec<Expr> = operands.into_iter().map(|a| self.rvalue(a)).collect();
        let mut common: Option<Basic> = None;
        for operand in &operands {
            if let Some(b) = self.arithmetic(operand.ty) {
                let b = if b.is_integer() { Basic::Double } else { b };
                common = Some(common.map_or(b, |c| usual(c, b)));
            }
        }
        let common = common.unwrap_or(Basic::Double);
        let mut chosen = None;
        for function in functions {
            let Some(adjoin_ir::CTypeKind::Function { params, ret, .. }) =
                self.function_shape(&function)
            else {
                continue;
            };
            let matches = params
                .iter()
                .chain([&ret])
                .any(|p| self.arithmetic(*p) == Some(common));
            if matches || chosen.is_none() {
                let first = params.first().and_then(|p| self.arithmetic(*p));
                chosen = Some(function);
                if matches && first.is_none_or(|b| b == common) {
                    break;
                }
            }
        }
        match chosen {
            Some(function) => self.call(function, operands, span),
            None => self.error(
                span,
                "type-generic call without functions",
                "nothing to call",
            ),
        }
    }

    fn function_shape(&self, e: &Expr) -> Option<adjoin_ir::CTypeKind> {
        let ty = self.unit.types.pointee(e.ty).unwrap_or(e.ty);
        Some(self.shape(ty).clone()).filter(|k| matches!(k, adjoin_ir::CTypeKind::Function { .. }))
    }

    fn is_callable(&self, e: &Expr) -> bool {
        self.function_shape(e).is_some()
    }

    /// Atomic operations: typed by what the first argument points to.
    fn atomic_call(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let args: Vec<Expr> = args.into_iter().map(|a| self.rvalue(a)).collect();
        if args.iter().any(|a| self.is_wild(a)) {
            return self.error_expr(span);
        }
        let base = name
            .strip_prefix("__sync_")
            .or_else(|| name.strip_prefix("__atomic_"))
            .or_else(|| name.strip_prefix("__c11_atomic_"))
            .unwrap_or(name);
        let trimmed = base
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches('_');
        // `__atomic_load_4` is `__atomic_load_n` on four bytes.
        let sized = trimmed.len() < base.len() && name.starts_with("__atomic_");
        let by_value = matches!(trimmed, "load" | "store" | "exchange" | "compare_exchange");
        let trimmed = if sized && by_value {
            format!("{trimmed}_n")
        } else {
            trimmed.to_string()
        };
        let trimmed = trimmed.as_str();
        if let Some(e) = self.check_atomic_count(name, trimmed, args.len(), span) {
            return e;
        }
        let void = self.unit.types.void();
        let boolean = self.basic(Basic::Bool);
        let own: Vec<CTy> = args.iter().map(|a| a.ty).collect();
        if matches!(base, "synchronize" | "thread_fence" | "signal_fence") {
            let f = self.instance(name, void, &own, span);
            return self.call_instance(f, args, span);
        }
        if matches!(base, "always_lock_free" | "is_lock_free") {
            let f = self.instance(name, boolean, &own, span);
            return self.call_instance(f, args, span);
        }
        let Some(pointee) = args.first().and_then(|a| self.unit.types.pointee(a.ty)) else {
            return self.error(
                span,
                format!("the first argument of '{name}' must be a pointer"),
                "no object to work on",
            );
        };
        let opaque = matches!(trimmed, "test_and_set" | "clear" | "lock_release");
        if self.is_void(pointee) && !opaque {
            return self.error(
                span,
                format!("the first argument of '{name}' must not be a void pointer"),
                "the size of the object is not known",
            );
        }
        let value = self.unit.types.unqualified(pointee);
        let value = match *self.unit.types.kind(value) {
            adjoin_ir::CTypeKind::Typedef { target, .. }
                if self.unit.types.quals(value) != Default::default() =>
            {
                self.unit.types.unqualified(target)
            }
            _ => value,
        };
        let fetches = FETCH_OPERATIONS
            .iter()
            .any(|op| trimmed.contains("fetch") && trimmed.split('_').any(|word| word == *op));
        let ret = match trimmed {
            _ if fetches => value,
            "load_n" | "exchange_n" | "val_compare_and_swap" | "lock_test_and_set" => value,
            "load" | "exchange" if name.starts_with("__c11") => value,
            "bool_compare_and_swap" | "test_and_set" => boolean,
            b if b.starts_with("compare_exchange") => boolean,
            _ => void,
        };
        // Values that are stored are converted to the object's type; orders and pointers stay as they are.
        let mut params = own;
        let stored: &[usize] = match trimmed {
            _ if fetches && self.is_pointer(value) => &[],
            _ if fetches => &[1],
            "store_n" | "exchange_n" | "lock_test_and_set" => &[1],
            "store" | "exchange" | "init" if name.starts_with("__c11") => &[1],
            "compare_exchange_n" => &[2],
            b if b.starts_with("compare_exchange_") => &[2],
            "bool_compare_and_swap" | "val_compare_and_swap" => &[1, 2],
            _ => &[],
        };
        for &i in stored {
            if let Some(p) = params.get_mut(i) {
                *p = value;
            }
        }
        let f = self.instance(name, ret, &params, span);
        self.call_instance(f, args, span)
    }

    /// Checks the number of arguments of an atomic builtin; the older `__sync_` ones take any more.
    fn check_atomic_count(
        &mut self,
        name: &str,
        base: &str,
        have: usize,
        span: Span,
    ) -> Option<Expr> {
        if name.starts_with("__c11") {
            return None;
        }
        let sync = name.starts_with("__sync_");
        let want = match base {
            "synchronize" => 0,
            "thread_fence" | "signal_fence" | "lock_release" => 1,
            "bool_compare_and_swap" | "val_compare_and_swap" => 3,
            "exchange" => 4,
            "compare_exchange" | "compare_exchange_n" => 6,
            "load_n" | "test_and_set" | "clear" | "always_lock_free" | "is_lock_free" => 2,
            _ if sync => 2,
            _ => 3,
        };
        if have == want || sync && have > want {
            return None;
        }
        let word = if have < want { "few" } else { "many" };
        Some(self.error(
            span,
            format!("too {word} arguments to '{name}'"),
            format!("{want} wanted, {have} given"),
        ))
    }
}
