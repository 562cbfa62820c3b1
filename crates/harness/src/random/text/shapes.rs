//! Shapes of data and control in random programs that are more than an array and a loop: lists, tables of rows, structs that are handed on by value, unions,
//! computed indices, jumps, pointers that walk. As everywhere, numbers stay bounded and indices in range.

use super::{SIZE, Scope, Writer};

/// Types and functions that the shapes need, in front of all functions.
pub(super) const TYPES: &str = "struct node { double v; int k; struct node *next; };
struct pair { double a; int k; double b; };
union both { double d[2]; struct { double a, b; } s; };
static struct pair turn(struct pair p, double v)
{
    struct pair q = p;
    q.a = 0.5 * p.b - 0.3 * v;
    q.b = sin(p.a * v);
    q.k = p.k + 1;
    return p.k % 2 ? q : (struct pair){ .a = v, .b = q.a, .k = p.k };
}
static double square(double v) { return 0.5 * v * v / (1.0 + v * v); }
static double (*const table[])(double) = { sin, square, tanh, cos };
static void exchange(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

";

impl Writer {
    /// One of them.
    pub(super) fn shape(&mut self, scope: &mut Scope) {
        match self.below(12) {
            0 if scope.loops < 2 => self.list(scope),
            1 if scope.loops < 2 => self.rows(scope),
            2 => self.pairs(scope),
            3 => self.union(scope),
            4 => self.indices(scope),
            5 => self.walk(scope),
            6 => self.table(scope),
            7 if scope.loops < 2 => self.again(scope),
            8 if scope.loops < 2 => self.leave(scope),
            9 => self.matrix(scope),
            10 if self.diet.pointers => self.through(scope),
            _ => self.counter(scope),
        }
    }

    /// The scope of a block that must be left at its end.
    fn closed(scope: &Scope) -> Scope {
        let mut inner = scope.clone();
        inner.returns = None;
        inner.pointers.clear();
        inner
    }

    fn list(&mut self, scope: &Scope) {
        let (head, node) = (self.name("list"), self.name("c"));
        let value = self.expression(scope, 1);
        self.line(&format!("struct node *{head} = NULL;"));
        let length = 2 + self.below(5);
        self.line(&format!("for (int i = 0; i < {length}; i++) {{"));
        self.depth += 1;
        self.line(&format!("struct node *{node} = malloc(sizeof *{node});"));
        self.line(&format!(
            "*{node} = (struct node){{ .v = {value}, .k = i, .next = {head} }};"
        ));
        self.line(&format!("{head} = {node};"));
        self.depth -= 1;
        self.line("}");
        self.line(&format!(
            "for (struct node *{node} = {head}; {node}; {node} = {node}->next) {{"
        ));
        let mut inner = Self::closed(scope);
        inner.loops += 1;
        inner.numbers.push(format!("{node}->v"));
        inner.integers.push(format!("{node}->k"));
        self.depth += 1;
        if self.chance(50) {
            self.line(&format!(
                "if ({node}->next) {node}->next->v += 0.3 * {node}->v;"
            ));
        }
        self.depth -= 1;
        let n = 1 + self.below(2);
        self.block(&inner, n);
        self.line("}");
        self.line(&format!("while ({head}) {{"));
        self.line(&format!("    struct node *{node} = {head}->next;"));
        self.line(&format!("    free({head});"));
        self.line(&format!("    {head} = {node};"));
        self.line("}");
    }

    /// Rows of their own, some of which change places.
    fn rows(&mut self, scope: &Scope) {
        let m = self.name("rows");
        let value = self.atom(scope);
        self.line("{");
        self.depth += 1;
        self.line(&format!("double **{m} = malloc(3 * sizeof *{m});"));
        self.line("for (int i = 0; i < 3; i++) {");
        self.line(&format!("    {m}[i] = calloc({SIZE}, sizeof **{m});"));
        self.line(&format!("    {m}[i][i] = {value};"));
        self.line("}");
        let mut inner = Self::closed(scope);
        inner.arrays.push(format!("{m}[0]"));
        inner.arrays.push(format!("{m}[2]"));
        if let Some(i) = inner.integers.last() {
            inner.arrays.push(format!("{m}[({i}) % 3]"));
        }
        let exits = std::mem::replace(&mut self.diet.exits, false);
        for _ in 0..1 + self.below(3) {
            self.statement(&mut inner);
            if self.chance(40) {
                let other = 1 + self.below(2);
                self.line(&format!("exchange(&{m}[0], &{m}[{other}]);"));
            }
        }
        self.diet.exits = exits;
        self.line(&format!("for (int i = 0; i < 3; i++) free({m}[i]);"));
        self.line(&format!("free({m});"));
        self.depth -= 1;
        self.line("}");
    }

    fn pairs(&mut self, scope: &mut Scope) {
        let name = self.name("s");
        let (a, b, v) = (self.atom(scope), self.atom(scope), self.atom(scope));
        if self.chance(50) {
            self.line(&format!(
                "struct pair {name} = turn((struct pair){{ {a}, {}, {b} }}, {v});",
                self.fresh
            ));
            scope.numbers.push(format!("{name}.a"));
            scope.numbers.push(format!("{name}.b"));
            return;
        }
        self.line(&format!(
            "struct pair {name}[{SIZE}] = {{{{ {a}, 1, {b} }}}};"
        ));
        self.line(&format!(
            "for (int i = 1; i < {SIZE}; i++) {name}[i] = turn({name}[i - 1], {v});"
        ));
        let (i, j) = (self.index(scope), self.index(scope));
        self.line(&format!("{name}[{i}] = {name}[{j}];"));
        scope.numbers.push(format!("{name}[{i}].a"));
        scope.numbers.push(format!("{name}[{j}].b"));
    }

    fn union(&mut self, scope: &mut Scope) {
        let name = self.name("u");
        let (a, b) = (self.atom(scope), self.expression(scope, 1));
        self.line(&format!("union both {name} = {{{{ {a}, {b} }}}};"));
        if self.chance(40) {
            let copy = self.name("u");
            self.line(&format!("union both {copy};"));
            self.line(&format!("memcpy(&{copy}, &{name}, sizeof {copy});"));
            scope.numbers.push(format!("{copy}.d[1]"));
        }
        scope.numbers.push(format!("{name}.s.a"));
        scope.numbers.push(format!("{name}.d[1]"));
        scope.numbers.push(format!("{name}.d[0]"));
    }

    /// Indices that are computed, also from numbers.
    fn indices(&mut self, scope: &mut Scope) {
        let name = self.name("ix");
        let step = 1 + self.below(4);
        self.line(&format!("int {name}[{SIZE}];"));
        self.line(&format!(
            "for (int i = 0; i < {SIZE}; i++) {name}[i] = (i * {step} + 1) % {SIZE};"
        ));
        let (i, a) = (self.index(scope), self.atom(scope));
        match self.below(3) {
            0 => self.line(&format!("{name}[{i}] = (int)(3 * fabs({a})) % {SIZE};")),
            1 => self.line(&format!("{name}[{i}] += {name}[{step}];")),
            _ => {}
        }
        let j = self.index(scope);
        scope.integers.push(format!("{name}[{j}]"));
        if let Some(k) = scope.integers.first().cloned() {
            scope.integers.push(format!("{name}[({k}) % {SIZE}]"));
        }
    }

    fn walk(&mut self, scope: &Scope) {
        if scope.arrays.is_empty() {
            return self.assignment(scope);
        }
        let (w, end) = (self.name("w"), self.name("e"));
        let array = self.pick(&scope.arrays).to_string();
        let head = match self.below(3) {
            0 => format!(
                "for (double *{w} = {array}, *{end} = {w} + {SIZE}; {w} != {end}; {w}++) {{"
            ),
            1 => {
                format!("for (double *{end} = {array}, *{w} = {end} + {SIZE}; {w}-- != {end};) {{")
            }
            _ => format!(
                "for (double *{w} = {array}, *{end} = {w} + {SIZE}; {w} < {end}; {w} += 2) {{"
            ),
        };
        self.line(&head);
        let mut inner = scope.clone();
        inner.loops += 1;
        inner.numbers.push(format!("(*{w})"));
        let n = 1 + self.below(2);
        self.block(&inner, n);
        self.line("}");
    }

    fn table(&mut self, scope: &Scope) {
        let place = self.place(scope);
        let (i, a) = (self.index(scope), self.expression(scope, 1));
        self.line(&format!("{place} = table[({i}) % 4]({a});"));
    }

    /// A jump back, a few times.
    fn again(&mut self, scope: &Scope) {
        let (label, k) = (self.name("again"), self.name("k"));
        self.line("{");
        self.depth += 1;
        self.line(&format!("int {k} = 0;"));
        self.line(&format!("{label}:;"));
        self.depth -= 1;
        let mut inner = scope.clone();
        inner.integers.push(k.clone());
        // It is a loop to what is counted, but none that can be left by `break`.
        self.block(&inner, 2);
        let condition = self.condition(scope);
        let most = 1 + self.below(4);
        self.line(&format!(
            "    if ({k}++ < {most} && {condition}) goto {label};"
        ));
        self.line("}");
    }

    /// Two loops that are left at once.
    fn leave(&mut self, scope: &Scope) {
        let (label, i, j) = (self.name("done"), self.name("i"), self.name("j"));
        self.line("{");
        self.line(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
        self.line(&format!("for (int {j} = {i}; {j} < n; {j}++) {{"));
        let mut inner = scope.clone();
        inner.integers.push(i);
        inner.integers.push(j);
        inner.loops += 2;
        self.block(&inner, 1);
        let condition = self.condition(&inner);
        self.line(&format!("    if ({condition}) goto {label};"));
        self.block(&inner, 1);
        self.line("}");
        self.line("}");
        self.line(&format!("{label}:;"));
        self.line("}");
    }

    fn matrix(&mut self, scope: &mut Scope) {
        let name = self.name("m");
        let value = self.expression(scope, 1);
        self.line(&format!(
            "double {name}[3][{SIZE}] = {{{{{value}}}, [2] = {{0.25, 0.5}}}};"
        ));
        scope.arrays.push(format!("{name}[1]"));
        let i = self.index(scope);
        scope.arrays.push(format!("{name}[({i}) % 3]"));
    }

    /// A pointer behind a pointer.
    fn through(&mut self, scope: &mut Scope) {
        let own: Vec<String> = (scope.pointers.iter())
            .filter(|(_, depth)| *depth == self.depth)
            .map(|(name, _)| name.clone())
            .collect();
        if own.len() < 2 {
            return self.pointer(scope);
        }
        let (a, b) = (self.pick(&own).to_string(), self.pick(&own).to_string());
        if self.chance(50) {
            return self.line(&format!("exchange(&{a}, &{b});"));
        }
        let name = self.name("pp");
        let condition = self.condition(scope);
        self.line(&format!("double **{name} = {condition} ? &{a} : &{b};"));
        scope.arrays.push(format!("(*{name})"));
    }

    /// A counter that is changed where it is used.
    fn counter(&mut self, scope: &Scope) {
        if scope.arrays.is_empty() {
            return self.assignment(scope);
        }
        let c = self.name("c");
        let array = self.pick(&scope.arrays).to_string();
        let (value, kept) = (self.expression(scope, 1), self.name("w"));
        self.line(&format!("int {c} = {};", self.fresh % 3));
        self.line(&format!("while ({c} < {SIZE}) {{"));
        self.line(&format!("    double {kept} = {value};"));
        self.line(&format!("    {array}[{c}++] *= 0.9;"));
        self.line(&format!("    {array}[--{c}] += 0.2 * {kept};"));
        let step = 1 + self.below(2);
        self.line(&format!("    {c} += {step};"));
        self.line("}");
    }
}
