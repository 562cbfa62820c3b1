//! Generates C files with one large function, or one large something: what programs write for programs. A compiler whose passes are quadratic shows it here first.

use std::fmt::Write;

/// A kind of large file.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    write: fn(usize) -> Parts,
}

/// What stands in front of the function `loss(const double *x, double *y, int n)`, and its body.
#[derive(Default)]
struct Parts {
    ahead: String,
    body: String,
}

/// All kinds.
pub const SHAPES: &[Shape] = &[
    Shape {
        name: "straight",
        about: "one function, assignments to scalars",
        write: straight,
    },
    Shape {
        name: "elements",
        about: "one function, assignments to elements of arrays",
        write: elements,
    },
    Shape {
        name: "local",
        about: "one function, elements of a local array",
        write: local,
    },
    Shape {
        name: "loops",
        about: "one function, loops one after the other",
        write: loops,
    },
    Shape {
        name: "branches",
        about: "one function, branches one after the other",
        write: branches,
    },
    Shape {
        name: "conditions",
        about: "one function, branches in a loop that assign to many variables",
        write: conditions,
    },
    Shape {
        name: "nests",
        about: "one function, loop nests seven deep",
        write: nests,
    },
    Shape {
        name: "body",
        about: "one loop with a large body",
        write: one_loop,
    },
    Shape {
        name: "switch",
        about: "a loop around a switch with many cases",
        write: switch,
    },
    Shape {
        name: "table",
        about: "tables with many initial values",
        write: table,
    },
    Shape {
        name: "calls",
        about: "many calls of one function, with different arrays",
        write: calls,
    },
    Shape {
        name: "chain",
        about: "functions that call one another in a chain",
        write: chain,
    },
    Shape {
        name: "members",
        about: "one function, members of structs behind pointers",
        write: members,
    },
    Shape {
        name: "expression",
        about: "one expression of many terms",
        write: expression,
    },
];

/// The kind of that name.
pub fn shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}

impl Shape {
    /// A program of about so many lines that computes the gradient of its function.
    pub fn program(&self, lines: usize) -> String {
        let Parts { ahead, body } = (self.write)(lines);
        format!(
            "#include <math.h>\n#include <stdio.h>\n\n{ahead}\nstatic double loss(const double *x, double *y, int n)\n{{\n{body}}}\n\n\
             int enzyme_dup, enzyme_const;\nvoid __enzyme_autodiff(void *, ...);\n\n\
             int main(void)\n{{\n    static double x[64], x_bar[64], y[64], y_bar[64];\n    for (int i = 0; i < 64; i++)\n        x[i] = 1.0 + i / 64.0;\n    \
             __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, 64);\n    \
             printf(\"%g\\n\", x_bar[0]);\n    return 0;\n}}\n"
        )
    }
}

/// Lines made from their number.
fn repeat(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn straight(lines: usize) -> Parts {
    let mut body =
        String::from("    double t0 = x[0], t1 = x[1], t2 = x[2];\n    (void)n;\n    y[0] = 0;\n");
    for k in 3..lines {
        let (a, b, c) = (k - 1, k - 2, k * 7 / 10);
        let _ = match k % 5 {
            0 => writeln!(body, "    double t{k} = t{a} * t{b} + 0.5 * t{c};"),
            1 => writeln!(body, "    double t{k} = sin(t{a}) - t{c};"),
            2 => writeln!(body, "    double t{k} = t{a} / (1.0 + t{b} * t{b});"),
            3 => writeln!(body, "    double t{k} = 0.25 * (t{a} + t{b} - t{c});"),
            _ => writeln!(body, "    double t{k} = x[{}] * t{a};", k % 64),
        };
    }
    let _ = writeln!(body, "    return t{};", lines.max(4) - 1);
    Parts {
        body,
        ..Parts::default()
    }
}

fn elements(lines: usize) -> Parts {
    let body = repeat(lines / 2, |k| {
        let (a, b, c) = (k % 64, k * 7 % 64, k * 13 % 64);
        format!(
            "    double r{k} = {}.5 * x[{a}] * y[{b}];\n    y[{c}] += r{k};\n",
            k % 9
        )
    });
    Parts {
        body: format!("    (void)n;\n{body}    return y[0] * y[1];\n"),
        ..Parts::default()
    }
}

fn local(lines: usize) -> Parts {
    let body = repeat(lines, |k| {
        let (a, b, c) = (k % 256, k * 7 % 256, k * 13 % 256);
        format!("    t[{a}] = 0.9 * t[{b}] * x[{}] + t[{c}];\n", k % 64)
    });
    Parts {
        body: format!(
            "    double t[256];\n    for (int i = 0; i < 256; i++)\n        t[i] = x[i % n];\n    y[0] = 0;\n{body}    return t[0] * t[1];\n"
        ),
        ..Parts::default()
    }
}

fn loops(lines: usize) -> Parts {
    let body = repeat(lines / 3, |k| match k % 3 {
        0 => format!(
            "    for (int i = 1; i < n; i++) {{\n        y[i] = 0.{} * y[i - 1] + x[i] * x[i];\n    }}\n",
            k % 7 + 1
        ),
        1 => "    for (int i = 0; i < n; i++) {\n        sum += x[i] * y[i];\n    }\n".to_owned(),
        _ => "    for (int i = 0; i < n; i++) {\n        y[i] = sin(y[i]) * x[i];\n    }\n"
            .to_owned(),
    });
    Parts {
        body: format!("    double sum = 0;\n{body}    return sum;\n"),
        ..Parts::default()
    }
}

fn branches(lines: usize) -> Parts {
    let body = repeat(lines / 4, |k| {
        format!(
            "    if (a > {k} * 0.01)\n        a = 0.99 * a + x[{}];\n    else\n        b = b * a - 0.{};\n",
            k % 64,
            k % 9 + 1
        )
    });
    Parts {
        body: format!(
            "    double a = x[0], b = x[1];\n    (void)n;\n    y[0] = 0;\n{body}    return a * b;\n"
        ),
        ..Parts::default()
    }
}

fn conditions(lines: usize) -> Parts {
    let count = (lines / 6).max(1);
    let declarations = repeat(count, |k| format!("    double v{k} = {k} * 0.001;\n"));
    let body = repeat(count, |k| {
        format!(
            "        if (x[i] > 1.{})\n            v{k} = v{k} * x[i] + v{};\n        else if (x[i] < 0.5)\n            v{k} += 0.1 * x[i];\n",
            k % 97,
            (k * 3 + 1) % count
        )
    });
    let sum = repeat(count, |k| format!("    sum += v{k};\n"));
    Parts {
        body: format!(
            "    double sum = 0;\n    y[0] = 0;\n{declarations}    for (int i = 0; i < n; i++) {{\n{body}    }}\n{sum}    return sum;\n"
        ),
        ..Parts::default()
    }
}

fn nests(lines: usize) -> Parts {
    const DEPTH: usize = 7;
    let body = repeat(lines.div_ceil(DEPTH + 2), |k| {
        let mut text = String::new();
        for d in 0..DEPTH {
            let _ = writeln!(
                text,
                "{}for (int i{d} = 0; i{d} < 2; i{d}++)",
                "    ".repeat(d + 1)
            );
        }
        let indent = "    ".repeat(DEPTH + 1);
        let _ = write!(
            text,
            "{indent}y[i0 + 2 * i1 + 4 * i2 + 8 * i3] += x[i4 + 2 * i5 + 4 * i6] * y[{}] * sum;\n    sum += y[{}];\n",
            32 + k % 32,
            k % 16
        );
        text
    });
    Parts {
        body: format!("    double sum = 0;\n    (void)n;\n{body}    return sum;\n"),
        ..Parts::default()
    }
}

fn one_loop(lines: usize) -> Parts {
    let body = repeat(lines / 2, |k| {
        let (a, b) = (k * 7 % 64, k * 13 % 64);
        match k % 4 {
            0 => format!("        double s{k} = a * x[i] + {k};\n        a += 1.0 / s{k};\n"),
            1 => format!("        y[{a}] = y[{b}] * a;\n        a = 0.5 * a + y[(i + {k}) % n];\n"),
            2 => format!("        if (a > {k})\n            a = sqrt(a) + x[{b}];\n"),
            _ => format!("        double s{k} = exp(-a) * y[i];\n        y[i] = s{k};\n"),
        }
    });
    Parts {
        body: format!(
            "    double a = x[0];\n    for (int i = 0; i < n; i++) {{\n{body}    }}\n    return a;\n"
        ),
        ..Parts::default()
    }
}

fn switch(lines: usize) -> Parts {
    let body = repeat(lines / 4, |k| {
        format!(
            "        case {k}:\n            a = a * x[i] + {k};\n            y[i] = y[i] * a;\n            break;\n"
        )
    });
    Parts {
        body: format!(
            "    double a = x[0];\n    for (int i = 0; i < n; i++) {{\n        switch (i * 7 % {}) {{\n{body}        default:\n            a = sin(a);\n        }}\n    }}\n    return a;\n",
            lines / 3
        ),
        ..Parts::default()
    }
}

fn table(lines: usize) -> Parts {
    let values = repeat(lines, |k| {
        format!("    {}.{}, {}, {k}e-3, -{k}.5,\n", k % 10, k % 7, k * 3)
    });
    let own = repeat(lines / 4, |k| format!("        {k}.5, {k},\n"));
    Parts {
        ahead: format!("static const double table[] = {{\n{values}}};\n"),
        body: format!(
            "    double sum = 0;\n    const double own[] = {{\n{own}    }};\n    for (int i = 0; i < n; i++) {{\n        y[i] = x[i] * table[i] + own[i];\n        sum += y[i] * y[i];\n    }}\n    return sum;\n"
        ),
    }
}

fn calls(lines: usize) -> Parts {
    let arrays = repeat(16, |k| format!("static double a{k}[64];\n"));
    let body = repeat(lines, |k| {
        format!(
            "    sum += combine(a{}, a{}, {}, {});\n",
            k % 16,
            k * 7 % 16,
            if k % 3 == 0 { "x" } else { "y" },
            if k % 2 == 0 { "n" } else { "8" }
        )
    });
    Parts {
        ahead: format!(
            "{arrays}\nstatic double combine(double *a, double *b, const double *c, int n)\n{{\n    double sum = 0;\n    \
             for (int i = 0; i < n; i++) {{\n        double t = b[i] * c[i];\n        if (t > 1.0)\n            t = log(t);\n        a[i] += t * t;\n        sum += a[i];\n    }}\n    \
             for (int i = 1; i < n; i++)\n        b[i] = 0.5 * b[i - 1] + a[i];\n    return sum;\n}}\n"
        ),
        body: format!("    double sum = 0;\n{body}    return sum;\n"),
    }
}

fn chain(lines: usize) -> Parts {
    let count = (lines / 8).max(1);
    let mut ahead = String::from(
        "static double f0(const double *x, double *y, int n)\n{\n    double sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += x[i] * y[i];\n    return sum;\n}\n",
    );
    for k in 1..=count {
        let _ = write!(
            ahead,
            "static double f{k}(const double *x, double *y, int n)\n{{\n    double sum = f{}(x, y, n) * 0.5;\n    if (n > 1)\n        sum += f{}(x, y, n / 2);\n    for (int i = 0; i < n; i++)\n        y[i] += x[i] * sum;\n    return sum;\n}}\n",
            k - 1,
            k / 2
        );
    }
    Parts {
        ahead,
        body: format!("    return f{count}(x, y, n);\n"),
    }
}

fn members(lines: usize) -> Parts {
    let fields = repeat(40, |k| format!("    double m{k};\n    double *p{k};\n"));
    let body = repeat(lines / 2, |k| {
        let (a, b, c) = (k * 7 % 40, k * 11 % 40, k * 13 % 40);
        format!(
            "    state.m{a} = state.m{b} * x[{}] + s->m{c};\n    s->m{b} += 0.5 * state.m{a};\n",
            k % 64
        )
    });
    Parts {
        ahead: format!("struct state {{\n{fields}}};\nstatic struct state shared;\n"),
        body: format!(
            "    struct state state = {{0}}, *s = &shared;\n    s->p0 = y;\n    (void)n;\n{body}    return state.m0 + s->m1;\n"
        ),
    }
}

fn expression(lines: usize) -> Parts {
    let terms = repeat(lines, |k| {
        format!("\n        + {k}.5 * x[{}] * sin(y[{}])", k % 64, k * 7 % 64)
    });
    Parts {
        body: format!("    (void)n;\n    return 0.0{terms};\n"),
        ..Parts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_about_what_was_asked_for() {
        for shape in SHAPES {
            let lines = shape.program(600).lines().count();
            assert!((500..1000).contains(&lines), "{}: {lines}", shape.name);
        }
    }
}
