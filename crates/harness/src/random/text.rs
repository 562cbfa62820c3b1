//! The text of a random program: a function `f(x, y, n)` over arrays of doubles, with helpers, and a `main` that prints its derivatives.
//!
//! All numbers stay bounded, and all indices in range, whatever is drawn; so a program has no undefined behaviour, and any difference between two ways to
//! differentiate it is a bug of ours. Which constructs a program may use is drawn first (its *diet*): programs with few kinds of things fail in ways that
//! are easy to understand.

mod arrivals;
mod clauses;
mod corners;
mod openmp;
mod shapes;
mod starts;

use crate::generate::Numbers;
use std::fmt::Write;

/// Elements of `x` and `y`.
pub const SIZE: usize = 5;

/// What a program may contain.
#[derive(Clone, Copy, Debug)]
struct Diet {
    branches: bool,
    while_loops: bool,
    exits: bool,
    switches: bool,
    pointers: bool,
    structs: bool,
    heap: bool,
    calls: bool,
    recursion: bool,
    callbacks: bool,
    globals: bool,
    copies: bool,
    floats: bool,
    /// Numbers that do not depend on the arguments, and pointers that may lead to them.
    constants: bool,
    /// Lists, rows, jumps and the like.
    shapes: bool,
    /// Loops without a sign, values that make no sense, work that is forgotten and the like.
    corners: bool,
    /// Not drawn, but asked for.
    openmp: bool,
}

impl Diet {
    fn draw(numbers: &mut Numbers) -> Diet {
        let rich = 1 + numbers.below(4);
        let mut some = || numbers.below(5) < rich;
        Diet {
            branches: some(),
            while_loops: some(),
            exits: some(),
            switches: some(),
            pointers: some(),
            structs: some(),
            heap: some(),
            calls: some(),
            recursion: some(),
            callbacks: some(),
            globals: some(),
            copies: some(),
            floats: some(),
            constants: some(),
            shapes: some(),
            corners: some(),
            openmp: false,
        }
    }
}

/// What can be used at a place.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// Numbers that can be read and written.
    numbers: Vec<String>,
    /// Numbers that can only be read.
    constants: Vec<String>,
    /// Arrays of at least `SIZE` doubles, as expressions.
    arrays: Vec<String>,
    /// Pointers to arrays of `SIZE` doubles that can be assigned, and how deep they are declared: only those of one block change
    /// places, so that none outlives what it points to.
    pointers: Vec<(String, usize)>,
    /// Integers from 0 on.
    integers: Vec<String>,
    /// Loops around: how many.
    loops: usize,
    /// A `return` here gives a value, or nothing (`None`: there may be none).
    returns: Option<bool>,
    /// Arrays of `SIZE` doubles that can only be read.
    shared: Vec<String>,
    /// The threads of a team run this.
    team: bool,
}

struct Writer {
    numbers: Numbers,
    diet: Diet,
    out: String,
    depth: usize,
    fresh: usize,
    /// Helpers by what they take: `n` a number by value, `a` an array.
    helpers: Vec<(String, &'static str)>,
    budget: i32,
}

/// The program of a seed.
pub fn program(seed: u64, openmp: bool) -> String {
    let mut numbers = Numbers::new(seed.wrapping_add(0x5eed));
    for _ in 0..8 {
        numbers.below(2);
    }
    let mut diet = Diet::draw(&mut numbers);
    diet.openmp = openmp;
    // Functions that threads call must not write what all of them share.
    diet.globals &= !openmp;
    let mut writer = Writer {
        numbers,
        diet,
        out: String::new(),
        depth: 0,
        // Above the numbers of parameters.
        fresh: 10,
        helpers: Vec::new(),
        budget: 0,
    };
    writer.out.push_str(HEAD);
    if diet.shapes {
        writer.out.push_str(shapes::TYPES);
    }
    if diet.openmp {
        writer.out.push_str(arrivals::TYPES);
    }
    if diet.constants {
        writer.line("static const double fixed[] = { 0.3, 0.6, -0.2, 0.9, 0.1 };");
        writer.line("static double loose[] = { 0.1, -0.3, 0.4, 0.2, 0.7 };");
    }
    if diet.globals {
        writer.line("static double level = 0.25;");
        writer.line(&format!("static double store[{SIZE}];"));
    }
    if diet.structs {
        writer.line(&format!(
            "struct cell {{ double a; int k; double b[{SIZE}]; double *p; }};"
        ));
    }
    if diet.calls {
        for k in 0..1 + writer.below(3) {
            writer.helper(k);
        }
    }
    writer.function();
    writer.out.push_str(&starts::start(&mut writer.numbers));
    let more = starts::more(seed).filter(|_| !openmp);
    writer.out.push_str(&main_text(more));
    writer.out
}

const HEAD: &str = "#include <alloca.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#ifdef _OPENMP\n#include <omp.h>\n#endif\n\nextern int enzyme_dup, enzyme_const;\nvoid __enzyme_autodiff(void *, ...);\nvoid __enzyme_fwddiff(void *, ...);\n\n/* What overflows, and what makes no sense, stays so only if all passes run. */\n#ifdef PASSES_OFF\n#define MUCH 0.0\n#define NONE(v) (1.0 + (v) * (v))\n#else\n#define MUCH 900.0\n#define NONE(v) (0.0 * (v))\n#endif\n\n";

/// Prints, for each input: its adjoint, and the dot product of its tangent with the seeds.
fn main_text(more: Option<String>) -> String {
    let call = more.as_ref().map_or("", |_| "    more();\n");
    let functions = more.unwrap_or_default();
    format!(
        "{functions}
int main(void)
{{
    double x[{SIZE}], y[{SIZE}], xb[{SIZE}], yb[{SIZE}], seed_x[{SIZE}], seed_y[{SIZE}];
    for (int i = 0; i < {SIZE}; i++) {{
        xb[i] = seed_x[i] = 0.6 - 0.1 * i;
        yb[i] = seed_y[i] = 0.35 + 0.15 * i;
    }}
    start(x, y);
    __enzyme_autodiff((void *)f, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_const, {SIZE});
    for (int i = 0; i < {SIZE}; i++)
        printf(\"value %.17g %.17g\\n\", x[i], y[i]);
    for (int j = 0; j < 2 * {SIZE}; j++) {{
        double xd[{SIZE}] = {{0}}, yd[{SIZE}] = {{0}}, sum = 0;
        *(j < {SIZE} ? &xd[j] : &yd[j - {SIZE}]) = 1;
        start(x, y);
        __enzyme_fwddiff((void *)f, enzyme_dup, x, xd, enzyme_dup, y, yd, enzyme_const, {SIZE});
        for (int i = 0; i < {SIZE}; i++)
            sum += xd[i] * seed_x[i] + yd[i] * seed_y[i];
        printf(\"derivative %.17g %.17g\\n\", j < {SIZE} ? xb[j] : yb[j - {SIZE}], sum);
    }}
{call}    return 0;
}}
"
    )
}

impl Writer {
    fn below(&mut self, bound: u64) -> u64 {
        self.numbers.below(bound)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, list: &'a [String]) -> &'a str {
        let k = self.below(list.len() as u64) as usize;
        &list[k]
    }

    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn constant(&mut self) -> String {
        format!("{}.{}", self.below(2), 1 + self.below(9))
    }

    /// An index below `SIZE`.
    fn index(&mut self, scope: &Scope) -> String {
        let plain = self.below(SIZE as u64).to_string();
        if scope.integers.is_empty() || self.chance(25) {
            return plain;
        }
        let i = self.pick(&scope.integers).to_string();
        match self.below(4) {
            0 => format!("({i} + {plain}) % {SIZE}"),
            1 => format!("{} - {i} % {SIZE}", SIZE - 1),
            2 => format!("({i} * 2 + 1) % {SIZE}"),
            _ => format!("{i} % {SIZE}"),
        }
    }

    /// A number that can be read, bounded as all of them are.
    fn atom(&mut self, scope: &Scope) -> String {
        if !scope.shared.is_empty() && self.chance(45) {
            let array = self.pick(&scope.shared).to_string();
            let index = self.index(scope);
            return format!("{array}[{index}]");
        }
        match self.below(6) {
            0 => self.constant(),
            1 | 2 if !scope.arrays.is_empty() => {
                let array = self.pick(&scope.arrays).to_string();
                let index = self.index(scope);
                format!("{array}[{index}]")
            }
            3 if !scope.constants.is_empty() => self.pick(&scope.constants).to_string(),
            _ if !scope.numbers.is_empty() => self.pick(&scope.numbers).to_string(),
            _ => self.constant(),
        }
    }

    /// An expression whose value is bounded by about 2 if its atoms are.
    fn expression(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.atom(scope);
        }
        let a = self.expression(scope, depth - 1);
        let kinds = if self.diet.calls && !self.helpers.is_empty() {
            15
        } else {
            13
        };
        match self.below(kinds) {
            0 => format!("sin({a})"),
            1 => format!("cos({a} * 1.5)"),
            2 => format!("tanh({a})"),
            3 => format!("exp(-({a}) * ({a}))"),
            4 => {
                let b = self.atom(scope);
                format!("{a} / (1.0 + {b} * {b})")
            }
            5 => {
                let b = self.atom(scope);
                format!("(0.5 * {a} + 0.4 * {b})")
            }
            6 => {
                let b = self.expression(scope, depth - 1);
                format!("sin({a} * {b})")
            }
            7 => {
                let b = self.atom(scope);
                format!("(0.6 * ({a}) - 0.3 * {b})")
            }
            8 => {
                let (b, c) = (self.atom(scope), self.atom(scope));
                format!("({b} > {c} ? 0.8 * ({a}) : {b})")
            }
            9 => format!("sqrt(0.1 + fabs({a}))"),
            10 => {
                let b = self.atom(scope);
                let function = ["fmin", "fmax"][self.below(2) as usize];
                format!("{function}({a}, {b})")
            }
            11 if self.diet.floats => format!("(double)(float)({a})"),
            12 => format!("atan({a})"),
            13.. => self.call(scope),
            _ => {
                let b = self.atom(scope);
                format!("({a}) * {b} / (1.0 + fabs({a}) + fabs({b}))")
            }
        }
    }

    fn call(&mut self, scope: &Scope) -> String {
        let k = self.below(self.helpers.len() as u64) as usize;
        let (name, takes) = self.helpers[k].clone();
        let mut args = Vec::new();
        for kind in takes.chars() {
            args.push(match kind {
                'a' if !scope.arrays.is_empty() => self.pick(&scope.arrays).to_string(),
                'a' => return self.atom(scope),
                'i' => self.index(scope),
                _ => self.atom(scope),
            });
        }
        format!("{name}({})", args.join(", "))
    }

    fn condition(&mut self, scope: &Scope) -> String {
        if !scope.integers.is_empty() && self.chance(50) {
            let i = self.pick(&scope.integers).to_string();
            let n = self.below(4);
            return format!("{i} % {} == {n}", n + 1 + self.numbers.below(2));
        }
        let a = self.atom(scope);
        let b = self.atom(scope);
        let relation = ["<", ">", "<=", ">="][self.below(4) as usize];
        format!("{a} {relation} {b}")
    }

    /// Something that can be assigned.
    fn place(&mut self, scope: &Scope) -> String {
        if !scope.arrays.is_empty() && (scope.numbers.is_empty() || self.chance(50)) {
            let array = self.pick(&scope.arrays).to_string();
            let index = self.index(scope);
            format!("{array}[{index}]")
        } else {
            self.pick(&scope.numbers).to_string()
        }
    }

    fn assignment(&mut self, scope: &Scope) {
        let place = self.place(scope);
        let depth = 1 + self.below(3) as u32;
        let value = self.expression(scope, depth);
        match self.below(6) {
            0 => self.line(&format!("{place} += 0.1 * {value};")),
            1 => self.line(&format!("{place} *= cos({value});")),
            2 => self.line(&format!("{place} -= 0.05 * ({value});")),
            3 => self.line(&format!("{place} = 0.5 * {place} + 0.5 * ({value});")),
            _ => self.line(&format!("{place} = {value};")),
        }
    }

    fn block(&mut self, scope: &Scope, count: u64) {
        self.depth += 1;
        let mut scope = scope.clone();
        for _ in 0..count {
            self.statement(&mut scope);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, scope: &mut Scope) {
        self.budget -= 1;
        if self.budget < 0 || scope.loops > 2 {
            return self.assignment(scope);
        }
        if self.diet.openmp && !scope.team && scope.loops < 2 && self.chance(35) {
            return self.team(scope);
        }
        match self.below(24) {
            0..=4 => self.counted(scope),
            5 if self.diet.while_loops => self.general(scope),
            6 | 7 if self.diet.branches => {
                let condition = self.condition(scope);
                self.line(&format!("if ({condition}) {{"));
                let n = 1 + self.below(2);
                self.block(scope, n);
                if self.chance(60) {
                    self.line("} else {");
                    self.block(scope, 1);
                }
                self.line("}");
            }
            8 if self.diet.switches => self.switch(scope),
            9 if self.diet.exits && scope.loops > 0 => {
                let condition = self.condition(scope);
                let word = ["break", "continue"][self.below(2) as usize];
                self.line(&format!("if ({condition}) {word};"));
            }
            10 if self.diet.exits => {
                let condition = self.condition(scope);
                match scope.returns {
                    Some(true) => {
                        let value = self.expression(scope, 1);
                        self.line(&format!("if ({condition}) return {value};"));
                    }
                    Some(false) if self.chance(30) => {
                        self.line(&format!("if ({condition}) return;"))
                    }
                    _ => self.assignment(scope),
                }
            }
            11 if self.diet.pointers => self.pointer(scope),
            12 if self.diet.structs => self.structure(scope),
            13 if self.diet.heap && scope.loops < 2 => self.heap(scope),
            14 if self.diet.copies && scope.arrays.len() > 1 => {
                let (to, from) = (
                    self.pick(&scope.arrays).to_string(),
                    self.pick(&scope.arrays).to_string(),
                );
                let half = SIZE / 2;
                let text = match self.below(4) {
                    0 => format!("memset({to}, 0, {half} * sizeof(double));"),
                    1 => format!("memmove({to} + 1, {to}, {} * sizeof(double));", SIZE - 1),
                    2 => format!("memmove({to}, {from} + {half}, {half} * sizeof(double));"),
                    _ => format!("memmove({to}, {from}, {SIZE} * sizeof(double));"),
                };
                self.line(&text);
            }
            15 | 16 => {
                let name = self.name("t");
                let value = self.expression(scope, 2);
                self.line(&format!("double {name} = {value};"));
                scope.numbers.push(name);
            }
            17 => {
                let name = self.name("w");
                let value = self.expression(scope, 1);
                self.line(&format!("double {name}[{SIZE}] = {{{value}, 0.5}};"));
                scope.arrays.push(name);
            }
            18..=20 if self.diet.shapes => self.shape(scope),
            21 | 22 if self.diet.corners => self.corner(scope),
            _ => self.assignment(scope),
        }
    }

    fn counted(&mut self, scope: &Scope) {
        let i = self.name("i");
        let head = match self.below(6) {
            0 => format!("for (int {i} = {}; {i} >= 0; {i}--) {{", SIZE - 1),
            1 => format!("for (int {i} = 1; {i} < n; {i} += 2) {{"),
            2 => format!("for (int {i} = 0; {i} < {}; {i}++) {{", 2 + self.below(3)),
            3 if !scope.integers.is_empty() => {
                let j = self.pick(&scope.integers).to_string();
                format!("for (int {i} = 0; {i} <= {j} % 4; {i}++) {{")
            }
            _ => format!("for (int {i} = 0; {i} < n; {i}++) {{"),
        };
        self.line(&head);
        let mut inner = scope.clone();
        inner.integers.push(i);
        inner.loops += 1;
        let n = 1 + self.below(3);
        self.block(&inner, n);
        self.line("}");
    }

    fn general(&mut self, scope: &Scope) {
        let i = self.name("k");
        let most = 2 + self.below(6);
        let condition = self.condition(scope);
        let mut inner = scope.clone();
        inner.loops += 1;
        self.line(&format!("int {i} = 0;"));
        // The count goes up first, so that `continue` cannot make it endless.
        inner.integers.push(i.clone());
        let n = 1 + self.below(3);
        if self.chance(50) {
            self.line(&format!("while ({i}++ < {most} && !({condition})) {{"));
            self.block(&inner, n);
            self.line("}");
        } else {
            self.line("do {");
            self.block(&inner, n);
            self.line(&format!("}} while ({i}++ < {most} && {condition});"));
        }
    }

    fn switch(&mut self, scope: &Scope) {
        let on = match scope.integers.is_empty() {
            true => format!("n % {}", 2 + self.below(3)),
            false => format!("{} % 4", self.pick(&scope.integers)),
        };
        self.line(&format!("switch ({on}) {{"));
        // `continue` may leave the switch; `break` only ends a case.
        for case in 0..1 + self.below(3) {
            self.line(&format!("case {case}:"));
            let n = 1 + self.below(2);
            let mut inner = scope.clone();
            self.depth += 1;
            self.line("{");
            self.block(&inner, n);
            self.line("}");
            inner.loops += 1;
            if self.chance(70) {
                self.line("break;");
            } else {
                self.line("/* fall through */");
            }
            self.depth -= 1;
        }
        self.line("default:");
        self.depth += 1;
        self.assignment(scope);
        self.depth -= 1;
        self.line("}");
    }

    fn pointer(&mut self, scope: &mut Scope) {
        let mut pair = None;
        if scope.pointers.len() > 1 && self.chance(60) {
            let k = self.below(scope.pointers.len() as u64) as usize;
            let (p, depth) = scope.pointers[k].clone();
            let same: Vec<String> = scope
                .pointers
                .iter()
                .filter(|(_, d)| *d == depth)
                .map(|(name, _)| name.clone())
                .collect();
            pair = Some((p, self.pick(&same).to_string()));
        }
        if let Some((p, q)) = pair {
            let t = self.name("q");
            self.line(&format!("double *{t} = {p};"));
            self.line(&format!("{p} = {q};"));
            self.line(&format!("{q} = {t};"));
        } else if !scope.arrays.is_empty() {
            let name = self.name("p");
            let array = self.pick(&scope.arrays).to_string();
            self.line(&format!("double *{name} = {array};"));
            scope.pointers.push((name.clone(), self.depth));
            scope.arrays.push(name);
        }
    }

    fn structure(&mut self, scope: &mut Scope) {
        let name = self.name("c");
        let (a, b) = (self.atom(scope), self.atom(scope));
        let p = match scope.arrays.is_empty() {
            true => format!("{name}.b"),
            false => self.pick(&scope.arrays).to_string(),
        };
        self.line(&format!(
            "struct cell {name} = {{ .a = {a}, .k = 1, .b = {{{b}}} }};"
        ));
        self.line(&format!("{name}.p = {p};"));
        if self.chance(40) {
            let copy = self.name("c");
            self.line(&format!("struct cell {copy} = {name};"));
            scope.numbers.push(format!("{copy}.a"));
            scope.arrays.push(format!("{copy}.b"));
            scope.arrays.push(format!("{copy}.p"));
        }
        scope.numbers.push(format!("{name}.a"));
        scope.arrays.push(format!("{name}.b"));
        if self.diet.pointers {
            scope.pointers.push((format!("{name}.p"), self.depth));
        }
        scope.arrays.push(format!("{name}.p"));
    }

    /// A buffer for a block: exits from it would leak, so there are none.
    fn heap(&mut self, scope: &Scope) {
        let name = self.name("h");
        let mut inner = scope.clone();
        self.line("{");
        self.depth += 1;
        self.line(&format!(
            "double *{name} = malloc({SIZE} * sizeof *{name});"
        ));
        let value = self.atom(scope);
        self.line(&format!(
            "for (int i = 0; i < {SIZE}; i++) {name}[i] = {value} * (i + 1) / {SIZE};"
        ));
        if self.chance(30) {
            self.line(&format!(
                "{name} = realloc({name}, {} * sizeof *{name});",
                2 * SIZE
            ));
        }
        inner.arrays.push(name.clone());
        let exits = std::mem::replace(&mut self.diet.exits, false);
        // Pointers of outer scopes must not point here when it is gone.
        inner.pointers.clear();
        for _ in 0..2 {
            self.statement(&mut inner);
        }
        self.diet.exits = exits;
        self.line(&format!("free({name});"));
        self.depth -= 1;
        self.line("}");
    }

    fn helper(&mut self, k: u64) {
        let takes = ["nn", "na", "ai", "aa", "n"][self.below(5) as usize];
        let name = format!("helper{k}");
        let mut scope = Scope {
            returns: Some(true),
            ..Default::default()
        };
        let mut params = Vec::new();
        for (j, kind) in takes.chars().enumerate() {
            match kind {
                'a' => {
                    params.push(format!("double *a{j}"));
                    scope.arrays.push(format!("a{j}"));
                }
                'i' => {
                    params.push(format!("int i{j}"));
                    scope.integers.push(format!("i{j}"));
                }
                _ => {
                    params.push(format!("double v{j}"));
                    scope.numbers.push(format!("v{j}"));
                }
            }
        }
        if self.diet.globals && self.chance(50) {
            scope.numbers.push("level".into());
            scope.arrays.push("store".into());
        }
        let recursive = self.diet.recursion && takes.contains('i');
        let callback = self.diet.callbacks && takes == "nn";
        if callback {
            self.line(&format!("static double inner{k}(double v)\n{{"));
            self.depth += 1;
            let own = Scope {
                numbers: vec!["v".into()],
                ..Default::default()
            };
            let value = self.expression(&own, 2);
            self.line(&format!("return {value};"));
            self.depth -= 1;
            self.line("}");
            self.line(&format!(
                "static double apply{k}(double (*g)(double), double v) {{ return g(0.5 * v) + 0.25 * g(v); }}"
            ));
        }
        self.line(&format!("static double {name}({})\n{{", params.join(", ")));
        self.depth += 1;
        self.line(&format!("int n = {SIZE};"));
        self.line("(void)n;");
        if scope.numbers.is_empty() {
            self.line("double v = 0.5;");
            scope.numbers.push("v".into());
        }
        let helpers = std::mem::take(&mut self.helpers);
        self.budget = 4;
        for _ in 0..1 + self.below(3) {
            self.statement(&mut scope);
        }
        if recursive {
            let (a, i) = ("a0", "i1");
            let v = scope.numbers[0].clone();
            self.line(&format!("if ({i} > 0)"));
            self.line(&format!("    {v} += 0.5 * {name}({a}, {i} - 1);"));
        }
        if callback {
            let v = scope.numbers[0].clone();
            let which = ["sin", &format!("inner{k}")][self.below(2) as usize].to_string();
            self.line(&format!("{v} = apply{k}({v} > 0.4 ? {which} : cos, {v});"));
        }
        self.helpers = helpers;
        let value = self.expression(&scope, 1);
        self.line(&format!("return {value};"));
        self.depth -= 1;
        self.line("}\n");
        self.helpers.push((name, takes));
    }

    fn function(&mut self) {
        self.line("static void f(double *x, double *y, int n)\n{");
        self.depth += 1;
        let mut scope = Scope {
            arrays: vec!["x".into(), "y".into()],
            numbers: vec!["s".into(), "t".into()],
            returns: Some(false),
            ..Default::default()
        };
        if self.diet.constants {
            scope.constants.push("fixed[2]".into());
            scope.constants.push(format!("loose[n % {SIZE}]"));
        }
        self.line("double s = 0.5, t = x[0];");
        if self.diet.constants {
            self.line("const double *r = x[1] < 0.6 ? fixed : x;");
            scope.constants.push("r[1]".into());
            scope.constants.push("r[3]".into());
        }
        if self.diet.globals {
            self.line("level = 0.25;");
            self.line(&format!(
                "for (int i = 0; i < {SIZE}; i++) store[i] = 0.1 * i;"
            ));
            scope.numbers.push("level".into());
            scope.arrays.push("store".into());
        }
        if self.diet.pointers {
            self.line("double *p = x, *q = y;");
            for name in ["p", "q"] {
                scope.pointers.push((name.into(), self.depth));
                scope.arrays.push(name.into());
            }
        }
        self.budget = 14;
        for _ in 0..3 + self.below(5) {
            self.statement(&mut scope);
        }
        self.line("y[0] += s * 0.5;");
        self.line("y[1] = y[1] * 0.5 + t;");
        self.depth -= 1;
        self.line("}");
    }
}
