//! The derivative rules of C's math library, as data.
//!
//! A row: `name(parameters) domain : partial ; partial … | note`. The partials are written in the parameters and in `r`, the
//! function's own result; they are the same for `float`, `double` and `long double` (the names inside get the
//! suffix). `0` says that the function is locally constant in that parameter, `-` that the parameter is an
//! integer. The domain is where the tests take their points: `lo..hi` for each parameter in turn. A guard (`c ? a : b`) gives
//! the value at a singular point; it tests values of the primal only, so that no optimisation of floating-point
//! arithmetic removes it, and it is true at the singular point only: elsewhere it would be wrong in the second derivative. The
//! note says what holds there; the documentation is made from it.
//!
//! One convention runs through all rows: where a derivative is infinite the partial is zero, so that a zero adjoint
//! never meets an infinity; where it differs from side to side it is that of one side, as a branch in the program would give.

/// The rows of real functions. Lines that begin with `#` are headings.
pub static REAL: &str = "
# Exponentials and logarithms
exp(x)        -3..3          : r
exp2(x)       -3..3          : r * 0.693147180559945309417232121458
exp10(x)      -2..2          : r * 2.302585092994045684017991454684
pow10(x)      -2..2          : r * 2.302585092994045684017991454684
expm1(x)      -2..2          : r + 1
exp2m1(x)     -2..2          : (r + 1) * 0.693147180559945309417232121458
exp10m1(x)    -1..1          : (r + 1) * 2.302585092994045684017991454684
log(x)        0.1..5         : (x == 0 ? 0 : 1) / (x == 0 ? 1 : x) | 0 at x = 0, where it is infinite
log2(x)       0.1..5         : (x == 0 ? 0 : 1.442695040888963407359924681002) / (x == 0 ? 1 : x) | 0 at x = 0, where it is infinite
log10(x)      0.1..5         : (x == 0 ? 0 : 0.434294481903251827651128918917) / (x == 0 ? 1 : x) | 0 at x = 0, where it is infinite
log1p(x)      -0.5..3        : (x == -1 ? 0 : 1) / (1 + x + (x == -1 ? 1 : 0)) | 0 at x = -1, where it is infinite
logp1(x)      -0.5..3        : (x == -1 ? 0 : 1) / (1 + x + (x == -1 ? 1 : 0)) | 0 at x = -1, where it is infinite
log2p1(x)     -0.5..3        : x == -1 ? 0 : 1.442695040888963407359924681002 / (1 + x) | 0 at x = -1, where it is infinite
log10p1(x)    -0.5..3        : x == -1 ? 0 : 0.434294481903251827651128918917 / (1 + x) | 0 at x = -1, where it is infinite
logb(x)       1.1..1.9       : 0
# Powers and roots
pow(x, y)     0.2..3 -2..3   : x == 0 & y < 1 ? 0 : y * pow(x, y - 1) ; x <= 0 ? 0 : r * log(x) | at x = 0: in x, 0 if y < 1 (where it is infinite, or y = 0), 1 if y = 1; in y, 0. At x < 0, where y must be an integer: 0 in y
powr(x, y)    0.2..3 -2..3   : x == 0 & y < 1 ? 0 : y * powr(x, y - 1) ; x == 0 ? 0 : r * log(x) | as pow
powi(x, n)    0.2..3 3..3    : x == 0 & n < 1 ? 0 : n * powi(x, n - 1) ; - | at x = 0: 0 if n < 1, 1 if n = 1
pown(x, n)    0.2..3 3..3    : x == 0 & n < 1 ? 0 : n * pown(x, n - 1) ; - | at x = 0: 0 if n < 1, 1 if n = 1
rootn(x, n)   0.2..3 3..3    : x == 0 ? 0 : r / (n * x) ; - | 0 at x = 0, where it is infinite
sqrt(x)       0.1..5         : (r == 0 ? 0 : 0.5) / (r == 0 ? 1 : r) | 0 at x = 0, where it is infinite
rsqrt(x)      0.1..5         : x == 0 ? 0 : -0.5 * r / x | 0 at x = 0, where it is infinite
cbrt(x)       0.2..5         : 0.333333333333333333333333333333 * r / (x == 0 ? 1 : x) | 0 at x = 0, where it is infinite
hypot(x, y)   0.2..3 0.3..3  : x / (r == 0 ? 1 : r) ; y / (r == 0 ? 1 : r) | 0 at (0, 0), where the surface has a tip
# Trigonometry
sin(x)        -3..3          : cos(x)
cos(x)        -3..3          : -sin(x)
tan(x)        -1..1          : 1 + r * r
asin(x)       -0.8..0.8      : x * x == 1 ? 0 : 1 / sqrt((1 - x) * (1 + x)) | 0 at x = -1 and 1, where it is infinite
acos(x)       -0.8..0.8      : x * x == 1 ? 0 : -1 / sqrt((1 - x) * (1 + x)) | 0 at x = -1 and 1, where it is infinite
atan(x)       -3..3          : 1 / (1 + x * x)
atan2(y, x)   0.2..2 0.3..2  : x / (x * x + y * y + (x == 0 & y == 0 ? 1 : 0)) ; -y / (x * x + y * y + (x == 0 & y == 0 ? 1 : 0)) | 0 at (0, 0), where the angle is not defined
sinpi(x)      -1..1          : 3.141592653589793238462643383280 * cospi(x)
cospi(x)      -1..1          : -3.141592653589793238462643383280 * sinpi(x)
tanpi(x)      -0.3..0.3      : 3.141592653589793238462643383280 * (1 + r * r)
asinpi(x)     -0.8..0.8      : x * x == 1 ? 0 : 0.318309886183790671537767526745 / sqrt((1 - x) * (1 + x)) | 0 at x = -1 and 1, where it is infinite
acospi(x)     -0.8..0.8      : x * x == 1 ? 0 : -0.318309886183790671537767526745 / sqrt((1 - x) * (1 + x)) | 0 at x = -1 and 1, where it is infinite
atanpi(x)     -3..3          : 0.318309886183790671537767526745 / (1 + x * x)
atan2pi(y, x) 0.2..2 0.3..2  : 0.318309886183790671537767526745 * x / (x * x + y * y + (x == 0 & y == 0 ? 1 : 0)) ; -0.318309886183790671537767526745 * y / (x * x + y * y + (x == 0 & y == 0 ? 1 : 0)) | 0 at (0, 0), where the angle is not defined
sinh(x)       -2..2          : cosh(x)
cosh(x)       -2..2          : sinh(x)
tanh(x)       -2..2          : 1 - r * r
asinh(x)      -3..3          : 1 / sqrt(x * x + 1)
acosh(x)      1.2..4         : x == 1 ? 0 : 1 / sqrt((x - 1) * (x + 1)) | 0 at x = 1, where it is infinite
atanh(x)      -0.8..0.8      : x * x == 1 ? 0 : 1 / ((1 - x) * (1 + x)) | 0 at x = -1 and 1, where it is infinite
# Error and gamma functions
erf(x)        -2..2          : 1.128379167095512573896158903122 * exp(-(x * x))
erfc(x)       -2..2          : -1.128379167095512573896158903122 * exp(-(x * x))
tgamma(x)     -1.8..4        : r * adjoin_polygamma(0, x) | 0 times the result at the poles 0, -1, -2, ...
lgamma(x)     -1.8..4        : adjoin_polygamma(0, x) | 0 at the poles 0, -1, -2, ...
gamma(x)      1.2..4         : adjoin_polygamma(0, x) | as lgamma, which it is another name of
adjoin_polygamma(n, x) 1..1 -1.8..4 : - ; adjoin_polygamma(n + 1, x) | 0 at the poles 0, -1, -2, ...
# Bessel functions
j0(x)         0.5..8         : -j1(x)
j1(x)         0.5..8         : 0.5 * (j0(x) - jn(2, x))
jn(n, x)      2..2 0.5..8    : - ; 0.5 * (jn(n - 1, x) - jn(n + 1, x))
y0(x)         0.5..8         : x == 0 ? 0 : -y1(x) | 0 at x = 0, where it is infinite
y1(x)         0.5..8         : x == 0 ? 0 : 0.5 * (y0(x) - yn(2, x)) | 0 at x = 0, where it is infinite
yn(n, x)      2..2 0.5..8    : - ; x == 0 ? 0 : 0.5 * (yn(n - 1, x) - yn(n + 1, x)) | 0 at x = 0, where it is infinite
# Absolute value, extremes, sign
fabs(x)       -3..-0.2       : copysign(1, x) | at x = 0, by the sign of the zero: the derivative of that side
fmin(x, y)    0..1 2..3      : isnan(x) ? 0 : isnan(y) ? 1 : x <= y ? 1 : 0 ; isnan(y) ? 0 : isnan(x) ? 1 : x <= y ? 0 : 1 | at x = y, 1 in x and 0 in y; a NaN has no part in it
fmax(x, y)    0..1 2..3      : isnan(x) ? 0 : isnan(y) ? 1 : x >= y ? 1 : 0 ; isnan(y) ? 0 : isnan(x) ? 1 : x >= y ? 0 : 1 | at x = y, 1 in x and 0 in y; a NaN has no part in it
fminimum(x, y) 0..1 2..3     : x <= y ? 1 : 0 ; x <= y ? 0 : 1 | at x = y, 1 in x and 0 in y
fmaximum(x, y) 0..1 2..3     : x >= y ? 1 : 0 ; x >= y ? 0 : 1 | at x = y, 1 in x and 0 in y
fminimum_num(x, y) 0..1 2..3 : isnan(x) ? 0 : isnan(y) ? 1 : x <= y ? 1 : 0 ; isnan(y) ? 0 : isnan(x) ? 1 : x <= y ? 0 : 1 | as fmin
fmaximum_num(x, y) 0..1 2..3 : isnan(x) ? 0 : isnan(y) ? 1 : x >= y ? 1 : 0 ; isnan(y) ? 0 : isnan(x) ? 1 : x >= y ? 0 : 1 | as fmax
fdim(x, y)    2..3 0..1      : x > y ? 1 : 0 ; x > y ? -1 : 0 | 0 at x = y
copysign(x, y) -3..-0.2 1..2 : signbit(x) == signbit(y) ? 1 : -1 ; 0 | at x = 0, by the sign of the zero
fma(x, y, z)  -2..2 -2..2 -2..2 : y ; x ; 1
# Remainders and rounding
fmod(x, y)    5.1..5.9 1.9..2.1 : 1 ; -rint((x - r) / y) | at a jump, the derivative of the side that the result is on
remainder(x, y) 5.1..5.9 1.9..2.1 : 1 ; -rint((x - r) / y) | at a jump, the derivative of the side that the result is on
drem(x, y)    5.1..5.9 1.9..2.1 : 1 ; -rint((x - r) / y) | as remainder
floor(x)      0.2..0.8       : 0 | 0 everywhere
ceil(x)       0.2..0.8       : 0 | 0 everywhere
round(x)      0.6..0.9       : 0 | 0 everywhere
trunc(x)      0.2..0.8       : 0 | 0 everywhere
rint(x)       0.6..0.9       : 0 | 0 everywhere
nearbyint(x)  0.6..0.9       : 0 | 0 everywhere
roundeven(x)  0.6..0.9       : 0 | 0 everywhere
nextafter(x, y) 1..2 3..4    : 1 ; 0
nexttoward(x, y) 1..2 3..4   : 1 ; 0
nextup(x)     1..2           : 1
nextdown(x)   1..2           : 1
# Scaling
ldexp(x, n)   1..2 3..3      : ldexp(1, n) ; -
scalbn(x, n)  1..2 3..3      : scalbn(1, n) ; -
scalbln(x, n) 1..2 3..3      : scalbln(1, n) ; -
scalb(x, y)   1..2 3..3      : exp2(y) ; 0
significand(x) 1.1..1.9      : r / (x == 0 ? 1 : x) | 0 at x = 0
";

/// Complex functions that have a complex derivative. The adjoint of the argument is that of the result times the conjugate of the
/// partial. `1 - z` is written `-(z - 1)` and `1 + z` as `z - -1`: so the sign of a zero imaginary part, which says on which side
/// of a branch cut `z` lies, is kept.
pub static COMPLEX: &str = "
# Complex functions
cexp(z)      0..1           : r
clog(z)      0..1           : z == 0 ? 0 : 1 / z | 0 at z = 0
clog10(z)    0..1           : z == 0 ? 0 : 0.434294481903251827651128918917 / z | 0 at z = 0
csqrt(z)     0..1           : z == 0 ? 0 : 0.5 / r | 0 at z = 0
cpow(x, y)   0..1 0..1      : x == 0 ? 0 : y * r / x ; x == 0 ? 0 : r * clog(x) | 0 at x = 0
csin(z)      0..1           : ccos(z)
ccos(z)      0..1           : -csin(z)
ctan(z)      0..1           : 1 + r * r
casin(z)     0..1           : z * z == 1 ? 0 : 1 / (csqrt(-(z - 1)) * csqrt(z - -1)) | 0 at z = -1 and 1
cacos(z)     0..1           : z * z == 1 ? 0 : -1 / (csqrt(-(z - 1)) * csqrt(z - -1)) | 0 at z = -1 and 1
catan(z)     0..1           : z * z == -1 ? 0 : 1 / (1 + z * z) | 0 at z = -i and i
csinh(z)     0..1           : ccosh(z)
ccosh(z)     0..1           : csinh(z)
ctanh(z)     0..1           : 1 - r * r
casinh(z)    0..1           : z * z == -1 ? 0 : 1 / csqrt(1 + z * z) | 0 at z = -i and i
cacosh(z)    0..1           : z * z == 1 ? 0 : 1 / (csqrt(z - 1) * csqrt(z - -1)) | 0 at z = -1 and 1
catanh(z)    0..1           : z * z == 1 ? 0 : 1 / (1 - z * z) | 0 at z = -1 and 1
cproj(z)     0..1           : 1 | 1 everywhere
";

/// Functions that are taken apart before differentiation: what they become, for the documentation.
pub static EXPANDED: &[(&str, &str)] = &[
    ("sincos(x, &s, &c)", "`s = sin(x)`, `c = cos(x)`"),
    (
        "modf(x, &i)",
        "`i = trunc(x)` (derivative 0), result `fmod(x, 1)` (derivative 1)",
    ),
    (
        "frexp(x, &e)",
        "`e` has no derivative, result `scalbn(x, -e)` (derivative 2^-e)",
    ),
    (
        "remquo(x, y, &q)",
        "`q` has no derivative, result `remainder(x, y)`",
    ),
    (
        "lgamma_r(x, &s)",
        "`s` has no derivative, result `lgamma(x)`",
    ),
    ("cabs(z)", "`hypot` of the parts: 0 at z = 0"),
    ("carg(z)", "`atan2` of the parts: 0 at z = 0"),
    ("conj(z), creal(z), cimag(z)", "linear in the parts"),
    (
        "qsort(a, n, size, compare)",
        "the order is found first, without derivatives; then the elements move, with their derivatives",
    ),
    (
        "bsearch(key, a, n, size, compare)",
        "the index is found without derivatives; the result is the address of the element, with its shadow",
    ),
];
