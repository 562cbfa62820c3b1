//! The derivative rules of C's math library, as data.
//!
//! A row: `name(parameters) domain : partial ; partial …`. The partials are written in the parameters and in `r`, the
//! function's own result; they are the same for `float`, `double` and `long double` (the names inside get the
//! suffix). `0` says that the function is locally constant in that parameter, `-` that the parameter is an
//! integer. The domain is where the tests take their points: `lo..hi` for each parameter in turn. A guard (`c ? a : b`) gives
//! the value at a singular point; it tests arguments of the primal only, so that no optimisation of floating-point
//! arithmetic removes it.

/// The rows. Lines that begin with `#` are headings.
pub static REAL: &str = "
# Exponentials and logarithms
exp(x)        -3..3          : r
exp2(x)       -3..3          : r * 0.693147180559945309417232121458
exp10(x)      -2..2          : r * 2.302585092994045684017991454684
expm1(x)      -2..2          : r + 1
log(x)        0.1..5         : 1 / x
log2(x)       0.1..5         : 1.442695040888963407359924681002 / x
log10(x)      0.1..5         : 0.434294481903251827651128918917 / x
log1p(x)      -0.5..3        : 1 / (1 + x)
logb(x)       1.1..1.9       : 0
# Powers and roots
pow(x, y)     0.2..3 -2..3   : y == 0 ? 0 : y * pow(x, y - 1) ; x <= 0 ? 0 : r * log(x)
sqrt(x)       0.1..5         : x == 0 ? 0 : 0.5 / r
cbrt(x)       0.2..5         : x == 0 ? 0 : 0.333333333333333333333333333333 * r / x
hypot(x, y)   0.2..3 0.3..3  : x == 0 ? 0 : x / r ; y == 0 ? 0 : y / r
# Trigonometry
sin(x)        -3..3          : cos(x)
cos(x)        -3..3          : -sin(x)
tan(x)        -1..1          : 1 + r * r
asin(x)       -0.8..0.8      : 1 / sqrt(1 - x * x)
acos(x)       -0.8..0.8      : -1 / sqrt(1 - x * x)
atan(x)       -3..3          : 1 / (1 + x * x)
atan2(y, x)   0.2..2 0.3..2  : x / (x * x + y * y) ; -y / (x * x + y * y)
sinh(x)       -2..2          : cosh(x)
cosh(x)       -2..2          : sinh(x)
tanh(x)       -2..2          : 1 - r * r
asinh(x)      -3..3          : 1 / sqrt(x * x + 1)
acosh(x)      1.2..4         : 1 / sqrt(x * x - 1)
atanh(x)      -0.8..0.8      : 1 / (1 - x * x)
# Error and gamma functions
erf(x)        -2..2          : 1.128379167095512573896158903122 * exp(-(x * x))
erfc(x)       -2..2          : -1.128379167095512573896158903122 * exp(-(x * x))
tgamma(x)     1.2..4         : r * digamma(x)
lgamma(x)     1.2..4         : digamma(x)
gamma(x)      1.2..4         : digamma(x)
# Bessel functions
j0(x)         0.5..8         : -j1(x)
j1(x)         0.5..8         : x == 0 ? 0.5 : j0(x) - r / x
jn(n, x)      2..2 0.5..8    : - ; 0.5 * (jn(n - 1, x) - jn(n + 1, x))
y0(x)         0.5..8         : -y1(x)
y1(x)         0.5..8         : y0(x) - r / x
yn(n, x)      2..2 0.5..8    : - ; 0.5 * (yn(n - 1, x) - yn(n + 1, x))
# Absolute value, extremes, sign
fabs(x)       -3..-0.2       : x > 0 ? 1 : x < 0 ? -1 : 0
fmin(x, y)    0..1 2..3      : isnan(x) ? 0 : isnan(y) ? 1 : x <= y ? 1 : 0 ; isnan(y) ? 0 : isnan(x) ? 1 : x <= y ? 0 : 1
fmax(x, y)    0..1 2..3      : isnan(x) ? 0 : isnan(y) ? 1 : x >= y ? 1 : 0 ; isnan(y) ? 0 : isnan(x) ? 1 : x >= y ? 0 : 1
fdim(x, y)    2..3 0..1      : x > y ? 1 : 0 ; x > y ? -1 : 0
copysign(x, y) -3..-0.2 1..2 : signbit(x) == signbit(y) ? 1 : -1 ; 0
fma(x, y, z)  -2..2 -2..2 -2..2 : y ; x ; 1
# Remainders and rounding
fmod(x, y)    5.1..5.9 1.9..2.1 : 1 ; -trunc(x / y)
remainder(x, y) 5.1..5.9 1.9..2.1 : 1 ; -rint((x - r) / y)
drem(x, y)    5.1..5.9 1.9..2.1 : 1 ; -rint((x - r) / y)
floor(x)      0.2..0.8       : 0
ceil(x)       0.2..0.8       : 0
round(x)      0.6..0.9       : 0
trunc(x)      0.2..0.8       : 0
rint(x)       0.6..0.9       : 0
nearbyint(x)  0.6..0.9       : 0
roundeven(x)  0.6..0.9       : 0
nextafter(x, y) 1..2 3..4    : 1 ; 0
# Scaling
ldexp(x, n)   1..2 3..3      : ldexp(1, n) ; -
scalbn(x, n)  1..2 3..3      : scalbn(1, n) ; -
scalbln(x, n) 1..2 3..3      : scalbln(1, n) ; -
significand(x) 1.1..1.9      : r / x
";

/// Complex functions that have a complex derivative. The adjoint of the argument is that of the result times the conjugate of the partial.
pub static COMPLEX: &str = "
cexp(z)      0..1           : r
clog(z)      0..1           : 1 / z
csqrt(z)     0..1           : 0.5 / r
csin(z)      0..1           : ccos(z)
ccos(z)      0..1           : -csin(z)
ctan(z)      0..1           : 1 + r * r
csinh(z)     0..1           : ccosh(z)
ccosh(z)     0..1           : csinh(z)
ctanh(z)     0..1           : 1 - r * r
cpow(x, y)   0..1 0..1      : y * cpow(x, y - 1) ; r * clog(x)
";
