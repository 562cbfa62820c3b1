//! Where a random program starts and how else it is differentiated. It starts mostly at ordinary numbers, sometimes at zeros, at equal numbers or at numbers so small that their squares are zero.

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

/// How a program is differentiated once more: a function `more`, which prints pairs that must be the same.
pub(super) fn more(seed: u64) -> Option<String> {
    match seed % 8 {
        1 | 5 => Some(second()),
        2 => Some(halves()),
        3 => Some(two_seeds()),
        6 => Some(two_directions()),
        _ => None,
    }
}

/// Seeds, and adjoints in `xb` and `yb`.
fn plain() -> String {
    format!(
        "
    double x[{SIZE}], y[{SIZE}], xb[{SIZE}], yb[{SIZE}], xc[{SIZE}], yc[{SIZE}], xe[{SIZE}], ye[{SIZE}];
    for (int i = 0; i < {SIZE}; i++) {{
        xb[i] = xc[i] = 0.6 - 0.1 * i;
        yb[i] = yc[i] = 0.35 + 0.15 * i;
        xe[i] = 0.1 * i;
        ye[i] = 0.7 - 0.2 * i;
    }}
    start(x, y);
    __enzyme_autodiff((void *)f, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_const, {SIZE});
    start(x, y);"
    )
}

/// Both sweeps by themselves; between them the arguments are changed.
fn halves() -> String {
    let plain = plain();
    format!(
        "
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void more(void)
{{{plain}
    (void)xe, (void)ye;
    void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, xc, enzyme_dup, y, yc, enzyme_const, {SIZE});
    for (int i = 0; i < {SIZE}; i++)
        x[i] = y[i] = 1e30;
    __enzyme_reverse((void *)f, enzyme_dup, x, xc, enzyme_dup, y, yc, enzyme_const, {SIZE}, tape);
    for (int i = 0; i < {SIZE}; i++)
        printf(\"same %.17g %.17g\\nsame %.17g %.17g\\n\", xb[i], xc[i], yb[i], yc[i]);
}}
"
    )
}

/// Two seeds at once.
fn two_seeds() -> String {
    let plain = plain();
    format!(
        "
extern int enzyme_width;

static void more(void)
{{{plain}
    double xf[{SIZE}], yf[{SIZE}];
    memcpy(xf, xe, sizeof xf);
    memcpy(yf, ye, sizeof yf);
    __enzyme_autodiff((void *)f, enzyme_dup, x, xf, enzyme_dup, y, yf, enzyme_const, {SIZE});
    start(x, y);
    __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, xc, xe, enzyme_dup, y, yc, ye, enzyme_const, {SIZE});
    for (int i = 0; i < {SIZE}; i++)
        printf(\"same %.17g %.17g\\nsame %.17g %.17g\\n\", xb[i], xc[i], yb[i], yc[i]);
    for (int i = 0; i < {SIZE}; i++)
        printf(\"same %.17g %.17g\\nsame %.17g %.17g\\n\", xf[i], xe[i], yf[i], ye[i]);
}}
"
    )
}

/// Two directions at once.
fn two_directions() -> String {
    let plain = plain();
    format!(
        "
extern int enzyme_width;

static void more(void)
{{{plain}
    double xf[{SIZE}], yf[{SIZE}], xg[{SIZE}], yg[{SIZE}];
    memcpy(xf, xe, sizeof xf);
    memcpy(yf, ye, sizeof yf);
    memcpy(xg, xc, sizeof xg);
    memcpy(yg, yc, sizeof yg);
    __enzyme_fwddiff((void *)f, enzyme_dup, x, xf, enzyme_dup, y, yf, enzyme_const, {SIZE});
    start(x, y);
    __enzyme_fwddiff((void *)f, enzyme_dup, x, xg, enzyme_dup, y, yg, enzyme_const, {SIZE});
    start(x, y);
    __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_dup, x, xc, xe, enzyme_dup, y, yc, ye, enzyme_const, {SIZE});
    for (int i = 0; i < {SIZE}; i++)
        printf(\"same %.17g %.17g\\nsame %.17g %.17g\\n\", xg[i], xc[i], yg[i], yc[i]);
    for (int i = 0; i < {SIZE}; i++)
        printf(\"same %.17g %.17g\\nsame %.17g %.17g\\n\", xf[i], xe[i], yf[i], ye[i]);
}}
"
    )
}

/// Functions that compute first derivatives, and one that prints second derivatives: forward mode over reverse mode beside forward mode over forward mode.
fn second() -> String {
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

static void more(void)
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
        printf(\"same %.17g %.17g\\n\", j < {SIZE} ? xbd[j] : ybd[j - {SIZE}], sum);
    }}
}}
"
    )
}
