//! More of OpenMP in random programs: one construct each, for clauses that the regions of `openmp` do not have. Results do not depend on the team here, either; extremes
//! get a small distinct addition for each iteration, so that no two are alike.

use super::{SIZE, Scope, Writer};

impl Writer {
    /// A construct that writes only what is declared for it, and what of it is used afterwards.
    pub(super) fn construct_alone(&mut self, outside: &Scope) -> String {
        match self.below(10) {
            0 => self.extreme(outside, true),
            1 => self.extreme(outside, false),
            2 => self.section(outside),
            3 => self.collapsed(outside),
            4 => self.broadcast(outside),
            5 => self.first_private(outside),
            6 => self.sections_with_results(outside),
            7 => self.dependent_tasks(outside),
            _ => self.arrivals(outside),
        }
    }

    /// The greatest or least of all, by a clause or in a critical section.
    fn extreme(&mut self, outside: &Scope, clause: bool) -> String {
        let (m, i, v) = (self.name("m"), self.name("i"), self.name("v"));
        let (word, sign) = [("max", '>'), ("min", '<')][self.below(2) as usize];
        let start = self.atom(outside);
        self.line(&format!("double {m} = {start};"));
        let clauses = match clause {
            true => format!("{} reduction({word} : {m})", self.schedule()),
            false => self.schedule(),
        };
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        let value = self.expression(&inner, 2);
        self.line(&format!("#pragma omp parallel for{clauses}"));
        self.line(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
        self.line(&format!("    double {v} = {value} + 0.00137 * ({i} + 1);"));
        if !clause {
            self.line("#pragma omp critical");
        }
        self.line(&format!("    {{ if ({v} {sign} {m}) {m} = {v}; }}"));
        self.line("}");
        m
    }

    /// A reduction of an array, or of a part of it.
    fn section(&mut self, outside: &Scope) -> String {
        let (h, i) = (self.name("h"), self.name("i"));
        let (start, times) = (self.atom(outside), 1 + self.below(3));
        let (list, low) = match self.below(3) {
            0 => (h.clone(), 0),
            1 => (format!("{h}[:{SIZE}]"), 0),
            _ => (format!("{h}[1:{}]", SIZE - 1), 1),
        };
        self.line(&format!("double {h}[{SIZE}] = {{{start}, 0.5}};"));
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        let value = self.expression(&inner, 2);
        let schedule = self.schedule();
        self.line(&format!(
            "#pragma omp parallel for{schedule} reduction(+ : {list})"
        ));
        self.line(&format!("for (int {i} = 0; {i} < n; {i}++)"));
        let count = SIZE - low;
        self.line(&format!(
            "    {h}[{low} + ({i} * {times}) % {count}] += 0.3 * ({value});"
        ));
        format!("{h}[{}]", low + self.below(count as u64) as usize)
    }

    /// Two loops that are shared out as one.
    fn collapsed(&mut self, outside: &Scope) -> String {
        let (g, a, b) = (self.name("g"), self.name("i"), self.name("j"));
        self.line(&format!("double {g}[{}] = {{0.5}};", 2 * SIZE));
        let mut inner = outside.clone();
        inner.integers.extend([a.clone(), b.clone()]);
        let value = self.expression(&inner, 2);
        let schedule = self.schedule();
        self.line(&format!("#pragma omp parallel for collapse(2){schedule}"));
        self.line(&format!("for (int {a} = 0; {a} < {SIZE}; {a}++)"));
        self.line(&format!("    for (int {b} = 0; {b} < 2; {b}++)"));
        self.line(&format!("        {g}[{a} * 2 + {b}] += {value};"));
        format!("{g}[{}]", self.below(2 * SIZE as u64))
    }

    /// One thread computes a number for all.
    fn broadcast(&mut self, outside: &Scope) -> String {
        let (w, c, i) = (self.name("w"), self.name("c"), self.name("i"));
        self.line(&format!("double {w}[{SIZE}] = {{0.5}};"));
        let made = self.expression(outside, 2);
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        inner.constants.push(c.clone());
        let value = self.expression(&inner, 2);
        self.line("#pragma omp parallel");
        self.line("{");
        self.line(&format!("double {c};"));
        self.line(&format!("#pragma omp single copyprivate({c})"));
        self.line(&format!("{c} = {made};"));
        self.line("#pragma omp for");
        self.line(&format!("for (int {i} = 0; {i} < n; {i}++)"));
        self.line(&format!("    {w}[{i}] = 0.5 * {c} + {value};"));
        self.line("}");
        format!("{w}[{}]", self.below(SIZE as u64))
    }

    /// A copy for each thread of an array, whose length may vary.
    fn first_private(&mut self, outside: &Scope) -> String {
        let (p, s, i) = (self.name("p"), self.name("s"), self.name("i"));
        let start = self.atom(outside);
        let length = ["n".to_string(), SIZE.to_string()][self.below(2) as usize].clone();
        self.line(&format!("double {s} = 0.25, {p}[{length}];"));
        self.line(&format!(
            "for (int {i} = 0; {i} < n; {i}++) {p}[{i}] = {start} / ({i} + 1);"
        ));
        let mut inner = outside.clone();
        inner.integers.push(i.clone());
        let value = self.expression(&inner, 1);
        let schedule = self.schedule();
        self.line(&format!(
            "#pragma omp parallel for{schedule} firstprivate({p}) reduction(+ : {s})"
        ));
        self.line(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
        self.line(&format!("    {p}[{i}] *= 0.5;"));
        self.line(&format!("    {s} += 0.2 * {p}[{i}] * ({value});"));
        self.line("}");
        s
    }

    fn sections_with_results(&mut self, outside: &Scope) -> String {
        let (s, l) = (self.name("s"), self.name("l"));
        self.line(&format!("double {s} = 0.5, {l} = 0.0;"));
        self.line(&format!(
            "#pragma omp parallel sections reduction(+ : {s}) lastprivate({l})"
        ));
        self.line("{");
        for _ in 0..2 + self.below(2) {
            let (a, b) = (self.expression(outside, 2), self.expression(outside, 1));
            self.line("#pragma omp section");
            self.line(&format!("{{ {l} = {a}; {s} += 0.3 * {l} * ({b}); }}"));
        }
        self.line("}");
        self.line(&format!("{s} += 0.1 * {l};"));
        s
    }

    fn dependent_tasks(&mut self, outside: &Scope) -> String {
        let (a, b) = (self.name("first"), self.name("second"));
        self.line(&format!("double {a} = 0.25, {b} = 0.5;"));
        let (first, second) = (self.expression(outside, 2), self.expression(outside, 1));
        self.line("#pragma omp parallel");
        self.line("#pragma omp single");
        self.line("{");
        self.line(&format!("#pragma omp task shared({a}) depend(out : {a})"));
        self.line(&format!("{a} = {first};"));
        self.line(&format!(
            "#pragma omp task shared({a}, {b}) depend(in : {a}) depend(inout : {b})"
        ));
        self.line(&format!("{b} = 0.5 * {b} + {a} * ({second});"));
        self.line("}");
        b
    }
}
