//! Threads of random programs that order themselves by what they count: who is the second one at a node of a tree, or the last one of all, reads what others left, without a barrier between; and
//! iterations that threads take one by one. What comes out does not depend on the team.

use super::{SIZE, Scope, Writer};

/// What they need in front of all functions.
pub(super) const TYPES: &str =
    "struct crown { double v; int seen; struct crown *up, *left, *right; };
static int arrive(int *count, int deep)
{
    int before;
    if (deep > 0) return arrive(count, deep - 1);
    #pragma omp atomic capture seq_cst
    before = (*count)++;
    return before;
}

";

/// So many leaves have trees.
const LEAVES: usize = 8;

impl Writer {
    /// One of them, and what is used of it afterwards.
    pub(super) fn arrivals(&mut self, outside: &Scope) -> String {
        match self.below(5) {
            0 | 1 => self.tree(outside),
            2 | 3 => self.last_of_all(outside),
            _ => self.one_by_one(outside),
        }
    }

    /// Counts up in turn: the number before.
    fn count(&mut self, number: &str, counter: &str, kinds: u64) {
        match self.below(kinds) {
            0 => {
                self.line("#pragma omp atomic capture seq_cst");
                self.line(&format!("{number} = {counter}++;"));
            }
            1 => {
                self.line("#pragma omp critical(arrivals)");
                self.line(&format!("{number} = {counter}++;"));
            }
            _ => {
                let deep = self.below(3);
                self.line(&format!("{number} = arrive(&{counter}, {deep});"));
            }
        }
    }

    fn over(&mut self, i: &str, count: usize) {
        let schedule = self.schedule();
        self.line(&format!("#pragma omp parallel for{schedule}"));
        self.line(&format!("for (int {i} = 0; {i} < {count}; {i}++) {{"));
        self.depth += 1;
    }

    /// A tree, by numbers or by pointers, whose inner nodes wait for both sides.
    fn tree(&mut self, outside: &Scope) -> String {
        let (t, i, at, before) = (
            self.name("t"),
            self.name("i"),
            self.name("at"),
            self.name("before"),
        );
        let linked = self.chance(60);
        let all = 2 * LEAVES;
        self.line(&format!("struct crown {t}[{all}];"));
        self.line(&format!("for (int i = 1; i < {all}; i++) {{"));
        self.line(&format!(
            "    {t}[i] = (struct crown){{ 0.5, 0, i > 1 ? &{t}[i / 2] : NULL, NULL, NULL }};"
        ));
        self.line(&format!(
            "    if (i < {LEAVES}) {{ {t}[i].left = &{t}[2 * i]; {t}[i].right = &{t}[2 * i + 1]; }}"
        ));
        self.line("}");
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        let leaf = self.expression(&inner, 2);
        // Who is the second one at a node differs.
        let node = self.expression(outside, 1);
        self.over(&i, LEAVES);
        self.line(&format!("struct crown *{at} = &{t}[{LEAVES} + {i}];"));
        self.line(&format!("{at}->v = {leaf};"));
        self.line(&format!("for ({at} = {at}->up; {at}; {at} = {at}->up) {{"));
        self.depth += 1;
        self.line(&format!("int {before};"));
        self.count(&before, &format!("{at}->seen"), 3);
        self.line(&format!("if ({before} == 0) break;"));
        if linked {
            self.line(&format!(
                "{at}->v = sin({at}->left->v * {at}->right->v + 0.3 * {at}->left->v) + 0.2 * ({node});"
            ));
        } else {
            let k = self.name("k");
            self.line(&format!("int {k} = (int)({at} - {t});"));
            self.line(&format!(
                "{t}[{k}].v = sin({t}[2 * {k}].v * {t}[2 * {k} + 1].v + 0.3 * {t}[2 * {k}].v) + 0.2 * ({node});"
            ));
        }
        self.depth -= 1;
        self.line("}");
        self.depth -= 1;
        self.line("}");
        format!("{t}[1].v")
    }

    /// The last one puts together what all have left, or overwrites what the first one has.
    fn last_of_all(&mut self, outside: &Scope) -> String {
        let (w, r, c) = (self.name("w"), self.name("r"), self.name("c"));
        let (i, before) = (self.name("i"), self.name("before"));
        let start = self.atom(outside);
        self.line(&format!("double {w}[{SIZE}] = {{0.5}}, {r} = {start};"));
        self.line(&format!("int {c} = 0;"));
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        let value = self.expression(&inner, 2);
        let overwritten = self.chance(50);
        let first = self.expression(outside, 1);
        self.over(&i, SIZE);
        self.line(&format!("int {before};"));
        self.line(&format!("{w}[{i}] = {value};"));
        if overwritten {
            self.line(&format!("if ({i} == 0) {r} = {first};"));
        }
        self.count(&before, &c, 3);
        self.line(&format!("if ({before} == {}) {{", SIZE - 1));
        self.line(&format!(
            "    {r} = 0.5 * {};",
            if overwritten { "0.3" } else { &r }
        ));
        self.line(&format!(
            "    for (int k = 0; k < {SIZE}; k++) {r} += 0.2 * {w}[k] * {w}[(k + 1) % {SIZE}];"
        ));
        self.line("}");
        self.depth -= 1;
        self.line("}");
        r
    }

    /// Iterations that threads take one by one from a counter.
    fn one_by_one(&mut self, outside: &Scope) -> String {
        let (w, c, i) = (self.name("w"), self.name("c"), self.name("i"));
        self.line(&format!("double {w}[{SIZE}] = {{0.5}};"));
        self.line(&format!("int {c} = 0;"));
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        inner.constants.push(format!("{w}[{i}]"));
        let value = self.expression(&inner, 2);
        self.line("#pragma omp parallel");
        self.line("for (;;) {");
        self.depth += 1;
        self.line(&format!("int {i};"));
        // Not by a function: how many threads there are would show.
        self.count(&i, &c, 2);
        self.line(&format!("if ({i} >= {SIZE}) break;"));
        self.line(&format!("{w}[{i}] = 0.5 * {w}[{i}] + {value};"));
        self.depth -= 1;
        self.line("}");
        format!("{w}[{}]", self.below(SIZE as u64))
    }
}
