//! Every row against central differences of the system's math library, and its second derivative through the same table.

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

/// The digamma function, independently of the product's own: a recurrence and the asymptotic series.
fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 12.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))));
    sum + x.ln() - 0.5 / x - series
}

fn call(name: &str, a: &[f64]) -> f64 {
    let truth = |b: bool| if b { 1.0 } else { 0.0 };
    // SAFETY: pure functions of the C math library.
    unsafe {
        match name {
            "exp" => a[0].exp(),
            "exp2" => a[0].exp2(),
            "exp10" => libm::exp10(a[0]),
            "expm1" => a[0].exp_m1(),
            "log" => a[0].ln(),
            "log2" => a[0].log2(),
            "log10" => a[0].log10(),
            "log1p" => a[0].ln_1p(),
            "logb" => libm::logb(a[0]),
            "pow" => libm::pow(a[0], a[1]),
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
            "digamma" => digamma(a[0]),
            "j0" => libm::j0(a[0]),
            "j1" => libm::j1(a[0]),
            "jn" => libm::jn(a[0] as i32, a[1]),
            "y0" => libm::y0(a[0]),
            "y1" => libm::y1(a[0]),
            "yn" => libm::yn(a[0] as i32, a[1]),
            "fabs" => a[0].abs(),
            "fmin" => a[0].min(a[1]),
            "fmax" => a[0].max(a[1]),
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
            "nextafter" => libm::nextafter(a[0], a[1]),
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

#[test]
fn every_row_agrees_with_central_differences() {
    for rule in all() {
        for point in 0..7 {
            let at: Vec<f64> = rule
                .domain
                .iter()
                .enumerate()
                .map(|(k, (lo, hi))| {
                    lo + (hi - lo) * (((point * 5 + k * 3) % 7) as f64 + 0.5) / 7.0
                })
                .collect();
            for k in 0..at.len() {
                if rule.partials[k] == Partial::Integer {
                    continue;
                }
                let h = 1e-5 * at[k].abs().max(0.1);
                let along = |t: f64| {
                    let mut p = at.clone();
                    p[k] += t;
                    call(&rule.name, &p)
                };
                let numeric = (8.0 * (along(h) - along(-h)) - (along(2.0 * h) - along(-2.0 * h)))
                    / (12.0 * h);
                let exact = partial(rule, k, &at);
                let error = (numeric - exact).abs() / exact.abs().max(1.0);
                assert!(
                    error < 1e-8,
                    "{} in {} at {at:?}: {exact} against {numeric}",
                    rule.name,
                    rule.params[k]
                );
            }
        }
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
        ("fabs", &[0.0]),
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
    assert!(lookup("printf").is_none());
}

#[test]
fn every_function_a_partial_calls_is_known() {
    for rule in all() {
        for p in &rule.partials {
            if let Partial::Of(e) = p {
                e.visit(&mut |e| {
                    if let Expr::Call(name, _) = e {
                        let known = lookup(name).is_some()
                            || matches!(name.as_str(), "digamma" | "isnan" | "signbit");
                        assert!(known, "{} calls {name}", rule.name);
                    }
                });
            }
        }
    }
}
