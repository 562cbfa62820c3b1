//! What kernels consist of: loops over arrays and matrices in the shapes that numerical programs have.

use super::{CAPACITY, Index, Scope, Writer};

impl Writer {
    pub(super) fn pure_function(&mut self) {
        let name = self.name("pure");
        self.open(&format!("static double {name}(double a, double b)\n{{"));
        let reads = ["a".to_string(), "b".to_string()];
        if self.chance(40) {
            self.line("double s = a;");
            let times = 2 + self.below(3);
            let value = self.formula(&reads, 1);
            self.line(&format!(
                "for (int k = 0; k < {times}; k++) s = 0.5 * s + 0.3 * sin(s + k) * {value};"
            ));
            self.line("return s;");
        } else {
            if self.chance(40) {
                self.line("if (a < 0.4 * b) return 0.6 * b;");
            }
            let value = self.formula(&reads, 2);
            self.line(&format!("return {value};"));
        }
        self.close();
        self.pure.push(name);
    }

    /// A function that goes over arrays: called twice, it is not inlined.
    pub(super) fn sweep_function(&mut self) {
        let name = self.name("sweep");
        self.open(&format!(
            "static double {name}(double *a, double *b, int n)\n{{"
        ));
        self.line("double s = 0.1;");
        let mut scope = Scope {
            numbers: vec!["s".into()],
            arrays: vec!["a".into(), "b".into()],
            returns: "s",
            loops: 1,
            ..Default::default()
        };
        let teams = std::mem::take(&mut self.openmp);
        self.budget = 3;
        for _ in 0..1 + self.below(2) {
            self.shape(&mut scope);
        }
        self.openmp = teams;
        self.line("return sin(s);");
        self.close();
        self.sweeps.push(name);
    }

    pub(super) fn function(&mut self) {
        let mut scope = Scope {
            numbers: vec!["s".into(), "t".into()],
            arrays: vec!["x".into(), "y".into()],
            ..Default::default()
        };
        self.open_function(&mut scope);
        self.line("double s = 0.5, t = x[0];");
        let mut freed = Vec::new();
        for _ in 0..1 + self.below(3) {
            self.array(&mut scope, &mut freed);
        }
        if self.typed {
            self.typed_array(&mut scope, &mut freed);
        }
        if self.chance(45) {
            self.matrix(&mut scope, &mut freed);
        }
        if self.chance(45) {
            self.indices(&mut scope);
        }
        if self.chance(60) {
            // What is freed at the end must not be left early.
            let leaves = freed.is_empty();
            scope.returns = if leaves { "void" } else { "" };
        }
        self.budget = 9;
        for _ in 0..2 + self.below(4) {
            self.shape(&mut scope);
        }
        // All of it reaches the results.
        for array in scope.arrays.clone() {
            if array != "x" && array != "y" && self.chance(80) {
                self.line(&format!(
                    "for (int i = 0; i < n; i++) y[i] += 0.3 * {array}[i];"
                ));
            }
        }
        for m in scope.matrices.clone() {
            let at = self.element(&m, "i", "j");
            self.line(&format!(
                "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += 0.1 * {at};"
            ));
        }
        self.collect_typed(&scope);
        self.line("y[0] += s * 0.5;");
        self.line("x[1] += sin(t);");
        for line in freed {
            self.line(&line);
        }
        self.close_function();
    }

    pub(super) fn directive(&mut self, clauses: &str) {
        let schedule = match self.below(9) {
            0 => " schedule(static, 2)",
            1 => " schedule(dynamic)",
            2 => " schedule(guided)",
            3 => " schedule(dynamic, 3)",
            4 => " schedule(guided, 2)",
            _ => "",
        };
        self.line(&format!("#pragma omp parallel for{clauses}{schedule}"));
    }

    /// A loop, its head written, and what is known of its index.
    pub(super) fn head(&mut self, plain: bool) -> Index {
        let i = self.name("i");
        let (text, low, high) = match self.below(if plain { 5 } else { 11 }) {
            0 => (format!("for (int {i} = 1; {i} < n - 1; {i}++) {{"), 1, 1),
            1 => (format!("for (int {i} = 1; {i} < n; {i}++) {{"), 1, 0),
            2 => (format!("for (int {i} = 0; {i} < n - 1; {i}++) {{"), 0, 1),
            3 => (format!("for (int {i} = 2; {i} < n; {i} += 3) {{"), 2, 0),
            5 => (format!("for (int {i} = n - 1; {i} >= 0; {i}--) {{"), 0, 0),
            6 => (format!("for (int {i} = n - 2; {i} > 0; {i} -= 2) {{"), 1, 1),
            7 => (
                format!("for (size_t {i} = 0; {i} < (size_t)n; {i}++) {{"),
                0,
                0,
            ),
            8 => (format!("for (unsigned {i} = n; {i}-- > 0;) {{"), 0, 0),
            9 => (format!("for (long {i} = 1; {i} + 1 < n; {i}++) {{"), 1, 1),
            _ => (format!("for (int {i} = 0; {i} < n; {i}++) {{"), 0, 0),
        };
        self.open(&text);
        Index { name: i, low, high }
    }

    /// One thing that a kernel does.
    pub(super) fn shape(&mut self, scope: &mut Scope) {
        self.budget -= 1;
        let deep = self.budget < 0 || scope.loops > 1;
        if !scope.typed.is_empty() && self.chance(20) {
            return self.typed_shape(scope);
        }
        if self.in_held && self.chance(12) {
            return self.hold_shape(scope);
        }
        if self.idioms && scope.loops < 2 && self.chance(40) {
            return self.idiom(scope);
        }
        match self.below(31) {
            21 | 22 => self.records(scope),
            23 if scope.loops < 2 => self.integral(scope),
            24 => self.halves(scope),
            25..=28 => self.reach(scope),
            0 | 1 if !deep => self.time_loop(scope),
            2 if !deep => self.exchanged(scope),
            3 | 4 => self.sweep(scope),
            5 => self.gauss_seidel(scope),
            6 | 7 => self.sum(scope),
            8 if scope.loops < 2 => self.triangle(scope),
            9 | 10 if scope.loops < 2 => self.nest(scope),
            11 => self.scatter(scope),
            12 => self.running_best(scope),
            13 | 14 if scope.loops < 2 => self.samples(scope),
            15 if scope.loops < 2 => self.pairs(scope),
            16 => self.general_loop(scope),
            17 => self.small_vectors(scope),
            18 if !self.sweeps.is_empty() => self.call(scope),
            19 if !scope.matrices.is_empty() && scope.loops == 0 => self.factorise(scope),
            20 => self.search(scope),
            _ => self.map(scope),
        }
    }

    /// `a[i] = f(b[i - 1], …)`.
    fn map(&mut self, scope: &Scope) {
        let a = self.pick(&scope.arrays);
        let team = self.openmp && scope.loops < 2 && self.chance(70);
        if team {
            self.directive("");
        }
        let index = self.head(team);
        let at = [index.clone()];
        let reads = match team || self.chance(50) {
            true => self.reads(scope, &at, &[&a]),
            false => self.reads(scope, &at, &[]),
        };
        let place = format!("{a}[{}]", index.name);
        self.guarded_assignment(&place, &reads, &at);
        self.close();
    }

    /// An assignment, sometimes under conditions or with a value in between.
    pub(super) fn guarded_assignment(&mut self, place: &str, reads: &[String], at: &[Index]) {
        match self.below(6) {
            0 => {
                let condition = self.condition(reads, at);
                self.open(&format!("if ({condition}) {{"));
                self.assign(place, reads);
                if self.chance(50) {
                    self.depth -= 1;
                    self.open("} else {");
                    self.assign(place, reads);
                }
                self.close();
            }
            1 => {
                let q = self.name("q");
                let value = self.formula(reads, 2);
                self.line(&format!("double {q} = {value};"));
                let mut reads = reads.to_vec();
                reads.push(q.clone());
                reads.push(format!("{q} * {q}"));
                self.assign(place, &reads);
            }
            2 if self.chance(50) => {
                let i = &at[0].name.clone();
                self.open(&format!("switch ({i} % 3) {{"));
                for (case, end) in [
                    ("case 0:", "break;"),
                    ("case 1:", "/* fall through */"),
                    ("default:", "break;"),
                ] {
                    self.line(case);
                    self.assign(place, reads);
                    self.line(end);
                }
                self.close();
            }
            _ => self.assign(place, reads),
        }
    }

    /// Several statements in one loop, which may depend on each other's neighbours.
    fn sweep(&mut self, scope: &Scope) {
        let index = self.head(false);
        let at = [index.clone()];
        for _ in 0..1 + self.below(3) {
            let a = self.pick(&scope.arrays);
            let i = match self.chance(70) {
                true => index.name.clone(),
                false => self.near(scope, &index),
            };
            let reads = self.reads(scope, &at, &[]);
            self.guarded_assignment(&format!("{a}[{i}]"), &reads, &at);
            if self.chance(15) {
                let condition = self.condition(&reads, &at);
                let word = self.pick(&["break", "continue"]);
                self.line(&format!("if ({condition}) {word};"));
            }
        }
        self.close();
    }

    fn gauss_seidel(&mut self, scope: &Scope) {
        let a = self.pick(&scope.arrays);
        let b = self.pick(&scope.arrays);
        let text = match self.below(4) {
            0 => format!(
                "for (int i = 1; i < n - 1; i++) {a}[i] = 0.4 * {a}[i - 1] + 0.3 * {a}[i + 1] + 0.2 * sin({b}[i]);"
            ),
            1 => format!(
                "for (int i = n - 2; i >= 0; i--) {a}[i] = {a}[i] * {b}[i] * 0.5 - 0.3 * {a}[i + 1] * {a}[i + 1];"
            ),
            2 => format!(
                "for (int i = 0; i < n; i++) {a}[i] = 0.3 * {a}[i > 0 ? i - 1 : n - 1] + 0.5 * cos({a}[(i + 1) % n]);"
            ),
            _ => format!(
                "for (int i = 2; i < n; i += 2) {{ {a}[i] -= 0.2 * {a}[i - 2] * {b}[i - 1]; {a}[i - 1] = 0.5 * {a}[i]; }}"
            ),
        };
        self.line(&text);
    }

    fn sum(&mut self, scope: &Scope) {
        let s = self.pick(&scope.numbers);
        let team = self.openmp && scope.loops < 2 && self.chance(70) && !s.contains('[');
        let inner = Scope {
            numbers: Vec::new(),
            ..scope.clone()
        };
        if team {
            self.directive(&format!(" reduction(+ : {s})"));
        }
        let index = self.head(team);
        let at = [index];
        let reads = self.reads(&inner, &at, &[]);
        let value = self.formula(&reads, 2);
        if self.chance(30) {
            let condition = self.condition(&reads, &at);
            self.line(&format!("if ({condition}) continue;"));
        }
        self.line(&format!("{s} += 0.05 * {value};"));
        self.close();
        self.line(&format!("{s} = 0.9 * sin({s});"));
    }

    /// `for j <= i` and the like.
    fn triangle(&mut self, scope: &Scope) {
        let a = self.pick(&scope.arrays);
        let team = self.openmp && scope.loops == 0 && self.chance(60);
        if team {
            self.directive("");
        }
        let (i, j) = (self.name("i"), self.name("j"));
        self.open(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
        let at = [
            Index {
                name: i.clone(),
                low: 0,
                high: 0,
            },
            Index {
                name: j.clone(),
                low: 0,
                high: 0,
            },
        ];
        let without: &[&str] = if team { &[&a] } else { &[] };
        let q = self.name("q");
        let local = !team && self.chance(30);
        let target = match local {
            true => format!("{a}[{i}]"),
            false => {
                self.line(&format!("double {q} = {a}[{i}];"));
                q.clone()
            }
        };
        let bounds = match self.below(5) {
            0 => format!("int {j} = 0; {j} < {i}; {j}++"),
            1 => format!("int {j} = 0; {j} <= {i}; {j}++"),
            2 => format!("int {j} = {i}; {j} < n; {j}++"),
            3 => format!("int {j} = {i} + 1; {j} < n; {j} += 2"),
            _ => format!("int {j} = {i} > 2 ? {i} - 2 : 0; {j} < n && {j} < {i} + 3; {j}++"),
        };
        let mut inner = scope.clone();
        if team {
            inner.numbers.clear();
        }
        let reads = self.reads(&inner, &at, without);
        let value = self.formula(&reads, 2);
        self.line(&format!("for ({bounds})"));
        self.line(&format!("    {target} += 0.05 * {value};"));
        if !local {
            self.line(&format!("{a}[{i}] = 0.8 * sin({q});"));
        }
        self.close();
    }

    /// A nest over a matrix, or over an array by rows.
    fn nest(&mut self, scope: &Scope) {
        let (i, j) = (self.name("i"), self.name("j"));
        let borders = self.below(2) as usize;
        let at = [
            Index {
                name: i.clone(),
                low: borders,
                high: borders,
            },
            Index {
                name: j.clone(),
                low: borders,
                high: borders,
            },
        ];
        let team = self.openmp && scope.loops == 0 && self.chance(70);
        let matrix = (!scope.matrices.is_empty()).then(|| self.pick(&scope.matrices));
        let array = self.pick(&scope.arrays);
        let collapse = matrix.is_some() && self.chance(30);
        if team {
            self.directive(if collapse { " collapse(2)" } else { "" });
        }
        let head = |v: &str| format!("for (int {v} = {borders}; {v} < n - {borders}; {v}++) {{");
        let (outer, inner) = match !team && self.chance(30) {
            true => (j.clone(), i.clone()),
            false => (i.clone(), j.clone()),
        };
        let mut seen = scope.clone();
        if team {
            seen.numbers.clear();
        }
        self.open(&head(&outer));
        match matrix {
            Some(m) => {
                self.open(&head(&inner));
                let reads = match team || self.chance(50) {
                    true => self.reads(&seen, &at, &[&m.0]),
                    false => self.reads(&seen, &at, &[]),
                };
                let place = self.element(&m, &i, &j);
                self.guarded_assignment(&place, &reads, &at);
                if !self.large && self.chance(30) {
                    // A product.
                    let k = self.name("k");
                    let k_index = [
                        Index {
                            name: k.clone(),
                            low: 0,
                            high: 0,
                        },
                        at[0].clone(),
                        at[1].clone(),
                    ];
                    let reads = self.reads(&seen, &k_index, &[&m.0]);
                    let value = self.formula(&reads, 1);
                    self.line(&format!("for (int {k} = 0; {k} < n; {k}++)"));
                    self.line(&format!("    {place} += 0.02 * {value};"));
                }
                self.close();
            }
            None => {
                let scratch = self.name("c");
                let fixed = 3 + self.below(3);
                self.line(&format!("double {scratch}[{fixed}] = {{0}};"));
                self.open(&head(&inner));
                let reads = self.reads(&seen, &at, &[&array]);
                self.assign(&format!("{scratch}[{inner} % {fixed}]"), &reads);
                self.close();
                let k = self.name("k");
                self.line(&format!("for (int {k} = 0; {k} < {fixed}; {k}++)"));
                self.line(&format!(
                    "    {array}[{outer}] += 0.1 * sin({scratch}[{k}]);"
                ));
            }
        }
        self.close();
    }

    /// Steps of time over some shapes.
    fn time_loop(&mut self, scope: &Scope) {
        let t = self.name("t");
        let times = self.pick(&["2", "3", "n % 4", "5"]);
        self.open(&format!("for (int {t} = 0; {t} < {times}; {t}++) {{"));
        let mut inner = scope.clone();
        inner.loops += 1;
        for _ in 0..1 + self.below(3) {
            self.shape(&mut inner);
        }
        if self.chance(30) {
            let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
            self.line(&format!("memmove({a}, {b}, (size_t)n * sizeof(double));"));
        }
        if self.chance(15) {
            let s = self.pick(&scope.numbers);
            self.line(&format!("if ({s} > 1.2) break;"));
        }
        self.close();
    }

    /// Two buffers that change places.
    fn exchanged(&mut self, scope: &mut Scope) {
        let (p, q, t) = (self.name("p"), self.name("p"), self.name("t"));
        let (b, c) = (self.name("b"), self.name("b"));
        let fixed = self.chance(50);
        match fixed {
            true => self.line(&format!("double {b}[{CAPACITY}], {c}[{CAPACITY}] = {{0}};")),
            false => self.line(&format!("double {b}[n + 3], {c}[n + 3];")),
        }
        let a = self.pick(&scope.arrays);
        self.line(&format!(
            "for (int i = 0; i < n; i++) {b}[i] = 0.7 * {a}[i], {c}[i] = 0.1 * i;"
        ));
        self.line(&format!("double *{p} = {b}, *{q} = {c};"));
        let times = self.pick(&["1", "3", "4", "n / 2"]);
        self.open(&format!("for (int {t} = 0; {t} < {times}; {t}++) {{"));
        let team = self.openmp && self.chance(70);
        if team {
            self.directive("");
        }
        let index = self.head(team);
        let mut inner = scope.clone();
        // Arrays of the scope are no less readable, but the buffers are what matters.
        inner.arrays = vec![p.clone(), p.clone(), a.clone()];
        if team {
            inner.numbers.clear();
        }
        let at = [index.clone()];
        let reads = self.reads(&inner, &at, &[]);
        let place = format!("{q}[{}]", index.name);
        self.guarded_assignment(&place, &reads, &at);
        self.close();
        if self.chance(40) {
            self.line(&format!(
                "if (n > 1) {q}[0] = {q}[1], {q}[n - 1] = {q}[n - 2];"
            ));
        }
        self.line(&format!("double *swap = {p};"));
        self.line(&format!("{p} = {q};"));
        self.line(&format!("{q} = swap;"));
        if self.chance(20) {
            let s = self.pick(&scope.numbers);
            self.line(&format!("if (n > 0 && {p}[0] + {s} < 0.2) break;"));
        }
        self.close();
        self.line(&format!(
            "for (int i = 0; i < n; i++) {a}[i] = 0.6 * {p}[i] + 0.2 * {a}[i];"
        ));
    }
}
