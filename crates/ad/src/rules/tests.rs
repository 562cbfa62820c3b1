//! Every row against central differences of the system's math library, and its second derivative through the same table.

use super::expr::BinOp;
use super::*;

mod libm {
    unsafe extern "C" {
        pub fn exp10(x: f64) -> f64;
        pub fn pow(x: f64, y: f64) -> f64;
        pub fn hypot(x: f64, y: f64) -> f64;
        pub fn cbrt(x: f64) -> f64;
        pub fn erf(x: f64) -> f64;
        pub fn erfc(x: f64) -> f64;
        pub fn tgamma(x: f64) -> f64;
        pub fn lgamma(x: f64) -> f64;
        pub fn j0(x: f64) -> f64;
        pub fn j1(x: f64) -> f64;
        pub fn jn(n: i32, x: f64) -> f64;
        pub fn y0(x: f64) -> f64;
        pub fn y1(x: f64) -> f64;
        pub fn yn(n: i32, x: f64) -> f64;
        pub fn fmod(x: f64, y: f64) -> f64;
        pub fn remainder(x: f64, y: f64) -> f64;
        pub fn fdim(x: f64, y: f64) -> f64;
        pub fn nextafter(x: f64, y: f64) -> f64;
        pub fn ldexp(x: f64, n: i32) -> f64;
        pub fn logb(x: f64) -> f64;
    }
}

/// The polygamma functions, independently of the product's own: shifted far up, then the first terms of the asymptotic series.
fn polygamma(n: i32, mut x: f64) -> f64 {
    let factorial: f64 = (1..=n).map(f64::from).product();
    let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
    let mut sum = 0.0;
    while x < 200.0 {
        sum += factorial / x.powi(n + 1);
        x += 1.0;
    }
    let head = if n == 0 {
        -x.ln()
    } else {
        factorial / f64::from(n) / x.powi(n)
    };
    let second = factorial * f64::from(n + 1) / 12.0 / x.powi(n + 2);
    sign * (sum + head + factorial / 2.0 / x.powi(n + 1) + second)
}

fn call(name: &str, a: &[f64]) -> f64 {
    let truth = |b: bool| if b { 1.0 } else { 0.0 };
    // SAFETY: pure functions of the C math library.
    unsafe {
        match name {
            "exp" => a[0].exp(),
            "exp2" => a[0].exp2(),
            "exp10" | "pow10" => libm::exp10(a[0]),
            "exp2m1" => a[0].exp2() - 1.0,
            "exp10m1" => libm::exp10(a[0]) - 1.0,
            "logp1" => a[0].ln_1p(),
            "log2p1" => a[0].ln_1p() / std::f64::consts::LN_2,
            "log10p1" => a[0].ln_1p() / std::f64::consts::LN_10,
            "rsqrt" => 1.0 / a[0].sqrt(),
            "powi" | "pown" => a[0].powi(a[1] as i32),
            "rootn" => a[0].powf(1.0 / a[1]),
            "sinpi" => (a[0] * std::f64::consts::PI).sin(),
            "cospi" => (a[0] * std::f64::consts::PI).cos(),
            "tanpi" => (a[0] * std::f64::consts::PI).tan(),
            "asinpi" => a[0].asin() / std::f64::consts::PI,
            "acospi" => a[0].acos() / std::f64::consts::PI,
            "atanpi" => a[0].atan() / std::f64::consts::PI,
            "atan2pi" => a[0].atan2(a[1]) / std::f64::consts::PI,
            "nextup" | "nextdown" => a[0],
            "scalb" => a[0] * a[1].round().exp2(),
            "expm1" => a[0].exp_m1(),
            "log" => a[0].ln(),
            "log2" => a[0].log2(),
            "log10" => a[0].log10(),
            "log1p" => a[0].ln_1p(),
            "logb" => libm::logb(a[0]),
            "pow" | "powr" => libm::pow(a[0], a[1]),
            "sqrt" => a[0].sqrt(),
            "cbrt" => libm::cbrt(a[0]),
            "hypot" => libm::hypot(a[0], a[1]),
            "sin" => a[0].sin(),
            "cos" => a[0].cos(),
            "tan" => a[0].tan(),
            "asin" => a[0].asin(),
            "acos" => a[0].acos(),
            "atan" => a[0].atan(),
            "atan2" => a[0].atan2(a[1]),
            "sinh" => a[0].sinh(),
            "cosh" => a[0].cosh(),
            "tanh" => a[0].tanh(),
            "asinh" => a[0].asinh(),
            "acosh" => a[0].acosh(),
            "atanh" => a[0].atanh(),
            "erf" => libm::erf(a[0]),
            "erfc" => libm::erfc(a[0]),
            "tgamma" => libm::tgamma(a[0]),
            "lgamma" | "gamma" => libm::lgamma(a[0]),
            "adjoin_polygamma" => polygamma(a[0] as i32, a[1]),
            "j0" => libm::j0(a[0]),
            "j1" => libm::j1(a[0]),
            "jn" => libm::jn(a[0] as i32, a[1]),
            "y0" => libm::y0(a[0]),
            "y1" => libm::y1(a[0]),
            "yn" => libm::yn(a[0] as i32, a[1]),
            "fabs" => a[0].abs(),
            "fmin" | "fminimum" | "fminimum_num" => a[0].min(a[1]),
            "fmax" | "fmaximum" | "fmaximum_num" => a[0].max(a[1]),
            "fdim" => libm::fdim(a[0], a[1]),
            "copysign" => a[0].copysign(a[1]),
            "fma" => a[0].mul_add(a[1], a[2]),
            "fmod" => libm::fmod(a[0], a[1]),
            "remainder" | "drem" => libm::remainder(a[0], a[1]),
            "floor" => a[0].floor(),
            "ceil" => a[0].ceil(),
            "round" => a[0].round(),
            "trunc" => a[0].trunc(),
            "rint" | "nearbyint" | "roundeven" => a[0].round_ties_even(),
            "nextafter" | "nexttoward" => libm::nextafter(a[0], a[1]),
            "ldexp" | "scalbn" | "scalbln" => libm::ldexp(a[0], a[1] as i32),
            "significand" => libm::ldexp(a[0], -(libm::logb(a[0]) as i32)),
            "isnan" => truth(a[0].is_nan()),
            "signbit" => truth(a[0].is_sign_negative()),
            _ => panic!("the test does not know {name}"),
        }
    }
}

fn partial(rule: &Rule, k: usize, at: &[f64]) -> f64 {
    match &rule.partials[k] {
        Partial::Of(e) => e.eval(at, call(&rule.name, at), &call),
        _ => 0.0,
    }
}

fn points(rule: &Rule) -> Vec<Vec<f64>> {
    (0..7)
        .map(|point| {
            rule.domain
                .iter()
                .enumerate()
                .map(|(k, (lo, hi))| {
                    lo + (hi - lo) * (((point * 5 + k * 3) % 7) as f64 + 0.5) / 7.0
                })
                .collect()
        })
        .collect()
}

/// The five-point formula.
fn difference(at: &[f64], k: usize, f: impl Fn(&[f64]) -> f64) -> f64 {
    let h = 1e-4 * at[k].abs().max(0.1);
    let along = |t: f64| {
        let mut p = at.to_vec();
        p[k] += t;
        f(&p)
    };
    (8.0 * (along(h) - along(-h)) - (along(2.0 * h) - along(-2.0 * h))) / (12.0 * h)
}

/// An expression and its derivative, by the table's own rows.
fn dual(e: &Expr, params: &[(f64, f64)], result: (f64, f64)) -> (f64, f64) {
    let go = |e: &Expr| dual(e, params, result);
    match e {
        Expr::Number(x) => (*x, 0.0),
        Expr::Constant(digits) => (digits.parse().expect("digits"), 0.0),
        Expr::Param(n) => params[*n],
        Expr::Result => result,
        Expr::Neg(a) => {
            let a = go(a);
            (-a.0, -a.1)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (go(a), go(b));
            match op {
                BinOp::Add => (a.0 + b.0, a.1 + b.1),
                BinOp::Sub => (a.0 - b.0, a.1 - b.1),
                BinOp::Mul => (a.0 * b.0, a.1 * b.0 + a.0 * b.1),
                BinOp::Div => (a.0 / b.0, (a.1 - a.0 / b.0 * b.1) / b.0),
                _ => {
                    let plain = Expr::Binary(
                        *op,
                        Box::new(Expr::Number(a.0)),
                        Box::new(Expr::Number(b.0)),
                    );
                    (plain.eval(&[], 0.0, &call), 0.0)
                }
            }
        }
        Expr::Choose(c, a, b) => go(if go(c).0 != 0.0 { a } else { b }),
        Expr::Call(name, args) => {
            let args: Vec<(f64, f64)> = args.iter().map(go).collect();
            let values: Vec<f64> = args.iter().map(|a| a.0).collect();
            let slope = match lookup(name) {
                Some((rule, _)) => (0..args.len())
                    .map(|k| partial(rule, k, &values) * args[k].1)
                    .sum(),
                None => 0.0,
            };
            (call(name, &values), slope)
        }
    }
}

#[test]
fn every_row_agrees_with_central_differences_to_second_order() {
    for rule in all().filter(|r| !r.complex) {
        for at in points(rule) {
            for k in 0..at.len() {
                if rule.partials[k] == Partial::Integer || rule.name.starts_with("next") {
                    continue;
                }
                let check = |what: &str, exact: f64, numeric: f64| {
                    let error = (numeric - exact).abs() / exact.abs().max(1.0);
                    assert!(
                        error < 1e-8,
                        "{what}{} in {} at {at:?}: {exact} against {numeric}",
                        rule.name,
                        rule.params[k]
                    );
                };
                check(
                    "",
                    partial(rule, k, &at),
                    difference(&at, k, |p| call(&rule.name, p)),
                );
                // The derivative of each partial in each parameter.
                for (other, p) in rule.partials.iter().enumerate() {
                    let Partial::Of(e) = p else { continue };
                    let mut params: Vec<(f64, f64)> = at.iter().map(|&x| (x, 0.0)).collect();
                    params[k].1 = 1.0;
                    let result = (call(&rule.name, &at), partial(rule, k, &at));
                    let numeric = difference(&at, k, |p| partial(rule, other, p));
                    check("a partial of ", dual(e, &params, result).1, numeric);
                }
            }
        }
    }
}

/// Second derivatives where a guard for a singular point must not interfere.
#[test]
fn guards_do_not_spoil_second_derivatives() {
    for (name, of, by, at, expected) in [
        ("hypot", 0, 0, &[0.0, 2.0][..], 0.5),
        ("hypot", 1, 0, &[0.0, 2.0], 0.0),
        ("atan2", 0, 1, &[2.0, 0.0], 0.25),
        ("pow", 0, 0, &[0.0, 2.0], 2.0),
        ("pow", 0, 0, &[0.0, 3.0], 0.0),
        ("pow", 0, 1, &[2.0, 0.0], 0.5),
        ("pow", 0, 0, &[0.0, 1.0], 0.0),
        ("powi", 0, 0, &[0.0, 2.0], 2.0),
        ("j1", 0, 0, &[0.0], 0.0),
        ("sqrt", 0, 0, &[0.0], 0.0),
        ("cbrt", 0, 0, &[0.0], 0.0),
        ("log", 0, 0, &[0.0], 0.0),
        ("hypot", 0, 0, &[0.0, 0.0], 1.0),
    ] {
        let (rule, _) = lookup(name).expect("a row");
        let Partial::Of(e) = &rule.partials[of] else {
            panic!("{name} has a partial");
        };
        let mut params: Vec<(f64, f64)> = at.iter().map(|&x| (x, 0.0)).collect();
        params[by].1 = 1.0;
        let result = (call(name, at), partial(rule, by, at));
        let second = dual(e, &params, result).1;
        assert!(
            (second - expected).abs() < 1e-12,
            "{name} at {at:?}: {second}, not {expected}"
        );
    }
}

#[test]
fn singular_points_give_finite_values() {
    for (name, at) in [
        ("sqrt", &[0.0][..]),
        ("cbrt", &[0.0]),
        ("pow", &[0.0, 2.0]),
        ("pow", &[0.0, 0.0]),
        ("hypot", &[0.0, 0.0]),
        ("pow", &[0.0, 0.5]),
        ("pow", &[-2.0, 0.0]),
        ("powi", &[0.0, 0.0]),
        ("atan2", &[0.0, 0.0]),
        ("fabs", &[0.0]),
        ("log", &[0.0]),
        ("log2", &[0.0]),
        ("log10", &[0.0]),
        ("log1p", &[-1.0]),
        ("asin", &[1.0]),
        ("asin", &[-1.0]),
        ("acos", &[1.0]),
        ("acosh", &[1.0]),
        ("atanh", &[-1.0]),
        ("y0", &[0.0]),
        ("y1", &[0.0]),
        ("fmin", &[f64::NAN, 1.0]),
        ("fmax", &[1.0, f64::NAN]),
        ("j1", &[0.0]),
    ] {
        let (rule, _) = lookup(name).expect("a row");
        for k in 0..at.len() {
            let d = partial(rule, k, at);
            assert!(d.is_finite(), "{name} in {} at {at:?}: {d}", rule.params[k]);
        }
    }
}

#[test]
fn suffixes_share_a_row() {
    assert_eq!(
        lookup("sinf").map(|(r, w)| (r.name.as_str(), w)),
        Some(("sin", Width::Float))
    );
    assert_eq!(
        lookup("erfl").map(|(r, w)| (r.name.as_str(), w)),
        Some(("erf", Width::LongDouble))
    );
    assert_eq!(
        lookup("erf").map(|(r, w)| (r.name.as_str(), w)),
        Some(("erf", Width::Double))
    );
    assert_eq!(
        lookup("__expf_finite").map(|(r, w)| (r.name.as_str(), w)),
        Some(("exp", Width::Float))
    );
    assert_eq!(
        lookup("__builtin_powi").map(|(r, _)| r.name.as_str()),
        Some("powi")
    );
    assert!(lookup("printf").is_none());
    assert!(lookup("modf").is_none());
}

#[test]
fn inactive_functions_have_no_row() {
    for rule in all() {
        assert!(!inactive::contains(&rule.name), "{}", rule.name);
    }
    for name in [
        "isnanf",
        "__builtin_isnan",
        "llrintl",
        "__printf_chk",
        "__builtin_popcountll",
    ] {
        assert!(inactive::contains(name), "{name}");
    }
    for name in ["qsort", "memcpy", "malloc", "fabs", "modf"] {
        assert!(!inactive::contains(name), "{name}");
    }
}

#[test]
fn the_documentation_names_every_function() {
    let text = documentation();
    for rule in all().filter(|r| !r.name.starts_with("adjoin_")) {
        assert!(
            text.contains(&format!("| `{}(", rule.name)),
            "{}",
            rule.name
        );
    }
}

#[test]
fn every_function_a_partial_calls_is_known() {
    for rule in all() {
        for p in &rule.partials {
            if let Partial::Of(e) = p {
                e.visit(&mut |e| {
                    if let Expr::Call(name, _) = e {
                        let known =
                            lookup(name).is_some() || matches!(name.as_str(), "isnan" | "signbit");
                        assert!(known, "{} calls {name}", rule.name);
                    }
                });
            }
        }
    }
}
