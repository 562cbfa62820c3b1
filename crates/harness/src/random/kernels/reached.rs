//! Memory that functions reach in other ways than through an array of their own: rows, structs of arrays, variables at file scope, tables of indices that were there before; and loops that hand arrays on, as integrators are written.

use super::{CAPACITY, Scope, Writer};

/// What the functions below work on. An index of `links` is never above its place.
const TYPES: &str = "struct grid { double *now, *then; double **rows; int count; double scale; };
static struct { double *from, *to; int count; double gain; } domain;
";

impl Writer {
    /// Functions that stay calls where they are called twice; each program has its own.
    pub(super) fn reaching_functions(&mut self) {
        self.out.push_str(TYPES);
        self.line(&format!("static int links[{CAPACITY}];"));
        let texts = |list: &[&str]| list.iter().map(|t| t.to_string()).collect::<Vec<_>>();
        let near = texts(&["g->now[i]", "g->now[i - 1]", "g->then[i]", "g->scale"]);
        let [a, b] = [self.formula(&near, 2), self.formula(&near[..3], 1)];
        self.out.push_str(&format!(
            "static double advance(struct grid *g)
{{
    double sum = 0;
    for (int i = 1; i < g->count; i++)
        g->then[i] = 0.5 * sin({a});
    double *old = g->now;
    g->now = g->then, g->then = old;
    for (int i = 1; i < g->count; i++)
        sum += {b};
    g->scale = 0.5 * g->scale + 0.1 * sin(sum);
    return sin(sum);
}}
"
        ));
        let near = texts(&["domain.from[i]", "domain.to[i]", "domain.gain", "by"]);
        let [a, b] = [self.formula(&near, 2), self.formula(&near[..3], 1)];
        self.out.push_str(&format!(
            "static void domain_step(double by)
{{
    for (int i = 0; i < domain.count; i++)
        domain.to[i] = 0.5 * cos({a}) + 0.3 * domain.from[domain.count - 1 - i];
    domain.gain = sin(domain.gain + 0.1 * by);
}}
static double domain_sum(void)
{{
    double sum = 0;
    for (int i = 0; i < domain.count; i++)
        sum += {b};
    return sin(sum);
}}
"
        ));
        let near = texts(&["a[k[i]]", "b[i]", "a[i]", "b[k[i]]"]);
        let [a, b] = [self.formula(&near, 2), self.formula(&near, 1)];
        let to = self.pick(&["k[i]", "i", "k[n - 1 - i]", "k[i] / 2"]);
        self.out.push_str(&format!(
            "static double linked(double *a, double *b, const int *k, int n)
{{
    double sum = 0;
    for (int i = 0; i < n; i++) {{
        double q = sin({a});
        sum += q * 0.1;
        b[{to}] += 0.05 * q;
    }}
    for (int i = 0; i < n; i++)
        a[i] = 0.6 * a[i] + 0.2 * sin({b});
    return sin(sum);
}}
"
        ));
        let near = texts(&["r[j][i]", "r[0][i]", "r[j][0]", "r[j > 0 ? j - 1 : 0][i]"]);
        let [a, b] = [self.formula(&near, 2), self.formula(&near, 1)];
        self.out.push_str(&format!(
            "static double over_rows(double **r, int rows, int n)
{{
    double sum = 0;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < n; i++)
            r[j][i] = 0.5 * r[j][i] + 0.3 * sin({a});
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < n; i++)
            sum += 0.1 * {b};
    return sin(sum);
}}
"
        ));
        let near = texts(&["u[i]", "u[i < n - 1 ? i + 1 : 0]", "v[i]"]);
        let [a, b] = [self.formula(&near, 2), self.formula(&near[..2], 2)];
        self.out.push_str(&format!(
            "static void slope(const double *u, const double *v, double *out, int n)
{{
    for (int i = 0; i < n; i++)
        out[i] = {a} - 0.2 * {b};
}}
static void stages(double *u, double *v, int n, double h)
{{
    double k1[{CAPACITY}], k2[{CAPACITY}], k3[{CAPACITY}], t[{CAPACITY}];
    slope(u, v, k1, n);
    for (int i = 0; i < n; i++) t[i] = u[i] + 0.5 * h * k1[i];
    slope(t, v, k2, n);
    for (int i = 0; i < n; i++) t[i] = u[i] - h * k1[i] + 2 * h * k2[i];
    slope(t, v, k3, n);
    for (int i = 0; i < n; i++) u[i] = sin(u[i] + h / 6 * (k1[i] + 4 * k2[i] + k3[i]));
}}
static void extremes(const double *a, int n, double *sum, double *most)
{{
    *sum = 0, *most = -9;
    for (int i = 0; i < n; i++) {{
        *sum += 0.1 * a[i];
        if (a[i] > *most) *most = a[i];
    }}
    if (n < 1) *most = 0.1;
}}

"
        ));
    }

    /// A use of one of them.
    pub(super) fn reach(&mut self, scope: &Scope) {
        let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
        let s = self.pick(&scope.numbers);
        let times = self.pick(&["1", "2", "3", "n % 3"]);
        match self.below(7) {
            0 => {
                let g = self.name("g");
                self.line(&format!(
                    "struct grid {g} = {{ {a}, {b}, NULL, n, 0.3 * {s} }};"
                ));
                self.line(&format!(
                    "for (int r = 0; r < {times}; r++) {s} += 0.1 * advance(&{g});"
                ));
                self.line(&format!("{s} = sin({s} + {g}.scale);"));
            }
            1 => {
                self.line(&format!(
                    "domain.from = {a}, domain.to = {b}, domain.count = n, domain.gain = 0.5 * {s};"
                ));
                self.line(&format!(
                    "for (int r = 0; r < {times}; r++) domain_step(0.2 * {s} + r);"
                ));
                self.line(&format!("{s} = 0.5 * {s} + 0.3 * domain_sum();"));
            }
            2 | 3 => {
                let k = match scope.indices.is_empty() || self.chance(60) {
                    true => "links".to_string(),
                    false => self.pick(&scope.indices),
                };
                let half = self.pick(&["n", "n", "n / 2"]);
                self.line(&format!("{s} += 0.1 * linked({a}, {b}, {k}, {half});"));
            }
            4 => {
                let r = self.name("rows");
                let rows = 1 + self.below(4);
                self.line(&format!("double *{r}[{rows}];"));
                for row in 0..rows {
                    let own = self.pick(&scope.arrays);
                    // Arguments have room behind their last element.
                    let shift = match own == "x" || own == "y" {
                        true => self.below(3),
                        false => 0,
                    };
                    self.line(&format!("{r}[{row}] = {own} + {shift};"));
                }
                self.line(&format!("{s} += 0.1 * over_rows({r}, {rows}, n);"));
            }
            5 => self.line(&format!(
                "for (int r = 0; r < {times}; r++) stages({a}, {b}, n, 0.1 + 0.05 * {s});"
            )),
            _ => {
                let (p, q) = (self.name("p"), self.name("q"));
                self.line(&format!("double {p}, {q};"));
                self.line(&format!("extremes({a}, n, &{p}, &{q});"));
                self.line(&format!("{s} = 0.3 * {s} + 0.2 * sin({p}) * {q};"));
                self.line(&format!("extremes({b}, n, &{p}, &{q});"));
                self.line(&format!("if (n > 0) {a}[0] = 0.4 * {p} + 0.3 * {q};"));
            }
        }
    }
}
