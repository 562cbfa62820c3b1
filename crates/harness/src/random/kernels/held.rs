//! Kernels whose arguments lie behind pointers in memory: arrays are members of a struct, a matrix is an array of rows; and other ways to ask for derivatives than one call for each.

use super::{CAPACITY, ROWS, Scope, Writer};

/// How `f` gets what it works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `f(x, y, n)`.
    Plain,
    /// A struct of pointers; with the size in it or beside it, and rows of a matrix in it or beside it, or none.
    Held { sized: bool, rows: Option<bool> },
}

/// How derivatives are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// One call for each.
    Together,
    /// The two halves of reverse mode by themselves.
    Halves,
    /// Two directions, and two seeds, in a call.
    Two,
}

/// Where the rows begin in the block.
pub(super) const ROWS_AT: usize = 2 * CAPACITY;

impl Writer {
    /// The head of the function. Arrays keep their names, whatever they are.
    pub(super) fn open_function(&mut self, scope: &mut Scope) {
        let Form::Held { sized, rows } = self.form else {
            return self.open("static void f(double *x, double *y, int n)\n{");
        };
        self.line("struct held { int count; double *first, scale, *second, **rows; };");
        self.line("#define x h->first");
        self.line("#define y h->second");
        if sized {
            self.line("#define n h->count");
        }
        if rows == Some(true) {
            self.line("#define held_rows h->rows");
        }
        self.in_held = true;
        let parameters = self.parameters();
        self.open(&format!("static void held({parameters})\n{{"));
        if rows.is_some() {
            scope
                .matrices
                .push(("held_rows".into(), super::Matrix::Rows));
        }
        if !self.openmp {
            scope.numbers.push("h->scale".into());
        }
    }

    fn parameters(&self) -> String {
        let Form::Held { sized, rows } = self.form else {
            return String::new();
        };
        let beside = if rows == Some(false) {
            ", double **held_rows"
        } else {
            ""
        };
        let size = if sized { "" } else { ", int n" };
        format!("struct held *h{beside}{size}")
    }

    /// What follows the function: `f` for the interpreter.
    pub(super) fn close_function(&mut self) {
        self.close();
        self.in_held = false;
        let Form::Held { sized, rows } = self.form else {
            return;
        };
        for name in ["x", "y", "n", "held_rows"] {
            self.line(&format!("#undef {name}"));
        }
        let row = match self.overlap {
            true => self.pick(&["i", "i * n / 2", "0", "i % 2 * n"]),
            false => self.pick(&["i * n", "i * n", "(n - 1 - i) * n", "(i ^ 1) * n"]),
        };
        let arguments = arguments(sized, rows, ["&h", "r", "n"]);
        self.out.push_str(&format!(
            "static void hold(struct held *h, double **r, double *z, double *second, int n)
{{
    h->count = n, h->scale = 0.4, h->first = z, h->second = second, h->rows = r;
    for (int i = 0; i < n && i < {ROWS}; i++)
        r[i] = z + {ROWS_AT} + {row};
}}
static void f(double *x, double *y, int n)
{{
    struct held h;
    double *r[{ROWS}];
    hold(&h, r, x, y, n);
    held({});
}}
",
            arguments.join(", ")
        ));
    }

    /// Something that only such a function can do.
    pub(super) fn hold_shape(&mut self, scope: &Scope) {
        let Form::Held { rows, .. } = self.form else {
            return;
        };
        match self.below(5) {
            // Inside of a loop, the arrays then take turns.
            0 | 1 if scope.loops > 0 || self.chance(30) => {
                self.line("{ double *swap = h->first; h->first = h->second; h->second = swap; }")
            }
            2 if rows.is_some() => {
                let (a, b) = self.pick(&[("0", "n - 1"), ("n / 2", "n - 1"), ("0", "n / 2")]);
                self.line(&format!(
                    "if (n > 1) {{ double *swap = held_rows[{a}]; held_rows[{a}] = held_rows[{b}]; held_rows[{b}] = swap; }}"
                ));
            }
            3 if rows.is_some() => {
                let row = self.name("row");
                let a = self.pick(&scope.arrays);
                self.open("for (int i = 0; i < n; i++) {");
                self.line(&format!("double *{row} = held_rows[i];"));
                self.line(&format!(
                    "for (int j = 0; j < n; j++) {row}[j] = 0.5 * {row}[j] + 0.3 * sin({a}[i] * {row}[n - 1 - j]);"
                ));
                self.close();
            }
            _ => self.line("h->scale = sin(h->scale + 0.2 * x[0]);"),
        }
    }

    /// The statements that compute the derivatives in `main`: reverse mode, and forward mode.
    pub(super) fn calls(&self, plain: [&str; 2], size: &str) -> [String; 2] {
        let of = |function: &str, [b, d]: [String; 2]| {
            let call =
                |name: &str, rest: &str| format!("__enzyme_{name}((void *){function}, {rest}");
            let reverse = match self.asked {
                Asked::Halves => format!(
                    "void *tape = {}); {}, tape);",
                    call("augmentfwd", &b),
                    call("reverse", &b)
                ),
                Asked::Two => {
                    format!("{});", call("autodiff", &format!("enzyme_width, 2, {b}")))
                }
                Asked::Together => format!("{});", call("autodiff", &b)),
            };
            let forward = match self.asked {
                Asked::Two => format!("{});", call("fwddiff", &format!("enzyme_width, 2, {d}"))),
                _ => format!("{});", call("fwddiff", &d)),
            };
            [reverse, forward]
        };
        let Form::Held { sized, rows } = self.form else {
            let arguments = match self.asked {
                Asked::Two => ["b", "d"].map(|s| format!("enzyme_dup, z, z{s}, z{s}2, enzyme_dup, z + offset, z{s} + offset, z{s}2 + offset, enzyme_const, {size}")),
                _ => plain.map(|at| format!("enzyme_dup, {at}, enzyme_const, {size}")),
            };
            return of("f", arguments);
        };
        let two = self.asked == Asked::Two;
        let shadow = |s: &str| {
            let more = |name: &str| {
                if two {
                    format!(", {name}{s}2")
                } else {
                    String::new()
                }
            };
            let [h, r] = [("&h", "&h"), ("r", "r")]
                .map(|(a, b)| format!("enzyme_dup, {a}, {b}{s}{}", more(b)));
            let last = format!("enzyme_const, {size}");
            arguments(sized, rows, [&h, &r, &last]).join(", ")
        };
        let set = |s: &str| format!("hold(&h{s}, r{s}, z{s}, z{s} + offset, n); h{s}.scale = 0;");
        let declare = |s: &str| {
            let other = if two {
                set(&format!("{s}2"))
            } else {
                String::new()
            };
            format!("hold(&h, r, z, z + offset, n); {} {other}", set(s))
        };
        let [reverse, forward] = of("held", ["b", "d"].map(shadow));
        [("b", reverse), ("d", forward)].map(|(s, call)| {
            let pair = |name: &str| match two {
                true => format!("{name}, {name}{s}, {name}{s}2"),
                false => format!("{name}, {name}{s}"),
            };
            let rows = pair("*r").replace(',', &format!("[{ROWS}],"));
            format!(
                "struct held {}; double {rows}[{ROWS}]; {} {call}",
                pair("h"),
                declare(s)
            )
        })
    }
}

fn arguments(sized: bool, rows: Option<bool>, [h, r, n]: [&str; 3]) -> Vec<&str> {
    let mut list = vec![h];
    if rows == Some(false) {
        list.push(r);
    }
    if !sized {
        list.push(n);
    }
    list
}
