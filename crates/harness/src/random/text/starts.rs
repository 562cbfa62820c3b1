//! Where a random program starts: mostly at ordinary numbers, sometimes at zeros, at equal numbers or at numbers so small that their squares are zero.

use super::SIZE;
use crate::generate::Numbers;

/// What `x[i]` and `y[i]` are.
const STARTS: [(&str, &str); 8] = [
    ORDINARY,
    ORDINARY,
    ORDINARY,
    ("0", ORDINARY.1),
    ("i % 2 ? 0.0 : 0.7 - 0.3 * i", "i % 3 ? -0.0 : 0.4"),
    ("0.5", "0.5"),
    ("i % 2 ? -0.25 : 0.25", "i % 2 ? 0.25 : -0.25"),
    ("3e-310 * (i - 2)", "1e-200 * (i + 1)"),
];

const ORDINARY: (&str, &str) = (
    "0.7 + 0.45 * sin(1.3 * i + 0.2)",
    "0.3 - 0.2 * cos(0.9 * i)",
);

/// The function that sets the arguments.
pub(super) fn start(numbers: &mut Numbers) -> String {
    let (x, y) = STARTS[numbers.below(STARTS.len() as u64) as usize];
    format!(
        "
static void start(double *x, double *y)
{{
    for (int i = 0; i < {SIZE}; i++) {{
        x[i] = {x};
        y[i] = {y};
    }}
}}
"
    )
}

/// Functions that compute first derivatives, and one that prints second derivatives: forward mode over reverse mode beside forward mode over forward mode.
pub(super) fn second() -> String {
    format!(
        "
static void backward(double *x, double *xb, double *y, double *yb)
{{
    __enzyme_autodiff((void *)f, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_const, {SIZE});
}}

static void onward(double *x, double *xd, double *y, double *yd)
{{
    __enzyme_fwddiff((void *)f, enzyme_dup, x, xd, enzyme_dup, y, yd, enzyme_const, {SIZE});
}}

static void second(void)
{{
    double x[{SIZE}], y[{SIZE}], xb[{SIZE}], yb[{SIZE}], vx[{SIZE}], vy[{SIZE}];
    double xbd[{SIZE}] = {{0}}, ybd[{SIZE}] = {{0}}, seed_x[{SIZE}], seed_y[{SIZE}];
    for (int i = 0; i < {SIZE}; i++) {{
        xb[i] = seed_x[i] = 0.6 - 0.1 * i;
        yb[i] = seed_y[i] = 0.35 + 0.15 * i;
        vx[i] = 0.3 + 0.1 * i;
        vy[i] = 0.2 - 0.07 * i;
    }}
    start(x, y);
    __enzyme_fwddiff((void *)backward, enzyme_dup, x, vx, enzyme_dup, xb, xbd, enzyme_dup, y, vy, enzyme_dup, yb, ybd);
    for (int j = 0; j < 2 * {SIZE}; j++) {{
        double xd[{SIZE}] = {{0}}, yd[{SIZE}] = {{0}}, xdd[{SIZE}] = {{0}}, ydd[{SIZE}] = {{0}}, sum = 0;
        *(j < {SIZE} ? &xd[j] : &yd[j - {SIZE}]) = 1;
        start(x, y);
        for (int i = 0; i < {SIZE}; i++) {{
            vx[i] = 0.3 + 0.1 * i;
            vy[i] = 0.2 - 0.07 * i;
        }}
        __enzyme_fwddiff((void *)onward, enzyme_dup, x, vx, enzyme_dup, xd, xdd, enzyme_dup, y, vy, enzyme_dup, yd, ydd);
        for (int i = 0; i < {SIZE}; i++)
            sum += xdd[i] * seed_x[i] + ydd[i] * seed_y[i];
        printf(\"second %.17g %.17g\\n\", j < {SIZE} ? xbd[j] : ybd[j - {SIZE}], sum);
    }}
}}
"
    )
}
