//! The rules of [`super`], as data.
//!
//! Rules for rules: never to more work, towards one normal form (signs and constant factors move outwards, where they meet), and floating-point numbers of the primal are
//! none of their business. `x`, `y` stand for values, `c`, `d` for constants; constants of a result are folded. Sums and products match either way round.

/// How far the two sides may differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// Not at all, in the usual rounding mode (a NaN may have another sign).
    Exact,
    /// Signs of zeros, what infinities times zero give, and the last bits.
    Rounded,
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What it does, in a few words.
    pub name: &'static str,
    /// What is rewritten.
    pub from: &'static str,
    /// To what.
    pub to: &'static str,
    /// How far they may differ.
    pub care: Care,
}

const fn exact(name: &'static str, from: &'static str, to: &'static str) -> Rule {
    Rule {
        name,
        from,
        to,
        care: Care::Exact,
    }
}

const fn rounded(name: &'static str, from: &'static str, to: &'static str) -> Rule {
    Rule {
        name,
        from,
        to,
        care: Care::Rounded,
    }
}

/// All rules; the first that fits is taken.
#[rustfmt::skip]
pub static RULES: &[Rule] = &[
    // Nothing, and one.
    rounded("nothing added", "x + 0", "x"),
    rounded("nothing taken away", "x - 0", "x"),
    rounded("taken from nothing", "0 - x", "-x"),
    rounded("times nothing", "x * 0", "0"),
    rounded("nothing divided", "0 / x", "0"),
    exact("times one", "x * 1", "x"),
    exact("divided by one", "x / 1", "x"),
    exact("times minus one", "x * -1", "-x"),
    // Signs move outwards until a sum takes them.
    exact("negated twice", "-(-x)", "x"),
    exact("a negative added", "x + -y", "x - y"),
    exact("a negative taken away", "x - -y", "x + y"),
    exact("a negated product of a constant", "-(x * c)", "x * -c"),
    exact("a negative scaled", "-x * c", "x * -c"),
    exact("a negative factor", "-x * y", "-(x * y)"),
    exact("a negative dividend", "-x / y", "-(x / y)"),
    exact("a negative divisor", "x / -y", "-(x / y)"),
    // Constant factors move outwards until they meet.
    rounded("scaled twice", "(x * c) * d", "x * (c * d)"),
    rounded("scaled and divided", "(x * c) / d", "x * (c / d)"),
    rounded("a scaled factor", "(x * c) * y", "(x * y) * c"),
    rounded("a scaled dividend", "(x * c) / y", "(x / y) * c"),
    rounded("two scaled alike", "x * c + y * c", "(x + y) * c"),
    rounded("a difference scaled alike", "x * c - y * c", "(x - y) * c"),
];
