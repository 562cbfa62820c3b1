//! The C text of the functions that generated code calls and the library lacks: put in front of it as far as it is used. They have rows in the table, or
//! carry no derivative, so they are never differentiated themselves.

use adjoin_ir::Module;

/// The polygamma functions: by the recurrence up to where the asymptotic series is exact, and by reflection below zero, where the derivatives of the
/// cotangent are polynomials in it. `T` is the type, `S` the suffix of functions, `C` the suffix of constants.
const POLYGAMMA: &str = r#"
/* The polygamma function of order n: the (n + 1)-th derivative of the logarithm of the gamma function. 0 at its poles. */
static T __attribute__((unused)) adjoin_polygammaS(int n, T x)
{
    static const T bernoulli[11] = {
        1.0C / 6, -1.0C / 30, 1.0C / 42, -1.0C / 30, 5.0C / 66, -691.0C / 2730, 7.0C / 6, -3617.0C / 510,
        43867.0C / 798, -174611.0C / 330, 854513.0C / 138
    };
    const T sign = n % 2 ? 1.0C : -1.0C, pi = 3.141592653589793238462643383280C;
    T factorial = 1.0C, power = 1.0C, sum = 0.0C, total, term;
    if (x <= 0.0C) {
        T p[64] = {0.0C, 1.0C}, cotangent, angle = pi * (x - __builtin_roundS(x));
        if (x == __builtin_floorS(x) || n > 60)
            return 0.0C;
        cotangent = __builtin_cosS(angle) / __builtin_sinS(angle);
        for (int k = 0; k < n; k++) {
            T below = 0.0C;
            for (int j = 0; j <= k + 2; j++) {
                T next = -((j + 1) * p[j + 1] + (j - 1) * below);
                below = p[j];
                p[j] = next;
            }
        }
        for (int j = n + 1; j >= 0; j--)
            sum = sum * cotangent + p[j];
        for (int k = 0; k <= n; k++)
            sum *= pi;
        return -sign * adjoin_polygammaS(n, 1.0C - x) - sum;
    }
    for (int k = 2; k <= n; k++)
        factorial *= k;
    for (; x < n + 15; x += 1.0C) {
        T inverse = 1.0C / x;
        for (int k = 0; k < n; k++)
            inverse /= x;
        sum += inverse;
    }
    for (int k = 0; k < n; k++)
        power /= x;
    total = n == 0 ? -__builtin_logS(x) : factorial / n * power;
    total += factorial * power / (2 * x);
    term = factorial * (n + 1) / 2 * power / (x * x);
    for (int k = 1; k <= 11; k++) {
        total += bernoulli[k - 1] * term;
        term *= (T)(2 * k + n) * (2 * k + n + 1) / ((T)(2 * k + 1) * (2 * k + 2) * x * x);
    }
    return sign * (total + factorial * sum);
}
"#;

/// In the other precisions it is rounded from `long double`: so it is exact to the last bit also where the terms cancel.
const POLYGAMMA_ROUNDED: &str = "
static T __attribute__((unused)) adjoin_polygammaS(int n, T x)
{
    return (T)adjoin_polygammal(n, (long double)x);
}
";

const EXPONENT: &str = "
/* The exponent that frexp finds. */
static inline int __attribute__((unused)) adjoin_exponentS(T x)
{
    int exponent = 0;
    (void)__builtin_frexpS(x, &exponent);
    return exponent;
}
";

const QUOTIENT: &str = "
/* The last bits of the quotient that remquo finds. */
static inline int __attribute__((unused)) adjoin_quotientS(T x, T y)
{
    int quotient = 0;
    (void)__builtin_remquoS(x, y, &quotient);
    return quotient;
}
";

const GAMMA_SIGN: &str = "
/* The sign of the gamma function. */
static inline int __attribute__((unused)) adjoin_gamma_signS(T x)
{
    if (x == 0)
        return __builtin_signbit(x) ? -1 : 1;
    return x < 0 && __builtin_fmodS(__builtin_floorS(x), 2) != 0 ? -1 : 1;
}
";

const SORT_ORDER: &str = r#"
/* The order that sorts `count` objects of `size` bytes: the caller frees it. Equal objects keep theirs. */
static long *__attribute__((unused)) adjoin_sort_order(void *data, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    const char *base = (const char *)data;
    long n = (long)count, *order = (long *)__builtin_malloc(2 * (count + 1) * sizeof(long)), *from = order, *to;
    if (!order) {
        __builtin_printf("adjoin: out of memory: the order of %lu objects\n", count);
        __builtin_abort();
    }
    to = order + n;
    for (long i = 0; i < n; i++)
        from[i] = i;
    for (long width = 1; width < n; width *= 2) {
        for (long start = 0; start < n; start += 2 * width) {
            long middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            long i = start, j = middle;
            for (long k = start; k < end; k++) {
                int second = i >= middle || (j < end && compare(base + (unsigned long)from[j] * size, base + (unsigned long)from[i] * size) < 0);
                to[k] = second ? from[j++] : from[i++];
            }
        }
        long *other = from;
        from = to;
        to = other;
    }
    if (from != order)
        for (long i = 0; i < n; i++)
            order[i] = from[i];
    return order;
}
"#;

const SEARCH: &str = r#"
/* The index that bsearch finds, or -1. */
static long __attribute__((unused)) adjoin_search(const void *key, const void *data, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        int side = compare(key, (const char *)data + middle * size);
        if (side == 0)
            return (long)middle;
        if (side < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}
"#;

/// A text in one precision.
fn precise(text: &str, suffix: &str) -> String {
    let (ty, constant) = match suffix {
        "f" => ("float", "f"),
        "l" => ("long double", "L"),
        _ => ("double", ""),
    };
    let mut out = String::with_capacity(text.len() + 64);
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        match word.as_str() {
            "T" => out.push_str(ty),
            w if w.starts_with("adjoin_") || w.starts_with("__builtin_") => {
                match w.strip_suffix('S') {
                    Some(stem) => out.push_str(&format!("{stem}{suffix}")),
                    None => out.push_str(w),
                }
            }
            w if w.ends_with('C') && w.starts_with(|c: char| c.is_ascii_digit()) => {
                out.push_str(&format!("{}{constant}", &w[..w.len() - 1]));
            }
            w => out.push_str(w),
        }
        word.clear();
    };
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' || c == '.' {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// Is it one of the functions here?
pub fn is_defined(name: &str) -> bool {
    let stems = [
        "adjoin_exponent",
        "adjoin_quotient",
        "adjoin_gamma_sign",
        "adjoin_polygamma",
    ];
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    stems.contains(&name)
        || stems.contains(&stem)
        || matches!(name, "adjoin_sort_order" | "adjoin_search")
}

/// The support functions that a module calls, as C text.
pub fn text(module: &Module) -> String {
    let uses = |name: &str| module.find_func(name).is_some();
    let mut out = String::new();
    for (stem, text) in [
        ("adjoin_exponent", EXPONENT),
        ("adjoin_quotient", QUOTIENT),
        ("adjoin_gamma_sign", GAMMA_SIGN),
    ] {
        for suffix in ["", "f", "l"] {
            if uses(&format!("{stem}{suffix}")) {
                out.push_str(&precise(text, suffix));
            }
        }
    }
    let precisions = ["l", "", "f"].map(|s| (s, uses(&format!("adjoin_polygamma{s}"))));
    if precisions.iter().any(|p| p.1) {
        out.push_str(&precise(POLYGAMMA, "l"));
    }
    for (suffix, _) in precisions.into_iter().skip(1).filter(|p| p.1) {
        out.push_str(&precise(POLYGAMMA_ROUNDED, suffix));
    }
    if uses("adjoin_sort_order") {
        out.push_str(SORT_ORDER);
    }
    if uses("adjoin_search") {
        out.push_str(SEARCH);
    }
    out
}
