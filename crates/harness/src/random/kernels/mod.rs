//! Random programs as numerical code is written: arrays of any size, stencils, sweeps, factorisations, time loops with exchanged buffers, gathers and scatters, pairs
//! of particles, samples with scratch of their own. They are what the planner and the loop optimiser take apart, so each is run with several sizes, from empty loops
//! to more iterations than fit into one strip, and with arguments that overlap.
//!
//! As in `text`, numbers stay bounded and indices in range, whatever is drawn.

mod check;
mod held;
mod idioms;
mod memory;
mod patterns;
mod reached;
mod shapes;
mod typed;
mod values;

use crate::generate::Numbers;
pub use check::check;
use held::{Asked, Form};
use std::fmt::Write;

/// Doubles that `f` works on.
pub const BLOCK: usize = 2 * CAPACITY + ROWS * ROWS;
/// Elements of every array of fixed size, and a few more than any size that a program runs with.
const CAPACITY: usize = 320;
/// Rows and columns of matrices of fixed size.
const ROWS: usize = 20;
/// Directions for each size.
pub const DIRECTIONS: usize = 2;

/// A program, and with which sizes it is run.
#[derive(Clone, Debug)]
pub struct Kernels {
    /// Its text.
    pub text: String,
    /// The sizes, in order; the interpreter runs those below [`Kernels::INTERPRETED`].
    pub sizes: Vec<usize>,
    /// Where the second argument begins in the block that holds both.
    pub offset: usize,
}

impl Kernels {
    /// Larger sizes are left to the compiled program.
    pub const INTERPRETED: usize = 12;
}

/// How a matrix is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matrix {
    /// `double m[ROWS][ROWS]`, a variable array, or a pointer to rows of fixed size.
    Rows,
    /// `double *m`, `m[i * n + j]`.
    Flat,
}

/// What can be used at a place.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// Numbers that can be read and written.
    numbers: Vec<String>,
    /// Arrays of at least `n` numbers.
    arrays: Vec<String>,
    /// Matrices of `n` rows and columns.
    matrices: Vec<(String, Matrix)>,
    /// Arrays of integers below `n`.
    indices: Vec<String>,
    /// Arrays of other types.
    typed: Vec<(String, typed::Kind)>,
    /// Loops around.
    loops: usize,
    /// What `return` gives here.
    returns: &'static str,
}

/// An index that is in range, and what is known of it.
#[derive(Clone, Debug)]
struct Index {
    name: String,
    /// It is at least this.
    low: usize,
    /// It is less than `n` minus this.
    high: usize,
}

struct Writer {
    numbers: Numbers,
    out: String,
    depth: usize,
    fresh: usize,
    openmp: bool,
    /// Sizes may be so large that nothing cubic is affordable and matrices have no fixed size.
    large: bool,
    /// Arguments may overlap, and so may pointers.
    overlap: bool,
    /// Functions of two numbers.
    pure: Vec<String>,
    /// Functions `(double *a, double *b, int n)`.
    sweeps: Vec<String>,
    budget: i32,
    form: Form,
    asked: Asked,
    /// With arrays of other types.
    typed: bool,
    /// With sorting, queues, lists and the like.
    idioms: bool,
    /// Inside the function with the struct.
    in_held: bool,
}

/// The program of a seed.
pub fn program(seed: u64, openmp: bool) -> Kernels {
    let mut numbers = Numbers::new(seed.wrapping_add(0x0ad0_1d05));
    for _ in 0..8 {
        numbers.below(2);
    }
    let large = numbers.below(3) == 0;
    let overlap = !openmp && numbers.below(5) == 0;
    // Drawn apart, so that other programs stay as they are.
    let mut others = Numbers::new(seed ^ 0x4e1d);
    let form = match others.below(5) {
        0 | 1 => Form::Held {
            sized: others.below(2) == 0,
            rows: (!large).then(|| others.below(2) == 0),
        },
        _ => Form::Plain,
    };
    let asked = match others.below(5) {
        0 if !openmp => Asked::Halves,
        1 if !openmp => Asked::Two,
        _ => Asked::Together,
    };
    let typed = others.below(4) == 0;
    let idioms = others.below(3) == 0;
    let mut writer = Writer {
        numbers,
        out: HEAD.to_string(),
        depth: 0,
        fresh: 0,
        openmp,
        large,
        overlap,
        pure: Vec::new(),
        sweeps: Vec::new(),
        budget: 0,
        form,
        asked,
        typed,
        idioms,
        in_held: false,
    };
    writer.declarations();
    for _ in 0..writer.below(3) {
        writer.pure_function();
    }
    writer.reaching_functions();
    for _ in 0..writer.below(3) {
        writer.sweep_function();
    }
    writer.function();
    let offset = match overlap {
        true => [0, 1, 2, 3, 7][writer.below(5) as usize],
        false => CAPACITY,
    };
    let mut sizes = vec![0, 1, 2, 3, 4 + writer.below(5) as usize];
    sizes.push(match large {
        true => 255 + writer.below(20) as usize,
        false => 12 + writer.below(7) as usize,
    });
    // A size that the call names is a constant of the derivative.
    let constant = writer.chance(15);
    if constant {
        let only = 1 + writer.below(5) as usize;
        sizes = vec![[1, 2, 5, 8, 16][only - 1]];
    }
    let main = writer.main(&sizes, offset, constant);
    writer.out.push_str(&main);
    Kernels {
        text: writer.out,
        sizes,
        offset,
    }
}

const HEAD: &str = "#include <complex.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\nextern int enzyme_dup, enzyme_const;\nvoid __enzyme_autodiff(void *, ...);\nvoid __enzyme_fwddiff(void *, ...);\nextern int enzyme_width;\nvoid *__enzyme_augmentfwd(void *, ...);\nvoid __enzyme_reverse(void *, ...);\n\n";

/// Functions that any kernel may call.
const FUNCTIONS: &str =
    "struct body { double place; int kind; float weight; double speed; struct body *next; };
struct context { const double *values; int count; double shift; };
static double wave(double at, const void *with)
{
    const struct context *c = with;
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        sum += 0.1 * sin(at * c->values[i] + c->shift);
    return sum;
}
static double hill(double at, const void *with)
{
    const struct context *c = with;
    return c->count > 0 ? exp(-at * at) * c->values[c->count - 1] : c->shift;
}
static double integral(double (*g)(double, const void *), const void *with, double from, int steps)
{
    double sum = 0;
    for (int k = 0; k < steps; k++)
        sum += 0.25 * (g(from + 0.2 * k, with) + g(from + 0.2 * (k + 1), with));
    return sum;
}
static double halves(double *a, int n)
{
    if (n < 3) {
        for (int i = 0; i < n; i++)
            a[i] = 0.9 * sin(a[i]);
        return n > 0 ? a[0] * a[n - 1] : 0.1;
    }
    double left = halves(a, n / 2), right = halves(a + n / 2, n - n / 2);
    a[0] += 0.1 * right, a[n - 1] -= 0.1 * left;
    return 0.5 * left + 0.4 * right * a[n / 3];
}

";

impl Writer {
    fn below(&mut self, bound: u64) -> u64 {
        self.numbers.below(bound)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.numbers.below(list.len() as u64) as usize].clone()
    }

    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    /// A line that begins a block.
    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn declarations(&mut self) {
        self.line("struct triple { double v[3]; int kind; };");
        self.line("union pair { struct { double re, im; } part; double both[2]; };");
        self.line("static struct triple turn(struct triple a, double by)");
        self.open("{");
        self.line("struct triple b = a;");
        self.line(
            "for (int d = 0; d < 3; d++) b.v[d] = cos(by) * a.v[(d + 1) % 3] - 0.3 * a.v[d] * by;",
        );
        self.line("b.kind = a.kind + 1;");
        self.line("return b;");
        self.close();
        self.line(&format!("static double table[{CAPACITY}];\n"));
        self.out.push_str(FUNCTIONS);
    }

    /// The derivatives by one seed for all results, and tangents in some directions; sizes and pointers are not known to the compiler unless it is to know.
    fn main(&mut self, sizes: &[usize], offset: usize, constant: bool) -> String {
        let list: Vec<String> = sizes.iter().map(usize::to_string).collect();
        let (list, count) = (list.join(", "), sizes.len());
        let size = match constant {
            true => list.clone(),
            false => "n".to_string(),
        };
        let known = offset == CAPACITY
            && self.chance(50)
            && self.form == Form::Plain
            && self.asked != Asked::Two;
        let [at, shadow] = match known {
            true => ["x, xb, enzyme_dup, y, yb", "x, xd, enzyme_dup, y, yd"],
            false => [
                "z, zb, enzyme_dup, z + offset, zb + offset",
                "z, zd, enzyme_dup, z + offset, zd + offset",
            ],
        };
        let arrays = match known {
            true => format!(
                "static double x[{CAPACITY}], y[{CAPACITY}], xb[{CAPACITY}], yb[{CAPACITY}], xd[{CAPACITY}], yd[{CAPACITY}];\n"
            ),
            false => String::new(),
        };
        let spread = |name: &str| match known {
            true => format!(
                "memcpy(x{name}, z{name}, sizeof x); memcpy(y{name}, z{name} + {CAPACITY}, sizeof y);"
            ),
            false => String::new(),
        };
        let collect = |name: &str| match known {
            true => format!(
                "memcpy(z{name}, x{name}, sizeof x); memcpy(z{name} + {CAPACITY}, y{name}, sizeof y);"
            ),
            false => String::new(),
        };
        let [reverse, forward] = self.calls([at, shadow], &size);
        let [second, lane, first] = match self.asked {
            Asked::Two => ["k ? 2 * zb2[i] : ", "k ? zd2[i] : ", "0"],
            _ => ["", "", "k"],
        };
        format!(
            "
static void start(double *z)
{{
    for (int i = 0; i < {BLOCK}; i++)
        z[i] = 0.7 + 0.45 * sin(1.3 * i + 0.2);
    for (int i = 0; i < {CAPACITY}; i++)
        links[i] = (i * 7 + 3) % (i + 1);
}}

static void direction(double *d, int k)
{{
    for (int i = 0; i < {BLOCK}; i++)
        d[i] = cos(0.7 * i * (k + 1) + 0.3 * k);
}}

static void weights(double *w)
{{
    for (int i = 0; i < {BLOCK}; i++)
        w[i] = 0.3 + 0.7 * sin(2.1 * i);
}}

static double z[{BLOCK}], zb[{BLOCK}], zb2[{BLOCK}], zd[{BLOCK}], zd2[{BLOCK}], w[{BLOCK}], v[{DIRECTIONS}][{BLOCK}];
{arrays}
int main(void)
{{
    static const int sizes[{count}] = {{{list}}};
    static volatile int offset = {offset};
    (void)offset;
    weights(w);
    for (int k = 0; k < {DIRECTIONS}; k++)
        direction(v[k], k);
    for (int s = 0; s < {count}; s++) {{
        int n = sizes[s];
        double checksum = 0;
        (void)n;
        start(z);
        weights(zb);
        {} {}
        for (int i = 0; i < {BLOCK}; i++)
            zb2[i] = 0.5 * zb[i];
        {{ {reverse} }}
        {} {}
        for (int i = 0; i < {BLOCK}; i++)
            checksum += z[i] * w[i];
        printf(\"value %.17g\\n\", checksum);
        for (int k = 0; k < {DIRECTIONS}; k++) {{
            double reverse = 0, forward = 0;
            for (int i = 0; i < {BLOCK}; i++)
                reverse += ({second}zb[i]) * v[k][i];
            start(z);
            memcpy(zd, v[{first}], sizeof zd);
            memcpy(zd2, v[1], sizeof zd);
            {} {}
            {{ {forward} }}
            {}
            for (int i = 0; i < {BLOCK}; i++)
                forward += ({lane}zd[i]) * w[i];
            printf(\"derivative %.17g %.17g\\n\", reverse, forward);
        }}
    }}
    return 0;
}}
",
            spread(""),
            spread("b"),
            collect(""),
            collect("b"),
            spread(""),
            spread("d"),
            collect("d"),
        )
    }
}
