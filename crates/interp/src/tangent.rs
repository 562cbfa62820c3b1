//! Derivative rules of the interpreter's dual numbers: arithmetic, conversions, and one row per function of the math library with its
//! value in both precisions, its partial derivatives and points to test it at. A tangent of exactly zero means "does not
//! depend", and never meets a partial: an infinite slope times no change is no change.

use crate::arith::{BinaryOp, Compare, Complex32, Complex64, Relation};
use crate::libc::math::*;
use crate::libc::{External, Invocation, Precision};
use crate::value::{Raw, Tangent, from_float, to_float};
use adjoin_ir::{ReduceOp, Type};
use std::f64::consts::{LN_2, LN_10, PI};

/// A tangent times a partial.
#[inline(always)]
pub fn term(tangent: f64, partial: f64) -> f64 {
    if tangent == 0.0 {
        0.0
    } else {
        tangent * partial
    }
}

/// Size of a float's cell in memory.
pub fn cell_size(ty: Type) -> u64 {
    ty.part().unwrap_or(ty).size()
}

/// The tangent of a real operation.
#[inline(always)]
pub fn real(op: BinaryOp, x: f64, y: f64, result: f64, tx: f64, ty: f64) -> f64 {
    match op {
        BinaryOp::Add => tx + ty,
        BinaryOp::Sub => tx - ty,
        BinaryOp::Mul => term(tx, y) + term(ty, x),
        _ if tx == 0.0 && ty == 0.0 => 0.0,
        _ => (tx - term(ty, result)) / y,
    }
}

/// The tangent of an operation of any type.
pub fn binary(
    op: BinaryOp,
    ty: Type,
    a: Raw,
    b: Raw,
    result: Raw,
    ta: Tangent,
    tb: Tangent,
) -> Tangent {
    if ty.is_float() {
        let (x, y, r) = (
            to_float(ty, a.lo),
            to_float(ty, b.lo),
            to_float(ty, result.lo),
        );
        return [real(op, x, y, r, ta[0], tb[0]), 0.0];
    }
    let Some(part) = ty.part() else {
        return [0.0; 2];
    };
    let (x, y) = (Complex64::from_raw(part, a), Complex64::from_raw(part, b));
    let r = Complex64::from_raw(part, result);
    match op {
        BinaryOp::Add => [ta[0] + tb[0], ta[1] + tb[1]],
        BinaryOp::Sub => [ta[0] - tb[0], ta[1] - tb[1]],
        BinaryOp::Mul => sum(complex_term(ta, y), complex_term(tb, x)),
        _ if ta == [0.0; 2] && tb == [0.0; 2] => [0.0; 2],
        _ => {
            let up = sum(ta, complex_term([-tb[0], -tb[1]], r));
            let quotient = Complex64::new(up[0], up[1]).div(y);
            [quotient.re, quotient.im]
        }
    }
}

fn sum(a: Tangent, b: Tangent) -> Tangent {
    [a[0] + b[0], a[1] + b[1]]
}

/// A complex tangent times a complex derivative.
fn complex_term(t: Tangent, derivative: Complex64) -> Tangent {
    [
        term(t[0], derivative.re) - term(t[1], derivative.im),
        term(t[0], derivative.im) + term(t[1], derivative.re),
    ]
}

/// The tangent of a conversion.
pub fn cast(from: Type, to: Type, t: Tangent) -> Tangent {
    let number = |ty: Type| ty.is_float() || ty.is_complex();
    if !number(from) || !number(to) {
        [0.0; 2]
    } else if from.is_complex() && to.is_complex() {
        t
    } else {
        [t[0], 0.0]
    }
}

/// The tangent of a combination of two partial results of a reduction.
pub fn reduction(
    op: ReduceOp,
    ty: Type,
    a: Raw,
    b: Raw,
    result: Raw,
    ta: Tangent,
    tb: Tangent,
) -> Tangent {
    if !ty.is_float() && !ty.is_complex() {
        return [0.0; 2];
    }
    match op {
        ReduceOp::Add | ReduceOp::Sub => binary(BinaryOp::Add, ty, a, b, result, ta, tb),
        ReduceOp::Mul => binary(BinaryOp::Mul, ty, a, b, result, ta, tb),
        ReduceOp::Min if Compare::of(Relation::Lt, ty).test(b, a) => tb,
        ReduceOp::Max if Compare::of(Relation::Gt, ty).test(b, a) => tb,
        ReduceOp::Min | ReduceOp::Max => ta,
        _ => [0.0; 2],
    }
}

/// A real function of one real argument.
#[derive(Debug)]
pub struct Unary {
    /// Name of the form for `double`.
    pub name: &'static str,
    /// Its value.
    pub value: extern "C" fn(f64) -> f64,
    /// In single precision.
    pub single: extern "C" fn(f32) -> f32,
    /// The derivative, from argument and value.
    pub partial: fn(f64, f64) -> f64,
    /// Points inside its domain, for the tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub samples: &'static [f64],
}

/// A real function of two real arguments.
#[derive(Debug)]
pub struct Binary {
    /// Name of the form for `double`.
    pub name: &'static str,
    /// Its value.
    pub value: extern "C" fn(f64, f64) -> f64,
    /// In single precision.
    pub single: extern "C" fn(f32, f32) -> f32,
    /// Both partials, from arguments and value.
    pub partials: fn(f64, f64, f64) -> (f64, f64),
    /// Points inside its domain, for the tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub samples: &'static [(f64, f64)],
}

/// A holomorphic function.
#[derive(Debug)]
pub struct Holomorphic {
    /// Name of the form for `double _Complex`.
    pub name: &'static str,
    /// Its value.
    pub value: extern "C" fn(Complex64) -> Complex64,
    /// In single precision.
    pub single: extern "C" fn(Complex32) -> Complex32,
    /// The derivative, from argument and value.
    pub derivative: fn(Complex64, Complex64) -> Complex64,
    /// Points inside its domain, for the tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub samples: &'static [(f64, f64)],
}

/// A real function of a complex argument.
#[derive(Debug)]
pub struct Magnitude {
    /// Name of the form for `double _Complex`.
    pub name: &'static str,
    /// Its value.
    pub value: extern "C" fn(Complex64) -> f64,
    /// In single precision.
    pub single: extern "C" fn(Complex32) -> f32,
    /// The partials by real and imaginary part, from argument and value.
    pub partials: fn(Complex64, f64) -> (f64, f64),
    /// Points inside its domain, for the tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub samples: &'static [(f64, f64)],
}

macro_rules! rows {
    ($table:ident: $kind:ident, $rule:ident; $( $name:ident, $single:ident, $partial:expr, $samples:expr; )+) => {
        /// The rows of this kind.
        pub static $table: &[$kind] = &[ $( $kind {
            name: stringify!($name), value: $name, single: $single, $rule: $partial, samples: &$samples,
        }, )+ ];
    };
}

const ANYWHERE: [f64; 4] = [0.3, -1.2, 2.6, -0.05];
const POSITIVE: [f64; 4] = [0.3, 1.7, 12.0, 0.01];
const INSIDE: [f64; 4] = [0.3, -0.7, 0.95, -0.05];
const STEPS: [f64; 4] = [0.3, -1.2, 2.6, -7.4];

rows! { UNARY: Unary, partial;
    exp, expf, |_, y| y, ANYWHERE;
    exp2, exp2f, |_, y| y * LN_2, ANYWHERE;
    exp10, exp10f, |_, y| y * LN_10, ANYWHERE;
    pow10, pow10f, |_, y| y * LN_10, ANYWHERE;
    expm1, expm1f, |_, y| y + 1.0, ANYWHERE;
    log, logf, |x, _| 1.0 / x, POSITIVE;
    log2, log2f, |x, _| 1.0 / (x * LN_2), POSITIVE;
    log10, log10f, |x, _| 1.0 / (x * LN_10), POSITIVE;
    log1p, log1pf, |x, _| 1.0 / (1.0 + x), [0.3, -0.7, 12.0, -0.05];
    sqrt, sqrtf, |_, y| 0.5 / y, POSITIVE;
    cbrt, cbrtf, |_, y| 1.0 / (3.0 * y * y), ANYWHERE;
    sin, sinf, |x, _| cos(x), ANYWHERE;
    cos, cosf, |x, _| -sin(x), ANYWHERE;
    tan, tanf, |_, y| 1.0 + y * y, ANYWHERE;
    asin, asinf, |x, _| 1.0 / sqrt((1.0 - x) * (1.0 + x)), INSIDE;
    acos, acosf, |x, _| -1.0 / sqrt((1.0 - x) * (1.0 + x)), INSIDE;
    atan, atanf, |x, _| 1.0 / (1.0 + x * x), ANYWHERE;
    sinh, sinhf, |x, _| cosh(x), ANYWHERE;
    cosh, coshf, |x, _| sinh(x), ANYWHERE;
    tanh, tanhf, |x, _| { let c = cosh(x); 1.0 / (c * c) }, ANYWHERE;
    asinh, asinhf, |x, _| 1.0 / hypot(x, 1.0), ANYWHERE;
    acosh, acoshf, |x, _| 1.0 / (sqrt(x - 1.0) * sqrt(x + 1.0)), [1.1, 2.5, 40.0];
    atanh, atanhf, |x, _| 1.0 / ((1.0 - x) * (1.0 + x)), INSIDE;
    erf, erff, |x, _| 2.0 / sqrt(PI) * exp(-x * x), ANYWHERE;
    erfc, erfcf, |x, _| -2.0 / sqrt(PI) * exp(-x * x), ANYWHERE;
    tgamma, tgammaf, |x, y| y * digamma(x), [0.3, 1.7, 6.5, -1.3];
    lgamma, lgammaf, |x, _| digamma(x), [0.3, 1.7, 60.5, -1.3];
    gamma, gammaf, |x, _| digamma(x), [0.3, 1.7, 6.5];
    // At zero it is the derivative of the side that the sign says, as in derivatives.
    fabs, fabsf, |x, _| if x.is_sign_negative() { -1.0 } else { 1.0 }, ANYWHERE;
    floor, floorf, |_, _| 0.0, STEPS;
    ceil, ceilf, |_, _| 0.0, STEPS;
    round, roundf, |_, _| 0.0, STEPS;
    roundeven, roundevenf, |_, _| 0.0, STEPS;
    trunc, truncf, |_, _| 0.0, STEPS;
    rint, rintf, |_, _| 0.0, STEPS;
    nearbyint, nearbyintf, |_, _| 0.0, STEPS;
    logb, logbf, |_, _| 0.0, STEPS;
    significand, significandf, |x, y| y / x, ANYWHERE;
    j0, j0f, |x, _| -j1(x), ANYWHERE;
    j1, j1f, |x, y| if x == 0.0 { 0.5 } else { j0(x) - y / x }, ANYWHERE;
    y0, y0f, |x, _| -y1(x), POSITIVE;
    y1, y1f, |x, y| y0(x) - y / x, POSITIVE;
}

rows! { BINARY: Binary, partials;
    pow, powf, |x, y, r| {
        let by_base = if y == 0.0 { 0.0 } else { y * pow(x, y - 1.0) };
        let by_exponent = if x == 0.0 && y > 0.0 { 0.0 } else { r * log(x) };
        (by_base, by_exponent)
    }, [(0.3, 2.5), (2.0, -1.3), (1.7, 3.0)];
    hypot, hypotf, |x, y, r| if r == 0.0 { (0.0, 0.0) } else { (x / r, y / r) },
        [(0.3, -0.4), (-2.0, 1.0)];
    atan2, atan2f, |x, y, _| { let s = x * x + y * y; (y / s, -x / s) },
        [(0.3, 0.4), (-2.0, -1.0), (0.5, -3.0)];
    fmin, fminf, |x, y, _| if x <= y || y.is_nan() { (1.0, 0.0) } else { (0.0, 1.0) },
        [(0.3, 0.4), (2.0, -1.0)];
    fmax, fmaxf, |x, y, _| if x >= y || y.is_nan() { (1.0, 0.0) } else { (0.0, 1.0) },
        [(0.3, 0.4), (2.0, -1.0)];
    fdim, fdimf, |x, y, _| if x > y { (1.0, -1.0) } else { (0.0, 0.0) },
        [(0.3, 0.4), (2.0, -1.0)];
    fmod, fmodf, |x, y, r| (1.0, -((x - r) / y).round()), [(7.3, 2.1), (-7.3, 2.0), (0.5, 3.0)];
    remainder, remainderf, |x, y, r| (1.0, -((x - r) / y).round()),
        [(7.3, 2.1), (-7.3, 2.0), (2.9, 3.0)];
    drem, dremf, |x, y, r| (1.0, -((x - r) / y).round()), [(7.3, 2.1), (-7.3, 2.0)];
    copysign, copysignf, |x, y, _| {
        (if x.is_sign_negative() == y.is_sign_negative() { 1.0 } else { -1.0 }, 0.0)
    }, [(0.3, 0.4), (2.0, -1.0), (-2.0, 1.0)];
    nextafter, nextafterf, |_, _, _| (1.0, 0.0), [(0.3, 0.4)];
}

fn one() -> Complex64 {
    Complex64::new(1.0, 0.0)
}

fn square(z: Complex64) -> Complex64 {
    z.mul(z)
}

fn inverse(z: Complex64) -> Complex64 {
    one().div(z)
}

const PLANE: [(f64, f64); 4] = [(0.3, 0.4), (-1.2, 0.7), (0.8, -1.9), (-0.6, -0.2)];

rows! { HOLOMORPHIC: Holomorphic, derivative;
    cexp, cexpf, |_, w| w, PLANE;
    clog, clogf, |z, _| inverse(z), PLANE;
    clog10, clog10f, |z, _| inverse(z.mul(Complex64::new(LN_10, 0.0))), PLANE;
    csqrt, csqrtf, |_, w| inverse(w.add(w)), PLANE;
    csin, csinf, |z, _| ccos(z), PLANE;
    ccos, ccosf, |z, _| csin(z).neg(), PLANE;
    ctan, ctanf, |_, w| one().add(square(w)), PLANE;
    casin, casinf, |z, _| inverse(csqrt(one().sub(square(z)))), PLANE;
    cacos, cacosf, |z, _| inverse(csqrt(one().sub(square(z)))).neg(), PLANE;
    catan, catanf, |z, _| inverse(one().add(square(z))), PLANE;
    csinh, csinhf, |z, _| ccosh(z), PLANE;
    ccosh, ccoshf, |z, _| csinh(z), PLANE;
    ctanh, ctanhf, |_, w| one().sub(square(w)), PLANE;
    casinh, casinhf, |z, _| inverse(csqrt(one().add(square(z)))), PLANE;
    cacosh, cacoshf, |z, _| {
        inverse(csqrt(z.sub(one())).mul(csqrt(z.add(one()))))
    }, PLANE;
    catanh, catanhf, |z, _| inverse(one().sub(square(z))), PLANE;
}

rows! { MAGNITUDE: Magnitude, partials;
    cabs, cabsf, |z, r| if r == 0.0 { (0.0, 0.0) } else { (z.re / r, z.im / r) }, PLANE;
    carg, cargf, |z, _| { let s = z.re * z.re + z.im * z.im; (-z.im / s, z.re / s) }, PLANE;
    creal, crealf, |_, _| (1.0, 0.0), PLANE;
    cimag, cimagf, |_, _| (0.0, 1.0), PLANE;
}

/// The logarithmic derivative of the gamma function: reflection for negative arguments, recurrence up to where the asymptotic
/// series is exact to double precision.
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        return digamma(1.0 - x) - PI / tan(PI * x);
    }
    let mut shifted = x;
    let mut result = 0.0;
    while shifted < 12.0 {
        result -= 1.0 / shifted;
        shifted += 1.0;
    }
    let s = 1.0 / (shifted * shifted);
    let series = s
        * (1.0 / 12.0
            - s * (1.0 / 120.0
                - s * (1.0 / 252.0
                    - s * (1.0 / 240.0 - s * (1.0 / 132.0 - s * (691.0 / 32760.0 - s / 12.0))))));
    result + log(shifted) - 0.5 / shifted - series
}

fn type_of(precision: Precision) -> Type {
    match precision {
        Precision::Single => Type::F32,
        Precision::Double => Type::F64,
        Precision::Extended => Type::F80,
    }
}

/// A function of the rule table: its value and tangent; `None` if there are too few arguments.
pub fn apply(external: &External, call: &Invocation) -> Option<(Raw, Tangent)> {
    let single = |bits: u64| f32::from_bits(bits as u32);
    let single_complex = |r: Raw| Complex32 {
        re: single(r.lo),
        im: single(r.hi),
    };
    match *external {
        External::Unary(row, precision) => {
            let (&a, &t) = (call.args.first()?, call.tangents.first()?);
            let ty = type_of(precision);
            let result = match precision {
                Precision::Single => (row.single)(single(a.lo)).to_bits() as u64,
                _ => (row.value)(f64::from_bits(a.lo)).to_bits(),
            };
            let tangent = match t[0] {
                0.0 => 0.0,
                t => t * (row.partial)(to_float(ty, a.lo), to_float(ty, result)),
            };
            Some((Raw::new(result), [tangent, 0.0]))
        }
        External::Binary(row, precision) => {
            let (a, b) = (*call.args.first()?, *call.args.get(1)?);
            let (ta, tb) = (call.tangents[0][0], call.tangents[1][0]);
            let ty = type_of(precision);
            let result = match precision {
                Precision::Single => (row.single)(single(a.lo), single(b.lo)).to_bits() as u64,
                _ => (row.value)(f64::from_bits(a.lo), f64::from_bits(b.lo)).to_bits(),
            };
            let mut tangent = 0.0;
            if ta != 0.0 || tb != 0.0 {
                let (x, y) = (to_float(ty, a.lo), to_float(ty, b.lo));
                let (dx, dy) = (row.partials)(x, y, to_float(ty, result));
                tangent = term(ta, dx) + term(tb, dy);
            }
            Some((Raw::new(result), [tangent, 0.0]))
        }
        External::Holomorphic(row, precision) => {
            let (&a, &t) = (call.args.first()?, call.tangents.first()?);
            let part = type_of(precision);
            let result = match precision {
                Precision::Single => {
                    let w = (row.single)(single_complex(a));
                    Raw {
                        lo: w.re.to_bits() as u64,
                        hi: w.im.to_bits() as u64,
                    }
                }
                _ => (row.value)(Complex64::from_raw(part, a)).to_raw(part),
            };
            let mut tangent = [0.0; 2];
            if t != tangent {
                let (z, w) = (
                    Complex64::from_raw(part, a),
                    Complex64::from_raw(part, result),
                );
                tangent = complex_term(t, (row.derivative)(z, w));
            }
            Some((result, tangent))
        }
        External::Magnitude(row, precision) => {
            let (&a, &t) = (call.args.first()?, call.tangents.first()?);
            let part = type_of(precision);
            let result = match precision {
                Precision::Single => (row.single)(single_complex(a)) as f64,
                _ => (row.value)(Complex64::from_raw(part, a)),
            };
            let mut tangent = 0.0;
            if t != [0.0; 2] {
                let (dx, dy) = (row.partials)(Complex64::from_raw(part, a), result);
                tangent = term(t[0], dx) + term(t[1], dy);
            }
            Some((Raw::new(from_float(part, result)), [tangent, 0.0]))
        }
        External::Native(_) => None,
    }
}

/// The tangent of `cpow`.
pub fn complex_power(
    z: Complex64,
    p: Complex64,
    w: Complex64,
    tz: Tangent,
    tp: Tangent,
) -> Tangent {
    let mut tangent = [0.0; 2];
    if tz != [0.0; 2] {
        tangent = sum(tangent, complex_term(tz, p.mul(cpow(z, p.sub(one())))));
    }
    if tp != [0.0; 2] {
        tangent = sum(tangent, complex_term(tp, w.mul(clog(z))));
    }
    tangent
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A central difference of fourth order.
    fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        let h = 2e-4 * x.abs().max(0.05);
        (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
    }

    fn close(name: &str, at: &str, rule: f64, numeric: f64) {
        let tolerance = 2e-8 * (1.0 + rule.abs());
        assert!(
            (rule - numeric).abs() < tolerance,
            "{name} at {at}: {rule} against {numeric}"
        );
    }

    #[test]
    fn unary_rules_agree_with_differences() {
        for row in UNARY {
            for &x in row.samples {
                let rule = (row.partial)(x, (row.value)(x));
                close(
                    row.name,
                    &format!("{x}"),
                    rule,
                    difference(|x| (row.value)(x), x),
                );
                let single = (row.single)(x as f32) as f64;
                let double = (row.value)(x as f32 as f64);
                assert!(
                    (single - double).abs() <= 1e-5 * (1.0 + double.abs()),
                    "{}f",
                    row.name
                );
            }
        }
    }

    #[test]
    fn binary_rules_agree_with_differences() {
        for row in BINARY.iter().filter(|row| row.name != "nextafter") {
            for &(x, y) in row.samples {
                let (dx, dy) = (row.partials)(x, y, (row.value)(x, y));
                let at = format!("{x}, {y}");
                close(row.name, &at, dx, difference(|x| (row.value)(x, y), x));
                close(row.name, &at, dy, difference(|y| (row.value)(x, y), y));
            }
        }
    }

    #[test]
    fn complex_rules_agree_with_differences() {
        for row in HOLOMORPHIC {
            for &(x, y) in row.samples {
                let z = Complex64::new(x, y);
                let d = (row.derivative)(z, (row.value)(z));
                let f = |x: f64, y: f64| (row.value)(Complex64::new(x, y));
                let at = format!("{x} + {y} i");
                // Along the real axis the derivative itself, along the imaginary axis times i.
                close(row.name, &at, d.re, difference(|x| f(x, y).re, x));
                close(row.name, &at, d.im, difference(|x| f(x, y).im, x));
                close(row.name, &at, -d.im, difference(|y| f(x, y).re, y));
                close(row.name, &at, d.re, difference(|y| f(x, y).im, y));
            }
        }
        for row in MAGNITUDE {
            for &(x, y) in row.samples {
                let z = Complex64::new(x, y);
                let (dx, dy) = (row.partials)(z, (row.value)(z));
                let f = |x: f64, y: f64| (row.value)(Complex64::new(x, y));
                let at = format!("{x} + {y} i");
                close(row.name, &at, dx, difference(|x| f(x, y), x));
                close(row.name, &at, dy, difference(|y| f(x, y), y));
            }
        }
        let (z, p) = (Complex64::new(0.7, -0.4), Complex64::new(1.3, 0.6));
        let w = cpow(z, p);
        let by_base = complex_power(z, p, w, [1.0, 0.0], [0.0; 2]);
        let by_exponent = complex_power(z, p, w, [0.0; 2], [0.0, 1.0]);
        let base = |x: f64| cpow(Complex64::new(x, z.im), p);
        let exponent = |y: f64| cpow(z, Complex64::new(p.re, y));
        close("cpow", "base", by_base[0], difference(|x| base(x).re, z.re));
        close("cpow", "base", by_base[1], difference(|x| base(x).im, z.re));
        close(
            "cpow",
            "exponent",
            by_exponent[0],
            difference(|y| exponent(y).re, p.im),
        );
        close(
            "cpow",
            "exponent",
            by_exponent[1],
            difference(|y| exponent(y).im, p.im),
        );
    }

    #[test]
    fn singular_points_stay_finite_where_nothing_varies() {
        assert_eq!(
            real(BinaryOp::Mul, 0.0, f64::INFINITY, f64::NAN, 0.0, 0.0),
            0.0
        );
        assert_eq!((BINARY[0].partials)(0.0, 2.0, 0.0), (0.0, 0.0));
        assert_eq!((BINARY[1].partials)(0.0, 0.0, 0.0), (0.0, 0.0));
    }
}
