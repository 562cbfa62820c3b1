//! What recurs in numerical programs beyond loops over arrays: searches, samples, pairs of particles, factorisations.

use super::{Index, Scope, Writer};

impl Writer {
    /// Adds to places that are found by branches, remainders and tables, in a team atomically.
    pub(super) fn scatter(&mut self, scope: &Scope) {
        let a = self.pick(&scope.arrays);
        let team = self.openmp && scope.loops < 2 && self.chance(60);
        if team {
            self.directive("");
        }
        let index = self.head(team);
        let at = [index.clone()];
        let reads = self.reads(scope, &at, &[&a]);
        let value = self.formula(&reads, 2);
        let q = self.name("q");
        self.line(&format!("double {q} = {value};"));
        for (operator, by) in [("+", "0.1"), ("-", "0.07")] {
            if operator == "-" && !self.chance(40) {
                break;
            }
            if team {
                self.line("#pragma omp atomic");
            }
            let to = self.near(scope, &index);
            self.line(&format!("{a}[{to}] {operator}= {by} * {q};"));
        }
        self.close();
    }

    /// The largest of something, and where it is.
    pub(super) fn running_best(&mut self, scope: &Scope) {
        let (best, place) = (self.name("best"), self.name("place"));
        let a = self.pick(&scope.arrays);
        let s = self.pick(&scope.numbers);
        self.line(&format!("double {best} = -9.0;"));
        self.line(&format!("int {place} = 0;"));
        let index = self.head(false);
        let at = [index.clone()];
        let reads = self.reads(scope, &at, &[]);
        let q = self.name("q");
        let value = self.formula(&reads, 2);
        self.line(&format!("double {q} = {value};"));
        if self.chance(40) {
            let k = self.name("k");
            let more = self.formula(&reads, 1);
            self.line(&format!(
                "for (int {k} = 0; {k} < 3; {k}++) {q} += 0.1 * {more} * {k};"
            ));
        }
        self.line(&format!(
            "if ({q} > {best}) {best} = {q}, {place} = (int){};",
            index.name
        ));
        self.close();
        self.line(&format!(
            "if ({best} > -9.0) {a}[{place}] += 0.3 * {best}, {s} += 0.1 * {best} * {a}[{place}];"
        ));
    }

    /// A loop over samples with scratch of their own, which sums up.
    pub(super) fn samples(&mut self, scope: &Scope) {
        let s = self.pick(&scope.numbers);
        let team = self.openmp && scope.loops == 0 && self.chance(70);
        if team {
            self.directive(&format!(" reduction(+ : {s})"));
        }
        let index = self.head(team);
        let at = [index.clone()];
        let scratch = self.name("c");
        let size = self.pick(&[2u64, 3, 4, 9]);
        self.line(&format!("double {scratch}[{size}];"));
        let mut seen = scope.clone();
        seen.numbers.retain(|number| !team && *number != s);
        let k = self.name("k");
        let mut reads = self.reads(&seen, &at, &[]);
        let value = self.formula(&reads, 2);
        self.line(&format!("for (int {k} = 0; {k} < {size}; {k}++)"));
        self.line(&format!("    {scratch}[{k}] = {value} + 0.1 * {k};"));
        for _ in 0..1 + self.below(2) {
            reads.push(format!("{scratch}[{k}]"));
            reads.push(format!("{scratch}[({k} + 1) % {size}]"));
            let times = self.pick(&["", "1", "2", "n % 3"]);
            if !times.is_empty() {
                self.line(&format!("for (int r = 0; r < {times}; r++)"));
            }
            let from = self.below(2);
            let value = self.formula(&reads, 2);
            self.line(&format!("for (int {k} = {from}; {k} < {size}; {k}++)"));
            self.line(&format!(
                "    {scratch}[{k}] = 0.5 * {scratch}[{k}] + 0.4 * {value};"
            ));
            reads.truncate(reads.len() - 2);
        }
        let q = self.name("q");
        self.line(&format!("double {q} = 0;"));
        self.line(&format!(
            "for (int {k} = 0; {k} < {size}; {k}++) {q} += {scratch}[{k}] * {scratch}[{k}];"
        ));
        let condition = self.condition(&reads, &at);
        match self.below(3) {
            0 => self.line(&format!("if ({condition}) {s} += 0.02 * {q};")),
            _ => self.line(&format!("{s} += 0.02 * log(1.0 + {q});")),
        }
        self.close();
        self.line(&format!("{s} = tanh({s});"));
    }

    /// Pairs with a cutoff.
    pub(super) fn pairs(&mut self, scope: &Scope) {
        let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
        let (i, j, r) = (self.name("i"), self.name("j"), self.name("r"));
        let far = self.constant_cutoff();
        self.open(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
        self.open(&format!("for (int {j} = {i} + 1; {j} < n; {j}++) {{"));
        self.line(&format!("double {r} = {a}[{i}] - {a}[{j}];"));
        let cut = format!("if ({r} * {r} > {far}) continue;");
        if self.chance(60) {
            self.line(&cut);
        }
        let reads = [
            r.clone(),
            format!("{r} * {r}"),
            format!("{b}[{i}]"),
            format!("{b}[{j}]"),
        ];
        let value = self.formula(&reads, 2);
        self.line(&format!("{b}[{i}] += 0.02 * {value};"));
        if self.chance(70) {
            self.line(&format!("{b}[{j}] -= 0.02 * {value};"));
        }
        self.close();
        self.close();
    }

    fn constant_cutoff(&mut self) -> &'static str {
        self.pick(&["0.05", "0.3", "0.011"])
    }

    /// A loop whose end depends on numbers.
    pub(super) fn general_loop(&mut self, scope: &Scope) {
        let k = self.name("k");
        let a = self.pick(&scope.arrays);
        let s = self.pick(&scope.numbers);
        self.line(&format!("int {k} = 0;"));
        let at = [Index {
            name: k.clone(),
            low: 0,
            high: 0,
        }];
        let mut inner = scope.clone();
        inner.indices.clear();
        match self.below(3) {
            0 => {
                self.open("if (n > 0) do {");
                let reads = [s.clone(), format!("{a}[{k}]"), format!("{a}[{k} / 2]")];
                let condition = self.condition(&reads, &[]);
                self.line(&format!("if ({condition}) continue;"));
                self.assign(&format!("{a}[{k}]"), &reads);
                self.depth -= 1;
                self.line(&format!("}} while (++{k} < n);"));
            }
            1 => {
                self.open(&format!("while ({k} < n && {a}[{k}] < 1.1) {{"));
                let reads = self.reads(&inner, &at, &[]);
                self.assign(&format!("{a}[{k}]"), &reads);
                self.line(&format!("{k}++;"));
                self.close();
                self.line(&format!("{s} += 0.01 * {k};"));
            }
            _ => {
                // Newton's method.
                let v = self.name("v");
                self.line(&format!("double {v} = 1.0;"));
                self.open(&format!("for (; {k} < 30; {k}++) {{"));
                self.line(&format!(
                    "double step = ({v} * {v} - 1.2 - 0.3 * sin({s})) / (2 * {v});"
                ));
                self.line(&format!("{v} -= step;"));
                self.line("if (fabs(step) < 1e-6) break;");
                self.close();
                self.line(&format!("if (n > 0) {a}[0] += 0.1 * {v};"));
            }
        }
    }

    /// Small vectors in structs, unions and short loops.
    pub(super) fn small_vectors(&mut self, scope: &Scope) {
        let (u, s) = (self.name("u"), self.pick(&scope.numbers));
        let a = self.pick(&scope.arrays);
        let index = self.head(false);
        let i = &index.name;
        match self.below(3) {
            0 => {
                self.line(&format!(
                    "struct triple {u} = {{{{{a}[{i}], {s}, 0.5}}, 0}};"
                ));
                let times = 1 + self.below(3);
                self.line(&format!(
                    "for (int r = 0; r < {times}; r++) {u} = turn({u}, 0.3 * {a}[{i}]);"
                ));
                self.line(&format!(
                    "{a}[{i}] = 0.5 * {u}.v[0] + 0.2 * {u}.v[2] * {u}.v[1];"
                ));
            }
            1 => {
                self.line(&format!("union pair {u};"));
                self.line(&format!("{u}.part.re = {a}[{i}], {u}.part.im = 0.4 * {s};"));
                self.line(&format!("for (int r = 0; r < 2; r++) {{ double w = {u}.both[0] * {u}.both[0] - {u}.both[1]; {u}.both[1] = 0.3 * {u}.both[0] * {u}.both[r]; {u}.both[0] = 0.4 * w; }}"));
                self.line(&format!("{a}[{i}] = {u}.part.re + {u}.part.im;"));
            }
            _ => {
                self.line(&format!("double {u}[3] = {{{a}[{i}], {s}, 0.2}}, r2 = 0;"));
                self.line(&format!(
                    "for (int d = 0; d < 3; d++) r2 += {u}[d] * {u}[d];"
                ));
                self.line(&format!(
                    "for (int d = 0; d < 3; d++) {u}[d] = 0.6 * {u}[(d + 1) % 3] / sqrt(0.5 + r2);"
                ));
                self.line(&format!(
                    "for (int d = 0; d < 3; d++) {a}[{i}] += 0.1 * {u}[d] * (d + 1);"
                ));
            }
        }
        self.close();
    }

    pub(super) fn call(&mut self, scope: &Scope) {
        let name = self.pick(&self.sweeps.clone());
        let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
        let s = self.pick(&scope.numbers);
        let size = self.pick(&["n", "n", "n", "n / 2", "n > 1 ? n - 1 : n"]);
        self.line(&format!("{s} += 0.1 * {name}({a}, {b}, {size});"));
    }

    /// Elimination, or substitution.
    pub(super) fn factorise(&mut self, scope: &Scope) {
        let m = self.pick(&scope.matrices);
        let a = self.pick(&scope.arrays);
        let [ij, ik, kj, kk, ii] = [["i", "j"], ["i", "k"], ["k", "j"], ["k", "k"], ["i", "i"]]
            .map(|[r, c]| self.element(&m, r, c));
        if self.large || self.chance(50) {
            self.line("for (int i = 0; i < n; i++) {");
            self.line(&format!("    double left = {a}[i];"));
            self.line(&format!(
                "    for (int j = 0; j < i; j++) left -= 0.05 * {ij} * {a}[j];"
            ));
            self.line(&format!("    {a}[i] = left / (2.0 + {ii} * {ii});"));
            self.line("}");
        } else {
            self.line("for (int k = 0; k < n; k++)");
            self.line("    for (int i = k + 1; i < n; i++) {");
            self.line(&format!("        {ik} = 0.1 * {ik} / (2.0 + {kk} * {kk});"));
            self.line(&format!(
                "        for (int j = k + 1; j < n; j++) {ij} -= 0.2 * {ik} * {kj};"
            ));
            self.line(&format!("        {a}[i] -= {ik} * {a}[k];"));
            self.line("    }");
        }
    }

    /// A nest that is left early.
    pub(super) fn search(&mut self, scope: &Scope) {
        let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
        let s = self.pick(&scope.numbers);
        let (i, j) = (self.name("i"), self.name("j"));
        let out = self.name("found");
        self.open(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
        self.open(&format!("for (int {j} = 0; {j} < n && {j} < 4; {j}++) {{"));
        let reads = [format!("{a}[{i}]"), format!("{b}[{j}]"), s.clone()];
        self.assign(&format!("{a}[{i}]"), &reads);
        let rare = format!("{a}[{i}] > 1.3 || {a}[{i}] * {b}[{j}] < -0.4");
        let leaves = match scope.returns {
            "void" if self.chance(60) => "return;".to_string(),
            "s" if self.chance(60) => "return 0.3 * s;".to_string(),
            _ => format!("goto {out};"),
        };
        self.line(&format!("if ({rare}) {leaves}"));
        self.close();
        let reads = [format!("{b}[{i}]"), s.clone()];
        self.assign(&format!("{b}[{i}]"), &reads);
        self.close();
        if leaves.starts_with("goto") {
            self.line(&format!("{out}:"));
        }
        self.line(&format!("{s} = 0.7 * {s} + 0.1;"));
    }

    /// An array of structs, some of which point to others.
    pub(super) fn records(&mut self, scope: &Scope) {
        let r = self.name("r");
        let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
        let s = self.pick(&scope.numbers);
        self.line(&format!("struct body {r}[n + 1];"));
        self.open("for (int i = 0; i < n; i++) {");
        self.line(&format!(
            "{r}[i].place = {a}[i], {r}[i].speed = 0.2 * {b}[i];"
        ));
        self.line(&format!(
            "{r}[i].kind = i % 3, {r}[i].weight = 0.5f + 0.1f * (float)(i % 4);"
        ));
        self.line(&format!("{r}[i].next = i + 2 < n ? &{r}[i + 2] : NULL;"));
        self.close();
        let index = self.head(false);
        let i = index.name.clone();
        let fields = ["place", "speed"].map(|field| format!("{r}[{i}].{field}"));
        let mut reads = fields.to_vec();
        let far = self.near(scope, &index);
        reads.push(format!("{r}[{far}].place"));
        reads.push(format!("{r}[{i}].weight"));
        let place = self.pick(&fields);
        self.guarded_assignment(&place, &reads, std::slice::from_ref(&index));
        if self.chance(40) {
            self.line(&format!(
                "if ({r}[{i}].kind == 1) {r}[{i}].speed *= 0.5 * {s};"
            ));
        }
        self.close();
        if self.chance(50) {
            self.line(&format!(
                "for (struct body *at = n > 0 ? {r} : NULL; at; at = at->next) {s} += 0.03 * at->place * at->speed;"
            ));
        }
        self.line(&format!(
            "for (int i = 0; i < n; i++) {a}[i] = 0.7 * {r}[i].place + 0.3 * {r}[i].speed;"
        ));
    }

    /// A function that is given as an argument, with data of its own.
    pub(super) fn integral(&mut self, scope: &Scope) {
        let a = self.pick(&scope.arrays);
        let s = self.pick(&scope.numbers);
        let c = self.name("context");
        let function = self.pick(&["wave", "hill"]);
        self.line(&format!("struct context {c} = {{ {a}, n, 0.4 * {s} }};"));
        self.line(&format!(
            "{s} = 0.5 * {s} + 0.2 * integral({function}, &{c}, 0.1 * {s}, n % 5);"
        ));
    }

    /// Recursion over halves of an array.
    pub(super) fn halves(&mut self, scope: &Scope) {
        let a = self.pick(&scope.arrays);
        let s = self.pick(&scope.numbers);
        self.line(&format!("{s} += 0.01 * halves({a}, n);"));
    }
}
