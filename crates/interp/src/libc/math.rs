//! math.h: the system's own library, so that results are the compiled program's to the last bit, and the functions that are
//! not in the rule table because they take or return other things than reals.

use super::{Invocation, Native};
use crate::arith::{Complex32, Complex64};
use crate::error::Run;
use crate::machine::Machine;
pub(crate) use crate::system::math::*;
use crate::tangent::{digamma, term};
use crate::value::{HostValue, Raw, canonical, from_float, to_float};
use adjoin_ir::Type;

macro_rules! declare {
    ($args:tt -> $ret:ty: $($name:ident)+) => {
        #[link(name = "m")]
        unsafe extern "C" { $( pub(crate) safe fn $name $args -> $ret; )+ }
    };
}

declare! { (x: f64) -> f64:
    exp exp2 exp10 expm1 log log2 log10 log1p sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh
    atanh erf erfc tgamma lgamma gamma fabs floor ceil roundeven trunc nearbyint logb significand
    j0 j1 y0 y1
}
declare! { (x: f32) -> f32:
    expf exp2f exp10f expm1f logf log2f log10f log1pf sqrtf sinf cosf tanf asinf acosf atanf sinhf coshf
    tanhf asinhf acoshf atanhf erff erfcf tgammaf lgammaf gammaf fabsf floorf ceilf roundevenf truncf
    nearbyintf logbf significandf j0f j1f y0f y1f
}
declare! { (x: f64, y: f64) -> f64:
    pow hypot atan2 remainder drem copysign nextafter
}
declare! { (x: f32, y: f32) -> f32:
    powf hypotf atan2f remainderf dremf copysignf nextafterf
}
declare! { (n: i32, x: f64) -> f64: jn yn }
declare! { (n: i32, x: f32) -> f32: jnf ynf }
declare! { (x: f64, n: i32) -> f64: ldexp }
declare! { (x: f32, n: i32) -> f32: ldexpf }
declare! { (z: Complex64) -> Complex64:
    cexp clog clog10 csqrt csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cproj
}
declare! { (z: Complex32) -> Complex32:
    cexpf clogf clog10f csqrtf csinf ccosf ctanf casinf cacosf catanf csinhf ccoshf ctanhf casinhf cacoshf catanhf
}
declare! { (z: Complex64) -> f64: cabs carg creal cimag }
declare! { (z: Complex32) -> f32: cabsf cargf crealf cimagf }
declare! { (z: Complex64, p: Complex64) -> Complex64: cpow }
declare! { (z: Complex32, p: Complex32) -> Complex32: cpowf }

/// Gone from the library, kept by the compilers.
pub(crate) extern "C" fn pow10(x: f64) -> f64 {
    exp10(x)
}
/// Gone from the library, kept by the compilers.
pub(crate) extern "C" fn pow10f(x: f32) -> f32 {
    exp10f(x)
}

/// The functions that are not in the rule table. The three precisions of a function are one function here: the types say which.
pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "fma" | "fmaf" | "fmal" => fused,
        "ldexp" | "ldexpf" | "ldexpl" | "scalbn" | "scalbnf" | "scalbnl" | "scalbln"
        | "scalblnf" | "scalblnl" => scale,
        "frexp" | "frexpf" | "frexpl" => split_exponent,
        "modf" | "modff" | "modfl" => split_fraction,
        "sincos" | "sincosf" | "sincosl" => sine_and_cosine,
        "remquo" | "remquof" | "remquol" => remainder_quotient,
        "lgamma_r" | "lgammaf_r" | "lgammal_r" => log_gamma_with_sign,
        "jn" | "jnf" | "jnl" => |m, c| bessel(m, c, jn, jnf),
        "yn" | "ynf" | "ynl" => |m, c| bessel(m, c, yn, ynf),
        "nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl" => {
            |_, c| Ok(HostValue::Float(f64::NAN).to_raw(c.result(Type::F64)))
        }
        "huge_val" | "huge_valf" | "huge_vall" | "inf" | "inff" | "infl" => {
            |_, c| Ok(HostValue::Float(f64::INFINITY).to_raw(c.result(Type::F64)))
        }
        "ilogb" | "ilogbf" | "ilogbl" => |_, c| {
            let x = c.real(0);
            let n = match x {
                _ if x == 0.0 || x.is_nan() => i32::MIN,
                _ if x.is_infinite() => i32::MAX,
                _ => logb(x) as i32,
            };
            Ok(Raw::signed(n as i64))
        },
        "lround" | "lroundf" | "lroundl" | "llround" | "llroundf" | "llroundl" => {
            |_, c| Ok(to_long(round(c.real(0))))
        }
        "lrint" | "lrintf" | "lrintl" | "llrint" | "llrintf" | "llrintl" => {
            |_, c| Ok(to_long(rint(c.real(0))))
        }
        "nexttoward" | "nexttowardf" | "nexttowardl" => |m, c| {
            m.result_tangent = c.tangent(0);
            Ok(if c.type_of(0) == Type::F32 {
                Raw::new(nextafterf(c.real(0) as f32, c.real(1) as f32).to_bits() as u64)
            } else {
                Raw::double(nextafter(c.real(0), c.real(1)))
            })
        },
        "isnan" | "isnanf" | "isnanl" | "__isnan" | "__isnanf" | "__isnanl" => {
            |_, c| truth(c.real(0).is_nan())
        }
        // glibc's function form has the sign of the infinity, and so have the compilers' `isinf_sign`.
        "isinf" | "isinff" | "isinfl" | "__isinf" | "__isinff" | "__isinfl" | "isinf_sign" => {
            |_, c| {
                let x = c.real(0);
                let sign = if x > 0.0 { 1 } else { -1 };
                Ok(Raw::signed(if x.is_infinite() { sign } else { 0 }))
            }
        }
        "isfinite" | "finite" | "finitef" | "finitel" | "__finite" | "__finitef" | "__finitel" => {
            |_, c| truth(c.real(0).is_finite())
        }
        "isnormal" => |_, c| truth(is_normal(c.type_of(0), c.real(0))),
        "signbit" | "signbitf" | "signbitl" | "__signbit" | "__signbitf" | "__signbitl" => {
            |_, c| truth(c.real(0).is_sign_negative())
        }
        "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => |_, c| {
            let class = classify(c.type_of(0), c.real(0));
            Ok(Raw::new(class as u64))
        },
        // The compilers' form gets the five answers first: nan, infinite, normal, subnormal, zero.
        "fpclassify" => |_, c| {
            let order = [0, 1, 4, 3, 2];
            let class = classify(c.type_of(5), c.real(5));
            Ok(c.raw(order[class]))
        },
        "isgreater" => |_, c| truth(c.real(0) > c.real(1)),
        "isgreaterequal" => |_, c| truth(c.real(0) >= c.real(1)),
        "isless" => |_, c| truth(c.real(0) < c.real(1)),
        "islessequal" => |_, c| truth(c.real(0) <= c.real(1)),
        "islessgreater" => |_, c| truth(c.real(0) < c.real(1) || c.real(0) > c.real(1)),
        "isunordered" => |_, c| truth(c.real(0).is_nan() || c.real(1).is_nan()),
        "conj" | "conjf" | "conjl" => conjugate,
        "cproj" | "cprojf" | "cprojl" => project,
        "cpow" | "cpowf" | "cpowl" => complex_power,
        _ => return None,
    })
}

fn truth(x: bool) -> Run<Raw> {
    Ok(Raw::new(x as u64))
}

fn to_long(x: f64) -> Raw {
    let fits = (-9223372036854775808.0..9223372036854775808.0).contains(&x);
    Raw::signed(if fits { x as i64 } else { i64::MIN })
}

fn is_normal(ty: Type, x: f64) -> bool {
    if ty == Type::F32 {
        (x as f32).is_normal()
    } else {
        x.is_normal()
    }
}

/// `FP_NAN` 0, `FP_INFINITE` 1, `FP_ZERO` 2, `FP_SUBNORMAL` 3, `FP_NORMAL` 4.
fn classify(ty: Type, x: f64) -> usize {
    match x {
        _ if x.is_nan() => 0,
        _ if x.is_infinite() => 1,
        _ if x == 0.0 => 2,
        _ if is_normal(ty, x) => 4,
        _ => 3,
    }
}

fn fused(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (x, y, z) = (call.real(0), call.real(1), call.real(2));
    let t = term(call.tangent(0)[0], y) + term(call.tangent(1)[0], x) + call.tangent(2)[0];
    machine.result_tangent = [t, 0.0];
    Ok(match call.type_of(0) {
        Type::F32 => Raw::new(fmaf(x as f32, y as f32, z as f32).to_bits() as u64),
        _ => Raw::double(fma(x, y, z)),
    })
}

fn scale(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let n = (call.raw(1).lo as i64).clamp(-100_000, 100_000) as i32;
    machine.result_tangent = [term(call.tangent(0)[0], ldexp(1.0, n)), 0.0];
    Ok(match call.type_of(0) {
        Type::F32 => Raw::new(ldexpf(call.real(0) as f32, n).to_bits() as u64),
        _ => Raw::double(ldexp(call.real(0), n)),
    })
}

fn split_exponent(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (x, ty) = (call.real(0), call.type_of(0));
    let exponent = match x {
        _ if x == 0.0 || !x.is_finite() => 0,
        _ => logb(x) as i32 + 1,
    };
    machine.store_value(
        call.address(1),
        Type::I32,
        Raw::signed(exponent as i64),
        [0.0; 2],
    )?;
    // In two steps: 2^-exponent alone overflows for subnormal numbers.
    let half = exponent / 2;
    let scaled = |x: f64| ldexp(ldexp(x, -half), half - exponent);
    machine.result_tangent = [scaled(call.tangent(0)[0]), 0.0];
    Ok(Raw::new(from_float(ty, scaled(x))))
}

fn split_fraction(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (x, ty) = (call.real(0), call.type_of(0));
    let whole = trunc(x);
    let part = if x.is_infinite() { 0.0 } else { x - whole };
    machine.store_value(
        call.address(1),
        ty,
        Raw::new(from_float(ty, whole)),
        [0.0; 2],
    )?;
    machine.result_tangent = call.tangent(0);
    Ok(Raw::new(from_float(ty, copysign(part, x))))
}

fn sine_and_cosine(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (x, ty, t) = (call.real(0), call.type_of(0), call.tangent(0)[0]);
    let (s, c) = match ty {
        Type::F32 => (sinf(x as f32) as f64, cosf(x as f32) as f64),
        _ => (sin(x), cos(x)),
    };
    let (sine, cosine) = (Raw::new(from_float(ty, s)), Raw::new(from_float(ty, c)));
    machine.store_value(call.address(1), ty, sine, [term(t, c), 0.0])?;
    machine.store_value(call.address(2), ty, cosine, [term(t, -s), 0.0])?;
    Ok(Raw::default())
}

fn remainder_quotient(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (x, y, ty) = (call.real(0), call.real(1), call.type_of(0));
    let r = remainder(x, y);
    let quotient = rint((x - r) / y);
    let low = (quotient.abs() % 8.0) as i64;
    let low = if quotient < 0.0 { -low } else { low };
    machine.store_value(call.address(2), Type::I32, Raw::signed(low), [0.0; 2])?;
    let t = call.tangent(0)[0] - term(call.tangent(1)[0], quotient);
    machine.result_tangent = [t, 0.0];
    Ok(Raw::new(from_float(ty, r)))
}

fn log_gamma_with_sign(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (x, ty) = (call.real(0), call.type_of(0));
    let negative = x.is_sign_negative() && (x == 0.0 || floor(x) % 2.0 != 0.0);
    let sign = if negative { -1 } else { 1 };
    machine.store_value(call.address(1), Type::I32, Raw::signed(sign), [0.0; 2])?;
    machine.result_tangent = match call.tangent(0)[0] {
        0.0 => [0.0; 2],
        t => [t * digamma(x), 0.0],
    };
    Ok(match ty {
        Type::F32 => Raw::new(lgammaf(x as f32).to_bits() as u64),
        _ => Raw::double(lgamma(x)),
    })
}

fn bessel(
    machine: &mut Machine,
    call: &Invocation,
    double: extern "C" fn(i32, f64) -> f64,
    single: extern "C" fn(i32, f32) -> f32,
) -> Run<Raw> {
    let (n, x) = (call.raw(0).lo as i32, call.real(1));
    let t = call.tangent(1)[0];
    if t != 0.0 {
        let slope = (double(n.wrapping_sub(1), x) - double(n.wrapping_add(1), x)) / 2.0;
        machine.result_tangent = [t * slope, 0.0];
    }
    Ok(match call.type_of(1) {
        Type::F32 => Raw::new(single(n, x as f32).to_bits() as u64),
        _ => Raw::double(double(n, x)),
    })
}

fn conjugate(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (raw, part) = (call.raw(0), call.part(0));
    let t = call.tangent(0);
    machine.result_tangent = [t[0], -t[1]];
    let flipped = -to_float(part, raw.hi);
    Ok(Raw {
        lo: raw.lo,
        hi: from_float(part, flipped),
    })
}

fn project(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    machine.result_tangent = call.tangent(0);
    let part = call.part(0);
    Ok(cproj(Complex64::from_raw(part, call.raw(0))).to_raw(part))
}

fn complex_power(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let part = call.part(0);
    let (z, p) = (
        Complex64::from_raw(part, call.raw(0)),
        Complex64::from_raw(part, call.raw(1)),
    );
    let result = match part {
        Type::F32 => {
            let narrow = |c: Complex64| Complex32 {
                re: c.re as f32,
                im: c.im as f32,
            };
            let w = cpowf(narrow(z), narrow(p));
            Raw {
                lo: w.re.to_bits() as u64,
                hi: w.im.to_bits() as u64,
            }
        }
        _ => cpow(z, p).to_raw(part),
    };
    let w = Complex64::from_raw(part, result);
    machine.result_tangent =
        crate::tangent::complex_power(z, p, w, call.tangent(0), call.tangent(1));
    Ok(result)
}

/// The canonical form of an int result.
pub(super) fn int(x: i32) -> Raw {
    Raw::new(canonical(Type::I32, x as u64))
}
